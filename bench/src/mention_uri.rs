//! `mention-uri`: finding and parsing.

use crate::harness::Bench;

/// Bytes of the long inputs.
const LONG: usize = 10 << 20;

pub(crate) fn run(bench: &mut Bench) {
    scanning(bench);
}

fn scanning(bench: &mut Bench) {
    let plain = prose(bench.size(LONG));
    bench.versus(
        "memchr twice (noise floor of this machine)",
        "10 MiB of English prose without `@`",
        None,
        || memchr::memchr_iter(b'@', plain.as_bytes()).count(),
        "memchr_iter(b'@')",
        || memchr::memchr_iter(b'@', plain.as_bytes()).count(),
    );
}

/// English-like prose without candidates, `bytes` long.
fn prose(bytes: usize) -> String {
    const SENTENCE: &str =
        "The build went through on the second try, after the cache was cleared and the clock set right. ";
    SENTENCE.chars().cycle().take(bytes).collect()
}
