//! Sections III-C and III-D: counted from plans.

use std::sync::LazyLock;

use rasterscan::Device;

use super::setup::{BEST, BLELLOCH, GEOMETRY, HORN, INNER_BLELLOCH, KEY, PAPER, compacted, sized};
use crate::contender::Contender;
use crate::report::page::Claim;
use crate::reproduce::paper::{at, plan_of};
use crate::reproduce::rows::Lookup;
use crate::reproduce::statements::statement;

/// Lengths in equal steps of log n.
const LENGTHS: [u64; 3] = [1 << 16, 1 << 20, 1 << 24];
/// Sizes of blocks in equal steps of log s, from the best one on: in smaller blocks, the n/s of the global sum counts,
/// too.
const SIZES: [u32; 3] = [64, 256, 1024];
/// The length at which sizes of blocks are compared.
const LENGTH: u64 = 1 << 20;

pub static CLAIMS: LazyLock<[Claim; 4]> = LazyLock::new(|| [complexity(), of_others(), limit(), vertices()]);

/// The algorithms whose longest streams the paper gives, as powers of two.
const LONGEST: [(&str, &str, u32); 4] = [
    ("blocks", PAPER, 24),
    ("Blelloch's scan and a search", BLELLOCH, 24),
    ("Horn", HORN, 22),
    ("geometry shaders", GEOMETRY, 22),
];

/// Texels that the shaders fetch for an element, at most.
fn fetches(name: &str, n: u64) -> f64 {
    plan_of(name, &compacted(n)).cost().texels_read as f64 / n as f64
}

/// Blocks of this size with Blelloch's scans, by which the paper counts.
fn of_size(size: u32) -> String {
    INNER_BLELLOCH.replacen("blocks:", &format!("blocks:size={size},"), 1)
}

/// What the second of two steps of a logarithm adds, over what the first adds.
fn second_over_first(values: [f64; 3]) -> f64 {
    (values[2] - values[1]) / (values[1] - values[0])
}

fn complexity() -> Claim {
    let by_n = fetches(INNER_BLELLOCH, LENGTHS[2]) / fetches(INNER_BLELLOCH, LENGTHS[0]);
    let by_size = second_over_first(SIZES.map(|size| fetches(&of_size(size), LENGTH)));
    let [blelloch, hillis] = [INNER_BLELLOCH, PAPER].map(|name| format!("{:.1}", fetches(name, LENGTH)));
    statement(KEY, "complexity").judge(
        &[
            ("blelloch", &blelloch),
            ("BEST", &BEST),
            ("hillis", &hillis),
            ("short", &at(LENGTHS[0])),
            ("long", &at(LENGTHS[2])),
        ],
        [by_n, by_size].map(Lookup::exactly),
    )
}

fn of_others() -> Claim {
    let steps = |name: &str| second_over_first(LENGTHS.map(|n| fetches(name, n)));
    statement(KEY, "of_others").judge(&[], [HORN, BLELLOCH].map(|name| Lookup::exactly(steps(name))))
}

/// The longest power of two that a plan is made for.
fn longest(name: &str) -> Option<u64> {
    let is_planned = |n: &u64| {
        let case = compacted(*n);
        Contender::known(case.problem(), name).plan(&case, &Device::gl43()).is_ok_and(|plan| plan.is_some())
    };
    (0..=40).map(|log2| 1 << log2).take_while(is_planned).last()
}

fn limit() -> Claim {
    let claim = statement(KEY, "limit");
    let mebibytes = LONGEST.map(|(_, name, log2)| plan_of(name, &compacted(1 << log2)).bytes() >> 20);
    let [blocks, blelloch, horn, geometry] = &mebibytes;
    let point = |(shown, name, log2): (&str, &str, u32)| {
        let [half, paper, more] = [log2 - 1, log2, log2 + 1].map(|log2| 1u64 << log2);
        let fills =
            [("name", &shown as _), ("half", &half as _), ("paper", &paper as _), ("more", &more as _)];
        claim.point(0, &fills, Lookup::counted(longest(name).map(|n| n as f64), "no plan was made"))
    };
    let fills: [(&str, &dyn std::fmt::Display); 4] =
        [("blocks", blocks), ("blelloch", blelloch), ("horn", horn), ("geometry", geometry)];
    claim.with_points(&fills, LONGEST.map(point))
}

fn vertices() -> Claim {
    let claim = statement(KEY, "vertices");
    let point = |size: u32| {
        let ours = plan_of(&sized(size), &compacted(LENGTH)).cost().vertices as f64;
        let paper = 2 * LENGTH / u64::from(size);
        claim.point(0, &[("size", &size), ("at", &at(LENGTH)), ("paper", &paper)], Lookup::exactly(ours))
    };
    claim.with_points(&[], SIZES.map(point))
}

#[cfg(test)]
mod tests {
    use super::super::setup::PLAIN;
    use super::*;
    use crate::report::page::Verdict;

    #[test]
    fn counted_claims_come_out() {
        let verdicts = CLAIMS.each_ref().map(|claim| claim.verdict);
        use Verdict::{Reproduced, Stronger};
        assert_eq!(verdicts, [Reproduced, Reproduced, Stronger, Reproduced], "{:#?}", *CLAIMS);
        assert!(fetches(INNER_BLELLOCH, LENGTH) < fetches(HORN, LENGTH) / 2.0);
    }

    /// Segments that are drawn twice have twice the vertices, as the claim on them says.
    #[test]
    fn wrapped_segments_are_sent_twice() {
        let vertices = |name: &str| plan_of(name, &compacted(LENGTH)).cost().vertices;
        assert_eq!(vertices(PLAIN), 2 * vertices(PAPER));
    }
}
