//! From a task to a recording or to results, without a driver.

use rasterscan::algorithm::results::Results;
use rasterscan::plan::Shader;
use rasterscan::tools::record::plan_to_record;
use rasterscan::tools::registry::Choice;
use rasterscan::trace::Recording;
use rasterscan::{
    Device, Plan,
    tools::{Job, Task},
};

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

/// Runs an algorithm on a task and records everything, as [`rasterscan::tools::record::record()`] does on a GPU. Nothing is timed.
///
/// Errors: as [`plan_to_record`], [`Engine::new`] and [`Engine::run`].
pub fn record(choice: &Choice, task: &Task<'_>) -> Result<Recording, Error> {
    record_with(choice, task, Shader::clone)
}

/// The same with other shaders: [`Plan::with_shaders`].
///
/// Errors: as [`record`].
pub fn record_with(
    choice: &Choice,
    task: &Task<'_>,
    change: impl Fn(&Shader) -> Shader,
) -> Result<Recording, Error> {
    let plan = plan_to_record(choice, task.request(), &device())?.with_shaders(change);
    let mut engine = Engine::new(&plan)?;
    engine.upload(&task.inputs())?;
    Ok(Recording::of(&engine.record()?, task.request(), device().renderer))
}

/// The same for a job that generates its numbers, by its algorithm or the best one here.
///
/// Errors: as [`record`]; for a job whose numbers must be read from somewhere, or of several algorithms.
pub fn record_job(job: &Job) -> Result<Recording, Error> {
    let task = Task::of_job(job)?;
    record(&job.choose(task.request(), &device())?.choice, &task)
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
