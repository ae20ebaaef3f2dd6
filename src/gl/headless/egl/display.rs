//! EGL's functions, its devices, and the displays that need no window system.

use std::ffi::{CStr, CString, c_void};
use std::ops::Deref;
use std::sync::OnceLock;

use glutin_egl_sys::egl::{self, types};
use libloading::os::unix::Library;

use crate::device::Api;
use crate::gl::headless::versions::ContextRequest;

/// `EGL_PLATFORM_SURFACELESS_MESA`, which the bindings lack.
const PLATFORM_SURFACELESS_MESA: types::EGLenum = 0x31DD;

/// EGL's functions. The library stays to the end of the process.
pub struct Egl {
    functions: egl::Egl,
    /// The extensions that need no display.
    extensions: String,
    _library: Library,
}

// SAFETY: functions of a library, which any thread may call, and a text.
unsafe impl Send for Egl {}
// SAFETY: likewise.
unsafe impl Sync for Egl {}

impl Deref for Egl {
    type Target = egl::Egl;

    fn deref(&self) -> &egl::Egl {
        &self.functions
    }
}

impl Egl {
    /// Loads the system's EGL, once.
    ///
    /// Errors: as text.
    pub fn get() -> Result<&'static Egl, String> {
        static EGL: OnceLock<Option<Egl>> = OnceLock::new();
        EGL.get_or_init(Egl::load).as_ref().ok_or_else(|| "libEGL.so.1 is not found".into())
    }

    fn load() -> Option<Egl> {
        type Find = unsafe extern "system" fn(*const std::ffi::c_char) -> *const c_void;
        // SAFETY: a system library, which has no initialisers of ours to run.
        let library =
            ["libEGL.so.1", "libEGL.so"].into_iter().find_map(|name| unsafe { Library::new(name) }.ok())?;
        // SAFETY: the symbols are used as the functions of their names.
        let functions = unsafe {
            let find: libloading::os::unix::Symbol<Find> = library.get(b"eglGetProcAddress\0").ok()?;
            egl::Egl::load_with(|name| {
                let Ok(name) = CString::new(name) else { return std::ptr::null() };
                let symbol = library.get::<*const c_void>(name.as_bytes_with_nul());
                // Before EGL 1.5 the second way knows extensions alone.
                symbol.map_or_else(|_| find(name.as_ptr()), |symbol| *symbol)
            })
        };
        let extensions = if functions.QueryString.is_loaded() {
            // SAFETY: without a display, EGL answers for all of them, or has nothing to say.
            text(unsafe { functions.QueryString(egl::NO_DISPLAY, egl::EXTENSIONS as i32) })
        } else {
            String::new()
        };
        Some(Egl { functions, extensions, _library: library })
    }

    fn has(&self, extension: &str) -> bool {
        names(&self.extensions, extension)
    }

    /// The last error, in words.
    pub fn error(&self) -> String {
        // SAFETY: takes nothing.
        Egl::words(unsafe { self.GetError() } as types::EGLenum)
    }

    /// An error, in words.
    pub fn words(code: types::EGLenum) -> String {
        let known = match code {
            egl::SUCCESS => "no reason given",
            egl::NOT_INITIALIZED => "not initialized",
            egl::BAD_ACCESS => "in use elsewhere",
            egl::BAD_ALLOC => "out of memory",
            egl::BAD_ATTRIBUTE => "an unknown attribute",
            egl::BAD_CONFIG => "a wrong configuration",
            egl::BAD_MATCH => "arguments are inconsistent",
            egl::BAD_PARAMETER => "a wrong parameter",
            egl::CONTEXT_LOST => "the context was lost",
            _ => "an error",
        };
        format!("EGL says {code:#06x}: {known}")
    }

    /// The devices.
    ///
    /// Errors: as text, if EGL cannot list them.
    pub fn devices(&'static self) -> Result<Vec<Device>, String> {
        let listed = self.has("EGL_EXT_device_base")
            || self.has("EGL_EXT_device_enumeration") && self.has("EGL_EXT_device_query");
        if !listed || !self.QueryDevicesEXT.is_loaded() || !self.QueryDeviceStringEXT.is_loaded() {
            return Err("EGL cannot list its devices".into());
        }
        let mut count = 0;
        // SAFETY: without room, only the number is asked for; then there is room for so many.
        let devices = unsafe {
            let mut asked = self.QueryDevicesEXT(0, std::ptr::null_mut(), &mut count);
            let mut devices = vec![std::ptr::null(); count.max(0) as usize];
            if asked != egl::FALSE && count > 0 {
                asked = self.QueryDevicesEXT(count, devices.as_mut_ptr(), &mut count);
            }
            if asked == egl::FALSE {
                return Err(format!("EGL cannot list its devices ({})", self.error()));
            }
            devices.truncate(count.max(0) as usize);
            devices
        };
        Ok(devices.into_iter().map(|raw| Device { egl: self, raw }).collect())
    }
}

