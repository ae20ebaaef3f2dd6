//! The scans of the texture era: fragments that read textures and write textures.

mod horn;
mod hybrid;
mod packed;

pub use horn::Horn;
pub use hybrid::{Hybrid, Reduce};
pub use packed::Packed;

use crate::device::Device;
use crate::error::{Error, Unsupported};
use crate::plan::{ItemType, Layout, Plan, Slot};
use crate::spec::{ScanKind, ScanSpec};

/// Records a scan of any order: `round` records one scan of first order, from a slot to a slot.
/// `name` is the algorithm with the parameters that it settles on for the stream's layout.
///
/// Only the last round is exclusive, if any is: at every order an exclusive scan is the inclusive
/// one moved by one tuple.
fn record(
    name: impl FnOnce(&Layout) -> String,
    spec: &ScanSpec,
    device: &Device,
    items_per_texel: u32,
    unit: u32,
    mut round: impl FnMut(&mut Plan, Slot, ScanKind) -> Slot,
) -> Result<Plan, Error> {
    spec.check()?;
    if spec.element.is_float() && !device.float_targets {
        return Err(Unsupported(
            "this device cannot render to floats (it lacks EXT_color_buffer_float)".into(),
        )
        .into());
    }
    let arity = spec.operator.arity();
    let layout = Layout::fit(device, spec.element, arity, items_per_texel, spec.len, unit)?;
    let item = ItemType::of(spec);
    let mut plan = Plan::new(name(&layout), item, layout).task(spec.to_string());
    let mut slot = plan.input();
    if spec.len > 0 {
        for order in 1..=spec.order {
            let last = order == spec.order;
            let kind = if last { spec.kind } else { ScanKind::Inclusive };
            slot = round(&mut plan, slot, kind);
        }
    }
    Ok(plan.finish(slot))
}

/// A scan as a part of another algorithm: which one counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Counting {
    /// Horn's scan: Hillis and Steele's.
    #[default]
    Horn,
    Blelloch,
    /// Sengupta's, with so many reduce passes.
    Hybrid(Reduce),
    Packed,
}

impl Counting {
    pub const ALL: [Counting; 4] =
        [Counting::Horn, Counting::Blelloch, Counting::Hybrid(Reduce::Auto), Counting::Packed];

    /// The name of the scan on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Counting::Horn => "horn",
            Counting::Blelloch => "blelloch",
            Counting::Hybrid(_) => "hybrid",
            Counting::Packed => "packed",
        }
    }

    /// Items in a texel of what is scanned.
    pub(crate) fn items_per_texel(self) -> u32 {
        if self == Counting::Packed { 4 } else { 1 }
    }

    /// What must divide the width, in texels.
    pub(crate) fn unit(self) -> u32 {
        if self == Counting::Packed { packed::BLOCK } else { 2 }
    }

    /// Records the scan of `source` with the operator of the plan; returns the slot of the result.
    pub(crate) fn record(self, plan: &mut Plan, source: Slot, kind: ScanKind) -> Slot {
        match self {
            Counting::Horn => horn::steps(plan, source, 1, kind),
            Counting::Blelloch => Hybrid::BLELLOCH.round(plan, source, 1, kind),
            Counting::Hybrid(reduce) => Hybrid { reduce }.round(plan, source, 1, kind),
            Counting::Packed => Packed::default().round(plan, source, 1, kind),
        }
    }
}

/// Records inclusive scans of blocks of `block` items, each alone, with Horn's steps. Blocks lie within rows.
pub(crate) fn horn_in_blocks(plan: &mut Plan, source: Slot, block: u64) -> Slot {
    horn::steps_in_blocks(plan, source, block)
}

/// The same with reduce and down-sweep.
pub(crate) fn blelloch_in_blocks(plan: &mut Plan, source: Slot, block: u64) -> Slot {
    hybrid::in_blocks(plan, source, block)
}

/// ceil(log2 n), and 0 for n = 0.
pub(crate) fn ceil_log2(n: u64) -> u32 {
    n.max(1).next_power_of_two().trailing_zeros()
}
