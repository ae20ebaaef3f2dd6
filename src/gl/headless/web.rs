//! Contexts of WebGL 2, each on a canvas of its own that no page shows.
//!
//! A page has one thread and no current context: every object belongs to its canvas. Nothing is made current, and
//! nothing has to be restored.

use std::cell::Cell;
use std::ffi::{CStr, c_void};

use js_sys::{Object, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{HtmlCanvasElement, OffscreenCanvas, WebGl2RenderingContext};

use super::{Created, HeadlessOptions};
use crate::device::Api;
use crate::error::Error;
use crate::gl::debug::DebugLog;
use crate::gl::page;

/// Stands for the context that was current before: there is none to restore.
pub struct Before;

/// A context on a canvas of its own.
pub struct OwnedContext {
    context: WebGl2RenderingContext,
    lost: Cell<bool>,
}

impl OwnedContext {
    /// The functions of the context, once more.
    pub fn load(&self) -> glow::Context {
        glow::Context::from_webgl2_context(self.context.clone())
    }

    /// A page's functions are glow's alone.
    pub fn function(&self, _: &CStr) -> *const c_void {
        std::ptr::null()
    }

    /// Asks whether the context is lost, since calls on a lost one do nothing and report nothing.
    pub fn make_current(&self) -> Result<Option<Before>, Error> {
        match self.reset() {
            None => Ok(None),
            Some(reason) => Err(Error::ContextLost { during: "an earlier call", reason: reason.into() }),
        }
    }

    /// The reason for a reset of the device, if there was one.
    pub fn reset(&self) -> Option<&'static str> {
        page::lost(&self.context)
    }

    /// Notes that the context is lost.
    pub fn give_up(&self) {
        self.lost.set(true);
    }
}

impl Drop for OwnedContext {
    fn drop(&mut self) {
        // A browser keeps some sixteen contexts, and frees those that a page has dropped when it likes.
        if !self.lost.get()
            && let Ok(Some(extension)) = self.context.get_extension("WEBGL_lose_context")
            && let Ok(lose) = Reflect::get(&extension, &"loseContext".into())
            && let Some(lose) = lose.dyn_ref::<js_sys::Function>()
        {
            let _ = lose.call0(&extension);
        }
    }
}

/// The number of devices: a page cannot choose.
pub fn device_count() -> Result<usize, Error> {
    Ok(1)
}

/// Makes a context. The browser chooses the device.
pub fn create(options: &HeadlessOptions) -> Result<Created, Error> {
    options.device.check_only_device()?;
    if options.api != Api::Gles {
        return Err(Error::NoDevice("a browser has WebGL 2, which is OpenGL ES 3.0".into()));
    }
    let attributes = Object::new();
    for (name, value) in [
        ("alpha", JsValue::FALSE),
        ("depth", JsValue::FALSE),
        ("antialias", JsValue::FALSE),
        ("powerPreference", "high-performance".into()),
    ] {
        let _ = Reflect::set(&attributes, &name.into(), &value);
    }
    let context = offscreen(&attributes).or_else(|| on_element(&attributes)).ok_or_else(|| {
        Error::NoDevice("this browser offers no WebGL 2 here: it is too old, or graphics are off".into())
    })?;
    let gl = context.clone().into();
    let context = OwnedContext { context, lost: Cell::new(false) };
    Ok(Created { gl, before: Before, context, debug: DebugLog::none(), software: false })
}

// Canvases have one pixel, since only their contexts are used.

/// A context of a canvas that belongs to no page: all that a worker has. Safari below 17, and WebKitGTK, have such canvases
/// without WebGL 2.
fn offscreen(attributes: &Object) -> Option<WebGl2RenderingContext> {
    let canvas = OffscreenCanvas::new(1, 1).ok()?;
    canvas.get_context_with_context_options("webgl2", attributes).ok()??.dyn_into().ok()
}

/// A context of an element that the page does not show; `None` in a worker.
fn on_element(attributes: &Object) -> Option<WebGl2RenderingContext> {
    let element = web_sys::window()?.document()?.create_element("canvas").ok()?;
    let canvas: HtmlCanvasElement = element.dyn_into().ok()?;
    canvas.set_width(1);
    canvas.set_height(1);
    canvas.get_context_with_context_options("webgl2", attributes).ok()??.dyn_into().ok()
}
