//! Completion scripts for shells, by clap_complete.

use super::clap::Program;

/// A shell that there are scripts for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Shell {
    /// GNU bash.
    Bash,
    /// zsh.
    Zsh,
    /// fish.
    Fish,
}

impl Shell {
    /// Every shell, in order.
    pub const ALL: [Self; 3] = [Self::Bash, Self::Zsh, Self::Fish];

    /// The shell's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Bash => "bash",
            Self::Zsh => "zsh",
            Self::Fish => "fish",
        }
    }

    /// The shell of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|shell| shell.as_str() == name)
    }
}

/// The script that makes a shell complete a program's commands, flags and enum values.
///
/// What apps say about themselves becomes part of a script that a shell runs. Text in it is reduced to
/// characters that no shell reads as anything else, and enum values that hold others are not offered.
///
/// ```
/// use cli_spec::{Capability, OutputMode, OutputSpec, export::{clap::Program, completions::{Shell, script}}};
///
/// let output = OutputSpec { default_mode: OutputMode::Json, json: true, table: None };
/// let list = Capability::new("tutti.issue.list", ["issue", "list"], "List issues", output);
/// let program = Program::new("tutti", [&list]);
/// assert!(script(&program, Shell::Bash).contains("complete -F _tutti"));
/// ```
pub fn script(program: &Program, shell: Shell) -> String {
    let mut command = program.for_shells();
    let name = program.name().to_owned();
    let mut out = Vec::new();
    let shell = match shell {
        Shell::Bash => clap_complete::Shell::Bash,
        Shell::Zsh => clap_complete::Shell::Zsh,
        Shell::Fish => clap_complete::Shell::Fish,
    };
    clap_complete::generate(shell, &mut command, name, &mut out);
    String::from_utf8_lossy(&out).into_owned()
}
