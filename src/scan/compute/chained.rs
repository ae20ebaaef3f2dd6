//! The chained scan: a single pass in which each tile waits for the one before it.
//!
//! Source: yan2013 (StreamScan), as maleki2016, section 2.1, describes it. Work: about 2n words moved. Steps: one pass over the stream, and one
//! that clears; but a prefix goes from tile to tile through the memory, one after the other.
//! Wins: nowhere, but it is the simplest scan that moves 2n words, and every run gives floats the same bits.
//!
//! ```text
//! for each tile in parallel, in the order of tickets
//!   load and scan the tile
//!   wait for the prefix of tile - 1; publish that plus the tile's sum
//!   write prefix + scanned
//! ```
//!
//! Deviations from StreamScan:
//! 1. Within a tile the scan is that of all our algorithms, not the matrix of the paper.
//! 2. Waiting ends after a bounded number of looks; then the group goes back to the last published prefix, and computes
//!    the tiles after it again, in order.
//! 3. Streams longer than a binding are scanned in parts; the prefixes carry on from part to part.
//!
//! Compared with Decoupled Fallback (smith2025; the points of [`super::LookBack`] hold): there is no aggregate to look
//! back over. So the group combines not one missing tile but all since the last published prefix, in the stream's
//! order. That costs more if many are missing, and gives the same bits of floats in every case.

use super::Round;
use super::look_back::{Prefixes, SinglePass, Tickets, spins};
use super::tile::{TileOptions, TunedTile, tile_scan};
use crate::algorithm::{Algorithm, Built, Card, Era, Need, PseudoCode, Variants};
use crate::device::Device;
use crate::error::Error;
use crate::plan::{Lanes, Plan, Slot};
use crate::scan::{ScanSpec, rounds, shader};
use crate::unsupported::Unsupported;

pub static CARD: Card = Card {
    name: "chained",
    problem: &crate::scan::PROBLEM,
    era: Era::Compute,
    needs: Need::Compute,
    summary: "one pass, 2n words: each tile waits for the one before it",
    sources: &["yan2013", "maleki2016"],
    passes: "2, of which one clears; 2n words",
    work: "4n or 5n",
    parameters: TileOptions::PARAMETERS,
    variants: Variants {
        all: &["lanes=shared,group=8,vectors=1"],
        some: &["", "vectors=1", "lanes=shared,group=64,vectors=2", "lanes=subgroup"],
    },
    pseudo_code: |_| vec![&LISTING],
    build: |arguments| Built::of(Chained { tile: TileOptions::of(arguments) }),
};

tile_scan! {
    /// The chained scan.
    Chained, "chained"
}

impl Chained {
    /// Adds one scan of first order.
    fn round(
        &self,
        plan: &mut Plan,
        source: Slot,
        round: Round,
        device: &Device,
    ) -> Result<Slot, Unsupported> {
        let shader = shader!("scan/chained/scan.comp");
        // Larger tiles make fewer links: on an H200 groups of 1024 are 3.5 times as fast as groups of 256.
        let serial = self.tile.lanes.unwrap_or_else(|| Lanes::best(device)) == Lanes::Serial;
        let most = device.compute.as_ref().map_or(0, |compute| compute.max_invocations);
        let large = (!serial).then_some(most.min(1024));
        let tuned = self.tile.tuned("chained", plan.layout(source), device);
        let options = TileOptions { group: self.tile.group.or(large), ..self.tile };
        // A prefix is published once.
        let pass = SinglePass {
            shader,
            spins: spins(device),
            published: 1,
            prefixes: Prefixes::Every,
            tickets: Tickets::On,
            teaching: Default::default(),
        };
        pass.round(plan, TunedTile { options, in_series: true, ..tuned }, source, round, device)
    }
}

/// maleki2016, section 2.1, on StreamScan.
static LISTING: PseudoCode = PseudoCode {
    title: "The chained scan",
    sources: &["yan2013", "maleki2016"],
    corrected: "",
    text: "
      clear, scan/common/clear   | no tile has published anything
                                 | for each tile in parallel, in the order of tickets
      scan, scan/chained/scan    |   load and scan the tile
      scan, scan/chained/scan    |   wait for the prefix of tile - 1
      scan, scan/chained/scan    |   publish that plus the tile's sum
      scan, scan/chained/scan    |   write prefix + scanned
",
};
