//! Contexts of EGL, which need no window system: of its devices, as Mesa's and NVIDIA's drivers list them; and where EGL lists
//! none that works, of a display without surfaces or of its default display, as ANGLE and drivers of embedded systems have
//! them.

mod current;
mod display;

use std::cell::Cell;
use std::ffi::{CStr, c_void};
use std::mem::ManuallyDrop;
use std::rc::Rc;

use glutin_egl_sys::egl::{self, types};

use super::versions::{ContextRequest, ResetStatus, newest};
use super::{Created, DeviceChoice, HeadlessOptions, native};
use crate::device::Api;
use crate::error::Error;
use crate::gl::capabilities;
use crate::gl::debug::DebugLog;

pub use current::Before;
use display::{Device, Display, Egl};

/// A context that this crate made, and makes current for each of its calls.
pub struct OwnedContext {
    raw: types::EGLContext,
    /// `OPENGL_API` or `OPENGL_ES_API`.
    api: types::EGLenum,
    /// Not touched any more if the context was lost: a driver that hangs may hang in that too.
    display: ManuallyDrop<Rc<Display>>,
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
        self.display.function(name)
    }

    /// Makes the context current until the returned value is dropped.
    pub fn make_current(&self) -> Result<Option<Before>, Error> {
        current::make(self)
    }

    /// Makes it current; false is an error.
    fn bind(&self) -> bool {
        let egl = self.display.egl;
        // SAFETY: the handles are of this display, and alive.
        unsafe {
            egl.BindAPI(self.api);
            let pixel = self.display.pixel;
            egl.MakeCurrent(self.display.raw, pixel, pixel, self.raw) != egl::FALSE
        }
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
        if self.lost.get() {
            return;
        }
        // SAFETY: ours, and not used afterwards.
        unsafe {
            self.display.egl.DestroyContext(self.display.raw, self.raw);
            ManuallyDrop::drop(&mut self.display);
        }
    }
}

fn devices() -> Result<Vec<Device>, Error> {
    Egl::get().and_then(Egl::devices).map_err(Error::NoDevice)
}

