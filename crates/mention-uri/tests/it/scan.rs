//! The search in raw text: the reported cases of the area "token", and its rules one by one.

use mention_uri::{Form, Found, Item, Reserved, ResourceKinds, ScanOptions, scan, scan_with};

/// The ids of the tokens, in order.
#[track_caller]
fn ids(text: &str) -> Vec<String> {
    let found: Vec<_> = scan(text).collect();
    check_ranges(text, &found);
    found
        .iter()
        .map(|found| match found.item() {
            Item::Token(token) => token.id().to_owned(),
            other => panic!("a raw scan finds tokens only, not {other:?}"),
        })
        .collect()
}

#[track_caller]
pub(crate) fn check_ranges(text: &str, found: &[Found<'_>]) {
    let mut last = 0;
    for found in found {
        let span = found.span();
        assert!(last <= span.start && span.start < span.end, "{span:?} after {last} in {text:?}");
        assert_eq!(&text[span.clone()], found.source());
        last = span.end;
    }
}

#[test]
fn token_01_parenthesis_and_escaped_quote_in_the_id() {
    let text = r#"@asset(id="a) b\"c")."#;
    assert_eq!(ids(text), [r#"a) b"c"#]);
    assert_eq!(scan(text).next().unwrap().span(), 0..text.len() - 1);
}

#[test]
fn token_03_a_word_character_before_the_at_sign() {
    for text in [
        r#"me@asset(id="a")"#,
        r#"rémy@asset(id="a")"#,
        "re\u{301}@asset(id=\"a\")",
        r#"почта@asset(id="a")"#,
        r#"x_@asset(id="a")"#,
        r#"9@asset(id="a")"#,
        "٣@asset(id=\"a\")",
        "_\u{301}\u{200d}@asset(id=\"a\")",
    ] {
        assert_eq!(ids(text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn token_04_punctuation_before_the_at_sign() {
    for (text, start) in [
        (r#"(@asset(id="a"))"#, 1),
        (r#""@asset(id="a")""#, 1),
        (r#",@asset(id="a")"#, 1),
        (r#"「@asset(id="a")」"#, 3),
        (r#"-@asset(id="a")"#, 1),
        (r#"請看@asset(id="a")"#, 6),
        ("❤\u{fe0f}@asset(id=\"a\")", 6),
        ("ดู@asset(id=\"a\")", 6),
    ] {
        let found: Vec<_> = scan(text).collect();
        assert_eq!(found.len(), 1, "{text}");
        assert_eq!(found[0].span(), start..start + 14, "{text}");
    }
}

#[test]
fn token_06_surrogates() {
    assert_eq!(ids(r#"@asset(id="\ud83d\ude00")"#), ["\u{1f600}"]);
    assert_eq!(ids(r#"@asset(id="\ud83d") @asset(id="b")"#), ["b"]);
    assert_eq!(ids(r#"@asset(id="\ude00\ud83d")@asset(id="b")"#), ["b"]);
    assert_eq!(ids(r#"@asset(id="\ud83dx")"#), Vec::<String>::new());
}

#[test]
fn token_08_a_raw_line_break() {
    assert_eq!(ids("@asset(id=\"a\nb\")"), Vec::<String>::new());
    assert_eq!(ids(r#"@asset(id="a\nb")"#), ["a\nb"]);
}

#[test]
fn token_09_numbers_and_words_are_no_ids() {
    assert_eq!(ids("@asset(id=0042) @asset(id=abc) @asset(id=null)"), Vec::<String>::new());
}

#[test]
fn token_15_in_a_web_address() {
    for text in [
        r#"https://social.test/@asset(id="a")/17"#,
        r#"see HTTP://social.test/@asset(id="a")"#,
        r#"(https://x.test/é/@asset(id="a"))"#,
        r#"git+ssh://x/@asset(id="a")"#,
        r#"https://@asset(id="a")"#,
        r#"https://x.test/@a@asset(id="a")"#,
    ] {
        assert_eq!(ids(text), Vec::<String>::new(), "{text}");
    }
    for text in [
        r#"https://x.test/ @asset(id="a")"#,
        r#"(https://x.test/)@asset(id="a")"#,
        r#"https://x.test/,@asset(id="a")"#,
        r#"https://x.test/;@asset(id="a")"#,
        r#"[https://x.test/]@asset(id="a")"#,
        r#"<https://x.test/>@asset(id="a")"#,
        r#""https://x.test/"@asset(id="a")"#,
        r#"`https://x.test/`@asset(id="a")"#,
        r#"https://x.test/。@asset(id="a")"#,
        r#"://@asset(id="a")"#,
        r#"1://@asset(id="a")"#,
    ] {
        assert_eq!(ids(text), ["a"], "{text}");
    }
    // A finding ends the address, whatever follows.
    assert_eq!(ids(r#"https://x.test/,@asset(id="a")/@asset(id="b")"#), ["a", "b"]);
    // Only the one that stands directly after the comma is outside.
    assert_eq!(ids(r#"https://x.test/,@no/@asset(id="b")"#), Vec::<String>::new());
}

#[test]
fn token_16_only_the_look_of_a_token() {
    let text = "@asset(id=".repeat(100_001);
    assert_eq!(ids(&text), Vec::<String>::new());
    let text = r#"@asset(id=""#.repeat(100_000);
    assert_eq!(ids(&text), Vec::<String>::new());
}

#[test]
fn token_17_the_same_id_through_different_escapes() {
    assert_eq!(ids(r#"@asset(id="\u0061/b") @asset(id="a\/b")"#), ["a/b", "a/b"]);
}

#[test]
fn token_20_invisible_characters_in_the_name() {
    assert_eq!(ids("@\u{200b}asset(id=\"a\")"), Vec::<String>::new());
    assert_eq!(ids("@as\u{200d}set(id=\"a\")"), Vec::<String>::new());
}

#[test]
fn a_failed_candidate_hides_nothing() {
    assert_eq!(ids(r#"@fn(id="x @b(id=")y")"#), [")y"]);
    assert_eq!(ids(r#"@a(id= @b(id="1")"#), ["1"]);
    assert_eq!(ids(r#"@a(id="\x @b(id="1")"#), ["1"]);
    assert_eq!(ids(r#"@@b(id="1")"#), ["1"]);
    assert_eq!(ids(&format!(r#"@{}(id="x @b(id="1")"#, "a".repeat(41))), ["1"]);
}

#[test]
fn the_closing_quote_may_be_missing() {
    assert_eq!(ids(r#"@a(id="abc) and"#), ["abc"]);
    // The strict form is tried first.
    assert_eq!(ids(r#"@a(id="abc) and ")"#), ["abc) and "]);
}

#[test]
fn reserved_names_are_a_parameter() {
    let text = r#"@fn(id="1") @kanban(id="2")"#;
    assert_eq!(ids(text), ["2"]);
    let none = ScanOptions::new().reserved(Reserved::none());
    assert_eq!(scan_with(text, &none).count(), 2);
    let other = ScanOptions::new().reserved(Reserved::new(["kanban"]));
    assert_eq!(scan_with(text, &other).map(|found| found.source().to_owned()).collect::<Vec<_>>(), [r#"@fn(id="1")"#]);
}

#[test]
fn a_backslash_means_nothing_in_raw_text() {
    assert_eq!(ids(r#"\@asset(id="a")"#), ["a"]);
}

#[test]
fn what_a_finding_tells() {
    let text = r#"see @asset(id="a\u0062")"#;
    let found = scan(text).next().unwrap();
    assert_eq!(found.form(), Form::Token);
    assert_eq!(
        (found.label(), found.display_label(), found.has_visible_label(), found.in_quote()),
        (None, None, false, false)
    );
    let Item::Token(token) = found.item() else { panic!("a token") };
    assert_eq!((token.name(), token.id()), ("asset", "ab"));
    assert_eq!(token.to_token().to_string(), r#"@asset(id="ab")"#);
    let owned = found.clone().into_owned();
    assert_eq!(owned, found);
}

#[track_caller]
pub(crate) fn bare(text: &str) -> Vec<String> {
    let options = ScanOptions::new().kinds(ResourceKinds::studio()).bare_uris(true);
    let found: Vec<_> = scan_with(text, &options).collect();
    check_ranges(text, &found);
    found.iter().map(|found| found.source().to_owned()).collect()
}

#[test]
fn bare_uris_where_they_start_and_end() {
    for (text, expected) in [
        ("see asset://as_1.", "asset://as_1"),
        ("(mention://file/Foo_(bar))", "mention://file/Foo_(bar)"),
        ("mention://file/a。", "mention://file/a"),
        ("see mention://file/a?!", "mention://file/a"),
        ("[asset://as_1]", "asset://as_1"),
        ("*asset://as_1*", "asset://as_1"),
        ("\"asset://as_1\"", "asset://as_1"),
        ("<asset://as_1>", "asset://as_1"),
        ("見asset://as_1見", "asset://as_1"),
        ("asset://as_1\u{a0}x", "asset://as_1"),
        ("MENTION://file/a", "MENTION://file/a"),
        ("timeline://tl_1#clip=cl_9, then", "timeline://tl_1#clip=cl_9"),
        ("asset://a'", "asset://a"),
        ("asset://a\u{7}b", "asset://a"),
    ] {
        assert_eq!(bare(text), [expected], "{text}");
    }
    for text in [
        "xasset://as_1",
        "éasset://as_1",
        "_asset://as_1",
        "web+asset://as_1",
        "x-asset://as_1",
        "x.asset://as_1",
        "/asset://as_1",
        "u=asset://as_1",
        "https://x.test/?(asset://as_1)",
        "other://as_1",
        "asset://",
        "asset:/as_1",
        "mention://agent",
    ] {
        assert_eq!(bare(text), Vec::<String>::new(), "{text}");
    }
    // What does not parse is text, and hides nothing after it.
    assert_eq!(bare("mention://Bad/x,mention://agent/a"), ["mention://agent/a"]);
    assert_eq!(bare("mention://a/b mention://a/b"), ["mention://a/b", "mention://a/b"]);
    // Off by default.
    assert_eq!(scan("asset://as_1 mention://a/b").count(), 0);
}
