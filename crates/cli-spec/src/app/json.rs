//! A strict JSON reader: document order is kept, duplicate keys are found, depth is bounded, and every
//! value knows where it stands.
//!
//! `serde_json::Value` can't serve here: it sorts keys and lets the last duplicate win in silence.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::fmt;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// The key under which `serde_json` hands numbers to visitors when some crate in the build turns its
/// `arbitrary_precision` feature on.
const NUMBER_KEY: &str = "$serde_json::private::Number";

/// A value with its place in the document: `at` counts values and keys from the start.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) at: usize,
    pub(crate) kind: Kind,
}

/// What a [`Node`] is.
#[derive(Debug)]
pub(crate) enum Kind {
    Null,
    Bool(bool),
    Number(Number),
    String(String),
    Array(Vec<Node>),
    Object(Vec<Member>),
}

/// One member of an object, in document order; later duplicates are not kept.
#[derive(Debug)]
pub(crate) struct Member {
    pub(crate) key: String,
    pub(crate) at: usize,
    pub(crate) value: Node,
}

/// A document that is JSON, with the keys that stand twice in one object.
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) root: Node,
    pub(crate) duplicates: Vec<Duplicate>,
    /// Duplicates that were counted and not kept.
    pub(crate) omitted: usize,
}

/// A key that stands a second time in its object.
#[derive(Debug)]
pub(crate) struct Duplicate {
    pub(crate) at: usize,
    pub(crate) pointer: String,
    pub(crate) key: String,
}

/// Why bytes are not a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Fault {
    TooLarge { limit: usize, found: usize },
    NotUtf8 { offset: usize },
    Truncated { line: usize, column: usize },
    Trailing { line: usize, column: usize },
    TooDeep { limit: usize, line: usize, column: usize },
    Syntax { message: String, line: usize, column: usize },
}

impl Fault {
    /// A stable word for the fault.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Self::TooLarge { .. } => "too_large",
            Self::NotUtf8 { .. } => "not_utf8",
            Self::Truncated { .. } => "truncated",
            Self::Trailing { .. } => "trailing_data",
            Self::TooDeep { .. } => "too_deep",
            Self::Syntax { .. } => "not_json",
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge { limit, found } => write!(f, "expected at most {limit} bytes, found {found}"),
            Self::NotUtf8 { offset } => write!(f, "not UTF-8 at byte {offset}"),
            Self::Truncated { line, column } => {
                write!(f, "the JSON value ends too early, at line {line} column {column}")
            }
            Self::Trailing { line, column } => {
                write!(f, "expected nothing after the JSON value, found more at line {line} column {column}")
            }
            Self::TooDeep { limit, line, column } => {
                write!(f, "nested deeper than {limit} levels at line {line} column {column}")
            }
            Self::Syntax { message, line, column } => {
                write!(f, "not JSON: {message} at line {line} column {column}")
            }
        }
    }
}

impl Node {
    /// The name of the value's JSON type.
    pub(crate) fn type_name(&self) -> &'static str {
        match &self.kind {
            Kind::Null => "null",
            Kind::Bool(_) => "a boolean",
            Kind::Number(_) => "a number",
            Kind::String(_) => "a string",
            Kind::Array(_) => "an array",
            Kind::Object(_) => "an object",
        }
    }

    /// The same data without places.
    pub(crate) fn into_value(self) -> Value {
        match self.kind {
            Kind::Null => Value::Null,
            Kind::Bool(flag) => Value::Bool(flag),
            Kind::Number(number) => Value::Number(number),
            Kind::String(text) => Value::String(text),
            Kind::Array(items) => Value::Array(items.into_iter().map(Node::into_value).collect()),
            Kind::Object(members) => Value::Object(
                members.into_iter().map(|member| (member.key, member.value.into_value())).collect::<Map<_, _>>(),
            ),
        }
    }

    /// The same data without places, the node being kept.
    pub(crate) fn to_value(&self) -> Value {
        match &self.kind {
            Kind::Null => Value::Null,
            Kind::Bool(flag) => Value::Bool(*flag),
            Kind::Number(number) => Value::Number(number.clone()),
            Kind::String(text) => Value::String(text.clone()),
            Kind::Array(items) => Value::Array(items.iter().map(Node::to_value).collect()),
            Kind::Object(members) => Value::Object(
                members.iter().map(|member| (member.key.clone(), member.value.to_value())).collect::<Map<_, _>>(),
            ),
        }
    }
}

/// Reads one JSON value of at most `max_bytes` bytes and `max_depth` levels, and nothing after it.
pub(crate) fn read(bytes: &[u8], max_bytes: usize, max_depth: usize) -> Result<Document, Fault> {
    if bytes.len() > max_bytes {
        return Err(Fault::TooLarge { limit: max_bytes, found: bytes.len() });
    }
    let text = std::str::from_utf8(bytes).map_err(|error| Fault::NotUtf8 { offset: error.valid_up_to() })?;
    let state = State::new(max_depth);
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let root = match (NodeSeed { state: &state, depth: 1 }).deserialize(&mut deserializer) {
        Ok(root) => root,
        Err(error) => return Err(fault(&error, &state)),
    };
    if let Err(error) = deserializer.end() {
        return Err(Fault::Trailing { line: error.line(), column: error.column() });
    }
    let found = state.found.into_inner();
    Ok(Document { root, duplicates: found.list, omitted: found.omitted })
}

