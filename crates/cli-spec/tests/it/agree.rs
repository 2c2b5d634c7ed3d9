//! Schema and binder agree: for values that already have JSON types, and no null, blank required string or empty array element, the
//! schema (as the `jsonschema` crate reads it) accepts exactly what binds.

use std::{cell::Cell, num::NonZeroU16};

use cli_spec::{
    bind,
    schema::{InputSchema, Property, PropertyType},
};
use proptest::{collection::vec, option, prelude::*, sample::select};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
struct Everything {
    text: String,
    maybe_text: Option<String>,
    flag: bool,
    maybe_flag: Option<bool>,
    tiny: u8,
    small: Option<i8>,
    word: Option<u32>,
    signed: Option<i64>,
    unsigned: Option<u64>,
    huge: Option<u128>,
    #[schemars(range(min = -3, max = 7))]
    ranged: Option<i16>,
    positive: Option<NonZeroU16>,
    ratio: f64,
    single: Option<f32>,
    #[schemars(range(min = 0.5, max = 1.5))]
    part: Option<f64>,
    level: Option<Level>,
    tags: Vec<String>,
    #[serde(default)]
    labels: Vec<String>,
    #[serde(default = "three")]
    count: u32,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Level {
    /// Documented.
    High,
    Low,
}

fn three() -> u32 {
    3
}

/// Integers around every edge, and whole floats.
fn integers() -> impl Strategy<Value = Value> {
    let edges: Vec<i128> = [
        0,
        7,
        255,
        1 << 15,
        1 << 16,
        1 << 31,
        1 << 32,
        1 << 53,
        i128::from(i64::MAX),
        i128::from(u64::MAX),
        i128::from(i64::MIN),
        -3,
        -128,
    ]
    .into_iter()
    .flat_map(|edge| [edge - 1, edge, edge + 1])
    .collect();
    prop_oneof![
        4 => select(edges).prop_filter_map("beyond what JSON numbers keep", |value| {
            u64::try_from(value).map(Value::from).or_else(|_| i64::try_from(value).map(Value::from)).ok()
        }),
        4 => (-10_i64..300).prop_map(Value::from),
        1 => (-1_000_i32..1_000).prop_map(|value| json!(f64::from(value))),
        1 => (-8_i32..8).prop_map(|value| json!(f64::from(value) / 4.0)),
    ]
}

fn numbers() -> impl Strategy<Value = Value> {
    prop_oneof![
        integers(),
        any::<f64>().prop_filter("finite", |value| value.is_finite()).prop_map(Value::from),
        any::<f32>().prop_filter("finite", |value| value.is_finite()).prop_map(|value| json!(f64::from(value))),
        (0.0..2.0_f64).prop_map(Value::from),
    ]
}

fn texts() -> impl Strategy<Value = Value> {
    // Trimming is for enums; a value that is not trimmed already does not have the declared form.
    prop_oneof![
        select(vec!["high", "low", "High", "x", "1", "true"]).prop_map(Value::from),
        "\\PC{1,8}".prop_map(|text| json!(text.trim()))
    ]
    .prop_filter("not blank", |text| text.as_str().is_some_and(|text| !text.is_empty()))
}

fn lists() -> impl Strategy<Value = Value> {
    vec(texts(), 1..4).prop_map(Value::Array)
}

/// A value for a property: mostly of its type, at times of another that is not text (text is converted).
fn values(kind: PropertyType) -> BoxedStrategy<Value> {
    let own = match kind {
        PropertyType::String => texts().boxed(),
        PropertyType::Boolean => any::<bool>().prop_map(Value::from).boxed(),
        PropertyType::Integer => integers().boxed(),
        PropertyType::StringArray => lists().boxed(),
        _ => numbers().boxed(),
    };
    let other = select(vec![json!(true), json!({}), json!([1]), json!(0.5), json!({ "a": 1 })]);
    prop_oneof![30 => own, 1 => other].boxed()
}

fn inputs(schema: &InputSchema) -> BoxedStrategy<Map<String, Value>> {
    let mut entries = Just(Map::new()).boxed();
    for property in schema.properties() {
        let name = property.name().to_owned();
        let value = option::weighted(if schema.is_required(&name) { 0.98 } else { 0.3 }, values(property.kind()));
        entries = (entries, value)
            .prop_map(move |(mut entries, value)| {
                if let Some(value) = value {
                    entries.insert(name.clone(), value);
                }
                entries
            })
            .boxed();
    }
    (entries, prop_oneof![9 => Just(false), 1 => Just(true)])
        .prop_map(|(mut entries, unknown)| {
            if unknown {
                entries.insert("unknown".to_owned(), json!({ "any": 1 }));
            }
            entries
        })
        .boxed()
}

/// Schemas of the kind that manifests and builders make.
fn schemas() -> impl Strategy<Value = InputSchema> {
    let kinds = vec![
        PropertyType::String,
        PropertyType::Boolean,
        PropertyType::Integer,
        PropertyType::Number,
        PropertyType::StringArray,
    ];
    let property = (select(kinds), option::of((-20_i64..20, 0_i64..40)), 0..3_u8, any::<bool>());
    vec(property, 0..6).prop_filter_map("contradictory", |declared| {
        let mut required = Vec::new();
        let properties: Vec<Property> = declared
            .into_iter()
            .enumerate()
            .map(|(position, (kind, bounds, extra, is_required))| {
                let name = format!("input-{position}");
                let mut property = Property::new(&name, kind);
                if let Some((low, size)) = bounds.filter(|_| kind.is_numeric()) {
                    property = property.with_minimum(low).with_maximum(low + size);
                }
                if extra == 1 && kind == PropertyType::String {
                    property = property.with_enum(["high", "low"]);
                }
                if extra == 1 && kind == PropertyType::Integer && bounds.is_none() {
                    property = property.with_enum([0, 7, 255]);
                }
                if is_required {
                    required.push(name);
                }
                property
            })
            .collect();
        InputSchema::new(properties, required).ok()
    })
}

fn validator(schema: &InputSchema) -> jsonschema::Validator {
    jsonschema::validator_for(&serde_json::to_value(schema).unwrap()).unwrap()
}

#[test]
fn structs_bind_exactly_what_their_schema_accepts() {
    let schema = InputSchema::of::<Everything>().unwrap();
    let validator = validator(&schema);
    let accepted = Cell::new(0);
    let refused = Cell::new(0);
    let config = ProptestConfig::with_cases(20_000);
    proptest::test_runner::TestRunner::new(config)
        .run(&inputs(&schema), |input| {
            let valid = validator.is_valid(&Value::Object(input.clone()));
            let bound = bind::<Everything>(&schema, input.clone());
            prop_assert_eq!(valid, bound.is_ok(), "{:?}: {:?}", input, bound.err().map(|error| error.to_string()));
            if valid {
                accepted.set(accepted.get() + 1);
                let back = serde_json::to_value(bound.unwrap()).unwrap();
                for (name, value) in input.iter().filter(|(name, _)| *name != "unknown" && *name != "single") {
                    let same = match (value, &back[name]) {
                        (Value::Number(given), Value::Number(kept)) if given.is_f64() || kept.is_f64() => {
                            given.as_f64() == kept.as_f64()
                        }
                        (given, kept) => given == kept,
                    };
                    prop_assert!(same, "{} {} {}", name, value, back[name]);
                }
            } else {
                refused.set(refused.get() + 1);
            }
            Ok(())
        })
        .unwrap();
    assert!(accepted.get() > 1_000 && refused.get() > 1_000, "{accepted:?} accepted, {refused:?} refused");
}

#[test]
fn generated_schemas_bind_exactly_what_they_accept() {
    let cases = schemas().prop_flat_map(|schema| (vec(inputs(&schema), 1..4), Just(schema)));
    proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(4_000))
        .run(&cases, |(inputs, schema)| {
            let validator = validator(&schema);
            for input in inputs {
                let valid = validator.is_valid(&Value::Object(input.clone()));
                let bound = bind::<Map<String, Value>>(&schema, input.clone());
                prop_assert_eq!(valid, bound.is_ok(), "{:?} {:?} {:?}", schema, input, bound);
            }
            Ok(())
        })
        .unwrap();
}

