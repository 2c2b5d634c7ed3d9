//! The search within prose, shared by the raw and the Markdown scan: candidates, what may stand before them, and web addresses.
//!
//! [`Prose`] reads the source forward. All state is behind the position it has reached, so that a text is read a bounded number of
//! times, whatever is in it.

use alloc::borrow::Cow;
use core::ops::Range;

use memchr::memmem;

use crate::found::{Form, Found, FoundToken, Item, ScanOptions};
use crate::kinds::ResourceKinds;
use crate::limits;
use crate::steps::step;
use crate::text::is_unspaced_script;
use crate::token::{self, Boundary, Reserved};
use crate::uri::MentionUri;

/// What stands before a place in the text, as far as a candidate that begins there is concerned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Before {
    /// The base character is one that a token may not follow.
    word: bool,
    /// The last character is one that a bare URI may not follow, though a token may.
    joint: bool,
}

impl Before {
    /// The start of a text, or the end of something that is no text.
    pub(crate) const NOTHING: Self = Self { word: false, joint: false };

    /// What stands before the place after an ASCII character.
    #[inline]
    pub(crate) fn at(last: u8) -> Option<Self> {
        last.is_ascii().then(|| Self { word: last.is_ascii_alphanumeric() || last == b'_', joint: is_joint(last) })
    }

    /// What stands before the place after `text`, when this stands before `text`.
    pub(crate) fn then(self, text: &str) -> Self {
        let Some(&last) = text.as_bytes().last() else { return self };
        if let Some(before) = Self::at(last) {
            return before;
        }
        let mut word = self.word;
        for character in text.chars().rev() {
            step(1);
            let known = token::step(Boundary::Nothing, character);
            if known != Boundary::Nothing {
                word = known == Boundary::Blocked;
                break;
            }
        }
        Self { word, joint: false }
    }
}

const fn is_joint(byte: u8) -> bool {
    matches!(byte, b'+' | b'-' | b'.' | b'/' | b'=')
}

/// A stretch of source that is prose, and what stands before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chunk {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) before: Before,
    /// The first character is escaped by a backslash before the chunk.
    pub(crate) escaped: bool,
}

/// Something that reads as a finding when the source is looked at alone; what Markdown says about the range is the caller's to judge.
#[derive(Clone, Debug)]
pub(crate) struct Candidate<'a> {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) kind: Kind<'a>,
}

#[derive(Clone, Debug)]
pub(crate) enum Kind<'a> {
    Token(FoundToken<'a>),
    /// The end is where reading stops; what is part of the URI is decided by [`Prose::bare`].
    Bare,
}

#[derive(Debug)]
pub(crate) struct Prose<'a> {
    text: &'a str,
    options: Option<&'a ScanOptions>,
    bare: bool,
    /// No `@` stands between the position reached and this one, which is one or the end.
    next_at: usize,
    /// The same for `://`.
    next_scheme: usize,
    /// Where web addresses were last judged, and whether that place is inside one.
    judged: usize,
    in_address: bool,
    /// The run of characters that a bare URI can hold.
    run: Run,
}

/// How many bare URIs that don't parse are tried in one run of characters without white space; what follows in the run is text. It keeps the
/// work on `mention://a?k=…,mention://a?k=…,` linear.
pub(crate) const BARE_TRIES: usize = 32;

#[derive(Clone, Copy, Debug, Default)]
struct Run {
    end: usize,
    failed: usize,
}

#[derive(Clone, Copy, Debug, Default)]
struct Brackets {
    open: usize,
    close: usize,
}

impl<'a> Prose<'a> {
    pub(crate) fn new(text: &'a str, options: Option<&'a ScanOptions>) -> Self {
        let mut prose = Self {
            text,
            options,
            bare: options.is_some_and(|options| options.bare_uris),
            next_at: 0,
            next_scheme: 0,
            judged: 0,
            in_address: false,
            run: Run::default(),
        };
        prose.next_at = prose.find_at(0);
        prose.next_scheme = if prose.bare { prose.find_scheme(0) } else { text.len() };
        prose
    }

    /// A place at which a web address can't go on: the end of a finding, of a block, of something that is no text.
    pub(crate) fn address_ends(&mut self, at: usize) {
        if at >= self.judged {
            self.judged = at;
            self.in_address = false;
        }
    }

