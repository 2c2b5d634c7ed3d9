//! The main job on a real repository: one message in all three spellings, step by step.

use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use mention_uri::{MentionToken, Source, WorkspaceReference, link};
use serde_json::{Value, json};

use crate::error::DeskError;
use crate::host::{WORKSPACE, Workbench};
use crate::import::{Imported, Progress, import_git};
use crate::resolve::{Resolved, kinds, resolve, visible};
use crate::store::{Entry, Store};

/// Folders that the message chooses from.
const FOLDERS: usize = 50;

/// What the demo saw.
#[derive(Debug)]
pub struct Demo {
    imported: Imported,
    import: Duration,
    resolved: Resolved,
}

/// Imports the repository that `path` is in into a temporary database, and resolves a message about it.
pub async fn demo(path: &Path) -> Result<Demo, DeskError> {
    let clock = Instant::now();
    let workbench = Workbench::new(Store::in_memory()?)?;
    let imported = import_git(&workbench.store, path, &Progress::on_terminal())?;
    let import = clock.elapsed();
    let message = message(&workbench, &imported)?;
    let resolved = resolve(&workbench, WORKSPACE, &message).await;
    Ok(Demo { imported, import, resolved })
}

/// A message that points at the newest commit (token), the files of a folder (link) and the commit before (resource).
fn message(workbench: &Workbench, imported: &Imported) -> Result<String, DeskError> {
    let store = &workbench.store;
    let mut commits = store.newest("commit", 2)?.into_iter();
    let newest = commits.next().ok_or_else(|| DeskError::NoCommits(imported.location.clone().into()))?;
    let before = commits.next();
    let invalid = |error: &dyn std::fmt::Display| DeskError::Host(error.to_string());
    let token = MentionToken::new("commit", newest.id.as_str()).map_err(|error| invalid(&error))?;
    let folders = store.folder(&imported.name, "", None, FOLDERS)?.into_iter().filter_map(|entry| match entry {
        Entry::Folder(path) => Some(path),
        Entry::File(_) => None,
    });
    // A folder that people know comes before one that tools keep for themselves.
    let folder = folders.min_by_key(|path| path.starts_with('.'));
    let reference = WorkspaceReference::new(Source::App, &imported.name, folder.as_deref(), WORKSPACE)
        .map_err(|error| invalid(&error))?;
    let label = folder.map_or_else(|| imported.name.clone(), |folder| format!("{folder}/"));
    let resource = kinds()
        .resource("commit", before.as_ref().map_or(&newest.id, |before| &before.id).as_str())
        .map_err(|error| invalid(&error))?;
    let files = link(&label, &reference.to_uri());
    let earlier = link(before.map_or("the only commit", |_| "the commit before"), &resource);
    Ok(format!("Please review {token} against {earlier}, and look at {files} first."))
}

impl Demo {
    /// For a terminal.
    pub fn to_text(&self) -> String {
        let Self { imported, import, resolved } = self;
        let mut text = String::new();
        let _ = writeln!(
            text,
            "1. Imported {} ({} commits, {} files) from {}\n",
            imported.name, imported.items, imported.files, imported.location
        );
        let _ = writeln!(text, "2. The message, its mentions marked:\n\n   {}\n", visible(&resolved.marked()));
        text.push_str("3. What the providers were asked and answered:\n\n");
        for asked in &resolved.asked {
            let _ = writeln!(text, "   {} {}", asked.function, asked.payload);
            match &asked.answer {
                Ok(Value::Null) => text.push_str("   → null: not found\n"),
                Ok(answer) => {
                    let summary = answer.get("summary").and_then(Value::as_str).unwrap_or_default();
                    let _ = writeln!(text, "   → {}", visible(summary));
                }
                Err(code) => {
                    let _ = writeln!(text, "   → error {code}");
                }
            }
        }
        text.push_str("\n4. The files that the reference stands for:\n\n");
        for files in &resolved.files {
            for line in files.to_text().lines() {
                let _ = writeln!(text, "   {line}");
            }
        }
        text.push_str("\n5. What the agent reads, to the letter:\n\n");
        text.push_str(resolved.block.as_deref().unwrap_or("(nothing)"));
        let timings = resolved.timings;
        let _ = writeln!(
            text,
            "\n\n6. Timings: import {import:.1?} · find {:.1?} · ask {:.1?} · files {:.1?} · block {:.1?}",
            timings.scan, timings.resolve, timings.files, timings.block
        );
        text
    }

    /// All of it as JSON.
    pub fn to_json(&self) -> Value {
        let millis = |duration: Duration| duration.as_secs_f64() * 1000.0;
        let timings = self.resolved.timings;
        let mut value = self.resolved.to_json();
        if let Some(object) = value.as_object_mut() {
            object.insert("imported".to_owned(), json!(self.imported));
            object.insert("message".to_owned(), json!(self.resolved.text));
            object.insert(
                "timingsMs".to_owned(),
                json!({
                    "import": millis(self.import), "find": millis(timings.scan), "ask": millis(timings.resolve),
                    "files": millis(timings.files), "block": millis(timings.block),
                }),
            );
        }
        value
    }
}
