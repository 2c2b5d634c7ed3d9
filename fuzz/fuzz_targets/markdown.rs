//! Search in Markdown: pieces add up, what is found lies in no code.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mention_uri::{Form, ResourceKinds, ScanOptions, Segment, in_code, links, segments};

fuzz_target!(|text: &str| {
    let plain = ScanOptions::new().kinds(ResourceKinds::studio());
    let all = plain.clone().bare_uris(true).malformed(true).reference_links(true);
    for options in [plain, all] {
        let mut at = 0;
        for segment in segments(text, &options) {
            assert_eq!(segment.span().start, at);
            assert_eq!(&text[segment.span()], segment.source());
            assert!(!segment.source().is_empty());
            at = segment.span().end;
            if let Segment::Found(found) = &segment {
                if text.len() < 4_000 && matches!(found.form(), Form::Token | Form::Link) {
                    assert!(!in_code(text, found.span().start));
                }
            }
        }
        assert_eq!(at, text.len());
    }
    for link in links(text, true) {
        assert_eq!(&text[link.span()], link.source());
    }
});
