//! Reading what can be mentioned.

use rusqlite::{Connection, OptionalExtension, Row, params};

use super::Store;
use crate::error::DeskError;

/// One mentionable item as stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemRow {
    /// The canonical id.
    pub id: String,
    /// What people call it: `a1b2c3d`, `#12`.
    pub handle: String,
    /// One line.
    pub title: String,
    /// The long text.
    pub body: String,
    /// Who wrote it, or who is on it.
    pub author: String,
    /// `open`, `closed`, or empty.
    pub state: String,
    /// A web address, or empty.
    pub url: String,
    /// Last change, milliseconds since 1970.
    pub updated_ms: Option<i64>,
    /// True when no source holds it any more.
    pub gone: bool,
}

const COLUMNS: &str = "id, handle, title, body, author, state, url, updated_ms, \
     NOT EXISTS (SELECT 1 FROM held WHERE held.item = item.key)";

fn read(row: &Row<'_>) -> rusqlite::Result<ItemRow> {
    Ok(ItemRow {
        id: row.get(0)?,
        handle: row.get(1)?,
        title: row.get(2)?,
        body: row.get(3)?,
        author: row.get(4)?,
        state: row.get(5)?,
        url: row.get(6)?,
        updated_ms: row.get(7)?,
        gone: row.get(8)?,
    })
}

impl Store {
    /// All items of a provider that still exist, handed out one by one.
    pub fn each_item(&self, provider: &str, mut take: impl FnMut(ItemRow)) -> Result<(), DeskError> {
        let connection = self.lock();
        let mut statement = connection.prepare_cached(&format!(
            "SELECT {COLUMNS} FROM item WHERE provider = ?1 AND EXISTS (SELECT 1 FROM held WHERE held.item = item.key)"
        ))?;
        let mut rows = statement.query([provider])?;
        while let Some(row) = rows.next()? {
            take(read(row)?);
        }
        Ok(())
    }

    /// The newest living items of a provider.
    pub fn newest(&self, provider: &str, count: u64) -> Result<Vec<ItemRow>, DeskError> {
        let connection = self.lock();
        let mut statement = connection.prepare_cached(&format!(
            "SELECT {COLUMNS} FROM item WHERE provider = ?1 AND EXISTS (SELECT 1 FROM held WHERE held.item = item.key)
             ORDER BY updated_ms DESC, key LIMIT ?2"
        ))?;
        let rows = statement.query_map(params![provider, count], read)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The item with this id, also when it is gone.
    pub fn item(&self, provider: &str, id: &str) -> Result<Option<ItemRow>, DeskError> {
        let connection = self.lock();
        let sql = format!("SELECT {COLUMNS} FROM item WHERE provider = ?1 AND id = ?2");
        Ok(connection.prepare_cached(&sql)?.query_row(params![provider, id], read).optional()?)
    }

    /// The one item whose id starts with `prefix`; none when there are several.
    pub fn item_by_prefix(&self, provider: &str, prefix: &str) -> Result<Option<ItemRow>, DeskError> {
        let connection = self.lock();
        let sql = format!("SELECT {COLUMNS} FROM item WHERE provider = ?1 AND id >= ?2 AND id < ?3 LIMIT 2");
        only(&connection, &sql, [provider, prefix, &format!("{prefix}\u{10FFFF}")])
    }

    /// The one item with this handle; none when there are several.
    pub fn item_by_handle(&self, provider: &str, handle: &str) -> Result<Option<ItemRow>, DeskError> {
        let connection = self.lock();
        let sql = format!("SELECT {COLUMNS} FROM item WHERE provider = ?1 AND handle = ?2 LIMIT 2");
        only(&connection, &sql, [provider, handle])
    }

    /// The topics of an item, by name.
    pub fn topics_of(&self, provider: &str, id: &str) -> Result<Vec<String>, DeskError> {
        let connection = self.lock();
        let mut statement = connection.prepare_cached(
            "SELECT name FROM topic JOIN item ON item.key = topic.item WHERE provider = ?1 AND id = ?2 ORDER BY name",
        )?;
        let names = statement.query_map([provider, id], |row| row.get(0))?;
        Ok(names.collect::<Result<_, _>>()?)
    }

    /// Topics that living issues carry, with how many carry each.
    pub fn topics(&self) -> Result<Vec<(String, u64)>, DeskError> {
        let connection = self.lock();
        let mut statement = connection.prepare_cached(
            "SELECT name, count(*) FROM topic WHERE EXISTS (SELECT 1 FROM held WHERE held.item = topic.item)
             GROUP BY name ORDER BY name",
        )?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Living issues, newest first, after `after` rows; with a topic only those that carry it.
    pub fn issues(
        &self,
        topic: Option<&str>,
        state: Option<&str>,
        after: u64,
        count: u64,
    ) -> Result<Vec<ItemRow>, DeskError> {
        let connection = self.lock();
        let mut statement = connection.prepare_cached(&format!(
            "SELECT {COLUMNS} FROM item WHERE provider = 'issue'
               AND EXISTS (SELECT 1 FROM held WHERE held.item = item.key)
               AND (?1 IS NULL OR EXISTS (SELECT 1 FROM topic WHERE topic.item = item.key AND topic.name = ?1))
               AND (?2 IS NULL OR state = ?2)
             ORDER BY updated_ms DESC, id LIMIT ?4 OFFSET ?3"
        ))?;
        let rows = statement.query_map(params![topic, state, after, count], read)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

fn only<P: rusqlite::Params>(connection: &Connection, sql: &str, values: P) -> Result<Option<ItemRow>, DeskError> {
    let mut statement = connection.prepare_cached(sql)?;
    let found: Vec<ItemRow> = statement.query_map(values, read)?.collect::<Result<_, _>>()?;
    let mut found = found.into_iter();
    Ok(match (found.next(), found.next()) {
        (Some(item), None) => Some(item),
        _ => None,
    })
}
