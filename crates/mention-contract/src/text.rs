//! Small questions about text.

use mention_uri::{Item, MentionUri, ScanOptions, scan_markdown, text};

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

/// The mentions in a message's prose, tokens and URIs, also bare ones, in order.
pub(crate) fn mentions(text: &str) -> Vec<MentionUri> {
    let options = ScanOptions::new().bare_uris(true);
    let mention = |found: mention_uri::Found<'_>| match found.item() {
        Item::Token(token) => Some(token.to_token().to_uri()),
        Item::Mention(uri) => Some(uri.clone()),
        _ => None,
    };
    scan_markdown(text, &options).filter_map(mention).collect()
}
