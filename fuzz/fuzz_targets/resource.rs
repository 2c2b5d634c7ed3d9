//! Resource URIs: reading never panics and the canonical form is a fixed point.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mention_uri::ResourceKinds;

fuzz_target!(|text: &str| {
    let studio = ResourceKinds::studio();
    match studio.parse(text) {
        Ok(uri) => {
            let again = studio.parse(uri.as_str()).expect("canonical text reads back");
            assert_eq!((again.as_str(), again.id(), again.sub_target()), (uri.as_str(), uri.id(), uri.sub_target()));
            let rebuilt = match uri.sub_target() {
                Some(target) => studio.resource_at(uri.kind(), uri.id(), target.key(), target.value()),
                None => studio.resource(uri.kind(), uri.id()),
            };
            assert_eq!(rebuilt, Ok(uri));
        }
        Err(error) => assert!(error.offset().is_none_or(|at| text.is_char_boundary(at))),
    }
});
