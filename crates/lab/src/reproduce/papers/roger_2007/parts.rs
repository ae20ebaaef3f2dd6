//! Figure 10: the time of each part, by the size of blocks. Each pass is timed alone.

use super::setup::{FIGURES, KEY, SIZES, compacted, sized};
use crate::case::Case;
use crate::cell::Row;
use crate::report::page::Claim;
use crate::reproduce::rows::{Lookup, PaperRows};
use crate::reproduce::statements::statement;

/// A part of the algorithm, as figure 10 names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AlgorithmPart {
    InnerSum,
    Search,
    GlobalSum,
    Lines,
    /// The count of what is kept, which the paper does not have.
    Count,
}

impl AlgorithmPart {
    /// All parts of the paper, in the order in which they run.
    pub const OF_THE_PAPER: [AlgorithmPart; 4] =
        [AlgorithmPart::InnerSum, AlgorithmPart::Search, AlgorithmPart::GlobalSum, AlgorithmPart::Lines];

    /// The name, for people.
    pub fn name(self) -> &'static str {
        match self {
            AlgorithmPart::InnerSum => "sum inside blocks",
            AlgorithmPart::Search => "dichotomic search",
            AlgorithmPart::GlobalSum => "global sum",
            AlgorithmPart::Lines => "line drawing",
            AlgorithmPart::Count => "count (ours)",
        }
    }

    /// The part that a phase of a plan belongs to.
    fn of(phase: &str) -> Option<AlgorithmPart> {
        match phase {
            // The first pass of the scan decides, as in figure 3.
            "flags" | "scan in blocks" => Some(AlgorithmPart::InnerSum),
            "search" => Some(AlgorithmPart::Search),
            "ends" | "scan" => Some(AlgorithmPart::GlobalSum),
            "segments" | "left parts" | "wrapped parts" | "lines" | "rectangles" => {
                Some(AlgorithmPart::Lines)
            }
            "count" => Some(AlgorithmPart::Count),
            _ => None,
        }
    }

    /// Its time in a row, if the passes were timed.
    fn ms_of(self, row: &Row) -> Option<f64> {
        let own = row.phases.iter().filter(|phase| AlgorithmPart::of(&phase.name) == Some(self));
        (!row.phases.is_empty()).then(|| own.map(|phase| phase.ms).sum())
    }

    /// Its time with blocks of this size.
    pub fn ms(self, rows: &PaperRows<'_>, size: u32, case: &Case) -> Option<f64> {
        rows.once(&sized(size), case, |row| self.ms_of(row))
    }
}

/// The largest block in which line drawing may be a bottleneck.
const SMALL: u32 = 8;
/// Sizes between which times rise or fall.
const STEPS: [[u32; 2]; 3] = [[8, 64], [64, 512], [512, 1024]];

pub fn claims(rows: &PaperRows<'_>) -> Vec<Claim> {
    vec![no_bottleneck(rows), bottleneck_when_small(rows), falls_and_rises(rows)]
}

/// Line drawing over the longest of the other parts. The longest part is the bottleneck.
fn over_longest(rows: &PaperRows<'_>, size: u32) -> Option<f64> {
    let case = compacted(FIGURES);
    let others = AlgorithmPart::OF_THE_PAPER.into_iter().filter(|part| *part != AlgorithmPart::Lines);
    let others: Option<Vec<f64>> = others.map(|part| part.ms(rows, size, &case)).collect();
    Some(AlgorithmPart::Lines.ms(rows, size, &case)? / others?.into_iter().fold(0.0, f64::max))
}

fn line_drawing(rows: &PaperRows<'_>, size: u32) -> Lookup {
    rows.estimate(|rows| over_longest(rows, size))
}

fn no_bottleneck(rows: &PaperRows<'_>) -> Claim {
    let claim = statement(KEY, "no_bottleneck");
    let larger = SIZES.into_iter().filter(|size| *size > SMALL);
    claim.with_points(&[], larger.map(|size| claim.point(0, &[("size", &size)], line_drawing(rows, size))))
}

fn bottleneck_when_small(rows: &PaperRows<'_>) -> Claim {
    statement(KEY, "bottleneck_when_small").judge(&[("SMALL", &SMALL)], [line_drawing(rows, SMALL)])
}

fn falls_and_rises(rows: &PaperRows<'_>) -> Claim {
    let claim = statement(KEY, "falls_and_rises");
    let goes = [
        (AlgorithmPart::Lines, "falls"),
        (AlgorithmPart::GlobalSum, "falls"),
        (AlgorithmPart::Search, "rises"),
        (AlgorithmPart::InnerSum, "rises"),
    ];
    let points = goes.into_iter().flat_map(|(part, goes)| {
        STEPS.map(|[small, large]| {
            let (more, less) = if goes == "falls" { (small, large) } else { (large, small) };
            let case = compacted(FIGURES);
            let over = rows.estimate(|rows| Some(part.ms(rows, more, &case)? / part.ms(rows, less, &case)?));
            claim.point(0, &[("part", &part.name()), ("more", &more), ("less", &less), ("goes", &goes)], over)
        })
    });
    claim.with_points(&[], points)
}

#[cfg(test)]
mod tests {
    use super::super::setup::DEFAULT;
    use super::*;
    use crate::reproduce::paper::plan_of;

    #[test]
    fn every_pass_belongs_to_a_part() {
        for name in [sized(8), sized(1024), DEFAULT.into()] {
            let plan = plan_of(&name, &compacted(1 << 16));
            let parts: Vec<Option<AlgorithmPart>> =
                plan.passes().iter().map(|pass| AlgorithmPart::of(pass.phase)).collect();
            assert!(!parts.contains(&None), "{name}");
            for part in AlgorithmPart::OF_THE_PAPER {
                assert!(parts.contains(&Some(part)), "{name}: {part:?}");
            }
        }
    }
}
