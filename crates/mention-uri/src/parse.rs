//! Reading mention URIs, and the rules that reading and building share.

use alloc::string::String;
use alloc::vec::Vec;

use crate::error::{UriError, UriErrorKind};
use crate::limits;
use crate::percent::{self, Plus, check_raw, is_hidden, is_plain};
use crate::uri::{MentionUri, Pair, Part, SCHEME, narrow};

/// Reads a mention URI.
pub(crate) fn mention(text: &str) -> Result<MentionUri, UriError> {
    let trimmed = text.trim_ascii_start();
    let start = text.len() - trimmed.len();
    if !trimmed.get(..SCHEME.len()).is_some_and(|scheme| scheme.eq_ignore_ascii_case(SCHEME)) {
        return Err(UriError::at(UriErrorKind::NotAMention, start));
    }
    let written = trimmed.trim_ascii_end();
    if written.len() > limits::URI_BYTES {
        return Err(UriError::at(UriErrorKind::TooLong, start + limits::URI_BYTES));
    }
    let has_escapes = memchr::memchr2(b'%', b'+', written.as_bytes()).is_some();
    match if has_escapes { None } else { plain(written) } {
        Some(uri) => Ok(uri),
        None => any(written, start),
    }
}

/// Reads what is canonical already but for the case of the scheme and the order of its pairs, in one pass. `None` says nothing but
/// that the text is not of that kind.
fn plain(text: &str) -> Option<MentionUri> {
    let bytes = text.as_bytes();
    let run = |from: usize| {
        let rest = bytes.get(from..).unwrap_or_default();
        from + rest.iter().position(|byte| !is_plain(*byte)).unwrap_or(rest.len())
    };
    let name = bytes.get(SCHEME.len()..)?.iter().take(limits::NAME_BYTES + 1);
    let provider_end = SCHEME.len() + name.take_while(|byte| is_provider_byte(**byte)).count();
    let provider = text.get(SCHEME.len()..provider_end)?;
    if !(is_provider(provider) && bytes.get(provider_end) == Some(&b'/')) {
        return None;
    }
    let entity_end = run(provider_end + 1);
    // Plain text is ASCII: bytes are characters.
    if !(1..=limits::ID_CHARS).contains(&(entity_end - provider_end - 1)) {
        return None;
    }
    let mut scope: Vec<Pair> = Vec::new();
    let mut in_order = true;
    let mut at = entity_end;
    while let Some(&mark) = bytes.get(at) {
        if mark != if at == entity_end { b'?' } else { b'&' } {
            return None;
        }
        let key_end = run(at + 1);
        let key = text.get(at + 1..key_end)?;
        if bytes.get(key_end) != Some(&b'=') {
            return None;
        }
        let value_end = run(key_end + 1);
        if check_key(key, None).is_err()
            || !(1..=limits::SCOPE_VALUE_CHARS).contains(&(value_end - key_end - 1))
            || scope.len() == limits::SCOPE_PAIRS
        {
            return None;
        }
        let pair = Pair {
            key: Part::new(at + 1, key_end),
            value: Part::new(key_end + 1, value_end),
            written: Part::default(),
            order: 0,
        };
        at = value_end;
        if scope.capacity() == 0 {
            scope.reserve_exact(4);
        }
        if scope.last().is_none_or(|last| last.key.of(text) < key) {
            scope.push(pair);
        } else {
            in_order = false;
            let place = scope.binary_search_by(|other| other.key.of(text).cmp(key)).err()?;
            scope.insert(place, pair);
        }
    }
    let entity = Part::new(provider_end + 1, entity_end);
    Some(MentionUri::from_plain(text, provider_end, entity, scope, in_order))
}

/// Reads any mention URI, and says what is wrong with one that is none; `start` is where it stands in the text that was given. The first
/// fault from the left is told.
fn any(written: &str, start: usize) -> Result<MentionUri, UriError> {
    let fault = |kind, at: usize| UriError::at(kind, start + at);
    let rest = written.get(SCHEME.len()..).unwrap_or_default();
    let provider = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if !is_provider(provider) {
        check_raw(provider, start + SCHEME.len())?;
        check_provider(provider, start + SCHEME.len())?;
    }
    let mut reader = Reader {
        text: written,
        at: SCHEME.len() + provider.len(),
        start,
        decoded: String::with_capacity(rest.len()),
        canonical: String::with_capacity(written.len() + 24),
    };
    reader.canonical.extend([SCHEME, provider, "/"]);
    if !reader.take(b'/') {
        return Err(fault(UriErrorKind::MissingEntity, reader.at));
    }
    let entity_at = reader.at;
    let entity = reader.part(*b"/?#", Plus::Plus)?;
    if reader.peek() == Some(b'/') {
        return Err(fault(UriErrorKind::ExtraPath, reader.at));
    }
    if entity_at == reader.at {
        return Err(fault(UriErrorKind::MissingEntity, reader.at));
    }
    check_id(entity.of(&reader.decoded), Some(start + entity_at))?;
    let scope = if reader.take(b'?') { reader.scope()? } else { Vec::new() };
    if reader.peek().is_some() {
        return Err(fault(UriErrorKind::FragmentNotAllowed, reader.at));
    }
    if reader.canonical.len() > limits::URI_BYTES {
        return Err(UriError::new(UriErrorKind::TooLong));
    }
    Ok(MentionUri::from_parts(reader.canonical, reader.decoded, SCHEME.len() + provider.len(), entity, scope))
}

