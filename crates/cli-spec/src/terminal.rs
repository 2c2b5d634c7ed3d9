//! The whole way of a terminal host: from the program's arguments to what it prints and how it ends.

use std::ffi::OsString;

use serde_json::{Map, Value};

use crate::{
    Command, CommandError, ExitCode, InvokeContext, InvokeRequest, NotFound, OutputMode, Registry,
    error::{ErrorEnvelope, IntoEnvelope, reason},
    input::{
        argv::{self, HostFlags, Parser},
        coerce::{Rules, collect},
        error::{InputError, InputProblem},
    },
    output::render,
    text::one_line,
};

/// What a program prints and how it ends. Nothing is printed by this crate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rendered {
    /// For standard output.
    pub stdout: String,
    /// For standard error.
    pub stderr: String,
    /// 0, 1 or 2; see [`ExitCode`].
    pub exit_code: u8,
}

/// What is known of the terminal and of the caller.
#[derive(Clone, Debug, Default)]
pub struct Terminal {
    width: Option<usize>,
    context: InvokeContext,
}

impl Terminal {
    /// A terminal of unknown width.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the width to which tables are cut. Default: not cut.
    #[must_use]
    pub fn width(mut self, columns: usize) -> Self {
        self.width = Some(columns);
        self
    }

    /// Sets who calls. Default: source `cli`.
    #[must_use]
    pub fn context(mut self, context: InvokeContext) -> Self {
        self.context = context;
        self
    }
}

/// What arguments ask for.
enum Asked {
    Run { request: InvokeRequest, globals: Map<String, Value> },
    Print(Rendered),
}

impl Registry {
    /// Runs the program with these arguments (without the program's name): finds the command, reads flags and positionals, answers
    /// `--help` and `help`, runs, and renders the output or the failure.
    ///
    /// With `--json` standard output has exactly one JSON value, failures included; without it a failure is one line on standard
    /// error.
    pub async fn run_args<A: Into<OsString>>(&self, args: impl IntoIterator<Item = A>) -> Rendered {
        self.run_args_on(args, &Terminal::new()).await
    }

    /// Like [`run_args`](Self::run_args), for a terminal of which more is known.
    pub async fn run_args_on<A: Into<OsString>>(
        &self,
        args: impl IntoIterator<Item = A>,
        terminal: &Terminal,
    ) -> Rendered {
        let (words, unreadable) = decode(args);
        let flags = argv::host_flags(words);
        let json = flags.json;
        let asked = match unreadable {
            Some(problem) => Err(CommandError::Input(InputError::one(problem))),
            None => self.ask(flags, terminal),
        };
        let (request, globals) = match asked {
            Ok(Asked::Run { request, globals }) => (request, globals),
            Ok(Asked::Print(rendered)) => return rendered,
            Err(error) => return failed(&error.into_envelope(), json),
        };
        match self.invoke_with(request, globals).await {
            Ok(output) if json => Rendered { stdout: render::json(&output), ..Rendered::default() },
            Ok(output) => Rendered {
                stdout: render::plain(&output, terminal.width),
                stderr: render::warnings(&output),
                exit_code: ExitCode::Success.as_u8(),
            },
            Err(error) => failed(&error.into_envelope(), json),
        }
    }

    fn ask(&self, flags: HostFlags, terminal: &Terminal) -> Result<Asked, CommandError> {
        if let Some(problem) = flags.problem {
            return Err(CommandError::Input(problem));
        }
        let (globals, mut words) = argv::take(&self.globals, flags.rest);
        let mut help = flags.help;
        if words.first().is_some_and(|word| word == "help") && self.find(&["help"]).is_err() {
            words.remove(0);
            help = true;
        }
        if help {
            return self.ask_help(&words, flags.json).map(Asked::Print);
        }
        if words.is_empty() && !flags.json {
            // Nothing was asked for: the invocation is at fault, and the help is the most useful thing to say.
            let stderr = self.help::<&str>(&[]).unwrap_or_default();
            return Ok(Asked::Print(Rendered { stderr, exit_code: ExitCode::Usage.as_u8(), ..Rendered::default() }));
        }
        let found = self.find(&words)?;
        let globals = settle(&self.globals, globals)?;
        let input = read(found.command, words.into_iter().skip(found.consumed))?;
        let mut request =
            InvokeRequest::new(found.command.id()).with_input(input).with_context(terminal.context.clone());
        if flags.json {
            request.output_mode = Some(OutputMode::Json);
        }
        Ok(Asked::Run { request, globals })
    }

