//! Tiers, ties, exclusions and match ranges, and the reported cases about them.

use std::ops::Range;

use mention_contract::rank::{Hit, Index, Query, Record, Tier, Updated, rank};
use proptest::prelude::*;

/// A record to rank.
#[derive(Clone, Debug, Default)]
pub(crate) struct Note {
    pub(crate) id: String,
    pub(crate) handles: Vec<String>,
    pub(crate) title: String,
    pub(crate) body: String,
    pub(crate) updated: Option<i64>,
    pub(crate) hidden: bool,
}

impl Note {
    pub(crate) fn new(id: &str, title: &str) -> Self {
        Self { id: id.into(), title: title.into(), ..Self::default() }
    }

    fn handle(mut self, handle: &str) -> Self {
        self.handles.push(handle.into());
        self
    }

    fn body(mut self, body: &str) -> Self {
        self.body = body.into();
        self
    }

    fn updated(mut self, date: &str) -> Self {
        self.updated = Updated::from_rfc3339(date).map(Updated::unix_micros);
        self
    }

    fn hidden(mut self) -> Self {
        self.hidden = true;
        self
    }
}

impl Record for Note {
    type Id = String;

    fn id(&self) -> String {
        self.id.clone()
    }

    fn handles(&self) -> impl Iterator<Item = &str> {
        self.handles.iter().map(String::as_str)
    }

    fn title(&self) -> &str {
        &self.title
    }

    fn body(&self) -> &str {
        &self.body
    }

    fn updated_at(&self) -> Option<Updated> {
        self.updated.map(Updated::from_unix_micros)
    }

    fn hidden(&self) -> bool {
        self.hidden
    }
}

/// What a search gives, to compare: ids with tiers and ranges.
pub(crate) type Found = Vec<(String, Tier, Vec<Range<usize>>)>;

pub(crate) fn from_rank(notes: &[Note], query: &Query, limit: usize) -> Found {
    let found = |hit: Hit<&Note>| (hit.record.id.clone(), hit.tier, hit.ranges);
    rank(notes, query, limit).into_iter().map(found).collect()
}

pub(crate) fn from_hits(hits: Vec<Hit<String>>) -> Found {
    hits.into_iter().map(|hit| (hit.record, hit.tier, hit.ranges)).collect()
}

/// Ranks in the order given, backwards, and by an index, and expects the same each time.
#[track_caller]
fn search(notes: &[Note], query: &Query) -> Found {
    let forwards = from_rank(notes, query, 50);
    let backwards: Vec<Note> = notes.iter().rev().cloned().collect();
    assert_eq!(from_rank(&backwards, query, 50), forwards, "the order of the input shows");
    assert_eq!(from_hits(Index::from_records(notes).search(query, 50)), forwards, "index and rank differ");
    forwards
}

#[track_caller]
fn expect(notes: &[Note], query: &str, expected: &[(&str, Tier)]) {
    let found = search(notes, &Query::new(query));
    let found: Vec<(&str, Tier)> = found.iter().map(|(id, tier, _)| (id.as_str(), *tier)).collect();
    assert_eq!(found, expected, "{query:?}");
}

#[track_caller]
fn expect_ranges(title: &str, query: &str, tier: Tier, parts: &[&str]) {
    let found = search(&[Note::new("1", title)], &Query::new(query));
    let [(_, found_tier, ranges)] = found.as_slice() else {
        panic!("{query:?} does not find {title:?}");
    };
    assert_eq!(*found_tier, tier, "{query:?} in {title:?}");
    let found: Vec<&str> = ranges.iter().map(|range| title.get(range.clone()).expect("character boundaries")).collect();
    assert_eq!(found, parts, "{query:?} in {title:?}");
    assert!(ranges.windows(2).all(|pair| pair[0].end < pair[1].start), "{ranges:?} are apart and ascend");
}

