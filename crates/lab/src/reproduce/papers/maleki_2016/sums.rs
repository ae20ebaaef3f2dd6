//! Claims on conventional sums: section 6.2, and the sentence on floats in section 2.1.

use rasterscan::ElementType;

use super::setup::{
    APPENDIX, COPY, LARGEST, LOOK_BACK, RUNS, SAM, Shape, THREE_PHASE, VERY_LARGE, crossing_of, floats,
    sums_of, titan,
};
use crate::case::length;
use crate::report::page::{Claim, Verdict};
use crate::reproduce::effort::Bounds;
use crate::reproduce::judge::{Point, Rule, claim, times, whole};
use crate::reproduce::paper::at;
use crate::reproduce::rows::Rows;

const U32: ElementType = ElementType::U32;
const U64: ElementType = ElementType::U64;
const SUM: Shape = Shape::Order(1);
/// Above the plateau's beginning, 2^23.
const PLATEAU: u32 = 24;

/// The claims on conventional sums, in the order of the paper.
pub fn claims(rows: &Rows<'_>) -> Vec<Claim> {
    vec![
        million(rows),
        twice(rows, "THRUST", "Thrust", &[22, 24, 26]),
        twice(rows, "CUDPP", "CUDPP", &[22, 24]),
        small(rows, "Thrust", 12, &[10, 12, 14, 16, 18, 20]),
        small(rows, "CUDPP", 19, &[10, 12, 14, 16, 18, 20, 22, 24, 26]),
        cub_ahead(rows),
        very_large(rows),
        copy_speed(rows),
        half(rows),
        plateau(rows),
    ]
}

/// SAM's speed relative to another's: ahead above 1, by how much does not matter.
pub fn ahead() -> Rule {
    Rule::of(&[(1.0, Verdict::Opposite)], Verdict::Reproduced)
}

/// A sentence of section 2.1. The counterpart of CUB, whose results "may vary", is shown beside in a table.
pub fn same_bits(rows: &Rows<'_>, bounds: &Bounds) -> Claim {
    let case = floats(bounds);
    let what = format!("different results in {RUNS} sums of {} f32", length(case.n()));
    claim(
        "SAM's float sums have the same bits in each run.",
        "Section 2.1",
        vec![Point::new(what, Some(1.0), Rule::exactly(1.0), rows.distinct(SAM, &case), whole)],
        "The sums pass 2^24, from where on the order of additions shows in the last bits. The result is \
         compared within each process.",
    )
}

fn million(rows: &Rows<'_>) -> Claim {
    let points = [20, 22, 24, 26, LARGEST].map(|log2| {
        let case = sums_of(U32, log2);
        let point =
            Point::ratio(rows, at(1 << log2), Rule::more(), |rows| rows.factor(THREE_PHASE, SAM, &case));
        let speeds = ["THRUST", "CUDPP"].map(|library| APPENDIX[0].speed(library, SUM, log2));
        let words: Vec<String> = speeds.into_iter().flatten().map(times).collect();
        point.says(words.join(" and "))
    });
    claim(
        "On a million or more values, SAM outperforms Thrust and CUDPP.",
        "Abstract, tables A.1 and A.3",
        points.into(),
        "Both stand against three_phase. Beside it: table A.1, Thrust first.",
    )
}

/// From 80% of the lesser gain to 125% of the greater.
fn twice_or(paper: f64) -> Rule {
    let [least, most] = [0.8 * (paper.min(2.0) - 1.0), 1.25 * (paper.max(2.0) - 1.0)].map(|gain| 1.0 + gain);
    let ends = [(1.0, Verdict::Opposite), (least, Verdict::Weaker), (most, Verdict::Reproduced)];
    Rule::of(&ends, Verdict::Stronger)
}

/// The text says about twice, and its table has a ratio at each length.
fn twice(rows: &Rows<'_>, column: &str, library: &str, lengths: &[u32]) -> Claim {
    let points = lengths.iter().filter_map(|log2| {
        let paper = titan(U32).speed(column, SUM, *log2)?;
        let found = rows.estimate(|rows| rows.factor(THREE_PHASE, SAM, &sums_of(U32, *log2)));
        Some(Point::new(at(1 << log2), Some(paper), twice_or(paper), found, times))
    });
    claim(
        format!("From 2^22 items on, SAM is twice as fast as {library}."),
        "Section 6.2, table A.1",
        points.collect(),
        "The text says about twice, the table has the ratio beside ours. Reproduced is from 80% of the \
         lesser gain to 125% of the greater.",
    )
}

/// A length as a power of two, or none.
pub fn power(n: f64) -> String {
    match n {
        n if n <= 0.0 => "every length".into(),
        n if n.is_infinite() => "no length".into(),
        n => format!("2^{:.1}", n.log2()),
    }
}

/// Up to four times the paper's length on both sides, but never below its shortest, 2^10: there the other
/// would not be ahead at any of its lengths.
fn crossover(paper: u32) -> Rule {
    let power = |log2: u32| f64::from(log2).exp2();
    let (low, high) = ((power(paper - 2), Verdict::Weaker), (power(paper + 2), Verdict::Reproduced));
    let ends = [(power(10), Verdict::Opposite), low, high, (power(paper + 6), Verdict::Weaker)];
    let ends: Vec<_> = if low.0 <= power(10) { [ends[0], ends[2], ends[3]].into() } else { ends.into() };
    Rule::of(&ends, Verdict::Opposite)
}

