//! References to files.

use std::sync::{Mutex, PoisonError};

use futures_util::FutureExt as _;
use mention_uri::{Source, WorkspaceReference};
use ref_resolve::{
    AppArtifacts, Call, File, InMemoryTasks, Item, Limits, OnError, Origin, Page, PageRequest, ReferenceRequest,
    ResolveError, Resolver, SourceError, Traversal, Workspace, expand,
};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Given, put, read, write};
use crate::answer::Answer;

pub(super) fn answer(op: &str, input: &Value) -> Option<Given> {
    Some(match op {
        "reference.resolve" => resolve(input),
        "reference.json" => resolve_json(input),
        "reference.expand" => expand_text(input),
        _ => return None,
    })
}

impl From<ResolveError> for Answer {
    fn from(error: ResolveError) -> Self {
        Self::error(error.code())
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Resolve {
    reference: Reference,
    workspace: String,
    caller: String,
    query: Option<String>,
    limit: Option<usize>,
    #[serde(default)]
    limits: Bounds,
    on_error: Option<String>,
    pages: Vec<Scripted>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Reference {
    source: String,
    id: String,
    group_id: Option<String>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase")]
struct Bounds {
    groups: Option<usize>,
    pages: Option<usize>,
    group_pages: Option<usize>,
    depth: Option<usize>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Scripted {
    #[serde(default)]
    id: Option<String>,
    group: Option<String>,
    cursor: Option<String>,
    items: Option<Vec<Entry>>,
    next_cursor: Option<String>,
    error: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    file: Option<String>,
    group: Option<String>,
    name: Option<String>,
    key: Option<String>,
    size: Option<u64>,
    media_type: Option<String>,
    created: Option<i64>,
}

impl Entry {
    fn item(&self) -> Item {
        if let Some(group) = &self.group {
            return Item::group(group);
        }
        let Some(path) = &self.file else { return Item::Other };
        let mut file = File::new(path);
        if let Some(name) = &self.name {
            file = file.display_name(name);
        }
        if let Some(key) = &self.key {
            file = file.key(key);
        }
        file = file.size_bytes(self.size.unwrap_or(0)).created_at_unix_ms(self.created.unwrap_or(0));
        Item::File(file.media_type(self.media_type.clone().unwrap_or_default()))
    }
}

impl Scripted {
    fn answers(&self, group: Option<&str>, cursor: Option<&str>) -> bool {
        self.group.as_deref() == group && self.cursor.as_deref() == cursor
    }

    fn result(&self) -> Result<Page, SourceError> {
        let message = "scripted".to_owned();
        match (&self.items, self.error.as_deref()) {
            (Some(items), _) => {
                let items: Vec<Item> = items.iter().map(Entry::item).collect();
                Ok(match &self.next_cursor {
                    Some(cursor) => Page::with_next(items, cursor),
                    None => Page::last(items),
                })
            }
            (None, Some("not_found")) => Err(SourceError::NotFound(message)),
            (None, Some("forbidden")) => Err(SourceError::Forbidden(message)),
            (None, Some("source_unavailable")) => Err(SourceError::unavailable(message)),
            (None, Some("source_invalid")) => Err(SourceError::Invalid(message)),
            (None, _) => Err(SourceError::Other(message)),
        }
    }
}

/// A request from its parts, and the same from a reference where the caller's workspace is another one.
fn request(input: &Resolve) -> Result<ReferenceRequest, Answer> {
    let caller = Workspace::new(input.caller.as_str())?;
    let Reference { source, id, group_id } = &input.reference;
    let mut request = if input.workspace == input.caller {
        ReferenceRequest::from_parts(source, id, group_id.as_deref(), &caller)?
    } else {
        let source: Source = source.parse()?;
        ReferenceRequest::new(WorkspaceReference::new(source, id, group_id.as_deref(), &input.workspace)?, &caller)?
    };
    if let Some(query) = &input.query {
        request = request.query(query);
    }
    match input.limit {
        Some(limit) => Ok(request.limit(limit)?),
        None => Ok(request),
    }
}

fn described(call: &Call) -> Map<String, Value> {
    let kind = match call {
        Call::AppPage { .. } => "app",
        Call::IssueOutputs { .. } => "issue",
        Call::TopicOutputs { .. } => "topic",
    };
    let page = call.page().request();
    let mut map = Map::new();
    put(&mut map, "call", Some(kind));
    put(&mut map, "group", page.parent_group);
    put(&mut map, "cursor", page.cursor);
    map
}

/// The walk, one call at a time.
fn walk(input: &Resolve) -> Result<(ref_resolve::Resolution, Vec<Value>), Answer> {
    let mut limits = Limits::default().max_in_flight(1);
    limits.groups = input.limits.groups.unwrap_or(limits.groups);
    limits.pages = input.limits.pages.unwrap_or(limits.pages);
    limits.group_pages = input.limits.group_pages.unwrap_or(limits.group_pages);
    limits.depth = input.limits.depth.unwrap_or(limits.depth);
    if input.on_error.as_deref() == Some("skip") {
        limits = limits.on_error(OnError::Skip);
    }
    let mut walk = Traversal::new(request(input)?, limits);
    let mut calls = Vec::new();
    loop {
        let asked = walk.next_calls();
        let Some(call) = asked.first() else { break };
        let page = call.page().request();
        let scripted = input.pages.iter().find(|scripted| scripted.answers(page.parent_group, page.cursor));
        let scripted =
            scripted.ok_or_else(|| Answer::Broken(format!("a page is asked for that is not scripted: {page:?}")))?;
        calls.push(Value::Object(described(call)));
        walk.answer(call, scripted.result()).map_err(|error| Answer::error(error.code()))?;
    }
    Ok((walk.finish()?, calls))
}

fn resolve(input: &Value) -> Given {
    let (resolution, calls) = walk(&read(input)?)?;
    let files: Vec<&str> = resolution.items.iter().map(|file| file.path.as_str()).collect();
    let mut failures = Vec::new();
    for failure in &resolution.failures {
        let mut map = Map::new();
        put(&mut map, "group", failure.group.as_deref());
        put(&mut map, "code", Some(failure.error.code()));
        failures.push(Value::Object(map));
    }
    let truncated = write(&resolution.truncated)?;
    Ok(json!({ "files": files, "truncated": truncated, "failures": failures, "calls": calls }))
}

fn resolve_json(input: &Value) -> Given {
    let (resolution, _) = walk(&read(input)?)?;
    Ok(json!({ "json": write(&resolution)? }))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Expand {
    text: String,
    context_refs: Vec<String>,
    caller: String,
    pages: Vec<Scripted>,
}

/// The scripted apps, with the calls that were made.
struct Apps {
    pages: Vec<Scripted>,
    calls: Mutex<Vec<Value>>,
}

impl AppArtifacts for Apps {
    async fn list(&self, _: &Workspace, app_id: &str, page: PageRequest<'_>) -> Result<Page, SourceError> {
        let mut map = Map::new();
        put(&mut map, "call", Some("app"));
        put(&mut map, "id", Some(app_id));
        put(&mut map, "group", page.parent_group);
        put(&mut map, "cursor", page.cursor);
        self.calls.lock().unwrap_or_else(PoisonError::into_inner).push(Value::Object(map));
        let scripted = self.pages.iter().find(|scripted| {
            scripted.id.as_deref() == Some(app_id) && scripted.answers(page.parent_group, page.cursor)
        });
        scripted.map_or_else(|| Err(SourceError::Other("not scripted".to_owned())), Scripted::result)
    }
}

fn expand_text(input: &Value) -> Given {
    let input: Expand = read(input)?;
    let caller = Workspace::new(input.caller)?;
    let attached: Vec<File> = input.context_refs.into_iter().map(File::new).collect();
    let apps = Apps { pages: input.pages, calls: Mutex::new(Vec::new()) };
    let resolver = Resolver::new(apps, InMemoryTasks::new()).limits(Limits::default().max_in_flight(1));
    let expansion = expand(&input.text, &attached, &caller, &resolver).now_or_never();
    let expansion = expansion.ok_or_else(|| Answer::Broken("the scripted apps had to be waited for".to_owned()))?;
    let file = |item: &ref_resolve::ExpandedFile| {
        let origin = match item.origin {
            Origin::Content => "content",
            Origin::Context => "context",
            Origin::Reference => "reference",
        };
        json!({ "path": item.file.path, "origin": origin })
    };
    let files: Vec<Value> = expansion.items.iter().map(file).collect();
    let failures = expansion.failures.iter();
    let failures: Vec<Value> =
        failures.map(|failure| json!({ "reference": failure.reference, "code": failure.error.code() })).collect();
    let calls = resolver.apps.calls.lock().unwrap_or_else(PoisonError::into_inner).clone();
    Ok(json!({ "files": files, "failures": failures, "calls": calls }))
}
