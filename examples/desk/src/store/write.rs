//! Writing an import: everything that was not seen again is gone afterwards.

use std::collections::HashSet;

use rusqlite::{OptionalExtension, Transaction, params};

use super::files::parent;
use crate::error::DeskError;

/// What an import did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Items of the source now.
    pub items: u64,
    /// Files of the source now.
    pub files: u64,
    /// Items and files that have gone since the last import.
    pub gone: u64,
}

/// An item to be stored.
#[derive(Clone, Copy, Debug)]
pub struct NewItem<'a> {
    /// Which provider answers for it.
    pub provider: &'a str,
    /// Canonical id.
    pub id: &'a str,
    /// What people call it.
    pub handle: &'a str,
    /// One line.
    pub title: &'a str,
    /// The long text.
    pub body: &'a str,
    /// Who wrote it, or who is on it.
    pub author: &'a str,
    /// `open`, `closed`, or empty.
    pub state: &'a str,
    /// A web address, or empty.
    pub url: &'a str,
    /// Last change, milliseconds since 1970.
    pub updated_ms: Option<i64>,
}

/// One import in the making, inside of a transaction.
#[derive(Debug)]
pub struct Writer<'a> {
    transaction: &'a Transaction<'a>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(transaction: &'a Transaction<'a>) -> Self {
        Self { transaction }
    }

    /// Starts a new import of the source at `location`; gives its number, generation, and name. A new source is
    /// called `wish`, or `wish-2` and so on where another one has that name.
    pub fn begin(&self, kind: &str, location: &str, wish: &str) -> Result<(i64, i64, String), DeskError> {
        let known = self
            .transaction
            .query_row(
                "UPDATE source SET generation = generation + 1 WHERE kind = ?1 AND location = ?2
                 RETURNING id, generation, name",
                [kind, location],
                |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
            )
            .optional()?;
        if let Some(known) = known {
            return Ok(known);
        }
        let mut taken: HashSet<String> = HashSet::new();
        let mut statement = self.transaction.prepare("SELECT name FROM source WHERE kind = ?1")?;
        for name in statement.query_map([kind], |row| row.get(0))? {
            taken.insert(name?);
        }
        let mut name = wish.to_owned();
        let mut number: u64 = 2;
        while taken.contains(&name) {
            name = format!("{wish}-{number}");
            number += 1;
        }
        self.transaction.execute(
            "INSERT INTO source (kind, name, location, generation) VALUES (?1, ?2, ?3, 1)",
            [kind, &name, location],
        )?;
        Ok((self.transaction.last_insert_rowid(), 1, name))
    }

    /// Stores an item of the source; gives its key.
    pub fn item(&self, source: i64, generation: i64, item: &NewItem<'_>) -> Result<i64, DeskError> {
        let key = self
            .transaction
            .prepare_cached(
                "INSERT INTO item (provider, id, handle, title, body, author, state, url, updated_ms)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
                 ON CONFLICT (provider, id) DO UPDATE SET handle = ?3, title = ?4, body = ?5, author = ?6, state = ?7,
                   url = ?8, updated_ms = ?9
                 RETURNING key",
            )?
            .query_row(
                params![
                    item.provider,
                    item.id,
                    item.handle,
                    item.title,
                    item.body,
                    item.author,
                    item.state,
                    item.url,
                    item.updated_ms
                ],
                |row| row.get(0),
            )?;
        self.transaction
            .prepare_cached(
                "INSERT INTO held (source, item, generation) VALUES (?1, ?2, ?3)
                 ON CONFLICT (item, source) DO UPDATE SET generation = ?3",
            )?
            .execute(params![source, key, generation])?;
        Ok(key)
    }

    /// Sets the topics and outputs of an item.
    pub fn issue_details(&self, key: i64, topics: &[String], outputs: &[String]) -> Result<(), DeskError> {
        self.transaction.prepare_cached("DELETE FROM topic WHERE item = ?1")?.execute([key])?;
        self.transaction.prepare_cached("DELETE FROM output WHERE item = ?1")?.execute([key])?;
        for topic in topics {
            self.transaction
                .prepare_cached("INSERT OR IGNORE INTO topic (item, name) VALUES (?1, ?2)")?
                .execute(params![key, topic])?;
        }
        for (position, path) in outputs.iter().enumerate() {
            self.transaction
                .prepare_cached("INSERT INTO output (item, position, path) VALUES (?1, ?2, ?3)")?
                .execute(params![key, position, path])?;
        }
        Ok(())
    }

    /// Stores a tracked file of the source.
    pub fn file(&self, source: i64, generation: i64, path: &str, size: u64) -> Result<(), DeskError> {
        let folder = parent(path);
        let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
        self.transaction
            .prepare_cached(
                "INSERT INTO file (source, path, folder, name, size, generation) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                 ON CONFLICT (source, path) DO UPDATE SET size = ?5, generation = ?6, gone = 0",
            )?
            .execute(params![source, path, folder, name, size, generation])?;
        Ok(())
    }

    /// Ends the import: what was not stored again is gone; the folders are those of the living files.
    pub fn end(&self, source: i64, generation: i64) -> Result<Counts, DeskError> {
        let transaction = self.transaction;
        let items_gone =
            transaction.execute("DELETE FROM held WHERE source = ?1 AND generation <> ?2", [source, generation])?;
        let files_gone = transaction.execute(
            "UPDATE file SET gone = 1 WHERE source = ?1 AND generation <> ?2 AND NOT gone",
            [source, generation],
        )?;
        transaction.execute("DELETE FROM folder WHERE source = ?1", [source])?;
        let mut folders: HashSet<String> = HashSet::new();
        let mut statement =
            transaction.prepare("SELECT DISTINCT folder FROM file WHERE source = ?1 AND NOT gone AND folder <> ''")?;
        for folder in statement.query_map([source], |row| row.get::<_, String>(0))? {
            let folder = folder?;
            let mut path = folder.as_str();
            while !path.is_empty() && folders.insert(path.to_owned()) {
                path = parent(path);
            }
        }
        let mut insert = transaction.prepare("INSERT INTO folder (source, parent, path) VALUES (?1, ?2, ?3)")?;
        for folder in &folders {
            insert.execute(params![source, parent(folder), folder])?;
        }
        let count = |sql: &str| transaction.query_row(sql, [source], |row| row.get::<_, u64>(0));
        Ok(Counts {
            items: count("SELECT count(*) FROM held WHERE source = ?1")?,
            files: count("SELECT count(*) FROM file WHERE source = ?1 AND NOT gone")?,
            gone: (items_gone + files_gone) as u64,
        })
    }
}
