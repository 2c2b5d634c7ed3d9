//! Mention URIs, resource URIs and mention tokens: parse, format and find them in text.
#![deny(missing_docs)]
#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

mod error;
pub mod limits;
mod link;
mod percent;
mod policy;
pub mod reference;
mod resource;
mod serde;
mod span;
pub mod text;
mod token;
mod uri;

pub use error::{KindsError, KindsErrorKind, TokenError, TokenErrorKind, UriError, UriErrorKind};
pub use link::{LinkTarget, escape_text, link, link_after};
pub use policy::LinkPolicy;
pub use reference::{
    AgentSession, AgentSessionFields, AgentTarget, AppFactory, ReferenceHandle, Source, Target, WorkspaceApp,
    WorkspaceIssue, WorkspaceReference,
};
pub use resource::{ResourceKinds, ResourceKindsBuilder, ResourceUri, SubTarget, ValueType};
pub use span::{LineColumn, Utf16Spans};
pub use token::{MentionToken, Reserved, is_token_name, token_may_start};
pub use uri::MentionUri;
