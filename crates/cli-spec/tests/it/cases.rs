//! The reported cases of the area, by their ids, with the values that the design decides. cli-15 is in `agree`; cli-25 (a reader that
//! closes the pipe) belongs to the host that prints.

use cli_spec::{
    Command, ErrorEnvelope, InputError, InputProblem, Registry, Rendered, Workspace, bind, bind_json, bind_reporting,
    bind_strict, schema::InputSchema,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    support::now,
    tracker::{map, run},
};

#[derive(Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case")]
struct Case {
    #[serde(skip_serializing_if = "Option::is_none")]
    offset: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dry_run: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pin: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_depth: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tag: Option<Vec<String>>,
}

fn registry() -> Registry {
    let case = Command::action("t.case", "case")
        .summary("Echoes its input")
        .workspace(Workspace::Optional)
        .summary_json(|case: &Case| serde_json::to_value(case).unwrap())
        .handler(|case: Case, _| async move { Ok::<_, ErrorEnvelope>(case) })
        .build()
        .unwrap();
    Registry::builder("app").command(case).build().unwrap()
}

fn case(args: &[&str]) -> Rendered {
    let mut words = vec!["case", "--json"];
    words.extend(args);
    now(registry().run_args(words))
}

#[track_caller]
fn gives(args: &[&str], expected: Value) {
    let rendered = case(args);
    assert_eq!(rendered.exit_code, 0, "{args:?} {}", rendered.stdout);
    assert_eq!(serde_json::from_str::<Value>(&rendered.stdout).unwrap(), expected, "{args:?}");
}

#[track_caller]
fn fails(args: &[&str], expected: &str) {
    let rendered = case(args);
    assert_eq!((rendered.exit_code, rendered.stderr.as_str()), (2, ""), "{args:?} {}", rendered.stdout);
    let error = &serde_json::from_str::<Value>(&rendered.stdout).unwrap()["error"];
    assert_eq!(error["reasonCode"], "invalid_input");
    assert_eq!(error["message"], expected, "{args:?}");
}

const ALLOWED: &str = "allowed: --offset, --dry-run, --pin, --id, --max-depth, --tag";

#[test]
fn cli_01_negative_number_as_a_separate_word() {
    gives(&["--offset", "-5"], json!({ "offset": -5 }));
    gives(&["--offset=-5"], json!({ "offset": -5 }));
    fails(
        &["--offset", "--moldel", "x"],
        "invalid input \"offset\": --offset needs a value; one that starts with - is written --offset=-value",
    );
    // Other numbers and words of the kind.
    gives(&["--offset", "-0"], json!({ "offset": 0 }));
    fails(
        &["--offset", "-x"],
        "invalid input \"offset\": --offset needs a value; one that starts with - is written --offset=-value",
    );
    gives(&["--pin=-x"], json!({ "pin": "-x" }));
}

#[test]
fn cli_04_boolean_forms() {
    gives(&["--dry-run"], json!({ "dry-run": true }));
    gives(&["--dry-run=false"], json!({ "dry-run": false }));
    gives(&["--dry-run", "false"], json!({ "dry-run": false }));
    fails(&["--no-dry-run"], &format!("unknown flag \"--no-dry-run\", did you mean \"--dry-run=false\"? {ALLOWED}"));
    fails(&["--dry-run=maybe"], "invalid input \"dry-run\": must be true or false");
    fails(&["--dry-run", "maybe"], "unexpected word \"maybe\": the command takes no further words");
}

#[test]
fn cli_05_the_text_false_is_not_true() {
    let schema = InputSchema::of::<Case>().unwrap();
    for word in ["false", "FALSE", "False", "0", "no", "NO", "off"] {
        assert_eq!(bind::<Case>(&schema, map(json!({ "dry-run": word }))).unwrap().dry_run, Some(false), "{word}");
    }
    for word in ["", " ", "nope", "null", "none"] {
        assert!(bind::<Case>(&schema, map(json!({ "dry-run": word }))).is_err(), "{word}");
    }
}

#[test]
fn cli_07_string_fields_stay_strings() {
    for word in ["007", "1e5", "true", "null", "{\"a\":1}", "0x10", " 1 ", "1_000"] {
        gives(&["--pin", word], json!({ "pin": word }));
    }
}

