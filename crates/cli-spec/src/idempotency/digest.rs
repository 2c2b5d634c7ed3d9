//! What a request asked, and who asked it, in 32 bytes.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Number, Value};
use sha2::{Digest as _, Sha256};

/// The largest magnitude below which every whole number has its own `f64`: 2^53.
const EXACT_WHOLE: f64 = 9_007_199_254_740_992.0;

/// A SHA-256 over the payload and the actor of a request. Displays and serializes as 64 hex digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Digest([u8; 32]);

impl Digest {
    /// Over the payload as canonical JSON: the order of keys and the spelling of numbers (`3` and `3.0`)
    /// don't matter, the order of lists does, and an absent key is not the same as `null`.
    pub fn canonical(payload: &Value, actor: &str) -> Self {
        let mut text = String::new();
        write_canonical(&mut text, payload);
        Self::over("canonical", text.as_bytes(), actor)
    }

    /// Over the payload's exact bytes.
    pub fn exact(payload: &[u8], actor: &str) -> Self {
        Self::over("exact", payload, actor)
    }

    /// The 32 bytes.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Each part goes in with its length before it, so that text can't move between payload and actor.
    fn over(form: &str, payload: &[u8], actor: &str) -> Self {
        let mut hash = Sha256::new();
        for part in [form.as_bytes(), actor.as_bytes(), payload] {
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part);
        }
        Self(hash.finalize().into())
    }
}

fn write_canonical(out: &mut String, value: &Value) {
    match value {
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_canonical(out, item);
            }
            out.push(']');
        }
        Value::Object(members) => {
            // Sorted here, since serde_json's own order depends on a feature that any crate may turn on.
            let mut members: Vec<_> = members.iter().collect();
            members.sort_unstable_by_key(|(key, _)| *key);
            out.push('{');
            for (index, (key, item)) in members.into_iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                out.push_str(&Value::String(key.clone()).to_string());
                out.push(':');
                write_canonical(out, item);
            }
            out.push('}');
        }
        Value::Number(number) => write_number(out, number),
        other => out.push_str(&other.to_string()),
    }
}

fn write_number(out: &mut String, number: &Number) {
    let whole = if number.is_i64() || number.is_u64() { None } else { number.as_f64() };
    match whole.filter(|value| value.fract() == 0.0 && value.abs() < EXACT_WHOLE) {
        #[allow(clippy::cast_possible_truncation, reason = "whole and below 2^53, checked above")]
        Some(value) => out.push_str(&(value as i64).to_string()),
        None => out.push_str(&number.to_string()),
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}

/// The text is not a digest.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected 64 lower-case hex digits")]
pub struct DigestError(());

impl DigestError {
    /// `invalid_digest`.
    pub fn code(&self) -> &'static str {
        "invalid_digest"
    }
}

impl FromStr for Digest {
    type Err = DigestError;

    fn from_str(text: &str) -> Result<Self, DigestError> {
        let digit = |byte: u8| match byte {
            b'0'..=b'9' => Some(byte - b'0'),
            b'a'..=b'f' => Some(byte - b'a' + 10),
            _ => None,
        };
        let mut bytes = [0_u8; 32];
        if text.len() != 2 * bytes.len() {
            return Err(DigestError(()));
        }
        for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
            let mut digits = pair.iter().map(|byte| digit(*byte));
            let high = digits.next().flatten().ok_or(DigestError(()))?;
            let low = digits.next().flatten().ok_or(DigestError(()))?;
            *byte = high << 4 | low;
        }
        Ok(Self(bytes))
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}
