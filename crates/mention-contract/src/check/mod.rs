//! Checks for an author's own tests: [`provider`] is the contract's definition of done.

mod hostile;
mod links;
mod provider;
mod report;

pub use links::{LinkFault, LinkReport, result_links};
pub use provider::{Expectations, provider};
pub use report::{Check, Report, Verdict};
