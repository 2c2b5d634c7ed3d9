//! Small questions about text.

/// Whether there is nothing but white space.
pub(crate) fn is_blank(text: &str) -> bool {
    text.chars().all(char::is_whitespace)
}

/// Whether there is something to see: not only white space, controls and invisible characters.
pub(crate) fn has_visible(text: &str) -> bool {
    text.chars().any(|c| !c.is_whitespace() && !c.is_control() && !is_hidden(c))
}

/// The text unless nothing of it can be seen.
pub(crate) fn visible(text: Option<&str>) -> Option<&str> {
    text.filter(|text| has_visible(text))
}

/// Whether a character takes no place: format characters, among them bidi controls and tag characters.
pub(crate) fn is_hidden(c: char) -> bool {
    use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};
    c.general_category() == GeneralCategory::Format
}
