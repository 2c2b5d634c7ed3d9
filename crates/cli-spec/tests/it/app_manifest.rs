//! Manifests: every rule with its pointer, all problems at once, damage, real ones.

use std::fmt::Write as _;

use cli_spec::app::{Manifest, ManifestError};
use cli_spec::schema::{InputSchema, Property, PropertyType};
use cli_spec::{OutputMode, Visibility, limits};
use proptest::prelude::*;
use serde_json::{Value, json};

pub(crate) const RECIPES: &str = include_str!("../manifests/recipes.json");
pub(crate) const MINIMAL: &str = include_str!("../manifests/minimal.json");

fn parse(value: &Value) -> Result<Manifest, ManifestError> {
    Manifest::parse(value.to_string().as_bytes())
}

fn problems(error: &ManifestError) -> Vec<(String, &'static str)> {
    error.all().iter().map(|problem| (problem.pointer().to_owned(), problem.code())).collect()
}

/// The recipes manifest with the value at `pointer` replaced.
fn with(pointer: &str, value: Value) -> Value {
    let mut manifest: Value = serde_json::from_str(RECIPES).unwrap();
    *manifest.pointer_mut(pointer).unwrap_or_else(|| panic!("no {pointer}")) = value;
    manifest
}

/// The recipes manifest with a member added to the object at `pointer`.
fn and(pointer: &str, key: &str, value: Value) -> Value {
    let mut manifest: Value = serde_json::from_str(RECIPES).unwrap();
    manifest.pointer_mut(pointer).unwrap().as_object_mut().unwrap().insert(key.to_owned(), value);
    manifest
}

fn without(pointer: &str, key: &str) -> Value {
    let mut manifest: Value = serde_json::from_str(RECIPES).unwrap();
    manifest.pointer_mut(pointer).unwrap().as_object_mut().unwrap().remove(key).unwrap();
    manifest
}

/// Exactly one problem, at that place, with that code, and in one line.
#[track_caller]
fn one(manifest: &Value, pointer: &str, code: &str) {
    let error = parse(manifest).expect_err(pointer);
    assert_eq!(problems(&error), [(pointer.to_owned(), error.code())], "{error}");
    assert_eq!(error.code(), code, "{pointer}: {error}");
    assert_eq!(error.pointer(), pointer);
    assert!(!error.to_string().contains('\n'));
    assert!(error.to_string().starts_with(pointer), "{error}");
}

#[test]
fn the_samples_are_read_as_written() {
    let recipes = Manifest::parse(RECIPES.as_bytes()).unwrap();
    assert_eq!(recipes.scope(), "recipe-box");
    assert_eq!(recipes.description(), Some("Find recipes and plan what to cook."));
    assert_eq!(recipes.documentation_file(), Some("docs/COMMANDS.md"));
    assert_eq!(recipes.commands().len(), 3);
    let list = recipes.command(&["recipes", "list"]).unwrap();
    assert_eq!((list.summary(), list.visibility(), list.is_wait()), ("List recipes", Visibility::Public, false));
    let names: Vec<_> =
        list.input_schema().properties().iter().map(|property| (property.name(), property.kind())).collect();
    assert_eq!(
        names,
        [
            ("limit", PropertyType::Integer),
            ("query", PropertyType::String),
            ("vegetarian", PropertyType::Boolean),
            ("course", PropertyType::String),
            ("tag", PropertyType::StringArray),
        ],
        "in document order"
    );
    assert_eq!(list.output().default_mode, OutputMode::Table);
    assert_eq!(list.handler().path(), "/tutti/cli/recipes/list");
    assert_eq!(list.handler().timeout_ms(), 5_000);
    let get = recipes.command(&["recipes", "get"]).unwrap();
    assert!(get.input_schema().is_required("recipe-id"));
    assert_eq!(get.handler().timeout_ms(), 30_000, "the default");
    assert!(recipes.command(&["cook"]).unwrap().is_wait());
    assert!(recipes.command(&["recipes"]).is_none());

    let minimal = Manifest::parse(MINIMAL.as_bytes()).unwrap();
    let now = &minimal.commands()[0];
    assert_eq!((minimal.description(), minimal.documentation_file()), (None, None));
    assert_eq!(now.visibility(), Visibility::Integration);
    assert!(now.input_schema().is_empty());
    assert!(!now.output().json);
}

