//! The compliance kit: what a registry of a host must keep to, beyond what a single declaration is checked for.
//!
//! ```
//! # use cli_spec::{Registry, check};
//! # let registry = Registry::builder("desk").build().unwrap();
//! let report = check::registry(&registry);
//! assert!(report.is_clean(), "{report}");
//! ```
//!
//! App commands are not judged. What a summary holds can only be seen on a result, so the kit looks at the sample that a command
//! declares ([`CommandBuilder::sample`](crate::CommandBuilder::sample)) and lists the commands without one; [`summary`] is the
//! same check for results of the host's own tests.

use std::{collections::BTreeSet, fmt};

use serde_json::Value;

use crate::{
    Command, Kind, OutputMode, Registry, View,
    command::BuildProblem,
    schema::{InputSchema, PropertyType},
    text::{is_kebab, one_line, quoted},
};

/// Names of fields that audits and screens need and a summary does not: compared without regard to case, `-` and `_`, at the end
/// of a key, so that `creatorAvatarUrl` and `owner_avatar_url` are both found.
pub const UNWANTED_ENDINGS: [&str; 6] =
    ["avatarurl", "avatar", "creatordisplayname", "creatoruserid", "creatorid", "creator"];

/// Names of large fields that a summary does not repeat: compared without regard to case, `-` and `_`, as a whole.
pub const UNWANTED_NAMES: [&str; 4] = ["content", "runtimecontext", "contextrefs", "messages"];

/// How deep the kit looks into a summary.
const DEPTH: usize = 16;

/// One thing that the kit found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    command_id: String,
    code: &'static str,
    message: String,
}

impl Finding {
    /// The id of the command.
    pub fn command_id(&self) -> &str {
        &self.command_id
    }

    /// The stable code: `duplicate_command_id`, `duplicate_command_path`, `invalid_path_segment`, `invalid_input_name`,
    /// `hint_missing`, `default_mode_unformatted`, `json_view_missing`, `schema_differs` or `summary_field`.
    pub fn code(&self) -> &'static str {
        self.code
    }

    /// One line about it.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "command {}: {}", quoted(&self.command_id), self.message)
    }
}

/// What the kit found in a registry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    findings: Vec<Finding>,
    unsampled: Vec<String>,
}

impl Report {
    /// Everything that is against the rules, in the order of the commands.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// The ids of the commands whose summary could not be looked at, for want of a sample.
    pub fn unsampled(&self) -> &[String] {
        &self.unsampled
    }

    /// Whether nothing is against the rules.
    pub fn is_clean(&self) -> bool {
        self.findings.is_empty()
    }

    fn add(&mut self, command: &Command, code: &'static str, message: impl Into<String>) {
        self.findings.push(Finding { command_id: command.id().to_owned(), code, message: message.into() });
    }
}

impl fmt::Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.findings.iter().try_for_each(|finding| writeln!(formatter, "{finding}"))
    }
}

/// Checks the builtin commands of a registry: ids and paths unique, names kebab-case, hints on required inputs that another
/// command can list, a formatter for the default mode, the JSON view of the kind or a reason for raw JSON, the schema equal to
/// what the input type generates, and samples whose summary has no audit or bulk fields.
pub fn registry(registry: &Registry) -> Report {
    commands(registry.commands())
}

/// Checks commands that are not in a registry yet; see [`registry`].
pub fn commands(commands: &[Command]) -> Report {
    let mut report = Report::default();
    let mut ids = BTreeSet::new();
    let mut paths = BTreeSet::new();
    let listed: BTreeSet<&str> = commands
        .iter()
        .filter(|command| command.kind() == Some(Kind::List))
        .flat_map(Command::path)
        .flat_map(|segment| segment.split('-'))
        .collect();
    for command in commands {
        // Ids and paths are shared by all commands, apps included.
        if !ids.insert(command.id()) {
            report.add(command, "duplicate_command_id", "the id is declared twice");
        }
        if !paths.insert(command.path()) {
            report.add(
                command,
                "duplicate_command_path",
                format!("path {} is declared twice", quoted(&command.name())),
            );
        }
        if command.capability().is_app() {
            continue;
        }
        names(command, &mut report);
        hints(command, &listed, &mut report);
        output(command, &mut report);
        if let Some(generated) = command.inner.regenerate.map(|regenerate| regenerate()) {
            let same = generated.as_ref().is_ok_and(|generated| {
                generated == command.schema() && command.capability().input_schema == generated.advertised()
            });
            if !same {
                report.add(command, "schema_differs", "the schema is not the one that the input type generates");
            }
        }
    }
    report
}

