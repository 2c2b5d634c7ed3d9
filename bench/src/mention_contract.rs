//! `mention-contract`: searching many records.

use std::hint::black_box;
use std::time::Instant;

use mention_contract::rank::{Index, Query, Record, Session, Updated};
use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};
use rusqlite::Connection;

use crate::alloc;
use crate::harness::Bench;

const RECORDS: usize = 1_000_000;
const BEST: usize = 8;

/// As people type them.
const QUERIES: [&str; 40] = [
    "f",
    "fi",
    "fix",
    "fix l",
    "fix lo",
    "fix login",
    "a",
    "s",
    "re",
    "red",
    "redirect",
    "KAN-12",
    "kan-1",
    "#4711",
    "99",
    "OPS-250000",
    "ops-",
    "login fix",
    "cache time",
    "update dep",
    "r l",
    "e c",
    "upload retry",
    "timeout cache worker",
    "the",
    "edirec",
    "ogin",
    "achin",
    "dependenc",
    "x",
    "q",
    "zz",
    "zzqx",
    "fix zzqx",
    "nothing at all like this",
    "qqq",
    "ne",
    "wor",
    "worker p",
    "please fix",
];

/// Typed key by key.
const TYPED: [&str; 6] =
    ["fix login redirect", "kan-12345", "cache timeout", "redirect upload w", "zzqx", "the worker fails"];

pub(crate) fn run(bench: &mut Bench) {
    let records = records(bench.size(RECORDS));
    let index = building(bench, &records);
    searching(bench, &records, &index);
    typing(bench, &index);
    changing(bench, &records, index);
}

fn building(bench: &mut Bench, records: &[Ticket]) -> Index<String> {
    let about = about(records);
    let (usage, index) = alloc::measure(|| Index::from_records(records));
    let allowed = 2 * records.iter().map(Ticket::bytes).sum::<usize>() + 64 * records.len();
    bench.fact("Index: memory", &about, 1.0, "2 x text + 64 B a record", ratio(usage.kept, allowed));
    let mut ratios: Vec<f64> = (0..3)
        .map(|_| {
            let ours = seconds(|| Index::from_records(records));
            let mut titles: Vec<&str> = records.iter().map(|record| record.title.as_str()).collect();
            ours / seconds(|| titles.sort())
        })
        .collect();
    bench.fact("Index::from_records", &about, 6.0, "sorting the titles", median(&mut ratios));
    index
}

fn searching(bench: &mut Bench, records: &[Ticket], index: &Index<String>) {
    let about = format!("40 queries, best {BEST}, {}", about(records));
    let full_text = full_text(records);
    let mut matcher = Matcher::new(Config::DEFAULT);
    let (mut to_nucleo, mut to_fts, mut ours_all) = (Vec::new(), Vec::new(), Vec::new());
    for text in QUERIES {
        let mut ours = Vec::new();
        let mut nucleo = Vec::new();
        let mut fts = Vec::new();
        for _ in 0..3 {
            ours.push(repeated(|| index.search(&Query::new(text), BEST)));
            nucleo.push(seconds(|| fuzzy(records, text, &mut matcher)));
            fts.push(seconds(|| prefixed(&full_text, text)));
        }
        let (ours, nucleo, fts) = (median(&mut ours), median(&mut nucleo), median(&mut fts));
        if std::env::var_os("BENCH_QUERIES").is_some() {
            eprintln!("{text:>26}  {:>9.1} µs  nucleo {:>9.1} µs  fts {:>9.1} µs", ours * 1e6, nucleo * 1e6, fts * 1e6);
        }
        to_nucleo.push(ours / nucleo);
        to_fts.push(ours / fts);
        ours_all.push((ours, nucleo));
    }
    let worst = |ratios: &[f64]| ratios.iter().copied().fold(0.0, f64::max);
    let slowest = ours_all.iter().map(|pair| pair.0).fold(0.0, f64::max) / {
        let mut nucleo: Vec<f64> = ours_all.iter().map(|pair| pair.1).collect();
        median(&mut nucleo)
    };
    bench.fact(
        "Index::search: median query",
        &about,
        0.1,
        "nucleo-matcher over titles",
        median(&mut to_nucleo.clone()),
    );
    bench.fact("Index::search: worst query", &about, 1.0, "nucleo-matcher over titles", worst(&to_nucleo));
    bench.fact("Index::search: slowest of ours", &about, None, "median of nucleo-matcher", slowest);
    bench.fact("Index::search: median query", &about, 0.1, "SQLite FTS5 prefix, by rank", median(&mut to_fts.clone()));
    bench.fact("Index::search: worst query", &about, None, "SQLite FTS5 prefix, by rank", worst(&to_fts));
}

