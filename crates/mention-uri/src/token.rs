//! Mention tokens: `@<name>(id="<id>")`.

use alloc::borrow::{Cow, ToOwned as _};
use alloc::collections::BTreeSet;
use alloc::string::String;
use core::fmt::{self, Write as _};
use core::str::{CharIndices, FromStr};

use crate::error::{TokenError, TokenErrorKind};
use crate::limits;
use crate::steps;
use crate::text::{is_format, is_letter_or_digit, is_mark, is_word_character};
use crate::uri::MentionUri;

/// Names that no token may have: they are taken by the hosts' own functions, files and skills.
///
/// ```
/// use mention_uri::Reserved;
///
/// assert!(Reserved::default().contains("file"));
/// assert!(!Reserved::new(["fn", "skill"]).contains("file"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reserved(Option<BTreeSet<String>>);

impl Reserved {
    /// The names of the protocol.
    pub const DEFAULT: [&'static str; 3] = ["fn", "file", "skill"];

    /// These names instead of the default ones.
    pub fn new(names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let names: BTreeSet<String> = names.into_iter().map(Into::into).collect();
        let is_default = names.len() == Self::DEFAULT.len() && Self::DEFAULT.iter().all(|name| names.contains(*name));
        Self((!is_default).then_some(names))
    }

    /// No reserved name at all.
    pub const fn none() -> Self {
        Self(Some(BTreeSet::new()))
    }

    /// Whether a name is reserved.
    pub fn contains(&self, name: &str) -> bool {
        match &self.0 {
            None => Self::DEFAULT.contains(&name),
            Some(names) => names.contains(name),
        }
    }
}

impl Default for Reserved {
    /// `fn`, `file` and `skill`.
    fn default() -> Self {
        Self(None)
    }
}

/// A mention as people and agents write it in a message: `@kanban(id="6ac4f6df")`.
///
/// Valid by construction. Two tokens are equal when name and decoded id are, however the id was escaped. `Display` writes
/// the one canonical form, which survives Markdown and HTML-like blocks unchanged.
///
/// ```
/// use mention_uri::MentionToken;
///
/// let token = MentionToken::new("calendar", "evt_42")?;
/// assert_eq!(token.to_string(), r#"@calendar(id="evt_42")"#);
/// assert_eq!(MentionToken::parse(r#"@calendar(id="\u0065vt_42")"#)?, token);
/// # Ok::<(), mention_uri::TokenError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MentionToken {
    name: String,
    id: String,
}

impl MentionToken {
    /// Reads a whole text as one token, in the strict form or with the closing quote left out. The names `fn`, `file`
    /// and `skill` are reserved.
    ///
    /// # Errors
    ///
    /// [`TokenErrorKind::NotAToken`] for text that is not exactly one token, another kind for a token that breaks a rule.
    pub fn parse(text: &str) -> Result<Self, TokenError> {
        Self::parse_with(text, &Reserved::default())
    }

    /// Like [`parse`](Self::parse), with other reserved names.
    ///
    /// # Errors
    ///
    /// As for [`parse`](Self::parse).
    pub fn parse_with(text: &str, reserved: &Reserved) -> Result<Self, TokenError> {
        let not_a_token = |at| TokenError::at(TokenErrorKind::NotAToken, at);
        if !text.starts_with('@') {
            return Err(not_a_token(0));
        }
        let body = text.get(1..).unwrap_or_default();
        let length = body.find("(id=\"").ok_or_else(|| not_a_token(text.len()))?;
        let name = body.get(..length).unwrap_or_default();
        check_name(name, reserved).map_err(|kind| TokenError::at(kind, 1))?;
        let id_at = 1 + length + OPENER.len();
        let raw = text.get(id_at..).unwrap_or_default();
        let (id, end) = read_id(raw, usize::MAX).ok_or_else(|| not_a_token(id_at))?;
        if id_at + end != text.len() {
            return Err(not_a_token(id_at + end));
        }
        check_id(&id).map_err(|kind| TokenError::at(kind, id_at))?;
        Ok(Self { name: name.to_owned(), id: id.into_owned() })
    }

