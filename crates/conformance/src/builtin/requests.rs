//! Capability policy and idempotent requests.

use cli_spec::idempotency::{Admission, Claim, Digest, Identity, MemoryLedger, admit, recover};
use cli_spec::policy::{Allowlist, Catalogue, Tool};
use futures_util::FutureExt as _;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Given, read};
use crate::answer::Answer;

pub(super) fn answer(op: &str, input: &Value) -> Option<Given> {
    Some(match op {
        "policy.admit" => policy_admit(input),
        "policy.list" => policy_list(input),
        "request.admit" => request_admit(input),
        _ => return None,
    })
}

#[derive(Deserialize)]
struct OfPolicy {
    policy: Policy,
    catalogue: Listing,
    #[serde(default)]
    tool: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Policy {
    schema_versions: Vec<String>,
    capability_versions: Vec<String>,
    allow: Vec<String>,
    deny: Vec<String>,
}

#[derive(Deserialize)]
struct Listing {
    schema_version: Option<String>,
    capability_version: Option<String>,
    tools: Vec<Map<String, Value>>,
}

impl OfPolicy {
    fn allowlist(&self) -> Allowlist {
        let mut policy = Allowlist::new();
        for version in &self.policy.schema_versions {
            policy = policy.schema_version(version);
        }
        for version in &self.policy.capability_versions {
            policy = policy.capability_version(version);
        }
        for capability in &self.policy.allow {
            policy = policy.allow(capability);
        }
        for capability in &self.policy.deny {
            policy = policy.deny(capability);
        }
        policy
    }

    fn catalogue(&self) -> Catalogue {
        let Listing { schema_version, capability_version, tools } = &self.catalogue;
        Catalogue::new(schema_version.as_deref(), capability_version.as_deref(), tools.iter().cloned().map(Tool::new))
    }
}

fn policy_admit(input: &Value) -> Given {
    let input: OfPolicy = read(input)?;
    let catalogue = input.catalogue();
    input.allowlist().admit(&catalogue, &input.tool).map_err(|denial| Answer::error(denial.code()))?;
    Ok(json!({ "allowed": true }))
}

fn policy_list(input: &Value) -> Given {
    let input: OfPolicy = read(input)?;
    let catalogue = input.catalogue();
    let listed = input.allowlist().list(&catalogue).map_err(|denial| Answer::error(denial.code()))?;
    let listed: Vec<Value> = listed.iter().map(cli_spec::policy::Listed::to_value).collect();
    Ok(json!({ "tools": listed }))
}

#[derive(Deserialize)]
struct Script {
    steps: Vec<Step>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
enum Step {
    Admit {
        identity: Parts,
        payload: Value,
        actor: String,
    },
    Complete(Map<String, Value>),
    /// Always true.
    Release(#[expect(dead_code, reason = "the member has to have a value")] bool),
    Recover(Parts),
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Parts {
    workspace: String,
    session: String,
    kind: String,
    scope: String,
    request_id: String,
}

impl Parts {
    fn identity(self) -> Result<Identity, Answer> {
        Identity::new(self.workspace, self.session, self.kind, self.scope, self.request_id)
            .map_err(|error| Answer::error(error.code()))
    }
}

/// The ledger in memory is ready at once.
fn now<T>(future: impl Future<Output = T>) -> Result<T, Answer> {
    future.now_or_never().ok_or_else(|| Answer::Broken("the ledger in memory had to be waited for".to_owned()))
}

fn request_admit(input: &Value) -> Given {
    let ledger = MemoryLedger::new();
    let mut claim: Option<Claim<'_, MemoryLedger>> = None;
    let mut outcomes = Vec::new();
    let no_claim = || Answer::Broken("no claim is held".to_owned());
    for step in read::<Script>(input)?.steps {
        let outcome = match step {
            Step::Admit { identity, payload, actor } => {
                let (identity, digest) = (identity.identity()?, Digest::canonical(&payload, &actor));
                let admission =
                    now(admit(&identity, &digest, &ledger))?.map_err(|error| Answer::error(error.code()))?;
                let code = admission.code();
                match admission {
                    Admission::Fresh(fresh) => {
                        claim = Some(fresh);
                        json!(code)
                    }
                    Admission::Replay(original) => json!({ "replay": original }),
                    _ => json!(code),
                }
            }
            Step::Complete(result) => {
                let done = now(claim.take().ok_or_else(no_claim)?.complete(result))?;
                done.map_err(|error| Answer::error(error.code()))?;
                json!("done")
            }
            Step::Release(_) => {
                let done = now(claim.take().ok_or_else(no_claim)?.release())?;
                done.map_err(|error| Answer::error(error.code()))?;
                json!("done")
            }
            Step::Recover(parts) => {
                let freed = now(recover(&parts.identity()?, &ledger))?.map_err(|error| Answer::error(error.code()))?;
                json!({ "recovered": freed })
            }
        };
        outcomes.push(outcome);
    }
    Ok(json!({ "outcomes": outcomes }))
}
