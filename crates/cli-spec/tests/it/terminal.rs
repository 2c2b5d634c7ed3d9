//! Help, rendering, failures and exit codes: what a terminal host prints.

use cli_spec::{
    Column, Command, CommandContext, CommandOutput, Continuation, ErrorEnvelope, ExitCode, IntoEnvelope, InvokeContext,
    NoInput, Registry, Remote, Rendered, Terminal, Warning, Workspace, render,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    support::now,
    tracker::{map, registry, run},
};

#[test]
fn the_help_of_the_program() {
    let expected = "\
tutti: An issue tracker

Usage: tutti <command> [--name value]...

Commands:
  issue list  List issues
  issue get   Get an issue
  issue wait  Wait for an issue

Flags of every command:
  --json  Answer in JSON, failures too.
  --help  Show this help.

`tutti <command> --help` tells about one command.
";
    for args in [&["--help"][..], &["-h"], &["help"]] {
        assert_eq!(run(args), Rendered { stdout: expected.to_owned(), stderr: String::new(), exit_code: 0 });
    }
    assert_eq!(run(&[]), Rendered { stdout: String::new(), stderr: expected.to_owned(), exit_code: 2 });
}

#[test]
fn the_help_of_a_group_and_of_a_command() {
    let group = run(&["issue", "--help"]).stdout;
    assert!(group.starts_with("Usage: tutti issue <command>"), "{group}");
    assert!(!group.contains("purge-cache"));
    let expected = "\
issue list: List issues

Lists the issues of a topic.

Usage: tutti issue list --topic-id <string> [--status <open|closed>] [--page-size <integer>] [--label <string>...]

Inputs:
  --topic-id <string>     Topic id. Required. Use `issue topic list --json` to discover topics.
  --status <open|closed>
  --page-size <integer>   1 to 100.
  --label <string>...

Flags of every command:
  --json  Answer in JSON, failures too.
  --help  Show this help.
";
    assert_eq!(run(&["issue", "list", "--help"]).stdout, expected);
    assert_eq!(run(&["help", "issue", "list"]).stdout, expected);
    // Help is answered whatever else is wrong with the arguments.
    assert_eq!(run(&["issue", "list", "--bad", "--help"]).stdout, expected);
    assert!(run(&["issue", "get", "--help"]).stdout.contains("Usage: tutti issue get <issue-id>\n"));
    assert!(
        run(&["issue", "purge-cache", "--help"]).stdout.contains("Deprecated: The cache is gone. Use `issue get`.")
    );
    assert_eq!(run(&["issue", "nope", "--help"]).exit_code, 2);
}

#[test]
fn help_in_json_is_the_description() {
    let one: Value = serde_json::from_str(&run(&["issue", "list", "--help", "--json"]).stdout).unwrap();
    assert_eq!(one["id"], "tutti.issue.list");
    let all: Value = serde_json::from_str(&run(&["--help", "--json"]).stdout).unwrap();
    assert_eq!(all.as_array().unwrap().len(), 3);
}

#[test]
fn failures_without_json_are_one_line_on_standard_error() {
    let table = [
        (&["issue", "lst"][..], "error: command \"issue lst\" was not found, did you mean \"issue list\"?\n", 2),
        (&["zzz"], "error: command \"zzz\" was not found\n", 2),
        (&["issue"], "error: \"issue\" is a group of commands: issue list, issue get, issue wait\n", 2),
        (&["issue", "get", "zz"], "error: issue was not found. Run `issue list`.\n", 1),
        (
            &["issue", "list"],
            "error: required input \"topic-id\" is missing. Use `issue topic list --json` to discover topics.\n",
            2,
        ),
        (&["issue", "get", "1", "2"], "error: unexpected word \"2\": the command takes no further words\n", 2),
    ];
    for (args, stderr, exit_code) in table {
        assert_eq!(run(args), Rendered { stdout: String::new(), stderr: stderr.to_owned(), exit_code }, "{args:?}");
    }
}

