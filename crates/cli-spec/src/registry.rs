//! The registry: finding, listing and running commands.

use std::{collections::BTreeMap, fmt, sync::Arc};

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::{
    Capability, Command, CommandContext, CommandOutput, Discovery, InvokeRequest, OutputMode, Warning, Workspace,
    command::{BoxFuture, Call},
    error::{ErrorEnvelope, ExitCode, IntoEnvelope, reason},
    input::error::InputError,
    limits,
    schema::{InputSchema, SchemaError, SchemaProblem},
    text::{likely, quoted},
};

/// The top-level scopes that belong to the host by default, so that no app can claim them.
pub const RESERVED_SCOPES: [&str; 5] = ["agent", "help", "issue", "plan", "status"];

/// The workspaces of a host.
pub trait Workspaces: Send + Sync {
    /// The id of the workspace that a caller asked for, or the host's own error when there is none of that id.
    fn requested(&self, id: &str) -> impl Future<Output = Result<String, ErrorEnvelope>> + Send;

    /// The workspace that the host starts with, when there is one.
    fn startup(&self) -> impl Future<Output = Result<Option<String>, ErrorEnvelope>> + Send;
}

/// The workspaces of a host that has none.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoWorkspaces;

impl Workspaces for NoWorkspaces {
    async fn requested(&self, id: &str) -> Result<String, ErrorEnvelope> {
        Err(ErrorEnvelope::new("workspace_not_found", format!("workspace {} was not found", quoted(id))))
    }

    async fn startup(&self) -> Result<Option<String>, ErrorEnvelope> {
        Ok(None)
    }
}

/// [`Workspaces`] behind a pointer.
trait DynWorkspaces: Send + Sync {
    fn requested<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<String, ErrorEnvelope>>;
    fn startup(&self) -> BoxFuture<'_, Result<Option<String>, ErrorEnvelope>>;
}

impl<W: Workspaces> DynWorkspaces for W {
    fn requested<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<String, ErrorEnvelope>> {
        Box::pin(Workspaces::requested(self, id))
    }

    fn startup(&self) -> BoxFuture<'_, Result<Option<String>, ErrorEnvelope>> {
        Box::pin(Workspaces::startup(self))
    }
}

/// Why a command did not answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CommandError {
    /// No command has that path or id.
    NotFound(NotFound),
    /// The input does not bind.
    Input(InputError),
    /// The host, the workspace or the handler failed.
    Failed(ErrorEnvelope),
}

impl CommandError {
    /// The reason code.
    pub fn code(&self) -> &str {
        match self {
            Self::NotFound(_) => reason::COMMAND_NOT_FOUND,
            Self::Input(error) => error.code(),
            Self::Failed(envelope) => envelope.code(),
        }
    }

    /// How the program ends.
    pub fn exit_code(&self) -> ExitCode {
        match self {
            Self::NotFound(_) | Self::Input(_) => ExitCode::Usage,
            Self::Failed(envelope) => envelope.exit_code(),
        }
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound(error) => error.fmt(formatter),
            Self::Input(error) => error.fmt(formatter),
            Self::Failed(envelope) => envelope.fmt(formatter),
        }
    }
}

impl std::error::Error for CommandError {}

impl IntoEnvelope for CommandError {
    fn into_envelope(self) -> ErrorEnvelope {
        match self {
            Self::NotFound(error) => ErrorEnvelope::new(reason::COMMAND_NOT_FOUND, error.to_string()),
            Self::Input(error) => error.into_envelope(),
            Self::Failed(envelope) => envelope,
        }
    }
}

/// No command of that name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NotFound {
    words: String,
    suggestion: Option<String>,
    group: Vec<String>,
}

impl NotFound {
    /// The words, or the id, that name no command.
    pub fn words(&self) -> &str {
        &self.words
    }

    /// The listed command that was probably meant.
    pub fn suggestion(&self) -> Option<&str> {
        self.suggestion.as_deref()
    }

    /// The listed commands that start with the words, when they name a group.
    pub fn group(&self) -> &[String] {
        &self.group
    }
}

impl fmt::Display for NotFound {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.words.is_empty() {
            return formatter.write_str("no command was given");
        }
        if self.group.is_empty() {
            write!(formatter, "command {} was not found", quoted(&self.words))?;
            return self
                .suggestion
                .as_ref()
                .map_or(Ok(()), |name| write!(formatter, ", did you mean {}?", quoted(name)));
        }
        let shown: Vec<&str> = self.group.iter().take(limits::LISTED_NAMES).map(String::as_str).collect();
        write!(formatter, "{} is a group of commands: {}", quoted(&self.words), shown.join(", "))?;
        match self.group.len().saturating_sub(limits::LISTED_NAMES) {
            0 => Ok(()),
            more => write!(formatter, " and {more} more"),
        }
    }
}

