//! Claims that are counted: adds and swaps of the algorithms, and the bank conflicts of a block.
//!
//! The algorithms of the paper run here on the CPU, operation by operation, and their results are checked. The conflicts of
//! listing 2 are those of the K-model: its instruction is an access of a half-warp, its `NoPadding` the tree of the listing,
//! its two paddings the macros of listing 3.

use std::sync::LazyLock;

use rasterscan::{ScanSpec, scan};
use rasterscan_kmodel::{Model, Pattern, Simulation, Step, simulate};

use super::setup::{BLOCK, KEY, WORK_EFFICIENT, case};
use crate::report::page::Claim;
use crate::reproduce::paper::{at, plan_of};
use crate::reproduce::rows::Lookup;
use crate::reproduce::statements::statement;

/// "A scan of 1 million elements", of which the logarithm is 20.
pub const MILLION: u64 = 1 << 20;
/// Banks of the paper's GPU, and threads of a half-warp.
pub const BANKS: u64 = 16;

/// Operations of an algorithm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Operations {
    pub adds: u64,
    pub swaps: u64,
}

/// The algorithms of the paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Algorithm {
    /// The loop of the section "Sequential Scan".
    Sequential,
    /// Algorithm 1, with its condition corrected.
    Naive,
    /// Algorithms 3 and 4, from the right level down.
    WorkEfficient,
}

impl Algorithm {
    /// Runs the algorithm on `n` elements, a power of two; `None` if its result is not the scan.
    pub fn work(self, n: u64) -> Option<Operations> {
        let input: Vec<u32> = (0..n as u32).map(|i| i.wrapping_mul(0x9E37_79B9) >> 8).collect();
        let mut x = input.clone();
        let mut work = Operations::default();
        match self {
            Algorithm::Sequential => sequential(&input, &mut x, &mut work),
            Algorithm::Naive => naive(&mut x, &mut work),
            Algorithm::WorkEfficient => work_efficient(&mut x, &mut work),
        }
        let spec = ScanSpec::new::<u32>(input.len());
        let spec = if self == Algorithm::Naive { spec } else { spec.exclusive() };
        (scan::sequential(&spec, &input).ok()? == x).then_some(work)
    }
}

fn sequential(input: &[u32], output: &mut [u32], work: &mut Operations) {
    output[0] = 0;
    for j in 1..input.len() {
        output[j] = input[j - 1].wrapping_add(output[j - 1]);
        work.adds += 1;
    }
}

fn naive(x: &mut [u32], work: &mut Operations) {
    for d in 1..=x.len().ilog2() {
        let offset = 1 << (d - 1);
        // From the last on, each reads what the step began with, as in parallel.
        for k in (offset..x.len()).rev() {
            x[k] = x[k - offset].wrapping_add(x[k]);
            work.adds += 1;
        }
    }
}

fn work_efficient(x: &mut [u32], work: &mut Operations) {
    let (n, levels) = (x.len(), x.len().ilog2());
    for d in 0..levels {
        for k in (0..n).step_by(2 << d) {
            let (left, right) = (k + (1 << d) - 1, k + (2 << d) - 1);
            x[right] = x[left].wrapping_add(x[right]);
            work.adds += 1;
        }
    }
    x[n - 1] = 0;
    for d in (0..levels).rev() {
        for k in (0..n).step_by(2 << d) {
            let (left, right) = (k + (1 << d) - 1, k + (2 << d) - 1);
            let t = x[left];
            x[left] = x[right];
            x[right] = t.wrapping_add(x[right]);
            work.swaps += 1;
            work.adds += 1;
        }
    }
}

/// The adds of a plan of the library for `n` elements.
pub fn adds_of_plan(name: &str, n: u64) -> u64 {
    plan_of(name, &case(n)).cost().adds
}

