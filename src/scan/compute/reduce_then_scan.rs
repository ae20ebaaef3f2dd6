//! Reduce, then scan: the first pass over the stream only reads it.
//!
//! Source: maleki2016, section 2.1 (MGPU; today baxter2016). Work: about 3n words moved. Steps: 2 log(n) / log(tile) - 1 dispatches.
//! Wins: on CPUs with OpenGL 4.3, since work groups exchange nothing but the sums of tiles, and load the stream through
//! textures ([`DispatchRecorder::bind_loads`]). llvmpipe, 2^20 u32: 0.5 to 0.8 of the time of `packed`, at order 2 to 8
//! and in tuples of 4 0.2 to 0.4.
//!
//! ```text
//! for each tile in parallel                              reduce
//!   sums[tile] = sum of the tile
//! scan sums, in the same manner
//! for each tile in parallel                              scan
//!   write sums[tile - 1] + scanned tile
//! ```
//!
//! *One exchange for all orders.* For adds of integers, and for linear recurrences, a tile's sum is a state of all orders, and
//! states are put together by powers of a matrix (`linear.rs`, `exchange=once`): 3n words instead of 3n for each order.
//! `sam` does the same in 2n, but its groups wait for each other. On a CPU an exchange for each order takes less time: 0.66
//! of it at order 2, 0.89 at order 8 (llvmpipe, 2^20). On a GPU one exchange takes less: 0.53 at order 2, 0.28 at order 4, 0.16
//! at order 8, 0.55 in triples and 0.53 in 8-tuples (H100, 2^26). From 2^24 on it is the fastest there at order 4 and more (at 2^26
//! with 0.74 and 0.69 of the time of `sam` at order 4 and 8) and in tuples of 3 and more (0.87 of `look_back` in triples, 0.82
//! and 0.85 of `sam` in tuples of 4 and 8), from 2^26 on at order 2, too, and in orders of tuples nearly everywhere
//! (`docs/limits.md`).
//!
//! If lanes are serial, each invocation has a tile of its own, and a group exchanges nothing: barriers are the slowest
//! part of llvmpipe.

mod halves;
mod linear;

pub use halves::Halves;

use super::Round;
use super::linear::Exchange;
use super::tile::{BoundPart, Tile, TileOptions, Tiled, TunedTile, tile_scan};
use crate::algorithm::{Algorithm, Built, Card, Era, Need, PseudoCode, Variants};
use crate::device::Device;
use crate::error::Error;
use crate::plan::{Access, AtMost, DispatchRecorder, Lanes, Layout, Plan, Shader, Slot, Uniform};
use crate::scan::shader;
use crate::scan::system::System;
use crate::scan::{Heads, ScanKind, ScanSpec, rounds};
use crate::unsupported::Unsupported;

pub static CARD: Card = Card {
    name: "reduce_then_scan",
    problem: &crate::scan::PROBLEM,
    era: Era::Compute,
    needs: Need::Compute,
    summary: "reduce tiles, scan their sums, scan the tiles from there: 3n words",
    sources: &["maleki2016"],
    passes: "3, and those of the sums; 3n words",
    work: "5n or 6n",
    parameters: &[
        TileOptions::PARAMETERS[0],
        TileOptions::PARAMETERS[1],
        TileOptions::PARAMETERS[2],
        Exchange::parameter(
            "how tiles exchange sums of higher orders: once for all, if they are adds of integers, or once for each; auto is \
             once for recurrences and, on GPUs, for higher orders and large tuples, else each",
        ),
    ],
    variants: Variants {
        all: &["vectors=1"],
        some: &[
            "",
            "lanes=shared,group=8,vectors=3",
            "lanes=shared,group=64,vectors=1",
            "lanes=warp",
            "exchange=once,vectors=1",
        ],
    },
    pseudo_code: |_| vec![&LISTING],
    build: |arguments| {
        Built::of(ReduceThenScan { tile: TileOptions::of(arguments), exchange: Exchange::of(arguments) })
    },
};

tile_scan! {
    /// The scan in two passes over the stream, one of which writes.
    ReduceThenScan, "reduce_then_scan", columns, linear;
    /// How tiles exchange sums of higher orders; auto is once for recurrences and, on GPUs, for higher orders and large
    /// tuples.
    exchange: Exchange
}

/// The least tuple for which one exchange is faster at order 1, on a GPU. Measured: 2, 3, 4 and 8.
const LARGE: u32 = 3;

impl ReduceThenScan {
    /// Adds the scan of a linear system, if one exchange is to do.
    fn linear(
        &self,
        plan: &mut Plan,
        spec: &ScanSpec,
        source: Slot,
        heads: Heads,
        device: &Device,
    ) -> Result<Option<Slot>, Error> {
        let layout = *plan.layout(source);
        let by_default = |system: &System| {
            let faster = !device.software && (spec.order > 1 || spec.tuple >= LARGE);
            faster && self.tiles(system, &layout, spec.tuple, device).is_ok()
        };
        let Some(system) = System::of_one_exchange(self.exchange, spec, heads, by_default)? else {
            return Ok(None);
        };
        Ok(Some(self.system(plan, spec, source, &system, device)?))
    }

