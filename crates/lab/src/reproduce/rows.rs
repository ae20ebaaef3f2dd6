//! The rows that were measured for a paper, and intervals of what is computed from them.
//!
//! A run has several processes, because memory that one process is given may be slower than another's: on an H200, 2^26
//! words were copied at 3,930 or at 2,840 GB/s by the chance of one process. Each process times the contenders of a cell in rounds, so
//! their times are pairs. The figure of a row is the geometric mean of its processes' medians.
//!
//! Any number that is computed from medians gets an interval by a bootstrap in two stages (A. C. Davison, D. V. Hinkley,
//! *Bootstrap Methods and their Application*, section 3.8): [`REPLICATES`] times, as many processes as there are are drawn
//! with replacement, in each of them rounds are drawn, the same for all contenders of a cell, and the number is computed
//! again. The interval is from the 2.5% to the 97.5% quantile of these numbers, with two corrections, both of which make it wider:
//!
//! - Few processes vary less among themselves than they should: distances from the figure grow by √(P / (P - 1)) for P processes.
//! - Other runs, on other days, differ by more than the processes of one: [`Rows::margin`] is added on both sides.
//!
//! The draws come from a fixed seed, so the same rows give the same interval.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::BTreeSet;

use rasterscan::device::Clock;
use rasterscan::{Device, Plan};
use serde::{Deserialize, Serialize};

use crate::case::Case;
use crate::cell::{LeftOut, Row};
use crate::contender::{Contender, PREFIX};
use crate::measure::{Estimate, median};

/// Processes of a whole run.
pub const PROCESSES: u32 = 3;

/// Processes that a number needs. One says nothing of others.
pub(super) const LEAST_PROCESSES: u32 = 2;

/// Times that a number is computed again.
pub const REPLICATES: usize = 400;

/// The margin of a device with a clock of its own: over five runs on one H200, half of 169 ratios differed by less than 0.3%. Those
/// that differed by more, up to 4%, did so between the processes of one run, too.
const MARGIN: f64 = 0.01;
/// The margin of wall time, beside other programs: of a software renderer, and of loops on the CPU, launches and readbacks beside a
/// GPU.
const WALL_MARGIN: f64 = 0.10;

/// A cell that one process measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KeptRows {
    /// The id of the cell in the plan.
    pub id: String,
    /// The key of the paper.
    pub key: String,
    /// The process, from 1.
    pub process: u32,
    /// One row for each contender that was timed.
    pub rows: Vec<Row>,
    /// The contenders that were not timed.
    pub left_out: Vec<LeftOut>,
}

/// A number that was sought in the rows.
#[derive(Debug, Clone, PartialEq)]
pub enum Lookup {
    /// The number.
    Number(Estimate),
    /// The number, which decides nothing: for this reason.
    Unsettled(Estimate, String),
    /// The number, for orientation: wall time of a quick run on a software renderer.
    Shown(Estimate),
    /// The device cannot run what it needs: the reason.
    NotOnThisDevice(String),
    /// It was not measured: the reason.
    NotMeasured(String),
}

impl Lookup {
    /// A number without a spread.
    pub fn exactly(number: f64) -> Lookup {
        Lookup::Number(Estimate::exactly(number))
    }

    /// A number that was counted; without one: the reason.
    pub fn counted(number: Option<f64>, otherwise: &str) -> Lookup {
        number.map_or_else(|| Lookup::NotMeasured(otherwise.into()), Lookup::exactly)
    }

    /// The same, or the reason why a software renderer cannot tell.
    pub fn on_hardware(self, software: bool, reason: &str) -> Lookup {
        if software { Lookup::NotOnThisDevice(reason.into()) } else { self }
    }

    /// The number, if there is one.
    pub fn estimate(&self) -> Option<Estimate> {
        match self {
            Lookup::Number(estimate) | Lookup::Unsettled(estimate, _) | Lookup::Shown(estimate) => {
                Some(*estimate)
            }
            Lookup::NotOnThisDevice(_) | Lookup::NotMeasured(_) => None,
        }
    }
}

