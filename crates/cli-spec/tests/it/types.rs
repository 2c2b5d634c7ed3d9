//! What holds for every public type of the second half of the crate.

use std::error::Error;
use std::fmt::Debug;

use cli_spec::{app, export, idempotency, policy, wait};

fn shared<T: Send + Sync + Unpin + Debug + 'static>() {}
fn value<T: Send + Sync + Unpin + Debug + Clone + 'static>() {}
fn equal<T: Send + Sync + Unpin + Debug + Clone + PartialEq + 'static>() {}
fn error<T: Error + Send + Sync + Unpin + 'static>() {}

#[test]
fn public_types_have_the_traits_that_hosts_need() {
    equal::<app::App>();
    equal::<app::AppCommand>();
    equal::<app::Handler>();
    equal::<app::HandlerAnswer>();
    equal::<app::HandlerCall>();
    equal::<app::Invocation>();
    equal::<app::Manifest>();
    equal::<app::Problem>();
    equal::<app::ScopeIssue>();
    equal::<app::ScopeSet>();
    equal::<app::ScopeState>();
    equal::<app::ScopeStatus>();
    equal::<app::TransportError>();
    value::<app::Apps>();
    equal::<export::Entry>();
    equal::<export::Names>();
    equal::<export::mcp::Tool>();
    value::<export::mcp::Tools>();
    value::<export::openai::Tools>();
    equal::<idempotency::ClaimId>();
    equal::<idempotency::Claimed>();
    equal::<idempotency::Digest>();
    equal::<idempotency::Entry>();
    equal::<idempotency::Identity>();
    shared::<idempotency::MemoryLedger>();
    value::<idempotency::SharedLedger>();
    shared::<idempotency::Claim<'static, idempotency::MemoryLedger>>();
    shared::<idempotency::Admission<'static, idempotency::MemoryLedger>>();
    equal::<policy::Allowlist>();
    equal::<policy::Catalogue>();
    equal::<policy::Listed<'static>>();
    equal::<policy::Tool>();
    equal::<wait::Answer>();
    equal::<wait::End>();
    equal::<wait::Step>();
    value::<wait::Loop>();
}

#[test]
fn errors_are_owned_and_can_be_sent() {
    error::<app::AppIdError>();
    error::<app::CallError>();
    error::<app::HandlerError>();
    error::<app::InvocationError>();
    error::<app::ManifestError>();
    error::<export::openai::CallError>();
    error::<idempotency::CompleteError>();
    error::<idempotency::DigestError>();
    error::<idempotency::IdentityError>();
    error::<idempotency::LedgerError>();
    error::<policy::Denial>();
}

#[test]
fn futures_can_be_sent() {
    fn sent<F: Future + Send>(_: F) {}
    let ledger = idempotency::MemoryLedger::new();
    let identity = idempotency::Identity::new("a", "b", "c", "d", "e").unwrap();
    let digest = idempotency::Digest::exact(b"", "a");
    sent(idempotency::admit(&identity, &digest, &ledger));
    sent(idempotency::recover(&identity, &ledger));
}
