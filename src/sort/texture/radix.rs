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

/// Keys of a group, which are four texels.
const GROUP: u64 = 16;

/// Keys of a block, which are 16 groups: the counts of 15 fit into bytes.
const BLOCK: u64 = 16 * GROUP;

/// Places that share a mark.
const SPAN: u64 = 256;

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
        let by_count = ItemType { element: ElementType::U32, operator: Operator::ADD };
        plan.with_item(by_count, |plan| {
            let groups = len.div_ceil(GROUP);
            let layout = Layout::fit(self.device, ElementType::U32, 4, 1, groups, 1)?;
            let counts = plan.slot("counts", layout);
            plan.draw("count", shader!("sort/radix/counts.frag"))
                .define("DIGITS", digits as i64)
                .set("u_shift", Uniform::Int(shift as i32))
                .read("u_keys", streams[0])
                .fetches("u_keys", self.words.texels())
                .adds(len, GROUP)
                .write(counts);
            let before = plan.slot("before", layout);
            plan.draw("add", shader!("sort/radix/before.frag"))
                .read("u_counts", counts)
                .fetches("u_counts", groups * 15 / 2)
                .at_most(AtMost::READ)
                .write(before);

            let spec = ScanSpec::of(ElementType::U32, digits * blocks).exclusive();
            let placement = self.radix.scan.placement(&spec, self.device)?;
            let numbers = plan.slot("numbers", placement.layout(self.device, ElementType::U32, 1, spec.len)?);
            plan.draw("spread", shader!("sort/radix/spread.frag"))
                .define("DIGITS", digits as i64)
                .define("BLOCKS", blocks as i64)
                .read("u_counts", counts)
                .fetches("u_counts", spec.len)
                .read("u_before", before)
                .fetches("u_before", spec.len)
                .write(numbers);
            let starts = plan.append(&*self.radix.scan, &spec, &[numbers], self.device)?[0];
            let marks =
                plan.slot("marks", Layout::fit(self.device, ElementType::U32, 1, 1, len.div_ceil(SPAN), 1)?);
            let turns = u64::from(scan::ceil_log2(spec.len));
            plan.draw("mark", shader!("sort/radix/marks.frag"))
                .define("SPAN", SPAN as i64)
                .read("u_starts", starts)
                .fetches("u_starts", len.div_ceil(SPAN) * turns)
                .at_most(AtMost::READ)
                .write(marks);

            let targets: Vec<Slot> = streams.iter().map(|_| plan.slot("sorted", self.words)).collect();
            let mut pass = plan
                .draw("gather", shader!("sort/radix/gather.frag"))
                .define("BLOCKS", blocks as i64)
                .define("SPAN", SPAN as i64)
                .define("DIGITS", digits as i64)
                .define("FURTHER", streams.len() as i64 - 1)
                .set("u_shift", Uniform::Int(shift as i32))
                .read("u_starts", starts)
                .fetches("u_starts", len * (turns + 2))
                .read("u_marks", marks)
                .fetches("u_marks", 2 * self.words.texels())
                .read("u_before", before)
                .fetches("u_before", 4 * len)
                .read("u_keys", streams[0])
                .fetches("u_keys", 4 * len)
                .at_most(AtMost::READ);
            for (name, slot) in ["u_first", "u_second"].into_iter().zip(&streams[1..]) {
                pass = pass.read(name, *slot).fetches(name, len);
            }
            targets.iter().fold(pass, |pass, target| pass.write(*target));
            Ok(targets)
        })
    }
}
