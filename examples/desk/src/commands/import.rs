//! `import git` and `import issues`.

use std::path::Path;

use cli_spec::{BuildError, Command, IntoEnvelope, OutputMode, Workspace};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::host::Host;
use crate::import::{Imported, Progress, import_git, import_issues};

#[derive(Debug, Deserialize, JsonSchema)]
struct Git {
    /// A folder in the repository.
    #[schemars(extend("x-hint" = "Name a folder that is in a Git repository, such as `.`."))]
    path: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Issues {
    /// The JSON file.
    #[schemars(extend(
        "x-hint" = "Write one with: gh issue list --json number,title,body,state,labels,assignees,updatedAt,url > issues.json"
    ))]
    file: String,
}

pub(super) fn commands(host: &Host) -> Result<[Command; 2], BuildError> {
    let (for_git, for_issues) = (host.clone(), host.clone());
    Ok([
        Command::action::<Git, Imported>("desk.import.git", "import git")
            .summary("Import a Git repository: commits and tracked files")
            .workspace(Workspace::Optional)
            .description(
                "Importing again updates. What has gone is no longer found, but a mention of it still resolves.",
            )
            .positionals(["path"])
            .host_only()
            .default_mode(OutputMode::Plain)
            .plain(text)
            .summary_json(|imported| json!(imported))
            .handler(move |input: Git, context| {
                let host = for_git.clone();
                async move {
                    let workbench = host.workbench(&context)?;
                    let progress = Progress::on_terminal();
                    import_git(&workbench.store, Path::new(&input.path), &progress).map_err(IntoEnvelope::into_envelope)
                }
            })
            .build()?,
        Command::action::<Issues, Imported>("desk.import.issues", "import issues")
            .summary("Import GitHub issues from a JSON file")
            .workspace(Workspace::Optional)
            .description("A broken file changes nothing; the error names line and column.")
            .positionals(["file"])
            .host_only()
            .default_mode(OutputMode::Plain)
            .plain(text)
            .summary_json(|imported| json!(imported))
            .handler(move |input: Issues, context| {
                let host = for_issues.clone();
                async move {
                    let workbench = host.workbench(&context)?;
                    let progress = Progress::on_terminal();
                    import_issues(&workbench.store, Path::new(&input.file), &progress)
                        .map_err(IntoEnvelope::into_envelope)
                }
            })
            .build()?,
    ])
}

fn text(imported: &Imported) -> String {
    let Imported { name, location, items, files, gone } = imported;
    format!("{name}: {items} items and {files} files from {location}, {gone} gone since the last import\n")
}
