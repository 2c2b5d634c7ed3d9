//! What comes back from an app's handler, held against what its manifest declares.

use serde::Deserialize;
use serde_json::Value;

use super::{AppCommand, json};
use crate::{
    Column, CommandOutput, ErrorEnvelope, IntoEnvelope, OutputBody, limits,
    text::{one_line, quoted},
};

/// Why a handler gave no output.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HandlerError {
    /// The answer is not what the manifest declares, or not an answer at all.
    #[error("the app's answer is not valid: {message}")]
    BadResponse {
        /// What is wrong with it.
        message: String,
    },
    /// The handler answered with an error.
    #[error("the app reports {}: {}", quoted(.code), one_line(.message))]
    Failed {
        /// The app's own code.
        code: String,
        /// The app's own message.
        message: String,
    },
    /// No answer within the handler's time.
    #[error("the app did not answer within {timeout_ms} ms")]
    Timeout {
        /// The time that it had, in milliseconds.
        timeout_ms: u64,
    },
    /// There is no connection to the app.
    #[error("the app can't be reached: {}", one_line(.message))]
    Unavailable {
        /// What the transport says.
        message: String,
    },
}

impl HandlerError {
    /// `app_cli_handler_bad_response`, `app_cli_handler_failed`, `app_cli_handler_timeout` or
    /// `app_cli_runtime_unavailable`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::BadResponse { .. } => "app_cli_handler_bad_response",
            Self::Failed { .. } => "app_cli_handler_failed",
            Self::Timeout { .. } => "app_cli_handler_timeout",
            Self::Unavailable { .. } => "app_cli_runtime_unavailable",
        }
    }

    /// Whether the same call may succeed later: after a timeout, and without a connection.
    pub fn is_retryable(&self) -> bool {
        matches!(self, Self::Timeout { .. } | Self::Unavailable { .. })
    }

    fn bad(message: impl Into<String>) -> Self {
        Self::BadResponse { message: message.into() }
    }
}

impl IntoEnvelope for HandlerError {
    fn into_envelope(self) -> ErrorEnvelope {
        let envelope = ErrorEnvelope::new(self.code(), self.to_string());
        if self.is_retryable() { envelope.retryable_now() } else { envelope }
    }
}

/// Reads the HTTP answer of a command's handler: its status and its body.
///
/// With a success status (200 to 299) the body is a [`CommandOutput`] of a kind that the command declares,
/// `json` or `table`. The columns of a table, when given, are declared ones with the declared labels; without
/// them the declared ones are filled in. A continuation comes from wait commands only, with kind `json`. With
/// an error status (400 and above) the body is `{ "error": { "code", "message" } }`. A body has at most
/// [`HANDLER_OUTPUT_BYTES`](limits::HANDLER_OUTPUT_BYTES) bytes.
///
/// # Errors
/// [`HandlerError::Failed`] for an error body, [`HandlerError::BadResponse`] for anything else.
pub fn decode_output(command: &AppCommand, status: u16, body: &[u8]) -> Result<CommandOutput, HandlerError> {
    let document = json::read(body, limits::HANDLER_OUTPUT_BYTES, limits::HANDLER_OUTPUT_DEPTH)
        .map_err(|fault| HandlerError::bad(format!("{fault} (status {status})")))?;
    if let Some(found) = document.duplicates.first() {
        return Err(HandlerError::bad(format!("the key {} stands twice in its object", quoted(&found.key))));
    }
    let value = document.root.into_value();
    match status {
        200..=299 => held_against(command, output(value)?),
        400.. => Err(failure(value, status)),
        _ => Err(HandlerError::bad(format!("expected a success or error status, found {status}"))),
    }
}

fn failure(value: Value, status: u16) -> HandlerError {
    #[derive(Deserialize)]
    struct Body {
        error: Inner,
    }
    #[derive(Deserialize)]
    struct Inner {
        code: String,
        message: String,
    }
    match serde_json::from_value::<Body>(value) {
        Ok(Body { error: Inner { code, message } }) => HandlerError::Failed { code, message },
        Err(error) => {
            HandlerError::bad(format!("status {status} without an error body: {}", one_line(&error.to_string())))
        }
    }
}

fn output(value: Value) -> Result<CommandOutput, HandlerError> {
    serde_json::from_value(value).map_err(|error| HandlerError::bad(one_line(&error.to_string())))
}

/// Checks an output against the declared contract and fills in the declared columns.
///
/// # Errors
/// [`HandlerError::BadResponse`].
pub(crate) fn held_against(command: &AppCommand, mut output: CommandOutput) -> Result<CommandOutput, HandlerError> {
    let declared = command.output();
    match (&mut output.body, &declared.table) {
        (OutputBody::Json { .. }, _) if declared.json => {}
        (OutputBody::Table { columns, .. }, Some(table)) => hold_columns(columns, &table.columns)?,
        (body, _) => {
            let kind = match body {
                OutputBody::Json { .. } => "json",
                OutputBody::Table { .. } => "table",
                OutputBody::Plain { .. } => "plain",
                OutputBody::Markdown { .. } => "markdown",
            };
            return Err(HandlerError::bad(format!("the command does not declare kind {kind:?}")));
        }
    }
    if output.continuation.is_some() {
        if !command.is_wait() {
            return Err(HandlerError::bad("a continuation is for wait commands"));
        }
        if !matches!(output.body, OutputBody::Json { .. }) {
            return Err(HandlerError::bad("a continuation needs kind \"json\""));
        }
    }
    Ok(output)
}

fn hold_columns(columns: &mut Vec<Column>, declared: &[Column]) -> Result<(), HandlerError> {
    if columns.is_empty() {
        columns.extend_from_slice(declared);
        return Ok(());
    }
    let mut seen = std::collections::BTreeSet::new();
    for column in columns {
        let known = declared.iter().find(|known| known.key == column.key);
        let Some(known) = known else {
            return Err(HandlerError::bad(format!("column {} is not declared", quoted(&column.key))));
        };
        if known.label != column.label {
            let message = format!("column {} is declared with the label {}", quoted(&column.key), quoted(&known.label));
            return Err(HandlerError::bad(message));
        }
        if !seen.insert(&known.key) {
            return Err(HandlerError::bad(format!("column {} stands twice", quoted(&column.key))));
        }
    }
    Ok(())
}
