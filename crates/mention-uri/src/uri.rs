//! Mention URIs: `mention://<provider>/<entity>[?<scope>]`.

use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::str::FromStr;

use crate::error::{UriError, UriErrorKind};
use crate::limits;
use crate::parse;
use crate::percent::{encode, encoded_len, is_plain};
use crate::text::fit_for_display;
use crate::token::MentionToken;

/// How every mention URI begins.
pub(crate) const SCHEME: &str = "mention://";

/// Scope keys that say how a mention looks, not what it is.
const PRESENTATION_KEYS: [&str; 6] =
    ["agentIconUrl", "count", "icon", "iconUrl", "thumbnailUrl", "userAvatarPlaceholderUrl"];

/// A thing of a provider, with an optional scope: `mention://<provider>/<entity>[?<scope>]`.
///
/// Valid by construction. Two mention URIs are equal when they are the same mention, however they were written;
/// [`as_str`](Self::as_str) and `Display` give the one canonical spelling, and order and hash are those of that text.
///
/// ```
/// use mention_uri::MentionUri;
///
/// let uri = MentionUri::parse("MENTION://docs/c++?q=a+b")?;
/// assert_eq!((uri.provider(), uri.entity(), uri.scope_value("q")), ("docs", "c++", Some("a b")));
/// assert_eq!(uri.as_str(), "mention://docs/c%2B%2B?q=a%20b");
/// # Ok::<(), mention_uri::UriError>(())
/// ```
#[derive(Clone)]
pub struct MentionUri {
    canonical: String,
    /// The decoded parts one after the other, where any of them is not written as it is. Else `None`, and the parts are
    /// those of the canonical text.
    decoded: Option<String>,
    provider_end: usize,
    entity: Part,
    /// In byte order of the keys, each key once.
    scope: Vec<Pair>,
}

/// Where a part stands in the text that holds the decoded parts. These texts are far shorter than 64 KiB.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Part {
    start: u16,
    end: u16,
}

impl Part {
    pub(crate) fn new(start: usize, end: usize) -> Self {
        Self { start: narrow(start), end: narrow(end) }
    }

    pub(crate) fn is_empty(self) -> bool {
        self.start == self.end
    }

    pub(crate) fn of(self, text: &str) -> &str {
        text.get(usize::from(self.start)..usize::from(self.end)).unwrap_or_default()
    }
}

/// An offset in a text that is no longer than its written or canonical form can get while it is read: three times
/// [`limits::URI_BYTES`].
pub(crate) fn narrow(offset: usize) -> u16 {
    u16::try_from(offset).unwrap_or(u16::MAX)
}

const _: () = assert!(3 * limits::URI_BYTES < u16::MAX as usize);

/// One pair of a scope.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Pair {
    pub(crate) key: Part,
    pub(crate) value: Part,
    /// While reading: where the canonical form of the pair stands.
    pub(crate) written: Part,
    /// While reading: where the pair was written, which tells the first of two from the second.
    pub(crate) order: u16,
}

impl MentionUri {
    /// Reads a whole text as a mention URI. ASCII white space around it is dropped.
    ///
    /// # Errors
    ///
    /// [`UriErrorKind::NotAMention`] for text that is no mention URI at all, another kind for a malformed one. The offset
    /// is where the fault begins in `text`; for an id, key or value that is too long or blank it is where that begins; there is
    /// none where only the canonical form is too long.
    pub fn parse(text: &str) -> Result<Self, UriError> {
        parse::mention(text).map_err(|error| error.found_in(text))
    }

    /// The mention of that provider and (decoded) entity, without a scope.
    ///
    /// # Errors
    ///
    /// As for [`parse`](Self::parse), without offsets.
    pub fn new(provider: &str, entity: impl AsRef<str>) -> Result<Self, UriError> {
        let entity = entity.as_ref();
        parse::check_provider(provider, 0).map_err(UriError::without_offset)?;
        if entity.is_empty() {
            return Err(UriError::new(UriErrorKind::MissingEntity));
        }
        parse::check_id(entity, None)?;
        Self::build(provider, entity, &[])
    }

