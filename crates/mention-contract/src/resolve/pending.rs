use crate::context::Already;
use crate::message::{Message, Role};
use crate::route::Routes;
use mention_uri::{MentionUri, limits};
use std::collections::BTreeSet;

/// The mentions that are to be resolved now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pending {
    /// Each mention once, oldest first, at most ten.
    pub mentions: Vec<MentionUri>,
    /// How many older ones there are, for which this turn has no room.
    pub dropped: usize,
}

impl Pending {
    /// These mentions: each once, the newest ten, oldest first.
    ///
    /// Where one is repeated, its last place counts: who mentions a thing again speaks of it now.
    pub fn new(mentions: impl IntoIterator<Item = MentionUri, IntoIter: DoubleEndedIterator>) -> Self {
        let mut seen = BTreeSet::new();
        let mut newest = Vec::new();
        let mut dropped = 0;
        for mention in mentions.into_iter().rev() {
            if !seen.insert(mention.identity()) {
                continue;
            }
            if newest.len() < limits::MENTIONS_PER_TURN {
                newest.push(mention);
            } else {
                dropped += 1;
            }
        }
        newest.reverse();
        Self { mentions: newest, dropped }
    }
}

/// The mentions that users wrote and that the agent was not told about [`already`](crate::context::already) (by
/// identity: provider, id and scope without presentation keys).
///
/// Tokens and mention URIs, also bare ones, in prose only: not in code, not in what the host attached, not in what the
/// agent wrote. Mentions that the [standard routes](Routes::standard) serve, workspace references among them, are left
/// to those.
pub fn pending(messages: &[Message], already: &Already) -> Pending {
    pending_with(messages, already, &Routes::standard())
}

/// The same with the host's own routes.
pub fn pending_with(messages: &[Message], already: &Already, routes: &Routes) -> Pending {
    let mut mentions = mentions(messages);
    mentions.retain(|mention| routes.provider(mention.provider()).is_none() && !already.contains(mention));
    Pending::new(mentions)
}

/// Every mention that users wrote, in order.
fn mentions(messages: &[Message]) -> Vec<MentionUri> {
    let written = messages.iter().filter(|message| message.role == Role::User && !message.attached);
    written.flat_map(|message| &message.blocks).flat_map(|text| crate::text::mentions(text)).collect()
}
