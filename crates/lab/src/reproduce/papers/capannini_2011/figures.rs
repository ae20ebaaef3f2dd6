//! Figures 4 to 6, redrawn, and tables of what they show.

use rasterscan::scan::compute::AccessPattern;
use rasterscan_drawing::number::{grouped, significant};
use rasterscan_kmodel::{Model, Pattern, corrected, printed};
use std::sync::LazyLock;

use super::counted::{expected_gain, figure_4 as figure_4_in_numbers, formula_table, whole_gain};
use super::ranks::{self, Timed};
use super::setup::{
    BANKS, BANKS_IN_PRINT, COPY, FIGURE_4, LARGE, LONGEST, block_sizes, blocks, large, name_of, of_blocks,
    of_large, on_banks_in_print, sizes_in_print,
};
use super::timed::all_ms;
use crate::case::Case;
use crate::report::chart::{Figure, Panel, Role, Scale};
use crate::report::latency;
use crate::report::page::Table;
use crate::reproduce::effort::Bounds;
use crate::reproduce::paper::{axis, lines, or_dash, series, times};
use crate::reproduce::rows::PaperRows;
use crate::reproduce::unit;

pub fn figures(rows: &PaperRows<'_>, bounds: &Bounds) -> Vec<Figure> {
    vec![figure_4(), figure_5(rows, bounds), figure_6(rows, bounds)]
}

pub fn tables(rows: &PaperRows<'_>, bounds: &Bounds) -> Vec<Table> {
    let mut tables = COUNTED.clone();
    tables.extend([blocks_table(rows, bounds), large_table(rows, bounds)]);
    let timed = timed(rows, bounds);
    if !timed.is_empty() {
        tables.extend(ranks::tables(&timed));
    }
    tables
}

/// Counted once: a report is made after every cell.
static COUNTED: LazyLock<Vec<Table>> =
    LazyLock::new(|| vec![space(), figure_4_in_numbers(), formula_table(), gains()]);

fn figure_4() -> Figure {
    let mut in_print =
        latency::panel(BANKS_IN_PRINT, format!("k = {BANKS_IN_PRINT}, as in the paper"), FIGURE_4);
    in_print.series.extend(latency::in_print(BANKS_IN_PRINT, FIGURE_4));
    let today = latency::panel(BANKS, format!("k = {BANKS}, as on today's hardware"), FIGURE_4);
    Figure {
        title: "Figure 4: the K-model's latency T(n)".into(),
        description: "Latency of the stores of a scan's results against its number of elements, for four \
                      patterns on 16 and on 32 banks: the corrected formulas, which the simulator counts as \
                      well, and for 16 banks the formulas in print."
            .into(),
        panels: vec![Panel::Lines(in_print), Panel::Lines(today)],
    }
}

fn figure_5(rows: &PaperRows<'_>, bounds: &Bounds) -> Figure {
    let blocks = blocks(bounds);
    let elements = |row: &crate::cell::Row| row.case.n() as f64 / blocks as f64;
    let line = |pattern: AccessPattern| {
        let sizes = block_sizes(bounds).into_iter();
        let own = sizes.filter_map(|log2| rows.row(&name_of(pattern, log2), &of_blocks(bounds, log2)));
        series(pattern.name(), Role::Data, own, elements, |_, ms| ms)
    };
    let copies = block_sizes(bounds).into_iter().filter_map(|log2| rows.row(COPY, &of_blocks(bounds, log2)));
    let mut all: Vec<_> = AccessPattern::ALL.map(line).into();
    all.push(series(COPY, Role::Limit, copies, elements, |_, ms| ms));
    Figure {
        title: format!("Figure 5: {} blocks, each scanned alone", grouped(blocks)),
        description: "Time against the elements in a block, for the four patterns and a copy.".into(),
        panels: vec![Panel::Lines(lines(
            "Case (i)",
            axis("elements in a block", Scale::Log2),
            axis("time, ms", Scale::Log10),
            all,
        ))],
    }
}

fn figure_6(rows: &PaperRows<'_>, bounds: &Bounds) -> Figure {
    let names = [&LARGE[..], &[COPY]].concat();
    let cases: Vec<Case> = large(bounds).into_iter().map(of_large).collect();
    Figure {
        title: "Figure 6: large arrays".into(),
        description: "Time against n, for the four patterns in blocks of 2,048 and a copy.".into(),
        panels: vec![Panel::Lines(times("Case (ii)", rows, &names, |row| cases.contains(&row.case)))],
    }
}

