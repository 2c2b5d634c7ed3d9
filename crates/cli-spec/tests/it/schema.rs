//! The schema of an input type: what it keeps, in which order, and what it refuses.

use std::{
    collections::{BTreeMap, BTreeSet},
    num::{NonZeroI8, NonZeroU16},
};

use cli_spec::{
    NoInput, bind,
    schema::{InputSchema, Property, PropertyType, SchemaError, SchemaProblem},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

use crate::tracker::{IssueList, map};

fn of<T: JsonSchema + DeserializeOwned>() -> InputSchema {
    InputSchema::of::<T>().unwrap()
}

/// The problems of a type that is refused, as (input, code).
#[track_caller]
fn problems<T: JsonSchema + DeserializeOwned>() -> Vec<(String, &'static str)> {
    let error: SchemaError = InputSchema::of::<T>().expect_err("the type is refused");
    error.all().iter().map(|problem: &SchemaProblem| (problem.input().to_owned(), problem.code())).collect()
}

fn names(schema: &InputSchema) -> Vec<&str> {
    schema.properties().iter().map(Property::name).collect()
}

#[test]
fn the_schema_of_the_design() {
    let written = serde_json::to_string(&of::<IssueList>().advertised()).unwrap();
    let expected = concat!(
        r#"{"type":"object","properties":{"topic-id":{"type":"string","description":"Topic id."},"#,
        r#""status":{"type":"string","enum":["open","closed"]},"#,
        r#""page-size":{"type":"integer","minimum":1,"maximum":100},"#,
        r#""label":{"type":"array","items":{"type":"string"},"default":[]}},"required":["topic-id"]}"#
    );
    assert_eq!(written, expected);
    let full = of::<IssueList>();
    assert_eq!(full.property("topic-id").unwrap().hint(), Some("Use `issue topic list --json` to discover topics."));
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[expect(dead_code, reason = "only the schema is looked at")]
struct Ordered {
    zeta: String,
    #[serde(alias = "old-alpha")]
    alpha: Option<String>,
    #[serde(rename = "renamed")]
    middle: bool,
    beta: Option<Plain>,
    gamma: Option<Mixed>,
    delta: Option<Documented>,
    only: Option<Single>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Plain {
    Zulu,
    AlphaTwo,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Mixed {
    /// Documented.
    Third,
    First,
    /// Documented too.
    Second,
    Last,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Documented {
    /// One.
    Two,
    /// Two.
    One,
}

#[derive(Deserialize, JsonSchema)]
enum Single {
    /// The only one.
    #[serde(rename = "one")]
    One,
}

#[test]
fn declaration_order_is_kept_for_fields_and_variants() {
    let schema = of::<Ordered>();
    assert_eq!(names(&schema), ["zeta", "alpha", "renamed", "beta", "gamma", "delta", "only"]);
    let values = |name: &str| schema.property(name).unwrap().one_of().to_vec();
    assert_eq!(values("beta"), ["zulu", "alpha-two"]);
    assert_eq!(values("gamma"), ["third", "first", "second", "last"]);
    assert_eq!(values("delta"), ["two", "one"]);
    assert_eq!(values("only"), ["one"]);
    assert_eq!(schema.required().collect::<Vec<_>>(), ["zeta", "renamed"]);
    // Read back from the wire the order is the document's.
    let read: InputSchema = serde_json::from_str(&serde_json::to_string(&schema.advertised()).unwrap()).unwrap();
    assert_eq!(read, schema.advertised());
}

#[test]
fn aliases_bind_and_are_not_listed() {
    let schema = of::<Ordered>();
    assert_eq!(schema.property("old-alpha").unwrap().name(), "alpha");
    assert!(!serde_json::to_string(&schema).unwrap().contains("old-alpha"));
    let bound: Ordered = bind(&schema, map(json!({ "zeta": "z", "old-alpha": "a", "renamed": true }))).unwrap();
    assert_eq!(bound.alpha.as_deref(), Some("a"));
    let error = bind::<Ordered>(&schema, map(json!({ "zeta": "z", "alpha": "x", "old-alpha": "a", "renamed": true })));
    assert_eq!(error.err().unwrap().to_string(), "invalid input \"alpha\": given under two of its names");
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[expect(dead_code, reason = "only the schema is looked at")]
struct Widths {
    a: u8,
    b: i8,
    c: u16,
    d: i16,
    e: u32,
    f: i32,
    g: u64,
    h: i64,
    i: u128,
    j: i128,
    k: NonZeroU16,
    #[schemars(range(min = -5, max = 300))]
    l: u8,
    #[schemars(range(min = 10))]
    m: i64,
    n: f64,
    o: f32,
    p: usize,
    q: isize,
}

#[test]
fn integer_widths_become_bounds() {
    let schema = of::<Widths>();
    let table = [
        ("a", "0", "255"),
        ("b", "-128", "127"),
        ("c", "0", "65535"),
        ("d", "-32768", "32767"),
        ("e", "0", "4294967295"),
        ("f", "-2147483648", "2147483647"),
        ("g", "0", "18446744073709551615"),
        ("h", "-9223372036854775808", "9223372036854775807"),
        ("i", "0", "18446744073709551615"),
        ("j", "-9223372036854775808", "18446744073709551615"),
        ("k", "1", "65535"),
        ("l", "0", "255"),
        ("m", "10", "9223372036854775807"),
        ("o", "-3.4028234663852886e+38", "3.4028234663852886e+38"),
    ];
    for (name, minimum, maximum) in table {
        let property = schema.property(name).unwrap();
        let number = |text: &str| text.parse::<serde_json::Number>().unwrap();
        assert_eq!(property.minimum(), Some(&number(minimum)), "{name}");
        assert_eq!(property.maximum(), Some(&number(maximum)), "{name}");
    }
    assert_eq!(schema.property("n").unwrap().minimum(), None);
    assert!(schema.property("p").unwrap().maximum().is_some());
    assert!(schema.property("q").unwrap().minimum().is_some());
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only the schema is looked at")]
struct Extensions {
    #[schemars(extend("x-hint" = "Look."))]
    a: String,
    #[schemars(extend("x-hidden" = true))]
    b: Option<String>,
    #[schemars(extend("x-advertise-required" = true))]
    c: Option<String>,
    #[serde(default = "three")]
    d: u32,
    #[schemars(extend("default" = 10))]
    e: Option<u32>,
    set: Option<BTreeSet<String>>,
}

fn three() -> u32 {
    3
}

#[test]
fn extensions_shape_what_is_listed() {
    let schema = of::<Extensions>();
    let shown = schema.advertised();
    assert_eq!(names(&shown), ["a", "c", "d", "e", "set"]);
    assert_eq!(shown.required().collect::<Vec<_>>(), ["a", "c"]);
    assert_eq!(schema.required().collect::<Vec<_>>(), ["a"]);
    assert!(!serde_json::to_string(&shown).unwrap().contains("x-"));
    assert_eq!(schema.property("d").unwrap().default(), Some(&json!(3)));
    // Hidden inputs bind all the same.
    let bound: Extensions = bind(&schema, map(json!({ "a": "x", "b": "hidden" }))).unwrap();
    assert_eq!((bound.b.as_deref(), bound.c, bound.d, bound.e), (Some("hidden"), None, 3, Some(10)));
}

#[derive(Deserialize, JsonSchema)]
struct Nested {
    #[expect(dead_code, reason = "only the schema is looked at")]
    inner: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum Untagged {
    #[expect(dead_code, reason = "only the schema is looked at")]
    Text(String),
    #[expect(dead_code, reason = "only the schema is looked at")]
    Number(u32),
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[expect(dead_code, reason = "only the schema is looked at")]
enum Data {
    Plain,
    With(String),
}

macro_rules! refused {
    ($($name:ident: $type:ty, $said:literal;)*) => {
        $(#[test]
        fn $name() {
            #[derive(Deserialize, JsonSchema)]
            #[expect(dead_code, reason = "only the schema is looked at")]
            struct Input {
                good: String,
                bad: $type,
            }
            let error = InputSchema::of::<Input>().expect_err("the type is refused");
            let found: Vec<_> = error.all().iter().map(|problem| (problem.input(), problem.code())).collect();
            assert_eq!(found, [("bad", "unsupported_type")]);
            assert!(error.to_string().starts_with(concat!("input \"bad\": ", $said, " is not supported; ")), "{error}");
            assert_eq!(error.all()[0].pointer(), "/properties/bad");
        })*
    };
}

refused! {
    a_nested_object_is_refused: Nested, "a nested object";
    an_optional_nested_object_is_refused: Option<Nested>, "a nested object";
    a_map_is_refused: BTreeMap<String, String>, "a map";
    an_optional_map_is_refused: Option<BTreeMap<String, u32>>, "a map";
    a_tuple_is_refused: (String, u32), "a tuple";
    a_fixed_array_is_refused: [String; 3], "`maxItems`";
    an_untagged_union_is_refused: Untagged, "a union";
    an_optional_untagged_union_is_refused: Option<Untagged>, "a union";
    an_enum_with_data_is_refused: Data, "an enum with data";
    a_list_of_integers_is_refused: Vec<u32>, "a list of anything but plain strings";
    a_list_of_lists_is_refused: Vec<Vec<String>>, "a list of anything but plain strings";
    a_list_of_enums_is_refused: Vec<Plain>, "a list of anything but plain strings";
    any_json_value_is_refused: Value, "a field of any type";
    an_optional_value_is_refused: Option<Value>, "a field of any type";
    a_unit_is_refused: (), "a unit";
    a_result_is_refused: Result<String, u32>, "an enum with data";
    a_nonzero_signed_integer_is_refused: NonZeroI8, "`not`";
    an_address_is_refused: std::net::Ipv4Addr, "format `ipv4`";
    a_character_is_refused: char, "`maxLength`";
}

#[derive(Deserialize, JsonSchema)]
struct Recursive {
    #[expect(dead_code, reason = "only the schema is looked at")]
    again: Option<Box<Recursive>>,
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only the schema is looked at")]
struct Keywords {
    #[schemars(length(min = 1))]
    long: String,
    #[schemars(regex(pattern = "^a"))]
    shaped: String,
    #[schemars(extend("x-hints" = "typo"))]
    typo: String,
    #[schemars(extend("x-hint" = 5))]
    hint: String,
}

#[test]
fn keywords_outside_the_subset_are_refused_by_name() {
    assert_eq!(problems::<Recursive>(), [("again".to_owned(), "unsupported_type")]);
    assert_eq!(
        problems::<Keywords>(),
        [
            ("long".to_owned(), "unsupported_type"),
            ("shaped".to_owned(), "unsupported_type"),
            ("typo".to_owned(), "unsupported_type"),
            ("hint".to_owned(), "invalid_extension"),
        ]
    );
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only the schema is looked at")]
struct Named {
    topic_id: String,
    #[serde(rename = "pageSize")]
    page: Option<u32>,
    json: Option<bool>,
    #[serde(rename = "help")]
    other: Option<bool>,
    #[serde(rename = "-x")]
    dashed: Option<bool>,
    #[serde(alias = "old_name")]
    new: Option<bool>,
}

#[test]
fn names_are_kebab_case_and_not_the_hosts() {
    let error = InputSchema::of::<Named>().unwrap_err();
    let said: Vec<String> = error.all().iter().map(ToString::to_string).collect();
    assert_eq!(
        said,
        [
            r#"input "topic_id": the name is not lower-case kebab-case such as "page-size"; write "topic-id""#,
            r#"input "pageSize": the name is not lower-case kebab-case such as "page-size"; write "page-size""#,
            r#"input "json": the name is reserved for the host"#,
            r#"input "help": the name is reserved for the host"#,
            r#"input "-x": the name is not lower-case kebab-case such as "page-size"; write "x""#,
            r#"input "old_name": the name is not lower-case kebab-case such as "page-size"; write "old-name""#,
        ]
    );
}

#[allow(dead_code, unreachable_patterns, reason = "only the schema is looked at; serde repeats the arm of the name")]
mod twice {
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    pub(super) struct Twice {
        #[serde(rename = "same")]
        first: String,
        #[serde(rename = "same")]
        second: String,
    }
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only the schema is looked at")]
struct Bounds {
    #[schemars(range(min = 5, max = 4))]
    crossed: u8,
    #[serde(default = "three")]
    #[schemars(range(max = 2))]
    over: u32,
    #[schemars(extend("default" = "medium"))]
    level: Option<Plain>,
    #[schemars(extend("default" = "x"))]
    typed: Option<u8>,
    #[schemars(extend("default" = 1))]
    required: u8,
    #[schemars(extend("x-hidden" = true))]
    hidden: u8,
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only the schema is looked at")]
struct Flattened {
    plain: String,
    #[serde(flatten)]
    nested: Nested,
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only the schema is looked at")]
struct Differs {
    #[schemars(rename = "other")]
    field: String,
}

#[test]
fn contradictions_are_all_reported() {
    assert_eq!(problems::<twice::Twice>(), [("same".to_owned(), "duplicate_input")]);
    let found = problems::<Bounds>();
    for expected in [
        ("crossed", "minimum_above_maximum"),
        ("over", "default_out_of_range"),
        ("level", "default_not_in_enum"),
        ("typed", "default_type"),
        ("required", "required_with_default"),
        ("hidden", "required_hidden"),
    ] {
        assert!(found.contains(&(expected.0.to_owned(), expected.1)), "{expected:?} in {found:?}");
    }
    assert_eq!(found.len(), 6);
    assert_eq!(problems::<Flattened>()[0].1, "unsupported_type");
    assert_eq!(problems::<BTreeMap<String, String>>()[0].1, "unsupported_type");
    assert_eq!(problems::<Plain>()[0].1, "unsupported_type");
    assert_eq!(problems::<Differs>(), [("field".to_owned(), "not_in_schema"), ("other".to_owned(), "not_in_struct")]);
}

#[test]
fn commands_without_inputs() {
    assert!(of::<NoInput>().is_empty());
    assert!(of::<()>().is_empty());
    let (_, warnings) = cli_spec::bind_reporting::<NoInput>(&of::<NoInput>(), map(json!({ "extra": 1 }))).unwrap();
    assert_eq!(warnings[0].code, "unknown_input_ignored");
    let (unit, _) = cli_spec::bind_reporting::<()>(&of::<()>(), map(json!({ "extra": 1 }))).unwrap();
    assert_eq!(unit, ());
    assert_eq!(serde_json::to_value(InputSchema::empty()).unwrap(), json!({ "type": "object", "properties": {} }));
}

#[test]
fn a_hand_made_schema_is_valid_by_construction() {
    let bad = InputSchema::new(
        [
            Property::new("a", PropertyType::Integer).with_minimum(5).with_maximum(1),
            Property::new("a", PropertyType::String).with_minimum(1),
            Property::new("b", PropertyType::String).with_enum(["x", "y"]).with_default("z"),
            Property::new("c", PropertyType::Integer).with_enum([json!(1), json!("2")]),
            Property::new("d", PropertyType::Integer).with_enum([1, 9]).with_maximum(5),
            Property::new("e", PropertyType::Boolean).with_default("true"),
        ],
        ["b", "b", "nope"],
    )
    .unwrap_err();
    let found: Vec<_> = bad.all().iter().map(|problem| (problem.input(), problem.code())).collect();
    assert_eq!(
        found,
        [
            ("a", "minimum_above_maximum"),
            ("a", "duplicate_input"),
            ("a", "bounds_not_numeric"),
            ("b", "default_not_in_enum"),
            ("c", "enum_value_type"),
            ("d", "enum_value_out_of_range"),
            ("e", "default_type"),
            ("b", "required_twice"),
            ("nope", "required_undeclared"),
        ]
    );
}

#[test]
fn a_schema_from_the_wire_is_checked() {
    let read = |value: Value| serde_json::from_value::<InputSchema>(value);
    assert!(read(json!({ "type": "object", "properties": {}, "future": 1 })).is_ok());
    assert!(read(json!({ "properties": { "a": { "type": "string", "future": 1 } } })).is_ok());
    for bad in [
        json!({ "type": "array", "properties": {} }),
        json!({ "type": "object", "properties": { "a": { "type": "object" } } }),
        json!({ "type": "object", "properties": { "a": { "type": "array" } } }),
        json!({ "type": "object", "properties": { "a": { "type": "array", "items": { "type": "integer" } } } }),
        json!({ "type": "object", "properties": { "a": {} } }),
        json!({ "type": "object", "properties": { "a": { "type": "integer", "minimum": 2, "maximum": 1 } } }),
        json!({ "type": "object", "properties": {}, "required": ["a"] }),
    ] {
        assert!(read(bad.clone()).is_err(), "{bad}");
    }
    let twice = r#"{"type":"object","properties":{"a":{"type":"string"},"a":{"type":"string"}}}"#;
    assert!(serde_json::from_str::<InputSchema>(twice).unwrap_err().to_string().contains("declared twice"));
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case")]
struct Defaults {
    page_size: u32,
    query: String,
    tags: Vec<String>,
    plain: bool,
}

impl Default for Defaults {
    fn default() -> Self {
        Self { page_size: 20, query: "all".to_owned(), tags: vec!["new".to_owned()], plain: true }
    }
}

#[test]
fn container_defaults_are_shown_and_applied() {
    let schema = of::<Defaults>();
    assert_eq!(schema.required().count(), 0);
    assert_eq!(schema.property("page-size").unwrap().default(), Some(&json!(20)));
    let bound: Defaults = bind(&schema, map(json!({ "page-size": null, "plain": "no" }))).unwrap();
    assert_eq!(bound, Defaults { plain: false, ..Defaults::default() });
}
