//! Resource URIs: `<kind>://<id>[#<key>=<value>]`, read against a table of kinds.

use alloc::borrow::ToOwned as _;
use alloc::collections::BTreeMap;
use alloc::string::String;
use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};

use crate::error::{KindsError, KindsErrorKind, UriError, UriErrorKind};
use crate::limits;
use crate::percent::{Plus, check_raw, decode, encode};
use crate::uri::{check_id, fit_for_display};

/// Schemes of the web and the system, which no table may name as kinds.
const RESERVED_KINDS: &[&str] = &[
    "about",
    "blob",
    "chrome",
    "chrome-extension",
    "content",
    "cid",
    "data",
    "dns",
    "file",
    "filesystem",
    "ftp",
    "ftps",
    "git",
    "http",
    "https",
    "intent",
    "irc",
    "jar",
    "javascript",
    "ldap",
    "ldaps",
    "livescript",
    "mailto",
    "mention",
    "mhtml",
    "mid",
    "mocha",
    "moz-extension",
    "nfs",
    "resource",
    "rtsp",
    "sftp",
    "sip",
    "sips",
    "smb",
    "sms",
    "ssh",
    "tel",
    "telnet",
    "urn",
    "vbscript",
    "view-source",
    "ws",
    "wss",
    "xmpp",
];

/// What the value of a sub-target looks like. Values are kept as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ValueType {
    /// Any text.
    Id,
    /// Digits, or digits, a point and digits: seconds.
    Seconds,
    /// Digits: a whole number from 0.
    Index,
}

impl ValueType {
    fn accepts(self, value: &str) -> bool {
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        match self {
            Self::Id => true,
            Self::Index => digits(value),
            Self::Seconds => match value.split_once('.') {
                Some((whole, fraction)) => digits(whole) && digits(fraction),
                None => digits(value),
            },
        }
    }
}

/// A part of a resource: one key and its value, decoded.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SubTarget {
    key: String,
    value: String,
}

impl SubTarget {
    /// The key, such as `shot`.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The value, as written.
    pub fn value(&self) -> &str {
        &self.value
    }
}

/// A thing of the application: `storyboard://sb_01#shot=s3`.
///
/// Valid by construction, made by a [`ResourceKinds`] table. `Display` gives the one canonical spelling.
#[derive(Clone)]
pub struct ResourceUri {
    canonical: String,
    kind_end: usize,
    id: String,
    sub_target: Option<SubTarget>,
}

impl ResourceUri {
    fn assemble(kind: &str, id: String, sub_target: Option<SubTarget>) -> Result<Self, UriError> {
        let mut canonical = String::with_capacity(kind.len() + 3 + id.len());
        canonical.push_str(kind);
        canonical.push_str("://");
        encode(&id, &mut canonical);
        if let Some(target) = &sub_target {
            canonical.push('#');
            encode(&target.key, &mut canonical);
            canonical.push('=');
            encode(&target.value, &mut canonical);
        }
        if canonical.len() > limits::URI_BYTES {
            return Err(UriError::new(UriErrorKind::TooLong));
        }
        Ok(Self { canonical, kind_end: kind.len(), id, sub_target })
    }

    /// The kind, in lower case.
    pub fn kind(&self) -> &str {
        self.canonical.get(..self.kind_end).unwrap_or_default()
    }

    /// The decoded id; opaque.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The part that is meant, if any.
    pub fn sub_target(&self) -> Option<&SubTarget> {
        self.sub_target.as_ref()
    }

    /// The same resource as a whole.
    #[must_use]
    pub fn without_sub_target(&self) -> Self {
        let canonical = self.canonical.split('#').next().unwrap_or_default().to_owned();
        Self { canonical, kind_end: self.kind_end, id: self.id.clone(), sub_target: None }
    }

    /// The canonical spelling.
    pub fn as_str(&self) -> &str {
        &self.canonical
    }

    /// A label for where none was written: the id on one line, without characters that can't be seen.
    pub fn fallback_label(&self) -> String {
        fit_for_display(&self.id)
    }
}

impl fmt::Display for ResourceUri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.canonical)
    }
}

impl fmt::Debug for ResourceUri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ResourceUri").field(&self.canonical).finish()
    }
}

