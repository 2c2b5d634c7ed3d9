//! Requests that run once: the ledger of `cli_spec::idempotency` in the desk's own file.

use cli_spec::idempotency::Digest;
use cli_spec::idempotency::{ClaimId, Claimed, Entry, Identity, Ledger, LedgerError};
use rusqlite::{TransactionBehavior, params};
use serde_json::{Map, Value};

use super::Store;

/// The identity as a unique key: its JSON, so that no two lists of parts run together.
fn key(identity: &Identity) -> Result<String, LedgerError> {
    serde_json::to_string(identity).map_err(LedgerError::new)
}

fn number(claim: ClaimId) -> Result<i64, LedgerError> {
    i64::try_from(claim.0).map_err(LedgerError::new)
}

impl Store {
    fn changed(&self, sql: &str, values: impl rusqlite::Params) -> Result<bool, LedgerError> {
        self.lock().execute(sql, values).map(|rows| rows > 0).map_err(LedgerError::new)
    }
}

impl Ledger for Store {
    async fn claim(&self, identity: &Identity, digest: &Digest) -> Result<Claimed, LedgerError> {
        let key = key(identity)?;
        let written = serde_json::to_string(digest).map_err(LedgerError::new)?;
        let mut connection = self.lock();
        // One transaction, so that what is found can't be freed between the insert and the look.
        let transaction =
            connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(LedgerError::new)?;
        let inserted = transaction
            .execute(
                "INSERT INTO request (identity, digest) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
                params![key, written],
            )
            .map_err(LedgerError::new)?;
        let claimed = if inserted > 0 {
            Claimed::Inserted(ClaimId(u64::try_from(transaction.last_insert_rowid()).map_err(LedgerError::new)?))
        } else {
            let (digest, result): (String, Option<String>) = transaction
                .query_row("SELECT digest, result FROM request WHERE identity = ?1", [&key], |row| {
                    Ok((row.get(0)?, row.get(1)?))
                })
                .map_err(LedgerError::new)?;
            Claimed::Present(Entry {
                digest: serde_json::from_str(&digest).map_err(LedgerError::new)?,
                result: result.map(|text| serde_json::from_str(&text)).transpose().map_err(LedgerError::new)?,
            })
        };
        transaction.commit().map_err(LedgerError::new)?;
        Ok(claimed)
    }

    async fn complete(
        &self,
        identity: &Identity,
        claim: ClaimId,
        result: &Map<String, Value>,
    ) -> Result<bool, LedgerError> {
        let result = serde_json::to_string(result).map_err(LedgerError::new)?;
        self.changed(
            "UPDATE request SET result = ?3 WHERE identity = ?1 AND claim = ?2 AND result IS NULL",
            params![key(identity)?, number(claim)?, result],
        )
    }

    async fn release(&self, identity: &Identity, claim: ClaimId) -> Result<bool, LedgerError> {
        self.changed(
            "DELETE FROM request WHERE identity = ?1 AND claim = ?2 AND result IS NULL",
            params![key(identity)?, number(claim)?],
        )
    }

    async fn abandon(&self, identity: &Identity) -> Result<bool, LedgerError> {
        self.changed("DELETE FROM request WHERE identity = ?1 AND result IS NULL", params![key(identity)?])
    }
}
