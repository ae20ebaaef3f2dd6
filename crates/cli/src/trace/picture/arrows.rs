//! Arrows from what was read to what was made of it.

use rasterscan_lab::report::chart::colour::{Colour, PAPER};
use rasterscan_lab::report::chart::drawing::{Drawing, Paint, Place, Stroke};

const ARROW: Colour = Colour(0x2B, 0x31, 0x39);
/// Of what was read for its own place.
const OWN: Colour = Colour(0x8A, 0x93, 0x9E);
/// Parts of a curve that are drawn straight.
const PARTS: u32 = 24;
/// Length and half the breadth of a head.
const HEAD: (f64, f64) = (7.0, 3.2);

/// From what is read to what is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// To the right.
    Beside,
    /// Down.
    Above,
}

/// Where an arrow leaves a texel, or comes to it.
pub struct Port {
    /// On the side to which arrows leave, and on that from which they come.
    pub out: Place,
    pub into: Place,
    /// Where the texel's stream ends on that side, and on this.
    pub last: Place,
    pub first: Place,
}

/// Straight until out of the source, and again from where the target begins.
pub fn draw(way: Way, source: &Port, target: &Port, own: bool, drawing: &mut Drawing) {
    let (from, to) = (source.out, target.into);
    let ahead = |(x, y): Place, by: f64| match way {
        Way::Beside => (x + by, y),
        Way::Above => (x, y + by),
    };
    let (start, end) = (source.last, target.first);
    let distance = match way {
        Way::Beside => end.0 - start.0,
        Way::Above => end.1 - start.1,
    };
    let reach = (distance * 0.5).abs().max(12.0);
    let points = [start, ahead(start, reach), ahead(end, -reach), end];
    let tail = ahead(to, -HEAD.0);
    let curve = (0..=PARTS).map(|part| at(points, f64::from(part) / f64::from(PARTS)));
    let line: Vec<Place> = [from].into_iter().chain(curve).chain([tail]).collect();
    let colour = if own { OWN } else { ARROW };
    drawing.line(line.clone(), Stroke::whole(PAPER, 2.4));
    drawing.line(line, Stroke::whole(colour, 1.1));
    let paint = Paint { fill: Some(colour), stroke: Some(Stroke::whole(PAPER, 0.8)) };
    drawing.circle(from, 2.2, paint);
    let side = |sign: f64| match way {
        Way::Beside => (tail.0, tail.1 + sign * HEAD.1),
        Way::Above => (tail.0 + sign * HEAD.1, tail.1),
    };
    drawing.polygon(vec![to, side(-1.0), side(1.0)], paint);
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
