//! Mutations that run once, however often they are sent.
//!
//! A caller names each mutation by a request id that it makes up. The durable [`Identity`] is workspace,
//! session, kind, scope and that id; the [`Digest`] binds what was asked and by whom. The host keeps both
//! in a [`Ledger`], and [`admit`] says what to do with a request: run it, answer with the original result,
//! wait for the one that is running, or refuse it because the id was used for something else.
//!
//! ```
//! use cli_spec::idempotency::{Admission, Digest, Identity, MemoryLedger, admit};
//! use serde_json::json;
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let ledger = MemoryLedger::new();
//! let identity = Identity::new("ws-1", "session-1", "schedule", "issue-7", "req-1")?;
//! let digest = Digest::canonical(&json!({ "tasks": ["t1", "t2"] }), "session-1");
//!
//! let Admission::Fresh(claim) = admit(&identity, &digest, &ledger).await? else { unreachable!() };
//! let result = json!({ "run": "r1" }); // the mutation itself happens here
//! claim.complete(result.as_object().cloned().unwrap_or_default()).await?;
//!
//! let Admission::Replay(original) = admit(&identity, &digest, &ledger).await? else { unreachable!() };
//! assert_eq!(original["run"], "r1");
//! assert_eq!(original["replayed"], true);
//!
//! let other = Digest::canonical(&json!({ "tasks": ["t2", "t1"] }), "session-1");
//! assert!(matches!(admit(&identity, &other, &ledger).await?, Admission::Conflict));
//! # Ok(())
//! # }
//! # let mut context = std::task::Context::from_waker(std::task::Waker::noop());
//! # let future = std::pin::pin!(example());
//! # let std::task::Poll::Ready(done) = future.poll(&mut context) else { unreachable!() };
//! # done.unwrap();
//! ```
//!
//! # When a process dies between admission and completion
//!
//! Nobody can know from outside whether the mutation happened. The claim stays, and the same request is
//! [`Admission::InFlight`]: it fails closed. A host that stores its mutation and the completion in one
//! transaction knows after a restart that an unfinished claim means "did not happen" and frees it with
//! [`recover`]; a host that can't must look at the effect first. A process that comes back to life after
//! that can't complete: its claim is lost ([`CompleteError::ClaimLost`]).

mod digest;
mod ledger;
mod memory;

pub use digest::{Digest, DigestError};
pub use ledger::{ClaimId, Claimed, Entry, Ledger, LedgerError, SharedLedger};
pub use memory::MemoryLedger;

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::limits::IDENTITY_PART_CHARS;

/// The key that a replayed result carries with the value `true`.
pub const REPLAYED: &str = "replayed";

/// What makes two requests the same request.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", try_from = "Parts")]
pub struct Identity {
    workspace: String,
    session: String,
    kind: String,
    scope: String,
    request_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Parts {
    workspace: String,
    session: String,
    kind: String,
    scope: String,
    request_id: String,
}

impl TryFrom<Parts> for Identity {
    type Error = IdentityError;

    fn try_from(parts: Parts) -> Result<Self, IdentityError> {
        Self::new(parts.workspace, parts.session, parts.kind, parts.scope, parts.request_id)
    }
}

impl Identity {
    /// An identity from its five parts: the workspace, the source session, the kind of mutation, the scope
    /// within the workspace (a workflow or an issue), and the caller's request id.
    ///
    /// # Errors
    /// A part that is blank or longer than [`IDENTITY_PART_CHARS`].
    pub fn new(
        workspace: impl Into<String>,
        session: impl Into<String>,
        kind: impl Into<String>,
        scope: impl Into<String>,
        request_id: impl Into<String>,
    ) -> Result<Self, IdentityError> {
        let part = |name: &'static str, text: String| {
            if text.trim().is_empty() {
                Err(IdentityError::BlankPart { part: name })
            } else if text.chars().count() > IDENTITY_PART_CHARS {
                Err(IdentityError::PartTooLong { part: name })
            } else {
                Ok(text)
            }
        };
        Ok(Self {
            workspace: part("workspace", workspace.into())?,
            session: part("session", session.into())?,
            kind: part("kind", kind.into())?,
            scope: part("scope", scope.into())?,
            request_id: part("requestId", request_id.into())?,
        })
    }

    /// The workspace.
    pub fn workspace(&self) -> &str {
        &self.workspace
    }

    /// The session that the request comes from, as the host knows it (not as the caller says).
    pub fn session(&self) -> &str {
        &self.session
    }

    /// The kind of mutation, such as `schedule`.
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// What in the workspace is changed, such as an issue's id.
    pub fn scope(&self) -> &str {
        &self.scope
    }

    /// The caller's request id.
    pub fn request_id(&self) -> &str {
        &self.request_id
    }
}

