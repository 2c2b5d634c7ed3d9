use super::hostile;
use super::report::{Check, Report};
use crate::context;
use crate::descriptor::Descriptor;
use crate::error::ProviderError;
use crate::provider::Provider;
use crate::style::{Color, Icon};
use crate::wire::{Breach, GetRequest, Item, SearchContext, SearchRequest, View};
use futures_util::FutureExt;
use mention_uri::limits as shared;
use std::collections::{BTreeMap, BTreeSet};
use std::future::Future;
use std::panic::AssertUnwindSafe;

/// What the author knows about the records in his test's store.
///
/// Only one record's id is needed; checks that nothing is said about are skipped, and the report says so.
#[derive(Clone, Debug)]
pub struct Expectations {
    ids: Vec<String>,
    handles: Vec<(String, String)>,
    hidden: Vec<(String, String)>,
    own: Option<(String, String)>,
    unknown: String,
}

impl Expectations {
    /// There is a record with this canonical id.
    pub fn new(id: impl Into<String>) -> Self {
        Self {
            ids: vec![id.into()],
            handles: Vec::new(),
            hidden: Vec::new(),
            own: None,
            unknown: "no-such-record-7d1f0c".to_owned(),
        }
    }

    /// There is another record with this canonical id.
    #[must_use]
    pub fn record(mut self, id: impl Into<String>) -> Self {
        self.ids.push(id.into());
        self
    }

    /// A search for the handle has this record first.
    #[must_use]
    pub fn handle(mut self, handle: impl Into<String>, id: impl Into<String>) -> Self {
        self.handles.push((handle.into(), id.into()));
        self
    }

    /// The record is deleted or archived: this query, and the empty one, do not find it.
    #[must_use]
    pub fn hidden(mut self, query: impl Into<String>, id: impl Into<String>) -> Self {
        self.hidden.push((query.into(), id.into()));
        self
    }

    /// The record is the session of this id: asked from there, it is left out.
    #[must_use]
    pub fn own_session(mut self, session_id: impl Into<String>, id: impl Into<String>) -> Self {
        self.own = Some((session_id.into(), id.into()));
        self
    }

    /// An id that the provider does not know; one that nobody would use by default.
    #[must_use]
    pub fn unknown(mut self, id: impl Into<String>) -> Self {
        self.unknown = id.into();
        self
    }
}

/// Checks a provider against the contract's definition of done.
///
/// | check | what it says |
/// |---|---|
/// | `descriptor` | the metadata reads back; icon and colour are known words; the label is one visible line; the details function is none of the mention functions |
/// | `empty_query` | an empty and a blank query answer items |
/// | `limit` | never more than the effective limit, nor an id twice |
/// | `handle_first` | a handle ranks its record first |
/// | `get` | an id answers its view with the canonical id; so does a handle, where `get` takes handles |
/// | `unknown_id` | an unknown id, also a hostile one, answers null |
/// | `hostile_queries` | very long queries, controls, and metacharacters of regular expressions and SQL neither fail nor panic |
/// | `items_resolve` | every item of a search answer resolves by get, to the same id |
/// | `clean` | items and views need no sanitizing |
/// | `summary` | the line that the agent reads is one line of at most 400 characters |
/// | `hidden` | deleted and archived records are not found |
/// | `own_session` | the asking session is left out |
///
/// A panic of the provider fails the check that met it. A provider that never answers makes this wait: put a time limit
/// around the test.
///
/// ```
/// # use mention_contract::{check, Descriptor, GetRequest, Item, Provider, ProviderError, SearchRequest, SearchResponse, View};
/// # struct One(Descriptor);
/// # impl Provider for One {
/// #     fn descriptor(&self) -> &Descriptor { &self.0 }
/// #     async fn search(&self, request: &SearchRequest) -> Result<SearchResponse, ProviderError> {
/// #         Ok(SearchResponse::new([Item::new("1", "One")]))
/// #     }
/// #     async fn get(&self, request: &GetRequest) -> Result<Option<View>, ProviderError> {
/// #         Ok((request.id == "1").then(|| View::new("1", "One")))
/// #     }
/// # }
/// # let provider = One(Descriptor::new("one", "Ones", "one::mention::search").unwrap());
/// # futures_util::FutureExt::now_or_never(async {
/// let report = check::provider(&provider, &check::Expectations::new("1")).await;
/// assert!(report.passed(), "{report}");
/// # }).unwrap();
/// ```
pub async fn provider(provider: &impl Provider, expectations: &Expectations) -> Report {
    let run = Run { provider, expectations };
    Report::new(vec![
        Check::of("descriptor", descriptor(provider.descriptor())),
        Check::of("empty_query", run.empty_query().await),
        Check::of("limit", run.limit().await),
        match expectations.handles.as_slice() {
            [] => Check::skipped("handle_first", "no handle was given"),
            handles => Check::of("handle_first", run.handle_first(handles).await),
        },
        Check::of("get", run.get().await),
        Check::of("unknown_id", run.unknown_id().await),
        Check::of("hostile_queries", run.hostile_queries().await),
        Check::of("items_resolve", run.items_resolve().await),
        Check::of("clean", run.clean().await),
        Check::of("summary", run.summary().await),
        match expectations.hidden.as_slice() {
            [] => Check::skipped("hidden", "no hidden record was given"),
            hidden => Check::of("hidden", run.hidden(hidden).await),
        },
        match &expectations.own {
            None => Check::skipped("own_session", "no session of its own was given"),
            Some((session, id)) => Check::of("own_session", run.own_session(session, id).await),
        },
    ])
}

