//! Folding: the form in which texts are compared.
//!
//! The plain form is Unicode's compatibility caseless form (NFKD, full case folding, NFKD) without diacritics,
//! composed again (NFC). The exact form is the same with its diacritics. Both keep, where it is asked for, which
//! part of the original each folded character came from, so that a match can be shown in the original.

use std::ops::Range;

use caseless::Caseless;
use unicode_normalization::char::{canonical_combining_class, compose, decompose_compatible};

use super::words::{Class, Splitter, class};

/// Which form of a text is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Without diacritics.
    Plain,
    /// With diacritics.
    Exact,
}

/// A folded text with its word starts and its origin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Folded {
    units: Vec<Unit>,
    /// Whether the original has diacritics: plain and exact form differ.
    pub(crate) marked: bool,
}

/// One character of a folded text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Unit {
    char: char,
    combining: u8,
    /// A word begins here.
    starts: bool,
    class: Class,
    /// The bytes of the original that it came from.
    from: usize,
    to: usize,
}

impl Folded {
    /// Folds a text; white space at its ends goes.
    pub(crate) fn new(text: &str, form: Form) -> Self {
        let mut folded = Self::default();
        folded.decompose(text);
        // Folding makes a letter of one mark (U+0345), so the order has to be right before and after it.
        folded.reorder();
        folded.fold(form);
        folded.reorder();
        folded.compose();
        let blank = |unit: &Unit| unit.char.is_whitespace();
        let kept = folded.units.len() - folded.units.iter().rev().take_while(|unit| blank(unit)).count();
        folded.units.truncate(kept);
        let leading = folded.units.iter().take_while(|unit| blank(unit)).count();
        folded.units.drain(..leading);
        folded
    }

    /// Takes one leading `@` or `#` away, and the white space behind it.
    pub(crate) fn without_sigil(mut self) -> Self {
        if self.units.first().is_some_and(|unit| matches!(unit.char, '@' | '#')) {
            let blank = self.units.iter().skip(1).take_while(|unit| unit.char.is_whitespace()).count();
            self.units.drain(..=blank);
        }
        self
    }

    pub(crate) fn text(&self) -> String {
        self.units.iter().map(|unit| unit.char).collect()
    }

    /// The words of a query, in order, each from its start to its last letter, mark or digit. Characters of a script
    /// written without spaces that were typed together are one word, which may begin at each character of a title.
    pub(crate) fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        let mut open = false;
        let mut single = false;
        let mut joined = String::new();
        for unit in &self.units {
            let together = single && open && unit.class == Class::Single;
            if unit.class != Class::Mark {
                single = unit.class == Class::Single;
            }
            if unit.starts && !together {
                words.push(String::new());
                open = true;
                joined.clear();
            }
            match unit.class {
                Class::Other => open = false,
                Class::Apostrophe => joined.push(unit.char),
                _ if open => {
                    if let Some(word) = words.last_mut() {
                        // An apostrophe counts only when the word goes on behind it.
                        word.push_str(&joined);
                        word.push(unit.char);
                    }
                    joined.clear();
                }
                _ => {}
            }
        }
        words
    }

    /// The byte offsets, in the folded text, at which words begin.
    pub(crate) fn starts(&self) -> impl Iterator<Item = usize> + '_ {
        let mut at = 0;
        self.units.iter().filter_map(move |unit| {
            let here = at;
            at += unit.char.len_utf8();
            unit.starts.then_some(here)
        })
    }

    /// NFKD, but for the order of marks.
    fn decompose(&mut self, text: &str) {
        for (from, original) in text.char_indices() {
            let to = from + original.len_utf8();
            decompose_compatible(original, |char| {
                let combining = canonical_combining_class(char);
                self.units.push(Unit { char, combining, starts: false, class: class(char), from, to });
            });
        }
    }

    /// Full case folding, and the word starts.
    fn fold(&mut self, form: Form) {
        let mut splitter = Splitter::default();
        for unit in std::mem::take(&mut self.units) {
            // A diacritic is not there for the plain form, so it may not begin a word in either.
            let mut starts = !is_diacritic(unit.combining) && splitter.begins(unit.class);
            for cased in std::iter::once(unit.char).default_case_fold() {
                decompose_compatible(cased, |char| {
                    let combining = canonical_combining_class(char);
                    if is_diacritic(combining) {
                        self.marked = true;
                        if form == Form::Plain {
                            // The mark is shown with the character that it stands on.
                            if let Some(base) = self.units.last_mut() {
                                base.to = base.to.max(unit.to);
                            }
                            return;
                        }
                    }
                    self.units.push(Unit { char, combining, starts, ..unit });
                    starts = false;
                });
            }
        }
    }

    /// Canonical order: marks that follow each other, by combining class.
    fn reorder(&mut self) {
        for run in self.units.chunk_by_mut(|_, next| next.combining != 0) {
            if let Some((first, rest)) = run.split_first_mut() {
                if first.combining == 0 {
                    rest.sort_by_key(|unit| unit.combining);
                } else {
                    run.sort_by_key(|unit| unit.combining);
                }
            }
        }
    }

    /// Canonical composition; a composed character came from the parts of both.
    fn compose(&mut self) {
        let mut done: Vec<Unit> = Vec::with_capacity(self.units.len());
        let mut starter: Option<usize> = None;
        for unit in &self.units {
            let adjacent = starter.is_some_and(|at| at + 1 == done.len());
            let blocked = done.last().is_none_or(|last| !adjacent && last.combining >= unit.combining);
            let base = starter.and_then(|at| done.get_mut(at));
            if let (false, Some(base)) = (blocked, base) {
                if let Some(char) = compose(base.char, unit.char) {
                    base.char = char;
                    base.from = base.from.min(unit.from);
                    base.to = base.to.max(unit.to);
                    continue;
                }
            }
            if unit.combining == 0 {
                starter = Some(done.len());
            }
            done.push(*unit);
        }
        self.units = done;
    }
}

