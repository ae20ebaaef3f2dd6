//! Arrows from the texels that were read to the texels made from them, as the shaders recorded the reads.
//!
//! The arrows of one texel are lit. Arrows end at the edges of texels, and pause where they would cross a number, an
//! index or a name.

use emath::{Pos2, Rect, Vec2, pos2, vec2};
use rasterscan::trace::Place;

use rasterscan_drawing::colour::Colour;
use rasterscan_drawing::shape::{Drawing, Paint, Shape, Stroke, Write};
use rasterscan_drawing::theme::{ACCENT, Theme};
use rasterscan_lesson::worked::Role;

use crate::block::Block;
use crate::subject::{Arrow, Lit, Subject};
use crate::texels::{at, fill, frame, line};

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

/// Draws faint arrows for all reads of a pass, if they are few and cross rarely. `lit` are drawn by [`lit`].
pub fn all(drawing: &mut Drawing, subject: &Subject, pass: usize, blocks: &[Block], theme: &Theme) {
    let zoom = blocks.first().map_or(0.0, Block::zoom);
    // Rows of numbers between the ends of arrows would be crossed.
    if !are_few(blocks) || zoom < LEAST_ZOOM || blocks.iter().any(|block| block.rows > 1) {
        return;
    }
    let arrows = subject.arrows(pass, MOST);
    let lines: Vec<(Pos2, Pos2)> = arrows.iter().filter_map(|arrow| ends(blocks, arrow)).collect();
    if crossings(&lines) > MOST_CROSSINGS {
        return;
    }
    let faded = theme.faded();
    let texts = texts(drawing, theme);
    for (from, to) in lines {
        draw(drawing, from, to, 1.0, 5.0, faded, &texts);
    }
}

/// Returns whether a pass writes so few texels that all its reads may be drawn.
pub fn are_few(blocks: &[Block]) -> bool {
    blocks.iter().filter(|block| !block.source).map(|block| block.texels).sum::<u32>() <= FEW_TEXELS
}

/// Draws the arrows of a texel, bold, with frames around their ends: of operands whole, of reads without use faint, of
/// probes numbered. They end at `target`, if there is one, and else at their texels.
pub fn lit(drawing: &mut Drawing, arrows: &[Lit], target: Option<Rect>, blocks: &[Block], theme: &Theme) {
    let ends_at = |lit: &Lit| target.or_else(|| rect_of(blocks, false, lit.arrow.to));
    for lit in arrows.iter().filter(|lit| lit.role != Role::Unused) {
        let ends = [rect_of(blocks, true, lit.arrow.from), ends_at(lit)];
        ends.into_iter().flatten().for_each(|rect| outline(drawing, rect, theme));
    }
    let mut texts = texts(drawing, theme);
    if arrows.len() > MOST_LIT {
        let all = arrows.iter().filter_map(|lit| rect_of(blocks, true, lit.arrow.from));
        let (together, to) = (all.reduce(Rect::union), arrows.first().and_then(ends_at));
        if let Some((from, to)) = together.zip(to).and_then(|(from, to)| between(from, to, 0.5)) {
            draw(drawing, from, to, 4.5, 12.0, theme.paper, &texts);
            draw(drawing, from, to, 2.0, 9.0, ACCENT, &texts);
        }
        return;
    }
    // Arrows into one texel end side by side, in the order in which they come from the left.
    let left = |lit: &Lit| rect_of(blocks, true, lit.arrow.from).map_or(0.0, |rect| rect.left());
    let mut ordered: Vec<&Lit> = arrows.iter().collect();
    ordered.sort_by(|a, b| left(a).total_cmp(&left(b)));
    let mut lines = Vec::new();
    for lit in &ordered {
        let same = |other: &&&Lit| other.arrow.to == lit.arrow.to;
        let of = ordered.iter().filter(same).count();
        let rank = ordered.iter().take_while(|other| !std::ptr::eq(**other, *lit)).filter(same).count();
        let share = (rank as f32 + 1.0) / (of as f32 + 1.0);
        let rects = rect_of(blocks, true, lit.arrow.from).zip(ends_at(lit));
        if let Some(line) = rects.and_then(|(from, to)| between(from, to, share)) {
            lines.push((line, lit.role));
        }
    }
    // Arrows pause at the numbers of probes as at all texts.
    let mut badges = Vec::new();
    for ((from, to), role) in &lines {
        if let (Role::Probe(number), Some(centre)) = (role, badge_on(*from, *to, &texts)) {
            texts.push(Rect::from_center_size(centre, Vec2::splat(2.0 * BADGE)));
            badges.push((centre, *number));
        }
    }
    for ((from, to), _) in lines.iter().filter(|(_, role)| *role == Role::Unused) {
        draw(drawing, *from, *to, 1.0, 6.0, theme.dim(), &texts);
    }
    let used = || lines.iter().filter(|(_, role)| *role != Role::Unused);
    for (width, head, colour) in [(4.5, 12.0, theme.paper), (2.0, 9.0, ACCENT)] {
        for ((from, to), role) in used() {
            let thin = if matches!(role, Role::Probe(_)) { 0.75 } else { 1.0 };
            draw(drawing, *from, *to, width * thin, head * thin, colour, &texts);
        }
    }
    for (centre, number) in badges {
        badge(drawing, centre, number, theme);
    }
}

