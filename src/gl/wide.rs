//! Buffers longer than 2^31 bytes. OpenGL counts their sizes and offsets in 64 bits, glow's calls in 31.
//!
//! In its own contexts this crate finds the functions itself. In a caller's context, whose loader is not known, and in a
//! browser, glow makes the calls, and buffers are shorter.

use std::ffi::c_void;
use std::ops::Range;

use glow::HasContext;

use super::functions::GlFunctions;
use crate::limits::MAX_LEN;

/// Bytes of the longest buffer for glow's calls: a multiple of four words.
const MOST: u64 = (1 << 31) - 16;

/// The functions that this crate has found, if the context is its own.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Wide(Option<Functions>);

// Sizes are `GLsizeiptr`, offsets `GLintptr`.
type BufferData = unsafe extern "system" fn(u32, isize, *const c_void, u32);
type BufferSubData = unsafe extern "system" fn(u32, isize, isize, *const c_void);
type CopyBufferSubData = unsafe extern "system" fn(u32, u32, isize, isize, isize);
type MapBufferRange = unsafe extern "system" fn(u32, isize, isize, u32) -> *mut c_void;
type BindBufferRange = unsafe extern "system" fn(u32, u32, u32, isize, isize);

/// The functions by their names in OpenGL.
#[derive(Debug, Clone, Copy)]
struct Functions {
    buffer_data: BufferData,
    buffer_sub_data: BufferSubData,
    copy_buffer_sub_data: CopyBufferSubData,
    map_buffer_range: MapBufferRange,
    bind_buffer_range: BindBufferRange,
}

/// The calls of a context: glow's, and here those whose sizes and offsets are too short there.
#[derive(Clone, Copy)]
pub(super) struct Calls<'a> {
    pub gl: &'a GlFunctions,
    pub wide: Wide,
}

impl Wide {
    /// Finds the functions of the current context, which `find` gives; null where the driver has none of a name.
    #[cfg(feature = "headless")]
    pub fn find(find: impl Fn(&std::ffi::CStr) -> *const c_void) -> Wide {
        use std::mem::transmute;
        let found = |name| Some(find(name)).filter(|address| !address.is_null());
        let all = || {
            let [data, sub_data] = [found(c"glBufferData")?, found(c"glBufferSubData")?];
            let [copy, map] = [found(c"glCopyBufferSubData")?, found(c"glMapBufferRange")?];
            let bind = found(c"glBindBufferRange")?;
            // SAFETY: each address is the function of its name and signature.
            Some(unsafe {
                Functions {
                    buffer_data: transmute::<*const c_void, BufferData>(data),
                    buffer_sub_data: transmute::<*const c_void, BufferSubData>(sub_data),
                    copy_buffer_sub_data: transmute::<*const c_void, CopyBufferSubData>(copy),
                    map_buffer_range: transmute::<*const c_void, MapBufferRange>(map),
                    bind_buffer_range: transmute::<*const c_void, BindBufferRange>(bind),
                }
            })
        };
        Wide(all())
    }

    /// Bytes of the longest buffer. Mesa's software renderers count them in 32 bits.
    pub fn longest(&self, software: bool) -> u64 {
        let most = match (self.0, software) {
            (None, _) => MOST,
            (Some(_), true) => 4 * MAX_LEN - 16,
            (Some(_), false) => 4 * MAX_LEN,
        };
        // On systems of 32 bits, sizes have no more.
        most.min(isize::MAX as u64 & !15)
    }
}

impl Calls<'_> {
    /// Gives the buffer that is bound to `target` new storage.
    ///
    /// # Safety
    ///
    /// The context must be current, here and below, and the bytes at most [`Wide::longest`].
    pub unsafe fn buffer_data(&self, target: u32, bytes: u64, usage: u32) {
        // SAFETY: by the caller's promise; no memory of ours is handed over.
        unsafe {
            match self.wide.0 {
                Some(own) => (own.buffer_data)(target, bytes as isize, std::ptr::null(), usage),
                None => self.gl.buffer_data_size(target, bytes as i32, usage),
            }
        }
    }

    /// Writes data to the buffer that is bound to `target`, from the byte `first` on.
    ///
    /// # Safety
    ///
    /// As above; the buffer has room for it.
    pub unsafe fn buffer_sub_data(&self, target: u32, first: u64, data: &[u8]) {
        // SAFETY: by the caller's promise; the memory is a slice.
        unsafe {
            match self.wide.0 {
                Some(own) => {
                    (own.buffer_sub_data)(target, first as isize, data.len() as isize, data.as_ptr().cast());
                }
                None => self.gl.buffer_sub_data_u8_slice(target, first as i32, data),
            }
        }
    }

    /// Copies bytes between the buffers that are bound to two targets, each from its offset on.
    ///
    /// # Safety
    ///
    /// As above; the ranges lie in the buffers.
    pub unsafe fn copy_buffer_sub_data(&self, [from, to]: [u32; 2], [read, write]: [u64; 2], bytes: u64) {
        // SAFETY: by the caller's promise.
        unsafe {
            match self.wide.0 {
                Some(own) => {
                    (own.copy_buffer_sub_data)(from, to, read as isize, write as isize, bytes as isize);
                }
                None => self.gl.copy_buffer_sub_data(from, to, read as i32, write as i32, bytes as i32),
            }
        }
    }

    /// Maps bytes of the buffer that is bound to `target`; null if that fails.
    ///
    /// # Safety
    ///
    /// As above; the bytes lie in the buffer.
    pub unsafe fn map_buffer_range(&self, target: u32, bytes: Range<u64>, access: u32) -> *mut u8 {
        let (first, bytes) = (bytes.start, bytes.end - bytes.start);
        // SAFETY: by the caller's promise.
        unsafe {
            match self.wide.0 {
                Some(own) => (own.map_buffer_range)(target, first as isize, bytes as isize, access).cast(),
                None => self.gl.map_buffer_range(target, first as i32, bytes as i32, access),
            }
        }
    }

    /// Binds bytes of a buffer to a numbered place of `target`.
    ///
    /// # Safety
    ///
    /// As above; the bytes lie in the buffer.
    pub unsafe fn bind_buffer_range(&self, target: u32, place: u32, buffer: glow::Buffer, bytes: Range<u64>) {
        let (first, bytes) = (bytes.start, bytes.end - bytes.start);
        // SAFETY: by the caller's promise.
        unsafe {
            match self.wide.0 {
                Some(own) => {
                    (own.bind_buffer_range)(target, place, name(buffer), first as isize, bytes as isize);
                }
                None => self.gl.bind_buffer_range(target, place, Some(buffer), first as i32, bytes as i32),
            }
        }
    }
}

#[cfg(not(target_family = "wasm"))]
fn name(buffer: glow::Buffer) -> u32 {
    buffer.0.get()
}

#[cfg(target_family = "wasm")]
fn name(_: glow::Buffer) -> u32 {
    unreachable!("a page finds no functions")
}
