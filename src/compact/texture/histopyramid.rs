//! HistoPyramid: counts of kept elements in a pyramid; every position of the result walks down from its top.
//!
//! Source: ziegler2006. Work: 1.33 n to build, log4 n fetches for every element kept. Steps: log4 n + 2.
//! Wins: over everything that the era had, and by more the less is kept, since only kept elements walk. H200, 60% kept:
//! 6 to 7 full-screen copies (`docs/results.md`); `blocks` with `inner=packed` and `packed` are faster.
//! llvmpipe: 9.2 copies at 2^20; only `packed` is faster.
//!
//! ```text
//! level 0: for each element: 1 if it is kept, else 0
//! level d+1: for each i in parallel: the sum of four of level d, 4i to 4i + 3      reduce
//! for each i below the count, in parallel                                          traverse
//!   from the top: go to the quarter where the running sum passes i, take what is before it from i
//! ```
//!
//! Deviations from the paper:
//! 1. A cell sums four consecutive elements, not a square of two by two: the order of the stream is kept.
//! 2. The levels are textures of their own, four counts in a texel, not the mip levels of one.
//! 3. The vertex stage reads the count, and covers only the rows that are kept: nothing is read back to size the draw.

use super::build;
use super::stages::{Flag, kept_rows};
use crate::algorithm::{Algorithm, Built, Card, Era, Need, Placement, PseudoCode, Variants};
use crate::compact::{CompactSpec, shader};
use crate::device::Device;
use crate::error::Error;
use crate::plan::{AtMost, Plan, Primitives, Slot};
use crate::unsupported::Unsupported;

pub static CARD: Card = Card {
    name: "histopyramid",
    problem: &crate::compact::PROBLEM,
    era: Era::Texture,
    needs: Need::Fragments,
    summary: "a pyramid of counts; each position of the result walks down from its top",
    sources: &["ziegler2006"],
    passes: "log4 n + 2",
    work: "one addition, and log4 n fetches if it is kept",
    parameters: &[],
    variants: Variants::DEFAULT,
    pseudo_code: |_| vec![&LISTING],
    build: |_| Built::of(Histopyramid),
};

/// A pyramid of counts.
#[derive(Debug, Clone, Copy, Default)]
pub struct Histopyramid;

/// The samplers of the levels in `traverse.frag`, the flags first. With the stream that makes 16, the number that every
/// fragment stage has.
const LEVELS: [&str; 15] = [
    "u_level_0",
    "u_level_1",
    "u_level_2",
    "u_level_3",
    "u_level_4",
    "u_level_5",
    "u_level_6",
    "u_level_7",
    "u_level_8",
    "u_level_9",
    "u_level_10",
    "u_level_11",
    "u_level_12",
    "u_level_13",
    "u_level_14",
];

impl Algorithm<CompactSpec> for Histopyramid {
    fn name(&self) -> &'static str {
        "histopyramid"
    }

    fn placement(&self, spec: &CompactSpec, _: &Device) -> Result<Placement, Error> {
        if spec.len > 1 << (2 * LEVELS.len()) {
            return Err(Unsupported::too_large(format!(
                "a pyramid of {} levels is too small for {} elements; choose another algorithm, such as \
                 packed",
                LEVELS.len(),
                spec.len
            ))
            .into());
        }
        Ok(Placement::Texture { items_per_texel: 1, unit: 4 })
    }

    fn build(
        &self,
        plan: &mut Plan,
        spec: &CompactSpec,
        inputs: &[Slot],
        device: &Device,
    ) -> Result<Vec<Slot>, Error> {
        build(plan, spec, inputs, device, |plan, compaction| {
            let mut levels = vec![compaction.flags(plan, 4, Flag::Kept)];
            while plan.layout(levels[levels.len() - 1]).texels() > 1 {
                levels.push(reduce(plan, levels[levels.len() - 1], levels.len()));
            }
            let top = levels[levels.len() - 1];
            plan.draw("count", shader!("compact/histopyramid/count.frag"))
                .read("u_level", top)
                .fetches("u_level", 1)
                .adds(3, 2)
                .write(compaction.count);

            let mut pass = plan
                .draw_vertices(
                    "traverse",
                    Primitives::Rectangle,
                    kept_rows(),
                    shader!("compact/histopyramid/traverse.frag"),
                )
                .define("ITEMS", 1)
                .define("LEVELS", levels.len() as i64)
                .read("u_count", compaction.count)
                .fetches("u_count", 4)
                .at_most(AtMost::READ | AtMost::WRITTEN);
            for (name, level) in LEVELS.into_iter().zip(levels) {
                pass = pass.read(name, level).fetches(name, spec.len);
            }
            compaction.gather(pass, spec.len, compaction.moved).covers(spec.len);
            Ok(())
        })
    }
}

fn reduce(plan: &mut Plan, source: Slot, level: usize) -> Slot {
    let below = *plan.layout(source);
    let target = plan.slot(format!("level {level}"), below.reduced(below.len.div_ceil(4), 4, 4));
    let texels = below.texels();
    plan.draw("reduce", shader!("compact/histopyramid/reduce.frag"))
        .read("u_level", source)
        .fetches("u_level", texels)
        .adds(3 * texels, 2)
        .write(target);
    target
}

/// ziegler2006.
static LISTING: PseudoCode = PseudoCode {
    title: "HistoPyramid",
    sources: &["ziegler2006"],
    corrected: "",
    text: "
                 | for each element in parallel
      flags      |   level(0) = 1 if it is kept, else 0
      reduce     | level(d + 1)[i] = level(d)[4i] + .. + level(d)[4i + 3]
      count      | count = the sum at the top
                 | for each i below the count, in parallel
      traverse   |   from the top, at each level
      traverse   |     go to the quarter where the running sum passes i
      traverse   |     take what is before it from i
      traverse   |   out[i] = x[where that ends]
",
};
