//! All files that a text points at.

use std::collections::HashSet;

use mention_uri::{Item as Found, MentionUri, ScanOptions, WorkspaceReference, links, scan_markdown};
use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};

use crate::error::ResolveError;
use crate::identity::{Identity, UniqueBy};
use crate::limits::Limits;
use crate::link_path::link_path;
use crate::request::{ReferenceRequest, Workspace};
use crate::resolution::Stop;
use crate::resolver::Resolver;
use crate::source::{AppArtifacts, File, TaskOutputs};
use crate::traverse::Traversal;

/// The provider of the mentions that are resolved.
const WORKSPACE_REFERENCE: &str = "workspace-reference";

/// The file links in a Markdown text, in the order of the text, repeated ones too: the first part of [`expand`], without a
/// resolver.
///
/// ```
/// let paths: Vec<String> = ref_resolve::file_links("see [a](docs/a.md#top) and [b](https://x.test)").map(|link| link.file.path).collect();
/// assert_eq!(paths, ["docs/a.md"]);
/// ```
pub fn file_links(text: &str) -> impl Iterator<Item = ExpandedFile> {
    // What stands in angle brackets alone is an address, never a path.
    links(text, true).filter(|link| !link.source().starts_with('<')).filter_map(|link| {
        let (path, fragment) = link_path(link.destination())?;
        Some(ExpandedFile { file: File::new(path), origin: Origin::Content, fragment })
    })
}

/// All files that a text points at, for the detail of an issue or a task.
///
/// These are, in this order and each path once:
/// 1. **content**: the file links in the Markdown `text`, in the order of the text. A link counts when its destination
///    is a path in the workspace: no scheme, no host (`//host`), not out of the workspace (`../x`), not
///    a folder. Its percent escapes are decoded and its query is cut off. Links in code are not links;
/// 2. **context**: `context_refs`, the files attached to it;
/// 3. **reference**: the files of every workspace reference in the text, in the order of the text, those
///    of one reference in walk order.
///
/// Each reference is resolved once, however often it stands in the text, and as the resolver's limits
/// say. There is one budget for the whole text: [`mention_uri::limits::FILES`] files and the resolver's
/// [`Limits::pages`] calls (also those whose answer was not needed). What the budget cut is in
/// [`Expansion::truncated`]. A reference that fails does not fail the rest: it is in
/// [`Expansion::failures`], and none of its files is in the list.
///
/// Files with the same path are one file here, whatever their keys: the keys of different sources can't
/// be compared. Paths are compared without `.` segments and doubled slashes and returned as given.
pub async fn expand<A: AppArtifacts, T: TaskOutputs>(
    text: &str,
    context_refs: &[File],
    caller: &Workspace,
    resolver: &Resolver<A, T>,
) -> Expansion {
    let mut expansion = Expansion::default();
    let mut known = HashSet::new();
    for file in file_links(text) {
        expansion.add(file, &mut known);
    }
    for file in context_refs.iter().filter(|file| !file.path.trim().is_empty()) {
        let file = ExpandedFile { file: file.clone(), origin: Origin::Context, fragment: None };
        expansion.add(file, &mut known);
    }

    let mut limits = resolver.own_limits();
    for (name, reference) in references(text) {
        let request = reference.and_then(|reference| ReferenceRequest::new(reference, caller));
        let request = match request {
            Ok(request) => request,
            Err(error) => {
                expansion.failures.push(ExpandFailure { reference: name, error });
                continue;
            }
        };
        let mut walk = Traversal::with_known(request, limits, expansion.room(), UniqueBy::Path, known);
        resolver.drive(&mut walk).await;
        limits.pages = limits.pages.saturating_sub(walk.calls());
        let result;
        (result, known) = walk.finish_with_known();
        match result {
            Ok(resolution) => {
                expansion.items.extend(resolution.items.into_iter().map(|file| ExpandedFile {
                    file,
                    origin: Origin::Reference,
                    fragment: None,
                }));
                for stop in resolution.truncated {
                    expansion.cut(stop, Some(&name));
                }
                expansion.failures.extend(resolution.failures.into_iter().map(|failure| ExpandFailure {
                    reference: name.clone(),
                    error: ResolveError::Source { group: failure.group, error: failure.error },
                }));
            }
            Err(error) => expansion.failures.push(ExpandFailure { reference: name, error }),
        }
    }
    expansion
}

