//! The fixtures, the runner and the adapters.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::print_stderr,
    reason = "tests"
)]

mod adapters;
mod broken;
mod codes;
mod command;
mod compare;
mod fixtures;
mod independent;

use std::path::{Path, PathBuf};

use conformance::fixture::{self, Suite};
use conformance::schema;
use serde_json::{Value, json};

/// All fixtures of this repository.
fn suites() -> Vec<Suite> {
    schema::load_checked(&fixture::standard_folder()).unwrap()
}

/// A folder of its own for a test, empty.
fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// A fixture folder that holds one file, `token/hand.json`, with these cases.
fn folder_with(name: &str, cases: &Value) -> PathBuf {
    let folder = scratch(name);
    std::fs::create_dir_all(folder.join("token")).unwrap();
    let suite = json!({ "suite": "token/hand", "about": "Added by hand.", "version": 1, "cases": cases });
    std::fs::write(folder.join("token/hand.json"), suite.to_string()).unwrap();
    folder
}

/// A case of `token.scan` that is right.
fn good_case(id: &str) -> Value {
    json!({ "id": id, "why": "A token.", "op": "token.scan", "input": { "text": "@a(id=\"1\")" },
        "expect": { "tokens": [ { "name": "a", "id": "1", "bytes": [0, 10], "utf16": [0, 10] } ] } })
}