fn descriptor(descriptor: &Descriptor) -> Vec<String> {
    let mut faults = Vec::new();
    match Descriptor::from_metadata(&descriptor.metadata()) {
        Ok(Some(read)) if read == *descriptor => {}
        Ok(_) => faults.push("the metadata reads back as something else".to_owned()),
        Err(error) => faults.push(format!("the metadata does not read back: {error}")),
    }
    if let Some(Icon::Other(word)) = descriptor.declared_icon() {
        faults.push(format!("{word:?} is no icon of the vocabulary"));
    }
    if let Some(Color::Other(word)) = descriptor.declared_color() {
        faults.push(format!("{word:?} is no colour of the vocabulary"));
    }
    let texts = [("label", Some(descriptor.label())), ("description", descriptor.description_text())];
    for (name, text) in texts.into_iter().filter_map(|(name, text)| Some((name, text?))) {
        if !is_clean_line(text) {
            faults.push(format!("the {name} is not one line of visible text"));
        }
    }
    if descriptor.details_function().is_some_and(|details| details.function_id() == descriptor.search()) {
        faults.push("the details function is the search function, which agents may not call".to_owned());
    }
    faults
}

struct Run<'a, P> {
    provider: &'a P,
    expectations: &'a Expectations,
}

impl<P: Provider> Run<'_, P> {
    async fn search(&self, request: &SearchRequest) -> Result<Vec<Item>, String> {
        let query = shown(&request.query);
        match guard(self.provider.search(request)).await {
            Ok(response) => Ok(response.items),
            Err(what) => Err(format!("search for {query} {what}")),
        }
    }

    async fn view(&self, id: &str) -> Result<Option<View>, String> {
        guard(self.provider.get(&GetRequest::new(id))).await.map_err(|what| format!("get of {} {what}", shown(id)))
    }

    async fn empty_query(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for query in ["", "   "] {
            match self.search(&SearchRequest::new(query)).await {
                Ok(items) if items.is_empty() => faults.push(format!("the query {query:?} answers no items")),
                Ok(_) => {}
                Err(fault) => faults.push(fault),
            }
        }
        faults
    }

    async fn limit(&self) -> Vec<String> {
        let mut faults = Vec::new();
        let queries = std::iter::once("").chain(self.expectations.handles.iter().map(|(handle, _)| handle.as_str()));
        for query in queries {
            for limit in [None, Some(0), Some(1), Some(4), Some(50), Some(1_000_000)] {
                let request = SearchRequest { limit, ..SearchRequest::new(query) };
                let items = match self.search(&request).await {
                    Ok(items) => items,
                    Err(fault) => {
                        faults.push(fault);
                        continue;
                    }
                };
                let most = request.effective_limit();
                if items.len() > most {
                    let asked = limit.map_or("no limit".to_owned(), |limit| format!("limit {limit}"));
                    faults.push(format!("{} items for {asked}, more than {most}", items.len()));
                }
                let distinct: BTreeSet<_> = items.iter().map(|item| &item.id).collect();
                if distinct.len() < items.len() {
                    faults.push(format!("the query {} answers an id twice", shown(query)));
                }
            }
        }
        faults
    }

    async fn handle_first(&self, handles: &[(String, String)]) -> Vec<String> {
        let mut faults = Vec::new();
        for (handle, id) in handles {
            match self.search(&SearchRequest::new(handle)).await {
                Err(fault) => faults.push(fault),
                Ok(items) => match items.first() {
                    Some(first) if first.id == *id => {}
                    Some(first) => faults.push(format!(
                        "the handle {} has {} first, not {}",
                        shown(handle),
                        shown(&first.id),
                        shown(id)
                    )),
                    None => faults.push(format!("the handle {} finds nothing", shown(handle))),
                },
            }
        }
        faults
    }

    async fn get(&self) -> Vec<String> {
        let mut faults = Vec::new();
        let mut judge = |asked: &str, canonical: &str, needed: bool, view: Result<Option<View>, String>| match view {
            Err(fault) => faults.push(fault),
            Ok(Some(view)) if view.id == canonical => {}
            Ok(Some(view)) => {
                faults.push(format!(
                    "get of {} answers the id {}, not {}",
                    shown(asked),
                    shown(&view.id),
                    shown(canonical)
                ));
            }
            Ok(None) if needed => faults.push(format!("get of {} answers null", shown(asked))),
            Ok(None) => {}
        };
        for id in &self.expectations.ids {
            judge(id, id, true, self.view(id).await);
        }
        for (handle, id) in &self.expectations.handles {
            judge(handle, id, false, self.view(handle).await);
        }
        faults
    }

    async fn unknown_id(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for id in std::iter::once(self.expectations.unknown.clone()).chain(hostile::ids()) {
            match self.view(&id).await {
                Ok(None) => {}
                // Whoever really has a record of that name may give it.
                Ok(Some(view)) if view.id == id && id != self.expectations.unknown => {}
                Ok(Some(view)) => faults.push(format!("get of {} answers {}, not null", shown(&id), shown(&view.id))),
                Err(fault) => faults.push(fault),
            }
        }
        faults
    }

    async fn hostile_queries(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for query in hostile::queries() {
            if let Err(fault) = self.search(&SearchRequest::new(query)).await {
                faults.push(fault);
            }
        }
        faults
    }

    /// The items of the searches that the expectations name, one per id. Failures are other checks' business.
    async fn items(&self) -> Vec<Item> {
        let mut items = BTreeMap::new();
        let handles = self.expectations.handles.iter().map(|(handle, _)| handle.as_str());
        for query in std::iter::once("").chain(handles) {
            let request = SearchRequest::new(query).limit(u64::try_from(shared::SEARCH_MAX).unwrap_or(u64::MAX));
            for item in self.search(&request).await.unwrap_or_default() {
                items.entry(item.id.clone()).or_insert(item);
            }
        }
        items.into_values().collect()
    }

    async fn items_resolve(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for Item { id, .. } in self.items().await {
            match self.view(&id).await {
                Ok(Some(view)) if view.id == id => {}
                Ok(Some(view)) => {
                    faults.push(format!("the item {} resolves to the id {}", shown(&id), shown(&view.id)));
                }
                Ok(None) => faults.push(format!("the item {} does not resolve", shown(&id))),
                Err(fault) => faults.push(fault),
            }
        }
        faults
    }

    /// The views of all records that are known of.
    async fn views(&self) -> Vec<View> {
        let mut ids: BTreeSet<String> = self.expectations.ids.iter().cloned().collect();
        ids.extend(self.items().await.into_iter().map(|item| item.id));
        let mut views = Vec::new();
        for id in ids {
            views.extend(self.view(&id).await.ok().flatten());
        }
        views
    }

    async fn clean(&self) -> Vec<String> {
        let mut faults = Vec::new();
        let mut note = |what: &str, id: &str, breaches: Vec<Breach>| {
            faults.extend(breaches.into_iter().map(|breach| format!("the {what} {}: {breach}", shown(id))));
        };
        for item in self.items().await {
            note("item", &item.id, item.sanitized().1);
        }
        for view in self.views().await {
            note("view", &view.id, view.sanitized().1);
        }
        faults
    }

    async fn summary(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for view in self.views().await {
            let summary = view.agent_summary();
            if !is_clean_line(&summary) {
                faults.push(format!("the summary of {} is not one line of visible text", shown(&view.id)));
            }
            let chars = summary.chars().count();
            if chars > shared::SUMMARY_CHARS {
                let most = shared::SUMMARY_CHARS;
                faults.push(format!("the summary of {} has {chars} characters, more than {most}", shown(&view.id)));
            }
        }
        faults
    }

    async fn hidden(&self, hidden: &[(String, String)]) -> Vec<String> {
        let mut faults = Vec::new();
        for (query, id) in hidden {
            for query in [query.as_str(), ""] {
                match self.search(&SearchRequest::new(query).limit(50)).await {
                    Ok(items) if items.iter().any(|item| item.id == *id) => {
                        faults.push(format!("the query {} finds the hidden record {}", shown(query), shown(id)));
                    }
                    Ok(_) => {}
                    Err(fault) => faults.push(fault),
                }
            }
        }
        faults
    }

    async fn own_session(&self, session: &str, id: &str) -> Vec<String> {
        let context = SearchContext::new().session_id(session);
        match self.search(&SearchRequest::new("").limit(50).context(context)).await {
            Ok(items) if items.iter().any(|item| item.id == id) => {
                vec![format!("the asking session finds its own record {}", shown(id))]
            }
            Ok(_) => Vec::new(),
            Err(fault) => vec![fault],
        }
    }
}

/// The answer, or what went wrong: an error or a panic.
async fn guard<T>(answer: impl Future<Output = Result<T, ProviderError>>) -> Result<T, String> {
    match AssertUnwindSafe(answer).catch_unwind().await {
        Ok(Ok(answer)) => Ok(answer),
        Ok(Err(error)) => Err(format!("failed: {error}")),
        Err(_) => Err("panicked".to_owned()),
    }
}

fn is_clean_line(text: &str) -> bool {
    crate::text::has_visible(text)
        && context::clean(text).removed == 0
        && !text.chars().any(|c| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}'))
}

/// A text for a message: quoted, and short.
fn shown(text: &str) -> String {
    let mut short: String = text.chars().take(40).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    format!("{short:?}")
}
