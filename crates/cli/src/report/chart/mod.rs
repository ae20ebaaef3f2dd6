//! Charts: what they show, and the way from there to SVG and PNG.

mod bars;
pub mod drawing;
pub mod font;
mod lines;
pub mod looks;
mod marks;
mod names;
mod number;
pub mod png;
mod ruler;
#[cfg(test)]
pub mod samples;
mod svg;
#[cfg(test)]
mod tests;

use drawing::{Drawing, LINE, Write};
use looks::{INK, Looks};

pub use looks::theme;
pub use number::{power, significant, thousands};

/// Panels, one below the other, under a title.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    pub title: String,
    /// What a screen reader says.
    pub description: String,
    pub panels: Vec<Panel>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Panel {
    Lines(Lines),
    Bars(Bars),
}

/// Lines, each named at its right end.
#[derive(Debug, Clone, PartialEq)]
pub struct Lines {
    pub title: String,
    pub x: Axis,
    pub y: Axis,
    pub series: Vec<Series>,
    pub marks: Vec<Mark>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// With the unit after a comma: "time, ms".
    pub label: String,
    pub scale: Scale,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    Linear,
    LinearFromZero,
    Log2,
    Log10,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    pub name: String,
    pub points: Vec<Point>,
    pub role: Role,
}

/// A point, and the spread of what was measured there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    pub x: f64,
    pub y: f64,
    pub low: f64,
    pub high: f64,
}

impl Point {
    /// Without a spread.
    pub fn new(x: f64, y: f64) -> Point {
        Point { x, y, low: y, high: y }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    Data,
    /// What nothing can pass, such as a copy: broad, grey, without marks.
    Limit,
    /// A paper's own numbers: dashed, with hollow marks, in the colour of the data of the same name without " (paper)".
    Paper,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Mark {
    Vertical { at: f64, label: String },
    Horizontal { at: f64, label: String },
}

/// Horizontal bars, stacked from segments.
#[derive(Debug, Clone, PartialEq)]
pub struct Bars {
    pub title: String,
    pub axis: Axis,
    pub bars: Vec<Bar>,
    /// Values at which a line goes through all bars, with their names.
    pub marks: Vec<(f64, String)>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Bar {
    pub name: String,
    pub segments: Vec<Segment>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Segment {
    pub name: String,
    pub value: f64,
}

/// Pixels of PNG to a unit of SVG.
const PNG_SCALE: f32 = 2.0;

impl Figure {
    /// A whole SVG document; it has no ids, so that many can be in one page.
    pub fn svg(&self) -> anyhow::Result<String> {
        Ok(svg::write(&self.draw(), &self.title, &self.description))
    }

    /// The same picture at twice the resolution, on white.
    pub fn png(&self) -> anyhow::Result<Vec<u8>> {
        png::paint(&self.draw(), PNG_SCALE)
    }

    fn draw(&self) -> Drawing {
        let looks = Looks::of(&self.panels);
        let mut drawing = Drawing::default();
        let mut top = drawing::MARGIN;
        for line in font::wrap(&self.title, TITLE, drawing::WIDTH - 2.0 * drawing::MARGIN) {
            top += TITLE * LINE;
            drawing.text(
                (drawing::MARGIN, top - TITLE * 0.3),
                &line,
                &Write { size: TITLE, ..Write::left(INK) },
            );
        }
        for panel in &self.panels {
            top += BETWEEN;
            top = match panel {
                Panel::Lines(lines) => lines::draw(lines, &looks, &mut drawing, top),
                Panel::Bars(bars) => bars::draw(bars, &looks, &mut drawing, top),
            };
        }
        drawing.height = (top + drawing::MARGIN).ceil();
        drawing
    }
}

/// Size of a figure's title.
const TITLE: f64 = 20.0;
/// Between the title and the panels, and between two panels.
const BETWEEN: f64 = 16.0;
