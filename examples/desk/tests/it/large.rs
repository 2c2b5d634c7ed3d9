//! A repository with 5,000 commits and 20,000 files.

use std::process::Command;
use std::time::{Duration, Instant};

use crate::world::{Desk, Folder, large_repository};

#[test]
fn imports_fast_and_small_and_is_searched_at_once() {
    let folder = Folder::new();
    let project = folder.path().join("large");
    large_repository(&project, 5_000, 20_000);
    let desk = Desk::new();

    // The limit on address space makes an import that needs more fail; resident memory is always below it.
    let clock = Instant::now();
    let binary = desk.command(&["import", "git", project.to_str().unwrap(), "--json"]);
    let mut limited = Command::new("sh");
    limited.arg("-c").arg("ulimit -v \"$0\" && exec \"$@\"").arg((900 * 1024).to_string()).arg(binary.get_program());
    let output = limited.args(binary.get_args()).output().unwrap();
    let import = clock.elapsed();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    let imported: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&imported["items"], &imported["files"]), (&5_000.into(), &20_000.into()));
    assert!(import < Duration::from_secs(30), "{import:?}");

    let mut searches: Vec<Duration> = (0..7)
        .map(|_| {
            let clock = Instant::now();
            let found = desk.json(&["mention", "search", "case 4242"]);
            assert_eq!(found["items"][0]["label"], "fix(module71): handle case 4242 of the parser");
            clock.elapsed()
        })
        .collect();
    searches.sort();
    println!("import {import:.2?}, search (whole process, median of 7) {:.1?}", searches[3]);
}