/// The length from which on SAM is ahead of a library, which wins on shorter streams.
fn small(rows: &Rows<'_>, library: &str, paper: u32, lengths: &[u32]) -> Claim {
    let powers: Vec<u32> = lengths.iter().map(|log2| 1 << log2).collect();
    let found = crossing_of(rows, &powers, |rows, n| {
        rows.factor(THREE_PHASE, SAM, &sums_of(U32, n.trailing_zeros()))
    });
    let point =
        Point::new("the other is ahead up to", Some(f64::from(paper).exp2()), crossover(paper), found, power);
    claim(
        format!("{library} is faster than SAM up to 2^{paper} items."),
        "Section 6.2",
        vec![point.says(format!("2^{paper}"))],
        &format!(
            "Where the speed relative to three_phase passes 1 for good, between two of the lengths from {} \
             to {}.",
            length(1 << lengths[0]),
            length(1 << lengths[lengths.len() - 1])
        ),
    )
}

fn cub_ahead(rows: &Rows<'_>) -> Claim {
    let points = [14, 18, 22, 24, 26, LARGEST].map(|log2| {
        let found = rows.estimate(|rows| rows.factor(LOOK_BACK, SAM, &sums_of(U32, log2)));
        let paper = titan(U32).speed("CUB", SUM, log2);
        // A tie, as the paper prints it for the longest two, is not the opposite.
        Point::new(format!("speed of SAM, {}", at(1 << log2)), paper, Rule::at_most(1.05, 1.1), found, times)
    });
    claim(
        "CUB is faster than SAM up to 2^27 items.",
        "Section 6.2, table A.1",
        points.into(),
        "Table A.1 prints the same throughput for both at 2^26 and 2^27.",
    )
}

fn very_large(rows: &Rows<'_>) -> Claim {
    let found = rows.estimate(|rows| rows.factor(LOOK_BACK, SAM, &sums_of(U32, VERY_LARGE)));
    let paper = titan(U32).speed("CUB", SUM, VERY_LARGE);
    claim(
        "On very large inputs, SAM is faster than CUB.",
        "Abstract, section 6.2, table A.1",
        vec![Point::new(format!("speed of SAM, {}", at(1 << VERY_LARGE)), paper, ahead(), found, times)],
        "Very large is above 2^27, the last length at which section 6.2 has CUB ahead; 2^28 is the longest \
         stream of this run. The paper's lead is 3% there, and 1% at 10^9 items.",
    )
}

fn copy_speed(rows: &Rows<'_>) -> Claim {
    let found = rows.estimate(|rows| rows.factor(SAM, COPY, &sums_of(U32, LARGEST)));
    let what = format!("time over a copy's, {U32}, {}", at(1 << LARGEST));
    let point = Point::new(what, None, Rule::near(1.0, 1.1, 1.5), found, times).says("as fast");
    claim(
        "On large inputs SAM is as fast as a copy, at 78.6% of the peak bandwidth.",
        "Section 6.2",
        vec![point],
        "The copy stands for the peak, which is not known here: in the paper both move 264 GB/s, 78.6% of \
         the peak. The paper says it of u64 too, for its largest inputs; this run has none so large.",
    )
}

/// At the same number of items; for three_phase, the paper's numbers are those of Thrust and CUDPP.
fn half(rows: &Rows<'_>) -> Claim {
    let algorithms = [(SAM, &["SAM"] as &[&str]), (LOOK_BACK, &["CUB"]), (THREE_PHASE, &["THRUST", "CUDPP"])];
    let points = algorithms.map(|(name, libraries)| {
        let cases = [U32, U64].map(|element| sums_of(element, PLATEAU));
        let what = format!("{name}, {}", at(1 << PLATEAU));
        let point = Point::ratio(rows, what, Rule::near(0.5, 1.25, 1.6), |rows| {
            Some(rows.ms(name, &cases[0])? / rows.ms(name, &cases[1])?)
        });
        let paper = libraries.iter().filter_map(|library| {
            let of = |element| titan(element).throughput(library, SUM, PLATEAU);
            Some(times(of(U64)? / of(U32)?))
        });
        point.says(paper.collect::<Vec<_>>().join(" and "))
    });
    claim(
        "With 64-bit words, throughputs in items are about half of those with 32-bit words.",
        "Section 6.2, tables A.1 and A.2",
        points.into(),
        "",
    )
}

fn plateau(rows: &Rows<'_>) -> Claim {
    let last = sums_of(U32, LARGEST);
    let share = |log2: u32, rule: Rule| {
        let case = sums_of(U32, log2);
        let found = rows.estimate(|rows| {
            let growth = case.n() as f64 / last.n() as f64;
            Some(growth * rows.ms(SAM, &last)? / rows.ms(SAM, &case)?)
        });
        let of = |log2| titan(U32).throughput("SAM", SUM, log2);
        let paper = of(log2).zip(of(LARGEST)).map(|(own, last)| own / last);
        let what = format!("throughput {} over that {}", at(1 << log2), at(1 << LARGEST));
        Point::new(what, paper, rule, found, times)
    };
    claim(
        "Above about 2^23 items, the throughput of SAM is on a plateau, and not before.",
        "Section 6.2",
        vec![share(20, Rule::at_most(0.8, 0.95)), share(PLATEAU, Rule::near(1.0, 1.1, 1.5))],
        "",
    )
}
