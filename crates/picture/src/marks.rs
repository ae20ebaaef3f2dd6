//! Marks on texels: changed, left alone, removed; and the points and lines that the pass drew.

use emath::{Pos2, Rect, Vec2, pos2, vec2};
use rasterscan::trace::RecordedPass;

use rasterscan_drawing::colour::Colour;
use rasterscan_drawing::shape::Drawing;
use rasterscan_drawing::theme::{ACCENT, Theme};

use crate::block::Block;
use crate::texels::{LEAST_FOR_TEXT, at, corners, fill, frame, line};
use crate::vertices;

/// Below this, in points, a square has no room for a cross or a frame.
const LEAST: f32 = 3.0;

/// The width of lines on squares of this size.
fn width(zoom: f32) -> f32 {
    (zoom / 12.0).clamp(0.75, 2.5)
}

/// Draws a line around the numbers that the pass changed, unless it changed all, and hatches those that it left alone.
pub fn marks(
    drawing: &mut Drawing,
    block: &Block,
    numbers: &[u32],
    under: impl Fn(u32) -> Colour,
    theme: &Theme,
) {
    let zoom = block.zoom();
    if zoom < LEAST {
        return;
    }
    let left_alone = numbers.iter().filter(|number| block.left_alone(*number / block.numbers));
    for &number in left_alone {
        hatch(drawing, block.number(number), under(number).towards(theme.paper, 0.55));
    }
    let Some(outlined) = block.outlined() else { return };
    let is = |number: Option<u32>| number.is_some_and(|number| outlined.get(number as usize) == Some(&true));
    let across = block.columns * block.numbers;
    let line_width = width(zoom);
    for &number in numbers.iter().filter(|number| is(Some(**number))) {
        let rect = block.number(number).shrink(0.5 + line_width / 2.0);
        let column = number % across;
        let corners = corners(rect);
        let neighbours = [
            number.checked_sub(across),
            (column + 1 < across).then_some(number + 1),
            Some(number + across),
            (column > 0).then(|| number - 1),
        ];
        for (side, neighbour) in neighbours.into_iter().enumerate() {
            if !is(neighbour) {
                // To the edge of the square, where the line goes on at its neighbour or turns.
                let (from, to) = (corners[side], corners[(side + 1) % 4]);
                let beyond = (to - from).normalized() * (0.5 + line_width / 2.0);
                line(drawing, from - beyond, to + beyond, line_width, ACCENT);
            }
        }
    }
}

/// Crosses out the elements that a compaction removes; their numbers are drawn over the crosses.
pub fn crosses(drawing: &mut Drawing, block: &Block, numbers: &[u32], theme: &Theme) {
    let zoom = block.zoom();
    if zoom < LEAST {
        return;
    }
    for &number in numbers {
        if block.removed.is_some_and(|kept| kept.get(number as usize) == Some(&false)) {
            cross(drawing, block.number(number).shrink(zoom * 0.08), width(zoom), theme);
        }
    }
}

/// Draws lines from lower left to upper right, as many as there is room for.
fn hatch(drawing: &mut Drawing, rect: Rect, colour: Colour) {
    let steps = if rect.width() < 10.0 { 1 } else { 3 };
    for step in 1..=2 * steps - 1 {
        let share = step as f32 / steps as f32;
        let (width, height) = (rect.width(), rect.height());
        let from = pos2(rect.left() + (share - 1.0).max(0.0) * width, rect.top() + share.min(1.0) * height);
        let to = pos2(rect.left() + share.min(1.0) * width, rect.top() + (share - 1.0).max(0.0) * height);
        line(drawing, from, to, 1.0, colour);
    }
}

/// Draws a cross in light and dark, which is visible on every colour.
fn cross(drawing: &mut Drawing, rect: Rect, width: f32, theme: &Theme) {
    let (dark, light) = (Colour::grey(20), Colour::grey(245));
    let (casing, core) = if theme.is_light() { (light, dark) } else { (dark, light) };
    let lines = [[rect.left_top(), rect.right_bottom()], [rect.left_bottom(), rect.right_top()]];
    for (width, colour) in [(width + 1.5, casing), (width, core)] {
        for [from, to] in lines {
            line(drawing, from, to, width, colour);
        }
    }
}

