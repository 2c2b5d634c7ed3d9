//! The same cases through the wire, and through an adapter in another language.

use std::process::Command;

use conformance::{BuiltIn, Filter, Subprocess, run};

use crate::suites;

const CONFORMANCE: &str = env!("CARGO_BIN_EXE_conformance");

#[test]
fn the_built_in_adapter_over_the_wire_gives_the_same_table() {
    let suites = suites();
    let inside = run(&suites, &Filter::default(), &mut BuiltIn::new(), |_, _, _| ());
    let mut adapter = Subprocess::new(&format!("'{CONFORMANCE}' adapter")).unwrap();
    let outside = run(&suites, &Filter::default(), &mut adapter, |_, _, _| ());
    assert_eq!(outside.table(), inside.table(), "{outside}");
    assert!(outside.passed(), "{outside}");
}

#[test]
fn the_node_adapter_passes_all_that_it_supports() {
    if Command::new("node").arg("--version").output().is_err() {
        eprintln!("skipped: node is not installed");
        return;
    }
    let adapter = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/adapter-node/adapter.mjs");
    let mut adapter = Subprocess::new(&format!("node '{adapter}'")).unwrap();
    let suites = suites();
    let report = run(&suites, &Filter::default(), &mut adapter, |_, _, _| ());
    assert!(report.passed(), "{report}");
    let supported = ["token.scan", "token.format", "resource.parse", "resource.format"];
    let cases = suites.iter().flat_map(|suite| &suite.cases);
    let expected = cases.filter(|case| supported.contains(&case.op.as_str())).count();
    assert_eq!(report.total().passed, expected);
}
