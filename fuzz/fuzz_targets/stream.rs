//! The law of streams: the settled pieces are the segments of the whole, whatever the cuts.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mention_uri::{ResourceKinds, ScanOptions, Segment, StreamScanner, TailPart, segments};

fuzz_target!(|input: (u8, bool, &[u8])| {
    let (size, bare, bytes) = input;
    let options = ScanOptions::new().kinds(ResourceKinds::studio()).bare_uris(bare);
    let whole = String::from_utf8_lossy(bytes);
    let mut stream = StreamScanner::new(options.clone());
    let mut joined: Vec<Segment<'static>> = Vec::new();
    let mut take = |settled: Vec<mention_uri::StreamSegment>| {
        for piece in settled {
            match (joined.last_mut(), piece.into_segment()) {
                (Some(Segment::Text { span, source }), Segment::Text { source: more, .. }) => {
                    span.end += more.len();
                    source.to_mut().push_str(&more);
                }
                (_, segment) => joined.push(segment),
            }
        }
    };
    for piece in bytes.chunks(usize::from(size % 40) + 1) {
        take(stream.push_bytes(piece));
        let mut at = stream.settled();
        for part in stream.tail() {
            match part {
                TailPart::Text { start, text } => {
                    assert!(start >= at);
                    at = start + text.len();
                }
                TailPart::Pending { start, .. } => assert!(start >= at),
            }
        }
    }
    take(stream.finish());
    let expected: Vec<Segment<'static>> = segments(&whole, &options).map(Segment::into_owned).collect();
    assert_eq!(joined, expected);
});
