//! Curves over two logarithmic axes, of any size and theme: powers of two to the right, powers of ten upwards.

use crate::colour::{Colour, INK};
use crate::font;
use crate::ruler::{Ruler, Scale};
use crate::shape::{Drawing, LINE, Place, Stroke, Write};
use crate::spread::spread;
use crate::theme::{ACCENT, Theme};

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
pub const DASHES: [&[f32]; 8] = [
    &[],
    &[11.0, 4.0],
    &[2.0, 3.0],
    &[11.0, 3.0, 2.0, 3.0],
    &[5.0, 3.0],
    &[18.0, 4.0],
    &[11.0, 3.0, 2.0, 3.0, 2.0, 3.0],
    &[5.0, 3.0, 1.5, 3.0],
];

/// The size of labels, in points.
const SIZE: f64 = 12.0;
/// Below this width, in points, names are left out: a legend has them.
const NAMED: f64 = 420.0;
/// Space between the frame and text.
const GAP: f64 = 6.0;

/// A named line.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// The name.
    pub name: String,
    /// The points, by x.
    pub points: Vec<Place>,
    /// True if there is nothing right of the last point: a cross marks the end.
    pub ends: bool,
}

/// Curves, with the labels of their axes.
#[derive(Debug, Clone, PartialEq)]
pub struct Plot {
    /// The label of the horizontal axis.
    pub x: String,
    /// The label of the vertical axis.
    pub y: String,
    /// The curves, in the order of their colours.
    pub curves: Vec<Curve>,
    /// An x that is marked, and its name.
    pub mark: Option<(f64, String)>,
}

/// The stroke of a curve, by its number.
pub fn stroke(number: usize, theme: &Theme) -> Stroke {
    let (day, night) = LINES[number % LINES.len()];
    // From the ninth on, a colour meets other dashes.
    let dashes = DASHES[(number + 2 * (number / 8)) % DASHES.len()];
    Stroke { colour: if theme.is_light() { day } else { night }, width: 2.0, dashes }
}

