//! Replay, conflict, crashes and concurrent callers over the ledger in memory.

use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering};

use cli_spec::idempotency::{
    Admission, ClaimId, Claimed, Digest, Identity, Ledger, LedgerError, MemoryLedger, SharedLedger, admit, recover,
};
use serde_json::{Map, Value, json};
use sha2::Digest as _;

use crate::support::now;

fn identity(request: &str) -> Identity {
    Identity::new("ws-1", "session-1", "schedule", "issue-7", request).unwrap()
}

fn digest(payload: Value) -> Digest {
    Digest::canonical(&payload, "session-1")
}

fn object(value: Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

/// Admits and gives back the word for the outcome; a claim is left behind, as by a crash.
fn outcome(ledger: &impl Ledger, identity: &Identity, digest: &Digest) -> &'static str {
    now(admit(identity, digest, ledger)).unwrap().code()
}

fn run(ledger: &impl Ledger, identity: &Identity, digest: &Digest, result: Value) {
    let Admission::Fresh(claim) = now(admit(identity, digest, ledger)).unwrap() else { panic!("not fresh") };
    now(claim.complete(object(result))).unwrap();
}

#[test]
fn the_same_request_gets_the_original_result_and_is_told_so() {
    let ledger = MemoryLedger::new();
    let asked = digest(json!({ "tasks": ["t1", "t2"] }));
    run(&ledger, &identity("r1"), &asked, json!({ "run": "run-1", "replayed": false }));
    for _ in 0..3 {
        let Admission::Replay(result) = now(admit(&identity("r1"), &asked, &ledger)).unwrap() else {
            panic!("no replay")
        };
        assert_eq!(Value::Object(result), json!({ "run": "run-1", "replayed": true }));
    }
}

#[test]
fn another_payload_or_actor_under_the_same_identity_conflicts() {
    let ledger = MemoryLedger::new();
    let asked = digest(json!({ "tasks": ["t1", "t2"], "revision": 4 }));
    let others = [
        digest(json!({ "tasks": ["t2", "t1"], "revision": 4 })),
        digest(json!({ "tasks": ["t1", "t2"], "revision": 5 })),
        digest(json!({ "tasks": ["t1", "t2"] })),
        Digest::canonical(&json!({ "tasks": ["t1", "t2"], "revision": 4 }), "session-2"),
    ];
    assert_eq!(outcome(&ledger, &identity("r1"), &asked), "fresh");
    for other in &others {
        assert_eq!(outcome(&ledger, &identity("r1"), other), "conflict", "while it runs");
    }
    now(recover(&identity("r1"), &ledger)).unwrap();
    run(&ledger, &identity("r1"), &asked, json!({}));
    for other in &others {
        assert_eq!(outcome(&ledger, &identity("r1"), other), "conflict", "after it ran");
    }
    assert_eq!(outcome(&ledger, &identity("r1"), &asked), "replay");
}

#[test]
fn a_new_request_id_is_a_new_mutation() {
    let ledger = MemoryLedger::new();
    let asked = digest(json!({}));
    run(&ledger, &identity("r1"), &asked, json!({ "n": 1 }));
    let parts = [
        identity("r2"),
        Identity::new("ws-2", "session-1", "schedule", "issue-7", "r1").unwrap(),
        Identity::new("ws-1", "session-2", "schedule", "issue-7", "r1").unwrap(),
        Identity::new("ws-1", "session-1", "mutate", "issue-7", "r1").unwrap(),
        Identity::new("ws-1", "session-1", "schedule", "issue-8", "r1").unwrap(),
    ];
    for other in parts {
        assert_eq!(outcome(&ledger, &other, &asked), "fresh", "{other:?}");
    }
}

#[test]
fn a_crash_between_admission_and_completion_fails_closed() {
    let ledger = MemoryLedger::new();
    let asked = digest(json!({}));
    // The claim is dropped without an end, as when the process dies.
    assert_eq!(outcome(&ledger, &identity("r1"), &asked), "fresh");
    assert_eq!(outcome(&ledger, &identity("r1"), &asked), "in_flight");
    assert_eq!(outcome(&ledger, &identity("r1"), &asked), "in_flight");
    // The host knows after a restart that nothing was committed.
    assert!(now(recover(&identity("r1"), &ledger)).unwrap());
    assert!(!now(recover(&identity("r1"), &ledger)).unwrap());
    run(&ledger, &identity("r1"), &asked, json!({ "n": 1 }));
    // What has completed is never freed.
    assert!(!now(recover(&identity("r1"), &ledger)).unwrap());
    assert_eq!(outcome(&ledger, &identity("r1"), &asked), "replay");
}

