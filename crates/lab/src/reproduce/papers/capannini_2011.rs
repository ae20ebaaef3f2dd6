//! capannini2011: the K-model, and access patterns on banks of shared memory.

use std::sync::LazyLock;

use rasterscan::scan;
use rasterscan::scan::compute::{AccessPattern, Capannini};
use rasterscan_kmodel::{Model, Pattern, corrected, printed, simulate};

use crate::case::Case;
use crate::cell::Cell;
use crate::contender::Contender;
use crate::report::chart::{Figure, Lines, Panel, Role, Scale};
use crate::report::latency;
use crate::report::page::{Claim, Compared, Section, Verdict};
use crate::reproduce::effort::Bounds;
use crate::reproduce::judge::{self, compared};
use crate::reproduce::paper::{axis, cell, section as new_section, series, times};
use crate::reproduce::rows::Rows;
use rasterscan_picture::number::grouped;

/// Banks of shared memory of today's hardware; the paper had 16.
const BANKS: u64 = 32;
const PADDING: &str = "capannini:pattern=padding";
const LEFT_RIGHT: &str = "capannini:pattern=left_right";
const LARGE: [&str; 4] = ["capannini:pattern=cm", "capannini:pattern=no_padding", PADDING, LEFT_RIGHT];

/// Blocks in a stream of figure 5.
const BLOCKS: u64 = 10_752;

/// Blocks in a stream here: fewer where there is no GPU. No power of two, and so no length of figure 6.
fn blocks(bounds: &Bounds) -> u64 {
    match (bounds.software, bounds.quick) {
        (false, _) => BLOCKS,
        (true, true) => BLOCKS / 128,
        (true, false) => BLOCKS / 16,
    }
}

fn of_blocks(bounds: &Bounds, log2: u32) -> Case {
    Case::scan(blocks(bounds) << log2).exclusive()
}

fn independent(pattern: AccessPattern, log2: u32) -> Contender {
    Contender::IndependentBlocks(Capannini { pattern, block: Some(1 << log2), banks: BANKS as u32 })
}

fn name_of(pattern: AccessPattern, log2: u32) -> String {
    independent(pattern, log2).name()
}

fn block_sizes(bounds: &Bounds) -> Vec<u32> {
    if bounds.quick { vec![5, 7, 9, 11] } else { (5..=11).collect() }
}

fn large(bounds: &Bounds) -> Vec<u32> {
    let most = if bounds.software { bounds.compute.min(20) } else { bounds.compute.min(26) };
    bounds.within(most, [16, 18, 20, 22, 24, 26])
}

fn of_large(log2: u32) -> Case {
    Case::scan(1 << log2).exclusive()
}

pub fn cells(bounds: &Bounds) -> Vec<Cell> {
    let mut cells = Vec::new();
    for log2 in block_sizes(bounds) {
        let mut contenders = AccessPattern::ALL.map(|pattern| independent(pattern, log2)).to_vec();
        contenders.push(Contender::CopyBuffer);
        cells.push(Cell { case: of_blocks(bounds, log2), contenders, phases: false, repeats: 0 });
    }
    for log2 in large(bounds) {
        let mut names = LARGE.to_vec();
        names.push("copy:buffer");
        cells.push(cell(of_large(log2), &names));
    }
    cells
}

pub fn section(rows: &Rows<'_>, bounds: &Bounds) -> Section {
    let mut section = new_section(
        "capannini2011",
        "Access patterns without conflicts",
        "G. Capannini: Designing Efficient Parallel Prefix Sum Algorithms for GPUs. IEEE International Conference on \
         Computer and Information Technology, 2011.",
    );
    section.notes.push(format!(
        "The K-model is checked on the CPU, by a simulator that executes each scan on {BANKS} banks and counts. The \
         experiments are exclusive scans of u32: {} blocks, each scanned alone by one work group, and large arrays.",
        grouped(blocks(bounds))
    ));
    section.claims = COUNTED.to_vec();
    section.claims.extend([blocks_claim(rows, bounds), large_claim(rows, bounds)]);
    section.figures = vec![figure_4(), figure_5(rows, bounds), figure_6(rows, bounds)];
    section
}

/// The claims that the simulator checks, which need no rows: found once, since a report is made after every cell.
static COUNTED: LazyLock<[Claim; 2]> = LazyLock::new(|| [formulas(), conflicts()]);

