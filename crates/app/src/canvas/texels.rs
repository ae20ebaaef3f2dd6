//! Texels as squares of the colours of their numbers, in a mesh or, where they are small, an image; and the numbers in them.

use egui::epaint::{Mesh, Vertex, WHITE_UV};
use egui::{
    Align2, Color32, ColorImage, FontId, Id, Painter, Pos2, Rect, TextureHandle, TextureOptions, pos2, vec2,
};
use rasterscan::Numbers;

use super::block::Block;
use crate::colour::{Scale, text_on};
use crate::looks::{self, colour};
use crate::view::NumberFormat;

/// Below this, in points, a square has no room for a number.
pub const LEAST_FOR_TEXT: f32 = 15.0;
/// The smallest letters.
const LEAST_FONT: f32 = 7.0;

/// A mesh of rectangles and lines, which is drawn at once.
#[derive(Default)]
pub struct Shapes(pub Mesh);

impl Shapes {
    pub fn rect(&mut self, rect: Rect, colour: Color32) {
        self.quad([rect.left_top(), rect.right_top(), rect.right_bottom(), rect.left_bottom()], colour);
    }

    /// A frame on the inside of a rectangle.
    pub fn frame(&mut self, rect: Rect, width: f32, colour: Color32) {
        let Rect { min, max } = rect;
        let inner = rect.shrink(width);
        self.rect(Rect::from_min_max(min, pos2(max.x, inner.min.y)), colour);
        self.rect(Rect::from_min_max(pos2(min.x, inner.max.y), max), colour);
        self.rect(Rect::from_min_max(pos2(min.x, inner.min.y), pos2(inner.min.x, inner.max.y)), colour);
        self.rect(Rect::from_min_max(pos2(inner.max.x, inner.min.y), pos2(max.x, inner.max.y)), colour);
    }

    pub fn line(&mut self, from: Pos2, to: Pos2, width: f32, colour: Color32) {
        let along = to - from;
        let length = along.length();
        if length <= 0.0 {
            return;
        }
        let across = along.rot90() / length * (width / 2.0);
        self.quad([from + across, to + across, to - across, from - across], colour);
    }

    pub fn triangle(&mut self, corners: [Pos2; 3], colour: Color32) {
        let first = self.vertices(&corners, colour);
        self.0.add_triangle(first, first + 1, first + 2);
    }

    fn quad(&mut self, corners: [Pos2; 4], colour: Color32) {
        let first = self.vertices(&corners, colour);
        self.0.add_triangle(first, first + 1, first + 2);
        self.0.add_triangle(first, first + 2, first + 3);
    }

    fn vertices(&mut self, corners: &[Pos2], color: Color32) -> u32 {
        let first = self.0.vertices.len() as u32;
        self.0.vertices.extend(corners.iter().map(|pos| Vertex { pos: *pos, uv: WHITE_UV, color }));
        first
    }

    pub fn draw(self, painter: &Painter) {
        if !self.0.is_empty() {
            painter.add(self.0);
        }
    }
}

/// The numbers of a block that can be seen.
pub fn visible(block: &Block, clip: Rect) -> Vec<u32> {
    let seen = block.rect.intersect(clip);
    if !seen.is_positive() {
        return Vec::new();
    }
    let zoom = block.zoom();
    let from = ((seen.min - block.rect.min) / zoom).floor().max(egui::Vec2::ZERO);
    let to = ((seen.max - block.rect.min) / zoom).ceil();
    let across = block.columns * block.numbers;
    let (left, right) = (from.x as u32, (to.x as u32).min(across));
    let (top, bottom) = (from.y as u32, (to.y as u32).min(block.rows));
    let len = block.values.len() as u32;
    let rows = (top..bottom).flat_map(|row| (left..right).map(move |column| row * across + column));
    rows.filter(|number| *number < len).collect()
}

