//! The scans of the compute era: work groups that scan tiles in shared memory and registers, over buffers.
//!
//! They differ in how what stands before a tile gets there, and so in how many words they move: each of n items
//! is read and written twice (`three_phase`), read twice and written once (`reduce_then_scan`), or read and
//! written once (`chained`, `look_back`, `sam`).

mod blocks;
pub(crate) mod capannini;
pub(crate) mod chained;
pub(crate) mod harris;
pub(crate) mod look_back;
pub(crate) mod reduce_then_scan;
pub(crate) mod sam;
pub(crate) mod three_phase;
pub(crate) mod tile;

pub use capannini::{AccessPattern, Capannini};
pub use chained::Chained;
pub use harris::{Harris, Variant};
pub use look_back::LookBack;
pub(crate) use look_back::spins;
pub use reduce_then_scan::ReduceThenScan;
pub use sam::Sam;
pub use three_phase::ThreePhase;
pub use tile::TileOptions;

use crate::element::ElementType;
use crate::plan::{Access, Lanes, Layout, Plan, Slot, Uniform, shader};
use crate::scan::Round;
use crate::scan::texture::ceil_log2;

/// Records the states of tiles, all set to nothing: `tickets` counters, and `words` that tiles publish.
pub(crate) fn cleared_states(plan: &mut Plan, tickets: u64, words: u64) -> Slot {
    let count = tickets + words;
    let states = plan.slot("states", Layout::buffer(ElementType::U64, 1, count));
    plan.dispatch("clear", shader!("scan/common/clear.comp"), Lanes::Serial, 64, count.div_ceil(64))
        .bind("STATES", states, Access::Write)
        .set("u_states", Uniform::Int(count as i32))
        .moves(0, 2 * count);
    states
}
