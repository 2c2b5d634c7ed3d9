//! Signpost measured against named peers.
//!
//! `cargo run --release -p bench [-- AREA] [--json] [--smoke] [--check]`
//!
//! Every figure is a ratio of two contenders that took turns in the same process, or the growth of one
//! contender when its input doubles. `--smoke` shrinks the inputs (does everything still run?), `--check`
//! exits with 1 when a target is missed.

mod alloc;
mod cli_spec;
mod harness;
mod mention_contract;
mod mention_uri;
mod ref_resolve;

use std::process::ExitCode;

use harness::{Bench, Options};

/// An area: its name on the command line and what it measures.
type Area = (&'static str, fn(&mut Bench));

/// All areas, in the order in which they run.
const AREAS: &[Area] = &[
    ("mention-uri", mention_uri::run),
    ("mention-contract", mention_contract::run),
    ("ref-resolve", ref_resolve::run),
    ("cli-spec", cli_spec::run),
];

fn main() -> ExitCode {
    let mut options = Options::default();
    let mut wanted = Vec::new();
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--json" => options.json = true,
            "--smoke" => options.smoke = true,
            "--check" => options.check = true,
            "--help" | "-h" => {
                println!("{}", usage());
                return ExitCode::SUCCESS;
            }
            area if AREAS.iter().any(|(name, _)| *name == area) => wanted.push(argument),
            other => {
                eprintln!("bench: unknown argument {other:?}\n{}", usage());
                return ExitCode::from(2);
            }
        }
    }
    let mut bench = Bench::new(options);
    for (name, run) in AREAS {
        if wanted.is_empty() || wanted.iter().any(|area| area == name) {
            bench.area(name);
            run(&mut bench);
        }
    }
    bench.finish()
}

fn usage() -> String {
    let areas: Vec<&str> = AREAS.iter().map(|(name, _)| *name).collect();
    format!("usage: bench [AREA]... [--json] [--smoke] [--check]\nareas: {}", areas.join(", "))
}
