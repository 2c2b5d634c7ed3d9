//! Asking many providers what somebody may mean, without waiting for the slowest.
//!
//! A [`Plan`] lists the calls; a [`Menu`] takes the answers in any order. [`answers`] and [`run`] drive a plan over a
//! host's [`Caller`](crate::Caller) and [`Timer`](crate::Timer); a host with its own scheduler makes the calls itself.
//!
//! ```
//! use mention_contract::search::{Answer, Menu, Plan, State};
//! use mention_contract::{Descriptor, Item, Registry, SearchResponse};
//!
//! let tickets = Descriptor::new("kanban", "Tickets", "kanban::mention::search")?.metadata();
//! let registry = Registry::from_functions([("kanban::mention::get", &tickets)]);
//!
//! let mut menu = Menu::new();
//! let plan = Plan::global("fix", &registry);
//! let generation = menu.begin(&plan);
//! assert_eq!(plan.calls()[0].function_id(), "kanban::mention::search");
//! menu.answer(generation, Answer::items("kanban", SearchResponse::new([Item::new("1", "Fix login")])));
//! assert_eq!(menu.groups()[0].state(), &State::Ready);
//! assert_eq!(menu.merged(8).rows[0].item.label, "Fix login");
//! # Ok::<(), mention_contract::DescriptorError>(())
//! ```

mod cache;
mod menu;
mod merge;
mod plan;
mod run;

pub use cache::Cache;
pub use menu::{Answer, Generation, Group, Menu, Reply, State};
pub use merge::{Merged, Row};
pub use plan::{Call, Plan};
pub use run::{answers, run};
