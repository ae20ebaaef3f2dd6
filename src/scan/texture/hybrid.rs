//! The hybrid: halve the stream R times, scan what is left with Horn's algorithm, sweep down again.
//!
//! Source: sengupta2006, algorithms 2 to 4 and section 2.4. Work: 3n + (n / 2^R) log(n / 2^R).
//! Steps: 2R + ceil(log2(n / 2^R)). R = 0 is Horn's scan; the largest R, which ends with a texture of
//! one row, is Blelloch's scan as the paper runs it.
//! Wins: over Horn's from some thousand items on, by some six times at a million.
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
//! Deviations from the paper:
//! 1. Every level halves the *height* of its texture, as in the paper, but n need not be a power of
//!    two: an odd last item is carried up alone.
//! 2. Loops run from 0 where the printed ones start at 1 (see the errata of the papers).
//! 3. The last down-sweep writes the exclusive result directly when that is asked for.
//! 4. Tuples of s halve in tuples: columns go together in groups of s.

use super::{ceil_log2, horn, record};
use crate::device::Device;
use crate::error::Error;
use crate::plan::{Layout, Plan, Slot, shader};
use crate::scan::ScanAlgorithm;
use crate::spec::{ScanKind, ScanSpec};

/// How many reduce passes the hybrid makes before it hands over to Horn's scan. Never more than end
/// in a texture of one row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reduce {
    /// What suits the device.
    #[default]
    Auto,
    /// This many, or fewer where one row is reached first.
    Steps(u32),
    /// Down to one row: Blelloch's scan.
    Max,
}

/// The most levels that one down-sweep pass can go down.
pub const MAX_SWEEP: u32 = 3;

/// The work-efficient, step-efficient hybrid.
#[derive(Debug, Clone, Copy, Default)]
pub struct Hybrid {
    pub reduce: Reduce,
    /// Levels that one down-sweep pass goes down, 1 to [`MAX_SWEEP`]; 1 is the paper's. `None` is
    /// what suits the device with [`Reduce::Auto`], and 1 else.
    pub sweep: Option<u32>,
}

impl Hybrid {
    /// The scan listed as `blelloch`.
    pub const BLELLOCH: Hybrid = Hybrid {
        reduce: Reduce::Max,
        sweep: Some(1),
    };

    /// Reduce passes for a stream of so many rows of so many texels.
    fn reduce_passes(&self, layout: &Layout, device: &Device) -> u32 {
        let most = ceil_log2(u64::from(layout.height));
        match self.reduce {
            Reduce::Auto => auto_reduce(layout.texels(), device).min(most),
            Reduce::Steps(passes) => passes.min(most),
            Reduce::Max => most,
        }
    }

    /// Levels of each down-sweep pass. A pack of 2^levels tuples has to fit into a row.
    fn sweep_levels(&self, layout: &Layout, tuple: u32) -> u32 {
        let default = if self.reduce == Reduce::Auto { MAX_SWEEP } else { 1 };
        let most = (layout.width / tuple).ilog2();
        self.sweep.unwrap_or(default).clamp(1, most)
    }
}

/// Reduces until Horn's passes over what is left cost no more than the passes that another reduce
/// step adds.
fn auto_reduce(texels: u64, device: &Device) -> u32 {
    // Texels whose writing takes as long as one more pass costs in itself.
    let pass_overhead = if device.software { 16_384 } else { 32_768 };
    let mut steps = 0;
    let mut left = texels;
    while left * u64::from(ceil_log2(left)) / 2 > 3 * left / 2 + pass_overhead {
        left = left.div_ceil(2);
        steps += 1;
    }
    steps
}

