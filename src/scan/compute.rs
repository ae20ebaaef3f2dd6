//! The scans of the compute era: work groups that scan tiles in shared memory and registers, over buffers.
//!
//! A tile is scanned in registers, but it needs the sum of everything before it. The scans differ in how that sum gets
//! there, and so in how often each of n words crosses the memory. Each column is a tile; R reads it, W writes it; s is
//! its sum, p that of all tiles up to it:
//!
//! ```text
//! three_phase        R W s       R W s       R W s       R W s     scan each tile alone, note its sum
//!                        s ------> p ---------> p ---------> p     scan the sums, in the same manner
//!                    R W         R W p       R W p       R W p     add                                        4n
//!
//! reduce_then_scan   R   s       R   s       R   s       R   s     only add up
//!                        s ------> p ---------> p ---------> p     scan the sums
//!                    R W         R W p       R W p       R W p     scan, beginning with p                     3n
//!
//! chained            R p W -----> R p W -----> R p W -----> R p W  wait for p of the tile before              2n
//!
//! look_back          R s p W     R s p W     R s p W     R s p W
//!                        p <-------- s <-------- s <-------- look  add s, tile by tile, back to the next p    2n
//!
//! sam                group 0     group 1     group 2     group 0
//!                    R s W       R s W       R s W       R s W
//!                      |           |           |           |
//!                    [ a ring of sums, 3 for each group ]          add s of all since its last tile           2n
//! ```
//!
//! - `three_phase` reads and writes twice. `reduce_then_scan` saves the first write.
//!   Of integers it can add up all orders at once, in 3n words for all (`linear.rs`).
//! - `chained` has one pass over the stream. But a prefix p goes from tile to tile through the memory, one after the
//!   other, which takes longer than the stream does: tiles must be large.
//! - `look_back` publishes s as soon as it is known, and p later. A tile looks at as many earlier tiles as a warp has
//!   lanes, combines their s back to the nearest p, and goes on if there is none. So no tile waits for a chain, only
//!   for neighbours that are late.
//! - `sam` has about as many groups as run at once, and they stay. Each carries the sum up to the end of its last
//!   chunk, as the paper calls a tile. For the next one it reads the sums of all chunks between at once, from a ring
//!   that is cleared once and used again and again. What was scanned is still in registers: for the next order the
//!   group scans that, with sums of its own in the ring, and writes it when all orders are done. 2n at every order.
//!
//! # What tiles publish
//!
//! A reader can look while another group writes, and find nothing, or half of a sum. A sum needs a flag that says that
//! it is there, but if the two are in different words, one can be seen without the other. CUB writes both in one access
//! of 64 bits, which GLSL does not promise; others take the flag's bits out of the sum. Here a word of a sum is
//! published in two halves, each with the status beside it (`glsl/scan/common/states.glsl`):
//!
//! ```text
//! a word of a sum    89ABCDEF                  CDEF | status      89AB | status      two words of 32 bits
//! ```
//!
//! A reader takes the word if both halves, and all words of the sum, have the same status; otherwise it looks again.
//! The sums lose no bits, no access wider than 32 bits must be atomic, and no order of writes is assumed. It costs two
//! words for one, of sums only. The status is *nothing*, *aggregate* (s) or *prefix* (p). In SAM's ring it is the
//! number of times the ring has gone round, so that a sum of an earlier round is not taken for this one's.
//!
//! # Progress without a promise
//!
//! OpenGL does not promise that a group runs while another waits for it. Groups begin in any order; those that have
//! begun can keep all others from beginning; and llvmpipe runs one group at a time on each core, which it can lose to
//! another process. llvmpipe also ends, without an error, an invocation after 65,535 iterations of all its loops: a
//! loop that waits does not hang there, it gives wrong sums. So in `chained`, `look_back`, `sam` and the compaction
//! `select`:
//!
//! - *Tickets.* The number of a tile is not that of the group. A group takes the next ticket (`take_ticket`) when it
//!   begins, so all tiles before its own belong to groups that have begun. Where groups start in the order of their
//!   numbers, `look_back` and `select` go without (`tickets=off`): the next two items keep that right on any GPU.
//! - *Bounded looks.* A group looks 200 times on a CPU, 2^16 times on a GPU (`spins` in
//!   `src/scan/compute/look_back.rs`; `sam` has its own).
//! - *Fallback.* Then it loads the missing tile from the input, which no pass writes, reduces it itself, and looks back
//!   from there. `chained` goes back to the last prefix that there is, and `sam` scans all chunks since its last one.
//! - *Late groups.* A group can lose its core right after its ticket, and find the others done when it goes on. So what a
//!   group reads besides states stays as it is until the pass ends: the sum that `sam` carries from part to part has two
//!   places. Tests hold up a group there (`held_up` in `crates/runner/src/rerecorded.rs`).
//!
//! Results do not depend on any of this, with one exception. In `look_back:prefixes=every`, timing decides where p meets
//! s, so sums are put together sometimes as (a + b) + (c + d), sometimes as ((a + b) + c) + d. Integers give the same
//! result, floats differ in their last bits. All other scans use one order always: `look_back` begins with the prefix of
//! a certain tile (`prefixes=block`), and `sam` adds the sums of floats one after the other (`IN_ORDER`).

