//! A mark that a [`super::Gpu`] leaves in a context of the caller's, to find out whether that context is current.
//!
//! Names of objects do not tell contexts apart: in each context they begin at 1. Neither do fences: an NVIDIA driver
//! (580.159.04, H200) takes a fence of one context for one of another. So the mark is a buffer of a size that no other
//! mark of this process has, in a vertex array: contexts that share objects share the buffer, but not the vertex array.
//! (Framebuffers do not tell them apart: Mesa shares these, too.) Asking for the size does not wait for the GPU. Objects
//! dropped while another context is current are not deleted.
//!
//! A page's functions are those of one context, which is always current. There the mark tells whether the context was lost
//! since, and given back empty: its objects can no longer be bound.

use std::sync::atomic::{AtomicI32, Ordering};

use glow::HasContext;

use super::bound;
use super::functions::GlFunctions;

/// The size of the first mark in bytes: arbitrary, so that hardly any buffer of the host has it.
const FIRST: i32 = 10_007;

/// A vertex array that belongs to one context, and its buffer of elements.
pub struct Mark {
    vertex_array: glow::VertexArray,
    /// The same as it is when it is bound.
    as_bound: Option<bound::VertexArray>,
    buffer: glow::Buffer,
    bytes: i32,
}

impl Mark {
    /// Marks the current context; `None` if there is none, or no memory.
    ///
    /// # Safety
    ///
    /// The functions must be those of the driver whose context is current, if one is.
    pub unsafe fn leave(gl: &GlFunctions) -> Option<Mark> {
        static COUNT: AtomicI32 = AtomicI32::new(0);
        let bytes = FIRST + COUNT.fetch_add(1, Ordering::Relaxed);
        // SAFETY: by the caller's promise.
        unsafe {
            let (buffer, vertex_array) = (gl.create_buffer().ok()?, gl.create_vertex_array().ok()?);
            let bound = bound::vertex_array(gl, glow::VERTEX_ARRAY_BINDING);
            gl.bind_vertex_array(Some(vertex_array));
            let as_bound = bound::vertex_array(gl, glow::VERTEX_ARRAY_BINDING);
            let mark = Mark { vertex_array, as_bound, buffer, bytes };
            gl.bind_buffer(glow::ELEMENT_ARRAY_BUFFER, Some(buffer));
            gl.buffer_data_size(glow::ELEMENT_ARRAY_BUFFER, bytes, glow::STATIC_DRAW);
            bound::bind_vertex_array(gl, &bound);
            mark.is_here(gl).then_some(mark)
        }
    }

    /// Returns true if the current context has the mark.
    ///
    /// # Safety
    ///
    /// As for [`Self::leave`].
    pub unsafe fn is_here(&self, gl: &GlFunctions) -> bool {
        let page = cfg!(target_family = "wasm");
        // SAFETY: by the caller's promise.
        unsafe {
            // A page would wait here until all that it has issued before is carried out.
            if !page && !gl.is_buffer(self.buffer) {
                return false;
            }
            let bound = bound::vertex_array(gl, glow::VERTEX_ARRAY_BINDING);
            gl.bind_vertex_array(Some(self.vertex_array));
            if bound::vertex_array(gl, glow::VERTEX_ARRAY_BINDING) != self.as_bound {
                // A context without a vertex array of this name: the error is this call's.
                gl.get_error();
                return false;
            }
            let here = page
                || gl.get_parameter_buffer(glow::ELEMENT_ARRAY_BUFFER_BINDING) == Some(self.buffer)
                    && gl.get_buffer_parameter_i32(glow::ELEMENT_ARRAY_BUFFER, glow::BUFFER_SIZE)
                        == self.bytes;
            bound::bind_vertex_array(gl, &bound);
            here
        }
    }

    /// Deletes it.
    ///
    /// # Safety
    ///
    /// The context that has the mark must be current.
    pub unsafe fn remove(&self, gl: &glow::Context) {
        // SAFETY: by the caller's promise.
        unsafe {
            gl.delete_vertex_array(self.vertex_array);
            gl.delete_buffer(self.buffer);
        }
    }
}