/// Squares of at least this many points have a gap between them.
const GAPS: f32 = 8.0;
/// From so many numbers on, small squares are drawn as one image: a mesh would have four corners for each of them.
const MANY: usize = 512;

/// All numbers of a block as an image with a pixel for each, where they are many and small; `false` where they are not.
/// The image is kept by this name.
pub fn image(painter: &Painter, name: Id, block: &Block, scale: &Scale, pale: Color32) -> bool {
    let size = [(block.columns * block.numbers) as usize, block.rows as usize];
    let most = painter.ctx().input(|input| input.max_texture_side);
    if block.zoom() >= GAPS || block.values.len() < MANY || size.iter().any(|side| *side > most) {
        return false;
    }
    let pixel = |number: usize| match number < block.values.len() {
        true => fill(block, number as u32, scale, pale),
        false => Color32::TRANSPARENT,
    };
    let image = ColorImage::new(size, (0..size[0] * size[1]).map(pixel).collect());
    let known = painter.ctx().data(|data| data.get_temp::<TextureHandle>(name));
    let handle = match known {
        Some(mut handle) => {
            handle.set(image, TextureOptions::NEAREST);
            handle
        }
        None => {
            let handle = painter.ctx().load_texture("texels", image, TextureOptions::NEAREST);
            painter.ctx().data_mut(|data| data.insert_temp(name, handle.clone()));
            handle
        }
    };
    let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
    painter.image(handle.id(), block.rect, whole, Color32::WHITE);
    true
}

/// The colour of a number.
fn fill(block: &Block, number: u32, scale: &Scale, pale: Color32) -> Color32 {
    let value = block.values.to_f64(number as usize).unwrap_or_default();
    let fill = colour(scale.colour(value));
    if of_no_account(block, number) { fill.lerp_to_gamma(pale, 0.75) } else { fill }
}

/// Squares, and the frames of texels around them.
pub fn squares(shapes: &mut Shapes, block: &Block, numbers: &[u32], scale: &Scale, pale: Color32) {
    let zoom = block.zoom();
    let gap = if zoom >= GAPS { 0.5 } else { 0.0 };
    for &number in numbers {
        shapes.rect(block.number(number).shrink(gap), fill(block, number, scale, pale));
    }
}

/// Whether a number stands behind the last one that is kept.
pub fn of_no_account(block: &Block, number: u32) -> bool {
    block.end.is_some_and(|end| u64::from(number) >= end)
}

/// Frames around texels of several numbers.
pub fn frames(shapes: &mut Shapes, block: &Block, numbers: &[u32], ink: Color32) {
    if block.numbers == 1 || block.zoom() < 6.0 {
        return;
    }
    for number in numbers.iter().filter(|number| number.is_multiple_of(block.numbers)) {
        shapes.frame(block.texel(number / block.numbers).expand(0.5), 1.0, ink);
    }
}

/// The numbers themselves, where there is room.
pub fn texts(painter: &Painter, block: &Block, numbers: &[u32], scale: &Scale, format: NumberFormat) {
    let zoom = block.zoom();
    if zoom < LEAST_FOR_TEXT {
        return;
    }
    let paper = looks::paper(&painter.ctx().global_style().visuals);
    for &number in numbers {
        let text = written(block.values, number as usize, format);
        let value = block.values.to_f64(number as usize).unwrap_or_default();
        let fits = |text: String| font_size(text.chars().count(), zoom).map(|size| (text, size));
        // What is too long is told roughly; whoever points at it reads all of it.
        let roughly = || fits(format!("{value:.0e}"));
        let Some((text, size)) = fits(text).or_else(roughly) else { continue };
        let mut ink = colour(text_on(scale.colour(value)));
        if of_no_account(block, number) {
            ink = if paper.r() > 127 { Color32::from_gray(130) } else { Color32::from_gray(140) };
        }
        let centre = block.number(number).center();
        painter.text(centre, Align2::CENTER_CENTER, text, FontId::monospace(size), ink);
    }
}

