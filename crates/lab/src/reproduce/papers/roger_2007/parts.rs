//! Figure 10: the time of each part, by the size of blocks. Each pass is timed alone.

use super::setup::{FIGURES, KEY, SIZES, compacted, sized};
use crate::case::Case;
use crate::cell::Row;
use crate::report::page::Claim;
use crate::reproduce::rows::{Found, PaperRows};
use crate::reproduce::statements::statement;

/// A part of the algorithm, as figure 10 names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    InnerSum,
    Search,
    GlobalSum,
    Lines,
    /// The count of what is kept, which the paper does not have.
    Count,
}

impl Part {
    /// All parts of the paper, in the order in which they run.
    pub const OF_THE_PAPER: [Part; 4] = [Part::InnerSum, Part::Search, Part::GlobalSum, Part::Lines];

    /// The name, for people.
    pub fn name(self) -> &'static str {
        match self {
            Part::InnerSum => "sum inside blocks",
            Part::Search => "dichotomic search",
            Part::GlobalSum => "global sum",
            Part::Lines => "line drawing",
            Part::Count => "count (ours)",
        }
    }

    /// The part that a phase of a plan belongs to.
    fn of(phase: &str) -> Option<Part> {
        match phase {
            // The first pass of the scan decides, as in figure 3.
            "flags" | "scan in blocks" => Some(Part::InnerSum),
            "search" => Some(Part::Search),
            "ends" | "scan" => Some(Part::GlobalSum),
            "segments" | "left parts" | "wrapped parts" | "lines" | "rectangles" => Some(Part::Lines),
            "count" => Some(Part::Count),
            _ => None,
        }
    }

    /// Its time in a row, if the passes were timed.
    fn ms_of(self, row: &Row) -> Option<f64> {
        let own = row.phases.iter().filter(|phase| Part::of(&phase.name) == Some(self));
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
    let others = Part::OF_THE_PAPER.into_iter().filter(|part| *part != Part::Lines);
    let others: Option<Vec<f64>> = others.map(|part| part.ms(rows, size, &case)).collect();
    Some(Part::Lines.ms(rows, size, &case)? / others?.into_iter().fold(0.0, f64::max))
}

fn line_drawing(rows: &PaperRows<'_>, size: u32) -> Found {
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
        (Part::Lines, "falls"),
        (Part::GlobalSum, "falls"),
        (Part::Search, "rises"),
        (Part::InnerSum, "rises"),
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
            let parts: Vec<Option<Part>> = plan.passes().iter().map(|pass| Part::of(pass.phase)).collect();
            assert!(!parts.contains(&None), "{name}");
            for part in Part::OF_THE_PAPER {
                assert!(parts.contains(&Some(part)), "{name}: {part:?}");
            }
        }
    }
}