    /// The tile of a work group; with serial lanes, that of an invocation.
    fn tile(&self, layout: &Layout, round: Round, device: &Device) -> Result<Tile, Unsupported> {
        let tuned = TunedTile { in_series: true, ..self.tile.tuned("reduce_then_scan", layout, device) };
        let tile = tuned.of_stream(layout, round, device)?;
        Ok(if tile.lanes == Lanes::Serial { tile.of_one_invocation() } else { tile })
    }

    /// Adds one scan of first order.
    fn round(
        &self,
        plan: &mut Plan,
        source: Slot,
        round: Round,
        device: &Device,
    ) -> Result<Slot, Unsupported> {
        let layout = *plan.layout(source);
        let tile = self.tile(&layout, round, device)?;
        let same = ReduceThenScan { tile: TileOptions { vectors: Some(tile.vectors), ..self.tile }, ..*self };
        let Tiled { tile, parts, tiles } = Tiled::of(tile, &layout, device)?;
        // A single tile has no sums before it, and reads none.
        let sums = match tiles {
            0 | 1 => source,
            _ => {
                let sums = reduce(plan, &tile, &parts, source, false);
                // Sums have their flags in them.
                same.round(
                    plan,
                    sums,
                    Round { kind: ScanKind::Inclusive, heads: Heads::None, ..round },
                    device,
                )?
            }
        };
        let target = plan.slot("scanned", layout);
        for part in &parts {
            dispatch(plan, &tile, "scan", shader!("scan/reduce_then_scan/scan.comp"), SCAN_IN_SERIES, part)
                .bind_loads("SOURCE", source, part.items.clone(), tile.load())
                .bind("SUMS", sums, Access::Read)
                .bind_part("TARGET", target, Access::Write, part.items.clone())
                .define("EXCLUSIVE", round.kind == ScanKind::Exclusive)
                .moves(
                    part.words + tile.head_words(part) + part.tiles_after_the_first() * tile.sum_words(),
                    part.words,
                )
                .adds(part.tiles * (tile.scan_adds() + tile.store_adds()), tile.depth())
                .at_most(AtMost::ADDS);
        }
        Ok(target)
    }
}

const REDUCE_IN_SERIES: Shader = shader!("scan/reduce_then_scan/reduce_in_series.comp");
const SCAN_IN_SERIES: Shader = shader!("scan/reduce_then_scan/scan_in_series.comp");

/// Adds the pass for the sums of all tiles; that of the last one counts only if it is `totalled`.
fn reduce(plan: &mut Plan, tile: &Tile, parts: &[BoundPart], source: Slot, totalled: bool) -> Slot {
    let layout = *plan.layout(source);
    let sums = tile.sums(plan, &layout, tile.count(layout.len));
    let commutes = plan.item().operator.commutes();
    for part in parts {
        let shader = shader!("scan/reduce_then_scan/reduce.comp");
        let pass = dispatch(plan, tile, "reduce", shader, REDUCE_IN_SERIES, part);
        let pass = if totalled { pass.define("TOTALLED", 1) } else { pass };
        // In series, items are added in order.
        let pass = if tile.lanes == Lanes::Serial { pass } else { pass.define("COMMUTES", commutes) };
        pass.bind_loads("SOURCE", source, part.items.clone(), tile.load())
            .bind("SUMS", sums, Access::Write)
            .moves(part.words + tile.head_words(part), part.tiles * tile.sum_words())
            .adds(part.tiles * tile.reduce_adds(commutes), tile.depth())
            .at_most(AtMost::ADDS);
    }
    sums
}

/// Adds a dispatch over a part: a group for each tile, or with serial lanes an invocation.
fn dispatch<'p>(
    plan: &'p mut Plan,
    tile: &Tile,
    phase: &'static str,
    shader: Shader,
    in_series: Shader,
    part: &BoundPart,
) -> DispatchRecorder<'p> {
    if tile.lanes != Lanes::Serial {
        return tile.dispatch(plan, phase, shader, part);
    }
    let groups = part.tiles.div_ceil(tile.group.into());
    tile.dispatch_groups(plan, phase, in_series, part, groups).set("u_tiles", Uniform::Int(part.tiles as i32))
}

/// maleki2016, section 2.1.
static LISTING: PseudoCode = PseudoCode {
    title: "Reduce, then scan",
    sources: &["maleki2016"],
    corrected: "",
    text: "
                                                  | for each tile in parallel
      reduce, scan/reduce_then_scan/reduce, scan/reduce_then_scan/reduce_in_series, scan/reduce_then_scan/linear_reduce |   sums[tile] = sum of the tile
      sums                                        | scan sums, in the same way
                                                  | for each tile in parallel
      scan, scan/reduce_then_scan/scan, scan/reduce_then_scan/scan_in_series, scan/reduce_then_scan/linear_scan |   write sums[tile - 1] + the scanned tile
",
};
