//! Bad input at each step gives its own code, on standard output with `--json`, in one line on standard error without.

use crate::world::{Commit, Desk, Folder, repository};

fn desk() -> (Desk, Folder) {
    let folder = Folder::new();
    let project = folder.path().join("project");
    repository(&project, &[Commit { message: "one", files: &[("src/a.rs", Some("a"))] }]);
    let desk = Desk::new();
    desk.run(&["import", "git", project.to_str().unwrap()]).ok();
    (desk, folder)
}

#[test]
fn each_has_its_own_code() {
    let (desk, _folder) = desk();
    let cases: &[(&[&str], i32, &str)] = &[
        (&["mention", "get", "mention://commit/100%"], 2, "invalid_escape"),
        (&["mention", "get", "mention://commit/%FF"], 2, "invalid_utf8"),
        (&["mention", "get", "mention://nobody/x"], 2, "unknown_provider"),
        (&["mention", "get", "@nobody(id=\"x\")"], 2, "unknown_provider"),
        (&["mention", "get", "mention://commit/"], 2, "missing_entity"),
        (&["mention", "get", "mention://commit/%20"], 2, "blank_id"),
        (&["mention", "get", "@commit(id=\"\")"], 2, "missing_id"),
        (&["mention", "get", "src/main.rs:12"], 2, "not_a_mention"),
        (&["mention", "get", "@commit(id=\"no such\")"], 1, "mention_not_found"),
        (&["mention", "get", ""], 2, "invalid_input"),
        (&["mention", "search", "x", "--provider", "nobody"], 2, "unknown_provider"),
        (&["mention", "search", "x", "--limit", "51"], 2, "invalid_input"),
        (
            &["reference", "list", "--uri", "mention://workspace-reference/project?source=app&workspaceId=other"],
            2,
            "workspace_mismatch",
        ),
        (&["reference", "list", "--uri", "mention://workspace-reference/project?source=app"], 2, "missing_workspace"),
        (&["reference", "list", "--source", "disk", "--id", "project"], 2, "invalid_source"),
        (&["reference", "list", "--source", "app"], 2, "missing_id"),
        (&["reference", "list", "--source", "app", "--id", "project", "--limit", "0"], 2, "invalid_limit"),
        (&["reference", "list", "--source", "app", "--id", "project", "--group-id", "nowhere"], 1, "not_found"),
        (&["reference", "list", "--source", "app", "--id", "other"], 1, "not_found"),
        (&["import", "git", "/no/such/folder"], 2, "unreadable_path"),
        (&["import", "issues", "/no/such/file.json"], 2, "unreadable_path"),
        (&["commit", "get", "0000000"], 1, "not_found"),
        (&["issue", "list", "--page-token", "x"], 2, "invalid_input"),
        (&["nonsense"], 2, "command_not_found"),
        (&["mention", "get", "--frobnicate"], 2, "invalid_input"),
    ];
    for (arguments, code, reason) in cases {
        let mut with_json = arguments.to_vec();
        with_json.push("--json");
        let error = desk.run(&with_json).failed(*code, reason);
        let plain = desk.run(arguments);
        assert_eq!(plain.code, Some(*code), "{plain:?}");
        assert_eq!(plain.stdout, "", "{plain:?}");
        assert_eq!(plain.stderr.lines().count(), 1, "{plain:?}");
        let message = error["message"].as_str().unwrap();
        assert!(plain.stderr.contains(message.split(['\n', '\t']).next().unwrap()), "{plain:?} {message}");
    }
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let (desk, _folder) = desk();
    let mut child = desk
        .command(&["issue", "topics", "--help"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

#[test]
fn a_database_of_a_newer_desk_is_refused() {
    let desk = Desk::new();
    desk.run(&["mention", "search", "x"]).ok();
    let connection = rusqlite::Connection::open(desk.database()).unwrap();
    connection.pragma_update(None, "user_version", 99).unwrap();
    drop(connection);
    desk.run(&["mention", "search", "x", "--json"]).failed(1, "database_newer");
}
