//! Marks on texels: changed, left alone, removed; and what was drawn over the target.

use egui::{Color32, Pos2, Rect, pos2};
use rasterscan::trace::RecordedPass;

use super::block::Block;
use super::texels::{LEAST_FOR_TEXT, Shapes};
use crate::looks::ACCENT;

/// Below this, in points, a square has no room for a cross or a frame.
const LEAST: f32 = 3.0;

/// Marks what the pass has changed, and what it left alone.
pub fn marks(shapes: &mut Shapes, block: &Block, numbers: &[u32], paper: Color32) {
    let zoom = block.zoom();
    if zoom < LEAST {
        return;
    }
    let width = (zoom / 12.0).clamp(0.75, 2.5);
    for &number in numbers {
        let rect = block.number(number);
        if block.changed(number) {
            match zoom >= 12.0 {
                true => shapes.frame(rect.shrink(0.5), width, ACCENT),
                // A corner: many frames in little room would be all that is seen.
                false => {
                    let side = zoom * 0.4;
                    let corner = rect.left_top();
                    let corners = [corner, corner + egui::vec2(side, 0.0), corner + egui::vec2(0.0, side)];
                    shapes.triangle(corners, ACCENT);
                }
            }
        } else if block.left_alone(number / block.numbers) {
            hatch(shapes, rect, paper);
        }
    }
}

/// Crosses out what a compaction removes; the numbers stand over the crosses.
pub fn crosses(shapes: &mut Shapes, block: &Block, numbers: &[u32], paper: Color32) {
    let zoom = block.zoom();
    if zoom < LEAST {
        return;
    }
    let width = (zoom / 12.0).clamp(0.75, 2.5);
    for &number in numbers {
        if block.removed.is_some_and(|kept| kept.get(number as usize) == Some(&false)) {
            cross(shapes, block.number(number).shrink(zoom * 0.08), width, paper);
        }
    }
}

/// Lines from lower left to upper right, as many as there is room for.
fn hatch(shapes: &mut Shapes, rect: Rect, paper: Color32) {
    let colour = paper.gamma_multiply(0.55);
    let steps = if rect.width() < 10.0 { 1 } else { 3 };
    for step in 1..=2 * steps - 1 {
        let share = step as f32 / steps as f32;
        let (width, height) = (rect.width(), rect.height());
        let from = pos2(rect.left() + (share - 1.0).max(0.0) * width, rect.top() + share.min(1.0) * height);
        let to = pos2(rect.left() + share.min(1.0) * width, rect.top() + (share - 1.0).max(0.0) * height);
        shapes.line(from, to, 1.0, colour);
    }
}

/// Seen on every colour: light in dark.
fn cross(shapes: &mut Shapes, rect: Rect, width: f32, paper: Color32) {
    let dark = Color32::from_gray(20);
    let light = Color32::from_gray(245);
    let (casing, core) = if paper.r() > 127 { (light, dark) } else { (dark, light) };
    let lines = [[rect.left_top(), rect.right_bottom()], [rect.left_bottom(), rect.right_top()]];
    for (width, colour) in [(width + 1.5, casing), (width, core)] {
        for [from, to] in lines {
            shapes.line(from, to, width, colour);
        }
    }
}

/// The points and lines that a pass drew, where it did, over its first target.
pub fn drawn(shapes: &mut Shapes, pass: &RecordedPass, target: &Block, clip: Rect) {
    let zoom = target.zoom();
    let width = (zoom / 10.0).clamp(1.0, 3.0);
    // Below the numbers, where there are any.
    let down = egui::vec2(0.0, if zoom < LEAST_FOR_TEXT { 0.0 } else { zoom * 0.34 });
    let bounds = target.rect.expand(1.0);
    for primitive in &pass.drawn {
        // Vertices may be anywhere, or nowhere; what lies outside of the target was not drawn.
        let finite = primitive.iter().all(|place| place.iter().all(|number| number.is_finite()));
        let points: Vec<Pos2> = primitive.iter().copied().map(|point| target.point(point) + down).collect();
        let near = points.iter().any(|point| bounds.contains(*point) && clip.contains(*point));
        if !finite || !near {
            continue;
        }
        let inside = |point: Pos2| bounds.clamp(point);
        match points[..] {
            [point] => {
                let rect = Rect::from_center_size(point, egui::Vec2::splat((zoom * 0.3).max(2.0)));
                shapes.rect(rect, ACCENT);
            }
            [from, to] => {
                let (from, to) = (inside(from), inside(to));
                shapes.line(from, to, width + 1.5, Color32::from_gray(20));
                shapes.line(from, to, width, ACCENT);
                let dot = egui::Vec2::splat(width * 2.5);
                shapes.rect(Rect::from_center_size(from, dot), ACCENT);
            }
            _ => {
                for (from, to) in points.iter().zip(points.iter().cycle().skip(1)) {
                    shapes.line(inside(*from), inside(*to), width, ACCENT);
                }
            }
        }
    }
}
