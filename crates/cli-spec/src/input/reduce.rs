//! From what schemars says of a type to the subset of the contract.

use std::collections::BTreeSet;

use schemars::{JsonSchema, generate::SchemaSettings};
use serde::de::DeserializeOwned;
use serde_json::{Map, Number, Value};

use super::{
    number,
    probe::{self, Shape},
    schema::{InputSchema, Property, PropertyType, SchemaError, SchemaProblem, SchemaProblemKind},
};
use crate::text::{is_kebab, to_kebab};

/// Names that belong to the host, so that no input can have them.
pub const RESERVED_INPUTS: [&str; 2] = ["json", "help"];

const SUPPORTED: &str = "declare a string, boolean, integer, number, unit-only enum or list of strings";
const PLAIN_STRING: &str = "declare it with `#[schemars(with = \"String\")]` when any text may be given";

impl InputSchema {
    /// The schema of an input type: a struct whose fields are strings, booleans, integers, numbers, unit-only enums and lists
    /// of strings, or a unit.
    ///
    /// `Option` and `#[serde(default)]` make an input optional; the doc comment is its description;
    /// `#[schemars(range(min = 1, max = 100))]` its bounds, within the width of the integer type;
    /// `#[schemars(extend("x-hint" = "…"))]` its recovery hint. `x-hidden` and `x-advertise-required` are flags of the same
    /// form. `#[serde(alias)]` names bind and are not listed. The order is the one of the fields.
    ///
    /// 128-bit integers hold what JSON numbers keep exactly here: `i64::MIN` to `u64::MAX`.
    ///
    /// # Errors
    /// [`SchemaError`] with every field whose type or name is outside the subset.
    pub fn of<T: JsonSchema + DeserializeOwned>() -> Result<Self, SchemaError> {
        let root = SchemaSettings::draft2020_12()
            .with(|settings| settings.inline_subschemas = true)
            .into_generator()
            .into_root_schema_for::<T>()
            .to_value();
        let names = match probe::shape::<T>() {
            Shape::Unit => return Ok(Self::empty()),
            Shape::Struct(names) => names,
            Shape::Other => {
                let found = "a type that is not a struct with named fields, or has flattened ones,".to_owned();
                let expected = "declare every input as a field of one struct";
                let kind = SchemaProblemKind::UnsupportedType { found, expected };
                return Err(SchemaError::new(vec![SchemaProblem::new(T::schema_name(), kind)]));
            }
        };
        Reduction::new(&root, names.to_vec(), probe::variants::<T>, probe::same_field::<T>).run()
    }

    /// The schema of a JSON Schema document that another generator made, reduced by the same rules as the one of a type.
    ///
    /// The order of the properties is the one that the map of [`serde_json::Value`] has: byte order, unless its feature
    /// `preserve_order` is on.
    ///
    /// ```
    /// use cli_spec::schema::InputSchema;
    /// use serde_json::json;
    ///
    /// let schema = InputSchema::reduce(&json!({
    ///     "type": "object",
    ///     "properties": { "limit": { "type": ["integer", "null"], "format": "uint8", "minimum": 1 }, "query": { "type": "string" } },
    ///     "required": ["query"],
    /// }))?;
    /// assert_eq!(schema.property("limit").and_then(|limit| limit.maximum()), Some(&255.into()));
    ///
    /// let error = InputSchema::reduce(&json!({ "properties": { "filter": { "type": "object" } } })).unwrap_err();
    /// assert_eq!((error.code(), error.all()[0].pointer()), ("unsupported_type", "/properties/filter".to_owned()));
    /// # Ok::<(), cli_spec::schema::SchemaError>(())
    /// ```
    ///
    /// # Errors
    /// [`SchemaError`] with every property whose type or name is outside the subset, and with every required name that is not
    /// declared or is listed twice.
    pub fn reduce(schema: &Value) -> Result<Self, SchemaError> {
        let kind = schema.get("type").and_then(Value::as_str).unwrap_or("object");
        if kind != "object" || !schema.is_object() {
            let found = format!("type {kind}");
            let kind = SchemaProblemKind::UnsupportedType {
                found,
                expected: "declare every input as a property of one object",
            };
            return Err(SchemaError::new(vec![SchemaProblem::new("", kind)]));
        }
        let properties = schema.get("properties").and_then(Value::as_object);
        let names = properties.into_iter().flat_map(Map::keys).map(String::as_str).collect();
        let mut reduction = Reduction::new(schema, names, |_| None, |_, _| false);
        let listed = schema.get("required").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        reduction.listed = Some(listed.iter().filter_map(Value::as_str).collect());
        reduction.run()
    }
}

