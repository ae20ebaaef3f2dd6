//! Streams as JavaScript holds them, and their way back.

use js_sys::Uint8Array;
use rasterscan::tools::for_element;
use rasterscan::{Element, Error, Pending};
use wasm_bindgen::prelude::{JsError, wasm_bindgen};
use web_sys::WebGlTexture;

/// Numbers on the GPU.
#[wasm_bindgen(js_name = GpuStream)]
pub struct Stream(rasterscan::Stream);

impl Stream {
    pub fn new(stream: rasterscan::Stream) -> Stream {
        Stream(stream)
    }

    pub fn inner(&self) -> &rasterscan::Stream {
        &self.0
    }
}

#[wasm_bindgen(js_class = GpuStream)]
impl Stream {
    /// The type of the numbers.
    #[wasm_bindgen(getter)]
    pub fn dtype(&self) -> String {
        self.0.layout().element.to_string()
    }

    /// Numbers in the stream.
    #[wasm_bindgen(getter)]
    pub fn length(&self) -> f64 {
        self.0.layout().elements() as f64
    }

    /// The texture, which the stream goes on to own.
    #[wasm_bindgen(getter)]
    pub fn texture(&self) -> Result<Option<WebGlTexture>, JsError> {
        Ok(self.0.webgl_texture()?)
    }

    /// Columns of the texture.
    #[wasm_bindgen(getter)]
    pub fn width(&self) -> u32 {
        self.0.layout().width
    }

    /// Rows of the texture.
    #[wasm_bindgen(getter)]
    pub fn height(&self) -> u32 {
        self.0.layout().height
    }

    /// The format of a texel.
    #[wasm_bindgen(getter)]
    pub fn format(&self) -> String {
        self.0.layout().format().to_string()
    }

    /// Consecutive items in a texel.
    #[wasm_bindgen(getter, js_name = itemsPerTexel)]
    pub fn items_per_texel(&self) -> u32 {
        self.0.layout().items_per_texel
    }

    /// Starts to read the stream back.
    pub fn read(&self) -> Result<Readback, JsError> {
        let element = self.0.layout().element;
        Ok(for_element!(element, T => Readback::of::<T>(self.0.read_later()?)))
    }
}

/// Numbers on their way back.
#[wasm_bindgen]
pub struct Readback(Box<dyn FnMut() -> Result<Option<Uint8Array>, Error>>);

impl Readback {
    fn of<T: Element>(mut pending: Pending<T>) -> Readback {
        Readback(Box::new(move || pending.poll_array()))
    }
}

#[wasm_bindgen]
impl Readback {
    /// The bytes, once they have arrived.
    pub fn poll(&mut self) -> Result<Option<Uint8Array>, JsError> {
        Ok((self.0)()?)
    }
}
