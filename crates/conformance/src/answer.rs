//! What an adapter is, and what it answers.

use serde_json::{Map, Value, json};

/// An implementation under test.
pub trait Adapter {
    /// Answers one operation.
    fn call(&mut self, op: &str, input: &Value) -> Answer;

    /// Faults of earlier answers that only showed later, by the number of the call (counted from 0): an adapter that
    /// answered twice, for example. Asked for after every call and at the end.
    fn late_faults(&mut self) -> Vec<(usize, String)> {
        Vec::new()
    }

    /// Ends the adapter: no call follows. Called once, before the last [`late_faults`](Self::late_faults).
    fn end(&mut self) {}
}

/// What an adapter answered.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// The result of the operation.
    Ok(Value),
    /// The operation failed, as it should or not.
    Failed(Failed),
    /// The adapter does not know the operation.
    Unsupported,
    /// No answer, or none that can be understood; in plain words.
    Broken(String),
}

/// How an operation failed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Failed {
    /// The stable code.
    pub code: String,
    /// What else the answer says: `offset`, `pointer`, `problems`. Not compared where it is absent.
    pub more: Map<String, Value>,
}

impl Answer {
    /// A failure with nothing but its code.
    pub fn error(code: impl Into<String>) -> Self {
        Self::Failed(Failed { code: code.into(), more: Map::new() })
    }

    /// Adds something to a failure; any other answer is left as it is.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        if let Self::Failed(failed) = &mut self {
            failed.more.insert(name.to_owned(), value.into());
        }
        self
    }

    /// The answer as one line of the wire, without its id.
    pub(crate) fn to_wire(&self) -> Map<String, Value> {
        let mut wire = Map::new();
        match self {
            Self::Ok(value) => {
                wire.insert("ok".to_owned(), value.clone());
            }
            Self::Failed(failed) => {
                wire.insert("error".to_owned(), json!(failed.code));
                wire.extend(failed.more.clone());
            }
            Self::Unsupported => {
                wire.insert("unsupported".to_owned(), json!(true));
            }
            Self::Broken(word) => {
                wire.insert("broken".to_owned(), json!(word));
            }
        }
        wire
    }

    /// Reads an answer of the wire, without its id.
    pub(crate) fn from_wire(mut wire: Map<String, Value>) -> Self {
        wire.remove("id");
        let parts = (wire.remove("ok"), wire.remove("error"), wire.remove("unsupported"), wire.remove("broken"));
        match parts {
            (Some(value), None, None, None) => Self::Ok(value),
            (None, Some(Value::String(code)), None, None) => Self::Failed(Failed { code, more: wire }),
            (None, None, Some(Value::Bool(true)), None) => Self::Unsupported,
            (None, None, None, Some(Value::String(word))) => Self::Broken(word),
            _ => Self::Broken("the answer has not exactly one of ok, error (a text) and unsupported (true)".to_owned()),
        }
    }
}
