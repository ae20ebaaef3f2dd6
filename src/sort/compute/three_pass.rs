//! The radix sort in three passes a digit: count the digits of each tile, scan all counts, and move each key.
//!
//! Source: satish2009; merrill2011, section 4. Work: for each digit about 3n words moved, and the counts of all tiles four
//! times. Steps: for each digit 2, and those of the scan.
//! Wins: over `onesweep` up to 2^26 keys on an H200: reading the keys twice takes less time than waiting for other tiles.
//!
//! ```text
//! for each digit, from the lowest
//!   for each tile in parallel                                   count
//!     counts[d][tile] = how many of its keys have the digit d
//!   starts = exclusive scan of counts, digit by digit           scan
//!   for each tile in parallel                                   scatter
//!     for each key, with digit d: its place is starts[d][tile] + the keys before it in the tile with digit d
//! ```
//!
//! Deviations:
//! 1. In satish2009 a tile is sorted bit by bit, by a scan in shared memory for each; here a vote of the lanes for each bit
//!    gives every key its rank, with one scan for all.
//! 2. A digit has as many bits as all others, or one less: 20 bits are 7, 7 and 6.
//! 3. On a device that binds few buffers, payloads are moved in passes of their own, which rank the keys again.

use super::{SortTiles, Tiled};
use crate::algorithm::{Algorithm, Built, Card, Era, Need, Placement, PseudoCode};
use crate::device::Device;
use crate::element::ElementType;
use crate::error::Error;
use crate::plan::{Access, Layout, Plan, Slot, Storage};
use crate::scan::{self, ScanSpec};
use crate::sort::{SortSpec, shader};
use crate::tuning::table::sort_tiles::{GROUP, ROWS};
use crate::unsupported::Unsupported;

pub static CARD: Card = Card {
    name: "three_pass",
    problem: &crate::sort::PROBLEM,
    era: Era::Compute,
    needs: Need::Compute,
    summary: "for each digit: count those of each tile, scan the counts, move the keys",
    sources: &["satish2009", "merrill2011"],
    passes: "for each digit, of 8 bits or with serial lanes 4: 2, and those of the scan of n / 12 counts; 3n words",
    work: "for each digit: 2 counts and a vote for each bit",
    parameters: SortTiles::PARAMETERS,
    variants: SortTiles::VARIANTS,
    pseudo_code: |_| vec![&LISTING],
    build: |arguments| Built::of(ThreePass { tiles: SortTiles::of(arguments) }),
};

/// The radix sort in three passes a digit.
#[derive(Debug, Clone, Copy, Default)]
pub struct ThreePass {
    /// The tiles, and the bits of a digit.
    pub tiles: SortTiles,
}

impl Algorithm<SortSpec> for ThreePass {
    fn name(&self) -> &'static str {
        "three_pass"
    }

    fn placement(&self, _: &SortSpec, device: &Device) -> Result<Placement, Error> {
        Unsupported::unless_compute(device, "three_pass")?;
        Ok(Placement::Buffer)
    }

    fn build(
        &self,
        plan: &mut Plan,
        spec: &SortSpec,
        inputs: &[Slot],
        device: &Device,
    ) -> Result<Vec<Slot>, Error> {
        self.tiles.note_parameters(plan);
        let mut streams = inputs.to_vec();
        if spec.len == 0 {
            return Ok(streams);
        }
        let tiled =
            Tiled::new(self.name(), (GROUP, ROWS), self.tiles, spec, *plan.layout(inputs[0]), device)?;
        let len = tiled.digits() * tiled.tiles;
        let layout = Layout::in_buffer(device, ElementType::U32, 1, len)?;
        layout.check_binding(Unsupported::unless_compute(device, "three_pass")?)?;
        let sum = ScanSpec::of(ElementType::U32, len).exclusive();
        let by = scan::fastest_in(Storage::Buffer, &sum, device)?;
        for place in 0..tiled.places {
            let counts = plan.slot("counts", layout);
            let shader = shader!("sort/three_pass/counts.comp");
            tiled
                .over_tiles(plan, "count", shader, streams[0], place)
                .bind("COUNTS", counts, Access::Write)
                .moves(0, len);
            let starts = plan.append(&*by, &sum, &[counts], device)?[0];
            let step = ("scatter", shader!("sort/three_pass/scatter.comp"));
            streams = tiled.moves(plan, step, &streams, place, |pass, _| {
                pass.bind("STARTS", starts, Access::Read).moves(len, 0)
            });
        }
        Ok(streams)
    }
}

/// satish2009.
static LISTING: PseudoCode = PseudoCode {
    title: "Radix sort in three passes a digit",
    sources: &["satish2009", "merrill2011"],
    corrected: "",
    text: "
                 | for each digit, from the lowest
                 |   for each tile in parallel
      count      |     counts[d][tile] = how many of its keys have digit d
      scan       |   starts = exclusive scan of counts, digit by digit
                 |   for each key in parallel, with digit d
      scatter    |     place = starts[d][tile] + the keys before it in the tile with digit d
      scatter    |     result[place] = key
",
};
