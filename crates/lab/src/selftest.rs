//! The report of a self-test: which cases of conformance a driver gets right. A document that people send in.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use rasterscan::Unsupported;
use rasterscan::tools::conformance::Verdict;
use rasterscan::tools::job::Job;
use rasterscan_drawing::number::grouped;

use crate::document::{self, DocumentError};
use crate::machine::Machine;
use crate::table::{self, right};

const SCHEMA: &str = "rasterscan.selftest";
const FORM: u32 = 2;

/// The most wrong cases that are printed.
const TOLD: usize = 20;

/// The report of `selftest --json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SelftestReport {
    /// The name and the form of the document.
    pub schema: String,
    /// The machine, and the date.
    pub machine: Machine,
    /// The commit that the program was built from; `None` if the build had no git.
    pub commit: Option<String>,
    /// All cases.
    pub cases: usize,
    /// Those that there was time for.
    pub checked: usize,
    /// The algorithms, in the order in which they were first checked.
    pub algorithms: Vec<Checked>,
    /// The reasons that rule cases out, and the number of cases.
    pub not_applicable: BTreeMap<String, u64>,
    /// The cases that failed.
    pub wrong: Vec<WrongJob>,
}

/// The cases of an algorithm.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Checked {
    /// The problem's name.
    pub family: String,
    /// The algorithm's name, without parameters.
    pub algorithm: String,
    /// Cases with a correct result.
    pub right: u64,
    /// Cases that this device or algorithm does not run.
    pub not_applicable: u64,
    /// Cases with a wrong result, or an error.
    pub wrong: u64,
    /// Numbers that were compared.
    pub compared: u64,
    /// Floats that cannot be checked.
    pub unbounded: u64,
}

/// A case that failed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WrongJob {
    /// The command that runs it alone.
    pub command: String,
    /// The first wrong value, or the error.
    pub what: String,
}

impl SelftestReport {
    /// An empty report on so many cases.
    pub fn new(machine: Machine, cases: usize) -> SelftestReport {
        SelftestReport {
            schema: format!("{SCHEMA}/{FORM}"),
            machine,
            commit: document::commit(),
            cases,
            checked: 0,
            algorithms: Vec::new(),
            not_applicable: BTreeMap::new(),
            wrong: Vec::new(),
        }
    }

    /// Adds the verdict on a job. `command` is the command that runs it alone.
    pub fn add(&mut self, job: &Job, verdict: Verdict, command: impl Fn() -> String) {
        self.checked += 1;
        let (family, name) = (job.problem.name, job.algorithm.to_string());
        let algorithm = name.split(':').next().unwrap_or_default();
        let same = |row: &Checked| row.family == family && row.algorithm == algorithm;
        let number = self.algorithms.iter().position(same).unwrap_or_else(|| {
            let (family, algorithm) = (family.into(), algorithm.into());
            self.algorithms.push(Checked { family, algorithm, ..Checked::default() });
            self.algorithms.len() - 1
        });
        let row = &mut self.algorithms[number];
        let what = match verdict {
            Verdict::Right(verified) => {
                row.right += 1;
                row.compared += verified.compared;
                row.unbounded += verified.unbounded;
                return;
            }
            Verdict::NotApplicable(Unsupported { reason, .. }) => {
                row.not_applicable += 1;
                *self.not_applicable.entry(reason).or_default() += 1;
                return;
            }
            Verdict::Wrong(mismatch) => mismatch.to_string(),
            Verdict::Failed(error) => error.to_string(),
        };
        row.wrong += 1;
        self.wrong.push(WrongJob { command: command(), what });
    }

    /// The sum of a count over the algorithms.
    pub fn total(&self, count: impl Fn(&Checked) -> u64) -> u64 {
        self.algorithms.iter().map(count).sum()
    }

    /// The report for people.
    pub fn text(&self) -> String {
        let mut rows = table::plain();
        rows.set_header(vec![
            "algorithm".into(),
            right("right"),
            right("wrong"),
            right("not applicable"),
            right("numbers compared"),
        ]);
        for row in &self.algorithms {
            rows.add_row(vec![
                format!("{} {}", row.family, row.algorithm).into(),
                right(grouped(row.right)),
                right(grouped(row.wrong)),
                right(grouped(row.not_applicable)),
                right(grouped(row.compared)),
            ]);
        }
        let mut text = format!(
            "rasterscan {} on {}\n{} of {} cases checked\n\n{}",
            self.machine.program,
            self.machine.line(),
            grouped(self.checked as u64),
            grouped(self.cases as u64),
            table::render(rows)
        );
        if self.wrong.is_empty() {
            text += "\nall of them are correct\n";
        }
        for WrongJob { command, what } in self.wrong.iter().take(TOLD) {
            text += &format!("\nwrong: {command}\n  {what}\n");
        }
        text
    }
}

/// Reads a report.
///
/// Errors: it is damaged, another document, or of another version.
pub fn parse(bytes: &[u8]) -> Result<SelftestReport, DocumentError> {
    document::parse(bytes, SCHEMA, FORM, "report of `selftest --json`")
}

#[cfg(test)]
mod tests {
    use rasterscan::algorithm::results::{Mismatch, Verified};

    use super::*;
    use crate::stub;

    #[test]
    fn a_report_tells_what_is_wrong_and_what_shows_it() {
        let job = |text: &str| Job::parse(text.split(' ')).unwrap();
        let (horn, sam) = (job("scan ones:n=3 -a horn"), job("scan ones:n=3 -a sam:vectors=2"));
        let mut report = SelftestReport::new(stub::machine(), 9);
        let command = || "rasterscan scan ones:n=3 -a horn".to_owned();
        report.add(&horn, Verdict::Right(Verified { compared: 1200, unbounded: 0 }), command);
        report.add(&sam, Verdict::NotApplicable(Unsupported::feature("no compute")), command);
        assert!(report.text().contains("all of them are correct") && report.text().contains("1,200"));
        let mismatch =
            Mismatch { what: "element", index: 2, expected: "3".into(), got: "4".into(), tolerance: None };
        report.add(&horn, Verdict::Wrong(mismatch), command);
        let text = report.text();
        assert!(
            text.contains("wrong: rasterscan scan ones:n=3 -a horn\n  element 2 is 4, expected 3"),
            "{text}"
        );
        assert!(!text.contains("all of them are correct"));
        let names: Vec<&str> = report.algorithms.iter().map(|row| row.algorithm.as_str()).collect();
        assert_eq!((names, report.checked), (vec!["horn", "sam"], 3));
        assert_eq!((report.total(|row| row.right), report.total(|row| row.wrong)), (1, 1));
        assert_eq!(parse(&serde_json::to_vec(&report).unwrap()).unwrap(), report);
    }
}
