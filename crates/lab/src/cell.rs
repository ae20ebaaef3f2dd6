//! Cells, the labs that measure them, and the rows that come out.
//!
//! A [`Cell`] is one case and all its contenders. They run in turns, so a cell is the smallest unit of comparison. A
//! [`Lab`] measures cells: [`GpuLab`](crate::gpu::GpuLab) on a device, and for tests one that only counts.

use std::collections::BTreeMap;

use serde::de::Unexpected;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use rasterscan::algorithm::results::Mismatch;
use rasterscan::{Device, Error, Plan, device::Clock};

use crate::case::Case;
use crate::contender::Contender;
use crate::document::{milliseconds, word_or_number};
use crate::measure::{LEAST_RUNS, Laps, PhaseTime, Protocol, Summary, Yardstick};

/// A reason why a lab cannot continue.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LabError {
    /// The device fails, or the case is invalid.
    #[error(transparent)]
    Library(#[from] Error),
    /// A contender's result differs from the reference.
    #[error("{} is wrong: {}", .0.contender.name(), .0.mismatch)]
    Wrong(Box<Wrong>),
}

/// A result that differs from the reference.
#[derive(Debug)]
pub struct Wrong {
    /// The contender with the wrong result.
    pub contender: Contender,
    /// Its case.
    pub case: Case,
    /// The first difference.
    pub mismatch: Mismatch,
}

/// One case and its contenders.
#[derive(Debug, Clone)]
pub struct Cell {
    /// The case that all contenders run.
    pub case: Case,
    /// The contenders, which run in turns.
    pub contenders: Vec<Contender>,
    /// True if each pass is also timed alone.
    pub phases: bool,
    /// Runs whose results are compared with each other bit by bit; 0 for none.
    pub repeats: u32,
}

/// A lab, which measures cells.
pub trait Lab {
    /// The device that the lab measures on.
    fn device(&self) -> &Device;

    /// The yardstick of all measurements so far; `None` before the first.
    fn pace(&self) -> Option<Pace>;

    /// Measures a cell: verifies each contender's result, and times the correct ones in turns. `go_on` is called
    /// between runs; once it returns false, contenders that have not been timed are left out. Whether the device ran at
    /// its full speed is known only after all measurements: see [`Pace::judge`].
    ///
    /// Errors: a wrong result, and a failing device. What the device cannot run is in `left_out`.
    fn measure(
        &mut self,
        cell: &Cell,
        protocol: &Protocol,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Measured, LabError>;
}

/// The results of a cell.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// One row for each contender that was timed.
    pub rows: Vec<Row>,
    /// The contenders that were not timed.
    pub left_out: Vec<LeftOut>,
}

/// One contender on one case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The name as written on the command line: `hybrid:reduce=8`.
    pub name: String,
    /// The name without parameters.
    pub algorithm: String,
    /// Every parameter with its value; the plan's own value if it was left to the algorithm.
    pub parameters: BTreeMap<String, Value>,
    /// The case that was run.
    #[serde(flatten)]
    pub case: Case,
    /// Passes of the plan; 0 on the CPU.
    pub passes: usize,
    /// 32-bit words read and written, as the plan counts them.
    pub words_moved: u64,
    /// True if the result was checked against the reference.
    pub verified: bool,
    /// The median in milliseconds: see [`Summary`].
    #[serde(deserialize_with = "time")]
    pub ms: f64,
    /// The lower bound of the median; `None` for fewer than [`LEAST_RUNS`] runs. See [`Row::interval`].
    #[serde(deserialize_with = "some_time")]
    pub ms_low: Option<f64>,
    /// The upper bound of the median, likewise.
    #[serde(deserialize_with = "some_time")]
    pub ms_high: Option<f64>,
    /// Timed runs.
    pub runs: u32,
    /// Runs far from all others, included in the median.
    pub outliers: u32,
    /// `gpu` or `wall`.
    pub clock: String,
    /// The median of the yardstick in the rounds of this row; `None` if it does not apply, as to the CPU's algorithms
    /// beside a GPU.
    #[serde(default, deserialize_with = "some_time")]
    pub yardstick_ms: Option<f64>,
    /// True if the yardstick's median is within the tolerance of the best of the whole run: see [`Pace`].
    #[serde(default)]
    pub settled: Option<bool>,
    /// The time relative to the baseline's: 0.5 is half of it.
    #[serde(default)]
    pub ratio: Option<f64>,
    /// The wall time of the upload, measured once; not in `ms`.
    #[serde(default, deserialize_with = "some_time")]
    pub upload_ms: Option<f64>,
    /// The wall time of the readback, measured once; not in `ms`.
    #[serde(default, deserialize_with = "some_time")]
    pub readback_ms: Option<f64>,
    /// The times that the cost model predicts; `None` without a model, and for what it does not cover.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub predicted: Option<Predicted>,
    /// Different results of repeated runs on the same numbers, compared bit by bit; `None` if they were not compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distinct: Option<u32>,
    /// True if other work kept the device busy during these runs.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub beside_load: bool,
    /// A digest of the verified result, by which another process of the same run knows the same result again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// Every time in milliseconds, in the order of rounds; kept for papers only.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "listed")]
    pub samples: Vec<f64>,
    /// Medians of the passes, each timed alone; consecutive passes of one phase are added up.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub phases: Vec<Phase>,
}

