//! A radix sort by fragments: each step sorts by a digit of 4 bits, from the lowest on, and keeps the order of equal ones.
//!
//! Source: ours; the steps are those of gems2007, section 39.3.3, with digits in place of bits. Work: for each digit n + 9 n / 8
//! fetches for masks and counts, a scan of n / 8 counts, about 1.6 n fetches to find the keys, and n to move them. Steps: for each
//! digit 6, and those of the scan.
//! Wins: where there are no compute shaders. On an H200 keys of 32 bits take 39 full-screen copies at 2^20 and 37 at 2^22, with
//! indices 43 and 42, with 16 bits and indices 21. Of the 42, 23 are texels written.
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
//!
//! A single payload lies in one texel with its key from the first digit to the last: one fetch finds both. Where the payload is the index of each key, the first digit has it without a fetch.

use std::sync::Arc;

use super::super::{SortSpec, shader};
use super::{SCAN, SCANS, STREAMS, gather_into, listings};
use crate::algorithm::{Algorithm, Built, Card, Era, Need, Placement, PseudoCode};
use crate::compact::Moves;
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

/// Keys in a texel.
const ITEMS: u32 = 4;

/// Keys of a block: the bits of a texel.
const BLOCK: u64 = 128;

/// Places that share a mark.
const SPAN: u64 = 32;

/// Blocks whose planes lie in stripes, by the quarters of each: as many texels as a cache line holds.
const STRIPE: u64 = 8;

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
        Ok(Placement::Texture { items_per_texel: ITEMS, unit: 1 })
    }

    fn build(
        &self,
        plan: &mut Plan,
        spec: &SortSpec,
        inputs: &[Slot],
        device: &Device,
    ) -> Result<Vec<Slot>, Error> {
        let [low, high] = spec.bits;
        let has_pairs = inputs.len() + usize::from(spec.moves.indices()) == 2;
        (low..high).step_by(DIGIT_BITS as usize).try_fold(inputs.to_vec(), |streams, shift| {
            let bits = DIGIT_BITS.min(high - shift);
            let pairs = has_pairs.then_some(Pairs {
                from: shift > low,
                to: shift + bits < high,
                keys: spec.moves.values(),
            });
            self.step(plan, &streams, spec.len, pairs, [shift, bits], device)
        })
    }

    /// With indices alone, which the first digit makes.
    fn handles_natively(&self, spec: &SortSpec, _: &Device) -> bool {
        spec.payloads == 0 && spec.moves(Moves::Values).is_plain()
    }
}

/// A step that moves keys with one payload, or with their indices. In pairs, the even ones are in the first stream and the odd
/// ones in the second, two of each to a texel.
#[derive(Debug, Clone, Copy)]
struct Pairs {
    /// True if they are read in pairs.
    from: bool,
    /// True if they are written in pairs.
    to: bool,
    /// True if the keys are results, too.
    keys: bool,
}

/// The streams of pairs.
const PAIRS: [&str; 2] = ["u_even_pairs", "u_odd_pairs"];

impl Radix {
    /// Sorts `len` keys by a digit: its lowest bit, and the number of its bits.
    fn step(
        &self,
        plan: &mut Plan,
        streams: &[Slot],
        len: u64,
        pairs: Option<Pairs>,
        [shift, bits]: [u32; 2],
        device: &Device,
    ) -> Result<Vec<Slot>, Error> {
        let digits = 1u64 << bits;
        let blocks = len.div_ceil(BLOCK);
        let masks_len = digits * blocks;
        let texels = |arity, len| Layout::fit(device, ElementType::U32, arity, 1, len, 1);
        let of_counts = scan::of_counts(masks_len).exclusive();
        let (items_per_texel, unit) = scan::in_texels(&*self.scan, masks_len, device)?;
        let stripe = blocks.clamp(1, STRIPE);
        let [planes, masks] = [("planes", blocks.next_multiple_of(stripe) * 4), ("masks", masks_len)]
            .map(|(name, len)| texels(4, len).map(|layout| plan.slot_of_bits(name, layout)));
        let (planes, masks) = (planes?, masks?);
        let counts = Layout::fit(device, ElementType::U32, 1, items_per_texel, masks_len, unit)?;
        let counts = plan.slot("counts", counts);
        let marks = plan.slot("marks", texels(1, len.div_ceil(SPAN))?);
        let from_pairs = pairs.is_some_and(|pairs| pairs.from);
        let names = if from_pairs { &PAIRS[..] } else { &STREAMS[..] };
        let results = match pairs {
            Some(Pairs { to: true, .. }) => {
                let layout = Layout::fit(device, ElementType::U32, 2, 2, len.div_ceil(2), 1)?;
                ["even pairs", "odd pairs"].map(|name| plan.slot(name, layout)).to_vec()
            }
            _ => {
                let layout = Layout::fit(device, ElementType::U32, 1, ITEMS, len, 1)?;
                let count = pairs.map_or(streams.len(), |pairs| 1 + usize::from(pairs.keys));
                (0..count).map(|_| plan.slot("sorted", layout)).collect()
            }
        };
        let texels_of_keys = len.div_ceil(ITEMS.into());
        // A search among all masks; those between two marks are few, if not always.
        let search = u64::from(masks_len.max(1).ilog2()) + 1;
        let count = ItemType { element: ElementType::U32, operator: Operator::ADD };
        plan.with_item(count, |plan| {
            let pass = plan
                .draw("planes", shader!("sort/radix/planes.frag"))
                .define("DIGITS", digits as i64)
                .define("BITS", bits.into())
                .define("LEN", len as i64)
                .define("FROM_PAIRS", from_pairs.into())
                .define("STRIPE", stripe as i64)
                .set("u_shift", Uniform::Int(shift as i32));
            names[..if from_pairs { 2 } else { 1 }]
                .iter()
                .zip(streams)
                .fold(pass, |pass, (name, slot)| pass.read(name, *slot).fetches(name, texels_of_keys))
                .write(planes);
            plan.draw("masks", shader!("sort/radix/masks.frag"))
                .define("BLOCKS", blocks as i64)
                .define("STRIPE", stripe as i64)
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
                .fetches("u_starts", len.div_ceil(SPAN) * search)
                .at_most(AtMost::READ)
                .write(marks);
            let shader = match pairs {
                None => shader!("sort/radix/gather.frag"),
                Some(_) => shader!("sort/radix/gather_pairs.frag"),
            };
            Ok(gather_into(plan, shader, names, streams, results, |pass| {
                let pass = match pairs {
                    None => pass,
                    Some(Pairs { from, to, keys }) => pass
                        .define("LEN", len as i64)
                        .define("FROM_PAIRS", from.into())
                        .define("TO_PAIRS", to.into())
                        .define("KEYS", keys.into()),
                };
                pass.define("BLOCKS", blocks as i64)
                    .define("SPAN", SPAN as i64)
                    .read("u_marks", marks)
                    .fetches("u_marks", 2 * len)
                    .read("u_starts", starts)
                    .fetches("u_starts", len * (search + 1))
                    .read("u_masks", masks)
                    .fetches("u_masks", 2 * len)
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
