//! The document of a comparison, which `--json` writes and `--against` reads.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use rasterscan::Device;
use rasterscan::tools::problem::COMPACT;

use crate::case::Case;
use crate::cell::{Cell, LeftOut, Measured, Pace, Row};
use crate::document::{self, DocumentError, Gl};
use crate::machine::Machine;
use crate::model::Model;
use crate::table::distinct;

const SCHEMA: &str = "rasterscan.compare";
const FORM: u32 = 1;

/// A comparison, as written by `compare --json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CompareDocument {
    /// The name and the form of the document.
    pub schema: String,
    /// The device.
    pub gl: Gl,
    /// The machine, and the date.
    pub machine: Machine,
    /// The commit that the program was built from; `None` if the build had no git, and in older documents.
    #[serde(default)]
    pub commit: Option<String>,
    /// The contender that ratios are relative to.
    pub baseline: String,
    /// The time limit, in seconds.
    pub seconds: f64,
    /// The yardstick, which tells whether the device ran at its full speed.
    #[serde(default)]
    pub yardstick: Option<Pace>,
    /// The cost model of the raster era, if it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<Model>,
    /// One row for each contender on each case.
    pub rows: Vec<Row>,
    /// The contenders that were not timed.
    pub left_out: Vec<LeftOut>,
}

impl CompareDocument {
    /// An empty comparison.
    pub fn new(machine: Machine, baseline: &str, seconds: Duration) -> CompareDocument {
        let Machine { renderer, version, api, .. } = machine.clone();
        CompareDocument {
            schema: format!("{SCHEMA}/{FORM}"),
            gl: Gl { renderer, version, api },
            machine,
            commit: document::commit(),
            baseline: baseline.into(),
            seconds: seconds.as_secs_f64(),
            yardstick: None,
            model: None,
            rows: Vec::new(),
            left_out: Vec::new(),
        }
    }

    /// Adds the results of a cell.
    pub fn add(&mut self, measured: Measured) {
        self.rows.extend(measured.rows);
        self.left_out.extend(measured.left_out);
    }

    /// Checks all rows against the best speed of the device so far.
    pub fn judge(&mut self, pace: Option<Pace>) {
        if let Some(pace) = &pace {
            pace.judge(&mut self.rows);
        }
        self.yardstick = pace;
    }

    /// Has the model, if there is one, predict the time of every row of these cells.
    pub(super) fn predict(&mut self, cells: &[Cell], device: &Device) {
        let Some(model) = &self.model else { return };
        for row in &mut self.rows {
            let cell = cells.iter().find(|cell| cell.case == row.case);
            let contender = cell.and_then(|cell| cell.contenders.iter().find(|one| one.name() == row.name));
            let plan = contender.and_then(|contender| contender.plan(&row.case, device).ok().flatten());
            // Of patterns it is not known how much a compaction keeps.
            let kept = match *row.case.problem() == *COMPACT {
                true => row.case.share(),
                false => Some(1.0),
            };
            row.predicted = plan.zip(kept).and_then(|(plan, kept)| model.predict(&plan, kept));
        }
    }

    /// Returns true if rows of a case were measured while the device was slower than its known best.
    pub fn is_unsettled(&self, case: &Case) -> bool {
        self.rows.iter().any(|row| row.case == *case && row.is_unsettled())
    }

    /// The cases, in the order in which they were measured.
    pub fn distinct_cases(&self) -> Vec<&Case> {
        distinct(self.rows.iter().map(|row| &row.case))
    }

    /// The number of cases.
    pub fn cases(&self) -> usize {
        self.distinct_cases().len()
    }
}

/// Reads the document of an earlier run.
///
/// Errors: a document that is damaged, is another document, or was written by a newer version.
pub fn parse(bytes: &[u8]) -> Result<CompareDocument, DocumentError> {
    document::parse(bytes, SCHEMA, FORM, "document of `compare --json`")
}

