//! A page's own context, which says what glow does not: which objects are bound. It also lends glow objects of the page's.

use std::cell::Cell;
use std::rc::Rc;

use glow::HasContext;
use js_sys::{Float32Array, Int32Array, Object, Reflect, Uint8Array, Uint32Array};
use wasm_bindgen::{JsCast, JsValue, prelude::Closure};
use web_sys::{WebGl2RenderingContext, WebGlProgram, WebGlTexture, WebGlTransformFeedback};

use super::functions::GlFunctions;
use super::gpu::Gpu;
use super::pending::Pending;
use super::prepared::Prepared;
use super::state::{Effects, set_for_transfer};
use super::stream::{Memory, Stream, Wrapped};
use super::texture::{Owner, Texture, Wanted, bind, names};
use crate::element::{Channel, Element, ElementType};
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

    /// Takes the page's promise that its colour mask is true for all channels whenever it calls. WebGL answers the question only when
    /// everything issued before is carried out, so each run waits for that otherwise (Chromium and Firefox: 40 microseconds at
    /// least). A mask that is another one after all is true for all channels after the next call.
    pub fn assume_open_colour_mask(&self) {
        self.0.gl.page.is_open.set(true);
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

/// An array of the page's with so many numbers of a layout, as bytes.
fn check_array(layout: &Layout, element: ElementType, bytes: &Uint8Array) -> Result<(), Error> {
    if element != layout.element {
        return Err(Error::ElementMismatch { what: "the data", got: element, expected: layout.element });
    }
    let got = u64::from(bytes.length() / element.words() / 4);
    match layout.elements() {
        expected if got != expected => Err(Error::Length { what: "the data", got, expected }),
        _ => Ok(()),
    }
}

impl Prepared {
    /// Uploads the numbers of a typed array, given as its bytes: [`Prepared::upload_input`] without a copy in the module's memory.
    /// Offsets of segments are not checked.
    ///
    /// Errors: as [`Prepared::upload_input`].
    pub fn upload_array(
        &self,
        number: usize,
        element: ElementType,
        bytes: &Uint8Array,
    ) -> Result<Stream, Error> {
        let expected = self.plan().inputs().len();
        let layout = *self.input_layout(number).ok_or(Error::Inputs { got: number + 1, expected })?;
        check_array(&layout, element, bytes)?;
        self.gpu.enter("uploading a stream", Effects::Transfers, || {
            let memory = Rc::new(Memory::new(&self.gpu, &layout)?);
            memory.upload_array(bytes)?;
            Ok(Stream { gpu: self.gpu.clone(), memory, layout })
        })
    }
}

impl Memory {
    fn upload_array(&self, bytes: &Uint8Array) -> Result<(), Error> {
        match self {
            Memory::Texture(texture) if texture.is_plain() => texture.upload_array(bytes),
            other => other.upload(&bytes.to_vec()),
        }
    }
}

impl Texture {
    /// Fills the texture row by row, and what remains with zeros.
    fn upload_array(&self, bytes: &Uint8Array) -> Result<(), Error> {
        let gl = &self.gpu.0.gl;
        let row = self.width * self.format.words * 4;
        let rows = bytes.length() / row;
        let words = rows * row / 4;
        let (buffer, offset) = (bytes.buffer(), bytes.byte_offset());
        let texels: Object = match self.format.channel {
            Channel::U32 => Uint32Array::new_with_byte_offset_and_length(&buffer, offset, words).into(),
            Channel::I32 => Int32Array::new_with_byte_offset_and_length(&buffer, offset, words).into(),
            Channel::F32 => Float32Array::new_with_byte_offset_and_length(&buffer, offset, words).into(),
        };
        let (_, format, kind) = names(self.format);
        set_for_transfer(gl, self.gpu.device().api);
        // SAFETY: a page has no current context: the functions are those of their own.
        unsafe { bind(gl, glow::TEXTURE_2D, self.id) };
        let [width, height] = [self.width, rows].map(|texels| texels as i32);
        let page = gl.page();
        page.tex_sub_image_2d_with_i32_and_i32_and_u32_and_type_and_opt_array_buffer_view(
            glow::TEXTURE_2D,
            0,
            0,
            0,
            width,
            height,
            format,
            kind,
            Some(&texels),
        )
        .map_err(|_| Error::Gl { during: "uploading", what: "the array cannot be read".into() })?;
        self.upload_plane(0, rows as usize, &bytes.subarray(rows * row, bytes.length()).to_vec())
    }
}

/// A texture of the page's whose texels are read to find out its size: unlike an upload outside of it, that is no error. Its
/// framebuffer is deleted when dropped.
pub(super) struct Probe<'a> {
    gl: &'a GlFunctions,
    framebuffer: glow::Framebuffer,
    format: u32,
    kind: u32,
}

