//! Suites and cases, read from the files of a folder.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

/// The areas of the protocol, in the order of the report.
pub const AREAS: [&str; 16] = [
    "uri", "resource", "token", "markdown", "stream", "link", "contract", "rank", "registry", "context", "resolve",
    "bind", "argv", "manifest", "output", "error",
];

/// The version of the file format that this runner reads.
pub const VERSION: u64 = 1;

/// The most bytes of one fixture file.
pub const FILE_BYTES: u64 = 16 * 1024 * 1024;

/// The most bytes that the pieces of one `$text` or items of one `$list` may make.
const EXPANDED_BYTES: usize = 64 * 1024 * 1024;

/// One file of cases.
#[derive(Clone, Debug, PartialEq)]
pub struct Suite {
    /// The file it was read from.
    pub path: PathBuf,
    /// `area/name`.
    pub name: String,
    /// What the suite is about.
    pub about: String,
    /// The cases, in the order of the file.
    pub cases: Vec<Case>,
}

impl Suite {
    /// The area: the part of the name before the slash.
    pub fn area(&self) -> &str {
        self.name.split('/').next().unwrap_or_default()
    }
}

/// One case.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// Its name within the suite.
    pub id: String,
    /// One sentence: why the result is what it is.
    pub why: String,
    /// Ids of reported faults that the case stands for.
    pub reported: Vec<String>,
    /// Marks of optional behaviour.
    pub tags: Vec<String>,
    /// The operation.
    pub op: String,
    /// Its input, with `$text` and `$list` expanded.
    pub input: Value,
    /// The expected result, with `$text` and `$list` expanded.
    pub expect: Value,
}

/// A fixture file that is not what it has to be, or can't be read.
#[derive(Debug, thiserror::Error)]
pub enum FixtureError {
    /// The file or folder can't be read.
    #[error("{}: can't be read: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file is not as the format says.
    #[error("{}: {message} (at {})", path.display(), if pointer.is_empty() { "the top" } else { pointer })]
    Malformed {
        /// The file.
        path: PathBuf,
        /// Where in the file, as a JSON pointer.
        pointer: String,
        /// What is wrong, in one line.
        message: String,
    },
}

impl FixtureError {
    /// `fixture_unreadable` or `fixture_malformed`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Io { .. } => "fixture_unreadable",
            Self::Malformed { .. } => "fixture_malformed",
        }
    }

    /// The file, or the folder.
    pub fn path(&self) -> &Path {
        match self {
            Self::Io { path, .. } | Self::Malformed { path, .. } => path,
        }
    }

    /// Where in the file, as a JSON pointer.
    pub fn pointer(&self) -> Option<&str> {
        match self {
            Self::Io { .. } => None,
            Self::Malformed { pointer, .. } => Some(pointer),
        }
    }
}

/// The folder of the fixtures that come with this repository.
pub fn standard_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures")
}

/// Reads every suite of a folder: the `.json` files in its folders, except those in `schema`. Sorted by area, then by
/// name.
///
/// # Errors
/// [`FixtureError`] with the first file that can't be read or is not as the format says, and for a folder without any.
pub fn load(folder: &Path) -> Result<Vec<Suite>, FixtureError> {
    let mut suites = Vec::new();
    for path in files(folder)? {
        suites.push(load_file(&path)?);
    }
    if suites.is_empty() {
        let message = "the folder holds no fixture files (AREA/NAME.json)".to_owned();
        return Err(FixtureError::Malformed { path: folder.to_owned(), pointer: String::new(), message });
    }
    let rank = |suite: &Suite| AREAS.iter().position(|area| *area == suite.area()).unwrap_or(AREAS.len());
    suites.sort_by(|a, b| (rank(a), &a.name).cmp(&(rank(b), &b.name)));
    Ok(suites)
}

/// The fixture files of a folder, sorted by path.
pub(crate) fn files(folder: &Path) -> Result<Vec<PathBuf>, FixtureError> {
    let mut files = Vec::new();
    for area in list(folder)? {
        if area.is_dir() && area.file_name().is_some_and(|name| name != "schema") {
            files.extend(list(&area)?.into_iter().filter(|path| path.extension().is_some_and(|ext| ext == "json")));
        }
    }
    Ok(files)
}

