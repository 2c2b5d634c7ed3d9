//! A message's mentions, resolved: what was found, asked and answered, which files it stands for, and what the agent reads.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use mention_contract::context::{self, Already, Budget};
use mention_contract::resolve::{self, Outcomes, Pending, Plan, Status};
use mention_contract::{CallError, Caller, Message};
use mention_uri::{
    Found, Item, MentionUri, ResourceKinds, ScanOptions, Target, ValueType, WorkspaceReference, referenced,
    scan_markdown,
};
use ref_resolve::{ReferenceRequest, Resolution, ResolveError};
use serde_json::{Value, json};

use crate::host::{Clock, Workbench};
use crate::sources::resolver;

/// The resource spellings of the desk: its providers' names are the kinds.
pub fn kinds() -> ResourceKinds {
    let kinds = ResourceKinds::builder().kind("commit").kind("issue").sub_target("issue", "comment", ValueType::Index);
    // The table is fixed; a test builds it.
    kinds.build().unwrap_or_default()
}

/// How the desk looks for mentions when it renders or resolves a message.
pub fn scan_options() -> ScanOptions {
    ScanOptions::new().kinds(kinds()).malformed(true)
}

/// One finding of a message.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Where it stands, bytes.
    pub span: Range<usize>,
    /// As it is written.
    pub source: String,
    /// `token`, `mention`, `resource`, or the code of what is wrong.
    pub kind: &'static str,
}

/// A call that was made, and what came back.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The function.
    pub function: String,
    /// What it was called with.
    pub payload: Value,
    /// Its answer, or the code of the failure.
    pub answer: Result<Value, String>,
}

/// The files of one workspace reference.
#[derive(Debug)]
pub struct Files {
    /// The reference.
    pub uri: MentionUri,
    /// What it stands for.
    pub result: Result<Resolution, ResolveError>,
}

/// How long the steps took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Timings {
    /// Finding the mentions.
    pub scan: Duration,
    /// Asking the providers.
    pub resolve: Duration,
    /// Walking the references.
    pub files: Duration,
    /// Writing the block.
    pub block: Duration,
}

/// A resolved message.
#[derive(Debug)]
pub struct Resolved {
    /// The message.
    pub text: String,
    /// What was found in it, in order.
    pub findings: Vec<Finding>,
    /// What the providers were asked.
    pub asked: Vec<Asked>,
    /// What became of each mention.
    pub outcomes: Outcomes,
    /// The files of its references.
    pub files: Vec<Files>,
    /// The block that the agent reads.
    pub block: Option<String>,
    /// How long it took.
    pub timings: Timings,
}

/// Resolves a user's message for callers in that workspace.
pub async fn resolve(workbench: &Workbench, workspace: &str, text: &str) -> Resolved {
    let mut timings = Timings::default();
    let clock = Instant::now();
    let options = scan_options();
    let found: Vec<Found<'_>> = scan_markdown(text, &options).collect();
    let findings = found.iter().map(finding).collect();
    timings.scan = clock.elapsed();

    let clock = Instant::now();
    let plan = Plan::new(pending(text), &workbench.registry, Some(workspace), |_| true);
    let recorder = Recorder { caller: workbench.providers.as_ref(), asked: Mutex::default() };
    let outcomes = resolve::run(plan, &recorder, &Clock).await;
    timings.resolve = clock.elapsed();

    let clock = Instant::now();
    let mut files = Vec::new();
    for uri in references(&found) {
        let request = request(&uri, workspace);
        let result = match request {
            Ok(request) => resolver(&workbench.store).resolve(request).await,
            Err(error) => Err(error),
        };
        files.push(Files { uri, result });
    }
    timings.files = clock.elapsed();

    let clock = Instant::now();
    let block = context::mentions_block(&outcomes, Budget::default());
    timings.block = clock.elapsed();
    let asked = recorder.asked.into_inner().unwrap_or_else(PoisonError::into_inner);
    Resolved { text: text.to_owned(), findings, asked, outcomes, files, block, timings }
}

/// The mentions to ask for: tokens, mention URIs, and resource URIs, whose kinds are the providers' names.
fn pending(text: &str) -> Pending {
    let written = resolve::pending(&[Message::user(text)], &Already::default());
    let resources = referenced(text, &kinds());
    let resources = resources.iter().filter_map(|uri| MentionUri::new(uri.kind(), uri.id()).ok());
    let mut pending = Pending::new(written.mentions.into_iter().chain(resources).collect::<Vec<_>>());
    pending.dropped += written.dropped;
    pending
}

fn request(uri: &MentionUri, workspace: &str) -> Result<ReferenceRequest, ResolveError> {
    let caller = ref_resolve::Workspace::new(workspace)?;
    ReferenceRequest::new(WorkspaceReference::try_from(uri)?, &caller)
}