struct Reduction<'a> {
    properties: Option<&'a Map<String, Value>>,
    required: BTreeSet<&'a str>,
    /// The required names as they are listed, where they have not been checked by a generator.
    listed: Option<Vec<&'a str>>,
    names: Vec<&'a str>,
    variants: fn(&str) -> Option<&'static [&'static str]>,
    same_field: fn(&str, &str) -> bool,
    problems: Vec<SchemaProblem>,
}

impl<'a> Reduction<'a> {
    fn new(
        root: &'a Value,
        names: Vec<&'a str>,
        variants: fn(&str) -> Option<&'static [&'static str]>,
        same_field: fn(&str, &str) -> bool,
    ) -> Self {
        Self {
            properties: root.get("properties").and_then(Value::as_object),
            required: root
                .get("required")
                .and_then(Value::as_array)
                .map(|names| names.iter().filter_map(Value::as_str).collect())
                .unwrap_or_default(),
            listed: None,
            names,
            variants,
            same_field,
            problems: Vec::new(),
        }
    }

    fn report(&mut self, name: &str, kind: SchemaProblemKind) {
        self.problems.push(SchemaProblem::new(name, kind));
    }

    fn run(mut self) -> Result<InputSchema, SchemaError> {
        let mut seen = BTreeSet::new();
        let mut fields: Vec<Property> = Vec::new();
        let mut pending: Vec<&str> = Vec::new();
        for name in std::mem::take(&mut self.names) {
            if !seen.insert(name) {
                self.report(name, SchemaProblemKind::DuplicateName);
                continue;
            }
            self.check_name(name);
            match self.properties.and_then(|properties| properties.get(name)) {
                // serde lists the names of one field together, so an alias is of the field before or the one after it.
                None => match fields.last_mut().filter(|field| (self.same_field)(&field.name, name)) {
                    Some(field) => field.aliases.push(name.to_owned()),
                    None => pending.push(name),
                },
                Some(schema) => {
                    let mut property = self.property(name, schema);
                    for early in pending.drain(..) {
                        if (self.same_field)(name, early) {
                            property.aliases.push(early.to_owned());
                        } else {
                            self.problems.push(SchemaProblem::new(early, SchemaProblemKind::NotInSchema));
                        }
                    }
                    fields.push(property);
                }
            }
        }
        for name in pending {
            self.report(name, SchemaProblemKind::NotInSchema);
        }
        for name in self.properties.into_iter().flat_map(Map::keys).filter(|name| !seen.contains(name.as_str())) {
            self.problems.push(SchemaProblem::new(name, SchemaProblemKind::NotInStruct));
        }
        for field in &fields {
            let required = self.required.contains(field.name());
            if required && field.default().is_some() {
                self.problems.push(SchemaProblem::new(field.name(), SchemaProblemKind::RequiredWithDefault));
            }
            if required && field.is_hidden() {
                self.problems.push(SchemaProblem::new(field.name(), SchemaProblemKind::RequiredHidden));
            }
        }
        let of_fields = || fields.iter().map(Property::name).filter(|name| self.required.contains(name));
        let required: Vec<String> =
            self.listed.clone().unwrap_or_else(|| of_fields().collect()).into_iter().map(str::to_owned).collect();
        let mut problems = self.problems;
        match InputSchema::new(fields, required) {
            Ok(schema) if problems.is_empty() => Ok(schema),
            Ok(_) => Err(SchemaError::new(problems)),
            Err(more) => {
                problems.extend(more.into_problems());
                Err(SchemaError::new(problems))
            }
        }
    }

    fn check_name(&mut self, name: &str) {
        if RESERVED_INPUTS.contains(&name) {
            self.report(name, SchemaProblemKind::ReservedName);
        } else if !is_kebab(name) {
            self.report(name, SchemaProblemKind::InvalidName { suggestion: to_kebab(name) });
        }
    }

    /// The property of one field; what is wrong with it is reported, and it is kept as a string.
    fn property(&mut self, name: &str, schema: &Value) -> Property {
        let mut property = Property::new(name, PropertyType::String);
        let mut keywords = Map::new();
        if let Err(kind) = gather(schema, &mut keywords).and_then(|()| fill(&mut property, &keywords)) {
            self.report(name, kind);
        }
        if !property.one_of.is_empty() {
            self.order_variants(&mut property);
        }
        property
    }

    /// schemars lists the variants without a doc comment before the others; serde has them in declaration order.
    fn order_variants(&self, property: &mut Property) {
        let Some(order) = (self.variants)(&property.name) else { return };
        let rank =
            |value: &Value| order.iter().position(|variant| value.as_str() == Some(variant)).unwrap_or(usize::MAX);
        property.one_of.sort_by_cached_key(rank);
    }
}

