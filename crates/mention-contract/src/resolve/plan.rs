use super::outcome::{DetailsCall, Outcome, Outcomes, Resolved, Status};
use super::pending::Pending;
use crate::descriptor::Details;
use crate::error::CallError;
use crate::limits;
use crate::registry::Registry;
use crate::wire::{GetRequest, View};
use mention_uri::MentionUri;
use serde_json::{Map, Value};
use std::time::Duration;

/// The scope key that binds a mention to a workspace.
const WORKSPACE_KEY: &str = "workspaceId";

/// What to ask about the pending mentions, and of whom.
///
/// Make the [`calls`](Self::calls) in any order, [`answer`](Self::answer) each, and read the
/// [`outcomes`](Self::outcomes).
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    entries: Vec<Entry>,
    calls: Vec<Call>,
    dropped: usize,
    deadline: Duration,
}

#[derive(Clone, Debug, PartialEq)]
struct Entry {
    mention: MentionUri,
    /// Nothing while the answer is on its way.
    status: Option<Status>,
    /// The details function, if the agent may call it.
    details: Option<Details>,
}

impl Plan {
    /// Plans one get call for each pending mention that can be asked for.
    ///
    /// `workspace` is the workspace that the chat belongs to: a mention of another one (or of any, when there is none)
    /// is `error(workspace_mismatch)`, and nothing is asked for it. `allowed` tells which functions the agent may
    /// call: only those are offered as details.
    pub fn new(pending: Pending, registry: &Registry, workspace: Option<&str>, allowed: impl Fn(&str) -> bool) -> Self {
        let mut plan = Self {
            entries: Vec::with_capacity(pending.mentions.len()),
            calls: Vec::new(),
            dropped: pending.dropped,
            deadline: limits::RESOLVE_DEADLINE,
        };
        for mention in pending.mentions {
            let mut entry = Entry { mention: mention.identity(), status: None, details: None };
            let elsewhere = mention.scope_value(WORKSPACE_KEY).is_some_and(|id| Some(id) != workspace);
            match registry.provider(mention.provider()) {
                _ if elsewhere => entry.status = Some(Status::error("workspace_mismatch")),
                None => entry.status = Some(Status::UnknownProvider),
                Some(provider) => {
                    let details = provider.descriptor().details_function();
                    entry.details = details.filter(|details| allowed(details.function_id())).cloned();
                    plan.calls.push(Call {
                        entry: plan.entries.len(),
                        function_id: provider.get_function().to_owned(),
                        request: GetRequest::new(mention.entity()),
                    });
                }
            }
            plan.entries.push(entry);
        }
        plan
    }

    /// Sets how long each mention is waited for; 1.5 s by default.
    #[must_use]
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.deadline = deadline;
        self
    }

    /// The calls, in the order of the mentions.
    pub fn calls(&self) -> &[Call] {
        &self.calls
    }

    /// How long each mention is waited for.
    pub fn patience(&self) -> Duration {
        self.deadline
    }

    /// Takes the result of a call. Only the first result of a call counts.
    pub fn answer(&mut self, call: &Call, result: Result<Value, CallError>) {
        let Some(entry) = self.entries.get_mut(call.entry).filter(|entry| entry.status.is_none()) else { return };
        let view =
            result.and_then(|answer| serde_json::from_value::<Option<View>>(answer).map_err(CallError::invalid_answer));
        entry.status = Some(match view.map(|view| view.map(|view| view.usable())) {
            Ok(None) => Status::NotFound,
            Ok(Some(Ok(view))) => Status::Resolved(entry.resolved(view)),
            Ok(Some(Err(breach))) => Status::error(breach.code()),
            Err(error) => Status::error(error.code()),
        });
    }

    /// Gives up on a call.
    pub fn time_out(&mut self, call: &Call) {
        if let Some(entry) = self.entries.get_mut(call.entry) {
            entry.status.get_or_insert_with(|| Status::error("timed_out"));
        }
    }

    /// What became of each mention, in the order they were pending in. What was not answered is
    /// `error(not_answered)`.
    pub fn outcomes(&self) -> Outcomes {
        let outcome = |entry: &Entry| Outcome {
            mention: entry.mention.clone(),
            status: entry.status.clone().unwrap_or_else(|| Status::error("not_answered")),
        };
        Outcomes { list: self.entries.iter().map(outcome).collect(), dropped: self.dropped }
    }
}

impl Entry {
    fn resolved(&self, view: View) -> Resolved {
        let summary = view.agent_summary();
        let call = |details: &Details| DetailsCall {
            function_id: details.function_id().to_owned(),
            payload: details.payload(&view.id),
        };
        let details = self.details.as_ref().map(call);
        Resolved { id: view.id, label: view.label, summary, details }
    }
}

/// One call of a get function.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    entry: usize,
    function_id: String,
    request: GetRequest,
}

impl Call {
    /// The function to call.
    pub fn function_id(&self) -> &str {
        &self.function_id
    }

    /// What to ask.
    pub fn request(&self) -> &GetRequest {
        &self.request
    }

    /// What to ask, as the payload of the call.
    pub fn payload(&self) -> Value {
        let mut payload = Map::new();
        payload.insert("id".to_owned(), self.request.id.as_str().into());
        Value::Object(payload)
    }
}
