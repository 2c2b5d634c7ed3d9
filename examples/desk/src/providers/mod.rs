//! What can be mentioned: `@commit`, `@issue` and `@file`, each a provider over the store.

mod commit;
mod file;
mod issue;
mod recall;

use std::sync::Arc;

use mention_contract::{ProviderError, Providers};

use crate::error::DeskError;
use crate::store::Store;

pub use commit::Commits;
pub use file::Files;
pub use issue::Issues;

/// The desk's providers under the ids of their get functions.
pub fn providers(store: &Arc<Store>) -> Result<Providers, DeskError> {
    let mut providers = Providers::new();
    let invalid = |error: &dyn std::fmt::Display| DeskError::Host(error.to_string());
    providers.add("desk::commit::mention-get", Commits::new(store.clone())?).map_err(|error| invalid(&error))?;
    providers.add("desk::issue::mention-get", Issues::new(store.clone())?).map_err(|error| invalid(&error))?;
    providers.add("desk::file::mention-get", Files::new(store.clone())?).map_err(|error| invalid(&error))?;
    Ok(providers)
}

/// How a failure of the store looks to whoever asked a provider.
fn failed(error: &DeskError) -> ProviderError {
    ProviderError::failed(error)
}

/// Milliseconds since 1970 as RFC 3339.
fn moment(updated_ms: Option<i64>) -> Option<String> {
    let time = gix::date::Time::new(updated_ms?.div_euclid(1000), 0);
    time.format(gix::date::time::format::ISO8601_STRICT).ok()
}

/// The day of a moment, for people.
fn day(updated_ms: Option<i64>) -> Option<String> {
    moment(updated_ms).and_then(|moment| moment.get(..10).map(str::to_owned))
}

/// The first `count` characters of a text on one line.
fn excerpt(text: &str, count: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(count) {
        Some((at, _)) => format!("{}…", line.get(..at).unwrap_or_default()),
        None => line,
    }
}
