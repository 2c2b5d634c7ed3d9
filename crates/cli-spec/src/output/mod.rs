//! What a command answers: modes, the output value, warnings and continuations.

pub mod render;
pub(crate) mod view;

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::limits;

/// The form of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum OutputMode {
    /// Columns and rows.
    Table,
    /// A JSON value.
    Json,
    /// Text for a terminal.
    Plain,
    /// Markdown text.
    Markdown,
}

impl OutputMode {
    /// The name in the wire format.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Table => "table",
            Self::Json => "json",
            Self::Plain => "plain",
            Self::Markdown => "markdown",
        }
    }
}

impl fmt::Display for OutputMode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// One column of a table.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Column {
    /// The key of the column's cell in each row.
    pub key: String,
    /// The heading.
    pub label: String,
}

impl Column {
    /// A column.
    pub fn new(key: impl Into<String>, label: impl Into<String>) -> Self {
        Self { key: key.into(), label: label.into() }
    }
}

impl<K: Into<String>, L: Into<String>> From<(K, L)> for Column {
    fn from((key, label): (K, L)) -> Self {
        Self::new(key, label)
    }
}

/// Something that the caller should know about an answer that succeeded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Warning {
    /// A stable code, such as `unknown_input_ignored`.
    pub code: String,
    /// One line.
    pub message: String,
}

impl Warning {
    /// A warning.
    pub fn new(code: impl Into<String>, message: impl Into<String>) -> Self {
        Self { code: code.into(), message: message.into() }
    }
}

/// The state of a command that has not come to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ContinuationState {
    /// Ask again.
    Pending,
}

/// The answer of a wait command that has not come to its end: ask again after a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", try_from = "RawContinuation")]
pub struct Continuation {
    state: ContinuationState,
    retry_after_ms: u64,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Continuation")]
struct RawContinuation {
    #[serde(rename = "state")]
    _state: ContinuationState,
    #[schemars(range(min = 250, max = 60_000))]
    retry_after_ms: u64,
}

/// A continuation whose delay is out of range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("retryAfterMs must be {min} to {max}, found {found}", min = limits::RETRY_AFTER_MIN_MS, max = limits::RETRY_AFTER_MAX_MS)]
pub struct ContinuationError {
    found: u64,
}

impl ContinuationError {
    /// The stable code: `retry_after_out_of_range`.
    pub fn code(&self) -> &'static str {
        "retry_after_out_of_range"
    }
}

impl Continuation {
    /// Ask again after that many milliseconds.
    ///
    /// # Errors
    /// [`ContinuationError`] outside 250 to 60,000.
    pub fn pending(retry_after_ms: u64) -> Result<Self, ContinuationError> {
        if (limits::RETRY_AFTER_MIN_MS..=limits::RETRY_AFTER_MAX_MS).contains(&retry_after_ms) {
            Ok(Self { state: ContinuationState::Pending, retry_after_ms })
        } else {
            Err(ContinuationError { found: retry_after_ms })
        }
    }

    /// The state.
    pub fn state(&self) -> ContinuationState {
        self.state
    }

    /// After how many milliseconds to ask again.
    pub fn retry_after_ms(&self) -> u64 {
        self.retry_after_ms
    }
}

impl TryFrom<RawContinuation> for Continuation {
    type Error = ContinuationError;

    fn try_from(raw: RawContinuation) -> Result<Self, Self::Error> {
        Self::pending(raw.retry_after_ms)
    }
}

/// One row of a table: cells by column key.
pub type Row = Map<String, Value>;

/// What a command answers, by kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum OutputBody {
    /// A JSON value.
    Json {
        /// The value.
        value: Value,
    },
    /// A table.
    Table {
        /// The columns, left to right; empty when the declared ones are meant.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        columns: Vec<Column>,
        /// The rows.
        rows: Vec<Row>,
    },
    /// Text for a terminal.
    Plain {
        /// The text.
        text: String,
    },
    /// Markdown text.
    Markdown {
        /// The text.
        text: String,
    },
}

/// The answer of a command.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct CommandOutput {
    /// The answer itself.
    #[serde(flatten)]
    pub body: OutputBody,
    /// What the caller should know beside it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
    /// When to ask again; wait commands in JSON mode only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub continuation: Option<Continuation>,
}

impl From<OutputBody> for CommandOutput {
    fn from(body: OutputBody) -> Self {
        Self { body, warnings: Vec::new(), continuation: None }
    }
}

impl CommandOutput {
    /// A JSON answer.
    pub fn json(value: impl Into<Value>) -> Self {
        OutputBody::Json { value: value.into() }.into()
    }

    /// A table.
    pub fn table(columns: impl IntoIterator<Item = impl Into<Column>>, rows: impl IntoIterator<Item = Row>) -> Self {
        OutputBody::Table { columns: columns.into_iter().map(Into::into).collect(), rows: rows.into_iter().collect() }
            .into()
    }

    /// A text answer.
    pub fn plain(text: impl Into<String>) -> Self {
        OutputBody::Plain { text: text.into() }.into()
    }

    /// A Markdown answer.
    pub fn markdown(text: impl Into<String>) -> Self {
        OutputBody::Markdown { text: text.into() }.into()
    }

    /// The form of the answer.
    pub fn kind(&self) -> OutputMode {
        match self.body {
            OutputBody::Json { .. } => OutputMode::Json,
            OutputBody::Table { .. } => OutputMode::Table,
            OutputBody::Plain { .. } => OutputMode::Plain,
            OutputBody::Markdown { .. } => OutputMode::Markdown,
        }
    }

    /// Adds a warning.
    #[must_use]
    pub fn with_warning(mut self, warning: Warning) -> Self {
        self.warnings.push(warning);
        self
    }

    /// Sets when to ask again.
    #[must_use]
    pub fn with_continuation(mut self, continuation: Continuation) -> Self {
        self.continuation = Some(continuation);
        self
    }
}
