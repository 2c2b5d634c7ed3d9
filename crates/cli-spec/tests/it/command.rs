//! Declarations: defaults per kind, everything that is wrong with one, the compliance kit, the wire shapes.

use cli_spec::{
    Answer, BuildError, BuildProblem, Capability, Command, CommandOutput, Continuation, Deprecation, Discovery,
    ErrorEnvelope, Execution, InvokeRequest, Kind, NoInput, OutputMode, Pagination, Registry, View, Visibility,
    Workspace, check,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    support::now,
    tracker::{issue_get, issue_list, issue_wait, registry},
};

fn codes(error: &BuildError) -> Vec<&'static str> {
    error.all().iter().map(BuildProblem::code).collect()
}

#[test]
fn kinds_have_their_default_mode_and_view() {
    let table = [
        (Kind::List, OutputMode::Table, View::Summary, true),
        (Kind::Get, OutputMode::Json, View::Detail, true),
        (Kind::Action, OutputMode::Json, View::Summary, false),
    ];
    for (kind, mode, view, read_only) in table {
        assert_eq!((kind.default_mode(), kind.default_view(), kind.is_read_only()), (mode, view, read_only));
    }
    assert_eq!(issue_list().capability().output.default_mode, OutputMode::Table);
    assert_eq!(issue_get().capability().output.default_mode, OutputMode::Json);
}

#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "the type is refused")]
struct Wrong {
    topic_id: String,
    nested: std::collections::BTreeMap<String, String>,
}

#[test]
fn build_reports_every_problem() {
    let error = Command::list::<Wrong, ()>("bad id", "Issue list_all").deprecated("", "").build().unwrap_err();
    assert_eq!(
        codes(&error),
        [
            "invalid_command_id",
            "invalid_path_segment",
            "invalid_path_segment",
            "summary_missing",
            "deprecation_incomplete",
            "invalid_input_name",
            "unsupported_type",
            "json_view_missing",
            "default_mode_unformatted",
            "workspace_policy_missing",
            "handler_missing",
        ]
    );
    assert!(
        error
            .to_string()
            .starts_with("command \"bad id\": the id is blank or holds white space; path segment \"Issue\"")
    );
    assert!(error.to_string().contains("input \"nested\": a map is not supported"));
}

fn good(kind: Kind) -> cli_spec::CommandBuilder<NoInput, ()> {
    let builder = match kind {
        Kind::List => Command::list("t.x", "x"),
        Kind::Get => Command::get("t.x", "x"),
        Kind::Action => Command::action("t.x", "x"),
    };
    builder.summary("X").workspace(Workspace::Optional).handler(|_, _| async { Ok::<_, ErrorEnvelope>(()) })
}

#[test]
fn views_and_modes_are_held_together() {
    let null = |(): &()| Value::Null;
    let table: [(cli_spec::CommandBuilder<NoInput, ()>, &[&str]); 14] = [
        (good(Kind::Action).summary_json(null), &[]),
        (good(Kind::Get).detail_json(null), &[]),
        (good(Kind::List).summary_json(null), &["default_mode_unformatted"]),
        (good(Kind::List).summary_json(null).default_mode(OutputMode::Json), &[]),
        (good(Kind::Get).summary_json(null), &["json_view_not_of_kind", "json_view_missing"]),
        (good(Kind::Action).detail_json(null), &["json_view_not_of_kind", "json_view_missing"]),
        (good(Kind::Action).raw_json("The payload exists already.", null), &[]),
        (good(Kind::Action).raw_json(" ", null), &["raw_json_reason_missing"]),
        (good(Kind::Action).raw_json("r", null).summary_json(null), &["raw_json_beside_view"]),
        (good(Kind::Action).summary_json(null).default_mode(OutputMode::Plain), &["default_mode_unformatted"]),
        (good(Kind::Action).summary_json(null).paged(|()| Pagination::default()), &["paged_not_list"]),
        (good(Kind::Action).summary_json(null).deprecation_warning("w"), &["warning_not_deprecated"]),
        (good(Kind::Action).summary_json(null).positionals(["nope"]), &["positional_undeclared"]),
        (
            good(Kind::List).summary_json(null).table([("a", "A"), ("a", " ")], |()| Vec::<[String; 2]>::new()),
            &["invalid_column"],
        ),
    ];
    for (position, (builder, expected)) in table.into_iter().enumerate() {
        let found = builder.build().map_or_else(|error| codes(&error), |_| Vec::new());
        assert_eq!(found, expected, "case {position}");
    }
    let plain = good(Kind::Action).summary_json(null).plain(|()| String::new()).default_mode(OutputMode::Plain).wait();
    assert_eq!(codes(&plain.build().unwrap_err()), ["wait_not_json"]);
}

