//! Texels as coloured squares, one for each number, with the numbers written in them.

use emath::{Pos2, Rect, Vec2, pos2, vec2};

use rasterscan_drawing::colour::{Colour, LEAST_CONTRAST, Scale, contrast, text_on};
use rasterscan_drawing::font;
use rasterscan_drawing::shape::{Anchor, Drawing, Paint, Place, Shape, Stroke, Write};
use rasterscan_drawing::theme::{ACCENT, Theme};
use rasterscan_lesson::phrases::say;

use crate::block::{Block, KeyDigits};
use crate::style::NumberFormat;

/// The least width of a square, in points, that has room for a number.
pub const LEAST_FOR_TEXT: f32 = 15.0;
/// The least size of letters: the three of a rounded number fit into the least width.
const LEAST_FONT: f32 = 6.0;
/// The least size of letters that are read with ease.
pub const EASY_FONT: f32 = 10.0;
/// The largest size of letters.
const LARGEST_FONT: f32 = 44.0;

/// A point of a drawing.
pub fn at(point: Pos2) -> Place {
    (point.x.into(), point.y.into())
}

/// The corners of a rectangle.
pub fn corners(rect: Rect) -> [Pos2; 4] {
    [rect.left_top(), rect.right_top(), rect.right_bottom(), rect.left_bottom()]
}

/// Fills a polygon.
pub fn fill(drawing: &mut Drawing, corners: &[Pos2], colour: Colour) {
    drawing.polygon(corners.iter().copied().map(at).collect(), colour.into());
}

/// Draws a frame on the inside of a rectangle.
pub fn frame(drawing: &mut Drawing, rect: Rect, width: f32, colour: Colour) {
    let middle = rect.shrink(width / 2.0);
    drawing.rectangle(at(middle.min), at(middle.max), Paint::from(Stroke::whole(colour, width.into())));
}

/// Draws a straight line.
pub fn line(drawing: &mut Drawing, from: Pos2, to: Pos2, width: f32, colour: Colour) {
    drawing.line(vec![at(from), at(to)], Stroke::whole(colour, width.into()));
}

/// Draws every other piece of a path.
pub fn dashed(drawing: &mut Drawing, points: &[Place], stroke: Stroke) {
    const DASH: f64 = 5.0;
    let mut along = 0.0;
    for ends in points.windows(2) {
        let [from, to] = [ends[0], ends[1]];
        let length = ((to.0 - from.0).powi(2) + (to.1 - from.1).powi(2)).sqrt();
        let at = |distance: f64| {
            let t = distance / length;
            (from.0 + (to.0 - from.0) * t, from.1 + (to.1 - from.1) * t)
        };
        let mut done = 0.0;
        while done < length - 1e-6 {
            let phase = (along / DASH) as u64;
            let step = ((phase + 1) as f64 * DASH - along).max(1e-3).min(length - done);
            if phase.is_multiple_of(2) {
                drawing.line(vec![at(done), at(done + step)], stroke);
            }
            done += step;
            along += step;
        }
    }
}

/// The visible numbers of a block.
pub fn visible(block: &Block, clip: Rect) -> Vec<u32> {
    let seen = block.rect.intersect(clip);
    if !seen.is_positive() {
        return Vec::new();
    }
    let zoom = block.zoom();
    let from = ((seen.min - block.rect.min) / zoom).floor().max(Vec2::ZERO);
    let to = ((seen.max - block.rect.min) / zoom).ceil();
    let across = block.columns * block.numbers;
    let (left, right) = (from.x as u32, (to.x as u32).min(across));
    let (top, bottom) = (from.y as u32, (to.y as u32).min(block.rows));
    let len = block.values.len() as u32;
    let rows = (top..bottom).flat_map(|row| (left..right).map(move |column| row * across + column));
    rows.filter(|number| *number < len).collect()
}

/// The least width of squares, in points, that have a gap between them.
const GAPS: f32 = 8.0;
/// The least number of small squares that are drawn as one grid, visible or not.
const MANY: usize = 512;

