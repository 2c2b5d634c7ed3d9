use std::fmt;

/// Faults of one check that its text shows; all are in the verdict.
const SHOWN: usize = 5;

/// What a run of checks found, in the order of the checks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    checks: Vec<Check>,
}

impl Report {
    pub(super) fn new(checks: Vec<Check>) -> Self {
        Self { checks }
    }

    /// Whether no check failed. Checks that nothing was said about are skipped, not failed.
    pub fn passed(&self) -> bool {
        self.failures().next().is_none()
    }

    /// All checks.
    pub fn checks(&self) -> &[Check] {
        &self.checks
    }

    /// The checks that failed.
    pub fn failures(&self) -> impl Iterator<Item = &Check> {
        self.checks.iter().filter(|check| matches!(check.verdict, Verdict::Failed(_)))
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, check) in self.checks.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{check}")?;
        }
        Ok(())
    }
}

/// One check and what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    name: &'static str,
    verdict: Verdict,
}

impl Check {
    pub(super) fn skipped(name: &'static str, why: &str) -> Self {
        Self { name, verdict: Verdict::Skipped(why.to_owned()) }
    }

    pub(super) fn of(name: &'static str, faults: Vec<String>) -> Self {
        let verdict = if faults.is_empty() { Verdict::Passed } else { Verdict::Failed(faults) };
        Self { name, verdict }
    }

    /// The check's name, stable: `descriptor`, `empty_query`, …
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// What came of it.
    pub fn verdict(&self) -> &Verdict {
        &self.verdict
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.verdict {
            Verdict::Passed => write!(f, "{}: passed", self.name),
            Verdict::Skipped(why) => write!(f, "{}: skipped, {why}", self.name),
            Verdict::Failed(faults) => {
                let shown: Vec<_> = faults.iter().take(SHOWN).map(String::as_str).collect();
                write!(f, "{}: FAILED: {}", self.name, shown.join("; "))?;
                match faults.len().saturating_sub(SHOWN) {
                    0 => Ok(()),
                    more => write!(f, "; and {more} more"),
                }
            }
        }
    }
}

/// What came of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// Nothing was found.
    Passed,
    /// What was found, one fault each.
    Failed(Vec<String>),
    /// The check had nothing to go by, and what it needs.
    Skipped(String),
}
