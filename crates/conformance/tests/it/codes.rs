//! Every error code of the four crates is in some case.
//!
//! The codes are read from the sources: the texts in the bodies of `fn code(…)`, and the tables of `mention-uri`. So a
//! new code fails this test until there is a case for it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::suites;

/// Codes that no data can lead to, each with the reason.
const NO_CASE: &[(&str, &str)] = &[
    // Declarations in Rust.
    ("duplicate_input", "two fields of one Rust type; a JSON object has each name once"),
    ("not_in_schema", "a Rust type whose serde names its schema does not have"),
    ("not_in_struct", "a Rust type whose schema has names that serde does not read"),
    ("summary_missing", "a command that is declared in Rust"),
    ("workspace_policy_missing", "a command that is declared in Rust"),
    ("handler_missing", "a command that is declared in Rust"),
    ("json_view_missing", "a command that is declared in Rust"),
    ("json_view_not_of_kind", "a command that is declared in Rust"),
    ("raw_json_reason_missing", "a command that is declared in Rust"),
    ("raw_json_beside_view", "a command that is declared in Rust"),
    ("default_mode_unformatted", "a command that is declared in Rust"),
    ("invalid_column", "a command that is declared in Rust"),
    ("no_columns", "a command that is declared in Rust"),
    ("paged_not_list", "a command that is declared in Rust"),
    ("positional_undeclared", "a command that is declared in Rust"),
    ("positional_twice", "a command that is declared in Rust"),
    ("positional_list_not_last", "a command that is declared in Rust"),
    ("deprecation_incomplete", "a command that is declared in Rust"),
    ("warning_not_deprecated", "a command that is declared in Rust"),
    ("wait_not_json", "a command that is declared in Rust"),
    ("not_an_app", "a command that is declared in Rust"),
    ("global_flag_clash", "a program's flags that are declared in Rust"),
    // Misuse of a Rust interface.
    ("unknown_call", "an answer to a call that a walk did not give out"),
    ("function_taken", "two providers of one Rust set with one function"),
    ("provider_failed", "a provider that is written in Rust; its caller sees call_failed"),
    ("ledger_failed", "the host's own storage"),
    ("invalid_digest", "the host's own storage"),
    // What stands where there is no problem to name.
    ("invalid_command", "the code of an error without problems, which is never made"),
    ("invalid_schema", "the code of an error without problems, which is never made"),
    ("invalid_registry", "the code of an error without problems, which is never made"),
];

#[test]
fn every_code_has_a_case() {
    let mut in_cases = BTreeSet::new();
    for case in suites().into_iter().flat_map(|suite| suite.cases) {
        words(&case.expect, &mut in_cases);
    }
    let without: BTreeSet<&str> = NO_CASE.iter().map(|(code, _)| *code).collect();
    let codes = codes();
    assert!(codes.len() > 150, "the codes were not found: {codes:?}");
    let missing: Vec<_> =
        codes.iter().filter(|(code, _)| !in_cases.contains(*code) && !without.contains(code.as_str())).collect();
    assert!(missing.is_empty(), "codes without a case: {missing:#?}");
    for code in without {
        assert!(codes.contains_key(code), "{code} is no code any more");
        assert!(!in_cases.contains(code), "{code} has a case");
    }
}

/// All texts and member names of an expectation.
fn words(value: &Value, into: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => {
            into.insert(text.clone());
        }
        Value::Array(items) => items.iter().for_each(|item| words(item, into)),
        Value::Object(map) => map.iter().for_each(|(key, value)| {
            into.insert(key.clone());
            words(value, into);
        }),
        _ => {}
    }
}

/// The codes with the file that each is in.
fn codes() -> BTreeMap<String, PathBuf> {
    let mut codes = BTreeMap::new();
    for name in ["mention-uri", "mention-contract", "ref-resolve", "cli-spec"] {
        visit(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name).join("src"), &mut codes);
    }
    for kinds in
        [mention_uri::UriErrorKind::CODES, mention_uri::TokenErrorKind::CODES, mention_uri::KindsErrorKind::CODES]
    {
        codes.extend(kinds.iter().map(|code| ((*code).to_owned(), PathBuf::from("mention-uri"))));
    }
    codes
}

fn visit(folder: &Path, codes: &mut BTreeMap<String, PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            visit(&path, codes);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let source = std::fs::read_to_string(&path).unwrap();
            for body in bodies(&source) {
                for code in texts(body) {
                    codes.insert(code, path.clone());
                }
            }
            // The codes of manifest problems, which are data there.
            if path.ends_with("app/check.rs") {
                for code in source.split("report(").skip(1).filter_map(first_text) {
                    codes.insert(code, path.clone());
                }
            }
        }
    }
}

/// The bodies of functions named `code`.
fn bodies(source: &str) -> impl Iterator<Item = &str> {
    source.match_indices("fn code(").filter_map(|(at, _)| {
        let rest = &source[at..];
        let open = rest.find('{')?;
        let mut depth = 0;
        for (index, byte) in rest.bytes().enumerate().skip(open) {
            match byte {
                b'{' => depth += 1,
                b'}' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return Some(&rest[open..=index]);
            }
        }
        None
    })
}

/// The string literals of a piece of source that are codes.
fn texts(source: &str) -> impl Iterator<Item = String> {
    source.split('"').skip(1).step_by(2).filter(|text| is_code(text)).map(str::to_owned)
}

fn first_text(source: &str) -> Option<String> {
    let call = source.get(..120.min(source.len())).unwrap_or(source);
    let text = call.split('"').nth(1)?;
    is_code(text).then(|| text.to_owned())
}

fn is_code(text: &str) -> bool {
    text.len() > 2 && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_' || byte.is_ascii_digit())
}
