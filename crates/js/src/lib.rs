//! The module of the npm package: jobs of the library in a WebGL 2 context of the host's.
//!
//! A `Recipe` is a job in its words, with what is known of its streams; it becomes a `Prepared` plan, whose inputs are
//! bound and which runs. The package's `index.js` makes of these what its `index.d.ts` declares: promises of typed arrays.

#![cfg(target_family = "wasm")]

mod recipe;
mod stream;

use js_sys::Uint8Array;
use rasterscan::tools::Numbers;
use rasterscan::tools::registry::hint;
use rasterscan::{Error, Gpu};
use wasm_bindgen::prelude::{JsError, wasm_bindgen};
use web_sys::{WebGl2RenderingContext, WebGlTexture};

use recipe::Origin;
use stream::Stream;

/// The library in one context.
#[wasm_bindgen]
pub struct Engine(Gpu);

#[wasm_bindgen]
impl Engine {
    /// The context is the caller's.
    #[wasm_bindgen(constructor)]
    pub fn new(gl: WebGl2RenderingContext) -> Result<Engine, JsError> {
        Ok(Engine(Gpu::from_webgl2(gl)?))
    }

    /// Renderer, version and limits, as text.
    pub fn device(&self) -> String {
        self.0.device().to_string()
    }
}

/// A plan whose programs are being compiled.
#[wasm_bindgen]
pub struct Preparing {
    preparing: rasterscan::gl::Preparing,
    inputs: Vec<Origin>,
    outputs: Vec<(&'static str, bool)>,
}

#[wasm_bindgen]
impl Preparing {
    /// The plan, once it is prepared.
    pub fn poll(&mut self) -> Result<Option<Prepared>, JsError> {
        let prepared = self.preparing.poll()?;
        let new = |prepared| Prepared::new(prepared, std::mem::take(&mut self.inputs), self.outputs.clone());
        prepared.map(new).transpose()
    }
}

/// A plan on a device, with the streams that its next run reads.
#[wasm_bindgen]
pub struct Prepared {
    prepared: rasterscan::Prepared,
    inputs: Vec<Origin>,
    bound: Vec<Option<Stream>>,
    /// Names of the results, and whether only the first items count.
    outputs: Vec<(&'static str, bool)>,
    /// Those of the last run; none if other streams were bound since.
    results: Vec<Stream>,
}

impl Prepared {
    fn new(
        prepared: rasterscan::Prepared,
        mut inputs: Vec<Origin>,
        outputs: Vec<(&'static str, bool)>,
    ) -> Result<Prepared, JsError> {
        let upload = |(input, origin): (usize, &mut Origin)| {
            let numbers = origin.numbers.take();
            numbers.map(|numbers| Stream::upload(&prepared, input, &numbers)).transpose()
        };
        let bound = inputs.iter_mut().enumerate().map(upload).collect::<Result<_, Error>>()?;
        Ok(Prepared { prepared, inputs, bound, outputs, results: Vec::new() })
    }

    fn no_input() -> JsError {
        JsError::new("the plan has no such input")
    }
}

#[wasm_bindgen]
impl Prepared {
    /// The names of the inputs that are not bound yet, empty for those that are, in their order.
    pub fn inputs(&self) -> Vec<String> {
        let name = |(origin, bound): (&Origin, &Option<Stream>)| match bound {
            Some(_) => String::new(),
            None => origin.name.clone(),
        };
        self.inputs.iter().zip(&self.bound).map(name).collect()
    }

    /// The names of the results, in their order.
    pub fn outputs(&self) -> Vec<String> {
        self.outputs.iter().map(|(name, _)| (*name).into()).collect()
    }

    /// Returns true if only the first items of a result count, as many as the result `count` says.
    pub fn counted(&self, output: usize) -> bool {
        self.outputs.get(output).is_some_and(|(_, counted)| *counted)
    }

    /// The passes and their costs, as text.
    pub fn text(&self) -> String {
        self.prepared.plan().to_string()
    }

    /// Uploads an input from the bytes of its numbers, into the memory of its last upload if there was one.
    pub fn upload(&mut self, input: usize, dtype: &str, bytes: &Uint8Array) -> Result<(), JsError> {
        let origin = self.inputs.get(input).ok_or_else(Self::no_input)?;
        let numbers = stream::numbers(recipe::element(dtype)?, bytes);
        let numbers: Numbers = match origin.option {
            Some((name, side)) => side.stream(name, numbers, self.items())?,
            None => numbers,
        };
        match &self.bound[input] {
            Some(stream) if stream.is_uploaded => stream.write(&numbers)?,
            _ => {
                self.bound[input] = Some(Stream::upload(&self.prepared, input, &numbers)?);
                self.results.clear();
            }
        }
        Ok(())
    }

    /// Binds a stream that lies as the recipe said.
    pub fn bind(&mut self, input: usize, stream: &Stream) -> Result<(), JsError> {
        *self.bound.get_mut(input).ok_or_else(Self::no_input)? = Some(stream.again());
        self.results.clear();
        Ok(())
    }

    /// Binds a texture of the host's, which lies as the recipe said.
    pub fn wrap(&mut self, input: usize, texture: &WebGlTexture, engine: &Engine) -> Result<(), JsError> {
        let layout = self.prepared.input_layout(input).ok_or_else(Self::no_input)?;
        let stream = match self.inputs[input].is_narrow {
            true => engine.0.wrap_webgl_pixels(texture, layout)?,
            false => engine.0.wrap_webgl_texture(texture, layout)?,
        };
        self.bind(input, &Stream::of(&stream))
    }

    /// Sets a uniform of the snippet, from one number, or two for an `ivec2`.
    pub fn set(&mut self, name: &str, values: &[f64]) -> Result<(), JsError> {
        let known: Vec<_> = self.prepared.plan().passes().iter().flat_map(|pass| pass.uniforms()).collect();
        let value = known.iter().find(|(known, _)| *known == name).map(|(_, value)| value.glsl_type());
        let names = known.iter().map(|(name, _)| *name);
        let no = || JsError::new(&format!("there is no uniform '{name}'; {}", hint(name, names)));
        let glsl_type = value.ok_or_else(no)?;
        let other = || JsError::new(&format!("the uniform {name} is {glsl_type}, which takes other numbers"));
        let value = recipe::uniform(glsl_type, values).ok_or_else(other)?;
        Ok(self.prepared.set(name, value)?)
    }

    /// Runs all passes.
    pub fn run(&mut self) -> Result<(), JsError> {
        let mut inputs = Vec::new();
        for (origin, bound) in self.inputs.iter().zip(&self.bound) {
            let missing = || JsError::new(&format!("the stream '{}' is missing", origin.name));
            inputs.push(bound.as_ref().ok_or_else(missing)?.inner());
        }
        let results = self.prepared.run(&inputs)?;
        if self.results.is_empty() {
            let result = |(name, _): &(&str, bool)| results.get(name).unwrap_or_else(|| results.first());
            self.results = self.outputs.iter().map(result).map(Stream::of).collect();
        }
        Ok(())
    }

    /// The results of the last run, which the next one overwrites.
    pub fn results(&self) -> Vec<Stream> {
        self.results.iter().map(Stream::again).collect()
    }
}

impl Prepared {
    /// Items of the first stream.
    fn items(&self) -> u64 {
        self.prepared.input_layout(0).map_or(0, |layout| layout.len)
    }
}