/// Simulated latencies against formulas.
fn formulas() -> Claim {
    let mut right = 0;
    let mut all = 0;
    let mut in_print = Vec::new();
    for k in [1u64, 2, 4, 8, 16, 32, 64] {
        for log_n in k.trailing_zeros()..=12 {
            let Ok(model) = Model::new(1 << log_n, k) else { continue };
            for pattern in Pattern::PAPER {
                let Some(counted) = latency(pattern, model) else { continue };
                all += 1;
                right += u32::from(counted == corrected::latency(pattern, model));
                if let Some(print) = printed::latency(pattern, model)
                    && (print - counted as f64).abs() < 0.5
                {
                    in_print.push((pattern, model));
                }
            }
        }
    }
    let judged = if right == all {
        let why = format!(
            "what the simulator counts is the formula's in all {all} cases, once the errata are corrected; as printed, {} \
             of them agree",
            in_print.len()
        );
        (Verdict::Reproduced, why)
    } else {
        (Verdict::NotReproduced, format!("the simulator counts otherwise in {} of {all} cases", all - right))
    };
    let points = [
        (Pattern::Cm, "CM"),
        (Pattern::NoPadding, "NoPadding"),
        (Pattern::Padding, "Padding"),
        (Pattern::LeftRight, "LeftRight"),
    ];
    let points = points.into_iter().filter_map(|(pattern, name)| {
        let model = Model::new(1 << 11, BANKS).ok()?;
        let ours = latency(pattern, model)? as f64;
        Some(compared(
            format!("T(2048, {BANKS}) of {name}"),
            printed::latency(pattern, model)?,
            Some(ours),
            |t| format!("{t:.1}"),
        ))
    });
    judge::claim(
        "Section VII: T(n, k), the latency of each pattern, for n from k to 2^12 and k from 1 to 64.",
        points.collect(),
        Some(judged),
        &[],
    )
}

/// The latency that the simulator counts for the stores of sums, if its scan is right.
fn latency(pattern: Pattern, model: Model) -> Option<u64> {
    let numbers: Vec<u32> = (0..model.n() as u32).map(|i| i.wrapping_mul(0x9E37_79B9) >> 8).collect();
    let simulation = simulate(pattern, model, &numbers, 0, |a, b| a.wrapping_add(b));
    let spec = rasterscan::ScanSpec::new::<u32>(numbers.len());
    let spec = if pattern == Pattern::Cm { spec } else { spec.exclusive() };
    let right = scan::sequential(&spec, &numbers).ok()? == simulation.scanned;
    right.then(|| simulation.counts().latency)
}

/// Padding is free of conflicts up to k² elements, LeftRight always.
fn conflicts() -> Claim {
    let lost = |pattern: Pattern, n: u64| {
        let model = Model::new(n, BANKS).ok()?;
        Some(latency(pattern, model)? - corrected::instructions(pattern, model))
    };
    let powers: Vec<u64> = (5..=14).map(|power| 1 << power).collect();
    let first =
        |pattern: Pattern| powers.iter().copied().find(|n| lost(pattern, *n).is_some_and(|lost| lost > 0));
    let (padding, left_right) = (first(Pattern::Padding), first(Pattern::LeftRight));
    let limit = BANKS * BANKS;
    let judged = match (padding, left_right) {
        (Some(n), None) if n == 2 * limit => (Verdict::Reproduced, "counted by the simulator".to_owned()),
        _ => (Verdict::NotReproduced, "the simulator counts otherwise".into()),
    };
    let point = |name: &str, paper: String, ours: Option<u64>| Compared {
        what: format!("elements from which {name} has conflicts"),
        paper,
        ours: ours.map_or("none up to 16,384".into(), grouped),
        ratio: None,
    };
    judge::claim(
        &format!(
            "On k = {BANKS} banks, Padding is free of conflicts up to k² = {} elements, LeftRight always.",
            grouped(limit)
        ),
        vec![
            point("Padding", format!("beyond {}", grouped(limit)), padding),
            point("LeftRight", "none".into(), left_right),
        ],
        Some(judged),
        &[],
    )
}

