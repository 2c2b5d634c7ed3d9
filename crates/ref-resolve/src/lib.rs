//! One workspace reference in, one bounded, flat, de-duplicated list of files out.
//!
//! A `workspace-reference` mention is a compact handle to the files that an app or a task made:
//! `mention://workspace-reference/app-1?source=app&workspaceId=ws-1`. This crate finds those files when
//! somebody needs them. The host says where files come from, by implementing [`AppArtifacts`] and
//! [`TaskOutputs`]; the crate walks the groups, pages, merges, filters and stops.
//!
//! ```
//! use mention_uri::{MentionUri, WorkspaceReference};
//! use ref_resolve::{InMemoryApps, InMemoryTasks, Item, ReferenceRequest, Resolver, Workspace};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut apps = InMemoryApps::new();
//! apps.put("ws-1", "app-1", None, [Item::file("plan.md"), Item::group("drafts")]);
//! apps.put("ws-1", "app-1", Some("drafts"), [Item::file("drafts/plan.md"), Item::file("./plan.md")]);
//!
//! let uri = MentionUri::parse("mention://workspace-reference/app-1?source=app&workspaceId=ws-1")?;
//! let reference = WorkspaceReference::try_from(&uri)?;
//! let caller = Workspace::new("ws-1")?; // from the authenticated invocation, never from the URI
//! let resolver = Resolver::new(apps, InMemoryTasks::new());
//! let resolution = resolver.resolve(ReferenceRequest::new(reference, &caller)?).await?;
//! let paths: Vec<&str> = resolution.items.iter().map(|file| file.path.as_str()).collect();
//! assert_eq!(paths, ["plan.md", "drafts/plan.md"]);
//! assert!(resolution.truncated.is_empty());
//! # Ok(())
//! # }
//! ```
//!
//! # What it promises
//!
//! - **It ends.** Whatever a source answers (the same cursor again, groups inside themselves, fresh pages
//!   for ever), the walk ends within its [`Limits`], and so does its memory.
//! - **It says what it left out.** [`Resolution::truncated`] names every kind of cut and where it was. An error
//!   is never an empty list, and an empty list is never an error.
//! - **It has one order.** Breadth first, the pages of a group in order, the first of two equal files wins. How
//!   many calls run at once and in which order they are answered changes nothing in the result.
//! - **It does nothing behind your back.** No IO, no executor, no clock, no task of its own. Dropping the future
//!   of a resolution ends it.
//!
//! # What it is not
//!
//! It does not open files, check whether they exist, or grant access: a returned path is data to look at. It
//! keeps no cache, so that a file which appeared or went is seen at the next resolution. It does not retry;
//! [`ResolveError::retryable`] says where that may help. Why these choices were made stands with the items.
//!
//! # The pieces
//!
//! | | |
//! |---|---|
//! | [`ReferenceRequest`] | what is asked, checked against the caller's [`Workspace`] |
//! | [`AppArtifacts`], [`TaskOutputs`] | what a host implements; [`BoxAppArtifacts`], [`BoxTaskOutputs`] are the object-safe forms |
//! | [`InMemoryApps`], [`InMemoryTasks`] | sources for tests, examples and small data |
//! | [`Traversal`] | the walk as a state machine: [`Call`]s out, [`Page`]s in |
//! | [`Resolver`] | the walk driven over the sources |
//! | [`Resolution`] | the files, the cuts, the failures |
//! | [`expand()`] | all files that a Markdown text points at |
//!
//! # Cookbook
//!
//! ## Implement a source
//!
//! Answer one page, say where the next one begins, and say what went wrong. A page may hold fewer items than
//! were asked for, and the query may be ignored.
//!
//! ```
//! use std::collections::BTreeMap;
//! use ref_resolve::{AppArtifacts, File, Item, Page, PageRequest, SourceError, Workspace};
//!
//! /// Folders by name, each with its entries; the root is "".
//! struct Store(BTreeMap<String, Vec<(String, u64)>>);
//!
//! impl AppArtifacts for Store {
//!     async fn list(&self, _: &Workspace, app_id: &str, page: PageRequest<'_>) -> Result<Page, SourceError> {
//!         let folder = page.parent_group.unwrap_or("");
//!         let Some(entries) = self.0.get(folder) else {
//!             return Err(SourceError::NotFound(format!("no folder `{folder}` in `{app_id}`")));
//!         };
//!         let start: usize = match page.cursor {
//!             None => 0,
//!             Some(cursor) => cursor.parse().map_err(|_| SourceError::Invalid("not a cursor".into()))?,
//!         };
//!         let items = entries.iter().skip(start).take(page.limit);
//!         let items: Vec<Item> = items.map(|(path, size)| File::new(path).size_bytes(*size).into()).collect();
//!         let next = start + items.len();
//!         let next_cursor = (next < entries.len()).then(|| next.to_string());
//!         Ok(Page { items, next_cursor })
//!     }
//! }
//! ```
//!
//! [`TaskOutputs`] is the same for issues and topics. [`File::key`] is for stores that know when two paths are
//! one file.
//!
//! ## Resolve in a command line
//!
//! [`ReferenceRequest::from_parts`] takes the flags as text and gives errors with codes; the result serializes to
//! the JSON of `reference list`.
//!
//! ```
//! use ref_resolve::{File, InMemoryApps, InMemoryTasks, ReferenceRequest, ResolveError, Resolver, Workspace};
//!
//! async fn list(source: &str, id: &str, group: Option<&str>, limit: usize) -> Result<String, ResolveError> {
//!     let mut tasks = InMemoryTasks::new();
//!     tasks.put("ws-1", "topic-1", "issue-9", [File::new("report.md").size_bytes(123)]);
//!     let caller = Workspace::new("ws-1")?;
//!     let request = ReferenceRequest::from_parts(source, id, group, &caller)?.query("Report").limit(limit)?;
//!     let resolution = Resolver::new(InMemoryApps::new(), tasks).resolve(request).await?;
//!     Ok(serde_json::to_string(&resolution).expect("plain data"))
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! assert_eq!(
//!     list("task", "topic-1", Some("issue-9"), 20).await.unwrap(),
//!     r#"{"items":[{"path":"report.md","displayName":"report.md","sizeBytes":123,"mediaType":"","createdAtUnixMs":0}]}"#
//! );
//! assert_eq!(list("disk", "topic-1", None, 20).await.unwrap_err().code(), "invalid_source");
//! assert_eq!(list("task", "topic-2", None, 20).await.unwrap_err().code(), "not_found");
//! assert_eq!(list("task", "topic-1", None, 0).await.unwrap_err().code(), "invalid_limit");
//! # }
//! ```
//!
//! ## Expand a message
//!
//! ```
//! use ref_resolve::{expand, File, InMemoryApps, InMemoryTasks, Origin, Resolver, Workspace};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), ref_resolve::ResolveError> {
//! let mut tasks = InMemoryTasks::new();
//! tasks.put("ws-1", "topic-1", "issue-9", [File::new("out/report.md")]);
//! let resolver = Resolver::new(InMemoryApps::new(), tasks);
//!
//! let text = "Compare [the plan](plan.md) with [what came out](mention://workspace-reference/topic-1\
//!             ?source=task&workspaceId=ws-1), and with [theirs](mention://workspace-reference/app-7\
//!             ?source=app&workspaceId=ws-2).";
//! let attached = [File::new("notes.txt")];
//! let expansion = expand(text, &attached, &Workspace::new("ws-1")?, &resolver).await;
//!
//! let files: Vec<_> = expansion.items.iter().map(|item| (item.file.path.as_str(), item.origin)).collect();
//! assert_eq!(files, [
//!     ("plan.md", Origin::Content),
//!     ("notes.txt", Origin::Context),
//!     ("out/report.md", Origin::Reference),
//! ]);
//! assert_eq!(expansion.failures[0].error.code(), "workspace_mismatch");
//! # Ok(())
//! # }
//! ```
//!
//! ## Drive the state machine by hand
//!
//! For a host with its own scheduler, or without async at all. Calls may be answered in any order, later, or
//! from different threads; [`Traversal::stop`] ends the walk early with what is known.
//!
//! ```
//! use ref_resolve::{Call, Item, Limits, Page, ReferenceRequest, SourceError, Traversal, Workspace};
//!
//! fn read(call: &Call) -> Result<Page, SourceError> {
//!     let page = call.page().request();
//!     match call {
//!         Call::AppPage { app_id, .. } if **app_id == *"app-1" => Ok(match page.parent_group {
//!             None => Page::last([Item::group("drafts"), Item::file("plan.md")]),
//!             Some(group) => Page::last([Item::file(format!("{group}/plan.md"))]),
//!         }),
//!         _ => Err(SourceError::NotFound("nothing here".into())),
//!     }
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let caller = Workspace::new("ws-1")?;
//! let request = ReferenceRequest::from_parts("app", "app-1", None, &caller)?;
//! let mut walk = Traversal::new(request, Limits::default().max_in_flight(8));
//! while !walk.is_done() {
//!     for call in walk.next_calls() {
//!         let answer = read(&call);
//!         walk.answer(&call, answer)?;
//!     }
//! }
//! let resolution = walk.finish()?;
//! assert_eq!(resolution.items[0].path, "plan.md");
//! assert_eq!(resolution.items[1].path, "drafts/plan.md");
//! # Ok(())
//! # }
//! ```
//!
//! # Errors
//!
//! [`ResolveError::code`], stable words:
//!
//! | code | when |
//! |---|---|
//! | `invalid_source` | the source is not exactly `app` or `task` |
//! | `missing_id` | the id is blank |
//! | `missing_workspace` | the caller's workspace is blank |
//! | `workspace_mismatch` | the reference belongs to another workspace than the caller's |
//! | `invalid_limit` | a limit of 0 files |
//! | `not_found` | the source has no such app, group, topic or issue |
//! | `forbidden` | the caller may not see it |
//! | `source_unavailable` | the source can't be reached; [`retryable`](ResolveError::retryable) says whether to try again |
//! | `source_invalid` | the source refuses what was asked |
//! | `source_failed` | anything else that a source says |
//!
//! Parts that no reference can hold give [`ResolveError::Reference`] with the code of the
//! [`mention_uri::UriError`], such as `id_too_long`. [`UnknownCall`] (`unknown_call`) is the refusal of an answer
//! that nobody asked for. Cuts are no errors; their words are in [`StopReason`].

#![deny(missing_docs)]

mod call;
mod entry;
mod error;
mod expand;
mod group;
mod identity;
mod limits;
mod link_path;
mod memory;
mod request;
mod resolution;
mod resolver;
mod source;
mod traverse;

pub use call::{Call, CallPage};
pub use error::{ResolveError, SourceError, UnknownCall};
pub use expand::{ExpandFailure, ExpandStop, ExpandedFile, Expansion, Origin, expand, file_links};
pub use limits::{Limits, OnError};
pub use memory::{InMemoryApps, InMemoryTasks};
pub use request::{ReferenceRequest, Workspace};
pub use resolution::{Failure, Resolution, Stop, StopReason};
pub use resolver::Resolver;
pub use source::{AppArtifacts, BoxAppArtifacts, BoxTaskOutputs, File, Item, Page, PageRequest, TaskOutputs};
pub use traverse::Traversal;

/// The README's example runs with the doc tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
