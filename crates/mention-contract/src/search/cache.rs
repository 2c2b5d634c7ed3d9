use super::plan::Call;
use crate::limits;
use crate::wire::{SearchContext, SearchResponse};
use std::collections::BTreeMap;
use std::time::Duration;

/// Answers of the last 15 seconds, to be given again for an identical ask: same function, query, limit and context.
///
/// Bounded, and without a clock: `now` is the time since any fixed moment, as long as it is always the same one.
/// Failures have no place here, so the next ask tries again.
#[derive(Clone, Debug)]
pub struct Cache {
    entries: BTreeMap<Key, Entry>,
    capacity: usize,
    /// Counts what was put, so that of equal times the older goes first.
    puts: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    function_id: String,
    query: String,
    limit: Option<u64>,
    context: Option<(Option<String>, Option<String>)>,
}

#[derive(Clone, Debug)]
struct Entry {
    at: Duration,
    put: u64,
    response: SearchResponse,
}

impl Default for Cache {
    fn default() -> Self {
        Self::new(limits::CACHE_ENTRIES)
    }
}

impl Cache {
    /// A cache that holds this many answers; 64 by `default()`.
    pub fn new(capacity: usize) -> Self {
        Self { entries: BTreeMap::new(), capacity, puts: 0 }
    }

    /// The answer to an identical ask, when it is at most 15 seconds old.
    pub fn response(&self, call: &Call, now: Duration) -> Option<&SearchResponse> {
        let entry = self.entries.get(&Key::of(call))?;
        fresh(entry, now).then_some(&entry.response)
    }

    /// Keeps an answer; drops what is too old, and the oldest when there is no room. Of the answer no more items are
    /// kept than were asked for, and one more, which tells that there are more.
    pub fn put(&mut self, call: &Call, response: &SearchResponse, now: Duration) {
        self.entries.retain(|_, entry| fresh(entry, now));
        let key = Key::of(call);
        self.entries.remove(&key);
        while self.capacity > 0 && self.entries.len() >= self.capacity {
            let oldest = self.entries.iter().min_by_key(|(_, entry)| (entry.at, entry.put)).map(|(key, _)| key.clone());
            match oldest {
                Some(oldest) => self.entries.remove(&oldest),
                None => break,
            };
        }
        if self.capacity == 0 {
            return;
        }
        let kept = call.request().effective_limit().saturating_add(1);
        let response = response.items.iter().take(kept).cloned().collect();
        self.puts = self.puts.wrapping_add(1);
        self.entries.insert(key, Entry { at: now, put: self.puts, response });
    }

    /// How many answers are held, old ones included.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether nothing is held.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Forgets everything, when the providers changed for example.
    pub fn clear(&mut self) {
        self.entries.clear();
    }
}

/// Not from the future either: then the caller's clock went back, and the age is not known.
fn fresh(entry: &Entry, now: Duration) -> bool {
    now.checked_sub(entry.at).is_some_and(|age| age <= limits::CACHE_AGE)
}

impl Key {
    fn of(call: &Call) -> Self {
        let request = call.request();
        // Every member of the context is named, so that a new one can't be forgotten here.
        let context =
            request.context.clone().map(|SearchContext { session_id, working_dir }| (session_id, working_dir));
        Self { function_id: call.function_id().to_owned(), query: request.query.clone(), limit: request.limit, context }
    }
}
