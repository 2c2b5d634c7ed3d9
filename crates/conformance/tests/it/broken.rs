//! Adapters that break: each of their cases fails with a clear word, and the runner goes on to its end.

use std::time::{Duration, Instant};

use conformance::{Filter, Report, Subprocess, run};
use serde_json::{Value, json};

use crate::{folder_with, good_case};

/// Reads the id of a request.
const ID: &str = r#"id=$(printf %s "$line" | sed 's/.*"id":"\([0-9]*\)".*/\1/')"#;
/// The right answer.
const OK: &str =
    r#"printf '{"id":"%s","ok":{"tokens":[{"name":"a","id":"1","bytes":[0,10],"utf16":[0,10]}]}}\n' "$id""#;

fn cases(count: usize) -> Value {
    Value::Array((0..count).map(|index| good_case(&format!("c{index}"))).collect())
}

/// Little time, for adapters that don't use it.
const SHORT: Duration = Duration::from_millis(300);
/// Enough for a shell on a busy machine.
const ENOUGH: Duration = Duration::from_secs(5);

/// Runs cases against a shell script.
fn broken(name: &str, count: usize, script: &str) -> Report {
    broken_within(ENOUGH, name, count, script)
}

fn broken_within(time: Duration, name: &str, count: usize, script: &str) -> Report {
    let folder = folder_with(&format!("broken-{name}"), &cases(count));
    let path = folder.join("adapter.sh");
    std::fs::write(&path, script).unwrap();
    let suites = conformance::schema::load_checked(&folder).unwrap();
    let command = format!("sh '{}'", path.display());
    let mut adapter = Subprocess::with_time(&command, time).unwrap();
    run(&suites, &Filter::default(), &mut adapter, |_, _, _| ())
}

fn words(report: &Report) -> Vec<String> {
    report.failures.iter().map(|failure| failure.broken.clone().unwrap_or_default()).collect()
}

#[track_caller]
fn all_fail(report: &Report, count: usize, word: &str) {
    assert_eq!((report.total().passed, report.total().failed), (0, count), "{report}");
    for found in words(report) {
        assert!(found.contains(word), "{found:?} does not say {word:?}");
    }
}

#[test]
fn one_that_works() {
    let report = broken("works", 3, &format!("while read -r line; do {ID}; {OK}; done"));
    assert!(report.passed(), "{report}");
}

#[test]
fn one_that_dies_on_every_request() {
    let report = broken("dies", 3, "read -r line; echo 'out of luck' >&2; exit 3");
    all_fail(&report, 3, "the adapter ended (exit status: 3): out of luck");
}

#[test]
fn one_that_dies_before_it_reads() {
    let report = broken("dead", 3, "exit 7");
    all_fail(&report, 3, "the adapter ended (exit status: 7)");
}

#[test]
fn one_that_dies_in_the_middle_is_started_again() {
    let report = broken("mortal", 4, &format!("read -r line; {ID}; {OK}; read -r line; exit 1"));
    assert_eq!((report.total().passed, report.total().failed), (2, 2), "{report}");
    assert_eq!(report.failures.iter().map(|failure| failure.id.as_str()).collect::<Vec<_>>(), ["c1", "c3"]);
}

