//! Where files come from: folders of imported repositories (app), and what issues link to (task).

use std::path::Path;
use std::sync::Arc;

use ref_resolve::{AppArtifacts, File, Item, Page, PageRequest, Resolver, SourceError, TaskOutputs, Workspace};

use crate::error::DeskError;
use crate::providers::Issues;
use crate::store::{Entry, FileRow, Store};

/// The apps of the desk: one for each repository.
#[derive(Debug)]
pub struct Repositories(Arc<Store>);

/// The tasks of the desk: topics are labels, issues their groups.
#[derive(Debug)]
pub struct IssueFiles(Arc<Store>);

/// A resolver over both.
pub fn resolver(store: &Arc<Store>) -> Resolver<Repositories, IssueFiles> {
    Resolver::new(Repositories(store.clone()), IssueFiles(store.clone()))
}

impl AppArtifacts for Repositories {
    async fn list(&self, _: &Workspace, app_id: &str, page: PageRequest<'_>) -> Result<Page, SourceError> {
        let folder = page.parent_group.unwrap_or_default().trim_matches('/');
        if page.cursor.is_none() && !self.0.has_folder(app_id, folder).map_err(failed)? {
            let known: Vec<String> = self.0.apps().map_err(failed)?.into_iter().map(|(name, _)| name).collect();
            return Err(SourceError::NotFound(if known.iter().any(|name| name == app_id) {
                format!("no folder {folder:?} in {app_id:?}")
            } else {
                format!("no app {app_id:?}; there are {known:?}")
            }));
        }
        let entries = self.0.folder(app_id, folder, page.cursor, page.limit).map_err(failed)?;
        let next = entries.last().filter(|_| entries.len() >= page.limit).map(|last| match last {
            Entry::Folder(path) => format!("d:{path}"),
            Entry::File(file) => format!("f:{}", file.path),
        });
        let items = entries.into_iter().map(|entry| match entry {
            Entry::Folder(path) => Item::group(path),
            Entry::File(row) => Item::File(file(&row)),
        });
        Ok(match next {
            Some(cursor) => Page::with_next(items, cursor),
            None => Page::last(items),
        })
    }
}

impl TaskOutputs for IssueFiles {
    async fn issue_outputs(
        &self,
        _: &Workspace,
        topic_id: &str,
        issue_id: &str,
        page: PageRequest<'_>,
    ) -> Result<Page, SourceError> {
        let issue = Issues::find(&self.0, issue_id)
            .map_err(failed)?
            .ok_or_else(|| SourceError::NotFound(format!("no issue {issue_id:?}")))?;
        let topics = self.0.topics_of("issue", &issue.id).map_err(failed)?;
        if !topics.iter().any(|topic| topic == topic_id) {
            return Err(SourceError::NotFound(format!("issue {issue_id:?} does not carry the label {topic_id:?}")));
        }
        self.outputs(None, Some(&issue.id), page)
    }

    async fn topic_outputs(&self, _: &Workspace, topic_id: &str, page: PageRequest<'_>) -> Result<Page, SourceError> {
        if page.cursor.is_none() && !self.0.topics().map_err(failed)?.iter().any(|(topic, _)| topic == topic_id) {
            return Err(SourceError::NotFound(format!("no topic {topic_id:?}")));
        }
        self.outputs(Some(topic_id), None, page)
    }
}

impl IssueFiles {
    fn outputs(&self, topic: Option<&str>, issue: Option<&str>, page: PageRequest<'_>) -> Result<Page, SourceError> {
        let skip = match page.cursor {
            Some(cursor) => cursor.parse().map_err(|_| SourceError::Invalid(format!("unknown cursor {cursor:?}")))?,
            None => 0,
        };
        let paths = self.0.outputs(topic, issue, skip, page.limit).map_err(failed)?;
        let count = paths.len();
        let items: Vec<Item> = paths
            .iter()
            .map(|path| self.known(path).map(Item::File))
            .collect::<Result<_, DeskError>>()
            .map_err(failed)?;
        Ok(if count < page.limit {
            Page::last(items)
        } else {
            Page::with_next(items, (skip + count as u64).to_string())
        })
    }

    /// What is known of a path that an issue links to: the tracked file, where exactly one repository has it.
    fn known(&self, path: &str) -> Result<File, DeskError> {
        let relative = path.trim_start_matches("./");
        let mut found = Vec::new();
        for (app, _) in self.0.apps()? {
            found.extend(self.0.file(&app, relative)?.filter(|row| !row.gone));
        }
        match found.as_slice() {
            [row] => Ok(file(row)),
            _ => Ok(named(File::new(path), path)),
        }
    }
}

fn file(row: &FileRow) -> File {
    let path = Path::new(&row.root).join(&row.path).to_string_lossy().into_owned();
    named(File::new(path.as_str()), &row.name).size_bytes(row.size).key(path)
}

/// A file with its display name, and the media type that the name tells.
fn named(file: File, name: &str) -> File {
    let name = name.rsplit('/').next().unwrap_or(name);
    let file = file.display_name(name);
    match mime_guess::from_path(name).first_raw() {
        Some(media_type) => file.media_type(media_type),
        None => file,
    }
}

fn failed(error: DeskError) -> SourceError {
    match error {
        DeskError::Busy => SourceError::Unavailable { message: error.to_string(), retryable: true },
        other => SourceError::Other(other.to_string()),
    }
}
