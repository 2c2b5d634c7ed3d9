//! Input: the schema, binding and terminal arguments.

pub mod argv;
pub(crate) mod bind;
pub(crate) mod coerce;
pub(crate) mod error;
pub(crate) mod json;
pub(crate) mod number;
mod probe;
mod reduce;
pub mod schema;

pub use reduce::RESERVED_INPUTS;
