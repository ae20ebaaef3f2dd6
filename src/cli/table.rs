//! Tables and numbers for people.

use comfy_table::{Cell, CellAlignment, ContentArrangement, Table, presets};

/// A table without lines, as wide as the terminal at most.
pub fn plain() -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    table
}

/// The table as text: columns two spaces apart, nothing before and after them.
pub fn render(mut table: Table) -> String {
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
    }
    table.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
}

pub fn right(text: impl ToString) -> Cell {
    Cell::new(text.to_string()).set_alignment(CellAlignment::Right)
}

/// 872000 as 872,000.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Milliseconds with three significant digits, more above a thousand.
pub fn milliseconds(ms: f64) -> String {
    let decimals = match ms {
        0.0..1.0 => 3,
        1.0..10.0 => 2,
        10.0..100.0 => 1,
        _ => 0,
    };
    format!("{ms:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_thousands() {
        let cases =
            [(0, "0"), (999, "999"), (1000, "1,000"), (872000, "872,000"), (1 << 30, "1,073,741,824")];
        for (number, text) in cases {
            assert_eq!(grouped(number), text);
        }
    }

    #[test]
    fn milliseconds_have_three_digits() {
        let cases = [(0.0123, "0.012"), (6.789, "6.79"), (67.89, "67.9"), (1234.5, "1234")];
        for (ms, text) in cases {
            assert_eq!(milliseconds(ms), text);
        }
    }
}
