//! One algorithm on one input: run, read back, held against the reference, and only then timed.

use std::cell::RefCell;
use std::time::{Duration, Instant};

use rasterscan::plan::Cost;
use rasterscan::reference::Verified;
use rasterscan::registry::{Choice, Era};
use rasterscan::{Clock, Element, Error, Gpu, Plan, Request, Stream, Unsupported};
use rasterscan_lab::measure::{self, Yardstick};

use super::document::{self, Counts};
use super::exit::WrongResult;

pub use rasterscan_lab::task::{Results, Task, holds};

/// How to run.
pub struct Protocol<'a> {
    /// As for [`measure::sample`].
    pub runs: u32,
    pub budget: Duration,
    /// Waited for before anything is timed; without, the first runs are timed as they come.
    pub yardstick: Option<&'a RefCell<Yardstick>>,
    /// The command that runs this algorithm alone.
    pub reproduce: &'a dyn Fn(&Choice) -> String,
}

/// A run that came out right, or that nobody wanted to be checked.
pub struct Outcome<T> {
    pub choice: Choice,
    /// Every parameter; the plan's own value where the caller left it to the algorithm.
    pub parameters: Vec<(&'static str, String)>,
    pub counts: Counts,
    pub verified: Option<Verified>,
    pub time: document::Time,
    pub results: Results<T>,
}

impl<T> Outcome<T> {
    /// The algorithm with the parameters that are not at their default: `packed:block=8`.
    pub fn label(&self) -> String {
        let defaults = self.choice.card.parameters.iter().map(|parameter| parameter.default);
        let settled = self.parameters.iter().zip(defaults).filter(|((_, value), default)| value != default);
        let settled: Vec<String> = settled.map(|((name, value), _)| format!("{name}={value}")).collect();
        let colon = if settled.is_empty() { "" } else { ":" };
        format!("{}{colon}{}", self.choice.card.name, settled.join(","))
    }

