//! Records, folded once and held together.

use std::borrow::Cow;
use std::cmp::{Ordering, Reverse};
use std::hash::{DefaultHasher, Hash, Hasher};

use super::fold::{Form, fold_body, fold_into};
use super::record::Record;
use super::tiers::{Forms, Title, handle};
use super::{small, wide};

/// Texts one behind the other.
#[derive(Clone, Debug, Default)]
pub(super) struct Arena {
    text: String,
    ends: Vec<u32>,
}

impl Arena {
    pub(super) fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.close();
    }

    /// Ends the text that was added to [`Self::open`].
    fn close(&mut self) {
        self.ends.push(small(self.text.len()));
    }

    fn open(&mut self) -> &mut String {
        &mut self.text
    }

    pub(super) fn start(&self, at: usize) -> usize {
        at.checked_sub(1).map_or(0, |before| self.end(before))
    }

    pub(super) fn end(&self, at: usize) -> usize {
        self.ends.get(at).map_or(self.text.len(), |end| wide(*end))
    }

    pub(super) fn get(&self, at: usize) -> &str {
        self.text.get(self.start(at)..self.end(at)).unwrap_or_default()
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The place of the text that an offset lies in.
    pub(super) fn place(&self, offset: usize) -> usize {
        self.ends.partition_point(|end| wide(*end) <= offset)
    }

    fn with_capacity(texts: usize, bytes: usize) -> Self {
        Self { text: String::with_capacity(bytes), ends: Vec::with_capacity(texts) }
    }

    fn shrink(&mut self) {
        self.text.shrink_to_fit();
        self.ends.shrink_to_fit();
    }
}

/// A set of small numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Bits(Vec<u64>);

impl Bits {
    pub(super) fn of_size(bits: usize) -> Self {
        Self(vec![0; bits.div_ceil(64)])
    }

    pub(super) fn insert(&mut self, at: usize) {
        let word = at / 64;
        if word >= self.0.len() {
            self.0.resize(word + 1, 0);
        }
        if let Some(word) = self.0.get_mut(word) {
            *word |= 1 << (at % 64);
        }
    }

    pub(super) fn contains(&self, at: usize) -> bool {
        self.0.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 == 1)
    }

    pub(super) fn words(&self) -> &[u64] {
        &self.0
    }

    pub(super) fn words_mut(&mut self) -> &mut [u64] {
        &mut self.0
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The members from `from` to before `to`, ascending.
    pub(super) fn between(&self, from: usize, to: usize) -> impl Iterator<Item = usize> {
        let words = self.0.get(from / 64..to.div_ceil(64).min(self.0.len())).unwrap_or_default();
        let first = from / 64;
        words.iter().enumerate().flat_map(move |(at, word)| {
            let base = (first + at) * 64;
            let low = if base < from { u64::MAX << (from - base) } else { u64::MAX };
            let high = if to - base < 64 { (1 << (to - base)) - 1 } else { u64::MAX };
            Ones(word & low & high).map(move |bit| base + bit)
        })
    }

    fn shrink(&mut self) {
        self.0.shrink_to_fit();
    }
}

/// The places of the ones of a word, from the lowest.
#[derive(Clone, Debug)]
pub(super) struct Ones(pub(super) u64);

impl Iterator for Ones {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let at = self.0.trailing_zeros();
        self.0 &= self.0 - 1;
        Some(at as usize)
    }
}

/// Records in some order.
#[derive(Clone, Debug)]
pub(super) struct Store<Id> {
    pub(super) ids: Vec<Id>,
    /// Microseconds; `i64::MIN` for none.
    dates: Vec<i64>,
    titles: Arena,
    pub(super) folded: Arena,
    /// The offsets in `folded` at which words begin.
    pub(super) starts: Bits,
    /// The records whose titles have diacritics.
    pub(super) marked: Bits,
    pub(super) bodies: Arena,
    /// The bodies with their diacritics, where they have some; empty when no body has.
    exact_bodies: Arena,
    pub(super) handles: Arena,
    /// The handles with their diacritics, where they have some; empty when no handle has.
    exact_handles: Arena,
    /// Whose handle it is.
    pub(super) owners: Vec<u32>,
    /// Where the handles of each record end.
    handle_ends: Vec<u32>,
}

impl<Id> Default for Store<Id> {
    fn default() -> Self {
        Self {
            ids: Vec::new(),
            dates: Vec::new(),
            titles: Arena::default(),
            folded: Arena::default(),
            starts: Bits::default(),
            marked: Bits::default(),
            bodies: Arena::default(),
            exact_bodies: Arena::default(),
            handles: Arena::default(),
            exact_handles: Arena::default(),
            owners: Vec::new(),
            handle_ends: Vec::new(),
        }
    }
}

const NO_DATE: i64 = i64::MIN;

