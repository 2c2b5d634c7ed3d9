//! Terminal arguments: words and flags, read with the schema in hand.
//!
//! - `--name value` and `--name=value`; the value after `=` may hold `=`, and `--name=` is the empty string.
//! - A boolean flag stands alone or has a boolean value; it takes the next word only when that word is a boolean one.
//! - A flag of a list may be repeated; any other repetition is an error. Commas are data.
//! - The value of a flag may be a negative number. Any other word that starts with `-` needs the `=` form.
//! - `--` ends the flags. Bare words, and words after `--`, fill the declared positionals in order.
//! - Values are never interpreted: `@file`, `{"a":1}` and `007` are text, as written.

use std::{borrow::Cow, collections::BTreeSet, iter::Peekable};

use serde_json::{Map, Value};

use super::{
    coerce::{boolean, unknown_name},
    error::{InputError, InputProblem},
    schema::{InputSchema, Property, PropertyType},
};
use crate::limits;

/// The arguments that every command understands, taken out before the others are read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HostFlags {
    /// Whether `--json` was given.
    pub json: bool,
    /// Whether `--help` or `-h` was given.
    pub help: bool,
    /// The arguments that are left, in order.
    pub rest: Vec<String>,
    /// What is wrong with the two flags; to be reported in the form that `json` tells.
    pub problem: Option<InputError>,
}

/// Takes `--json`, `--json=bool`, `--help` (also `-h`) out of the arguments, up to `--`, wherever they stand, so that every later
/// error honours them.
///
/// A flag never takes a word that starts with `-` as its value, so neither can be one. An invalid `--json=maybe` still means
/// that JSON was asked for.
pub fn host_flags(args: impl IntoIterator<Item = impl Into<String>>) -> HostFlags {
    let mut flags = HostFlags::default();
    let mut problems = Vec::new();
    let mut words = args.into_iter().map(Into::into);
    for word in words.by_ref() {
        let (name, value) = match word.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (word.as_str(), None),
        };
        let input = match name {
            "--json" => "json",
            "--help" => "help",
            "-h" if value.is_none() => "help",
            "--" if value.is_none() => {
                flags.rest.push(word);
                break;
            }
            _ => {
                flags.rest.push(word);
                continue;
            }
        };
        let on = value.map_or(Some(true), boolean);
        if on.is_none() {
            problems.push(InputProblem::invalid(input, "must be true or false"));
        }
        match input {
            "json" => flags.json = on.unwrap_or(true),
            _ => flags.help = on.unwrap_or(false),
        }
    }
    flags.rest.extend(words);
    flags.problem = InputError::of(problems);
    flags
}

/// Reads the arguments of a command without positionals; see [`Parser`].
///
/// # Errors
/// As [`Parser::parse`].
pub fn parse<'w>(
    schema: &InputSchema,
    args: impl IntoIterator<Item = impl Into<Cow<'w, str>>>,
) -> Result<Map<String, Value>, InputError> {
    Parser::new(schema).parse(args)
}

/// Reads the arguments of one command into the raw input that [`bind`](crate::bind) takes: text as written, `true` for a boolean
/// flag that stands alone, lists for flags of a list.
#[derive(Clone, Copy, Debug)]
pub struct Parser<'a> {
    schema: &'a InputSchema,
    positionals: &'a [String],
    allow_unknown: bool,
}

impl<'a> Parser<'a> {
    /// A parser for the inputs of that schema.
    pub fn new(schema: &'a InputSchema) -> Self {
        Self { schema, positionals: &[], allow_unknown: false }
    }

    /// Sets the inputs that bare words fill, in order; a list takes all the words that are left. Default: none.
    #[must_use]
    pub fn positionals(mut self, names: &'a [String]) -> Self {
        self.positionals = names;
        self
    }

    /// Keeps unknown flags for the binder. An unknown flag takes a value only in the `=` form. Default: an unknown flag is an
    /// error with the allowed names and the nearest one.
    #[must_use]
    pub fn allow_unknown(mut self) -> Self {
        self.allow_unknown = true;
        self
    }