/// Draws the points and lines of a pass over its first target.
pub fn drawn(drawing: &mut Drawing, pass: &RecordedPass, target: &Block, clip: Rect, theme: &Theme) {
    let zoom = target.zoom();
    let width = (zoom / 10.0).clamp(1.0, 3.0);
    // Below the numbers, where there are any.
    let down = vec2(0.0, if zoom < LEAST_FOR_TEXT { 0.0 } else { zoom * 0.34 });
    let bounds = target.rect.expand(1.0);
    for primitive in &pass.drawn {
        // Vertices may be anywhere, or nowhere; anything outside the target was not drawn.
        let finite = primitive.iter().all(|place| place.iter().all(|number| number.is_finite()));
        let points: Vec<Pos2> = primitive.iter().copied().map(|point| target.point(point) + down).collect();
        let near = points.iter().any(|point| bounds.contains(*point) && clip.contains(*point));
        if !finite || !near {
            continue;
        }
        let inside = |point: Pos2| bounds.clamp(point);
        match points[..] {
            [point] => {
                let rect = Rect::from_center_size(point, Vec2::splat((zoom * 0.3).max(2.0)));
                fill(drawing, &corners(rect), ACCENT);
            }
            [_, _] => rasterised(drawing, primitive, target, bounds, theme),
            _ => {
                for rect in covered(primitive, target) {
                    frame(drawing, Rect::from_min_max(inside(rect.min), inside(rect.max)), width, ACCENT);
                }
            }
        }
    }
}

/// Draws a horizontal line as it is rasterised: a frame around the row of texels that it covers, which are those from its
/// first vertex's to the one before its last vertex's, and at their lower edge, out of the way of numbers, the line itself
/// from vertex to vertex.
fn rasterised(drawing: &mut Drawing, ends: &[[f32; 2]], target: &Block, bounds: Rect, theme: &Theme) {
    let zoom = target.zoom();
    let width = (zoom / 12.0).clamp(1.0, 2.5);
    let (left, right) = (ends[0][0].min(ends[1][0]), ends[0][0].max(ends[1][0]));
    let y = ends[0][1];
    let edge = vec2(0.0, zoom * 0.5 - if zoom < LEAST_FOR_TEXT { zoom * 0.5 } else { width + 1.0 });
    for [from, to] in target.line([left.floor(), y.floor()], right.floor()) {
        let rect = Rect::from_min_max(from, to + vec2(0.0, zoom)).intersect(bounds);
        if rect.width() > 1.0 && zoom >= LEAST_FOR_TEXT {
            frame(drawing, rect.shrink(0.5), width, ACCENT);
        }
    }
    let parts = target.line([left, y], right);
    for [from, to] in &parts {
        line(drawing, *from + edge, *to + edge, width + 1.5, Colour::grey(20));
        line(drawing, *from + edge, *to + edge, width, ACCENT);
    }
    let radius = f64::from((zoom * 0.16).clamp(2.0, 5.0));
    let both = [(parts.first().map(|part| part[0]), false), (parts.last().map(|part| part[1]), true)];
    for (end, ends) in both {
        if let Some(end) = end {
            vertices::vertex(drawing, at(end + edge), radius, ends, theme);
        }
    }
}

/// The rectangles that a polygon covers in the picture: one, or one for each row if the picture has other rows than the
/// texture.
fn covered(polygon: &[[f32; 2]], target: &Block) -> Vec<Rect> {
    let ends = |axis: usize| {
        let along = polygon.iter().map(|place| place[axis]);
        (along.clone().fold(f32::MAX, f32::min), along.fold(f32::MIN, f32::max))
    };
    let ((left, right), (top, bottom)) = (ends(0), ends(1));
    let rows = (bottom - top).clamp(0.0, target.texels as f32) as u32;
    let lines = (0..rows).flat_map(|row| target.line([left, top.floor() + row as f32], right));
    let rects = lines.map(|[from, to]| Rect::from_min_max(from, to + vec2(0.0, target.zoom())));
    match target.rewrapped() {
        Some(_) => rects.collect(),
        None => rects.reduce(Rect::union).into_iter().collect(),
    }
}
