//! Function tools in the strict-mode form of OpenAI's APIs.
//!
//! Strict mode takes a part of JSON Schema only: every object closes itself with `additionalProperties:
//! false` and requires all its properties; an optional one is required and may be null. Null is what the
//! binder takes for absent. `default` is not allowed and is said in the description.

use std::{collections::BTreeMap, fmt::Write as _};

use serde::{Serialize, Serializer, ser::SerializeMap};
use serde_json::{Value, json};

use super::{Entry, Names, ordinary};
use crate::{
    InvokeRequest,
    schema::{InputSchema, Property, PropertyType},
};

/// The most characters of a function's description; longer ones are cut and end with `…`.
pub const DESCRIPTION_CHARS: usize = 1024;

/// The most enum values of one function that strict mode takes; enums beyond it are left to the binder.
pub const ENUM_VALUES: usize = 1_000;

/// The most characters of an enum's values together, for an enum of more than 250 values.
pub const LARGE_ENUM_CHARS: usize = 15_000;

/// The most characters of property names and enum values of one function together.
pub const STRING_CHARS: usize = 120_000;

/// The most properties of one function.
pub const PROPERTIES: usize = 5_000;

/// Commands as function tools.
///
/// ```
/// use cli_spec::{Capability, OutputMode, OutputSpec, export::openai};
/// use cli_spec::schema::{InputSchema, Property, PropertyType};
/// use serde_json::json;
///
/// let output = OutputSpec { default_mode: OutputMode::Json, json: true, table: None };
/// let mut list = Capability::new("tutti.issue.list", ["issue", "list"], "List issues", output);
/// list.input_schema = InputSchema::new([
///     Property::new("topic-id", PropertyType::String),
///     Property::new("page-size", PropertyType::Integer).with_default(20),
/// ], ["topic-id"])?;
///
/// let tools = openai::Tools::new([&list]);
/// assert_eq!(tools.responses()[0]["parameters"], json!({
///     "type": "object",
///     "properties": {
///         "topic-id": { "type": "string" },
///         "page-size": { "type": ["integer", "null"], "description": "Default: 20." },
///     },
///     "required": ["topic-id", "page-size"],
///     "additionalProperties": false,
/// }));
/// let request = tools.request("issue_list", r#"{ "topic-id": "t1", "page-size": null }"#)?;
/// assert_eq!(serde_json::to_string(&request.input)?, r#"{"topic-id":"t1"}"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Tools {
    entries: Vec<Entry>,
    names: Names,
    left_out: Vec<String>,
}

impl Tools {
    /// The tools of these commands, in order. Commands with more inputs than strict mode takes (more than
    /// [`PROPERTIES`], or names longer than [`STRING_CHARS`] together) are [left out](Self::left_out).
    pub fn new(entries: impl IntoIterator<Item = impl Into<Entry>>) -> Self {
        let (entries, more): (Vec<Entry>, Vec<Entry>) = ordinary(entries).into_iter().partition(|entry| {
            let properties = entry.capability.input_schema.properties();
            let chars: usize = properties.iter().map(|property| property.name().chars().count()).sum();
            properties.len() <= PROPERTIES && chars <= STRING_CHARS
        });
        let names = Names::new(&entries);
        Self { entries, names, left_out: more.into_iter().map(|entry| entry.capability.id).collect() }
    }

    /// The ids of the commands that have more inputs than strict mode takes.
    pub fn left_out(&self) -> &[String] {
        &self.left_out
    }

    /// The tools as the Responses API takes them: `{ "type": "function", "name", "description", "strict",
    /// "parameters" }`.
    pub fn responses(&self) -> Vec<Value> {
        self.functions()
            .map(|function| {
                let mut tool = json!({ "type": "function" });
                if let (Some(tool), Value::Object(function)) = (tool.as_object_mut(), to_value(&function)) {
                    tool.extend(function);
                }
                tool
            })
            .collect()
    }

    /// The tools as the Chat Completions API takes them: `{ "type": "function", "function": { … } }`.
    pub fn chat_completions(&self) -> Vec<Value> {
        self.functions().map(|function| json!({ "type": "function", "function": to_value(&function) })).collect()
    }

