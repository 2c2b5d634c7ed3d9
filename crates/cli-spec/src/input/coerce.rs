//! From the raw input of a terminal or a model to values of the declared types.
//!
//! Conversions go only from a string to the declared type and keep the value exact.

use serde_json::{Map, Number, Value};

use super::{
    error::{InputError, InputProblem},
    number::{self, Exact},
    schema::{InputSchema, Property, PropertyType, Violation},
};
use crate::{
    limits,
    output::Warning,
    text::{likely, one_line, quoted},
};

/// Whether an input can be bound as it stands: every name is declared, every value has its declared type and is allowed, nothing is
/// blank or missing. The answer has a bit for each position that is given. This is the common case of a JSON client, and the
/// only one in which nothing has to be moved; any other input takes the long way, which also tells what is wrong.
pub(crate) fn as_declared(schema: &InputSchema, input: &Map<String, Value>) -> Option<u128> {
    if schema.properties().len() > 128 {
        return None;
    }
    let mut given = 0_u128;
    // Both are in byte order, so every name is found further on, or not at all.
    let mut names = schema.index();
    for (name, value) in input {
        let position = names.find(|(known, _)| known == name)?.1;
        let property = schema.properties().get(position)?;
        let required = schema.is_required_at(position);
        let plain = match value {
            Value::String(text) => !(required && text.is_empty()),
            Value::Number(number) => property.kind() == PropertyType::Number || !number.is_f64(),
            Value::Array(items) => {
                !(required && items.is_empty()) && items.iter().all(|item| item.as_str() != Some(""))
            }
            Value::Bool(_) => true,
            Value::Null | Value::Object(_) => false,
        };
        if !plain || property.name() != name || property.allows(value).is_err() {
            return None;
        }
        given |= 1 << position;
    }
    let complete = schema.required_positions().all(|position| given & (1 << position) != 0);
    complete.then_some(given)
}

/// What happens to a name that is not declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unknown {
    /// Ignored, with a warning.
    Ignore,
    /// An error.
    Refuse,
}

/// How an input is read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    pub(crate) unknown: Unknown,
    /// Whether declared defaults stand in for absent values.
    pub(crate) defaults: bool,
}

impl Rules {
    pub(crate) const LENIENT: Self = Self { unknown: Unknown::Ignore, defaults: true };
    pub(crate) const STRICT: Self = Self { unknown: Unknown::Refuse, defaults: true };
    /// For inputs that are handed on: a default is metadata there.
    #[allow(dead_code, reason = "used by app invocations")]
    pub(crate) const HANDED_ON: Self = Self { unknown: Unknown::Ignore, defaults: false };
}

/// Values of the declared types, by position of the property.
#[derive(Debug)]
pub(crate) struct Coerced {
    pub(crate) values: Vec<Option<Value>>,
    pub(crate) warnings: Vec<Warning>,
}

impl Coerced {
    /// The values by name.
    pub(crate) fn into_map(self, schema: &InputSchema) -> Map<String, Value> {
        let named = schema.properties().iter().zip(self.values);
        named.filter_map(|(property, value)| Some((property.name().to_owned(), value?))).collect()
    }
}

/// Brings an input to its declared types.
pub(crate) fn coerce(schema: &InputSchema, input: Map<String, Value>, rules: Rules) -> Result<Coerced, InputError> {
    let (values, problems, warnings) = collect(schema, input, rules);
    InputError::of(problems).map_or(Ok(Coerced { values, warnings }), Err)
}

