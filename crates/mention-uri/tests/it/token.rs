//! Mention tokens as values: reading, writing, the word boundary; JSON judged by serde_json, characters by the regex crate's own tables.

use mention_uri::text::{
    is_bidi_control, is_format, is_invisible, is_mark, is_unspaced_script, is_word_character, is_zero_width,
};
use mention_uri::{MentionToken, MentionUri, Reserved, TokenError, is_token_name, limits, token_may_start};
use proptest::prelude::*;
use regex::Regex;

#[track_caller]
fn reads(text: &str, name: &str, id: &str) -> MentionToken {
    let token = MentionToken::parse(text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
    assert_eq!((token.name(), token.id()), (name, id), "{text:?}");
    token
}

#[track_caller]
fn fails(text: &str, code: &str, offset: usize) {
    let error = MentionToken::parse(text).expect_err(text);
    assert_eq!((error.code(), error.offset()), (code, Some(offset)), "{text:.200}");
}

#[track_caller]
fn writes(id: &str, inside: &str) {
    let token = MentionToken::new("a", id).unwrap();
    assert_eq!(token.to_string(), format!("@a(id=\"{inside}\")"), "{id:?}");
    assert_eq!(MentionToken::parse(&token.to_string()).unwrap(), token);
}

#[test]
fn strict_and_tolerated() {
    reads(r#"@calendar(id="evt_42")"#, "calendar", "evt_42");
    reads(r#"@a-1(id="x")"#, "a-1", "x");
    reads(r#"@a(id="a) b\"c")"#, "a", "a) b\"c");
    reads(r#"@a(id="\\\/\b\f\n\r\t\u0041")"#, "a", "\\/\u{8}\u{C}\n\r\tA");
    reads("@a(id=\"\u{7F}\u{85}\u{202E}\")", "a", "\u{7F}\u{85}\u{202E}");
    // The closing quote left out.
    reads(r#"@a(id="abc)"#, "a", "abc");
    reads("@a(id=\" a 日'(\")", "a", " a 日'(");
    reads("@a(id=\" a 日'()", "a", " a 日'(");
    // The strict form comes first: here the first `)` is part of the id.
    reads(r#"@a(id="b) c")"#, "a", "b) c");
}

#[test]
fn what_is_no_token_has_an_offset() {
    fails("", "not_a_token", 0);
    fails(" @a(id=\"b\")", "not_a_token", 0);
    fails("a@a(id=\"b\")", "not_a_token", 0);
    fails("@a(id=\"b\") ", "not_a_token", 10);
    fails("@a(id=\"b\")@a(id=\"b\")", "not_a_token", 10);
    fails("@a", "not_a_token", 2);
    fails("@a(id='b')", "not_a_token", 10);
    fails("@a (id=\"b\")", "invalid_name", 1);
    for spaced in ["@a( id=\"b\")", "@a(id =\"b\")", "@a(id= \"b\")", "@a(ID=\"b\")"] {
        fails(spaced, "not_a_token", spaced.len());
    }
    fails("@a(id=\"b\" )", "not_a_token", 7);
    fails("@a(id=\"b", "not_a_token", 7);
    fails("@a(id=\"b\"", "not_a_token", 7);
    fails("@a(id=\"a\u{0}b\")", "not_a_token", 7);
    fails("@a(id=\"a\nb\")", "not_a_token", 7);
    for escape in [
        "\\x41",
        "\\u12",
        "\\u12g4",
        "\\'",
        "\\U0041",
        "\\ud83d",
        "\\ud83dx",
        "\\ud83d\\u0041",
        "\\ude00",
        "\\ude00\\ud83d",
        "\\ud83d\\n",
        "\\",
    ] {
        fails(&format!("@a(id=\"{escape}\")"), "not_a_token", 7);
    }
    // Left out, the quote leaves no room for what could be read in two ways.
    for id in ["a\\nb", "a\u{7F}b", "a\u{9F}b", "a\tb", "a\"b"] {
        fails(&format!("@a(id=\"{id})"), "not_a_token", 7);
    }
    for name in ["", "A", "1a", "-a", "a_b", "a.b", "é", "as\u{200D}set", "\u{200B}asset", &"n".repeat(41)] {
        fails(&format!("@{name}(id=\"b\")"), "invalid_name", 1);
        assert_eq!(MentionToken::new(name, "b").unwrap_err().code(), "invalid_name");
        assert!(!is_token_name(name));
    }
    reads(&format!("@{}(id=\"b\")", "n".repeat(limits::NAME_BYTES)), &"n".repeat(40), "b");
    fails("@a(id=\"\")", "missing_id", 7);
    fails("@a(id=\" \\t\u{3000}\")", "blank_id", 7);
    for id in ["x".repeat(513), "\\u0041".repeat(513), "é".repeat(10_000), "\\na".repeat(8_000)] {
        fails(&format!("@a(id=\"{id}\")"), "id_too_long", 7);
    }
    fails(&format!("@a(id=\"{})", "x".repeat(513)), "id_too_long", 7);
    reads(&format!("@a(id=\"{}\")", "\\ud83d\\ude00".repeat(512)), "a", &"😀".repeat(512));
}

#[test]
fn reserved_names() {
    for name in Reserved::DEFAULT {
        fails(&format!("@{name}(id=\"b\")"), "reserved_name", 1);
        assert_eq!(MentionToken::new(name, "b").unwrap_err().code(), "reserved_name");
        assert!(is_token_name(name) && Reserved::default().contains(name) && !Reserved::none().contains(name));
        assert_eq!(MentionToken::new_with(name, "b", &Reserved::none()).unwrap().name(), name);
    }
    assert_eq!(Reserved::new(["skill", "fn", "file"]), Reserved::default());
    assert_eq!(Reserved::new([""; 0]), Reserved::none());
    let other = Reserved::new(["agent"]);
    assert_eq!(MentionToken::parse_with("@agent(id=\"b\")", &other).unwrap_err().code(), "reserved_name");
    assert_eq!(MentionToken::parse_with("@file(id=\"b\")", &other).unwrap().name(), "file");
    reads("@files(id=\"b\")", "files", "b");
}

#[test]
fn what_is_written() {
    writes("evt_42", "evt_42");
    writes("a/b.c-d:e", "a/b.c-d:e");
    writes("\"\\", "\\\"\\\\");
    writes("\n\r\t\u{8}\u{C}\0\u{1F}\u{7F}\u{85}x", "\\n\\r\\t\\b\\f\\u0000\\u001f\\u007f\\u0085x");
    writes("`*~|[]<>&", "\\u0060\\u002a\\u007e\\u007c\\u005b\\u005d\\u003c\\u003e\\u0026");
    writes("!#$%'()+,-./:;=?@^{}", "!#$%'()+,-./:;=?@^{}");
    writes("_a", "\\u005fa");
    writes("a_", "a\\u005f");
    writes("a__b", "a\\u005f\\u005fb");
    writes("é_日_٣_a", "é_日_٣_a");
    writes("e\u{301}_b", "e\u{301}\\u005fb");
    writes("a_-b", "a\\u005f-b");
    writes("a b", "a b");
    writes("a  b", "a\\u0020\\u0020b");
    writes(" a ", "\\u0020a\\u0020");
    writes("a \u{200B}b", "a\\u0020\\u200bb");
    writes("a\u{A0}b\u{3000}c\u{2028}d", "a\\u00a0b\\u3000c\\u2028d");
    writes(
        "\u{AD}\u{61C}\u{200D}\u{202E}\u{2066}\u{FEFF}\u{E0041}x",
        "\\u00ad\\u061c\\u200d\\u202e\\u2066\\ufeff\\udb40\\udc41x",
    );
    writes("😀é中", "😀é中");
}

#[test]
fn one_mention_however_escaped() {
    let one = reads(r#"@a(id="\u0061/b")"#, "a", "a/b");
    let other = reads(r#"@a(id="a\/b")"#, "a", "a/b");
    assert_eq!(one, other);
    assert_eq!(std::collections::HashSet::from([one, other]).len(), 1);
}

#[test]
fn token_17_the_same_id_through_different_escapes() {
    for text in [r#"@asset(id="\u0061/b")"#, r#"@asset(id="a\/b")"#] {
        assert_eq!(reads(text, "asset", "a/b").to_string(), r#"@asset(id="a/b")"#);
    }
}

#[test]
fn token_08_a_line_break_is_written_as_an_escape() {
    assert_eq!(MentionToken::new("asset", "a\nb").unwrap().to_string(), r#"@asset(id="a\nb")"#);
}

#[test]
fn token_06_a_surrogate_pair_is_one_character() {
    reads(r#"@asset(id="\ud83d\ude00")"#, "asset", "\u{1F600}");
    fails(r#"@asset(id="\ud83d")"#, "not_a_token", 11);
}

#[test]
fn to_a_uri_and_back() {
    let token = MentionToken::new("kanban", "a/b c").unwrap();
    assert_eq!(token.to_uri().as_str(), "mention://kanban/a%2Fb%20c");
    assert_eq!(MentionUri::from(token.clone()), token.to_uri());
    assert_eq!(MentionToken::try_from(&token.to_uri()).unwrap(), token);
    let back = |text: &str| MentionToken::try_from(&MentionUri::parse(text).unwrap());
    let code = |result: Result<MentionToken, TokenError>| {
        let error = result.unwrap_err();
        assert_eq!(error.offset(), None);
        error.code()
    };
    assert_eq!(code(back("mention://a/b?k=v")), "scope_would_be_lost");
    for provider in ["9a", "a.b", "a_b", "a~b"] {
        assert_eq!(code(back(&format!("mention://{provider}/b"))), "invalid_name");
    }
    assert_eq!(code(back("mention://file/b")), "reserved_name");
    // The longest token is still a URI that reads back.
    let longest = MentionToken::new("n".repeat(40), "😀".repeat(512)).unwrap();
    assert_eq!(MentionUri::parse(longest.to_uri().as_str()).unwrap(), longest.to_uri());
}

#[test]
fn where_a_token_may_start() {
    for before in [
        "",
        " ",
        "(",
        "\"",
        ",",
        "「",
        "-",
        "*",
        "/",
        ".",
        "请看",
        "です",
        "カー",
        "ㄅ",
        "ดู",
        "ລ",
        "ក",
        "က",
        "๓",
        "❤\u{FE0F}",
        "👩\u{200D}",
        "\u{301}",
        "\u{200D}",
        "①",
        "½",
        "…",
        "e\u{301} ",
    ] {
        assert!(token_may_start(before), "{before:?}");
    }
    for before in [
        "a",
        "Z",
        "9",
        "_",
        "é",
        "e\u{301}",
        "e\u{301}\u{302}\u{200D}",
        "почта",
        "٣",
        "한",
        "α",
        "א",
        "क\u{93F}",
        "µ",
        "ª",
        "𝐀",
        "x_",
        "中a",
        "_\u{20DD}",
    ] {
        assert!(!token_may_start(before), "{before:?}");
    }
    // A long run of marks is looked at once for each question, and no further back than the base.
    assert!(!token_may_start(&format!("a{}", "\u{301}".repeat(100_000))));
}

/// Every character by the tables of the regex crate, where that crate's Unicode version has it assigned.
#[test]
fn characters_by_an_independent_table() {
    let class = |pattern: &str| Regex::new(&format!("^{pattern}$")).unwrap();
    let assigned = class(r"\P{Cn}");
    let (letter, mark, format) = (class(r"[\p{L}\p{Nd}]"), class(r"\p{M}"), class(r"\p{Cf}"));
    let unspaced =
        class(r"[\p{scx:Han}\p{scx:Hira}\p{scx:Kana}\p{scx:Bopo}\p{scx:Thai}\p{scx:Laoo}\p{scx:Khmr}\p{scx:Mymr}]");
    let ignorable = class(r"[\p{Cf}&&\p{Default_Ignorable_Code_Point}]");
    let mut differ = Vec::new();
    for c in (0..=0x10_FFFF).filter_map(char::from_u32) {
        let text = c.to_string();
        if !assigned.is_match(&text) {
            continue;
        }
        let is_letter = letter.is_match(&text);
        let is_mark_there = mark.is_match(&text);
        let blocks = c == '_' || (is_letter && !unspaced.is_match(&text));
        let same = is_word_character(c) == blocks
            && is_format(c) == format.is_match(&text)
            && is_mark(c) == is_mark_there
            && (!is_letter || is_unspaced_script(c) == unspaced.is_match(&text))
            && (!ignorable.is_match(&text) || (is_zero_width(c) && is_invisible(c)))
            && (!is_bidi_control(c) || is_zero_width(c))
            && token_may_start(&text) != blocks;
        if !same {
            differ.push(c);
        }
    }
    assert!(differ.is_empty(), "{} differ: {:?}", differ.len(), &differ[..differ.len().min(40)]);
}

/// Ids of all kinds of characters, those that mean something more often.
fn id() -> impl Strategy<Value = String> {
    let character = prop_oneof![
        any::<char>(),
        prop::sample::select("ab1 _*`~|[]()<>&\\\"@!#.-\n\t\u{200b}\u{301}é日:/'".chars().collect::<Vec<_>>())
    ];
    prop::collection::vec(character, 1..24)
        .prop_map(|characters| characters.into_iter().collect::<String>())
        .prop_filter("not blank", |id| !id.trim().is_empty())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_reads_back_and_is_json(id in id()) {
        let token = MentionToken::new("a", &*id).unwrap();
        let written = token.to_string();
        prop_assert_eq!(&MentionToken::parse(&written).unwrap(), &token);
        let literal = &written["@a(id=".len()..written.len() - 1];
        prop_assert_eq!(serde_json::from_str::<String>(literal).unwrap(), id);
        let active = |c: char| "`*~|[]<>&".contains(c) || c.is_control() || is_format(c) || (c.is_whitespace() && c != ' ');
        prop_assert!(!written.contains(active) && !written.contains("  "), "{}", written);
    }

    #[test]
    fn strict_ids_are_json_strings(inside in prop_oneof![
        "[ab) \"\\\\nu/0-9dD83eE\u{7F}é😀\n]{0,14}",
        r#"(\\u[dD][89a-fA-F][0-9a-f]{2}|\\u[0-9a-f]{3,4}|\\[nrtbf/"\\x]|[a)]){0,5}"#,
    ]) {
        let json = serde_json::from_str::<String>(&format!("\"{inside}\""));
        match (MentionToken::parse(&format!("@a(id=\"{inside}\")")), json) {
            (Ok(token), Ok(id)) => prop_assert_eq!(token.id(), id),
            (Err(error), Ok(id)) => prop_assert!(id.trim().is_empty(), "{}", error),
            (Ok(token), Err(_)) => prop_assert!(false, "{:?} is no JSON string but reads as {:?}", inside, token),
            (Err(_), Err(_)) => {}
        }
    }

    #[test]
    fn reading_never_panics(text in prop_oneof![any::<String>(), "@[a-c-]{1,3}\\(id=\"[a\\\\u\")é]{0,9}\"?\\)?"]) {
        if let Ok(token) = MentionToken::parse(&text) {
            prop_assert_eq!(MentionToken::parse(&token.to_string()).unwrap(), token);
        }
    }
}
