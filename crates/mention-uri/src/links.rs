//! Every ordinary link of a text, and where its code is.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use pulldown_cmark::{Event, LinkType, OffsetIter, Tag, TagEnd};

use crate::label::Label;
use crate::limits;
use crate::markdown::whole_link;
use crate::prepare::Prepared;

/// A link of any kind: what a renderer would make a link of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link<'a> {
    span: Range<usize>,
    source: &'a str,
    label: Cow<'a, str>,
    destination: String,
    in_quote: bool,
}

impl<'a> Link<'a> {
    /// The byte range of the whole link.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// The exact source of the link.
    pub fn source(&self) -> &'a str {
        self.source
    }

    /// The label as plain text; the address itself for an autolink.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The destination after CommonMark unescaping (`mailto:…` for an e-mail autolink).
    pub fn destination(&self) -> &str {
        &self.destination
    }

    /// Whether it stands in a block quote.
    pub fn in_quote(&self) -> bool {
        self.in_quote
    }
}

/// Every link and autolink outside of code and images, in order, whatever its destination; links of more than 16 KiB of source are left
/// out. Reference-style links count with `reference_links`.
///
/// ```
/// let text = "[docs](a.md) <https://x.test> `[no](b)` ![no](c) [ref]\n\n[ref]: d";
/// let destinations = |references| mention_uri::links(text, references).map(|link| link.destination().to_owned()).collect::<Vec<_>>();
/// assert_eq!(destinations(false), ["a.md", "https://x.test"]);
/// assert_eq!(destinations(true), ["a.md", "https://x.test", "d"]);
/// ```
pub fn links(text: &str, reference_links: bool) -> impl Iterator<Item = Link<'_>> {
    let found = match Prepared::new(text, reference_links) {
        Prepared::AsIs(events) => gather(text, 0, events),
        Prepared::Copy(copy) => gather(text, copy.shift(), copy.events()),
    };
    found.into_iter()
}

fn gather<'a>(text: &'a str, shift: usize, events: OffsetIter<'_>) -> Vec<Link<'a>> {
    let mut found = Vec::new();
    let mut quotes = 0_usize;
    let mut depth = 0_usize;
    let mut open: Option<(Link<'a>, Label<'a>)> = None;
    for (event, range) in events.filter(|(_, range)| range.end > shift) {
        let range = whole_link(text, &event, range.start.saturating_sub(shift)..range.end - shift);
        match event {
            Event::Start(Tag::BlockQuote(_)) => quotes += 1,
            Event::End(TagEnd::BlockQuote(_)) => quotes = quotes.saturating_sub(1),
            Event::Start(Tag::Link { link_type, dest_url, .. }) => {
                if depth == 0 && range.len() <= limits::LINK_SOURCE_BYTES {
                    let mut destination = String::new();
                    if link_type == LinkType::Email {
                        destination.push_str("mailto:");
                    }
                    destination.push_str(&dest_url);
                    let source = text.get(range.clone()).unwrap_or_default();
                    let link =
                        Link { span: range, source, label: Cow::Borrowed(""), destination, in_quote: quotes > 0 };
                    open = Some((link, Label::new(text)));
                }
                depth += 1;
            }
            Event::Start(Tag::Image { .. }) => depth += 1,
            Event::End(TagEnd::Link | TagEnd::Image) => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    if let Some((mut link, label)) = open.take() {
                        link.label = label.finish();
                        found.push(link);
                    }
                }
            }
            event => {
                if let Some((_, label)) = &mut open {
                    label.take(&event, range);
                }
            }
        }
    }
    found
}

/// Whether the byte at `offset` is in a code span, a code block or raw HTML, marks included: what a composer asks when an `@` is typed. At the end of the
/// text it tells this of a character that would be typed there.
///
/// ```
/// let text = "a `b @` c";
/// assert!(mention_uri::in_code(text, 5));
/// assert!(!mention_uri::in_code(text, 8));
/// assert!(mention_uri::in_code("```\n", 4));
/// ```
pub fn in_code(text: &str, offset: usize) -> bool {
    if offset >= text.len() {
        let mut typed = String::from(text);
        typed.push('x');
        return in_code_at(&typed, text.len());
    }
    in_code_at(text, offset)
}

fn in_code_at(text: &str, offset: usize) -> bool {
    match Prepared::new(text, false) {
        Prepared::AsIs(events) => covered(events, 0, offset),
        Prepared::Copy(copy) => covered(copy.events(), copy.shift(), offset),
    }
}

fn covered(mut events: OffsetIter<'_>, shift: usize, offset: usize) -> bool {
    events.any(|(event, range)| {
        matches!(event, Event::Code(_) | Event::InlineHtml(_) | Event::Start(Tag::CodeBlock(_) | Tag::HtmlBlock))
            && range.contains(&(offset + shift))
    })
}
