//! Calling an app: the invocation, the answer against the declared contract, scopes, the registry.

use std::sync::{Arc, Mutex};

use cli_spec::app::{
    App, Apps, HandlerAnswer, HandlerCall, HandlerError, Invocation, Manifest, ScopeIssue, ScopeSet, ScopeState,
    ScopeStatus, Transport, TransportError, decode_output,
};
use cli_spec::{Capability, Discovery, IntoEnvelope, InvokeRequest, OutputMode, Registry, Visibility, limits};
use serde_json::{Value, json};

use crate::app_manifest::{MINIMAL, RECIPES, real};
use crate::support::now;

fn recipes() -> App {
    App::new("app-1", RECIPES.parse().unwrap()).unwrap()
}

fn invocation(path: &[&str], input: Value) -> Result<(Invocation, Vec<String>), String> {
    let app = recipes();
    let command = app.manifest().command(path).unwrap();
    let request = InvokeRequest::new(app.command_id(command)).with_input(input.as_object().unwrap().clone());
    match Invocation::new(&app, command, &request, "ws-1") {
        Ok((invocation, warnings)) => Ok((invocation, warnings.into_iter().map(|warning| warning.code).collect())),
        Err(error) => Err(format!("{}: {error}", error.code())),
    }
}

fn input(path: &[&str], raw: Value) -> Value {
    Value::Object(invocation(path, raw).unwrap().0.input().clone())
}

#[test]
fn the_envelope_has_the_shape_of_the_contract() {
    let (invocation, _) = invocation(&["recipes", "list"], json!({ "limit": 20 })).unwrap();
    assert_eq!(
        serde_json::to_value(&invocation).unwrap(),
        json!({
            "schemaVersion": "tutti.app.cli.invoke.v1",
            "commandId": "app.app-1.recipe-box.recipes.list",
            "appId": "app-1",
            "scope": "recipe-box",
            "path": ["recipes", "list"],
            "workspaceId": "ws-1",
            "input": { "limit": 20 },
            "outputMode": "table",
            "context": { "source": "cli", "parentCommandId": null },
        })
    );
    let text = serde_json::to_string(&invocation).unwrap();
    assert_eq!(serde_json::from_str::<Invocation>(&text).unwrap(), invocation);
    assert!(serde_json::from_str::<Invocation>(&text.replace("invoke.v1", "invoke.v2")).is_err());
}