fn unsupported(found: impl Into<String>) -> SchemaProblemKind {
    SchemaProblemKind::UnsupportedType { found: found.into(), expected: SUPPORTED }
}

/// Brings the keywords of a field together: those of `Option` and of enums are nested one level deeper.
fn gather(schema: &Value, into: &mut Map<String, Value>) -> Result<(), SchemaProblemKind> {
    let Value::Object(keywords) = schema else {
        return Err(unsupported("a field of any type"));
    };
    if keywords.contains_key("$ref") {
        return Err(unsupported("a nested type"));
    }
    for (keyword, value) in keywords {
        match keyword.as_str() {
            "anyOf" => {
                let parts = value.as_array().map(Vec::as_slice).unwrap_or_default();
                let mut inner = parts.iter().filter(|part| part.get("type").and_then(Value::as_str) != Some("null"));
                match (inner.next(), inner.next()) {
                    (Some(only), None) if parts.len() == 2 => gather(only, into)?,
                    _ => return Err(unsupported("a union")),
                }
            }
            "oneOf" => {
                into.insert("type".to_owned(), "string".into());
                into.insert("enum".to_owned(), Value::Array(variants(value)?));
            }
            "const" => {
                into.insert("enum".to_owned(), Value::Array(vec![value.clone()]));
            }
            _ => {
                into.insert(keyword.clone(), value.clone());
            }
        }
    }
    Ok(())
}

/// The values of a unit-only enum whose variants are documented.
fn variants(one_of: &Value) -> Result<Vec<Value>, SchemaProblemKind> {
    let mut values = Vec::new();
    for variant in one_of.as_array().map(Vec::as_slice).unwrap_or_default() {
        match (variant.get("const"), variant.get("enum")) {
            (Some(value @ Value::String(_)), None) => values.push(value.clone()),
            (None, Some(Value::Array(more))) if more.iter().all(Value::is_string) => values.extend_from_slice(more),
            _ => return Err(unsupported("an enum with data")),
        }
    }
    Ok(values)
}

/// The type of a property, without the `null` of an `Option`.
fn kind(keywords: &Map<String, Value>) -> Result<PropertyType, SchemaProblemKind> {
    let name = match keywords.get("type") {
        Some(Value::String(name)) => name.as_str(),
        Some(Value::Array(kinds)) => {
            let mut kinds = kinds.iter().filter_map(Value::as_str).filter(|kind| *kind != "null");
            match (kinds.next(), kinds.next()) {
                (Some(kind), None) => kind,
                _ => return Err(unsupported("a union")),
            }
        }
        _ => return Err(unsupported("a field of any type")),
    };
    match name {
        "object" if keywords.contains_key("properties") => Err(unsupported("a nested object")),
        "object" => Err(unsupported("a map")),
        "null" => Err(unsupported("a unit")),
        "array" => {
            let items = keywords.get("items");
            if keywords.contains_key("prefixItems") || items == Some(&Value::Bool(false)) {
                return Err(unsupported("a tuple"));
            }
            let plain = |items: &Map<String, Value>| {
                items.get("type").and_then(Value::as_str) == Some("string")
                    && !items.keys().any(|keyword| {
                        matches!(keyword.as_str(), "enum" | "const" | "format" | "minLength" | "maxLength" | "pattern")
                    })
            };
            if items.and_then(Value::as_object).is_some_and(plain) {
                Ok(PropertyType::StringArray)
            } else {
                Err(unsupported("a list of anything but plain strings"))
            }
        }
        name => PropertyType::from_name(name).ok_or_else(|| unsupported(format!("type {name}"))),
    }
}

