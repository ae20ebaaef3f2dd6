//! `selftest`: checks the cases of conformance on this driver, and prints a report that can be sent.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use clap::Args;
use serde::Serialize;

use rasterscan::Unsupported;
use rasterscan::conformance::{self, Verdict};
use rasterscan_lab::host;
use rasterscan_lab::table::{self, right};
use rasterscan_picture::number::grouped;

use super::console::Console;
use super::device::DeviceOptions;
use super::document::Gl;
use super::{job, output, stop};

/// Check every algorithm on this driver, and print a report to send in
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct SelftestOptions {
    /// Time to check, in seconds; the cases are mixed, so even a short time covers some of everything
    #[arg(long, value_name = "S", default_value = "60", value_parser = super::tune::seconds)]
    seconds: Duration,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Each case is a job: an algorithm with its parameters, an element, the options
of its problem, and a length. Its result is checked against the sequential
reference. A wrong case is printed as the command that reproduces it alone.

Exit codes: 0 all correct, 3 something is wrong, 4 no usable OpenGL.

Examples:
  rasterscan selftest
  rasterscan selftest --seconds 600 --json > report.json
  rasterscan selftest --device software";

/// The most wrong cases that are printed.
const TOLD: usize = 20;

pub fn run(options: &SelftestOptions, device: &DeviceOptions, console: &Console) -> anyhow::Result<()> {
    let gpu = device.open()?;
    let jobs = conformance::jobs();
    let stop = stop::gracefully();
    let mut report = Report {
        schema: "rasterscan.selftest/1",
        program: env!("CARGO_PKG_VERSION"),
        machine: host::machine(gpu.device()).line(),
        gl: Gl::of(gpu.device()),
        cases: jobs.len(),
        checked: 0,
        algorithms: Vec::new(),
        not_applicable: BTreeMap::new(),
        wrong: Vec::new(),
    };
    let bar = console.timed_progress(jobs.len(), options.seconds);
    let start = Instant::now();
    for (number, job) in jobs.iter().enumerate() {
        if start.elapsed() > options.seconds && number > 0 || stop.wanted() {
            break;
        }
        bar.set_position(number as u64);
        bar.set_message(job.algorithm.to_string());
        let verdict = conformance::check(&gpu, job);
        let name = job.algorithm.to_string();
        let name = name.split(':').next().unwrap_or_default();
        report.add(job.problem.name, name, verdict, || job::command(job, device));
    }
    bar.finish_and_clear();
    let printed = match options.json {
        true => output::json_to_stdout(&report),
        false => output::to_stdout(report.text().as_bytes()),
    };
    stop.end();
    printed?;
    match report.wrong.first() {
        None => Ok(()),
        Some(first) => Err(super::exit::Failed(format!(
            "{} of {} cases failed; the first: {}",
            grouped(report.wrong.len() as u64),
            grouped(report.checked as u64),
            first.command
        ))
        .into()),
    }
}

/// The document of `--json`.
#[derive(Debug, Serialize)]
struct Report {
    schema: &'static str,
    program: &'static str,
    machine: String,
    gl: Gl,
    /// All cases; `checked` are those that there was time for.
    cases: usize,
    checked: usize,
    algorithms: Vec<SelftestRow>,
    /// The reasons that rule cases out, and the number of cases.
    not_applicable: BTreeMap<String, u64>,
    wrong: Vec<WrongJob>,
}

/// The cases of an algorithm.
#[derive(Debug, Serialize)]
struct SelftestRow {
    family: &'static str,
    algorithm: String,
    right: u64,
    not_applicable: u64,
    wrong: u64,
    /// Numbers that were compared.
    compared: u64,
    /// Floats that cannot be checked.
    unbounded: u64,
}

#[derive(Debug, Serialize)]
struct WrongJob {
    command: String,
    what: String,
}

impl Report {
    fn add(
        &mut self,
        problem: &'static str,
        algorithm: &str,
        verdict: Verdict,
        command: impl Fn() -> String,
    ) {
        self.checked += 1;
        let same = |row: &SelftestRow| row.family == problem && row.algorithm == algorithm;
        let number = self.algorithms.iter().position(same).unwrap_or_else(|| {
            let algorithm = algorithm.to_owned();
            let none = SelftestRow {
                family: problem,
                algorithm,
                right: 0,
                not_applicable: 0,
                wrong: 0,
                compared: 0,
                unbounded: 0,
            };
            self.algorithms.push(none);
            self.algorithms.len() - 1
        });
        let row = &mut self.algorithms[number];
        match verdict {
            Verdict::Right(verified) => {
                row.right += 1;
                row.compared += verified.compared;
                row.unbounded += verified.unbounded;
            }
            Verdict::NotApplicable(Unsupported(reason)) => {
                row.not_applicable += 1;
                *self.not_applicable.entry(reason).or_default() += 1;
            }
            Verdict::Wrong(mismatch) => {
                row.wrong += 1;
                self.wrong.push(WrongJob { command: command(), what: mismatch.to_string() });
            }
            Verdict::Failed(error) => {
                row.wrong += 1;
                self.wrong.push(WrongJob { command: command(), what: error.to_string() });
            }
        }
    }

    fn text(&self) -> String {
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
            self.program,
            self.machine,
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

#[cfg(test)]
mod tests {
    use rasterscan::results::{Mismatch, Verified};

    use super::*;

    #[test]
    fn a_report_tells_what_is_wrong_and_what_shows_it() {
        let mut report = Report {
            schema: "",
            program: "0",
            machine: "a machine".into(),
            gl: Gl { renderer: "a".into(), version: "b".into(), api: "gl".into() },
            cases: 9,
            checked: 0,
            algorithms: Vec::new(),
            not_applicable: BTreeMap::new(),
            wrong: Vec::new(),
        };
        let command = || "rasterscan scan ones:n=3 -a horn".to_owned();
        report.add("scan", "horn", Verdict::Right(Verified { compared: 1200, unbounded: 0 }), command);
        report.add("scan", "sam", Verdict::NotApplicable(Unsupported("no compute".into())), command);
        assert!(report.text().contains("all of them are correct") && report.text().contains("1,200"));
        let mismatch =
            Mismatch { what: "element", index: 2, expected: "3".into(), got: "4".into(), tolerance: None };
        report.add("scan", "horn", Verdict::Wrong(mismatch), command);
        let text = report.text();
        assert!(
            text.contains("wrong: rasterscan scan ones:n=3 -a horn\n  element 2 is 4, expected 3"),
            "{text}"
        );
        assert!(!text.contains("all of them are correct"));
        assert_eq!(report.algorithms.len(), 2);
    }
}
