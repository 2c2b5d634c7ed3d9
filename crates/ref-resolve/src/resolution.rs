//! What a walk found, and what it left out.

use serde::{Deserialize, Serialize};

use crate::error::SourceError;
use crate::limits::Limits;
use crate::source::File;

/// The files of a reference, in walk order, each once.
///
/// Serializes to `{ "items": [ … ] }`, with `truncated` and `failures` only when they are not empty.
/// No items, nothing truncated and no failures means that the reference has no matching files now.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Resolution {
    /// The files.
    #[serde(default)]
    pub items: Vec<File>,
    /// What cut the list, in walk order; what ended the walk comes last. At most [`Limits::STOPS`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub truncated: Vec<Stop>,
    /// The groups that could not be read to their end, in walk order. Only with
    /// [`OnError::Skip`](crate::OnError::Skip); at most one for each walked group.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<Failure>,
}

/// One place where the list is shorter than what the source holds.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Stop {
    /// Why.
    pub reason: StopReason,
    /// The group that was not listed, or not to its end; `None` is the root.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
}

/// Why a list is shorter than what the source holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum StopReason {
    /// There are as many files as were asked for, and there may be more.
    Limit,
    /// The most groups are known; this one is left out.
    Groups,
    /// The most pages were asked for.
    Pages,
    /// The most pages of this group were asked for.
    GroupPages,
    /// This group lies deeper than the walk goes.
    Depth,
    /// The source gave a cursor that it had given before in this group.
    CursorLoop,
    /// The caller ended the walk.
    Stopped,
}

impl StopReason {
    /// The reason's word on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Limit => "limit",
            Self::Groups => "groups",
            Self::Pages => "pages",
            Self::GroupPages => "group_pages",
            Self::Depth => "depth",
            Self::CursorLoop => "cursor_loop",
            Self::Stopped => "stopped",
        }
    }
}

/// A group that could not be read to its end.
///
/// Serializes to `{ "group": …, "code": …, "message": …, "retryable": … }`, without `group` for the root.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// The group; `None` is the root.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// What the source answered.
    #[serde(flatten)]
    pub error: SourceError,
}

/// The stops of a walk: the first ones in walk order, and always the one that ended it.
#[derive(Debug, Default)]
pub(crate) struct Stops(Vec<Stop>);

impl Stops {
    /// Something was left out and the walk goes on. A group that is met again is not said again.
    pub(crate) fn cut(&mut self, reason: StopReason, group: Option<&str>) {
        let said = |stop: &Stop| stop.reason == reason && stop.group.as_deref() == group;
        if self.0.len() < Limits::STOPS && !self.0.iter().any(said) {
            self.0.push(Stop { reason, group: group.map(str::to_owned) });
        }
    }

    /// The walk ends. This has the last place even when the list is full.
    pub(crate) fn end(&mut self, reason: StopReason, group: Option<&str>) {
        self.0.truncate(Limits::STOPS.saturating_sub(1));
        self.cut(reason, group);
    }

    pub(crate) fn into_vec(self) -> Vec<Stop> {
        self.0
    }
}
