//! A stream of numbers on the GPU.

use std::fmt;
use std::rc::Rc;

use super::buffer::Buffer;
use super::gpu::Gpu;
use super::pending::Pending;
use super::state::Effects;
use super::texture::{Owner, Texture, Wanted};
use crate::element::Element;
use crate::error::Error;
use crate::memory;
use crate::plan::{Layout, Storage};

/// The storage of a stream.
pub(super) enum Memory {
    Texture(Texture),
    Buffer(Buffer),
}

impl Memory {
    /// Allocates a texture or a buffer, as the layout says.
    pub fn new(gpu: &Gpu, layout: &Layout) -> Result<Memory, Error> {
        Ok(match layout.storage {
            Storage::Texture => Memory::Texture(Texture::new(gpu, layout)?),
            Storage::Buffer => Memory::Buffer(Buffer::new(gpu, layout)?),
        })
    }

    /// The caller's texture or buffer.
    pub fn wrap(gpu: &Gpu, object: Wrapped, layout: &Layout) -> Result<Memory, Error> {
        Ok(match object {
            Wrapped::Texture(texture, owner, wanted) => {
                Memory::Texture(Texture::wrap(gpu, texture, owner, wanted, layout)?)
            }
            Wrapped::Buffer(buffer) => Memory::Buffer(Buffer::wrap(gpu, buffer, layout)?),
        })
    }

    /// Returns true if the other one is this texture or buffer, of the same context, whichever handle wraps it.
    pub fn is(&self, other: &Memory) -> bool {
        match (self, other) {
            (Memory::Texture(one), Memory::Texture(other)) => one.is(other),
            (Memory::Buffer(one), Memory::Buffer(other)) => one.id == other.id,
            _ => false,
        }
    }

    /// Writes the first words.
    pub fn upload(&self, words: &[u8]) -> Result<(), Error> {
        match self {
            Memory::Texture(texture) => texture.upload(words),
            Memory::Buffer(buffer) => buffer.upload(words),
        }
    }

    /// Sets every bit to 0.
    pub fn clear(&self, layout: &Layout) -> Result<(), Error> {
        let words = layout.len.max(1) * u64::from(layout.words_per_texel());
        self.upload(&memory::zeros(words as usize * 4, "zeros")?)
    }

    /// Reads the first bytes into a slice that is no longer than the memory.
    pub fn read_into(&self, data: &mut [u8]) -> Result<(), Error> {
        match self {
            Memory::Texture(texture) => texture.read_into(data),
            Memory::Buffer(buffer) => buffer.read_into(data),
        }
    }

    /// All its bytes.
    pub fn read_all(&self) -> Result<Vec<u8>, Error> {
        match self {
            Memory::Texture(texture) => {
                texture.read(texture.width as usize * texture.height as usize * texture.texel())
            }
            Memory::Buffer(buffer) => buffer.read(buffer.bytes),
        }
    }
}

/// An object of the caller's.
#[derive(Clone, Copy)]
pub(super) enum Wrapped {
    Texture(glow::Texture, Owner, Wanted),
    Buffer(glow::Buffer),
}

/// Numbers in a texture or a buffer, in a [`Layout`]. Cheap to clone: clones share the memory.
#[derive(Clone)]
pub struct Stream {
    pub(super) gpu: Gpu,
    pub(super) memory: Rc<Memory>,
    pub(super) layout: Layout,
}

impl Stream {
    pub(super) fn upload<T: Element>(gpu: &Gpu, layout: &Layout, data: &[T]) -> Result<Stream, Error> {
        check(layout, "the data", data)?;
        let memory = Memory::new(gpu, layout)?;
        memory.upload(bytemuck::cast_slice(data))?;
        Ok(Stream { gpu: gpu.clone(), memory: Rc::new(memory), layout: *layout })
    }

    pub(super) fn wrap(gpu: &Gpu, object: Wrapped, layout: &Layout) -> Result<Stream, Error> {
        let memory = Rc::new(Memory::wrap(gpu, object, layout)?);
        Ok(Stream { gpu: gpu.clone(), memory, layout: *layout })
    }

    /// Replaces the numbers in place: [`Layout::elements`] of them.
    ///
    /// Errors: [`Error::Length`], [`Error::ElementMismatch`], [`Error::Gl`].
    pub fn write<T: Element>(&self, data: &[T]) -> Result<(), Error> {
        check(&self.layout, "the data", data)?;
        self.gpu
            .enter("writing a stream", Effects::Transfers, || self.memory.upload(bytemuck::cast_slice(data)))
    }