/// The scan of `n` elements in one block, with the conflicts of each access.
fn simulation(pattern: Pattern, n: u64) -> Option<Simulation<u32>> {
    let numbers: Vec<u32> = (0..n as u32).collect();
    let model = Model::new(n, BANKS).ok()?;
    let simulation = simulate(pattern, model, &numbers, 0, |left, right| left.wrapping_add(right));
    let spec = ScanSpec::new::<u32>(numbers.len()).exclusive();
    (scan::sequential(&spec, &numbers).ok()? == simulation.scanned).then_some(simulation)
}

/// Degrees of the conflicts in one block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflicts {
    /// The greatest degree of the accesses of each step of the up-sweep.
    pub steps: Vec<u64>,
    /// The greatest degree of all reads.
    pub reads: u64,
    /// The greatest degree of all writes.
    pub writes: u64,
    /// Cycles lost to conflicts, of all accesses in both sweeps: a degree of 3 loses 2.
    pub lost: u64,
}

/// The conflicts of the tree over `n` elements.
pub fn conflicts(pattern: Pattern, n: u64) -> Option<Conflicts> {
    let simulation = simulation(pattern, n)?;
    let both = || simulation.steps.iter().chain(&simulation.down);
    let lost = |step: &Step| {
        let cycles = step.loads.latency + step.results.latency;
        cycles - step.loads.instructions - step.results.instructions
    };
    Some(Conflicts {
        steps: simulation.steps.iter().map(|step| step.loads.degree().max(step.results.degree())).collect(),
        reads: both().map(|step| step.loads.degree()).max()?,
        writes: both().map(|step| step.results.degree()).max()?,
        lost: both().map(lost).sum(),
    })
}

/// The degree of an access of a half-warp: the most threads at one bank.
fn degree(address: impl Fn(u64) -> u64) -> u64 {
    let mut queues = [0; BANKS as usize];
    for thread in 0..BANKS {
        queues[(address(thread) % BANKS) as usize] += 1;
    }
    queues.into_iter().max().unwrap_or(0)
}

/// All claims, counted once: a report is made after every cell.
pub static CLAIMS: LazyLock<Vec<Claim>> = LazyLock::new(|| {
    vec![
        adds("sequential", Algorithm::Sequential, [BLOCK, MILLION].map(|n| (n, n))),
        adds("naive", Algorithm::Naive, [8, BLOCK, MILLION].map(|n| (n, adds_by_steps(n)))),
        million(),
        work_efficient_claim(),
        many_ways(),
        strides(),
        padding(),
        block_a(),
    ]
});

/// A count; if there is none, no verdict.
fn counted(ours: Option<u64>) -> Lookup {
    share(ours.map(|number| number as f64))
}

fn share(ours: Option<f64>) -> Lookup {
    Lookup::counted(ours, "the algorithm did not scan")
}

/// A claim on the adds of an algorithm, by the lengths and the paper's adds there.
fn adds<const N: usize>(name: &str, algorithm: Algorithm, paper: [(u64, u64); N]) -> Claim {
    statement(KEY, name).beside_each(&[], paper, |n| counted(algorithm.work(n).map(|work| work.adds)))
}

/// n - 2^(d-1) in step d.
fn adds_by_steps(n: u64) -> u64 {
    (1..=n.ilog2()).map(|d| n - (1 << (d - 1))).sum()
}

fn million() -> Claim {
    let [naive, least] = [Algorithm::Naive, Algorithm::Sequential].map(|algorithm| algorithm.work(MILLION));
    let ratio = naive.zip(least).map(|(naive, least)| naive.adds as f64 / least.adds as f64);
    statement(KEY, "million").judge(&[("at", &at(MILLION))], [share(ratio)])
}

