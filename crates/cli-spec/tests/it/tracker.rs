//! The sample program that the tests run: a small issue tracker.

use std::{
    future::Future,
    pin::pin,
    task::{Context, Poll, Waker},
};

use cli_spec::{
    Answer, Command, CommandContext, Continuation, ErrorEnvelope, NoInput, Pagination, Registry, Rendered, Visibility,
    Warning, Workspace, Workspaces,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// Runs a future that never waits for anything.
pub(crate) fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return output;
        }
    }
}

pub(crate) fn map(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        other => panic!("not an object: {other}"),
    }
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct IssueList {
    /// Topic id.
    #[schemars(extend("x-hint" = "Use `issue topic list --json` to discover topics."))]
    pub(crate) topic_id: String,
    pub(crate) status: Option<Status>,
    #[schemars(range(min = 1, max = 100))]
    pub(crate) page_size: Option<u32>,
    #[serde(default)]
    pub(crate) label: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Status {
    /// Still open.
    Open,
    Closed,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct IssueGet {
    /// The issue.
    #[schemars(extend("x-hint" = "Use `issue list --json` to discover issues."))]
    pub(crate) issue_id: String,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Issue {
    pub(crate) id: u64,
    pub(crate) title: &'static str,
}

const ISSUES: [Issue; 2] = [Issue { id: 1, title: "First" }, Issue { id: 9_007_199_254_740_993, title: "日本語" }];

async fn list(input: IssueList, _: CommandContext) -> Result<Vec<Issue>, ErrorEnvelope> {
    if input.topic_id == "empty" {
        return Ok(Vec::new());
    }
    Ok(ISSUES.into_iter().take(input.page_size.unwrap_or(20) as usize).collect())
}

async fn get(input: IssueGet, context: CommandContext) -> Result<Issue, ErrorEnvelope> {
    assert_eq!(context.workspace_id(), Some("ws-1"));
    match input.issue_id.as_str() {
        "1" => Ok(ISSUES[0].clone()),
        "invalid" => Err(ErrorEnvelope::new("unsupported_issue_id", "the issue id is not supported").usage()),
        _ => Err(ErrorEnvelope::new("issue_not_found", "issue was not found").with_hint("Run `issue list`.")),
    }
}

pub(crate) struct Startup(pub(crate) Option<&'static str>);

impl Workspaces for Startup {
    async fn requested(&self, id: &str) -> Result<String, ErrorEnvelope> {
        if id.starts_with("ws-") {
            Ok(id.to_owned())
        } else {
            Err(ErrorEnvelope::new("workspace_not_found", "workspace was not found"))
        }
    }

    async fn startup(&self) -> Result<Option<String>, ErrorEnvelope> {
        Ok(self.0.map(str::to_owned))
    }
}

pub(crate) fn issue_list() -> Command {
    Command::list::<IssueList, Vec<Issue>>("tutti.issue.list", "issue list")
        .summary("List issues")
        .description("Lists the issues of a topic.")
        .workspace(Workspace::Required)
        .table([("id", "ID"), ("title", "Title")], |issues| {
            issues.iter().map(|issue| [issue.id.to_string(), issue.title.to_owned()]).collect()
        })
        .summary_json(|issues| issues.iter().map(|issue| json!({ "id": issue.id, "title": issue.title })).collect())
        .paged(|issues| Pagination {
            next_page_token: (issues.len() > 1).then(|| "next".to_owned()),
            has_more: issues.len() > 1,
        })
        .sample(|| ISSUES.to_vec())
        .handler(list)
        .build()
        .unwrap()
}

pub(crate) fn issue_get() -> Command {
    Command::get("tutti.issue.get", "issue get")
        .summary("Get an issue")
        .workspace(Workspace::StartupDefault)
        .positionals(["issue-id"])
        .detail_json(|issue: &Issue| json!({ "id": issue.id, "title": issue.title }))
        .plain(|issue: &Issue| format!("{} {}", issue.id, issue.title))
        .sample(|| ISSUES[0].clone())
        .handler(get)
        .build()
        .unwrap()
}

pub(crate) fn issue_wait() -> Command {
    Command::action("tutti.issue.wait", "issue wait")
        .summary("Wait for an issue")
        .workspace(Workspace::Optional)
        .wait()
        .summary_json(|done: &bool| json!({ "done": done }))
        .plain(|done: &bool| format!("done: {done}"))
        .answer(|_: NoInput, _| async move {
            Ok::<_, ErrorEnvelope>(Answer::new(false).with_continuation(Continuation::pending(1000).unwrap()))
        })
        .build()
        .unwrap()
}

pub(crate) fn issue_purge() -> Command {
    Command::action("tutti.issue.purge", "issue purge-cache")
        .summary("Purge the cache")
        .workspace(Workspace::Optional)
        .visibility(Visibility::Integration)
        .deprecated("issue get", "The cache is gone.")
        .deprecation_warning("deprecated_issue_purge")
        .summary_json(|(): &()| json!({ "purged": true }))
        .answer(|_: NoInput, _| async move {
            Ok::<_, ErrorEnvelope>(Answer::new(()).with_warning(Warning::new("cold", "The cache was cold.")))
        })
        .build()
        .unwrap()
}

pub(crate) fn registry_on(startup: Option<&'static str>) -> Registry {
    Registry::builder("tutti")
        .summary("An issue tracker")
        .commands([issue_list(), issue_get(), issue_wait(), issue_purge()])
        .workspaces(Startup(startup))
        .build()
        .unwrap()
}

pub(crate) fn registry() -> Registry {
    registry_on(Some("ws-1"))
}

pub(crate) fn run(args: &[&str]) -> Rendered {
    block_on(registry().run_args(args))
}
