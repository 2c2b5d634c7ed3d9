//! The comparison: what is the same, what is not, and the three looser expectations.

use conformance::compare::differences;
use conformance::{Answer, Failed};
use serde_json::{Value, json};

#[track_caller]
fn same(expect: &Value, got: Value) {
    let found = differences(expect, &Answer::Ok(got));
    assert!(found.is_empty(), "{found:?}");
}

#[track_caller]
fn differs(expect: &Value, got: Value, pointer: &str) {
    let found = differences(expect, &Answer::Ok(got));
    assert_eq!(found.first().map(|difference| difference.pointer.as_str()), Some(pointer), "{found:?}");
}

#[test]
fn values_are_compared_as_json() {
    same(&json!({ "a": 1, "b": [true, null] }), json!({ "b": [true, null], "a": 1.0 }));
    differs(&json!({ "a": 1 }), json!({ "a": 1, "b": 2 }), "/b");
    differs(&json!({ "a": 1, "b": 2 }), json!({ "a": 1 }), "/b");
    differs(&json!({ "a": [1, 2] }), json!({ "a": [1] }), "/a/1");
    differs(&json!({ "a": [1] }), json!({ "a": [1, 2] }), "/a/1");
    differs(&json!({ "a": "1" }), json!({ "a": 1 }), "/a");
    differs(&json!({ "a/b": { "~": 1 } }), json!({ "a/b": { "~": 2 } }), "/a~1b/~0");
    differs(&json!(9_007_199_254_740_993_u64), json!(9_007_199_254_740_992_u64), "");
}

#[test]
fn errors_are_compared_by_code_and_by_what_both_say() {
    let failed = |code: &str, more: Value| {
        Answer::Failed(Failed { code: code.to_owned(), more: more.as_object().cloned().unwrap() })
    };
    let expect = json!({ "error": "x_y", "offset": 3 });
    assert!(differences(&expect, &failed("x_y", json!({}))).is_empty(), "an offset may be left out");
    assert!(differences(&expect, &failed("x_y", json!({ "offset": 3 }))).is_empty());
    assert_eq!(differences(&expect, &failed("x_y", json!({ "offset": 4 })))[0].pointer, "/offset");
    assert_eq!(differences(&expect, &failed("x_z", json!({})))[0].pointer, "/error");
    assert!(!differences(&expect, &Answer::Ok(json!({ "error": "x_y" }))).is_empty(), "a result is no error");
    assert!(!differences(&json!({ "a": 1 }), &failed("x_y", json!({}))).is_empty());
}

#[test]
fn any_takes_anything() {
    same(&json!({ "a": { "$any": true } }), json!({ "a": [1] }));
    differs(&json!({ "a": { "$any": true } }), json!({}), "/a");
}

#[test]
fn markdown_is_what_a_reader_makes_of_it() {
    let link = json!({ "$markdown": { "label": "a]b", "destination": "mention://x/y" } });
    same(&link, json!("[a\\]b](mention://x/y)"));
    same(&link, json!("[a&#93;b](<mention://x/y>)"));
    for wrong in [
        "[a]b](mention://x/y)",
        "[a\\]b](mention://x/z)",
        "[a\\]b](mention://x/y) ",
        "x [a\\]b](mention://x/y)",
        "[a\\]*b*](mention://x/y)",
        "# [a\\]b](mention://x/y)",
        "![a\\]b](mention://x/y)",
    ] {
        let found = differences(&link, &Answer::Ok(json!(wrong)));
        // White space at the end of a paragraph is nothing.
        assert_eq!(found.is_empty(), wrong.ends_with(' '), "{wrong}: {found:?}");
    }
    let text = json!({ "$markdown": { "text": "*a* - b" } });
    same(&text, json!("\\*a\\* - b"));
    for wrong in ["*a* - b", "- \\*a\\* - b", "\\*a\\*\n- b", "\\*a\\*  - b", ""] {
        differs(&text, json!(wrong), "");
    }
}

#[test]
fn a_block_has_its_frame_its_entries_and_its_budget() {
    let block = |max: Value| json!({ "$block": { "frame": "mentions", "entries": ["- a\n  details: x", "- b", "- c"], "max": max } });
    let all = "<mentions>\n(About.)\n- a\n  details: x\n- b\n- c\n</mentions>";
    same(&block(json!({})), json!(all));
    same(&block(json!({})), json!(all.replace("(About.)\n", "")));
    differs(&block(json!({ "chars": 20 })), json!(all), "");
    same(
        &block(json!({ "chars": 100 })),
        json!("<mentions>\n(About.)\n- c\n- (2 more mentions not shown)\n</mentions>"),
    );
    for wrong in [
        "- a\n- b\n- c",
        "<mentions>\n- a\n- b\n- c\n</mentions>",
        "<mentions>\n- a\n  details: x\n- c\n- b\n</mentions>",
        "<mentions>\n- c\n</mentions>",
        "<mentions>\n- c\n- (3 more mentions not shown)\n</mentions>",
        "<mentions>\n- d\n- (2 more mentions not shown)\n</mentions>",
        "<mentions>\n- a\n  details: x\n- b\n- c\n</mentions>\n- d\n</mentions>",
    ] {
        differs(&block(json!({ "chars": 1000 })), json!(wrong), "");
    }
    differs(&block(json!({})), Value::Null, "");
    same(&json!({ "$block": { "frame": "mentions", "entries": [], "orNull": true } }), Value::Null);
}
