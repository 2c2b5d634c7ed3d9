//! The JSON Schemas (draft 2020-12) of what the two mention functions take and give, for their registration and for
//! providers in other languages.
//!
//! They say what a provider or host is to *send*. Readers of this crate are more lenient; see
//! [`View::sanitized`](crate::View::sanitized). A schema can't say that `data` has at most 16 KiB.

use crate::wire::{GetRequest, SearchRequest, SearchResponse, View};
use schemars::{JsonSchema, Schema, generate::SchemaSettings};

/// The schema of a search request.
pub fn search_request() -> Schema {
    of::<SearchRequest>("MentionSearchRequest")
}

/// The schema of a search answer.
pub fn search_response() -> Schema {
    of::<SearchResponse>("MentionSearchResponse")
}

/// The schema of a get request.
pub fn get_request() -> Schema {
    of::<GetRequest>("MentionGetRequest")
}

/// The schema of a get answer: a view, or `null` for an id that the provider does not know.
pub fn view_or_null() -> Schema {
    of::<Option<View>>("MentionViewOrNull")
}

fn of<T: JsonSchema>(title: &str) -> Schema {
    let mut schema = SchemaSettings::draft2020_12()
        .with(|settings| settings.inline_subschemas = true)
        .into_generator()
        .into_root_schema_for::<T>();
    schema.insert("title".to_owned(), title.into());
    schema
}
