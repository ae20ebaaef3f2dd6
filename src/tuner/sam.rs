//! The tuner of `sam`: how many rows an invocation takes.

use std::time::{Duration, Instant};

use super::race::{self, race};
use super::{Measured, Progress, supported};
use crate::device::Device;
use crate::error::Error;
use crate::gl::{Clock, Gpu, Prepared, Stream};
use crate::plan::Layout;
use crate::reference;
use crate::scan::ScanAlgorithm;
use crate::scan::compute::{Sam, TileOptions};
use crate::spec::ScanSpec;
use crate::tuning::{Tuned, Tuning};

/// Items of the scans that are timed, as powers of two. Each stands for the range around it, and the last for all that
/// is longer.
const SIZES: [u32; 5] = [16, 18, 20, 22, 24];
/// The orders that are timed: the first, and one for all others.
const ORDERS: [u32; 2] = [1, 4];
/// Rows that are tried where they are from a quarter to twice the built-in default.
const ROWS: [u32; 11] = [1, 2, 4, 6, 8, 12, 16, 24, 32, 48, 64];

/// Measures how many rows `sam` should take on this device, in `budget` or a little more: what has begun is
/// finished, and the smallest size of the first order is always measured.
///
/// What the device is tuned to already plays no part. Nothing is timed that was not verified before. `progress` hears of
/// every step, and of the figures behind the result.
///
/// Errors: [`Error::Unsupported`] where there are no compute shaders, [`Error::WrongResult`] where the built-in default
/// itself is wrong, [`Error::Gl`] and what else [`Gpu::prepare`] gives.
pub fn tune_sam(gpu: &Gpu, budget: Duration, mut progress: impl FnMut(Progress)) -> Result<Tuning, Error> {
    supported(gpu.device())?;
    let device = Device { tuning: Tuning::default(), ..gpu.device().clone() };
    let start = Instant::now();
    let specs =
        SIZES.into_iter().flat_map(|log2| ORDERS.map(|order| ScanSpec::new::<u32>(1 << log2).order(order)));
    let specs: Vec<ScanSpec> = specs.collect();
    let mut tuning = Tuning::default();
    let mut obstacle = None;
    for (number, spec) in specs.iter().copied().enumerate() {
        let left = budget.saturating_sub(start.elapsed());
        let time = Time { left, share: left / (specs.len() - number) as u32, least: number == 0 };
        progress(Progress::Begins { number, of: specs.len(), spec });
        match measure(gpu, &device, spec, time, &mut progress) {
            Ok(Some(measured)) => {
                tuning.sam.push(measured.tuned);
                progress(Progress::Measured(measured));
            }
            Ok(None) => progress(Progress::NoTime { spec }),
            // Too long for this device, or for its memory.
            Err(error @ (Error::Unsupported(_) | Error::Gl { .. })) => {
                progress(Progress::LeftOut { spec, reason: error.to_string() });
                obstacle.get_or_insert(error);
            }
            Err(error) => return Err(error),
        }
    }
    match obstacle {
        Some(error) if tuning.is_empty() => Err(error),
        _ => Ok(tuning),
    }
}

/// How long a measurement may take.
#[derive(Debug, Clone, Copy)]
struct Time {
    /// What is left of the budget.
    left: Duration,
    /// What of it is meant for this one.
    share: Duration,
    /// Whether it takes as long as it needs to be one at all.
    least: bool,
}

/// Finds the best rows for one scan; `None` where there is no time for that.
fn measure(
    gpu: &Gpu,
    device: &Device,
    spec: ScanSpec,
    time: Time,
    progress: &mut impl FnMut(Progress),
) -> Result<Option<Measured>, Error> {
    if time.left.is_zero() && !time.least {
        return Ok(None);
    }
    let begun = Instant::now();
    let default_rows = Sam::default().rows(&spec, device)?;
    let task = Task::new(gpu, device, spec)?;
    let mut candidates = vec![task.candidate(default_rows)?];
    for rows in rivals(default_rows) {
        // At least one, or there is nothing to choose from; the time that is left is for the race.
        if candidates.len() > 1 && begun.elapsed() > time.share / 2 {
            break;
        }
        match task.candidate(rows) {
            Ok(candidate) => candidates.push(candidate),
            Err(error) => progress(Progress::Refused { spec, rows, reason: error.to_string() }),
        }
    }
    let round: Duration = candidates.iter().map(|candidate| candidate.took).sum();
    if begun.elapsed() + round * race::LEAST_ROUNDS as u32 > time.left && !time.least {
        return Ok(None);
    }
    let mut clock = Clock::Wall;
    let verdict = race(candidates.len(), time.share.saturating_sub(begun.elapsed()), |runner| {
        let timing = candidates[runner].prepared.time(&task.input)?;
        clock = timing.clock;
        Ok::<_, Error>(timing.total)
    })?;
    let tuned =
        Tuned { up_to: up_to(spec.len), higher_order: spec.order > 1, rows: candidates[verdict.winner].rows };
    let race::Verdict { time, default_time, rounds, .. } = verdict;
    Ok(Some(Measured { spec, tuned, time, default_rows, default_time, rounds: rounds as u32, clock }))
}

