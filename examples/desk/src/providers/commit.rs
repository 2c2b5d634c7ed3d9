//! `@commit`: the commits of the imported repositories.

use std::sync::Arc;

use mention_contract::{
    Descriptor, Field, GetRequest, Item, Open, Provider, ProviderError, SearchRequest, SearchResponse, View,
};
use serde_json::json;

use super::recall::{Recall, Recalled};
use super::{day, excerpt, failed, moment};
use crate::error::DeskError;
use crate::store::{ItemRow, Store};

/// The shortest beginning of a hash that is looked up.
const SHORTEST: usize = 4;

/// The provider of `@commit`.
#[derive(Debug)]
pub struct Commits {
    descriptor: Descriptor,
    recall: Arc<Recall>,
}

impl Commits {
    /// The provider over a store.
    pub fn new(store: Arc<Store>) -> Result<Self, DeskError> {
        let descriptor = Descriptor::new("commit", "Commits", "desk::commit::mention-search")
            .and_then(|descriptor| descriptor.details("desk::commit::get", "id"))
            .map_err(|error| DeskError::Host(error.to_string()))?
            .description("A Git commit, by hash; the short hash works too (a1b2c3d)")
            .icon("event")
            .color("purple");
        Ok(Self { descriptor, recall: Arc::new(Recall::new(store, load)) })
    }

    /// The commit with this id or beginning of one.
    pub fn find(store: &Store, id: &str) -> Result<Option<ItemRow>, DeskError> {
        if let Some(commit) = store.item("commit", id)? {
            return Ok(Some(commit));
        }
        let prefix = id.trim_start_matches('#').to_ascii_lowercase();
        let looks_right = prefix.len() >= SHORTEST && prefix.bytes().all(|byte| byte.is_ascii_hexdigit());
        if looks_right { store.item_by_prefix("commit", &prefix) } else { Ok(None) }
    }
}

fn load(store: &Store) -> Result<Vec<Recalled>, DeskError> {
    let mut records = Vec::new();
    store.each_item("commit", |row| {
        let ItemRow { id, handle, title, body, updated_ms, .. } = row;
        records.push(Recalled { id, handle, title: label(title), body, updated_ms });
    })?;
    Ok(records)
}

/// A subject as a label: never empty.
fn label(title: String) -> String {
    if title.trim().is_empty() { "(no subject)".to_owned() } else { title }
}

impl Provider for Commits {
    fn descriptor(&self) -> &Descriptor {
        &self.descriptor
    }

    async fn search(&self, request: &SearchRequest) -> Result<SearchResponse, ProviderError> {
        self.recall.search(request, item).await
    }

    async fn get(&self, request: &GetRequest) -> Result<Option<View>, ProviderError> {
        let found = Self::find(self.recall.store(), &request.id).map_err(|error| failed(&error))?;
        Ok(found.map(view))
    }
}

fn item(store: &Store, id: &str) -> Result<Option<Item>, DeskError> {
    let found = store.item("commit", id)?;
    Ok(found.map(|row| {
        let item = Item::new(row.id, label(row.title)).hint(row.handle);
        match day(row.updated_ms) {
            Some(day) => item.description(format!("{day} · {}", row.author)),
            None => item.description(row.author),
        }
    }))
}

fn view(row: ItemRow) -> View {
    let ItemRow { id, handle, title, body, author, updated_ms, gone, .. } = row;
    let title = label(title);
    let gone_word = if gone { " · deleted" } else { "" };
    let when = day(updated_ms).unwrap_or_else(|| "no date".to_owned());
    let mut view = View::new(&id, &title)
        .hint(&handle)
        .description(format!("{author} · {when}{gone_word}"))
        .icon("event")
        .color(if gone { "neutral" } else { "purple" })
        .field(Field::new("Author", author.as_str()))
        .field(Field::new("Date", when.as_str()))
        .field(Field::new("Hash", id.as_str()))
        .open(Open::page_with("commit", json!({ "id": id })))
        .summary(format!("Commit {handle} \"{title}\" · {author} · {when}{gone_word}"))
        .data(json!({ "id": id, "excerpt": excerpt(&body, 280), "deleted": gone }));
    if gone {
        view = view.field(Field::new("State", "deleted").tone("danger"));
    }
    if let Some(moment) = moment(updated_ms) {
        view = view.updated_at(moment);
    }
    view
}
