//! Arrows from the texels that were read to the texels made from them, as the shaders recorded the reads.
//!
//! The arrows of one texel are lit. Arrows end at the edges of texels, run between the numbers on their way, and pause where
//! they would cross an index or a name.

use emath::{Pos2, Rect, Vec2, pos2, vec2};
use rasterscan::trace::Place;

use rasterscan_drawing::colour::Colour;
use rasterscan_drawing::shape::{Drawing, Paint, Shape, Stroke, Write};
use rasterscan_drawing::theme::{ACCENT, Theme};
use rasterscan_lesson::worked::Role;

use crate::block::Block;
use crate::subject::{Lit, Subject};
use crate::texels::{LEAST_FOR_TEXT, at, dashed, fill, frame, line};

/// The most target texels of a pass whose reads are all drawn as arrows.
const FEW_TEXELS: u32 = 64;
/// The least width of a number, in points, at which the ends of an arrow can be seen.
pub const LEAST_ZOOM: f32 = 5.0;
/// The most arrows of a pass: more are a tangle.
pub const MOST: usize = 200;
/// The most crossings of the faint arrows of a pass.
const MOST_CROSSINGS: usize = 64;
/// The most arrows that are lit; more are drawn as one, from all texels together.
const MOST_LIT: usize = 8;
/// The radius of a probe's number, in points.
const BADGE: f32 = 7.5;

/// Draws faint arrows for all reads of a pass, if they are few and cross rarely: dashed, if nothing came of them. `lit` are
/// drawn by [`lit`].
pub fn all(drawing: &mut Drawing, subject: &Subject, pass: usize, lanes: &Lanes, theme: &Theme) {
    let blocks = lanes.blocks;
    let zoom = blocks.first().map_or(0.0, Block::zoom);
    // Rows of numbers between the ends of arrows would be crossed.
    if !are_few(blocks) || zoom < LEAST_ZOOM || blocks.iter().any(|block| block.rows > 1) {
        return;
    }
    let reads = subject.arrows(pass, MOST);
    let paths: Vec<(Vec<Pos2>, Role)> = reads
        .iter()
        .filter_map(|lit| {
            let rects = rect_of(blocks, true, lit.arrow.from).zip(rect_of(blocks, false, lit.arrow.to));
            Some((lanes.path(rects?.0, rects?.1, 0.5)?, lit.role))
        })
        .collect();
    let lines: Vec<(Pos2, Pos2)> = paths.iter().map(|(path, _)| (path[0], path[path.len() - 1])).collect();
    if crossings(&lines) > MOST_CROSSINGS {
        return;
    }
    let faded = theme.faded();
    let texts = texts(drawing, theme);
    for (path, role) in paths {
        draw(drawing, &path, (1.0, 5.0), role == Role::Unused, faded, &texts);
    }
}

/// Returns whether a pass writes so few texels that all its reads may be drawn.
pub fn are_few(blocks: &[Block]) -> bool {
    blocks.iter().filter(|block| !block.source).map(|block| block.texels).sum::<u32>() <= FEW_TEXELS
}

