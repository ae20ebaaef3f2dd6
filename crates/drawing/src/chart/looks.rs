//! Colours, dashes and marks: the look of each line, on light and dark pages.
//!
//! The colours are Okabe and Ito's, darkened until they are legible as text on white; where a page is dark, the second of
//! each pair is in place of the first. No two of the first 24 lines share colour, dashes and mark, and eight in a row
//! differ in each of the three.

use super::Role;
use crate::colour::{Colour, GREY, INK, PAPER};
use crate::shape::{Drawing, Paint, Place, Stroke};
use crate::theme::Theme;

/// The colours of lines and their names, each for light and for dark pages. The fourth is ink.
pub const LINES: [(Colour, Colour); 8] = [
    (Colour(0x00, 0x72, 0xB2), Colour(0x58, 0xA9, 0xE6)), // blue
    (Colour(0xC2, 0x4E, 0x00), Colour(0xF2, 0x8C, 0x4B)), // vermilion
    (Colour(0x00, 0x7D, 0x5C), Colour(0x3C, 0xC2, 0x9A)), // green
    (INK, Colour(0xE6, 0xED, 0xF3)),
    (Colour(0xA8, 0x4C, 0x8F), Colour(0xE0, 0x8C, 0xC6)), // purple
    (Colour(0x8F, 0x66, 0x00), Colour(0xD9, 0xA4, 0x41)), // orange
    (Colour(0x6B, 0x5B, 0xD0), Colour(0xA7, 0x9B, 0xF5)), // violet
    (Colour(0x0B, 0x7A, 0x92), Colour(0x4D, 0xBF, 0xD4)), // sky
];

/// Lengths of dashes and gaps, by which lines differ without colours.
const DASHES: [&[f32]; 8] = [
    &[],
    &[11.0, 4.0],
    &[2.0, 3.0],
    &[11.0, 3.0, 2.0, 3.0],
    &[5.0, 3.0],
    &[18.0, 4.0],
    &[11.0, 3.0, 2.0, 3.0, 2.0, 3.0],
    &[5.0, 3.0, 1.5, 3.0],
];

const PAPER_DASHES: &[f32] = &[6.0, 5.0];
/// The colour of a broad line.
pub const BROAD: Colour = Colour(0xB9, 0xBE, 0xC5);

/// The stroke of a line, by its number.
pub fn stroke(number: usize, theme: &Theme) -> Stroke {
    let (day, night) = LINES[number % LINES.len()];
    // From the ninth on, a colour meets other dashes.
    let dashes = DASHES[(number + 2 * (number / 8)) % DASHES.len()];
    Stroke { colour: if theme.is_light() { day } else { night }, width: 2.0, dashes }
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Sign {
    Disc,
    Square,
    Triangle,
    Diamond,
    Plus,
    Drop,
    Cross,
    Star,
}

const SIGNS: [Sign; 8] = [
    Sign::Disc,
    Sign::Square,
    Sign::Triangle,
    Sign::Diamond,
    Sign::Plus,
    Sign::Drop,
    Sign::Cross,
    Sign::Star,
];

/// The look of a series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Look {
    /// The line's own.
    pub stroke: Stroke,
    /// The colour of its name.
    pub ink: Colour,
    sign: Option<(Sign, Paint)>,
}

impl Look {
    /// The look on a light page of the line with this number, from 0.
    pub fn of(number: usize, role: Role) -> Look {
        let stroke = stroke(number, &Theme::PRINT);
        let colour = stroke.colour;
        // From the ninth on, a colour meets another mark.
        let sign = SIGNS[(number + 3 * (number / 8)) % 8];
        match role {
            Role::Limit => Look::bare(Stroke::whole(BROAD, 6.0), GREY),
            Role::Data => Look {
                stroke,
                ink: colour,
                // A rim, so that marks on one another are told apart.
                sign: Some((sign, Paint { fill: Some(colour), stroke: Some(Stroke::whole(PAPER, 0.8)) })),
            },
            Role::Paper => Look {
                stroke: Stroke { colour, width: 1.4, dashes: PAPER_DASHES },
                ink: colour,
                sign: Some((sign, Paint { fill: Some(PAPER), stroke: Some(Stroke::whole(colour, 1.5)) })),
            },
        }
    }

    /// A look without a sign.
    pub fn bare(stroke: Stroke, ink: Colour) -> Look {
        Look { stroke, ink, sign: None }
    }

    pub(super) fn has_sign(&self) -> bool {
        self.sign.is_some()
    }

    pub(super) fn draw_sign(&self, at: Place, drawing: &mut Drawing) {
        match self.sign {
            Some((Sign::Disc, paint)) => drawing.circle(at, 4.0, paint),
            Some((sign, paint)) => {
                let corners = sign.corners().into_iter().map(|(x, y)| (at.0 + x, at.1 + y));
                drawing.polygon(corners.collect(), paint);
            }
            None => {}
        }
    }
}

impl Sign {
    /// The corners around the middle, with y downwards.
    fn corners(self) -> Vec<Place> {
        let turned = |count: u32, radius: fn(u32) -> f64| {
            let corner = move |i: u32| {
                let (sin, cos) = (f64::from(i) * std::f64::consts::TAU / f64::from(count)).sin_cos();
                (sin * radius(i), -cos * radius(i))
            };
            (0..count).map(corner).collect::<Vec<_>>()
        };
        match self {
            Sign::Disc => turned(16, |_| 4.0),
            Sign::Square => vec![(-3.6, -3.6), (3.6, -3.6), (3.6, 3.6), (-3.6, 3.6)],
            Sign::Triangle => vec![(0.0, -5.2), (4.8, 3.4), (-4.8, 3.4)],
            Sign::Drop => vec![(0.0, 5.2), (-4.8, -3.4), (4.8, -3.4)],
            Sign::Diamond => vec![(0.0, -5.4), (4.2, 0.0), (0.0, 5.4), (-4.2, 0.0)],
            Sign::Star => turned(10, |i| if i % 2 == 0 { 6.0 } else { 2.4 }),
            Sign::Plus => PLUS.to_vec(),
            Sign::Cross => {
                let half = std::f64::consts::FRAC_1_SQRT_2;
                PLUS.iter().map(|(x, y)| ((x - y) * half, (x + y) * half)).collect()
            }
        }
    }
}

const PLUS: [Place; 12] = [
    (-1.5, -5.0),
    (1.5, -5.0),
    (1.5, -1.5),
    (5.0, -1.5),
    (5.0, 1.5),
    (1.5, 1.5),
    (1.5, 5.0),
    (-1.5, 5.0),
    (-1.5, 1.5),
    (-5.0, 1.5),
    (-5.0, -1.5),
    (-1.5, -1.5),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_lines_look_the_same() {
        let all: Vec<Look> = (0..24).map(|number| Look::of(number, Role::Data)).collect();
        for (i, look) in all.iter().enumerate() {
            for other in &all[..i] {
                let same_signs = look.sign.map(|sign| sign.0) == other.sign.map(|sign| sign.0);
                assert!(!(same_signs && look.stroke.dashes == other.stroke.dashes), "{i}");
            }
        }
    }
}
