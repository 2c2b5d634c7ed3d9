//! Written links and written text, read back by two CommonMark readers: comrak and pulldown-cmark.

use comrak::nodes::{AstNode, NodeValue};
use comrak::{Arena, Options, parse_document};
use mention_uri::{MentionUri, ResourceKinds, ScanOptions, escape_text, link, link_after, scan_markdown, scan_with};
use proptest::prelude::*;
use pulldown_cmark::{Event, Parser, Tag, TagEnd};

/// What a reader makes of a document: its structure as words, its text as it reads.
type Reading = Vec<String>;

fn push_text(reading: &mut Reading, text: &str) {
    match reading.last_mut() {
        Some(last) if last.starts_with("text:") => last.push_str(text),
        _ => reading.push(format!("text:{text}")),
    }
}

fn by_pulldown(markdown: &str) -> Reading {
    use pulldown_cmark::Options;
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut reading = Reading::new();
    for event in Parser::new_ext(markdown, options) {
        match event {
            Event::Text(text) => push_text(&mut reading, &text),
            Event::SoftBreak => push_text(&mut reading, " "),
            Event::Start(Tag::Link { dest_url, .. }) => reading.push(format!("link:{dest_url}")),
            Event::End(TagEnd::Link) => reading.push("end of link".to_owned()),
            other => reading.push(format!("{other:?}")),
        }
    }
    reading
}

fn by_comrak(markdown: &str) -> Reading {
    fn visit<'a>(node: &'a AstNode<'a>, reading: &mut Reading) {
        for child in node.children() {
            let word = match &child.data.borrow().value {
                NodeValue::Text(text) => {
                    push_text(reading, text);
                    continue;
                }
                NodeValue::SoftBreak => {
                    push_text(reading, " ");
                    continue;
                }
                NodeValue::Link(link) => format!("link:{}", link.url),
                NodeValue::Table(_) => "table".to_owned(),
                NodeValue::HtmlInline(html) => format!("html {html}"),
                other => format!("{other:?}"),
            };
            reading.push(word);
            visit(child, reading);
            reading.push("end".to_owned());
        }
    }
    let mut options = Options::default();
    options.extension.table = true;
    options.extension.strikethrough = true;
    options.extension.tasklist = true;
    let arena = Arena::new();
    let mut reading = Reading::new();
    visit(parse_document(&arena, markdown, &options), &mut reading);
    reading
}

/// Where text may be put: what stands before and after, with nothing open.
const PLACES: &[(&str, &str)] = &[
    ("", ""),
    ("see ", " now"),
    ("# ", ""),
    ("# ", " #"),
    ("- ", "\n- b"),
    ("1. a\n2. ", ""),
    ("> ", "\n> more"),
    ("para\n", "\nmore"),
    ("para\n", ""),
    ("| a | b |\n|---|---|\n| ", " | x |"),
    ("*", "*"),
    ("**bold ", "**"),
    ("`code` ", " `code`"),
    ("[x](y) ", " [x](y)"),
    ("a\\\n", "\\\nb"),
    ("(", ")"),
    ("- [ ] ", ""),
];

const MARK: &str = "MARKMARK";

/// The reading of a place, with what was put there.
fn expected(reader: impl Fn(&str) -> Reading, before: &str, after: &str, text: &str) -> Reading {
    let mut reading: Reading =
        reader(&format!("{before}{MARK}{after}")).iter().map(|word| word.replace(MARK, text)).collect();
    reading.retain(|word| word != "text:");
    reading
}

/// A label as it reads back: line breaks and controls as one space, ends trimmed.
fn folded(label: &str) -> String {
    let breaks = |c: char| c.is_control() || c == '\u{2028}' || c == '\u{2029}';
    let mut out = String::new();
    let mut run = String::new();
    for c in label.chars().chain(['\0']) {
        if breaks(c) || c.is_whitespace() {
            run.push(c);
        } else {
            out += if run.contains(breaks) { " " } else { &run };
            run.clear();
            out.push(c);
        }
    }
    out.trim().to_owned()
}

/// Text as [`escape_text`] promises it: line breaks as spaces, NUL as Markdown shows it.
fn one_line(text: &str) -> String {
    let breaks = |c: char| matches!(c, '\n' | '\r' | '\u{B}' | '\u{C}' | '\u{85}' | '\u{2028}' | '\u{2029}');
    text.replace("\r\n", "\n").replace(breaks, " ").replace('\0', "\u{FFFD}")
}

fn uri() -> MentionUri {
    MentionUri::new("agent", "a_1*b").unwrap().with("copy", "2").unwrap().with("a", "x(y)").unwrap()
}