impl AsRef<str> for ResourceUri {
    fn as_ref(&self) -> &str {
        &self.canonical
    }
}

impl PartialEq for ResourceUri {
    fn eq(&self, other: &Self) -> bool {
        self.canonical == other.canonical
    }
}

impl Eq for ResourceUri {}

impl PartialOrd for ResourceUri {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ResourceUri {
    fn cmp(&self, other: &Self) -> Ordering {
        self.canonical.cmp(&other.canonical)
    }
}

impl Hash for ResourceUri {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.canonical.hash(state);
    }
}

/// Which kinds of resources exist, and which parts of them can be meant.
///
/// ```
/// use mention_uri::{ResourceKinds, ValueType};
///
/// let kinds = ResourceKinds::builder().kind("note").sub_target("note", "line", ValueType::Index).build()?;
/// assert_eq!(kinds.parse("NOTE://n1#line=3")?.as_str(), "note://n1#line=3");
/// assert_eq!(kinds.parse("note://n1#line=x").unwrap_err().code(), "invalid_sub_target");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResourceKinds {
    kinds: BTreeMap<String, BTreeMap<String, ValueType>>,
    legacy: Option<String>,
}

/// Builds a [`ResourceKinds`] table.
#[derive(Clone, Debug, Default)]
pub struct ResourceKindsBuilder {
    table: ResourceKinds,
    fault: Option<KindsErrorKind>,
}

impl ResourceKindsBuilder {
    /// Adds a kind.
    #[must_use]
    pub fn kind(mut self, kind: &str) -> Self {
        match check_kind(kind) {
            Err(fault) => self.note(fault),
            Ok(()) if self.table.kinds.contains_key(kind) => self.note(KindsErrorKind::DuplicateKind),
            Ok(()) => {
                self.table.kinds.insert(kind.to_owned(), BTreeMap::new());
            }
        }
        self
    }

    /// Adds a part that can be meant of a kind given before.
    #[must_use]
    pub fn sub_target(mut self, kind: &str, key: &str, value: ValueType) -> Self {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
        if key.is_empty() || !key.bytes().all(plain) {
            self.note(KindsErrorKind::InvalidKey);
            return self;
        }
        match self.table.kinds.get_mut(kind) {
            None => self.note(KindsErrorKind::UnknownKind),
            Some(keys) => {
                if keys.insert(key.to_owned(), value).is_some() {
                    self.note(KindsErrorKind::DuplicateKey);
                }
            }
        }
        self
    }

    /// Names a scheme under which the long form `<legacy>://<kind>/<id>` is still read; nothing writes it.
    #[must_use]
    pub fn legacy(mut self, scheme: &str) -> Self {
        match check_kind(scheme) {
            Err(fault) => self.note(fault),
            Ok(()) => self.table.legacy = Some(scheme.to_owned()),
        }
        self
    }

    /// Ends the table.
    ///
    /// # Errors
    ///
    /// The first thing that was wrong.
    pub fn build(self) -> Result<ResourceKinds, KindsError> {
        let clash = self.table.legacy.as_ref().is_some_and(|legacy| self.table.kinds.contains_key(legacy));
        match self.fault.or(clash.then_some(KindsErrorKind::DuplicateKind)) {
            Some(fault) => Err(KindsError::new(fault)),
            None => Ok(self.table),
        }
    }

    fn note(&mut self, fault: KindsErrorKind) {
        self.fault.get_or_insert(fault);
    }
}

fn check_kind(kind: &str) -> Result<(), KindsErrorKind> {
    let rest = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.');
    let valid = kind.len() <= limits::NAME_BYTES
        && kind.starts_with(|first: char| first.is_ascii_lowercase())
        && kind.bytes().all(rest);
    if !valid {
        return Err(KindsErrorKind::InvalidKind);
    }
    if RESERVED_KINDS.contains(&kind) { Err(KindsErrorKind::ReservedKind) } else { Ok(()) }
}

impl ResourceKinds {
    /// A table to be filled.
    pub fn builder() -> ResourceKindsBuilder {
        ResourceKindsBuilder::default()
    }

    /// A table without kinds.
    pub const fn none() -> Self {
        Self { kinds: BTreeMap::new(), legacy: None }
    }

