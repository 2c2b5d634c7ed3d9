//! Text from outside, made fit for one line that an agent reads.

use mention_uri::text::{is_bidi_control, is_tag_character};
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};
use unicode_segmentation::UnicodeSegmentation;

const ZWNJ: char = '\u{200C}';
const ZWJ: char = '\u{200D}';
const BLACK_FLAG: char = '\u{1F3F4}';
const CANCEL_TAG: char = '\u{E007F}';

/// A text without what can't be seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cleaned {
    /// The text: one line, no white space at its ends, nowhere two spaces in a row.
    pub text: String,
    /// How many characters were removed. White space that became a space, or went, is not counted.
    pub removed: usize,
}

/// Cleans a text from outside: a summary, a label, an error, the name of a provider or file.
///
/// - Line breaks (also U+0085, U+2028 and U+2029) and runs of white space become one space, and so do U+200B, U+FEFF and
///   U+2060: without them, words that were apart would be joined. At the ends they go.
/// - C0 and C1 controls, DEL, bidi controls, tag characters, and other format characters that show nothing (invisible
///   operators, annotation marks, deprecated controls) are removed. The flag of a region (a black flag with the tags of a
///   region code and the cancel tag) stays whole.
/// - ZWJ and ZWNJ stay between letters or emoji, as scripts and emoji need them, and are removed elsewhere. A
///   variation selector stays with the character that it selects for; further ones behind it are removed.
///
/// Cleaning a cleaned text changes nothing.
///
/// ```
/// let cleaned = mention_contract::context::clean("two\nlines \u{202e}and\u{200b}more");
/// assert_eq!((cleaned.text.as_str(), cleaned.removed), ("two lines and more", 1));
/// ```
pub fn clean(text: &str) -> Cleaned {
    let (visible, gone) = without_hidden(text);
    let mut cleaned = Cleaned { text: String::with_capacity(text.len()), removed: gone };
    let mut space = false;
    let mut last: Option<char> = None;
    // What a joiner joins to: the character before, variation selectors left out.
    let mut base: Option<char> = None;
    for (at, char) in visible.iter().copied().enumerate() {
        if char == ' ' {
            space = last.is_some();
            continue;
        }
        let before = last.filter(|_| !space);
        let stays = match char {
            ZWJ | ZWNJ => {
                let after = visible.get(at + 1).copied();
                before.is_some_and(|before| !is_joiner(before))
                    && base.is_some_and(is_joined)
                    && after.is_some_and(is_joined)
            }
            selector if is_variation_selector(selector) => {
                before.is_some_and(|before| !is_joiner(before) && !is_variation_selector(before))
            }
            _ => true,
        };
        if !stays {
            cleaned.removed += 1;
            continue;
        }
        if std::mem::take(&mut space) {
            cleaned.text.push(' ');
        }
        cleaned.text.push(char);
        last = Some(char);
        if !is_variation_selector(char) && !is_joiner(char) {
            base = Some(char);
        }
    }
    cleaned
}

/// The characters that may stay, white space as spaces, and how many were removed.
fn without_hidden(text: &str) -> (Vec<char>, usize) {
    let all: Vec<char> = text.chars().collect();
    let mut kept = Vec::with_capacity(all.len());
    let mut removed = 0;
    let mut rest = all.as_slice();
    while let Some((first, after)) = rest.split_first() {
        if let Some(flag) = region_flag(rest) {
            kept.extend_from_slice(flag);
            rest = rest.get(flag.len()..).unwrap_or_default();
            continue;
        }
        match *first {
            char if char.is_whitespace() || matches!(char, '\u{200B}' | '\u{FEFF}' | '\u{2060}') => kept.push(' '),
            char if is_hidden(char) => removed += 1,
            char => kept.push(char),
        }
        rest = after;
    }
    (kept, removed)
}

/// A black flag, the tags of a region's code (such as `gbeng`: five or so letters and digits), and the cancel tag.
fn region_flag(text: &[char]) -> Option<&[char]> {
    let (first, tags) = text.split_first()?;
    if *first != BLACK_FLAG {
        return None;
    }
    let code = tags
        .iter()
        .take(7)
        .take_while(|tag| matches!(tag, '\u{E0030}'..='\u{E0039}' | '\u{E0061}'..='\u{E007A}'))
        .count();
    let whole = (3..=6).contains(&code) && tags.get(code) == Some(&CANCEL_TAG);
    if whole { text.get(..code + 2) } else { None }
}

fn is_hidden(char: char) -> bool {
    char.is_control()
        || is_bidi_control(char)
        || is_tag_character(char)
        || matches!(char,
            '\u{2061}'..='\u{2065}' | '\u{206A}'..='\u{206F}' | '\u{FFF9}'..='\u{FFFB}'
            | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}')
}

fn is_joiner(char: char) -> bool {
    matches!(char, ZWJ | ZWNJ)
}

fn is_variation_selector(char: char) -> bool {
    matches!(char, '\u{180B}'..='\u{180D}' | '\u{180F}' | '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}')
}

/// A letter (with its marks) or an emoji.
fn is_joined(char: char) -> bool {
    let letter = matches!(char.general_category_group(), GeneralCategoryGroup::Letter | GeneralCategoryGroup::Mark);
    // Emoji are symbols, arrows among them; skin tones are modifiers; the cancel tag ends a flag.
    let emoji = char.general_category() == GeneralCategory::OtherSymbol
        || matches!(char, '\u{2190}'..='\u{21FF}' | '\u{1F3FB}'..='\u{1F3FF}' | CANCEL_TAG);
    (letter && !is_variation_selector(char)) || emoji
}

/// The beginning of a text, at most so many characters with the `…` that tells of the cut; never inside of what is
/// shown as one character.
pub(super) fn cut(text: &str, most: usize) -> String {
    if text.chars().nth(most).is_none() {
        return text.to_owned();
    }
    let mut left = most.saturating_sub(1);
    let mut kept = 0;
    for grapheme in text.graphemes(true) {
        let Some(less) = left.checked_sub(grapheme.chars().count()) else {
            break;
        };
        left = less;
        kept += grapheme.len();
    }
    let kept = text.get(..kept).unwrap_or_default().trim_end_matches([' ', ZWJ, ZWNJ]);
    format!("{kept}…")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_text_ends_between_characters_as_they_are_seen() {
        assert_eq!(cut("abc", 3), "abc");
        assert_eq!(cut("abcd", 3), "ab…");
        assert_eq!(cut("a bcd", 3), "a…");
        let family = "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}";
        assert_eq!(cut(&format!("ab{family}c"), 5), "ab…");
        assert_eq!(cut(&format!("ab{family}cd"), 8), format!("ab{family}…"));
        assert_eq!(cut("ae\u{301}\u{301}x", 4), "a…");
        assert_eq!(cut("e\u{301}\u{301}x", 2), "…");
        assert_eq!(cut("ab", 1), "…");
    }
}
