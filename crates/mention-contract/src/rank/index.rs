//! Many records, held in memory.

use std::hash::Hash;
use std::sync::Arc;

use super::query::Query;
use super::record::Record;
use super::segment::{Narrow, Segment};
use super::store::{Bits, Store};
use super::tiers::{Grade, Hit, grade, ranges};

/// Records that came in since the last segment was made; each search looks at all of them.
const RECENT: usize = 256;
/// A segment holds at most this many bytes of titles and bodies: offsets have four bytes.
const SEGMENT_BYTES: usize = 1 << 31;

/// Records held in memory for many searches: the same results as [`rank`](super::rank()) over the same records.
///
/// Every text is folded once. Records lie in segments, within each in the order of the tie-breaks (most recent
/// first), so that a search stops when no better hit can follow. Handles, title beginnings and word starts are
/// looked up in sorted tables; a title or body is searched only when too few better hits exist, and then only
/// where a signature of its pairs and triples of bytes says that it may hold the query.
///
/// # Costs
///
/// For n records:
/// - [`from_records`](Self::from_records) sorts: O(n log n).
/// - [`insert`](Self::insert), [`update`](Self::update): the new record waits in a list of at most 256 that each search
///   goes through; full lists become segments, and segments of like size are merged, so a record is written again O(log n)
///   times in all. A single call can take as long as building a new index (as a growing `Vec` copies everything
///   now and then).
/// - [`remove`](Self::remove): O(log² n); the record is marked, and its segment written again when most of it is gone.
/// - [`search`](Self::search): O(log n) steps for each table and segment, one step for 64 table entries that begin with the query, and, for
///   several words or when too few hits exist, a pass over one bit for each record and column; in the worst
///   case (a short query that nothing or almost nothing holds) a pass over all folded text.
/// - Memory: the titles, the folded titles, bodies and handles (accented bodies twice), the ids, and about 50 bytes a
///   record, 8 a title word and a quarter of the text.
///
/// A single record is taken to be below 350 MB.
///
/// ```
/// use mention_contract::rank::{Index, Query, Record};
///
/// #[derive(Clone)]
/// struct Note {
///     id: u32,
///     title: &'static str,
/// }
/// impl Record for Note {
///     type Id = u32;
///     fn id(&self) -> u32 {
///         self.id
///     }
///     fn title(&self) -> &str {
///         self.title
///     }
/// }
///
/// let mut index = Index::from_records([Note { id: 1, title: "Groceries" }, Note { id: 2, title: "Growth plan" }]);
/// index.insert(&Note { id: 3, title: "Grow tomatoes" });
/// index.remove(&1);
/// let found: Vec<u32> = index.search(&Query::new("gro"), 8).into_iter().map(|hit| hit.record).collect();
/// assert_eq!(found, [3, 2]);
/// ```
#[derive(Clone, Debug)]
pub struct Index<Id> {
    /// From large to small.
    segments: Vec<Segment<Id>>,
    recent: Store<Id>,
    /// The recent records that were removed again.
    gone: Bits,
    gone_count: usize,
    /// Another one after each change, so that a session sees that there was one.
    version: Arc<()>,
}

impl<Id: Ord + Hash + Clone> Default for Index<Id> {
    fn default() -> Self {
        Self {
            segments: Vec::new(),
            recent: Store::default(),
            gone: Bits::default(),
            gone_count: 0,
            version: Arc::default(),
        }
    }
}

impl<Id: Ord + Hash + Clone> Index<Id> {
    /// An index without records.
    pub fn new() -> Self {
        Self::default()
    }

    /// An index of these records. Hidden ones are left out; of two with the same id the later one counts.
    pub fn from_records<R: Record<Id = Id>>(records: impl IntoIterator<Item = R>) -> Self {
        let mut index = Self::default();
        let mut part = Vec::new();
        let mut bytes = 0;
        for record in records {
            if record.hidden() {
                continue;
            }
            let more = folded_bytes(record.title()).saturating_add(folded_bytes(record.body()));
            if more.saturating_add(bytes) > SEGMENT_BYTES {
                index.add(&std::mem::take(&mut part));
                bytes = 0;
            }
            bytes = bytes.saturating_add(more);
            part.push(record);
        }
        index.add(&part);
        index
    }

    /// Adds a record, in place of an earlier one with the same id; tells whether the id is new. A hidden record is not
    /// kept (an earlier one with its id goes).
    pub fn insert<R: Record<Id = Id>>(&mut self, record: &R) -> bool {
        let known = self.remove(&record.id());
        if !record.hidden() {
            self.version = Arc::default();
            self.recent.push(record);
            if self.recent.len() >= RECENT {
                self.settle();
            }
        }
        !known
    }

    /// Takes a record's new version, in place of the earlier one if there is one (a record that was hidden may
    /// come back); tells whether there was one.
    pub fn update<R: Record<Id = Id>>(&mut self, record: &R) -> bool {
        !self.insert(record)
    }

