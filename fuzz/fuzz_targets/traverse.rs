//! Any sequence of operations on a walk: calls, answers in any order, answers twice, stops.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/ref-resolve/tests/it/ops.rs"]
mod ops;

fuzz_target!(|bytes: &[u8]| ops::run(bytes));
