//! Textures as storage of streams: allocation, upload, readback.

use glow::HasContext;

use super::gpu::Gpu;
use super::state;
use crate::device::Api;
use crate::element::{Channel, TexelFormat};
use crate::error::Error;
use crate::memory;
use crate::plan::Layout;
use crate::unsupported::Unsupported;

/// A 2-D texture of one level, deleted when dropped.
pub struct Texture {
    gpu: Gpu,
    /// The OpenGL name.
    pub id: glow::Texture,
    /// The format of a texel.
    pub format: TexelFormat,
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
}

/// Internal format, format and type for uploads, as OpenGL's sized names.
fn names(format: TexelFormat) -> (u32, u32, u32) {
    let (internal, integer, float) = match (format.words, format.channel) {
        (1, Channel::U32) => (glow::R32UI, glow::RED_INTEGER, glow::RED),
        (1, Channel::I32) => (glow::R32I, glow::RED_INTEGER, glow::RED),
        (1, Channel::F32) => (glow::R32F, glow::RED_INTEGER, glow::RED),
        (2, Channel::U32) => (glow::RG32UI, glow::RG_INTEGER, glow::RG),
        (2, Channel::I32) => (glow::RG32I, glow::RG_INTEGER, glow::RG),
        (2, Channel::F32) => (glow::RG32F, glow::RG_INTEGER, glow::RG),
        (_, Channel::U32) => (glow::RGBA32UI, glow::RGBA_INTEGER, glow::RGBA),
        (_, Channel::I32) => (glow::RGBA32I, glow::RGBA_INTEGER, glow::RGBA),
        (_, Channel::F32) => (glow::RGBA32F, glow::RGBA_INTEGER, glow::RGBA),
    };
    match format.channel {
        Channel::U32 => (internal, integer, glow::UNSIGNED_INT),
        Channel::I32 => (internal, integer, glow::INT),
        Channel::F32 => (internal, float, glow::FLOAT),
    }
}

/// The culprit in errors that were pending before this crate's calls.
pub const EARLIER: &str = "calls made before this crate's";

/// `GL_CONTEXT_LOST`, which glow does not name.
const CONTEXT_LOST: u32 = 0x0507;
/// The same in WebGL.
const CONTEXT_LOST_WEBGL: u32 = 0x9242;

/// Takes the first pending OpenGL error.
pub fn check_error(gl: &glow::Context, during: &'static str) -> Result<(), Error> {
    // SAFETY: the context is current.
    let what = match unsafe { gl.get_error() } {
        glow::NO_ERROR => return Ok(()),
        glow::OUT_OF_MEMORY => "out of memory".into(),
        glow::INVALID_ENUM => "invalid enum".into(),
        glow::INVALID_VALUE => "invalid value".into(),
        glow::INVALID_OPERATION => "invalid operation".into(),
        glow::INVALID_FRAMEBUFFER_OPERATION => "invalid framebuffer operation".into(),
        CONTEXT_LOST | CONTEXT_LOST_WEBGL => {
            let reason = "the driver reports a device reset".into();
            return Err(Error::ContextLost { during, reason });
        }
        other => format!("error {other:#06x}"),
    };
    Err(Error::Gl { during, what })
}

impl Texture {
    /// Allocates storage for a layout; its content is undefined.
    pub fn new(gpu: &Gpu, layout: &Layout) -> Result<Texture, Error> {
        let max = gpu.device().max_texture_size;
        if layout.width > max || layout.height > max {
            return Err(Unsupported(format!(
                "a texture of {} x {} texels is larger than this device's {max} x {max}; make the layout \
                 with Layout::fit",
                layout.width, layout.height
            ))
            .into());
        }
        let gl = &gpu.0.gl;
        let format = layout.format();
        let (internal, external, kind) = names(format);
        check_error(gl, EARLIER)?;
        // SAFETY: the context is current; no memory of ours is handed over.
        let id = unsafe {
            let id =
                gl.create_texture().map_err(|what| Error::Gl { during: "allocating a texture", what })?;
            gl.active_texture(glow::TEXTURE0);
            gl.bind_texture(glow::TEXTURE_2D, Some(id));
            for (parameter, value) in [
                (glow::TEXTURE_MIN_FILTER, glow::NEAREST),
                (glow::TEXTURE_MAG_FILTER, glow::NEAREST),
                (glow::TEXTURE_WRAP_S, glow::CLAMP_TO_EDGE),
                (glow::TEXTURE_WRAP_T, glow::CLAMP_TO_EDGE),
            ] {
                gl.tex_parameter_i32(glow::TEXTURE_2D, parameter, value as i32);
            }
            gl.tex_parameter_i32(glow::TEXTURE_2D, glow::TEXTURE_MAX_LEVEL, 0);
            gl.bind_buffer(glow::PIXEL_UNPACK_BUFFER, None);
            gl.tex_image_2d(
                glow::TEXTURE_2D,
                0,
                internal as i32,
                layout.width as i32,
                layout.height as i32,
                0,
                external,
                kind,
                glow::PixelUnpackData::Slice(None),
            );
            id
        };
        let texture = Texture { gpu: gpu.clone(), id, format, width: layout.width, height: layout.height };
        check_error(gl, "allocating a texture")?;
        Ok(texture)
    }

