//! The walk as a state machine without IO.

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::ops::ControlFlow;
use std::sync::Arc;

use mention_uri::Source;
use mention_uri::limits::PAGE_SIZE;

use crate::call::{Call, CallPage};
use crate::entry::{Entry, IntoEntry, present};
use crate::error::{ResolveError, SourceError, UnknownCall};
use crate::group::{Answer, Group, Next};
use crate::identity::{Identity, NameFilter, UniqueBy};
use crate::limits::{Limits, OnError};
use crate::request::{ReferenceRequest, Workspace};
use crate::resolution::{Failure, Resolution, StopReason, Stops};
use crate::source::{Item, Page};

/// The walk from a reference to its files, without IO.
///
/// The driver repeats two steps until [`is_done`](Self::is_done): ask for what
/// [`next_calls`](Self::next_calls) gives, and hand each answer to [`answer`](Self::answer), in any
/// order. Then [`finish`](Self::finish) gives the result. [`Resolver`](crate::Resolver) is such a driver.
///
/// The result is that of the **sequential walk**: groups breadth first from the one asked for, the
/// pages of a group in order, one call after the other. Neither the order of the answers nor
/// [`Limits::max_in_flight`] changes anything in it. Answers that come early are kept until their
/// turn, at most four times as many as may be in flight, stripped of all that can't matter any more.
///
/// Calls are given out in advance only when the sequential walk is certain to have pages left for them:
/// the calls of a walk never exceed [`Limits::pages`], even where every group before turns out to
/// be as long as [`Limits::group_pages`] allows. With the default limits five groups are read at
/// once at most; a smaller `group_pages` or a larger `pages` lets more of them run.
///
/// # Cost
/// Linear in the items answered. Memory is bounded by the limits, whatever the source answers: known
/// files up to the request's limit, known groups up to [`Limits::groups`], the cursors of the groups
/// being read, and the early answers.
#[derive(Debug)]
pub struct Traversal {
    origin: Origin,
    workspace: Arc<Workspace>,
    query: Arc<str>,
    filter: NameFilter,
    limits: Limits,
    file_limit: usize,
    page_size: usize,

    /// Groups to walk, in walk order; the walk stands at the front.
    queue: VecDeque<Group>,
    /// How many groups have left the queue: the front's ordinal.
    left: u64,
    /// Ids of all groups that were ever queued.
    visited: HashSet<Arc<str>>,
    groups: usize,

    unique_by: UniqueBy,
    seen: HashSet<Identity>,
    items: Vec<crate::source::File>,
    stops: Stops,
    failures: Vec<Failure>,
    error: Option<ResolveError>,

    /// Calls that are given out and not answered, with the ordinal of their group.
    unanswered: BTreeMap<u64, (Call, u64)>,
    /// Pages given out, and pages that the walk has passed.
    asked: usize,
    walked: usize,
    /// Answers that wait for their turn, and the files in them that are not in `seen`.
    waiting: usize,
    ahead: HashSet<Identity>,
    /// The group in whose known pages the limit of files is certain to be reached.
    enough_at: Option<u64>,
    enough_changed: bool,
    done: bool,
}

/// Where the walk begins, and with it the kind of its calls.
#[derive(Debug)]
enum Origin {
    App(Arc<str>),
    Issue(Arc<str>, Arc<str>),
    Topic(Arc<str>),
}

impl Traversal {
    /// A walk that has asked for nothing yet.
    pub fn new(request: ReferenceRequest, limits: Limits) -> Self {
        let file_limit = request.limit;
        Self::with_known(request, limits, file_limit, UniqueBy::KeyOrPath, HashSet::new())
    }

