//! The input schema: the small subset of JSON Schema that commands, manifests and exports share.
//!
//! An [`InputSchema`] is an object with named [`Property`]s in declaration order. It is valid by construction: names are
//! unique, every required name is declared, `minimum` is not above `maximum`, and enum values and defaults are of the
//! declared type and within the bounds. Which *names* are allowed depends on where a schema comes from (a command's
//! inputs are kebab-case, a manifest's are segments), so that is checked by those who read it.

use std::{borrow::Cow, cmp::Ordering, collections::BTreeMap, fmt};

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{Error as _, MapAccess, Visitor},
    ser::SerializeMap,
};
use serde_json::{Number, Value};

use super::number;
use crate::text::quoted;

/// The type of one input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum PropertyType {
    /// Text, as written.
    String,
    /// `true` or `false`.
    Boolean,
    /// A whole number.
    Integer,
    /// A finite number.
    Number,
    /// A list of strings: a flag that may be repeated.
    StringArray,
}

impl PropertyType {
    /// The name of the type in a JSON Schema (`array` for a list of strings).
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Boolean => "boolean",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::StringArray => "array",
        }
    }

    /// The type with that name in a JSON Schema.
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "string" => Self::String,
            "boolean" => Self::Boolean,
            "integer" => Self::Integer,
            "number" => Self::Number,
            "array" => Self::StringArray,
            _ => return None,
        })
    }

    /// Whether a JSON value has this type as it stands, without any conversion. A whole number such as `3.0` is an
    /// integer, as in JSON Schema.
    pub fn matches(self, value: &Value) -> bool {
        match (self, value) {
            (Self::String, Value::String(_)) | (Self::Boolean, Value::Bool(_)) | (Self::Number, Value::Number(_)) => {
                true
            }
            (Self::Integer, Value::Number(number)) => number::is_whole(number),
            (Self::StringArray, Value::Array(items)) => items.iter().all(Value::is_string),
            _ => false,
        }
    }

    /// Whether values of this type are compared by size.
    pub const fn is_numeric(self) -> bool {
        matches!(self, Self::Integer | Self::Number)
    }
}

/// One declared input.
#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    pub(crate) name: String,
    pub(crate) kind: PropertyType,
    pub(crate) description: Option<String>,
    pub(crate) one_of: Vec<Value>,
    pub(crate) default: Option<Value>,
    pub(crate) minimum: Option<Number>,
    pub(crate) maximum: Option<Number>,
    pub(crate) hint: Option<String>,
    pub(crate) hidden: bool,
    pub(crate) advertise_required: bool,
    pub(crate) aliases: Vec<String>,
}

impl Property {
    /// An input of that name and type, with nothing else said about it.
    pub fn new(name: impl Into<String>, kind: PropertyType) -> Self {
        Self {
            name: name.into(),
            kind,
            description: None,
            one_of: Vec::new(),
            default: None,
            minimum: None,
            maximum: None,
            hint: None,
            hidden: false,
            advertise_required: false,
            aliases: Vec::new(),
        }
    }

    /// Sets the description.
    #[must_use]
    pub fn with_description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Sets the only values allowed, in the order in which they are listed.
    #[must_use]
    pub fn with_enum(mut self, values: impl IntoIterator<Item = impl Into<Value>>) -> Self {
        self.one_of = values.into_iter().map(Into::into).collect();
        self
    }

    /// Sets the default.
    #[must_use]
    pub fn with_default(mut self, value: impl Into<Value>) -> Self {
        self.default = Some(value.into());
        self
    }

    /// Sets the smallest value allowed.
    #[must_use]
    pub fn with_minimum(mut self, minimum: impl Into<Number>) -> Self {
        self.minimum = Some(minimum.into());
        self
    }

    /// Sets the largest value allowed.
    #[must_use]
    pub fn with_maximum(mut self, maximum: impl Into<Number>) -> Self {
        self.maximum = Some(maximum.into());
        self
    }

    /// Sets the recovery hint: how a value can be found.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Sets whether the input binds without being listed. Default: listed.
    #[must_use]
    pub fn with_hidden(mut self, hidden: bool) -> Self {
        self.hidden = hidden;
        self
    }

