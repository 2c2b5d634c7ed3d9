//! The ledger in the desk's file, also across connections.

use cli_spec::idempotency::{Admission, CompleteError, Digest, Identity, admit, recover};
use desk::store::Store;
use serde_json::{Value, json};

use crate::world::Folder;

fn now<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
}

fn identity(request: &str) -> Identity {
    Identity::new("local", "session", "import", "project", request).unwrap()
}

fn digest(value: &Value) -> Digest {
    Digest::canonical(value, "session")
}

#[test]
fn replay_conflict_and_in_flight() {
    let folder = Folder::new();
    let store = Store::open(&folder.path().join("a.db")).unwrap();
    let (id, same, other) = (identity("r1"), digest(&json!({ "a": 1 })), digest(&json!({ "a": 2 })));
    let Admission::Fresh(claim) = now(admit(&id, &same, &store)).unwrap() else { panic!("not fresh") };
    assert_eq!(now(admit(&id, &same, &store)).unwrap().code(), "in_flight");
    assert_eq!(now(admit(&id, &other, &store)).unwrap().code(), "conflict");
    now(claim.complete(json!({ "n": 18_446_744_073_709_551_615_u64 }).as_object().unwrap().clone())).unwrap();
    let again = Store::open(&folder.path().join("a.db")).unwrap();
    let Admission::Replay(result) = now(admit(&id, &same, &again)).unwrap() else { panic!("no replay") };
    assert_eq!(Value::Object(result), json!({ "n": 18_446_744_073_709_551_615_u64, "replayed": true }));
    assert_eq!(now(admit(&id, &other, &again)).unwrap().code(), "conflict");
    assert!(!now(recover(&id, &again)).unwrap());
    assert_eq!(now(admit(&identity("r2"), &other, &again)).unwrap().code(), "fresh");
}

#[test]
fn a_claim_of_a_dead_process_stays_until_it_is_recovered() {
    let folder = Folder::new();
    let file = folder.path().join("a.db");
    let (id, digest) = (identity("r1"), digest(&json!({})));
    let dead = Store::open(&file).unwrap();
    let Admission::Fresh(lost) = now(admit(&id, &digest, &dead)).unwrap() else { panic!("not fresh") };
    let store = Store::open(&file).unwrap();
    assert_eq!(now(admit(&id, &digest, &store)).unwrap().code(), "in_flight");
    assert!(now(recover(&id, &store)).unwrap());
    let Admission::Fresh(claim) = now(admit(&id, &digest, &store)).unwrap() else { panic!("not fresh") };
    assert!(matches!(now(lost.complete(serde_json::Map::new())), Err(CompleteError::ClaimLost)));
    now(claim.release()).unwrap();
    assert_eq!(now(admit(&id, &digest, &store)).unwrap().code(), "fresh");
}

#[test]
fn of_many_callers_on_two_connections_one_is_fresh() {
    let folder = Folder::new();
    let stores = [0, 1].map(|_| Store::open(&folder.path().join("a.db")).unwrap());
    for round in 0..20 {
        let (id, digest) = (identity(&format!("r{round}")), digest(&json!({})));
        let fresh = std::thread::scope(|scope| {
            let callers: Vec<_> = (0..8)
                .map(|n| {
                    let (store, id, digest) = (&stores[n % 2], &id, &digest);
                    scope.spawn(move || now(admit(id, digest, store)).unwrap().code() == "fresh")
                })
                .collect();
            callers.into_iter().map(|caller| usize::from(caller.join().unwrap())).sum::<usize>()
        });
        assert_eq!(fresh, 1);
    }
}