/// The middle of a probe's number on its arrow, as near to the texel as it lies on no text; `None` without room.
fn badge_on(from: Pos2, to: Pos2, texts: &[Rect]) -> Option<Pos2> {
    let (length, along) = ((to - from).length(), (to - from).normalized());
    let steps = (1..).map(|step| step as f32 * (BADGE + 2.0)).take_while(|at| *at < length * 0.6);
    let free = |centre: &Pos2| {
        let around = Rect::from_center_size(*centre, Vec2::splat(2.0 * BADGE));
        !texts.iter().any(|text| text.intersects(around))
    };
    steps.map(|at| from + along * at).find(free)
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
    let block = blocks.iter().find(|block| block.source == source && block.holds(place))?;
    Some(block.texel(place.index))
}

/// The ends of an arrow, at the edges of its texels.
fn ends(blocks: &[Block], arrow: &Arrow) -> Option<(Pos2, Pos2)> {
    between(rect_of(blocks, true, arrow.from)?, rect_of(blocks, false, arrow.to)?, 0.5)
}

/// A line from the edge of a rectangle to that of another, at a share of its side.
fn between(from: Rect, to: Rect, share: f32) -> Option<(Pos2, Pos2)> {
    if from.bottom() <= to.top() {
        return Some((
            pos2(from.center().x, from.bottom() + 1.0),
            pos2(to.left() + to.width() * share, to.top() - 1.0),
        ));
    }
    if from.right() <= to.left() {
        return Some((
            pos2(from.right() + 1.0, from.center().y),
            pos2(to.left() - 1.0, to.top() + to.height() * share),
        ));
    }
    let along = to.center() - from.center();
    let edge = |rect: Rect, way: Vec2| {
        let reach = (rect.width() / 2.0 / way.x.abs()).min(rect.height() / 2.0 / way.y.abs());
        rect.center() + way * reach.min(1.0)
    };
    (along != Vec2::ZERO).then(|| (edge(from, along), edge(to, -along)))
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

fn draw(drawing: &mut Drawing, from: Pos2, to: Pos2, width: f32, head: f32, colour: Colour, texts: &[Rect]) {
    let way = to - from;
    let length = way.length();
    if length < 1.0 {
        return;
    }
    let along = way / length;
    let head = head.min(length);
    let across = along.rot90() * (head * 0.42);
    let neck = to - along * head;
    let corners = [to, neck + across, neck - across];
    let around = Rect::from_points(&corners);
    let free = !texts.iter().any(|text| text.intersects(around));
    let end = if free { neck } else { to };
    for (start, stop) in clear(from, end, texts) {
        line(drawing, from + (end - from) * start, from + (end - from) * stop, width, colour);
    }
    if free {
        fill(drawing, &corners, colour);
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
