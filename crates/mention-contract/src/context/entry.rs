//! The entries of the two blocks: as cleaned and cut, and as written.

use mention_uri::{MentionToken, MentionUri, limits};
use serde_json::Value;

use super::clean::{clean, cut};
use super::escape::{escape, guard, json, unescape};
use crate::Descriptor;
use crate::resolve::{DetailsCall, Outcome, Status};

/// Stands between a head and what is said about it.
const DASH: &str = " — ";
const DETAILS: &str = "  details: ";
const NOT_FOUND: &str = "not found";
const NO_PROVIDER: &str = "no provider for @";
const ERROR: (&str, &str) = ("could not be resolved (", ")");
const REMOVED: (&str, &str) = (" [hidden characters removed: ", "]");

/// An entry of a `<mentions>` block.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MentionEntry {
    /// The mention: that of the entry's head, and the only one of the entry.
    pub mention: MentionUri,
    /// What is said about it.
    pub says: Says,
    /// How many hidden characters were removed from what is said.
    pub removed: usize,
}

/// What an entry says about its mention.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Says {
    /// The record is known.
    Resolved {
        /// One line about it.
        summary: String,
        /// The call that gives the whole record.
        details: Option<DetailsCall>,
    },
    /// The provider does not know the record.
    NotFound,
    /// No provider has this name.
    UnknownProvider,
    /// The lookup failed.
    Error {
        /// Why.
        code: String,
    },
}

impl MentionEntry {
    /// What a block says of an outcome: the summary (the label where there is nothing to see in it), cleaned and cut
    /// at 400 characters; an error's code, cleaned and cut at 160.
    ///
    /// A details call whose function id has white space or hidden characters, or whose payload is nested deeper than JSON
    /// readers go, is left out: it could not be written so that it reads back.
    pub fn new(outcome: &Outcome) -> Self {
        let mut removed = 0;
        let mut line = |text: &str, most: usize| {
            let cleaned = clean(text);
            removed += cleaned.removed;
            cut(&cleaned.text, most)
        };
        let says = match &outcome.status {
            Status::Resolved(resolved) => {
                let mut summary = line(&resolved.summary, limits::SUMMARY_CHARS);
                if summary.is_empty() {
                    summary = line(&resolved.label, limits::SUMMARY_CHARS);
                }
                if summary.is_empty() {
                    "(no summary)".clone_into(&mut summary);
                }
                let callable = |call: &&DetailsCall| {
                    !call.function_id.contains(char::is_whitespace)
                        && !call.function_id.is_empty()
                        && clean(&call.function_id).text == call.function_id
                        && serde_json::from_str::<Value>(&json(&call.payload)).is_ok()
                };
                Says::Resolved { summary, details: resolved.details.as_ref().filter(callable).cloned() }
            }
            Status::NotFound => Says::NotFound,
            Status::UnknownProvider => Says::UnknownProvider,
            Status::Error { code } => {
                let code = line(code, limits::DESCRIPTION_CHARS);
                Says::Error { code: if code.is_empty() { "unknown".to_owned() } else { code } }
            }
        };
        Self { mention: outcome.mention.clone(), says, removed }
    }

    /// The entry's lines, without a line break at the end.
    pub(super) fn write(&self) -> String {
        let head = match MentionToken::try_from(&self.mention) {
            Ok(token) => token.to_string(),
            Err(_) => format!("<{}>", self.mention),
        };
        let said = match &self.says {
            Says::Resolved { summary, .. } => {
                let status = summary == NOT_FOUND
                    || summary.starts_with(NO_PROVIDER)
                    || (summary.starts_with(ERROR.0) && summary.ends_with(ERROR.1));
                guarded(summary, status)
            }
            Says::NotFound => NOT_FOUND.to_owned(),
            Says::UnknownProvider => format!("{NO_PROVIDER}{}", escape(self.mention.provider())),
            Says::Error { code } => format!("{}{}{}", ERROR.0, escape(code), ERROR.1),
        };
        let mut lines = format!("- {head}{DASH}{said}{}", marker(self.removed));
        if let Says::Resolved { details: Some(call), .. } = &self.says {
            lines.push('\n');
            lines.push_str(DETAILS);
            lines.push_str(&escape(&call.function_id));
            lines.push(' ');
            lines.push_str(&json(&call.payload));
        }
        lines
    }

    /// Reads an entry's first line.
    pub(super) fn read(line: &str) -> Option<Self> {
        let (mention, rest) = head(line.strip_prefix("- ")?)?;
        let (said, removed) = without_marker(rest.strip_prefix(DASH)?);
        let error = || said.strip_prefix(ERROR.0)?.strip_suffix(ERROR.1);
        let says = if said == NOT_FOUND {
            Says::NotFound
        } else if said.strip_prefix(NO_PROVIDER).is_some_and(|name| unescape(name) == mention.provider()) {
            Says::UnknownProvider
        } else if let Some(code) = error() {
            Says::Error { code: unescape(code).into_owned() }
        } else {
            Says::Resolved { summary: unescape(said).into_owned(), details: None }
        };
        Some(Self { mention, says, removed })
    }

