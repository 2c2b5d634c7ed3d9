use super::Item;
use mention_uri::limits as shared;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, de};

/// What a search function is asked.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct SearchRequest {
    /// What was typed. Empty asks for the most relevant recent items.
    pub query: String,
    /// The number of items wanted: 8 when none is given, at most 50; see [`effective_limit`](Self::effective_limit).
    #[schemars(description = "The number of items wanted: 8 when none is given, at most 50.")]
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "whole_number")]
    pub limit: Option<u64>,
    /// Where the search was asked from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<SearchContext>,
}

impl SearchRequest {
    /// A request with the default limit and no context.
    pub fn new(query: impl Into<String>) -> Self {
        Self { query: query.into(), limit: None, context: None }
    }

    /// Sets the number of items wanted; 8 by default.
    #[must_use]
    pub fn limit(mut self, limit: u64) -> Self {
        self.limit = Some(limit);
        self
    }

    /// Sets where the search was asked from.
    #[must_use]
    pub fn context(mut self, context: SearchContext) -> Self {
        self.context = Some(context);
        self
    }

    /// The number of items to answer: what was asked, 8 when nothing was, and always 1 to 50.
    pub fn effective_limit(&self) -> usize {
        self.limit.map_or(shared::SEARCH_DEFAULT, |limit| {
            usize::try_from(limit).unwrap_or(usize::MAX).clamp(1, shared::SEARCH_MAX)
        })
    }

    /// Whether more was asked than a search answers.
    pub fn capped(&self) -> bool {
        self.limit.is_some_and(|limit| usize::try_from(limit).map_or(true, |limit| limit > shared::SEARCH_MAX))
    }
}

/// A whole JSON number, 0 or more. `8.0` is whole, as JSON Schema's `integer` has it.
fn whole_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    let Some(number) = Option::<serde_json::Number>::deserialize(deserializer)? else {
        return Ok(None);
    };
    if let Some(limit) = number.as_u64() {
        return Ok(Some(limit));
    }
    match number.as_f64() {
        // The cast saturates, and everything from 51 on means the same.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole and not negative; saturates")]
        Some(limit) if limit >= 0.0 && limit.fract() == 0.0 => Ok(Some(limit as u64)),
        _ => Err(de::Error::custom(format_args!("limit is a whole number, 0 or more; found {number}"))),
    }
}

/// Where a search was asked from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct SearchContext {
    /// The chat that asks: a provider of sessions leaves it out of its own answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// The folder that the chat works in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub working_dir: Option<String>,
}

impl SearchContext {
    /// A context that says nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the chat that asks.
    #[must_use]
    pub fn session_id(mut self, session_id: impl Into<String>) -> Self {
        self.session_id = Some(session_id.into());
        self
    }

    /// Sets the folder that the chat works in.
    #[must_use]
    pub fn working_dir(mut self, working_dir: impl Into<String>) -> Self {
        self.working_dir = Some(working_dir.into());
        self
    }
}

/// What a search function answers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct SearchResponse {
    /// The items, best match first.
    #[schemars(length(max = 50))]
    pub items: Vec<Item>,
}

impl SearchResponse {
    /// An answer with these items, best match first.
    pub fn new(items: impl IntoIterator<Item = Item>) -> Self {
        Self { items: items.into_iter().collect() }
    }
}

impl FromIterator<Item> for SearchResponse {
    fn from_iter<I: IntoIterator<Item = Item>>(items: I) -> Self {
        Self::new(items)
    }
}

/// What a get function is asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct GetRequest {
    /// The record's id; a provider may also accept its handle, and answers with the canonical id.
    #[schemars(length(min = 1, max = 512), regex(pattern = r"\S"))]
    pub id: String,
}

impl GetRequest {
    /// A request for one record.
    pub fn new(id: impl Into<String>) -> Self {
        Self { id: id.into() }
    }
}