mod blocks;
pub(crate) mod capannini;
pub(crate) mod chained;
mod columns;
pub(crate) mod harris;
mod linear;
pub(crate) mod look_back;
pub(crate) mod reduce_then_scan;
pub(crate) mod sam;
mod teaching;
pub(crate) mod three_phase;
pub(crate) mod tile;

pub use capannini::{AccessPattern, Capannini};
pub use chained::Chained;
pub use harris::{Harris, Variant};
pub use linear::Exchange;
pub(crate) use look_back::spins;
pub use look_back::{LookBack, Prefixes, Tickets};
pub use reduce_then_scan::{Halves, ReduceThenScan};
pub use sam::Sam;
pub use teaching::{Teaching, Withhold};
pub use three_phase::ThreePhase;
pub use tile::TileOptions;

use crate::element::ElementType;
use crate::plan::{Access, Construct, DispatchRecorder, Lanes, Layout, Plan, Slot, Uniform};
use crate::scan::Round;
use crate::scan::{ceil_log2, shader};

/// The states that tiles publish for each other: `glsl/scan/common/states.glsl`.
#[derive(Clone, Copy)]
pub(crate) struct States {
    slot: Slot,
    tickets: u64,
    count: u64,
}

impl States {
    /// Runs after which a tile's status, of 16 bits, would begin again: two of them are no part of the run's number.
    pub const RUNS: u32 = 1 << 14;

    /// Adds a buffer of `tickets` counters, twice (none if groups take the tiles of their own numbers), and of the `words`
    /// that tiles publish, and the pass that clears it before the first of so many runs.
    pub fn cleared(plan: &mut Plan, tickets: u64, words: u64, runs: u32) -> States {
        let count = 2 * tickets + words;
        let slot = plan.slot("states", Layout::buffer(ElementType::U64, 1, count));
        plan.dispatch("clear", shader!("scan/common/clear.comp"), Lanes::Serial, 64, count.div_ceil(64))
            .bind("STATES", slot, Access::Write)
            .set("u_states", Uniform::Int(count as i32))
            .moves(0, 2 * count)
            .first_of_runs(runs);
        States { slot, tickets, count }
    }

    /// Binds them to a pass.
    pub fn bind<'p>(&self, pass: DispatchRecorder<'p>) -> DispatchRecorder<'p> {
        let pass = pass
            .relies_on(Construct::Chain)
            .bind("STATES", self.slot, Access::Update)
            .define("TICKETS", self.tickets as i64);
        if self.tickets == 0 {
            return pass;
        }
        // Depends on the length, and a define would make each length a program of its own.
        pass.set("u_spare_tickets", Uniform::Int((self.count - self.tickets) as i32))
    }
}
