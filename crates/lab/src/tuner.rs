//! The tuner: finds the fastest algorithms, textures and parameters for the device at hand.
//!
//! Source: maleki2016, section 2.1, for `sam`: "the auto-tuner, which runs when SAM is installed and determines the
//! optimal number of input elements to allocate to each thread for different ranges of problem sizes". The same holds
//! for every parameter that an algorithm is free to choose, for the width of textures, and for the choice of the
//! algorithm itself (`table.rs`).
//!
//! ```text
//! for each question, the most valuable first, and of these the smallest sizes
//!   leave out what has a further level at an end of the range that the answer will hold for (table.rs)
//!   for each candidate, the built-in one first
//!     make the plan, run it, compare the result with the reference
//!   run the yardstick until the device has settled (measure/yardstick.rs)
//!   for each of some rounds, beginning with another each time
//!     run the yardstick, and time every candidate that is still in the race
//!   if the yardstick was slower than its best of the whole run, do so once more
//!   a candidate other than the built-in one wins only if it is clearly faster (race.rs)
//! in the last fifth of the budget, the questions that were answered on a device slower than it turned out to be are asked again
//! ```
//!
//! Deviations from the paper:
//! 1. It runs on request, within a budget; settings that there is no time or memory for stay as they were.
//! 2. Scans of the first and of higher orders are tuned separately if each order waits for the sums of the chunks
//!    before.

mod error;
pub mod kept;
mod question;
mod race;
mod table;
mod task;

use std::ops::ControlFlow;
use std::time::Duration;

use rasterscan::tools::clock::Instant;

use rasterscan::tuning::{Best, Tuned, Tuning};
use rasterscan::{Device, Error, Gpu, device::Clock};

use crate::measure::Yardstick;

use race::race;

pub use error::TuneError;
pub use question::{Finding, TuneQuestion};
pub use table::names;
use task::{Candidates, numbers};

/// The steps of a tuner, reported while it works.
#[derive(Debug)]
pub enum TuneProgress {
    /// A question begins, `number` of `of`, counted from 0.
    Begins {
        /// The questions before it.
        number: usize,
        /// All questions.
        of: usize,
        /// The question.
        question: TuneQuestion,
    },
    /// The device cannot run this candidate, or its result was wrong: it is not timed.
    Refused {
        /// The question.
        question: TuneQuestion,
        /// The candidate, as written on the command line, or a number of columns.
        candidate: String,
        /// The reason, for people.
        reason: String,
    },
    /// Nothing was measured: the device cannot run this at all.
    LeftOut {
        /// The question.
        question: TuneQuestion,
        /// The reason, for people.
        reason: String,
    },
    /// Nothing was measured: all candidates do the same.
    NoChoice {
        /// The question.
        question: TuneQuestion,
    },
    /// Nothing was measured: too little of the budget is left.
    NoTime {
        /// The question.
        question: TuneQuestion,
    },
    /// A question is answered; a second answer to it replaces the first.
    Measured(Finding),
}

/// Finds the fastest settings for this device, in `budget` or a little more: a measurement that has begun is finished,
/// and the first question that leaves a choice is always answered.
///
/// `only` lists the [`names`] of what to measure; everything if it is empty. The present tuning of the device is
/// ignored. Every result is verified before it is timed. `progress` receives every step, with the figures that led to
/// the result; if it breaks, the tuner ends with what it has found until then.
///
/// Errors: [`Error::Unsupported`] and [`Error::Gl`] if the device can run nothing of what is wanted, the other errors
/// of [`Gpu::prepare`], and [`TuneError::Wrong`] if the result of the built-in default is wrong.
///
/// ```no_run
/// use rasterscan_lab::tuner::{self, TuneProgress};
/// use std::{ops::ControlFlow, time::Duration};
///
/// # fn tuned(gpu: rasterscan::Gpu) -> Result<rasterscan::Gpu, tuner::TuneError> {
/// let tuning = tuner::tune(&gpu, Duration::from_secs(10), &["packed"], |progress| {
///     if let TuneProgress::Measured(measured) = progress {
///         println!("{}: {:?}", measured.question.subject, measured.best);
///     }
///     ControlFlow::Continue(())
/// })?;
/// Ok(gpu.with_tuning(tuning)?) // plans made for this device now use it
/// # }
/// ```
pub fn tune(
    gpu: &Gpu,
    budget: Duration,
    only: &[&str],
    mut progress: impl FnMut(TuneProgress) -> ControlFlow<()>,
) -> Result<Tuning, TuneError> {
    let start = Instant::now();
    let mut device = Device { tuning: Tuning::default(), ..gpu.device().clone() };
    let jobs = table::jobs(&device, only)?;
    let mut weight_left: u32 = jobs.iter().map(|job| job.weight).sum();
    let mut obstacle = None;
    let mut least = true;
    let mut yardstick = None;
    let mut answered: Vec<(&table::Inquiry, Box<Answered>)> = Vec::new();
    let mut whole = true;
    for (number, job) in jobs.iter().enumerate() {
        let question = &job.question;
        let left = (budget - budget / AGAIN).saturating_sub(start.elapsed());
        let time = TimeLimit { left, share: left / weight_left.max(1) * job.weight, least };
        weight_left -= job.weight;
        let begins = TuneProgress::Begins { number, of: jobs.len(), question: question.clone() };
        if progress(begins).is_break() {
            whole = false;
            break;
        }
        let mut stopped = false;
        let refused = |candidate, reason| {
            let question = question.clone();
            stopped |= progress(TuneProgress::Refused { question, candidate, reason }).is_break();
        };
        let told = match measure(gpu, &device, job, time, &mut yardstick, refused) {
            Ok(Answer::Measured(found)) => {
                device.tuning.record(found.measured.tuned());
                let measured = found.measured.clone();
                answered.push((job, found));
                TuneProgress::Measured(measured)
            }
            Ok(Answer::NoTime) => TuneProgress::NoTime { question: question.clone() },
            Ok(Answer::NoChoice) => TuneProgress::NoChoice { question: question.clone() },
            // Too long for this device, or for its memory.
            Err(TuneError::Library(error @ (Error::Unsupported(_) | Error::Gl { .. }))) => {
                let reason = error.to_string();
                obstacle.get_or_insert(error);
                TuneProgress::LeftOut { question: question.clone(), reason }
            }
            Err(error) => return Err(error),
        };
        least &= matches!(told, TuneProgress::NoChoice { .. });
        if progress(told).is_break() || stopped {
            whole = false;
            break;
        }
    }
    if whole {
        ask_again(gpu, &mut device, start + budget, yardstick, answered, &mut progress)?;
    }
    match obstacle {
        Some(error) if device.tuning.is_empty() => Err(error.into()),
        _ => Ok(device.tuning),
    }
}