/// Like [`coerce`], for those who have found problems of their own before.
pub(crate) fn collect(
    schema: &InputSchema,
    input: impl IntoIterator<Item = (String, Value)>,
    rules: Rules,
) -> (Vec<Option<Value>>, Vec<InputProblem>, Vec<Warning>) {
    let mut values: Vec<Option<Value>> = Vec::with_capacity(schema.properties().len());
    values.resize_with(schema.properties().len(), || None);
    let mut twice = Vec::new();
    let mut unknown = Vec::new();
    // The order of a map depends on a feature of serde_json that any crate may turn on, so every name is looked up.
    for (name, value) in input {
        let slot = schema.position(&name).and_then(|position| values.get_mut(position).map(|slot| (position, slot)));
        match slot {
            None => unknown.push(name),
            Some((_, slot)) if slot.is_none() => *slot = Some(value),
            Some((position, _)) => twice.push(position),
        }
    }

    let mut problems = Vec::new();
    for (position, (property, slot)) in schema.properties().iter().zip(&mut values).enumerate() {
        if twice.contains(&position) {
            problems.push(InputProblem::invalid(property.name(), "given under two of its names"));
            continue;
        }
        let required = schema.is_required_at(position);
        match settle(property, slot.take(), required) {
            Ok(Some(value)) => *slot = Some(value),
            Ok(None) if required => problems.push(InputProblem::Missing {
                input: property.name().to_owned(),
                hint: property.hint().map(str::to_owned),
            }),
            Ok(None) if rules.defaults => *slot = property.default().cloned(),
            Ok(None) => {}
            Err(expected) => problems.push(InputProblem::Invalid { input: property.name().to_owned(), expected }),
        }
    }
    let mut warnings = Vec::new();
    if !unknown.is_empty() {
        let missing = problems.iter().any(|problem| matches!(problem, InputProblem::Missing { .. }));
        if rules.unknown == Unknown::Refuse || missing {
            let more = unknown.iter().take(limits::LISTED_NAMES);
            problems.extend(more.map(|name| unknown_name(schema, name, "")));
        } else {
            warnings = unknown_warnings(schema, &unknown);
        }
    }
    (values, problems, warnings)
}

/// The problem of an unknown name; `dashes` stand before every name when it is a flag.
pub(crate) fn unknown_name(schema: &InputSchema, name: &str, dashes: &str) -> InputProblem {
    let names = schema.listed().map(Property::name);
    InputProblem::Unknown {
        suggestion: likely(name, &names).map(|name| format!("{dashes}{name}")),
        allowed: names.map(|name| format!("{dashes}{name}")).collect(),
        name: format!("{dashes}{name}"),
    }
}

fn unknown_warnings(schema: &InputSchema, unknown: &[String]) -> Vec<Warning> {
    let warning = |message| Warning::new("unknown_input_ignored", message);
    let mut warnings: Vec<Warning> = unknown
        .iter()
        .take(limits::LISTED_NAMES)
        .map(|name| {
            let near = likely(name, &schema.listed().map(Property::name));
            let meant = near.map_or_else(String::new, |near| format!("; did you mean {}?", quoted(near)));
            warning(format!("unknown input {} was ignored{meant}", quoted(name)))
        })
        .collect();
    if let more @ 1.. = unknown.len().saturating_sub(limits::LISTED_NAMES) {
        warnings.push(warning(format!("{more} more unknown inputs were ignored")));
    }
    warnings
}

/// The value of one input; `None` when it is absent, or missing when it is required.
fn settle(property: &Property, value: Option<Value>, required: bool) -> Result<Option<Value>, String> {
    let value = match value {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::String(text)) if required && text.is_empty() => return Ok(None),
        Some(value) => value,
    };
    let value = match (property.kind(), value) {
        (PropertyType::StringArray, value) => {
            let items = strings(value).ok_or_else(|| expected(property, Violation::Type))?;
            if required && items.is_empty() {
                return Ok(None);
            }
            Value::Array(items)
        }
        (PropertyType::String, Value::String(text)) => {
            if property.one_of().is_empty() {
                return Ok(Some(Value::String(text)));
            }
            let trimmed = text.trim();
            Value::String(if trimmed.len() == text.len() { text } else { trimmed.to_owned() })
        }
        (PropertyType::Boolean, Value::String(text)) => {
            Value::Bool(boolean(&text).ok_or_else(|| expected(property, Violation::Type))?)
        }
        (PropertyType::Integer, Value::String(text)) => integer(property, text.trim())?,
        (PropertyType::Integer, Value::Number(number)) => match Exact::of(&number) {
            Some(Exact::Integer(value)) => Value::Number(within(property, value)?),
            // Whole and larger than an i128 holds: out of every range, on the side of its sign.
            Some(Exact::Float(value)) if value.fract() == 0.0 => {
                Value::Number(within(property, if value < 0.0 { i128::MIN } else { i128::MAX })?)
            }
            _ => return Err(expected(property, Violation::Type)),
        },
        (PropertyType::Number, Value::String(text)) => {
            Value::Number(finite(text.trim()).ok_or_else(|| expected(property, Violation::Type))?)
        }
        (_, value) => value,
    };
    property.allows(&value).map(|()| Some(value)).map_err(|violation| expected(property, violation))
}