#[test]
fn one_that_is_silent() {
    let start = Instant::now();
    let report = broken_within(SHORT, "silent", 3, "while read -r line; do :; done");
    all_fail(&report, 3, "no answer within 300ms");
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[test]
fn one_that_hangs_and_ignores_its_end() {
    let start = Instant::now();
    let report = broken_within(SHORT, "hangs", 2, "trap '' TERM HUP INT; exec sleep 600");
    all_fail(&report, 2, "no answer within 300ms");
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[test]
fn one_that_is_silent_for_ever_is_given_up() {
    let start = Instant::now();
    let report = broken_within(SHORT, "given-up", 40, "while read -r line; do :; done");
    assert_eq!(report.total().failed, 40, "{report}");
    let asked = words(&report).iter().filter(|word| word.contains("no answer within")).count();
    assert_eq!(asked, 12);
    assert!(words(&report)[12..].iter().all(|word| word.starts_with("not asked: ")), "{report}");
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn one_that_prints_garbage() {
    let report = broken("garbage", 3, "while read -r line; do echo 'hello, world'; done");
    all_fail(&report, 3, "garbage on stdout: \"hello, world\"");
}

#[test]
fn one_that_prints_bytes_that_are_no_text() {
    let report = broken("bytes", 2, r"while read -r line; do printf '\377\000\n'; done");
    all_fail(&report, 2, "garbage on stdout");
}

#[test]
fn one_that_prints_without_end_and_never_reads() {
    let start = Instant::now();
    let report = broken("flood", 50, "exec yes nonsense");
    all_fail(&report, 50, "garbage on stdout: \"nonsense\"");
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[test]
fn one_that_answers_something_else_than_an_answer() {
    let shape = broken("shape", 2, &format!(r#"while read -r line; do {ID}; printf '{{"id":"%s"}}\n' "$id"; done"#));
    all_fail(&shape, 2, "exactly one of ok, error (a text) and unsupported (true)");
    let both = r#"printf '{"id":"%s","ok":1,"error":"x"}\n' "$id""#;
    let report = broken("both", 2, &format!("while read -r line; do {ID}; {both}; done"));
    all_fail(&report, 2, "exactly one of");
}

#[test]
fn one_that_answers_what_was_not_asked() {
    let report = broken("foreign", 3, r#"while read -r line; do echo '{"id":"99","ok":{}}'; done"#);
    all_fail(&report, 3, "out of order: an answer with the id \"99\" came where");
    let report = broken("no-id", 2, r#"while read -r line; do echo '{"ok":{}}'; done"#);
    all_fail(&report, 2, "out of order: an answer with the id null came where");
}

/// It waits for a second request before it answers the first one. The runner asks one at a time, so the first is
/// silence; what it would have said never counts for another case.
#[test]
fn one_that_answers_out_of_order() {
    let swap = r#"while read -r one && read -r two; do
        for line in "$two" "$one"; do ID; OK; done
    done"#;
    let report = broken_within(SHORT, "swap", 3, &swap.replace("ID", ID).replace("OK", OK));
    all_fail(&report, 3, "no answer within 300ms");
}

#[test]
fn one_that_answers_late_answers_for_nobody_else() {
    // The answer to the first request comes with the second; by then the process was started again.
    let late = "if [ -e late ]; then while read -r line; do ID; OK; done; fi; read -r line; : > late; exec sleep 600";
    let folder = crate::scratch("late-mark");
    let late = format!("cd '{}'; {}", folder.display(), late.replace("ID", ID).replace("OK", OK));
    let report = broken_within(Duration::from_secs(2), "late", 3, &late);
    assert_eq!((report.total().passed, report.total().failed), (2, 1), "{report}");
    assert_eq!(report.failures[0].id, "c0");
}

#[test]
fn one_that_answers_twice() {
    let report = broken("twice", 4, &format!("while read -r line; do {ID}; {OK}; {OK}; done"));
    all_fail(&report, 4, "the adapter answered twice");
}

#[test]
fn one_that_answers_twice_now_and_then() {
    let script = format!("n=0; while read -r line; do {ID}; {OK}; n=$((n+1)); [ $n = 2 ] && {OK}; done");
    let report = broken("once-twice", 4, &script);
    assert_eq!(words(&report), ["the adapter answered twice"], "{report}");
    assert_eq!(report.failures[0].id, "c1");
}

#[test]
fn one_that_does_not_end_when_its_input_does() {
    let start = Instant::now();
    let report = broken("stays", 2, &format!("while read -r line; do {ID}; {OK}; done; exec sleep 600"));
    assert!(report.passed(), "{report}");
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[test]
fn one_that_never_reads_a_large_request() {
    let start = Instant::now();
    let mut case = good_case("large");
    case["input"]["text"] = json!({ "$text": [["x", 2_000_000]] });
    case["expect"] = json!({ "tokens": [] });
    let folder = folder_with("broken-large", &json!([case, good_case("small")]));
    let suites = conformance::schema::load_checked(&folder).unwrap();
    let mut adapter = Subprocess::with_time("sleep 600", SHORT).unwrap();
    let report = run(&suites, &Filter::default(), &mut adapter, |_, _, _| ());
    all_fail(&report, 2, "no answer within");
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[test]
fn one_that_is_no_program() {
    let error = Subprocess::new("/nowhere/at/all --x").unwrap_err();
    assert_eq!(error.code(), "adapter_not_started");
    assert_eq!(Subprocess::new("").unwrap_err().code(), "invalid_command");
    assert_eq!(Subprocess::new("a 'b").unwrap_err().code(), "invalid_command");
}
