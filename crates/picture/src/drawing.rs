//! Shapes as plain data, in the order in which they cover one another. Painters turn them into pixels, SVG, or a window's meshes.

use crate::colour::{Colour, PAPER};

/// Size of text unless it says otherwise.
pub const TEXT: f64 = 14.0;
/// From one line of text to the next, in sizes of the text.
pub const LINE: f64 = 1.3;
/// From the middle of a line of text down to its base line, in sizes of the text.
const MIDDLE: f64 = 0.36;

pub type Place = (f64, f64);

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stroke {
    pub colour: Colour,
    pub width: f64,
    /// Lengths of dashes and gaps by turns; none for a whole line.
    pub dashes: &'static [f32],
}

impl Stroke {
    pub const fn whole(colour: Colour, width: f64) -> Stroke {
        Stroke { colour, width, dashes: &[] }
    }
}

/// How the inside and the edge of a shape look.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Paint {
    pub fill: Option<Colour>,
    pub stroke: Option<Stroke>,
}

impl From<Stroke> for Paint {
    fn from(stroke: Stroke) -> Paint {
        Paint { fill: None, stroke: Some(stroke) }
    }
}

impl From<Colour> for Paint {
    fn from(fill: Colour) -> Paint {
        Paint { fill: Some(fill), stroke: None }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

/// How text is written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Write {
    pub size: f64,
    pub colour: Colour,
    pub anchor: Anchor,
    /// The colour of paper around the letters, where they may stand on lines.
    pub halo: bool,
    /// Letters of one width.
    pub mono: bool,
}

impl Write {
    pub const fn left(colour: Colour) -> Write {
        Write { size: TEXT, colour, anchor: Anchor::Start, halo: false, mono: false }
    }

    pub const fn right(colour: Colour) -> Write {
        Write { anchor: Anchor::End, ..Write::left(colour) }
    }

    pub const fn centre(colour: Colour) -> Write {
        Write { anchor: Anchor::Middle, ..Write::left(colour) }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    Path {
        points: Vec<Place>,
        closed: bool,
        paint: Paint,
    },
    Circle {
        centre: Place,
        radius: f64,
        paint: Paint,
    },
    /// `at` is on the base line.
    Text {
        at: Place,
        text: String,
        write: Write,
    },
    /// A grid of squares of one colour each, row by row, from `at` on; `side` is a square's.
    Cells {
        at: Place,
        side: f64,
        columns: usize,
        colours: Vec<Colour>,
    },
}

/// A picture that no painter has painted yet. Lengths are in points, y downwards.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawing {
    pub width: f64,
    pub height: f64,
    pub paper: Colour,
    pub shapes: Vec<Shape>,
}

impl Drawing {
    /// An empty sheet of white paper.
    pub fn new(width: f64, height: f64) -> Drawing {
        Drawing { width, height, paper: PAPER, shapes: Vec::new() }
    }

    pub fn line(&mut self, points: Vec<Place>, stroke: Stroke) {
        self.shapes.push(Shape::Path { points, closed: false, paint: stroke.into() });
    }

    pub fn polygon(&mut self, points: Vec<Place>, paint: Paint) {
        self.shapes.push(Shape::Path { points, closed: true, paint });
    }

    pub fn rectangle(&mut self, (left, top): Place, (right, bottom): Place, paint: Paint) {
        self.polygon(vec![(left, top), (right, top), (right, bottom), (left, bottom)], paint);
    }

    pub fn circle(&mut self, centre: Place, radius: f64, paint: Paint) {
        self.shapes.push(Shape::Circle { centre, radius, paint });
    }

    /// Text on a base line.
    pub fn text(&mut self, at: Place, text: &str, write: &Write) {
        self.shapes.push(Shape::Text { at, text: text.into(), write: *write });
    }

    /// Lines of text whose middle is at a height.
    pub fn block(&mut self, (x, middle): Place, lines: &[String], write: &Write) {
        let height = write.size * LINE;
        let first = middle - height * (lines.len() as f64 - 1.0) / 2.0 + write.size * MIDDLE;
        for (i, line) in lines.iter().enumerate() {
            self.text((x, first + i as f64 * height), line, write);
        }
    }
}
