//! The packed reduction: the reduce passes of the packed scan, down to one value.
//!
//! Source: ours; see [`crate::scan::texture::Packed`]. Work: n uses of the operator; reads n/4 texels and little more.
//! Steps: log(n) / log(4 · block).
//! Wins: over `pairs`, where there are no compute shaders. H200: 0.27 to 0.55 full-screen copies (`docs/results.md`).
//!
//! ```text
//! while a(d) has more than one item
//!   for each block b in parallel: a(d+1)[b] = sum of the block's items
//! ```

use super::super::ReduceSpec;
use super::build;
use crate::algorithm::{Algorithm, Built, Card, Era, Need, Placement, PseudoCode, Variants};
use crate::device::Device;
use crate::error::Error;
use crate::plan::{Plan, Slot};
use crate::scan::Heads;
use crate::scan::texture::packed::{BLOCK_PARAMETER, Level, LevelBlocks};
use crate::tuning::Shape;
use crate::tuning::table::packed::{BLOCK, LONG_ON_A_CPU};
use crate::unsupported::Unsupported;

pub static CARD: Card = Card {
    name: "packed",
    problem: &crate::reduce::PROBLEM,
    era: Era::Texture,
    needs: Need::Fragments,
    summary: "four words per texel; each pass combines the texels of a block",
    sources: &["blelloch1990", "sengupta2006"],
    passes: "log(n) / log(4 B), in blocks of B texels",
    work: "n",
    parameters: &[BLOCK_PARAMETER],
    variants: Variants { all: &["", "block=2"], some: &["block=16", "block=64"] },
    pseudo_code: |_| vec![&LISTING],
    build: |arguments| Built::of(PackedReduction { block: arguments.number("block") }),
};

/// Reduction of packed texels.
#[derive(Debug, Clone, Copy, Default)]
pub struct PackedReduction {
    /// Texels in a block: a power of two from 2 to 64. `None` is the fastest one measured on the device, else 8.
    pub block: Option<u32>,
}

impl PackedReduction {
    fn blocks(&self, spec: &ReduceSpec, device: &Device) -> LevelBlocks {
        let words = spec.elements() * u64::from(spec.element.words());
        let tuned = || device.tuning.parameter("reduce", "packed", "block", Shape::PLAIN, words);
        let fits = |block: &u32| (2..=64).contains(block) && block.is_power_of_two();
        let block = self.block.or_else(|| tuned().filter(fits)).unwrap_or(BLOCK);
        let repeats = device.software && block <= BLOCK && spec.len >= LONG_ON_A_CPU;
        LevelBlocks { block, tuple: spec.tuple, heads: Heads::None, items: spec.len, repeats, added: 0 }
    }
}

impl Algorithm<ReduceSpec> for PackedReduction {
    fn name(&self) -> &'static str {
        "packed"
    }

    fn placement(&self, spec: &ReduceSpec, device: &Device) -> Result<Placement, Error> {
        let words = spec.operator.item_words(spec.element);
        Unsupported::unless_in_texel(
            "packed",
            words,
            "pairs, or an algorithm over buffers, such as single_pass",
        )?;
        let items_per_texel = (4 / words).max(1);
        Ok(Placement::Texture { items_per_texel, unit: self.blocks(spec, device).block })
    }

    fn handles_natively(&self, _: &ReduceSpec, _: &Device) -> bool {
        true
    }

    fn build(
        &self,
        plan: &mut Plan,
        spec: &ReduceSpec,
        inputs: &[Slot],
        device: &Device,
    ) -> Result<Vec<Slot>, Error> {
        let blocks = self.blocks(spec, device);
        plan.note_parameter("block", blocks.block);
        let steps = |plan: &mut Plan| {
            let (mut sums, mut level) = (inputs[0], Level::STREAM);
            // A single item that does not count takes a pass, too, to be left out.
            while plan.layout(sums).len > spec.results() || (spec.has_gpu_length && sums == inputs[0]) {
                (sums, level) = blocks.reduce(plan, sums, level);
            }
            sums
        };
        Ok(build(plan, spec, inputs[0], |plan| match inputs.last() {
            Some(length) if spec.has_gpu_length => plan.indirect(*length, spec.len, steps),
            _ => steps(plan),
        }))
    }
}

/// Our own; blocks as in blelloch1990, levels as in sengupta2006.
static LISTING: PseudoCode = PseudoCode {
    title: "The packed reduction",
    sources: &["blelloch1990", "sengupta2006"],
    corrected: "",
    text: "
                                    | while a(d) has more than one item
      scan/packed/reduce            |   for each block b in parallel
      scan/packed/reduce            |     a(d+1)[b] = the sum of the block's items
",
};
