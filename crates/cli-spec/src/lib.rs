//! A command, declared once: schema, binding, validation, output, errors, help and exports.
#![deny(missing_docs)]

pub mod app;
mod capability;
pub mod check;
mod command;
mod error;
pub mod export;
mod help;
pub mod idempotency;
mod input;
pub mod limits;
mod output;
pub mod policy;
mod registry;
mod request;
mod terminal;
mod text;
pub mod wait;

pub use capability::{
    Capability, Deprecation, Discovery, Execution, ExecutionMode, OutputSpec, Source, SourceKind, TableSpec, Visibility,
};
pub use command::{
    Answer, BuildError, BuildProblem, Command, CommandBuilder, CommandContext, Kind, NoInput, Pagination, View,
    Workspace,
};
pub use error::{ErrorBody, ErrorEnvelope, ExitCode, IntoEnvelope, Remote, reason};
pub use input::{
    RESERVED_INPUTS, argv,
    bind::{bind, bind_json, bind_reporting, bind_strict},
    error::{InputError, InputProblem},
    schema,
};
pub use output::{
    Column, CommandOutput, Continuation, ContinuationError, ContinuationState, OutputBody, OutputMode, Row, Warning,
    render,
};
pub use registry::{
    CommandError, Found, NoWorkspaces, NotFound, RESERVED_SCOPES, Registry, RegistryBuilder, RegistryError,
    RegistryProblem, Workspaces,
};
pub use request::{InvokeContext, InvokeRequest};
pub use terminal::{Rendered, Terminal};
