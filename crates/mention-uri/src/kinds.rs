//! Tables of resource kinds, and reading resource URIs against them.

use alloc::borrow::ToOwned as _;
use alloc::collections::BTreeMap;
use alloc::string::String;

use crate::error::{KindsError, KindsErrorKind, UriError, UriErrorKind};
use crate::limits;
use crate::parse::check_id;
use crate::percent::{Plus, check_raw, decode};
use crate::resource::{ResourceUri, SubTarget};

/// The sub-target keys of a kind.
type Keys = BTreeMap<String, ValueType>;

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
    kinds: BTreeMap<String, Keys>,
    legacy: Option<String>,
}

/// What the value of a sub-target looks like. Values are kept as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ValueType {
    /// An id: 1 to 512 characters, not only white space.
    Id,
    /// Digits, or digits, a point and digits: seconds.
    Seconds,
    /// Digits: a whole number from 0.
    Index,
}

impl ValueType {
    /// Whether a decoded value is of this type.
    fn accepts(self, value: &str) -> bool {
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        match self {
            Self::Id => check_id(value, None).is_ok(),
            Self::Index => digits(value),
            Self::Seconds => match value.split_once('.') {
                Some((whole, fraction)) => digits(whole) && digits(fraction),
                None => digits(value),
            },
        }
    }
}

/// Builds a [`ResourceKinds`] table.
#[derive(Clone, Debug, Default)]
pub struct ResourceKindsBuilder {
    table: ResourceKinds,
    fault: Option<KindsError>,
}

impl ResourceKindsBuilder {
    /// Adds a kind: a lower-case URI scheme of at most 40 bytes that is none of the web's or the system's.
    #[must_use]
    pub fn kind(mut self, kind: &str) -> Self {
        match check_kind(kind) {
            Err(fault) => self.note(fault, kind),
            Ok(()) if self.table.kinds.contains_key(kind) => self.note(KindsErrorKind::DuplicateKind, kind),
            Ok(()) => {
                self.table.kinds.insert(kind.to_owned(), BTreeMap::new());
            }
        }
        self
    }

    /// Adds a part that can be meant of a kind given before. A key is letters, digits, `-`, `.` and `_`, at most 64 bytes.
    #[must_use]
    pub fn sub_target(mut self, kind: &str, key: &str, value: ValueType) -> Self {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
        if key.is_empty() || key.len() > limits::SCOPE_KEY_BYTES || !key.bytes().all(plain) {
            self.note(KindsErrorKind::InvalidKey, key);
            return self;
        }
        match self.table.kinds.get_mut(kind) {
            None => self.note(KindsErrorKind::UnknownKind, kind),
            Some(keys) => {
                if keys.insert(key.to_owned(), value).is_some() {
                    self.note(KindsErrorKind::DuplicateKey, key);
                }
            }
        }
        self
    }

    /// Names a scheme under which the long form `<legacy>://<kind>/<id>` is still read; nothing writes it. The last one named
    /// counts. Default: none.
    #[must_use]
    pub fn legacy(mut self, scheme: &str) -> Self {
        match check_kind(scheme) {
            Err(fault) => self.note(fault, scheme),
            Ok(()) => self.table.legacy = Some(scheme.to_owned()),
        }
        self
    }

    /// Ends the table.
    ///
    /// # Errors
    ///
    /// The first thing that was wrong, or a legacy scheme that is one of the kinds.
    pub fn build(mut self) -> Result<ResourceKinds, KindsError> {
        if let Some(clash) = self.table.legacy.clone().filter(|legacy| self.table.kinds.contains_key(legacy)) {
            self.note(KindsErrorKind::DuplicateKind, &clash);
        }
        match self.fault {
            Some(fault) => Err(fault),
            None => Ok(self.table),
        }
    }