/// Consecutive passes of one phase.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Phase {
    /// The name of the phase.
    pub name: String,
    /// Passes of the phase.
    pub passes: usize,
    /// The sum of their medians, in milliseconds.
    #[serde(deserialize_with = "time")]
    pub ms: f64,
}

/// The times that a cost model predicts for a run, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Predicted {
    /// On this device.
    #[serde(deserialize_with = "time")]
    pub ms: f64,
    /// On one that writes texels [`FASTER`](crate::model::FASTER) times as fast, and is like this one otherwise.
    #[serde(deserialize_with = "time")]
    pub faster_ms: f64,
}

impl From<PhaseTime> for Phase {
    fn from(PhaseTime { name, passes, time }: PhaseTime) -> Phase {
        Phase { name: name.into(), passes, ms: milliseconds(time) }
    }
}

/// Numbers in one text, with spaces between them: a line each would make documents ten times as long.
mod listed {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(numbers: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
        let texts: Vec<String> = numbers.iter().map(f64::to_string).collect();
        serializer.serialize_str(&texts.join(" "))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<f64>, D::Error> {
        let text = String::deserialize(deserializer)?;
        let numbers = text.split_whitespace().map(|word| {
            let number: f64 = word.parse().map_err(D::Error::custom)?;
            super::checked(number)
        });
        numbers.collect()
    }
}

/// Milliseconds of a document, which may hold anything.
fn time<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    checked(f64::deserialize(deserializer)?)
}

fn some_time<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    Option::deserialize(deserializer)?.map(checked).transpose()
}

fn checked<E: serde::de::Error>(ms: f64) -> Result<f64, E> {
    let expected = &"a time of 0 ms or more";
    if ms >= 0.0 { Ok(ms) } else { Err(E::invalid_value(Unexpected::Float(ms), expected)) }
}

/// A contender that was not timed, and why.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LeftOut {
    /// The name of the contender.
    pub name: String,
    /// The case that it was to run.
    #[serde(flatten)]
    pub case: Case,
    /// The reason, for people.
    pub reason: String,
}

impl Measured {
    /// The results of a cell of which nothing was measured, for one reason.
    pub fn nothing(cell: &Cell, reason: &str) -> Measured {
        let left_out = |contender: &Contender| LeftOut::new(contender.name(), &cell.case, reason);
        Measured { rows: Vec::new(), left_out: cell.contenders.iter().map(left_out).collect() }
    }
}

impl LeftOut {
    /// A contender left out of a case for this reason.
    pub fn new(name: String, case: &Case, reason: impl Into<String>) -> LeftOut {
        LeftOut { name, case: case.clone(), reason: reason.into() }
    }
}

/// The yardstick of a whole run, against which every row is checked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Pace {
    /// The work of the yardstick, for people: `copy:texture of 2^22 u32`.
    pub work: String,
    /// Its best time in the whole run.
    pub best_ms: f64,
    /// The share by which a row's yardstick may exceed the best.
    pub tolerance: f64,
}

impl Pace {
    /// The pace that a yardstick has found; `None` before its first readings.
    pub fn of(yardstick: &Yardstick) -> Option<Pace> {
        let best_ms = milliseconds(yardstick.best()?);
        Some(Pace { work: yardstick.name().into(), best_ms, tolerance: yardstick.tolerance() })
    }

    /// Sets for each row whether it was measured at the full speed of the device.
    pub fn judge<'a>(&self, rows: impl IntoIterator<Item = &'a mut Row>) {
        for row in rows {
            row.settled = row.yardstick_ms.map(|ms| ms <= self.best_ms * (1.0 + self.tolerance));
        }
    }

    /// The slowdown of the device during a row that is not settled; `None` for others.
    pub fn slowdown(&self, row: &Row) -> Option<f64> {
        let ms = row.yardstick_ms.filter(|_| row.is_unsettled())?;
        Some(ms / self.best_ms)
    }
}

/// Replaces rows by those of a second measurement, if the device was faster then.
pub fn take_better(rows: &mut [Row], again: Vec<Row>) {
    for new in again {
        let same = |old: &&mut Row| old.name == new.name && old.case == new.case;
        let faster = |old: &&mut Row| new.yardstick_ms.is_some_and(|new| Some(new) < old.yardstick_ms);
        if let Some(old) = rows.iter_mut().find(same).filter(faster) {
            *old = new;
        }
    }
}

/// The time for measuring again at the end, as a share of the total time.
pub const AGAIN: f64 = 0.25;

impl Row {
    /// Returns true if the device was slower than its known best.
    pub fn is_unsettled(&self) -> bool {
        self.settled == Some(false)
    }

    /// The bounds of the median; `None` if there were too few runs to compare.
    pub fn interval(&self) -> Option<(f64, f64)> {
        // Older documents have bounds of fewer runs, too.
        self.ms_low.zip(self.ms_high).filter(|_| self.runs >= LEAST_RUNS)
    }

