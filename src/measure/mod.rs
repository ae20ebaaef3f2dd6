//! Timing, and what times are held against: the limits of the device, as plans of their own.

use std::time::{Duration, Instant};

use crate::device::Device;
use crate::error::Error;
use crate::plan::{ItemType, Layout, Plan, shader};
use crate::spec::ScanSpec;
use crate::{Clock, Prepared, Stream};

/// `copy:texture`: one full-screen pass that copies the stream of `spec`, one item a texel.
///
/// No fragment algorithm that reads and writes every texel can be faster. Reads n, writes n texels.
pub fn copy_texture(spec: &ScanSpec, device: &Device) -> Result<Plan, Error> {
    spec.check()?;
    let arity = spec.operator.arity();
    let layout = Layout::fit(device, spec.element, arity, 1, spec.len, 2)?;
    let item = ItemType { element: spec.element, operator: spec.operator };
    let mut plan =
        Plan::new("copy:texture", item, layout).task(format!("a copy of {} {}", spec.len, spec.element));
    let copy = plan.slot("copy", layout);
    let source = plan.input();
    plan.draw("copy", shader!("measure/copy.frag"))
        .read("u_source", source)
        .fetches("u_source", layout.texels())
        .write(copy);
    Ok(plan.finish(copy))
}

/// The time of a prepared plan over several runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sampled {
    pub clock: Clock,
    pub median: Duration,
    pub low: Duration,
    pub high: Duration,
    pub runs: u32,
}

/// Times a plan: one run to warm up, then 3 to `most` runs, fewer the longer they take.
///
/// The result must have been verified before: what is wrong is not worth timing.
pub fn sample(
    prepared: &mut Prepared,
    input: &Stream,
    most: u32,
    budget: Duration,
) -> Result<Sampled, Error> {
    let first = prepared.time(input)?;
    let mut times = Vec::new();
    let start = Instant::now();
    while times.len() < 3 || (times.len() < most as usize && start.elapsed() < budget) {
        times.push(prepared.time(input)?.total);
    }
    times.sort();
    Ok(Sampled {
        clock: first.clock,
        median: times[times.len() / 2],
        low: times[0],
        high: times[times.len() - 1],
        runs: times.len() as u32,
    })
}
