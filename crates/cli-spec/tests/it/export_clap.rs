//! The clap command against argv, and completion scripts in real shells.

use std::process::Command as Process;

use cli_spec::export::clap::Program;
use cli_spec::export::completions::{Shell, script};
use cli_spec::schema::{InputSchema, Property, PropertyType};
use cli_spec::{Capability, Command, Discovery, OutputMode, Source, argv, bind};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::export_mcp::json_output;
use crate::export_openai::schema;
use crate::export_support::{app_commands, commands};

fn clap_input(program: &Program, path: &[&str], args: &[String]) -> Result<Map<String, Value>, String> {
    let words = path.iter().map(|word| (*word).to_owned()).chain(args.iter().cloned());
    let matches = program.matches(words).map_err(|error| error.to_string())?;
    program.request(&matches).map(|request| request.input).ok_or_else(|| "no command".to_owned())
}

#[test]
fn claps_own_checks_find_nothing() {
    let commands: Vec<Command> = commands().into_iter().chain(app_commands()).collect();
    for discovery in [Discovery::new(), Discovery::new().include_hidden(true)] {
        let program =
            Program::new("tutti", &commands).about("x").version("1.2.3").discovery(discovery).include_host_only(true);
        program.command().debug_assert();
    }
}

#[test]
fn names_that_clap_or_the_host_have_do_not_clash() {
    let mut capability = Capability::new("app.a.help.version", ["help", "version"], "s", json_output());
    capability.input_schema = InputSchema::new(
        ["json", "help", "version", "h", "0", "a--b"].map(|name| Property::new(name, PropertyType::String)),
        [""; 0],
    )
    .unwrap();
    let program = Program::new("tutti", [&capability]).version("1");
    program.command().debug_assert();
    let input =
        clap_input(&program, &["help", "version"], &["--version=x".to_owned(), "--0".to_owned(), "y".to_owned()])
            .unwrap();
    assert_eq!(Value::Object(input), json!({ "version": "x", "0": "y" }));
    for shell in Shell::ALL {
        assert!(script(&program, shell).contains("tutti"));
    }
}

