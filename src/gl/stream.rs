//! A stream of numbers on the GPU.

use std::rc::Rc;

use super::gpu::Gpu;
use super::texture::Texture;
use crate::element::Element;
use crate::error::Error;
use crate::plan::Layout;

/// Numbers in a texture, in a [`Layout`]. Cheap to clone: clones share the texture.
#[derive(Clone)]
pub struct Stream {
    pub(super) gpu: Gpu,
    pub(super) texture: Rc<Texture>,
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
        let texture = Texture::new(gpu, layout)?;
        texture.upload(bytemuck::cast_slice(data))?;
        Ok(Stream { gpu: gpu.clone(), texture: Rc::new(texture), layout: *layout })
    }

    /// How the stream lies in its texture.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The texture, for a caller who draws with it in the same context. It stays the stream's.
    pub fn texture(&self) -> glow::Texture {
        self.texture.id
    }

    /// Reads the stream back: [`Layout::elements`] numbers. Waits for the GPU.
    ///
    /// Errors: [`Error::ElementMismatch`], [`Error::Gl`].
    pub fn read<T: Element>(&self) -> Result<Vec<T>, Error> {
        if T::TYPE != self.layout.element {
            return Err(Error::ElementMismatch {
                what: "the stream",
                got: self.layout.element,
                expected: T::TYPE,
            });
        }
        let bytes = self.gpu.enter("reading a stream", || self.read_bytes())?;
        Ok(bytemuck::pod_collect_to_vec(&bytes))
    }

    /// The words of all elements, little-endian on every machine that OpenGL runs on here.
    pub(super) fn read_bytes(&self) -> Result<Vec<u8>, Error> {
        let bytes = self.layout.elements() * u64::from(self.layout.element.words()) * 4;
        self.texture.read(bytes as usize)
    }
}
