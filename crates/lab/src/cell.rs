//! Cells, the labs that measure them, and the rows that come out.
//!
//! A [`Cell`] is one case and all who are compared on it; they run in turns, so a cell is the least that can be
//! compared. A [`Lab`] measures cells. There is one on a device ([`GpuLab`](crate::gpu::GpuLab)), and for tests one that only
//! counts.

use std::collections::BTreeMap;

use serde::de::Unexpected;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use rasterscan::results::Mismatch;
use rasterscan::{Clock, Device, Error, Plan};

use crate::case::Case;
use crate::contender::Contender;
use crate::document::{milliseconds, word_or_number};
use crate::measure::{Laps, PhaseTime, Protocol, Summary, Yardstick};

/// A reason why a lab cannot go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LabError {
    /// The device fails, or the case makes no sense.
    #[error(transparent)]
    Library(#[from] Error),
    /// A contender's result is not the reference's.
    #[error("{} is wrong: {}", .0.contender.name(), .0.mismatch)]
    Wrong(Box<Wrong>),
}

/// A result that is not the reference's.
#[derive(Debug)]
pub struct Wrong {
    pub contender: Contender,
    pub case: Case,
    pub mismatch: Mismatch,
}

/// One case, and those who are compared on it.
#[derive(Debug, Clone)]
pub struct Cell {
    pub case: Case,
    pub contenders: Vec<Contender>,
    /// Whether the passes of each are timed alone, too.
    pub phases: bool,
}

/// Who measures.
pub trait Lab {
    fn device(&self) -> &Device;

    /// The yardstick of all measurements so far; `None` before the first.
    fn pace(&self) -> Option<Pace>;

    /// Measures a cell: verifies each contender's result, and times those that are right in turns. `go_on` is asked
    /// between the runs; where it says no, what has not been timed is left out. Whether the device ran at its full speed
    /// is not known before the end of all measurements: see [`Pace::judge`].
    ///
    /// Errors: a result that is wrong, and a device that fails. What the device cannot do is in `left_out`.
    fn measure(
        &mut self,
        cell: &Cell,
        protocol: &Protocol,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Measured, LabError>;
}

/// What came out of a cell.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    pub rows: Vec<Row>,
    pub left_out: Vec<LeftOut>,
}

/// One contender on one case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// As it would be written: `hybrid:reduce=8`.
    pub name: String,
    pub algorithm: String,
    /// Every parameter with its value; the plan's own where it was left to the algorithm.
    pub parameters: BTreeMap<String, Value>,
    #[serde(flatten)]
    pub case: Case,
    pub passes: usize,
    /// 32-bit words read and written, as the plan counts them.
    pub words_moved: u64,
    pub verified: bool,
    /// The median, and between which bounds it lies: see [`Summary`].
    #[serde(deserialize_with = "time")]
    pub ms: f64,
    #[serde(deserialize_with = "time")]
    pub ms_low: f64,
    #[serde(deserialize_with = "time")]
    pub ms_high: f64,
    pub runs: u32,
    pub outliers: u32,
    /// `gpu` or `wall`.
    pub clock: String,
    /// The median of the yardstick in the rounds of this row; `None` where it says nothing of them, as of the CPU's
    /// algorithms beside a GPU.
    #[serde(default, deserialize_with = "some_time")]
    pub yardstick_ms: Option<f64>,
    /// Whether that is the best of the whole run, within the tolerance: see [`Pace`].
    #[serde(default)]
    pub settled: Option<bool>,
    /// The time against the baseline's: 0.5 is half of it.
    #[serde(default)]
    pub ratio: Option<f64>,
    /// Wall time, once; not in `ms`.
    #[serde(default, deserialize_with = "some_time")]
    pub upload_ms: Option<f64>,
    #[serde(default, deserialize_with = "some_time")]
    pub readback_ms: Option<f64>,
    /// Medians of the passes, each timed alone, those of one phase in a row taken together.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub phases: Vec<Phase>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Phase {
    pub name: String,
    pub passes: usize,
    #[serde(deserialize_with = "time")]
    pub ms: f64,
}

impl From<PhaseTime> for Phase {
    fn from(PhaseTime { name, passes, time }: PhaseTime) -> Phase {
        Phase { name: name.into(), passes, ms: milliseconds(time) }
    }
}

/// Milliseconds of a document, which may say anything.
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
    pub name: String,
    #[serde(flatten)]
    pub case: Case,
    pub reason: String,
}

