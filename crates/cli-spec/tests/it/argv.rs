//! Terminal arguments.

use cli_spec::{
    InputError, InputProblem, argv, bind,
    schema::{InputSchema, Property, PropertyType},
};
use proptest::{collection::vec, option, prelude::*, sample::select};
use serde_json::{Map, Value, json};

use crate::tracker::map;

fn schema() -> InputSchema {
    InputSchema::new(
        [
            Property::new("query", PropertyType::String),
            Property::new("offset", PropertyType::Integer),
            Property::new("ratio", PropertyType::Number),
            Property::new("dry-run", PropertyType::Boolean),
            Property::new("tag", PropertyType::StringArray),
            Property::new("max-depth", PropertyType::Integer),
            Property::new("secret", PropertyType::String).with_hidden(true),
        ],
        [""; 0],
    )
    .unwrap()
}

fn parse(args: &[&str]) -> Result<Map<String, Value>, InputError> {
    argv::parse(&schema(), args.iter().copied())
}

#[test]
fn flags() {
    let table: [(&[&str], Value); 26] = [
        (&[], json!({})),
        (&["--query", "x"], json!({ "query": "x" })),
        (&["--query=x"], json!({ "query": "x" })),
        (&["--query=a=b=c"], json!({ "query": "a=b=c" })),
        (&["--query="], json!({ "query": "" })),
        (&["--query", ""], json!({ "query": "" })),
        (&["--query", "a b"], json!({ "query": "a b" })),
        (&["--query=--dry-run"], json!({ "query": "--dry-run" })),
        (&["--query", "@notes.md"], json!({ "query": "@notes.md" })),
        (&["--query", "@"], json!({ "query": "@" })),
        (&["--query", "-5"], json!({ "query": "-5" })),
        (&["--offset", "-5"], json!({ "offset": "-5" })),
        (&["--offset=-5"], json!({ "offset": "-5" })),
        (&["--ratio", "-.5"], json!({ "ratio": "-.5" })),
        (&["--ratio", "-1e3"], json!({ "ratio": "-1e3" })),
        (&["--dry-run"], json!({ "dry-run": true })),
        (&["--dry-run", "false"], json!({ "dry-run": "false" })),
        (&["--dry-run", "OFF"], json!({ "dry-run": "OFF" })),
        (&["--dry-run=no"], json!({ "dry-run": "no" })),
        (&["--dry-run="], json!({ "dry-run": "" })),
        (&["--dry-run", "--query", "x"], json!({ "dry-run": true, "query": "x" })),
        (&["--tag", "a,b", "--tag", "c"], json!({ "tag": ["a,b", "c"] })),
        (&["--tag=a"], json!({ "tag": ["a"] })),
        (&["--tag", "a", "--query", "x", "--tag", "b"], json!({ "tag": ["a", "b"], "query": "x" })),
        (&["--secret", "s"], json!({ "secret": "s" })),
        (&["--"], json!({})),
    ];
    for (args, expected) in table {
        assert_eq!(parse(args).map(Value::Object), Ok(expected), "{args:?}");
    }
}

#[test]
fn wrong_arguments() {
    let allowed = "--query, --offset, --ratio, --dry-run, --tag, --max-depth";
    let table: [(&[&str], String); 18] = [
        (&["--query"], "invalid input \"query\": --query needs a value".to_owned()),
        (
            &["--query", "--offset", "5"],
            "invalid input \"query\": --query needs a value; one that starts with - is written --query=-value"
                .to_owned(),
        ),
        (
            &["--query", "-x"],
            "invalid input \"query\": --query needs a value; one that starts with - is written --query=-value"
                .to_owned(),
        ),
        (
            &["--query", "-"],
            "invalid input \"query\": --query needs a value; one that starts with - is written --query=-value"
                .to_owned(),
        ),
        (&["--query", "--", "x"], "invalid input \"query\": --query needs a value".to_owned()),
        (&["--query", "x", "--query", "y"], "invalid input \"query\": given more than once".to_owned()),
        (&["--dry-run", "--dry-run"], "invalid input \"dry-run\": given more than once".to_owned()),
        (&["--depth", "1"], format!("unknown flag \"--depth\", did you mean \"--max-depth\"? allowed: {allowed}")),
        (&["--depth=1"], format!("unknown flag \"--depth\", did you mean \"--max-depth\"? allowed: {allowed}")),
        (&["--Query", "1"], format!("unknown flag \"--Query\", did you mean \"--query\"? allowed: {allowed}")),
        (
            &["--max_depth", "1"],
            format!("unknown flag \"--max_depth\", did you mean \"--max-depth\"? allowed: {allowed}"),
        ),
        (
            &["--no-dry-run"],
            format!("unknown flag \"--no-dry-run\", did you mean \"--dry-run=false\"? allowed: {allowed}"),
        ),
        (&["--secrets", "x"], format!("unknown flag \"--secrets\"; allowed: {allowed}")),
        (&["-q", "x"], format!("unknown flag \"-q\"; allowed: {allowed}")),
        (&["--=x"], format!("unknown flag \"--\"; allowed: {allowed}")),
        (&["x"], "unexpected word \"x\": the command takes no further words".to_owned()),
        (&["--dry-run", "maybe"], "unexpected word \"maybe\": the command takes no further words".to_owned()),
        (&["--", "--query"], "unexpected word \"--query\": the command takes no further words".to_owned()),
    ];
    for (args, expected) in table {
        let error = parse(args).expect_err(expected.as_str());
        assert_eq!(error.code(), "invalid_input");
        assert!(
            error.all().iter().any(|problem| problem.to_string() == expected),
            "{args:?}: {error:?}, not {expected}"
        );
    }
}