/// What a value must be, in words.
fn expected(property: &Property, violation: Violation) -> String {
    let at_least = |bound: &Number| format!("must be >= {bound}");
    let at_most = |bound: &Number| format!("must be <= {bound}");
    match violation {
        Violation::Minimum => property.minimum().map_or_else(String::new, at_least),
        Violation::Maximum => property.maximum().map_or_else(String::new, at_most),
        Violation::Type | Violation::Enum if !property.one_of().is_empty() => {
            let mut list = String::from("must be one of ");
            for (position, value) in property.one_of().iter().enumerate() {
                if position > 0 {
                    list.push_str(", ");
                }
                match value {
                    Value::String(text) => list.push_str(&one_line(text)),
                    other => list.push_str(&other.to_string()),
                }
            }
            list
        }
        Violation::Type | Violation::Enum => match property.kind() {
            PropertyType::String => "must be a string",
            PropertyType::Boolean => "must be true or false",
            PropertyType::Integer => "must be an integer",
            PropertyType::Number => "must be a finite number",
            PropertyType::StringArray => "must be a string or an array of strings",
        }
        .to_owned(),
    }
}

fn strings(value: Value) -> Option<Vec<Value>> {
    let mut items = match value {
        Value::String(_) => vec![value],
        Value::Array(items) => items,
        _ => return None,
    };
    if !items.iter().all(Value::is_string) {
        return None;
    }
    items.retain(|item| item.as_str().is_some_and(|text| !text.is_empty()));
    Some(items)
}

/// The boolean that a word stands for: `1`, `true`, `yes`, `on` and `0`, `false`, `no`, `off`, without regard to case.
pub(crate) fn boolean(text: &str) -> Option<bool> {
    let text = text.trim();
    let is_any = |words: [&str; 4]| words.iter().any(|word| text.eq_ignore_ascii_case(word));
    if is_any(["1", "true", "yes", "on"]) { Some(true) } else { is_any(["0", "false", "no", "off"]).then_some(false) }
}

/// Base 10, with sign, nothing else.
fn integer(property: &Property, text: &str) -> Result<Value, String> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(expected(property, Violation::Type));
    }
    // More digits than an i128 holds are out of every range, on the side of their sign.
    let size = digits.parse::<i128>().unwrap_or(i128::MAX);
    within(property, if negative { -size } else { size }).map(Value::Number)
}

/// The integer as a JSON number, when it is within what JSON numbers keep exactly here.
fn within(property: &Property, value: i128) -> Result<Number, String> {
    number::from_integer(value).ok_or_else(|| {
        if value < 0 {
            property.minimum().map_or_else(|| format!("must be >= {}", i64::MIN), |bound| format!("must be >= {bound}"))
        } else {
            property.maximum().map_or_else(|| format!("must be <= {}", u64::MAX), |bound| format!("must be <= {bound}"))
        }
    })
}

/// A finite decimal number; one that is written as an integer keeps its value.
fn finite(text: &str) -> Option<Number> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.' | b'e' | b'E'));
    if !plain {
        return None;
    }
    if let Some(exact) = text.parse::<i128>().ok().and_then(number::from_integer) {
        return Some(exact);
    }
    Number::from_f64(text.parse().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_in_any_order() {
        let text = |name: &str| Property::new(name, PropertyType::String);
        let schema = InputSchema::new([text("b"), text("a"), text("c")], ["a", "b"]).unwrap();
        let given = ["c", "x", "b", "a"].map(|name| (name.to_owned(), Value::from(name)));
        let (values, problems, warnings) = collect(&schema, given, Rules::LENIENT);
        assert_eq!(values, ["b", "a", "c"].map(|name| Some(Value::from(name))));
        assert!(problems.is_empty(), "{problems:?}");
        assert_eq!(warnings.len(), 1);
    }
}
