//! Under construction.
#![deny(missing_docs)]

pub mod check;
pub mod composer;
mod descriptor;
pub mod driver;
mod error;
pub mod guide;
pub mod limits;
mod message;
pub mod present;
mod provider;
pub mod rank;
mod registry;
pub mod resolve;
pub mod route;
pub mod schema;
pub mod search;
mod style;
mod text;
pub mod wire;

pub use descriptor::{Descriptor, Details};
pub use driver::{BoxCaller, BoxTimer, Caller, Timer};
pub use error::{CallError, DescriptorError, ProviderError};
pub use message::{Message, Role};
pub use provider::{BoxProvider, Provider, Providers, ProvidersError};
pub use registry::{Diagnostic, Diagnostics, Registered, Registry};
pub use style::{Color, Icon, Tone};
pub use wire::{Breach, Field, GetRequest, Item, Open, SearchContext, SearchRequest, SearchResponse, View};
