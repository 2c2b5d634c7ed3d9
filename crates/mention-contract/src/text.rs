//! Small questions about text.

use mention_uri::text;

/// Whether there is nothing but white space.
pub(crate) fn is_blank(text: &str) -> bool {
    text.chars().all(char::is_whitespace)
}

/// Whether there is something to see: not only white space, controls and invisible characters.
pub(crate) fn has_visible(text: &str) -> bool {
    !text.chars().all(text::is_invisible)
}

/// The text unless nothing of it can be seen.
pub(crate) fn visible(text: Option<&str>) -> Option<&str> {
    text.filter(|text| has_visible(text))
}

/// Whether a character takes no place: format characters, among them bidi controls and tag characters.
pub(crate) fn is_hidden(c: char) -> bool {
    text::is_format(c) || text::is_bidi_control(c) || text::is_tag_character(c)
}

/// The text on one line: white space and controls as one space.
pub(crate) fn one_line(text: &str) -> String {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}
