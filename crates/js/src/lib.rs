//! The module of the npm package: jobs of the library in a WebGL 2 context of the host's.
//!
//! Everything is the library's `tools::recipe`, as JavaScript calls it. The package's `index.js` makes of these what its
//! `index.d.ts` declares: promises of typed arrays.

#![cfg(target_family = "wasm")]

mod stream;

use js_sys::{Function, Uint8Array};
use rasterscan::tools::job::JobError;
use rasterscan::tools::recipe::{self, Bound, Known, Planned};
use rasterscan::{ElementType, Gpu};
use wasm_bindgen::prelude::{JsError, JsValue, wasm_bindgen};
use web_sys::{WebGl2RenderingContext, WebGlTexture};

use stream::Stream;

/// The library in one context.
#[wasm_bindgen]
pub struct Engine(Gpu);

#[wasm_bindgen]
impl Engine {
    /// The context is the caller's, who may promise an open colour mask.
    #[wasm_bindgen(constructor)]
    pub fn new(gl: WebGl2RenderingContext, open_colour_mask: bool) -> Result<Engine, JsError> {
        let gpu = Gpu::from_webgl2(gl)?;
        if open_colour_mask {
            gpu.assume_open_colour_mask();
        }
        Ok(Engine(gpu))
    }

    /// The first error that the page's own calls have left, as a sentence. Waits until everything issued before is carried out.
    #[wasm_bindgen(js_name = takeError)]
    pub fn take_error(&self) -> Option<String> {
        self.0.check_error("calls of the page").err().map(|error| error.to_string())
    }

    /// Calls a function, whose calls of the module restore the host's state once.
    pub fn together(&self, work: &Function) -> Result<JsValue, JsValue> {
        self.0.together(|| work.call0(&JsValue::NULL)).map_err(|error| JsError::from(error).into()).flatten()
    }

    /// Renderer, version and limits, as text.
    pub fn device(&self) -> String {
        self.0.device().to_string()
    }
}

/// A job in its words, with what is known of its streams.
#[wasm_bindgen]
pub struct Recipe(recipe::Recipe);

#[wasm_bindgen]
impl Recipe {
    /// The words of a job, in the grammar of the command line; `-` is a stream of the caller's.
    #[wasm_bindgen(constructor)]
    pub fn new(words: Vec<String>) -> Recipe {
        Recipe(recipe::Recipe::new(words))
    }

    /// Numbers that will be uploaded.
    pub fn array(&mut self, name: String, dtype: &str, len: f64) -> Result<(), JsError> {
        self.0.stream(name, Known::Array { element: element(dtype)?, len: len as u64 });
        Ok(())
    }

    /// A stream that lies on the GPU as this one does.
    pub fn stream(&mut self, name: String, stream: &Stream) {
        self.0.stream(name, Known::Stream(*stream.inner().layout()));
    }

    /// A texture of the caller's: `Known::texture`.
    #[expect(clippy::too_many_arguments, reason = "a call from JavaScript")]
    pub fn texture(
        &mut self,
        name: String,
        format: &str,
        dtype: Option<String>,
        width: u32,
        height: u32,
        items: Option<f64>,
        channel: Option<u32>,
    ) -> Result<(), JsError> {
        let dtype = dtype.map(|dtype| element(&dtype)).transpose()?;
        let items = items.map(|items| items as u64);
        self.0.stream(name, Known::texture(format, dtype, [width, height], items, channel)?);
        Ok(())
    }

    /// A function in GLSL: `TYPE key(ITEM item, int index)`, or `bool keep(ITEM item, int index)` of a compaction.
    pub fn snippet(&mut self, glsl: String) -> Result<(), JsError> {
        Ok(self.0.snippet(glsl)?)
    }

    /// Starts to prepare the plan on this device.
    pub fn prepare_later(&self, engine: &Engine) -> Result<Preparing, JsError> {
        let planned = self.0.plan(engine.0.device())?;
        Ok(Preparing { preparing: engine.0.prepare_later(&planned.plan)?, planned: Some(planned) })
    }

