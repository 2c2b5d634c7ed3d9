use super::{Breach, read::Members};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, de};
use serde_json::{Map, Value};
use std::borrow::Cow;
use url::Url;

/// Where a click on a mention leads.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Open {
    /// A page that the provider registered with the host.
    Page {
        /// The page's name.
        page: String,
        /// What the page is to show; its form is between the page and its provider.
        #[serde(skip_serializing_if = "Option::is_none")]
        context: Option<Value>,
    },
    /// A chat session.
    Session {
        /// The session's id.
        session: String,
    },
    /// A web address, `http` or `https` only, without user name.
    Url {
        /// The address.
        url: String,
    },
}

impl Open {
    /// A page of the host, without context.
    pub fn page(page: impl Into<String>) -> Self {
        Self::Page { page: page.into(), context: None }
    }

    /// A page of the host with what it is to show.
    pub fn page_with(page: impl Into<String>, context: impl Into<Value>) -> Self {
        Self::Page { page: page.into(), context: Some(context.into()) }
    }

    /// A chat session.
    pub fn session(session: impl Into<String>) -> Self {
        Self::Session { session: session.into() }
    }

    /// A web address. An address that is not `http` or `https` is dropped by [`View::sanitized`](super::View::sanitized).
    pub fn url(url: impl Into<String>) -> Self {
        Self::Url { url: url.into() }
    }

    /// What is wrong with the target, if anything.
    pub(super) fn breach(&self) -> Option<Breach> {
        match self {
            Self::Page { page: name, .. } | Self::Session { session: name } => {
                (!crate::text::has_visible(name)).then_some(Breach::InvalidOpen)
            }
            Self::Url { url } => (!is_web_address(url)).then_some(Breach::UnsafeUrl),
        }
    }

    /// Exactly one of the three members; `null` is as good as absent.
    pub(super) fn read(value: Value) -> Result<Self, Breach> {
        let Value::Object(map) = value else {
            return Err(Breach::InvalidOpen);
        };
        Self::read_map(map)
    }

    fn read_map(map: Map<String, Value>) -> Result<Self, Breach> {
        let mut members = Members::new(map);
        match (members.take("page"), members.take("session"), members.take("url")) {
            (Some(Value::String(page)), None, None) => Ok(Self::Page { page, context: members.take("context") }),
            (None, Some(Value::String(session)), None) => Ok(Self::Session { session }),
            (None, None, Some(Value::String(url))) => Ok(Self::Url { url }),
            _ => Err(Breach::InvalidOpen),
        }
    }
}

/// Lenient readers drop tabs, line breaks, and spaces at the ends, take `\` for `/`, and go on without the slashes behind
/// the scheme; what stands before an `@` looks like a host and is none. An address that needs any of that is refused,
/// because what a person is shown and what opens would differ.
fn is_web_address(text: &str) -> bool {
    let shown_host = || {
        let (scheme, rest) = text.split_once("://")?;
        let rest = ["http", "https"].iter().any(|known| scheme.eq_ignore_ascii_case(known)).then_some(rest)?;
        rest.split(['/', '?', '#']).next().filter(|host| !host.is_empty() && !host.contains(['@', '\\']))
    };
    !text.chars().any(|c| c.is_control() || c.is_whitespace() || crate::text::is_hidden(c))
        && shown_host().is_some()
        && Url::parse(text).is_ok_and(|url| url.has_host())
}

impl<'de> Deserialize<'de> for Open {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Map::deserialize(deserializer).and_then(|map| Self::read_map(map).map_err(de::Error::custom))
    }
}

impl JsonSchema for Open {
    fn schema_name() -> Cow<'static, str> {
        "Open".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "Where a click leads: exactly one of page, session and url.",
            "type": "object",
            "oneOf": [
                {
                    "properties": {
                        "page": { "type": "string", "minLength": 1, "description": "A page registered with the host." },
                        "context": { "description": "What the page is to show." },
                    },
                    "required": ["page"],
                },
                {
                    "properties": { "session": { "type": "string", "minLength": 1, "description": "A chat session's id." } },
                    "required": ["session"],
                },
                {
                    "properties": {
                        "url": {
                            "type": "string",
                            "pattern": r"^[Hh][Tt][Tt][Pp][Ss]?://[^\s\u0000-\u001f\u007f/?#@\\]+([/?#][^\s\u0000-\u001f\u007f]*)?$",
                            "description": "A web address.",
                        },
                    },
                    "required": ["url"],
                },
            ],
        })
    }
}