    /// The first candidate that starts in `chunk` at or after `from`.
    pub(crate) fn candidate(&mut self, chunk: Chunk, from: usize) -> Option<Candidate<'a>> {
        let mut from = from.max(chunk.start);
        loop {
            if self.next_at < from {
                self.next_at = self.find_at(from);
            }
            if self.bare && self.next_scheme < from {
                self.next_scheme = self.find_scheme(from);
            }
            let (at, scheme) = (self.next_at, self.next_scheme);
            if at >= chunk.end && scheme >= chunk.end {
                return None;
            }
            step(1);
            if at < scheme {
                if let Some((end, token)) = self.token_at(chunk, at) {
                    return Some(Candidate { start: at, end, kind: Kind::Token(token) });
                }
                from = at + 1;
            } else {
                if let Some(candidate) = self.bare_at(chunk, from, scheme) {
                    return Some(candidate);
                }
                from = scheme + 1;
            }
        }
    }

    #[cfg(feature = "markdown")]
    /// Whether a candidate of this chunk could start before its end at all; cheap.
    pub(crate) fn reaches(&self, chunk_end: usize) -> bool {
        self.next_at < chunk_end || self.next_scheme < chunk_end
    }

    /// The next token at or after `from` in a text that is all one chunk, when there is nothing but tokens to find.
    #[inline]
    pub(crate) fn next_token(&mut self, whole: Chunk, from: usize) -> Option<(Range<usize>, FoundToken<'a>)> {
        let mut at = self.find_at(from);
        while at < whole.end {
            step(1);
            if let Some((end, token)) = self.token_at(whole, at) {
                self.judged = end;
                self.in_address = false;
                return Some((at..end, token));
            }
            at = self.find_at(at + 1);
        }
        None
    }

    fn find_at(&self, from: usize) -> usize {
        let rest = self.text.as_bytes().get(from..).unwrap_or_default();
        memchr::memchr(b'@', rest).map_or(self.text.len(), |found| from + found)
    }

    fn find_scheme(&self, from: usize) -> usize {
        let rest = self.text.as_bytes().get(from..).unwrap_or_default();
        memmem::find(rest, b"://").map_or(self.text.len(), |found| from + found)
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    /// What stands before `at`, a place in `chunk`.
    fn before(&self, chunk: Chunk, at: usize) -> Before {
        chunk.before.then(self.text.get(chunk.start..at).unwrap_or_default())
    }

    /// The token at an `@`, and where it ends.
    #[inline]
    fn token_at(&mut self, chunk: Chunk, at: usize) -> Option<(usize, FoundToken<'a>)> {
        if !self.byte(at + 1)?.is_ascii_lowercase()
            || (chunk.escaped && at == chunk.start)
            || self.before(chunk, at).word
        {
            return None;
        }
        let read = match self.options {
            Some(options) => token::read_at(self.text, at, &options.reserved)?,
            None => token::read_at(self.text, at, &Reserved::default())?,
        };
        if self.inside_address(at) {
            return None;
        }
        Some((read.end, FoundToken::new(read.name, read.id)))
    }

    /// Whether `at` is inside a web address. Looks back no further than where this was last asked.
    fn inside_address(&mut self, at: usize) -> bool {
        let since = self.text.get(self.judged..at).unwrap_or_default();
        let mut inside = self.in_address;
        let mut run = since;
        // Mostly a space stands before.
        if since.as_bytes().last().is_some_and(|&last| last.is_ascii() && ends_address(char::from(last))) {
            run = "";
            inside = false;
        } else {
            for (offset, c) in since.char_indices().rev() {
                step(1);
                if ends_address(c) {
                    run = since.get(offset..).unwrap_or_default();
                    inside = false;
                    break;
                }
            }
        }
        if !inside && run.len() > 3 {
            inside = memmem::find_iter(run.as_bytes(), b"://").any(|scheme| {
                scheme.checked_sub(1).and_then(|last| run.as_bytes().get(last)).is_some_and(u8::is_ascii_alphabetic)
            });
        }
        if at >= self.judged {
            self.judged = at;
            self.in_address = inside;
        }
        let directly_after = at.checked_sub(1).and_then(|last| self.byte(last));
        inside && !matches!(directly_after, Some(b')' | b']' | b',' | b';'))
    }

    /// The candidate whose `://` stands at `scheme`.
    fn bare_at(&mut self, chunk: Chunk, from: usize, scheme: usize) -> Option<Candidate<'a>> {
        let name = self.text.get(from..scheme)?;
        let length = name
            .bytes()
            .rev()
            .take(limits::NAME_BYTES + 1)
            .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'+' | b'_'))
            .count();
        step(length + 1);
        let mut start = scheme - length;
        // A scheme starts with a letter: what stands before it is no part of it, though it may forbid the start.
        while start < scheme && !self.byte(start)?.is_ascii_alphabetic() {
            start += 1;
        }
        let name = self.text.get(start..scheme)?;
        if !(name.eq_ignore_ascii_case("mention") || self.knows(name)) {
            return None;
        }
        let before = self.before(chunk, start);
        if before.word || before.joint || self.inside_address(start) {
            return None;
        }
        let end = self.run_end(scheme + 3);
        Some(Candidate { start, end, kind: Kind::Bare })
    }

    /// Where the characters that a bare URI can hold end, from `at` on.
    fn run_end(&mut self, at: usize) -> usize {
        if at >= self.run.end {
            let rest = self.text.get(at..).unwrap_or_default();
            let length = rest.find(ends_bare).unwrap_or(rest.len());
            step(length);
            self.run = Run { end: at + length, failed: 0 };
        }
        self.run.end
    }

    /// The finding of a bare candidate when nothing after `end` belongs to it.
    pub(crate) fn bare(&mut self, start: usize, end: usize) -> Option<(Range<usize>, Item<'static>)> {
        let source = self.text.get(start..end)?;
        if source.len() > 2 * limits::URI_BYTES || self.run.failed >= BARE_TRIES {
            return None;
        }
        self.run.failed += 1;
        let source = trimmed(source);
        step(source.len());
        let item = parse(source, &self.options?.kinds)?;
        self.run.failed -= 1;
        Some((start..start + source.len(), item))
    }

    fn knows(&self, scheme: &str) -> bool {
        self.options.is_some_and(|options| options.kinds.contains_scheme(scheme))
    }

    #[inline]
    pub(crate) fn found(&self, range: Range<usize>, item: Item<'a>, form: Form, in_quote: bool) -> Found<'a> {
        let source = self.text.get(range.clone()).unwrap_or_default();
        Found { start: range.start, source: Cow::Borrowed(source), item, label: None, form, in_quote }
    }
}

