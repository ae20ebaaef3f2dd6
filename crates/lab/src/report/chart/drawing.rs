//! The sheet that all charts are drawn on: its width, its margins, its headings.

pub use rasterscan_drawing::shape::{Drawing, LINE, Paint, Place, Stroke, TEXT, Write};

use rasterscan_drawing::colour::{GREY, INK, PAPER};
use rasterscan_drawing::font;

/// Width of all figures.
pub const WIDTH: f64 = 960.0;
/// Free space on all sides.
pub const MARGIN: f64 = 16.0;
/// Size of a panel's title.
pub const HEADING: f64 = 16.0;

/// An empty sheet.
pub fn sheet() -> Drawing {
    Drawing::new(WIDTH, 2.0 * MARGIN)
}

/// Draws a panel's title; returns the height below it.
pub fn heading(drawing: &mut Drawing, title: &str, top: f64) -> f64 {
    if title.is_empty() {
        return top;
    }
    let mut bottom = top;
    for line in font::wrap(title, HEADING, WIDTH - 2.0 * MARGIN) {
        bottom += HEADING * LINE;
        let write = Write { size: HEADING, ..Write::left(INK) };
        drawing.text((MARGIN, bottom - HEADING * 0.3), &line, &write);
    }
    bottom + 6.0
}

/// Draws the frame of a panel that has nothing to show; returns the height at which it ends.
pub fn nothing(drawing: &mut Drawing, top: f64) -> f64 {
    let (right, bottom) = (WIDTH - MARGIN, top + 120.0);
    let frame = Paint { fill: Some(PAPER), stroke: Some(Stroke::whole(GREY, 1.0)) };
    drawing.rectangle((MARGIN, top), (right, bottom), frame);
    let middle = (MARGIN.midpoint(right), top.midpoint(bottom));
    drawing.block(middle, &["nothing was measured".into()], &Write::centre(GREY));
    bottom + MARGIN
}
