//! The hybrid: halve the stream R times, scan what is left with Horn's algorithm, sweep down again.
//!
//! Source: sengupta2006, algorithms 2 to 4 and section 2.4. Work: 2n + (n / 2^R) log2(n / 2^R) adds; 3n texels written.
//! Steps: 2R + ceil(log2(n / 2^R)). R = 0 is Horn's scan; the largest R, which ends with a texture of one row, is
//! Blelloch's scan as the paper runs it.
//! Wins: over Horn's from some thousand items on: 5 to 7 times as fast from 2^20 to 2^24 (H200, `docs/results.md`), 6
//! times at 2^20 (llvmpipe). It writes 3n texels, so 3 copies are its limit. The rest is the cost of its passes, 3
//! microseconds each (H200) whatever they draw. The paper reports 4 times at 2^20, inside a compaction.
//!
//! ```text
//! for d = 1 .. R                                   reduce
//!   for each i: a(d)[i] = a(d-1)[2i] + a(d-1)[2i+1]
//! Horn's scan of a(R)                              scan
//! for d = R-1 .. 0                                 down-sweep
//!   for each i: a(d)[i] = odd i:  a(d+1)[i/2]
//!                         even i: a(d+1)[i/2 - 1] + a(d)[i]
//! ```
//!
//! The reduce pass combines pairs. Item i lies at column i mod w of row i / w, and w is even, so a pair 2i, 2i + 1 is
//! always in one row. The sums keep the width and take half the rows:
//!
//! ```text
//! a(0): 4 x 4                a(1): 4 x 2                    a(2): 4 x 1
//!
//!  0  1 |  2  3   row 0      0+1   2+3 |  4+5   6+7         0..3  4..7 | 8..11  12..15
//!  4  5 |  6  7   row 1      8+9 10+11 | 12+13 14+15
//!  8  9 | 10 11   row 2
//! 12 13 | 14 15   row 3
//! ```
//!
//! One comparison translates an address. The sum at (x, y) reads row 2y if x < w/2, else row 2y + 1, at columns 2 (x
//! mod w/2) and the next. The down-sweep goes the other way: item (x, y) belongs to the sum at column x / 2 + (y odd:
//! w/2) of row y / 2.
//!
//! Deviations from the paper:
//! 1. Every level halves the *height* of its texture, as in the paper, but n need not be a power of two: an odd last
//!    item is carried up alone.
//! 2. Loops run from 0 where the printed ones start at 1 (see the errata of the papers).
//! 3. The last down-sweep writes the exclusive result directly if one is asked for.
//! 4. Tuples of s halve in tuples: columns go together in groups of s.
//! 5. Items of more than four words lie in the layers of an array texture.

use super::heads::{self, Nodes};
use super::horn;
use super::packed::Packed;
use crate::algorithm::{
    Algorithm, Built, Candidates, Card, Domain, Era, Need, NumberRange, Parameter, Placement, PseudoCode,
    Variants,
};
use crate::device::Device;
use crate::error::Error;
use crate::plan::{AtMost, Layout, Plan, Slot};
use crate::scan::{Heads, Round, ScanKind, ScanSpec, rounds};
use crate::scan::{ceil_log2, shader};
use crate::tuning::Shape;
use crate::tuning::table::hybrid::LEFT_TO_HORN;

pub static CARD: Card = Card {
    name: "hybrid",
    problem: &crate::scan::PROBLEM,
    era: Era::Texture,
    needs: Need::Fragments,
    summary: "halve the stream R times, run Horn's scan on the rest, sweep down again",
    sources: &["sengupta2006"],
    passes: "2R + log2(n / 2^R), of which R reduce",
    work: "2n + (n / 2^R) log2(n / 2^R)",
    parameters: &[REDUCE_PASSES],
    variants: Variants { all: &["", "reduce=0", "reduce=1", "reduce=4"], some: &[] },
    pseudo_code: |_| vec![&LISTING],
    build: |arguments| {
        let reduce = match (arguments.number("reduce"), arguments.word("reduce")) {
            (Some(steps), _) => Reduce::Steps(steps),
            (None, Some("max")) => Reduce::Max,
            _ => Reduce::Auto,
        };
        Built::of(Hybrid { reduce })
    },
};