/// The workspace references in the text, each once, with their canonical spelling.
fn references(text: &str) -> Vec<(String, Result<WorkspaceReference, ResolveError>)> {
    let options = ScanOptions::new().reference_links(true);
    let mut seen = HashSet::new();
    let mut references = Vec::new();
    for found in scan_markdown(text, &options) {
        let Found::Mention(uri) = found.item() else { continue };
        if uri.provider() != WORKSPACE_REFERENCE {
            continue;
        }
        let reference = WorkspaceReference::try_from(uri).map_err(ResolveError::from);
        // What a scope holds beside the reference does not make another reference.
        let identity: MentionUri = match &reference {
            Ok(reference) => reference.to_uri().identity(),
            Err(_) => uri.identity(),
        };
        if seen.insert(identity.as_str().to_owned()) {
            references.push((identity.as_str().to_owned(), reference));
        }
    }
    references
}

/// All files that a text points at; see [`expand`].
///
/// Serializes to `{ "items": [ … ] }`, with `truncated` and `failures` only when they are not empty.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Expansion {
    /// The files: content, then context, then resolved ones.
    pub items: Vec<ExpandedFile>,
    /// What cut the list, at most [`Limits::STOPS`].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub truncated: Vec<ExpandStop>,
    /// The references that failed, or groups of them with [`OnError::Skip`](crate::OnError::Skip).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<ExpandFailure>,
}

impl Expansion {
    /// How many more files there may be.
    fn room(&self) -> usize {
        mention_uri::limits::FILES.saturating_sub(self.items.len())
    }

    fn add(&mut self, file: ExpandedFile, known: &mut HashSet<Identity>) {
        let identity = UniqueBy::Path.identity(&file.file);
        if known.contains(&identity) {
            return;
        }
        if self.room() == 0 {
            self.cut(Stop { reason: crate::StopReason::Limit, group: None }, None);
            return;
        }
        known.insert(identity);
        self.items.push(file);
    }

    fn cut(&mut self, stop: Stop, reference: Option<&str>) {
        let stop = ExpandStop { stop, reference: reference.map(str::to_owned) };
        if self.truncated.len() < Limits::STOPS && !self.truncated.contains(&stop) {
            self.truncated.push(stop);
        }
    }
}

/// A file that a text points at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ExpandedFile {
    /// The file. Of a link only the path is known.
    #[serde(flatten)]
    pub file: File,
    /// How the text points at it; the first way where there are several.
    pub origin: Origin,
    /// Of a link: what stood after `#`, decoded. It points into the file and makes no other file of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fragment: Option<String>,
}

/// How a text points at a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// A link in the text.
    Content,
    /// A file attached to it.
    Context,
    /// A file of a workspace reference in the text.
    Reference,
}

/// One place where an expansion is shorter than what the text points at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ExpandStop {
    /// Why and in which group.
    #[serde(flatten)]
    pub stop: Stop,
    /// The reference that is cut; `None` where it is the text's own links and attached files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
}

/// A reference that could not be resolved.
///
/// Serializes to `{ "reference": …, "group": …, "code": …, "message": …, "retryable": … }`, without
/// `group` for the root and for references that were not asked for.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ExpandFailure {
    /// The reference as a canonical mention URI.
    pub reference: String,
    /// Why.
    pub error: ResolveError,
}

impl Serialize for ExpandFailure {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let group = match &self.error {
            ResolveError::Source { group, .. } => group.as_deref(),
            _ => None,
        };
        let mut out = serializer.serialize_struct("ExpandFailure", 4 + usize::from(group.is_some()))?;
        out.serialize_field("reference", &self.reference)?;
        match group {
            Some(group) => out.serialize_field("group", group)?,
            None => out.skip_field("group")?,
        }
        out.serialize_field("code", self.error.code())?;
        out.serialize_field("message", &self.error.to_string())?;
        out.serialize_field("retryable", &self.error.retryable())?;
        out.end()
    }
}
