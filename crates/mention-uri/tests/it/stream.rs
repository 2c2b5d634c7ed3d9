//! The search in a stream: the reported cases of the area "stream", the law, and what the tail shows.

use std::borrow::Cow;
use std::ops::Range;

use mention_uri::{ResourceKinds, ScanOptions, Segment, StreamScanner, StreamSegment, TailPart, segments};
use proptest::prelude::*;

use crate::markdown_text::{document, fixtures};

pub(crate) fn options() -> ScanOptions {
    ScanOptions::new().kinds(ResourceKinds::studio())
}

/// Joins neighbouring text; checks that the pieces follow each other without a gap, in bytes and in UTF-16.
#[track_caller]
fn joined(settled: &[StreamSegment], whole: &str) -> Vec<Segment<'static>> {
    let (mut at, mut utf16) = (0, 0);
    let mut joined: Vec<Segment<'static>> = Vec::new();
    for piece in settled {
        assert_eq!(piece.span().start, at, "a gap in {whole:?}");
        assert_eq!(piece.utf16(), utf16..utf16 + piece.source().encode_utf16().count(), "in {whole:?}");
        assert_eq!(piece.source(), &whole[piece.span()], "in {whole:?}");
        (at, utf16) = (piece.span().end, piece.utf16().end);
        match (joined.last_mut(), piece.segment()) {
            (Some(Segment::Text { span, source }), Segment::Text { source: more, .. }) => {
                span.end += more.len();
                source.to_mut().push_str(more);
            }
            (_, segment) => joined.push(segment.clone()),
        }
    }
    assert_eq!(at, whole.len(), "not all of {whole:?}");
    joined
}

fn run<'p>(pieces: impl IntoIterator<Item = &'p str>, options: &ScanOptions) -> Vec<StreamSegment> {
    let mut stream = StreamScanner::new(options.clone());
    let mut settled = Vec::new();
    for piece in pieces {
        settled.extend(stream.push(piece));
    }
    settled.extend(stream.finish());
    assert!(stream.finish().is_empty());
    assert!(stream.push("more").is_empty());
    assert_eq!(stream.tail().count(), 0);
    settled
}

#[track_caller]
fn law<'p>(pieces: impl IntoIterator<Item = &'p str>, whole: &str, options: &ScanOptions) {
    let pieces: Vec<&str> = pieces.into_iter().collect();
    let settled = run(pieces.iter().copied(), options);
    let expected: Vec<Segment<'static>> = segments(whole, options).map(Segment::into_owned).collect();
    assert_eq!(joined(&settled, whole), expected, "pieces {pieces:?}");
}

#[track_caller]
fn every_cut(whole: &str, options: &ScanOptions) {
    for (cut, _) in whole.char_indices() {
        law([&whole[..cut], &whole[cut..]], whole, options);
    }
}

fn found<'p>(pieces: impl IntoIterator<Item = &'p str>) -> Vec<String> {
    run(pieces, &options()).iter().filter_map(StreamSegment::found).map(|found| found.source().to_owned()).collect()
}

/// The tail as one line: text as it is, what is pending as `{label}`.
fn shown(stream: &StreamScanner) -> String {
    stream
        .tail()
        .map(|part| match part {
            TailPart::Text { text, .. } => Cow::Borrowed(text),
            TailPart::Pending { label, .. } => Cow::Owned(format!("{{{label}}}")),
        })
        .collect()
}

/// What the tail shows after each piece.
fn views<'p>(pieces: impl IntoIterator<Item = &'p str>) -> Vec<String> {
    let mut stream = StreamScanner::new(options());
    pieces
        .into_iter()
        .map(|piece| {
            stream.push(piece);
            shown(&stream)
        })
        .collect()
}

const ANN: &str = "[@Ann](mention://agent/a1)";
const BO: &str = "[@Bo](mention://agent/b1)";

