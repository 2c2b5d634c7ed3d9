//! MCP tools, read by the official SDK's own types.

use std::collections::BTreeSet;

use cli_spec::export::{NAME_CHARS, mcp};
use cli_spec::{
    Capability, CommandOutput, Continuation, ErrorEnvelope, OutputMode, OutputSpec, TableSpec, Warning,
    schema::InputSchema,
};
use proptest::prelude::*;
use rmcp::model::{CallToolResult, ListToolsResult};
use serde_json::{Map, Value, json};

use crate::export_support::{app_commands, commands};

pub(crate) fn json_output() -> OutputSpec {
    OutputSpec { default_mode: OutputMode::Json, json: true, table: None }
}

fn named(id: &str, path: &[&str]) -> Capability {
    Capability::new(id, path.iter().copied(), "s", json_output())
}

#[test]
fn the_list_is_read_and_written_unchanged_by_the_official_types() {
    let tools = mcp::Tools::new(commands().iter().chain(&app_commands()));
    let ours = json!({ "tools": tools.list() });
    let theirs: ListToolsResult = serde_json::from_value(ours.clone()).unwrap();
    assert_eq!(theirs.tools.len(), tools.list().len());
    let back = serde_json::to_value(&theirs).unwrap();
    assert_eq!(back["tools"], ours["tools"]);
    for tool in &theirs.tools {
        let schema = Value::Object((*tool.input_schema).clone());
        assert_eq!(schema["type"], "object");
        jsonschema::validator_for(&schema).unwrap();
    }
}

