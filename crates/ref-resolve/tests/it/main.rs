//! Tests of the public surface.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::too_many_lines,
    clippy::format_collect,
    clippy::unnecessary_wraps,
    clippy::match_same_arms,
    reason = "a test that meets something unexpected should stop, and is plain rather than fast"
)]

mod cases;
mod data;
mod expand;
mod operations;
mod ops;
mod resolver;
mod script;
mod simulator;
mod walk;
mod world;
