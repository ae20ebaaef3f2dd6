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
pub use tile::TileOptions;
pub(crate) use tile::Part;

use std::ops::Range;

use crate::device::Device;
use crate::element::ElementType;
use crate::error::{Error, Unsupported};
use crate::plan::{Access, ItemType, Lanes, Layout, Plan, Slot, Uniform, shader};
use crate::scan::texture::ceil_log2;
use crate::spec::{MAX_LEN, ScanKind, ScanSpec};

/// One scan within a plan.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Round {
    pub tuple: u32,
    pub kind: ScanKind,
}

/// An algorithm that can scan any buffer of a plan, once, with the plan's operator.
pub(crate) trait Rounds {
    /// Records one scan of first order of `source`; returns the slot of the result.
    fn round(&self, plan: &mut Plan, source: Slot, round: Round, device: &Device)
    -> Result<Slot, Unsupported>;
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
    let layout = stream(device, spec)?;
    let item = ItemType { element: spec.element, operator: spec.operator };
    Ok(Plan::new(name, item, layout).task(spec.to_string()))
}

/// How the stream of a request lies in a buffer; an error where no buffer is long enough.
pub(crate) fn stream(device: &Device, spec: &ScanSpec) -> Result<Layout, Unsupported> {
    stream_of(device, spec.element, spec.operator.arity(), spec.len)
}

/// How a stream of items lies in a buffer; an error where no buffer is long enough.
pub(crate) fn stream_of(
    device: &Device,
    element: ElementType,
    arity: u32,
    len: u64,
) -> Result<Layout, Unsupported> {
    Unsupported::unless_compute(device, "this algorithm")?;
    let words = u64::from(arity * element.words());
    let limit = (MAX_BUFFER_WORDS / words).min(MAX_LEN);
    if len > limit {
        return Err(Unsupported(format!(
            "{len} items are more than a buffer can hold: at most {limit} (of {words} words; a buffer has at most \
             {MAX_BUFFER_WORDS})"
        )));
    }
    Ok(Layout::buffer(element, arity, len))
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

/// The parts of a stream that are bound at a time: multiples of `unit` items, as many as one binding reaches.
pub(crate) fn parts(layout: &Layout, device: &Device, unit: u64) -> Result<Vec<Range<u64>>, Unsupported> {
    tile::parts(layout, device, unit, u64::MAX)
}

/// The most words of a buffer: 2^31 bytes, less what keeps their number in a signed integer.
pub(crate) const MAX_BUFFER_WORDS: u64 = (1 << 29) - 4;

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
