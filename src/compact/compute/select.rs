//! Select: compaction in a single pass, with decoupled look-back.
//!
//! Source: merrill2016 (CUB's DeviceSelect). Work: about n words read, and the kept elements written.
//! Steps: one pass over the stream, and, once in many runs, one that clears the states.
//! Wins: on GPUs, everywhere.
//!
//! ```text
//! for each tile in parallel, in the order in which groups begin
//!   load the tile; count what is kept; publish the count
//!   look back: how many do all tiles before keep?
//!   write what is kept after that many
//! ```
//!
//! Deviations from CUB, and the comparison with Decoupled Fallback (smith2025): those of
//! [`crate::scan::compute::LookBack`]. A missing count is computed by loading that tile again.

use super::{build, placement};
use crate::algorithm::{
    Algorithm, Built, Candidates, Card, Era, Need, Parameter, Placement, PseudoCode, Variants,
};
use crate::compact::{CompactSpec, shader};
use crate::device::Device;
use crate::error::Error;
use crate::plan::{AtMost, Lanes, Plan, Slot, Uniform};
use crate::scan::compute::{Prefixes, States, Tickets, TileOptions, spins};
use crate::tuning::Shape;
use crate::tuning::table::look_back::CROWDED;
use crate::tuning::table::select::{BYTES, GROUP, SERIAL_GROUP, SHORT};
use crate::unsupported::Unsupported;

pub static CARD: Card = Card {
    name: "select",
    problem: &crate::compact::PROBLEM,
    era: Era::Compute,
    needs: Need::Compute,
    summary: "one pass: each tile finds out how many elements earlier tiles keep, and moves its own",
    sources: &["merrill2016"],
    passes: "2, of which one clears",
    work: "one read, and one move if it is kept",
    parameters: &[
        TileOptions::PARAMETERS[0],
        TileOptions::PARAMETERS[1],
        // An invocation takes single elements.
        Parameter {
            candidates: Candidates::numbers(&[1, 2, 4, 8, 12, 16, 24, 32]),
            ..TileOptions::PARAMETERS[2]
        },
        Prefixes::PARAMETER,
        Tickets::PARAMETER,
    ],
    variants: Variants {
        all: &["vectors=3", "lanes=shared,group=8,vectors=5", "lanes=subgroup"],
        some: &[
            "",
            "lanes=serial,group=16,vectors=1",
            "lanes=shared,group=64,vectors=1",
            "lanes=shared,group=128,vectors=2,tickets=off",
            "lanes=shared,group=8,vectors=1",
            "lanes=warp",
            "prefixes=block,vectors=1,tickets=off",
            "prefixes=block,lanes=shared,group=8,vectors=3",
        ],
    },
    pseudo_code: |_| vec![&LISTING],
    build: |arguments| {
        Built::of(Select {
            tile: TileOptions::of(arguments),
            prefixes: Prefixes::of(arguments),
            tickets: Tickets::of(arguments),
        })
    },
};

/// Compaction in one pass.
#[derive(Debug, Clone, Copy, Default)]
pub struct Select {
    /// The choices of lanes, group size and vectors.
    pub tile: TileOptions,
    /// The tiles that publish a prefix: of the numbers that they keep.
    pub prefixes: Prefixes,
    /// Whether groups take tickets for their tiles.
    pub tickets: Tickets,
}

/// The most elements per invocation: it has a bit for each.
const MOST: u32 = 32;

impl Algorithm<CompactSpec> for Select {
    fn name(&self) -> &'static str {
        "select"
    }

    fn placement(&self, spec: &CompactSpec, device: &Device) -> Result<Placement, Error> {
        placement(spec, device, "select")
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
        let compute = Unsupported::unless_compute(device, "select")?;
        let serial = self.tile.lanes.unwrap_or_else(|| Lanes::best(device)) == Lanes::Serial;
        let words = spec.element.words();
        let stream = spec.len * u64::from(words);
        let bytes = if stream > SHORT { BYTES } else { BYTES / 2 };
        let usual = if serial { MOST } else { bytes / (4 * words) };
        let tuned = self.tile.tuned_vectors(device, "compact", "select", Shape::PLAIN, stream);
        // The measurements were of one-word elements.
        let tuned = tuned.map(|elements| (elements / words).clamp(1, MOST));
        let options = TileOptions {
            group: self.tile.group.or(Some(if serial {
                SERIAL_GROUP
            } else {
                GROUP.min(compute.max_invocations)
            })),
            vectors: Some(self.tile.vectors.or(tuned).unwrap_or(usual)),
            ..self.tile
        };
        let tile = options.whole(device, 1, 1)?;
        if tile.vectors > MOST {
            let refused = format!("select cannot take {} rows of elements; use at most {MOST}", tile.vectors);
            return Err(Unsupported::request(refused).into());
        }
        self.tile.note_parameters(plan);
        self.prefixes.note_parameters(plan);
        self.tickets.note_parameters(plan);
        build(plan, spec, inputs, device, |plan, compaction| {
            let tiles = spec.len.div_ceil(u64::from(tile.group * tile.vectors));
            let blocks = self.prefixes.blocks(tile.group, tiles, 1, false, device)?;
            let numbers = tiles + blocks.map_or(0, |blocks| blocks.count());
            let turns = tiles.saturating_mul((3 * tile.vectors + tile.warps()).into());
            let taken = self.tickets.are_taken(blocks.is_some(), stream, turns, device)?;
            let states = States::cleared(plan, taken.into(), numbers, States::RUNS);
            let shader = shader!("compact/select/select.comp");
            let pass = states.bind(plan.dispatch("select", shader, tile.lanes, tile.group, tiles));
            let (pass, (looked, published)) = match blocks {
                // The nearest prefix. That of the first tile is its sum.
                None => (pass, (tiles - 1, 2 * tiles - 1)),
                Some(blocks) => (blocks.bind_to(pass), blocks.states_of(0, tiles)),
            };
            compaction
                .moves(compaction.decide(pass, 1))
                .define("TUPLE", 1)
                .define("ROWS", tile.vectors)
                .define("LANES", tile.lane_count)
                .define("STRIPED", tile.lanes == Lanes::Subgroup || tile.lanes == Lanes::Warp)
                .define("LOOKS_LATE", blocks.is_none() && stream > CROWDED)
                .define("SPINS", spins(device))
                .set("u_part", Uniform::Int(0))
                .set("u_first", Uniform::Int(0))
                .moves(2 * looked, 2 * published)
                .adds(spec.len, tiles)
                .at_most(AtMost::READ | AtMost::WRITTEN | AtMost::ADDS);
            Ok(())
        })
    }
}

/// merrill2016.
static LISTING: PseudoCode = PseudoCode {
    title: "Select",
    sources: &["merrill2016"],
    corrected: "",
    text: "
      clear    | no tile has published anything
               | for each tile in parallel, in the order in which groups begin
      select   |   load the tile, count what is kept, publish the count
      select   |   look back: how many do all tiles before keep?
      select   |   write what is kept after that many
",
};
