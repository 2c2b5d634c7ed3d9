//! Records of the store in a ranked index that is built when it is first asked for and again when the store has changed.

use std::sync::{Arc, Mutex, PoisonError};

use mention_contract::rank::{Index, Query, Record, Updated};
use mention_contract::{Item, ProviderError, SearchRequest, SearchResponse};

use crate::error::DeskError;
use crate::store::Store;

/// One record as it is ranked.
#[derive(Debug)]
pub(super) struct Recalled {
    pub(super) id: String,
    pub(super) handle: String,
    pub(super) title: String,
    pub(super) body: String,
    pub(super) updated_ms: Option<i64>,
}

impl Record for Recalled {
    type Id = String;

    fn id(&self) -> String {
        self.id.clone()
    }

    fn handles(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.handle.as_str()).filter(|handle| !handle.is_empty())
    }

    fn title(&self) -> &str {
        &self.title
    }

    fn body(&self) -> &str {
        &self.body
    }

    fn updated_at(&self) -> Option<Updated> {
        self.updated_ms.map(Updated::from_unix_millis)
    }
}

/// An index over one provider's records.
pub(super) struct Recall {
    store: Arc<Store>,
    load: fn(&Store) -> Result<Vec<Recalled>, DeskError>,
    built: Mutex<Option<(Version, Arc<Index<String>>)>>,
}

type Version = (i64, u64);

impl Recall {
    pub(super) fn new(store: Arc<Store>, load: fn(&Store) -> Result<Vec<Recalled>, DeskError>) -> Self {
        Self { store, load, built: Mutex::new(None) }
    }

    pub(super) fn store(&self) -> &Store {
        &self.store
    }

    /// Items for the best records for a query, best first. Ranks and reads on a thread for blocking work, so that providers
    /// answer side by side and a server goes on.
    pub(super) async fn search(
        self: &Arc<Self>,
        request: &SearchRequest,
        item: fn(&Store, &str) -> Result<Option<Item>, DeskError>,
    ) -> Result<SearchResponse, ProviderError> {
        let (recall, query, limit) = (self.clone(), request.query.clone(), request.effective_limit());
        let work = move || {
            let hits = recall.index()?.search(&Query::new(query), limit);
            let items = hits.into_iter().filter_map(|hit| item(&recall.store, &hit.record).transpose());
            items.collect::<Result<Vec<Item>, DeskError>>()
        };
        let items = tokio::task::spawn_blocking(work).await.map_err(ProviderError::failed)?;
        items.map(SearchResponse::new).map_err(ProviderError::failed)
    }

    fn index(&self) -> Result<Arc<Index<String>>, DeskError> {
        let version = self.store.version()?;
        let mut built = self.built.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, index)) = built.as_ref().filter(|(of, _)| *of == version) {
            return Ok(index.clone());
        }
        let index = Arc::new(Index::from_records((self.load)(&self.store)?));
        *built = Some((version, index.clone()));
        Ok(index)
    }
}

impl std::fmt::Debug for Recall {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Recall")
    }
}
