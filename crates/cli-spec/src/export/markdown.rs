//! A reference page for people.

use std::fmt::Write as _;

use serde_json::Value;

use super::{Entry, ordinary};
use crate::{
    schema::{Property, PropertyType},
    text::is_hidden,
};

/// The reference page of these commands as Markdown, in order: a section for each with how it is called, its
/// inputs and what it answers. `program` is the word that calls it.
///
/// The text of an app is written by strangers: it stays text, whatever Markdown or HTML it holds.
///
/// ```
/// use cli_spec::{Capability, OutputMode, OutputSpec, export::markdown};
///
/// let output = OutputSpec { default_mode: OutputMode::Json, json: true, table: None };
/// let list = Capability::new("tutti.issue.list", ["issue", "list"], "List issues", output);
/// assert_eq!(
///     markdown::page("tutti", [&list]),
///     "## issue list\n\nList issues\n\n```text\ntutti issue list\n```\n\nAnswers: `json` (default).\n"
/// );
/// ```
pub fn page(program: &str, entries: impl IntoIterator<Item = impl Into<Entry>>) -> String {
    let mut page = String::new();
    for entry in ordinary(entries) {
        if !page.is_empty() {
            page.push('\n');
        }
        // Writing to a string does not fail.
        let _ = section(&mut page, program, &entry);
    }
    page
}

fn section(page: &mut String, program: &str, entry: &Entry) -> std::fmt::Result {
    let capability = &entry.capability;
    let name = capability.path.join(" ");
    // A builtin's text is Markdown of the host's own author; an app's is a stranger's.
    let trusted = !capability.is_app();
    let prose = |text: &str| if trusted { own(text) } else { strange(text) };
    writeln!(page, "## {}\n\n{}", strange(&name), prose(&capability.summary))?;
    if let Some(description) = &capability.description {
        writeln!(page, "\n{}", prose(description))?;
    }
    let listed: Vec<&Property> = capability.input_schema.properties().iter().collect();
    write!(page, "\n```text\n{} {}", fenced(program), fenced(&name))?;
    for property in listed.iter().filter(|property| capability.input_schema.is_required(property.name())) {
        write!(page, " --{} <{}>", fenced(property.name()), property.kind().as_str())?;
    }
    if listed.iter().any(|property| !capability.input_schema.is_required(property.name())) {
        page.push_str(" [flags]");
    }
    page.push_str("\n```\n");
    if !listed.is_empty() {
        page.push_str("\n| Input | Type | Required | Default | Description |\n|---|---|---|---|---|\n");
        for property in listed {
            let required = capability.input_schema.is_required(property.name());
            let hint = entry.schema.property(property.name()).and_then(Property::hint);
            row(page, property, required, hint, trusted)?;
        }
    }
    page.push('\n');
    answers(page, entry)
}

fn row(page: &mut String, property: &Property, required: bool, hint: Option<&str>, trusted: bool) -> std::fmt::Result {
    let cell = |text: &str| if trusted { own(text).replace('|', "\\|") } else { strange(text) }.replace('\n', " ");
    let mut about: Vec<String> = property.description().map(cell).into_iter().collect();
    if !property.one_of().is_empty() {
        let values: Vec<String> = property.one_of().iter().map(value).collect();
        about.push(format!("One of {}.", values.join(", ")));
    }
    match (property.minimum(), property.maximum()) {
        (Some(minimum), Some(maximum)) => about.push(format!("{minimum} to {maximum}.")),
        (Some(minimum), None) => about.push(format!("At least {minimum}.")),
        (None, Some(maximum)) => about.push(format!("At most {maximum}.")),
        (None, None) => {}
    }
    if property.kind() == PropertyType::StringArray {
        about.push("May be repeated.".to_owned());
    }
    about.extend(hint.map(cell));
    let default = property.default().map(value).unwrap_or_default();
    let required = if required { "yes" } else { "no" };
    let kind = property.kind().as_str();
    writeln!(page, "| `--{}` | {kind} | {required} | {default} | {} |", code(property.name()), about.join(" "))
}

fn answers(page: &mut String, entry: &Entry) -> std::fmt::Result {
    let output = &entry.capability.output;
    let mut modes = vec![format!("`{}` (default)", output.default_mode)];
    let more = [(output.json, crate::OutputMode::Json), (output.table.is_some(), crate::OutputMode::Table)];
    let more = more.into_iter().filter(|(has, mode)| *has && *mode != output.default_mode);
    modes.extend(more.map(|(_, mode)| format!("`{mode}`")));
    write!(page, "Answers: {}.", modes.join(", "))?;
    if let Some(table) = &output.table {
        let columns: Vec<String> = table.columns.iter().map(|column| strange(&column.label)).collect();
        write!(page, " Columns: {}.", columns.join(", "))?;
    }
    if entry.capability.execution.is_some() {
        page.push_str(" May answer that it is pending and is to be asked again.");
    }
    page.push('\n');
    Ok(())
}

fn value(value: &Value) -> String {
    match value {
        Value::String(text) => strange(text),
        other => strange(&other.to_string()),
    }
}

/// The host's own Markdown: only what would be HTML is taken out of play.
fn own(text: &str) -> String {
    text.trim().replace('&', "&amp;").replace('<', "&lt;")
}

/// A stranger's text in one line, with everything that Markdown or HTML could read escaped.
fn strange(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.split_whitespace().collect::<Vec<_>>().join(" ").chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            hidden if is_hidden(hidden) => {
                let _ = write!(out, "\\\\u\\{{{:x}\\}}", u32::from(hidden));
            }
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '(' | ')' | '#' | '+' | '!' | '|' | '~' | ':' | '@' => {
                out.push('\\');
                out.push(character);
            }
            // A line may start a list.
            '-' | '=' if out.is_empty() => {
                out.push('\\');
                out.push(character);
            }
            // `1.` too, and `www.` is a link to some.
            '.' => out.push_str("\\."),
            other => out.push(other),
        }
    }
    out
}

/// Text within a fenced block: no line break, no hidden character, and no run of backticks.
fn fenced(text: &str) -> String {
    text.chars().filter(|character| !is_hidden(*character) && *character != '`').collect()
}

/// Text within a code span in a table.
fn code(text: &str) -> String {
    fenced(text).replace('|', "\\|")
}