impl<'a> Probe<'a> {
    /// `None` if texels of this kind cannot be read.
    pub fn new(texture: &'a Texture, kind: u32) -> Option<Probe<'a>> {
        let gl = &texture.gpu.0.gl;
        let (format, kind) = match kind {
            glow::UNSIGNED_INT | glow::INT => (glow::RGBA_INTEGER, kind),
            glow::FLOAT | glow::HALF_FLOAT => (glow::RGBA, glow::FLOAT),
            _ => (glow::RGBA, glow::UNSIGNED_BYTE),
        };
        let target = glow::READ_FRAMEBUFFER;
        // SAFETY: a page has no current context: the functions are those of their own.
        unsafe {
            let probe = Probe { gl, framebuffer: gl.create_framebuffer().ok()?, format, kind };
            gl.bind_framebuffer(target, Some(probe.framebuffer));
            texture.target(0).attach(gl, target, glow::COLOR_ATTACHMENT0);
            (gl.check_framebuffer_status(target) == glow::FRAMEBUFFER_COMPLETE).then_some(probe)
        }
    }

    /// Returns true if there is such a texel: WebGL leaves memory as it is for one that is not.
    pub fn has(&self, x: u32, y: u32) -> bool {
        let read = |filled: u32| {
            let mut texel = [filled; 4];
            let into = glow::PixelPackData::Slice(Some(bytemuck::cast_slice_mut(&mut texel)));
            // SAFETY: as above; a texel has four words at most.
            unsafe { self.gl.read_pixels(x as i32, y as i32, 1, 1, self.format, self.kind, into) };
            texel[0]
        };
        read(0) == read(u32::MAX)
    }
}

impl Drop for Probe<'_> {
    fn drop(&mut self) {
        // SAFETY: as above.
        unsafe { self.gl.delete_framebuffer(self.framebuffer) };
    }
}

impl<T: Element> Pending<T> {
    /// The bytes of the numbers, once they have arrived: [`Pending::poll`] without a copy in the module's memory.
    ///
    /// Errors: as [`Pending::poll`].
    pub fn poll_array(&mut self) -> Result<Option<Uint8Array>, Error> {
        self.poll_with(|pending, staging| {
            let Some(bytes) = pending.bytes() else {
                return pending
                    .numbers(staging)
                    .map(|numbers| bytemuck::cast_slice::<T, u8>(&numbers).into());
            };
            let (gl, array) = (&pending.gpu.0.gl, Uint8Array::new_with_length(bytes as u32));
            // SAFETY: a page has no current context: the functions are those of their own.
            unsafe { gl.bind_buffer(glow::ARRAY_BUFFER, Some(staging.0)) };
            gl.page().get_buffer_sub_data_with_i32_and_array_buffer_view(glow::ARRAY_BUFFER, 0, &array);
            Ok(array)
        })
    }
}

impl Stream {
    /// Replaces the numbers by those of a typed array, given as its bytes: [`Stream::write`] without a copy in the module's memory.
    ///
    /// Errors: as [`Stream::write`].
    pub fn write_array(&self, element: ElementType, bytes: &Uint8Array) -> Result<(), Error> {
        check_array(&self.layout, element, bytes)?;
        self.gpu.enter("writing a stream", Effects::Transfers, || self.memory.upload_array(bytes))
    }

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
    units: u32,
    /// A texture of ours, that only the search for the active unit binds.
    sought: Option<WebGlTexture>,
    /// True if the page has promised its colour mask.
    is_open: Cell<bool>,
    /// Captures of ours, that are never active.
    feedback: Option<WebGlTransformFeedback>,
}

impl From<WebGl2RenderingContext> for Page {
    fn from(context: WebGl2RenderingContext) -> Page {
        let ask = |name| context.get_parameter(name).unwrap_or_default();
        let widths = ask(glow::ALIASED_LINE_WIDTH_RANGE);
        let wide_lines = widths.dyn_into::<Float32Array>().is_ok_and(|widths| widths.get_index(1) > 1.0);
        let units = ask(glow::MAX_COMBINED_TEXTURE_IMAGE_UNITS).as_f64().unwrap_or_default() as u32;
        let (sought, feedback) = (context.create_texture(), context.create_transform_feedback());
        Page { wide_lines, units, sought, is_open: Cell::new(false), feedback, context }
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

    /// The colour mask, or what the page has promised of it.
    pub(super) fn colour_mask(&self) -> [bool; 4] {
        // SAFETY: a page has no current context: the functions are those of their own.
        if self.page.is_open.get() {
            [true; 4]
        } else {
            unsafe { self.get_parameter_bool_array(glow::COLOR_WRITEMASK) }
        }
    }

    /// The active texture unit, which Firefox would wait to tell: the one where a texture is that was bound just now. Makes another one
    /// active.
    pub(super) fn leave_active_unit(&self) -> u32 {
        let (page, sought) = (self.page(), &self.page.sought);
        let bound = || self.object::<WebGlTexture>(glow::TEXTURE_BINDING_2D);
        let before = bound();
        page.bind_texture(glow::TEXTURE_2D, sought.as_ref());
        let is_there = |unit: &u32| {
            page.active_texture(glow::TEXTURE0 + unit);
            bound() == *sought
        };
        let unit = (0..self.page.units).find(is_there).unwrap_or(0);
        page.bind_texture(glow::TEXTURE_2D, before.as_ref());
        unit
    }

    /// Binds another object of captures than the one that is bound, and returns true if captures are active, which are paused: until
    /// then they do not let another one be bound, which tells it at once.
    pub(super) fn leave_captures(&self, before: &Option<WebGlTransformFeedback>) -> bool {
        let (own, page) = (&self.page.feedback, self.page());
        let bind = || page.bind_transform_feedback(glow::TRANSFORM_FEEDBACK, own.as_ref());
        bind();
        let active = self.object(glow::TRANSFORM_FEEDBACK_BINDING) == *before;
        if active {
            page.get_error();
            page.pause_transform_feedback();
            bind();
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
