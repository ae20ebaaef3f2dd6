//! Contexts of EGL devices, which need no window system: Linux, with Mesa's or NVIDIA's driver.

mod current;

use std::cell::Cell;
use std::ffi::{CStr, c_void};
use std::mem::ManuallyDrop;

use glutin::api::egl::context::PossiblyCurrentContext;
use glutin::api::egl::device::Device as EglDevice;
use glutin::api::egl::display::Display;
use glutin::config::{Api as ConfigApi, ConfigSurfaceTypes, ConfigTemplateBuilder};
use glutin::context::ContextAttributesBuilder;
use glutin::display::DisplayFeatures;
use glutin::prelude::*;

use super::versions::{ResetStatus, newest};
use super::{Created, DeviceChoice, HeadlessOptions, native};
use crate::device::Api;
use crate::error::Error;
use crate::gl::debug::DebugLog;

pub use current::Before;

/// A context that this crate made, and makes current for each of its calls.
pub struct OwnedContext {
    /// Destroyed unless it was lost: a driver that hangs may hang in that too.
    context: ManuallyDrop<PossiblyCurrentContext>,
    display: Display,
    reset_status: Option<ResetStatus>,
    lost: Cell<bool>,
}

impl OwnedContext {
    /// Loads the functions of the context again. It must be current.
    pub fn load(&self) -> glow::Context {
        native::load(&|name| self.function(name))
    }

    /// A function of the context that glow does not have; null if the driver has none of that name.
    pub fn function(&self, name: &CStr) -> *const c_void {
        self.display.get_proc_address(name)
    }

    /// Makes the context current until the returned value is dropped.
    pub fn make_current(&self) -> Result<Option<Before>, Error> {
        current::make(&self.display, &self.context)
    }

    /// The reason for a reset of the device, if there was one. The context must be current.
    pub fn reset(&self) -> Option<&'static str> {
        self.reset_status.as_ref()?.reason()
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
    let config_api = match options.api {
        Api::Gl => ConfigApi::OPENGL,
        Api::Gles => ConfigApi::GLES3,
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
    let robust = display.supported_features().contains(DisplayFeatures::CONTEXT_ROBUSTNESS);
    let find = |name: &_| display.get_proc_address(name);
    let context = newest(options, robust, make, &find)?;
    let mut gl = native::load(&find);
    let debug = if options.debug { DebugLog::install(&mut gl) } else { DebugLog::none() };
    let reset_status = ResetStatus::find(&find);
    let context =
        OwnedContext { context: ManuallyDrop::new(context), reset_status, display, lost: Cell::new(false) };
    Ok(Created { gl, before, context, debug, software: software(device) })
}
