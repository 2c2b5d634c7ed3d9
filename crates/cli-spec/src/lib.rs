//! A command, declared once: schema, binding, validation, output, errors, help and exports.
#![deny(missing_docs)]

pub mod app;
mod capability;
mod error;
pub mod idempotency;
mod input;
pub mod limits;
mod output;
pub mod policy;
mod request;
mod text;
pub mod wait;

pub use capability::{
    Capability, Deprecation, Discovery, Execution, ExecutionMode, OutputSpec, Source, SourceKind, TableSpec, Visibility,
};
pub use error::{ErrorBody, ErrorEnvelope, ExitCode, IntoEnvelope, Remote, reason};
pub use input::schema;
pub use output::{
    Column, CommandOutput, Continuation, ContinuationError, ContinuationState, OutputBody, OutputMode, Row, Warning,
};
pub use request::{InvokeContext, InvokeRequest};