    /// Items per second.
    pub fn throughput(&self) -> f64 {
        self.case.n() as f64 / (self.ms * 1e-3)
    }

    /// A row with all that is known before anything has run.
    pub(crate) fn of(contender: &Contender, cell: &Cell, plan: Option<&Plan>) -> Row {
        let (algorithm, parameters) = match contender {
            Contender::Algorithm(choice) => {
                let parameters = plan.map_or_else(|| choice.parameters(), |plan| choice.parameters_in(plan));
                (choice.card.name.to_owned(), parameters)
            }
            other => (other.name(), Vec::new()),
        };
        Row {
            algorithm,
            parameters: self::parameters(&parameters),
            passes: plan.map_or(0, |plan| plan.passes().len()),
            words_moved: plan.map_or(0, |plan| plan.cost().words_moved()),
            ..Row::named(&contender.name(), &cell.case)
        }
    }

    /// A row of this name, without results.
    pub fn named(name: &str, case: &Case) -> Row {
        Row {
            name: name.into(),
            algorithm: name.into(),
            parameters: BTreeMap::new(),
            case: case.clone(),
            passes: 0,
            words_moved: 0,
            verified: false,
            ms: 0.0,
            ms_low: None,
            ms_high: None,
            runs: 0,
            outliers: 0,
            clock: Clock::Wall.name().into(),
            yardstick_ms: None,
            settled: None,
            ratio: None,
            upload_ms: None,
            readback_ms: None,
            predicted: None,
            distinct: None,
            beside_load: false,
            digest: None,
            samples: Vec::new(),
            phases: Vec::new(),
        }
    }

    /// Keeps every time.
    pub(crate) fn keep_samples(&mut self, laps: &Laps) {
        self.samples = laps.times.iter().map(|time| milliseconds(*time)).collect();
    }

    /// Sets the times of the row; `None` if there are none.
    pub fn take(&mut self, laps: &Laps) -> Option<Summary> {
        let summary = Summary::of(&laps.times)?;
        let readings = Summary::of(&laps.yardstick);
        self.yardstick_ms = readings.map(|readings| milliseconds(readings.median));
        self.ms = milliseconds(summary.median);
        let enough = summary.runs >= LEAST_RUNS;
        self.ms_low = enough.then_some(milliseconds(summary.low));
        self.ms_high = enough.then_some(milliseconds(summary.high));
        self.runs = summary.runs;
        self.outliers = summary.outliers;
        Some(summary)
    }
}

/// Sets the ratio of each row to the row of this name on the same case, if that was measured.
pub fn set_ratios(rows: &mut [Row], baseline: &str) {
    let times: Vec<(Case, f64)> =
        rows.iter().filter(|row| row.name == baseline).map(|row| (row.case.clone(), row.ms)).collect();
    for row in rows {
        let base = times.iter().find(|(case, _)| *case == row.case).map(|(_, ms)| *ms);
        row.ratio = base.filter(|base| *base > 0.0).map(|base| row.ms / base);
    }
}

/// Parameters in the form of rows.
pub fn parameters(given: &[(&'static str, String)]) -> BTreeMap<String, Value> {
    given.iter().map(|(name, value)| ((*name).to_owned(), word_or_number(value))).collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn few_runs_have_no_interval() {
        let taken = |runs: usize| {
            let mut row = Row::named("sam", &Case::scan(8));
            let times = vec![Duration::from_millis(2); runs];
            row.take(&Laps { times, yardstick: Vec::new() });
            row
        };
        for runs in [1, 3, 8] {
            let row = taken(runs);
            assert_eq!((row.ms, row.ms_low, row.ms_high, row.interval()), (2.0, None, None, None));
            let text = serde_json::to_string(&row).unwrap();
            assert!(text.contains(r#""ms_low":null"#), "{text}");
            assert_eq!(serde_json::from_str::<Row>(&text).unwrap(), row);
        }
        assert_eq!(taken(9).interval(), Some((2.0, 2.0)));
        let older = Row { ms_low: Some(2.0), ms_high: Some(2.0), ..taken(8) };
        assert_eq!(older.interval(), None);
    }

    #[test]
    fn every_time_is_kept_in_a_line_and_read_again() {
        let samples = vec![0.1, 1.25, 3.0];
        let row = Row { samples, distinct: Some(1), ..Row::named("sam", &Case::scan(8)) };
        let text = serde_json::to_string(&row).unwrap();
        assert!(text.contains(r#""samples":"0.1 1.25 3""#), "{text}");
        assert_eq!(serde_json::from_str::<Row>(&text).unwrap(), row);
        for wrong in ["-0.1", "soon", "NaN"] {
            assert!(serde_json::from_str::<Row>(&text.replace("1.25", wrong)).is_err(), "{wrong}");
        }
        // Documents of comparisons have none.
        let row = Row::named("sam", &Case::scan(8));
        assert!(!serde_json::to_string(&row).unwrap().contains("samples"));
    }
}