impl Plot {
    /// Draws between two corners, for a theme. Values that are not positive have no place.
    pub fn draw(&self, (left, top): Place, (right, bottom): Place, theme: &Theme, drawing: &mut Drawing) {
        let admitted = |(x, y): &&Place| Scale::Log2.admits(*x) && Scale::Log10.admits(*y);
        let points = || self.curves.iter().flat_map(|curve| curve.points.iter().filter(admitted));
        let width = |text: &str| font::width(text, SIZE) * theme.letters;
        let write = |colour| Write { size: SIZE, ..Write::left(colour) };
        let named = right - left >= NAMED;
        let names = self.curves.iter().filter(|curve| curve.points.iter().any(|point| admitted(&point)));
        let widest = names.map(|curve| width(&curve.name)).fold(0.0, f64::max);

        let upper = top + SIZE * LINE * 2.0;
        let lower = bottom - SIZE * LINE * 2.0 - GAP;
        let rows = ((lower - upper) / 30.0).max(2.0) as usize;
        let Some(y) = Ruler::new(Scale::Log10, points().map(|point| point.1), rows) else {
            let middle = (left.midpoint(right), top.midpoint(bottom));
            drawing.block(
                middle,
                &["nothing to show".into()],
                &Write { size: SIZE, ..Write::centre(theme.faint) },
            );
            return;
        };
        let ticks = y.ticks.iter().map(|(_, text)| width(text)).fold(0.0, f64::max);
        let start = left + ticks + GAP;
        let end = if named { right - widest - 3.0 * GAP } else { right - 2.0 * GAP };
        let marked = self.mark.iter().map(|(x, _)| *x);
        let columns = ((end - start) / 40.0).max(2.0) as usize;
        let Some(x) = Ruler::new(Scale::Log2, points().map(|point| point.0).chain(marked), columns) else {
            return;
        };
        let place = |point: &Place| {
            (start + x.share(point.0) * (end - start), lower - y.share(point.1) * (lower - upper))
        };

        let grid = Stroke::whole(theme.paper.towards(theme.ink, 0.15), 1.0);
        for (share, text) in &x.ticks {
            let at = start + share * (end - start);
            drawing.line(vec![(at, upper), (at, lower)], grid);
            drawing.text((at, lower + SIZE + 3.0), text, &Write { size: SIZE, ..Write::centre(theme.ink) });
        }
        for (share, text) in &y.ticks {
            let at = lower - share * (lower - upper);
            drawing.line(vec![(start, at), (end, at)], grid);
            drawing.block(
                (start - GAP, at),
                std::slice::from_ref(text),
                &Write { size: SIZE, ..Write::right(theme.ink) },
            );
        }
        let frame = vec![(start, upper), (start, lower), (end, lower)];
        drawing.line(frame, Stroke::whole(theme.faint, 1.0));
        drawing.text((left, top + SIZE), &self.y, &write(theme.faint));
        let below = (start.midpoint(end), bottom - 3.0);
        drawing.text(below, &self.x, &Write { size: SIZE, ..Write::centre(theme.faint) });

        if let Some((at, name)) = &self.mark {
            let at = start + x.share(*at) * (end - start);
            drawing.line(vec![(at, upper), (at, lower)], Stroke::whole(ACCENT, 1.5));
            let fits = at + width(name) <= end;
            let text = Write { halo: true, ..if fits { write(theme.ink) } else { Write::right(theme.ink) } };
            let from = if fits { at + 3.0 } else { at - 3.0 };
            drawing.text((from, upper - 4.0), name, &Write { size: SIZE, ..text });
        }
        let mut ends = Vec::new();
        for (number, curve) in self.curves.iter().enumerate() {
            let look = stroke(number, theme);
            let places: Vec<Place> = curve.points.iter().filter(admitted).map(place).collect();
            let Some(&last) = places.last() else { continue };
            drawing.line(places, look);
            if curve.ends {
                let (x, y) = last;
                for slope in [-4.0, 4.0] {
                    let cross = vec![(x - 4.0, y - slope), (x + 4.0, y + slope)];
                    drawing.line(cross, Stroke { dashes: &[], ..look });
                }
            }
            ends.push((last, look.colour, &curve.name));
        }
        if !named {
            return;
        }
        let wanted: Vec<(f64, f64)> = ends.iter().map(|((_, y), ..)| (*y, SIZE * LINE)).collect();
        for (((x, y), colour, name), middle) in ends.into_iter().zip(spread(&wanted, upper, lower)) {
            let from = end + 2.0 * GAP;
            let leader = vec![(x, y), (end, y), (from - 3.0, middle)];
            drawing.line(leader, Stroke { colour, width: 0.8, dashes: &[1.0, 2.5] });
            drawing.block((from, middle), std::slice::from_ref(name), &write(colour));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::{Anchor, Shape};

    fn plot(count: usize) -> Plot {
        let curve = |number: usize| Curve {
            name: format!("algorithm:parameter={number}"),
            points: (4..=24).map(|log| (2f64.powi(log), 2f64.powi(log) * (number + 1) as f64)).collect(),
            ends: number == 1,
        };
        Plot {
            x: "n, items".into(),
            y: "operations".into(),
            curves: (0..count).map(curve).collect(),
            mark: Some((24.0, "n = 24".into())),
        }
    }

    /// All texts are inside, and no name lies on another.
    #[test]
    fn texts_stay_inside_at_every_size() {
        for (width, height) in [(200.0, 160.0), (300.0, 200.0), (700.0, 400.0), (1200.0, 700.0)] {
            for theme in [Theme::LIGHT, Theme::DARK, Theme::PRINT] {
                let mut drawing = Drawing::new(width, height);
                plot(6).draw((0.0, 0.0), (width, height), &theme, &mut drawing);
                let mut names = Vec::new();
                for shape in &drawing.shapes {
                    let Shape::Text { at, text, write } = shape else { continue };
                    let wide = font::width(text, write.size) * theme.letters;
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
                assert!(names.windows(2).all(|pair| pair[1] - pair[0] >= SIZE), "{names:?}");
            }
        }
    }

    #[test]
    fn an_end_is_crossed_and_nothing_is_said() {
        let lines = |plot: &Plot| {
            let mut drawing = Drawing::new(700.0, 400.0);
            plot.draw((0.0, 0.0), (700.0, 400.0), &Theme::LIGHT, &mut drawing);
            drawing.shapes.len()
        };
        let mut open = plot(2);
        open.curves[1].ends = false;
        assert_eq!(lines(&plot(2)), lines(&open) + 2);
        let empty = Plot { curves: Vec::new(), ..plot(2) };
        assert_eq!(lines(&empty), 1);
    }
}
