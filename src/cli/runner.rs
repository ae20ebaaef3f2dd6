//! One algorithm on one input: run, read back, held against the reference, and only then timed.

use std::time::{Duration, Instant};

use rasterscan::reference::{self, Verified};
use rasterscan::registry::{Choice, Era, Family};
use rasterscan::{Clock, Element, Error, Gpu, Plan, ScanSpec, Unsupported, measure};

use super::document;
use super::exit::WrongResult;

/// How to run.
pub struct Protocol<'a> {
    pub verify: bool,
    /// As for [`measure::sample`].
    pub runs: u32,
    pub budget: Duration,
    /// The command that runs this algorithm alone.
    pub reproduce: &'a dyn Fn(&Choice) -> String,
}

/// A run that came out right, or that nobody wanted to be checked.
pub struct Outcome<T> {
    pub choice: Choice,
    /// Every parameter; the plan's own value where the caller left it to the algorithm.
    pub parameters: Vec<(&'static str, String)>,
    pub passes: usize,
    pub adds: u64,
    pub words_moved: u64,
    pub verified: Option<Verified>,
    pub time: document::Time,
    pub values: Vec<T>,
}

impl<T> Outcome<T> {
    /// The algorithm with its parameters: `packed:block=8`.
    pub fn label(&self) -> String {
        let parameters: Vec<String> =
            self.parameters.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let colon = if parameters.is_empty() { "" } else { ":" };
        format!("{}{colon}{}", self.choice.card.name, parameters.join(","))
    }

    pub fn document(&self, spec: &ScanSpec) -> document::Run {
        document::Run {
            algorithm: self.choice.card.name,
            parameters: document::parameters(&self.parameters),
            spec: document::Spec::of(spec),
            passes: self.passes,
            words_moved: self.words_moved,
            adds: self.adds,
            verified: self.verified.is_some_and(holds),
            unbounded: self.verified.map_or(0, |verified| verified.unbounded),
            time: self.time,
        }
    }
}

/// Whether a comparison shows that a result is right: no mismatch is no proof where nothing could be
/// compared. Of nothing at all, everything is right.
pub fn holds(verified: Verified) -> bool {
    verified.compared > 0 || verified.unbounded == 0
}

/// Runs `choice`. What runs on the CPU needs no `gpu`; all else does.
///
/// Errors: the library's, and [`WrongResult`].
pub fn run<T: Element>(
    gpu: Option<&Gpu>,
    choice: &Choice,
    spec: &ScanSpec,
    input: &[T],
    protocol: &Protocol<'_>,
) -> anyhow::Result<Outcome<T>> {
    let plan = match gpu {
        Some(gpu) => choice.plan(spec, gpu.device())?,
        None if choice.card.era == Era::Cpu => None,
        None => return Err(Error::NoDevice(format!("{choice} needs a device")).into()),
    };
    let ran = match (gpu, &plan) {
        (Some(gpu), Some(plan)) => run_plan(gpu, plan, spec, input, choice, protocol)?,
        _ => run_sequential(spec, input, choice, protocol)?,
    };
    let parameters = plan.as_ref().map_or_else(|| choice.parameters(), |plan| settled(choice, plan));
    let cost = plan.as_ref().map(Plan::cost);
    let words = spec.elements() * u64::from(spec.element.words());
    let order = u64::from(spec.order);
    Ok(Outcome {
        choice: choice.clone(),
        parameters,
        passes: plan.as_ref().map_or(0, |plan| plan.passes().len()),
        adds: cost.map_or(spec.len.saturating_sub(u64::from(spec.tuple)) * order, |cost| cost.adds),
        words_moved: cost.map_or(2 * words * order, |cost| cost.words_moved()),
        verified: ran.verified,
        time: ran.time,
        values: ran.values,
    })
}

struct Ran<T> {
    values: Vec<T>,
    verified: Option<Verified>,
    time: document::Time,
}

fn run_plan<T: Element>(
    gpu: &Gpu,
    plan: &Plan,
    spec: &ScanSpec,
    input: &[T],
    choice: &Choice,
    protocol: &Protocol<'_>,
) -> anyhow::Result<Ran<T>> {
    tracing::info!("plan: {plan}");
    let mut prepared = gpu.prepare(plan)?;
    let stream = prepared.upload(input)?;
    let start = Instant::now();
    let values = prepared.run(&stream)?.read::<T>()?;
    let first = start.elapsed();
    tracing::debug!("{choice}: first run and readback took {first:?}");
    let depth = plan.cost().depth / u64::from(spec.order);
    let verified = check(spec, depth, input, &values, choice, protocol)?;
    let mut clock = Clock::Wall;
    let sampled = measure::sample(protocol.runs, protocol.budget, || {
        let timing = prepared.time(&stream)?;
        clock = timing.clock;
        Ok::<_, Error>(timing.total)
    })?;
    let time = document::Time::new(sampled.median, clock, sampled.runs);
    Ok(Ran { values, verified, time })
}

fn run_sequential<T: Element>(
    spec: &ScanSpec,
    input: &[T],
    choice: &Choice,
    protocol: &Protocol<'_>,
) -> anyhow::Result<Ran<T>> {
    let values = reference::scan(spec, input)?;
    let verified = check(spec, spec.len, input, &values, choice, protocol)?;
    let sampled = measure::sample(protocol.runs, protocol.budget, || {
        let start = Instant::now();
        let values = reference::scan(spec, input)?;
        let took = start.elapsed();
        drop(values);
        Ok::<_, anyhow::Error>(took)
    })?;
    let time = document::Time::new(sampled.median, Clock::Wall, sampled.runs);
    Ok(Ran { values, verified, time })
}

fn check<T: Element>(
    spec: &ScanSpec,
    depth: u64,
    input: &[T],
    values: &[T],
    choice: &Choice,
    protocol: &Protocol<'_>,
) -> anyhow::Result<Option<Verified>> {
    if !protocol.verify {
        return Ok(None);
    }
    match reference::verify(spec, depth, input, values) {
        Ok(verified) => Ok(Some(verified)),
        Err(mismatch) => Err(WrongResult {
            algorithm: choice.to_string(),
            mismatch,
            command: (protocol.reproduce)(choice),
        }
        .into()),
    }
}

/// The parameters with which the plan was made: a plan's name is the algorithm as it would be written
/// on the command line.
fn settled(choice: &Choice, plan: &Plan) -> Vec<(&'static str, String)> {
    match Choice::parse(Family::Scan, plan.name()) {
        Ok(settled) if settled.card.name == choice.card.name => settled.parameters(),
        _ => choice.parameters(),
    }
}

/// Why an algorithm cannot run here, if that is what the error says.
pub fn unsupported(error: &anyhow::Error) -> Option<&Unsupported> {
    error.chain().find_map(|cause| match cause.downcast_ref() {
        Some(rasterscan::Error::Unsupported(unsupported)) => Some(unsupported),
        _ => None,
    })
}
