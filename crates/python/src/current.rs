//! The caller's own context: its functions, found in libraries that are opened here and never linked.

#![allow(unsafe_code, reason = "functions of a driver, found by their names")]

use std::ffi::{CStr, c_char, c_void};
use std::num::NonZeroU32;
use std::rc::Rc;

use libloading::Library;
use rasterscan::{Error, Gpu, Stream, glow, plan::Layout};

use crate::engine::Engine;
use crate::errors::Failure;

/// A function that finds others by their names.
type Find = unsafe extern "system" fn(*const c_char) -> *const c_void;

/// The libraries to look in, each with its functions for the current context and for finding others.
#[cfg(all(unix, not(target_vendor = "apple")))]
const LIBRARIES: &[(&str, &CStr, &CStr)] = &[
    ("libEGL.so.1", c"eglGetCurrentContext", c"eglGetProcAddress"),
    ("libGL.so.1", c"glXGetCurrentContext", c"glXGetProcAddressARB"),
];
#[cfg(windows)]
const LIBRARIES: &[(&str, &CStr, &CStr)] = &[("opengl32.dll", c"wglGetCurrentContext", c"wglGetProcAddress")];
#[cfg(target_vendor = "apple")]
const LIBRARIES: &[(&str, &CStr, &CStr)] =
    &[("/System/Library/Frameworks/OpenGL.framework/OpenGL", c"CGLGetCurrentContext", c"")];

/// An engine in the context that is current on this thread.
///
/// Errors: [`Error::NoContext`], and as [`Gpu::from_glow`].
pub fn engine() -> Result<Engine, Failure> {
    let functions = LIBRARIES.iter().find_map(|names| functions(*names)).ok_or(Error::NoContext)?;
    // SAFETY: the functions were found for the context that is current.
    Ok(Engine::Gl(unsafe { Gpu::from_glow(Rc::new(functions)) }?))
}

/// A stream in a buffer of the caller's, by its name.
///
/// Errors: as [`Gpu::wrap_buffer`].
pub fn buffer(gpu: &Gpu, name: u32, layout: &Layout) -> Result<Stream, Failure> {
    let buffer = glow::NativeBuffer(named(name)?);
    // SAFETY: the docs of `Gpu.buffer` ask the caller to keep it.
    Ok(unsafe { gpu.wrap_buffer(buffer, layout) }?)
}

/// A stream in a texture of the caller's, by its name.
///
/// Errors: as [`Gpu::wrap_texture`].
pub fn texture(gpu: &Gpu, name: u32, layout: &Layout) -> Result<Stream, Failure> {
    let texture = glow::NativeTexture(named(name)?);
    // SAFETY: the docs of `Gpu.texture` ask the caller to keep it.
    Ok(unsafe { gpu.wrap_texture(texture, layout) }?)
}

fn named(name: u32) -> Result<NonZeroU32, Failure> {
    NonZeroU32::new(name).ok_or_else(|| Failure::Request("0 names no object of OpenGL".into()))
}

/// The functions of the context that is current in a library; `None` if it has none.
fn functions((name, current, find): (&str, &CStr, &CStr)) -> Option<glow::Context> {
    // SAFETY: these are systems' libraries, whose initialisers have no conditions. The symbols have these types.
    unsafe {
        // Never closed: functions live as long as their library, and not every driver can be unloaded.
        let library: &'static Library = Box::leak(Box::new(Library::new(name).ok()?));
        let current = library.get::<unsafe extern "system" fn() -> *const c_void>(current.to_bytes()).ok()?;
        if current().is_null() {
            return None;
        }
        let finder = library.get::<Find>(find.to_bytes()).ok().map(|finder| *finder);
        let own = |name: &CStr| {
            library.get::<*const c_void>(name.to_bytes()).ok().map(|symbol| symbol.try_as_raw_ptr())
        };
        Some(glow::Context::from_loader_function_cstr(|name| {
            let found = finder.map_or(std::ptr::null(), |finder| finder(name.as_ptr()));
            // Windows finds functions of OpenGL 1.1 in the library alone, and says -1 to 3 of some others.
            if (found as usize) > 3 && found as isize != -1 {
                return found;
            }
            own(name).flatten().map_or(std::ptr::null(), |symbol| symbol.cast_const())
        }))
    }
}
