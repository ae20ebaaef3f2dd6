//! A window with an OpenGL context: the newest core profile that there is, or OpenGL ES 3 where there is none.

use std::ffi::CString;
use std::num::NonZeroU32;
use std::rc::Rc;

use glutin::config::{Config, ConfigTemplateBuilder, GlConfig};
use glutin::context::{
    ContextApi, ContextAttributesBuilder, GlProfile, NotCurrentContext, PossiblyCurrentContext, Version,
};
use glutin::display::{Display, GetGlDisplay};
use glutin::prelude::*;
use glutin::surface::{Surface, SwapInterval, WindowSurface};
use glutin_winit::{ApiPreference, DisplayBuilder, GlWindow};
use raw_window_handle::HasWindowHandle;
use winit::event_loop::ActiveEventLoop;
use winit::window::{Window, WindowAttributes};

use super::Gpu;
use super::offscreen::{PainterGl, for_painter};
use crate::error::Error;

/// Fields are dropped in this order: the window last, or GLX ends in an error.
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
        // The picker has to give one: what there is none of is found out here.
        let pick = |configs: Box<dyn Iterator<Item = Config> + '_>| {
            let best = configs.reduce(|best, one| if fitness(&one) > fitness(&best) { one } else { best });
            #[allow(
                clippy::expect_used,
                reason = "the picker cannot fail; glutin-winit asks it only if there is one"
            )]
            best.expect("glutin gives at least one configuration")
        };
        let (window, config) = builder
            .build(event_loop, template, pick)
            .map_err(|error| failed("the display offers no OpenGL for a window")(&error))?;
        let window = match window {
            Some(window) => window,
            None => glutin_winit::finalize_window(event_loop, attributes, &config)
                .map_err(|error| failed("cannot open a window")(&error))?,
        };
        let context = create_context(&window, &config)?;
        let attributes = window
            .build_surface_attributes(Default::default())
            .map_err(|error| failed("the window cannot be drawn into")(&error))?;
        let display = config.display();
        // SAFETY: the window is there as long as the surface, which is dropped before it.
        let surface = unsafe { display.create_window_surface(&config, &attributes) }
            .map_err(|error| failed("the window cannot be drawn into")(&error))?;
        let context = context
            .make_current(&surface)
            .map_err(|error| failed("the window's context cannot be made current")(&error))?;
        // Where frames cannot wait for the screen they are drawn when they are wanted, which is seldom.
        let _ = surface.set_swap_interval(&context, SwapInterval::Wait(NonZeroU32::MIN));
        Ok(WindowGl { surface, context, display, window })
    }

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

/// Hardware before software, few samples before many, no transparency.
fn fitness(config: &Config) -> (bool, bool, std::cmp::Reverse<u8>) {
    let opaque = !config.supports_transparency().unwrap_or(false);
    (config.hardware_accelerated(), opaque, std::cmp::Reverse(config.num_samples()))
}

/// The newest core profile, as compute shaders and geometry shaders may be wanted.
fn create_context(window: &Window, config: &Config) -> Result<NotCurrentContext, Error> {
    let handle = window.window_handle().map_err(|error| failed("the window has no handle")(&error))?.as_raw();
    let core = [(4, 6), (4, 5), (4, 3), (3, 3)].map(|version| (false, version));
    let es = [(3, 2), (3, 1), (3, 0)].map(|version| (true, version));
    let mut reason = Error::NoDevice("no version of OpenGL".into());
    for (es, (major, minor)) in core.into_iter().chain(es) {
        let version = Some(Version { major, minor });
        let attributes = ContextAttributesBuilder::new()
            .with_profile(GlProfile::Core)
            .with_context_api(if es { ContextApi::Gles(version) } else { ContextApi::OpenGl(version) })
            .build(Some(handle));
        // SAFETY: the handle is that of a window that is there.
        match unsafe { config.display().create_context(config, &attributes) } {
            Ok(context) => return Ok(context),
            Err(error) => reason = failed("the display gives no context of OpenGL 3.3 or ES 3.0")(&error),
        }
    }
    Err(reason)
}
