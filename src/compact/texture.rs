//! The compactions of the texture era: fragments that gather, and vertices that scatter.
//!
//! Most take four steps, with these files below `glsl/`:
//!
//! 1. *Decide.* `compact/common/keep.glsl` says which elements of a texel are kept: by the condition
//!    (`compact/common/condition.glsl`) or by the mask. The first pass writes flags (`compact/common/flags.frag`) or
//!    bits.
//! 2. *Count.* A scan of the flags, or of counts of bits. `pSum[j]` is the number of unwanted elements up to j.
//! 3. *Find.* Each position i of the result searches for the wanted j with `j - pSum[j] = i`
//!    (`compact/common/search.frag`), or walks down a pyramid. Or a vertex goes from j to its position.
//! 4. *Move.* `compact/common/move.glsl` writes the element, its index, or both.
//!
//! Not here: gress2006, whose scan for compactions is of linear work as well (maleki2016, chapter 3).
//!
//! `build` makes the results and handles a stream of no elements; `stages.rs` has the steps.

pub(crate) mod bitonic;
pub(crate) mod blocks;
pub(crate) mod geometry;
pub(crate) mod histopyramid;
pub(crate) mod horn;
pub(crate) mod packed;
pub(crate) mod points;
mod stages;

pub use bitonic::Bitonic;
pub use blocks::{Blocks, Draw, Ends, Found, Inner, Wrap};
pub use geometry::Geometry;
pub use histopyramid::Histopyramid;
pub use horn::HornCompaction;
pub use packed::PackedCompaction;
pub use points::Points;
pub use stages::Search;

use crate::compact::{CompactSpec, Keep, shader};
use crate::device::Device;
use crate::element::ElementType;
use crate::error::Error;
use crate::plan::{Layout, Plan, Slot, Storage};
use crate::unsupported::Unsupported;

/// The slots that every compaction has.
#[derive(Clone, Copy)]
struct Compaction {
    spec: CompactSpec,
    /// The caller's stream.
    values: Slot,
    mask: Option<Slot>,
    layout: Layout,
    /// The results.
    moved: Moved,
    /// A single u32.
    count: Slot,
}

/// The destination of moved elements, as far as the request moves them: the results, or an intermediate stream.
#[derive(Clone, Copy)]
struct Moved {
    values: Option<Slot>,
    indices: Option<Slot>,
}

impl Moved {
    fn slots(self) -> impl Iterator<Item = Slot> {
        [self.values, self.indices].into_iter().flatten()
    }
}

/// Adds a compaction to a plan: `steps` writes the results, including the count. Returns all results.
fn build(
    plan: &mut Plan,
    spec: &CompactSpec,
    inputs: &[Slot],
    device: &Device,
    steps: impl FnOnce(&mut Plan, &Compaction) -> Result<(), Error>,
) -> Result<Vec<Slot>, Error> {
    let input = *plan.layout(inputs[0]);
    let output = match spec.columns {
        None => input,
        Some(columns) => with_columns(input, columns, device)?,
    };
    let moved = Moved {
        values: spec.moves.values().then(|| plan.slot("values", output)),
        indices: spec.moves.indices().then(|| plan.slot("indices", output.of(ElementType::U32))),
    };
    let one = Layout::fit(device, ElementType::U32, 1, 1, 1, 1)?;
    let count = plan.slot("count", one);
    let mask = inputs.get(1).copied().filter(|_| spec.keep == Keep::Mask);
    let compaction = Compaction { spec: *spec, values: inputs[0], mask, layout: input, moved, count };
    if spec.len == 0 {
        plan.draw("count", shader!("compact/common/zero.frag")).write(count);
    } else {
        steps(plan, &compaction)?;
    }
    Ok(moved.slots().chain([count]).collect())
}

/// The layout of a result whose width the caller has asked for.
fn with_columns(input: Layout, columns: u32, device: &Device) -> Result<Layout, Unsupported> {
    let layout = Layout { width: columns, ..input }.with_len(input.len);
    if input.storage == Storage::Buffer {
        return Err(Unsupported::request(
            "columns need a result in a texture, and this one is in a buffer; choose another algorithm, such \
             as packed",
        ));
    }
    let max = device.max_texture_size;
    if layout.width > max || layout.height > max {
        return Err(Unsupported::too_large(format!(
            "{} items in {columns} columns need a texture of {columns} x {} texels, and this device allows \
             {max} x {max}; use another number of columns",
            layout.len, layout.height
        )));
    }
    Ok(layout)
}