/// One part in so many of the budget is kept for measuring again at the end.
const AGAIN: u32 = 5;

/// Asks again, once each, the questions that were answered while the device was slow, until the end of the budget.
fn ask_again(
    gpu: &Gpu,
    device: &mut Device,
    end: Instant,
    mut yardstick: Option<Yardstick>,
    answered: Vec<(&table::Inquiry, Box<Answered>)>,
    progress: &mut impl FnMut(TuneProgress) -> ControlFlow<()>,
) -> Result<(), TuneError> {
    for (job, before) in answered {
        if yardstick.as_ref().is_none_or(|yardstick| yardstick.is_settled(&before.readings)) {
            continue;
        }
        let left = end.saturating_duration_since(Instant::now());
        let time = TimeLimit { left, share: left, least: false };
        // As if it had not been answered.
        let mut blank = device.clone();
        blank.tuning.record(Tuned { best: Best::BuiltIn, ..before.measured.tuned() });
        let again = measure(gpu, &blank, job, time, &mut yardstick, |_, _| {});
        let measured = match again {
            Ok(Answer::Measured(again)) => again.measured,
            Ok(Answer::NoTime | Answer::NoChoice)
            | Err(TuneError::Library(Error::Gl { .. } | Error::Unsupported(_))) => {
                Finding { settled: false, ..before.measured }
            }
            Err(error) => return Err(error),
        };
        device.tuning.record(measured.tuned());
        if progress(TuneProgress::Measured(measured)).is_break() {
            break;
        }
    }
    Ok(())
}

/// An answer, with the yardstick's readings.
struct Answered {
    measured: Finding,
    readings: Vec<Duration>,
}

/// The time that a measurement may take.
#[derive(Debug, Clone, Copy)]
struct TimeLimit {
    /// The time left of the budget.
    left: Duration,
    /// The part of it for this measurement.
    share: Duration,
    /// True if it may take longer than that, because otherwise nothing would be measured.
    least: bool,
}

/// The outcome of a question.
enum Answer {
    Measured(Box<Answered>),
    NoTime,
    /// There is one candidate only.
    NoChoice,
}

/// Answers one question.
fn measure(
    gpu: &Gpu,
    device: &Device,
    job: &table::Inquiry,
    time: TimeLimit,
    yardstick: &mut Option<Yardstick>,
    mut refused: impl FnMut(String, String),
) -> Result<Answer, TuneError> {
    if time.left.is_zero() && !time.least {
        return Ok(Answer::NoTime);
    }
    let begun = Instant::now();
    let question = &job.question;
    let field = job.field(device)?;
    field.refused.into_iter().for_each(|refusal| refused(refusal.name, refusal.reason));
    if field.rivals.is_empty() {
        return Ok(Answer::NoChoice);
    }
    let numbers = numbers(&question.request);
    let mut task = Candidates::new(gpu, &question.request, &numbers)?;
    let mut candidates = vec![task.candidate(&field.default)?];
    for way in &field.rivals {
        // At least one, or there is nothing to choose from; the time that is left is for the race.
        if candidates.len() > 1 && begun.elapsed() > time.share / 2 {
            break;
        }
        match task.candidate(way) {
            Ok(candidate) => candidates.push(candidate),
            Err(error) => refused(way.name.clone(), error.to_string()),
        }
    }
    if candidates.len() == 1 {
        return Ok(Answer::NoChoice);
    }
    let round: Duration = candidates.iter().map(|candidate| candidate.took).sum();
    if begun.elapsed() + round * race::LEAST_ROUNDS as u32 > time.left && !time.least {
        return Ok(Answer::NoTime);
    }
    let yardstick = match yardstick {
        Some(yardstick) => yardstick,
        none => none.insert(Yardstick::new(gpu)?),
    };
    let mut clock = Clock::Wall;
    let left = time.share.saturating_sub(begun.elapsed());
    let verdict = race(candidates.len(), left, yardstick, |runner| candidates[runner].time(&mut clock))?;
    let settled = yardstick.is_settled(&verdict.readings);
    let race::Outcome { winner, time, default_time, rounds, readings } = verdict;
    let best = if winner == 0 { Best::BuiltIn } else { candidates[winner].best };
    let default = field.default.best;
    let rounds = rounds as u32;
    let question = question.clone();
    let measured = Finding { question, best, default, time, default_time, rounds, clock, settled };
    Ok(Answer::Measured(Box::new(Answered { measured, readings })))
}
