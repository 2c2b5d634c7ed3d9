//! The desk as a person uses it: the binary, on repositories made on the spot.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "tests"
)]
#![allow(unreachable_pub, missing_docs, reason = "a test crate exports nothing")]

mod demo;
mod errors;
mod import;
mod issues;
mod large;
mod ledger;
mod mention;
mod reference;
mod world;
