//! The rules of a manifest. All of them are looked at, and what is found is sorted by its place.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{
    SCHEMA_VERSION,
    error::{ManifestError, Problem},
    json::{self, Document, Kind, Member, Node},
    manifest::{AppCommand, Documentation, Handler, Manifest, SchemaVersion},
    paths,
};
use crate::{
    Column, Execution, OutputMode, OutputSpec, TableSpec, Visibility,
    input::number::Exact,
    limits,
    schema::{self, InputSchema, Property, PropertyType},
    text::quoted,
};

/// The input name that belongs to the host for wait commands.
pub(crate) const TIMEOUT_INPUT: &str = "timeout-ms";

/// Judges a document that is JSON.
pub(crate) fn manifest(document: &Document) -> Result<Manifest, ManifestError> {
    let mut checker = Checker::default();
    for found in &document.duplicates {
        let message = format!("the key {} stands twice in its object", quoted(&found.key));
        checker.add(found.at, Problem::new("duplicate_key", found.pointer.clone(), message));
    }
    checker.omitted += document.omitted;
    let manifest = checker.manifest(&document.root);
    checker.found.sort_by_key(|(at, _)| *at);
    let problems = checker.found.into_iter().map(|(_, problem)| problem).collect();
    match (manifest, ManifestError::from_problems(problems, checker.omitted)) {
        (_, Some(error)) => Err(error),
        (Some(manifest), None) => Ok(manifest),
        // Not reached: whatever keeps a part from being read was reported.
        (None, None) => Err(ManifestError::from_fault(&json::Fault::Syntax {
            message: "the manifest could not be read".to_owned(),
            line: 1,
            column: 1,
        })),
    }
}

#[derive(Default)]
struct Checker {
    pointer: String,
    found: Vec<(usize, Problem)>,
    weight: usize,
    omitted: usize,
}

/// What is known of an output after reading it.
struct Output {
    spec: OutputSpec,
    /// The modes fit together, so that other rules may build on them.
    sound: bool,
}

impl Checker {
    fn add(&mut self, at: usize, problem: Problem) {
        if self.weight > super::PROBLEM_BYTES {
            self.omitted += 1;
        } else {
            self.weight += problem.weight();
            self.found.push((at, problem));
        }
    }

    fn report(&mut self, node: &Node, code: &'static str, message: impl Into<String>) {
        self.report_at(node.at, code, message);
    }

    fn report_at(&mut self, at: usize, code: &'static str, message: impl Into<String>) {
        self.add(at, Problem::new(code, self.pointer.clone(), message.into()));
    }

    fn inside<T>(&mut self, key: &str, f: impl FnOnce(&mut Self) -> T) -> T {
        let length = self.pointer.len();
        json::push_key(&mut self.pointer, key);
        let result = f(self);
        self.pointer.truncate(length);
        result
    }

    fn item<T>(&mut self, index: usize, f: impl FnOnce(&mut Self) -> T) -> T {
        let length = self.pointer.len();
        json::push_index(&mut self.pointer, index);
        let result = f(self);
        self.pointer.truncate(length);
        result
    }

    fn wrong_type(&mut self, node: &Node, expected: &str) {
        self.report(node, "wrong_type", format!("expected {expected}, found {}", node.type_name()));
    }

