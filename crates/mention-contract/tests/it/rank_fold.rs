//! Case folding and compatibility forms by Unicode's own data: `CaseFolding.txt` and the NFKC column of
//! `NormalizationTest.txt` (in `tests/data/unicode`).

use mention_contract::rank::{Query, Tier, rank};

use crate::rank::Note;

const CASE_FOLDING: &str = include_str!("../data/unicode/CaseFolding.txt");
const NFKC: &str = include_str!("../data/unicode/NormalizationTest-nfkc.txt");

fn characters(codes: &str) -> String {
    codes.split_whitespace().map(|code| char::from_u32(u32::from_str_radix(code, 16).unwrap()).unwrap()).collect()
}

/// The rows of a data file, in columns.
fn rows(file: &str) -> impl Iterator<Item = Vec<&str>> {
    file.lines()
        .map(|line| line.split('#').next().unwrap_or_default())
        .filter(|line| !line.trim().is_empty())
        .map(|line| line.split(';').map(str::trim).collect())
}

/// Whether the query is the whole title, as far as anybody can see.
#[track_caller]
fn is_all_of(query: &str, title: &str) {
    let notes = [Note::new("1", title)];
    let hits = rank(&notes, &Query::new(query), 1);
    assert_eq!(hits.len(), 1, "{query:?} in {title:?}");
    assert_eq!(hits[0].tier, Tier::TitlePrefix, "{query:?} in {title:?}");
    assert_eq!(hits[0].ranges.as_slice(), std::slice::from_ref(&(0..title.len())), "{query:?} in {title:?}");
}

#[test]
fn every_case_folding_is_the_same() {
    let mut count = 0;
    for row in rows(CASE_FOLDING) {
        // C and F are full folding; S is simple folding, T for Turkic languages.
        if matches!(row[1], "C" | "F") {
            let (written, folded) = (characters(row[0]), characters(row[2]));
            is_all_of(&format!("x{folded}x"), &format!("x{written}x"));
            is_all_of(&format!("x{written}x"), &format!("x{folded}x"));
            count += 1;
        }
    }
    assert!(count > 1500, "{count} rows");
}

#[test]
fn turkic_folding_is_not_used() {
    let notes = [Note::new("1", "\u{131}")];
    assert!(rank(&notes, &Query::new("I"), 1).is_empty(), "I is not the dotless i");
}

#[test]
fn every_compatibility_form_is_the_same() {
    let mut count = 0;
    for row in rows(NFKC) {
        let (source, normal) = (characters(row[0]), characters(row[1]));
        is_all_of(&format!("x{normal}x"), &format!("x{source}x"));
        is_all_of(&format!("x{source}x"), &format!("x{normal}x"));
        count += 1;
    }
    assert!(count > 6000, "{count} rows");
}

#[test]
fn ranges_before_and_behind_any_character_are_exact() {
    let sources = rows(NFKC).map(|row| characters(row[0])).chain(rows(CASE_FOLDING).map(|row| characters(row[0])));
    for source in sources {
        let title = format!("head 12{source}-34 tail");
        let notes = [Note::new("1", &title)];
        for part in ["head", "tail"] {
            let hits = rank(&notes, &Query::new(part), 1);
            let start = title.find(part).unwrap();
            assert_eq!(
                hits[0].ranges.as_slice(),
                std::slice::from_ref(&(start..start + part.len())),
                "{part} in {title:?}"
            );
        }
        let whole = rank(&notes, &Query::new(title.as_str()), 1);
        assert_eq!(whole[0].ranges.as_slice(), std::slice::from_ref(&(0..title.len())), "{title:?}");
    }
}
