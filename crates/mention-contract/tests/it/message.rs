//! The reader for the common JSON shapes of messages.

use mention_contract::{Message, Role};
use serde_json::{Value, json};

#[test]
fn the_common_shapes() {
    for (json, expected) in [
        (json!({ "role": "user", "content": "hi" }), vec![Message::user("hi")]),
        (json!({ "role": "user", "content": "" }), vec![Message::user("")]),
        (
            json!([{ "role": "system", "content": "s" }, { "role": "assistant", "content": "a" }]),
            vec![Message::new(Role::System, "s"), Message::assistant("a")],
        ),
        (
            json!({ "model": "m", "messages": [{ "role": "user", "content": [{ "type": "text", "text": "a" }, "b"] }] }),
            vec![Message::user("a").block("b")],
        ),
        (
            json!({ "role": "user", "content": [
                { "type": "input_text", "text": "a" },
                { "type": "image_url", "image_url": { "url": "https://x.test" } },
                { "type": "tool_result", "content": "not written", "text": "neither" },
                { "type": "reasoning", "text": "not written" },
                { "type": "text" }, 5, null,
            ] }),
            vec![Message::user("a")],
        ),
        (
            json!({ "role": "model", "parts": [{ "text": "a" }, { "text": "hm", "thought": true }] }),
            vec![Message::assistant("a")],
        ),
        (json!({ "type": "human", "content": "hi" }), vec![Message::user("hi")]),
        (json!({ "role": "user", "content": "x", "attached": true }), vec![Message::attachment("x")]),
        (
            json!({ "role": "user", "content": [
                { "text": "a" }, { "text": "b", "attached": true }, { "text": "c", "attached": true }, { "text": "d" },
            ] }),
            vec![Message::user("a"), Message::attachment("b").block("c"), Message::user("d")],
        ),
        (
            json!([{ "role": "user", "content": "1" }, { "role": "user", "content": "2" }]),
            vec![Message::user("1"), Message::user("2")],
        ),
        (json!({ "role": "critic", "content": "x" }), vec![Message::new(Role::Other("critic".into()), "x")]),
        (json!({ "role": "tool", "content": "x" }), vec![Message::new(Role::Tool, "x")]),
    ] {
        assert_eq!(Message::read(&json), expected, "{json}");
    }
    for nothing in
        [Value::Null, json!("hi"), json!({}), json!({ "content": "x" }), json!({ "role": "user" }), json!([1])]
    {
        assert_eq!(Message::read(&nothing), [], "{nothing}");
    }
}
