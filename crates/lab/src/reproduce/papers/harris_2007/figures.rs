//! The figures of the paper with numbers, redrawn, and its table beside ours.

use std::sync::LazyLock;

use rasterscan_drawing::number::{grouped, significant};
use rasterscan_kmodel::Pattern;

use super::counted::{Algorithm, BANKS, MILLION, adds_of_plan, conflicts};
use super::setup::{BLOCK, CPU, GPU, KEY, LAUNCHED, NAIVE, PADDED, WORK_EFFICIENT, case, large, table};
use crate::case::length;
use crate::report::chart::{Figure, Lines, Mark, Panel, Point, Role, Scale, Series};
use crate::report::page::Table;
use crate::reproduce::effort::Bounds;
use crate::reproduce::paper::{axis, log2_n, times};
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
    for (name, degrees) in [("without padding (paper)", [2.0, 4.0]), ("with padding (paper)", [1.0, 1.0])] {
        let points = [1.0, 2.0].into_iter().zip(degrees).map(|(offset, degree)| Point::new(offset, degree));
        series.push(Series { name: name.into(), points: points.collect(), role: Role::Paper });
    }
    Figure {
        title: format!("Figure 4: conflicts of a scan of {BLOCK} elements on {BANKS} banks, step by step"),
        description:
            "The degree of the bank conflicts of a half-warp against the offset, in the up-sweep of \
                      the work-efficient scan: counted, and for offsets 1 and 2 as the paper's figure says. \
                      Degree 1 is no conflict."
                .into(),
        panels: vec![Panel::Lines(Lines {
            title: String::new(),
            x: axis("offset, elements", Scale::Log2),
            y: axis("degree", Scale::Log2),
            series,
            marks: Vec::new(),
        })],
    }
}

fn paper_line(name: &str, column: &str) -> Series {
    let points = table(column).into_iter().map(|(n, value)| Point::new(n as f64, value)).collect();
    Series { name: format!("{name} (paper)"), points, role: Role::Paper }
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
    let names = [(alone, GPU), ("with launches", LAUNCHED)];
    let mut series: Vec<Series> = names.map(|(name, contender)| factors(name, contender)).into();
    series.retain(|series| !series.points.is_empty());
    series.push(paper_line("GPU over CPU", "Speedup"));
    Figure {
        title: "Table 2 as a picture".into(),
        description:
            "Times of the CPU and the GPU, and how many times as fast the GPU is, here and in the paper."
                .into(),
        panels: vec![
            Panel::Lines(time),
            Panel::Lines(Lines {
                title: "How many times as fast the GPU is".into(),
                x: log2_n(),
                y: axis("factor", Scale::Log10),
                series,
                marks: vec![Mark::Horizontal { at: 1.0, label: "as fast as the CPU".into() }],
            }),
        ],
    }
}

fn titled(title: String, header: &[&str], rows: Vec<Vec<String>>) -> Table {
    Table { title, header: header.iter().map(|title| (*title).into()).collect(), rows }
}

fn ms(rows: &PaperRows<'_>, name: &str, n: u64) -> String {
    rows.ms(name, &case(n)).map_or("-".into(), significant)
}

/// Table 2 with our numbers at the same lengths.
fn beside(rows: &PaperRows<'_>) -> Table {
    let factor =
        |contender: &str, n: u64| rows.factor(CPU, contender, &case(n)).map_or("-".into(), unit::times);
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
    titled("Table 2 and our numbers".into(), &header, printed.map(line).collect())
}

fn kernels(rows: &PaperRows<'_>, bounds: &Bounds) -> Table {
    let mut lengths = vec![BLOCK];
    lengths.extend(large(bounds));
    let line = |n: &u64| {
        let mut cells = vec![length(*n)];
        cells.extend([NAIVE, WORK_EFFICIENT, PADDED, GPU].map(|name| ms(rows, name, *n)));
        cells
    };
    let header = ["n", "naive, ms", "work-efficient, ms", "padding, ms", "ZERO_BANK_CONFLICTS, ms"];
    titled("The four kernels, in blocks of 512".into(), &header, lengths.iter().map(line).collect())
}

/// The adds of a million elements, by algorithm; counted once, since a report is made after every cell.
static ADDS: LazyLock<Table> = LazyLock::new(adds);

fn adds() -> Table {
    let of = |algorithm: Algorithm| algorithm.work(MILLION).map(|work| work.adds);
    let least = of(Algorithm::Sequential);
    let counts = [
        ("the sequential loop", least),
        ("Algorithm 1, naive", of(Algorithm::Naive)),
        ("Algorithms 3 and 4, work-efficient, as one tree", of(Algorithm::WorkEfficient)),
        ("plan of horn: the naive scan in textures", adds_of_plan("horn", MILLION)),
        ("plan of blelloch: a tree in textures", adds_of_plan("blelloch", MILLION)),
        ("plan of the naive kernel, in blocks of 512", adds_of_plan(NAIVE, MILLION)),
        ("plan of the work-efficient kernel, in blocks of 512", adds_of_plan(WORK_EFFICIENT, MILLION)),
    ];
    let line = |(name, adds): (&str, Option<u64>)| {
        let ratio = adds.zip(least).map(|(adds, least)| unit::times(adds as f64 / least as f64));
        vec![name.into(), adds.map_or("-".into(), grouped), ratio.unwrap_or("-".into())]
    };
    let header = ["algorithm", "adds", "over the sequential loop"];
    titled(
        format!("Adds of a scan of {} elements, counted", length(MILLION)),
        &header,
        counts.map(line).into(),
    )
}
