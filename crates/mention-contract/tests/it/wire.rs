//! The JSON of the protocol's examples, and what breaks it.

use mention_contract::{
    Breach, Color, Field, GetRequest, Icon, Item, Open, SearchContext, SearchRequest, SearchResponse, Tone, View,
};
use proptest::prelude::*;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

pub(crate) fn search_request() -> Value {
    json!({ "query": "fix log", "limit": 8, "context": { "session_id": "console-7", "working_dir": "/repo" } })
}

pub(crate) fn search_response() -> Value {
    json!({ "items": [ { "id": "6ac4f6df-1", "label": "Fix login redirect", "hint": "KAN-12",
        "description": "In progress · high", "icon": "ticket", "color": "amber" } ] })
}

pub(crate) fn view() -> Value {
    json!({ "id": "6ac4f6df-1", "label": "Fix login redirect", "hint": "KAN-12",
        "description": "In progress", "icon": "ticket", "color": "amber",
        "fields": [ { "label": "Priority", "value": "high", "tone": "warning" },
                    { "label": "Assignee", "value": "backend-engineer" } ],
        "open": { "page": "kanban-item", "context": { "id": "KAN-12" } },
        "summary": "Ticket KAN-12 \"Fix login redirect\" · status: In progress · priority: high",
        "data": { "card": { "points": 3 } },
        "updated_at": "2026-10-06T20:17:20.749Z" })
}

#[track_caller]
fn unchanged<T: Serialize + DeserializeOwned>(json: &Value) -> T {
    let read: T = serde_json::from_value(json.clone()).unwrap();
    assert_eq!(&serde_json::to_value(&read).unwrap(), json);
    let text = serde_json::to_string(json).unwrap();
    assert_eq!(serde_json::to_value(serde_json::from_str::<T>(&text).unwrap()).unwrap(), *json);
    read
}

#[test]
fn the_examples_read_and_write_unchanged() {
    let request: SearchRequest = unchanged(&search_request());
    assert_eq!(
        request,
        SearchRequest::new("fix log")
            .limit(8)
            .context(SearchContext::new().session_id("console-7").working_dir("/repo"))
    );
    let response: SearchResponse = unchanged(&search_response());
    let item = Item::new("6ac4f6df-1", "Fix login redirect")
        .hint("KAN-12")
        .description("In progress · high")
        .icon(Icon::Ticket)
        .color(Color::Amber);
    assert_eq!(response, SearchResponse::new([item]));
    assert_eq!(unchanged::<GetRequest>(&json!({ "id": "6ac4f6df-1" })), GetRequest::new("6ac4f6df-1"));
    let read: View = unchanged(&view());
    let built = View::new("6ac4f6df-1", "Fix login redirect")
        .hint("KAN-12")
        .description("In progress")
        .icon("ticket")
        .color("amber")
        .field(Field::new("Priority", "high").tone(Tone::Warning))
        .field(Field::new("Assignee", "backend-engineer"))
        .open(Open::page_with("kanban-item", json!({ "id": "KAN-12" })))
        .summary("Ticket KAN-12 \"Fix login redirect\" · status: In progress · priority: high")
        .data(json!({ "card": { "points": 3 } }))
        .updated_at("2026-10-06T20:17:20.749Z");
    assert_eq!(read, built);
    assert_eq!(read.sanitized(), (built, vec![]));
    for open in [json!({ "page": "traces" }), json!({ "session": "s-1" }), json!({ "url": "https://example.org/" })] {
        unchanged::<Open>(&open);
    }
    unchanged::<Option<View>>(&Value::Null);
    unchanged::<SearchRequest>(&json!({ "query": "" }));
    unchanged::<View>(&json!({ "id": "1", "label": "x", "fields": [] }));
}

#[test]
fn unknown_members_are_ignored_and_future_words_survive() {
    let read: View =
        serde_json::from_value(json!({ "id": "1", "label": "x", "icon": "hologram", "color": "ultraviolet",
        "fields": [ { "label": "a", "value": "b", "tone": "ironic", "later": 1 } ], "later": { "a": [] } }))
        .unwrap();
    assert_eq!(read.sanitized(), (read.clone(), vec![]));
    assert_eq!(
        serde_json::to_value(&read).unwrap(),
        json!({ "id": "1", "label": "x", "icon": "hologram", "color": "ultraviolet",
            "fields": [ { "label": "a", "value": "b", "tone": "ironic" } ] })
    );
    assert_eq!(read.icon.as_ref().map(Icon::or_default), Some(Icon::Mention));
    assert_eq!(read.color.as_ref().map(Color::or_default), Some(Color::Neutral));
    assert_eq!(read.fields[0].tone.as_ref().map(Tone::or_default), Some(Tone::Neutral));
    assert_eq!(Icon::Ticket.or_default(), Icon::Ticket);
    let request: SearchRequest =
        serde_json::from_value(json!({ "query": "q", "fuzzy": true, "context": { "x": 1 } })).unwrap();
    assert_eq!(request, SearchRequest::new("q").context(SearchContext::new()));
}

