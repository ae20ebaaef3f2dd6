//! Shapes as plain data, the lowest first. Painters turn them into pixels, SVG, or a window's meshes.

use crate::colour::{Colour, INK, LEAST_CONTRAST, PAPER, contrast};
use crate::font;
use crate::theme::Theme;

/// The usual size of text, in points.
pub const TEXT: f64 = 14.0;
/// The distance from one line of text to the next, in sizes of the text.
pub const LINE: f64 = 1.3;
/// The distance from the middle of a line of text down to its base line, in sizes of the text.
const MIDDLE: f64 = 0.36;

/// The width of letters of one width, in sizes of the text.
const MONO: f64 = 0.61;

/// A point: right and down from the corner, in points.
pub type Place = (f64, f64);

/// The look of a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stroke {
    /// Its colour.
    pub colour: Colour,
    /// Its width, in points.
    pub width: f64,
    /// Lengths of dashes and gaps in turn; empty for a solid line.
    pub dashes: &'static [f32],
}

impl Stroke {
    /// A line without gaps.
    pub const fn whole(colour: Colour, width: f64) -> Stroke {
        Stroke { colour, width, dashes: &[] }
    }
}

/// The look of a shape: its inside and its edge.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Paint {
    /// The colour of the inside.
    pub fill: Option<Colour>,
    /// The line of the edge.
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

/// The side of a point on which text stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// Text begins at the point.
    Start,
    /// The middle of the text is at the point.
    Middle,
    /// Text ends at the point.
    End,
}

/// The look of a text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Write {
    /// The size of the letters, in points.
    pub size: f64,
    /// The colour of the letters.
    pub colour: Colour,
    /// The side of its point on which the text stands.
    pub anchor: Anchor,
    /// True for a border around the letters in the colour of the paper, for text that may lie on lines.
    pub halo: bool,
    /// True for letters of one width.
    pub mono: bool,
}

impl Write {
    /// Text that begins at a point.
    pub const fn left(colour: Colour) -> Write {
        Write { size: TEXT, colour, anchor: Anchor::Start, halo: false, mono: false }
    }

    /// Text that ends at a point.
    pub const fn right(colour: Colour) -> Write {
        Write { anchor: Anchor::End, ..Write::left(colour) }
    }

    /// Text whose middle is at a point.
    pub const fn centre(colour: Colour) -> Write {
        Write { anchor: Anchor::Middle, ..Write::left(colour) }
    }
}

/// A part of a drawing.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// A line or a polygon.
    Path {
        /// The corners.
        points: Vec<Place>,
        /// True if the last corner is joined to the first.
        closed: bool,
        /// The look of the inside and the edge.
        paint: Paint,
    },
    /// A circle.
    Circle {
        /// The middle.
        centre: Place,
        /// The radius, in points.
        radius: f64,
        /// The look of the inside and the edge.
        paint: Paint,
    },
    /// A line of text.
    Text {
        /// The beginning, middle or end of the base line.
        at: Place,
        /// The text, one line.
        text: String,
        /// The look of the letters.
        write: Write,
    },
    /// A grid of squares of one colour each.
    Cells {
        /// The corner of the first square.
        at: Place,
        /// The side of a square, in points.
        side: f64,
        /// Squares in a row.
        columns: usize,
        /// The colours, row by row.
        colours: Vec<Colour>,
    },
}

impl Shape {
    /// The corner and the size of the room that a text takes, from the tops of its digits to below its base line; `None`
    /// for other shapes. `letters` is the width of the painter's letters relative to the bundled font's.
    pub fn text_room(&self, letters: f64) -> Option<[Place; 2]> {
        let Shape::Text { at: (x, y), text, write } = self else { return None };
        let width = match write.mono {
            true => write.size * MONO * text.chars().count() as f64,
            false => font::width(text, write.size * letters),
        };
        let left = match write.anchor {
            Anchor::Start => *x,
            Anchor::Middle => x - width / 2.0,
            Anchor::End => x - width,
        };
        Some([(left, y - write.size * 0.76), (width, write.size * 0.8)])
    }
}

/// A picture as shapes, not painted yet. Lengths are in points, y downwards.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawing {
    /// The width, in points.
    pub width: f64,
    /// The height, in points.
    pub height: f64,
    /// The background.
    pub paper: Colour,
    /// The shapes, the lowest first.
    pub shapes: Vec<Shape>,
}

