//! Texts that make careless search code fail: over-long, with controls, with the metacharacters of regular expressions,
//! of SQL and of full-text search.

use mention_uri::limits as shared;

const SHORT: &[&str] = &[
    "\0",
    "a\0b",
    "\r\n\t\u{1b}[31m",
    "\u{7f}\u{85}\u{9b}",
    "\u{202e}\u{2066}\u{200b}\u{feff}",
    "\u{301}\u{301}",
    "\u{e0041}\u{e0042}",
    "👩‍👩‍👧‍👦",
    "İIıi",
    "\u{10ffff}",
    "(",
    ")",
    "[",
    "[a-",
    "{1,",
    "*",
    "+",
    "?",
    "\\",
    "^$.|",
    "(?",
    "(a+)+$",
    ".*",
    "'",
    "\"",
    "''",
    "' OR '1'='1",
    "'; DROP TABLE records; --",
    "%",
    "_",
    "%_%",
    "\\%",
    ";",
    "--",
    "/*",
    "AND",
    "OR NOT",
    "NEAR(a, b)",
    "a*",
    "title:",
    "title : x",
    "^a",
    "\"a",
    "-a",
    "a - b",
    "{}",
    "${x}",
    "{{x}}",
    "<script>",
    "&lt;",
    "@",
    "#",
    "@@",
    "..",
    "../../etc/passwd",
    "null",
    "undefined",
    "NaN",
    "-1",
    "99999999999999999999999999",
];

/// Hostile queries, up to 100,000 characters long.
pub(super) fn queries() -> impl Iterator<Item = String> {
    let long = ["a", "(", "a ", "%", "é", "\"", "\\"].into_iter().map(|unit| {
        let count = 100_000_usize.checked_div(unit.len()).unwrap_or(1);
        unit.repeat(count)
    });
    SHORT.iter().map(|text| (*text).to_owned()).chain(long)
}

/// Hostile ids, none longer than an id may be.
pub(super) fn ids() -> impl Iterator<Item = String> {
    let long = ["a", "%", "é"].into_iter().map(|unit| unit.repeat(shared::ID_CHARS));
    SHORT.iter().map(|text| (*text).to_owned()).chain(long)
}