    /// The token of that name and (decoded) id. The names `fn`, `file` and `skill` are reserved.
    ///
    /// # Errors
    ///
    /// When the name or the id breaks a rule.
    pub fn new(name: impl Into<String>, id: impl Into<String>) -> Result<Self, TokenError> {
        Self::new_with(name, id, &Reserved::default())
    }

    /// Like [`new`](Self::new), with other reserved names.
    ///
    /// # Errors
    ///
    /// When the name or the id breaks a rule.
    pub fn new_with(name: impl Into<String>, id: impl Into<String>, reserved: &Reserved) -> Result<Self, TokenError> {
        let (name, id) = (name.into(), id.into());
        check_name(&name, reserved).map_err(TokenError::new)?;
        check_id(&id).map_err(TokenError::new)?;
        Ok(Self { name, id })
    }

    /// A token from parts that the scanner has checked.
    pub(crate) fn from_checked(name: &str, id: &str) -> Self {
        Self { name: name.to_owned(), id: id.to_owned() }
    }

    /// The name: which provider answers.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The decoded id; opaque.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The same mention as a URI, without a scope.
    pub fn to_uri(&self) -> MentionUri {
        MentionUri::from(self)
    }
}

impl TryFrom<&MentionUri> for MentionToken {
    type Error = TokenError;

    /// Fails when a scope would be lost or the provider is no token name.
    fn try_from(uri: &MentionUri) -> Result<Self, TokenError> {
        if uri.has_scope() {
            return Err(TokenError::new(TokenErrorKind::ScopeWouldBeLost));
        }
        Self::new(uri.provider(), uri.entity())
    }
}

impl FromStr for MentionToken {
    type Err = TokenError;

    fn from_str(text: &str) -> Result<Self, TokenError> {
        Self::parse(text)
    }
}

impl fmt::Display for MentionToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('@')?;
        f.write_str(&self.name)?;
        f.write_str(OPENER)?;
        write_id(&self.id, f)?;
        f.write_str("\")")
    }
}

/// What stands between name and id.
const OPENER: &str = "(id=\"";

/// Whether a text can be a token's name, reserved or not.
pub fn is_token_name(name: &str) -> bool {
    name.len() <= limits::NAME_BYTES
        && name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.bytes().all(is_name_byte)
}

const fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-'
}

fn check_name(name: &str, reserved: &Reserved) -> Result<(), TokenErrorKind> {
    if !is_token_name(name) {
        return Err(TokenErrorKind::InvalidName);
    }
    if reserved.contains(name) { Err(TokenErrorKind::ReservedName) } else { Ok(()) }
}

fn check_id(id: &str) -> Result<(), TokenErrorKind> {
    if id.is_empty() {
        return Err(TokenErrorKind::MissingId);
    }
    if !id.as_bytes().first().is_some_and(u8::is_ascii_graphic) && id.trim().is_empty() {
        return Err(TokenErrorKind::BlankId);
    }
    if id.len() > limits::ID_CHARS && id.chars().count() > limits::ID_CHARS {
        return Err(TokenErrorKind::IdTooLong);
    }
    Ok(())
}

/// A token that was read at some place of a text.
pub(crate) struct ReadToken<'a> {
    pub(crate) name: &'a str,
    pub(crate) id: Cow<'a, str>,
    /// Where the token ends in the text.
    pub(crate) end: usize,
}