    /// A walk that takes what is left of a larger whole: at most `file_limit` files, none of the known ones.
    pub(crate) fn with_known(
        request: ReferenceRequest,
        limits: Limits,
        file_limit: usize,
        unique_by: UniqueBy,
        known: HashSet<Identity>,
    ) -> Self {
        let reference = &request.reference;
        let id: Arc<str> = reference.id().into();
        let asked_group: Option<Arc<str>> = present(reference.group_id()).map(Arc::from);
        let origin = match (reference.source(), &asked_group) {
            (Source::App, _) => Origin::App(id),
            (Source::Task, Some(issue)) => Origin::Issue(id, issue.clone()),
            (Source::Task, None) => Origin::Topic(id),
        };
        let mut walk = Self {
            origin,
            workspace: Arc::new(request.workspace),
            filter: NameFilter::new(&request.query),
            query: request.query.trim().into(),
            limits,
            file_limit,
            page_size: limits.page_size.min(PAGE_SIZE).min(request.limit).max(1),
            queue: VecDeque::new(),
            left: 0,
            visited: HashSet::new(),
            groups: 0,
            unique_by,
            seen: known,
            items: Vec::new(),
            stops: Stops::default(),
            failures: Vec::new(),
            error: None,
            unanswered: BTreeMap::new(),
            asked: 0,
            walked: 0,
            waiting: 0,
            ahead: HashSet::new(),
            enough_at: None,
            enough_changed: false,
            done: false,
        };
        if limits.groups == 0 {
            walk.end(StopReason::Groups, asked_group.as_deref());
        } else {
            walk.groups = 1;
            walk.visited.extend(asked_group.clone());
            walk.queue.push_back(Group::new(asked_group, 0));
            walk.advance();
        }
        walk
    }

    /// The pages that may be asked for now, each given out once. Empty while all that can be asked is
    /// unanswered, and when the walk is done.
    ///
    /// Earlier in walk order comes first.
    pub fn next_calls(&mut self) -> Vec<Call> {
        let mut calls = Vec::new();
        if self.done {
            return calls;
        }
        self.find_enough();
        let in_flight = self.limits.max_in_flight.max(1);
        let early = in_flight.saturating_mul(4);
        // Pages that the groups before may still take from the whole.
        let mut reserved: usize = 0;
        for (ordinal, index) in (self.left..).zip(0..self.queue.len()) {
            if self.unanswered.len() >= in_flight {
                break;
            }
            let certain = self.asked.saturating_add(reserved) < self.limits.pages;
            let room = self.waiting.saturating_add(self.unanswered.len()) < early;
            let in_turn = index == 0;
            if self.enough_at == Some(ordinal) || !(in_turn || certain && room) {
                break;
            }
            let Some(group) = self.queue.get_mut(index) else { break };
            if group.failed() && self.limits.on_error == OnError::Fail {
                break;
            }
            if let Next::Page(cursor) = group.take_next(self.limits.group_pages) {
                let number = self.asked as u64;
                self.asked += 1;
                let parent_group = match (&self.origin, group.depth) {
                    (Origin::Issue(..), 0) => None,
                    _ => group.id.clone(),
                };
                let call = self.call(CallPage {
                    number,
                    workspace: self.workspace.clone(),
                    parent_group,
                    query: self.query.clone(),
                    limit: self.page_size,
                    cursor,
                });
                self.unanswered.insert(number, (call.clone(), ordinal));
                calls.push(call);
            }
            if let Some(group) = self.queue.get(index) {
                reserved = reserved.saturating_add(group.pages_left(self.limits.group_pages));
            }
        }
        calls
    }

    /// Takes the answer to a call that was given out. An answer that comes after the walk was done is
    /// taken and dropped.
    ///
    /// # Errors
    /// [`UnknownCall`] when this walk did not give the call out, or has its answer already; nothing changes then.
    pub fn answer(&mut self, call: &Call, answer: Result<Page, SourceError>) -> Result<(), UnknownCall> {
        let number = call.page().number;
        let ordinal = match self.unanswered.get(&number) {
            Some((given, ordinal)) if given == call => *ordinal,
            _ => return Err(UnknownCall { number }),
        };
        self.unanswered.remove(&number);
        if self.done {
            return Ok(());
        }
        let index = usize::try_from(ordinal.saturating_sub(self.left)).unwrap_or(usize::MAX);
        let Some(group) = self.queue.get_mut(index) else { return Ok(()) };
        let (items, answer) = match answer {
            Ok(page) => {
                let looped = group.go_on(present(page.next_cursor.as_deref()));
                (page.items, Answer::page(looped))
            }
            Err(error) => {
                group.next = Next::Ended;
                (Vec::new(), Answer::error(error))
            }
        };
        if index == 0 {
            // Nothing waits before it: its items need not be kept.
            self.take(answer, items.into_iter());
            self.advance();
        } else {
            let entries = self.sift(items);
            if let Some(group) = self.queue.get_mut(index) {
                group.answers.push_back(answer.with(entries));
                self.waiting += 1;
            }
        }
        Ok(())
    }