/// The numbers of rows that are tried against the built-in default, those near it first.
fn rivals(default: u32) -> Vec<u32> {
    let near = |rows: &u32| (default.div_ceil(4)..=2 * default).contains(rows) && *rows != default;
    let mut rivals: Vec<u32> = ROWS.into_iter().filter(near).collect();
    rivals.sort_by_key(|rows| 100 * (*rows).max(default) / default.min(*rows));
    rivals
}

/// Where the range of a length ends: half-way to the next in powers of two. A word is an item here.
fn up_to(len: u64) -> u64 {
    match SIZES.into_iter().map(|log2| 1 << log2).find(|next| *next > len) {
        Some(next) => (len * next).isqrt(),
        None => Tuned::NO_END,
    }
}

/// A scan of numbers whose result is known.
struct Task<'a> {
    gpu: &'a Gpu,
    device: &'a Device,
    spec: ScanSpec,
    numbers: Vec<u32>,
    expected: Vec<u32>,
    input: Stream,
}

/// A number of rows with which the result was right.
struct Candidate {
    rows: u32,
    prepared: Prepared,
    /// The second run, of which the first was to verify.
    took: Duration,
}

impl Task<'_> {
    fn new<'a>(gpu: &'a Gpu, device: &'a Device, spec: ScanSpec) -> Result<Task<'a>, Error> {
        // The low digits of multiples of an odd number look random enough for sums.
        let numbers: Vec<u32> =
            (0..spec.len as u32).map(|index| index.wrapping_mul(0x9E37_79B9) >> 8).collect();
        let expected = reference::scan(&spec, &numbers)?;
        let layout = Layout::in_buffer(device, spec.element, spec.operator.arity(), spec.len)?;
        let input = gpu.upload(&layout, &numbers)?;
        Ok(Task { gpu, device, spec, numbers, expected, input })
    }

    /// Makes the plan, and runs it once to see that it is right and once to see how long it takes.
    fn candidate(&self, rows: u32) -> Result<Candidate, Error> {
        let tile = TileOptions { rows: Some(rows), ..TileOptions::default() };
        let plan = Sam { tile, ..Sam::default() }.plan(&self.spec, self.device)?;
        let mut prepared = self.gpu.prepare(&plan)?;
        let result: Vec<u32> = prepared.run(&self.input)?.read()?;
        if result != self.expected {
            reference::verify(&self.spec, plan.cost().depth, &self.numbers, &result).map_err(|mismatch| {
                let (spec, mismatch) = (Box::new(self.spec), Box::new(mismatch));
                Error::WrongResult { algorithm: format!("sam:rows={rows}"), spec, mismatch }
            })?;
        }
        let start = Instant::now();
        prepared.time(&self.input)?;
        Ok(Candidate { rows, prepared, took: start.elapsed() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_meet_between_the_sizes() {
        assert_eq!(SIZES.map(|log2| up_to(1 << log2)), [1 << 17, 1 << 19, 1 << 21, 1 << 23, Tuned::NO_END]);
    }

    #[test]
    fn rivals_are_near_the_default_and_the_nearest_first() {
        assert_eq!(rivals(8), [6, 12, 4, 16, 2]);
        assert_eq!(rivals(16), [12, 24, 8, 32, 6, 4]);
        assert_eq!(rivals(32), [24, 48, 16, 64, 12, 8]);
        assert_eq!(rivals(1), [2]);
        assert!((1..=64).flat_map(rivals).all(|rows| (1..=TileOptions::MOST_ROWS).contains(&rows)));
    }
}
