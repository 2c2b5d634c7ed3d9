//! What handlers answer, what is printed, and failures as data.

use std::time::Duration;

use cli_spec::app::{HandlerError, decode_output};
use cli_spec::wait::{Answer as Observed, Loop, Step};
use cli_spec::{CommandOutput, Continuation, ErrorEnvelope, IntoEnvelope, Remote, render};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::manifest::manifest;
use super::{Given, put, read, write};
use crate::answer::Answer;

pub(super) fn answer(op: &str, input: &Value) -> Option<Given> {
    Some(match op {
        "output.decode" => decode(input),
        "output.json" => printed(input),
        "continuation.check" => continuation(input),
        "wait.run" => wait(input),
        "error.envelope" => envelope(input),
        "error.read" => error_read(input),
        "error.handler" => handler(input),
        _ => return None,
    })
}

#[derive(Deserialize)]
struct Decode {
    command: Map<String, Value>,
    status: u16,
    body: Option<Value>,
    text: Option<String>,
}

fn decode(input: &Value) -> Given {
    let wrapped = input.get("body").is_some();
    let input: Decode = read(input)?;
    let mut command = input.command;
    let rest = json!({ "path": ["run"], "summary": "Runs",
        "handler": { "kind": "http", "method": "POST", "path": "/tutti/cli/run" } });
    command.extend(rest.as_object().cloned().unwrap_or_default());
    let json = json!({ "schemaVersion": "tutti.app.cli.v1", "scope": "app", "commands": [command] });
    let manifest = manifest(json.to_string().as_bytes())?;
    let command = manifest.commands().first().ok_or_else(|| Answer::Broken("no command".to_owned()))?;
    let body = if wrapped { input.body.unwrap_or_default().to_string() } else { input.text.unwrap_or_default() };
    let output = decode_output(command, input.status, body.as_bytes()).map_err(|error| Answer::error(error.code()))?;
    Ok(json!({ "output": write(&output)? }))
}

#[derive(Deserialize)]
struct Output {
    output: CommandOutput,
}

fn printed(input: &Value) -> Given {
    let text = render::json(&read::<Output>(input)?.output);
    let value: Value =
        serde_json::from_str(&text).map_err(|error| Answer::Broken(format!("what is printed is no JSON: {error}")))?;
    Ok(json!({ "printed": value }))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Delay {
    retry_after_ms: u64,
}

fn continuation(input: &Value) -> Given {
    let delay = read::<Delay>(input)?.retry_after_ms;
    write(&Continuation::pending(delay).map_err(|error| Answer::error(error.code()))?)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Wait {
    timeout_ms: Option<u64>,
    answers: Vec<Value>,
}

/// Answers come at once; time passes in delays only.
fn wait(input: &Value) -> Given {
    let input: Wait = read(input)?;
    let mut wait = Loop::new(Duration::ZERO, input.timeout_ms.map(Duration::from_millis));
    let mut answers = input.answers.into_iter();
    let mut now = Duration::ZERO;
    let mut asked = Vec::new();
    loop {
        match wait.poll(now) {
            Step::Sleep(delay) => now += delay,
            Step::Ask => {
                asked.push(u64::try_from(now.as_millis()).unwrap_or(u64::MAX));
                let answer =
                    answers.next().ok_or_else(|| Answer::Broken("asked more often than scripted".to_owned()))?;
                let answer = match (answer.as_str(), answer.as_u64()) {
                    (Some("final"), _) => Observed::Final,
                    (_, Some(retry_after_ms)) => Observed::Pending { retry_after_ms },
                    _ => Observed::Failed,
                };
                wait.handle_answer(now, answer);
            }
            Step::Done(end) => return Ok(json!({ "end": end.code(), "askedAtMs": asked })),
            step => return Err(Answer::Broken(format!("an unexpected step: {step:?}"))),
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Reported {
    status: u16,
    reason: Option<String>,
    code: String,
    message: String,
    hint: Option<String>,
    retryable: Option<bool>,
    correlation_id: Option<String>,
}

fn envelope(input: &Value) -> Given {
    let Reported { status, reason, code, message, hint, retryable, correlation_id } = read(input)?;
    let remote = Remote { reason, code, message, hint, retryable, correlation_id };
    let envelope = ErrorEnvelope::from_remote(status, remote);
    let exit = envelope.exit_code().as_u8();
    Ok(json!({ "envelope": write(&envelope)?, "retryable": envelope.retryable(), "exit": exit }))
}

/// What a client makes of an envelope.
fn judged(envelope: &ErrorEnvelope) -> Value {
    let exit = envelope.exit_code().as_u8();
    json!({ "reasonCode": envelope.code(), "retryable": envelope.retryable(), "exit": exit })
}

#[derive(Deserialize)]
struct Envelope {
    envelope: Value,
}

fn error_read(input: &Value) -> Given {
    let envelope = ErrorEnvelope::deserialize(&read::<Envelope>(input)?.envelope);
    Ok(judged(&envelope.map_err(|_| Answer::error("not_an_envelope"))?))
}

#[derive(Deserialize)]
struct Handler {
    failure: String,
    #[serde(default)]
    code: String,
    #[serde(default)]
    message: String,
}

fn handler(input: &Value) -> Given {
    let Handler { failure, code, message } = read(input)?;
    let error = match failure.as_str() {
        "timeout" => HandlerError::Timeout { timeout_ms: 30_000 },
        "unavailable" => HandlerError::Unavailable { message },
        "failed" => HandlerError::Failed { code, message },
        _ => HandlerError::BadResponse { message },
    };
    let mut map = Map::new();
    for (name, value) in judged(&error.into_envelope()).as_object().into_iter().flatten() {
        put(&mut map, name, Some(value.clone()));
    }
    Ok(map.into())
}
