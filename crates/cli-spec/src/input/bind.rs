//! Binding: from a raw input to the struct that a handler takes.

use std::cell::Cell;

use serde::{
    Deserializer,
    de::{DeserializeOwned, DeserializeSeed, MapAccess, Visitor, value::BorrowedStrDeserializer},
    forward_to_deserialize_any,
};
use serde_json::{Map, Value};

use super::{
    coerce::{Coerced, Rules, as_declared, coerce},
    error::{InputError, InputProblem},
    json,
    schema::{InputSchema, Property},
};
use crate::{limits, output::Warning, text::one_line};

/// Binds an input to a struct by the rules of the contract; unknown inputs are ignored.
///
/// The schema must be the one of `T` ([`InputSchema::of`]). Values may be strings, as a terminal sends them:
///
/// - booleans are `1`, `true`, `yes`, `on` and `0`, `false`, `no`, `off` without regard to case;
/// - integers are base 10 with an optional sign, without `0x`, exponents, points or underscores; whole JSON numbers such as
///   `3.0` are integers;
/// - numbers are decimal and finite; enum values are compared after white space around them is dropped;
/// - a string for an array is one element, empty elements are dropped;
/// - other strings arrive as written.
///
/// A required input that is absent, null, an empty string or an empty array is missing. Defaults apply when an input is absent or
/// null.
///
/// # Errors
/// [`InputError`] with every problem; the message is the one of the first input in declaration order.
pub fn bind<T: DeserializeOwned>(schema: &InputSchema, input: Map<String, Value>) -> Result<T, InputError> {
    bind_by(schema, input, Rules::LENIENT).map(|(bound, _)| bound)
}

/// Like [`bind`]; unknown inputs are returned as warnings (`unknown_input_ignored`).
///
/// # Errors
/// As [`bind`].
pub fn bind_reporting<T: DeserializeOwned>(
    schema: &InputSchema,
    input: Map<String, Value>,
) -> Result<(T, Vec<Warning>), InputError> {
    bind_by(schema, input, Rules::LENIENT)
}

/// Like [`bind`], but an unknown input is an error that names the likely spelling.
///
/// # Errors
/// As [`bind`], and for unknown inputs.
pub fn bind_strict<T: DeserializeOwned>(schema: &InputSchema, input: Map<String, Value>) -> Result<T, InputError> {
    bind_by(schema, input, Rules::STRICT).map(|(bound, _)| bound)
}

/// Like [`bind`], from JSON text: one object, at most [`limits::INPUT_BYTES`], without duplicate keys at any depth.
///
/// # Errors
/// As [`bind`], and for text that is not such an object; [`InputError::offset`] tells where.
pub fn bind_json<T: DeserializeOwned>(schema: &InputSchema, bytes: &[u8]) -> Result<T, InputError> {
    bind(schema, read_object(bytes)?)
}

/// Reads the JSON object of an input.
pub(crate) fn read_object(bytes: &[u8]) -> Result<Map<String, Value>, InputError> {
    let malformed = |message: String, offset| InputError::one(InputProblem::Malformed { message, offset });
    if bytes.len() > limits::INPUT_BYTES {
        return Err(malformed(format!("longer than {} bytes", limits::INPUT_BYTES), limits::INPUT_BYTES));
    }
    match json::parse(bytes) {
        Ok(Value::Object(input)) => Ok(input),
        Ok(_) => Err(malformed("an input is an object".to_owned(), 0)),
        Err(error) => Err(malformed(one_line(&error.message), error.offset)),
    }
}

pub(crate) fn bind_by<T: DeserializeOwned>(
    schema: &InputSchema,
    input: Map<String, Value>,
    rules: Rules,
) -> Result<(T, Vec<Warning>), InputError> {
    let current = Cell::new("");
    let (entries, warnings) = if let Some(given) = as_declared(schema, &input) {
        let (names, defaults) = (schema.index(), schema.properties().iter().enumerate());
        (Entries::Given { input: input.into_iter(), names, absent: !given, defaults }, Vec::new())
    } else {
        let Coerced { values, warnings } = coerce(schema, input, rules)?;
        let names = schema.properties().iter();
        (Entries::Settled { names, values: values.into_iter() }, warnings)
    };
    match T::deserialize(Fields { entries, current: &current }) {
        Ok(bound) => Ok((bound, warnings)),
        Err(error) => Err(InputError::one(InputProblem::invalid(current.get(), one_line(&error.to_string())))),
    }
}

/// The inputs as a serde map.
struct Fields<'a> {
    entries: Entries<'a>,
    /// The input that is being read, for the error message.
    current: &'a Cell<&'a str>,
}

impl<'a, 'de> Deserializer<'de> for Fields<'a>
where
    'a: 'de,
{
    type Error = serde_json::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        visitor.visit_map(Reading { entries: self.entries, value: None, current: self.current })
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Self::Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Self::Error> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// The names and values that are there.
enum Entries<'a> {
    /// An input that can be bound as it stands, then the defaults of the positions that are absent.
    Given {
        input: serde_json::map::IntoIter,
        names: std::slice::Iter<'a, (String, usize)>,
        absent: u128,
        defaults: std::iter::Enumerate<std::slice::Iter<'a, Property>>,
    },
    /// Settled values in declaration order.
    Settled { names: std::slice::Iter<'a, Property>, values: std::vec::IntoIter<Option<Value>> },
}

impl<'a> Entries<'a> {
    fn next(&mut self) -> Option<(&'a str, Value)> {
        match self {
            Self::Settled { names, values } => loop {
                let (property, value) = (names.next()?, values.next()?);
                if let Some(value) = value {
                    return Some((property.name(), value));
                }
            },
            Self::Given { input, names, absent, defaults } => {
                if let Some((name, value)) = input.next() {
                    // Both are in byte order, and every name is known.
                    return names.find(|(known, _)| *known == name).map(|(known, _)| (known.as_str(), value));
                }
                let mut absent = defaults.filter(|(position, _)| *absent & (1 << position) != 0);
                absent.find_map(|(_, property)| Some((property.name(), property.default()?.clone())))
            }
        }
    }
}

struct Reading<'a> {
    entries: Entries<'a>,
    value: Option<Value>,
    /// The input that is being read, for the error message.
    current: &'a Cell<&'a str>,
}

impl<'de, 'a: 'de> MapAccess<'de> for Reading<'a> {
    type Error = serde_json::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Self::Error> {
        let Some((name, value)) = self.entries.next() else { return Ok(None) };
        self.value = Some(value);
        self.current.set(name);
        seed.deserialize(BorrowedStrDeserializer::new(name)).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Self::Error> {
        seed.deserialize(self.value.take().unwrap_or(Value::Null))
    }
}