#[test]
fn the_ordinary_commands_are_there_and_others_on_request() {
    let commands = commands();
    let names = |program: &Program| {
        program.command().get_subcommands().map(|command| command.get_name().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(&Program::new("tutti", &commands)), ["issue", "open"]);
    assert_eq!(names(&Program::new("tutti", &commands).include_host_only(true)), ["issue", "open", "serve"]);
    let all = Program::new("tutti", &commands).include_host_only(true).discovery(Discovery::new().include_hidden(true));
    assert_eq!(names(&all), ["issue", "off", "old", "open", "serve", "sync"]);
}

/// Both readers on the same arguments of a declared command.
#[track_caller]
fn both(path: &[&str], args: &[&str]) -> Option<Map<String, Value>> {
    let commands = commands();
    let command = commands.iter().find(|command| command.path() == path).unwrap();
    let args: Vec<String> = args.iter().map(|arg| (*arg).to_owned()).collect();
    let ours = argv::Parser::new(command.schema()).positionals(command.positionals()).parse(args.clone());
    let ours = ours.ok().and_then(|input| bind::<Map<String, Value>>(command.schema(), input).ok());
    let theirs = clap_input(&Program::new("tutti", &commands), path, &args).ok();
    let theirs = theirs.and_then(|input| bind::<Map<String, Value>>(command.schema(), input).ok());
    assert_eq!(theirs, ours, "{args:?}");
    ours
}

#[test]
fn clap_reads_the_forms_that_argv_reads() {
    const LIST: &[&str] = &["issue", "list"];
    let limit = |value: Value| json!({ "topic-id": "t", "label": [], "limit": value });
    let list = |args: &[&str]| both(LIST, &[&["--topic-id", "t"], args].concat()).map(Value::Object);
    assert_eq!(list(&["--limit", "5"]), Some(limit(json!(5))));
    assert_eq!(list(&["--limit=5"]), Some(limit(json!(5))));
    assert_eq!(list(&["--ratio", "-0.5"]), Some(json!({ "topic-id": "t", "label": [], "limit": 20, "ratio": -0.5 })));
    assert_eq!(list(&["--ratio=-0.5"]).unwrap()["ratio"], -0.5);
    // cli-01, cli-04, cli-07, cli-13, cli-26
    assert_eq!(list(&["--limit", "--moldel", "x"]), None);
    assert_eq!(list(&["--limit"]), None);
    for (args, expected) in [
        (&["--dry-run"][..], json!(true)),
        (&["--dry-run=false"], json!(false)),
        (&["--dry-run", "false"], json!(false)),
        (&["--dry-run", "NO"], json!(false)),
        (&["--dry-run=On"], json!(true)),
        (&["--dry-run", "--limit", "1"], json!(true)),
    ] {
        assert_eq!(list(args).unwrap()["dry-run"], expected, "{args:?}");
    }
    assert_eq!(list(&["--dry-run=maybe"]), None);
    assert_eq!(list(&["--no-dry-run"]), None);
    assert_eq!(list(&["--dry-run", "--dry-run"]), None, "a repeated scalar");
    assert_eq!(list(&["--limit", "1", "--limit", "2"]), None);
    assert_eq!(list(&["--label", "a,b", "--label=c"]).unwrap()["label"], json!(["a,b", "c"]));
    assert_eq!(list(&["--label="]).unwrap()["label"], json!([]));
    assert_eq!(list(&["--secret", "@notes.md"]).unwrap()["secret"], "@notes.md", "hidden inputs bind");
    assert_eq!(list(&["--secret=a=b"]).unwrap()["secret"], "a=b");
    assert_eq!(list(&["--secret="]).unwrap()["secret"], "");
    assert_eq!(list(&["--priority", "high"]).unwrap()["priority"], "high");
    assert_eq!(list(&["--priority", "urgent"]), None);
    assert_eq!(list(&["stray"]), None);
    for pin in ["007", "1e5", "true", "null", "{\"a\":1}", "@", "ä", "-5", "-1.5"] {
        assert_eq!(both(LIST, &["--topic-id", pin]).unwrap()["topic-id"], pin);
    }
    for required in [&[][..], &["--topic-id="], &["--topic-id", "--limit"], &["--topic-id", "-x"], &["--topic-id"]] {
        assert_eq!(both(LIST, required), None, "{required:?}");
    }
}

#[test]
fn clap_fills_positionals_as_argv_does() {
    const OPEN: &[&str] = &["open"];
    let open = |args: &[&str]| both(OPEN, args).map(Value::Object);
    assert_eq!(open(&["a"]), Some(json!({ "path": "a", "more": [] })));
    assert_eq!(open(&["a", "b", "c"]), Some(json!({ "path": "a", "more": ["b", "c"] })));
    assert_eq!(open(&["--path", "a"]), Some(json!({ "path": "a", "more": [] })));
    assert_eq!(open(&["a", "--line", "-3"]), Some(json!({ "path": "a", "more": [], "line": -3 })));
    assert_eq!(open(&["--", "--x", "-y"]), Some(json!({ "path": "--x", "more": ["-y"] })));
    assert_eq!(open(&["a", "--", "--json"]), Some(json!({ "path": "a", "more": ["--json"] })));
    assert_eq!(open(&["a", "--new-window"]), Some(json!({ "path": "a", "more": [], "new-window": true })));
    assert_eq!(open(&["--new-window=false", "a"]), Some(json!({ "path": "a", "more": [], "new-window": false })));
    assert_eq!(open(&["--new-window", "a"]), Some(json!({ "path": "a", "more": [], "new-window": true })));
    assert_eq!(open(&["--new-window", "no", "a"]), Some(json!({ "path": "a", "more": [], "new-window": false })));
    assert_eq!(open(&["--new-window", "--", "a"]), Some(json!({ "path": "a", "more": [], "new-window": true })));
    assert_eq!(open(&[]), None);
    assert_eq!(open(&["--path", "a", "--path", "b"]), None);
}

#[test]
fn json_is_the_hosts_flag_everywhere() {
    let program = Program::new("tutti", &commands());
    let mode = |args: &[&str]| {
        let matches = program.command().try_get_matches_from([&["tutti"], args].concat()).unwrap();
        program.request(&matches).unwrap().output_mode
    };
    assert_eq!(mode(&["issue", "get"]), None);
    for args in [
        &["issue", "get", "--json"][..],
        &["--json", "issue", "get"],
        &["issue", "--json", "get"],
        &["issue", "get", "--json=true"],
    ] {
        assert_eq!(mode(args), Some(OutputMode::Json), "{args:?}");
    }
    assert_eq!(mode(&["issue", "get", "--json=false"]), None);
    let nothing = program.command().try_get_matches_from(["tutti"]);
    assert!(nothing.is_err());
    // A path that is a command and a group.
    let matches = program.command().try_get_matches_from(["tutti", "issue"]).unwrap();
    assert_eq!(program.request(&matches).unwrap().command_id, "tutti.issue");
}

/// How one value is written as flags.
fn flags(property: &Property, value: &Value, joined: bool, bare: bool) -> Vec<String> {
    let name = property.name();
    let one = |text: String| {
        // A word that starts with a dash and is no number needs the `=` form.
        if joined
            || (text.starts_with('-')
                && property.kind() != PropertyType::Integer
                && property.kind() != PropertyType::Number)
        {
            vec![format!("--{name}={text}")]
        } else {
            vec![format!("--{name}"), text]
        }
    };
    match value {
        Value::Bool(true) if bare => vec![format!("--{name}")],
        Value::Array(items) => items.iter().flat_map(|item| one(item.as_str().unwrap().to_owned())).collect(),
        Value::String(text) => one(text.clone()),
        other => one(other.to_string()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    /// Whatever argv and the binder take, clap and the binder take, and it comes to the same input.
    #[test]
    fn clap_parses_what_argv_parses((schema, values) in schema(), joined: u32, bare: u32, turn: u8) {
        let mut capability = Capability::new("a", ["a"], "s", json_output());
        capability.input_schema = schema.clone();
        let mut groups: Vec<Vec<String>> = schema.properties().iter().enumerate()
            .filter_map(|(index, property)| Some(flags(property, values.get(property.name())?, joined >> index & 1 == 1, bare >> index & 1 == 1)))
            .collect();
        if !groups.is_empty() {
            let middle = usize::from(turn) % groups.len();
            groups.rotate_left(middle);
        }
        let args: Vec<String> = groups.concat();
        let ours = argv::parse(&schema, args.clone());
        prop_assert!(ours.is_ok(), "{args:?}: {ours:?}");
        let ours: Map<String, Value> = bind(&schema, ours.unwrap()).unwrap();
        let theirs = clap_input(&Program::new("t", [&capability]), &["a"], &args);
        prop_assert!(theirs.is_ok(), "{args:?}: {}", theirs.unwrap_err());
        let theirs: Map<String, Value> = bind(&schema, theirs.unwrap()).unwrap();
        prop_assert_eq!(&theirs, &ours);
        // And both are what was written (an empty list is no flag at all).
        let mut values = values;
        values.retain(|_, value| *value != json!([]));
        let mut bound = ours;
        bound.retain(|_, value| *value != json!([]));
        prop_assert_eq!(bound, values);
    }
}

/// Words that mean much to one of the readers.
const WORDS: [&str; 23] = [
    "a",
    "true",
    "no",
    "5",
    "-3",
    "-0.5",
    "-y",
    "--",
    "",
    "--path",
    "--path=x",
    "--path=",
    "--more",
    "--more=m",
    "--new-window",
    "--new-window=false",
    "--new-window=maybe",
    "--line",
    "--line=7",
    "--line=-7",
    "--unknown",
    "=",
    "--path=-x",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    /// Any order of flags and words: what argv and the binder take, clap takes to the same input, and the
    /// other way round. (A lone dash as the value of a flag is clap's only surplus; it is no word here.)
    #[test]
    fn clap_and_argv_agree_on_any_words(picked in proptest::collection::vec(0..WORDS.len(), 0..7)) {
        let args: Vec<&str> = picked.into_iter().map(|index| WORDS[index]).collect();
        both(&["open"], &args);
    }
}

/// Runs a shell on a script; `None` with a clear word where the shell is missing.
fn run(shell: Shell, script: &str) -> Option<String> {
    let mut process = Process::new(shell.as_str());
    match shell {
        Shell::Bash => process.args(["--noprofile", "--norc", "-c", script]),
        Shell::Zsh => process.args(["-f", "-c", script]),
        _ => process.args(["--no-config", "-c", script]),
    };
    match process.output() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            println!("skipped: {} is not installed", shell.as_str());
            None
        }
        Err(error) => panic!("{error}"),
        Ok(output) => {
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success() && errors.trim().is_empty(), "{}: {errors}", shell.as_str());
            Some(String::from_utf8(output.stdout).unwrap())
        }
    }
}

