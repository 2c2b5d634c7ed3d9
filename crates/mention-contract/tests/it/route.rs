//! Routes, the policy text, and the guide to resource links.

use mention_contract::check;
use mention_contract::context::{links_per_resource, resource_guide};
use mention_contract::route::{Route, Routes};
use mention_uri::{ResourceKinds, ValueType};
use serde_json::json;

fn names<'a>(routes: &'a Routes, text: &str) -> Vec<&'a str> {
    routes.route(text).into_iter().map(Route::name).collect()
}

#[test]
fn the_five_of_the_protocol() {
    let routes = Routes::standard();
    let all: Vec<_> = routes.iter().map(|(provider, route)| (provider, route.name(), route.is_passive())).collect();
    assert_eq!(
        all,
        [
            ("agent-session", "agent-handoff", false),
            ("agent-target", "agent-handoff", false),
            ("workspace-app", "workspace-app", false),
            ("workspace-issue", "issue-manager", false),
            ("workspace-reference", "reference", true),
        ]
    );
    assert_eq!(Routes::default(), routes);
}

#[test]
fn the_skills_of_a_message_once_each_in_order() {
    let routes = Routes::standard().with("kanban", Route::command("ticket get"));
    let text = "[@Notes](mention://workspace-reference/t?source=task&workspaceId=w) with <mention://agent-target/x?workspaceId=w>, \
        mention://agent-session/s?workspaceId=w, @kanban(id=\"1\") and [more](mention://workspace-reference/u?source=app&workspaceId=w), \
        `mention://workspace-app/a?workspaceId=w` and @calendar(id=\"1\")";
    assert_eq!(names(&routes, text), ["reference", "agent-handoff", "ticket get"]);
    assert_eq!(names(&routes, "nothing"), [""; 0]);
    assert_eq!(names(&Routes::none(), text), [""; 0]);
    assert_eq!(names(&routes.clone().without("kanban"), "@kanban(id=\"1\")"), [""; 0]);
}

#[test]
fn a_workspace_reference_never_authorizes_an_action() {
    let routes = Routes::none()
        .with("workspace-reference", Route::command("reference list"))
        .with("kanban", Route::skill("tickets"));
    assert!(routes.provider("workspace-reference").unwrap().is_passive());
    assert!(!routes.provider("kanban").unwrap().is_passive());
    let policy = routes.policy();
    let lines: Vec<_> = policy.lines().collect();
    assert_eq!(lines[1], "- mention://kanban/…: use the `tickets` skill first.");
    assert!(lines[2].starts_with("- mention://workspace-reference/…: use the `reference list` command first."));
    assert!(lines[2].contains("never authorizes an action"));
    assert!(Routes::none().policy().is_empty());
}

#[test]
fn golden_policy_and_guide() {
    insta::assert_snapshot!("policy", Routes::standard().policy());
    insta::assert_snapshot!("resource_guide", resource_guide(&ResourceKinds::studio()));
}

#[test]
fn the_guide_names_the_kinds_of_the_host() {
    let kinds = ResourceKinds::builder().kind("note").sub_target("note", "line", ValueType::Index).build().unwrap();
    let guide = resource_guide(&kinds);
    assert!(guide.ends_with("Kinds: note (#line).\n"), "{guide}");
    assert!(guide.contains("](note://"), "{guide}");
    assert_eq!(resource_guide(&ResourceKinds::none()), "");
}

#[test]
fn links_are_counted_per_resource() {
    let kinds = ResourceKinds::studio();
    let count = |text: &str| {
        links_per_resource(text, &kinds).into_iter().map(|(uri, n)| (uri.to_string(), n)).collect::<Vec<_>>()
    };
    let reply = "[a](storyboard://sb_1) [b](storyboard://sb_1#shot=s) <asset://as_1> `asset://as_1` asset://as_2 [w](https://x.test)";
    assert_eq!(count(reply), [("asset://as_1".to_owned(), 1), ("storyboard://sb_1".to_owned(), 2)]);
    assert_eq!(count("none"), []);
}

#[test]
fn the_links_of_a_tool_result() {
    let kinds = ResourceKinds::studio();
    let result = json!({
        "url": "storyboard://sb_1#shot=s3",
        "items": [{ "url": "asset://as_1" }, { "url": "https://x.test" }, { "url": 5 }, { "a/b": { "url": "storyboard://" } }],
        "href": "not looked at",
    });
    let report = check::result_links(&result, &kinds);
    let links: Vec<_> = report.links.iter().map(|(pointer, uri)| (pointer.as_str(), uri.as_str())).collect();
    assert_eq!(links, [("/items/0/url", "asset://as_1"), ("/url", "storyboard://sb_1#shot=s3")]);
    let faults: Vec<_> = report.faults.iter().map(|fault| (fault.pointer.as_str(), fault.code())).collect();
    let expected =
        [("/items/1/url", "unknown_kind"), ("/items/2/url", "not_a_string"), ("/items/3/a~1b/url", "missing_id")];
    assert_eq!(faults, expected);
    assert!(!report.passed());
    assert!(check::result_links(&json!({ "url": "asset://as_1" }), &kinds).passed());
    let mut deep = json!({ "url": "x" });
    for _ in 0..10_000 {
        deep = serde_json::Value::Array(vec![deep]);
    }
    assert_eq!(check::result_links(&deep, &kinds).faults.len(), 1);
    // Taken apart by hand: dropping it would recurse.
    while let serde_json::Value::Array(mut inner) = deep {
        deep = inner.pop().unwrap();
    }
}
