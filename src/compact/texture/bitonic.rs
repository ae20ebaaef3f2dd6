//! Compaction by sorting: keys that are greater for unwanted elements, and otherwise in order of the indices.
//!
//! Source: govindaraju2005, bitonic sort on textures; roger2007, section II, on sorting as compaction. Work: O(n log2 n
//! log2 n). Steps: k (k + 1) / 2 + 3 with k = log2 n: 213 for 2^20 elements.
//! Wins: nowhere. H200, 60% kept: 206 to 302 full-screen copies from 2^20 to 2^24 (`docs/results.md`), 7.5 to 9 times
//! as long as Horn's, and 2.8 to 3.9 times as long as `geometry`, the next slowest; roger2007 expects an order of
//! magnitude.
//! llvmpipe: 464 copies at 2^20, 7.3 times as long as Horn's.
//!
//! ```text
//! for each k in parallel:  key[k] = k, with bit 31 set if x[k] is unwanted or past the end
//! for run = 2, 4, .. n
//!   for distance = run / 2, run / 4, .. 1
//!     for each k in parallel: compare key[k] with key[k xor distance], and keep the smaller one if k is the
//!       first of the two and its run ascends, or neither; else the greater
//! for each i in parallel:  if key[i] is wanted, out[i] = x[key[i]]
//! ```
//!
//! Deviations from the paper:
//! 1. A pass draws the whole texture and finds its partner by arithmetic, where the paper draws a quad a run.
//! 2. Only keys are sorted; elements move once, at the end.
//! 3. The stream is padded to a power of two with unwanted keys.

use super::build;
use crate::algorithm::{Algorithm, Built, Card, Era, Need, Placement, PseudoCode, Variants};
use crate::compact::{CompactSpec, shader};
use crate::device::Device;
use crate::element::ElementType;
use crate::error::Error;
use crate::plan::{AtMost, Layout, Plan, Slot, Uniform};

pub static CARD: Card = Card {
    name: "bitonic",
    problem: &crate::compact::PROBLEM,
    era: Era::Texture,
    needs: Need::Fragments,
    summary: "sorts the elements: kept ones first, then by index",
    sources: &["govindaraju2005", "roger2007"],
    passes: "k (k + 1) / 2 + 3, where k = log2 n",
    work: "(k² + k) / 2 comparisons",
    parameters: &[],
    variants: Variants::DEFAULT,
    pseudo_code: |_| vec![&LISTING],
    build: |_| Built::of(Bitonic),
};

/// A bitonic sort.
#[derive(Debug, Clone, Copy, Default)]
pub struct Bitonic;

impl Algorithm<CompactSpec> for Bitonic {
    fn name(&self) -> &'static str {
        "bitonic"
    }

    fn placement(&self, _: &CompactSpec, _: &Device) -> Result<Placement, Error> {
        Ok(Placement::Texture { items_per_texel: 1, unit: 2 })
    }

    fn build(
        &self,
        plan: &mut Plan,
        spec: &CompactSpec,
        inputs: &[Slot],
        device: &Device,
    ) -> Result<Vec<Slot>, Error> {
        let padded = spec.len.next_power_of_two().max(2);
        let layout = Layout::fit(device, ElementType::U32, 1, 1, padded, 2)?;
        build(plan, spec, inputs, device, |plan, compaction| {
            let keys = plan.slot("keys", layout);
            let pass = plan.draw("keys", shader!("compact/bitonic/keys.frag"));
            compaction.decide(pass, spec.len).write(keys);

            let mut keys = plan.ping_pong(keys);
            for run in 1..=padded.trailing_zeros() {
                for distance in (0..run).rev() {
                    plan.draw("sort", shader!("compact/bitonic/step.frag"))
                        .set("u_run", Uniform::Int(1 << run))
                        .set("u_distance", Uniform::Int(1 << distance))
                        .read("u_keys", keys.source())
                        .fetches("u_keys", 2 * padded)
                        .write(keys.target());
                    keys.swap();
                }
            }

            let keys = keys.source();
            let pass = plan
                .draw("gather", shader!("compact/bitonic/gather.frag"))
                .set("u_len", Uniform::Int(spec.len as i32))
                .read("u_keys", keys)
                .fetches("u_keys", spec.len)
                .at_most(AtMost::READ | AtMost::WRITTEN);
            compaction.gather(pass, spec.len, compaction.moved);
            plan.draw("count", shader!("compact/bitonic/count.frag"))
                .read("u_keys", keys)
                .fetches("u_keys", u64::from(padded.trailing_zeros()) + 1)
                .at_most(AtMost::READ)
                .write(compaction.count);
            Ok(())
        })
    }
}

/// govindaraju2005, as roger2007 names it.
static LISTING: PseudoCode = PseudoCode {
    title: "Compaction by sorting",
    sources: &["govindaraju2005", "roger2007"],
    corrected: "",
    text: "
                | for each k in parallel
      keys      |   key[k] = k, and 2^31 more if x[k] is unwanted
                | for run = 2, 4, .. n
                |   for distance = run/2, run/4, .. 1
      sort      |     for each k in parallel
      sort      |       compare key[k] with key[k xor distance]
      sort      |       keep the smaller if k is the first of the two and its run ascends,
      sort      |         or if neither is so; else the greater
                | for each i in parallel
      gather    |   if key[i] is wanted, out[i] = x[key[i]]
      count     | count = where the unwanted keys begin
",
};
