//! Sections IV and V-A: how time depends on the length, the size of blocks, the share kept and the variants.

use super::setup::{
    BEST, FIGURES, GLOBAL_HYBRID, INNER_BLELLOCH, PAPER, PLAIN, SHARE, SHORTEST, compacted, long, longest,
    shares, sized, sizes, table_1,
};
use crate::case::{Case, length};
use crate::report::page::{Claim, Verdict};
use crate::reproduce::effort::Bounds;
use crate::reproduce::judge::{Point, Rule, claim, times};
use crate::reproduce::paper::at;
use crate::reproduce::rows::Rows;

/// Hillis and Steele's scan in blocks is said to be the faster one up to here.
const SHORT: u64 = 1 << 20;
/// Blocks smaller than the best, and larger ones.
const OTHERS: [u32; 2] = [8, 512];

pub fn claims(rows: &Rows<'_>, bounds: &Bounds) -> Vec<Claim> {
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
    ]
}

/// Milliseconds for each further element from one length to another.
fn slope(rows: &Rows<'_>, size: u32, [from, to]: [u64; 2]) -> Option<f64> {
    let name = sized(size);
    let [less, more] = [rows.ms(&name, &compacted(from))?, rows.ms(&name, &compacted(to))?];
    Some((more - less) / (to - from) as f64)
}

/// Two slopes, which are equal if time is a line. What a run costs without elements, its launches, is in neither.
fn linear(rows: &Rows<'_>, bounds: &Bounds) -> Claim {
    let [a, b, c] = longest(bounds);
    let point = |size: u32| {
        let found = rows.estimate(|rows| Some(slope(rows, size, [b, c])? / slope(rows, size, [a, b])?));
        let rule = Rule::near(1.0, 1.25, 2.0);
        Point::new(
            format!("the later slope over the earlier one, blocks of {size}"),
            Some(1.0),
            rule,
            found,
            times,
        )
        .says("a line")
    };
    let points = [OTHERS[0], BEST, OTHERS[1]].map(point).into();
    let why = format!(
        "the slopes are the times for a further element from {} to {}, and from there to {}; n log n would \
         give 1.1, so that only a count can tell n from n log n",
        length(a),
        length(b),
        length(c)
    );
    let text = "Time is linear in the number of elements, for each size of blocks.";
    claim(text, "Section V-A and figure 8", points, &why)
}

fn slope_by_size(rows: &Rows<'_>, bounds: &Bounds) -> Claim {
    let [a, _, c] = longest(bounds);
    let over = |rows: &Rows<'_>| {
        let slopes = [OTHERS[0], BEST, OTHERS[1]].map(|size| slope(rows, size, [a, c]));
        let slopes = slopes.into_iter().collect::<Option<Vec<f64>>>()?;
        let flattest = slopes.iter().copied().fold(f64::INFINITY, f64::min);
        Some(slopes.into_iter().fold(0.0, f64::max) / flattest)
    };
    let what = format!(
        "the steepest slope over the flattest, blocks of {}, {BEST} and {}, from {} to {}",
        OTHERS[0],
        OTHERS[1],
        length(a),
        length(c)
    );
    let point = Point::ratio(rows, what, Rule::more(), over).says("it depends");
    let text = "The slope of that line depends on the size of blocks.";
    claim(text, "Section V-A and figure 8", vec![point], "")
}

/// 64 is the best size where no other is 2% faster.
fn best_size(rows: &Rows<'_>, bounds: &Bounds) -> Claim {
    let point = |n: u64| {
        let sizes = sizes(bounds, n);
        let over = |rows: &Rows<'_>| {
            let all: Option<Vec<f64>> =
                sizes.iter().map(|size| rows.ms(&sized(*size), &compacted(n))).collect();
            let best = all?.into_iter().fold(f64::INFINITY, f64::min);
            Some(rows.ms(&sized(BEST), &compacted(n))? / best)
        };
        let what =
            format!("time with blocks of {BEST} over that with the best of {} sizes, {}", sizes.len(), at(n));
        Point::ratio(rows, what, Rule::at_most(1.02, 1.25), over).says("the best")
    };
    let text = "The best size of blocks is 64, for streams up to 16 million elements.";
    claim(text, "Section V-A and figure 11", long(bounds).into_iter().map(point).collect(), "")
}

/// The shortest and the longest time over all shares.
fn range_of_shares(rows: &Rows<'_>, bounds: &Bounds) -> Option<(f64, f64)> {
    let all = shares(bounds).into_iter().map(|share| rows.ms(PAPER, &Case::compact(FIGURES, share)));
    let all: Option<Vec<f64>> = all.collect();
    Some(all?.into_iter().fold((f64::INFINITY, 0.0), |(least, most), ms| (least.min(ms), most.max(ms))))
}

/// Most are unwanted, or most are kept; in quick runs, too.
const SHARES_BELOW: [(f64, &str); 4] = [
    (0.0, "where none is kept"),
    (0.2, "where 20% are kept"),
    (0.8, "where 80% are kept"),
    (1.0, "where all are kept"),
];