fn list(folder: &Path) -> Result<Vec<PathBuf>, FixtureError> {
    let io = |source| FixtureError::Io { path: folder.to_owned(), source };
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(io)? {
        paths.push(entry.map_err(io)?.path());
    }
    paths.sort();
    Ok(paths)
}

/// Reads one suite.
///
/// # Errors
/// [`FixtureError`].
pub fn load_file(path: &Path) -> Result<Suite, FixtureError> {
    let value = read_json(path)?;
    Reader { path }.suite(value)
}

/// Reads a JSON file.
pub(crate) fn read_json(path: &Path) -> Result<Value, FixtureError> {
    let io = |source| FixtureError::Io { path: path.to_owned(), source };
    let size = fs::metadata(path).map_err(io)?.len();
    let malformed =
        |message: String| FixtureError::Malformed { path: path.to_owned(), pointer: String::new(), message };
    if size > FILE_BYTES {
        return Err(malformed(format!("the file has {size} bytes, more than {FILE_BYTES}")));
    }
    let bytes = fs::read(path).map_err(io)?;
    serde_json::from_slice(&bytes).map_err(|error| malformed(format!("not JSON: {error}")))
}

struct Reader<'a> {
    path: &'a Path,
}

impl Reader<'_> {
    fn malformed<T>(&self, pointer: impl Into<String>, message: impl Into<String>) -> Result<T, FixtureError> {
        Err(FixtureError::Malformed { path: self.path.to_owned(), pointer: pointer.into(), message: message.into() })
    }

    fn suite(&self, value: Value) -> Result<Suite, FixtureError> {
        let mut map = self.object("", value)?;
        let name = self.text("", &mut map, "suite")?;
        let stem = self.path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let area = self.path.parent().and_then(Path::file_name).and_then(|area| area.to_str()).unwrap_or_default();
        if name != format!("{area}/{stem}") {
            return self.malformed("/suite", format!("expected {area}/{stem}, as the file is named, found {name:?}"));
        }
        let about = self.text("", &mut map, "about")?;
        match map.remove("version") {
            Some(version) if version.as_u64() == Some(VERSION) => {}
            Some(version) => return self.malformed("/version", format!("expected {VERSION}, found {version}")),
            None => return self.malformed("", "expected a member \"version\""),
        }
        let Some(Value::Array(list)) = map.remove("cases") else {
            return self.malformed("/cases", "expected an array of cases");
        };
        self.nothing_else("", &map)?;
        let mut cases = Vec::with_capacity(list.len());
        let mut ids = BTreeSet::new();
        for (index, case) in list.into_iter().enumerate() {
            let pointer = format!("/cases/{index}");
            let case = self.case(&pointer, case)?;
            if !ids.insert(case.id.clone()) {
                return self
                    .malformed(format!("{pointer}/id"), format!("the id {:?} stands twice in the file", case.id));
            }
            cases.push(case);
        }
        Ok(Suite { path: self.path.to_owned(), name, about, cases })
    }

    fn case(&self, pointer: &str, value: Value) -> Result<Case, FixtureError> {
        let mut map = self.object(pointer, value)?;
        let id = self.text(pointer, &mut map, "id")?;
        if !id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-') {
            return self.malformed(
                format!("{pointer}/id"),
                format!("expected lower-case letters, digits and -, found {id:?}"),
            );
        }
        let why = self.text(pointer, &mut map, "why")?;
        let op = self.text(pointer, &mut map, "op")?;
        let reported = self.texts(pointer, &mut map, "reported")?;
        let tags = self.texts(pointer, &mut map, "tags")?;
        let input = self.member(pointer, &mut map, "input")?;
        let expect = self.member(pointer, &mut map, "expect")?;
        self.nothing_else(pointer, &map)?;
        if !input.is_object() {
            return self.malformed(format!("{pointer}/input"), "expected an object");
        }
        if !expect.is_object() {
            return self.malformed(format!("{pointer}/expect"), "expected an object");
        }
        Ok(Case { id, why, reported, tags, op, input, expect })
    }

    fn object(&self, pointer: &str, value: Value) -> Result<Map<String, Value>, FixtureError> {
        match value {
            Value::Object(map) => Ok(map),
            _ => self.malformed(pointer, "expected an object"),
        }
    }

    fn text(&self, pointer: &str, map: &mut Map<String, Value>, name: &str) -> Result<String, FixtureError> {
        match map.remove(name) {
            Some(Value::String(text)) if !text.trim().is_empty() => Ok(text),
            Some(_) => self.malformed(format!("{pointer}/{name}"), "expected a text that says something"),
            None => self.malformed(pointer, format!("expected a member {name:?}")),
        }
    }

    fn texts(&self, pointer: &str, map: &mut Map<String, Value>, name: &str) -> Result<Vec<String>, FixtureError> {
        let list = match map.remove(name) {
            None => return Ok(Vec::new()),
            Some(Value::Array(list)) => list,
            Some(_) => return self.malformed(format!("{pointer}/{name}"), "expected an array of texts"),
        };
        let texts: Option<Vec<String>> = list.iter().map(|text| text.as_str().map(str::to_owned)).collect();
        match texts {
            Some(texts) => Ok(texts),
            None => self.malformed(format!("{pointer}/{name}"), "expected an array of texts"),
        }
    }

    fn member(&self, pointer: &str, map: &mut Map<String, Value>, name: &str) -> Result<Value, FixtureError> {
        match map.remove(name) {
            Some(value) => self.expand(&format!("{pointer}/{name}"), value),
            None => self.malformed(pointer, format!("expected a member {name:?}")),
        }
    }

    fn nothing_else(&self, pointer: &str, map: &Map<String, Value>) -> Result<(), FixtureError> {
        match map.keys().next() {
            None => Ok(()),
            Some(key) => self.malformed(format!("{pointer}/{}", escape(key)), "no such member in this format"),
        }
    }

    /// Expands `{ "$text": [ … ] }` to a text and `{ "$list": [ … ] }` to a list: every piece stands for itself, a pair
    /// of a piece and a number for so many of it.
    fn expand(&self, pointer: &str, value: Value) -> Result<Value, FixtureError> {
        match value {
            Value::Array(items) => {
                let mut expanded = Vec::with_capacity(items.len());
                for (index, item) in items.into_iter().enumerate() {
                    expanded.push(self.expand(&format!("{pointer}/{index}"), item)?);
                }
                Ok(Value::Array(expanded))
            }
            Value::Object(map) => match (map.len(), map.get("$text"), map.get("$list")) {
                (1, Some(Value::Array(pieces)), None) => self.long_text(&format!("{pointer}/$text"), pieces),
                (1, None, Some(Value::Array(items))) => self.long_list(&format!("{pointer}/$list"), items),
                (_, None, None) => {
                    let mut expanded = Map::new();
                    for (key, value) in map {
                        let value = self.expand(&format!("{pointer}/{}", escape(&key)), value)?;
                        expanded.insert(key, value);
                    }
                    Ok(Value::Object(expanded))
                }
                _ => self.malformed(pointer, "expected an array as the only member of a $text or $list"),
            },
            other => Ok(other),
        }
    }

    fn long_text(&self, pointer: &str, pieces: &[Value]) -> Result<Value, FixtureError> {
        let mut text = String::new();
        for (index, piece) in pieces.iter().enumerate() {
            let (piece, times) = times(piece);
            let at = format!("{pointer}/{index}");
            let (Some(piece), Some(times)) = (piece.as_str(), times) else {
                return self.malformed(at, "expected a text, or a text and a number");
            };
            if piece.len().saturating_mul(times).saturating_add(text.len()) > EXPANDED_BYTES {
                return self.malformed(at, format!("more than {EXPANDED_BYTES} bytes"));
            }
            text.push_str(&piece.repeat(times));
        }
        Ok(Value::String(text))
    }

    fn long_list(&self, pointer: &str, items: &[Value]) -> Result<Value, FixtureError> {
        let mut list = Vec::new();
        for (index, item) in items.iter().enumerate() {
            let (item, times) = times(item);
            let at = format!("{pointer}/{index}");
            let Some(times) = times.filter(|times| *times <= 1_000_000) else {
                return self.malformed(at, "expected an item, or an item and a number of at most 1,000,000");
            };
            list.extend(std::iter::repeat_n(item.clone(), times));
        }
        Ok(Value::Array(list))
    }
}

/// A piece and how many times it stands; no number when it is none that can be.
fn times(piece: &Value) -> (&Value, Option<usize>) {
    match piece.as_array().map(Vec::as_slice) {
        Some([piece, times]) => (piece, times.as_u64().and_then(|times| usize::try_from(times).ok())),
        _ => (piece, Some(1)),
    }
}

/// One token of a JSON pointer.
pub(crate) fn escape(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}
