//! The items of a page that count in a walk.

use std::sync::Arc;

use crate::identity::{Identity, NameFilter, UniqueBy};
use crate::source::{File, Item};

/// An item that counts: a group with an id, or a file with a path that the query lets through.
#[derive(Debug)]
pub(crate) enum Entry {
    Group(Arc<str>),
    File(Identity, File),
}

/// What a page holds, before and after it was looked at.
pub(crate) trait IntoEntry {
    fn into_entry(self, unique_by: UniqueBy, filter: &NameFilter) -> Option<Entry>;
}

impl IntoEntry for Entry {
    fn into_entry(self, _: UniqueBy, _: &NameFilter) -> Option<Entry> {
        Some(self)
    }
}

impl IntoEntry for Item {
    fn into_entry(self, unique_by: UniqueBy, filter: &NameFilter) -> Option<Entry> {
        match self {
            Self::File(file) if !file.path.trim().is_empty() && filter.lets_through(&file) => {
                Some(Entry::File(unique_by.identity(&file), file))
            }
            Self::Group { id, .. } => present(Some(&id)).map(|id| Entry::Group(id.into())),
            Self::File(_) | Self::Other => None,
        }
    }
}

/// Group ids and cursors are trimmed; blank is absent.
pub(crate) fn present(text: Option<&str>) -> Option<&str> {
    text.map(str::trim).filter(|text| !text.is_empty())
}