#[test]
fn positional_lists_come_last() {
    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "never bound")]
    struct Words {
        word: String,
        rest: Vec<String>,
    }
    let with = |names: &[&str]| {
        Command::action::<Words, ()>("t.x", "x")
            .summary("X")
            .workspace(Workspace::Optional)
            .summary_json(|()| Value::Null)
            .handler(|_, _| async { Ok::<_, ErrorEnvelope>(()) })
            .positionals(names.iter().copied())
            .build()
            .map_or_else(|error| codes(&error), |_| Vec::new())
    };
    assert_eq!(with(&["word", "rest"]), [""; 0]);
    assert_eq!(with(&["rest", "word"]), ["positional_list_not_last"]);
    assert_eq!(with(&["word", "word"]), ["positional_twice"]);
}

#[test]
fn raw_json_is_given_as_it_is() {
    let command = good(Kind::Action).raw_json("Kept for old clients.", |()| json!({ "creator": 1 })).build().unwrap();
    assert_eq!(command.raw_json_reason(), Some("Kept for old clients."));
    let registry = Registry::builder("t").command(command).build().unwrap();
    let output = now(registry.invoke(InvokeRequest::new("t.x"))).unwrap();
    assert_eq!(output, CommandOutput::json(json!({ "creator": 1 })));
    assert!(check::registry(&registry).is_clean());
}

#[test]
fn pagination_joins_the_summary() {
    let with = |summary: Value, page: Pagination| {
        let command = good(Kind::List)
            .default_mode(OutputMode::Json)
            .summary_json(move |()| summary.clone())
            .paged(move |()| page.clone())
            .build()
            .unwrap();
        let registry = Registry::builder("t").command(command).build().unwrap();
        now(registry.invoke(InvokeRequest::new("t.x"))).unwrap()
    };
    let more = Pagination { next_page_token: Some("n".to_owned()), has_more: true };
    let object = with(json!({ "issues": [] }), more);
    assert_eq!(object, CommandOutput::json(json!({ "issues": [], "hasMore": true, "nextPageToken": "n" })));
    let array = with(json!([1]), Pagination::default());
    assert_eq!(array, CommandOutput::json(json!({ "items": [1], "hasMore": false })));
}

#[test]
fn a_deprecated_command_keeps_its_exact_output() {
    let silent = good(Kind::Action).summary_json(|()| json!({ "a": 1 })).deprecated("y", "Old.").build().unwrap();
    assert_eq!(
        silent.capability().deprecated,
        Some(Deprecation { replacement: "y".to_owned(), reason: "Old.".to_owned() })
    );
    let registry = Registry::builder("t").command(silent).build().unwrap();
    assert_eq!(now(registry.run_args(["x", "--json"])).stdout, "{\n  \"a\": 1\n}\n");
    assert!(registry.capabilities(Discovery::new()).is_empty());
    assert_eq!(registry.capabilities(Discovery::new().include_deprecated(true)).len(), 1);
}

