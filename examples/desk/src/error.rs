//! What can go wrong in the host, with stable codes and the envelope they become.

use std::path::PathBuf;

/// An error of the desk: a stable code, a message, and whether trying again can help.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DeskError {
    /// The path is in no Git repository.
    #[error("{} is not in a Git repository", .0.display())]
    NotARepository(PathBuf),
    /// The path does not exist or can't be read.
    #[error("can't read {}: {reason}", path.display())]
    Unreadable {
        /// The path.
        path: PathBuf,
        /// The operating system's word.
        reason: String,
    },
    /// The repository has no commit yet.
    #[error("the repository at {} has no commits yet", .0.display())]
    NoCommits(PathBuf),
    /// The issues file is not what `gh issue list --json …` writes.
    #[error("{}:{line}:{column}: {reason}", path.display())]
    BadIssues {
        /// The file.
        path: PathBuf,
        /// Line of the fault, from 1.
        line: usize,
        /// Column of the fault, from 1.
        column: usize,
        /// What was expected and what was found.
        reason: String,
    },
    /// Nothing with this id is known.
    #[error("no {kind} {id:?}")]
    NotFound {
        /// What was looked for.
        kind: &'static str,
        /// The id as asked.
        id: String,
    },
    /// A value of a command that only the host can judge.
    #[error("{0}")]
    Invalid(String),
    /// Another process is writing to the database.
    #[error("the database is in use by another process")]
    Busy,
    /// The database was written by a newer desk.
    #[error("the database has format {found}, this desk knows up to {known}")]
    NewerDatabase {
        /// The format of the file.
        found: i64,
        /// The newest format known here.
        known: i64,
    },
    /// The database failed.
    #[error("database: {0}")]
    Database(String),
    /// Reading the repository failed.
    #[error("git: {0}")]
    Git(String),
    /// The host itself failed (a socket, a terminal).
    #[error("{0}")]
    Host(String),
}

impl DeskError {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotARepository(_) => "not_a_repository",
            Self::Unreadable { .. } => "unreadable_path",
            Self::NoCommits(_) => "no_commits",
            Self::BadIssues { .. } => "invalid_issues_file",
            Self::NotFound { .. } => "not_found",
            Self::Invalid(_) => "invalid_input",
            Self::Busy => "database_busy",
            Self::NewerDatabase { .. } => "database_newer",
            Self::Database(_) => "database_failed",
            Self::Git(_) => "git_failed",
            Self::Host(_) => "host_failed",
        }
    }

    /// What to do about it, where there is something.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::NotARepository(_) => Some("Run it inside of a Git repository, or name one with --path."),
            Self::NoCommits(_) => Some("Commit something first."),
            Self::BadIssues { .. } => {
                Some("Write the file with: gh issue list --json number,title,body,state,labels,assignees,updatedAt,url")
            }
            Self::Busy => Some("Try again in a moment."),
            Self::NewerDatabase { .. } => Some("Use a newer desk, or another file with --db."),
            _ => None,
        }
    }

    /// True when the same call may succeed later.
    pub fn retryable(&self) -> bool {
        matches!(self, Self::Busy)
    }

    /// True when the caller has to change the call (exit code 2).
    pub fn is_invalid_call(&self) -> bool {
        matches!(
            self,
            Self::NotARepository(_)
                | Self::Unreadable { .. }
                | Self::NoCommits(_)
                | Self::BadIssues { .. }
                | Self::Invalid(_)
        )
    }
}

impl From<rusqlite::Error> for DeskError {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode::{DatabaseBusy, DatabaseLocked};
        match error.sqlite_error_code() {
            Some(DatabaseBusy | DatabaseLocked) => Self::Busy,
            _ => Self::Database(error.to_string()),
        }
    }
}

impl From<gix::Error> for DeskError {
    fn from(error: gix::Error) -> Self {
        Self::Git(error.to_string())
    }
}
