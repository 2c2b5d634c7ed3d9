//! What several test modules need.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

/// Runs a future that never really waits.
#[track_caller]
pub(crate) fn now<T>(future: impl Future<Output = T>) -> T {
    let mut context = Context::from_waker(Waker::noop());
    match pin!(future).poll(&mut context) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("the future waits for something"),
    }
}
