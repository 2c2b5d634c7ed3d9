//! Whether an answer is what was expected.
//!
//! Values are the same when they are the same JSON: members in any order, numbers by value (`3` is `3.0`). In place of
//! a value an expectation may have an object with one of these members:
//!
//! - `$any`: any value.
//! - `$markdown`: a text that a CommonMark reader reads as said: `{ "label", "destination" }` as one link with that
//!   label and destination and nothing else, `{ "text" }` as one paragraph of exactly that text, in one line. Which
//!   characters a writer escapes is its own business.
//! - `$block`: a block for the agent: `{ "frame", "entries", "max"?, "orNull"? }`. The tags of the frame are lines of
//!   their own, a line in parentheses after the first one is free, and then come the entries. With `max` (`chars` or
//!   `bytes` of the whole block) entries may be left out, when a line of the form `- (n more mentions not shown)` counts
//!   them. With `orNull` there may be no block.

use std::fmt::Write as _;

use comrak::nodes::NodeValue;
use comrak::{Arena, Options, parse_document};
use serde_json::{Map, Value};

use crate::answer::{Answer, Failed};
use crate::fixture::escape;

/// One place where an answer differs from what was expected.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// Where, as a JSON pointer.
    pub pointer: String,
    /// What was expected there; nothing when nothing was.
    pub expected: Option<Value>,
    /// What was there.
    pub got: Option<Value>,
    /// What is wrong, where the two values alone don't tell.
    pub note: Option<String>,
}

/// Holds an answer against the expectation of a case; nothing when it is as expected.
pub fn differences(expect: &Value, answer: &Answer) -> Vec<Difference> {
    let mut found = Vec::new();
    let code = expect.get("error").and_then(Value::as_str);
    match (code, answer) {
        (Some(code), Answer::Failed(failed)) => failure(code, expect, failed, &mut found),
        (None, Answer::Ok(value)) => value_at("", expect, value, &mut found),
        (_, answer) => {
            let got = answer.to_wire();
            let got = got.get("ok").cloned().unwrap_or(Value::Object(got));
            found.push(Difference {
                pointer: String::new(),
                expected: Some(expect.clone()),
                got: Some(got),
                note: None,
            });
        }
    }
    found
}

/// The code has to be the same; what else the case says only where the answer says it too.
fn failure(code: &str, expect: &Value, failed: &Failed, found: &mut Vec<Difference>) {
    if failed.code != code {
        found.push(Difference {
            pointer: "/error".to_owned(),
            expected: Some(code.into()),
            got: Some(failed.code.as_str().into()),
            note: None,
        });
    }
    for (name, expected) in expect.as_object().into_iter().flatten().filter(|(name, _)| *name != "error") {
        if let Some(got) = failed.more.get(name) {
            value_at(&format!("/{}", escape(name)), expected, got, found);
        }
    }
}

fn value_at(pointer: &str, expected: &Value, got: &Value, found: &mut Vec<Difference>) {
    let mut differ = |note: Option<String>| {
        let (expected, got) = (Some(expected.clone()), Some(got.clone()));
        found.push(Difference { pointer: pointer.to_owned(), expected, got, note });
    };
    match (expected, got) {
        (Value::Object(matcher), _) if matcher.contains_key("$any") => {}
        (Value::Object(matcher), _) if matcher.contains_key("$markdown") => {
            if let Err(note) = matcher.get("$markdown").map_or(Ok(()), |wanted| markdown(wanted, got)) {
                differ(Some(note));
            }
        }
        (Value::Object(matcher), _) if matcher.contains_key("$block") => {
            if let Err(note) = matcher.get("$block").map_or(Ok(()), |wanted| block(wanted, got)) {
                differ(Some(note));
            }
        }
        (Value::Object(expected), Value::Object(got)) => members(pointer, expected, got, found),
        (Value::Array(expected), Value::Array(got)) => {
            for index in 0..expected.len().max(got.len()) {
                let at = format!("{pointer}/{index}");
                both(at, expected.get(index), got.get(index), found);
            }
        }
        (Value::Number(a), Value::Number(b)) if a == b || (a.as_f64() == b.as_f64() && (a.is_f64() || b.is_f64())) => {}
        _ if expected == got => {}
        _ => differ(None),
    }
}

fn members(pointer: &str, expected: &Map<String, Value>, got: &Map<String, Value>, found: &mut Vec<Difference>) {
    let more = got.keys().filter(|key| !expected.contains_key(*key));
    for key in expected.keys().chain(more) {
        both(format!("{pointer}/{}", escape(key)), expected.get(key), got.get(key), found);
    }
}

fn both(pointer: String, expected: Option<&Value>, got: Option<&Value>, found: &mut Vec<Difference>) {
    match (expected, got) {
        (Some(expected), Some(got)) => value_at(&pointer, expected, got, found),
        (expected, got) => {
            found.push(Difference { pointer, expected: expected.cloned(), got: got.cloned(), note: None });
        }
    }
}

