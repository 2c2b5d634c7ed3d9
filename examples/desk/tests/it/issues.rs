use crate::world::{Desk, Folder};

const ISSUES: &str = r#"[
  {"number": 12, "title": "Fix login redirect", "body": "See [the log](docs/login.md) and [more](src/auth.rs#L3).\n\n`[no](code.rs)`",
   "state": "OPEN", "labels": [{"name": "bug"}, {"name": "auth"}], "assignees": [{"login": "ada"}],
   "updatedAt": "2026-10-06T20:17:20Z", "url": "https://github.com/acme/shop/issues/12"},
  {"number": 7, "title": "", "body": null, "state": "CLOSED", "labels": [{"name": "bug"}], "assignees": [],
   "updatedAt": "2025-01-01T00:00:00Z", "url": "https://github.com/acme/shop/issues/7"}
]"#;

#[test]
fn issues_labels_and_linked_files() {
    let folder = Folder::new();
    let file = folder.file("issues.json", ISSUES);
    let desk = Desk::new();
    let imported = desk.json(&["import", "issues", file.to_str().unwrap()]);
    assert_eq!((&imported["name"], &imported["items"]), (&"acme/shop".into(), &2.into()));

    let found = desk.json(&["mention", "search", "#12"]);
    assert_eq!(found["items"][0]["id"], "acme/shop#12");
    let view = desk.json(&["mention", "get", "@issue(id=\"#12\")"]);
    assert_eq!(view["id"], "acme/shop#12");
    assert_eq!(view["open"]["url"], "https://github.com/acme/shop/issues/12");
    assert_eq!(
        view["summary"],
        "Issue #12 \"Fix login redirect\" · state: open · assigned to: ada · labels: auth, bug"
    );

    let of_issue = ["reference", "list", "--source", "task", "--id", "bug", "--group-id", "acme/shop#12"];
    let files = desk.json(&of_issue);
    let paths: Vec<&str> =
        files["items"].as_array().unwrap().iter().map(|file| file["path"].as_str().unwrap()).collect();
    assert_eq!(paths, ["docs/login.md", "src/auth.rs"]);
    assert_eq!(
        desk.json(&["reference", "list", "--source", "task", "--id", "bug"])["items"].as_array().unwrap().len(),
        2
    );
    desk.run(&["reference", "list", "--source", "task", "--id", "nothing", "--json"]).failed(1, "not_found");

    let topics = desk.json(&["issue", "topics"]);
    assert_eq!(topics["items"], serde_json::json!([{ "id": "auth", "issues": 1 }, { "id": "bug", "issues": 2 }]));
    let page = desk.json(&["issue", "list", "--page-size", "1"]);
    assert_eq!((&page["items"][0]["handle"], &page["hasMore"]), (&"#12".into(), &true.into()));
    let token = page["nextPageToken"].as_str().unwrap();
    let rest = desk.json(&["issue", "list", "--page-size", "1", "--page-token", token]);
    assert_eq!((&rest["items"][0]["title"], &rest["hasMore"]), (&"#7".into(), &false.into()));
    assert_eq!(desk.json(&["issue", "list", "--state", "closed"])["items"].as_array().unwrap().len(), 1);
    assert_eq!(desk.json(&["issue", "get", "12"])["topics"], serde_json::json!(["auth", "bug"]));
}

#[test]
fn a_broken_file_changes_nothing_and_says_where() {
    let folder = Folder::new();
    let file = folder.file("issues.json", ISSUES);
    let desk = Desk::new();
    desk.run(&["import", "issues", file.to_str().unwrap()]).ok();
    for (broken, line, column) in [
        ("[\n  {\"number\": 1, \"title\": 5}\n]", 2, 26),
        ("[\n  {\"number\": 12, \"title\": \"x\"", 2, 29),
        ("[{\"number\": 1, \"title\": \"a\", \"updatedAt\": \"yesterday\"}]", 1, 54),
    ] {
        folder.file("issues.json", broken);
        let error = desk.run(&["import", "issues", file.to_str().unwrap(), "--json"]).failed(2, "invalid_issues_file");
        let message = error["message"].as_str().unwrap();
        assert!(message.contains(&format!("issues.json:{line}:{column}: ")), "{message}");
        assert_eq!(desk.json(&["issue", "list"])["items"].as_array().unwrap().len(), 2);
    }
}

#[test]
fn an_issue_that_has_gone_still_resolves() {
    let folder = Folder::new();
    let file = folder.file("issues.json", ISSUES);
    let desk = Desk::new();
    desk.run(&["import", "issues", file.to_str().unwrap()]).ok();
    folder.file("issues.json", "[]");
    desk.run(&["import", "issues", file.to_str().unwrap()]).ok();
    assert_eq!(desk.json(&["mention", "search", "login"])["items"], serde_json::json!([]));
    assert_eq!(desk.json(&["mention", "get", "@issue(id=\"acme/shop#12\")"])["description"], "deleted");
    desk.run(&["reference", "list", "--source", "task", "--id", "bug", "--json"]).failed(1, "not_found");
}
