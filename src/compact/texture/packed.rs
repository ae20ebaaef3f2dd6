//! The packed compaction: flags as bits, counts of 128 elements at a time, four elements of the result a texel.
//!
//! Source: ours, a step that the era did not take; the search as in roger2007, the scan as in `scan=packed`.
//! Work: reads the stream once to decide, and the kept elements again to move them; writes these, a bit for each
//! element of the stream, and little more. Steps: those of a packed scan of n / 128 counts, and 5.
//! Wins: over all of the texture era. H200, 60% kept: 2.2 full-screen copies at 2^20, 1.8 from 2^22 on
//! (`docs/results.md`), 12 to 19 times as fast as Horn's; 0.54 copies at 2^22 if 1% is kept, 2.4 if 99% are. llvmpipe:
//! 4.0 copies at 2^20, 16 times as fast as Horn's and 5 times as fast as `geometry`.
//!
//! ```text
//! for each group g of 128 elements:  bits[g] = a bit for each, 1 where it is kept      bits
//! count[g] = bits set in bits[g];  before = exclusive scan of count                    scan
//! for each run of HINT places of the result:  hint = the four groups where it begins   hints
//! for each texel of the result, of 4 places                                            gather
//!   g = the last group between its hints with before[g] <= its first place
//!   skip the bits of g that belong to earlier places; the next four bits set are its elements
//! ```
//!
//! Differences from the papers' compactions:
//! 1. The search over n elements becomes one over n / 128 counts, made short by hints, and one within 128 bits, which
//!    fetches nothing: log2 n fetches an element become about two.
//! 2. A texel has four elements (two of two words); one search serves them all.
//! 3. The vertex stage reads the count, and covers only the rows that are kept.

use std::sync::Arc;

use super::build;
use super::stages::kept_rows;
use crate::algorithm::{
    Algorithm, Built, Card, Domain, Era, Need, Parameter, Placement, PseudoCode, Tried, Variants,
};
use crate::compact::CompactSpec;
use crate::device::Device;
use crate::element::ElementType;
use crate::error::Error;
use crate::plan::{Layout, Plan, Primitives, Slot, shader};
use crate::scan::texture::ceil_log2;
use crate::scan::{self, AnyScan};

pub static CARD: Card = Card {
    name: "packed",
    problem: &crate::compact::PROBLEM,
    era: Era::Texture,
    needs: Need::Fragments,
    summary: "flags as bits, counts per 128 elements, four results per texel",
    sources: &["roger2007"],
    passes: "those of the packed scan of n / 128, and 5",
    work: "a bit, and about two fetches if it is kept",
    parameters: &[Parameter {
        name: "scan",
        about: "the scan of the groups' counts",
        default: "packed",
        tried: Tried::NOTHING,
        domain: Domain::algorithms(scan::OF_WHOLE_TEXELS, &[]),
    }],
    variants: Variants::DEFAULT,
    pseudo_code: |_| vec![&LISTING],
    build: |arguments| {
        Built::of(arguments.algorithm("scan").map_or_else(Packed::default, |scan| Packed { scan }))
    },
};

/// Compaction over packed texels.
#[derive(Debug, Clone)]
pub struct Packed {
    /// The scan of the groups' counts: any that scans four items per texel.
    pub scan: AnyScan,
}

impl Default for Packed {
    /// With the packed scan.
    fn default() -> Packed {
        Packed { scan: Arc::new(scan::texture::Packed::default()) }
    }
}

/// Elements in a group: the bits of a texel.
const GROUP: u64 = 128;

/// Elements of the result between two hints: the fastest of 64, 128, 256, 512 and 1024 at 2^20 to 2^24 (H200), by 2 to
/// 5%.
const HINT: u64 = 256;

