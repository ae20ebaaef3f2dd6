//! The chained scan: a single pass in which each tile waits for the one before it.
//!
//! Source: maleki2016, section 2.1 (StreamScan). Work: about 2n words moved. Steps: one pass, but a prefix goes from
//! tile to tile through the memory, one after the other.
//! Wins: nowhere, but it is the simplest that moves 2n words, and floats come out the same every time.
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
//! 2. Waiting ends after some looks; then the group goes back to the last prefix that there is, and computes
//!    the tiles after it anew, in their order.
//! 3. Streams longer than a binding are scanned in parts; the prefixes carry on from part to part.
//!
//! Compared with Decoupled Fallback (smith2025; the points of [`super::LookBack`] hold): there is no aggregate to look back
//! over. So the group does not add one missing tile, but all since the last prefix that there is, in the stream's order. That
//! costs more where many are missing, and gives the same bits of floats whatever was.

use super::look_back::{SinglePass, spins};
use super::tile::{TileOptions, Tuples};
use super::{Round, Rounds, record, tuned_rows};
use crate::device::Device;
use crate::error::{Error, Unsupported};
use crate::plan::{Lanes, Plan, Slot, shader};
use crate::scan::ScanAlgorithm;
use crate::spec::ScanSpec;

/// The chained scan.
#[derive(Debug, Clone, Copy, Default)]
pub struct Chained {
    pub tile: TileOptions,
}

impl ScanAlgorithm for Chained {
    fn plan(&self, spec: &ScanSpec, device: &Device) -> Result<Plan, Error> {
        record(&self.tile.named("chained", &[]), self, spec, device)
    }
}

impl Rounds for Chained {
    fn round(
        &self,
        plan: &mut Plan,
        source: Slot,
        round: Round,
        device: &Device,
    ) -> Result<Slot, Unsupported> {
        let shader = shader!("scan/chained/scan.comp");
        // The larger the tiles, the fewer links: on an H200 groups of 1024 are 3.5 times as fast as of 256.
        let serial = self.tile.lanes.unwrap_or_else(|| Lanes::best(device)) == Lanes::Serial;
        let most = device.compute.as_ref().map_or(0, |compute| compute.max_invocations);
        let large = (!serial).then_some(most.min(1024));
        let options = TileOptions { group: self.tile.group.or(large), ..self.tile };
        // A prefix is published once.
        let rows = tuned_rows(self.tile, device, "chained", plan.layout(source));
        let pass = SinglePass { shader, tuples: Tuples::Whole, rows, spins: spins(device), published: 1 };
        pass.round(plan, options, source, round, device)
    }
}
