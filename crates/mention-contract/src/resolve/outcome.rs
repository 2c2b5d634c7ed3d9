use mention_uri::MentionUri;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What became of each mention, in the order they were asked in.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Outcomes {
    /// One outcome for each mention.
    pub list: Vec<Outcome>,
    /// How many older mentions were not asked for, because a turn resolves ten at most.
    #[serde(default)]
    pub dropped: usize,
}

impl Outcomes {
    /// These outcomes, with none dropped.
    pub fn new(list: impl IntoIterator<Item = Outcome>) -> Self {
        Self { list: list.into_iter().collect(), dropped: 0 }
    }
}

/// What became of one mention.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Outcome {
    /// The mention as it was written, without presentation keys.
    pub mention: MentionUri,
    /// What became of it.
    #[serde(flatten)]
    pub status: Status,
}

impl Outcome {
    /// An outcome.
    pub fn new(mention: MentionUri, status: Status) -> Self {
        Self { mention, status }
    }
}

/// What a mention turned out to be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "status", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Status {
    /// The provider knows it.
    Resolved(Resolved),
    /// The provider does not know it.
    NotFound,
    /// No provider has that name.
    UnknownProvider,
    /// It could not be asked for, or the answer can't be used.
    Error {
        /// Why: a code of [`CallError`](crate::CallError) or of a fatal [`Breach`](crate::Breach), `timed_out`,
        /// `not_answered`, or `workspace_mismatch`.
        code: String,
    },
}

impl Status {
    /// An error with this code.
    pub fn error(code: impl Into<String>) -> Self {
        Self::Error { code: code.into() }
    }
}

/// What a provider says about a mention, as far as the agent is told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Resolved {
    /// The record's canonical id, which may differ from the id that was written.
    pub id: String,
    /// Its label.
    pub label: String,
    /// The line about it.
    pub summary: String,
    /// How the agent gets the full record; nothing when there is no such function or the agent may not call it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<DetailsCall>,
}

impl Resolved {
    /// A resolved mention without a details call.
    pub fn new(id: impl Into<String>, label: impl Into<String>, summary: impl Into<String>) -> Self {
        Self { id: id.into(), label: label.into(), summary: summary.into(), details: None }
    }

    /// Sets how the agent gets the full record.
    #[must_use]
    pub fn details(mut self, function_id: impl Into<String>, payload: impl Into<Value>) -> Self {
        self.details = Some(DetailsCall { function_id: function_id.into(), payload: payload.into() });
        self
    }
}

/// The call that gives an agent the full record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct DetailsCall {
    /// The function to call.
    pub function_id: String,
    /// What to call it with.
    pub payload: Value,
}
