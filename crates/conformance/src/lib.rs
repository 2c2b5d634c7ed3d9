//! Runs the Signpost fixtures against any implementation, in any language.
//!
//! The protocol is data: `fixtures/` holds cases with an operation, an input and the expected result, written from the
//! design and not from what some implementation answers. This crate reads them ([`fixture`]), checks their form
//! ([`schema`]), asks an [`Adapter`] and compares ([`run`]).
//!
//! There are two adapters: [`BuiltIn`] calls the crates of this repository in the same process, [`Subprocess`] speaks
//! JSON lines with a command written in any language. `fixtures/README.md` says what each operation takes and gives.
//!
//! ```no_run
//! use conformance::{BuiltIn, Filter, fixture, run};
//!
//! let suites = fixture::load("fixtures".as_ref())?;
//! let report = run(&suites, &Filter::default(), &mut BuiltIn::new(), |_, _, _| ());
//! println!("{report}");
//! assert!(report.passed());
//! # Ok::<(), conformance::FixtureError>(())
//! ```
//!
//! # Not here
//!
//! No rule of the protocol: those are in the four crates. The runner decides nothing but whether two JSON values are
//! the same, with three kinds of expectation that are looser than a value (see [`compare`]).
#![deny(missing_docs)]

mod answer;
mod builtin;
pub mod compare;
pub mod fixture;
mod report;
mod runner;
pub mod schema;
mod serve;
mod subprocess;

pub use answer::{Adapter, Answer, Failed};
pub use builtin::BuiltIn;
pub use fixture::FixtureError;
pub use report::{AreaCount, Failure, Report};
pub use runner::{Filter, run};
pub use serve::serve;
pub use subprocess::{CommandError, Subprocess};
