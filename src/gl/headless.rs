//! Contexts of our own, without a window. Each system has a module for them, with the same items.
//!
//! - `OwnedContext`: a context that this crate made. `load` loads its functions, `make_current` makes it current until
//!   the returned `Before` is dropped, `reset` asks whether its device was reset, and `give_up` leaves it to the end of
//!   the process.
//! - `create` makes one as the [`HeadlessOptions`] say, and `device_count` counts the devices to choose from.

#[cfg(target_vendor = "apple")]
mod cgl;
#[cfg(not(target_family = "wasm"))]
pub mod current;
#[cfg(all(unix, not(target_vendor = "apple")))]
mod egl;
#[cfg(not(target_family = "wasm"))]
mod native;
#[cfg(any(windows, all(unix, not(target_vendor = "apple"))))]
mod versions;
#[cfg(target_family = "wasm")]
mod web;
#[cfg(windows)]
mod wgl;

#[cfg(target_vendor = "apple")]
use cgl as system;
#[cfg(all(unix, not(target_vendor = "apple")))]
use egl as system;
#[cfg(target_family = "wasm")]
use web as system;
#[cfg(windows)]
use wgl as system;

use std::fmt;

use super::debug::DebugLog;
use super::functions::GlFunctions;
use crate::device::Api;
use crate::error::Error;

pub use system::{Before, OwnedContext, create, device_count};

/// The device of the machine to use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DeviceChoice {
    /// The first that works, hardware before software.
    #[default]
    Auto,
    /// Software rendering only.
    Software,
    /// A hardware GPU only.
    Hardware,
    /// The device with this number: in EGL's order from 0, or 0 where the device is not ours to choose (Windows, macOS,
    /// browsers, and an EGL that lists no devices).
    Index(usize),
}

impl DeviceChoice {
    /// Checks the choice where the system decides which device it is.
    #[cfg(any(windows, target_vendor = "apple", target_family = "wasm"))]
    fn check_only_device(self) -> Result<(), Error> {
        match self {
            DeviceChoice::Index(index @ 1..) => Err(Error::NoDevice(format!(
                "there is no device {index}: {} chooses the device, which is number 0",
                if cfg!(target_family = "wasm") { "a browser" } else { "this system" }
            ))),
            _ => Ok(()),
        }
    }

    /// Checks the kind of the device that the system chose.
    #[cfg(not(target_family = "wasm"))]
    fn check_kind(self, software: bool) -> Result<(), Error> {
        let what = match (self, software) {
            (DeviceChoice::Software, false) => "this system's OpenGL draws in hardware; use auto",
            (DeviceChoice::Hardware, true) => "this system's OpenGL draws in software; use auto",
            _ => return Ok(()),
        };
        Err(Error::NoDevice(what.into()))
    }
}

impl std::str::FromStr for DeviceChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "auto" => Ok(DeviceChoice::Auto),
            "software" => Ok(DeviceChoice::Software),
            "hardware" => Ok(DeviceChoice::Hardware),
            number => number.parse().map(DeviceChoice::Index).map_err(|_| {
                format!("'{text}' is not a device: expected a number, software, hardware or auto")
            }),
        }
    }
}

/// A level of OpenGL in a word: `gl`, `gles`, or one of them with the newest version to use, `gl3.3`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Level {
    /// OpenGL or OpenGL ES.
    pub api: Api,
    /// The newest version to use; `None` uses all that there is.
    pub newest: Option<(u32, u32)>,
}

impl std::str::FromStr for Level {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (api, version) = match text.strip_prefix("gles") {
            Some(version) => (Api::Gles, version),
            None => (Api::Gl, text.strip_prefix("gl").unwrap_or("?")),
        };
        let number = || {
            let (major, minor) = version.split_once('.')?;
            Some((major.parse().ok()?, minor.parse().ok()?)).filter(|number| *number >= api.oldest())
        };
        match (version, number()) {
            ("", _) => Ok(Level { api, newest: None }),
            (_, newest @ Some(_)) => Ok(Level { api, newest }),
            _ => Err(format!(
                "'{text}' is not an API: expected gl or gles, or the newest version to use, from gl3.3 or gles3.0 on"
            )),
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.api == Api::Gl { "gl" } else { "gles" })?;
        self.newest.map_or(Ok(()), |(major, minor)| write!(f, "{major}.{minor}"))
    }
}

/// The kind of headless context to make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeadlessOptions {
    /// The device; [`DeviceChoice::Auto`] by default.
    pub device: DeviceChoice,
    /// OpenGL or OpenGL ES; OpenGL by default.
    pub api: Api,
    /// Uses nothing newer than this version, as if the driver had no more: with (3, 3), or (3, 0) of OpenGL ES, a program
    /// runs here as in a browser, without compute shaders. `None`, the default, uses all that there is.
    pub newest: Option<(u32, u32)>,
    /// True if a driver that lists no devices, and has no desktop OpenGL, may give OpenGL ES instead. On.
    pub or_es: bool,
    /// True if the driver's messages become errors. On in debug builds.
    pub debug: bool,
    /// True if the context reports resets of its device, if the driver can: [`Error::ContextLost`]. On.
    pub robust: bool,
}

impl Default for HeadlessOptions {
    fn default() -> Self {
        HeadlessOptions {
            device: DeviceChoice::Auto,
            api: if cfg!(target_family = "wasm") { Api::Gles } else { Api::Gl },
            newest: None,
            or_es: true,
            debug: cfg!(debug_assertions),
            robust: true,
        }
    }
}

impl From<Level> for HeadlessOptions {
    /// The defaults at this level.
    fn from(Level { api, newest }: Level) -> Self {
        HeadlessOptions { api, newest, ..HeadlessOptions::default() }
    }
}

impl HeadlessOptions {
    /// The defaults, with `RASTERSCAN_DEVICE` and `RASTERSCAN_API` where they are set.
    ///
    /// Errors: [`Error::NoDevice`] if one of them has an unknown value.
    pub fn from_env() -> Result<HeadlessOptions, Error> {
        let mut options = HeadlessOptions::default();
        let named = |name: &str, what: String| Error::NoDevice(format!("{name}: {what}"));
        if let Ok(text) = std::env::var("RASTERSCAN_DEVICE") {
            options.device = text.parse().map_err(|what| named("RASTERSCAN_DEVICE", what))?;
        }
        if let Ok(text) = std::env::var("RASTERSCAN_API") {
            let level: Level = text.parse().map_err(|what| named("RASTERSCAN_API", what))?;
            options = HeadlessOptions { device: options.device, or_es: false, ..level.into() };
        }
        Ok(options)
    }
}

/// A new context, current until `before` is dropped.
pub struct Created {
    // Dropped in this order: the functions while their context is current, the context when it is not.
    /// The context's functions.
    pub gl: GlFunctions,
    /// The context that was current before.
    pub before: Before,
    /// The context itself.
    pub context: OwnedContext,
    /// The collected debug messages.
    pub debug: DebugLog,
    /// True if the system reports a software device.
    pub software: bool,
}
