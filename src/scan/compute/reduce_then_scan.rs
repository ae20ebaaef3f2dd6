//! Reduce, then scan: the first pass over the stream only reads it.
//!
//! Source: maleki2016, section 2.1 (MGPU). Work: about 3n words moved. Steps: 2 log(n) / log(tile) - 1 dispatches.
//! Wins: on CPUs for tuples, since nothing is exchanged between work groups but the sums of tiles. Else the texture era's
//! `packed` is faster there (llvmpipe, 2^22: 24.9 against 36.8 ms).
//!
//! ```text
//! for each tile in parallel                              reduce
//!   sums[tile] = sum of the tile
//! scan sums, in the same manner
//! for each tile in parallel                              scan
//!   write sums[tile - 1] + scanned tile
//! ```
//!
//! Where lanes are serial, each invocation has a tile of its own, and nothing is exchanged within a group: barriers
//! are what llvmpipe is slowest at.

use super::tile::{Tile, TileOptions, Tuples};
use super::{Part, Round, Rounds, record, tuned_rows};
use crate::device::Device;
use crate::error::{Error, Unsupported};
use crate::plan::{Access, DispatchRecorder, Lanes, Plan, Shader, Slot, Uniform, shader};
use crate::scan::ScanAlgorithm;
use crate::spec::{ScanKind, ScanSpec};

/// The scan in two passes over the stream, of which one writes.
#[derive(Debug, Clone, Copy, Default)]
pub struct ReduceThenScan {
    pub tile: TileOptions,
}

impl ScanAlgorithm for ReduceThenScan {
    fn plan(&self, spec: &ScanSpec, device: &Device) -> Result<Plan, Error> {
        record(&self.tile.named("reduce_then_scan", &[]), self, spec, device)
    }
}

impl Rounds for ReduceThenScan {
    fn round(
        &self,
        plan: &mut Plan,
        source: Slot,
        round: Round,
        device: &Device,
    ) -> Result<Slot, Unsupported> {
        let layout = *plan.layout(source);
        let rows = tuned_rows(self.tile, device, "reduce_then_scan", &layout);
        let tile = Tile::new(
            device,
            self.tile,
            (layout.words_per_texel(), layout.words()),
            round.tuple,
            Tuples::Whole,
        )?;
        let tile = tile.with_rows_of_16_bytes(rows);
        let same = ReduceThenScan { tile: TileOptions { rows: Some(tile.rows), ..self.tile } };
        let tile = if tile.lanes == Lanes::Serial { tile.of_one_invocation() } else { tile };
        let parts = tile.parts(&layout, device)?;
        let tiles = tile.count(layout.len);
        // Of a single tile there are no sums before it, and none are read.
        let sums = match tiles {
            0 | 1 => source,
            _ => {
                let sums = reduce(plan, &tile, &parts, source);
                same.round(plan, sums, Round { kind: ScanKind::Inclusive, ..round }, device)?
            }
        };
        let target = plan.slot("scanned", layout);
        for part in &parts {
            dispatch(plan, &tile, "scan", shader!("scan/reduce_then_scan/scan.comp"), SCAN_IN_SERIES, part)
                .bind_part("SOURCE", source, Access::Read, part.items.clone())
                .bind("SUMS", sums, Access::Read)
                .bind_part("TARGET", target, Access::Write, part.items.clone())
                .define("EXCLUSIVE", round.kind == ScanKind::Exclusive)
                .moves(part.words + part.tiles_after_the_first() * tile.sum_words(), part.words)
                .adds(part.tiles * (tile.scan_adds() + tile.store_adds()), tile.depth());
        }
        Ok(target)
    }
}

const REDUCE_IN_SERIES: Shader = shader!("scan/reduce_then_scan/reduce_in_series.comp");
const SCAN_IN_SERIES: Shader = shader!("scan/reduce_then_scan/scan_in_series.comp");

/// Records the sums of all tiles.
fn reduce(plan: &mut Plan, tile: &Tile, parts: &[Part], source: Slot) -> Slot {
    let layout = *plan.layout(source);
    let sums = tile.sums(plan, &layout, tile.count(layout.len));
    let commutes = plan.item().operator.commutes();
    for part in parts {
        let shader = shader!("scan/reduce_then_scan/reduce.comp");
        dispatch(plan, tile, "reduce", shader, REDUCE_IN_SERIES, part)
            .bind_part("SOURCE", source, Access::Read, part.items.clone())
            .bind("SUMS", sums, Access::Write)
            .define("COMMUTES", commutes)
            .moves(part.words, part.tiles * tile.sum_words())
            .adds(part.tiles * tile.reduce_adds(commutes), tile.depth());
    }
    sums
}

/// Records a dispatch over a part: a group for each tile, or where lanes are serial an invocation.
fn dispatch<'p>(
    plan: &'p mut Plan,
    tile: &Tile,
    phase: &'static str,
    shader: Shader,
    in_series: Shader,
    part: &Part,
) -> DispatchRecorder<'p> {
    if tile.lanes != Lanes::Serial {
        return tile.dispatch(plan, phase, shader, part);
    }
    let groups = part.tiles.div_ceil(tile.group.into());
    tile.dispatch_groups(plan, phase, in_series, part, groups).set("u_tiles", Uniform::Int(part.tiles as i32))
}
