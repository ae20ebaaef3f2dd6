//! Claims on conventional sums: section 6.2, and the sentence on floats in section 2.1.

use rasterscan::ElementType;

use super::setup::{
    APPENDIX, AUTHORS, COPY, CUB, EVERY_PREFIX, KEY, LARGEST, LOOK_BACK, RUNS, SAM, Shape, THREE_PHASE,
    THRUST, VERY_LARGE, crossing_of, floats, sums_of, titan,
};
use crate::case::length;
use crate::measure::Estimate;
use crate::report::page::Claim;
use crate::reproduce::effort::Bounds;
use crate::reproduce::paper::{at, or_dash};
use crate::reproduce::rows::{Lookup, PaperRows};
use crate::reproduce::statements::statement;
use crate::reproduce::unit::times;

const U32: ElementType = ElementType::U32;
const U64: ElementType = ElementType::U64;
const SUM: Shape = Shape::Order(1);
/// Lengths up to the last at which section 6.2 has CUB ahead.
const CUB_AHEAD: [u32; 6] = [14, 18, 22, 24, 26, LARGEST];
/// Above the plateau's beginning, 2^23.
const PLATEAU: u32 = 24;

/// The claims on conventional sums, in the order of the paper.
pub fn claims(rows: &PaperRows<'_>) -> Vec<Claim> {
    vec![
        million(rows),
        twice(rows, "THRUST", "Thrust", &[22, 24, 26]),
        twice(rows, "CUDPP", "CUDPP", &[22, 24]),
        small(rows, "Thrust", 12, &[10, 12, 14, 16, 18, 20]),
        small(rows, "CUDPP", 19, &[10, 12, 14, 16, 18, 20, 22, 24, 26]),
        beside_cub(rows, "cub_ahead", [LOOK_BACK, SAM], &CUB_AHEAD),
        beside_cub(rows, "very_large", [LOOK_BACK, SAM], &[VERY_LARGE]),
        copy_speed(rows),
        half(rows),
        plateau(rows),
    ]
}

/// The same claims beside the libraries themselves.
pub fn of_libraries(rows: &PaperRows<'_>) -> Vec<Claim> {
    let claim = statement(KEY, "thrust_itself");
    let million = [20, 22, 24, 26, LARGEST].map(|log2| {
        let paper = stated(titan(U32).speed("THRUST", SUM, log2));
        let found = rows.speed([THRUST, SAM], &sums_of(U32, log2));
        claim.point(0, &[("at", &at(1 << log2)), ("paper", &paper)], found)
    });
    vec![
        claim.with_points(&[], million),
        beside_cub(rows, "cub_itself", [CUB, SAM], &CUB_AHEAD),
        beside_cub(rows, "very_large_itself", [CUB, SAM], &[VERY_LARGE]),
        beside_cub(rows, "authors_sam", [CUB, AUTHORS], &[VERY_LARGE]),
    ]
}

/// A number of the paper as the rules read it; `-` if it is not printed.
pub fn stated(number: Option<f64>) -> String {
    or_dash(number, |number| number.to_string())
}

/// A sentence of section 2.1 on SAM, and on CUB, whose order may vary: one result in so many runs does not rule out others.
pub fn bits(rows: &PaperRows<'_>, bounds: &Bounds) -> [Claim; 2] {
    let case = floats(bounds);
    let fills = [("RUNS", &RUNS as _), ("length", &length(case.n()) as _)];
    let varying = match rows.distinct(EVERY_PREFIX, &case) {
        Lookup::Number(one) if one.value == 1.0 => Lookup::Number(Estimate { high: f64::from(RUNS), ..one }),
        found => found,
    };
    [("same_bits", rows.distinct(SAM, &case)), ("varying_bits", varying)]
        .map(|(claim, found)| statement(KEY, claim).judge(&fills, [found]))
}

fn million(rows: &PaperRows<'_>) -> Claim {
    let claim = statement(KEY, "million");
    let points = [20, 22, 24, 26, LARGEST].map(|log2| {
        let speeds = ["THRUST", "CUDPP"].map(|library| APPENDIX[0].speed(library, SUM, log2));
        let words = speeds.into_iter().flatten().map(times).collect::<Vec<_>>().join(" and ");
        let found = rows.speed([THREE_PHASE, SAM], &sums_of(U32, log2));
        claim.point(0, &[("at", &at(1 << log2)), ("words", &words)], found)
    });
    claim.with_points(&[], points)
}

