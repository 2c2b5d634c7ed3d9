//! The search in Markdown, on pulldown-cmark's events with their source ranges.
//!
//! Markdown decides first what is text, code, HTML, a link or an image, as if tokens were plain text. [`Walk`] follows the events with a
//! lazy cursor over the source ([`Prose`]); a token or bare URI that reaches past its text event waits until the events up to its end
//! have shown that nothing with precedence begins inside.

use core::iter::FusedIterator;
use core::ops::Range;
use std::collections::VecDeque;
use std::vec::Vec;

use pulldown_cmark::{Event, LinkType, OffsetIter, Tag, TagEnd};

use crate::found::{Form, Found, Item, ScanOptions, classify};
use crate::label::Label;
use crate::limits;
use crate::prepare::{Prepared, may_hold};
use crate::prose::{Before, Candidate, Chunk, Kind, Prose};
use crate::steps::step;

/// Finds mentions in Markdown (CommonMark with GitHub's tables, strikethrough and task lists), in source order; the ranges never overlap.
///
/// What counts: tokens in prose, inline links and autolinks whose destination is a mention URI or a resource URI of the kinds in
/// `options`, and what the options add. What does not: anything in code, raw HTML, link labels, destinations and titles, images, and a
/// token whose `@` is escaped. A link of more than 16 KiB of source is text.
///
/// Linear in the length of the text. Allocates nothing when the text holds no candidate.
///
/// ```
/// use mention_uri::{Item, ScanOptions, scan_markdown};
///
/// let text = r#"see [the *plan*](mention://app/plan) and `@kanban(id="1")`"#;
/// let options = ScanOptions::new();
/// let found: Vec<_> = scan_markdown(text, &options).collect();
/// assert_eq!(found.len(), 1);
/// assert_eq!(found[0].label(), Some("the plan"));
/// assert!(matches!(found[0].item(), Item::Mention(uri) if uri.entity() == "plan"));
/// ```
pub fn scan_markdown<'a>(text: &'a str, options: &'a ScanOptions) -> MarkdownScan<'a> {
    if !may_hold(text, options) {
        return MarkdownScan(Source::Ready(VecDeque::new()));
    }
    match Prepared::new(text, options.reference_links) {
        Prepared::AsIs(parser) => MarkdownScan(Source::Lazy(std::boxed::Box::new(Walk::new(text, 0, parser, options)))),
        Prepared::Copy(copy) => {
            let mut walk = Walk::new(text, copy.shift(), copy.events(), options);
            while walk.step() {}
            MarkdownScan(Source::Ready(walk.ready))
        }
    }
}

/// The findings in a Markdown text; see [`scan_markdown`].
#[derive(Debug)]
pub struct MarkdownScan<'a>(Source<'a>);

#[derive(Debug)]
enum Source<'a> {
    Lazy(std::boxed::Box<Walk<'a, 'a>>),
    Ready(VecDeque<Found<'a>>),
}

impl<'a> Iterator for MarkdownScan<'a> {
    type Item = Found<'a>;

    fn next(&mut self) -> Option<Found<'a>> {
        match &mut self.0 {
            Source::Ready(found) => found.pop_front(),
            Source::Lazy(walk) => {
                while walk.ready.is_empty() && walk.step() {}
                walk.ready.pop_front()
            }
        }
    }
}

impl FusedIterator for MarkdownScan<'_> {}

/// One pass over the events. `'a` is the text that the findings borrow, `'t` the text that was parsed: the same, or a copy of the same
/// layout after `shift` bytes (see [`Prepared`]).
#[derive(Debug)]
pub(crate) struct Walk<'a, 't> {
    text: &'a str,
    options: &'a ScanOptions,
    shift: usize,
    events: OffsetIter<'t>,
    prose: Prose<'a>,
    /// What the next text follows.
    before: Before,
    /// Where the last text event ended.
    text_end: usize,
    quotes: usize,
    in_code: bool,
    /// The link or image that is open, in which nothing else is found.
    held: Option<Held<'a>>,
    /// A candidate that reaches past its chunk, and the chunks since it began.
    waiting: Option<Range<usize>>,
    chunks: Vec<Chunk>,
    pub(crate) ready: VecDeque<Found<'a>>,
}

#[derive(Debug)]
struct Held<'a> {
    /// Links and images open inside of it, itself included.
    depth: usize,
    finding: Option<(Found<'a>, Label<'a>)>,
}