#[track_caller]
fn link_reads_back(before: &str, label: &str, after: &str) {
    let uri = uri();
    let written = format!("{before}{}{after}", link_after(before, label, &uri));
    let label = folded(label);
    for (name, reading) in [("comrak", by_comrak(&written)), ("pulldown", by_pulldown(&written))] {
        let at = reading
            .iter()
            .rposition(|word| *word == format!("link:{uri}"))
            .unwrap_or_else(|| panic!("{name}: {written:?} {reading:?}"));
        if label.is_empty() {
            assert!(reading[at + 1].starts_with("end"), "{name}: {written:?} {reading:?}");
        } else {
            assert_eq!(reading[at + 1], format!("text:{label}"), "{name}: {written:?}");
            assert!(reading[at + 2].starts_with("end"), "{name}: {written:?} {reading:?}");
        }
    }
    let options = ScanOptions::new();
    let found: Vec<_> = scan_markdown(&written, &options).collect();
    let ours =
        found.iter().find(|found| matches!(found.item(), mention_uri::Item::Mention(found) if *found == uri)).unwrap();
    assert_eq!(ours.label(), Some(&*label), "{written:?}");
}

#[track_caller]
fn text_reads_back(before: &str, text: &str, after: &str) {
    let escaped = escape_text(text);
    assert!(!escaped.contains(['\n', '\r']));
    let written = format!("{before}{escaped}{after}");
    let text = one_line(text);
    let words = |reading: Reading| reading.into_iter().filter(|word| word != "text:").collect::<Reading>();
    assert_eq!(words(by_comrak(&written)), expected(by_comrak, before, after, &text), "comrak: {written:?}");
    assert_eq!(words(by_pulldown(&written)), expected(by_pulldown, before, after, &text), "pulldown: {written:?}");
    let all = ScanOptions::new().kinds(ResourceKinds::studio()).bare_uris(true).malformed(true).reference_links(true);
    assert_eq!(scan_with(&escaped, &all).count(), 0, "{escaped:?}");
    assert_eq!(scan_markdown(&escaped, &all).count(), 0, "{escaped:?}");
}

#[test]
fn markdown_06_a_bracket_in_a_label() {
    let uri = MentionUri::new("agent", "a1").unwrap();
    assert_eq!(link("@a]b", &uri), r"[@a\]b](mention://agent/a1)");
    let options = ScanOptions::new();
    let written = link("@a]b", &uri);
    assert_eq!(scan_markdown(&written, &options).next().unwrap().label(), Some("@a]b"));
    assert_eq!(scan_markdown("[@a]b](mention://agent/a1)", &options).count(), 0);
}

