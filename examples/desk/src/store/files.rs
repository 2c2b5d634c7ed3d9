//! Reading the files of repositories and the outputs of issues, a page at a time.

use rusqlite::{OptionalExtension, params};

use super::Store;
use crate::error::DeskError;

/// A tracked file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileRow {
    /// The app that it belongs to.
    pub app: String,
    /// The repository's folder on disk.
    pub root: String,
    /// Path from the repository's root, with `/`.
    pub path: String,
    /// The last segment.
    pub name: String,
    /// Bytes.
    pub size: u64,
    /// True when it is no longer tracked.
    pub gone: bool,
}

/// One entry of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A nested folder, by its path from the root.
    Folder(String),
    /// A file.
    File(FileRow),
}

fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<FileRow> {
    Ok(FileRow {
        app: row.get(0)?,
        root: row.get(1)?,
        path: row.get(2)?,
        name: row.get(3)?,
        size: row.get(4)?,
        gone: row.get(5)?,
    })
}

const FILE: &str = "SELECT source.name, source.location, path, file.name, size, gone FROM file \
     JOIN source ON source.id = file.source";

impl Store {
    /// The apps (imported repositories), by name, each with its folder on disk.
    pub fn apps(&self) -> Result<Vec<(String, String)>, DeskError> {
        let connection = self.lock();
        let mut statement =
            connection.prepare_cached("SELECT name, location FROM source WHERE kind = 'git' ORDER BY name")?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// True when the app has this folder; the empty path is the root.
    pub fn has_folder(&self, app: &str, folder: &str) -> Result<bool, DeskError> {
        let connection = self.lock();
        let found = connection
            .prepare_cached(
                "SELECT 1 FROM source WHERE kind = 'git' AND name = ?1 AND (?2 = '' OR EXISTS (
                    SELECT 1 FROM folder WHERE folder.source = source.id AND folder.parent = ?3 AND folder.path = ?2))",
            )?
            .query_row(params![app, folder, parent(folder)], |_| Ok(()))
            .optional()?;
        Ok(found.is_some())
    }

    /// Entries of a folder: nested folders by path, then files by name, at most `count` after the entry `after`
    /// (as [`Entry`]'s cursor form: `d:<path>` or `f:<path>`).
    pub fn folder(&self, app: &str, folder: &str, after: Option<&str>, count: usize) -> Result<Vec<Entry>, DeskError> {
        let connection = self.lock();
        let mut entries = Vec::new();
        let (folders_after, files_after) = match after.and_then(|cursor| cursor.split_once(':')) {
            Some(("f", path)) => (None, path),
            Some((_, path)) => (Some(path), ""),
            None => (Some(""), ""),
        };
        if let Some(after) = folders_after {
            let mut statement = connection.prepare_cached(
                "SELECT folder.path FROM folder JOIN source ON source.id = folder.source
                 WHERE kind = 'git' AND source.name = ?1 AND parent = ?2 AND folder.path > ?3
                 ORDER BY folder.path LIMIT ?4",
            )?;
            let rows = statement.query_map(params![app, folder, after, count], |row| row.get(0))?;
            for path in rows {
                entries.push(Entry::Folder(path?));
            }
        }
        if entries.len() < count {
            let mut statement = connection.prepare_cached(&format!(
                "{FILE} WHERE kind = 'git' AND source.name = ?1 AND folder = ?2 AND path > ?3 AND NOT gone
                 ORDER BY path LIMIT ?4"
            ))?;
            let rows = statement.query_map(params![app, folder, files_after, count - entries.len()], read)?;
            for file in rows {
                entries.push(Entry::File(file?));
            }
        }
        Ok(entries)
    }

    /// All living files, handed out one by one.
    pub fn each_file(&self, mut take: impl FnMut(FileRow)) -> Result<(), DeskError> {
        let connection = self.lock();
        let mut statement = connection.prepare_cached(&format!("{FILE} WHERE kind = 'git' AND NOT gone"))?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            take(read(row)?);
        }
        Ok(())
    }

    /// A file of an app, also when it is gone.
    pub fn file(&self, app: &str, path: &str) -> Result<Option<FileRow>, DeskError> {
        let connection = self.lock();
        let sql = format!("{FILE} WHERE kind = 'git' AND source.name = ?1 AND path = ?2");
        Ok(connection.prepare_cached(&sql)?.query_row([app, path], read).optional()?)
    }

    /// Outputs of one issue, in text order, or of all living issues of a topic, newest issue first; after `skip` rows.
    pub fn outputs(
        &self,
        topic: Option<&str>,
        issue: Option<&str>,
        skip: u64,
        count: usize,
    ) -> Result<Vec<String>, DeskError> {
        let connection = self.lock();
        let mut statement = connection.prepare_cached(
            "SELECT output.path FROM output JOIN item ON item.key = output.item
             WHERE provider = 'issue'
               AND EXISTS (SELECT 1 FROM held WHERE held.item = item.key)
               AND (?1 IS NULL OR EXISTS (SELECT 1 FROM topic WHERE topic.item = item.key AND topic.name = ?1))
               AND (?2 IS NULL OR item.id = ?2)
             ORDER BY updated_ms DESC, item.id, position LIMIT ?4 OFFSET ?3",
        )?;
        let rows = statement.query_map(params![topic, issue, skip, count], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

/// The folder that a path stands in; empty for the root.
pub(super) fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}
