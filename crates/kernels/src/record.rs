//! From a request to a recording or to results, without a driver.

use rasterscan::plan::Shader;
use rasterscan::problem::InputInfo;
use rasterscan::record::plan_to_record;
use rasterscan::registry::Choice;
use rasterscan::results::Results;
use rasterscan::trace::Recording;
use rasterscan::{Device, Job, Numbers, Plan, Request, Task};

use crate::{Engine, Error};

/// The device that plans are made for: one with OpenGL 4.3 on a CPU, where a lane takes its items in series.
pub fn device() -> Device {
    Device {
        vendor: "rasterscan".into(),
        renderer: "kernels in Rust, no driver".into(),
        driver: env!("CARGO_PKG_VERSION").into(),
        software: true,
        timer_queries: false,
        ..Device::gl43()
    }
}

/// Runs an algorithm on these streams and records everything, as [`rasterscan::record()`] does on a GPU. Nothing is timed.
///
/// Errors: as [`plan_to_record`], [`Engine::new`] and [`Engine::run`].
pub fn record(choice: &Choice, request: &Request, streams: &[&Numbers]) -> Result<Recording, Error> {
    record_with(choice, request, streams, Shader::clone)
}

/// The same with other shaders: [`Plan::with_shaders`].
///
/// Errors: as [`record`].
pub fn record_with(
    choice: &Choice,
    request: &Request,
    streams: &[&Numbers],
    change: impl Fn(&Shader) -> Shader,
) -> Result<Recording, Error> {
    // Checks the streams, such as offsets, which must ascend.
    Task::new(request, streams.iter().copied())?;
    let plan = plan_to_record(choice, request, &device())?.with_shaders(change);
    let mut engine = Engine::new(&plan)?;
    engine.upload(streams)?;
    Ok(Recording::of(&engine.record()?, request, device().renderer))
}

/// The same for a job that generates its numbers, by its algorithm or the best one here.
///
/// Errors: as [`record`]; for a job whose numbers must be read from somewhere, or of several algorithms.
pub fn record_job(job: &Job) -> Result<Recording, Error> {
    let streams = job.streams()?;
    let request = job.request(InputInfo::of(&streams[0]))?;
    let choice = job.choose(&request, &device())?.choice;
    record(&choice, &request, &streams.iter().collect::<Vec<_>>())
}

/// Runs a plan of a task once, and reads all results.
///
/// Errors: as [`Engine::new`] and [`Engine::run`].
pub fn run(plan: &Plan, task: &Task<'_>) -> Result<Results, Error> {
    let mut engine = Engine::new(plan)?;
    engine.upload(&task.inputs()[..plan.inputs().len()])?;
    engine.run()?;
    let only = task.request().outputs().len() == 1;
    task.gather(|output, first| {
        let named =
            plan.outputs().iter().find(|slot| !only && plan.slots()[slot.index()].name == output.name);
        let slot = named.copied().unwrap_or_else(|| plan.output());
        let mut numbers = engine.get(slot);
        if let Some(items) = first {
            let elements = items.saturating_mul(plan.layout(slot).arity.into());
            numbers.truncate(usize::try_from(elements).unwrap_or(usize::MAX));
        }
        Ok(numbers)
    })
}
