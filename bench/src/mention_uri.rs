//! `mention-uri`: finding and parsing.

use mention_uri::{
    MentionToken, MentionUri, ResourceKinds, ScanOptions, StreamScanner, scan, scan_markdown, scan_with,
};
use pulldown_cmark::{Options, Parser};
use url::Url;

use crate::harness::Bench;

/// The parser's options that `scan_markdown` uses.
const OPTIONS: Options = Options::ENABLE_TABLES.union(Options::ENABLE_STRIKETHROUGH).union(Options::ENABLE_TASKLISTS);

/// Bytes of the long inputs.
const LONG: usize = 10 << 20;

pub(crate) fn run(bench: &mut Bench) {
    scanning(bench);
    parsing(bench);
}

/// Mention URIs as values, and hostile ones.
fn parsing(bench: &mut Bench) {
    let ordinary = [
        "mention://workspace-reference/topic-1?groupId=issue-9&source=task&workspaceId=ws-1",
        "mention://agent-session/6ac4f6df-7e1b-4f0e-9a51-0d6f1c5c7d11?workspaceId=workspace-1",
        "mention://agent-target/local:codex?workspaceId=ws-1",
        "mention://workspace-app/gallery?workspaceId=ws-1&icon=image",
        "mention://kanban/KAN-12",
        "mention://file/docs%2Fplan%20b.md?workspaceId=ws-1",
    ];
    let escaped = [
        "mention://workspace-reference/topic%201?workspaceId=ws-1&source=task&groupId=issue%2F9",
        "mention://file/docs%2Fplan%20b.md?workspaceId=ws-1",
        "mention://docs/caf%C3%A9?q=a+b&n=%E6%97%A5%E6%9C%AC",
        "MENTION://app/t?copy=2&a=x%28y%29",
    ];
    for (case, about, target, uris) in [
        (
            "parse",
            "6 mention URIs as messages hold them, one with escapes, one with keys out of order",
            Some(0.5),
            &ordinary[..],
        ),
        (
            "parse, all escaped",
            "4 mention URIs, each with escapes, keys out of order; the peer leaves the path as it is",
            None,
            &escaped[..],
        ),
    ] {
        bench.versus(
            case,
            about,
            target,
            || uris.iter().filter(|uri| MentionUri::parse(uri).is_ok()).count(),
            "url::Url::parse and collecting query_pairs",
            || {
                let pairs = |uri: &&str| Url::parse(uri).map(|url| url.query_pairs().collect::<Vec<_>>().len());
                uris.iter().map(pairs).filter(Result::is_ok).count()
            },
        );
    }
    let studio = ResourceKinds::studio();
    let resources =
        ["storyboard://sb_01hxyz", "timeline://tl_01hqrs#clip=cl_9", "asset://caf%C3%A9", "asset://clip:0042"];
    bench.versus(
        "parse, resource URIs",
        "4 resource URIs, 17 to 30 bytes",
        None,
        || resources.iter().filter(|uri| studio.parse(uri).is_ok()).count(),
        "url::Url::parse",
        || resources.iter().filter(|uri| Url::parse(uri).is_ok()).count(),
    );
    const HUGE: usize = 4 << 20;
    let linear = 2.3;
    let parse = |text: &String| MentionUri::parse(text).is_ok();
    bench.doubling(
        "one huge id",
        "4 and 8 MiB of one mention URI",
        linear,
        HUGE,
        |size| format!("mention://a/{}", "x".repeat(size)),
        parse,
    );
    bench.doubling(
        "one huge id, a token",
        "4 and 8 MiB of one token",
        linear,
        HUGE,
        |size| format!("@a(id=\"{}\")", "\\u0041".repeat(size / 6)),
        |text: &String| MentionToken::parse(text).is_ok(),
    );
    let all = ScanOptions::new().kinds(ResourceKinds::studio()).bare_uris(true).malformed(true);
    for (case, piece) in [
        ("one line of %41 in text", "%41"),
        ("bad escapes repeated in text", "mention://a/%zz "),
        ("bad escapes repeated in one run", "mention://a/%zz,"),
        ("bad escapes repeated in autolinks", "<mention://a/%zz>"),
    ] {
        bench.doubling(
            case,
            "4 and 8 MiB, scan_markdown with bare URIs and malformed ones",
            linear,
            HUGE,
            |size| format!("mention://a/{}", piece.repeat(size / piece.len())),
            |text: &String| scan_markdown(text, &all).count(),
        );
    }
}

