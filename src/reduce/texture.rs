//! The reductions of the texture era: fragments that read several texels and write one.

pub(crate) mod packed;
pub(crate) mod pairs;

pub use packed::PackedReduction;
pub use pairs::Pairs;

use super::{ReduceSpec, left};
use crate::plan::{Plan, Slot};
use crate::reduce::shader;

/// Builds the identity for an empty stream, else what `steps` builds; returns the slot of the result.
fn build(
    plan: &mut Plan,
    spec: &ReduceSpec,
    source: Slot,
    steps: impl FnOnce(&mut Plan) -> Slot,
) -> Vec<Slot> {
    if spec.len > 0 {
        return vec![steps(plan)];
    }
    let sum = plan.slot("sum", left(*plan.layout(source), spec));
    let items = plan.layout(sum).items_per_texel;
    plan.draw("identity", shader!("reduce/common/identity.frag")).define("ITEMS", items.into()).write(sum);
    vec![sum]
}
