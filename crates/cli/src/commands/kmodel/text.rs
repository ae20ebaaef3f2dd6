//! The text of `kmodel`: the patterns side by side, or one of them step by step.

use comfy_table::Cell;

use rasterscan_drawing::number::grouped;
use rasterscan_lab::table::{self, right};

use super::banks;
use super::document::{KmodelDocument, KmodelRow, StepRow};

/// The longest bar of a histogram, and the most banks that are drawn one by one: both fit beside the numbers.
const WIDTH: usize = 32;

pub fn text(document: &KmodelDocument) -> String {
    match &document.patterns[..] {
        [row] if row.steps.is_some() => steps(document, row),
        rows => comparison(document, rows),
    }
}

fn heading(document: &KmodelDocument) -> String {
    let elements = if document.n == 1 { "element" } else { "elements" };
    format!("n = {} {elements} on k = {}", grouped(document.n), banks(document.k))
}

// --- All patterns --------------------------------------------------------------------------------

fn comparison(document: &KmodelDocument, rows: &[KmodelRow]) -> String {
    type Column = (&'static str, fn(&KmodelRow) -> String);
    let columns: [Column; 12] = [
        ("T, simulated", |row| grouped(row.simulated.latency)),
        ("T, by the corrected formula", |row| grouped(row.corrected.latency)),
        ("T, by the printed formula", |row| row.printed.latency.map_or("-".into(), decimal)),
        ("l, instructions", |row| grouped(row.simulated.instructions)),
        ("T - l, lost to conflicts", |row| grouped(row.simulated.conflicts)),
        ("W, length", |row| grouped(row.simulated.length)),
        ("W / (k l), efficiency", |row| row.simulated.efficiency.map_or("-".into(), percent)),
        ("G, transactions", |row| grouped(row.simulated.transactions)),
        ("words of internal memory", |row| grouped(row.simulated.words)),
        ("additional space, as printed", |row| row.printed.space.unwrap_or("-").into()),
        ("T of all loads and stores", |row| grouped(row.latency_of_all_accesses)),
        ("scan", |row| row.kind.into()),
    ];
    let mut table = table::plain();
    table.add_row([Cell::new("")].into_iter().chain(rows.iter().map(|row| right(row.label))));
    for (title, value) in columns {
        table.add_row([Cell::new(title)].into_iter().chain(rows.iter().map(|row| right(value(row)))));
    }
    let mut text = format!("{}\n\n{}", heading(document), table::render(table));
    let remarks: Vec<String> = rows.iter().filter_map(remark).collect();
    if !remarks.is_empty() {
        text += &format!("\nWhere the printed T is wrong:\n{}", remarks.concat());
    }
    text
}

fn remark(row: &KmodelRow) -> Option<String> {
    row.remark.map(|remark| format!("  {}: {remark}\n", row.label))
}

/// A whole number as it is, others with two decimals.
fn decimal(number: f64) -> String {
    let hundredths = (number.abs() * 100.0).round() as u64;
    let sign = if number < 0.0 && hundredths > 0 { "-" } else { "" };
    match (number.fract() == 0.0, hundredths % 100) {
        (true, _) => format!("{sign}{}", grouped(hundredths / 100)),
        (false, decimals) => format!("{sign}{}.{decimals:02}", grouped(hundredths / 100)),
    }
}

fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}

// --- One pattern ---------------------------------------------------------------------------------

fn steps(document: &KmodelDocument, row: &KmodelRow) -> String {
    let steps = row.steps.as_deref().unwrap_or_default();
    let most = steps.iter().flat_map(|step| &step.degrees).map(|degree| degree.instructions).max();
    let mut table = table::plain();
    let titles = ["step", "stores", "instructions", "T", "degree"].map(right);
    let drawn = document.k.min(WIDTH as u64);
    let banks = match document.k / drawn {
        _ if document.k == 1 => "stores in the bank".into(),
        1 => format!("stores in each bank, 0 to {}", document.k - 1),
        together => format!("stores in each {together} banks, 0 to {}", document.k - 1),
    };
    table.add_row(titles.into_iter().chain([Cell::new("instructions of that degree"), Cell::new(banks)]));
    for step in steps {
        // Each further degree of a step has a line of its own.
        for (place, degree) in step.degrees.iter().rev().enumerate() {
            let of_step = |number: u64| if place == 0 { grouped(number) } else { String::new() };
            let numbers = [step.step.into(), step.stores, step.instructions, step.latency].map(of_step);
            let bar = bar(degree.instructions, most.unwrap_or(1));
            let banks = if place == 0 { profile(step, drawn as usize) } else { String::new() };
            table.add_row(numbers.map(right).into_iter().chain([
                right(grouped(degree.degree)),
                Cell::new(format!("{bar} {}", grouped(degree.instructions))),
                Cell::new(banks),
            ]));
        }
    }
    let costs = &row.simulated;
    let mut text = format!(
        "{}: {}; the stores of results, step by step\n\n{}\nT = {}, of which {} are conflicts\n",
        row.label,
        heading(document),
        table::render(table),
        grouped(costs.latency),
        grouped(costs.conflicts),
    );
    if let Some(printed) = row.printed.latency {
        text +=
            &format!("By the printed formula T = {}\n{}", decimal(printed), remark(row).unwrap_or_default());
    }
    text
}

/// A bar for a number above 0, in proportion to the greatest; never empty.
fn bar(number: u64, most: u64) -> String {
    "█".repeat(((WIDTH as u64 * number).div_ceil(most)) as usize)
}

/// The accesses of the banks, side by side, each relative to the busiest; a dot is none.
fn profile(step: &StepRow, columns: usize) -> String {
    const LEVELS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let sums: Vec<u64> =
        step.banks.chunks(step.banks.len() / columns).map(|banks| banks.iter().sum()).collect();
    let most = sums.iter().copied().max().unwrap_or(1);
    let level = |sum: &u64| match sum {
        0 => '·',
        sum => LEVELS[(8 * sum).div_ceil(most) as usize - 1],
    };
    sums.iter().map(level).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_where_there_are_some() {
        let cases =
            [(1280.0625, "1,280.06"), (639.0, "639"), (0.25, "0.25"), (-0.375, "-0.38"), (4.001, "4.00")];
        for (number, text) in cases {
            assert_eq!(decimal(number), text);
        }
    }

    #[test]
    fn bars_and_profiles() {
        assert_eq!(bar(4, 64), "██");
        assert_eq!(bar(1, 1000), "█");
        let step = |banks: &[u64]| StepRow {
            step: 1,
            stores: 0,
            instructions: 0,
            latency: 0,
            degree: 0,
            degrees: Vec::new(),
            banks: banks.to_vec(),
        };
        assert_eq!(profile(&step(&[0, 8, 1, 4]), 4), "·█▁▄");
        assert_eq!(profile(&step(&[0, 8, 1, 3]), 2), "█▄");
    }
}
