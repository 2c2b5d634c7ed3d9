//! Percent-encoding for this family's URIs: decoded once, strictly; written in one way.

use alloc::borrow::Cow;
use alloc::string::String;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode_byte, utf8_percent_encode};

use crate::error::{UriError, UriErrorKind};
use crate::text::is_zero_width;

/// How `+` is read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Plus {
    /// It is a plus: in ids and fragments.
    Plus,
    /// It is a space: in a query.
    Space,
}

/// Whether a character may not stand in a URI as it is: ASCII white space, controls, bidi and zero-width format characters.
pub(crate) fn is_hidden(character: char) -> bool {
    if character.is_ascii() {
        return character <= ' ' || character == '\u{7F}';
    }
    character.is_control() || is_zero_width(character)
}

/// Finds the first character that may not stand in a URI as it is.
pub(crate) fn check_raw(text: &str, offset: usize) -> Result<(), UriError> {
    match text.char_indices().find(|(_, character)| is_hidden(*character)) {
        Some((at, _)) => Err(UriError::at(UriErrorKind::InvalidCharacter, offset + at)),
        None => Ok(()),
    }
}

/// Decodes one component; `offset` is where it begins in the text that was parsed.
pub(crate) fn decode(text: &str, plus: Plus, offset: usize) -> Result<Cow<'_, str>, UriError> {
    let special = |byte: &u8| *byte == b'%' || (*byte == b'+' && plus == Plus::Space);
    let Some(first) = text.as_bytes().iter().position(special) else { return Ok(Cow::Borrowed(text)) };
    let mut decoded = String::with_capacity(text.len());
    decoded.push_str(text.get(..first).unwrap_or_default());
    let mut at = first;
    while let Some(rest) = text.as_bytes().get(at..).filter(|rest| !rest.is_empty()) {
        let run = rest.iter().position(special).unwrap_or(rest.len());
        decoded.push_str(text.get(at..at + run).unwrap_or_default());
        at += run;
        match rest.get(run) {
            Some(b'%') => decoded.push(take_escaped(text, &mut at, offset)?),
            Some(_) => {
                decoded.push(' ');
                at += 1;
            }
            None => {}
        }
    }
    Ok(Cow::Owned(decoded))
}

/// Reads the character whose escapes begin at `at`, and moves `at` behind them. `offset` is where `text` begins in what was given.
pub(crate) fn take_escaped(text: &str, at: &mut usize, offset: usize) -> Result<char, UriError> {
    let first_at = *at;
    let first = take_byte(text, at, offset)?;
    if first.is_ascii() {
        return Ok(char::from(first));
    }
    let invalid = UriError::at(UriErrorKind::InvalidUtf8, offset + first_at);
    let length = match first {
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => return Err(invalid),
    };
    let mut bytes = [first, 0, 0, 0];
    for byte in bytes.iter_mut().take(length).skip(1) {
        if text.as_bytes().get(*at) != Some(&b'%') {
            return Err(invalid);
        }
        *byte = take_byte(text, at, offset)?;
    }
    let character = bytes.get(..length).and_then(|bytes| core::str::from_utf8(bytes).ok()?.chars().next());
    character.ok_or(invalid)
}

/// Reads one escape.
fn take_byte(text: &str, at: &mut usize, offset: usize) -> Result<u8, UriError> {
    match text.as_bytes().get(*at + 1..*at + 3) {
        Some(&[high, low]) => match (hex(high), hex(low)) {
            (Some(high), Some(low)) => {
                *at += 3;
                Ok(high << 4 | low)
            }
            _ => Err(UriError::at(UriErrorKind::InvalidEscape, offset + *at)),
        },
        _ => Err(UriError::at(UriErrorKind::InvalidEscape, offset + *at)),
    }
}

const fn hex(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        _ => None,
    }
}

/// For each byte whether it is written as it is.
#[allow(clippy::indexing_slicing, reason = "in a constant a wrong index does not compile")]
static PLAIN: [bool; 256] = {
    let mut plain = [false; 256];
    let mut byte = 0;
    while byte < 128_u8 {
        plain[byte as usize] = byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~' | b':');
        byte += 1;
    }
    plain
};

/// True for what is written as it is: RFC 3986 unreserved characters and `:`.
pub(crate) fn is_plain(byte: u8) -> bool {
    PLAIN.get(usize::from(byte)).copied().unwrap_or_default()
}

/// What is escaped: everything but what [`is_plain`] names.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b':');

/// Writes decoded data with everything but unreserved characters and `:` percent-encoded in upper-case hex.
pub(crate) fn encode(decoded: &str, out: &mut String) {
    out.extend(utf8_percent_encode(decoded, ESCAPED));
}

/// Writes one character of decoded data as [`encode`] does.
pub(crate) fn encode_char(character: char, out: &mut String) {
    for byte in character.encode_utf8(&mut [0; 4]).bytes() {
        if is_plain(byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(percent_encode_byte(byte));
        }
    }
}

/// How many bytes [`encode`] writes.
pub(crate) fn encoded_len(decoded: &str) -> usize {
    decoded.bytes().map(|byte| if is_plain(byte) { 1 } else { 3 }).sum()
}
