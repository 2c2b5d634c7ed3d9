//! An index gives what ranking all records gives: after any inserts, updates and removals, and along sessions.

use std::collections::BTreeMap;

use mention_contract::rank::{Index, Query, Session};
use proptest::prelude::*;

use crate::rank::{Note, from_hits, from_rank};

const WORDS: &[&str] = &[
    "fix",
    "fixed",
    "prefix",
    "Fix",
    "login",
    "logIn",
    "lo",
    "a",
    "b",
    "KAN-12",
    "kan-1",
    "12",
    "1",
    "#12",
    "é",
    "e",
    "résumé",
    "resume",
    "Re\u{301}sume\u{301}",
    "ﬁx",
    "ＦＩＸ",
    "\u{130}stanbul",
    "istanbul",
    "Straße",
    "strasse",
    "ΣΟΦΟΣ",
    "σοφος",
    "한국",
    "\u{1112}\u{1161}\u{11ab}",
    "하",
    "太郎",
    "山田太郎",
    "が",
    "か",
    "ｶﾞ",
    "don't",
    "-",
    "_",
    "/",
    ".",
    "@",
    "#",
    "\u{301}",
    "\u{0}",
    "internationalization",
    "internationalize",
    "😀",
    "क\u{93c}",
    "ไม้",
];

fn text(most: usize) -> impl Strategy<Value = String> {
    let part = (prop::sample::select(WORDS), prop::sample::select(&["", " ", " ", "-"][..]));
    prop::collection::vec(part, 0..=most)
        .prop_map(|parts| parts.into_iter().flat_map(|(word, between)| [word, between]).collect())
}

fn note() -> impl Strategy<Value = Note> {
    let date = prop::option::of(0_i64..3);
    (0..40_u8, prop::collection::vec(text(1), 0..3), text(4), text(5), date, prop::bool::weighted(0.1)).prop_map(
        |(id, handles, title, body, updated, hidden)| Note {
            id: id.to_string(),
            handles,
            title,
            body,
            updated,
            hidden,
        },
    )
}

fn query() -> impl Strategy<Value = String> {
    text(2)
}

#[derive(Clone, Debug)]
enum Step {
    Insert(Note),
    Update(Note),
    Remove(u8),
    Search(String, usize, Option<u8>),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => note().prop_map(Step::Insert),
        1 => note().prop_map(Step::Update),
        1 => (0..40_u8).prop_map(Step::Remove),
        3 => (query(), 0..9_usize, prop::option::weighted(0.2, 0..40_u8)).prop_map(|(text, limit, own)| Step::Search(text, limit, own)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

    #[test]
    fn an_index_agrees_with_rank(notes in prop::collection::vec(note(), 0..40), queries in prop::collection::vec(query(), 1..6), limit in 1..12_usize) {
        // Of two records with one id, the index has the later one.
        let last: BTreeMap<String, Note> = notes.iter().filter(|note| !note.hidden).map(|note| (note.id.clone(), note.clone())).collect();
        let last: Vec<Note> = last.into_values().collect();
        let index = Index::from_records(&notes);
        prop_assert_eq!(index.len(), last.len());
        for text in queries {
            let query = Query::new(text);
            prop_assert_eq!(from_hits(index.search(&query, limit)), from_rank(&last, &query, limit), "{:?}", query.text());
        }
    }

    #[test]
    fn an_index_agrees_with_rank_after_changes(start in prop::collection::vec(note(), 0..20), steps in prop::collection::vec(step(), 0..40)) {
        let mut known: BTreeMap<String, Note> = BTreeMap::new();
        for note in start.iter().filter(|note| !note.hidden) {
            known.insert(note.id.clone(), note.clone());
        }
        let mut index = Index::from_records(&start);
        let mut session = Session::new();
        for step in steps {
            match step {
                Step::Insert(note) => {
                    let was = known.remove(&note.id).is_some();
                    prop_assert_eq!(index.insert(&note), !was);
                    if !note.hidden {
                        known.insert(note.id.clone(), note);
                    }
                }
                Step::Update(note) => {
                    let was = known.remove(&note.id).is_some();
                    prop_assert_eq!(index.update(&note), was);
                    if !note.hidden {
                        known.insert(note.id.clone(), note);
                    }
                }
                Step::Remove(id) => {
                    prop_assert_eq!(index.remove(&id.to_string()), known.remove(&id.to_string()).is_some());
                }
                Step::Search(text, limit, own) => {
                    let query = Query::new(text).without(own.map(|own| own.to_string()));
                    let records: Vec<Note> = known.values().cloned().collect();
                    let expected = from_rank(&records, &query, limit);
                    prop_assert_eq!(from_hits(index.search(&query, limit)), expected.clone(), "{:?}", query.text());
                    prop_assert_eq!(from_hits(session.search(&index, &query, limit)), expected, "{:?}", query.text());
                }
            }
            prop_assert_eq!(index.len(), known.len());
        }
    }

    #[test]
    fn a_session_agrees_keystroke_by_keystroke(notes in prop::collection::vec(note(), 0..60), typed in text(3), limit in 1..6_usize) {
        let index = Index::from_records(&notes);
        let mut session = Session::new();
        for end in (0..=typed.len()).filter(|end| typed.is_char_boundary(*end)) {
            let query = Query::new(&typed[..end]);
            prop_assert_eq!(session.search(&index, &query, limit), index.search(&query, limit), "{:?}", query.text());
        }
    }
}

/// Small numbers in a fixed random order.
fn shuffled(seed: u64) -> impl Iterator<Item = usize> {
    let mut state = seed;
    std::iter::repeat_with(move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 40).unwrap()
    })
}

