//! The same answers as comrak, an independent implementation of CommonMark: which links there are and where they lead, and for every token
//! whether it stands in text or in code.
//!
//! CommonMark's own examples are read from the sources of pulldown-cmark, which cargo has wherever this is built: they come with that crate
//! as its tests.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use comrak::nodes::{AstNode, NodeValue};
use comrak::{Arena, Options, parse_document};
use mention_uri::{Form, Item, ScanOptions, in_code, links, scan_markdown};
use proptest::prelude::*;

use crate::markdown_text::{fixtures, own_documents};

/// What comrak makes of a text.
#[derive(Debug, Default, PartialEq)]
struct Seen {
    destinations: Vec<String>,
    /// The ids of tokens in text outside of links and images, and of those in code or HTML, wherever it stands.
    in_text: BTreeSet<String>,
    in_code: BTreeSet<String>,
}

fn comrak(text: &str) -> Seen {
    let mut options = Options::default();
    options.extension.table = true;
    options.extension.strikethrough = true;
    options.extension.tasklist = true;
    let arena = Arena::new();
    // Neither crate's business: a lone CR is a line end, NUL is replaced.
    let root = parse_document(&arena, text, &options);
    let mut seen = Seen::default();
    visit(root, false, &mut seen);
    seen
}

fn visit<'a>(node: &'a AstNode<'a>, is_held: bool, seen: &mut Seen) {
    let mut prose = String::new();
    for child in node.children() {
        let mut held = is_held;
        match &child.data.borrow().value {
            NodeValue::Text(text) => prose.push_str(text),
            NodeValue::Code(code) => {
                prose.push('\u{1}');
                seen.in_code.extend(ids(&code.literal));
            }
            NodeValue::CodeBlock(block) => {
                seen.in_code.extend(ids(&block.info));
                seen.in_code.extend(ids(&block.literal));
            }
            NodeValue::HtmlBlock(block) => seen.in_code.extend(ids(&block.literal)),
            NodeValue::HtmlInline(html) => {
                prose.push('\u{1}');
                seen.in_code.extend(ids(html));
            }
            NodeValue::Link(link) => {
                prose.push('\u{1}');
                if !is_held {
                    seen.destinations.push(link.url.clone());
                }
                held = true;
            }
            NodeValue::Image(_) => {
                prose.push('\u{1}');
                held = true;
            }
            _ => prose.push('\u{1}'),
        }
        visit(child, held, seen);
    }
    if !is_held {
        seen.in_text.extend(ids(&prose));
    }
}

/// The ids of the tokens that these tests use, wherever they stand in `text`.
fn ids(text: &str) -> Vec<String> {
    text.split("@token(id=\"").skip(1).filter_map(|rest| Some(rest.split_once("\")")?.0.to_owned())).collect()
}

fn ours(text: &str) -> Seen {
    let destinations = links(text, true).map(|link| link.destination().to_owned()).collect();
    let options = ScanOptions::new().reference_links(true);
    let in_text = scan_markdown(text, &options)
        .filter_map(|found| match found.item() {
            Item::Token(token) if token.name() == "token" => Some(token.id().to_owned()),
            _ => None,
        })
        .collect();
    let in_code = text
        .match_indices("@token(id=\"")
        .filter(|&(at, _)| in_code(text, at))
        .filter_map(|(at, _)| ids(&text[at..]).into_iter().next())
        .collect();
    Seen { destinations, in_text, in_code }
}

/// Numbers the tokens, so that each can be told from the others.
fn numbered(text: &str) -> String {
    let mut pieces = text.split("@token");
    let mut numbered = pieces.next().unwrap_or_default().to_owned();
    for (number, piece) in pieces.enumerate() {
        numbered += &format!("@token(id=\"{number}\")");
        numbered += piece;
    }
    numbered
}

/// comrak 0.59 makes a link inside of a link of `[[x](a)[y]](b)`, which CommonMark rules out ("links cannot contain other links"); such texts
/// tell nothing.
fn comrak_nests_links(text: &str) -> bool {
    fn nests<'a>(node: &'a AstNode<'a>, inside: bool) -> bool {
        node.children().any(|child| {
            let is_link = matches!(child.data.borrow().value, NodeValue::Link(_));
            (is_link && inside) || nests(child, inside || is_link)
        })
    }
    nests(parse_document(&Arena::new(), text, &Options::default()), false)
}

