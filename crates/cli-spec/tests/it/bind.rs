//! The rules and wordings of binding.

use cli_spec::{InputError, InputProblem, bind, bind_json, bind_reporting, bind_strict, limits, schema::InputSchema};
use schemars::JsonSchema;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};

use crate::tracker::{IssueList, map};

#[derive(Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
struct Every {
    text: Option<String>,
    flag: Option<bool>,
    byte: Option<u8>,
    small: Option<i8>,
    big: Option<u64>,
    long: Option<i64>,
    huge: Option<u128>,
    ratio: Option<f64>,
    single: Option<f32>,
    level: Option<Level>,
    tag: Option<Vec<String>>,
}

#[derive(Debug, PartialEq, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Level {
    High,
    Medium,
    Low,
}

fn bound<T: JsonSchema + DeserializeOwned>(input: Value) -> Result<T, InputError> {
    bind(&InputSchema::of::<T>().unwrap(), map(input))
}

#[track_caller]
fn accepts<V: PartialEq + std::fmt::Debug>(
    name: &str,
    table: impl IntoIterator<Item = (Value, V)>,
    field: fn(Every) -> Option<V>,
) {
    for (value, expected) in table {
        let found = bound::<Every>(json!({ name: value.clone() })).unwrap_or_else(|error| panic!("{value}: {error}"));
        assert_eq!(field(found), Some(expected), "{value}");
    }
}

#[track_caller]
fn refuses(name: &str, values: impl IntoIterator<Item = Value>, expected: &str) {
    for value in values {
        let error = bound::<Every>(json!({ name: value.clone() })).expect_err(&value.to_string());
        assert_eq!(error.to_string(), format!("invalid input \"{name}\": {expected}"), "{value}");
        assert_eq!(error.all()[0].code(), "invalid_value");
    }
}

#[test]
fn booleans() {
    let yes = ["1", "true", "yes", "on", "TRUE", "Yes", "oN", " true ", "\tyes\n"].map(|word| (json!(word), true));
    let no = ["0", "false", "no", "off", "FALSE", "No", "oFf", " 0 "].map(|word| (json!(word), false));
    accepts("flag", yes.into_iter().chain(no).chain([(json!(true), true), (json!(false), false)]), |every| every.flag);
    let bad = [
        json!(""),
        json!(" "),
        json!("maybe"),
        json!("y"),
        json!("t"),
        json!("2"),
        json!(1),
        json!(0),
        json!([]),
        json!({}),
    ];
    refuses("flag", bad, "must be true or false");
}

#[test]
fn integers() {
    accepts(
        "byte",
        [
            (json!("5"), 5),
            (json!("+5"), 5),
            (json!(" 5 "), 5),
            (json!("-0"), 0),
            (json!("007"), 7),
            (json!(255), 255),
            (json!(3.0), 3),
            (json!("0000000000000000000000000000000000000000000000000000007"), 7),
        ],
        |every| every.byte,
    );
    accepts("small", [(json!("-128"), -128), (json!(-1.0), -1)], |every| every.small);
    let forms = ["0x10", "1e3", "3.0", "1_000", "1,000", "5abc", "", " ", "+", "-", "--5", "+-5", "٣", "5 5", "NaN"];
    refuses("byte", forms.map(Value::from), "must be an integer");
    refuses("byte", [json!(3.5), json!(true), json!([5]), json!({})], "must be an integer");
    refuses("byte", [json!(300), json!("300"), json!(256.0), json!(1e300), json!("9".repeat(60))], "must be <= 255");
    refuses("byte", [json!(-1), json!("-1"), json!(-1e300), json!(format!("-{}", "9".repeat(60)))], "must be >= 0");
    refuses("small", [json!(-129), json!("-129")], "must be >= -128");
}