#[test]
fn availability_and_host_only() {
    let hidden = good(Kind::Action).summary_json(|()| Value::Null).available(|| false).build().unwrap();
    let host = Command::action::<NoInput, ()>("t.serve", "serve")
        .summary("Serve")
        .workspace(Workspace::Optional)
        .host_only()
        .summary_json(|()| Value::Null)
        .handler(|_, _| async { Ok::<_, ErrorEnvelope>(()) })
        .build()
        .unwrap();
    let registry = Registry::builder("t").commands([hidden, host]).build().unwrap();
    let ids = |discovery| -> Vec<String> { registry.capabilities(discovery).into_iter().map(|c| c.id).collect() };
    assert_eq!(ids(Discovery::new().include_integration(true)), [""; 0]);
    assert_eq!(ids(Discovery::new().include_hidden(true)), ["t.x"]);
    assert!(registry.find(&["x"]).is_ok() && registry.find(&["serve"]).is_ok());
    assert!(registry.help::<&str>(&[]).unwrap().contains("serve"));
}

#[test]
fn a_continuation_belongs_to_a_wait_command() {
    let command = Command::action::<NoInput, ()>("t.x", "x")
        .summary("X")
        .workspace(Workspace::Optional)
        .summary_json(|()| Value::Null)
        .answer(|_, _| async {
            Ok::<_, ErrorEnvelope>(Answer::new(()).with_continuation(Continuation::pending(250).unwrap()))
        })
        .build()
        .unwrap();
    let registry = Registry::builder("t").command(command).build().unwrap();
    assert_eq!(now(registry.invoke(InvokeRequest::new("t.x"))).unwrap_err().code(), "command_output_missing");
    assert_eq!(issue_wait().capability().execution, Some(Execution::wait()));
    for (delay, good) in [(249, false), (250, true), (60_000, true), (60_001, false)] {
        assert_eq!(Continuation::pending(delay).is_ok(), good);
        let read = serde_json::from_value::<Continuation>(json!({ "state": "pending", "retryAfterMs": delay }));
        assert_eq!(read.is_ok(), good);
    }
    assert!(serde_json::from_value::<Continuation>(json!({ "state": "done", "retryAfterMs": 250 })).is_err());
}

#[test]
fn the_capability_of_the_contract() {
    let mut capability = issue_list().capability().clone();
    capability.description = Some("…".to_owned());
    capability.visibility = Visibility::Integration;
    let written = serde_json::to_value(&capability).unwrap();
    assert_eq!(written["path"], json!(["issue", "list"]));
    assert_eq!(written["visibility"], "integration");
    assert_eq!(
        written["output"],
        json!({ "defaultMode": "table", "json": true, "table": { "columns": [{ "key": "id", "label": "ID" }, { "key": "title", "label": "Title" }] } })
    );
    assert_eq!(written["inputSchema"]["required"], json!(["topic-id"]));
    for absent in ["execution", "deprecated", "source", "handlerTimeoutMs"] {
        assert!(written.get(absent).is_none(), "{absent}");
    }
    assert_eq!(serde_json::from_str::<Capability>(&serde_json::to_string(&capability).unwrap()).unwrap(), capability);
    capability.visibility = Visibility::Public;
    assert!(serde_json::to_value(&capability).unwrap().get("visibility").is_none());
}