    /// The ten kinds of a media studio with their sub-targets, and the legacy scheme `nodetool`.
    pub fn studio() -> Self {
        let keys = |keys: &[(&str, ValueType)]| keys.iter().map(|(key, value)| ((*key).to_owned(), *value)).collect();
        let kinds = [
            ("asset", keys(&[])),
            ("workflow", keys(&[("node", ValueType::Id)])),
            ("timeline", keys(&[("clip", ValueType::Id), ("t", ValueType::Seconds)])),
            ("storyboard", keys(&[("shot", ValueType::Id)])),
            ("sketch", keys(&[("layer", ValueType::Id)])),
            ("script", keys(&[("scene", ValueType::Index)])),
            ("app", keys(&[("component", ValueType::Id)])),
            ("model3d", keys(&[])),
            ("collection", keys(&[])),
            ("thread", keys(&[])),
        ];
        Self {
            kinds: kinds.into_iter().map(|(kind, keys)| (kind.to_owned(), keys)).collect(),
            legacy: Some("nodetool".to_owned()),
        }
    }

    /// Whether there is no kind at all.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// The kinds by name, each with its sub-target keys and their value types.
    pub fn kinds(&self) -> impl ExactSizeIterator<Item = (&str, impl Iterator<Item = (&str, ValueType)>)> {
        self.kinds.iter().map(|(kind, keys)| (kind.as_str(), keys.iter().map(|(key, value)| (key.as_str(), *value))))
    }

    /// The scheme of the long form that is still read, if any.
    pub fn legacy(&self) -> Option<&str> {
        self.legacy.as_deref()
    }

    /// Whether the table names this kind, in any case.
    pub fn contains_kind(&self, kind: &str) -> bool {
        self.find(kind).is_some()
    }

    /// Whether the table names this scheme as a kind or as the legacy scheme, in any case.
    pub(crate) fn contains_scheme(&self, scheme: &str) -> bool {
        self.contains_kind(scheme) || self.is_legacy(scheme)
    }

    fn is_legacy(&self, scheme: &str) -> bool {
        self.legacy.as_ref().is_some_and(|legacy| legacy.eq_ignore_ascii_case(scheme))
    }

    fn find(&self, kind: &str) -> Option<(&str, &BTreeMap<String, ValueType>)> {
        if kind.len() > limits::NAME_BYTES {
            return None;
        }
        let found = match self.kinds.get_key_value(kind) {
            Some(found) => found,
            None => self.kinds.get_key_value(kind.to_ascii_lowercase().as_str())?,
        };
        Some((found.0.as_str(), found.1))
    }

    /// Whether kind and sub-target key are both in the table. An unknown key is kept when reading, so that an older reader
    /// still opens the document.
    pub fn knows(&self, uri: &ResourceUri) -> bool {
        self.find(uri.kind())
            .is_some_and(|(_, keys)| uri.sub_target().is_none_or(|target| keys.contains_key(target.key())))
    }

