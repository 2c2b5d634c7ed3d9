//! The integration tests of cli-spec, as one binary.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::needless_pass_by_value,
    clippy::type_complexity,
    clippy::items_after_statements,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    missing_docs,
    reason = "tests may fail loudly, and may read files and start shells"
)]

mod agree;
mod app_invoke;
mod app_manifest;
mod argv;
mod bind;
mod cases;
mod command;
#[cfg(feature = "completions")]
mod export_clap;
mod export_markdown;
mod export_mcp;
mod export_openai;
mod export_support;
mod idempotency;
mod policy;
mod registry;
mod schema;
mod support;
mod terminal;
mod tracker;
mod types;
mod wait;