/// The workspace references of a message, each once.
fn references(found: &[Found<'_>]) -> Vec<MentionUri> {
    let mut seen = BTreeSet::new();
    let uris = found.iter().filter_map(|found| match found.item() {
        Item::Mention(uri) if uri.provider() == "workspace-reference" => Some(uri.clone()),
        _ => None,
    });
    uris.filter(|uri| seen.insert(uri.identity())).collect()
}

fn finding(found: &Found<'_>) -> Finding {
    let kind = match found.item() {
        Item::Token(_) => "token",
        Item::Mention(_) => "mention",
        Item::Resource(_) => "resource",
        Item::Malformed { code } => code,
        _ => "other",
    };
    Finding { span: found.span(), source: found.source().to_owned(), kind }
}

/// Writes down what is asked and answered.
struct Recorder<'a, C> {
    caller: &'a C,
    asked: Mutex<Vec<Asked>>,
}

impl<C: Caller> Caller for Recorder<'_, C> {
    async fn call(&self, function_id: &str, payload: Value) -> Result<Value, CallError> {
        let result = self.caller.call(function_id, payload.clone()).await;
        let answer = result.clone().map_err(|error| error.code().to_owned());
        let asked = Asked { function: function_id.to_owned(), payload, answer };
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).push(asked);
        result
    }
}

impl Resolved {
    /// The message with its mentions marked.
    pub fn marked(&self) -> String {
        let mut marked = String::with_capacity(self.text.len() + 8 * self.findings.len());
        let mut end = 0;
        for finding in &self.findings {
            marked.push_str(self.text.get(end..finding.span.start).unwrap_or_default());
            let _ = write!(marked, "⟦{}⟧", finding.source);
            end = finding.span.end;
        }
        marked.push_str(self.text.get(end..).unwrap_or_default());
        marked
    }

    /// For a terminal.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for finding in &self.findings {
            let Range { start, end } = finding.span;
            let _ = writeln!(text, "{start}..{end} {} {}", finding.kind, visible(&finding.source));
        }
        for outcome in &self.outcomes.list {
            let _ = writeln!(text, "{}: {}", outcome.mention, status_word(&outcome.status));
        }
        for files in &self.files {
            text.push_str(&files.to_text());
        }
        if let Some(block) = &self.block {
            text.push_str(block);
            text.push('\n');
        }
        text
    }

    /// All of it as JSON.
    pub fn to_json(&self) -> Value {
        let findings = self.findings.iter().map(|finding| {
            json!({ "span": [finding.span.start, finding.span.end], "source": finding.source, "kind": finding.kind })
        });
        let asked = self.asked.iter().map(|asked| match &asked.answer {
            Ok(answer) => json!({ "function": asked.function, "payload": asked.payload, "answer": answer }),
            Err(code) => json!({ "function": asked.function, "payload": asked.payload, "error": code }),
        });
        let files = self.files.iter().map(|files| match &files.result {
            Ok(resolution) => json!({ "reference": files.uri, "result": resolution }),
            Err(error) => {
                json!({ "reference": files.uri, "error": { "code": error.code(), "message": error.to_string() } })
            }
        });
        json!({
            "findings": findings.collect::<Vec<_>>(), "asked": asked.collect::<Vec<_>>(), "outcomes": self.outcomes,
            "references": files.collect::<Vec<_>>(), "block": self.block,
        })
    }
}

impl Files {
    /// The file list for a terminal.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        match &self.result {
            Ok(resolution) => {
                let _ = writeln!(text, "{}: {} files", self.uri, resolution.items.len());
                for file in &resolution.items {
                    let _ = writeln!(text, "  {:>9}  {}", file.size_bytes, visible(&file.path));
                }
                for stop in &resolution.truncated {
                    let _ = writeln!(text, "  cut: {}", stop.reason.as_str());
                }
            }
            Err(error) => {
                let _ = writeln!(text, "{}: {} ({error})", self.uri, error.code());
            }
        }
        text
    }
}

/// What became of a mention, in one word.
pub fn status_word(status: &Status) -> String {
    match status {
        Status::Resolved(resolved) => format!("resolved, {}", visible(&resolved.summary)),
        Status::NotFound => "not found".to_owned(),
        Status::UnknownProvider => "no such provider".to_owned(),
        Status::Error { code } => format!("error {code}"),
        _ => "unknown".to_owned(),
    }
}

/// A text for a terminal: controls and format characters as escapes.
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_control() || mention_uri::text::is_format(character) {
            shown.extend(character.escape_unicode());
        } else {
            shown.push(character);
        }
    }
    shown
}

/// The provider's name and id behind a finding, where it has one.
pub fn pointed_at(found: &Found<'_>) -> Option<MentionUri> {
    match found.item() {
        Item::Token(token) => Some(token.to_token().to_uri()),
        Item::Mention(uri) => match Target::try_from(uri) {
            Ok(Target::Other(uri)) => Some(uri),
            _ => None,
        },
        Item::Resource(uri) => MentionUri::new(uri.kind(), uri.id()).ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kinds_are_the_providers() {
        let kinds = kinds();
        assert!(kinds.contains_kind("commit") && kinds.contains_kind("issue"));
    }
}
