//! The engines that run tasks: OpenGL, or kernels in Rust, which need no driver.

use pyo3::prelude::*;
use rasterscan::algorithm::results::Results;
use rasterscan::gl::LongBuffers;
use rasterscan::tools::job::Wanted;
use rasterscan::tools::registry::{self, Chosen};
use rasterscan::tools::{Job, Task, auto};
use rasterscan::{Device, Error, Gpu, HeadlessOptions};

use crate::errors::Failure;

/// The algorithms of a problem, each with its sentence, and its parameters with their defaults.
///
/// Errors: `RequestError` for an unknown problem.
#[pyfunction]
pub fn algorithms(problem: &str) -> Result<Vec<(&'static str, String)>, Failure> {
    let problem = Job::parse([problem, "file:"])?.problem;
    let described = registry::of(problem).map(|card| {
        let parameters: Vec<_> = card
            .parameters
            .iter()
            .map(|one| format!("{}={}: {}", one.name, one.default, one.about))
            .collect();
        let end = if parameters.is_empty() { String::new() } else { format!(" ({})", parameters.join("; ")) };
        (card.name, format!("{}{end}", card.summary))
    });
    Ok(described.collect())
}

/// An engine.
#[derive(Debug)]
pub enum Engine {
    /// OpenGL.
    Gl(Gpu),
    /// Kernels, for plans of this device.
    Kernels(Device),
}

impl Engine {
    /// Kernels in Rust.
    pub fn kernels() -> Engine {
        Engine::Kernels(rasterscan_kernels::device())
    }

    /// A context without a window.
    ///
    /// Errors: as [`Gpu::headless_with`].
    pub fn headless(options: &HeadlessOptions) -> Result<Engine, Failure> {
        let gpu = Gpu::headless_with(options)?;
        // For a few runs, others take longer to make than they save.
        gpu.set_long_buffers(LongBuffers::Ordinary);
        Ok(Engine::Gl(gpu))
    }

    /// The device that plans are made for.
    pub fn device(&self) -> &Device {
        match self {
            Engine::Gl(gpu) => gpu.device(),
            Engine::Kernels(device) => device,
        }
    }

    /// The name of the engine, as in the program's documents.
    pub fn name(&self) -> &'static str {
        match self {
            Engine::Gl(_) => "gl",
            Engine::Kernels(_) => "kernels",
        }
    }

    /// The context.
    ///
    /// Errors: [`Error::NoDevice`] of kernels, which `what` cannot use.
    pub fn gpu(&self, what: &str) -> Result<&Gpu, Failure> {
        match self {
            Engine::Gl(gpu) => Ok(gpu),
            Engine::Kernels(_) => {
                Err(Error::NoDevice(format!("kernels in Rust run here, and {what} needs OpenGL")).into())
            }
        }
    }

    /// The algorithm for a task, with its plan.
    ///
    /// Errors: as [`Job::choose`] and [`auto::choose`].
    pub fn choose(&self, job: &Job, task: &Task<'_>) -> Result<Chosen, Failure> {
        Ok(match (self, &job.algorithm) {
            (Engine::Gl(gpu), Wanted::Auto) => auto::choose(gpu, task.request(), None, || Ok(task.clone()))?,
            _ => job.choose(task.request(), self.device())?,
        })
    }

    /// Runs a task, and checks the results if asked to.
    ///
    /// Errors: as [`Self::choose`], [`Task::prepare`] and [`Task::run`]; [`Failure::Wrong`].
    pub fn run(&self, job: &Job, task: &Task<'_>, verify: bool) -> Result<Results, Failure> {
        let Chosen { choice, plan } = self.choose(job, task)?;
        let results = match (&plan, self) {
            (None, _) => task.solve()?,
            (Some(plan), Engine::Gl(gpu)) => task.run(&mut task.prepare(gpu, plan)?)?,
            (Some(plan), Engine::Kernels(_)) => rasterscan_kernels::run(plan, task)?,
        };
        if verify {
            let depth = plan.as_ref().map(|plan| plan.cost().depth);
            let wrong = |mismatch| Failure::Wrong { algorithm: choice.to_string(), mismatch };
            if !task.verify(depth, &results).map_err(wrong)?.holds() {
                return Err(Failure::Request(format!(
                    "{}: nothing to check the result with",
                    task.request()
                )));
            }
        }
        Ok(results)
    }
}
