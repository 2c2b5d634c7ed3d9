//! Facts about characters that the whole family goes by.

use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};
use unicode_script::{Script, ScriptExtension, UnicodeScript};

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

/// Zero-width format characters: spaces and joiners without width, and the byte order mark.
pub fn is_zero_width(character: char) -> bool {
    matches!(character, '\u{180E}' | '\u{200B}'..='\u{200D}' | '\u{2060}'..='\u{2065}' | '\u{206A}'..='\u{206F}' | '\u{FEFF}')
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
    let word = character.general_category_group() == GeneralCategoryGroup::Letter
        || character.general_category() == GeneralCategory::DecimalNumber;
    word && !is_unspaced_script(character)
}
