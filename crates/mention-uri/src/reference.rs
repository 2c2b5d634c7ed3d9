//! Typed targets: the kinds of mentions that the protocol itself names.

use alloc::borrow::ToOwned;
use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::error::{UriError, UriErrorKind};
use crate::uri::MentionUri;

/// Provider of [`WorkspaceReference`].
const WORKSPACE_REFERENCE: &str = "workspace-reference";
const WORKSPACE_APP: &str = "workspace-app";
const WORKSPACE_ISSUE: &str = "workspace-issue";
const AGENT_SESSION: &str = "agent-session";
const AGENT_TARGET: &str = "agent-target";
const APP_FACTORY: &str = "workspace-app-factory";

const WORKSPACE_ID: &str = "workspaceId";
const GROUP_ID: &str = "groupId";

/// What a mention URI points at, where the protocol names the provider.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Target {
    /// `workspace-reference`: a set of files.
    WorkspaceReference(WorkspaceReference),
    /// `workspace-app`: an app.
    WorkspaceApp(WorkspaceApp),
    /// `workspace-issue`: an issue.
    WorkspaceIssue(WorkspaceIssue),
    /// `agent-session`: a session of an agent.
    AgentSession(AgentSession),
    /// `agent-target`: an agent that can be started.
    AgentTarget(AgentTarget),
    /// `workspace-app-factory`: making an app.
    AppFactory(AppFactory),
    /// Any other provider, untouched.
    Other(MentionUri),
}

impl Target {
    /// The mention URI of the target.
    pub fn to_uri(&self) -> MentionUri {
        match self {
            Self::WorkspaceReference(target) => target.to_uri(),
            Self::WorkspaceApp(target) => target.to_uri(),
            Self::WorkspaceIssue(target) => target.to_uri(),
            Self::AgentSession(target) => target.to_uri(),
            Self::AgentTarget(target) => target.to_uri(),
            Self::AppFactory(target) => target.to_uri(),
            Self::Other(uri) => uri.clone(),
        }
    }
}

impl TryFrom<&MentionUri> for Target {
    type Error = UriError;

    fn try_from(uri: &MentionUri) -> Result<Self, UriError> {
        Ok(match uri.provider() {
            WORKSPACE_REFERENCE => Self::WorkspaceReference(WorkspaceReference::try_from(uri)?),
            WORKSPACE_APP => Self::WorkspaceApp(WorkspaceApp::try_from(uri)?),
            WORKSPACE_ISSUE => Self::WorkspaceIssue(WorkspaceIssue::try_from(uri)?),
            AGENT_SESSION => Self::AgentSession(AgentSession::try_from(uri)?),
            AGENT_TARGET => Self::AgentTarget(AgentTarget::try_from(uri)?),
            APP_FACTORY => Self::AppFactory(AppFactory::try_from(uri)?),
            _ => Self::Other(uri.clone()),
        })
    }
}

/// Where the files of a reference come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub enum Source {
    /// Artifacts of an app.
    App,
    /// Outputs of tasks.
    Task,
}

impl Source {
    /// As written in a scope: `app` or `task`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::App => "app",
            Self::Task => "task",
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Source {
    type Err = UriError;

    /// Exactly `app` or `task`.
    fn from_str(text: &str) -> Result<Self, UriError> {
        match text {
            "app" => Ok(Self::App),
            "task" => Ok(Self::Task),
            _ => Err(UriError::new(UriErrorKind::InvalidSource)),
        }
    }
}

/// A handle to a set of files: `mention://workspace-reference/<id>?[groupId=…&]source=…&workspaceId=…`.
///
/// Other keys of a scope (a list of files, a path, a credential, a command) are never read and not written back.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct WorkspaceReference {
    uri: MentionUri,
    source: Source,
    count: Option<u64>,
}

impl WorkspaceReference {
    /// The reference to all files of a source, or of one group of it.
    ///
    /// # Errors
    ///
    /// When an id is blank or too long. A blank group is no group; a blank workspace is
    /// [`UriErrorKind::MissingWorkspace`].
    pub fn new(source: Source, id: &str, group_id: Option<&str>, workspace_id: &str) -> Result<Self, UriError> {
        if workspace_id.trim().is_empty() {
            return Err(UriError::new(UriErrorKind::MissingWorkspace));
        }
        let mut uri = MentionUri::new(WORKSPACE_REFERENCE, id)?;
        if let Some(group) = group_id {
            uri = uri.with(GROUP_ID, group)?;
        }
        let uri = uri.with("source", source.as_str())?.with(WORKSPACE_ID, workspace_id)?;
        Ok(Self { uri, source, count: None })
    }

    /// Sets the number of files that a label may show; presentation only.
    #[must_use]
    pub fn with_count(mut self, count: u64) -> Self {
        self.count = Some(count);
        self
    }

    /// Where the files come from.
    pub fn source(&self) -> Source {
        self.source
    }

    /// The app's or topic's id.
    pub fn id(&self) -> &str {
        self.uri.entity()
    }

