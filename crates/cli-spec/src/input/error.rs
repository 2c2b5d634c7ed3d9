//! What is wrong with an input: every problem of one invocation.

use std::fmt;

use crate::{
    error::{ErrorEnvelope, IntoEnvelope, reason},
    limits,
    text::quoted,
};

/// One problem of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InputProblem {
    /// A required input is absent, null, an empty string or an empty array.
    Missing {
        /// The input.
        input: String,
        /// How a value can be found.
        hint: Option<String>,
    },
    /// A value that the declaration does not allow.
    Invalid {
        /// The input.
        input: String,
        /// What it must be, in words: `must be <= 100`.
        expected: String,
    },
    /// A name that is not declared.
    Unknown {
        /// The name as written, with dashes when it was a flag.
        name: String,
        /// The name that was probably meant, in the same form.
        suggestion: Option<String>,
        /// The names that are allowed, in the same form.
        allowed: Vec<String>,
    },
    /// A bare word for which there is no place.
    SurplusWord {
        /// The word.
        word: String,
    },
    /// The bytes are not one JSON object without duplicate keys.
    Malformed {
        /// What is wrong.
        message: String,
        /// The byte at which it was found.
        offset: usize,
    },
}

impl InputProblem {
    pub(crate) fn invalid(input: &str, expected: impl Into<String>) -> Self {
        Self::Invalid { input: input.to_owned(), expected: expected.into() }
    }

    /// The stable code of the problem: `missing_input`, `invalid_value`, `unknown_input`, `surplus_word` or `malformed_json`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Missing { .. } => "missing_input",
            Self::Invalid { .. } => "invalid_value",
            Self::Unknown { .. } => "unknown_input",
            Self::SurplusWord { .. } => "surplus_word",
            Self::Malformed { .. } => "malformed_json",
        }
    }

    /// The name that the problem is about, when it is about one.
    pub fn input(&self) -> Option<&str> {
        match self {
            Self::Missing { input, .. } | Self::Invalid { input, .. } => Some(input),
            Self::Unknown { name, .. } => Some(name),
            Self::SurplusWord { .. } | Self::Malformed { .. } => None,
        }
    }

    /// The byte of the JSON text at which the problem was found.
    pub fn offset(&self) -> Option<usize> {
        match self {
            Self::Malformed { offset, .. } => Some(*offset),
            _ => None,
        }
    }

    fn write_unknown(formatter: &mut fmt::Formatter<'_>, name: &str, suggestion: Option<&str>) -> fmt::Result {
        let what = if name.starts_with('-') { "flag" } else { "input" };
        write!(formatter, "unknown {what} {}", quoted(name))?;
        suggestion.map_or(Ok(()), |suggestion| write!(formatter, ", did you mean {}?", quoted(suggestion)))
    }
}

impl fmt::Display for InputProblem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { input, hint: None } => write!(formatter, "required input {} is missing", quoted(input)),
            Self::Missing { input, hint: Some(hint) } => {
                write!(formatter, "required input {} is missing. {hint}", quoted(input))
            }
            Self::Invalid { input, expected } => write!(formatter, "invalid input {}: {expected}", quoted(input)),
            Self::Unknown { name, suggestion, allowed } => {
                Self::write_unknown(formatter, name, suggestion.as_deref())?;
                if allowed.is_empty() {
                    return formatter.write_str("; the command takes no inputs");
                }
                formatter.write_str(if suggestion.is_some() { " allowed: " } else { "; allowed: " })?;
                for (position, name) in allowed.iter().take(limits::LISTED_NAMES).enumerate() {
                    write!(formatter, "{}{name}", if position == 0 { "" } else { ", " })?;
                }
                match allowed.len().saturating_sub(limits::LISTED_NAMES) {
                    0 => Ok(()),
                    more => write!(formatter, " and {more} more"),
                }
            }
            Self::SurplusWord { word } => {
                write!(formatter, "unexpected word {}: the command takes no further words", quoted(word))
            }
            Self::Malformed { message, offset } => {
                write!(formatter, "input is not valid JSON at byte {offset}: {message}")
            }
        }
    }
}

/// An input that does not bind: every problem of the invocation, the one to show first.
///
/// Problems of declared inputs come first, in declaration order; then unknown names and surplus words, as they were written.
/// The message is the first problem's. An unknown name next to a missing input is named in it, since it is probably a typo.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputError {
    problems: Vec<InputProblem>,
}

impl InputError {
    /// `None` without a problem.
    pub(crate) fn of(problems: Vec<InputProblem>) -> Option<Self> {
        (!problems.is_empty()).then_some(Self { problems })
    }

    pub(crate) fn one(problem: InputProblem) -> Self {
        Self { problems: vec![problem] }
    }

    /// The reason code of the envelope: `invalid_input`. [`InputProblem::code`] tells the problems apart.
    pub fn code(&self) -> &'static str {
        reason::INVALID_INPUT
    }

    /// Every problem.
    pub fn all(&self) -> &[InputProblem] {
        &self.problems
    }

    /// The hint of the first problem.
    pub fn hint(&self) -> Option<&str> {
        match self.problems.first() {
            Some(InputProblem::Missing { hint, .. }) => hint.as_deref(),
            _ => None,
        }
    }

    /// The byte of the JSON text at which the first problem was found.
    pub fn offset(&self) -> Option<usize> {
        self.problems.first().and_then(InputProblem::offset)
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(first) = self.problems.first() else { return Ok(()) };
        let InputProblem::Missing { input, hint } = first else { return first.fmt(formatter) };
        write!(formatter, "required input {} is missing", quoted(input))?;
        let mut asked = false;
        let unknown = self.problems.iter().filter_map(|problem| match problem {
            InputProblem::Unknown { name, suggestion, .. } => Some((name, suggestion)),
            _ => None,
        });
        for (name, suggestion) in unknown.take(limits::LISTED_NAMES) {
            formatter.write_str(if asked { " " } else { "; " })?;
            InputProblem::write_unknown(formatter, name, suggestion.as_deref())?;
            asked = suggestion.is_some();
        }
        hint.as_ref().map_or(Ok(()), |hint| write!(formatter, "{} {hint}", if asked { "" } else { "." }))
    }
}

impl std::error::Error for InputError {}

impl IntoEnvelope for InputError {
    fn into_envelope(self) -> ErrorEnvelope {
        let mut envelope = ErrorEnvelope::new(reason::INVALID_INPUT, self.to_string());
        envelope.error.hint = self.hint().map(str::to_owned);
        envelope
    }
}
