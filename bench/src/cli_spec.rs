//! `cli-spec`: terminal arguments against clap, binding against a `jsonschema` check plus `serde_json::from_value`.

use std::{hint::black_box, time::Instant};

use ::cli_spec::{argv, bind, schema::InputSchema};
use clap::{Arg, ArgAction};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::harness::Bench;

/// The design's target for both.
const TARGET: f64 = 0.5;

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
struct IssueList {
    topic_id: String,
    status: Option<Status>,
    search: Option<String>,
    #[schemars(range(min = 1, max = 100))]
    page_size: Option<u32>,
    page_token: Option<String>,
    #[serde(default)]
    label: Vec<String>,
    assigned: Option<bool>,
    score: Option<f64>,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Status {
    Open,
    Closed,
}

const ARGS: [&str; 15] = [
    "--topic-id",
    "t-1",
    "--status",
    "open",
    "--search=a=b",
    "--page-size",
    "20",
    "--label",
    "bug",
    "--label",
    "ui,ux",
    "--assigned",
    "--score",
    "-0.5",
    "--page-token=next",
];

pub(crate) fn run(bench: &mut Bench) {
    let schema = InputSchema::of::<IssueList>().expect("within the subset");
    arguments(bench, "argv, 8 flags", &schema, &ARGS, command());

    let many: Vec<String> = (0..bench.size(1_000)).map(|number| format!("--label=value-{number}")).collect();
    let mut many: Vec<&str> = many.iter().map(String::as_str).collect();
    many.extend(["--topic-id", "t-1"]);
    arguments(bench, "argv, 1,000 repetitions of a flag", &schema, &many, command());

    let typed = json!({
        "topic-id": "t-1", "status": "open", "search": "a=b", "page-size": 20, "label": ["bug", "ui,ux"],
        "assigned": true, "score": -0.5, "page-token": "next"
    });
    binding(bench, "bind, 8 inputs", &schema, &typed);
    binding(bench, "bind, 2 inputs", &schema, &json!({ "topic-id": "t-1", "page-size": 20 }));
}

/// clap with the same flags, built before the clock runs. Both leave the values as text, so that conversion is on neither side.
fn command() -> clap::Command {
    let text = |name: &'static str| Arg::new(name).long(name).allow_negative_numbers(true);
    clap::Command::new("list")
        .no_binary_name(true)
        .arg(text("topic-id"))
        .arg(text("status"))
        .arg(text("search"))
        .arg(text("page-size"))
        .arg(text("page-token"))
        .arg(text("label").action(ArgAction::Append))
        .arg(Arg::new("assigned").long("assigned").action(ArgAction::SetTrue))
        .arg(text("score"))
}

fn arguments(bench: &mut Bench, case: &str, schema: &InputSchema, args: &[&str], mut command: clap::Command) {
    let parsed = argv::parse(schema, args.iter().copied()).expect("valid");
    let matches = command.try_get_matches_from_mut(args).expect("valid for clap");
    let label = parsed["label"].as_array().map(Vec::len);
    assert_eq!(label, matches.get_many::<String>("label").map(|values| values.len()));
    bench.versus(
        case,
        "the flags of `issue list`",
        TARGET,
        || argv::parse(schema, args.iter().copied()),
        "clap, built before",
        || command.try_get_matches_from_mut(args),
    );
}

/// Inputs made before the clock runs: binding takes its input, so each call needs one of its own.
const BATCH: usize = 64;

/// The target is held against a check from the schema as it is and against a validator that was compiled before. The second peer
/// does little more than drop the input, which both have to do: that alone is nearly half of its time.
fn binding(bench: &mut Bench, case: &str, schema: &InputSchema, input: &Value) {
    let written = serde_json::to_value(schema).expect("JSON");
    let validator = jsonschema::validator_for(&written).expect("a schema");
    let ours = |input: Value| match input {
        Value::Object(fields) => bind::<IssueList>(schema, fields).expect("binds"),
        _ => unreachable!("the inputs are objects"),
    };
    let check = |input: Value| {
        jsonschema::validate(&written, &input).expect("valid");
        serde_json::from_value::<IssueList>(input).expect("binds")
    };
    let compiled = |input: Value| {
        validator.validate(&input).expect("valid");
        serde_json::from_value::<IssueList>(input).expect("binds")
    };
    assert_eq!(ours(input.clone()), check(input.clone()));
    assert_eq!(ours(input.clone()), compiled(input.clone()));
    let about = "values of the declared types, made before";
    let rounds = bench.size(256).max(16);
    let ratio = ratio(rounds.min(32), input, ours, check);
    bench.fact(case, about, TARGET, "jsonschema, then from_value", ratio);
    let ratio = self::ratio(rounds, input, ours, compiled);
    bench.fact(case, about, TARGET, "the same, compiled before", ratio);
}

/// The median ratio of batches that take turns in going first.
fn ratio<A, B>(rounds: usize, input: &Value, ours: impl Fn(Value) -> A, theirs: impl Fn(Value) -> B) -> f64 {
    let mut ratios: Vec<f64> = (0..rounds)
        .map(|round| {
            if round % 2 == 0 {
                let mine = batch(input, &ours);
                mine / batch(input, &theirs)
            } else {
                let other = batch(input, &theirs);
                batch(input, &ours) / other
            }
        })
        .collect();
    ratios.sort_by(f64::total_cmp);
    ratios[ratios.len() / 2]
}

/// Seconds that a batch takes, the making and dropping of values apart.
fn batch<T>(input: &Value, bind: impl Fn(Value) -> T) -> f64 {
    let inputs = vec![input.clone(); BATCH];
    let mut bound = Vec::with_capacity(BATCH);
    let start = Instant::now();
    bound.extend(inputs.into_iter().map(bind));
    let taken = start.elapsed().as_secs_f64();
    drop(black_box(bound));
    taken
}