#[test]
fn requests_and_outputs_on_the_wire() {
    let request: InvokeRequest = serde_json::from_value(json!({
        "commandId": "tutti.issue.list", "input": { "topic-id": "t1", "page-size": "20" }, "outputMode": "json",
        "context": { "source": "cli", "workspaceId": "ws-1", "parentCommandId": null }, "future": true
    }))
    .unwrap();
    assert_eq!((request.output_mode, request.context.workspace_id.as_deref()), (Some(OutputMode::Json), Some("ws-1")));
    assert_eq!(
        serde_json::to_value(InvokeRequest::new("x")).unwrap(),
        json!({ "commandId": "x", "input": {}, "context": { "source": "cli" } })
    );
    let outputs = [
        json!({ "kind": "json", "value": { "n": 18_446_744_073_709_551_615_u64 } }),
        json!({ "kind": "table", "columns": [{ "key": "id", "label": "ID" }], "rows": [{ "id": "1" }] }),
        json!({ "kind": "table", "rows": [] }),
        json!({ "kind": "plain", "text": "x" }),
        json!({ "kind": "markdown", "text": "x", "warnings": [{ "code": "unknown_input_ignored", "message": "…" }] }),
        json!({ "kind": "json", "value": null, "continuation": { "state": "pending", "retryAfterMs": 1000 } }),
    ];
    for output in outputs {
        let read: CommandOutput = serde_json::from_value(output.clone()).unwrap();
        assert_eq!(serde_json::to_value(&read).unwrap(), output);
    }
    for bad in [
        json!({ "kind": "json" }),
        json!({ "kind": "table" }),
        json!({ "kind": "html", "text": "" }),
        json!({ "value": 1 }),
    ] {
        assert!(serde_json::from_value::<CommandOutput>(bad.clone()).is_err(), "{bad}");
    }
}

#[test]
fn the_compliance_kit() {
    let report = check::registry(&registry());
    assert!(report.is_clean(), "{report}");
    assert_eq!(report.unsampled(), ["tutti.issue.wait", "tutti.issue.purge"]);

    #[derive(Deserialize, JsonSchema)]
    #[serde(rename_all = "kebab-case")]
    #[expect(dead_code, reason = "never bound")]
    struct NoHint {
        issue_id: String,
        title: String,
    }
    let careless = Command::action::<NoHint, ()>("tutti.issue.list", "issue close")
        .summary("Close")
        .workspace(Workspace::Optional)
        .summary_json(|()| {
            json!({ "creatorAvatarUrl": "", "items": [{ "creator-display-name": "", "ok": 1, "content": "" }], "runtimeContext": {}, "contentType": 1 })
        })
        .sample(|| ())
        .handler(|_, _| async { Ok::<_, ErrorEnvelope>(()) })
        .build()
        .unwrap();
    let report = check::commands(&[issue_list(), careless]);
    let found: Vec<_> = report.findings().iter().map(|finding| (finding.command_id(), finding.code())).collect();
    assert_eq!(
        found,
        [
            ("tutti.issue.list", "duplicate_command_id"),
            ("tutti.issue.list", "hint_missing"),
            ("tutti.issue.list", "summary_field"),
            ("tutti.issue.list", "summary_field"),
            ("tutti.issue.list", "summary_field"),
            ("tutti.issue.list", "summary_field"),
        ]
    );
    let fields = check::summary(
        &json!({ "creatorUserId": 1, "contextRefs": [], "messages": [], "id": 1, "createdAt": 2, "title": "" }),
    );
    assert_eq!(fields, ["/contextRefs", "/creatorUserId", "/messages"]);
}

fn shared<T: Send + Sync + Unpin + std::fmt::Debug + 'static>() {}
fn error<T: std::error::Error + Send + Sync + Clone + PartialEq + 'static>() {}

#[test]
fn public_types_have_the_traits_that_hosts_need() {
    shared::<Registry>();
    shared::<Command>();
    shared::<Capability>();
    shared::<CommandOutput>();
    shared::<cli_spec::schema::InputSchema>();
    shared::<cli_spec::Rendered>();
    error::<BuildError>();
    error::<cli_spec::RegistryError>();
    error::<cli_spec::CommandError>();
    error::<cli_spec::InputError>();
    error::<cli_spec::ContinuationError>();
    error::<cli_spec::schema::SchemaError>();
    error::<ErrorEnvelope>();
    fn send<T: Send>(_: T) {}
    let registry = registry();
    send(registry.run_args([""; 0]));
    send(registry.invoke(InvokeRequest::new("x")));
}