pub(crate) fn parse(source: &str, kinds: &ResourceKinds) -> Option<Item<'static>> {
    match MentionUri::parse(source) {
        Ok(uri) => Some(Item::Mention(uri)),
        Err(_) => kinds.parse(source).ok().map(Item::Resource),
    }
}

/// Without the punctuation that ends a sentence rather than a URI.
pub(crate) fn trimmed(source: &str) -> &str {
    let (mut round, mut square) = count(source);
    let mut source = source;
    while let Some(&last) = source.as_bytes().last() {
        step(1);
        let drop = match last {
            b'.' | b',' | b';' | b':' | b'!' | b'?' | b'\'' | b'*' | b'_' | b'~' => true,
            b')' => round.close > round.open,
            b']' => square.close > square.open,
            _ => false,
        };
        if !drop {
            break;
        }
        match last {
            b')' => round.close -= 1,
            b']' => square.close -= 1,
            _ => {}
        }
        source = source.get(..source.len() - 1).unwrap_or_default();
    }
    source
}

fn count(text: &str) -> (Brackets, Brackets) {
    step(text.len());
    let (mut round, mut square) = (Brackets::default(), Brackets::default());
    for byte in text.bytes() {
        match byte {
            b'(' => round.open += 1,
            b')' => round.close += 1,
            b'[' => square.open += 1,
            b']' => square.close += 1,
            _ => {}
        }
    }
    (round, square)
}

/// Characters at which a web address ends.
fn ends_address(c: char) -> bool {
    if c.is_ascii() {
        c.is_ascii_whitespace() || matches!(c, '<' | '>' | '"' | '`' | '\u{b}')
    } else {
        c.is_whitespace() || is_punctuation(c)
    }
}

/// Characters at which a bare URI ends.
pub(crate) fn ends_bare(c: char) -> bool {
    if c.is_ascii() {
        c.is_ascii_control() || matches!(c, ' ' | '<' | '>' | '"' | '`')
    } else {
        c.is_whitespace() || c.is_control() || is_punctuation(c) || is_unspaced_script(c)
    }
}

fn is_punctuation(c: char) -> bool {
    use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};
    c.general_category_group() == GeneralCategoryGroup::Punctuation
}
