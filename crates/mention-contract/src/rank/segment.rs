//! Records in tie order with everything that a search looks up.

use std::cmp::Reverse;
use std::hash::Hash;

use super::fold::Form;
use super::query::{Needle, Wanted};
use super::record::{Record, Updated};
use super::store::{Bits, Store, hash};
use super::tables::{Best, Signature, Table, Verdict, holding, in_all, key, keys, owned_by_all, wide_key, wide_keys};
use super::tiers::{Grade, Tier, fits};
use super::{small, wide};

/// Records at the front that are looked at one by one before sets of all records are built.
const FRONT: usize = 2048;
/// Columns of the signatures for ten bytes of text.
const TITLE_DENSITY: usize = 40;
const BODY_DENSITY: usize = 25;

#[derive(Clone, Debug)]
pub(super) struct Segment<Id> {
    pub(super) store: Store<Id>,
    /// The records by id.
    by_id: Vec<u32>,
    dead: Bits,
    dead_count: usize,
    titles: Table,
    words: Table,
    handles: Table,
    numbers: Table,
    title_signature: Signature,
    body_signature: Signature,
}

/// What an earlier search of a session found out: all records whose title, or body, may hold the query.
#[derive(Clone, Debug, Default)]
pub(super) struct Narrow {
    titles: Option<Vec<u32>>,
    bodies: Option<Vec<u32>>,
}

impl<Id: Ord + Hash + Clone> Segment<Id> {
    /// Of a store in tie order.
    pub(super) fn new(mut store: Store<Id>) -> Self {
        store.shrink();
        Self {
            by_id: store.by_id(),
            dead: Bits::of_size(store.len()),
            dead_count: 0,
            titles: Table::of_titles(&store),
            words: Table::of_words(&store),
            handles: Table::of_handles(&store),
            numbers: Table::of_numbers(&store),
            title_signature: Signature::new(&store.folded, TITLE_DENSITY),
            body_signature: Signature::new(&store.bodies, BODY_DENSITY),
            store,
        }
    }

    /// Of records in any order; of those with the same id the last one counts.
    pub(super) fn of_records<R: Record<Id = Id>>(records: &[R]) -> Self {
        let mut order: Vec<(Reverse<Option<Updated>>, u32)> =
            records.iter().zip(0..).map(|(record, at)| (Reverse(record.updated_at()), at)).collect();
        let title = |at: u32| records.get(wide(at)).map(Record::title);
        let id = |at: u32| records.get(wide(at)).map(Record::id);
        order.sort_by(|a, b| {
            let titles = || title(a.1).cmp(&title(b.1));
            a.0.cmp(&b.0).then_with(titles).then_with(|| id(a.1).cmp(&id(b.1)))
        });
        let mut store = Store::with_room_for(records);
        for part in order.chunks(32) {
            let part = || part.iter().filter_map(|(_, at)| records.get(wide(*at)));
            // The records lie anywhere in memory: what waits for one of them can wait for all.
            let touched: usize = part().map(|record| touch(record.title()) + touch(record.body())).sum();
            std::hint::black_box(touched);
            for record in part() {
                store.push(record);
            }
        }
        let mut segment = Self::new(store);
        // Records with the same id lie beside each other; all but the last that came are dead from the start.
        let arrival = |at: u32| order.get(wide(at)).map(|(_, arrival)| *arrival);
        let mut dead = Vec::new();
        for same in segment.by_id.chunk_by(|a, b| segment.store.ids.get(wide(*a)) == segment.store.ids.get(wide(*b))) {
            let last = same.iter().copied().max_by_key(|at| arrival(*at));
            dead.extend(same.iter().copied().filter(|at| Some(*at) != last));
        }
        if dead.is_empty() {
            return segment;
        }
        segment.dead_count = dead.len();
        for at in dead {
            segment.dead.insert(wide(at));
        }
        Self::merged([segment])
    }

    /// The records that are left of several segments, as one.
    pub(super) fn merged(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut all = Store::default();
        for part in parts {
            for at in (0..part.store.len()).filter(|at| !part.dead.contains(*at)) {
                all.push_from(&part.store, at);
            }
        }
        Self::of_store(&all)
    }

    /// The records of a store in any order.
    pub(super) fn of_store(unsorted: &Store<Id>) -> Self {
        let mut store = Store::like(unsorted);
        for at in unsorted.in_tie_order() {
            store.push_from(unsorted, wide(at));
        }
        Self::new(store)
    }

    /// Records that are not removed.
    pub(super) fn live(&self) -> usize {
        self.store.len() - self.dead_count
    }

    pub(super) fn mostly_dead(&self) -> bool {
        self.dead_count * 2 > self.store.len()
    }

    pub(super) fn find(&self, id: &Id) -> Option<usize> {
        let hashed = hash(id);
        let found = self.by_id.binary_search_by(|at| self.store.compare_id(wide(*at), hashed, id)).ok()?;
        let at = wide(*self.by_id.get(found)?);
        (!self.dead.contains(at)).then_some(at)
    }