    /// Fills the texture row by row; texels beyond `words` become zero.
    ///
    /// `words` must not be longer than the texture.
    pub fn upload(&self, words: &[u8]) -> Result<(), Error> {
        check_error(&self.gpu.0.gl, EARLIER)?;
        let row = self.width as usize * self.format.words as usize * 4;
        let full = words.len() / row;
        let mut last = memory::filled(0, row * (self.height as usize - full), "the end of an upload")?;
        last[..words.len() - full * row].copy_from_slice(&words[full * row..]);

        let gl = &self.gpu.0.gl;
        let (_, external, kind) = names(self.format);
        state::set_for_transfer(gl, self.gpu.device().api);
        let rows = |first: usize, count: usize, bytes: &[u8]| {
            // SAFETY: the context is current, and `bytes` holds `count` rows.
            unsafe {
                gl.tex_sub_image_2d(
                    glow::TEXTURE_2D,
                    0,
                    0,
                    first as i32,
                    self.width as i32,
                    count as i32,
                    external,
                    kind,
                    glow::PixelUnpackData::Slice(Some(bytes)),
                );
            }
        };
        // SAFETY: the context is current.
        unsafe {
            gl.active_texture(glow::TEXTURE0);
            gl.bind_texture(glow::TEXTURE_2D, Some(self.id));
        }
        if full > 0 {
            rows(0, full, &words[..full * row]);
        }
        if !last.is_empty() {
            rows(full, self.height as usize - full, &last);
        }
        check_error(gl, "uploading")
    }

    /// Reads the first `bytes` bytes, row by row.
    pub fn read(&self, bytes: usize) -> Result<Vec<u8>, Error> {
        check_error(&self.gpu.0.gl, EARLIER)?;
        let texel = self.format.words as usize * 4;
        let row = self.width as usize * texel;
        let rows = bytes.div_ceil(row);
        if rows == 0 {
            return Ok(Vec::new());
        }
        let gl = &self.gpu.0.gl;
        self.gpu.wait_if_bounded("reading back")?;
        state::set_for_transfer(gl, self.gpu.device().api);
        if self.format.channel == Channel::F32 {
            state::check_clamping(gl, self.gpu.device().api)?;
        }
        let (_, mut external, kind) = names(self.format);
        // SAFETY: the context is current, and the slice holds `rows` rows of what is asked for.
        unsafe {
            // A new framebuffer for each readback: a texture that stayed attached would keep its memory when deleted.
            let framebuffer =
                gl.create_framebuffer().map_err(|what| Error::Gl { during: "reading back", what })?;
            gl.bind_framebuffer(glow::READ_FRAMEBUFFER, Some(framebuffer));
            gl.framebuffer_texture_2d(
                glow::READ_FRAMEBUFFER,
                glow::COLOR_ATTACHMENT0,
                glow::TEXTURE_2D,
                Some(self.id),
                0,
            );
            gl.read_buffer(glow::COLOR_ATTACHMENT0);
            let mut read_words = self.format.words as usize;
            if self.gpu.device().api == Api::Gles {
                // ES promises four channels, and one more format of its choice.
                let own = gl.get_parameter_i32(glow::IMPLEMENTATION_COLOR_READ_FORMAT) as u32;
                let own_kind = gl.get_parameter_i32(glow::IMPLEMENTATION_COLOR_READ_TYPE) as u32;
                if (own, own_kind) != (external, kind) {
                    read_words = 4;
                    external = match self.format.channel {
                        Channel::F32 => glow::RGBA,
                        _ => glow::RGBA_INTEGER,
                    };
                }
            }
            let mut data =
                memory::filled(0, rows * self.width as usize * read_words * 4, "numbers that are read");
            if let Ok(data) = &mut data {
                gl.read_pixels(
                    0,
                    0,
                    self.width as i32,
                    rows as i32,
                    external,
                    kind,
                    glow::PixelPackData::Slice(Some(data)),
                );
            }
            gl.delete_framebuffer(framebuffer);
            let mut data = data?;
            check_error(gl, "reading back")?;
            if read_words * 4 != texel {
                // In place: each texel moves to where another one was.
                for texel_number in 0..data.len() / (read_words * 4) {
                    let from = texel_number * read_words * 4;
                    data.copy_within(from..from + texel, texel_number * texel);
                }
            }
            data.truncate(bytes);
            Ok(data)
        }
    }
}

impl Drop for Texture {
    fn drop(&mut self) {
        if let Ok(_current) = self.gpu.make_current() {
            // SAFETY: the context is current, and the texture is ours.
            unsafe { self.gpu.0.gl.delete_texture(self.id) };
        }
    }
}
