//! Mention URIs: reading never panics, the canonical form is a fixed point, targets keep what they hold.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mention_uri::{MentionToken, MentionUri, Target};

fuzz_target!(|text: &str| {
    match MentionUri::parse(text) {
        Ok(uri) => {
            let again = MentionUri::parse(uri.as_str()).expect("canonical text reads back");
            assert_eq!(again.as_str(), uri.as_str());
            assert!(again.scope().eq(uri.scope()) && again.entity() == uri.entity());
            assert!(uri.as_str().len() <= mention_uri::limits::URI_BYTES);
            if let Ok(target) = Target::try_from(&uri) {
                assert_eq!(Target::try_from(&target.to_uri()), Ok(target));
            }
            if let Ok(token) = MentionToken::try_from(&uri) {
                assert_eq!(token.to_uri(), uri);
                assert_eq!(MentionToken::parse(&token.to_string()), Ok(token));
            }
            let rebuilt = uri
                .scope()
                .try_fold(MentionUri::new(uri.provider(), uri.entity()).expect("parts are valid"), |uri, (key, value)| {
                    uri.with(key, value)
                })
                .expect("parts are valid");
            assert_eq!(rebuilt, uri);
            assert_eq!(uri.identity().identity(), uri.identity());
            assert!(!uri.fallback_label().is_empty());
        }
        Err(error) => assert!(error.offset().is_none_or(|at| text.is_char_boundary(at))),
    }
});
