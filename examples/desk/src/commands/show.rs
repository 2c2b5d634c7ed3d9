//! What can be looked at: `reference list`, `commit get`, `issue get`, `issue list`, `issue topics`.

use cli_spec::{BuildError, Command, ErrorEnvelope, IntoEnvelope, Pagination, Workspace};
use mention_uri::{MentionUri, WorkspaceReference};
use ref_resolve::{ReferenceRequest, Resolution, ResolveError};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::error::DeskError;
use crate::host::Host;
use crate::providers::{Commits, Issues};
use crate::sources::resolver;
use crate::store::ItemRow;

/// Issues of one page of `issue list`.
const ISSUES_PAGE: u32 = 30;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
struct Reference {
    /// Where the files come from: `app` (a repository) or `task` (issues).
    source: Option<String>,
    /// The app's or the topic's id.
    id: Option<String>,
    /// A folder of the app, or an issue of the topic.
    group_id: Option<String>,
    /// The reference as a mention URI, instead of source, id and group.
    uri: Option<String>,
    /// Only files whose name contains this.
    query: Option<String>,
    /// Most files, 1,000 at most.
    limit: Option<u32>,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct One {
    /// The id or handle.
    #[schemars(extend("x-hint" = "Use `mention search --json` to discover ids."))]
    id: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
struct IssueList {
    /// Only issues that carry this label.
    topic_id: Option<String>,
    /// Only issues in this state.
    state: Option<IssueState>,
    /// Issues of one page.
    #[schemars(range(min = 1, max = 200))]
    #[serde(default = "issues_page")]
    page_size: u32,
    /// What the page before gave as `nextPageToken`.
    page_token: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum IssueState {
    Open,
    Closed,
}

fn issues_page() -> u32 {
    ISSUES_PAGE
}

/// An item with its topics.
struct Shown {
    row: ItemRow,
    topics: Vec<String>,
}

/// A page of issues.
struct IssuePage {
    rows: Vec<ItemRow>,
    next: Option<u64>,
}

pub(super) fn commands(host: &Host) -> Result<Vec<Command>, BuildError> {
    Ok(vec![references(host)?, commit(host)?, issue(host)?, issues(host)?, topics(host)?])
}

fn references(host: &Host) -> Result<Command, BuildError> {
    let host = host.clone();
    Command::list::<Reference, Resolution>("desk.reference.list", "reference list")
        .summary("List the files that a workspace reference stands for")
        .workspace(Workspace::Required)
        .table([("path", "PATH"), ("sizeBytes", "BYTES"), ("mediaType", "TYPE")], |resolution: &Resolution| {
            let cells = |file: &ref_resolve::File| [json!(file.path), json!(file.size_bytes), json!(file.media_type)];
            resolution.items.iter().map(cells).collect()
        })
        .raw_json("the reference protocol fixes this shape", |resolution| json!(resolution))
        .handler(move |input, context| {
            let host = host.clone();
            async move {
                let workbench = host.workbench(&context)?;
                let request =
                    request(&input, context.workspace_id().unwrap_or_default()).map_err(|error| refused(&error))?;
                resolver(&workbench.store).resolve(request).await.map_err(|error| refused(&error))
            }
        })
        .build()
}

fn request(input: &Reference, workspace: &str) -> Result<ReferenceRequest, ResolveError> {
    let caller = ref_resolve::Workspace::new(workspace)?;
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    let request = match &input.uri {
        Some(uri) => {
            let reference = WorkspaceReference::try_from(&MentionUri::parse(uri)?)?;
            ReferenceRequest::new(reference, &caller)?
        }
        None => {
            ReferenceRequest::from_parts(&text(&input.source), &text(&input.id), input.group_id.as_deref(), &caller)?
        }
    };
    let request = request.query(text(&input.query));
    match input.limit {
        Some(limit) => request.limit(usize::try_from(limit).unwrap_or(usize::MAX)),
        None => Ok(request),
    }
}

/// A failed resolution as an error: what the caller can mend is his (exit code 2), the rest is the source's.
fn refused(error: &ResolveError) -> ErrorEnvelope {
    let envelope = ErrorEnvelope::new(error.code(), error.to_string());
    match error {
        ResolveError::Source { .. } if error.retryable() => envelope.retryable_now(),
        ResolveError::Source { .. } => envelope,
        _ => envelope.usage(),
    }
}

fn commit(host: &Host) -> Result<Command, BuildError> {
    let host = host.clone();
    Command::get::<One, ItemRow>("desk.commit.get", "commit get")
        .summary("Show a commit with its whole message")
        .workspace(Workspace::Optional)
        .positionals(["id"])
        .detail_json(|row| item(row, &[]))
        .handler(move |input: One, context| {
            let host = host.clone();
            async move {
                let workbench = host.workbench(&context)?;
                let found = Commits::find(&workbench.store, &input.id).map_err(IntoEnvelope::into_envelope)?;
                found.ok_or_else(|| DeskError::NotFound { kind: "commit", id: input.id }.into_envelope())
            }
        })
        .build()
}

fn issue(host: &Host) -> Result<Command, BuildError> {
    let host = host.clone();
    Command::get::<One, Shown>("desk.issue.get", "issue get")
        .summary("Show an issue with its whole text")
        .workspace(Workspace::Optional)
        .positionals(["id"])
        .detail_json(|shown| item(&shown.row, &shown.topics))
        .handler(move |input: One, context| {
            let host = host.clone();
            async move {
                let store = &host.workbench(&context)?.store;
                let row = Issues::find(store, &input.id)
                    .map_err(IntoEnvelope::into_envelope)?
                    .ok_or_else(|| DeskError::NotFound { kind: "issue", id: input.id }.into_envelope())?;
                let topics = store.topics_of("issue", &row.id).map_err(IntoEnvelope::into_envelope)?;
                Ok::<_, ErrorEnvelope>(Shown { row, topics })
            }
        })
        .build()
}

fn issues(host: &Host) -> Result<Command, BuildError> {
    let host = host.clone();
    Command::list::<IssueList, IssuePage>("desk.issue.list", "issue list")
        .summary("List issues, newest first")
        .workspace(Workspace::Optional)
        .table([("id", "ID"), ("state", "STATE"), ("title", "TITLE")], |page: &IssuePage| {
            page.rows.iter().map(|row| [row.id.clone(), row.state.clone(), row.title.clone()]).collect()
        })
        .summary_json(|page| {
            let rows = page.rows.iter().map(|row| {
                json!({ "id": row.id, "handle": row.handle, "title": row.title, "state": row.state, "url": row.url })
            });
            json!({ "items": rows.collect::<Vec<_>>() })
        })
        .paged(|page| Pagination {
            next_page_token: page.next.map(|next| next.to_string()),
            has_more: page.next.is_some(),
        })
        .handler(move |input: IssueList, context| {
            let host = host.clone();
            async move {
                let store = &host.workbench(&context)?.store;
                let after = match &input.page_token {
                    Some(token) => token.parse().map_err(|_| {
                        DeskError::Invalid(format!("invalid input \"page-token\": {token:?} is no token of this list"))
                            .into_envelope()
                    })?,
                    None => 0,
                };
                let state = input.state.map(|state| match state {
                    IssueState::Open => "open",
                    IssueState::Closed => "closed",
                });
                let size = u64::from(input.page_size);
                let mut rows = store
                    .issues(input.topic_id.as_deref(), state, after, size + 1)
                    .map_err(IntoEnvelope::into_envelope)?;
                let more = rows.len() as u64 > size;
                rows.truncate(usize::try_from(size).unwrap_or(usize::MAX));
                Ok::<_, ErrorEnvelope>(IssuePage { rows, next: more.then_some(after + size) })
            }
        })
        .build()
}

fn topics(host: &Host) -> Result<Command, BuildError> {
    let host = host.clone();
    Command::list::<cli_spec::NoInput, Vec<(String, u64)>>("desk.issue.topics", "issue topics")
        .summary("List the labels that issues carry")
        .workspace(Workspace::Optional)
        .table([("id", "TOPIC"), ("issues", "ISSUES")], |topics: &Vec<(String, u64)>| {
            topics.iter().map(|(name, count)| [json!(name), json!(count)]).collect()
        })
        .summary_json(|topics| {
            let rows = topics.iter().map(|(name, count)| json!({ "id": name, "issues": count }));
            json!({ "items": rows.collect::<Vec<_>>() })
        })
        .handler(move |_, context| {
            let host = host.clone();
            async move { host.workbench(&context)?.store.topics().map_err(IntoEnvelope::into_envelope) }
        })
        .build()
}

fn item(row: &ItemRow, topics: &[String]) -> Value {
    let mut value = json!({
        "id": row.id, "handle": row.handle, "title": row.title, "body": row.body, "author": row.author,
        "updatedAtUnixMs": row.updated_ms, "deleted": row.gone,
    });
    if let Some(object) = value.as_object_mut() {
        for (key, text) in [("state", &row.state), ("url", &row.url)] {
            if !text.is_empty() {
                object.insert(key.to_owned(), json!(text));
            }
        }
        if !topics.is_empty() {
            object.insert("topics".to_owned(), json!(topics));
        }
    }
    value
}