#[test]
fn each_tier_comes_before_the_next() {
    let notes = [
        Note::new("body", "Other").body("about fix lo in the body"),
        Note::new("inside", "a prefix log"),
        Note::new("words", "Logs to fix"),
        Note::new("prefix", "Fix login"),
        Note::new("equal", "fix LO"),
        Note::new("handle-prefix", "x").handle("fix lolly"),
        Note::new("handle", "y").handle("Fix Lo"),
        Note::new("none", "fixing nothing"),
    ];
    expect(
        &notes,
        "fix lo",
        &[
            ("handle", Tier::ExactHandle),
            ("handle-prefix", Tier::HandlePrefix),
            ("equal", Tier::TitlePrefix),
            ("prefix", Tier::TitlePrefix),
            ("words", Tier::WordStarts),
            ("inside", Tier::InTitle),
            ("body", Tier::InBody),
        ],
    );
}

#[test]
fn a_handle_is_found_by_its_name_and_by_its_number() {
    let notes = [
        Note::new("a", "one").handle("KAN-12"),
        Note::new("b", "two").handle("KAN-1"),
        Note::new("c", "three").handle("KAN-120"),
        Note::new("d", "four").handle("ABC-DEF"),
        Note::new("e", "five").handle("kan-12-b"),
    ];
    let exact = [("a", Tier::ExactHandle), ("c", Tier::HandlePrefix)];
    for query in ["12", "#12", "@12"] {
        expect(&notes, query, &exact);
    }
    let named = [("a", Tier::ExactHandle), ("e", Tier::HandlePrefix), ("c", Tier::HandlePrefix)];
    for query in ["KAN-12", "kan-12", "#KAN-12", "ＫＡＮ-12"] {
        expect(&notes, query, &named);
    }
    expect(
        &notes,
        "KAN-1",
        &[("b", Tier::ExactHandle), ("e", Tier::HandlePrefix), ("a", Tier::HandlePrefix), ("c", Tier::HandlePrefix)],
    );
    expect(&notes, "1", &[("b", Tier::ExactHandle), ("a", Tier::HandlePrefix), ("c", Tier::HandlePrefix)]);
    expect(&notes, "2", &[]);
    expect(&notes, "def", &[]);
}

#[test]
fn a_handle_may_be_written_with_its_sigil() {
    expect(&[Note::new("a", "x").handle("@chief")], "chief", &[("a", Tier::ExactHandle)]);
    expect(&[Note::new("a", "x").handle("#7")], "#7", &[("a", Tier::ExactHandle)]);
    expect(&[Note::new("a", "x").handle("").handle("#")], "#", &[("a", Tier::Recent)]);
}

#[test]
fn ties_go_by_date_then_title_then_id() {
    let notes = [
        Note::new("1", "note b"),
        Note::new("2", "note a"),
        Note::new("4", "note c").updated("2026-01-01T00:00:00Z"),
        Note::new("3", "note c").updated("2026-01-01T01:00:00+01:00"),
        Note::new("5", "note z").updated("2026-01-02T00:00:00Z"),
    ];
    let expected = ["5", "3", "4", "2", "1"].map(|id| (id, Tier::TitlePrefix));
    expect(&notes, "note", &expected);
}

#[test]
fn hidden_records_and_the_own_one_are_left_out() {
    let notes = [Note::new("deleted", "fix it").hidden(), Note::new("asking", "fix it"), Note::new("other", "fix it")];
    let ids = |query: Query| search(&notes, &query).into_iter().map(|found| found.0).collect::<Vec<_>>();
    assert_eq!(ids(Query::new("fix")), ["asking", "other"]);
    assert_eq!(ids(Query::new("fix").without("asking".to_owned())), ["other"]);
    assert_eq!(ids(Query::new("").without("asking".to_owned())), ["other"]);
    assert_eq!(ids(Query::new("").without(None)), ["asking", "other"]);
}

#[test]
fn a_record_given_twice_is_one_with_its_better_rank() {
    let notes =
        [Note::new("a", "x").body("fix"), Note::new("a", "fix"), Note::new("a", "prefix"), Note::new("b", "to fix")];
    let found = from_rank(&notes, &Query::new("fix"), 8);
    assert_eq!(
        found.iter().map(|found| (found.0.as_str(), found.1)).collect::<Vec<_>>(),
        [("a", Tier::TitlePrefix), ("b", Tier::WordStarts)]
    );
}