/// The bounds of an integer format, as far as JSON numbers keep integers exactly here.
fn width(format: &str) -> Option<(i128, i128)> {
    Some(match format {
        "int8" => (i8::MIN.into(), i8::MAX.into()),
        "int16" => (i16::MIN.into(), i16::MAX.into()),
        "int32" => (i32::MIN.into(), i32::MAX.into()),
        "int64" => (i64::MIN.into(), i64::MAX.into()),
        "int" => (isize::MIN as i128, isize::MAX as i128),
        "int128" => (i64::MIN.into(), u64::MAX.into()),
        "uint8" => (0, u8::MAX.into()),
        "uint16" => (0, u16::MAX.into()),
        "uint32" => (0, u32::MAX.into()),
        "uint" => (0, usize::MAX as i128),
        "uint64" | "uint128" => (0, u64::MAX.into()),
        _ => return None,
    })
}

fn fill(property: &mut Property, keywords: &Map<String, Value>) -> Result<(), SchemaProblemKind> {
    property.kind = kind(keywords)?;
    for (keyword, value) in keywords {
        match keyword.as_str() {
            "description" => property.description = value.as_str().map(str::to_owned),
            "enum" => {
                let values = value.as_array().map(Vec::as_slice).unwrap_or_default();
                property.one_of = values.iter().filter(|value| !value.is_null()).cloned().collect();
            }
            "default" => property.default = Some(value.clone()).filter(|value| !value.is_null()),
            "minimum" => tighten(&mut property.minimum, value, true)?,
            "maximum" => tighten(&mut property.maximum, value, false)?,
            "format" => format(property, value.as_str().unwrap_or_default())?,
            "x-hint" => property.hint = Some(extension(keyword, value.as_str(), "string")?.to_owned()),
            "x-hidden" => property.hidden = extension(keyword, value.as_bool(), "boolean")?,
            "x-advertise-required" => property.advertise_required = extension(keyword, value.as_bool(), "boolean")?,
            // Annotations that change nothing, and what `kind` has looked at. A set takes a list with repetitions.
            "type" | "title" | "examples" | "deprecated" | "readOnly" | "writeOnly" | "$comment" => {}
            "items" | "uniqueItems" if property.kind == PropertyType::StringArray => {}
            other => return Err(unsupported(format!("`{other}`"))),
        }
    }
    Ok(())
}

fn extension<T>(keyword: &str, value: Option<T>, expected: &'static str) -> Result<T, SchemaProblemKind> {
    value.ok_or_else(|| SchemaProblemKind::InvalidExtension { keyword: keyword.to_owned(), expected })
}

fn format(property: &mut Property, format: &str) -> Result<(), SchemaProblemKind> {
    match property.kind {
        PropertyType::Integer => {
            let (least, most) = width(format).ok_or_else(|| unsupported(format!("integer format `{format}`")))?;
            // The widths end within what `from_integer` takes.
            for (bound, value, lower) in [(&mut property.minimum, least, true), (&mut property.maximum, most, false)] {
                if let Some(value) = number::from_integer(value) {
                    tighten(bound, &Value::Number(value), lower)?;
                }
            }
            Ok(())
        }
        PropertyType::Number if format == "float" => {
            for (bound, value, lower) in
                [(&mut property.minimum, f32::MIN, true), (&mut property.maximum, f32::MAX, false)]
            {
                if let Some(value) = Number::from_f64(value.into()) {
                    tighten(bound, &Value::Number(value), lower)?;
                }
            }
            Ok(())
        }
        PropertyType::Number if format == "double" => Ok(()),
        _ => {
            let found = format!("format `{format}`");
            Err(SchemaProblemKind::UnsupportedType { found, expected: PLAIN_STRING })
        }
    }
}

/// Keeps the narrower of two bounds.
fn tighten(bound: &mut Option<Number>, value: &Value, lower: bool) -> Result<(), SchemaProblemKind> {
    let Value::Number(value) = value else { return Err(unsupported("a bound that is not a number")) };
    let narrower = bound.as_ref().is_none_or(|bound| {
        number::compare(value, bound).is_some_and(|order| if lower { order.is_gt() } else { order.is_lt() })
    });
    if narrower {
        *bound = Some(value.clone());
    }
    Ok(())
}
