//! What is being typed at the caret, and the edits that a menu makes.
//!
//! ```
//! use mention_contract::composer::{self, What};
//! use mention_contract::{Descriptor, Item, Registry};
//!
//! let tickets = Descriptor::new("kanban", "Tickets", "kanban::mention::search")?.metadata();
//! let registry = Registry::from_functions([("kanban::mention::get", &tickets)]);
//!
//! let text = "please fix @kan";
//! let trigger = composer::trigger(text, text.len(), &registry).expect("an @ is being typed");
//! assert!(matches!(trigger.what(), What::Global { query, providers } if query == "kan" && providers == &["kanban"]));
//!
//! // Tab scopes the search; picking an item writes its token.
//! assert_eq!(trigger.scope_to("kanban").unwrap().apply(text).unwrap(), "please fix @kanban:");
//! let edit = trigger.accept("kanban", &Item::new("12", "Fix login"))?;
//! assert_eq!(edit.apply(text).unwrap(), "please fix @kanban(id=\"12\") ");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::registry::Registry;
use crate::wire::Item;
use mention_uri::{MentionToken, TokenError, in_code, is_token_name, limits, scan, token_may_start};
use serde::Serialize;
use std::ops::Range;

/// How far before the caret an `@` is looked for: a query has no more characters than an id, of four bytes at most.
const LOOK_BACK: usize = 4 * limits::ID_CHARS + limits::NAME_BYTES;

/// How many `@` before the caret are looked at: a query with so many of them is none that a person types.
const PROBES: usize = 64;

/// What is being typed, where it stands, and what a choice would change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trigger {
    what: What,
    range: Range<usize>,
    range_utf16: Range<usize>,
    /// Whether a space stands behind the caret: it serves as the one after the token.
    space_follows: bool,
}

/// What is being typed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum What {
    /// `@text`: a search of every provider.
    Global {
        /// The text after the `@`, without white space.
        query: String,
        /// The providers whose name or label starts with it, by name; all of them for an empty query.
        providers: Vec<String>,
    },
    /// `@name:text`: a search of one provider.
    Scoped {
        /// The provider's name.
        name: String,
        /// The text after the colon, on one line, as it was typed.
        query: String,
    },
}

/// A change of the text, and where the caret stands after it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Edit {
    /// What is replaced, in bytes.
    pub range: Range<usize>,
    /// What is replaced, in UTF-16 units.
    pub range_utf16: Range<usize>,
    /// What stands there afterwards.
    pub text: String,
    /// The caret after the edit, in bytes.
    pub caret: usize,
    /// The caret after the edit, in UTF-16 units.
    pub caret_utf16: usize,
}

impl Edit {
    /// The text after the edit; nothing when the range does not fit the text.
    pub fn apply(&self, text: &str) -> Option<String> {
        let (before, after) = (text.get(..self.range.start)?, text.get(self.range.end..)?);
        Some([before, &self.text, after].concat())
    }
}

/// What is being typed at the caret (a byte offset), if it is a mention.
///
/// The `@` is the nearest one before the caret where a token may stand: not after a word character, not escaped, not
/// inside a web address, and not in code. `@name:text` is a scope when the registry has that name; `@a::b` is a
/// function id and never a scope. A finished token is nothing that is being typed. A caret that is not on a character
/// boundary gives nothing.
pub fn trigger(text: &str, caret: usize, registry: &Registry) -> Option<Trigger> {
    let before = text.get(..caret)?;
    let (at, what) = nearest(before, registry)?;
    if in_code(text, at) {
        return None;
    }
    let start_utf16 = utf16(text.get(..at)?);
    let range_utf16 = start_utf16..start_utf16 + utf16(text.get(at..caret)?);
    let space_follows = text.get(caret..)?.starts_with(' ');
    Some(Trigger { what, range: at..caret, range_utf16, space_follows })
}

/// The same for a caret in UTF-16 units, as browsers have it.
pub fn trigger_utf16(text: &str, caret: usize, registry: &Registry) -> Option<Trigger> {
    let mut units = 0;
    for (offset, c) in text.char_indices() {
        if units >= caret {
            return if units == caret { trigger(text, offset, registry) } else { None };
        }
        units += c.len_utf16();
    }
    if units == caret { trigger(text, text.len(), registry) } else { None }
}

