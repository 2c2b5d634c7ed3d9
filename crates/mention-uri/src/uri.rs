//! Mention URIs: `mention://<provider>/<entity>[?<scope>]`.

use alloc::borrow::{Cow, ToOwned as _};
use alloc::collections::BTreeMap;
use alloc::string::String;
use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::str::FromStr;

use crate::error::{UriError, UriErrorKind};
use crate::limits;
use crate::percent::{Plus, check_raw, decode, encode};
use crate::text::{is_bidi_control, is_tag_character, is_zero_width};
use crate::token::MentionToken;

/// How every mention URI begins.
pub(crate) const SCHEME: &str = "mention://";

/// Scope keys that say how a mention looks, not what it is.
const PRESENTATION_KEYS: [&str; 6] =
    ["agentIconUrl", "count", "icon", "iconUrl", "thumbnailUrl", "userAvatarPlaceholderUrl"];

/// A thing of a provider, with an optional scope: `mention://<provider>/<entity>[?<scope>]`.
///
/// Valid by construction. Two mention URIs are equal when they are the same mention, however they were written;
/// [`as_str`](Self::as_str) and `Display` give the one canonical spelling.
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
    provider_end: usize,
    entity: String,
    scope: BTreeMap<String, String>,
}

impl MentionUri {
    /// Reads a whole text as a mention URI. ASCII white space around it is dropped.
    ///
    /// # Errors
    ///
    /// [`UriErrorKind::NotAMention`] for text that is no mention URI at all, another kind for a malformed one.
    pub fn parse(text: &str) -> Result<Self, UriError> {
        let trimmed = text.trim_ascii_start();
        let start = text.len() - trimmed.len();
        let written = trimmed.trim_ascii_end();
        let rest = match written.split_at_checked(SCHEME.len()) {
            Some((scheme, rest)) if scheme.eq_ignore_ascii_case(SCHEME) => rest,
            _ => return Err(UriError::at(UriErrorKind::NotAMention, start)),
        };
        if written.len() > limits::URI_BYTES {
            return Err(UriError::at(UriErrorKind::TooLong, start + limits::URI_BYTES));
        }
        check_raw(written, start)?;
        let at = start + SCHEME.len();
        if let Some(hash) = rest.find('#') {
            return Err(UriError::at(UriErrorKind::FragmentNotAllowed, at + hash));
        }
        let (path, query) = match rest.split_once('?') {
            Some((path, query)) => (path, Some(query)),
            None => (rest, None),
        };
        let (provider, entity) = match path.split_once('/') {
            Some((provider, entity)) => (provider, Some(entity)),
            None => (path, None),
        };
        check_provider(provider, at)?;
        let entity_at = at + provider.len() + 1;
        let Some(entity) = entity.filter(|entity| !entity.is_empty()) else {
            return Err(UriError::at(UriErrorKind::MissingEntity, at + path.len()));
        };
        if let Some(slash) = entity.find('/') {
            return Err(UriError::at(UriErrorKind::ExtraPath, entity_at + slash));
        }
        let entity = decode(entity, Plus::Plus, entity_at)?;
        check_id(&entity, Some(entity_at))?;
        let scope = match query {
            Some(query) => parse_scope(query, at + path.len() + 1)?,
            None => BTreeMap::new(),
        };
        Self::assemble(provider, entity.into_owned(), scope)
    }

    /// The mention of that provider and (decoded) entity, without a scope.
    ///
    /// # Errors
    ///
    /// As for [`parse`](Self::parse), without offsets.
    pub fn new(provider: &str, entity: impl Into<String>) -> Result<Self, UriError> {
        check_provider(provider, 0).map_err(|error| UriError::new(error.kind()))?;
        let entity = entity.into();
        if entity.is_empty() {
            return Err(UriError::new(UriErrorKind::MissingEntity));
        }
        check_id(&entity, None)?;
        Self::assemble(provider, entity, BTreeMap::new())
    }