    /// The layout of the stream in its memory.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The texture, for a caller that draws with it in the same context; `None` if the stream is in a buffer. Item `i` is
    /// where [`Self::layout`] puts it, in texels of [`Layout::format`]: `R32UI` is read through a `usampler2D`; 64-bit
    /// integers are two channels, the lower word first. With `per` items of one word in a texel and `width` columns, item `i`
    /// is channel `i % per` of `texelFetch(stream, ivec2(i / per % width, i / per / width), 0)`; OpenGL ES needs `precision
    /// highp int` for such an `i`. Items of more than four words lie in an array texture ([`Layout::planes`]). Filters are
    /// nearest. The stream keeps owning the texture, and the next run overwrites a result.
    pub fn texture(&self) -> Option<glow::Texture> {
        match &*self.memory {
            Memory::Texture(texture) => Some(texture.id),
            Memory::Buffer(_) => None,
        }
    }

    /// The buffer, for the same; `None` if the stream is in a texture. The stream keeps owning it.
    pub fn buffer(&self) -> Option<glow::Buffer> {
        match &*self.memory {
            Memory::Texture(_) => None,
            Memory::Buffer(buffer) => Some(buffer.id),
        }
    }

    /// Reads the stream back: [`Layout::elements`] numbers. Waits for the GPU.
    ///
    /// Errors: [`Error::ElementMismatch`], [`Error::Gl`].
    pub fn read<T: Element>(&self) -> Result<Vec<T>, Error> {
        self.read_first(self.layout.len)
    }

    /// Reads back the first `items` items. Waits for the GPU.
    ///
    /// Errors: [`Error::Length`] if the stream has fewer, [`Error::ElementMismatch`], [`Error::Gl`].
    pub fn read_first<T: Element>(&self, items: u64) -> Result<Vec<T>, Error> {
        let count = items.saturating_mul(self.layout.arity.into());
        self.check_read::<T>(count)?;
        let mut numbers = memory::zeros(count as usize, "numbers that are read")?;
        self.read_into(&mut numbers)?;
        Ok(numbers)
    }

    /// Reads back as many numbers as the slice holds, from the first on. Waits for the GPU. They are copied once, or
    /// twice where the device reads only texels of four channels.
    ///
    /// Errors: [`Error::Length`] if the slice is longer than the stream, [`Error::ElementMismatch`], [`Error::Gl`].
    pub fn read_into<T: Element>(&self, numbers: &mut [T]) -> Result<(), Error> {
        self.check_read::<T>(numbers.len() as u64)?;
        let bytes = bytemuck::cast_slice_mut(numbers);
        self.gpu.enter("reading a stream", Effects::Transfers, || self.memory.read_into(bytes))
    }

    /// Starts to read the stream back, and does not wait: [`Pending::poll`] gives the numbers when they are there. Later
    /// runs and writes do not change what is read.
    ///
    /// Errors: [`Error::ElementMismatch`], [`Error::Gl`].
    pub fn read_later<T: Element>(&self) -> Result<Pending<T>, Error> {
        let count = self.layout.elements();
        self.check_read::<T>(count)?;
        let start = || Pending::start(&self.gpu, &self.memory, count as usize);
        self.gpu.enter("reading a stream", Effects::Transfers, start)
    }

    /// Checks that a plan can read or write the stream.
    pub(super) fn check_suits(&self, gpu: &Gpu, expected: &Layout) -> Result<(), Error> {
        if !self.gpu.same_context(gpu) {
            return Err(Error::OtherContext);
        }
        if self.layout != *expected {
            let (got, expected) = (Box::new(self.layout), Box::new(*expected));
            return Err(Error::LayoutMismatch { got, expected });
        }
        Ok(())
    }

    fn check_read<T: Element>(&self, count: u64) -> Result<(), Error> {
        let (got, expected) = (self.layout.element, T::TYPE);
        if got != expected {
            return Err(Error::ElementMismatch { what: "the stream", got, expected });
        }
        if count > self.layout.elements() {
            let expected = self.layout.elements();
            return Err(Error::Length { what: "the part to read", got: count, expected });
        }
        Ok(())
    }

    /// All words, little-endian on every machine that this crate runs on. The context must be current.
    pub(super) fn read_bytes(&self) -> Result<Vec<u8>, Error> {
        let mut bytes = memory::zeros(self.layout.words() as usize * 4, "numbers that are read")?;
        self.memory.read_into(&mut bytes).map(|()| bytes)
    }
}

/// Checks that data are of a layout's element and length.
fn check<T: Element>(layout: &Layout, what: &'static str, data: &[T]) -> Result<(), Error> {
    if T::TYPE != layout.element {
        return Err(Error::ElementMismatch { what, got: T::TYPE, expected: layout.element });
    }
    let (got, expected) = (data.len() as u64, layout.elements());
    if got != expected {
        return Err(Error::Length { what, got, expected });
    }
    Ok(())
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Stream({})", self.layout)
    }
}
