//! What has to hold of the fixtures themselves.

use std::collections::{BTreeMap, BTreeSet};

use conformance::fixture::{self, AREAS, Suite};
use conformance::schema::Schemas;
use conformance::{BuiltIn, Filter, run};
use serde_json::json;

use crate::{folder_with, good_case, suites};

#[test]
fn the_built_in_adapter_passes_every_case() {
    let report = run(&suites(), &Filter::default(), &mut BuiltIn::new(), |_, _, _| ());
    assert!(report.passed(), "{report}");
    assert_eq!(report.total().unsupported, 0, "{report}");
    assert!(report.total().passed >= 400, "{report}");
}

#[test]
fn every_area_has_cases() {
    let suites = suites();
    let areas: BTreeSet<&str> = suites.iter().map(Suite::area).collect();
    assert_eq!(areas, AREAS.into_iter().collect());
}

/// Operations that answer everything: a failing case of them can't be.
const NEVER_FAIL: [&str; 24] = [
    "token.scan",
    "markdown.scan",
    "markdown.referenced",
    "markdown.escape",
    "link.policy",
    "stream.scan",
    "stream.tail",
    "registry.build",
    "view.summary",
    "search.menu",
    "rank.search",
    "rank.highlight",
    "composer.trigger",
    "resolve.pending",
    "resolve.outcomes",
    "context.mentions",
    "context.providers",
    "context.parse",
    "context.clean",
    "context.links",
    "result.links",
    "scope.resolve",
    "output.json",
    "wait.run",
];
/// Operations that only turn one failure into another form.
const ABOUT_FAILURES: [&str; 2] = ["error.envelope", "error.handler"];

#[test]
fn every_operation_has_passing_cases_and_failing_ones_where_it_can_fail() {
    let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for case in suites().iter().flat_map(|suite| &suite.cases) {
        let count = counts.entry(case.op.clone()).or_default();
        if case.expect.get("error").is_some() {
            count.1 += 1;
        } else {
            count.0 += 1;
        }
    }
    let schemas = Schemas::load(&fixture::standard_folder().join("schema")).unwrap();
    let described: BTreeSet<&str> = schemas.ops().collect();
    assert_eq!(counts.keys().map(String::as_str).collect::<BTreeSet<_>>(), described);
    for (op, (passing, failing)) in &counts {
        let never = NEVER_FAIL.contains(&op.as_str()) || ABOUT_FAILURES.contains(&op.as_str());
        assert!(*passing > 0, "{op} has no passing case");
        assert_eq!(*failing > 0, !never, "{op} has {failing} failing cases");
    }
}

/// The operations that the design names.
#[test]
fn the_operations_of_the_design_are_there() {
    let cases: BTreeSet<String> = suites().into_iter().flat_map(|suite| suite.cases).map(|case| case.op).collect();
    let named = "uri.parse uri.format uri.target resource.parse resource.format token.scan token.format markdown.scan \
        markdown.link markdown.escape link.policy stream.scan descriptor.check registry.build view.check view.summary \
        rank.search composer.trigger resolve.pending context.mentions context.providers context.parse \
        reference.resolve schema.subset input.bind argv.parse manifest.check output.decode error.envelope scope.resolve";
    for op in named.split_whitespace() {
        assert!(cases.contains(op), "{op}");
    }
}

/// Reported faults that are about a process (a closed pipe), not about a value.
const NOT_A_VALUE: [&str; 1] = ["cli-25"];

#[test]
fn every_reported_fault_that_fits_an_operation_has_a_case() {
    let areas = [
        ("uri", vec![1, 3, 4, 6, 7, 8, 12, 13, 14, 15, 16, 21, 23, 24]),
        ("token", vec![1, 3, 4, 6, 8, 9, 11, 12, 15, 16, 17, 20]),
        (
            "markdown",
            vec![2, 3, 6, 9, 10, 13, 14, 15, 16, 18, 20, 21, 22, 23, 25, 27, 28, 30, 31, 33, 34, 36, 37, 38, 39, 41],
        ),
        ("stream", vec![1, 2, 3, 4, 6, 10, 11, 15, 16]),
        ("search", vec![3, 5, 8, 10, 11, 13, 17, 18, 19, 20]),
        ("context", vec![3, 4, 7, 8, 9, 12, 13, 14, 15, 17, 19]),
        ("resolve", vec![1, 2, 3, 4, 6, 7, 8, 10, 12, 15, 16, 19]),
        ("cli", vec![1, 4, 5, 7, 8, 9, 11, 12, 13, 14, 15, 20, 22, 23, 25, 26, 28, 29]),
    ];
    let wanted: BTreeSet<String> = areas
        .into_iter()
        .flat_map(|(area, numbers)| numbers.into_iter().map(move |number| format!("{area}-{number:02}")))
        .filter(|id| !NOT_A_VALUE.contains(&id.as_str()))
        .collect();
    let there: BTreeSet<String> = suites().into_iter().flat_map(|s| s.cases).flat_map(|case| case.reported).collect();
    assert_eq!(there, wanted);
}

/// An error case that says more than its code says one thing: a code, an offset, a pointer. Only cases about reporting
/// many problems have several.
#[test]
fn error_cases_have_one_fault() {
    let several = ["two-problems", "unknown-beside-missing", "unknown-and-missing"];
    for (suite, case) in suites().iter().flat_map(|suite| suite.cases.iter().map(move |case| (suite, case))) {
        let problems = case.expect.get("problems").and_then(|problems| problems.as_array()).map_or(0, Vec::len);
        let many = several.contains(&case.id.as_str());
        assert!(problems <= 1 || many, "{}/{}", suite.name, case.id);
    }
}

#[test]
fn why_is_a_sentence_and_ids_are_unique_over_their_suite() {
    let mut ids = BTreeSet::new();
    for suite in suites() {
        for case in suite.cases {
            assert!(case.why.ends_with(['.', '…']), "{}/{}: {}", suite.name, case.id, case.why);
            assert!(ids.insert((suite.name.clone(), case.id.clone())), "{}/{}", suite.name, case.id);
        }
    }
}

/// Adding a case is adding it to a file: nothing is compiled in.
#[test]
fn a_case_added_by_hand_is_run() {
    let run_folder = |folder: std::path::PathBuf| {
        let suites = conformance::schema::load_checked(&folder).unwrap();
        run(&suites, &Filter::default(), &mut BuiltIn::new(), |_, _, _| ())
    };
    let report = run_folder(folder_with("hand-good", &json!([good_case("one"), good_case("two")])));
    assert_eq!((report.total().passed, report.total().failed), (2, 0));

    let mut wrong = good_case("wrong");
    wrong["expect"]["tokens"][0]["id"] = json!("2");
    let report = run_folder(folder_with("hand-wrong", &json!([good_case("one"), wrong])));
    assert_eq!((report.total().passed, report.total().failed), (1, 1));
    let failure = &report.failures[0];
    assert_eq!((failure.suite.as_str(), failure.id.as_str()), ("token/hand", "wrong"));
    assert_eq!(failure.differences[0].pointer, "/tokens/0/id");
    let text = report.to_string();
    for part in ["FAILED token/hand/wrong", "A token.", "- \"2\"", "+ \"1\""] {
        assert!(text.contains(part), "{part} is not in:\n{text}");
    }
}
