//! Integration tests of mention-uri.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::too_many_lines,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::panic,
    clippy::format_push_string,
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "a test fails by panicking, and reads the project's own files and cargo's sources"
)]

mod auto_traits;
mod commonmark;
mod grammar;
mod link;
mod markdown;
mod markdown_text;
mod policy;
mod properties;
mod reference;
mod resource;
mod review;
mod scan;
mod serde;
mod span;
mod stream;
mod token;
mod uri;
