//! A `clap::Command` from the same declarations, for programs that are built on clap.

use std::collections::BTreeMap;

use ::clap::{
    Arg, ArgAction, ArgMatches, Command,
    builder::{PossibleValue, PossibleValuesParser, ValueParser},
    parser::ValueSource,
};
use serde_json::{Map, Value};

use super::Entry;
use crate::{
    Discovery, InvokeRequest, OutputMode, Registry,
    input::coerce::boolean,
    schema::{InputSchema, Property, PropertyType},
    text::one_line,
};

/// The host's own flag, on every command.
const JSON: &str = "json";

/// Names that belong to the host: an input of an app that has one can't be given as a flag.
const HOST_FLAGS: [&str; 2] = [JSON, "help"];

/// A program whose subcommands are commands.
///
/// [`matches`](Self::matches) parses what [`argv`](crate::argv) parses, to the same input. Values are not
/// checked here beyond enums; the binder does that. A program that gives the `clap::Command` to clap itself has
/// one difference: there a boolean flag without a value takes a bare word after it for its value, as clap knows
/// no values that are only taken when they fit.
///
/// ```
/// use cli_spec::{Capability, OutputMode, OutputSpec, export::clap::Program};
/// use cli_spec::schema::{InputSchema, Property, PropertyType};
///
/// let output = OutputSpec { default_mode: OutputMode::Json, json: true, table: None };
/// let mut list = Capability::new("tutti.issue.list", ["issue", "list"], "List issues", output);
/// list.input_schema = InputSchema::new([Property::new("page-size", PropertyType::Integer)], [""; 0])?;
///
/// let program = Program::new("tutti", [&list]);
/// let matches = program.matches(["issue", "list", "--page-size", "20", "--json"])?;
/// let request = program.request(&matches).unwrap();
/// assert_eq!(request.command_id, "tutti.issue.list");
/// assert_eq!(request.input["page-size"], "20"); // as text: the binder converts it
/// assert_eq!(request.output_mode, Some(OutputMode::Json));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Program {
    name: String,
    about: Option<String>,
    version: Option<String>,
    entries: Vec<Entry>,
    globals: InputSchema,
    discovery: Discovery,
    host_only: bool,
}

impl Program {
    /// A program of that name with these commands.
    pub fn new(name: impl Into<String>, entries: impl IntoIterator<Item = impl Into<Entry>>) -> Self {
        Self {
            name: name.into(),
            about: None,
            version: None,
            entries: entries.into_iter().map(Into::into).collect(),
            globals: InputSchema::empty(),
            discovery: Discovery::new(),
            host_only: false,
        }
    }

    /// The program of a registry: its name, its line, its flags and its commands.
    pub fn of(registry: &Registry) -> Self {
        let program = Self::new(registry.program(), registry.commands()).globals(registry.globals.clone());
        if registry.summary.is_empty() { program } else { program.about(registry.summary.clone()) }
    }

    /// Sets the flags of the program itself, which may stand at every command. Default: none.
    #[must_use]
    pub fn globals(mut self, globals: InputSchema) -> Self {
        self.globals = globals;
        self
    }

    /// Sets the line about the program. Default: none.
    #[must_use]
    pub fn about(mut self, about: impl Into<String>) -> Self {
        self.about = Some(about.into());
        self
    }

    /// Sets the version that `--version` prints. Default: none, and no such flag.
    #[must_use]
    pub fn version(mut self, version: impl Into<String>) -> Self {
        self.version = Some(version.into());
        self
    }

    /// Sets which commands are there beside the ordinary ones. Default: none.
    #[must_use]
    pub fn discovery(mut self, discovery: Discovery) -> Self {
        self.discovery = discovery;
        self
    }

    /// Sets whether the host's own commands are there: for the program that runs them. Default: no, as in every
    /// export.
    #[must_use]
    pub fn include_host_only(mut self, include: bool) -> Self {
        self.host_only = include;
        self
    }

    /// The program's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The `clap::Command`.
    pub fn command(&self) -> Command {
        self.build(&|text| one_line(text))
    }

    /// Parses arguments, without the program's name.
    ///
    /// # Errors
    /// clap's own, which is also what `--help` and `--version` come to.
    pub fn matches(&self, args: impl IntoIterator<Item = impl Into<String>>) -> Result<ArgMatches, ::clap::Error> {
        let args = self.settled(args.into_iter().map(Into::into).collect());
        self.command().try_get_matches_from(std::iter::once(self.name.clone()).chain(args))
    }

