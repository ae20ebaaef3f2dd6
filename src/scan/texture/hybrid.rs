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

use super::{horn, record};
use crate::device::Device;
use crate::error::Error;
use crate::plan::{Plan, Slot, shader};
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

/// The work-efficient, step-efficient hybrid.
#[derive(Debug, Clone, Copy, Default)]
pub struct Hybrid {
    pub reduce: Reduce,
}

impl Hybrid {
    /// The scan listed as `blelloch`.
    pub const BLELLOCH: Hybrid = Hybrid { reduce: Reduce::Max };

    fn steps(&self, rows: u32, texels: u64, device: &Device) -> u32 {
        let most = super::ceil_log2(u64::from(rows));
        match self.reduce {
            Reduce::Auto => auto_steps(texels, device).min(most),
            Reduce::Steps(steps) => steps.min(most),
            Reduce::Max => most,
        }
    }
}

/// Reduces until Horn's passes over what is left cost no more than the two passes that another
/// reduce step adds.
fn auto_steps(texels: u64, device: &Device) -> u32 {
    // Texels whose writing takes as long as one more pass costs in itself.
    let pass_overhead = if device.software { 16_384 } else { 32_768 };
    let mut steps = 0;
    let mut left = texels;
    // One more step saves log2(left) / 2 of `left` in Horn's passes, and one of those passes.
    while left * u64::from(super::ceil_log2(left)) / 2 > 3 * left / 2 + pass_overhead {
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
            Reduce::Max => "blelloch".into(),
        };
        let unit = 2 * spec.tuple.max(1);
        record(name, spec, device, 1, unit, |plan, source, kind| {
            let layout = plan.layout(source);
            let steps = self.steps(layout.height, layout.texels(), device);
            round(plan, source, spec.tuple, kind, steps)
        })
    }
}

fn round(plan: &mut Plan, source: Slot, tuple: u32, kind: ScanKind, steps: u32) -> Slot {
    if steps == 0 {
        return horn::steps(plan, source, tuple, kind);
    }
    let mut levels = vec![source];
    for d in 1..=steps {
        levels.push(reduce(plan, levels[d as usize - 1], tuple, d));
    }
    let mut sums = horn::steps(plan, levels[steps as usize], tuple, ScanKind::Inclusive);
    for d in (0..steps as usize).rev() {
        let kind = if d == 0 { kind } else { ScanKind::Inclusive };
        sums = down_sweep(plan, levels[d], sums, tuple, kind);
    }
    sums
}

fn reduce(plan: &mut Plan, source: Slot, tuple: u32, level: u32) -> Slot {
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

fn down_sweep(plan: &mut Plan, values: Slot, sums: Slot, tuple: u32, kind: ScanKind) -> Slot {
    let layout = *plan.layout(values);
    let target = plan.slot("scanned", layout);
    let member = u64::from(tuple);
    let tuples = layout.len / member;
    // Tuples that take one of the values above, and those that take only a sum or only a value.
    let (from_values, from_sums) = match kind {
        ScanKind::Inclusive => (tuples.div_ceil(2), tuples - 1),
        ScanKind::Exclusive => (tuples / 2, tuples.saturating_sub(2)),
    };
    let adds = match kind {
        ScanKind::Inclusive => from_values - 1,
        ScanKind::Exclusive => from_values.saturating_sub(1),
    };
    plan.draw("down-sweep", shader!("scan/hybrid/down_sweep.frag"))
        .define("TUPLE", i64::from(tuple))
        .define("EXCLUSIVE", i64::from(kind == ScanKind::Exclusive))
        .read("u_values", values)
        .read("u_sums", sums)
        .fetches("u_values", from_values * member)
        .fetches("u_sums", from_sums * member)
        .adds(adds * member, 1)
        .write(target);
    target
}