fn work_efficient_claim() -> Claim {
    let claim = statement(KEY, "work_efficient");
    let mut points = Vec::new();
    for n in [BLOCK, MILLION] {
        let work = Algorithm::WorkEfficient.work(n);
        let [adds, swaps] = [work.map(|work| work.adds), work.map(|work| work.swaps)].map(counted);
        points.push(claim.point(0, &[("at", &at(n)), ("paper", &(2 * (n - 1)))], adds));
        points.push(claim.point(1, &[("at", &at(n)), ("paper", &(n - 1))], swaps));
    }
    points.push(claim.point(2, &[], counted(Some(adds_of_plan(WORK_EFFICIENT, BLOCK)))));
    claim.with_points(&[], points)
}

fn many_ways() -> Claim {
    let found = conflicts(Pattern::NoPadding, BLOCK);
    let most = found.map_or([None; 2], |found| [Some(found.reads), Some(found.writes)]);
    statement(KEY, "many_ways").judge(&[], most.map(counted))
}

/// Figure 4: what offsets of 1 and 2 do.
fn strides() -> Claim {
    let step = |pattern: Pattern, step: usize| {
        counted(conflicts(pattern, BLOCK).and_then(|found| found.steps.get(step).copied()))
    };
    let found =
        [Pattern::NoPadding, Pattern::Padding].map(|pattern| [0, 1].map(|offset| step(pattern, offset)));
    statement(KEY, "strides").judge(&[], found.into_iter().flatten())
}

fn padding() -> Claim {
    let lost = |pattern: Pattern, n: u64| conflicts(pattern, n).map(|found| found.lost);
    let shares = lost(Pattern::Padding, BLOCK).zip(lost(Pattern::NoPadding, BLOCK));
    let avoided = shares.map(|(left, all)| 1.0 - left as f64 / all as f64);
    let [block, longer] = [BLOCK, 1024].map(|n| counted(lost(Pattern::DoublePadding, n)));
    statement(KEY, "padding").judge(&[], [share(avoided), block, longer])
}

fn block_a() -> Claim {
    let padded = |n: u64| n + n / BANKS;
    let degrees = [
        degree(|thread| 2 * thread),
        degree(|thread| 2 * thread + 1),
        degree(padded),
        degree(|thread| padded(thread + BLOCK / 2)),
    ];
    statement(KEY, "block_a").judge(&[], degrees.map(|degree| counted(Some(degree))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::page::Verdict;

    #[test]
    fn work_by_hand() {
        // 8 elements: 7 + 6 + 4 adds; 4 + 2 + 1 up, and as many down.
        assert_eq!(Algorithm::Naive.work(8), Some(Operations { adds: 17, swaps: 0 }));
        assert_eq!(Algorithm::WorkEfficient.work(8), Some(Operations { adds: 14, swaps: 7 }));
        assert_eq!(Algorithm::Sequential.work(8), Some(Operations { adds: 7, swaps: 0 }));
    }

    #[test]
    fn conflicts_grow_to_the_middle_of_the_tree_and_shrink_again() {
        let steps = |pattern| conflicts(pattern, BLOCK).unwrap().steps;
        assert_eq!(steps(Pattern::NoPadding), [2, 4, 8, 16, 16, 8, 4, 2, 1]);
        assert_eq!(steps(Pattern::Padding), [1, 1, 1, 1, 2, 2, 2, 2, 1]);
        assert_eq!(steps(Pattern::DoublePadding), [1; 9]);
    }

    #[test]
    fn every_claim_is_counted() {
        let verdicts: Vec<Verdict> = CLAIMS.iter().map(|claim| claim.verdict).collect();
        use Verdict::{Opposite, Reproduced};
        let expected =
            [Opposite, Reproduced, Reproduced, Reproduced, Reproduced, Reproduced, Reproduced, Reproduced];
        assert_eq!(verdicts, expected, "{:#?}", *CLAIMS);
        assert!(CLAIMS.iter().flat_map(|claim| &claim.points).all(|point| point.interval == "exact"));
        let million = &CLAIMS[2].points[0];
        assert_eq!((million.ours.as_str(), million.paper.as_str()), ("19.0x", "20.0x"));
    }
}
