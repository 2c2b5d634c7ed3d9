//! The spellings with which a message points at things: mention URIs, resource URIs and mention tokens. This crate parses them, writes
//! them, and finds them in text, in Markdown, and in a reply that arrives piece by piece.
//!
//! ```
//! use mention_uri::{Item, MentionUri, ScanOptions, scan_markdown};
//!
//! let uri = MentionUri::new("workspace-app", "gallery")?.with("workspaceId", "ws 1")?;
//! assert_eq!(uri.as_str(), "mention://workspace-app/gallery?workspaceId=ws%201");
//! assert_eq!(MentionUri::parse(uri.as_str())?, uri);
//!
//! let options = ScanOptions::new();
//! let text = r#"Ask @kanban(id="KAN-12") or [the gallery](mention://workspace-app/gallery), not `@code(id="x")`."#;
//! let found: Vec<_> = scan_markdown(text, &options).collect();
//! assert!(matches!(found[0].item(), Item::Token(token) if token.id() == "KAN-12"));
//! assert!(matches!(found[1].item(), Item::Mention(uri) if uri.entity() == "gallery"));
//! assert_eq!((found.len(), found[1].label()), (2, Some("the gallery")));
//! # Ok::<(), mention_uri::UriError>(())
//! ```
//!
//! # What it is not
//!
//! It knows no provider, no store and no scope's meaning beyond the [typed targets](mod@reference): whether a thing exists, what it is called and
//! who may see it is for a host to ask. It does no IO, has no clock and no globals. It is no Markdown renderer and no HTML sanitizer: it says where
//! mentions are and [which destinations](LinkPolicy) a renderer may keep. An id is opaque: it is never normalized, and nothing here makes a path
//! of one.
//!
//! # The spellings side by side
//!
//! | | mention URI | resource URI | mention token |
//! |---|---|---|---|
//! | looks like | `mention://kanban/KAN-12?board=b` | `timeline://tl_7#t=12.5` | `@kanban(id="KAN-12")` |
//! | type | [`MentionUri`] | [`ResourceUri`], read against [`ResourceKinds`] | [`MentionToken`] |
//! | parts | provider, entity, scope | kind, id, sub-target | name, id |
//! | stands in | links, `<…>`, bare if asked | links, `<…>`, bare if asked | prose |
//! | escapes | percent, once | percent, once | JSON |
//! | canonical | everything but unreserved and `:` escaped, keys in byte order | the same, one `key=value` | JSON with what Markdown acts on as `\u….` |
//!
//! The canonical text is the value: two spellings are equal when their canonical texts are, `Display` writes it, `FromStr` and serde read it
//! back. A token and a mention URI without a scope are the same mention: [`MentionToken::to_uri`], `MentionToken::try_from(&uri)`. The grammar is
//! in `grammar.abnf` beside this crate's README.
//!
//! # Cookbook
//!
//! Render a message: take its [`segments`], show the text as it is and each finding as a pill.
//!
//! ```
//! use mention_uri::{Item, ScanOptions, Segment, segments};
//!
//! let options = ScanOptions::new();
//! let mut shown = String::new();
//! for segment in segments(r#"Done: [@Plan](mention://doc/p1), @kanban(id="7")."#, &options) {
//!     match segment {
//!         Segment::Text { source, .. } => shown += &source,
//!         Segment::Found(found) => match found.item() {
//!             Item::Token(token) => shown += &format!("<{} {}>", token.name(), token.id()),
//!             Item::Mention(uri) if found.has_visible_label() => shown += &format!("<{}>", found.display_label().unwrap_or(uri.entity())),
//!             Item::Mention(uri) => shown += &format!("<{}>", uri.fallback_label()),
//!             _ => shown += found.source(),
//!         },
//!         _ => {}
//!     }
//! }
//! assert_eq!(shown, "Done: <Plan>, <kanban 7>.");
//! ```
//!
//! Highlight in an editor, which counts in UTF-16:
//!
//! ```
//! use mention_uri::{ScanOptions, Utf16Spans, scan_markdown};
//!
//! let text = "👋\n@kanban(id=\"7\")";
//! let spans = Utf16Spans::new(text);
//! let options = ScanOptions::new().bare_uris(true);
//! for found in scan_markdown(text, &options) {
//!     assert_eq!(spans.utf16(found.span()), 3..18);
//!     assert_eq!((spans.line_column(found.span().start).line, spans.line_column(found.span().start).column), (1, 0));
//! }
//! ```
//!
//! Rewrite what was found, here to links that agents may see:
//!
//! ```
//! use mention_uri::{Item, ScanOptions, link, replace};
//!
//! let options = ScanOptions::new();
//! let text = replace("See [@Plan](mention://doc/p1?icon=x&workspaceId=w).", &options, |found| match found.item() {
//!     Item::Mention(uri) => Some(link(found.label().unwrap_or_default(), &uri.for_agent())),
//!     _ => None,
//! });
//! assert_eq!(text, "See [@Plan](mention://doc/p1?workspaceId=w).");
//! ```
//!
//! Stream a reply: settled segments never change, the tail may be shown and still change.
//!
//! ```
//! use mention_uri::{ScanOptions, StreamScanner};
//!
//! let mut stream = StreamScanner::new(ScanOptions::new());
//! let mut settled = Vec::new();
//! for piece in ["Ask @kan", "ban(id=\"7\")", " first.\n\n", "Then"] {
//!     settled.extend(stream.push(piece));
//! }
//! settled.extend(stream.finish());
//! assert_eq!(settled.iter().filter(|segment| segment.found().is_some()).count(), 1);
//! assert_eq!(settled.iter().map(|segment| segment.source()).collect::<String>(), "Ask @kanban(id=\"7\") first.\n\nThen");
//! ```
//!
//! Keep an allow list in a renderer (a hook such as `urlTransform`):
//!
//! ```
//! use mention_uri::{LinkPolicy, ResourceKinds};
//!
//! let policy = LinkPolicy::new().kinds(ResourceKinds::studio());
//! assert!(policy.allows("storyboard://sb_1#shot=s3") && policy.allows("docs/a.md"));
//! assert!(!policy.allows("javascript:alert(1)") && !policy.allows("unknown://x"));
//! ```
//!
//! Write what strangers named: [`escape_text`] for text, [`link`] for a label and a target.
//!
//! # Error codes
//!
//! Every error has a stable `code()`, and an `offset()` in bytes where a text was parsed. [`UriError`], for mention URIs, resource URIs and
//! typed targets:
//!
//! | code | when |
//! |---|---|
//! | `not_a_mention` | The text does not begin with `mention://`. |
//! | `too_long` | The text is longer than 8 KiB, as written or in its canonical form. |
//! | `invalid_character` | White space, a control, bidi or zero-width character stands there as it is. |
//! | `invalid_escape` | A percent sign is not followed by two hexadecimal digits. |
//! | `invalid_utf8` | The escapes do not decode to UTF-8. |
//! | `missing_provider` | There is nothing between `mention://` and the next `/`. |
//! | `invalid_provider` | The provider is not written as the grammar says. |
//! | `userinfo_not_allowed` | There is an `@` before the first `/`. |
//! | `port_not_allowed` | There is a `:` before the first `/`. |
//! | `missing_entity` | There is no entity. |
//! | `extra_path` | There is more than one path segment, or a trailing slash. |
//! | `fragment_not_allowed` | There is a fragment. |
//! | `blank_id` | The id is white space only. |
//! | `id_too_long` | The id is longer than 512 characters after decoding. |
//! | `blank_key` | A scope key is empty or white space only. |
//! | `duplicate_scope_key` | A scope key is given twice. |
//! | `reserved_scope_key` | A scope key is reserved. |
//! | `too_many_scope_keys` | There are more than 32 scope pairs. |
//! | `scope_key_too_long` | A scope key is longer than 64 bytes after decoding. |
//! | `scope_value_too_long` | A scope value is longer than 2,048 characters after decoding. |
//! | `not_a_resource` | The text does not begin with a scheme and `://`. |
//! | `unknown_kind` | The table does not name this kind. |
//! | `missing_id` | There is no resource id. |
//! | `query_not_allowed` | There is a raw `?` in a resource URI. |
//! | `invalid_fragment` | The fragment is not one `key=value`. |
//! | `invalid_sub_target` | The sub-target's value is not of its type. |
//! | `wrong_provider` | A typed target is asked of a mention of another provider. |
//! | `missing_workspace` | A typed target lacks its `workspaceId`. |
//! | `invalid_source` | The source of a workspace reference is not `app` or `task`. |
//!
//! [`TokenError`]:
//!
//! | code | when |
//! |---|---|
//! | `not_a_token` | The text is not exactly one token. |
//! | `invalid_name` | The name is not written as the grammar says. |
//! | `reserved_name` | The name is reserved. |
//! | `missing_id` | The id is empty. |
//! | `blank_id` | The id is white space only. |
//! | `id_too_long` | The id is longer than 512 characters after decoding. |
//! | `scope_would_be_lost` | The mention URI has a scope, which a token can't say. |
//!
//! [`KindsError`]:
//!
//! | code | when |
//! |---|---|
//! | `invalid_kind` | The kind is no URI scheme in lower case. |
//! | `reserved_kind` | The kind is a scheme of the web or the system. |
//! | `duplicate_kind` | The kind is given twice. |
//! | `unknown_kind` | A sub-target is given for a kind that is not in the table. |
//! | `invalid_key` | The sub-target's key is empty or holds characters that a key can't have. |
//! | `duplicate_key` | The sub-target is given twice. |
//!
//! In text nothing is an error: what does not parse is text, or [`Item::Malformed`] where asked for.
//!
//! # Limits
//!
//! They are constants in [`limits`]: a name 40 bytes, an id 512 characters, 32 scope pairs of 64 bytes and 2,048 characters, a URI 8 KiB as written and
//! in canonical form, a Markdown link 16 KiB of source. Every parser is linear in its input, also in hostile input, and nothing panics.
//!
//! # Features
//!
//! - `markdown` (default): finding in Markdown, segments, streams; needs `std`.
//! - `std`: implied by `markdown`. Without it the crate is `no_std` with `alloc`: the types, the writers, [`LinkPolicy`], [`Utf16Spans`] and [`scan`].
//! - `schemars`: `JsonSchema` for the types that stand in JSON.
//!
//! The minimum supported Rust version is 1.85, checked with clippy's `incompatible_msrv`.
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

/// The README's example runs too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
