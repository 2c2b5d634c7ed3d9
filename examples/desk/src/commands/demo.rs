//! `demo`.

use std::path::PathBuf;

use cli_spec::{BuildError, Command, IntoEnvelope, OutputMode, Workspace};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::demo::{Demo, demo};

#[derive(Debug, Deserialize, JsonSchema)]
struct Input {
    /// A folder in the repository.
    #[serde(default = "here")]
    path: String,
}

fn here() -> String {
    ".".to_owned()
}

pub(super) fn command() -> Result<Command, BuildError> {
    Command::action::<Input, Demo>("desk.demo", "demo")
        .summary("Show the whole path on a repository: message, providers, files, what the agent reads")
        .description("Works on a temporary database; nothing is kept.")
        .workspace(Workspace::Optional)
        .host_only()
        .default_mode(OutputMode::Plain)
        .plain(Demo::to_text)
        .summary_json(Demo::to_json)
        .handler(|input: Input, _| async move {
            demo(&PathBuf::from(input.path)).await.map_err(IntoEnvelope::into_envelope)
        })
        .build()
}
