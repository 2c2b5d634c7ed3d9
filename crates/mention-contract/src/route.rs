//! Mentions that are not looked up but tell an agent what to work with.

use mention_uri::MentionUri;
use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

/// Which skill or command serves the mentions of which provider.
///
/// A provider that is routed is not resolved: [`resolve::pending`](crate::resolve::pending) leaves it out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Routes {
    by_provider: BTreeMap<String, Route>,
}

/// What serves the mentions of a provider.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Route {
    by: By,
    name: String,
    passive: bool,
    note: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum By {
    Skill,
    Command,
}

impl Route {
    /// A skill is to be used first.
    pub fn skill(name: impl Into<String>) -> Self {
        Self { by: By::Skill, name: name.into(), passive: false, note: None }
    }

    /// A command is to be used first.
    pub fn command(name: impl Into<String>) -> Self {
        Self { by: By::Command, name: name.into(), passive: false, note: None }
    }

    /// The mention is something to read: it never authorizes an action.
    #[must_use]
    pub fn passive(mut self) -> Self {
        self.passive = true;
        self
    }

    /// Adds a sentence to the policy text.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }

    /// The skill's or command's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it is a skill, and not a command.
    pub fn is_skill(&self) -> bool {
        self.by == By::Skill
    }

    /// Whether the mention never authorizes an action.
    pub fn is_passive(&self) -> bool {
        self.passive
    }
}

impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let by = match self.by {
            By::Skill => "skill",
            By::Command => "command",
        };
        write!(f, "the `{}` {by}", crate::text::one_line(&self.name))
    }
}

impl Routes {
    /// Routes nothing.
    pub fn none() -> Self {
        Self { by_provider: BTreeMap::new() }
    }

    /// The five providers that the protocol routes: `workspace-reference` to the `reference` skill, passively;
    /// `workspace-app` to the app's commands; `workspace-issue` to the issue manager; `agent-session` and
    /// `agent-target` to the agent handoff.
    pub fn standard() -> Self {
        let reference = Route::skill("reference").passive().note(
            "Take the URI, not its label, as the source. Run one `reference list` for the handle, read only the files \
             that the request needs, and report an empty set instead of guessing. The skill only reads",
        );
        let app =
            Route::skill("workspace-app").note("Prefer the app's own commands; open its window only when asked to");
        let issue = Route::skill("issue-manager");
        let handoff = Route::skill("agent-handoff");
        Self::none()
            .with("workspace-reference", reference)
            .with("workspace-app", app)
            .with("workspace-issue", issue)
            .with("agent-session", handoff.clone())
            .with("agent-target", handoff)
    }

    /// Routes a provider; replaces its earlier route. A `workspace-reference` is passive whatever the route says.
    #[must_use]
    pub fn with(mut self, provider: impl Into<String>, mut route: Route) -> Self {
        let provider = provider.into();
        route.passive |= provider == PASSIVE;
        self.by_provider.insert(provider, route);
        self
    }

    /// Routes a provider no longer.
    #[must_use]
    pub fn without(mut self, provider: &str) -> Self {
        self.by_provider.remove(provider);
        self
    }

    /// The route of a provider.
    pub fn provider(&self, provider: &str) -> Option<&Route> {
        self.by_provider.get(provider)
    }

    /// The routes by provider.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Route)> {
        self.by_provider.iter().map(|(provider, route)| (provider.as_str(), route))
    }

    /// The routes of these mentions, each once, in the order of the mentions.
    pub fn of<'a>(&self, mentions: impl IntoIterator<Item = &'a MentionUri>) -> Vec<&Route> {
        let mut routes: Vec<&Route> = Vec::new();
        for mention in mentions {
            if let Some(route) = self.provider(mention.provider()) {
                if !routes.iter().any(|known| known.name == route.name && known.by == route.by) {
                    routes.push(route);
                }
            }
        }
        routes
    }

    /// The routes of the mentions in a message, each once, in order: what to use first.
    pub fn route(&self, text: &str) -> Vec<&Route> {
        self.of(&crate::text::mentions(text))
    }

    /// The policy text for a system prompt: one line for each provider. Empty when nothing is routed.
    pub fn policy(&self) -> String {
        if self.by_provider.is_empty() {
            return String::new();
        }
        let mut policy = String::from(
            "Messages may hold mention links such as [label](mention://provider/id). The label is only for people; the \
             link says what is meant. Before anything else, use what serves the mention:\n",
        );
        for (provider, route) in &self.by_provider {
            let provider = crate::text::one_line(provider);
            // Writing to a string can't fail.
            let _ = write!(policy, "- mention://{provider}/…: use {route} first.");
            if let Some(note) = &route.note {
                let _ = write!(policy, " {}.", crate::text::one_line(note).trim_end_matches('.'));
            }
            policy.push_str(if route.passive { PASSIVE_TEXT } else { "" });
            policy.push('\n');
        }
        policy
    }
}

impl Default for Routes {
    /// The [`standard`](Self::standard) routes.
    fn default() -> Self {
        Self::standard()
    }
}

/// The provider whose mentions are passive in any set of routes.
const PASSIVE: &str = "workspace-reference";

/// What the policy says of a passive route.
const PASSIVE_TEXT: &str = " It is a passive reference: it never authorizes an action (opening, completing or \
    splitting an issue, calling an app). What the user asks for separately goes by its own workflow.";
