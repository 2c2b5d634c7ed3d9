//! How figures are taken, for all areas alike.
//!
//! [`Bench::versus`] lets two contenders take turns (at least [`RUNS`] pairs after a warm-up; each run repeats its
//! closure until it lasts [`SLICE`]), and reports the median, least and greatest of the ratios pair by
//! pair. [`Bench::doubling`] measures one contender on an input of size n and 2n in the same way: a ratio near 2
//! is linear. [`Bench::fact`] records a figure taken some other way (memory, a share).

use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::alloc;

/// Counted pairs of runs.
const RUNS: usize = 7;
/// A run repeats its closure until it lasts at least this long.
const SLICE: Duration = Duration::from_millis(4);

/// What the command line chose.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Options {
    pub(crate) json: bool,
    pub(crate) smoke: bool,
    pub(crate) check: bool,
}

/// One line of the table.
#[derive(Debug, Serialize)]
pub(crate) struct Row {
    area: &'static str,
    case: String,
    peer: String,
    /// Ours divided by the peer's, or the growth factor of a doubling.
    ratio: f64,
    ratio_min: f64,
    ratio_max: f64,
    /// The greatest ratio that is good enough; absent where the row only informs.
    target: Option<f64>,
    met: Option<bool>,
    /// The inputs, described.
    about: String,
    /// Median time of one call of ours, nanoseconds.
    ours_ns: Option<f64>,
    /// Median time of one call of the peer (for a doubling: of the smaller input), nanoseconds.
    peer_ns: Option<f64>,
    /// Allocations of one call of ours.
    allocations: Option<usize>,
    /// Most bytes held during one call of ours.
    peak_bytes: Option<usize>,
}

/// Collects rows; see the module docs.
#[derive(Debug)]
pub(crate) struct Bench {
    options: Options,
    area: &'static str,
    rows: Vec<Row>,
}

impl Bench {
    pub(crate) fn new(options: Options) -> Self {
        Self { options, area: "", rows: Vec::new() }
    }

    pub(crate) fn area(&mut self, name: &'static str) {
        self.area = name;
    }

    /// The size of an input: `full`, or a sixteenth of it in smoke mode.
    pub(crate) fn size(&self, full: usize) -> usize {
        if self.options.smoke { (full / 16).max(1) } else { full }
    }

    /// Ours against a named peer on the same input; at most `target` times the peer's time is good enough.
    pub(crate) fn versus<A, B>(
        &mut self,
        case: &str,
        about: &str,
        target: impl Into<Option<f64>>,
        mut ours: impl FnMut() -> A,
        peer: &str,
        mut theirs: impl FnMut() -> B,
    ) {
        let (usage, first) = alloc::measure(|| black_box(ours()));
        drop(first);
        let pairs = interleave(self.runs(), &mut ours, &mut theirs);
        self.push(case, about, peer, target.into(), &pairs, Some(usage));
    }

    #[allow(dead_code, reason = "used by areas with hostile inputs")]
    /// Growth of one contender from an input of `size` to one of twice that; linear is 2.
    pub(crate) fn doubling<I, A>(
        &mut self,
        case: &str,
        about: &str,
        target: impl Into<Option<f64>>,
        size: usize,
        input: impl Fn(usize) -> I,
        work: impl Fn(&I) -> A,
    ) {
        let size = self.size(size);
        let (small, large) = (input(size), input(size * 2));
        let (usage, first) = alloc::measure(|| black_box(work(&large)));
        drop(first);
        let pairs = interleave(self.runs(), &mut || work(&large), &mut || work(&small));
        self.push(case, about, "half the input", target.into(), &pairs, Some(usage));
    }

    /// A figure that was taken some other way: `ratio` of ours to `peer`.
    #[allow(dead_code, reason = "used by areas that measure memory")]
    pub(crate) fn fact(&mut self, case: &str, about: &str, target: impl Into<Option<f64>>, peer: &str, ratio: f64) {
        let target = target.into();
        self.show(Row {
            area: self.area,
            case: case.to_owned(),
            peer: peer.to_owned(),
            ratio,
            ratio_min: ratio,
            ratio_max: ratio,
            target,
            met: target.map(|target| ratio <= target),
            about: about.to_owned(),
            ours_ns: None,
            peer_ns: None,
            allocations: None,
            peak_bytes: None,
        });
    }

    fn runs(&self) -> usize {
        if self.options.smoke { 3 } else { RUNS }
    }

