//! The search in raw text, where no character is markup.

use core::iter::FusedIterator;

use crate::found::{Form, Found, Item, ScanOptions};
use crate::prose::{Before, Chunk, Kind, Prose};

/// Finds the mention tokens in a text that is not Markdown, in order. Their names may be anything but `fn`, `file` and `skill`.
///
/// A backslash means nothing here: `\@kanban(id="1")` is a token after a backslash. Use `scan_markdown` for Markdown.
/// Never allocates, except for an id with escapes in it; linear in the length of the text.
///
/// ```
/// let mut found = mention_uri::scan(r#"ask me@home(id="x"), not @kanban(id="KAN-12")"#);
/// let first = found.next().unwrap();
/// assert_eq!(first.source(), r#"@kanban(id="KAN-12")"#);
/// assert_eq!(first.span(), 25..45);
/// assert!(found.next().is_none());
/// ```
pub fn scan(text: &str) -> Scan<'_> {
    Scan::new(text, None)
}

/// Finds tokens and, when the options say so, bare URIs in a text that is not Markdown.
pub fn scan_with<'a>(text: &'a str, options: &'a ScanOptions) -> Scan<'a> {
    Scan::new(text, Some(options))
}

/// The findings in a raw text; see [`scan`].
#[derive(Debug)]
pub struct Scan<'a> {
    prose: Prose<'a>,
    whole: Chunk,
    from: usize,
    tokens_only: bool,
}

impl<'a> Scan<'a> {
    fn new(text: &'a str, options: Option<&'a ScanOptions>) -> Self {
        let whole = Chunk { start: 0, end: text.len(), before: Before::NOTHING, escaped: false };
        Self {
            prose: Prose::new(text, options),
            whole,
            from: 0,
            tokens_only: !options.is_some_and(|options| options.bare_uris),
        }
    }
}

impl<'a> Iterator for Scan<'a> {
    type Item = Found<'a>;

    #[inline]
    fn next(&mut self) -> Option<Found<'a>> {
        if self.tokens_only {
            let (range, token) = self.prose.next_token(self.whole, self.from)?;
            self.from = range.end;
            return Some(self.prose.found(range, Item::Token(token), Form::Token, false));
        }
        self.next_of_all()
    }
}

impl<'a> Scan<'a> {
    fn next_of_all(&mut self) -> Option<Found<'a>> {
        loop {
            let candidate = self.prose.candidate(self.whole, self.from)?;
            let (range, item, form) = match candidate.kind {
                Kind::Token(token) => (candidate.start..candidate.end, Item::Token(token), Form::Token),
                Kind::Bare => {
                    let Some((range, item)) = self.prose.bare(candidate.start, candidate.end) else {
                        self.from = candidate.start + 1;
                        continue;
                    };
                    (range, item, Form::Bare)
                }
            };
            self.from = range.end;
            self.prose.address_ends(range.end);
            return Some(self.prose.found(range, item, form, false));
        }
    }
}

impl FusedIterator for Scan<'_> {}
