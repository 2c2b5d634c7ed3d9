//! What a stream shows of the text that is not settled yet.
//!
//! A small incremental reader of inline structure, apart from the parser: it decides nothing but what to hold back from view. Where it can't
//! know what Markdown will make of something, it holds back what might become a finding. Whenever a block settles it starts afresh at the
//! next one, so that its view of the block structure is right at the start and needs to be followed through one block of the document only.

use core::ops::Range;
use std::collections::VecDeque;
use std::string::{String, ToString};
use std::vec::Vec;

use crate::found::ScanOptions;
use crate::kinds::ResourceKinds;
use crate::limits;
use crate::prose;
use crate::steps::step;
use crate::tail_destination::{Destination, Reading};
use crate::tail_line::{Line, Lines};
use crate::token::{self, Reserved};

/// A part of what is not settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TailPart<'a> {
    /// Text that may be shown as it is, and may still change.
    Text {
        /// Where it starts in the stream, in bytes.
        start: usize,
        /// Its source.
        text: &'a str,
    },
    /// A construct that is half written, or complete but not settled: show the label, or a placeholder.
    Pending {
        /// Where it starts in the stream, in bytes. It reaches to the start of the next part, or to the end.
        start: usize,
        /// What there is to show of it so far, as written: the label of a link, the name of a token with its `@`. Never the destination.
        label: &'a str,
    },
}

/// The parts of the tail, in order; see [`StreamScanner::tail`](crate::StreamScanner::tail).
#[derive(Clone, Debug)]
pub struct Tail<'a> {
    buffer: &'a str,
    base: usize,
    /// Nothing before this is shown.
    from: usize,
    parts: core::iter::Peekable<std::collections::vec_deque::Iter<'a, Part>>,
    /// What is open, if anything, and where the parts before it end.
    open: Option<Part>,
    end: usize,
}

impl<'a> Tail<'a> {
    fn slice(&self, range: Range<usize>) -> &'a str {
        let start = range.start.max(self.from).saturating_sub(self.base);
        self.buffer.get(start..range.end.saturating_sub(self.base)).unwrap_or_default()
    }
}

impl<'a> Iterator for Tail<'a> {
    type Item = TailPart<'a>;

    fn next(&mut self) -> Option<TailPart<'a>> {
        let stop = self.open.as_ref().map_or(self.end, |open| open.start);
        while let Some(part) = self.parts.next() {
            if part.start >= stop {
                break;
            }
            let end = self.parts.peek().map_or(stop, |next| next.start.min(stop));
            let start = part.start.max(self.from);
            if end <= start {
                continue;
            }
            return Some(match &part.label {
                Some(label) if part.start >= self.from => {
                    TailPart::Pending { start: part.start, label: self.slice(label.clone()) }
                }
                _ => TailPart::Text { start, text: self.slice(start..end) },
            });
        }
        let open = self.open.take()?;
        self.end = open.start;
        let label = open.label.map(|label| self.slice(label)).unwrap_or_default();
        Some(TailPart::Pending { start: open.start, label })
    }
}

/// Starts where it says and reaches to the next one. Places are those in the stream, here and in all of this file.
#[derive(Clone, Debug)]
struct Part {
    start: usize,
    /// Set when it is pending.
    label: Option<Range<usize>>,
}

/// A run of backticks that has no partner yet.
#[derive(Clone, Copy, Debug)]
struct Ticks {
    at: usize,
    length: usize,
}

/// A `[` that a `]` at `at` was read for.
#[derive(Clone, Copy, Debug)]
struct Taken {
    at: usize,
    open: usize,
    /// The first bracket, up to this one, that a code span may give back though it opened no link.
    held: Option<usize>,
}

