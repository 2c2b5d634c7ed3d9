//! The forms on the wire, the errors, and what every public type promises.

use mention_uri::{Source, WorkspaceReference};
use ref_resolve::{
    BoxAppArtifacts, BoxTaskOutputs, Call, CallPage, Failure, File, InMemoryApps, InMemoryTasks, Item, Limits, OnError,
    Page, PageRequest, ReferenceRequest, Resolution, ResolveError, Resolver, SourceError, Stop, StopReason, Traversal,
    UnknownCall, Workspace,
};
use serde_json::json;

use crate::script::{Script, request, walk, workspace};

#[test]
fn a_resolution_is_the_seed_s_json() {
    let report = File::new("/resolved/artifact/path")
        .display_name("report.md")
        .size_bytes(123)
        .media_type("text/markdown")
        .created_at_unix_ms(1_780_000_000_000)
        .key("inode-7");
    let script = Script::new().answer("", "", Ok(Page::last([Item::File(report)])));
    let (result, _) = walk(&script, request(), Limits::default());
    let expected = json!({
        "items": [{
            "path": "/resolved/artifact/path",
            "displayName": "report.md",
            "sizeBytes": 123,
            "mediaType": "text/markdown",
            "createdAtUnixMs": 1_780_000_000_000_u64
        }]
    });
    assert_eq!(serde_json::to_value(result.unwrap()).unwrap(), expected);
    assert_eq!(serde_json::to_value(Resolution::default()).unwrap(), json!({ "items": [] }));
}

#[test]
fn truncated_and_failures_appear_when_there_are_any() {
    let script = Script::new()
        .group("", &["a/", "b/"])
        .answer("a", "", Err(SourceError::Unavailable { retryable: true, message: "later".into() }))
        .page("b", "", &[], "1")
        .page("b", "1", &[], "1");
    let (result, _) = walk(&script, request(), Limits::default().on_error(OnError::Skip));
    let resolution = result.unwrap();
    let value = serde_json::to_value(&resolution).unwrap();
    assert_eq!(
        value,
        json!({
            "items": [],
            "truncated": [{ "reason": "cursor_loop", "group": "b" }],
            "failures": [{ "group": "a", "code": "source_unavailable", "message": "later", "retryable": true }]
        })
    );
    assert_eq!(serde_json::from_value::<Resolution>(value).unwrap(), resolution);
}

#[test]
fn reasons_are_the_design_s_words() {
    for (reason, word) in [
        (StopReason::Limit, "limit"),
        (StopReason::Groups, "groups"),
        (StopReason::Pages, "pages"),
        (StopReason::GroupPages, "group_pages"),
        (StopReason::Depth, "depth"),
        (StopReason::CursorLoop, "cursor_loop"),
        (StopReason::Stopped, "stopped"),
    ] {
        assert_eq!(reason.as_str(), word);
        assert_eq!(serde_json::to_value(reason).unwrap(), json!(word));
        let stop: Stop = serde_json::from_value(json!({ "reason": word })).unwrap();
        assert_eq!(stop, Stop { reason, group: None });
        assert_eq!(serde_json::to_value(stop).unwrap(), json!({ "reason": word }));
    }
}

#[test]
fn absent_numbers_are_0_and_unknown_fields_and_kinds_are_ignored() {
    let page: Page = serde_json::from_value(json!({
        "items": [
            { "kind": "file", "path": "a" },
            { "kind": "file", "path": "b", "sizeBytes": null, "createdAtUnixMs": null, "mediaType": null, "displayName": null },
            { "kind": "file", "path": "c", "sizeBytes": 5, "createdAtUnixMs": -1, "colour": "red", "key": "stranger" },
            { "kind": "group", "id": "g", "colour": "red" },
            { "kind": "symlink", "target": "x" },
        ],
        "nextCursor": "n",
        "total": 5
    }))
    .unwrap();
    let bare = |path: &str| File::new(path).display_name("");
    assert_eq!(
        page.items,
        [
            Item::File(bare("a")),
            Item::File(bare("b")),
            Item::File(bare("c").size_bytes(5).created_at_unix_ms(-1)),
            Item::group("g"),
            Item::Other,
        ]
    );
    assert_eq!(page.next_cursor.as_deref(), Some("n"));
    assert_eq!(serde_json::from_value::<Page>(json!({})).unwrap(), Page::default());
    // A known kind that is malformed is an error, not an unknown one.
    assert!(serde_json::from_value::<Item>(json!({ "kind": "group" })).is_err());
    assert!(serde_json::from_value::<Item>(json!({ "kind": "file", "path": 7 })).is_err());
    assert_eq!(
        serde_json::to_value(File::new("x/y.md")).unwrap(),
        json!({ "path": "x/y.md", "displayName": "y.md", "sizeBytes": 0, "mediaType": "", "createdAtUnixMs": 0 })
    );
    let again: Page = serde_json::from_str(&serde_json::to_string(&page).unwrap()).unwrap();
    assert_eq!(again, page);
}

#[test]
fn null_is_as_good_as_absent() {
    let page: Page = serde_json::from_value(json!({ "items": null, "nextCursor": null })).unwrap();
    assert_eq!(page, Page::default());
    let page: Page = serde_json::from_value(json!({ "items": [
        { "kind": "group", "id": "g", "displayName": null },
    ] }))
    .unwrap();
    assert_eq!(page, Page::last([Item::group("g")]));
}