    /// Writes `--flag` as `--flag=true` where the word after it is none of the boolean words.
    fn settled(&self, args: Vec<String>) -> Vec<String> {
        let tree = self.tree();
        let mut node = &tree;
        let mut settled = Vec::with_capacity(args.len());
        let mut words = args.into_iter().peekable();
        while let Some(word) = words.next() {
            if word == "--" {
                settled.push(word);
                break;
            }
            let Some(name) = word.strip_prefix("--") else {
                node = node.branches.get(word.as_str()).unwrap_or(node);
                settled.push(word);
                continue;
            };
            let own = node.entry.and_then(|entry| entry.schema.property(name));
            let kind = own.or_else(|| self.globals.property(name)).map(Property::kind);
            let next_fits = words.peek().is_some_and(|next| boolean(next).is_some());
            match kind {
                Some(PropertyType::Boolean) if !next_fits => settled.push(format!("--{name}=true")),
                Some(_) => {
                    settled.push(word);
                    settled.extend(words.next());
                }
                None => settled.push(word),
            }
        }
        settled.extend(words);
        settled
    }

    /// The same with texts that mean nothing to any shell.
    #[cfg(feature = "completions")]
    pub(super) fn for_shells(&self) -> Command {
        self.build(&|text| {
            let plain = |character: char| match character {
                '\'' | '"' | '`' => '\u{2019}',
                '$' | '\\' | '!' | '<' | '>' | '|' | '&' | ';' | '[' | ']' | '{' | '}' | '*' | '?' | '~' | '#' => ' ',
                other => other,
            };
            one_line(text).chars().map(plain).collect()
        })
    }

    /// The request that parsed arguments stand for; `None` when no command was given.
    pub fn request(&self, matches: &ArgMatches) -> Option<InvokeRequest> {
        let mut path = Vec::new();
        let mut at = matches;
        while let Some((word, inner)) = at.subcommand() {
            path.push(word);
            at = inner;
        }
        let entry =
            self.entries().find(|entry| entry.capability.path.iter().map(String::as_str).eq(path.iter().copied()))?;
        let input = input(at, &entry.schema);
        let mut request = InvokeRequest::new(entry.capability.id.clone()).with_input(input);
        let json = at.try_get_one::<String>(JSON).ok().flatten().and_then(|text| boolean(text));
        if json == Some(true) {
            request = request.with_output_mode(OutputMode::Json);
        }
        Some(request)
    }

    /// The raw input of the program's own flags.
    pub fn globals_input(&self, matches: &ArgMatches) -> Map<String, Value> {
        let mut at = matches;
        while let Some((_, inner)) = at.subcommand() {
            at = inner;
        }
        input(at, &self.globals)
    }

    fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| {
            (entry.available || self.discovery.skips_filters())
                && (self.host_only || !entry.host_only)
                && self.discovery.shows(&entry.capability)
        })
    }

    fn tree(&self) -> Tree<'_> {
        let mut tree = Tree::default();
        for entry in self.entries() {
            tree.insert(&entry.capability.path, entry);
        }
        tree
    }

    fn build(&self, text: &dyn Fn(&str) -> String) -> Command {
        let json = boolean_arg(JSON).require_equals(true).global(true).help("Answer in JSON");
        let mut command = Command::new(self.name.clone()).arg(json);
        for property in self.globals.properties().iter().filter(|property| is_flag(property)) {
            command = command.arg(flag(property, text).hide(property.is_hidden()).global(true));
        }
        if let Some(about) = &self.about {
            command = command.about(text(about));
        }
        if let Some(version) = &self.version {
            command = command.version(version.clone());
        }
        self.tree().fill(command, text)
    }
}

/// The values of a schema's flags and words, as written.
fn input(matches: &ArgMatches, schema: &InputSchema) -> Map<String, Value> {
    let mut input = Map::new();
    for property in schema.properties().iter().filter(|property| is_flag(property)) {
        let texts = |id: &str| -> Option<Vec<(usize, String)>> {
            let known = matches.try_contains_id(id).is_ok_and(|is| is);
            let given = known && matches.value_source(id) == Some(ValueSource::CommandLine);
            // clap panics when it is asked for an argument that it doesn't know, so it is asked only for known ones.
            given.then(|| {
                let texts = matches.get_many::<String>(id).into_iter().flatten().cloned();
                matches.indices_of(id).into_iter().flatten().zip(texts).collect()
            })
        };
        let given = [texts(property.name()), texts(&word_id(property.name()))];
        let mut texts: Vec<(usize, String)> = given.into_iter().flatten().flatten().collect();
        // Flags and words of one list come in the order in which they were written.
        texts.sort_by_key(|(place, _)| *place);
        let mut texts: Vec<Value> = texts.into_iter().map(|(_, text)| Value::String(text)).collect();
        if property.kind() == PropertyType::StringArray {
            if !texts.is_empty() {
                input.insert(property.name().to_owned(), Value::Array(texts));
            }
        } else if let Some(text) = texts.pop() {
            input.insert(property.name().to_owned(), text);
        }
    }
    input
}

/// Commands by path.
#[derive(Default)]
struct Tree<'a> {
    entry: Option<&'a Entry>,
    branches: BTreeMap<&'a str, Tree<'a>>,
}