/// Draws the squares of a block: the visible ones, or a grid of all if they are many and small.
pub fn squares(drawing: &mut Drawing, block: &Block, numbers: &[u32], scale: &Scale, theme: &Theme) {
    let zoom = block.zoom();
    if zoom < GAPS && block.values.len() >= MANY {
        let all = block.columns as usize * block.numbers as usize * block.rows as usize;
        let colour = |number: usize| match number < block.values.len() {
            true => colour(block, number as u32, scale, theme),
            false => theme.paper,
        };
        drawing.shapes.push(Shape::Cells {
            at: at(block.rect.min),
            side: zoom.into(),
            columns: block.columns as usize * block.numbers as usize,
            colours: (0..all).map(colour).collect(),
        });
        return;
    }
    let gap = if zoom >= GAPS { 0.5 } else { 0.0 };
    for &number in numbers {
        fill(drawing, &corners(apart(block, number).shrink(gap)), colour(block, number, scale, theme));
    }
}

/// The square of a number, with room at both ends of an item of several.
fn apart(block: &Block, number: u32) -> Rect {
    let mut square = block.number(number);
    if block.arity > 1 {
        let room = (block.zoom() * 0.12).min(3.0);
        let member = number % block.arity;
        square.min.x += if member == 0 { room } else { 0.0 };
        square.max.x -= if member + 1 == block.arity { room } else { 0.0 };
    }
    square
}

/// The colour of a number; undefined numbers are pale.
pub fn colour(block: &Block, number: u32, scale: &Scale, theme: &Theme) -> Colour {
    let colour = Colour::from(scale.colour(block.shade(number)));
    if block.undefined(number) { colour.towards(theme.paper, 0.75) } else { colour }
}

/// Draws frames around texels of several numbers.
pub fn frames(drawing: &mut Drawing, block: &Block, numbers: &[u32], theme: &Theme) {
    if block.numbers == 1 || block.zoom() < 6.0 {
        return;
    }
    for number in numbers.iter().filter(|number| number.is_multiple_of(block.numbers)) {
        let last = number + block.numbers - 1;
        frame(drawing, apart(block, *number).union(apart(block, last)).expand(0.5), 1.0, theme.ink);
    }
}

/// Writes the numbers, if there is room.
pub fn texts(
    drawing: &mut Drawing,
    block: &Block,
    numbers: &[u32],
    scale: &Scale,
    format: NumberFormat,
    theme: &Theme,
) {
    let zoom = block.zoom();
    if zoom < LEAST_FOR_TEXT {
        return;
    }
    // All or none: a cell without its number would look empty.
    let lettered = numbers.iter().map(|number| Some((*number, lettered(block, *number, format)?)));
    let Some(lettered) = lettered.collect::<Option<Vec<_>>>() else { return };
    let digits = block.digits.filter(|digits| digit_size(digits, zoom) >= LEAST_FONT);
    for (number, (lines, size)) in lettered {
        let ink = match block.undefined(number) {
            true => pale_on(colour(block, number, scale, theme)),
            false => Colour::from(text_on(scale.colour(block.shade(number)))),
        };
        let write = Write { size: size.into(), mono: true, ..Write::centre(ink) };
        let centre = block.number(number).center();
        let Some(digits) = &digits else {
            drawing.block(at(centre), &lines, &write);
            continue;
        };
        drawing.block(
            at(centre - vec2(0.0, zoom * 0.16)),
            &lines,
            &Write { size: write.size * 0.85, ..write },
        );
        let key = block.values.words().get(number as usize).copied().unwrap_or_default();
        binary(drawing, centre + vec2(0.0, zoom * 0.29), (key, digits), digit_size(digits, zoom), ink);
    }
}

/// The size of a key's binary digits.
fn digit_size(digits: &KeyDigits, zoom: f32) -> f32 {
    let count = (digits.bits[1] - digits.bits[0]).max(1) as f32;
    (zoom * 0.28).min((zoom - 4.0) / (0.75 * count)).min(LARGEST_FONT / 2.0)
}

