//! The document of a run: the rows so far, saved after each cell, from which an interrupted run continues.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::{self, Read};

use flate2::read::GzDecoder;
use rasterscan::Device;
use serde::{Deserialize, Serialize};

use super::effort::Effort;
use super::papers::Planned;
use super::rows::{KeptRows, PaperRows};
use crate::cell::{Cell, LeftOut, Measured, Pace, Row, take_better};
use crate::document::{self, DocumentError};
use crate::machine::Machine;
use crate::report::page::Claim;

const SCHEMA: &str = "rasterscan.reproduce";
const FORM: u32 = 2;

/// A run of `reproduce`, whole or not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Store {
    /// The name and the form of the document.
    pub schema: String,
    /// The machine, and the date.
    pub machine: Machine,
    /// The commit that the program was built from; `None` if the build had no git.
    #[serde(default)]
    pub commit: Option<String>,
    /// The device, whose plans are counted; `None` in documents of older programs.
    #[serde(default)]
    pub device: Option<Device>,
    /// The effort, which bounds what is measured.
    pub effort: Effort,
    /// The papers that are checked.
    pub keys: Vec<String>,
    /// True if all processes have measured all cells, or left them out for a reason.
    pub complete: bool,
    /// The yardstick, which tells whether the device ran at its full speed.
    #[serde(default)]
    pub yardstick: Option<Pace>,
    /// The verdicts, for scripts; always rebuilt from the cells.
    #[serde(skip_deserializing)]
    pub claims: Vec<Claim>,
    /// The cells that were measured, process by process.
    pub cells: Vec<KeptRows>,
}

impl Store {
    /// A run of which nothing was measured yet.
    pub fn new(machine: Machine, effort: Effort, keys: &[&str]) -> Store {
        Store {
            schema: format!("{SCHEMA}/{FORM}"),
            machine,
            commit: document::commit(),
            device: None,
            effort,
            keys: keys.iter().map(|key| (*key).to_owned()).collect(),
            complete: false,
            yardstick: None,
            claims: Vec::new(),
            cells: Vec::new(),
        }
    }

    /// The same run, to be continued. Errors: the reason why it is another.
    pub fn continued_by(self, machine: &Machine, effort: Effort, keys: &[&str]) -> Result<Store, String> {
        let (old, new): (BTreeSet<&str>, BTreeSet<&str>) =
            (self.keys.iter().map(String::as_str).collect(), keys.iter().copied().collect());
        let other = if self.commit != document::commit() {
            format!("another build ({})", self.commit.unwrap_or_else(|| "no commit is known".into()))
        } else if !self.machine.is_like(machine) {
            format!("another device or version ({})", self.machine.line())
        } else if self.effort != effort {
            format!("another effort ({})", self.effort.name())
        } else if old != new {
            format!("other papers ({})", self.keys.join(", "))
        } else {
            return Ok(self);
        };
        Err(format!("the run in that folder cannot continue: it is of {other}; --overwrite starts over"))
    }

    /// The effort, and whether the run has not ended.
    pub fn run(&self) -> String {
        let state = if self.complete { "" } else { ", interrupted" };
        format!("{}{state}", self.effort.name())
    }

    /// The machine and the program, as names with values.
    pub fn facts(&self) -> Vec<(String, String)> {
        let mut facts = self.machine.facts();
        facts.extend(self.commit.clone().map(|commit| ("Commit".to_owned(), commit)));
        facts
    }

    fn cell(&self, id: &str, process: u32) -> Option<&KeptRows> {
        self.cells.iter().find(|cell| cell.id == id && cell.process == process)
    }

    /// Returns true if a process has measured a cell, or left it out.
    pub fn has(&self, id: &str, process: u32) -> bool {
        self.cell(id, process).is_some()
    }

    /// Adds what a process found in a cell.
    pub fn add(&mut self, planned: &Planned, process: u32, measured: Measured) {
        let Measured { rows, left_out } = measured;
        let (id, key) = (planned.id.clone(), planned.key.into());
        self.cells.push(KeptRows { id, key, process, rows, left_out });
    }

    /// Replaces rows of a cell by those of a second measurement, if the device was faster then.
    pub fn measured_again(&mut self, id: &str, process: u32, measured: Measured) {
        if let Some(cell) = self.cells.iter_mut().find(|cell| cell.id == id && cell.process == process) {
            take_better(&mut cell.rows, measured.rows);
        }
    }

    /// Checks all rows against the best speed of the device so far, in this run and in those that it continues.
    pub fn judge(&mut self, pace: Option<Pace>) {
        self.yardstick = match (self.yardstick.take(), pace) {
            (Some(before), Some(now)) if before.work == now.work => {
                Some(Pace { best_ms: before.best_ms.min(now.best_ms), ..now })
            }
            (before, now) => now.or(before),
        };
        if let Some(pace) = &self.yardstick {
            pace.judge(self.cells.iter_mut().flat_map(|cell| &mut cell.rows));
        }
    }