#[test]
fn text_becomes_the_declared_type_and_keeps_its_value() {
    let list = |raw: Value| input(&["recipes", "list"], raw);
    assert_eq!(list(json!({ "limit": "20", "vegetarian": "TRUE" })), json!({ "limit": 20, "vegetarian": true }));
    assert_eq!(list(json!({ "limit": " +5 ", "vegetarian": "off" })), json!({ "limit": 5, "vegetarian": false }));
    assert_eq!(list(json!({ "limit": "-3" })), json!({ "limit": -3 }));
    assert_eq!(list(json!({ "limit": "9007199254740993" })).to_string(), r#"{"limit":9007199254740993}"#);
    assert_eq!(list(json!({ "query": "007" })), json!({ "query": "007" }), "cli-07");
    assert_eq!(list(json!({ "query": "" })), json!({ "query": "" }));
    assert_eq!(list(json!({ "query": " @ann " })), json!({ "query": " @ann " }), "cli-26");
    assert_eq!(list(json!({ "tag": "a,b" })), json!({ "tag": ["a,b"] }), "cli-13");
    assert_eq!(list(json!({ "tag": ["a", "", "b"] })), json!({ "tag": ["a", "b"] }));
    assert_eq!(list(json!({ "course": " dessert " })), json!({ "course": "dessert" }));
    assert_eq!(
        input(&["cook"], json!({ "recipe-id": "r", "servings": "4" })),
        json!({ "recipe-id": "r", "servings": 4 })
    );
}

#[test]
fn defaults_are_never_sent() {
    for raw in [json!({}), json!({ "limit": null, "course": null, "tag": null })] {
        assert_eq!(input(&["recipes", "list"], raw), json!({}));
    }
}

#[test]
fn what_is_missing_or_invalid_is_refused() {
    let refused = |path: &[&str], raw: Value| invocation(path, raw).unwrap_err();
    for raw in [json!({}), json!({ "recipe-id": null }), json!({ "recipe-id": "" })] {
        assert_eq!(refused(&["recipes", "get"], raw), r#"invalid_input: required input "recipe-id" is missing"#);
    }
    for (raw, message) in [
        (json!({ "limit": "5x" }), r#"invalid input "limit": must be an integer"#),
        (json!({ "limit": "1e3" }), r#"invalid input "limit": must be an integer"#),
        (json!({ "limit": "" }), r#"invalid input "limit": must be an integer"#),
        (json!({ "limit": 1.5 }), r#"invalid input "limit": must be an integer"#),
        (json!({ "vegetarian": "maybe" }), r#"invalid input "vegetarian": must be true or false"#),
        (json!({ "query": 7 }), r#"invalid input "query": must be a string"#),
        (json!({ "course": "soup" }), r#"invalid input "course": must be one of starter, main, dessert"#),
    ] {
        assert_eq!(refused(&["recipes", "list"], raw), format!("invalid_input: {message}"));
    }
}

#[test]
fn inputs_that_the_app_does_not_declare_stay_here_with_a_warning() {
    let (invocation, warnings) = invocation(&["recipes", "list"], json!({ "limit": 1, "limits": 2, "x": 3 })).unwrap();
    assert_eq!(Value::Object(invocation.input().clone()), json!({ "limit": 1 }));
    assert_eq!(warnings, ["unknown_input_ignored", "unknown_input_ignored"]);
}

#[test]
fn only_declared_output_modes_are_asked_for() {
    let app = recipes();
    let weather = App::new("w", MINIMAL.parse().unwrap()).unwrap();
    let mode = |app: &App, path: &[&str], mode: OutputMode| {
        let command = app.manifest().command(path).unwrap();
        let request = InvokeRequest::new("x").with_output_mode(mode);
        Invocation::new(app, command, &request, "ws")
            .map(|(invocation, _)| invocation.output_mode())
            .map_err(|error| error.code())
    };
    assert_eq!(mode(&app, &["recipes", "list"], OutputMode::Json), Ok(OutputMode::Json));
    assert_eq!(mode(&app, &["recipes", "list"], OutputMode::Table), Ok(OutputMode::Table));
    for plain in [OutputMode::Plain, OutputMode::Markdown] {
        assert_eq!(mode(&app, &["recipes", "list"], plain), Err("command_output_missing"));
    }
    assert_eq!(mode(&weather, &["now"], OutputMode::Json), Err("command_output_missing"));
}

/// Decodes the answer of one of the recipes commands: the output as JSON, or the code.
fn decode(path: &[&str], status: u16, body: impl AsRef<[u8]>) -> Result<Value, &'static str> {
    let app = recipes();
    let command = app.manifest().command(path).unwrap();
    match decode_output(command, status, body.as_ref()) {
        Ok(output) => Ok(serde_json::to_value(output).unwrap()),
        Err(error) => {
            assert!(!error.to_string().contains('\n'), "{error}");
            Err(error.code())
        }
    }
}

const BAD: Result<Value, &str> = Err("app_cli_handler_bad_response");

#[test]
fn answers_are_held_against_the_declared_contract() {
    let list = |body: Value| decode(&["recipes", "list"], 200, body.to_string());
    let get = |body: Value| decode(&["recipes", "get"], 200, body.to_string());
    let cook = |body: Value| decode(&["cook"], 200, body.to_string());
    let declared = json!([{ "key": "id", "label": "ID" }, { "key": "title", "label": "Title" }, { "key": "minutes", "label": "Minutes" }]);

    assert_eq!(get(json!({ "kind": "json", "value": { "a": 1 } })), Ok(json!({ "kind": "json", "value": { "a": 1 } })));
    assert_eq!(
        get(json!({ "kind": "json", "value": [] })),
        Ok(json!({ "kind": "json", "value": [] })),
        "cli-22: empty is an answer"
    );
    let rows = json!([{ "id": "r1", "title": "Soup", "minutes": 40 }]);
    let filled = json!({ "kind": "table", "columns": declared, "rows": rows });
    for columns in [None, Some(json!([])), Some(declared.clone())] {
        let mut body = json!({ "kind": "table", "rows": rows });
        if let Some(columns) = columns {
            body["columns"] = columns;
        }
        assert_eq!(list(body), Ok(filled.clone()));
    }
    let some = json!([{ "key": "title", "label": "Title" }]);
    assert_eq!(
        list(json!({ "kind": "table", "columns": some, "rows": [] })),
        Ok(json!({ "kind": "table", "columns": some, "rows": [] }))
    );
    assert!(list(json!({ "kind": "json", "value": {} })).is_ok(), "json is declared beside the table");
    let warned = json!({ "kind": "json", "value": {}, "warnings": [{ "code": "c", "message": "m" }] });
    assert_eq!(get(warned.clone()), Ok(warned));

    for columns in [
        json!([{ "key": "other", "label": "Other" }]),
        json!([{ "key": "id", "label": "id" }]),
        json!([{ "key": "id" }]),
        json!([{ "key": "id", "label": "ID" }, { "key": "id", "label": "ID" }]),
        json!("id"),
    ] {
        assert_eq!(list(json!({ "kind": "table", "columns": columns, "rows": [] })), BAD, "{columns}");
    }
    for body in [
        json!({ "kind": "table", "rows": [] }), // not declared by get
        json!({ "kind": "plain", "text": "x" }),
        json!({ "kind": "markdown", "text": "x" }),
        json!({ "kind": "json" }),
        json!({ "kind": "yaml", "value": {} }),
        json!({ "value": {} }),
        json!({ "error": { "code": "c", "message": "m" } }), // an error body needs an error status
        json!([]),
        json!(null),
        json!("x"),
        json!({}),
    ] {
        assert_eq!(get(body.clone()), BAD, "{body}");
    }
    for rows in [json!(null), json!({}), json!([1]), json!([["r1"]])] {
        assert_eq!(list(json!({ "kind": "table", "rows": rows })), BAD, "{rows}");
    }
    assert_eq!(list(json!({ "kind": "table" })), BAD);

    // Continuations: wait commands, kind json, 250 to 60,000 ms.
    let pending = |after: Value| json!({ "kind": "json", "value": {}, "continuation": { "state": "pending", "retryAfterMs": after } });
    assert_eq!(cook(pending(json!(250))), Ok(pending(json!(250))));
    assert_eq!(cook(pending(json!(60_000))), Ok(pending(json!(60_000))));
    for after in [json!(249), json!(60_001), json!(0), json!(-1), json!("250"), json!(null)] {
        assert_eq!(cook(pending(after.clone())), BAD, "{after}");
    }
    let done = json!({ "kind": "json", "value": {}, "continuation": { "state": "done", "retryAfterMs": 1000 } });
    assert_eq!(cook(done), BAD);
    assert_eq!(get(pending(json!(1000))), BAD, "not a wait command");
    let mut table = pending(json!(1000));
    table["kind"] = json!("table");
    assert_eq!(list(table), BAD);
}

#[test]
fn broken_bodies_are_bad_responses() {
    let get = |status: u16, body: &[u8]| decode(&["recipes", "get"], status, body);
    let good = br#"{"kind":"json","value":{}}"#;
    assert!(get(200, good).is_ok());
    assert!(get(299, good).is_ok());
    for status in [0, 100, 199, 300, 302, 399, 400, 404, 500, 599, 999] {
        assert_eq!(get(status, good), BAD, "{status}");
    }
    let nested = format!(r#"{{"kind":"json","value":{}{}}}"#, "[".repeat(5_000), "]".repeat(5_000));
    for body in [
        &b""[..],
        b"{",
        br#"{"kind":"json","value":{}}x"#,
        br#"{"kind":"json","value":{}}{}"#,
        br#"{"kind":"json","value":{},"value":{}}"#,
        br#"{"kind":"json","value":{"a":1,"a":2}}"#,
        b"{\"kind\":\"json\",\"value\":\"\xff\"}",
        b"<html>502</html>",
        nested.as_bytes(),
    ] {
        assert_eq!(get(200, body), BAD, "{}", String::from_utf8_lossy(body));
    }
    let head = r#"{"kind":"json","value":""#;
    let filled = |size: usize| format!("{head}{}\"}}", "x".repeat(size - head.len() - 2));
    assert!(get(200, filled(limits::HANDLER_OUTPUT_BYTES).as_bytes()).is_ok());
    assert_eq!(get(200, filled(limits::HANDLER_OUTPUT_BYTES + 1).as_bytes()), BAD);
    let big = r#"{"kind":"json","value":{"id":9007199254740993}}"#;
    assert_eq!(
        decode(&["recipes", "get"], 200, big).unwrap()["value"].to_string(),
        r#"{"id":9007199254740993}"#,
        "cli-09"
    );
}

#[test]
fn error_bodies_are_the_apps_own_failures() {
    let app = recipes();
    let command = app.manifest().command(&["recipes", "get"]).unwrap();
    for status in [400, 404, 500, 503] {
        let error = decode_output(
            command,
            status,
            br#"{"error":{"code":"recipe_not_found","message":"no such\nrecipe\u001b[2J"}}"#,
        )
        .unwrap_err();
        assert_eq!(
            error,
            HandlerError::Failed {
                code: "recipe_not_found".to_owned(),
                message: "no such\nrecipe\u{1b}[2J".to_owned()
            }
        );
        let envelope = error.into_envelope();
        assert_eq!(
            serde_json::to_value(&envelope).unwrap(),
            json!({ "error": {
                "reasonCode": "app_cli_handler_failed",
                "message": "the app reports \"recipe_not_found\": no such\\nrecipe\\u{1b}[2J",
            } })
        );
        assert!(!envelope.retryable());
    }
    for body in
        ["", "{}", r#"{"error":"x"}"#, r#"{"error":{"code":"c"}}"#, r#"{"error":{"code":1,"message":"m"}}"#, "oops"]
    {
        assert_eq!(decode(&["recipes", "get"], 500, body), BAD, "{body}");
    }
}

#[test]
fn timeouts_and_lost_connections_are_retryable_and_nothing_else_is() {
    let all = [
        (HandlerError::Timeout { timeout_ms: 1000 }, "app_cli_handler_timeout", true),
        (HandlerError::Unavailable { message: "refused".to_owned() }, "app_cli_runtime_unavailable", true),
        (HandlerError::Failed { code: "c".to_owned(), message: "m".to_owned() }, "app_cli_handler_failed", false),
        (HandlerError::BadResponse { message: "m".to_owned() }, "app_cli_handler_bad_response", false),
    ];
    for (error, code, retryable) in all {
        assert_eq!((error.code(), error.is_retryable()), (code, retryable));
        let envelope = error.into_envelope();
        assert_eq!((envelope.code(), envelope.retryable(), envelope.exit_code().as_u8()), (code, retryable, 1));
    }
}

#[test]
fn scope_states_have_the_shape_of_the_contract() {
    let mut scopes = ScopeSet::default();
    scopes.insert("app-b", "notes");
    assert_eq!(
        serde_json::to_value(scopes.state("app-b").unwrap()).unwrap(),
        json!({ "status": "active", "scope": "notes", "active": true, "issues": [] })
    );
    scopes.insert("app-a", "notes");
    assert_eq!(
        serde_json::to_value(scopes.state("app-b").unwrap()).unwrap(),
        json!({
            "status": "warning", "scope": "notes", "active": false,
            "issues": [{ "code": "app_cli_scope_conflict", "message": "the scope \"notes\" belongs to the app \"app-a\"" }],
        })
    );
    for reserved in ["agent", "help", "issue", "plan", "status"] {
        scopes.insert("app-c", reserved);
        let state = scopes.state("app-c").unwrap();
        assert_eq!((state.status, state.active), (ScopeStatus::Warning, false));
        assert_eq!(state.issues[0].code, "app_cli_scope_reserved");
        assert_eq!(scopes.owner(reserved), None);
    }
    scopes.insert_error("app-d", "", ScopeIssue { code: "not_json".to_owned(), message: "…".to_owned() });
    assert_eq!(scopes.state("app-d").unwrap().status, ScopeStatus::Error);
    assert!(scopes.state("app-e").is_none());
}

#[test]
fn the_first_app_id_wins_in_every_order() {
    let apps = ["a", "b", "c"];
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let mut scopes = ScopeSet::new(["host"]);
        for index in order {
            scopes.insert(apps[index], "notes");
        }
        let active = |scopes: &ScopeSet| -> Vec<bool> { apps.iter().map(|app| scopes.is_active(app)).collect() };
        assert_eq!(active(&scopes), [true, false, false]);
        // The winner moves away, fails, or goes: the next one takes over.
        scopes.insert("a", "other");
        assert_eq!(active(&scopes), [true, true, false]);
        scopes.insert_error("b", "notes", ScopeIssue { code: "x".to_owned(), message: "x".to_owned() });
        assert_eq!(active(&scopes), [true, false, true]);
        assert!(scopes.remove("c") && !scopes.remove("c"));
        assert_eq!(scopes.owner("notes"), None);
        let states: Vec<(String, ScopeState)> = scopes.states().map(|(app, state)| (app.to_owned(), state)).collect();
        assert_eq!(states.len(), 2);
    }
}

#[test]
fn capabilities_carry_the_real_scope_and_the_apps_metadata() {
    let app = recipes()
        .with_name("Recipes")
        .with_description("Cook.")
        .with_icon_url("https://x/i.svg")
        .with_documentation_path("/pkg/docs/COMMANDS.md");
    let list = app.capabilities().next().unwrap();
    let mut written = serde_json::to_value(&list).unwrap();
    let schema = written["inputSchema"].take();
    assert_eq!(
        schema["properties"]["limit"],
        json!({ "type": "integer", "description": "The most recipes to return.", "default": 20 })
    );
    assert_eq!(
        written,
        json!({
            "id": "app.app-1.recipe-box.recipes.list",
            "path": ["recipe-box", "recipes", "list"],
            "summary": "List recipes",
            "description": "List recipes with their course and the time that they take.",
            "inputSchema": null,
            "output": { "defaultMode": "table", "json": true, "table": { "columns": [
                { "key": "id", "label": "ID" }, { "key": "title", "label": "Title" }, { "key": "minutes", "label": "Minutes" } ] } },
            "source": {
                "kind": "app", "appId": "app-1", "appName": "Recipes", "iconUrl": "https://x/i.svg",
                "cliDescription": "Find recipes and plan what to cook.", "appDescription": "Cook.",
                "documentationFile": "docs/COMMANDS.md", "documentationPath": "/pkg/docs/COMMANDS.md",
            },
            "handlerTimeoutMs": 5000,
        })
    );
    let cook = app.capabilities().nth(2).unwrap();
    assert_eq!(serde_json::to_value(&cook).unwrap()["execution"], json!({ "mode": "wait" }));
    for capability in app.capabilities() {
        let text = serde_json::to_string(&capability).unwrap();
        assert_eq!(serde_json::from_str::<Capability>(&text).unwrap(), capability);
        let command = app.command(&capability.id).unwrap();
        assert_eq!(app.command_id(command), capability.id);
    }
    assert!(app.command("app.app-1.recipe-box.recipes").is_none());
    assert!(app.command("app.app-2.recipe-box.cook").is_none());
}

#[test]
fn apps_are_found_by_id_and_by_path_while_their_scope_is_theirs() {
    let mut apps = Apps::default();
    apps.insert(App::new("z.recipes", RECIPES.parse().unwrap()).unwrap());
    apps.insert(App::new("w", MINIMAL.parse().unwrap()).unwrap());
    apps.insert(App::new("help-app", RECIPES.replace("recipe-box", "help").parse().unwrap()).unwrap());
    let paths =
        |discovery| apps.capabilities(discovery).iter().map(|capability| capability.path.join(" ")).collect::<Vec<_>>();
    assert_eq!(paths(Discovery::new()), ["recipe-box recipes list", "recipe-box recipes get", "recipe-box cook"]);
    assert_eq!(paths(Discovery::new().include_integration(true)).len(), 4);
    assert!(apps.commands_of_app("w", Discovery::new()).is_empty());
    let now = &apps.commands_of_app("w", Discovery::new().include_integration(true))[0];
    assert_eq!((now.path.join(" "), now.visibility), ("weather now".to_owned(), Visibility::Integration));
    assert!(apps.commands_of_app("help-app", Discovery::new()).is_empty());
    // Visibility is no authorization: the exact path and id work.
    assert_eq!(apps.find(&["weather", "now"]).unwrap().1.summary(), "Say what the weather is");
    assert_eq!(apps.command("app.w.weather.now").unwrap().0.id(), "w");
    assert!(apps.find(&["help", "cook"]).is_none());
    assert!(apps.command("app.help-app.help.cook").is_none());
    assert!(apps.find(&["weather"]).is_none() && apps.find::<&str>(&[]).is_none());

    let error = Manifest::parse(b"{").unwrap_err();
    apps.insert_error("w", &error);
    assert!(apps.find(&["weather", "now"]).is_none());
    assert_eq!(apps.state("w").unwrap().issues[0].code, "truncated");
    assert!(apps.remove("z.recipes") && apps.capabilities(Discovery::new()).is_empty());
    for bad in ["", " ", "a b", "a\n", "a\0"] {
        assert_eq!(App::new(bad, MINIMAL.parse().unwrap()).unwrap_err().code(), "invalid_app_id");
    }
}

/// A transport that keeps the calls and gives the next answer.
struct Scripted {
    calls: Mutex<Vec<HandlerCall>>,
    answers: Mutex<Vec<Result<HandlerAnswer, TransportError>>>,
}

impl Scripted {
    fn new(answers: impl IntoIterator<Item = Result<HandlerAnswer, TransportError>>) -> Arc<Self> {
        let mut answers: Vec<_> = answers.into_iter().collect();
        answers.reverse();
        Arc::new(Self { calls: Mutex::default(), answers: Mutex::new(answers) })
    }
}

impl Transport for Scripted {
    async fn post(&self, call: &HandlerCall) -> Result<HandlerAnswer, TransportError> {
        self.calls.lock().unwrap().push(call.clone());
        self.answers.lock().unwrap().pop().expect("no further call")
    }
}

struct OneWorkspace;

impl cli_spec::Workspaces for OneWorkspace {
    async fn requested(&self, id: &str) -> Result<String, cli_spec::ErrorEnvelope> {
        Ok(id.to_owned())
    }

    async fn startup(&self) -> Result<Option<String>, cli_spec::ErrorEnvelope> {
        Ok(Some("ws-start".to_owned()))
    }
}

#[test]
fn a_registry_calls_apps_through_the_hosts_transport() {
    let answer = |status, body: Value| Ok(HandlerAnswer { status, body: body.to_string().into_bytes() });
    let transport = Scripted::new([
        answer(
            200,
            json!({ "kind": "table", "rows": [{ "id": "r1" }], "warnings": [{ "code": "partial", "message": "some are left out" }] }),
        ),
        Err(TransportError::Timeout),
        Err(TransportError::Unavailable("connection refused".to_owned())),
    ]);
    let app = recipes();
    let registry = Registry::builder("tutti")
        .workspaces(OneWorkspace)
        .commands(app.commands(&transport).unwrap())
        .build()
        .unwrap();
    let found = registry.find(&["recipe-box", "recipes", "list", "--limit", "5"]).unwrap();
    assert_eq!((found.command.id(), found.consumed), ("app.app-1.recipe-box.recipes.list", 3));
    assert_eq!(registry.commands_of_app("app-1", Discovery::new()).count(), 3);

    let list = InvokeRequest::new("app.app-1.recipe-box.recipes.list").with("limit", "5").with("future", 1);
    let output = now(registry.invoke(list.clone())).unwrap();
    let codes: Vec<_> = output.warnings.iter().map(|warning| warning.code.as_str()).collect();
    assert_eq!(codes, ["unknown_input_ignored", "partial"]);
    let call = transport.calls.lock().unwrap()[0].clone();
    assert_eq!((call.app_id(), call.path(), call.timeout_ms()), ("app-1", "/tutti/cli/recipes/list", 5_000));
    let body: Value = serde_json::from_slice(call.body()).unwrap();
    assert_eq!(
        (&body["input"], &body["workspaceId"], &body["outputMode"]),
        (&json!({ "limit": 5 }), &json!("ws-start"), &json!("table"))
    );

    let timeout = now(registry.invoke(list.clone())).unwrap_err().into_envelope();
    assert_eq!((timeout.code(), timeout.retryable()), ("app_cli_handler_timeout", true));
    let unreachable = now(registry.invoke(list)).unwrap_err().into_envelope();
    assert_eq!((unreachable.code(), unreachable.retryable()), ("app_cli_runtime_unavailable", true));
    // An invalid input never reaches the app.
    let invalid = now(registry.invoke(InvokeRequest::new("app.app-1.recipe-box.recipes.get"))).unwrap_err();
    assert_eq!((invalid.code(), invalid.exit_code().as_u8()), ("invalid_input", 2));
    assert_eq!(transport.calls.lock().unwrap().len(), 3);
}

#[test]
fn manifests_build_capabilities_and_a_registry_that_the_kit_accepts() {
    let samples = [("recipes", RECIPES), ("minimal", MINIMAL)];
    let samples = samples.map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec()));
    for (name, bytes) in real().into_iter().chain(samples) {
        let app = App::new(name.as_str(), Manifest::parse(&bytes).unwrap()).unwrap();
        let registry = Registry::builder("tutti").commands(app.commands(&Scripted::new([])).unwrap()).build().unwrap();
        let all = Discovery::new().include_integration(true);
        assert_eq!(registry.capabilities(all), app.capabilities().collect::<Vec<_>>(), "{name}");
        assert!(cli_spec::check::registry(&registry).is_clean(), "{name}: apps are not judged");
    }
}