#[test]
fn the_owner_of_a_freed_claim_can_end_nothing() {
    let ledger = MemoryLedger::new();
    let asked = digest(json!({}));
    let Admission::Fresh(stale) = now(admit(&identity("r1"), &asked, &ledger)).unwrap() else { panic!("not fresh") };
    assert!(now(recover(&identity("r1"), &ledger)).unwrap());
    let Admission::Fresh(current) = now(admit(&identity("r1"), &asked, &ledger)).unwrap() else { panic!("not fresh") };
    assert_ne!(stale.id(), current.id());
    assert_eq!(now(stale.complete(object(json!({ "from": "stale" })))).unwrap_err().code(), "claim_lost");
    now(current.complete(object(json!({ "from": "current" })))).unwrap();
    let Admission::Replay(result) = now(admit(&identity("r1"), &asked, &ledger)).unwrap() else { panic!("no replay") };
    assert_eq!(result["from"], "current");
}

#[test]
fn a_released_claim_may_run_again() {
    let ledger = MemoryLedger::new();
    let asked = digest(json!({}));
    let Admission::Fresh(claim) = now(admit(&identity("r1"), &asked, &ledger)).unwrap() else { panic!("not fresh") };
    assert_eq!(claim.identity(), &identity("r1"));
    now(claim.release()).unwrap();
    assert!(ledger.is_empty());
    // Even with another payload: nothing was changed under that id.
    run(&ledger, &identity("r1"), &digest(json!({ "other": true })), json!({}));
    assert_eq!(ledger.len(), 1);
    ledger.forget(&identity("r1"));
    assert!(ledger.is_empty());
}

#[test]
fn of_many_callers_exactly_one_runs() {
    let ledger = SharedLedger::new(MemoryLedger::new());
    let asked = digest(json!({ "tasks": [1, 2, 3] }));
    let (fresh, in_flight, replay) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
    let (callers, rounds) = (8, 200);
    let barrier = Barrier::new(callers);
    std::thread::scope(|scope| {
        for caller in 0..callers {
            let (ledger, asked) = (ledger.clone(), asked);
            let (fresh, in_flight, replay, barrier) = (&fresh, &in_flight, &replay, &barrier);
            scope.spawn(move || {
                for round in 0..rounds {
                    barrier.wait();
                    match now(admit(&identity(&format!("r{round}")), &asked, &ledger)).unwrap() {
                        Admission::Fresh(claim) => {
                            fresh.fetch_add(1, Ordering::Relaxed);
                            now(claim.complete(object(json!({ "by": caller })))).unwrap();
                        }
                        Admission::InFlight => drop(in_flight.fetch_add(1, Ordering::Relaxed)),
                        Admission::Replay(_) => drop(replay.fetch_add(1, Ordering::Relaxed)),
                        Admission::Conflict => panic!("a conflict with itself"),
                    }
                }
            });
        }
    });
    assert_eq!(fresh.load(Ordering::Relaxed), rounds);
    assert_eq!(in_flight.load(Ordering::Relaxed) + replay.load(Ordering::Relaxed), rounds * (callers - 1));
    for round in 0..rounds {
        assert_eq!(outcome(&ledger, &identity(&format!("r{round}")), &asked), "replay");
    }
}

