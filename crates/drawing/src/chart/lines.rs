//! Lines over an axis: the frame, the marks, the lines, and the name of each at its right end.

use super::{Labels, Lines, Look, Mark, NAMED, Point, Role, Scale, Series, Sheet};
use crate::font;
use crate::ruler::Ruler;
use crate::shape::{Drawing, Place, Stroke, Write};
use crate::spread::spread;

/// Height inside the frame where the sheet has no end; more if the names need it.
const HEIGHT: f64 = 350.0;
/// Names wider than this are written in several lines, and those wider than this share of the sheet.
const NAME: f64 = 330.0;
const NAME_SHARE: f64 = 0.36;
/// Space from the frame to a name: for leaders, then for a sample of the line.
const LEADER: f64 = 22.0;
const SAMPLE: f64 = 34.0;
const GAP: f64 = 6.0;
/// A spread of fewer pixels is not seen beside its mark.
const VISIBLE: f64 = 5.0;

/// The places of values in the picture.
struct Plot<'a> {
    sheet: &'a Sheet,
    x: Ruler,
    y: Ruler,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl Plot<'_> {
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

/// A series with the points that have a place on both axes.
struct Shown<'a> {
    look: Look,
    points: Vec<Point>,
    name: &'a str,
    /// True if a cross is at its end.
    ends: bool,
}

impl Lines {
    /// Draws the panel from `top` down, and returns the height at which it ends. Each series has the look of its number.
    pub fn draw(
        &self,
        sheet: &Sheet,
        look: impl Fn(usize, &Series) -> Look,
        drawing: &mut Drawing,
        top: f64,
    ) -> f64 {
        let top = sheet.heading(drawing, &self.title, top);
        let series = self.shown(look);
        let is_named = sheet.width() >= NAMED;
        let most = NAME.min(sheet.width() * NAME_SHARE) / sheet.theme.letters;
        let names = series.iter().map(|shown| shown.name).chain(self.horizontal().map(|(_, label)| label));
        let texts: Vec<Vec<String>> =
            names.filter(|_| is_named).map(|name| font::wrap(name, sheet.text, most)).collect();
        let names_width = sheet.widest(texts.iter().flatten());
        let names_height: f64 = texts.iter().map(|lines| height(sheet, lines)).sum();

        let top = top + sheet.lines(1);
        let (outer_left, outer_right) = sheet.sides;
        drawing.text((outer_left, top - 6.0), &self.y.label, &sheet.write(sheet.theme.faint));
        let beside = match texts.is_empty() {
            // Half of the last tick's text.
            true => 2.0 * GAP,
            false => LEADER + SAMPLE + GAP + names_width,
        };
        let right = outer_right - beside;
        let below = sheet.lines(2) + 16.0;

        let marks_at = |vertical: bool| {
            self.marks.iter().filter_map(move |mark| match mark {
                Mark::Vertical { at, .. } if vertical => Some(*at),
                Mark::Horizontal { at, .. } if !vertical => Some(*at),
                _ => None,
            })
        };
        let points = || series.iter().flat_map(|shown| &shown.points);
        let ys = points().flat_map(|point| [point.y, point.low, point.high]).chain(marks_at(false));
        let rows = sheet.bottom.map_or(HEIGHT, |bottom| bottom - below - top) / (3.5 * sheet.text);
        let y = Ruler::new(self.y.scale, ys, rows.max(2.0) as usize).filter(|_| points().next().is_some());
        let Some(y) = y else {
            return sheet.nothing(drawing, top);
        };
        let left = outer_left + sheet.widest(y.ticks.iter().map(|(_, text)| text)) + 8.0;
        // Powers of two are short.
        let most = (right - left) / if self.x.scale == Scale::Log2 { 40.0 } else { 80.0 };
        let xs = points().map(|point| point.x).chain(marks_at(true));
        let Some(x) = Ruler::new(self.x.scale, xs, most as usize) else {
            return top;
        };
        let mut plot = Plot { sheet, x, y, left, right, top, bottom: top };
        let labels = Labels::new(sheet, self.vertical(&plot), left);
        plot.top += labels.height();
        plot.bottom = sheet.bottom.map_or(plot.top + HEIGHT.max(names_height), |bottom| bottom - below);

        frame(&plot, &self.x.label, drawing);
        labels.draw(drawing, (plot.top, plot.bottom));
        for (at, _) in self.horizontal() {
            drawing.line(vec![(plot.left, plot.y(at)), (plot.right, plot.y(at))], sheet.mark);
        }
        for shown in &series {
            draw_line(&plot, shown, drawing);
        }

        let ends = series.iter().filter_map(|Shown { look, points, .. }| {
            let end = points.last()?;
            let from = points.iter().rev().nth(1).unwrap_or(end);
            Some((*look, (plot.x(end.x), plot.y(end.y)), plot.y(from.y)))
        });
        let mark = Look::bare(sheet.mark, sheet.theme.faint);
        let marks = self.horizontal().map(|(at, _)| (mark, (plot.right, plot.y(at)), plot.y(at)));
        let names = ends.chain(marks).zip(texts);
        let mut names: Vec<Name> =
            names.map(|((look, end, from), lines)| Name { lines, look, end, from }).collect();
        names.sort_by(|a, b| a.end.1.round().total_cmp(&b.end.1.round()).then(a.from.total_cmp(&b.from)));
        draw_names(&plot, &names, drawing);
        plot.bottom + below
    }

