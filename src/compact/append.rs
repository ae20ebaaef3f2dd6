//! Compactions that go on: the kept elements of one stream after those of another.

use super::CompactSpec;
use crate::algorithm::{Algorithm, Input, Spec};
use crate::device::Device;
use crate::error::Error;
use crate::plan::{Layout, Plan, Slot};

/// A plan of a compaction with a base count: the kept elements lie from position `base` on, in results of `capacity`
/// elements. Its last input is `base`, a stream of one u32; `count` is the base and what was kept, which is the base of the
/// compaction that follows. The count never touches the CPU.
///
/// Results before the base, and past the count, stay as they were. So with results of the caller's
/// ([`Prepared::run_into`](crate::Prepared::run_into)) a stream grows run by run, by chunks of one longer than the device.
/// Elements past the capacity are left out, but counted. Indices count from the first element of this stream.
///
/// ```
/// # #[cfg(feature = "headless")]
/// # fn main() -> Result<(), rasterscan::Error> {
/// use rasterscan::compact::{append, texture::PackedCompaction};
/// use rasterscan::{CompactSpec, Gpu};
///
/// let gpu = Gpu::headless()?;
/// let spec = CompactSpec::new::<u32>(4);
/// let mut prepared = gpu.prepare(&append(&PackedCompaction::default(), &spec, 100, gpu.device())?)?;
/// let kept = prepared.new_outputs()?;
/// let mut base = prepared.upload_input(1, &[0u32])?;
/// let mut next = kept[1].clone();
/// for chunk in [[3u32, 0, 7, 0], [4, 1, 0, 3]] {
///     let input = prepared.upload(&chunk)?;
///     prepared.run_into([&input, &base], [&kept[0], &next])?;
///     std::mem::swap(&mut base, &mut next);
/// }
/// assert_eq!(base.read::<u32>()?, [5]);
/// assert_eq!(kept[0].read_first::<u32>(5)?, [3, 7, 4, 1, 3]);
/// # Ok(())
/// # }
/// # #[cfg(not(feature = "headless"))]
/// # fn main() {}
/// ```
///
/// Costs the compaction, and a read and a write of each kept element.
///
/// Errors: as [`Algorithm::plan`]; [`Error::Unsupported`] for a capacity beyond the device, [`Error::Spec`] for algorithms
/// whose results lie in vertices' attributes.
pub fn append<A: Algorithm<CompactSpec>>(
    algorithm: &A,
    spec: &CompactSpec,
    capacity: u64,
    device: &Device,
) -> Result<Plan, Error> {
    Spec::check(spec)?;
    let mut inputs = spec.inputs();
    inputs.push(Input::words("base", 1, 1));
    let placement = algorithm.placement(spec, device)?;
    let layout = |input: &Input| input.place(placement).layout(device, input.element, input.arity, input.len);
    let mut plan = Plan::new(algorithm.name(), spec.item(), layout(&inputs[0])?)
        .task(format!("{spec}, after a base count, in {capacity}"));
    for input in &inputs[1..] {
        plan.further_input(input.name, layout(input)?);
    }
    let slots: Vec<Slot> = plan.inputs().collect();
    let Some((base, own)) = slots.split_last() else { return Err(Error::Inputs { got: 0, expected: 1 }) };
    let results = plan.append(algorithm, spec, own, device)?;
    let Some((count, kept)) = results.split_last() else { return Ok(plan.finish_with(results)) };
    let mut outputs = Vec::new();
    for (slot, output) in kept.iter().zip(spec.outputs()) {
        let one: Layout =
            Input::words("", 1, 1).place(placement).layout(device, output.element, 1, capacity)?;
        let target = plan.write_at(*slot, *count, *base, one)?;
        plan.rename(target, output.name);
        outputs.push(target);
    }
    let total = plan.add_counts(*count, *base)?;
    plan.rename(*count, "kept");
    plan.rename(total, "count");
    outputs.push(total);
    plan.check_device(device)?;
    Ok(plan.finish_with(outputs))
}