    /// Sets whether discovery lists an optional input as required. Default: no.
    #[must_use]
    pub fn with_advertise_required(mut self, advertise: bool) -> Self {
        self.advertise_required = advertise;
        self
    }

    /// Sets further names under which the input binds. They are not listed.
    #[must_use]
    pub fn with_aliases(mut self, aliases: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.aliases = aliases.into_iter().map(Into::into).collect();
        self
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The type.
    pub fn kind(&self) -> PropertyType {
        self.kind
    }

    /// What the input is for.
    pub fn description(&self) -> Option<&str> {
        self.description.as_deref()
    }

    /// The only values allowed, in declaration order; empty when any value of the type is.
    pub fn one_of(&self) -> &[Value] {
        &self.one_of
    }

    /// The value that stands in for an absent one.
    pub fn default(&self) -> Option<&Value> {
        self.default.as_ref()
    }

    /// The smallest value allowed.
    pub fn minimum(&self) -> Option<&Number> {
        self.minimum.as_ref()
    }

    /// The largest value allowed.
    pub fn maximum(&self) -> Option<&Number> {
        self.maximum.as_ref()
    }

    /// How a value can be found (`x-hint`).
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// Whether the input binds without being listed (`x-hidden`).
    pub fn is_hidden(&self) -> bool {
        self.hidden
    }

    /// Whether discovery lists this optional input as required (`x-advertise-required`).
    pub fn is_advertised_required(&self) -> bool {
        self.advertise_required
    }

    /// Further names under which the input binds.
    pub fn aliases(&self) -> &[String] {
        &self.aliases
    }

    /// Whether a value that has the declared type is also within the bounds and the enum.
    pub(crate) fn allows(&self, value: &Value) -> Result<(), Violation> {
        self.fits(value)?;
        if self.one_of.is_empty() || self.one_of.iter().any(|allowed| same(allowed, value)) {
            Ok(())
        } else {
            Err(Violation::Enum)
        }
    }

    /// Whether a value has the declared type and is within the bounds.
    fn fits(&self, value: &Value) -> Result<(), Violation> {
        if !self.kind.matches(value) {
            return Err(Violation::Type);
        }
        if let Value::Number(number) = value {
            if self.minimum.as_ref().is_some_and(|bound| number::compare(number, bound).is_none_or(Ordering::is_lt)) {
                return Err(Violation::Minimum);
            }
            if self.maximum.as_ref().is_some_and(|bound| number::compare(number, bound).is_none_or(Ordering::is_gt)) {
                return Err(Violation::Maximum);
            }
        }
        Ok(())
    }

    fn problems(&self, into: &mut Vec<SchemaProblem>) {
        let mut report = |kind| into.push(SchemaProblem::new(&self.name, kind));
        if !self.kind.is_numeric() && (self.minimum.is_some() || self.maximum.is_some()) {
            report(SchemaProblemKind::BoundsOnOther { kind: self.kind });
        }
        if let (Some(minimum), Some(maximum)) = (&self.minimum, &self.maximum) {
            if number::compare(minimum, maximum).is_some_and(Ordering::is_gt) {
                report(SchemaProblemKind::MinimumAboveMaximum { minimum: minimum.clone(), maximum: maximum.clone() });
            }
        }
        for value in &self.one_of {
            // Not `allows`: each of the values is in the enum, and looking for it there would be quadratic.
            match self.fits(value) {
                Err(Violation::Type) => {
                    report(SchemaProblemKind::EnumValueType { value: value.clone(), kind: self.kind });
                }
                Err(Violation::Minimum | Violation::Maximum) => {
                    report(SchemaProblemKind::EnumValueRange { value: value.clone() });
                }
                Ok(()) | Err(Violation::Enum) => {}
            }
        }
        if let Some(default) = &self.default {
            match self.allows(default) {
                Ok(()) => {}
                Err(Violation::Type) => {
                    report(SchemaProblemKind::DefaultType { value: default.clone(), kind: self.kind });
                }
                Err(Violation::Minimum | Violation::Maximum) => {
                    report(SchemaProblemKind::DefaultRange { value: default.clone() });
                }
                Err(Violation::Enum) => report(SchemaProblemKind::DefaultNotInEnum { value: default.clone() }),
            }
        }
    }
}

/// Why a value of the right shape is not allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Violation {
    Type,
    Minimum,
    Maximum,
    Enum,
}

