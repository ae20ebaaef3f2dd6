//! argmin and argmax: the first smallest or largest item by its index. Passes around an algorithm's own make them of a
//! reduction of pairs, which any algorithm takes.
//!
//! Cost: n words read, and two words in BLOCK for the passes of the algorithm: as many as for a plain minimum, or one more,
//! and two that read a pair.
//!
//! ```text
//! fold    p[j] = the first of (x[i], i), i = j, j + m, ... j + (BLOCK - 1) m, where m is the number of pairs
//! reduce  p, by the algorithm: the pair with the smaller value, or of equal values the one with the smaller index
//! index   the second of the pair that is left
//! value   the first
//! ```
//!
//! A pair has two elements of the stream's type. The second holds a word, the index plus 2^23, which is a normal number
//! where it is a float, so no GPU changes it on the way (`glsl/common/operator/first.glsl`).

use super::{ReduceSpec, SHADER_FILES};
use crate::algorithm::results::{Mismatch, Verified, same};
use crate::algorithm::{Algorithm, Spec};
use crate::device::Device;
use crate::element::{Element, ElementType};
use crate::error::Error;
use crate::operator::{self, Operator};
use crate::plan::{Access, AtMost, Lanes, Layout, Map, Plan, Slot, Storage};
use crate::reduce::shader;
use crate::scan::reference::vanishes;

impl ReduceSpec {
    /// The name of the operation: that of the operator, or `argmin` or `argmax`.
    pub(super) fn operation(&self) -> &str {
        match self.has_index {
            true if self.operator == Operator::MIN => "argmin",
            true => "argmax",
            false => self.operator.name(),
        }
    }

    /// The reduction of so many pairs of a value and its index.
    fn of_pairs(&self, len: u64) -> ReduceSpec {
        let operator = if self.operator == Operator::MIN { Operator::FIRST_MIN } else { Operator::FIRST_MAX };
        ReduceSpec { len, operator, has_index: false, has_gpu_length: false, ..*self }
    }

    /// The index of the first smallest or largest item of each member; `None` if there are no items.
    pub(crate) fn first_indices<T: Element>(&self, input: &[T]) -> Vec<Option<usize>> {
        let before = |new: T, old: T| match (is_nan(new), is_nan(old)) {
            (false, false) if self.operator == Operator::MIN => new < old,
            (false, false) => new > old,
            (new, old) => new && !old,
        };
        let mut first = vec![None; self.tuple as usize];
        for (index, item) in input.iter().enumerate() {
            let best = &mut first[index % self.tuple as usize];
            if best.is_none_or(|best: usize| before(*item, input[best])) {
                *best = Some(index);
            }
        }
        first
    }

    /// The items at these indices, and the indices as a plan has them.
    pub(super) fn at_indices<T: Element>(
        &self,
        input: &[T],
        indices: &[Option<usize>],
    ) -> (Vec<T>, Vec<u32>) {
        let [none] = self.operator.identity::<T, 1>();
        let values = indices.iter().map(|index| index.map_or(none, |index| input[index])).collect();
        (values, indices.iter().map(|index| index.map_or(u32::MAX, |index| index as u32)).collect())
    }

    /// Compares the indices and the values with those of `input`, or where a driver takes subnormal floats for 0, with those
    /// of such an input. Any NaN is as good as another.
    ///
    /// Errors: the first that differs.
    pub(super) fn verify_first<T: Element>(
        &self,
        input: &[T],
        got: &[T],
        indices: &[u32],
    ) -> Result<Verified, Mismatch> {
        let verified = self.compare_first(input, got, indices);
        if verified.is_ok() || !T::TYPE.is_float() {
            return verified;
        }
        let flushed: Vec<T> =
            input.iter().map(|value| if vanishes(*value) { T::ZERO } else { *value }).collect();
        self.compare_first(&flushed, got, indices).or(verified)
    }

    fn compare_first<T: Element>(
        &self,
        input: &[T],
        got: &[T],
        indices: &[u32],
    ) -> Result<Verified, Mismatch> {
        let (values, expected) = self.at_indices(input, &self.first_indices(input));
        let compared = same("index", &expected, indices)?;
        let alike = |got: T, value: T| got == value || is_nan(got) && is_nan(value);
        let got: Vec<T> = got
            .iter()
            .zip(&values)
            .map(|(got, value)| if alike(*got, *value) { *value } else { *got })
            .collect();
        Ok(Verified { compared: compared + same("element", &values, &got)?, unbounded: 0 })
    }
}

fn is_nan<T: Element>(value: T) -> bool {
    value.to_f64().is_nan()
}

/// Texels that a pair is the first of; in buffers and with tuples, values.
const BLOCK: u64 = 8;

