//! A partition by several classes: the items of class 0 in their order, then those of class 1, and so on, and how many each
//! class has. It is a sort by the few bits of a class; the lengths of the sorted classes' runs are the counts.
//!
//! [`crate::compact::partition`] has two classes, by a condition.

use super::SortSpec;
use crate::algorithm::{Algorithm, Placement, Spec};
use crate::compact::Moves;
use crate::device::Device;
use crate::element::ElementType;
use crate::error::Error;
use crate::plan::{Plan, Slot};
use crate::reduce::runs;
use crate::scan::ceil_log2;

/// A plan that partitions `len` items by their classes, a stream of u32 less than `classes`. It moves up to three
/// `payloads`, of u32. Its inputs are the classes and the payloads; its results the `indices` that the items had, the
/// payloads, and the `counts`, as many as classes.
///
/// A class may be computed from streams of yours by a map, in a plan that this one is appended to ([`Plan::append_plan`]).
///
/// ```
/// # #[cfg(feature = "headless")]
/// # fn main() -> Result<(), rasterscan::Error> {
/// use rasterscan::plan::Map;
/// use rasterscan::sort::{partition, texture::Radix};
/// use rasterscan::{ElementType, Gpu, Plan};
///
/// // Floats by sign: negative ones, zeros, positive ones.
/// let gpu = Gpu::headless()?;
/// let part = partition(&Radix::default(), 5, 3, 0, gpu.device())?;
/// let layout = *part.layout(part.input());
/// let mut plan = Plan::new("signs", part.item().clone(), layout.of(ElementType::F32));
/// let sign = "void map(uint from[FROM], int index, out uint to[TO]) {
///     to[0] = uint(sign(uintBitsToFloat(from[0])) + 1.0);
/// }";
/// let classes = plan.map(plan.input(), "sign", sign, layout)?;
/// let results = plan.append_plan(&part, &[classes])?;
/// let mut prepared = gpu.prepare(&plan.finish_with(results))?;
/// let input = prepared.upload(&[2.5f32, -1.0, 0.0, 3.0, -4.0])?;
/// let results = prepared.run([&input])?;
/// assert_eq!(results["indices"].read::<u32>()?, [1, 4, 2, 0, 3]);
/// assert_eq!(results["counts"].read::<u32>()?, [2, 1, 2]);
/// # Ok(())
/// # }
/// # #[cfg(not(feature = "headless"))]
/// # fn main() {}
/// ```
///
/// Costs a sort of ceil(log2 classes) bits, the runs of the sorted classes ([`runs`]), and a scatter of their lengths.
///
/// Errors: as [`Algorithm::plan`].
pub fn partition<A: Algorithm<SortSpec> + ?Sized>(
    algorithm: &A,
    len: u64,
    classes: u32,
    payloads: u32,
    device: &Device,
) -> Result<Plan, Error> {
    let spec = sort_of_classes(len, classes, payloads);
    Spec::check(&spec)?;
    partition_by(&algorithm.plan(&spec, device)?, classes, device)
}

/// The sort that a partition is made of.
pub(crate) fn sort_of_classes(len: u64, classes: u32, payloads: u32) -> SortSpec {
    let spec = SortSpec::of(ElementType::U32, len).bits(0..ceil_log2(classes.into()).max(1));
    spec.moves(Moves::Both).payloads(payloads)
}

/// The partition by a plan of [`sort_of_classes`].
pub(crate) fn partition_by(part: &Plan, classes: u32, device: &Device) -> Result<Plan, Error> {
    let inputs: Vec<Slot> = part.inputs().collect();
    let mut plan = Plan::new(part.name(), part.item().clone(), *part.layout(inputs[0]))
        .task(format!("partition of {} items by {classes} classes", part.layout(inputs[0]).len));
    for slot in &inputs[1..] {
        plan.further_input(part.slots()[slot.index()].name.clone(), *part.layout(*slot));
    }
    let inputs: Vec<Slot> = plan.inputs().collect();
    let mut results = plan.append_plan(part, &inputs)?;
    let sorted = results.remove(0);
    results.push(counts(&mut plan, sorted, classes, device)?);
    plan.check_device(device)?;
    Ok(plan.finish_with(results))
}

/// Adds the passes that count how often each number below `classes` is in a sorted stream of u32.
fn counts(plan: &mut Plan, sorted: Slot, classes: u32, device: &Device) -> Result<Slot, Error> {
    let runs = runs(plan, sorted, device)?;
    let lengths = runs.lengths(plan)?;
    let to =
        Placement::single(plan.layout(sorted).storage).layout(device, ElementType::U32, 1, classes.into())?;
    let counts = plan.scatter(lengths, runs.values, Some(runs.count), to)?;
    plan.rename(counts, "counts");
    Ok(counts)
}
