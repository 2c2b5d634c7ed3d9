use super::menu::Menu;
use crate::rank::{Query, Record, Updated, rank};
use crate::text::visible;
use crate::wire::Item;
use serde::Serialize;
use std::collections::BTreeSet;
use std::ops::Range;

impl Menu {
    /// The flat view: all groups' rows ranked together by this crate's tiers, one row per provider and id.
    ///
    /// Within a tier the rows keep the place that their provider gave them, then titles and providers decide. Rows
    /// that match by nothing that the tiers know (a provider may search by meaning) come last. A blank query asks for
    /// recent items, whose order only their provider knows: the groups stand one after the other then.
    pub fn merged(&self, limit: usize) -> Merged {
        let mut entries = Vec::new();
        for (group, of) in self.groups.iter().enumerate() {
            let rows = of.rows().iter().enumerate();
            entries.extend(rows.map(|(place, item)| Entry { group, provider: of.provider(), place, item }));
        }
        let query = Query::new(self.query.as_str());
        let mut rows = Vec::new();
        let mut ranked = BTreeSet::new();
        if !query.is_blank() {
            for hit in rank(&entries, &query, entries.len()) {
                ranked.insert(hit.record.id());
                rows.push(hit.record.row(hit.ranges));
            }
        }
        rows.extend(entries.iter().filter(|entry| !ranked.contains(&entry.id())).map(|entry| entry.row(Vec::new())));
        let more = rows.len() > limit || self.groups.iter().any(super::Group::has_more);
        rows.truncate(limit);
        Merged { rows, more }
    }
}

/// All groups' rows in one list.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Merged {
    /// The rows, best first.
    pub rows: Vec<Row>,
    /// Whether there is more than these rows: rows that were cut, or a provider that has more than it was asked for.
    pub more: bool,
}

/// A row of the flat view.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Row {
    /// The provider's name.
    pub provider: String,
    /// The item, sanitized.
    pub item: Item,
    /// What of the label matched, in byte offsets, for bold type.
    pub ranges: Vec<Range<usize>>,
}

struct Entry<'a> {
    group: usize,
    provider: &'a str,
    place: usize,
    item: &'a Item,
}

impl Entry<'_> {
    fn row(&self, ranges: Vec<Range<usize>>) -> Row {
        Row { provider: self.provider.to_owned(), item: self.item.clone(), ranges }
    }
}

impl<'a> Record for Entry<'a> {
    type Id = (usize, &'a str);

    fn id(&self) -> Self::Id {
        (self.group, &self.item.id)
    }

    fn handles(&self) -> impl Iterator<Item = &str> {
        visible(self.item.hint.as_deref()).into_iter()
    }

    fn title(&self) -> &str {
        &self.item.label
    }

    fn body(&self) -> &str {
        self.item.description.as_deref().unwrap_or_default()
    }

    fn updated_at(&self) -> Option<Updated> {
        // A provider's first row stands for its most recent one: items carry no date.
        i64::try_from(self.place).ok().map(|place| Updated::from_unix_micros(-place))
    }
}