    /// Adds a (decoded) scope pair. A value of white space only is the same as none and adds nothing.
    ///
    /// # Errors
    ///
    /// For a key that is there already, blank, reserved or too long, a value that is too long, or a whole that is.
    pub fn with(self, key: &str, value: &str) -> Result<Self, UriError> {
        parse::check_key(key, None)?;
        let Err(place) = self.find(key) else { return Err(UriError::new(UriErrorKind::DuplicateScopeKey)) };
        parse::check_value(value, None)?;
        if value.trim().is_empty() {
            return Ok(self);
        }
        if self.scope.len() == limits::SCOPE_PAIRS {
            return Err(UriError::new(UriErrorKind::TooManyScopeKeys));
        }
        let mut pairs: Vec<_> = self.scope().collect();
        pairs.insert(place, (key, value));
        Self::build(self.provider(), self.entity(), &pairs)
    }

    /// The same mention without that scope key.
    #[must_use]
    pub fn without(self, key: &str) -> Self {
        if self.find(key).is_err() { self } else { self.keep(|other, _| other != key) }
    }

    /// From checked parts, the pairs in byte order of the keys.
    pub(crate) fn build(provider: &str, entity: &str, pairs: &[(&str, &str)]) -> Result<Self, UriError> {
        let long = pairs.iter().map(|(key, value)| encoded_len(key) + encoded_len(value) + 2).sum::<usize>();
        let length = SCHEME.len() + provider.len() + 1 + encoded_len(entity) + long;
        if length > limits::URI_BYTES {
            return Err(UriError::new(UriErrorKind::TooLong));
        }
        Ok(Self::write(provider, entity, pairs, length))
    }

    /// Writes the canonical form, `length` bytes long.
    fn write(provider: &str, entity: &str, pairs: &[(&str, &str)], length: usize) -> Self {
        let mut canonical = String::with_capacity(length);
        canonical.push_str(SCHEME);
        canonical.push_str(provider);
        let provider_end = canonical.len();
        canonical.push('/');
        let plain = |text: &str| text.bytes().all(is_plain);
        let as_written = plain(entity) && pairs.iter().all(|(key, value)| plain(key) && plain(value));
        let decoded_length = || entity.len() + pairs.iter().map(|(key, value)| key.len() + value.len()).sum::<usize>();
        let mut decoded = if as_written { None } else { Some(String::with_capacity(decoded_length())) };
        let mut put = |part: &str, canonical: &mut String| match &mut decoded {
            Some(decoded) => {
                encode(part, canonical);
                push_part(part, decoded)
            }
            None => push_part(part, canonical),
        };
        let entity = put(entity, &mut canonical);
        let mut scope = Vec::with_capacity(pairs.len());
        for (key, value) in pairs {
            canonical.push(if scope.is_empty() { '?' } else { '&' });
            let key = put(key, &mut canonical);
            canonical.push('=');
            let value = put(value, &mut canonical);
            scope.push(Pair { key, value, ..Pair::default() });
        }
        Self { canonical, decoded, provider_end, entity, scope }
    }

    /// From a text that is canonical already, or is but for the order of its pairs.
    pub(crate) fn from_plain(text: &str, provider_end: usize, entity: Part, scope: Vec<Pair>, in_order: bool) -> Self {
        if in_order {
            let mut canonical = String::with_capacity(text.len());
            canonical.push_str(SCHEME);
            canonical.push_str(text.get(SCHEME.len()..).unwrap_or_default());
            return Self { canonical, decoded: None, provider_end, entity, scope };
        }
        let provider = text.get(SCHEME.len()..provider_end).unwrap_or_default();
        let pairs: Vec<_> = scope.iter().map(|pair| (pair.key.of(text), pair.value.of(text))).collect();
        Self::write(provider, entity.of(text), &pairs, text.len())
    }

    /// From a canonical text and the decoded parts it was written from.
    pub(crate) fn from_parts(
        canonical: String,
        decoded: String,
        provider_end: usize,
        entity: Part,
        scope: Vec<Pair>,
    ) -> Self {
        Self { canonical, decoded: Some(decoded), provider_end, entity, scope }
    }

    /// The text that holds the decoded parts.
    fn parts(&self) -> &str {
        self.decoded.as_deref().unwrap_or(&self.canonical)
    }

