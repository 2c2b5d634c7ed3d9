//! Resolving mentions, and what the agent reads.

use std::collections::BTreeMap;

use mention_contract::context::{
    Already, Budget, MentionEntry, ProviderEntry, Says, already, clean, mentions_block, parse, providers_block,
};
use mention_contract::resolve::{DetailsCall, Outcome, Outcomes, Plan, Status, pending};
use mention_contract::{CallError, Message, ProviderError};
use mention_uri::MentionUri;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::contract::{Function, registry};
use super::{Given, put, read};

pub(super) fn answer(op: &str, input: &Value) -> Option<Given> {
    Some(match op {
        "resolve.pending" => resolve_pending(input),
        "resolve.outcomes" => resolve_outcomes(input),
        "context.mentions" => context_mentions(input),
        "context.providers" => context_providers(input),
        "context.parse" => context_parse(input),
        "context.clean" => context_clean(input),
        _ => return None,
    })
}

#[derive(Deserialize)]
struct Messages {
    messages: Value,
}

fn resolve_pending(input: &Value) -> Given {
    let messages = Message::read(&read::<Messages>(input)?.messages);
    let pending = pending(&messages, &already(&messages));
    let mentions: Vec<&str> = pending.mentions.iter().map(MentionUri::as_str).collect();
    Ok(json!({ "pending": mentions, "dropped": pending.dropped }))
}

#[derive(Deserialize)]
struct Resolve {
    text: String,
    functions: Vec<Function>,
    answers: BTreeMap<String, BTreeMap<String, Value>>,
    allowed: Vec<String>,
    workspace: Option<String>,
}

/// The scripted failure of a call; nothing for one that never answers.
fn failure(code: &str) -> Option<CallError> {
    let message = || "scripted".to_owned();
    Some(match code {
        "timed_out" => return None,
        "unavailable" => CallError::unavailable("scripted"),
        "invalid_request" => CallError::InvalidRequest { message: message() },
        "invalid_answer" => CallError::InvalidAnswer { message: message() },
        "unknown_function" => CallError::UnknownFunction { function_id: message() },
        "provider_failed" => ProviderError::failed("scripted").into(),
        _ => CallError::failed("scripted"),
    })
}

fn outcomes(input: &Resolve) -> Outcomes {
    let pending = pending(&[Message::user(input.text.as_str())], &Already::default());
    let allowed = |id: &str| input.allowed.iter().any(|allowed| allowed == id);
    let mut plan = Plan::new(pending, &registry(&input.functions), input.workspace.as_deref(), allowed);
    for call in plan.calls().to_vec() {
        let scripted = input.answers.get(call.function_id()).and_then(|ids| ids.get(&call.request().id));
        let scripted = scripted.cloned().unwrap_or(Value::Null);
        match scripted.get("error").and_then(Value::as_str).map(failure) {
            Some(None) => plan.time_out(&call),
            Some(Some(error)) => plan.answer(&call, Err(error)),
            None => plan.answer(&call, Ok(scripted)),
        }
    }
    plan.outcomes()
}

fn details_call(details: &DetailsCall) -> Value {
    json!({ "functionId": details.function_id, "payload": details.payload })
}

fn outcome(outcome: &Outcome) -> Value {
    let mut map = Map::new();
    put(&mut map, "mention", Some(outcome.mention.as_str()));
    let status = match &outcome.status {
        Status::Resolved(resolved) => {
            put(&mut map, "id", Some(resolved.id.as_str()));
            put(&mut map, "label", Some(resolved.label.as_str()));
            put(&mut map, "summary", Some(resolved.summary.as_str()));
            put(&mut map, "details", resolved.details.as_ref().map(details_call));
            "resolved"
        }
        Status::NotFound => "not_found",
        Status::UnknownProvider => "unknown_provider",
        Status::Error { code } => {
            put(&mut map, "code", Some(code.as_str()));
            "error"
        }
        _ => "other",
    };
    put(&mut map, "status", Some(status));
    Value::Object(map)
}

fn resolve_outcomes(input: &Value) -> Given {
    let outcomes = outcomes(&read(input)?);
    Ok(json!({ "outcomes": outcomes.list.iter().map(outcome).collect::<Vec<_>>() }))
}

#[derive(Deserialize)]
struct Limited {
    #[serde(flatten)]
    resolve: Resolve,
    #[serde(default)]
    budget: Limit,
}

#[derive(Deserialize, Default)]
struct Limit {
    chars: Option<usize>,
    bytes: Option<usize>,
}

fn context_mentions(input: &Value) -> Given {
    let input: Limited = read(input)?;
    let budget = match (input.budget.chars, input.budget.bytes) {
        (Some(chars), _) => Budget::Characters(chars),
        (None, Some(bytes)) => Budget::Bytes(bytes),
        (None, None) => Budget::default(),
    };
    Ok(json!({ "block": mentions_block(&outcomes(&input.resolve), budget) }))
}

#[derive(Deserialize)]
struct Functions {
    functions: Vec<Function>,
}

fn context_providers(input: &Value) -> Given {
    Ok(json!({ "block": providers_block(&registry(&read::<Functions>(input)?.functions)) }))
}

#[derive(Deserialize)]
struct Text {
    text: String,
}

fn mention_entry(entry: &MentionEntry) -> Value {
    let mut map = Map::new();
    put(&mut map, "mention", Some(entry.mention.as_str()));
    let status = match &entry.says {
        Says::Resolved { summary, details } => {
            put(&mut map, "summary", Some(summary.as_str()));
            put(&mut map, "details", details.as_ref().map(details_call));
            "resolved"
        }
        Says::NotFound => "not_found",
        Says::UnknownProvider => "unknown_provider",
        Says::Error { code } => {
            put(&mut map, "code", Some(code.as_str()));
            "error"
        }
        _ => "other",
    };
    put(&mut map, "status", Some(status));
    Value::Object(map)
}

fn provider_entry(entry: &ProviderEntry) -> Value {
    let mut map = Map::new();
    put(&mut map, "name", Some(entry.name.as_str()));
    put(&mut map, "label", Some(entry.label.as_str()));
    put(&mut map, "description", entry.description.as_deref());
    Value::Object(map)
}

fn context_parse(input: &Value) -> Given {
    let blocks = parse(&read::<Text>(input)?.text);
    let mentions: Vec<Value> = blocks.mentions.iter().map(mention_entry).collect();
    let providers: Vec<Value> = blocks.providers.iter().flatten().map(provider_entry).collect();
    Ok(json!({ "mentions": mentions, "providers": providers }))
}

fn context_clean(input: &Value) -> Given {
    let cleaned = clean(&read::<Text>(input)?.text);
    Ok(json!({ "text": cleaned.text, "removed": cleaned.removed }))
}
