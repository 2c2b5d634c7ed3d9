//! Raw search: ranges in order, every token found reads the same by itself and is written so that it is found again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mention_uri::{Item, MentionToken, ResourceKinds, ScanOptions, scan_with};

fuzz_target!(|text: &str| {
    let options = ScanOptions::new().kinds(ResourceKinds::studio()).bare_uris(true);
    let mut last = 0;
    for found in scan_with(text, &options) {
        let span = found.span();
        assert!(last <= span.start && span.start < span.end);
        assert_eq!(&text[span.clone()], found.source());
        last = span.end;
        if let Item::Token(token) = found.item() {
            let token = token.to_token();
            assert_eq!(MentionToken::parse(found.source()).as_ref(), Ok(&token));
            let written = token.to_string();
            let again: Vec<_> = scan_with(&written, &options).collect();
            assert_eq!(again.len(), 1);
            assert_eq!(again[0].source(), written);
        }
    }
});
