//! What a segment looks things up in: sorted tables, and signatures that say where a text can't be.

use std::collections::BTreeSet;
use std::hash::Hash;
use std::ops::Range;

use super::store::{Arena, Bits, Ones, Store};
use super::tiers::number;
use super::{small, wide};

/// Entries of a block whose least owner is kept.
const BLOCK: usize = 64;

/// Entries in the order of some text, each owned by a record. Records are numbered in tie order, so that the best
/// records of a range are those with the least numbers; blocks that hold none of these are skipped.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    /// What the entry is: an offset, a handle. Empty where that is the owner itself.
    items: Vec<u32>,
    owners: Vec<u32>,
    /// The least owner of each block, and of each block of blocks.
    least: Vec<u32>,
    least_of_least: Vec<u32>,
}

impl Table {
    fn new(items: Vec<u32>, owners: Vec<u32>) -> Self {
        let least_of = |numbers: &[u32]| -> Vec<u32> {
            numbers.chunks(BLOCK).map(|block| block.iter().copied().min().unwrap_or_default()).collect()
        };
        let least = least_of(&owners);
        Self { items, owners, least_of_least: least_of(&least), least }
    }

    /// The titles, by their first bytes and then by their lengths.
    pub(super) fn of_titles<Id: Ord + Hash + Clone>(store: &Store<Id>) -> Self {
        let entry =
            |at: usize| (wide_key(store.folded.get(at).as_bytes()), small(store.folded.get(at).len()), small(at));
        let mut entries: Vec<(u128, u32, u32)> = (0..store.len()).map(entry).collect();
        entries.sort_unstable();
        Self::new(Vec::new(), entries.into_iter().map(|(_, _, at)| at).collect())
    }

    /// The places at which words of titles begin, by the first bytes from there on.
    pub(super) fn of_words<Id: Ord + Hash + Clone>(store: &Store<Id>) -> Self {
        let text = store.folded.text().as_bytes();
        let mut entries: Vec<(u64, u32, u32)> = Vec::new();
        let (mut owner, mut end) = (0, store.folded.end(0));
        for start in store.starts.between(0, text.len()) {
            while end <= start {
                owner += 1;
                end = store.folded.end(owner);
            }
            entries.push((key(text.get(start..end).unwrap_or_default()), small(start), small(owner)));
        }
        entries.sort_unstable();
        let items = entries.iter().map(|entry| entry.1).collect();
        let owners = entries.iter().map(|entry| entry.2).collect();
        Self::new(items, owners)
    }

    /// The handles.
    pub(super) fn of_handles<Id: Ord + Hash + Clone>(store: &Store<Id>) -> Self {
        Self::by_text(store, |handle| Some(store.handles.get(handle)))
    }

    /// The numbers at the end of handles.
    pub(super) fn of_numbers<Id: Ord + Hash + Clone>(store: &Store<Id>) -> Self {
        Self::by_text(store, |handle| number(store.handles.get(handle)))
    }