    /// Reads the arguments.
    ///
    /// # Errors
    /// [`InputError`] with every problem. When a flag is unknown, the required inputs that are not there are reported with it, since
    /// one may be the misspelt other.
    pub fn parse<'w>(
        &self,
        args: impl IntoIterator<Item = impl Into<Cow<'w, str>>>,
    ) -> Result<Map<String, Value>, InputError> {
        let parsed = self.read(args);
        if parsed.problems.is_empty() {
            return Ok(parsed.input);
        }
        Err(parsed.into_error(self.schema, Vec::new()))
    }

    /// Reads the arguments as far as possible.
    pub(crate) fn read<'w>(&self, args: impl IntoIterator<Item = impl Into<Cow<'w, str>>>) -> Parsed {
        let mut reading =
            Reading { parser: self, parsed: Parsed::default(), filled: 0, reported: BTreeSet::new(), stray: 0 };
        let mut words = args.into_iter().map(Into::into).peekable();
        while let Some(word) = words.next() {
            if word == "--" {
                words.by_ref().for_each(|word| reading.word(word));
            } else if let Some(flag) = word.strip_prefix("--") {
                reading.flag(flag, &mut words);
            } else if word != "-" && is_dashed(&word) && !is_negative_number(&word) {
                reading.short(&word);
            } else {
                reading.word(word);
            }
        }
        reading.parsed
    }
}

/// Takes the flags that a schema declares out of the arguments, up to `--`, wherever they stand; the others are left in order.
pub(crate) fn take(schema: &InputSchema, args: Vec<String>) -> (Parsed, Vec<String>) {
    if schema.is_empty() {
        return (Parsed::default(), args);
    }
    let parser = Parser::new(schema);
    let mut reading =
        Reading { parser: &parser, parsed: Parsed::default(), filled: 0, reported: BTreeSet::new(), stray: 0 };
    let mut rest = Vec::new();
    let mut words = args.into_iter().map(Cow::Owned).peekable();
    while let Some(word) = words.next() {
        if word == "--" {
            rest.push(word.into_owned());
            break;
        }
        let flag = word.strip_prefix("--");
        let name = flag.map(|flag| flag.split_once('=').map_or(flag, |(name, _)| name));
        match flag.filter(|_| name.is_some_and(|name| schema.position(name).is_some())) {
            Some(flag) => reading.flag(flag, &mut words),
            None => rest.push(word.into_owned()),
        }
    }
    rest.extend(words.map(Cow::into_owned));
    (reading.parsed, rest)
}

/// What was read, and what could not be.
#[derive(Debug, Default)]
pub(crate) struct Parsed {
    pub(crate) input: Map<String, Value>,
    /// Problems with the position of the property that they are about; those about no property have none.
    problems: Vec<(Option<usize>, InputProblem)>,
}

impl Parsed {
    pub(crate) fn is_clean(&self) -> bool {
        self.problems.is_empty()
    }

    /// The error of the whole invocation: these problems and those that binding found, one for an input, in declaration order.
    pub(crate) fn into_error(self, schema: &InputSchema, bound: Vec<InputProblem>) -> InputError {
        let unknown = self.problems.iter().any(|(_, problem)| matches!(problem, InputProblem::Unknown { .. }));
        let mut problems = self.problems;
        for problem in bound {
            let position = problem.input().and_then(|input| schema.position(input));
            if position.is_none() || !problems.iter().any(|(other, _)| *other == position) {
                problems.push((position, problem));
            }
        }
        if unknown {
            for (position, property) in schema.properties().iter().enumerate() {
                let known = problems.iter().any(|(other, _)| *other == Some(position));
                if schema.is_required_at(position) && !known && !self.input.contains_key(property.name()) {
                    let missing = InputProblem::Missing {
                        input: property.name().to_owned(),
                        hint: property.hint().map(str::to_owned),
                    };
                    problems.push((Some(position), missing));
                }
            }
        }
        problems.sort_by_key(|(position, _)| position.unwrap_or(usize::MAX));
        let problems: Vec<InputProblem> = problems.into_iter().map(|(_, problem)| problem).collect();
        InputError::of(problems).unwrap_or_else(|| InputError::one(InputProblem::invalid("", "is not valid")))
    }
}

/// The arguments that are left; those given as slices are not copied to be looked at.
type Words<I> = Peekable<I>;

fn text(word: Cow<'_, str>) -> Value {
    Value::String(word.into_owned())
}

struct Reading<'a> {
    parser: &'a Parser<'a>,
    parsed: Parsed,
    /// How many positionals have been filled.
    filled: usize,
    /// The positions of which a problem is reported.
    reported: BTreeSet<usize>,
    /// How many unknown flags and surplus words there were; only the first are reported.
    stray: usize,
}

