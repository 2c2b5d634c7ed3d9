//! Reading mention URIs, and the rules that reading and building share.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use crate::error::{UriError, UriErrorKind};
use crate::limits;
use crate::percent::{Plus, check_raw, decode, is_plain};
use crate::uri::{MentionUri, Pair, Part, SCHEME};

/// Reads a mention URI.
pub(crate) fn mention(text: &str) -> Result<MentionUri, UriError> {
    let trimmed = text.trim_ascii_start();
    let start = text.len() - trimmed.len();
    let rest = match trimmed.split_at_checked(SCHEME.len()) {
        Some((scheme, rest)) if scheme.eq_ignore_ascii_case(SCHEME) => rest,
        _ => return Err(UriError::at(UriErrorKind::NotAMention, start)),
    };
    let written = trimmed.trim_ascii_end();
    if written.len() > limits::URI_BYTES {
        return Err(UriError::at(UriErrorKind::TooLong, start + limits::URI_BYTES));
    }
    match plain(written) {
        Some(uri) => Ok(uri),
        None => any(written, rest.trim_ascii_end(), start),
    }
}

/// Reads what is canonical already but for the case of the scheme and the order of its pairs, in one pass. `None` says nothing but
/// that the text is not of that kind.
fn plain(text: &str) -> Option<MentionUri> {
    let bytes = text.as_bytes();
    let run = |from: usize| {
        let rest = bytes.get(from..).unwrap_or_default();
        Part { start: from, end: from + rest.iter().position(|byte| !is_plain(*byte)).unwrap_or(rest.len()) }
    };
    let name = bytes.get(SCHEME.len()..)?.iter().take(limits::NAME_BYTES + 1);
    let provider_end = SCHEME.len() + name.take_while(|byte| is_provider_byte(**byte)).count();
    let provider = text.get(SCHEME.len()..provider_end)?;
    if !(is_provider(provider) && bytes.get(provider_end) == Some(&b'/')) {
        return None;
    }
    let entity = run(provider_end + 1);
    // Plain text is ASCII: bytes are characters.
    if !(1..=limits::ID_CHARS).contains(&(entity.end - entity.start)) {
        return None;
    }
    let mut scope: Vec<Pair> = Vec::new();
    let mut in_order = true;
    let mut at = entity.end;
    while let Some(&mark) = bytes.get(at) {
        if mark != if at == entity.end { b'?' } else { b'&' } {
            return None;
        }
        let key = run(at + 1);
        if bytes.get(key.end) != Some(&b'=') {
            return None;
        }
        let value = run(key.end + 1);
        at = value.end;
        let name = key.of(text);
        if check_key(name, None).is_err()
            || !(1..=limits::SCOPE_VALUE_CHARS).contains(&(value.end - value.start))
            || scope.len() == limits::SCOPE_PAIRS
        {
            return None;
        }
        let pair = Pair { key, value };
        if scope.capacity() == 0 {
            scope.reserve_exact(4);
        }
        if scope.last().is_none_or(|last| last.key.of(text) < name) {
            scope.push(pair);
        } else {
            in_order = false;
            let place = scope.binary_search_by(|other| other.key.of(text).cmp(name)).err()?;
            scope.insert(place, pair);
        }
    }
    Some(MentionUri::from_plain(text, provider_end, entity, scope, in_order))
}

/// Reads any mention URI, and says what is wrong with one that is none. `rest` is what follows the scheme.
fn any(written: &str, rest: &str, start: usize) -> Result<MentionUri, UriError> {
    check_raw(written, start)?;
    let at = start + SCHEME.len();
    let (path, query) = match rest.split_once('?') {
        Some((path, query)) => (path, Some(query)),
        None => (rest, None),
    };
    let (path, fragment) = match path.split_once('#') {
        Some((path, _)) => (path, true),
        None => (path, false),
    };
    let (provider, entity) = match path.split_once('/') {
        Some((provider, entity)) => (provider, Some(entity)),
        None => (path, None),
    };
    check_provider(provider, at)?;
    let entity_at = at + provider.len() + 1;
    let Some(entity) = entity.filter(|entity| !entity.is_empty()) else {
        return Err(UriError::at(UriErrorKind::MissingEntity, at + path.len()));
    };
    if let Some(slash) = entity.find('/') {
        return Err(UriError::at(UriErrorKind::ExtraPath, entity_at + slash));
    }
    let entity = decode(entity, Plus::Plus, entity_at)?;
    check_id(&entity, Some(entity_at))?;
    if fragment {
        return Err(UriError::at(UriErrorKind::FragmentNotAllowed, at + path.len()));
    }
    let pairs = match query {
        Some(query) => scope(query, at + path.len() + 1)?,
        None => Vec::new(),
    };
    let pairs: Vec<_> = pairs.iter().map(|pair| (&*pair.key, &*pair.value)).collect();
    MentionUri::build(provider, &entity, &pairs)
}

