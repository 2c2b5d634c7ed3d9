//! What is being typed at the caret, and the edits of a choice.

use super::menu::registry;
use mention_contract::composer::{self, Edit, Trigger, What};
use mention_contract::search::Plan;
use mention_contract::{Descriptor, Item, Registry};
use mention_uri::{Item as Found, scan};
use proptest::prelude::*;

/// The trigger at the `|`.
fn at(marked: &str) -> Option<Trigger> {
    let caret = marked.find('|').expect("a caret");
    composer::trigger(&marked.replacen('|', "", 1), caret, &registry(&["kanban", "calendar", "trace"]))
}

/// `None`, `global QUERY`, or `scoped NAME QUERY`, with where the `@` stands.
fn what(marked: &str) -> Option<(usize, String)> {
    at(marked).map(|trigger| {
        let what = match trigger.what() {
            What::Global { query, .. } => format!("global {query}"),
            What::Scoped { name, query } => format!("scoped {name} {query}"),
            other => panic!("{other:?}"),
        };
        (trigger.range().start, what)
    })
}

#[test]
fn what_is_being_typed() {
    for (marked, expected) in [
        ("@|", Some((0, "global "))),
        ("@ka|", Some((0, "global ka"))),
        ("fix @ka|", Some((4, "global ka"))),
        ("fix @ka|nban now", Some((4, "global ka"))),
        ("fix @Ünï|", Some((4, "global Ünï"))),
        ("fix @ka |", None),
        ("fix @ka\n|", None),
        ("fix @ka\u{a0}|", None),
        ("fix|", None),
        ("|@ka", None),
        ("", None),
        // A scope: spaces are part of the query, a line break is not.
        ("@kanban:|", Some((0, "scoped kanban "))),
        ("@kanban:fix log|", Some((0, "scoped kanban fix log"))),
        ("see @kanban: fix  log |", Some((4, "scoped kanban  fix  log "))),
        ("@kanban:fix\n|", None),
        ("@kanban:fix\r|", None),
        ("@kanban:a::b|", Some((0, "scoped kanban a::b"))),
        // No provider has that name, or the name is written otherwise.
        ("@foo:bar|", Some((0, "global foo:bar"))),
        ("@foo:bar baz|", None),
        ("@Kanban:bar baz|", None),
        // A function id is never a scope.
        ("@kanban::get|", Some((0, "global kanban::get"))),
        ("@kanban::get x|", None),
        ("@a::b|", Some((0, "global a::b"))),
        // The nearest one counts.
        ("@kanban:fix @ca|", Some((12, "global ca"))),
        ("@kanban:fix a@b|", Some((0, "scoped kanban fix a@b"))),
        ("@kanban:x @calendar:y|", Some((10, "scoped calendar y"))),
        ("@@|", Some((1, "global "))),
        // The character before, by the token's rule.
        ("me@ka|", None),
        ("me@kanban:x|", None),
        ("é@ka|", None),
        ("e\u{301}@ka|", None),
        ("x_@ka|", None),
        ("7@ka|", None),
        ("请看@ka|", Some((6, "global ka"))),
        ("(@ka|", Some((1, "global ka"))),
        ("**@ka|", Some((2, "global ka"))),
        ("\\@ka|", None),
        ("\\\\@ka|", Some((2, "global ka"))),
        // Inside a web address, and outside again.
        ("https://x.test/@ka|", None),
        ("https://x.test/a @ka|", Some((17, "global ka"))),
        ("[a](https://x.test/@ka|", None),
        ("[a](https://x.test)@ka|", Some((19, "global ka"))),
        ("https://x.test,@ka|", Some((15, "global ka"))),
        // Nothing inside code.
        ("`@ka|`", None),
        ("`@kanban:x y|`", None),
        ("```\n@ka|", None),
        ("```\n@ka|\n```", None),
        ("    @ka|", None),
        ("a\n    @ka|", Some((6, "global ka"))),
        ("`a` @ka|", Some((4, "global ka"))),
        ("<!-- @ka| -->", None),
        // A finished token, or one that is typed by hand, is no search.
        ("@kanban(id=\"1\")|", None),
        ("@kanban(id=\"1\") |", None),
        ("@kanban:x @kanban(id=\"1\") y|", None),
        ("@kanban(id=\"1|", None),
        ("@kanban(id=\"1\") @ca|", Some((16, "global ca"))),
        ("@(x|", Some((0, "global (x"))),
    ] {
        let got = if marked.is_empty() { None } else { what(marked) };
        assert_eq!(got.as_ref().map(|(at, what)| (*at, what.as_str())), expected, "{marked:?}");
    }
}