impl<Id: Ord + Hash + Clone> Store<Id> {
    /// An empty store with room for what another one holds.
    pub(super) fn like(other: &Self) -> Self {
        let records = other.len();
        Self {
            ids: Vec::with_capacity(records),
            dates: Vec::with_capacity(records),
            titles: Arena::with_capacity(records, other.titles.text.len()),
            folded: Arena::with_capacity(records, other.folded.text.len()),
            bodies: Arena::with_capacity(records, other.bodies.text.len()),
            handles: Arena::with_capacity(other.handles.len(), other.handles.text.len()),
            owners: Vec::with_capacity(other.owners.len()),
            handle_ends: Vec::with_capacity(records),
            ..Self::default()
        }
    }

    /// An empty store with room for these records.
    pub(super) fn with_room_for<R: Record<Id = Id>>(records: &[R]) -> Self {
        let bytes = |of: fn(&R) -> &str| records.iter().map(|record| of(record).len()).sum();
        let (titles, bodies) = (bytes(R::title), bytes(R::body));
        Self {
            ids: Vec::with_capacity(records.len()),
            dates: Vec::with_capacity(records.len()),
            titles: Arena::with_capacity(records.len(), titles),
            folded: Arena::with_capacity(records.len(), titles),
            bodies: Arena::with_capacity(records.len(), bodies),
            handle_ends: Vec::with_capacity(records.len()),
            ..Self::default()
        }
    }

    pub(super) fn len(&self) -> usize {
        self.ids.len()
    }

    /// The bytes of the longest arena.
    pub(super) fn bytes(&self) -> usize {
        [&self.titles, &self.folded, &self.bodies, &self.exact_bodies, &self.handles, &self.exact_handles]
            .into_iter()
            .map(|arena| arena.text.len())
            .max()
            .unwrap_or_default()
    }

    pub(super) fn push<R: Record<Id = Id>>(&mut self, record: &R) {
        let at = self.len();
        self.ids.push(record.id());
        self.dates.push(record.updated_at().map_or(NO_DATE, |date| date.unix_micros().max(NO_DATE + 1)));
        self.titles.push(record.title());
        let begin = self.folded.text.len();
        let starts = &mut self.starts;
        if fold_into(record.title(), Form::Plain, self.folded.open(), |start| starts.insert(begin + start)) {
            self.marked.insert(at);
        }
        self.folded.close();
        if fold_body(record.body(), Form::Plain, self.bodies.open()) {
            let mut exact = String::with_capacity(record.body().len());
            fold_body(record.body(), Form::Exact, &mut exact);
            set_exact(&mut self.exact_bodies, at, &exact);
        }
        self.bodies.close();
        for raw in record.handles() {
            let plain = handle(raw, Form::Plain);
            if !plain.is_empty() {
                let exact = if raw.is_ascii() { String::new() } else { handle(raw, Form::Exact) };
                self.push_handle(&plain, if exact == plain { "" } else { &exact });
            }
        }
        self.handle_ends.push(small(self.handles.len()));
    }

    /// Adds a record of another store.
    pub(super) fn push_from(&mut self, other: &Self, at: usize) {
        let here = self.len();
        self.ids.extend(other.ids.get(at).cloned());
        self.dates.extend(other.dates.get(at));
        self.titles.push(other.titles.get(at));
        let shift = self.folded.text.len();
        let (from, to) = (other.folded.start(at), other.folded.end(at));
        for start in other.starts.between(from, to) {
            self.starts.insert(start - from + shift);
        }
        self.folded.push(other.folded.get(at));
        if other.marked.contains(at) {
            self.marked.insert(here);
        }
        self.bodies.push(other.bodies.get(at));
        if at < other.exact_bodies.len() && !other.exact_bodies.get(at).is_empty() {
            set_exact(&mut self.exact_bodies, here, other.exact_bodies.get(at));
        }
        for handle in other.handles_of(at) {
            self.push_handle(other.handles.get(handle), other.exact_handle(handle));
        }
        self.handle_ends.push(small(self.handles.len()));
    }

    fn push_handle(&mut self, plain: &str, exact: &str) {
        if !exact.is_empty() {
            set_exact(&mut self.exact_handles, self.handles.len(), exact);
        }
        self.handles.push(plain);
        self.owners.push(small(self.handle_ends.len()));
    }

    pub(super) fn shrink(&mut self) {
        self.ids.shrink_to_fit();
        self.dates.shrink_to_fit();
        self.owners.shrink_to_fit();
        self.handle_ends.shrink_to_fit();
        for bits in [&mut self.starts, &mut self.marked] {
            bits.shrink();
        }
        for arena in [
            &mut self.titles,
            &mut self.folded,
            &mut self.bodies,
            &mut self.exact_bodies,
            &mut self.handles,
            &mut self.exact_handles,
        ] {
            arena.shrink();
        }
    }

    pub(super) fn title_text(&self, at: usize) -> &str {
        self.titles.get(at)
    }

    fn handles_of(&self, at: usize) -> std::ops::Range<usize> {
        let end = |at: usize| self.handle_ends.get(at).map_or(0, |end| wide(*end));
        at.checked_sub(1).map_or(0, end)..end(at)
    }

