//! Resource URIs: `<kind>://<id>[#<key>=<value>]`.

use alloc::borrow::ToOwned as _;
use alloc::string::String;
use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};

use crate::error::{UriError, UriErrorKind};
use crate::limits;
use crate::percent::{encode, encoded_len};
use crate::text::fit_for_display;

/// A part of a resource: one key and its value, decoded.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SubTarget {
    key: String,
    value: String,
}

impl SubTarget {
    pub(crate) fn new(key: String, value: String) -> Self {
        Self { key, value }
    }

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
/// Valid by construction, made by a [`ResourceKinds`](crate::ResourceKinds) table. `Display` gives the one canonical spelling.
#[derive(Clone)]
pub struct ResourceUri {
    canonical: String,
    kind_end: usize,
    id: String,
    sub_target: Option<SubTarget>,
}

impl ResourceUri {
    /// From checked parts.
    pub(crate) fn build(kind: &str, id: String, sub_target: Option<SubTarget>) -> Result<Self, UriError> {
        let fragment =
            sub_target.as_ref().map_or(0, |target| encoded_len(&target.key) + encoded_len(&target.value) + 2);
        let length = kind.len() + 3 + encoded_len(&id) + fragment;
        if length > limits::URI_BYTES {
            return Err(UriError::new(UriErrorKind::TooLong));
        }
        let mut canonical = String::with_capacity(length);
        canonical.push_str(kind);
        canonical.push_str("://");
        encode(&id, &mut canonical);
        if let Some(target) = &sub_target {
            canonical.push('#');
            encode(&target.key, &mut canonical);
            canonical.push('=');
            encode(&target.value, &mut canonical);
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

    /// A label for where none was written: the id on one line, without characters that can't be seen. An id of nothing else is
    /// shown percent-encoded.
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