impl Reading<'_> {
    fn flag<'w>(&mut self, flag: &str, words: &mut Words<impl Iterator<Item = Cow<'w, str>>>) {
        let (name, inline) = match flag.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (flag, None),
        };
        let schema = self.parser.schema;
        let Some((position, property)) =
            schema.position(name).and_then(|position| Some((position, schema.properties().get(position)?)))
        else {
            return self.unknown(name, inline, words);
        };
        let value = match inline {
            Some(value) => Value::String(value),
            None if property.kind() == PropertyType::Boolean => {
                words.next_if(|word| boolean(word).is_some()).map_or(Value::Bool(true), text)
            }
            None => {
                let Some(value) = words.next_if(|word| !is_dashed(word) || is_negative_number(word)) else {
                    let next = words.peek().filter(|word| *word != "--").cloned();
                    let problem = without_value(property, next.as_deref());
                    // A word with one dash is no flag, so it was meant as the value.
                    if next.is_some_and(|word| !word.starts_with("--")) {
                        words.next();
                    }
                    self.report(position, problem);
                    return;
                };
                text(value)
            }
        };
        self.put(position, property, value);
    }

    fn unknown<'w>(
        &mut self,
        name: &str,
        inline: Option<String>,
        words: &mut Words<impl Iterator<Item = Cow<'w, str>>>,
    ) {
        if self.parser.allow_unknown {
            let value = inline.map_or(Value::Bool(true), Value::String);
            self.parsed.input.entry(name).or_insert(value);
            return;
        }
        // The word after it was probably meant as its value; it is not reported as well.
        if inline.is_none() {
            words.next_if(|word| !is_dashed(word) || is_negative_number(word));
        }
        self.stray(|schema| {
            let mut problem = unknown_name(schema, name, "--");
            // There is no `--no-…` form; suggesting the flag itself would say the opposite of what was meant.
            let negated = name.strip_prefix("no-").and_then(|name| schema.property(name));
            if let (InputProblem::Unknown { suggestion, .. }, Some(property)) = (&mut problem, negated) {
                if property.kind() == PropertyType::Boolean && !property.is_hidden() {
                    *suggestion = Some(format!("--{}=false", property.name()));
                }
            }
            problem
        });
    }

    fn stray(&mut self, problem: impl FnOnce(&InputSchema) -> InputProblem) {
        self.stray += 1;
        if self.stray <= limits::LISTED_NAMES {
            self.parsed.problems.push((None, problem(self.parser.schema)));
        }
    }

    /// A word with one dash.
    fn short(&mut self, word: &str) {
        self.stray(|schema| {
            let mut problem = unknown_name(schema, word.trim_start_matches('-'), "--");
            if let InputProblem::Unknown { name, .. } = &mut problem {
                word.clone_into(name);
            }
            problem
        });
    }

    fn word(&mut self, word: Cow<'_, str>) {
        let schema = self.parser.schema;
        let name = self.parser.positionals.get(self.filled);
        let place = name.and_then(|name| schema.position(name));
        let Some((position, property)) =
            place.and_then(|position| Some((position, schema.properties().get(position)?)))
        else {
            self.stray(|_| InputProblem::SurplusWord { word: word.into_owned() });
            return;
        };
        if property.kind() != PropertyType::StringArray {
            self.filled += 1;
        }
        self.put(position, property, text(word));
    }

    fn put(&mut self, position: usize, property: &Property, value: Value) {
        let name = property.name();
        match (property.kind(), self.parsed.input.get_mut(name)) {
            (PropertyType::StringArray, Some(Value::Array(items))) => items.push(value),
            (PropertyType::StringArray, _) => {
                self.parsed.input.insert(name.to_owned(), Value::Array(vec![value]));
            }
            (_, None) => {
                self.parsed.input.insert(name.to_owned(), value);
            }
            (_, Some(_)) => {
                self.report(position, InputProblem::invalid(name, "given more than once"));
            }
        }
    }

    /// Notes the first problem of an input.
    fn report(&mut self, position: usize, problem: InputProblem) {
        if self.reported.insert(position) {
            self.parsed.problems.push((Some(position), problem));
        }
    }
}

fn without_value(property: &Property, next: Option<&str>) -> InputProblem {
    let name = property.name();
    let expected = match next {
        Some(_) => format!("--{name} needs a value; one that starts with - is written --{name}=-value"),
        None => format!("--{name} needs a value"),
    };
    InputProblem::invalid(name, expected)
}

/// Whether a word looks like a flag.
fn is_dashed(word: &str) -> bool {
    word.starts_with('-')
}

/// `-5`, `-5.5`, `-.5`, `-1e3`: a dash, then a decimal number.
pub(crate) fn is_negative_number(word: &str) -> bool {
    word.strip_prefix('-').is_some_and(|digits| {
        digits.starts_with(|first: char| first.is_ascii_digit() || first == '.')
            && digits.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'E' | b'+' | b'-'))
            && digits.parse::<f64>().is_ok()
    })
}
