//! One group of a walk: which page comes next, and which answers wait.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use crate::entry::Entry;
use crate::error::SourceError;
use crate::identity::Identity;

#[derive(Debug)]
pub(crate) struct Group {
    /// `None` is the root.
    pub(crate) id: Option<Arc<str>>,
    pub(crate) depth: usize,
    pub(crate) next: Next,
    /// Answers to pages of this group whose turn has not come, in page order.
    pub(crate) answers: VecDeque<Answer>,
    asked: usize,
    cursors: HashSet<Arc<str>>,
}

/// The page of a group that comes next.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// It may be asked for; `None` is the first page.
    Page(Option<Arc<str>>),
    /// The page before it is not answered yet.
    Unanswered,
    /// There is none.
    Ended,
}

impl Group {
    pub(crate) fn new(id: Option<Arc<str>>, depth: usize) -> Self {
        Self { id, depth, next: Next::Page(None), answers: VecDeque::new(), asked: 0, cursors: HashSet::new() }
    }

    /// Gives out the next page; `Next::Page` only if there is one and the group may ask for more.
    pub(crate) fn take_next(&mut self, most: usize) -> Next {
        if self.asked >= most || !matches!(self.next, Next::Page(_)) {
            return Next::Ended;
        }
        self.asked += 1;
        std::mem::replace(&mut self.next, Next::Unanswered)
    }

    /// The last page was answered with this cursor. `true`: the group had given it before.
    pub(crate) fn go_on(&mut self, cursor: Option<&str>) -> bool {
        let Some(cursor) = cursor else {
            self.next = Next::Ended;
            return false;
        };
        let cursor: Arc<str> = cursor.into();
        let fresh = self.cursors.insert(cursor.clone());
        self.next = if fresh { Next::Page(Some(cursor)) } else { Next::Ended };
        !fresh
    }

    /// Nothing waits and nothing more comes.
    pub(crate) fn is_over(&self) -> bool {
        self.answers.is_empty() && self.next == Next::Ended
    }

    /// Nothing waits, and what would come next may not be asked for.
    pub(crate) fn used_up(&self, most: usize) -> bool {
        self.answers.is_empty() && matches!(self.next, Next::Page(_)) && self.asked >= most
    }

    /// How many more pages this group may ask for.
    pub(crate) fn pages_left(&self, most: usize) -> usize {
        if self.next == Next::Ended { 0 } else { most.saturating_sub(self.asked) }
    }

    /// Its last answer is an error.
    pub(crate) fn failed(&self) -> bool {
        self.answers.back().is_some_and(|answer| answer.error.is_some())
    }
}

/// An answer, looked at.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) entries: Vec<Entry>,
    /// Its next cursor had been given before.
    pub(crate) looped: bool,
    pub(crate) error: Option<SourceError>,
}

impl Answer {
    pub(crate) fn page(looped: bool) -> Self {
        Self { entries: Vec::new(), looped, error: None }
    }

    pub(crate) fn error(error: SourceError) -> Self {
        Self { entries: Vec::new(), looped: false, error: Some(error) }
    }

    pub(crate) fn with(mut self, entries: Vec<Entry>) -> Self {
        self.entries = entries;
        self
    }

    pub(crate) fn files(&self) -> impl Iterator<Item = &Identity> {
        self.entries.iter().filter_map(|entry| match entry {
            Entry::File(identity, _) => Some(identity),
            Entry::Group(_) => None,
        })
    }
}