    /// The group (of an app) or issue (of a topic) that the reference is narrowed to.
    pub fn group_id(&self) -> Option<&str> {
        self.uri.scope_value(GROUP_ID)
    }

    /// The workspace that the reference belongs to.
    pub fn workspace_id(&self) -> &str {
        self.uri.scope_value(WORKSPACE_ID).unwrap_or_default()
    }

    /// The number of files that was written beside the label; never decides what is resolved.
    pub fn count(&self) -> Option<u64> {
        self.count
    }

    /// The reference without its count: what is resolved.
    #[must_use]
    pub fn identity(&self) -> Self {
        Self { count: None, ..self.clone() }
    }

    /// The reference without its workspace.
    pub fn handle(&self) -> ReferenceHandle {
        ReferenceHandle {
            source: self.source,
            id: self.id().to_owned(),
            group_id: self.group_id().map(ToOwned::to_owned),
        }
    }

    /// The mention URI.
    pub fn to_uri(&self) -> MentionUri {
        let Some(count) = self.count else { return self.uri.clone() };
        let mut digits = String::new();
        // Writing to a string can't fail.
        let _ = fmt::Write::write_fmt(&mut digits, format_args!("{count}"));
        self.uri.clone().with("count", &digits).unwrap_or_else(|_| self.uri.clone())
    }
}

impl TryFrom<&MentionUri> for WorkspaceReference {
    type Error = UriError;

    fn try_from(uri: &MentionUri) -> Result<Self, UriError> {
        check_provider(uri, WORKSPACE_REFERENCE)?;
        let workspace = required_workspace(uri)?;
        let source = uri.scope_value("source").ok_or(UriError::new(UriErrorKind::InvalidSource))?.parse()?;
        let mut reference = Self::new(source, uri.entity(), uri.scope_value(GROUP_ID), workspace)?;
        reference.count = uri
            .scope_value("count")
            .filter(|count| count.bytes().all(|byte| byte.is_ascii_digit()))
            .and_then(|count| count.parse().ok());
        Ok(reference)
    }
}

/// A [`WorkspaceReference`] without its workspace: what a picker selects. As JSON: `{"source":"app","id":"…","groupId":"…"}`, without
/// `groupId` where there is none.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", try_from = "WrittenHandle")]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct ReferenceHandle {
    source: Source,
    id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    group_id: Option<String>,
}

/// A handle as it is read, before it is checked.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
struct WrittenHandle {
    source: Source,
    id: String,
    group_id: Option<String>,
}

impl TryFrom<WrittenHandle> for ReferenceHandle {
    type Error = UriError;

    fn try_from(written: WrittenHandle) -> Result<Self, UriError> {
        Self::new(written.source, &written.id, written.group_id.as_deref())
    }
}

impl ReferenceHandle {
    /// A handle to all files of a source, or of one group of it. A blank group is no group.
    ///
    /// # Errors
    ///
    /// When the id is empty, blank or too long, or the group is too long.
    pub fn new(source: Source, id: &str, group_id: Option<&str>) -> Result<Self, UriError> {
        let mut uri = MentionUri::new(WORKSPACE_REFERENCE, id)?;
        if let Some(group) = group_id {
            uri = uri.with(GROUP_ID, group)?;
        }
        Ok(Self { source, id: id.to_owned(), group_id: uri.scope_value(GROUP_ID).map(ToOwned::to_owned) })
    }

    /// Where the files come from.
    pub fn source(&self) -> Source {
        self.source
    }

    /// The app's or topic's id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The group or issue, if any.
    pub fn group_id(&self) -> Option<&str> {
        self.group_id.as_deref()
    }

    /// The reference in that workspace.
    ///
    /// # Errors
    ///
    /// [`UriErrorKind::MissingWorkspace`] for a blank workspace, and when a value or the whole is too long.
    pub fn in_workspace(&self, workspace_id: &str) -> Result<WorkspaceReference, UriError> {
        WorkspaceReference::new(self.source, &self.id, self.group_id.as_deref(), workspace_id)
    }
}

