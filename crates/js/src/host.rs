//! Textures between the library and its host: the library knows them by keys, the host by objects.

use js_sys::Reflect;
use rasterscan::{Error, Gpu};
use wasm_bindgen::prelude::{Closure, JsCast, JsError, JsValue};
use web_sys::{WebGl2RenderingContext as Gl, WebGlTexture};

use glow::HasContext;

/// The key of a texture of the host's: glow gives keys only to what it makes, so it makes this one.
pub fn key(gpu: &Gpu, gl: &Gl, texture: &WebGlTexture) -> Result<glow::Texture, JsError> {
    let own = JsValue::from_str("createTexture");
    let texture = texture.clone();
    let make = Closure::<dyn FnMut() -> WebGlTexture>::new(move || texture.clone());
    let failed = |_| JsError::new("the context cannot be extended");
    Reflect::set(gl, &own, make.as_ref()).map_err(failed)?;
    // SAFETY: the context is current, as all are in a page.
    let made = unsafe { gpu.glow().create_texture() };
    Reflect::delete_property(gl, &own).map_err(failed)?;
    made.map_err(|what| Error::Gl { during: "wrapping a texture", what }.into())
}

/// The object of a texture of the library's.
pub fn object(gpu: &Gpu, gl: &Gl, texture: glow::Texture) -> Option<WebGlTexture> {
    let bound = || gl.get_parameter(Gl::TEXTURE_BINDING_2D).ok()?.dyn_into::<WebGlTexture>().ok();
    let before = bound();
    // SAFETY: the texture is of this context.
    unsafe { gpu.glow().bind_texture(glow::TEXTURE_2D, Some(texture)) };
    let object = bound();
    gl.bind_texture(Gl::TEXTURE_2D, before.as_ref());
    object
}