    /// Where a key is among the pairs, or where it would be.
    fn find(&self, key: &str) -> Result<usize, usize> {
        let parts = self.parts();
        self.scope.binary_search_by(|pair| pair.key.of(parts).cmp(key))
    }

    /// The provider's name.
    pub fn provider(&self) -> &str {
        self.canonical.get(SCHEME.len()..self.provider_end).unwrap_or_default()
    }

    /// The decoded id of the thing; opaque.
    pub fn entity(&self) -> &str {
        self.entity.of(self.parts())
    }

    /// The scope's pairs, decoded, in byte order of the keys.
    pub fn scope(&self) -> impl ExactSizeIterator<Item = (&str, &str)> + DoubleEndedIterator + Clone {
        let parts = self.parts();
        self.scope.iter().map(move |pair| (pair.key.of(parts), pair.value.of(parts)))
    }

    /// The decoded value of a scope key.
    pub fn scope_value(&self, key: &str) -> Option<&str> {
        let at = self.find(key).ok()?;
        self.scope.get(at).map(|pair| pair.value.of(self.parts()))
    }

    /// Whether there is any scope pair.
    pub fn has_scope(&self) -> bool {
        !self.scope.is_empty()
    }

    /// The canonical spelling.
    pub fn as_str(&self) -> &str {
        &self.canonical
    }

    /// The mention as an agent should see it: without presentation keys (`count`, `icon`, `iconUrl`, `agentIconUrl`,
    /// `thumbnailUrl`, `userAvatarPlaceholderUrl`), and without `data:` and `blob:` values.
    #[must_use]
    pub fn for_agent(&self) -> Self {
        self.keep(|key, value| !is_presentation_key(key) && !is_inline_data(value))
    }

    /// What decides whether two mentions are the same: everything but presentation keys.
    #[must_use]
    pub fn identity(&self) -> Self {
        self.keep(|key, _| !is_presentation_key(key))
    }

    fn keep(&self, wanted: impl Fn(&str, &str) -> bool) -> Self {
        let pairs: Vec<_> = self.scope().filter(|(key, value)| wanted(key, value)).collect();
        if pairs.len() == self.scope.len() {
            return self.clone();
        }
        Self::write(self.provider(), self.entity(), &pairs, self.canonical.len())
    }

    /// A label for where none was written: the id on one line, without characters that can't be seen. An id of nothing else is
    /// shown percent-encoded.
    pub fn fallback_label(&self) -> String {
        fit_for_display(self.entity())
    }
}

fn push_part(part: &str, text: &mut String) -> Part {
    let start = text.len();
    text.push_str(part);
    Part::new(start, text.len())
}

fn is_presentation_key(key: &str) -> bool {
    PRESENTATION_KEYS.contains(&key)
}

fn is_inline_data(value: &str) -> bool {
    let value = value.trim_start();
    ["data:", "blob:"]
        .iter()
        .any(|scheme| value.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)))
}

impl FromStr for MentionUri {
    type Err = UriError;

    fn from_str(text: &str) -> Result<Self, UriError> {
        Self::parse(text)
    }
}

impl From<&MentionToken> for MentionUri {
    /// The name is the provider, the id the entity.
    fn from(token: &MentionToken) -> Self {
        // A name is a provider, and the longest id of a token fits into a URI.
        Self::write(token.name(), token.id(), &[], SCHEME.len() + token.name().len() + 1 + encoded_len(token.id()))
    }
}

impl From<MentionToken> for MentionUri {
    fn from(token: MentionToken) -> Self {
        Self::from(&token)
    }
}

impl fmt::Display for MentionUri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.canonical)
    }
}

impl fmt::Debug for MentionUri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("MentionUri").field(&self.canonical).finish()
    }
}

impl AsRef<str> for MentionUri {
    fn as_ref(&self) -> &str {
        &self.canonical
    }
}

impl PartialEq for MentionUri {
    fn eq(&self, other: &Self) -> bool {
        self.canonical == other.canonical
    }
}

impl Eq for MentionUri {}

impl PartialOrd for MentionUri {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for MentionUri {
    fn cmp(&self, other: &Self) -> Ordering {
        self.canonical.cmp(&other.canonical)
    }
}

impl Hash for MentionUri {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.canonical.hash(state);
    }
}