#[test]
fn what_is_written_reads_back_equal() {
    for text in [RECIPES, MINIMAL] {
        let manifest: Manifest = text.parse().unwrap();
        let written = serde_json::to_vec(&manifest).unwrap();
        assert_eq!(Manifest::parse(&written).unwrap(), manifest);
    }
}

const LIST: &str = "/commands/0";
const INPUTS: &str = "/commands/0/inputSchema";
const LIMIT: &str = "/commands/0/inputSchema/properties/limit";

fn at(base: &str, rest: &str) -> String {
    format!("{base}{rest}")
}

#[test]
fn rules_of_the_root_are_reported_at_their_pointer() {
    one(&json!([]), "", "wrong_type");
    one(&with("/schemaVersion", json!("tutti.app.cli.v2")), "/schemaVersion", "unknown_schema_version");
    one(&with("/schemaVersion", json!("tutti.app.cli.v1 ")), "/schemaVersion", "unknown_schema_version");
    one(&with("/schemaVersion", json!(1)), "/schemaVersion", "wrong_type");
    one(&without("", "schemaVersion"), "", "missing_member");
    for bad in ["", " notes", "notes ", "Notes", "-a", "a-", "a b", "a.b", "a_b", "é"] {
        one(&with("/scope", json!(bad)), "/scope", "invalid_scope");
    }
    one(&with("/scope", json!(null)), "/scope", "wrong_type");
    one(&without("", "scope"), "", "missing_member");
    one(&with("/description", json!(1)), "/description", "wrong_type");
    one(&with("/documentation", json!("COMMANDS.md")), "/documentation", "wrong_type");
    one(&with("/documentation", json!({})), "/documentation", "missing_member");
    for bad in ["", " ", "/etc/passwd", "\\\\host\\x", "../x", "a/../../x", "a\\..\\x", "C:x", "c:\\x"] {
        one(&with("/documentation/file", json!(bad)), "/documentation/file", "invalid_documentation_file");
    }
    one(&with("/commands", json!([])), "/commands", "no_commands");
    one(&with("/commands", json!({})), "/commands", "wrong_type");
    one(&without("", "commands"), "", "missing_member");
    one(&with("/commands/1", json!("x")), "/commands/1", "wrong_type");
}

#[test]
fn rules_of_paths_and_words_are_reported_at_their_pointer() {
    one(&with("/commands/0/path", json!([])), "/commands/0/path", "empty_path");
    one(&with("/commands/0/path", json!("recipes list")), "/commands/0/path", "wrong_type");
    one(&with("/commands/0/path/1", json!(3)), "/commands/0/path/1", "wrong_type");
    for bad in ["", " list", "list ", "List", "a/b", "--json"] {
        one(&with("/commands/0/path/1", json!(bad)), "/commands/0/path/1", "invalid_path_segment");
    }
    one(&with("/commands/0/path/0", json!("recipe-box")), "/commands/0/path/0", "path_repeats_scope");
    assert!(parse(&with("/commands/0/path/1", json!("recipe-box"))).is_ok(), "only the first may not be the scope");
    one(&with("/commands/1/path/1", json!("list")), "/commands/1/path", "duplicate_path");
    one(&without(LIST, "path"), LIST, "missing_member");
    one(&with("/commands/0/summary", json!(" \n")), "/commands/0/summary", "blank_text");
    one(&with("/commands/0/summary", json!(["x"])), "/commands/0/summary", "wrong_type");
    one(&without(LIST, "summary"), LIST, "missing_member");
    one(&and(LIST, "description", json!(false)), "/commands/0/description", "wrong_type");
    for bad in ["hidden", "Public", "", " public"] {
        one(&and(LIST, "visibility", json!(bad)), "/commands/0/visibility", "unknown_value");
    }
}

#[test]
fn rules_of_wait_commands_are_reported_at_their_pointer() {
    one(&and(LIST, "execution", json!({ "mode": "wait" })), "/commands/0/execution", "wait_needs_json");
    one(&with("/commands/2/execution", json!({ "mode": "stream" })), "/commands/2/execution/mode", "unknown_value");
    one(&with("/commands/2/execution", json!({})), "/commands/2/execution", "missing_member");
    one(&with("/commands/2/execution", json!("wait")), "/commands/2/execution", "wrong_type");
    let timeout = json!({ "type": "integer" });
    one(
        &and("/commands/2/inputSchema/properties", "timeout-ms", timeout.clone()),
        "/commands/2/inputSchema/properties/timeout-ms",
        "reserved_input_name",
    );
    assert!(parse(&and("/commands/0/inputSchema/properties", "timeout-ms", timeout)).is_ok(), "only of wait commands");
}

