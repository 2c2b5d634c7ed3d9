//! Bringing data in: Git repositories and GitHub issues.

mod git;
mod issues;
mod progress;

pub use git::{import_git, repository_root};
pub use issues::import_issues;
pub use progress::Progress;

/// What an import brought.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Imported {
    /// The app's or project's name in the desk.
    pub name: String,
    /// Where it came from.
    pub location: String,
    /// Commits or issues now.
    pub items: u64,
    /// Tracked files now.
    pub files: u64,
    /// What has gone since the last import.
    pub gone: u64,
}
