//! Up to where a text that goes on can't be changed by what comes: the block structure as far as streams need it.
//!
//! A later line can only reach what is still open: the last child of the last child of … the document. So everything before the
//! start of a last child is final, on each level. One thing is not in the events: a definition of a reference (`[a]: b`) may take the line after it as
//! its title, as long as no blank line stands between; a block that directly follows one is no place to stop.

use core::ops::Range;
use std::vec::Vec;

use memchr::{memchr, memrchr};
use pulldown_cmark::{Event, Tag, TagEnd};

use crate::steps::step;

/// Follows the events of a text and keeps, for every open container, where its children start.
#[derive(Debug)]
pub(crate) struct Outline<'t> {
    text: &'t str,
    levels: Vec<Level>,
    /// Inside of a block that holds no blocks; its events are its own affair.
    leaf: Option<Leaf>,
    /// Where the last content of any block ended.
    content_end: usize,
    /// Up to where the gap after the content was searched for a bracket, and whether it has one.
    gap_end: usize,
    gap_has_bracket: bool,
    /// Whether the last line of the gap is blank.
    gap_ends_blank: bool,
    /// A place and the start of its line: the next one asked for is mostly a little further.
    line: (usize, usize),
    /// A last block of the document that nothing can reach any more ends here.
    closed: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Leaf {
    /// Ends with the line that it is on, or with a blank one.
    Text,
    Other,
}

#[derive(Debug, Default)]
struct Level {
    /// The line on which the last child starts that is a place to stop.
    stop: usize,
    /// Whether that is the last child of all.
    is_last: bool,
    /// Where to stop inside of the last child, when that is a container.
    inside: usize,
    /// In an item whose text stands without a paragraph.
    in_tight_text: bool,
}

impl Level {
    fn stop(&self) -> usize {
        if self.is_last { self.stop.max(self.inside) } else { self.stop }
    }
}

impl<'t> Outline<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self {
            text,
            levels: std::vec![Level::default()],
            leaf: None,
            content_end: 0,
            gap_end: 0,
            gap_has_bracket: false,
            gap_ends_blank: true,
            line: (0, 0),
            closed: None,
        }
    }

    /// The place before which nothing changes any more, and the last start of a block of the document at or before it.
    pub(crate) fn stop(&self) -> (usize, usize) {
        match (self.closed, self.levels.first()) {
            (Some(closed), _) => (closed, closed),
            (None, Some(document)) => (document.stop(), document.stop),
            (None, None) => (0, 0),
        }
    }

    pub(crate) fn look(&mut self, event: &Event<'_>, range: &Range<usize>) {
        match event {
            Event::Start(Tag::BlockQuote(_) | Tag::List(_) | Tag::Item) => {
                self.child(range.start);
                let stop = self.line_of(range.start);
                self.levels.push(Level { stop, ..Level::default() });
            }
            Event::End(TagEnd::BlockQuote(_) | TagEnd::List(_) | TagEnd::Item) => {
                if self.levels.len() > 1 {
                    let inside = self.levels.pop().map_or(0, |level| level.stop());
                    if let Some(parent) = self.levels.last_mut() {
                        parent.inside = inside;
                    }
                }
            }
            Event::Start(tag) => match tag {
                Tag::Paragraph | Tag::Heading { .. } | Tag::Table(_) => self.open(range.start, Leaf::Text),
                Tag::CodeBlock(_) | Tag::HtmlBlock => self.open(range.start, Leaf::Other),
                _ => self.inline(range),
            },
            Event::End(tag) => match tag {
                TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::Table => {
                    self.leaf = None;
                    self.content_end = self.content_end.max(range.end);
                    if self.levels.len() == 1 {
                        self.closed = self.closed_after(range.end, !matches!(tag, TagEnd::Heading(_)));
                    }
                }
                TagEnd::CodeBlock | TagEnd::HtmlBlock => {
                    self.leaf = None;
                    self.content_end = self.content_end.max(range.end);
                }
                _ => self.inline(range),
            },
            Event::Rule => {
                self.child(range.start);
                self.content_end = self.content_end.max(range.end);
                if self.levels.len() == 1 {
                    self.closed = self.closed_after(range.end, false);
                }
            }
            _ => self.inline(range),
        }
    }

    fn open(&mut self, start: usize, leaf: Leaf) {
        self.child(start);
        self.leaf = Some(leaf);
    }

    fn inline(&mut self, range: &Range<usize>) {
        if self.leaf.is_none() {
            let tight = self.levels.last().is_some_and(|level| level.in_tight_text);
            if !tight {
                self.child(range.start);
                if let Some(level) = self.levels.last_mut() {
                    level.in_tight_text = true;
                }
            }
        }
        self.content_end = self.content_end.max(range.end);
    }

    /// A child of the innermost open container starts.
    fn child(&mut self, start: usize) {
        let line = self.line_of(start);
        let may_stop = !self.follows_definition(line);
        self.closed = None;
        if let Some(level) = self.levels.last_mut() {
            level.in_tight_text = false;
            level.is_last = may_stop;
            level.inside = 0;
            if may_stop {
                level.stop = level.stop.max(line);
            }
        }
    }

    fn line_of(&mut self, at: usize) -> usize {
        let (from, known) = if at >= self.line.0 { self.line } else { (0, 0) };
        let between = self.text.as_bytes().get(from..at).unwrap_or_default();
        step(between.len());
        let line = memrchr(b'\n', between).map_or(known, |end| from + end + 1);
        self.line = (at, line);
        line
    }

    /// Whether the line before `line` belongs to no block that shows, so that it may be a definition.
    fn follows_definition(&mut self, line: usize) -> bool {
        if self.content_end >= self.gap_end {
            self.gap_end = self.content_end;
            self.gap_has_bracket = false;
        }
        if line > self.gap_end {
            let gap = self.text.as_bytes().get(self.gap_end..line).unwrap_or_default();
            step(gap.len());
            self.gap_has_bracket |= memchr(b'[', gap).is_some();
            self.gap_end = line;
            self.gap_ends_blank = gap
                .iter()
                .rev()
                .skip(1)
                .take_while(|&&byte| byte != b'\n')
                .all(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'>'));
        }
        self.gap_has_bracket && !self.gap_ends_blank
    }

    /// The start of the line at which a block of the document that ended at `end` can't go on, if that line is there.
    fn closed_after(&self, end: usize, needs_blank: bool) -> Option<usize> {
        if end > 0 && self.text.as_bytes().get(end - 1) != Some(&b'\n') {
            return None;
        }
        if !needs_blank {
            return Some(end);
        }
        let rest = self.text.get(end..)?;
        let line = rest.get(..memchr(b'\n', rest.as_bytes())?)?;
        step(line.len());
        line.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'\r')).then_some(end + line.len() + 1)
    }
}
