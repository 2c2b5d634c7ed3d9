use crate::composer::{Trigger, What};
use crate::limits;
use crate::registry::{Registered, Registry};
use crate::style::{Color, Icon};
use crate::wire::{SearchContext, SearchRequest};
use mention_uri::limits as shared;
use serde_json::{Map, Value};
use std::time::Duration;

/// What to ask, of whom, for one state of what is being typed.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    query: String,
    calls: Vec<Call>,
    deadline: Duration,
}

impl Plan {
    /// Asks every provider, for one row more than the menu shows of each; from the first character on, so that a blank
    /// query asks nobody.
    pub fn global(query: impl Into<String>, registry: &Registry) -> Self {
        let query = query.into();
        let calls = if crate::text::has_visible(&query) {
            let shown = shared::SEARCH_MENU.saturating_sub(1);
            registry.iter().map(|provider| Call::new(provider, &query, shared::SEARCH_MENU, shown)).collect()
        } else {
            Vec::new()
        };
        Self { query, calls, deadline: limits::SEARCH_DEADLINE }
    }

    /// Asks one provider for 20 rows; a blank query asks for the recent ones. A name that the registry does not have
    /// gives a plan without calls.
    pub fn scoped(name: &str, query: impl Into<String>, registry: &Registry) -> Self {
        let query = query.into();
        let call = |provider| Call::new(provider, &query, limits::SCOPED_ROWS, limits::SCOPED_ROWS);
        let calls = registry.provider(name).map(call).into_iter().collect();
        Self { query, calls, deadline: limits::SEARCH_DEADLINE }
    }

    /// Asks what a composer's trigger is about.
    pub fn of(trigger: &Trigger, registry: &Registry) -> Self {
        match trigger.what() {
            What::Global { query, .. } => Self::global(query, registry),
            What::Scoped { name, query } => Self::scoped(name, query, registry),
        }
    }

    /// Sets where the search is asked from; nothing by default.
    #[must_use]
    pub fn context(mut self, context: &SearchContext) -> Self {
        for call in &mut self.calls {
            call.request.context = Some(context.clone());
        }
        self
    }

    /// Sets how long each provider is waited for; 2.5 s by default.
    #[must_use]
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.deadline = deadline;
        self
    }

    /// What was typed.
    pub fn query(&self) -> &str {
        &self.query
    }

    /// The calls, in registry order.
    pub fn calls(&self) -> &[Call] {
        &self.calls
    }

    /// How long each provider is waited for.
    pub fn patience(&self) -> Duration {
        self.deadline
    }
}

/// One call of a search function.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    pub(super) provider: String,
    pub(super) label: String,
    pub(super) icon: Icon,
    pub(super) color: Color,
    pub(super) shown: usize,
    function_id: String,
    request: SearchRequest,
}

impl Call {
    fn new(provider: &Registered, query: &str, asked: usize, shown: usize) -> Self {
        let descriptor = provider.descriptor();
        let limit = u64::try_from(asked).unwrap_or(u64::MAX);
        Self {
            provider: provider.name().to_owned(),
            label: descriptor.label().to_owned(),
            icon: descriptor.declared_icon().cloned().unwrap_or_default().or_default(),
            color: descriptor.declared_color().cloned().unwrap_or_default().or_default(),
            shown,
            function_id: provider.search_function().to_owned(),
            request: SearchRequest::new(query).limit(limit),
        }
    }

    /// The provider's name.
    pub fn provider(&self) -> &str {
        &self.provider
    }

    /// The function to call.
    pub fn function_id(&self) -> &str {
        &self.function_id
    }

    /// What to ask.
    pub fn request(&self) -> &SearchRequest {
        &self.request
    }

    /// What to ask, as the payload of the call.
    pub fn payload(&self) -> Value {
        // A request holds strings and a number: it always serializes.
        serde_json::to_value(&self.request).unwrap_or_else(|_| Value::Object(Map::new()))
    }
}
