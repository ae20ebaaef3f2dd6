//! Textures as storage of streams: allocation, upload, readback.

use std::borrow::Cow;
use std::ops::Range;

use glow::HasContext;

use super::gpu::Gpu;
use super::pieces::{Pieces, TransferKind};
use super::state;
use crate::device::Api;
use crate::element::{Channel, TexelFormat};
use crate::error::Error;
use crate::memory;
use crate::plan::{Layout, PLANE};
use crate::printable::counted;
use crate::unsupported::Unsupported;

/// A 2-D texture of one level, or an array of them where items take several planes. Deleted when dropped unless it is the
/// caller's.
pub struct Texture {
    pub(super) gpu: Gpu,
    /// The OpenGL name.
    pub id: glow::Texture,
    owner: Owner,
    /// The same as the page has it, if the page knows it.
    #[cfg(target_family = "wasm")]
    object: std::cell::OnceCell<web_sys::WebGlTexture>,
    /// The format of a texel.
    pub format: TexelFormat,
    /// Words of a texel that count, of all planes: all, or the first ones.
    words: usize,
    /// Layers of the array; 1 for a texture that is none.
    planes: u32,
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
}

/// Who deletes a texture.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    Us,
    Caller,
    /// The page, of whose texture glow's name is ours.
    #[cfg(target_family = "wasm")]
    Page,
}

/// The format that a caller's texture must have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// The layout's own: it is read and written as a stream.
    Layout,
    /// Any that shaders read as floats, with the layout's channels at least: it is only read, by passes.
    Floats,
}

/// A texture, or a layer of an array, to draw into or to read from.
#[derive(Clone, Copy)]
pub struct Attachment {
    texture: Option<glow::Texture>,
    layer: Option<u32>,
}

impl Attachment {
    /// A texture that is no array.
    pub fn texture(texture: Option<glow::Texture>) -> Attachment {
        Attachment { texture, layer: None }
    }

    /// Attaches it to the bound framebuffer.
    ///
    /// # Safety
    ///
    /// The context must be current, and the texture alive.
    pub unsafe fn attach(self, gl: &glow::Context, framebuffer: u32, attachment: u32) {
        // SAFETY: by the caller's promise.
        unsafe {
            match self.layer {
                None => gl.framebuffer_texture_2d(framebuffer, attachment, glow::TEXTURE_2D, self.texture, 0),
                Some(layer) => {
                    gl.framebuffer_texture_layer(framebuffer, attachment, self.texture, 0, layer as i32);
                }
            }
        }
    }
}

/// Binds a texture to the first unit.
///
/// # Safety
///
/// The context must be current, and the texture alive.
pub unsafe fn bind(gl: &glow::Context, kind: u32, id: glow::Texture) {
    // SAFETY: by the caller's promise.
    unsafe {
        gl.active_texture(glow::TEXTURE0);
        gl.bind_texture(kind, Some(id));
    }
}

/// The binding point of the texture of a layout.
pub fn kind_of(layout: &Layout) -> u32 {
    if layout.planes() > 1 { glow::TEXTURE_2D_ARRAY } else { glow::TEXTURE_2D }
}

