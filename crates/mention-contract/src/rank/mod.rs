//! Ranking: which records fit what somebody typed, and in which order.
//!
//! [`rank`] ranks any records; [`Index`] gives the same results for many records held in memory, and [`Session`]
//! follows somebody who types.
//!
//! # What fits
//!
//! The [`Tier`]s, best first: a handle (`KAN-12`, `kan-12`, or `12` and `#12` for a handle that ends in `-12`), the
//! beginning of one, the beginning of the title (a title that equals the query first), words that begin words of the
//! title, any part of the title, any part of the body. Within a tier the most recently updated record comes first
//! (no date last), then the lesser title, then the lesser id, so the order is total, whatever the order of the
//! input. A blank query gives the most recent records. Hidden records and the asking session's own one are left out;
//! a record given twice is one, with its better rank.
//!
//! # How texts are compared
//!
//! - Without regard to case (Unicode's full case folding: `STRASSE` finds `Straße`), to width and compatibility forms
//!   (NFKC: `fix` finds `ﬁｘ`) and to diacritics (`resume` finds `résumé`). A query with diacritics puts the records
//!   that fit with them first, within each tier. A diacritic is an accent, a point or a tone mark; the voicing marks of kana,
//!   nuktas and vowel signs are part of their letter, and a letter that Unicode does not take apart (`ø`, `ł`) is
//!   itself. White space at the ends of a query or a title does not count, nor does a leading `@` or `#` of a query
//!   or a handle.
//! - A word begins at a letter, mark or digit that follows something else (an apostrophe inside a word is not
//!   something else), at a capital after a small letter (`openFile`), where letters and digits meet (`KAN12`), and,
//!   in scripts written without spaces, at each character and behind it. Query and title are split alike,
//!   but such characters typed together stay together: `太郎` fits `山田太郎` and not `郎太`. A query word fits where
//!   a word of the title begins, and may reach into the next one (`wifi` fits `my WiFi`).
//!
//! ```
//! use mention_contract::rank::{Query, Record, Tier, rank};
//!
//! struct Page(&'static str);
//!
//! impl Record for Page {
//!     type Id = &'static str;
//!     fn id(&self) -> &'static str {
//!         self.0
//!     }
//!     fn title(&self) -> &str {
//!         self.0
//!     }
//! }
//!
//! let pages = [Page("Prefix list"), Page("Résumé: fix it"), Page("Fix login redirect")];
//! let hits = rank(&pages, &Query::new("fix"), 8);
//! assert_eq!(hits.iter().map(|hit| hit.record.0).collect::<Vec<_>>(), ["Fix login redirect", "Résumé: fix it", "Prefix list"]);
//! assert_eq!(hits.iter().map(|hit| hit.tier).collect::<Vec<_>>(), [Tier::TitlePrefix, Tier::WordStarts, Tier::InTitle]);
//! assert_eq!(hits[1].ranges, [10..13]);
//! ```

mod fold;
mod index;
mod query;
mod record;
mod segment;
mod session;
mod store;
mod tables;
mod tiers;
mod words;

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeSet;

pub use index::Index;
pub use query::Query;
pub use record::{Record, Updated};
pub use session::Session;
pub use tiers::{Hit, Tier};

use fold::{Form, fold_body};
use tiers::{Forms, Grade, Title, grade, handle, ranges};

/// The records that fit a query, best first, at most `limit` of them (0 gives none).
///
/// Takes one pass over the records and sorts those that fit; each text is folded once, and only when the tiers
/// before it don't fit. For many records that stay, see [`Index`].
pub fn rank<'a, R: Record + 'a>(
    records: impl IntoIterator<Item = &'a R>,
    query: &Query<R::Id>,
    limit: usize,
) -> Vec<Hit<&'a R>> {
    struct Found<'a, R: Record> {
        grade: Grade,
        updated: Reverse<Option<Updated>>,
        id: R::Id,
        record: &'a R,
    }
    if limit == 0 {
        return Vec::new();
    }
    let mut found: Vec<Found<'a, R>> = Vec::new();
    for record in records {
        let id = record.id();
        if record.hidden() || query.own() == Some(&id) {
            continue;
        }
        if let Some(grade) = grade(&Raw::new(record), query.wanted()) {
            found.push(Found { grade, updated: Reverse(record.updated_at()), id, record });
        }
    }
    found.sort_by(|a, b| {
        (a.grade, a.updated, a.record.title(), &a.id).cmp(&(b.grade, b.updated, b.record.title(), &b.id))
    });
    let mut seen = BTreeSet::new();
    let once = found.iter().filter(|found| seen.insert(&found.id)).take(limit);
    once.map(|found| Hit {
        record: found.record,
        tier: found.grade.tier,
        ranges: ranges(found.record.title(), query.wanted(), found.grade.tier),
    })
    .collect()
}

/// The forms of a record as it is, folded when they are needed.
struct Raw<'a, R> {
    record: &'a R,
    title: std::cell::OnceCell<Title<'static>>,
}

impl<'a, R: Record> Raw<'a, R> {
    fn new(record: &'a R) -> Self {
        Self { record, title: std::cell::OnceCell::new() }
    }
}

impl<R: Record> Forms for Raw<'_, R> {
    fn any_handle(&self, form: Form, mut like: impl FnMut(&str) -> bool) -> bool {
        self.record.handles().any(|raw| {
            let handle = handle(raw, form);
            !handle.is_empty() && like(&handle)
        })
    }

    fn title(&self, form: Form) -> Title<'_> {
        match form {
            Form::Plain => {
                let title = self.title.get_or_init(|| Title::new(self.record.title(), Form::Plain));
                Title { text: Cow::Borrowed(&title.text), starts: Cow::Borrowed(&title.starts) }
            }
            Form::Exact => Title::new(self.record.title(), Form::Exact),
        }
    }

    fn body(&self, form: Form) -> Cow<'_, str> {
        let mut folded = String::with_capacity(self.record.body().len());
        fold_body(self.record.body(), form, &mut folded);
        Cow::Owned(folded)
    }
}

/// An offset or a position; the structures that use it never hold more.
fn small(wide: usize) -> u32 {
    u32::try_from(wide).unwrap_or(u32::MAX)
}

const fn wide(small: u32) -> usize {
    small as usize
}
