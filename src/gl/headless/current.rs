//! The functions of the context that is current, whoever made it: found in the systems' libraries, which are opened here and
//! never linked.

use std::ffi::{CStr, c_char, c_void};
use std::mem::ManuallyDrop;

use libloading::Library;

use super::native;

/// A function that finds others by their names.
type Finder = unsafe extern "system" fn(*const c_char) -> *const c_void;

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

/// The functions of the context that is current on this thread; `None` if none is.
pub fn load() -> Option<glow::Context> {
    LIBRARIES.iter().find_map(|names| load_from(*names))
}

fn load_from((name, current, find): (&str, &CStr, &CStr)) -> Option<glow::Context> {
    // SAFETY: these are systems' libraries, whose initialisers have no conditions. The symbols have these types.
    unsafe {
        // Never closed: functions live as long as their library, and not every driver can be unloaded.
        let library = ManuallyDrop::new(Library::new(name).ok()?);
        let current = library.get::<unsafe extern "system" fn() -> *const c_void>(current.to_bytes()).ok()?;
        if current().is_null() {
            return None;
        }
        let finder = library.get::<Finder>(find.to_bytes()).ok().map(|finder| *finder);
        let own = |name: &CStr| {
            library.get::<*const c_void>(name.to_bytes()).ok().map(|symbol| symbol.try_as_raw_ptr())
        };
        Some(native::load(&|name| {
            let found = finder.map_or(std::ptr::null(), |finder| finder(name.as_ptr()));
            // Windows finds functions of OpenGL 1.1 in the library alone, and says -1 to 3 of some others.
            if (found as usize) > 3 && found as isize != -1 {
                return found;
            }
            own(name).flatten().map_or(std::ptr::null(), |symbol| symbol.cast_const())
        }))
    }
}
