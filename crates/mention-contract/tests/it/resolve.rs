//! Pending mentions, plans and what becomes of them.

use super::clock::{Act, Clock, Host, ms};
use mention_contract::context::Already;
use mention_contract::resolve::{self, Outcomes, Pending, Plan, Resolved, Status};
use mention_contract::route::{Route, Routes};
use mention_contract::{CallError, Descriptor, Message, Registry, Role};
use mention_uri::MentionUri;
use serde_json::{Value, json};

fn uri(text: &str) -> MentionUri {
    text.parse().unwrap()
}

fn found(messages: &[Message]) -> Vec<String> {
    let pending = resolve::pending(messages, &Already::default());
    assert_eq!(pending.dropped, 0);
    pending.mentions.iter().map(ToString::to_string).collect()
}

#[test]
fn mentions_that_users_wrote_in_prose() {
    let text = "Look at @kanban(id=\"1\"), [x](mention://kanban/2?workspaceId=w), <mention://kanban/3>, mention://kanban/4.\n\n\
        `@kanban(id=\"5\")` \\@kanban(id=\"6\") [@kanban(id=\"7\")](https://x.test)\n\n```\nmention://kanban/8\n```\n\n> @kanban(id=\"9\")";
    assert_eq!(
        found(&[Message::user(text)]),
        [
            "mention://kanban/1",
            "mention://kanban/2?workspaceId=w",
            "mention://kanban/3",
            "mention://kanban/4",
            "mention://kanban/9"
        ]
    );
    for not_written in [
        Message::assistant(text),
        Message::new(Role::System, text),
        Message::new(Role::Tool, text),
        Message::attachment(text),
    ] {
        assert_eq!(found(&[not_written]), [""; 0]);
    }
    let routed = "mention://workspace-reference/t?source=task&workspaceId=w mention://workspace-app/a?workspaceId=w \
        mention://workspace-issue/i?workspaceId=w mention://agent-session/s?workspaceId=w mention://agent-target/t?workspaceId=w \
        @workspace-app(id=\"a\") @kanban(id=\"1\")";
    assert_eq!(found(&[Message::user(routed)]), ["mention://kanban/1"]);
    let own = Routes::none().with("kanban", Route::skill("tickets"));
    let pending = resolve::pending_with(
        &[Message::user("@kanban(id=\"1\") @workspace-app(id=\"a\")")],
        &Already::default(),
        &own,
    );
    assert_eq!(pending, Pending::new([uri("mention://workspace-app/a")]));
}

#[test]
fn each_once_and_the_newest_ten() {
    let messages = [
        Message::user("@a(id=\"1\") @a(id=\"2\")").block("<mention://a/1> @b(id=\"1\")"),
        Message::user("@a(id=\"3\")"),
    ];
    // The last place counts where one is repeated.
    assert_eq!(found(&messages), ["mention://a/2", "mention://a/1", "mention://b/1", "mention://a/3"]);
    let scoped = "<mention://a/1?count=1&x=1> <mention://a/1?count=2&x=1> <mention://a/1?x=2> <mention://a/1>";
    assert_eq!(found(&[Message::user(scoped)]), ["mention://a/1?count=2&x=1", "mention://a/1?x=2", "mention://a/1"]);
    let many: Vec<_> = (0..13).map(|n| Message::user(format!("@a(id=\"{n}\")"))).collect();
    let pending = resolve::pending(&many, &Already::default());
    assert_eq!(pending.dropped, 3);
    let ids: Vec<_> = pending.mentions.iter().map(MentionUri::entity).collect();
    assert_eq!(ids, ["3", "4", "5", "6", "7", "8", "9", "10", "11", "12"]);
    let already: Already = [uri("mention://a/12?count=2"), uri("mention://a/0")].into_iter().collect();
    let pending = resolve::pending(&many, &already);
    assert_eq!((pending.dropped, pending.mentions.len()), (1, 10));
    assert!(!pending.mentions.contains(&uri("mention://a/12")));
}

fn registry() -> Registry {
    let descriptor = |name: &str| {
        let descriptor = Descriptor::new(name, name.to_uppercase(), format!("{name}::search")).unwrap();
        descriptor.details(format!("{name}::read"), "key").unwrap().metadata()
    };
    let (a, b) = (descriptor("a"), descriptor("b"));
    Registry::from_functions([("a::get", &a), ("b::get", &b)])
}

fn plan(mentions: &[&str]) -> Plan {
    let pending = Pending::new(mentions.iter().map(|text| uri(text)).collect::<Vec<_>>());
    Plan::new(pending, &registry(), Some("w1"), |function| function == "a::read")
}

fn statuses(outcomes: &Outcomes) -> Vec<Status> {
    outcomes.list.iter().map(|outcome| outcome.status.clone()).collect()
}