/// Equality by value: `3` and `3.0` are one number, as in JSON Schema.
pub(crate) fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => number::compare(left, right).is_some_and(Ordering::is_eq),
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| same(left, right))
        }
        _ => left == right,
    }
}

/// What is wrong with one input of a schema.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("input {name}: {kind}", name = quoted(.input))]
pub struct SchemaProblem {
    input: String,
    kind: SchemaProblemKind,
}

impl SchemaProblem {
    pub(crate) fn new(input: impl Into<String>, kind: SchemaProblemKind) -> Self {
        Self { input: input.into(), kind }
    }

    /// The input that the problem is about.
    pub fn input(&self) -> &str {
        &self.input
    }

    /// What is wrong.
    pub fn kind(&self) -> &SchemaProblemKind {
        &self.kind
    }

    /// The stable code of the problem.
    pub fn code(&self) -> &'static str {
        self.kind.code()
    }

    /// The JSON pointer of the property in the schema.
    pub fn pointer(&self) -> String {
        format!("/properties/{}", self.input.replace('~', "~0").replace('/', "~1"))
    }
}

/// The kinds of [`SchemaProblem`].
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SchemaProblemKind {
    /// Two inputs, or an input and an alias, have one name.
    #[error("the name is declared twice")]
    DuplicateName,
    /// A required name is not declared.
    #[error("is required but not declared")]
    RequiredUndeclared,
    /// A required name is listed twice.
    #[error("is listed as required twice")]
    RequiredTwice,
    /// An input has a default and is required all the same.
    #[error("has a default, so it can't be required")]
    RequiredWithDefault,
    /// Bounds on a type that has no size.
    #[error("minimum and maximum are for numbers, not for type {}", .kind.as_str())]
    BoundsOnOther {
        /// The declared type.
        kind: PropertyType,
    },
    /// The smallest value is above the largest.
    #[error("minimum {minimum} is above maximum {maximum}")]
    MinimumAboveMaximum {
        /// The declared minimum.
        minimum: Number,
        /// The declared maximum.
        maximum: Number,
    },
    /// An enum value has another type.
    #[error("enum value {value} is not of type {}", .kind.as_str())]
    EnumValueType {
        /// The value.
        value: Value,
        /// The declared type.
        kind: PropertyType,
    },
    /// An enum value is outside the bounds.
    #[error("enum value {value} is outside the declared bounds")]
    EnumValueRange {
        /// The value.
        value: Value,
    },
    /// The default has another type.
    #[error("default {value} is not of type {}", .kind.as_str())]
    DefaultType {
        /// The default.
        value: Value,
        /// The declared type.
        kind: PropertyType,
    },
    /// The default is outside the bounds.
    #[error("default {value} is outside the declared bounds")]
    DefaultRange {
        /// The default.
        value: Value,
    },
    /// The default is not one of the allowed values.
    #[error("default {value} is not one of the allowed values")]
    DefaultNotInEnum {
        /// The default.
        value: Value,
    },
    /// An input has to be given and is not listed.
    #[error("is hidden, so it can't be required")]
    RequiredHidden,
    /// serde reads a name that the schema does not have.
    #[error("serde reads this name, but the schema does not have it")]
    NotInSchema,
    /// The schema has a name that serde does not read.
    #[error("the schema has this name, but serde does not read it")]
    NotInStruct,
    /// The name is not lower-case kebab-case.
    #[error("the name is not lower-case kebab-case such as \"page-size\"{}", spelled(.suggestion.as_deref()))]
    InvalidName {
        /// The kebab-case spelling, when there is one.
        suggestion: Option<String>,
    },
    /// The name belongs to the host.
    #[error("the name is reserved for the host")]
    ReservedName,
    /// The type of the field is outside the subset.
    #[error("{found} is not supported; {expected}")]
    UnsupportedType {
        /// What was found, in words.
        found: String,
        /// What to declare instead.
        expected: &'static str,
    },
    /// An extension such as `x-hint` has a value of the wrong type.
    #[error("{keyword} takes a {expected}")]
    InvalidExtension {
        /// The extension.
        keyword: String,
        /// The type that it takes.
        expected: &'static str,
    },
}

