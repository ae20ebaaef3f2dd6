//! The scan with decoupled look-back: a single pass in which each tile finds what stands before it.
//!
//! Source: merrill2016 (CUB), named by maleki2016, section 2.1. Work: about 2n words moved. Steps: one pass.
//! Wins: on GPUs, everywhere.
//!
//! ```text
//! for each tile in parallel, in the order of tickets
//!   load and scan the tile; publish its aggregate
//!   look back: add up aggregates of earlier tiles until one has its prefix
//!   publish the prefix; write prefix + scanned
//! ```
//!
//! Which tile has published a prefix depends on timing, and with it the order in which floats are added: their
//! last bits may differ from run to run.
//!
//! Deviations from CUB:
//! 1. Tiles are handed out by tickets, waiting ends after some looks, and what is missing then is computed anew
//!    by the group that misses it. So no group depends on the progress of another, which OpenGL does not promise.
//! 2. A word is published in two halves, each beside the status, for want of atomic pairs of words.
//! 3. Streams longer than a binding are scanned in parts; the states of the tiles carry on from part to part.

use super::tile::{Tile, TileOptions, Tuples};
use super::{Round, cleared_states, record};
use crate::device::Device;
use crate::error::{Error, Unsupported};
use crate::plan::{Access, Plan, Slot, Uniform, shader};
use crate::scan::ScanAlgorithm;
use crate::spec::{ScanKind, ScanSpec};

/// Decoupled look-back.
#[derive(Debug, Clone, Copy, Default)]
pub struct LookBack {
    pub tile: TileOptions,
}

/// How often a group looks before it gives up. On a CPU the group that it waits for may be waiting for this
/// very core, and computing a tile takes a few microseconds.
pub(super) fn spins(device: &Device) -> i64 {
    if device.software { 200 } else { 1 << 16 }
}

impl ScanAlgorithm for LookBack {
    fn plan(&self, spec: &ScanSpec, device: &Device) -> Result<Plan, Error> {
        record("look_back".into(), spec, device, |plan, source, round| self.round(plan, source, round, device))
    }
}

impl LookBack {
    /// Records one scan of first order.
    pub(super) fn round(
        &self,
        plan: &mut Plan,
        source: Slot,
        round: Round,
        device: &Device,
    ) -> Result<Slot, Unsupported> {
        let layout = *plan.layout(source);
        let words = layout.words_per_texel();
        let tile = Tile::new(device, self.tile, words, round.tuple, Tuples::Whole)?;
        let parts = tile.parts(&layout, device, u64::MAX)?;
        let tiles = tile.count(layout.len);
        let states = cleared_states(plan, parts.len() as u64, tiles, round.tuple * words);
        let target = plan.slot("scanned", layout);
        for (number, part) in parts.iter().enumerate() {
            let (first, items) = (part.start / tile.items(), part.end - part.start);
            let count = tile.count(items);
            let pass = plan
                .dispatch("scan", shader!("scan/look_back/scan.comp", "scan/common/tile.glsl", "scan/common/store.glsl", "scan/common/states.glsl", "scan/common/look_back.glsl"), tile.lanes, tile.group, count)
                .bind_part("SOURCE", source, Access::Read, part.clone())
                .bind_part("TARGET", target, Access::Write, part.clone())
                .bind("STATES", states, Access::Update)
                .define("EXCLUSIVE", i64::from(round.kind == ScanKind::Exclusive))
                .define("TICKETS", parts.len() as i64)
                .define("SPINS", spins(device))
                .set("u_len", Uniform::Int(items as i32))
                .set("u_part", Uniform::Int(number as i32))
                .set("u_first", Uniform::Int(first as i32));
            let state = count * u64::from(2 * round.tuple * words);
            tile.define(pass)
                // Each tile's state is written twice, and looked at once at least.
                .moves(items * u64::from(words) + state, items * u64::from(words) + 2 * state)
                .adds(count * (tile.scan_adds() + tile.store_adds()), tile.depth() + tiles);
        }
        Ok(target)
    }
}
