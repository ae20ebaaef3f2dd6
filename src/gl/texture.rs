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

/// A 2-D texture of one level, deleted when dropped unless it is the caller's.
pub struct Texture {
    gpu: Gpu,
    /// The OpenGL name.
    pub id: glow::Texture,
    owned: bool,
    /// The format of a texel.
    pub format: TexelFormat,
    /// Words of a texel that count: all, or three of four.
    words: usize,
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
            return Err(Unsupported::too_large(format!(
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
        let (width, height, words) = (layout.width, layout.height, layout.words_per_texel() as usize);
        let texture = Texture { gpu: gpu.clone(), id, owned: true, format, words, width, height };
        check_error(gl, "allocating a texture")?;
        Ok(texture)
    }

    /// The caller's texture. Checks its size and format where the device tells them, which ES 3.0 and WebGL do not.
    pub fn wrap(gpu: &Gpu, id: glow::Texture, layout: &Layout) -> Result<Texture, Error> {
        const DURING: &str = "wrapping a texture";
        let gl = &gpu.0.gl;
        let (format, width, height) = (layout.format(), layout.width, layout.height);
        let device = gpu.device();
        let tells = device.api == Api::Gl || (device.version >= (3, 1) && !cfg!(target_family = "wasm"));
        check_error(gl, EARLIER)?;
        // SAFETY: the context is current; the caller promises that the texture is one of its own.
        unsafe {
            // To bind the name of a deleted texture would make a new one.
            if !gl.is_texture(id) {
                return Err(Error::Gl { during: DURING, what: "this context has no such texture".into() });
            }
            gl.active_texture(glow::TEXTURE0);
            gl.bind_texture(glow::TEXTURE_2D, Some(id));
            check_error(gl, DURING)?;
            if tells {
                let fact = |name| gl.get_tex_level_parameter_i32(glow::TEXTURE_2D, 0, name) as u32;
                let found = (
                    fact(glow::TEXTURE_INTERNAL_FORMAT),
                    fact(glow::TEXTURE_WIDTH),
                    fact(glow::TEXTURE_HEIGHT),
                );
                let (internal, ..) = names(format);
                if found != (internal, width, height) {
                    let (kind, columns, rows) = found;
                    return Err(Error::Gl {
                        during: DURING,
                        what: format!(
                            "it has {columns} x {rows} texels of format {kind:#06x}; the layout says \
                             {width} x {height} of {internal:#06x} ({format})"
                        ),
                    });
                }
            }
        }
        let words = layout.words_per_texel() as usize;
        Ok(Texture { gpu: gpu.clone(), id, owned: false, format, words, width, height })
    }

    /// Fills the texture row by row; texels beyond `words` become zero.
    ///
    /// `words` must not be longer than the texture.
    pub fn upload(&self, words: &[u8]) -> Result<(), Error> {
        check_error(&self.gpu.0.gl, EARLIER)?;
        let (texel, wide) = (self.texel(), self.format.words as usize * 4);
        let mut widened: Vec<u8>;
        let words = if texel == wide {
            words
        } else {
            widened = memory::zeros(words.len() / texel * wide, "texels that are uploaded")?;
            for (from, to) in words.chunks(texel).zip(widened.chunks_mut(wide)) {
                to[..texel].copy_from_slice(from);
            }
            &widened
        };
        let row = self.width as usize * self.format.words as usize * 4;
        let full = words.len() / row;
        let mut last: Vec<u8> = memory::zeros(row * (self.height as usize - full), "the end of an upload")?;
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

    /// Reads the first bytes, row by row, into a slice that is no longer than the texture.
    pub fn read_into(&self, data: &mut [u8]) -> Result<(), Error> {
        check_error(&self.gpu.0.gl, EARLIER)?;
        if data.is_empty() {
            return Ok(());
        }
        self.gpu.wait_if_bounded("reading back")?;
        let (texel, row) = (self.texel(), self.width as usize * self.texel());
        let reader = Reader::new(self)?;
        let (whole, rest) = data.split_at_mut(data.len() / row * row);
        let rows = whole.len() / row;
        if reader.words * 4 == texel {
            if rows > 0 {
                reader.read(0, self.width as usize, rows, whole);
            }
        } else {
            // Rows of four channels, a megabyte at a time.
            let wide = self.width as usize * reader.words * 4;
            let many = ((1 << 20) / wide).clamp(1, rows.max(1));
            let mut chunk = memory::zeros(many * wide, "rows that are read")?;
            for (number, rows) in whole.chunks_mut(many * row).enumerate() {
                let count = rows.len() / row;
                reader.read(number * many, self.width as usize, count, &mut chunk[..count * wide]);
                reader.pack(&chunk, rows, texel);
            }
        }
        if !rest.is_empty() {
            let texels = rest.len().div_ceil(texel);
            let mut last = memory::zeros(texels * reader.words * 4, "the last row that is read")?;
            reader.read(rows, texels, 1, &mut last);
            reader.pack(&last, rest, texel);
        }
        drop(reader);
        check_error(&self.gpu.0.gl, "reading back")
    }

    /// Reads the first `bytes` bytes, row by row.
    pub fn read(&self, bytes: usize) -> Result<Vec<u8>, Error> {
        let mut data = memory::zeros(bytes, "texels that are read")?;
        self.read_into(&mut data).map(|()| data)
    }

    /// Starts to read the rows that hold the first bytes into the buffer that `make` makes for so many bytes. Returns the
    /// bytes in it, and those of a texel there.
    pub fn read_to_buffer(
        &self,
        bytes: usize,
        make: impl FnOnce(usize) -> Result<glow::Buffer, Error>,
    ) -> Result<(usize, usize), Error> {
        check_error(&self.gpu.0.gl, EARLIER)?;
        let rows = bytes.div_ceil(self.width as usize * self.texel());
        let reader = Reader::new(self)?;
        let wide = reader.words * 4;
        let staged = rows * self.width as usize * wide;
        let buffer = make(staged)?;
        // SAFETY: the context is current, and the buffer is long enough.
        unsafe { reader.gl.bind_buffer(glow::PIXEL_PACK_BUFFER, Some(buffer)) };
        reader.read_with(0, self.width as usize, rows, glow::PixelPackData::BufferOffset(0));
        // SAFETY: as above.
        unsafe { reader.gl.bind_buffer(glow::PIXEL_PACK_BUFFER, None) };
        Ok((staged, wide))
    }

    /// Bytes of a texel that count.
    pub fn texel(&self) -> usize {
        self.words * 4
    }
}

/// A texture attached to a framebuffer of its own, to be read; the framebuffer is deleted when dropped.
struct Reader<'a> {
    gl: &'a glow::Context,
    framebuffer: glow::Framebuffer,
    external: u32,
    kind: u32,
    /// Words of a texel as it is read.
    words: usize,
}

impl<'a> Reader<'a> {
    fn new(texture: &'a Texture) -> Result<Reader<'a>, Error> {
        let gl = &texture.gpu.0.gl;
        let api = texture.gpu.device().api;
        state::set_for_transfer(gl, api);
        if texture.format.channel == Channel::F32 {
            state::check_clamping(gl, api)?;
        }
        let (_, mut external, kind) = names(texture.format);
        let mut words = texture.format.words as usize;
        // SAFETY: the context is current.
        unsafe {
            // A new framebuffer for each readback: a texture that stayed attached would keep its memory when deleted.
            let framebuffer =
                gl.create_framebuffer().map_err(|what| Error::Gl { during: "reading back", what })?;
            gl.bind_framebuffer(glow::READ_FRAMEBUFFER, Some(framebuffer));
            gl.framebuffer_texture_2d(
                glow::READ_FRAMEBUFFER,
                glow::COLOR_ATTACHMENT0,
                glow::TEXTURE_2D,
                Some(texture.id),
                0,
            );
            gl.read_buffer(glow::COLOR_ATTACHMENT0);
            if api == Api::Gles {
                // ES promises four channels, and one more format of its choice.
                let own = gl.get_parameter_i32(glow::IMPLEMENTATION_COLOR_READ_FORMAT) as u32;
                let own_kind = gl.get_parameter_i32(glow::IMPLEMENTATION_COLOR_READ_TYPE) as u32;
                if (own, own_kind) != (external, kind) {
                    words = 4;
                    external = match texture.format.channel {
                        Channel::F32 => glow::RGBA,
                        _ => glow::RGBA_INTEGER,
                    };
                }
            }
            Ok(Reader { gl, framebuffer, external, kind, words })
        }
    }

    /// Reads `rows` rows of `columns` texels from row `first` on. The slice is as long as they are.
    fn read(&self, first: usize, columns: usize, rows: usize, data: &mut [u8]) {
        assert!(data.len() >= columns * rows * self.words * 4, "the slice is too short");
        self.read_with(first, columns, rows, glow::PixelPackData::Slice(Some(data)));
    }

    fn read_with(&self, first: usize, columns: usize, rows: usize, data: glow::PixelPackData<'_>) {
        let (columns, rows) = (columns as i32, rows as i32);
        // SAFETY: the context is current; a slice is long enough, by `read`, and so is a bound buffer.
        unsafe { self.gl.read_pixels(0, first as i32, columns, rows, self.external, self.kind, data) };
    }

    /// Copies texels as they were read to `packed`, without the channels that the texture lacks.
    fn pack(&self, read: &[u8], packed: &mut [u8], texel: usize) {
        pack(read, self.words * 4, packed, texel);
    }
}

/// Copies the first `texel` bytes of each `wide` ones, until `packed` is full.
pub fn pack(read: &[u8], wide: usize, packed: &mut [u8], texel: usize) {
    for (from, to) in read.chunks(wide).zip(packed.chunks_mut(texel)) {
        to.copy_from_slice(&from[..to.len()]);
    }
}

impl Drop for Reader<'_> {
    fn drop(&mut self) {
        // SAFETY: the context is current, and the framebuffer is ours.
        unsafe { self.gl.delete_framebuffer(self.framebuffer) };
    }
}

impl Drop for Texture {
    fn drop(&mut self) {
        if let (true, Ok(_current)) = (self.owned, self.gpu.make_current()) {
            // SAFETY: the context is current, and the texture is ours.
            unsafe { self.gpu.0.gl.delete_texture(self.id) };
        }
    }
}