/// Where the id of a candidate begins: `text` has a name and `(id="` after the `@` at `at`. Looks at no more than a
/// name's length.
#[inline]
pub(crate) fn head(text: &str, at: usize) -> Option<(&str, usize)> {
    let body = text.as_bytes().get(at + 1..)?;
    if !body.first()?.is_ascii_lowercase() {
        return None;
    }
    let longest = body.get(..=limits::NAME_BYTES).unwrap_or(body);
    let length = longest.iter().position(|byte| !is_name_byte(*byte))?;
    let rest = body.get(length..)?;
    if !rest.starts_with(OPENER.as_bytes()) {
        return None;
    }
    Some((text.get(at + 1..at + 1 + length)?, at + 1 + length + OPENER.len()))
}

/// Reads the token whose `@` is at byte `at`; what stands before it is not looked at.
///
/// A candidate is followed to its first unescaped quote at most, which a candidate after it would bring along, and no further
/// than the longest id reaches: over a whole text the work is linear.
#[inline]
pub(crate) fn read_at<'a>(text: &'a str, at: usize, reserved: &Reserved) -> Option<ReadToken<'a>> {
    let (name, id_at) = head(text, at)?;
    if reserved.contains(name) {
        return None;
    }
    let raw = text.get(id_at..)?;
    let (mut id, mut end) = read_id(raw, limits::ID_CHARS)?;
    if let Err(fault) = check_id(&id) {
        // The quote that was found belongs to something much later, so the id's own may have been left out.
        if fault != TokenErrorKind::IdTooLong {
            return None;
        }
        (id, end) = read_unclosed(raw, limits::ID_CHARS)?;
        check_id(&id).ok()?;
    }
    Some(ReadToken { name, id, end: id_at + end })
}

/// Most bytes that a character of an id can have as written: a pair of `\u….`.
const WRITTEN_CHARACTER_BYTES: usize = 12;

/// Reads an id behind its opening quote: the decoded id, and where the token ends behind its `)`. Gives up on ids of more than
/// `longest` characters, at the latest where the longest one would end.
fn read_id(raw: &str, longest: usize) -> Option<(Cow<'_, str>, usize)> {
    let bytes = raw.as_bytes();
    let reach = longest.saturating_mul(WRITTEN_CHARACTER_BYTES).saturating_add(1);
    let window = bytes.get(..reach).unwrap_or(bytes);
    let stop = window.iter().position(|byte| matches!(byte, b'"' | b'\\') || *byte < 0x20);
    steps::step(stop.unwrap_or(window.len()));
    match stop.and_then(|at| window.get(at).map(|byte| (at, *byte))) {
        Some((at, b'"')) if bytes.get(at + 1) == Some(&b')') => Some((Cow::Borrowed(raw.get(..at)?), at + 2)),
        Some((at, b'\\')) => read_escaped(raw, at, reach).or_else(|| read_unclosed(raw, longest)),
        _ => read_unclosed(raw, longest),
    }
}

/// The tolerated form: the closing quote left out, and nothing in the id that could be read in two ways.
fn read_unclosed(raw: &str, longest: usize) -> Option<(Cow<'_, str>, usize)> {
    for (count, (at, character)) in raw.char_indices().enumerate() {
        steps::step(1);
        match character {
            ')' => return Some((Cow::Borrowed(raw.get(..at)?), at + 1)),
            '"' | '\\' => return None,
            other if other.is_control() || count == longest => return None,
            _ => {}
        }
    }
    None
}

/// The strict form with escapes, the first of which is at `from`: a JSON string and `)`, within `reach` bytes.
fn read_escaped(raw: &str, from: usize, reach: usize) -> Option<(Cow<'_, str>, usize)> {
    let mut id = String::from(raw.get(..from)?);
    let mut rest = raw.get(from..)?.char_indices();
    while let Some((at, character)) = rest.next() {
        steps::step(1);
        if at > reach {
            return None;
        }
        match character {
            '"' => {
                let end = from + at + 1;
                return (raw.as_bytes().get(end) == Some(&b')')).then_some((Cow::Owned(id), end + 1));
            }
            '\\' => id.push(read_escape(&mut rest)?),
            control if control < ' ' => return None,
            other => id.push(other),
        }
    }
    None
}