/// Letters that let so many of them stand in a square; whole halves of a point, so that few sizes are made.
fn font_size(letters: usize, zoom: f32) -> Option<f32> {
    let wide = (zoom - 3.0) / (0.61 * letters.max(1) as f32);
    let size = (wide.min(zoom * 0.47).min(15.0) * 2.0).floor() / 2.0;
    (size >= LEAST_FONT).then_some(size)
}

/// A number as it is written in a texel.
pub fn written(values: &Numbers, index: usize, format: NumberFormat) -> String {
    match format {
        NumberFormat::Decimal => values.decimal(index),
        NumberFormat::Hex => {
            let hex = values.hex(index);
            let short = hex.trim_start_matches('0');
            if short.is_empty() && !hex.is_empty() { "0".into() } else { short.into() }
        }
        NumberFormat::Float => values.to_f64(index).map(|value| format!("{value:.2e}")).unwrap_or_default(),
    }
}

/// The name of a block above it or below, and the indices of its rows at its left, or those of its only row.
pub fn titles(painter: &Painter, block: &Block, faint: Color32, ink: Color32) {
    let zoom = block.zoom();
    let mut job = egui::text::LayoutJob::default();
    let format = |color, size| egui::TextFormat::simple(FontId::proportional(size), color);
    job.append(&block.name, 0.0, format(ink, 13.0));
    job.append(&block.shape, 8.0, format(faint, 11.0));
    job.wrap = egui::text::TextWrapping::truncate_at_width(block.name_room);
    let galley = painter.layout_job(job);
    let numbered = block.rows == 1 && zoom >= LEAST_FOR_TEXT;
    let away = if numbered { 15.0 } else { 4.0 };
    let at = match block.name_below {
        true => block.rect.left_bottom() + vec2(0.0, away),
        false => block.rect.left_top() - vec2(0.0, away + galley.size().y),
    };
    painter.galley(at, galley, ink);
    let font = FontId::monospace(9.0);
    if numbered {
        let (y, align) = match block.name_below {
            true => (block.rect.bottom() + 3.0, Align2::CENTER_TOP),
            false => (block.rect.top() - 3.0, Align2::CENTER_BOTTOM),
        };
        // One for each texel, by the index of its first number.
        let seen = painter.clip_rect().x_range().expand(40.0);
        let wide = zoom * block.numbers as f32;
        let first = ((seen.min - block.rect.left()) / wide).max(0.0) as u32;
        let end = ((seen.max - block.rect.left()) / wide).max(0.0) as u32;
        for texel in first..end.saturating_add(1).min(block.texels) {
            let at = pos2(block.number(texel * block.numbers).center().x, y);
            painter.text(at, align, texel * block.numbers / block.arity, font.clone(), faint);
        }
    } else if block.rows > 1 && zoom >= 9.0 {
        let (x, align) = match block.indices_behind {
            true => (block.rect.right() + 5.0, Align2::LEFT_CENTER),
            false => (block.rect.left() - 5.0, Align2::RIGHT_CENTER),
        };
        let seen = painter.clip_rect().y_range();
        let first = ((seen.min - block.rect.top()) / zoom).max(0.0) as u32;
        let end = ((seen.max - block.rect.top()) / zoom).max(0.0) as u32;
        for row in first..end.saturating_add(1).min(block.rows) {
            let y = block.rect.top() + (row as f32 + 0.5) * zoom;
            let index = row * block.columns * block.numbers / block.arity;
            painter.text(pos2(x, y), align, index, font.clone(), faint);
        }
    }
}

/// Marks where a texture's next row begins, if they stand one after the other.
pub fn seams(shapes: &mut Shapes, block: &Block, ink: Color32) {
    for x in block.seams() {
        let rect = block.rect;
        shapes.line(pos2(x, rect.top() - 4.0), pos2(x, rect.bottom() + 4.0), 2.0, ink);
    }
}
