//! The common part of native systems: GL functions found by name, and the refusal of a driver that is too old.

use std::ffi::{CStr, CString, c_char, c_void};

use crate::device::Api;
use crate::printable::printable;

/// Finds a GL function of the current context; null if the driver has none of that name.
pub type Find<'a> = &'a dyn Fn(&CStr) -> *const c_void;

/// Loads the functions of the current context.
pub fn load(find: Find) -> glow::Context {
    let address = |name: &str| match CString::new(name) {
        Ok(name) => find(&name),
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

/// The name of the current context's version, for example `OpenGL 4.1 Metal`.
fn level(find: Find) -> Option<String> {
    const VERSION: u32 = glow::VERSION;
    let address = find(c"glGetString");
    if address.is_null() {
        return None;
    }
    // SAFETY: the address is the function of this name and signature, and a context is current; the result is a static
    // text or null.
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

/// The least version, as a message names it.
pub fn needed(api: Api) -> &'static str {
    match api {
        Api::Gl => "OpenGL 3.3",
        Api::Gles => "OpenGL ES 3.0",
    }
}

/// The reason why a driver is of no use: the version of the current context is too old, or there is none.
pub fn too_old(api: Api, find: Find) -> String {
    let needed = needed(api);
    match level(find) {
        Some(level) => format!("{needed} is needed, and the driver has {level} at most"),
        None => format!("{needed} is needed, and the driver offers no such context"),
    }
}
