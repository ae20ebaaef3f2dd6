//! The scans of the texture era: fragments that read textures and write textures.

mod heads;
pub(crate) mod horn;
pub(crate) mod hybrid;
pub(crate) mod packed;

pub use horn::Horn;
pub use hybrid::{Blelloch, Hybrid, Reduce};
pub use packed::{Packed, Sums};

use crate::plan::{Plan, Slot};

/// Adds inclusive scans of blocks of `block` items, each on its own, with Horn's steps. Blocks lie within rows.
pub(crate) fn horn_in_blocks(plan: &mut Plan, source: Slot, block: u64) -> Slot {
    horn::steps_in_blocks(plan, source, block)
}

/// The same with reduce and down-sweep, down to one sum of each block, or with so many reduce passes and Horn's steps between.
pub(crate) fn hybrid_in_blocks(plan: &mut Plan, source: Slot, block: u64, reduce: u32) -> Slot {
    hybrid::in_blocks(plan, source, block, reduce)
}
