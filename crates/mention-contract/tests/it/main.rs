//! Tests of the public surface.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a failing test may panic"
)]

mod check;
mod clock;
mod composer;
mod context;
mod fan_out;
mod menu;
mod message;
mod present;
mod rank;
mod rank_fold;
mod rank_index;
mod registry;
mod resolve;
mod route;
mod schema;
mod types;
mod wire;
