//! What is to be resolved, for whom.

use std::fmt;
use std::str::FromStr;

use mention_uri::limits::FILES;
use mention_uri::{Source, WorkspaceReference};

use crate::error::ResolveError;

/// The workspace of an authenticated caller.
///
/// It comes from the invocation, never from a mention: that is what makes the check in
/// [`ReferenceRequest::new`] worth something.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Workspace(String);

impl Workspace {
    /// The workspace with this id.
    ///
    /// # Errors
    /// [`ResolveError::MissingWorkspace`] when the id is blank.
    pub fn new(id: impl Into<String>) -> Result<Self, ResolveError> {
        let id = id.into();
        if id.trim().is_empty() {
            return Err(ResolveError::MissingWorkspace);
        }
        Ok(Self(id))
    }

    /// The id.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Workspace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for Workspace {
    type Err = ResolveError;

    fn from_str(id: &str) -> Result<Self, Self::Err> {
        Self::new(id)
    }
}

/// A reference to resolve, checked against the caller's workspace, with a filter and a limit.
#[derive(Clone, Debug, PartialEq)]
pub struct ReferenceRequest {
    pub(crate) reference: WorkspaceReference,
    pub(crate) workspace: Workspace,
    pub(crate) query: String,
    pub(crate) limit: usize,
}

impl ReferenceRequest {
    /// A request for all files of `reference`, at most [`mention_uri::limits::FILES`].
    ///
    /// # Errors
    /// [`ResolveError::WorkspaceMismatch`] when the reference belongs to another workspace than the caller's.
    pub fn new(reference: WorkspaceReference, caller: &Workspace) -> Result<Self, ResolveError> {
        if reference.workspace_id() != caller.as_str() {
            return Err(ResolveError::WorkspaceMismatch {
                reference: reference.workspace_id().to_owned(),
                caller: caller.as_str().to_owned(),
            });
        }
        Ok(Self { reference, workspace: caller.clone(), query: String::new(), limit: FILES })
    }

    /// The same from the parts that a command line has: `source` is exactly `app` or `task`, `id` the
    /// app or topic, `group_id` the group or issue (blank is absent). The workspace is the caller's.
    ///
    /// # Errors
    /// [`ResolveError::InvalidSource`], [`ResolveError::MissingId`], and [`ResolveError::Reference`]
    /// for parts that no reference can hold.
    pub fn from_parts(
        source: &str,
        id: &str,
        group_id: Option<&str>,
        caller: &Workspace,
    ) -> Result<Self, ResolveError> {
        let source: Source = source.parse().map_err(|_| ResolveError::InvalidSource { found: source.to_owned() })?;
        if id.trim().is_empty() {
            return Err(ResolveError::MissingId);
        }
        let group_id = group_id.map(str::trim).filter(|group| !group.is_empty());
        let reference = WorkspaceReference::new(source, id, group_id, caller.as_str())?;
        Self::new(reference, caller)
    }

    /// Only files whose name contains `query`, ignoring case. Trimmed; blank means every file.
    #[must_use]
    pub fn query(mut self, query: impl Into<String>) -> Self {
        self.query = query.into();
        self
    }

    /// At most `limit` files. Without this, and for anything above it, [`mention_uri::limits::FILES`].
    ///
    /// # Errors
    /// [`ResolveError::InvalidLimit`] when `limit` is 0.
    pub fn limit(mut self, limit: usize) -> Result<Self, ResolveError> {
        if limit == 0 {
            return Err(ResolveError::InvalidLimit);
        }
        self.limit = limit.min(FILES);
        Ok(self)
    }

    /// What is to be resolved.
    pub fn reference(&self) -> &WorkspaceReference {
        &self.reference
    }

    /// Who asks.
    pub fn workspace(&self) -> &Workspace {
        &self.workspace
    }
}
