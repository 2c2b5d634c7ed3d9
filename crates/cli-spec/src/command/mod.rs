//! A command: what it is called, takes, does and answers.

mod builder;
mod error;
mod handler;

use std::{fmt, sync::Arc};

pub use builder::CommandBuilder;
pub use error::{BuildError, BuildProblem};
pub use handler::{Answer, CommandContext, NoInput};
pub(crate) use handler::{BoxFuture, Call, Run};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{
    Capability, CommandOutput, InvokeRequest, OutputMode, SourceKind,
    error::{ErrorEnvelope, IntoEnvelope},
    schema::{InputSchema, SchemaError},
    text::quoted,
};

/// What a command is for; decides its default mode and JSON view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Returns a collection or a page of records: a table, and a compact JSON summary.
    List,
    /// Returns one record with its context: JSON detail.
    Get,
    /// Starts, changes, cancels, opens or triggers something: a concise confirmation.
    Action,
}

impl Kind {
    /// The name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::List => "list",
            Self::Get => "get",
            Self::Action => "action",
        }
    }

    /// Whether a command of the kind only reads.
    pub const fn is_read_only(self) -> bool {
        matches!(self, Self::List | Self::Get)
    }

    /// The default mode when none is declared: `table` for a list, `json` for the others.
    pub const fn default_mode(self) -> OutputMode {
        match self {
            Self::List => OutputMode::Table,
            Self::Get | Self::Action => OutputMode::Json,
        }
    }

    /// The JSON view that `--json` answers with: `detail` for a get, `summary` for the others.
    pub const fn default_view(self) -> View {
        match self {
            Self::Get => View::Detail,
            Self::List | Self::Action => View::Summary,
        }
    }
}

/// An explicit JSON projection of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum View {
    /// Compact: what a script needs.
    Summary,
    /// One record with its nearby context.
    Detail,
}

impl View {
    /// The name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Summary => "summary",
            Self::Detail => "detail",
        }
    }
}

/// How a command comes to its workspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Workspace {
    /// There must be one: the one asked for, else the startup workspace, else the invocation is invalid.
    Required,
    /// The one asked for, else the startup workspace, when there is one.
    StartupDefault,
    /// The one asked for, or none.
    Optional,
}

/// The metadata of a page of records.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pagination {
    /// What to pass to get the next page.
    pub next_page_token: Option<String>,
    /// Whether there are more records.
    pub has_more: bool,
}

/// A command, valid by construction. Cheap to clone.
#[derive(Clone)]
pub struct Command {
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub(crate) capability: Capability,
    pub(crate) schema: InputSchema,
    /// Generates the schema anew, for the compliance kit; apps have none.
    pub(crate) regenerate: Option<fn() -> Result<InputSchema, SchemaError>>,
    pub(crate) kind: Option<Kind>,
    pub(crate) workspace: Workspace,
    pub(crate) positionals: Vec<String>,
    pub(crate) host_only: bool,
    pub(crate) raw_reason: Option<String>,
    pub(crate) deprecation_warning: Option<String>,
    pub(crate) modes: Vec<OutputMode>,
    pub(crate) available: Option<Box<dyn Fn() -> bool + Send + Sync>>,
    pub(crate) run: Box<dyn Run>,
}

impl Command {
    /// Declares a command that lists records. It answers a table by default and its summary with `--json`.
    ///
    /// The words of the path are separated by spaces.
    pub fn list<I, R>(id: impl Into<String>, path: &str) -> CommandBuilder<I, R>
    where
        I: DeserializeOwned + JsonSchema + 'static,
        R: 'static,
    {
        CommandBuilder::new(Kind::List, id.into(), path)
    }

    /// Declares a command that returns one record. It answers its detail in JSON by default.
    pub fn get<I, R>(id: impl Into<String>, path: &str) -> CommandBuilder<I, R>
    where
        I: DeserializeOwned + JsonSchema + 'static,
        R: 'static,
    {
        CommandBuilder::new(Kind::Get, id.into(), path)
    }

    /// Declares a command that does something. It answers its summary in JSON by default.
    pub fn action<I, R>(id: impl Into<String>, path: &str) -> CommandBuilder<I, R>
    where
        I: DeserializeOwned + JsonSchema + 'static,
        R: 'static,
    {
        CommandBuilder::new(Kind::Action, id.into(), path)
    }

