//! argmin and argmax of what was scanned so far: passes around a scan of pairs of a value and its index.
//!
//! ```text
//! number  p[i] = (x[i], i)
//! scan    p, by the algorithm: the pair with the smaller value, or of equal values the one with the smaller index
//! index   the second of each pair
//! value   the first
//! ```
//!
//! A pair has two elements of the stream's type. The second holds a word, the index plus 2^23, which is a normal number
//! where it is a float, so no GPU changes it on the way (`glsl/common/operator/first.glsl`).

use super::reference::{sequential_with, vanishes};
use super::{SHADER_FILES, ScanSpec, SideStreams};
use crate::algorithm::results::{Mismatch, Verified, same};
use crate::algorithm::{Algorithm, Output, Spec};
use crate::device::Device;
use crate::element::{Element, ElementType};
use crate::error::Error;
use crate::operator;
use crate::plan::{Layout, Map, Plan, Slot, Storage};

/// The outputs of values, after those of their indices if there are any.
pub(crate) fn outputs(element: ElementType, arity: u32, has_index: bool) -> impl Iterator<Item = Output> {
    let values = Output { name: "values", one: "element", element, arity, counted: false };
    let indices = Output { name: "indices", one: "index", element: ElementType::U32, ..values };
    has_index.then_some(indices).into_iter().chain([values])
}

/// Adds the passes that split pairs. Returns the slots of the indices and of the values.
pub(crate) fn split(plan: &mut Plan, pairs: Slot, element: ElementType) -> Result<Vec<Slot>, Error> {
    let layout = *plan.layout(pairs);
    let index = map("scan/first/index.glsl")
        .twin(|from, _, to| to[0] = operator::first_index(from[from.len() / 2]).unwrap_or(u32::MAX));
    let value = map("scan/first/value.glsl").twin(|from, _, to| to.copy_from_slice(&from[..to.len()]));
    let indices = plan.map(pairs, "index", index, single(layout, ElementType::U32))?;
    let values = plan.map(pairs, "value", value, single(layout, element))?;
    plan.rename(indices, "indices");
    plan.rename(values, "values");
    Ok(vec![indices, values])
}

/// Adds the pass that makes pairs of values and their indices.
pub(crate) fn number(plan: &mut Plan, values: Slot, to: Layout) -> Result<Slot, Error> {
    let number = map("scan/first/number.glsl").twin(|from, index, to| {
        to[..from.len()].copy_from_slice(from);
        to[from.len()] = operator::first_word(index);
    });
    plan.map(values, "number", number, to)
}

/// The layout of single elements, as many as pairs in another one.
fn single(pairs: Layout, element: ElementType) -> Layout {
    match pairs.storage {
        Storage::Texture => pairs.of(element),
        Storage::Buffer => Layout::buffer(element, 1, pairs.len),
    }
}

/// The map in one of the crate's files.
fn map(path: &str) -> Map {
    Map::new(SHADER_FILES.files().find(|(file, _)| *file == path).map_or("", |(_, text)| text))
}

/// Builds the passes of a scan: those of the algorithm, and those around them.
pub(super) fn build<A: Algorithm<ScanSpec> + ?Sized>(
    spec: &ScanSpec,
    algorithm: &A,
    plan: &mut Plan,
    inputs: &[Slot],
    device: &Device,
) -> Result<Vec<Slot>, Error> {
    let pairs = spec.of_pairs();
    let placement = pairs.placements(algorithm, device)?[0];
    let layout = placement.layout(device, spec.element, pairs.operator.arity(), spec.len)?;
    let mut inputs = inputs.to_vec();
    inputs[0] = number(plan, inputs[0], layout)?;
    let scanned = plan.with_item(pairs.item(), |plan| pairs.build(algorithm, plan, &inputs, device))?[0];
    split(plan, scanned, spec.element)
}

impl ScanSpec {
    /// The scan of pairs of a value and its index.
    fn of_pairs(&self) -> ScanSpec {
        ScanSpec { operator: self.operator.on_pairs(), has_index: false, ..self.clone() }
    }

    /// The values and their indices, one item after the other.
    pub(super) fn first<T: Element>(
        &self,
        input: &[T],
        beside: SideStreams<'_, T>,
    ) -> Result<(Vec<T>, Vec<u32>), Error> {
        Ok(values_and_indices(&sequential_with(&self.of_pairs(), &numbered(input), beside)?))
    }
}

/// Pairs of values and their indices.
pub(crate) fn numbered<T: Element>(input: &[T]) -> Vec<T> {
    (0..).zip(input).flat_map(|(index, value)| operator::numbered(*value, index)).collect()
}

/// The values and the indices of pairs; of none `u32::MAX`.
pub(crate) fn values_and_indices<T: Element>(pairs: &[T]) -> (Vec<T>, Vec<u32>) {
    let pairs = pairs.chunks_exact(2).map(|pair| [pair[0], pair[1]]);
    pairs.map(|pair| (pair[0], operator::index_of(pair).unwrap_or(u32::MAX))).unzip()
}

/// Compares values and indices with what `expected` makes of `input`, or where a driver takes subnormal floats for 0, of such
/// an input. Any NaN is as good as another.
///
/// Errors: the first that differs.
pub(crate) fn verify<T: Element>(
    input: &[T],
    got: &[T],
    indices: &[u32],
    expected: impl Fn(&[T]) -> Option<(Vec<T>, Vec<u32>)>,
) -> Result<Verified, Mismatch> {
    let is_nan = |value: T| value.to_f64().is_nan();
    let compare = |input: &[T]| {
        let (values, of_values) = expected(input).unwrap_or_default();
        let compared = same("index", &of_values, indices)?;
        let alike = |got: T, value: T| got == value || is_nan(got) && is_nan(value);
        let got: Vec<T> = got
            .iter()
            .zip(&values)
            .map(|(got, value)| if alike(*got, *value) { *value } else { *got })
            .collect();
        Ok(Verified { compared: compared + same("element", &values, &got)?, unbounded: 0 })
    };
    let verified = compare(input);
    if verified.is_ok() || !T::TYPE.is_float() {
        return verified;
    }
    let flushed: Vec<T> = input.iter().map(|value| if vanishes(*value) { T::ZERO } else { *value }).collect();
    compare(&flushed).or(verified)
}
