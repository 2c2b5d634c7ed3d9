//! A default-deny capability policy for tool catalogues that somebody else owns.
//!
//! A host that passes on a foreign catalogue (a driver's tools, an MCP server's) decides by capability,
//! not by name: every capability of a tool must be known to the host and allowed. Whatever is missing or
//! unknown (a version, the capability list, one capability of many, the name itself) denies. Effect
//! annotations in the catalogue are descriptions and never grant anything.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

/// Why a catalogue or one of its tools is not available.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Denial {
    /// The catalogue names no schema version.
    #[error("the catalogue names no schema version")]
    MissingSchemaVersion,
    /// The catalogue's schema version is not one that the policy knows.
    #[error("the catalogue's schema version {found:?} is unknown")]
    UnknownSchemaVersion {
        /// The version found.
        found: String,
    },
    /// The catalogue names no capability version.
    #[error("the catalogue names no capability version")]
    MissingCapabilityVersion,
    /// The catalogue's capability version is not one that the policy knows.
    #[error("the catalogue's capability version {found:?} is unknown")]
    UnknownCapabilityVersion {
        /// The version found.
        found: String,
    },
    /// No tool of the live catalogue has this name.
    #[error("the live catalogue has no tool {name:?}")]
    NotInCatalogue {
        /// The name asked for.
        name: String,
    },
    /// The entry has no name, so that it can't be called.
    #[error("the tool has no name")]
    MissingName,
    /// Several entries of the catalogue have this name, so that it is open which one would run.
    #[error("the catalogue has several tools {name:?}")]
    AmbiguousName {
        /// The name.
        name: String,
    },
    /// The tool has no list of capabilities, an empty one, or one that is not a list of strings.
    #[error("the tool has no capability metadata")]
    MissingCapabilities,
    /// One of the tool's capabilities is not known to the policy.
    #[error("capability {capability:?} is unknown")]
    UnknownCapability {
        /// The capability.
        capability: String,
    },
    /// One of the tool's capabilities is known and not allowed.
    #[error("capability {capability:?} is not allowed")]
    DeniedCapability {
        /// The capability.
        capability: String,
    },
}

impl Denial {
    /// The stable word for the reason, as written in `denialReason`: `missing_schema_version`,
    /// `unknown_schema_version`, `missing_capability_version`, `unknown_capability_version`,
    /// `not_in_catalogue`, `missing_name`, `ambiguous_name`, `missing_capabilities`,
    /// `unknown_capability` or `denied_capability`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::MissingSchemaVersion => "missing_schema_version",
            Self::UnknownSchemaVersion { .. } => "unknown_schema_version",
            Self::MissingCapabilityVersion => "missing_capability_version",
            Self::UnknownCapabilityVersion { .. } => "unknown_capability_version",
            Self::NotInCatalogue { .. } => "not_in_catalogue",
            Self::MissingName => "missing_name",
            Self::AmbiguousName { .. } => "ambiguous_name",
            Self::MissingCapabilities => "missing_capabilities",
            Self::UnknownCapability { .. } => "unknown_capability",
            Self::DeniedCapability { .. } => "denied_capability",
        }
    }
}

/// One tool of a catalogue: the whole descriptor as it came, and what the policy reads of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Tool {
    descriptor: Map<String, Value>,
    name: Option<String>,
    capabilities: Option<Vec<String>>,
}

impl Tool {
    /// Reads `name` and `capabilities` (a list of strings) of a descriptor and keeps all of it.
    ///
    /// Nothing fails here: an entry that can't be read is listed, and denied.
    pub fn new(descriptor: Map<String, Value>) -> Self {
        let name =
            descriptor.get("name").and_then(Value::as_str).filter(|name| !name.trim().is_empty()).map(str::to_owned);
        let capabilities = descriptor
            .get("capabilities")
            .and_then(Value::as_array)
            .and_then(|list| list.iter().map(|item| item.as_str().map(str::to_owned)).collect::<Option<Vec<_>>>());
        Self { descriptor, name, capabilities: capabilities.filter(|list| !list.is_empty()) }
    }

