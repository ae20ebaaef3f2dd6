//! A radix sort by fragments: each step sorts by a digit, from the lowest on, and keeps the order of equal ones.
//!
//! Source: ours; the steps are harris2007's, section 39.3.3, with digits for bits, and a search for the scatter.
//! Work: for each digit a read of the keys, a scan of n / 4 counts, and a search.
//! Steps: for each digit 3, and those of the scan.
//!
//! A fragment cannot choose where it writes, so each place of the result searches for its key: in the starts of all digits
//! and blocks, which ascend, then in the block.

use std::sync::Arc;

use super::super::{SortSpec, shader};
use crate::algorithm::{Algorithm, Built, Card, Era, Need, Placement, Variants};
use crate::device::Device;
use crate::element::ElementType;
use crate::error::Error;
use crate::operator::Operator;
use crate::plan::{AtMost, ItemType, Layout, Plan, Slot, Uniform};
use crate::scan::{self, AnyScan, ScanSpec};

pub static CARD: Card = Card {
    name: "radix",
    problem: &crate::sort::PROBLEM,
    era: Era::Texture,
    needs: Need::Fragments,
    summary: "digits of 4 bits: counts of blocks, their scan, and a search for each place",
    sources: &["harris2007"],
    passes: "for each 4 bits: 3, and those of the scan of n / 4 counts",
    work: "for each 4 bits: a count, and about log2 n fetches",
    parameters: &[],
    variants: Variants::DEFAULT,
    pseudo_code: |_| Vec::new(),
    build: |_| Built::of(Radix::default()),
};

/// Keys of a block: the bits of a texel.
const BLOCK: u64 = 128;

/// Places that share a mark.
const SPAN: u64 = 32;

/// Bits of a digit.
const DIGIT_BITS: u32 = 4;

/// The radix sort of textures.
#[derive(Debug, Clone)]
pub struct Radix {
    /// The scan of the counts.
    pub scan: AnyScan,
}

impl Default for Radix {
    fn default() -> Radix {
        Radix { scan: Arc::new(scan::texture::Packed::default()) }
    }
}

impl Algorithm<SortSpec> for Radix {
    fn name(&self) -> &'static str {
        "radix"
    }

    fn placement(&self, _: &SortSpec, _: &Device) -> Result<Placement, Error> {
        Ok(Placement::Texture { items_per_texel: 4, unit: 1 })
    }

    fn build(
        &self,
        plan: &mut Plan,
        spec: &SortSpec,
        inputs: &[Slot],
        device: &Device,
    ) -> Result<Vec<Slot>, Error> {
        let words = *plan.layout(inputs[0]);
        let steps = Steps { radix: self, spec, words, device };
        let [low, high] = spec.bits;
        let mut streams = inputs.to_vec();
        for shift in (low..high).step_by(DIGIT_BITS as usize) {
            streams = steps.step(plan, &streams, shift, DIGIT_BITS.min(high - shift))?;
        }
        Ok(streams)
    }
}

/// The steps of one sort.
struct Steps<'a> {
    radix: &'a Radix,
    spec: &'a SortSpec,
    words: Layout,
    device: &'a Device,
}

impl Steps<'_> {
    /// Sorts streams of u32 by a digit of the first one.
    fn step(&self, plan: &mut Plan, streams: &[Slot], shift: u32, bits: u32) -> Result<Vec<Slot>, Error> {
        let len = self.spec.len;
        let blocks = len.div_ceil(BLOCK);
        let digits = 1u64 << bits;
        let masks_len = digits * blocks;
        let texels = |arity, len| Layout::fit(self.device, ElementType::U32, arity, 1, len, 1);
        let by_count = ItemType { element: ElementType::U32, operator: Operator::ADD };
        plan.with_item(by_count, |plan| {
            let planes = plan.slot("planes", texels(4, blocks * 4)?);
            plan.draw("planes", shader!("sort/radix/planes.frag"))
                .define("DIGITS", digits as i64)
                .define("BITS", bits.into())
                .set("u_shift", Uniform::Int(shift as i32))
                .read("u_keys", streams[0])
                .fetches("u_keys", len.div_ceil(4))
                .write(planes);
            let masks = plan.slot("masks", texels(4, masks_len)?);
            plan.draw("masks", shader!("sort/radix/masks.frag"))
                .define("BLOCKS", blocks as i64)
                .read("u_planes", planes)
                .fetches("u_planes", masks_len * 4)
                .write(masks);
            let spec = ScanSpec::of(ElementType::U32, masks_len).exclusive();
            let placement = self.radix.scan.placement(&spec, self.device)?;
            let counts = plan.slot("counts", placement.layout(self.device, ElementType::U32, 1, masks_len)?);
            plan.draw("counts", shader!("sort/radix/counts.frag"))
                .read("u_masks", masks)
                .fetches("u_masks", masks_len)
                .adds(len, BLOCK)
                .write(counts);
            let starts = plan.append(&*self.radix.scan, &spec, &[counts], self.device)?[0];
            let starts = plan.relayout(starts, None, texels(1, masks_len)?)?;
            plan.rename(starts, "starts");
            let marks = plan.slot("marks", texels(1, len.div_ceil(SPAN))?);
            let turns = u64::from(scan::ceil_log2(masks_len));
            plan.draw("marks", shader!("sort/radix/marks.frag"))
                .define("SPAN", SPAN as i64)
                .read("u_starts", starts)
                .fetches("u_starts", len.div_ceil(SPAN) * turns)
                .at_most(AtMost::READ)
                .write(marks);
            let targets: Vec<Slot> = streams.iter().map(|_| plan.slot("sorted", self.words)).collect();
            let pass = plan
                .draw("gather", shader!("sort/radix/gather.frag"))
                .define("BLOCKS", blocks as i64)
                .define("SPAN", SPAN as i64)
                .define("PAYLOADS", streams.len() as i64 - 1)
                .read("u_marks", marks)
                .fetches("u_marks", 2 * self.words.texels())
                .read("u_starts", starts)
                .fetches("u_starts", len * turns)
                .read("u_masks", masks)
                .fetches("u_masks", len)
                .at_most(AtMost::READ);
            let names = ["u_keys", "u_first", "u_second", "u_third"];
            let pass = names
                .into_iter()
                .zip(streams)
                .fold(pass, |pass, (name, slot)| pass.read(name, *slot).fetches(name, len));
            targets.iter().fold(pass, |pass, target| pass.write(*target));
            Ok(targets)
        })
    }
}
