//! Validated types as strings: written in canonical form, read through their parsers.

use alloc::borrow::Cow;
use alloc::string::ToString as _;
use core::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, Visitor};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};

use crate::kinds::ResourceKinds;
use crate::resource::ResourceUri;
use crate::token::MentionToken;
use crate::uri::MentionUri;

struct Text(&'static str);

impl<'de> Visitor<'de> for Text {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(text.into()))
    }

    fn visit_borrowed_str<E: serde::de::Error>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(text))
    }
}

impl Serialize for MentionUri {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for MentionUri {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = deserializer.deserialize_str(Text("a mention URI"))?;
        Self::parse(&text).map_err(D::Error::custom)
    }
}

impl Serialize for MentionToken {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.to_string())
    }
}

impl<'de> Deserialize<'de> for MentionToken {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = deserializer.deserialize_str(Text("a mention token"))?;
        Self::parse(&text).map_err(D::Error::custom)
    }
}

impl Serialize for ResourceUri {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// Reads a resource URI against this table.
impl<'de> DeserializeSeed<'de> for &ResourceKinds {
    type Value = ResourceUri;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<ResourceUri, D::Error> {
        let text = deserializer.deserialize_str(Text("a resource URI"))?;
        self.parse(&text).map_err(D::Error::custom)
    }
}

#[cfg(feature = "schemars")]
mod schema {
    use alloc::borrow::Cow;

    use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

    use super::{MentionToken, MentionUri, ResourceUri};

    macro_rules! string_schema {
        ($($name:ident, $about:literal, $pattern:literal;)+) => {
            $(impl JsonSchema for $name {
                fn schema_name() -> Cow<'static, str> {
                    Cow::Borrowed(stringify!($name))
                }

                fn schema_id() -> Cow<'static, str> {
                    Cow::Borrowed(concat!(module_path!(), "::", stringify!($name)))
                }

                fn json_schema(_: &mut SchemaGenerator) -> Schema {
                    json_schema!({ "type": "string", "description": $about, "pattern": $pattern })
                }
            })+
        };
    }

    string_schema! {
        MentionUri, "A mention URI: mention://<provider>/<entity>[?<scope>]", "^\\s*[Mm][Ee][Nn][Tt][Ii][Oo][Nn]://";
        MentionToken, "A mention token: @<name>(id=\"<id>\")", "^@[a-z][a-z0-9-]{0,39}\\(id=\"";
        ResourceUri, "A resource URI: <kind>://<id>[#<key>=<value>]", "^[A-Za-z][A-Za-z0-9+.-]*://";
    }
}
