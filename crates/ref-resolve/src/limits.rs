//! How far a walk may go.

use mention_uri::limits::PAGE_SIZE;

/// How far one walk may go. The number of files is not here: it is the request's own
/// ([`ReferenceRequest::limit`](crate::ReferenceRequest::limit)).
///
/// A limit of 0 means none of that thing, never "no limit": with 0 pages nothing is asked, with a
/// depth of 0 only the group asked for is listed. Reaching a limit is not an error; it is said in
/// [`Resolution::truncated`](crate::Resolution::truncated).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Groups that are walked, with the one asked for. Default [`Limits::GROUPS`].
    pub groups: usize,
    /// Pages that are asked for in the whole walk. Default [`Limits::PAGES`].
    pub pages: usize,
    /// Pages that are asked for in one group. Default [`Limits::GROUP_PAGES`].
    pub group_pages: usize,
    /// How many groups deep the walk goes; the group asked for is depth 0. Default [`Limits::DEPTH`].
    pub depth: usize,
    /// Calls that may be unanswered at the same time; 0 counts as 1. Default [`Limits::IN_FLIGHT`].
    pub max_in_flight: usize,
    /// Items asked for in one page: at least 1, at most (and by default)
    /// [`mention_uri::limits::PAGE_SIZE`], and never more than the request's limit of files.
    pub page_size: usize,
    /// What an error of the source does to the walk. Default [`OnError::Fail`].
    pub on_error: OnError,
}

impl Limits {
    /// Enough for any tree that a person made, and few enough to remember.
    pub const GROUPS: usize = 1_000;
    /// Five pages for each of the most groups.
    pub const PAGES: usize = 5_000;
    /// With the usual page size a group of 200,000 entries.
    pub const GROUP_PAGES: usize = 1_000;
    /// Deeper than any folder tree that a person made.
    pub const DEPTH: usize = 32;
    /// A few calls at once hide latency without flooding a source.
    pub const IN_FLIGHT: usize = 4;
    /// Most entries of [`Resolution::truncated`](crate::Resolution::truncated).
    pub const STOPS: usize = 16;

    /// Sets how many groups are walked.
    #[must_use]
    pub fn groups(mut self, groups: usize) -> Self {
        self.groups = groups;
        self
    }

    /// Sets how many pages are asked for in the whole walk.
    #[must_use]
    pub fn pages(mut self, pages: usize) -> Self {
        self.pages = pages;
        self
    }

    /// Sets how many pages are asked for in one group.
    #[must_use]
    pub fn group_pages(mut self, pages: usize) -> Self {
        self.group_pages = pages;
        self
    }

    /// Sets how many groups deep the walk goes.
    #[must_use]
    pub fn depth(mut self, depth: usize) -> Self {
        self.depth = depth;
        self
    }

    /// Sets how many calls may be unanswered at the same time.
    #[must_use]
    pub fn max_in_flight(mut self, calls: usize) -> Self {
        self.max_in_flight = calls;
        self
    }

    /// Sets how many items are asked for in one page.
    #[must_use]
    pub fn page_size(mut self, items: usize) -> Self {
        self.page_size = items;
        self
    }

    /// Sets what an error of the source does to the walk.
    #[must_use]
    pub fn on_error(mut self, on_error: OnError) -> Self {
        self.on_error = on_error;
        self
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            groups: Self::GROUPS,
            pages: Self::PAGES,
            group_pages: Self::GROUP_PAGES,
            depth: Self::DEPTH,
            max_in_flight: Self::IN_FLIGHT,
            page_size: PAGE_SIZE,
            on_error: OnError::Fail,
        }
    }
}

/// What an error of the source does to the walk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OnError {
    /// The first error that the sequential walk would have met is the result.
    #[default]
    Fail,
    /// The group ends there, the walk goes on, and the error is listed in
    /// [`Resolution::failures`](crate::Resolution::failures).
    Skip,
}