#[test]
fn a_caret_that_is_no_place_gives_nothing() {
    let registry = registry(&["kanban"]);
    assert!(composer::trigger("@é", 2, &registry).is_none());
    assert!(composer::trigger("@é", 4, &registry).is_none());
    assert!(composer::trigger("@é", 3, &registry).is_some());
    assert!(composer::trigger_utf16("@é", 2, &registry).is_some());
    assert!(composer::trigger_utf16("@é", 3, &registry).is_none());
    // In the middle of a surrogate pair.
    assert!(composer::trigger_utf16("@🎉", 2, &registry).is_none());
    assert!(composer::trigger_utf16("@🎉", 3, &registry).is_some());
    assert!(composer::trigger_utf16("@🎉x", 3, &registry).is_some());
}

#[test]
fn a_query_has_a_bound() {
    let with = |n: usize| what(&format!("@kanban:{}|", "é".repeat(n))).is_some();
    assert_eq!((with(512), with(513), with(100_000)), (true, false, false));
    let global = |n: usize| what(&format!("@{}|", "x".repeat(n))).is_some();
    assert_eq!((global(512), global(513), global(100_000)), (true, false, false));
}

#[test]
fn hostile_texts_cost_little() {
    // Each of these made of 200,000 pieces would take minutes if every `@` looked at the whole text.
    for piece in ["@", "a@", "https://x/@", "\\@", "@kanban(", "@kanban:", "\u{301}", "`@"] {
        let text = piece.repeat(200_000);
        let _ = composer::trigger(&text, text.len(), &registry(&["kanban"]));
    }
    let many = "@x ".repeat(64) + "y";
    assert_eq!(composer::trigger(&many, many.len(), &registry(&["kanban"])), None);
}

#[test]
fn edits_and_menus_go_to_a_page_as_json() {
    let trigger = at("@ka|").unwrap();
    let edit = serde_json::to_value(trigger.scope_to("kanban").unwrap()).unwrap();
    let expected = serde_json::json!({ "range": { "start": 0, "end": 3 }, "range_utf16": { "start": 0, "end": 3 },
        "text": "@kanban:", "caret": 8, "caret_utf16": 8 });
    assert_eq!(edit, expected);
    let what = serde_json::to_value(trigger.what()).unwrap();
    assert_eq!(what, serde_json::json!({ "type": "global", "query": "ka", "providers": ["kanban"] }));
}

