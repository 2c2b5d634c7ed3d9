//! Written links and tokens are found again as they were; in escaped text nothing is found.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mention_uri::{Item, MentionToken, MentionUri, ResourceKinds, ScanOptions, escape_text, link, scan_markdown, scan_with};

fuzz_target!(|parts: (&str, &str)| {
    let (label, id) = parts;
    let all = ScanOptions::new().kinds(ResourceKinds::studio()).bare_uris(true).malformed(true).reference_links(true);
    if let Ok(uri) = MentionUri::new("agent", id) {
        let text = format!("see {} now", link(label, &uri));
        let found: Vec<_> = scan_markdown(&text, &all).collect();
        assert_eq!(found.len(), 1, "{text:?}");
        assert_eq!(found[0].item(), &Item::Mention(uri));
        assert_eq!(found[0].span(), 4..text.len() - 4);
    }
    if let Ok(token) = MentionToken::new("agent", id) {
        let text = format!("**{token}**");
        let found: Vec<_> = scan_markdown(&text, &all).collect();
        assert!(matches!(found[..], [ref one] if matches!(one.item(), Item::Token(read) if read.to_token() == token)), "{text:?}");
    }
    let escaped = escape_text(label);
    assert!(!escaped.contains(['\n', '\r']));
    assert_eq!(scan_with(&escaped, &all).count() + scan_markdown(&escaped, &all).count(), 0, "{escaped:?}");
});
