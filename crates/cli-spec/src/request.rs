//! What a client sends to have a command run.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::output::OutputMode;

/// Who calls and on whose behalf.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct InvokeContext {
    /// The kind of client, such as `cli`.
    #[serde(default = "InvokeContext::cli_source")]
    pub source: String,
    /// The workspace that the caller asks for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workspace_id: Option<String>,
    /// The app that calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub app_id: Option<String>,
    /// The agent session that calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_session_id: Option<String>,
    /// The command that this one is called from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_command_id: Option<String>,
}

impl InvokeContext {
    /// A context of that source.
    pub fn new(source: impl Into<String>) -> Self {
        Self {
            source: source.into(),
            workspace_id: None,
            app_id: None,
            agent_session_id: None,
            parent_command_id: None,
        }
    }

    /// Sets the workspace.
    #[must_use]
    pub fn with_workspace(mut self, workspace_id: impl Into<String>) -> Self {
        self.workspace_id = Some(workspace_id.into());
        self
    }

    /// Sets the agent session.
    #[must_use]
    pub fn with_agent_session(mut self, session_id: impl Into<String>) -> Self {
        self.agent_session_id = Some(session_id.into());
        self
    }

    fn cli_source() -> String {
        "cli".to_owned()
    }
}

impl Default for InvokeContext {
    /// The context of a terminal client: source `cli`, nothing else.
    fn default() -> Self {
        Self::new(Self::cli_source())
    }
}

/// A request to run one command.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct InvokeRequest {
    /// The id of the command.
    pub command_id: String,
    /// The raw input: values may be text, as a terminal client sends them.
    #[serde(default)]
    pub input: Map<String, Value>,
    /// The mode asked for; absent for the command's default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_mode: Option<OutputMode>,
    /// Who calls.
    #[serde(default)]
    pub context: InvokeContext,
}

impl InvokeRequest {
    /// A request without input, for the command's default mode, from a terminal client.
    pub fn new(command_id: impl Into<String>) -> Self {
        Self { command_id: command_id.into(), input: Map::new(), output_mode: None, context: InvokeContext::default() }
    }

    /// Sets one input.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.input.insert(name.into(), value.into());
        self
    }

    /// Sets all inputs.
    #[must_use]
    pub fn with_input(mut self, input: Map<String, Value>) -> Self {
        self.input = input;
        self
    }

    /// Sets the output mode.
    #[must_use]
    pub fn with_output_mode(mut self, mode: OutputMode) -> Self {
        self.output_mode = Some(mode);
        self
    }

    /// Sets who calls.
    #[must_use]
    pub fn with_context(mut self, context: InvokeContext) -> Self {
        self.context = context;
        self
    }
}
