//! How much memory a walk over a source without an end takes. In a binary of its own, because the
//! allocator counts for the whole process.
#![allow(clippy::unwrap_used, reason = "a test that meets something unexpected should stop")]

use std::collections::VecDeque;

use peak_alloc::PeakAlloc;
use ref_resolve::{
    Call, File, Item, Limits, OnError, Page, PageRequest, ReferenceRequest, Resolution, StopReason, Traversal,
    Workspace,
};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// What a page of the source holds for ever.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Endless {
    Pages,
    Groups,
    Files,
    All,
    /// Files that the query lets through nowhere.
    Unwanted,
    /// Ten times as much as was asked for.
    Oversized,
}

/// Fresh in everything, at every call.
struct Source {
    kind: Endless,
    fresh: usize,
}

impl Source {
    fn answer(&mut self, request: &PageRequest<'_>) -> Page {
        let size = if self.kind == Endless::Oversized { request.limit * 10 } else { request.limit };
        let mut items = Vec::with_capacity(size);
        for place in 0..size {
            self.fresh += 1;
            let name = format!("a-name-that-is-as-long-as-names-are-{}", self.fresh);
            let group = match self.kind {
                Endless::Pages => break,
                Endless::Groups => true,
                Endless::Files | Endless::Unwanted => false,
                Endless::All | Endless::Oversized => place % 2 == 0,
            };
            items.push(if group {
                Item::group(name)
            } else {
                Item::File(File::new(format!("some/folder/{name}")).display_name("n").media_type("text/plain"))
            });
        }
        Page { items, next_cursor: Some(format!("a-cursor-of-usual-length-{}", self.fresh)) }
    }
}

/// The answers come from the back: the walk stands still as long as it can.
fn resolve(kind: Endless, limits: Limits) -> (Resolution, usize) {
    let workspace = Workspace::new("ws").unwrap();
    let mut request = ReferenceRequest::from_parts("app", "app", None, &workspace).unwrap();
    if kind == Endless::Unwanted {
        request = request.query("wanted");
    }
    let mut source = Source { kind, fresh: 0 };
    let mut walk = Traversal::new(request, limits);
    let mut open: VecDeque<Call> = VecDeque::new();
    while !walk.is_done() {
        open.extend(walk.next_calls());
        let call = open.pop_back().unwrap();
        let page = source.answer(&call.page().request());
        source.fresh += 1;
        walk.answer(&call, Ok(page)).unwrap();
    }
    let calls = walk.calls();
    (walk.finish().unwrap(), calls)
}

#[test]
fn a_source_without_an_end_takes_less_than_16_mb() {
    for limits in [
        Limits::default(),
        Limits::default().max_in_flight(1),
        Limits::default().max_in_flight(16).group_pages(100),
        Limits::default().on_error(OnError::Skip).group_pages(7),
    ] {
        for kind in
            [Endless::Pages, Endless::Groups, Endless::Files, Endless::All, Endless::Unwanted, Endless::Oversized]
        {
            let before = ALLOCATOR.current_usage();
            ALLOCATOR.reset_peak_usage();
            let (resolution, calls) = resolve(kind, limits);
            let used = ALLOCATOR.peak_usage() - before;
            assert!(used > 1_000, "the allocator counts nothing");
            assert!(used < 16 * 1024 * 1024, "{used} bytes for {kind:?} with {limits:?}");
            assert!(calls <= limits.pages);
            assert!(resolution.items.len() <= 1_000 && resolution.truncated.len() <= 16);
            let last = resolution.truncated.last().map(|stop| stop.reason);
            let expected = match kind {
                Endless::Files | Endless::All | Endless::Oversized => StopReason::Limit,
                // The root is the only group there is.
                Endless::Pages | Endless::Unwanted => StopReason::GroupPages,
                Endless::Groups => StopReason::Pages,
            };
            assert_eq!(last, Some(expected), "{kind:?} with {limits:?}");
        }
    }
}
