//! Contexts of EGL devices, which need no window system: Linux, with Mesa's or NVIDIA's driver.

mod current;

use std::cell::Cell;
use std::ffi::{CStr, CString, c_char, c_void};
use std::mem::ManuallyDrop;

use glutin::api::egl::context::PossiblyCurrentContext;
use glutin::api::egl::device::Device as EglDevice;
use glutin::api::egl::display::Display;
use glutin::config::{Api as ConfigApi, ConfigSurfaceTypes, ConfigTemplateBuilder};
use glutin::context::{ContextApi, ContextAttributesBuilder, GlProfile, Robustness, Version};
use glutin::display::DisplayFeatures;
use glutin::prelude::*;

use super::{Created, DeviceChoice, HeadlessOptions};
use crate::device::Api;
use crate::error::Error;
use crate::gl::debug::DebugLog;
use crate::printable::printable;

pub use current::Before;

/// A context that this crate made, and makes current for each of its calls.
pub struct OwnedContext {
    /// Destroyed unless it was lost: a driver that hangs may hang in that too.
    context: ManuallyDrop<PossiblyCurrentContext>,
    display: Display,
    /// `glGetGraphicsResetStatus`, which glow does not have.
    reset_status: Option<extern "system" fn() -> u32>,
    lost: Cell<bool>,
}

impl OwnedContext {
    /// Loads the functions of the context again. It must be current.
    pub fn load(&self) -> glow::Context {
        load(&self.display)
    }

    /// Makes the context current until the returned value is dropped.
    pub fn make_current(&self) -> Result<Option<Before>, Error> {
        current::make(&self.display, &self.context)
    }

    /// The reason for a reset of the device, if there was one. The context must be current.
    pub fn reset(&self) -> Option<&'static str> {
        match self.reset_status?() {
            glow::NO_ERROR => None,
            0x8253 => Some("this context caused a device reset"),
            0x8254 => Some("another context caused a device reset"),
            _ => Some("the device was reset"),
        }
    }

    /// Leaves the context to the end of the process.
    pub fn give_up(&self) {
        self.lost.set(true);
    }
}

impl Drop for OwnedContext {
    fn drop(&mut self) {
        if !self.lost.get() {
            // SAFETY: dropped only here, and not used afterwards.
            unsafe { ManuallyDrop::drop(&mut self.context) };
        }
    }
}

fn query_devices() -> Result<impl Iterator<Item = EglDevice>, Error> {
    EglDevice::query_devices()
        .map_err(|error| Error::NoDevice(format!("EGL cannot list its devices ({error})")))
}

/// The number of devices that EGL lists.
pub fn device_count() -> Result<usize, Error> {
    Ok(query_devices()?.count())
}

/// Returns true if EGL reports a software device.
fn software(device: &EglDevice) -> bool {
    device.extensions().contains("EGL_MESA_device_software")
}