    fn ask_help(&self, words: &[String], json: bool) -> Result<Rendered, CommandError> {
        let path: Vec<&str> = words.iter().map(String::as_str).take_while(|word| !word.starts_with('-')).collect();
        let found = self.find(&path);
        let stdout = match (&found, json) {
            (Ok(found), true) => render::pretty(found.command.capability()),
            (Ok(found), false) => self.command_help(found.command),
            (Err(_), json) => {
                let text = self.help(&path).ok_or_else(|| {
                    self.find(&path).err().unwrap_or_else(|| CommandError::NotFound(NotFound::default()))
                })?;
                if json {
                    let under = self
                        .listed_in_help()
                        .filter(|command| command.path().iter().zip(&path).all(|(segment, word)| segment == word));
                    render::pretty(&under.map(Command::capability).collect::<Vec<_>>())
                } else {
                    text
                }
            }
        };
        Ok(Rendered { stdout, ..Rendered::default() })
    }
}

fn decode<A: Into<OsString>>(args: impl IntoIterator<Item = A>) -> (Vec<String>, Option<InputProblem>) {
    let mut problem = None;
    let words = args
        .into_iter()
        .map(|arg| {
            arg.into().into_string().unwrap_or_else(|arg| {
                let shown = arg.to_string_lossy().into_owned();
                problem.get_or_insert_with(|| InputProblem::invalid(&shown, "the argument is not valid UTF-8"));
                shown
            })
        })
        .collect();
    (words, problem)
}

/// Reads the arguments of a command; everything that is wrong with them is reported together.
fn read(command: &Command, args: impl Iterator<Item = String>) -> Result<Map<String, Value>, CommandError> {
    let schema = command.schema();
    let parsed = Parser::new(schema).positionals(command.positionals()).read(args);
    if parsed.is_clean() {
        return Ok(parsed.input);
    }
    let (_, bound, _) = collect(schema, parsed.input.clone(), Rules::LENIENT);
    Err(CommandError::Input(parsed.into_error(schema, bound)))
}

fn settle(schema: &crate::schema::InputSchema, parsed: argv::Parsed) -> Result<Map<String, Value>, CommandError> {
    let (values, bound, warnings) = collect(schema, parsed.input.clone(), Rules::LENIENT);
    if parsed.is_clean() && bound.is_empty() {
        return Ok(crate::input::coerce::Coerced { values, warnings }.into_map(schema));
    }
    Err(CommandError::Input(parsed.into_error(schema, bound)))
}

fn failed(envelope: &ErrorEnvelope, json: bool) -> Rendered {
    let exit_code = envelope.exit_code().as_u8();
    if json {
        return Rendered { stdout: render::error(envelope), stderr: String::new(), exit_code };
    }
    let message = if envelope.error.message.trim().is_empty() {
        envelope.error.reason_code.as_str()
    } else {
        envelope.error.message.as_str()
    };
    Rendered { stdout: String::new(), stderr: format!("error: {}\n", one_line(message)), exit_code }
}

/// A host's failure outside any command (a port that is taken, a file that can't be opened), rendered like that of a command.
impl From<ErrorEnvelope> for Rendered {
    fn from(envelope: ErrorEnvelope) -> Self {
        failed(&envelope, false)
    }
}

impl Rendered {
    /// A failure, as `--json` or a terminal shows it.
    pub fn failure(envelope: &ErrorEnvelope, json: bool) -> Self {
        failed(envelope, json)
    }

    /// The failure that no output came back, for clients whose daemon answered nothing.
    pub fn output_missing(command: &str, json: bool) -> Self {
        let message = format!("command {} gave no output", crate::text::quoted(command));
        failed(&ErrorEnvelope::new(reason::COMMAND_OUTPUT_MISSING, message), json)
    }
}
