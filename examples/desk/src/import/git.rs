//! Commits become `@commit` items, tracked files the artifacts of an app named after the repository.

use std::path::{Path, PathBuf};

use gix::bstr::ByteSlice as _;
use gix::revision::walk::Sorting;
use gix::traverse::commit::simple::CommitTimeOrder;

use super::{Imported, Progress};
use crate::error::DeskError;
use crate::store::{NewItem, Store};

/// Digits of the short hash that serves as a commit's handle, as Git shows it.
const SHORT: usize = 7;
/// Memory that Git objects may be kept in while walking.
const OBJECT_CACHE_BYTES: usize = 4 << 20;

/// The top folder of the repository that `path` is in.
pub fn repository_root(path: &Path) -> Result<PathBuf, DeskError> {
    open(path).map(|repository| root(&repository))
}

fn open(path: &Path) -> Result<gix::Repository, DeskError> {
    let path = path
        .canonicalize()
        .map_err(|error| DeskError::Unreadable { path: path.to_owned(), reason: error.to_string() })?;
    gix::discover(&path).map_err(|_| DeskError::NotARepository(path))
}

fn root(repository: &gix::Repository) -> PathBuf {
    let root = repository.workdir().unwrap_or_else(|| repository.git_dir());
    root.canonicalize().unwrap_or_else(|_| root.to_owned())
}

/// Reads all commits that `HEAD` reaches and the files that it tracks. One transaction: a failure changes nothing.
pub fn import_git(store: &Store, path: &Path, progress: &Progress) -> Result<Imported, DeskError> {
    let mut repository = open(path)?;
    repository.object_cache_size_if_unset(OBJECT_CACHE_BYTES);
    let root = root(&repository);
    let Ok(head) = repository.head_id() else {
        return Err(DeskError::NoCommits(root));
    };
    let location = root.to_string_lossy().into_owned();
    let name = app_name(&root);
    let (name, counts) = store.write(|writer| {
        let (source, generation, name) = writer.begin("git", &location, &name)?;
        progress.start("commits", None);
        let walk =
            repository.rev_walk([head.detach()]).sorting(Sorting::ByCommitTime(CommitTimeOrder::NewestFirst)).all()?;
        for info in walk {
            let commit = info?.object()?;
            let id = commit.id().to_string();
            let message = commit.message()?;
            let title = message.summary();
            let body = message.body.map(|body| body.to_str_lossy()).unwrap_or_default();
            let author = commit.author()?.name.to_str_lossy();
            writer.item(
                source,
                generation,
                &NewItem {
                    provider: "commit",
                    id: &id,
                    handle: id.get(..SHORT).unwrap_or(&id),
                    title: &title.to_str_lossy(),
                    body: &body,
                    author: &author,
                    state: "",
                    url: "",
                    updated_ms: commit.time().ok().map(|time| time.seconds.saturating_mul(1000)),
                },
            )?;
            progress.step();
        }
        let files = repository.head_tree()?.traverse().breadthfirst.files()?;
        progress.start("files", Some(files.len() as u64));
        for entry in files.iter().filter(|entry| entry.mode.is_blob_or_symlink()) {
            let size = repository.find_header(entry.oid).map_or(0, |header| header.size());
            writer.file(source, generation, &entry.filepath.to_str_lossy(), size)?;
            progress.step();
        }
        let counts = writer.end(source, generation)?;
        Ok((name, counts))
    })?;
    progress.end();
    Ok(Imported { name, location, items: counts.items, files: counts.files, gone: counts.gone })
}

/// The app's id: the name of the repository's folder (without `.git` for a bare one).
fn app_name(root: &Path) -> String {
    let name = root.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let name = name.strip_suffix(".git").unwrap_or(&name).trim();
    if name.is_empty() { "repository".to_owned() } else { name.to_owned() }
}