impl ScanAlgorithm for Hybrid {
    fn plan(&self, spec: &ScanSpec, device: &Device) -> Result<Plan, Error> {
        let name = match self.reduce {
            Reduce::Auto => "hybrid:reduce=auto".into(),
            Reduce::Steps(steps) => format!("hybrid:reduce={steps}"),
            Reduce::Max => "hybrid:reduce=max".into(),
        };
        let unit = 2 * spec.tuple.max(1);
        record(name, spec, device, 1, unit, |plan, source, kind| {
            self.round(plan, source, spec.tuple, kind, device)
        })
    }
}

impl Hybrid {
    fn round(
        &self,
        plan: &mut Plan,
        source: Slot,
        tuple: u32,
        kind: ScanKind,
        device: &Device,
    ) -> Slot {
        let layout = *plan.layout(source);
        let passes = self.reduce_passes(&layout, device) as usize;
        if passes == 0 {
            return horn::steps(plan, source, tuple, kind);
        }
        let mut levels = vec![source];
        for d in 1..=passes {
            levels.push(reduce(plan, levels[d - 1], tuple, d));
        }
        let mut sums = horn::steps(plan, levels[passes], tuple, ScanKind::Inclusive);
        let sweep = self.sweep_levels(&layout, tuple) as usize;
        let mut top = passes;
        while top > 0 {
            let bottom = top.saturating_sub(sweep);
            let kind = if bottom == 0 { kind } else { ScanKind::Inclusive };
            sums = down_sweep(plan, &levels[bottom..top], sums, tuple, kind);
            top = bottom;
        }
        sums
    }
}

fn reduce(plan: &mut Plan, source: Slot, tuple: u32, level: usize) -> Slot {
    let layout = *plan.layout(source);
    let member = u64::from(tuple);
    let halved = layout.with_len((layout.len / member).div_ceil(2) * member);
    let target = plan.slot(format!("sums {level}"), halved);
    plan.draw("reduce", shader!("scan/hybrid/reduce.frag"))
        .define("TUPLE", i64::from(tuple))
        .read("u_source", source)
        .fetches("u_source", layout.len)
        .adds(layout.len - halved.len, 1)
        .write(target);
    target
}

/// Records a pass from the scanned `sums` down to the first of the `saved` levels.
fn down_sweep(plan: &mut Plan, saved: &[Slot], sums: Slot, tuple: u32, kind: ScanKind) -> Slot {
    let layout = *plan.layout(saved[0]);
    let target = plan.slot("scanned", layout);
    let levels = saved.len() as u32;
    let adds = down_sweep_adds(layout.len / u64::from(tuple), levels, kind) * u64::from(tuple);
    let mut pass = plan
        .draw("down-sweep", shader!("scan/hybrid/down_sweep.frag"))
        .define("TUPLE", i64::from(tuple))
        .define("LEVELS", i64::from(levels))
        .define("EXCLUSIVE", i64::from(kind == ScanKind::Exclusive))
        .read("u_sums", sums)
        .fetches("u_sums", layout.len);
    for (name, slot) in ["u_values", "u_halves", "u_quarters"].into_iter().zip(saved) {
        pass = pass.read(name, *slot).fetches(name, layout.len);
    }
    pass.adds(adds, u64::from(levels)).write(target);
    target
}

/// Uses of the operator in a down-sweep over so many tuples: every tuple adds as many parts as its
/// count has bits, to the sums before its pack; in the first pack there are none, and one add less.
fn down_sweep_adds(tuples: u64, levels: u32, kind: ScanKind) -> u64 {
    let pack = 1 << levels;
    let whole = |count: u64| count == pack;
    let count = |in_pack: u64| in_pack + u64::from(kind == ScanKind::Inclusive);
    let parts = |in_pack: u64| {
        let count = count(in_pack);
        if whole(count) { 0 } else { u64::from(count.count_ones()) }
    };
    let in_packs: u64 = (0..pack).map(parts).sum();
    let rest: u64 = (0..tuples % pack).map(parts).sum();
    let first: u64 = (0..pack.min(tuples)).filter(|&in_pack| parts(in_pack) > 0).count() as u64;
    tuples / pack * in_packs + rest - first
}
