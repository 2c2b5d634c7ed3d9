//! `desk`: see the library of the same name.

use std::io::Write as _;
use std::process::ExitCode;

use cli_spec::{Rendered, Terminal};

fn main() -> ExitCode {
    let arguments = std::env::args_os().skip(1);
    let rendered = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime.block_on(desk::run(arguments, &Terminal::new())),
        Err(error) => Rendered { stderr: format!("error: {error}\n"), exit_code: 1, ..Rendered::default() },
    };
    print(&rendered)
}

/// Writes what a command rendered. A reader that has gone away (`desk … | head -1`) ends the program quietly.
fn print(rendered: &Rendered) -> ExitCode {
    let written = std::io::stdout()
        .write_all(rendered.stdout.as_bytes())
        .and_then(|()| std::io::stdout().flush())
        .and_then(|()| std::io::stderr().write_all(rendered.stderr.as_bytes()));
    match written {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => ExitCode::FAILURE,
        _ => ExitCode::from(rendered.exit_code),
    }
}
