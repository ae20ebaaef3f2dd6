//! What a picture is made of before it is written or painted: shapes in the order in which they cover one another.

use super::colour::{Colour, GREY, INK, PAPER};
use super::font;

/// Of all figures.
pub const WIDTH: f64 = 960.0;
/// Free on all sides.
pub const MARGIN: f64 = 16.0;
/// Size of all text but titles.
pub const TEXT: f64 = 14.0;
/// Size of a panel's title.
pub const HEADING: f64 = 16.0;
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
}

impl Write {
    pub const fn left(colour: Colour) -> Write {
        Write { size: TEXT, colour, anchor: Anchor::Start, halo: false }
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
}

#[derive(Debug, Clone, PartialEq)]
pub struct Drawing {
    pub height: f64,
    pub shapes: Vec<Shape>,
}

impl Default for Drawing {
    fn default() -> Drawing {
        Drawing { height: 2.0 * MARGIN, shapes: Vec::new() }
    }
}

impl Drawing {
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

    /// A panel's title; returns where what follows may begin.
    pub fn heading(&mut self, title: &str, top: f64) -> f64 {
        if title.is_empty() {
            return top;
        }
        let mut bottom = top;
        for line in font::wrap(title, HEADING, WIDTH - 2.0 * MARGIN) {
            bottom += HEADING * LINE;
            let write = Write { size: HEADING, ..Write::left(INK) };
            self.text((MARGIN, bottom - HEADING * 0.3), &line, &write);
        }
        bottom + 6.0
    }

    /// The frame of a panel that has nothing to show; returns where it ends.
    pub fn nothing(&mut self, top: f64) -> f64 {
        let (right, bottom) = (WIDTH - MARGIN, top + 120.0);
        let frame = Paint { fill: Some(PAPER), stroke: Some(Stroke::whole(GREY, 1.0)) };
        self.rectangle((MARGIN, top), (right, bottom), frame);
        let middle = (MARGIN.midpoint(right), top.midpoint(bottom));
        self.block(middle, &["nothing was measured".into()], &Write::centre(GREY));
        bottom + MARGIN
    }
}