macro_rules! target {
    ($(#[$outer:meta])* $name:ident, $provider:ident, workspace: $workspace:literal, { $($(#[$inner:meta])* $field:ident => $key:literal,)* }) => {
        $(#[$outer])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name {
            uri: MentionUri,
        }

        impl $name {
            /// The decoded id.
            pub fn id(&self) -> &str {
                self.uri.entity()
            }

            $(
                $(#[$inner])*
                pub fn $field(&self) -> Option<&str> {
                    self.uri.scope_value($key)
                }
            )*

            /// Any other scope value that was written.
            pub fn scope_value(&self, key: &str) -> Option<&str> {
                self.uri.scope_value(key)
            }

            /// The mention URI.
            pub fn to_uri(&self) -> MentionUri {
                self.uri.clone()
            }
        }

        impl TryFrom<&MentionUri> for $name {
            type Error = UriError;

            fn try_from(uri: &MentionUri) -> Result<Self, UriError> {
                check_provider(uri, $provider)?;
                if $workspace {
                    required_workspace(uri)?;
                }
                Ok(Self { uri: uri.clone() })
            }
        }
    };
}

macro_rules! in_workspace {
    ($($name:ident: $provider:ident,)*) => {
        $(impl $name {
            /// The target of that id in that workspace.
            ///
            /// # Errors
            ///
            /// When an id is blank or too long; a blank workspace is [`UriErrorKind::MissingWorkspace`].
            pub fn new(id: &str, workspace_id: &str) -> Result<Self, UriError> {
                Self::try_from(&MentionUri::new($provider, id)?.with(WORKSPACE_ID, workspace_id)?)
            }

            /// The workspace that it belongs to.
            pub fn workspace_id(&self) -> &str {
                self.uri.scope_value(WORKSPACE_ID).unwrap_or_default()
            }
        })*
    };
}

target! {
    /// An app of a workspace.
    WorkspaceApp, WORKSPACE_APP, workspace: true, {}
}

target! {
    /// An issue of a workspace, with what is needed to go on with its execution.
    WorkspaceIssue, WORKSPACE_ISSUE, workspace: true, {
        /// The topic that the issue belongs to.
        topic_id => "topicId",
        /// How the issue is worked on.
        mode => "mode",
        /// The task of the execution.
        task_id => "taskId",
        /// The run of the execution.
        run_id => "runId",
        /// Where the execution writes.
        output_dir => "outputDir",
    }
}

target! {
    /// A session of an agent.
    AgentSession, AGENT_SESSION, workspace: true, {
        /// The agent that the session is with.
        agent_target_id => "agentTargetId",
    }
}

target! {
    /// An agent that can be started.
    AgentTarget, AGENT_TARGET, workspace: true, {}
}

target! {
    /// Making an app: the id is `create` or that of a job.
    AppFactory, APP_FACTORY, workspace: false, {
        /// What to do.
        action => "action",
        /// Where to look.
        context_path => "contextPath",
    }
}

in_workspace! {
    WorkspaceApp: WORKSPACE_APP,
    WorkspaceIssue: WORKSPACE_ISSUE,
    AgentSession: AGENT_SESSION,
    AgentTarget: AGENT_TARGET,
}

impl AppFactory {
    /// The target of that id: `create`, or a job.
    ///
    /// # Errors
    ///
    /// When the id is blank or too long.
    pub fn new(id: &str) -> Result<Self, UriError> {
        Ok(Self { uri: MentionUri::new(APP_FACTORY, id)? })
    }
}

impl AgentSession {
    /// The three fields that a command's JSON gives for a session.
    pub fn fields(&self) -> AgentSessionFields {
        AgentSessionFields {
            agent_session_id: self.id().to_owned(),
            workspace_id: self.workspace_id().to_owned(),
            mention_uri: self.uri.for_agent(),
        }
    }
}

/// How a command's JSON refers to an agent session.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct AgentSessionFields {
    /// The raw id.
    pub agent_session_id: String,
    /// The workspace.
    pub workspace_id: String,
    /// The canonical mention URI.
    pub mention_uri: MentionUri,
}

fn check_provider(uri: &MentionUri, provider: &str) -> Result<(), UriError> {
    if uri.provider() == provider { Ok(()) } else { Err(UriError::new(UriErrorKind::WrongProvider)) }
}

fn required_workspace(uri: &MentionUri) -> Result<&str, UriError> {
    uri.scope_value(WORKSPACE_ID).ok_or(UriError::new(UriErrorKind::MissingWorkspace))
}

/// Text in and out: as the canonical mention URI.
macro_rules! as_uri {
    ($($name:ident)+) => {
        $(
            impl TryFrom<MentionUri> for $name {
                type Error = UriError;

                fn try_from(uri: MentionUri) -> Result<Self, UriError> {
                    Self::try_from(&uri)
                }
            }

            impl From<&$name> for MentionUri {
                fn from(target: &$name) -> Self {
                    target.to_uri()
                }
            }

            impl fmt::Display for $name {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    fmt::Display::fmt(&self.to_uri(), f)
                }
            }

            impl FromStr for $name {
                type Err = UriError;

                fn from_str(text: &str) -> Result<Self, UriError> {
                    Self::try_from(&MentionUri::parse(text)?)
                }
            }

            impl Serialize for $name {
                fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    self.to_uri().serialize(serializer)
                }
            }

            impl<'de> Deserialize<'de> for $name {
                fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    Self::try_from(&MentionUri::deserialize(deserializer)?).map_err(serde::de::Error::custom)
                }
            }

            #[cfg(feature = "schemars")]
            impl schemars::JsonSchema for $name {
                fn schema_name() -> alloc::borrow::Cow<'static, str> {
                    alloc::borrow::Cow::Borrowed(stringify!($name))
                }

                fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                    MentionUri::json_schema(generator)
                }
            }
        )+
    };
}

as_uri! { Target WorkspaceReference WorkspaceApp WorkspaceIssue AgentSession AgentTarget AppFactory }
