//! The objects that are bound in a context, so that a call can bind them again.
//!
//! In a page the answer is always `None`, and a call leaves nothing bound: WebGL hands out objects instead of names, and
//! glow panics if nothing is bound or if the page itself made the object.

use glow::HasContext;

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
    program: Program, get_parameter_program;
    vertex_array: VertexArray, get_parameter_vertex_array;
    framebuffer: Framebuffer, get_parameter_framebuffer;
    renderbuffer: Renderbuffer, get_parameter_renderbuffer;
    buffer: Buffer, get_parameter_buffer;
    texture: Texture, get_parameter_texture;
    sampler: Sampler, get_parameter_sampler;
    transform_feedback: TransformFeedback, get_parameter_transform_feedback;
}

/// The storage buffer that is bound to a number.
///
/// # Safety
///
/// The context must be current and have storage buffers.
pub unsafe fn storage_buffer(gl: &glow::Context, number: u32) -> Option<glow::Buffer> {
    #[cfg(target_family = "wasm")]
    {
        let _ = (gl, number);
        None // a page has no storage buffers
    }
    #[cfg(not(target_family = "wasm"))]
    {
        // SAFETY: by the caller's promise. The number is a buffer's name, or 0.
        let name = unsafe { gl.get_parameter_indexed_i32(glow::SHADER_STORAGE_BUFFER_BINDING, number) };
        std::num::NonZeroU32::new(name.unsigned_abs()).map(glow::NativeBuffer)
    }
}
