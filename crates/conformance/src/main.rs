//! The command `conformance`; see the crate's documentation and `--help`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command prints")]

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use cli_spec::argv::{HostFlags, Parser, host_flags};
use cli_spec::schema::InputSchema;
use cli_spec::{ErrorEnvelope, InputError, IntoEnvelope, bind, reason, render};
use conformance::{Adapter, BuiltIn, Filter, FixtureError, Subprocess, fixture, run, schema, serve};
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;

const USAGE: &str = "\
Runs the Signpost fixtures against an implementation.

usage: conformance [--fixtures DIR]… [--adapter 'COMMAND ARGS'] [--area A] [--case ID] [--json]
       conformance check [--fixtures DIR]… [--json]
       conformance adapter

  --fixtures DIR   a folder of fixtures (again for more); the repository's own by default
  --adapter CMD    the implementation: a command that answers JSON lines; built in by default
  --area A         only cases of this area, such as token
  --case ID        only cases of this id, such as closing-paren-in-id or token/scan/closing-paren-in-id
  --json           the report as one JSON object

  check            holds the fixture files against their schemas and runs nothing
  adapter          serves the built-in adapter over stdin and stdout

exit: 0 nothing failed, 1 something did, 2 a bad invocation or a broken fixture file
";

/// The inputs of a run.
#[derive(Debug, Deserialize, JsonSchema)]
struct Run {
    /// Folders of fixtures.
    #[serde(default)]
    fixtures: Vec<String>,
    /// The command of the adapter.
    adapter: Option<String>,
    /// Only this area.
    area: Option<String>,
    /// Only this case.
    case: Option<String>,
}

/// The inputs of a check.
#[derive(Debug, Deserialize, JsonSchema)]
struct Check {
    /// Folders of fixtures.
    #[serde(default)]
    fixtures: Vec<String>,
}

/// The adapter takes none.
#[derive(Debug, Deserialize, JsonSchema)]
struct Nothing {}

fn main() -> ExitCode {
    let flags = host_flags(std::env::args().skip(1));
    if flags.help {
        return write_out(USAGE);
    }
    let json = flags.json;
    match invoke(flags) {
        Ok(code) => code,
        Err(envelope) => {
            if json {
                write_out(&render::error(&envelope));
            } else {
                eprintln!("conformance: {envelope}");
            }
            ExitCode::from(2)
        }
    }
}

fn invoke(flags: HostFlags) -> Result<ExitCode, ErrorEnvelope> {
    if let Some(problem) = flags.problem {
        return Err(problem.into_envelope());
    }
    let (json, rest) = (flags.json, flags.rest);
    match rest.first().map(String::as_str) {
        Some("check") => check(&read::<Check>(rest.into_iter().skip(1))?, json),
        Some("adapter") => {
            read::<Nothing>(rest.into_iter().skip(1))?;
            let (input, output) = (io::stdin().lock(), io::stdout().lock());
            // A reader that has gone away is the normal end.
            let _ = serve(&mut BuiltIn::new(), input, output);
            Ok(ExitCode::SUCCESS)
        }
        _ => run_cases(&read::<Run>(rest)?, json),
    }
}

/// Reads arguments by the declaration of their type.
fn read<T: DeserializeOwned + JsonSchema>(words: impl IntoIterator<Item = String>) -> Result<T, ErrorEnvelope> {
    let schema = InputSchema::of::<T>().map_err(|error| ErrorEnvelope::new(error.code(), error.to_string()))?;
    let input = Parser::new(&schema).parse(words).map_err(usage)?;
    bind(&schema, input).map_err(usage)
}

fn usage(error: InputError) -> ErrorEnvelope {
    error.into_envelope().with_hint("See `conformance --help`.")
}

fn broken(error: &FixtureError) -> ErrorEnvelope {
    ErrorEnvelope::new(error.code(), error.to_string()).usage()
}

fn folders(given: &[String]) -> Vec<PathBuf> {
    if given.is_empty() { vec![fixture::standard_folder()] } else { given.iter().map(PathBuf::from).collect() }
}

fn load(given: &[String]) -> Result<Vec<fixture::Suite>, ErrorEnvelope> {
    let mut suites = Vec::new();
    for folder in folders(given) {
        suites.extend(schema::load_checked(&folder).map_err(|error| broken(&error))?);
    }
    Ok(suites)
}

fn check(inputs: &Check, json: bool) -> Result<ExitCode, ErrorEnvelope> {
    let suites = load(&inputs.fixtures)?;
    let cases: usize = suites.iter().map(|suite| suite.cases.len()).sum();
    let files = suites.len();
    Ok(if json {
        write_out(&format!("{}\n", serde_json::json!({ "files": files, "cases": cases })))
    } else {
        write_out(&format!("{files} files with {cases} cases are as their schemas say\n"))
    })
}

fn run_cases(inputs: &Run, json: bool) -> Result<ExitCode, ErrorEnvelope> {
    let invalid = |message: String| ErrorEnvelope::new(reason::INVALID_INPUT, message);
    let suites = load(&inputs.fixtures)?;
    let filter = Filter { area: inputs.area.clone(), case: inputs.case.clone() };
    if let Some(area) = inputs.area.as_deref().filter(|area| !suites.iter().any(|suite| suite.area() == *area)) {
        let mut known: Vec<&str> = suites.iter().map(fixture::Suite::area).collect();
        known.dedup();
        return Err(invalid(format!("no fixtures of the area {area:?}; there are {}", known.join(", "))));
    }
    if filter.count(&suites) == 0 {
        let case = inputs.case.as_deref().unwrap_or_default();
        return Err(invalid(format!("no case {case:?} in these fixtures")));
    }
    let mut adapter: Box<dyn Adapter> = match &inputs.adapter {
        None => Box::new(BuiltIn::new()),
        Some(command) => {
            let started = Subprocess::new(command);
            Box::new(started.map_err(|error| ErrorEnvelope::new(error.code(), error.to_string()).usage())?)
        }
    };
    let terminal = io::stderr().is_terminal();
    let report = run(&suites, &filter, adapter.as_mut(), |done, total, suite| {
        if terminal {
            eprint!("\r\x1b[K{done}/{total} {suite}");
        }
    });
    if terminal {
        eprint!("\r\x1b[K");
    }
    if json {
        write_out(&format!("{}\n", report.to_json()));
    } else {
        write_out(&report.to_string());
    }
    Ok(if report.passed() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Prints; a reader that has gone away is no failure of ours.
fn write_out(text: &str) -> ExitCode {
    let mut out = io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    ExitCode::SUCCESS
}
