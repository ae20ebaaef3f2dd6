//! A radix sort by fragments: each step sorts by a digit of 4 bits, from the lowest on, and keeps the order of equal ones.
//!
//! Source: ours; the steps are those of gems2007, section 39.3.3, with digits in place of bits. Work: for each digit n + 9 n / 8
//! fetches for masks and counts, a scan of n / 8 counts, and about 4 fetches to find a key. Steps: for each digit 6, and those of the
//! scan.
//! Wins: where there are no compute shaders.
//!
//! A fragment cannot choose where it writes, so each place of the result searches for its key. A *mask* is a texel of 128 bits: which
//! keys of a block have a digit. The masks of digit 0 come first, then those of digit 1, and so on, so their scanned counts tell
//! at which place each mask starts, and ascend.
//!
//! ```text
//! for each digit, from the lowest on
//!   planes   the 4 bits of each key's digit, as 4 planes of bits for 32 keys
//!   masks    for each digit and block: the planes, flipped where the digit has a 0, and combined
//!   counts   the bits of each mask
//!   scan     exclusive: the start of each mask
//!   marks    for every 32nd place the mask that holds it
//!   gather   each place searches the starts from its mark on; the bit of its rank in the mask is its key
//! ```

use std::sync::Arc;

use super::super::{SortSpec, shader};
use super::{SCAN, SCANS, gather, listings};
use crate::algorithm::{Algorithm, Built, Card, Era, Need, Placement, PseudoCode};
use crate::device::Device;
use crate::element::ElementType;
use crate::error::Error;
use crate::operator::Operator;
use crate::plan::{AtMost, ItemType, Layout, Plan, Slot, Uniform};
use crate::scan::{self, AnyScan};

pub static CARD: Card = Card {
    name: "radix",
    problem: &crate::sort::PROBLEM,
    era: Era::Texture,
    needs: Need::Fragments,
    summary: "digits of 4 bits: a mask for each digit and block, a scan of their counts, and a search for each key",
    sources: &["gems2007"],
    passes: "for each 4 bits: 6, and those of the scan of n / 8 counts",
    work: "for each 4 bits: masks of n bits for each digit, a scan, and about 4 fetches to find a key",
    parameters: &[SCAN],
    variants: SCANS,
    pseudo_code: |arguments| listings(&LISTING, arguments),
    build: |arguments| {
        Built::of(arguments.algorithm("scan").map_or_else(Radix::default, |scan| Radix { scan }))
    },
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
    /// The scan of the counts: any that scans textures.
    pub scan: AnyScan,
}

impl Default for Radix {
    /// With the packed scan.
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
        let [low, high] = spec.bits;
        (low..high).step_by(DIGIT_BITS as usize).try_fold(inputs.to_vec(), |streams, shift| {
            self.step(plan, &streams, shift, DIGIT_BITS.min(high - shift), device)
        })
    }
}

impl Radix {
    /// Sorts streams by a digit of the first one.
    fn step(
        &self,
        plan: &mut Plan,
        streams: &[Slot],
        shift: u32,
        bits: u32,
        device: &Device,
    ) -> Result<Vec<Slot>, Error> {
        let keys = *plan.layout(streams[0]);
        let digits = 1u64 << bits;
        let blocks = keys.len.div_ceil(BLOCK);
        let masks_len = digits * blocks;
        let texels = |arity, len| Layout::fit(device, ElementType::U32, arity, 1, len, 1);
        let of_counts = scan::of_counts(masks_len).exclusive();
        let (items_per_texel, unit) = scan::in_texels(&*self.scan, masks_len, device)?;
        let [planes, masks] = [("planes", blocks * 4), ("masks", masks_len)]
            .map(|(name, len)| texels(4, len).map(|layout| plan.slot(name, layout)));
        let (planes, masks) = (planes?, masks?);
        let counts = Layout::fit(device, ElementType::U32, 1, items_per_texel, masks_len, unit)?;
        let counts = plan.slot("counts", counts);
        let marks = plan.slot("marks", texels(1, keys.len.div_ceil(SPAN))?);
        // A search among all masks; those between two marks are few, if not always.
        let search = u64::from(masks_len.max(1).ilog2()) + 1;
        let count = ItemType { element: ElementType::U32, operator: Operator::ADD };
        plan.with_item(count, |plan| {
            plan.draw("planes", shader!("sort/radix/planes.frag"))
                .define("DIGITS", digits as i64)
                .define("BITS", bits.into())
                .set("u_shift", Uniform::Int(shift as i32))
                .read("u_keys", streams[0])
                .fetches("u_keys", keys.texels())
                .write(planes);
            plan.draw("masks", shader!("sort/radix/masks.frag"))
                .define("BLOCKS", blocks as i64)
                .read("u_planes", planes)
                .fetches("u_planes", masks_len * 4)
                .write(masks);
            plan.draw("counts", shader!("sort/radix/counts.frag"))
                .define("ITEMS", items_per_texel.into())
                .read("u_masks", masks)
                .fetches("u_masks", masks_len)
                .write(counts);
            let starts = plan.append(&*self.scan, &of_counts, &[counts], device)?[0];
            let starts = plan.relayout(starts, None, texels(1, masks_len)?)?;
            plan.rename(starts, "starts");
            plan.draw("marks", shader!("sort/radix/marks.frag"))
                .define("SPAN", SPAN as i64)
                .read("u_starts", starts)
                .fetches("u_starts", keys.len.div_ceil(SPAN) * search)
                .at_most(AtMost::READ)
                .write(marks);
            Ok(gather(plan, shader!("sort/radix/gather.frag"), streams, |pass| {
                pass.define("BLOCKS", blocks as i64)
                    .define("SPAN", SPAN as i64)
                    .read("u_marks", marks)
                    .fetches("u_marks", 2 * keys.texels())
                    .read("u_starts", starts)
                    .fetches("u_starts", keys.len * (search + 1))
                    .read("u_masks", masks)
                    .fetches("u_masks", keys.len)
                    .at_most(AtMost::READ)
            }))
        })
    }
}

/// The steps of one digit.
static LISTING: PseudoCode = PseudoCode {
    title: "Sorting by digits",
    sources: &["gems2007"],
    corrected: "",
    text: "
                | for each digit of 4 bits, from the lowest on
                |   for each 32 keys in parallel
      planes    |     plane[b] = bit b of each key's digit
                |   for each digit d and block of 128 keys in parallel
      masks     |     mask = 1 for each key whose planes are the bits of d
      counts    |     count = ones in the mask
      scan      |   start = exclusive scan of count, all of digit 0 first
      relayout  |   each start in a texel of its own
                |   for each 32nd place i in parallel
      marks     |     mark = the last mask with start <= i
                |   for each place i in parallel
      gather    |     mask = the last one with start <= i, searched from its mark on
      gather    |     j = the key of the mask's one number i - start
      gather    |     y[i] = x[j]
                |   x = y
",
};
