//! Buffers as storage of streams: dispatches read and write them, draws read them as vertices or as a texture, and
//! captures write them.

use glow::HasContext;

use super::bound;
use super::gpu::Gpu;
use super::texture::{EARLIER, check_error};
use crate::device::Device;
use crate::error::Error;
use crate::memory;
use crate::plan::Layout;
use crate::unsupported::Unsupported;

/// A buffer object, deleted when dropped.
pub struct Buffer {
    gpu: Gpu,
    /// The OpenGL name.
    pub id: glow::Buffer,
    /// The size: a multiple of four words, since shaders read four at a time.
    pub bytes: usize,
    /// The buffer as a texture, if the device supports it and the item's words allow it.
    pub view: Option<glow::Texture>,
}

/// The sized format in which a buffer's items are the texels of a texture.
fn view_format(device: &Device, layout: &Layout) -> Option<u32> {
    // A device without buffer textures must not be asked for one, not even an empty one.
    if layout.len.max(1) > u64::from(device.max_buffer_texels) {
        return None;
    }
    match layout.words_per_texel() {
        1 => Some(glow::R32UI),
        2 => Some(glow::RG32UI),
        4 => Some(glow::RGBA32UI),
        _ => None,
    }
}

impl Buffer {
    /// Allocates storage for a layout; its content is undefined.
    pub fn new(gpu: &Gpu, layout: &Layout) -> Result<Buffer, Error> {
        let words = layout.len.max(1) * u64::from(layout.words_per_texel());
        let bytes = words.next_multiple_of(4) * 4;
        let size = i32::try_from(bytes).map_err(|_| {
            let most = i32::MAX;
            Unsupported(format!("a buffer of {bytes} bytes is larger than {most}; use a shorter stream"))
        })?;
        let gl = &gpu.0.gl;
        let failed = |what| Error::Gl { during: "allocating a buffer", what };
        check_error(gl, EARLIER)?;
        // SAFETY: the context is current; no memory of ours is handed over.
        let buffer = unsafe {
            let id = gl.create_buffer().map_err(failed)?;
            gl.bind_buffer(glow::ARRAY_BUFFER, Some(id));
            gl.buffer_data_size(glow::ARRAY_BUFFER, size, glow::DYNAMIC_COPY);
            let mut buffer = Buffer { gpu: gpu.clone(), id, bytes: bytes as usize, view: None };
            if let Some(format) = view_format(gpu.device(), layout) {
                let view = gl.create_texture().map_err(failed)?;
                buffer.view = Some(view);
                gl.active_texture(glow::TEXTURE0);
                gl.bind_texture(glow::TEXTURE_BUFFER, Some(view));
                gl.tex_buffer(glow::TEXTURE_BUFFER, format, Some(id));
            }
            buffer
        };
        check_error(gl, "allocating a buffer")?;
        Ok(buffer)
    }

    /// Writes the first bytes. `words` must not be longer than the buffer.
    pub fn upload(&self, words: &[u8]) -> Result<(), Error> {
        let gl = &self.gpu.0.gl;
        check_error(gl, EARLIER)?;
        // SAFETY: the context is current, and the buffer is as long as the slice.
        unsafe {
            gl.bind_buffer(glow::ARRAY_BUFFER, Some(self.id));
            gl.buffer_sub_data_u8_slice(glow::ARRAY_BUFFER, 0, words);
        }
        check_error(gl, "uploading")
    }

    /// Reads the first `bytes` bytes.
    pub fn read(&self, bytes: usize) -> Result<Vec<u8>, Error> {
        self.gpu.wait_if_bounded("reading back")?;
        read_back(&self.gpu.0.gl, self.id, bytes.min(self.bytes))
    }
}

/// Reads the first `bytes` bytes of a buffer through a temporary one: a driver may move a buffer that the CPU maps out
/// of the GPU's memory, for good.
pub fn read_back(gl: &glow::Context, buffer: glow::Buffer, bytes: usize) -> Result<Vec<u8>, Error> {
    let mut data = memory::filled(0, bytes, "numbers that are read")?;
    if bytes == 0 {
        return Ok(data);
    }
    let failed = |what| Error::Gl { during: "reading back", what };
    check_error(gl, EARLIER)?;
    // SAFETY: the context is current; the temporary buffer is as long as the slice.
    unsafe {
        let bound = bound::buffer(gl, glow::COPY_READ_BUFFER_BINDING);
        let staging = gl.create_buffer().map_err(failed)?;
        gl.bind_buffer(glow::ARRAY_BUFFER, Some(staging));
        gl.buffer_data_size(glow::ARRAY_BUFFER, bytes as i32, glow::STREAM_READ);
        gl.bind_buffer(glow::COPY_READ_BUFFER, Some(buffer));
        gl.copy_buffer_sub_data(glow::COPY_READ_BUFFER, glow::ARRAY_BUFFER, 0, 0, bytes as i32);
        gl.bind_buffer(glow::COPY_READ_BUFFER, bound);
        let read = copy_bound(gl, &mut data);
        gl.delete_buffer(staging);
        check_error(gl, "reading back")?;
        if !read {
            return Err(failed("the buffer cannot be mapped".into()));
        }
    }
    Ok(data)
}

/// Copies the array buffer that is bound to memory; false if it cannot be mapped.
///
/// # Safety
///
/// The context must be current, and the buffer at least as long as the slice.
unsafe fn copy_bound(gl: &glow::Context, data: &mut [u8]) -> bool {
    // SAFETY: by the caller's promise; the mapping is as long as the slice, and ends here.
    unsafe {
        if cfg!(target_family = "wasm") {
            // A page cannot map buffers.
            gl.get_buffer_sub_data(glow::ARRAY_BUFFER, 0, data);
            return true;
        }
        // ES has no other way to read a buffer.
        let mapped = gl.map_buffer_range(glow::ARRAY_BUFFER, 0, data.len() as i32, glow::MAP_READ_BIT);
        if mapped.is_null() {
            return false;
        }
        data.copy_from_slice(std::slice::from_raw_parts(mapped, data.len()));
        gl.unmap_buffer(glow::ARRAY_BUFFER);
        true
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        if let Ok(_current) = self.gpu.make_current() {
            // SAFETY: the context is current, and the objects are ours.
            unsafe {
                self.view.iter().for_each(|view| self.gpu.0.gl.delete_texture(*view));
                self.gpu.0.gl.delete_buffer(self.id);
            }
        }
    }
}