impl Drawing {
    /// An empty sheet of white paper.
    pub fn new(width: f64, height: f64) -> Drawing {
        Drawing { width, height, paper: PAPER, shapes: Vec::new() }
    }

    /// The same on the paper of a theme: ink and greys go with it, colours and the pixels of pictures stay.
    pub fn on(mut self, theme: &Theme) -> Drawing {
        let turn = |colour: &mut Colour| *colour = turned(*colour, theme);
        turn(&mut self.paper);
        for shape in &mut self.shapes {
            match shape {
                Shape::Path { paint, .. } | Shape::Circle { paint, .. } => {
                    paint.fill.iter_mut().for_each(turn);
                    paint.stroke.iter_mut().for_each(|stroke| turn(&mut stroke.colour));
                }
                Shape::Text { write, .. } => {
                    turn(&mut write.colour);
                    while contrast(write.colour, theme.paper) < LEAST_CONTRAST {
                        write.colour = write.colour.towards(theme.ink, 0.2);
                    }
                }
                // Pixels that show the paper.
                Shape::Cells { colours, .. } => {
                    colours.iter_mut().filter(|colour| **colour == PAPER).for_each(turn);
                }
            }
        }
        self
    }

    /// Draws a line through points.
    pub fn line(&mut self, points: Vec<Place>, stroke: Stroke) {
        self.shapes.push(Shape::Path { points, closed: false, paint: stroke.into() });
    }

    /// Draws a polygon.
    pub fn polygon(&mut self, points: Vec<Place>, paint: Paint) {
        self.shapes.push(Shape::Path { points, closed: true, paint });
    }

    /// Draws a rectangle between two corners.
    pub fn rectangle(&mut self, (left, top): Place, (right, bottom): Place, paint: Paint) {
        self.polygon(vec![(left, top), (right, top), (right, bottom), (left, bottom)], paint);
    }

    /// Draws a circle.
    pub fn circle(&mut self, centre: Place, radius: f64, paint: Paint) {
        self.shapes.push(Shape::Circle { centre, radius, paint });
    }

    /// Draws text on a base line.
    pub fn text(&mut self, at: Place, text: &str, write: &Write) {
        self.shapes.push(Shape::Text { at, text: text.into(), write: *write });
    }

    /// Draws lines of text whose middle is at a height.
    pub fn block(&mut self, (x, middle): Place, lines: &[String], write: &Write) {
        let height = write.size * LINE;
        let first = middle - height * (lines.len() as f64 - 1.0) / 2.0 + write.size * MIDDLE;
        for (i, line) in lines.iter().enumerate() {
            self.text((x, first + i as f64 * height), line, write);
        }
    }
}

/// A grey between paper and ink as a theme has it; any other colour as it is.
fn turned(colour: Colour, theme: &Theme) -> Colour {
    const GREYISH: u8 = 12;
    let Colour(red, green, blue) = colour;
    if red.max(green).max(blue) - red.min(green).min(blue) > GREYISH {
        return colour;
    }
    let share = f32::from(PAPER.1 - green) / f32::from(PAPER.1 - INK.1);
    theme.paper.towards(theme.ink, share.min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn on_dark_paper_ink_is_light_and_colours_stay() {
        let red = Colour(200, 30, 30);
        let mut drawing = Drawing::new(10.0, 10.0);
        drawing.text((0.0, 0.0), "1", &Write::left(INK));
        drawing.rectangle((0.0, 0.0), (5.0, 5.0), red.into());
        drawing.text((0.0, 0.0), "2", &Write::left(Colour(0, 0, 90)));
        let colours = vec![PAPER, INK];
        drawing.shapes.push(Shape::Cells { at: (0.0, 0.0), side: 1.0, columns: 2, colours });
        let on = drawing.on(&Theme::DARK);
        let legible = |colour| contrast(colour, on.paper) >= LEAST_CONTRAST;
        assert!(matches!(&on.shapes[2], Shape::Text { write, .. } if legible(write.colour)));
        assert_eq!(on.paper, Theme::DARK.paper);
        assert!(matches!(&on.shapes[0], Shape::Text { write, .. } if write.colour == Theme::DARK.ink));
        assert!(matches!(&on.shapes[1], Shape::Path { paint, .. } if paint.fill == Some(red)));
        assert!(
            matches!(&on.shapes[3], Shape::Cells { colours, .. } if *colours == [Theme::DARK.paper, INK])
        );
    }
}
