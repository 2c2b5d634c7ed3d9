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
