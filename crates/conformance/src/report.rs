//! What a run found: the counts of each area, and every failure.

use std::fmt;

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::compare::Difference;
use crate::fixture::{Case, Suite};

/// The most characters of a value that the text of a report shows.
const SHOWN_CHARS: usize = 400;
/// The most differences of one case that the text of a report shows.
const SHOWN_DIFFERENCES: usize = 12;

/// The result of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The counts, in the order of the areas.
    pub areas: Vec<AreaCount>,
    /// The failures, in the order of the cases.
    pub failures: Vec<Failure>,
}

/// The counts of one area.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AreaCount {
    /// The area.
    pub area: String,
    /// Cases that were answered as expected.
    pub passed: usize,
    /// Cases that were not.
    pub failed: usize,
    /// Cases whose operation the adapter does not know.
    pub unsupported: usize,
}

impl AreaCount {
    pub(crate) fn new(area: &str) -> Self {
        Self { area: area.to_owned(), passed: 0, failed: 0, unsupported: 0 }
    }
}

/// A case that was not answered as expected.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// The suite.
    pub suite: String,
    /// The case.
    pub id: String,
    /// Why the expected result is right.
    pub why: String,
    /// The operation.
    pub op: String,
    /// What was expected.
    pub expect: Value,
    /// Where the answer differs.
    pub differences: Vec<Difference>,
    /// In place of differences: why there is no answer that could be compared.
    pub broken: Option<String>,
}

impl Failure {
    pub(crate) fn new(suite: &Suite, case: &Case, differences: Vec<Difference>, broken: Option<String>) -> Self {
        Self {
            suite: suite.name.clone(),
            id: case.id.clone(),
            why: case.why.clone(),
            op: case.op.clone(),
            expect: case.expect.clone(),
            differences,
            broken,
        }
    }
}

impl Report {
    /// Whether nothing failed.
    pub fn passed(&self) -> bool {
        self.failures.is_empty()
    }

    /// The sums over all areas.
    pub fn total(&self) -> AreaCount {
        let mut total = AreaCount::new("total");
        for area in &self.areas {
            total.passed += area.passed;
            total.failed += area.failed;
            total.unsupported += area.unsupported;
        }
        total
    }

    /// The report as one JSON object.
    pub fn to_json(&self) -> Value {
        let failures: Vec<Value> = self.failures.iter().map(Failure::to_json).collect();
        json!({ "passed": self.passed(), "areas": self.areas, "total": self.total(), "failures": failures })
    }

    /// The table alone, one line for each area and one for the sum.
    pub fn table(&self) -> String {
        let mut rows = vec![["area", "passed", "failed", "unsupported"].map(str::to_owned)];
        let row = |count: &AreaCount| {
            [count.area.clone(), count.passed.to_string(), count.failed.to_string(), count.unsupported.to_string()]
        };
        rows.extend(self.areas.iter().map(row));
        rows.push(row(&self.total()));
        let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(String::len).max().unwrap_or(0);
        let widths: Vec<usize> = (0..4).map(width).collect();
        let mut table = String::new();
        for row in &rows {
            for (index, (cell, width)) in row.iter().zip(&widths).enumerate() {
                let cell = if index == 0 { format!("{cell:width$}") } else { format!("  {cell:>width$}") };
                table.push_str(&cell);
            }
            table.push('\n');
        }
        table
    }
}

impl Failure {
    fn to_json(&self) -> Value {
        let mut map = Map::new();
        for (name, text) in [("suite", &self.suite), ("id", &self.id), ("why", &self.why), ("op", &self.op)] {
            map.insert(name.to_owned(), text.as_str().into());
        }
        map.insert("expect".to_owned(), self.expect.clone());
        if let Some(word) = &self.broken {
            map.insert("broken".to_owned(), word.as_str().into());
        }
        let list = self.differences.iter().map(|difference| {
            let mut map = Map::new();
            map.insert("pointer".to_owned(), difference.pointer.as_str().into());
            let parts = [("expected", difference.expected.clone()), ("got", difference.got.clone())];
            map.extend(parts.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))));
            map.extend(difference.note.iter().map(|note| ("note".to_owned(), note.as_str().into())));
            Value::Object(map)
        });
        map.insert("differences".to_owned(), list.collect());
        Value::Object(map)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "FAILED {}/{} ({})", self.suite, self.id, self.op)?;
        writeln!(f, "  {}", self.why)?;
        if let Some(word) = &self.broken {
            writeln!(f, "  - {}", shown(Some(&self.expect)))?;
            return writeln!(f, "  ! {}", cut(word));
        }
        for difference in self.differences.iter().take(SHOWN_DIFFERENCES) {
            writeln!(f, "  at {}", if difference.pointer.is_empty() { "the top" } else { &difference.pointer })?;
            writeln!(f, "  - {}", shown(difference.expected.as_ref()))?;
            writeln!(f, "  + {}", shown(difference.got.as_ref()))?;
            if let Some(note) = &difference.note {
                writeln!(f, "  ! {}", cut(note))?;
            }
        }
        match self.differences.len().saturating_sub(SHOWN_DIFFERENCES) {
            0 => Ok(()),
            more => writeln!(f, "  … and {more} more differences"),
        }
    }
}

impl fmt::Display for Report {
    /// The failures with their differences (`-` expected, `+` got), then the table.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for failure in &self.failures {
            writeln!(f, "{failure}")?;
        }
        f.write_str(&self.table())
    }
}

fn shown(value: Option<&Value>) -> String {
    value.map_or_else(|| "(nothing)".to_owned(), |value| cut(&value.to_string()))
}

/// One line of text, cut; what a terminal would act on is shown as an escape.
fn cut(text: &str) -> String {
    let mut line = String::new();
    for (index, c) in text.chars().enumerate() {
        if index == SHOWN_CHARS {
            line.push('…');
            break;
        }
        if c.is_control() || mention_uri::text::is_bidi_control(c) {
            line.extend(c.escape_unicode());
        } else {
            line.push(c);
        }
    }
    line
}