    /// Adds a (decoded) scope pair. A value of white space only is the same as none and adds nothing.
    ///
    /// # Errors
    ///
    /// For a key that is there already, blank, reserved or too long, a value that is too long, or a whole that is.
    pub fn with(mut self, key: &str, value: &str) -> Result<Self, UriError> {
        check_key(key, None)?;
        if self.scope.contains_key(key) {
            return Err(UriError::new(UriErrorKind::DuplicateScopeKey));
        }
        check_value(value, None)?;
        if !value.trim().is_empty() {
            self.scope.insert(key.to_owned(), value.to_owned());
        }
        if self.scope.len() > limits::SCOPE_PAIRS {
            return Err(UriError::new(UriErrorKind::TooManyScopeKeys));
        }
        self.reassemble()
    }

    /// The same mention without that scope key.
    #[must_use]
    pub fn without(mut self, key: &str) -> Self {
        if self.scope.remove(key).is_some() {
            self.canonical = canonical(self.provider(), &self.entity, &self.scope);
        }
        self
    }

    fn assemble(provider: &str, entity: String, scope: BTreeMap<String, String>) -> Result<Self, UriError> {
        let canonical = canonical(provider, &entity, &scope);
        if canonical.len() > limits::URI_BYTES {
            return Err(UriError::new(UriErrorKind::TooLong));
        }
        Ok(Self { canonical, provider_end: SCHEME.len() + provider.len(), entity, scope })
    }

    fn reassemble(self) -> Result<Self, UriError> {
        let canonical = canonical(self.provider(), &self.entity, &self.scope);
        if canonical.len() > limits::URI_BYTES {
            return Err(UriError::new(UriErrorKind::TooLong));
        }
        Ok(Self { canonical, ..self })
    }

    /// The provider's name.
    pub fn provider(&self) -> &str {
        self.canonical.get(SCHEME.len()..self.provider_end).unwrap_or_default()
    }

    /// The decoded id of the thing; opaque.
    pub fn entity(&self) -> &str {
        &self.entity
    }

    /// The scope's pairs, decoded, in byte order of the keys.
    pub fn scope(&self) -> impl ExactSizeIterator<Item = (&str, &str)> + DoubleEndedIterator {
        self.scope.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// The decoded value of a scope key.
    pub fn scope_value(&self, key: &str) -> Option<&str> {
        self.scope.get(key).map(String::as_str)
    }

    /// Whether there is any scope pair.
    pub fn has_scope(&self) -> bool {
        !self.scope.is_empty()
    }

    /// The canonical spelling.
    pub fn as_str(&self) -> &str {
        &self.canonical
    }

    /// The mention as an agent should see it: without presentation keys, and without `data:` and `blob:` values.
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
        let mut kept = self.clone();
        kept.scope.retain(|key, value| wanted(key, value));
        if kept.scope.len() != self.scope.len() {
            kept.canonical = canonical(kept.provider(), &kept.entity, &kept.scope);
        }
        kept
    }

    /// A label for where none was written: the id on one line, without characters that can't be seen.
    pub fn fallback_label(&self) -> String {
        fit_for_display(&self.entity)
    }
}