    /// The tool's name, when it has one.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The tool's capabilities; empty when it has no readable list.
    pub fn capabilities(&self) -> &[String] {
        self.capabilities.as_deref().unwrap_or_default()
    }

    /// The whole descriptor as it came.
    pub fn descriptor(&self) -> &Map<String, Value> {
        &self.descriptor
    }
}

/// A live catalogue: its two versions and its tools, in order.
#[derive(Debug, Clone, PartialEq)]
pub struct Catalogue {
    schema_version: Option<String>,
    capability_version: Option<String>,
    tools: Vec<Tool>,
    /// Index of the tool of a name, or nothing when several have it.
    by_name: BTreeMap<String, Option<usize>>,
}

impl Catalogue {
    /// A catalogue from the versions it states and its tools. A blank version counts as missing.
    pub fn new(
        schema_version: Option<&str>,
        capability_version: Option<&str>,
        tools: impl IntoIterator<Item = Tool>,
    ) -> Self {
        let version = |text: Option<&str>| text.filter(|text| !text.trim().is_empty()).map(str::to_owned);
        let tools: Vec<Tool> = tools.into_iter().collect();
        let mut by_name = BTreeMap::new();
        for (index, tool) in tools.iter().enumerate() {
            if let Some(name) = tool.name() {
                by_name.entry(name.to_owned()).and_modify(|found| *found = None).or_insert(Some(index));
            }
        }
        Self {
            schema_version: version(schema_version),
            capability_version: version(capability_version),
            tools,
            by_name,
        }
    }

    /// The tools, in the catalogue's order.
    pub fn tools(&self) -> &[Tool] {
        &self.tools
    }
}

/// Which versions and capabilities a host accepts. A new one accepts nothing.
///
/// ```
/// use cli_spec::policy::{Allowlist, Catalogue, Tool};
/// use serde_json::{Value, json};
///
/// let tool = |value: Value| Tool::new(value.as_object().cloned().unwrap_or_default());
/// let catalogue = Catalogue::new(Some("1"), Some("2"), [
///     tool(json!({ "name": "screenshot", "capabilities": ["screen.read"] })),
///     tool(json!({ "name": "shell", "capabilities": ["screen.read", "process.spawn"] })),
/// ]);
/// let policy = Allowlist::new().schema_version("1").capability_version("2").allow("screen.read");
///
/// let listed = policy.list(&catalogue)?;
/// assert!(listed[0].is_allowed());
/// assert_eq!(listed[1].to_value()["denialReason"], "unknown_capability");
/// assert!(policy.admit(&catalogue, "screenshot").is_ok());
/// assert!(policy.admit(&catalogue, "shell").is_err());
/// # Ok::<(), cli_spec::policy::Denial>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Allowlist {
    schema_versions: BTreeSet<String>,
    capability_versions: BTreeSet<String>,
    capabilities: BTreeMap<String, bool>,
}

impl Allowlist {
    /// A policy that denies everything.
    pub fn new() -> Self {
        Self::default()
    }

    /// Accepts catalogues of this schema version (compared as written). None is accepted by default.
    #[must_use]
    pub fn schema_version(mut self, version: impl Into<String>) -> Self {
        self.schema_versions.insert(version.into());
        self
    }

    /// Accepts catalogues of this capability version (compared as written). None is accepted by default.
    #[must_use]
    pub fn capability_version(mut self, version: impl Into<String>) -> Self {
        self.capability_versions.insert(version.into());
        self
    }

    /// Knows and allows a capability, unless it is denied by [`deny`](Self::deny), before or after.
    #[must_use]
    pub fn allow(mut self, capability: impl Into<String>) -> Self {
        self.capabilities.entry(capability.into()).or_insert(true);
        self
    }

    /// Knows a capability and denies it. Denying wins over allowing.
    #[must_use]
    pub fn deny(mut self, capability: impl Into<String>) -> Self {
        self.capabilities.insert(capability.into(), false);
        self
    }