/// Adds the folded form of a text to `out` (for an ASCII text without taking it apart); tells where words begin,
/// as offsets from where the text was added, and whether the text has diacritics. White space at the ends goes.
pub(crate) fn fold_into(text: &str, form: Form, out: &mut String, mut starts: impl FnMut(usize)) -> bool {
    if text.is_ascii() {
        let text = text.trim();
        let begin = out.len();
        out.push_str(text);
        if let Some(added) = out.get_mut(begin..) {
            added.make_ascii_lowercase();
        }
        let mut splitter = Splitter::default();
        for (at, byte) in text.bytes().enumerate() {
            if splitter.begins(Class::of_ascii(byte)) {
                starts(at);
            }
        }
        false
    } else {
        let folded = Folded::new(text, form);
        out.extend(folded.units.iter().map(|unit| unit.char));
        folded.starts().for_each(starts);
        folded.marked
    }
}

/// The same for a text whose words are of no interest.
pub(crate) fn fold_body(text: &str, form: Form, out: &mut String) -> bool {
    if text.is_ascii() {
        let begin = out.len();
        out.push_str(text.trim());
        if let Some(added) = out.get_mut(begin..) {
            added.make_ascii_lowercase();
        }
        false
    } else {
        let folded = Folded::new(text, form);
        out.extend(folded.units.iter().map(|unit| unit.char));
        folded.marked
    }
}

/// Leads from the folded form of a text back to the text.
#[derive(Clone, Debug)]
pub(crate) enum Origin {
    /// The folded form is the text from this offset on, byte for byte.
    Shifted(usize),
    /// Where each folded character begins, and the bytes that it came from.
    Units(Vec<(usize, Range<usize>)>),
}

impl Origin {
    /// For the plain form.
    pub(crate) fn new(text: &str) -> Self {
        if text.is_ascii() {
            return Self::Shifted(text.len() - text.trim_start().len());
        }
        let mut at = 0;
        let units = Folded::new(text, Form::Plain).units.into_iter().map(|unit| {
            let begin = at;
            at += unit.char.len_utf8();
            (begin, unit.from..unit.to)
        });
        Self::Units(units.collect())
    }

    /// The part of the original that a range of the folded text came from, in whole characters.
    pub(crate) fn of(&self, range: &Range<usize>) -> Range<usize> {
        match self {
            Self::Shifted(by) => range.start + by..range.end + by,
            Self::Units(units) => {
                let first = units.partition_point(|(begin, _)| *begin <= range.start).saturating_sub(1);
                let parts = units.iter().skip(first).take_while(|(begin, _)| *begin < range.end).map(|(_, part)| part);
                parts
                    .cloned()
                    .reduce(|known, part| known.start.min(part.start)..known.end.max(part.end))
                    .unwrap_or(0..0)
            }
        }
    }
}

