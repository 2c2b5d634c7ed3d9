//! `mention search`, `mention get` and `mention resolve`.

use cli_spec::{BuildError, Command, ErrorEnvelope, OutputMode, Workspace};
use mention_contract::search::{self, Plan, State};
use mention_contract::{Caller as _, Item, Registered, View};
use mention_uri::{MentionToken, MentionUri, TokenError, UriError};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::host::{Clock, Host, Workbench};
use crate::resolve::{Resolved, resolve};

#[derive(Debug, Deserialize, JsonSchema)]
struct Search {
    /// What to look for; recent items when it is empty.
    #[serde(default)]
    query: String,
    /// Search only this provider.
    #[schemars(extend("x-hint" = "`mention search` without it searches all providers."))]
    provider: Option<String>,
    /// Most rows of one provider.
    #[schemars(range(min = 1, max = 50))]
    limit: Option<u8>,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Get {
    /// A mention: `@commit(id="…")` or `mention://commit/…`.
    #[schemars(extend("x-hint" = "Use `mention search --json` to discover ids."))]
    mention: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Resolve {
    /// A message with mentions in it.
    #[schemars(extend("x-hint" = "Pass a message such as 'see @commit(id=\"a1b2c3d\")'."))]
    text: String,
}

/// What a search found, and how each provider did.
struct Found {
    rows: Vec<(String, Item)>,
    providers: Vec<(String, State, bool)>,
}

pub(super) fn commands(host: &Host) -> Result<[Command; 3], BuildError> {
    let (for_search, for_get, for_resolve) = (host.clone(), host.clone(), host.clone());
    Ok([
        Command::list::<Search, Found>("desk.mention.search", "mention search")
            .summary("Find what can be mentioned, best first")
            .workspace(Workspace::Optional)
            .positionals(["query"])
            .table(["provider", "hint", "label", "id"].map(|key| (key, column(key))), |found| {
                let cells = |(provider, item): &(String, Item)| {
                    [provider.clone(), item.hint.clone().unwrap_or_default(), item.label.clone(), item.id.clone()]
                };
                found.rows.iter().map(cells).collect()
            })
            .summary_json(|found| {
                let items = found.rows.iter().map(|(provider, item)| {
                    let mut value = json!(item);
                    if let Some(object) = value.as_object_mut() {
                        object.insert("provider".to_owned(), json!(provider));
                    }
                    value
                });
                let providers = found
                    .providers
                    .iter()
                    .map(|(name, state, more)| json!({ "name": name, "state": state_word(state), "hasMore": more }));
                json!({ "items": items.collect::<Vec<_>>(), "providers": providers.collect::<Vec<_>>() })
            })
            .handler(move |input, context| {
                let host = for_search.clone();
                async move { find(input, &*host.workbench(&context)?).await }
            })
            .build()?,
        Command::get::<Get, View>("desk.mention.get", "mention get")
            .summary("Show what a mention points at")
            .workspace(Workspace::Optional)
            .positionals(["mention"])
            .detail_json(|view| json!(view))
            .handler(move |input: Get, context| {
                let host = for_get.clone();
                async move { get(&input.mention, &*host.workbench(&context)?).await }
            })
            .build()?,
        Command::get::<Resolve, Resolved>("desk.mention.resolve", "mention resolve")
            .summary("Resolve the mentions of a message into what an agent reads")
            .positionals(["text"])
            .workspace(Workspace::Required)
            .default_mode(OutputMode::Plain)
            .plain(Resolved::to_text)
            .detail_json(Resolved::to_json)
            .handler(move |input: Resolve, context| {
                let host = for_resolve.clone();
                async move {
                    let workbench = host.workbench(&context)?;
                    let workspace = context.workspace_id().unwrap_or_default();
                    Ok::<_, ErrorEnvelope>(resolve(&workbench, workspace, &input.text).await)
                }
            })
            .build()?,
    ])
}

fn column(key: &str) -> &'static str {
    match key {
        "provider" => "PROVIDER",
        "hint" => "HANDLE",
        "label" => "LABEL",
        _ => "ID",
    }
}

fn state_word(state: &State) -> Value {
    match state {
        State::Loading => json!("loading"),
        State::Ready => json!("ready"),
        State::Failed(message) => json!({ "failed": message }),
        State::TimedOut => json!("timed_out"),
        _ => json!("unknown"),
    }
}

async fn find(input: Search, workbench: &Workbench) -> Result<Found, ErrorEnvelope> {
    let registry = &workbench.registry;
    let plans = match &input.provider {
        Some(name) if !registry.contains(name) => return Err(unknown_provider(name, workbench)),
        Some(name) => vec![Plan::scoped(name, &input.query, registry)],
        None if input.query.trim().is_empty() => {
            registry.iter().map(|provider| Plan::scoped(provider.name(), "", registry)).collect()
        }
        None => vec![Plan::global(&input.query, registry)],
    };
    let mut found = Found { rows: Vec::new(), providers: Vec::new() };
    let limit = input.limit.map_or(usize::MAX, usize::from);
    for plan in plans {
        let menu = search::run(&plan, workbench.providers.as_ref(), &Clock).await;
        for group in menu.groups() {
            let rows = group.rows().iter().take(limit);
            found.rows.extend(rows.map(|item| (group.provider().to_owned(), item.clone())));
            let more = group.has_more() || group.rows().len() > limit;
            found.providers.push((group.provider().to_owned(), group.state().clone(), more));
        }
    }
    Ok(found)
}

async fn get(written: &str, workbench: &Workbench) -> Result<View, ErrorEnvelope> {
    let uri = read(written)?;
    let Some(provider) = workbench.registry.provider(uri.provider()) else {
        return Err(unknown_provider(uri.provider(), workbench));
    };
    let answer = workbench
        .providers
        .call(provider.get_function(), json!({ "id": uri.entity() }))
        .await
        .map_err(|error| ErrorEnvelope::new(error.code(), error.to_string()))?;
    let view: Option<View> =
        serde_json::from_value(answer).map_err(|error| ErrorEnvelope::new("invalid_answer", error.to_string()))?;
    let view = view.ok_or_else(|| {
        ErrorEnvelope::new("mention_not_found", format!("no {} {:?}", uri.provider(), uri.entity()))
            .with_hint("Use `mention search` to find it.")
    })?;
    view.usable().map_err(|breach| ErrorEnvelope::new(breach.code(), breach.to_string()))
}

/// A mention in either spelling.
fn read(written: &str) -> Result<MentionUri, ErrorEnvelope> {
    let written = written.trim();
    if written.starts_with('@') {
        return MentionToken::parse(written)
            .map(MentionUri::from)
            .map_err(|error: TokenError| invalid(error.code(), &error));
    }
    MentionUri::parse(written).map_err(|error: UriError| invalid(error.code(), &error))
}

fn invalid(code: &str, error: &dyn std::fmt::Display) -> ErrorEnvelope {
    ErrorEnvelope::new(code, format!("the mention is not valid: {error}")).usage()
}

fn unknown_provider(name: &str, workbench: &Workbench) -> ErrorEnvelope {
    let known: Vec<&str> = workbench.registry.iter().map(Registered::name).collect();
    ErrorEnvelope::new("unknown_provider", format!("no provider {name:?}; there are {}", known.join(", "))).usage()
}
