//! Errors of requests and of sources, each with a stable code.

use std::fmt;

use mention_uri::UriError;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Why a source could not answer. The text is the source's own message.
///
/// Serializes to `{ "code": …, "message": …, "retryable": … }`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Error, Serialize, Deserialize)]
#[serde(from = "WireError", into = "WireError")]
#[non_exhaustive]
pub enum SourceError {
    /// The app, group, topic or issue does not exist.
    #[error("not found: {}", OneLine(.0))]
    NotFound(String),
    /// The caller may not see it.
    #[error("forbidden: {}", OneLine(.0))]
    Forbidden(String),
    /// The source can't be reached or is not ready.
    #[error("source unavailable: {}", OneLine(.message))]
    Unavailable {
        /// Whether the same call may succeed later.
        retryable: bool,
        /// The source's own message.
        message: String,
    },
    /// The source refuses what was asked, or its answer made no sense.
    #[error("source refused the request: {}", OneLine(.0))]
    Invalid(String),
    /// Anything else.
    #[error("source failed: {}", OneLine(.0))]
    Other(String),
}

impl SourceError {
    /// A source that may answer later.
    pub fn unavailable(message: impl Into<String>) -> Self {
        Self::Unavailable { retryable: true, message: message.into() }
    }

    /// The source's own message.
    pub fn message(&self) -> &str {
        match self {
            Self::NotFound(message)
            | Self::Forbidden(message)
            | Self::Unavailable { message, .. }
            | Self::Invalid(message)
            | Self::Other(message) => message,
        }
    }

    /// `not_found`, `forbidden`, `source_unavailable`, `source_invalid` or `source_failed`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotFound(_) => "not_found",
            Self::Forbidden(_) => "forbidden",
            Self::Unavailable { .. } => "source_unavailable",
            Self::Invalid(_) => "source_invalid",
            Self::Other(_) => "source_failed",
        }
    }

    /// Whether the same call may succeed later.
    pub fn retryable(&self) -> bool {
        matches!(self, Self::Unavailable { retryable: true, .. })
    }
}

/// The form of a [`SourceError`] on the wire.
#[derive(Serialize, Deserialize)]
struct WireError {
    code: String,
    #[serde(default)]
    message: String,
    #[serde(default)]
    retryable: bool,
}

impl From<SourceError> for WireError {
    fn from(error: SourceError) -> Self {
        Self { code: error.code().to_owned(), message: error.message().to_owned(), retryable: error.retryable() }
    }
}

impl From<WireError> for SourceError {
    fn from(wire: WireError) -> Self {
        let message = wire.message;
        match wire.code.as_str() {
            "not_found" => Self::NotFound(message),
            "forbidden" => Self::Forbidden(message),
            "source_unavailable" => Self::Unavailable { retryable: wire.retryable, message },
            "source_invalid" => Self::Invalid(message),
            _ => Self::Other(message),
        }
    }
}

/// Why a reference could not be resolved.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ResolveError {
    /// The source is not exactly `app` or `task`.
    #[error("source must be `app` or `task`, found `{}`", OneLine(.found))]
    InvalidSource {
        /// What was given.
        found: String,
    },
    /// The id of the app or topic is blank.
    #[error("the id of the app or topic is missing")]
    MissingId,
    /// The caller has no workspace.
    #[error("the workspace is missing")]
    MissingWorkspace,
    /// The reference belongs to a workspace that is not the caller's.
    #[error("the reference belongs to workspace `{}`, the caller works in `{}`", OneLine(.reference), OneLine(.caller))]
    WorkspaceMismatch {
        /// The workspace in the reference.
        reference: String,
        /// The workspace of the authenticated caller.
        caller: String,
    },
    /// The limit is 0.
    #[error("limit must be at least 1, found 0")]
    InvalidLimit,
    /// The parts do not make a reference, for example because an id is too long.
    #[error(transparent)]
    Reference(#[from] UriError),
    /// The source could not answer.
    #[error("{error}")]
    Source {
        /// The group that was asked for; `None` is the root.
        group: Option<String>,
        /// What the source answered.
        #[source]
        error: SourceError,
    },
}

impl ResolveError {
    /// The error's stable name; see the crate docs for the list. Of [`ResolveError::Reference`] it is
    /// the code of the [`UriError`].
    pub fn code(&self) -> &'static str {
        match self {
            Self::InvalidSource { .. } => "invalid_source",
            Self::MissingId => "missing_id",
            Self::MissingWorkspace => "missing_workspace",
            Self::WorkspaceMismatch { .. } => "workspace_mismatch",
            Self::InvalidLimit => "invalid_limit",
            Self::Reference(error) => error.code(),
            Self::Source { error, .. } => error.code(),
        }
    }

    /// Whether the same request may succeed later.
    pub fn retryable(&self) -> bool {
        matches!(self, Self::Source { error, .. } if error.retryable())
    }
}

/// An answer that the walk did not ask for. The walk is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the walk has not asked for call {number}, or it was answered already")]
pub struct UnknownCall {
    pub(crate) number: u64,
}

impl UnknownCall {
    /// Always `unknown_call`.
    pub fn code(&self) -> &'static str {
        "unknown_call"
    }

    /// The number of the call that was answered.
    pub fn number(&self) -> u64 {
        self.number
    }
}

/// A stranger's text inside a message: line breaks and other controls become spaces.
struct OneLine<'a>(&'a str);

impl fmt::Display for OneLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, part) in self.0.split(char::is_control).enumerate() {
            if index > 0 {
                f.write_str(" ")?;
            }
            f.write_str(part)?;
        }
        Ok(())
    }
}