    pub(super) fn remove(&mut self, id: &Id) -> bool {
        let Some(at) = self.find(id) else {
            return false;
        };
        self.dead.insert(at);
        self.dead_count += 1;
        true
    }

    /// The best records, best first.
    pub(super) fn search(
        &self,
        wanted: &Wanted,
        limit: usize,
        own: Option<&Id>,
        narrow: Option<&mut Narrow>,
    ) -> Vec<(Grade, usize)> {
        let own = own.and_then(|id| self.find(id));
        let mut search = Search { segment: self, wanted, limit, own, found: Vec::new(), seen: Seen::default() };
        search.run(narrow.unwrap_or(&mut Narrow::default()));
        search.found
    }
}

struct Search<'a, Id> {
    segment: &'a Segment<Id>,
    wanted: &'a Wanted,
    limit: usize,
    own: Option<usize>,
    found: Vec<(Grade, usize)>,
    seen: Seen,
}

impl<'a, Id: Ord + Hash + Clone> Search<'a, Id> {
    fn run(&mut self, narrow: &mut Narrow) {
        if self.wanted.plain.text.is_empty() {
            let live = (0..self.segment.store.len()).filter(|at| self.may_be_found(*at));
            let grade = Grade { tier: Tier::Recent, longer: false, inexact: false };
            self.found = live.take(self.limit).map(|at| (grade, at)).collect();
            return;
        }
        self.handles();
        if self.left() > 0 {
            self.title_prefixes();
        }
        if self.left() > 0 {
            self.word_starts();
        }
        // What is known of an earlier query holds for this one; what this search finds out says more.
        if self.left() > 0 {
            let titles = self.substring(Tier::InTitle, narrow.titles.as_deref());
            narrow.titles = titles.or(narrow.titles.take());
        }
        if self.left() > 0 {
            let bodies = self.substring(Tier::InBody, narrow.bodies.as_deref());
            narrow.bodies = bodies.or(narrow.bodies.take());
        }
    }

    fn left(&self) -> usize {
        self.limit.saturating_sub(self.found.len())
    }

    fn may_be_found(&self, at: usize) -> bool {
        !self.segment.dead.contains(at) && self.own != Some(at) && !self.seen.contains(at)
    }

    fn verdict(&self, at: usize, tier: Tier, longer: bool) -> Verdict {
        let Some(exact) = &self.wanted.exact else {
            return Verdict::Exact;
        };
        let store = &self.segment.store;
        // A title without diacritics can't hold a query that has some.
        let hopeless = matches!(tier, Tier::TitlePrefix | Tier::InTitle) && !store.marked.contains(at);
        if !hopeless && fits(&store.record(at), exact, tier, longer, Form::Exact) {
            Verdict::Exact
        } else {
            Verdict::Inexact
        }
    }

    fn take(&mut self, best: Best, tier: Tier, longer: bool) {
        for (inexact, at) in best.into_records() {
            self.seen.insert(at);
            self.found.push((Grade { tier, longer, inexact }, at));
        }
    }

