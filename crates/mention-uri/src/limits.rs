//! The limits of the protocol, in one place. The other crates of the family use these.

/// Longest provider or token name, in bytes (names are ASCII).
pub const NAME_BYTES: usize = 40;
/// Longest entity, resource or token id, in characters after decoding.
pub const ID_CHARS: usize = 512;
/// Most pairs in one scope.
pub const SCOPE_PAIRS: usize = 32;
/// Longest scope key, in bytes after decoding.
pub const SCOPE_KEY_BYTES: usize = 64;
/// Longest scope value, in characters after decoding.
pub const SCOPE_VALUE_CHARS: usize = 2_048;
/// Longest mention or resource URI, in bytes: as written, and in its canonical form.
pub const URI_BYTES: usize = 8 << 10;
/// Longest Markdown link that is looked at, in bytes of source; a longer one is text.
pub const LINK_SOURCE_BYTES: usize = 16 << 10;
/// Items that a search gives when no limit is asked for.
pub const SEARCH_DEFAULT: usize = 8;
/// Most items that one search gives.
pub const SEARCH_MAX: usize = 50;
/// Items of each provider in the global menu.
pub const SEARCH_MENU: usize = 4;
/// Files in one resolution: the default and the most.
pub const FILES: usize = 1_000;
/// Entries that a source is asked for at once.
pub const PAGE_SIZE: usize = 200;
/// Longest summary that an agent is shown, in characters.
pub const SUMMARY_CHARS: usize = 400;
/// Longest description that an agent is shown, in characters.
pub const DESCRIPTION_CHARS: usize = 160;
/// Longest mentions block, in characters.
pub const BLOCK_CHARS: usize = 2_400;
/// Mentions resolved in one turn; the newest win.
pub const MENTIONS_PER_TURN: usize = 10;
/// Fields in a view.
pub const VIEW_FIELDS: usize = 6;
