//! UTF-16 offsets, lines and columns, against the standard library's own count.

use mention_uri::{LineColumn, Utf16Spans};
use proptest::prelude::*;

fn units(text: &str) -> usize {
    text.encode_utf16().count()
}

/// The line and column, counted the slow way.
fn place(text: &str, at: usize) -> (usize, usize) {
    let (mut line, mut start) = (0, 0);
    for (index, character) in text.char_indices() {
        let ends = character == '\n' || (character == '\r' && !text[index + 1..].starts_with('\n'));
        if ends && index < at {
            (line, start) = (line + 1, index + 1);
        }
    }
    (line, units(&text[start..at]))
}

#[test]
fn markdown_02_wide_characters_count_by_their_units() {
    let text = "中𠮷 [@Ann](mention://agent/a1)";
    assert_eq!(Utf16Spans::new(text).utf16(8..34), 4..30);
}

#[test]
fn markdown_03_symbols_of_several_characters() {
    let text = "\u{2764}\u{fe0f}\u{1F534}\n[@Ann](mention://agent/a1)";
    let spans = Utf16Spans::new(text);
    assert_eq!(spans.utf16(11..37), 5..31);
    let at = spans.line_column(11);
    assert_eq!((at.line, at.column), (1, 0));
}

#[test]
fn lines_end_with_lf_cr_lf_or_a_lone_cr() {
    let spans = Utf16Spans::new("a\nb\r\nc\rd\n");
    let at = |byte: usize| {
        let LineColumn { line, column, .. } = spans.line_column(byte);
        (line, column)
    };
    assert_eq!(
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(at),
        [(0, 0), (0, 1), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (3, 0), (3, 1), (4, 0)]
    );
}

#[test]
fn offsets_inside_of_a_character_and_past_the_end() {
    let spans = Utf16Spans::new("é😀");
    assert_eq!([0, 1, 2, 3, 5, 6, 7, usize::MAX].map(|byte| spans.offset(byte)), [0, 0, 1, 1, 1, 3, 3, 3]);
    assert_eq!([0, 1, 2, 3, 99].map(|unit| spans.byte(unit)), [0, 2, 2, 6, 6]);
    assert_eq!(Utf16Spans::new("").utf16(0..5), 0..0);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bytes_and_units_cut_the_same_text(text in prop_oneof![any::<String>(), "[a\r\né中😀]{0,700}"]) {
        let spans = Utf16Spans::new(&text);
        let wide: Vec<u16> = text.encode_utf16().collect();
        let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        for (index, &at) in ends.iter().enumerate() {
            prop_assert_eq!(spans.offset(at), units(&text[..at]));
            prop_assert_eq!(spans.byte(spans.offset(at)), at);
            if index % 7 == 0 {
                let found = spans.line_column(at);
                prop_assert_eq!((found.line, found.column), place(&text, at));
                let end = ends[(index * 31 + 5) % ends.len()].max(at);
                prop_assert_eq!(String::from_utf16(&wide[spans.utf16(at..end)]).unwrap(), &text[at..end]);
            }
        }
    }
}