    fn by_text<'a, Id>(store: &'a Store<Id>, text: impl Fn(usize) -> Option<&'a str>) -> Self {
        let entry = |handle: usize| Some((wide_key(text(handle)?.as_bytes()), small(handle)));
        let mut entries: Vec<(u128, u32)> = (0..store.owners.len()).filter_map(entry).collect();
        // Few texts are the same in their first bytes, so few have to be looked at.
        entries.sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| text(wide(a.1)).cmp(&text(wide(b.1)))));
        let items: Vec<u32> = entries.into_iter().map(|entry| entry.1).collect();
        let owners = items.iter().map(|item| store.owners.get(wide(*item)).copied().unwrap_or_default()).collect();
        Self::new(items, owners)
    }

    /// The entries from the first that is not before to the first that is behind.
    pub(super) fn range(&self, before: impl Fn(usize) -> bool, within: impl Fn(usize) -> bool) -> Range<usize> {
        let first = partition(0..self.owners.len(), before);
        first..partition(first..self.owners.len(), within)
    }

    pub(super) fn item(&self, entry: usize) -> usize {
        self.items.get(entry).or_else(|| self.owners.get(entry)).map_or(usize::MAX, |item| wide(*item))
    }

    pub(super) fn owner(&self, entry: usize) -> usize {
        self.owners.get(entry).map_or(usize::MAX, |owner| wide(*owner))
    }

    pub(super) fn owners(&self, range: Range<usize>) -> &[u32] {
        self.owners.get(range).unwrap_or_default()
    }

    /// Offers the records of a range, in blocks that may hold a better one; `judge` gets the entry and the record.
    pub(super) fn offer(&self, range: Range<usize>, best: &mut Best, mut judge: impl FnMut(usize, usize) -> Verdict) {
        let mut from = range.start;
        while from < range.end {
            let large = from / (BLOCK * BLOCK);
            if self.least_of_least.get(large).is_some_and(|least| wide(*least) >= best.bound()) {
                from = (large + 1) * BLOCK * BLOCK;
                continue;
            }
            let block = from / BLOCK;
            let to = ((block + 1) * BLOCK).min(range.end);
            if self.least.get(block).is_some_and(|least| wide(*least) < best.bound()) {
                for (entry, owner) in (from..to).zip(self.owners(from..to)) {
                    let owner = wide(*owner);
                    if owner < best.bound() && !best.holds(owner) {
                        best.add(owner, judge(entry, owner));
                    }
                }
            }
            from = to;
        }
    }
}

