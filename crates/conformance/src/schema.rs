//! Holding fixture files against their JSON Schemas.
//!
//! `schema/suite.json` describes a file, `schema/OP.json` the input and the expectation of the cases of one operation.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use jsonschema::Validator;
use serde_json::{Value, json};

use crate::fixture::{self, FixtureError, Suite, read_json};

/// The schemas of a folder.
#[derive(Debug)]
pub struct Schemas {
    suite: Validator,
    ops: BTreeMap<String, Validator>,
}

impl Schemas {
    /// Reads the schemas of a folder.
    ///
    /// # Errors
    /// [`FixtureError`] when a file can't be read or is no schema.
    pub fn load(folder: &Path) -> Result<Self, FixtureError> {
        let mut schemas = Self { suite: compile(&folder.join("suite.json"))?, ops: BTreeMap::new() };
        let list = std::fs::read_dir(folder.join("ops"));
        let list = list.map_err(|source| FixtureError::Io { path: folder.join("ops"), source })?;
        let mut paths: Vec<PathBuf> = list.filter_map(|entry| Some(entry.ok()?.path())).collect();
        paths.sort();
        for path in paths.into_iter().filter(|path| path.extension().is_some_and(|extension| extension == "json")) {
            let op = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_owned();
            schemas.ops.insert(op, compile(&path)?);
        }
        Ok(schemas)
    }

    /// The schemas for a folder of fixtures: its own `schema`, or else those of this repository.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn of(fixtures: &Path) -> Result<Self, FixtureError> {
        let own = fixtures.join("schema");
        Self::load(&if own.is_dir() { own } else { fixture::standard_folder().join("schema") })
    }

    /// The operations that are described.
    pub fn ops(&self) -> impl Iterator<Item = &str> {
        self.ops.keys().map(String::as_str)
    }

    /// Checks a suite: the file against the schema of files, each case against the schema of its operation.
    ///
    /// # Errors
    /// The first fault, with file and pointer.
    pub fn check(&self, suite: &Suite) -> Result<(), FixtureError> {
        let malformed =
            |pointer: String, message: String| FixtureError::Malformed { path: suite.path.clone(), pointer, message };
        let whole = read_json(&suite.path)?;
        if let Some(error) = self.suite.iter_errors(&whole).next() {
            return Err(malformed(error.instance_path().to_string(), one_line(&error.to_string())));
        }
        for (index, case) in suite.cases.iter().enumerate() {
            let Some(schema) = self.ops.get(&case.op) else {
                let message = format!("no schema describes the operation {:?}", case.op);
                return Err(malformed(format!("/cases/{index}/op"), message));
            };
            let value = json!({ "input": case.input, "expect": case.expect });
            if let Some(error) = schema.iter_errors(&value).next() {
                let pointer = format!("/cases/{index}{}", error.instance_path());
                return Err(malformed(pointer, one_line(&error.to_string())));
            }
        }
        Ok(())
    }
}

/// Reads the suites of a folder and holds them against their schemas.
///
/// # Errors
/// The first fault of the first file that has one.
pub fn load_checked(folder: &Path) -> Result<Vec<Suite>, FixtureError> {
    let suites = fixture::load(folder)?;
    let schemas = Schemas::of(folder)?;
    for suite in &suites {
        schemas.check(suite)?;
    }
    Ok(suites)
}

fn compile(path: &Path) -> Result<Validator, FixtureError> {
    let schema: Value = read_json(path)?;
    jsonschema::validator_for(&schema).map_err(|error| FixtureError::Malformed {
        path: path.to_owned(),
        pointer: error.instance_path().to_string(),
        message: format!("no JSON Schema: {}", one_line(&error.to_string())),
    })
}

fn one_line(text: &str) -> String {
    let mut line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(300).collect();
    if text.chars().count() > 300 {
        line.push('…');
    }
    line
}
