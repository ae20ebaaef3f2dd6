//! Claims that are timed.

use super::setup::{
    BLELLOCH, HALF, HORN, KEY, KNEE, LENGTHS, LEVEL, Length, READ_BACK, SHARE, SHORT, TINY, compaction,
    hybrid, lengths, read_back, steps,
};
use crate::case::Case;
use crate::report::page::Claim;
use crate::reproduce::effort::Bounds;
use crate::reproduce::paper::at;
use crate::reproduce::rows::{Lookup, PaperRows};
use crate::reproduce::statements::statement;

pub fn claims(rows: &PaperRows<'_>, bounds: &Bounds) -> Vec<Claim> {
    let mut claims = Vec::new();
    claims.extend(LENGTHS.iter().map(|length| levels_off(rows, bounds, length.n)));
    claims.extend(LENGTHS.iter().map(|length| faster(rows, length)));
    claims.push(knee(rows));
    let short = |n| rows.speed([BLELLOCH, HORN], &Case::scan(n));
    claims.push(statement(KEY, "below_the_degree").at_each(&[], SHORT, short));
    let long = |n| rows.speed([HORN, BLELLOCH], &Case::scan(n));
    claims.push(statement(KEY, "large_arrays").at_each(&[], lengths(bounds).map(|length| length.n), long));
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

/// A claim with a number at each of these lengths, with the paper's reduce steps for it.
fn with_steps<'a>(
    name: &str,
    lengths: impl Iterator<Item = &'a Length>,
    found: impl Fn(u64, u32) -> Lookup,
) -> Claim {
    let claim = statement(KEY, name);
    let point = |&Length { n, steps, .. }: &Length| {
        claim.point(0, &[("at", &at(n)), ("steps", &steps)], found(n, steps))
    };
    claim.with_points(&[], lengths.map(point))
}

/// Three readings of the words: it falls, it is level at 9, and it is not level at half as many steps.
fn levels_off(rows: &PaperRows<'_>, bounds: &Bounds, n: u64) -> Claim {
    let case = compacted(n);
    let over_level = |steps: u32| rows.speed([&compaction(steps), &compaction(LEVEL)], &case);
    let names: Vec<String> = steps(bounds, n).into_iter().map(compaction).collect();
    let best = rows.estimate(|rows| {
        let best = rows.least(&names, &case)?;
        Some(rows.ms(&compaction(LEVEL), &case)? / best)
    });
    statement(KEY, "levels_off").judge(
        &[("At", &at(n).replacen('a', "A", 1)), ("LEVEL", &LEVEL), ("HALF", &HALF)],
        [over_level(0), over_level(HALF), best],
    )
}

fn faster(rows: &PaperRows<'_>, Length { n, steps, factor, .. }: &Length) -> Claim {
    let found = rows.speed([HORN, &compaction(*steps)], &compacted(*n));
    statement(KEY, "faster").judge(&[("at", &at(*n)), ("steps", steps), ("factor", factor)], [found])
}

/// Sixteen times the elements take little more time below the knee, and much more above it. Both meet at the square root
/// of sixteen.
fn knee(rows: &PaperRows<'_>) -> Claim {
    let grows = |from: u64, to: u64| {
        rows.estimate(|rows| Some(rows.ms(HORN, &compacted(to))? / rows.ms(HORN, &compacted(from))?))
    };
    let (below, above) = (KNEE / 16, KNEE * 16);
    statement(KEY, "knee").judge(
        &[("knee", &at(KNEE)), ("below", &at(below)), ("above", &at(above))],
        [grows(below, KNEE), grows(KNEE, above)],
    )
}

/// With the best of the numbers of reduce steps that were tried: the paper tunes it.
fn fastest_of_three(rows: &PaperRows<'_>, bounds: &Bounds) -> Claim {
    let claim = statement(KEY, "fastest_of_three");
    let point = |Length { n, tried, .. }: &Length| {
        let case = Case::scan(*n);
        let found = rows.greatest(tried.len(), |rows, index| {
            let parent = rows.ms(HORN, &case)?.min(rows.ms(BLELLOCH, &case)?);
            Some(parent / rows.ms(&hybrid(tried[index]), &case)?)
        });
        let tried = tried.map(|steps| steps.to_string()).join(", ");
        claim.point(0, &[("at", &at(*n)), ("tried", &tried)], found)
    };
    claim.with_points(&[], lengths(bounds).map(point))
}

fn scan_alone(rows: &PaperRows<'_>) -> Claim {
    let found = |n, steps| rows.speed([HORN, &hybrid(steps)], &Case::scan(n));
    with_steps("scan_alone", LENGTHS.iter(), found)
}

/// The fixed cost of the passes that switch, as a share of the whole time. It is a bound from above, so no share shows
/// the opposite.
fn framebuffers(rows: &PaperRows<'_>, bounds: &Bounds) -> Claim {
    let tiny = compacted(TINY);
    let passes = rows.row(HORN, &tiny).map(|row| row.passes as f64);
    with_steps("framebuffers", lengths(bounds), |n, steps| {
        rows.estimate(|rows| {
            let switch = rows.ms(HORN, &tiny)? / passes?;
            Some(f64::from(steps) * switch / rows.ms(&compaction(steps), &compacted(n))?)
        })
    })
}

fn constant_cost(rows: &PaperRows<'_>, bounds: &Bounds) -> Claim {
    with_steps("constant_cost", lengths(bounds), |n, steps| {
        rows.estimate(|rows| {
            let added = |with: &str, alone: &str| {
                Some(rows.ms(with, &compacted(n))? - rows.ms(alone, &Case::scan(n))?)
            };
            let ratio = added(HORN, HORN)? / added(&compaction(steps), &hybrid(steps))?;
            Some(ratio).filter(|ratio| ratio.is_finite())
        })
    })
}

fn readback(rows: &PaperRows<'_>, bounds: &Bounds) -> Claim {
    let Length { n, steps, .. } = read_back(bounds);
    let [few, many] = READ_BACK.map(|share| Case::compact(*n, share));
    let hybrid = compaction(*steps);
    let over = |[more, less]: [(&str, &Case); 2]| {
        rows.estimate(|rows| Some(rows.readback(more.0, more.1)? / rows.readback(less.0, less.1)?))
    };
    let found = [
        [(HORN, &many), (HORN, &few)],
        [(&*hybrid, &many), (&*hybrid, &few)],
        [(&*hybrid, &many), (HORN, &many)],
    ];
    statement(KEY, "readback").judge(&[("at", &at(*n))], found.map(over))
}
