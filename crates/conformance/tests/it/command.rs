//! The command line: what it prints and how it ends.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use crate::{folder_with, good_case, scratch};

fn conformance(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_conformance")).args(args).stdin(Stdio::null()).output().unwrap()
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn all_cases_pass_and_the_table_is_printed() {
    let output = conformance(&[]);
    assert_eq!(output.status.code(), Some(0), "{}", out(&output));
    let table = out(&output);
    let head: Vec<&str> = table.lines().next().unwrap().split_whitespace().collect();
    assert_eq!(head, ["area", "passed", "failed", "unsupported"]);
    let total: Vec<&str> = table.lines().last().unwrap().split_whitespace().collect();
    assert_eq!((total[0], total[2], total[3]), ("total", "0", "0"));
    assert_eq!(err(&output), "", "no progress line where stderr is no terminal");
}

#[test]
fn a_failing_case_ends_with_1_and_a_diff() {
    let mut wrong = good_case("wrong");
    wrong["expect"]["tokens"][0]["name"] = json!("b");
    let folder = folder_with("cli-wrong", &json!([good_case("right"), wrong]));
    let output = conformance(&["--fixtures", text(&folder)]);
    assert_eq!(output.status.code(), Some(1));
    let printed = out(&output);
    assert!(
        printed
            .contains("FAILED token/hand/wrong (token.scan)\n  A token.\n  at /tokens/0/name\n  - \"b\"\n  + \"a\"\n")
    );

    let output = conformance(&["--fixtures", text(&folder), "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_str(&out(&output)).unwrap();
    assert_eq!(report["passed"], false);
    assert_eq!(report["total"], json!({ "area": "total", "passed": 1, "failed": 1, "unsupported": 0 }));
    let failure = &report["failures"][0];
    assert_eq!(
        (&failure["suite"], &failure["id"], &failure["why"]),
        (&json!("token/hand"), &json!("wrong"), &json!("A token."))
    );
    assert_eq!(failure["differences"], json!([{ "pointer": "/tokens/0/name", "expected": "b", "got": "a" }]));
}

#[test]
fn folders_area_and_case_choose() {
    let one = folder_with("cli-one", &json!([good_case("x"), good_case("y")]));
    let two = folder_with("cli-two", &json!([good_case("x")]));
    let total = |args: &[&str]| -> Value {
        let output = conformance(args);
        let report: Value = serde_json::from_str(&out(&output)).unwrap_or_default();
        report["total"]["passed"].clone()
    };
    let both = ["--json", "--fixtures", text(&one), "--fixtures", text(&two)];
    assert_eq!(total(&both), 3);
    assert_eq!(total(&[&both[..], &["--case", "x"]].concat()), 2);
    assert_eq!(total(&[&both[..], &["--case", "token/hand/y"]].concat()), 1);
    assert_eq!(total(&["--json", "--area", "token", "--case=closing-paren-in-id"]), 1);
}

#[test]
fn a_check_runs_nothing() {
    let output = conformance(&["check"]);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    assert!(out(&output).contains("are as their schemas say"));
    let mut wrong = good_case("wrong");
    wrong["expect"] = json!({ "tokens": [] });
    let folder = folder_with("cli-check", &json!([wrong]));
    let output = conformance(&["check", "--fixtures", text(&folder), "--json"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(serde_json::from_str::<Value>(&out(&output)).unwrap(), json!({ "files": 1, "cases": 1 }));
}

/// Everything that can be wrong with a file, with the pointer that is told.
#[test]
fn a_malformed_file_is_named_with_a_pointer() {
    let whole = |cases: Value| json!({ "suite": "token/hand", "about": "a", "version": 1, "cases": cases });
    let with = |name: &str, value: Value| {
        let mut case = good_case("one");
        case[name] = value;
        whole(json!([case]))
    };
    let without = |name: &str| {
        let mut case = good_case("one");
        case.as_object_mut().unwrap().remove(name);
        whole(json!([good_case("zero"), case]))
    };
    let mut version = whole(json!([good_case("one")]));
    version["version"] = json!(2);
    let mut name = whole(json!([good_case("one")]));
    name["suite"] = json!("token/other");
    let mut more = whole(json!([good_case("one")]));
    more["comment"] = json!("x");
    for (index, (file, pointer)) in [
        (json!([]), "the top"),
        (whole(json!({})), "/cases"),
        (whole(json!([])), "/cases"),
        (whole(json!([1])), "/cases/0"),
        (version, "/version"),
        (name, "/suite"),
        (more, "/comment"),
        (without("why"), "/cases/1"),
        (without("op"), "/cases/1"),
        (without("input"), "/cases/1"),
        (without("expect"), "/cases/1"),
        (with("why", json!("")), "/cases/0/why"),
        (with("id", json!("Not An Id")), "/cases/0/id"),
        (with("reported", json!([1])), "/cases/0/reported"),
        (with("op", json!("token.guess")), "/cases/0/op"),
        (with("extra", json!(1)), "/cases/0/extra"),
        (with("input", json!({ "txt": "x" })), "/cases/0/input"),
        (with("input", json!({ "text": 5 })), "/cases/0/input/text"),
        (with("input", json!({ "text": { "$text": [["x", -1]] } })), "/cases/0/input/text/$text/0"),
        (with("input", json!({ "text": { "$text": [["x", 1_000_000_000_000_u64]] } })), "/cases/0/input/text/$text/0"),
        (with("expect", json!({ "error": "Not A Code" })), "/cases/0/expect/error"),
        (with("expect", json!({ "tokens": [{ "name": "a" }] })), "/cases/0/expect/tokens/0"),
        (whole(json!([good_case("one"), good_case("one")])), "/cases/1/id"),
    ]
    .into_iter()
    .enumerate()
    {
        let folder = scratch(&format!("malformed-{index}"));
        std::fs::create_dir_all(folder.join("token")).unwrap();
        std::fs::write(folder.join("token/hand.json"), file.to_string()).unwrap();
        for command in [&["check"][..], &[]] {
            let output = conformance(&[command, &["--fixtures", text(&folder)]].concat());
            let told = err(&output);
            assert_eq!(output.status.code(), Some(2), "{file}: {told}");
            assert_eq!(told.lines().count(), 1, "{told}");
            assert!(
                told.contains("token/hand.json: ") && told.contains(&format!("(at {pointer})")),
                "{pointer}: {told}"
            );
        }
    }
}

#[test]
fn a_file_that_is_no_json_or_is_not_there() {
    let folder = scratch("no-json");
    std::fs::create_dir_all(folder.join("token")).unwrap();
    std::fs::write(folder.join("token/hand.json"), "{ \"suite\": ").unwrap();
    let output = conformance(&["--fixtures", text(&folder)]);
    assert_eq!(output.status.code(), Some(2));
    assert!(err(&output).contains("hand.json: not JSON: "), "{}", err(&output));

    let output = conformance(&["--fixtures", text(&folder), "--json"]);
    assert_eq!(output.status.code(), Some(2));
    let told: Value = serde_json::from_str(&out(&output)).unwrap();
    assert_eq!(told["error"]["reasonCode"], "fixture_malformed");

    assert_eq!(conformance(&["--fixtures", "/nowhere/at/all"]).status.code(), Some(2));
    let empty = scratch("empty");
    assert_eq!(conformance(&["--fixtures", text(&empty)]).status.code(), Some(2));
}

#[test]
fn a_bad_invocation_ends_with_2_and_says_why() {
    for (args, word) in [
        (&["--fixture", "x"][..], "did you mean \"--fixtures\"?"),
        (&["chek"], "unexpected word \"chek\""),
        (&["--area"], "--area needs a value"),
        (&["--area", "nope"], "no fixtures of the area \"nope\""),
        (&["--case", "nope"], "no case \"nope\""),
        (&["check", "--area", "token"], "unknown flag \"--area\""),
        (&["adapter", "--fixtures", "x"], "unknown flag \"--fixtures\""),
        (&["--area", "token", "--area", "uri"], "given more than once"),
        (&["--adapter", "/nowhere/at/all"], "can't be started"),
        (&["--adapter", ""], "is empty"),
    ] {
        let output = conformance(args);
        let told = err(&output);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {told}");
        assert!(told.starts_with("conformance: ") && told.lines().count() == 1, "{args:?}: {told}");
        assert!(told.contains(word), "{args:?}: {told}");
        assert_eq!(out(&output), "", "{args:?}");
    }
}

/// JSON was asked for, if not well: the failure is JSON, on stdout.
#[test]
fn a_bad_invocation_with_json_is_json() {
    for args in [&["--json", "--area", "nope"][..], &["--json=maybe"], &["--json", "--nope"]] {
        let output = conformance(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let told: Value = serde_json::from_str(&out(&output)).unwrap();
        assert_eq!(told["error"]["reasonCode"], "invalid_input", "{args:?}");
        assert_eq!(err(&output), "", "{args:?}");
    }
}

#[test]
fn help_is_printed() {
    let output = conformance(&["--help"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(out(&output).contains("usage: conformance"));
}

#[test]
fn the_adapter_answers_whatever_a_line_is() {
    use std::io::Write as _;
    let mut child = Command::new(env!("CARGO_BIN_EXE_conformance"))
        .arg("adapter")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = [
        r#"{"id":"1","op":"token.scan","input":{"text":"@a(id=\"1\")"}}"#,
        r#"{"id":"2","op":"uri.parse","input":{"uri":"mention://a/b?c=1&c=2"}}"#,
        r#"{"id":"3","op":"no.such","input":{}}"#,
        r#"{"id":"4","op":"token.scan","input":{}}"#,
        "not json",
        r#"{"id":"5"}"#,
    ];
    child.stdin.take().unwrap().write_all(lines.join("\n").as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let answers: Vec<Value> = out(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), 6);
    assert_eq!(answers[0]["ok"]["tokens"][0]["name"], "a");
    assert_eq!((&answers[1]["id"], &answers[1]["error"]), (&json!("2"), &json!("duplicate_scope_key")));
    assert_eq!(answers[2], json!({ "id": "3", "unsupported": true }));
    assert!(answers[3]["broken"].is_string() && answers[4]["broken"].is_string() && answers[5]["broken"].is_string());
}
