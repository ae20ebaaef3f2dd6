//! Contexts of EGL, which need no window system: of its devices, as Mesa's and NVIDIA's drivers list them, or of its default
//! display, if it lists none: ANGLE, and drivers of embedded systems.

mod current;

use std::cell::Cell;
use std::ffi::{CStr, c_void};
use std::mem::ManuallyDrop;

use glutin::api::egl::context::PossiblyCurrentContext;
use glutin::api::egl::device::Device as EglDevice;
use glutin::api::egl::display::Display;
use glutin::api::egl::surface::Surface;
use glutin::config::{Api as ConfigApi, ConfigSurfaceTypes, ConfigTemplateBuilder};
use glutin::context::ContextAttributesBuilder;
use glutin::display::{DisplayFeatures, GetDisplayExtensions};
use glutin::prelude::*;
use glutin::surface::{PbufferSurface, SurfaceAttributesBuilder};
use raw_window_handle::{OhosDisplayHandle, RawDisplayHandle};

use super::versions::{ResetStatus, newest};
use super::{Created, DeviceChoice, HeadlessOptions, native};
use crate::device::Api;
use crate::error::Error;
use crate::gl::capabilities;
use crate::gl::debug::DebugLog;

pub use current::Before;

/// A context that this crate made, and makes current for each of its calls.
pub struct OwnedContext {
    /// Destroyed unless it was lost: a driver that hangs may hang in that too.
    context: ManuallyDrop<PossiblyCurrentContext>,
    /// A single pixel, where contexts need a surface.
    surface: Option<Surface<PbufferSurface>>,
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
        current::make(&self.display, &self.context, self.surface.as_ref())
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

/// EGL's default display, of a device that it chooses.
fn default_display() -> Result<Display, String> {
    // glutin has no name of its own for it, and asks for it where the window system has one display.
    let name = RawDisplayHandle::Ohos(OhosDisplayHandle::new());
    // SAFETY: no native display is handed over.
    unsafe { Display::new(name) }.map_err(|error| error.to_string())
}

/// The number of devices that EGL lists; 1 if it lists none, but has a default display.
pub fn device_count() -> Result<usize, Error> {
    let listed = query_devices().map(Iterator::count);
    match listed {
        Ok(count @ 1..) => Ok(count),
        listed => default_display().map_or(listed, |_| Ok(1)),
    }
}

/// Returns true if EGL reports a software device.
fn software(device: &EglDevice) -> bool {
    device.extensions().contains("EGL_MESA_device_software")
}

/// Makes a context on the chosen device; on the default display if there are no devices, or if none of them works and the
/// choice is open.
pub fn create(options: &HeadlessOptions) -> Result<Created, Error> {
    let listed = query_devices().map(|devices| devices.enumerate().collect::<Vec<_>>());
    let devices = listed.unwrap_or_default();
    if devices.is_empty() {
        if let DeviceChoice::Index(index @ 1..) = options.device {
            let what = "EGL lists no devices; its default display is number 0";
            return Err(Error::NoDevice(format!("there is no device {index}: {what}")));
        }
        let created = create_on_default(options);
        let created = created.map_err(|why| Error::NoDevice(format!("EGL lists no devices, and {why}")))?;
        options.device.check_kind(created.software)?;
        return Ok(created);
    }
    match create_on_one_of(devices, options) {
        Err(error) if options.device == DeviceChoice::Auto => create_on_default(options).map_err(|_| error),
        created => created,
    }
}

fn create_on_one_of(
    mut devices: Vec<(usize, EglDevice)>,
    options: &HeadlessOptions,
) -> Result<Created, Error> {
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
        // SAFETY: no native display is handed over.
        let display = unsafe { Display::with_device(device, None) }.map_err(|error| error.to_string());
        match display.and_then(|display| create_on(display, options, (options.api, true))) {
            Ok(created) => return Ok(Created { software: software(device), ..created }),
            Err(reason) => reasons.push(format!("device {number}: {reason}")),
        }
    }
    Err(Error::NoDevice(reasons.join("; ")))
}

/// Makes a context on the default display: of desktop OpenGL, else of ES if that will do.
fn create_on_default(options: &HeadlessOptions) -> Result<Created, String> {
    let named = |reason| format!("on its default display: {reason}");
    let display = default_display().map_err(|reason| format!("it has no default display ({reason})"))?;
    let surfaceless = display.extensions().contains("EGL_KHR_surfaceless_context");
    let created = create_on(display.clone(), options, (options.api, surfaceless));
    let or_es = options.or_es && options.api == Api::Gl;
    match created {
        Err(reason) if or_es => create_on(display, options, (Api::Gles, surfaceless))
            .map_err(|of_es| named(format!("{reason}; OpenGL ES: {of_es}"))),
        created => created.map_err(named),
    }
}

/// Makes a context on a display. Without a surface, or, where contexts need one, with one of a single pixel.
fn create_on(
    display: Display,
    options: &HeadlessOptions,
    (api, surfaceless): (Api, bool),
) -> Result<Created, String> {
    let options = &HeadlessOptions { api, ..*options };
    let config_api = match api {
        Api::Gl => ConfigApi::OPENGL,
        Api::Gles => ConfigApi::GLES3,
    };
    let surface_type = if surfaceless { ConfigSurfaceTypes::empty() } else { ConfigSurfaceTypes::PBUFFER };
    let template = ConfigTemplateBuilder::new()
        // The default asks for a window and finds no configuration.
        .with_surface_type(surface_type)
        .with_api(config_api)
        .build();
    // SAFETY: the template names no native window.
    let config = unsafe { display.find_configs(template) }
        .map_err(|error| error.to_string())?
        .next()
        .ok_or("no configuration for this API")?;
    let side = std::num::NonZeroU32::MIN;
    let attributes = SurfaceAttributesBuilder::<PbufferSurface>::new().build(side, side);
    // SAFETY: the configuration is the display's, and has such surfaces.
    let pixel = || unsafe { display.create_pbuffer_surface(&config, &attributes) };
    let surface = (!surfaceless).then(pixel).transpose().map_err(|error| error.to_string())?;

    let before = Before::look(&display);
    let make = |attributes: ContextAttributesBuilder| {
        // SAFETY: the attributes name no native window, and the configuration is the display's.
        let context = unsafe { display.create_context(&config, &attributes.build(None))? };
        match &surface {
            Some(surface) => context.make_current(surface),
            None => context.make_current_surfaceless(),
        }
    };
    let robust = display.supported_features().contains(DisplayFeatures::CONTEXT_ROBUSTNESS);
    let find = |name: &_| display.get_proc_address(name);
    let context = newest(options, robust, make, &find)?;
    let mut gl = native::load(&find);
    let software = capabilities::draws_in_software(&gl);
    let debug = if options.debug { DebugLog::install(&mut gl) } else { DebugLog::none() };
    let reset_status = ResetStatus::find(&find);
    let context = ManuallyDrop::new(context);
    let context = OwnedContext { context, surface, reset_status, display, lost: Cell::new(false) };
    Ok(Created { gl, before, context, debug, software })
}
