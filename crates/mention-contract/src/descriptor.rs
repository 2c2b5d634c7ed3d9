//! How a provider declares itself: the `mention` member in the metadata of its get function.

use crate::error::DescriptorError;
use crate::limits;
use crate::style::{Color, Icon};
use mention_uri::Reserved;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::{Map, Value, json};
use std::borrow::Cow;

/// The version of the descriptor that this crate writes.
const VERSION: u64 = 1;

/// What the get function's metadata says about a provider. Valid by construction.
///
/// ```
/// use mention_contract::{Color, Descriptor, Icon};
///
/// let descriptor = Descriptor::new("calendar", "Events", "calendar::mention::search")?
///     .description("A calendar event, by event id")
///     .icon(Icon::Event)
///     .color(Color::Purple)
///     .details("calendar::event::get", "id")?;
/// assert_eq!(descriptor.metadata()["mention"]["search"], "calendar::mention::search");
/// # Ok::<(), mention_contract::DescriptorError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Descriptor {
    name: String,
    label: String,
    description: Option<String>,
    icon: Option<Icon>,
    color: Option<Color>,
    search: String,
    details: Option<Details>,
}

impl Descriptor {
    /// A descriptor with what every provider has: the name that users type after `@`, the plural noun that heads a
    /// group in menus, and the id of the search function.
    ///
    /// # Errors
    ///
    /// [`DescriptorError`] for a name that is no token name or reserved, a blank label, or a search that is no
    /// function id.
    pub fn new(
        name: impl Into<String>,
        label: impl Into<String>,
        search: impl Into<String>,
    ) -> Result<Self, DescriptorError> {
        let (name, label, search) = (name.into(), label.into(), search.into());
        check_name(&name)?;
        if !crate::text::has_visible(&label) {
            return Err(DescriptorError::BlankLabel);
        }
        check_function_id(&search, "search")?;
        Ok(Self { name, label, description: None, icon: None, color: None, search, details: None })
    }

    /// Sets the one line on what an id refers to and how it looks; agents read it.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Sets the icon of the provider's items; `@` by default.
    #[must_use]
    pub fn icon(mut self, icon: impl Into<Icon>) -> Self {
        self.icon = Some(icon.into());
        self
    }

    /// Sets the colour of the provider's items; neutral by default.
    #[must_use]
    pub fn color(mut self, color: impl Into<Color>) -> Self {
        self.color = Some(color.into());
        self
    }

    /// Sets the function with which an agent reads the full record, called with `{ <id_field>: "<id>" }`. None by
    /// default: the summary is all there is.
    ///
    /// # Errors
    ///
    /// [`DescriptorError`] for what is no function id, or a blank field name.
    pub fn details(
        mut self,
        function_id: impl Into<String>,
        id_field: impl Into<String>,
    ) -> Result<Self, DescriptorError> {
        self.details = Some(Details::new(function_id, id_field)?);
        Ok(self)
    }

    /// What users type after `@`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The plural noun that heads the provider's group in a menu.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// One line on what an id refers to.
    pub fn description_text(&self) -> Option<&str> {
        self.description.as_deref()
    }

    /// The icon of the provider's items, as declared.
    pub fn declared_icon(&self) -> Option<&Icon> {
        self.icon.as_ref()
    }

    /// The colour of the provider's items, as declared.
    pub fn declared_color(&self) -> Option<&Color> {
        self.color.as_ref()
    }

    /// The id of the search function.
    pub fn search(&self) -> &str {
        &self.search
    }

    /// The function with which an agent reads the full record.
    pub fn details_function(&self) -> Option<&Details> {
        self.details.as_ref()
    }

    /// The metadata to register the get function with: `internal`, `trace_hidden` and `mention`.
    pub fn metadata(&self) -> Value {
        let mut metadata = Self::search_metadata();
        if let Some(map) = metadata.as_object_mut() {
            map.insert("mention".to_owned(), self.to_json());
        }
        metadata
    }

