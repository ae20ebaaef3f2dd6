//! roger2007: blocks, concatenated by drawing lines.

use crate::case::{Case, length};
use crate::cell::Cell;
use crate::report::chart::{Bar, Bars, Figure, Lines, Mark, Panel, Role, Scale, Segment};
use crate::report::page::{Claim, Compared, Section, Table, Verdict};
use crate::reproduce::effort::Bounds;
use crate::reproduce::judge::{self, Factor, compared};
use crate::reproduce::paper::{at, axis, cell, section as new_section, series, times};
use crate::reproduce::rows::Rows;

/// If not stated otherwise, the paper's share.
const SHARE: f64 = 0.6;
const BLOCKS: &str = "blocks";
const HORN: &str = "horn";
const BLELLOCH: &str = "horn:scan=blelloch";
const GEOMETRY: &str = "geometry";
const INNER_BLELLOCH: &str = "blocks:inner=blelloch";
/// Blocks with both optimisations of figure 12, and with neither.
const OPTIMISED: &str = "blocks:search=while,wrap=geometry";
const PLAIN: &str = "blocks:search=for,wrap=twice";
const COPY: &str = "copy:texture";
const SIZES: [u32; 8] = [8, 16, 32, 64, 128, 256, 512, 1024];

/// A length, and how many times as fast blocks are as Horn's, Blelloch's and geometry shaders.
type Line = (u64, Option<f64>, f64, Option<f64>);

/// Table I.
const TABLE: [Line; 4] = [
    (1 << 18, Some(5.5), 3.9, Some(1.5)),
    (1 << 20, Some(7.8), 3.7, Some(1.9)),
    (1 << 22, Some(9.1), 3.6, Some(2.0)),
    (1 << 24, None, 4.8, None),
];

/// The length of figures 9 and 10.
const FIGURES: u64 = 1 << 22;

/// The length at which block sizes and shares are measured: the paper's, unless that is too long for this run.
fn fixed(bounds: &Bounds) -> u64 {
    FIGURES.min(1 << bounds.texture)
}

fn lengths(bounds: &Bounds) -> Vec<u32> {
    bounds.within(bounds.texture, [12, 14, 16, 18, 20, 22, 24])
}

fn shares(bounds: &Bounds) -> Vec<f64> {
    let step = if bounds.quick { 2 } else { 1 };
    let mut tenths: Vec<u32> = (0..=10).step_by(step).collect();
    if bounds.quick {
        tenths.push(7);
    }
    tenths.into_iter().map(|tenth| f64::from(tenth) / 10.0).collect()
}

fn of_shares(bounds: &Bounds, share: f64) -> Case {
    Case::compact(fixed(bounds), share)
}

fn blocks_of(size: u32) -> String {
    format!("blocks:size={size}")
}

pub fn cells(bounds: &Bounds) -> Vec<Cell> {
    let mut cells = Vec::new();
    for n in lengths(bounds).into_iter().map(|log2| 1u64 << log2) {
        let mut names = vec![COPY, BLOCKS, HORN, BLELLOCH, GEOMETRY];
        if n >= 1 << 18 {
            names.extend([INNER_BLELLOCH, OPTIMISED, PLAIN]);
        }
        cells.push(cell(Case::compact(n, SHARE), &names));
    }
    let sizes: Vec<String> = SIZES.into_iter().map(blocks_of).collect();
    let sizes: Vec<&str> = sizes.iter().map(String::as_str).collect();
    cells.push(Cell { phases: true, ..cell(of_sizes(bounds), &sizes) });
    // The paper's share is in the cells above.
    for share in shares(bounds).into_iter().filter(|share| *share != SHARE) {
        cells.push(cell(of_shares(bounds, share), &[BLOCKS]));
    }
    cells
}

fn of_sizes(bounds: &Bounds) -> Case {
    Case::compact(fixed(bounds), SHARE)
}

pub fn section(rows: &Rows<'_>, bounds: &Bounds) -> Section {
    let mut section = new_section(
        "roger2007",
        "Stream reduction by blocks and lines",
        "D. Roger, U. Assarsson, N. Holzschuch: Efficient Stream Reduction on the GPU. Workshop on General Purpose \
         Processing on Graphics Processing Units, 2007.",
    );
    section.notes.push(
        "u32, of which 60% are kept, evenly spread. `blocks` has the paper's parameters: blocks of 64, Hillis and Steele \
         in blocks. The paper's card was a GeForce 8800 GTS."
            .into(),
    );
    section.claims = speed_ups(rows);
    section.claims.push(linear(rows, bounds));
    section.claims.push(best_size(rows, bounds));
    section.claims.push(slowest_share(rows, bounds));
    section.claims.push(optimisations(rows, bounds));
    section.claims.push(inner_scans(rows));
    section.tables.push(table(rows));
    section.figures = figures(rows, bounds);
    section
}

