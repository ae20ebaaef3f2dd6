//! Contexts of CGL, which need no window: macOS.
//!
//! OpenGL ends at 4.1 there: no compute shaders. AppKit's contexts would ask the main thread for each change of the
//! current context; CGL's do not.

use std::cell::Cell;
use std::ffi::{CStr, c_int, c_void};
use std::ptr;
use std::rc::Rc;

use cgl::{
    CGLChoosePixelFormat, CGLContextObj, CGLCreateContext, CGLDestroyContext, CGLDestroyPixelFormat,
    CGLError, CGLErrorString, CGLGetCurrentContext, CGLPixelFormatAttribute, CGLPixelFormatObj,
    CGLSetCurrentContext, kCGLNoError, kCGLPFAAccelerated, kCGLPFAAllowOfflineRenderers,
    kCGLPFAOpenGLProfile, kCGLPFARendererID,
};
use libloading::os::unix::Library;

use super::{Created, DeviceChoice, HeadlessOptions, native};
use crate::device::Api;
use crate::error::Error;
use crate::gl::capabilities;
use crate::gl::debug::DebugLog;

/// Names of CGL that the bindings lack: profiles, and the software renderer.
const GL4_CORE: CGLPixelFormatAttribute = 0x4100;
const GL3_CORE: CGLPixelFormatAttribute = 0x3200;
const GENERIC_FLOAT: CGLPixelFormatAttribute = 0x0002_0400;

/// The context that was current on this thread; restored when dropped.
///
/// Several of them are dropped in the reverse order of their creation.
pub struct Before {
    /// Null if there was none.
    context: CGLContextObj,
}

impl Before {
    /// Notes what is current.
    fn look() -> Before {
        // SAFETY: takes nothing.
        Before { context: unsafe { CGLGetCurrentContext() } }
    }
}

impl Drop for Before {
    fn drop(&mut self) {
        // SAFETY: it was current on this thread; null releases the current one.
        unsafe { CGLSetCurrentContext(self.context) };
    }
}

/// A context that this crate made, and makes current for each of its calls.
pub struct OwnedContext {
    context: CGLContextObj,
    functions: Library,
    lost: Cell<bool>,
}

impl OwnedContext {
    /// Loads the functions of the context again. It must be current.
    pub fn load(&self) -> glow::Context {
        native::load(&|name| self.function(name))
    }

    /// A function of the context that glow does not have; null if the driver has none of that name.
    pub fn function(&self, name: &CStr) -> *const c_void {
        find(&self.functions, name)
    }

    /// Makes the context current until the returned value is dropped.
    pub fn make_current(&self) -> Result<Option<Before>, Error> {
        // SAFETY: takes nothing.
        if unsafe { CGLGetCurrentContext() } == self.context {
            return Ok(None);
        }
        let before = Before::look();
        // SAFETY: the context is ours and alive.
        check(unsafe { CGLSetCurrentContext(self.context) })
            .map_err(|what| Error::Gl { during: "making the context current", what })?;
        Ok(Some(before))
    }

    /// The system does not tell of resets.
    pub fn reset(&self) -> Option<&'static str> {
        None
    }

    /// Leaves the context to the end of the process.
    pub fn give_up(&self) {
        self.lost.set(true);
    }
}

impl Drop for OwnedContext {
    fn drop(&mut self) {
        if !self.lost.get() {
            // SAFETY: ours, and not used afterwards.
            unsafe { CGLDestroyContext(self.context) };
        }
    }
}

/// The number of devices: the system chooses.
pub fn device_count() -> Result<usize, Error> {
    Ok(1)
}

/// Makes a context. The system chooses the device among those of the kind that the options name.
pub fn create(options: &HeadlessOptions) -> Result<Created, Error> {
    options.device.check_only_device()?;
    if options.api != Api::Gl {
        return Err(Error::NoDevice("macOS has no OpenGL ES; use gl".into()));
    }
    // SAFETY: the system's own framework, which has no initialisers of ours to run.
    let functions = unsafe { Library::new("/System/Library/Frameworks/OpenGL.framework/OpenGL") }
        .map_err(|error| Error::NoDevice(error.to_string()))?;
    let before = Before::look();
    let context = new_context(options.device)?;
    let context = OwnedContext { context, functions, lost: Cell::new(false) };
    // SAFETY: the context is ours and alive.
    check(unsafe { CGLSetCurrentContext(context.context) }).map_err(Error::NoDevice)?;
    let find = |name: &_| find(&context.functions, name);
    let mut gl = native::load(&find);
    let software = capabilities::draws_in_software(&gl);
    options.device.check_kind(software)?;
    if capabilities::check_version(&gl).is_err() {
        return Err(Error::NoDevice(native::too_old(options.api, &find)));
    }
    let debug = if options.debug { DebugLog::install(&mut gl) } else { DebugLog::none() };
    Ok(Created { gl: Rc::new(gl).into(), before, context, debug, software })
}

/// A context of the first kind that the system has: of a GPU if there is one, and of the newest profile.
fn new_context(choice: DeviceChoice) -> Result<CGLContextObj, Error> {
    let gpu: &[_] = &[kCGLPFAAccelerated, kCGLPFAAllowOfflineRenderers];
    let software: &[_] = &[kCGLPFARendererID, GENERIC_FLOAT];
    let kinds: &[&[CGLPixelFormatAttribute]] = match choice {
        DeviceChoice::Hardware => &[gpu],
        DeviceChoice::Software => &[software],
        DeviceChoice::Auto | DeviceChoice::Index(_) => &[gpu, software],
    };
    let mut reason = String::new();
    for kind in kinds {
        for profile in [GL4_CORE, GL3_CORE] {
            let attributes: Vec<_> = kind.iter().copied().chain([kCGLPFAOpenGLProfile, profile, 0]).collect();
            match of_attributes(&attributes) {
                Ok(context) => return Ok(context),
                Err(what) => reason = what,
            }
        }
    }
    Err(Error::NoDevice(format!("OpenGL 3.3 is needed, and the system offers no such context ({reason})")))
}

fn of_attributes(attributes: &[CGLPixelFormatAttribute]) -> Result<CGLContextObj, String> {
    let mut format: CGLPixelFormatObj = ptr::null_mut();
    let mut count: c_int = 0;
    // SAFETY: the attributes end with a zero.
    check(unsafe { CGLChoosePixelFormat(attributes.as_ptr(), &mut format, &mut count) })?;
    if format.is_null() {
        return Err("no pixel format".into());
    }
    let mut context: CGLContextObj = ptr::null_mut();
    // SAFETY: the format is ours; the context keeps what it needs of it.
    let made = unsafe {
        let made = CGLCreateContext(format, ptr::null_mut(), &mut context);
        CGLDestroyPixelFormat(format);
        made
    };
    check(made).map(|()| context)
}

fn check(error: CGLError) -> Result<(), String> {
    if error == kCGLNoError {
        return Ok(());
    }
    // SAFETY: a static text for every code.
    Err(unsafe { CStr::from_ptr(CGLErrorString(error)) }.to_string_lossy().into_owned())
}

/// The address of a GL function: the framework's own, the same for every context.
fn find(functions: &Library, name: &CStr) -> *const c_void {
    // SAFETY: the symbol is used as the function of this name.
    let symbol = unsafe { functions.get::<*const c_void>(name.to_bytes_with_nul()) };
    symbol.map_or(ptr::null(), |symbol| *symbol)
}
