//! Mention URIs, resource URIs, tokens.

use std::collections::BTreeMap;

use mention_uri::{
    Found, Item, MentionToken, MentionUri, Reserved, ResourceKinds, ResourceUri, ScanOptions, Target, Utf16Spans,
    WorkspaceReference, scan_with,
};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Given, kinds, put, read, value_type};
use crate::answer::Answer;

pub(super) fn answer(op: &str, input: &Value) -> Option<Given> {
    Some(match op {
        "uri.parse" => parse(input),
        "uri.format" => format(input),
        "uri.target" => target(input),
        "uri.reference" => reference(input),
        "uri.derive" => derive(input),
        "resource.parse" => resource_parse(input),
        "resource.format" => resource_format(input),
        "kinds.build" => kinds_build(input),
        "token.scan" => token_scan(input),
        "token.format" => token_format(input),
        "token.parse" => token_parse(input),
        "token.from_uri" => token_from_uri(input),
        _ => return None,
    })
}

#[derive(Deserialize)]
struct Uri {
    uri: String,
}

fn scope(uri: &MentionUri) -> Value {
    uri.scope().map(|(key, value)| (key.to_owned(), Value::from(value))).collect::<Map<_, _>>().into()
}

fn parse(input: &Value) -> Given {
    let uri = MentionUri::parse(&read::<Uri>(input)?.uri)?;
    Ok(json!({ "provider": uri.provider(), "entity": uri.entity(), "scope": scope(&uri), "uri": uri.as_str() }))
}

#[derive(Deserialize)]
struct Parts {
    provider: String,
    entity: String,
    scope: BTreeMap<String, String>,
}

fn format(input: &Value) -> Given {
    let parts: Parts = read(input)?;
    let mut uri = MentionUri::new(&parts.provider, parts.entity)?;
    for (key, value) in &parts.scope {
        uri = uri.with(key, value)?;
    }
    Ok(json!({ "uri": uri.as_str() }))
}

fn target(input: &Value) -> Given {
    let uri = MentionUri::parse(&read::<Uri>(input)?.uri)?;
    let target = Target::try_from(&uri)?;
    let mut map = Map::new();
    let mut name = |name: &str, id: &str| {
        map.insert("target".to_owned(), name.into());
        if !id.is_empty() {
            map.insert("id".to_owned(), id.into());
        }
    };
    match &target {
        Target::WorkspaceReference(to) => {
            name("workspace-reference", to.id());
            put(&mut map, "source", Some(to.source().as_str()));
            put(&mut map, "groupId", to.group_id());
            put(&mut map, "workspaceId", Some(to.workspace_id()));
            put(&mut map, "count", to.count());
        }
        Target::WorkspaceApp(to) => {
            name("workspace-app", to.id());
            put(&mut map, "workspaceId", Some(to.workspace_id()));
        }
        Target::WorkspaceIssue(to) => {
            name("workspace-issue", to.id());
            put(&mut map, "workspaceId", Some(to.workspace_id()));
            put(&mut map, "topicId", to.topic_id());
            put(&mut map, "mode", to.mode());
            put(&mut map, "taskId", to.task_id());
            put(&mut map, "runId", to.run_id());
            put(&mut map, "outputDir", to.output_dir());
        }
        Target::AgentSession(to) => {
            name("agent-session", to.id());
            put(&mut map, "workspaceId", Some(to.workspace_id()));
            put(&mut map, "agentTargetId", to.agent_target_id());
        }
        Target::AgentTarget(to) => {
            name("agent-target", to.id());
            put(&mut map, "workspaceId", Some(to.workspace_id()));
        }
        Target::AppFactory(to) => {
            name("workspace-app-factory", to.id());
            put(&mut map, "action", to.action());
            put(&mut map, "contextPath", to.context_path());
        }
        _ => name("other", ""),
    }
    put(&mut map, "uri", Some(target.to_uri().as_str()));
    Ok(map.into())
}

fn reference(input: &Value) -> Given {
    let uri = MentionUri::parse(&read::<Uri>(input)?.uri)?;
    let reference = WorkspaceReference::try_from(&uri)?;
    let handle = super::write(&reference.handle())?;
    Ok(json!({ "handle": handle, "identity": reference.identity().to_uri().as_str() }))
}

fn derive(input: &Value) -> Given {
    let uri = MentionUri::parse(&read::<Uri>(input)?.uri)?;
    let (identity, agent) = (uri.identity(), uri.for_agent());
    Ok(json!({ "identity": identity.as_str(), "agent": agent.as_str(), "label": uri.fallback_label() }))
}

