//! A context that does not belong to the crate: made with glutin, as by an application, with counted functions.
#![allow(unsafe_code, reason = "making a context takes unsafe calls")]

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::{CString, c_void};
use std::rc::Rc;
use std::sync::atomic::{AtomicPtr, Ordering};

use glutin::api::egl::config::Config;
use glutin::api::egl::context::PossiblyCurrentContext;
use glutin::api::egl::device::Device;
use glutin::api::egl::display::Display;
use glutin::config::{Api as ConfigApi, ConfigSurfaceTypes, ConfigTemplateBuilder};
use glutin::context::{ContextApi, ContextAttributesBuilder, GlProfile, Version};
use glutin::prelude::*;
use rasterscan::{Error, Gpu};

/// A context of the level under test, and its owner.
pub struct Foreign {
    pub gl: Rc<glow::Context>,
    pub context: PossiblyCurrentContext,
    display: Display,
    config: Config,
}

impl Foreign {
    /// A Gpu in this context, which must be current.
    pub fn gpu(&self) -> Gpu {
        self.try_gpu().expect("a Gpu in a context of the caller's")
    }

    pub fn try_gpu(&self) -> Result<Gpu, Error> {
        // SAFETY: the functions were loaded for this context; any other here is of the same driver.
        unsafe { Gpu::from_glow(Rc::clone(&self.gl)) }
    }

    /// Another context, which shares this one's objects and is current afterwards.
    pub fn sharing(&self) -> Foreign {
        make(&self.display, &self.config, Some(&self.context)).expect("a context that shares objects")
    }

    /// The current state of EGL on this thread: the bound API, and the context.
    pub fn current(&self) -> (u32, *const c_void) {
        let egl = self.display.egl();
        // SAFETY: they take no arguments.
        unsafe { (egl.QueryAPI(), egl.GetCurrentContext()) }
    }

    /// Loads the functions again. The context must be current.
    pub fn load(&self) -> glow::Context {
        load(&self.display)
    }

    /// Loads the functions again, each as returned by `replaced` for its name and the driver's own.
    pub fn load_with(&self, replaced: impl Fn(&str, *const c_void) -> *const c_void) -> glow::Context {
        // SAFETY: the context is current; a replacement has the signature of the original.
        unsafe {
            glow::Context::from_loader_function(|name| {
                let address =
                    CString::new(name).map_or(std::ptr::null(), |n| self.display.get_proc_address(&n));
                replaced(name, address)
            })
        }
    }

    pub fn make_current(&self) {
        self.context.make_current_surfaceless().expect("a context that can be made current");
    }

    /// Calls a function of two enums that glow lacks; `false` if the driver lacks it, too.
    pub fn call(&self, name: &str, arguments: [u32; 2]) -> bool {
        let address = self.display.get_proc_address(&CString::new(name).unwrap());
        if address.is_null() {
            return false;
        }
        // SAFETY: the context is current, and the function takes two enums.
        unsafe {
            let function: extern "system" fn(u32, u32) = std::mem::transmute(address);
            function(arguments[0], arguments[1]);
        }
        true
    }

    /// Calls `glPointSize`, which glow lacks. Only desktop OpenGL has it.
    pub fn point_size(&self, size: f32) {
        let address = self.display.get_proc_address(c"glPointSize");
        assert!(!address.is_null(), "no glPointSize");
        // SAFETY: the address is the driver's function of this name and signature; the context is current.
        unsafe {
            let point_size: extern "system" fn(f32) = std::mem::transmute(address);
            point_size(size);
        }
    }
}

/// Whether the level under test is one of OpenGL ES.
fn gles() -> bool {
    std::env::var("RASTERSCAN_API").as_deref() == Ok("gles")
}

/// Makes a context and leaves it current.
pub fn context() -> Foreign {
    let software = |device: &Device| device.extensions().contains("EGL_MESA_device_software");
    let mut devices: Vec<Device> = Device::query_devices().expect("EGL devices").collect();
    devices.sort_by_key(|device| software(device));
    if std::env::var("RASTERSCAN_DEVICE").as_deref() == Ok("software") {
        devices.retain(software);
    }
    devices.iter().find_map(on).expect("a device with a context")
}

fn on(device: &Device) -> Option<Foreign> {
    // SAFETY: no native handles are involved.
    let (display, config) = unsafe {
        let display = Display::with_device(device, None).ok()?;
        let template = ConfigTemplateBuilder::new()
            .with_surface_type(ConfigSurfaceTypes::empty())
            .with_api(if gles() { ConfigApi::GLES3 } else { ConfigApi::OPENGL })
            .build();
        let config = display.find_configs(template).ok()?.next()?;
        (display, config)
    };
    make(&display, &config, None)
}