#[track_caller]
fn same(text: &str) {
    assert_eq!(ours(text), comrak(text), "{text:?}");
}

/// The platform that this is built on: packages of others may not be there.
fn host() -> String {
    let output = Command::new("rustc").arg("-vV").output().unwrap();
    let told = String::from_utf8(output.stdout).unwrap();
    told.lines().find_map(|line| line.strip_prefix("host: ")).unwrap().to_owned()
}

/// CommonMark's examples, as pulldown-cmark's own tests hold them.
fn spec_examples() -> Vec<String> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--offline", "--filter-platform", &host(), "--manifest-path"])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"))
        .output()
        .unwrap();
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let manifest = metadata["packages"]
        .as_array()
        .unwrap()
        .iter()
        .find(|package| package["name"] == "pulldown-cmark")
        .and_then(|package| package["manifest_path"].as_str())
        .unwrap();
    let source = std::fs::read_to_string(Path::new(manifest).parent().unwrap().join("tests/suite/spec.rs")).unwrap();
    let open = "let original = r##\"";
    source.split(open).skip(1).map(|rest| rest.split_once("\"##;").unwrap().0.to_owned()).collect()
}

#[test]
fn commonmark_s_examples() {
    let examples = spec_examples();
    assert!(examples.len() > 640, "only {} examples", examples.len());
    for example in &examples {
        same(example);
        // The same with tokens: before, after, and for the words in it.
        same(&numbered(&format!("x @token y\n\n{example}\n\n@token")));
        for word in ["foo", "bar", "a", "foo bar", "hello"] {
            if example.contains(word) {
                same(&numbered(&example.replace(word, &format!("{word} @token "))));
            }
        }
    }
}

#[test]
fn mentions_in_commonmark_s_examples_are_found_exactly() {
    // Every destination becomes a mention; then what is found is what comrak has for links.
    for example in spec_examples() {
        let text = example.replace("/url", "mention://app/url").replace("/uri", "mention://app/uri");
        let expected: Vec<String> = comrak(&text)
            .destinations
            .into_iter()
            .filter(|destination| destination.starts_with("mention://app/ur"))
            .collect();
        let options = ScanOptions::new().reference_links(true).malformed(true);
        let found: Vec<_> = scan_markdown(&text, &options).filter(|found| found.form() != Form::Token).collect();
        assert_eq!(found.len(), expected.len(), "{text:?}");
        for (found, expected) in found.iter().zip(&expected) {
            if let Item::Mention(uri) = found.item() {
                let uri = uri.clone();
                assert_eq!(mention_uri::MentionUri::parse(expected), Ok(uri), "{text:?}");
            }
        }
    }
}

#[test]
fn the_fixtures_and_the_project_s_own_documents() {
    for text in fixtures().iter().chain(&own_documents()) {
        assert_eq!(ours(text).destinations, comrak(text).destinations, "{text:?}");
        let mut count = 0;
        let with_tokens: String = text
            .split_inclusive(". ")
            .map(|sentence| {
                count += 1;
                if count % 3 == 0 { format!("{sentence}@token ") } else { sentence.to_owned() }
            })
            .collect();
        same(&numbered(&with_tokens));
    }
}

fn piece() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "a",
        "b",
        " ",
        " ",
        "\n",
        "\n",
        "\n\n",
        "    ",
        "- ",
        "1. ",
        "> ",
        "# ",
        "***\n",
        "===\n",
        "```\n",
        "`",
        "``",
        "~~~\n",
        "[",
        "]",
        "](",
        "](u)",
        "[x](mention://app/p)",
        "<mention://app/p>",
        // Alone at the start of a lazy continuation line comrak takes a tag for an HTML block, which can't interrupt a paragraph.
        "a<b>",
        "\n\n<b>\n",
        "<!-- ",
        " -->",
        "<div>\n",
        " @token ",
        " @token ",
        "\\",
        "*",
        "_",
        "**",
        "~~",
        "!",
        "![",
        "\n\n| [x](u) | @token |\n|---|---|\n| a \\| @token | `b` |\n\n",
        "&amp;",
        "[y]: z\n",
        "[y]",
        "\"",
        "'",
    ])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, failure_persistence: None, rng_seed: crate::seed(), ..ProptestConfig::default() })]

    #[test]
    fn generated_documents(pieces in prop::collection::vec(piece(), 0..16)) {
        let text = numbered(&pieces.concat());
        prop_assume!(!comrak_nests_links(&text));
        same(&text);
    }
}
