//! A readback that the CPU does not wait for: the GPU copies into a buffer of its own, and a fence tells when.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;

use glow::HasContext;

use super::buffer::Staging;
use super::gpu::Gpu;
use super::state::Effects;
use super::stream::Memory;
use super::texture::{check_error, check_unless_waiting, pack};
use crate::element::Element;
use crate::error::Error;
use crate::memory;

/// Numbers on their way from the GPU, from [`Stream::read_later`](crate::Stream::read_later).
///
/// Dropped before they have arrived, they are forgotten.
pub struct Pending<T> {
    pub(super) gpu: Gpu,
    /// The copy, until it is read.
    staging: Option<(Staging, glow::Fence)>,
    /// Numbers to read.
    count: usize,
    /// Bytes of a texel as it lies in the copy, and without the channels that the texture lacks.
    texel: [usize; 2],
    /// The bytes of a texel in each plane of the copy.
    parts: Vec<Range<usize>>,
    /// Bytes of the copy.
    bytes: usize,
    element: PhantomData<T>,
}

impl<T: Element> Pending<T> {
    /// Starts to copy. The context must be current.
    pub(super) fn start(gpu: &Gpu, from: &Memory, count: usize) -> Result<Pending<T>, Error> {
        let calls = gpu.calls();
        let gl = calls.gl;
        let needed = count * size_of::<T>();
        let failed = |what| Error::Gl { during: "reading back", what };
        let (mut bytes, mut texel, mut parts) = (needed, [4, 4], Vec::new());
        let staging = match from {
            _ if count == 0 => None,
            Memory::Buffer(buffer) => Some(Staging::of_buffer(calls, buffer.id, bytes)?),
            Memory::Texture(texture) => {
                let mut staging = None;
                let (staged, wide) = texture.read_to_buffer(needed, |bytes| {
                    Ok(staging.insert(Staging::new(calls, glow::PIXEL_PACK_BUFFER, bytes)?).0)
                })?;
                (bytes, texel, parts) = (staged, [wide, texture.texel()], texture.parts());
                staging
            }
        };
        // SAFETY: the context is current.
        let fence = |staging| unsafe {
            let fence = gl.fence_sync(glow::SYNC_GPU_COMMANDS_COMPLETE, 0).map_err(failed)?;
            // A fence that is not sent to the GPU may never be passed.
            gl.flush();
            Ok::<_, Error>((staging, fence))
        };
        let staging = staging.map(fence).transpose()?;
        check_unless_waiting(gl, "reading back")?;
        Ok(Pending { gpu: gpu.clone(), staging, count, texel, parts, bytes, element: PhantomData })
    }

    /// The numbers, once they have arrived; `None` before that, at once. After it has returned them, it returns an empty
    /// list.
    ///
    /// In a page, a fence is passed only between two tasks of the browser: a loop that polls waits forever.
    ///
    /// Errors: [`Error::ContextLost`], [`Error::Gl`], [`Error::NotCurrent`].
    pub fn poll(&mut self) -> Result<Option<Vec<T>>, Error> {
        self.poll_with(Pending::numbers)
    }

    /// The same, read from the copy by `read`.
    pub(super) fn poll_with<R: Default>(
        &mut self,
        read: impl FnOnce(&Pending<T>, &Staging) -> Result<R, Error>,
    ) -> Result<Option<R>, Error> {
        const DURING: &str = "reading a stream";
        let gpu = self.gpu.clone();
        let Some((_, fence)) = &self.staging else { return Ok(Some(R::default())) };
        {
            let _current = gpu.make_current().map_err(|error| error.in_call(DURING))?;
            // SAFETY: the context is current, and the fence is ours.
            if unsafe { gpu.0.gl.get_sync_status(*fence) } != glow::SIGNALED {
                return Ok(None);
            }
        }
        gpu.enter(DURING, Effects::Bindings, || self.take(read).map(Some))
    }

    /// Waits for the numbers.
    ///
    /// Errors: [`Error::ContextLost`], [`Error::Gl`], [`Error::NotCurrent`].
    pub fn wait(mut self) -> Result<Vec<T>, Error> {
        let gpu = self.gpu.clone();
        gpu.enter("reading a stream", Effects::Transfers, || {
            gpu.wait_if_bounded("reading back")?;
            self.take(Pending::numbers)
        })
    }

    /// Reads the copy and deletes it. The context must be current.
    fn take<R: Default>(
        &mut self,
        read: impl FnOnce(&Pending<T>, &Staging) -> Result<R, Error>,
    ) -> Result<R, Error> {
        let gl = &self.gpu.0.gl;
        let Some((staging, fence)) = self.staging.take() else { return Ok(R::default()) };
        let result = read(self, &staging);
        // SAFETY: the context is current, and the objects are ours.
        unsafe {
            gl.delete_buffer(staging.0);
            gl.delete_sync(fence);
        }
        let check = match cfg!(target_family = "wasm") {
            // What the page did since may have failed, too.
            true => gl.set_aside_errors(),
            false => check_error(gl, "reading back"),
        };
        result.and_then(|result| check.map(|()| result))
    }

    /// Bytes of the numbers, if they lie in the copy one after the other.
    #[cfg(target_family = "wasm")]
    pub(super) fn bytes(&self) -> Option<usize> {
        (self.texel[0] == self.texel[1]).then_some(self.count * size_of::<T>())
    }

    /// The numbers in the copy. The context must be current.
    pub(super) fn numbers(&self, staging: &Staging) -> Result<Vec<T>, Error> {
        let calls = self.gpu.calls();
        let [wide, texel] = self.texel;
        let mut numbers = memory::zeros(self.count, "numbers that are read")?;
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut numbers);
        // SAFETY: the context is current, and the copy is at least as long as what is read of it.
        unsafe {
            if wide == texel {
                staging.read(calls, bytes)?;
            } else {
                let mut texels = memory::zeros(self.bytes, "texels that are read")?;
                staging.read(calls, &mut texels)?;
                let planes = texels.chunks(texels.len() / self.parts.len());
                planes.zip(&self.parts).for_each(|(plane, part)| pack(plane, wide, bytes, texel, part));
            }
        }
        Ok(numbers)
    }
}

impl<T> fmt::Debug for Pending<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pending({} numbers)", self.count)
    }
}

impl<T> Drop for Pending<T> {
    fn drop(&mut self) {
        if let (Some((staging, fence)), Ok(_current)) = (self.staging.take(), self.gpu.make_current()) {
            // SAFETY: the context is current, and the objects are ours.
            unsafe {
                self.gpu.0.gl.delete_buffer(staging.0);
                self.gpu.0.gl.delete_sync(fence);
            }
        }
    }
}
