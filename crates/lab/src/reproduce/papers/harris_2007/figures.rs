//! The figures of the paper with numbers, redrawn, and its table beside ours.

use std::sync::LazyLock;

use rasterscan_drawing::number::{grouped, significant};
use rasterscan_kmodel::Pattern;

use super::counted::{Algorithm, BANKS, MILLION, adds_of_plan, conflicts};
use super::setup::{
    BLOCK, CPU, GPU, KEY, LAUNCHED, NAIVE, PADDED, WORK_EFFICIENT, block_and_large, case, table,
};
use crate::case::length;
use crate::report::chart::{Figure, Lines, Mark, Panel, Point, Role, Scale, Series};
use crate::report::page::Table;
use crate::reproduce::effort::Bounds;
use crate::reproduce::paper::{axis, drawn, lines, log2_n, or_dash, printed_line, times};
use crate::reproduce::printed::printed;
use crate::reproduce::rows::PaperRows;
use crate::reproduce::unit;

/// The three layouts of the work-efficient scan, by their names here.
const LAYOUTS: [(Pattern, &str); 3] = [
    (Pattern::NoPadding, "without padding"),
    (Pattern::Padding, "with padding"),
    (Pattern::DoublePadding, "ZERO_BANK_CONFLICTS"),
];

pub fn figures(rows: &PaperRows<'_>, bounds: &Bounds) -> Vec<Figure> {
    vec![figure_4(), table_2(rows, bounds)]
}

pub fn tables(rows: &PaperRows<'_>, bounds: &Bounds) -> Vec<Table> {
    vec![printed(KEY, "Table 2").table(), beside(rows), kernels(rows, bounds), ADDS.clone()]
}

fn figure_4() -> Figure {
    let line = |(pattern, name): (Pattern, &str)| {
        let steps = conflicts(pattern, BLOCK).map(|found| found.steps).unwrap_or_default();
        let points = (0..).zip(steps).map(|(step, degree)| Point::new(f64::exp2(step.into()), degree as f64));
        Series { name: name.into(), points: points.collect(), role: Role::Data }
    };
    let mut series: Vec<Series> = LAYOUTS.map(line).into();
    // The figure has words for two offsets.
    series.push(printed_line("without padding", [(1.0, 2.0), (2.0, 4.0)]));
    series.push(printed_line("with padding", [(1.0, 1.0), (2.0, 1.0)]));
    Figure {
        title: format!("Figure 4: conflicts of a scan of {BLOCK} elements on {BANKS} banks, step by step"),
        description:
            "The degree of the bank conflicts of a half-warp against the offset, in the up-sweep of \
                      the work-efficient scan: counted, and for offsets 1 and 2 as the paper's figure says. \
                      Degree 1 is no conflict."
                .into(),
        panels: vec![Panel::Lines(lines(
            "",
            axis("offset, elements", Scale::Log2),
            axis("degree", Scale::Log2),
            series,
        ))],
    }
}

fn paper_line(name: &str, column: &str) -> Series {
    printed_line(name, table(column).into_iter().map(|(n, value)| (n as f64, value)))
}

fn table_2(rows: &PaperRows<'_>, bounds: &Bounds) -> Figure {
    let mut time = times("Time", rows, &[CPU, GPU, LAUNCHED], |row| {
        row.case == case(row.case.n()) && row.case.n() != BLOCK
    });
    time.series.extend([paper_line("CPU", "CPU Scan (ms)"), paper_line("GPU", "GPU Scan (ms)")]);
    let factors = |name: &str, contender: &str| {
        let own = rows.all().filter(|row| row.name == contender);
        let factor = |n: u64| Some(Point::new(n as f64, rows.factor(CPU, contender, &case(n))?));
        let mut points: Vec<Point> = own.filter_map(|row| factor(row.case.n())).collect();
        points.sort_by(|a, b| a.x.total_cmp(&b.x));
        Series { name: name.into(), points, role: Role::Data }
    };
    let alone = if bounds.software { "a software renderer" } else { "by the GPU's own clock" };
    let mut series = drawn([factors(alone, GPU), factors("with launches", LAUNCHED)]);
    series.push(paper_line("GPU over CPU", "Speedup"));
    let mark = Mark::Horizontal { at: 1.0, label: "as fast as the CPU".into() };
    let factors = lines("How many times as fast the GPU is", log2_n(), axis("factor", Scale::Log10), series);
    Figure {
        title: "Table 2 as a picture".into(),
        description:
            "Times of the CPU and the GPU, and how many times as fast the GPU is, here and in the paper."
                .into(),
        panels: vec![Panel::Lines(time), Panel::Lines(Lines { marks: vec![mark], ..factors })],
    }
}

