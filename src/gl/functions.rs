//! The functions of a context, in an `Rc` or an `Arc`, as their owner shares them.

use std::cell::Cell;
use std::fmt;
use std::ops::Deref;
use std::rc::Rc;
use std::sync::Arc;

use glow::HasContext;

use super::texture::{CALLERS, EARLIER, check_error, is_loss, named};
use crate::error::Error;

/// The functions of a caller's context, in an `Rc` or an `Arc`: [`Gpu::from_glow`](super::Gpu::from_glow) takes both.
///
/// In a page glow does not say what a context has bound, so they come together with the `WebGl2RenderingContext` itself:
/// `(functions, context).into()`, or `context.into()` for functions of their own.
#[derive(Clone)]
pub struct GlFunctions {
    shared: Shared,
    /// The first error of the caller's that was set aside; 0 is none.
    pub(super) unread: Rc<Cell<u32>>,
    /// The current program, if it is known: one of this crate's.
    program: Rc<Cell<Option<glow::Program>>>,
    #[cfg(target_family = "wasm")]
    pub(super) page: super::page::Page,
}

#[derive(Clone)]
enum Shared {
    Rc(Rc<glow::Context>),
    Arc(Arc<glow::Context>),
}

/// Both kinds of pointers to functions, alone or with the page's context.
macro_rules! from_pointers {
    ($($pointer:ident)*) => {
        $(
            #[cfg(not(target_family = "wasm"))]
            impl From<$pointer<glow::Context>> for GlFunctions {
                fn from(gl: $pointer<glow::Context>) -> GlFunctions {
                    GlFunctions { shared: Shared::$pointer(gl), unread: Rc::default(), program: Rc::default() }
                }
            }

            #[cfg(target_family = "wasm")]
            impl From<($pointer<glow::Context>, web_sys::WebGl2RenderingContext)> for GlFunctions {
                fn from(
                    (gl, context): ($pointer<glow::Context>, web_sys::WebGl2RenderingContext),
                ) -> GlFunctions {
                    GlFunctions {
                        shared: Shared::$pointer(gl),
                        unread: Rc::default(),
                        program: Rc::default(),
                        page: context.into(),
                    }
                }
            }
        )*
    };
}

from_pointers! { Rc Arc }

impl fmt::Debug for GlFunctions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("GlFunctions")
    }
}

impl Deref for GlFunctions {
    type Target = glow::Context;

    fn deref(&self) -> &glow::Context {
        match &self.shared {
            Shared::Rc(gl) => gl,
            Shared::Arc(gl) => gl,
        }
    }
}

impl GlFunctions {
    /// Makes a program current, unless it already is: to name it again costs an H200 0.6 microseconds a run.
    ///
    /// # Safety
    ///
    /// The context must be current, and the program be one of it.
    pub(super) unsafe fn use_program(&self, program: Option<glow::Program>) {
        if self.program.replace(program) != program || program.is_none() {
            // SAFETY: by the caller's promise.
            unsafe { HasContext::use_program(&**self, program) };
        }
    }

    /// Forgets the current program, which the caller may have changed.
    pub(super) fn forget_program(&self) {
        self.program.set(None);
    }

    /// Takes the errors that calls of the caller's have left, so that they are not taken for this crate's, and keeps the first one.
    /// The context must be current.
    ///
    /// Errors: [`Error::ContextLost`]; [`Error::Gl`] if memory ran out.
    pub(super) fn set_aside_errors(&self) -> Result<(), Error> {
        // As many as there are kinds: a context that is gone may tell errors without end.
        for _ in 0..8 {
            // SAFETY: the context is current.
            match unsafe { self.get_error() } {
                glow::NO_ERROR => break,
                fatal if fatal == glow::OUT_OF_MEMORY || is_loss(fatal) => return Err(named(fatal, CALLERS)),
                error if self.unread.get() == glow::NO_ERROR => self.unread.set(error),
                _ => {}
            }
        }
        Ok(())
    }

    /// Checks that nothing has failed before calls whose own errors are checked. In a page that may be the page's own failure.
    pub(super) fn check_earlier(&self) -> Result<(), Error> {
        if cfg!(target_family = "wasm") { self.set_aside_errors() } else { check_error(self, EARLIER) }
    }
}

#[cfg(not(target_family = "wasm"))]
impl GlFunctions {
    /// Returns true if a context is current. Without one, calls do nothing.
    pub(super) fn has_context(&self) -> bool {
        // SAFETY: the functions are the driver's, and a query of this name is in all its versions.
        unsafe { self.get_parameter_i32(glow::MAJOR_VERSION) > 0 }
    }

    /// Returns true if lines can be wider than 1.
    pub(super) fn has_wide_lines(&self) -> bool {
        true
    }

    /// The colour mask. The context must be current.
    pub(super) fn colour_mask(&self) -> [bool; 4] {
        // SAFETY: the context is current, and the name is in all its versions.
        unsafe { self.get_parameter_bool_array(glow::COLOR_WRITEMASK) }
    }

    /// The active texture unit, which may be another one from now on. The context must be current.
    pub(super) fn leave_active_unit(&self) -> u32 {
        // SAFETY: as above.
        unsafe { self.get_parameter_i32(glow::ACTIVE_TEXTURE).unsigned_abs() - glow::TEXTURE0 }
    }

    /// Unbinds the object of captures. Returns true if captures are active, which are paused. The context must be current, and have
    /// such objects.
    pub(super) fn leave_captures(&self, _: &Option<glow::TransformFeedback>) -> bool {
        // SAFETY: the context is current, and its version has the names and the call.
        unsafe {
            let active = self.get_parameter_bool(glow::TRANSFORM_FEEDBACK_ACTIVE)
                && !self.get_parameter_bool(glow::TRANSFORM_FEEDBACK_PAUSED);
            if active {
                self.pause_transform_feedback();
            }
            self.bind_transform_feedback(glow::TRANSFORM_FEEDBACK, None);
            active
        }
    }
}
