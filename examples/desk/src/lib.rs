//! The Signpost reference host: a small workbench on SQLite over your own repositories. It holds no protocol logic; whatever it
//! needs beyond storage, transport and looks is in one of the four crates. See the README beside it.

pub mod commands;
pub mod demo;
pub mod error;
pub mod host;
pub mod import;
pub mod providers;
pub mod resolve;
pub mod sources;
pub mod store;

use cli_spec::{Rendered, Terminal};

/// Runs the program with these arguments (without its name).
pub async fn run(arguments: impl IntoIterator<Item = std::ffi::OsString>, terminal: &Terminal) -> Rendered {
    match commands::registry(&host::Host::new()) {
        Ok(registry) => registry.run_args_on(arguments, terminal).await,
        Err(error) => Rendered { stderr: format!("error: {error}\n"), exit_code: 1, ..Rendered::default() },
    }
}

/// The examples of the project's README run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
mod readme {}
