//! `@issue`: the issues of the imported files.

use std::sync::Arc;

use mention_contract::{
    Descriptor, Field, GetRequest, Item, Open, Provider, ProviderError, SearchRequest, SearchResponse, View,
};
use serde_json::json;

use super::recall::{Recall, Recalled};
use super::{day, excerpt, failed, moment};
use crate::error::DeskError;
use crate::store::{ItemRow, Store};

/// The provider of `@issue`.
#[derive(Debug)]
pub struct Issues {
    descriptor: Descriptor,
    recall: Arc<Recall>,
}

impl Issues {
    /// The provider over a store.
    pub fn new(store: Arc<Store>) -> Result<Self, DeskError> {
        let descriptor = Descriptor::new("issue", "Issues", "desk::issue::mention-search")
            .and_then(|descriptor| descriptor.details("desk::issue::get", "id"))
            .map_err(|error| DeskError::Host(error.to_string()))?
            .description("An issue, by project and number (owner/project#12); #12 works where it is the only one")
            .icon("issue")
            .color("green");
        Ok(Self { descriptor, recall: Arc::new(Recall::new(store, load)) })
    }

    /// The issue with this id, or the only one with this handle or number.
    pub fn find(store: &Store, id: &str) -> Result<Option<ItemRow>, DeskError> {
        if let Some(issue) = store.item("issue", id)? {
            return Ok(Some(issue));
        }
        let number = id.strip_prefix('#').unwrap_or(id);
        store.item_by_handle("issue", &format!("#{number}"))
    }
}

fn load(store: &Store) -> Result<Vec<Recalled>, DeskError> {
    let mut records = Vec::new();
    store.each_item("issue", |row| {
        let ItemRow { id, handle, title, body, updated_ms, .. } = row;
        records.push(Recalled { id, handle, title, body, updated_ms });
    })?;
    Ok(records)
}

fn color(row: &ItemRow) -> &'static str {
    match (row.gone, row.state.as_str()) {
        (false, "open") => "green",
        (false, "closed") => "purple",
        _ => "neutral",
    }
}

impl Provider for Issues {
    fn descriptor(&self) -> &Descriptor {
        &self.descriptor
    }

    async fn search(&self, request: &SearchRequest) -> Result<SearchResponse, ProviderError> {
        self.recall.search(request, item).await
    }

    async fn get(&self, request: &GetRequest) -> Result<Option<View>, ProviderError> {
        let store = self.recall.store();
        let Some(row) = Self::find(store, &request.id).map_err(|error| failed(&error))? else { return Ok(None) };
        let topics = store.topics_of("issue", &row.id).map_err(|error| failed(&error))?;
        Ok(Some(view(row, &topics)))
    }
}

fn item(store: &Store, id: &str) -> Result<Option<Item>, DeskError> {
    let found = store.item("issue", id)?;
    Ok(found.map(|row| {
        let color = color(&row);
        let item = Item::new(row.id, row.title).hint(row.handle).color(color);
        if row.state.is_empty() { item } else { item.description(row.state) }
    }))
}

fn view(row: ItemRow, topics: &[String]) -> View {
    let color = color(&row);
    let ItemRow { id, handle, title, body, author, state, url, updated_ms, gone } = row;
    let state = if gone { "deleted".to_owned() } else { state };
    let mut view = View::new(&id, &title)
        .hint(&handle)
        .icon("issue")
        .color(color)
        .data(json!({ "id": id, "excerpt": excerpt(&body, 280), "deleted": gone }));
    let mut facts = vec![format!("Issue {handle} \"{title}\"")];
    if !state.is_empty() {
        let tone = match state.as_str() {
            "open" => "success",
            "deleted" => "danger",
            _ => "neutral",
        };
        facts.push(format!("state: {state}"));
        view = view.description(&state).field(Field::new("State", state.as_str()).tone(tone));
    }
    if !author.is_empty() {
        facts.push(format!("assigned to: {author}"));
        view = view.field(Field::new("Assignees", author));
    }
    if !topics.is_empty() {
        facts.push(format!("labels: {}", topics.join(", ")));
        view = view.field(Field::new("Labels", topics.join(", ")));
    }
    if let Some(day) = day(updated_ms) {
        view = view.field(Field::new("Updated", day));
    }
    if let Some(moment) = moment(updated_ms) {
        view = view.updated_at(moment);
    }
    view = view.open(if url.is_empty() { Open::page_with("issue", json!({ "id": id })) } else { Open::url(url) });
    view.summary(facts.join(" · "))
}
