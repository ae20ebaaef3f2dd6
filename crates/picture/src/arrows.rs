//! Arrows from the texels that were read to the texels made from them, as the shaders recorded the reads.

use emath::{Pos2, Rect};
use rasterscan::trace::Place;

use crate::block::Block;
use crate::colour::Colour;
use crate::drawing::Drawing;
use crate::style::{ACCENT, Theme};
use crate::subject::{Arrow, Subject};
use crate::texels::{fill, frame, line};

/// The most target texels of a pass whose reads are all drawn as arrows.
const FEW_TEXELS: u32 = 64;
/// The least width of a number, in points, at which the ends of an arrow can be seen.
pub const LEAST_ZOOM: f32 = 5.0;
/// The most arrows of a pass: more are a tangle.
pub const MOST: usize = 200;

/// Draws thin arrows for all reads of a pass, if they are few.
pub fn all(drawing: &mut Drawing, subject: &Subject, pass: usize, blocks: &[Block], theme: &Theme) {
    let zoom = blocks.first().map_or(0.0, Block::zoom);
    if !are_few(blocks) || zoom < LEAST_ZOOM {
        return;
    }
    let arrows = subject.arrows(pass, MOST);
    let faded = theme.ink.towards(theme.paper, if arrows.len() > 100 { 0.7 } else { 0.5 });
    for arrow in arrows.iter() {
        if let Some((from, to)) = ends(blocks, arrow) {
            draw(drawing, from, to, 1.0, 5.0, faded);
        }
    }
}

/// Returns whether a pass writes so few texels that all its reads are drawn.
pub fn are_few(blocks: &[Block]) -> bool {
    targets(blocks).map(|block| block.texels).sum::<u32>() <= FEW_TEXELS
}

/// Draws the arrows of a texel, bold, with frames around their ends.
pub fn strong(drawing: &mut Drawing, arrows: &[Arrow], blocks: &[Block], theme: &Theme) {
    for arrow in arrows {
        let places = [(true, arrow.from), (false, arrow.to)];
        for rect in places.into_iter().filter_map(|(source, place)| rect_of(blocks, source, place)) {
            outline(drawing, rect, theme);
        }
    }
    for (width, head, colour) in [(4.0, 11.0, theme.paper), (2.0, 8.0, ACCENT)] {
        for arrow in arrows {
            if let Some((from, to)) = ends(blocks, arrow) {
                draw(drawing, from, to, width, head, colour);
            }
        }
    }
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

fn targets<'a, 'b>(blocks: &'a [Block<'b>]) -> impl Iterator<Item = &'a Block<'b>> {
    blocks.iter().filter(|block| !block.source)
}

fn ends(blocks: &[Block], arrow: &Arrow) -> Option<(Pos2, Pos2)> {
    let from = rect_of(blocks, true, arrow.from)?;
    let to = rect_of(blocks, false, arrow.to)?;
    // Not into the middle, where the number stands.
    let (start, end) = (from.center(), to.center());
    let along = (end - start).normalized();
    let reach = |rect: Rect| rect.width().min(rect.height()) * 0.36;
    Some((start + along * reach(from), end - along * reach(to)))
}

fn draw(drawing: &mut Drawing, from: Pos2, to: Pos2, width: f32, head: f32, colour: Colour) {
    let along = to - from;
    let length = along.length();
    if length < 1.0 {
        return;
    }
    let along = along / length;
    let head = head.min(length);
    let across = along.rot90() * (head * 0.42);
    let neck = to - along * head;
    line(drawing, from, neck, width, colour);
    fill(drawing, &[to, neck + across, neck - across], colour);
}
