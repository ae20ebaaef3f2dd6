//! Claims that are timed.

use super::setup::{
    BLELLOCH, HALF, HORN, KNEE, LENGTHS, LEVEL, Length, READ_BACK, SHARE, SHORT, TINY, compaction, hybrid,
    lengths, read_back, steps,
};
use crate::case::Case;
use crate::report::page::{Claim, Verdict};
use crate::reproduce::effort::Bounds;
use crate::reproduce::judge::{Point, Rule, claim, times};
use crate::reproduce::paper::at;
use crate::reproduce::rows::Rows;

pub fn claims(rows: &Rows<'_>, bounds: &Bounds) -> Vec<Claim> {
    let mut claims = Vec::new();
    claims.extend(LENGTHS.iter().map(|length| levels_off(rows, bounds, length.n)));
    claims.extend(LENGTHS.iter().map(|length| faster(rows, length)));
    claims.push(knee(rows));
    claims.push(below_the_degree(rows));
    claims.push(large_arrays(rows, bounds));
    claims.push(fastest_of_three(rows, bounds));
    claims.push(scan_alone(rows));
    claims.push(framebuffers(rows, bounds));
    claims.push(constant_cost(rows, bounds));
    claims.push(readback(rows, bounds));
    claims
}

fn compacted(n: u64) -> Case {
    Case::compact(n, SHARE)
}

/// A time that falls, and does not merely vary, falls by a tenth.
fn falls() -> Rule {
    Rule::at_least(0.9, 1.1)
}

/// Three readings of the words: it falls, it is level at 9, and it is not level at half as many steps.
fn levels_off(rows: &Rows<'_>, bounds: &Bounds, n: u64) -> Claim {
    let case = compacted(n);
    let over_level = |steps: u32| {
        let case = case.clone();
        move |rows: &Rows<'_>| rows.factor(&compaction(steps), &compaction(LEVEL), &case)
    };
    let best = |rows: &Rows<'_>| {
        let all: Option<Vec<f64>> =
            steps(bounds, n).into_iter().map(|steps| rows.ms(&compaction(steps), &case)).collect();
        let best = all?.into_iter().fold(f64::INFINITY, f64::min);
        Some(rows.ms(&compaction(LEVEL), &case)? / best)
    };
    let points = vec![
        Point::ratio(
            rows,
            format!("time without reduce steps over that with {LEVEL}"),
            Rule::more(),
            over_level(0),
        )
        .says("it falls"),
        Point::ratio(rows, format!("time with {HALF} over that with {LEVEL}"), falls(), over_level(HALF))
            .says("it still falls"),
        Point::ratio(
            rows,
            format!("time with {LEVEL} over that with the best number"),
            Rule::at_most(1.1, 1.25),
            best,
        )
        .says("it is level"),
    ];
    let text = format!(
        "{}, the time of a compaction falls with the number of reduce steps and levels off near {LEVEL}.",
        at(n).replacen('a', "A", 1)
    );
    claim(text, "Section 4", points, "level is within 10% of the best number's time")
}

fn faster(rows: &Rows<'_>, Length { n, steps, factor, .. }: &Length) -> Claim {
    let what = format!("{}, {steps} reduce steps", at(*n));
    let point = Point::factor(rows, what, *factor, [HORN, &compaction(*steps)], &compacted(*n));
    claim(
        format!("A compaction with the hybrid is around {factor} times as fast as Horn's, {}.", at(*n)),
        "Section 4",
        vec![point],
        "",
    )
}

/// Sixteen times the elements take little more time below the knee, and much more above it. Both meet at the square root
/// of sixteen.
fn knee(rows: &Rows<'_>) -> Claim {
    let grows = |from: u64, to: u64| {
        move |rows: &Rows<'_>| Some(rows.ms(HORN, &compacted(to))? / rows.ms(HORN, &compacted(from))?)
    };
    let (below, above) = (KNEE / 16, KNEE * 16);
    let points = vec![
        Point::ratio(
            rows,
            format!("time {} over that {}", at(KNEE), at(below)),
            Rule::at_most(2.0, 4.0),
            grows(below, KNEE),
        )
        .says("little"),
        Point::ratio(
            rows,
            format!("time {} over that {}", at(above), at(KNEE)),
            Rule::at_least(2.0, 4.0),
            grows(KNEE, above),
        )
        .says("a sharp rise"),
    ];
    let text = "The time of Horn's compaction rises sharply past 4,096 elements, where by our reading \
                the degree of parallelism ends.";
    claim(text, "Sections 2.2 and 4", points, "the degree of parallelism is that of the device")
}

fn below_the_degree(rows: &Rows<'_>) -> Claim {
    let point = |n: u64| {
        Point::ratio(rows, format!("Blelloch's time over Horn's, {}", at(n)), Rule::more(), move |rows| {
            rows.factor(BLELLOCH, HORN, &Case::scan(n))
        })
        .says("slower")
    };
    let text = "Below the degree of parallelism, 4,096 elements as we read the paper, the work-efficient \
                scan is slower than Horn's.";
    claim(
        text,
        "Sections 2.4 and 4",
        SHORT.map(point).into(),
        "it makes more passes, which cost much the same there whatever they add",
    )
}

fn large_arrays(rows: &Rows<'_>, bounds: &Bounds) -> Claim {
    let point = |Length { n, .. }: &Length| {
        Point::ratio(rows, format!("Horn's time over Blelloch's, {}", at(*n)), Rule::more(), |rows| {
            rows.factor(HORN, BLELLOCH, &Case::scan(*n))
        })
        .says("faster")
        .in_quick_runs_too()
    };
    let text = "On long arrays, the work-efficient scan is faster than Horn's.";
    claim(text, "Section 2.3.2", lengths(bounds).map(point).collect(), "")
}

