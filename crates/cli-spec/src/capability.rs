//! The serializable description of a command: what discovery lists.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    output::{Column, OutputMode},
    schema::InputSchema,
};

/// Who is shown a command. A hint for discovery, never an authorization.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Visibility {
    /// Listed for everybody.
    #[default]
    Public,
    /// Runs on its exact path, is listed only for integrations, is never suggested.
    Integration,
}

impl Visibility {
    /// Whether this is the default, which is left out on write.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde calls")]
    pub(crate) fn is_public(&self) -> bool {
        *self == Self::Public
    }
}

/// How a command runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ExecutionMode {
    /// Answers with a final output or with a continuation to ask again.
    Wait,
}

/// How a command runs, when it is not simply run to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Execution {
    /// The mode.
    pub mode: ExecutionMode,
}

impl Execution {
    /// A wait command.
    pub const fn wait() -> Self {
        Self { mode: ExecutionMode::Wait }
    }
}

/// What discovery says about a command that should not be used by new callers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Deprecation {
    /// The command path to use instead.
    pub replacement: String,
    /// Why.
    pub reason: String,
}

/// Where a command comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum SourceKind {
    /// The host itself.
    #[default]
    Builtin,
    /// A workspace app, by its manifest.
    App,
}

/// Where a command comes from, with what is known of an app.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Source {
    /// The host or an app.
    pub kind: SourceKind,
    /// The id of the app; not the scope of its commands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub app_id: Option<String>,
    /// The name of the app.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub app_name: Option<String>,
    /// The web address of the app's icon.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub icon_url: Option<String>,
    /// What the app's manifest says about its commands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cli_description: Option<String>,
    /// What the app says about itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub app_description: Option<String>,
    /// The documentation file as the manifest names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub documentation_file: Option<String>,
    /// The documentation file as the host resolved it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub documentation_path: Option<String>,
}

impl Source {
    /// The host itself.
    pub fn builtin() -> Self {
        Self::default()
    }

    /// The app of that id.
    pub fn app(app_id: impl Into<String>) -> Self {
        Self { kind: SourceKind::App, app_id: Some(app_id.into()), ..Self::default() }
    }
}

/// The columns of a table output.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TableSpec {
    /// The columns, left to right.
    pub columns: Vec<Column>,
}

/// What a command can answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OutputSpec {
    /// The mode of an answer when none is asked for.
    pub default_mode: OutputMode,
    /// Whether the command answers in JSON.
    #[serde(default)]
    pub json: bool,
    /// The columns, when the command answers in a table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<TableSpec>,
}

/// The description of one command: what discovery lists.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Capability {
    /// The stable id.
    pub id: String,
    /// The words that name the command.
    pub path: Vec<String>,
    /// One line about it.
    pub summary: String,
    /// More about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Who is shown it; left out when public.
    #[serde(default, skip_serializing_if = "Visibility::is_public")]
    pub visibility: Visibility,
    /// The inputs that are listed.
    #[serde(default)]
    pub input_schema: InputSchema,
    /// What it answers.
    pub output: OutputSpec,
    /// How it runs, when it is a wait command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub execution: Option<Execution>,
    /// What to use instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<Deprecation>,
    /// Where it comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    /// How long an app's handler may take, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub handler_timeout_ms: Option<u64>,
}

impl Capability {
    /// A public command without inputs.
    pub fn new(
        id: impl Into<String>,
        path: impl IntoIterator<Item = impl Into<String>>,
        summary: impl Into<String>,
        output: OutputSpec,
    ) -> Self {
        Self {
            id: id.into(),
            path: path.into_iter().map(Into::into).collect(),
            summary: summary.into(),
            description: None,
            visibility: Visibility::Public,
            input_schema: InputSchema::empty(),
            output,
            execution: None,
            deprecated: None,
            source: None,
            handler_timeout_ms: None,
        }
    }

    /// For thin clients: the capability whose path is the longest start of the words, and how many words that path has. Words
    /// end at the first one that starts with `-`.
    pub fn find<'a, S: AsRef<str>>(listed: &'a [Self], args: &[S]) -> Option<(&'a Self, usize)> {
        let words = args.iter().map(AsRef::as_ref).take_while(|word| !word.starts_with('-')).count();
        let starts = |capability: &&Self| {
            let path = &capability.path;
            !path.is_empty()
                && path.len() <= words
                && path.iter().zip(args).all(|(segment, word)| segment == word.as_ref())
        };
        listed
            .iter()
            .filter(starts)
            .max_by_key(|capability| capability.path.len())
            .map(|found| (found, found.path.len()))
    }

    /// Whether it belongs to an app.
    pub fn is_app(&self) -> bool {
        self.source.as_ref().is_some_and(|source| source.kind == SourceKind::App)
    }

    /// The id of the app that it belongs to.
    pub fn app_id(&self) -> Option<&str> {
        self.source.as_ref().and_then(|source| source.app_id.as_deref())
    }
}

/// Which capabilities a listing shows beside the ordinary ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Discovery {
    include_integration: bool,
    include_hidden: bool,
    include_deprecated: bool,
}

impl Discovery {
    /// The ordinary listing: public commands that are available and not deprecated.
    pub const fn new() -> Self {
        Self { include_integration: false, include_hidden: false, include_deprecated: false }
    }

    /// Sets whether integration commands are listed. Availability filters stay in force. Default: no.
    #[must_use]
    pub const fn include_integration(mut self, include: bool) -> Self {
        self.include_integration = include;
        self
    }

    /// Sets whether everything is listed, for debugging: integration and deprecated commands, and those that an
    /// availability filter keeps out. Default: no.
    #[must_use]
    pub const fn include_hidden(mut self, include: bool) -> Self {
        self.include_hidden = include;
        self
    }

    /// Sets whether deprecated commands are listed. Default: no.
    #[must_use]
    pub const fn include_deprecated(mut self, include: bool) -> Self {
        self.include_deprecated = include;
        self
    }

    /// Whether availability filters are skipped.
    pub const fn skips_filters(self) -> bool {
        self.include_hidden
    }

    /// Whether a command is shown, its availability apart.
    pub fn shows(self, capability: &Capability) -> bool {
        self.include_hidden
            || ((self.include_integration || capability.visibility == Visibility::Public)
                && (self.include_deprecated || capability.deprecated.is_none()))
    }
}
