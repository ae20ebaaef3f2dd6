//! Pixels that somebody else's painter fills, for pictures without a window.

use std::sync::Arc;

use glow::HasContext;

use super::Gpu;
use super::gpu::Current;
use crate::error::Error;
use crate::memory;

/// A framebuffer of RGBA pixels, in a context of this crate or of a caller.
pub struct Offscreen {
    gpu: Gpu,
    framebuffer: glow::Framebuffer,
    renderbuffer: glow::Renderbuffer,
    size: [u32; 2],
}

impl Offscreen {
    /// A framebuffer of one pixel, which [`Self::begin`] makes larger.
    pub fn new(gpu: Gpu) -> Result<Offscreen, Error> {
        let current = gpu.make_current()?;
        let gl = gpu.glow();
        let failed = |what| Error::Gl { during: "making a framebuffer", what };
        // SAFETY: the context is current.
        let (framebuffer, renderbuffer) =
            unsafe { (gl.create_framebuffer().map_err(failed)?, gl.create_renderbuffer().map_err(failed)?) };
        drop(current);
        Ok(Offscreen { gpu, framebuffer, renderbuffer, size: [0; 2] })
    }

    /// Keeps the context current for a painter, until what is given back is dropped.
    pub fn hold(&self) -> Result<Current, Error> {
        self.gpu.make_current()
    }

    /// Binds the framebuffer, in this size, for a painter to draw into while the context is held.
    ///
    /// Errors: [`Error::Gl`], where it is larger than the device allows.
    pub fn begin(&mut self, size: [u32; 2]) -> Result<(), Error> {
        let _current = self.gpu.make_current()?;
        let gl = self.gpu.glow();
        let failed = |what: String| Error::Gl { during: "making a framebuffer", what };
        // SAFETY: the context is current; the objects are ours.
        unsafe {
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(self.framebuffer));
            if self.size == size {
                return Ok(());
            }
            let most = gl.get_parameter_i32(glow::MAX_RENDERBUFFER_SIZE).max(0) as u32;
            let [width, height] = size;
            if width == 0 || height == 0 || width > most || height > most {
                return Err(failed(format!("{width} x {height} pixels; expected 1 to {most} each way")));
            }
            gl.bind_renderbuffer(glow::RENDERBUFFER, Some(self.renderbuffer));
            gl.renderbuffer_storage(glow::RENDERBUFFER, glow::RGBA8, width as i32, height as i32);
            gl.bind_renderbuffer(glow::RENDERBUFFER, None);
            let (attachment, target) = (glow::COLOR_ATTACHMENT0, glow::RENDERBUFFER);
            gl.framebuffer_renderbuffer(glow::FRAMEBUFFER, attachment, target, Some(self.renderbuffer));
            let status = gl.check_framebuffer_status(glow::FRAMEBUFFER);
            if status != glow::FRAMEBUFFER_COMPLETE {
                return Err(failed(format!("the framebuffer is incomplete ({status:#x})")));
            }
        }
        self.size = size;
        Ok(())
    }

    /// The same in the size that it has, or the least.
    pub fn begin_again(&mut self) -> Result<(), Error> {
        self.begin(self.size.map(|side| side.max(1)))
    }

    /// The pixels, row by row from the top, as RGBA; binds the window's framebuffer, where there is a window.
    pub fn end(&self) -> Result<Vec<u8>, Error> {
        let [width, height] = self.size;
        let row = width as usize * 4;
        let mut pixels = memory::filled(0, row * height as usize, "a picture")?;
        let _current = self.gpu.make_current()?;
        let gl = self.gpu.glow();
        // SAFETY: the context is current; the pixels are as many as are asked for.
        unsafe {
            gl.pixel_store_i32(glow::PACK_ALIGNMENT, 1);
            gl.bind_buffer(glow::PIXEL_PACK_BUFFER, None);
            gl.read_pixels(
                0,
                0,
                width as i32,
                height as i32,
                glow::RGBA,
                glow::UNSIGNED_BYTE,
                glow::PixelPackData::Slice(Some(&mut pixels)),
            );
            gl.pixel_store_i32(glow::PACK_ALIGNMENT, 4);
            gl.bind_framebuffer(glow::FRAMEBUFFER, None);
        }
        self.gpu.check_error("reading pixels")?;
        let rows: Vec<&[u8]> = pixels.chunks_exact(row.max(1)).rev().collect();
        Ok(rows.concat())
    }
}

impl Drop for Offscreen {
    fn drop(&mut self) {
        if let Ok(_current) = self.gpu.make_current() {
            let gl = self.gpu.glow();
            // SAFETY: the context is current; the objects are ours and nothing uses them any more.
            unsafe {
                gl.delete_framebuffer(self.framebuffer);
                gl.delete_renderbuffer(self.renderbuffer);
            }
        }
    }
}

/// A context's functions as a painter wants them, which stays on its thread all the same.
pub type PainterGl = Arc<glow::Context>;

/// Hands functions to a painter.
pub(super) fn for_painter(gl: glow::Context) -> PainterGl {
    #[allow(clippy::arc_with_non_send_sync, reason = "egui_glow asks for an Arc, and keeps it on its thread")]
    Arc::new(gl)
}

impl Gpu {
    /// The context's functions once more, for a painter; `None` where the caller made the context, who can load them.
    pub(crate) fn for_painter(&self) -> Result<Option<PainterGl>, Error> {
        let _current = self.make_current()?;
        Ok(self.load_again().map(for_painter))
    }
}