/// A pair of a scope, and where it was written.
struct Written<'a> {
    key: Cow<'a, str>,
    value: Cow<'a, str>,
    at: usize,
}

/// The pairs of a query that have a value, in byte order of their keys.
fn scope(query: &str, at: usize) -> Result<Vec<Written<'_>>, UriError> {
    let mut pairs: Vec<Written<'_>> = Vec::new();
    let mut present = 0;
    let mut offset = at;
    for pair in query.split('&') {
        let pair_at = offset;
        offset += pair.len() + 1;
        if pair.is_empty() {
            continue;
        }
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        if let Some(hash) = pair.find('#') {
            return Err(UriError::at(UriErrorKind::FragmentNotAllowed, pair_at + hash));
        }
        let value_at = pair_at + key.len() + 1;
        let key = decode(key, Plus::Space, pair_at)?;
        check_key(&key, Some(pair_at))?;
        let value = decode(value, Plus::Space, value_at)?;
        check_value(&value, Some(value_at))?;
        present += usize::from(!value.trim().is_empty());
        if present > limits::SCOPE_PAIRS {
            return Err(UriError::at(UriErrorKind::TooManyScopeKeys, pair_at));
        }
        pairs.push(Written { key, value, at: pair_at });
    }
    // Of two pairs with one key, the second is at fault.
    pairs.sort_by(|one, other| one.key.cmp(&other.key).then(one.at.cmp(&other.at)));
    let twice = pairs.windows(2).filter_map(|two| match two {
        [first, second] if first.key == second.key => Some(second.at),
        _ => None,
    });
    if let Some(second) = twice.min() {
        return Err(UriError::at(UriErrorKind::DuplicateScopeKey, second));
    }
    pairs.retain(|pair| !pair.value.trim().is_empty());
    Ok(pairs)
}

const fn is_provider_byte(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

fn is_provider(provider: &str) -> bool {
    provider.len() <= limits::NAME_BYTES
        && provider.starts_with(|first: char| first.is_ascii_lowercase() || first.is_ascii_digit())
        && provider.bytes().all(is_provider_byte)
}

/// Checks a provider; the offsets are those of the text it stands in at `at`.
pub(crate) fn check_provider(provider: &str, at: usize) -> Result<(), UriError> {
    if is_provider(provider) {
        return Ok(());
    }
    if provider.is_empty() {
        return Err(UriError::at(UriErrorKind::MissingProvider, at));
    }
    if let Some(sign) = provider.find('@') {
        return Err(UriError::at(UriErrorKind::UserinfoNotAllowed, at + sign));
    }
    if let Some(colon) = provider.find(':') {
        return Err(UriError::at(UriErrorKind::PortNotAllowed, at + colon));
    }
    let starts = provider.starts_with(|first: char| first.is_ascii_lowercase() || first.is_ascii_digit());
    let fault = if starts { provider.bytes().position(|byte| !is_provider_byte(byte)) } else { Some(0) };
    Err(UriError::at(UriErrorKind::InvalidProvider, at + fault.unwrap_or(limits::NAME_BYTES)))
}

/// Checks a decoded, non-empty id.
pub(crate) fn check_id(id: &str, offset: Option<usize>) -> Result<(), UriError> {
    if id.trim().is_empty() {
        return Err(fault(UriErrorKind::BlankId, offset));
    }
    if longer(id, limits::ID_CHARS) {
        return Err(fault(UriErrorKind::IdTooLong, offset));
    }
    Ok(())
}

/// Checks a decoded scope key.
pub(crate) fn check_key(key: &str, offset: Option<usize>) -> Result<(), UriError> {
    if key.trim().is_empty() {
        return Err(fault(UriErrorKind::BlankKey, offset));
    }
    if key.len() > limits::SCOPE_KEY_BYTES {
        return Err(fault(UriErrorKind::ScopeKeyTooLong, offset));
    }
    let reserved = matches!(key, "appId" | "id" | "kind" | "link" | "provider" | "v" | "version");
    if reserved || key.starts_with("meta.") {
        return Err(fault(UriErrorKind::ReservedScopeKey, offset));
    }
    Ok(())
}

/// Checks a decoded scope value.
pub(crate) fn check_value(value: &str, offset: Option<usize>) -> Result<(), UriError> {
    if longer(value, limits::SCOPE_VALUE_CHARS) {
        return Err(fault(UriErrorKind::ScopeValueTooLong, offset));
    }
    Ok(())
}

/// Whether a text has more than that many characters.
pub(crate) fn longer(text: &str, characters: usize) -> bool {
    text.len() > characters && text.chars().nth(characters).is_some()
}

fn fault(kind: UriErrorKind, offset: Option<usize>) -> UriError {
    match offset {
        Some(offset) => UriError::at(kind, offset),
        None => UriError::new(kind),
    }
}