    pub fn document(&self, request: &Request) -> document::Run {
        let unbounded = self.verified.map_or(0, |verified| verified.unbounded);
        document::Run {
            algorithm: self.choice.card.name,
            parameters: document::parameters(&self.parameters),
            request: document::Asked::of(request),
            counts: self.counts,
            verified: self.verified.is_some_and(holds),
            unbounded: matches!(request, Request::Scan(_)).then_some(unbounded),
            kept: self.results.kept,
            time: self.time,
        }
    }
}

/// Runs `choice`. What runs on the CPU needs no `gpu`; all else does.
///
/// Errors: the library's, and [`WrongResult`].
pub fn run<T: Element>(
    gpu: Option<&Gpu>,
    choice: &Choice,
    task: &Task<'_, T>,
    protocol: &Protocol<'_>,
) -> anyhow::Result<Outcome<T>> {
    let plan = match gpu {
        Some(gpu) => choice.plan(&task.request, gpu.device())?,
        None if choice.card.era == Era::Cpu => None,
        None => return Err(Error::NoDevice(format!("{choice} needs a device")).into()),
    };
    let ran = match (gpu, &plan) {
        (Some(gpu), Some(plan)) => run_plan(gpu, plan, task, choice, protocol)?,
        _ => run_sequential(task, choice, protocol)?,
    };
    Ok(Outcome {
        choice: choice.clone(),
        parameters: plan.as_ref().map_or_else(|| choice.parameters(), |plan| choice.settled(plan)),
        counts: plan.as_ref().map_or_else(|| sequential(&task.request), Counts::of),
        verified: ran.verified,
        time: ran.time,
        results: ran.results,
    })
}

/// As [`run`], but it is no error where the device or the request rules the algorithm out.
pub fn attempt<T: Element>(
    gpu: Option<&Gpu>,
    choice: &Choice,
    task: &Task<'_, T>,
    protocol: &Protocol<'_>,
) -> anyhow::Result<Result<Outcome<T>, Unsupported>> {
    ruled_out(run(gpu, choice, task, protocol))
}

/// Takes what rules an algorithm out from among the errors.
fn ruled_out<T>(ran: anyhow::Result<T>) -> anyhow::Result<Result<T, Unsupported>> {
    match ran {
        Ok(ran) => Ok(Ok(ran)),
        Err(error) => match error.chain().find_map(unsupported) {
            Some(reason) => Ok(Err(reason.clone())),
            None => Err(error),
        },
    }
}

fn unsupported<'e>(cause: &'e (dyn std::error::Error + 'static)) -> Option<&'e Unsupported> {
    match cause.downcast_ref() {
        Some(Error::Unsupported(unsupported)) => Some(unsupported),
        _ => None,
    }
}

struct Ran<T> {
    results: Results<T>,
    verified: Option<Verified>,
    time: document::Time,
}

fn run_plan<T: Element>(
    gpu: &Gpu,
    plan: &Plan,
    task: &Task<'_, T>,
    choice: &Choice,
    protocol: &Protocol<'_>,
) -> anyhow::Result<Ran<T>> {
    tracing::info!("plan: {plan}");
    let mut prepared = gpu.prepare(plan)?;
    let streams = task.upload(&prepared)?;
    let streams: Vec<&Stream> = streams.iter().collect();
    let start = Instant::now();
    let results = task.run_prepared(&mut prepared, &streams)?;
    let first = start.elapsed();
    tracing::debug!("{choice}: first run and readback took {first:?}");
    let verified = check(task, Some(plan), &results, choice, protocol)?;
    let mut clock = Clock::Wall;
    let mut yardstick = protocol.yardstick.map(RefCell::borrow_mut);
    if let Some(yardstick) = &mut yardstick {
        yardstick.settle(|| true)?;
    }
    let mut readings = Vec::new();
    let sampled = measure::sample(protocol.runs, protocol.budget, || {
        if let Some(yardstick) = &mut yardstick {
            readings.push(yardstick.read()?);
        }
        let timing = prepared.time_with(&streams)?;
        clock = timing.clock;
        Ok::<_, Error>(timing.total)
    })?;
    // Of the first runs that is not known.
    let settled = yardstick.is_some_and(|yardstick| yardstick.is_settled(&readings));
    let time = document::Time::new(sampled.median, clock, sampled.runs, Some(settled));
    Ok(Ran { results, verified, time })
}

fn run_sequential<T: Element>(
    task: &Task<'_, T>,
    choice: &Choice,
    protocol: &Protocol<'_>,
) -> anyhow::Result<Ran<T>> {
    let results = task.run_sequential()?;
    let verified = check(task, None, &results, choice, protocol)?;
    let sampled = measure::sample(protocol.runs, protocol.budget, || {
        let start = Instant::now();
        let results = task.run_sequential()?;
        let took = start.elapsed();
        drop(results);
        Ok::<_, anyhow::Error>(took)
    })?;
    let time = document::Time::new(sampled.median, Clock::Wall, sampled.runs, None);
    Ok(Ran { results, verified, time })
}

fn check<T: Element>(
    task: &Task<'_, T>,
    plan: Option<&Plan>,
    results: &Results<T>,
    choice: &Choice,
    protocol: &Protocol<'_>,
) -> Result<Option<Verified>, WrongResult> {
    task.verify(plan.map(|plan| plan.cost().depth), results).map_err(|mismatch| WrongResult {
        algorithm: choice.to_string(),
        mismatch: Box::new(mismatch),
        command: (protocol.reproduce)(choice),
    })
}

/// What the oracle does: it has no passes, and writes words but no texels. As in plans, everything is kept.
fn sequential(request: &Request) -> Counts {
    let words = u64::from(request.element().words());
    let cost = match request {
        Request::Scan(spec) => {
            let order = u64::from(spec.order);
            let words = spec.elements() * words * order;
            let adds = spec.len.saturating_sub(u64::from(spec.tuple)) * order;
            Cost { words_read: words, words_written: words, adds, ..Cost::default() }
        }
        Request::Compact(spec) => {
            let masked = u64::from(spec.keep == rasterscan::Keep::Mask);
            let read = if masked == 0 || spec.moves.values() { words } else { 0 };
            let values = if spec.moves.values() { words } else { 0 };
            let written = values + u64::from(spec.moves.indices());
            Cost {
                words_read: spec.len * (read + masked),
                words_written: spec.len * written,
                ..Cost::default()
            }
        }
    };
    Counts::new(0, cost)
}

#[cfg(test)]
mod tests {
    use rasterscan::reference::Kept;
    use rasterscan::registry::{self, Family};
    use rasterscan::{CompactSpec, SpecError};

    use super::*;

    #[test]
    fn what_is_ruled_out_is_no_error_and_all_else_is() {
        let reason = Unsupported("too long".into());
        let error = anyhow::Error::from(Error::from(reason.clone())).context("while trying");
        assert_eq!(ruled_out::<()>(Err(error)).unwrap(), Err(reason));
        assert_eq!(ruled_out(Ok(7)).unwrap(), Ok(7));
        assert!(ruled_out::<()>(Err(Error::from(SpecError::Order(0)).into())).is_err());
    }

    #[test]
    fn a_wrong_result_is_an_error_with_the_command_that_shows_it() {
        let spec = CompactSpec::new::<u32>(3);
        let protocol = Protocol {
            runs: 1,
            budget: Duration::ZERO,
            yardstick: None,
            reproduce: &|choice| format!("rasterscan compact a.npy -a {choice}"),
        };
        let choice = registry::sequential(Family::Compact);
        let right = Kept { values: vec![3, 7], indices: vec![0, 2] };
        let run = |expected| {
            let task = Task::new(&spec, &[3u32, 0, 7], &[], true).unwrap().expecting(expected);
            attempt(None, &choice, &task, &protocol)
        };
        assert_eq!(run(right.clone()).unwrap().unwrap().results.kept, Some(2));
        let error = run(Kept { values: vec![3, 8], ..right }).err().unwrap();
        let wrong: &WrongResult = error.downcast_ref().unwrap();
        assert_eq!((wrong.mismatch.index, wrong.mismatch.got.as_str()), (1, "7"));
        assert_eq!(wrong.command, "rasterscan compact a.npy -a sequential");
    }
}