const REDUCE_PASSES: Parameter = Parameter {
    name: "reduce",
    about: "reduce passes; 0 is Horn, max ends in one row, auto is tuned, or leaves 4096 items",
    default: "auto",
    // The longer the stream, the more items the same number of steps leaves to Horn's scan.
    candidates: Candidates {
        endless: false,
        ..Candidates::numbers(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16])
    },
    domain: Domain::numbers(NumberRange { min: 0, max: 30, powers_of_two: false }, &["auto", "max"]),
};

pub static BLELLOCH: Card = Card {
    name: "blelloch",
    problem: &crate::scan::PROBLEM,
    era: Era::Texture,
    needs: Need::Fragments,
    summary: "the hybrid with the most reduce passes: down to one row",
    sources: &["blelloch1990", "sengupta2006"],
    passes: "2 log2(n) - 8, from 2^16 on",
    work: "2n",
    parameters: &[],
    variants: Variants::DEFAULT,
    pseudo_code: |_| vec![&LISTING],
    build: |_| Built::of(Blelloch),
};

/// The number of reduce passes before the hybrid hands over to Horn's scan. It never exceeds the number that ends in a
/// texture of one row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Reduce {
    /// The number measured to be the fastest on the device; else until at most 4096 items are left.
    #[default]
    Auto,
    /// This many, or fewer where one row is reached first.
    Steps(u32),
    /// Down to one row: Blelloch's scan.
    Max,
}

/// The work-efficient, step-efficient hybrid.
#[derive(Debug, Clone, Copy, Default)]
pub struct Hybrid {
    /// The number of reduce passes.
    pub reduce: Reduce,
}

/// Blelloch's scan as the paper runs it: the hybrid with the most reduce passes.
#[derive(Debug, Clone, Copy, Default)]
pub struct Blelloch;

impl Hybrid {
    /// The same with the device's measured number, if it is left open.
    fn tuned(&self, spec: &ScanSpec, device: &Device) -> Hybrid {
        if self.reduce != Reduce::Auto {
            return *self;
        }
        let steps = device.tuning.parameter("scan", "hybrid", "reduce", Shape::PLAIN, spec.words());
        Hybrid { reduce: steps.map_or(Reduce::Auto, Reduce::Steps) }
    }

    /// Reduce passes for a stream of this layout, at most down to one row.
    fn passes(&self, layout: &Layout) -> u32 {
        let most = ceil_log2(u64::from(layout.height));
        match self.reduce {
            Reduce::Auto => ceil_log2(layout.len.div_ceil(LEFT_TO_HORN)).min(most),
            Reduce::Steps(steps) => steps.min(most),
            Reduce::Max => most,
        }
    }

    /// Adds one scan of first order.
    fn round(&self, plan: &mut Plan, source: Slot, round: Round) -> Slot {
        let Round { tuple, kind, heads } = round;
        let items = plan.layout(source).len;
        let passes = self.passes(plan.layout(source)) as usize;
        if passes == 0 {
            return horn::steps(plan, source, round, Nodes::of_stream(items));
        }
        let levels = reduces(plan, source, tuple, heads, passes);
        let inclusive = Round { kind: ScanKind::Inclusive, ..round };
        let nodes = Nodes { items, each: 1 << passes };
        let mut sums = horn::steps(plan, levels[passes], inclusive, nodes);
        for d in (0..passes).rev() {
            let kind = if d == 0 { kind } else { ScanKind::Inclusive };
            let sweep = Sweep { tuple, kind, block: None, heads, items };
            sums = down_sweep(plan, levels[d], sums, sweep, d);
        }
        sums
    }
}