#[test]
fn source_errors_have_codes_messages_and_a_form_on_the_wire() {
    let message = || "the message".to_owned();
    for (error, code, retryable) in [
        (SourceError::NotFound(message()), "not_found", false),
        (SourceError::Forbidden(message()), "forbidden", false),
        (SourceError::unavailable("the message"), "source_unavailable", true),
        (SourceError::Unavailable { retryable: false, message: message() }, "source_unavailable", false),
        (SourceError::Invalid(message()), "source_invalid", false),
        (SourceError::Other(message()), "source_failed", false),
    ] {
        assert_eq!((error.code(), error.retryable(), error.message()), (code, retryable, "the message"));
        let text = error.to_string();
        assert!(text.ends_with(": the message") && text.starts_with(char::is_lowercase), "{text}");
        let value = serde_json::to_value(&error).unwrap();
        assert_eq!(value, json!({ "code": code, "message": "the message", "retryable": retryable }));
        assert_eq!(serde_json::from_value::<SourceError>(value).unwrap(), error);
        let resolve = ResolveError::Source { group: Some("g".into()), error };
        assert_eq!((resolve.code(), resolve.retryable()), (code, retryable));
        assert_eq!(resolve.to_string(), text);
        assert!(std::error::Error::source(&resolve).is_some());
    }
    let unknown: SourceError = serde_json::from_value(json!({ "code": "teapot", "message": "m" })).unwrap();
    assert_eq!(unknown, SourceError::Other("m".into()));
}

#[test]
fn a_message_is_one_line() {
    let error = SourceError::Other("first\nsecond\u{1b}[31m".into());
    assert_eq!(error.to_string(), "source failed: first second [31m");
    assert_eq!(error.message(), "first\nsecond\u{1b}[31m");
}

#[test]
fn a_request_is_refused_with_a_code() {
    let caller = workspace();
    let parts = |source: &str, id: &str| ReferenceRequest::from_parts(source, id, None, &caller);
    for source in ["", "App", "app ", "apps", "tasks", "TASK"] {
        let error = parts(source, "id").unwrap_err();
        assert_eq!(error, ResolveError::InvalidSource { found: source.into() });
        assert_eq!(error.code(), "invalid_source");
    }
    for id in ["", "  ", "\n"] {
        assert_eq!(parts("app", id).unwrap_err().code(), "missing_id");
    }
    for id in ["", " \t"] {
        assert_eq!(Workspace::new(id).unwrap_err().code(), "missing_workspace");
        assert_eq!(id.parse::<Workspace>().unwrap_err(), ResolveError::MissingWorkspace);
    }
    assert_eq!(parts("app", &"x".repeat(513)).unwrap_err().code(), "id_too_long");
    assert_eq!(request().limit(0).unwrap_err().code(), "invalid_limit");
    let reference = WorkspaceReference::new(Source::App, "app-1", None, "ws-2").unwrap();
    let error = ReferenceRequest::new(reference, &caller).unwrap_err();
    assert_eq!(error, ResolveError::WorkspaceMismatch { reference: "ws-2".into(), caller: "ws-1".into() });
    assert_eq!((error.code(), error.retryable()), ("workspace_mismatch", false));
    for text in [
        parts("x", "id").unwrap_err().to_string(),
        parts("app", "").unwrap_err().to_string(),
        error.to_string(),
        ResolveError::InvalidLimit.to_string(),
        ResolveError::MissingWorkspace.to_string(),
    ] {
        assert!(text.starts_with(char::is_lowercase) && !text.contains('\n') && !text.ends_with('.'), "{text}");
    }
}

#[test]
fn a_reference_and_its_parts_make_the_same_request() {
    let reference = WorkspaceReference::new(Source::Task, "topic-1", Some("issue-9"), "ws-1").unwrap();
    let request = ReferenceRequest::new(reference.clone(), &workspace()).unwrap();
    assert_eq!(request, ReferenceRequest::from_parts("task", "topic-1", Some(" issue-9 "), &workspace()).unwrap());
    assert_eq!(request.reference(), &reference);
    assert_eq!(request.workspace(), &workspace());
    assert_eq!(request.workspace().to_string(), "ws-1");
}

#[test]
fn every_public_type_can_be_sent_and_shared() {
    fn shared<T: Send + Sync + Unpin + 'static>() {}
    fn value<T: Clone + PartialEq + std::fmt::Debug + Send + Sync + 'static>() {}
    fn error<T: std::error::Error + Clone + PartialEq + Send + Sync + 'static>() {}
    value::<Workspace>();
    value::<ReferenceRequest>();
    value::<Limits>();
    value::<OnError>();
    value::<Page>();
    value::<Item>();
    value::<File>();
    value::<PageRequest<'static>>();
    value::<Call>();
    value::<CallPage>();
    value::<Resolution>();
    value::<Stop>();
    value::<StopReason>();
    value::<Failure>();
    error::<SourceError>();
    error::<ResolveError>();
    error::<UnknownCall>();
    shared::<Traversal>();
    shared::<InMemoryApps>();
    shared::<InMemoryTasks>();
    shared::<BoxAppArtifacts>();
    shared::<BoxTaskOutputs>();
    shared::<Resolver<BoxAppArtifacts, BoxTaskOutputs>>();
}