#[test]
fn cli_08_strict_integers() {
    for (word, value) in [("5", 5), ("-0", 0), ("+5", 5), (" 5 ", 5)] {
        gives(&["--offset", word], json!({ "offset": value }));
    }
    for word in ["5.0", "1e3", "0x10", "1,000", "5abc", "1_000", "five"] {
        fails(&["--offset", word], "invalid input \"offset\": must be an integer");
    }
    fails(&["--offset="], "invalid input \"offset\": must be an integer");
}

#[test]
fn cli_09_integers_beyond_two_to_the_53() {
    let rendered = case(&["--id", "9007199254740993"]);
    assert_eq!(rendered.stdout, "{\n  \"id\": 9007199254740993\n}\n");
    gives(&["--id", "18446744073709551615"], json!({ "id": u64::MAX }));
    fails(&["--id", "18446744073709551616"], "invalid input \"id\": must be <= 18446744073709551615");
}

#[test]
fn cli_11_an_unknown_argument_is_named() {
    fails(&["--depth", "1"], &format!("unknown flag \"--depth\", did you mean \"--max-depth\"? {ALLOWED}"));
    let schema = InputSchema::of::<Case>().unwrap();
    let (_, warnings) = bind_reporting::<Case>(&schema, map(json!({ "depth": 1 }))).unwrap();
    assert_eq!(warnings[0].message, "unknown input \"depth\" was ignored; did you mean \"max-depth\"?");
    let error = bind_strict::<Case>(&schema, map(json!({ "depth": 1 }))).unwrap_err();
    assert!(error.to_string().starts_with("unknown input \"depth\", did you mean \"max-depth\"? allowed: offset"));
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Query {
    #[expect(dead_code, reason = "never bound")]
    query: String,
}

#[test]
fn cli_12_unknown_and_missing_at_once() {
    let schema = InputSchema::of::<Query>().unwrap();
    let error: InputError = cli_spec::argv::parse(&schema, ["--qurey", "x"]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "required input \"query\" is missing; unknown flag \"--qurey\", did you mean \"--query\"?"
    );
    let codes: Vec<&str> = error.all().iter().map(InputProblem::code).collect();
    assert_eq!(codes, ["missing_input", "unknown_input"]);
    let error = bind::<Query>(&schema, map(json!({ "qurey": "x" }))).unwrap_err();
    assert_eq!(
        error.to_string(),
        "required input \"query\" is missing; unknown input \"qurey\", did you mean \"query\"?"
    );
}

#[test]
fn cli_13_lists_come_from_repeated_flags_and_commas_are_data() {
    gives(&["--tag", "a,b", "--tag", "c"], json!({ "tag": ["a,b", "c"] }));
    gives(&["--tag", "a"], json!({ "tag": ["a"] }));
    gives(&[], json!({}));
    gives(&["--tag="], json!({ "tag": [] }));
}

#[test]
fn cli_14_null_for_an_optional_field() {
    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    struct Search {
        query: String,
        #[schemars(extend("default" = 10))]
        limit: Option<u32>,
    }
    let schema = InputSchema::of::<Search>().unwrap();
    let bound: Search = bind(&schema, map(json!({ "query": "x", "limit": null }))).unwrap();
    assert_eq!(bound, Search { query: "x".to_owned(), limit: Some(10) });
    let error = bind::<Search>(&schema, map(json!({ "query": null }))).unwrap_err();
    assert_eq!(error.to_string(), "required input \"query\" is missing");
}

#[test]
fn cli_17_snake_case_keys_are_unknown_with_a_hint() {
    let schema = InputSchema::of::<Case>().unwrap();
    for name in ["max_depth", "maxDepth", "MaxDepth", "MAX_DEPTH"] {
        let (bound, warnings) = bind_reporting::<Case>(&schema, map(json!({ name: 1 }))).unwrap();
        assert_eq!(bound.max_depth, None);
        assert!(warnings[0].message.ends_with("was ignored; did you mean \"max-depth\"?"), "{name}: {warnings:?}");
    }
}

#[test]
fn cli_20_failure_under_json_is_json() {
    let failing: [&[&str]; 9] = [
        &["nope", "--json"],
        &["--json"],
        &["issue", "--json"],
        &["issue", "get", "--json"],
        &["issue", "get", "zz", "--json"],
        &["issue", "list", "--bad", "--json"],
        &["issue", "list", "--topic-id", "t", "--page-size", "x", "--json"],
        &["issue", "get", "1", "--json=maybe"],
        &["nope", "--help", "--json"],
    ];
    for args in failing {
        let rendered = run(args);
        assert_ne!(rendered.exit_code, 0, "{args:?}");
        assert_eq!(rendered.stderr, "", "{args:?}");
        assert_eq!(rendered.stdout.lines().count(), 1, "{args:?}");
        let envelope: ErrorEnvelope = serde_json::from_str(&rendered.stdout).unwrap();
        assert!(!envelope.code().is_empty() && !envelope.error.message.is_empty());
        // The same failure without --json is one line on standard error, nothing on standard output.
        let plain: Vec<&str> = args.iter().copied().filter(|arg| !arg.starts_with("--json")).collect();
        if args != ["--json"] && args != ["issue", "get", "1", "--json=maybe"] {
            let rendered = run(&plain);
            assert_eq!((rendered.stdout.as_str(), rendered.stderr.lines().count()), ("", 1), "{plain:?}");
        }
    }
}

#[test]
fn cli_22_a_failure_never_ends_with_0_and_nothing_found_is_an_empty_list() {
    let failed = run(&["issue", "get", "zz", "--json"]);
    assert_eq!(failed.exit_code, 1);
    let empty = run(&["issue", "list", "--topic-id", "empty", "--json"]);
    assert_eq!(empty.exit_code, 0);
    assert_eq!(serde_json::from_str::<Value>(&empty.stdout).unwrap(), json!({ "items": [], "hasMore": false }));
}

#[test]
fn cli_23_unknown_commands_and_missing_arguments_have_the_usage_code() {
    let code = |args: &[&str]| {
        let rendered = run(args);
        let envelope: Option<ErrorEnvelope> = serde_json::from_str(&rendered.stdout).ok();
        (envelope.map(|envelope| envelope.error.reason_code), rendered.exit_code)
    };
    assert_eq!(code(&["foo", "--json"]), (Some("command_not_found".to_owned()), 2));
    assert_eq!(code(&["issue", "get", "--json"]), (Some("invalid_input".to_owned()), 2));
    assert_eq!(code(&["issue", "get", "missing-id", "--json"]), (Some("issue_not_found".to_owned()), 1));
    assert_eq!(code(&["issue", "get", "invalid", "--json"]), (Some("unsupported_issue_id".to_owned()), 2));
    assert_eq!(run(&["--help"]).exit_code, 0);
    assert_eq!(run(&["issue", "get", "--help"]).exit_code, 0);
    assert_eq!(run(&[]).exit_code, 2);
}

#[test]
fn cli_26_a_value_that_starts_with_an_at_sign_is_literal() {
    for word in ["@ann please look", "@notes.md", "@", "@@", "@/etc/passwd"] {
        gives(&["--pin", word], json!({ "pin": word }));
    }
}

#[test]
fn cli_28_object_inputs_do_not_exist_and_json_text_is_text() {
    #[derive(Debug, Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "the type is refused")]
    struct Filter {
        filter: std::collections::BTreeMap<String, u32>,
        note: String,
    }
    let error = InputSchema::of::<Filter>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "input \"filter\": a map is not supported; declare a string, boolean, integer, number, unit-only enum or list of strings"
    );
    gives(&["--pin", "{\"a\":1}"], json!({ "pin": "{\"a\":1}" }));
}

#[test]
fn cli_29_numbers_as_strings_in_json_input() {
    let schema = InputSchema::of::<Case>().unwrap();
    for name in ["offset", "id", "max-depth"] {
        assert!(bind::<Case>(&schema, map(json!({ name: "5" }))).is_ok());
        let error = bind::<Case>(&schema, map(json!({ name: "5x" }))).unwrap_err();
        assert_eq!(error.to_string(), format!("invalid input \"{name}\": must be an integer"));
    }
    assert_eq!(bind_json::<Case>(&schema, br#"{"max-depth":"5"}"#).unwrap().max_depth, Some(5));
}