/// What is being read. Brackets are known by the place of their `[`.
#[derive(Clone, Copy, Debug)]
enum State {
    Text {
        escaped: bool,
    },
    Ticks {
        start: usize,
    },
    /// After a `]`.
    Closed {
        open: usize,
        close: usize,
    },
    Destination {
        open: usize,
        close: usize,
        place: Destination,
        has_ticks: bool,
    },
    Autolink {
        start: usize,
        colon: Option<usize>,
    },
    Token(Token),
    Bare {
        start: usize,
        colon: Option<usize>,
    },
}

#[derive(Clone, Copy, Debug)]
struct Token {
    start: usize,
    name_end: usize,
    place: TokenPlace,
    /// Where it ends if its closing quote was left out.
    tolerated: Option<usize>,
    plain: bool,
    has_ticks: bool,
}

#[derive(Clone, Copy, Debug)]
enum TokenPlace {
    Name,
    /// How much of `(id="` was read.
    Opening(usize),
    Id {
        escaped: bool,
    },
    Close,
}

const OPENING: &[u8] = b"(id=\"";
/// More than any token has: every character of the id an escape of two units.
const TOKEN_BYTES: usize = limits::NAME_BYTES + 12 * limits::ID_CHARS + 16;
#[derive(Clone, Debug)]
pub(crate) struct TailLexer {
    kinds: ResourceKinds,
    reserved: Reserved,
    /// The schemes of bare URIs with their `://`, empty when they are off.
    schemes: Vec<String>,
    /// Never two places out of order; the last is always text.
    parts: VecDeque<Part>,
    /// Up to where everything was read.
    at: usize,
    /// The end of what was pushed.
    end: usize,
    /// The start of a line whose kind is not known yet.
    line_start: Option<usize>,
    /// Where that line has something to hold back.
    held: Option<usize>,
    lines: Lines,
    plain_line: bool,
    after_blank: bool,
    /// The last two lines that may have closed a block.
    stirred: (usize, usize),
    state: State,
    /// The places of `[` that may yet open a link; a part starts at each.
    brackets: VecDeque<usize>,
    ticks: Vec<Ticks>,
    /// Brackets that were taken off since the first of `ticks`: a code span gives them back.
    taken: Vec<Taken>,
    /// Up to where a bare URI was read in vain, and how often since then.
    bare_end: usize,
    bare_failed: usize,
    /// Pairing backticks may be wrong here, because some may belong to something else.
    unsure: bool,
}