/// Adds inclusive scans of blocks, each on its own, with as many reduce passes, or with one sum left of each block, from which
/// the down-sweep starts. Blocks are a power of two and lie within rows.
pub(super) fn in_blocks(plan: &mut Plan, source: Slot, block: u64, reduce: u32) -> Slot {
    let passes = ceil_log2(block.min(plan.layout(source).len)).min(reduce) as usize;
    let levels = reduces(plan, source, 1, Heads::None, passes);
    let items = plan.layout(source).len;
    let mut sums = horn::steps_in_blocks(plan, levels[passes], block >> passes);
    for d in (0..passes).rev() {
        let (kind, heads) = (ScanKind::Inclusive, Heads::None);
        let sweep = Sweep { tuple: 1, kind, block: Some(block >> d), heads, items };
        sums = down_sweep(plan, levels[d], sums, sweep, d);
    }
    sums
}

/// The stream and the levels that the reduce passes make of it.
pub(crate) fn reduces(plan: &mut Plan, source: Slot, tuple: u32, heads: Heads, passes: usize) -> Vec<Slot> {
    let (mut levels, items) = (vec![source], plan.layout(source).len);
    for d in 1..=passes {
        let nodes = Nodes { items, each: 1 << (d - 1) };
        levels.push(reduce(plan, levels[d - 1], tuple, heads, nodes, d));
    }
    levels
}

impl Algorithm<ScanSpec> for Hybrid {
    fn name(&self) -> &'static str {
        "hybrid"
    }

    fn placement(&self, spec: &ScanSpec, _: &Device) -> Result<Placement, Error> {
        Ok(Placement::Texture { items_per_texel: 1, unit: 2 * spec.tuple })
    }

    fn handles_natively(&self, spec: &ScanSpec, _: &Device) -> bool {
        spec.is_split_ahead()
    }

    fn build(
        &self,
        plan: &mut Plan,
        spec: &ScanSpec,
        inputs: &[Slot],
        device: &Device,
    ) -> Result<Vec<Slot>, Error> {
        let hybrid = self.tuned(spec, device);
        let reduce = hybrid.passes(plan.layout(inputs[0]));
        plan.note_parameter("reduce", reduce);
        let heads = heads::heads(plan, spec, inputs, device, &Packed::default())?;
        rounds(spec, inputs[0], |source, round| {
            Ok::<_, Error>(hybrid.round(plan, source, Round { heads, ..round }))
        })
    }
}

impl Algorithm<ScanSpec> for Blelloch {
    fn name(&self) -> &'static str {
        "blelloch"
    }

    fn placement(&self, spec: &ScanSpec, device: &Device) -> Result<Placement, Error> {
        Hybrid::default().placement(spec, device)
    }

    fn handles_natively(&self, spec: &ScanSpec, _: &Device) -> bool {
        spec.is_split_ahead()
    }

    fn build(
        &self,
        plan: &mut Plan,
        spec: &ScanSpec,
        inputs: &[Slot],
        device: &Device,
    ) -> Result<Vec<Slot>, Error> {
        let hybrid = Hybrid { reduce: Reduce::Max };
        let heads = heads::heads(plan, spec, inputs, device, &Packed::default())?;
        rounds(spec, inputs[0], |source, round| {
            Ok::<_, Error>(hybrid.round(plan, source, Round { heads, ..round }))
        })
    }
}

