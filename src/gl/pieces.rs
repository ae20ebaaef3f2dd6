//! Transfers in pieces, through memory of the driver's that stays mapped: while the GPU copies one piece, the CPU's
//! threads copy another. There is no second copy of the whole, and nothing is allocated for a transfer.
//!
//! Persistent mapping needs OpenGL 4.4, or `GL_ARB_buffer_storage`. Elsewhere, and on software renderers, whose memory is
//! the CPU's own, transfers are direct.

mod crew;

use std::ops::Range;

use glow::HasContext;

use super::gpu::Gpu;
use crate::error::Error;
use crew::Crew;

/// How numbers move between the CPU and the GPU, as [`Gpu::set_transfers`](super::Gpu::set_transfers) says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transfers {
    /// The driver copies between its memory and the caller's.
    Direct,
    /// In pieces of some megabytes, through memory that stays mapped.
    Pieces,
}

/// How far a transfer is, for [`Gpu::on_transfer`](super::Gpu::on_transfer).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Transfer {
    /// Its direction.
    pub kind: TransferKind,
    /// Bytes that are copied.
    pub bytes: usize,
    /// Bytes in all.
    pub of: usize,
}

/// Bytes of a piece, and the number of pieces.
const PIECE: usize = 4 << 20;
const COUNT: usize = 4;

/// Mapped memory in one direction. Its context deletes it.
pub(super) struct Pieces {
    buffer: glow::Buffer,
    memory: *mut u8,
    /// Set where the GPU may still be at work on a piece.
    fences: [Option<glow::Fence>; COUNT],
    next: usize,
}

/// The direction of a transfer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TransferKind {
    /// To the GPU.
    Upload,
    /// To the CPU.
    Read,
}

impl Pieces {
    /// Bytes of a piece of what has no rows.
    pub const WHOLE: usize = PIECE;

    /// Maps memory; `None` if the driver has none that stays mapped. The context must be current.
    pub fn new(gl: &glow::Context, kind: TransferKind) -> Option<Pieces> {
        let version = gl.version();
        let core = !version.is_embedded && (version.major, version.minor) >= (4, 4);
        if cfg!(target_family = "wasm")
            || !core && !gl.supported_extensions().contains("GL_ARB_buffer_storage")
        {
            return None;
        }
        let access = if kind == TransferKind::Upload { glow::MAP_WRITE_BIT } else { glow::MAP_READ_BIT };
        let access = access | glow::MAP_PERSISTENT_BIT | glow::MAP_COHERENT_BIT;
        let kept = if kind == TransferKind::Upload { 0 } else { glow::CLIENT_STORAGE_BIT };
        let bytes = (PIECE * COUNT) as i32;
        // SAFETY: the context is current; the buffer is new, and as long as the mapping.
        unsafe {
            let buffer = gl.create_buffer().ok()?;
            gl.bind_buffer(glow::ARRAY_BUFFER, Some(buffer));
            gl.buffer_storage(glow::ARRAY_BUFFER, bytes, None, access | kept);
            let memory = gl.map_buffer_range(glow::ARRAY_BUFFER, 0, bytes, access);
            if gl.get_error() != glow::NO_ERROR || memory.is_null() {
                gl.delete_buffer(buffer);
                return None;
            }
            Some(Pieces { buffer, memory, fences: [None; COUNT], next: 0 })
        }
    }

    /// Bytes of a piece of whole rows of so many; `None` if it has no room for one.
    pub fn of_rows(row: usize) -> Option<usize> {
        (row > 0 && row <= PIECE).then(|| PIECE / row * row)
    }

    /// Writes data in pieces of `step` bytes. `copy` makes the GPU take some bytes of it from an offset in the buffer.
    ///
    /// Errors: [`Error::Gl`], as the wait.
    pub fn write(
        &mut self,
        gpu: &Gpu,
        data: &[u8],
        step: usize,
        mut copy: impl FnMut(Range<usize>, glow::Buffer, usize),
    ) -> Result<(), Error> {
        Crew::with(data.len(), |crew| {
            for (number, piece) in data.chunks(step).enumerate() {
                let place = self.place(gpu, "uploading")?;
                // SAFETY: the piece is mapped, and the GPU has read what it held.
                unsafe { crew.copy(piece.as_ptr(), self.memory.add(place * PIECE), piece.len()) };
                let range = number * step..number * step + piece.len();
                copy(range.clone(), self.buffer, place * PIECE);
                self.fence(gpu, place, "uploading")?;
                gpu.report(TransferKind::Upload, range.end, data.len());
            }
            Ok(())
        })
    }

    /// Reads data in pieces of `step` bytes. `copy` makes the GPU put some bytes of it at an offset in the buffer.
    ///
    /// Errors: [`Error::Gl`], as the wait.
    pub fn read(
        &mut self,
        gpu: &Gpu,
        data: &mut [u8],
        step: usize,
        mut copy: impl FnMut(Range<usize>, glow::Buffer, usize),
    ) -> Result<(), Error> {
        let len = data.len();
        let range = |number: usize| number * step..len.min((number + 1) * step);
        let count = len.div_ceil(step);
        let first = self.next;
        Crew::with(len, |crew| {
            // All places but one are on their way while a piece is copied here.
            for number in 0..count + COUNT - 1 {
                if number < count {
                    let place = self.place(gpu, "reading back")?;
                    copy(range(number), self.buffer, place * PIECE);
                    self.fence(gpu, place, "reading back")?;
                }
                let Some(number) = number.checked_sub(COUNT - 1) else { continue };
                let (place, range) = ((first + number) % COUNT, range(number));
                self.wait(gpu, place, "reading back")?;
                // SAFETY: the piece is mapped, and the GPU has written it.
                unsafe {
                    let from = self.memory.add(place * PIECE);
                    crew.copy(from, data[range.clone()].as_mut_ptr(), range.len());
                }
                gpu.report(TransferKind::Read, range.end, len);
            }
            Ok(())
        })
    }

    /// The next place, once the GPU has done with it.
    fn place(&mut self, gpu: &Gpu, during: &'static str) -> Result<usize, Error> {
        let place = self.next;
        self.next = (place + 1) % COUNT;
        self.wait(gpu, place, during)?;
        Ok(place)
    }

    fn fence(&mut self, gpu: &Gpu, place: usize, during: &'static str) -> Result<(), Error> {
        // SAFETY: the context is current.
        let fence = unsafe { gpu.0.gl.fence_sync(glow::SYNC_GPU_COMMANDS_COMPLETE, 0) };
        self.fences[place] = Some(fence.map_err(|what| Error::Gl { during, what })?);
        Ok(())
    }

    fn wait(&mut self, gpu: &Gpu, place: usize, during: &'static str) -> Result<(), Error> {
        let Some(fence) = self.fences[place].take() else { return Ok(()) };
        gpu.wait_for(fence, during)
    }
}