/// All rows of a paper.
#[derive(Debug)]
pub struct PaperRows<'a> {
    /// One row for each contender of a case, merged from all processes.
    merged: Vec<Merged<'a>>,
    left_out: Vec<&'a LeftOut>,
    /// Processes with rows.
    processes: usize,
    software: bool,
    /// The device that measured, if that is known.
    device: Option<Device>,
    /// True if times are shown, and not judged: in a quick run on a software renderer.
    only_shown: bool,
    /// The replicate that medians are of; `None` for the figures themselves.
    replicate: Cell<Option<usize>>,
    /// What was read for a number: rows by index, and names with cases that have none.
    read: RefCell<Read>,
}

#[derive(Debug, Default)]
struct Read {
    rows: BTreeSet<usize>,
    absent: Vec<(String, Case)>,
    /// True if the number is of a clock on the wall, whatever that of the rows is.
    wall: bool,
}

/// The rows of one contender on one case in a cell.
#[derive(Debug)]
struct Merged<'a> {
    /// The row of the first process, with the figures of all.
    row: Row,
    /// The row of each process that has one, and the number of rounds of its cell.
    parts: Vec<(&'a Row, usize)>,
    /// A seed that all contenders of the cell share.
    seed: u64,
    replicates: OnceCell<Vec<f64>>,
}

impl<'a> PaperRows<'a> {
    /// The rows of these cells, measured on a software renderer or on hardware, in a quick run or in a full one.
    pub fn new(cells: impl Iterator<Item = &'a KeptRows>, software: bool, quick: bool) -> PaperRows<'a> {
        let cells: Vec<&KeptRows> = cells.collect();
        let processes: BTreeSet<u32> =
            cells.iter().filter(|cell| !cell.rows.is_empty()).map(|cell| cell.process).collect();
        let mut merged: Vec<Merged> = Vec::new();
        let mut ids: Vec<&str> = Vec::new();
        for cell in &cells {
            let rounds = cell.rows.iter().map(|row| row.samples.len()).max().unwrap_or(0);
            let number = ids.iter().position(|id| *id == cell.id).unwrap_or_else(|| {
                ids.push(&cell.id);
                ids.len() - 1
            });
            for row in &cell.rows {
                let seed = number as u64;
                let same = |merged: &&mut Merged| {
                    merged.seed == seed && merged.row.name == row.name && merged.row.case == row.case
                };
                match merged.iter_mut().find(same) {
                    Some(merged) => merged.parts.push((row, rounds)),
                    None => merged.push(Merged {
                        row: row.clone(),
                        parts: vec![(row, rounds)],
                        seed,
                        replicates: OnceCell::new(),
                    }),
                }
            }
        }
        merged.iter_mut().for_each(Merged::merge);
        PaperRows {
            merged,
            left_out: cells.iter().flat_map(|cell| &cell.left_out).collect(),
            processes: processes.len(),
            software,
            device: None,
            only_shown: software && quick,
            replicate: Cell::new(None),
            read: RefCell::default(),
        }
    }

    /// The same rows, of this device, whose plans are counted.
    pub fn on(self, device: Option<Device>) -> PaperRows<'a> {
        PaperRows { device, ..self }
    }

