//! Ranking: an index and a session give what ranking all records gives; ranges lie on character boundaries.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mention_contract::rank::{Index, Query, Record, Session, Updated, rank};

struct Part<'a>(usize, &'a str);

impl Record for Part<'_> {
    type Id = usize;

    fn id(&self) -> usize {
        self.0
    }

    fn handles(&self) -> impl Iterator<Item = &str> {
        self.1.split('\u{3}').skip(2)
    }

    fn title(&self) -> &str {
        self.1.split('\u{3}').next().unwrap_or_default()
    }

    fn body(&self) -> &str {
        self.1.split('\u{3}').nth(1).unwrap_or_default()
    }

    fn updated_at(&self) -> Option<Updated> {
        (self.1.len() % 3 > 0).then(|| Updated::from_unix_micros(self.1.len() as i64 % 3))
    }
}

fuzz_target!(|text: &str| {
    let mut parts = text.split('\u{1}');
    let typed = parts.next().unwrap_or_default();
    let records: Vec<Part<'_>> = parts.enumerate().map(|(at, part)| Part(at, part)).collect();
    let index = Index::from_records(&records);
    let mut session = Session::new();
    for end in (0..=typed.len().min(64)).filter(|end| typed.is_char_boundary(*end)) {
        let query = Query::new(&typed[..end]);
        for limit in [1, 3, 100] {
            let ranked = rank(&records, &query, limit);
            let found = index.search(&query, limit);
            assert_eq!(session.search(&index, &query, limit), found);
            assert_eq!(ranked.len(), found.len());
            for (ranked, found) in ranked.iter().zip(&found) {
                assert_eq!((ranked.record.0, ranked.tier, &ranked.ranges), (found.record, found.tier, &found.ranges));
                for range in &found.ranges {
                    assert!(ranked.record.title().get(range.clone()).is_some_and(|part| !part.is_empty()));
                }
            }
        }
    }
});
