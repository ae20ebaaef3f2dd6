//! Colours, dashes and marks: the look of each line, on light and dark pages.
//!
//! The colours are Okabe and Ito's, darkened until they are legible as text on white; where a page is dark, its style
//! sheet puts the second of each pair in place of the first. No two of the first 24 lines share colour, dashes and
//! mark, and eight in a row differ in each of the three.

use super::drawing::{Drawing, Paint, Place, Stroke};
use super::figure::{Panel, Role};
use rasterscan_drawing::colour::{Colour, GREY, GRID, PAPER};
use rasterscan_drawing::plot::{DASHES, LINES};

/// The colour of a broad line.
const BROAD: Colour = Colour(0xB9, 0xBE, 0xC5);

/// The colours of everything but data, each for light and for dark pages.
const PLAIN: [(Colour, Colour); 5] = [
    LINES[3],
    (GREY, Colour(0xA9, 0xB1, 0xBA)),
    (GRID, Colour(0x2B, 0x31, 0x39)),
    (PAPER, Colour(0x0D, 0x11, 0x17)),
    (BROAD, Colour(0x5B, 0x63, 0x6D)),
];

/// The colours of segments of bars: dark and light in turn.
const FILLS: [(Colour, Colour); 8] = [
    (Colour(0x08, 0x3A, 0x66), Colour(0x2F, 0x7C, 0xC0)), // blue
    (Colour(0xCF, 0x7A, 0x10), Colour(0xFF, 0xC2, 0x66)), // orange
    (Colour(0x0B, 0x61, 0x4A), Colour(0x2A, 0x91, 0x70)), // green
    (Colour(0xC0, 0x74, 0xA8), Colour(0xF0, 0xB6, 0xDE)), // purple
    (Colour(0x4A, 0x26, 0x00), Colour(0x99, 0x5F, 0x22)), // brown
    (Colour(0x47, 0x96, 0xCC), Colour(0xA9, 0xD8, 0xF8)), // sky
    (Colour(0x45, 0x4B, 0x54), Colour(0x74, 0x7C, 0x87)), // grey
    (Colour(0x8C, 0x8A, 0x14), Colour(0xDE, 0xDB, 0x72)), // olive
];

const PAPER_DASHES: &[f32] = &[6.0, 5.0];
const MARKED_DASHES: &[f32] = &[2.0, 4.0];

/// All colours that differ on a dark page, each with its colour there.
pub fn theme() -> impl Iterator<Item = (String, String)> {
    let others = LINES.into_iter().filter(|pair| *pair != PLAIN[0]);
    PLAIN.into_iter().chain(others).chain(FILLS).map(|(day, night)| (day.to_string(), night.to_string()))
}

/// The stroke of a mark across a panel, where something ends or begins.
pub const MARKED: Stroke = Stroke { colour: GREY, width: 1.2, dashes: MARKED_DASHES };

/// The colour of a segment of bars.
pub fn fill(index: usize) -> Colour {
    FILLS[index % FILLS.len()].0
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
    pub stroke: Stroke,
    /// The colour of its name.
    pub ink: Colour,
    sign: Option<(Sign, Paint)>,
}

impl Look {
    /// A look without a sign.
    pub fn bare(stroke: Stroke, ink: Colour) -> Look {
        Look { stroke, ink, sign: None }
    }

    pub fn has_sign(&self) -> bool {
        self.sign.is_some()
    }

