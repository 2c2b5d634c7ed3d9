//! The declaration of a command, step by step.

use std::{collections::BTreeSet, marker::PhantomData, sync::Arc};

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{
    Answer, BuildError, BuildProblem, Command, CommandContext, Inner, Kind, Pagination, View, Workspace,
    handler::{Handler, Typed},
};
use crate::{
    Capability, Column, Deprecation, Execution, OutputMode, OutputSpec, Row, Source, TableSpec, Visibility,
    error::IntoEnvelope,
    output::view::{TableView, Views},
    schema::{InputSchema, PropertyType},
    text::{is_kebab, to_kebab},
};

/// Declares a command; [`build`](Self::build) reports everything that is wrong with the declaration at once.
///
/// `I` is the input struct and `R` the result of the handler. Every command needs a summary, a workspace policy, a handler and the
/// JSON view of its kind.
#[must_use = "a declaration does nothing before it is built"]
pub struct CommandBuilder<I, R> {
    id: String,
    path: Vec<String>,
    summary: String,
    description: Option<String>,
    visibility: Visibility,
    deprecated: Option<Deprecation>,
    deprecation_warning: Option<String>,
    source: Option<Source>,
    wait: bool,
    host_only: bool,
    workspace: Option<Workspace>,
    positionals: Vec<String>,
    default_mode: Option<OutputMode>,
    raw_reason: Option<String>,
    available: Option<Box<dyn Fn() -> bool + Send + Sync>>,
    views: Views<R>,
    handler: Option<Handler<I, R>>,
}

impl<I, R> std::fmt::Debug for CommandBuilder<I, R> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("CommandBuilder").field("id", &self.id).field("path", &self.path).finish_non_exhaustive()
    }
}

