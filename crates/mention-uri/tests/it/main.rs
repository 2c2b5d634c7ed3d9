//! Integration tests of mention-uri.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::too_many_lines,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::panic,
    clippy::format_push_string,
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "a test fails by panicking, and reads the project's own files and cargo's sources"
)]

mod auto_traits;
mod commonmark;
mod grammar;
mod link;
mod markdown;
mod markdown_text;
mod policy;
mod properties;
mod reference;
mod resource;
mod review;
mod scan;
mod serde;
mod span;
mod stream;
mod token;
mod uri;

use proptest::prelude::ProptestConfig;
use proptest::test_runner::RngSeed;

/// Where generated documents start: a run of the suite is repeatable, `PROPTEST_RNG_SEED=number` looks at others.
///
/// Both Markdown parsers have faults of their own, which about one in 60,000 documents meets. Of ours one is known: the tail of a
/// stream shows a piece of a half construct for `    [\n<mention://app/p>](")` and `@asset(id="'t](<b>@asset(id=")")`.
fn seed() -> RngSeed {
    match ProptestConfig::default().rng_seed {
        RngSeed::Random => RngSeed::Fixed(1),
        chosen @ RngSeed::Fixed(_) => chosen,
    }
}
