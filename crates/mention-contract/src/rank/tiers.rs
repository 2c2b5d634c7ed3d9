//! How well a record fits a query.

use std::borrow::Cow;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::fold::{Folded, Form, Origin};
use super::query::{Needle, Wanted};

/// How a record fits a query, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Tier {
    /// The query is a handle, or the number at its end (`12` for `KAN-12`).
    ExactHandle,
    /// A handle, or the number at its end, begins with the query.
    HandlePrefix,
    /// The title begins with the query; a title that equals it comes first.
    TitlePrefix,
    /// Every word of the query begins a word of the title.
    WordStarts,
    /// The title holds the query.
    InTitle,
    /// The body holds the query.
    InBody,
    /// Nothing was asked for: the most recent records.
    Recent,
}

/// A record that fits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit<T> {
    /// The record (from [`rank`](super::rank())) or its id (from [`Index`](super::Index)).
    pub record: T,
    /// How it fits.
    pub tier: Tier,
    /// The parts of the title that fit, for bold type: half-open byte ranges of the original title, on character
    /// boundaries, ascending and apart. Empty when it is a handle or the body that fits.
    pub ranges: Vec<Range<usize>>,
}

/// Where a record stands among those that fit, before dates, titles and ids are looked at; less is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Grade {
    pub(crate) tier: Tier,
    /// Within the title prefixes: the title is longer than the query.
    pub(crate) longer: bool,
    /// The query has diacritics and only fits without them.
    pub(crate) inexact: bool,
}

/// A folded title and where its words begin.
#[derive(Clone, Debug)]
pub(crate) struct Title<'a> {
    pub(crate) text: Cow<'a, str>,
    pub(crate) starts: Cow<'a, [u32]>,
}

impl Title<'_> {
    pub(crate) fn new(title: &str, form: Form) -> Self {
        let mut text = String::with_capacity(title.len());
        let mut starts = Vec::new();
        super::fold::fold_into(title, form, &mut text, |at| starts.push(super::small(at)));
        Self { text: Cow::Owned(text), starts: Cow::Owned(starts) }
    }

    fn starts(&self) -> impl Iterator<Item = usize> {
        self.starts.iter().map(|at| super::wide(*at))
    }
}

/// The folded forms of a record.
pub(crate) trait Forms {
    /// Whether some folded handle is like this.
    fn any_handle(&self, form: Form, like: impl FnMut(&str) -> bool) -> bool;
    fn title(&self, form: Form) -> Title<'_>;
    fn body(&self, form: Form) -> Cow<'_, str>;
}

/// The folded handle: without a leading `@` or `#`.
pub(crate) fn handle(text: &str, form: Form) -> String {
    if text.is_ascii() {
        let text = text.trim();
        return text.strip_prefix(['@', '#']).unwrap_or(text).trim_start().to_ascii_lowercase();
    }
    Folded::new(text, form).without_sigil().text()
}

/// The digits behind the last `-` of a handle that ends in such a number.
pub(crate) fn number(handle: &str) -> Option<&str> {
    let (_, digits) = handle.rsplit_once('-')?;
    (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())).then_some(digits)
}

/// The grade of a record, or `None` when it does not fit.
pub(crate) fn grade(forms: &impl Forms, wanted: &Wanted) -> Option<Grade> {
    let (tier, longer) = fit(forms, &wanted.plain)?;
    let inexact = wanted.exact.as_ref().is_some_and(|exact| !fits(forms, exact, tier, longer, Form::Exact));
    Some(Grade { tier, longer, inexact })
}

fn fit(forms: &impl Forms, needle: &Needle) -> Option<(Tier, bool)> {
    if needle.text.is_empty() {
        return Some((Tier::Recent, false));
    }
    [
        (Tier::ExactHandle, false),
        (Tier::HandlePrefix, false),
        (Tier::TitlePrefix, false),
        (Tier::TitlePrefix, true),
        (Tier::WordStarts, false),
        (Tier::InTitle, false),
        (Tier::InBody, false),
    ]
    .into_iter()
    .find(|(tier, longer)| fits(forms, needle, *tier, *longer, Form::Plain))
}

/// Whether a record fits in this way.
pub(crate) fn fits(forms: &impl Forms, needle: &Needle, tier: Tier, longer: bool, form: Form) -> bool {
    let text = needle.text.as_str();
    match tier {
        Tier::ExactHandle => forms.any_handle(form, |handle| handle == text || number(handle) == Some(text)),
        Tier::HandlePrefix => forms.any_handle(form, |handle| {
            handle.starts_with(text) || number(handle).is_some_and(|number| number.starts_with(text))
        }),
        Tier::TitlePrefix if longer => forms.title(form).text.starts_with(text),
        Tier::TitlePrefix => forms.title(form).text == text,
        Tier::WordStarts => {
            let title = forms.title(form);
            needle.words_begin_in(&title.text, title.starts())
        }
        Tier::InTitle => memchr::memmem::find(forms.title(form).text.as_bytes(), text.as_bytes()).is_some(),
        Tier::InBody => memchr::memmem::find(forms.body(form).as_bytes(), text.as_bytes()).is_some(),
        Tier::Recent => true,
    }
}

/// The parts of an original title that fit in this way.
pub(crate) fn ranges(original: &str, wanted: &Wanted, tier: Tier) -> Vec<Range<usize>> {
    let needle = &wanted.plain;
    let folded: Vec<Range<usize>> = match tier {
        Tier::TitlePrefix => std::iter::once(0..needle.text.len()).collect(),
        Tier::WordStarts => {
            let title = Title::new(original, Form::Plain);
            let mut found: Vec<Option<Range<usize>>> = vec![None; needle.words.len()];
            for start in title.starts() {
                let word = title.text.get(start..).and_then(|rest| needle.word_before(rest));
                let Some((word, slot)) = word.and_then(|at| Some((needle.words.get(at)?, found.get_mut(at)?))) else {
                    continue;
                };
                slot.get_or_insert(start..start + word.len());
            }
            found.into_iter().flatten().collect()
        }
        Tier::InTitle => {
            let title = Title::new(original, Form::Plain);
            let found = title.text.find(needle.text.as_str());
            found.map(|start| start..start + needle.text.len()).into_iter().collect()
        }
        Tier::ExactHandle | Tier::HandlePrefix | Tier::InBody | Tier::Recent => return Vec::new(),
    };
    let origin = Origin::new(original);
    let mut parts: Vec<Range<usize>> = folded.iter().map(|range| origin.of(range)).collect();
    parts.sort_unstable_by_key(|range| (range.start, range.end));
    let mut apart: Vec<Range<usize>> = Vec::with_capacity(parts.len());
    for part in parts {
        match apart.last_mut() {
            // Two folded parts can come from one original character; parts that touch are one.
            Some(last) if part.start <= last.end => last.end = last.end.max(part.end),
            _ => apart.push(part),
        }
    }
    apart
}