#[test]
fn the_vocabularies_are_those_of_the_protocol() {
    let icons = "ticket, issue, task, session, chat, message, post, trace, span, activity, event, calendar, email, \
        mail, user, person, team, group, channel, hash, tweet, mention, file, doc, document, folder, link, agent, bot, \
        database, table";
    assert_eq!(Icon::WORDS.join(", "), icons);
    assert_eq!(Color::WORDS, ["neutral", "blue", "purple", "teal", "green", "amber", "rose"]);
    assert_eq!(Tone::WORDS, ["neutral", "info", "success", "warning", "danger"]);
    for word in Icon::WORDS {
        assert!(!matches!(Icon::from(*word), Icon::Other(_)), "{word}");
        assert_eq!(Icon::from(*word).as_str(), *word);
        assert_eq!(unchanged::<Icon>(&json!(word)), Icon::from(*word));
    }
    assert_eq!(Icon::from("Ticket"), Icon::Other("Ticket".into()));
}

#[test]
fn a_limit_is_a_whole_number() {
    let limit = |limit: Value| serde_json::from_value::<SearchRequest>(json!({ "query": "", "limit": limit }));
    for (json, effective, capped) in [
        (json!(null), 8, false),
        (json!(0), 1, false),
        (json!(1), 1, false),
        (json!(4), 4, false),
        (json!(8.0), 8, false),
        (json!(50), 50, false),
        (json!(51), 50, true),
        (json!(u64::MAX), 50, true),
        (json!(1e300), 50, true),
    ] {
        let request = limit(json.clone()).unwrap();
        assert_eq!((request.effective_limit(), request.capped()), (effective, capped), "{json}");
    }
    for json in [json!(-1), json!(1.5), json!("8"), json!(-0.5), json!([8]), json!(true), json!({}), json!(-1e300)] {
        assert!(limit(json.clone()).is_err(), "{json}");
    }
    assert_eq!(SearchRequest::new("").effective_limit(), 8);
    assert!(serde_json::from_value::<SearchRequest>(json!({ "limit": 1 })).is_err());
}

