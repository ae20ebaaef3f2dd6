//! Sections IV and V-A: how time depends on the length, the size of blocks, the share kept and the variants.

use super::setup::{
    BEST, FIGURES, GLOBAL_HYBRID, INNER_BLELLOCH, INNER_HYBRID, KEY, PAPER, PLAIN, SHARE, SHORTEST,
    compacted, long, longest, shares, sized, sizes, table_1,
};
use crate::case::{Case, length};
use crate::report::page::Claim;
use crate::reproduce::effort::Bounds;
use crate::reproduce::paper::at;
use crate::reproduce::rows::{Lookup, PaperRows};
use crate::reproduce::statements::statement;

/// Hillis and Steele's scan in blocks is said to be the faster one up to here.
const SHORT: u64 = 1 << 20;
/// Blocks smaller than the best, and larger ones.
const OTHERS: [u32; 2] = [8, 512];

pub fn claims(rows: &PaperRows<'_>, bounds: &Bounds) -> Vec<Claim> {
    vec![
        linear(rows, bounds),
        slope_by_size(rows, bounds),
        best_size(rows, bounds),
        slowest_share(rows, bounds),
        small_variations(rows, bounds),
        difficult_share(rows, bounds),
        optimisations(rows, bounds),
        inner_scans(rows),
        inner_scans_are_near(rows),
        no_great_gain(rows, bounds),
        no_great_gain_in_blocks(rows, bounds),
    ]
}

/// Milliseconds for each further element from one length to another.
fn slope(rows: &PaperRows<'_>, size: u32, [from, to]: [u64; 2]) -> Option<f64> {
    let name = sized(size);
    let [less, more] = [rows.ms(&name, &compacted(from))?, rows.ms(&name, &compacted(to))?];
    Some((more - less) / (to - from) as f64)
}

/// Two slopes, which are equal if time is a line. What a run costs without elements, its launches, is in neither.
fn linear(rows: &PaperRows<'_>, bounds: &Bounds) -> Claim {
    let claim = statement(KEY, "linear");
    let [a, b, c] = longest(bounds);
    let point = |size: u32| {
        let found = rows.estimate(|rows| Some(slope(rows, size, [b, c])? / slope(rows, size, [a, b])?));
        claim.point(0, &[("size", &size)], found)
    };
    claim.with_points(
        &[("a", &length(a)), ("b", &length(b)), ("c", &length(c))],
        [OTHERS[0], BEST, OTHERS[1]].map(point),
    )
}

fn slope_by_size(rows: &PaperRows<'_>, bounds: &Bounds) -> Claim {
    let [a, _, c] = longest(bounds);
    let found = rows.estimate(|rows| {
        let [small, best, large] = [OTHERS[0], BEST, OTHERS[1]].map(|size| slope(rows, size, [a, c]));
        let (small, best, large) = (small?, best?, large?);
        Some(small.max(best).max(large).max(0.0) / small.min(best).min(large))
    });
    statement(KEY, "slope_by_size").judge(&[("a", &length(a)), ("c", &length(c))], [found])
}

/// 64 is the best size where no other is 2% faster.
fn best_size(rows: &PaperRows<'_>, bounds: &Bounds) -> Claim {
    let claim = statement(KEY, "best_size");
    let point = |n: u64| {
        let names: Vec<String> = sizes(bounds, n).iter().map(|size| sized(*size)).collect();
        let found = rows.estimate(|rows| {
            let best = rows.least(&names, &compacted(n))?;
            Some(rows.ms(&sized(BEST), &compacted(n))? / best)
        });
        claim.point(0, &[("BEST", &BEST), ("sizes", &names.len()), ("at", &at(n))], found)
    };
    claim.with_points(&[], long(bounds).into_iter().map(point))
}

/// The shortest and the longest time over all shares.
fn range_of_shares(rows: &PaperRows<'_>, bounds: &Bounds) -> Option<(f64, f64)> {
    let all = shares(bounds).into_iter().map(|share| rows.ms(PAPER, &Case::compact(FIGURES, share)));
    let all: Option<Vec<f64>> = all.collect();
    Some(all?.into_iter().fold((f64::INFINITY, 0.0), |(least, most), ms| (least.min(ms), most.max(ms))))
}

/// The paper has this for one length.
fn slowest_share(rows: &PaperRows<'_>, bounds: &Bounds) -> Claim {
    let ms = |rows: &PaperRows<'_>, share: f64| rows.ms(PAPER, &Case::compact(FIGURES, share));
    let slowest = rows.estimate(|rows| Some(range_of_shares(rows, bounds)?.1 / ms(rows, 0.7)?));
    let below = |share: f64| rows.estimate(|rows| Some(ms(rows, 0.7)? / ms(rows, share)?));
    // Most are unwanted, or most are kept; in quick runs, too.
    let below = [0.0, 0.2, 0.8, 1.0].map(below);
    statement(KEY, "slowest_share").judge(&[], [slowest].into_iter().chain(below))
}

fn small_variations(rows: &PaperRows<'_>, bounds: &Bounds) -> Claim {
    let over = rows.estimate(|rows| range_of_shares(rows, bounds).map(|(least, most)| most / least));
    statement(KEY, "small_variations").judge(&[], [over])
}

fn difficult_share(rows: &PaperRows<'_>, bounds: &Bounds) -> Claim {
    let own = Case::compact(FIGURES, SHARE);
    let over = rows.estimate(|rows| Some(range_of_shares(rows, bounds)?.1 / rows.ms(PAPER, &own)?));
    statement(KEY, "difficult_share").judge(&[], [over])
}

/// They save a fifth of the time: a factor of 1.25.
fn optimisations(rows: &PaperRows<'_>, bounds: &Bounds) -> Claim {
    let found = |n| rows.speed([PLAIN, PAPER], &compacted(n));
    statement(KEY, "optimisations").at_each(&[], long(bounds), found)
}

/// The lengths of table I, up to 16 million.
fn of_table() -> impl Iterator<Item = u64> {
    table_1().column("Blelloch").into_iter().map(|(n, _)| n as u64)
}

fn inner_scans(rows: &PaperRows<'_>) -> Claim {
    let claim = statement(KEY, "inner_scans");
    let point = |n| claim.point((n > SHORT).into(), &[("at", &at(n))], over_inner(rows, n));
    claim.with_points(&[], of_table().map(point))
}

fn inner_scans_are_near(rows: &PaperRows<'_>) -> Claim {
    statement(KEY, "inner_scans_are_near").at_each(&[], of_table(), |n| over_inner(rows, n))
}

/// The speed of Hillis and Steele's scan in blocks relative to Blelloch's.
fn over_inner(rows: &PaperRows<'_>, n: u64) -> Lookup {
    rows.speed([INNER_BLELLOCH, PAPER], &compacted(n))
}

fn no_great_gain(rows: &PaperRows<'_>, bounds: &Bounds) -> Claim {
    let lengths = long(bounds).into_iter().filter(|n| *n > SHORTEST);
    let found = |n| rows.speed([PAPER, GLOBAL_HYBRID], &compacted(n));
    statement(KEY, "no_great_gain").at_each(&[], lengths, found)
}

fn no_great_gain_in_blocks(rows: &PaperRows<'_>, bounds: &Bounds) -> Claim {
    let scans = [PAPER, INNER_BLELLOCH].map(str::to_owned);
    let found = |n| {
        let case = compacted(n);
        rows.estimate(|rows| Some(rows.least(&scans, &case)? / rows.ms(INNER_HYBRID, &case)?))
    };
    statement(KEY, "no_great_gain_in_blocks").at_each(&[], long(bounds), found)
}
