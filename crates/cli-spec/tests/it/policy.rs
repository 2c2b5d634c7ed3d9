//! The allow-list: default-deny, complete listings, everything unknown closed.

use cli_spec::policy::{Allowlist, Catalogue, Denial, Tool};
use serde_json::{Value, json};

fn tool(descriptor: Value) -> Tool {
    Tool::new(descriptor.as_object().unwrap().clone())
}

fn policy() -> Allowlist {
    Allowlist::new()
        .schema_version("1")
        .capability_version("3")
        .allow("screen.read")
        .allow("input.click")
        .deny("system.shell")
}

fn catalogue(tools: &[Value]) -> Catalogue {
    Catalogue::new(Some("1"), Some("3"), tools.iter().cloned().map(tool))
}

/// The decision for one descriptor, from all three operations, which must agree.
#[track_caller]
fn decide(descriptor: Value) -> Option<&'static str> {
    let catalogue = catalogue(&[descriptor]);
    let policy = policy();
    let listed = policy.list(&catalogue).unwrap();
    assert_eq!(listed.len(), 1);
    let code = listed[0].denial().map(Denial::code);
    let written = listed[0].to_value();
    assert_eq!(written["allowed"], code.is_none());
    assert_eq!(written.get("denialReason").and_then(Value::as_str), code);
    if let Some(name) = listed[0].tool().name() {
        assert_eq!(policy.admit(&catalogue, name).err().map(|denial| denial.code()), code);
        assert_eq!(policy.describe(&catalogue, name).unwrap(), listed[0]);
    }
    code
}

#[test]
fn every_capability_must_be_known_and_allowed() {
    let with = |capabilities: Value| json!({ "name": "t", "capabilities": capabilities });
    for (capabilities, expected) in [
        (json!(["screen.read"]), None),
        (json!(["screen.read", "input.click"]), None),
        (json!(["screen.read", "screen.read"]), None),
        (json!(["screen.read", "system.shell"]), Some("denied_capability")),
        (json!(["system.shell"]), Some("denied_capability")),
        (json!(["screen.read", "net.open"]), Some("unknown_capability")),
        (json!(["net.open", "screen.read"]), Some("unknown_capability")),
        (json!(["Screen.Read"]), Some("unknown_capability")),
        (json!(["screen.read "]), Some("unknown_capability")),
        (json!(["screen"]), Some("unknown_capability")),
        (json!(["screen.read.all"]), Some("unknown_capability")),
        (json!([""]), Some("unknown_capability")),
        (json!([]), Some("missing_capabilities")),
        (json!(null), Some("missing_capabilities")),
        (json!("screen.read"), Some("missing_capabilities")),
        (json!({ "screen.read": true }), Some("missing_capabilities")),
        (json!(["screen.read", 1]), Some("missing_capabilities")),
        (json!(["screen.read", null]), Some("missing_capabilities")),
    ] {
        assert_eq!(decide(with(capabilities.clone())), expected, "{capabilities}");
    }
    assert_eq!(decide(json!({ "name": "t" })), Some("missing_capabilities"));
}

#[test]
fn annotations_grant_nothing() {
    let reassuring = json!({
        "name": "t", "allowed": true, "annotations": { "readOnlyHint": true, "destructiveHint": false },
    });
    assert_eq!(decide(reassuring), Some("missing_capabilities"));
}

#[test]
fn tools_without_a_name_are_listed_and_denied() {
    for descriptor in [
        json!({ "capabilities": ["screen.read"] }),
        json!({ "name": " ", "capabilities": ["screen.read"] }),
        json!({ "name": 3 }),
    ] {
        assert_eq!(decide(descriptor), Some("missing_name"));
    }
}

#[test]
fn a_name_that_stands_twice_is_denied_twice() {
    let catalogue = catalogue(&[
        json!({ "name": "a", "capabilities": ["screen.read"] }),
        json!({ "name": "b", "capabilities": ["screen.read"] }),
        json!({ "name": "a", "capabilities": ["system.shell"] }),
    ]);
    let codes: Vec<_> =
        policy().list(&catalogue).unwrap().iter().map(|listed| listed.denial().map(Denial::code)).collect();
    assert_eq!(codes, [Some("ambiguous_name"), None, Some("ambiguous_name")]);
    assert_eq!(policy().admit(&catalogue, "a").unwrap_err().code(), "ambiguous_name");
}

#[test]
fn the_listing_is_complete_in_order_and_keeps_the_descriptor() {
    let tools = [
        json!({ "name": "z", "capabilities": ["net.open"], "inputSchema": { "type": "object" }, "future": [1, { "x": null }] }),
        json!({ "name": "a", "capabilities": ["screen.read"], "description": "…", "denialReason": "forged", "allowed": "maybe" }),
    ];
    let catalogue = catalogue(&tools);
    let listed = serde_json::to_value(policy().list(&catalogue).unwrap()).unwrap();
    assert_eq!(
        listed,
        json!([
            {
                "name": "z", "capabilities": ["net.open"], "inputSchema": { "type": "object" }, "future": [1, { "x": null }],
                "allowed": false, "denialReason": "unknown_capability",
            },
            { "name": "a", "capabilities": ["screen.read"], "description": "…", "allowed": true },
        ])
    );
}

#[test]
fn missing_and_unknown_versions_close_the_whole_catalogue() {
    let good = || [tool(json!({ "name": "t", "capabilities": ["screen.read"] }))];
    for (schema, capability, expected) in [
        (None, Some("3"), "missing_schema_version"),
        (Some(""), Some("3"), "missing_schema_version"),
        (Some("2"), Some("3"), "unknown_schema_version"),
        (Some("1.0"), Some("3"), "unknown_schema_version"),
        (Some(" 1"), Some("3"), "unknown_schema_version"),
        (Some("1"), None, "missing_capability_version"),
        (Some("1"), Some(" "), "missing_capability_version"),
        (Some("1"), Some("4"), "unknown_capability_version"),
    ] {
        let catalogue = Catalogue::new(schema, capability, good());
        assert_eq!(policy().check(&catalogue).unwrap_err().code(), expected);
        assert_eq!(policy().list(&catalogue).unwrap_err().code(), expected);
        assert_eq!(policy().describe(&catalogue, "t").unwrap_err().code(), expected);
        assert_eq!(policy().admit(&catalogue, "t").unwrap_err().code(), expected);
    }
}

#[test]
fn a_name_absent_from_the_live_catalogue_is_denied() {
    let catalogue = catalogue(&[json!({ "name": "t", "capabilities": ["screen.read"] })]);
    for name in ["u", "T", "t ", ""] {
        assert_eq!(policy().admit(&catalogue, name).unwrap_err().code(), "not_in_catalogue");
        assert_eq!(policy().describe(&catalogue, name).unwrap_err().code(), "not_in_catalogue");
    }
}

#[test]
fn the_default_denies_and_denying_wins() {
    let catalogue = catalogue(&[json!({ "name": "t", "capabilities": ["screen.read"] })]);
    assert_eq!(Allowlist::new().list(&catalogue).unwrap_err().code(), "unknown_schema_version");
    let versions = Allowlist::new().schema_version("1").capability_version("3");
    assert_eq!(versions.admit(&catalogue, "t").unwrap_err().code(), "unknown_capability");
    for both in
        [versions.clone().allow("screen.read").deny("screen.read"), versions.deny("screen.read").allow("screen.read")]
    {
        assert_eq!(both.admit(&catalogue, "t").unwrap_err().code(), "denied_capability");
    }
}