    fn object<'n>(&mut self, node: &'n Node) -> Option<&'n [Member]> {
        if let Kind::Object(members) = &node.kind {
            Some(members)
        } else {
            self.wrong_type(node, "an object");
            None
        }
    }

    fn array<'n>(&mut self, node: &'n Node) -> Option<&'n [Node]> {
        if let Kind::Array(items) = &node.kind {
            Some(items)
        } else {
            self.wrong_type(node, "an array");
            None
        }
    }

    fn text<'n>(&mut self, node: &'n Node) -> Option<&'n str> {
        if let Kind::String(text) = &node.kind {
            Some(text)
        } else {
            self.wrong_type(node, "a string");
            None
        }
    }

    fn flag(&mut self, node: &Node) -> Option<bool> {
        if let Kind::Bool(flag) = node.kind {
            Some(flag)
        } else {
            self.wrong_type(node, "a boolean");
            None
        }
    }

    /// Reads a member that must be there.
    fn required<'n, T>(
        &mut self,
        object: &Node,
        members: &'n [Member],
        key: &str,
        f: impl FnOnce(&mut Self, &'n Node) -> Option<T>,
    ) -> Option<T> {
        if let Some(member) = member(members, key) {
            self.inside(key, |checker| f(checker, &member.value))
        } else {
            self.report(object, "missing_member", format!("expected a member {key:?}, found none"));
            None
        }
    }

    /// Reads a member that may be absent.
    fn optional<'n, T>(
        &mut self,
        members: &'n [Member],
        key: &str,
        f: impl FnOnce(&mut Self, &'n Node) -> Option<T>,
    ) -> Option<T> {
        let member = member(members, key)?;
        self.inside(key, |checker| f(checker, &member.value))
    }

    /// Reads a word of a closed set.
    fn word<T: Copy>(&mut self, node: &Node, words: &[(&str, T)]) -> Option<T> {
        let text = self.text(node)?;
        let found = words.iter().find(|(word, _)| *word == text).map(|(_, value)| *value);
        if found.is_none() {
            let listed: Vec<_> = words.iter().map(|(word, _)| format!("{word:?}")).collect();
            self.report(node, "unknown_value", format!("expected {}, found {}", listed.join(" or "), quoted(text)));
        }
        found
    }

    fn speaking(&mut self, node: &Node) -> Option<String> {
        let text = self.text(node)?;
        if text.trim().is_empty() {
            self.report(node, "blank_text", "expected text, found none");
            None
        } else {
            Some(text.to_owned())
        }
    }

    fn any_text(&mut self, node: &Node) -> Option<String> {
        self.text(node).map(str::to_owned)
    }

    fn only(&mut self, members: &[Member], keys: &[&str]) {
        for member in members.iter().filter(|member| !keys.contains(&member.key.as_str())) {
            self.inside(&member.key, |checker| {
                let message = format!("expected no other keys than {}, found {}", keys.join(", "), quoted(&member.key));
                checker.report_at(member.at, "unknown_key", message);
            });
        }
    }

    fn manifest(&mut self, root: &Node) -> Option<Manifest> {
        let members = self.object(root)?;
        let version = self.required(root, members, "schemaVersion", |checker, node| {
            let found = checker.text(node)?;
            if found != SCHEMA_VERSION {
                let message = format!("expected {SCHEMA_VERSION:?}, found {}", quoted(found));
                checker.report(node, "unknown_schema_version", message);
            }
            Some(found == SCHEMA_VERSION)
        });
        if version == Some(false) {
            // Another version has other rules.
            return None;
        }
        let scope = self.required(root, members, "scope", |checker, node| {
            let text = checker.text(node)?;
            checker.segment(node, "invalid_scope", text)
        });
        let description = self.optional(members, "description", Self::any_text);
        let documentation = self.optional(members, "documentation", Self::documentation);
        let commands =
            self.required(root, members, "commands", |checker, node| checker.commands(node, scope.as_deref()));
        Some(Manifest { schema_version: SchemaVersion, scope: scope?, description, documentation, commands: commands? })
    }

    fn segment(&mut self, node: &Node, code: &'static str, text: &str) -> Option<String> {
        if paths::is_segment(text) {
            Some(text.to_owned())
        } else {
            let message = format!(
                "expected lower-case letters, digits and hyphens, with no hyphen at either end, found {}",
                quoted(text)
            );
            self.report(node, code, message);
            None
        }
    }

    fn documentation(&mut self, node: &Node) -> Option<Documentation> {
        let members = self.object(node)?;
        let file = self.required(node, members, "file", |checker, node| {
            let file = checker.text(node)?;
            match paths::documentation_fault(file) {
                None => Some(file.to_owned()),
                Some(fault) => {
                    checker.report(node, "invalid_documentation_file", format!("{fault}: {}", quoted(file)));
                    None
                }
            }
        })?;
        Some(Documentation { file })
    }

    fn commands(&mut self, node: &Node, scope: Option<&str>) -> Option<Vec<AppCommand>> {
        let items = self.array(node)?;
        if items.is_empty() {
            self.report(node, "no_commands", "expected at least one command, found none");
        }
        let mut seen = BTreeMap::new();
        let mut commands = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            self.item(index, |checker| {
                if let Some(command) = checker.command(item, index, scope, &mut seen) {
                    commands.push(command);
                }
            });
        }
        Some(commands)
    }

    fn command(
        &mut self,
        node: &Node,
        index: usize,
        scope: Option<&str>,
        seen: &mut BTreeMap<Vec<String>, usize>,
    ) -> Option<AppCommand> {
        let members = self.object(node)?;
        let path = self.required(node, members, "path", |checker, node| checker.path(node, index, scope, seen));
        let summary = self.required(node, members, "summary", Self::speaking);
        let description = self.optional(members, "description", Self::any_text);
        let visibility = self.optional(members, "visibility", |checker, node| {
            checker.word(node, &[("public", Visibility::Public), ("integration", Visibility::Integration)])
        });
        let output = self.required(node, members, "output", Self::output);
        let execution = self.optional(members, "execution", |checker, node| {
            let members = checker.object(node)?;
            checker
                .required(node, members, "mode", |checker, node| checker.word(node, &[("wait", Execution::wait())]))?;
            if let Some(output) = output.as_ref().filter(|output| output.sound) {
                if output.spec.default_mode != OutputMode::Json {
                    let message = "expected a wait command to have output.defaultMode \"json\" and output.json true";
                    checker.report(node, "wait_needs_json", message);
                }
            }
            Some(Execution::wait())
        });
        let wait = execution.is_some();
        let input_schema = match member(members, "inputSchema") {
            None => Some(InputSchema::empty()),
            Some(member) => self.inside("inputSchema", |checker| checker.input_schema(&member.value, wait)),
        };
        let handler = self.required(node, members, "handler", Self::handler);
        Some(AppCommand {
            path: path?,
            summary: summary?,
            description,
            visibility: visibility.unwrap_or_default(),
            execution,
            input_schema: input_schema?,
            output: output?.spec,
            handler: handler?,
        })
    }

    fn path(
        &mut self,
        node: &Node,
        index: usize,
        scope: Option<&str>,
        seen: &mut BTreeMap<Vec<String>, usize>,
    ) -> Option<Vec<String>> {
        let items = self.array(node)?;
        if items.is_empty() {
            self.report(node, "empty_path", "expected at least one segment, found none");
            return None;
        }
        let mut path = Vec::with_capacity(items.len());
        for (position, item) in items.iter().enumerate() {
            self.item(position, |checker| {
                let Some(text) = checker.text(item) else { return };
                if let Some(segment) = checker.segment(item, "invalid_path_segment", text) {
                    if position == 0 && scope == Some(segment.as_str()) {
                        let message = format!("expected the path without the scope {}", quoted(text));
                        checker.report(item, "path_repeats_scope", message);
                    }
                    path.push(segment);
                }
            });
        }
        if path.len() < items.len() {
            return None;
        }
        if let Some(first) = seen.get(&path) {
            let message = format!("the path {} is declared by /commands/{first} already", quoted(&path.join(" ")));
            self.report(node, "duplicate_path", message);
        } else {
            seen.insert(path.clone(), index);
        }
        Some(path)
    }

    fn input_schema(&mut self, node: &Node, wait: bool) -> Option<InputSchema> {
        let members = self.object(node)?;
        self.only(members, &["type", "properties", "required"]);
        self.required(node, members, "type", |checker, node| checker.word(node, &[("object", ())]));
        let mut declared = Vec::new();
        let properties = match member(members, "properties") {
            None => Some(Vec::new()),
            Some(member) => self.inside("properties", |checker| {
                let members = checker.object(&member.value)?;
                declared.extend(members.iter().map(|member| member.key.as_str()));
                checker.properties(members, wait)
            }),
        };
        declared.sort_unstable();
        let required = match member(members, "required") {
            None => Some(Vec::new()),
            Some(member) => self.inside("required", |checker| checker.required_names(&member.value, &declared)),
        };
        InputSchema::new(properties?, required?).ok()
    }

    fn properties(&mut self, members: &[Member], wait: bool) -> Option<Vec<Property>> {
        let mut properties = Vec::with_capacity(members.len());
        for member in members {
            self.inside(&member.key, |checker| {
                if !paths::is_segment(&member.key) {
                    let message = format!(
                        "expected a name of lower-case letters, digits and hyphens, found {}",
                        quoted(&member.key)
                    );
                    checker.report_at(member.at, "invalid_input_name", message);
                } else if wait && member.key == TIMEOUT_INPUT {
                    let message = format!("the input {TIMEOUT_INPUT:?} of a wait command belongs to the host");
                    checker.report_at(member.at, "reserved_input_name", message);
                }
                properties.extend(checker.property(&member.key, &member.value));
            });
        }
        (properties.len() == members.len()).then_some(properties)
    }

    fn property(&mut self, name: &str, node: &Node) -> Option<Property> {
        let members = self.object(node)?;
        self.only(members, &["type", "description", "enum", "default", "items"]);
        let kind = self.required(node, members, "type", |checker, node| {
            checker.word(
                node,
                &[
                    ("string", PropertyType::String),
                    ("boolean", PropertyType::Boolean),
                    ("integer", PropertyType::Integer),
                    ("array", PropertyType::StringArray),
                ],
            )
        });
        let description = self.optional(members, "description", Self::any_text);
        if kind == Some(PropertyType::StringArray) {
            self.required(node, members, "items", |checker, node| {
                let members = checker.object(node)?;
                checker.only(members, &["type"]);
                checker.required(node, members, "type", |checker, node| checker.word(node, &[("string", ())]))
            });
        } else if let (Some(kind), Some(items)) = (kind, member(members, "items")) {
            self.inside("items", |checker| {
                let message = format!("expected \"items\" on an array only, found it on type {:?}", kind.as_str());
                checker.report_at(items.at, "items_without_array", message);
            });
        }
        let one_of = self.optional(members, "enum", |checker, node| {
            let items = checker.array(node)?;
            if items.is_empty() {
                checker.report(node, "empty_enum", "expected at least one value, found none");
            }
            let kind = kind?;
            let mut values = Vec::with_capacity(items.len());
            for (index, item) in items.iter().enumerate() {
                checker.item(index, |checker| values.extend(checker.typed(item, kind, "enum_value_type")));
            }
            (values.len() == items.len()).then_some(values)
        });
        let default = self.optional(members, "default", |checker, node| {
            let value = checker.typed(node, kind?, "default_type")?;
            if let Some(allowed) = &one_of {
                if !allowed.is_empty() && !allowed.iter().any(|allowed| schema::same(allowed, &value)) {
                    checker.report(node, "default_not_in_enum", "expected one of the enum's values");
                }
            }
            Some(value)
        });
        let mut property = Property::new(name, kind?).with_enum(one_of.unwrap_or_default());
        if let Some(description) = description {
            property = property.with_description(description);
        }
        Some(match default {
            Some(default) => property.with_default(default),
            None => property,
        })
    }

    /// A value that must have a property's type as it stands.
    fn typed(&mut self, node: &Node, kind: PropertyType, code: &'static str) -> Option<Value> {
        let value = node.to_value();
        if kind.matches(&value) {
            return Some(value);
        }
        let expected = match kind {
            PropertyType::StringArray => "an array of strings",
            PropertyType::Integer => "an integer",
            PropertyType::Boolean => "a boolean",
            _ => "a string",
        };
        self.report(node, code, format!("expected {expected}, as the type says, found {}", node.type_name()));
        None
    }

    fn required_names(&mut self, node: &Node, declared: &[&str]) -> Option<Vec<String>> {
        let items = self.array(node)?;
        let mut names: Vec<String> = Vec::with_capacity(items.len());
        let mut seen = std::collections::BTreeSet::new();
        for (index, item) in items.iter().enumerate() {
            self.item(index, |checker| {
                let Some(name) = checker.text(item) else { return };
                if declared.binary_search(&name).is_err() {
                    let message = format!("expected a declared property, found {}", quoted(name));
                    checker.report(item, "required_undeclared", message);
                } else if seen.insert(name) {
                    names.push(name.to_owned());
                } else {
                    let message = format!("expected each name once, found {} again", quoted(name));
                    checker.report(item, "required_twice", message);
                }
            });
        }
        Some(names)
    }

    fn output(&mut self, node: &Node) -> Option<Output> {
        let members = self.object(node)?;
        let mode = self.required(node, members, "defaultMode", |checker, node| {
            checker.word(node, &[("table", OutputMode::Table), ("json", OutputMode::Json)])
        });
        let json = match member(members, "json") {
            None => Some(false),
            Some(member) => self.inside("json", |checker| checker.flag(&member.value)),
        };
        let table = match member(members, "table") {
            None => Some(None),
            Some(member) => self.inside("table", |checker| checker.table(&member.value)).map(Some),
        };
        let mut sound = true;
        if mode == Some(OutputMode::Json) && json == Some(false) {
            sound = false;
            let (key, at) = match (member(members, "json"), member(members, "defaultMode")) {
                (Some(member), _) => ("json", member.value.at),
                (None, Some(member)) => ("defaultMode", member.value.at),
                (None, None) => ("defaultMode", node.at),
            };
            self.inside(key, |checker| {
                checker.report_at(at, "json_not_declared", "expected output.json true, since the default mode is json");
            });
        }
        let no_columns = match &table {
            Some(None) => true,
            Some(Some(table)) => table.columns.is_empty(),
            None => false,
        };
        if mode == Some(OutputMode::Table) && no_columns {
            sound = false;
            let message = "expected output.table.columns, since the default mode is table";
            self.report(node, "columns_missing", message);
        }
        Some(Output { spec: OutputSpec { default_mode: mode?, json: json?, table: table? }, sound })
    }

    fn table(&mut self, node: &Node) -> Option<TableSpec> {
        let members = self.object(node)?;
        let Some(list) = member(members, "columns") else { return Some(TableSpec::default()) };
        self.inside("columns", |checker| {
            let items = checker.array(&list.value)?;
            let mut columns = Vec::with_capacity(items.len());
            let mut seen = std::collections::BTreeSet::new();
            for (index, item) in items.iter().enumerate() {
                checker.item(index, |checker| columns.extend(checker.column(item, &mut seen)));
            }
            (columns.len() == items.len()).then_some(TableSpec { columns })
        })
    }

    fn column<'n>(&mut self, node: &'n Node, seen: &mut std::collections::BTreeSet<&'n str>) -> Option<Column> {
        let members = self.object(node)?;
        let key = self.required(node, members, "key", |checker, node| {
            let text = checker.text(node)?;
            let key = checker.segment(node, "invalid_column_key", text)?;
            if !seen.insert(text) {
                checker.report(
                    node,
                    "duplicate_column",
                    format!("expected each key once, found {} again", quoted(text)),
                );
            }
            Some(key)
        });
        let label = self.required(node, members, "label", Self::speaking);
        Some(Column::new(key?, label?))
    }

    fn handler(&mut self, node: &Node) -> Option<Handler> {
        let members = self.object(node)?;
        self.required(node, members, "kind", |checker, node| checker.word(node, &[("http", ())]));
        self.required(node, members, "method", |checker, node| checker.word(node, &[("POST", ())]));
        let path = self.required(node, members, "path", |checker, node| {
            let path = checker.text(node)?;
            match paths::handler_fault(path) {
                None => Some(path.to_owned()),
                Some(fault) => {
                    checker.report(node, "invalid_handler_path", format!("{fault}: {}", quoted(path)));
                    None
                }
            }
        });
        let timeout_ms = match member(members, "timeoutMs") {
            None => Some(limits::HANDLER_TIMEOUT_DEFAULT_MS),
            Some(member) => self.inside("timeoutMs", |checker| checker.timeout(&member.value)),
        };
        Some(Handler { path: path?, timeout_ms: timeout_ms? })
    }

    fn timeout(&mut self, node: &Node) -> Option<u64> {
        let Kind::Number(number) = &node.kind else {
            self.wrong_type(node, "an integer");
            return None;
        };
        let Some(Exact::Integer(found)) = Exact::of(number) else {
            self.report(node, "wrong_type", format!("expected an integer, found {number}"));
            return None;
        };
        let range = limits::HANDLER_TIMEOUT_MIN_MS..=limits::HANDLER_TIMEOUT_MAX_MS;
        let milliseconds = u64::try_from(found).ok().filter(|found| range.contains(found));
        if milliseconds.is_none() {
            let message = format!("expected {} to {} milliseconds, found {number}", range.start(), range.end());
            self.report(node, "timeout_out_of_range", message);
        }
        milliseconds
    }
}

fn member<'n>(members: &'n [Member], key: &str) -> Option<&'n Member> {
    members.iter().find(|member| member.key == key)
}
