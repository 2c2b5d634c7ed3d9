//! Why a spelling is not valid: a stable code, where it went wrong, and one line for people.

use alloc::string::String;
use core::fmt;

macro_rules! codes {
    ($(#[$outer:meta])* $name:ident { $($(#[$inner:meta])* $variant:ident => $code:literal, $message:literal;)+ }) => {
        $(#[$outer])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$inner])* $variant,)+
        }

        impl $name {
            /// All codes, in the order of the variants.
            pub const CODES: &'static [&'static str] = &[$($code,)+];

            /// The stable code.
            pub const fn code(self) -> &'static str {
                match self {
                    $(Self::$variant => $code,)+
                }
            }

            const fn message(self) -> &'static str {
                match self {
                    $(Self::$variant => $message,)+
                }
            }
        }
    };
}

codes! {
    /// What is wrong with a mention or resource URI.
    UriErrorKind {
        /// The text does not begin with `mention://`.
        NotAMention => "not_a_mention", "expected a text that starts with mention://";
        /// The text is longer than 8 KiB, as written or in its canonical form.
        TooLong => "too_long", "expected at most 8192 bytes, as written and in canonical form";
        /// White space, a control, bidi or zero-width character stands there as it is.
        InvalidCharacter => "invalid_character", "expected no raw white space, control, bidi or zero-width character";
        /// A percent sign is not followed by two hexadecimal digits.
        InvalidEscape => "invalid_escape", "expected two hexadecimal digits after %";
        /// The escapes do not decode to UTF-8.
        InvalidUtf8 => "invalid_utf8", "expected escapes that decode to UTF-8";
        /// There is nothing between `mention://` and the next `/`.
        MissingProvider => "missing_provider", "expected a provider after mention://";
        /// The provider is not written as the grammar says.
        InvalidProvider => "invalid_provider",
            "expected a provider of lower-case letters, digits, -, ., _ and ~ that starts with a letter or digit, at most 40 bytes";
        /// There is an `@` before the first `/`.
        UserinfoNotAllowed => "userinfo_not_allowed", "expected no @ in the provider";
        /// There is a `:` before the first `/`.
        PortNotAllowed => "port_not_allowed", "expected no : in the provider";
        /// There is no entity.
        MissingEntity => "missing_entity", "expected an entity after the provider";
        /// There is more than one path segment, or a trailing slash.
        ExtraPath => "extra_path", "expected exactly one path segment";
        /// There is a fragment.
        FragmentNotAllowed => "fragment_not_allowed", "expected no fragment";
        /// The id is white space only.
        BlankId => "blank_id", "expected an id that is not only white space";
        /// The id is longer than 512 characters after decoding.
        IdTooLong => "id_too_long", "expected an id of at most 512 characters";
        /// A scope key is empty or white space only.
        BlankKey => "blank_key", "expected a scope key that is not blank";
        /// A scope key is given twice.
        DuplicateScopeKey => "duplicate_scope_key", "expected each scope key once";
        /// A scope key is reserved.
        ReservedScopeKey => "reserved_scope_key", "expected no reserved scope key (appId, id, kind, link, provider, v, version, meta.…)";
        /// There are more than 32 scope pairs.
        TooManyScopeKeys => "too_many_scope_keys", "expected at most 32 scope keys";
        /// A scope key is longer than 64 bytes after decoding.
        ScopeKeyTooLong => "scope_key_too_long", "expected a scope key of at most 64 bytes";
        /// A scope value is longer than 2,048 characters after decoding.
        ScopeValueTooLong => "scope_value_too_long", "expected a scope value of at most 2048 characters";
        /// The text does not begin with a scheme and `://`.
        NotAResource => "not_a_resource", "expected a text that starts with a kind and ://";
        /// The table does not name this kind.
        UnknownKind => "unknown_kind", "expected a known kind";
        /// There is no resource id.
        MissingId => "missing_id", "expected an id after ://";
        /// There is a raw `?` in a resource URI.
        QueryNotAllowed => "query_not_allowed", "expected no query in a resource URI";
        /// The fragment is not one `key=value`.
        InvalidFragment => "invalid_fragment", "expected a fragment of one key=value";
        /// The sub-target's value is not of its type.
        InvalidSubTarget => "invalid_sub_target", "expected a sub-target value of the declared type";
        /// A typed target is asked of a mention of another provider.
        WrongProvider => "wrong_provider", "expected a mention of that provider";
        /// A typed target lacks its `workspaceId`.
        MissingWorkspace => "missing_workspace", "expected a workspaceId in the scope";
        /// The source of a workspace reference is not `app` or `task`.
        InvalidSource => "invalid_source", "expected source=app or source=task";
    }
}