impl Measured {
    /// Nothing, of all contenders, for one reason.
    pub fn nothing(cell: &Cell, reason: &str) -> Measured {
        let left_out = |contender: &Contender| LeftOut::new(contender.name(), &cell.case, reason);
        Measured { rows: Vec::new(), left_out: cell.contenders.iter().map(left_out).collect() }
    }
}

impl LeftOut {
    pub fn new(name: String, case: &Case, reason: impl Into<String>) -> LeftOut {
        LeftOut { name, case: case.clone(), reason: reason.into() }
    }
}

/// The yardstick of a whole run: what every row is held against.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Pace {
    /// For people: `copy:texture of 2^22 u32`.
    pub work: String,
    /// Its best of the whole run.
    pub best_ms: f64,
    /// The share by which a row's yardstick may exceed the best.
    pub tolerance: f64,
}

impl Pace {
    pub fn of(yardstick: &Yardstick) -> Option<Pace> {
        let best_ms = milliseconds(yardstick.best()?);
        Some(Pace { work: yardstick.name().into(), best_ms, tolerance: yardstick.tolerance() })
    }

    /// Says of each row whether it was measured at the full speed of the device.
    pub fn judge<'a>(&self, rows: impl IntoIterator<Item = &'a mut Row>) {
        for row in rows {
            row.settled = row.yardstick_ms.map(|ms| ms <= self.best_ms * (1.0 + self.tolerance));
        }
    }

    /// How many times as slow the device was during a row that is not settled; `None` of others.
    pub fn slowdown(&self, row: &Row) -> Option<f64> {
        let ms = row.yardstick_ms.filter(|_| row.is_unsettled())?;
        Some(ms / self.best_ms)
    }
}

/// Replaces rows by those of a second measurement, where the device was faster during that.
pub fn take_better(rows: &mut [Row], again: Vec<Row>) {
    for new in again {
        let same = |old: &&mut Row| old.name == new.name && old.case == new.case;
        let faster = |old: &&mut Row| new.yardstick_ms.is_some_and(|new| Some(new) < old.yardstick_ms);
        if let Some(old) = rows.iter_mut().find(same).filter(faster) {
            *old = new;
        }
    }
}

/// How long everything may take that is measured again at the end, as a share of the time for all.
pub const AGAIN: f64 = 0.25;

impl Row {
    /// Whether the device was slower than it is known to be.
    pub fn is_unsettled(&self) -> bool {
        self.settled == Some(false)
    }

    /// Items of the stream a second.
    pub fn throughput(&self) -> f64 {
        self.case.n() as f64 / (self.ms * 1e-3)
    }

    /// All of a row that is known before anything has run.
    pub(crate) fn of(contender: &Contender, cell: &Cell, plan: Option<&Plan>) -> Row {
        let (algorithm, parameters) = match contender {
            Contender::Algorithm(choice) => {
                let parameters = plan.map_or_else(|| choice.parameters(), |plan| choice.settled(plan));
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

    /// A row of this name, of which nothing is known.
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
            ms_low: 0.0,
            ms_high: 0.0,
            runs: 0,
            outliers: 0,
            clock: Clock::Wall.name().into(),
            yardstick_ms: None,
            settled: None,
            ratio: None,
            upload_ms: None,
            readback_ms: None,
            phases: Vec::new(),
        }
    }

    /// Takes the times of the row; `None` where there are none.
    pub fn take(&mut self, laps: &Laps) -> Option<Summary> {
        let summary = Summary::of(&laps.times)?;
        let readings = Summary::of(&laps.yardstick);
        self.yardstick_ms = readings.map(|readings| milliseconds(readings.median));
        self.ms = milliseconds(summary.median);
        self.ms_low = milliseconds(summary.low);
        self.ms_high = milliseconds(summary.high);
        self.runs = summary.runs;
        self.outliers = summary.outliers;
        Some(summary)
    }
}

/// Sets the ratio of each row against that of this name on the same case, as far as it was measured.
pub fn set_ratios(rows: &mut [Row], baseline: &str) {
    let times: Vec<(Case, f64)> =
        rows.iter().filter(|row| row.name == baseline).map(|row| (row.case.clone(), row.ms)).collect();
    for row in rows {
        let base = times.iter().find(|(case, _)| *case == row.case).map(|(_, ms)| *ms);
        row.ratio = base.filter(|base| *base > 0.0).map(|base| row.ms / base);
    }
}

/// Parameters as rows have them.
pub fn parameters(given: &[(&'static str, String)]) -> BTreeMap<String, Value> {
    given.iter().map(|(name, value)| ((*name).to_owned(), word_or_number(value))).collect()
}
