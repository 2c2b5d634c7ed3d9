//! The other end of the wire: an adapter that answers JSON lines.

use std::io::{self, BufRead, Write};

use serde_json::{Map, Value};

use crate::answer::{Adapter, Answer};

/// Answers requests, one JSON object a line, until the input ends.
///
/// A line that is no request is answered with `"broken"` and the id that it had, if any, so that nobody waits for it.
///
/// # Errors
/// Reading or writing failed.
pub fn serve(adapter: &mut dyn Adapter, input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    for line in input.lines() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        let request = serde_json::from_str::<Map<String, Value>>(&line).unwrap_or_default();
        let answer = match (request.get("op").and_then(Value::as_str), request.get("input")) {
            (Some(op), Some(input)) => adapter.call(op, input),
            _ => Answer::Broken("the request is no object with id, op and input".to_owned()),
        };
        let mut wire = answer.to_wire();
        wire.insert("id".to_owned(), request.get("id").cloned().unwrap_or(Value::Null));
        serde_json::to_writer(&mut output, &wire)?;
        output.write_all(b"\n")?;
        output.flush()?;
    }
    Ok(())
}
