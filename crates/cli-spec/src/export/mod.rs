//! The same commands, for other readers: MCP clients, OpenAI's function tools, people, shells and clap.
//!
//! Every export takes commands (or the capabilities that a daemon lists) and leaves out what ordinary
//! discovery leaves out: integration and deprecated commands, those that are not available, and the host's
//! own (`host_only`).

#[cfg(feature = "clap")]
pub mod clap;
#[cfg(feature = "completions")]
pub mod completions;
pub mod markdown;
pub mod mcp;
mod names;
pub mod openai;

pub use names::{NAME_CHARS, Names};

use serde_json::{Map, Value};

use crate::{Capability, Command, Discovery, InvokeRequest, Kind, OutputMode, schema::InputSchema};

/// One command as exports read it: made from a [`Command`], or from a [`Capability`] by a client that has no
/// more than that.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    capability: Capability,
    /// With hints, hidden inputs and aliases, where those are known.
    schema: InputSchema,
    kind: Option<Kind>,
    positionals: Vec<String>,
    host_only: bool,
    available: bool,
}

impl From<&Command> for Entry {
    fn from(command: &Command) -> Self {
        Self {
            capability: command.capability().clone(),
            schema: command.schema().clone(),
            kind: command.kind(),
            positionals: command.positionals().to_vec(),
            host_only: command.is_host_only(),
            available: command.is_available(),
        }
    }
}

impl From<Capability> for Entry {
    fn from(capability: Capability) -> Self {
        Self {
            schema: capability.input_schema.clone(),
            kind: None,
            positionals: Vec::new(),
            host_only: false,
            available: true,
            capability,
        }
    }
}

impl From<&Capability> for Entry {
    fn from(capability: &Capability) -> Self {
        capability.clone().into()
    }
}

impl Entry {
    /// What discovery says about the command.
    pub fn capability(&self) -> &Capability {
        &self.capability
    }

    /// The kind, where it is known: an app's command has none, and neither has one that is known by its
    /// capability alone.
    pub fn kind(&self) -> Option<Kind> {
        self.kind
    }

    fn is_ordinary(&self) -> bool {
        !self.host_only && self.available && Discovery::new().shows(&self.capability)
    }

    /// Summary and description, as one text.
    fn text(&self) -> String {
        match self.capability.description.as_deref().map(str::trim) {
            Some(more) if !more.is_empty() && more != self.capability.summary => {
                format!("{}\n\n{more}", self.capability.summary)
            }
            _ => self.capability.summary.clone(),
        }
    }

    /// A request for the command, answered in JSON where it can be.
    fn request(&self, input: Map<String, Value>) -> InvokeRequest {
        let request = InvokeRequest::new(self.capability.id.clone()).with_input(input);
        if self.capability.output.json { request.with_output_mode(OutputMode::Json) } else { request }
    }
}

/// The entries that ordinary discovery lists.
fn ordinary(entries: impl IntoIterator<Item = impl Into<Entry>>) -> Vec<Entry> {
    entries.into_iter().map(Into::into).filter(Entry::is_ordinary).collect()
}