#[test]
fn rules_of_input_schemas_are_reported_at_their_pointer() {
    one(&with(INPUTS, json!(true)), INPUTS, "wrong_type");
    one(&with(INPUTS, json!({})), INPUTS, "missing_member");
    one(&with(&at(INPUTS, "/type"), json!("array")), &at(INPUTS, "/type"), "unknown_value");
    for key in ["additionalProperties", "title", "$schema", "oneOf", "x~/y"] {
        let pointer = format!("{INPUTS}/{}", key.replace('~', "~0").replace('/', "~1"));
        one(&and(INPUTS, key, json!(false)), &pointer, "unknown_key");
    }
    one(&with(&at(INPUTS, "/properties"), json!([])), &at(INPUTS, "/properties"), "wrong_type");
    for key in ["minimum", "maximum", "format", "pattern", "x-hint", "required", "title"] {
        one(&and(LIMIT, key, json!(1)), &format!("{LIMIT}/{key}"), "unknown_key");
    }
    for name in ["Limit", "page_size", " limit", "-x", ""] {
        let pointer = format!("{INPUTS}/properties/{name}");
        one(&and(&at(INPUTS, "/properties"), name, json!({ "type": "string" })), &pointer, "invalid_input_name");
    }
    one(&with(LIMIT, json!("integer")), LIMIT, "wrong_type");
    one(&with(LIMIT, json!({})), LIMIT, "missing_member");
    for kind in ["number", "object", "null", "Integer", "int"] {
        one(&with(LIMIT, json!({ "type": kind })), &at(LIMIT, "/type"), "unknown_value");
    }
    one(&with(LIMIT, json!({ "type": ["integer", "null"] })), &at(LIMIT, "/type"), "wrong_type");
    one(&with(LIMIT, json!({ "type": "integer", "description": 1 })), &at(LIMIT, "/description"), "wrong_type");
    one(&with(LIMIT, json!({ "type": "array" })), LIMIT, "missing_member");
    one(&with(LIMIT, json!({ "type": "array", "items": {} })), &at(LIMIT, "/items"), "missing_member");
    one(&with(LIMIT, json!({ "type": "array", "items": "string" })), &at(LIMIT, "/items"), "wrong_type");
    one(
        &with(LIMIT, json!({ "type": "array", "items": { "type": "integer" } })),
        &at(LIMIT, "/items/type"),
        "unknown_value",
    );
    let more = json!({ "type": "array", "items": { "type": "string", "minLength": 1 } });
    one(&with(LIMIT, more), &at(LIMIT, "/items/minLength"), "unknown_key");
    one(
        &with(LIMIT, json!({ "type": "string", "items": { "type": "string" } })),
        &at(LIMIT, "/items"),
        "items_without_array",
    );
}

#[test]
fn rules_of_enums_and_defaults_are_reported_at_their_pointer() {
    let integer = |key: &str, value: Value| {
        let mut property = json!({ "type": "integer" });
        property[key] = value;
        with(LIMIT, property)
    };
    one(&integer("enum", json!([])), &at(LIMIT, "/enum"), "empty_enum");
    one(&integer("enum", json!(1)), &at(LIMIT, "/enum"), "wrong_type");
    for bad in [json!("1"), json!(1.5), json!(true), json!(null), json!([1])] {
        one(&integer("enum", json!([1, bad, 2])), &at(LIMIT, "/enum/1"), "enum_value_type");
        one(&integer("default", bad), &at(LIMIT, "/default"), "default_type");
    }
    let outside = json!({ "type": "integer", "enum": [1, 2], "default": 3 });
    one(&with(LIMIT, outside), &at(LIMIT, "/default"), "default_not_in_enum");
    assert!(parse(&with(LIMIT, json!({ "type": "integer", "enum": [1, 2], "default": 2.0 }))).is_ok());
    let list = json!({ "type": "array", "items": { "type": "string" }, "default": ["a", 1] });
    one(&with(LIMIT, list), &at(LIMIT, "/default"), "default_type");
}

#[test]
fn rules_of_required_names_are_reported_at_their_pointer() {
    one(&and(INPUTS, "required", json!("limit")), &at(INPUTS, "/required"), "wrong_type");
    one(&and(INPUTS, "required", json!(["limit", 1])), &at(INPUTS, "/required/1"), "wrong_type");
    one(&and(INPUTS, "required", json!(["limit", "size"])), &at(INPUTS, "/required/1"), "required_undeclared");
    one(&and(INPUTS, "required", json!(["limit", "query", "limit"])), &at(INPUTS, "/required/2"), "required_twice");
}

