//! JSON text without duplicate keys.

use std::fmt;

use serde::{
    Deserializer,
    de::{DeserializeSeed, Error as _, MapAccess, SeqAccess, Visitor},
};
use serde_json::{Map, Number, Value};

use crate::text::quoted;

/// Where and why a text is not one JSON value without duplicate keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct JsonError {
    pub(crate) message: String,
    pub(crate) offset: usize,
}

/// Reads one JSON value; duplicate keys and anything after the value are errors.
pub(crate) fn parse(bytes: &[u8]) -> Result<Value, JsonError> {
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    Strict.deserialize(&mut deserializer).and_then(|value| deserializer.end().map(|()| value)).map_err(|error| {
        JsonError { offset: offset(bytes, error.line(), error.column()), message: without_position(&error) }
    })
}

/// The byte that a line and a column (both from 1, columns in bytes) stand for.
fn offset(bytes: &[u8], line: usize, column: usize) -> usize {
    let start = match line.checked_sub(2) {
        None => 0,
        Some(breaks) => bytes
            .iter()
            .enumerate()
            .filter(|(_, byte)| **byte == b'\n')
            .nth(breaks)
            .map_or(bytes.len(), |(at, _)| at + 1),
    };
    (start + column.saturating_sub(1)).min(bytes.len())
}

fn without_position(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" at line ").map_or(text.clone(), |(message, _)| message.to_owned())
}

#[derive(Clone, Copy)]
struct Strict;

impl<'de> DeserializeSeed<'de> for Strict {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("number out of range"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut array = Vec::new();
        while let Some(item) = items.next_element_seed(self)? {
            array.push(item);
        }
        Ok(Value::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            if object.contains_key(&key) {
                return Err(A::Error::custom(format_args!("duplicate key {}", quoted(&key))));
            }
            let value = entries.next_value_seed(self)?;
            object.insert(key, value);
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_serde_json_reads() {
        for text in ["{}", "null", r#"{"a":[1,-2,3.5,"x",true,null,{"b":{}}],"n":18446744073709551615}"#] {
            assert_eq!(parse(text.as_bytes()).unwrap(), serde_json::from_str::<Value>(text).unwrap());
        }
    }

    #[test]
    fn says_where() {
        let table = [
            (r#"{"a":1,"a":2}"#, "duplicate key \"a\"", 9),
            ("{\"a\":{\"b\":1,\n\"b\":2}}", "duplicate key \"b\"", 15),
            ("{} x", "trailing characters", 3),
            ("{\"a\":", "EOF while parsing a value", 4),
            ("", "EOF while parsing a value", 0),
        ];
        for (text, message, offset) in table {
            assert_eq!(parse(text.as_bytes()), Err(JsonError { message: message.to_owned(), offset }), "{text}");
        }
        assert!(parse(&"[".repeat(100_000).into_bytes()).unwrap_err().message.contains("recursion limit"));
        assert!(parse(b"\"\xff\"").is_err());
    }
}
