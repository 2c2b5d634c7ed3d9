//! Input: the schema, binding and terminal arguments.

pub(crate) mod number;
pub mod schema;