    /// The names, in order: see [`Names`].
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter()
    }

    /// The command that a function stands for.
    pub fn command_id(&self, name: &str) -> Option<&str> {
        self.entries.get(self.names.position(name)?).map(|entry| entry.capability().id.as_str())
    }

    /// The request that a function call stands for, from its name and its arguments as the API gives them: the
    /// text of a JSON object. Nulls stand for optional inputs that are not used, and are left out.
    ///
    /// # Errors
    /// The name is not one of these tools, or the arguments are not a JSON object.
    pub fn request(&self, name: &str, arguments: &str) -> Result<InvokeRequest, CallError> {
        let position = self.names.position(name);
        let entry = position.and_then(|position| self.entries.get(position));
        let entry = entry.ok_or_else(|| CallError::UnknownName { name: name.to_owned() })?;
        let mut input = crate::input::bind::read_object(arguments.as_bytes())?;
        input.retain(|_, value| !value.is_null());
        Ok(entry.request(input))
    }

    fn functions(&self) -> impl Iterator<Item = Function<'_>> {
        self.entries.iter().zip(self.names.iter()).map(|(entry, name)| Function {
            name,
            description: cut(&entry.text(), DESCRIPTION_CHARS),
            strict: true,
            parameters: Parameters::new(&entry.capability.input_schema),
        })
    }
}

/// Why a function call is not a request.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CallError {
    /// No tool has this name.
    #[error("there is no tool {}", crate::text::quoted(.name))]
    UnknownName {
        /// The name.
        name: String,
    },
    /// The arguments are not a JSON object without duplicate keys.
    #[error(transparent)]
    Arguments(#[from] crate::InputError),
}

impl CallError {
    /// `command_not_found` or `invalid_input`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::UnknownName { .. } => crate::reason::COMMAND_NOT_FOUND,
            Self::Arguments(error) => error.code(),
        }
    }
}

fn to_value(function: &Function<'_>) -> Value {
    serde_json::to_value(function).unwrap_or_default()
}

fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        text.to_owned()
    } else {
        text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
    }
}

#[derive(Serialize)]
struct Function<'a> {
    name: &'a str,
    description: String,
    strict: bool,
    parameters: Parameters<'a>,
}

/// The strict form of an input schema.
struct Parameters<'a> {
    schema: &'a InputSchema,
    /// Whether the enum of each property is written.
    enums: Vec<bool>,
}

impl<'a> Parameters<'a> {
    fn new(schema: &'a InputSchema) -> Self {
        let mut values = 0;
        let mut chars: usize = schema.properties().iter().map(|property| property.name().chars().count()).sum();
        let mut fits = |property: &Property| {
            let own: usize = property.one_of().iter().filter_map(Value::as_str).map(|text| text.chars().count()).sum();
            // One more for the null of an optional property.
            let count = property.one_of().len() + 1;
            let fits = count > 1
                && property.kind() != PropertyType::StringArray
                && values + count <= ENUM_VALUES
                && chars + own <= STRING_CHARS
                && (count <= 250 || own <= LARGE_ENUM_CHARS);
            if fits {
                values += count;
                chars += own;
            }
            fits
        };
        Self { enums: schema.properties().iter().map(&mut fits).collect(), schema }
    }
}

impl Serialize for Parameters<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(4))?;
        map.serialize_entry("type", "object")?;
        map.serialize_entry("properties", &Properties(self))?;
        let names: Vec<&str> = self.schema.properties().iter().map(Property::name).collect();
        map.serialize_entry("required", &names)?;
        map.serialize_entry("additionalProperties", &false)?;
        map.end()
    }
}

struct Properties<'a>(&'a Parameters<'a>);

impl Serialize for Properties<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Parameters { schema, enums } = self.0;
        serializer.collect_map(schema.properties().iter().zip(enums).map(|(property, with_enum)| {
            let strict = Strict { property, required: schema.is_required(property.name()), with_enum: *with_enum };
            (property.name(), strict)
        }))
    }
}

struct Strict<'a> {
    property: &'a Property,
    required: bool,
    with_enum: bool,
}

impl Serialize for Strict<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let property = self.property;
        let kind = property.kind().as_str();
        let mut map = serializer.serialize_map(None)?;
        if self.required {
            map.serialize_entry("type", kind)?;
        } else {
            map.serialize_entry("type", &[kind, "null"])?;
        }
        if property.kind() == PropertyType::StringArray {
            map.serialize_entry("items", &BTreeMap::from([("type", "string")]))?;
        }
        if let Some(description) = self.description() {
            map.serialize_entry("description", &description)?;
        }
        if self.with_enum {
            let null = (!self.required).then_some(&Value::Null);
            map.serialize_entry("enum", &property.one_of().iter().chain(null).collect::<Vec<_>>())?;
        }
        if let Some(minimum) = property.minimum() {
            map.serialize_entry("minimum", minimum)?;
        }
        if let Some(maximum) = property.maximum() {
            map.serialize_entry("maximum", maximum)?;
        }
        map.end()
    }
}

impl Strict<'_> {
    fn description(&self) -> Option<String> {
        let mut text = self.property.description().unwrap_or_default().trim_end().to_owned();
        if let Some(default) = self.property.default() {
            if !text.is_empty() {
                text.push(' ');
            }
            // Writing to a string does not fail.
            let _ = write!(text, "Default: {default}.");
        }
        (!text.is_empty()).then_some(text)
    }
}