/// Reads the parts of a URI from left to right, and puts together their decoded forms and the canonical text.
struct Reader<'a> {
    text: &'a str,
    /// How far reading has come.
    at: usize,
    /// Where `text` begins in what was given.
    start: usize,
    decoded: String,
    canonical: String,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> bool {
        let taken = self.peek() == Some(byte);
        self.at += usize::from(taken);
        taken
    }

    /// Reads up to the first raw byte that is one of `stops`.
    fn part(&mut self, stops: [u8; 3], plus: Plus) -> Result<Part, UriError> {
        let from = self.decoded.len();
        loop {
            let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
            let run = rest.iter().position(|byte| !is_plain(*byte)).unwrap_or(rest.len());
            let plain = self.text.get(self.at..self.at + run).unwrap_or_default();
            self.decoded.push_str(plain);
            self.canonical.push_str(plain);
            self.at += run;
            let character = match rest.get(run) {
                None => break,
                Some(b'%') => percent::take_escaped(self.text, &mut self.at, self.start)?,
                Some(b'+') if plus == Plus::Space => {
                    self.at += 1;
                    ' '
                }
                Some(byte) if stops.iter().any(|stop| stop == byte) => break,
                Some(_) => {
                    let raw = self.text.get(self.at..).and_then(|rest| rest.chars().next()).unwrap_or_default();
                    if is_hidden(raw) {
                        return Err(UriError::at(UriErrorKind::InvalidCharacter, self.start + self.at));
                    }
                    self.at += raw.len_utf8();
                    raw
                }
            };
            self.decoded.push(character);
            percent::encode_char(character, &mut self.canonical);
        }
        Ok(Part::new(from, self.decoded.len()))
    }

    /// The pairs that have a value, in byte order of their keys.
    fn scope(&mut self) -> Result<Vec<Pair>, UriError> {
        let scope_at = self.canonical.len();
        let mut pairs = Vec::with_capacity(4);
        let mut present = 0;
        loop {
            let at = self.at;
            let canonical_at = self.canonical.len();
            self.canonical.push('&');
            let key = self.part(*b"=&#", Plus::Space)?;
            let valued = self.take(b'=');
            let mut value = Part::default();
            if self.at > at {
                check_key(key.of(&self.decoded), Some(self.start + at))?;
                if valued {
                    let value_at = self.at;
                    self.canonical.push('=');
                    value = self.part(*b"&&#", Plus::Space)?;
                    let text = value.of(&self.decoded);
                    check_value(text, Some(self.start + value_at))?;
                    if is_blank(text) {
                        value = Part::default();
                    }
                }
            }
            if value.is_empty() {
                self.canonical.truncate(canonical_at);
            } else {
                present += 1;
                if present > limits::SCOPE_PAIRS {
                    return Err(UriError::at(UriErrorKind::TooManyScopeKeys, self.start + at));
                }
            }
            if self.at > at {
                let written = Part::new(canonical_at, self.canonical.len());
                pairs.push(Pair { key, value, written, order: narrow(at) });
            }
            if !self.take(b'&') {
                break;
            }
        }
        let key = |pair: &Pair| pair.key.of(&self.decoded);
        if !pairs.is_sorted_by(|one, other| key(one) < key(other)) {
            pairs.sort_by(|one, other| key(one).cmp(key(other)).then(one.order.cmp(&other.order)));
            // Of two pairs with one key, the second is at fault.
            let twice = pairs.windows(2).filter_map(|two| match two {
                [first, second] if key(first) == key(second) => Some(second.order),
                _ => None,
            });
            if let Some(second) = twice.min() {
                return Err(UriError::at(UriErrorKind::DuplicateScopeKey, self.start + usize::from(second)));
            }
            let mut ordered = String::with_capacity(self.canonical.len());
            ordered.push_str(self.canonical.get(..scope_at).unwrap_or_default());
            ordered.extend(pairs.iter().map(|pair| pair.written.of(&self.canonical)));
            self.canonical = ordered;
        }
        if present > 0 {
            self.canonical.replace_range(scope_at..=scope_at, "?");
        }
        if present < pairs.len() {
            pairs.retain(|pair| !pair.value.is_empty());
        }
        Ok(pairs)
    }
}

fn is_blank(text: &str) -> bool {
    text.chars().all(char::is_whitespace)
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
    if is_blank(id) {
        return Err(fault(UriErrorKind::BlankId, offset));
    }
    if longer(id, limits::ID_CHARS) {
        return Err(fault(UriErrorKind::IdTooLong, offset));
    }
    Ok(())
}

/// Checks a decoded scope key.
pub(crate) fn check_key(key: &str, offset: Option<usize>) -> Result<(), UriError> {
    if is_blank(key) {
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
