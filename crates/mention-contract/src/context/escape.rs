//! What keeps a text inside its line.

use std::borrow::Cow;
use std::fmt::Write as _;

use mention_uri::text::is_invisible;
use serde_json::Value;

/// Writes `&`, `<` and `>` as `&amp;`, `&lt;` and `&gt;`, also where a text looks escaped already: [`unescape`] gives
/// the text back.
///
/// ```
/// use mention_contract::context::{escape, unescape};
///
/// assert_eq!(escape("a &lt; b"), "a &amp;lt; b");
/// assert_eq!(unescape("a &amp;lt; b"), "a &lt; b");
/// ```
pub fn escape(text: &str) -> Cow<'_, str> {
    if !text.contains(['&', '<', '>']) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for char in text.chars() {
        match char {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            char => escaped.push(char),
        }
    }
    Cow::Owned(escaped)
}

/// Reads what [`escape`] and the blocks wrote, once: `&amp;lt;` is `&lt;`. Any other `&` stays.
pub fn unescape(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        plain.push_str(before);
        // A name is short: looking for its end any further would cost the rest of the text at each `&`.
        let end = after.bytes().take(NAME_BYTES + 1).position(|byte| byte == b';');
        let read = end.and_then(|end| Some((reference(after.get(..end)?)?, after.get(end + 1..)?)));
        if let Some((char, behind)) = read {
            plain.push(char);
            rest = behind;
        } else {
            plain.push('&');
            rest = after;
        }
    }
    plain.push_str(rest);
    Cow::Owned(plain)
}

/// The longest name: `#` and seven digits.
const NAME_BYTES: usize = 8;

fn reference(name: &str) -> Option<char> {
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        _ => {
            let digits = name.strip_prefix('#')?;
            if digits.is_empty() || digits.len() > 7 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
                return None;
            }
            char::from_u32(digits.parse().ok()?)
        }
    }
}

/// A character as its number, where the text would otherwise read as a word of the block itself.
pub(super) fn guard(char: char) -> String {
    format!("&#{};", u32::from(char))
}

/// JSON on one line in which `&`, `<`, `>` and everything that can't be seen but the space is written as `\u….`.
pub(super) fn json(value: &Value) -> String {
    let plain = value.to_string();
    let mut escaped = String::with_capacity(plain.len());
    for char in plain.chars() {
        // Such characters stand in strings only: outside of them there is neither white space nor punctuation like this.
        if matches!(char, '&' | '<' | '>') || (char != ' ' && is_invisible(char)) {
            for unit in char.encode_utf16(&mut [0; 2]) {
                // Writing to a string can't fail.
                let _ = write!(escaped, "\\u{unit:04x}");
            }
        } else {
            escaped.push(char);
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_is_read_once_and_anything_else_stays() {
        for (written, read) in [
            ("&amp;lt;", "&lt;"),
            ("&amp;amp;", "&amp;"),
            ("&lt;a&gt;", "<a>"),
            ("&#110;ot", "not"),
            ("&#58;", ":"),
            ("&", "&"),
            ("&;", "&;"),
            ("&quot; &#x41; &#; &#1114112; &#55296; &#00000065;", "&quot; &#x41; &#; &#1114112; &#55296; &#00000065;"),
            ("& &amp; &&lt;", "& & &<"),
        ] {
            assert_eq!(unescape(written), read, "{written}");
        }
    }

    #[test]
    fn many_ampersands_cost_little() {
        // Looking through the rest of the text at each of them would take minutes.
        let many = "&".repeat(2_000_000);
        assert_eq!(unescape(&many), many);
        assert_eq!(unescape(&format!("{many}lt;")), format!("{}<", "&".repeat(1_999_999)));
        assert_eq!(unescape("&#1114111;é&é;&#0111111;"), "\u{10ffff}é&é;\u{1b207}");
    }

    #[test]
    fn json_reads_back_and_shows_everything() {
        let value =
            serde_json::json!({ "a<b": "x & y > \u{202e}\u{e0061}\u{2028}\u{85}\n\u{200d}é\" ", "n": [1, true, null] });
        let written = json(&value);
        assert_eq!(
            written,
            r#"{"a\u003cb":"x \u0026 y \u003e \u202e\udb40\udc61\u2028\u0085\n\u200dé\" ","n":[1,true,null]}"#
        );
        assert_eq!(serde_json::from_str::<Value>(&written).unwrap(), value);
    }
}