    /// The device whose plans are counted, in words, for reports of older programs do not name theirs.
    pub fn counted_on(&self) -> &'static str {
        if self.device.is_some() { "this device" } else { "a GPU with OpenGL 4.3" }
    }

    /// A number that is counted from the plan that the device runs.
    pub fn counted(&self, name: &str, case: &Case, number: impl Fn(&Plan) -> f64) -> Lookup {
        let plain = Device::gl43();
        let plan = Contender::known(case.problem(), name).plan(case, self.device.as_ref().unwrap_or(&plain));
        match plan {
            Ok(Some(plan)) => Lookup::exactly(number(&plan)),
            Ok(None) => Lookup::NotMeasured(format!("{name} has no plan")),
            Err(error) => Lookup::NotOnThisDevice(format!("{error} ({name})")),
        }
    }

    /// The share by which intervals are wider on each side than the processes alone make them, by the clock of a device.
    pub fn margin(software: bool) -> f64 {
        if software { WALL_MARGIN } else { MARGIN }
    }

    /// Returns true if the rows are of a software renderer.
    pub fn software(&self) -> bool {
        self.software
    }

    /// All rows, cell by cell. Their medians and bounds are of all processes.
    pub fn all(&self) -> impl Iterator<Item = &Row> + '_ {
        self.merged.iter().map(|merged| &merged.row)
    }

    /// The row of a contender on a case, by its name.
    pub fn row(&self, name: &str, case: &Case) -> Option<&Row> {
        self.place(name, case).map(|number| &self.merged[number].row)
    }

    fn place(&self, name: &str, case: &Case) -> Option<usize> {
        self.all().position(|row| row.name == name && row.case == *case)
    }

    /// The rows of a contender on a case, for a number that is computed from them.
    fn used(&self, name: &str, case: &Case) -> Option<&Merged<'a>> {
        let number = self.place(name, case);
        let mut read = self.read.borrow_mut();
        match number {
            Some(number) => _ = read.rows.insert(number),
            None => read.absent.push((name.into(), case.clone())),
        }
        number.map(|number| &self.merged[number])
    }

    /// Milliseconds, if it was measured: within [`PaperRows::estimate`] those of a replicate.
    pub fn ms(&self, name: &str, case: &Case) -> Option<f64> {
        self.used(name, case).map(|merged| merged.ms(self.replicate.get()))
    }

    /// The wall time of a readback, which each process has once.
    pub fn readback(&self, name: &str, case: &Case) -> Option<f64> {
        self.read.borrow_mut().wall = true;
        self.once(name, case, |row| row.readback_ms)
    }

    /// A number that each process has once, as the time of a phase: the geometric mean of the processes,
    /// within [`PaperRows::estimate`] of those of a replicate. `None` if a process does not have it.
    pub fn once(&self, name: &str, case: &Case, of: impl Fn(&Row) -> Option<f64>) -> Option<f64> {
        let parts = self.used(name, case)?.parts.iter();
        let numbers = parts.map(|(row, _)| of(row)).collect::<Option<Vec<f64>>>()?;
        let processes = numbers.len() as u64;
        let drawn = (0..processes).map(|slot| match self.replicate.get() {
            None => numbers[slot as usize],
            Some(replicate) => numbers[process_of(replicate, slot, processes) as usize],
        });
        Some(geometric_mean(drawn))
    }

    /// The speed of `fast` relative to `slow` on a case.
    pub fn factor(&self, slow: &str, fast: &str, case: &Case) -> Option<f64> {
        let (slow, fast) = (self.ms(slow, case), self.ms(fast, case));
        Some(slow? / fast?).filter(|factor| factor.is_finite())
    }

    /// The same, with its interval.
    pub fn speed(&self, [slow, fast]: [&str; 2], case: &Case) -> Lookup {
        self.estimate(|rows| rows.factor(slow, fast, case))
    }

    /// The least time of these contenders on a case.
    pub fn least(&self, names: &[impl AsRef<str>], case: &Case) -> Option<f64> {
        let times = names.iter().map(|name| self.ms(name.as_ref(), case));
        times.collect::<Option<Vec<f64>>>()?.into_iter().reduce(f64::min)
    }

    /// The greatest time of these contenders on a case.
    pub fn most(&self, names: &[impl AsRef<str>], case: &Case) -> Option<f64> {
        let times = names.iter().map(|name| self.ms(name.as_ref(), case));
        times.collect::<Option<Vec<f64>>>()?.into_iter().reduce(f64::max)
    }

    /// The time in copies of the stream by a full-screen pass.
    pub fn copies(&self, name: &str, case: &Case) -> Option<f64> {
        self.factor(name, "copy:texture", case)
    }

    /// A number that is computed from medians, with its interval. `number` is called for the figures and for each replicate, and
    /// returns `None` where a row is missing.
    pub fn estimate(&self, number: impl Fn(&PaperRows<'a>) -> Option<f64>) -> Lookup {
        self.replicate.set(None);
        *self.read.borrow_mut() = Read::default();
        let value = number(self);
        let read = self.read.take();
        let Some(value) = value else {
            return self.missing(&read);
        };
        if value.is_nan() || read.rows.iter().any(|row| self.merged[*row].has_no_times()) {
            return Lookup::NotMeasured("its times are missing, or are too few for an interval".into());
        }
        let parts = read.rows.iter().map(|row| self.merged[*row].parts.len()).min();
        let processes = parts.unwrap_or(self.processes);
        if processes < LEAST_PROCESSES as usize {
            let wanted = format!("a verdict needs {LEAST_PROCESSES} of {PROCESSES} processes");
            return Lookup::NotMeasured(format!("{wanted}, and {processes} measured it"));
        }
        let mut again: Vec<f64> = (0..REPLICATES)
            .filter_map(|replicate| {
                self.replicate.set(Some(replicate));
                number(self)
            })
            .collect();
        self.replicate.set(None);
        self.read.take();
        let wall = |row: &usize| self.merged[*row].row.clock == Clock::Wall.name();
        let margin = PaperRows::margin(self.software || read.wall || read.rows.iter().any(wall));
        let estimate = interval(value, &mut again, processes, margin);
        // A software renderer has no clock that settles: a slow yardstick means that other programs ran, which widens the interval.
        let slow = read.rows.iter().map(|row| &self.merged[*row].row).find(|row| row.is_unsettled());
        let why =
            |row: &Row| format!("the device ran below its full speed during {} ({})", row.name, row.case);
        self.found(estimate, slow.filter(|_| !self.software).map(why))
    }

    fn found(&self, estimate: Estimate, unsettled: Option<String>) -> Lookup {
        match unsettled {
            Some(why) => Lookup::Unsettled(estimate, why),
            None if self.only_shown => Lookup::Shown(estimate),
            None => Lookup::Number(estimate),
        }
    }

    /// The greatest of `count` numbers, which are computed from medians. Of many noisy numbers the greatest is too large: here
    /// each has an interval that is wide enough for all of them to hold at once (Bonferroni), and the greatest of their
    /// lower ends counts.
    pub fn greatest(&self, count: usize, number: impl Fn(&PaperRows<'a>, usize) -> Option<f64>) -> Lookup {
        let mut best: Option<Estimate> = None;
        let mut unsettled = None;
        for index in 0..count {
            let found = self.estimate(|rows| number(rows, index));
            let Some(estimate) = found.estimate() else { return found };
            if let Lookup::Unsettled(_, why) = found {
                unsettled = Some(why);
            }
            let wider = widened(estimate, simultaneous(count));
            best = Some(best.map_or(wider, |best| Estimate {
                value: best.value.max(wider.value),
                low: best.low.max(wider.low),
                high: best.high.max(wider.high),
            }));
        }
        let absent = || Lookup::NotMeasured("not part of this run".into());
        best.map_or_else(absent, |best| self.found(best, unsettled))
    }

    /// The number of different results of repeated runs, compared bit by bit: of the process with the most.
    pub fn distinct(&self, name: &str, case: &Case) -> Lookup {
        let counted = self.estimate(|rows| rows.used(name, case)?.row.distinct.map(f64::from));
        // A count has no spread, and the clock does not matter to it.
        counted.estimate().map_or(counted, |count| Lookup::exactly(count.value))
    }

    /// The greatest speed of `fast` relative to `slow` on these cases.
    pub fn greatest_factor(&self, slow: &str, fast: &str, cases: &[Case]) -> Lookup {
        self.greatest(cases.len(), |rows, index| rows.factor(slow, fast, &cases[index]))
    }

    /// The reason why a number could not be computed.
    fn missing(&self, read: &Read) -> Lookup {
        let reasons = read.absent.iter().filter_map(|(name, case)| self.absent(name, case));
        let told = |left_out: &LeftOut| format!("{} ({})", left_out.reason, left_out.name);
        match reasons.max_by_key(|left_out| is_unsupported(&left_out.reason)) {
            Some(left_out) if is_unsupported(&left_out.reason) => Lookup::NotOnThisDevice(told(left_out)),
            Some(left_out) => Lookup::NotMeasured(told(left_out)),
            None if !read.absent.is_empty()
                && read.absent.iter().all(|(name, _)| name.starts_with(PREFIX)) =>
            {
                Lookup::NotMeasured("`reproduce --peers` measures it, where nvcc is".into())
            }
            None => Lookup::NotMeasured("not part of this run, or not reached yet".into()),
        }
    }

    /// The reason why there is no row; `None` if there is one, or none was asked for.
    pub fn absent(&self, name: &str, case: &Case) -> Option<&'a LeftOut> {
        self.left_out.iter().find(|left_out| left_out.name == name && left_out.case == *case).copied()
    }
}

