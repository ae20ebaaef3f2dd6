//! The packed compaction: flags as bits, counts of 128 elements at a time, four elements of the result a texel.
//!
//! Source: ours, a step that the era did not take; the search as in roger2007, the scan as in `scan=packed`.
//! Work: reads the stream once to decide, and the kept elements again to move them; writes these, a bit for each
//! element of the stream, and little more. Steps: those of a packed scan of n / 128 counts, and 5.
//! Wins: over all of the texture era. H100, 60% kept: 1.6 full-screen copies at 2^20, 1.3 at 2^22, 1.1 from 2^24 on
//! (`docs/results.md`), 17 to 33 times as fast as Horn's. The write alone takes 0.6 copies and reading the stream 0.27.
//!
//! ```text
//! for each group g of 128 elements:  bits[g] = a bit for each, 1 where it is kept      bits
//! count[g] = bits set in bits[g];  before = exclusive scan of count                    scan
//! for each run of 64 places of the result: the group where it begins                   hints, runs
//! for each texel of the result, of 4 places                                            gather
//!   g = the run's group, or the one after it, by its count
//!   skip the bits of g that belong to earlier places; the next four bits set are its elements
//! ```
//!
//! Differences from the papers' compactions:
//! 1. The search over n elements becomes one over n / 128 counts for each run of 64, and one within 128 bits, which
//!    fetches nothing: log2 n fetches an element become less than two.
//! 2. A texel has four elements (two of two words); one search serves them all.
//! 3. The vertex stage reads the count, and covers only the rows that are kept.
//!
//! The time of the gather, measured on an H100 (2^24, in milliseconds; the write alone takes 0.72), depends on fetches
//! that wait for each other (run, counts, bits, values: 1.66), so a run says enough to fetch the bits at once (1.18);
//! then an index into a texel that is not constant, which a choice replaces (0.97).

use std::sync::Arc;

use super::build;
use super::stages::kept_rows;
use crate::algorithm::{
    Algorithm, Built, Candidates, Card, Domain, Era, Need, Parameter, Placement, PseudoCode, Variants,
};
use crate::compact::{CompactSpec, shader};
use crate::device::Device;
use crate::element::ElementType;
use crate::error::Error;
use crate::plan::{AtMost, Layout, Plan, Primitives, Slot};
use crate::scan::ceil_log2;
use crate::scan::{self, AnyScan};
use crate::tuning::table::runs::{HINT, RUN, UNHINTED};

pub static CARD: Card = Card {
    name: "packed",
    problem: &crate::compact::PROBLEM,
    era: Era::Texture,
    needs: Need::Fragments,
    summary: "flags as bits, counts per 128 elements, four results per texel",
    sources: &["roger2007"],
    passes: "those of the packed scan of n / 128, and 5 or 6",
    work: "a bit, and about two fetches if it is kept",
    parameters: &[Parameter {
        name: "scan",
        about: "the scan of the groups' counts",
        default: "packed",
        candidates: Candidates::NONE,
        domain: Domain::algorithms(scan::OF_WHOLE_TEXELS, &[]),
    }],
    variants: Variants::DEFAULT,
    pseudo_code: |_| vec![&LISTING],
    build: |arguments| {
        Built::of(
            arguments
                .algorithm("scan")
                .map_or_else(PackedCompaction::default, |scan| PackedCompaction { scan }),
        )
    },
};

/// Compaction over packed texels.
#[derive(Debug, Clone)]
pub struct PackedCompaction {
    /// The scan of the groups' counts: any that scans four items per texel.
    pub scan: AnyScan,
}

impl Default for PackedCompaction {
    /// With the packed scan.
    fn default() -> PackedCompaction {
        PackedCompaction { scan: Arc::new(scan::texture::Packed::default()) }
    }
}

/// Elements in a group: the bits of a texel.
const GROUP: u64 = 128;

/// On a CPU a pass costs little.
const UNHINTED_ON_A_CPU: u64 = 1 << 8;

impl Algorithm<CompactSpec> for PackedCompaction {
    fn name(&self) -> &'static str {
        "packed"
    }

    fn placement(&self, spec: &CompactSpec, _: &Device) -> Result<Placement, Error> {
        let items = 4 / spec.element.words();
        Ok(Placement::Texture { items_per_texel: items, unit: GROUP as u32 / items })
    }

    fn handles_natively(&self, _: &CompactSpec, _: &Device) -> bool {
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
            let starts = Layout::fit(device, ElementType::U32, 2, 1, spec.len.div_ceil(RUN), 1)?;
            let bits = plan.slot_of_bits("bits", group_bits);
            let pass = plan.draw("bits", shader!("compact/packed/bits.frag"));
            // The last group may have fewer elements.
            let pass = pass.at_most(AtMost::READ);
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

            let fours = u64::from(ceil_log2(groups.div_ceil(4)));
            let mut hints = None;
            let unhinted = if device.software { UNHINTED_ON_A_CPU } else { UNHINTED };
            if spec.len > unhinted {
                // One more, so that each knows where the next one begins.
                let layout = Layout::fit(device, ElementType::U32, 1, 1, spec.len.div_ceil(HINT) + 1, 1)?;
                let slot = plan.slot("hints", layout);
                plan.draw("hints", shader!("compact/packed/hints.frag", "compact/packed/search.glsl"))
                    .define("HINT", HINT as i64)
                    .read("u_before", before)
                    .fetches("u_before", layout.len * fours)
                    .at_most(AtMost::READ)
                    .write(slot);
                hints = Some(slot);
            }

            let runs = plan.slot("runs", starts);
            let mut pass = plan
                .draw_vertices(
                    "runs",
                    Primitives::Rectangle,
                    kept_rows(),
                    shader!("compact/packed/runs.frag", "compact/packed/search.glsl"),
                )
                .knows_length()
                .define("ITEMS", RUN as i64)
                .define("RUN", RUN as i64)
                .define("HINT", if hints.is_some() { HINT as i64 } else { 0 })
                .read("u_count", compaction.count)
                .fetches("u_count", 4)
                .at_most(AtMost::READ | AtMost::WRITTEN);
            if let Some(hints) = hints {
                pass = pass.read("u_hints", hints).fetches("u_hints", 2 * starts.len);
            }
            // From a hint to the next there are three texels of four groups; another has the groups after the one found.
            let steps = if hints.is_some() { 2 } else { fours };
            pass.read("u_before", before)
                .fetches("u_before", (steps + 3) * starts.len)
                .covers(starts.len)
                .write(runs);

            let written = input.texels();
            let pass = plan
                .draw_vertices(
                    "gather",
                    Primitives::Rectangle,
                    kept_rows(),
                    shader!("compact/packed/gather.frag", "compact/packed/search.glsl"),
                )
                .knows_length()
                .define("ITEMS", i64::from(items))
                .define("RUN", RUN as i64)
                .read("u_count", compaction.count)
                .read("u_bits", bits)
                .read("u_before", before)
                .read("u_runs", runs)
                .fetches("u_bits", 2 * written)
                .fetches("u_count", 4)
                .fetches("u_runs", written)
                .at_most(AtMost::READ | AtMost::WRITTEN);
            compaction.gather(pass, 3 * written, compaction.moved).covers(written);
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
               | for each run of 64 places of the result, in parallel
      hints    |   hint = the groups where it begins, nearly
      runs     |   start = the last group with before[group] <= its first place
               | for each texel of the result, in parallel
      gather   |   g = its run's group, or the one after it: where its first place is
      gather   |   skip the bits of g that belong to earlier places
      gather   |   the next bits that are set are its elements
",
};