#[test]
fn the_ordinary_commands_are_there_and_no_others() {
    let tools = mcp::Tools::new(commands().iter().chain(&app_commands()));
    let listed: Vec<_> = tools
        .list()
        .iter()
        .map(|tool| (tool.name(), tool.read_only(), tools.command_id(tool.name()).unwrap()))
        .collect();
    assert_eq!(
        listed,
        [
            ("issue_list", Some(true), "tutti.issue.list"),
            ("issue_get", Some(true), "tutti.issue.get"),
            ("open", Some(false), "tutti.open"),
            ("issue", Some(false), "tutti.issue"),
            ("recipe-box_recipes_list", None, "app.app-1.recipe-box.recipes.list"),
            ("recipe-box_recipes_get", None, "app.app-1.recipe-box.recipes.get"),
            ("recipe-box_cook", None, "app.app-1.recipe-box.cook"),
        ],
        "without host-only, integration, deprecated and unavailable ones"
    );
    let list = tools.tool("tutti.issue.list").unwrap();
    assert_eq!(list.description(), "List issues\n\nLists issues of a topic, <b>newest</b> first.");
    let text = serde_json::to_string(list).unwrap();
    assert!(text.contains(r#""annotations":{"readOnlyHint":true}"#), "{text}");
    assert!(!text.contains("secret") && !text.contains("x-hint"), "{text}");
    let order = ["topic-id", "page-size", "priority", "label", "dry-run", "ratio", "limit"]
        .map(|name| text.find(&format!("\"{name}\":{{")).unwrap());
    assert!(order.is_sorted(), "declaration order: {text}");
}

#[test]
fn a_call_becomes_the_request_that_it_stands_for() {
    let tools = mcp::Tools::new(&commands());
    let arguments: Map<String, Value> = json!({ "topic-id": "t1" }).as_object().unwrap().clone();
    let request = tools.request("issue_list", arguments.clone()).unwrap();
    assert_eq!(
        (request.command_id.as_str(), &request.input, request.output_mode),
        ("tutti.issue.list", &arguments, Some(OutputMode::Json))
    );
    for hidden in ["serve", "sync", "old", "off", "issue list", "ISSUE_LIST", ""] {
        assert!(tools.request(hidden, Map::new()).is_none(), "{hidden}");
    }
}

#[test]
fn the_result_of_a_table_command_is_declared_where_it_is_all_there_is() {
    let mut table = named("t", &["t"]);
    let columns = TableSpec { columns: vec![("id", "ID").into(), ("title", "Title").into()] };
    table.output = OutputSpec { default_mode: OutputMode::Table, json: false, table: Some(columns.clone()) };
    let mut both = table.clone();
    both.output.json = true;
    let schema = |capability: &Capability| mcp::Tools::new([capability]).list()[0].output_schema().cloned();
    assert_eq!(schema(&both), None, "the JSON view is the command's own");
    let schema = schema(&table).unwrap();
    assert_eq!(schema["type"], "object");
    let row = json!({ "id": "1", "title": null }).as_object().unwrap().clone();
    let output = CommandOutput::table(columns.columns, [row]);
    let structured = mcp::result(&output)["structuredContent"].clone();
    assert!(jsonschema::is_valid(&schema, &structured), "{structured}");
    assert!(!jsonschema::is_valid(&schema, &json!({})));
    assert_eq!(mcp::Tools::new([&table]).request("t", Map::new()).unwrap().output_mode, None);
}

#[test]
fn results_are_read_by_the_official_types() {
    let object = CommandOutput::json(json!({ "a": 1 }));
    let pending = object.clone().with_continuation(Continuation::pending(1_000).unwrap());
    let row = json!({ "id": "1" }).as_object().unwrap().clone();
    for (output, structured, texts) in [
        (object.clone(), Some(json!({ "a": 1 })), vec![r#"{"a":1}"#]),
        (CommandOutput::json(json!([1])), Some(json!({ "value": [1] })), vec![r#"{"value":[1]}"#]),
        (CommandOutput::json(Value::Null), Some(json!({ "value": null })), vec![r#"{"value":null}"#]),
        (
            CommandOutput::table([("id", "ID")], [row]),
            Some(json!({ "rows": [{ "id": "1" }] })),
            vec![r#"{"rows":[{"id":"1"}]}"#],
        ),
        (CommandOutput::plain("hello"), None, vec!["hello"]),
        (CommandOutput::markdown("# x"), None, vec!["# x"]),
        (object.with_warning(Warning::new("c", "m")), Some(json!({ "a": 1 })), vec![r#"{"a":1}"#, "warning: c: m"]),
        (pending, Some(json!({ "a": 1 })), vec![r#"{"a":1}"#, "pending: ask again after 1000 ms"]),
    ] {
        let ours = mcp::result(&output);
        let theirs: CallToolResult = serde_json::from_value(ours.clone()).unwrap();
        assert_eq!((theirs.is_error, &theirs.structured_content), (Some(false), &structured));
        let read: Vec<_> =
            ours["content"].as_array().unwrap().iter().map(|item| item["text"].as_str().unwrap()).collect();
        assert_eq!((read, theirs.content.len()), (texts.clone(), texts.len()));
    }
    let envelope = ErrorEnvelope::new("invalid_input", "bad").with_hint("try again");
    let theirs: CallToolResult = serde_json::from_value(mcp::error(&envelope)).unwrap();
    assert_eq!(theirs.is_error, Some(true));
    let text = mcp::error(&envelope)["content"][0]["text"].as_str().unwrap().to_owned();
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap()["error"]["reasonCode"], "invalid_input");
}

#[track_caller]
fn names(capabilities: &[Capability]) -> Vec<String> {
    let tools = mcp::Tools::new(capabilities);
    let names: Vec<String> = tools.list().iter().map(|tool| tool.name().to_owned()).collect();
    let unique: BTreeSet<_> = names.iter().collect();
    assert_eq!(unique.len(), names.len(), "{names:?}");
    for (name, capability) in names.iter().zip(capabilities) {
        assert!(!name.is_empty() && name.len() <= NAME_CHARS, "{name}");
        assert!(name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'), "{name}");
        assert_eq!(tools.command_id(name), Some(capability.id.as_str()));
        assert_eq!(tools.tool(&capability.id).unwrap().name(), name);
    }
    names
}

#[test]
fn names_are_one_to_one() {
    let close = [
        named("1", &["a-b"]),
        named("2", &["a", "b"]),
        named("3", &["ab"]),
        named("4", &["a", "b", "c"]),
        named("5", &["a-b", "c"]),
        named("6", &["a", "b-c"]),
    ];
    assert_eq!(names(&close), ["a-b", "a_b", "ab", "a_b_c", "a-b_c", "a_b-c"]);
    // Two commands with one path: the second has its id's digest.
    let twins = names(&[named("1", &["a"]), named("2", &["a"]), named("3", &["a"])]);
    assert_eq!(twins[0], "a");
    assert!(twins[1].starts_with("a_") && twins[2].starts_with("a_"));
    // Long paths differ at their ends.
    let long = |end: &str| ["x".repeat(40), format!("{}{end}", "y".repeat(40))];
    let paths = [long("1"), long("2")];
    let capabilities: Vec<_> = paths
        .iter()
        .enumerate()
        .map(|(id, path)| Capability::new(id.to_string(), path.clone(), "s", json_output()))
        .collect();
    let first = names(&capabilities);
    // A name does not depend on what else is listed.
    assert_eq!(names(&capabilities[1..]), first[1..]);
    let exact = [named("1", &["x".repeat(64).as_str()]), named("2", &["x".repeat(65).as_str()])];
    assert_eq!(names(&exact)[0], "x".repeat(64));
    names(&[
        named("1", &["ä", "B"]),
        named("2", &["ö", "b"]),
        named("3", &["a_b"]),
        named("4", &["a", "b"]),
        named("5", &[""]),
        named("6", &["a b", "<script>"]),
    ]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn names_are_one_to_one_for_any_paths(paths in proptest::collection::vec(proptest::collection::vec("[a-cA_. -]{0,4}|[a-z-]{30,50}|\\PC{0,3}", 0..4), 0..40)) {
        let capabilities: Vec<_> = paths.into_iter().enumerate().map(|(id, path)| Capability::new(format!("id.{id}"), path, "s", json_output())).collect();
        names(&capabilities);
    }
}

#[test]
fn a_command_without_inputs_takes_an_empty_object() {
    let tools = mcp::Tools::new([&named("a", &["a"])]);
    assert_eq!(tools.list()[0].input_schema(), &InputSchema::empty());
    assert_eq!(
        serde_json::to_value(tools.list()).unwrap()[0]["inputSchema"],
        json!({ "type": "object", "properties": {} })
    );
}
