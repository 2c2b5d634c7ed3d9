//! Function tools, held against the documented rules of strict mode by a checker of its own.

use cli_spec::export::openai;
use cli_spec::schema::{InputSchema, Property, PropertyType};
use cli_spec::{Capability, bind};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::export_mcp::json_output;
use crate::export_support::{app_commands, commands};

/// What the API's documentation says about a strict function tool: name, description, and for its schema the
/// supported keywords, closed objects, everything required, and the size limits.
#[track_caller]
fn check(function: &Value) {
    let name = function["name"].as_str().unwrap();
    assert!(
        (1..=64).contains(&name.len())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')),
        "{name}"
    );
    assert!(function["description"].as_str().unwrap().chars().count() <= 1024);
    assert_eq!(function["strict"], true);
    let mut totals = Totals::default();
    let root = &function["parameters"];
    assert_eq!(root["type"], "object", "the root is an object");
    assert!(root.get("anyOf").is_none(), "the root is no union");
    check_schema(root, 1, &mut totals);
    assert!(totals.properties <= 5_000 && totals.enum_values <= 1_000 && totals.chars <= 120_000, "{totals:?}");
}

#[derive(Debug, Default)]
struct Totals {
    properties: usize,
    enum_values: usize,
    chars: usize,
}

#[track_caller]
fn check_schema(schema: &Value, depth: usize, totals: &mut Totals) {
    assert!(depth <= 10);
    let schema = schema.as_object().unwrap();
    let kinds: Vec<&str> = match &schema["type"] {
        Value::String(kind) => vec![kind],
        Value::Array(kinds) => kinds.iter().map(|kind| kind.as_str().unwrap()).collect(),
        other => panic!("type {other}"),
    };
    let mut allowed = vec!["type", "description", "enum", "const", "anyOf", "$ref", "$defs"];
    for kind in &kinds {
        allowed.extend(match *kind {
            "string" => &["pattern", "format"][..],
            "number" | "integer" => &["multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
            "array" => &["items", "minItems", "maxItems"],
            "object" => &["properties", "required", "additionalProperties"],
            "boolean" | "null" => &[],
            other => panic!("type {other}"),
        });
    }
    for key in schema.keys() {
        assert!(allowed.contains(&key.as_str()), "keyword {key} for {kinds:?}");
    }
    if kinds.contains(&"object") {
        assert_eq!(schema["additionalProperties"], false);
        let properties = schema["properties"].as_object().unwrap();
        let mut required: Vec<&str> =
            schema["required"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
        required.sort_unstable();
        let mut names: Vec<&str> = properties.keys().map(String::as_str).collect();
        names.sort_unstable();
        assert_eq!(required, names, "every property is required, once");
        totals.properties += properties.len();
        totals.chars += names.iter().map(|name| name.chars().count()).sum::<usize>();
        for property in properties.values() {
            check_schema(property, depth + 1, totals);
        }
    }
    if kinds.contains(&"array") {
        check_schema(&schema["items"], depth + 1, totals);
    }
    if let Some(values) = schema.get("enum") {
        let values = values.as_array().unwrap();
        assert!(!values.is_empty());
        let chars: usize = values.iter().filter_map(Value::as_str).map(|text| text.chars().count()).sum();
        assert!(values.len() <= 250 || chars <= 15_000);
        totals.enum_values += values.len();
        totals.chars += chars;
        for value in values {
            let kind = match value {
                Value::Null => "null",
                Value::Bool(_) => "boolean",
                Value::Number(_) => "number",
                Value::String(_) => "string",
                _ => panic!("enum value {value}"),
            };
            assert!(
                kinds.contains(&kind) || (kind == "number" && kinds.contains(&"integer")),
                "{value} is none of {kinds:?}"
            );
        }
    }
}

#[test]
fn every_tool_keeps_the_rules_of_strict_mode() {
    let tools = openai::Tools::new(commands().iter().chain(&app_commands()));
    let flat = tools.responses();
    assert_eq!(flat.len(), 7);
    for (flat, nested) in flat.iter().zip(tools.chat_completions()) {
        assert_eq!(flat["type"], "function");
        check(flat);
        assert_eq!(nested["type"], "function");
        check(&nested["function"]);
        let mut rest = flat.as_object().unwrap().clone();
        rest.remove("type");
        assert_eq!(Value::Object(rest), nested["function"]);
    }
    assert_eq!(tools.names().collect::<Vec<_>>()[..2], ["issue_list", "issue_get"]);
    assert_eq!(tools.command_id("recipe-box_cook"), Some("app.app-1.recipe-box.cook"));
}

#[test]
fn optional_inputs_are_nullable_and_defaults_are_said() {
    let tools = openai::Tools::new(&commands());
    let list = &tools.responses()[0];
    assert_eq!(
        list["parameters"]["properties"],
        json!({
            "topic-id": { "type": "string", "description": "Topic id." },
            "page-size": { "type": ["integer", "null"], "minimum": 1, "maximum": 100 },
            "priority": { "type": ["string", "null"], "description": "How urgent.", "enum": ["high", "medium", "low", null] },
            "label": { "type": ["array", "null"], "items": { "type": "string" }, "description": "Default: []." },
            "dry-run": { "type": ["boolean", "null"] },
            "ratio": { "type": ["number", "null"] },
            "limit": { "type": ["integer", "null"], "description": "Default: 20.", "minimum": 0, "maximum": u64::MAX },
        })
    );
}

#[test]
fn a_call_becomes_the_request_that_it_stands_for() {
    let tools = openai::Tools::new(&commands());
    let all = r#"{"topic-id":"t1","page-size":null,"priority":"high","label":null,"dry-run":null,"ratio":null,"limit":9007199254740993}"#;
    let request = tools.request("issue_list", all).unwrap();
    assert_eq!(request.command_id, "tutti.issue.list");
    assert_eq!(
        Value::Object(request.input).to_string(),
        r#"{"limit":9007199254740993,"priority":"high","topic-id":"t1"}"#
    );
    for (name, arguments, code) in [
        ("issue_lost", "{}", "command_not_found"),
        ("serve", "{}", "command_not_found"),
        ("issue_list", "", "invalid_input"),
        ("issue_list", "[]", "invalid_input"),
        ("issue_list", r#"{"topic-id":"a","topic-id":"b"}"#, "invalid_input"),
        ("issue_list", "{} {}", "invalid_input"),
    ] {
        assert_eq!(tools.request(name, arguments).unwrap_err().code(), code, "{name} {arguments}");
    }
}

#[test]
fn what_strict_mode_can_not_hold_is_left_to_the_binder() {
    let words = |count: usize, chars: usize| (0..count).map(move |index| format!("{index:0chars$}"));
    let tool = |properties: Vec<Property>| {
        let mut capability = Capability::new("a", ["a"], "s", json_output()).clone();
        capability.description = Some("d".repeat(3_000));
        capability.input_schema = InputSchema::new(properties, [""; 0]).unwrap();
        openai::Tools::new([&capability]).responses()
    };
    let property = |name: &str| Property::new(name, PropertyType::String);
    for (properties, kept) in [
        (vec![property("a").with_enum(words(999, 10))], vec![true]),
        (vec![property("a").with_enum(words(1_000, 4))], vec![false]),
        (vec![property("a").with_enum(words(300, 60))], vec![false]),
        (vec![property("a").with_enum(words(249, 60))], vec![true]),
        (
            vec![
                property("a").with_enum(words(600, 4)),
                property("b").with_enum(words(600, 4)),
                property("c").with_enum(words(3, 4)),
            ],
            vec![true, false, true],
        ),
        (
            (0..10).map(|index| property(&format!("p{index}")).with_enum(words(200, 70))).collect(),
            (0..10).map(|index| index < 4).collect(),
        ),
    ] {
        let tools = tool(properties.clone());
        check(&tools[0]);
        let shown: Vec<bool> = properties
            .iter()
            .map(|property| tools[0]["parameters"]["properties"][property.name()].get("enum").is_some())
            .collect();
        assert_eq!(shown, kept);
    }
    let lists = Property::new("a", PropertyType::StringArray).with_enum([json!(["x"]), json!(["y"])]);
    check(&tool(vec![lists])[0]);
    let mut endless = Capability::new("endless", ["a"], "s", json_output());
    let many = (0..5_001).map(|index| property(&format!("p{index}")));
    endless.input_schema = InputSchema::new(many, [""; 0]).unwrap();
    let tools = openai::Tools::new([&endless]);
    assert!(tools.responses().is_empty());
    assert_eq!(tools.left_out(), ["endless"]);
    assert_eq!(
        tool(vec![])[0]["parameters"],
        json!({ "type": "object", "properties": {}, "required": [], "additionalProperties": false })
    );
}

/// A property with a value that it allows.
pub(crate) fn property() -> impl Strategy<Value = (Property, Value)> {
    let described = proptest::option::of("[ -~]{0,20}");
    let of_kind = prop_oneof![
        "[ -~]{0,8}".prop_map(|text| (PropertyType::String, vec![], json!(text))),
        any::<bool>().prop_map(|flag| (PropertyType::Boolean, vec![], json!(flag))),
        any::<i64>().prop_map(|number| (PropertyType::Integer, vec![], json!(number))),
        any::<u64>().prop_map(|number| (PropertyType::Integer, vec![], json!(number))),
        (-1e9..1e9).prop_map(|number: f64| (PropertyType::Number, vec![], json!(number))),
        proptest::collection::vec("[ -~]{1,5}", 0..4).prop_map(|items| (
            PropertyType::StringArray,
            vec![],
            json!(items)
        )),
        proptest::collection::vec("[a-z]{1,6}", 1..5).prop_map(|words| (
            PropertyType::String,
            words.iter().map(|word| json!(word)).collect(),
            json!(words[0])
        )),
    ];
    ("[a-z]{1,6}(-[a-z0-9]{1,3})?", described, of_kind).prop_map(|(name, description, (kind, one_of, value))| {
        let mut property = Property::new(name, kind).with_enum(one_of);
        if let Some(description) = description {
            property = property.with_description(description);
        }
        (property, value)
    })
}

/// A schema with values for some of its inputs.
pub(crate) fn schema() -> impl Strategy<Value = (InputSchema, Map<String, Value>)> {
    proptest::collection::vec((property(), any::<bool>(), any::<bool>()), 0..6).prop_map(|inputs| {
        let mut properties: Vec<Property> = Vec::new();
        let (mut required, mut values) = (Vec::new(), Map::new());
        for ((property, value), is_required, is_given) in inputs {
            if properties.iter().any(|known| known.name() == property.name())
                || matches!(property.name(), "json" | "help")
            {
                continue;
            }
            let blank = value == json!("") || value == json!([]);
            if is_required && !blank {
                required.push(property.name().to_owned());
            }
            if (is_required && !blank) || is_given {
                values.insert(property.name().to_owned(), value);
            }
            properties.push(property);
        }
        (InputSchema::new(properties, required).unwrap(), values)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// A model that fills every property, with null for those that it doesn't use, is bound to the same input.
    #[test]
    fn strict_arguments_bind_to_the_same_input((schema, values) in schema()) {
        let mut capability = Capability::new("a", ["a"], "s", json_output());
        capability.input_schema = schema.clone();
        let tools = openai::Tools::new([&capability]);
        let function = &tools.responses()[0];
        check(function);
        let mut arguments = values.clone();
        for property in schema.properties() {
            arguments.entry(property.name().to_owned()).or_insert(Value::Null);
        }
        let arguments = Value::Object(arguments);
        prop_assert!(jsonschema::is_valid(&function["parameters"], &arguments), "{arguments} {function}");
        let request = tools.request("a", &arguments.to_string()).unwrap();
        let strict: Map<String, Value> = bind(&schema, request.input).unwrap();
        let plain: Map<String, Value> = bind(&schema, values).unwrap();
        prop_assert_eq!(strict, plain);
    }
}