fn markdown(wanted: &Value, got: &Value) -> Result<(), String> {
    let source = got.as_str().ok_or("expected a text")?;
    let arena = Arena::new();
    let mut options = Options::default();
    options.extension.table = true;
    options.extension.strikethrough = true;
    options.extension.tasklist = true;
    let document = parse_document(&arena, source, &options);
    let mut blocks = document.children();
    let text = |name: &str| wanted.get(name).and_then(Value::as_str);
    let paragraph = match (blocks.next(), blocks.next()) {
        (Some(only), None) if matches!(only.data.borrow().value, NodeValue::Paragraph) => only,
        (None, None) if text("text") == Some("") => return Ok(()),
        _ => return Err("does not read as one paragraph".to_owned()),
    };
    if source.trim_end_matches('\n').contains(['\n', '\r']) {
        return Err("is not one line".to_owned());
    }
    let inside = match text("destination") {
        None => paragraph,
        Some(destination) => {
            let mut inlines = paragraph.children();
            let (Some(link), None) = (inlines.next(), inlines.next()) else {
                return Err("does not read as one link and nothing else".to_owned());
            };
            match &link.data.borrow().value {
                NodeValue::Link(found) if found.url == destination => {}
                NodeValue::Link(found) => return Err(format!("reads as a link to {:?}", found.url)),
                _ => return Err("does not read as a link".to_owned()),
            }
            link
        }
    };
    let mut plain = String::new();
    for node in inside.children() {
        match &node.data.borrow().value {
            NodeValue::Text(piece) => plain.push_str(piece),
            other => return Err(format!("reads as text with something else in it: {other:?}")),
        }
    }
    let wanted = text("label").or(text("text")).unwrap_or_default();
    if plain == wanted { Ok(()) } else { Err(format!("reads as {plain:?}")) }
}

fn block(wanted: &Value, got: &Value) -> Result<(), String> {
    let or_null = wanted.get("orNull").and_then(Value::as_bool).unwrap_or(false);
    let block = match got {
        Value::Null if or_null => return Ok(()),
        Value::String(text) => text,
        _ => return Err("expected a block".to_owned()),
    };
    let frame = wanted.get("frame").and_then(Value::as_str).unwrap_or_default();
    let inner = block
        .strip_prefix(&format!("<{frame}>\n"))
        .and_then(|rest| rest.trim_end_matches('\n').strip_suffix(&format!("</{frame}>")))
        .ok_or_else(|| format!("is not framed by lines <{frame}> and </{frame}>"))?;
    let max = wanted.get("max");
    let limit = |name: &str| max.and_then(|max| max.get(name)).and_then(Value::as_u64);
    let over = |limit: Option<u64>, length: usize| limit.is_some_and(|limit| length as u64 > limit);
    if over(limit("bytes"), block.len()) || over(limit("chars"), block.chars().count()) {
        return Err("is over its budget".to_owned());
    }
    let mut lines: Vec<&str> = inner.lines().collect();
    if lines.first().is_some_and(|line| line.starts_with('(') && line.ends_with(')')) {
        lines.remove(0);
    }
    let mut left_out = 0;
    if max.is_some() {
        let marker = lines.iter().position(|line| more(line).is_some());
        left_out = marker.and_then(|at| more(lines.remove(at))).unwrap_or(0);
    }
    let entries = wanted.get("entries").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let mut shown = 0;
    let mut rest = lines.as_slice();
    for entry in entries {
        let Some(entry) = entry.as_str() else {
            // `$any`: whatever stands there.
            let next = rest.iter().skip(1).position(|line| line.starts_with("- ")).map_or(rest.len(), |at| at + 1);
            if !rest.is_empty() {
                shown += 1;
                rest = rest.get(next..).unwrap_or_default();
            }
            continue;
        };
        let wanted: Vec<&str> = entry.lines().collect();
        match rest.strip_prefix(wanted.as_slice()) {
            Some(after) => {
                shown += 1;
                rest = after;
            }
            None if max.is_some() => {}
            None => return Err(format!("where {entry:?} is expected stands {:?}", rest.first().unwrap_or(&""))),
        }
    }
    if let Some(line) = rest.first() {
        return Err(format!("a line is not expected: {line:?}"));
    }
    if shown + left_out != entries.len() {
        let mut note = String::new();
        let _ = write!(note, "shows {shown} of {} entries and says that {left_out} are left out", entries.len());
        return Err(note);
    }
    Ok(())
}

/// The number in `- (3 more mentions not shown)`.
fn more(line: &str) -> Option<usize> {
    let rest = line.strip_prefix("- (")?;
    let (number, rest) = rest.split_once(' ')?;
    matches!(rest, "more mentions not shown)" | "more mention not shown)").then(|| number.parse().ok()).flatten()
}
