//! Arrows from what was read to what was made of it.

use crate::report::chart::drawing::{Colour, Drawing, Paint, Place, Stroke};
use crate::report::chart::looks::PAPER;

const ARROW: Colour = Colour(0x2B, 0x31, 0x39);
/// Parts of a curve that are drawn straight.
const PARTS: u32 = 24;
/// Length and half the breadth of a head.
const HEAD: (f64, f64) = (7.0, 3.2);

/// Leaves to the right and arrives from the left, with paper along it where it goes over cells.
pub fn draw(from: Place, to: Place, drawing: &mut Drawing) {
    let end = (to.0 - HEAD.0, to.1);
    let reach = ((end.0 - from.0) * 0.45).abs().max(12.0);
    let points = [from, (from.0 + reach, from.1), (end.0 - reach, end.1), end];
    let curve: Vec<Place> = (0..=PARTS).map(|part| at(points, f64::from(part) / f64::from(PARTS))).collect();
    drawing.line(curve.clone(), Stroke::whole(PAPER, 3.4));
    drawing.line(curve, Stroke::whole(ARROW, 1.2));
    drawing.circle(from, 2.2, Paint { fill: Some(ARROW), stroke: Some(Stroke::whole(PAPER, 0.8)) });
    let head = vec![to, (end.0, to.1 - HEAD.1), (end.0, to.1 + HEAD.1)];
    drawing.polygon(head, Paint { fill: Some(ARROW), stroke: Some(Stroke::whole(PAPER, 0.8)) });
}

/// A point of a cubic curve of Bézier's.
fn at(points: [Place; 4], share: f64) -> Place {
    let rest = 1.0 - share;
    let weights =
        [rest * rest * rest, 3.0 * rest * rest * share, 3.0 * rest * share * share, share * share * share];
    let sum = |axis: fn(&Place) -> f64| {
        points.iter().zip(weights).map(|(point, weight)| axis(point) * weight).sum()
    };
    (sum(|point| point.0), sum(|point| point.1))
}
