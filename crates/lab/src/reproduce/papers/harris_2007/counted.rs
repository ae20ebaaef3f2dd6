//! Claims that are counted: adds and swaps of the algorithms, and the bank conflicts of a block.
//!
//! The algorithms of the paper run here on the CPU, operation by operation, and their results are checked. The conflicts of
//! listing 2 are those of the K-model: its instruction is an access of a half-warp, its `NoPadding` the tree of the listing,
//! its two paddings the macros of listing 3.

use std::sync::LazyLock;

use rasterscan::{Device, ScanSpec, scan};
use rasterscan_kmodel::{Model, Pattern, Simulation, Step, simulate};

use super::setup::{BLOCK, WORK_EFFICIENT, case};
use crate::measure::Estimate;
use crate::report::page::Claim;
use crate::reproduce::judge::{self, Point, Rule, times, whole};
use crate::reproduce::paper::{at, contender};
use crate::reproduce::rows::Found;

/// "A scan of 1 million elements", of which the logarithm is 20.
pub const MILLION: u64 = 1 << 20;
/// Banks of the paper's GPU, and threads of a half-warp.
pub const BANKS: u64 = 16;

/// Operations of an algorithm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Work {
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
    pub fn work(self, n: u64) -> Option<Work> {
        let input: Vec<u32> = (0..n as u32).map(|i| i.wrapping_mul(0x9E37_79B9) >> 8).collect();
        let mut x = input.clone();
        let mut work = Work::default();
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

fn sequential(input: &[u32], output: &mut [u32], work: &mut Work) {
    output[0] = 0;
    for j in 1..input.len() {
        output[j] = input[j - 1].wrapping_add(output[j - 1]);
        work.adds += 1;
    }
}

fn naive(x: &mut [u32], work: &mut Work) {
    for d in 1..=x.len().ilog2() {
        let offset = 1 << (d - 1);
        // From the last on, each reads what the step began with, as in parallel.
        for k in (offset..x.len()).rev() {
            x[k] = x[k - offset].wrapping_add(x[k]);
            work.adds += 1;
        }
    }
}

fn work_efficient(x: &mut [u32], work: &mut Work) {
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
pub fn adds_of_plan(name: &str, n: u64) -> Option<u64> {
    let case = case(n);
    let plan = contender(case.problem(), name).plan(&case, &Device::gl43()).ok()??;
    Some(plan.cost().adds)
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
        sequential_claim(),
        naive_claim(),
        million(),
        efficient_claim(),
        many_ways(),
        strides(),
        padding(),
        block_a(),
    ]
});

/// A number that was counted; if it was not, no verdict.
fn counted(what: String, paper: f64, rule: Rule, ours: Option<u64>, write: fn(f64) -> String) -> Point {
    let ours = ours.map(|number| Found::Number(Estimate::exactly(number as f64)));
    let ours = ours.unwrap_or_else(|| Found::NotMeasured("the algorithm did not scan".into()));
    Point::new(what, Some(paper), rule, ours, write)
}

/// A count that must be the paper's.
fn exact(what: String, paper: u64, ours: Option<u64>, write: fn(f64) -> String) -> Point {
    counted(what, paper as f64, Rule::exactly(paper as f64), ours, write)
}

/// `16-way`; 1 is no conflict.
fn ways(degree: f64) -> String {
    if degree == 1.0 { "none".into() } else { format!("{degree:.0}-way") }
}

fn percent(share: f64) -> String {
    format!("{:.0}%", 100.0 * share)
}

fn sequential_claim() -> Claim {
    let adds = |n: u64| Algorithm::Sequential.work(n).map(|work| work.adds);
    judge::claim(
        "The sequential scan performs exactly n adds.",
        "Section Sequential Scan",
        [BLOCK, MILLION].map(|n| exact(format!("adds {}", at(n)), n, adds(n), whole)).into(),
        "its loop begins at the second element, and so performs one add less",
    )
}

fn naive_claim() -> Claim {
    let adds = |n: u64| Algorithm::Naive.work(n).map(|work| work.adds);
    let sum = |n: u64| (1..=n.ilog2()).map(|d| n - (1 << (d - 1))).sum::<u64>();
    judge::claim(
        "The naive scan, Algorithm 1, performs n - 2^(d-1) adds in step d.",
        "Section A Naïve Parallel Scan",
        [8, BLOCK, MILLION].map(|n| exact(format!("adds {}", at(n)), sum(n), adds(n), whole)).into(),
        "this is so with its condition corrected",
    )
}

fn million() -> Claim {
    let naive = Algorithm::Naive.work(MILLION).map(|work| work.adds as f64);
    let least = Algorithm::Sequential.work(MILLION).map(|work| work.adds as f64);
    let ratio = naive.zip(least).map(|(naive, least)| naive / least);
    let found = ratio.map(|ratio| Found::Number(Estimate::exactly(ratio)));
    let found = found.unwrap_or_else(|| Found::NotMeasured("the algorithm did not scan".into()));
    let what = format!("adds of Algorithm 1 over those of the sequential scan, {}", at(MILLION));
    judge::claim(
        "For 1 million elements, the naive scan is behind a theoretical work-efficient one by almost a \
         factor of 20.",
        "Section A Naïve Parallel Scan",
        vec![Point::new(what, Some(20.0), Rule::factor(20.0), found, times)],
        "this is the work; a theoretical scan makes no more adds than the sequential one. The paper's own \
         work-efficient scan makes twice as many, and so the factor against it is half of this. Times are \
         judged below",
    )
}