#[test]
fn the_limit_counts_records_and_0_gives_none() {
    let notes = [Note::new("a", "fix"), Note::new("a", "fix"), Note::new("b", "fix"), Note::new("c", "fix")];
    assert_eq!(from_rank(&notes, &Query::new("fix"), 2).len(), 2);
    assert_eq!(from_rank(&notes, &Query::new("fix"), 0).len(), 0);
    assert_eq!(Index::from_records(&notes).search(&Query::new("fix"), 0).len(), 0);
    assert_eq!(Index::from_records(&notes).search(&Query::new("fix"), usize::MAX).len(), 3);
}

#[test]
fn diacritics_are_ignored_but_the_exact_ones_come_first_within_a_tier() {
    let notes = [
        Note::new("plain", "resume draft").updated("2026-01-03T00:00:00Z"),
        Note::new("accented", "Résumé draft").updated("2026-01-01T00:00:00Z"),
        Note::new("decomposed", "Re\u{301}sume\u{301} old"),
        Note::new("later", "my résumé").updated("2026-01-04T00:00:00Z"),
        Note::new("body", "x").body("a résumé").updated("2025-01-01T00:00:00Z"),
        Note::new("plain body", "y").body("a resume").updated("2026-01-01T00:00:00Z"),
        Note::new("handle", "z").handle("résumé").updated("2020-01-01T00:00:00Z"),
        Note::new("plain handle", "z").handle("resume").updated("2026-01-01T00:00:00Z"),
    ];
    let (prefix, handle, body) = (Tier::TitlePrefix, Tier::ExactHandle, Tier::InBody);
    expect(
        &notes,
        "resume",
        &[
            ("plain handle", handle),
            ("handle", handle),
            ("plain", prefix),
            ("accented", prefix),
            ("decomposed", prefix),
            ("later", Tier::WordStarts),
            ("plain body", body),
            ("body", body),
        ],
    );
    for query in ["résumé", "RE\u{301}SUME\u{301}"] {
        expect(
            &notes,
            query,
            &[
                ("handle", handle),
                ("plain handle", handle),
                ("accented", prefix),
                ("decomposed", prefix),
                ("plain", prefix),
                ("later", Tier::WordStarts),
                ("body", body),
                ("plain body", body),
            ],
        );
    }
}

#[test]
fn the_ranges_are_parts_of_the_original_title() {
    expect_ranges("Fix login redirect", "fix lo", Tier::TitlePrefix, &["Fix lo"]);
    expect_ranges("  Fix it", "fix", Tier::TitlePrefix, &["Fix"]);
    expect_ranges("login: Fix it", "fix lo", Tier::WordStarts, &["lo", "Fix"]);
    expect_ranges("openFileDialog", "file dia", Tier::WordStarts, &["FileDia"]);
    expect_ranges("a prefix", "efi", Tier::InTitle, &["efi"]);
    expect_ranges("résumé", "resume", Tier::TitlePrefix, &["résumé"]);
    expect_ranges("my Re\u{301}sume\u{301} x", "resum", Tier::WordStarts, &["Re\u{301}sum"]);
    expect_ranges("my Re\u{301}sume\u{301} x", "resume", Tier::WordStarts, &["Re\u{301}sume\u{301}"]);
    expect_ranges("ﬁx it", "f", Tier::TitlePrefix, &["ﬁ"]);
    expect_ranges("ﬁx it", "fi", Tier::TitlePrefix, &["ﬁ"]);
    expect_ranges("ﬁx it", "ix", Tier::InTitle, &["ﬁx"]);
    expect_ranges("Ｆｉｘ", "fix", Tier::TitlePrefix, &["Ｆｉｘ"]);
    expect_ranges("Große Straße", "strasse", Tier::WordStarts, &["Straße"]);
    expect_ranges("Große Straße", "stras", Tier::WordStarts, &["Straß"]);
    expect_ranges("ΟΔΟΣ ΣΟΦΙΑΣ", "οδοσ σοφιας", Tier::TitlePrefix, &["ΟΔΟΣ ΣΟΦΙΑΣ"]);
    expect_ranges("이 \u{1112}\u{1161}\u{11ab}국", "한국", Tier::WordStarts, &["\u{1112}\u{1161}\u{11ab}국"]);
    expect_ranges("ｶﾞｷﾞ", "ガ", Tier::TitlePrefix, &["ｶﾞ"]);
    expect_ranges("お寿司屋", "寿司", Tier::WordStarts, &["寿司"]);
    expect_ranges("㍿山田", "山田", Tier::WordStarts, &["山田"]);
}