fn scanning(bench: &mut Bench) {
    raw_scan(bench);
    markdown_scan(bench);
    streaming(bench);
    hostile(bench);
}

fn raw_scan(bench: &mut Bench) {
    let size = bench.size(LONG);
    let plain = prose(size);
    let count = |text: &str| memchr::memchr_iter(b'@', text.as_bytes()).count();
    bench.versus(
        "memchr twice (noise floor of this machine)",
        "10 MiB of English prose without `@`",
        None,
        || count(&plain),
        "memchr_iter(b'@')",
        || count(&plain),
    );
    bench.versus(
        "scan, no `@`",
        "10 MiB of English prose without `@`",
        1.1,
        || scan(&plain).count(),
        "memchr_iter(b'@')",
        || count(&plain),
    );
    let dense = with_every(size, 200, "@kanban(id=\"6ac4f6df-7e1b-4f0e\") ");
    bench.versus(
        "scan, a token per 200 bytes",
        "10 MiB of English prose with a token of 34 bytes in every 200",
        3.0,
        || scan(&dense).count(),
        "memchr_iter(b'@')",
        || count(&dense),
    );
    let (usage, found) = crate::alloc::measure(|| scan(&dense).count());
    assert!(found > 0, "the input holds tokens");
    bench.fact("scan, allocations", "the same input", 0.0, "none", count_of(usage.calls));
}

fn markdown_scan(bench: &mut Bench) {
    let size = bench.size(LONG);
    let plain = prose(size);
    let options = ScanOptions::new().kinds(ResourceKinds::studio());
    bench.versus(
        "scan_markdown, no candidates",
        "10 MiB of English prose: the check before any parsing",
        2.5,
        || scan_markdown(&plain, &options).count(),
        "memchr_iter(b'@')",
        || memchr::memchr_iter(b'@', plain.as_bytes()).count(),
    );
    for (case, every) in [("scan_markdown, one in 200 bytes", 200), ("scan_markdown, one in 2,000 bytes", 2_000)] {
        let text = markdown(size, every);
        bench.versus(
            case,
            "10 MiB of Markdown (headings, lists, code, emphasis, tables) with links and tokens in turn",
            1.2,
            || scan_markdown(&text, &options).count(),
            "pulldown-cmark, offset iterator",
            || Parser::new_ext(&text, OPTIONS).into_offset_iter().count(),
        );
    }
    let text = markdown(size, 2_000) + "\n\n[a]: b\n";
    bench.versus(
        "scan_markdown, with a definition",
        "the same with a reference definition at the end: block structure is parsed twice",
        None,
        || scan_markdown(&text, &options).count(),
        "pulldown-cmark, offset iterator",
        || Parser::new_ext(&text, OPTIONS).into_offset_iter().count(),
    );
}

fn streaming(bench: &mut Bench) {
    let size = bench.size(1 << 20);
    let options = ScanOptions::new().kinds(ResourceKinds::studio());
    let one_line = markdown_inline(size);
    let list: String = one_line.split_inclusive(". ").map(|sentence| format!("- {sentence}\n")).collect();
    let lines: String = one_line.split_inclusive(". ").map(|sentence| format!("{sentence}\n")).collect();
    for (case, text) in [
        ("stream, Markdown of all kinds", &markdown(size, 200)),
        ("stream, one paragraph of many lines", &lines),
        ("stream, one paragraph on one line", &one_line),
        ("stream, one list", &list),
    ] {
        bench.versus(
            case,
            "1 MiB in pieces of 8 bytes, the tail asked for after each",
            5.0,
            || stream(text, 8, &options),
            "scan_markdown of the whole",
            || scan_markdown(text, &options).count(),
        );
    }
}

/// Pushes a text in pieces, asks for the tail after each; the number of settled segments.
fn stream(text: &str, piece: usize, options: &ScanOptions) -> usize {
    let mut stream = StreamScanner::new(options.clone());
    let mut settled = 0;
    for piece in text.as_bytes().chunks(piece) {
        settled += stream.push_bytes(piece).len();
        std::hint::black_box(stream.tail());
    }
    settled + stream.finish().len()
}