/// An id on one line: white space folded, controls, bidi, zero-width and tag characters left out.
pub(crate) fn fit_for_display(id: &str) -> String {
    let mut shown = String::with_capacity(id.len());
    let mut space = false;
    for character in id.chars() {
        if character.is_whitespace() || character.is_control() {
            space = true;
        } else if !is_bidi_control(character) && !is_zero_width(character) && !is_tag_character(character) {
            if space && !shown.is_empty() {
                shown.push(' ');
            }
            space = false;
            shown.push(character);
        }
    }
    shown
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

/// Checks a provider; the offsets are those of the text it stands in at `at`.
fn check_provider(provider: &str, at: usize) -> Result<(), UriError> {
    if provider.is_empty() {
        return Err(UriError::at(UriErrorKind::MissingProvider, at));
    }
    let fault = provider.bytes().enumerate().find(|&(index, byte)| {
        !(byte.is_ascii_lowercase()
            || byte.is_ascii_digit()
            || (index > 0 && matches!(byte, b'-' | b'.' | b'_' | b'~')))
    });
    match fault {
        Some(_) if provider.contains('@') => {
            Err(UriError::at(UriErrorKind::UserinfoNotAllowed, at + provider.find('@').unwrap_or(0)))
        }
        Some(_) if provider.contains(':') => {
            Err(UriError::at(UriErrorKind::PortNotAllowed, at + provider.find(':').unwrap_or(0)))
        }
        Some((index, _)) => Err(UriError::at(UriErrorKind::InvalidProvider, at + index)),
        None if provider.len() > limits::NAME_BYTES => {
            Err(UriError::at(UriErrorKind::InvalidProvider, at + limits::NAME_BYTES))
        }
        None => Ok(()),
    }
}

/// Checks a decoded, non-empty id.
pub(crate) fn check_id(id: &str, offset: Option<usize>) -> Result<(), UriError> {
    if id.trim().is_empty() {
        return Err(fault(UriErrorKind::BlankId, offset));
    }
    if id.len() > limits::ID_CHARS && id.chars().count() > limits::ID_CHARS {
        return Err(fault(UriErrorKind::IdTooLong, offset));
    }
    Ok(())
}

fn fault(kind: UriErrorKind, offset: Option<usize>) -> UriError {
    match offset {
        Some(offset) => UriError::at(kind, offset),
        None => UriError::new(kind),
    }
}

fn check_key(key: &str, offset: Option<usize>) -> Result<(), UriError> {
    if key.trim().is_empty() {
        return Err(fault(UriErrorKind::BlankKey, offset));
    }
    if key.len() > limits::SCOPE_KEY_BYTES {
        return Err(fault(UriErrorKind::ScopeKeyTooLong, offset));
    }
    let reserved = matches!(key, "appId" | "id" | "kind" | "link" | "provider" | "v" | "version");
    if reserved || key.starts_with("meta.") {
        return Err(fault(UriErrorKind::ReservedScopeKey, offset));
    }
    Ok(())
}

fn check_value(value: &str, offset: Option<usize>) -> Result<(), UriError> {
    if value.len() > limits::SCOPE_VALUE_CHARS && value.chars().count() > limits::SCOPE_VALUE_CHARS {
        return Err(fault(UriErrorKind::ScopeValueTooLong, offset));
    }
    Ok(())
}

fn parse_scope(query: &str, at: usize) -> Result<BTreeMap<String, String>, UriError> {
    let mut scope: BTreeMap<String, Cow<'_, str>> = BTreeMap::new();
    let mut offset = at;
    for pair in query.split('&') {
        let pair_at = offset;
        offset += pair.len() + 1;
        if pair.is_empty() {
            continue;
        }
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        let decoded = decode(key, Plus::Space, pair_at)?;
        check_key(&decoded, Some(pair_at))?;
        let value_at = pair_at + key.len() + 1;
        let value = decode(value, Plus::Space, value_at)?;
        check_value(&value, Some(value_at))?;
        if scope.insert(decoded.into_owned(), value).is_some() {
            return Err(UriError::at(UriErrorKind::DuplicateScopeKey, pair_at));
        }
        if scope.len() > limits::SCOPE_PAIRS {
            return Err(UriError::at(UriErrorKind::TooManyScopeKeys, pair_at));
        }
    }
    let present = scope.into_iter().filter(|(_, value)| !value.trim().is_empty());
    Ok(present.map(|(key, value)| (key, value.into_owned())).collect())
}

fn canonical(provider: &str, entity: &str, scope: &BTreeMap<String, String>) -> String {
    let mut text = String::with_capacity(SCHEME.len() + provider.len() + 1 + entity.len() + 16 * scope.len());
    text.push_str(SCHEME);
    text.push_str(provider);
    text.push('/');
    encode(entity, &mut text);
    let mut before = '?';
    for (key, value) in scope {
        text.push(before);
        before = '&';
        encode(key, &mut text);
        text.push('=');
        encode(value, &mut text);
    }
    text
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
        let canonical = canonical(token.name(), token.id(), &BTreeMap::new());
        Self {
            canonical,
            provider_end: SCHEME.len() + token.name().len(),
            entity: token.id().to_owned(),
            scope: BTreeMap::new(),
        }
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
