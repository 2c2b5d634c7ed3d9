//! What a host implements: two traits that answer in pages, and the plain data they answer with.

use std::fmt;
use std::future::Future;
use std::sync::Arc;

use futures_util::future::{BoxFuture, FutureExt};
use serde::{Deserialize, Deserializer, Serialize};

use crate::error::SourceError;
use crate::request::Workspace;

/// The artifacts of an app: files in nested groups.
///
/// Authors write `async fn list(…)`. One call answers one page; see [`PageRequest`] for what is
/// asked and [`Page`] for what is answered. [`BoxAppArtifacts`] is the object-safe form.
pub trait AppArtifacts: Send + Sync {
    /// One page of the group `page.parent_group` (absent: the root) of `app_id` in `workspace`.
    ///
    /// # Errors
    /// Any [`SourceError`]. An app or a group that does not exist is `NotFound`, never an empty page.
    fn list(
        &self,
        workspace: &Workspace,
        app_id: &str,
        page: PageRequest<'_>,
    ) -> impl Future<Output = Result<Page, SourceError>> + Send;
}

/// The outputs of tasks: the latest outputs of one issue, and all outputs within a topic.
///
/// An empty query means every output. A source that can't list without a query answers
/// [`SourceError::Invalid`], never an empty page: an empty page says that there is nothing.
/// [`BoxTaskOutputs`] is the object-safe form.
pub trait TaskOutputs: Send + Sync {
    /// One page of the outputs of the issue `issue_id` in the topic `topic_id`.
    ///
    /// # Errors
    /// Any [`SourceError`]. An issue that does not exist is `NotFound`.
    fn issue_outputs(
        &self,
        workspace: &Workspace,
        topic_id: &str,
        issue_id: &str,
        page: PageRequest<'_>,
    ) -> impl Future<Output = Result<Page, SourceError>> + Send;

    /// One page of all outputs within the topic `topic_id`.
    ///
    /// # Errors
    /// Any [`SourceError`]. A topic that does not exist is `NotFound`.
    fn topic_outputs(
        &self,
        workspace: &Workspace,
        topic_id: &str,
        page: PageRequest<'_>,
    ) -> impl Future<Output = Result<Page, SourceError>> + Send;
}

/// What is asked of a source in one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PageRequest<'a> {
    /// The group whose content is wanted; `None` is the root (for an issue or a topic: the whole of it).
    pub parent_group: Option<&'a str>,
    /// A filter on file names, trimmed; empty means everything. A source may ignore it: the filter
    /// is applied to the answers as well. Groups are not filtered.
    pub query: &'a str,
    /// How many items one page should hold at most. Never 0, never more than
    /// [`mention_uri::limits::PAGE_SIZE`]. A source may answer with fewer, also with none at all.
    pub limit: usize,
    /// What the page before this one gave as its next cursor; `None` asks for the first page.
    pub cursor: Option<&'a str>,
}

/// One page of an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Page {
    /// The items in the source's own order, which the result keeps.
    #[serde(default, deserialize_with = "null_is_default")]
    pub items: Vec<Item>,
    /// Where the next page begins. `None` or a blank text ends the group: an empty text is never asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

impl Page {
    /// A page that ends its group.
    pub fn last(items: impl IntoIterator<Item = Item>) -> Self {
        Self { items: items.into_iter().collect(), next_cursor: None }
    }

    /// A page with another one after it.
    pub fn with_next(items: impl IntoIterator<Item = Item>, cursor: impl Into<String>) -> Self {
        Self { items: items.into_iter().collect(), next_cursor: Some(cursor.into()) }
    }
}