/// Makes a context on the chosen device.
pub fn create(options: &HeadlessOptions) -> Result<Created, Error> {
    let mut devices: Vec<(usize, EglDevice)> = query_devices()?.enumerate().collect();
    let count = devices.len();
    match options.device {
        DeviceChoice::Auto => devices.sort_by_key(|(_, device)| software(device)),
        DeviceChoice::Software => devices.retain(|(_, device)| software(device)),
        DeviceChoice::Hardware => devices.retain(|(_, device)| !software(device)),
        DeviceChoice::Index(index) => devices.retain(|(number, _)| *number == index),
    }
    if devices.is_empty() {
        return Err(Error::NoDevice(match options.device {
            DeviceChoice::Index(index) => {
                format!("there is no device {index}; EGL lists {count}, numbered from 0")
            }
            DeviceChoice::Software => format!("no EGL device is software ({count} listed); use auto"),
            DeviceChoice::Hardware => format!("no EGL device is hardware ({count} listed); use auto"),
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

fn create_on(device: &EglDevice, options: &HeadlessOptions) -> Result<Created, String> {
    // SAFETY: no native display is handed over.
    let display = unsafe { Display::with_device(device, None) }.map_err(|e| e.to_string())?;
    let (config_api, needed, versions): (_, _, &[(u8, u8)]) = match options.api {
        Api::Gl => (ConfigApi::OPENGL, "OpenGL 3.3", &[(4, 6), (4, 5), (4, 3), (3, 3)]),
        Api::Gles => (ConfigApi::GLES3, "OpenGL ES 3.0", &[(3, 2), (3, 1), (3, 0)]),
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

    let before = Before::look(&display);
    // SAFETY: the attributes name no native window, and the configuration is the display's.
    let make = |attributes: ContextAttributesBuilder| unsafe {
        let context = display.create_context(&config, &attributes.build(None))?;
        context.make_current_surfaceless()
    };
    let robust = options.robust && display.supported_features().contains(DisplayFeatures::CONTEXT_ROBUSTNESS);
    let mut reason = String::new();
    for &(major, minor) in versions {
        let version = Some(Version { major, minor });
        let attributes =
            ContextAttributesBuilder::new().with_debug(options.debug).with_profile(GlProfile::Core);
        let attributes = attributes.with_context_api(match options.api {
            Api::Gl => ContextApi::OpenGl(version),
            Api::Gles => ContextApi::Gles(version),
        });
        let made = match robust {
            // A display may offer robust contexts of only one API.
            true => make(attributes.clone().with_robustness(Robustness::RobustLoseContextOnReset))
                .or_else(|_| make(attributes)),
            false => make(attributes),
        };
        match made {
            Ok(context) => {
                let mut gl = load(&display);
                let debug = if options.debug { DebugLog::install(&mut gl) } else { DebugLog::none() };
                let context = OwnedContext {
                    context: ManuallyDrop::new(context),
                    reset_status: reset_status(&display),
                    display,
                    lost: Cell::new(false),
                };
                return Ok(Created { before, gl, context, debug, software: software(device) });
            }
            Err(error) => reason = error.to_string(),
        }
    }
    // The driver's own message speaks of inconsistent arguments, whatever is missing.
    let older = match options.api {
        Api::Gl => ContextAttributesBuilder::new()
            .with_profile(GlProfile::Compatibility)
            .with_context_api(ContextApi::OpenGl(Some(Version { major: 1, minor: 0 }))),
        Api::Gles => {
            let version = Some(Version { major: 2, minor: 0 });
            ContextAttributesBuilder::new().with_context_api(ContextApi::Gles(version))
        }
    };
    match make(older).ok().and_then(|context| level_of(&display, &context)) {
        Some(level) => Err(format!("{needed} is needed, and the driver has {level} at most")),
        None => Err(format!("{needed} is needed, and the driver offers no such context ({reason})")),
    }
}

/// The name of a context's version. It must be current.
fn level_of(display: &Display, _current: &PossiblyCurrentContext) -> Option<String> {
    const VERSION: u32 = glow::VERSION;
    let address = display.get_proc_address(c"glGetString");
    if address.is_null() {
        return None;
    }
    // SAFETY: the address is the function of this name and signature, and the context is current; the result is a
    // static text or null.
    let text = unsafe {
        let get_string: extern "system" fn(u32) -> *const c_char = std::mem::transmute(address);
        let text = get_string(VERSION);
        if text.is_null() {
            return None;
        }
        CStr::from_ptr(text).to_string_lossy()
    };
    let api = if text.starts_with("OpenGL ES") { "" } else { "OpenGL " };
    Some(format!("{api}{}", printable(&text)))
}

/// The function that reports resets of the device, by the first name that the driver knows.
fn reset_status(display: &Display) -> Option<extern "system" fn() -> u32> {
    let names = [c"glGetGraphicsResetStatus", c"glGetGraphicsResetStatusKHR", c"glGetGraphicsResetStatusARB"];
    let address = names.into_iter().map(|name| display.get_proc_address(name)).find(|it| !it.is_null())?;
    // SAFETY: the address is the function of this name and signature.
    Some(unsafe { std::mem::transmute::<*const c_void, extern "system" fn() -> u32>(address) })
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
