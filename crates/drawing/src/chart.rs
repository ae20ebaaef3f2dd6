//! Lines over two axes, each named at its right end: the one chart of reports and of the app.

mod lines;
mod looks;
mod marks;

use crate::colour::{Colour, GREY, GRID, INK};
use crate::font;
use crate::shape::{Drawing, LINE, Paint, Stroke, TEXT, Write};
use crate::theme::{ACCENT, Theme};

pub use crate::ruler::Scale;
pub use looks::{BROAD, LINES, Look, stroke};
pub use marks::Labels;

/// Lines, each named at its right end.
#[derive(Debug, Clone, PartialEq)]
pub struct Lines {
    /// The title; may be empty.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The lines, each with its name.
    pub series: Vec<Series>,
    /// Lines across the whole panel, and ends.
    pub marks: Vec<Mark>,
}

/// An axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// The label, with the unit after a comma: "time, ms".
    pub label: String,
    /// The scale.
    pub scale: Scale,
}

/// A line.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// Its name, at its right end.
    pub name: String,
    /// Its points, by x.
    pub points: Vec<Point>,
    /// Its meaning.
    pub role: Role,
}

/// A point, and the spread of what was measured there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// The position along the x axis.
    pub x: f64,
    /// The median.
    pub y: f64,
    /// The lower bound of the median.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

impl Point {
    /// A point without a spread.
    pub fn new(x: f64, y: f64) -> Point {
        Point { x, y, low: y, high: y }
    }
}

/// The meaning of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Measured, or computed.
    Data,
    /// A limit that nothing can pass, such as a copy: broad, grey, without marks.
    Limit,
    /// A paper's own numbers: dashed, with hollow marks, in the colour of the data of the same name without " (paper)".
    Paper,
}

/// A mark on a panel.
#[derive(Debug, Clone, PartialEq)]
pub enum Mark {
    /// A line at an x.
    Vertical {
        /// The x.
        at: f64,
        /// Its name.
        label: String,
    },
    /// A line at a y.
    Horizontal {
        /// The y.
        at: f64,
        /// Its name.
        label: String,
    },
    /// A cross at the last point of a series, which does not go on.
    End {
        /// The series, by its number.
        series: usize,
    },
}

/// The part of a sheet that a chart may take, and its look there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sheet {
    /// The left and the right end, in points.
    pub sides: (f64, f64),
    /// The lower end; without one, a chart is as high as it needs.
    pub bottom: Option<f64>,
    /// The size of text.
    pub text: f64,
    /// The colours, and the width of letters.
    pub theme: Theme,
    /// The colour of the grid.
    pub grid: Colour,
    /// The stroke of marks.
    pub mark: Stroke,
    /// The words in place of a chart that has nothing to show.
    pub nothing: &'static str,
}

/// The size of a panel's title, in sizes of text.
const HEADING: f64 = 16.0 / 14.0;
/// Free space below the frame of a chart that has nothing to show.
const MARGIN: f64 = 16.0;
/// Below this width, lines have no names: a legend has them.
const NAMED: f64 = 420.0;

impl Sheet {
    /// A page between two sides, as high as its charts.
    pub const fn page(sides: (f64, f64)) -> Sheet {
        let theme = Theme { ink: INK, ..Theme::PRINT };
        let mark = Stroke { colour: GREY, width: 1.2, dashes: &[2.0, 4.0] };
        Sheet { sides, bottom: None, text: TEXT, theme, grid: GRID, mark, nothing: "nothing was measured" }
    }

    /// A part of a window.
    pub fn window(sides: (f64, f64), bottom: f64, theme: Theme) -> Sheet {
        let (grid, mark) = (theme.paper.towards(theme.ink, 0.15), Stroke::whole(ACCENT, 1.5));
        Sheet { sides, bottom: Some(bottom), text: 12.0, theme, grid, mark, nothing: "nothing to show" }
    }

    /// Text that begins at a point.
    pub fn write(&self, colour: Colour) -> Write {
        Write { size: self.text, ..Write::left(colour) }
    }

    fn width(&self) -> f64 {
        self.sides.1 - self.sides.0
    }