#[cfg(test)]
pub(super) mod tests {
    use rasterscan::Device;
    use rasterscan::tools::problem::SCAN;

    use super::*;
    use crate::cell::{Cell, Lab, set_ratios};
    use crate::contender::Contender;
    use crate::measure::Protocol;
    use crate::stub::{self, StubLab};

    /// A comparison whose times come from a formula.
    pub fn stubbed(names: &[&str], cases: &[Case]) -> CompareDocument {
        let mut comparison = CompareDocument::new(stub::machine(), "copy:texture", Duration::from_secs(60));
        let mut lab = StubLab::new(Device::gl43());
        let protocol = Protocol::new(false, Duration::from_secs(1));
        for case in cases {
            let named = names.iter().map(|name| Contender::parse(case.problem(), name).unwrap());
            let contenders = Contender::baselines(case.problem()).into_iter().chain(named).collect();
            let cell = Cell { case: case.clone(), contenders, phases: true, repeats: 0 };
            comparison.add(lab.measure(&cell, &protocol, &mut || true).unwrap());
        }
        comparison.judge(lab.pace());
        set_ratios(&mut comparison.rows, "copy:texture");
        comparison
    }

    #[test]
    fn what_is_written_is_read_again() {
        let comparison = stubbed(&["horn", "sam"], &[Case::scan(1000), Case::scan(1 << 20)]);
        assert_eq!(comparison.cases(), 2);
        let text = serde_json::to_vec(&comparison).unwrap();
        assert_eq!(parse(&text).unwrap(), comparison);
    }

    #[test]
    fn documents_without_a_commit_are_read() {
        let comparison = stubbed(&["horn"], &[Case::scan(1000)]);
        let mut old = serde_json::to_value(&comparison).unwrap();
        assert!(old.as_object_mut().unwrap().remove("commit").is_some());
        let read = parse(old.to_string().as_bytes()).unwrap();
        assert_eq!(read, CompareDocument { commit: None, ..comparison });
    }

    #[test]
    fn fuzz() {
        let comparison = stubbed(&["horn", "sam"], &[Case::scan(1000)]);
        let corpus = vec![serde_json::to_vec(&comparison).unwrap()];
        let words = ["null", "\"ms\":", "\"copy:texture\"", "\"gpu\"", ",", "}", "]"];
        rasterscan_fuzz::Fuzz { name: "document", corpus, words: &words, repair: |_| {}, cases: 2000 }.run(
            |bytes| match parse(bytes) {
                Ok(read) => {
                    let text = super::super::changes(&read, &comparison).text();
                    text + &super::super::changes(&comparison, &read).text()
                }
                Err(error) => format!("{error:#}"),
            },
        );
    }

    #[test]
    fn what_is_no_comparison_is_told() {
        let text = serde_json::to_string(&stubbed(&["horn"], &[Case::scan(1000)])).unwrap();
        let why = |text: &str| format!("{:#}", parse(text.as_bytes()).unwrap_err());
        assert!(why("").contains("not a document"));
        assert!(why(&text[..text.len() - 2]).contains("not a document"));
        assert!(why("[]").contains("not a document"));
        assert!(why(&text.replace("compare/1", "compare/2")).contains("newer"));
        assert!(why(&text.replace("compare/1", "scan/1")).contains("its schema is"));
        assert!(why(&text.replace("\"ms\":", "\"milli\":")).contains("damaged"));
    }

    #[test]
    fn a_plan_of_a_known_number_of_passes_has_that_many_rows_of_passes() {
        let comparison = stubbed(&["horn"], &[Case::scan(1 << 10)]);
        let horn = comparison.rows.iter().find(|row| row.name == "horn").unwrap();
        assert_eq!((horn.passes, horn.phases.len()), (10, 10));
        assert_eq!(horn.ratio, Some(horn.ms / comparison.rows[0].ms));
        assert_eq!(horn.case.problem(), SCAN);
    }
}