/// The displays that belong to no device of a list, in the order in which they are tried.
fn displays() -> impl Iterator<Item = (&'static str, Result<Display, String>)> {
    type Make = fn(&'static Egl) -> Result<Display, String>;
    let ways: [(&str, Make); 2] =
        [("a display without surfaces", Display::surfaceless), ("the default display", Display::default)];
    ways.into_iter().map(|(name, make)| (name, Egl::get().and_then(make)))
}

/// The number of devices that EGL lists; 1 if it lists none, but has a display.
pub fn device_count() -> Result<usize, Error> {
    match devices().map(|devices| devices.len()) {
        Ok(count @ 1..) => Ok(count),
        listed if displays().any(|(_, display)| display.is_ok()) => {
            listed.or(Ok(1)).map(|count| count.max(1))
        }
        listed => listed,
    }
}

/// Makes a context on the chosen device; on another display if there are no devices, or if none of them works and the choice
/// is open.
pub fn create(options: &HeadlessOptions) -> Result<Created, Error> {
    let devices = devices();
    match devices {
        Ok(devices) if !devices.is_empty() => match create_on_one_of(devices, options) {
            Err(error) if options.device == DeviceChoice::Auto => {
                create_on_a_display(options).map_err(|_| error)
            }
            created => created,
        },
        listed => {
            if let DeviceChoice::Index(index @ 1..) = options.device {
                let what = "EGL lists no devices, and its display is number 0";
                return Err(Error::NoDevice(format!("there is no device {index}: {what}")));
            }
            let listed = match listed {
                Err(Error::NoDevice(reason)) => reason,
                _ => "EGL has no devices".into(),
            };
            let created = create_on_a_display(options);
            let created = created.map_err(|why| Error::NoDevice(format!("{listed}; {why}")))?;
            options.device.check_kind(created.software)?;
            Ok(created)
        }
    }
}

fn create_on_one_of(devices: Vec<Device>, options: &HeadlessOptions) -> Result<Created, Error> {
    let mut devices: Vec<(usize, Device)> = devices.into_iter().enumerate().collect();
    let count = devices.len();
    match options.device {
        DeviceChoice::Auto => devices.sort_by_key(|(_, device)| device.is_software()),
        DeviceChoice::Software => devices.retain(|(_, device)| device.is_software()),
        DeviceChoice::Hardware => devices.retain(|(_, device)| !device.is_software()),
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
        match Display::of(device).and_then(|display| create_on(display, options, true)) {
            Ok(created) => return Ok(Created { software: device.is_software(), ..created }),
            Err(reason) => reasons.push(format!("device {number}: {reason}")),
        }
    }
    Err(Error::NoDevice(reasons.join("; ")))
}

/// Makes a context on the first display that has one: of desktop OpenGL, else of ES if that will do.
fn create_on_a_display(options: &HeadlessOptions) -> Result<Created, String> {
    let or_es = options.or_es && options.api == Api::Gl;
    let mut reasons = Vec::new();
    for api in [Some(options.api), or_es.then_some(Api::Gles)].into_iter().flatten() {
        for (name, display) in displays() {
            let created = display.and_then(|display| {
                let surfaceless = display.has("EGL_KHR_surfaceless_context");
                create_on(display, &HeadlessOptions { api, ..*options }, surfaceless)
            });
            match created {
                Ok(created) => return Ok(created),
                Err(reason) => reasons.push(format!("{name}: {reason}")),
            }
        }
    }
    reasons.dedup();
    Err(reasons.join("; "))
}

/// Makes a context on a display: without a surface, or with one of a single pixel.
fn create_on(mut display: Display, options: &HeadlessOptions, surfaceless: bool) -> Result<Created, String> {
    let (api, renderable) = match options.api {
        Api::Gl => (egl::OPENGL_API, egl::OPENGL_BIT),
        Api::Gles => (egl::OPENGL_ES_API, egl::OPENGL_ES3_BIT),
    };
    let (egl, raw) = (display.egl, display.raw);
    // The default asks for a window and finds no configuration.
    let surface_type = if surfaceless { 0 } else { egl::PBUFFER_BIT };
    let attributes = [egl::SURFACE_TYPE, surface_type, egl::RENDERABLE_TYPE, renderable, egl::NONE];
    let (mut config, mut count) = (std::ptr::null(), 0);
    // SAFETY: the attributes end, and there is room for one configuration.
    let chosen = unsafe {
        egl.ChooseConfig(raw, attributes.map(|word| word as i32).as_ptr(), &mut config, 1, &mut count)
    };
    if chosen == egl::FALSE || count < 1 {
        return Err("no configuration for this API".into());
    }
    let before = Before::look(&display);
    if !surfaceless {
        display.add_pixel(config)?;
    }
    let display = Rc::new(display);
    let find = |name: &CStr| display.function(name);
    let make = |wanted: ContextRequest| {
        let attributes = display.attributes_of(wanted);
        // SAFETY: the attributes end, and the configuration is the display's.
        let context = unsafe {
            egl.BindAPI(api);
            egl.CreateContext(raw, config, egl::NO_CONTEXT, attributes.as_ptr())
        };
        if context == egl::NO_CONTEXT {
            return Err(egl.error());
        }
        let context = OwnedContext {
            raw: context,
            api,
            display: ManuallyDrop::new(Rc::clone(&display)),
            reset_status: None,
            lost: Cell::new(false),
        };
        if context.bind() { Ok(context) } else { Err(egl.error()) }
    };
    let mut context = newest(options, display.is_robust(), make, &find)?;
    let mut gl = native::load(&find);
    context.reset_status = ResetStatus::find(&find);
    let software = capabilities::draws_in_software(&gl);
    let debug = if options.debug { DebugLog::install(&mut gl) } else { DebugLog::none() };
    Ok(Created { gl: Rc::new(gl).into(), before, context, debug, software })
}
