//! The error envelope and the exit codes.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::text::one_line;

/// The reason codes that this crate itself gives.
pub mod reason {
    /// The arguments or the input are not valid.
    pub const INVALID_INPUT: &str = "invalid_input";
    /// No command has that path or id.
    pub const COMMAND_NOT_FOUND: &str = "command_not_found";
    /// The command ran and has no answer in the mode asked for.
    pub const COMMAND_OUTPUT_MISSING: &str = "command_output_missing";
    /// The daemon can't be reached (retryable).
    pub const DAEMON_UNAVAILABLE: &str = "daemon_unavailable";
    /// A request to the daemon broke off (retryable).
    pub const DAEMON_REQUEST_FAILED: &str = "daemon_request_failed";
}

/// How a program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ExitCode {
    /// 0: success.
    Success,
    /// 1: authentication, transport, domain or runtime failure.
    Failure,
    /// 2: the invocation or its input is not valid.
    Usage,
}

impl ExitCode {
    /// The number that the process ends with.
    pub const fn as_u8(self) -> u8 {
        match self {
            Self::Success => 0,
            Self::Failure => 1,
            Self::Usage => 2,
        }
    }
}

/// The body of an [`ErrorEnvelope`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ErrorBody {
    /// The stable code to branch on.
    pub reason_code: String,
    /// One line for a person; ends with the hint, when there is one.
    pub message: String,
    /// How to recover.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// Written only when true; read through [`ErrorEnvelope::retryable`].
    #[serde(default, skip_serializing_if = "not_true")]
    pub retryable: Option<bool>,
    /// What the daemon's log knows the failure by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub correlation_id: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde calls")]
#[expect(clippy::ref_option, reason = "the signature that serde calls")]
fn not_true(retryable: &Option<bool>) -> bool {
    *retryable != Some(true)
}

/// One failure, as it is printed with `--json` and sent over the wire: `{ "error": { … } }`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ErrorEnvelope {
    /// The failure.
    pub error: ErrorBody,
    /// Whether the invocation itself was at fault, where more than the reason code tells it; not on the wire, where the HTTP
    /// status does.
    #[serde(skip)]
    #[schemars(skip)]
    usage: Option<bool>,
}

/// What a daemon said about a failed request, for [`ErrorEnvelope::from_remote`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Remote {
    /// The narrow reason, when the daemon gave one.
    pub reason: Option<String>,
    /// The daemon's error code.
    pub code: String,
    /// The daemon's message.
    pub message: String,
    /// How to recover.
    pub hint: Option<String>,
    /// Whether the daemon said that the request may be repeated.
    pub retryable: Option<bool>,
    /// What the daemon's log knows the failure by.
    pub correlation_id: Option<String>,
}

impl ErrorEnvelope {
    /// A failure of the domain, the transport or the runtime (exit code 1); with one of the codes `invalid_input` and
    /// `command_not_found` the invocation is at fault (exit code 2).
    pub fn new(reason_code: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            usage: None,
            error: ErrorBody {
                reason_code: reason_code.into(),
                message: message.into(),
                hint: None,
                retryable: None,
                correlation_id: None,
            },
        }
    }

    /// The daemon can't be reached: `daemon_unavailable`, retryable.
    pub fn daemon_unavailable(message: impl Into<String>) -> Self {
        Self::new(reason::DAEMON_UNAVAILABLE, message).retryable_now()
    }

    /// A request to the daemon broke off: `daemon_request_failed`, retryable.
    pub fn daemon_request_failed(message: impl Into<String>) -> Self {
        Self::new(reason::DAEMON_REQUEST_FAILED, message).retryable_now()
    }

    /// A failure that a daemon answered with that HTTP status. The reason code is the reason, else the code; a status of 400
    /// is invalid input (exit code 2), every other one a failure (exit code 1).
    pub fn from_remote(status: u16, remote: Remote) -> Self {
        let Remote { reason, code, message, hint, retryable, correlation_id } = remote;
        let reason_code = reason
            .filter(|reason| !reason.trim().is_empty())
            .or_else(|| Some(code).filter(|code| !code.trim().is_empty()))
            .unwrap_or_else(|| reason::DAEMON_REQUEST_FAILED.to_owned());
        let mut envelope = Self::new(reason_code, message);
        if let Some(hint) = hint {
            envelope = envelope.with_hint(hint);
        }
        envelope.error.retryable = retryable.filter(|retryable| *retryable);
        envelope.error.correlation_id = correlation_id;
        envelope.usage = Some(status == 400);
        envelope
    }

    /// Sets the hint and ends the message with it, for readers that know no `hint`.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        let hint = hint.into();
        if !hint.is_empty() && !self.error.message.ends_with(&hint) {
            let message = self.error.message.trim_end();
            let stop = if message.is_empty() || message.ends_with(['.', '!', '?', ':']) { "" } else { "." };
            let space = if message.is_empty() { "" } else { " " };
            self.error.message = format!("{message}{stop}{space}{hint}");
        }
        self.error.hint = Some(hint).filter(|hint| !hint.is_empty());
        self
    }

    /// Marks the failure as one that may be repeated.
    #[must_use]
    pub fn retryable_now(mut self) -> Self {
        self.error.retryable = Some(true);
        self
    }

    /// Sets the correlation id.
    #[must_use]
    pub fn with_correlation_id(mut self, id: impl Into<String>) -> Self {
        self.error.correlation_id = Some(id.into());
        self
    }

    /// Marks the invocation or its input as being at fault (exit code 2), whatever the reason code.
    #[must_use]
    pub fn usage(mut self) -> Self {
        self.usage = Some(true);
        self
    }

    /// The reason code.
    pub fn code(&self) -> &str {
        &self.error.reason_code
    }

    /// Whether the request may be repeated: only on an explicit true, or for the two transient codes `daemon_unavailable` and
    /// `daemon_request_failed`. A missing field is no permission.
    pub fn retryable(&self) -> bool {
        self.error.retryable == Some(true)
            || matches!(self.code(), reason::DAEMON_UNAVAILABLE | reason::DAEMON_REQUEST_FAILED)
    }

    /// How the program ends: 2 when the invocation or its input is at fault, else 1. An envelope that was read from JSON is
    /// judged by its reason code, since the status is not part of it.
    pub fn exit_code(&self) -> ExitCode {
        let by_code = || matches!(self.code(), reason::INVALID_INPUT | reason::COMMAND_NOT_FOUND);
        if self.usage.unwrap_or_else(by_code) { ExitCode::Usage } else { ExitCode::Failure }
    }
}

impl fmt::Display for ErrorEnvelope {
    /// The message, in one line.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&one_line(&self.error.message))
    }
}

impl std::error::Error for ErrorEnvelope {}

/// Turns a host's own error into the envelope.
///
/// Handlers return any error type that implements this. Validation in a handler that is stricter than the schema marks its
/// envelope with [`usage`](ErrorEnvelope::usage), so that the program ends with 2.
pub trait IntoEnvelope {
    /// The envelope.
    fn into_envelope(self) -> ErrorEnvelope;
}

impl IntoEnvelope for ErrorEnvelope {
    fn into_envelope(self) -> ErrorEnvelope {
        self
    }
}

impl IntoEnvelope for std::convert::Infallible {
    fn into_envelope(self) -> ErrorEnvelope {
        match self {}
    }
}