    fn handles(&mut self) {
        let Segment { store, handles, numbers, .. }: &'a Segment<Id> = self.segment;
        let text = self.wanted.plain.text.as_str();
        let handle = |entry: usize| store.handles.get(handles.item(entry));
        let number = |entry: usize| super::tiers::number(store.handles.get(numbers.item(entry))).unwrap_or_default();
        let named = handles.range(|at| handle(at) < text, |at| handle(at).starts_with(text));
        let numbered = numbers.range(|at| number(at) < text, |at| number(at).starts_with(text));
        for tier in [Tier::ExactHandle, Tier::HandlePrefix] {
            if self.left() == 0 {
                return;
            }
            let mut best = Best::new(self.left());
            for (table, range, is) in [
                (handles, &named, &handle as &dyn Fn(usize) -> &'a str),
                (numbers, &numbered, &number as &dyn Fn(usize) -> &'a str),
            ] {
                // What equals the text stands before what is longer.
                let range = match tier {
                    Tier::ExactHandle => table.range(|at| is(at) < text, |at| is(at) == text),
                    _ => range.clone(),
                };
                table.offer(range, &mut best, |_, at| {
                    if self.may_be_found(at) { self.verdict(at, tier, false) } else { Verdict::No }
                });
            }
            self.take(best, tier, false);
        }
    }

    fn title_prefixes(&mut self) {
        let Segment { store, titles, .. } = self.segment;
        let text = self.wanted.plain.text.as_str();
        let title = |entry: usize| store.folded.get(titles.owner(entry));
        let key = |entry: usize| (wide_key(title(entry).as_bytes()), title(entry).len());
        let (low, high) = wide_keys(text.as_bytes());
        let prefixed = titles.range(|at| key(at).0 < low, |at| key(at).0 <= high);
        // A title that equals the text has the least key that begins so, and its length.
        let equal = titles.range(|at| key(at) < (low, text.len()), |at| key(at) == (low, text.len()));
        for longer in [false, true] {
            if self.left() == 0 {
                return;
            }
            let mut best = Best::new(self.left());
            titles.offer(if longer { prefixed.clone() } else { equal.clone() }, &mut best, |_, at| {
                let title = store.folded.get(at);
                let fits = if longer { title.starts_with(text) } else { title == text };
                if fits && self.may_be_found(at) { self.verdict(at, Tier::TitlePrefix, longer) } else { Verdict::No }
            });
            self.take(best, Tier::TitlePrefix, longer);
        }
    }

    fn word_starts(&mut self) {
        let Segment { store, words, .. } = self.segment;
        let needle = &self.wanted.plain;
        let rest = |entry: usize| {
            let owner = words.owner(entry);
            store.folded.text().as_bytes().get(words.item(entry)..store.folded.end(owner)).unwrap_or_default()
        };
        let mut ranges = Vec::with_capacity(needle.words.len());
        for word in &needle.words {
            let (low, high) = keys(word.as_bytes());
            let range = words.range(|at| key(rest(at)) < low, |at| key(rest(at)) <= high);
            if range.is_empty() {
                return;
            }
            ranges.push(range);
        }
        let mut best = Best::new(self.left());
        let judge = |at: usize, fits: &dyn Fn() -> bool| {
            if self.may_be_found(at) && fits() { self.verdict(at, Tier::WordStarts, false) } else { Verdict::No }
        };
        let all_words = |at: usize| begins_all(store, needle, at);
        let total: usize = ranges.iter().map(std::iter::ExactSizeIterator::len).sum();
        let Some(least) = ranges.iter().min_by_key(|range| range.len()) else {
            return;
        };
        if let [word] = needle.words.as_slice() {
            words.offer(least.clone(), &mut best, |entry, at| {
                judge(at, &|| word.len() <= 8 || rest(entry).starts_with(word.as_bytes()))
            });
        } else if least.len() <= FRONT || least.len() * 32 < total {
            words.offer(least.clone(), &mut best, |_, at| judge(at, &|| all_words(at)));
        } else {
            // Where many records fit, the first ones do.
            let front = FRONT.min(store.len());
            for at in 0..front {
                if best.is_full() {
                    break;
                }
                best.add(at, judge(at, &|| all_words(at)));
            }
            if !best.is_full() {
                let all = owned_by_all(store.len(), ranges.iter().map(|range| words.owners(range.clone())));
                for at in all.between(front, store.len()) {
                    if best.is_full() {
                        break;
                    }
                    best.add(at, judge(at, &|| all_words(at)));
                }
            }
        }
        self.take(best, Tier::WordStarts, false);
    }

    /// Looks for the text anywhere in titles or bodies. When all records were looked at, gives those that may hold
    /// it: all that were found, in this tier or a better one.
    fn substring(&mut self, tier: Tier, known: Option<&[u32]>) -> Option<Vec<u32>> {
        let store = &self.segment.store;
        let (arena, signature) = match tier {
            Tier::InTitle => (&store.folded, &self.segment.title_signature),
            _ => (&store.bodies, &self.segment.body_signature),
        };
        let text = self.wanted.plain.text.as_str();
        let finder = memchr::memmem::Finder::new(text);
        let holds = |at: usize| finder.find(arena.get(at).as_bytes()).is_some();
        let mut best = Best::new(self.left());
        let mut visit = |at: usize, holds: &dyn Fn() -> bool| {
            if self.may_be_found(at) && holds() {
                best.add(at, self.verdict(at, tier, false));
            }
            !best.is_full()
        };
        let complete = if let Some(known) = known {
            known.iter().all(|at| visit(wide(*at), &|| holds(wide(*at))))
        } else {
            let blocks = signature.blocks(text);
            let columns = signature.columns(text);
            if columns.is_empty() {
                holding(&blocks, arena, text, |at| visit(at, &|| true))
            } else {
                in_all(&blocks, &columns, |at| visit(at, &|| holds(at)))
            }
        };
        self.take(best, tier, false);
        // With room left, none was dropped.
        (complete && self.left() > 0).then(|| {
            let mut may: Vec<u32> = self.found.iter().map(|(_, at)| small(*at)).collect();
            may.sort_unstable();
            may
        })
    }
}

fn begins_all<Id: Ord + Hash + Clone>(store: &Store<Id>, needle: &Needle, at: usize) -> bool {
    let (from, to) = (store.folded.start(at), store.folded.end(at));
    needle.words_begin_in(store.folded.get(at), store.starts.between(from, to).map(|start| start - from))
}

/// Reads a byte of each cache line.
fn touch(text: &str) -> usize {
    text.bytes().step_by(64).map(usize::from).sum()
}

/// The records that were found in better tiers: a list while there are few.
#[derive(Debug, Default)]
struct Seen {
    few: Vec<usize>,
    many: Bits,
}

const FEW: usize = 64;

impl Seen {
    fn insert(&mut self, at: usize) {
        if self.few.len() < FEW {
            self.few.push(at);
        } else {
            self.many.insert(at);
        }
    }

    fn contains(&self, at: usize) -> bool {
        self.few.contains(&at) || self.many.contains(at)
    }
}