impl<I, R> CommandBuilder<I, R>
where
    I: DeserializeOwned + JsonSchema + 'static,
    R: 'static,
{
    pub(super) fn new(kind: Kind, id: String, path: &str) -> Self {
        Self {
            id,
            path: path.split_whitespace().map(str::to_owned).collect(),
            summary: String::new(),
            description: None,
            visibility: Visibility::Public,
            deprecated: None,
            deprecation_warning: None,
            source: None,
            wait: false,
            host_only: false,
            workspace: None,
            positionals: Vec::new(),
            default_mode: None,
            raw_reason: None,
            available: None,
            views: Views::new(kind),
            handler: None,
        }
    }

    /// Sets the one line about the command. Required.
    pub fn summary(mut self, summary: impl Into<String>) -> Self {
        self.summary = summary.into();
        self
    }

    /// Sets the longer text about the command. Default: none.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Sets who is shown the command. Default: public.
    pub fn visibility(mut self, visibility: Visibility) -> Self {
        self.visibility = visibility;
        self
    }

    /// Sets the workspace policy. Required.
    pub fn workspace(mut self, policy: Workspace) -> Self {
        self.workspace = Some(policy);
        self
    }

    /// Names the inputs that bare words, and words after `--`, fill in order; a list takes all words that are left, so it comes
    /// last. The schema and the exports are the same with and without. Default: none.
    pub fn positionals(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.positionals = names.into_iter().map(Into::into).collect();
        self
    }

    /// Says what to use instead. The command still runs; ordinary listings leave it out.
    pub fn deprecated(mut self, replacement: impl Into<String>, reason: impl Into<String>) -> Self {
        self.deprecated = Some(Deprecation { replacement: replacement.into(), reason: reason.into() });
        self
    }

    /// Adds a warning of that code to every output of the deprecated command. Default: none, so that legacy JSON keeps its
    /// exact shape.
    pub fn deprecation_warning(mut self, code: impl Into<String>) -> Self {
        self.deprecation_warning = Some(code.into());
        self
    }

    /// Makes it a wait command, which may answer with a continuation. It answers in JSON by default.
    pub fn wait(mut self) -> Self {
        self.wait = true;
        self
    }

    /// Keeps the command (a server, an importer) out of exports and capabilities. It runs and is in the program's help.
    pub fn host_only(mut self) -> Self {
        self.host_only = true;
        self
    }

    /// Sets the source that discovery names. Default: none.
    pub fn source(mut self, source: Source) -> Self {
        self.source = Some(source);
        self
    }

    /// Sets an availability filter: while it says no, listings leave the command out unless hidden ones are asked for. It runs
    /// all the same. Default: available.
    pub fn available(mut self, available: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        self.available = Some(Box::new(available));
        self
    }

    /// Sets the mode of an answer when none is asked for. Default: `table` for a list, `json` for the others.
    pub fn default_mode(mut self, mode: OutputMode) -> Self {
        self.default_mode = Some(mode);
        self
    }

    /// Sets the table: columns (key and label), and the cells of each row in the order of the columns.
    pub fn table<C, V, const N: usize>(
        mut self,
        columns: [C; N],
        rows: impl Fn(&R) -> Vec<[V; N]> + Send + Sync + 'static,
    ) -> Self
    where
        C: Into<Column>,
        V: Into<Value>,
    {
        let columns: Vec<Column> = columns.into_iter().map(Into::into).collect();
        let keys: Vec<String> = columns.iter().map(|column| column.key.clone()).collect();
        let rows = move |result: &R| {
            let named = |cells: [V; N]| keys.iter().cloned().zip(cells.into_iter().map(Into::into)).collect::<Row>();
            rows(result).into_iter().map(named).collect()
        };
        self.views.table = Some(TableView { columns, rows: Box::new(rows) });
        self
    }

    /// Sets the summary view: the compact JSON of a list or an action.
    pub fn summary_json(mut self, view: impl Fn(&R) -> Value + Send + Sync + 'static) -> Self {
        self.views.summary = Some(Box::new(view));
        self
    }

    /// Sets the detail view: the JSON of a get.
    pub fn detail_json(mut self, view: impl Fn(&R) -> Value + Send + Sync + 'static) -> Self {
        self.views.detail = Some(Box::new(view));
        self
    }

    /// Answers `--json` with a payload that is not a view, for the reason given: the narrow way out for payloads that exist.
    pub fn raw_json(
        mut self,
        reason: impl Into<String>,
        payload: impl Fn(&R) -> Value + Send + Sync + 'static,
    ) -> Self {
        self.raw_reason = Some(reason.into());
        self.views.raw = Some(Box::new(payload));
        self
    }

    /// Sets the text for a terminal.
    pub fn plain(mut self, text: impl Fn(&R) -> String + Send + Sync + 'static) -> Self {
        self.views.plain = Some(Box::new(text));
        self
    }

    /// Sets the Markdown text.
    pub fn markdown(mut self, text: impl Fn(&R) -> String + Send + Sync + 'static) -> Self {
        self.views.markdown = Some(Box::new(text));
        self
    }

    /// Adds pagination to the summary of a list: `hasMore` and `nextPageToken` join an object; an array becomes the `items` beside
    /// them.
    pub fn paged(mut self, page: impl Fn(&R) -> Pagination + Send + Sync + 'static) -> Self {
        self.views.paged = Some(Box::new(page));
        self
    }

    /// Gives a sample result, so that the compliance kit can look at the JSON that it becomes. Default: none.
    pub fn sample(mut self, sample: impl Fn() -> R + Send + Sync + 'static) -> Self {
        self.views.sample = Some(Box::new(sample));
        self
    }

    /// Sets the handler: an async function of the input and the context.
    pub fn handler<F, Fut, E>(self, handler: F) -> Self
    where
        F: Fn(I, CommandContext) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<R, E>> + Send + 'static,
        E: IntoEnvelope,
    {
        self.answer(move |input, context| {
            let running = handler(input, context);
            async move { running.await.map(Answer::new) }
        })
    }

    /// Sets a handler whose answer has warnings or a continuation beside the result.
    pub fn answer<F, Fut, E>(mut self, handler: F) -> Self
    where
        F: Fn(I, CommandContext) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Answer<R>, E>> + Send + 'static,
        E: IntoEnvelope,
    {
        self.handler = Some(Box::new(move |input, context| {
            let running = handler(input, context);
            Box::pin(async move { running.await.map_err(IntoEnvelope::into_envelope) })
        }));
        self
    }

    /// Builds the command.
    ///
    /// # Errors
    /// [`BuildError`] with every problem of the declaration and of the input type.
    pub fn build(self) -> Result<Command, BuildError> {
        let mut problems = Vec::new();
        self.check_names(&mut problems);
        let schema = InputSchema::of::<I>().unwrap_or_else(|error| {
            problems.extend(error.into_problems().into_iter().map(BuildProblem::Input));
            InputSchema::empty()
        });
        let inputs_known = !problems.iter().any(|problem| matches!(problem, BuildProblem::Input(_)));
        if inputs_known {
            self.check_positionals(&schema, &mut problems);
        }
        let default_mode = self.default_mode.unwrap_or(self.views.kind.default_mode());
        self.check_output(default_mode, &mut problems);
        let workspace = self.workspace.unwrap_or_else(|| {
            problems.push(BuildProblem::WorkspaceMissing);
            Workspace::Optional
        });
        let Some(handler) = self.handler else {
            problems.push(BuildProblem::HandlerMissing);
            return Err(BuildError { id: self.id, problems });
        };
        if !problems.is_empty() {
            return Err(BuildError { id: self.id, problems });
        }
        let output = OutputSpec {
            default_mode,
            json: self.views.modes().contains(&OutputMode::Json),
            table: self.views.table.as_ref().map(|table| TableSpec { columns: table.columns.clone() }),
        };
        let mut capability = Capability::new(self.id, self.path, self.summary, output);
        capability.description = self.description;
        capability.visibility = self.visibility;
        capability.input_schema = schema.advertised();
        capability.execution = self.wait.then(Execution::wait);
        capability.deprecated = self.deprecated;
        capability.source = self.source;
        Ok(Command {
            inner: Arc::new(Inner {
                capability,
                schema,
                regenerate: Some(InputSchema::of::<I>),
                kind: Some(self.views.kind),
                workspace,
                positionals: self.positionals,
                host_only: self.host_only,
                raw_reason: self.raw_reason,
                deprecation_warning: self.deprecation_warning,
                modes: self.views.modes(),
                available: self.available,
                run: Box::new(Typed { handler, views: Arc::new(self.views), input: PhantomData }),
            }),
        })
    }

    fn check_names(&self, problems: &mut Vec<BuildProblem>) {
        if self.id.is_empty() || self.id.contains(|character: char| character.is_whitespace() || character.is_control())
        {
            problems.push(BuildProblem::InvalidId);
        }
        if self.path.is_empty() {
            problems.push(BuildProblem::EmptyPath);
        }
        for segment in self.path.iter().filter(|segment| !is_kebab(segment)) {
            problems.push(BuildProblem::InvalidSegment { segment: segment.clone(), suggestion: to_kebab(segment) });
        }
        if self.summary.trim().is_empty() {
            problems.push(BuildProblem::SummaryMissing);
        }
        match &self.deprecated {
            Some(Deprecation { replacement, reason }) if replacement.trim().is_empty() || reason.trim().is_empty() => {
                problems.push(BuildProblem::DeprecationIncomplete);
            }
            None if self.deprecation_warning.is_some() => problems.push(BuildProblem::WarningNotDeprecated),
            _ => {}
        }
    }

    fn check_positionals(&self, schema: &InputSchema, problems: &mut Vec<BuildProblem>) {
        let mut seen = BTreeSet::new();
        for (position, name) in self.positionals.iter().enumerate() {
            if !seen.insert(name) {
                problems.push(BuildProblem::PositionalTwice { name: name.clone() });
            }
            match schema.property(name) {
                Some(property) if property.name() == name => {
                    if property.kind() == PropertyType::StringArray && position + 1 < self.positionals.len() {
                        problems.push(BuildProblem::PositionalListNotLast { name: name.clone() });
                    }
                }
                _ => problems.push(BuildProblem::PositionalUndeclared { name: name.clone() }),
            }
        }
    }

    fn check_output(&self, default_mode: OutputMode, problems: &mut Vec<BuildProblem>) {
        let views = &self.views;
        let kind = views.kind;
        if let Some(table) = &views.table {
            let mut keys = BTreeSet::new();
            if table.columns.is_empty() {
                problems.push(BuildProblem::NoColumns);
            }
            for column in &table.columns {
                let blank = column.key.trim().is_empty() || column.label.trim().is_empty();
                if blank || !keys.insert(&column.key) {
                    problems.push(BuildProblem::InvalidColumn { key: column.key.clone() });
                }
            }
        }
        let (wanted, other) = match kind.default_view() {
            View::Summary => (views.summary.is_some(), views.detail.as_ref().map(|_| View::Detail)),
            View::Detail => (views.detail.is_some(), views.summary.as_ref().map(|_| View::Summary)),
        };
        if let Some(view) = other {
            problems.push(BuildProblem::ViewNotOfKind { kind, view });
        }
        match (&self.raw_reason, wanted) {
            (None, false) => problems.push(BuildProblem::ViewMissing { kind, view: kind.default_view() }),
            (Some(_), true) => problems.push(BuildProblem::RawBesideView),
            _ => {}
        }
        if self.raw_reason.as_ref().is_some_and(|reason| reason.trim().is_empty()) {
            problems.push(BuildProblem::RawReasonMissing);
        }
        if views.paged.is_some() && (kind != Kind::List || views.summary.is_none()) {
            problems.push(BuildProblem::PagedNotList);
        }
        // A missing JSON view is reported above.
        if default_mode != OutputMode::Json && !views.modes().contains(&default_mode) {
            problems.push(BuildProblem::DefaultModeUnformatted { mode: default_mode });
        }
        if self.wait && default_mode != OutputMode::Json {
            problems.push(BuildProblem::WaitNotJson);
        }
    }
}
