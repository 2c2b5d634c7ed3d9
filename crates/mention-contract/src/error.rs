//! The errors of providers, of calls, and of descriptors.

use std::borrow::Cow;
use std::fmt;

/// Why a provider could not answer.
///
/// An id that the provider does not know is no error: `get` answers `None`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProviderError {
    /// The request makes no sense to this provider.
    #[error("the request is not valid: {message}")]
    InvalidRequest {
        /// What is wrong with it.
        message: String,
    },
    /// The provider failed.
    #[error("{message}")]
    Failed {
        /// What went wrong, fit to be shown.
        message: String,
    },
}

impl ProviderError {
    /// The request makes no sense to this provider.
    pub fn invalid_request(message: impl fmt::Display) -> Self {
        Self::InvalidRequest { message: message.to_string() }
    }

    /// The provider failed. Takes any error: `.map_err(ProviderError::failed)`.
    pub fn failed(message: impl fmt::Display) -> Self {
        Self::Failed { message: message.to_string() }
    }

    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::InvalidRequest { .. } => "invalid_request",
            Self::Failed { .. } => "provider_failed",
        }
    }
}

/// Why a call of a function by its id gave no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CallError {
    /// Nobody registered the function.
    #[error("no function `{function_id}` is registered")]
    UnknownFunction {
        /// The function's id.
        function_id: String,
    },
    /// The payload is not what the function takes.
    #[error("the request is not valid: {message}")]
    InvalidRequest {
        /// What is wrong with it.
        message: String,
    },
    /// The answer is not what the contract says.
    #[error("the answer is not valid: {message}")]
    InvalidAnswer {
        /// What is wrong with it.
        message: String,
    },
    /// The function can't be reached.
    #[error("the function can't be reached: {message}")]
    Unavailable {
        /// What stands in the way.
        message: String,
    },
    /// The function failed.
    #[error("{message}")]
    Failed {
        /// What went wrong, fit to be shown.
        message: String,
    },
}

impl CallError {
    /// The function failed. Takes any error: `.map_err(CallError::failed)`.
    pub fn failed(message: impl fmt::Display) -> Self {
        Self::Failed { message: message.to_string() }
    }

    /// The function can't be reached.
    pub fn unavailable(message: impl fmt::Display) -> Self {
        Self::Unavailable { message: message.to_string() }
    }

    pub(crate) fn invalid_answer(message: impl fmt::Display) -> Self {
        Self::InvalidAnswer { message: message.to_string() }
    }

    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::UnknownFunction { .. } => "unknown_function",
            Self::InvalidRequest { .. } => "invalid_request",
            Self::InvalidAnswer { .. } => "invalid_answer",
            Self::Unavailable { .. } => "unavailable",
            Self::Failed { .. } => "call_failed",
        }
    }
}

impl From<ProviderError> for CallError {
    fn from(error: ProviderError) -> Self {
        match error {
            ProviderError::InvalidRequest { message } => Self::InvalidRequest { message },
            ProviderError::Failed { message } => Self::Failed { message },
        }
    }
}

/// Why something is no descriptor.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DescriptorError {
    /// The descriptor is no object.
    #[error("a descriptor is an object")]
    NotAnObject,
    /// A member that every descriptor has is missing.
    #[error("the descriptor has no `{member}`")]
    Missing {
        /// The member's name.
        member: &'static str,
    },
    /// A member is not of the type that the contract says.
    #[error("`{member}` is of the wrong type")]
    InvalidType {
        /// The member's name; a path such as `details.id_field` below the top.
        member: &'static str,
    },
    /// `v` is no whole number from 1 on.
    #[error("`v` is a whole number, 1 or more")]
    InvalidVersion,
    /// The name is no token name.
    #[error("the name {name:?} is not 1 to 40 lower-case letters, digits and `-`, starting with a letter")]
    InvalidName {
        /// The name as given, cut at 80 characters.
        name: String,
    },
    /// The name is taken for something else.
    #[error("the name `{name}` is reserved")]
    ReservedName {
        /// The name.
        name: String,
    },
    /// The label has nothing visible.
    #[error("the label is blank")]
    BlankLabel,
    /// A function id is blank, too long, or holds white space or characters that can't be seen.
    #[error("`{member}` is no function id")]
    InvalidFunctionId {
        /// The member that holds it, or `function_id` for the get function itself.
        member: &'static str,
    },
    /// The details' id field is blank or holds characters that can't be seen.
    #[error("`details.id_field` is blank or not visible text")]
    InvalidIdField,
}

impl DescriptorError {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotAnObject => "not_an_object",
            Self::Missing { .. } => "missing_member",
            Self::InvalidType { .. } => "invalid_type",
            Self::InvalidVersion => "invalid_version",
            Self::InvalidName { .. } => "invalid_name",
            Self::ReservedName { .. } => "reserved_name",
            Self::BlankLabel => "blank_label",
            Self::InvalidFunctionId { .. } => "invalid_function_id",
            Self::InvalidIdField => "invalid_id_field",
        }
    }

    /// Where in the descriptor, as a JSON pointer.
    pub fn pointer(&self) -> Cow<'static, str> {
        match self {
            Self::NotAnObject => "".into(),
            Self::Missing { member } | Self::InvalidType { member } | Self::InvalidFunctionId { member } => {
                format!("/{}", member.replace('.', "/")).into()
            }
            Self::InvalidVersion => "/v".into(),
            Self::InvalidName { .. } | Self::ReservedName { .. } => "/name".into(),
            Self::BlankLabel => "/label".into(),
            Self::InvalidIdField => "/details/id_field".into(),
        }
    }
}