fn hostile(bench: &mut Bench) {
    let repeated = |piece: &'static str| move |size: usize| piece.repeat(size / piece.len());
    let options = ScanOptions::new().kinds(ResourceKinds::studio()).bare_uris(true).malformed(true);
    let mut family = |name: &str, size: usize, input: &dyn Fn(usize) -> String| {
        let about = format!("{size} bytes and twice that");
        bench.doubling(&format!("scan: {name}"), &about, 2.3, size, input, |text| scan_with(text, &options).count());
        bench.doubling(&format!("scan_markdown: {name}"), &about, 2.3, size, input, |text| {
            scan_markdown(text, &options).count()
        });
        let size = size.min(1 << 20);
        bench.doubling(&format!("stream: {name}"), &about, 2.3, size, input, |text| stream(text, 64, &options));
    };
    const SIZE: usize = 128 << 10;
    for piece in [
        "@a(id=\"",
        "@a(id=\"x\"",
        "@a(id=\"\\x\"",
        "[",
        "[a](",
        "![",
        "\\[",
        "<",
        "&",
        "> > - ",
        "- @a(id=\"1\")\n",
        "https://@a(id=\"1\")/",
        "mention://a/b?k=v,",
        "\u{301}@a(id=\"1\")",
        "*a_ @a(id=\"1\")",
        "[a]: b\n",
    ] {
        // Nesting costs the parser the square of its depth on one line: a line of it has a limit.
        let size = if piece == "> > - " { 4 << 10 } else { SIZE };
        family(&format!("{piece:?} repeated"), size, &repeated(piece));
    }
    family("backtick runs of rising length", SIZE, &|size| {
        let mut text = String::from("@a(id=\"1\") ");
        for length in 1.. {
            if text.len() >= size {
                break;
            }
            text.push_str(&"`".repeat(length));
            text.push('a');
        }
        text
    });
    family("one id", 8 << 20, &|size| format!("@a(id=\"{}\")", "x".repeat(size)));
    family("one line of %41", 8 << 20, &|size| format!("[a](mention://a/{}) mention://a/b", "%41".repeat(size / 3)));
}

#[expect(clippy::cast_precision_loss, reason = "allocations are few")]
fn count_of(calls: usize) -> f64 {
    calls as f64
}

const SENTENCE: &str =
    "The build went through on the second try, after the cache was cleared and the clock set right. ";

/// English-like prose without candidates, `bytes` long.
fn prose(bytes: usize) -> String {
    SENTENCE.chars().cycle().take(bytes).collect()
}

/// Such prose with a piece in every so many bytes.
fn with_every(bytes: usize, every: usize, piece: &str) -> String {
    let words = prose(every - piece.len());
    format!("{} {piece}", words.trim_end()).repeat(bytes / every)
}

/// Sentences with links, tokens, emphasis and code on one line.
fn markdown_inline(bytes: usize) -> String {
    let paragraph = format!(
        "{SENTENCE}See [the *plan*](mention://app/plan?workspaceId=ws-1), **and** @kanban(id=\"KAN-12\") with `some code`. {SENTENCE}"
    );
    paragraph.repeat(bytes / paragraph.len())
}

/// Markdown of all kinds, with a link or a token in every so many bytes.
fn markdown(bytes: usize, every: usize) -> String {
    let blocks = [
        "## A heading of *some* length\n\n",
        "The build went through on the `second` try, after the **cache** was cleared\nand the clock_time set right, see [docs](https://docs.example.test/a/b).\n\n",
        "- one item\n- another with `code`\n  - nested, _twice_\n- and a last one\n\n",
        "```rust\nfn main() { let a = [1, 2, 3]; println!(\"{a:?}\"); }\n```\n\n",
        "> Quoted words, and more of them, over\n> two lines.\n\n",
        "| column | other |\n|---|---|\n| cell | *cell* |\n| x < y | 1 & 2 |\n\n",
    ];
    let findings = [
        "Look at [the plan](mention://app/plan?workspaceId=ws-1) first.\n\n",
        "And at @kanban(id=\"6ac4f6df-7e1b\") then.\n\n",
        "Or at <storyboard://sb_01hxyz>.\n\n",
    ];
    let mut text = String::with_capacity(bytes + every);
    let mut next = (0, 0);
    let mut since = 0;
    while text.len() < bytes {
        let before = text.len();
        if since >= every {
            text.push_str(findings[next.0 % findings.len()]);
            next.0 += 1;
            since = 0;
        } else {
            text.push_str(blocks[next.1 % blocks.len()]);
            next.1 += 1;
            since += text.len() - before;
        }
    }
    text
}