fn make(display: &Display, config: &Config, shared: Option<&PossiblyCurrentContext>) -> Option<Foreign> {
    let attributes =
        ContextAttributesBuilder::new().with_profile(GlProfile::Core).with_context_api(if gles() {
            ContextApi::Gles(Some(Version::new(3, 0)))
        } else {
            ContextApi::OpenGl(Some(Version::new(3, 3)))
        });
    let attributes = match shared {
        Some(context) => attributes.with_sharing(context),
        None => attributes,
    };
    // SAFETY: no native handles are involved; the context is made current before functions are loaded.
    let context = unsafe { display.create_context(config, &attributes.build(None)) }.ok()?;
    let context = context.make_current_surfaceless().ok()?;
    let gl = Rc::new(load(display));
    Some(Foreign { gl, context, display: display.clone(), config: config.clone() })
}

/// The functions of the context that is current, counted.
fn load(display: &Display) -> glow::Context {
    // SAFETY: a context is current, and the functions are those of its driver.
    unsafe {
        glow::Context::from_loader_function(|name| {
            let address = CString::new(name).map_or(std::ptr::null(), |n| display.get_proc_address(&n));
            counted(name, address)
        })
    }
}

thread_local! {
    static COUNTS: RefCell<BTreeMap<&'static str, u64>> = const { RefCell::new(BTreeMap::new()) };
}

/// The number of calls by this thread to each counted function.
pub fn counts() -> BTreeMap<&'static str, u64> {
    COUNTS.with_borrow(Clone::clone)
}

/// Replaces the functions that allocate, compile, transfer, wait or draw by ones that count.
macro_rules! counted_functions {
    ($($name:ident($($argument:ident: $kind:ty),*) $(-> $result:ty)?;)*) => {
        #[allow(non_snake_case, reason = "the functions keep OpenGL's names")]
        mod stubs {
            use super::*;
            $(pub mod $name {
                use super::*;
                pub static REAL: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());
                pub extern "system" fn stub($($argument: $kind),*) $(-> $result)? {
                    COUNTS.with_borrow_mut(|counts| *counts.entry(stringify!($name)).or_default() += 1);
                    // SAFETY: the pointer is the driver's function of this name and signature.
                    unsafe {
                        let real: extern "system" fn($($kind),*) $(-> $result)? =
                            std::mem::transmute(REAL.load(Ordering::SeqCst));
                        real($($argument),*)
                    }
                }
            })*
        }

        fn counted(name: &str, address: *const c_void) -> *const c_void {
            match name {
                $(stringify!($name) if !address.is_null() => {
                    stubs::$name::REAL.store(address.cast_mut(), Ordering::SeqCst);
                    stubs::$name::stub as *const c_void
                })*
                _ => address,
            }
        }
    };
}

counted_functions! {
    glGenTextures(n: i32, names: *mut u32);
    glGenFramebuffers(n: i32, names: *mut u32);
    glGenRenderbuffers(n: i32, names: *mut u32);
    glGenTransformFeedbacks(n: i32, names: *mut u32);
    glGenBuffers(n: i32, names: *mut u32);
    glGenQueries(n: i32, names: *mut u32);
    glGenVertexArrays(n: i32, names: *mut u32);
    glTexImage2D(t: u32, l: i32, i: i32, w: i32, h: i32, b: i32, f: u32, k: u32, p: *const c_void);
    glTexStorage2D(t: u32, l: i32, i: u32, w: i32, h: i32);
    glTexSubImage2D(t: u32, l: i32, x: i32, y: i32, w: i32, h: i32, f: u32, k: u32, p: *const c_void);
    glBufferData(t: u32, size: isize, p: *const c_void, usage: u32);
    glBufferSubData(t: u32, offset: isize, size: isize, p: *const c_void);
    glTexBuffer(t: u32, f: u32, buffer: u32);
    glCreateShader(kind: u32) -> u32;
    glCreateProgram() -> u32;
    glCompileShader(shader: u32);
    glLinkProgram(program: u32);
    glReadPixels(x: i32, y: i32, w: i32, h: i32, f: u32, k: u32, p: *mut c_void);
    glGetTexImage(t: u32, l: i32, f: u32, k: u32, p: *mut c_void);
    glMapBufferRange(t: u32, o: isize, l: isize, a: u32) -> *mut c_void;
    glFenceSync(condition: u32, flags: u32) -> *mut c_void;
    glClientWaitSync(sync: *mut c_void, flags: u32, timeout: u64) -> u32;
    glFinish();
    glFlush();
    glGetError() -> u32;
    glDrawArrays(mode: u32, first: i32, count: i32);
    glDispatchCompute(x: u32, y: u32, z: u32);
}
