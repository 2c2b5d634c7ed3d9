//! The built-in adapter: the operations over the four crates.
//!
//! One file for each part of the protocol. Nothing here knows a rule: an operation reads its input, calls the crate and
//! writes what it gave.

mod argv;
mod context;
mod contract;
mod manifest;
mod markdown;
mod output;
mod rank;
mod reference;
mod requests;
mod spelling;
mod stream;

use std::panic::{AssertUnwindSafe, catch_unwind};

use mention_uri::{ResourceKinds, ValueType};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::answer::{Adapter, Answer};

/// Answers with the crates of this repository, in the same process.
#[derive(Clone, Copy, Debug, Default)]
pub struct BuiltIn;

impl BuiltIn {
    /// The built-in adapter.
    pub fn new() -> Self {
        Self
    }
}

impl Adapter for BuiltIn {
    /// A panic is an answer like any other fault: a broken one.
    fn call(&mut self, op: &str, input: &Value) -> Answer {
        catch_unwind(AssertUnwindSafe(|| answer(op, input)))
            .unwrap_or_else(|_| Answer::Broken("the implementation panicked".to_owned()))
    }
}

/// What an operation gives: the result, or the answer that stands in its place.
type Given = Result<Value, Answer>;

fn answer(op: &str, input: &Value) -> Answer {
    let parts: [fn(&str, &Value) -> Option<Given>; 11] = [
        spelling::answer,
        markdown::answer,
        stream::answer,
        contract::answer,
        rank::answer,
        context::answer,
        reference::answer,
        argv::answer,
        manifest::answer,
        output::answer,
        requests::answer,
    ];
    match parts.iter().find_map(|part| part(op, input)) {
        Some(Ok(value)) => Answer::Ok(value),
        Some(Err(answer)) => answer,
        None => Answer::Unsupported,
    }
}

/// Reads the input of an operation.
fn read<T: DeserializeOwned>(input: &Value) -> Result<T, Answer> {
    T::deserialize(input)
        .map_err(|error| Answer::Broken(format!("the input is not as the operation takes it: {error}")))
}

/// Writes a value of a crate.
fn write(value: &impl serde::Serialize) -> Given {
    serde_json::to_value(value).map_err(|error| Answer::Broken(format!("a result can't be written: {error}")))
}

/// An error with an offset in the text that was given.
macro_rules! answers {
    ($($error:ty),*) => {
        $(impl From<$error> for Answer {
            fn from(error: $error) -> Self {
                let answer = Self::error(error.code());
                match error.offset() {
                    Some(offset) => answer.with("offset", offset),
                    None => answer,
                }
            }
        })*
    };
}

answers!(mention_uri::UriError, mention_uri::TokenError);

/// A table of kinds: the studio's, or `{ "note": { "line": "index" } }`.
fn kinds(table: Option<&Map<String, Value>>) -> Result<ResourceKinds, Answer> {
    let Some(table) = table else { return Ok(ResourceKinds::studio()) };
    let mut builder = ResourceKinds::builder();
    for (kind, keys) in table {
        builder = builder.kind(kind);
        for (key, value) in keys.as_object().into_iter().flatten() {
            builder = builder.sub_target(kind, key, value_type(value)?);
        }
    }
    builder.build().map_err(|error| Answer::error(error.code()))
}

fn value_type(value: &Value) -> Result<ValueType, Answer> {
    match value.as_str() {
        Some("id") => Ok(ValueType::Id),
        Some("seconds") => Ok(ValueType::Seconds),
        Some("index") => Ok(ValueType::Index),
        _ => Err(Answer::Broken(format!("no type of a sub-target: {value}"))),
    }
}

/// An optional member.
fn put(map: &mut Map<String, Value>, name: &str, value: Option<impl Into<Value>>) {
    if let Some(value) = value {
        map.insert(name.to_owned(), value.into());
    }
}
