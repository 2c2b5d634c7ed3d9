//! Facts about characters that the whole family goes by.

use alloc::string::String;

use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};
use unicode_script::{Script, ScriptExtension, UnicodeScript};

use crate::percent::encode;

/// Scripts that are written without spaces between words: a letter of one is a boundary before `@`.
const UNSPACED: [Script; 8] = [
    Script::Han,
    Script::Hiragana,
    Script::Katakana,
    Script::Bopomofo,
    Script::Thai,
    Script::Lao,
    Script::Khmer,
    Script::Myanmar,
];

/// C0 controls, DEL and C1 controls.
pub fn is_control(character: char) -> bool {
    character.is_control()
}

/// Characters that change the direction of the text around them.
pub fn is_bidi_control(character: char) -> bool {
    matches!(character, '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// Format characters (general category Cf) that take no room: joiners, zero-width spaces, the byte order mark, bidi controls, tag
/// characters, soft hyphens. Not the few format characters with a form of their own, such as the Arabic number signs.
pub fn is_zero_width(character: char) -> bool {
    let drawn = matches!(character, '\u{600}'..='\u{605}' | '\u{6DD}' | '\u{70F}' | '\u{890}' | '\u{891}' | '\u{8E2}'
        | '\u{110BD}' | '\u{110CD}' | '\u{13430}'..='\u{1343F}');
    is_format(character) && !drawn
}

/// The invisible twins of ASCII that flags are made of (U+E0000 to U+E007F).
pub fn is_tag_character(character: char) -> bool {
    matches!(character, '\u{E0000}'..='\u{E007F}')
}

/// Format characters (general category Cf), bidi controls and tag characters among them.
pub fn is_format(character: char) -> bool {
    !character.is_ascii() && character.general_category() == GeneralCategory::Format
}

/// Combining marks (general category M).
pub fn is_mark(character: char) -> bool {
    !character.is_ascii() && character.general_category_group() == GeneralCategoryGroup::Mark
}

/// Characters that leave no ink: white space, controls, format characters, variation selectors, fillers.
pub fn is_invisible(character: char) -> bool {
    character.is_whitespace()
        || character.is_control()
        || is_format(character)
        || matches!(character, '\u{34F}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{180B}'..='\u{180F}'
            | '\u{2800}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FFA0}' | '\u{E0100}'..='\u{E01EF}')
}

/// Characters of a script that is written without spaces, by script or script extension.
pub fn is_unspaced_script(character: char) -> bool {
    if character.is_ascii() {
        return false;
    }
    let extension: ScriptExtension = character.script_extension();
    UNSPACED.iter().any(|script| extension.contains_script(*script))
        && !extension.is_common()
        && !extension.is_inherited()
}

/// Characters before which an `@` belongs to a word: `_`, letters and decimal digits of scripts written with spaces.
pub fn is_word_character(character: char) -> bool {
    if character.is_ascii() {
        return character == '_' || character.is_ascii_alphanumeric();
    }
    is_letter_or_digit(character) && !is_unspaced_script(character)
}

/// A letter or a decimal digit, of any script.
pub(crate) fn is_letter_or_digit(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_alphanumeric();
    }
    character.general_category_group() == GeneralCategoryGroup::Letter
        || character.general_category() == GeneralCategory::DecimalNumber
}

/// An id on one line: white space and controls folded, characters without width left out; percent-encoded when nothing of it
/// could be seen.
pub(crate) fn fit_for_display(id: &str) -> String {
    let mut shown = String::with_capacity(id.len());
    let mut space = false;
    for character in id.chars() {
        if character.is_whitespace() || character.is_control() {
            space = true;
        } else if !is_bidi_control(character) && !is_zero_width(character) && !is_tag_character(character) {
            if space && !shown.is_empty() {
                shown.push(' ');
            }
            space = false;
            shown.push(character);
        }
    }
    if shown.chars().all(is_invisible) {
        shown.clear();
        encode(id, &mut shown);
    }
    shown
}
