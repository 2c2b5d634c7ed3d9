//! Percent-encoding for this family's URIs: decoded once, strictly; written in one way.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::error::{UriError, UriErrorKind};
use crate::text::{is_bidi_control, is_zero_width};

/// How `+` is read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Plus {
    /// It is a plus: in ids and fragments.
    Plus,
    /// It is a space: in a query.
    Space,
}

/// Finds the first character that may not stand in a URI as it is: ASCII white space, controls, bidi and zero-width format characters.
pub(crate) fn check_raw(text: &str, offset: usize) -> Result<(), UriError> {
    let fault = text.char_indices().find(|&(_, character)| {
        character == ' ' || character.is_control() || is_bidi_control(character) || is_zero_width(character)
    });
    match fault {
        Some((at, _)) => Err(UriError::at(UriErrorKind::InvalidCharacter, offset + at)),
        None => Ok(()),
    }
}

/// Decodes one component; `offset` is where it begins in the text that was parsed.
pub(crate) fn decode(text: &str, plus: Plus, offset: usize) -> Result<Cow<'_, str>, UriError> {
    let special = |byte: &u8| *byte == b'%' || (*byte == b'+' && plus == Plus::Space);
    if !text.as_bytes().iter().any(special) {
        return Ok(Cow::Borrowed(text));
    }
    let mut decoded = Vec::with_capacity(text.len());
    let mut bytes = text.bytes().enumerate();
    let mut first_escape = None;
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'%' => {
                let digits = (bytes.next().and_then(|(_, high)| hex(high)), bytes.next().and_then(|(_, low)| hex(low)));
                let (Some(high), Some(low)) = digits else {
                    return Err(UriError::at(UriErrorKind::InvalidEscape, offset + at));
                };
                first_escape.get_or_insert(at);
                decoded.push(high << 4 | low);
            }
            b'+' if plus == Plus::Space => decoded.push(b' '),
            other => decoded.push(other),
        }
    }
    String::from_utf8(decoded).map(Cow::Owned).map_err(|error| {
        let at = written_offset(text, error.utf8_error().valid_up_to());
        UriError::at(UriErrorKind::InvalidUtf8, offset + at)
    })
}

/// Where in the written text the decoded byte with this number comes from.
fn written_offset(text: &str, decoded: usize) -> usize {
    let mut left = decoded;
    let mut bytes = text.bytes().enumerate();
    while let Some((at, byte)) = bytes.next() {
        if left == 0 {
            return at;
        }
        left -= 1;
        if byte == b'%' {
            bytes.next();
            bytes.next();
        }
    }
    text.len()
}

const fn hex(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        _ => None,
    }
}

/// True for what is written as it is: RFC 3986 unreserved characters and `:`.
pub(crate) const fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~' | b':')
}

/// What is escaped: everything but what [`is_plain`] names.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b':');

/// Writes decoded data with everything but unreserved characters and `:` percent-encoded in upper-case hex.
pub(crate) fn encode(decoded: &str, out: &mut String) {
    out.extend(utf8_percent_encode(decoded, ESCAPED));
}

/// How many bytes [`encode`] writes.
pub(crate) fn encoded_len(decoded: &str) -> usize {
    decoded.bytes().map(|byte| if is_plain(byte) { 1 } else { 3 }).sum()
}