/// Draws the arrows of a texel, bold, with frames around their ends: of operands whole, of reads without use dashed, of
/// probes numbered. They begin at the items that were used, and end at `target`, if there is one, else at their texels.
pub fn lit(drawing: &mut Drawing, arrows: &[Lit], target: Option<Rect>, lanes: &Lanes, theme: &Theme) {
    let blocks = lanes.blocks;
    let starts_at = |lit: &Lit| match lit.item {
        Some(item) => block_of(blocks, true, lit.arrow.from).map(|block| block.item(item)),
        None => rect_of(blocks, true, lit.arrow.from),
    };
    let ends_at = |lit: &Lit| target.or_else(|| rect_of(blocks, false, lit.arrow.to));
    for lit in arrows.iter().filter(|lit| lit.role != Role::Unused) {
        [starts_at(lit), ends_at(lit)].into_iter().flatten().for_each(|rect| outline(drawing, rect, theme));
    }
    let mut texts = texts(drawing, theme);
    if arrows.len() > MOST_LIT {
        let together = arrows.iter().filter_map(starts_at).reduce(Rect::union);
        let ends = together.zip(arrows.first().and_then(ends_at));
        if let Some(path) = ends.and_then(|(from, to)| lanes.path(from, to, 0.5)) {
            draw(drawing, &path, (4.5, 12.0), false, theme.paper, &texts);
            draw(drawing, &path, (2.0, 9.0), false, ACCENT, &texts);
        }
        return;
    }
    // Arrows into one texel end side by side, in the order in which they come from the left.
    let left = |lit: &Lit| starts_at(lit).map_or(0.0, |rect| rect.left());
    let mut ordered: Vec<&Lit> = arrows.iter().collect();
    ordered.sort_by(|a, b| left(a).total_cmp(&left(b)));
    let mut paths = Vec::new();
    for lit in &ordered {
        let same = |other: &&&Lit| other.arrow.to == lit.arrow.to;
        let of = ordered.iter().filter(same).count();
        let rank = ordered.iter().take_while(|other| !std::ptr::eq(**other, *lit)).filter(same).count();
        let share = (rank as f32 + 1.0) / (of as f32 + 1.0);
        let rects = starts_at(lit).zip(ends_at(lit));
        if let Some(path) = rects.and_then(|(from, to)| lanes.path(from, to, share)) {
            paths.push((path, lit.role));
        }
    }
    // Arrows pause at the numbers of probes as at all texts.
    let mut badges = Vec::new();
    for (path, role) in &paths {
        if let (Role::Probe(number), Some(centre)) = (role, badge_on(path, blocks, &texts)) {
            texts.push(Rect::from_center_size(centre, Vec2::splat(2.0 * BADGE)));
            badges.push((centre, *number));
        }
    }
    for (path, _) in paths.iter().filter(|(_, role)| *role == Role::Unused) {
        draw(drawing, path, (1.0, 6.0), true, theme.dim(), &texts);
    }
    let used = || paths.iter().filter(|(_, role)| *role != Role::Unused);
    for (width, head, colour) in [(4.5, 12.0, theme.paper), (2.0, 9.0, ACCENT)] {
        for (path, role) in used() {
            let thin = if matches!(role, Role::Probe(_)) { 0.75 } else { 1.0 };
            draw(drawing, path, (width * thin, head * thin), false, colour, &texts);
        }
    }
    for (centre, number) in badges {
        badge(drawing, centre, number, theme);
    }
}

/// The middle of a probe's number on its arrow, as near to the texel as it lies on no text, and on no stream if there is room
/// elsewhere; `None` without room.
fn badge_on(path: &[Pos2], blocks: &[Block], texts: &[Rect]) -> Option<Pos2> {
    let length: f32 = path.windows(2).map(|ends| (ends[1] - ends[0]).length()).sum();
    let steps = (1..).map(|step| step as f32 * (BADGE + 2.0)).take_while(|at| *at < length * 0.6);
    let around = |centre: &Pos2| Rect::from_center_size(*centre, Vec2::splat(2.0 * BADGE));
    let free = |centre: &Pos2| !texts.iter().any(|text| text.intersects(around(centre)));
    let beside = |centre: &Pos2| !blocks.iter().any(|block| block.rect.intersects(around(centre)));
    let places = || steps.clone().filter_map(|at| point_on(path, at)).filter(free);
    places().find(beside).or_else(|| places().next())
}

/// The point of a path at a distance from its beginning.
fn point_on(path: &[Pos2], mut distance: f32) -> Option<Pos2> {
    for ends in path.windows(2) {
        let length = (ends[1] - ends[0]).length();
        if distance <= length {
            return Some(ends[0] + (ends[1] - ends[0]) * (distance / length.max(f32::EPSILON)));
        }
        distance -= length;
    }
    None
}

/// Draws the number of a probe.
fn badge(drawing: &mut Drawing, centre: Pos2, number: u32, theme: &Theme) {
    let edge = Paint { fill: Some(theme.paper), stroke: Some(Stroke::whole(ACCENT, 1.5)) };
    drawing.circle(at(centre), BADGE.into(), edge);
    let write = Write { size: 10.0, mono: true, ..Write::centre(theme.ink) };
    drawing.block(at(centre), &[number.to_string()], &write);
}

/// Draws a frame that is visible on every colour.
pub fn outline(drawing: &mut Drawing, rect: Rect, theme: &Theme) {
    frame(drawing, rect.expand(2.0), 1.5, theme.ink);
    frame(drawing, rect.expand(0.5), 1.5, theme.paper);
}

/// The rectangle of a texel of the pass in the picture.
pub fn rect_of(blocks: &[Block], source: bool, place: Place) -> Option<Rect> {
    block_of(blocks, source, place).map(|block| block.texel(place.index))
}

fn block_of<'b, 'a>(blocks: &'b [Block<'a>], source: bool, place: Place) -> Option<&'b Block<'a>> {
    blocks.iter().find(|block| block.source == source && block.holds(place))
}

