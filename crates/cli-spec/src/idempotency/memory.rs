//! A ledger that forgets everything with its process: for tests and for hosts without durable mutations.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry as Slot;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::{Map, Value};

use super::{ClaimId, Claimed, Digest, Entry, Identity, Ledger, LedgerError};

/// Identities in memory. It keeps every completed result until [`forget`](Self::forget).
#[derive(Debug, Default)]
pub struct MemoryLedger {
    rows: Mutex<Rows>,
}

#[derive(Debug, Default)]
struct Rows {
    last: u64,
    by_identity: BTreeMap<Identity, (ClaimId, Entry)>,
}

impl MemoryLedger {
    /// An empty ledger.
    pub fn new() -> Self {
        Self::default()
    }

    /// Removes what is stored for an identity, completed or not.
    pub fn forget(&self, identity: &Identity) {
        self.rows().by_identity.remove(identity);
    }

    /// How many identities are stored.
    pub fn len(&self) -> usize {
        self.rows().by_identity.len()
    }

    /// Whether nothing is stored.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Every operation leaves the map whole at each step, so that a poisoned lock loses nothing.
    fn rows(&self) -> MutexGuard<'_, Rows> {
        self.rows.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ledger for MemoryLedger {
    async fn claim(&self, identity: &Identity, digest: &Digest) -> Result<Claimed, LedgerError> {
        let mut rows = self.rows();
        let id = ClaimId(rows.last.saturating_add(1));
        match rows.by_identity.entry(identity.clone()) {
            Slot::Occupied(slot) => Ok(Claimed::Present(slot.get().1.clone())),
            Slot::Vacant(slot) => {
                slot.insert((id, Entry { digest: *digest, result: None }));
                rows.last = id.0;
                Ok(Claimed::Inserted(id))
            }
        }
    }

    async fn complete(
        &self,
        identity: &Identity,
        claim: ClaimId,
        result: &Map<String, Value>,
    ) -> Result<bool, LedgerError> {
        let mut rows = self.rows();
        match rows.by_identity.get_mut(identity) {
            Some((id, entry)) if *id == claim && entry.result.is_none() => {
                entry.result = Some(result.clone());
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    async fn release(&self, identity: &Identity, claim: ClaimId) -> Result<bool, LedgerError> {
        Ok(self.rows().remove_if(identity, |id| id == claim))
    }

    async fn abandon(&self, identity: &Identity) -> Result<bool, LedgerError> {
        Ok(self.rows().remove_if(identity, |_| true))
    }
}

impl Rows {
    fn remove_if(&mut self, identity: &Identity, held: impl Fn(ClaimId) -> bool) -> bool {
        let found = self.by_identity.get(identity).is_some_and(|(id, entry)| entry.result.is_none() && held(*id));
        if found {
            self.by_identity.remove(identity);
        }
        found
    }
}