fn reduce(plan: &mut Plan, source: Slot, tuple: u32, heads: Heads, nodes: Nodes, level: usize) -> Slot {
    let layout = *plan.layout(source);
    let member = u64::from(tuple);
    let tuples = layout.len / member;
    let halved = layout.with_len(tuples.div_ceil(2) * member);
    let target = plan.slot(format!("sums {level}"), halved);
    let pass = plan.draw("reduce", shader!("scan/hybrid/reduce.frag"));
    heads::bind_to(pass, heads, nodes, halved.len)
        .define("TUPLE", i64::from(tuple))
        .define("LAST_ALONE", i64::from(tuples % 2 == 1))
        .read("u_source", source)
        .fetches("u_source", 2 * halved.len)
        // A tuple at the end may be alone.
        .at_most(AtMost::READ)
        .adds(layout.len - halved.len, 1)
        .write(target);
    target
}

/// The result of a down-sweep.
#[derive(Clone, Copy)]
struct Sweep {
    tuple: u32,
    kind: ScanKind,
    /// Items of this level in a block that is scanned on its own.
    block: Option<u64>,
    /// Where scans begin anew, of a stream of `items`.
    heads: Heads,
    items: u64,
}

fn down_sweep(plan: &mut Plan, values: Slot, sums: Slot, sweep: Sweep, level: usize) -> Slot {
    let Sweep { tuple, kind, block, heads, items } = sweep;
    let layout = *plan.layout(values);
    let target = plan.slot(format!("scanned {level}"), layout);
    let member = u64::from(tuple);
    let tuples = layout.len / member;
    // Inclusive: even tuples except the first add. Exclusive: odd tuples except the first add.
    let (adds, values_fetched) = match kind {
        ScanKind::Inclusive => (tuples.div_ceil(2) - tuples.div_ceil(block.unwrap_or(tuples)), tuples),
        ScanKind::Exclusive => ((tuples / 2).saturating_sub(1), tuples / 2),
    };
    let mut pass = plan
        .draw("down-sweep", shader!("scan/hybrid/down_sweep.frag"))
        .define("TUPLE", i64::from(tuple))
        .define("EXCLUSIVE", i64::from(kind == ScanKind::Exclusive));
    if let Some(block) = block {
        pass = pass.define("BLOCK", block as i64);
    }
    heads::bind_to(pass, heads, Nodes { items, each: 1 << level }, layout.len)
        .read("u_values", values)
        .read("u_sums", sums)
        .fetches("u_values", values_fetched * member)
        .fetches("u_sums", layout.len)
        // The first tuples have no sum before them.
        .at_most(AtMost::READ)
        .adds(adds * member, 1)
        .write(target);
    target
}

/// sengupta2006, algorithms 3 and 4, and section 2.4.
static LISTING: PseudoCode = PseudoCode {
    title: "Reduce, scan, down-sweep",
    sources: &["sengupta2006", "blelloch1990"],
    corrected: "In print i starts at 1 in the reduce; position 0 needs its sum as well.",
    text: "
                                    | for d = 1 to R
      scan/hybrid/reduce           !|   for i = 0 to n/2^d - 1 in parallel
      scan/hybrid/reduce            |     a(d)[i] = a(d-1)[2i] + a(d-1)[2i + 1]
      scan/horn/step                | Horn's scan of a(R)
                                    | for d = R - 1 down to 0
      scan/hybrid/down_sweep        |   for i = 0 to n/2^d - 1 in parallel
      scan/hybrid/down_sweep        |     if i > 0
      scan/hybrid/down_sweep        |       if i is odd
      scan/hybrid/down_sweep        |         a(d)[i] = a(d+1)[i/2]
      scan/hybrid/down_sweep        |       else
      scan/hybrid/down_sweep        |         a(d)[i] = a(d)[i] + a(d+1)[i/2 - 1]
      scan/hybrid/down_sweep        |     else
      scan/hybrid/down_sweep        |       a(d)[i] = a(d)[i]
                                    | the last of them, if the scan is exclusive
      scan/hybrid/down_sweep exclusive |   even i: a(0)[i] = a(1)[i/2 - 1]
      scan/hybrid/down_sweep exclusive |   odd i:  a(0)[i] = a(1)[i/2 - 1] + a(0)[i - 1]
",
};
