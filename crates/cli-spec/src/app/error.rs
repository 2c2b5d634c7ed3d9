//! What can be wrong with a manifest.

use std::fmt;

use super::json::Fault;

/// One thing that is wrong with a manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    code: &'static str,
    pointer: String,
    message: String,
}

impl Problem {
    pub(crate) fn new(code: &'static str, pointer: String, message: String) -> Self {
        Self { code, pointer, message }
    }

    /// The stable word for the rule that is broken; all are listed at [`ManifestError`].
    pub fn code(&self) -> &'static str {
        self.code
    }

    /// Where, as a JSON pointer (RFC 6901). A member that is missing is reported at its object, a key that
    /// stands twice at the key, a fault of the file as a whole at the empty pointer.
    pub fn pointer(&self) -> &str {
        &self.pointer
    }

    /// What was expected and what was found, in one line.
    pub fn message(&self) -> &str {
        &self.message
    }

    pub(crate) fn weight(&self) -> usize {
        self.pointer.len() + self.message.len()
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.pointer.is_empty() {
            f.write_str(&self.message)
        } else {
            write!(f, "{}: {}", crate::text::one_line(&self.pointer), self.message)
        }
    }
}

/// Why bytes are not a manifest: every problem, in document order. Displays the first one.
///
/// | code | rule |
/// |---|---|
/// | `too_large`, `not_utf8` | at most [`MANIFEST_BYTES`](crate::limits::MANIFEST_BYTES) bytes of UTF-8 |
/// | `truncated`, `not_json`, `trailing_data` | one JSON value and nothing after it |
/// | `too_deep` | at most [`MANIFEST_DEPTH`](crate::limits::MANIFEST_DEPTH) levels |
/// | `duplicate_key` | every key stands once in its object |
/// | `wrong_type`, `missing_member` | the shape |
/// | `unknown_key` | no other keys, where that is said |
/// | `unknown_value` | one of the listed words |
/// | `blank_text` | a text that must say something |
/// | `unknown_schema_version` | `schemaVersion` is exactly `tutti.app.cli.v1`; nothing else is judged then |
/// | `invalid_scope` | the scope is a segment |
/// | `invalid_documentation_file` | a relative path within the package |
/// | `no_commands` | at least one command |
/// | `empty_path`, `invalid_path_segment`, `path_repeats_scope`, `duplicate_path` | command paths |
/// | `wait_needs_json`, `reserved_input_name` | wait commands answer JSON and leave `timeout-ms` to the host |
/// | `invalid_input_name`, `items_without_array` | input properties |
/// | `empty_enum`, `enum_value_type`, `default_type`, `default_not_in_enum` | enum and default |
/// | `required_undeclared`, `required_twice` | required inputs |
/// | `json_not_declared`, `columns_missing`, `invalid_column_key`, `duplicate_column` | the output |
/// | `invalid_handler_path`, `timeout_out_of_range` | the handler |
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ManifestError {
    first: Problem,
    problems: Vec<Problem>,
    omitted: usize,
}

impl ManifestError {
    /// `None` without problems.
    pub(crate) fn from_problems(problems: Vec<Problem>, omitted: usize) -> Option<Self> {
        let first = problems.first()?.clone();
        Some(Self { first, problems, omitted })
    }

    pub(crate) fn from_fault(fault: &Fault) -> Self {
        let first = Problem::new(fault.code(), String::new(), fault.to_string());
        Self { problems: vec![first.clone()], first, omitted: 0 }
    }

    /// The code of the first problem.
    pub fn code(&self) -> &'static str {
        self.first.code
    }

    /// The pointer of the first problem.
    pub fn pointer(&self) -> &str {
        &self.first.pointer
    }

    /// Every problem, in document order; never empty.
    pub fn all(&self) -> &[Problem] {
        &self.problems
    }

    /// How many more there are. Pointers and messages are kept up to one MiB, which no manifest that was
    /// written by hand comes near.
    pub fn omitted(&self) -> usize {
        self.omitted
    }
}

impl fmt::Display for ManifestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.first)?;
        match self.problems.len().saturating_add(self.omitted).saturating_sub(1) {
            0 => Ok(()),
            1 => f.write_str(" (and 1 more problem)"),
            more => write!(f, " (and {more} more problems)"),
        }
    }
}

impl std::error::Error for ManifestError {}
