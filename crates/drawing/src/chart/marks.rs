//! The labels of vertical marks: in rows above the panel, where there is no data.

use super::Sheet;
use crate::font;
use crate::shape::{Drawing, Place, Write};

/// Free space between two labels of a row.
const GAP: f64 = 12.0;
/// Distance from a mark to its label.
const AWAY: f64 = 5.0;

/// A mark's label above the panel.
#[derive(Debug, Clone, PartialEq)]
struct Label {
    x: f64,
    left: f64,
    row: usize,
    text: String,
}

/// The labels of all vertical marks of a panel.
#[derive(Debug, Clone, PartialEq)]
pub struct Labels<'a> {
    sheet: &'a Sheet,
    labels: Vec<Label>,
}

impl<'a> Labels<'a> {
    /// Labels for marks at places, with text, right of `left`.
    pub fn new(sheet: &'a Sheet, mut marks: Vec<(f64, String)>, left: f64) -> Labels<'a> {
        let right = sheet.sides.1;
        // From the right: a label is on the right of its line, which then meets none of the labels below.
        marks.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut rows: Vec<Vec<Place>> = Vec::new();
        let place = |(x, text): (f64, String)| {
            let width = font::width(&text, sheet.text * sheet.theme.letters);
            let fits = x + AWAY + width <= right;
            let start = if fits { x + AWAY } else { (x - AWAY - width).max(left) };
            let free = |row: &Vec<Place>| {
                row.iter().all(|(from, to)| start > to + GAP || start + width + GAP < *from)
            };
            let row = rows.iter().position(free).unwrap_or(rows.len());
            if row == rows.len() {
                rows.push(Vec::new());
            }
            rows[row].push((start, start + width));
            Label { x, left: start, row, text }
        };
        Labels { sheet, labels: marks.into_iter().map(place).collect() }
    }

    /// The height of all rows above the panel.
    pub fn height(&self) -> f64 {
        self.sheet.lines(self.labels.iter().map(|label| label.row + 1).max().unwrap_or(0))
    }

    /// Draws the marks, from their labels down to the panel's bottom.
    pub fn draw(&self, drawing: &mut Drawing, (top, bottom): Place) {
        let Sheet { text, theme, mark, .. } = self.sheet;
        let base = |label: &Label| top - self.sheet.lines(label.row);
        for label in &self.labels {
            drawing.line(vec![(label.x, base(label) - text), (label.x, bottom)], *mark);
        }
        for label in &self.labels {
            drawing.text(
                (label.left, base(label) - 5.0),
                &label.text,
                &Write { size: *text, halo: true, ..Write::left(theme.faint) },
            );
        }
    }
}