#[test]
fn hits_by_handle_or_body_mark_nothing_in_the_title() {
    let notes = [Note::new("a", "kan").handle("kan-1"), Note::new("b", "x").body("about kan-1")];
    for (_, _, ranges) in search(&notes, &Query::new("kan-1")) {
        assert!(ranges.is_empty());
    }
}

#[test]
fn search_03_a_body_never_outranks_a_title() {
    let notes = [
        Note::new("a", "composer").updated("2020-01-01T00:00:00Z"),
        Note::new("b", "x").body(&"composer ".repeat(50)).updated("2026-01-01T00:00:00Z"),
    ];
    expect(&notes, "compos", &[("a", Tier::TitlePrefix), ("b", Tier::InBody)]);
}

#[test]
fn search_05_hyphen_underscore_dot_and_slash_separate_words() {
    let notes = [Note::new("1", "open-file"), Note::new("2", "open_file.md"), Note::new("3", "reopen profile")];
    expect(&notes, "open file", &[("1", Tier::WordStarts), ("2", Tier::WordStarts)]);
    for title in ["my.open.file", "my/open/file", "my_open_file", "my-open-file", "my openFile", "my open2file"] {
        expect(&[Note::new("1", title)], "file open", &[("1", Tier::WordStarts)]);
    }
    expect(&[Note::new("1", "myopenfile")], "file open", &[]);
}

#[test]
fn search_08_folding_that_changes_length() {
    expect_ranges("\u{130}stanbul trip", "istanbul", Tier::TitlePrefix, &["\u{130}stanbul"]);
    expect_ranges("\u{130}\u{130} error here", "error", Tier::WordStarts, &["error"]);
    expect_ranges("\u{130}\u{130}error", "error", Tier::InTitle, &["error"]);
    // Letters that grow and shrink when they are folded: U+023A takes 2 bytes, its small letter 3; U+1E9E 3, `ss` 2.
    expect_ranges("\u{23a}\u{23a} error here", "error", Tier::WordStarts, &["error"]);
    expect_ranges("ẞẞ error here", "error", Tier::WordStarts, &["error"]);
    expect_ranges("\u{fb03}\u{fdfa} error here", "error", Tier::WordStarts, &["error"]);
}

#[test]
fn search_10_no_spaces_in_cjk_titles() {
    expect_ranges("山田太郎", "太郎", Tier::WordStarts, &["太郎"]);
    expect_ranges("ประชุมทีม", "ทีม", Tier::WordStarts, &["ทีม"]);
    expect_ranges("プロジェクト計画", "計画", Tier::WordStarts, &["計画"]);
}

#[test]
fn search_11_ties_by_recency_with_missing_and_broken_dates_last() {
    let notes = [
        Note::new("2024", "note").updated("2024-05-01T00:00:00Z"),
        Note::new("2026", "note").updated("2026-05-01T00:00:00Z"),
        Note::new("none", "note"),
        Note::new("broken", "note").updated("last Tuesday"),
        Note::new("2024b", "note").updated("2024-05-01T00:00:00Z"),
    ];
    expect(&notes, "note", &["2026", "2024", "2024b", "broken", "none"].map(|id| (id, Tier::TitlePrefix)));
}

