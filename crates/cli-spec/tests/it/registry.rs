//! Finding, listing, running.

use cli_spec::{
    Capability, Command, CommandOutput, Discovery, ErrorEnvelope, InvokeRequest, NoInput, OutputMode, OutputSpec,
    Registry, Source, Workspace,
};
use serde_json::{Value, json};

use crate::tracker::{block_on, issue_get, issue_list, registry, registry_on, run};

#[test]
fn the_longest_path_is_found() {
    let word = |id: &str, path: &str| {
        Command::action::<NoInput, ()>(id, path)
            .summary("x")
            .workspace(Workspace::Optional)
            .summary_json(|()| Value::Null)
            .handler(|_, _| async { Ok::<_, ErrorEnvelope>(()) })
            .build()
            .unwrap()
    };
    let registry =
        Registry::builder("t").commands([word("a", "a"), word("abc", "a b c"), word("ab", "a b")]).build().unwrap();
    let table: [(&[&str], Option<(&str, usize)>); 8] = [
        (&["a"], Some(("a", 1))),
        (&["a", "b"], Some(("ab", 2))),
        (&["a", "b", "c", "d"], Some(("abc", 3))),
        (&["a", "b", "--x", "c"], Some(("ab", 2))),
        (&["a", "c"], Some(("a", 1))),
        (&["a b"], None),
        (&["b"], None),
        (&[], None),
    ];
    for (args, expected) in table {
        let found = registry.find(args).ok().map(|found| (found.command.id(), found.consumed));
        assert_eq!(found, expected, "{args:?}");
    }
}

#[test]
fn integration_commands_run_on_their_path_and_are_never_listed_or_suggested() {
    let registry = registry();
    assert_eq!(registry.find(&["issue", "purge-cache"]).unwrap().command.id(), "tutti.issue.purge");
    for near in [&["issue", "purge"][..], &["issue", "purge-cach"], &["issue", "purge-caches"]] {
        let error = registry.find(near).unwrap_err().to_string();
        assert!(!error.contains("did you mean"), "{error}");
    }
    let ids = |discovery| -> Vec<String> { registry.capabilities(discovery).into_iter().map(|c| c.id).collect() };
    assert_eq!(ids(Discovery::new()), ["tutti.issue.list", "tutti.issue.get", "tutti.issue.wait"]);
    let integrations = Discovery::new().include_integration(true);
    assert_eq!(ids(integrations), ids(Discovery::new()), "the integration command is deprecated too");
    assert_eq!(ids(integrations.include_deprecated(true)).len(), 4);
    assert_eq!(ids(Discovery::new().include_hidden(true)).len(), 4);
}

#[test]
fn a_run_answers_in_the_mode_asked_for() {
    let output = block_on(registry().invoke(InvokeRequest::new("tutti.issue.list").with("topic-id", "t1"))).unwrap();
    assert_eq!(output.kind(), OutputMode::Table);
    let request = InvokeRequest::new("tutti.issue.list").with("topic-id", "t1").with_output_mode(OutputMode::Json);
    assert_eq!(
        block_on(registry().invoke(request)).unwrap(),
        CommandOutput::json(json!({
            "items": [{ "id": 1, "title": "First" }, { "id": 9_007_199_254_740_993_u64, "title": "日本語" }],
            "hasMore": true,
            "nextPageToken": "next"
        }))
    );
    let request = InvokeRequest::new("tutti.issue.get").with("issue-id", "1").with_output_mode(OutputMode::Markdown);
    let error = block_on(registry().invoke(request)).unwrap_err();
    assert_eq!((error.code(), error.exit_code().as_u8()), ("invalid_input", 2));
}

#[test]
fn workspace_policies() {
    let asks = |registry: &Registry, id: &str, workspace: Option<&str>| {
        let mut request = InvokeRequest::new(id).with("topic-id", "t").with("issue-id", "1");
        request.context.workspace_id = workspace.map(str::to_owned);
        block_on(registry.invoke(request)).map_err(|error| error.code().to_owned())
    };
    let (with, without) = (registry(), registry_on(None));
    assert!(asks(&with, "tutti.issue.list", None).is_ok());
    assert_eq!(asks(&without, "tutti.issue.list", None).unwrap_err(), "invalid_input");
    assert!(asks(&without, "tutti.issue.list", Some("ws-2")).is_ok());
    assert_eq!(asks(&without, "tutti.issue.list", Some("zz")).unwrap_err(), "workspace_not_found");
    assert!(asks(&with, "tutti.issue.get", None).is_ok());
    assert!(asks(&with, "tutti.issue.get", Some("ws-1")).is_ok());
    assert!(asks(&without, "tutti.issue.wait", None).is_ok());
}

