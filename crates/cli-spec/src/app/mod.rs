//! Workspace apps: commands that an app declares in its `tutti.cli.json` and answers over HTTP.
//!
//! This is a frozen contract between hosts and apps, apart from the host's own commands: a [`Manifest`] says
//! what there is, an [`Invocation`] is what the host sends to the app's handler, and [`decode_output`] holds
//! what comes back against what was declared. Nothing here opens a connection.

mod apps;
mod check;
mod error;
mod invocation;
pub(crate) mod json;
mod manifest;
mod output;
mod paths;
mod scope;
mod transport;

pub use apps::{App, AppIdError, Apps};
pub use error::{ManifestError, Problem};
pub use invocation::{Invocation, InvocationError};
pub use manifest::{AppCommand, Handler, Manifest};
pub use output::{HandlerError, decode_output};
pub use scope::{ScopeIssue, ScopeSet, ScopeState, ScopeStatus};
pub use transport::{CallError, HandlerAnswer, HandlerCall, Transport, TransportError, call};

/// The version that manifests name.
pub const SCHEMA_VERSION: &str = "tutti.app.cli.v1";

/// The version that invocations name.
pub const INVOKE_SCHEMA_VERSION: &str = "tutti.app.cli.invoke.v1";

/// How many bytes of pointers and messages one list of problems holds; what goes beyond is counted.
pub(crate) const PROBLEM_BYTES: usize = 1 << 20;
