//! Counts the work of our own loops in unit tests, so that linearity is tested by counting, not by the clock.

#[cfg(not(test))]
pub(crate) const fn step(_: usize) {}

#[cfg(test)]
pub(crate) use counting::{counted, step};

#[cfg(test)]
mod counting {
    use std::cell::Cell;

    std::thread_local! {
        static STEPS: Cell<usize> = const { Cell::new(0) };
    }

    /// Adds to the count of this thread.
    pub(crate) fn step(count: usize) {
        STEPS.with(|steps| steps.set(steps.get() + count));
    }

    /// How many steps `work` takes.
    pub(crate) fn counted<T>(work: impl FnOnce() -> T) -> usize {
        let before = STEPS.with(Cell::get);
        core::hint::black_box(work());
        STEPS.with(Cell::get) - before
    }
}