#[test]
fn integers_beyond_two_to_the_53_keep_their_value() {
    accepts(
        "big",
        [
            (json!("9007199254740993"), 9_007_199_254_740_993),
            (json!(9_007_199_254_740_993_u64), 9_007_199_254_740_993),
            (json!("18446744073709551615"), u64::MAX),
            (json!(u64::MAX), u64::MAX),
        ],
        |every| every.big,
    );
    accepts("long", [(json!("-9223372036854775808"), i64::MIN), (json!(i64::MAX), i64::MAX)], |every| every.long);
    accepts("huge", [(json!("18446744073709551615"), u128::from(u64::MAX))], |every| every.huge);
    refuses("big", [json!("18446744073709551616")], "must be <= 18446744073709551615");
    refuses("long", [json!("9223372036854775808"), json!(u64::MAX)], "must be <= 9223372036854775807");
    let from_text: Every = bind_json(&InputSchema::of::<Every>().unwrap(), br#"{"big":9007199254740993}"#).unwrap();
    assert_eq!(from_text.big, Some(9_007_199_254_740_993));
    let beyond = bind_json::<Every>(&InputSchema::of::<Every>().unwrap(), br#"{"big":18446744073709551616}"#);
    assert_eq!(beyond.unwrap_err().to_string(), "invalid input \"big\": must be <= 18446744073709551615");
}

#[test]
fn numbers() {
    accepts(
        "ratio",
        [
            (json!("1.5"), 1.5),
            (json!(" -2 "), -2.0),
            (json!("1e3"), 1000.0),
            (json!("+0.25"), 0.25),
            (json!(7), 7.0),
            (json!("9007199254740992"), 9_007_199_254_740_992.0),
        ],
        |every| every.ratio,
    );
    let bad =
        ["inf", "-inf", "nan", "NaN", "infinity", "1e400", "-1e400", "0x1", "1_0", "", " ", "1,5", "five", "e", "."];
    refuses("ratio", bad.map(Value::from), "must be a finite number");
    refuses("ratio", [json!(true), json!([1.5])], "must be a finite number");
    refuses("single", [json!(1e39), json!("1e39")], "must be <= 3.4028234663852886e+38");
}

#[test]
fn enums() {
    accepts("level", [(json!("high"), Level::High), (json!(" low "), Level::Low)], |every| every.level);
    let bad = [json!("High"), json!("urgent"), json!(""), json!(" "), json!(1), json!(["high"])];
    refuses("level", bad, "must be one of high, medium, low");
}

#[test]
fn strings_arrive_as_written() {
    let table = ["", " ", " x ", "007", "1e5", "true", "null", "{\"a\":1}", "@notes.md", "@", "a,b", "\u{202e}"];
    accepts("text", table.map(|text| (json!(text), text.to_owned())), |every| every.text);
    refuses("text", [json!(7), json!(true), json!(["x"]), json!({})], "must be a string");
}

#[test]
fn lists() {
    let list = |items: &[&str]| items.iter().map(ToString::to_string).collect::<Vec<_>>();
    accepts(
        "tag",
        [
            (json!("a"), list(&["a"])),
            (json!("a,b"), list(&["a,b"])),
            (json!(["a", "", "b"]), list(&["a", "b"])),
            (json!(""), list(&[])),
            (json!([]), list(&[])),
            (json!([" "]), list(&[" "])),
        ],
        |every| every.tag,
    );
    refuses(
        "tag",
        [json!(["a", 1]), json!([null]), json!(5), json!(true), json!({})],
        "must be a string or an array of strings",
    );
}

#[test]
fn null_is_absent() {
    let nothing = json!({ "text": null, "flag": null, "byte": null, "ratio": null, "level": null, "tag": null });
    assert_eq!(bound::<Every>(nothing).unwrap(), Every::default());
}

#[test]
fn required_inputs_are_missing_when_absent_null_or_empty() {
    #[derive(Debug, Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only the errors are looked at")]
    struct Required {
        text: String,
        count: u8,
        tag: Vec<String>,
        level: Level,
    }
    let good = json!({ "text": "x", "count": 1, "tag": ["a"], "level": "low" });
    assert!(bound::<Required>(good.clone()).is_ok());
    for name in ["text", "count", "tag", "level"] {
        for empty in [None, Some(json!(null)), Some(json!("")), Some(json!([]))] {
            if name != "tag" && empty == Some(json!([])) {
                continue;
            }
            let mut input = map(good.clone());
            match empty {
                None => drop(input.remove(name)),
                Some(value) => drop(input.insert(name.to_owned(), value)),
            }
            let error = bind::<Required>(&InputSchema::of::<Required>().unwrap(), input).unwrap_err();
            assert_eq!(error.to_string(), format!("required input \"{name}\" is missing"));
        }
    }
    let blank = bound::<Required>(json!({ "text": " ", "count": " ", "tag": [""], "level": " " })).unwrap_err();
    let said: Vec<String> = blank.all().iter().map(ToString::to_string).collect();
    assert_eq!(
        said,
        [
            "invalid input \"count\": must be an integer",
            "required input \"tag\" is missing",
            "invalid input \"level\": must be one of high, medium, low",
        ]
    );
}

#[test]
fn wordings_of_the_contract() {
    let said = |input: Value| bound::<IssueList>(input).unwrap_err();
    assert_eq!(
        said(json!({})).to_string(),
        "required input \"topic-id\" is missing. Use `issue topic list --json` to discover topics."
    );
    assert_eq!(said(json!({})).hint(), Some("Use `issue topic list --json` to discover topics."));
    assert_eq!(
        said(json!({ "topic-id": "t", "page-size": 101 })).to_string(),
        "invalid input \"page-size\": must be <= 100"
    );
    assert_eq!(
        said(json!({ "topic-id": "t", "page-size": "0" })).to_string(),
        "invalid input \"page-size\": must be >= 1"
    );
    assert_eq!(
        said(json!({ "topic-id": "t", "status": "x" })).to_string(),
        "invalid input \"status\": must be one of open, closed"
    );
}

#[test]
fn all_problems_are_reported_in_declaration_order() {
    let error = bound::<IssueList>(json!({ "label": 5, "page-size": "many", "status": 1 })).unwrap_err();
    let inputs: Vec<_> = error.all().iter().filter_map(InputProblem::input).collect();
    assert_eq!(inputs, ["topic-id", "status", "page-size", "label"]);
    assert!(error.to_string().starts_with("required input \"topic-id\" is missing"));
}

#[test]
fn unknown_inputs_are_ignored_with_a_warning_or_refused() {
    let schema = InputSchema::of::<IssueList>().unwrap();
    let input = || map(json!({ "topic-id": "t", "page_size": 5, "zzz": 1 }));
    let (bound, warnings) = bind_reporting::<IssueList>(&schema, input()).unwrap();
    assert_eq!(bound.page_size, None);
    let said: Vec<_> = warnings.iter().map(|warning| (warning.code.as_str(), warning.message.as_str())).collect();
    assert_eq!(
        said,
        [
            ("unknown_input_ignored", "unknown input \"page_size\" was ignored; did you mean \"page-size\"?"),
            ("unknown_input_ignored", "unknown input \"zzz\" was ignored"),
        ]
    );
    let error = bind_strict::<IssueList>(&schema, input()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "unknown input \"page_size\", did you mean \"page-size\"? allowed: topic-id, status, page-size, label"
    );
    assert_eq!(error.all().len(), 2);
}

#[test]
fn an_unknown_name_next_to_a_missing_one_is_named() {
    let error = bound::<IssueList>(json!({ "topicId": "t" })).unwrap_err();
    assert_eq!(
        error.to_string(),
        "required input \"topic-id\" is missing; unknown input \"topicId\", did you mean \"topic-id\"? \
         Use `issue topic list --json` to discover topics."
    );
    let codes: Vec<_> = error.all().iter().map(InputProblem::code).collect();
    assert_eq!(codes, ["missing_input", "unknown_input"]);
}

#[test]
fn many_unknown_names_are_counted() {
    let schema = InputSchema::of::<IssueList>().unwrap();
    let mut input = map(json!({ "topic-id": "t" }));
    for number in 0..1000 {
        input.insert(format!("x{number:04}"), json!(1));
    }
    let (_, warnings) = bind_reporting::<IssueList>(&schema, input).unwrap();
    assert_eq!(warnings.len(), limits::LISTED_NAMES + 1);
    assert_eq!(warnings.last().unwrap().message, "984 more unknown inputs were ignored");
}

#[test]
fn json_text_is_one_object_without_duplicate_keys() {
    let schema = InputSchema::of::<IssueList>().unwrap();
    let table: [(&[u8], &str, usize); 7] = [
        (br#"{"topic-id":"a","topic-id":"b"}"#, "duplicate key \"topic-id\"", 25),
        (br#"{"topic-id":"a","x":{"y":1,"y":2}}"#, "duplicate key \"y\"", 29),
        (b"[1]", "an input is an object", 0),
        (br#"{"topic-id":"a"} x"#, "trailing characters", 17),
        (b"{\"topic-id\":\"\xff\"}", "invalid unicode code point", 13),
        (b"", "EOF while parsing a value", 0),
        (b"{", "EOF while parsing an object", 0),
    ];
    for (text, message, offset) in table {
        let error = bind_json::<IssueList>(&schema, text).unwrap_err();
        assert_eq!(error.to_string(), format!("input is not valid JSON at byte {offset}: {message}"));
        assert_eq!(
            (error.code(), error.all()[0].code(), error.offset()),
            ("invalid_input", "malformed_json", Some(offset))
        );
    }
    let long = format!("{{\"topic-id\":\"{}\"}}", "x".repeat(limits::INPUT_BYTES));
    assert!(
        bind_json::<IssueList>(&schema, long.as_bytes()).unwrap_err().to_string().contains("longer than 4194304 bytes")
    );
    assert!(bind_json::<IssueList>(&schema, "[".repeat(1_000_000).as_bytes()).is_err());
    assert_eq!(bind_json::<IssueList>(&schema, br#" {"topic-id":"a"} "#).unwrap().topic_id, "a");
}

#[test]
fn what_serde_itself_refuses_names_the_input() {
    #[derive(Debug, Deserialize, JsonSchema)]
    struct Odd {
        #[expect(dead_code, reason = "never bound")]
        first: String,
        #[serde(deserialize_with = "even")]
        #[expect(dead_code, reason = "never bound")]
        number: u32,
    }
    fn even<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
        let number = u32::deserialize(deserializer)?;
        if number % 2 == 0 { Ok(number) } else { Err(serde::de::Error::custom("must be even")) }
    }
    let error = bound::<Odd>(json!({ "first": "x", "number": "3" })).unwrap_err();
    assert_eq!(error.to_string(), "invalid input \"number\": must be even");
}

#[test]
fn names_and_values_from_outside_stay_in_one_line() {
    let schema = InputSchema::of::<IssueList>().unwrap();
    let name = format!("a\n\u{1b}[2J{}", "b".repeat(1000));
    let error = bind_strict::<IssueList>(&schema, map(json!({ "topic-id": "t", name: 1 }))).unwrap_err().to_string();
    assert!(!error.contains(['\n', '\u{1b}']), "{error}");
    assert!(error.len() < 300, "{error}");
}