/// The times of the algorithms in copies, which explain their ratio.
fn in_copies(rows: &Rows<'_>, names: &[&str]) -> Option<String> {
    let (n, ..) =
        TABLE.iter().rev().find(|(n, ..)| rows.copies(BLOCKS, &Case::compact(*n, SHARE)).is_some())?;
    let case = Case::compact(*n, SHARE);
    let told: Vec<String> = names
        .iter()
        .filter_map(|name| {
            let copies = rows.copies(name, &case)?;
            Some(format!("{name} {copies:.1} copies in {} passes", rows.row(name, &case)?.passes))
        })
        .collect();
    Some(format!("{}, {}", at(*n), told.join(", ")))
}

fn speed_ups(rows: &Rows<'_>) -> Vec<Claim> {
    let claim = |text: &str, slow: &str, factor: fn(&Line) -> Option<f64>| {
        let factors = TABLE.iter().filter_map(|line| {
            let case = Case::compact(line.0, SHARE);
            Some(Factor::of(rows, at(line.0), factor(line)?, [slow, BLOCKS], &case))
        });
        judge::factors(text, factors.collect(), in_copies(rows, &[slow, BLOCKS]))
    };
    vec![
        claim("Blocks are 5.5 to 9.1 times as fast as Horn's compaction.", HORN, |line| line.1),
        claim("Blocks are 3.6 to 4.8 times as fast as Blelloch's scan and a search.", BLELLOCH, |line| {
            Some(line.2)
        }),
        claim("Blocks are 1.5 to 2 times as fast as geometry shaders.", GEOMETRY, |line| line.3),
    ]
}

/// Reproduced where four times the elements take 3.5 to 4.5 times the time, from 2^18 (in short runs 2^16) on.
fn linear(rows: &Rows<'_>, bounds: &Bounds) -> Claim {
    let from = if bounds.texture > 18 { 18 } else { 16 };
    let ms = |log2: u32| rows.ms(BLOCKS, &Case::compact(1 << log2, SHARE));
    let steps: Vec<(u32, f64)> = lengths(bounds)
        .into_iter()
        .filter(|log2| *log2 > from)
        .filter_map(|log2| Some((log2, ms(log2)? / ms(log2 - 2)?)))
        .collect();
    let worst = steps.iter().map(|(_, growth)| (growth / 4.0).ln().abs()).fold(0.0, f64::max).exp();
    let judged = (!steps.is_empty()).then(|| {
        let verdict = match worst {
            worst if worst <= 1.125 => Verdict::Reproduced,
            worst if worst <= 1.5 => Verdict::Weaker,
            _ => Verdict::NotReproduced,
        };
        (
            verdict,
            format!(
                "at most {:.0}% off four times the time for four times the elements",
                100.0 * (worst - 1.0)
            ),
        )
    });
    let points = steps.iter().map(|(log2, growth)| {
        compared(format!("time {} over 2^{}", at(1 << log2), log2 - 2), 4.0, Some(*growth), judge::times)
    });
    judge::claim("Time is linear in the number of elements.", points.collect(), judged, &[])
}

/// Reproduced where 64 is the best, or within 5% of it; weaker within 25%.
fn best_size(rows: &Rows<'_>, bounds: &Bounds) -> Claim {
    let case = of_sizes(bounds);
    let times: Vec<(u32, f64)> =
        SIZES.into_iter().filter_map(|size| Some((size, rows.ms(&blocks_of(size), &case)?))).collect();
    let best = times.iter().copied().min_by(|a, b| a.1.total_cmp(&b.1));
    let ours = times.iter().find(|(size, _)| *size == 64);
    let judged = best.zip(ours).map(|(best, ours)| {
        let factor = ours.1 / best.1;
        let verdict = match factor {
            factor if factor <= 1.05 => Verdict::Reproduced,
            factor if factor <= 1.25 => Verdict::Weaker,
            _ => Verdict::NotReproduced,
        };
        (verdict, format!("blocks of 64 take {:.0}% longer than those of {}", 100.0 * (factor - 1.0), best.0))
    });
    let best = best.map(|(size, _)| f64::from(size));
    let points = vec![compared("elements in a block", 64.0, best, |size| format!("{size:.0}"))];
    judge::claim("The best size of a block is 64.", points, judged, &[rows.absent(&blocks_of(64), &case)])
}

