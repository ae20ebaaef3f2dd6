//! A device that solves pieces, with the plans of the lengths that occur.

use std::sync::{Mutex, PoisonError};

use anyhow::Context;
use rasterscan::tools::job::Wanted;
use rasterscan::tools::registry::{self, Chosen};
use rasterscan::tools::task::Ready;
use rasterscan::tools::{Job, Request, Task, auto};
use rasterscan_lab::document::Gl;

use super::schedule::Answer;
use super::worker::Solver;
use crate::console::Console;
use crate::device::DeviceOptions;
use crate::engine::{self, Engine};

/// Held while a software renderer draws, of which there may be several contexts: two that draw at once crash llvmpipe.
static DRAWING: Mutex<()> = Mutex::new(());

/// A device, or the CPU.
pub struct OnDevice<'j> {
    job: &'j Job,
    /// `None` if the algorithm needs none.
    engine: Option<Engine>,
    kept: Vec<Kept>,
}

/// A plan of a request.
struct Kept {
    request: Request,
    chosen: Chosen,
    ready: Option<Ready>,
}

/// A device that is open.
pub struct Opened {
    /// The length of its pieces.
    pub piece: u64,
    /// The algorithm, and its plan of a piece.
    pub chosen: Chosen,
    pub place: String,
    pub engine: Option<&'static str>,
    pub gl: Option<Gl>,
    pub is_software: bool,
}

impl<'j> OnDevice<'j> {
    /// Opens a device, if the job needs one.
    ///
    /// Errors: as [`Engine::open`].
    pub fn open(job: &'j Job, options: &DeviceOptions, console: &Console) -> anyhow::Result<OnDevice<'j>> {
        let _alone = DRAWING.lock().unwrap_or_else(PoisonError::into_inner);
        let engine = engine::for_job(job, options, console)?;
        if let Some(gpu) = engine.as_ref().and_then(Engine::gpu) {
            // Pieces have a bar of their own.
            gpu.on_transfer(|_| {});
        }
        Ok(OnDevice { job, engine, kept: Vec::new() })
    }

    /// The device, for pieces of this length, of which this is the request.
    ///
    /// Errors: as [`Job::choose`].
    pub fn opened(&self, piece: u64, request: &Request) -> anyhow::Result<Opened> {
        let engine = self.engine.as_ref();
        Ok(Opened {
            piece,
            chosen: self.choose(request)?,
            place: engine.map_or_else(|| "the CPU".into(), Engine::place),
            engine: engine.map(Engine::name),
            gl: engine.and_then(Engine::document),
            is_software: engine.is_none_or(|engine| engine.device().software),
        })
    }

    /// The algorithm for a request, with its plan, as far as that is known before there are numbers.
    ///
    /// Errors: as [`Job::choose`].
    pub fn choose(&self, request: &Request) -> anyhow::Result<Chosen> {
        match &self.engine {
            None => Ok(Chosen { choice: registry::sequential(request.problem()), plan: None }),
            // The totals of scans have no algorithm of their own on the command line.
            Some(engine) if *request.problem() != *self.job.problem => {
                Ok(registry::auto(request, engine.device())?)
            }
            Some(engine) => Ok(self.job.choose(request, engine.device())?),
        }
    }

    /// The algorithm that solved the last pieces.
    pub fn last(self) -> Option<Chosen> {
        let of_job = |kept: &Kept| *kept.request.problem() == *self.job.problem;
        self.kept.into_iter().find(of_job).map(|kept| kept.chosen)
    }

    /// The place of the plan for a task; plans of other lengths give way.
    fn kept(&mut self, task: &Task<'_>) -> anyhow::Result<usize> {
        let request = task.request();
        if let Some(place) = self.kept.iter().position(|kept| kept.request == *request) {
            return Ok(place);
        }
        self.kept.retain(|kept| kept.request.len() == request.len());
        let chosen = self.choose(request)?;
        let chosen = match &self.engine {
            Some(Engine::Gl(gpu)) if self.job.algorithm == Wanted::Auto => {
                auto::choose(gpu, request, Some(chosen), || Task::new(request, task.inputs()))?
            }
            _ => chosen,
        };
        let ready = match (&self.engine, &chosen.plan) {
            (Some(Engine::Gl(gpu)), Some(plan)) => {
                tracing::info!("plan: {plan}");
                Some(Ready { prepared: gpu.prepare(plan)?, streams: Vec::new() })
            }
            _ => None,
        };
        self.kept.push(Kept { request: request.clone(), chosen, ready });
        Ok(self.kept.len() - 1)
    }
}

impl Solver for OnDevice<'_> {
    fn solve(&mut self, task: &Task<'_>) -> anyhow::Result<Answer> {
        let software = self.engine.as_ref().and_then(Engine::gpu).is_some_and(|gpu| gpu.device().software);
        let _alone = software.then(|| DRAWING.lock().unwrap_or_else(PoisonError::into_inner));
        let place = self.kept(task)?;
        let Kept { chosen, ready, .. } = &mut self.kept[place];
        let depth = chosen.plan.as_ref().map(|plan| plan.cost().depth);
        let results = match (ready, &chosen.plan, &self.engine) {
            (Some(ready), ..) => {
                ready.streams = task.upload(&ready.prepared)?;
                let results = task.run(ready);
                // Before the next ones are made.
                ready.streams.clear();
                results?
            }
            (None, Some(plan), Some(Engine::Kernels(_))) => {
                rasterscan_kernels::run(plan, task).map_err(engine::error_of)?
            }
            _ => task.solve().context("the reference")?,
        };
        Ok(Answer { results, depth })
    }
}