#[test]
fn every_problem_is_reported_in_declaration_order() {
    let error = parse(&["x", "--zebra", "--offset", "--query=a", "--query=b", "-z"]).unwrap_err();
    let said: Vec<_> = error.all().iter().map(|problem| (problem.code(), problem.input().unwrap_or(""))).collect();
    assert_eq!(
        said,
        [
            ("invalid_value", "query"),
            ("invalid_value", "offset"),
            ("surplus_word", ""),
            ("unknown_input", "--zebra"),
            ("unknown_input", "-z")
        ]
    );
}

#[test]
fn positionals() {
    let names = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<String>>();
    let cases: [(&[&str], &[&str], Result<Value, &str>); 11] = [
        (&["query"], &["x"], Ok(json!({ "query": "x" }))),
        (&["query"], &["--", "--x"], Ok(json!({ "query": "--x" }))),
        (&["query"], &["--dry-run", "--", "x"], Ok(json!({ "dry-run": true, "query": "x" }))),
        (&["query"], &["-"], Ok(json!({ "query": "-" }))),
        (&["offset"], &["-5"], Ok(json!({ "offset": "-5" }))),
        (&["query", "offset"], &["x", "5"], Ok(json!({ "query": "x", "offset": "5" }))),
        (
            &["query", "tag"],
            &["x", "a", "--dry-run", "b", "--", "-c"],
            Ok(json!({ "query": "x", "tag": ["a", "b", "-c"], "dry-run": true })),
        ),
        (&["query"], &["--query", "x"], Ok(json!({ "query": "x" }))),
        (&["query"], &["x", "y"], Err("unexpected word \"y\": the command takes no further words")),
        (&["query"], &["--query", "x", "y"], Err("invalid input \"query\": given more than once")),
        (&["query"], &[], Ok(json!({}))),
    ];
    let schema = schema();
    for (declared, args, expected) in cases {
        let declared = names(declared);
        let parsed = argv::Parser::new(&schema).positionals(&declared).parse(args.iter().copied());
        assert_eq!(
            parsed.map(Value::Object).map_err(|error| error.to_string()),
            expected.map_err(str::to_owned),
            "{args:?}"
        );
    }
}

#[test]
fn unknown_flags_can_be_kept_for_the_binder() {
    let schema = schema();
    let keep = |args: &[&str]| argv::Parser::new(&schema).allow_unknown().parse(args.iter().copied());
    assert_eq!(
        keep(&["--new=1", "--query", "x", "--other"]).unwrap(),
        map(json!({ "new": "1", "query": "x", "other": true }))
    );
    let error = keep(&["--new", "1"]).unwrap_err();
    assert_eq!(error.all()[0].code(), "surplus_word", "an unknown flag takes a value only in the = form");
    assert!(keep(&["--query"]).is_err());
}

#[test]
fn the_flags_of_the_host_come_out_first() {
    let table: [(&[&str], bool, bool, &[&str]); 12] = [
        (&[], false, false, &[]),
        (&["a", "--json", "--x", "1"], true, false, &["a", "--x", "1"]),
        (&["--json=true", "a"], true, false, &["a"]),
        (&["a", "--json=false"], false, false, &["a"]),
        (&["a", "--json=0"], false, false, &["a"]),
        (&["a", "--help"], false, true, &["a"]),
        (&["a", "-h", "--json"], true, true, &["a"]),
        (&["a", "--", "--json", "--help"], false, false, &["a", "--", "--json", "--help"]),
        (&["a", "--query", "--json"], true, false, &["a", "--query"]),
        (&["a", "--jsonx", "--json-path", "x"], false, false, &["a", "--jsonx", "--json-path", "x"]),
        (&["a", "--json", "false"], true, false, &["a", "false"]),
        (&["--help=no"], false, false, &[]),
    ];
    for (args, json, help, rest) in table {
        let flags = argv::host_flags(args.iter().copied());
        assert_eq!((flags.json, flags.help, flags.problem), (json, help, None), "{args:?}");
        assert_eq!(flags.rest, rest, "{args:?}");
    }
    let flags = argv::host_flags(["a", "--json=maybe"]);
    assert!(flags.json, "JSON was asked for, so the error is JSON");
    assert_eq!(flags.problem.unwrap().to_string(), "invalid input \"json\": must be true or false");
}