/// Writes the digits of a key, the one of this split on a ground of its own.
fn binary(drawing: &mut Drawing, centre: Pos2, (key, digits): (u32, &KeyDigits), size: f32, ink: Colour) {
    let [low, high] = digits.bits;
    for (place, bit) in (low..high).rev().enumerate() {
        let off = place as f32 - (high - low - 1) as f32 / 2.0;
        let middle = centre + vec2(off * 0.72 * size, 0.0);
        let lit = bit == digits.lit;
        if lit {
            let ground = Rect::from_center_size(middle, vec2(0.78, 1.1) * size);
            fill(drawing, &corners(ground), ACCENT);
        }
        let ink = if lit { Colour::grey(0) } else { ink };
        let write = Write { size: size.into(), mono: true, ..Write::centre(ink) };
        drawing.block(at(middle), &[(key >> bit & 1).to_string()], &write);
    }
}

/// The lines that are written into the square of a number, and their size; `None` without room.
fn lettered(block: &Block, number: u32, format: NumberFormat) -> Option<(Vec<String>, f32)> {
    let zoom = block.zoom();
    let fits = |lines: Vec<String>| {
        let letters = lines.iter().map(|line| line.chars().count()).max()?;
        let size = font_size(letters, zoom)?.min(if lines.len() > 1 { zoom * 0.3 } else { LARGEST_FONT });
        (size >= LEAST_FONT).then_some((lines, size))
    };
    if let Some(state) = block.states.get(number as usize) {
        return fits(state.split(' ').map(str::to_owned).collect());
    }
    let text = written(block, number as usize, format);
    if block.bits && text.len() == 8 && zoom < width_for(text.len(), EASY_FONT) {
        return fits(vec![text[..4].into(), text[4..].into()]);
    }
    // A number that is too long is rounded; the hover shows all of it.
    let value = block.values.to_f64(number as usize).unwrap_or_default();
    let rounded = || fits(vec![format!("{value:.0e}")]);
    fits(vec![text]).or_else(rounded)
}

/// The colour of text on an undefined number: pale, as far as it can be read.
fn pale_on(under: Colour) -> Colour {
    let ink = Colour::from(text_on([under.0, under.1, under.2]));
    let pale = ink.towards(under, 0.35);
    if contrast(pale, under) >= LEAST_CONTRAST { pale } else { ink }
}

/// Draws a number anywhere, on its colour.
pub fn number_in(
    drawing: &mut Drawing,
    rect: Rect,
    (block, number): (&Block, u32),
    scale: &Scale,
    format: NumberFormat,
    theme: &Theme,
) {
    fill(drawing, &corners(rect), colour(block, number, scale, theme));
    let text = written(block, number as usize, format);
    if let Some(size) = font_size(text.chars().count(), rect.width()) {
        let ink = Colour::from(text_on(scale.colour(block.shade(number))));
        let write = Write { size: size.into(), mono: true, ..Write::centre(ink) };
        drawing.block(at(rect.center()), &[text], &write);
    }
}

/// The size at which so many letters fit into a square, in half points, so that there are few sizes.
fn font_size(letters: usize, zoom: f32) -> Option<f32> {
    let wide = (zoom * 0.94 - 3.0) / (0.61 * letters.max(1) as f32);
    let size = (wide.min(zoom * 0.56).min(LARGEST_FONT) * 2.0).floor() / 2.0;
    (size >= LEAST_FONT).then_some(size)
}

/// The width of a square in which so many letters have a size.
pub fn width_for(letters: usize, size: f32) -> f32 {
    (size * 0.61 * letters as f32 + 3.0) / 0.94
}

/// A number as it is written in a texel.
pub fn written(block: &Block, index: usize, format: NumberFormat) -> String {
    let values = block.values;
    match format {
        _ if block.bits && values.words().get(index) != Some(&0) => values.hex(index),
        NumberFormat::Decimal => values.decimal(index),
        NumberFormat::Hex => {
            let hex = values.hex(index);
            let short = hex.trim_start_matches('0');
            if short.is_empty() && !hex.is_empty() { "0".into() } else { short.into() }
        }
        NumberFormat::Float => values.to_f64(index).map(|value| format!("{value:.2e}")).unwrap_or_default(),
    }
}

