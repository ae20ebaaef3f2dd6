//! The labels of vertical marks: in rows above the panel, where there is no data.

use super::drawing::{Drawing, LINE, Place, TEXT, Write};
use super::looks::MARKED;
use rasterscan_drawing::colour::GREY;
use rasterscan_drawing::font;

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

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Labels(Vec<Label>);

impl Labels {
    /// Labels for marks at places between left and right, with text.
    pub fn new(mut marks: Vec<(f64, String)>, (left, right): Place) -> Labels {
        // From the right: a label is on the right of its line, which then meets none of the labels below.
        marks.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut rows: Vec<Vec<Place>> = Vec::new();
        let place = |(x, text): (f64, String)| {
            let width = font::width(&text, TEXT);
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
        Labels(marks.into_iter().map(place).collect())
    }

    /// The height of all rows above the panel.
    pub fn height(&self) -> f64 {
        let rows = self.0.iter().map(|label| label.row + 1).max().unwrap_or(0);
        rows as f64 * TEXT * LINE
    }

    /// Draws the marks, from their labels down to the panel's bottom.
    pub fn draw(&self, drawing: &mut Drawing, (top, bottom): Place) {
        let base = |label: &Label| top - label.row as f64 * TEXT * LINE;
        for label in &self.0 {
            drawing.line(vec![(label.x, base(label) - TEXT), (label.x, bottom)], MARKED);
        }
        for label in &self.0 {
            drawing.text(
                (label.left, base(label) - 5.0),
                &label.text,
                &Write { halo: true, ..Write::left(GREY) },
            );
        }
    }
}
