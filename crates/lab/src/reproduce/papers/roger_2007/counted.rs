//! Sections III-C and III-D: counted from plans.

use std::sync::LazyLock;

use super::setup::{BEST, BLELLOCH, HORN, INNER_BLELLOCH, PAPER, compacted, sized};
use crate::report::page::Claim;
use crate::reproduce::judge::{Point, Rule, claim, times, whole};
use crate::reproduce::paper::{at, plan_of};

/// Lengths in equal steps of log n.
const LENGTHS: [u64; 3] = [1 << 16, 1 << 20, 1 << 24];
/// Sizes of blocks in equal steps of log s, from the best one on: in smaller blocks, the n/s of the global sum counts,
/// too.
const SIZES: [u32; 3] = [64, 256, 1024];
/// The length at which sizes of blocks are compared.
const LENGTH: u64 = 1 << 20;

static CLAIMS: LazyLock<Vec<Claim>> = LazyLock::new(|| vec![complexity(), of_others(), vertices()]);

pub fn claims() -> Vec<Claim> {
    CLAIMS.clone()
}

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

fn same() -> Rule {
    Rule::near(1.0, 1.05, 1.25)
}

fn complexity() -> Claim {
    let by_n = fetches(INNER_BLELLOCH, LENGTHS[2]) / fetches(INNER_BLELLOCH, LENGTHS[0]);
    let by_size = second_over_first(SIZES.map(|size| fetches(&of_size(size), LENGTH)));
    let what = format!("fetches for an element {} over those {}", at(LENGTHS[2]), at(LENGTHS[0]));
    let points = vec![
        Point::counted(what, 1.0, same(), by_n, times).says("they do not grow with n"),
        Point::counted(
            "further fetches for an element from blocks of 256 to 1024 over those from 64 to 256",
            1.0,
            same(),
            by_size,
            times,
        )
        .says("they grow as log s"),
    ];
    let why = format!(
        "counted with Blelloch's scans, as in the paper: at most {:.1} fetches for an element in blocks of \
         {BEST}; with Hillis and Steele's, {:.1}",
        fetches(INNER_BLELLOCH, LENGTH),
        fetches(PAPER, LENGTH),
    );
    claim("The work is O(n + n log s), in blocks of s.", "Section III-D", points, &why)
}

fn of_others() -> Claim {
    let point = |(name, whose): (&str, &str)| {
        let steps = second_over_first(LENGTHS.map(|n| fetches(name, n)));
        let what =
            format!("further fetches for an element from 2^20 to 2^24 over those from 2^16 to 2^20, {whose}");
        Point::counted(what, 1.0, same(), steps, times).says("they grow as log n")
    };
    let points = [(HORN, "Horn"), (BLELLOCH, "Blelloch's scan and a search")].map(point).into();
    claim("The work of the previous methods is O(n log n).", "Sections II and III-D", points, "")
}

fn vertices() -> Claim {
    let point = |size: u32| {
        let paper = (2 * LENGTH / u64::from(size)) as f64;
        let ours = plan_of(&sized(size), &compacted(LENGTH)).cost().vertices as f64;
        Point::counted(format!("blocks of {size}, {}", at(LENGTH)), paper, Rule::exactly(paper), ours, whole)
    };
    let text = "The vertex shader processes 2 n/s elements, in blocks of s.";
    let why =
        "a geometry shader wraps the segments here; where they are drawn twice it processes twice as many";
    claim(text, "Section III-C", SIZES.map(point).into(), why)
}

#[cfg(test)]
mod tests {
    use super::super::setup::PLAIN;
    use super::*;
    use crate::report::page::Verdict;

    #[test]
    fn counted_claims_come_out() {
        for claim in claims() {
            assert_eq!(claim.verdict, Verdict::Reproduced, "{claim:?}");
        }
        assert!(fetches(INNER_BLELLOCH, LENGTH) < fetches(HORN, LENGTH) / 2.0);
    }

    /// Segments that are drawn twice have twice the vertices, as the errata say.
    #[test]
    fn wrapped_segments_are_sent_twice() {
        let vertices = |name: &str| plan_of(name, &compacted(LENGTH)).cost().vertices;
        assert_eq!(vertices(PLAIN), 2 * vertices(PAPER));
    }
}
