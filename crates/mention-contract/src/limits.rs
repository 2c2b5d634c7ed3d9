//! The limits of this crate, beside those of [`mention_uri::limits`].

use core::time::Duration;

/// Most bytes of a view's `data`, serialized: it is a small projection for a preview, never a full record.
pub const DATA_BYTES: usize = 16 * 1024;

/// Most bytes of a function id. Ids are namespaced words such as `calendar::event::get`; anything longer is no id.
pub const FUNCTION_ID_BYTES: usize = 256;

/// The characters of a query that count; as many as an id has at most. Nobody types more, and without a bound a long query
/// over a long title would cost the product of both.
pub const QUERY_CHARS: usize = mention_uri::limits::ID_CHARS;

/// Rows that a scoped search (`@name:text`) asks its one provider for.
pub const SCOPED_ROWS: usize = 20;

/// How long a search waits for one provider before the menu goes on without it.
pub const SEARCH_DEADLINE: Duration = Duration::from_millis(2_500);

/// How long resolving waits for one mention.
pub const RESOLVE_DEADLINE: Duration = Duration::from_millis(1_500);

/// How long an answer may be given again for an identical ask.
pub const CACHE_AGE: Duration = Duration::from_secs(15);

/// Answers that a [`search::Cache`](crate::search::Cache) holds unless told otherwise.
pub const CACHE_ENTRIES: usize = 64;
