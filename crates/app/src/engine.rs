//! The engines that make recordings: a GPU, or kernels in Rust.

use rasterscan::error::Error;
use rasterscan::plan::Shader;
use rasterscan::tools::record::Recorder;
use rasterscan::tools::registry::Card;
use rasterscan::trace::Recording;
use rasterscan::{Device, Gpu};
use rasterscan_lesson::phrases::say;

use super::job::Resolved;

/// Runs algorithms for the app.
pub trait Engine {
    /// Runs a job and records it. An engine that works in pieces returns `None` until it is done, and is asked again for
    /// the same job in the next frame; if it is asked for another job, it drops the first.
    ///
    /// Errors: as text for the user.
    fn run(&mut self, job: &Resolved) -> Result<Option<Recording>, String>;

    /// The reason why an algorithm cannot run here; `None` if it can.
    fn unsupported(&mut self, card: &Card) -> Option<String>;

    /// The name of the device.
    fn device(&self) -> String;

    /// The context, for pieces of the gallery.
    ///
    /// Errors: as text for the user, if there is none.
    fn gpu(&self) -> Result<&Gpu, String> {
        Err(say("it needs OpenGL, and kernels in Rust have none of its shaders"))
    }

    /// The device's limits, for plans; those of a plain OpenGL 4.3 if there is no device.
    fn limits(&self) -> Device {
        Device::gl43()
    }
}

/// An engine on a GPU, in a headless context or in the window's own, which must then be current.
pub struct GpuEngine(pub Gpu);

impl Engine for GpuEngine {
    fn run(&mut self, job: &Resolved) -> Result<Option<Recording>, String> {
        let recorded = || {
            let recorder = Recorder::new(&self.0, &job.choice, job.task.clone())?;
            recorder.with_shaders(|shader| job.edits.instead_of(shader)).finish()
        };
        recorded().map(Some).map_err(|error: Error| error.to_string())
    }

    fn unsupported(&mut self, card: &Card) -> Option<String> {
        card.supported(self.0.device()).err().map(|reason| reason.to_string())
    }

    fn device(&self) -> String {
        self.0.device().to_string()
    }

    fn gpu(&self) -> Result<&Gpu, String> {
        Ok(&self.0)
    }

    fn limits(&self) -> Device {
        self.0.device().clone()
    }
}

/// An engine of kernels in Rust, which needs no GPU. Edited shaders have none.
#[derive(Debug, Clone, Copy, Default)]
pub struct KernelEngine;

impl Engine for KernelEngine {
    fn run(&mut self, job: &Resolved) -> Result<Option<Recording>, String> {
        let edited = |shader: &Shader| job.edits.instead_of(shader);
        let recorded = rasterscan_kernels::record_with(&job.choice, &job.task, edited);
        recorded.map(Some).map_err(|error| error.to_string())
    }

    fn unsupported(&mut self, card: &Card) -> Option<String> {
        card.supported(&rasterscan_kernels::device()).err().map(|reason| reason.to_string())
    }

    fn device(&self) -> String {
        rasterscan_kernels::device().renderer
    }

    fn limits(&self) -> Device {
        rasterscan_kernels::device()
    }
}
