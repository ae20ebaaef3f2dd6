//! A page's own context, which says what glow does not: which objects are bound. It also lends glow objects of the page's.

use std::rc::Rc;

use glow::HasContext;
use js_sys::{Float32Array, Object, Reflect};
use wasm_bindgen::{JsCast, JsValue, prelude::Closure};
use web_sys::{WebGl2RenderingContext, WebGlProgram, WebGlTexture, WebGlTransformFeedback};

use super::functions::GlFunctions;
use super::gpu::Gpu;
use super::state::Effects;
use super::stream::{Memory, Stream, Wrapped};
use super::texture::{Owner, Wanted};
use crate::error::Error;
use crate::plan::{Layout, Storage};

impl Gpu {
    /// Uses a context of the page's, or of a library's that the page draws with, such as that of three.js'
    /// `renderer.getContext()`. Every call restores the state that it changes, as in [`Gpu::from_glow`].
    ///
    /// Errors: [`Error::ContextLost`], [`Error::DeletedObject`], [`Error::Gl`].
    pub fn from_webgl2(context: WebGl2RenderingContext) -> Result<Gpu, Error> {
        // SAFETY: the functions are made of the context.
        unsafe { Gpu::from_glow(context) }
    }

    /// A stream in a texture of the page's: [`Gpu::wrap_texture`]. The page must not delete the texture, nor give it other texels,
    /// while the stream or a clone of it is used: calls with it would fail.
    ///
    /// Errors: as [`Gpu::wrap_texture`].
    pub fn wrap_webgl_texture(&self, texture: &WebGlTexture, layout: &Layout) -> Result<Stream, Error> {
        self.wrap_object(texture, Wanted::Layout, layout)
    }

    /// A stream of floats in a texture of the page's: [`Gpu::wrap_pixels`].
    ///
    /// Errors: as [`Gpu::wrap_texture`].
    pub fn wrap_webgl_pixels(&self, texture: &WebGlTexture, layout: &Layout) -> Result<Stream, Error> {
        self.wrap_object(texture, Wanted::Floats, layout)
    }

    fn wrap_object(&self, texture: &WebGlTexture, wanted: Wanted, layout: &Layout) -> Result<Stream, Error> {
        let failed = |what| Error::Gl { during: "wrapping a texture", what };
        let name = self.0.gl.adopt(texture).map_err(failed)?;
        let stream = self.wrap(Wrapped::Texture(name, Owner::Page, wanted), layout, Storage::Texture)?;
        stream.webgl_texture()?;
        Ok(stream)
    }
}

impl Stream {
    /// The texture as the page has it: [`Self::texture`]. It is deleted with the stream and its clones, unless it is the page's.
    ///
    /// Errors: [`Error::ContextLost`].
    pub fn webgl_texture(&self) -> Result<Option<WebGlTexture>, Error> {
        self.gpu.enter("handing out a texture", Effects::Bindings, || {
            Ok(match &*self.memory {
                Memory::Texture(texture) => Some(texture.object().clone()),
                Memory::Buffer(_) => None,
            })
        })
    }
}

/// The reason if a context is lost.
pub(super) fn lost(context: &WebGl2RenderingContext) -> Option<&'static str> {
    context.is_context_lost().then_some("the browser took the context away")
}

/// A context, and what is asked of it only once: WebGL answers some questions only when everything issued before is carried out.
#[derive(Clone)]
pub struct Page {
    context: WebGl2RenderingContext,
    wide_lines: bool,
    /// Captures of ours, that are never active.
    feedback: Option<WebGlTransformFeedback>,
}

impl From<WebGl2RenderingContext> for Page {
    fn from(context: WebGl2RenderingContext) -> Page {
        let widths = context.get_parameter(glow::ALIASED_LINE_WIDTH_RANGE).unwrap_or_default();
        let wide_lines = widths.dyn_into::<Float32Array>().is_ok_and(|widths| widths.get_index(1) > 1.0);
        Page { wide_lines, feedback: context.create_transform_feedback(), context }
    }
}

impl From<WebGl2RenderingContext> for GlFunctions {
    fn from(context: WebGl2RenderingContext) -> GlFunctions {
        (Rc::new(glow::Context::from_webgl2_context(context.clone())), context).into()
    }
}

impl GlFunctions {
    /// The context itself.
    pub(super) fn page(&self) -> &WebGl2RenderingContext {
        &self.page.context
    }

    /// Returns true if the context was not lost.
    pub(super) fn has_context(&self) -> bool {
        lost(self.page()).is_none()
    }

    /// Returns true if lines can be wider than 1.
    pub(super) fn has_wide_lines(&self) -> bool {
        self.page.wide_lines
    }

    /// Pauses captures that are active. Returns true if there are any: they do not let others be bound, which tells it at once.
    pub(super) fn pause_captures(&self) -> bool {
        let bound = || self.object::<JsValue>(glow::TRANSFORM_FEEDBACK_BINDING);
        let before = bound();
        self.page().bind_transform_feedback(glow::TRANSFORM_FEEDBACK, self.page.feedback.as_ref());
        let active = bound() == before;
        if active {
            self.page().get_error();
            self.page().pause_transform_feedback();
        }
        active
    }

    /// The object that is bound to a point.
    pub(super) fn object<T: JsCast>(&self, point: u32) -> Option<T> {
        let object = self.page().get_parameter(point).ok()?;
        (!object.is_null()).then(|| object.unchecked_into())
    }

    /// Returns true if a program has been deleted.
    pub(super) fn is_deleted(&self, program: &WebGlProgram) -> bool {
        self.page().get_program_parameter(program, glow::DELETE_STATUS).is_truthy()
    }

    /// glow's name for a texture that the page has made. [`Self::forget`] ends it.
    pub(super) fn adopt(&self, texture: &WebGlTexture) -> Result<glow::Texture, String> {
        let texture = JsValue::from(texture);
        // SAFETY: a page has no current context: the functions are those of their own.
        self.instead_of("createTexture", move |_| texture.clone(), || unsafe { self.create_texture() })
    }

    /// Ends glow's name for a texture, which lives on.
    pub(super) fn forget(&self, name: glow::Texture) {
        let nothing = |_| JsValue::UNDEFINED;
        // SAFETY: as above.
        self.instead_of("deleteTexture", nothing, || unsafe { self.delete_texture(name) });
    }

    /// Runs `work` while another function stands in place of a method of the context: glow calls methods by their names, and
    /// keeps what `createTexture` returns.
    fn instead_of<R>(
        &self,
        method: &str,
        function: impl Fn(JsValue) -> JsValue + 'static,
        work: impl FnOnce() -> R,
    ) -> R {
        let (context, name): (&JsValue, JsValue) = (self.page(), method.into());
        let function = Closure::<dyn Fn(JsValue) -> JsValue>::new(function);
        // A page that watches its context may have put one there itself.
        let own = Object::get_own_property_descriptor(self.page(), &name);
        let _ = Reflect::set(context, &name, function.as_ref());
        let result = work();
        let _ = match own.dyn_ref::<Object>() {
            Some(own) => Reflect::define_property(self.page(), &name, own),
            None => Reflect::delete_property(self.page(), &name),
        };
        result
    }
}
