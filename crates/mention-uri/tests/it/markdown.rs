//! The search in Markdown: the reported cases of the areas "markdown" and "token", and its rules one by one.

use mention_uri::{Form, Found, Item, ResourceKinds, ScanOptions, in_code, links, scan_markdown};

use crate::scan::check_ranges;

#[track_caller]
fn with(text: &str, options: &ScanOptions) -> Vec<Found<'static>> {
    let found: Vec<_> = scan_markdown(text, options).collect();
    check_ranges(text, &found);
    found.into_iter().map(Found::into_owned).collect()
}

#[track_caller]
fn find(text: &str) -> Vec<Found<'static>> {
    with(text, &ScanOptions::new().kinds(ResourceKinds::studio()))
}

/// What is meant, one word a finding: the entity, id or code.
#[track_caller]
fn targets(text: &str) -> Vec<String> {
    find(text).iter().map(target).collect()
}

fn target(found: &Found<'_>) -> String {
    match found.item() {
        Item::Token(token) => token.id().to_owned(),
        Item::Mention(uri) => uri.entity().to_owned(),
        Item::Resource(uri) => uri.id().to_owned(),
        Item::Malformed { code } => (*code).to_owned(),
        other => panic!("unknown item {other:?}"),
    }
}

const NONE: [&str; 0] = [];