#[test]
fn rules_of_outputs_are_reported_at_their_pointer() {
    one(&without(LIST, "output"), LIST, "missing_member");
    one(&with("/commands/0/output", json!("table")), "/commands/0/output", "wrong_type");
    one(&without("/commands/0/output", "defaultMode"), "/commands/0/output", "missing_member");
    for bad in ["plain", "markdown", "Json", ""] {
        one(&with("/commands/0/output/defaultMode", json!(bad)), "/commands/0/output/defaultMode", "unknown_value");
    }
    one(&with("/commands/0/output/json", json!("true")), "/commands/0/output/json", "wrong_type");
    one(&with("/commands/1/output/json", json!(false)), "/commands/1/output/json", "json_not_declared");
    one(&without("/commands/1/output", "json"), "/commands/1/output/defaultMode", "json_not_declared");
    one(&with("/commands/2/output/json", json!(false)), "/commands/2/output/json", "json_not_declared");
    one(&without("/commands/0/output", "table"), "/commands/0/output", "columns_missing");
    one(&with("/commands/0/output/table", json!({})), "/commands/0/output", "columns_missing");
    one(&with("/commands/0/output/table/columns", json!([])), "/commands/0/output", "columns_missing");
    one(&with("/commands/0/output/table", json!([])), "/commands/0/output/table", "wrong_type");
    one(&with("/commands/0/output/table/columns/1", json!("id")), "/commands/0/output/table/columns/1", "wrong_type");
    one(
        &with("/commands/0/output/table/columns/1/key", json!("Title")),
        "/commands/0/output/table/columns/1/key",
        "invalid_column_key",
    );
    one(
        &with("/commands/0/output/table/columns/1/key", json!("id")),
        "/commands/0/output/table/columns/1/key",
        "duplicate_column",
    );
    one(
        &with("/commands/0/output/table/columns/1/label", json!("  ")),
        "/commands/0/output/table/columns/1/label",
        "blank_text",
    );
    one(
        &without("/commands/0/output/table/columns/1", "label"),
        "/commands/0/output/table/columns/1",
        "missing_member",
    );
}

#[test]
fn rules_of_handlers_are_reported_at_their_pointer() {
    one(&without(LIST, "handler"), LIST, "missing_member");
    one(&with("/commands/0/handler/kind", json!("grpc")), "/commands/0/handler/kind", "unknown_value");
    one(&with("/commands/0/handler/method", json!("post")), "/commands/0/handler/method", "unknown_value");
    for key in ["kind", "method", "path"] {
        one(&without("/commands/0/handler", key), "/commands/0/handler", "missing_member");
    }
    for bad in [
        "/tutti/cli/../../admin",
        "/tutti/cli/%2e%2E/x",
        "/tutti/cli/x?y",
        "/tutti/cli/x#y",
        "/admin",
        "/tutti/cli/",
        " /tutti/cli/x",
    ] {
        one(&with("/commands/0/handler/path", json!(bad)), "/commands/0/handler/path", "invalid_handler_path");
    }
    for bad in [json!(0), json!(999), json!(600_001), json!(-30_000), json!(u64::MAX), json!(1e30)] {
        one(&with("/commands/0/handler/timeoutMs", bad), "/commands/0/handler/timeoutMs", "timeout_out_of_range");
    }
    for bad in [json!("30000"), json!(null), json!(1000.5)] {
        one(&with("/commands/0/handler/timeoutMs", bad), "/commands/0/handler/timeoutMs", "wrong_type");
    }
    for good in [1_000, 600_000] {
        assert!(parse(&with("/commands/0/handler/timeoutMs", json!(good))).is_ok());
    }
}

#[test]
fn unknown_keys_are_ignored_elsewhere() {
    for pointer in [
        "",
        "/documentation",
        "/commands/0",
        "/commands/2/execution",
        "/commands/0/output",
        "/commands/0/output/table",
        "/commands/0/output/table/columns/0",
        "/commands/0/handler",
    ] {
        let manifest = and(pointer, "futureKey", json!({ "any": [1, null, { "thing": true }] }));
        let plain = serde_json::from_str(RECIPES).unwrap();
        assert_eq!(parse(&manifest).unwrap(), parse(&plain).unwrap(), "{pointer}");
    }
}