#[test]
fn stream_01_cuts_never_change_the_result() {
    let text = "😀 [@Ann](mention://agent/a1)\n\n```\n@asset(id=\"x\")\n```\n\n@asset(id=\"a\\\"b\") é [x][y]\n\n- a `b\n- c` @asset(id=\"1\")\r\n\r\n> q\n\n[y]: z\n";
    let options = options();
    every_cut(text, &options);
    law(text.split_inclusive(|_: char| true), text, &options);
    let expected: Vec<Segment<'static>> = segments(text, &options).map(Segment::into_owned).collect();
    for size in [1, 2, 3, 5, 7] {
        let mut stream = StreamScanner::new(options.clone());
        let mut settled: Vec<_> = text.as_bytes().chunks(size).flat_map(|piece| stream.push_bytes(piece)).collect();
        settled.extend(stream.finish());
        assert_eq!(joined(&settled, text), expected);
    }
}

#[test]
fn stream_02_the_character_before_is_in_an_earlier_piece() {
    assert!(found(["write to me", "@asset(id=\"a\")"]).is_empty());
    assert_eq!(found(["write to me ", "@asset(id=\"a\")"]).len(), 1);
}

#[test]
fn stream_03_code_lives_across_pieces() {
    let pieces = ["``", "`\n", "[@Ann](mention://agent/a1)\n", "``", "`\n", BO];
    assert_eq!(found(pieces), [BO]);
    let expected = [
        "{}",
        "```\n",
        "```\n[@Ann](mention://agent/a1)\n",
        "```\n[@Ann](mention://agent/a1)\n{}",
        "```\n[@Ann](mention://agent/a1)\n```\n",
        "```\n[@Ann](mention://agent/a1)\n```\n{@Bo}",
    ];
    assert_eq!(views(pieces), expected);
}

#[test]
fn stream_04_a_backtick_without_a_partner() {
    let begin = "a `b [@Ann](mention://agent/a1)";
    assert!(found([begin, "` end"]).is_empty());
    assert_eq!(found([begin, "\n\nnext"]), [ANN]);
    assert_eq!(found([begin]), [ANN]);
    assert_eq!(views([begin, "` end"]), ["a `b {@Ann}", "a `b [@Ann](mention://agent/a1)` end"]);
}

#[test]
fn stream_06_a_false_start_is_released_at_once() {
    assert_eq!(views(["x[", "0] = 1; rest of line"]), ["x{}", "x[0] = 1; rest of line"]);
    assert_eq!(views(["a <", " b"]), ["a {}", "a < b"]);
    assert_eq!(views(["a@", "b.test @", " c"]), ["a@", "a@b.test {@}", "a@b.test @ c"]);
    assert_eq!(views(["f[x](a ", "b c"]), ["f{x}", "f[x](a b c"]);
    assert_eq!(views(["@kan", "ban(id=\"1", "\" x"]), ["{@kan}", "{@kanban}", "@kanban(id=\"1\" x"]);
}

