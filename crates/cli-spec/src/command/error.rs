//! What is wrong with a declaration.

use crate::{
    OutputMode,
    command::{Kind, View},
    schema::SchemaProblem,
    text::quoted,
};

/// One problem of a declaration.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildProblem {
    /// The id is blank or holds white space.
    #[error("the id is blank or holds white space")]
    InvalidId,
    /// The path has no words.
    #[error("the path has no words")]
    EmptyPath,
    /// A word of the path is not lower-case kebab-case.
    #[error("path segment {} is not lower-case kebab-case", quoted(.segment))]
    InvalidSegment {
        /// The word.
        segment: String,
        /// The kebab-case spelling, when there is one.
        suggestion: Option<String>,
    },
    /// There is no summary.
    #[error("the summary is missing")]
    SummaryMissing,
    /// The workspace policy is not declared.
    #[error("the workspace policy is missing: declare `.workspace(…)`")]
    WorkspaceMissing,
    /// There is no handler.
    #[error("the handler is missing")]
    HandlerMissing,
    /// The JSON view that the kind answers with is not declared.
    #[error("a {} command needs its {} view: declare `.{}_json(…)`, or `.raw_json(reason, …)`", .kind.as_str(), .view.as_str(), .view.as_str())]
    ViewMissing {
        /// The kind of the command.
        kind: Kind,
        /// The view.
        view: View,
    },
    /// A JSON view that the kind never answers with.
    #[error("a {} command never answers its {} view", .kind.as_str(), .view.as_str())]
    ViewNotOfKind {
        /// The kind of the command.
        kind: Kind,
        /// The view.
        view: View,
    },
    /// Raw JSON without a reason.
    #[error("raw JSON needs a reason")]
    RawReasonMissing,
    /// Raw JSON beside a view.
    #[error("raw JSON and a JSON view exclude each other")]
    RawBesideView,
    /// The default mode can't be formatted.
    #[error("the default mode {mode} has no formatter")]
    DefaultModeUnformatted {
        /// The mode.
        mode: OutputMode,
    },
    /// A table without columns, or with a blank or repeated key or a blank label.
    #[error("column {} of the table is blank or repeated", quoted(.key))]
    InvalidColumn {
        /// The key.
        key: String,
    },
    /// A table without columns.
    #[error("the table has no columns")]
    NoColumns,
    /// Pagination of something that is not a list.
    #[error("pagination belongs to a list with a summary view")]
    PagedNotList,
    /// A positional that is not declared.
    #[error("positional {} is not a declared input", quoted(.name))]
    PositionalUndeclared {
        /// The name.
        name: String,
    },
    /// A positional that is named twice.
    #[error("positional {} is named twice", quoted(.name))]
    PositionalTwice {
        /// The name.
        name: String,
    },
    /// A positional list takes all words, so nothing can come after it.
    #[error("positional {} is a list, so it must be the last one", quoted(.name))]
    PositionalListNotLast {
        /// The name.
        name: String,
    },
    /// A deprecation without a replacement or a reason.
    #[error("a deprecation needs a replacement and a reason")]
    DeprecationIncomplete,
    /// A deprecation warning of a command that is not deprecated.
    #[error("the deprecation warning needs `.deprecated(…)`")]
    WarningNotDeprecated,
    /// A wait command answers in JSON by default.
    #[error("a wait command answers in json by default")]
    WaitNotJson,
    /// The capability of an app command does not name its app.
    #[error("the capability does not name an app")]
    NotAnApp,
    /// The input type is outside the subset.
    #[error(transparent)]
    Input(#[from] SchemaProblem),
}

impl BuildProblem {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::InvalidId => "invalid_command_id",
            Self::EmptyPath => "empty_path",
            Self::InvalidSegment { .. } => "invalid_path_segment",
            Self::SummaryMissing => "summary_missing",
            Self::WorkspaceMissing => "workspace_policy_missing",
            Self::HandlerMissing => "handler_missing",
            Self::ViewMissing { .. } => "json_view_missing",
            Self::ViewNotOfKind { .. } => "json_view_not_of_kind",
            Self::RawReasonMissing => "raw_json_reason_missing",
            Self::RawBesideView => "raw_json_beside_view",
            Self::DefaultModeUnformatted { .. } => "default_mode_unformatted",
            Self::InvalidColumn { .. } => "invalid_column",
            Self::NoColumns => "no_columns",
            Self::PagedNotList => "paged_not_list",
            Self::PositionalUndeclared { .. } => "positional_undeclared",
            Self::PositionalTwice { .. } => "positional_twice",
            Self::PositionalListNotLast { .. } => "positional_list_not_last",
            Self::DeprecationIncomplete => "deprecation_incomplete",
            Self::WarningNotDeprecated => "warning_not_deprecated",
            Self::WaitNotJson => "wait_not_json",
            Self::NotAnApp => "not_an_app",
            Self::Input(problem) => problem.code(),
        }
    }
}

/// A declaration that is not valid: every problem.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("command {}: {}", quoted(.id), describe(.problems))]
pub struct BuildError {
    pub(crate) id: String,
    pub(crate) problems: Vec<BuildProblem>,
}

fn describe(problems: &[BuildProblem]) -> String {
    let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
    lines.join("; ")
}

impl BuildError {
    /// The id of the command.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The stable code of the first problem.
    pub fn code(&self) -> &'static str {
        self.problems.first().map_or("invalid_command", BuildProblem::code)
    }

    /// Every problem.
    pub fn all(&self) -> &[BuildProblem] {
        &self.problems
    }
}
