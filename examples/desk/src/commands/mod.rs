//! The desk's commands, each declared once.

mod demo;
mod import;
mod mention;
mod show;

use cli_spec::{BuildError, Registry, RegistryError};

use crate::host::{Flags, Host, OneWorkspace};

/// Why the registry can't be built: a mistake in a declaration.
#[derive(Debug, thiserror::Error)]
pub enum DeclarationError {
    /// A command is declared badly.
    #[error(transparent)]
    Command(#[from] BuildError),
    /// The commands don't fit together.
    #[error(transparent)]
    Registry(#[from] RegistryError),
}

/// All commands of the desk.
pub fn registry(host: &Host) -> Result<Registry, DeclarationError> {
    let registry = Registry::builder("desk")
        .summary("Point at commits, issues and files of your own repositories")
        .globals::<Flags>()
        .workspaces(OneWorkspace)
        .commands(import::commands(host)?)
        .commands(mention::commands(host)?)
        .commands(show::commands(host)?)
        .command(demo::command()?)
        .build()?;
    Ok(registry)
}
