//! The desk's memory: one SQLite file.

mod files;
mod items;
mod ledger;
mod write;

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::Connection;

use crate::error::DeskError;

pub use files::{Entry, FileRow};
pub use items::ItemRow;
pub use write::{Counts, NewItem, Writer};

/// The format of the file, `PRAGMA user_version`.
const FORMAT: i64 = 2;
/// How long a call waits for another process that writes.
const PATIENCE: Duration = Duration::from_secs(2);

/// An open database. Calls lock it one after the other.
#[derive(Debug)]
pub struct Store {
    connection: Mutex<Connection>,
}

impl Store {
    /// Opens the file, and makes it where there is none.
    pub fn open(path: &Path) -> Result<Self, DeskError> {
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder)
                .map_err(|error| DeskError::Unreadable { path: folder.to_owned(), reason: error.to_string() })?;
        }
        Self::set_up(Connection::open(path)?)
    }

    /// A database in memory, gone with the value.
    pub fn in_memory() -> Result<Self, DeskError> {
        Self::set_up(Connection::open_in_memory()?)
    }

    fn set_up(connection: Connection) -> Result<Self, DeskError> {
        connection.busy_timeout(PATIENCE)?;
        let found: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
        if found > FORMAT {
            return Err(DeskError::NewerDatabase { found, known: FORMAT });
        }
        if found < FORMAT {
            connection.pragma_update(None, "journal_mode", "WAL")?;
            connection.execute_batch(include_str!("schema.sql"))?;
            connection.pragma_update(None, "user_version", FORMAT)?;
        }
        // What a ledger has said must still be true after a power cut; imports are one transaction each and lose nothing by it.
        connection.pragma_update(None, "synchronous", "FULL")?;
        Ok(Self { connection: Mutex::new(connection) })
    }

    /// The connection; a panic in another thread does not make it unusable, SQLite rolled back by itself.
    fn lock(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes in one transaction: all of it or nothing.
    pub fn write<T>(&self, work: impl FnOnce(&Writer<'_>) -> Result<T, DeskError>) -> Result<T, DeskError> {
        let mut connection = self.lock();
        let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        let result = work(&Writer::new(&transaction))?;
        transaction.commit()?;
        Ok(result)
    }

    /// Changes whenever the content may have changed, also through another process.
    pub fn version(&self) -> Result<(i64, u64), DeskError> {
        let connection = self.lock();
        let others: i64 = connection.pragma_query_value(None, "data_version", |row| row.get(0))?;
        Ok((others, connection.total_changes()))
    }
}
