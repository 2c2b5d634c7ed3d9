//! Ranking.

use mention_contract::rank::{Query, Record, Tier, Updated, rank};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Given, read};

pub(super) fn answer(op: &str, input: &Value) -> Option<Given> {
    Some(match op {
        "rank.search" => search(input),
        "rank.highlight" => highlight(input),
        _ => return None,
    })
}

#[derive(Deserialize)]
struct Entry {
    id: String,
    title: String,
    #[serde(default)]
    handles: Vec<String>,
    #[serde(default)]
    body: String,
    updated_at: Option<String>,
    #[serde(default)]
    hidden: bool,
}

impl Record for Entry {
    type Id = String;

    fn id(&self) -> String {
        self.id.clone()
    }

    fn handles(&self) -> impl Iterator<Item = &str> {
        self.handles.iter().map(String::as_str)
    }

    fn title(&self) -> &str {
        &self.title
    }

    fn body(&self) -> &str {
        &self.body
    }

    fn updated_at(&self) -> Option<Updated> {
        self.updated_at.as_deref().and_then(Updated::from_rfc3339)
    }

    fn hidden(&self) -> bool {
        self.hidden
    }
}

/// The number of a tier as the fixtures count them; 0 where nothing was asked for.
fn number(tier: Tier) -> u8 {
    match tier {
        Tier::ExactHandle => 1,
        Tier::HandlePrefix => 2,
        Tier::TitlePrefix => 3,
        Tier::WordStarts => 4,
        Tier::InTitle => 5,
        Tier::InBody => 6,
        _ => 0,
    }
}

#[derive(Deserialize)]
struct Search {
    query: String,
    records: Vec<Entry>,
    own: Option<String>,
    limit: Option<usize>,
}

fn search(input: &Value) -> Given {
    let input: Search = read(input)?;
    let query = Query::new(input.query).without(input.own);
    let hits = rank(&input.records, &query, input.limit.unwrap_or(usize::MAX));
    let hits: Vec<Value> = hits.iter().map(|hit| json!({ "id": hit.record.id, "tier": number(hit.tier) })).collect();
    Ok(json!({ "hits": hits }))
}

#[derive(Deserialize)]
struct Highlight {
    query: String,
    title: String,
}

fn highlight(input: &Value) -> Given {
    let Highlight { query, title } = read(input)?;
    let record =
        Entry { id: "1".to_owned(), title, handles: vec![], body: String::new(), updated_at: None, hidden: false };
    let hits = rank([&record], &Query::new(query), 1);
    let hit = hits.first();
    let ranges: Vec<Value> =
        hit.into_iter().flat_map(|hit| &hit.ranges).map(|range| json!([range.start, range.end])).collect();
    Ok(json!({ "tier": hit.map(|hit| number(hit.tier)), "bytes": ranges }))
}
