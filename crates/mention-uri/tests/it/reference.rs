//! Typed targets.

use mention_uri::{
    AgentSession, AgentTarget, AppFactory, MentionUri, ReferenceHandle, Source, Target, UriError, WorkspaceApp,
    WorkspaceIssue, WorkspaceReference,
};
use serde_json::json;

fn uri(text: &str) -> MentionUri {
    MentionUri::parse(text).unwrap()
}

fn target(text: &str) -> Result<Target, &'static str> {
    Target::try_from(&uri(text)).map_err(|error| {
        assert_eq!(error.offset(), None);
        error.code()
    })
}

#[test]
fn a_workspace_reference() {
    let written = "mention://workspace-reference/topic-1?groupId=issue-9&source=task&workspaceId=ws-1";
    let Target::WorkspaceReference(reference) = target(written).unwrap() else { panic!() };
    assert_eq!(reference.source(), Source::Task);
    assert_eq!(reference.id(), "topic-1");
    assert_eq!(reference.group_id(), Some("issue-9"));
    assert_eq!(reference.workspace_id(), "ws-1");
    assert_eq!(reference.count(), None);
    assert_eq!(reference.to_uri().as_str(), written);
    assert_eq!(reference, WorkspaceReference::new(Source::Task, "topic-1", Some("issue-9"), "ws-1").unwrap());
    let app = WorkspaceReference::new(Source::App, "gallery", None, "ws-1").unwrap();
    assert_eq!(app.to_string(), "mention://workspace-reference/gallery?source=app&workspaceId=ws-1");
    assert_eq!(app, WorkspaceReference::new(Source::App, "gallery", Some(" "), "ws-1").unwrap());
}

#[test]
fn a_reference_needs_its_source_and_workspace() {
    assert_eq!(target("mention://workspace-reference/t?source=app"), Err("missing_workspace"));
    assert_eq!(target("mention://workspace-reference/t?source=app&workspaceId=%20"), Err("missing_workspace"));
    assert_eq!(target("mention://workspace-reference/t?workspaceId=w"), Err("invalid_source"));
    for source in ["App", "TASK", "tasks", "%20app", "issue"] {
        let text = format!("mention://workspace-reference/t?workspaceId=w&source={source}");
        assert_eq!(target(&text), Err("invalid_source"), "{source}");
    }
    let code = |result: Result<WorkspaceReference, UriError>| result.unwrap_err().code();
    assert_eq!(code(WorkspaceReference::new(Source::App, "t", None, " ")), "missing_workspace");
    assert_eq!(code(WorkspaceReference::new(Source::App, "", None, "w")), "missing_entity");
    assert_eq!(code(WorkspaceReference::new(Source::App, "\u{3000}", None, "w")), "blank_id");
    assert_eq!(code(WorkspaceReference::new(Source::App, "t", Some(&"g".repeat(2049)), "w")), "scope_value_too_long");
    assert_eq!(code(WorkspaceReference::try_from(uri("mention://workspace-app/t?workspaceId=w"))), "wrong_provider");
    assert_eq!("app".parse::<Source>().unwrap(), Source::App);
    assert_eq!("apps".parse::<Source>().unwrap_err().code(), "invalid_source");
}

#[test]
fn only_the_four_keys_are_held_and_written() {
    let text = "mention://workspace-reference/t?source=app&workspaceId=w&count=12&files=%5B%22a%22%5D&path=%2Fetc&token=secret&command=rm&icon=x";
    let reference = WorkspaceReference::try_from(&uri(text)).unwrap();
    assert_eq!(reference.to_uri().as_str(), "mention://workspace-reference/t?count=12&source=app&workspaceId=w");
    assert_eq!(reference.count(), Some(12));
    assert_eq!(reference.identity().to_uri().as_str(), "mention://workspace-reference/t?source=app&workspaceId=w");
    assert_eq!(reference.identity(), WorkspaceReference::new(Source::App, "t", None, "w").unwrap());
    assert_eq!(reference.identity().with_count(12), reference);
    // The URI itself keeps what it does not know.
    assert_eq!(uri(text).scope_value("token"), Some("secret"));
}

#[test]
fn a_malformed_count_is_ignored() {
    for (count, expected) in [
        ("0", Some(0)),
        ("007", Some(7)),
        ("-1", None),
        ("+1", None),
        ("1.5", None),
        ("x", None),
        ("%201", None),
        ("99999999999999999999", None),
        ("1e3", None),
    ] {
        let text =
            format!("mention://workspace-reference/t?source=app&workspaceId=w&count={count}").replace('+', "%2B");
        assert_eq!(WorkspaceReference::try_from(&uri(&text)).unwrap().count(), expected, "{count}");
    }
}

