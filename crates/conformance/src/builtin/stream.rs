//! The search in a text that is still arriving.

use mention_uri::{StreamScanner, StreamSegment, TailPart, Utf16Spans};
use serde::Deserialize;
use serde_json::{Value, json};

use super::markdown::{self, Options};
use super::{Given, read};
use crate::answer::Answer;

pub(super) fn answer(op: &str, input: &Value) -> Option<Given> {
    Some(match op {
        "stream.scan" => scan(input),
        "stream.tail" => tail(input),
        _ => return None,
    })
}

#[derive(Deserialize)]
struct Pieces {
    chunks: Option<Vec<String>>,
    bytes: Option<Vec<Vec<u8>>>,
    #[serde(default)]
    options: Options,
}

fn scan(input: &Value) -> Given {
    let input: Pieces = read(input)?;
    let mut stream = StreamScanner::new(input.options.build()?);
    let mut settled: Vec<StreamSegment> = Vec::new();
    for chunk in input.chunks.unwrap_or_default() {
        settled.extend(stream.push(&chunk));
        // A host looks at the tail after every piece; that must not change anything.
        let _ = stream.tail().count();
    }
    for chunk in input.bytes.unwrap_or_default() {
        settled.extend(stream.push_bytes(&chunk));
    }
    settled.extend(stream.finish());
    if !stream.finish().is_empty() {
        return Err(Answer::Broken("a second finish gave more".to_owned()));
    }
    let text: String = settled.iter().map(StreamSegment::source).collect();
    let utf16 = Utf16Spans::new(&text);
    let mut found = Vec::new();
    let mut end = 0;
    for segment in &settled {
        let units = utf16.utf16(segment.span());
        if segment.span().start != end || segment.utf16() != units {
            return Err(Answer::Broken(format!("a segment has the wrong place: {segment:?}")));
        }
        end = segment.span().end;
        found.extend(segment.found().map(|item| markdown::found(item, &utf16)));
    }
    Ok(json!({ "found": found, "text": text }))
}

fn tail(input: &Value) -> Given {
    let input: Pieces = read(input)?;
    let mut stream = StreamScanner::new(input.options.build()?);
    let mut shown = String::new();
    for chunk in input.chunks.unwrap_or_default() {
        for segment in stream.push(&chunk) {
            shown.push_str(segment.source());
        }
    }
    let mut pending = Vec::new();
    for part in stream.tail() {
        match part {
            TailPart::Text { text, .. } => shown.push_str(text),
            TailPart::Pending { start, label, .. } => pending.push(json!({ "start": start, "label": label })),
        }
    }
    Ok(json!({ "shown": shown, "pending": pending }))
}
