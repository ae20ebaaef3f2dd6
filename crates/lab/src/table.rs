//! Tables and numbers for people.

use comfy_table::{Cell, CellAlignment, ContentArrangement, Table, presets};

use rasterscan_drawing::number::milliseconds;

/// A table without lines, at most as wide as the terminal (feature `terminal`).
pub fn plain() -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    #[cfg(feature = "terminal")]
    if let Some((terminal_size::Width(width), _)) = terminal_size::terminal_size_of(std::io::stdout()) {
        table.set_width(width);
    }
    table
}

/// A cell of a CSV file in quotes.
pub(crate) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

/// Each once, in the order in which they first come.
pub(crate) fn distinct<T: PartialEq>(all: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut once = Vec::new();
    for one in all {
        if !once.contains(&one) {
            once.push(one);
        }
    }
    once
}

/// Marks where a word may be broken; not printed.
const SOFT: char = '\u{200b}';

/// An algorithm with its parameters, which may be broken after each if the table is too wide.
pub fn label(text: &str) -> Cell {
    let softened = text.replace(':', &format!(":{SOFT}")).replace(',', &format!(",{SOFT}"));
    Cell::new(softened).set_delimiter(SOFT)
}

/// The table as text: columns two spaces apart, nothing before and after them.
pub fn render(mut table: Table) -> String {
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
    }
    table.lines().map(|line| line.replace(SOFT, "").trim_end().to_owned() + "\n").collect()
}

/// A cell that is aligned to the right.
pub fn right(text: impl ToString) -> Cell {
    Cell::new(text.to_string()).set_alignment(CellAlignment::Right)
}

/// The mark after a time that was measured while the device ran below its full speed.
pub const MARK: &str = "*";

/// The meaning of the mark, in a line of its own.
pub const MARKED: &str = "* not settled: the device ran below its full speed\n";

/// Milliseconds, with the mark if they are not settled.
pub fn marked(ms: f64, settled: Option<bool>) -> String {
    milliseconds(ms) + if settled == Some(false) { MARK } else { "" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_break_between_parameters() {
        let rendered = |width| {
            let mut table = plain();
            table.set_width(width).add_row(vec![label("blocks:size=8,search=for"), right("1,234,567,890")]);
            render(table)
        };
        assert_eq!(rendered(80), "blocks:size=8,search=for  1,234,567,890\n");
        assert_eq!(rendered(30), "blocks:     1,234,567,890\nsize=8,\nsearch=for\n");
    }
}
