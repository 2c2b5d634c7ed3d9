use std::collections::BTreeSet;

use mention_uri::MentionUri;

use super::entry::ProviderEntry;
use super::parse::parse;
use crate::{Message, Registry};

/// The mentions that an agent was told about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Already {
    identities: BTreeSet<MentionUri>,
}

impl Already {
    /// Whether the agent was told about this mention; keys of its scope that are for display only don't count.
    pub fn contains(&self, mention: &MentionUri) -> bool {
        self.identities.contains(&mention.identity())
    }

    /// The mentions, in order, without what is for display only.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &MentionUri> {
        self.identities.iter()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.identities.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.identities.is_empty()
    }
}

impl FromIterator<MentionUri> for Already {
    fn from_iter<T: IntoIterator<Item = MentionUri>>(mentions: T) -> Self {
        Self { identities: mentions.into_iter().map(|mention| mention.identity()).collect() }
    }
}

/// The mentions that earlier messages tell the agent about, as resolved or as not found.
///
/// Reads attached blocks only: what a user or the agent wrote tells nothing, nor does what stands inside of an
/// entry. A lookup that failed, or whose provider was unknown, may be tried again.
pub fn already(messages: &[Message]) -> Already {
    let attached = messages.iter().filter(|message| message.attached).flat_map(|message| &message.blocks);
    attached
        .flat_map(|text| parse(text).mentions)
        .filter(super::entry::MentionEntry::is_settled)
        .map(|entry| entry.mention)
        .collect()
}

/// Whether the index of providers has to be sent (again): when there are providers, and the last attached
/// `<mention_providers>` block is missing or says something else.
pub fn advertise(messages: &[Message], registry: &Registry) -> bool {
    let Some(block) = super::block::providers_block(registry) else {
        return false;
    };
    let told: Option<Vec<ProviderEntry>> = messages
        .iter()
        .filter(|message| message.attached)
        .flat_map(|message| &message.blocks)
        .filter_map(|text| parse(text).providers)
        .next_back();
    told != parse(&block).providers
}
