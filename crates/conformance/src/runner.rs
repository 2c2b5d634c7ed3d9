//! Asks an adapter every case and counts.

use std::collections::BTreeMap;

use crate::answer::{Adapter, Answer};
use crate::compare::differences;
use crate::fixture::{AREAS, Case, Suite};
use crate::report::{AreaCount, Failure, Report};

/// Which cases are run; all by default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Only cases of this area.
    pub area: Option<String>,
    /// Only the cases of this id: `closing-paren-in-id`, or with its suite `token/scan/closing-paren-in-id`.
    pub case: Option<String>,
}

impl Filter {
    /// Whether a case is run.
    pub fn takes(&self, suite: &Suite, case: &Case) -> bool {
        let area = self.area.as_deref().is_none_or(|area| suite.area() == area);
        let case = self.case.as_deref().is_none_or(|wanted| {
            let of_suite = wanted.strip_prefix(suite.name.as_str()).and_then(|rest| rest.strip_prefix('/'));
            wanted == case.id || of_suite == Some(case.id.as_str())
        });
        area && case
    }

    /// How many cases are run.
    pub fn count(&self, suites: &[Suite]) -> usize {
        suites
            .iter()
            .flat_map(|suite| suite.cases.iter().map(move |case| (suite, case)))
            .filter(|(s, c)| self.takes(s, c))
            .count()
    }
}

enum Verdict {
    Passed,
    Failed(Failure),
    Unsupported,
}

/// Runs the cases that the filter takes, one after the other, and ends the adapter.
///
/// `progress` is told before each case how many are done, how many there are, and the suite.
pub fn run(
    suites: &[Suite],
    filter: &Filter,
    adapter: &mut dyn Adapter,
    mut progress: impl FnMut(usize, usize, &str),
) -> Report {
    let total = filter.count(suites);
    let cases: Vec<(&Suite, &Case)> = suites
        .iter()
        .flat_map(|suite| suite.cases.iter().map(move |case| (suite, case)))
        .filter(|(suite, case)| filter.takes(suite, case))
        .collect();
    let mut verdicts: Vec<Verdict> = Vec::with_capacity(total);
    for (done, (suite, case)) in cases.iter().enumerate() {
        progress(done, total, &suite.name);
        verdicts.push(judge(suite, case, &adapter.call(&case.op, &case.input)));
        spoil(&cases, &mut verdicts, adapter.late_faults());
    }
    adapter.end();
    spoil(&cases, &mut verdicts, adapter.late_faults());

    let mut areas: BTreeMap<usize, AreaCount> = BTreeMap::new();
    let mut failures = Vec::new();
    for ((suite, _), verdict) in cases.iter().zip(verdicts) {
        let area = suite.area();
        let rank = AREAS.iter().position(|known| *known == area).unwrap_or(AREAS.len());
        let count = areas.entry(rank).or_insert_with(|| AreaCount::new(area));
        match verdict {
            Verdict::Passed => count.passed += 1,
            Verdict::Unsupported => count.unsupported += 1,
            Verdict::Failed(failure) => {
                count.failed += 1;
                failures.push(failure);
            }
        }
    }
    Report { areas: areas.into_values().collect(), failures }
}

fn judge(suite: &Suite, case: &Case, answer: &Answer) -> Verdict {
    let (differences, broken) = match answer {
        Answer::Unsupported => return Verdict::Unsupported,
        Answer::Broken(word) => (Vec::new(), Some(word.clone())),
        answer => (differences(&case.expect, answer), None),
    };
    if differences.is_empty() && broken.is_none() {
        return Verdict::Passed;
    }
    Verdict::Failed(Failure::new(suite, case, differences, broken))
}

/// Faults that showed after the answer: the case fails, whatever it was before.
fn spoil(cases: &[(&Suite, &Case)], verdicts: &mut [Verdict], faults: Vec<(usize, String)>) {
    for (number, word) in faults {
        if let (Some((suite, case)), Some(verdict)) = (cases.get(number), verdicts.get_mut(number)) {
            if !matches!(verdict, Verdict::Failed(_)) {
                *verdict = Verdict::Failed(Failure::new(suite, case, Vec::new(), Some(word)));
            }
        }
    }
}
