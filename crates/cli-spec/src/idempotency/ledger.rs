//! What a host stores, and how it is asked.

use std::error::Error;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::{Digest, Identity};

/// The number of one claim, chosen by the ledger and never used again for the same identity, so that the
/// owner of a freed claim can't end the one that came after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClaimId(pub u64);

/// What [`Ledger::claim`] found or did.
#[derive(Debug, Clone, PartialEq)]
pub enum Claimed {
    /// Nothing was stored; the identity and digest are stored now, without a result.
    Inserted(ClaimId),
    /// Something is stored and was left as it is.
    Present(Entry),
}

/// What a ledger holds for an identity.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The digest of the request that claimed it.
    pub digest: Digest,
    /// The result, once completed.
    pub result: Option<Map<String, Value>>,
}

/// A host's storage for idempotent requests. Each operation is atomic and durable when it returns.
pub trait Ledger: Send + Sync {
    /// Stores the identity with the digest when nothing is stored for it, in one atomic step (a unique key
    /// with insert-or-ignore, a compare-and-set), and says what is there.
    fn claim(&self, identity: &Identity, digest: &Digest) -> impl Future<Output = Result<Claimed, LedgerError>> + Send;

    /// Stores the result of an unfinished claim. `false` when this claim is not held (any more).
    fn complete(
        &self,
        identity: &Identity,
        claim: ClaimId,
        result: &Map<String, Value>,
    ) -> impl Future<Output = Result<bool, LedgerError>> + Send;

    /// Removes an unfinished claim. `false` when this claim is not held (any more).
    fn release(&self, identity: &Identity, claim: ClaimId) -> impl Future<Output = Result<bool, LedgerError>> + Send;

    /// Removes the identity's unfinished claim, whoever holds it; a completed one stays. `false` when there
    /// is none.
    fn abandon(&self, identity: &Identity) -> impl Future<Output = Result<bool, LedgerError>> + Send;
}

/// The host's storage failed.
#[derive(Debug)]
pub struct LedgerError(Box<dyn Error + Send + Sync>);

impl LedgerError {
    /// Wraps the storage's own error (or a message).
    pub fn new(source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self(source.into())
    }

    /// `ledger_failed`.
    pub fn code(&self) -> &'static str {
        "ledger_failed"
    }
}

impl fmt::Display for LedgerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the ledger failed: {}", self.0)
    }
}

impl Error for LedgerError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&*self.0)
    }
}

type Boxed<'a, T> = Pin<Box<dyn Future<Output = Result<T, LedgerError>> + Send + 'a>>;

trait Erased: Send + Sync {
    fn claim<'a>(&'a self, identity: &'a Identity, digest: &'a Digest) -> Boxed<'a, Claimed>;
    fn complete<'a>(
        &'a self,
        identity: &'a Identity,
        claim: ClaimId,
        result: &'a Map<String, Value>,
    ) -> Boxed<'a, bool>;
    fn release<'a>(&'a self, identity: &'a Identity, claim: ClaimId) -> Boxed<'a, bool>;
    fn abandon<'a>(&'a self, identity: &'a Identity) -> Boxed<'a, bool>;
}

impl<L: Ledger> Erased for L {
    fn claim<'a>(&'a self, identity: &'a Identity, digest: &'a Digest) -> Boxed<'a, Claimed> {
        Box::pin(Ledger::claim(self, identity, digest))
    }

    fn complete<'a>(
        &'a self,
        identity: &'a Identity,
        claim: ClaimId,
        result: &'a Map<String, Value>,
    ) -> Boxed<'a, bool> {
        Box::pin(Ledger::complete(self, identity, claim, result))
    }

    fn release<'a>(&'a self, identity: &'a Identity, claim: ClaimId) -> Boxed<'a, bool> {
        Box::pin(Ledger::release(self, identity, claim))
    }

    fn abandon<'a>(&'a self, identity: &'a Identity) -> Boxed<'a, bool> {
        Box::pin(Ledger::abandon(self, identity))
    }
}

/// A [`Ledger`] of any type behind one pointer, cheap to clone.
#[derive(Clone)]
pub struct SharedLedger(Arc<dyn Erased>);

impl SharedLedger {
    /// Wraps a ledger.
    pub fn new(ledger: impl Ledger + 'static) -> Self {
        Self(Arc::new(ledger))
    }
}

impl fmt::Debug for SharedLedger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedLedger").finish_non_exhaustive()
    }
}

impl Ledger for SharedLedger {
    async fn claim(&self, identity: &Identity, digest: &Digest) -> Result<Claimed, LedgerError> {
        self.0.claim(identity, digest).await
    }

    async fn complete(
        &self,
        identity: &Identity,
        claim: ClaimId,
        result: &Map<String, Value>,
    ) -> Result<bool, LedgerError> {
        self.0.complete(identity, claim, result).await
    }

    async fn release(&self, identity: &Identity, claim: ClaimId) -> Result<bool, LedgerError> {
        self.0.release(identity, claim).await
    }

    async fn abandon(&self, identity: &Identity) -> Result<bool, LedgerError> {
        self.0.abandon(identity).await
    }
}
