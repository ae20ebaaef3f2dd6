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
//! Pairs are those of [`crate::scan::first`].

use super::{ReduceSpec, sequential_with};
use crate::algorithm::{Algorithm, Spec};
use crate::device::Device;
use crate::element::Element;
use crate::error::Error;
use crate::plan::{Access, AtMost, Lanes, Plan, Slot, Storage};
use crate::reduce::shader;
use crate::scan::first as firsts;

impl ReduceSpec {
    /// The reduction of so many pairs of a value and its index.
    fn of_pairs(&self, len: u64) -> ReduceSpec {
        ReduceSpec {
            len,
            operator: self.operator.on_pairs(),
            has_index: false,
            has_gpu_length: false,
            ..self.clone()
        }
    }

    /// The first smallest or largest items, one for each result, and their indices: `u32::MAX` where there are no items.
    pub(crate) fn first_items<T: Element>(
        &self,
        input: &[T],
        segments: &[u32],
    ) -> Result<(Vec<T>, Vec<u32>), Error> {
        let left = sequential_with(&self.of_pairs(self.len), &firsts::numbered(input), segments)?;
        Ok(firsts::values_and_indices(&left))
    }
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
    if !spec.is_whole() {
        // Of rows, columns and segments each item makes a pair.
        let pairs = spec.of_pairs(spec.len);
        let placement = pairs.placements(algorithm, device)?[0];
        let layout = placement.layout(device, spec.element, pairs.operator.arity(), spec.len)?;
        let mut inputs = inputs.to_vec();
        inputs[0] = firsts::number(plan, inputs[0], layout)?;
        let left = plan.with_item(pairs.item(), |plan| pairs.build(algorithm, plan, &inputs, device))?;
        let first = firsts::split(plan, left[0], spec.element)?;
        return Ok(first.into_iter().chain(left[1..].iter().copied()).collect());
    }
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
    firsts::split(plan, left, spec.element)
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
