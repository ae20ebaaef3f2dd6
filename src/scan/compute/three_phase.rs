//! The scan in three phases: tiles are scanned and written, and later read again to add the sum before them.
//!
//! Source: maleki2016, section 4.2 (Thrust, CUDPP). Work: about 4n words moved. Steps: 3 dispatches, and as many for
//! the sums of tiles as these need.
//! Wins: nowhere; the other scans save words compared with it.
//!
//! ```text
//! for each tile in parallel                              phase 1
//!   write the scanned tile; sums[tile] = its sum
//! scan sums, in the same manner                          phase 2
//! for each tile in parallel                              phase 3
//!   result = sums[tile - 1] + what was written
//! ```

use super::Round;
use super::tile::{TileOptions, Tiled, tile_scan};
use crate::algorithm::{Algorithm, Built, Card, Era, Need, PseudoCode, Variants};
use crate::device::Device;
use crate::error::Error;
use crate::plan::{Access, AtMost, Plan, Slot};
use crate::scan::{Heads, ScanKind, ScanSpec, rounds, shader};
use crate::unsupported::Unsupported;

pub static CARD: Card = Card {
    name: "three_phase",
    problem: &crate::scan::PROBLEM,
    era: Era::Compute,
    needs: Need::Compute,
    summary: "scan tiles, scan their sums, add those to the tiles: 4n words",
    sources: &["maleki2016"],
    passes: "3, and those of the sums; 4n words",
    work: "5n or 6n",
    parameters: TileOptions::PARAMETERS,
    variants: Variants {
        all: &["vectors=1"],
        some: &["", "lanes=shared,group=64,vectors=2", "lanes=subgroup", "lanes=serial,group=64,vectors=1"],
    },
    pseudo_code: |_| vec![&LISTING],
    build: |arguments| Built::of(ThreePhase { tile: TileOptions::of(arguments) }),
};

tile_scan! {
    /// The hierarchical scan: scan, scan the sums, add.
    ThreePhase, "three_phase"
}

impl ThreePhase {
    /// Adds one scan of first order.
    fn round(
        &self,
        plan: &mut Plan,
        source: Slot,
        round: Round,
        device: &Device,
    ) -> Result<Slot, Unsupported> {
        let layout = *plan.layout(source);
        let Tiled { tile, parts, tiles } =
            Tiled::new(self.tile.tuned("three_phase", &layout, device), &layout, round, device)?;
        let sums = tile.sums(plan, &layout, tiles);
        let scanned = plan.slot("scanned alone", layout);
        for part in &parts {
            tile.dispatch(plan, "scan", shader!("scan/three_phase/scan.comp"), part)
                .bind_loads("SOURCE", source, part.items.clone(), tile.load())
                .bind_part("TARGET", scanned, Access::Write, part.items.clone())
                .bind("SUMS", sums, Access::Write)
                .define("EXCLUSIVE", round.kind == ScanKind::Exclusive)
                .moves(part.words + tile.head_words(part), part.words + part.tiles * tile.sum_words())
                .adds(part.tiles * (tile.scan_adds() + tile.store_adds()), tile.depth())
                .at_most(AtMost::ADDS);
        }
        if tiles <= 1 {
            return Ok(scanned);
        }
        let same = ThreePhase { tile: TileOptions { vectors: Some(tile.vectors), ..self.tile } };
        let sums =
            same.round(plan, sums, Round { kind: ScanKind::Inclusive, heads: Heads::None, ..round }, device)?;
        let target = plan.slot("scanned", layout);
        // In a split stream, a scan of the flags says where a scan has begun.
        let heads = round.heads != Heads::None;
        let (split, depth) = if heads { (tile.scan_adds(), tile.depth()) } else { (0, 0) };
        for part in &parts {
            tile.dispatch(plan, "add", shader!("scan/three_phase/add.comp"), part)
                .bind_loads("SOURCE", scanned, part.items.clone(), tile.load())
                .bind("SUMS", sums, Access::Read)
                .bind_part("TARGET", target, Access::Write, part.items.clone())
                .define("EXCLUSIVE", false)
                .moves(
                    part.words + tile.head_words(part) + part.tiles_after_the_first() * tile.sum_words(),
                    part.words,
                )
                .adds(part.tiles * (tile.items() + split), 1 + depth)
                .at_most(if heads { AtMost::ADDS } else { AtMost::default() });
        }
        Ok(target)
    }
}

/// maleki2016, section 4.2.
static LISTING: PseudoCode = PseudoCode {
    title: "Three phases",
    sources: &["maleki2016"],
    corrected: "",
    text: "
                                      | for each tile in parallel
      scan, scan/three_phase/scan     |   write the scanned tile
      scan, scan/three_phase/scan     |   sums[tile] = its sum
      sums                            | scan sums, in the same way
                                      | for each tile in parallel
      add, scan/three_phase/add       |   result = sums[tile - 1] + what was written
",
};
