//! Contexts without a window, through EGL devices.

use std::ffi::CString;

use glutin::api::egl::context::PossiblyCurrentContext;
use glutin::api::egl::device::Device as EglDevice;
use glutin::api::egl::display::Display;
use glutin::config::{Api as ConfigApi, ConfigSurfaceTypes, ConfigTemplateBuilder};
use glutin::context::{ContextApi, ContextAttributesBuilder, GlProfile, Version};
use glutin::prelude::*;

use super::debug::DebugLog;
use crate::device::Api;
use crate::error::Error;

/// Which device of the machine to use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DeviceChoice {
    /// Hardware before software; the first that works.
    #[default]
    Auto,
    /// Software rendering only.
    Software,
    /// A hardware GPU only.
    Hardware,
    /// The device of this number, in EGL's order from 0.
    Index(usize),
}

impl std::str::FromStr for DeviceChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "auto" => Ok(DeviceChoice::Auto),
            "software" => Ok(DeviceChoice::Software),
            "hardware" => Ok(DeviceChoice::Hardware),
            number => number
                .parse()
                .map(DeviceChoice::Index)
                .map_err(|_| format!("'{text}' is no device: expected a number, software, hardware or auto")),
        }
    }
}

impl std::str::FromStr for Api {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "gl" => Ok(Api::Gl),
            "gles" => Ok(Api::Gles),
            _ => Err(format!("'{text}' is no API: expected gl or gles")),
        }
    }
}

/// What kind of headless context to make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeadlessOptions {
    pub device: DeviceChoice,
    pub api: Api,
    /// Whether the driver's complaints become errors. On in debug builds.
    pub debug: bool,
}

impl Default for HeadlessOptions {
    fn default() -> Self {
        HeadlessOptions { device: DeviceChoice::Auto, api: Api::Gl, debug: cfg!(debug_assertions) }
    }
}

impl HeadlessOptions {
    /// The defaults, with `RASTERSCAN_DEVICE` and `RASTERSCAN_API` where they are set.
    ///
    /// Errors: [`Error::NoDevice`] where one of them says nothing known.
    pub fn from_env() -> Result<HeadlessOptions, Error> {
        let mut options = HeadlessOptions::default();
        let named = |name: &str, what: String| Error::NoDevice(format!("{name}: {what}"));
        if let Ok(text) = std::env::var("RASTERSCAN_DEVICE") {
            options.device = text.parse().map_err(|what| named("RASTERSCAN_DEVICE", what))?;
        }
        if let Ok(text) = std::env::var("RASTERSCAN_API") {
            options.api = text.parse().map_err(|what| named("RASTERSCAN_API", what))?;
        }
        Ok(options)
    }
}

/// A context that this crate made and keeps current itself.
pub struct OwnedContext {
    context: PossiblyCurrentContext,
    #[cfg(feature = "window")]
    display: Display,
}

impl OwnedContext {
    /// The functions of the context once more.
    #[cfg(feature = "window")]
    pub fn load_again(&self) -> glow::Context {
        load(&self.display)
    }

    pub fn make_current(&self) -> Result<(), Error> {
        if self.context.is_current() {
            return Ok(());
        }
        self.context
            .make_current_surfaceless()
            .map_err(|error| Error::Gl { during: "making the context current", what: error.to_string() })
    }
}

fn query_devices() -> Result<impl Iterator<Item = EglDevice>, Error> {
    EglDevice::query_devices()
        .map_err(|error| Error::NoDevice(format!("EGL cannot list its devices ({error})")))
}

pub fn device_count() -> Result<usize, Error> {
    Ok(query_devices()?.count())
}

