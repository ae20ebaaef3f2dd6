//! The engines that run plans: OpenGL, or the kernels in Rust, which need no driver.

use anyhow::Context;
use rasterscan::tools::{Job, registry::Era};
use rasterscan::{Device, Error, Gpu, gl::LongBuffers};
use rasterscan_lab::document::Gl;

use super::console::Console;
use super::device::DeviceOptions;

/// An engine for plans.
pub enum Engine {
    /// OpenGL on a device.
    Gl(Gpu),
    /// The kernels in Rust, for plans of this device.
    Kernels(Device),
}

impl Engine {
    /// The kernels.
    pub fn kernels() -> Engine {
        Engine::Kernels(rasterscan_kernels::device())
    }

    /// Opens the wanted one; if none is named and no driver can be used, the kernels, and says so.
    ///
    /// Errors: as [`DeviceOptions::open`].
    pub fn open(options: &DeviceOptions, console: &Console) -> anyhow::Result<Engine> {
        if options.cpu {
            return Ok(Engine::kernels());
        }
        match options.open() {
            Ok(gpu) => Ok(Engine::Gl(gpu)),
            Err(error) if !options.named && is_without_driver(&error) => {
                tracing::info!("{error:#}");
                let reason = error.to_string();
                let reason = reason.split([';', '\n']).next().unwrap_or_default();
                console.note(format!(
                    "{reason}: kernels in Rust run instead (--device cpu). The results are the same, and nothing is timed."
                ));
                Ok(Engine::kernels())
            }
            Err(error) => Err(error),
        }
    }

    /// The device that plans are made for.
    pub fn device(&self) -> &Device {
        match self {
            Engine::Gl(gpu) => gpu.device(),
            Engine::Kernels(device) => device,
        }
    }

    /// The context, if it is one.
    pub fn gpu(&self) -> Option<&Gpu> {
        match self {
            Engine::Gl(gpu) => Some(gpu),
            Engine::Kernels(_) => None,
        }
    }

    /// The name in documents.
    pub fn name(&self) -> &'static str {
        match self {
            Engine::Gl(_) => "gl",
            Engine::Kernels(_) => "kernels",
        }
    }

    /// The context in documents, if it is one.
    pub fn document(&self) -> Option<Gl> {
        self.gpu().map(|gpu| Gl::of(gpu.device()))
    }

    /// The name in texts.
    pub fn place(&self) -> String {
        match self {
            Engine::Gl(gpu) => gpu.device().to_string(),
            Engine::Kernels(device) => device.renderer.clone(),
        }
    }
}

/// Opens an engine for a job; `None` if none is needed. Then no driver, which could fail in any way, is loaded.
pub fn for_job(job: &Job, device: &DeviceOptions, console: &Console) -> anyhow::Result<Option<Engine>> {
    match job.algorithm.named() {
        Some(choice) if choice.card.era == Era::Cpu => Ok(None),
        _ => {
            let told = "cannot open a device (`--device cpu` and `-a sequential` need none)";
            let engine = Engine::open(device, console).context(told)?;
            if let Some(gpu) = engine.gpu() {
                // For a few runs, others take longer to make than they save.
                gpu.set_long_buffers(LongBuffers::Ordinary);
            }
            Ok(Some(engine))
        }
    }
}

/// An error of the kernels, as the program reports it.
pub fn error_of(error: rasterscan_kernels::Error) -> anyhow::Error {
    match error {
        rasterscan_kernels::Error::Unsupported(reason) => Error::from(reason).into(),
        rasterscan_kernels::Error::Request(error) => error.into(),
        other => other.into(),
    }
}

fn is_without_driver(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| matches!(cause.downcast_ref(), Some(Error::NoDevice(_))))
}