/// Invocations of a work group.
const GROUP: u32 = 64;

/// Builds the passes: those of the algorithm, and those around them. Returns the slots of the indices and of the values.
pub(super) fn build<A: Algorithm<ReduceSpec> + ?Sized>(
    spec: &ReduceSpec,
    algorithm: &A,
    plan: &mut Plan,
    inputs: &[Slot],
    device: &Device,
) -> Result<Vec<Slot>, Error> {
    let from = *plan.layout(inputs[0]);
    // Members of tuples stay apart.
    let each = if spec.tuple == 1 { u64::from(from.items_per_texel) } else { 1 };
    let tuple = u64::from(spec.tuple);
    let pairs = spec.of_pairs(spec.len.div_ceil(each).div_ceil(BLOCK * tuple) * tuple);
    let placement = algorithm.placement(&pairs, device)?;
    let layout = placement.layout(device, spec.element, pairs.operator.arity(), pairs.len)?;
    let length = inputs.last().copied().filter(|_| spec.has_gpu_length);
    let left = plan.with_item(pairs.item(), |plan| {
        let folded = plan.slot("firsts", layout);
        match layout.storage {
            Storage::Texture => fold(plan, inputs[0], length, each, folded),
            Storage::Buffer => fold_parts(plan, inputs[0], length, tuple, folded, device)?,
        }
        Ok::<_, Error>(pairs.build(algorithm, plan, &[folded], device)?[0])
    })?;
    let layout = *plan.layout(left);
    let index = map("reduce/first/index.glsl")
        .twin(|from, _, to| to[0] = operator::first_index(from[from.len() / 2]).unwrap_or(u32::MAX));
    let value = map("reduce/first/value.glsl").twin(|from, _, to| to.copy_from_slice(&from[..to.len()]));
    let indices = plan.map(left, "index", index, single(layout, ElementType::U32))?;
    let values = plan.map(left, "value", value, single(layout, spec.element))?;
    plan.rename(indices, "indices");
    plan.rename(values, "values");
    Ok(vec![indices, values])
}

/// Adds the draw that makes pairs.
fn fold(plan: &mut Plan, source: Slot, length: Option<Slot>, each: u64, target: Slot) {
    let (from, to) = (*plan.layout(source), *plan.layout(target));
    if from.len == 0 {
        return;
    }
    let pass = plan
        .draw("fold", shader!("reduce/first/fold.frag"))
        .define("BLOCK", BLOCK as i64)
        .define("EACH", each as i64)
        .define("SOURCE_ITEMS", from.items_per_texel.into())
        .define("TARGET_ITEMS", to.items_per_texel.into())
        .read("u_source", source)
        .fetches("u_source", from.len.div_ceil(each))
        .adds(from.len, BLOCK * each - 1);
    let pass = match length {
        Some(length) => pass
            .define("COUNTED", 1)
            .read("u_length", length)
            .fetches("u_length", to.region().texels())
            .at_most(AtMost::READ | AtMost::ADDS),
        None => pass,
    };
    pass.write(target);
}

/// Adds the dispatches that make pairs, one for each part of the stream that is bound at a time.
fn fold_parts(
    plan: &mut Plan,
    source: Slot,
    length: Option<Slot>,
    tuple: u64,
    target: Slot,
    device: &Device,
) -> Result<(), Error> {
    let from = *plan.layout(source);
    let words = from.element.words();
    let mut begin = 0;
    // The pairs of each part but the last begin where the next ones may.
    let unit =
        BLOCK * tuple * u64::from(device.compute.as_ref().map_or(1, |compute| compute.binding_alignment));
    for part in from.parts(device, unit, u64::MAX)?.into_iter().filter(|part| !part.is_empty()) {
        let len = part.end - part.start;
        let pairs = len.div_ceil(BLOCK * tuple) * tuple;
        let pass = plan
            .dispatch(
                "fold",
                shader!("reduce/first/fold.comp"),
                Lanes::Serial,
                GROUP,
                pairs.div_ceil(GROUP.into()),
            )
            .over_length(length, part.start)
            .bind_loads("SOURCE", source, part.clone(), words)
            .bind_part("TARGET", target, Access::Write, begin..begin + pairs)
            .define("BLOCK", BLOCK as i64)
            .define("LOAD", words)
            .set("u_len", len as i32)
            .set("u_items", pairs as i32)
            .set("u_first", part.start as i32)
            .moves(len * u64::from(words), 2 * pairs * u64::from(words))
            .adds(len, BLOCK - 1);
        if length.is_some() {
            pass.at_most(AtMost::READ | AtMost::ADDS);
        }
        begin += pairs;
    }
    Ok(())
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