/// The time that LeftRight gains on Padding: reproduced from 80% of the paper's gain on.
fn gain(
    text: &str,
    paper: f64,
    gains: Vec<(String, f64)>,
    rows: &Rows<'_>,
    bounds: &Bounds,
    of: (&str, &Case),
) -> Claim {
    let best = gains.iter().map(|(_, gain)| *gain).fold(f64::NEG_INFINITY, f64::max);
    let judged = (!gains.is_empty()).then(|| {
        if bounds.software {
            let why = "a software renderer has no banks of shared memory: there are no conflicts to avoid";
            return (Verdict::NotOnThisDevice, why.into());
        }
        let verdict = match best {
            best if best >= 0.8 * paper => Verdict::Reproduced,
            best if best >= 0.03 => Verdict::Weaker,
            _ => Verdict::NotReproduced,
        };
        let why = "LeftRight must keep the left operands that its sums displace, a seventh more loads and stores in the \
                   K-model; conflicts cost little where barriers and the trip through memory take most of the time";
        let why = if verdict == Verdict::Reproduced { String::new() } else { why.into() };
        (verdict, why)
    });
    let percent = |gain: f64| format!("{:+.0}%", 100.0 * gain);
    // On a software renderer the streams are shorter, and nothing of the paper's stands beside them.
    let gains = gains.into_iter().filter(|_| !bounds.software);
    let points = gains.map(|(what, gain)| compared(what, paper, Some(gain), percent)).collect();
    judge::claim(text, points, judged, &[rows.absent(of.0, of.1)])
}

fn blocks_claim(rows: &Rows<'_>, bounds: &Bounds) -> Claim {
    let case = of_blocks(bounds, 11);
    let [padding, left_right] =
        [AccessPattern::Padding, AccessPattern::LeftRight].map(|pattern| name_of(pattern, 11));
    let factor = rows.factor(&padding, &left_right, &case);
    let gains = factor.map(|factor| ("blocks of 2,048".to_owned(), factor - 1.0)).into_iter().collect();
    let text = "On blocks of 2,048 elements, LeftRight is up to 25% faster than Padding.";
    gain(text, 0.25, gains, rows, bounds, (&left_right, &case))
}

fn large_claim(rows: &Rows<'_>, bounds: &Bounds) -> Claim {
    let lengths: Vec<u32> = large(bounds).into_iter().filter(|log2| *log2 >= 20).collect();
    let factors = lengths.iter().filter_map(|log2| rows.factor(PADDING, LEFT_RIGHT, &of_large(*log2)));
    // The paper gives the greatest of all lengths, and none for each.
    let best = factors.reduce(f64::max);
    let gains =
        best.map(|best| ("the greatest, from 2^20 elements on".to_owned(), best - 1.0)).into_iter().collect();
    let text = "On large arrays, LeftRight is up to 18% faster than Padding.";
    gain(text, 0.18, gains, rows, bounds, (LEFT_RIGHT, &of_large(20)))
}

fn figure_4() -> Figure {
    let title = format!("Figure 4: the K-model's latency T(n) on {BANKS} banks, by the corrected formulas");
    latency::figure(BANKS, title, 5..=20)
}

fn figure_5(rows: &Rows<'_>, bounds: &Bounds) -> Figure {
    let line = |pattern: AccessPattern| {
        let own = block_sizes(bounds)
            .into_iter()
            .filter_map(|log2| rows.row(&name_of(pattern, log2), &of_blocks(bounds, log2)));
        let blocks = blocks(bounds) as f64;
        series(pattern.name(), Role::Data, own, move |row| row.case.n() as f64 / blocks, |_, ms| ms)
    };
    Figure {
        title: format!("Figure 5: {} blocks, each scanned alone", grouped(blocks(bounds))),
        description: "Time against the elements in a block, for the four patterns.".into(),
        panels: vec![Panel::Lines(Lines {
            title: "Case (i)".into(),
            x: axis("elements in a block", Scale::Log2),
            y: axis("time, ms", Scale::Log10),
            series: AccessPattern::ALL.map(line).into(),
            marks: Vec::new(),
        })],
    }
}

fn figure_6(rows: &Rows<'_>, bounds: &Bounds) -> Figure {
    let mut names = LARGE.to_vec();
    names.push("copy:buffer");
    let cases: Vec<Case> = large(bounds).into_iter().map(of_large).collect();
    Figure {
        title: "Figure 6: large arrays".into(),
        description: "Time against n, for the four patterns and a copy.".into(),
        panels: vec![Panel::Lines(times("Case (ii)", rows, &names, |row| cases.contains(&row.case)))],
    }
}