/// A command that was found by its path.
#[derive(Clone, Copy, Debug)]
pub struct Found<'a> {
    /// The command.
    pub command: &'a Command,
    /// How many of the words are its path.
    pub consumed: usize,
}

/// One problem of a registry.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RegistryProblem {
    /// Two commands have one id.
    #[error("command id {} is declared twice", quoted(.id))]
    DuplicateId {
        /// The id.
        id: String,
    },
    /// Two commands have one path.
    #[error("command path {} is declared twice", quoted(.path))]
    DuplicatePath {
        /// The path.
        path: String,
    },
    /// An app claims a scope of the host.
    #[error("app command {} claims the reserved scope {}", quoted(.id), quoted(.scope))]
    ReservedScope {
        /// The id of the command.
        id: String,
        /// The scope.
        scope: String,
    },
    /// A flag of the program and an input of a command have one name.
    #[error("global flag --{name} is also an input of command {}", quoted(.id))]
    GlobalClash {
        /// The name.
        name: String,
        /// The id of the command.
        id: String,
    },
    /// The type of the program's flags is outside the subset.
    #[error("global flags: {0}")]
    Globals(SchemaProblem),
}

impl RegistryProblem {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::DuplicateId { .. } => "duplicate_command_id",
            Self::DuplicatePath { .. } => "duplicate_command_path",
            Self::ReservedScope { .. } => "scope_reserved",
            Self::GlobalClash { .. } => "global_flag_clash",
            Self::Globals(problem) => problem.code(),
        }
    }
}

/// Commands that don't fit together: every problem.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}", .problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
pub struct RegistryError {
    problems: Vec<RegistryProblem>,
}

impl RegistryError {
    /// The stable code of the first problem.
    pub fn code(&self) -> &'static str {
        self.problems.first().map_or("invalid_registry", RegistryProblem::code)
    }

    /// Every problem.
    pub fn all(&self) -> &[RegistryProblem] {
        &self.problems
    }
}

/// Collects the commands of a program.
#[must_use = "a declaration does nothing before it is built"]
pub struct RegistryBuilder {
    registry: Registry,
    reserved: Vec<String>,
    globals: Result<InputSchema, SchemaError>,
}

impl fmt::Debug for RegistryBuilder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.registry.fmt(formatter)
    }
}

impl RegistryBuilder {
    /// Sets the one line about the program in its help. Default: none.
    pub fn summary(mut self, summary: impl Into<String>) -> Self {
        self.registry.summary = summary.into();
        self
    }

    /// Adds a command.
    pub fn command(mut self, command: Command) -> Self {
        self.registry.commands.push(command);
        self
    }

    /// Adds commands.
    pub fn commands(mut self, commands: impl IntoIterator<Item = Command>) -> Self {
        self.registry.commands.extend(commands);
        self
    }

    /// Sets the workspaces of the host. Default: none.
    pub fn workspaces(mut self, workspaces: impl Workspaces + 'static) -> Self {
        self.registry.workspaces = Arc::new(workspaces);
        self
    }

    /// Sets the top-level scopes that no app can claim. Default: [`RESERVED_SCOPES`].
    pub fn reserved_scopes(mut self, scopes: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.reserved = scopes.into_iter().map(Into::into).collect();
        self
    }

    /// Declares flags of the program itself, such as `--db FILE`: they may stand anywhere among the arguments and reach every
    /// handler through [`CommandContext::global`]. Default: none beside `--json` and `--help`.
    pub fn globals<G: DeserializeOwned + JsonSchema>(mut self) -> Self {
        self.globals = InputSchema::of::<G>();
        self
    }

