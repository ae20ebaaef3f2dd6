//! The host without the library: a window with an OpenGL context, a program of shaders, and the option `--frames`.

use std::error::Error;
use std::ffi::CString;
use std::num::NonZeroU32;
use std::process::ExitCode;

use glow::HasContext;
use glutin::config::GlConfig;
use glutin::context::{ContextApi, ContextAttributesBuilder, PossiblyCurrentContext, Version};
use glutin::display::{Display, GetGlDisplay};
use glutin::prelude::*;
use glutin::surface::{Surface, SwapInterval, WindowSurface};
use glutin_winit::{DisplayBuilder, GlWindow};
use winit::dpi::LogicalSize;
use winit::event_loop::ActiveEventLoop;
use winit::raw_window_handle::HasWindowHandle;
use winit::window::Window;

/// A window and its context, current on this thread until dropped. Fields are dropped in this order, the window last.
pub struct Shell {
    surface: Surface<WindowSurface>,
    context: PossiblyCurrentContext,
    display: Display,
    pub window: Window,
}

impl Shell {
    /// Opens a window with OpenGL 3.3 or, where there is none, ES 3.0: the least that the library needs. Drivers give
    /// the newest version that is compatible.
    pub fn open(event_loop: &ActiveEventLoop, title: &str, size: [u32; 2]) -> Result<Shell, Box<dyn Error>> {
        let size = LogicalSize::new(size[0], size[1]);
        let attributes = Window::default_attributes().with_title(title).with_inner_size(size);
        let (window, config) = DisplayBuilder::new().with_window_attributes(Some(attributes)).build(
            event_loop,
            Default::default(),
            |configs| configs.min_by_key(|config| config.num_samples()).expect("a configuration"),
        )?;
        let window = window.ok_or("no window")?;
        let (display, handle) = (config.display(), window.window_handle()?.as_raw());
        let create = |api| {
            // No profile: of OpenGL 3.3 it is the core profile, and ES has none.
            let attributes = ContextAttributesBuilder::new().with_context_api(api);
            // SAFETY: the handle is that of a window that is open.
            unsafe { display.create_context(&config, &attributes.build(Some(handle))) }
        };
        let context = create(ContextApi::OpenGl(Some(Version::new(3, 3))))
            .or_else(|_| create(ContextApi::Gles(Some(Version::new(3, 0)))))?;
        let attributes = window.build_surface_attributes(Default::default())?;
        // SAFETY: the surface is dropped before the window.
        let surface = unsafe { display.create_window_surface(&config, &attributes) }?;
        let context = context.make_current(&surface)?;
        // A driver that cannot wait for the screen draws as fast as it can.
        let _ = surface.set_swap_interval(&context, SwapInterval::Wait(NonZeroU32::MIN));
        Ok(Shell { surface, context, display, window })
    }

    /// The functions of the context.
    pub fn load(&self) -> glow::Context {
        let address = |name: &str| self.display.get_proc_address(&CString::new(name).expect("a name"));
        // SAFETY: the context is current, and these are its functions.
        unsafe { glow::Context::from_loader_function(address) }
    }

    /// Follows the size of the window.
    pub fn resize(&self) {
        self.window.resize_surface(&self.surface, &self.context);
    }

    /// Shows what was drawn.
    pub fn swap(&self) -> Result<(), glutin::error::Error> {
        self.surface.swap_buffers(&self.context)
    }
}

/// Compiles and links a program, in the language of the context.
pub fn program(gl: &glow::Context, vertex: &str, fragment: &str) -> Result<glow::Program, String> {
    // ES would take integers of 16 bits if it were not told otherwise.
    let head = match gl.version().is_embedded {
        true => {
            "#version 300 es\nprecision highp float;\nprecision highp int;\n\
             precision highp isampler2D;\nprecision highp usampler2D;\n"
        }
        false => "#version 330 core\n",
    };
    // SAFETY: the context is current, and every object is made here.
    unsafe {
        let program = gl.create_program()?;
        for (kind, source) in [(glow::VERTEX_SHADER, vertex), (glow::FRAGMENT_SHADER, fragment)] {
            let shader = gl.create_shader(kind)?;
            gl.shader_source(shader, &format!("{head}{source}"));
            gl.compile_shader(shader);
            if !gl.get_shader_compile_status(shader) {
                return Err(gl.get_shader_info_log(shader));
            }
            gl.attach_shader(program, shader);
            gl.delete_shader(shader);
        }
        gl.link_program(program);
        match gl.get_program_link_status(program) {
            true => Ok(program),
            false => Err(gl.get_program_info_log(program)),
        }
    }
}

/// The N of `--frames N`, after which the program checks its result and ends; without it, it runs until it is closed.
pub fn frames() -> Result<Option<u32>, Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => Ok(None),
        ["--frames", number] => match number.parse() {
            Ok(frames @ 1..) => Ok(Some(frames)),
            _ => Err(format!("--frames {number}: expected a number from 1 on").into()),
        },
        _ => Err("expected no arguments, or --frames N".into()),
    }
}

/// Says what went wrong, if anything did.
pub fn end(outcome: Result<(), Box<dyn Error>>) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