impl<'a> Tree<'a> {
    /// The first command of a path has it.
    fn insert(&mut self, path: &'a [String], entry: &'a Entry) {
        let mut node = self;
        for segment in path {
            node = node.branches.entry(segment).or_default();
        }
        node.entry.get_or_insert(entry);
    }

    fn fill(&self, command: Command, text: &dyn Fn(&str) -> String) -> Command {
        let mut command = command.disable_help_subcommand(true).subcommand_required(self.entry.is_none());
        if let Some(entry) = self.entry {
            command = with_inputs(command, entry, text);
        }
        for (word, branch) in &self.branches {
            command = command.subcommand(branch.fill(Command::new((*word).to_owned()), text));
        }
        command
    }
}

fn is_flag(property: &Property) -> bool {
    !HOST_FLAGS.contains(&property.name())
}

/// The id of the argument that takes an input as a bare word; input names hold no dot.
fn word_id(name: &str) -> String {
    format!("{name}.word")
}

fn with_inputs(mut command: Command, entry: &Entry, text: &dyn Fn(&str) -> String) -> Command {
    command = command.about(text(&entry.capability.summary));
    if entry.capability.description.is_some() {
        command = command.long_about(text(&entry.text().replace("\n\n", " ")));
    }
    for property in entry.schema.properties().iter().filter(|property| is_flag(property)) {
        let name = property.name();
        let word = entry.positionals.iter().any(|positional| positional == name);
        let required = entry.schema.is_required(name);
        let mut flag = flag(property, text).hide(property.is_hidden());
        if required {
            flag = if word { flag.required_unless_present(word_id(name)) } else { flag.required(true) };
        }
        command = command.arg(flag);
    }
    let positionals =
        entry.positionals.iter().filter_map(|name| entry.schema.property(name)).filter(|property| is_flag(property));
    for (index, property) in positionals.enumerate() {
        let name = property.name();
        let list = property.kind() == PropertyType::StringArray;
        let mut word =
            Arg::new(word_id(name)).index(index + 1).value_name(name.to_owned()).allow_negative_numbers(true);
        word = match choices(property) {
            Some(choices) => word.value_parser(choices),
            None => word.value_parser(ValueParser::string()),
        };
        word = if list { word.num_args(0..).action(ArgAction::Append) } else { word.conflicts_with(name.to_owned()) };
        if entry.schema.is_required(name) {
            word = word.required_unless_present(name.to_owned());
        }
        command = command.arg(word.hide(property.is_hidden()));
    }
    command
}

fn flag(property: &Property, text: &dyn Fn(&str) -> String) -> Arg {
    let name = property.name();
    let mut arg = if property.kind() == PropertyType::Boolean {
        boolean_arg(name)
    } else {
        let arg = Arg::new(name.to_owned()).long(name.to_owned()).allow_negative_numbers(true);
        match choices(property) {
            Some(choices) => arg.value_parser(choices),
            None => arg.value_parser(ValueParser::string()),
        }
    };
    arg = arg.value_name(property.kind().as_str()).aliases(property.aliases().to_vec());
    arg = arg.action(if property.kind() == PropertyType::StringArray { ArgAction::Append } else { ArgAction::Set });
    let mut about: Vec<String> = property.description().map(text).into_iter().collect();
    if let Some(default) = property.default() {
        about.push(text(&format!("(default: {default})")));
    }
    about.extend(property.hint().map(text));
    if about.is_empty() { arg } else { arg.help(about.join(" ")) }
}

/// A flag that may stand alone, for true, or with one of the boolean words.
fn boolean_arg(name: &str) -> Arg {
    let words = PossibleValuesParser::new([
        PossibleValue::new("true").aliases(["1", "yes", "on"]),
        PossibleValue::new("false").aliases(["0", "no", "off"]),
    ]);
    Arg::new(name.to_owned())
        .long(name.to_owned())
        .num_args(0..=1)
        .default_missing_value("true")
        .ignore_case(true)
        .hide_possible_values(true)
        .action(ArgAction::Set)
        .value_parser(words)
}

/// The enum as clap's possible values: only for texts that mean the same to every shell, since completion
/// scripts hold them as they are.
fn choices(property: &Property) -> Option<PossibleValuesParser> {
    let harmless = |text: &str| {
        let allowed =
            |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'/' | b'@' | b'+' | b',' | b'-');
        !text.is_empty() && !text.starts_with('-') && text.bytes().all(allowed)
    };
    if property.kind() != PropertyType::String || property.one_of().is_empty() {
        return None;
    }
    let words: Vec<&str> = property.one_of().iter().filter_map(Value::as_str).filter(|text| harmless(text)).collect();
    (words.len() == property.one_of().len())
        .then(|| PossibleValuesParser::new(words.into_iter().map(|word| PossibleValue::new(word.to_owned()))))
}
