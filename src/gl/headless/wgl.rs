//! Contexts of WGL, each with a window of its own that is never shown: Windows.
//!
//! WGL makes a context for a window's pixel format, and loads the functions that make modern ones in the context of a
//! window. A pixel buffer would need a window, too.

use std::cell::Cell;
use std::ffi::{CStr, c_void};
use std::mem::ManuallyDrop;
use std::num::NonZeroIsize;
use std::ptr;
use std::rc::Rc;

use glutin::api::wgl::context::PossiblyCurrentContext;
use glutin::api::wgl::display::Display;
use glutin::api::wgl::surface::Surface;
use glutin::config::{Api as ConfigApi, ConfigTemplateBuilder};
use glutin::context::{ContextApi, ContextAttributesBuilder, GlProfile, Robustness, Version};
use glutin::display::{DisplayFeatures, GetDisplayExtensions};
use glutin::prelude::*;
use glutin::surface::{SurfaceAttributesBuilder, WindowSurface};
use raw_window_handle::{RawDisplayHandle, RawWindowHandle, Win32WindowHandle, WindowsDisplayHandle};
use windows_sys::Win32::Graphics::Gdi::HDC;
use windows_sys::Win32::Graphics::OpenGL::{HGLRC, wglGetCurrentContext, wglGetCurrentDC, wglMakeCurrent};
use windows_sys::Win32::System::LibraryLoader::GetModuleHandleW;
use windows_sys::Win32::UI::WindowsAndMessaging::{
    CS_OWNDC, CreateWindowExW, DefWindowProcW, DestroyWindow, RegisterClassExW, WNDCLASSEXW, WS_POPUP,
};
use windows_sys::w;

use super::versions::{ContextRequest, ResetStatus, newest};
use super::{Created, HeadlessOptions, native};
use crate::device::Api;
use crate::error::Error;
use crate::gl::capabilities;
use crate::gl::debug::DebugLog;

/// The context that was current on this thread; restored when dropped.
///
/// Several of them are dropped in the reverse order of their creation.
pub struct Before {
    /// Zero if there was none.
    context: HGLRC,
    device: HDC,
    /// Keeps this from being sent to another thread.
    thread: std::marker::PhantomData<*const ()>,
}

impl Before {
    /// Notes what is current.
    fn look() -> Before {
        // SAFETY: these functions take nothing.
        let (context, device) = unsafe { (wglGetCurrentContext(), wglGetCurrentDC()) };
        Before { context, device, thread: std::marker::PhantomData }
    }
}

impl Drop for Before {
    fn drop(&mut self) {
        // SAFETY: the handles are the system's own, of this thread; it refuses stale ones. Zeros release the context.
        unsafe {
            if self.context == 0 || wglMakeCurrent(self.device, self.context) == 0 {
                wglMakeCurrent(0, 0);
            }
        }
    }
}

/// A context that this crate made, and makes current for each of its calls.
pub struct OwnedContext {
    // Dropped in this order: the window last.
    /// Destroyed unless it was lost: a driver that hangs may hang in that too.
    context: ManuallyDrop<PossiblyCurrentContext>,
    surface: Surface<WindowSurface>,
    display: Display,
    reset_status: Option<ResetStatus>,
    lost: Cell<bool>,
    _window: Window,
}

impl OwnedContext {
    /// Loads the functions of the context again. It must be current.
    pub fn load(&self) -> glow::Context {
        native::load(&|name| self.function(name))
    }

    /// A function of the context that glow does not have; null if the driver has none of that name.
    pub fn function(&self, name: &CStr) -> *const c_void {
        self.display.get_proc_address(name)
    }

    /// Makes the context current until the returned value is dropped.
    pub fn make_current(&self) -> Result<Option<Before>, Error> {
        if self.context.is_current() {
            return Ok(None);
        }
        let before = Before::look();
        match self.context.make_current(&self.surface) {
            Ok(()) => Ok(Some(before)),
            Err(error) => Err(Error::Gl { during: "making the context current", what: error.to_string() }),
        }
    }

    /// The reason for a reset of the device, if there was one. The context must be current.
    pub fn reset(&self) -> Option<&'static str> {
        self.reset_status.as_ref()?.reason()
    }

    /// Leaves the context to the end of the process.
    pub fn give_up(&self) {
        self.lost.set(true);
    }
}

impl Drop for OwnedContext {
    fn drop(&mut self) {
        if !self.lost.get() {
            // SAFETY: dropped only here, and not used afterwards.
            unsafe { ManuallyDrop::drop(&mut self.context) };
        }
    }
}

/// The number of devices: the system chooses.
pub fn device_count() -> Result<usize, Error> {
    Ok(1)
}

/// Makes a context. The system chooses the device.
pub fn create(options: &HeadlessOptions) -> Result<Created, Error> {
    options.device.check_only_device()?;
    let created = create_for_window(options).map_err(Error::NoDevice)?;
    options.device.check_kind(created.software)?;
    Ok(created)
}