fn spelled(spelling: Option<&str>) -> Cow<'static, str> {
    spelling.map_or(Cow::Borrowed(""), |spelling| Cow::Owned(format!("; write {}", quoted(spelling))))
}

impl SchemaProblemKind {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::DuplicateName => "duplicate_input",
            Self::RequiredUndeclared => "required_undeclared",
            Self::RequiredTwice => "required_twice",
            Self::RequiredWithDefault => "required_with_default",
            Self::RequiredHidden => "required_hidden",
            Self::NotInSchema => "not_in_schema",
            Self::NotInStruct => "not_in_struct",
            Self::BoundsOnOther { .. } => "bounds_not_numeric",
            Self::MinimumAboveMaximum { .. } => "minimum_above_maximum",
            Self::EnumValueType { .. } => "enum_value_type",
            Self::EnumValueRange { .. } => "enum_value_out_of_range",
            Self::DefaultType { .. } => "default_type",
            Self::DefaultRange { .. } => "default_out_of_range",
            Self::DefaultNotInEnum { .. } => "default_not_in_enum",
            Self::InvalidName { .. } => "invalid_input_name",
            Self::ReservedName => "reserved_input_name",
            Self::UnsupportedType { .. } => "unsupported_type",
            Self::InvalidExtension { .. } => "invalid_extension",
        }
    }
}

/// A schema that is not valid: every problem, in declaration order.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}", .problems.first().map_or_else(String::new, ToString::to_string))]
pub struct SchemaError {
    problems: Vec<SchemaProblem>,
}

impl SchemaError {
    pub(crate) fn new(problems: Vec<SchemaProblem>) -> Self {
        Self { problems }
    }

    /// The stable code of the first problem.
    pub fn code(&self) -> &'static str {
        self.problems.first().map_or("invalid_schema", SchemaProblem::code)
    }

    /// Every problem, in declaration order.
    pub fn all(&self) -> &[SchemaProblem] {
        &self.problems
    }

    pub(crate) fn into_problems(self) -> Vec<SchemaProblem> {
        self.problems
    }
}

/// The inputs of a command: named properties in declaration order, some of them required.
///
/// Serializes as the JSON Schema object of the contract, with properties in declaration order. The extensions `x-hint`,
/// `x-hidden` and `x-advertise-required` are written here and left out of [`advertised`](Self::advertised), which is what
/// discovery shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InputSchema {
    properties: Vec<Property>,
    required: Vec<bool>,
    /// Names and aliases with their positions, in byte order.
    index: Vec<(String, usize)>,
}

impl InputSchema {
    /// A schema with these properties, of which the named ones are required.
    ///
    /// # Errors
    /// [`SchemaError`] with every problem: duplicate names, required names that are not declared or are listed twice,
    /// `minimum` above `maximum`, and enum values or defaults outside their type, bounds or enum.
    pub fn new<R: AsRef<str>>(
        properties: impl IntoIterator<Item = Property>,
        required: impl IntoIterator<Item = R>,
    ) -> Result<Self, SchemaError> {
        let properties: Vec<Property> = properties.into_iter().collect();
        let mut problems = Vec::new();
        let mut index = BTreeMap::new();
        for (position, property) in properties.iter().enumerate() {
            for name in std::iter::once(&property.name).chain(&property.aliases) {
                if index.insert(name.clone(), position).is_some() {
                    problems.push(SchemaProblem::new(name, SchemaProblemKind::DuplicateName));
                }
            }
            property.problems(&mut problems);
        }
        let mut flags = vec![false; properties.len()];
        for name in required {
            let name = name.as_ref();
            let found =
                index.get(name).copied().filter(|position| properties.get(*position).is_some_and(|p| p.name == name));
            match found.and_then(|position| flags.get_mut(position)) {
                None => problems.push(SchemaProblem::new(name, SchemaProblemKind::RequiredUndeclared)),
                Some(flag) if *flag => problems.push(SchemaProblem::new(name, SchemaProblemKind::RequiredTwice)),
                Some(flag) => *flag = true,
            }
        }
        if problems.is_empty() {
            Ok(Self { properties, required: flags, index: index.into_iter().collect() })
        } else {
            Err(SchemaError { problems })
        }
    }