    /// Builds the registry.
    ///
    /// # Errors
    /// [`RegistryError`] with every problem: ids or paths declared twice, reserved scopes claimed by apps, flags of the program
    /// that are also inputs of a command.
    pub fn build(self) -> Result<Registry, RegistryError> {
        let Self { mut registry, reserved, globals } = self;
        let mut problems = Vec::new();
        match globals {
            Ok(schema) => registry.globals = schema,
            Err(error) => problems.extend(error.into_problems().into_iter().map(RegistryProblem::Globals)),
        }
        for (position, command) in registry.commands.iter().enumerate() {
            if registry.by_id.insert(command.id().to_owned(), position).is_some() {
                problems.push(RegistryProblem::DuplicateId { id: command.id().to_owned() });
            }
            if registry.by_path.insert(command.name(), position).is_some() {
                problems.push(RegistryProblem::DuplicatePath { path: command.name() });
            }
            registry.longest = registry.longest.max(command.path().len());
            let scope =
                command.path().first().filter(|scope| command.capability().is_app() && reserved.contains(scope));
            if let Some(scope) = scope {
                problems.push(RegistryProblem::ReservedScope { id: command.id().to_owned(), scope: scope.clone() });
            }
            for (name, _) in registry.globals.positions().filter(|(name, _)| command.schema().property(name).is_some())
            {
                problems.push(RegistryProblem::GlobalClash { name: name.to_owned(), id: command.id().to_owned() });
            }
        }
        if problems.is_empty() { Ok(registry) } else { Err(RegistryError { problems }) }
    }
}

/// The commands of a program.
pub struct Registry {
    pub(crate) program: String,
    pub(crate) summary: String,
    commands: Vec<Command>,
    by_id: BTreeMap<String, usize>,
    by_path: BTreeMap<String, usize>,
    longest: usize,
    pub(crate) globals: InputSchema,
    workspaces: Arc<dyn DynWorkspaces>,
}

impl fmt::Debug for Registry {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Registry")
            .field("program", &self.program)
            .field("commands", &self.commands)
            .finish_non_exhaustive()
    }
}

impl Registry {
    /// Starts the registry of a program of that name.
    pub fn builder(program: impl Into<String>) -> RegistryBuilder {
        RegistryBuilder {
            registry: Self {
                program: program.into(),
                summary: String::new(),
                commands: Vec::new(),
                by_id: BTreeMap::new(),
                by_path: BTreeMap::new(),
                longest: 0,
                globals: InputSchema::empty(),
                workspaces: Arc::new(NoWorkspaces),
            },
            reserved: RESERVED_SCOPES.map(str::to_owned).to_vec(),
            globals: Ok(InputSchema::empty()),
        }
    }

    /// The name of the program.
    pub fn program(&self) -> &str {
        &self.program
    }

    /// Every command, in the order of declaration, whatever its visibility.
    pub fn commands(&self) -> &[Command] {
        &self.commands
    }

    /// The command of that id, whatever its visibility.
    pub fn command(&self, id: &str) -> Option<&Command> {
        self.by_id.get(id).and_then(|position| self.commands.get(*position))
    }