    /// The metadata to register the search function with: `internal` and `trace_hidden`.
    pub fn search_metadata() -> Value {
        json!({ "internal": true, "trace_hidden": true })
    }

    /// The lines of a permission file's rules that deny both mention functions to agents and allow the details
    /// function, each an item of a YAML list.
    ///
    /// ```
    /// # use mention_contract::Descriptor;
    /// let tickets = Descriptor::new("kanban", "Tickets", "kanban::mention::search")?
    ///     .details("kanban::ticket::get", "id")?;
    /// assert_eq!(
    ///     tickets.permission_rules("kanban::mention::get"),
    ///     ["- '!kanban::mention::search'", "- '!kanban::mention::get'", "- kanban::ticket::get"],
    /// );
    /// # Ok::<(), mention_contract::DescriptorError>(())
    /// ```
    pub fn permission_rules(&self, get_function_id: &str) -> Vec<String> {
        let deny = |id: &str| format!("- {}", yaml_quoted(&format!("!{id}")));
        let mut rules = vec![deny(&self.search), deny(get_function_id)];
        if let Some(details) = &self.details {
            let id = &details.function_id;
            let plain = id.starts_with(|c: char| c.is_ascii_alphabetic())
                && !id.ends_with(':')
                && id.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, ':' | '_' | '-' | '.' | '/'));
            rules.push(if plain { format!("- {id}") } else { format!("- {}", yaml_quoted(id)) });
        }
        rules
    }

    /// Reads the descriptor in a function's metadata; nothing when there is none, so that the function is no get
    /// function of a provider.
    ///
    /// A missing `v` is 1. A higher one is accepted when the members that this version knows are valid; unknown
    /// members are ignored.
    ///
    /// # Errors
    ///
    /// [`DescriptorError`] with the first thing that is wrong.
    pub fn from_metadata(metadata: &Value) -> Result<Option<Self>, DescriptorError> {
        match metadata.get("mention") {
            None | Some(Value::Null) => Ok(None),
            Some(mention) => Self::from_json(mention).map(Some),
        }
    }

    /// Reads the value of a `mention` member.
    ///
    /// # Errors
    ///
    /// [`DescriptorError`] with the first thing that is wrong.
    pub fn from_json(mention: &Value) -> Result<Self, DescriptorError> {
        let map = mention.as_object().ok_or(DescriptorError::NotAnObject)?;
        match member(map, "v") {
            None => {}
            Some(v) if v.as_f64().is_some_and(|v| v >= 1.0 && v.fract() == 0.0) => {}
            Some(_) => return Err(DescriptorError::InvalidVersion),
        }
        let required = |name| text(map, name, name)?.ok_or(DescriptorError::Missing { member: name });
        let mut descriptor = Self::new(required("name")?, required("label")?, required("search")?)?;
        descriptor.description = text(map, "description", "description")?.map(str::to_owned);
        descriptor.icon = text(map, "icon", "icon")?.map(Icon::from);
        descriptor.color = text(map, "color", "color")?.map(Color::from);
        if let Some(details) = member(map, "details") {
            let details = details.as_object().ok_or(DescriptorError::InvalidType { member: "details" })?;
            let function_id = text(details, "function_id", "details.function_id")?
                .ok_or(DescriptorError::Missing { member: "details.function_id" })?;
            let id_field = text(details, "id_field", "details.id_field")?.unwrap_or(Details::ID_FIELD);
            descriptor.details = Some(Details::new(function_id, id_field)?);
        }
        Ok(descriptor)
    }

    fn to_json(&self) -> Value {
        let mut map = Map::new();
        let mut put = |name: &str, value: Option<Value>| {
            if let Some(value) = value {
                map.insert(name.to_owned(), value);
            }
        };
        put("v", Some(VERSION.into()));
        put("name", Some(self.name.as_str().into()));
        put("label", Some(self.label.as_str().into()));
        put("description", self.description.as_deref().map(Value::from));
        put("icon", self.icon.as_ref().map(|icon| icon.as_str().into()));
        put("color", self.color.as_ref().map(|color| color.as_str().into()));
        put("search", Some(self.search.as_str().into()));
        put("details", self.details.as_ref().map(Details::to_json));
        Value::Object(map)
    }
}