    fn note(&mut self, fault: KindsErrorKind, found: &str) {
        self.fault.get_or_insert_with(|| KindsError::new(fault, found));
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

    fn find(&self, kind: &str) -> Option<(&str, &Keys)> {
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
        self.find(uri.kind()).is_some_and(|(_, keys)| {
            uri.sub_target()
                .is_none_or(|target| keys.get(target.key()).is_some_and(|known| known.accepts(target.value())))
        })
    }

    /// Reads a whole text as a resource URI. ASCII white space around it is dropped.
    ///
    /// # Errors
    ///
    /// [`UriErrorKind::NotAResource`] for text without a scheme and `://`, [`UriErrorKind::UnknownKind`] for a scheme that the
    /// table does not name, another kind for a malformed resource URI. The offset is where the fault begins in `text`.
    pub fn parse(&self, text: &str) -> Result<ResourceUri, UriError> {
        self.read(text).map_err(|error| error.found_in(text))
    }

    fn read(&self, text: &str) -> Result<ResourceUri, UriError> {
        let trimmed = text.trim_ascii_start();
        let start = text.len() - trimmed.len();
        let written = trimmed.trim_ascii_end();
        let not_a_resource = UriError::at(UriErrorKind::NotAResource, start);
        let (scheme, rest) = split_scheme(written).ok_or(not_a_resource)?;
        let rest = rest.strip_prefix("://").ok_or(not_a_resource)?;
        let mut at = start + scheme.len() + 3;
        let (kind, keys, rest) = if self.is_legacy(scheme) {
            let (kind, id) =
                rest.split_at_checked(rest.find(['/', '#', '?']).unwrap_or(rest.len())).unwrap_or_default();
            let (known, keys) = self.find(kind).ok_or(UriError::at(UriErrorKind::UnknownKind, at))?;
            at += kind.len();
            let id = id.strip_prefix('/').ok_or(UriError::at(UriErrorKind::MissingId, at))?;
            at += 1;
            (known, keys, id)
        } else {
            let (kind, keys) = self.find(scheme).ok_or(UriError::at(UriErrorKind::UnknownKind, start))?;
            (kind, keys, rest)
        };
        if written.len() > limits::URI_BYTES {
            return Err(UriError::at(UriErrorKind::TooLong, start + limits::URI_BYTES));
        }
        check_raw(rest, at)?;
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
        ResourceUri::build(kind, decoded.into_owned(), sub_target)
    }

    /// The resource of that kind and (decoded) id.
    ///
    /// # Errors
    ///
    /// As for [`parse`](Self::parse), without offsets.
    pub fn resource(&self, kind: &str, id: impl AsRef<str>) -> Result<ResourceUri, UriError> {
        let (kind, _) = self.find(kind).ok_or(UriError::new(UriErrorKind::UnknownKind))?;
        ResourceUri::build(kind, given_id(id.as_ref())?, None)
    }

    /// A part of the resource of that kind and (decoded) id.
    ///
    /// # Errors
    ///
    /// As for [`parse`](Self::parse), without offsets.
    pub fn resource_at(
        &self,
        kind: &str,
        id: impl AsRef<str>,
        key: &str,
        value: &str,
    ) -> Result<ResourceUri, UriError> {
        let (kind, keys) = self.find(kind).ok_or(UriError::new(UriErrorKind::UnknownKind))?;
        let id = given_id(id.as_ref())?;
        let target = check_sub_target(key, value, keys, None)?;
        ResourceUri::build(kind, id, Some(target))
    }
}

/// Bytes of a URI scheme behind its first letter.
pub(crate) const fn is_scheme_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')
}

/// The scheme that a text begins with, and what follows it.
fn split_scheme(text: &str) -> Option<(&str, &str)> {
    let length = text.bytes().take_while(|byte| is_scheme_byte(*byte)).count();
    text.split_at_checked(length).filter(|(scheme, _)| scheme.starts_with(|first: char| first.is_ascii_alphabetic()))
}

fn given_id(id: &str) -> Result<String, UriError> {
    if id.is_empty() {
        return Err(UriError::new(UriErrorKind::MissingId));
    }
    check_id(id, None)?;
    Ok(id.to_owned())
}

fn parse_fragment(fragment: &str, keys: &Keys, at: usize) -> Result<SubTarget, UriError> {
    let invalid = |offset| UriError::at(UriErrorKind::InvalidFragment, at + offset);
    let (key, value) = fragment.split_once('=').ok_or_else(|| invalid(0))?;
    if let Some(second) = key.find(['&', '#']) {
        return Err(invalid(second));
    }
    let value_at = key.len() + 1;
    if let Some(second) = value.find(['=', '&', '#']) {
        return Err(invalid(value_at + second));
    }
    let key = decode(key, Plus::Plus, at)?;
    let value = decode(value, Plus::Plus, at + value_at)?;
    check_sub_target(&key, &value, keys, Some((at, at + value_at)))
}

/// Checks a decoded key and value; `at` is where they were written, if they were. White space only is as good as nothing.
fn check_sub_target(key: &str, value: &str, keys: &Keys, at: Option<(usize, usize)>) -> Result<SubTarget, UriError> {
    let fault = |kind, at: Option<usize>| at.map_or(UriError::new(kind), |at| UriError::at(kind, at));
    if key.trim().is_empty() {
        return Err(fault(UriErrorKind::InvalidFragment, at.map(|at| at.0)));
    }
    if value.trim().is_empty() {
        return Err(fault(UriErrorKind::InvalidFragment, at.map(|at| at.1)));
    }
    if keys.get(key).is_some_and(|known| !known.accepts(value)) {
        return Err(fault(UriErrorKind::InvalidSubTarget, at.map(|at| at.1)));
    }
    Ok(SubTarget::new(key.to_owned(), value.to_owned()))
}

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