fn names(command: &Command, report: &mut Report) {
    for segment in command.path().iter().filter(|segment| !is_kebab(segment)) {
        report.add(command, "invalid_path_segment", format!("path segment {} is not kebab-case", quoted(segment)));
    }
    for property in command.schema().properties().iter().filter(|property| !is_kebab(property.name())) {
        let message = format!("input {} is not kebab-case", quoted(property.name()));
        report.add(command, "invalid_input_name", message);
    }
}

/// A required input is discoverable when it is an id of something that a list command lists.
fn hints(command: &Command, listed: &BTreeSet<&str>, report: &mut Report) {
    let schema: &InputSchema = command.schema();
    let required = schema.properties().iter().filter(|property| schema.is_required(property.name()));
    for property in required.filter(|property| property.kind() == PropertyType::String && property.hint().is_none()) {
        let thing = match property.name().strip_suffix("-id") {
            Some(thing) => thing.rsplit('-').next().unwrap_or(thing),
            // A plain `id` is of what the command's own group lists.
            None if property.name() == "id" => command.path().first().map_or("", String::as_str),
            None => continue,
        };
        if listed.contains(thing) || listed.contains(format!("{thing}s").as_str()) {
            let message = format!("required input {} can be discovered and has no hint", quoted(property.name()));
            report.add(command, "hint_missing", message);
        }
    }
}

fn output(command: &Command, report: &mut Report) {
    let default = command.capability().output.default_mode;
    if !command.modes().contains(&default) {
        let problem = BuildProblem::DefaultModeUnformatted { mode: default };
        report.add(command, problem.code(), problem.to_string());
    }
    let json = command.modes().contains(&OutputMode::Json);
    let reasoned = command.raw_json_reason().is_none_or(|reason| !reason.trim().is_empty());
    if !json || !reasoned {
        report.add(command, "json_view_missing", "there is neither a JSON view nor a reason for raw JSON");
    }
    let summarizes = command.kind().is_some_and(|kind| kind.default_view() == View::Summary);
    if !summarizes || command.raw_json_reason().is_some() {
        return;
    }
    match command.sample_json() {
        None => report.unsampled.push(command.id().to_owned()),
        Some(sample) => {
            for pointer in summary(&sample) {
                let message = format!("the summary has the field {}", quoted(&pointer));
                report.add(command, "summary_field", message);
            }
        }
    }
}

/// The fields of a summary that belong to audits, screens or detail views, as JSON pointers.
pub fn summary(value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    look(value, &mut String::new(), 0, &mut found);
    found
}

fn look(value: &Value, pointer: &mut String, depth: usize, found: &mut Vec<String>) {
    if depth > DEPTH {
        return;
    }
    let start = pointer.len();
    let mut enter = |step: &str, value: &Value, found: &mut Vec<String>, unwanted: bool| {
        pointer.push('/');
        pointer.push_str(step);
        if unwanted {
            found.push(one_line(pointer));
        }
        look(value, pointer, depth + 1, found);
        pointer.truncate(start);
    };
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                enter(&name.replace('~', "~0").replace('/', "~1"), value, found, is_unwanted(name));
            }
        }
        Value::Array(items) => {
            for (position, value) in items.iter().enumerate() {
                enter(&position.to_string(), value, found, false);
            }
        }
        _ => {}
    }
}

fn is_unwanted(name: &str) -> bool {
    let plain: String = name.chars().filter(|c| !matches!(c, '-' | '_')).flat_map(char::to_lowercase).collect();
    UNWANTED_NAMES.contains(&plain.as_str()) || UNWANTED_ENDINGS.iter().any(|ending| plain.ends_with(ending))
}
