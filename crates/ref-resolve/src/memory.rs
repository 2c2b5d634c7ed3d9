//! Sources that hold their answers in memory: for tests, for examples, and for hosts with small data.

use std::collections::BTreeMap;

use mention_uri::limits::PAGE_SIZE;

use crate::error::SourceError;
use crate::identity::NameFilter;
use crate::request::Workspace;
use crate::source::{AppArtifacts, File, Item, Page, PageRequest, TaskOutputs};

/// The items of each group of an app; `None` is the root.
type Groups = BTreeMap<Option<String>, Vec<Item>>;
/// The outputs of each issue of a topic.
type Issues = BTreeMap<String, Vec<Item>>;

/// App artifacts in memory.
///
/// ```
/// use ref_resolve::{InMemoryApps, Item};
///
/// let mut apps = InMemoryApps::new();
/// apps.put("ws-1", "app-1", None, [Item::file("plan.md"), Item::group("drafts")]);
/// apps.put("ws-1", "app-1", Some("drafts"), [Item::file("drafts/plan.md")]);
/// ```
///
/// Apps and groups that were not put in are `NotFound`. Cursors are positions in decimal. Files are
/// filtered by the query, groups are not.
#[derive(Clone, Debug, Default)]
pub struct InMemoryApps {
    page_size: Option<usize>,
    apps: BTreeMap<(String, String), Groups>,
}

impl InMemoryApps {
    /// A source without apps.
    pub fn new() -> Self {
        Self::default()
    }

    /// Answers with at most `items` items a page (at least 1), also where more are asked for.
    #[must_use]
    pub fn page_size(mut self, items: usize) -> Self {
        self.page_size = Some(items);
        self
    }

    /// Adds items to the end of a group; `None` is the root.
    pub fn put(
        &mut self,
        workspace: &str,
        app_id: &str,
        group: Option<&str>,
        items: impl IntoIterator<Item = Item>,
    ) -> &mut Self {
        let app = self.apps.entry((workspace.to_owned(), app_id.to_owned())).or_default();
        app.entry(group.map(str::to_owned)).or_default().extend(items);
        self
    }
}

impl AppArtifacts for InMemoryApps {
    async fn list(&self, workspace: &Workspace, app_id: &str, page: PageRequest<'_>) -> Result<Page, SourceError> {
        let app = self.apps.get(&(workspace.to_string(), app_id.to_owned()));
        let app = app.ok_or_else(|| SourceError::NotFound(format!("app `{app_id}`")))?;
        let items = match page.parent_group {
            // An app that holds only named groups has an empty root.
            None => app.get(&None).map_or(&[][..], Vec::as_slice),
            Some(group) => {
                app.get(&Some(group.to_owned())).ok_or_else(|| SourceError::NotFound(format!("group `{group}`")))?
            }
        };
        page_of(items.iter(), items.len(), &page, self.page_size)
    }
}

/// Task outputs in memory.
///
/// Topics and issues that were not put in are `NotFound`. The outputs of a topic are those of its
/// issues, by issue id.
#[derive(Clone, Debug, Default)]
pub struct InMemoryTasks {
    page_size: Option<usize>,
    topics: BTreeMap<(String, String), Issues>,
}

impl InMemoryTasks {
    /// A source without topics.
    pub fn new() -> Self {
        Self::default()
    }

    /// Answers with at most `items` items a page (at least 1), also where more are asked for.
    #[must_use]
    pub fn page_size(mut self, items: usize) -> Self {
        self.page_size = Some(items);
        self
    }

    /// Adds files to the end of the outputs of an issue.
    pub fn put(
        &mut self,
        workspace: &str,
        topic_id: &str,
        issue_id: &str,
        files: impl IntoIterator<Item = File>,
    ) -> &mut Self {
        let topic = self.topics.entry((workspace.to_owned(), topic_id.to_owned())).or_default();
        topic.entry(issue_id.to_owned()).or_default().extend(files.into_iter().map(Item::File));
        self
    }

    fn topic(&self, workspace: &Workspace, topic_id: &str) -> Result<&Issues, SourceError> {
        let topic = self.topics.get(&(workspace.to_string(), topic_id.to_owned()));
        topic.ok_or_else(|| SourceError::NotFound(format!("topic `{topic_id}`")))
    }
}

impl TaskOutputs for InMemoryTasks {
    async fn issue_outputs(
        &self,
        workspace: &Workspace,
        topic_id: &str,
        issue_id: &str,
        page: PageRequest<'_>,
    ) -> Result<Page, SourceError> {
        let outputs = self.topic(workspace, topic_id)?.get(issue_id);
        let outputs = outputs.ok_or_else(|| SourceError::NotFound(format!("issue `{issue_id}`")))?;
        page_of(outputs.iter(), outputs.len(), &page, self.page_size)
    }

    async fn topic_outputs(
        &self,
        workspace: &Workspace,
        topic_id: &str,
        page: PageRequest<'_>,
    ) -> Result<Page, SourceError> {
        let issues = self.topic(workspace, topic_id)?;
        let count = issues.values().map(Vec::len).sum();
        page_of(issues.values().flatten(), count, &page, self.page_size)
    }
}

/// One page of a list of `count` items; the cursor is the position in the unfiltered list.
fn page_of<'a>(
    items: impl Iterator<Item = &'a Item>,
    count: usize,
    page: &PageRequest<'_>,
    most: Option<usize>,
) -> Result<Page, SourceError> {
    let start = match page.cursor {
        None => 0,
        Some(cursor) => cursor
            .parse()
            .ok()
            .filter(|start| *start <= count)
            .ok_or_else(|| SourceError::Invalid(format!("`{cursor}` is not a cursor of this list")))?,
    };
    let size = page.limit.min(most.unwrap_or(PAGE_SIZE)).max(1);
    let filter = NameFilter::new(page.query);
    let mut taken = Vec::with_capacity(size.min(count - start));
    let mut position = start;
    for item in items.skip(start) {
        if taken.len() == size {
            break;
        }
        position += 1;
        match item {
            Item::File(file) if !filter.lets_through(file) => {}
            item => taken.push(item.clone()),
        }
    }
    Ok(Page { items: taken, next_cursor: (position < count).then(|| position.to_string()) })
}
