//! The objects that are bound in a context, so that a call can bind them again.
//!
//! An object that was deleted lives on where it is bound: a program that is current, and any object of which another
//! context of the share group has deleted the name. Once unbound it is gone, so such a binding is an error
//! ([`Error::DeletedObject`]) before it changes. Vertex arrays, framebuffers and transform feedback objects belong to
//! one context, where deleting also unbinds them.
//!
//! In a page the answer is always `None`, and a call leaves nothing bound: WebGL hands out objects instead of names, and
//! glow panics if nothing is bound or if the page itself made the object.

use glow::HasContext;

use super::texture::{EARLIER, check_error};
use crate::error::Error;

/// A function that returns the object of a binding point.
macro_rules! bound {
    ($($name:ident: $object:ident, $get:ident;)*) => {
        $(
            /// The object that is bound to a point of this kind.
            ///
            /// # Safety
            ///
            /// The context must be current and have the binding point.
            pub unsafe fn $name(gl: &glow::Context, point: u32) -> Option<glow::$object> {
                if cfg!(target_family = "wasm") {
                    return None;
                }
                // SAFETY: by the caller's promise.
                unsafe { gl.$get(point) }
            }
        )*
    };
}

bound! {
    vertex_array: VertexArray, get_parameter_vertex_array;
    framebuffer: Framebuffer, get_parameter_framebuffer;
    transform_feedback: TransformFeedback, get_parameter_transform_feedback;
}

/// The same for objects that contexts share.
macro_rules! shared {
    ($($name:ident: $object:ident, $get:ident, $is:ident, $what:literal;)*) => {
        $(
            /// The object that is bound to a point of this kind.
            ///
            /// # Safety
            ///
            /// The context must be current and have the binding point.
            pub unsafe fn $name(gl: &glow::Context, point: u32) -> Result<Option<glow::$object>, Error> {
                if cfg!(target_family = "wasm") {
                    return Ok(None);
                }
                // SAFETY: by the caller's promise.
                unsafe {
                    let object = gl.$get(point);
                    match object {
                        Some(object) if !gl.$is(object) => Err(Error::DeletedObject($what)),
                        _ => Ok(object),
                    }
                }
            }
        )*
    };
}

shared! {
    renderbuffer: Renderbuffer, get_parameter_renderbuffer, is_renderbuffer, "a renderbuffer";
    buffer: Buffer, get_parameter_buffer, is_buffer, "a buffer";
    texture: Texture, get_parameter_texture, is_texture, "a texture";
}

/// The current program.
///
/// # Safety
///
/// The context must be current.
pub unsafe fn program(gl: &glow::Context) -> Result<Option<glow::Program>, Error> {
    if cfg!(target_family = "wasm") {
        return Ok(None);
    }
    // SAFETY: by the caller's promise; a program that is current has its name, deleted or not.
    unsafe {
        let program = gl.get_parameter_program(glow::CURRENT_PROGRAM);
        match program {
            Some(program) if gl.get_program_parameter_i32(program, glow::DELETE_STATUS) != 0 => {
                Err(Error::DeletedObject("a program"))
            }
            _ => Ok(program),
        }
    }
}

/// The sampler of a texture unit, which is active.
///
/// # Safety
///
/// The context must be current.
pub unsafe fn sampler(gl: &glow::Context, unit: u32) -> Result<Option<glow::Sampler>, Error> {
    if cfg!(target_family = "wasm") {
        return Ok(None);
    }
    // SAFETY: by the caller's promise.
    unsafe {
        let sampler = gl.get_parameter_sampler(glow::SAMPLER_BINDING);
        if sampler.is_some() {
            // glow has no `glIsSampler`. To bind a deleted one fails, and changes nothing.
            check_error(gl, EARLIER)?;
            gl.bind_sampler(unit, sampler);
            check_error(gl, "binding").map_err(|error| match error {
                Error::Gl { .. } => Error::DeletedObject("a sampler"),
                other => other,
            })?;
        }
        Ok(sampler)
    }
}

/// The storage buffer that is bound to a number.
///
/// # Safety
///
/// The context must be current and have storage buffers.
pub unsafe fn storage_buffer(gl: &glow::Context, number: u32) -> Result<Option<glow::Buffer>, Error> {
    #[cfg(target_family = "wasm")]
    {
        let _ = (gl, number);
        Ok(None) // a page has no storage buffers
    }
    #[cfg(not(target_family = "wasm"))]
    {
        // SAFETY: by the caller's promise. The number is a buffer's name, or 0.
        let name = unsafe { gl.get_parameter_indexed_i32(glow::SHADER_STORAGE_BUFFER_BINDING, number) };
        let buffer = std::num::NonZeroU32::new(name.unsigned_abs()).map(glow::NativeBuffer);
        match buffer {
            // SAFETY: by the caller's promise.
            Some(buffer) if unsafe { !gl.is_buffer(buffer) } => Err(Error::DeletedObject("a buffer")),
            _ => Ok(buffer),
        }
    }
}
