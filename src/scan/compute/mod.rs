//! The scans of the compute era: work groups that scan tiles in shared memory and registers, over buffers.
//!
//! They differ in how what stands before a tile gets there, and so in how many words they move: each of n items
//! is read and written twice (`three_phase`), read twice and written once (`reduce_then_scan`), or read and
//! written once (`chained`, `look_back`, `sam`).

mod blocks;
mod capannini;
mod chained;
mod harris;
mod look_back;
mod reduce_then_scan;
mod sam;
mod three_phase;
mod tile;

pub use capannini::{AccessPattern, Capannini};
pub use chained::Chained;
pub use harris::{Harris, Variant};
pub use look_back::LookBack;
pub(crate) use look_back::spins;
pub use reduce_then_scan::ReduceThenScan;
pub use sam::Sam;
pub use three_phase::ThreePhase;
pub(crate) use tile::Part;
pub use tile::TileOptions;

use crate::device::Device;
use crate::element::ElementType;
use crate::error::{Error, Unsupported};
use crate::plan::{Access, ItemType, Lanes, Layout, Plan, Slot, Uniform, shader};
use crate::scan::texture::ceil_log2;
use crate::spec::{Family, ScanKind, ScanSpec};
use crate::tuning::Shape;

/// One scan within a plan.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Round {
    pub tuple: u32,
    pub kind: ScanKind,
}

/// An algorithm that can scan any buffer of a plan, once, with the plan's operator.
pub(crate) trait Rounds {
    /// Records one scan of first order of `source`; returns the slot of the result.
    fn round(
        &self,
        plan: &mut Plan,
        source: Slot,
        round: Round,
        device: &Device,
    ) -> Result<Slot, Unsupported>;
}

/// Records a scan of any order, one round for each.
///
/// Only the last round is exclusive, if any is: at every order an exclusive scan is the inclusive
/// one moved by one tuple.
fn record(name: &str, algorithm: &impl Rounds, spec: &ScanSpec, device: &Device) -> Result<Plan, Error> {
    let mut plan = begin(name.into(), spec, device)?;
    let mut slot = plan.input();
    if spec.len > 0 {
        for order in 1..=spec.order {
            let last = order == spec.order;
            let kind = if last { spec.kind } else { ScanKind::Inclusive };
            slot = algorithm.round(&mut plan, slot, Round { tuple: spec.tuple, kind }, device)?;
        }
    }
    Ok(plan.finish(slot))
}

/// A plan over a stream in a buffer.
fn begin(name: String, spec: &ScanSpec, device: &Device) -> Result<Plan, Error> {
    spec.check()?;
    let layout = Layout::in_buffer(device, spec.element, spec.operator.arity(), spec.len)?;
    let item = ItemType::of(spec);
    Ok(Plan::new(name, item, layout).task(spec.to_string()))
}

/// A scan as a part of another algorithm: which one counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scanning {
    ThreePhase,
    ReduceThenScan,
    Chained,
    #[default]
    LookBack,
    Sam,
}

impl Scanning {
    pub const ALL: [Scanning; 5] = [
        Scanning::ThreePhase,
        Scanning::ReduceThenScan,
        Scanning::Chained,
        Scanning::LookBack,
        Scanning::Sam,
    ];

    /// The name of the scan on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Scanning::ThreePhase => "three_phase",
            Scanning::ReduceThenScan => "reduce_then_scan",
            Scanning::Chained => "chained",
            Scanning::LookBack => "look_back",
            Scanning::Sam => "sam",
        }
    }

    /// Records the scan of `source` with the operator of the plan; returns the slot of the result.
    pub(crate) fn record(
        self,
        plan: &mut Plan,
        source: Slot,
        kind: ScanKind,
        device: &Device,
    ) -> Result<Slot, Unsupported> {
        let round = Round { tuple: 1, kind };
        match self {
            Scanning::ThreePhase => ThreePhase::default().round(plan, source, round, device),
            Scanning::ReduceThenScan => ReduceThenScan::default().round(plan, source, round, device),
            Scanning::Chained => Chained::default().round(plan, source, round, device),
            Scanning::LookBack => LookBack::default().round(plan, source, round, device),
            Scanning::Sam => Sam::default().orders(plan, source, round, 1, device),
        }
    }
}

/// Rows of 16 bytes that were measured to be the fastest for one round of a scan over what lies so.
fn tuned_rows(
    options: TileOptions,
    device: &Device,
    algorithm: &'static str,
    layout: &Layout,
) -> Option<u32> {
    options.tuned_rows(device, (Family::Scan, algorithm), Shape::PLAIN, layout.words())
}

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