fn fault(error: &serde_json::Error, state: &State) -> Fault {
    let (line, column) = (error.line(), error.column());
    if state.too_deep.get() || error.to_string().starts_with("recursion limit") {
        Fault::TooDeep { limit: state.max_depth, line, column }
    } else if error.is_eof() {
        Fault::Truncated { line, column }
    } else {
        let message = error.to_string();
        // serde_json ends its own messages with the place, which is said once here.
        let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(head, _)| head).to_owned();
        Fault::Syntax { message, line, column }
    }
}

/// What the reader carries along.
struct State {
    max_depth: usize,
    numbers_are_maps: bool,
    too_deep: Cell<bool>,
    next: Cell<usize>,
    path: RefCell<Vec<Step>>,
    found: RefCell<Found>,
}

#[derive(Default)]
struct Found {
    list: Vec<Duplicate>,
    bytes: usize,
    omitted: usize,
}

enum Step {
    Key(String),
    Index(usize),
}

impl State {
    fn new(max_depth: usize) -> Self {
        Self {
            max_depth,
            numbers_are_maps: numbers_are_maps(),
            too_deep: Cell::new(false),
            next: Cell::new(0),
            path: RefCell::new(Vec::new()),
            found: RefCell::new(Found::default()),
        }
    }

    fn place(&self) -> usize {
        let at = self.next.get();
        self.next.set(at.saturating_add(1));
        at
    }

    /// Notes a key that stands again. Pointers are kept up to a total, so that many duplicates under one
    /// long key can't multiply its length.
    fn duplicate(&self, at: usize, key: &str) {
        let mut found = self.found.borrow_mut();
        if found.bytes > super::PROBLEM_BYTES {
            found.omitted += 1;
            return;
        }
        let mut pointer = String::new();
        for step in self.path.borrow().iter() {
            match step {
                Step::Key(key) => push_key(&mut pointer, key),
                Step::Index(index) => push_index(&mut pointer, *index),
            }
        }
        push_key(&mut pointer, key);
        found.bytes += pointer.len() + key.len();
        found.list.push(Duplicate { at, pointer, key: key.to_owned() });
    }
}

/// Appends an object key to a JSON pointer (RFC 6901: `~` is `~0`, `/` is `~1`).
pub(crate) fn push_key(pointer: &mut String, key: &str) {
    pointer.push('/');
    for character in key.chars() {
        match character {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            other => pointer.push(other),
        }
    }
}

/// Appends an array index to a JSON pointer.
pub(crate) fn push_index(pointer: &mut String, index: usize) {
    pointer.push('/');
    pointer.push_str(&index.to_string());
}

struct NodeSeed<'a> {
    state: &'a State,
    depth: usize,
}

impl<'de> DeserializeSeed<'de> for NodeSeed<'_> {
    type Value = Node;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Node, D::Error> {
        let at = self.state.place();
        let kind = deserializer.deserialize_any(self)?;
        Ok(Node { at, kind })
    }
}

impl NodeSeed<'_> {
    fn enter<E: serde::de::Error>(&self) -> Result<usize, E> {
        if self.depth > self.state.max_depth {
            self.state.too_deep.set(true);
            return Err(E::custom("too deep"));
        }
        Ok(self.depth + 1)
    }
}