    /// A schema without inputs.
    pub fn empty() -> Self {
        Self::default()
    }

    /// The properties, in declaration order.
    pub fn properties(&self) -> &[Property] {
        &self.properties
    }

    /// Whether nothing is declared.
    pub fn is_empty(&self) -> bool {
        self.properties.is_empty()
    }

    /// The property of that name or alias.
    pub fn property(&self, name: &str) -> Option<&Property> {
        self.position(name).and_then(|position| self.properties.get(position))
    }

    pub(crate) fn position(&self, name: &str) -> Option<usize> {
        let found = self.index.binary_search_by(|(known, _)| known.as_str().cmp(name)).ok()?;
        self.index.get(found).map(|(_, position)| *position)
    }

    /// Names and aliases with their positions, in byte order.
    pub(crate) fn positions(&self) -> impl Iterator<Item = (&str, usize)> {
        self.index().map(|(name, position)| (name.as_str(), *position))
    }

    /// Like [`positions`](Self::positions), as an iterator that has a name.
    pub(crate) fn index(&self) -> std::slice::Iter<'_, (String, usize)> {
        self.index.iter()
    }

    /// Whether the input of that name is required.
    pub fn is_required(&self, name: &str) -> bool {
        self.position(name).is_some_and(|position| self.is_required_at(position))
    }

    pub(crate) fn required_positions(&self) -> impl Iterator<Item = usize> {
        self.required.iter().enumerate().filter_map(|(position, required)| required.then_some(position))
    }

    pub(crate) fn is_required_at(&self, position: usize) -> bool {
        self.required.get(position).copied().unwrap_or(false)
    }

    /// The names of the required inputs, in declaration order.
    pub fn required(&self) -> impl Iterator<Item = &str> {
        self.properties
            .iter()
            .zip(&self.required)
            .filter(|(_, required)| **required)
            .map(|(property, _)| property.name())
    }

    /// The names that are listed (not hidden), in declaration order.
    pub fn listed(&self) -> impl Iterator<Item = &Property> + Clone {
        self.properties.iter().filter(|property| !property.hidden)
    }

    /// The schema as discovery shows it: hidden inputs and aliases are left out, inputs advertised as required are
    /// required, and the extensions are gone, so that it stays within the subset that app manifests use.
    #[must_use]
    pub fn advertised(&self) -> Self {
        let (properties, required): (Vec<_>, Vec<_>) = self
            .properties
            .iter()
            .zip(&self.required)
            .filter(|(property, _)| !property.hidden)
            .map(|(property, required)| {
                let mut shown = property.clone();
                shown.hint = None;
                shown.advertise_required = false;
                shown.aliases.clear();
                (shown, *required || property.advertise_required)
            })
            .unzip();
        let mut index: Vec<(String, usize)> =
            properties.iter().enumerate().map(|(position, property)| (property.name.clone(), position)).collect();
        index.sort_unstable();
        Self { properties, required, index }
    }
}

impl Serialize for InputSchema {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let required: Vec<&str> = self.required().collect();
        let mut map = serializer.serialize_map(Some(if required.is_empty() { 2 } else { 3 }))?;
        map.serialize_entry("type", "object")?;
        map.serialize_entry("properties", &Properties(&self.properties))?;
        if !required.is_empty() {
            map.serialize_entry("required", &required)?;
        }
        map.end()
    }
}

struct Properties<'a>(&'a [Property]);

impl Serialize for Properties<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|property| (&property.name, property)))
    }
}

