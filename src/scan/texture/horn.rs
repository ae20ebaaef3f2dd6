//! Horn's scan: ceil(log2 n) passes that ping-pong between two textures.
//!
//! Source: horn2005; sengupta2006, algorithm 2. Work: O(n log n). Steps: ceil(log2 n). Of the same year, hensley2005 sums
//! the rows and columns of images in this way, with more reads in a pass.
//! Wins: nowhere among the measured lengths. H200: 19 to 26 full-screen copies from 2^20 to 2^26, 5 to 8 times as long as
//! the hybrid (`docs/results.md`). Up to 4096 items an untuned hybrid is this scan.
//!
//! ```text
//! for d = 0 .. ceil(log2 n) - 1
//!   for each k in parallel
//!     dst[k] = if k >= 2^d then src[k - 2^d] + src[k] else src[k]
//!   swap src, dst
//! ```
//!
//! Deviations from the paper:
//! 1. Offsets start at 2^0; the printed loop starts one step late.
//! 2. The first pass of an exclusive scan reads everything one position further left, at no cost.
//! 3. Tuples of s multiply every offset by s.
//! 4. Items of more than four words lie in the layers of an array texture, which a pass writes all at once.

use super::heads::{self, Nodes};
use super::packed::Packed;
use crate::algorithm::{Algorithm, Built, Card, Era, Need, Placement, PseudoCode, Variants};
use crate::device::Device;
use crate::error::Error;
use crate::plan::{Layout, Plan, Slot, Uniform};
use crate::scan::{Heads, Round, ScanKind, ScanSpec, rounds};
use crate::scan::{ceil_log2, shader};

pub static CARD: Card = Card {
    name: "horn",
    problem: &crate::scan::PROBLEM,
    era: Era::Texture,
    needs: Need::Fragments,
    summary: "ping-pong between two textures, ceil(log2 n) full passes",
    sources: &["horn2005", "hillis1986", "sengupta2006"],
    passes: "log2 n",
    work: "n log2 n",
    parameters: &[],
    variants: Variants::DEFAULT,
    pseudo_code: |_| vec![&LISTING],
    build: |_| Built::of(Horn),
};

/// Horn's step-efficient scan.
#[derive(Debug, Clone, Copy, Default)]
pub struct Horn;

impl Algorithm<ScanSpec> for Horn {
    fn name(&self) -> &'static str {
        "horn"
    }

    fn placement(&self, spec: &ScanSpec, _: &Device) -> Result<Placement, Error> {
        Ok(Placement::Texture { items_per_texel: 1, unit: 2 * spec.tuple })
    }

    fn handles_natively(&self, spec: &ScanSpec, _: &Device) -> bool {
        spec.is_split_ahead()
    }

    fn build(
        &self,
        plan: &mut Plan,
        spec: &ScanSpec,
        inputs: &[Slot],
        device: &Device,
    ) -> Result<Vec<Slot>, Error> {
        let heads = heads::heads(plan, spec, inputs, device, &Packed::default())?;
        rounds(spec, inputs[0], |source, round| {
            Ok::<_, Error>(steps(plan, source, Round { heads, ..round }, Nodes::of_stream(spec.len)))
        })
    }
}

/// Adds the steps over the nodes in `source`; returns the slot of the result.
pub(super) fn steps(plan: &mut Plan, source: Slot, round: Round, nodes: Nodes) -> Slot {
    let Round { tuple, kind, heads } = round;
    let layout = *plan.layout(source);
    let tuple = u64::from(tuple);
    let moved = match kind {
        ScanKind::Inclusive => 0,
        ScanKind::Exclusive => tuple,
    };
    let longest = match heads {
        // A row that does not begin with a node lies in one more.
        Heads::Every(width) => (width.div_ceil(nodes.each) + u64::from(nodes.each > 1)).min(layout.len),
        _ => layout.len / tuple,
    };
    // An exclusive scan of a single tuple still has to write identities.
    let passes = ceil_log2(longest).max(u32::from(moved > 0));
    let mut values = plan.ping_pong(source);
    for d in 0..passes {
        let offset = tuple << d;
        let moved = if d == 0 { moved } else { 0 };
        let alone = layout.len.saturating_sub(moved);
        let added = layout.len.saturating_sub(moved + offset);
        let mut pass = plan
            .draw("scan", shader!("scan/horn/step.frag"))
            .define("MOVED", i64::from(moved > 0))
            .read("u_source", values.source())
            .set("u_offset", distance(&layout, offset));
        if moved > 0 {
            pass = pass.set("u_moved", distance(&layout, moved));
        }
        let pass = heads::bind_to(pass, heads, nodes, layout.len);
        // Where scans begin anew, a step fetches the item to the left before it knows whether that counts.
        let left = if heads == Heads::None { added } else { alone };
        pass.fetches("u_source", alone + left).adds(added, 1).write(values.target());
        values.swap();
    }
    values.source()
}

/// Adds the steps of inclusive scans of blocks, each on its own. Blocks are a power of two and lie within rows.
pub(super) fn steps_in_blocks(plan: &mut Plan, source: Slot, block: u64) -> Slot {
    let layout = *plan.layout(source);
    let mut values = plan.ping_pong(source);
    for d in 0..ceil_log2(block.min(layout.len)) {
        let offset = 1 << d;
        let last = layout.len % block;
        let added = layout.len / block * (block - offset) + last.saturating_sub(offset);
        plan.draw("scan in blocks", shader!("scan/horn/step.frag"))
            .define("MOVED", 0)
            .define("BLOCK", block as i64)
            .read("u_source", values.source())
            .set("u_offset", distance(&layout, offset))
            .fetches("u_source", layout.len + added)
            .adds(added, 1)
            .write(values.target());
        values.swap();
    }
    values.source()
}

/// A distance as columns and rows.
fn distance(layout: &Layout, items: u64) -> Uniform {
    let width = u64::from(layout.width);
    Uniform::Int2([(items % width) as i32, (items / width) as i32])
}

/// sengupta2006, algorithm 2.
static LISTING: PseudoCode = PseudoCode {
    title: "Horn's scan",
    sources: &["sengupta2006", "horn2005", "hillis1986"],
    corrected: "In print the loop runs from 1 to log2 n with offsets of 2^i, one step late, and exclusive scans are left \
                out.",
    text: "
      scan/horn/step exclusive  !| if exclusive, first: x[k] = x[k - 1]
      scan/horn/step exclusive  !|   and x[0] = 0
                                !| for d = 0 to ceil(log2 n) - 1
      scan/horn/step             |   for all k in parallel
      scan/horn/step             |     if k >= 2^d
      scan/horn/step             |       x[k] = x[k - 2^d] + x[k]
      scan/horn/step             |     else
      scan/horn/step             |       x[k] = x[k]
",
};
