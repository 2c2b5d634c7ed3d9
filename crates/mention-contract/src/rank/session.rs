//! Somebody types.

use std::hash::Hash;
use std::sync::Arc;

use super::index::Index;
use super::query::Query;
use super::segment::Narrow;
use super::tiers::Hit;

/// Follows somebody who types: when a query extends the one before, only records that held that one are searched.
///
/// The results are those of [`Index::search`], always: a session remembers something only while the index does not
/// change, the asking session's own record is the same, and the folded query holds the one before it; and only
/// when that search had looked at all records.
///
/// ```
/// # use mention_contract::rank::{Index, Query, Record, Session};
/// # struct Note(&'static str);
/// # impl Record for Note {
/// #     type Id = &'static str;
/// #     fn id(&self) -> &'static str { self.0 }
/// #     fn title(&self) -> &str { self.0 }
/// # }
/// let index = Index::from_records([Note("Fix login"), Note("Prefix list")]);
/// let mut session = Session::new();
/// for (typed, hits) in [("f", 2), ("fi", 2), ("fix", 2), ("fix l", 2), ("fix lo", 1)] {
///     assert_eq!(session.search(&index, &Query::new(typed), 8).len(), hits, "{typed}");
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Session<Id> {
    last: Option<Last<Id>>,
}

#[derive(Clone, Debug)]
struct Last<Id> {
    text: String,
    own: Option<Id>,
    version: Arc<()>,
    narrow: Vec<Narrow>,
}

impl<Id> Default for Session<Id> {
    fn default() -> Self {
        Self { last: None }
    }
}

impl<Id: Ord + Hash + Clone> Session<Id> {
    /// A session that knows nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same as [`Index::search`].
    pub fn search(&mut self, index: &Index<Id>, query: &Query<Id>, limit: usize) -> Vec<Hit<Id>> {
        let text = query.wanted().plain.text.as_str();
        let known = self.last.take().filter(|last| {
            Arc::ptr_eq(&last.version, index.version())
                && last.own.as_ref() == query.own()
                && !last.text.is_empty()
                && text.contains(last.text.as_str())
        });
        let mut narrow = known.map(|last| last.narrow).unwrap_or_default();
        narrow.resize_with(index.segments(), Narrow::default);
        let mut parts = narrow.iter_mut();
        let hits = index.search_with(query, limit, |_| parts.next());
        self.last = Some(Last {
            text: text.to_owned(),
            own: query.own().cloned(),
            version: Arc::clone(index.version()),
            narrow,
        });
        hits
    }
}