impl Serialize for Descriptor {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_json().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Descriptor {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::from_json(&Value::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}

impl JsonSchema for Descriptor {
    fn schema_name() -> Cow<'static, str> {
        "Descriptor".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "properties": {
                "v": { "type": "integer", "minimum": 1, "default": 1 },
                "name": { "type": "string", "pattern": "^[a-z][a-z0-9-]{0,39}$", "not": { "enum": ["fn", "file", "skill"] } },
                "label": { "type": "string", "pattern": r"\S" },
                "description": { "type": ["string", "null"] },
                "icon": { "type": ["string", "null"], "examples": Icon::WORDS },
                "color": { "type": ["string", "null"], "examples": Color::WORDS },
                "search": { "type": "string", "pattern": r"^\S+$", "maxLength": limits::FUNCTION_ID_BYTES },
                "details": {
                    "type": ["object", "null"],
                    "properties": {
                        "function_id": { "type": "string", "pattern": r"^\S+$", "maxLength": limits::FUNCTION_ID_BYTES },
                        "id_field": { "type": ["string", "null"], "pattern": r"\S", "default": Details::ID_FIELD },
                    },
                    "required": ["function_id"],
                },
            },
            "required": ["name", "label", "search"],
        })
    }
}

/// The function with which an agent reads a full record.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Details {
    function_id: String,
    id_field: String,
}

impl Details {
    /// The field that holds the id when the descriptor names none.
    pub const ID_FIELD: &'static str = "id";

    fn new(function_id: impl Into<String>, id_field: impl Into<String>) -> Result<Self, DescriptorError> {
        let (function_id, id_field) = (function_id.into(), id_field.into());
        check_function_id(&function_id, "details.function_id")?;
        if !crate::text::has_visible(&id_field)
            || id_field.len() > limits::FUNCTION_ID_BYTES
            || id_field.chars().any(|c| c.is_control() || crate::text::is_hidden(c))
        {
            return Err(DescriptorError::InvalidIdField);
        }
        Ok(Self { function_id, id_field })
    }

    /// The function's id.
    pub fn function_id(&self) -> &str {
        &self.function_id
    }

    /// The field of its payload that takes the id.
    pub fn id_field(&self) -> &str {
        &self.id_field
    }

    /// The payload for one record.
    pub fn payload(&self, id: &str) -> Value {
        let mut payload = Map::new();
        payload.insert(self.id_field.clone(), id.into());
        Value::Object(payload)
    }

    fn to_json(&self) -> Value {
        json!({ "function_id": self.function_id, "id_field": self.id_field })
    }
}

/// A member; `null` is as good as absent.
fn member<'a>(map: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    map.get(name).filter(|value| !value.is_null())
}

fn text<'a>(
    map: &'a Map<String, Value>,
    name: &str,
    member_name: &'static str,
) -> Result<Option<&'a str>, DescriptorError> {
    match member(map, name) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(DescriptorError::InvalidType { member: member_name }),
    }
}

fn check_name(name: &str) -> Result<(), DescriptorError> {
    if !mention_uri::is_token_name(name) {
        return Err(DescriptorError::InvalidName { name: name.chars().take(80).collect() });
    }
    if Reserved::default().contains(name) {
        return Err(DescriptorError::ReservedName { name: name.to_owned() });
    }
    Ok(())
}

pub(crate) fn check_function_id(id: &str, member: &'static str) -> Result<(), DescriptorError> {
    let valid = !id.is_empty()
        && id.len() <= limits::FUNCTION_ID_BYTES
        && !id.chars().any(|c| c.is_whitespace() || c.is_control() || crate::text::is_hidden(c));
    if valid { Ok(()) } else { Err(DescriptorError::InvalidFunctionId { member }) }
}

fn yaml_quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}