#[test]
fn a_handle_is_a_reference_without_its_workspace() {
    let reference = WorkspaceReference::new(Source::Task, "t", Some("g"), "w").unwrap().with_count(3);
    let handle = reference.handle();
    assert_eq!((handle.source(), handle.id(), handle.group_id()), (Source::Task, "t", Some("g")));
    assert_eq!(handle.in_workspace("w").unwrap(), reference.identity());
    assert_eq!(handle.in_workspace(" ").unwrap_err().code(), "missing_workspace");
    assert_eq!(serde_json::to_value(&handle).unwrap(), json!({ "source": "task", "id": "t", "groupId": "g" }));
    let whole = ReferenceHandle::new(Source::App, "a", Some(" ")).unwrap();
    assert_eq!(whole, ReferenceHandle::new(Source::App, "a", None).unwrap());
    assert_eq!(serde_json::to_value(&whole).unwrap(), json!({ "source": "app", "id": "a" }));
    let read = |value| serde_json::from_value::<ReferenceHandle>(value);
    assert_eq!(read(json!({ "source": "app", "id": "a", "more": 1 })).unwrap(), whole);
    assert_eq!(read(json!({ "source": "app", "id": "a", "groupId": null })).unwrap(), whole);
    assert_eq!(read(json!({ "source": "app", "id": "a", "groupId": "" })).unwrap(), whole);
    for wrong in [
        json!({ "source": "App", "id": "a" }),
        json!({ "source": "app", "id": "" }),
        json!({ "source": "app", "id": " " }),
        json!({ "source": "app" }),
        json!({ "id": "a" }),
        json!({ "source": "app", "id": 7 }),
    ] {
        assert!(read(wrong.clone()).is_err(), "{wrong}");
    }
    assert_eq!(ReferenceHandle::new(Source::App, "", None).unwrap_err().code(), "missing_entity");
}

#[test]
fn the_other_targets_of_the_table() {
    let Target::WorkspaceApp(app) = target("mention://workspace-app/gallery?workspaceId=w").unwrap() else { panic!() };
    assert_eq!((app.id(), app.workspace_id()), ("gallery", "w"));
    assert_eq!(app, WorkspaceApp::new("gallery", "w").unwrap());

    let text = "mention://workspace-issue/i1?mode=run&outputDir=out&runId=r&taskId=t&topicId=p&workspaceId=w";
    let Target::WorkspaceIssue(issue) = target(text).unwrap() else { panic!() };
    assert_eq!((issue.id(), issue.workspace_id(), issue.topic_id()), ("i1", "w", Some("p")));
    assert_eq!(
        (issue.mode(), issue.task_id(), issue.run_id(), issue.output_dir()),
        (Some("run"), Some("t"), Some("r"), Some("out"))
    );
    assert_eq!(issue.to_uri().as_str(), text);
    assert_eq!(WorkspaceIssue::new("i1", "w").unwrap().topic_id(), None);

    let Target::AgentSession(session) =
        target("mention://agent-session/s1?agentTargetId=local:codex&workspaceId=w").unwrap()
    else {
        panic!()
    };
    assert_eq!((session.id(), session.workspace_id(), session.agent_target_id()), ("s1", "w", Some("local:codex")));

    let Target::AgentTarget(agent) = target("mention://agent-target/local:codex?workspaceId=w").unwrap() else {
        panic!()
    };
    assert_eq!(agent, AgentTarget::new("local:codex", "w").unwrap());

    let Target::AppFactory(factory) =
        target("mention://workspace-app-factory/create?action=new&contextPath=a%2Fb").unwrap()
    else {
        panic!()
    };
    assert_eq!((factory.id(), factory.action(), factory.context_path()), ("create", Some("new"), Some("a/b")));
    assert_eq!(AppFactory::new("job-1").unwrap().to_uri().as_str(), "mention://workspace-app-factory/job-1");

    for provider in ["workspace-app", "workspace-issue", "agent-session", "agent-target"] {
        assert_eq!(target(&format!("mention://{provider}/x")), Err("missing_workspace"), "{provider}");
    }
    let other = "mention://kanban/KAN-12?board=b&workspaceId=w";
    assert_eq!(target(other).unwrap(), Target::Other(uri(other)));
    assert_eq!(target(other).unwrap().to_uri().as_str(), other);
}

#[test]
fn a_session_as_a_command_gives_it() {
    let session = AgentSession::try_from(&uri("mention://agent-session/s%201?iconUrl=x&workspaceId=w")).unwrap();
    let fields = json!({ "agentSessionId": "s 1", "workspaceId": "w", "mentionUri": "mention://agent-session/s%201?workspaceId=w" });
    assert_eq!(serde_json::to_value(session.fields()).unwrap(), fields);
    assert_eq!(serde_json::from_value::<mention_uri::AgentSessionFields>(fields).unwrap(), session.fields());
}

#[test]
fn targets_as_text() {
    let text = "mention://workspace-reference/t?source=app&workspaceId=w";
    let reference: WorkspaceReference = text.parse().unwrap();
    assert_eq!(serde_json::to_value(&reference).unwrap(), json!(text));
    assert_eq!(serde_json::from_value::<WorkspaceReference>(json!(text)).unwrap(), reference);
    assert_eq!(serde_json::from_value::<Target>(json!(text)).unwrap(), Target::WorkspaceReference(reference.clone()));
    assert_eq!(MentionUri::from(&reference).as_str(), text);
    assert_eq!("mention://a/".parse::<Target>().unwrap_err().code(), "missing_entity");
    let error = serde_json::from_value::<AgentTarget>(json!(text)).unwrap_err();
    assert!(error.to_string().contains("that provider"), "{error}");
}