impl<'de> Visitor<'de> for NodeSeed<'_> {
    type Value = Kind;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Kind, E> {
        Ok(Kind::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Kind, E> {
        Ok(Kind::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Kind, E> {
        Ok(Kind::Number(value.into()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Kind, E> {
        Ok(Kind::Number(value.into()))
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Kind, E> {
        Number::from_f64(value).map(Kind::Number).ok_or_else(|| E::custom("number out of range"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Kind, E> {
        Ok(Kind::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Kind, E> {
        Ok(Kind::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Kind, A::Error> {
        let depth = self.enter()?;
        let mut list = Vec::new();
        loop {
            self.state.path.borrow_mut().push(Step::Index(list.len()));
            let item = items.next_element_seed(NodeSeed { state: self.state, depth });
            self.state.path.borrow_mut().pop();
            match item? {
                Some(node) => list.push(node),
                None => return Ok(Kind::Array(list)),
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Kind, A::Error> {
        let depth = self.enter()?;
        let mut list: Vec<Member> = Vec::new();
        let mut seen = BTreeSet::new();
        while let Some(key) = members.next_key::<String>()? {
            if key == NUMBER_KEY && self.state.numbers_are_maps {
                return number(members.next_value::<String>()?.as_str());
            }
            let at = self.state.place();
            let first = seen.insert(key.clone());
            if !first {
                self.state.duplicate(at, &key);
            }
            self.state.path.borrow_mut().push(Step::Key(key.clone()));
            let value = members.next_value_seed(NodeSeed { state: self.state, depth });
            self.state.path.borrow_mut().pop();
            let value = value?;
            if first {
                list.push(Member { key, at, value });
            }
        }
        Ok(Kind::Object(list))
    }
}

/// Whether `serde_json` was built to hand numbers to visitors as maps: seen on one number, since its features
/// are not known here.
fn numbers_are_maps() -> bool {
    struct Probe;

    impl<'de> Visitor<'de> for Probe {
        type Value = bool;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a number")
        }

        fn visit_u64<E>(self, _: u64) -> Result<bool, E> {
            Ok(false)
        }

        fn visit_map<A: MapAccess<'de>>(self, _: A) -> Result<bool, A::Error> {
            Ok(true)
        }
    }

    // The map is left unread, which is an error of its own.
    serde_json::Deserializer::from_str("0").deserialize_any(Probe).unwrap_or(true)
}

fn number<E: serde::de::Error>(text: &str) -> Result<Kind, E> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let number = Number::deserialize(&mut deserializer).map_err(E::custom)?;
    deserializer.end().map_err(E::custom)?;
    Ok(Kind::Number(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn duplicates(text: &str) -> Vec<(String, String)> {
        read(text.as_bytes(), 4096, 64)
            .unwrap()
            .duplicates
            .into_iter()
            .map(|found| (found.pointer, found.key))
            .collect()
    }

    #[test]
    fn duplicates_are_found_at_every_depth_in_document_order() {
        let found = duplicates(r#"{"a":{"x":1,"x":2},"b":[0,{"y~/":1,"y~/":1,"y~/":3}],"a":{"z":1,"z":1}}"#);
        let pointers: Vec<_> = found.iter().map(|(pointer, _)| pointer.as_str()).collect();
        assert_eq!(pointers, ["/a/x", "/b/1/y~0~1", "/b/1/y~0~1", "/a", "/a/z"]);
    }

    #[test]
    fn an_escaped_key_is_the_same_key() {
        assert_eq!(duplicates(r#"{"a":1,"\u0061":2}"#), [("/a".to_owned(), "a".to_owned())]);
    }

    #[test]
    fn faults_have_their_codes() {
        let deep_ok = format!("{}{}", "[".repeat(64), "]".repeat(64));
        assert!(read(deep_ok.as_bytes(), 4096, 64).is_ok());
        let deep = format!("{}{}", "[".repeat(65), "]".repeat(65));
        let very_deep = "[".repeat(4000);
        for (bytes, code) in [
            (&b"{"[..], "truncated"),
            (b"", "truncated"),
            (b"\"abc", "truncated"),
            (b"{} {}", "trailing_data"),
            (b"{}x", "trailing_data"),
            (b"{}\xff", "not_utf8"),
            (b"{\"a\" 1}", "not_json"),
            (b"{'a':1}", "not_json"),
            (b"[1,]", "not_json"),
            (b"[1e999]", "not_json"),
            (b"\"\\ud800\"", "not_json"),
            (b"\xef\xbb\xbf{}", "not_json"),
            (deep.as_bytes(), "too_deep"),
            (very_deep.as_bytes(), "too_deep"),
            (&[b' '; 4097], "too_large"),
        ] {
            let fault = read(bytes, 4096, 64).unwrap_err();
            assert_eq!(fault.code(), code, "{}: {fault}", String::from_utf8_lossy(bytes));
            assert!(!fault.to_string().contains('\n'));
        }
    }

    #[test]
    fn numbers_keep_their_value() {
        for text in ["18446744073709551615", "-9223372036854775808", "1.5", "0", "9007199254740993"] {
            let document = read(text.as_bytes(), 4096, 64).unwrap();
            assert_eq!(document.root.into_value().to_string(), text);
        }
    }

    #[test]
    fn an_object_that_looks_like_a_number_stays_an_object() {
        let text = format!(r#"{{"{NUMBER_KEY}":"12"}}"#);
        let document = read(text.as_bytes(), 4096, 64).unwrap();
        assert_eq!(matches!(document.root.kind, Kind::Object(_)), !numbers_are_maps());
    }

    #[test]
    fn many_duplicates_under_a_long_key_stay_bounded() {
        let long = "k".repeat(100_000);
        let text = format!(r#"{{"{long}":{{"a":1{}}}}}"#, r#","a":1"#.repeat(20_000));
        let document = read(text.as_bytes(), 1 << 20, 64).unwrap();
        let kept: usize = document.duplicates.iter().map(|found| found.pointer.len()).sum();
        assert!(kept <= 2 * super::super::PROBLEM_BYTES, "{kept}");
        assert_eq!(document.duplicates.len() + document.omitted, 20_000);
    }
}
