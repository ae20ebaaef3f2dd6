//! A window with an OpenGL context, and pixels without a window: the only file of the app that calls OpenGL.
//!
//! The context is the newest core profile, or OpenGL ES 3 if there is none.
#![allow(unsafe_code, reason = "a host program makes its own context, and every OpenGL call is unsafe")]

use std::ffi::CString;
use std::num::NonZeroU32;
use std::rc::Rc;
use std::sync::Arc;

use glutin::config::{Config, ConfigTemplateBuilder, GlConfig};
use glutin::context::{
    ContextApi, ContextAttributesBuilder, GlProfile, NotCurrentContext, PossiblyCurrentContext, Version,
};
use glutin::display::{Display, GetGlDisplay};
use glutin::prelude::*;
use glutin::surface::{Surface, SwapInterval, WindowSurface};
use glutin_winit::{ApiPreference, DisplayBuilder, GlWindow};
use rasterscan::glow::{self, HasContext};
use rasterscan::{Error, Gpu, tools::memory};
use raw_window_handle::HasWindowHandle;
use winit::event_loop::ActiveEventLoop;
use winit::window::{Window, WindowAttributes};

/// A context's functions in the type that a painter wants. They stay on their thread.
pub type PainterGl = Arc<glow::Context>;

/// Wraps functions for a painter.
pub fn for_painter(gl: glow::Context) -> PainterGl {
    #[allow(clippy::arc_with_non_send_sync, reason = "egui_glow asks for an Arc, and keeps it on its thread")]
    Arc::new(gl)
}

/// A window and its context. Fields are dropped in this order: the window last, or GLX ends in an error.
pub struct WindowGl {
    surface: Surface<WindowSurface>,
    context: PossiblyCurrentContext,
    display: Display,
    window: Window,
}

fn failed(what: &'static str) -> impl Fn(&dyn std::fmt::Display) -> Error {
    move |error| Error::NoDevice(format!("{what}: {error}"))
}

impl WindowGl {
    /// Opens a window and makes its context current.
    ///
    /// Errors: [`Error::NoDevice`], with what the window system says.
    pub fn new(event_loop: &ActiveEventLoop, attributes: WindowAttributes) -> Result<WindowGl, Error> {
        let template = ConfigTemplateBuilder::new().with_depth_size(0).with_stencil_size(0);
        let builder = DisplayBuilder::new()
            .with_preference(ApiPreference::FallbackEgl)
            .with_window_attributes(Some(attributes.clone()));
        // The picker must return one, so the case of none is handled here.
        let pick = |configs: Box<dyn Iterator<Item = Config> + '_>| {
            let best = configs.reduce(|best, one| if fitness(&one) > fitness(&best) { one } else { best });
            #[allow(
                clippy::expect_used,
                reason = "the picker cannot fail; glutin-winit asks it only if there is one"
            )]
            best.expect("glutin offers at least one configuration")
        };
        let (window, config) = builder
            .build(event_loop, template, pick)
            .map_err(|error| failed("the display has no OpenGL for windows")(&error))?;
        let window = match window {
            Some(window) => window,
            None => glutin_winit::finalize_window(event_loop, attributes, &config)
                .map_err(|error| failed("cannot open a window")(&error))?,
        };
        let context = create_context(&window, &config)?;
        let attributes = window
            .build_surface_attributes(Default::default())
            .map_err(|error| failed("cannot draw into the window")(&error))?;
        let display = config.display();
        // SAFETY: the window outlives the surface, which is dropped first.
        let surface = unsafe { display.create_window_surface(&config, &attributes) }
            .map_err(|error| failed("cannot draw into the window")(&error))?;
        let context = context
            .make_current(&surface)
            .map_err(|error| failed("cannot make the window's context current")(&error))?;
        // If frames cannot wait for the screen, they are drawn on request, which is rare.
        let _ = surface.set_swap_interval(&context, SwapInterval::Wait(NonZeroU32::MIN));
        Ok(WindowGl { surface, context, display, window })
    }

    /// The window itself.
    pub fn window(&self) -> &Window {
        &self.window
    }

    fn load(&self) -> glow::Context {
        let address = |name: &str| match CString::new(name) {
            Ok(name) => self.display.get_proc_address(&name),
            Err(_) => std::ptr::null(),
        };
        // SAFETY: the context is current, and the loader is its own.
        unsafe { glow::Context::from_loader_function(address) }
    }

    /// A [`Gpu`] in the window's context.
    ///
    /// Errors: as [`Gpu::from_glow`].
    pub fn gpu(&self) -> Result<Gpu, Error> {
        // SAFETY: the functions are those of the context, which is current.
        unsafe { Gpu::from_glow(Rc::new(self.load())) }
    }

    /// The context's functions, for a painter.
    pub fn painter(&self) -> PainterGl {
        for_painter(self.load())
    }

    /// Follows the window's size.
    pub fn resize(&self) {
        self.window.resize_surface(&self.surface, &self.context);
    }

    /// Shows what was drawn.
    pub fn swap(&self) -> Result<(), Error> {
        self.surface.swap_buffers(&self.context).map_err(|error| failed("cannot show a frame")(&error))
    }
}

