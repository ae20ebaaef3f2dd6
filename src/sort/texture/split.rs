//! The split sort: one bit at a time, keys with a 0 go before those with a 1, and otherwise keep their order.
//!
//! Source: blelloch1990, section 1.3, the split radix sort; gems2007, section 39.3.3. Work: for each bit a scan, and n log2 n fetches.
//! Steps: for each bit 2, and those of the scan.
//! Wins: nowhere; it shows a scan at work. `radix` takes four bits in a step.
//!
//! ```text
//! for each bit, from the lowest that counts
//!   for each k in parallel:  zero[k] = 1 if the bit of x[k] is 0, else 0
//!   zeros = inclusive scan of zero
//!   for each i in parallel
//!     if i < zeros[n - 1]:  search the first j with zeros[j] = i + 1
//!     else:                 search the first j with j + 1 - zeros[j] = i + 1 - zeros[n - 1]
//!     y[i] = x[j]
//!   x = y
//! ```
//!
//! Deviations from the papers:
//! 1. A fragment cannot choose where it writes, so keys are not scattered: each place searches for its key, in the counts, which
//!    ascend, as a compaction does (horn2005).
//! 2. The scan is inclusive: its last number counts all zeros, where an exclusive scan needs the last key, too.

use std::sync::Arc;

use super::super::{SortSpec, shader};
use super::{SCAN, SCANS, gather, listings};
use crate::algorithm::{Algorithm, Built, Card, Era, Need, Parameter, Placement, PseudoCode};
use crate::device::Device;
use crate::element::ElementType;
use crate::error::Error;
use crate::operator::Operator;
use crate::plan::{AtMost, ItemType, Plan, Slot, Uniform};
use crate::scan::{self, AnyScan};

pub static CARD: Card = Card {
    name: "split",
    problem: &crate::sort::PROBLEM,
    era: Era::Texture,
    needs: Need::Fragments,
    summary: "one bit at a time: a scan counts zeros, then each position searches for its key",
    sources: &["blelloch1990", "gems2007"],
    passes: "for each bit: 2, and those of the scan",
    work: "for each bit: a scan, and log2 n fetches to find a key",
    parameters: &[Parameter { about: "the scan that counts zeros", ..SCAN }],
    variants: SCANS,
    pseudo_code: |arguments| listings(&LISTING, arguments),
    build: |arguments| {
        Built::of(arguments.algorithm("scan").map_or_else(Split::default, |scan| Split { scan }))
    },
};

/// The split sort.
#[derive(Debug, Clone)]
pub struct Split {
    /// The scan that counts zeros: any that scans textures.
    pub scan: AnyScan,
}

impl Default for Split {
    /// With the packed scan.
    fn default() -> Split {
        Split { scan: Arc::new(scan::texture::Packed::default()) }
    }
}

impl Algorithm<SortSpec> for Split {
    fn name(&self) -> &'static str {
        "split"
    }

    fn placement(&self, spec: &SortSpec, device: &Device) -> Result<Placement, Error> {
        let (items_per_texel, unit) = scan::in_texels(&*self.scan, spec.len, device)?;
        Ok(Placement::Texture { items_per_texel, unit })
    }

    fn build(
        &self,
        plan: &mut Plan,
        spec: &SortSpec,
        inputs: &[Slot],
        device: &Device,
    ) -> Result<Vec<Slot>, Error> {
        let [low, high] = spec.bits;
        (low..high).try_fold(inputs.to_vec(), |streams, bit| self.split(plan, &streams, bit, device))
    }
}

impl Split {
    /// Moves the keys with a 0 in a bit before the others.
    fn split(
        &self,
        plan: &mut Plan,
        streams: &[Slot],
        bit: u32,
        device: &Device,
    ) -> Result<Vec<Slot>, Error> {
        let layout = *plan.layout(streams[0]);
        let zeros = plan.slot("zeros", layout);
        plan.draw("flags", shader!("sort/split/flags.frag"))
            .set("u_bit", Uniform::Int(bit as i32))
            .read("u_keys", streams[0])
            .fetches("u_keys", layout.texels())
            .write(zeros);
        let count = ItemType { element: ElementType::U32, operator: Operator::ADD };
        let sums = plan.with_item(count, |plan| {
            scan::append(plan, &self.scan, &scan::of_counts(layout.len), zeros, device)
        })?;
        let turns = u64::from(scan::ceil_log2(layout.len));
        Ok(gather(plan, shader!("sort/split/gather.frag"), streams, |pass| {
            pass.read("u_sums", sums)
                .fetches("u_sums", layout.texels() + layout.len * turns)
                .at_most(AtMost::READ)
        }))
    }
}

/// blelloch1990, section 1.3, with a search for the permutation.
static LISTING: PseudoCode = PseudoCode {
    title: "Sorting by splits",
    sources: &["blelloch1990", "gems2007"],
    corrected: "",
    text: "
                | for each bit, from the lowest on
                |   for each k in parallel
      flags     |     zero[k] = 1 if the bit of x[k] is 0, else 0
      scan      |   zeros = inclusive scan of zero
                |   for each i in parallel
      gather    |     if i < zeros[n - 1]
      gather    |       search the first j with zeros[j] = i + 1
      gather    |     else
      gather    |       search the first j with j + 1 - zeros[j] = i + 1 - zeros[n - 1]
      gather    |     y[i] = x[j]
                |   x = y
",
};
