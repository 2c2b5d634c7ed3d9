//! What a client prints: JSON, aligned tables, text.

use std::fmt::Write as _;

use serde::Serialize;
use serde_json::{Map, Value};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::{Column, CommandOutput, OutputBody, Row};
use crate::{
    error::ErrorEnvelope,
    text::{one_line, write_visible},
};

/// Stands for the part of a cell that was cut.
const CUT: char = '…';

/// Between two columns.
const GAP: usize = 2;

/// The output as `--json` prints it: the value alone, a table's rows as an array, a text as a string; with warnings or a
/// continuation an object `{ "warnings": […], "value": … }` (or `"rows"`). Indented, with a line break at the end.
pub fn json(output: &CommandOutput) -> String {
    let (name, value) = match &output.body {
        OutputBody::Json { value } => ("value", value.clone()),
        OutputBody::Table { rows, .. } => ("rows", Value::Array(rows.iter().cloned().map(Value::Object).collect())),
        OutputBody::Plain { text } | OutputBody::Markdown { text } => ("value", Value::String(text.clone())),
    };
    if output.warnings.is_empty() && output.continuation.is_none() {
        return pretty(&value);
    }
    let mut whole = Map::new();
    if !output.warnings.is_empty() {
        whole.insert("warnings".to_owned(), to_value(&output.warnings));
    }
    if let Some(continuation) = &output.continuation {
        whole.insert("continuation".to_owned(), to_value(continuation));
    }
    whole.insert(name.to_owned(), value);
    pretty(&Value::Object(whole))
}

/// The failure as `--json` prints it: exactly one object in one line, with a line break at the end.
pub fn error(envelope: &ErrorEnvelope) -> String {
    let mut line = serde_json::to_string(envelope).unwrap_or_default();
    line.push('\n');
    line
}

fn to_value(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

pub(crate) fn pretty(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}

/// The output for a terminal: a table aligned and cut to the width, JSON indented, text as the command gave it (it may be
/// coloured), each with a line break at the end. Warnings are not part of it; [`warnings`] has them for standard error.
pub fn plain(output: &CommandOutput, width: Option<usize>) -> String {
    match &output.body {
        OutputBody::Table { columns, rows } => table(columns, rows, width),
        OutputBody::Json { value } => pretty(value),
        OutputBody::Plain { text } | OutputBody::Markdown { text } => {
            let mut text = text.clone();
            if !text.is_empty() && !text.ends_with('\n') {
                text.push('\n');
            }
            text
        }
    }
}

/// The warnings of an output, one a line.
pub fn warnings(output: &CommandOutput) -> String {
    output.warnings.iter().fold(String::new(), |mut lines, warning| {
        lines.push_str("warning: ");
        lines.push_str(&one_line(&warning.message));
        lines.push('\n');
        lines
    })
}

/// A table with a heading, aligned by display width (wide and combining characters count as a terminal shows them). With a width,
/// the widest columns are cut until every line fits. Controls and characters that hide or reorder text are shown as escapes.
pub fn table(columns: &[Column], rows: &[Row], width: Option<usize>) -> String {
    let keys = keys(columns, rows);
    let mut lines: Vec<Vec<String>> = Vec::with_capacity(rows.len() + 1);
    lines.push(keys.iter().map(|(_, label)| one_line(label)).collect());
    lines.extend(rows.iter().map(|row| keys.iter().map(|(key, _)| cell(row.get(*key))).collect()));
    let mut widths = vec![0; keys.len()];
    for line in &lines {
        for (width, cell) in widths.iter_mut().zip(line) {
            *width = (*width).max(cell.width());
        }
    }
    if let Some(width) = width {
        shrink(&mut widths, width.saturating_sub(GAP * keys.len().saturating_sub(1)));
    }
    let mut table = String::new();
    for line in &lines {
        let start = table.len();
        let mut missing = 0;
        for (cell, width) in line.iter().zip(&widths) {
            table.extend(std::iter::repeat_n(' ', missing));
            let shown = cut(cell, *width, &mut table);
            missing = width.saturating_sub(shown) + GAP;
        }
        // A last empty cell leaves the padding of those before it.
        let end = table.get(start..).map_or(table.len(), |line| start + line.trim_end_matches(' ').len());
        table.truncate(end);
        table.push('\n');
    }
    table
}

/// The columns to show: the declared ones, else the keys of all rows.
fn keys<'a>(columns: &'a [Column], rows: &'a [Row]) -> Vec<(&'a str, &'a str)> {
    if columns.is_empty() {
        let keys: std::collections::BTreeSet<&str> = rows.iter().flat_map(Map::keys).map(String::as_str).collect();
        return keys.into_iter().map(|key| (key, key)).collect();
    }
    columns.iter().map(|column| (column.key.as_str(), column.label.as_str())).collect()
}

fn cell(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => {
            let mut cell = String::with_capacity(text.len());
            for character in text.chars() {
                // Writing to a string can't fail.
                let _ = write_visible(&mut cell, character);
            }
            cell
        }
        Some(other) => one_line(&other.to_string()),
    }
}

/// Cuts the widest columns to the largest common width with which all fit.
fn shrink(widths: &mut [usize], most: usize) {
    if widths.iter().sum::<usize>() <= most {
        return;
    }
    let fits = |cap: usize| widths.iter().map(|width| (*width).min(cap)).sum::<usize>() <= most;
    let (mut low, mut high) = (0, widths.iter().copied().max().unwrap_or(0));
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        if fits(middle) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    let mut spare = most.saturating_sub(widths.iter().map(|width| (*width).min(low)).sum());
    for width in widths {
        if *width > low {
            let more = usize::from(spare > 0);
            spare -= more;
            *width = low + more;
        }
    }
}

/// Writes a cell in at most that many columns of the terminal; returns how many it takes.
fn cut(cell: &str, width: usize, out: &mut String) -> usize {
    let whole = cell.width();
    if whole <= width {
        out.push_str(cell);
        return whole;
    }
    if width == 0 {
        return 0;
    }
    // A character together with the marks after it may be wider than alone (an emoji with its selector), so they are measured and
    // kept together. What is shown is measured as a whole: a joined sequence is narrower than its parts.
    let mut most = width - 1;
    let mut end = 0;
    let mut rest = cell;
    while !rest.is_empty() {
        let (cluster, after) = rest.split_at(cluster_end(rest));
        let Some(left) = most.checked_sub(cluster.width()) else { break };
        most = left;
        end += cluster.len();
        rest = after;
    }
    let shown = cell.get(..end).unwrap_or_default();
    let _ = write!(out, "{shown}{CUT}");
    shown.width() + 1
}

/// Where the first character ends together with the characters of no width after it.
fn cluster_end(text: &str) -> usize {
    let mut ends = text.char_indices().skip(1).filter(|(_, character)| character.width() != Some(0));
    ends.next().map_or(text.len(), |(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shrinking_takes_from_the_widest() {
        let table: [(&[usize], usize, &[usize]); 5] = [
            (&[2, 10, 3], 20, &[2, 10, 3]),
            (&[2, 10, 3], 12, &[2, 7, 3]),
            (&[10, 10], 15, &[8, 7]),
            (&[5, 5, 5], 4, &[2, 1, 1]),
            (&[5, 5], 0, &[0, 0]),
        ];
        for (widths, most, expected) in table {
            let mut widths = widths.to_vec();
            shrink(&mut widths, most);
            assert_eq!(widths, expected);
        }
    }
}
