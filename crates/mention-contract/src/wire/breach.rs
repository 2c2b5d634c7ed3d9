use crate::limits;
use mention_uri::limits as shared;

/// Something in an item or a view that breaks the contract.
///
/// Only a breach that [`is_fatal`](Self::is_fatal) loses the item or view; for any other the offending part is dropped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Breach {
    /// The id is missing, no string, or only white space. Fatal.
    #[error("the id is missing or blank")]
    BlankId,
    /// The id has more than 512 characters. Fatal.
    #[error("the id has {chars} characters, more than {max}", max = shared::ID_CHARS)]
    IdTooLong {
        /// How many characters it has.
        chars: usize,
    },
    /// The label is missing, no string, or has nothing visible. Fatal.
    #[error("the label is missing or blank")]
    BlankLabel,
    /// A member is not of the type that the contract says.
    #[error("the member `{member}` is of the wrong type")]
    InvalidType {
        /// The member's name.
        member: &'static str,
    },
    /// A field is no object with a `label` and a `value` that are strings.
    #[error("field {index} is not a label and a value")]
    InvalidField {
        /// Its place among the fields, from 0.
        index: usize,
    },
    /// More than six fields.
    #[error("{count} fields, more than {max}", max = shared::VIEW_FIELDS)]
    TooManyFields {
        /// How many fields there were.
        count: usize,
    },
    /// `open` has not exactly one of `page`, `session` and `url`.
    #[error("open needs exactly one of page, session and url")]
    InvalidOpen,
    /// `open.url` is no `http` or `https` address, or shows another host than the one that opens (`https://shown@real`).
    #[error("open.url is no http or https address")]
    UnsafeUrl,
    /// `updated_at` is not an RFC 3339 date and time.
    #[error("updated_at is not an RFC 3339 date and time")]
    InvalidUpdatedAt,
    /// `data` has more than 16 KiB when serialized.
    #[error("data has {bytes} bytes, more than {max}", max = limits::DATA_BYTES)]
    DataTooLarge {
        /// Its size when serialized.
        bytes: usize,
    },
}

impl Breach {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::BlankId => "blank_id",
            Self::IdTooLong { .. } => "id_too_long",
            Self::BlankLabel => "blank_label",
            Self::InvalidType { .. } => "invalid_type",
            Self::InvalidField { .. } => "invalid_field",
            Self::TooManyFields { .. } => "too_many_fields",
            Self::InvalidOpen => "invalid_open",
            Self::UnsafeUrl => "unsafe_url",
            Self::InvalidUpdatedAt => "invalid_updated_at",
            Self::DataTooLarge { .. } => "data_too_large",
        }
    }

    /// Whether nothing of the item or view can be used.
    pub fn is_fatal(&self) -> bool {
        matches!(self, Self::BlankId | Self::IdTooLong { .. } | Self::BlankLabel)
    }
}

/// The fatal breaches of an id and a label.
pub(super) fn identity(id: &str, label: &str) -> Vec<Breach> {
    let mut breaches = Vec::new();
    let chars = id.chars().count();
    if crate::text::is_blank(id) {
        breaches.push(Breach::BlankId);
    } else if chars > shared::ID_CHARS {
        breaches.push(Breach::IdTooLong { chars });
    }
    if !crate::text::has_visible(label) {
        breaches.push(Breach::BlankLabel);
    }
    breaches
}