#[test]
fn many_wrong_arguments_are_bounded() {
    let args: Vec<String> = (0..20_000).map(|number| format!("--unknown-{number}")).collect();
    let error = argv::parse(&schema(), args).unwrap_err();
    assert!(error.all().len() <= cli_spec::limits::LISTED_NAMES);
    let repeated = vec!["--query=x"; 20_000];
    assert_eq!(argv::parse(&schema(), repeated).unwrap_err().all().len(), 1);
    assert_eq!(argv::parse(&schema(), vec!["--query"; 20_000]).unwrap_err().all().len(), 1);
}

/// A set of values, and the flags that a person would write for it.
fn written() -> impl Strategy<Value = (Map<String, Value>, Vec<String>)> {
    let words = prop_oneof![
        select(vec!["", "-5", "--dry-run", "-x", "--", "@a", "a=b", "true", "{\"a\":1}", "a,b", "日本", " x "])
            .prop_map(str::to_owned),
        any::<String>(),
    ];
    let scalar = (
        option::of(words.clone()),
        option::of(any::<i64>()),
        option::of(any::<f64>().prop_filter("finite", |value| value.is_finite())),
        option::of(any::<bool>()),
        vec(words.prop_filter("empty elements are dropped", |word| !word.is_empty()), 0..4),
        option::of(any::<u64>()),
    );
    (scalar, vec(any::<bool>(), 12), any::<u8>()).prop_map(
        |((query, offset, ratio, dry, tags, depth), forms, order)| {
            let mut values = Map::new();
            let mut pairs: Vec<(&str, String)> = Vec::new();
            if let Some(query) = query {
                values.insert("query".to_owned(), json!(query));
                pairs.push(("query", query));
            }
            if let Some(offset) = offset {
                values.insert("offset".to_owned(), json!(offset));
                pairs.push(("offset", offset.to_string()));
            }
            if let Some(ratio) = ratio {
                values.insert("ratio".to_owned(), json!(ratio));
                pairs.push(("ratio", format!("{ratio:?}")));
            }
            if let Some(dry) = dry {
                values.insert("dry-run".to_owned(), json!(dry));
                pairs.push(("dry-run", dry.to_string()));
            }
            if !tags.is_empty() {
                values.insert("tag".to_owned(), json!(tags));
                pairs.extend(tags.into_iter().map(|tag| ("tag", tag)));
            }
            if let Some(depth) = depth {
                values.insert("max-depth".to_owned(), json!(depth));
                pairs.push(("max-depth", depth.to_string()));
            }
            // Flags of different names in another order; repetitions keep theirs.
            let half = if pairs.is_empty() { 0 } else { usize::from(order) % pairs.len() };
            if !pairs.iter().any(|(name, _)| *name == "tag") {
                pairs.rotate_left(half);
            }
            let mut args = Vec::new();
            for ((name, value), apart) in pairs.into_iter().zip(forms.into_iter().cycle()) {
                let negative = value.strip_prefix('-').is_some_and(|digits| {
                    digits.parse::<f64>().is_ok() && digits.starts_with(|c: char| c.is_ascii_digit())
                });
                if apart && (!value.starts_with('-') || negative) {
                    args.extend([format!("--{name}"), value]);
                } else {
                    args.push(format!("--{name}={value}"));
                }
            }
            (values, args)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn any_value_set_printed_as_flags_parses_back((values, args) in written()) {
        let schema = schema();
        let parsed = argv::parse(&schema, args.clone());
        prop_assert!(parsed.is_ok(), "{:?}: {:?}", args, parsed);
        let bound: Map<String, Value> = bind(&schema, parsed.unwrap()).unwrap();
        for (name, value) in &values {
            let same = match (value, &bound[name]) {
                (Value::Number(given), Value::Number(kept)) if given.is_f64() => given.as_f64() == kept.as_f64(),
                (given, kept) => given == kept,
            };
            prop_assert!(same, "{}: {} became {}", name, value, bound[name]);
        }
        prop_assert_eq!(bound.len(), values.len());
    }

    #[test]
    fn no_arguments_panic_and_every_word_is_accounted_for(args in vec(prop_oneof![
        select(vec!["--query", "--offset", "--tag", "--dry-run", "--", "-", "-5", "--x=1", "true", "w", "--=", "-z", "--tag="]).prop_map(str::to_owned),
        any::<String>(),
    ], 0..12)) {
        let flags = argv::host_flags(args.clone());
        prop_assert!(flags.rest.len() <= args.len());
        match argv::parse(&schema(), flags.rest) {
            Ok(input) => prop_assert!(input.keys().all(|name| schema().property(name).is_some())),
            Err(error) => {
                prop_assert!(!error.all().is_empty());
                prop_assert!(!error.to_string().contains('\n'));
                let malformed = error.all().iter().filter(|problem| matches!(problem, InputProblem::Malformed { .. })).count();
                prop_assert_eq!(malformed, 0);
            }
        }
    }
}
