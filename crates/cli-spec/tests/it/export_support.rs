//! Commands of every kind for the export tests.

use cli_spec::app::App;
use cli_spec::{Command, InvokeRequest, NoInput, Visibility, Workspace};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::app_manifest::{MINIMAL, RECIPES};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Priority {
    High,
    Medium,
    Low,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[allow(dead_code, reason = "only its schema matters here")]
pub(crate) struct IssueList {
    /// Topic id.
    #[schemars(extend("x-hint" = "Use `issue topic list --json` to discover topics."))]
    pub(crate) topic_id: String,
    #[schemars(range(min = 1, max = 100))]
    pub(crate) page_size: Option<u32>,
    /// How urgent.
    pub(crate) priority: Option<Priority>,
    #[serde(default)]
    pub(crate) label: Vec<String>,
    pub(crate) dry_run: Option<bool>,
    pub(crate) ratio: Option<f64>,
    #[serde(default = "twenty")]
    pub(crate) limit: u64,
    #[schemars(extend("x-hidden" = true))]
    pub(crate) secret: Option<String>,
}

fn twenty() -> u64 {
    20
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[allow(dead_code, reason = "only its schema matters here")]
pub(crate) struct Open {
    /// What to open.
    pub(crate) path: String,
    #[serde(default)]
    pub(crate) more: Vec<String>,
    pub(crate) new_window: Option<bool>,
    pub(crate) line: Option<i64>,
}

type Failure = cli_spec::ErrorEnvelope;

pub(crate) fn commands() -> Vec<Command> {
    let view = |value: &Value| value.clone();
    let action = |id: &str, path: &str| {
        Command::action::<NoInput, Value>(id, path)
            .summary("Do something")
            .workspace(Workspace::Optional)
            .summary_json(move |value| view(value))
            .handler(|_, _| async { Ok::<_, Failure>(json!({})) })
    };
    vec![
        Command::list::<IssueList, Value>("tutti.issue.list", "issue list")
            .summary("List issues")
            .description("Lists issues of a topic, <b>newest</b> first.")
            .workspace(Workspace::Required)
            .table(["id", "title"].map(|key| (key, key.to_uppercase())), |_| Vec::<[Value; 2]>::new())
            .summary_json(view)
            .handler(|_, _| async { Ok::<_, Failure>(json!([])) })
            .build()
            .unwrap(),
        Command::get::<NoInput, Value>("tutti.issue.get", "issue get")
            .summary("Get an issue")
            .workspace(Workspace::Required)
            .detail_json(view)
            .handler(|_, _| async { Ok::<_, Failure>(json!({})) })
            .build()
            .unwrap(),
        Command::action::<Open, Value>("tutti.open", "open")
            .summary("Open files")
            .workspace(Workspace::Optional)
            .positionals(["path", "more"])
            .summary_json(view)
            .handler(|_, _| async { Ok::<_, Failure>(json!({})) })
            .build()
            .unwrap(),
        action("tutti.issue", "issue").build().unwrap(),
        action("tutti.serve", "serve").host_only().build().unwrap(),
        action("tutti.sync", "sync").visibility(Visibility::Integration).build().unwrap(),
        action("tutti.old", "old").deprecated("open", "renamed").build().unwrap(),
        action("tutti.off", "off").available(|| false).build().unwrap(),
    ]
}

/// The commands of two apps, the second with an integration command only.
pub(crate) fn app_commands() -> Vec<Command> {
    let apps = [("app-1", RECIPES), ("app-2", MINIMAL)].map(|(id, text)| App::new(id, text.parse().unwrap()).unwrap());
    let command = |capability| {
        Command::app(capability, |_: InvokeRequest| async { Err::<cli_spec::CommandOutput, _>(Failure::new("x", "x")) })
            .unwrap()
    };
    apps.iter().flat_map(App::capabilities).map(command).collect()
}
