//! Runs of equal keys: the key of each (`unique`), where it begins, and how long it is (`run_length`).
//!
//! ```text
//! a bit where a key differs from the one before               flags
//! the index of each bit, and their number                     counts, scan, heads
//! the keys there                                              gather
//! lengths: the next index, or the stream's end, less this one map
//! ```
//!
//! [`crate::scan::expand`] is the inverse.

use super::ReduceSpec;
use super::option_passes::Passes;
use crate::device::Device;
use crate::element::ElementType;
use crate::error::Error;
use crate::plan::{Map, Plan, Slot};
use crate::scan::{self, ScanSpec, Segments};

/// The runs of a stream, as slots of a plan that are as long as the stream. Items past the count are undefined.
#[derive(Debug, Clone, Copy)]
pub struct Runs {
    /// The key of each run.
    pub values: Slot,
    /// The index of the first key of each run, of u32.
    pub starts: Slot,
    /// The number of runs: a stream of one u32.
    pub count: Slot,
    len: u64,
}

/// Adds the passes that find the runs of equal keys of a stream, in textures or in buffers, of any element. Keys are equal if
/// their bits are. Of a sorted stream the values are its distinct keys.
///
/// Costs two reads of each key, a bit written and read, and for each run a bisection of the n / 32 counts; an index and a key
/// are read and written for each.
///
/// ```
/// # #[cfg(feature = "headless")]
/// # fn main() -> Result<(), rasterscan::Error> {
/// use rasterscan::plan::{ItemType, Layout};
/// use rasterscan::{ElementType, Gpu, Operator, Plan, reduce};
///
/// let gpu = Gpu::headless()?;
/// let item = ItemType { element: ElementType::I32, operator: Operator::MAX };
/// let mut plan = Plan::new("runs", item, Layout::texture(ElementType::I32, 1, 4, 2));
/// let keys = plan.input();
/// let runs = reduce::runs(&mut plan, keys, gpu.device())?;
/// let lengths = runs.lengths(&mut plan)?;
/// let mut prepared = gpu.prepare(&plan.finish_with(vec![runs.values, lengths, runs.count]))?;
/// let input = prepared.upload(&[-1i32, -1, 5, 5, 5, -1, 0, 0])?;
/// let results = prepared.run([&input])?;
/// assert_eq!(results["count"].read::<u32>()?, [4]);
/// assert_eq!(results["values"].read_first::<i32>(4)?, [-1, 5, -1, 0]);
/// assert_eq!(results["lengths"].read_first::<u32>(4)?, [2, 3, 1, 2]);
/// # Ok(())
/// # }
/// # #[cfg(not(feature = "headless"))]
/// # fn main() {}
/// ```
///
/// Errors: [`Error::Unsupported`] where no scan serves as a step, [`Error::Plan`] for another plan's slot.
pub fn runs(plan: &mut Plan, keys: Slot, device: &Device) -> Result<Runs, Error> {
    plan.all_own(&[keys])?;
    let layout = *plan.layout(keys);
    let segments =
        ScanSpec { segments: Segments::Keys(layout.element), ..ScanSpec::of(ElementType::U32, layout.len) };
    let flags = scan::flags_of(plan, keys, &segments, device)?;
    let spec = ReduceSpec::of(ElementType::U32, layout.len);
    let [starts, count] = Passes { spec: &spec, storage: layout.storage, device }.heads(plan, flags)?;
    let values = plan.gather(keys, starts, Some(count))?;
    for (slot, name) in [(values, "values"), (starts, "starts"), (count, "count")] {
        plan.rename(slot, name);
    }
    Ok(Runs { values, starts, count, len: layout.len })
}

impl Runs {
    /// Adds a pass that finds the length of each run: a stream of u32.
    ///
    /// Costs two reads and a write of each index.
    ///
    /// Errors: [`Error::Plan`] for another plan.
    pub fn lengths(&self, plan: &mut Plan) -> Result<Slot, Error> {
        plan.all_own(&[self.starts, self.count])?;
        let len = self.len as u32;
        let glsl = format!(
            "void map(uint from[FROM], int index, out uint to[TO]) {{\n    \
             uint end = uint(index) + 1u < runs_at(0) ? source_at(index + 1) : {len}u;\n    \
             to[0] = end - from[0];\n}}\n"
        );
        let map = Map::new(glsl).reads(2).stream("runs", self.count, 1).twin_with_streams(
            move |from, items, index, to| {
                let is_last = items(1, 0).is_none_or(|runs| index + 1 >= runs[0]);
                let next = if is_last { None } else { items(0, i64::from(index) + 1) };
                to[0] = next.map_or(len, |next| next[0]).wrapping_sub(from[0]);
            },
        );
        let layout = *plan.layout(self.starts);
        let lengths = plan.map(self.starts, "length", map, layout)?;
        plan.rename(lengths, "lengths");
        Ok(lengths)
    }
}