    /// The width of the widest of some texts.
    fn widest<'a>(&self, texts: impl IntoIterator<Item = &'a String>) -> f64 {
        font::widest(texts, self.text * self.theme.letters)
    }

    /// The height of lines of text.
    fn lines(&self, count: usize) -> f64 {
        count as f64 * self.text * LINE
    }

    /// Draws a panel's title; returns the height below it.
    pub fn heading(&self, drawing: &mut Drawing, title: &str, top: f64) -> f64 {
        if title.is_empty() {
            return top;
        }
        let size = self.text * HEADING;
        let mut bottom = top;
        for line in font::wrap(title, size, self.width()) {
            bottom += size * LINE;
            let write = Write { size, ..Write::left(self.theme.ink) };
            drawing.text((self.sides.0, bottom - size * 0.3), &line, &write);
        }
        bottom + 6.0
    }

    /// Draws the frame of a panel that has nothing to show; returns the height at which it ends.
    pub fn nothing(&self, drawing: &mut Drawing, top: f64) -> f64 {
        let (left, right) = self.sides;
        let bottom = self.bottom.unwrap_or(top + 120.0);
        let frame =
            Paint { fill: Some(self.theme.paper), stroke: Some(Stroke::whole(self.theme.faint, 1.0)) };
        drawing.rectangle((left, top), (right, bottom), frame);
        let middle = (left.midpoint(right), top.midpoint(bottom));
        let write = Write { size: self.text, ..Write::centre(self.theme.faint) };
        drawing.block(middle, &[self.nothing.into()], &write);
        bottom + MARGIN
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::{Anchor, Shape};

    fn lines(count: usize) -> Lines {
        let series = |number: usize| Series {
            name: format!("algorithm:parameter={number}"),
            points: (4..=24)
                .map(|log| Point::new(2f64.powi(log), 2f64.powi(log) * (number + 1) as f64))
                .collect(),
            role: Role::Data,
        };
        Lines {
            title: String::new(),
            x: Axis { label: "n, items".into(), scale: Scale::Log2 },
            y: Axis { label: "operations".into(), scale: Scale::Log10 },
            series: (0..count).map(series).collect(),
            marks: vec![
                Mark::Vertical { at: 2f64.powi(24), label: "n = 16,777,216".into() },
                Mark::End { series: 1 },
            ],
        }
    }

    fn drawn(lines: &Lines, (width, height): (f64, f64), theme: Theme) -> Vec<Shape> {
        let mut drawing = Drawing::new(width, height);
        let look = |number: usize, _: &Series| {
            let stroke = stroke(number, &theme);
            Look::bare(stroke, stroke.colour)
        };
        lines.draw(&Sheet::window((0.0, width), height, theme), look, &mut drawing, 0.0);
        drawing.shapes
    }

    /// All texts are inside, and no name lies on another.
    #[test]
    fn texts_stay_inside_at_every_size_of_a_window() {
        for (width, height) in [(200.0, 160.0), (300.0, 200.0), (700.0, 400.0), (1200.0, 700.0)] {
            for theme in [Theme::LIGHT, Theme::DARK, Theme::PRINT] {
                let mut names = Vec::new();
                for shape in drawn(&lines(6), (width, height), theme) {
                    let Shape::Text { at, text, write } = shape else { continue };
                    let wide = font::width(&text, write.size) * theme.letters;
                    let from = match write.anchor {
                        Anchor::Start => at.0,
                        Anchor::Middle => at.0 - wide / 2.0,
                        Anchor::End => at.0 - wide,
                    };
                    assert!(from >= -1.0 && from + wide <= width + 1.0, "{text} at {width}: {from}, {wide}");
                    assert!(at.1 > 0.0 && at.1 <= height, "{text}");
                    if text.starts_with("algorithm") {
                        names.push(at.1);
                    }
                }
                assert_eq!(names.len(), if width >= NAMED { 6 } else { 0 });
                names.sort_by(f64::total_cmp);
                assert!(names.windows(2).all(|pair| pair[1] - pair[0] >= 12.0), "{names:?}");
            }
        }
    }

    #[test]
    fn an_end_is_crossed_and_nothing_is_said() {
        let shapes = |lines: &Lines| drawn(lines, (700.0, 400.0), Theme::LIGHT).len();
        let mut open = lines(2);
        open.marks.pop();
        assert_eq!(shapes(&lines(2)), shapes(&open) + 2);
        let says = |shape: &Shape| matches!(shape, Shape::Text { text, .. } if text == "nothing to show");
        assert!(drawn(&lines(0), (700.0, 400.0), Theme::LIGHT).iter().any(says));
    }
}