    /// A command of a workspace app, from the capability that its manifest gives. The handler gets the request as it came, with
    /// the workspace and the output mode settled, and its output is handed on untouched: no view projection, no compliance kit.
    ///
    /// # Errors
    /// [`BuildError`] when the capability is not an app's, or its id, path or summary is blank.
    pub fn app<F, Fut, E>(capability: Capability, handler: F) -> Result<Self, BuildError>
    where
        F: Fn(InvokeRequest) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<CommandOutput, E>> + Send + 'static,
        E: IntoEnvelope,
    {
        let mut problems = Vec::new();
        if capability.source.as_ref().is_none_or(|source| source.kind != SourceKind::App || source.app_id.is_none()) {
            problems.push(BuildProblem::NotAnApp);
        }
        if capability.id.trim().is_empty() {
            problems.push(BuildProblem::InvalidId);
        }
        if capability.path.is_empty() {
            problems.push(BuildProblem::EmptyPath);
        }
        for segment in &capability.path {
            if segment.is_empty() || segment.contains(char::is_whitespace) || segment.starts_with('-') {
                problems.push(BuildProblem::InvalidSegment { segment: segment.clone(), suggestion: None });
            }
        }
        if !problems.is_empty() {
            return Err(BuildError { id: capability.id, problems });
        }
        let mut modes = vec![capability.output.default_mode];
        if capability.output.json {
            modes.push(OutputMode::Json);
        }
        if capability.output.table.is_some() {
            modes.push(OutputMode::Table);
        }
        modes.sort_unstable();
        modes.dedup();
        Ok(Self {
            inner: Arc::new(Inner {
                schema: capability.input_schema.clone(),
                regenerate: None,
                kind: None,
                workspace: Workspace::Required,
                positionals: Vec::new(),
                host_only: false,
                raw_reason: None,
                deprecation_warning: None,
                modes,
                available: None,
                run: Box::new(handler::AppHandler::new(handler)),
                capability,
            }),
        })
    }

    /// The stable id.
    pub fn id(&self) -> &str {
        &self.inner.capability.id
    }

    /// The words that name the command.
    pub fn path(&self) -> &[String] {
        &self.inner.capability.path
    }

    /// The words that name the command, with spaces between.
    pub fn name(&self) -> String {
        self.path().join(" ")
    }

    /// One line about it.
    pub fn summary(&self) -> &str {
        &self.inner.capability.summary
    }

    /// The kind; an app's command has none.
    pub fn kind(&self) -> Option<Kind> {
        self.inner.kind
    }

    /// The description that discovery lists.
    pub fn capability(&self) -> &Capability {
        &self.inner.capability
    }

    /// The full input schema, with hidden inputs, aliases and hints.
    pub fn schema(&self) -> &InputSchema {
        &self.inner.schema
    }

    /// The inputs that bare words fill, in order.
    pub fn positionals(&self) -> &[String] {
        &self.inner.positionals
    }

    /// How the command comes to its workspace.
    pub fn workspace(&self) -> Workspace {
        self.inner.workspace
    }

    /// Whether it stays out of exports and capabilities.
    pub fn is_host_only(&self) -> bool {
        self.inner.host_only
    }

    /// Why it answers raw JSON, when it does.
    pub fn raw_json_reason(&self) -> Option<&str> {
        self.inner.raw_reason.as_deref()
    }

    /// The modes in which it can answer.
    pub fn modes(&self) -> &[OutputMode] {
        &self.inner.modes
    }

    /// Whether its availability filter lets it be listed now.
    pub fn is_available(&self) -> bool {
        self.inner.available.as_ref().is_none_or(|available| available())
    }

    /// The summary or detail JSON of the declared sample result, for checks.
    pub fn sample_json(&self) -> Option<Value> {
        self.inner.run.sample()
    }

    /// The mode in which a request is answered.
    pub(crate) fn settle_mode(&self, asked: Option<OutputMode>) -> Result<OutputMode, ErrorEnvelope> {
        let mode = asked.unwrap_or(self.inner.capability.output.default_mode);
        if self.modes().contains(&mode) {
            return Ok(mode);
        }
        // A table is printed as JSON rows by the client, so a command without a JSON view still answers `--json`.
        if mode == OutputMode::Json && self.modes().contains(&OutputMode::Table) {
            return Ok(OutputMode::Table);
        }
        let modes: Vec<&str> = self.modes().iter().map(|mode| mode.as_str()).collect();
        let message =
            format!("command {} does not answer in {mode}; it answers in {}", quoted(&self.name()), modes.join(", "));
        Err(ErrorEnvelope::new(crate::reason::INVALID_INPUT, message))
    }
}

impl fmt::Debug for Command {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Command").field("id", &self.id()).field("path", &self.path()).finish_non_exhaustive()
    }
}
