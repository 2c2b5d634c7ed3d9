use super::block::{Frame, MENTIONS, PROVIDERS};
use super::entry::{MentionEntry, ProviderEntry};

/// What the blocks in a text say.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Blocks {
    /// The entries of all `<mentions>` blocks, in order.
    pub mentions: Vec<MentionEntry>,
    /// How many mentions these blocks tell of and don't show.
    pub mentions_not_shown: usize,
    /// The entries of the last `<mention_providers>` block; `None` when there is no such block.
    pub providers: Option<Vec<ProviderEntry>>,
    /// How many providers that block tells of and does not show.
    pub providers_not_shown: usize,
}

/// Reads both blocks back, wherever they stand in a text: exactly the entries that were put in, as they were cleaned
/// and cut, whatever the providers' texts say.
///
/// A block begins and ends at a line of its own. Lines in it that are no entry are passed over, as is a block without an end.
pub fn parse(text: &str) -> Blocks {
    let mut blocks = Blocks::default();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line == MENTIONS.first {
            let (mut entries, mut not_shown): (Vec<MentionEntry>, usize) = (Vec::new(), 0);
            let mut open = false;
            let ended = within(&MENTIONS, &mut lines, |line| {
                if let Some(entry) = MentionEntry::read(line) {
                    entries.push(entry);
                    open = true;
                } else if open && entries.last_mut().and_then(|entry| entry.read_details(line)).is_some() {
                    open = false;
                } else {
                    open = false;
                    not_shown = not_shown.saturating_add(MENTIONS.read_marker(line).unwrap_or_default());
                }
            });
            if ended {
                blocks.mentions.append(&mut entries);
                blocks.mentions_not_shown = blocks.mentions_not_shown.saturating_add(not_shown);
            }
        } else if line == PROVIDERS.first {
            let (mut entries, mut not_shown): (Vec<ProviderEntry>, usize) = (Vec::new(), 0);
            let ended = within(&PROVIDERS, &mut lines, |line| {
                if let Some(entry) = ProviderEntry::read(line) {
                    entries.push(entry);
                } else {
                    not_shown = not_shown.saturating_add(PROVIDERS.read_marker(line).unwrap_or_default());
                }
            });
            if ended {
                blocks.providers = Some(entries);
                blocks.providers_not_shown = not_shown;
            }
        }
    }
    blocks
}

/// Gives the lines of a block; tells whether it has an end.
fn within<'a>(frame: &Frame, lines: &mut impl Iterator<Item = &'a str>, mut each: impl FnMut(&'a str)) -> bool {
    for line in lines {
        if line == frame.last {
            return true;
        }
        if Some(line) != frame.about {
            each(line);
        }
    }
    false
}