/// Reproduced where the slowest share is 60 to 80%; weaker where 70% is within 5% of the slowest; neither where no share
/// is 3% slower than the fastest.
fn slowest_share(rows: &Rows<'_>, bounds: &Bounds) -> Claim {
    // The paper has this for one length.
    let own_length = fixed(bounds) == FIGURES;
    let ms = |share: f64| rows.ms(BLOCKS, &of_shares(bounds, share)).filter(|_| own_length);
    let times: Vec<(f64, f64)> =
        shares(bounds).into_iter().filter_map(|share| Some((share, ms(share)?))).collect();
    let slowest = times.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1));
    let fastest = times.iter().map(|(_, ms)| *ms).fold(f64::INFINITY, f64::min);
    let judged =
        slowest.filter(|_| times.len() == shares(bounds).len()).zip(ms(0.7)).map(|(slowest, ours)| {
            let verdict = match (slowest.0, ours / slowest.1) {
                _ if slowest.1 < 1.03 * fastest => Verdict::NotReproduced,
                (share, _) if (0.59..0.81).contains(&share) => Verdict::Reproduced,
                (_, near) if near >= 0.95 => Verdict::Weaker,
                _ => Verdict::NotReproduced,
            };
            let spread = 100.0 * (slowest.1 / fastest - 1.0);
            (verdict, format!("the slowest share takes {spread:.0}% longer than the fastest"))
        });
    let percent = |share: f64| format!("{:.0}%", 100.0 * share);
    let points = vec![compared("the slowest share", 0.7, slowest.map(|(share, _)| share), percent)];
    judge::claim("It takes longest where near 70% of the elements are kept.", points, judged, &[])
}

/// Reproduced where both optimisations save at least 16%.
fn optimisations(rows: &Rows<'_>, bounds: &Bounds) -> Claim {
    let mut savings: Vec<(u64, f64)> = Vec::new();
    let mut absent = None;
    for log2 in lengths(bounds).into_iter().filter(|log2| *log2 >= 18) {
        let case = Case::compact(1 << log2, SHARE);
        absent = absent.or(rows.absent(OPTIMISED, &case));
        savings.extend(rows.factor(PLAIN, OPTIMISED, &case).map(|factor| (case.n(), 1.0 - 1.0 / factor)));
    }
    let judged = savings.last().map(|(_, saving)| {
        let verdict = match *saving {
            saving if saving >= 0.16 => Verdict::Reproduced,
            saving if saving >= 0.03 => Verdict::Weaker,
            _ => Verdict::NotReproduced,
        };
        let why = "one line drawing is `wrap=geometry`, the improved search `search=while`: its loop ends where an element is \
                   found, which costs where neighbours must wait for each other";
        (verdict, why.to_owned())
    });
    let percent = |saving: f64| format!("{:.0}%", 100.0 * saving);
    let points = savings.iter().map(|(n, saving)| compared(at(*n), 0.2, Some(*saving), percent)).collect();
    judge::claim("The two optimisations for new hardware save about 20%.", points, judged, &[absent])
}

/// Reproduced where Hillis and Steele win up to 2^20, Blelloch from 2^22 on, neither by more than 10%; weaker where they
/// win up to 2^20.
fn inner_scans(rows: &Rows<'_>) -> Claim {
    let ours: Vec<(u64, f64)> = TABLE
        .iter()
        .filter_map(|(n, ..)| Some((*n, rows.factor(INNER_BLELLOCH, BLOCKS, &Case::compact(*n, SHARE))?)))
        .collect();
    // The claim is of both.
    let both = [true, false].map(|short| ours.iter().any(|(n, _)| (*n <= 1 << 20) == short)) == [true, true];
    let judged = both.then(|| {
        let short = ours.iter().filter(|(n, _)| *n <= 1 << 20).all(|(_, factor)| *factor >= 1.0);
        let long = ours.iter().filter(|(n, _)| *n > 1 << 20).all(|(_, factor)| *factor <= 1.0);
        let near = ours.iter().all(|(_, factor)| (0.9..=1.1).contains(factor));
        let verdict = match (short, long && near) {
            (true, true) => Verdict::Reproduced,
            (true, false) => Verdict::Weaker,
            _ => Verdict::NotReproduced,
        };
        let why = "reduce and down-sweep write twice as many passes in a block, each of fewer texels that are more scattered";
        (verdict, why.to_owned())
    });
    let points = ours.iter().map(|(n, factor)| Compared {
        what: format!("Blelloch's time over Hillis and Steele's, {}", at(*n)),
        paper: if *n <= 1 << 20 { "1.00x to 1.10x" } else { "0.90x to 1.00x" }.into(),
        ours: judge::times(*factor),
        ratio: None,
    });
    judge::claim(
        "In blocks, Hillis and Steele's scan wins up to a million elements, Blelloch's from four millions on, by less than \
         10%.",
        points.collect(),
        judged,
        &[],
    )
}

