//! The thin driver between a registry and an app's handlers, over the host's own HTTP client.

use std::sync::Arc;

use super::{App, AppCommand, HandlerError, Invocation, InvocationError, decode_output};
use crate::{BuildError, Command, CommandOutput, ErrorEnvelope, IntoEnvelope, InvokeRequest};

/// One POST to an app's handler.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HandlerCall {
    app_id: String,
    path: String,
    timeout_ms: u64,
    body: Vec<u8>,
}

impl HandlerCall {
    /// The app; the host knows where it listens.
    pub fn app_id(&self) -> &str {
        &self.app_id
    }

    /// The path under `/tutti/cli/`, as the manifest has it.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// How long the handler may take, in milliseconds.
    pub fn timeout_ms(&self) -> u64 {
        self.timeout_ms
    }

    /// The body: an [`Invocation`] as JSON.
    pub fn body(&self) -> &[u8] {
        &self.body
    }
}

/// What a handler answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HandlerAnswer {
    /// The HTTP status.
    pub status: u16,
    /// The body. A transport stops reading past
    /// [`HANDLER_OUTPUT_BYTES`](crate::limits::HANDLER_OUTPUT_BYTES) and one byte more.
    pub body: Vec<u8>,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum TransportError {
    /// The handler's time is over.
    Timeout,
    /// There is no connection to the app, or it broke off.
    Unavailable(String),
}

/// The host's HTTP client. Redirects are answers, they are not followed.
pub trait Transport: Send + Sync {
    /// Sends one POST with content type `application/json` and waits for the answer no longer than the call's
    /// time.
    fn post(&self, call: &HandlerCall) -> impl Future<Output = Result<HandlerAnswer, TransportError>> + Send;
}

/// Calls one command of an app: [`Invocation::new`], the POST, [`decode_output`]. Warnings about inputs that
/// the app doesn't declare come before the app's own.
///
/// # Errors
/// The input is not valid, the app can't be reached, or its answer is an error or not what was declared.
pub async fn call<T: Transport>(
    app: &App,
    command: &AppCommand,
    request: &InvokeRequest,
    workspace_id: &str,
    transport: &T,
) -> Result<CommandOutput, CallError> {
    let (invocation, mut warnings) = Invocation::new(app, command, request, workspace_id)?;
    let timeout_ms = command.handler().timeout_ms();
    let body = serde_json::to_vec(&invocation)
        .map_err(|error| HandlerError::BadResponse { message: format!("the call can't be written: {error}") })?;
    let call = HandlerCall { app_id: app.id().to_owned(), path: command.handler().path().to_owned(), timeout_ms, body };
    let answer = transport.post(&call).await.map_err(|error| match error {
        TransportError::Timeout => HandlerError::Timeout { timeout_ms },
        TransportError::Unavailable(message) => HandlerError::Unavailable { message },
    })?;
    let mut output = decode_output(command, answer.status, &answer.body)?;
    warnings.append(&mut output.warnings);
    output.warnings = warnings;
    Ok(output)
}

/// Why a call of an app's command gave no output.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CallError {
    /// The command was not called.
    #[error(transparent)]
    Invocation(#[from] InvocationError),
    /// The handler gave no output.
    #[error(transparent)]
    Handler(#[from] HandlerError),
}

impl CallError {
    /// The code of the reason.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Invocation(error) => error.code(),
            Self::Handler(error) => error.code(),
        }
    }
}

impl IntoEnvelope for CallError {
    fn into_envelope(self) -> ErrorEnvelope {
        match self {
            Self::Invocation(error) => error.into_envelope(),
            Self::Handler(error) => error.into_envelope(),
        }
    }
}

impl App {
    /// The app's commands for a [`Registry`](crate::Registry), each calling its handler through the host's
    /// transport. The registry settles workspace and output mode; the app's output is handed on untouched.
    ///
    /// # Errors
    /// [`BuildError`] when the registry can't take one.
    pub fn commands<T: Transport + 'static>(&self, transport: &Arc<T>) -> Result<Vec<Command>, BuildError> {
        let app = Arc::new(self.clone());
        let commands = self.manifest().commands().iter().map(|command| {
            let (app, transport, own) = (Arc::clone(&app), Arc::clone(transport), command.clone());
            Command::app(self.capability(command), move |request: InvokeRequest| {
                let (app, transport, own) = (Arc::clone(&app), Arc::clone(&transport), own.clone());
                async move {
                    let workspace = request.context.workspace_id.clone().unwrap_or_default();
                    call(&app, &own, &request, &workspace, &*transport).await
                }
            })
        });
        commands.collect()
    }
}