/// With the best of the numbers of reduce steps that were tried: the paper tunes it.
fn fastest_of_three(rows: &Rows<'_>, bounds: &Bounds) -> Claim {
    let point = |Length { n, tried, .. }: &Length| {
        let case = Case::scan(*n);
        let found = rows.greatest(tried.len(), |rows, index| {
            let parent = rows.ms(HORN, &case)?.min(rows.ms(BLELLOCH, &case)?);
            Some(parent / rows.ms(&hybrid(tried[index]), &case)?)
        });
        let told = tried.map(|steps| steps.to_string()).join(", ");
        let what =
            format!("the faster parent's time over the hybrid's, {}, best of {told} reduce steps", at(*n));
        Point::new(what, None, Rule::more(), found, times).says("faster")
    };
    let text = "On long arrays the hybrid is the fastest of the three scans: faster than Horn's, and than \
                the work-efficient one.";
    claim(text, "Section 2.4", lengths(bounds).map(point).collect(), "")
}

fn scan_alone(rows: &Rows<'_>) -> Claim {
    let points = LENGTHS.iter().map(|Length { n, steps, .. }| {
        let what = format!("{}, {steps} reduce steps", at(*n));
        Point::factor(rows, what, LENGTHS[1].factor, [HORN, &hybrid(*steps)], &Case::scan(*n))
    });
    let text = "The hybrid scan alone is 4 times as fast as Horn's scan, for sizes up to 2^20.";
    claim(text, "Section 5", points.collect(), "")
}

/// The fixed cost of the passes that switch, as a share of the whole time. It is a bound from above, so no share shows
/// the opposite.
fn framebuffers(rows: &Rows<'_>, bounds: &Bounds) -> Claim {
    let point = |Length { n, steps, .. }: &Length| {
        let tiny = compacted(TINY);
        let passes = rows.row(HORN, &tiny).map(|row| row.passes as f64);
        let share = |rows: &Rows<'_>| {
            let switch = rows.ms(HORN, &tiny)? / passes?;
            Some(f64::from(*steps) * switch / rows.ms(&compaction(*steps), &compacted(*n))?)
        };
        let rule = Rule::of(&[(0.25, Verdict::Reproduced)], Verdict::Weaker);
        let what = format!("share of {steps} switches in the time, at most, {}", at(*n));
        Point::new(what, None, rule, rows.estimate(share), |share| format!("{:.1}%", 100.0 * share))
            .says("no bottleneck")
            .in_quick_runs_too()
    };
    let text = "Switching framebuffer objects for each reduce pass is no bottleneck.";
    let why = "every pass of this engine switches; the cost of one switch is the time of Horn's compaction \
               of 256 elements, divided by its passes, so it contains a launch and is a bound from above, \
               which cannot show the opposite";
    claim(text, "Section 3", lengths(bounds).map(point).collect(), why)
}

fn constant_cost(rows: &Rows<'_>, bounds: &Bounds) -> Claim {
    let point = |Length { n, steps, .. }: &Length| {
        let added = |rows: &Rows<'_>| {
            let horn = rows.ms(HORN, &compacted(*n))? - rows.ms(HORN, &Case::scan(*n))?;
            let other =
                rows.ms(&compaction(*steps), &compacted(*n))? - rows.ms(&hybrid(*steps), &Case::scan(*n))?;
            Some(horn / other).filter(|ratio| ratio.is_finite())
        };
        let what = format!("what it adds to Horn's scan over what it adds to the hybrid, {}", at(*n));
        Point::new(what, Some(1.0), Rule::near(1.0, 1.25, 2.0), rows.estimate(added), times).says("the same")
    };
    let text = "A compaction adds a constant cost to the scan, for a given size: the same to Horn's scan \
                and to the hybrid.";
    claim(text, "Section 4", lengths(bounds).map(point).collect(), "")
}

fn readback(rows: &Rows<'_>, bounds: &Bounds) -> Claim {
    let Length { n, steps, .. } = read_back(bounds);
    let [few, many] = READ_BACK.map(|share| Case::compact(*n, share));
    let both = [HORN.to_owned(), compaction(*steps)];
    let ms = |rows: &Rows<'_>, name: &str, case: &Case| rows.once(name, case, |row| row.readback_ms);
    let names = ["Horn's", "the hybrid's"];
    let mut points: Vec<Point> = both
        .iter()
        .zip(names)
        .map(|(name, whose)| {
            let grows = |rows: &Rows<'_>| Some(ms(rows, name, &many)? / ms(rows, name, &few)?);
            Point::ratio(
                rows,
                format!("{whose} readback with 90% kept over that with 10%"),
                Rule::more(),
                grows,
            )
            .says("slower")
        })
        .collect();
    let same = |rows: &Rows<'_>| Some(ms(rows, &both[1], &many)? / ms(rows, &both[0], &many)?);
    let what = "the hybrid's readback over Horn's with 90% kept";
    points.push(
        Point::new(what, Some(1.0), Rule::near(1.0, 1.5, 3.0), rows.estimate(same), times).says("the same"),
    );
    let text =
        "Reading the result back takes longer the more elements are kept, and as long for both compactions.";
    let why = format!(
        "a readback is of what is kept, {}, and is timed once a process on the CPU's clock, where single times can be far off",
        at(*n)
    );
    claim(text, "Section 4", points, &why)
}