    /// Ends the walk with what is known: everything that was answered, in walk order. Nothing is asked
    /// for any more. Does nothing when the walk is done.
    pub fn stop(&mut self) {
        let mut unread: Option<Option<Arc<str>>> = None;
        while let Some(group) = self.queue.front_mut() {
            if let Some(answer) = group.answers.pop_front() {
                self.take_waiting(answer);
                continue;
            }
            if group.used_up(self.limits.group_pages) {
                self.stops.cut(StopReason::GroupPages, group.id.as_deref());
            } else if group.next != Next::Ended && unread.is_none() {
                unread = Some(group.id.clone());
            }
            self.leave();
        }
        if !self.done {
            self.end(StopReason::Stopped, unread.flatten().as_deref());
        }
    }

    /// Whether the result is known. Calls that are still unanswered don't matter any more.
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// How many calls were given out so far. Never more than [`Limits::pages`].
    pub fn calls(&self) -> usize {
        self.asked
    }

    /// The result. A walk that is not done is [stopped](Self::stop) first.
    ///
    /// # Errors
    /// [`ResolveError::Source`] with [`OnError::Fail`]: the first error that the sequential walk would have met.
    pub fn finish(self) -> Result<Resolution, ResolveError> {
        self.finish_with_known().0
    }

    /// The result, and the identities of all files that are known now, for the walk that goes on from
    /// here. The files of a walk that failed are not known: nobody gets to see them.
    pub(crate) fn finish_with_known(mut self) -> (Result<Resolution, ResolveError>, HashSet<Identity>) {
        self.stop();
        let mut known = self.seen;
        if let Some(error) = self.error {
            for file in &self.items {
                known.remove(&self.unique_by.identity(file));
            }
            return (Err(error), known);
        }
        let resolution = Resolution { items: self.items, truncated: self.stops.into_vec(), failures: self.failures };
        (Ok(resolution), known)
    }

    fn call(&self, page: CallPage) -> Call {
        match &self.origin {
            Origin::App(app_id) => Call::AppPage { app_id: app_id.clone(), page },
            Origin::Issue(topic_id, issue_id) => {
                Call::IssueOutputs { topic_id: topic_id.clone(), issue_id: issue_id.clone(), page }
            }
            Origin::Topic(topic_id) => Call::TopicOutputs { topic_id: topic_id.clone(), page },
        }
    }

    /// Walks as far as the answers reach. Afterwards the walk is done, or the front group's next page
    /// is one that the sequential walk asks for.
    fn advance(&mut self) {
        while !self.done {
            let Some(group) = self.queue.front_mut() else {
                self.close();
                return;
            };
            if group.is_over() {
                self.leave();
            } else if group.used_up(self.limits.group_pages) {
                self.stops.cut(StopReason::GroupPages, group.id.as_deref());
                self.leave();
            } else if self.items.len() >= self.file_limit {
                self.end_here(StopReason::Limit);
            } else if self.walked >= self.limits.pages {
                self.end_here(StopReason::Pages);
            } else if let Some(answer) = group.answers.pop_front() {
                self.take_waiting(answer);
            } else {
                return;
            }
        }
    }

    fn take_waiting(&mut self, mut answer: Answer) {
        self.waiting = self.waiting.saturating_sub(1);
        let entries = std::mem::take(&mut answer.entries);
        self.take(answer, entries.into_iter());
    }

    /// Takes the answer to the front group's page into the result.
    fn take<T: IntoEntry>(&mut self, answer: Answer, entries: impl Iterator<Item = T>) {
        self.walked += 1;
        let Some(front) = self.queue.front() else { return };
        let (group, depth) = (front.id.clone(), front.depth);
        if let Some(error) = answer.error {
            let group = group.as_deref().map(str::to_owned);
            match self.limits.on_error {
                OnError::Skip => self.failures.push(Failure { group, error }),
                OnError::Fail => {
                    self.error = Some(ResolveError::Source { group, error });
                    self.close();
                }
            }
            return;
        }
        for entry in entries {
            let Some(entry) = entry.into_entry(self.unique_by, &self.filter) else { continue };
            if self.take_entry(entry, depth).is_break() {
                self.end_here(StopReason::Limit);
                return;
            }
        }
        if answer.looped {
            self.stops.cut(StopReason::CursorLoop, group.as_deref());
        }
    }