/// Sizes of a block's name, of its shape, and of indices.
pub const NAME: f64 = 15.0;
const SHAPE: f64 = 12.5;
const INDEX: f64 = 11.0;

/// Writes the name of a block above it or below, and the indices of its rows beside it, or those of its only row.
pub fn titles(drawing: &mut Drawing, block: &Block, clip: Rect, theme: &Theme) {
    let zoom = block.zoom();
    let numbered = block.numbered && block.rows == 1 && zoom >= LEAST_FOR_TEXT;
    let away = if numbered { 16.0 } else { 4.0 };
    let base = match block.name_below {
        true => f64::from(block.rect.bottom() + away) + NAME,
        false => f64::from(block.rect.top() - away) - if numbered { 4.0 } else { 2.0 },
    };
    let (left, room) = (f64::from(block.rect.left()), f64::from(block.name_room));
    let name = font::shortened(&block.name, NAME * theme.letters, room);
    drawing.text((left, base), &name, &Write { size: NAME, ..Write::left(theme.ink) });
    let used = font::width(&name, NAME * theme.letters) + 8.0;
    // As much as fits whole. The window writes small letters up to a tenth wider than the font that is measured.
    let parts = [", in rows", " in a buffer"].map(|part| block.shape.split(part).next().unwrap_or_default());
    let fits = |shape: &String| font::width(shape, 1.1 * SHAPE * theme.letters) <= room - used;
    if let Some(shape) = [&block.shape[..]].into_iter().chain(parts).map(say).find(fits) {
        drawing.text((left + used, base), &shape, &Write { size: SHAPE, ..Write::left(theme.faint) });
    }
    let write = |anchor| Write { size: INDEX, anchor, mono: true, ..Write::left(theme.faint) };
    if numbered {
        let y = match block.name_below {
            true => block.rect.bottom() + 8.0,
            false => block.rect.top() - 7.5,
        };
        // One for each texel, by the index of its first number.
        let seen = clip.x_range().expand(40.0);
        let wide = zoom * block.numbers as f32;
        let first = ((seen.min - block.rect.left()) / wide).max(0.0) as u32;
        let end = ((seen.max - block.rect.left()) / wide).max(0.0) as u32;
        for texel in first..end.saturating_add(1).min(block.texels) {
            let middle = pos2(block.number(texel * block.numbers).center().x, y);
            let index = (texel * block.numbers / block.arity).to_string();
            drawing.block(at(middle), &[index], &write(Anchor::Middle));
        }
    } else if block.rows > 1 && zoom >= 9.0 {
        // The last vertices of lines lie beyond the right edge.
        let beyond = if block.lined { zoom * 0.9 } else { 0.0 };
        let (x, anchor) = match block.indices_behind {
            true => (block.rect.right() + 5.0 + beyond, Anchor::Start),
            false => (block.rect.left() - 5.0, Anchor::End),
        };
        let seen = clip.y_range();
        let first = ((seen.min - block.rect.top()) / zoom).max(0.0) as u32;
        let end = ((seen.max - block.rect.top()) / zoom).max(0.0) as u32;
        // Of low rows some, so that their indices lie apart.
        let every = (INDEX as f32 * 1.1 / zoom).ceil() as u32;
        for row in (first..end.saturating_add(1).min(block.rows)).filter(|row| row.is_multiple_of(every)) {
            let y = block.rect.top() + (row as f32 + 0.5) * zoom;
            let index = (row * block.columns * block.numbers / block.arity).to_string();
            drawing.block(at(pos2(x, y)), &[index], &write(anchor));
        }
    }
}

/// Marks the beginnings of the rows of a texture that is drawn in other rows.
pub fn seams(drawing: &mut Drawing, block: &Block, theme: &Theme) {
    let beyond = if block.rows == 1 { vec2(0.0, 4.0) } else { Vec2::ZERO };
    for texel in block.seams() {
        line(drawing, texel.left_top() - beyond, texel.left_bottom() + beyond, 2.0, theme.ink);
    }
}