    /// Reads a whole text as a resource URI. ASCII white space around it is dropped.
    ///
    /// # Errors
    ///
    /// [`UriErrorKind::NotAResource`] for text without a scheme, [`UriErrorKind::UnknownKind`] for one that the table does
    /// not name, another kind for a malformed one.
    pub fn parse(&self, text: &str) -> Result<ResourceUri, UriError> {
        let trimmed = text.trim_ascii_start();
        let start = text.len() - trimmed.len();
        let written = trimmed.trim_ascii_end();
        let scheme_length =
            written.bytes().take(limits::NAME_BYTES + 1).take_while(|byte| is_scheme_byte(*byte)).count();
        let (scheme, rest) = match written.split_at_checked(scheme_length) {
            Some((scheme, rest)) if !scheme.is_empty() => match rest.strip_prefix("://") {
                Some(rest) => (scheme, rest),
                None => return Err(UriError::at(UriErrorKind::NotAResource, start)),
            },
            _ => return Err(UriError::at(UriErrorKind::NotAResource, start)),
        };
        let mut at = start + scheme.len() + 3;
        let (kind, keys, rest) = if self.is_legacy(scheme) {
            let length = rest.bytes().take_while(|byte| is_scheme_byte(*byte)).count();
            let (kind, id) = rest.split_at_checked(length).unwrap_or((rest, ""));
            let (kind, keys) = self.find(kind).ok_or(UriError::at(UriErrorKind::UnknownKind, at))?;
            let Some(id) = id.strip_prefix('/') else {
                return Err(UriError::at(UriErrorKind::MissingId, at + length));
            };
            at += length + 1;
            (kind, keys, id)
        } else {
            let (kind, keys) = self.find(scheme).ok_or(UriError::at(UriErrorKind::UnknownKind, start))?;
            (kind, keys, rest)
        };
        if written.len() > limits::URI_BYTES {
            return Err(UriError::at(UriErrorKind::TooLong, start + limits::URI_BYTES));
        }
        check_raw(written, start)?;
        let (id, fragment) = match rest.split_once('#') {
            Some((id, fragment)) => (id, Some(fragment)),
            None => (rest, None),
        };
        if let Some(query) = id.find('?') {
            return Err(UriError::at(UriErrorKind::QueryNotAllowed, at + query));
        }
        if id.is_empty() {
            return Err(UriError::at(UriErrorKind::MissingId, at));
        }
        if let Some(slash) = id.find('/') {
            return Err(UriError::at(UriErrorKind::ExtraPath, at + slash));
        }
        let decoded = decode(id, Plus::Plus, at)?;
        check_id(&decoded, Some(at))?;
        let sub_target = match fragment {
            Some(fragment) => Some(parse_fragment(fragment, keys, at + id.len() + 1)?),
            None => None,
        };
        ResourceUri::assemble(kind, decoded.into_owned(), sub_target)
    }

    /// The resource of that kind and (decoded) id.
    ///
    /// # Errors
    ///
    /// As for [`parse`](Self::parse), without offsets.
    pub fn resource(&self, kind: &str, id: impl Into<String>) -> Result<ResourceUri, UriError> {
        let (kind, _) = self.find(kind).ok_or(UriError::new(UriErrorKind::UnknownKind))?;
        let id = id.into();
        if id.is_empty() {
            return Err(UriError::new(UriErrorKind::MissingId));
        }
        check_id(&id, None)?;
        ResourceUri::assemble(kind, id, None)
    }

    /// A part of the resource of that kind and (decoded) id.
    ///
    /// # Errors
    ///
    /// As for [`parse`](Self::parse), without offsets.
    pub fn resource_at(
        &self,
        kind: &str,
        id: impl Into<String>,
        key: &str,
        value: &str,
    ) -> Result<ResourceUri, UriError> {
        let whole = self.resource(kind, id)?;
        if key.is_empty() || value.is_empty() {
            return Err(UriError::new(UriErrorKind::InvalidFragment));
        }
        let known = self.find(kind).and_then(|(_, keys)| keys.get(key));
        if known.is_some_and(|known| !known.accepts(value)) {
            return Err(UriError::new(UriErrorKind::InvalidSubTarget));
        }
        let target = SubTarget { key: key.to_owned(), value: value.to_owned() };
        ResourceUri::assemble(whole.kind(), whole.id.clone(), Some(target))
    }
}

/// Bytes of a URI scheme behind its first letter.
pub(crate) const fn is_scheme_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')
}

fn parse_fragment(fragment: &str, keys: &BTreeMap<String, ValueType>, at: usize) -> Result<SubTarget, UriError> {
    let invalid = |offset| UriError::at(UriErrorKind::InvalidFragment, at + offset);
    let (key, value) = fragment.split_once('=').ok_or_else(|| invalid(0))?;
    if let Some(second) = key.find(['&', '#']) {
        return Err(invalid(second));
    }
    let value_at = key.len() + 1;
    if let Some(second) = value.find(['=', '&', '#']) {
        return Err(invalid(value_at + second));
    }
    let decoded_key = decode(key, Plus::Plus, at)?;
    let decoded = decode(value, Plus::Plus, at + value_at)?;
    if decoded_key.is_empty() {
        return Err(invalid(0));
    }
    if decoded.is_empty() {
        return Err(invalid(value_at));
    }
    if keys.get(decoded_key.as_ref()).is_some_and(|known| !known.accepts(&decoded)) {
        return Err(UriError::at(UriErrorKind::InvalidSubTarget, at + value_at));
    }
    Ok(SubTarget { key: decoded_key.into_owned(), value: decoded.into_owned() })
}