/// A ledger whose storage is gone for one kind of operation.
struct Broken(MemoryLedger, &'static str);

impl Broken {
    fn check(&self, operation: &str) -> Result<(), LedgerError> {
        if self.1 == operation { Err(LedgerError::new("disk full")) } else { Ok(()) }
    }
}

impl Ledger for Broken {
    async fn claim(&self, identity: &Identity, digest: &Digest) -> Result<Claimed, LedgerError> {
        self.check("claim")?;
        self.0.claim(identity, digest).await
    }

    async fn complete(
        &self,
        identity: &Identity,
        claim: ClaimId,
        result: &Map<String, Value>,
    ) -> Result<bool, LedgerError> {
        self.check("complete")?;
        self.0.complete(identity, claim, result).await
    }

    async fn release(&self, identity: &Identity, claim: ClaimId) -> Result<bool, LedgerError> {
        self.check("release")?;
        self.0.release(identity, claim).await
    }

    async fn abandon(&self, identity: &Identity) -> Result<bool, LedgerError> {
        self.check("abandon")?;
        self.0.abandon(identity).await
    }
}

#[test]
fn a_ledger_that_fails_admits_nothing_and_keeps_the_claim() {
    let asked = digest(json!({}));
    let broken = Broken(MemoryLedger::new(), "claim");
    let error = now(admit(&identity("r1"), &asked, &broken)).unwrap_err();
    assert_eq!((error.code(), error.to_string()), ("ledger_failed", "the ledger failed: disk full".to_owned()));

    let broken = Broken(MemoryLedger::new(), "complete");
    let Admission::Fresh(claim) = now(admit(&identity("r1"), &asked, &broken)).unwrap() else { panic!("not fresh") };
    assert_eq!(now(claim.complete(Map::new())).unwrap_err().code(), "ledger_failed");
    assert_eq!(outcome(&broken, &identity("r1"), &asked), "in_flight");
}

#[test]
fn canonical_json_ignores_key_order_and_number_spelling_only() {
    let text = |text: &str| Digest::canonical(&serde_json::from_str(text).unwrap(), "a");
    let same = [r#"{"b":[1,2],"a":{"y":"\u0041","x":3}}"#, r#" { "a" : {"x":3.0, "y":"A"}, "b":[1,2e0] } "#];
    assert_eq!(text(same[0]), text(same[1]));
    assert_eq!(text("-0.0"), text("0"));
    for (left, right) in [
        ("[1,2]", "[2,1]"),
        (r#"{"a":null}"#, "{}"),
        ("1", r#""1""#),
        ("9007199254740993", "9007199254740992"),
        ("18446744073709551615", "18446744073709551614"),
        ("1.5", "1.25"),
        ("[]", "{}"),
        (r#"["a,b"]"#, r#"["a","b"]"#),
        (r#"{"a":"\",\"b\":\""}"#, r#"{"a":"","b":""}"#),
        (r#""e\u0301""#, r#""\u00e9""#),
    ] {
        assert_ne!(text(left), text(right), "{left} {right}");
    }
}

#[test]
fn exact_bytes_are_not_canonical_json_and_parts_cannot_move() {
    assert_ne!(Digest::exact(b"{}", "a"), Digest::exact(b"{ }", "a"));
    assert_ne!(Digest::exact(b"{}", "a"), Digest::canonical(&json!({}), "a"));
    assert_ne!(Digest::exact(b"bc", "a"), Digest::exact(b"c", "ab"));
    assert_ne!(Digest::exact(b"", "a"), Digest::exact(b"a", ""));
}

#[test]
fn the_digest_is_sha_256_over_length_prefixed_parts() {
    let mut bytes = Vec::new();
    for part in [&b"exact"[..], b"actor", b"payload"] {
        bytes.extend((part.len() as u64).to_be_bytes());
        bytes.extend(part);
    }
    let expected: [u8; 32] = sha2::Sha256::digest(&bytes).into();
    let digest = Digest::exact(b"payload", "actor");
    assert_eq!(digest.as_bytes(), &expected);
    let text = digest.to_string();
    assert_eq!(text.len(), 64);
    assert_eq!(text.parse::<Digest>().unwrap(), digest);
    assert_eq!(serde_json::from_str::<Digest>(&format!("\"{text}\"")).unwrap(), digest);
    for bad in [
        String::new(),
        text[..62].to_owned(),
        text.to_uppercase().replace(char::is_numeric, "A"),
        format!("{text}0"),
        "é".repeat(32),
    ] {
        assert_eq!(bad.parse::<Digest>().unwrap_err().code(), "invalid_digest", "{bad}");
    }
}

#[test]
fn identities_have_no_blank_or_endless_parts() {
    let new = |parts: &[String; 5]| {
        let [workspace, session, kind, scope, request] = parts.clone();
        Identity::new(workspace, session, kind, scope, request)
    };
    for at in 0..5 {
        for (part, code) in [(" \t".to_owned(), "blank_identity_part"), ("x".repeat(513), "identity_part_too_long")] {
            let mut parts = ["a", "b", "c", "d", "e"].map(str::to_owned);
            parts[at] = part;
            assert_eq!(new(&parts).unwrap_err().code(), code);
            let text = json!({ "workspace": parts[0], "session": parts[1], "kind": parts[2], "scope": parts[3], "requestId": parts[4] });
            assert!(serde_json::from_value::<Identity>(text).is_err());
        }
    }
    let longest = identity(&"ä".repeat(512));
    let text = serde_json::to_value(&longest).unwrap();
    assert_eq!(text["requestId"].as_str(), Some(longest.request_id()));
    assert_eq!(serde_json::from_value::<Identity>(text).unwrap(), longest);
}
