//! Expansion: each value as often as its length says, the inverse of run lengths.
//!
//! ```text
//! starts: the exclusive sum of the lengths, and its total   scan
//! the number of each run that is not empty, at its start    maps, scatter
//! the number of the run that each place is in               scan by max
//! the values of these runs                                  gather
//! ```

use super::{ScanSpec, append_fastest};
use crate::algorithm::Placement;
use crate::device::Device;
use crate::element::ElementType;
use crate::error::Error;
use crate::operator::Operator;
use crate::plan::{Map, Plan, Slot, Storage};

/// The result of [`expand`], as slots of a plan.
#[derive(Debug, Clone, Copy)]
pub struct Expanded {
    /// The values, a stream of the given capacity. Items past the count are undefined.
    pub values: Slot,
    /// For each of them, the index of its run: u32, so that other streams of the runs can be gathered.
    pub runs: Slot,
    /// The sum of all lengths: a stream of one u32. It may exceed the capacity; then the rest is left out.
    pub count: Slot,
}

/// Adds the passes that repeat each value as often as its length says. `lengths` are u32, as many as values, and may be 0;
/// their sum is less than 2^32. With a `count`, a stream of one u32, only as many runs are there.
///
/// Costs a scan of the lengths, a read and a write of each in a map, in buffers in two, a scatter of them, and for each item of the capacity a
/// scan, and a read and a write of an index and a value.
///
/// ```
/// # #[cfg(feature = "headless")]
/// # fn main() -> Result<(), rasterscan::Error> {
/// use rasterscan::plan::{ItemType, Layout};
/// use rasterscan::{ElementType, Gpu, Operator, Plan, scan};
///
/// let gpu = Gpu::headless()?;
/// let item = ItemType { element: ElementType::I32, operator: Operator::MAX };
/// let layout = Layout::texture(ElementType::I32, 1, 3, 1);
/// let mut plan = Plan::new("expand", item, layout);
/// let (values, lengths) = (plan.input(), plan.further_input("lengths", layout.of(ElementType::U32)));
/// let expanded = scan::expand(&mut plan, values, lengths, None, 8, gpu.device())?;
/// let mut prepared = gpu.prepare(&plan.finish_with(vec![expanded.values, expanded.count]))?;
/// let inputs = [prepared.upload(&[-1i32, 5, 7])?, prepared.upload_input(1, &[2u32, 0, 3])?];
/// let results = prepared.run(&inputs)?;
/// assert_eq!(results["count"].read::<u32>()?, [5]);
/// assert_eq!(results["values"].read_first::<i32>(5)?, [-1, -1, 7, 7, 7]);
/// # Ok(())
/// # }
/// # #[cfg(not(feature = "headless"))]
/// # fn main() {}
/// ```
///
/// Errors: [`Error::Length`] for other numbers of lengths than of values, and if there are none but the capacity is not 0;
/// [`Error::Spec`] if streams lie in memory of different kinds, [`Error::Unsupported`] where no scan serves as a step.
pub fn expand(
    plan: &mut Plan,
    values: Slot,
    lengths: Slot,
    count: Option<Slot>,
    capacity: u64,
    device: &Device,
) -> Result<Expanded, Error> {
    plan.all_own(&[values, lengths, count.unwrap_or(lengths)])?;
    let (from, by) = (*plan.layout(values), *plan.layout(lengths));
    if by.len != from.len {
        return Err(Error::Length { what: "the lengths of runs", got: by.len, expected: from.len });
    }
    let lengths = match count {
        None => lengths,
        Some(count) => {
            let there = Map::new(
                "void map(uint from[FROM], int index, out uint to[TO]) {\n    \
                 to[0] = uint(index) < runs_at(0) ? from[0] : 0u;\n}\n",
            )
            .stream("runs", count, 1)
            .twin_with_streams(|from, items, index, to| {
                to[0] = if items(1, 0).is_some_and(|runs| index < runs[0]) { from[0] } else { 0 };
            });
            plan.map(lengths, "there", there, by)?
        }
    };
    let sums = append_fastest(
        plan,
        &ScanSpec::of(ElementType::U32, by.len).exclusive().with_total(),
        lengths,
        device,
    )?;
    let (starts, total) = (sums[0], sums[1]);
    // An empty run begins where the next one does. Of points at one place the last stays; of dispatched items any.
    let targets = match by.storage {
        Storage::Texture => starts,
        Storage::Buffer => plan.map(starts, "target", target(lengths), by)?,
    };
    let number =
        Map::new("void map(uint from[FROM], int index, out uint to[TO]) {\n    to[0] = uint(index);\n}\n")
            .twin(|_, index, to| to[0] = index);
    let numbers = plan.map(lengths, "number", number, by)?;
    let to = Placement::single(by.storage).layout(device, ElementType::U32, 1, capacity)?;
    let marks = plan.scatter(numbers, targets, None, to)?;
    // The marks of runs ascend: the largest one so far is the last.
    let last = ScanSpec::of(ElementType::U32, capacity).operator(Operator::MAX);
    let runs = append_fastest(plan, &last, marks, device)?[0];
    let expanded = plan.gather(values, runs, None)?;
    for (slot, name) in [(expanded, "values"), (runs, "runs"), (total, "count")] {
        plan.rename(slot, name);
    }
    Ok(Expanded { values: expanded, runs, count: total })
}

/// From the start of a run to the same, or past all ends if the run is empty.
fn target(lengths: Slot) -> Map {
    let glsl = "void map(uint from[FROM], int index, out uint to[TO]) {\n    \
                to[0] = length_at(index) == 0u ? 0xFFFFFFFFu : from[0];\n}\n";
    Map::new(glsl).stream("length", lengths, 1).twin_with_streams(|from, items, index, to| {
        let is_empty = items(1, index.into()).is_none_or(|length| length[0] == 0);
        to[0] = if is_empty { u32::MAX } else { from[0] };
    })
}
