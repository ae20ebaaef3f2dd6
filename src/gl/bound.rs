//! The objects that are bound in a context, so that a call can bind them again.
//!
//! An object is glow's name for it or, in a page, JavaScript's object itself: WebGL hands out no names, and glow knows
//! only the objects that it has made, so it can neither say nor bind again what the page has bound.
//!
//! An object that was deleted lives on where it is bound: a program that is current, and any object of which another
//! context of the share group has deleted the name. Once unbound it is gone, so such a binding is an error
//! ([`Error::DeletedObject`]) before it changes. Vertex arrays, framebuffers and transform feedback objects belong to
//! one context, where deleting also unbinds them. In a page all objects do.

#[cfg(not(target_family = "wasm"))]
use glow::HasContext;

use super::functions::GlFunctions;
use super::texture::{CALLERS, check_error};
use crate::error::Error;

/// For each kind of object its type, a function that returns the one of a binding point, and one that binds it.
macro_rules! bound {
    ($($object:ident = $page:ident: $name:ident by $get:ident, $bind:ident($($target:ident)?);)*) => {
        $(
            #[cfg(not(target_family = "wasm"))]
            pub type $object = glow::$object;
            #[cfg(target_family = "wasm")]
            pub type $object = web_sys::$page;

            /// The object that is bound to a point of this kind, deleted or not.
            ///
            /// # Safety
            ///
            /// The context must be current and have the binding point.
            pub unsafe fn $name(gl: &GlFunctions, point: u32) -> Option<$object> {
                // SAFETY: by the caller's promise.
                #[cfg(not(target_family = "wasm"))]
                unsafe { gl.$get(point) }
                #[cfg(target_family = "wasm")]
                gl.object(point)
            }

            /// Binds the object again.
            ///
            /// # Safety
            ///
            /// The context must be current, and the object have been bound there.
            pub unsafe fn $bind(gl: &GlFunctions, $($target: u32,)? object: &Option<$object>) {
                // SAFETY: by the caller's promise.
                #[cfg(not(target_family = "wasm"))]
                unsafe { gl.$bind($($target,)? *object) }
                #[cfg(target_family = "wasm")]
                gl.page().$bind($($target,)? object.as_ref());
            }
        )*
    };
}

bound! {
    Program = WebGlProgram: current by get_parameter_program, use_program();
    VertexArray = WebGlVertexArrayObject: vertex_array by get_parameter_vertex_array, bind_vertex_array();
    Framebuffer = WebGlFramebuffer: framebuffer by get_parameter_framebuffer, bind_framebuffer(target);
    Renderbuffer = WebGlRenderbuffer: any_renderbuffer by get_parameter_renderbuffer, bind_renderbuffer(target);
    Buffer = WebGlBuffer: any_buffer by get_parameter_buffer, bind_buffer(target);
    Texture = WebGlTexture: any_texture by get_parameter_texture, bind_texture(target);
    Sampler = WebGlSampler: any_sampler by get_parameter_sampler, bind_sampler(unit);
    TransformFeedback = WebGlTransformFeedback: transform_feedback by get_parameter_transform_feedback, bind_transform_feedback(target);
}

/// The same of objects that contexts share, which must not be deleted.
macro_rules! shared {
    ($($name:ident: $object:ident by $any:ident, $is:ident, $what:literal;)*) => {
        $(
            /// The object that is bound to a point of this kind.
            ///
            /// Errors: [`Error::DeletedObject`].
            ///
            /// # Safety
            ///
            /// The context must be current and have the binding point.
            pub unsafe fn $name(gl: &GlFunctions, point: u32) -> Result<Option<$object>, Error> {
                // SAFETY: by the caller's promise.
                let object = unsafe { $any(gl, point) };
                #[cfg(not(target_family = "wasm"))]
                // SAFETY: by the caller's promise.
                if object.is_some_and(|object| unsafe { !gl.$is(object) }) {
                    return Err(Error::DeletedObject($what));
                }
                Ok(object)
            }
        )*
    };
}

shared! {
    renderbuffer: Renderbuffer by any_renderbuffer, is_renderbuffer, "a renderbuffer";
    buffer: Buffer by any_buffer, is_buffer, "a buffer";
    texture: Texture by any_texture, is_texture, "a texture";
}

/// The current program.
///
/// Errors: [`Error::DeletedObject`].
///
/// # Safety
///
/// The context must be current.
pub unsafe fn program(gl: &GlFunctions) -> Result<Option<Program>, Error> {
    // A program that is current has its name, deleted or not.
    #[cfg(not(target_family = "wasm"))]
    // SAFETY: by the caller's promise.
    let deleted =
        |program: &Program| unsafe { gl.get_program_parameter_i32(*program, glow::DELETE_STATUS) } != 0;
    #[cfg(target_family = "wasm")]
    let deleted = |program: &Program| gl.is_deleted(program);
    // SAFETY: by the caller's promise.
    match unsafe { current(gl, glow::CURRENT_PROGRAM) } {
        Some(program) if deleted(&program) => Err(Error::DeletedObject("a program")),
        program => Ok(program),
    }
}

/// The sampler of a texture unit, which is active.
///
/// Errors: [`Error::DeletedObject`].
///
/// # Safety
///
/// The context must be current.
pub unsafe fn sampler(gl: &GlFunctions, unit: u32) -> Result<Option<Sampler>, Error> {
    // SAFETY: by the caller's promise.
    unsafe {
        let sampler = any_sampler(gl, glow::SAMPLER_BINDING);
        if sampler.is_some() && !cfg!(target_family = "wasm") {
            // glow has no `glIsSampler`. To bind a deleted one fails, and changes nothing.
            check_error(gl, CALLERS)?;
            bind_sampler(gl, unit, &sampler);
            check_error(gl, "binding").map_err(|error| match error {
                Error::Gl { .. } => Error::DeletedObject("a sampler"),
                other => other,
            })?;
        }
        Ok(sampler)
    }
}

/// The buffer that is bound to a number of the target whose bindings have this name.
///
/// # Safety
///
/// The context must be current and have buffers of the kind.
pub unsafe fn numbered_buffer(gl: &GlFunctions, binding: u32, number: u32) -> Result<Option<Buffer>, Error> {
    #[cfg(target_family = "wasm")]
    {
        let _ = (gl, binding, number);
        Ok(None) // a page has no dispatches
    }
    #[cfg(not(target_family = "wasm"))]
    {
        // SAFETY: by the caller's promise. The number is a buffer's name, or 0.
        let name = unsafe { gl.get_parameter_indexed_i32(binding, number) };
        let buffer = std::num::NonZeroU32::new(name.unsigned_abs()).map(glow::NativeBuffer);
        match buffer {
            // SAFETY: by the caller's promise.
            Some(buffer) if unsafe { !gl.is_buffer(buffer) } => Err(Error::DeletedObject("a buffer")),
            _ => Ok(buffer),
        }
    }
}
