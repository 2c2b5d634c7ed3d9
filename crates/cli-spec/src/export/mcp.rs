//! Tools for MCP clients: the entries of `tools/list`, and results of `tools/call`.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{Entry, Names, ordinary};
use crate::{CommandOutput, ErrorEnvelope, InvokeRequest, Kind, OutputBody, schema::InputSchema};

/// One entry of `tools/list`. Serializes as MCP's `Tool`, inputs in declaration order.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Tool {
    name: String,
    title: String,
    description: String,
    input_schema: InputSchema,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_schema: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    annotations: Option<Annotations>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
struct Annotations {
    read_only_hint: bool,
}

impl Tool {
    /// The name: see [`Names`].
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The summary and, where there is one, the description.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The inputs.
    pub fn input_schema(&self) -> &InputSchema {
        &self.input_schema
    }

    /// The JSON Schema of the structured result, where it is known.
    pub fn output_schema(&self) -> Option<&Value> {
        self.output_schema.as_ref()
    }

    /// Whether the tool only reads: true for list and get, false for actions, `None` where the kind is not
    /// known.
    pub fn read_only(&self) -> Option<bool> {
        self.annotations.map(|annotations| annotations.read_only_hint)
    }
}

/// Commands as MCP tools.
///
/// ```
/// use cli_spec::{Capability, OutputMode, OutputSpec, export::mcp};
/// use serde_json::{Map, json};
///
/// let output = OutputSpec { default_mode: OutputMode::Json, json: true, table: None };
/// let list = Capability::new("tutti.issue.list", ["issue", "list"], "List issues", output);
/// let tools = mcp::Tools::new([&list]);
/// assert_eq!(
///     serde_json::to_value(tools.list())?,
///     json!([{
///         "name": "issue_list", "title": "List issues", "description": "List issues",
///         "inputSchema": { "type": "object", "properties": {} },
///     }])
/// );
/// // `tools/call` names a tool; this is the request that it stands for.
/// assert_eq!(tools.request("issue_list", Map::new()).unwrap().command_id, "tutti.issue.list");
/// assert!(tools.request("issue_drop", Map::new()).is_none());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Tools {
    entries: Vec<Entry>,
    names: Names,
    list: Vec<Tool>,
}

impl Tools {
    /// The tools of these commands, in order.
    pub fn new(entries: impl IntoIterator<Item = impl Into<Entry>>) -> Self {
        let entries = ordinary(entries);
        let names = Names::new(&entries);
        let list = entries.iter().zip(names.iter()).map(|(entry, name)| tool(entry, name)).collect();
        Self { entries, names, list }
    }

    /// The entries of `tools/list`.
    pub fn list(&self) -> &[Tool] {
        &self.list
    }

    /// The command that a tool stands for.
    pub fn command_id(&self, name: &str) -> Option<&str> {
        self.entry(name).map(|entry| entry.capability().id.as_str())
    }

    /// The tool that stands for a command.
    pub fn tool(&self, command_id: &str) -> Option<&Tool> {
        let position = self.entries.iter().position(|entry| entry.capability().id == command_id)?;
        self.list.get(position)
    }

    /// The request that a `tools/call` stands for, answered in JSON where the command can; `None` for a name
    /// that is not in the list.
    pub fn request(&self, name: &str, arguments: Map<String, Value>) -> Option<InvokeRequest> {
        self.entry(name).map(|entry| entry.request(arguments))
    }

    fn entry(&self, name: &str) -> Option<&Entry> {
        self.entries.get(self.names.position(name)?)
    }
}

fn tool(entry: &Entry, name: &str) -> Tool {
    Tool {
        name: name.to_owned(),
        title: entry.capability.summary.clone(),
        description: entry.text(),
        input_schema: entry.capability.input_schema.clone(),
        output_schema: output_schema(entry),
        annotations: entry.kind.map(|kind| Annotations { read_only_hint: kind != Kind::Action }),
    }
}

/// A table's columns are declared, so that the result of a command that answers nothing else is known. The
/// cells may hold any JSON value.
fn output_schema(entry: &Entry) -> Option<Value> {
    let output = &entry.capability.output;
    let table = output.table.as_ref().filter(|_| !output.json && output.default_mode == crate::OutputMode::Table)?;
    let cells: Map<String, Value> =
        table.columns.iter().map(|column| (column.key.clone(), json!({ "description": column.label }))).collect();
    Some(json!({
        "type": "object",
        "properties": { "rows": { "type": "array", "items": { "type": "object", "properties": cells } } },
        "required": ["rows"],
    }))
}

/// The `CallToolResult` of a command's output.
///
/// The structured content is the JSON value itself when it is an object, `{ "value": … }` for another one,
/// and `{ "rows": […] }` for a table; the same JSON is the text. Plain and Markdown output is text alone.
/// Warnings, and the delay of a command that is still pending, are further texts.
pub fn result(output: &CommandOutput) -> Value {
    let structured = match &output.body {
        OutputBody::Json { value: Value::Object(object) } => Some(Value::Object(object.clone())),
        OutputBody::Json { value } => Some(json!({ "value": value })),
        OutputBody::Table { rows, .. } => Some(json!({ "rows": rows })),
        OutputBody::Plain { .. } | OutputBody::Markdown { .. } => None,
    };
    let first = match (&output.body, &structured) {
        (OutputBody::Plain { text } | OutputBody::Markdown { text }, _) => text.clone(),
        (_, Some(structured)) => structured.to_string(),
        (_, None) => String::new(),
    };
    let mut content = vec![text(&first)];
    content
        .extend(output.warnings.iter().map(|warning| text(&format!("warning: {}: {}", warning.code, warning.message))));
    if let Some(continuation) = &output.continuation {
        content.push(text(&format!("pending: ask again after {} ms", continuation.retry_after_ms())));
    }
    let mut result = json!({ "content": content, "isError": false });
    if let (Some(structured), Some(result)) = (structured, result.as_object_mut()) {
        result.insert("structuredContent".to_owned(), structured);
    }
    result
}

/// The `CallToolResult` of a failure: the error envelope as text, marked as an error so that a model sees it.
pub fn error(envelope: &ErrorEnvelope) -> Value {
    let body = serde_json::to_string(envelope).unwrap_or_else(|_| envelope.to_string());
    json!({ "content": [text(&body)], "isError": true })
}

fn text(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}