impl<'a, 't> Walk<'a, 't> {
    pub(crate) fn new(text: &'a str, shift: usize, events: OffsetIter<'t>, options: &'a ScanOptions) -> Self {
        Self {
            text,
            options,
            shift,
            events,
            prose: Prose::new(text, Some(options)),
            before: Before::NOTHING,
            text_end: 0,
            quotes: 0,
            in_code: false,
            held: None,
            waiting: None,
            chunks: Vec::new(),
            ready: VecDeque::new(),
        }
    }

    /// Takes one event; false at the end.
    #[inline]
    pub(crate) fn step(&mut self) -> bool {
        self.observed(|_, _| {})
    }

    /// The same, showing the event and its range to `look`.
    #[inline]
    pub(crate) fn observed(&mut self, look: impl FnOnce(&Event<'t>, &Range<usize>)) -> bool {
        let Some((event, range)) = self.events.next() else {
            self.block_edge(self.text.len());
            return false;
        };
        step(1);
        // Everything before `shift` was put there by `Prepared`.
        if range.end <= self.shift {
            return true;
        }
        let range = range.start.saturating_sub(self.shift)..range.end - self.shift;
        look(&event, &range);
        if self.held.is_some() {
            self.in_held(&event, range);
        } else if let Event::Text(decoded) = &event {
            if !self.in_code {
                self.in_text(decoded, range);
            }
        } else {
            self.in_prose(&event, range);
        }
        true
    }

    fn in_prose(&mut self, event: &Event<'t>, range: Range<usize>) {
        match event {
            Event::Start(Tag::Emphasis | Tag::Strong | Tag::Strikethrough)
            | Event::End(TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough) => {}
            Event::Start(Tag::Link { link_type, dest_url, .. }) => {
                self.barrier(range.start);
                let range = whole_link(self.text, event, range);
                let finding = (range.len() <= limits::LINK_SOURCE_BYTES)
                    .then(|| classify(dest_url, self.options))
                    .flatten()
                    .map(|item| self.link(&range, item, *link_type));
                self.held = Some(Held { depth: 1, finding });
            }
            Event::Start(Tag::Image { .. }) => {
                self.barrier(range.start);
                self.held = Some(Held { depth: 1, finding: None });
            }
            Event::Code(_)
            | Event::InlineHtml(_)
            | Event::FootnoteReference(_)
            | Event::InlineMath(_)
            | Event::DisplayMath(_) => {
                self.barrier(range.start);
                self.opaque_end(range.end);
            }
            Event::SoftBreak | Event::HardBreak | Event::TaskListMarker(_) => {
                self.barrier(range.start);
                self.opaque_end(range.start);
            }
            Event::Start(tag) => {
                self.block_edge(range.start);
                match tag {
                    Tag::BlockQuote(_) => self.quotes += 1,
                    Tag::CodeBlock(_) => self.in_code = true,
                    _ => {}
                }
            }
            Event::End(tag) => {
                self.block_edge(range.end);
                match tag {
                    TagEnd::BlockQuote(_) => self.quotes = self.quotes.saturating_sub(1),
                    TagEnd::CodeBlock => self.in_code = false,
                    _ => {}
                }
            }
            Event::Text(_) | Event::Html(_) | Event::Rule => self.block_edge(range.end),
        }
    }

    fn link(&self, range: &Range<usize>, item: Item<'static>, link_type: LinkType) -> (Found<'a>, Label<'a>) {
        let form = match link_type {
            LinkType::Inline => Form::Link,
            LinkType::Autolink | LinkType::Email => Form::Autolink,
            _ => Form::Reference,
        };
        (self.prose.found(range.clone(), item, form, self.quotes > 0), Label::new(self.text))
    }

    /// Inside of a link or an image: only its label is read, and its end waited for.
    fn in_held(&mut self, event: &Event<'t>, range: Range<usize>) {
        let Some(held) = &mut self.held else { return };
        match event {
            Event::Start(Tag::Link { .. } | Tag::Image { .. }) => held.depth += 1,
            Event::End(TagEnd::Link | TagEnd::Image) => {
                held.depth -= 1;
                if held.depth == 0 {
                    if let Some((mut found, label)) = held.finding.take() {
                        if found.form != Form::Autolink {
                            found.label = Some(label.finish());
                        }
                        self.ready.push_back(found);
                    }
                    self.held = None;
                    self.opaque_end(range.end);
                }
            }
            _ => {
                if let Some((_, label)) = &mut held.finding {
                    label.take(event, range);
                }
            }
        }
    }

    #[inline]
    fn in_text(&mut self, decoded: &str, range: Range<usize>) {
        let bytes = self.text.as_bytes();
        let may_be_reference = bytes.get(range.start) == Some(&b'&');
        if self.waiting.is_none() && !may_be_reference && !self.prose.reaches(range.end) {
            if let Some(before) =
                range.end.checked_sub(1).and_then(|last| bytes.get(last)).and_then(|&last| Before::at(last))
            {
                self.before = before;
                self.text_end = range.end;
                return;
            }
        }
        self.in_chunk(decoded, range);
    }

    fn in_chunk(&mut self, decoded: &str, range: Range<usize>) {
        let source = self.text.get(range.clone()).unwrap_or_default();
        let before = self.before;
        // A character reference is the one text whose source is something else; no candidate can begin in it.
        let is_reference = source.starts_with('&') && source != decoded;
        self.before = before.then(if is_reference { decoded } else { source });
        let escaped = range.start != self.text_end
            && range.start.checked_sub(1).and_then(|last| self.text.as_bytes().get(last)) == Some(&b'\\');
        self.text_end = range.end;
        if self.waiting.is_none() && (is_reference || !self.prose.reaches(range.end)) {
            return;
        }
        if !is_reference {
            self.chunks.push(Chunk { start: range.start, end: range.end, before, escaped });
        }
        match &self.waiting {
            None => self.resume(range.start, None),
            // Everything up to its end is text.
            Some(waiting) if waiting.end <= range.end => {
                let from = waiting.start;
                self.resume(from, None);
            }
            Some(_) => {}
        }
    }

    /// Searches the chunks from `from` on. With a barrier, nothing reaches past it; without one, what reaches past the last chunk waits.
    fn resume(&mut self, from: usize, barrier: Option<usize>) {
        self.waiting = None;
        let mut from = from;
        let known = barrier.or_else(|| self.chunks.last().map(|chunk| chunk.end)).unwrap_or(from);
        let mut index = 0;
        while let Some(&chunk) = self.chunks.get(index) {
            step(1);
            while let Some(mut candidate) = self.prose.candidate(chunk, from) {
                if candidate.end > known {
                    if barrier.is_none() {
                        self.waiting = Some(candidate.start..candidate.end);
                        self.chunks.drain(..index);
                        return;
                    }
                    if matches!(candidate.kind, Kind::Token(_)) {
                        from = candidate.start + 1;
                        continue;
                    }
                    candidate.end = known;
                }
                from = self.accept(candidate);
            }
            index += 1;
        }
        self.chunks.clear();
    }

    /// Something with precedence over tokens begins.
    fn barrier(&mut self, at: usize) {
        if let Some(waiting) = &self.waiting {
            let from = waiting.start;
            self.resume(from, Some(at));
        }
    }

    /// Something that is no text ended: what follows it follows no word, and no web address goes on.
    fn opaque_end(&mut self, at: usize) {
        self.before = Before::NOTHING;
        self.prose.address_ends(at);
    }

    /// A block begins or ends.
    fn block_edge(&mut self, at: usize) {
        if let Some(end) = self.chunks.last().map(|chunk| chunk.end) {
            self.barrier(end);
        }
        self.opaque_end(at);
    }

    /// Takes a candidate of which all is text; gives where the search goes on.
    fn accept(&mut self, candidate: Candidate<'a>) -> usize {
        let (range, item, form) = match candidate.kind {
            Kind::Token(token) => (candidate.start..candidate.end, Item::Token(token), Form::Token),
            Kind::Bare => match self.prose.bare(candidate.start, candidate.end) {
                Some((range, item)) => (range, item, Form::Bare),
                None => return candidate.start + 1,
            },
        };
        let end = range.end;
        self.prose.address_ends(end);
        let found = self.prose.found(range, item, form, self.quotes > 0);
        self.ready.push_back(found);
        end
    }
}

/// The parser leaves the `[]` of a collapsed reference out of its range.
pub(crate) fn whole_link(text: &str, event: &Event<'_>, range: Range<usize>) -> Range<usize> {
    match event {
        Event::Start(Tag::Link { link_type: LinkType::Collapsed, .. })
            if text.as_bytes().get(range.end..).is_some_and(|rest| rest.starts_with(b"[]")) =>
        {
            range.start..range.end + 2
        }
        _ => range,
    }
}