/// The text says about twice, and its table has a ratio at each length: from 80% of the lesser gain to 125% of the greater.
fn twice(rows: &PaperRows<'_>, column: &str, library: &str, lengths: &[u32]) -> Claim {
    let claim = statement(KEY, "twice");
    let points = lengths.iter().filter_map(|log2| {
        let paper = titan(U32).speed(column, SUM, *log2)?;
        let (least, most) = (1.0 + 0.8 * (paper.min(2.0) - 1.0), 1.0 + 1.25 * (paper.max(2.0) - 1.0));
        let found = rows.speed([THREE_PHASE, SAM], &sums_of(U32, *log2));
        let at = at(1 << log2);
        Some(claim.point(0, &[("at", &at), ("paper", &paper), ("least", &least), ("most", &most)], found))
    });
    claim.with_points(&[("library", &library)], points)
}

/// Up to four times the paper's length on both sides, but never below its shortest, 2^10: there the other
/// would not be ahead at any of its lengths.
fn crossover(paper: u32) -> String {
    let power = |log2: u32| f64::from(log2).exp2();
    let low = if paper > 12 { format!("weaker {} ", power(paper - 2)) } else { String::new() };
    let (high, far) = (power(paper + 2), power(paper + 6));
    format!("opposite {} {low}reproduced {high} weaker {far} opposite", power(10))
}

/// The length from which on SAM is ahead of a library, which wins on shorter streams.
fn small(rows: &PaperRows<'_>, library: &str, power: u32, lengths: &[u32]) -> Claim {
    let powers: Vec<u32> = lengths.iter().map(|log2| 1 << log2).collect();
    let found = crossing_of(rows, &powers, |rows, n| {
        rows.factor(THREE_PHASE, SAM, &sums_of(U32, n.trailing_zeros()))
    });
    let [first, last] = [lengths[0], lengths[lengths.len() - 1]].map(|log2| length(1 << log2));
    statement(KEY, "small").judge(
        &[
            ("library", &library),
            ("power", &power),
            ("paper", &(1u64 << power)),
            ("ranges", &crossover(power)),
            ("first", &first),
            ("last", &last),
        ],
        [found],
    )
}

/// SAM against CUB at these lengths.
fn beside_cub(rows: &PaperRows<'_>, name: &str, sides: [&str; 2], lengths: &[u32]) -> Claim {
    let papers = lengths.iter().map(|log2| (1 << log2, stated(titan(U32).speed("CUB", SUM, *log2))));
    statement(KEY, name).beside_each(&[], papers, |n| rows.speed(sides, &sums_of(U32, n.ilog2())))
}

fn copy_speed(rows: &PaperRows<'_>) -> Claim {
    let found = rows.speed([SAM, COPY], &sums_of(U32, LARGEST));
    statement(KEY, "copy_speed").judge(&[("at", &at(1 << LARGEST))], [found])
}

/// At the same number of items; for three_phase, the paper's numbers are those of Thrust and CUDPP.
fn half(rows: &PaperRows<'_>) -> Claim {
    let claim = statement(KEY, "half");
    let algorithms = [(SAM, &["SAM"] as &[&str]), (LOOK_BACK, &["CUB"]), (THREE_PHASE, &["THRUST", "CUDPP"])];
    let points = algorithms.map(|(name, libraries)| {
        let cases = [U32, U64].map(|element| sums_of(element, PLATEAU));
        let found = rows.estimate(|rows| Some(rows.ms(name, &cases[0])? / rows.ms(name, &cases[1])?));
        let paper = libraries.iter().filter_map(|library| {
            let of = |element| titan(element).throughput(library, SUM, PLATEAU);
            Some(times(of(U64)? / of(U32)?))
        });
        let words = paper.collect::<Vec<_>>().join(" and ");
        claim.point(0, &[("name", &name), ("at", &at(1 << PLATEAU)), ("words", &words)], found)
    });
    claim.with_points(&[], points)
}

fn plateau(rows: &PaperRows<'_>) -> Claim {
    let claim = statement(KEY, "plateau");
    let last = sums_of(U32, LARGEST);
    let points = [20, PLATEAU].into_iter().enumerate().map(|(index, log2)| {
        let case = sums_of(U32, log2);
        let found = rows.estimate(|rows| {
            let growth = case.n() as f64 / last.n() as f64;
            Some(growth * rows.ms(SAM, &last)? / rows.ms(SAM, &case)?)
        });
        let of = |log2| titan(U32).throughput("SAM", SUM, log2);
        let paper = stated(of(log2).zip(of(LARGEST)).map(|(own, last)| own / last));
        let (at, last) = (at(1 << log2), at(1 << LARGEST));
        claim.point(index, &[("at", &at), ("last", &last), ("paper", &paper)], found)
    });
    claim.with_points(&[], points)
}