#[test]
fn each_mention_has_its_outcome_in_input_order() {
    let mut plan = plan(&[
        "mention://a/KAN-1",
        "mention://b/2?workspaceId=w1",
        "mention://foo/1",
        "mention://a/3?workspaceId=other",
        "mention://a/gone",
        "mention://a/broken",
        "mention://a/late",
        "mention://a/odd",
        "mention://a/fails",
        "mention://a/forgotten?count=4",
    ]);
    let asked: Vec<_> = plan.calls().iter().map(|call| (call.function_id(), call.payload())).collect();
    assert_eq!(asked[0], ("a::get", json!({ "id": "KAN-1" })));
    assert_eq!(asked[1], ("b::get", json!({ "id": "2" })));
    assert_eq!(asked.len(), 8);
    let calls = plan.calls().to_vec();
    let answer = |id: &str| match id {
        "KAN-1" => Some(Ok(json!({ "id": "u-1", "label": "Fix", "hint": "KAN-1", "open": { "url": "javascript:x" } }))),
        "2" => Some(Ok(json!({ "id": "2", "label": "Two", "summary": "The second" }))),
        "gone" => Some(Ok(Value::Null)),
        "broken" => Some(Ok(json!({ "id": "", "label": "x" }))),
        "odd" => Some(Ok(json!("text"))),
        "fails" => Some(Err(CallError::unavailable("down"))),
        _ => None,
    };
    // In any order, and twice.
    for call in calls.iter().rev().chain(&calls) {
        match answer(&call.request().id) {
            Some(result) => plan.answer(call, result),
            None if call.request().id == "late" => plan.time_out(call),
            None => {}
        }
    }
    plan.answer(&calls[0], Ok(Value::Null));
    let outcomes = plan.outcomes();
    let first = Resolved::new("u-1", "Fix", "KAN-1 \"Fix\"").details("a::read", json!({ "key": "u-1" }));
    let expected = [
        Status::Resolved(first),
        // The agent may not call b::read.
        Status::Resolved(Resolved::new("2", "Two", "The second")),
        Status::UnknownProvider,
        Status::error("workspace_mismatch"),
        Status::NotFound,
        Status::error("blank_id"),
        Status::error("timed_out"),
        Status::error("invalid_answer"),
        Status::error("unavailable"),
        Status::error("not_answered"),
    ];
    assert_eq!(statuses(&outcomes), expected);
    assert_eq!(outcomes.list[1].mention, uri("mention://b/2?workspaceId=w1"));
    assert_eq!(outcomes.list[9].mention, uri("mention://a/forgotten"));
    assert_eq!(
        serde_json::to_value(&outcomes.list[0]).unwrap(),
        json!({ "mention": "mention://a/KAN-1", "status": "resolved", "id": "u-1", "label": "Fix", "summary": "KAN-1 \"Fix\"",
            "details": { "function_id": "a::read", "payload": { "key": "u-1" } } })
    );
    let json = serde_json::to_value(&outcomes).unwrap();
    assert_eq!(serde_json::from_value::<Outcomes>(json).unwrap(), outcomes);
}

#[test]
fn without_a_workspace_no_workspace_fits() {
    let pending = Pending::new([uri("mention://a/1?workspaceId=w1"), uri("mention://a/1")]);
    let plan = Plan::new(pending, &registry(), None, |_| true);
    assert_eq!(plan.calls().len(), 1);
    assert_eq!(statuses(&plan.outcomes()), [Status::error("workspace_mismatch"), Status::error("not_answered")]);
}

#[test]
fn calls_run_side_by_side_and_nothing_fails_the_whole() {
    let clock = Clock::default();
    let view = Ok(json!({ "id": "1", "label": "One" }));
    let host = Host::new(&clock, [("a::get", Act::After(ms(1499), view)), ("b::get", Act::Never)]);
    let plan = plan(&["mention://a/1", "mention://b/1", "mention://a/2", "mention://foo/1"]);
    let outcomes = clock.run(resolve::run(plan, &host, &clock));
    assert_eq!(clock.now(), ms(1500));
    let one = || Status::Resolved(Resolved::new("1", "One", "\"One\"").details("a::read", json!({ "key": "1" })));
    assert_eq!(statuses(&outcomes), [one(), Status::error("timed_out"), one(), Status::UnknownProvider]);
    let none = clock.run(resolve::run(super::resolve::plan(&[]), &host, &clock));
    assert_eq!(none, Outcomes::default());
}

#[test]
fn what_was_dropped_is_told() {
    let mentions = (0..12).map(|n| uri(&format!("mention://foo/{n}"))).collect::<Vec<_>>();
    let plan = Plan::new(Pending::new(mentions), &registry(), None, |_| true).deadline(ms(1));
    assert_eq!((plan.outcomes().list.len(), plan.outcomes().dropped, plan.patience()), (10, 2, ms(1)));
}