/// Returns true if a list of extensions has this one.
fn names(extensions: &str, extension: &str) -> bool {
    extensions.split(' ').any(|name| name == extension)
}

/// EGL's static texts; empty if there is none.
fn text(text: *const std::ffi::c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: EGL's texts end with a zero, and stay.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

/// A device that EGL lists.
pub struct Device {
    egl: &'static Egl,
    raw: types::EGLDeviceEXT,
}

impl Device {
    /// Returns true if EGL reports a software device.
    pub fn is_software(&self) -> bool {
        // SAFETY: the device is one that EGL lists.
        let extensions = unsafe { self.egl.QueryDeviceStringEXT(self.raw, egl::EXTENSIONS as i32) };
        names(&text(extensions), "EGL_MESA_device_software")
    }
}

/// An initialized display.
pub struct Display {
    /// EGL's functions.
    pub egl: &'static Egl,
    /// EGL's handle.
    pub raw: types::EGLDisplay,
    /// The version of EGL.
    version: (i32, i32),
    extensions: String,
    /// True if EGL counts its users, so that it ends with the last of them. Other displays stay.
    counted: bool,
    /// A surface of a single pixel, where contexts need one.
    pub pixel: types::EGLSurface,
}

impl Display {
    /// The display of a device.
    ///
    /// Errors: as text, here and below.
    pub fn of(device: &Device) -> Result<Display, String> {
        let egl = device.egl;
        if !egl.GetPlatformDisplayEXT.is_loaded() {
            return Err("EGL makes no displays of devices".into());
        }
        // SAFETY: the attributes end, and the device is one that EGL lists.
        let make = |attributes: &[i32]| unsafe {
            egl.GetPlatformDisplayEXT(egl::PLATFORM_DEVICE_EXT, device.raw.cast_mut(), attributes.as_ptr())
        };
        let end = egl::NONE as i32;
        let mut counted = egl.has("EGL_KHR_display_reference");
        let mut raw = egl::NO_DISPLAY;
        if counted {
            raw = make(&[egl::TRACK_REFERENCES_KHR as i32, egl::TRUE as i32, end]);
        }
        // A list of extensions is of several drivers together.
        if raw == egl::NO_DISPLAY {
            counted = false;
            raw = make(&[end]);
        }
        Display::initialize(egl, raw, counted)
    }

    /// Mesa's display without surfaces, which ANGLE has, too.
    pub fn surfaceless(egl: &'static Egl) -> Result<Display, String> {
        if !egl.has("EGL_MESA_platform_surfaceless") || !egl.GetPlatformDisplayEXT.is_loaded() {
            return Err("EGL has no displays without surfaces".into());
        }
        // SAFETY: this platform has one native display, and takes no attributes.
        let raw = unsafe {
            egl.GetPlatformDisplayEXT(PLATFORM_SURFACELESS_MESA, std::ptr::null_mut(), std::ptr::null())
        };
        Display::initialize(egl, raw, false)
    }

    /// The default display, of whatever EGL takes for it.
    pub fn default(egl: &'static Egl) -> Result<Display, String> {
        if !egl.GetDisplay.is_loaded() {
            return Err("EGL has no displays".into());
        }
        // SAFETY: no native display is handed over.
        Display::initialize(egl, unsafe { egl.GetDisplay(egl::DEFAULT_DISPLAY) }, false)
    }

    fn initialize(egl: &'static Egl, raw: types::EGLDisplay, counted: bool) -> Result<Display, String> {
        let (mut major, mut minor) = (0, 0);
        // SAFETY: EGL refuses a display that is none.
        if raw == egl::NO_DISPLAY || unsafe { egl.Initialize(raw, &mut major, &mut minor) } == egl::FALSE {
            return Err(egl.error());
        }
        // SAFETY: the display is initialized.
        let extensions = text(unsafe { egl.QueryString(raw, egl::EXTENSIONS as i32) });
        Ok(Display { egl, raw, version: (major, minor), extensions, counted, pixel: egl::NO_SURFACE })
    }

    /// Returns true if the display has an extension.
    pub fn has(&self, extension: &str) -> bool {
        names(&self.extensions, extension)
    }

    /// Gives it a surface of a single pixel.
    pub fn add_pixel(&mut self, config: types::EGLConfig) -> Result<(), String> {
        let attributes = [egl::WIDTH, 1, egl::HEIGHT, 1, egl::NONE].map(|word| word as i32);
        // SAFETY: the attributes end, and the configuration is the display's.
        self.pixel = unsafe { self.egl.CreatePbufferSurface(self.raw, config, attributes.as_ptr()) };
        if self.pixel == egl::NO_SURFACE { Err(self.egl.error()) } else { Ok(()) }
    }

    /// Returns true if it has robust contexts.
    pub fn is_robust(&self) -> bool {
        self.has("EGL_EXT_create_context_robustness")
    }

    /// The attributes of a context.
    pub fn attributes_of(&self, wanted: ContextRequest) -> Vec<i32> {
        let (major, minor) = wanted.version;
        let newer = self.version >= (1, 5);
        let mut words = vec![egl::CONTEXT_MAJOR_VERSION, major.into()];
        if newer || self.has("EGL_KHR_create_context") {
            words.extend([egl::CONTEXT_MINOR_VERSION, minor.into()]);
            if wanted.api == Api::Gl {
                let profile = match wanted.core {
                    true => egl::CONTEXT_OPENGL_CORE_PROFILE_BIT,
                    false => egl::CONTEXT_OPENGL_COMPATIBILITY_PROFILE_BIT,
                };
                words.extend([egl::CONTEXT_OPENGL_PROFILE_MASK, profile]);
            }
            if wanted.robust {
                let strategy = egl::CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY;
                let flags = egl::CONTEXT_OPENGL_ROBUST_ACCESS_BIT_KHR;
                words.extend([strategy, egl::LOSE_CONTEXT_ON_RESET, egl::CONTEXT_FLAGS_KHR, flags]);
            }
            if wanted.debug && newer {
                words.extend([egl::CONTEXT_OPENGL_DEBUG, egl::TRUE]);
            }
        }
        words.push(egl::NONE);
        words.into_iter().map(|word| word as i32).collect()
    }

    /// A GL function of the current context; null if the driver has none of that name.
    pub fn function(&self, name: &CStr) -> *const c_void {
        // SAFETY: the name ends with a zero.
        unsafe { self.egl.GetProcAddress(name.as_ptr()) }.cast()
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        // SAFETY: the surface is ours, and the other users of the display keep it.
        unsafe {
            if self.pixel != egl::NO_SURFACE {
                self.egl.DestroySurface(self.raw, self.pixel);
            }
            if self.counted {
                self.egl.Terminate(self.raw);
            }
        }
    }
}