#[derive(Deserialize)]
struct ResourceText {
    uri: String,
    kinds: Option<Map<String, Value>>,
}

fn resource_parse(input: &Value) -> Given {
    let input: ResourceText = read(input)?;
    let kinds = kinds(input.kinds.as_ref())?;
    let uri = kinds.parse(&input.uri)?;
    let mut map = Map::new();
    put(&mut map, "kind", Some(uri.kind()));
    put(&mut map, "id", Some(uri.id()));
    put(&mut map, "subTarget", uri.sub_target().map(|sub| json!({ "key": sub.key(), "value": sub.value() })));
    put(&mut map, "known", Some(kinds.knows(&uri)));
    put(&mut map, "uri", Some(uri.as_str()));
    Ok(map.into())
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ResourceParts {
    kind: String,
    id: String,
    sub_target: Option<Sub>,
    kinds: Option<Map<String, Value>>,
}

#[derive(Deserialize)]
struct Sub {
    key: String,
    value: String,
}

fn resource_format(input: &Value) -> Given {
    let input: ResourceParts = read(input)?;
    let kinds = kinds(input.kinds.as_ref())?;
    let uri: ResourceUri = match input.sub_target {
        None => kinds.resource(&input.kind, input.id)?,
        Some(sub) => kinds.resource_at(&input.kind, input.id, &sub.key, &sub.value)?,
    };
    Ok(json!({ "uri": uri.as_str() }))
}

#[derive(Deserialize)]
struct Steps {
    steps: Vec<Step>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
enum Step {
    Kind(String),
    SubTarget { kind: String, key: String, value: Value },
    Legacy(String),
}

fn kinds_build(input: &Value) -> Given {
    let mut builder = ResourceKinds::builder();
    for step in read::<Steps>(input)?.steps {
        builder = match step {
            Step::Kind(kind) => builder.kind(&kind),
            Step::SubTarget { kind, key, value } => builder.sub_target(&kind, &key, value_type(&value)?),
            Step::Legacy(scheme) => builder.legacy(&scheme),
        };
    }
    let kinds = builder.build().map_err(|error| Answer::error(error.code()))?;
    let names: Vec<&str> = kinds.kinds().map(|(kind, _)| kind).collect();
    Ok(json!({ "kinds": names }))
}

pub(super) fn reserved(names: Option<Vec<String>>) -> Reserved {
    names.map_or_else(Reserved::default, Reserved::new)
}

/// Where a finding stands, in bytes and UTF-16 units.
pub(super) fn spans(map: &mut Map<String, Value>, found: &Found<'_>, utf16: &Utf16Spans<'_>) {
    let (bytes, units) = (found.span(), utf16.utf16(found.span()));
    map.insert("bytes".to_owned(), json!([bytes.start, bytes.end]));
    map.insert("utf16".to_owned(), json!([units.start, units.end]));
}

#[derive(Deserialize)]
struct Text {
    text: String,
    reserved: Option<Vec<String>>,
}

fn token_scan(input: &Value) -> Given {
    let input: Text = read(input)?;
    let options = ScanOptions::new().reserved(reserved(input.reserved));
    let utf16 = Utf16Spans::new(&input.text);
    let mut tokens = Vec::new();
    for found in scan_with(&input.text, &options) {
        if let Item::Token(token) = found.item() {
            let mut map = Map::new();
            put(&mut map, "name", Some(token.name()));
            put(&mut map, "id", Some(token.id()));
            spans(&mut map, &found, &utf16);
            tokens.push(Value::Object(map));
        }
    }
    Ok(json!({ "tokens": tokens }))
}

#[derive(Deserialize)]
struct TokenParts {
    name: String,
    id: String,
}

fn token_format(input: &Value) -> Given {
    let input: TokenParts = read(input)?;
    Ok(json!({ "token": MentionToken::new(input.name, input.id)?.to_string() }))
}

fn token_parse(input: &Value) -> Given {
    let token = MentionToken::parse(&read::<Text>(input)?.text)?;
    Ok(json!({ "name": token.name(), "id": token.id(), "uri": token.to_uri().as_str() }))
}

fn token_from_uri(input: &Value) -> Given {
    let uri = MentionUri::parse(&read::<Uri>(input)?.uri)?;
    Ok(json!({ "token": MentionToken::try_from(&uri)?.to_string() }))
}
