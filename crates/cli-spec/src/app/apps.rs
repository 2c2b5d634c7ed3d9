//! Installed apps and what discovery lists of them.

use std::collections::BTreeMap;

use super::{AppCommand, Manifest, ManifestError, ScopeIssue, ScopeSet, ScopeState};
use crate::{Capability, Discovery, Source};

/// An installed app: its id, its manifest, and what the host knows about it.
///
/// The app's id and its scope are two things: nothing may assume that they are equal.
#[derive(Debug, Clone, PartialEq)]
pub struct App {
    id: String,
    manifest: Manifest,
    source: Source,
}

/// The text is not an app's id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected an app id without white space and control characters, found {}", crate::text::quoted(.found))]
pub struct AppIdError {
    found: String,
}

impl AppIdError {
    /// `invalid_app_id`.
    pub fn code(&self) -> &'static str {
        "invalid_app_id"
    }
}

impl App {
    /// An app with its manifest.
    ///
    /// # Errors
    /// The id is empty or holds white space or control characters: it becomes part of command ids.
    pub fn new(id: impl Into<String>, manifest: Manifest) -> Result<Self, AppIdError> {
        let id = id.into();
        if id.is_empty() || id.chars().any(|character| character.is_whitespace() || character.is_control()) {
            return Err(AppIdError { found: id });
        }
        let mut source = Source::app(id.clone());
        source.cli_description = manifest.description().map(str::to_owned);
        source.documentation_file = manifest.documentation_file().map(str::to_owned);
        Ok(Self { id, manifest, source })
    }

    /// Sets the app's name.
    #[must_use]
    pub fn with_name(mut self, name: impl Into<String>) -> Self {
        self.source.app_name = Some(name.into());
        self
    }

    /// Sets what the app says about itself.
    #[must_use]
    pub fn with_description(mut self, description: impl Into<String>) -> Self {
        self.source.app_description = Some(description.into());
        self
    }

    /// Sets the web address of the app's icon.
    #[must_use]
    pub fn with_icon_url(mut self, url: impl Into<String>) -> Self {
        self.source.icon_url = Some(url.into());
        self
    }

    /// Sets where the host found the documentation file.
    #[must_use]
    pub fn with_documentation_path(mut self, path: impl Into<String>) -> Self {
        self.source.documentation_path = Some(path.into());
        self
    }

    /// The app's id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The app's manifest.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The id of one of its commands: `app.<appId>.<scope>.<path joined by .>`.
    pub fn command_id(&self, command: &AppCommand) -> String {
        format!("app.{}.{}.{}", self.id, self.manifest.scope(), command.path().join("."))
    }

    /// The command of that id.
    pub fn command(&self, command_id: &str) -> Option<&AppCommand> {
        let rest = command_id.strip_prefix("app.")?.strip_prefix(self.id.as_str())?;
        let path = rest.strip_prefix('.')?.strip_prefix(self.manifest.scope())?.strip_prefix('.')?;
        self.manifest.command(&path.split('.').collect::<Vec<_>>())
    }

    /// What discovery says about one of its commands. The path is the scope, then the command's own path.
    pub fn capability(&self, command: &AppCommand) -> Capability {
        let path = std::iter::once(self.manifest.scope()).chain(command.path().iter().map(String::as_str));
        let mut capability =
            Capability::new(self.command_id(command), path, command.summary(), command.output().clone());
        capability.description = command.description().map(str::to_owned);
        capability.visibility = command.visibility();
        capability.input_schema = command.input_schema().clone();
        capability.execution = command.execution();
        capability.source = Some(self.source.clone());
        capability.handler_timeout_ms = Some(command.handler().timeout_ms());
        capability
    }

    /// What discovery says about all of its commands, in the manifest's order.
    pub fn capabilities(&self) -> impl Iterator<Item = Capability> {
        self.manifest.commands().iter().map(|command| self.capability(command))
    }
}

/// The apps of a workspace, with their scopes sorted out.
#[derive(Debug, Clone, Default)]
pub struct Apps {
    scopes: ScopeSet,
    apps: BTreeMap<String, App>,
}

impl Apps {
    /// No apps, and the scopes that the host keeps for itself; [`Apps::default`] keeps
    /// [`RESERVED_SCOPES`](crate::RESERVED_SCOPES).
    pub fn new(reserved: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { scopes: ScopeSet::new(reserved), apps: BTreeMap::new() }
    }

    /// Adds an app, in place of an older state of it.
    pub fn insert(&mut self, app: App) {
        self.scopes.insert(app.id(), app.manifest().scope());
        self.apps.insert(app.id().to_owned(), app);
    }

    /// Notes that an app's manifest can't be read: its state is an error with the manifest's problem.
    pub fn insert_error(&mut self, app_id: impl Into<String>, error: &ManifestError) {
        let app_id = app_id.into();
        self.apps.remove(&app_id);
        let issue = ScopeIssue { code: error.code().to_owned(), message: error.to_string() };
        self.scopes.insert_error(app_id, "", issue);
    }

    /// Forgets an app; says whether it was known.
    pub fn remove(&mut self, app_id: &str) -> bool {
        self.apps.remove(app_id);
        self.scopes.remove(app_id)
    }

    /// The state of an app's scope.
    pub fn state(&self, app_id: &str) -> Option<ScopeState> {
        self.scopes.state(app_id)
    }

    /// The scopes.
    pub fn scopes(&self) -> &ScopeSet {
        &self.scopes
    }

    /// The app of that id, active or not.
    pub fn app(&self, app_id: &str) -> Option<&App> {
        self.apps.get(app_id)
    }

    /// The commands of active apps that a listing shows, by app id and then in the manifests' order.
    pub fn capabilities(&self, discovery: Discovery) -> Vec<Capability> {
        self.active().flat_map(App::capabilities).filter(|capability| discovery.shows(capability)).collect()
    }

    /// The commands of one app with their real scope; empty when the app is not active.
    pub fn commands_of_app(&self, app_id: &str, discovery: Discovery) -> Vec<Capability> {
        let app = self.app(app_id).filter(|_| self.scopes.is_active(app_id));
        app.into_iter().flat_map(App::capabilities).filter(|capability| discovery.shows(capability)).collect()
    }

    /// The command of that id, of an active app; visibility doesn't matter here.
    ///
    /// App ids may hold dots, so that two apps may come to one command id; then the app that is first in byte
    /// order has it.
    pub fn command(&self, command_id: &str) -> Option<(&App, &AppCommand)> {
        self.active().find_map(|app| app.command(command_id).map(|command| (app, command)))
    }

    /// The command of that full path (scope, then the command's path), of the app that owns the scope.
    pub fn find<S: AsRef<str>>(&self, path: &[S]) -> Option<(&App, &AppCommand)> {
        let (scope, rest) = path.split_first()?;
        let app = self.app(self.scopes.owner(scope.as_ref())?)?;
        app.manifest().command(rest).map(|command| (app, command))
    }

    fn active(&self) -> impl Iterator<Item = &App> {
        self.apps.values().filter(|app| self.scopes.is_active(app.id()))
    }
}