    /// Checks the catalogue's versions, which comes before anything else.
    ///
    /// # Errors
    /// A missing or unknown schema or capability version.
    pub fn check(&self, catalogue: &Catalogue) -> Result<(), Denial> {
        let schema = catalogue.schema_version.as_ref().ok_or(Denial::MissingSchemaVersion)?;
        if !self.schema_versions.contains(schema) {
            return Err(Denial::UnknownSchemaVersion { found: schema.clone() });
        }
        let capability = catalogue.capability_version.as_ref().ok_or(Denial::MissingCapabilityVersion)?;
        if !self.capability_versions.contains(capability) {
            return Err(Denial::UnknownCapabilityVersion { found: capability.clone() });
        }
        Ok(())
    }

    /// The whole catalogue, in its order, each tool with the decision.
    ///
    /// # Errors
    /// As [`check`](Self::check): with a missing or unknown version nothing is listed.
    pub fn list<'a>(&self, catalogue: &'a Catalogue) -> Result<Vec<Listed<'a>>, Denial> {
        self.check(catalogue)?;
        Ok(catalogue.tools.iter().map(|tool| self.judge(catalogue, tool)).collect())
    }

    /// One tool with the decision, allowed or not.
    ///
    /// # Errors
    /// As [`check`](Self::check); a name that the live catalogue doesn't have, or has several times.
    pub fn describe<'a>(&self, catalogue: &'a Catalogue, name: &str) -> Result<Listed<'a>, Denial> {
        self.check(catalogue)?;
        let index = catalogue
            .by_name
            .get(name)
            .ok_or_else(|| Denial::NotInCatalogue { name: name.to_owned() })?
            .ok_or_else(|| Denial::AmbiguousName { name: name.to_owned() })?;
        let tool = catalogue.tools.get(index).ok_or_else(|| Denial::NotInCatalogue { name: name.to_owned() })?;
        Ok(self.judge(catalogue, tool))
    }

    /// The tool to call, when the policy allows it: the same decision as in the listing.
    ///
    /// # Errors
    /// The reason for which it is not available.
    pub fn admit<'a>(&self, catalogue: &'a Catalogue, name: &str) -> Result<&'a Tool, Denial> {
        let listed = self.describe(catalogue, name)?;
        match listed.denial {
            None => Ok(listed.tool),
            Some(denial) => Err(denial),
        }
    }

    fn judge<'a>(&self, catalogue: &Catalogue, tool: &'a Tool) -> Listed<'a> {
        Listed { tool, denial: self.denial(catalogue, tool) }
    }

    fn denial(&self, catalogue: &Catalogue, tool: &Tool) -> Option<Denial> {
        let Some(name) = tool.name() else { return Some(Denial::MissingName) };
        if catalogue.by_name.get(name).is_none_or(Option::is_none) {
            return Some(Denial::AmbiguousName { name: name.to_owned() });
        }
        if tool.capabilities().is_empty() {
            return Some(Denial::MissingCapabilities);
        }
        tool.capabilities().iter().find_map(|capability| match self.capabilities.get(capability) {
            Some(true) => None,
            Some(false) => Some(Denial::DeniedCapability { capability: capability.clone() }),
            None => Some(Denial::UnknownCapability { capability: capability.clone() }),
        })
    }
}

/// A tool of a listing with the policy's decision. Serializes as the whole descriptor plus `allowed` and,
/// where denied, `denialReason` (a [`Denial::code`]); such keys of the descriptor itself are replaced.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed<'a> {
    tool: &'a Tool,
    denial: Option<Denial>,
}

impl<'a> Listed<'a> {
    /// The tool.
    pub fn tool(&self) -> &'a Tool {
        self.tool
    }

    /// Whether the policy lets it be called.
    pub fn is_allowed(&self) -> bool {
        self.denial.is_none()
    }

    /// Why it can't be called.
    pub fn denial(&self) -> Option<&Denial> {
        self.denial.as_ref()
    }

    /// The annotated descriptor.
    pub fn to_value(&self) -> Value {
        let mut value = self.tool.descriptor.clone();
        value.remove("denialReason");
        value.insert("allowed".to_owned(), Value::Bool(self.is_allowed()));
        if let Some(denial) = &self.denial {
            value.insert("denialReason".to_owned(), Value::String(denial.code().to_owned()));
        }
        Value::Object(value)
    }
}

impl Serialize for Listed<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_value().serialize(serializer)
    }
}