    /// Prepares the plan on this device, and waits until it is compiled.
    pub fn prepare(&self, engine: &Engine) -> Result<Prepared, JsError> {
        let planned = self.0.plan(engine.0.device())?;
        Ok(Prepared(Bound::new(engine.0.prepare(&planned.plan)?, planned)?))
    }
}

/// A plan whose programs are being compiled.
#[wasm_bindgen]
pub struct Preparing {
    preparing: rasterscan::Preparing,
    planned: Option<Planned>,
}

#[wasm_bindgen]
impl Preparing {
    /// The plan, once it is prepared.
    pub fn poll(&mut self) -> Result<Option<Prepared>, JsError> {
        let Some(prepared) = self.preparing.poll()? else { return Ok(None) };
        Ok(self.planned.take().map(|planned| Bound::new(prepared, planned).map(Prepared)).transpose()?)
    }
}

/// A plan on a device, with the streams that its next run reads.
#[wasm_bindgen]
pub struct Prepared(Bound);

#[wasm_bindgen]
impl Prepared {
    /// The names of the inputs that are not bound yet, empty for those that are, in their order.
    pub fn inputs(&self) -> Vec<String> {
        self.0.inputs().map(|(name, is_bound)| if is_bound { String::new() } else { name.into() }).collect()
    }

    /// How each input lies, as text: a texture that was wrapped for one suits every other that lies so.
    pub fn layouts(&self) -> Vec<String> {
        (0..self.0.inputs().count())
            .map_while(|input| Some(format!("{:?}", self.0.layout(input).ok()?)))
            .collect()
    }

    /// The names of the results, in their order.
    pub fn outputs(&self) -> Vec<String> {
        self.0.outputs().iter().map(|output| output.name.into()).collect()
    }

    /// Returns true if only the first items of a result count, as many as the result `count` says.
    pub fn counted(&self, output: usize) -> bool {
        self.0.outputs().get(output).is_some_and(|output| output.counted)
    }

    /// The passes and their costs, as text.
    pub fn text(&self) -> String {
        self.0.prepared().plan().to_string()
    }

    /// Uploads an input from the bytes of its numbers, into the memory of its last upload if there was one.
    pub fn upload(&mut self, input: usize, dtype: &str, bytes: &Uint8Array) -> Result<(), JsError> {
        Ok(self.0.upload_array(input, element(dtype)?, bytes)?)
    }

    /// Binds a stream that lies as the recipe said.
    pub fn bind(&mut self, input: usize, stream: &Stream) -> Result<(), JsError> {
        Ok(self.0.bind(input, stream.inner().clone())?)
    }

    /// A stream of a texture of the host's, which lies as the recipe said.
    pub fn wrap(&self, input: usize, texture: &WebGlTexture, engine: &Engine) -> Result<Stream, JsError> {
        let (layout, is_narrow) = self.0.layout(input)?;
        let stream = match is_narrow {
            true => engine.0.wrap_webgl_pixels(texture, layout)?,
            false => engine.0.wrap_webgl_texture(texture, layout)?,
        };
        Ok(Stream::new(stream))
    }

    /// Sets a uniform of the snippet, from one number, or two for an `ivec2`.
    pub fn set(&mut self, name: &str, values: &[f64]) -> Result<(), JsError> {
        Ok(self.0.set(name, values)?)
    }

    /// Runs all passes.
    pub fn run(&mut self) -> Result<(), JsError> {
        Ok(self.0.run()?)
    }

    /// The results of the last run, which the next one overwrites.
    pub fn results(&self) -> Vec<Stream> {
        self.0.results().iter().cloned().map(Stream::new).collect()
    }
}

fn element(dtype: &str) -> Result<ElementType, JsError> {
    ElementType::named(dtype).ok_or_else(|| JobError::Element(dtype.into()).into())
}