/// Why parts are not an identity.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IdentityError {
    /// A part is blank.
    #[error("expected {part} to have text, found a blank one")]
    BlankPart {
        /// The part's name.
        part: &'static str,
    },
    /// A part is longer than [`IDENTITY_PART_CHARS`].
    #[error("expected {part} to have at most {IDENTITY_PART_CHARS} characters")]
    PartTooLong {
        /// The part's name.
        part: &'static str,
    },
}

impl IdentityError {
    /// `blank_identity_part` or `identity_part_too_long`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::BlankPart { .. } => "blank_identity_part",
            Self::PartTooLong { .. } => "identity_part_too_long",
        }
    }
}

/// What to do with a request.
#[must_use = "a claim that is neither completed nor released blocks its identity"]
pub enum Admission<'a, L: Ledger> {
    /// Nobody asked this before: run it, then end the claim.
    Fresh(Claim<'a, L>),
    /// The same request is running (or its process died): its outcome is open.
    InFlight,
    /// The same request has run: its original result, with `replayed: true`.
    Replay(Map<String, Value>),
    /// The request id was used for another payload or by another actor: refuse.
    Conflict,
}

impl<L: Ledger> fmt::Debug for Admission<'_, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fresh(claim) => f.debug_tuple("Fresh").field(claim).finish(),
            Self::Replay(result) => f.debug_tuple("Replay").field(result).finish(),
            Self::InFlight => f.write_str("InFlight"),
            Self::Conflict => f.write_str("Conflict"),
        }
    }
}

impl<L: Ledger> Admission<'_, L> {
    /// `fresh`, `in_flight`, `replay` or `conflict`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Fresh(_) => "fresh",
            Self::InFlight => "in_flight",
            Self::Replay(_) => "replay",
            Self::Conflict => "conflict",
        }
    }
}

/// Says what to do with the request of this identity and digest. Of many callers with one new identity
/// exactly one gets [`Admission::Fresh`], by the ledger's atomic insert.
///
/// # Errors
/// The ledger's own failure; then nothing may run.
pub async fn admit<'a, L: Ledger>(
    identity: &Identity,
    digest: &Digest,
    ledger: &'a L,
) -> Result<Admission<'a, L>, LedgerError> {
    Ok(match ledger.claim(identity, digest).await? {
        Claimed::Inserted(id) => Admission::Fresh(Claim { identity: identity.clone(), id, ledger }),
        Claimed::Present(entry) if entry.digest != *digest => Admission::Conflict,
        Claimed::Present(Entry { result: None, .. }) => Admission::InFlight,
        Claimed::Present(Entry { result: Some(mut result), .. }) => {
            result.insert(REPLAYED.to_owned(), Value::Bool(true));
            Admission::Replay(result)
        }
    })
}

/// Frees an unfinished claim whose owner is known to be gone, so that the request can run again; says
/// whether there was one. A finished one stays.
///
/// # Errors
/// The ledger's own failure.
pub async fn recover<L: Ledger>(identity: &Identity, ledger: &L) -> Result<bool, LedgerError> {
    ledger.abandon(identity).await
}

/// The right to run one mutation. Dropping it without [`complete`](Self::complete) or
/// [`release`](Self::release) leaves the identity in flight: nothing runs twice by accident.
#[must_use = "a claim that is neither completed nor released blocks its identity"]
pub struct Claim<'a, L: Ledger> {
    identity: Identity,
    id: ClaimId,
    ledger: &'a L,
}

impl<L: Ledger> fmt::Debug for Claim<'_, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Claim").field("identity", &self.identity).field("id", &self.id).finish_non_exhaustive()
    }
}

impl<L: Ledger> Claim<'_, L> {
    /// The identity that is claimed.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// The claim's number, for hosts that write the completion in their own transaction.
    pub fn id(&self) -> ClaimId {
        self.id
    }

    /// Stores the result: from now on the same request gets it back.
    ///
    /// # Errors
    /// [`CompleteError::ClaimLost`] when the claim was freed meanwhile; the ledger's own failure (the
    /// identity then stays in flight).
    pub async fn complete(self, result: Map<String, Value>) -> Result<(), CompleteError> {
        if self.ledger.complete(&self.identity, self.id, &result).await? {
            Ok(())
        } else {
            Err(CompleteError::ClaimLost)
        }
    }

    /// Gives the claim back because nothing was changed: the same request may run again.
    ///
    /// # Errors
    /// As [`complete`](Self::complete).
    pub async fn release(self) -> Result<(), CompleteError> {
        if self.ledger.release(&self.identity, self.id).await? { Ok(()) } else { Err(CompleteError::ClaimLost) }
    }
}

/// Why a claim could not be ended.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CompleteError {
    /// The claim was freed by [`recover`] in between.
    #[error("the claim is no longer held")]
    ClaimLost,
    /// The ledger failed.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
}

impl CompleteError {
    /// `claim_lost` or `ledger_failed`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::ClaimLost => "claim_lost",
            Self::Ledger(error) => error.code(),
        }
    }
}