    fn exact_handle(&self, handle: usize) -> &str {
        if handle < self.exact_handles.len() { self.exact_handles.get(handle) } else { "" }
    }

    /// The order among records of one grade: most recent first, no date last, then by title, then by id.
    pub(super) fn tie(&self, at: usize, other: &Self, there: usize) -> Ordering {
        let date = |store: &Self, at: usize| Reverse(store.dates.get(at).copied().unwrap_or(NO_DATE));
        date(self, at)
            .cmp(&date(other, there))
            .then_with(|| self.titles.get(at).cmp(other.titles.get(there)))
            .then_with(|| self.ids.get(at).cmp(&other.ids.get(there)))
    }

    /// The records in tie order.
    pub(super) fn in_tie_order(&self) -> Vec<u32> {
        let mut order: Vec<(Reverse<i64>, u32)> =
            self.dates.iter().zip(0..).map(|(date, at)| (Reverse(*date), at)).collect();
        order.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| self.tie(wide(a.1), self, wide(b.1))));
        order.into_iter().map(|(_, at)| at).collect()
    }

    /// The order in which records are found by their ids: by hash, then by id, so that hardly an id has to be
    /// looked at and many with the same hash do no harm.
    pub(super) fn by_id(&self) -> Vec<u32> {
        let mut entries: Vec<(u64, u32)> = self.ids.iter().map(hash).zip(0..).collect();
        entries
            .sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| self.ids.get(wide(a.1)).cmp(&self.ids.get(wide(b.1)))));
        entries.into_iter().map(|(_, at)| at).collect()
    }

    /// Where an id stands to that of a record, in that order.
    pub(super) fn compare_id(&self, at: usize, hashed: u64, id: &Id) -> Ordering {
        self.ids.get(at).map_or(Ordering::Greater, |known| hash(known).cmp(&hashed).then_with(|| known.cmp(id)))
    }

    pub(super) fn record(&self, at: usize) -> Stored<'_, Id> {
        Stored { store: self, at }
    }
}

/// The same in every process: the order of a segment is a matter of speed only.
pub(super) fn hash<Id: Hash>(id: &Id) -> u64 {
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    hasher.finish()
}

/// Texts that most records don't have: the arena reaches to the last one that does.
fn set_exact(arena: &mut Arena, at: usize, text: &str) {
    while arena.len() < at {
        arena.close();
    }
    arena.push(text);
}

/// One record of a store.
#[derive(Debug)]
pub(super) struct Stored<'a, Id> {
    store: &'a Store<Id>,
    at: usize,
}

impl<Id: Ord + Hash + Clone> Forms for Stored<'_, Id> {
    fn any_handle(&self, form: Form, mut like: impl FnMut(&str) -> bool) -> bool {
        self.store.handles_of(self.at).any(|handle| {
            let exact = if form == Form::Exact { self.store.exact_handle(handle) } else { "" };
            like(if exact.is_empty() { self.store.handles.get(handle) } else { exact })
        })
    }

    fn title(&self, form: Form) -> Title<'_> {
        if form == Form::Exact && self.store.marked.contains(self.at) {
            return Title::new(self.store.titles.get(self.at), Form::Exact);
        }
        let folded = &self.store.folded;
        let (from, to) = (folded.start(self.at), folded.end(self.at));
        let starts = self.store.starts.between(from, to).map(|start| small(start - from));
        Title { text: Cow::Borrowed(folded.get(self.at)), starts: starts.collect() }
    }

    fn body(&self, form: Form) -> Cow<'_, str> {
        let exact = &self.store.exact_bodies;
        if form == Form::Exact && self.at < exact.len() && !exact.get(self.at).is_empty() {
            return Cow::Borrowed(exact.get(self.at));
        }
        Cow::Borrowed(self.store.bodies.get(self.at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_between_two_bounds() {
        let mut bits = Bits::default();
        for at in [0, 5, 63, 64, 65, 130] {
            bits.insert(at);
        }
        let between = |from, to| bits.between(from, to).collect::<Vec<_>>();
        assert_eq!(between(0, 131), [0, 5, 63, 64, 65, 130]);
        assert_eq!(between(5, 65), [5, 63, 64]);
        assert!(between(6, 63).is_empty());
        assert!(between(64, 64).is_empty());
        assert_eq!(between(66, 1000), [130]);
        assert!(bits.contains(130) && !bits.contains(131) && !bits.contains(5000));
    }

    #[test]
    fn an_arena_knows_where_its_texts_lie() {
        let mut arena = Arena::default();
        for text in ["ab", "", "c"] {
            arena.push(text);
        }
        assert_eq!((0..3).map(|at| arena.get(at)).collect::<Vec<_>>(), ["ab", "", "c"]);
        assert_eq!((0..3).map(|offset| arena.place(offset)).collect::<Vec<_>>(), [0, 0, 2]);
        set_exact(&mut arena, 5, "x");
        assert_eq!((3..6).map(|at| arena.get(at)).collect::<Vec<_>>(), ["", "", "x"]);
    }
}
