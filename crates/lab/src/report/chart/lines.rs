//! Lines over an axis: the frame, the marks, the lines, and the name of each at its right end.

use super::drawing::{Drawing, LINE, MARGIN, Place, Stroke, TEXT, WIDTH, Write, heading, nothing};
use super::figure::{Lines, Mark, Point, Role, Scale};
use super::looks::{Look, Looks, MARKED};
use super::marks::Labels;
use rasterscan_drawing::colour::{GREY, GRID, INK};
use rasterscan_drawing::font;
use rasterscan_drawing::ruler::Ruler;
use rasterscan_drawing::spread::spread;

/// Height inside the frame; more if the names need it.
const HEIGHT: f64 = 350.0;
/// Names wider than this are written in several lines.
const NAME: f64 = 330.0;
/// Space from the frame to a name: for leaders, then for a sample of the line.
const LEADER: f64 = 22.0;
const SAMPLE: f64 = 34.0;
const GAP: f64 = 6.0;
/// A spread of fewer pixels is not seen beside its mark.
const VISIBLE: f64 = 5.0;

/// The places of values in the picture.
struct Plot {
    x: Ruler,
    y: Ruler,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl Plot {
    fn x(&self, value: f64) -> f64 {
        self.left + self.x.share(value) * (self.right - self.left)
    }

    fn y(&self, value: f64) -> f64 {
        self.bottom - self.y.share(value) * (self.bottom - self.top)
    }
}

/// The name at the right of a line that has something to show, or of a horizontal mark.
struct Name {
    lines: Vec<String>,
    look: Look,
    /// The line's last point.
    end: Place,
    /// The height from which it comes: of two lines that end at one height, the upper has the upper name.
    from: f64,
}

impl Name {
    fn height(&self) -> f64 {
        self.lines.len() as f64 * TEXT * LINE + 1.0
    }
}

/// Draws the panel from `top` down, and returns the height at which it ends.
pub fn draw(lines: &Lines, looks: &Looks, drawing: &mut Drawing, top: f64) -> f64 {
    let top = heading(drawing, &lines.title, top);
    let series: Vec<(Look, Vec<Point>, &str)> = shown(lines, looks);
    let texts: Vec<Vec<String>> = series
        .iter()
        .map(|(.., name)| *name)
        .chain(horizontal(lines).map(|(_, label)| label))
        .map(wrapped)
        .collect();
    let names_width = font::widest(texts.iter().flatten(), TEXT);
    let names_height: f64 = texts.iter().map(|lines| lines.len() as f64 * TEXT * LINE + 1.0).sum();

    let top = top + TEXT * LINE;
    drawing.text((MARGIN, top - 6.0), &lines.y.label, &Write::left(GREY));
    let right = WIDTH - MARGIN - if texts.is_empty() { 0.0 } else { LEADER + SAMPLE + GAP + names_width };
    let below = 2.0 * TEXT * LINE + 16.0;

    let marks_at = |vertical: bool| {
        lines.marks.iter().filter_map(move |mark| match mark {
            Mark::Vertical { at, .. } if vertical => Some(*at),
            Mark::Horizontal { at, .. } if !vertical => Some(*at),
            _ => None,
        })
    };
    let points = || series.iter().flat_map(|(_, points, _)| points);
    let ys = points().flat_map(|point| [point.y, point.low, point.high]).chain(marks_at(false));
    let y = Ruler::new(lines.y.scale, ys, 7).filter(|_| points().next().is_some());
    let Some(y) = y else {
        return nothing(drawing, top);
    };
    let left = MARGIN + font::widest(y.ticks.iter().map(|(_, text)| text), TEXT) + 8.0;
    // Powers of two are short.
    let most = (right - left) / if lines.x.scale == Scale::Log2 { 40.0 } else { 80.0 };
    let Some(x) =
        Ruler::new(lines.x.scale, points().map(|point| point.x).chain(marks_at(true)), most as usize)
    else {
        return top;
    };
    let mut plot = Plot { x, y, left, right, top, bottom: top };
    let labels = Labels::new(vertical(lines, &plot), (left, WIDTH - MARGIN));
    plot.top += labels.height();
    plot.bottom = plot.top + HEIGHT.max(names_height);

    frame(&plot, &lines.x.label, drawing);
    labels.draw(drawing, (plot.top, plot.bottom));
    for (at, _) in horizontal(lines) {
        drawing.line(vec![(plot.left, plot.y(at)), (plot.right, plot.y(at))], MARKED);
    }
    for (look, points, _) in &series {
        draw_line(&plot, look, points, drawing);
    }

    let ends = series.iter().filter_map(|(look, points, _)| {
        let end = points.last()?;
        let from = points.iter().rev().nth(1).unwrap_or(end);
        Some((*look, (plot.x(end.x), plot.y(end.y)), plot.y(from.y)))
    });
    let mark = Look::bare(MARKED, GREY);
    let ends = ends.chain(horizontal(lines).map(|(at, _)| (mark, (plot.right, plot.y(at)), plot.y(at))));
    let mut names: Vec<Name> =
        ends.zip(texts).map(|((look, end, from), lines)| Name { lines, look, end, from }).collect();
    names.sort_by(|a, b| a.end.1.round().total_cmp(&b.end.1.round()).then(a.from.total_cmp(&b.from)));
    draw_names(&plot, &names, drawing);
    plot.bottom + below
}

fn wrapped(name: &str) -> Vec<String> {
    font::wrap(name, TEXT, NAME)
}

/// The series that have points with a place on both axes, in the order in which they are drawn: what was measured
/// covers the rest.
fn shown<'a>(lines: &'a Lines, looks: &Looks) -> Vec<(Look, Vec<Point>, &'a str)> {
    let roles = [Role::Limit, Role::Paper, Role::Data];
    let series = roles.iter().flat_map(|role| lines.series.iter().filter(move |series| series.role == *role));
    let shown = series.map(|series| {
        let has_place = |point: &&Point| lines.x.scale.admits(point.x) && lines.y.scale.admits(point.y);
        let points: Vec<Point> = series.points.iter().filter(has_place).copied().collect();
        (looks.line(&series.name, series.role), points, series.name.as_str())
    });
    shown.filter(|(_, points, _)| !points.is_empty()).collect()
}

