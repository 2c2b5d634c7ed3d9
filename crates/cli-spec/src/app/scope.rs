//! Who owns which scope.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{RESERVED_SCOPES, text::quoted};

/// How it stands with an app's scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ScopeStatus {
    /// The app's commands can be called.
    Active,
    /// The manifest is fine, but the scope is reserved or belongs to another app.
    Warning,
    /// The manifest can't be used.
    Error,
}

/// One reason why a scope is not active.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ScopeIssue {
    /// A stable word: `app_cli_scope_reserved`, `app_cli_scope_conflict`, or the host's own for an error.
    pub code: String,
    /// One line.
    pub message: String,
}

/// The state of one app's scope.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ScopeState {
    /// How it stands.
    pub status: ScopeStatus,
    /// The scope that the app asks for.
    pub scope: String,
    /// Whether the app's commands can be called: exactly with status `active`.
    pub active: bool,
    /// Why not.
    pub issues: Vec<ScopeIssue>,
}

/// The scopes that the apps of a workspace ask for.
///
/// A scope has one owner: the app whose id is first in byte order, however they were added. Reserved scopes
/// have none.
///
/// ```
/// use cli_spec::app::{ScopeSet, ScopeStatus};
///
/// let mut scopes = ScopeSet::default();
/// scopes.insert("b", "notes");
/// scopes.insert("a", "notes");
/// scopes.insert("c", "help");
/// assert_eq!(scopes.owner("notes"), Some("a"));
/// assert_eq!(scopes.state("b").unwrap().issues[0].code, "app_cli_scope_conflict");
/// assert_eq!(scopes.state("c").unwrap().issues[0].code, "app_cli_scope_reserved");
/// scopes.remove("a");
/// assert_eq!(scopes.state("b").unwrap().status, ScopeStatus::Active);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScopeSet {
    reserved: BTreeSet<String>,
    entries: BTreeMap<String, Entry>,
    by_scope: BTreeMap<String, BTreeSet<String>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Entry {
    scope: String,
    error: Option<ScopeIssue>,
}

impl Default for ScopeSet {
    /// An empty set with [`RESERVED_SCOPES`].
    fn default() -> Self {
        Self::new(RESERVED_SCOPES)
    }
}

impl ScopeSet {
    /// An empty set with the host's own reserved scopes.
    pub fn new(reserved: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self {
            reserved: reserved.into_iter().map(Into::into).collect(),
            entries: BTreeMap::new(),
            by_scope: BTreeMap::new(),
        }
    }

    /// Adds an app with its scope, in place of what was known of it.
    pub fn insert(&mut self, app_id: impl Into<String>, scope: impl Into<String>) {
        let (app_id, scope) = (app_id.into(), scope.into());
        self.remove(&app_id);
        self.by_scope.entry(scope.clone()).or_default().insert(app_id.clone());
        self.entries.insert(app_id, Entry { scope, error: None });
    }

    /// Notes that an app's manifest can't be used; it claims no scope then. `scope` may be empty when it is
    /// not known.
    pub fn insert_error(&mut self, app_id: impl Into<String>, scope: impl Into<String>, issue: ScopeIssue) {
        let app_id = app_id.into();
        self.remove(&app_id);
        self.entries.insert(app_id, Entry { scope: scope.into(), error: Some(issue) });
    }

    /// Forgets an app; its scope goes to the next app that asks for it. Says whether it was known.
    pub fn remove(&mut self, app_id: &str) -> bool {
        let Some(entry) = self.entries.remove(app_id) else { return false };
        if let Some(claims) = self.by_scope.get_mut(&entry.scope) {
            claims.remove(app_id);
            if claims.is_empty() {
                self.by_scope.remove(&entry.scope);
            }
        }
        true
    }

    /// Whether the host keeps this scope for itself.
    pub fn is_reserved(&self, scope: &str) -> bool {
        self.reserved.contains(scope)
    }

    /// The app that a scope belongs to.
    pub fn owner(&self, scope: &str) -> Option<&str> {
        let first = self.by_scope.get(scope)?.first()?;
        (!self.is_reserved(scope)).then_some(first.as_str())
    }

    /// Whether an app's commands can be called.
    pub fn is_active(&self, app_id: &str) -> bool {
        self.entries.get(app_id).is_some_and(|entry| entry.error.is_none() && self.owner(&entry.scope) == Some(app_id))
    }

    /// The state of an app; `None` when it is not known.
    pub fn state(&self, app_id: &str) -> Option<ScopeState> {
        self.entries.get(app_id).map(|entry| self.state_of(app_id, entry))
    }

    /// All states, by app id.
    pub fn states(&self) -> impl Iterator<Item = (&str, ScopeState)> {
        self.entries.iter().map(|(app_id, entry)| (app_id.as_str(), self.state_of(app_id, entry)))
    }

    fn state_of(&self, app_id: &str, entry: &Entry) -> ScopeState {
        let scope = &entry.scope;
        let issue = |code: &str, message: String| ScopeIssue { code: code.to_owned(), message };
        let (status, issues) = if let Some(error) = &entry.error {
            (ScopeStatus::Error, vec![error.clone()])
        } else if self.is_reserved(scope) {
            let message = format!("the scope {} belongs to the host", quoted(scope));
            (ScopeStatus::Warning, vec![issue("app_cli_scope_reserved", message)])
        } else {
            match self.owner(scope) {
                Some(owner) if owner != app_id => {
                    let message = format!("the scope {} belongs to the app {}", quoted(scope), quoted(owner));
                    (ScopeStatus::Warning, vec![issue("app_cli_scope_conflict", message)])
                }
                _ => (ScopeStatus::Active, Vec::new()),
            }
        };
        ScopeState { status, scope: scope.clone(), active: status == ScopeStatus::Active, issues }
    }
}