#[test]
fn app_commands_keep_their_scope_and_their_output() {
    let spec = OutputSpec { default_mode: OutputMode::Json, json: true, table: None };
    let mut capability = Capability::new("app.a1.group-chat.send", ["group-chat", "send"], "Send", spec);
    capability.source = Some(Source::app("a1"));
    let untouched = json!({ "creatorAvatarUrl": "x", "workspace": "ws-1" });
    let answer = untouched.clone();
    let app = Command::app(capability.clone(), move |request: InvokeRequest| {
        assert_eq!(request.context.workspace_id.as_deref(), Some("ws-1"));
        assert_eq!(request.output_mode, Some(OutputMode::Json));
        let answer = answer.clone();
        async move { Ok::<_, ErrorEnvelope>(CommandOutput::json(answer)) }
    })
    .unwrap();
    let registry = Registry::builder("t")
        .commands([issue_list(), app.clone()])
        .workspaces(crate::tracker::Startup(Some("ws-1")))
        .build()
        .unwrap();
    let of_app: Vec<String> = registry.commands_of_app("a1", Discovery::new()).map(Command::name).collect();
    assert_eq!(of_app, ["group-chat send"]);
    assert_eq!(registry.commands_of_app("group-chat", Discovery::new()).count(), 0);
    assert_eq!(block_on(registry.invoke(InvokeRequest::new(app.id()))).unwrap(), CommandOutput::json(untouched));

    capability.path = vec!["issue".to_owned(), "x".to_owned()];
    let claims =
        Command::app(capability, |_: InvokeRequest| async { Err::<CommandOutput, _>(ErrorEnvelope::new("x", "x")) })
            .unwrap();
    let error = Registry::builder("t").command(claims.clone()).build().unwrap_err();
    assert_eq!(error.code(), "scope_reserved");
    let empty: [&str; 0] = [];
    assert!(Registry::builder("t").command(claims).reserved_scopes(empty).build().is_ok());
}

#[test]
fn duplicates_are_reported_together() {
    let error = Registry::builder("t").commands([issue_list(), issue_get(), issue_list()]).build().unwrap_err();
    let codes: Vec<&str> = error.all().iter().map(cli_spec::RegistryProblem::code).collect();
    assert_eq!(codes, ["duplicate_command_id", "duplicate_command_path"]);
}

#[test]
fn warnings_and_continuations_are_attached() {
    let request = InvokeRequest::new("tutti.issue.wait").with("extra", 1).with_output_mode(OutputMode::Json);
    let output = block_on(registry().invoke(request)).unwrap();
    assert_eq!(output.warnings[0].code, "unknown_input_ignored");
    assert_eq!(output.continuation.unwrap().retry_after_ms(), 1000);
    let output =
        block_on(registry().invoke(InvokeRequest::new("tutti.issue.wait").with_output_mode(OutputMode::Plain)))
            .unwrap();
    assert_eq!(output.continuation, None);
    assert_eq!(output.warnings[0].code, "pending");
    let output = block_on(registry().invoke(InvokeRequest::new("tutti.issue.purge"))).unwrap();
    let codes: Vec<&str> = output.warnings.iter().map(|warning| warning.code.as_str()).collect();
    assert_eq!(codes, ["cold", "deprecated_issue_purge"]);
}

#[test]
fn a_terminal_run() {
    let listed = run(&["issue", "list", "--topic-id", "t1"]);
    assert_eq!(listed.stdout, "ID                Title\n1                 First\n9007199254740993  日本語\n");
    assert_eq!((listed.stderr.as_str(), listed.exit_code), ("", 0));
    let got = run(&["issue", "get", "1", "--json"]);
    assert_eq!(got.stdout, "{\n  \"id\": 1,\n  \"title\": \"First\"\n}\n");
}

#[test]
fn a_thin_client_finds_what_the_registry_finds() {
    let registry = registry();
    let listed = registry.capabilities(Discovery::new());
    for args in [&["issue", "list", "x"][..], &["issue", "get", "--json"], &["issue"], &["issue", "--x", "list"], &[]] {
        let ours = Capability::find(&listed, args).map(|(found, words)| (found.id.as_str(), words));
        assert_eq!(ours, registry.find(args).ok().map(|found| (found.command.id(), found.consumed)), "{args:?}");
    }
    // What is not listed is not found by a client that has only the listing.
    assert_eq!(Capability::find(&listed, &["issue", "purge-cache"]), None);
}