#[test]
fn markdown_09_a_label_that_ends_in_a_backslash() {
    let uri = MentionUri::new("agent", "a1").unwrap();
    assert_eq!(link(r"@win\", &uri), r"[@win\\](mention://agent/a1)");
    link_reads_back("", r"@win\", "");
    assert_eq!(scan_markdown(r"[@win\](mention://agent/a1)", &ScanOptions::new()).count(), 0);
}

#[test]
fn markdown_10_a_backtick_in_a_label() {
    link_reads_back("", "@Bob`", " says `hi`");
    link_reads_back("`a ", "@Bob`", " b");
}

#[test]
fn labels_of_all_kinds_everywhere() {
    let labels = [
        "",
        " ",
        "plain",
        "@Ann",
        "[x](y)",
        "[[",
        "]]",
        "]",
        "![x](y)",
        "!",
        "x!",
        "\\",
        "\\\\",
        "\\]",
        "`x`",
        "``",
        "```",
        "*a*",
        "**",
        "_a_",
        "__a__",
        "a_b",
        "~~x~~",
        "~",
        "<b>",
        "<!-- x -->",
        "<https://x.test>",
        "https://x.test",
        "a@b.test",
        "&amp;",
        "&#64;",
        "&copy",
        "|",
        "a|b|c",
        "\\|",
        "a\nb",
        "a\r\n\r\nb",
        "a  \nb",
        "\n",
        " a ",
        "\u{A0}a\u{A0}",
        "a\tb",
        "a\0b",
        "a\u{1B}[31mb",
        "a\u{2028}b",
        "# x",
        "- x",
        "1. x",
        "> x",
        "    x",
        "[ ] x",
        "[^1]",
        "$x$",
        "a^b^",
        ":x:",
        "e\u{301}",
        "👩\u{200D}🚀",
        "\u{202E}gpj",
        "\"q\"",
        "'q'",
        "---",
        "===",
        "a](mention://x/y)",
    ];
    for label in labels {
        for (before, after) in PLACES {
            link_reads_back(before, label, after);
        }
    }
}

#[test]
fn behind_an_exclamation_mark() {
    for before in ["!", "wow!", "\\!", "\\\\!", "!!", "# hey!"] {
        link_reads_back(before, "@Ann", "");
    }
    // Escaped text can be put before a link as it is.
    let text = format!("{}{}", escape_text("wow!"), link("@Ann", &uri()));
    assert_eq!(scan_markdown(&text, &ScanOptions::new()).count(), 1);
}

#[test]
fn a_resource_as_target() {
    let resource = ResourceKinds::studio().parse("storyboard://sb_x#shot=s3").unwrap();
    assert_eq!(link("Beach intro", &resource), "[Beach intro](storyboard://sb_x#shot=s3)");
}

#[test]
fn texts_of_all_kinds_everywhere() {
    let texts = [
        "x",
        "@asset(id=\"a\")",
        "x @asset(id=\"a)",
        "[x](mention://a/b)",
        "<mention://a/b>",
        "mention://a/b",
        "asset://as_1",
        "nodetool://asset/a",
        "[x][y]",
        "# x",
        "## x ##",
        "x #",
        "x ##",
        "#",
        "-",
        "- x",
        "+ x",
        "* x",
        "---",
        "***",
        "___",
        "===",
        "=",
        "1. x",
        "1) x",
        "123456789. x",
        "12",
        "> x",
        ">",
        "    x",
        "\tx",
        "x  ",
        "x\\",
        " x ",
        "  ",
        " ",
        "\t",
        "a\tb",
        "`x`",
        "``",
        "```",
        "~~~",
        "~~x~~",
        "~x~",
        "*x*",
        "_x_",
        "a_b",
        "<b>",
        "<!--",
        "<?x",
        "</b>",
        "&amp;",
        "&#35;",
        "&",
        "a & b",
        "AT&T;",
        "|",
        "a | b",
        "| a |",
        "---|---",
        ":-:",
        ":--",
        "|---|",
        "!",
        "![x](y)",
        "x!",
        "\\",
        "\\\\",
        "\\*",
        "[ ] x",
        "[x] x",
        "[^1]: x",
        "[a]: b",
        "a\nb",
        "a\r\nb",
        "\r\r\n",
        "\n# x",
        "a\u{B}b",
        "a\u{C}b",
        "\u{85}",
        "a\u{2028}b",
        "\0",
        "a\0b",
        "\u{1}x\u{7F}",
        "\u{A0}x\u{A0}",
        "\u{3000}x",
        "\u{FEFF}x",
        "\u{200B}",
        "https://x.test/@a(id=\"b\")",
        "www.x.test",
        "a@b.test",
        "$x$",
        "^x^",
        "{x}",
        ":x:",
        "+++",
        "---\na: b\n---",
        "\"q\" 'q' -- ...",
        "(c)",
        "@a\\(id=\"b\")",
        "@@a(id=\"b\")",
        "a://b://c",
        "1\\. x",
        "Fix @kanban(id=\"7\") *now*",
    ];
    for text in texts {
        for (before, after) in PLACES {
            text_reads_back(before, text, after);
        }
    }
    assert_eq!(escape_text(""), "");
    assert_eq!(
        escape_text("Fix login redirect, at 12:30 - KAN-12 (v2.0)!x"),
        "Fix login redirect, at 12:30 - KAN-12 \\(v2.0)!x"
    );
}

#[test]
fn halves_of_a_candidate_do_not_meet() {
    let all = ScanOptions::new().kinds(ResourceKinds::studio()).bare_uris(true);
    for (one, other) in [
        ("@a", "(id=\"b\")"),
        ("@", "a(id=\"b\")"),
        ("mention", "://a/b"),
        ("[x]", "(mention://a/b)"),
        ("x!", "[y](z)"),
    ] {
        let text = format!("{}{}", escape_text(one), escape_text(other));
        assert_eq!(scan_with(&text, &all).count() + scan_markdown(&text, &all).count(), 0, "{text}");
    }
}

/// Text that looks like Markdown.
fn markdownish() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        2 => prop::sample::select("[]()<>!*_~`|\\&#-+=.:;@\"'/{}$^1a \t\n\r\0\u{A0}\u{85}\u{2028}é".chars().collect::<Vec<_>>()).prop_map(String::from),
        1 => prop::sample::select(vec!["mention://a/b", "asset://x", "@a(id=\"b\")", "](", "&amp;", "&#35;", "<b>", "<!--", "-->", "```", "~~~", "---", "1. ", "- ", "\r\n", "://", "**", "\\\\"])
            .prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..10).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_label_reads_back(label in markdownish(), place in prop::sample::select(PLACES.to_vec())) {
        link_reads_back(place.0, &label, place.1);
    }

    #[test]
    fn any_text_reads_back(text in markdownish(), place in prop::sample::select(PLACES.to_vec())) {
        if !text.is_empty() {
            text_reads_back(place.0, &text, place.1);
        }
    }
}
