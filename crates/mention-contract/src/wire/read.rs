//! Reading an object member by member, noting what is not as it should be instead of failing.

use super::Breach;
use serde_json::{Map, Value};

pub(super) struct Members {
    map: Map<String, Value>,
    pub(super) breaches: Vec<Breach>,
}

impl Members {
    pub(super) fn new(map: Map<String, Value>) -> Self {
        Self { map, breaches: Vec::new() }
    }

    /// A member; `null` is as good as absent.
    pub(super) fn take(&mut self, member: &str) -> Option<Value> {
        self.map.remove(member).filter(|value| !value.is_null())
    }

    pub(super) fn text(&mut self, member: &'static str) -> Option<String> {
        let value = self.take(member)?;
        let Value::String(text) = value else {
            self.breaches.push(Breach::InvalidType { member });
            return None;
        };
        Some(text)
    }

    pub(super) fn word<T: From<String>>(&mut self, member: &'static str) -> Option<T> {
        self.text(member).map(T::from)
    }
}
