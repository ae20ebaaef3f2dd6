//! The functions of a context, in an `Rc` or an `Arc`, as their owner shares them.

use std::fmt;
use std::ops::Deref;
use std::rc::Rc;
use std::sync::Arc;

/// The functions of a caller's context, in an `Rc` or an `Arc`: [`Gpu::from_glow`](super::Gpu::from_glow) takes both.
#[derive(Clone)]
pub struct GlFunctions(Shared);

#[derive(Clone)]
enum Shared {
    Rc(Rc<glow::Context>),
    Arc(Arc<glow::Context>),
}

impl From<Rc<glow::Context>> for GlFunctions {
    fn from(gl: Rc<glow::Context>) -> GlFunctions {
        GlFunctions(Shared::Rc(gl))
    }
}

impl From<Arc<glow::Context>> for GlFunctions {
    fn from(gl: Arc<glow::Context>) -> GlFunctions {
        GlFunctions(Shared::Arc(gl))
    }
}

impl fmt::Debug for GlFunctions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("GlFunctions")
    }
}

impl Deref for GlFunctions {
    type Target = glow::Context;

    fn deref(&self) -> &glow::Context {
        match &self.0 {
            Shared::Rc(gl) => gl,
            Shared::Arc(gl) => gl,
        }
    }
}