impl Serialize for Property {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("type", self.kind.as_str())?;
        if self.kind == PropertyType::StringArray {
            map.serialize_entry("items", &BTreeMap::from([("type", "string")]))?;
        }
        if let Some(description) = &self.description {
            map.serialize_entry("description", description)?;
        }
        if !self.one_of.is_empty() {
            map.serialize_entry("enum", &self.one_of)?;
        }
        if let Some(default) = &self.default {
            map.serialize_entry("default", default)?;
        }
        if let Some(minimum) = &self.minimum {
            map.serialize_entry("minimum", minimum)?;
        }
        if let Some(maximum) = &self.maximum {
            map.serialize_entry("maximum", maximum)?;
        }
        if let Some(hint) = &self.hint {
            map.serialize_entry("x-hint", hint)?;
        }
        if self.hidden {
            map.serialize_entry("x-hidden", &true)?;
        }
        if self.advertise_required {
            map.serialize_entry("x-advertise-required", &true)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for InputSchema {
    /// Reads the JSON Schema object; the order of the document is the declaration order. Unknown keywords are ignored.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Raw {
            r#type: Option<String>,
            #[serde(default)]
            properties: RawProperties,
            #[serde(default)]
            required: Vec<String>,
        }

        let raw = Raw::deserialize(deserializer)?;
        if raw.r#type.as_deref().is_some_and(|kind| kind != "object") {
            return Err(D::Error::custom("an input schema has type object"));
        }
        Self::new(raw.properties.0, raw.required).map_err(D::Error::custom)
    }
}

#[derive(Default)]
struct RawProperties(Vec<Property>);

impl<'de> Deserialize<'de> for RawProperties {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;

        impl<'de> Visitor<'de> for InOrder {
            type Value = RawProperties;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object of properties")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut properties = Vec::new();
                while let Some((name, raw)) = map.next_entry::<String, RawProperty>()? {
                    properties.push(raw.named(name).map_err(A::Error::custom)?);
                }
                Ok(RawProperties(properties))
            }
        }

        deserializer.deserialize_map(InOrder)
    }
}

#[derive(Deserialize)]
struct RawProperty {
    r#type: String,
    items: Option<RawItems>,
    description: Option<String>,
    r#enum: Option<Vec<Value>>,
    default: Option<Value>,
    minimum: Option<Number>,
    maximum: Option<Number>,
    #[serde(rename = "x-hint")]
    hint: Option<String>,
    #[serde(default, rename = "x-hidden")]
    hidden: bool,
    #[serde(default, rename = "x-advertise-required")]
    advertise_required: bool,
}

#[derive(Deserialize)]
struct RawItems {
    r#type: String,
}

impl RawProperty {
    fn named(self, name: String) -> Result<Property, String> {
        let kind = PropertyType::from_name(&self.r#type)
            .ok_or_else(|| format!("input {}: unknown type {}", quoted(&name), quoted(&self.r#type)))?;
        if kind == PropertyType::StringArray && self.items.is_none_or(|items| items.r#type != "string") {
            return Err(format!("input {}: the items of an array are strings", quoted(&name)));
        }
        Ok(Property {
            name,
            kind,
            description: self.description,
            one_of: self.r#enum.unwrap_or_default(),
            default: self.default,
            minimum: self.minimum,
            maximum: self.maximum,
            hint: self.hint,
            hidden: self.hidden,
            advertise_required: self.advertise_required,
            aliases: Vec::new(),
        })
    }
}

impl schemars::JsonSchema for InputSchema {
    fn schema_name() -> Cow<'static, str> {
        "InputSchema".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "object",
            "required": ["type", "properties"],
            "properties": {
                "type": { "const": "object" },
                "properties": {
                    "type": "object",
                    "additionalProperties": {
                        "type": "object",
                        "required": ["type"],
                        "properties": {
                            "type": { "enum": ["string", "boolean", "integer", "number", "array"] },
                            "items": { "type": "object", "properties": { "type": { "const": "string" } }, "required": ["type"] },
                            "description": { "type": "string" },
                            "enum": { "type": "array" },
                            "default": true,
                            "minimum": { "type": "number" },
                            "maximum": { "type": "number" }
                        }
                    }
                },
                "required": { "type": "array", "items": { "type": "string" } }
            }
        })
    }
}