/// Internal format, format and type for uploads, as OpenGL's sized names.
pub fn names(format: TexelFormat) -> (u32, u32, u32) {
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

/// The culprit in errors that this crate finds pending: a run, which does not ask for its own.
pub const EARLIER: &str = "an earlier call";
/// The culprit in those that it finds where the caller has called OpenGL.
pub const CALLERS: &str = "calls made before this crate's";

/// `GL_CONTEXT_LOST`, which glow does not name.
const CONTEXT_LOST: u32 = 0x0507;
/// The same in WebGL.
const CONTEXT_LOST_WEBGL: u32 = 0x9242;

/// Returns true for errors that say that the context is lost.
pub fn is_loss(error: u32) -> bool {
    [CONTEXT_LOST, CONTEXT_LOST_WEBGL].contains(&error)
}

/// An OpenGL error by its name.
pub fn named(error: u32, during: &'static str) -> Error {
    let what = match error {
        glow::OUT_OF_MEMORY => "out of memory".into(),
        glow::INVALID_ENUM => "invalid enum".into(),
        glow::INVALID_VALUE => "invalid value".into(),
        glow::INVALID_OPERATION => "invalid operation".into(),
        glow::INVALID_FRAMEBUFFER_OPERATION => "invalid framebuffer operation".into(),
        lost if is_loss(lost) => {
            return Error::ContextLost { during, reason: "the driver reports a device reset".into() };
        }
        other => format!("error {other:#06x}"),
    };
    Error::Gl { during, what }
}

/// Takes the first pending OpenGL error.
pub fn check_error(gl: &glow::Context, during: &'static str) -> Result<(), Error> {
    // SAFETY: the context is current.
    match unsafe { gl.get_error() } {
        glow::NO_ERROR => Ok(()),
        error => Err(named(error, during)),
    }
}

/// The same around calls that do not wait. A page would wait until everything issued is carried out: there, errors are reported by
/// the next call that waits.
pub fn check_unless_waiting(gl: &glow::Context, during: &'static str) -> Result<(), Error> {
    if cfg!(target_family = "wasm") { Ok(()) } else { check_error(gl, during) }
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
        let (bytes, most) = (layout.bytes(), gpu.device().max_texture_bytes);
        if bytes > most {
            return Err(Unsupported::too_large(format!(
                "a texture of {bytes} bytes is larger than the {most} that this device allocates for one; use a \
                 shorter stream"
            ))
            .into());
        }
        let gl = &gpu.0.gl;
        let format = layout.format();
        let (internal, external, kind) = names(format);
        gl.check_earlier()?;
        let (target, planes) = (kind_of(layout), layout.planes());
        let nothing = glow::PixelUnpackData::Slice(None);
        let [width, height] = [layout.width, layout.height].map(|texels| texels as i32);
        // SAFETY: the context is current; no memory of ours is handed over.
        let id = unsafe {
            let id =
                gl.create_texture().map_err(|what| Error::Gl { during: "allocating a texture", what })?;
            bind(gl, target, id);
            for (parameter, value) in [
                (glow::TEXTURE_MIN_FILTER, glow::NEAREST),
                (glow::TEXTURE_MAG_FILTER, glow::NEAREST),
                (glow::TEXTURE_WRAP_S, glow::CLAMP_TO_EDGE),
                (glow::TEXTURE_WRAP_T, glow::CLAMP_TO_EDGE),
            ] {
                gl.tex_parameter_i32(target, parameter, value as i32);
            }
            gl.tex_parameter_i32(target, glow::TEXTURE_MAX_LEVEL, 0);
            gl.bind_buffer(glow::PIXEL_UNPACK_BUFFER, None);
            let internal = internal as i32;
            if planes > 1 {
                let planes = planes as i32;
                gl.tex_image_3d(target, 0, internal, width, height, planes, 0, external, kind, nothing);
            } else {
                gl.tex_image_2d(target, 0, internal, width, height, 0, external, kind, nothing);
            }
            id
        };
        let (width, height, words) = (layout.width, layout.height, layout.words_per_texel() as usize);
        let texture = Texture {
            gpu: gpu.clone(),
            id,
            owner: Owner::Us,
            #[cfg(target_family = "wasm")]
            object: Default::default(),
            format,
            words,
            planes,
            width,
            height,
        };
        check_error(gl, "allocating a texture")?;
        Ok(texture)
    }

    /// The caller's texture, if its size and format are those wanted.
    pub fn wrap(
        gpu: &Gpu,
        id: glow::Texture,
        owner: Owner,
        wanted: Wanted,
        layout: &Layout,
    ) -> Result<Texture, Error> {
        const DURING: &str = "wrapping a texture";
        let gl = &gpu.0.gl;
        let failed = |what| Error::Gl { during: DURING, what };
        let texture = Texture {
            gpu: gpu.clone(),
            id,
            owner,
            #[cfg(target_family = "wasm")]
            object: Default::default(),
            format: layout.format(),
            words: layout.words_per_texel() as usize,
            planes: 1,
            width: layout.width,
            height: layout.height,
        };
        gl.check_earlier()?;
        // SAFETY: the context is current; the caller promises that the texture is one of its own.
        unsafe {
            // To bind the name of a deleted texture would make a new one.
            if !gl.is_texture(id) {
                return Err(failed("this context has no such texture".into()));
            }
            bind(gl, glow::TEXTURE_2D, id);
            check_error(gl, DURING)?;
            texture.check_format(wanted).and_then(|uploads| texture.check_size(uploads)).map_err(failed)?;
        }
        check_error(gl, DURING)?;
        Ok(texture)
    }

    /// Checks the format of the texture that is bound, as a framebuffer tells it of an attachment: the one way that all levels
    /// have. Returns format and type for uploads.
    ///
    /// # Safety
    ///
    /// The context must be current.
    unsafe fn check_format(&self, wanted: Wanted) -> Result<(u32, u32), String> {
        let (gl, format) = (&self.gpu.0.gl, self.format);
        const SIZES: [u32; 4] = [
            glow::FRAMEBUFFER_ATTACHMENT_RED_SIZE,
            glow::FRAMEBUFFER_ATTACHMENT_GREEN_SIZE,
            glow::FRAMEBUFFER_ATTACHMENT_BLUE_SIZE,
            glow::FRAMEBUFFER_ATTACHMENT_ALPHA_SIZE,
        ];
        // SAFETY: by the caller's promise.
        let (sizes, kind) = unsafe {
            let framebuffer = gl.create_framebuffer()?;
            let (target, attachment) = (glow::READ_FRAMEBUFFER, glow::COLOR_ATTACHMENT0);
            gl.bind_framebuffer(target, Some(framebuffer));
            self.target(0).attach(gl, target, attachment);
            let fact = |name| gl.get_framebuffer_attachment_parameter_i32(target, attachment, name) as u32;
            let facts = (SIZES.map(fact), fact(glow::FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE));
            gl.delete_framebuffer(framebuffer);
            facts
        };
        // A texture without texels has none of these facts, and asking for them is an error.
        let _ = check_error(gl, "asking for a format");
        let channels = sizes.iter().filter(|bits| **bits > 0).count() as u32;
        let own = [glow::RED, glow::RED, glow::RG, glow::RGB, glow::RGBA][channels as usize];
        let name = match kind {
            glow::UNSIGNED_INT => "unsigned integers",
            glow::INT => "signed integers",
            glow::FLOAT => "floats",
            glow::UNSIGNED_NORMALIZED | glow::SIGNED_NORMALIZED => "normalised integers",
            _ => "no colours",
        };
        let right = match wanted {
            Wanted::Layout => {
                let expected = match format.channel {
                    Channel::U32 => glow::UNSIGNED_INT,
                    Channel::I32 => glow::INT,
                    Channel::F32 => glow::FLOAT,
                };
                kind == expected
                    && channels == format.words
                    && sizes.iter().all(|bits| [0, 32].contains(bits))
            }
            Wanted::Floats => {
                channels >= format.words
                    && [glow::FLOAT, glow::UNSIGNED_NORMALIZED, glow::SIGNED_NORMALIZED].contains(&kind)
            }
        };
        if right {
            return Ok(match (wanted, kind, sizes[0]) {
                (Wanted::Layout, ..) => (names(format).1, names(format).2),
                (_, glow::FLOAT, 16) => (own, glow::HALF_FLOAT),
                (_, glow::FLOAT, _) => (own, glow::FLOAT),
                (_, glow::SIGNED_NORMALIZED, _) => (own, glow::BYTE),
                (_, _, 10) => (own, glow::UNSIGNED_INT_2_10_10_10_REV),
                (_, _, 16) => (own, glow::UNSIGNED_SHORT),
                _ => (own, glow::UNSIGNED_BYTE),
            });
        }
        let needed = match wanted {
            Wanted::Layout => format!("of {format}"),
            Wanted::Floats => {
                format!("of floats or normalised integers in {} channels at least", format.words)
            }
        };
        let channels = counted(channels.into(), "channel");
        Err(format!("its texels have {channels} of {} bits, {name}; they must be {needed}", sizes[0]))
    }

    /// Checks the size of the texture that is bound. ES 3.0 and WebGL do not tell it, but refuse an upload outside of it, even
    /// one of no texels.
    ///
    /// # Safety
    ///
    /// The context must be current.
    unsafe fn check_size(&self, (external, kind): (u32, u32)) -> Result<(), String> {
        let (gl, device) = (&self.gpu.0.gl, self.gpu.device());
        let (width, height) = (self.width, self.height);
        let is = |columns: u32, rows: u32| {
            format!("it has {columns} x {rows} texels; the layout says {width} x {height}")
        };
        if device.api == Api::Gl || (device.version >= (3, 1) && !cfg!(target_family = "wasm")) {
            // SAFETY: by the caller's promise, and these versions have the call.
            let fact = |name| unsafe { gl.get_tex_level_parameter_i32(glow::TEXTURE_2D, 0, name) as u32 };
            let found = (fact(glow::TEXTURE_WIDTH), fact(glow::TEXTURE_HEIGHT));
            return if found == (width, height) { Ok(()) } else { Err(is(found.0, found.1)) };
        }
        state::set_for_transfer(gl, device.api);
        #[cfg(target_family = "wasm")]
        let probe = super::page::Probe::new(self, kind);
        let reaches = |x: u32, y: u32| {
            #[cfg(target_family = "wasm")]
            if let Some(probe) = &probe {
                return (x, y) == (0, 0) || probe.has(x.saturating_sub(1), y.saturating_sub(1));
            }
            let nothing = glow::PixelUnpackData::Slice(Some(&[]));
            // SAFETY: by the caller's promise; nothing is uploaded.
            unsafe {
                gl.tex_sub_image_2d(glow::TEXTURE_2D, 0, x as i32, y as i32, 0, 0, external, kind, nothing);
                gl.get_error() == glow::NO_ERROR
            }
        };
        let outside = device.max_texture_size + 1;
        let tells = reaches(0, 0) && !reaches(outside, 0);
        let right = reaches(width, height) && !reaches(width + 1, 0) && !reaches(0, height + 1);
        let result = if right || !tells {
            Ok(())
        } else {
            // Its size, by halving.
            let size = |reaches: &dyn Fn(u32) -> bool| {
                let (mut least, mut most) = (0, outside);
                while most - least > 1 {
                    let middle = least.midpoint(most);
                    if reaches(middle) { least = middle } else { most = middle }
                }
                least
            };
            Err(is(size(&|x| reaches(x, 0)), size(&|y| reaches(0, y))))
        };
        // A debug context complains of the uploads outside.
        let _ = self.gpu.0.debug.check("asking for a size");
        result
    }

    /// Returns true if the other one is this texture of the same context, whichever name it has.
    pub fn is(&self, other: &Texture) -> bool {
        #[cfg(target_family = "wasm")]
        if self.object.get().is_some() && self.object == other.object {
            return true;
        }
        self.id == other.id
    }

    /// The texture as the page has it. The context must be current.
    #[cfg(target_family = "wasm")]
    pub fn object(&self) -> &web_sys::WebGlTexture {
        let target = if self.planes > 1 { glow::TEXTURE_2D_ARRAY } else { glow::TEXTURE_2D };
        let point = if self.planes > 1 { glow::TEXTURE_BINDING_2D_ARRAY } else { glow::TEXTURE_BINDING_2D };
        self.object.get_or_init(|| {
            // SAFETY: the context is current, and the texture is alive.
            unsafe { bind(&self.gpu.0.gl, target, self.id) };
            self.gpu
                .0
                .gl
                .object(point)
                .unwrap_or_else(|| wasm_bindgen::JsCast::unchecked_into(wasm_bindgen::JsValue::NULL))
        })
    }

    /// Fills the texture row by row; texels beyond `words` become zero.
    ///
    /// `words` must not be longer than the texture.
    pub fn upload(&self, words: &[u8]) -> Result<(), Error> {
        check_unless_waiting(&self.gpu.0.gl, EARLIER)?;
        (0..self.planes).try_for_each(|plane| self.upload_plane(plane, 0, &self.plane(plane, words)?))
    }

    /// Returns true if the words of a stream lie in its texels one after the other.
    #[cfg(target_family = "wasm")]
    pub fn is_plain(&self) -> bool {
        self.planes == 1 && self.texel() == self.format.words as usize * 4
    }

    /// The bytes of a texel that lie in a plane.
    fn part(&self, plane: u32) -> Range<usize> {
        let bytes = PLANE as usize * 4;
        let first = plane as usize * bytes;
        first..self.texel().min(first + bytes)
    }

    /// The texels of a plane, of these words.
    fn plane<'a>(&self, plane: u32, words: &'a [u8]) -> Result<Cow<'a, [u8]>, Error> {
        let (texel, wide, part) = (self.texel(), self.format.words as usize * 4, self.part(plane));
        if texel == wide {
            return Ok(Cow::Borrowed(words));
        }
        let mut widened = memory::zeros(words.len() / texel * wide, "texels that are uploaded")?;
        for (from, to) in words.chunks(texel).zip(widened.chunks_mut(wide)) {
            to[..part.len()].copy_from_slice(&from[part.clone()]);
        }
        Ok(Cow::Owned(widened))
    }

    /// Fills the rows of a plane from `begin` on with whole texels.
    pub(super) fn upload_plane(&self, plane: u32, begin: usize, words: &[u8]) -> Result<(), Error> {
        let row = self.width as usize * self.format.words as usize * 4;
        let full = words.len() / row;
        let rest = self.height as usize - begin - full;
        let mut last: Vec<u8> = memory::zeros(row * rest, "the end of an upload")?;
        last[..words.len() - full * row].copy_from_slice(&words[full * row..]);

        let gl = &self.gpu.0.gl;
        let (_, external, kind) = names(self.format);
        state::set_for_transfer(gl, self.gpu.device().api);
        let target = if self.planes > 1 { glow::TEXTURE_2D_ARRAY } else { glow::TEXTURE_2D };
        let rows = |first: usize, count: usize, bytes: glow::PixelUnpackData<'_>| {
            let (first, width, count) = ((begin + first) as i32, self.width as i32, count as i32);
            // SAFETY: the context is current, and `bytes` holds `count` rows.
            unsafe {
                if self.planes > 1 {
                    let plane = plane as i32;
                    gl.tex_sub_image_3d(target, 0, 0, first, plane, width, count, 1, external, kind, bytes);
                } else {
                    gl.tex_sub_image_2d(target, 0, 0, first, width, count, external, kind, bytes);
                }
            }
        };
        // SAFETY: the context is current.
        unsafe { bind(gl, target, self.id) };
        if full > 0 {
            let words = &words[..full * row];
            let take = |range: Range<usize>, buffer, at: usize| {
                // SAFETY: the context is current, and the buffer holds these rows from `at` on.
                unsafe { gl.bind_buffer(glow::PIXEL_UNPACK_BUFFER, Some(buffer)) };
                let from = glow::PixelUnpackData::BufferOffset(at as u32);
                rows(range.start / row, range.len() / row, from);
                // SAFETY: the context is current.
                unsafe { gl.bind_buffer(glow::PIXEL_UNPACK_BUFFER, None) };
            };
            let pieces = Pieces::of_rows(row).and_then(|step| {
                self.gpu.in_pieces(TransferKind::Upload, |pieces| pieces.write(&self.gpu, words, step, take))
            });
            match pieces {
                Some(written) => written?,
                None => self.gpu.in_steps(TransferKind::Upload, words.len(), row, |range| {
                    let bytes = glow::PixelUnpackData::Slice(Some(&words[range.clone()]));
                    rows(range.start / row, range.len() / row, bytes);
                }),
            }
        }
        if !last.is_empty() {
            rows(full, rest, glow::PixelUnpackData::Slice(Some(&last)));
        }
        check_unless_waiting(gl, "uploading")
    }

    /// Reads the first bytes, row by row, into a slice that is no longer than the texture.
    pub fn read_into(&self, data: &mut [u8]) -> Result<(), Error> {
        self.gpu.0.gl.check_earlier()?;
        if data.is_empty() {
            return Ok(());
        }
        self.gpu.wait_if_bounded("reading back")?;
        (0..self.planes).try_for_each(|plane| self.read_plane(plane, data))?;
        check_error(&self.gpu.0.gl, "reading back")
    }

    /// Reads the words of a plane to their places among the others.
    fn read_plane(&self, plane: u32, data: &mut [u8]) -> Result<(), Error> {
        let (texel, row, part) = (self.texel(), self.width as usize * self.texel(), self.part(plane));
        let reader = Reader::new(self, plane)?;
        let (whole, rest) = data.split_at_mut(data.len() / row * row);
        let rows = whole.len() / row;
        if reader.words * 4 == texel {
            if rows > 0 {
                let put = |range: Range<usize>, buffer, at: usize| {
                    // SAFETY: the context is current, and the buffer has room for these rows from `at` on.
                    unsafe { reader.gl.bind_buffer(glow::PIXEL_PACK_BUFFER, Some(buffer)) };
                    let to = glow::PixelPackData::BufferOffset(at as u32);
                    reader.read_with(range.start / row, self.width as usize, range.len() / row, to);
                    // SAFETY: the context is current.
                    unsafe { reader.gl.bind_buffer(glow::PIXEL_PACK_BUFFER, None) };
                };
                let pieces = Pieces::of_rows(row).and_then(|step| {
                    self.gpu.in_pieces(TransferKind::Read, |pieces| {
                        pieces.read(&self.gpu, &mut *whole, step, put)
                    })
                });
                match pieces {
                    Some(read) => read?,
                    None => self.gpu.in_steps(TransferKind::Read, whole.len(), row, |range| {
                        let (first, rows) = (range.start / row, range.len() / row);
                        reader.read(first, self.width as usize, rows, &mut whole[range]);
                    }),
                }
            }
        } else {
            // Rows of four channels, a megabyte at a time.
            let wide = self.width as usize * reader.words * 4;
            let many = ((1 << 20) / wide).clamp(1, rows.max(1));
            let mut chunk = memory::zeros(many * wide, "rows that are read")?;
            let of = whole.len();
            for (number, rows) in whole.chunks_mut(many * row).enumerate() {
                let count = rows.len() / row;
                reader.read(number * many, self.width as usize, count, &mut chunk[..count * wide]);
                pack(&chunk, reader.words * 4, rows, texel, &part);
                self.gpu.report(TransferKind::Read, number * many * row + rows.len(), of);
            }
        }
        if !rest.is_empty() {
            let texels = rest.len().div_ceil(texel);
            let mut last = memory::zeros(texels * reader.words * 4, "the last row that is read")?;
            reader.read(rows, texels, 1, &mut last);
            pack(&last, reader.words * 4, rest, texel, &part);
        }
        Ok(())
    }

    /// Reads the first `bytes` bytes, row by row.
    pub fn read(&self, bytes: usize) -> Result<Vec<u8>, Error> {
        let mut data = memory::zeros(bytes, "texels that are read")?;
        self.read_into(&mut data).map(|()| data)
    }

    /// Starts to read the rows that hold the first bytes, plane by plane, into the buffer that `make` makes for so many
    /// bytes. Returns the bytes in it, and those of a texel there.
    pub fn read_to_buffer(
        &self,
        bytes: usize,
        make: impl FnOnce(usize) -> Result<glow::Buffer, Error>,
    ) -> Result<(usize, usize), Error> {
        check_unless_waiting(&self.gpu.0.gl, EARLIER)?;
        let rows = bytes.div_ceil(self.width as usize * self.texel());
        let readers =
            (0..self.planes).map(|plane| Reader::new(self, plane)).collect::<Result<Vec<_>, _>>()?;
        let wide = readers[0].words * 4;
        let plane = rows * self.width as usize * wide;
        let staged = plane * readers.len();
        let buffer = make(staged)?;
        for (number, reader) in readers.iter().enumerate() {
            let at = glow::PixelPackData::BufferOffset((number * plane) as u32);
            // SAFETY: the context is current, and the buffer is long enough.
            unsafe {
                reader.gl.bind_framebuffer(glow::READ_FRAMEBUFFER, Some(reader.framebuffer));
                reader.gl.bind_buffer(glow::PIXEL_PACK_BUFFER, Some(buffer));
                reader.read_with(0, self.width as usize, rows, at);
                reader.gl.bind_buffer(glow::PIXEL_PACK_BUFFER, None);
            }
        }
        Ok((staged, wide))
    }

    /// The bytes of a texel in each plane.
    pub fn parts(&self) -> Vec<Range<usize>> {
        (0..self.planes).map(|plane| self.part(plane)).collect()
    }

    /// Its planes, to draw into.
    pub fn targets(&self) -> impl Iterator<Item = Attachment> {
        (0..self.planes).map(|plane| self.target(plane))
    }

    pub(super) fn target(&self, plane: u32) -> Attachment {
        Attachment { texture: Some(self.id), layer: (self.planes > 1).then_some(plane) }
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
    fn new(texture: &'a Texture, plane: u32) -> Result<Reader<'a>, Error> {
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
            texture.target(plane).attach(gl, glow::READ_FRAMEBUFFER, glow::COLOR_ATTACHMENT0);
            gl.read_buffer(glow::COLOR_ATTACHMENT0);
            if api == Api::Gles {
                // ES promises four channels, and one more format of its choice.
                let asked = || {
                    let own = [glow::IMPLEMENTATION_COLOR_READ_FORMAT, glow::IMPLEMENTATION_COLOR_READ_TYPE]
                        .map(|name| gl.get_parameter_i32(name) as u32);
                    own == [external, kind]
                };
                let mut own = texture.gpu.0.read_as_they_are.borrow_mut();
                if !*own.entry(texture.format).or_insert_with(asked) {
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
}

/// Copies the texels of a plane as they were read, of `wide` bytes each, to their part of each of `texel` bytes, without
/// the channels that the texture lacks, until `packed` is full.
pub fn pack(read: &[u8], wide: usize, packed: &mut [u8], texel: usize, part: &Range<usize>) {
    for (from, to) in read.chunks(wide).zip(packed.chunks_mut(texel)) {
        // The last texel may end before this part of it.
        let to = to.get_mut(part.start..).unwrap_or_default();
        let count = part.len().min(to.len());
        to[..count].copy_from_slice(&from[..count]);
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
        let gl = &self.gpu.0.gl;
        match (self.owner, self.gpu.make_current()) {
            // SAFETY: the context is current, and the texture is ours.
            (Owner::Us, Ok(_current)) => unsafe { gl.delete_texture(self.id) },
            #[cfg(target_family = "wasm")]
            (Owner::Page, _) => gl.forget(self.id),
            _ => {}
        }
    }
}