fn nearest(before: &str, registry: &Registry) -> Option<(usize, What)> {
    let near = tail(before, LOOK_BACK);
    let floor = before.len() - near.len();
    let line_start = near.rfind(['\n', '\r']).map_or(floor, |at| floor + at + 1);
    let mut spaced = false;
    let mut probes = 0;
    for (offset, c) in before.get(line_start..)?.char_indices().rev() {
        if c != '@' {
            spaced |= c.is_whitespace();
            continue;
        }
        let at = line_start + offset;
        let typed = before.get(at + 1..)?;
        probes += 1;
        if probes > PROBES {
            return None;
        }
        if !may_start(before, at) {
            continue;
        }
        let name_len = typed.bytes().take_while(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || *b == b'-').count();
        let (name, rest) = typed.split_at_checked(name_len)?;
        if rest.starts_with("(id=") && is_token_name(name) {
            return None;
        }
        let scoped = rest.strip_prefix(':').filter(|query| !query.starts_with(':') && registry.contains(name));
        let what = match scoped {
            Some(query) => What::Scoped { name: name.to_owned(), query: query.to_owned() },
            None if spaced => continue,
            None => What::Global { query: typed.to_owned(), providers: starting_with(typed, registry) },
        };
        let (What::Global { query, .. } | What::Scoped { query, .. }) = &what;
        return (query.chars().count() <= limits::ID_CHARS).then_some((at, what));
    }
    None
}

/// Whether a token written at this `@` would be one, by the scanner's own judgement of what stands before it.
fn may_start(before: &str, at: usize) -> bool {
    let Some(prefix) = before.get(..at) else { return false };
    let escaped = prefix.bytes().rev().take_while(|b| *b == b'\\').count() % 2 == 1;
    if escaped || !token_may_start(prefix) {
        return false;
    }
    // Only an `@` inside a web address is left to judge, and an address has no white space.
    let near = tail(prefix, limits::URI_BYTES);
    let run = near.rfind(char::is_whitespace).and_then(|start| near.get(start..)).unwrap_or(near);
    if !run.contains("://") {
        return true;
    }
    let probe = format!("{run}@a(id=\"1\")");
    scan(&probe).last().is_some_and(|found| found.span().start == run.len())
}

/// The last bytes of a text, at most so many, from a character boundary on.
fn tail(text: &str, bytes: usize) -> &str {
    let mut start = text.len().saturating_sub(bytes);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    text.get(start..).unwrap_or_default()
}

fn starting_with(query: &str, registry: &Registry) -> Vec<String> {
    let query = query.to_lowercase();
    let starts = |text: &str| text.to_lowercase().starts_with(&query);
    let fits = registry.iter().filter(|provider| starts(provider.name()) || starts(provider.descriptor().label()));
    fits.map(|provider| provider.name().to_owned()).collect()
}

impl Trigger {
    /// What is being typed.
    pub fn what(&self) -> &What {
        &self.what
    }

    /// The text after the `@`, or after the scope's colon.
    pub fn query(&self) -> &str {
        match &self.what {
            What::Global { query, .. } | What::Scoped { query, .. } => query,
        }
    }

    /// What a choice replaces, in bytes: from the `@` to the caret.
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// What a choice replaces, in UTF-16 units.
    pub fn range_utf16(&self) -> Range<usize> {
        self.range_utf16.clone()
    }

    /// The edit that scopes the search to a provider (Tab); nothing for what is no provider's name.
    pub fn scope_to(&self, name: &str) -> Option<Edit> {
        is_token_name(name).then(|| self.edit(format!("@{name}:"), 0))
    }

    /// The edit that writes a provider's item: its token and one space. A space that stands behind the caret already
    /// is that space.
    ///
    /// # Errors
    ///
    /// [`TokenError`] when the provider's name or the item's id can't be written as a token; a sanitized item of a
    /// registered provider always can.
    pub fn accept(&self, provider: &str, item: &Item) -> Result<Edit, TokenError> {
        let token = MentionToken::new(provider, item.id.as_str())?;
        Ok(self.edit(format!("{token} "), usize::from(self.space_follows)))
    }

    fn edit(&self, text: String, beyond: usize) -> Edit {
        Edit {
            range: self.range.start..self.range.end + beyond,
            range_utf16: self.range_utf16.start..self.range_utf16.end + beyond,
            caret: self.range.start + text.len(),
            caret_utf16: self.range_utf16.start + utf16(&text),
            text,
        }
    }
}

fn utf16(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}
