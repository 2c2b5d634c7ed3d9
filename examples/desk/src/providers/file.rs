//! `@file`: the tracked files of the imported repositories. The smallest of the three: the README explains it line by line.

use std::sync::Arc;

use mention_contract::{
    Descriptor, Field, GetRequest, Item, Open, Provider, ProviderError, SearchRequest, SearchResponse, View,
};
use serde_json::json;

use super::failed;
use super::recall::{Recall, Recalled};
use crate::error::DeskError;
use crate::store::{FileRow, Store};

/// The provider of `@file`.
#[derive(Debug)]
pub struct Files {
    descriptor: Descriptor,
    recall: Arc<Recall>,
}

impl Files {
    /// The provider over a store.
    pub fn new(store: Arc<Store>) -> Result<Self, DeskError> {
        let descriptor = Descriptor::new("tracked-file", "Files", "desk::file::mention-search")
            .map_err(|error| DeskError::Host(error.to_string()))?
            .description("A tracked file, by repository and path (project:src/main.rs)")
            .icon("file")
            .color("teal");
        Ok(Self { descriptor, recall: Arc::new(Recall::new(store, load)) })
    }

    /// The file with this id.
    pub fn find(store: &Store, id: &str) -> Result<Option<FileRow>, DeskError> {
        match id.split_once(':') {
            Some((app, path)) => store.file(app, path),
            None => Ok(None),
        }
    }
}

fn id(file: &FileRow) -> String {
    format!("{}:{}", file.app, file.path)
}

fn item(store: &Store, id: &str) -> Result<Option<Item>, DeskError> {
    let found = Files::find(store, id)?;
    Ok(found.map(|file| Item::new(id, &file.path).hint(&file.name).description(&file.app)))
}

fn load(store: &Store) -> Result<Vec<Recalled>, DeskError> {
    let mut records = Vec::new();
    store.each_file(|file| {
        records.push(Recalled {
            id: id(&file),
            handle: file.name,
            title: file.path,
            body: String::new(),
            updated_ms: None,
        });
    })?;
    Ok(records)
}

impl Provider for Files {
    fn descriptor(&self) -> &Descriptor {
        &self.descriptor
    }

    async fn search(&self, request: &SearchRequest) -> Result<SearchResponse, ProviderError> {
        self.recall.search(request, item).await
    }

    async fn get(&self, request: &GetRequest) -> Result<Option<View>, ProviderError> {
        let found = Self::find(self.recall.store(), &request.id).map_err(|error| failed(&error))?;
        Ok(found.map(|file| {
            let state = if file.gone { " · deleted" } else { "" };
            View::new(id(&file), &file.path)
                .hint(&file.name)
                .description(format!("{} · {} bytes{state}", file.app, file.size))
                .icon("file")
                .color(if file.gone { "neutral" } else { "teal" })
                .field(Field::new("Repository", file.app.as_str()))
                .field(Field::new("Path", file.path.as_str()))
                .field(Field::new("Size", format!("{} bytes", file.size)))
                .open(Open::page_with("file", json!({ "id": id(&file) })))
                .summary(format!("File {} of {} · {} bytes{state}", file.path, file.app, file.size))
                .data(json!({ "id": id(&file), "deleted": file.gone }))
        }))
    }
}
