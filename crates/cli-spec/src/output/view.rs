//! Views: explicit projections of a result into each output mode.

use serde_json::{Map, Value};

use super::{Column, CommandOutput, OutputMode, Row};
use crate::{
    command::{Kind, Pagination, View},
    error::{ErrorEnvelope, reason},
};

type Project<R, T> = Box<dyn Fn(&R) -> T + Send + Sync>;

/// The columns of a table, and how a result becomes its rows.
pub(crate) struct TableView<R> {
    pub(crate) columns: Vec<Column>,
    pub(crate) rows: Project<R, Vec<Row>>,
}

/// The projections that a command declares.
pub(crate) struct Views<R> {
    pub(crate) kind: Kind,
    pub(crate) table: Option<TableView<R>>,
    pub(crate) summary: Option<Project<R, Value>>,
    pub(crate) detail: Option<Project<R, Value>>,
    pub(crate) raw: Option<Project<R, Value>>,
    pub(crate) plain: Option<Project<R, String>>,
    pub(crate) markdown: Option<Project<R, String>>,
    pub(crate) paged: Option<Project<R, Pagination>>,
    pub(crate) sample: Option<Box<dyn Fn() -> R + Send + Sync>>,
}

impl<R> Views<R> {
    pub(crate) fn new(kind: Kind) -> Self {
        Self {
            kind,
            table: None,
            summary: None,
            detail: None,
            raw: None,
            plain: None,
            markdown: None,
            paged: None,
            sample: None,
        }
    }

    /// The JSON view that the kind answers with.
    fn json_view(&self) -> Option<&Project<R, Value>> {
        self.raw.as_ref().or(match self.kind.default_view() {
            View::Summary => self.summary.as_ref(),
            View::Detail => self.detail.as_ref(),
        })
    }

    /// The modes that have a formatter.
    pub(crate) fn modes(&self) -> Vec<OutputMode> {
        let declared = [
            (OutputMode::Table, self.table.is_some()),
            (OutputMode::Json, self.json_view().is_some()),
            (OutputMode::Plain, self.plain.is_some()),
            (OutputMode::Markdown, self.markdown.is_some()),
        ];
        declared.into_iter().filter_map(|(mode, declared)| declared.then_some(mode)).collect()
    }

    pub(crate) fn json(&self, result: &R) -> Option<Value> {
        let value = self.json_view()?(result);
        let Some(pagination) = self.paged.as_ref().map(|paged| paged(result)) else { return Some(value) };
        let mut page = match value {
            Value::Object(page) => page,
            records => Map::from_iter([("items".to_owned(), records)]),
        };
        page.insert("hasMore".to_owned(), Value::Bool(pagination.has_more));
        if let Some(token) = pagination.next_page_token {
            page.insert("nextPageToken".to_owned(), Value::String(token));
        }
        Some(Value::Object(page))
    }

    /// The result in one mode.
    pub(crate) fn format(&self, result: &R, mode: OutputMode) -> Result<CommandOutput, ErrorEnvelope> {
        let output = match mode {
            OutputMode::Json => self.json(result).map(CommandOutput::json),
            OutputMode::Table => {
                self.table.as_ref().map(|table| CommandOutput::table(table.columns.clone(), (table.rows)(result)))
            }
            OutputMode::Plain => self.plain.as_ref().map(|plain| CommandOutput::plain(plain(result))),
            OutputMode::Markdown => self.markdown.as_ref().map(|markdown| CommandOutput::markdown(markdown(result))),
        };
        output.ok_or_else(|| {
            ErrorEnvelope::new(reason::COMMAND_OUTPUT_MISSING, format!("the command has no output in mode {mode}"))
        })
    }

    pub(crate) fn sample_json(&self) -> Option<Value> {
        self.sample.as_ref().and_then(|sample| self.json(&sample()))
    }
}