/// The paper has this for one length.
fn slowest_share(rows: &Rows<'_>, bounds: &Bounds) -> Claim {
    let ms = |rows: &Rows<'_>, share: f64| rows.ms(PAPER, &Case::compact(FIGURES, share));
    let slowest = |rows: &Rows<'_>| Some(range_of_shares(rows, bounds)?.1 / ms(rows, 0.7)?);
    let what = "time at the slowest share over that at 70%";
    let mut points =
        vec![Point::ratio(rows, what, Rule::at_most(1.1, 1.25), slowest).says("70% is the slowest")];
    for (share, words) in SHARES_BELOW {
        let over = move |rows: &Rows<'_>| Some(ms(rows, 0.7)? / ms(rows, share)?);
        let what = format!("time at 70% over that {words}");
        points.push(Point::ratio(rows, what, Rule::more(), over).says("slower"));
    }
    let text = "It takes longest where near 70% of the elements are kept, and less where most are kept or most are not, at 2^22.";
    claim(text, "Section V-A and figure 9", points, "")
}

fn small_variations(rows: &Rows<'_>, bounds: &Bounds) -> Claim {
    let over = |rows: &Rows<'_>| range_of_shares(rows, bounds).map(|(least, most)| most / least);
    let what = "time at the slowest share over that at the fastest";
    let point = Point::ratio(rows, what, Rule::at_most(1.25, 2.0), over).says("relatively small");
    let text = "The variations with the share kept are relatively small, at 2^22.";
    claim(text, "Section V-A and figure 9", vec![point], "")
}

fn difficult_share(rows: &Rows<'_>, bounds: &Bounds) -> Claim {
    let own = Case::compact(FIGURES, SHARE);
    let over = |rows: &Rows<'_>| Some(range_of_shares(rows, bounds)?.1 / rows.ms(PAPER, &own)?);
    let what = "time at the slowest share over that at 60%";
    let point = Point::ratio(rows, what, Rule::at_most(1.1, 1.25), over).says("a difficult case");
    let text = "The share of all other timings, 60%, is a difficult case, at 2^22.";
    claim(text, "Section V-A", vec![point], "")
}

/// They save a fifth of the time: a factor of 1.25.
fn optimisations(rows: &Rows<'_>, bounds: &Bounds) -> Claim {
    let paper = 1.0 / (1.0 - 0.2);
    let point =
        |n: u64| Point::factor(rows, at(n), paper, [PLAIN, PAPER], &compacted(n)).says("1.25x (20% saved)");
    let text = "The two optimisations for new hardware save about 20% of the time.";
    let why = "the first draws each line once, and a geometry shader wraps it; the loop of the second, the \
               improved search, ends where an element is found, which costs where neighbours must wait for \
               each other";
    claim(text, "Section V-A and figure 12", long(bounds).into_iter().map(point).collect(), why)
}

/// The lengths of table I, up to 16 million.
fn of_table() -> impl Iterator<Item = u64> {
    table_1().column("Blelloch").into_iter().map(|(n, _)| n as u64)
}

fn inner_over(rows: &Rows<'_>, n: u64) -> Option<f64> {
    rows.factor(INNER_BLELLOCH, PAPER, &compacted(n))
}

fn inner_scans(rows: &Rows<'_>) -> Claim {
    let point = |n: u64| {
        let (rule, says) = match n <= SHORT {
            true => (Rule::of(&[(1.0, Verdict::Opposite)], Verdict::Reproduced), "slower"),
            false => (Rule::of(&[(1.0, Verdict::Reproduced)], Verdict::Opposite), "slightly faster"),
        };
        let what = format!("Blelloch's time over Hillis and Steele's, {}", at(n));
        Point::ratio(rows, what, rule, move |rows| inner_over(rows, n)).says(says)
    };
    let text = "Hillis and Steele's scan wins up to a million elements, Blelloch's from four million on.";
    let why = "both in blocks and for their counts; reduce and down-sweep make twice as many passes, each \
               of fewer texels that are more scattered";
    claim(text, "Section IV", of_table().map(point).collect(), why)
}

fn inner_scans_are_near(rows: &Rows<'_>) -> Claim {
    let point = |n: u64| {
        let what = format!("Blelloch's time over Hillis and Steele's, {}", at(n));
        let rule = Rule::near(1.0, 1.1, 1.25);
        Point::ratio(rows, what, rule, move |rows| inner_over(rows, n)).says("less than 10%")
    };
    let text = "The times with Hillis and Steele's scan and with Blelloch's differ by less than 10%.";
    claim(text, "Section IV", of_table().map(point).collect(), "both in blocks and for their counts")
}

fn no_great_gain(rows: &Rows<'_>, bounds: &Bounds) -> Claim {
    let point = |n: u64| {
        let over = move |rows: &Rows<'_>| rows.factor(PAPER, GLOBAL_HYBRID, &compacted(n));
        let what = format!("speed with the hybrid over that with Hillis and Steele's scan, {}", at(n));
        Point::ratio(rows, what, Rule::at_most(1.25, 2.0), over).says("no spectacular speed-up")
    };
    let text = "The hybrid scan would give no spectacular speed-up.";
    let why = "the hybrid scans the blocks' counts here, a small part of the time: this program has no \
               hybrid inside blocks";
    let lengths = long(bounds).into_iter().filter(|n| *n > SHORTEST);
    claim(text, "Section IV", lengths.map(point).collect(), why)
}
