//! harris2007: the GPU's scan against the CPU's.

use rasterscan::ElementType;

use crate::case::{Case, length};
use crate::cell::Cell;
use crate::report::chart::{Figure, Lines, Mark, Panel, Point, Role, Scale, Series};
use crate::report::page::{Claim, Compared, Section, Table, Verdict};
use crate::reproduce::effort::Bounds;
use crate::reproduce::judge::{self, Factor};
use crate::reproduce::paper::{at, axis, cell, log2_n, section as new_section, times};
use crate::reproduce::rows::Rows;
use rasterscan_picture::number::milliseconds;

const GPU: &str = "harris:variant=zero_conflict";
const CPU: &str = "cpu:sequential";

/// Table 2: n, milliseconds of the CPU and of the GPU. The paper prints 8388688 for 2^23.
const TABLE: [(u64, f64, f64); 11] = [
    (1 << 10, 0.002231, 0.079492),
    (1 << 15, 0.072663, 0.106159),
    (1 << 16, 0.146326, 0.137006),
    (1 << 17, 0.726429, 0.200257),
    (1 << 18, 1.454742, 0.326900),
    (1 << 19, 2.911067, 0.624104),
    (1 << 20, 5.900097, 1.118091),
    (1 << 21, 11.848376, 2.099666),
    (1 << 22, 23.835931, 4.062923),
    (1 << 23, 47.390906, 7.987311),
    (1 << 24, 94.794598, 15.854781),
];

fn case(n: u64) -> Case {
    Case::scan(n).of(ElementType::F32).exclusive()
}

fn lengths(bounds: &Bounds) -> impl Iterator<Item = u64> {
    let most = 1u64 << bounds.compute.min(if bounds.software { 20 } else { 24 });
    TABLE.into_iter().map(|(n, ..)| n).filter(move |n| *n <= most)
}

pub fn cells(bounds: &Bounds) -> Vec<Cell> {
    lengths(bounds).map(|n| cell(case(n), &[CPU, "cpu:parallel", GPU])).collect()
}

pub fn section(rows: &Rows<'_>, bounds: &Bounds) -> Section {
    let mut section = new_section(
        "harris2007",
        "Parallel prefix sum with CUDA",
        "M. Harris: Parallel Prefix Sum (Scan) with CUDA. NVIDIA, 2007.",
    );
    section.notes.push(format!(
        "The exclusive scan of f32, `{GPU}` against one loop on the CPU. The paper's GPU was a GeForce 8800 GTX, its CPU a \
         Core 2 Extreme of 2.93 GHz. On hardware the GPU's time is the GPU's own, so that what issuing the passes costs is \
         not in it."
    ));
    let factor = |n: u64, paper: f64| Factor::of(rows, at(n), paper, [CPU, GPU], &case(n));
    // Shorter streams are in the table.
    section.claims.push(judge::factors(
        "The GPU scans 16,777,216 elements 5.98 times as fast as the CPU.",
        vec![factor(1 << 24, 5.98)],
        None,
    ));
    section.claims.push(break_even(rows, bounds));
    section.claims.push(few(rows));

    let line = |(n, cpu, gpu): &(u64, f64, f64)| {
        let ms = |name: &str| rows.ms(name, &case(*n)).map_or("-".into(), milliseconds);
        let factor = rows.factor(CPU, GPU, &case(*n)).map_or("-".into(), judge::times);
        vec![
            length(*n),
            ms(CPU),
            ms(GPU),
            factor,
            milliseconds(*cpu),
            milliseconds(*gpu),
            judge::times(cpu / gpu),
        ]
    };
    let header =
        ["n", "CPU, ms", "GPU, ms", "factor", "CPU in the paper", "GPU in the paper", "factor in the paper"];
    section.tables.push(Table {
        title: "Table 2: CPU against GPU".into(),
        header: header.map(Into::into).into(),
        rows: TABLE.iter().map(line).collect(),
    });
    let own: Vec<_> = rows
        .all()
        .filter_map(|row| Some((row.case.n(), rows.factor(CPU, GPU, &row.case)?)).filter(|_| row.name == GPU))
        .collect();
    let points =
        |points: &mut dyn Iterator<Item = (u64, f64)>| points.map(|(n, y)| Point::new(n as f64, y)).collect();
    let name = "CPU's time over the GPU's";
    section.figures.push(Figure {
        title: "Table 2 as a picture".into(),
        description: "Times of the CPU and the GPU, and how many times as fast the GPU is.".into(),
        panels: vec![
            Panel::Lines(times("Time", rows, &[CPU, "cpu:parallel", GPU], |_| true)),
            Panel::Lines(Lines {
                title: "How many times as fast the GPU is".into(),
                x: log2_n(),
                y: axis("factor", Scale::Log10),
                series: vec![
                    Series { name: name.into(), points: points(&mut own.into_iter()), role: Role::Data },
                    Series {
                        name: format!("{name} (paper)"),
                        points: points(&mut TABLE.into_iter().map(|(n, cpu, gpu)| (n, cpu / gpu))),
                        role: Role::Paper,
                    },
                ],
                marks: vec![Mark::Horizontal { at: 1.0, label: "as fast as the CPU".into() }],
            }),
        ],
    });
    section
}

/// Reproduced where the GPU is the faster one from 2^18 elements on at the latest.
fn break_even(rows: &Rows<'_>, bounds: &Bounds) -> Claim {
    let factors: Vec<(u64, f64)> =
        lengths(bounds).filter_map(|n| Some((n, rows.factor(CPU, GPU, &case(n))?))).collect();
    let first = factors
        .iter()
        .find(|(n, _)| factors.iter().all(|(m, factor)| m < n || *factor >= 1.0))
        .map(|(n, _)| *n);
    let judged = (!factors.is_empty()).then(|| match first {
        Some(n) if n <= 1 << 18 => {
            (Verdict::Reproduced, format!("the GPU is faster from {} elements on", length(n)))
        }
        Some(n) => (Verdict::Weaker, format!("the GPU is faster from {} elements on only", length(n))),
        None => (Verdict::NotReproduced, "the CPU is faster at every length that was measured".into()),
    });
    let point = Compared {
        what: "elements from which the GPU is faster".into(),
        paper: "2^16".into(),
        ours: first.map_or("-".into(), length),
        ratio: first.map(|n| n as f64 / f64::from(1 << 16)),
    };
    judge::claim(
        "The GPU breaks even near 65,536 elements.",
        vec![point],
        judged,
        &[rows.absent(GPU, &case(1 << 16))],
    )
}

/// Reproduced where the GPU is the slower one.
fn few(rows: &Rows<'_>) -> Claim {
    let factor = rows.factor(CPU, GPU, &case(1 << 10));
    let judged = factor.map(|factor| {
        let verdict = if factor < 1.0 { Verdict::Reproduced } else { Verdict::NotReproduced };
        (verdict, "launching three passes takes longer than adding so few numbers".to_owned())
    });
    judge::claim(
        "For 1,024 elements the CPU is faster: the GPU runs at 0.03 of its speed.",
        vec![judge::compared("at 2^10", 0.03, factor, judge::times)],
        judged,
        &[rows.absent(GPU, &case(1 << 10))],
    )
}