#[test]
fn all_problems_are_reported_in_document_order() {
    let text = r#"{
        "commands": [
            {
                "handler": { "kind": "http", "path": "/x", "method": "PUT", "timeoutMs": 1 },
                "output": { "json": false, "defaultMode": "json" },
                "inputSchema": {
                    "required": ["b", "b", "c"],
                    "title": 1,
                    "properties": { "b": { "enum": [1], "type": "string" }, "B": { "type": "string" } },
                    "type": "object"
                },
                "path": ["notes", "X"],
                "path": ["again"]
            },
            7,
            { "path": ["x"], "summary": "" }
        ],
        "scope": "notes",
        "schemaVersion": "tutti.app.cli.v1"
    }"#;
    let error = Manifest::parse(text.as_bytes()).unwrap_err();
    let expected = [
        ("/commands/0", "missing_member"), // summary
        ("/commands/0/handler/path", "invalid_handler_path"),
        ("/commands/0/handler/method", "unknown_value"),
        ("/commands/0/handler/timeoutMs", "timeout_out_of_range"),
        ("/commands/0/output/json", "json_not_declared"),
        ("/commands/0/inputSchema/required/1", "required_twice"),
        ("/commands/0/inputSchema/required/2", "required_undeclared"),
        ("/commands/0/inputSchema/title", "unknown_key"),
        ("/commands/0/inputSchema/properties/b/enum/0", "enum_value_type"),
        ("/commands/0/inputSchema/properties/B", "invalid_input_name"),
        ("/commands/0/path/0", "path_repeats_scope"),
        ("/commands/0/path/1", "invalid_path_segment"),
        ("/commands/0/path", "duplicate_key"),
        ("/commands/1", "wrong_type"),
        ("/commands/2", "missing_member"), // output
        ("/commands/2", "missing_member"), // handler
        ("/commands/2/summary", "blank_text"),
    ];
    assert_eq!(problems(&error), expected.map(|(pointer, code)| (pointer.to_owned(), code)));
    assert_eq!(error.code(), "missing_member");
    assert!(error.to_string().ends_with("(and 16 more problems)"), "{error}");
}

#[test]
fn each_kind_of_damage_is_one_clear_error() {
    let whole = RECIPES.trim_end();
    let one = |bytes: &[u8], code: &str| {
        let error = Manifest::parse(bytes).unwrap_err();
        assert_eq!(problems(&error), [(String::new(), error.code())]);
        assert_eq!(error.code(), code, "{error}");
        assert!(!error.to_string().contains('\n') && error.to_string().len() < 200, "{error}");
    };
    for cut in (0..whole.len()).filter(|cut| whole.is_char_boundary(*cut)) {
        let truncated = &whole.as_bytes()[..cut];
        let code = Manifest::parse(truncated).unwrap_err().code();
        assert_eq!(code, "truncated", "cut at {cut}");
    }
    one(b"", "truncated");
    one(format!("{whole}{whole}").as_bytes(), "trailing_data");
    one(format!("{whole}\n,").as_bytes(), "trailing_data");
    one(format!("{whole}\0").as_bytes(), "trailing_data");
    one(whole.replacen(':', "=", 1).as_bytes(), "not_json");
    one(format!("\u{feff}{whole}").as_bytes(), "not_json");
    // 300 KiB, valid but for its size.
    one(format!("{whole}{}", " ".repeat(300 * 1024 - whole.len())).as_bytes(), "too_large");
    let limit = format!("{whole}{}", " ".repeat(limits::MANIFEST_BYTES - whole.len()));
    assert!(Manifest::parse(limit.as_bytes()).is_ok());
    one(format!("{limit} ").as_bytes(), "too_large");
    // Deep nesting in a key that is ignored otherwise, closed and not closed.
    let nested =
        |levels: usize| whole.replacen('{', &format!("{{\"deep\":{}{},", "[".repeat(levels), "]".repeat(levels)), 1);
    assert!(Manifest::parse(nested(63).as_bytes()).is_ok());
    one(nested(64).as_bytes(), "too_deep");
    one(nested(100_000).as_bytes(), "too_deep");
    one("[".repeat(100_000).as_bytes(), "too_deep");
    one("{\"a\":".repeat(40_000).as_bytes(), "too_deep");
    // Not UTF-8, wherever it stands.
    for at in [0, 1, 100, whole.len()] {
        let mut bytes = whole.as_bytes().to_vec();
        bytes.insert(at, 0xff);
        one(&bytes, "not_utf8");
    }
    let utf16: Vec<u8> = whole.encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(Manifest::parse(&utf16).unwrap_err().code(), "not_json");
}

