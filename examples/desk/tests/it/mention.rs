use crate::world::{Commit, Desk, Folder, git, repository};

#[test]
fn search_get_and_resolve() {
    let folder = Folder::new();
    let project = folder.path().join("project");
    repository(
        &project,
        &[
            Commit { message: "Fix login redirect\n\nIt looped.", files: &[("src/login.rs", Some("fn"))] },
            Commit { message: "Add logout", files: &[("src/logout.rs", Some("fn"))] },
        ],
    );
    let first = git(&project, &["rev-parse", "HEAD~1"]).trim().to_owned();
    let desk = Desk::new();
    desk.run(&["import", "git", project.to_str().unwrap()]).ok();

    let found = desk.json(&["mention", "search", "login"]);
    assert_eq!(found["items"][0]["id"], first.as_str());
    assert_eq!(found["providers"][0], serde_json::json!({ "name": "commit", "state": "ready", "hasMore": false }));
    let by_handle = desk.json(&["mention", "search", &first[..7]]);
    assert_eq!(by_handle["items"][0]["hint"], &first[..7]);
    let recent = desk.json(&["mention", "search", "--provider", "commit"]);
    assert_eq!(recent["items"][0]["label"], "Add logout");

    let view = desk.json(&["mention", "get", &format!("@commit(id=\"{}\")", &first[..7])]);
    assert_eq!(view["id"], first.as_str());
    assert_eq!(view["label"], "Fix login redirect");
    assert_eq!(desk.json(&["mention", "get", &format!("mention://commit/{first}")]), view);
    assert_eq!(desk.json(&["commit", "get", &first])["body"].as_str().unwrap().trim(), "It looped.");

    let text = format!(
        "@commit(id=\"{first}\") @commit(id=\"nothing\") @nobody(id=\"1\") `@commit(id=\"code\")` \
         [files](mention://workspace-reference/project?source=app&workspaceId=local) \
         [theirs](mention://workspace-reference/project?source=app&workspaceId=other) [bad](mention://commit/%zz)"
    );
    let resolved = desk.json(&["mention", "resolve", &text]);
    let block = resolved["block"].as_str().unwrap();
    assert!(block.contains(&format!("- @commit(id=\"{first}\") — Commit ")), "{block}");
    assert!(block.contains("\n- @commit(id=\"nothing\") — not found\n"), "{block}");
    assert!(block.contains("\n- @nobody(id=\"1\") — no provider for @nobody\n"), "{block}");
    assert!(!block.contains("code"), "{block}");
    assert_eq!(resolved["references"][0]["result"]["items"].as_array().unwrap().len(), 2);
    assert_eq!(resolved["references"][1]["error"]["code"], "workspace_mismatch");
    assert!(resolved["findings"].as_array().unwrap().iter().any(|finding| finding["kind"] == "invalid_escape"));
}
