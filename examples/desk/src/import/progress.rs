//! A progress bar on standard error, on a terminal only.

use std::io::IsTerminal as _;

use indicatif::{ProgressBar, ProgressStyle};

/// Shows how far a long import is; silent where nobody watches.
#[derive(Debug)]
pub struct Progress(ProgressBar);

impl Progress {
    /// A bar for a terminal, or nothing.
    pub fn on_terminal() -> Self {
        if std::io::stderr().is_terminal() { Self(ProgressBar::new_spinner()) } else { Self::silent() }
    }

    /// Shows nothing.
    pub fn silent() -> Self {
        Self(ProgressBar::hidden())
    }

    /// Starts a stretch of work, with its length where it is known.
    pub(super) fn start(&self, what: &'static str, length: Option<u64>) {
        self.0.reset();
        match length {
            Some(length) => {
                self.0.set_length(length);
                self.0.set_style(style("{msg:10} {bar:30} {pos}/{len} {eta}"));
            }
            None => self.0.set_style(style("{msg:10} {spinner} {pos}")),
        }
        self.0.set_message(what);
    }

    pub(super) fn step(&self) {
        self.0.inc(1);
    }

    pub(super) fn end(&self) {
        self.0.finish_and_clear();
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
