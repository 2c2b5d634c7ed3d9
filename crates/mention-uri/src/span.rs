//! From byte offsets to UTF-16 offsets, lines and columns.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

/// Bytes between two remembered offsets.
const STRIDE: usize = 256;

/// A place in a text as editors count: both numbers from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub struct LineColumn {
    /// Line, from 0. A line ends with LF, CR LF or a lone CR.
    pub line: usize,
    /// Column in UTF-16 units, from 0.
    pub column: usize,
}

/// Converts byte offsets of one text to UTF-16 offsets and to lines and columns.
///
/// Made in one pass over the text; each answer then takes constant time, a line takes a binary search. An offset inside of a
/// character counts as its beginning, one past the end as the end.
///
/// ```
/// use mention_uri::Utf16Spans;
///
/// let spans = Utf16Spans::new("中𠮷 @x");
/// assert_eq!(spans.utf16(8..10), 4..6);
/// ```
#[derive(Clone, Debug)]
pub struct Utf16Spans<'a> {
    text: &'a str,
    /// UTF-16 units before each byte offset that is a multiple of [`STRIDE`].
    before: Vec<usize>,
    /// Byte offsets at which lines begin.
    lines: Vec<usize>,
}

impl<'a> Utf16Spans<'a> {
    /// Takes the text's measure.
    pub fn new(text: &'a str) -> Self {
        let bytes = text.as_bytes();
        let mut before = Vec::with_capacity(bytes.len() / STRIDE + 1);
        let mut lines = vec![0];
        let mut units = 0;
        for (at, &byte) in bytes.iter().enumerate() {
            if at % STRIDE == 0 {
                before.push(units);
            }
            units += units_of(byte);
            let ends_line = byte == b'\n' || (byte == b'\r' && bytes.get(at + 1) != Some(&b'\n'));
            if ends_line {
                lines.push(at + 1);
            }
        }
        if bytes.len() % STRIDE == 0 {
            before.push(units);
        }
        Self { text, before, lines }
    }

    /// The UTF-16 offset of a byte offset.
    pub fn offset(&self, byte: usize) -> usize {
        let byte = self.floor(byte);
        let from = byte - byte % STRIDE;
        let known = self.before.get(byte / STRIDE).copied().unwrap_or_default();
        let rest = self.text.as_bytes().get(from..byte).unwrap_or_default();
        known + rest.iter().copied().map(units_of).sum::<usize>()
    }

    /// The UTF-16 range of a byte range.
    pub fn utf16(&self, bytes: Range<usize>) -> Range<usize> {
        self.offset(bytes.start)..self.offset(bytes.end)
    }

    /// The line and column of a byte offset.
    pub fn line_column(&self, byte: usize) -> LineColumn {
        let byte = self.floor(byte);
        let line = self.lines.partition_point(|start| *start <= byte).saturating_sub(1);
        let start = self.lines.get(line).copied().unwrap_or_default();
        LineColumn { line, column: self.offset(byte) - self.offset(start) }
    }

    /// The byte offset of a UTF-16 offset, as editors and browsers give a caret. An offset between the halves of a surrogate
    /// pair counts as the character's beginning, one past the end as the end.
    pub fn byte(&self, utf16: usize) -> usize {
        let block = self.before.partition_point(|units| *units <= utf16).saturating_sub(1);
        let mut units = self.before.get(block).copied().unwrap_or_default();
        // The block may begin inside of a character, whose units were counted with its first byte.
        let mut from = block * STRIDE;
        while from < self.text.len() && !self.text.is_char_boundary(from) {
            from += 1;
        }
        for (at, character) in self.text.get(from..).unwrap_or_default().char_indices() {
            units += character.len_utf16();
            if units > utf16 {
                return from + at;
            }
        }
        self.text.len()
    }

    fn floor(&self, byte: usize) -> usize {
        let mut byte = byte.min(self.text.len());
        while !self.text.is_char_boundary(byte) {
            byte -= 1;
        }
        byte
    }
}

/// UTF-16 units of the character that a byte begins; none for its further bytes.
const fn units_of(byte: u8) -> usize {
    match byte {
        0x80..=0xBF => 0,
        0xF0..=0xFF => 2,
        _ => 1,
    }
}