#[test]
fn stream_10_an_escape_is_cut() {
    let pieces = ["@asset(id=\"a\\", "\"b\")"];
    assert_eq!(found(pieces), [r#"@asset(id="a\"b")"#]);
}

#[test]
fn stream_11_a_construct_that_never_closes() {
    let mut stream = StreamScanner::new(options());
    stream.push("[");
    let mut held = 0;
    for count in 0..100_000 {
        stream.push("abc ");
        if count % 1000 == 0 {
            for part in stream.tail() {
                if let TailPart::Pending { label, .. } = part {
                    held = held.max(label.len());
                }
            }
        }
    }
    // A link of more than 16 KiB is text, so it was released then.
    assert!((12_000..=16_384).contains(&held), "{held}");
    assert_eq!(shown(&stream).len(), 400_001);
    assert!(!shown(&stream).contains('{'));
    assert_eq!(stream.finish().len(), 1);
}

#[test]
fn stream_15_a_query_after_the_link_is_text() {
    let pieces = ["[@Plan](mention://app/plan)", "?ws=w1"];
    assert_eq!(found(pieces), ["[@Plan](mention://app/plan)"]);
    assert_eq!(views(pieces), ["{@Plan}", "{@Plan}?ws=w1"]);
}

#[test]
fn stream_16_an_escape_sign_at_the_end_of_a_piece() {
    assert!(found(["\\", ANN]).is_empty());
    assert_eq!(views(["\\", "[@Ann"]), ["\\", "\\[@Ann"]);
}

#[test]
fn lines_settle_when_nothing_can_reach_them() {
    let mut stream = StreamScanner::new(options());
    let mut push = |piece: &str| stream.push(piece).iter().map(|piece| piece.source().to_owned()).collect::<Vec<_>>();
    assert!(push("a [x](mention://app/plan)").is_empty());
    assert!(push("\n").is_empty());
    // A blank line closes a paragraph.
    assert_eq!(push("\n"), ["a ", "[x](mention://app/plan)", "\n\n"]);
    // The items of a list before the last.
    assert!(push("- one\n").is_empty());
    assert_eq!(push("- two\n"), ["- one\n"]);
    assert_eq!(push("- three\n"), ["- two\n"]);
    assert_eq!(push("  - four\n"), ["- three\n"]);
    assert_eq!(push("  - five\n"), ["  - four\n"]);
    // A heading by itself.
    assert_eq!(push("# six\n"), ["  - five\n# six\n"]);
    // The paragraphs of a quote before the last.
    assert!(push("> seven\n>\n").is_empty());
    assert_eq!(push("> eight\n"), ["> seven\n>\n"]);
    assert_eq!(stream.finish().len(), 1);
    assert_eq!(
        stream.settled(),
        "a [x](mention://app/plan)\n\n- one\n- two\n- three\n  - four\n  - five\n# six\n> seven\n>\n> eight\n".len()
    );
}

#[test]
fn bytes_are_repaired_as_a_whole() {
    let cases: [&[u8]; 8] = [
        b"a\xffb",
        b"\xf0\x9f\x98",
        b"\xf0\x9f\x98\x80",
        b"\xf0\x9fx\xe2\x82\xac\xe2\x82",
        b"\xed\xa0\x80",
        b"\xc0\x80\xf5",
        b"\xe2\xe2\x82\xac\x82",
        b"\xf0\x90\xf0\x90\x80\x80",
    ];
    for bytes in cases {
        let whole = String::from_utf8_lossy(bytes);
        for cut in 0..=bytes.len() {
            for second in cut..=bytes.len() {
                let mut stream = StreamScanner::new(options());
                let mut text = String::new();
                for piece in [&bytes[..cut], &bytes[cut..second], &bytes[second..]] {
                    text.extend(stream.push_bytes(piece).iter().map(StreamSegment::source));
                }
                text.extend(stream.finish().iter().map(StreamSegment::source));
                assert_eq!(text, whole, "{bytes:?} cut at {cut} and {second}");
            }
        }
    }
    let mut stream = StreamScanner::new(options());
    stream.push_bytes(b"\xf0\x9f");
    stream.push("x");
    assert_eq!(stream.finish()[0].source(), "\u{fffd}x");
}

#[test]
fn definitions_never_make_links_in_a_stream() {
    let options = options().reference_links(true);
    let text = "[a][b] @asset(id=\"1\")\n\n[b]: mention://agent/a1\n'title\n@asset(id=\"2\")\n'\n@asset(id=\"3\")\n\n[c]: x\n'no\n\nend";
    let plain = options.clone().reference_links(false);
    let expected: Vec<Segment<'static>> = segments(text, &plain).map(Segment::into_owned).collect();
    for (cut, _) in text.char_indices() {
        assert_eq!(joined(&run([&text[..cut], &text[cut..]], &options), text), expected);
    }
    assert_eq!(joined(&run(text.split_inclusive('\n'), &options), text), expected);
}

#[test]
fn nothing_pending_reaches_back_into_what_is_settled() {
    // Found by fuzzing: what was open in a block stayed open in the tail when the next block had begun.
    let cases: [&[u8]; 2] = [
        b" `\xd7`\n> x\n[d\xff\0n)`\n>> x\nd x\xff\xff\x92",
        b"](\n>3[`\n* [\0\n[`\n* [\0\n[`\n* [\0\n[`\nnti\x9b\0\x92",
    ];
    for (text, bare) in cases.iter().flat_map(|text| [(text, false), (text, true)]) {
        for size in 1..text.len() {
            let mut stream = StreamScanner::new(options().bare_uris(bare));
            for piece in text.chunks(size) {
                stream.push_bytes(piece);
                let mut at = stream.settled();
                for part in stream.tail() {
                    let (TailPart::Text { start, .. } | TailPart::Pending { start, .. }) = part;
                    assert!(start >= at, "{part:?} before {at}");
                    at = start;
                }
            }
        }
    }
}

/// Where Markdown finds something, the tail must never have shown a part of it as text.
#[track_caller]
fn tail_is_honest(text: &str, options: &ScanOptions, bare: bool) {
    let all: Vec<Range<usize>> =
        segments(text, options).filter_map(|piece| matches!(piece, Segment::Found(_)).then(|| piece.span())).collect();
    let mut stream = StreamScanner::new(options.clone());
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        stream.push(&text[at..end]);
        let mut next = stream.settled();
        let mut parts = stream.tail().peekable();
        while let Some(part) = parts.next() {
            match part {
                TailPart::Text { start, text: shown } => {
                    assert_eq!(start, next, "{text:?} after {end}");
                    assert_eq!(shown, &text[start..start + shown.len()], "{text:?} after {end}");
                    next = start + shown.len();
                    // What is found in the text so far and stays found.
                    for span in &all {
                        let overlaps = span.start < next && start < span.end;
                        assert!(
                            !overlaps || span.len() > 16_384,
                            "shows {shown:?} of {:?} in {text:?} after {end}",
                            &text[span.clone()]
                        );
                    }
                }
                TailPart::Pending { start, label } => {
                    assert_eq!(start, next, "{text:?} after {end}");
                    assert!(text[start..end].contains(label));
                    next = match parts.peek() {
                        Some(TailPart::Text { start, .. } | TailPart::Pending { start, .. }) => *start,
                        None => end,
                    };
                }
            }
        }
        assert_eq!(next, end, "the tail of {text:?} after {end} is not whole");
        // Text that nothing can come of is shown in full.
        let rest = &text[stream.settled()..end];
        if !rest.contains(['[', '<', '@', '`', '~', '{']) && !bare {
            assert_eq!(shown(&stream), rest);
        }
    }
}

#[test]
fn the_fixtures_hold_the_law() {
    let plain = options();
    let bare = options().bare_uris(true).malformed(true);
    for text in fixtures() {
        for (options, is_bare) in [(&plain, false), (&bare, true)] {
            every_cut(&text, options);
            law(text.split_inclusive(|_: char| true), &text, options);
            law(text.split_inclusive('\n'), &text, options);
            tail_is_honest(&text, options, is_bare);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, failure_persistence: None, rng_seed: crate::seed(), ..ProptestConfig::default() })]

    #[test]
    fn generated_documents_hold_the_law(text in document(), cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6)) {
        let options = options().bare_uris(true);
        every_cut(&text, &options);
        let mut places: Vec<usize> = cuts.iter().map(|cut| cut.index(text.len() + 1)).filter(|&at| text.is_char_boundary(at)).collect();
        places.extend([0, text.len()]);
        places.sort_unstable();
        law(places.windows(2).map(|pair| &text[pair[0]..pair[1]]), &text, &options);
        law(text.split_inclusive('\n'), &text, &options);
    }

    #[test]
    fn the_tail_of_generated_documents_is_honest(text in document()) {
        tail_is_honest(&text, &options(), false);
    }
}

#[test]
fn the_project_s_own_documents_hold_the_law() {
    for text in crate::markdown_text::own_documents() {
        let options = options();
        law(text.split_inclusive('\n'), &text, &options);
        let mut rest = text.as_str();
        let mut pieces = Vec::new();
        while !rest.is_empty() {
            let mut cut = rest.len().min(97);
            while !rest.is_char_boundary(cut) {
                cut += 1;
            }
            let (piece, after) = rest.split_at(cut);
            pieces.push(piece);
            rest = after;
        }
        law(pieces, &text, &options);
    }
}