/// Whether a byte of plain text means anything here.
const fn is_loud(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r' | b'\\' | b'`' | b'[' | b']' | b'<' | b'@' | b'|')
}

impl TailLexer {
    pub(crate) fn new(options: &ScanOptions) -> Self {
        let mut schemes = Vec::new();
        if options.bare_uris {
            schemes.push("mention://".to_string());
            let kinds = options.kinds.kinds().map(|(kind, _)| kind);
            schemes.extend(kinds.chain(options.kinds.legacy()).map(|kind| kind.to_string() + "://"));
        }
        Self {
            kinds: options.kinds.clone(),
            reserved: options.reserved.clone(),
            schemes,
            parts: VecDeque::new(),
            at: 0,
            end: 0,
            line_start: Some(0),
            held: None,
            lines: Lines::default(),
            plain_line: true,
            after_blank: false,
            stirred: (0, 0),
            state: State::Text { escaped: false },
            brackets: VecDeque::new(),
            ticks: Vec::new(),
            taken: Vec::new(),
            bare_end: 0,
            bare_failed: 0,
            unsure: false,
        }
    }

    /// Starts afresh at the start of a block of the document.
    pub(crate) fn restart(&mut self, at: usize) {
        self.parts.clear();
        self.at = at;
        self.end = self.end.max(at);
        self.line_start = Some(at);
        self.held = None;
        self.lines = Lines::default();
        self.end_paragraph();
    }

    fn end_paragraph(&mut self) {
        self.state = State::Text { escaped: false };
        self.brackets.clear();
        self.ticks.clear();
        self.taken.clear();
        self.unsure = false;
    }

    pub(crate) fn parts<'a>(&'a self, buffer: &'a str, base: usize, settled: usize) -> Tail<'a> {
        Tail {
            buffer,
            base,
            from: settled,
            parts: self.parts.iter().peekable(),
            open: self.open(settled),
            end: self.end,
        }
    }

    /// The first thing that is open, from `settled` on.
    fn open(&self, settled: usize) -> Option<Part> {
        let end = self.end;
        let in_state = match self.state {
            State::Text { .. } => self.held.map(|start| (start, start..start)),
            State::Ticks { start } | State::Autolink { start, .. } => Some((start, start..start)),
            State::Closed { open, close } | State::Destination { open, close, .. } => Some((open, open + 1..close)),
            State::Token(Token { start, name_end, .. }) => Some((start, start..name_end)),
            State::Bare { start, colon } => Some((start, start..colon.unwrap_or(end))),
        }
        .filter(|(start, _)| *start >= settled);
        let held =
            self.taken.last().and_then(|taken| taken.held).filter(|&open| open + limits::LINK_SOURCE_BYTES >= end);
        let brackets = self.brackets.front().copied().into_iter().chain(held).filter(|&open| open >= settled);
        let in_brackets = brackets.min().map(|open| {
            let end = in_state.as_ref().map_or(end, |(start, _)| (*start).max(open + 1));
            (open, open + 1..end)
        });
        let first = match (in_brackets, in_state) {
            (Some(brackets), Some(state)) => Some(if state.0 < brackets.0 { state } else { brackets }),
            (brackets, state) => brackets.or(state),
        };
        first.map(|(start, label)| Part { start, label: Some(label) })
    }

    /// Reads what was pushed.
    pub(crate) fn advance(&mut self, buffer: &str, base: usize, settled: usize) {
        let bytes = buffer.as_bytes();
        self.end = base + bytes.len();
        while self.parts.get(1).is_some_and(|next| next.start <= settled) {
            self.parts.pop_front();
        }
        if self.reaches_back(settled) {
            // A block ended there without notice, and what was open in it with it.
            self.end_paragraph();
            self.lines.give_up();
            self.drop_parts(settled);
            self.text_from(settled);
            self.at = settled;
            self.line_start = Some(settled);
        }
        loop {
            self.read_on(buffer, base);
            // A link longer than this is text.
            let oldest = self.end.saturating_sub(limits::LINK_SOURCE_BYTES);
            while self.brackets.front().is_some_and(|&open| open < oldest) {
                self.brackets.pop_front();
            }
            match self.state {
                State::Closed { open, close } | State::Destination { open, close, .. } if open < oldest => {
                    self.again(close + 1);
                }
                _ => return,
            }
        }
    }

    /// Whether anything is open that began before `settled`, which is the start of a line and of a block.
    fn reaches_back(&self, settled: usize) -> bool {
        let state = match self.state {
            State::Text { .. } => None,
            State::Ticks { start }
            | State::Autolink { start, .. }
            | State::Bare { start, .. }
            | State::Token(Token { start, .. })
            | State::Closed { open: start, .. }
            | State::Destination { open: start, .. } => Some(start),
        };
        let brackets = self.brackets.front().copied();
        let ticks = self.ticks.first().map(|ticks| ticks.at);
        let taken = self.taken.last().and_then(|taken| taken.held);
        [state, brackets, ticks, taken].into_iter().flatten().any(|start| start < settled)
    }

    fn read_on(&mut self, buffer: &str, base: usize) {
        let bytes = buffer.as_bytes();
        while self.at < self.end {
            if let Some(start) = self.line_start {
                if !self.begin_line(bytes.get(start - base..).unwrap_or_default(), start) {
                    return;
                }
                continue;
            }
            let Some(&byte) = bytes.get(self.at - base) else { return };
            step(1);
            if matches!(byte, b'\n' | b'\r') {
                let next = bytes.get(self.at + 1 - base).copied();
                if byte == b'\r' && next.is_none() {
                    return;
                }
                self.end_line(buffer, base, if byte == b'\r' && next == Some(b'\n') { 2 } else { 1 });
            } else if self.lines.is_raw() {
                self.at += 1;
            } else {
                let quiet = match self.state {
                    State::Text { escaped: false } if self.schemes.is_empty() => {
                        let rest = bytes.get(self.at - base..).unwrap_or_default();
                        rest.iter().take_while(|byte| !is_loud(**byte)).count()
                    }
                    _ => 0,
                };
                step(quiet);
                self.at += quiet;
                if quiet == 0 {
                    self.read(buffer, base, byte);
                }
            }
        }
    }

    /// Decides what kind of line starts at `start`; false while that can't be told.
    fn begin_line(&mut self, line: &[u8], start: usize) -> bool {
        self.held = None;
        self.text_from(start);
        let was_in_fence = self.lines.is_in_fence();
        let kind = self.lines.begin(line, start);
        let closes_nothing = match kind {
            None => true,
            Some(Line::Text { plain, .. }) => plain && !was_in_fence && !self.after_blank,
            Some(Line::Raw) => was_in_fence && self.lines.is_in_fence(),
            Some(Line::Blank) => false,
        };
        if !closes_nothing && self.stirred.1 != start {
            self.stirred = (self.stirred.1, start);
        }
        self.after_blank = kind == Some(Line::Blank);
        match kind {
            None => {
                self.held = Lines::held(line).map(|held| start + held);
                return false;
            }
            Some(Line::Text { offset, plain }) => {
                self.at = start + offset;
                self.plain_line = plain;
                self.unsure |= !plain && !self.ticks.is_empty();
            }
            Some(Line::Blank | Line::Raw) => {
                self.end_paragraph();
                self.at = start;
            }
        }
        self.line_start = None;
        true
    }

    fn end_line(&mut self, buffer: &str, base: usize, length: usize) {
        let end = self.at;
        if !self.lines.is_raw() {
            match self.state {
                State::Text { .. } => self.state = State::Text { escaped: false },
                _ => self.read(buffer, base, b'\n'),
            }
            if self.at < end {
                // Something ended before, and the rest of the line is read again.
                return;
            }
        }
        self.unsure |= !self.plain_line && !self.ticks.is_empty();
        self.at = end + length;
        self.line_start = Some(self.at);
        if let Some((start, rest)) = self.lines.end() {
            let info = buffer.as_bytes().get(rest - base..end - base).unwrap_or_default();
            step(info.len());
            if !info.contains(&b'`') {
                self.lines.open();
                self.end_paragraph();
                self.drop_parts(start);
                self.text_from(start);
            }
        }
    }

    /// Whether a line that starts in these may have closed a block. Only the last line may be incomplete.
    pub(crate) fn stirred(&self, lines: Range<usize>) -> bool {
        lines.contains(&self.stirred.0) || lines.contains(&self.stirred.1)
    }

    /// Makes sure that the last part is text; it starts at `at` if there is none yet.
    fn text_from(&mut self, at: usize) {
        if self.parts.back().is_none_or(|last| last.label.is_some()) {
            self.parts.push_back(Part { start: at, label: None });
        }
    }

    fn drop_parts(&mut self, from: usize) {
        while self.parts.back().is_some_and(|last| last.start >= from) {
            self.parts.pop_back();
        }
    }

    fn pending(&mut self, range: Range<usize>, label: Range<usize>) {
        self.drop_parts(range.start);
        self.parts.push_back(Part { start: range.start, label: Some(label) });
        self.text_from(range.end);
    }

    /// Reads on as text from `at`, a place before.
    fn again(&mut self, at: usize) {
        self.at = at;
        self.line_start = None;
        self.state = State::Text { escaped: false };
    }

    fn bracket(&mut self, at: usize) {
        if self.parts.back().is_none_or(|last| last.label.is_some() || last.start < at) {
            self.parts.push_back(Part { start: at, label: None });
        }
        self.brackets.push_back(at);
    }

    fn take(&mut self, at: usize, open: usize) {
        if !self.ticks.is_empty() {
            let held = self.taken.last().and_then(|taken| taken.held);
            self.taken.push(Taken { at, open, held });
        }
    }

    /// The bracket that was taken last opens no link, unless its `]` is in a code span.
    fn no_link(&mut self, open: usize) {
        let in_code = self.ticks.last().is_some_and(|ticks| ticks.at > open);
        if let Some(taken) = self.taken.last_mut().filter(|taken| in_code && taken.open == open) {
            taken.held = Some(taken.held.map_or(open, |held| held.min(open)));
        }
    }

    fn read(&mut self, buffer: &str, base: usize, byte: u8) {
        match self.state {
            State::Text { escaped } => self.read_text(buffer, base, byte, escaped),
            State::Ticks { start } => {
                if byte == b'`' {
                    self.at += 1;
                } else {
                    self.state = State::Text { escaped: false };
                    self.pair(start, self.at - start);
                }
            }
            State::Closed { open, close } => {
                if byte == b'(' {
                    self.state = State::Destination { open, close, place: Destination::Start, has_ticks: false };
                    self.at += 1;
                } else {
                    self.state = State::Text { escaped: false };
                    self.no_link(open);
                }
            }
            State::Destination { open, close, place, has_ticks } => {
                let has_ticks = has_ticks || byte == b'`';
                match place.then(byte) {
                    Reading::Link => self.link(buffer, base, open, close, has_ticks),
                    Reading::On(place) if self.at - open <= limits::LINK_SOURCE_BYTES => {
                        self.state = State::Destination { open, close, place, has_ticks };
                        self.at += 1;
                    }
                    _ => {
                        self.again(close + 1);
                        self.no_link(open);
                    }
                }
            }
            State::Autolink { start, colon } => self.read_autolink(buffer, base, byte, start, colon),
            State::Token(token) => self.read_token(buffer, base, byte, token),
            State::Bare { start, colon } => self.read_bare(buffer, base, byte, start, colon),
        }
    }

    fn read_text(&mut self, buffer: &str, base: usize, byte: u8, escaped: bool) {
        let at = self.at;
        self.at += 1;
        self.state = State::Text { escaped: false };
        if escaped && byte.is_ascii_punctuation() {
            // In a code span it would be no escape.
            self.unsure |= byte == b'`' && !self.ticks.is_empty();
            return;
        }
        match byte {
            b'\\' => self.state = State::Text { escaped: true },
            b'`' => self.state = State::Ticks { start: at },
            b'[' => self.bracket(at),
            b']' => {
                if let Some(open) = self.brackets.pop_back() {
                    self.take(at, open);
                    if at - open <= limits::LINK_SOURCE_BYTES {
                        self.state = State::Closed { open, close: at };
                    }
                }
            }
            b'<' => self.state = State::Autolink { start: at, colon: None },
            // It may be the end of a table's cell.
            b'|' => self.unsure |= !self.ticks.is_empty(),
            b'@' => {
                let before = buffer.get(..at - base).unwrap_or_default();
                if before.ends_with('_') || token::token_may_start(before) {
                    self.state = State::Token(Token {
                        start: at,
                        name_end: at + 1,
                        place: TokenPlace::Name,
                        tolerated: None,
                        plain: true,
                        has_ticks: false,
                    });
                }
            }
            _ if !self.schemes.is_empty()
                && byte.is_ascii_alphabetic()
                && (at >= self.bare_end || self.bare_failed < prose::BARE_TRIES) =>
            {
                let before = (at - base).checked_sub(1).and_then(|last| buffer.as_bytes().get(last));
                if !before.is_some_and(|&before| {
                    before.is_ascii_alphanumeric() || matches!(before, b'+' | b'-' | b'.' | b'/' | b'=')
                }) {
                    self.at = at;
                    self.state = State::Bare { start: at, colon: None };
                }
            }
            _ => {}
        }
    }

    /// A run of backticks is complete: it ends a code span, or may begin one.
    fn pair(&mut self, start: usize, length: usize) {
        step(self.ticks.len());
        let Some(index) = self.ticks.iter().position(|ticks| ticks.length == length) else {
            self.ticks.push(Ticks { at: start, length });
            return;
        };
        let Some(code) = self.ticks.get(index).map(|ticks| ticks.at) else { return };
        self.ticks.truncate(index);
        let mut inside = Vec::new();
        while let Some(&open) = self.brackets.back().filter(|&&open| open > code) {
            self.brackets.pop_back();
            inside.push(open);
        }
        // What was closed in the code was not.
        while let Some(&Taken { open, .. }) = self.taken.last().filter(|taken| taken.at > code) {
            self.taken.pop();
            if open < code {
                self.brackets.push_back(open);
            }
        }
        if self.unsure {
            self.brackets.extend(inside.into_iter().rev());
            return;
        }
        self.drop_parts(code + 1);
        self.text_from(self.at);
    }

    /// A link is complete at the `)` that is read.
    fn link(&mut self, buffer: &str, base: usize, open: usize, close: usize, has_ticks: bool) {
        self.at += 1;
        self.state = State::Text { escaped: false };
        self.unsure |= has_ticks;
        let is_image = (open - base).checked_sub(1).and_then(|last| buffer.as_bytes().get(last)) == Some(&b'!');
        if !is_image {
            // A link holds no links.
            while let Some(outer) = self.brackets.pop_back() {
                self.take(self.at, outer);
            }
        }
        let destination = buffer.get(close + 2 - base..self.at - 1 - base).unwrap_or_default();
        if self.may_be_found(destination.trim_start().trim_start_matches('<')) {
            self.pending(open..self.at, open + 1..close);
        } else {
            self.drop_parts(open);
            self.text_from(open);
        }
    }

    /// Whether a destination as written can be one that counts.
    fn may_be_found(&self, destination: &str) -> bool {
        let scheme = destination.split(':').next().unwrap_or_default().trim_start();
        scheme.len() > limits::NAME_BYTES
            || scheme.contains(['&', '\\'])
            || scheme.eq_ignore_ascii_case("mention")
            || self.kinds.contains_scheme(scheme)
    }

    fn read_autolink(&mut self, buffer: &str, base: usize, byte: u8, start: usize, colon: Option<usize>) {
        let length = self.at - start - 1;
        let goes_on = match (colon, byte) {
            (None, b':') if (2..=32).contains(&length) => {
                self.state = State::Autolink { start, colon: Some(self.at) };
                true
            }
            (None, b'+' | b'-' | b'.' | b'0'..=b'9') => (1..32).contains(&length),
            (None, byte) => byte.is_ascii_alphabetic() && length < 32,
            (Some(_), b'>') => {
                self.state = State::Text { escaped: false };
                let uri = buffer.get(start + 1 - base..self.at - base).unwrap_or_default();
                if self.may_be_found(uri) {
                    self.pending(start..self.at + 1, start..start);
                }
                true
            }
            (Some(_), byte) => !matches!(byte, 0..=b' ' | b'<' | 0x7f) && length <= limits::LINK_SOURCE_BYTES,
        };
        if goes_on {
            self.at += 1;
        } else {
            // It may be a tag, with quotes and backticks of its own.
            let next = buffer.as_bytes().get(start + 1 - base);
            self.unsure |= next.is_some_and(|&next| next.is_ascii_alphabetic() || matches!(next, b'/' | b'!' | b'?'));
            self.again(start + 1);
        }
    }

    fn read_token(&mut self, buffer: &str, base: usize, byte: u8, mut token: Token) {
        token.has_ticks |= byte == b'`';
        let goes_on = match (token.place, byte) {
            (TokenPlace::Name, b'a'..=b'z') => true,
            (TokenPlace::Name, b'0'..=b'9' | b'-') => self.at > token.start + 1,
            (TokenPlace::Name, b'(') if self.at > token.start + 1 => {
                token.place = TokenPlace::Opening(1);
                true
            }
            (TokenPlace::Opening(read), byte) if OPENING.get(read) == Some(&byte) => {
                token.place = if read + 1 == OPENING.len() {
                    TokenPlace::Id { escaped: false }
                } else {
                    TokenPlace::Opening(read + 1)
                };
                true
            }
            (TokenPlace::Id { .. }, 0..=0x1f) => false,
            (TokenPlace::Id { escaped: true }, _) => {
                token.place = TokenPlace::Id { escaped: false };
                true
            }
            (TokenPlace::Id { .. }, b'"') => {
                token.place = TokenPlace::Close;
                true
            }
            (TokenPlace::Id { .. }, byte) => {
                if byte == b'\\' {
                    token.plain = false;
                    token.place = TokenPlace::Id { escaped: true };
                } else if byte == b')' && token.plain && token.tolerated.is_none() {
                    token.tolerated = Some(self.at + 1);
                }
                true
            }
            (TokenPlace::Close, b')') => {
                self.token(buffer, base, token, self.at + 1);
                return;
            }
            _ => false,
        };
        if matches!(token.place, TokenPlace::Name) {
            token.name_end = self.at + 1;
        }
        let longest = if matches!(token.place, TokenPlace::Name) { limits::NAME_BYTES } else { TOKEN_BYTES };
        if goes_on && self.at - token.start <= longest {
            self.state = State::Token(token);
            self.at += 1;
        } else if let Some(end) = token.tolerated {
            self.token(buffer, base, token, end);
        } else {
            self.again(token.start + 1);
        }
    }

    fn token(&mut self, buffer: &str, base: usize, token: Token, end: usize) {
        if token::read_at(buffer, token.start - base, &self.reserved).is_none() {
            self.again(token.start + 1);
            return;
        }
        self.again(end);
        self.unsure |= token.has_ticks;
        self.pending(token.start..end, token.start..token.name_end);
        // A link may begin inside; it would win.
        let source = buffer.as_bytes().get(token.start - base..end - base).unwrap_or_default();
        for inside in memchr::memchr_iter(b'[', source) {
            self.brackets.push_back(token.start + inside);
        }
    }

    fn read_bare(&mut self, buffer: &str, base: usize, byte: u8, start: usize, colon: Option<usize>) {
        let Some(colon) = colon else {
            let read = buffer.as_bytes().get(start - base..=self.at - base).unwrap_or_default();
            step(self.schemes.len());
            let of = |scheme: &String| {
                scheme.as_bytes().get(..read.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(read))
            };
            if byte == b'\n' || !self.schemes.iter().any(of) {
                self.again(start + 1);
                return;
            }
            let done = read.ends_with(b"://");
            self.state = State::Bare { start, colon: done.then(|| self.at - 2) };
            self.at += 1;
            return;
        };
        let next = buffer.get(self.at - base..).and_then(|rest| rest.chars().next());
        let ends = byte == b'\n' || next.is_none_or(prose::ends_bare) || (byte == b']' && !self.brackets.is_empty());
        if !ends && self.at - start <= 2 * limits::URI_BYTES {
            self.at += next.map_or(1, char::len_utf8);
            return;
        }
        let source = prose::trimmed(buffer.get(start - base..self.at - base).unwrap_or_default());
        if prose::parse(source, &self.kinds).is_some() {
            let end = start + source.len();
            self.again(end);
            self.pending(start..end, start..colon);
        } else {
            if start >= self.bare_end {
                self.bare_end = self.at;
                self.bare_failed = 0;
            }
            self.bare_failed += 1;
            self.again(start + 1);
        }
    }
}