fn typing(bench: &mut Bench, index: &Index<String>) {
    let mut worst: f64 = 0.0;
    for typed in TYPED {
        let ends: Vec<usize> = (1..=typed.len()).collect();
        let mut times = vec![Vec::new(); ends.len()];
        for _ in 0..21 {
            let mut session = Session::new();
            for (times, end) in times.iter_mut().zip(&ends) {
                let query = Query::new(&typed[..*end]);
                times.push(seconds(|| session.search(index, &query, BEST)));
            }
        }
        let times: Vec<f64> = times.iter_mut().map(|times| median(times)).collect();
        if std::env::var_os("BENCH_QUERIES").is_some() {
            let shown: Vec<String> = times.iter().map(|time| format!("{:.0}", time * 1e6)).collect();
            eprintln!("{typed:>26}  {} µs", shown.join(" "));
        }
        let later = times[1..].iter().copied().fold(0.0, f64::max);
        worst = worst.max(later / times[0]);
    }
    bench.fact("Session: slowest further keystroke", "six queries typed key by key", 1.0, "the first keystroke", worst);
}

fn changing(bench: &mut Bench, records: &[Ticket], mut index: Index<String>) {
    let changes: Vec<&Ticket> = records.iter().step_by(97).take(2000).collect();
    let each = seconds(|| {
        for record in &changes {
            black_box(index.update(*record));
        }
    }) / ratio(changes.len(), 1);
    let query = Query::new("fix lo");
    let search = repeated(|| index.search(&query, BEST));
    bench.fact("Index::update, a record", "2,000 updates", None, "a search for `fix lo` after", each / search);
}

/// A generated record.
struct Ticket {
    id: String,
    handle: String,
    title: String,
    body: String,
    updated: i64,
}

impl Ticket {
    fn bytes(&self) -> usize {
        self.id.len() + self.handle.len() + self.title.len() + self.body.len()
    }
}

impl Record for Ticket {
    type Id = String;

    fn id(&self) -> String {
        self.id.clone()
    }

    fn handles(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.handle.as_str())
    }

    fn title(&self) -> &str {
        &self.title
    }

    fn body(&self) -> &str {
        &self.body
    }

    fn updated_at(&self) -> Option<Updated> {
        Some(Updated::from_unix_micros(self.updated))
    }
}

/// Common words first: they are drawn more often.
const COMMON: &[&str] = &[
    "the",
    "fix",
    "login",
    "update",
    "redirect",
    "cache",
    "worker",
    "timeout",
    "retry",
    "upload",
    "page",
    "fails",
    "when",
    "after",
    "user",
    "dependency",
    "add",
    "remove",
    "error",
    "request",
    "session",
    "search",
    "index",
    "please",
    "review",
    "build",
    "release",
    "slow",
    "menu",
    "machine",
    "empty",
    "list",
    "new",
    "config",
    "token",
    "expired",
    "link",
    "preview",
    "render",
    "storage",
    "queue",
    "email",
    "calendar",
];