/// Table I, ours beside the paper's.
fn table(rows: &Rows<'_>) -> Table {
    let line = |(n, horn, blelloch, geometry): &(u64, Option<f64>, f64, Option<f64>)| {
        let case = Case::compact(*n, SHARE);
        let both = |slow: &str, paper: Option<f64>| {
            let ours = rows.factor(slow, BLOCKS, &case).map_or("-".into(), judge::times);
            [ours, paper.map_or("n.a.".into(), judge::times)]
        };
        let cells = [both(HORN, *horn), both(BLELLOCH, Some(*blelloch)), both(GEOMETRY, *geometry)];
        std::iter::once(length(*n)).chain(cells.into_iter().flatten()).collect()
    };
    let header = ["n", "over Horn", "paper", "over Blelloch", "paper", "over geometry shaders", "paper"];
    Table {
        title: "Table I: how many times as fast blocks are".into(),
        header: header.map(Into::into).into(),
        rows: TABLE.iter().map(line).collect(),
    }
}

fn figures(rows: &Rows<'_>, bounds: &Bounds) -> Vec<Figure> {
    let names = [HORN, BLELLOCH, GEOMETRY, BLOCKS, COPY];
    let n = length(fixed(bounds));
    let of_sizes = of_sizes(bounds);
    let sizes = rows.all().filter(|row| row.case == of_sizes && row.name.starts_with("blocks:size="));
    let size_of = |name: &str| name.rsplit_once('=').and_then(|(_, size)| size.parse().ok()).unwrap_or(0.0);
    let shares = rows.all().filter(|row| row.case.n() == fixed(bounds) && row.name == BLOCKS);
    let lines = |x, series| Lines {
        title: String::new(),
        x,
        y: axis("time, ms", Scale::LinearFromZero),
        series: vec![series],
        marks: Vec::new(),
    };
    let by_size = series(BLOCKS, Role::Data, sizes, |row| size_of(&row.name), |_, ms| ms);
    let by_share =
        series(BLOCKS, Role::Data, shares, |row| 100.0 * row.case.share().unwrap_or(0.0), |_, ms| ms);
    let mut share_lines = lines(axis("elements kept, %", Scale::Linear), by_share);
    share_lines.marks.push(Mark::Vertical { at: 70.0, label: "the paper's slowest".into() });
    let mut size_lines = lines(axis("elements in a block", Scale::Log2), by_size);
    size_lines.marks.push(Mark::Vertical { at: 64.0, label: "the paper's best".into() });
    let bars = SIZES.iter().filter_map(|size| {
        let row = rows.row(&blocks_of(*size), &of_sizes)?;
        let segment = |phase: &crate::cell::Phase| Segment { name: phase.name.clone(), value: phase.ms };
        Some(Bar { name: format!("blocks of {size}"), segments: row.phases.iter().map(segment).collect() })
    });
    vec![
        Figure {
            title: "Figures 8 and 13: time against n".into(),
            description: "The paper's four compactions, and a copy pass; 60% are kept.".into(),
            panels: vec![Panel::Lines(times("60% kept", rows, &names, |row| {
                row.case.share() == Some(SHARE)
            }))],
        },
        Figure {
            title: format!("Figure 9: time against the share kept, {n} elements"),
            description: "Blocks, by the share of elements that are kept.".into(),
            panels: vec![Panel::Lines(share_lines)],
        },
        Figure {
            title: format!("Figure 11: time against the size of blocks, {n} elements"),
            description: "Blocks, by the number of elements in a block.".into(),
            panels: vec![Panel::Lines(size_lines)],
        },
        Figure {
            title: format!("Figure 10: time by step, {n} elements"),
            description: "Each pass timed alone, for each size of blocks.".into(),
            panels: vec![Panel::Bars(Bars {
                title: "Each pass timed alone".into(),
                axis: axis("time, ms", Scale::LinearFromZero),
                bars: bars.collect(),
                marks: Vec::new(),
            })],
        },
    ]
}
