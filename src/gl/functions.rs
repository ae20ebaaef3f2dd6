//! The functions of a context, in an `Rc` or an `Arc`, as their owner shares them.

use std::fmt;
use std::ops::Deref;
use std::rc::Rc;
use std::sync::Arc;

/// The functions of a caller's context, in an `Rc` or an `Arc`: [`Gpu::from_glow`](super::Gpu::from_glow) takes both.
///
/// In a page glow does not say what a context has bound, so they come together with the `WebGl2RenderingContext` itself:
/// `(functions, context).into()`, or `context.into()` for functions of their own.
#[derive(Clone)]
pub struct GlFunctions {
    shared: Shared,
    #[cfg(target_family = "wasm")]
    context: web_sys::WebGl2RenderingContext,
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
                    GlFunctions { shared: Shared::$pointer(gl), context }
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

#[cfg(target_family = "wasm")]
impl From<web_sys::WebGl2RenderingContext> for GlFunctions {
    fn from(context: web_sys::WebGl2RenderingContext) -> GlFunctions {
        (Rc::new(glow::Context::from_webgl2_context(context.clone())), context).into()
    }
}

#[cfg(target_family = "wasm")]
impl GlFunctions {
    /// The context itself.
    pub(super) fn page(&self) -> &web_sys::WebGl2RenderingContext {
        &self.context
    }
}
