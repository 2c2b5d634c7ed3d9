//! Tool names for commands, and back.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use super::Entry;

/// The most characters of a tool name: what function tools allow; MCP allows more.
pub const NAME_CHARS: usize = 64;

/// Characters of the digest at the end of a name that could not be taken from the path alone.
const DIGEST_CHARS: usize = 12;

/// Tool names of commands, one to one: the path joined with `_`, as in `issue_list`.
///
/// Path segments hold no `_`, so no two paths come to one name. A path that is too long, that holds other
/// characters than `[a-z0-9-]`, or that another command has already, gets the start of a digest of the
/// command's id at its end. Names hold only characters that both MCP and function tools allow, `[a-z0-9_-]`,
/// and at most [`NAME_CHARS`] of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names {
    ids: BTreeMap<String, usize>,
    names: Vec<String>,
}

impl Names {
    /// The names of these entries, in order. A name depends on the entries before it only where two have one
    /// path.
    pub(super) fn new(entries: &[Entry]) -> Self {
        let mut names = Self::default();
        for (index, entry) in entries.iter().enumerate() {
            let path = &entry.capability().path;
            let id = &entry.capability().id;
            let plain = plain(path).filter(|name| !names.ids.contains_key(name));
            let name = plain.unwrap_or_else(|| {
                // A round is lost only when a digest is also a name, so one more than there are names is enough.
                let mut rounds = (0..=names.names.len()).map(|round| digested(path, id, round));
                rounds.find(|name| !names.ids.contains_key(name)).unwrap_or_default()
            });
            names.ids.insert(name.clone(), index);
            names.names.push(name);
        }
        names
    }

    pub(super) fn position(&self, name: &str) -> Option<usize> {
        self.ids.get(name).copied()
    }

    /// The names, in the order of the entries.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }
}

fn plain(path: &[String]) -> Option<String> {
    let fits = |segment: &String| {
        !segment.is_empty()
            && segment.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    };
    let name = path.join("_");
    (!path.is_empty() && path.iter().all(fits) && name.len() <= NAME_CHARS).then_some(name)
}

fn digested(path: &[String], id: &str, round: usize) -> String {
    let mut hash = Sha256::new();
    hash.update(id.as_bytes());
    hash.update((round as u64).to_be_bytes());
    for segment in path {
        hash.update((segment.len() as u64).to_be_bytes());
        hash.update(segment.as_bytes());
    }
    let digest: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).take(DIGEST_CHARS / 2).collect();
    let allowed = |character: char| match character {
        'a'..='z' | '0'..='9' | '-' | '_' => character,
        'A'..='Z' => character.to_ascii_lowercase(),
        _ => '-',
    };
    let start: String = path.join("_").chars().take(NAME_CHARS - DIGEST_CHARS - 1).map(allowed).collect();
    format!("{start}_{digest}")
}
