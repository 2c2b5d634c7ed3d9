//! What a host sends to an app's handler.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{App, AppCommand, INVOKE_SCHEMA_VERSION};
use crate::{
    ErrorEnvelope, InputError, IntoEnvelope, InvokeRequest, OutputMode, Warning,
    input::coerce::{Rules, coerce},
    reason,
};

/// The body of the POST to a handler (`tutti.app.cli.invoke.v1`).
///
/// ```
/// use cli_spec::app::{App, Invocation, Manifest};
/// use cli_spec::InvokeRequest;
///
/// let manifest: Manifest = r#"{
///   "schemaVersion": "tutti.app.cli.v1", "scope": "notes",
///   "commands": [{
///     "path": ["list"], "summary": "List notes",
///     "inputSchema": { "type": "object", "properties": {
///       "limit": { "type": "integer", "default": 20 }, "pinned": { "type": "boolean", "default": true } } },
///     "output": { "defaultMode": "json", "json": true },
///     "handler": { "kind": "http", "method": "POST", "path": "/tutti/cli/list" }
///   }]
/// }"#.parse()?;
/// let app = App::new("com.example.notes", manifest)?;
/// let command = app.command("app.com.example.notes.notes.list").unwrap();
///
/// let request = InvokeRequest::new(app.command_id(command)).with("limit", "5");
/// let (invocation, warnings) = Invocation::new(&app, command, &request, "ws-1")?;
/// // The text became an integer; the default of `pinned` is for help, the app decides about it.
/// assert_eq!(serde_json::to_string(invocation.input())?, r#"{"limit":5}"#);
/// assert!(warnings.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Invocation {
    schema_version: Version,
    command_id: String,
    app_id: String,
    scope: String,
    path: Vec<String>,
    workspace_id: String,
    input: Map<String, Value>,
    output_mode: OutputMode,
    context: Context,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum Version {
    #[serde(rename = "tutti.app.cli.invoke.v1")]
    V1,
}

/// `parentCommandId` is written as null when there is none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Context {
    source: String,
    #[serde(default)]
    parent_command_id: Option<String>,
}

impl Invocation {
    /// Prepares the call of a command, and gives back the warnings about inputs that the app doesn't declare:
    /// those are left out.
    ///
    /// Values are brought to the declared types by the same rules as a builtin command's. An absent or null
    /// input stays absent: a default is never sent.
    ///
    /// # Errors
    /// A required input is missing, a value has not the declared type or is not in the enum, or the output
    /// mode is one that the command doesn't declare.
    pub fn new(
        app: &App,
        command: &AppCommand,
        request: &InvokeRequest,
        workspace_id: impl Into<String>,
    ) -> Result<(Self, Vec<Warning>), InvocationError> {
        let output_mode = request.output_mode.unwrap_or(command.output().default_mode);
        let declared = match output_mode {
            OutputMode::Json => command.output().json,
            OutputMode::Table => command.output().table.is_some(),
            OutputMode::Plain | OutputMode::Markdown => false,
        };
        if !declared {
            return Err(InvocationError::OutputMode { mode: output_mode });
        }
        let coerced = coerce(command.input_schema(), request.input.clone(), Rules::HANDED_ON)?;
        let warnings = coerced.warnings.clone();
        let invocation = Self {
            schema_version: Version::V1,
            command_id: app.command_id(command),
            app_id: app.id().to_owned(),
            scope: app.manifest().scope().to_owned(),
            path: command.path().to_vec(),
            workspace_id: workspace_id.into(),
            input: coerced.into_map(command.input_schema()),
            output_mode,
            context: Context {
                source: request.context.source.clone(),
                parent_command_id: request.context.parent_command_id.clone(),
            },
        };
        Ok((invocation, warnings))
    }

    /// The version: `tutti.app.cli.invoke.v1`.
    pub fn schema_version(&self) -> &'static str {
        INVOKE_SCHEMA_VERSION
    }

    /// The command's id.
    pub fn command_id(&self) -> &str {
        &self.command_id
    }

    /// The app's id.
    pub fn app_id(&self) -> &str {
        &self.app_id
    }

    /// The scope under which the command is called.
    pub fn scope(&self) -> &str {
        &self.scope
    }

    /// The words after the scope.
    pub fn path(&self) -> &[String] {
        &self.path
    }

    /// The workspace.
    pub fn workspace_id(&self) -> &str {
        &self.workspace_id
    }

    /// The input, of the declared types, without defaults.
    pub fn input(&self) -> &Map<String, Value> {
        &self.input
    }

    /// The mode asked for: `table` or `json`.
    pub fn output_mode(&self) -> OutputMode {
        self.output_mode
    }
}

/// Why a command of an app can't be called as asked.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum InvocationError {
    /// The input is not valid.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The command doesn't declare this output mode.
    #[error("the command does not answer in mode {mode:?}", mode = .mode.as_str())]
    OutputMode {
        /// The mode asked for.
        mode: OutputMode,
    },
}

impl InvocationError {
    /// `invalid_input` or `command_output_missing`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Input(error) => error.code(),
            Self::OutputMode { .. } => reason::COMMAND_OUTPUT_MISSING,
        }
    }
}

impl IntoEnvelope for InvocationError {
    fn into_envelope(self) -> ErrorEnvelope {
        match self {
            Self::Input(error) => error.into_envelope(),
            Self::OutputMode { .. } => ErrorEnvelope::new(self.code(), self.to_string()),
        }
    }
}