    /// Returns true if rows of a cell were measured while the device was slower than its known best.
    pub fn is_unsettled(&self, id: &str, process: u32) -> bool {
        self.cell(id, process).is_some_and(|cell| cell.rows.iter().any(Row::is_unsettled))
    }

    /// Adds a cell of which nothing was measured because the time was up. A contender that the device cannot run is left out for
    /// that reason, as with more time.
    pub fn skip(&mut self, planned: &Planned, process: u32, device: &Device) {
        let Cell { case, contenders, .. } = &planned.cell;
        let left_out = contenders.iter().map(|contender| {
            // Whether a peer runs, its own program knows.
            let own = contender.peer().is_none();
            let refused = contender.plan(case, device).err().filter(|_| own).map(|error| error.to_string());
            LeftOut::new(contender.name(), case, refused.unwrap_or_else(|| "the time was up".into()))
        });
        self.add(planned, process, Measured { rows: Vec::new(), left_out: left_out.collect() });
    }

    /// The rows of a paper, by which it judges.
    pub fn rows(&self, key: &str) -> PaperRows<'_> {
        PaperRows::new(
            self.cells.iter().filter(|cell| cell.key == key),
            self.machine.software,
            self.effort == Effort::Quick,
        )
        .on(self.device.clone())
    }
}

/// Reads the document of a run, which may be compressed by gzip, as the repository keeps it.
///
/// Errors: a document that is damaged, is another document, or is of a newer version.
pub fn parse(bytes: &[u8]) -> Result<Store, DocumentError> {
    let text = uncompressed(bytes).map_err(|error| DocumentError::Damaged(serde_json::Error::io(error)))?;
    document::parse(&text, SCHEMA, FORM, "report of `reproduce`")
}

/// The first bytes of all that gzip writes.
const GZIP: [u8; 2] = [0x1F, 0x8B];

fn uncompressed(bytes: &[u8]) -> io::Result<Cow<'_, [u8]>> {
    if !bytes.starts_with(&GZIP) {
        return Ok(bytes.into());
    }
    let mut text = Vec::new();
    GzDecoder::new(bytes).read_to_end(&mut text)?;
    Ok(text.into())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use rasterscan::Device;
    use rasterscan_fuzz::Fuzz;

    use super::*;
    use crate::cell::Lab;
    use crate::measure::Protocol;
    use crate::reproduce::{page, papers};
    use crate::stub::{StubLab, machine};

    #[test]
    fn a_negative_time_is_refused_with_its_line() {
        let device = Device::gl43();
        let mut store = Store::new(machine(), Effort::Quick, &["harris2007"]);
        let planned = papers::plan(&["harris2007"], Effort::Quick, false, true).remove(0);
        let protocol = Protocol::new(false, Duration::from_secs(1));
        let measured = StubLab::new(device).measure(&planned.cell, &protocol, &mut || true).unwrap();
        store.add(&planned, 1, measured);
        let text = String::from_utf8(serde_json::to_vec_pretty(&store).unwrap()).unwrap();
        assert_eq!(parse(text.as_bytes()).unwrap(), store);
        for field in ["ms", "ms_low", "ms_high"] {
            let wrong = text.replacen(&format!("\"{field}\": "), &format!("\"{field}\": -"), 1);
            let line = 1 + wrong.lines().position(|line| line.contains(&format!("\"{field}\": -"))).unwrap();
            let error = parse(wrong.as_bytes()).unwrap_err().to_string();
            let says = error.contains("expected a time of 0 ms or more");
            assert!(says && error.contains(&format!("at line {line} ")), "{field}: {error}");
        }
    }

    /// A run is continued and shown, whatever the document holds.
    #[test]
    fn fuzz() {
        let keys = ["harris2007", "roger2007"];
        let mut store = Store::new(machine(), Effort::Quick, &keys);
        let protocol = Protocol::new(false, Duration::from_secs(1));
        for planned in papers::plan(&keys, Effort::Quick, false, true).iter().step_by(9) {
            let measured =
                StubLab::new(Device::gl43()).measure(&planned.cell, &protocol, &mut || true).unwrap();
            store.add(planned, 1, measured);
        }
        let corpus = vec![serde_json::to_vec_pretty(&store).unwrap(), serde_json::to_vec(&store).unwrap()];
        let words = ["null", "\"ms\":", "\"roger2007\"", "\"cells\":", "\"n\":", ",", "}", "]"];
        let fuzz = Fuzz { name: "store", corpus, words: &words, repair: |_| {}, cases: 500 };
        fuzz.run(|bytes| match parse(bytes) {
            Ok(read) => {
                let shown = page::claims(&page::page(&read)).len();
                let other = read.continued_by(&machine(), Effort::Quick, &keys).err();
                format!("{other:?} {}", shown > 0)
            }
            Err(error) => format!("{error:#}"),
        });
    }
}