fn create_for_window(options: &HeadlessOptions) -> Result<Created, String> {
    // Before anything else: loading the functions makes a context current and leaves none.
    let before = Before::look();
    let window = Window::open()?;
    let handle = window.handle();
    // SAFETY: the window lives as long as the context, and its class is of the module that it names.
    let display =
        unsafe { Display::new(RawDisplayHandle::Windows(WindowsDisplayHandle::new()), Some(handle)) }
            .map_err(|error| error.to_string())?;
    let template = ConfigTemplateBuilder::new()
        .with_api(match options.api {
            Api::Gl => ConfigApi::OPENGL,
            Api::Gles => ConfigApi::GLES3,
        })
        .compatible_with_native_window(handle)
        .build();
    // SAFETY: as above.
    let config = unsafe { display.find_configs(template) }
        .map_err(|error| error.to_string())?
        .next()
        .ok_or("no pixel format for this API")?;
    let size = std::num::NonZeroU32::MIN;
    let attributes = SurfaceAttributesBuilder::<WindowSurface>::new().build(handle, size, size);
    // SAFETY: as above.
    let surface =
        unsafe { display.create_window_surface(&config, &attributes) }.map_err(|error| error.to_string())?;

    // Without this extension, every context is of the oldest kind: Windows' own, of OpenGL 1.1.
    let modern = display.extensions().contains("WGL_ARB_create_context");
    let make = |attributes: ContextAttributesBuilder| {
        // SAFETY: as above.
        let context = unsafe { display.create_context(&config, &attributes.build(Some(handle))) };
        context.and_then(|context| context.make_current(&surface)).map_err(|error| error.to_string())
    };
    let find = |name: &_| display.get_proc_address(name);
    let context = match modern {
        true => {
            let robust = display.supported_features().contains(DisplayFeatures::CONTEXT_ROBUSTNESS);
            newest(options, robust, |wanted| make(attributes_of(wanted)), &find)?
        }
        false => {
            let _current = make(ContextAttributesBuilder::new())?;
            return Err(native::too_old(options.api, &find));
        }
    };
    let mut gl = native::load(&find);
    let software = capabilities::draws_in_software(&gl);
    let debug = if options.debug { DebugLog::install(&mut gl) } else { DebugLog::none() };
    let context = OwnedContext {
        context: ManuallyDrop::new(context),
        surface,
        reset_status: ResetStatus::find(&find),
        display,
        lost: Cell::new(false),
        _window: window,
    };
    Ok(Created { gl: Rc::new(gl).into(), before, context, debug, software })
}

fn attributes_of(wanted: ContextRequest) -> ContextAttributesBuilder {
    let (major, minor) = wanted.version;
    let version = Some(Version { major, minor });
    let attributes = ContextAttributesBuilder::new()
        .with_debug(wanted.debug)
        .with_profile(if wanted.core { GlProfile::Core } else { GlProfile::Compatibility })
        .with_context_api(match wanted.api {
            Api::Gl => ContextApi::OpenGl(version),
            Api::Gles => ContextApi::Gles(version),
        });
    match wanted.robust {
        true => attributes.with_robustness(Robustness::RobustLoseContextOnReset),
        false => attributes,
    }
}

/// A window that is never shown.
struct Window {
    window: NonZeroIsize,
    module: NonZeroIsize,
}

impl Window {
    fn open() -> Result<Window, String> {
        let name = w!("rasterscan");
        // SAFETY: null names the program's own module. The class has the system's own procedure, and its name lives
        // forever. That it exists already is no error.
        let window = unsafe {
            let module = GetModuleHandleW(ptr::null());
            let class = WNDCLASSEXW {
                cbSize: size_of::<WNDCLASSEXW>() as u32,
                // The window keeps its device context, and so its pixel format.
                style: CS_OWNDC,
                lpfnWndProc: Some(DefWindowProcW),
                hInstance: module,
                lpszClassName: name,
                ..std::mem::zeroed()
            };
            RegisterClassExW(&class);
            let window = CreateWindowExW(0, name, name, WS_POPUP, 0, 0, 1, 1, 0, 0, module, ptr::null());
            NonZeroIsize::new(window).zip(NonZeroIsize::new(module))
        };
        let (window, module) = window.ok_or_else(|| {
            format!("no window for a context can be made ({})", std::io::Error::last_os_error())
        })?;
        Ok(Window { window, module })
    }

    fn handle(&self) -> RawWindowHandle {
        let mut handle = Win32WindowHandle::new(self.window);
        handle.hinstance = Some(self.module);
        RawWindowHandle::Win32(handle)
    }
}

impl Drop for Window {
    fn drop(&mut self) {
        // SAFETY: the window is ours, of this thread, and is not used afterwards.
        unsafe { DestroyWindow(self.window.get()) };
    }
}