    /// Takes a record out; tells whether it was there.
    pub fn remove(&mut self, id: &Id) -> bool {
        let recent = self.find_recent(id);
        let found = if let Some(at) = recent {
            self.gone.insert(at);
            self.gone_count += 1;
            true
        } else if let Some(at) = self.segments.iter_mut().position(|segment| segment.remove(id)) {
            if self.segments.get(at).is_some_and(Segment::mostly_dead) {
                let part = self.segments.remove(at);
                if part.live() > 0 {
                    self.segments.push(Segment::merged([part]));
                }
                self.merge();
            }
            true
        } else {
            false
        };
        if found {
            self.version = Arc::default();
        }
        found
    }

    /// Whether a record with this id can be found.
    pub fn contains(&self, id: &Id) -> bool {
        self.find_recent(id).is_some() || self.segments.iter().any(|segment| segment.find(id).is_some())
    }

    /// The number of records.
    pub fn len(&self) -> usize {
        let settled: usize = self.segments.iter().map(Segment::live).sum();
        settled + self.recent.len() - self.gone_count
    }

    /// Whether there are no records.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The records that fit a query, best first, at most `limit` of them (0 gives none).
    pub fn search(&self, query: &Query<Id>, limit: usize) -> Vec<Hit<Id>> {
        self.search_with(query, limit, |_| None)
    }

    /// As [`Self::search`], with what a session knows about each segment.
    pub(super) fn search_with<'n>(
        &self,
        query: &Query<Id>,
        limit: usize,
        mut narrow: impl FnMut(usize) -> Option<&'n mut Narrow>,
    ) -> Vec<Hit<Id>> {
        if limit == 0 {
            return Vec::new();
        }
        let wanted = query.wanted();
        let mut found: Vec<(Grade, &Store<Id>, usize)> = Vec::new();
        for (number, segment) in self.segments.iter().enumerate() {
            let best = segment.search(wanted, limit, query.own(), narrow(number));
            found.extend(best.into_iter().map(|(grade, at)| (grade, &segment.store, at)));
        }
        for at in (0..self.recent.len()).filter(|at| !self.gone.contains(*at)) {
            if query.own().is_some_and(|own| self.recent.ids.get(at) == Some(own)) {
                continue;
            }
            if let Some(grade) = grade(&self.recent.record(at), wanted) {
                found.push((grade, &self.recent, at));
            }
        }
        found.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| a.1.tie(a.2, b.1, b.2)));
        let hit = |(grade, store, at): (Grade, &Store<Id>, usize)| {
            let ranges = ranges(store.title_text(at), wanted, grade.tier);
            Some(Hit { record: store.ids.get(at)?.clone(), tier: grade.tier, ranges })
        };
        found.into_iter().take(limit).filter_map(hit).collect()
    }

    pub(super) fn segments(&self) -> usize {
        self.segments.len()
    }

    pub(super) fn version(&self) -> &Arc<()> {
        &self.version
    }

    fn find_recent(&self, id: &Id) -> Option<usize> {
        let mut known = self.recent.ids.iter().enumerate();
        known.find(|(at, known)| *known == id && !self.gone.contains(*at)).map(|(at, _)| at)
    }

    /// Makes a segment of the recent records.
    fn settle(&mut self) {
        let recent = std::mem::take(&mut self.recent);
        let gone = std::mem::take(&mut self.gone);
        self.gone_count = 0;
        let mut left = Store::default();
        for at in (0..recent.len()).filter(|at| !gone.contains(*at)) {
            left.push_from(&recent, at);
        }
        if left.len() > 0 {
            self.segments.push(Segment::of_store(&left));
            self.merge();
        }
    }

    /// Adds a segment of records, in place of those with the same ids.
    fn add<R: Record<Id = Id>>(&mut self, records: &[R]) {
        if records.is_empty() {
            return;
        }
        for segment in &mut self.segments {
            for record in records {
                segment.remove(&record.id());
            }
        }
        self.segments.push(Segment::of_records(records));
    }

    /// Merges the smallest segments until each is at least twice as large as the next.
    fn merge(&mut self) {
        self.segments.sort_by_key(|segment| std::cmp::Reverse(segment.live()));
        while let [.., larger, smaller] = self.segments.as_slice() {
            let fits = larger.store.bytes() + smaller.store.bytes() <= SEGMENT_BYTES;
            if !fits || larger.live() >= smaller.live() * 2 {
                break;
            }
            let parts = [self.segments.pop(), self.segments.pop()];
            self.segments.push(Segment::merged(parts.into_iter().flatten()));
            self.segments.sort_by_key(|segment| std::cmp::Reverse(segment.live()));
        }
    }
}

/// The most bytes that a text can take when it is folded: three bytes (U+FDFA) can become 33.
fn folded_bytes(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.len().saturating_mul(11) }
}
