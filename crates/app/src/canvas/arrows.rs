//! Arrows from what was read to what was made of it, as the shaders recorded it.

use egui::{Color32, Pos2, Rect};
use rasterscan::trace::{Place, RecordedPass};

use super::block::Block;
use super::texels::Shapes;
use crate::looks::ACCENT;
use crate::shown::{Arrow, Shown};
use crate::view::Spot;

/// Arrows of a pass are all drawn where its targets have no more texels than this.
const FEW_TEXELS: u32 = 64;
/// Between smaller squares than these, in points, nobody sees whose an arrow is.
const LEAST_ZOOM: f32 = 5.0;
/// More arrows than this are a tangle.
const MOST: usize = 700;

/// Thin arrows of all reads, where there are few.
pub fn all(shapes: &mut Shapes, shown: &Shown, pass: usize, blocks: &[Block], ink: Color32) {
    let zoom = blocks.first().map_or(0.0, Block::zoom);
    if targets(blocks).map(|block| block.texels).sum::<u32>() > FEW_TEXELS || zoom < LEAST_ZOOM {
        return;
    }
    let arrows = shown.arrows(pass, MOST);
    let faded = ink.gamma_multiply(if arrows.len() > 100 { 0.3 } else { 0.5 });
    for arrow in arrows.iter() {
        if let Some((from, to)) = ends(blocks, arrow) {
            draw(shapes, from, to, 1.0, 5.0, faded);
        }
    }
}

/// What a texel has to do with others: all that it was made of, or all that was made of it.
pub fn of_spot(pass: &RecordedPass, spot: Spot) -> Vec<Arrow> {
    match spot.source {
        true => pass.made_from(spot.place).into_iter().map(|to| Arrow { from: spot.place, to }).collect(),
        false => pass.read_for(spot.place).into_iter().map(|from| Arrow { from, to: spot.place }).collect(),
    }
}

/// The arrows of a texel, strong, and frames around their ends.
pub fn strong(shapes: &mut Shapes, arrows: &[Arrow], blocks: &[Block], paper: Color32, ink: Color32) {
    for arrow in arrows {
        let places = [(true, arrow.from), (false, arrow.to)];
        for rect in places.into_iter().filter_map(|(source, place)| rect_of(blocks, source, place)) {
            outline(shapes, rect, paper, ink);
        }
    }
    for (width, head, colour) in [(4.0, 11.0, paper), (2.0, 8.0, ACCENT)] {
        for arrow in arrows {
            if let Some((from, to)) = ends(blocks, arrow) {
                draw(shapes, from, to, width, head, colour);
            }
        }
    }
}

/// A frame that is seen on every colour.
pub fn outline(shapes: &mut Shapes, rect: Rect, paper: Color32, ink: Color32) {
    shapes.frame(rect.expand(2.0), 1.5, ink);
    shapes.frame(rect.expand(0.5), 1.5, paper);
}

/// Where a place of the pass stands in the picture.
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

fn draw(shapes: &mut Shapes, from: Pos2, to: Pos2, width: f32, head: f32, colour: Color32) {
    let along = to - from;
    let length = along.length();
    if length < 1.0 {
        return;
    }
    let along = along / length;
    let head = head.min(length);
    let across = along.rot90() * (head * 0.42);
    let neck = to - along * head;
    shapes.line(from, neck, width, colour);
    shapes.triangle([to, neck + across, neck - across], colour);
}
