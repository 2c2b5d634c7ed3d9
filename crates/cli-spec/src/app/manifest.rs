//! The manifest, once it is known to keep every rule.

use std::str::FromStr;

use serde::Serialize;

use super::{SCHEMA_VERSION, check, error::ManifestError, json};
use crate::{Execution, OutputSpec, Visibility, limits, schema::InputSchema};

/// An app's commands, as its `tutti.cli.json` declares them. Valid by construction.
///
/// Serializes as a manifest: reading that again gives an equal value.
///
/// ```
/// use cli_spec::app::Manifest;
///
/// let manifest = Manifest::parse(br#"{
///   "schemaVersion": "tutti.app.cli.v1",
///   "scope": "notes",
///   "commands": [{
///     "path": ["list"], "summary": "List notes",
///     "inputSchema": { "type": "object", "properties": { "limit": { "type": "integer", "default": 20 } } },
///     "output": { "defaultMode": "json", "json": true },
///     "handler": { "kind": "http", "method": "POST", "path": "/tutti/cli/list" }
///   }]
/// }"#)?;
/// assert_eq!(manifest.scope(), "notes");
/// assert_eq!(manifest.commands()[0].handler().timeout_ms(), 30_000);
///
/// let error = Manifest::parse(br#"{ "schemaVersion": "tutti.app.cli.v1", "scope": " notes", "commands": [] }"#).unwrap_err();
/// let all: Vec<_> = error.all().iter().map(|problem| (problem.pointer(), problem.code())).collect();
/// assert_eq!(all, [("/scope", "invalid_scope"), ("/commands", "no_commands")]);
/// # Ok::<(), cli_spec::app::ManifestError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest {
    pub(super) schema_version: SchemaVersion,
    pub(super) scope: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) documentation: Option<Documentation>,
    pub(super) commands: Vec<AppCommand>,
}

/// Writes the one version there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SchemaVersion;

impl Serialize for SchemaVersion {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(SCHEMA_VERSION)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Documentation {
    pub(super) file: String,
}

impl Manifest {
    /// Reads a manifest: at most [`MANIFEST_BYTES`](limits::MANIFEST_BYTES) bytes of UTF-8, one JSON value
    /// and nothing after it, no duplicate keys, and every rule of the contract.
    ///
    /// Unknown keys are ignored, except in input schemas, where there are no other keys.
    ///
    /// # Errors
    /// Every problem with its JSON pointer, in document order.
    pub fn parse(bytes: &[u8]) -> Result<Self, ManifestError> {
        let document = json::read(bytes, limits::MANIFEST_BYTES, limits::MANIFEST_DEPTH)
            .map_err(|fault| ManifestError::from_fault(&fault))?;
        check::manifest(&document)
    }

    /// The scope: the word under which the commands are called. Not the app's id.
    pub fn scope(&self) -> &str {
        &self.scope
    }

    /// What the commands are for.
    pub fn description(&self) -> Option<&str> {
        self.description.as_deref()
    }

    /// The documentation file, relative to the app's package.
    pub fn documentation_file(&self) -> Option<&str> {
        self.documentation.as_ref().map(|documentation| documentation.file.as_str())
    }

    /// The commands, in document order; at least one.
    pub fn commands(&self) -> &[AppCommand] {
        &self.commands
    }

    /// The command of that path (without the scope).
    pub fn command<S: AsRef<str>>(&self, path: &[S]) -> Option<&AppCommand> {
        self.commands.iter().find(|command| {
            command.path.len() == path.len() && command.path.iter().zip(path).all(|(own, asked)| own == asked.as_ref())
        })
    }
}

impl FromStr for Manifest {
    type Err = ManifestError;

    fn from_str(text: &str) -> Result<Self, ManifestError> {
        Self::parse(text.as_bytes())
    }
}

/// One command of a [`Manifest`].
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AppCommand {
    pub(super) path: Vec<String>,
    pub(super) summary: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) description: Option<String>,
    #[serde(skip_serializing_if = "Visibility::is_public")]
    pub(super) visibility: Visibility,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) execution: Option<Execution>,
    #[serde(skip_serializing_if = "InputSchema::is_empty")]
    pub(super) input_schema: InputSchema,
    pub(super) output: OutputSpec,
    pub(super) handler: Handler,
}

impl AppCommand {
    /// The words after the scope; at least one.
    pub fn path(&self) -> &[String] {
        &self.path
    }

    /// One line about it; not blank.
    pub fn summary(&self) -> &str {
        &self.summary
    }

    /// More about it.
    pub fn description(&self) -> Option<&str> {
        self.description.as_deref()
    }

    /// Who is shown it; public when the manifest says nothing.
    pub fn visibility(&self) -> Visibility {
        self.visibility
    }

    /// How it runs, when it is a wait command.
    pub fn execution(&self) -> Option<Execution> {
        self.execution
    }

    /// Whether it may answer with a continuation.
    pub fn is_wait(&self) -> bool {
        self.execution.is_some()
    }

    /// The inputs; empty when the manifest declares none. Defaults are for help, they are never sent.
    pub fn input_schema(&self) -> &InputSchema {
        &self.input_schema
    }

    /// What it answers: `table` or `json` by default.
    pub fn output(&self) -> &OutputSpec {
        &self.output
    }

    /// Where it runs.
    pub fn handler(&self) -> &Handler {
        &self.handler
    }
}

/// The HTTP handler of a command: a POST to the app.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Handler {
    pub(super) path: String,
    pub(super) timeout_ms: u64,
}

impl Handler {
    /// The path, under `/tutti/cli/`, as written.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// How long the handler may take, in milliseconds: 1,000 to 600,000, 30,000 when the manifest says nothing.
    pub fn timeout_ms(&self) -> u64 {
        self.timeout_ms
    }
}

impl Serialize for Handler {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap as _;
        let mut map = serializer.serialize_map(Some(4))?;
        map.serialize_entry("kind", "http")?;
        map.serialize_entry("method", "POST")?;
        map.serialize_entry("path", &self.path)?;
        map.serialize_entry("timeoutMs", &self.timeout_ms)?;
        map.end()
    }
}
