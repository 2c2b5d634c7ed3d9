//! The whole text as pieces, and what can be done with them: rewriting, listing.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::iter::FusedIterator;
use core::ops::Range;

use crate::found::{Found, Item, ScanOptions};
use crate::kinds::ResourceKinds;
use crate::markdown::{MarkdownScan, scan_markdown};
use crate::resource::ResourceUri;

/// A piece of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Segment<'a> {
    /// What is no finding, as it stands in the source.
    Text {
        /// Its byte range.
        span: Range<usize>,
        /// Its source; never empty.
        source: Cow<'a, str>,
    },
    /// A finding.
    Found(Found<'a>),
}

impl Segment<'_> {
    /// The byte range in the text that was searched; in a stream, in the whole stream.
    pub fn span(&self) -> Range<usize> {
        match self {
            Self::Text { span, .. } => span.clone(),
            Self::Found(found) => found.span(),
        }
    }

    /// The exact source.
    pub fn source(&self) -> &str {
        match self {
            Self::Text { source, .. } => source,
            Self::Found(found) => found.source(),
        }
    }

    /// The same, free of the text that was searched.
    pub fn into_owned(self) -> Segment<'static> {
        match self {
            Self::Text { span, source } => Segment::Text { span, source: Cow::Owned(source.into_owned()) },
            Self::Found(found) => Segment::Found(found.into_owned()),
        }
    }
}

/// The whole of a Markdown text as text and findings in order; the sources of the pieces put together are the text.
///
/// No piece is empty, and no two pieces of text follow each other.
///
/// ```
/// use mention_uri::{ScanOptions, Segment, segments};
///
/// let options = ScanOptions::new();
/// let mut shown = String::new();
/// for segment in segments("ask [@Ann](mention://agent/a1)!", &options) {
///     match segment {
///         Segment::Text { source, .. } => shown.push_str(&source),
///         Segment::Found(found) => shown.push_str(&format!("<{}>", found.display_label().unwrap_or("?"))),
///     }
/// }
/// assert_eq!(shown, "ask <Ann>!");
/// ```
pub fn segments<'a>(text: &'a str, options: &'a ScanOptions) -> Segments<'a> {
    Segments { text, found: scan_markdown(text, options), next: None, at: 0 }
}

/// The pieces of a text; see [`segments`].
#[derive(Debug)]
pub struct Segments<'a> {
    text: &'a str,
    found: MarkdownScan<'a>,
    next: Option<Found<'a>>,
    at: usize,
}

impl<'a> Iterator for Segments<'a> {
    type Item = Segment<'a>;

    fn next(&mut self) -> Option<Segment<'a>> {
        let next = self.next.take().or_else(|| self.found.next());
        let end = next.as_ref().map_or(self.text.len(), |found| found.start);
        if self.at < end {
            let span = self.at..end;
            self.at = end;
            self.next = next;
            let source = Cow::Borrowed(self.text.get(span.clone()).unwrap_or_default());
            return Some(Segment::Text { span, source });
        }
        let found = next?;
        self.at = found.span().end;
        Some(Segment::Found(found))
    }
}

impl FusedIterator for Segments<'_> {}

/// The text with findings rewritten: each one that `rewrite` gives a text for becomes that text, everything else stays byte for byte.
/// Borrowed when nothing was rewritten.
///
/// ```
/// use mention_uri::{Item, ScanOptions, replace};
///
/// // Show tokens as links.
/// let text = r#"see @kanban(id="KAN-12"), not `@kanban(id="x")`"#;
/// let shown = replace(text, &ScanOptions::new(), |found| match found.item() {
///     Item::Token(token) => Some(format!("<{}>", token.to_token().to_uri())),
///     _ => None,
/// });
/// assert_eq!(shown, r#"see <mention://kanban/KAN-12>, not `@kanban(id="x")`"#);
/// ```
pub fn replace<'a>(
    text: &'a str,
    options: &ScanOptions,
    mut rewrite: impl FnMut(&Found<'_>) -> Option<String>,
) -> Cow<'a, str> {
    let mut built: Option<String> = None;
    let mut copied = 0;
    for found in scan_markdown(text, options) {
        if let Some(new) = rewrite(&found) {
            let span = found.span();
            let built = built.get_or_insert_with(String::new);
            built.push_str(text.get(copied..span.start).unwrap_or_default());
            built.push_str(&new);
            copied = span.end;
        }
    }
    match built {
        Some(mut built) => {
            built.push_str(text.get(copied..).unwrap_or_default());
            Cow::Owned(built)
        }
        None => Cow::Borrowed(text),
    }
}

/// The resource URIs that a message links to, each once, in the order of their first place.
///
/// ```
/// use mention_uri::{ResourceKinds, referenced};
///
/// let text = "[intro](timeline://tl_7#clip=cl_9), <asset://as_1>, again [here](timeline://tl_7#clip=cl_9)";
/// let listed = referenced(text, &ResourceKinds::studio());
/// assert_eq!(listed.iter().map(|uri| uri.as_str()).collect::<Vec<_>>(), ["timeline://tl_7#clip=cl_9", "asset://as_1"]);
/// ```
pub fn referenced(text: &str, kinds: &ResourceKinds) -> Vec<ResourceUri> {
    let options = ScanOptions::new().kinds(kinds.clone());
    let mut seen = alloc::collections::BTreeSet::new();
    let mut listed = Vec::new();
    for found in scan_markdown(text, &options) {
        if let Item::Resource(uri) = found.item() {
            if seen.insert(uri.clone()) {
                listed.push(uri.clone());
            }
        }
    }
    listed
}
