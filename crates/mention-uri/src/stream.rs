//! The search in a reply that is still arriving.

use core::ops::Range;
use std::string::String;
use std::vec::Vec;

use memchr::memrchr2;

use crate::found::{Found, ScanOptions};
use crate::markdown::Walk;
use crate::outline::Outline;
use crate::prepare::Prepared;
use crate::segment::Segment;
use crate::tail::{Tail, TailLexer};

/// A piece that no later text can change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreamSegment {
    segment: Segment<'static>,
    utf16: Range<usize>,
}

impl StreamSegment {
    /// The piece; its spans are byte ranges in the whole stream.
    pub fn segment(&self) -> &Segment<'static> {
        &self.segment
    }

    /// The piece itself.
    pub fn into_segment(self) -> Segment<'static> {
        self.segment
    }

    /// The byte range in the whole stream.
    pub fn span(&self) -> Range<usize> {
        self.segment.span()
    }

    /// The range in UTF-16 units in the whole stream.
    pub fn utf16(&self) -> Range<usize> {
        self.utf16.clone()
    }

    /// The exact source.
    pub fn source(&self) -> &str {
        self.segment.source()
    }

    /// The finding, if it is one.
    pub fn found(&self) -> Option<&Found<'static>> {
        match &self.segment {
            Segment::Found(found) => Some(found),
            Segment::Text { .. } => None,
        }
    }
}

/// What parsing costs beside the text it reads, in bytes of text.
const PARSE_COST: usize = 512;
/// How much may be parsed before any text has paid for it: small messages settle at every line.
const FIRST_CREDIT: usize = 16 * 1024;
/// How many bytes may be parsed for every byte that arrives.
const CREDIT_PER_BYTE: usize = 2;

/// Finds mentions in Markdown that arrives piece by piece.
///
/// [`push`](Self::push) gives the segments that are settled: no later text changes them. Put together (neighbouring pieces of text joined) they
/// equal [`segments`](crate::segments) of the whole text with the same options, however the text was cut; reference-style links are always text
/// here. Only complete lines settle, and only when no later line can reach them: a block when the next one has begun or a blank line has closed
/// it, the items of an open list or quote before the last one. Everything else is in [`tail`](Self::tail) until then.
///
/// The order of calls: any number of pushes, then [`finish`](Self::finish), after which pushes are ignored.
///
/// The work is linear in the text: every byte that arrives pays for parsing two, so an open block is parsed again when it has grown by half, not
/// for every piece; until then its lines wait in the tail. Memory is bounded by the open block of the document.
///
/// ```
/// use mention_uri::{ScanOptions, StreamScanner, TailPart};
///
/// let mut stream = StreamScanner::new(ScanOptions::new());
/// let mut settled = Vec::new();
/// for piece in ["See [the pl", "an](mention://app/pl", "an).\n", "\nNext"] {
///     settled.extend(stream.push(piece));
///     // Show what is settled, then what may still change.
///     for part in stream.tail() {
///         match part {
///             TailPart::Text { text, .. } => assert!(!text.contains("mention:")),
///             TailPart::Pending { label, .. } => assert!("the plan".starts_with(label)),
///         }
///     }
/// }
/// assert_eq!(settled.len(), 3);
/// assert_eq!(settled[1].found().unwrap().label(), Some("the plan"));
/// settled.extend(stream.finish());
/// assert_eq!(settled.last().unwrap().source(), "Next");
/// ```
#[derive(Clone, Debug)]
pub struct StreamScanner {
    options: ScanOptions,
    /// The text from the start of the open block on.
    buffer: String,
    /// Where the buffer starts in the stream.
    base: usize,
    /// Up to where everything is settled, in the stream; never before `base`.
    settled: usize,
    settled_utf16: usize,
    /// The bytes of a character that is not complete.
    partial: Vec<u8>,
    /// Up to where lines were looked for, in the stream.
    seen: usize,
    /// Where the last complete line ends, in the buffer.
    lines_end: usize,
    /// The same when it was last parsed.
    parsed_end: usize,
    credit: usize,
    tail: TailLexer,
    finished: bool,
}

impl StreamScanner {
    /// A scanner at the start of a text. Reference-style links are off, whatever the options say.
    pub fn new(options: ScanOptions) -> Self {
        let options = options.reference_links(false);
        Self {
            tail: TailLexer::new(&options),
            options,
            buffer: String::new(),
            base: 0,
            settled: 0,
            settled_utf16: 0,
            partial: Vec::new(),
            seen: 0,
            lines_end: 0,
            parsed_end: 0,
            credit: FIRST_CREDIT,
            finished: false,
        }
    }

    /// Takes the next piece; gives what is settled now.
    pub fn push(&mut self, piece: &str) -> Vec<StreamSegment> {
        if self.finished || piece.is_empty() {
            return Vec::new();
        }
        self.end_partial();
        self.append(piece);
        self.advance()
    }

