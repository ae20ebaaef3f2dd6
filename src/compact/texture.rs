//! The compactions of the texture era: fragments that gather, and vertices that scatter.

pub(crate) mod bitonic;
pub(crate) mod blocks;
pub(crate) mod geometry;
pub(crate) mod histopyramid;
pub(crate) mod horn;
pub(crate) mod packed;
pub(crate) mod points;
mod stages;

pub use bitonic::Bitonic;
pub use blocks::{Blocks, Draw, Ends, Inner, Wrap};
pub use geometry::Geometry;
pub use histopyramid::Histopyramid;
pub use horn::Horn;
pub use packed::Packed;
pub use points::Points;
pub use stages::Search;

use crate::compact::CompactSpec;
use crate::device::Device;
use crate::element::ElementType;
use crate::error::{Error, Unsupported};
use crate::plan::{Layout, Plan, Slot, Storage, shader};

/// The slots of a compaction that every algorithm has.
#[derive(Clone, Copy)]
struct Compaction {
    spec: CompactSpec,
    /// The caller's stream.
    values: Slot,
    mask: Option<Slot>,
    layout: Layout,
    /// The results.
    moved: Moved,
    /// One u32.
    count: Slot,
}

/// Where what is moved goes, as far as the request moves it: the results, or what stands between.
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

/// Adds a compaction to a plan: `steps` writes the results, the count among them; gives all results.
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
    let mask = inputs.get(1).copied();
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
        return Err(Unsupported("the result is in a buffer, which has no columns".into()));
    }
    let max = device.max_texture_size;
    if layout.width > max || layout.height > max {
        return Err(Unsupported(format!(
            "{} items in {columns} columns need a texture of {columns} x {} texels; this device allows {max}",
            layout.len, layout.height
        )));
    }
    Ok(layout)
}