fn ms(rows: &PaperRows<'_>, name: &str, n: u64) -> String {
    or_dash(rows.ms(name, &case(n)), significant)
}

/// Table 2 with our numbers at the same lengths.
fn beside(rows: &PaperRows<'_>) -> Table {
    let factor = |contender: &str, n: u64| or_dash(rows.factor(CPU, contender, &case(n)), unit::times);
    let line = |((n, _), printed): ((u64, f64), &Vec<&str>)| {
        let mut cells = vec![
            length(n),
            ms(rows, CPU, n),
            ms(rows, GPU, n),
            ms(rows, LAUNCHED, n),
            factor(GPU, n),
            factor(LAUNCHED, n),
        ];
        cells.extend(printed[1..].iter().map(|cell| (*cell).to_owned()));
        cells
    };
    let printed = table("Speedup").into_iter().zip(&printed(KEY, "Table 2").rows);
    let header = [
        "n",
        "CPU, ms",
        "GPU, ms",
        "GPU with launches, ms",
        "factor",
        "factor with launches",
        "CPU in the paper, ms",
        "GPU in the paper, ms",
        "factor in the paper",
    ];
    Table::new("Table 2 and our numbers", header, printed.map(line))
}

fn kernels(rows: &PaperRows<'_>, bounds: &Bounds) -> Table {
    let line = |n: u64| {
        let mut cells = vec![length(n)];
        cells.extend([NAIVE, WORK_EFFICIENT, PADDED, GPU].map(|name| ms(rows, name, n)));
        cells
    };
    let header = ["n", "naive, ms", "work-efficient, ms", "padding, ms", "ZERO_BANK_CONFLICTS, ms"];
    Table::new("The four kernels, in blocks of 512", header, block_and_large(bounds).into_iter().map(line))
}

/// The adds of a million elements, by algorithm; counted once, since a report is made after every cell.
static ADDS: LazyLock<Table> = LazyLock::new(|| {
    let of = |algorithm: Algorithm| algorithm.work(MILLION).map(|work| work.adds);
    let least = of(Algorithm::Sequential);
    let counts = [
        ("the sequential loop", least),
        ("Algorithm 1, naive", of(Algorithm::Naive)),
        ("Algorithms 3 and 4, work-efficient, as one tree", of(Algorithm::WorkEfficient)),
        ("plan of horn: the naive scan in textures", Some(adds_of_plan("horn", MILLION))),
        ("plan of blelloch: a tree in textures", Some(adds_of_plan("blelloch", MILLION))),
        ("plan of the naive kernel, in blocks of 512", Some(adds_of_plan(NAIVE, MILLION))),
        ("plan of the work-efficient kernel, in blocks of 512", Some(adds_of_plan(WORK_EFFICIENT, MILLION))),
    ];
    let line = |(name, adds): (&str, Option<u64>)| {
        let ratio = adds.zip(least).map(|(adds, least)| adds as f64 / least as f64);
        vec![name.into(), or_dash(adds, grouped), or_dash(ratio, unit::times)]
    };
    let title = format!("Adds of a scan of {} elements, counted", length(MILLION));
    Table::new(title, ["algorithm", "adds", "over the sequential loop"], counts.map(line))
});
