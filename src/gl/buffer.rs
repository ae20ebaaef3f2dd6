//! Buffers as storage of streams: dispatches read and write them, draws read them as vertices or as a texture, and
//! captures write them.

use std::ops::Range;

use glow::HasContext;

use super::functions::GlFunctions;
use super::gpu::Gpu;
use super::pieces::{Pieces, TransferKind};
use super::texture::check_error;
use super::wide::{Calls, Wide};
use crate::error::Error;
use crate::memory;
use crate::plan::Layout;
use crate::unsupported::Unsupported;

/// A buffer object, deleted when dropped unless it is the caller's.
pub struct Buffer {
    gpu: Gpu,
    /// The OpenGL name.
    pub id: glow::Buffer,
    owned: bool,
    /// The size: a multiple of four words, since shaders read four at a time.
    pub bytes: usize,
    /// The buffer as textures, as far as the device reads it as such: a texel for each item, for draws, and where dispatches
    /// load through textures also texels of 1, 2 and 4 words.
    views: [Option<glow::Texture>; 3],
    item_words: u32,
}

/// Words of a texel, and the sized format of such a one: in the order of [`Buffer::views`].
const TEXELS: [(u32, u32); 3] = [(1, glow::R32UI), (2, glow::RG32UI), (4, glow::RGBA32UI)];

impl Buffer {
    /// Allocates storage for a layout; its content is undefined.
    pub fn new(gpu: &Gpu, layout: &Layout) -> Result<Buffer, Error> {
        const DURING: &str = "allocating a buffer";
        let calls = gpu.calls();
        let gl = calls.gl;
        let (bytes, most) = (layout.bytes(), calls.wide.longest(gpu.device().software));
        if bytes > most {
            return Err(Unsupported::too_large(format!(
                "a buffer of {bytes} bytes is larger than {most}; use a shorter stream"
            ))
            .into());
        }
        gl.check_earlier()?;
        // SAFETY: the context is current; no memory of ours is handed over.
        let id = unsafe {
            if let Some(id) = gpu.sparse().and_then(|sparse| sparse.buffer(gl, bytes)) {
                id
            } else {
                let id = gl.create_buffer().map_err(|what| Error::Gl { during: DURING, what })?;
                gl.bind_buffer(glow::ARRAY_BUFFER, Some(id));
                calls.buffer_data(glow::ARRAY_BUFFER, bytes, glow::DYNAMIC_COPY);
                id
            }
        };
        Buffer::with_views(gpu, id, true, layout, DURING)
    }

    /// The caller's buffer, which must be long enough for the layout.
    pub fn wrap(gpu: &Gpu, id: glow::Buffer, layout: &Layout) -> Result<Buffer, Error> {
        const DURING: &str = "wrapping a buffer";
        let gl = &gpu.0.gl;
        gl.check_earlier()?;
        // SAFETY: the context is current; the caller promises that the buffer is one of its own.
        let size = unsafe {
            // To bind the name of a deleted buffer would make a new one.
            if !gl.is_buffer(id) {
                return Err(Error::Gl { during: DURING, what: "this context has no such buffer".into() });
            }
            gl.bind_buffer(glow::ARRAY_BUFFER, Some(id));
            check_error(gl, DURING)?;
            gl.get_buffer_parameter_i32(glow::ARRAY_BUFFER, glow::BUFFER_SIZE)
        };
        let needed = layout.bytes();
        if (size.max(0) as u64) < needed {
            let what = format!(
                "it has {size} bytes, and {layout} takes {needed}, since shaders read four words at a time"
            );
            return Err(Error::Gl { during: DURING, what });
        }
        Buffer::with_views(gpu, id, false, layout, DURING)
    }

    /// A buffer with the textures through which passes read it, if they can.
    fn with_views(
        gpu: &Gpu,
        id: glow::Buffer,
        owned: bool,
        layout: &Layout,
        during: &'static str,
    ) -> Result<Buffer, Error> {
        let (gl, device) = (&gpu.0.gl, gpu.device());
        let (bytes, item_words) = (layout.bytes(), layout.words_per_texel());
        let mut buffer =
            Buffer { gpu: gpu.clone(), id, owned, bytes: bytes as usize, views: [None; 3], item_words };
        for ((words, format), view) in TEXELS.into_iter().zip(&mut buffer.views) {
            // A device without buffer textures must not be asked for one, not even an empty one.
            let texels = (bytes / 4 / u64::from(words)).max(1);
            let read = words == item_words || device.loads_through_textures();
            if !read || texels > device.max_buffer_texels.into() {
                continue;
            }
            // SAFETY: the context is current, and the buffer is alive.
            unsafe {
                let texture = gl.create_texture().map_err(|what| Error::Gl { during, what })?;
                *view = Some(texture);
                gl.active_texture(glow::TEXTURE0);
                gl.bind_texture(glow::TEXTURE_BUFFER, Some(texture));
                gl.tex_buffer(glow::TEXTURE_BUFFER, format, Some(id));
            }
        }
        check_error(gl, during)?;
        Ok(buffer)
    }