    fn push(
        &mut self,
        case: &str,
        about: &str,
        peer: &str,
        target: Option<f64>,
        pairs: &[(f64, f64)],
        usage: Option<alloc::Usage>,
    ) {
        let ratios = sorted(pairs.iter().map(|(ours, theirs)| ours / theirs));
        let ratio = median(&ratios);
        self.show(Row {
            area: self.area,
            case: case.to_owned(),
            peer: peer.to_owned(),
            ratio,
            ratio_min: ratios[0],
            ratio_max: ratios[ratios.len() - 1],
            target,
            met: target.map(|target| ratio <= target),
            about: about.to_owned(),
            ours_ns: Some(median(&sorted(pairs.iter().map(|pair| pair.0)))),
            peer_ns: Some(median(&sorted(pairs.iter().map(|pair| pair.1)))),
            allocations: usage.map(|usage| usage.calls),
            peak_bytes: usage.map(|usage| usage.peak),
        });
    }

    fn show(&mut self, row: Row) {
        if !self.options.json {
            if self.rows.is_empty() {
                println!(
                    "{:<16} {:<44} {:<28} {:>7} {:>17} {:>7} {:>4}  {:>10} {:>8} {:>9}",
                    "area", "case", "peer", "ratio", "min..max", "target", "met", "ours", "allocs", "peak"
                );
            }
            println!(
                "{:<16} {:<44} {:<28} {:>7.3} {:>8.3}..{:<7.3} {:>7} {:>4}  {:>10} {:>8} {:>9}",
                row.area,
                row.case,
                row.peer,
                row.ratio,
                row.ratio_min,
                row.ratio_max,
                row.target.map_or_else(|| "-".to_owned(), |target| format!("{target:.2}")),
                match row.met {
                    Some(true) => "yes",
                    Some(false) => "NO",
                    None => "-",
                },
                row.ours_ns.map_or_else(|| "-".to_owned(), duration),
                row.allocations.map_or_else(|| "-".to_owned(), |calls| calls.to_string()),
                row.peak_bytes.map_or_else(|| "-".to_owned(), bytes),
            );
        }
        self.rows.push(row);
    }

    /// Prints what is left to print; the exit code is 1 only with `--check` and a missed target.
    pub(crate) fn finish(self) -> ExitCode {
        let missed = self.rows.iter().filter(|row| row.met == Some(false)).count();
        if self.options.json {
            match serde_json::to_string_pretty(&self.rows) {
                Ok(text) => println!("{text}"),
                Err(error) => {
                    eprintln!("bench: {error}");
                    return ExitCode::FAILURE;
                }
            }
        } else {
            println!("{} rows, {missed} over their target", self.rows.len());
        }
        if self.options.check && missed > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS }
    }
}

/// Nanoseconds a call of each, pair by pair, the two taking turns and the order changing from pair to pair.
fn interleave<A, B>(runs: usize, ours: &mut impl FnMut() -> A, theirs: &mut impl FnMut() -> B) -> Vec<(f64, f64)> {
    let (ours_times, theirs_times) = (repeats(ours), repeats(theirs));
    (0..runs)
        .map(|run| {
            if run % 2 == 0 {
                let first = time(ours_times, ours);
                (first, time(theirs_times, theirs))
            } else {
                let second = time(theirs_times, theirs);
                (time(ours_times, ours), second)
            }
        })
        .collect()
}

/// How many calls fill a slice; serves as the warm-up too.
fn repeats<T>(work: &mut impl FnMut() -> T) -> u32 {
    let mut calls = 1;
    loop {
        let start = Instant::now();
        for _ in 0..calls {
            black_box(work());
        }
        let spent = start.elapsed();
        if spent >= SLICE || calls >= 1 << 24 {
            return calls;
        }
        calls *= 2;
    }
}

fn time<T>(calls: u32, work: &mut impl FnMut() -> T) -> f64 {
    let start = Instant::now();
    for _ in 0..calls {
        black_box(work());
    }
    start.elapsed().as_secs_f64() * 1e9 / f64::from(calls)
}

fn sorted(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values
}

fn median(sorted: &[f64]) -> f64 {
    let middle = sorted.len() / 2;
    if sorted.len() % 2 == 1 { sorted[middle] } else { f64::midpoint(sorted[middle - 1], sorted[middle]) }
}

fn duration(nanoseconds: f64) -> String {
    match nanoseconds {
        n if n < 1e3 => format!("{n:.0} ns"),
        n if n < 1e6 => format!("{:.1} µs", n / 1e3),
        n if n < 1e9 => format!("{:.1} ms", n / 1e6),
        n => format!("{:.2} s", n / 1e9),
    }
}

#[allow(clippy::cast_precision_loss, reason = "shown with one decimal")]
fn bytes(count: usize) -> String {
    match count {
        n if n < 1 << 10 => format!("{n} B"),
        n if n < 1 << 20 => format!("{:.1} KiB", n as f64 / 1024.0),
        n => format!("{:.1} MiB", n as f64 / (1024.0 * 1024.0)),
    }
}
