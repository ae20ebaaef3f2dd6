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
    let item = ItemType { element: spec.element, operator: spec.operator };
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

/// ceil(log2 n), and 0 for n = 0.
fn ceil_log2(n: u64) -> u32 {
    n.max(1).next_power_of_two().trailing_zeros()
}