codes! {
    /// What is wrong with a mention token.
    TokenErrorKind {
        /// The text is not exactly one token.
        NotAToken => "not_a_token", "expected @name(id=\"…\") and nothing else";
        /// The name is not written as the grammar says.
        InvalidName => "invalid_name",
            "expected a name of lower-case letters, digits and - that starts with a letter, at most 40 bytes";
        /// The name is reserved.
        ReservedName => "reserved_name", "expected a name that is not reserved (fn, file, skill)";
        /// The id is empty.
        MissingId => "missing_id", "expected an id";
        /// The id is white space only.
        BlankId => "blank_id", "expected an id that is not only white space";
        /// The id is longer than 512 characters after decoding.
        IdTooLong => "id_too_long", "expected an id of at most 512 characters";
        /// The mention URI has a scope, which a token can't say.
        ScopeWouldBeLost => "scope_would_be_lost", "expected a mention without a scope";
    }
}

codes! {
    /// What is wrong with a table of resource kinds.
    KindsErrorKind {
        /// The kind is no URI scheme in lower case.
        InvalidKind => "invalid_kind", "expected a kind of lower-case letters, digits, + , - and . that starts with a letter, at most 40 bytes";
        /// The kind is a scheme of the web or the system.
        ReservedKind => "reserved_kind", "expected a kind that is no scheme of the web or the system";
        /// The kind is given twice.
        DuplicateKind => "duplicate_kind", "expected each kind once";
        /// A sub-target is given for a kind that is not in the table.
        UnknownKind => "unknown_kind", "expected a sub-target of a kind given before";
        /// The sub-target's key is empty or holds characters that a key can't have.
        InvalidKey => "invalid_key", "expected a key of letters, digits, -, . and _";
        /// The sub-target is given twice.
        DuplicateKey => "duplicate_key", "expected each sub-target of a kind once";
    }
}

/// Why a text is no mention or resource URI, or why data can't be one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("{}{}", kind.message(), Place { found: *found, offset: *offset })]
pub struct UriError {
    kind: UriErrorKind,
    offset: Option<usize>,
    found: Option<char>,
}

impl UriError {
    pub(crate) const fn at(kind: UriErrorKind, offset: usize) -> Self {
        Self { kind, offset: Some(offset), found: None }
    }

    pub(crate) const fn new(kind: UriErrorKind) -> Self {
        Self { kind, offset: None, found: None }
    }

    pub(crate) const fn without_offset(self) -> Self {
        Self { offset: None, ..self }
    }

    /// The same with the character at fault, where it is one.
    pub(crate) fn found_in(self, text: &str) -> Self {
        let one_character = matches!(
            self.kind,
            UriErrorKind::InvalidCharacter | UriErrorKind::InvalidProvider | UriErrorKind::InvalidFragment
        );
        let found = self.offset.filter(|_| one_character).and_then(|at| text.get(at..)?.chars().next());
        Self { found, ..self }
    }

    /// What is wrong.
    pub const fn kind(&self) -> UriErrorKind {
        self.kind
    }

    /// The stable code.
    pub const fn code(&self) -> &'static str {
        self.kind.code()
    }

    /// Byte offset of the fault in the text that was parsed; `None` where decoded data was checked.
    pub const fn offset(&self) -> Option<usize> {
        self.offset
    }
}

/// Why a text is no mention token, or a pair of name and id can't be one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("{}{}", kind.message(), Place { found: None, offset: *offset })]
pub struct TokenError {
    kind: TokenErrorKind,
    offset: Option<usize>,
}

impl TokenError {
    pub(crate) const fn at(kind: TokenErrorKind, offset: usize) -> Self {
        Self { kind, offset: Some(offset) }
    }

    pub(crate) const fn new(kind: TokenErrorKind) -> Self {
        Self { kind, offset: None }
    }

    /// What is wrong.
    pub const fn kind(&self) -> TokenErrorKind {
        self.kind
    }

    /// The stable code.
    pub const fn code(&self) -> &'static str {
        self.kind.code()
    }

    /// Byte offset of the fault in the text that was parsed; `None` where decoded data was checked.
    pub const fn offset(&self) -> Option<usize> {
        self.offset
    }
}

/// Why a table of resource kinds can't be built.
#[derive(Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("{}, found {found:?}", kind.message())]
pub struct KindsError {
    kind: KindsErrorKind,
    found: String,
}

impl KindsError {
    pub(crate) fn new(kind: KindsErrorKind, found: &str) -> Self {
        Self { kind, found: found.into() }
    }

    /// What is wrong.
    pub const fn kind(&self) -> KindsErrorKind {
        self.kind
    }

    /// The kind, scheme or key at fault, as it was given.
    pub fn found(&self) -> &str {
        &self.found
    }

    /// The stable code.
    pub const fn code(&self) -> &'static str {
        self.kind.code()
    }
}

/// The end of a message: what was found, and where.
struct Place {
    found: Option<char>,
    offset: Option<usize>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(found) = self.found {
            write!(f, ", found {found:?}")?;
        }
        match self.offset {
            Some(offset) => write!(f, ", at byte {offset}"),
            None => Ok(()),
        }
    }
}
