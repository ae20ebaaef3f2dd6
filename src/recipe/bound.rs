//! A plan on a device, with the streams that its next run reads.

use super::{Origin, Planned, RecipeError, uniform};
use crate::algorithm::Output;
#[cfg(target_family = "wasm")]
use crate::element::ElementType;
use crate::error::Error;
use crate::for_element;
use crate::gl::{Prepared, Stream};
use crate::hint::hint;
use crate::layout::Layout;
use crate::numbers::Numbers;
use crate::plan::Uniform;

/// A plan on a device, with the streams that its next run reads.
#[derive(Debug)]
pub struct Bound {
    prepared: Prepared,
    inputs: Vec<Origin>,
    /// Each with true if it is an upload, which the next one may overwrite.
    streams: Vec<Option<(Stream, bool)>>,
    outputs: Vec<Output>,
    /// Those of the snippet.
    uniforms: Vec<(&'static str, Uniform)>,
    /// Those of the last run; none if other streams were bound since.
    results: Vec<Stream>,
}

impl Bound {
    /// A plan that [`Planned`] describes, prepared: with what is among its words uploaded.
    ///
    /// Errors: as [`Prepared::upload_input`].
    pub fn new(
        prepared: Prepared,
        Planned { mut inputs, outputs, uniforms, .. }: Planned,
    ) -> Result<Bound, Error> {
        let upload = |(input, origin): (usize, &mut Origin)| {
            let numbers = origin.numbers.take();
            numbers.map(|numbers| Ok((upload(&prepared, input, &numbers)?, true))).transpose()
        };
        let streams = inputs.iter_mut().enumerate().map(upload).collect::<Result<_, Error>>()?;
        Ok(Bound { prepared, inputs, streams, outputs, uniforms, results: Vec::new() })
    }

    /// The plan.
    pub fn prepared(&self) -> &Prepared {
        &self.prepared
    }

    /// The names of the inputs, in their order, with true for those that are bound.
    pub fn inputs(&self) -> impl Iterator<Item = (&str, bool)> {
        self.inputs.iter().zip(&self.streams).map(|(origin, stream)| (origin.name.as_str(), stream.is_some()))
    }

    /// The results, in their order.
    pub fn outputs(&self) -> &[Output] {
        &self.outputs
    }

    /// The layout of an input, and true if it is a texture whose channels are read as floats.
    ///
    /// Errors: no such input.
    pub fn layout(&self, input: usize) -> Result<(&Layout, bool), RecipeError> {
        let layout = self.prepared.input_layout(input).zip(self.inputs.get(input));
        let (layout, origin) = layout.ok_or_else(no_input)?;
        Ok((layout, origin.is_narrow))
    }

    /// Uploads an input, into the memory of its last upload if there was one.
    ///
    /// Errors: as [`Prepared::upload_input`]; no such input.
    pub fn upload(&mut self, input: usize, numbers: Numbers) -> Result<(), RecipeError> {
        let origin = self.inputs.get(input).ok_or_else(no_input)?;
        let items = self.prepared.input_layout(0).map_or(0, |layout| layout.len);
        let numbers = match origin.option {
            Some((name, side)) => side.stream(name, numbers, items)?,
            None => numbers,
        };
        match &self.streams[input] {
            Some((stream, true)) => for_element!(numbers.element(), T => stream.write::<T>(numbers.get()?))?,
            _ => {
                self.streams[input] = Some((upload(&self.prepared, input, &numbers)?, true));
                self.results.clear();
            }
        }
        Ok(())
    }

    /// Uploads an input from a typed array, given as its bytes, without a copy in the module's memory unless an option gives its
    /// numbers another meaning.
    ///
    /// Errors: as [`Self::upload`].
    #[cfg(target_family = "wasm")]
    pub fn upload_array(
        &mut self,
        input: usize,
        element: ElementType,
        bytes: &js_sys::Uint8Array,
    ) -> Result<(), RecipeError> {
        if self.inputs.get(input).ok_or_else(no_input)?.option.is_some() {
            return self.upload(input, Numbers::of_bytes(element, &bytes.to_vec()));
        }
        match &self.streams[input] {
            Some((stream, true)) => stream.write_array(element, bytes)?,
            _ => {
                self.streams[input] = Some((self.prepared.upload_array(input, element, bytes)?, true));
                self.results.clear();
            }
        }
        Ok(())
    }

    /// Binds a stream that lies as the recipe said.
    ///
    /// Errors: no such input. The run checks the layout.
    pub fn bind(&mut self, input: usize, stream: Stream) -> Result<(), RecipeError> {
        *self.streams.get_mut(input).ok_or_else(no_input)? = Some((stream, false));
        self.results.clear();
        Ok(())
    }

    /// Sets a uniform of the snippet, from one number, or two for an `ivec2`.
    ///
    /// Errors: no such uniform, or other numbers than it takes.
    pub fn set(&mut self, name: &str, values: &[f64]) -> Result<(), RecipeError> {
        let known = self.uniforms.iter().find(|(known, _)| *known == name);
        let (_, value) = known.ok_or_else(|| {
            let names = self.uniforms.iter().map(|(name, _)| *name);
            RecipeError::Other(match self.uniforms.is_empty() {
                true => format!("there is no uniform '{name}': the plan has none"),
                false => format!("there is no uniform '{name}'; {}", hint(name, names)),
            })
        })?;
        let glsl_type = value.glsl_type();
        let value = uniform(glsl_type, values).ok_or_else(|| {
            let count = if glsl_type == "ivec2" { "2 numbers" } else { "1 number" };
            RecipeError::Other(format!(
                "{name} is a uniform {glsl_type}; expected {count}, got {}",
                values.len()
            ))
        })?;
        Ok(self.prepared.set(name, value)?)
    }

    /// Runs all passes.
    ///
    /// Errors: as [`Prepared::run`]; inputs that are not bound.
    pub fn run(&mut self) -> Result<(), RecipeError> {
        let mut inputs = Vec::new();
        for (origin, stream) in self.inputs.iter().zip(&self.streams) {
            let missing = || RecipeError::Missing(origin.name.clone());
            inputs.push(stream.as_ref().map(|(stream, _)| stream).ok_or_else(missing)?);
        }
        let results = self.prepared.run(&inputs)?;
        if self.results.is_empty() {
            let result =
                |output: &Output| results.get(output.name).unwrap_or_else(|| results.first()).clone();
            self.results = self.outputs.iter().map(result).collect();
        }
        Ok(())
    }

    /// The results of the last run, which the next one overwrites; none before it.
    pub fn results(&self) -> &[Stream] {
        &self.results
    }
}

fn upload(prepared: &Prepared, input: usize, numbers: &Numbers) -> Result<Stream, Error> {
    for_element!(numbers.element(), T => prepared.upload_input::<T>(input, numbers.get()?))
}

fn no_input() -> RecipeError {
    RecipeError::Other("the plan has no such input".into())
}