    /// The buffer as a texture with a texel for each item; `None` if the device or the item's words do not allow it.
    pub fn view(&self) -> Option<glow::Texture> {
        self.view_of(self.item_words)
    }

    /// The same with texels of so many words.
    pub fn view_of(&self, words: u32) -> Option<glow::Texture> {
        let place = TEXELS.iter().position(|texel| texel.0 == words)?;
        self.views[place]
    }

    /// Writes the first bytes. `words` must not be longer than the buffer.
    pub fn upload(&self, words: &[u8]) -> Result<(), Error> {
        let calls = self.gpu.calls();
        let gl = calls.gl;
        gl.check_earlier()?;
        let take =
            |range: Range<usize>, from, at| copy(calls, [from, self.id], [at, range.start], range.len());
        let pieces = self
            .gpu
            .in_pieces(TransferKind::Upload, |pieces| pieces.write(&self.gpu, words, Pieces::WHOLE, take));
        match pieces {
            Some(result) => result?,
            // SAFETY: the context is current, and the buffer is as long as the slice.
            None => self.gpu.in_steps(TransferKind::Upload, words.len(), 4, |range| unsafe {
                gl.bind_buffer(glow::ARRAY_BUFFER, Some(self.id));
                calls.buffer_sub_data(glow::ARRAY_BUFFER, range.start as u64, &words[range]);
            }),
        }
        check_error(gl, "uploading")
    }

    /// Reads the first `bytes` bytes.
    pub fn read(&self, bytes: usize) -> Result<Vec<u8>, Error> {
        let mut data = memory::zeros(bytes, "numbers that are read")?;
        self.read_into(&mut data).map(|()| data)
    }

    /// Reads the first bytes into a slice that is no longer than the buffer.
    pub fn read_into(&self, data: &mut [u8]) -> Result<(), Error> {
        const DURING: &str = "reading back";
        self.gpu.wait_if_bounded(DURING)?;
        let calls = self.gpu.calls();
        let gl = calls.gl;
        gl.check_earlier()?;
        let put = |range: Range<usize>, to, at| copy(calls, [self.id, to], [range.start, at], range.len());
        let pieces =
            self.gpu.in_pieces(TransferKind::Read, |pieces| pieces.read(&self.gpu, data, Pieces::WHOLE, put));
        match pieces {
            Some(result) => result.and_then(|()| check_error(gl, DURING)),
            None => self.read_directly(data),
        }
    }

    fn read_directly(&self, data: &mut [u8]) -> Result<(), Error> {
        let (calls, bytes) = (self.gpu.calls(), data.len());
        let gl = calls.gl;
        let mut read = true;
        // The memory of a software renderer stays where it is.
        if self.gpu.device().software && self.owned {
            // SAFETY: the context is current, and the buffer is no shorter than the slice.
            self.gpu.in_steps(TransferKind::Read, bytes, 4, |range| unsafe {
                gl.bind_buffer(glow::ARRAY_BUFFER, Some(self.id));
                read = read && copy_bound(calls, range.start, &mut data[range]);
            });
            check_error(gl, "reading back")?;
            if read {
                return Ok(());
            }
        }
        self.gpu.report(TransferKind::Read, 0, bytes);
        read_into(calls, self.id, data)?;
        self.gpu.report(TransferKind::Read, bytes, bytes);
        Ok(())
    }
}

/// The first `bytes` bytes of a short buffer: see [`read_into`].
pub fn read_back(gl: &GlFunctions, buffer: glow::Buffer, bytes: usize) -> Result<Vec<u8>, Error> {
    let mut data = memory::zeros(bytes, "numbers that are read")?;
    read_into(Calls { gl, wide: Wide::default() }, buffer, &mut data).map(|()| data)
}

