//! The algorithm that `auto` stands for on a context: the fastest whose results are right there.
//!
//! [`registry::auto`] chooses by what a device reports. A driver can report much and compute wrong
//! numbers, so [`choose`] leaves out what the trial of compute shaders withdraws, and, on a renderer that is not known,
//! checks the choice once, on the caller's numbers: against the reference, or, if the operator has no twin on the CPU,
//! against another algorithm. The answer is kept ([`Gpu::set_auto_checks`]). If no algorithm passes, the CPU's is left.

use crate::algorithm::results::Results;
use crate::algorithm::{Choice, Chosen, Input, Request};
use crate::element::ElementType;
use crate::error::Error;
use crate::gl::Gpu;
use crate::numbers::Numbers;
use crate::plan::Plan;
use crate::random::Random;
use crate::registry;
use crate::task::Task;

/// Relative errors of floats below this do not tell two algorithms apart.
const ALIKE: f32 = 1.0 / 1024.0;

/// The fastest algorithm whose results are right on this context, as far as that is known or checked, with its plan.
/// `made` is what [`registry::auto`] returned for the request, if it was asked before. `task` is the request with its
/// numbers; it is only called for a check.
///
/// Errors: as [`Gpu::prepare`] and [`registry::auto`], and those of `task`.
pub fn choose<'t>(
    gpu: &Gpu,
    request: &Request,
    made: Option<Chosen>,
    task: impl Fn() -> Result<Task<'t>, Error>,
) -> Result<Chosen, Error> {
    let mut ruled_out = false;
    for chosen in registry::candidates(request, gpu.device(), made) {
        let Chosen { choice, plan: Some(plan) } = &chosen else { return Ok(chosen) };
        if !gpu.has_constructs(plan)? {
            ruled_out = true;
            continue;
        }
        if !gpu.checks_auto() || request.is_empty() {
            return Ok(chosen);
        }
        if gpu.answer(&question(choice, request), || is_right(gpu, choice, plan, &task()?))? {
            return Ok(chosen);
        }
        ruled_out = true;
    }
    match ruled_out {
        true => registry::sequential(request.problem()).chosen(request, gpu.device()),
        // Without a candidate, the first choice has the error that says why.
        false => registry::auto(request, gpu.device()),
    }
}

/// A task for a check of a request before its numbers are there, on small random ones. Offsets and edges ascend, and all items
/// count.
pub(crate) fn sample(request: &Request) -> Result<Task<'static>, Error> {
    let numbers = |input: Input| {
        let (len, elements) = (input.len, input.len * u64::from(input.arity));
        let values: Vec<u64> = match input.name {
            Input::LENGTH => vec![request.len()],
            Input::EDGES => (0..len).collect(),
            Input::OFFSETS => (0..len).map(|number| number * request.len() / len).collect(),
            _ => Random { seed: 7, max: 3, keep: None }.values().take(elements as usize).collect(),
        };
        Numbers::of_whole(input.element, values.len(), values.into_iter())
    };
    let inputs: Result<Vec<Numbers>, Error> = request.inputs().into_iter().map(numbers).collect();
    Task::new(request, inputs?)
}

/// Lengths within a power of two share an answer.
fn question(choice: &Choice, request: &Request) -> String {
    let (item, problem, facts) = (request.item(), request.problem(), request.facts());
    let (element, operator, longest) = (item.element, &item.operator, request.len().ilog2());
    format!("auto {problem} {choice} {element} {operator:?} {facts:?} 2^{longest}")
}

/// Runs a plan once, and checks its results.
fn is_right(gpu: &Gpu, choice: &Choice, plan: &Plan, task: &Task<'_>) -> Result<bool, Error> {
    let request = task.request();
    let Some(results) = results_of(gpu, task, plan)? else { return Ok(false) };
    match task.solve() {
        Err(Error::NoTwin(_)) => {}
        // Without memory for the reference, the check needs none.
        _ => return Ok(task.verify(Some(plan.cost().depth), &results).is_ok()),
    }
    let others = registry::of(request.problem()).filter(|card| card.name != choice.card.name);
    for other in others {
        let Ok(Some(plan)) = other.with_defaults().plan(request, gpu.device()) else { continue };
        if let Some(others) = results_of(gpu, task, &plan)? {
            return Ok(alike(&results, &others));
        }
    }
    // Nothing to compare with.
    Ok(true)
}

/// The results of a plan; `None` if the driver does not run it.
fn results_of(gpu: &Gpu, task: &Task<'_>, plan: &Plan) -> Result<Option<Results>, Error> {
    match task.prepare(gpu, plan).and_then(|mut ready| task.run(&mut ready)) {
        Ok(results) => Ok(Some(results)),
        Err(Error::Unsupported(_) | Error::Shader { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Whether two algorithms agree: to the bit, and for floats, whose sums they may put together in other orders, nearly.
fn alike(one: &Results, other: &Results) -> bool {
    let near = |(a, b): (&f32, &f32)| {
        a.to_bits() == b.to_bits()
            || a.is_nan() && b.is_nan()
            || (a - b).abs() <= ALIKE * a.abs().max(b.abs())
    };
    let same = |(output, a): (&crate::algorithm::Output, &Numbers)| match other.get(output.name) {
        Some(b) if a.element() == ElementType::F32 => match (a.get::<f32>(), b.get::<f32>()) {
            (Ok(a), Ok(b)) => a.len() == b.len() && a.iter().zip(b).all(near),
            _ => false,
        },
        other => other == Some(a),
    };
    one.streams().all(same)
}