    /// Reads an entry's second line.
    pub(super) fn read_details(&mut self, line: &str) -> Option<()> {
        let (function_id, payload) = line.strip_prefix(DETAILS)?.split_once(' ')?;
        let payload: Value = serde_json::from_str(payload).ok()?;
        if let Says::Resolved { details: details @ None, .. } = &mut self.says {
            *details = Some(DetailsCall { function_id: unescape(function_id).into_owned(), payload });
        }
        Some(())
    }

    /// Whether it settles what the mention is: known, or known to be unknown. A failure may pass.
    pub fn is_settled(&self) -> bool {
        matches!(self.says, Says::Resolved { .. } | Says::NotFound)
    }
}

/// An entry of a `<mention_providers>` block.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProviderEntry {
    /// The name that follows the `@`.
    pub name: String,
    /// The plural noun.
    pub label: String,
    /// What an id refers to.
    pub description: Option<String>,
    /// How many hidden characters were removed.
    pub removed: usize,
}

impl ProviderEntry {
    /// What a block says of a provider: label and description, cleaned and cut at 160 characters each.
    pub fn new(descriptor: &Descriptor) -> Self {
        let mut removed = 0;
        let mut line = |text: &str| {
            let cleaned = clean(text);
            removed += cleaned.removed;
            Some(cut(&cleaned.text, limits::DESCRIPTION_CHARS)).filter(|text| !text.is_empty())
        };
        let label = line(descriptor.label()).unwrap_or_else(|| descriptor.name().to_owned());
        let description = descriptor.description_text().and_then(line);
        Self { name: descriptor.name().to_owned(), label, description, removed }
    }

    pub(super) fn write(&self) -> String {
        // The first `: ` ends the label.
        let colon = format!("{} ", guard(':'));
        let mut line = format!("- @{}{DASH}", self.name);
        match &self.description {
            Some(description) => {
                line.push_str(&escape(&self.label).replace(": ", &colon));
                line.push_str(": ");
                line.push_str(&guarded(description, false));
            }
            None => line.push_str(&guarded(&self.label, false).replace(": ", &colon)),
        }
        line.push_str(&marker(self.removed));
        line
    }

    pub(super) fn read(line: &str) -> Option<Self> {
        let (name, rest) = line.strip_prefix("- @")?.split_once(DASH)?;
        if !mention_uri::is_token_name(name) {
            return None;
        }
        let (said, removed) = without_marker(rest);
        let (label, description) = match said.split_once(": ") {
            Some((label, description)) => (label, Some(unescape(description).into_owned())),
            None => (said, None),
        };
        Some(Self { name: name.to_owned(), label: unescape(label).into_owned(), description, removed })
    }
}

/// The mention at the beginning of a text, and what follows it.
fn head(text: &str) -> Option<(MentionUri, &str)> {
    if let Some(rest) = text.strip_prefix('<') {
        let (uri, rest) = rest.split_once('>')?;
        return Some((MentionUri::parse(uri).ok()?, rest));
    }
    let found = mention_uri::scan(text).next().filter(|found| found.span().start == 0)?;
    let mention_uri::Item::Token(token) = found.item() else {
        return None;
    };
    Some((token.to_token().to_uri(), text.get(found.span().end..)?))
}

/// Escapes a text from outside; where it would read as a status, or ends as if characters had been removed, a
/// character is written as its number.
fn guarded(text: &str, status: bool) -> String {
    let mut text = text;
    let mut written = String::with_capacity(text.len());
    if let (true, Some(first)) = (status, text.chars().next()) {
        written.push_str(&guard(first));
        text = text.get(first.len_utf8()..).unwrap_or_default();
    }
    // A space stands before the text, so one that is nothing but a marker counts.
    let marked = without_marker(&format!(" {text}")).1 > 0;
    if let (true, Some(rest)) = (marked, text.strip_suffix(REMOVED.1)) {
        written.push_str(&escape(rest));
        written.push_str(&guard(']'));
    } else {
        written.push_str(&escape(text));
    }
    written
}

fn marker(removed: usize) -> String {
    if removed == 0 { String::new() } else { format!("{}{removed}{}", REMOVED.0, REMOVED.1) }
}

/// A text without the marker that it ends in, and how many characters that tells of.
fn without_marker(text: &str) -> (&str, usize) {
    let read = || {
        let (text, count) = text.strip_suffix(REMOVED.1)?.rsplit_once(REMOVED.0)?;
        let removed: usize = count.parse().ok()?;
        (count.bytes().all(|byte| byte.is_ascii_digit()) && !count.starts_with('0')).then_some((text, removed))
    };
    read().unwrap_or((text, 0))
}