/// Text that a shell may read as something else, in every place that an app can fill.
fn hostile() -> Capability {
    let text =
        "a `touch OWNED` $(touch OWNED) ${x} '; touch OWNED; ' \"; touch OWNED; \" [b] c:d \\ ! \n * ~ | & < > # {e,f}";
    let mut capability = Capability::new("app.evil.evil.run", ["evil", "run"], text, json_output());
    capability.description = Some(text.to_owned());
    capability.source = Some(Source::app("evil"));
    let property = |name: &str| Property::new(name, PropertyType::String).with_description(text);
    capability.input_schema = InputSchema::new(
        [
            property("bad-choice")
                .with_enum(["ok", "$(touch OWNED)", "`touch OWNED`", "a b"])
                .with_default("$(touch OWNED)"),
            property("good-choice").with_enum(["red", "green"]).with_default("red"),
        ],
        [""; 0],
    )
    .unwrap();
    capability
}

fn program() -> Program {
    let entries: Vec<cli_spec::export::Entry> = commands().iter().map(Into::into).chain([hostile().into()]).collect();
    Program::new("tutti", entries).about("It's `the` $program")
}

#[test]
fn bash_loads_and_completes() {
    let script = script(&program(), Shell::Bash);
    let complete = |words: &[&str]| -> Option<Vec<String>> {
        let list = words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" ");
        let end = words.len() - 1;
        let (current, before) = (words[end], words[end - 1]);
        let text = format!(
            "folder=$(mktemp -d); cd \"$folder\"\n{script}\ncomplete -p tutti >/dev/null || exit 3\nCOMP_WORDS=({list}); COMP_CWORD={end}\n_tutti tutti '{current}' '{before}'\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"\ncd / && rmdir \"$folder\""
        );
        run(Shell::Bash, &text).map(|out| out.lines().map(str::to_owned).collect())
    };
    let Some(top) = complete(&["tutti", ""]) else { return };
    for word in ["issue", "open", "evil", "--json", "--help"] {
        assert!(top.iter().any(|found| found == word), "{word}: {top:?}");
    }
    for word in ["serve", "sync", "old", "off"] {
        assert!(!top.iter().any(|found| found == word), "{word}: {top:?}");
    }
    assert_eq!(complete(&["tutti", "is"]).unwrap(), ["issue"]);
    let flags = complete(&["tutti", "issue", "list", "--"]).unwrap();
    for flag in ["--topic-id", "--page-size", "--priority", "--label", "--dry-run"] {
        assert!(flags.iter().any(|found| found == flag), "{flag}: {flags:?}");
    }
    assert_eq!(complete(&["tutti", "issue", "list", "--priority", ""]).unwrap(), ["high", "medium", "low"]);
    assert_eq!(complete(&["tutti", "evil", "run", "--good-choice", "g"]).unwrap(), ["green"]);
    complete(&["tutti", "evil", "run", "--bad-choice", ""]).unwrap();
    complete(&["tutti", "evil", ""]).unwrap();
}

