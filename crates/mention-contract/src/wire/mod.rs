//! What goes over the wire: the requests and answers of the two mention functions.
//!
//! Names are snake_case, optional members are left out on writing, unknown members are ignored on reading. Items and
//! views come from strangers: reading them is lenient, and a host uses only what [`Item::sanitized`] and
//! [`View::sanitized`] give.

mod breach;
mod item;
mod open;
mod read;
mod search;
mod view;

pub use breach::Breach;
pub use item::Item;
pub use open::Open;
pub use search::{GetRequest, SearchContext, SearchRequest, SearchResponse};
pub use view::{Field, View};