fn efficient_claim() -> Claim {
    let work = |n: u64| Algorithm::WorkEfficient.work(n);
    let mut points = Vec::new();
    for n in [BLOCK, MILLION] {
        points.push(exact(format!("adds {}", at(n)), 2 * (n - 1), work(n).map(|work| work.adds), whole));
        points.push(exact(format!("swaps {}", at(n)), n - 1, work(n).map(|work| work.swaps), whole));
    }
    let plan = adds_of_plan(WORK_EFFICIENT, BLOCK);
    points.push(exact("adds of our plan for one block of 512".into(), 2 * (BLOCK - 1), plan, whole));
    judge::claim(
        "The work-efficient scan performs 2(n - 1) adds and n - 1 swaps.",
        "Section A Work-Efficient Parallel Scan",
        points,
        "",
    )
}

fn many_ways() -> Claim {
    let found = conflicts(Pattern::NoPadding, BLOCK);
    let points = [
        ("greatest conflict of the reads", found.as_ref().map(|found| found.reads)),
        ("greatest conflict of the writes", found.as_ref().map(|found| found.writes)),
    ];
    judge::claim(
        "In a scan of 512 elements on 16 banks, reads and writes of Listing 2 have up to 16-way bank \
         conflicts.",
        "Section Avoiding Bank Conflicts",
        points.map(|(what, ours)| exact(what.into(), 16, ours, ways)).into(),
        "",
    )
}

/// Figure 4: what offsets of 1 and 2 do.
fn strides() -> Claim {
    let [plain, padded] = [Pattern::NoPadding, Pattern::Padding].map(|pattern| conflicts(pattern, BLOCK));
    let step = |found: &Option<Conflicts>, step: usize| {
        found.as_ref().and_then(|found| found.steps.get(step).copied())
    };
    let points = vec![
        exact("offset 1, without padding".into(), 2, step(&plain, 0), ways),
        exact("offset 2, without padding".into(), 4, step(&plain, 1), ways),
        exact("offset 1, with padding".into(), 1, step(&padded, 0), ways),
        exact("offset 2, with padding".into(), 1, step(&padded, 1), ways),
    ];
    judge::claim(
        "Conflicts double with the stride, from 2-way at offset 1 to 4-way at offset 2. Padding removes both.",
        "Figure 4",
        points,
        "",
    )
}

fn padding() -> Claim {
    let lost = |pattern: Pattern, n: u64| conflicts(pattern, n).map(|found| found.lost);
    let shares = lost(Pattern::Padding, BLOCK).zip(lost(Pattern::NoPadding, BLOCK));
    let avoided = shares.map(|(left, all)| 1.0 - left as f64 / all as f64);
    let found = avoided.map(|share| Found::Number(Estimate::exactly(share)));
    let found = found.unwrap_or_else(|| Found::NotMeasured("the algorithm did not scan".into()));
    let most = "cycles lost to conflicts that padding by the index over 16 avoids, at 512";
    let mut points = vec![Point::new(most, None, Rule::at_least(0.0, 0.5), found, percent).says("most")];
    points.extend([BLOCK, 1024].map(|n| {
        let what = format!("cycles lost with ZERO_BANK_CONFLICTS, {}", at(n));
        exact(what, 0, lost(Pattern::DoublePadding, n), whole)
    }));
    judge::claim(
        "On 16 banks, padding by the index over the number of banks avoids most conflicts, and the macro \
         ZERO_BANK_CONFLICTS all of them.",
        "Section Avoiding Bank Conflicts, Listing 3",
        points,
        "this is the macro with its shifts corrected, and what counts are the accesses of both sweeps",
    )
}

fn block_a() -> Claim {
    let padded = |n: u64| n + n / BANKS;
    let points = vec![
        exact("adjacent elements, the first of two".into(), 2, Some(degree(|thread| 2 * thread)), ways),
        exact("adjacent elements, the second of two".into(), 2, Some(degree(|thread| 2 * thread + 1)), ways),
        exact("an element of the first half".into(), 1, Some(degree(padded)), ways),
        exact(
            "an element of the second half".into(),
            1,
            Some(degree(|thread| padded(thread + BLOCK / 2))),
            ways,
        ),
    ];
    judge::claim(
        "Loading two adjacent elements in each thread has two-way bank conflicts. Loading one of each half \
         has none.",
        "Section Avoiding Bank Conflicts, block A",
        points,
        "",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::page::Verdict;

    #[test]
    fn work_by_hand() {
        // 8 elements: 7 + 6 + 4 adds; 4 + 2 + 1 up, and as many down.
        assert_eq!(Algorithm::Naive.work(8), Some(Work { adds: 17, swaps: 0 }));
        assert_eq!(Algorithm::WorkEfficient.work(8), Some(Work { adds: 14, swaps: 7 }));
        assert_eq!(Algorithm::Sequential.work(8), Some(Work { adds: 7, swaps: 0 }));
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
