//! The functions of a context, in an `Rc` or an `Arc`, as their owner shares them.

use std::fmt;
use std::ops::Deref;
use std::rc::Rc;
use std::sync::Arc;

#[cfg(not(target_family = "wasm"))]
use glow::HasContext;

/// The functions of a caller's context, in an `Rc` or an `Arc`: [`Gpu::from_glow`](super::Gpu::from_glow) takes both.
///
/// In a page glow does not say what a context has bound, so they come together with the `WebGl2RenderingContext` itself:
/// `(functions, context).into()`, or `context.into()` for functions of their own.
#[derive(Clone)]
pub struct GlFunctions {
    shared: Shared,
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
                    GlFunctions { shared: Shared::$pointer(gl) }
                }
            }

            #[cfg(target_family = "wasm")]
            impl From<($pointer<glow::Context>, web_sys::WebGl2RenderingContext)> for GlFunctions {
                fn from(
                    (gl, context): ($pointer<glow::Context>, web_sys::WebGl2RenderingContext),
                ) -> GlFunctions {
                    GlFunctions { shared: Shared::$pointer(gl), page: context.into() }
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

    /// Pauses captures that are active. Returns true if there are any. The context must be current, and have objects of captures.
    pub(super) fn pause_captures(&self) -> bool {
        // SAFETY: the context is current, and its version has the names and the call.
        unsafe {
            let active = self.get_parameter_bool(glow::TRANSFORM_FEEDBACK_ACTIVE)
                && !self.get_parameter_bool(glow::TRANSFORM_FEEDBACK_PAUSED);
            if active {
                self.pause_transform_feedback();
            }
            active
        }
    }
}
