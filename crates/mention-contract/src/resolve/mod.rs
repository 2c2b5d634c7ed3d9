//! From the mentions in a chat to what each of them is.
//!
//! [`pending`] finds what users mentioned and nobody resolved yet; a [`Plan`] lists the get calls and turns the
//! answers into [`Outcomes`]; [`run`] drives it over a host's [`Caller`](crate::Caller) and [`Timer`](crate::Timer).
//! Nothing fails the whole: each mention has its own outcome.

mod outcome;
mod pending;
mod plan;
mod run;

pub use outcome::{DetailsCall, Outcome, Outcomes, Resolved, Status};
pub use pending::{Pending, pending, pending_with};
pub use plan::{Call, Plan};
pub use run::run;