/// Accents, points and tones, by canonical combining class. What is left is part of the letter: nuktas (7), the
/// voicing marks of kana (8), viramas (9), and the vowel signs of Indic and South-East Asian scripts.
fn is_diacritic(combining: u8) -> bool {
    matches!(combining, 1 | 10..=36 | 107 | 122 | 202..=240)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn plain(text: &str, expected: &str) {
        assert_eq!(Folded::new(text, Form::Plain).text(), expected, "{text:?}");
    }

    #[track_caller]
    fn exact(text: &str, expected: &str) {
        assert_eq!(Folded::new(text, Form::Exact).text(), expected, "{text:?}");
    }

    #[test]
    fn case_is_folded_in_full() {
        plain("Straße ẞ", "strasse ss");
        plain("ΣΊΣΥΦΟΣ ς", "σισυφοσ σ");
        exact("ΣΊΣΥΦΟΣ", "σίσυφοσ");
        plain("\u{130}stanbul", "istanbul");
        exact("\u{130}stanbul", "i\u{307}stanbul");
        plain("ŉ ǰ", "ʼn j");
        plain("ᾳ ᾼ", "αι αι");
    }

    #[test]
    fn width_and_compatibility_forms_are_the_same() {
        plain("Ｆｉｘ ﬁx ①② ㎏ ｶﾞｷﾞ", "fix fix 12 kg ガギ");
        plain("a\u{a0}b", "a b");
        plain("㍿", "株式会社");
    }

    #[test]
    fn diacritics_go_and_parts_of_letters_stay() {
        plain("résumé re\u{301}sume\u{301} Ångström", "resume resume angstrom");
        exact("résumé re\u{301}sume\u{301}", "résumé résumé");
        plain("が か\u{3099}", "が が");
        plain("क\u{93c} कि", "क\u{93c} कि");
        plain("שָׁלוֹם مُحَمَّد", "שלום محمد");
        plain("ไม้ ที่", "ไม ที");
        plain("ø đ ł", "ø đ ł");
    }

    #[test]
    fn a_mark_that_folds_to_a_letter_keeps_its_place() {
        exact("\u{3b1}\u{345}\u{300}", "ὰι");
        plain("\u{3b1}\u{345}\u{300}", "αι");
    }

    #[test]
    fn hangul_is_composed_across_characters() {
        plain("\u{1112}\u{1161}\u{11ab}", "한");
        plain("하\u{11ab}", "한");
        let origin = Origin::new("\u{1112}\u{1161}\u{11ab}국");
        assert_eq!(origin.of(&(0..3)), 0..9);
        assert_eq!(origin.of(&(3..6)), 9..12);
    }

    #[test]
    fn white_space_at_the_ends_goes() {
        plain("  a b \u{3000}", "a b");
        plain("\u{a8}a", "a");
        plain(" \t", "");
        plain("\u{301}", "");
    }

    #[test]
    fn a_range_leads_back_to_whole_characters_of_the_original() {
        let original = "xﬁne\u{301}\u{323}s";
        assert_eq!(Folded::new(original, Form::Plain).text(), "xfines");
        let origin = Origin::new(original);
        for (range, expected) in
            [(1..2, "ﬁ"), (2..3, "ﬁ"), (0..2, "xﬁ"), (4..5, "e\u{301}\u{323}"), (5..6, "s"), (0..6, original)]
        {
            assert_eq!(original.get(origin.of(&range)), Some(expected), "{range:?}");
        }
        assert_eq!(Origin::new("  Fix").of(&(0..3)), 2..5);
    }

    /// The exact form again, by Unicode's file and the normalization of a crate, over whole strings.
    fn by_the_book(text: &str) -> String {
        use std::collections::BTreeMap;
        use std::sync::OnceLock;
        use unicode_normalization::UnicodeNormalization;
        static FOLDS: OnceLock<BTreeMap<char, String>> = OnceLock::new();
        let folds = FOLDS.get_or_init(|| {
            let char = |code: &str| char::from_u32(u32::from_str_radix(code, 16).unwrap()).unwrap();
            include_str!("../../tests/data/unicode/CaseFolding.txt")
                .lines()
                .filter(|line| !line.starts_with('#') && !line.is_empty())
                .map(|line| line.split("; ").collect::<Vec<_>>())
                .filter(|row| matches!(row[1], "C" | "F"))
                .map(|row| (char(row[0]), row[2].split(' ').map(char).collect()))
                .collect()
        });
        let mut folded = String::new();
        for char in text.nfkd() {
            match folds.get(&char) {
                Some(fold) => folded.push_str(fold),
                None => folded.push(char),
            }
        }
        folded.nfkd().nfc().collect::<String>().trim().to_owned()
    }

    #[test]
    fn every_character_folds_by_the_book_and_only_once() {
        for char in '\0'..=char::MAX {
            let text = format!("a{char}b");
            let folded = Folded::new(&text, Form::Exact).text();
            assert_eq!(folded, by_the_book(&text), "{text:?}");
            let plain = Folded::new(&text, Form::Plain).text();
            assert_eq!(Folded::new(&plain, Form::Plain).text(), plain, "{text:?}");
        }
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig { cases: 5000, ..Default::default() })]

        #[test]
        fn any_text_folds_by_the_book(
            text in "[a-zA-Z\u{c0}-\u{24f}\u{300}-\u{370}\u{391}-\u{3a9}\u{591}-\u{5d0}\u{1100}-\u{11ff}\u{3040}-\u{30ff}\u{ac00}-\u{ac20}\u{fb00}-\u{fb06}\u{ff10}-\u{ffdc} ]{0,12}"
        ) {
            proptest::prop_assert_eq!(Folded::new(&text, Form::Exact).text(), by_the_book(&text));
            let plain = Folded::new(&text, Form::Plain).text();
            proptest::prop_assert_eq!(&Folded::new(&plain, Form::Plain).text(), &plain);
            let origin = Origin::new(&text);
            for (at, char) in plain.char_indices() {
                let part = origin.of(&(at..at + char.len_utf8()));
                proptest::prop_assert!(text.get(part).is_some_and(|part| !part.is_empty()));
            }
        }
    }
}