    /// The command whose path is the longest start of the words. Words end at the first one that starts with `-`.
    ///
    /// A command of any visibility runs on its full path: visibility is a hint for discovery.
    ///
    /// # Errors
    /// [`CommandError::NotFound`], with the listed command that was probably meant, or the listed commands of the group.
    pub fn find<S: AsRef<str>>(&self, args: &[S]) -> Result<Found<'_>, CommandError> {
        let words: Vec<&str> = args.iter().map(AsRef::as_ref).take_while(|word| !word.starts_with('-')).collect();
        for consumed in (1..=words.len().min(self.longest)).rev() {
            let path = words.get(..consumed).unwrap_or_default();
            // A word that holds a space is one word, never two of a path.
            if path.iter().any(|word| word.contains(' ')) {
                continue;
            }
            if let Some(command) = self.by_path.get(&path.join(" ")).and_then(|position| self.commands.get(*position)) {
                return Ok(Found { command, consumed });
            }
        }
        Err(CommandError::NotFound(self.not_found(&words)))
    }

    fn not_found(&self, words: &[&str]) -> NotFound {
        let listed: Vec<&Command> = self.listed_in_help().collect();
        let group: Vec<String> = listed
            .iter()
            .filter(|command| !words.is_empty() && starts_with(command.path(), words))
            .map(|command| command.name())
            .collect();
        let most = words.len().min(self.longest.max(1));
        let written = words.get(..most).unwrap_or_default().join("-");
        let names: Vec<String> = listed.iter().map(|command| command.path().join("-")).collect();
        let near = likely(&written, &names.iter().map(String::as_str));
        let meant =
            near.and_then(|near| names.iter().position(|name| name == near)).and_then(|position| listed.get(position));
        NotFound {
            words: words.get(..most).unwrap_or_default().join(" "),
            suggestion: meant.filter(|_| group.is_empty() && !words.is_empty()).map(|command| command.name()),
            group,
        }
    }

    /// The commands that a person is shown: public, available, not deprecated.
    pub(crate) fn listed_in_help(&self) -> impl Iterator<Item = &Command> {
        self.commands.iter().filter(|command| Discovery::new().shows(command.capability()) && command.is_available())
    }

    /// The commands that discovery lists. Commands of the host alone are never listed.
    pub fn listed(&self, discovery: Discovery) -> impl Iterator<Item = &Command> {
        self.commands.iter().filter(move |command| {
            !command.is_host_only()
                && discovery.shows(command.capability())
                && (discovery.skips_filters() || command.is_available())
        })
    }

    /// The descriptions that discovery lists.
    pub fn capabilities(&self, discovery: Discovery) -> Vec<Capability> {
        self.listed(discovery).map(|command| command.capability().clone()).collect()
    }

    /// The listed commands of an app, by its id. The scope under which they run is the first word of their path; it need not be the
    /// id.
    pub fn commands_of_app<'a>(&'a self, app_id: &'a str, discovery: Discovery) -> impl Iterator<Item = &'a Command> {
        self.listed(discovery)
            .filter(move |command| command.capability().is_app() && command.capability().app_id() == Some(app_id))
    }

    /// Runs a command: finds it by id, settles the mode and the workspace, binds the input, runs the handler, formats the result,
    /// and attaches warnings and the continuation.
    ///
    /// # Errors
    /// [`CommandError`] for an unknown id, a mode that the command does not answer in, a workspace that is missing, an input that
    /// does not bind, and whatever the handler fails with.
    pub async fn invoke(&self, request: InvokeRequest) -> Result<CommandOutput, CommandError> {
        self.invoke_with(request, Map::new()).await
    }

    pub(crate) async fn invoke_with(
        &self,
        request: InvokeRequest,
        globals: Map<String, Value>,
    ) -> Result<CommandOutput, CommandError> {
        let command = self.command(&request.command_id).ok_or_else(|| {
            CommandError::NotFound(NotFound { words: request.command_id.clone(), ..NotFound::default() })
        })?;
        let mode = command.settle_mode(request.output_mode).map_err(CommandError::Failed)?;
        let requested = request.context.workspace_id.as_deref().filter(|id| !id.is_empty());
        let workspace_id = self.workspace(command, requested).await.map_err(CommandError::Failed)?;
        let context = CommandContext { workspace_id, caller: request.context.clone(), globals };
        let mut output = command.inner.run.run(command.schema(), Call { request, mode, context }).await?;
        finish(command, mode, &mut output)?;
        Ok(output)
    }

    async fn workspace(&self, command: &Command, requested: Option<&str>) -> Result<Option<String>, ErrorEnvelope> {
        if let Some(id) = requested {
            return self.workspaces.requested(id).await.map(Some);
        }
        match command.workspace() {
            Workspace::Optional => Ok(None),
            Workspace::StartupDefault => self.workspaces.startup().await,
            Workspace::Required => {
                if let Some(id) = self.workspaces.startup().await? {
                    return Ok(Some(id));
                }
                let message = format!("command {} needs a workspace, and none was given", quoted(&command.name()));
                Err(ErrorEnvelope::new(reason::INVALID_INPUT, message))
            }
        }
    }
}

/// Adds what belongs to every output of a declared command.
fn finish(command: &Command, mode: OutputMode, output: &mut CommandOutput) -> Result<(), CommandError> {
    let capability = command.capability();
    if let (Some(code), Some(deprecated)) = (&command.inner.deprecation_warning, &capability.deprecated) {
        let message = format!("{}; use {}", deprecated.reason.trim_end_matches('.'), quoted(&deprecated.replacement));
        output.warnings.push(Warning::new(code, message));
    }
    if output.continuation.is_some() && capability.execution.is_none() {
        let message =
            format!("command {} answered with a continuation but is not a wait command", quoted(&command.name()));
        return Err(CommandError::Failed(ErrorEnvelope::new(reason::COMMAND_OUTPUT_MISSING, message)));
    }
    if mode != OutputMode::Json {
        if let Some(continuation) = output.continuation.take() {
            let message = format!("not finished: ask again in {} ms", continuation.retry_after_ms());
            output.warnings.push(Warning::new("pending", message));
        }
    }
    Ok(())
}

/// Whether a path starts with these words and goes on.
fn starts_with(path: &[String], words: &[&str]) -> bool {
    path.len() > words.len() && path.iter().zip(words).all(|(segment, word)| segment == word)
}