/// Reads the first bytes of a buffer through a temporary one: a driver may move a buffer that the CPU maps out of the
/// GPU's memory, for good.
fn read_into(calls: Calls<'_>, buffer: glow::Buffer, data: &mut [u8]) -> Result<(), Error> {
    let gl = calls.gl;
    if data.is_empty() {
        return Ok(());
    }
    let staging = Staging::of_buffer(calls, buffer, data.len())?;
    // SAFETY: the context is current; the temporary buffer is as long as the slice.
    let read = unsafe {
        let read = staging.read(calls, data);
        gl.delete_buffer(staging.0);
        read
    };
    check_error(gl, "reading back")?;
    read
}

/// A buffer on its way to the CPU. Its maker deletes it.
pub struct Staging(pub glow::Buffer);

impl Staging {
    /// An empty one of so many bytes, bound to `target`.
    pub fn new(calls: Calls<'_>, target: u32, bytes: usize) -> Result<Staging, Error> {
        let gl = calls.gl;
        let failed = |what| Error::Gl { during: "reading back", what };
        let most = calls.wide.longest(false);
        if bytes as u64 > most {
            return Err(failed(format!("{bytes} bytes are more than a buffer can hold: at most {most}")));
        }
        // SAFETY: the context is current.
        unsafe {
            let staging = gl.create_buffer().map_err(failed)?;
            gl.bind_buffer(target, Some(staging));
            calls.buffer_data(target, bytes as u64, glow::STREAM_READ);
            Ok(Staging(staging))
        }
    }

    /// A copy of the first bytes of a buffer.
    pub fn of_buffer(calls: Calls<'_>, buffer: glow::Buffer, bytes: usize) -> Result<Staging, Error> {
        calls.gl.check_earlier()?;
        let staging = Staging::new(calls, glow::ARRAY_BUFFER, bytes)?;
        copy(calls, [buffer, staging.0], [0, 0], bytes);
        Ok(staging)
    }

    /// Copies its first bytes to memory. Waits until they are there.
    ///
    /// # Safety
    ///
    /// The context must be current, and the buffer at least as long as the slice.
    pub unsafe fn read(&self, calls: Calls<'_>, data: &mut [u8]) -> Result<(), Error> {
        // SAFETY: by the caller's promise.
        let read = unsafe {
            calls.gl.bind_buffer(glow::ARRAY_BUFFER, Some(self.0));
            copy_bound(calls, 0, data)
        };
        let what = || "the buffer cannot be mapped".into();
        read.then_some(()).ok_or_else(|| Error::Gl { during: "reading back", what: what() })
    }
}

/// Copies bytes from a buffer to another one, each from its offset on. The context must be current, and the ranges lie in
/// the buffers.
fn copy(calls: Calls<'_>, [from, to]: [glow::Buffer; 2], at: [usize; 2], bytes: usize) {
    let gl = calls.gl;
    // Targets that the state of a call covers.
    const TARGETS: [u32; 2] = [glow::PIXEL_UNPACK_BUFFER, glow::ARRAY_BUFFER];
    // SAFETY: by the caller's promise.
    unsafe {
        gl.bind_buffer(TARGETS[0], Some(from));
        gl.bind_buffer(TARGETS[1], Some(to));
        calls.copy_buffer_sub_data(TARGETS, at.map(|at| at as u64), bytes as u64);
        gl.bind_buffer(TARGETS[0], None);
    }
}

/// Copies the array buffer that is bound to memory; false if it cannot be mapped.
///
/// # Safety
///
/// The context must be current, and the buffer hold as many bytes from `first` on as the slice, which is not empty.
unsafe fn copy_bound(calls: Calls<'_>, first: usize, data: &mut [u8]) -> bool {
    let gl = calls.gl;
    // SAFETY: by the caller's promise; the mapping is as long as the slice, and ends here.
    unsafe {
        if cfg!(target_family = "wasm") {
            // A page cannot map buffers.
            gl.get_buffer_sub_data(glow::ARRAY_BUFFER, first as i32, data);
            return true;
        }
        // ES has no other way to read a buffer.
        let range = first as u64..(first + data.len()) as u64;
        let mapped = calls.map_buffer_range(glow::ARRAY_BUFFER, range, glow::MAP_READ_BIT);
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
                self.views.iter().flatten().for_each(|view| self.gpu.0.gl.delete_texture(*view));
                if self.owned {
                    self.gpu.0.gl.delete_buffer(self.id);
                }
            }
        }
    }
}