    /// The series that have something to show, in the order in which they are drawn: what was measured covers the rest.
    fn shown(&self, look: impl Fn(usize, &Series) -> Look) -> Vec<Shown<'_>> {
        let roles = [Role::Limit, Role::Paper, Role::Data];
        let all = || self.series.iter().enumerate();
        let series = roles.iter().flat_map(|role| all().filter(move |(_, series)| series.role == *role));
        let shown = series.map(|(number, series)| {
            let has_place = |point: &&Point| self.x.scale.admits(point.x) && self.y.scale.admits(point.y);
            Shown {
                look: look(number, series),
                points: series.points.iter().filter(has_place).copied().collect(),
                name: &series.name,
                ends: self.marks.contains(&Mark::End { series: number }),
            }
        });
        shown.filter(|shown| !shown.points.is_empty()).collect()
    }

    fn horizontal(&self) -> impl Iterator<Item = (f64, &str)> {
        self.marks.iter().filter_map(|mark| match mark {
            Mark::Horizontal { at, label } if self.y.scale.admits(*at) => Some((*at, label.as_str())),
            _ => None,
        })
    }

    fn vertical(&self, plot: &Plot<'_>) -> Vec<(f64, String)> {
        let marks = self.marks.iter().filter_map(|mark| match mark {
            Mark::Vertical { at, label } if self.x.scale.admits(*at) => Some((plot.x(*at), label.clone())),
            _ => None,
        });
        marks.collect()
    }
}

/// The height of a name of several lines.
fn height(sheet: &Sheet, lines: &[String]) -> f64 {
    sheet.lines(lines.len()) + 1.0
}

fn frame(plot: &Plot<'_>, label: &str, drawing: &mut Drawing) {
    let Sheet { text: size, theme, .. } = *plot.sheet;
    let grid = Stroke::whole(plot.sheet.grid, 1.0);
    for (share, text) in &plot.x.ticks {
        let x = plot.left + share * (plot.right - plot.left);
        drawing.line(vec![(x, plot.top), (x, plot.bottom)], grid);
        drawing.text((x, plot.bottom + size + 6.0), text, &Write { size, ..Write::centre(theme.ink) });
    }
    for (share, text) in &plot.y.ticks {
        let y = plot.bottom - share * (plot.bottom - plot.top);
        drawing.line(vec![(plot.left, y), (plot.right, y)], grid);
        let write = Write { size, ..Write::right(theme.ink) };
        drawing.block((plot.left - 8.0, y), std::slice::from_ref(text), &write);
    }
    drawing.line(
        vec![(plot.left, plot.top), (plot.left, plot.bottom), (plot.right, plot.bottom)],
        Stroke::whole(theme.faint, 1.0),
    );
    let below = (plot.left.midpoint(plot.right), plot.bottom + plot.sheet.lines(2) + 8.0);
    drawing.text(below, label, &Write { size, ..Write::centre(theme.faint) });
}

fn draw_line(plot: &Plot<'_>, Shown { look, points, ends, .. }: &Shown<'_>, drawing: &mut Drawing) {
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
    if let (true, Some((x, y))) = (ends, places.last()) {
        for slope in [-4.0, 4.0] {
            let cross = vec![(x - 4.0, y - slope), (x + 4.0, y + slope)];
            drawing.line(cross, Stroke { dashes: &[], ..look.stroke });
        }
    }
    for place in places {
        look.draw_sign(place, drawing);
    }
}

/// Draws each name with a sample of its line, and with a leader to the line's end unless that is beside it.
fn draw_names(plot: &Plot<'_>, names: &[Name], drawing: &mut Drawing) {
    let wanted: Vec<(f64, f64)> =
        names.iter().map(|name| (name.end.1.round(), height(plot.sheet, &name.lines))).collect();
    let half = plot.sheet.lines(1) / 2.0;
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
        drawing.block((start + SAMPLE + GAP, middle), &name.lines, &plot.sheet.write(name.look.ink));
    }
}