#[test]
fn token_11_a_backslash_before_the_at_sign() {
    assert_eq!(targets(r#"write \@asset(id="a") to point at a clip"#), NONE);
    assert_eq!(targets(r#"write \\@asset(id="a")"#), ["a"]);
    assert_eq!(targets(r#"write \\\@asset(id="a")"#), NONE);
    assert_eq!(targets("one\\\n@asset(id=\"a\")"), ["a"]);
    assert_eq!(targets(r#"*\@asset(id="a")*"#), NONE);
}

#[test]
fn token_12_emphasis_around_a_token() {
    let text = r#"see **@asset(id="a")** and _@asset(id="b")_"#;
    let found = find(text);
    assert_eq!(found.iter().map(target).collect::<Vec<_>>(), ["a", "b"]);
    assert_eq!(found.iter().map(Found::source).collect::<Vec<_>>(), [r#"@asset(id="a")"#, r#"@asset(id="b")"#]);
    // A literal underscore is a word character, an escaped one too.
    assert_eq!(targets(r#"x _@asset(id="b") y"#), NONE);
    assert_eq!(targets(r#"x \_@asset(id="b") y"#), NONE);
    // The character before an emphasis mark is the one before the token.
    assert_eq!(targets(r#"*x*@asset(id="b")"#), NONE);
    assert_eq!(targets(r#"*x.*@asset(id="b")"#), ["b"]);
    assert_eq!(targets("*e*\u{301}@asset(id=\"b\")"), NONE);
    assert_eq!(targets("*.*\u{301}@asset(id=\"b\")"), ["b"]);
    assert_eq!(targets(r#"~~@asset(id="b")~~"#), ["b"]);
}

#[test]
fn token_14_in_a_link_label() {
    assert_eq!(targets(r#"[@asset(id="a")](https://x.test)"#), NONE);
    assert_eq!(targets(r#"[@asset(id="a")](mention://agent/a1)"#), ["a1"]);
    assert_eq!(targets(r#"[x](https://x.test "@asset(id='a')")"#), NONE);
}

#[test]
fn token_15_in_a_web_address() {
    assert_eq!(targets(r#"https://social.test/@asset(id="a")/17"#), NONE);
    assert_eq!(targets(r#"https://*x*/@asset(id="a")"#), NONE);
    assert_eq!(targets(r#"<https://x.test/>@asset(id="a")"#), ["a"]);
    assert_eq!(targets("https://x.test/\n@asset(id=\"a\")"), ["a"]);
    // A link with an address in it is a thing of its own.
    assert_eq!(targets(r#"[x](https://x.test)/@asset(id="a")"#), ["a"]);
}

#[test]
fn an_id_is_read_as_json_reads_it() {
    assert_eq!(targets(r#"@asset(id="a\"b")"#), [r#"a"b"#]);
    assert_eq!(targets(r#"@asset(id="a&amp;b")"#), ["a&amp;b"]);
    assert_eq!(targets(r#"@asset(id="a*b*c") *x*"#), ["a*b*c"]);
    assert_eq!(targets(r#"@asset(id="a*b") c*"#), ["a*b"]);
    assert_eq!(targets(r#"@asset(id="a_b_") ~~x"#), ["a_b_"]);
    assert_eq!(targets(r#"@asset(id="a\u0062")"#), ["ab"]);
    assert_eq!(targets(r#"@asset(id="[x] <1> !")"#), ["[x] <1> !"]);
    assert_eq!(targets(r#"@asset(id="a b`c")"#), ["a b`c"]);
}

#[test]
fn what_markdown_gives_precedence_to_wins() {
    assert_eq!(targets(r#"@asset(id="a `b")` c"#), NONE);
    assert_eq!(targets(r#"@asset(id="<b>")"#), NONE);
    assert_eq!(targets(r#"@asset(id="[x](mention://agent/a1)")"#), ["a1"]);
    assert_eq!(targets(r#"@asset(id="[x](y)")"#), NONE);
    assert_eq!(targets(r#"@asset(id="![x](y)")"#), NONE);
    assert_eq!(targets(r#"@asset(id="<mention://agent/a1>")"#), ["a1"]);
    // The candidate that fails hides none that does not.
    assert_eq!(targets(r#"@asset(id="*@asset(id="b")` `")"#), ["b"]);
    assert_eq!(targets(r#"@fn(id="x @asset(id=")*y*")"#), [")*y*"]);
    assert_eq!(targets(r#"@asset(id="x @asset(id=")`y`")"#), ["x @asset(id="]);
}

#[test]
fn after_what_is_no_text_there_is_no_word_character() {
    for before in ["`a`", "[a](b)", "![a](b)", "<b>", "<https://x.test/a>", "a<br>", "- [x] "] {
        let text = format!(r#"{before}@asset(id="1")"#);
        assert_eq!(targets(&text), ["1"], "{text}");
    }
    assert_eq!(targets(r#"&#97;@asset(id="1")"#), NONE);
    assert_eq!(targets(r#"a&amp;@asset(id="1")"#), ["1"]);
    assert_eq!(targets(r#"&#64;asset(id="1")"#), NONE);
}

#[test]
fn a_token_stays_in_its_cell_and_line() {
    assert_eq!(targets("|a|b|\n|-|-|\n|@asset(id=\"1\")|@asset(id=\"x|y\")|"), ["1"]);
    assert_eq!(targets("|a|b|\n|-|-|\n|https://x/|@asset(id=\"1\")|"), ["1"]);
    assert_eq!(targets("|a|\n|-|\n|x|@asset(id=\"1\")|"), NONE);
    assert_eq!(targets("@asset(id=\"x\ny\")"), NONE);
    assert_eq!(targets("@asset(id=\"x\ry\")"), NONE);
    assert_eq!(targets("> @asset(id=\"x\n> y\")"), NONE);
}

#[test]
fn markdown_02_and_03_spans_in_bytes() {
    let text = "中\u{20bb7} [@Ann](mention://agent/a1)";
    assert_eq!(find(text)[0].span(), 8..34);
    let text = "\u{2764}\u{fe0f}\u{1f534}\n[@Ann](mention://agent/a1)";
    assert_eq!(find(text)[0].span(), 11..37);
}

#[test]
fn markdown_06_brackets_in_a_label() {
    let found = find(r"[@a\]b](mention://agent/a1)");
    assert_eq!(found[0].label(), Some("@a]b"));
    assert_eq!(targets("[@a]b](mention://agent/a1)"), NONE);
    assert_eq!(find("[a [b] c](mention://agent/a1)")[0].label(), Some("a [b] c"));
}

#[test]
fn markdown_09_a_backslash_at_the_end_of_a_label() {
    assert_eq!(find(r"[@win\\](mention://agent/a1)")[0].label(), Some(r"@win\"));
    assert_eq!(targets(r"[@win\](mention://agent/a1)"), NONE);
}

#[test]
fn markdown_10_a_backtick_in_a_label() {
    assert_eq!(targets("[@Bob`](mention://agent/a1) says `hi`"), NONE);
    assert_eq!(find(r"[@Bob\`](mention://agent/a1) says `hi`")[0].label(), Some("@Bob`"));
}

#[test]
fn markdown_12_reference_links_only_on_request() {
    let text = "[@Ann][a] and [a] and [a][]\n\n[a]: mention://agent/a1";
    assert_eq!(targets(text), NONE);
    let found = with(text, &ScanOptions::new().reference_links(true));
    assert_eq!(found.iter().map(target).collect::<Vec<_>>(), ["a1", "a1", "a1"]);
    assert_eq!(found.iter().map(Found::source).collect::<Vec<_>>(), ["[@Ann][a]", "[a]", "[a][]"]);
    assert!(found.iter().all(|found| found.form() == Form::Reference));
    // They are text: what stands in them is found, and an outer link is one.
    assert_eq!(targets("[see @asset(id=\"1\")][a]\n\n[a]: x"), ["1"]);
    assert_eq!(targets("[out [a] er](mention://agent/a1)\n\n[a]: x"), ["a1"]);
    assert_eq!(targets("[x][@asset(id=\"1\")]\n\n[@asset(id=\"1\")]: x"), ["1"]);
    // A definition is no text.
    assert_eq!(targets("[a]: <@asset(id='1')>"), NONE);
}

#[test]
fn markdown_13_to_15_destinations() {
    assert_eq!(targets("[x](mention://file/f(1).md)"), ["f(1).md"]);
    assert_eq!(targets("[x](mention://file/f(1.md)"), NONE);
    let found = find("[x](mention://file/f)1.md)");
    assert_eq!((target(&found[0]), found[0].source()), ("f".to_owned(), "[x](mention://file/f)"));
    assert_eq!(targets(r"[x](mention://file/f\)1.md)"), ["f)1.md"]);
    // A raw space is an error inside of a URI, and the link that holds it is told as a whole.
    assert_eq!(targets("[x](<mention://file/My Doc (a).md>)"), NONE);
    let found = with("[x](<mention://file/My Doc (a).md>)", &ScanOptions::new().malformed(true));
    assert_eq!((target(&found[0]), found[0].span()), ("invalid_character".to_owned(), 0..35));
    assert_eq!(targets("[x](mention://file/My Doc.md)"), NONE);
    let found = find("[x](<mention://file/a>b)");
    assert_eq!(
        (target(&found[0]), found[0].source(), found[0].form()),
        ("a".to_owned(), "<mention://file/a>", Form::Autolink)
    );
}

#[test]
fn markdown_16_a_query_after_the_parenthesis_is_text() {
    let found = find("[@Plan](mention://app/plan)?ws=w1 ok");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].source(), "[@Plan](mention://app/plan)");
}

#[test]
fn markdown_18_to_25_fences() {
    assert_eq!(targets("```\nx\n````\n[@Ann](mention://agent/a1)"), ["a1"]);
    assert_eq!(targets("regex ``` here\n[@Ann](mention://agent/a1)"), ["a1"]);
    assert_eq!(targets("````abc````\n\n[@Ann](mention://agent/a1)"), ["a1"]);
    assert_eq!(targets("```\nx\n``` y\n[@Ann](mention://agent/a1)"), NONE);
    assert_eq!(targets("```\n[@Ann](mention://agent/a1)\n\n[@Bo](mention://agent/b1)"), NONE);
    assert_eq!(targets("~~~\n@asset(id=\"1\")\n```\n@asset(id=\"2\")\n~~~\n@asset(id=\"3\")"), ["3"]);
    assert_eq!(targets("> ```\n> @asset(id=\"1\")\n\n@asset(id=\"2\")"), ["2"]);
    assert_eq!(targets("- ```\n  @asset(id=\"1\")\n\n@asset(id=\"2\")"), ["2"]);
}

#[test]
fn markdown_23_code_spans_over_lines() {
    assert_eq!(targets("`one\n[@Ann](mention://agent/a1) two`"), NONE);
    assert_eq!(targets("`one\n\n[@Ann](mention://agent/a1) two`"), ["a1"]);
}

#[test]
fn markdown_27_indented_code() {
    assert_eq!(targets("text\n\n    [@Ann](mention://agent/a1)"), NONE);
    assert_eq!(targets("text\n    [@Ann](mention://agent/a1)"), ["a1"]);
    assert_eq!(targets("- item\n\n    [@Ann](mention://agent/a1)"), ["a1"]);
}

#[test]
fn markdown_28_comments_and_raw_html() {
    assert_eq!(targets("hi <!-- [@Ann](mention://agent/a1) --> there"), NONE);
    assert_eq!(targets("<!--\n\n[@Ann](mention://agent/a1)\n\n-->\n[@Bo](mention://agent/b1)"), ["b1"]);
    assert_eq!(targets("<div>\n[@Ann](mention://agent/a1)\n</div>\n\n[@Bo](mention://agent/b1)"), ["b1"]);
    assert_eq!(targets("a <i title='[@Ann](mention://agent/a1)'>@asset(id=\"1\")</i>"), ["1"]);
}

#[test]
fn markdown_30_quotes_are_told() {
    let found = find("> [@Ann](mention://agent/a1)\n> > @asset(id=\"1\")\n\n@asset(id=\"2\")");
    assert_eq!(found.iter().map(Found::in_quote).collect::<Vec<_>>(), [true, true, false]);
    assert!(find("> - a\n>   - @asset(id=\"1\")")[0].in_quote());
}

#[test]
fn markdown_31_character_references_in_a_destination() {
    let found = find("[x](mention://app/t?a=1&amp;b=2) [x](mention://app/t?a=1&copy=2)");
    let scopes: Vec<Vec<(&str, &str)>> = found
        .iter()
        .map(|found| match found.item() {
            Item::Mention(uri) => uri.scope().collect(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(scopes, [[("a", "1"), ("b", "2")], [("a", "1"), ("copy", "2")]]);
    assert_eq!(targets("[x](mention&colon;//app/t)"), ["t"]);
}

#[test]
fn markdown_33_titles() {
    let found = find(r#"[x](mention://file/a "Title (1)")."#);
    assert_eq!((target(&found[0]), found[0].span()), ("a".to_owned(), 0..33));
}

#[test]
fn markdown_34_autolinks_and_bare_uris() {
    let found = find("<mention://file/a>");
    assert_eq!((target(&found[0]), found[0].form(), found[0].label()), ("a".to_owned(), Form::Autolink, None));
    assert_eq!(targets("see mention://file/a."), NONE);
    let bare = ScanOptions::new().kinds(ResourceKinds::studio()).bare_uris(true);
    for (text, expected) in [
        ("see mention://file/a.", "mention://file/a"),
        ("(mention://file/Foo_(bar))", "mention://file/Foo_(bar)"),
        ("mention://file/a。", "mention://file/a"),
        ("**mention://file/a**", "mention://file/a"),
        ("_mention://file/a_", "mention://file/a"),
        ("mention://file/a_b_c and _d_", "mention://file/a_b_c"),
        ("mention://file/a*b*c", "mention://file/a*b*c"),
        ("mention://file/a[x](y)", "mention://file/a"),
        ("mention://file/a![x](y)", "mention://file/a"),
        ("mention://file/a`b`", "mention://file/a"),
        ("mention://file/a<b>", "mention://file/a"),
        ("|mention://file/a|b|\n|-|-|", "mention://file/a"),
        ("`x`mention://file/a", "mention://file/a"),
        ("# mention://file/a #", "mention://file/a"),
    ] {
        let found = with(text, &bare);
        assert_eq!(found.iter().map(Found::source).collect::<Vec<_>>(), [expected], "{text}");
        assert_eq!(found[0].form(), Form::Bare);
    }
    for text in [
        "`mention://file/a`",
        "[mention://file/a](x)",
        "[x](y 'mention://file/a')",
        "![mention://file/a](x)",
        "&#47;mention://file/a",
    ] {
        assert_eq!(with(text, &bare), [], "{text}");
    }
}

#[test]
fn markdown_36_a_sign_outside_of_the_link() {
    let found = find("@[Plan](mention://doc/p1)");
    assert_eq!((found[0].source(), found[0].label()), ("[Plan](mention://doc/p1)", Some("Plan")));
}

#[test]
fn markdown_37_line_breaks_in_a_link() {
    assert_eq!(find("[@Ann\nLee](mention://agent/a1)")[0].label(), Some("@Ann Lee"));
    assert_eq!(find("[@Ann  \nLee](mention://agent/a1)")[0].label(), Some("@Ann Lee"));
    assert_eq!(find("> [@Ann\n> Lee](mention://agent/a1)")[0].label(), Some("@Ann Lee"));
    assert_eq!(find("[@Ann\rLee](mention://agent/a1)")[0].label(), Some("@Ann Lee"));
    assert_eq!(find("[@Ann\r\nLee](mention://agent/a1)")[0].label(), Some("@Ann Lee"));
    assert_eq!(targets("[@Ann](\nmention://agent/a1\n)"), ["a1"]);
    assert_eq!(targets("[@Ann]\n(mention://agent/a1)"), NONE);
    assert_eq!(targets("[@Ann] (mention://agent/a1)"), NONE);
}

#[test]
fn markdown_38_ordinary_links_are_text() {
    let options = ScanOptions::new().kinds(ResourceKinds::studio()).malformed(true);
    assert_eq!(with("[a](src/main.rs:12) [b](https://x.test) [c](mentions://a/b) [d](other://x?y)", &options), []);
}

#[test]
fn markdown_41_label_and_target_are_kept_apart() {
    let found = find("[@Alice](mention://agent/bob)");
    assert_eq!(
        (target(&found[0]).as_str(), found[0].label(), found[0].display_label()),
        ("bob", Some("@Alice"), Some("Alice"))
    );
}

#[test]
fn markdown_05_labels_are_exact() {
    for (label, expected) in [
        ("@Ann", "@Ann"),
        ("*a* **b** ~~c~~ d", "a b c d"),
        (r"a \* \[ b", "a * [ b"),
        ("a &amp; b &copy;", "a & b ©"),
        ("a `c*d` b", "a c*d b"),
        ("![im *age*](x) b", "im age b"),
        ("a<br>b", "ab"),
        ("@@a", "@@a"),
        ("", ""),
        ("a_b_c", "a_b_c"),
        ("日本", "日本"),
    ] {
        let text = format!("x [{label}](mention://agent/a1) y");
        assert_eq!(find(&text)[0].label(), Some(expected), "{text}");
    }
    assert_eq!(find("[@@a](mention://agent/a1)")[0].display_label(), Some("@a"));
    for (label, visible) in [("", false), ("&nbsp;", false), ("\u{200b}", false), ("`x`", true), ("\u{2060}a", true)] {
        let text = format!("[{label}](mention://agent/a1)");
        assert_eq!(find(&text)[0].has_visible_label(), visible, "{text:?}");
    }
}

#[test]
fn images_are_no_mentions() {
    assert_eq!(targets("![x](mention://agent/a1)"), NONE);
    assert_eq!(targets("![a [x](mention://agent/a1) b](y)"), NONE);
    assert_eq!(targets("![@asset(id='1')](y)"), NONE);
    assert_eq!(targets("[![x](y)](mention://agent/a1)"), ["a1"]);
}

#[test]
fn malformed_destinations_on_request() {
    let text = "[a](mention://Agent/x) [b](mention://agent) [c](asset://) <asset://a/b> [d](mention://agent/a1)";
    assert_eq!(targets(text), ["a1"]);
    let options = ScanOptions::new().kinds(ResourceKinds::studio()).malformed(true);
    let found = with(text, &options);
    assert_eq!(found.len(), 5);
    assert_eq!(target(&found[0]), "invalid_provider");
    assert_eq!(target(&found[1]), "missing_entity");
    assert_eq!(found[3].source(), "<asset://a/b>");
    assert_eq!(target(&found[4]), "a1");
}

#[test]
fn a_long_link_is_text() {
    let link = |length: usize| format!("[{}](mention://agent/a1)", "x".repeat(length - "[](mention://agent/a1)".len()));
    assert_eq!(targets(&link(16_384)), ["a1"]);
    assert_eq!(targets(&link(16_385)), NONE);
    assert_eq!(links(&link(16_384), false).count(), 1);
    assert_eq!(links(&link(16_385), false).count(), 0);
}

#[test]
fn resource_links() {
    let found = find("[intro v2](timeline://tl_1#clip=cl_9) and <storyboard://sb_1> and [x](unknown://y)");
    assert_eq!(found.iter().map(target).collect::<Vec<_>>(), ["tl_1", "sb_1"]);
    assert_eq!(with("[intro v2](timeline://tl_1)", &ScanOptions::new()), []);
}

#[test]
fn code_is_known() {
    for (text, code) in [
        ("a `@` b", true),
        ("a @ b", false),
        ("```\n@\n```", true),
        ("    @", true),
        ("<div>\n@", true),
        ("a <b c='@'>", true),
        ("<!-- @ -->", true),
        ("[`a`](@)", false),
        ("> ```\n> @", true),
        ("a\r`\r\r@ `", false),
    ] {
        assert_eq!(in_code(text, text.find('@').unwrap()), code, "{text:?}");
    }
    for (text, code) in
        [("```\nx", true), ("```\nx\n```\n", false), ("a `b` ", false), ("", false), ("a\n\n    x", true)]
    {
        assert_eq!(in_code(text, text.len()), code, "{text:?}");
    }
}

#[test]
fn every_link_is_listed() {
    let text = "[a](b) <https://c.test> <me@d.test> [*e* f](/g \"t\") `[h](i)` ![j](k)\n> [l](m)\n\n[n]\n\n[n]: o";
    let listed: Vec<_> = links(text, false)
        .map(|link| (link.label().to_owned(), link.destination().to_owned(), link.in_quote()))
        .collect();
    let expected = [
        ("a", "b", false),
        ("https://c.test", "https://c.test", false),
        ("me@d.test", "mailto:me@d.test", false),
        ("e f", "/g", false),
        ("l", "m", true),
    ];
    assert_eq!(listed, expected.map(|(label, destination, quote)| (label.to_owned(), destination.to_owned(), quote)));
    assert_eq!(links(text, true).last().unwrap().source(), "[n]");
}

#[test]
fn nothing_is_found_or_built_without_candidates() {
    let options = ScanOptions::new();
    for text in ["", "plain", "a@b.test <3 x[0] = 1", "*a* `b`"] {
        assert_eq!(scan_markdown(text, &options).count(), 0, "{text}");
    }
}
