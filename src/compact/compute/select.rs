//! Select: compaction in a single pass, with decoupled look-back.
//!
//! Source: merrill2016 (CUB's DeviceSelect). Work: about n words read and what is kept written. Steps: one pass.
//! Wins: on GPUs, everywhere.
//!
//! ```text
//! for each tile in parallel, in the order of tickets
//!   load the tile; count what is kept; publish the count
//!   look back: how many do all tiles before keep?
//!   write what is kept behind that many
//! ```
//!
//! Deviations from CUB: those of [`crate::scan::compute::LookBack`].

use super::record;
use crate::compact::CompactAlgorithm;
use crate::device::Device;
use crate::error::{Error, Unsupported};
use crate::plan::{Access, Lanes, Plan, Uniform, shader};
use crate::scan::compute::{TileOptions, cleared_states, spins};
use crate::spec::CompactSpec;

/// Compaction in one pass.
#[derive(Debug, Clone, Copy, Default)]
pub struct Select {
    pub tile: TileOptions,
}

impl CompactAlgorithm for Select {
    fn plan(&self, spec: &CompactSpec, device: &Device) -> Result<Plan, Error> {
        record("select".into(), spec, device, |plan, compaction| {
            // Elements without an order among themselves: a tile is one of items of as many words.
            let tile = self.tile.whole(device, spec.element.words(), 1)?;
            let staged = tile.lanes == Lanes::Subgroup || tile.lanes == Lanes::Warp;
            if staged {
                let compute = Unsupported::unless_compute(device, "select")?;
                tile.check_shared_memory(compute, tile.items() as u32)?;
            }
            let tiles = tile.count(spec.len);
            let states = cleared_states(plan, 1, tiles);
            let pass = plan
                .dispatch("select", shader!("compact/select/select.comp"), tile.lanes, tile.group, tiles)
                .bind("STATES", states, Access::Update);
            let pass = compaction.moves(compaction.decide(pass));
            pass.define("TUPLE", 1)
                .define("ROWS", tile.rows)
                .define("LANES", tile.lane_count)
                .define("STAGED", staged)
                .define("TICKETS", 1)
                .define("SPINS", spins(device))
                .set("u_part", Uniform::Int(0))
                .set("u_first", Uniform::Int(0))
                // What a tile has published is looked at once at least.
                .moves(2 * tiles, 4 * tiles)
                .adds(spec.len, tiles);
            Ok(())
        })
    }
}
