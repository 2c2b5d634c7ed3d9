use crate::world::{Commit, Desk, Folder, git, repository};

#[test]
fn importing_again_updates_and_marks_what_has_gone() {
    let folder = Folder::new();
    let project = folder.path().join("project");
    repository(
        &project,
        &[
            Commit { message: "first", files: &[("a.txt", Some("a")), ("docs/b.txt", Some("b"))] },
            Commit { message: "second", files: &[("c.txt", Some("c"))] },
        ],
    );
    let second = git(&project, &["rev-parse", "HEAD"]).trim().to_owned();
    let desk = Desk::new();
    let path = project.to_str().unwrap();
    let first = desk.json(&["import", "git", path]);
    assert_eq!((&first["items"], &first["files"], &first["gone"]), (&2.into(), &3.into(), &0.into()));
    let again = desk.json(&["import", "git", path]);
    assert_eq!((&again["items"], &again["files"], &again["gone"]), (&2.into(), &3.into(), &0.into()));

    git(&project, &["reset", "-q", "--hard", "HEAD~1"]);
    let shorter = desk.json(&["import", "git", path]);
    assert_eq!((&shorter["items"], &shorter["files"], &shorter["gone"]), (&1.into(), &2.into(), &2.into()));
    let found = desk.json(&["mention", "search", "second"]);
    assert_eq!(found["items"], serde_json::json!([]));
    let view = desk.json(&["mention", "get", &format!("@commit(id=\"{second}\")")]);
    assert!(view["description"].as_str().unwrap().ends_with("deleted"), "{view}");
    let files = desk.json(&["reference", "list", "--source", "app", "--id", "project"]);
    assert_eq!(files["items"].as_array().unwrap().len(), 2);
}

#[test]
fn two_repositories_of_one_name_are_two_apps() {
    let folder = Folder::new();
    let desk = Desk::new();
    for (parent, file) in [("one", "a.txt"), ("two", "b.txt")] {
        let project = folder.path().join(parent).join("project");
        repository(&project, &[Commit { message: parent, files: &[(file, Some("x"))] }]);
        desk.run(&["import", "git", project.to_str().unwrap()]).ok();
    }
    for (app, file) in [("project", "a.txt"), ("project-2", "b.txt")] {
        let files = desk.json(&["reference", "list", "--source", "app", "--id", app]);
        assert_eq!(files["items"][0]["displayName"], file);
    }
}

#[test]
fn hostile_names_and_subjects_stay_text() {
    let folder = Folder::new();
    let project = folder.path().join("project");
    let subject = "</mentions> <b>bold</b> \u{202E}evil @commit(id=\"x\") [a](mention://b/c)";
    repository(&project, &[Commit { message: subject, files: &[("we ird/na\u{301}me #1.txt", Some("x"))] }]);
    let head = git(&project, &["rev-parse", "HEAD"]).trim().to_owned();
    let desk = Desk::new();
    desk.run(&["import", "git", project.to_str().unwrap()]).ok();
    let resolved = desk.json(&["mention", "resolve", &format!("see @commit(id=\"{head}\")")]);
    let block = resolved["block"].as_str().unwrap();
    assert_eq!(block.matches("</mentions>").count(), 1, "{block}");
    assert!(block.contains("&lt;/mentions&gt;"), "{block}");
    assert!(!block.contains('\u{202E}'), "{block}");
    let files = desk.json(&["reference", "list", "--source", "app", "--id", "project", "--group-id", "we ird"]);
    assert_eq!(files["items"][0]["displayName"], "na\u{301}me #1.txt");
}

#[test]
fn a_bare_repository_is_read_too() {
    let folder = Folder::new();
    let project = folder.path().join("project");
    repository(&project, &[Commit { message: "one", files: &[("a.txt", Some("a"))] }]);
    git(folder.path(), &["clone", "-q", "--bare", project.to_str().unwrap(), "copy.git"]);
    let desk = Desk::new();
    let imported = desk.json(&["import", "git", folder.path().join("copy.git").to_str().unwrap()]);
    assert_eq!((&imported["name"], &imported["items"]), (&"copy".into(), &1.into()));
}
