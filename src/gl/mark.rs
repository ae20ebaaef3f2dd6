//! A mark that a [`super::Gpu`] leaves in a context of the caller's, to find out whether that context is current.
//!
//! Names of objects do not tell contexts apart: in each context they begin at 1. Neither do fences: an NVIDIA driver
//! (580.159.04, H200) takes a fence of one context for one of another. So the mark is a buffer of a size that no other
//! mark of this process has. Asking for its size does not wait for the GPU. Objects dropped while another context is
//! current are not deleted.

use std::sync::atomic::{AtomicI32, Ordering};

use glow::HasContext;

use super::bound;

/// The size of the first mark in bytes: arbitrary, so that hardly any buffer of the host has it.
const FIRST: i32 = 10_007;

/// A buffer that belongs to one context.
pub struct Mark {
    buffer: glow::Buffer,
    bytes: i32,
}

impl Mark {
    /// Marks the current context; `None` if there is none, or no memory.
    ///
    /// # Safety
    ///
    /// The functions must be those of the driver whose context is current, if one is.
    pub unsafe fn leave(gl: &glow::Context) -> Option<Mark> {
        static COUNT: AtomicI32 = AtomicI32::new(0);
        let bytes = FIRST + COUNT.fetch_add(1, Ordering::Relaxed);
        // SAFETY: by the caller's promise.
        unsafe {
            let mark = Mark { buffer: gl.create_buffer().ok()?, bytes };
            let bound = bound::buffer(gl, glow::COPY_READ_BUFFER_BINDING);
            gl.bind_buffer(glow::COPY_READ_BUFFER, Some(mark.buffer));
            gl.buffer_data_size(glow::COPY_READ_BUFFER, bytes, glow::STATIC_DRAW);
            gl.bind_buffer(glow::COPY_READ_BUFFER, bound);
            mark.is_here(gl).then_some(mark)
        }
    }

    /// Returns true if the current context has the mark, or shares its objects with the one that has.
    ///
    /// # Safety
    ///
    /// As for [`Self::leave`].
    pub unsafe fn is_here(&self, gl: &glow::Context) -> bool {
        // SAFETY: by the caller's promise; a name that is a buffer's can be bound.
        unsafe {
            if !gl.is_buffer(self.buffer) {
                return false;
            }
            let bound = bound::buffer(gl, glow::COPY_READ_BUFFER_BINDING);
            gl.bind_buffer(glow::COPY_READ_BUFFER, Some(self.buffer));
            let bytes = gl.get_buffer_parameter_i32(glow::COPY_READ_BUFFER, glow::BUFFER_SIZE);
            gl.bind_buffer(glow::COPY_READ_BUFFER, bound);
            bytes == self.bytes
        }
    }

    /// Deletes it.
    ///
    /// # Safety
    ///
    /// The context that has the mark must be current.
    pub unsafe fn remove(&self, gl: &glow::Context) {
        // SAFETY: by the caller's promise.
        unsafe { gl.delete_buffer(self.buffer) };
    }
}