/// The table of space, with what is counted.
fn space() -> Table {
    let line = |pattern: Pattern| {
        let words = |k: u64| {
            let model = Model::new(1 << LONGEST, k).ok();
            or_dash(model, |model| grouped(corrected::words(pattern, model) - model.n()))
        };
        let paper = printed::space(pattern).unwrap_or("-");
        vec![pattern.label().into(), paper.into(), words(BANKS_IN_PRINT), words(BANKS)]
    };
    Table::new(
        "Space beyond n elements: the paper's table (section VII), and words for 2,048 elements",
        ["pattern", "space complexity in the paper", "words on 16 banks", "words on 32 banks"],
        Pattern::PAPER.map(line),
    )
}

/// What the model expects of LeftRight.
fn gains() -> Table {
    let line = |(n, k): (u64, u64)| {
        let model = Model::new(n, k).ok();
        let n = if n == Model::MAX { "the limit".into() } else { grouped(n) };
        let cells = [expected_gain, whole_gain].map(|gain| or_dash(model, |model| unit::times(gain(model))));
        [vec![format!("{n}, {k} banks")], cells.into()].concat()
    };
    let longest = 1 << LONGEST;
    let models = [
        (longest, BANKS_IN_PRINT),
        (Model::MAX, BANKS_IN_PRINT),
        (longest, BANKS),
        (8 * BANKS * BANKS, BANKS),
        (Model::MAX, BANKS),
    ];
    Table::new(
        "Padding's T over LeftRight's in the K-model, by the corrected formulas: the gain that it expects",
        ["elements", "stores on the way up, as in the paper", "all loads and stores"],
        models.map(line),
    )
}

/// Times of the patterns, and the gain of LeftRight over Padding.
fn line(rows: &PaperRows<'_>, words: String, names: [&str; 4], case: &Case) -> Vec<String> {
    let mut cells = vec![words];
    cells.extend(names.map(|name| or_dash(rows.ms(name, case), significant)));
    let [_, _, padding, left_right] = names;
    cells.push(or_dash(rows.factor(padding, left_right, case), unit::times));
    cells
}

/// The titles of these cells after the first.
const TITLES: [&str; 5] =
    ["CM, ms", "NoPadding, ms", "Padding, ms", "LeftRight, ms", "Padding over LeftRight"];

/// Figure 5 in numbers, with what the model expects.
fn blocks_table(rows: &PaperRows<'_>, bounds: &Bounds) -> Table {
    let expected =
        |log2: u32, k: u64| or_dash(Model::new(1 << log2, k).ok(), |model| unit::times(expected_gain(model)));
    let of = |log2: u32, banks: u64, case: &Case| {
        let names = AccessPattern::ALL.map(|pattern| name_of(pattern, log2));
        let words = format!("{}, {banks} banks", grouped(1 << log2));
        let mut cells = line(rows, words, names.each_ref().map(String::as_str), case);
        cells.push(expected(log2, banks));
        cells
    };
    let mut lines: Vec<_> =
        block_sizes(bounds).into_iter().map(|log2| of(log2, BANKS, &of_blocks(bounds, log2))).collect();
    let in_print = sizes_in_print(bounds).into_iter();
    lines.extend(in_print.map(|log2| of(log2, BANKS_IN_PRINT, &on_banks_in_print(bounds, log2))));
    let title = format!(
        "Figure 5 in numbers: {} blocks; 16 banks are those of 64-bit numbers",
        grouped(blocks(bounds))
    );
    Table::new(title, [&["block"], &TITLES[..], &["the same of T(n, k)"]].concat(), lines)
}

/// The blocks of which all patterns were timed on banks.
fn timed(rows: &PaperRows<'_>, bounds: &Bounds) -> Vec<Timed> {
    let of = |log2: u32, banks: u64, case: Case| {
        let names = AccessPattern::ALL.map(|pattern| name_of(pattern, log2));
        Some(Timed { log2, banks, ms: all_ms(rows, &names, &case)? })
    };
    let today = block_sizes(bounds).into_iter().filter(|_| !bounds.software);
    let today = today.filter_map(|log2| of(log2, BANKS, of_blocks(bounds, log2)));
    let in_print = sizes_in_print(bounds).into_iter();
    today
        .chain(in_print.filter_map(|log2| of(log2, BANKS_IN_PRINT, on_banks_in_print(bounds, log2))))
        .collect()
}

fn large_table(rows: &PaperRows<'_>, bounds: &Bounds) -> Table {
    let lines = large(bounds).into_iter().map(|log2| line(rows, format!("2^{log2}"), LARGE, &of_large(log2)));
    Table::new("Figure 6 in numbers: large arrays", [&["n"], &TITLES[..]].concat(), lines)
}
