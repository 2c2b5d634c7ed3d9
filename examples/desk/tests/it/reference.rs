use std::collections::BTreeSet;
use std::path::Path;

use crate::world::{Desk, git};

/// What `reference list` says of this repository's own folders is what Git says.
#[test]
fn agrees_with_git_ls_tree() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    if !root.join(".git").exists() {
        println!("skipped: these sources are not in a Git repository");
        return;
    }
    let desk = Desk::new();
    let imported = desk.json(&["import", "git", root.to_str().unwrap()]);
    let app = imported["name"].as_str().unwrap();
    for folder in ["", "crates/cli-spec/src", "examples"] {
        let mut arguments = vec!["reference", "list", "--source", "app", "--id", app];
        if !folder.is_empty() {
            arguments.extend(["--group-id", folder]);
        }
        let listed = desk.json(&arguments);
        let listed: Vec<String> = listed["items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|file| {
                let path = Path::new(file["path"].as_str().unwrap());
                let size = file["sizeBytes"].as_u64().unwrap();
                format!("{size} {}", path.strip_prefix(root.canonicalize().unwrap()).unwrap().display())
            })
            .collect();
        let pathspec = if folder.is_empty() { "." } else { folder };
        let tree = git(root, &["ls-tree", "-r", "-z", "--format=%(objectsize) %(path)", "HEAD", pathspec]);
        let expected: BTreeSet<String> = tree.split('\0').filter(|line| !line.is_empty()).map(str::to_owned).collect();
        assert!(expected.len() <= 1000, "the repository has outgrown one resolution: test its folders instead");
        assert_eq!(listed.len(), expected.len(), "each file once");
        assert_eq!(listed.into_iter().collect::<BTreeSet<_>>(), expected);
    }
    let readmes =
        desk.json(&["reference", "list", "--source", "app", "--id", app, "--query", "readme", "--limit", "2"]);
    assert_eq!(readmes["items"].as_array().unwrap().len(), 2);
    assert_eq!(readmes["truncated"][0]["reason"], "limit");
}
