//! A page that may be asked for now.

use std::sync::Arc;

use crate::request::Workspace;
use crate::source::PageRequest;

/// A page that may be asked for now, as plain data. Which source method to call is the variant,
/// with what arguments is in its fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Call {
    /// [`AppArtifacts::list`](crate::AppArtifacts::list).
    AppPage {
        /// The app.
        app_id: Arc<str>,
        /// The page of it.
        page: CallPage,
    },
    /// [`TaskOutputs::issue_outputs`](crate::TaskOutputs::issue_outputs).
    IssueOutputs {
        /// The topic that the issue is in.
        topic_id: Arc<str>,
        /// The issue.
        issue_id: Arc<str>,
        /// The page of its outputs.
        page: CallPage,
    },
    /// [`TaskOutputs::topic_outputs`](crate::TaskOutputs::topic_outputs).
    TopicOutputs {
        /// The topic.
        topic_id: Arc<str>,
        /// The page of its outputs.
        page: CallPage,
    },
}

impl Call {
    /// The page that is asked for.
    pub fn page(&self) -> &CallPage {
        match self {
            Self::AppPage { page, .. } | Self::IssueOutputs { page, .. } | Self::TopicOutputs { page, .. } => page,
        }
    }
}

/// The page of a [`Call`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallPage {
    pub(crate) number: u64,
    pub(crate) workspace: Arc<Workspace>,
    pub(crate) parent_group: Option<Arc<str>>,
    pub(crate) query: Arc<str>,
    pub(crate) limit: usize,
    pub(crate) cursor: Option<Arc<str>>,
}

impl CallPage {
    /// The call's number in its walk, counted from 0 in the order in which calls were given out.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The workspace of the caller.
    pub fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    /// What to ask of the source.
    pub fn request(&self) -> PageRequest<'_> {
        PageRequest {
            parent_group: self.parent_group.as_deref(),
            query: &self.query,
            limit: self.limit,
            cursor: self.cursor.as_deref(),
        }
    }
}
