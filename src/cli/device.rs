//! Which OpenGL device a command runs on, and what to tell somebody who has none.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use rasterscan::{Api, DeviceChoice, Error, Gpu, HeadlessOptions};

#[derive(Debug, Args)]
pub struct DeviceOptions {
    /// The GL device: its number in `info`, software, hardware, or auto (hardware before software)
    #[arg(
        long,
        global = true,
        env = "RASTERSCAN_DEVICE",
        value_name = "DEVICE",
        default_value = "auto",
        display_order = 800
    )]
    pub device: DeviceChoice,
    /// The API: desktop OpenGL or OpenGL ES
    #[arg(
        long,
        global = true,
        env = "RASTERSCAN_API",
        value_name = "API",
        default_value = "gl",
        value_parser = PossibleValuesParser::new(["gl", "gles"]).try_map(|name| name.parse::<Api>()),
        display_order = 801
    )]
    pub api: Api,
}

impl DeviceOptions {
    /// Opens the device.
    ///
    /// Errors: as [`Gpu::headless_with`], with a hint at what to do where there is none.
    pub fn open(&self) -> anyhow::Result<Gpu> {
        let gpu = self.try_open()?;
        tracing::info!("device: {}, {}", gpu.device(), gpu.device().driver);
        Ok(gpu)
    }

    fn try_open(&self) -> anyhow::Result<Gpu> {
        Gpu::headless_with(&HeadlessOptions {
            device: self.device,
            api: self.api,
            ..HeadlessOptions::default()
        })
        .map_err(|error| match error {
            Error::NoDevice(reason) => Error::NoDevice(format!("{reason}\n{}", hint())).into(),
            other => other.into(),
        })
    }

    /// The options that lead to this choice again, each with a space before it.
    pub fn arguments(&self) -> String {
        let device = match self.device {
            DeviceChoice::Auto => String::new(),
            DeviceChoice::Software => " --device software".into(),
            DeviceChoice::Hardware => " --device hardware".into(),
            DeviceChoice::Index(index) => format!(" --device {index}"),
        };
        match self.api {
            Api::Gl => device,
            Api::Gles => device + " --api gles",
        }
    }
}

/// What helps where no device could be used.
fn hint() -> String {
    match Gpu::device_count() {
        Ok(1..) => {
            format!("hint: `{} info --device auto` lists the devices of this machine", super::called())
        }
        _ => "hint: a driver and libEGL are needed; Mesa's software renderer will do\n      \
             Debian, Ubuntu: apt-get install libegl1 libgl1-mesa-dri\n      \
             Fedora: dnf install mesa-libEGL mesa-dri-drivers"
            .into(),
    }
}