/// The streams of a picture, and the axis along which arrows go: 0 to the right, 1 down.
#[derive(Debug, Clone, Copy)]
pub struct Lanes<'b, 'a> {
    /// The streams.
    pub blocks: &'b [Block<'a>],
    /// The axis.
    pub axis: usize,
}

/// The room for indices beside a stream, which arrows pass between as between digits.
const BESIDE: f32 = 14.0;

impl Lanes<'_, '_> {
    /// A path from the edge of a rectangle of one stream to that of another's, at a share of its side. Where numbers lie
    /// between, it runs along the lines between them, and crosses no digit.
    fn path(&self, from: Rect, to: Rect, share: f32) -> Option<Vec<Pos2>> {
        let (axis, side) = (self.axis, 1 - self.axis);
        let around = |rect: Rect| self.blocks.iter().find(|block| block.rect.contains(rect.center()));
        let (start, end) = (around(from)?, around(to)?);
        if start.rect.max[axis] > end.rect.min[axis] {
            return straight(from, to);
        }
        let at = |along: f32, across: f32| {
            let mut point = Pos2::ZERO;
            (point[axis], point[side]) = (along, across);
            point
        };
        // Small cells have no digits.
        let written = start.zoom() >= LEAST_FOR_TEXT;
        let goal = to.min[side] + (to.max[side] - to.min[side]) * share;
        let nearer = |rect: Rect, goal: f32| match goal < rect.center()[side] {
            true => rect.min[side],
            false => rect.max[side],
        };
        // Streams beside the first one end further on.
        let beside = |block: &&Block| {
            block.rect.min[axis] < start.rect.max[axis] && block.rect.max[axis] > start.rect.min[axis]
        };
        let lane_end = self.blocks.iter().filter(|block| block.source == start.source).filter(beside);
        let lane_end = lane_end.map(|block| block.rect.max[axis]).fold(start.rect.max[axis], f32::max);
        let mut path = Vec::new();
        let covered = from.max[axis] + 1.0 < start.rect.max[axis];
        let mut across = if covered && written { nearer(from, goal) } else { from.center()[side] };
        path.push(at(from.max[axis] + if covered { 0.0 } else { 1.0 }, across));
        if written && from.max[axis] + 1.0 < lane_end {
            path.push(at(lane_end + 1.0, across));
        }
        // Streams on the way are crossed between their numbers.
        let mut between: Vec<&Block> = self.blocks.iter().collect();
        between.retain(|block| {
            written && block.rect.min[axis] >= lane_end && block.rect.max[axis] <= end.rect.min[axis]
        });
        between.sort_by(|a, b| a.rect.min[axis].total_cmp(&b.rect.min[axis]));
        for block in between {
            let along = path[path.len() - 1];
            let share = (block.rect.center()[axis] - along[axis]) / (to.min[axis] - along[axis]);
            let straight = across + (goal - across) * share;
            let [low, high] = [block.rect.min[side], block.rect.max[side]];
            if straight > low && straight < high {
                let zoom = block.zoom();
                across = (low + ((straight - low) / zoom).round() * zoom).clamp(low, high);
                path.push(at(block.rect.min[axis] - BESIDE, across));
                path.push(at(block.rect.max[axis] + 1.0, across));
            }
        }
        if written && to.min[axis] > end.rect.min[axis] + 1.0 {
            let line = nearer(to, across);
            path.push(at(end.rect.min[axis] - 1.0, line));
            path.push(at(to.min[axis], line));
        } else {
            path.push(at(to.min[axis] - 1.0, goal));
        }
        Some(path)
    }
}

/// A straight line between the edges of two rectangles; `None` if they have one centre.
fn straight(from: Rect, to: Rect) -> Option<Vec<Pos2>> {
    let along = to.center() - from.center();
    let edge = |rect: Rect, way: Vec2| {
        let reach = (rect.width() / 2.0 / way.x.abs()).min(rect.height() / 2.0 / way.y.abs());
        rect.center() + way * reach.min(1.0)
    };
    (along != Vec2::ZERO).then(|| vec![edge(from, along), edge(to, -along)])
}

/// The pairs of lines that cross each other; at most one more than matters.
fn crossings(lines: &[(Pos2, Pos2)]) -> usize {
    let side = |(from, to): (Pos2, Pos2), point: Pos2| {
        let (a, b) = (to - from, point - from);
        a.x * b.y - a.y * b.x
    };
    let apart = |line: (Pos2, Pos2), other: (Pos2, Pos2)| side(line, other.0) * side(line, other.1) < 0.0;
    let mut count = 0;
    for (number, line) in lines.iter().enumerate() {
        count +=
            lines[..number].iter().filter(|other| apart(*line, **other) && apart(**other, *line)).count();
        if count > MOST_CROSSINGS {
            break;
        }
    }
    count
}