/// The same three fields as cli-15, with absent, null and a value each.
#[test]
fn cli_15_schema_for_optional_and_default_fields_agrees_with_the_binder() {
    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    struct Fields {
        a: String,
        b: Option<u32>,
        #[serde(default = "three")]
        c: u32,
    }
    let schema = InputSchema::of::<Fields>().unwrap();
    assert_eq!(schema.required().collect::<Vec<_>>(), ["a"]);
    assert_eq!(serde_json::to_value(&schema).unwrap()["properties"]["c"]["default"], json!(3));
    assert_eq!(serde_json::to_value(&schema).unwrap()["properties"]["b"].get("default"), None);
    let validator = validator(&schema);
    let choices = [None, Some(json!(null)), Some(json!(5))];
    for b in &choices {
        for c in &choices {
            for a in [None, Some(json!("x"))] {
                let mut input = Map::new();
                for (name, value) in [("a", &a), ("b", b), ("c", c)] {
                    if let Some(value) = value {
                        input.insert(name.to_owned(), value.clone());
                    }
                }
                let bound = bind::<Fields>(&schema, input.clone());
                assert_eq!(bound.is_ok(), a.is_some(), "{input:?}");
                if !input.values().any(Value::is_null) {
                    assert_eq!(validator.is_valid(&Value::Object(input)), bound.is_ok());
                }
                if let Ok(bound) = bound {
                    let given = |value: &Option<Value>| value.as_ref().filter(|value| !value.is_null()).map(|_| 5);
                    assert_eq!((bound.b, bound.c), (given(b), given(c).unwrap_or(3)));
                }
            }
        }
    }
}
