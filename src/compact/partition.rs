//! A partition: the elements that meet a condition, in their order, and after them those that do not.

use super::{CompactSpec, Keep, Moves};
use crate::algorithm::{Algorithm, Spec};
use crate::device::Device;
use crate::error::Error;
use crate::plan::{Layout, Plan, Slot};
use crate::unsupported::Unsupported;

/// A plan that partitions a stream by the condition of `spec`: both sides by `algorithm`, and a pass that puts one after the
/// other. Its results are the values, the indices or both, each as long as the stream, and the count of the first side.
///
/// ```
/// # #[cfg(feature = "headless")]
/// # fn main() -> Result<(), rasterscan::Error> {
/// use rasterscan::compact::{partition, texture::PackedCompaction};
/// use rasterscan::{CompactSpec, Comparison, Condition, Gpu};
///
/// let gpu = Gpu::headless()?;
/// let data = [3u32, 1, 7, 0, 4, 1, 6, 3];
/// let small = CompactSpec::new::<u32>(data.len()).keep(Condition::new(Comparison::Less, 4u32));
/// let mut prepared = gpu.prepare(&partition(&PackedCompaction::default(), &small, gpu.device())?)?;
/// let input = prepared.upload(&data)?;
/// let results = prepared.run([&input])?;
/// assert_eq!(results.first().read::<u32>()?, [3, 1, 0, 1, 3, 7, 4, 6]);
/// assert_eq!(results.get("count").unwrap().read::<u32>()?, [5]);
/// # Ok(())
/// # }
/// # #[cfg(not(feature = "headless"))]
/// # fn main() {}
/// ```
///
/// Costs two compactions, and a read and a write of each element. By a mask, partition its indices, and take the values by
/// them ([`Plan::gather`]).
///
/// Errors: as [`Algorithm::plan`]; [`Error::Unsupported`] for masks, a length on the GPU, and algorithms whose results lie
/// in vertices' attributes.
pub fn partition<A: Algorithm<CompactSpec>>(
    algorithm: &A,
    spec: &CompactSpec,
    device: &Device,
) -> Result<Plan, Error> {
    Spec::check(spec)?;
    let Keep::Condition(condition) = spec.keep else {
        return Err(Unsupported::request(
            "a partition goes by a condition; by a mask, partition the mask's indices",
        )
        .into());
    };
    if spec.has_gpu_length {
        return Err(Unsupported::request("a partition takes its length from the CPU").into());
    }
    let placement = algorithm.placement(spec, device)?;
    let layout: Layout = placement.layout(device, spec.element, 1, spec.len)?;
    let mut plan = Plan::new(algorithm.name(), spec.item(), layout).task(format!("partition: {spec}"));
    let input = plan.input();
    let first = plan.append(algorithm, spec, &[input], device)?;
    let second = plan.append(algorithm, &spec.keep(condition.opposite()), &[input], device)?;
    let results = first.len() - 1;
    let count = first[results];
    let names: Vec<&str> =
        [(spec.moves != Moves::Indices, "values"), (spec.moves != Moves::Values, "indices")]
            .into_iter()
            .filter_map(|(moves, name)| moves.then_some(name))
            .collect();
    let mut joined: Vec<Slot> = Vec::new();
    for (number, name) in names.into_iter().enumerate() {
        let slot = plan.join(first[number], second[number], count)?;
        plan.rename(slot, name);
        joined.push(slot);
    }
    plan.rename(count, "count");
    joined.push(count);
    plan.check_device(device)?;
    Ok(plan.finish_with(joined))
}