    /// Takes the next piece as bytes. A character cut between two pieces is put together (up to 3 bytes are held back); each invalid
    /// sequence becomes one U+FFFD, as in `String::from_utf8_lossy` of the whole. Spans count the repaired text.
    pub fn push_bytes(&mut self, piece: &[u8]) -> Vec<StreamSegment> {
        if self.finished || piece.is_empty() {
            return Vec::new();
        }
        let mut rest = piece;
        while !self.partial.is_empty() {
            match core::str::from_utf8(&self.partial) {
                Ok(text) => {
                    let text = String::from(text);
                    self.append(&text);
                    self.partial.clear();
                }
                Err(error) => match (error.error_len(), rest.split_first()) {
                    (Some(length), _) => {
                        self.append("\u{fffd}");
                        self.partial.drain(..length);
                    }
                    (None, Some((&byte, after))) => {
                        self.partial.push(byte);
                        rest = after;
                    }
                    (None, None) => return self.advance(),
                },
            }
        }
        let mut chunks = rest.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            self.append(chunk.valid());
            match core::str::from_utf8(chunk.invalid()) {
                Ok(_) => {}
                Err(error) if error.error_len().is_none() && chunks.peek().is_none() => {
                    self.partial.extend_from_slice(chunk.invalid());
                }
                Err(_) => self.append("\u{fffd}"),
            }
        }
        self.advance()
    }

    /// The text ends here: settles the rest. Later calls give nothing.
    pub fn finish(&mut self) -> Vec<StreamSegment> {
        if self.finished {
            return Vec::new();
        }
        self.end_partial();
        self.finished = true;
        let whole = core::mem::take(&mut self.buffer);
        let (found, _) = self.parse(&whole, true);
        let end = self.base + whole.len();
        let settled = self.settle(&whole, found, end);
        self.base = end;
        self.lines_end = 0;
        self.tail.restart(end);
        settled
    }

    /// What is not settled yet, in order: text that may be shown and may still change, and constructs that are half written or may yet
    /// become something else. Making it costs nothing; going through it costs its number of parts.
    pub fn tail(&self) -> Tail<'_> {
        self.tail.parts(&self.buffer, self.base, self.settled)
    }

    /// Up to which byte of the stream everything is settled.
    pub fn settled(&self) -> usize {
        self.settled
    }

    fn end_partial(&mut self) {
        if !self.partial.is_empty() {
            self.partial.clear();
            self.append("\u{fffd}");
        }
    }

    fn append(&mut self, piece: &str) {
        self.buffer.push_str(piece);
        self.credit = self.credit.saturating_add(CREDIT_PER_BYTE * piece.len());
    }

    fn advance(&mut self) -> Vec<StreamSegment> {
        self.find_lines();
        self.tail.advance(&self.buffer, self.base, self.settled);
        let cost = self.lines_end + PARSE_COST;
        let may_settle = self.tail.stirred(self.base + self.parsed_end..self.base + self.lines_end);
        if !may_settle || cost > self.credit {
            return Vec::new();
        }
        self.credit -= cost;
        let buffer = core::mem::take(&mut self.buffer);
        let lines = buffer.get(..self.lines_end).unwrap_or_default();
        let (found, (stop, block)) = self.parse(lines, false);
        let settled = self.settle(&buffer, found, self.base + stop);
        self.buffer = buffer;
        self.parsed_end = self.lines_end;
        if block > 0 {
            self.buffer.drain(..block);
            self.base += block;
            self.lines_end -= block;
            self.parsed_end -= block;
            self.tail.restart(self.base);
        }
        self.tail.advance(&self.buffer, self.base, self.settled);
        settled
    }

    /// A carriage return at the very end may be half of a line end.
    fn find_lines(&mut self) {
        let bytes = self.buffer.as_bytes();
        let end = if bytes.last() == Some(&b'\r') { bytes.len() - 1 } else { bytes.len() };
        let from = self.seen - self.base;
        if let Some(at) = bytes.get(from..end).and_then(|fresh| memrchr2(b'\n', b'\r', fresh)) {
            self.lines_end = from + at + 1;
        }
        self.seen = self.base + end;
    }

    /// The findings in the buffer's lines that are final, and up to where everything is (see [`Outline::stop`]).
    fn parse(&self, lines: &str, whole: bool) -> (Vec<Found<'static>>, (usize, usize)) {
        let mut copy_holder = None;
        let (events, shift, parsed) = match Prepared::new(lines, false) {
            Prepared::AsIs(events) => (events, 0, lines),
            Prepared::Copy(copy) => {
                let copy = copy_holder.insert(copy);
                (copy.events(), copy.shift(), copy.text())
            }
        };
        let mut outline = Outline::new(parsed);
        let mut walk = Walk::new(lines, shift, events, &self.options);
        while walk.observed(|event, range| outline.look(event, range)) {}
        let (stop, block) = if whole { (lines.len(), lines.len()) } else { outline.stop() };
        let fresh = self.settled - self.base..stop;
        let found = walk
            .ready
            .into_iter()
            .filter(|found| fresh.start <= found.start && found.span().end <= fresh.end)
            .map(|found| {
                let mut found = found.into_owned();
                found.start += self.base;
                found
            })
            .collect();
        (found, (stop, block))
    }

    /// Makes segments of everything up to `end`, a place in the stream.
    fn settle(&mut self, buffer: &str, found: Vec<Found<'static>>, end: usize) -> Vec<StreamSegment> {
        let mut segments = Vec::new();
        for found in found {
            self.settle_text(buffer, found.start, &mut segments);
            let utf16 = self.settle_to(found.span().end, found.source());
            segments.push(StreamSegment { segment: Segment::Found(found), utf16 });
        }
        self.settle_text(buffer, end, &mut segments);
        segments
    }

    fn settle_text(&mut self, buffer: &str, end: usize, segments: &mut Vec<StreamSegment>) {
        if self.settled < end {
            let span = self.settled..end;
            let source = buffer.get(span.start - self.base..end - self.base).unwrap_or_default();
            let utf16 = self.settle_to(end, source);
            let source = String::from(source).into();
            segments.push(StreamSegment { segment: Segment::Text { span, source }, utf16 });
        }
    }

    /// Moves the settled end over `source`; gives its range in UTF-16.
    fn settle_to(&mut self, end: usize, source: &str) -> Range<usize> {
        let start = self.settled_utf16;
        self.settled_utf16 += source.chars().map(char::len_utf16).sum::<usize>();
        self.settled = end;
        start..self.settled_utf16
    }
}