/// The first place of a range at which the condition no longer holds.
fn partition(range: Range<usize>, holds: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (range.start, range.end);
    while low < high {
        let middle = usize::midpoint(low, high);
        if holds(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

/// The first eight bytes as a number that sorts as they do; what is missing counts as zeros.
pub(super) fn key(bytes: &[u8]) -> u64 {
    if let Some(first) = bytes.first_chunk::<8>() {
        return u64::from_be_bytes(*first);
    }
    bytes.iter().zip([56, 48, 40, 32, 24, 16, 8]).fold(0, |key, (byte, shift)| key | u64::from(*byte) << shift)
}

/// The keys of all texts that begin with these bytes lie between these two.
pub(super) fn keys(prefix: &[u8]) -> (u64, u64) {
    let low = key(prefix);
    let free = 64 - 8 * prefix.len().min(8);
    (low, if free == 64 { u64::MAX } else { low | ((1 << free) - 1) })
}

/// The same for the first sixteen bytes.
pub(super) fn wide_key(bytes: &[u8]) -> u128 {
    let (first, second) = bytes.split_at_checked(8).unwrap_or((bytes, &[]));
    u128::from(key(first)) << 64 | u128::from(key(second))
}

pub(super) fn wide_keys(prefix: &[u8]) -> (u128, u128) {
    let low = wide_key(prefix);
    let free = 128 - 8 * prefix.len().min(16);
    (low, if free == 128 { u128::MAX } else { low | ((1 << free) - 1) })
}

/// Whether a record that stands in a table is a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Exact,
    /// Only without diacritics.
    Inexact,
    No,
}

/// The best records of one tier.
#[derive(Debug)]
pub(super) struct Best {
    limit: usize,
    exact: BTreeSet<usize>,
    inexact: BTreeSet<usize>,
}

impl Best {
    pub(super) fn new(limit: usize) -> Self {
        Self { limit, exact: BTreeSet::new(), inexact: BTreeSet::new() }
    }

    /// Records from here on are not good enough.
    pub(super) fn bound(&self) -> usize {
        if self.exact.len() < self.limit { usize::MAX } else { self.exact.last().map_or(0, |last| *last) }
    }

    pub(super) fn is_full(&self) -> bool {
        self.exact.len() >= self.limit
    }

    fn holds(&self, record: usize) -> bool {
        self.exact.contains(&record) || self.inexact.contains(&record)
    }

    pub(super) fn add(&mut self, record: usize, verdict: Verdict) {
        let set = match verdict {
            Verdict::Exact => &mut self.exact,
            Verdict::Inexact => &mut self.inexact,
            Verdict::No => return,
        };
        set.insert(record);
        if set.len() > self.limit {
            set.pop_last();
        }
    }

    /// Whether each is inexact, and the record; best first.
    pub(super) fn into_records(self) -> impl Iterator<Item = (bool, usize)> {
        let exact = self.exact.into_iter().map(|record| (false, record));
        exact.chain(self.inexact.into_iter().map(|record| (true, record))).take(self.limit)
    }
}

/// What tells where a text can't be, without looking at it.
///
/// For each text and each of a number of columns, a bit: whether the text holds some pair or triple of bytes that
/// falls into the column. A text that holds a query has a one in all columns of the query. The same, for bytes and pairs, for
/// blocks of 64 texts. All held column by column, so that a query reads few of them from end to end.
#[derive(Clone, Debug, Default)]
pub(super) struct Signature {
    columns: usize,
    /// Blocks of 64 texts: words of a column.
    blocks: usize,
    bits: Vec<u64>,
    /// Empty where there are few blocks.
    block_bits: Vec<u64>,
}

/// Columns of one query that are looked at; more tell little more.
const MOST_COLUMNS: usize = 24;
/// Columns of a block: one for each byte, and some for pairs.
const BYTES: usize = 256;
const PAIRS: usize = 4096;
/// Below this many blocks, a table of them is larger than it is useful.
const FEW_BLOCKS: usize = 64;

impl Signature {
    /// For the texts of an arena, with so many columns for ten bytes of a middling text.
    pub(super) fn new(arena: &Arena, density: usize) -> Self {
        if arena.text().is_empty() {
            return Self::default();
        }
        let columns = (arena.text().len() * density / arena.len().max(1) / 10).next_multiple_of(16).clamp(16, 1024);
        let blocks = arena.len().div_ceil(64);
        let strides = blocks.div_ceil(64);
        let mut bits = vec![0_u64; blocks * columns];
        let mut block_bits = vec![0_u64; if blocks < FEW_BLOCKS { 0 } else { (BYTES + PAIRS) * strides }];
        let mut rows = vec![0_u64; columns];
        let mut pairs = vec![0_u64; 1024];
        for block in 0..blocks {
            rows.fill(0);
            pairs.fill(0);
            let mut tell = |column: usize| {
                if let Some(cell) = block_bits.get_mut(column * strides + block / 64) {
                    *cell |= 1 << (block % 64);
                }
            };
            for row in 0..64 {
                let text = arena.get(block * 64 + row).as_bytes();
                for gram in grams(text) {
                    if let Some(cell) = rows.get_mut(column(gram, columns)) {
                        *cell |= 1 << row;
                    }
                    if let Some(cell) = pairs.get_mut(wide(gram) / 64) {
                        *cell |= 1 << (gram % 64);
                    }
                }
                if let [only] = text {
                    tell(usize::from(*only));
                }
            }
            for (word, at) in pairs.iter().zip(0..) {
                for bit in Ones(*word) {
                    let pair = at * 64 + bit;
                    tell(pair % 256);
                    tell(pair / 256);
                    tell(BYTES + column(small(pair), PAIRS));
                }
            }
            for (to, from) in bits.iter_mut().skip(block).step_by(blocks).zip(&rows) {
                *to = *from;
            }
        }
        Self { columns, blocks, bits, block_bits }
    }

    /// The columns that a query falls into; none when it is too short to tell.
    pub(super) fn columns(&self, query: &str) -> Vec<&[u64]> {
        if self.columns == 0 || query.len() < 3 {
            return Vec::new();
        }
        let columns: BTreeSet<usize> = grams(query.as_bytes()).map(|gram| column(gram, self.columns)).collect();
        let every = columns.len().div_ceil(MOST_COLUMNS).max(1);
        columns
            .into_iter()
            .step_by(every)
            .filter_map(|column| self.bits.get(column * self.blocks..(column + 1) * self.blocks))
            .collect()
    }

    /// The blocks that may hold a query: a bit each.
    pub(super) fn blocks(&self, query: &str) -> Vec<u64> {
        let strides = self.blocks.div_ceil(64);
        let mut all = vec![u64::MAX; strides];
        if let Some(last) = all.last_mut() {
            *last >>= (64 - self.blocks % 64) % 64;
        }
        let columns: BTreeSet<usize> = match query.as_bytes() {
            [only] => std::iter::once(usize::from(*only)).collect(),
            bytes => grams(bytes).filter(|gram| is_pair(*gram)).map(|pair| BYTES + column(pair, PAIRS)).collect(),
        };
        for column in columns {
            for (all, one) in all.iter_mut().zip(self.block_bits.iter().skip(column * strides)) {
                *all &= one;
            }
        }
        all
    }
}

/// The records of these blocks with a one in all columns, ascending, until `visit` says that it is enough; tells
/// whether it went to the end.
pub(super) fn in_all(blocks: &[u64], columns: &[&[u64]], mut visit: impl FnMut(usize) -> bool) -> bool {
    for (stride, wanted) in blocks.iter().enumerate().filter(|(_, wanted)| **wanted != 0) {
        let mut all = [u64::MAX; 64];
        for column in columns {
            for (all, one) in all.iter_mut().zip(column.get(stride * 64..).unwrap_or_default()) {
                *all &= one;
            }
        }
        for block in Ones(*wanted) {
            for bit in Ones(all.get(block).copied().unwrap_or_default()) {
                if !visit((stride * 64 + block) * 64 + bit) {
                    return false;
                }
            }
        }
    }
    true
}

/// The texts of these blocks that hold a needle, as above, by looking at all of them.
pub(super) fn holding(blocks: &[u64], arena: &Arena, needle: &str, mut visit: impl FnMut(usize) -> bool) -> bool {
    let finder = memchr::memmem::Finder::new(needle);
    let text = arena.text().as_bytes();
    let wanted = |block: usize| blocks.get(block / 64).is_some_and(|word| word >> (block % 64) & 1 == 1);
    let mut next = 0;
    for block in blocks.iter().enumerate().flat_map(|(stride, word)| Ones(*word).map(move |bit| stride * 64 + bit)) {
        if block < next {
            continue;
        }
        // Blocks that follow each other are looked through at once.
        next = block + 1;
        while wanted(next) {
            next += 1;
        }
        let mut from = arena.start(block * 64);
        let to = arena.start(next * 64);
        while let Some(found) = text.get(from..to).and_then(|rest| finder.find(rest)) {
            let start = from + found;
            let at = arena.place(start);
            let end = arena.end(at);
            if start + needle.len() <= end {
                if !visit(at) {
                    return false;
                }
                from = end;
            } else {
                // It reaches into the next text.
                from = start + 1;
            }
        }
    }
    true
}

const fn is_pair(gram: u32) -> bool {
    gram < 1 << 16
}

/// The pairs and triples of bytes.
fn grams(bytes: &[u8]) -> impl Iterator<Item = u32> {
    let pairs = bytes.iter().zip(bytes.iter().skip(1));
    let third = bytes.iter().skip(2).map(|third| Some(*third)).chain(std::iter::once(None));
    pairs.zip(third).flat_map(|((first, second), third)| {
        let pair = u32::from(*first) | u32::from(*second) << 8;
        // A triple has its own range, above the pairs.
        let triple = third.map(|third| pair | (u32::from(third) + 1) << 16);
        std::iter::once(pair).chain(triple)
    })
}

/// The column of a gram, by multiplicative hashing.
fn column(gram: u32, columns: usize) -> usize {
    let hash = gram.wrapping_mul(0x9E37_79B1);
    ((u64::from(hash) * columns as u64) >> 32) as usize
}

/// The members of all sets of owners.
pub(super) fn owned_by_all<'a>(records: usize, sets: impl IntoIterator<Item = &'a [u32]>) -> Bits {
    let mut all = Bits::default();
    for set in sets {
        let mut one = Bits::of_size(records);
        for owner in set {
            one.insert(wide(*owner));
        }
        if all.is_empty() {
            all = one;
        } else {
            for (all, one) in all.words_mut().iter_mut().zip(one.words()) {
                *all &= one;
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_sort_as_texts_do() {
        assert!(key(b"a") < key(b"ab") && key(b"ab") < key(b"b") && key(b"abcdefgh") < key(b"abcdefgi"));
        assert_eq!(key(b"abcdefghi"), key(b"abcdefgh"));
        let (low, high) = keys(b"ab");
        for text in ["ab", "abz", "ab\u{10ffff}"] {
            assert!((low..=high).contains(&key(text.as_bytes())), "{text}");
        }
        for text in ["aa\u{10ffff}", "ac", ""] {
            assert!(!(low..=high).contains(&key(text.as_bytes())), "{text}");
        }
        assert_eq!(keys(b""), (0, u64::MAX));
        assert_eq!(keys(b"abcdefgh"), keys(b"abcdefghi"));
        let (low, high) = wide_keys(b"abcdefghij");
        assert!(
            (low..=high).contains(&wide_key(b"abcdefghijklmnopqrst"))
                && !(low..=high).contains(&wide_key(b"abcdefghik"))
        );
        assert_eq!(wide_keys(b""), (0, u128::MAX));
    }

    #[test]
    fn a_table_offers_the_least_owners_once() {
        let owners: Vec<u32> = (0..1000).map(|at| (at * 7919) % 500).collect();
        let table = Table::new(Vec::new(), owners);
        let mut best = Best::new(3);
        table.offer(10..990, &mut best, |_, owner| if owner % 2 == 0 { Verdict::Exact } else { Verdict::Inexact });
        assert_eq!(best.into_records().collect::<Vec<_>>(), [(false, 0), (false, 2), (false, 4)]);
        let mut best = Best::new(3);
        table.offer(0..1000, &mut best, |_, owner| if owner == 400 { Verdict::Exact } else { Verdict::Inexact });
        assert_eq!(best.into_records().collect::<Vec<_>>(), [(false, 400), (true, 0), (true, 1)]);
    }

    #[test]
    fn a_signature_never_hides_a_text_that_holds_the_query() {
        let mut arena = Arena::default();
        let texts: Vec<String> =
            (0..5000).map(|at: u32| format!("text {} of {}", at.wrapping_mul(2_654_435_761), at)).collect();
        for text in &texts {
            arena.push(text);
        }
        let signature = Signature::new(&arena, 20);
        for query in ["text", "999", "of 4999", "ext 0", "nothing", "9", "x", "0 ", "zz", "z"] {
            let mut told = Vec::new();
            let blocks = signature.blocks(query);
            assert!(in_all(&blocks, &signature.columns(query), |at| {
                told.push(at);
                true
            }));
            let mut scanned = Vec::new();
            assert!(holding(&blocks, &arena, query, |at| {
                scanned.push(at);
                true
            }));
            let expected: Vec<usize> = (0..texts.len()).filter(|at| texts[*at].contains(query)).collect();
            assert_eq!(scanned, expected, "{query}");
            assert!(expected.iter().all(|at| told.binary_search(at).is_ok()), "{query}");
        }
    }

    #[test]
    fn a_needle_across_two_texts_is_not_in_either() {
        let mut arena = Arena::default();
        for text in ["ab", "ab", "bab", ""] {
            arena.push(text);
        }
        let mut found = Vec::new();
        holding(&[1], &arena, "ba", |at| {
            found.push(at);
            true
        });
        assert_eq!(found, [2]);
    }
}