    pub fn draw_sign(&self, at: Place, drawing: &mut Drawing) {
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

/// The looks of all names: the same name looks the same in all panels of a figure.
#[derive(Debug, Default)]
pub struct Looks {
    lines: Vec<String>,
    segments: Vec<String>,
}

impl Looks {
    pub fn of(panels: &[Panel]) -> Looks {
        let mut looks = Looks::default();
        let lines = panels.iter().filter_map(|panel| match panel {
            Panel::Lines(lines) => Some(&lines.series),
            Panel::Bars(_) => None,
        });
        // Papers after data, so that what was measured has the first colours.
        for role in [Role::Data, Role::Paper] {
            for series in lines.clone().flatten().filter(|series| series.role == role) {
                note(&mut looks.lines, plain(&series.name));
            }
        }
        for panel in panels {
            let Panel::Bars(bars) = panel else { continue };
            for segment in bars.bars.iter().flat_map(|bar| &bar.segments) {
                note(&mut looks.segments, &segment.name);
            }
        }
        looks
    }

    pub fn line(&self, name: &str, role: Role) -> Look {
        let index = self.lines.iter().position(|known| known == plain(name)).unwrap_or(0);
        let colour = LINES[index % 8].0;
        // From the ninth on, a colour meets other dashes and another mark.
        let round = index / 8;
        let sign = SIGNS[(index + 3 * round) % 8];
        match role {
            Role::Limit => Look::bare(Stroke::whole(BROAD, 6.0), GREY),
            Role::Data => Look {
                stroke: Stroke { colour, width: 2.0, dashes: DASHES[(index + 2 * round) % 8] },
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

    pub fn segment(&self, name: &str) -> Colour {
        fill(self.segments.iter().position(|known| known == name).unwrap_or(0))
    }
}

fn note(names: &mut Vec<String>, name: &str) {
    if !names.iter().any(|known| known == name) {
        names.push(name.into());
    }
}

/// The name that a paper's line shares with the data's.
fn plain(name: &str) -> &str {
    name.strip_suffix(" (paper)").unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn luminance(colour: Colour) -> f64 {
        let linear = |value: u8| {
            let value = f64::from(value) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(colour.0) + 0.7152 * linear(colour.1) + 0.0722 * linear(colour.2)
    }

    fn contrast(a: Colour, b: Colour) -> f64 {
        let (a, b) = (luminance(a) + 0.05, luminance(b) + 0.05);
        a.max(b) / a.min(b)
    }

    #[test]
    fn colours_are_read_by_day_and_by_night() {
        let night = PLAIN[3].1;
        for (i, (day_colour, night_colour)) in LINES.into_iter().chain([PLAIN[1]]).enumerate() {
            // Names of lines are text.
            assert!(contrast(day_colour, PAPER) >= 4.5, "{i}: {}", contrast(day_colour, PAPER));
            assert!(contrast(night_colour, night) >= 4.5, "{i}: {}", contrast(night_colour, night));
            // A picture that is shown without the page's style sheet.
            let bare = i == 3 || i == 8 || contrast(day_colour, night) >= 3.0;
            assert!(bare, "{i}: {}", contrast(day_colour, night));
        }
        for (by_day, by_night) in FILLS {
            assert!(
                contrast(by_day, PAPER) >= 3.0 && contrast(by_night, night) >= 3.0,
                "{by_day} {by_night}"
            );
        }
        for pair in FILLS.windows(2) {
            assert!(contrast(pair[0].0, pair[1].0) >= 2.0, "{}", pair[1].0);
            assert!(contrast(pair[0].1, pair[1].1) >= 2.0, "{}", pair[1].1);
        }
    }

    #[test]
    fn no_two_lines_look_the_same() {
        let names: Vec<String> = (0..24).map(|i| format!("line {i}")).collect();
        let looks = Looks { lines: names.clone(), segments: Vec::new() };
        let all: Vec<Look> = names.iter().map(|name| looks.line(name, Role::Data)).collect();
        for (i, look) in all.iter().enumerate() {
            for other in &all[..i] {
                let same_signs = look.sign.map(|sign| sign.0) == other.sign.map(|sign| sign.0);
                assert!(!(same_signs && look.stroke.dashes == other.stroke.dashes), "{i}");
            }
        }
        let mut days: Vec<String> = theme().map(|(day, _)| day).collect();
        days.sort();
        days.dedup();
        assert_eq!(days.len(), theme().count());
    }
}