#[test]
fn parse_and_binding_problems_of_one_invocation_are_one_report() {
    let rendered = run(&["issue", "list", "--page-size", "many", "--topicid", "x", "--json"]);
    let envelope: ErrorEnvelope = serde_json::from_str(&rendered.stdout).unwrap();
    assert_eq!(
        envelope.error.message,
        "required input \"topic-id\" is missing; unknown flag \"--topicid\", did you mean \"--topic-id\"? \
         Use `issue topic list --json` to discover topics."
    );
    assert_eq!(envelope.error.hint.as_deref(), Some("Use `issue topic list --json` to discover topics."));
}

#[test]
fn warnings_go_to_standard_error_or_beside_the_value() {
    let plain = run(&["issue", "purge-cache"]);
    assert_eq!(plain.stdout, "{\n  \"purged\": true\n}\n");
    assert_eq!(plain.stderr, "warning: The cache was cold.\nwarning: The cache is gone; use \"issue get\"\n");
    let json: Value = serde_json::from_str(&run(&["issue", "purge-cache", "--json"]).stdout).unwrap();
    assert_eq!(json["value"], json!({ "purged": true }));
    assert_eq!(json["warnings"][1]["code"], "deprecated_issue_purge");
    let waiting: Value = serde_json::from_str(&run(&["issue", "wait", "--json"]).stdout).unwrap();
    assert_eq!(
        waiting,
        json!({ "continuation": { "state": "pending", "retryAfterMs": 1000 }, "value": { "done": false } })
    );
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Globals {
    /// The database.
    db: Option<String>,
}

#[test]
fn flags_of_the_program_stand_anywhere() {
    async fn show(_: NoInput, context: CommandContext) -> Result<String, ErrorEnvelope> {
        Ok(context.global::<Globals>()?.db.unwrap_or_else(|| "none".to_owned()))
    }
    let command = || {
        Command::action("t.show", "show")
            .summary("Show")
            .workspace(Workspace::Optional)
            .default_mode(cli_spec::OutputMode::Plain)
            .plain(|text: &String| text.clone())
            .summary_json(|text: &String| json!(text))
            .handler(show)
            .build()
            .unwrap()
    };
    let registry = Registry::builder("t").globals::<Globals>().command(command()).build().unwrap();
    let run = |args: &[&str]| now(registry.run_args(args));
    for args in [&["--db", "a.db", "show"][..], &["show", "--db=a.db"], &["show", "--db", "a.db"]] {
        assert_eq!(run(args).stdout, "a.db\n", "{args:?}");
    }
    assert_eq!(run(&["show"]).stdout, "none\n");
    assert_eq!(run(&["show", "--db"]).stderr, "error: invalid input \"db\": --db needs a value\n");
    assert!(run(&["show", "--help"]).stdout.contains("--db <string>  The database."));
    let clash = Command::list::<Globals, ()>("t.x", "x")
        .summary("x")
        .workspace(Workspace::Optional)
        .table(["id"].map(|key| (key, key)), |()| Vec::<[String; 1]>::new())
        .summary_json(|()| Value::Null)
        .handler(|input, _| async move { Err::<(), _>(ErrorEnvelope::new("x", input.db.unwrap_or_default())) })
        .build()
        .unwrap();
    let error = Registry::builder("t").globals::<Globals>().command(clash).build().unwrap_err();
    assert_eq!(error.code(), "global_flag_clash");
}

#[cfg(unix)]
#[test]
fn arguments_that_are_not_text_are_invalid_input() {
    use std::{ffi::OsString, os::unix::ffi::OsStringExt};
    let args = ["issue", "get"].map(OsString::from).into_iter().chain([OsString::from_vec(vec![b'a', 0xff])]);
    let rendered = now(registry().run_args(args));
    assert_eq!((rendered.exit_code, rendered.stdout.as_str()), (2, ""));
    assert!(rendered.stderr.contains("not valid UTF-8"), "{}", rendered.stderr);
}

#[test]
fn the_caller_and_the_width_reach_the_run() {
    let terminal = Terminal::new().width(12).context(InvokeContext::default().with_workspace("zz"));
    let rendered = now(registry().run_args_on(["issue", "list", "--topic-id", "t"], &terminal));
    assert_eq!(rendered.stderr, "error: workspace was not found\n");
    let terminal = Terminal::new().width(12);
    let rendered = now(registry().run_args_on(["issue", "list", "--topic-id", "t"], &terminal));
    assert_eq!(rendered.stdout, "ID     Title\n1      First\n9007…  日本…\n");
}

#[test]
fn cut_cells_take_the_columns_that_a_terminal_gives_them() {
    use unicode_width::UnicodeWidthStr as _;

    let columns = [Column::new("a", "A"), Column::new("b", "B")];
    let heart = "\u{2764}\u{fe0f}"; // One column by its characters, two as an emoji.
    let family = "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}"; // Six by its characters, two as a sequence.
    for cell in [heart.repeat(9), family.repeat(9), format!("{family} long text"), format!("e{}", "\u{301}e".repeat(9))]
    {
        let row: serde_json::Map<String, Value> =
            [("a".to_owned(), Value::from(cell.clone())), ("b".to_owned(), Value::from("x"))].into_iter().collect();
        for width in 5..12 {
            let table = render::table(&columns, std::slice::from_ref(&row), Some(width));
            let lines: Vec<&str> = table.lines().collect();
            assert!(lines.iter().all(|line| line.width() <= width), "{width}: {table}");
            let starts: Vec<usize> =
                lines.iter().zip(["B", "x"]).map(|(line, last)| line.strip_suffix(last).unwrap().width()).collect();
            assert_eq!(starts[0], starts[1], "{width}: {table}");
        }
    }
}

#[test]
fn tables_align_by_display_width_and_show_controls() {
    let columns = [Column::new("id", "ID"), Column::new("title", "Title"), Column::new("n", "N")];
    let rows: Vec<_> = [
        json!({ "id": "日本", "title": "cafe\u{301}", "n": 1 }),
        json!({ "id": "a", "title": "e\u{1b}[31m\nred\u{202e}", "n": true }),
        json!({ "id": null, "title": "", "n": ["x"] }),
        json!({ "id": "b" }),
    ]
    .into_iter()
    .map(map)
    .collect();
    let expected = "\
ID    Title                     N
日本  cafe\u{301}                      1
a     e\\u{1b}[31m\\nred\\u{202e}  true
                                [\"x\"]
b
";
    assert_eq!(render::table(&columns, &rows, None), expected);
    for width in 0..40 {
        for line in render::table(&columns, &rows, Some(width)).lines() {
            assert!(unicode_width::UnicodeWidthStr::width(line) <= width.max(4), "{width}: {line:?}");
        }
    }
    assert_eq!(render::table(&columns, &[], None), "ID  Title  N\n");
}

#[test]
fn json_is_the_value_alone_or_beside_warnings() {
    let rows = || vec![map(json!({ "id": "1" }))];
    let columns = || [("id", "ID")];
    let table = [
        (CommandOutput::json(json!({ "a": 1 })), json!({ "a": 1 })),
        (CommandOutput::json(Value::Null), Value::Null),
        (CommandOutput::table(columns(), rows()), json!([{ "id": "1" }])),
        (CommandOutput::plain("x"), json!("x")),
        (
            CommandOutput::json(json!([1])).with_warning(Warning::new("c", "m")),
            json!({ "warnings": [{ "code": "c", "message": "m" }], "value": [1] }),
        ),
        (
            CommandOutput::table(columns(), rows()).with_warning(Warning::new("c", "m")),
            json!({ "warnings": [{ "code": "c", "message": "m" }], "rows": [{ "id": "1" }] }),
        ),
        (
            CommandOutput::json(json!(1)).with_continuation(Continuation::pending(250).unwrap()),
            json!({ "continuation": { "state": "pending", "retryAfterMs": 250 }, "value": 1 }),
        ),
    ];
    for (output, expected) in table {
        assert_eq!(serde_json::from_str::<Value>(&render::json(&output)).unwrap(), expected);
    }
}

#[test]
fn envelopes_on_the_wire() {
    let full = ErrorEnvelope::new("x", "It failed").with_hint("Try again.").retryable_now().with_correlation_id("c1");
    assert_eq!(
        serde_json::to_value(&full).unwrap(),
        json!({ "error": { "reasonCode": "x", "message": "It failed. Try again.", "hint": "Try again.", "retryable": true, "correlationId": "c1" } })
    );
    let bare = r#"{"error":{"reasonCode":"x","message":"m"}}"#;
    assert_eq!(serde_json::to_string(&ErrorEnvelope::new("x", "m")).unwrap(), bare);
    assert_eq!(render::error(&ErrorEnvelope::new("x", "m")), format!("{bare}\n"));
    let table = [
        (json!({ "reasonCode": "x", "message": "m" }), false),
        (json!({ "reasonCode": "x", "message": "m", "retryable": false }), false),
        (json!({ "reasonCode": "x", "message": "m", "retryable": null, "future": 1 }), false),
        (json!({ "reasonCode": "x", "message": "m", "retryable": true }), true),
        (json!({ "reasonCode": "daemon_unavailable", "message": "m" }), true),
        (json!({ "reasonCode": "daemon_request_failed", "message": "m" }), true),
        (json!({ "reasonCode": "invalid_input", "message": "m" }), false),
    ];
    for (error, retryable) in table {
        let envelope: ErrorEnvelope = serde_json::from_value(json!({ "error": error })).unwrap();
        assert_eq!(envelope.retryable(), retryable, "{error}");
        assert_eq!(
            serde_json::to_value(&envelope).unwrap()["error"].get("retryable").is_some(),
            error["retryable"] == true
        );
    }
    assert!(
        ErrorEnvelope::daemon_unavailable("m").retryable() && ErrorEnvelope::daemon_request_failed("m").retryable()
    );
}

#[test]
fn remote_failures() {
    let remote = |reason: Option<&str>, code: &str| Remote {
        reason: reason.map(str::to_owned),
        code: code.to_owned(),
        message: "m".to_owned(),
        retryable: Some(false),
        correlation_id: Some("c".to_owned()),
        ..Remote::default()
    };
    let table = [
        (400, Some("unsupported_permission_mode_id"), "bad_request", "unsupported_permission_mode_id", 2),
        (400, None, "bad_request", "bad_request", 2),
        (404, Some("session_not_found"), "not_found", "session_not_found", 1),
        (401, None, "unauthorized", "unauthorized", 1),
        (409, Some(""), "conflict", "conflict", 1),
        (500, None, "", "daemon_request_failed", 1),
        // The status says whose fault it was, whatever the code.
        (500, None, "invalid_input", "invalid_input", 1),
        (404, Some("command_not_found"), "not_found", "command_not_found", 1),
        (400, None, "", "daemon_request_failed", 2),
    ];
    for (status, reason, code, expected, exit) in table {
        let envelope = ErrorEnvelope::from_remote(status, remote(reason, code));
        assert_eq!((envelope.code(), envelope.exit_code().as_u8()), (expected, exit), "{status}");
        assert_eq!(envelope.error.retryable, None, "written only when true");
        assert_eq!(envelope.error.correlation_id.as_deref(), Some("c"));
    }
    let retry =
        ErrorEnvelope::from_remote(503, Remote { retryable: Some(true), code: "busy".to_owned(), ..Remote::default() });
    assert!(retry.retryable());
}

#[test]
fn exit_codes() {
    let code = |envelope: ErrorEnvelope| envelope.exit_code().as_u8();
    assert_eq!(ExitCode::Success.as_u8(), 0);
    assert_eq!(code(ErrorEnvelope::new("invalid_input", "m")), 2);
    assert_eq!(code(ErrorEnvelope::new("command_not_found", "m")), 2);
    assert_eq!(code(ErrorEnvelope::new("command_output_missing", "m")), 1);
    assert_eq!(code(ErrorEnvelope::daemon_unavailable("m")), 1);
    assert_eq!(code(ErrorEnvelope::new("narrow", "m").usage()), 2);
    struct Own;
    impl IntoEnvelope for Own {
        fn into_envelope(self) -> ErrorEnvelope {
            ErrorEnvelope::new("own", "m")
        }
    }
    assert_eq!(code(Own.into_envelope()), 1);
    assert_eq!(Rendered::output_missing("issue list", true).exit_code, 1);
    assert!(Rendered::output_missing("issue list", true).stdout.contains("\"command_output_missing\""));
}
