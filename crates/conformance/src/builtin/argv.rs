//! Input schemas, binding, terminal arguments, and finding a command.

use cli_spec::argv::{Parser, host_flags};
use cli_spec::schema::InputSchema;
use cli_spec::{
    Capability, Command, CommandOutput, ErrorEnvelope, InputError, InputProblem, OutputMode, OutputSpec, Registry,
    Source, Visibility, Warning, bind_json, bind_reporting, bind_strict,
};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Given, read, write};
use crate::answer::Answer;

pub(super) fn answer(op: &str, input: &Value) -> Option<Given> {
    Some(match op {
        "schema.subset" => subset(input),
        "input.bind" => bind(input),
        "argv.parse" => parse(input),
        "argv.host" => host(input),
        "command.find" => find(input),
        _ => return None,
    })
}

impl From<InputError> for Answer {
    /// The code of the first problem, and all of them.
    fn from(error: InputError) -> Self {
        let code = error.all().first().map_or(error.code(), InputProblem::code);
        let problem = |problem: &InputProblem| {
            let name = problem.input().map(|name| name.trim_start_matches('-'));
            json!({ "code": problem.code(), "input": name })
        };
        let problems: Vec<Value> = error.all().iter().map(problem).collect();
        let answer = Self::error(code).with("problems", problems);
        match error.offset() {
            Some(offset) => answer.with("offset", offset),
            None => answer,
        }
    }
}

#[derive(Deserialize)]
struct Subset {
    schema: Value,
}

fn subset(input: &Value) -> Given {
    let schema = InputSchema::reduce(&read::<Subset>(input)?.schema).map_err(|error| {
        let answer = Answer::error(error.code());
        match error.all().first() {
            Some(problem) => answer.with("pointer", problem.pointer()),
            None => answer,
        }
    })?;
    Ok(json!({ "schema": write(&schema)? }))
}

#[derive(Deserialize)]
struct Bind {
    schema: InputSchema,
    input: Option<Map<String, Value>>,
    json: Option<String>,
    #[serde(default)]
    strict: bool,
}

fn bound(input: &Map<String, Value>, warnings: &[Warning]) -> Value {
    let codes: Vec<&str> = warnings.iter().map(|warning| warning.code.as_str()).collect();
    json!({ "input": input, "warnings": codes })
}

fn bind(input: &Value) -> Given {
    let bind: Bind = read(input)?;
    if let Some(json) = &bind.json {
        return Ok(bound(&bind_json(&bind.schema, json.as_bytes())?, &[]));
    }
    let input = bind.input.unwrap_or_default();
    if bind.strict {
        return Ok(bound(&bind_strict(&bind.schema, input)?, &[]));
    }
    let (input, warnings) = bind_reporting(&bind.schema, input)?;
    Ok(bound(&input, &warnings))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Arguments {
    schema: InputSchema,
    args: Vec<String>,
    #[serde(default)]
    positionals: Vec<String>,
    #[serde(default)]
    allow_unknown: bool,
}

fn parse(input: &Value) -> Given {
    let input: Arguments = read(input)?;
    let mut parser = Parser::new(&input.schema).positionals(&input.positionals);
    if input.allow_unknown {
        parser = parser.allow_unknown();
    }
    let (bound_input, warnings) = bind_reporting(&input.schema, parser.parse(input.args)?)?;
    Ok(bound(&bound_input, &warnings))
}

#[derive(Deserialize)]
struct Words {
    args: Vec<String>,
}

fn host(input: &Value) -> Given {
    let flags = host_flags(read::<Words>(input)?.args);
    match flags.problem {
        Some(problem) => Err(problem.into()),
        None => Ok(json!({ "json": flags.json, "help": flags.help, "rest": flags.rest })),
    }
}

#[derive(Deserialize)]
struct Find {
    commands: Vec<Declared>,
    words: Vec<String>,
}

#[derive(Deserialize)]
struct Declared {
    id: String,
    path: Vec<String>,
    #[serde(default)]
    visibility: Visibility,
}

fn find(input: &Value) -> Given {
    let input: Find = read(input)?;
    let mut registry = Registry::builder("app");
    for declared in input.commands {
        let output = OutputSpec { default_mode: OutputMode::Json, json: true, table: None };
        let mut capability = Capability::new(declared.id, declared.path, "Summary", output);
        capability.visibility = declared.visibility;
        capability.source = Some(Source::app("a"));
        let handler = |_| async { Ok::<_, ErrorEnvelope>(CommandOutput::json(Value::Null)) };
        let command = Command::app(capability, handler).map_err(|error| Answer::error(error.code()))?;
        registry = registry.command(command);
    }
    let registry = registry.build().map_err(|error| Answer::error(error.code()))?;
    let found = registry.find(&input.words).map_err(|error| Answer::error(error.code()))?;
    Ok(json!({ "id": found.command.id(), "consumed": found.consumed }))
}
