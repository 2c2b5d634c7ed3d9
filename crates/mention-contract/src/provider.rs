//! What a provider author implements, and the set of providers that an in-process host holds.

use crate::descriptor::Descriptor;
use crate::driver::Caller;
use crate::error::{CallError, DescriptorError, ProviderError};
use crate::registry::Registry;
use crate::wire::{GetRequest, SearchRequest, SearchResponse, View};
use futures_util::FutureExt;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;

type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A source of things that can be mentioned. Authors write `async fn search` and `async fn get`.
///
/// Both only read: they change nothing, and they give no secrets and no other user's private data.
pub trait Provider: Send + Sync {
    /// What the provider says about itself.
    fn descriptor(&self) -> &Descriptor;

    /// The best items for a query, best first, at most [`SearchRequest::effective_limit`]. An empty query asks for the
    /// most relevant recent ones. Must be fast: it runs on every keystroke.
    fn search(&self, request: &SearchRequest) -> impl Future<Output = Result<SearchResponse, ProviderError>> + Send;

    /// The view of one record; `None` for an id that the provider does not know.
    fn get(&self, request: &GetRequest) -> impl Future<Output = Result<Option<View>, ProviderError>> + Send;
}

impl<T: Provider + ?Sized> Provider for Arc<T> {
    fn descriptor(&self) -> &Descriptor {
        (**self).descriptor()
    }

    fn search(&self, request: &SearchRequest) -> impl Future<Output = Result<SearchResponse, ProviderError>> + Send {
        (**self).search(request)
    }

    fn get(&self, request: &GetRequest) -> impl Future<Output = Result<Option<View>, ProviderError>> + Send {
        (**self).get(request)
    }
}

trait DynProvider: Send + Sync {
    fn boxed_descriptor(&self) -> &Descriptor;
    fn boxed_search<'a>(&'a self, request: &'a SearchRequest) -> BoxFuture<'a, Result<SearchResponse, ProviderError>>;
    fn boxed_get<'a>(&'a self, request: &'a GetRequest) -> BoxFuture<'a, Result<Option<View>, ProviderError>>;
}

impl<T: Provider> DynProvider for T {
    fn boxed_descriptor(&self) -> &Descriptor {
        self.descriptor()
    }

    fn boxed_search<'a>(&'a self, request: &'a SearchRequest) -> BoxFuture<'a, Result<SearchResponse, ProviderError>> {
        Box::pin(self.search(request))
    }

    fn boxed_get<'a>(&'a self, request: &'a GetRequest) -> BoxFuture<'a, Result<Option<View>, ProviderError>> {
        Box::pin(self.get(request))
    }
}

/// A provider of any type: the object-safe form of [`Provider`].
pub struct BoxProvider(Box<dyn DynProvider>);

impl BoxProvider {
    /// Boxes a provider.
    pub fn new(provider: impl Provider + 'static) -> Self {
        Self(Box::new(provider))
    }
}

impl Provider for BoxProvider {
    fn descriptor(&self) -> &Descriptor {
        self.0.boxed_descriptor()
    }

    async fn search(&self, request: &SearchRequest) -> Result<SearchResponse, ProviderError> {
        self.0.boxed_search(request).await
    }

    async fn get(&self, request: &GetRequest) -> Result<Option<View>, ProviderError> {
        self.0.boxed_get(request).await
    }
}

impl fmt::Debug for BoxProvider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("BoxProvider").field(self.0.boxed_descriptor()).finish()
    }
}

/// The providers of an in-process host, each under the id of its get function.
///
/// Gives a [`Registry`] and answers calls by function id as a [`Caller`], so that the code above it is the same as
/// over a remote host. A provider that panics fails that call alone.
#[derive(Debug, Default)]
pub struct Providers {
    by_get: BTreeMap<String, BoxProvider>,
    get_by_search: BTreeMap<String, String>,
}

impl Providers {
    /// A set without providers.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a provider whose get function has this id.
    ///
    /// # Errors
    ///
    /// [`ProvidersError`] when the id is no function id or one of the provider's two functions is there already.
    pub fn add(
        &mut self,
        get_function_id: impl Into<String>,
        provider: impl Provider + 'static,
    ) -> Result<(), ProvidersError> {
        let get = get_function_id.into();
        crate::descriptor::check_function_id(&get, "function_id").map_err(ProvidersError::InvalidFunctionId)?;
        let search = provider.descriptor().search().to_owned();
        let taken = |id: &String| self.by_get.contains_key(id) || self.get_by_search.contains_key(id);
        for id in [&get, &search] {
            if taken(id) {
                return Err(ProvidersError::Taken { function_id: id.clone() });
            }
        }
        if get == search {
            return Err(ProvidersError::Taken { function_id: get });
        }
        self.get_by_search.insert(search, get.clone());
        self.by_get.insert(get, BoxProvider::new(provider));
        Ok(())
    }

    /// The registry of these providers, with the same rules as for a remote host's.
    pub fn registry(&self) -> Registry {
        let metadata: Vec<_> =
            self.by_get.iter().map(|(id, provider)| (id, provider.descriptor().metadata())).collect();
        Registry::from_functions(metadata.iter().map(|(id, metadata)| (id, metadata)))
    }

    /// The functions to register with a remote host: id and metadata, by id.
    pub fn functions(&self) -> BTreeMap<String, Value> {
        let gets = self.by_get.iter().map(|(id, provider)| (id.clone(), provider.descriptor().metadata()));
        let searches = self.get_by_search.keys().map(|id| (id.clone(), Descriptor::search_metadata()));
        gets.chain(searches).collect()
    }

    /// The providers with the ids of their get functions, by that id.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &BoxProvider)> {
        self.by_get.iter().map(|(id, provider)| (id.as_str(), provider))
    }
}

impl Caller for Providers {
    async fn call(&self, function_id: &str, payload: Value) -> Result<Value, CallError> {
        if let Some(provider) = self.by_get.get(function_id) {
            let request: GetRequest = read(payload)?;
            return write(&guard(provider.get(&request)).await?);
        }
        let get = self.get_by_search.get(function_id);
        let Some(provider) = get.and_then(|get| self.by_get.get(get)) else {
            return Err(CallError::UnknownFunction { function_id: function_id.to_owned() });
        };
        let request: SearchRequest = read(payload)?;
        write(&guard(provider.search(&request)).await?)
    }
}

/// A provider that panics has failed: it must not take the others down.
async fn guard<T>(answer: impl Future<Output = Result<T, ProviderError>>) -> Result<T, CallError> {
    match AssertUnwindSafe(answer).catch_unwind().await {
        Ok(answer) => answer.map_err(CallError::from),
        Err(_) => Err(CallError::failed("the provider panicked")),
    }
}

fn read<T: DeserializeOwned>(payload: Value) -> Result<T, CallError> {
    serde_json::from_value(payload).map_err(|error| CallError::InvalidRequest { message: error.to_string() })
}

fn write(answer: &impl Serialize) -> Result<Value, CallError> {
    serde_json::to_value(answer).map_err(CallError::invalid_answer)
}

/// Why a provider can't be added to a set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProvidersError {
    /// The id is no function id.
    #[error("the get function: {0}")]
    InvalidFunctionId(#[source] DescriptorError),
    /// A function of that id is there already.
    #[error("the function `{function_id}` is there already")]
    Taken {
        /// The function's id.
        function_id: String,
    },
}

impl ProvidersError {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::InvalidFunctionId(_) => "invalid_function_id",
            Self::Taken { .. } => "function_taken",
        }
    }
}
