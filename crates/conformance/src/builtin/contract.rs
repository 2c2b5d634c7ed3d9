//! Descriptors, registries, views, searches, menus, and what is typed at the caret.

use mention_contract::check;
use mention_contract::composer::{self, Edit, Trigger, What};
use mention_contract::context::links_per_resource;
use mention_contract::search::{Answer as Found, Menu, Plan, State};
use mention_contract::{Breach, Descriptor, Diagnostic, Item, Registry, SearchRequest, SearchResponse, View};
use mention_uri::ResourceKinds;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Given, put, read, write};
use crate::answer::Answer;

pub(super) fn answer(op: &str, input: &Value) -> Option<Given> {
    Some(match op {
        "descriptor.check" => descriptor_check(input),
        "descriptor.metadata" => descriptor_metadata(input),
        "descriptor.rules" => descriptor_rules(input),
        "registry.build" => registry_build(input),
        "view.check" => view_check(input),
        "view.summary" => view_summary(input),
        "item.check" => item_check(input),
        "search.request" => search_request(input),
        "search.menu" => search_menu(input),
        "context.links" => context_links(input),
        "result.links" => result_links(input),
        "composer.trigger" => composer_trigger(input),
        "composer.accept" => composer_accept(input),
        "composer.scope" => composer_scope(input),
        _ => return None,
    })
}

#[derive(Deserialize)]
struct Mention {
    mention: Value,
    #[serde(default)]
    get: String,
}

fn descriptor(mention: &Value) -> Result<Descriptor, Answer> {
    Descriptor::from_json(mention).map_err(|error| Answer::error(error.code()).with("pointer", error.pointer()))
}

fn descriptor_check(input: &Value) -> Given {
    let mut json = write(&descriptor(&read::<Mention>(input)?.mention)?)?;
    if let Some(map) = json.as_object_mut() {
        map.remove("v");
    }
    Ok(json!({ "descriptor": json }))
}

fn descriptor_metadata(input: &Value) -> Given {
    Ok(json!({ "metadata": descriptor(&read::<Mention>(input)?.mention)?.metadata() }))
}

fn descriptor_rules(input: &Value) -> Given {
    let input: Mention = read(input)?;
    Ok(json!({ "rules": descriptor(&input.mention)?.permission_rules(&input.get) }))
}

#[derive(Deserialize)]
pub(super) struct Function {
    id: String,
    metadata: Value,
}

pub(super) fn registry(functions: &[Function]) -> Registry {
    Registry::from_functions(functions.iter().map(|function| (function.id.as_str(), &function.metadata)))
}

#[derive(Deserialize)]
struct Functions {
    functions: Vec<Function>,
}

fn registry_build(input: &Value) -> Given {
    let registry = registry(&read::<Functions>(input)?.functions);
    let provider = |provider: &mention_contract::Registered| json!({ "name": provider.name(), "get": provider.get_function(), "search": provider.search_function() });
    let diagnostic = |note: &Diagnostic| {
        let mut map = Map::new();
        put(&mut map, "functionId", Some(note.function_id()));
        put(&mut map, "code", Some(note.code()));
        match note {
            Diagnostic::Rejected { error, .. } => put(&mut map, "error", Some(error.code())),
            Diagnostic::Lost { winner, .. } => put(&mut map, "winner", Some(winner.as_str())),
            _ => {}
        }
        Value::Object(map)
    };
    let providers: Vec<Value> = registry.iter().map(provider).collect();
    let diagnostics: Vec<Value> = registry.diagnostics().iter().map(diagnostic).collect();
    Ok(json!({ "providers": providers, "diagnostics": diagnostics }))
}

/// The codes of what is wrong, in byte order; the first fatal one in place of a result.
fn judged(name: &str, value: Value, breaches: &[Breach]) -> Given {
    if let Some(fatal) = breaches.iter().find(|breach| breach.is_fatal()) {
        return Err(Answer::error(fatal.code()));
    }
    let mut codes: Vec<&str> = breaches.iter().map(Breach::code).collect();
    codes.sort_unstable();
    let mut map = Map::new();
    map.insert(name.to_owned(), value);
    map.insert("breaches".to_owned(), json!(codes));
    Ok(map.into())
}

#[derive(Deserialize)]
struct OfView {
    view: View,
}

fn view_check(input: &Value) -> Given {
    let (view, breaches) = read::<OfView>(input)?.view.sanitized();
    judged("view", write(&view)?, &breaches)
}

fn view_summary(input: &Value) -> Given {
    Ok(json!({ "summary": read::<OfView>(input)?.view.agent_summary() }))
}

#[derive(Deserialize)]
struct OfItem {
    item: Item,
}

fn item_check(input: &Value) -> Given {
    let (item, breaches) = read::<OfItem>(input)?.item.sanitized();
    judged("item", write(&item)?, &breaches)
}

#[derive(Deserialize)]
struct Request {
    request: Value,
}

