//! The compactions of the texture era: fragments that gather, and vertices that scatter.

mod bitonic;
mod blocks;
mod geometry;
mod histopyramid;
mod horn;
mod packed;
mod points;
mod stages;

pub use bitonic::Bitonic;
pub use blocks::{Blocks, Draw, Ends, Inner, Wrap};
pub use geometry::Geometry;
pub use histopyramid::Histopyramid;
pub use horn::Horn;
pub use packed::Packed;
pub use points::Points;
pub use stages::Search;

use crate::device::Device;
use crate::element::ElementType;
use crate::error::{Error, Unsupported};
use crate::operator::Operator;
use crate::plan::{Command, ItemType, Layout, Plan, Slot, Storage, shader};
use crate::spec::{CompactSpec, Keep};

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

/// Records a compaction: `steps` writes the results, the count among them. `name` is the algorithm with
/// its parameters, `input` where the stream lies; the mask lies in the same places.
fn record(
    name: String,
    spec: &CompactSpec,
    device: &Device,
    input: Layout,
    steps: impl FnOnce(&mut Plan, &Compaction),
) -> Result<Plan, Error> {
    let output = match spec.columns {
        None => input,
        Some(columns) => with_columns(input, columns, device)?,
    };
    if spec.moves.values() && spec.element.is_float() && !device.float_targets {
        let lacks = "this device cannot render to floats (it lacks EXT_color_buffer_float)";
        return Err(Unsupported(lacks.into()).into());
    }
    // What is added up are counts; passes that touch the stream say so.
    let item = ItemType { element: ElementType::U32, operator: Operator::ADD };
    let mut plan = Plan::new(name, item, input).task(spec.to_string());
    let values = plan.input();
    let mask = match spec.keep {
        Keep::Mask => Some(plan.further_input("mask", input.of(ElementType::U32))),
        Keep::Condition(_) => None,
    };
    let moved = Moved {
        values: spec.moves.values().then(|| plan.slot("values", output)),
        indices: spec.moves.indices().then(|| plan.slot("indices", output.of(ElementType::U32))),
    };
    let one = Layout::fit(device, ElementType::U32, 1, 1, 1, 1)?;
    let count = plan.slot("count", one);
    let compaction = Compaction { spec: *spec, values, mask, layout: input, moved, count };
    if spec.len == 0 {
        plan.draw("count", shader!("compact/common/zero.frag")).write(count);
    } else {
        steps(&mut plan, &compaction);
    }
    for pass in plan.passes() {
        if let Command::Draw(draw) = &pass.command {
            Unsupported::unless_numbered(device, draw)?;
        }
    }
    Ok(plan.finish_with(moved.slots().chain([count]).collect()))
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
