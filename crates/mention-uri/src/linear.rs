//! Linearity, by counting the steps of our own loops: doubling a hostile input at most multiplies them by 2.3.

use std::string::{String, ToString};
use std::vec::Vec;

use crate::steps::counted;
use crate::{ResourceKinds, ScanOptions, StreamScanner, links, scan, scan_markdown, scan_with};

/// A hostile input, by about how many bytes it is to have.
type Family = (&'static str, fn(usize) -> String);

fn families() -> Vec<Family> {
    fn repeated(piece: &str, size: usize) -> String {
        piece.repeat(size / piece.len())
    }
    std::vec![
        ("openings", |size| repeated("@a(id=\"", size)),
        ("without a parenthesis", |size| repeated("@a(id=\"x\"", size)),
        ("openings in a row", |size| repeated("@a(id=\"x @b(id=\")", size)),
        ("escaped quotes", |size| repeated("@a(id=\"\\\"", size)),
        ("bad escapes", |size| repeated("@a(id=\"\\x", size)),
        ("percent escapes", |size| "mention://a/".to_string() + &repeated("%41", size)),
        ("backticks of rising length", |size| {
            (1..)
                .map(|length| "`".repeat(length) + "a")
                .scan(0, |sum, run| {
                    *sum += run.len();
                    (*sum < size).then_some(run)
                })
                .collect()
        }),
        ("brackets", |size| repeated("[", size)),
        ("bracket pairs", |size| repeated("[a]", size)),
        ("links without an end", |size| repeated("[a](", size)),
        ("links without an end, angle", |size| repeated("[a](<b", size)),
        ("titles", |size| repeated("[a](b \"[a](b '[a](b (", size)),
        ("images", |size| repeated("![", size)),
        ("escaped brackets", |size| repeated("\\[", size)),
        ("less-than", |size| repeated("<", size)),
        ("autolinks without an end", |size| repeated("<mention://a", size)),
        ("ampersands", |size| repeated("&", size)),
        ("quotes", |size| repeated("> ", size.min(4000)) + "a"),
        ("lines of quotes", |size| repeated("> > > > @a(id=\"1\")\n", size)),
        ("lists", |size| repeated("- ", size.min(4000)) + "a"),
        ("items", |size| repeated("- @a(id=\"1\")\n", size)),
        ("definitions", |size| repeated("[a]: b\n", size)),
        ("definitions in items", |size| repeated("- [a]: b\n", size)),
        ("one id", |size| "@a(id=\"".to_string() + &"x".repeat(size) + "\")"),
        ("one id without an end", |size| "@a(id=\"".to_string() + &"x".repeat(size)),
        ("addresses", |size| repeated("https://@a(id=\"1\")/", size)),
        ("one long address", |size| "https://".to_string() + &repeated("x/@a(id=1", size)),
        ("combining marks", |size| "a".to_string() + &repeated("\u{301}", size) + "@a(id=\"1\")"),
        ("combining marks between", |size| repeated("\u{301}\u{301}@a(id=\"1\")", size)),
        ("bare in a row", |size| repeated("mention://a/b,", size)),
        ("bare with long values", |size| repeated("mention://a/b?k=v,", size)),
        ("bare and closing", |size| repeated("(mention://a/b)))", size)),
        ("closing only", |size| "mention://a/b".to_string() + &")".repeat(size)),
        ("emphasis in ids", |size| repeated("@a(id=\"*x* _y_ ", size)),
        ("code in ids", |size| repeated("@a(id=\"*x* `y` ", size)),
        ("entities in ids", |size| repeated("@a(id=\"&amp;", size)),
        ("code in labels", |size| repeated("[a `]` ", size)),
        ("brackets in code", |size| repeated("[`]`", size)),
        ("tables", |size| "|a|b|\n|-|-|\n".to_string() + &repeated("|@a(id=\"x|y\")|\n", size)),
        ("blank lines", |size| repeated("\n", size)),
        ("spaces", |size| repeated(" ", size)),
        ("tabs and quotes", |size| repeated("\t>", size)),
        ("carriage returns", |size| repeated("\r@a(id=\"1\")", size)),
        ("fences", |size| repeated("```\n@a(id=\"1\")\n", size)),
    ]
}

#[track_caller]
fn linear(name: &str, entry: &str, work: impl Fn(usize) -> usize) {
    let (small, large) = (work(24_000), work(48_000));
    // A thousand steps more or less are no growth.
    assert!(10 * large <= 23 * small + 10_000, "{name}, {entry}: {small} steps, then {large}");
    // Linear with a great factor is not what is meant either.
    assert!(large < 48_000 * 100, "{name}, {entry}: {large} steps");
}

#[test]
fn every_entry_point_is_linear_on_hostile_input() {
    let plain = ScanOptions::new().kinds(ResourceKinds::studio());
    let all = plain.clone().bare_uris(true).malformed(true).reference_links(true);
    for (name, input) in families() {
        linear(name, "scan", |size| {
            let text = input(size);
            counted(|| scan(&text).count())
        });
        linear(name, "scan_with", |size| {
            let text = input(size);
            counted(|| scan_with(&text, &all).count())
        });
        for options in [&plain, &all] {
            linear(name, "scan_markdown", |size| {
                let text = input(size);
                counted(|| scan_markdown(&text, options).count())
            });
        }
        linear(name, "links", |size| {
            let text = input(size);
            counted(|| links(&text, false).count())
        });
    }
}

#[test]
fn streams_are_linear_on_hostile_input() {
    let plain = ScanOptions::new().kinds(ResourceKinds::studio());
    for options in [plain.clone(), plain.bare_uris(true)] {
        for (name, input) in families() {
            for piece in [3, 64, usize::MAX] {
                linear(name, "a stream", |size| {
                    let text = input(size);
                    counted(|| {
                        let mut stream = StreamScanner::new(options.clone());
                        for piece in text.as_bytes().chunks(piece) {
                            stream.push_bytes(piece);
                            core::hint::black_box(stream.tail());
                        }
                        stream.finish()
                    })
                });
            }
        }
    }
}
