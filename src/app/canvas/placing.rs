//! Where streams stand in the picture: sources beside targets, or above them, whichever lets them be larger.

use egui::{Rect, Vec2, vec2};

use super::block::Block;

/// Room for a stream's name above it.
pub const TITLE: f32 = 32.0;
/// Room for the indices at the left of its rows.
pub const INDICES: f32 = 30.0;
/// Between sources and targets: room for arrows.
const BETWEEN: f32 = 48.0;
/// Between streams of one kind.
const APART: f32 = 16.0;
/// A name needs so much at least.
const LEAST: f32 = 104.0;
/// The largest that numbers become of themselves.
const LARGEST: f32 = 64.0;

/// Places the blocks around a centre, at a zoom; gives the room that they take.
pub fn place(blocks: &mut [Block], zoom: f32, aside: bool, centre: egui::Pos2) -> Vec2 {
    let total = size(blocks, zoom, aside);
    let mut corner = centre - total / 2.0;
    for source in [true, false] {
        let lane = lane(blocks, zoom, aside, source);
        // Lanes stand in the middle of each other.
        let mut at = corner;
        match aside {
            true => at.y += (total.y - lane.y) / 2.0,
            false => at.x += (total.x - lane.x) / 2.0,
        }
        for block in blocks.iter_mut().filter(|block| block.source == source) {
            let size = slot(block, zoom);
            block.name_below = !aside && !block.source;
            let corner = vec2(indices(block), if block.name_below { 0.0 } else { TITLE });
            block.rect = Rect::from_min_size(at + corner, block.size(zoom));
            match aside {
                true => at.y += size.y + APART,
                false => at.x += size.x + APART,
            }
        }
        match aside {
            true if lane.x > 0.0 => corner.x += lane.x + BETWEEN,
            false if lane.y > 0.0 => corner.y += lane.y + BETWEEN,
            _ => {}
        }
    }
    total
}

/// The largest zoom at which all fits into this room, and whether targets then stand beside sources.
pub fn fit(blocks: &[Block], room: Vec2) -> (f32, bool) {
    let best = |aside| {
        let (mut low, mut high) = (0.25, LARGEST);
        for _ in 0..14 {
            let middle = (low + high) / 2.0;
            let total = size(blocks, middle, aside);
            match total.x <= room.x && total.y <= room.y {
                true => low = middle,
                false => high = middle,
            }
        }
        low
    };
    let (beside, above) = (best(true), best(false));
    // Whole points are crisp.
    let whole = |zoom: f32| if zoom >= 12.0 { zoom.floor() } else { zoom };
    // Arrows between rows that stand below each other cross the fewest numbers.
    let rows = blocks.iter().all(|block| block.rows == 1);
    if beside >= above && !(rows && above > 12.0) { (whole(beside), true) } else { (whole(above), false) }
}

fn size(blocks: &[Block], zoom: f32, aside: bool) -> Vec2 {
    let [sources, targets] = [true, false].map(|source| lane(blocks, zoom, aside, source));
    let both = sources != Vec2::ZERO && targets != Vec2::ZERO;
    let between = if both { BETWEEN } else { 0.0 };
    match aside {
        true => vec2(sources.x + between + targets.x, sources.y.max(targets.y)),
        false => vec2(sources.x.max(targets.x), sources.y + between + targets.y),
    }
}

/// The room of all sources, or of all targets.
fn lane(blocks: &[Block], zoom: f32, aside: bool, source: bool) -> Vec2 {
    let slots = blocks.iter().filter(|block| block.source == source).map(|block| slot(block, zoom));
    slots
        .reduce(|sum, size| match aside {
            true => vec2(sum.x.max(size.x), sum.y + APART + size.y),
            false => vec2(sum.x + APART + size.x, sum.y.max(size.y)),
        })
        .unwrap_or_default()
}

fn slot(block: &Block, zoom: f32) -> Vec2 {
    let size = block.size(zoom);
    vec2(indices(block) + size.x.max(LEAST), TITLE + size.y)
}

fn indices(block: &Block) -> f32 {
    if block.rows > 1 { INDICES } else { 0.0 }
}