    fn take_entry(&mut self, entry: Entry, depth: usize) -> ControlFlow<()> {
        match entry {
            Entry::File(identity, file) => {
                if self.items.len() >= self.file_limit {
                    // One more than enough: there is more.
                    return if self.seen.contains(&identity) {
                        ControlFlow::Continue(())
                    } else {
                        ControlFlow::Break(())
                    };
                }
                if !self.ahead.is_empty() {
                    self.ahead.remove(&identity);
                }
                if self.seen.insert(identity) {
                    self.items.push(file);
                    self.enough_changed = true;
                }
            }
            Entry::Group(id) => {
                if self.visited.contains(&id) {
                    return ControlFlow::Continue(());
                }
                if depth >= self.limits.depth {
                    self.stops.cut(StopReason::Depth, Some(&id));
                } else if self.groups >= self.limits.groups {
                    self.stops.cut(StopReason::Groups, Some(&id));
                } else {
                    self.groups += 1;
                    self.visited.insert(id.clone());
                    self.queue.push_back(Group::new(Some(id), depth + 1));
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// What of an early page can still matter when its turn comes. At most one new file more than
    /// there is room for (by then one of them is too many), and as many new groups as there is room
    /// for and stops to say.
    fn sift(&mut self, items: Vec<Item>) -> Vec<Entry> {
        let mut files = self.file_limit.saturating_sub(self.items.len()).saturating_add(1);
        let mut groups = self.limits.groups.saturating_sub(self.groups).saturating_add(Limits::STOPS);
        let mut page_files = HashSet::new();
        let mut page_groups = HashSet::new();
        let mut entries = Vec::new();
        for item in items {
            match item.into_entry(self.unique_by, &self.filter) {
                Some(Entry::File(identity, file)) => {
                    if self.seen.contains(&identity) || !page_files.insert(identity.clone()) {
                        continue;
                    }
                    if self.ahead.insert(identity.clone()) {
                        self.enough_changed = true;
                    }
                    entries.push(Entry::File(identity, file));
                    files = files.saturating_sub(1);
                    if files == 0 {
                        break;
                    }
                }
                Some(Entry::Group(id))
                    if groups > 0 && !self.visited.contains(&id) && page_groups.insert(id.clone()) =>
                {
                    entries.push(Entry::Group(id));
                    groups -= 1;
                }
                Some(Entry::Group(_)) | None => {}
            }
        }
        entries.shrink_to_fit();
        entries
    }

    /// Finds the group in whose early pages the limit of files is certain to be reached: nothing after
    /// those pages is worth asking for, whatever the pages before them hold.
    fn find_enough(&mut self) {
        let changed = std::mem::take(&mut self.enough_changed);
        if !changed || self.items.len().saturating_add(self.ahead.len()) < self.file_limit {
            return;
        }
        let mut found = HashSet::new();
        let mut pages = self.waiting;
        for (ordinal, group) in (self.left..).zip(&self.queue) {
            for answer in &group.answers {
                found.extend(answer.files().filter(|identity| self.ahead.contains(*identity)));
                pages = pages.saturating_sub(1);
            }
            if self.items.len().saturating_add(found.len()) >= self.file_limit {
                self.enough_at = Some(ordinal);
                return;
            }
            if pages == 0 {
                return;
            }
        }
    }

    fn leave(&mut self) {
        self.queue.pop_front();
        self.left += 1;
    }

    fn end_here(&mut self, reason: StopReason) {
        let group = self.queue.front().and_then(|group| group.id.clone());
        self.end(reason, group.as_deref());
    }

    fn end(&mut self, reason: StopReason, group: Option<&str>) {
        self.stops.end(reason, group);
        self.close();
    }

    /// The walk is done; what only the walk needs is let go.
    fn close(&mut self) {
        self.done = true;
        self.queue = VecDeque::new();
        self.visited = HashSet::new();
        self.ahead = HashSet::new();
        self.waiting = 0;
    }
}
