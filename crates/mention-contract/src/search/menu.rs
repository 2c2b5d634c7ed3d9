use super::plan::{Call, Plan};
use crate::context;
use crate::error::CallError;
use crate::style::{Color, Icon};
use crate::wire::{Item, SearchResponse};
use mention_uri::limits as shared;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeSet;

/// What the `@` menu shows: a group for each provider that was asked, in registry order.
///
/// [`begin`](Self::begin) a plan, then give it the answers as they come, in any order, with the generation that
/// `begin` gave. Answers of an older plan are dropped. A group keeps its previous rows while its next answer is on its
/// way.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Menu {
    generation: u64,
    pub(super) query: String,
    pub(super) groups: Vec<Group>,
}

impl Menu {
    /// A menu that shows nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Begins a plan: all its groups are loading, with the rows that they had. Every earlier generation is over.
    pub fn begin(&mut self, plan: &Plan) -> Generation {
        self.generation = self.generation.wrapping_add(1);
        plan.query().clone_into(&mut self.query);
        let mut old = std::mem::take(&mut self.groups);
        for call in plan.calls() {
            let mut group = Group::new(call);
            if let Some(old) = old.iter_mut().find(|old| old.provider == group.provider) {
                group.rows = std::mem::take(&mut old.rows);
                group.more = old.more;
            }
            self.groups.push(group);
        }
        Generation(self.generation)
    }

    /// Takes an answer and tells whether it changed anything: not when it belongs to an older plan, to a provider that
    /// was not asked, or to a group that has its answer already.
    pub fn answer(&mut self, generation: Generation, answer: Answer) -> bool {
        if generation != self.generation() {
            return false;
        }
        let waiting = |group: &&mut Group| group.provider == answer.provider && group.state == State::Loading;
        match self.groups.iter_mut().find(waiting) {
            Some(group) => {
                group.take(answer.reply);
                true
            }
            None => false,
        }
    }

    /// The generation of the plan that was begun last.
    pub fn generation(&self) -> Generation {
        Generation(self.generation)
    }

    /// The query of the plan that was begun last.
    pub fn query(&self) -> &str {
        &self.query
    }

    /// The groups, in registry order.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// Whether some group waits for its answer.
    pub fn is_loading(&self) -> bool {
        self.groups.iter().any(|group| group.state == State::Loading)
    }
}

/// Which plan an answer belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Generation(u64);

/// One provider's part of the menu.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Group {
    provider: String,
    label: String,
    icon: Icon,
    color: Color,
    #[serde(skip)]
    shown: usize,
    #[serde(flatten)]
    state: State,
    rows: Vec<Item>,
    more: bool,
}

impl Group {
    fn new(call: &Call) -> Self {
        Self {
            provider: call.provider.clone(),
            label: line(&call.label),
            icon: call.icon.clone(),
            color: call.color.clone(),
            shown: call.shown,
            state: State::Loading,
            rows: Vec::new(),
            more: false,
        }
    }

    fn take(&mut self, reply: Reply) {
        self.rows.clear();
        self.more = false;
        match reply {
            Reply::Items(response) => {
                // Counted before items are dropped: a broken row must not hide that there is more behind it.
                self.more = response.items.len() > self.shown;
                let mut ids = BTreeSet::new();
                let usable = response.items.iter().take(shared::SEARCH_MAX).filter_map(Item::usable);
                self.rows = usable.filter(|item| ids.insert(item.id.clone())).take(self.shown).map(shown).collect();
                self.state = State::Ready;
            }
            Reply::Failed(message) => self.state = State::Failed(message),
            Reply::TimedOut => self.state = State::TimedOut,
        }
    }

    /// The provider's name.
    pub fn provider(&self) -> &str {
        &self.provider
    }

    /// The group's header, on one line.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The provider's icon, for rows that have none.
    pub fn icon(&self) -> &Icon {
        &self.icon
    }

    /// The provider's colour, for rows that have none.
    pub fn color(&self) -> &Color {
        &self.color
    }

    /// How far its answer is.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The rows, best first; those of the previous answer while the group is loading. Sanitized, one per id; their
    /// texts are one line each.
    pub fn rows(&self) -> &[Item] {
        &self.rows
    }

    /// Whether the provider has more than is shown.
    pub fn has_more(&self) -> bool {
        self.more
    }

    /// The text of the row that leads to the rest, when there is more: `more in Tickets`.
    pub fn more_label(&self) -> Option<String> {
        self.more.then(|| format!("more in {}", self.label))
    }
}

/// How far a group's answer is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "state", content = "message", rename_all = "snake_case")]
#[non_exhaustive]
pub enum State {
    /// The answer is on its way.
    Loading,
    /// The answer is there.
    Ready,
    /// The provider failed, with what it said, on one line cut at 400 characters.
    Failed(String),
    /// The provider did not answer in time.
    TimedOut,
}

/// What came back for one call of a plan.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    provider: String,
    reply: Reply,
}

impl Answer {
    /// The provider answered.
    pub fn items(provider: impl Into<String>, response: SearchResponse) -> Self {
        Self { provider: provider.into(), reply: Reply::Items(response) }
    }

    /// The provider failed.
    pub fn failed(provider: impl Into<String>, message: impl std::fmt::Display) -> Self {
        let message = line(&message.to_string()).chars().take(shared::SUMMARY_CHARS).collect();
        Self { provider: provider.into(), reply: Reply::Failed(message) }
    }

    /// The provider did not answer in time.
    pub fn timed_out(provider: impl Into<String>) -> Self {
        Self { provider: provider.into(), reply: Reply::TimedOut }
    }

    /// Reads the result of a call.
    pub fn read(call: &Call, result: Result<Value, CallError>) -> Self {
        let response = result.and_then(|answer| serde_json::from_value(answer).map_err(CallError::invalid_answer));
        match response {
            Ok(response) => Self::items(call.provider(), response),
            Err(error) => Self::failed(call.provider(), error),
        }
    }

    /// The provider that was asked.
    pub fn provider(&self) -> &str {
        &self.provider
    }

    /// What it said.
    pub fn reply(&self) -> &Reply {
        &self.reply
    }
}

/// What a provider said.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Reply {
    /// Its items, as they came.
    Items(SearchResponse),
    /// It failed.
    Failed(String),
    /// It did not answer in time.
    TimedOut,
}

/// An item as a row shows it.
fn shown(mut item: Item) -> Item {
    item.label = line(&item.label);
    for text in [&mut item.hint, &mut item.description].into_iter().flatten() {
        *text = line(text);
    }
    item
}

/// The text as it may be shown: one line, without what hides or turns text.
fn line(text: &str) -> String {
    context::clean(text).text
}
