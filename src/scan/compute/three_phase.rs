//! The scan in three phases: tiles are scanned and written, and later read again to add what stands before them.
//!
//! Source: maleki2016, section 4.2 (Thrust, CUDPP). Work: about 4n words moved. Steps: 3 dispatches, and as many for
//! the sums of tiles as these need.
//! Wins: nowhere; it is what the others save words against.
//!
//! ```text
//! for each tile in parallel                              phase 1
//!   write the scanned tile; sums[tile] = its sum
//! scan sums, in the same manner                          phase 2
//! for each tile in parallel                              phase 3
//!   result = sums[tile - 1] + what was written
//! ```

use super::tile::{Tile, TileOptions, Tuples};
use super::{Round, Rounds, record, tuned_rows};
use crate::device::Device;
use crate::error::{Error, Unsupported};
use crate::plan::{Access, Plan, Slot, shader};
use crate::scan::ScanAlgorithm;
use crate::spec::{ScanKind, ScanSpec};

/// The hierarchical scan: scan, scan the sums, add.
#[derive(Debug, Clone, Copy, Default)]
pub struct ThreePhase {
    pub tile: TileOptions,
}

impl ScanAlgorithm for ThreePhase {
    fn plan(&self, spec: &ScanSpec, device: &Device) -> Result<Plan, Error> {
        record(&self.tile.named("three_phase", &[]), self, spec, device)
    }
}

impl Rounds for ThreePhase {
    fn round(
        &self,
        plan: &mut Plan,
        source: Slot,
        round: Round,
        device: &Device,
    ) -> Result<Slot, Unsupported> {
        let layout = *plan.layout(source);
        let rows = tuned_rows(self.tile, device, "three_phase", &layout);
        let tile = Tile::new(
            device,
            self.tile,
            (layout.words_per_texel(), layout.words()),
            round.tuple,
            Tuples::Whole,
        )?;
        let tile = tile.with_rows_of_16_bytes(rows);
        let parts = tile.parts(&layout, device)?;
        let tiles = tile.count(layout.len);
        let sums = tile.sums(plan, &layout, tiles);
        let scanned = plan.slot("scanned alone", layout);
        for part in &parts {
            tile.dispatch(plan, "scan", shader!("scan/three_phase/scan.comp"), part)
                .bind_part("SOURCE", source, Access::Read, part.items.clone())
                .bind_part("TARGET", scanned, Access::Write, part.items.clone())
                .bind("SUMS", sums, Access::Write)
                .define("EXCLUSIVE", round.kind == ScanKind::Exclusive)
                .moves(part.words, part.words + part.tiles * tile.sum_words())
                .adds(part.tiles * (tile.scan_adds() + tile.store_adds()), tile.depth());
        }
        if tiles <= 1 {
            return Ok(scanned);
        }
        let same = ThreePhase { tile: TileOptions { rows: Some(tile.rows), ..self.tile } };
        let sums = same.round(plan, sums, Round { kind: ScanKind::Inclusive, ..round }, device)?;
        let target = plan.slot("scanned", layout);
        for part in &parts {
            tile.dispatch(plan, "add", shader!("scan/three_phase/add.comp"), part)
                .bind_part("SOURCE", scanned, Access::Read, part.items.clone())
                .bind("SUMS", sums, Access::Read)
                .bind_part("TARGET", target, Access::Write, part.items.clone())
                .define("EXCLUSIVE", false)
                .moves(part.words + part.tiles_after_the_first() * tile.sum_words(), part.words)
                .adds(part.tiles * tile.items(), 1);
        }
        Ok(target)
    }
}
