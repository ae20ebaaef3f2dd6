//! The engine of the page: the visitor's GPU, through a context of its own, which is made again after it was lost.

use rasterscan::registry::Card;
use rasterscan::trace::Recording;
use rasterscan::{Error, Gpu};
use rasterscan_app::engine::Engine;
use rasterscan_app::job::Settled;

/// An engine on WebGL 2, or the reason why there is none.
pub struct PageEngine(Result<Gpu, String>);

impl PageEngine {
    /// An engine on a new context.
    pub fn new() -> PageEngine {
        PageEngine(Gpu::headless().map_err(|error| error.to_string()))
    }
}

fn record(gpu: &Gpu, job: &Settled) -> Result<Recording, Error> {
    rasterscan::record(gpu, &job.choice, &job.request, &job.streams.iter().collect::<Vec<_>>())
}

impl Engine for PageEngine {
    fn run(&mut self, job: &Settled) -> Result<Recording, String> {
        if let Ok(gpu) = &self.0 {
            match record(gpu, job) {
                // The browser gives a new context soon after it has taken one away.
                Err(Error::ContextLost { .. }) => *self = PageEngine::new(),
                other => return other.map_err(|error| error.to_string()),
            }
        }
        match &self.0 {
            Ok(gpu) => record(gpu, job).map_err(|error| error.to_string()),
            Err(reason) => Err(format!("algorithms cannot run here, but saved runs can be shown: {reason}")),
        }
    }

    fn unsupported(&mut self, card: &Card) -> Option<String> {
        match &self.0 {
            Ok(gpu) => card.supported(gpu.device()).err().map(|reason| reason.to_string()),
            Err(reason) => Some(reason.clone()),
        }
    }

    fn device(&self) -> String {
        self.0.as_ref().map_or_else(|_| "no device".into(), |gpu| gpu.device().to_string())
    }
}
