//! Who makes recordings: a GPU, or nobody where there is none.

use rasterscan::Gpu;
use rasterscan::Numbers;
use rasterscan::error::Error;
use rasterscan::registry::Card;
use rasterscan::trace::Recording;

use super::job::Settled;

/// Runs what is asked for.
pub trait Engine {
    /// Runs and records.
    ///
    /// Errors: in words that can be shown.
    fn run(&mut self, job: &Settled) -> Result<Recording, String>;

    /// Why an algorithm cannot run here; `None` where it can.
    fn unsupported(&mut self, card: &Card) -> Option<String>;

    /// What runs it.
    fn device(&self) -> String;
}

/// Runs on a GPU: of a headless context, or of the window itself, which must be current then.
pub struct GpuEngine(pub Gpu);

impl Engine for GpuEngine {
    fn run(&mut self, job: &Settled) -> Result<Recording, String> {
        let streams: Vec<&Numbers> = job.streams.iter().collect();
        rasterscan::record(&self.0, &job.choice, &job.request, &streams)
            .map_err(|error: Error| error.to_string())
    }

    fn unsupported(&mut self, card: &Card) -> Option<String> {
        card.supported(self.0.device()).err().map(|reason| reason.to_string())
    }

    fn device(&self) -> String {
        self.0.device().to_string()
    }
}

/// Runs nothing, and says why. Saved traces can be shown all the same.
pub struct NoGpu(pub String);

impl Engine for NoGpu {
    fn run(&mut self, _: &Settled) -> Result<Recording, String> {
        Err(format!("nothing can be run here, but saved runs can be shown: {}", self.0))
    }

    fn unsupported(&mut self, _: &Card) -> Option<String> {
        Some(self.0.clone())
    }

    fn device(&self) -> String {
        "no device".into()
    }
}