/// The order of configurations: hardware before software, few samples before many, no transparency.
fn fitness(config: &Config) -> (bool, bool, std::cmp::Reverse<u8>) {
    let opaque = !config.supports_transparency().unwrap_or(false);
    (config.hardware_accelerated(), opaque, std::cmp::Reverse(config.num_samples()))
}

/// Makes a context of the newest core profile, for compute shaders and geometry shaders.
fn create_context(window: &Window, config: &Config) -> Result<NotCurrentContext, Error> {
    let handle = window.window_handle().map_err(|error| failed("the window has no handle")(&error))?.as_raw();
    let core = [(4, 6), (4, 5), (4, 3), (3, 3)].map(|version| (false, version));
    let es = [(3, 2), (3, 1), (3, 0)].map(|version| (true, version));
    let mut reason = Error::NoDevice("no version of OpenGL".into());
    for (es, (major, minor)) in core.into_iter().chain(es) {
        let version = Some(Version { major, minor });
        let attributes = ContextAttributesBuilder::new();
        // A profile beside ES makes GLX give a context of OpenGL.
        let attributes = match es {
            true => attributes.with_context_api(ContextApi::Gles(version)),
            false => attributes.with_context_api(ContextApi::OpenGl(version)).with_profile(GlProfile::Core),
        };
        let attributes = attributes.build(Some(handle));
        // SAFETY: the handle belongs to a live window.
        match unsafe { config.display().create_context(config, &attributes) } {
            Ok(context) => return Ok(context),
            Err(error) => reason = failed("the display has no OpenGL 3.3 or ES 3.0 context")(&error),
        }
    }
    Err(reason)
}

/// A framebuffer of RGBA pixels for a painter, in the context of a [`Gpu`].
pub struct Offscreen {
    gpu: Gpu,
    framebuffer: glow::Framebuffer,
    renderbuffer: glow::Renderbuffer,
    size: [u32; 2],
}

impl Offscreen {
    /// A framebuffer without pixels; [`Self::with`] and [`Self::fill`] give it a size.
    pub fn new(gpu: Gpu) -> Result<Offscreen, Error> {
        let failed = |what| Error::Gl { during: "making a framebuffer", what };
        let made = gpu.with_current(|gl| {
            // SAFETY: the context is current.
            unsafe { Ok((gl.create_framebuffer()?, gl.create_renderbuffer()?)) }
        })?;
        let (framebuffer, renderbuffer) = made.map_err(failed)?;
        Ok(Offscreen { gpu, framebuffer, renderbuffer, size: [0; 2] })
    }

    /// The context of the framebuffer.
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// Runs `work` with the context current and the framebuffer bound, at its current size.
    pub fn with(&mut self, work: impl FnOnce()) -> Result<(), Error> {
        let size = self.size.map(|side| side.max(1));
        self.gpu.clone().with_current(|gl| {
            self.bind(gl, size)?;
            work();
            Ok(())
        })?
    }

    /// Has `paint` fill the framebuffer at this size. Returns the pixels, row by row from the top, as RGBA, and binds
    /// the window's framebuffer if there is a window.
    ///
    /// Errors: [`Error::Gl`] if it is larger than the device allows; [`Error::Memory`].
    pub fn fill(&mut self, size: [u32; 2], paint: impl FnOnce()) -> Result<Vec<u8>, Error> {
        self.gpu.clone().with_current(|gl| {
            self.bind(gl, size)?;
            paint();
            self.read(gl)
        })?
    }

    /// Binds the framebuffer at this size. The context must be current.
    fn bind(&mut self, gl: &glow::Context, size: [u32; 2]) -> Result<(), Error> {
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
                return Err(failed(format!("{width} x {height} pixels; expected 1 to {most} per side")));
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

    /// Reads the pixels of the framebuffer, which must be bound in a context that is current.
    fn read(&self, gl: &glow::Context) -> Result<Vec<u8>, Error> {
        let [width, height] = self.size;
        let row = width as usize * 4;
        let mut pixels = memory::filled(0, row * height as usize, "a picture")?;
        // SAFETY: the context is current; the buffer has room for the pixels.
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
        // If the context is gone, so are its objects.
        let _ = self.gpu.with_current(|gl| {
            // SAFETY: the context is current; the objects are ours and nothing uses them any more.
            unsafe {
                gl.delete_framebuffer(self.framebuffer);
                gl.delete_renderbuffer(self.renderbuffer);
            }
        });
    }
}