fn records(count: usize) -> Vec<Ticket> {
    const SYLLABLES: &[&str] = &[
        "ba", "con", "der", "el", "fo", "gra", "hi", "in", "jo", "ka", "lu", "men", "no", "or", "per", "ri", "sta",
        "tion", "ur", "ve", "wi", "y",
    ];
    let mut random = Random(42);
    let rare: Vec<String> = (0..20_000)
        .map(|_| (0..2 + random.below(3)).map(|_| SYLLABLES[random.below(SYLLABLES.len())]).collect())
        .collect();
    let text = |random: &mut Random, bytes: usize| {
        let mut text = String::with_capacity(bytes + 16);
        while text.len() < bytes {
            let word = match random.below(4) {
                // Roughly by Zipf's law: the square favours the first.
                0 | 1 => COMMON[random.below(COMMON.len()) * random.below(COMMON.len()) / COMMON.len()],
                _ => &rare[random.below(rare.len()) * random.below(rare.len()) / rare.len()],
            };
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(word);
        }
        text
    };
    (0..count)
        .map(|at| {
            let mut title = text(&mut random, 36);
            title[..1].make_ascii_uppercase();
            let project = ["KAN", "OPS", "WEB"][at % 3];
            Ticket {
                id: format!("rec_{:08x}", u32::try_from(at).unwrap_or(0).wrapping_mul(2_654_435_761)),
                handle: format!("{project}-{at}"),
                title,
                body: text(&mut random, 196),
                updated: i64::try_from(random.below(1 << 40)).unwrap_or(0),
            }
        })
        .collect()
}

/// The best titles by nucleo's score, on one thread.
fn fuzzy(records: &[Ticket], text: &str, matcher: &mut Matcher) -> Vec<(u32, usize)> {
    let pattern = Pattern::parse(text, CaseMatching::Ignore, Normalization::Smart);
    let mut buffer = Vec::new();
    let mut best: Vec<(u32, usize)> = Vec::new();
    for (at, record) in records.iter().enumerate() {
        if let Some(score) = pattern.score(Utf32Str::new(&record.title, &mut buffer), matcher) {
            if best.len() < BEST || best.last().is_some_and(|last| last.0 < score) {
                let place = best.partition_point(|known| known.0 >= score);
                best.insert(place, (score, at));
                best.truncate(BEST);
            }
        }
    }
    best
}

fn full_text(records: &[Ticket]) -> Connection {
    let database = Connection::open_in_memory().expect("SQLite opens in memory");
    database
        .execute_batch("create virtual table t using fts5(handle, title, body, prefix='1 2 3'); begin")
        .expect("FTS5 is there");
    {
        let mut insert = database
            .prepare("insert into t(rowid, handle, title, body) values (?, ?, ?, ?)")
            .expect("a good statement");
        for (at, record) in records.iter().enumerate() {
            let row = i64::try_from(at).unwrap_or(0);
            insert.execute((row, &record.handle, &record.title, &record.body)).expect("a good row");
        }
    }
    database.execute_batch("commit; insert into t(t) values ('optimize')").expect("FTS5 optimizes");
    database
}

/// Every word, the last one as a prefix.
fn prefixed(database: &Connection, text: &str) -> Vec<i64> {
    let words: Vec<String> =
        text.split_whitespace().map(|word| format!("\"{}\"", word.trim_start_matches('#'))).collect();
    let query = format!("{}*", words.join(" "));
    let mut select =
        database.prepare_cached("select rowid from t where t match ? order by rank limit 8").expect("a good statement");
    let rows = select.query_map([query], |row| row.get(0)).expect("a good query");
    rows.collect::<Result<_, _>>().expect("good rows")
}

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 20).unwrap_or(0) % bound
    }
}

fn about(records: &[Ticket]) -> String {
    let bytes = |of: fn(&Ticket) -> usize| records.iter().map(of).sum::<usize>() / records.len().max(1);
    format!(
        "{} records, titles of {} bytes, bodies of {}",
        records.len(),
        bytes(|record| record.title.len()),
        bytes(|record| record.body.len())
    )
}

fn seconds<T>(work: impl FnOnce() -> T) -> f64 {
    let start = Instant::now();
    let result = black_box(work());
    let spent = start.elapsed().as_secs_f64();
    drop(result);
    spent
}

/// Seconds a call, of five calls or more that last 2 ms together.
fn repeated<T>(mut work: impl FnMut() -> T) -> f64 {
    let start = Instant::now();
    let mut calls = 0;
    while calls < 5 || start.elapsed().as_micros() < 2000 {
        black_box(work());
        calls += 1;
    }
    start.elapsed().as_secs_f64() / f64::from(calls)
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

#[allow(clippy::cast_precision_loss, reason = "printed with three decimals")]
fn ratio(a: usize, b: usize) -> f64 {
    a as f64 / b as f64
}