/// The rectangles of the texts of a drawing.
fn texts(drawing: &Drawing, theme: &Theme) -> Vec<Rect> {
    drawing.shapes.iter().filter_map(|shape| text_rect(shape, theme.letters)).collect()
}

/// The room that a text takes, as [`Shape::text_room`].
pub fn text_rect(shape: &Shape, letters: f64) -> Option<Rect> {
    let [(left, top), (width, height)] = shape.text_room(letters)?;
    Some(Rect::from_min_size(pos2(left as f32, top as f32), vec2(width as f32, height as f32)))
}

/// The parts of a line from 0 to 1 that lie outside of rectangles.
fn clear(from: Pos2, to: Pos2, texts: &[Rect]) -> Vec<(f32, f32)> {
    let mut hidden: Vec<(f32, f32)> = Vec::new();
    let way = to - from;
    for rect in texts.iter().map(|rect| rect.expand(2.0)) {
        let (mut enter, mut leave) = (0.0_f32, 1.0_f32);
        for axis in 0..2 {
            if way[axis] == 0.0 {
                if from[axis] < rect.min[axis] || from[axis] > rect.max[axis] {
                    leave = -1.0;
                }
            } else {
                let [a, b] = [rect.min[axis], rect.max[axis]].map(|edge| (edge - from[axis]) / way[axis]);
                (enter, leave) = (enter.max(a.min(b)), leave.min(a.max(b)));
            }
        }
        if enter < leave {
            hidden.push((enter, leave));
        }
    }
    hidden.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut parts = Vec::new();
    let mut start = 0.0;
    for (enter, leave) in hidden {
        if enter > start {
            parts.push((start, enter));
        }
        start = leave.max(start);
    }
    if start < 1.0 {
        parts.push((start, 1.0));
    }
    parts
}

/// Draws a path with a head at its end, as large as it fits between texts.
fn draw(
    drawing: &mut Drawing,
    path: &[Pos2],
    (width, head): (f32, f32),
    dashes: bool,
    colour: Colour,
    texts: &[Rect],
) {
    let [.., before, to] = path[..] else { return };
    let length = (to - before).length();
    if length < 1.0 {
        return;
    }
    let along = (to - before) / length;
    let corners = |head: f32| {
        let across = along.rot90() * (head * 0.42);
        let neck = to - along * head;
        [to, neck + across, neck - across]
    };
    let free = |head: &f32| {
        let around = Rect::from_points(&corners(*head));
        !texts.iter().any(|text| text.intersects(around))
    };
    let head = [1.0, 0.7, 0.5].map(|share| (head * share).min(length)).into_iter().find(free);
    let mut path = path.to_vec();
    if let (Some(head), Some(end)) = (head, path.last_mut()) {
        *end = to - along * head;
    }
    for ends in path.windows(2) {
        let way = ends[1] - ends[0];
        for (start, stop) in clear(ends[0], ends[1], texts) {
            let part = [ends[0] + way * start, ends[0] + way * stop];
            match dashes {
                true => dashed(drawing, &part.map(at), Stroke::whole(colour, width.into())),
                false => line(drawing, part[0], part[1], width, colour),
            }
        }
    }
    if let Some(head) = head {
        fill(drawing, &corners(head), colour);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_pauses_at_texts() {
        let text = Rect::from_min_max(pos2(40.0, -5.0), pos2(58.0, 5.0));
        let parts = clear(pos2(0.0, 0.0), pos2(100.0, 0.0), &[text]);
        assert_eq!(parts, [(0.0, 0.38), (0.6, 1.0)]);
        assert_eq!(clear(pos2(0.0, 9.0), pos2(100.0, 9.0), &[text]), [(0.0, 1.0)]);
        assert_eq!(clear(pos2(45.0, 0.0), pos2(50.0, 0.0), &[text]), []);
    }

    #[test]
    fn lines_that_cross_are_counted() {
        let down = |from: f32, to: f32| (pos2(from, 0.0), pos2(to, 10.0));
        assert_eq!(crossings(&[down(0.0, 0.0), down(10.0, 10.0)]), 0);
        assert_eq!(crossings(&[down(0.0, 10.0), down(10.0, 0.0), down(4.0, 4.0)]), 3);
    }
}