/// One entry of a page; on the wire an object with a `kind`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
#[non_exhaustive]
pub enum Item {
    /// A group inside the one that was asked for. Its id is trimmed; one with a blank id is skipped.
    #[non_exhaustive]
    #[serde(rename_all = "camelCase")]
    Group {
        /// What to ask for to see its content.
        id: String,
        /// A name for people; not used by the walk.
        #[serde(default, deserialize_with = "null_is_default", skip_serializing_if = "String::is_empty")]
        display_name: String,
    },
    /// A file.
    File(File),
    /// A kind that this crate does not know: skipped.
    #[serde(other)]
    Other,
}

impl Item {
    /// A group with this id.
    pub fn group(id: impl Into<String>) -> Self {
        Self::Group { id: id.into(), display_name: String::new() }
    }

    /// A file with this path; its name is the path's last part.
    pub fn file(path: impl Into<String>) -> Self {
        Self::File(File::new(path))
    }
}

impl From<File> for Item {
    fn from(file: File) -> Self {
        Self::File(file)
    }
}

/// A file as the source describes it. On the wire camelCase; absent numbers are 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[non_exhaustive]
pub struct File {
    /// Where the file is. Returned exactly as the source gave it; a file with a blank path is skipped.
    #[serde(deserialize_with = "null_is_default")]
    pub path: String,
    /// The name that people see and that a query is matched against; where it is blank the last
    /// part of the path is matched instead.
    #[serde(deserialize_with = "null_is_default")]
    pub display_name: String,
    /// Size in bytes; 0 where it is not known.
    #[serde(deserialize_with = "null_is_default")]
    pub size_bytes: u64,
    /// The media type, such as `text/markdown`; empty where it is not known.
    #[serde(deserialize_with = "null_is_default")]
    pub media_type: String,
    /// When it was made, in milliseconds since 1970-01-01 UTC; 0 where it is not known.
    #[serde(deserialize_with = "null_is_default")]
    pub created_at_unix_ms: i64,
    /// The host's own identity of the file (an inode, a blob id, …). Files with the same key are one
    /// file whatever their paths. A blank key is absent. Never serialized.
    #[serde(skip)]
    pub key: Option<String>,
}

impl File {
    /// A file at `path`, named by the last part of its path, of unknown size, type and time.
    pub fn new(path: impl Into<String>) -> Self {
        let path = path.into();
        Self { display_name: crate::identity::file_name(&path).to_owned(), path, ..Self::default() }
    }

    /// Sets the name that people see.
    #[must_use]
    pub fn display_name(mut self, name: impl Into<String>) -> Self {
        self.display_name = name.into();
        self
    }

    /// Sets the size in bytes.
    #[must_use]
    pub fn size_bytes(mut self, bytes: u64) -> Self {
        self.size_bytes = bytes;
        self
    }

    /// Sets the media type.
    #[must_use]
    pub fn media_type(mut self, media_type: impl Into<String>) -> Self {
        self.media_type = media_type.into();
        self
    }

    /// Sets the time of making, in milliseconds since 1970-01-01 UTC.
    #[must_use]
    pub fn created_at_unix_ms(mut self, ms: i64) -> Self {
        self.created_at_unix_ms = ms;
        self
    }

    /// Sets the host's own identity of the file.
    #[must_use]
    pub fn key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(key.into());
        self
    }
}

/// Reads `null` like an absent field: sources written in other languages send both.
fn null_is_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Option::<T>::deserialize(deserializer).map(Option::unwrap_or_default)
}

type Answer<'a> = BoxFuture<'a, Result<Page, SourceError>>;

trait DynAppArtifacts: Send + Sync {
    fn list<'a>(&'a self, workspace: &'a Workspace, app_id: &'a str, page: PageRequest<'a>) -> Answer<'a>;
}

impl<T: AppArtifacts> DynAppArtifacts for T {
    fn list<'a>(&'a self, workspace: &'a Workspace, app_id: &'a str, page: PageRequest<'a>) -> Answer<'a> {
        AppArtifacts::list(self, workspace, app_id, page).boxed()
    }
}

/// Any [`AppArtifacts`] behind one type, so that sources of different types can be kept together.
pub struct BoxAppArtifacts(Box<dyn DynAppArtifacts>);

