//! Checks for an author's own tests: [`provider`] is the contract's definition of done.

mod hostile;
mod provider;
mod report;

pub use provider::{Expectations, provider};
pub use report::{Check, Report, Verdict};
