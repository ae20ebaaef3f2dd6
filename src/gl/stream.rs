//! A stream of numbers on the GPU.

use std::rc::Rc;

use super::buffer::Buffer;
use super::gpu::Gpu;
use super::texture::Texture;
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
        self.upload(&memory::filled(0, words as usize * 4, "zeros")?)
    }

    /// Reads the first `bytes` bytes.
    pub fn read(&self, bytes: usize) -> Result<Vec<u8>, Error> {
        match self {
            Memory::Texture(texture) => texture.read(bytes),
            Memory::Buffer(buffer) => buffer.read(bytes),
        }
    }
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
        if T::TYPE != layout.element {
            return Err(Error::ElementMismatch { what: "the data", got: T::TYPE, expected: layout.element });
        }
        if data.len() as u64 != layout.elements() {
            return Err(Error::Length {
                what: "the data",
                got: data.len() as u64,
                expected: layout.elements(),
            });
        }
        let memory = Memory::new(gpu, layout)?;
        memory.upload(bytemuck::cast_slice(data))?;
        Ok(Stream { gpu: gpu.clone(), memory: Rc::new(memory), layout: *layout })
    }

    /// The layout of the stream in its memory.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The texture, for a caller that draws with it in the same context; `None` if the stream is in a buffer. Item `i` is
    /// where [`Self::layout`] puts it, in texels of [`Layout::format`]: `R32UI` is read through a `usampler2D`; 64-bit
    /// integers are two channels, the lower word first. Filters are nearest. The stream keeps owning the texture, and the
    /// next run overwrites a result.
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

    /// Reads back the first `items` items, or all if there are fewer. Waits for the GPU.
    ///
    /// Errors: [`Error::ElementMismatch`], [`Error::Gl`].
    pub fn read_first<T: Element>(&self, items: u64) -> Result<Vec<T>, Error> {
        if T::TYPE != self.layout.element {
            return Err(Error::ElementMismatch {
                what: "the stream",
                got: self.layout.element,
                expected: T::TYPE,
            });
        }
        let bytes = self.gpu.enter("reading a stream", || self.read_bytes(items))?;
        let mut numbers = memory::filled(T::zeroed(), bytes.len() / size_of::<T>(), "numbers that are read")?;
        bytemuck::cast_slice_mut(&mut numbers).copy_from_slice(&bytes);
        Ok(numbers)
    }

    /// The words of the first items, little-endian on every machine that this crate runs on.
    pub(super) fn read_bytes(&self, items: u64) -> Result<Vec<u8>, Error> {
        let layout = &self.layout;
        let words = u64::from(layout.element.words() * layout.arity);
        self.memory.read((items.min(layout.len) * words * 4) as usize)
    }
}