#[test]
fn hostile_manifests_stay_small_and_fast() {
    // Many problems under a long name: what is kept is bounded, and the rest is counted.
    let long = "K".repeat(60_000);
    let values = vec!["1"; 40_000].join(",");
    let mut text = String::new();
    write!(
        text,
        r#"{{"schemaVersion":"tutti.app.cli.v1","scope":"a","commands":[{{"path":["b"],"summary":"s","inputSchema":{{"type":"object","properties":{{"{long}":{{"type":"string","enum":[{values}]}}}}}},"output":{{"defaultMode":"json","json":true}},"handler":{{"kind":"http","method":"POST","path":"/tutti/cli/b"}}}}]}}"#
    )
    .unwrap();
    let error = Manifest::parse(text.as_bytes()).unwrap_err();
    let kept: usize = error.all().iter().map(|problem| problem.pointer().len()).sum();
    assert!(kept < 2 << 20, "{kept}");
    assert_eq!(error.all().len() + error.omitted(), 40_001);
    // Hidden characters in names from outside are shown, not printed.
    let error = Manifest::parse(
        "{\"schemaVersion\":\"tutti.app.cli.v1\",\"scope\":\"a\\u001b[2J\\u202eb\",\"commands\":[]}".as_bytes(),
    )
    .unwrap_err();
    assert!(error.to_string().contains("\\u{1b}[2J\\u{202e}"), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]

    /// One byte changed anywhere: never a panic, and never a manifest that doesn't write and read back.
    #[test]
    fn changed_bytes_never_panic(at in 0..RECIPES.len(), byte: u8) {
        let mut bytes = RECIPES.as_bytes().to_vec();
        bytes[at] = byte;
        match Manifest::parse(&bytes) {
            Ok(manifest) => {
                let written = serde_json::to_vec(&manifest).unwrap();
                prop_assert_eq!(Manifest::parse(&written).unwrap(), manifest);
            }
            Err(error) => {
                prop_assert!(!error.all().is_empty());
                prop_assert!(!error.to_string().contains('\n'));
            }
        }
    }
}

/// Real manifests, where the folder that holds them stands beside the project.
pub(crate) fn real() -> Vec<(String, Vec<u8>)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data/app-manifests");
    let Ok(entries) = std::fs::read_dir(folder) else {
        println!("skipped: no real manifests, {folder} does not exist");
        return Vec::new();
    };
    let mut found: Vec<_> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(&path).unwrap()))
        .collect();
    found.sort();
    found
}

#[test]
fn real_manifests_are_read_and_their_damage_is_found() {
    for (name, bytes) in real() {
        let manifest = Manifest::parse(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(!manifest.commands().is_empty());
        assert_eq!(Manifest::parse(&serde_json::to_vec(&manifest).unwrap()).unwrap(), manifest);

        let text = std::str::from_utf8(&bytes).unwrap().trim_end();
        let one = |bytes: &[u8], code: &str| {
            let error = Manifest::parse(bytes).unwrap_err();
            assert_eq!((error.all().len(), error.code()), (1, code), "{name}: {error}");
        };
        one(&text.as_bytes()[..text.len() / 2], "truncated");
        one(format!("{text}{}", " ".repeat(300 * 1024)).as_bytes(), "too_large");
        one(text.replacen('{', &format!("{{\"x\":{}", "[".repeat(1_000)), 1).as_bytes(), "too_deep");
        one(&[text.as_bytes(), b"\xff"].concat(), "not_utf8");
        let mut value: Value = serde_json::from_str(text).unwrap();
        let path = value.pointer("/commands/0/path").unwrap().clone();
        value["commands"][1]["path"] = path;
        one(value.to_string().as_bytes(), "duplicate_path");
        value["commands"][1]["path"] = json!("list");
        one(value.to_string().as_bytes(), "wrong_type");
    }
}

#[test]
fn a_long_enum_is_not_quadratic() {
    let values: Vec<usize> = (0..100_000).collect();
    let property = Property::new("n", PropertyType::Integer).with_enum(values).with_default(99_999);
    let start = std::time::Instant::now();
    assert!(InputSchema::new([property], [""; 0]).is_ok());
    // With a look through the enum for each of its values it takes ten times as long.
    assert!(start.elapsed().as_secs() < 2, "{:?}", start.elapsed());
}