#[test]
fn the_providers_that_begin_so() {
    let metadata = |name: &str, label: &str| Descriptor::new(name, label, "s").unwrap().metadata();
    let (a, b, c) = (metadata("kanban", "Tickets"), metadata("trace", "Traces"), metadata("calendar", "Évents"));
    let registry = Registry::from_functions([("a", &a), ("b", &b), ("c", &c)]);
    let providers = |query: &str| {
        let text = format!("@{query}");
        match composer::trigger(&text, text.len(), &registry).unwrap().what() {
            What::Global { providers, .. } => providers.clone(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(providers(""), ["calendar", "kanban", "trace"]);
    assert_eq!(providers("t"), ["kanban", "trace"]);
    assert_eq!(providers("TICK"), ["kanban"]);
    assert_eq!(providers("éV"), ["calendar"]);
    assert_eq!(providers("race"), [""; 0]);
}

#[test]
fn edits_in_bytes_and_in_utf_16() {
    let text = "🎉é @kan, please";
    let trigger = at("🎉é @kan|, please").unwrap();
    assert_eq!((trigger.range(), trigger.range_utf16()), (7..11, 4..8));
    assert_eq!(trigger.query(), "kan");
    let scope: Edit = trigger.scope_to("kanban").unwrap();
    assert_eq!(scope.apply(text).unwrap(), "🎉é @kanban:, please");
    assert_eq!((scope.caret, scope.caret_utf16), (15, 12));
    assert_eq!(trigger.scope_to("Kanban"), None);
    let item = Item::new("é\"🎉", "x");
    let edit = trigger.accept("kanban", &item).unwrap();
    assert_eq!(edit.apply(text).unwrap(), "🎉é @kanban(id=\"é\\\"🎉\") , please");
    // 7 bytes before; `@kanban(id="` 12, é 2, `\"` 2, 🎉 4, `")` 2, space 1.
    assert_eq!((edit.caret, edit.caret_utf16), (7 + 23, 4 + 20));
    assert_eq!((edit.range, edit.range_utf16), (7..11, 4..8));
    assert_eq!(trigger.accept("kanban", &Item::new("", "x")).unwrap_err().code(), "missing_id");
    assert_eq!(trigger.accept("file", &item).unwrap_err().code(), "reserved_name");
    // A space that is there already is the one.
    let trigger = at("@kanban:fix| now").unwrap();
    let edit = trigger.accept("kanban", &Item::new("1", "x")).unwrap();
    assert_eq!(edit.apply("@kanban:fix now").unwrap(), "@kanban(id=\"1\") now");
    assert_eq!((edit.caret, edit.caret_utf16), (16, 16));
    assert_eq!(edit.apply("@"), None);
}

#[test]
fn a_trigger_makes_a_plan() {
    let registry = registry(&["kanban", "trace"]);
    let plan = |text: &str| Plan::of(&composer::trigger(text, text.len(), &registry).unwrap(), &registry);
    assert_eq!(plan("@fix"), Plan::global("fix", &registry));
    assert_eq!(plan("@kanban:fix it"), Plan::scoped("kanban", "fix it", &registry));
    assert_eq!(plan("@").calls(), []);
}

/// `scan` finds what `accept` writes, wherever a trigger is seen; and nothing panics.
#[test]
fn what_is_accepted_is_a_mention() {
    let piece = prop::sample::select(vec![
        "@", "@kanban:", "@ka", "kanban", "(id=\"", "\")", ":", "::", " ", "\n", "`", "```", "\\", "é", "🎉", "看",
        "_", "*", "https://", "x", "1", "<", ">", "[", "](", ")", ",", "\u{301}", "\u{200d}",
    ]);
    let text = prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat());
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(4000));
    let registry = registry(&["kanban"]);
    runner
        .run(&(text, any::<prop::sample::Index>()), |(text, index)| {
            let boundaries: Vec<_> = (0..=text.len()).filter(|at| text.is_char_boundary(*at)).collect();
            let caret = *index.get(&boundaries);
            let Some(trigger) = composer::trigger(&text, caret, &registry) else { return Ok(()) };
            let utf16 = text[..caret].encode_utf16().count();
            prop_assert_eq!(composer::trigger_utf16(&text, utf16, &registry), Some(trigger.clone()));
            prop_assert_eq!(trigger.range().end, caret);
            prop_assert!(text[trigger.range()].starts_with('@'));
            let edit = trigger.accept("kanban", &Item::new("a b", "x")).unwrap();
            let after = edit.apply(&text).unwrap();
            prop_assert!(after[..edit.caret].ends_with("@kanban(id=\"a b\") "));
            prop_assert_eq!(after[..edit.caret].encode_utf16().count(), edit.caret_utf16);
            let written = scan(&after).find(|found| found.span().start == trigger.range().start);
            let is_it = written
                .as_ref()
                .is_some_and(|found| matches!(found.item(), Found::Token(token) if token.id() == "a b"));
            prop_assert!(is_it, "{} in {:?}", after, text);
            Ok(())
        })
        .unwrap();
}
