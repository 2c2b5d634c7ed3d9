//! Every limit of this crate, as a named constant.

/// The most bytes that [`bind_json`](crate::bind_json) reads: an input is a handful of short values, and the largest real
/// ones carry a document.
pub const INPUT_BYTES: usize = 4 * 1024 * 1024;

/// The most characters of a name or value from outside that an error message or warning repeats. Longer ones are cut, and
/// the cut is shown as `…`.
pub const QUOTED_CHARS: usize = 64;

/// The most unknown names that one message or one set of warnings lists; the number of further ones is said.
pub const LISTED_NAMES: usize = 16;

/// The most characters of a name that is compared for a likely spelling.
pub const SUGGESTION_CHARS: usize = 64;

/// The shortest time after which a pending command may be asked again, in milliseconds.
pub const RETRY_AFTER_MIN_MS: u64 = 250;

/// The longest time after which a pending command may be asked again, in milliseconds.
pub const RETRY_AFTER_MAX_MS: u64 = 60_000;