/// Returns true if a reason is about the device, and not about time or memory.
fn is_unsupported(reason: &str) -> bool {
    !["the time", "it would take", "of memory"].iter().any(|words| reason.contains(words))
}

impl Merged<'_> {
    /// Returns true if the single times of a process are missing, without which there is no interval. Those of peers stay in
    /// their program, which gives an interval in their place.
    fn has_no_times(&self) -> bool {
        let has_interval = |row: &Row| row.name.starts_with(PREFIX) && row.ms_low.is_some();
        self.parts.iter().any(|(row, _)| row.samples.is_empty() && !has_interval(row))
    }

    /// Sets the figures of all processes.
    fn merge(&mut self) {
        let processes = self.parts.len();
        self.row.ms = geometric_mean(self.parts.iter().map(|(row, _)| row.ms));
        if processes > 1 {
            let mut replicates = self.replicates().to_vec();
            let estimate = interval(self.row.ms, &mut replicates, processes, 0.0);
            (self.row.ms_low, self.row.ms_high) = (Some(estimate.low), Some(estimate.high));
        }
        self.row.runs = self.parts.iter().map(|(row, _)| row.runs).sum();
        self.row.outliers = self.parts.iter().map(|(row, _)| row.outliers).sum();
        if let Some((slow, _)) = self.parts.iter().find(|(row, _)| row.is_unsettled()) {
            (self.row.settled, self.row.yardstick_ms) = (slow.settled, slow.yardstick_ms);
        }
        self.row.distinct = self.parts.iter().filter_map(|(row, _)| row.distinct).max();
        self.row.samples.clear();
    }

    fn ms(&self, replicate: Option<usize>) -> f64 {
        replicate.map_or(self.row.ms, |replicate| self.replicates()[replicate])
    }

    /// The figures of all replicates.
    fn replicates(&self) -> &[f64] {
        self.replicates.get_or_init(|| (0..REPLICATES).map(|replicate| self.drawn(replicate)).collect())
    }

    fn drawn(&self, replicate: usize) -> f64 {
        let processes = self.parts.len() as u64;
        geometric_mean((0..processes).map(|slot| {
            // The same processes for all rows, and the same rounds for all rows of a cell.
            let (row, rounds) = self.parts[process_of(replicate, slot, processes) as usize];
            let own = row.samples.len();
            if own == 0 {
                // A peer's program keeps its interval alone: the figure lies anywhere in it.
                let share = draw([replicate as u64, slot, 1 + self.seed, 0]) as f64 / u64::MAX as f64;
                let [low, high] = [row.ms_low, row.ms_high].map(|end| end.unwrap_or(row.ms));
                return low + share * (high - low);
            }
            let mut times: Vec<f64> = (0..own as u64)
                .map(|number| {
                    let seeds = [replicate as u64, slot, 1 + self.seed, 1 + number];
                    let round = draw(seeds) as usize % rounds.max(own);
                    // A slow contender was not in every round.
                    let again = draw([round as u64, seeds[0], seeds[1], seeds[3]]) as usize % own;
                    row.samples[if round < own { round } else { again }]
                })
                .collect();
            median(&mut times)
        }))
    }
}

