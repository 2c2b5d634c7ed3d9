//! Cases that a second reading of the rules brought up.

use mention_uri::{ScanOptions, scan, scan_markdown};

/// The strict form has at most 512 characters; where that fails, the form without its closing quote is still one.
#[test]
fn a_left_out_quote_is_tolerated_however_far_the_next_quote_is() {
    let options = ScanOptions::new();
    for between in [0, 507, 508, 600, 5_000, 7_000, 20_000] {
        for escape in ["", r"\\"] {
            let text = format!(r#"@a(id="abc){}{escape}")"#, "x".repeat(between));
            let strict = 4 + between + escape.len() / 2;
            let expected = if strict <= 512 { text.len() } else { r#"@a(id="abc)"#.len() };
            let raw: Vec<_> = scan(&text).map(|found| found.span()).collect();
            let markdown: Vec<_> = scan_markdown(&text, &options).map(|found| found.span()).collect();
            let expected = 0..expected;
            let expected = std::slice::from_ref(&expected);
            assert_eq!((raw.as_slice(), markdown.as_slice()), (expected, expected), "{between} {escape:?}");
        }
    }
}
