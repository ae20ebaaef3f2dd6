//! Charts: figures as plain data, and the way from there to SVG and PNG.

mod bars;
mod figure;
mod looks;
#[cfg(test)]
pub(crate) mod samples;
#[cfg(test)]
mod tests;

use figure::{MARGIN, SHEET, WIDTH};
use looks::Looks;
use rasterscan_drawing::colour::INK;
use rasterscan_drawing::shape::{Drawing, LINE, Write};
use rasterscan_drawing::{font, pixels, svg};

pub use figure::{Axis, Bar, Bars, Figure, Lines, Mark, Panel, Point, Role, Scale, Segment, Series};
pub use looks::{SEGMENTS, theme};
pub use rasterscan_drawing::pixels::PaintError;

/// Pixels of PNG to a unit of SVG.
const PNG_SCALE: f32 = 2.0;

impl Figure {
    /// A whole SVG document; it has no ids, so that many can be in one page.
    pub fn svg(&self) -> String {
        svg::write(&self.draw(), &self.title, &self.description)
    }

    /// The same picture at twice the resolution, on white.
    pub fn png(&self) -> Result<Vec<u8>, PaintError> {
        pixels::paint(&self.draw(), PNG_SCALE)?.png()
    }

    fn draw(&self) -> Drawing {
        let looks = Looks::of(&self.panels);
        let mut drawing = Drawing::new(WIDTH, 2.0 * MARGIN);
        let mut top = MARGIN;
        for line in font::wrap(&self.title, TITLE, WIDTH - 2.0 * MARGIN) {
            top += TITLE * LINE;
            drawing.text((MARGIN, top - TITLE * 0.3), &line, &Write { size: TITLE, ..Write::left(INK) });
        }
        for panel in &self.panels {
            top += BETWEEN;
            top = match panel {
                Panel::Lines(lines) => {
                    let look = |_, series: &Series| looks.line(&series.name, series.role);
                    lines.draw(&SHEET, look, &mut drawing, top)
                }
                Panel::Bars(bars) => bars::draw(bars, &looks, &mut drawing, top),
            };
        }
        drawing.height = (top + MARGIN).ceil();
        drawing
    }
}

/// Size of a figure's title.
const TITLE: f64 = 20.0;
/// Space between the title and the panels, and between two panels.
const BETWEEN: f64 = 16.0;
