//! Tests of the public surface.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a failing test may panic"
)]

mod rank;
mod rank_index;
