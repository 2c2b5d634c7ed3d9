//! What the commands share: the open database and the providers over it.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use cli_spec::{CommandContext, ErrorEnvelope, IntoEnvelope, Workspaces};
use mention_contract::{Providers, Registry, Timer};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::error::DeskError;
use crate::providers::providers;
use crate::store::Store;

/// The one workspace of a desk.
pub const WORKSPACE: &str = "local";

/// Flags of the program itself.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub struct Flags {
    /// The database file; in your data folder by default.
    pub db: Option<String>,
}

/// An open database with its providers.
#[derive(Debug)]
pub struct Workbench {
    /// What is known.
    pub store: Arc<Store>,
    /// Who answers for it.
    pub providers: Arc<Providers>,
    /// The providers' descriptors.
    pub registry: Arc<Registry>,
}

impl Workbench {
    /// The workbench over a store.
    pub fn new(store: Store) -> Result<Self, DeskError> {
        let store = Arc::new(store);
        let providers = Arc::new(providers(&store)?);
        let registry = Arc::new(providers.registry());
        Ok(Self { store, providers, registry })
    }
}

/// Opens the database when a command first needs it. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Host {
    open: Arc<Mutex<Option<Opened>>>,
}

#[derive(Debug)]
struct Opened {
    /// The file; `None` where the workbench was given and no flag may change it.
    file: Option<PathBuf>,
    workbench: Arc<Workbench>,
}

impl Host {
    /// A host that opens the file that its caller names.
    pub fn new() -> Self {
        Self::default()
    }

    /// A host over this workbench, whatever a caller names: a server's callers don't choose files.
    pub fn over(workbench: Arc<Workbench>) -> Self {
        Self { open: Arc::new(Mutex::new(Some(Opened { file: None, workbench }))) }
    }

    /// The workbench of the file that the caller's flags name.
    pub fn workbench(&self, context: &CommandContext) -> Result<Arc<Workbench>, ErrorEnvelope> {
        let flags: Flags = context.global()?;
        self.open(&flags).map_err(IntoEnvelope::into_envelope)
    }

    fn open(&self, flags: &Flags) -> Result<Arc<Workbench>, DeskError> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let file = match (open.as_ref(), &flags.db) {
            (Some(Opened { file: None, workbench }), _) => return Ok(workbench.clone()),
            (_, Some(file)) => PathBuf::from(file),
            (_, None) => default_file()?,
        };
        if let Some(opened) = open.as_ref().filter(|opened| opened.file.as_deref() == Some(Path::new(&file))) {
            return Ok(opened.workbench.clone());
        }
        let workbench = Arc::new(Workbench::new(Store::open(&file)?)?);
        *open = Some(Opened { file: Some(file), workbench: workbench.clone() });
        Ok(workbench)
    }
}

fn default_file() -> Result<PathBuf, DeskError> {
    directories::ProjectDirs::from("", "", "signpost-desk")
        .map(|folders| folders.data_dir().join("desk.db"))
        .ok_or_else(|| DeskError::Host("there is no home folder; name a database with --db".to_owned()))
}

/// The desk's one workspace.
#[derive(Clone, Copy, Debug)]
pub struct OneWorkspace;

impl Workspaces for OneWorkspace {
    async fn requested(&self, id: &str) -> Result<String, ErrorEnvelope> {
        if id == WORKSPACE {
            return Ok(id.to_owned());
        }
        Err(ErrorEnvelope::new("workspace_not_found", format!("no workspace {id:?}; this desk has {WORKSPACE:?}")))
    }

    async fn startup(&self) -> Result<Option<String>, ErrorEnvelope> {
        Ok(Some(WORKSPACE.to_owned()))
    }
}

/// The machine's clock.
#[derive(Clone, Copy, Debug)]
pub struct Clock;

impl Timer for Clock {
    async fn sleep(&self, duration: Duration) {
        tokio::time::sleep(duration).await;
    }
}

impl IntoEnvelope for DeskError {
    fn into_envelope(self) -> ErrorEnvelope {
        let mut envelope = ErrorEnvelope::new(self.code(), self.to_string());
        if let Some(hint) = self.hint() {
            envelope = envelope.with_hint(hint);
        }
        if self.retryable() {
            envelope = envelope.retryable_now();
        }
        if self.is_invalid_call() { envelope.usage() } else { envelope }
    }
}
