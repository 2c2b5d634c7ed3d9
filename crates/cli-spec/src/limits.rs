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

/// The most bytes of an app's manifest: the largest real ones have a few tens of thousands.
pub const MANIFEST_BYTES: usize = 256 * 1024;

/// The most levels of nesting in an app's manifest, which itself needs seven; unknown keys may nest deeper.
pub const MANIFEST_DEPTH: usize = 64;

/// The shortest time that a manifest may give a handler, in milliseconds.
pub const HANDLER_TIMEOUT_MIN_MS: u64 = 1_000;

/// The longest time that a manifest may give a handler, in milliseconds.
pub const HANDLER_TIMEOUT_MAX_MS: u64 = 600_000;

/// The time that a handler has when its manifest says nothing, in milliseconds.
pub const HANDLER_TIMEOUT_DEFAULT_MS: u64 = 30_000;

/// The most bytes of a handler's answer.
pub const HANDLER_OUTPUT_BYTES: usize = 1024 * 1024;

/// The most levels of nesting in a handler's answer.
pub const HANDLER_OUTPUT_DEPTH: usize = 120;

/// The most characters of each part of an [`Identity`](crate::idempotency::Identity): such parts are ids, and keys of
/// stored rows.
pub const IDENTITY_PART_CHARS: usize = 512;
