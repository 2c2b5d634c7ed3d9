//! Which link destinations a renderer may keep.

use alloc::borrow::Cow;
use alloc::borrow::ToOwned;
use alloc::collections::BTreeSet;
use alloc::string::String;

use crate::kinds::{ResourceKinds, is_scheme_byte};
use crate::text::{is_bidi_control, is_zero_width};
use crate::uri::MentionUri;

/// An allow list for link destinations, for hooks such as `urlTransform`.
///
/// Kept are: mention URIs and resource URIs of the host's kinds when they parse, `http`, `https`, `mailto` and what the host
/// adds, and relative destinations. Everything else is refused: other schemes, `//host`, backslashes, control characters,
/// characters without width.
///
/// ```
/// use mention_uri::{LinkPolicy, ResourceKinds};
///
/// let policy = LinkPolicy::new().kinds(ResourceKinds::studio());
/// assert!(policy.allows("mention://agent/a1") && policy.allows("asset://k1") && policy.allows("/rel/path"));
/// assert!(!policy.allows("java&#115;cript:alert(1)") && !policy.allows("//evil.test"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkPolicy {
    schemes: BTreeSet<String>,
    kinds: ResourceKinds,
    relative: bool,
}

impl Default for LinkPolicy {
    fn default() -> Self {
        Self::new()
    }
}

impl LinkPolicy {
    /// Mention URIs, `http`, `https`, `mailto` and relative destinations; no resource kinds.
    pub fn new() -> Self {
        let schemes = ["http", "https", "mailto"].into_iter().map(ToOwned::to_owned).collect();
        Self { schemes, kinds: ResourceKinds::none(), relative: true }
    }

    /// Keeps resource URIs of these kinds too. Default: none.
    #[must_use]
    pub fn kinds(mut self, kinds: ResourceKinds) -> Self {
        self.kinds = kinds;
        self
    }

    /// Keeps this scheme too, in any case. Schemes that run code or carry content (`javascript`, `vbscript`, `data`, `blob`,
    /// `file` and the like) stay refused, whatever is asked for.
    #[must_use]
    pub fn scheme(mut self, scheme: &str) -> Self {
        let scheme = scheme.to_ascii_lowercase();
        if !UNSAFE.contains(&scheme.as_str()) {
            self.schemes.insert(scheme);
        }
        self
    }

    /// Whether relative destinations are kept. Default: yes.
    #[must_use]
    pub fn relative(mut self, keep: bool) -> Self {
        self.relative = keep;
        self
    }

    /// Whether a renderer may keep this destination. Character references (`&#58;`) are decoded first.
    pub fn allows(&self, destination: &str) -> bool {
        let Some(destination) = decode_references(destination) else { return false };
        let hidden = |c: char| c.is_control() || c == '\\' || is_bidi_control(c) || is_zero_width(c);
        if destination.contains(hidden) || destination.starts_with(char::is_whitespace) {
            return false;
        }
        let length = destination.find([':', '/', '?', '#']).unwrap_or(destination.len());
        let (start, rest) = destination.split_at_checked(length).unwrap_or(("", ""));
        if !rest.starts_with(':') {
            return self.relative && !destination.starts_with("//");
        }
        let named = start.starts_with(|first: char| first.is_ascii_alphabetic()) && start.bytes().all(is_scheme_byte);
        if !named {
            return false;
        }
        if start.eq_ignore_ascii_case("mention") {
            return MentionUri::parse(&destination).is_ok();
        }
        if self.kinds.contains_scheme(start) {
            return self.kinds.parse(&destination).is_ok();
        }
        self.schemes.contains(start.to_ascii_lowercase().as_str())
    }
}

/// Schemes that no policy keeps.
const UNSAFE: [&str; 12] = [
    "about",
    "blob",
    "data",
    "file",
    "filesystem",
    "jar",
    "javascript",
    "livescript",
    "mhtml",
    "mocha",
    "vbscript",
    "view-source",
];

/// Named references whose characters could make up the beginning of a destination.
const NAMED: [(&str, &str); 22] = [
    ("Tab", "\t"),
    ("NewLine", "\n"),
    ("nbsp", "\u{A0}"),
    ("NonBreakingSpace", "\u{A0}"),
    ("ZeroWidthSpace", "\u{200B}"),
    ("shy", "\u{AD}"),
    ("colon", ":"),
    ("sol", "/"),
    ("bsol", "\\"),
    ("period", "."),
    ("plus", "+"),
    ("num", "#"),
    ("quest", "?"),
    ("amp", "&"),
    ("AMP", "&"),
    ("lt", "<"),
    ("gt", ">"),
    ("quot", "\""),
    ("apos", "'"),
    ("commat", "@"),
    ("equals", "="),
    ("percnt", "%"),
];

/// Decodes character references once; `None` where a name that is not known here stands before the first `:`, `/`, `?` or
/// `#`, since it might spell a scheme.
fn decode_references(text: &str) -> Option<Cow<'_, str>> {
    if !text.contains('&') {
        return Some(Cow::Borrowed(text));
    }
    let mut decoded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        decoded.push_str(before);
        rest = after;
        // The longest name has 31 characters.
        let length = after.bytes().take(33).take_while(u8::is_ascii_alphanumeric).count();
        let (name, tail) = after.split_at_checked(length).unwrap_or_default();
        if let Some((number, tail)) = after.strip_prefix('#').and_then(split_number) {
            decoded.push(number.character()?);
            // Readers of HTML take a number without a semicolon too.
            rest = tail.strip_prefix(';').unwrap_or(tail);
        } else if let Some(tail) = tail.strip_prefix(';').filter(|_| !name.is_empty()) {
            if let Some((_, text)) = NAMED.iter().find(|(known, _)| *known == name) {
                decoded.push_str(text);
                rest = tail;
            } else if decoded.contains([':', '/', '?', '#']) {
                decoded.push('&');
            } else {
                return None;
            }
        } else {
            decoded.push('&');
        }
    }
    decoded.push_str(rest);
    Some(Cow::Owned(decoded))
}

/// The number of a numeric reference.
struct Number<'a> {
    digits: &'a str,
    radix: u32,
}

impl Number<'_> {
    fn character(&self) -> Option<char> {
        char::from_u32(u32::from_str_radix(self.digits, self.radix).ok()?)
    }
}

/// The number behind `&#`, if there is one, and what follows it.
fn split_number(text: &str) -> Option<(Number<'_>, &str)> {
    let (text, radix) = text.strip_prefix(['x', 'X']).map_or((text, 10), |text| (text, 16));
    let length = text.find(|digit: char| !digit.is_digit(radix)).unwrap_or(text.len());
    let (digits, rest) = text.split_at_checked(length)?;
    (!digits.is_empty()).then_some((Number { digits, radix }, rest))
}
