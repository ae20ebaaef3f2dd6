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
    let short = |n: u64| (n, rows.speed([BLELLOCH, HORN], &Case::scan(n)));
    claims.push(at_each("below_the_degree", SHORT.map(short)));
    let long =
        |Length { n, .. }: &Length| (*n, rows.speed([HORN, BLELLOCH], &Case::scan(*n)).in_quick_runs_too());
    claims.push(at_each("large_arrays", lengths(bounds).map(long)));
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

/// A claim with a number at each of these lengths.
fn at_each(name: &str, found: impl IntoIterator<Item = (u64, Lookup)>) -> Claim {
    let claim = statement(KEY, name);
    claim.with_points(&[], found.into_iter().map(|(n, found)| claim.point(0, &[("at", &at(n))], found)))
}

/// Three readings of the words: it falls, it is level at 9, and it is not level at half as many steps.
fn levels_off(rows: &PaperRows<'_>, bounds: &Bounds, n: u64) -> Claim {
    let case = compacted(n);
    let over_level = |steps: u32| rows.speed([&compaction(steps), &compaction(LEVEL)], &case);
    let best = rows.estimate(|rows| {
        let all: Option<Vec<f64>> =
            steps(bounds, n).into_iter().map(|steps| rows.ms(&compaction(steps), &case)).collect();
        let best = all?.into_iter().fold(f64::INFINITY, f64::min);
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
    let claim = statement(KEY, "scan_alone");
    let point = |Length { n, steps, .. }: &Length| {
        let found = rows.speed([HORN, &hybrid(*steps)], &Case::scan(*n));
        claim.point(0, &[("at", &at(*n)), ("steps", steps)], found)
    };
    claim.with_points(&[], LENGTHS.iter().map(point))
}

/// The fixed cost of the passes that switch, as a share of the whole time. It is a bound from above, so no share shows
/// the opposite.
fn framebuffers(rows: &PaperRows<'_>, bounds: &Bounds) -> Claim {
    let claim = statement(KEY, "framebuffers");
    let point = |Length { n, steps, .. }: &Length| {
        let tiny = compacted(TINY);
        let passes = rows.row(HORN, &tiny).map(|row| row.passes as f64);
        let share = rows.estimate(|rows| {
            let switch = rows.ms(HORN, &tiny)? / passes?;
            Some(f64::from(*steps) * switch / rows.ms(&compaction(*steps), &compacted(*n))?)
        });
        claim.point(0, &[("at", &at(*n)), ("steps", steps)], share.in_quick_runs_too())
    };
    claim.with_points(&[], lengths(bounds).map(point))
}

fn constant_cost(rows: &PaperRows<'_>, bounds: &Bounds) -> Claim {
    let added = |Length { n, steps, .. }: &Length| {
        let found = rows.estimate(|rows| {
            let horn = rows.ms(HORN, &compacted(*n))? - rows.ms(HORN, &Case::scan(*n))?;
            let other =
                rows.ms(&compaction(*steps), &compacted(*n))? - rows.ms(&hybrid(*steps), &Case::scan(*n))?;
            Some(horn / other).filter(|ratio| ratio.is_finite())
        });
        (*n, found)
    };
    at_each("constant_cost", lengths(bounds).map(added))
}

fn readback(rows: &PaperRows<'_>, bounds: &Bounds) -> Claim {
    let Length { n, steps, .. } = read_back(bounds);
    let [few, many] = READ_BACK.map(|share| Case::compact(*n, share));
    let hybrid = compaction(*steps);
    let ms = |rows: &PaperRows<'_>, name: &str, case: &Case| rows.once(name, case, |row| row.readback_ms);
    let over = |[more, less]: [(&str, &Case); 2]| {
        rows.estimate(|rows| Some(ms(rows, more.0, more.1)? / ms(rows, less.0, less.1)?))
    };
    let found = [
        [(HORN, &many), (HORN, &few)],
        [(&*hybrid, &many), (&*hybrid, &few)],
        [(&*hybrid, &many), (HORN, &many)],
    ];
    statement(KEY, "readback").judge(&[("at", &at(*n))], found.map(over))
}
