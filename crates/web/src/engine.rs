//! The engine of the page: the visitor's GPU, through a context of its own, which is made again after it was lost. It works
//! in pieces, so that the page goes on between them.

use std::time::Duration;

use rasterscan::tools::clock::Instant;
use rasterscan::tools::record::Recorder;
use rasterscan::tools::registry::Card;
use rasterscan::trace::Recording;
use rasterscan::{Device, Error, Gpu};
use rasterscan_app::engine::Engine;
use rasterscan_app::job::Resolved;

/// The time in a frame after which no further piece is begun. A piece, a shader or a pass, can take longer.
const IN_A_FRAME: Duration = Duration::from_millis(24);

/// An engine on WebGL 2, or the reason why there is none.
pub struct PageEngine {
    gpu: Result<Gpu, String>,
    /// The unfinished work.
    work: Option<RunningJob>,
}

struct RunningJob {
    job: Resolved,
    recorder: Recorder<'static>,
    /// True if its context is not the first.
    again: bool,
}

impl PageEngine {
    /// An engine on a new context.
    pub fn new() -> PageEngine {
        PageEngine { gpu: Gpu::headless().map_err(|error| error.to_string()), work: None }
    }

    /// Begins to work on a job.
    fn begin(&self, job: &Resolved, again: bool) -> Result<RunningJob, Error> {
        let gpu = self.gpu.as_ref().map_err(|reason| Error::NoDevice(reason.clone()))?;
        let recorder = Recorder::new(gpu, &job.choice, job.task.clone())?;
        let recorder = recorder.with_shaders(|shader| job.edits.instead_of(shader));
        Ok(RunningJob { job: job.clone(), recorder, again })
    }

    /// Works for a while.
    fn work(&mut self, job: &Resolved) -> Result<Option<Recording>, Error> {
        let mut work = match self.work.take() {
            Some(work) if work.job.is_like(job) => work,
            _ => self.begin(job, false)?,
        };
        // From the end of the first piece on, which also waits until the last frame is painted.
        let mut start = None;
        loop {
            let done = work.recorder.step();
            let start = start.get_or_insert_with(Instant::now);
            match done {
                Ok(Some(recording)) => return Ok(Some(recording)),
                Ok(None) if start.elapsed() < IN_A_FRAME => {}
                Ok(None) => break,
                // The browser gives a new context soon after it has taken one away.
                Err(Error::ContextLost { .. }) if !work.again => {
                    *self = PageEngine::new();
                    work = self.begin(job, true)?;
                }
                Err(error) => return Err(error),
            }
        }
        self.work = Some(work);
        Ok(None)
    }
}

impl Engine for PageEngine {
    fn run(&mut self, job: &Resolved) -> Result<Option<Recording>, String> {
        self.work(job).map_err(|error| error.to_string())
    }

    fn unsupported(&mut self, card: &Card) -> Option<String> {
        match &self.gpu {
            Ok(gpu) => card.supported(gpu.device()).err().map(|reason| reason.to_string()),
            Err(reason) => Some(reason.clone()),
        }
    }

    fn device(&self) -> String {
        self.gpu.as_ref().map_or_else(|_| "no device".into(), |gpu| gpu.device().to_string())
    }

    fn gpu(&self) -> Result<&Gpu, String> {
        self.gpu.as_ref().map_err(String::clone)
    }

    fn limits(&self) -> Device {
        self.gpu.as_ref().map_or_else(|_| Device::gl33(), |gpu| gpu.device().clone())
    }
}
