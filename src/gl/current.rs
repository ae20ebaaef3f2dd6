//! The context that is current on a thread: made so for a call, and what was current before put back.
//!
//! A thread has one current context. A host that has its own there must find it again after every call on a [`super::Gpu`]
//! without a window, and must not find a context there where it had none.

use glutin::api::egl::Egl;
use glutin::api::egl::context::PossiblyCurrentContext;
use glutin::api::egl::display::Display;
use glutin::context::{AsRawContext, RawContext};
use glutin::display::{AsRawDisplay, RawDisplay};
use glutin::error::ErrorKind;

use crate::error::Error;

/// A handle of EGL's: a context, a display or a surface.
type Handle = *const std::ffi::c_void;

const NONE: Handle = std::ptr::null();

/// Names of EGL, which glutin keeps to itself.
const EGL_DRAW: i32 = 0x3059;
const EGL_READ: i32 = 0x305A;
const EGL_OPENGL_ES_API: u32 = 0x30A0;
const EGL_OPENGL_API: u32 = 0x30A2;

/// What was current on this thread; put back when dropped.
///
/// Several of them are dropped in the reverse order of their making.
pub struct Before {
    egl: &'static Egl,
    /// The API for which EGL asks and makes contexts; the rest is nothing where there was no context.
    api: u32,
    context: Handle,
    display: Handle,
    draw: Handle,
    read: Handle,
    /// A display to name where nothing is made current.
    ours: Handle,
    /// Not to be sent to another thread.
    thread: std::marker::PhantomData<Handle>,
}

impl Before {
    /// Looks at what is current.
    pub fn look(display: &Display) -> Before {
        let ours = match display.raw_display() {
            RawDisplay::Egl(handle) => handle,
            #[allow(unreachable_patterns, reason = "with a window there are other systems")]
            _ => NONE,
        };
        let egl = display.egl();
        let mut before = Before {
            egl,
            api: EGL_OPENGL_ES_API,
            context: NONE,
            display: NONE,
            draw: NONE,
            read: NONE,
            ours,
            thread: std::marker::PhantomData,
        };
        // SAFETY: these functions take no memory of ours, and EGL 1.4 has them all.
        unsafe {
            before.api = egl.QueryAPI();
            // Some have a current context for each API, of which at most one is there.
            for api in [before.api, EGL_OPENGL_API, EGL_OPENGL_ES_API] {
                egl.BindAPI(api);
                before.context = egl.GetCurrentContext();
                if before.context != NONE {
                    before.display = egl.GetCurrentDisplay();
                    before.draw = egl.GetCurrentSurface(EGL_DRAW);
                    before.read = egl.GetCurrentSurface(EGL_READ);
                    break;
                }
            }
            egl.BindAPI(before.api);
        }
        before
    }
}

impl Drop for Before {
    fn drop(&mut self) {
        let egl = self.egl;
        // SAFETY: the handles are EGL's own, of this thread; EGL refuses those that are gone.
        unsafe {
            let back = self.context != NONE
                && egl.MakeCurrent(self.display, self.draw, self.read, self.context) != 0;
            if !back {
                for api in [EGL_OPENGL_API, EGL_OPENGL_ES_API] {
                    egl.BindAPI(api);
                    if egl.GetCurrentContext() != NONE {
                        egl.MakeCurrent(self.ours, NONE, NONE, NONE);
                    }
                }
            }
            egl.BindAPI(self.api);
        }
    }
}

/// Makes a context current; `None` where it is already.
///
/// Errors: [`Error::ContextLost`]; [`Error::Gl`], among others where a context of GLX is current.
pub fn make(display: &Display, context: &PossiblyCurrentContext) -> Result<Option<Before>, Error> {
    const DURING: &str = "making the context current";
    let raw = match context.raw_context() {
        RawContext::Egl(handle) => handle,
        #[allow(unreachable_patterns, reason = "with a window there are other systems")]
        _ => NONE,
    };
    // SAFETY: takes no memory of ours.
    if unsafe { display.egl().GetCurrentContext() } == raw {
        return Ok(None);
    }
    let before = Before::look(display);
    match context.make_current_surfaceless() {
        Ok(()) => Ok(Some(before)),
        Err(error) if error.error_kind() == ErrorKind::ContextLost => {
            Err(Error::ContextLost { during: DURING, reason: error.to_string() })
        }
        Err(error) => Err(Error::Gl { during: DURING, what: error.to_string() }),
    }
}