#[test]
fn search_17_zero_negative_and_huge_limits() {
    let read = |text: &str| serde_json::from_str::<SearchRequest>(text);
    assert_eq!(read(r#"{"query":"","limit":0}"#).unwrap().effective_limit(), 1);
    assert!(read(r#"{"query":"","limit":-1}"#).is_err());
    let huge = read(r#"{"query":"","limit":1000000}"#).unwrap();
    assert_eq!((huge.effective_limit(), huge.capped()), (50, true));
}

/// A view's breaches by code.
fn codes(json: Value) -> Vec<&'static str> {
    let (_, breaches) = serde_json::from_value::<View>(json).unwrap().sanitized();
    breaches.iter().map(Breach::code).collect()
}

#[test]
fn one_bad_member_never_loses_a_view() {
    let with = |member: &str, value: Value| {
        let mut json = view();
        json[member] = value;
        json
    };
    for open in [
        json!({}),
        json!({ "page": "x", "url": "https://x.test" }),
        json!({ "page": "x", "session": "s" }),
        json!({ "page": 5 }),
        json!({ "page": "" }),
        json!({ "session": "  " }),
        json!({ "context": {} }),
        json!("https://x.test"),
        json!([]),
        json!(false),
    ] {
        assert_eq!(codes(with("open", open.clone())), ["invalid_open"], "{open}");
    }
    for date in [json!("yesterday"), json!("2026-10-06"), json!(1_759_781_840), json!(""), json!({})] {
        assert_eq!(codes(with("updated_at", date.clone())), ["invalid_updated_at"], "{date}");
    }
    for member in ["hint", "description", "icon", "color", "summary", "fields"] {
        assert_eq!(codes(with(member, json!(7))), ["invalid_type"], "{member}");
        assert_eq!(codes(with(member, Value::Null)), [""; 0], "{member}");
    }
    assert_eq!(codes(with("fields", json!([1, { "label": "a" }, { "label": "a", "value": 1 }]))), ["invalid_field"; 3]);
    let fields: Vec<_> = (0..7).map(|n| json!({ "label": "n", "value": n.to_string() })).collect();
    let seven: View = serde_json::from_value(with("fields", json!(fields))).unwrap();
    let (six, breaches) = seven.sanitized();
    assert_eq!(breaches, [Breach::TooManyFields { count: 7 }]);
    assert_eq!(six.fields.len(), 6);
    assert_eq!(six.fields[5].value, "5");
    // `"` + n × `x` + `"` is n + 2 bytes.
    assert_eq!(codes(with("data", json!("x".repeat(16 * 1024 - 2)))), [""; 0]);
    assert_eq!(codes(with("data", json!("x".repeat(16 * 1024 - 1)))), ["data_too_large"]);
    let (all, breaches) = serde_json::from_value::<View>(
        json!({ "id": "1", "label": "x", "open": { "url": "file:///etc" }, "updated_at": "?", "data": "x".repeat(20_000) }),
    )
    .unwrap()
    .sanitized();
    assert_eq!(all, View::new("1", "x"));
    assert_eq!(
        breaches.iter().map(Breach::code).collect::<Vec<_>>(),
        ["unsafe_url", "invalid_updated_at", "data_too_large"]
    );
    for no_view in [json!("x"), json!([]), json!(1), json!(true)] {
        assert!(serde_json::from_value::<View>(no_view).is_err());
    }
}

#[test]
fn only_an_id_or_a_label_is_fatal() {
    let fatal = |json: Value| serde_json::from_value::<View>(json).unwrap().usable().map(|_| ()).map_err(|b| b.code());
    let long = |n: usize| "ä".repeat(n);
    for (json, expected) in [
        (json!({ "id": "1", "label": "x" }), Ok(())),
        (json!({ "id": long(512), "label": "x" }), Ok(())),
        (json!({ "id": long(513), "label": "x" }), Err("id_too_long")),
        (json!({ "id": "", "label": "x" }), Err("blank_id")),
        (json!({ "id": " \n", "label": "x" }), Err("blank_id")),
        (json!({ "id": 1, "label": "x" }), Err("blank_id")),
        (json!({ "label": "x" }), Err("blank_id")),
        (json!({ "id": "1" }), Err("blank_label")),
        (json!({ "id": "1", "label": "" }), Err("blank_label")),
        (json!({ "id": "1", "label": " \u{200b}\u{202e}" }), Err("blank_label")),
        (json!({ "id": "1", "label": ["x"] }), Err("blank_label")),
        (json!({}), Err("blank_id")),
    ] {
        assert_eq!(fatal(json.clone()), expected, "{json}");
        let item: Item = serde_json::from_value(json.clone()).unwrap();
        assert_eq!(item.usable().is_some(), expected.is_ok(), "{json}");
        let fatal_breach = item.sanitized().1.into_iter().find(Breach::is_fatal);
        assert_eq!(fatal_breach.map(|b| b.code()), expected.err(), "{json}");
    }
    let item: Item = serde_json::from_value(json!({ "id": "1", "label": "x", "hint": 12, "icon": [] })).unwrap();
    let (clean, breaches) = item.sanitized();
    assert_eq!(clean, Item::new("1", "x"));
    assert_eq!(breaches, [Breach::InvalidType { member: "hint" }, Breach::InvalidType { member: "icon" }]);
    let broken: SearchResponse =
        serde_json::from_value(json!({ "items": [ 1, null, { "id": "1", "label": "x" } ] })).unwrap();
    assert_eq!(broken.items.iter().filter_map(Item::usable).collect::<Vec<_>>(), [Item::new("1", "x")]);
}

#[test]
fn context_17_only_web_addresses_open() {
    let opens = |url: &str| View::new("1", "x").open(Open::url(url)).sanitized().0.open.is_some();
    for kept in [
        "https://example.org/a?b=c#d",
        "http://localhost:8080",
        "HTTPS://x.test",
        "https://пример.рф/",
        "http://[::1]/",
        "https://x.test/@me?at=@#@",
        "https://x.test?a\\b",
    ] {
        assert!(opens(kept), "{kept}");
    }
    for dropped in [
        "java\tscript:alert(1)",
        "javascript:alert(1)",
        "JaVaScRiPt://x.test/%0aalert(1)",
        "data:text/html,x",
        "file:///etc/passwd",
        "ftp://x.test",
        "mailto:a@x.test",
        "//x.test",
        "/path",
        "x.test",
        "https:",
        "https://",
        "ht\ntps://x.test",
        " https://x.test",
        "https://x.test/\u{202e}fdp.exe",
        "https://x.test/a b",
        "blob:https://x.test/1",
        "view-source:https://x.test",
        // What is shown is not what opens.
        "https://bank.test@x.test/",
        "https://bank.test:443@x.test",
        "https://@x.test",
        "https://bank.test\\@x.test",
        "https://bank.test\\.x.test",
        "http:\\\\x.test",
        "http:/\\x.test",
        "http:x.test",
        "http:/x.test",
        "https:///x.test",
        "https:x.test/://y.test",
        "",
    ] {
        assert!(!opens(dropped), "{dropped:?}");
    }
}

#[test]
fn sanitizing_twice_changes_nothing() {
    let json = json!({ "id": "1", "label": "x", "open": {}, "updated_at": 5, "fields": [1, 2], "hint": [] });
    let (once, breaches) = serde_json::from_value::<View>(json).unwrap().sanitized();
    assert_eq!(breaches.len(), 5);
    assert_eq!(once.sanitized(), (once.clone(), vec![]));
}

#[test]
fn the_line_for_the_agent() {
    let view = View::new("1", "Fix login").hint("KAN-12");
    assert_eq!(view.agent_summary(), r#"KAN-12 "Fix login""#);
    let described = view.clone().description("In progress");
    assert_eq!(described.agent_summary(), r#"KAN-12 "Fix login" — In progress"#);
    let fields = |view: View| view.field(Field::new("Priority", "high")).field(Field::new("Assignee", "sam"));
    assert_eq!(
        fields(described.clone()).agent_summary(),
        r#"KAN-12 "Fix login" — In progress · Priority: high · Assignee: sam"#
    );
    assert_eq!(fields(view).agent_summary(), r#"KAN-12 "Fix login" — Priority: high · Assignee: sam"#);
    assert_eq!(View::new("1", "x").agent_summary(), "\"x\"");
    assert_eq!(described.clone().summary("Ticket KAN-12").agent_summary(), "Ticket KAN-12");
    assert_eq!(described.summary(" ").agent_summary(), r#"KAN-12 "Fix login" — In progress"#);
}

/// JSON that knows the members of a view and puts anything into them.
fn any_view() -> impl Strategy<Value = Value> {
    let text = prop_oneof![
        Just(String::new()),
        "[ \u{200b}\n]{0,3}",
        ".{0,12}",
        Just("https://x.test".to_owned()),
        Just("javascript:x".to_owned()),
        Just("2026-10-06T20:17:20Z".to_owned()),
        Just("x".repeat(600)),
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        text.prop_map(Value::from),
    ];
    let key = prop::sample::select(vec![
        "id",
        "label",
        "hint",
        "description",
        "icon",
        "color",
        "fields",
        "open",
        "summary",
        "data",
        "updated_at",
        "page",
        "session",
        "url",
        "value",
        "tone",
        "context",
        "later",
    ]);
    leaf.prop_recursive(3, 40, 9, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..9).prop_map(Value::from),
            prop::collection::vec((key.clone(), inner), 0..9)
                .prop_map(|members| members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_object_reads_as_a_view_and_sanitizing_ends_it(json in any_view()) {
        let view = serde_json::from_value::<View>(json.clone());
        prop_assert_eq!(view.is_ok(), json.is_object());
        let item: Item = serde_json::from_value(json.clone()).unwrap();
        prop_assert!(item.sanitized().0.sanitized().1.iter().all(Breach::is_fatal));
        let Ok(view) = view else { return Ok(()) };
        let (clean, breaches) = view.sanitized();
        let fatal = breaches.iter().any(Breach::is_fatal);
        let text = |member: &str| json.get(member).and_then(Value::as_str).unwrap_or_default();
        // Only an id or a label is fatal.
        let usable = !text("id").trim().is_empty() && text("id").chars().count() <= 512
            && text("label").chars().any(|c| !c.is_whitespace() && c != '\u{200b}' && !c.is_control());
        prop_assert!(usable || fatal);
        prop_assert_eq!(&clean.id, text("id"));
        prop_assert_eq!(clean.sanitized().0, clean.clone());
        prop_assert!(clean.sanitized().1.iter().all(Breach::is_fatal));
        let written = serde_json::to_value(&clean).unwrap();
        prop_assert_eq!(serde_json::from_value::<View>(written).unwrap(), clean);
    }
}
