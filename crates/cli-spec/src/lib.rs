//! A command, declared once: schema, binding, validation, help, output, errors and exports follow from the declaration.
//!
//! ```
//! use cli_spec::{Command, CommandContext, ErrorEnvelope, Registry, Workspace};
//! # use {schemars::JsonSchema, serde::Deserialize};
//! #[derive(Deserialize, JsonSchema)]
//! #[serde(rename_all = "kebab-case")]
//! struct Greet {
//!     /// Whom to greet.
//!     full_name: String,
//! }
//! async fn greet(input: Greet, _: CommandContext) -> Result<String, ErrorEnvelope> {
//!     Ok(format!("Hello, {}!", input.full_name))
//! }
//! let command = Command::action("demo.greet", "greet").summary("Greet somebody").workspace(Workspace::Optional)
//!     .summary_json(|text: &String| text.as_str().into()).handler(greet).build()?;
//! let registry = Registry::builder("demo").command(command).build()?;
//! # let ran = now(registry.run_args(["greet", "--full-name", "Ann", "--json"]));
//! # assert_eq!(ran.stdout, "\"Hello, Ann!\"\n"); /*
//! let ran = registry.run_args(["greet", "--full-name", "Ann", "--json"]).await; // prints "Hello, Ann!"
//! # */
//! # fn now<T>(future: impl Future<Output = T>) -> T {
//! #     let mut context = std::task::Context::from_waker(std::task::Waker::noop());
//! #     match std::pin::pin!(future).poll(&mut context) {
//! #         std::task::Poll::Ready(value) => value,
//! #         std::task::Poll::Pending => unreachable!("nothing waits here"),
//! #     }
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What it is, and what it is not
//!
//! The framework half of a command line whose commands live in a daemon, free of any product. A host declares commands and
//! implements what they do; the crate says what is advertised, reads what comes in, checks it, formats what goes out, and gives the
//! same commands to MCP clients, function-calling models, shells and clap.
//!
//! It does no IO: it opens no file or socket, reads no clock and no environment, starts no thread, and prints nothing.
//! [`Registry::run_args`] returns what is to be printed. It is no general argument parser: a schema is flat and has strings, booleans,
//! integers, numbers, enums and lists of strings; there are no short flags, no subcommand flags, no nested objects. Visibility is a
//! hint for discovery, not an authorization.
//!
//! # The parts
//!
//! | to | use |
//! |---|---|
//! | declare a command | [`Command::list`], [`Command::get`], [`Command::action`], [`CommandBuilder`] |
//! | see its schema | [`schema::InputSchema`] |
//! | bind an input without a command | [`bind`], [`bind_json`], [`bind_strict`], [`bind_reporting`] |
//! | read terminal arguments | [`argv`] |
//! | find, list and run commands | [`Registry`], [`Discovery`] |
//! | print | [`render`], [`Rendered`] |
//! | report a failure | [`ErrorEnvelope`], [`IntoEnvelope`] |
//! | hold a registry to the rules | [`check::registry`] |
//! | take in the commands of apps | [`app`] |
//! | wait for a command that answers later | [`wait`] |
//! | make a mutation safe to repeat | [`idempotency`] |
//! | let a foreign tool catalogue through | [`policy`] |
//! | hand the commands to other readers | [`export`] |
//!
//! # Cookbook
//!
//! ## A daemon's command
//!
//! The daemon lists [`Registry::capabilities`], and answers an [`InvokeRequest`] with a [`CommandOutput`] or an [`ErrorEnvelope`] and
//! the status that its [`exit_code`](ErrorEnvelope::exit_code) stands for (400 for 2).
//!
//! ```
//! use cli_spec::{Command, CommandContext, ErrorEnvelope, InvokeRequest, IntoEnvelope, Pagination, Registry, Workspace, Workspaces};
//! use schemars::JsonSchema;
//! use serde::Deserialize;
//! use serde_json::json;
//!
//! #[derive(Deserialize, JsonSchema)]
//! #[serde(rename_all = "kebab-case")]
//! struct IssueList {
//!     /// Topic id.
//!     #[schemars(extend("x-hint" = "Use `issue topic list --json` to discover topics."))]
//!     topic_id: String,
//!     #[schemars(range(min = 1, max = 100))]
//!     page_size: Option<u32>,
//! }
//!
//! struct Issue { id: u64, title: String }
//!
//! async fn run(input: IssueList, context: CommandContext) -> Result<Vec<Issue>, ErrorEnvelope> {
//!     let workspace = context.workspace_id().unwrap_or("none");
//!     Ok(vec![Issue { id: 1, title: format!("{} in {workspace}", input.topic_id) }])
//! }
//!
//! struct OneWorkspace;
//! impl Workspaces for OneWorkspace {
//!     async fn requested(&self, id: &str) -> Result<String, ErrorEnvelope> { Ok(id.to_owned()) }
//!     async fn startup(&self) -> Result<Option<String>, ErrorEnvelope> { Ok(Some("ws-1".to_owned())) }
//! }
//!
//! let list = Command::list("tutti.issue.list", "issue list")
//!     .summary("List issues")
//!     .workspace(Workspace::Required)
//!     .table([("id", "ID"), ("title", "Title")], |issues: &Vec<Issue>| {
//!         issues.iter().map(|issue| [issue.id.to_string(), issue.title.clone()]).collect()
//!     })
//!     .summary_json(|issues: &Vec<Issue>| issues.iter().map(|issue| json!({ "id": issue.id })).collect())
//!     .paged(|_| Pagination::default())
//!     .handler(run)
//!     .build()?;
//! let registry = Registry::builder("tutti").command(list).workspaces(OneWorkspace).build()?;
//!
//! # fn now<T>(future: impl Future<Output = T>) -> T {
//! #     let mut context = std::task::Context::from_waker(std::task::Waker::noop());
//! #     match std::pin::pin!(future).poll(&mut context) {
//! #         std::task::Poll::Ready(value) => value,
//! #         std::task::Poll::Pending => unreachable!("nothing waits here"),
//! #     }
//! # }
//! let request: InvokeRequest = serde_json::from_value(json!({ "commandId": "tutti.issue.list", "input": { "page-size": "500" } }))?;
//! let error = now(registry.invoke(request)).unwrap_err().into_envelope(); // `now` stands for the daemon's runtime
//! assert_eq!(error.error.message, "required input \"topic-id\" is missing. Use `issue topic list --json` to discover topics.");
//!
//! let table = now(registry.run_args(["issue", "list", "--topic-id", "t1"]));
//! assert_eq!(table.stdout, "ID  Title\n1   t1 in ws-1\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ## A thin client
//!
//! A client knows no command. It matches words against what the daemon lists, reads flags by the listed schema, and prints.
//!
//! ```
//! use cli_spec::{Capability, CommandOutput, ErrorEnvelope, InvokeRequest, OutputMode, Remote, Rendered, argv, render};
//! # let listing = r#"[{ "id": "t.issue.get", "path": ["issue", "get"], "summary": "Get an issue",
//! #   "inputSchema": { "type": "object", "properties": { "issue-id": { "type": "string" } }, "required": ["issue-id"] },
//! #   "output": { "defaultMode": "json", "json": true } }]"#;
//! # let args = ["issue", "get", "--issue-id", "7", "--json"];
//! let listed: Vec<Capability> = serde_json::from_str(listing)?;
//! let flags = argv::host_flags(args);
//! let (capability, words) = Capability::find(&listed, &flags.rest).expect("or say `command_not_found`");
//! let input = argv::parse(&capability.input_schema, flags.rest.into_iter().skip(words))?;
//! let mut request = InvokeRequest::new(&capability.id).with_input(input);
//! if flags.json {
//!     request = request.with_output_mode(OutputMode::Json);
//! }
//! // … the request goes to the daemon; this is what comes back, well or badly:
//! let output: CommandOutput = serde_json::from_str(r#"{ "kind": "json", "value": { "id": 7 } }"#)?;
//! assert_eq!(render::json(&output), "{\n  \"id\": 7\n}\n");
//! let remote = Remote { code: "issue_not_found".to_owned(), message: "no such issue".to_owned(), ..Remote::default() };
//! let failure = Rendered::failure(&ErrorEnvelope::from_remote(404, remote), flags.json);
//! assert_eq!(failure.stdout, "{\"error\":{\"reasonCode\":\"issue_not_found\",\"message\":\"no such issue\"}}\n");
//! assert_eq!(failure.exit_code, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ## An app manifest
//!
//! ```
//! use std::sync::Arc;
//! use cli_spec::{Registry, app::{App, HandlerAnswer, HandlerCall, Manifest, Transport, TransportError}};
//!
//! let manifest = Manifest::parse(br#"{
//!   "schemaVersion": "tutti.app.cli.v1",
//!   "scope": "notes",
//!   "commands": [{
//!     "path": ["list"], "summary": "List notes",
//!     "output": { "defaultMode": "json", "json": true },
//!     "handler": { "kind": "http", "method": "POST", "path": "/tutti/cli/list" }
//!   }]
//! }"#)?;
//!
//! struct Http;
//! impl Transport for Http {
//!     async fn post(&self, call: &HandlerCall) -> Result<HandlerAnswer, TransportError> {
//!         assert_eq!((call.app_id(), call.path()), ("a1", "/tutti/cli/list")); // the host's HTTP client
//!         Ok(HandlerAnswer { status: 200, body: br#"{ "kind": "json", "value": ["first"] }"#.to_vec() })
//!     }
//! }
//!
//! let app = App::new("a1", manifest)?;
//! let registry = Registry::builder("tutti").commands(app.commands(&Arc::new(Http))?).workspaces(One).build()?;
//! # use cli_spec::{ErrorEnvelope, Workspaces};
//! # struct One;
//! # impl Workspaces for One {
//! #     async fn requested(&self, id: &str) -> Result<String, ErrorEnvelope> { Ok(id.to_owned()) }
//! #     async fn startup(&self) -> Result<Option<String>, ErrorEnvelope> { Ok(Some("ws-1".to_owned())) }
//! # }
//! # fn now<T>(future: impl Future<Output = T>) -> T {
//! #     let mut context = std::task::Context::from_waker(std::task::Waker::noop());
//! #     match std::pin::pin!(future).poll(&mut context) {
//! #         std::task::Poll::Ready(value) => value,
//! #         std::task::Poll::Pending => unreachable!("nothing waits here"),
//! #     }
//! # }
//! assert_eq!(now(registry.run_args(["notes", "list", "--json"])).stdout, "[\n  \"first\"\n]\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ## The same commands over MCP
//!
//! ```
//! use cli_spec::{Command, ErrorEnvelope, NoInput, Registry, Workspace, export::mcp};
//! use serde_json::{Map, json};
//!
//! let status = Command::get("t.status", "status")
//!     .summary("Show the status")
//!     .workspace(Workspace::Optional)
//!     .detail_json(|ready: &bool| json!({ "ready": ready }))
//!     .handler(|_: NoInput, _| async { Ok::<_, ErrorEnvelope>(true) })
//!     .build()?;
//! let registry = Registry::builder("t").command(status).build()?;
//!
//! let tools = mcp::Tools::new(registry.commands());
//! assert_eq!(serde_json::to_value(tools.list())?[0]["annotations"], json!({ "readOnlyHint": true }));
//!
//! // tools/call
//! let request = tools.request("status", Map::new()).expect("a listed tool");
//! # fn now<T>(future: impl Future<Output = T>) -> T {
//! #     let mut context = std::task::Context::from_waker(std::task::Waker::noop());
//! #     match std::pin::pin!(future).poll(&mut context) {
//! #         std::task::Poll::Ready(value) => value,
//! #         std::task::Poll::Pending => unreachable!("nothing waits here"),
//! #     }
//! # }
//! let output = now(registry.invoke(request))?;
//! assert_eq!(output, cli_spec::CommandOutput::json(json!({ "ready": true })));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Rules worth knowing
//!
//! - Unknown flags are refused by [`argv`], with the nearest name; unknown inputs are ignored by [`bind`], with a warning, so that
//!   clients and daemons of different versions get along.
//! - Integers keep their value from argument to struct to JSON, between `i64::MIN` and `u64::MAX`; 128-bit fields hold that range
//!   too, and so does an integer that declares no bounds.
//! - White space around an enum value is dropped, so the binder takes `" high "` where the schema alone would not.
//! - An enum's aliases do not bind, a field's do; neither is listed.
//! - A workspace policy is always declared. [`Workspace::Required`] falls back to the startup workspace and fails without one;
//!   [`Workspace::StartupDefault`] falls back to it and runs without one; [`Workspace::Optional`] never looks for it.
//! - Non-public commands run on their full path and are never listed or suggested.
//!
//! # Error codes
//!
//! | type | codes |
//! |---|---|
//! | [`ErrorEnvelope`], [`CommandError`] | `invalid_input`, `command_not_found`, `command_output_missing`, `daemon_unavailable`, `daemon_request_failed`; `workspace_not_found` of [`NoWorkspaces`]; the host's own |
//! | [`InputProblem`] | `missing_input`, `invalid_value`, `unknown_input`, `surplus_word`, `malformed_json` |
//! | [`schema::SchemaError`] | `duplicate_input`, `required_undeclared`, `required_twice`, `required_with_default`, `required_hidden`, `not_in_schema`, `not_in_struct`, `bounds_not_numeric`, `minimum_above_maximum`, `enum_value_type`, `enum_value_out_of_range`, `default_type`, `default_out_of_range`, `default_not_in_enum`, `invalid_input_name`, `reserved_input_name`, `unsupported_type`, `invalid_extension` |
//! | [`BuildError`] | those of the schema, and `invalid_command_id`, `empty_path`, `invalid_path_segment`, `summary_missing`, `workspace_policy_missing`, `handler_missing`, `json_view_missing`, `json_view_not_of_kind`, `raw_json_reason_missing`, `raw_json_beside_view`, `default_mode_unformatted`, `invalid_column`, `no_columns`, `paged_not_list`, `positional_undeclared`, `positional_twice`, `positional_list_not_last`, `deprecation_incomplete`, `warning_not_deprecated`, `wait_not_json`, `not_an_app` |
//! | [`RegistryError`] | `duplicate_command_id`, `duplicate_command_path`, `scope_reserved`, `global_flag_clash`, those of the schema |
//! | [`check::Finding`] | `duplicate_command_id`, `duplicate_command_path`, `invalid_path_segment`, `invalid_input_name`, `hint_missing`, `default_mode_unformatted`, `json_view_missing`, `schema_differs`, `summary_field` |
//! | [`ContinuationError`] | `retry_after_out_of_range` |
//! | warnings | `unknown_input_ignored`, `pending`; the host's own |
//!
//! The modules [`app`], [`idempotency`], [`policy`] and [`export`] list theirs.
//!
//! Programs end with 0 (success), 2 (the invocation or its input is not valid, HTTP 400) or 1 (anything else). A host that prints to a
//! pipe that its reader has closed ends quietly, with a code of its own choice.
//!
//! # Limits
//!
//! All in [`limits`]: 4 MiB of JSON input, 64 characters of a foreign name in a message, 16 listed names, delays of 250 to 60,000 ms,
//! 256 KiB of manifest, 1 MiB of handler output.
//!
//! # Features
//!
//! - `clap`: [`export`] makes a `clap::Command` of a registry.
//! - `completions`: shell scripts for bash, zsh and fish, by clap_complete.
//!
//! Neither changes what anything else means. The oldest supported Rust is 1.85.
#![deny(missing_docs)]

