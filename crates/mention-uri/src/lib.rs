//! Mention URIs, resource URIs and mention tokens: parse, format and find them in text.
#![deny(missing_docs)]
#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

mod error;
mod found;
mod kinds;
#[cfg(feature = "markdown")]
mod label;
pub mod limits;
#[cfg(all(test, feature = "markdown"))]
mod linear;
mod link;
#[cfg(feature = "markdown")]
mod links;
#[cfg(feature = "markdown")]
mod markdown;
#[cfg(feature = "markdown")]
mod outline;
mod parse;
mod percent;
mod policy;
#[cfg(feature = "markdown")]
mod prepare;
mod prose;
pub mod reference;
mod resource;
mod scan;
#[cfg(feature = "markdown")]
mod segment;
mod serde;
mod span;
mod steps;
#[cfg(feature = "markdown")]
mod stream;
#[cfg(feature = "markdown")]
mod tail;
#[cfg(feature = "markdown")]
mod tail_destination;
#[cfg(feature = "markdown")]
mod tail_line;
pub mod text;
mod token;
mod uri;

pub use error::{KindsError, KindsErrorKind, TokenError, TokenErrorKind, UriError, UriErrorKind};
pub use found::{Form, Found, FoundToken, Item, ScanOptions};
pub use kinds::{ResourceKinds, ResourceKindsBuilder, ValueType};
pub use link::{LinkTarget, escape_text, link, link_after};
#[cfg(feature = "markdown")]
pub use links::{Link, in_code, links};
#[cfg(feature = "markdown")]
pub use markdown::{MarkdownScan, scan_markdown};
pub use policy::LinkPolicy;
pub use reference::{
    AgentSession, AgentSessionFields, AgentTarget, AppFactory, ReferenceHandle, Source, Target, WorkspaceApp,
    WorkspaceIssue, WorkspaceReference,
};
pub use resource::{ResourceUri, SubTarget};
pub use scan::{Scan, scan, scan_with};
#[cfg(feature = "markdown")]
pub use segment::{Segment, Segments, referenced, replace, segments};
pub use span::{LineColumn, Utf16Spans};
#[cfg(feature = "markdown")]
pub use stream::{StreamScanner, StreamSegment};
#[cfg(feature = "markdown")]
pub use tail::{Tail, TailPart};
pub use token::{MentionToken, Reserved, is_token_name, token_may_start};
pub use uri::MentionUri;