fn many(count: usize) -> Vec<Note> {
    let mut random = shuffled(7);
    let mut word = move || WORDS[random.next().unwrap() % WORDS.len()];
    (0..count)
        .map(|at| Note {
            id: format!("{:05}", at * 7919 % count),
            handles: vec![format!("REC-{at}")],
            title: format!("{} {} {} {at}", word(), word(), word()),
            body: format!("{} {} {}", word(), word(), word()),
            updated: Some(i64::try_from(at * 31 % 1000).unwrap()),
            hidden: false,
        })
        .collect()
}

#[test]
fn segments_of_thousands_agree_too() {
    // Beyond the records that are looked at one by one, and beyond what waits before it becomes a segment.
    let notes = many(6000);
    let whole = Index::from_records(&notes);
    let mut grown = Index::new();
    for note in &notes {
        grown.insert(note);
    }
    let mut session = Session::new();
    let queries = [
        "",
        "f",
        "fi",
        "fix",
        "fix l",
        "fix lo",
        "fix login",
        "rec-12",
        "12",
        "1",
        "login fix a",
        "e",
        "é",
        "résumé",
        "resume a",
        "iz",
        "internationaliz",
        "internationalizat",
        "internationalize fix",
        "太",
        "太郎",
        "fix nothing",
        "zzz",
        "-",
        "b a",
        "郎 fix",
        "fix\u{0}",
        "tern",
    ];
    for text in queries {
        for limit in [1, 8, 100, 10_000] {
            let query = Query::new(text);
            let expected = from_rank(&notes, &query, limit);
            assert_eq!(from_hits(whole.search(&query, limit)), expected, "{text:?}, {limit}");
            assert_eq!(from_hits(grown.search(&query, limit)), expected, "{text:?}, {limit}, grown");
            assert_eq!(from_hits(session.search(&grown, &query, limit)), expected, "{text:?}, {limit}, in a session");
        }
    }
}

#[test]
fn an_index_that_loses_most_of_its_records_agrees_too() {
    let notes = many(3000);
    let mut index = Index::from_records(&notes);
    for note in &notes[..2600] {
        assert!(index.remove(&note.id));
        assert!(!index.remove(&note.id));
    }
    assert_eq!(index.len(), 400);
    for text in ["fix", "login a", "e", "rec-29", ""] {
        let query = Query::new(text);
        assert_eq!(from_hits(index.search(&query, 20)), from_rank(&notes[2600..], &query, 20), "{text:?}");
    }
    for note in &notes[2600..] {
        assert!(index.contains(&note.id) && index.remove(&note.id));
    }
    assert!(index.is_empty());
    assert_eq!(index.search(&Query::new("fix"), 8), []);
}

#[test]
fn a_hidden_record_comes_back_when_it_is_updated() {
    let mut note = Note::new("1", "fix");
    let mut index = Index::from_records([&note]);
    note.hidden = true;
    assert!(index.update(&note));
    assert!(index.is_empty());
    note.hidden = false;
    assert!(!index.update(&note));
    assert_eq!(index.search(&Query::new("fix"), 8).len(), 1);
}
