//! The packed reduction: the reduce passes of the packed scan, down to one value.
//!
//! Source: ours; see [`crate::scan::texture::Packed`]. Work: n uses of the operator; reads n/4 texels and little more.
//! Steps: log(n) / log(4 · block).
//!
//! ```text
//! while a(d) has more than one item
//!   for each block b in parallel: a(d+1)[b] = sum of the block's items
//! ```

use super::super::ReduceSpec;
use super::build;
use crate::algorithm::{Algorithm, Placement};
use crate::device::Device;
use crate::error::Error;
use crate::plan::{Plan, Slot};
use crate::scan::texture::packed::{BLOCK, Blocks};

/// Reduction of packed texels.
#[derive(Debug, Clone, Copy, Default)]
pub struct Packed {
    /// Texels in a block: a power of two from 2 to 64; `None` is 8.
    pub block: Option<u32>,
}

impl Packed {
    fn blocks(&self, spec: &ReduceSpec) -> Blocks {
        Blocks { block: self.block.unwrap_or(BLOCK), tuple: spec.tuple }
    }
}

impl Algorithm<ReduceSpec> for Packed {
    fn name(&self) -> &'static str {
        "packed"
    }

    fn placement(&self, spec: &ReduceSpec, _: &Device) -> Result<Placement, Error> {
        let items_per_texel = 4 / spec.operator.item_words(spec.element);
        Ok(Placement::Texture { items_per_texel, unit: self.blocks(spec).block })
    }

    fn build(
        &self,
        plan: &mut Plan,
        spec: &ReduceSpec,
        inputs: &[Slot],
        _: &Device,
    ) -> Result<Vec<Slot>, Error> {
        let blocks = self.blocks(spec);
        plan.settle("block", blocks.block);
        Ok(build(plan, spec, inputs[0], |plan| {
            let mut sums = inputs[0];
            for level in 1.. {
                if plan.layout(sums).len <= spec.results() {
                    break;
                }
                sums = blocks.reduce(plan, sums, level);
            }
            sums
        }))
    }
}