/// What follows a backslash in a JSON string. A lone surrogate is no character.
fn read_escape(rest: &mut CharIndices<'_>) -> Option<char> {
    Some(match rest.next()?.1 {
        same @ ('"' | '\\' | '/') => same,
        'b' => '\u{8}',
        'f' => '\u{C}',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'u' => {
            let first = read_unit(rest)?;
            if !(0xD800..0xDC00).contains(&first) {
                return char::from_u32(first);
            }
            if (rest.next()?.1, rest.next()?.1) != ('\\', 'u') {
                return None;
            }
            let second = read_unit(rest).filter(|second| (0xDC00..0xE000).contains(second))?;
            char::from_u32(0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00))?
        }
        _ => return None,
    })
}

/// Four hexadecimal digits.
fn read_unit(rest: &mut CharIndices<'_>) -> Option<u32> {
    (0..4).try_fold(0, |unit, _| Some(unit << 4 | rest.next()?.1.to_digit(16)?))
}

/// Writes an id as the inside of a JSON string that neither Markdown nor a tag can act on.
fn write_id(id: &str, f: &mut impl fmt::Write) -> fmt::Result {
    let visible = |near: Option<char>| near.is_some_and(|near| !near.is_whitespace() && !is_unseen(near));
    let wordy = |near: Option<char>| near.is_some_and(is_letter_or_digit);
    let mut before = None;
    let mut characters = id.chars().peekable();
    while let Some(character) = characters.next() {
        let after = characters.peek().copied();
        let short = match character {
            same @ ('"' | '\\') => Some(same),
            '\u{8}' => Some('b'),
            '\u{C}' => Some('f'),
            '\n' => Some('n'),
            '\r' => Some('r'),
            '\t' => Some('t'),
            _ => None,
        };
        let long = match character {
            '`' | '*' | '~' | '|' | '[' | ']' | '<' | '>' | '&' => true,
            '_' => !(wordy(before) && wordy(after)),
            ' ' => !(visible(before) && visible(after)),
            other => other.is_whitespace() || is_unseen(other),
        };
        if let Some(letter) = short {
            f.write_char('\\')?;
            f.write_char(letter)?;
        } else if long {
            for unit in character.encode_utf16(&mut [0; 2]) {
                write!(f, "\\u{unit:04x}")?;
            }
        } else {
            f.write_char(character)?;
        }
        before = Some(character);
    }
    Ok(())
}

fn is_unseen(character: char) -> bool {
    character.is_control() || is_format(character)
}

/// What the end of a text says of an `@` that follows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Boundary {
    /// A token may start.
    Open,
    /// The `@` belongs to a word.
    Blocked,
    /// There is no base character: nothing, or only marks and joiners.
    Nothing,
}

/// One character more: what an `@` behind it would see. Marks and ZWJ change nothing, so a scanner that goes forward
/// carries this along and never looks back.
pub(crate) fn step(before: Boundary, character: char) -> Boundary {
    if character == '\u{200D}' || is_mark(character) {
        before
    } else if is_word_character(character) {
        Boundary::Blocked
    } else {
        Boundary::Open
    }
}

/// What an `@` at the end of this text would see; looks back over marks and joiners to the base character.
pub(crate) fn boundary(before: &str) -> Boundary {
    for character in before.chars().rev() {
        match step(Boundary::Nothing, character) {
            Boundary::Nothing => {}
            known => return known,
        }
    }
    Boundary::Nothing
}

/// Whether an `@` may start a token after this text: it does not where it belongs to a word, as in an e-mail address.
///
/// ```
/// use mention_uri::token_may_start;
///
/// assert!(token_may_start("see "));
/// assert!(token_may_start("请看"));
/// assert!(!token_may_start("rémy"));
/// ```
pub fn token_may_start(before: &str) -> bool {
    boundary(before) != Boundary::Blocked
}