fn horizontal(lines: &Lines) -> impl Iterator<Item = (f64, &str)> {
    lines.marks.iter().filter_map(|mark| match mark {
        Mark::Horizontal { at, label } if lines.y.scale.admits(*at) => Some((*at, label.as_str())),
        _ => None,
    })
}

fn vertical(lines: &Lines, plot: &Plot) -> Vec<(f64, String)> {
    let marks = lines.marks.iter().filter_map(|mark| match mark {
        Mark::Vertical { at, label } if lines.x.scale.admits(*at) => Some((plot.x(*at), label.clone())),
        _ => None,
    });
    marks.collect()
}

fn frame(plot: &Plot, label: &str, drawing: &mut Drawing) {
    let grid = Stroke::whole(GRID, 1.0);
    for (share, text) in &plot.x.ticks {
        let x = plot.left + share * (plot.right - plot.left);
        drawing.line(vec![(x, plot.top), (x, plot.bottom)], grid);
        drawing.text((x, plot.bottom + TEXT + 6.0), text, &Write::centre(INK));
    }
    for (share, text) in &plot.y.ticks {
        let y = plot.bottom - share * (plot.bottom - plot.top);
        drawing.line(vec![(plot.left, y), (plot.right, y)], grid);
        drawing.block((plot.left - 8.0, y), std::slice::from_ref(text), &Write::right(INK));
    }
    drawing.line(
        vec![(plot.left, plot.top), (plot.left, plot.bottom), (plot.right, plot.bottom)],
        Stroke::whole(GREY, 1.0),
    );
    let below = (plot.left.midpoint(plot.right), plot.bottom + 2.0 * TEXT * LINE + 8.0);
    drawing.text(below, label, &Write::centre(GREY));
}

fn draw_line(plot: &Plot, look: &Look, points: &[Point], drawing: &mut Drawing) {
    let places: Vec<Place> = points.iter().map(|point| (plot.x(point.x), plot.y(point.y))).collect();
    for (point, (x, y)) in points.iter().zip(&places) {
        let spread = Stroke::whole(look.ink, 1.0);
        let (low, high) = (plot.y(point.low).max(*y), plot.y(point.high).min(*y));
        if point.low.is_nan() || point.high.is_nan() || low - high < VISIBLE {
            continue;
        }
        for end in [low, high] {
            drawing.line(vec![(x - 3.0, end), (x + 3.0, end)], spread);
        }
        drawing.line(vec![(*x, low), (*x, high)], spread);
    }
    if places.len() > 1 {
        drawing.line(places.clone(), look.stroke);
    } else if let Some((x, y)) = places.first().filter(|_| !look.has_sign()) {
        // A limit at a single place has no mark to be seen by.
        drawing.line(vec![(x - 8.0, *y), (x + 8.0, *y)], look.stroke);
    }
    for place in places {
        look.draw_sign(place, drawing);
    }
}

/// Draws each name with a sample of its line, and with a leader to the line's end unless that is beside it.
fn draw_names(plot: &Plot, names: &[Name], drawing: &mut Drawing) {
    let wanted: Vec<(f64, f64)> = names.iter().map(|name| (name.end.1.round(), name.height())).collect();
    let half = TEXT * LINE / 2.0;
    let middles = spread(&wanted, plot.top - half, plot.bottom + half);
    for (name, middle) in names.iter().zip(middles) {
        let start = plot.right + LEADER;
        let mut leader = vec![name.end, (start - 4.0, middle)];
        if plot.right - name.end.0 > LEADER {
            leader.insert(1, (plot.right, name.end.1));
        }
        drawing.line(leader, Stroke { colour: name.look.ink, width: 0.8, dashes: &[1.0, 2.5] });
        drawing.line(vec![(start, middle), (start + SAMPLE, middle)], name.look.stroke);
        name.look.draw_sign((start + SAMPLE / 2.0, middle), drawing);
        drawing.block((start + SAMPLE + GAP, middle), &name.lines, &Write::left(name.look.ink));
    }
}
