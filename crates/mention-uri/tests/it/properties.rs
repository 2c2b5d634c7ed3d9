//! What holds for any text: pieces add up, ranges are in order, and what this crate writes is found again as it was.

use mention_uri::{
    Found, Item, MentionToken, MentionUri, ResourceKinds, ScanOptions, Segment, escape_text, link_after, replace, scan,
    scan_markdown, scan_with, segments,
};
use proptest::prelude::*;

use crate::markdown_text::document;
use crate::scan::check_ranges;

fn all() -> ScanOptions {
    ScanOptions::new().kinds(ResourceKinds::studio()).bare_uris(true).malformed(true).reference_links(true)
}

/// Any text, and such that looks like what we look for.
fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![any::<String>(), document(), (document(), any::<String>()).prop_map(|(a, b)| a + &b)]
}

/// Ids of all kinds of characters, those that mean something more often.
fn id() -> impl Strategy<Value = String> {
    prop::collection::vec(
        prop_oneof![
            any::<char>(),
            prop::sample::select("ab1 _*`~|[]()<>&\\\"@!#.-\n\t\u{200b}\u{301}é日:/".chars().collect::<Vec<_>>())
        ],
        1..24,
    )
    .prop_map(|characters| characters.into_iter().collect::<String>())
    .prop_filter("not blank", |id| !id.trim().is_empty())
}

/// Prose around a place: what stands before it and after it, with nothing open and no word character before.
fn place() -> impl Strategy<Value = (&'static str, &'static str)> {
    prop::sample::select(vec![
        ("", ""),
        ("see ", " and so on"),
        ("(", ")."),
        ("**", "**"),
        ("_", "_"),
        ("~~", "~~"),
        ("*a* ", " *b*"),
        ("# ", "\n\nx"),
        ("> ", "\n> more"),
        ("- ", "\n- b"),
        ("1. a\n\n   ", "\n"),
        ("| a | b |\n|---|---|\n| ", " | x |\n"),
        ("`code` ", " `code`"),
        ("[x](y) ", " [x](y)"),
        ("<https://x.test> ", ""),
        ("请看", "吧"),
        ("a\\\n", "\\\nb"),
        ("「", "」"),
        ("a &amp; ", " &lt;"),
        ("<b>", "</b>"),
    ])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn segments_add_up_and_ranges_are_in_order(text in any_text()) {
        for options in [ScanOptions::new(), all()] {
            let found: Vec<Found<'_>> = scan_markdown(&text, &options).collect();
            check_ranges(&text, &found);
            let raw: Vec<Found<'_>> = scan_with(&text, &options).collect();
            check_ranges(&text, &raw);
            let mut whole = String::new();
            let mut was_text = false;
            let mut count = 0;
            for segment in segments(&text, &options) {
                prop_assert_eq!(segment.span(), whole.len()..whole.len() + segment.source().len());
                prop_assert!(!segment.source().is_empty());
                whole += segment.source();
                let is_text = matches!(segment, Segment::Text { .. });
                prop_assert!(!(is_text && was_text), "two texts in a row");
                was_text = is_text;
                count += usize::from(!is_text);
            }
            prop_assert_eq!(&whole, &text);
            prop_assert_eq!(count, found.len());
            prop_assert_eq!(replace(&text, &options, |found| Some(found.source().to_owned())), text.as_str());
            let gone = replace(&text, &options, |_| Some(String::new()));
            prop_assert_eq!(gone.len() + found.iter().map(|found| found.source().len()).sum::<usize>(), text.len());
        }
    }

    #[test]
    fn a_written_token_is_found_as_it_was(id in id(), (before, after) in place()) {
        let token = MentionToken::new("kanban", id).unwrap();
        let text = format!("{before}{token}{after}");
        let span = before.len()..text.len() - after.len();
        let options = ScanOptions::new();
        let found: Vec<_> = scan_markdown(&text, &options).collect();
        prop_assert_eq!(found.len(), 1, "{}", &text);
        prop_assert_eq!(found[0].span(), span.clone(), "{}", &text);
        let is_same = matches!(found[0].item(), Item::Token(read) if read.to_token() == token);
        prop_assert!(is_same, "{}", &text);
        if !before.ends_with('_') {
            let raw: Vec<_> = scan(&text).map(|found| found.span()).collect();
            prop_assert_eq!(raw, [span]);
        }
    }

    #[test]
    fn a_written_link_is_found_as_it_was(entity in id(), label in any_text(), value in id(), (before, after) in place()) {
        let uri = MentionUri::new("app", entity).unwrap().with("k", &value).unwrap();
        let written = link_after(before, &label, &uri);
        let text = format!("{before}{written}{after}");
        let options = ScanOptions::new();
        let found: Vec<_> = scan_markdown(&text, &options).collect();
        prop_assert_eq!(found.len(), 1, "{}", &text);
        prop_assert_eq!(found[0].item(), &Item::Mention(uri));
        prop_assert_eq!(found[0].span(), before.len()..text.len() - after.len());
    }

    #[test]
    fn in_escaped_text_nothing_is_found(text in any_text(), (before, after) in place()) {
        let escaped = escape_text(&text);
        let options = all();
        prop_assert_eq!(scan_with(&escaped, &options).count(), 0, "{}", &escaped);
        let placed = format!("{before}{escaped}{after}");
        let found: Vec<_> = scan_markdown(&placed, &options).map(|found| found.source().to_owned()).collect();
        prop_assert!(found.is_empty(), "{:?} in {}", found, placed);
    }
}
