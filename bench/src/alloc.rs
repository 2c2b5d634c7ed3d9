//! A global allocator that counts: how often memory was asked for, how much is held, and the most held.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

struct Counting;

static CALLS: AtomicUsize = AtomicUsize::new(0);
static HELD: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

fn grow(bytes: usize) {
    CALLS.fetch_add(1, Relaxed);
    let held = HELD.fetch_add(bytes, Relaxed) + bytes;
    PEAK.fetch_max(held, Relaxed);
}

// SAFETY: every call goes to the system allocator unchanged; only counters are kept beside it.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        grow(layout.size());
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Relaxed);
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        HELD.fetch_sub(layout.size(), Relaxed);
        grow(size);
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// What one call of a closure asked of the allocator.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Usage {
    /// Allocations and reallocations.
    pub(crate) calls: usize,
    /// The most bytes held at once, above what was held before.
    pub(crate) peak: usize,
    /// Bytes still held when the closure's result was alive.
    #[allow(dead_code, reason = "read by areas that measure the size of a structure")]
    pub(crate) kept: usize,
}

/// Runs `work` once and tells what it asked of the allocator, and its result.
pub(crate) fn measure<T>(work: impl FnOnce() -> T) -> (Usage, T) {
    let held = HELD.load(Relaxed);
    PEAK.store(held, Relaxed);
    let calls = CALLS.load(Relaxed);
    let result = work();
    let usage = Usage {
        calls: CALLS.load(Relaxed) - calls,
        peak: PEAK.load(Relaxed).saturating_sub(held),
        kept: HELD.load(Relaxed).saturating_sub(held),
    };
    (usage, result)
}
