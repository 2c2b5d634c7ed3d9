//! What a search gives: the spelling that was found, where it stands, and how it was written.

use alloc::borrow::Cow;
use core::ops::Range;

use crate::kinds::ResourceKinds;
use crate::resource::ResourceUri;
use crate::text::is_invisible;
use crate::token::{MentionToken, Reserved};
use crate::uri::MentionUri;

/// What to look for, beside tokens.
///
/// The defaults are those for rendering a message: mention URIs and tokens, no resource kinds, the reserved names `fn`, `file` and `skill`, and
/// everything that is optional off.
#[derive(Clone, Debug, Default)]
pub struct ScanOptions {
    pub(crate) kinds: ResourceKinds,
    pub(crate) reserved: Reserved,
    pub(crate) reference_links: bool,
    pub(crate) bare_uris: bool,
    pub(crate) malformed: bool,
}

impl ScanOptions {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The resource kinds that count as findings. Default: none.
    #[must_use]
    pub fn kinds(mut self, kinds: ResourceKinds) -> Self {
        self.kinds = kinds;
        self
    }

    /// The names that no token may have. Default: `fn`, `file`, `skill`.
    #[must_use]
    pub fn reserved(mut self, reserved: Reserved) -> Self {
        self.reserved = reserved;
        self
    }

    /// Whether reference-style links (`[label][ref]`, `[ref]`) count. Default: off, they are text then, because the definition that makes
    /// them links may come at the very end. Streams never use them.
    #[must_use]
    pub fn reference_links(mut self, on: bool) -> Self {
        self.reference_links = on;
        self
    }

    /// Whether a URI that stands in the prose by itself counts (`see asset://as_1.`). Default: off; right for what people type and
    /// paste, not for rendering.
    #[must_use]
    pub fn bare_uris(mut self, on: bool) -> Self {
        self.bare_uris = on;
        self
    }

    /// Whether link destinations that are mention or resource URIs but don't parse are reported, as [`Item::Malformed`]. Default: off,
    /// they are text then.
    #[must_use]
    pub fn malformed(mut self, on: bool) -> Self {
        self.malformed = on;
        self
    }
}

/// How a finding is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Form {
    /// `@name(id="…")`
    Token,
    /// `[label](destination)`
    Link,
    /// `<destination>`
    Autolink,
    /// `[label][reference]`, `[reference][]` or `[reference]`
    Reference,
    /// The URI by itself.
    Bare,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Item<'a> {
    /// A mention token.
    Token(FoundToken<'a>),
    /// A mention URI.
    Mention(MentionUri),
    /// A resource URI of a known kind.
    Resource(ResourceUri),
    /// A link whose destination is a mention or resource URI but does not parse; only with [`ScanOptions::malformed`].
    Malformed {
        /// The code of the error that parsing it gives.
        code: &'static str,
    },
}

/// A token as it stands in a text; the id is borrowed where nothing in it had to be decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundToken<'a> {
    name: Cow<'a, str>,
    id: Cow<'a, str>,
}

impl<'a> FoundToken<'a> {
    pub(crate) fn new(name: &'a str, id: Cow<'a, str>) -> Self {
        Self { name: Cow::Borrowed(name), id }
    }

    /// The name after the `@`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The decoded id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The token as a value of its own.
    pub fn to_token(&self) -> MentionToken {
        MentionToken::from_checked(&self.name, &self.id)
    }

    fn into_owned(self) -> FoundToken<'static> {
        FoundToken { name: Cow::Owned(self.name.into_owned()), id: Cow::Owned(self.id.into_owned()) }
    }
}

/// One finding: its place in the text, its source, and what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found<'a> {
    pub(crate) start: usize,
    pub(crate) source: Cow<'a, str>,
    pub(crate) item: Item<'a>,
    pub(crate) label: Option<Cow<'a, str>>,
    pub(crate) form: Form,
    pub(crate) in_quote: bool,
}

impl Found<'_> {
    /// The byte range in the text that was searched; in a stream, in the whole stream.
    pub fn span(&self) -> Range<usize> {
        self.start..self.start + self.source.len()
    }

    /// The exact source, from the `@`, `[`, `<` or scheme to the end.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// How it is written.
    pub fn form(&self) -> Form {
        self.form
    }

    /// The label of a link as exact plain text: escapes, character references, emphasis and the alternative texts of images resolved,
    /// a line break as one space. `None` for what has no label: tokens, autolinks and bare URIs.
    ///
    /// A label is whatever its writer wants it to be. Show it; never decide by it what is meant.
    pub fn label(&self) -> Option<&str> {
        self.label.as_deref()
    }

    /// The label without one leading `@`, for a pill that brings its own.
    pub fn display_label(&self) -> Option<&str> {
        self.label().map(|label| label.strip_prefix('@').unwrap_or(label))
    }

    /// Whether the label has anything to see: a character that is neither white space nor invisible.
    pub fn has_visible_label(&self) -> bool {
        self.label().is_some_and(|label| label.chars().any(|c| !c.is_whitespace() && !is_invisible(c)))
    }

    /// Whether it stands in a block quote. Hosts disagree on whether a quoted mention should notify somebody, so it is told, not decided.
    pub fn in_quote(&self) -> bool {
        self.in_quote
    }

    /// The same, free of the text that was searched.
    pub fn into_owned(self) -> Found<'static> {
        Found {
            start: self.start,
            source: Cow::Owned(self.source.into_owned()),
            item: match self.item {
                Item::Token(token) => Item::Token(token.into_owned()),
                Item::Mention(uri) => Item::Mention(uri),
                Item::Resource(uri) => Item::Resource(uri),
                Item::Malformed { code } => Item::Malformed { code },
            },
            label: self.label.map(|label| Cow::Owned(label.into_owned())),
            form: self.form,
            in_quote: self.in_quote,
        }
    }
}

impl<'a> Found<'a> {
    /// What it is.
    pub fn item(&self) -> &Item<'a> {
        &self.item
    }
}

#[cfg(feature = "markdown")]
/// What a link destination is to a search with these options; `None` for an ordinary link.
pub(crate) fn classify(destination: &str, options: &ScanOptions) -> Option<Item<'static>> {
    let failed = match MentionUri::parse(destination) {
        Ok(uri) => return Some(Item::Mention(uri)),
        Err(error) => error.code(),
    };
    if failed != "not_a_mention" {
        return options.malformed.then_some(Item::Malformed { code: failed });
    }
    match options.kinds.parse(destination) {
        Ok(uri) => Some(Item::Resource(uri)),
        Err(error) => match error.code() {
            "not_a_resource" | "unknown_kind" => None,
            code => options.malformed.then_some(Item::Malformed { code }),
        },
    }
}