impl Algorithm<CompactSpec> for Packed {
    fn name(&self) -> &'static str {
        "packed"
    }

    fn placement(&self, spec: &CompactSpec, _: &Device) -> Result<Placement, Error> {
        let items = 4 / spec.element.words();
        Ok(Placement::Texture { items_per_texel: items, unit: GROUP as u32 / items })
    }

    fn takes(&self, _: &CompactSpec, _: &Device) -> bool {
        true
    }

    fn build(
        &self,
        plan: &mut Plan,
        spec: &CompactSpec,
        inputs: &[Slot],
        device: &Device,
    ) -> Result<Vec<Slot>, Error> {
        let items = 4 / spec.element.words();
        build(plan, spec, inputs, device, |plan, compaction| {
            let input = compaction.layout;
            let groups = spec.len.div_ceil(GROUP);
            let group_bits = Layout {
                element: ElementType::U32,
                arity: 4,
                items_per_texel: 1,
                width: input.width * items / GROUP as u32,
                ..input
            };
            let group_bits = group_bits.with_len(groups);
            let scanned = scan::of_counts(groups).exclusive();
            let (_, unit) = scan::in_texels(&*self.scan, groups, device)?;
            let group_counts = Layout::fit(device, ElementType::U32, 1, 4, groups, unit)?;
            // One more, so that each run knows where the next one begins.
            let run_hints = Layout::fit(device, ElementType::U32, 1, 1, spec.len.div_ceil(HINT) + 1, 1)?;
            let bits = plan.slot("bits", group_bits);
            let pass = plan.draw("bits", shader!("compact/packed/bits.frag"));
            compaction.decide(pass, groups * GROUP / u64::from(items)).write(bits);

            let counts = plan.slot("counts", group_counts);
            plan.draw("counts", shader!("compact/packed/counts.frag"))
                .read("u_bits", bits)
                .fetches("u_bits", groups)
                .write(counts);
            let before = scan::append(plan, &self.scan, &scanned, counts, device)?;
            plan.draw("count", shader!("compact/packed/count.frag"))
                .read("u_counts", counts)
                .read("u_before", before)
                .fetches("u_counts", 1)
                .fetches("u_before", 1)
                .write(compaction.count);

            let hints = plan.slot("hints", run_hints);
            let texels = groups.div_ceil(4);
            plan.draw("hints", shader!("compact/packed/hints.frag", "compact/packed/search.glsl"))
                .define("HINT", HINT as i64)
                .read("u_before", before)
                .fetches("u_before", run_hints.len * u64::from(ceil_log2(texels)))
                .write(hints);

            let written = input.texels();
            let pass = plan
                .draw_vertices(
                    "gather",
                    Primitives::Rectangle,
                    kept_rows(),
                    shader!("compact/packed/gather.frag", "compact/packed/search.glsl"),
                )
                .define("ITEMS", i64::from(items))
                .define("HINT", HINT as i64)
                .read("u_count", compaction.count)
                .read("u_bits", bits)
                .read("u_before", before)
                .read("u_hints", hints)
                // A texel of the result shares its last group, and its last texel of the stream, with the next texel.
                .fetches("u_bits", written + groups)
                .fetches("u_count", 4)
                .fetches("u_before", 2 * written)
                .fetches("u_hints", 2 * written);
            compaction.gather(pass, 2 * written, compaction.moved).covers(written);
            Ok(())
        })
    }
}

/// Ours; the search as in roger2007.
static LISTING: PseudoCode = PseudoCode {
    title: "The packed compaction",
    sources: &["roger2007"],
    corrected: "",
    text: "
               | for each group g of 128 elements
      bits     |   bits[g] = a bit for each, 1 where it is kept
      counts   |   count[g] = how many bits are set
      scan     | before = exclusive scan of count
      count    | the count = before[last] + count[last]
      hints    | for each run of 256 places: hint = the groups where it begins
               | for each texel of the result, in parallel
      gather   |   g = the last group between its hints with before[g] <= its first place
      gather   |   skip the bits of g that belong to earlier places
      gather   |   the next bits that are set are its elements
",
};
