//! The vocabularies of looks: [`Icon`], [`Color`], [`Tone`].
//!
//! A word that this version does not know is kept as `Other` and written back as it was read; what to draw for it is
//! what [`or_default`](Icon::or_default) says.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;

macro_rules! vocabulary {
    (
        $(#[$docs:meta])*
        $name:ident, $about:literal {
            $($(#[$variant_docs:meta])* $variant:ident = $word:literal,)+
        }
    ) => {
        $(#[$docs])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
        #[non_exhaustive]
        pub enum $name {
            $(
                #[doc = concat!("`", $word, "`")]
                $(#[$variant_docs])*
                $variant,
            )+
            /// A word of a later version, kept as it was read.
            Other(String),
        }

        impl $name {
            /// The words that this version knows.
            pub const WORDS: &'static [&'static str] = &[$($word,)+];

            /// The word as it is written on the wire.
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$variant => $word,)+
                    Self::Other(word) => word,
                }
            }

            /// What to draw: the value itself, or the default for a word that this version does not know.
            #[must_use]
            pub fn or_default(&self) -> Self {
                match self {
                    Self::Other(_) => Self::default(),
                    known => known.clone(),
                }
            }
        }

        impl From<&str> for $name {
            fn from(word: &str) -> Self {
                match word {
                    $($word => Self::$variant,)+
                    other => Self::Other(other.to_owned()),
                }
            }
        }

        impl From<String> for $name {
            fn from(word: String) -> Self {
                match Self::from(word.as_str()) {
                    Self::Other(_) => Self::Other(word),
                    known => known,
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer).map(Self::from)
            }
        }

        impl JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({ "type": "string", "description": $about, "examples": Self::WORDS })
            }
        }
    };
}

vocabulary! {
    /// The glyph of a provider or an item. The default, [`Icon::Mention`], is drawn as `@`.
    Icon, "One of the listed words; anything else is drawn as @." {
        Ticket = "ticket",
        Issue = "issue",
        Task = "task",
        Session = "session",
        Chat = "chat",
        Message = "message",
        Post = "post",
        Trace = "trace",
        Span = "span",
        Activity = "activity",
        Event = "event",
        Calendar = "calendar",
        Email = "email",
        Mail = "mail",
        User = "user",
        Person = "person",
        Team = "team",
        Group = "group",
        Channel = "channel",
        Hash = "hash",
        Tweet = "tweet",
        /// The `@` glyph: what is drawn where no icon is given or known.
        #[default]
        Mention = "mention",
        File = "file",
        Doc = "doc",
        Document = "document",
        Folder = "folder",
        Link = "link",
        Agent = "agent",
        Bot = "bot",
        Database = "database",
        Table = "table",
    }
}

vocabulary! {
    /// The colour of a pill.
    Color, "One of the listed words; anything else is drawn as neutral." {
        #[default]
        Neutral = "neutral",
        Blue = "blue",
        Purple = "purple",
        Teal = "teal",
        Green = "green",
        Amber = "amber",
        Rose = "rose",
    }
}

vocabulary! {
    /// The tone of a field's value.
    Tone, "One of the listed words; anything else is drawn as neutral." {
        #[default]
        Neutral = "neutral",
        Info = "info",
        Success = "success",
        Warning = "warning",
        Danger = "danger",
    }
}
