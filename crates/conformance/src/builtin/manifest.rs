//! App manifests, scopes, and what an app is sent.

use cli_spec::app::{App, Invocation, Manifest, ScopeSet};
use cli_spec::{InvokeRequest, OutputMode};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Given, read, write};
use crate::answer::Answer;

pub(super) fn answer(op: &str, input: &Value) -> Option<Given> {
    Some(match op {
        "manifest.check" => check(input),
        "scope.resolve" => scopes(input),
        "app.invoke" => invoke(input),
        _ => return None,
    })
}

#[derive(Deserialize)]
struct Check {
    manifest: Option<Value>,
    text: Option<String>,
    bytes: Option<Vec<u8>>,
}

pub(super) fn manifest(bytes: &[u8]) -> Result<Manifest, Answer> {
    Manifest::parse(bytes).map_err(|error| {
        let problems: Vec<Value> =
            error.all().iter().map(|problem| json!({ "code": problem.code(), "pointer": problem.pointer() })).collect();
        Answer::error(error.code()).with("pointer", error.pointer()).with("problems", problems)
    })
}

fn check(input: &Value) -> Given {
    let input: Check = read(input)?;
    let bytes = match (input.manifest, input.text, input.bytes) {
        (Some(json), _, _) => json.to_string().into_bytes(),
        (None, Some(text), _) => text.into_bytes(),
        (None, None, bytes) => bytes.unwrap_or_default(),
    };
    let manifest = manifest(&bytes)?;
    let mut commands = Vec::new();
    for command in manifest.commands() {
        let (visibility, timeout) = (write(&command.visibility())?, command.handler().timeout_ms());
        commands.push(json!({ "path": command.path(), "visibility": visibility, "timeoutMs": timeout }));
    }
    Ok(json!({ "scope": manifest.scope(), "commands": commands }))
}

#[derive(Deserialize)]
struct Scopes {
    apps: Vec<Claim>,
    reserved: Option<Vec<String>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Claim {
    app_id: String,
    scope: String,
}

fn scopes(input: &Value) -> Given {
    let input: Scopes = read(input)?;
    let mut scopes = input.reserved.map_or_else(ScopeSet::default, ScopeSet::new);
    for claim in input.apps {
        scopes.insert(claim.app_id, claim.scope);
    }
    let mut states = Map::new();
    for (app, state) in scopes.states() {
        let issues: Vec<&str> = state.issues.iter().map(|issue| issue.code.as_str()).collect();
        let word = write(&state.status)?;
        let state = json!({ "status": word, "scope": state.scope, "active": state.active, "issues": issues });
        states.insert(app.to_owned(), state);
    }
    Ok(json!({ "states": states }))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Invoke {
    manifest: Value,
    app_id: String,
    path: Vec<String>,
    workspace_id: String,
    input: Map<String, Value>,
    output_mode: Option<OutputMode>,
}

fn invoke(input: &Value) -> Given {
    let input: Invoke = read(input)?;
    let manifest = manifest(input.manifest.to_string().as_bytes())?;
    let app = App::new(input.app_id, manifest).map_err(|error| Answer::error(error.code()))?;
    let command = app.manifest().command(&input.path);
    let command = command.ok_or_else(|| Answer::Broken("the manifest has no such path".to_owned()))?;
    let mut request = InvokeRequest::new(app.command_id(command));
    request.input = input.input;
    request.output_mode = input.output_mode;
    let (invocation, warnings) =
        Invocation::new(&app, command, &request, input.workspace_id).map_err(|error| Answer::error(error.code()))?;
    let warnings: Vec<&str> = warnings.iter().map(|warning| warning.code.as_str()).collect();
    Ok(json!({ "invocation": write(&invocation)?, "warnings": warnings }))
}
