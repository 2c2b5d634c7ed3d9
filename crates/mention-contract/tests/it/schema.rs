//! The JSON Schemas: unchanged unless somebody means it, true to the examples, and refusing what breaks the contract.

use super::wire;
use mention_contract::{Descriptor, schema};
use schemars::Schema;
use serde_json::{Value, json};

#[track_caller]
fn judge(schema: &Schema, good: &[Value], bad: &[Value]) {
    let validator = jsonschema::draft202012::options().should_validate_formats(true).build(schema.as_value()).unwrap();
    for json in good {
        if let Err(error) = validator.validate(json) {
            panic!("{json} is refused: {error}");
        }
    }
    for json in bad {
        assert!(!validator.is_valid(json), "{json} is accepted");
    }
}

#[test]
fn golden_files() {
    insta::assert_json_snapshot!("search_request", schema::search_request());
    insta::assert_json_snapshot!("search_response", schema::search_response());
    insta::assert_json_snapshot!("get_request", schema::get_request());
    insta::assert_json_snapshot!("view_or_null", schema::view_or_null());
}

#[test]
fn search_requests() {
    judge(
        &schema::search_request(),
        &[
            wire::search_request(),
            json!({ "query": "" }),
            json!({ "query": "", "limit": 0 }),
            json!({ "query": "", "limit": 8.0 }),
            json!({ "query": "", "limit": 1_000_000 }),
            json!({ "query": "", "later": 1 }),
            json!({ "query": "", "context": {} }),
        ],
        &[
            json!({}),
            json!({ "query": 1 }),
            json!({ "query": "", "limit": -1 }),
            json!({ "query": "", "limit": 1.5 }),
            json!({ "query": "", "limit": "8" }),
            json!({ "query": "", "context": "chat" }),
            json!({ "query": "", "context": { "session_id": 1 } }),
            json!("query"),
        ],
    );
}

#[test]
fn search_responses() {
    judge(
        &schema::search_response(),
        &[
            wire::search_response(),
            json!({ "items": [] }),
            json!({ "items": [ { "id": "1", "label": "x", "icon": "hologram", "later": 1 } ] }),
        ],
        &[
            json!({}),
            json!([]),
            json!({ "items": [ {} ] }),
            json!({ "items": [ { "id": "1" } ] }),
            json!({ "items": [ { "id": "", "label": "x" } ] }),
            json!({ "items": [ { "id": " ", "label": "x" } ] }),
            json!({ "items": [ { "id": "x".repeat(513), "label": "x" } ] }),
            json!({ "items": [ { "id": "1", "label": "" } ] }),
            json!({ "items": [ { "id": 1, "label": "x" } ] }),
            json!({ "items": vec![json!({ "id": "1", "label": "x" }); 51] }),
        ],
    );
}

#[test]
fn get_requests() {
    judge(
        &schema::get_request(),
        &[json!({ "id": "6ac4f6df-1" }), json!({ "id": "ä".repeat(512) })],
        &[json!({}), json!({ "id": "" }), json!({ "id": 1 }), json!({ "id": "ä".repeat(513) }), json!("1")],
    );
}

#[test]
fn views() {
    let with = |member: &str, value: Value| {
        let mut json = wire::view();
        json[member] = value;
        json
    };
    let field = json!({ "label": "a", "value": "b" });
    judge(
        &schema::view_or_null(),
        &[
            Value::Null,
            wire::view(),
            json!({ "id": "1", "label": "x" }),
            with("open", json!({ "page": "traces", "context": { "trace_id": "t" } })),
            with("open", json!({ "session": "s" })),
            with("open", json!({ "url": "HTTPS://x.test" })),
            with("open", json!({ "url": "https://x.test:8080/@me?q=@" })),
            with("icon", json!("hologram")),
            with("fields", json!(vec![field.clone(); 6])),
            with("later", json!(1)),
        ],
        &[
            json!({}),
            json!("x"),
            with("id", json!("")),
            with("id", json!("x".repeat(513))),
            with("label", json!(" ")),
            with("label", Value::Null),
            with("open", json!({})),
            with("open", json!({ "page": "x", "url": "https://x.test" })),
            with("open", json!({ "page": "x", "session": "s" })),
            with("open", json!({ "url": "javascript:alert(1)" })),
            with("open", json!({ "url": "java\tscript:alert(1)" })),
            with("open", json!({ "url": "file:///etc" })),
            with("open", json!({ "url": "https://bank.test@x.test/" })),
            with("open", json!({ "url": "https://bank.test\\@x.test" })),
            with("open", json!({ "url": "https:///x.test" })),
            with("open", json!({ "url": "http:\\\\x.test" })),
            with("open", json!("https://x.test")),
            with("updated_at", json!("yesterday")),
            with("updated_at", json!(1)),
            with("fields", json!(vec![field; 7])),
            with("fields", json!([{ "label": "a" }])),
            with("fields", json!([{ "label": "a", "value": 1 }])),
            with("hint", json!(12)),
        ],
    );
}

#[test]
fn descriptors() {
    let schema = schemars::schema_for!(Descriptor);
    let full = json!({ "v": 1, "name": "kanban", "label": "Tickets", "description": "d", "icon": "ticket", "color": "blue",
        "search": "kanban::mention::search", "details": { "function_id": "kanban::ticket::get", "id_field": "id" } });
    let with = |member: &str, value: Value| {
        let mut json = full.clone();
        json[member] = value;
        json
    };
    let good =
        [full.clone(), with("v", json!(2)), with("details", json!({ "function_id": "f" })), with("later", json!(1))];
    let bad = [
        with("v", json!(0)),
        with("v", json!("1")),
        with("name", json!("Kanban")),
        with("name", json!("file")),
        with("name", json!("x".repeat(41))),
        with("label", json!("")),
        with("search", json!("")),
        with("search", json!("a b")),
        with("details", json!({})),
        with("details", json!({ "function_id": "f", "id_field": "" })),
        with("icon", json!(1)),
    ];
    judge(&schema, &good, &bad);
    for json in good {
        assert!(Descriptor::from_json(&json).is_ok(), "{json}");
    }
    for json in bad {
        assert!(Descriptor::from_json(&json).is_err(), "{json}");
    }
}
