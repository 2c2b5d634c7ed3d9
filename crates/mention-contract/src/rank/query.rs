//! What is looked for.

use super::fold::{Folded, Form};
use crate::limits::QUERY_CHARS;

/// What somebody typed, and which record may not be found because it is the one that asks.
///
/// A leading `@` or `#` and white space at the ends don't count, nor does what follows the first 512 characters
/// ([`limits::QUERY_CHARS`](crate::limits::QUERY_CHARS)).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query<Id = String> {
    text: String,
    own: Option<Id>,
    wanted: Wanted,
}

impl<Id> Query<Id> {
    /// A query as it was typed. An empty or blank one asks for the most recent records.
    pub fn new(text: impl Into<String>) -> Self {
        let text = text.into();
        let wanted = Wanted::new(&text);
        Self { text, own: None, wanted }
    }

    /// Leaves one record out: the asking session's own.
    #[must_use]
    pub fn without(mut self, own: impl Into<Option<Id>>) -> Self {
        self.own = own.into();
        self
    }

    /// The text as it was given.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The record that is left out.
    pub fn own(&self) -> Option<&Id> {
        self.own.as_ref()
    }

    /// Whether there is nothing to look for.
    pub fn is_blank(&self) -> bool {
        self.wanted.plain.text.is_empty()
    }

    pub(crate) fn wanted(&self) -> &Wanted {
        &self.wanted
    }
}

/// A query made ready for comparing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wanted {
    pub(crate) plain: Needle,
    /// With its diacritics, when it has some.
    pub(crate) exact: Option<Needle>,
}

/// A folded query and its words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Needle {
    pub(crate) text: String,
    /// In byte order; none is the beginning of another (what begins with the longer begins with the shorter).
    pub(crate) words: Vec<String>,
}

impl Wanted {
    pub(crate) fn new(text: &str) -> Self {
        let text = text.trim_start();
        let end = text.char_indices().nth(QUERY_CHARS).map_or(text.len(), |(end, _)| end);
        let text = text.get(..end).unwrap_or(text);
        let plain = Folded::new(text, Form::Plain);
        let exact = plain.marked.then(|| Needle::new(Folded::new(text, Form::Exact)));
        let plain = Needle::new(plain);
        Self { exact: exact.filter(|exact| exact.text != plain.text), plain }
    }
}

impl Needle {
    fn new(folded: Folded) -> Self {
        let folded = folded.without_sigil();
        let mut words = folded.words();
        words.sort_unstable();
        // From the back, so that each word meets the next one that stays.
        let mut kept: Vec<String> = Vec::with_capacity(words.len());
        while let Some(word) = words.pop() {
            if !kept.last().is_some_and(|next| next.starts_with(&word)) {
                kept.push(word);
            }
        }
        kept.reverse();
        Self { text: folded.text(), words: kept }
    }

    /// The word that a text begins with, as its place among the words.
    pub(crate) fn word_before(&self, rest: &str) -> Option<usize> {
        // No word is the beginning of another, so only the last one that is not greater can fit.
        let at = self.words.partition_point(|word| word.as_str() <= rest).checked_sub(1)?;
        self.words.get(at).is_some_and(|word| rest.starts_with(word.as_str())).then_some(at)
    }

    /// Whether every word begins at one of these places of the text.
    pub(crate) fn words_begin_in(&self, text: &str, starts: impl IntoIterator<Item = usize>) -> bool {
        if self.words.is_empty() {
            return false;
        }
        let mut few = 0_u64;
        let mut many = vec![false; if self.words.len() > 64 { self.words.len() } else { 0 }];
        let mut left = self.words.len();
        for start in starts {
            let Some(at) = text.get(start..).and_then(|rest| self.word_before(rest)) else {
                continue;
            };
            let new = if let Some(found) = many.get_mut(at) {
                !std::mem::replace(found, true)
            } else {
                let new = few & (1 << at) == 0;
                few |= 1 << at;
                new
            };
            if new {
                left -= 1;
                if left == 0 {
                    return true;
                }
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn needle(text: &str) -> Needle {
        Wanted::new(text).plain
    }

    #[test]
    fn a_leading_sigil_and_white_space_go() {
        assert_eq!(needle(" @Chief ").text, "chief");
        assert_eq!(needle("# 12").text, "12");
        assert_eq!(needle("＠Chief").text, "chief");
        assert_eq!(needle("##a").text, "#a");
        assert_eq!(needle("a@b").text, "a@b");
        for blank in ["", "   ", "@", " # ", "\u{3000}"] {
            assert!(Query::<String>::new(blank).is_blank(), "{blank:?}");
        }
    }

    #[test]
    fn the_first_512_characters_count() {
        assert_eq!(needle(&format!(" {}z", "太".repeat(512))).text, "太".repeat(512));
        assert_eq!(needle(&format!("{}z", "a".repeat(511))).text, format!("{}z", "a".repeat(511)));
        assert_eq!(Query::<String>::new("x".repeat(600)).text().len(), 600);
    }

    #[test]
    fn words_that_begin_another_word_are_implied() {
        assert_eq!(needle("fix f login l fixed").words, ["fixed", "login"]);
        assert_eq!(needle("ab a abc ab").words, ["abc"]);
    }

    #[test]
    fn only_a_query_with_diacritics_has_an_exact_form() {
        assert_eq!(Wanted::new("resume").exact, None);
        assert_eq!(Wanted::new("Résumé").exact.map(|exact| exact.text), Some("résumé".to_owned()));
        assert_eq!(Wanted::new("한").exact, None);
    }

    #[test]
    fn more_than_64_words_are_counted_too() {
        let title = (100..180).map(|number| number.to_string()).collect::<Vec<_>>().join(" ");
        let many = Wanted::new(&title).plain;
        assert_eq!(many.words.len(), 80);
        let starts: Vec<usize> = (0..80).map(|at| at * 4).collect();
        assert!(many.words_begin_in(&title, starts.iter().copied()));
        assert!(!many.words_begin_in(&title, starts.iter().copied().take(79)));
    }
}