fn geometric_mean(values: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut count) = (0.0, 0);
    for value in values {
        sum += value.ln();
        count += 1;
    }
    (sum / f64::from(count.max(1))).exp()
}

/// The process that a replicate has in a slot.
fn process_of(replicate: usize, slot: u64, processes: u64) -> u64 {
    draw([replicate as u64, slot, 0, 0]) % processes
}

/// A number that depends on all of `seeds` (SplitMix64).
fn draw(seeds: [u64; 4]) -> u64 {
    seeds.into_iter().fold(0x5EED, |state: u64, seed| {
        let mut mixed = state.wrapping_add(seed).wrapping_add(0x9E37_79B9_7F4A_7C15);
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    })
}

/// The interval of a number from its replicates, which are sorted, with both corrections.
fn interval(value: f64, again: &mut [f64], processes: usize, margin: f64) -> Estimate {
    again.sort_unstable_by(f64::total_cmp);
    let at = |share: f64| {
        let index = (share * (again.len().max(1) - 1) as f64).round() as usize;
        again.get(index).copied().unwrap_or(value)
    };
    // One process says nothing about others.
    let spread = (processes as f64 / (processes.max(2) - 1) as f64).sqrt();
    let end = |quantile: f64, margin: f64| match quantile / value {
        ratio if ratio.is_finite() && ratio > 0.0 => value * ratio.powf(spread) * margin,
        _ => quantile,
    };
    Estimate {
        value,
        low: end(at(MISSES / 2.0).min(value), 1.0 / (1.0 + margin)),
        high: end(at(1.0 - MISSES / 2.0).max(value), 1.0 + margin),
    }
}

