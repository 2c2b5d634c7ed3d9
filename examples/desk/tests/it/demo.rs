use crate::world::{Commit, Desk, Folder, git, repository};

fn two_commits(folder: &Folder) {
    repository(
        folder.path(),
        &[
            Commit {
                message: "feat: first step\n\nWhy.",
                files: &[("README.md", Some("hi")), ("src/a.rs", Some("a"))],
            },
            Commit { message: "fix: second step", files: &[("src/b.rs", Some("bb"))] },
        ],
    );
}

#[test]
fn shows_the_whole_path() {
    let folder = Folder::new();
    two_commits(&folder);
    let head = git(folder.path(), &["rev-parse", "HEAD"]);
    let before = git(folder.path(), &["rev-parse", "HEAD~1"]);
    let (head, before) = (head.trim(), before.trim());
    let desk = Desk::new();
    let ran = desk.run(&["demo", "--path", folder.path().to_str().unwrap()]).ok();
    assert!(ran.stdout.contains(&format!("⟦@commit(id=\"{head}\")⟧")), "{}", ran.stdout);
    assert!(ran.stdout.contains(&format!("](commit://{before})⟧")), "{}", ran.stdout);
    assert!(ran.stdout.contains("](mention://workspace-reference/"), "{}", ran.stdout);
    let block = format!(
        "- @commit(id=\"{head}\") — Commit {} \"fix: second step\" · Ada Example · 2023-11-14\n  details: desk::commit::get \
         {{\"id\":\"{head}\"}}",
        &head[..7]
    );
    assert!(ran.stdout.contains(&block), "{}", ran.stdout);
    assert!(ran.stdout.contains("src/a.rs") && ran.stdout.contains("src/b.rs"), "{}", ran.stdout);
    assert!(ran.stdout.contains("Timings"), "{}", ran.stdout);
}

#[test]
fn json_holds_the_same_facts() {
    let folder = Folder::new();
    two_commits(&folder);
    let demo = Desk::new().json(&["demo", "--path", folder.path().to_str().unwrap()]);
    assert_eq!(demo["imported"]["items"], 2);
    assert_eq!(demo["imported"]["files"], 3);
    let kinds: Vec<&str> = demo["findings"].as_array().unwrap().iter().map(|f| f["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["token", "resource", "mention"]);
    assert_eq!(demo["asked"].as_array().unwrap().len(), 2);
    assert_eq!(demo["outcomes"]["list"][0]["status"], "resolved");
    let names: Vec<&str> = demo["references"][0]["result"]["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file["displayName"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["a.rs", "b.rs"]);
    assert!(demo["block"].as_str().unwrap().starts_with("<mentions>\n"));
}

#[test]
fn runs_where_there_is_one_commit_and_no_folder() {
    let folder = Folder::new();
    repository(folder.path(), &[Commit { message: "only", files: &[("a.txt", Some("a"))] }]);
    let demo = Desk::new().json(&["demo", "--path", folder.path().to_str().unwrap()]);
    assert_eq!(demo["imported"]["items"], 1);
    assert_eq!(demo["references"][0]["result"]["items"][0]["displayName"], "a.txt");
}

#[test]
fn runs_in_the_folder_it_is_called_from() {
    let folder = Folder::new();
    two_commits(&folder);
    let desk = Desk::new();
    let output = desk.command(&["demo", "--json"]).current_dir(folder.path().join("")).output().unwrap();
    assert!(output.status.success());
}

#[test]
fn outside_of_a_repository_it_says_so() {
    let folder = Folder::new();
    let desk = Desk::new();
    // Nothing above the folder may be taken for a repository.
    let lonely = std::env::temp_dir().join(format!("desk-lonely-{}", std::process::id()));
    std::fs::create_dir_all(&lonely).unwrap();
    let ran = desk.run(&["demo", "--path", lonely.to_str().unwrap(), "--json"]);
    std::fs::remove_dir_all(&lonely).unwrap();
    let error = ran.failed(2, "not_a_repository");
    assert!(error["hint"].as_str().unwrap().contains("--path"));
    git(folder.path(), &["init", "-q"]);
    desk.run(&["demo", "--path", folder.path().to_str().unwrap(), "--json"]).failed(2, "no_commits");
    let plain = desk.run(&["demo", "--path", folder.path().join("nothing").to_str().unwrap()]);
    assert_eq!(plain.code, Some(2));
    assert_eq!(plain.stdout, "");
    assert_eq!(plain.stderr.lines().count(), 1, "{}", plain.stderr);
}