/// Makes a context on the chosen device and leaves it current.
pub fn create(options: &HeadlessOptions) -> Result<(OwnedContext, glow::Context, DebugLog), Error> {
    let mut devices: Vec<(usize, EglDevice)> = query_devices()?.enumerate().collect();
    let software = |device: &EglDevice| device.extensions().contains("EGL_MESA_device_software");
    let count = devices.len();
    match options.device {
        DeviceChoice::Auto => devices.sort_by_key(|(_, device)| software(device)),
        DeviceChoice::Software => devices.retain(|(_, device)| software(device)),
        DeviceChoice::Hardware => devices.retain(|(_, device)| !software(device)),
        DeviceChoice::Index(index) => devices.retain(|(number, _)| *number == index),
    }
    if devices.is_empty() {
        return Err(Error::NoDevice(match options.device {
            DeviceChoice::Index(index) => format!("there is no device {index}, only {count}"),
            DeviceChoice::Software => format!("none of the {count} EGL devices is software"),
            DeviceChoice::Hardware => format!("none of the {count} EGL devices is hardware"),
            DeviceChoice::Auto => "EGL has no devices".into(),
        }));
    }
    let mut reasons = Vec::new();
    for (number, device) in &devices {
        match create_on(device, options) {
            Ok(created) => return Ok(created),
            Err(reason) => reasons.push(format!("device {number}: {reason}")),
        }
    }
    Err(Error::NoDevice(reasons.join("; ")))
}

fn create_on(
    device: &EglDevice,
    options: &HeadlessOptions,
) -> Result<(OwnedContext, glow::Context, DebugLog), String> {
    // SAFETY: no native display is handed over.
    let display = unsafe { Display::with_device(device, None) }.map_err(|e| e.to_string())?;
    let (config_api, versions): (_, &[(u8, u8)]) = match options.api {
        Api::Gl => (ConfigApi::OPENGL, &[(4, 6), (4, 5), (4, 3), (3, 3)]),
        Api::Gles => (ConfigApi::GLES3, &[(3, 2), (3, 1), (3, 0)]),
    };
    let template = ConfigTemplateBuilder::new()
        // The default asks for a window and finds no configuration.
        .with_surface_type(ConfigSurfaceTypes::empty())
        .with_api(config_api)
        .build();
    // SAFETY: the template names no native window.
    let config = unsafe { display.find_configs(template) }
        .map_err(|error| error.to_string())?
        .next()
        .ok_or("no configuration for this API")?;

    let mut reason = String::new();
    for &(major, minor) in versions {
        let version = Some(Version { major, minor });
        let attributes = ContextAttributesBuilder::new()
            .with_debug(options.debug)
            .with_profile(GlProfile::Core)
            .with_context_api(match options.api {
                Api::Gl => ContextApi::OpenGl(version),
                Api::Gles => ContextApi::Gles(version),
            })
            .build(None);
        // SAFETY: the attributes name no native window, and the configuration is the display's.
        let made = unsafe { display.create_context(&config, &attributes) }
            .and_then(|context| context.make_current_surfaceless());
        match made {
            Ok(context) => {
                let mut gl = load(&display);
                let debug = if options.debug { DebugLog::install(&mut gl) } else { DebugLog::none() };
                let owned = OwnedContext {
                    context,
                    #[cfg(feature = "window")]
                    display,
                };
                return Ok((owned, gl, debug));
            }
            Err(error) => reason = error.to_string(),
        }
    }
    Err(reason)
}

fn load(display: &Display) -> glow::Context {
    let address = |name: &str| match CString::new(name) {
        Ok(name) => display.get_proc_address(&name),
        Err(_) => std::ptr::null(),
    };
    // SAFETY: the context is current, and the loader is its own.
    unsafe {
        glow::Context::from_loader_function(|name| match (name, address(name)) {
            // glow asks for this function, of OpenGL 4.5, to choose between the core names of the
            // query functions and those of an extension. Any pointer gives the core names.
            ("glGetQueryBufferObjectiv", pointer) if pointer.is_null() => address("glGetQueryObjectuiv"),
            (_, pointer) => pointer,
        })
    }
}