/// The probability with which an interval may miss.
const MISSES: f64 = 0.05;

/// How many times as wide an interval must be for `count` of them to hold at once.
fn simultaneous(count: usize) -> f64 {
    normal(MISSES / 2.0 / count.max(1) as f64) / normal(MISSES / 2.0)
}

/// The value that a normally distributed number exceeds with this probability, up to one half (M. Abramowitz, I. A. Stegun, *Handbook
/// of Mathematical Functions*, 26.2.23; the error is below 0.0005).
fn normal(probability: f64) -> f64 {
    let t = (-2.0 * probability.ln()).sqrt();
    t - (2.515_517 + t * (0.802_853 + t * 0.010_328))
        / (1.0 + t * (1.432_788 + t * (0.189_269 + t * 0.001_308)))
}

/// An interval whose ends are so many times as far from the number, on a scale of ratios.
fn widened(estimate: Estimate, times: f64) -> Estimate {
    let end = |end: f64| match end / estimate.value {
        ratio if ratio.is_finite() && ratio > 0.0 => estimate.value * ratio.powf(times),
        _ => end,
    };
    Estimate { value: estimate.value, low: end(estimate.low), high: end(estimate.high) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of two contenders in one cell, from the times of each process.
    fn cells(processes: &[[Vec<f64>; 2]]) -> Vec<KeptRows> {
        let case = Case::scan(1 << 20);
        let row = |name: &str, samples: &[f64]| {
            let ms = median(&mut samples.to_vec());
            Row {
                ms,
                ms_low: Some(ms),
                ms_high: Some(ms),
                samples: samples.to_vec(),
                clock: Clock::Gpu.name().into(),
                ..Row::named(name, &case)
            }
        };
        let cell = |(process, times): (u32, &[Vec<f64>; 2])| KeptRows {
            id: "a cell".into(),
            key: "a paper".into(),
            process,
            rows: vec![row("slow", &times[0]), row("fast", &times[1])],
            left_out: Vec::new(),
        };
        (1..).zip(processes).map(cell).collect()
    }

    fn factor(cells: &[KeptRows]) -> Lookup {
        PaperRows::new(cells.iter(), false, false)
            .estimate(|rows| rows.factor("slow", "fast", &Case::scan(1 << 20)))
    }

    fn number(found: &Lookup) -> Estimate {
        let Lookup::Number(estimate) = found else { panic!("{found:?}") };
        *estimate
    }

    fn steady(slow: f64, fast: f64) -> [Vec<f64>; 2] {
        [vec![slow; 9], vec![fast; 9]]
    }

    #[test]
    fn what_never_varies_has_the_margin_alone() {
        let cells = cells(&[steady(3.0, 1.0), steady(3.0, 1.0), steady(3.0, 1.0)]);
        let found = number(&factor(&cells));
        assert!((found.value - 3.0).abs() < 1e-12);
        assert!((found.high / 3.0 - 1.0 - MARGIN).abs() < 1e-12, "{found:?}");
        assert!((3.0 / found.low - 1.0 - MARGIN).abs() < 1e-12, "{found:?}");
        // Other programs disturb a clock on the wall.
        let mut on_the_wall = cells;
        on_the_wall[0].rows[1].clock = Clock::Wall.name().into();
        let found = number(&factor(&on_the_wall));
        assert!((found.high / 3.0 - 1.0 - WALL_MARGIN).abs() < 1e-12, "{found:?}");
    }

    #[test]
    fn a_process_with_slow_memory_makes_the_interval_wide() {
        // One of three processes copies at 2,840 GB/s and not at 3,930.
        let cells = cells(&[steady(3.0, 1.0), steady(3.0, 1.384), steady(3.0, 1.0)]);
        let found = number(&factor(&cells));
        assert!(found.low < 3.0 / 1.384 && found.high > 3.0, "{found:?}");
    }

    #[test]
    fn what_each_process_has_once_varies_as_the_processes_do() {
        let with = |readbacks: [Option<f64>; 3]| {
            let mut cells = cells(&[steady(3.0, 1.0), steady(3.0, 1.0), steady(3.0, 1.0)]);
            for (cell, readback) in cells.iter_mut().zip(readbacks) {
                cell.rows[0].readback_ms = readback;
            }
            let case = Case::scan(1 << 20);
            PaperRows::new(cells.iter(), false, false).estimate(|rows| rows.readback("slow", &case))
        };
        let found = number(&with([Some(1.0), Some(2.0), Some(4.0)]));
        assert!((found.value - 2.0).abs() < 1e-12 && found.low < 1.2 && found.high > 3.5, "{found:?}");
        let same = number(&with([Some(2.0); 3]));
        // The clock of a readback is on the wall, though the row's is not.
        assert!((same.high / 2.0 - 1.0 - WALL_MARGIN).abs() < 1e-12, "{same:?}");
        assert!(matches!(with([Some(1.0), None, Some(4.0)]), Lookup::NotMeasured(_)));
    }

    #[test]
    fn rounds_are_pairs() {
        // A machine that drifts by half, for both: the ratio of each round is 2.
        let drift: Vec<f64> = (0..21).map(|round| 1.0 + f64::from(round) / 40.0).collect();
        let pair = || [drift.iter().map(|ms| 2.0 * ms).collect(), drift.clone()];
        let together = number(&factor(&cells(&[pair(), pair(), pair()])));
        assert!(together.high / together.low < 1.001 * (1.0 + MARGIN).powi(2), "{together:?}");
        // The same times in another order are no pairs.
        let mixed = || {
            let mut slow: Vec<f64> = drift.iter().map(|ms| 2.0 * ms).collect();
            slow.reverse();
            [slow, drift.clone()]
        };
        let apart = number(&factor(&cells(&[mixed(), mixed(), mixed()])));
        assert!(apart.high / apart.low > 1.2, "{apart:?}");
    }

    #[test]
    fn the_interval_covers_the_truth_about_as_often_as_it_says() {
        let mut state = 1u64;
        let mut random = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1u64 << 53) as f64
        };
        let mut covered = 0;
        for _ in 0..200 {
            // Processes differ by 10%, rounds by 5%; the true factor is 2.
            let processes: Vec<[Vec<f64>; 2]> = (0..3)
                .map(|_| {
                    let luck = 1.0 + 0.2 * (random() - 0.5);
                    let mut times = |ms: f64| (0..9).map(|_| ms * (1.0 + 0.1 * (random() - 0.5))).collect();
                    [times(2.0 * luck), times(1.0)]
                })
                .collect();
            let found = number(&factor(&cells(&processes)));
            covered += usize::from((found.low..=found.high).contains(&2.0));
        }
        assert!((165..=200).contains(&covered), "{covered} of 200");
    }

    #[test]
    fn the_greatest_of_many_equal_factors_is_not_taken_for_more() {
        let mut state = 7u64;
        let mut noise = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            1.0 + 0.2 * ((state >> 11) as f64 / (1u64 << 53) as f64 - 0.5)
        };
        let cases: Vec<Case> = (10..20).map(|log2| Case::scan(1 << log2)).collect();
        let mut all = Vec::new();
        for (number, case) in cases.iter().enumerate() {
            for process in 1..=3 {
                let mut row = |name: &str, ms: f64| {
                    let samples: Vec<f64> = (0..9).map(|_| ms * noise()).collect();
                    let clock = Clock::Gpu.name().into();
                    Row { ms: median(&mut samples.clone()), samples, clock, ..Row::named(name, case) }
                };
                let rows = vec![row("slow", 2.0), row("fast", 1.0)];
                let (id, key) = (number.to_string(), "a paper".to_owned());
                all.push(KeptRows { id, key, process, rows, left_out: Vec::new() });
            }
        }
        let rows = PaperRows::new(all.iter(), false, false);
        let greatest = number(&rows.greatest_factor("slow", "fast", &cases));
        assert!(greatest.value > 2.0 && greatest.low < 2.0, "{greatest:?}");
        assert!((normal(0.025) - 1.96).abs() < 1e-3 && simultaneous(1) == 1.0);
    }

    #[test]
    fn fewer_processes_and_slow_devices_give_no_number_that_decides() {
        let mut three = cells(&[steady(3.0, 1.0), steady(3.0, 1.0), steady(3.0, 1.0)]);
        let says = "a verdict needs 2 of 3 processes, and 1 measured it";
        assert_eq!(factor(&three[..1]), Lookup::NotMeasured(says.into()));
        let width = |lookup| number(&lookup).high / number(&lookup).low;
        let different = |of: &[f64]| cells(&of.iter().map(|time| steady(3.0, *time)).collect::<Vec<_>>());
        let [two, all] = [&[1.0, 1.1][..], &[1.0, 1.1, 1.0, 1.1]].map(|of| width(factor(&different(of))));
        assert!(two > all && two > 1.14, "fewer processes make a wider interval: {two} and {all}");
        assert_eq!(factor(&[]), Lookup::NotMeasured("not part of this run, or not reached yet".into()));
        three[1].rows[0].settled = Some(false);
        let Lookup::Unsettled(_, why) = factor(&three) else { panic!() };
        assert_eq!(why, "the device ran below its full speed during slow (scan of 2^20)");
        let absent = |reason: &str| {
            let mut cells = cells(&[steady(3.0, 1.0)]);
            cells[0].rows.remove(1);
            cells[0].left_out.push(LeftOut::new("fast".into(), &Case::scan(1 << 20), reason));
            factor(&cells)
        };
        assert_eq!(absent("no compute shaders"), Lookup::NotOnThisDevice("no compute shaders (fast)".into()));
        assert_eq!(absent("the time was up"), Lookup::NotMeasured("the time was up (fast)".into()));
    }
}
