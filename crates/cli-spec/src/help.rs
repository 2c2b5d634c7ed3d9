//! Help text, from the declarations alone.

use serde_json::Value;
use unicode_width::UnicodeWidthStr;

use crate::{
    Command, Registry,
    schema::{InputSchema, Property, PropertyType},
    text::one_line,
};

impl Registry {
    /// The help of the program (no words), of a group, or of a command of any visibility; `None` when the words name neither.
    pub fn help<S: AsRef<str>>(&self, words: &[S]) -> Option<String> {
        let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
        if let Some(found) = self.find(&words).ok().filter(|found| found.consumed == words.len()) {
            return Some(self.command_help(found.command));
        }
        let listed: Vec<&Command> =
            self.listed_in_help().filter(|command| starts_with(command.path(), &words)).collect();
        if listed.is_empty() && !words.is_empty() {
            return None;
        }
        Some(self.group_help(&words, &listed))
    }

    fn group_help(&self, words: &[&str], commands: &[&Command]) -> String {
        let mut text = String::new();
        let mut name = self.program.clone();
        for word in words {
            name.push(' ');
            name.push_str(word);
        }
        if words.is_empty() && !self.summary.is_empty() {
            line(&mut text, &format!("{name}: {}", one_line(&self.summary)));
            text.push('\n');
        }
        line(&mut text, &format!("Usage: {name} <command> [--name value]..."));
        text.push_str("\nCommands:\n");
        let rows: Vec<(String, String)> =
            commands.iter().map(|command| (command.name(), one_line(command.summary()))).collect();
        columns(&mut text, &rows);
        self.common_flags(&mut text);
        line(&mut text, &format!("\n`{} <command> --help` tells about one command.", self.program));
        text
    }

    /// The help of one command.
    pub fn command_help(&self, command: &Command) -> String {
        let capability = command.capability();
        let schema = command.schema();
        let mut text = String::new();
        line(&mut text, &format!("{}: {}", command.name(), one_line(command.summary())));
        if let Some(description) = &capability.description {
            text.push('\n');
            description.lines().for_each(|part| line(&mut text, &one_line(part)));
        }
        if let Some(deprecated) = &capability.deprecated {
            let reason = one_line(&deprecated.reason);
            line(&mut text, &format!("\nDeprecated: {reason} Use `{}`.", one_line(&deprecated.replacement)));
        }
        line(&mut text, &format!("\nUsage: {} {}{}", self.program, command.name(), usage(command)));
        let rows: Vec<(String, String)> =
            schema.listed().map(|property| (flag(property), about(schema, property))).collect();
        if !rows.is_empty() {
            text.push_str("\nInputs:\n");
            columns(&mut text, &rows);
        }
        self.common_flags(&mut text);
        text
    }

    fn common_flags(&self, text: &mut String) {
        text.push_str("\nFlags of every command:\n");
        let mut rows: Vec<(String, String)> =
            self.globals.listed().map(|property| (flag(property), about(&self.globals, property))).collect();
        rows.push(("--json".to_owned(), "Answer in JSON, failures too.".to_owned()));
        rows.push(("--help".to_owned(), "Show this help.".to_owned()));
        columns(text, &rows);
    }
}

fn starts_with(path: &[String], words: &[&str]) -> bool {
    path.len() >= words.len() && path.iter().zip(words).all(|(segment, word)| segment == word)
}

fn line(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

/// Two columns, the second one aligned.
fn columns(text: &mut String, rows: &[(String, String)]) {
    let width = rows.iter().map(|(name, _)| name.width()).max().unwrap_or(0);
    for (name, about) in rows {
        let padding = " ".repeat(if about.is_empty() { 0 } else { width.saturating_sub(name.width()) + 2 });
        line(text, &format!("  {name}{padding}{about}"));
    }
}

/// What a value looks like.
fn value(property: &Property) -> String {
    if property.one_of().is_empty() {
        let kind = if property.kind() == PropertyType::StringArray { "string" } else { property.kind().as_str() };
        return format!("<{kind}>");
    }
    let values: Vec<String> = property.one_of().iter().map(shown).collect();
    format!("<{}>", values.join("|"))
}

fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), one_line)
}

fn flag(property: &Property) -> String {
    match property.kind() {
        PropertyType::Boolean => format!("--{}", property.name()),
        PropertyType::StringArray => format!("--{} {}...", property.name(), value(property)),
        _ => format!("--{} {}", property.name(), value(property)),
    }
}

fn usage(command: &Command) -> String {
    let schema = command.schema();
    let is_positional = |property: &&Property| command.positionals().iter().any(|name| name == property.name());
    let bracketed = |property: &Property, text: &str| {
        if schema.is_required(property.name()) { format!(" {text}") } else { format!(" [{text}]") }
    };
    let mut usage = String::new();
    for property in schema.listed().filter(|property| !is_positional(property)) {
        usage.push_str(&bracketed(property, &flag(property)));
    }
    for property in command.positionals().iter().filter_map(|name| schema.property(name)) {
        let dots = if property.kind() == PropertyType::StringArray { "..." } else { "" };
        usage.push_str(&bracketed(property, &format!("<{}>{dots}", property.name())));
    }
    usage
}

/// Description, whether it is required, bounds, default, hint.
fn about(schema: &InputSchema, property: &Property) -> String {
    let mut parts: Vec<String> = Vec::new();
    if let Some(description) = property.description().map(one_line).filter(|description| !description.is_empty()) {
        let stop = if description.ends_with(['.', '!', '?']) { "" } else { "." };
        parts.push(format!("{description}{stop}"));
    }
    if schema.is_required(property.name()) {
        parts.push("Required.".to_owned());
    }
    match (property.minimum(), property.maximum()) {
        (Some(minimum), Some(maximum)) => parts.push(format!("{minimum} to {maximum}.")),
        (Some(minimum), None) => parts.push(format!("At least {minimum}.")),
        (None, Some(maximum)) => parts.push(format!("At most {maximum}.")),
        (None, None) => {}
    }
    match property.default() {
        Some(Value::Array(items)) if items.is_empty() => {}
        Some(Value::Bool(false)) | None => {}
        Some(default) => parts.push(format!("Default: {}.", shown(default))),
    }
    if let Some(hint) = property.hint() {
        parts.push(one_line(hint));
    }
    parts.join(" ")
}
