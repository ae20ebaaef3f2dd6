//! Bitonic sort: a network of comparisons, whose steps do not depend on the keys.
//!
//! Source: govindaraju2005, on textures with four keys to a texel. Work: n/4 (log2² n + log2 n) comparisons. Steps:
//! (k - 1) (k - 2) / 2 + 2 with k = log2 n: 173 for 2^20 keys.
//! Wins: on short streams, whose few steps need no scan. llvmpipe: 55 full-screen copies at 2^12, 134 at 2^16, where `split`
//! takes 202 and 255.
//!
//! ```text
//! for run = 2, 4, .. n
//!   for distance = run / 2, run / 4, .. 1
//!     for each k in parallel: compare key[k] with key[k xor distance], and keep the first of both if k is the
//!       first of the two and its run ascends, or neither; else the second
//! ```
//!
//! Deviations from the paper:
//! 1. A pass draws the whole texture and finds its partner by arithmetic, where the paper draws a quad a run.
//! 2. It is stable: each key carries its index, and equal keys go by it. The stream is padded to a power of two with the
//!    highest keys, and so the padding comes after such keys of the stream.
//! 3. Steps at distances 2 and 1, within a texel, are part of the pass of distance 4.
//! 4. Payloads move once, at the end, by the sorted indices.

use super::super::{SortSpec, shader};
use super::gather;
use crate::algorithm::{Algorithm, Built, Card, Era, Need, Placement, PseudoCode, Variants};
use crate::device::Device;
use crate::element::ElementType;
use crate::error::Error;
use crate::plan::{Layout, Plan, Slot, Uniform};

pub static CARD: Card = Card {
    name: "bitonic",
    problem: &crate::sort::PROBLEM,
    era: Era::Texture,
    needs: Need::Fragments,
    summary: "a network of comparisons, four keys to a texel, each with its index",
    sources: &["govindaraju2005"],
    passes: "(k - 1) (k - 2) / 2 + 2, where k = log2 n",
    work: "(k² + k) / 4 comparisons",
    parameters: &[],
    variants: Variants::DEFAULT,
    pseudo_code: |_| vec![&LISTING],
    build: |_| Built::of(Bitonic),
};

/// Keys in a texel.
const ITEMS: u32 = 4;

/// The bitonic sort.
#[derive(Debug, Clone, Copy, Default)]
pub struct Bitonic;

impl Algorithm<SortSpec> for Bitonic {
    fn name(&self) -> &'static str {
        "bitonic"
    }

    fn placement(&self, _: &SortSpec, _: &Device) -> Result<Placement, Error> {
        Ok(Placement::Texture { items_per_texel: ITEMS, unit: 1 })
    }

    fn build(
        &self,
        plan: &mut Plan,
        spec: &SortSpec,
        inputs: &[Slot],
        device: &Device,
    ) -> Result<Vec<Slot>, Error> {
        let padded = spec.len.next_power_of_two().max(ITEMS.into());
        let layout = Layout::fit(device, ElementType::U32, 1, ITEMS, padded, 1)?;
        let [low, high] = spec.bits;
        let bits = Uniform::Uint(u32::MAX >> (32 - (high - low)) << low);
        let [mut from, mut to] = [0; 2].map(|_| ["keys", "indices"].map(|name| plan.slot(name, layout)));
        let pass = plan
            .draw("first", shader!("sort/bitonic/first.frag", "sort/bitonic/pairs.glsl"))
            .set("u_bits", bits)
            .read("u_keys", inputs[0])
            .fetches("u_keys", spec.len);
        from.iter().fold(pass, |pass, slot| pass.write(*slot));
        for run in ITEMS.ilog2() + 1..=padded.ilog2() {
            for distance in (ITEMS.ilog2()..run).rev() {
                let pass = plan
                    .draw("step", shader!("sort/bitonic/step.frag", "sort/bitonic/pairs.glsl"))
                    .set("u_bits", bits)
                    .set("u_run", Uniform::Int(1 << run))
                    .set("u_distance", Uniform::Int(1 << distance))
                    .read("u_keys", from[0])
                    .read("u_indices", from[1])
                    .fetches("u_keys", 2 * layout.texels())
                    .fetches("u_indices", 2 * layout.texels());
                to.iter().fold(pass, |pass, slot| pass.write(*slot));
                std::mem::swap(&mut from, &mut to);
            }
        }
        Ok(gather(plan, shader!("sort/bitonic/gather.frag"), inputs, |pass| {
            pass.read("u_indices", from[1]).fetches("u_indices", spec.len)
        }))
    }
}

/// govindaraju2005, with indices.
static LISTING: PseudoCode = PseudoCode {
    title: "Bitonic sort",
    sources: &["govindaraju2005"],
    corrected: "",
    text: "
                 | for each k in parallel
      first      |   key[k] = x[k], index[k] = k
                 | for run = 2, 4, .. n
                 |   for distance = run/2, run/4, .. 1
      first, step |     for each k in parallel
      first, step |       compare key[k] with key[k xor distance], equal ones by index
      first, step |       keep the first of both if k is the first of the two and its run ascends,
      first, step |         or if neither is so; else the second
                 | for each i in parallel
      gather     |   y[i] = x[index[i]]
",
};