#[test]
fn search_18_an_empty_or_blank_query_gives_the_most_recent() {
    let notes = [
        Note::new("old", "a").updated("2024-05-01T00:00:00Z"),
        Note::new("new", "b").updated("2026-05-01T00:00:00Z"),
        Note::new("undated", "c"),
    ];
    for query in ["", "   ", "\u{3000}\t", "@", "#", " @ ", "\u{301}"] {
        expect(&notes, query, &["new", "old", "undated"].map(|id| (id, Tier::Recent)));
        assert_eq!(from_rank(&notes, &Query::new(query), 2).len(), 2);
    }
}

#[test]
fn search_19_a_space_does_not_end_the_query() {
    expect(&[Note::new("1", "App availability.md")], "app av", &[("1", Tier::TitlePrefix)]);
    expect(&[Note::new("1", "The app's availability")], "app av", &[("1", Tier::WordStarts)]);
}

#[test]
fn search_20_a_handle_match_ignores_case_and_a_leading_at() {
    let notes = [Note::new("2", "x").handle("chief-editor"), Note::new("1", "y").handle("chief")];
    for query in ["@Chief", "chief", "CHIEF", "＠ＣＨＩＥＦ"] {
        expect(&notes, query, &[("1", Tier::ExactHandle), ("2", Tier::HandlePrefix)]);
    }
}

#[test]
fn hostile_queries_neither_fail_nor_take_long() {
    let notes = [Note::new("1", "a.*b [x] (y) % _ ' \" \\ \u{0} \u{202e}").handle("x-1").body(&"word ".repeat(1000))];
    let words: String = (0..20_000).map(|number| number.to_string()).collect::<Vec<_>>().join(" w");
    for query in [
        ".*",
        "[",
        "%",
        "_",
        "'",
        "\\",
        "\u{0}",
        "\u{202e}",
        "' OR 1=1 --",
        "(((((",
        &"a".repeat(100_000),
        &words,
        &"e\u{301}".repeat(50_000),
    ] {
        search(&notes, &Query::new(query));
    }
    let title = Note::new("2", &words);
    assert_eq!(search(&[title], &Query::new(words.clone())).len(), 1);
}

/// The tiers again, for ASCII without capitals, digits or apostrophes, in the words of their definition.
fn tier_of(note: &Note, query: &str) -> Option<Tier> {
    let title = note.title.trim().to_ascii_lowercase();
    let starts: Vec<&str> = title
        .char_indices()
        .filter(|(at, char)| {
            char.is_ascii_alphabetic() && (*at == 0 || !title.as_bytes()[at - 1].is_ascii_alphabetic())
        })
        .map(|(at, _)| &title[at..])
        .collect();
    let words: Vec<&str> =
        query.split(|char: char| !char.is_ascii_alphabetic()).filter(|word| !word.is_empty()).collect();
    let handles: Vec<&str> = note.handles.iter().map(String::as_str).filter(|handle| !handle.is_empty()).collect();
    if query.is_empty() {
        Some(Tier::Recent)
    } else if handles.contains(&query) {
        Some(Tier::ExactHandle)
    } else if handles.iter().any(|handle| handle.starts_with(query)) {
        Some(Tier::HandlePrefix)
    } else if title.starts_with(query) {
        Some(Tier::TitlePrefix)
    } else if !words.is_empty() && words.iter().all(|word| starts.iter().any(|start| start.starts_with(word))) {
        Some(Tier::WordStarts)
    } else if title.contains(query) {
        Some(Tier::InTitle)
    } else if note.body.trim().to_ascii_lowercase().contains(query) {
        Some(Tier::InBody)
    } else {
        None
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, ..ProptestConfig::default() })]

    #[test]
    fn tiers_agree_with_their_definition(title in "[ab]{0,3}([ ./-][ab]{1,3}){0,3}", body in "[ab ]{0,6}", handle in "[ab]{0,3}", query in "[ab]{0,3}([ -][ab]{1,2}){0,2}") {
        let note = Note { title, body, handles: vec![handle], ..Note::new("1", "") };
        let found = from_rank(std::slice::from_ref(&note), &Query::new(query.as_str()), 1);
        prop_assert_eq!(found.first().map(|found| found.1), tier_of(&note, query.trim()));
    }
}