#[test]
fn zsh_loads_and_completes() {
    let script = script(&program(), Shell::Zsh);
    // The completion function is loaded and run with the helpers of the completion system replaced by ones
    // that print what they are given.
    let text = format!(
        "folder=$(mktemp -d); cd \"$folder\"\nautoload -Uz compinit && compinit -u -D\nfunction _arguments() {{ print -r -- \"$@\"; return 1 }}\n\
         function _describe() {{ local name=\"${{@[-1]}}\"; print -rl -- ${{(P)name}} }}\n\
         {script}\n[[ -n \"$functions[_tutti]\" && \"$_comps[tutti]\" = _tutti ]] || exit 3\n_tutti; _tutti_commands; _tutti__evil__run_commands 2>/dev/null; _tutti__subcmd__evil_commands 2>/dev/null\ncd / && rmdir \"$folder\""
    );
    let Some(out) = run(Shell::Zsh, &text) else { return };
    for word in ["issue", "open", "evil", "--json"] {
        assert!(out.contains(word), "{word}: {out}");
    }
    assert!(!out.contains("serve"), "{out}");
    assert!(run(Shell::Zsh, &format!("set -n\n{script}")).is_some());
}

#[test]
fn fish_loads_and_completes() {
    let script = script(&program(), Shell::Fish);
    let complete = |line: &str| {
        let text = format!("set folder (mktemp -d); cd $folder\n{script}\ncomplete -C '{line}'\ncd / && rmdir $folder");
        run(Shell::Fish, &text)
            .map(|out| out.lines().map(|line| line.split('\t').next().unwrap().to_owned()).collect::<Vec<_>>())
    };
    let Some(top) = complete("tutti ") else { return };
    for word in ["issue", "open", "evil"] {
        assert!(top.iter().any(|found| found == word), "{word}: {top:?}");
    }
    assert!(!top.iter().any(|found| found == "serve"), "{top:?}");
    let values = complete("tutti issue list --priority ").unwrap();
    assert_eq!(values, ["high", "low", "medium"].map(str::to_owned), "fish sorts by itself");
    complete("tutti evil run --bad-choice ").unwrap();
    complete("tutti evil run --").unwrap();
}
