//! Text from outside, made safe to repeat in one line.

use std::fmt::{self, Write as _};

use crate::limits;

/// Shows text from outside in quotes: controls and other characters that could hide or break a line are escaped, and no
/// more than [`limits::QUOTED_CHARS`] characters are repeated.
pub(crate) fn quoted(text: &str) -> Quoted<'_> {
    Quoted(text)
}

pub(crate) struct Quoted<'a>(&'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_char('"')?;
        let mut rest = self.0.chars();
        for character in rest.by_ref().take(limits::QUOTED_CHARS) {
            write_visible(formatter, character)?;
        }
        if rest.next().is_some() {
            formatter.write_char('…')?;
        }
        formatter.write_char('"')
    }
}

/// Writes one character so that it can be seen and can't move the cursor.
pub(crate) fn write_visible(out: &mut impl fmt::Write, character: char) -> fmt::Result {
    match character {
        '\n' => out.write_str("\\n"),
        '\r' => out.write_str("\\r"),
        '\t' => out.write_str("\\t"),
        hidden if is_hidden(hidden) => write!(out, "\\u{{{:x}}}", u32::from(hidden)),
        plain => out.write_char(plain),
    }
}

/// Controls, line separators and the marks that reorder or hide text around them.
pub(crate) fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{ad}' | '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Text with hidden characters shown as escapes; line breaks and tabs too.
pub(crate) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for character in text.chars() {
        if write_visible(&mut line, character).is_err() {
            break;
        }
    }
    line
}

/// Whether a name is lower-case kebab-case: `^[a-z][a-z0-9]*(-[a-z0-9]+)*$`.
pub(crate) fn is_kebab(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_lowercase())
        && name
            .split('-')
            .all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()))
}

/// The kebab-case spelling of a snake_case, camelCase or spaced name, when there is one.
pub(crate) fn to_kebab(name: &str) -> Option<String> {
    let mut kebab = String::new();
    let mut after_small = false;
    for character in name.chars().take(limits::SUGGESTION_CHARS) {
        match character {
            '_' | ' ' | '-' | '.' => {
                if !kebab.ends_with('-') && !kebab.is_empty() {
                    kebab.push('-');
                }
                after_small = false;
            }
            upper if upper.is_ascii_uppercase() => {
                if after_small {
                    kebab.push('-');
                }
                kebab.push(upper.to_ascii_lowercase());
                after_small = false;
            }
            other => {
                after_small = other.is_ascii_lowercase() || other.is_ascii_digit();
                kebab.push(other);
            }
        }
    }
    let kebab = kebab.trim_end_matches('-');
    is_kebab(kebab).then(|| kebab.to_owned())
}

/// The candidate that was most likely meant by a name: the same words in another case style, else a small edit distance,
/// else one whose words hold all words of the name (`depth` for `max-depth`).
pub(crate) fn likely<'a>(name: &str, candidates: &(impl Iterator<Item = &'a str> + Clone)) -> Option<&'a str> {
    let spelled = to_kebab(name).unwrap_or_else(|| name.chars().take(limits::SUGGESTION_CHARS).collect());
    if let Some(same) = candidates.clone().find(|candidate| *candidate == spelled) {
        return Some(same);
    }
    let written: Vec<char> = spelled.chars().collect();
    let most = (written.len() / 3).clamp(1, 3);
    let near = candidates
        .clone()
        .filter_map(|candidate| distance(&written, candidate, most).map(|edits| (edits, candidate)))
        .min_by_key(|(edits, _)| *edits);
    if let Some((_, candidate)) = near {
        return Some(candidate);
    }
    let words: Vec<&str> = spelled.split('-').filter(|word| word.len() > 1).collect();
    if words.is_empty() {
        return None;
    }
    candidates.clone().find(|candidate| words.iter().all(|word| candidate.split('-').any(|part| part == *word)))
}

/// The edit distance (insert, delete, replace, swap of neighbours) when it is at most `most` and not the whole name.
fn distance(written: &[char], candidate: &str, most: usize) -> Option<usize> {
    let other: Vec<char> = candidate.chars().take(limits::SUGGESTION_CHARS + 1).collect();
    if other.len() > limits::SUGGESTION_CHARS || other.len().abs_diff(written.len()) > most {
        return None;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=other.len()).collect();
    for (row, left) in written.iter().enumerate() {
        let mut next = Vec::with_capacity(last.len());
        next.push(row + 1);
        for (column, right) in other.iter().enumerate() {
            let at = |line: &[usize], position: usize| line.get(position).copied().unwrap_or(usize::MAX / 2);
            let mut cost = (at(&last, column) + usize::from(left != right))
                .min(at(&last, column + 1) + 1)
                .min(at(&next, column) + 1);
            let swapped =
                column > 0 && row > 0 && other.get(column - 1) == Some(left) && written.get(row - 1) == Some(right);
            if swapped {
                cost = cost.min(at(&before, column - 1) + 1);
            }
            next.push(cost);
        }
        before = std::mem::replace(&mut last, next);
    }
    let edits = last.last().copied()?;
    (edits <= most && edits < written.len().max(other.len())).then_some(edits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_kebab_or_not() {
        for good in ["a", "topic-id", "page-size", "x2", "a-2", "a2-b3"] {
            assert!(is_kebab(good), "{good}");
        }
        for bad in ["", "-a", "a-", "a--b", "Topic", "topic_id", "2a", "a b", "ä", "a\n"] {
            assert!(!is_kebab(bad), "{bad}");
        }
    }

    #[test]
    fn likely_spellings() {
        let names = ["query", "max-depth", "topic-id", "page-size", "json-path"];
        let table = [
            ("qurey", Some("query")),
            ("depth", Some("max-depth")),
            ("topic_id", Some("topic-id")),
            ("topicId", Some("topic-id")),
            ("pagesize", Some("page-size")),
            ("zebra", None),
            ("", None),
            ("x", None),
        ];
        for (written, expected) in table {
            assert_eq!(likely(written, &names.into_iter()), expected, "{written}");
        }
    }

    #[test]
    fn quoting_escapes_and_cuts() {
        assert_eq!(quoted("a\u{1b}[2J\n\u{202e}b").to_string(), "\"a\\u{1b}[2J\\n\\u{202e}b\"");
        let long = "x".repeat(limits::QUOTED_CHARS + 1);
        assert_eq!(quoted(&long).to_string(), format!("\"{}…\"", "x".repeat(limits::QUOTED_CHARS)));
    }
}