impl BoxAppArtifacts {
    /// Boxes a source.
    pub fn new(source: impl AppArtifacts + 'static) -> Self {
        Self(Box::new(source))
    }
}

impl fmt::Debug for BoxAppArtifacts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BoxAppArtifacts(..)")
    }
}

impl AppArtifacts for BoxAppArtifacts {
    async fn list(&self, workspace: &Workspace, app_id: &str, page: PageRequest<'_>) -> Result<Page, SourceError> {
        self.0.list(workspace, app_id, page).await
    }
}

trait DynTaskOutputs: Send + Sync {
    fn issue_outputs<'a>(
        &'a self,
        workspace: &'a Workspace,
        topic_id: &'a str,
        issue_id: &'a str,
        page: PageRequest<'a>,
    ) -> Answer<'a>;

    fn topic_outputs<'a>(&'a self, workspace: &'a Workspace, topic_id: &'a str, page: PageRequest<'a>) -> Answer<'a>;
}

impl<T: TaskOutputs> DynTaskOutputs for T {
    fn issue_outputs<'a>(
        &'a self,
        workspace: &'a Workspace,
        topic_id: &'a str,
        issue_id: &'a str,
        page: PageRequest<'a>,
    ) -> Answer<'a> {
        TaskOutputs::issue_outputs(self, workspace, topic_id, issue_id, page).boxed()
    }

    fn topic_outputs<'a>(&'a self, workspace: &'a Workspace, topic_id: &'a str, page: PageRequest<'a>) -> Answer<'a> {
        TaskOutputs::topic_outputs(self, workspace, topic_id, page).boxed()
    }
}

/// Any [`TaskOutputs`] behind one type, so that sources of different types can be kept together.
pub struct BoxTaskOutputs(Box<dyn DynTaskOutputs>);

impl BoxTaskOutputs {
    /// Boxes a source.
    pub fn new(source: impl TaskOutputs + 'static) -> Self {
        Self(Box::new(source))
    }
}

impl fmt::Debug for BoxTaskOutputs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BoxTaskOutputs(..)")
    }
}

impl TaskOutputs for BoxTaskOutputs {
    async fn issue_outputs(
        &self,
        workspace: &Workspace,
        topic_id: &str,
        issue_id: &str,
        page: PageRequest<'_>,
    ) -> Result<Page, SourceError> {
        self.0.issue_outputs(workspace, topic_id, issue_id, page).await
    }

    async fn topic_outputs(
        &self,
        workspace: &Workspace,
        topic_id: &str,
        page: PageRequest<'_>,
    ) -> Result<Page, SourceError> {
        self.0.topic_outputs(workspace, topic_id, page).await
    }
}

/// A source may be lent or shared: `&T` and `Arc<T>` answer as `T` does.
macro_rules! answers_through {
    ($($pointer:ty),*) => { $(
        impl<T: AppArtifacts> AppArtifacts for $pointer {
            fn list(
                &self,
                workspace: &Workspace,
                app_id: &str,
                page: PageRequest<'_>,
            ) -> impl Future<Output = Result<Page, SourceError>> + Send {
                T::list(self, workspace, app_id, page)
            }
        }

        impl<T: TaskOutputs> TaskOutputs for $pointer {
            fn issue_outputs(
                &self,
                workspace: &Workspace,
                topic_id: &str,
                issue_id: &str,
                page: PageRequest<'_>,
            ) -> impl Future<Output = Result<Page, SourceError>> + Send {
                T::issue_outputs(self, workspace, topic_id, issue_id, page)
            }

            fn topic_outputs(
                &self,
                workspace: &Workspace,
                topic_id: &str,
                page: PageRequest<'_>,
            ) -> impl Future<Output = Result<Page, SourceError>> + Send {
                T::topic_outputs(self, workspace, topic_id, page)
            }
        }
    )* };
}

answers_through!(&T, Arc<T>);
