//! From a text to the Markdown parser: the options, the check whether parsing is worth it, and the two things for which the parser is
//! given a copy instead of the text.

use alloc::string::String;

use memchr::{memchr_iter, memchr3_iter, memmem};
use pulldown_cmark::{OffsetIter, Options, Parser};

use crate::found::ScanOptions;
use crate::token;

/// CommonMark with GitHub's tables, strikethrough and task lists.
pub(crate) const OPTIONS: Options =
    Options::ENABLE_TABLES.union(Options::ENABLE_STRIKETHROUGH).union(Options::ENABLE_TASKLISTS);

/// Whether a text can hold any finding; one pass that finds nothing in most texts.
pub(crate) fn may_hold(text: &str, options: &ScanOptions) -> bool {
    let bytes = text.as_bytes();
    let byte = |at: usize| bytes.get(at).copied();
    let candidate = memchr3_iter(b'@', b']', b'<', bytes).any(|at| match byte(at) {
        Some(b'@') => token::head(text, at).is_some(),
        Some(b']') => match byte(at + 1) {
            Some(b'(') => true,
            Some(b':') => options.reference_links,
            _ => false,
        },
        _ => byte(at + 1).is_some_and(|next| next.is_ascii_alphabetic()),
    });
    candidate || (options.bare_uris && memmem::find(bytes, b"://").is_some())
}

/// What the parser reads.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "it lives on the stack for a moment")]
pub(crate) enum Prepared<'a> {
    /// The text itself.
    AsIs(OffsetIter<'a>),
    /// A copy of it.
    Copy(Copy),
}

/// A copy of a text of the same layout, behind a number of bytes that are not the text's.
#[derive(Debug)]
pub(crate) struct Copy {
    text: String,
    shift: usize,
}

impl Copy {
    /// How many bytes stand before the text.
    pub(crate) fn shift(&self) -> usize {
        self.shift
    }

    /// The copy of the text, without what stands before it.
    pub(crate) fn text(&self) -> &str {
        self.text.get(self.shift..).unwrap_or_default()
    }

    pub(crate) fn events(&self) -> OffsetIter<'_> {
        Parser::new_ext(&self.text, OPTIONS).into_offset_iter()
    }
}

impl<'a> Prepared<'a> {
    pub(crate) fn new(text: &'a str, reference_links: bool) -> Self {
        let lone_cr = memchr_iter(b'\r', text.as_bytes()).any(|at| text.as_bytes().get(at + 1) != Some(&b'\n'));
        let parser = if lone_cr { None } else { Some(Parser::new_ext(text, OPTIONS)) };
        // A definition needs the two characters.
        let may_define = !reference_links && memmem::find(text.as_bytes(), b"]:").is_some();
        let defines =
            may_define && parser.as_ref().is_none_or(|parser| parser.reference_definitions().iter().next().is_some());
        match parser {
            Some(parser) if !defines => Self::AsIs(parser.into_offset_iter()),
            _ => {
                let mut copy = if defines { spent_references(text.len()) } else { String::new() };
                let shift = copy.len();
                if lone_cr {
                    let mut rest = text;
                    while let Some(at) = memchr::memchr(b'\r', rest.as_bytes()) {
                        let (line, after) = rest.split_at(at);
                        let after = after.get(1..).unwrap_or_default();
                        copy.push_str(line);
                        copy.push(if after.starts_with('\n') { '\r' } else { '\n' });
                        rest = after;
                    }
                    copy.push_str(rest);
                } else {
                    copy.push_str(text);
                }
                Self::Copy(Copy { text: copy, shift })
            }
        }
    }
}

/// A piece of Markdown after which the parser takes no bracket for a reference any more, so that `[a]` is text wherever definitions stand,
/// while the definitions themselves stay what they are.
///
/// The parser expands references only up to a total length of destinations and titles, the greater of the text's length and 100,000 bytes;
/// after that it treats every further one as undefined. So the piece defines a long destination and refers to it until that is spent.
/// It ends with a thematic break: the text after it starts afresh.
fn spent_references(length: usize) -> String {
    const BUDGET: usize = 100_000;
    const REFERENCE: &str = "[.]\n";
    let destination = 1024 + length / 64;
    let mut piece = String::new();
    piece.push_str("[.]: ");
    for _ in 0..destination {
        piece.push('x');
    }
    piece.push_str("\n\n");
    let mut spent = 0;
    // The budget grows with the piece itself: by less than what each reference spends.
    while spent <= (length + piece.len() + REFERENCE.len() + 8).max(BUDGET) {
        piece.push_str(REFERENCE);
        spent += destination;
    }
    piece.push_str("***\n");
    piece
}

#[cfg(test)]
mod tests {
    use super::*;
    use pulldown_cmark::{Event, Tag};

    fn links(text: &str) -> usize {
        let Prepared::Copy(copy) = Prepared::new(text, false) else { panic!("no definition seen in {text:?}") };
        copy.events()
            .filter(|(event, range)| {
                range.start >= copy.shift() && matches!(event, Event::Start(Tag::Link { .. } | Tag::Image { .. }))
            })
            .count()
    }

    #[test]
    fn no_reference_is_resolved_whatever_is_defined() {
        assert_eq!(links("[a]: x\n\n[a] [b][a] [a][] ![a]"), 0);
        assert_eq!(links("[a]: x\n[a]: y\n[A]: z\n[.]: w\n\n[a] [.]"), 0);
        assert_eq!(links("[x [a] y](z)\n\n[a]: b"), 1);
        let long = "[a]: <>\n\n".to_owned() + &"[a] ".repeat(100_000);
        assert_eq!(links(&long), 0);
        let long = "word ".repeat(100_000) + "[a]\n\n[a]: b";
        assert_eq!(links(&long), 0);
    }
}