pub mod app;
mod capability;
pub mod check;
mod command;
mod error;
pub mod export;
mod help;
pub mod idempotency;
mod input;
pub mod limits;
mod output;
pub mod policy;
mod registry;
mod request;
mod terminal;
mod text;
pub mod wait;

pub use capability::{
    Capability, Deprecation, Discovery, Execution, ExecutionMode, OutputSpec, Source, SourceKind, TableSpec, Visibility,
};
pub use command::{
    Answer, BuildError, BuildProblem, Command, CommandBuilder, CommandContext, Kind, NoInput, Pagination, View,
    Workspace,
};
pub use error::{ErrorBody, ErrorEnvelope, ExitCode, IntoEnvelope, Remote, reason};
pub use input::{
    RESERVED_INPUTS, argv,
    bind::{bind, bind_json, bind_reporting, bind_strict},
    error::{InputError, InputProblem},
    schema,
};
pub use output::{
    Column, CommandOutput, Continuation, ContinuationError, ContinuationState, OutputBody, OutputMode, Row, Warning,
    render,
};
pub use registry::{
    CommandError, Found, NoWorkspaces, NotFound, RESERVED_SCOPES, Registry, RegistryBuilder, RegistryError,
    RegistryProblem, Workspaces,
};
pub use request::{InvokeContext, InvokeRequest};
pub use terminal::{Rendered, Terminal};