fn search_request(input: &Value) -> Given {
    let request = SearchRequest::deserialize(&read::<Request>(input)?.request);
    let request = request.map_err(|_| Answer::error("invalid_request"))?;
    Ok(json!({ "query": request.query, "limit": request.effective_limit(), "capped": request.capped() }))
}

#[derive(Deserialize)]
struct OfMenu {
    functions: Vec<Function>,
    query: String,
    scope: Option<String>,
    answers: Vec<OneAnswer>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OneAnswer {
    provider: String,
    items: Option<Vec<Item>>,
    failed: Option<String>,
}

fn search_menu(input: &Value) -> Given {
    let input: OfMenu = read(input)?;
    let registry = registry(&input.functions);
    let plan = match &input.scope {
        None => Plan::global(input.query, &registry),
        Some(name) => Plan::scoped(name, input.query, &registry),
    };
    let mut menu = Menu::new();
    let generation = menu.begin(&plan);
    for answer in input.answers {
        let provider = answer.provider;
        let answer = match (answer.items, answer.failed) {
            (Some(items), _) => Found::items(provider, SearchResponse::new(items)),
            (None, Some(message)) => Found::failed(provider, message),
            (None, None) => Found::timed_out(provider),
        };
        menu.answer(generation, answer);
    }
    let group = |group: &mention_contract::search::Group| {
        let state = match group.state() {
            State::Loading => "loading",
            State::Ready => "ready",
            State::Failed { .. } => "failed",
            State::TimedOut => "timed_out",
            _ => "other",
        };
        let rows: Vec<&str> = group.rows().iter().map(|item| item.id.as_str()).collect();
        json!({ "provider": group.provider(), "state": state, "rows": rows, "more": group.has_more() })
    };
    Ok(json!({ "groups": menu.groups().iter().map(group).collect::<Vec<_>>() }))
}

#[derive(Deserialize)]
struct Typed {
    functions: Vec<Function>,
    text: String,
    caret: usize,
    #[serde(default)]
    provider: String,
    #[serde(default)]
    id: String,
}

impl Typed {
    fn trigger(&self) -> Option<Trigger> {
        composer::trigger(&self.text, self.caret, &registry(&self.functions))
    }

    fn edited(&self, edit: &Edit) -> Given {
        let text = edit.apply(&self.text).ok_or_else(|| Answer::Broken("the edit does not fit the text".to_owned()))?;
        Ok(json!({ "text": text, "caret": { "bytes": edit.caret, "utf16": edit.caret_utf16 } }))
    }
}

fn composer_trigger(input: &Value) -> Given {
    let Some(trigger) = read::<Typed>(input)?.trigger() else { return Ok(json!({ "trigger": null })) };
    let mut map = Map::new();
    match trigger.what() {
        What::Global { query, providers } => {
            put(&mut map, "kind", Some("global"));
            put(&mut map, "query", Some(query.as_str()));
            put(&mut map, "providers", Some(providers.clone()));
        }
        What::Scoped { name, query } => {
            put(&mut map, "kind", Some("scoped"));
            put(&mut map, "name", Some(name.as_str()));
            put(&mut map, "query", Some(query.as_str()));
        }
        _ => put(&mut map, "kind", Some("other")),
    }
    let (bytes, utf16) = (trigger.range(), trigger.range_utf16());
    put(&mut map, "bytes", Some(json!([bytes.start, bytes.end])));
    put(&mut map, "utf16", Some(json!([utf16.start, utf16.end])));
    Ok(json!({ "trigger": map }))
}

fn no_trigger() -> Answer {
    Answer::error("no_trigger")
}

fn composer_accept(input: &Value) -> Given {
    let input: Typed = read(input)?;
    let trigger = input.trigger().ok_or_else(no_trigger)?;
    input.edited(&trigger.accept(&input.provider, &Item::new(input.id.as_str(), "label"))?)
}

fn composer_scope(input: &Value) -> Given {
    let input: Typed = read(input)?;
    let edit = input.trigger().and_then(|trigger| trigger.scope_to(&input.provider)).ok_or_else(no_trigger)?;
    input.edited(&edit)
}

#[derive(Deserialize)]
struct Reply {
    text: String,
}

fn context_links(input: &Value) -> Given {
    let counts = links_per_resource(&read::<Reply>(input)?.text, &ResourceKinds::studio());
    let links: Map<String, Value> = counts.iter().map(|(uri, count)| (uri.to_string(), json!(count))).collect();
    Ok(json!({ "links": links }))
}

#[derive(Deserialize)]
struct ToolResult {
    json: Value,
}

fn result_links(input: &Value) -> Given {
    let report = check::result_links(&read::<ToolResult>(input)?.json, &ResourceKinds::studio());
    let links: Map<String, Value> =
        report.links.iter().map(|(pointer, uri)| (pointer.clone(), json!(uri.as_str()))).collect();
    let fault = |fault: &check::LinkFault| json!({ "pointer": fault.pointer, "code": fault.code() });
    Ok(json!({ "links": links, "faults": report.faults.iter().map(fault).collect::<Vec<_>>() }))
}
