//! Where streams stand in the picture: sources beside targets, or above them, whichever lets them be larger.

use egui::{Rect, Vec2, vec2};

use super::block::Block;

/// What stands around the numbers, in points.
#[derive(Debug, Clone, Copy)]
struct Around {
    /// Room for a stream's name above it or below.
    title: f32,
    /// Room for the indices at the left of its rows.
    indices: f32,
    /// Between sources and targets: room for arrows.
    between: f32,
    /// Between streams of one kind.
    apart: f32,
    /// A name needs so much at least.
    least: f32,
}

impl Around {
    fn of(blocks: &[Block], room: Vec2) -> Around {
        let rows = blocks.iter().all(|block| block.rows == 1);
        let between = match room.y {
            // Arrows are told apart where they are long.
            360.0.. if rows => 84.0,
            ..220.0 => 24.0,
            _ => 48.0,
        };
        if room.x < 320.0 || room.y < 220.0 {
            return Around { title: 22.0, indices: 22.0, between, apart: 8.0, least: 56.0 };
        }
        Around { title: 32.0, indices: 30.0, between, apart: 16.0, least: 104.0 }
    }
}

/// The largest that numbers become of themselves.
const LARGEST: f32 = 64.0;

/// Places the blocks around a centre, at a zoom; gives the room that they take.
pub fn place(blocks: &mut [Block], zoom: f32, aside: bool, room: Vec2, centre: egui::Pos2) -> Vec2 {
    let around = &Around::of(blocks, room);
    let total = size(blocks, zoom, aside, around);
    let mut corner = centre - total / 2.0;
    for source in [true, false] {
        let lane = lane(blocks, zoom, aside, source, around);
        // Lanes stand in the middle of each other.
        let mut at = corner;
        match aside {
            true => at.y += (total.y - lane.y) / 2.0,
            false => at.x += (total.x - lane.x) / 2.0,
        }
        for block in blocks.iter_mut().filter(|block| block.source == source) {
            let size = slot(block, zoom, around);
            block.name_below = !aside && !block.source;
            block.name_room = size.x;
            block.indices_behind = aside && !block.source;
            let left = if block.indices_behind { 0.0 } else { indices(block, around) };
            let corner = vec2(left, if block.name_below { 0.0 } else { around.title });
            block.rect = Rect::from_min_size(at + corner, block.size(zoom));
            match aside {
                true => at.y += size.y + around.apart,
                false => at.x += size.x + around.apart,
            }
        }
        match aside {
            true if lane.x > 0.0 => corner.x += lane.x + around.between,
            false if lane.y > 0.0 => corner.y += lane.y + around.between,
            _ => {}
        }
    }
    total
}

/// The largest zoom at which all fits into this room, and whether targets then stand beside sources.
pub fn fit(blocks: &[Block], room: Vec2) -> (f32, bool) {
    let around = &Around::of(blocks, room);
    let best = |aside| {
        let (mut low, mut high) = (0.25, LARGEST);
        for _ in 0..14 {
            let middle = (low + high) / 2.0;
            let total = size(blocks, middle, aside, around);
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

fn size(blocks: &[Block], zoom: f32, aside: bool, around: &Around) -> Vec2 {
    let [sources, targets] = [true, false].map(|source| lane(blocks, zoom, aside, source, around));
    let both = sources != Vec2::ZERO && targets != Vec2::ZERO;
    let between = if both { around.between } else { 0.0 };
    match aside {
        true => vec2(sources.x + between + targets.x, sources.y.max(targets.y)),
        false => vec2(sources.x.max(targets.x), sources.y + between + targets.y),
    }
}

/// The room of all sources, or of all targets.
fn lane(blocks: &[Block], zoom: f32, aside: bool, source: bool, around: &Around) -> Vec2 {
    let slots = blocks.iter().filter(|block| block.source == source).map(|block| slot(block, zoom, around));
    slots
        .reduce(|sum, size| match aside {
            true => vec2(sum.x.max(size.x), sum.y + around.apart + size.y),
            false => vec2(sum.x + around.apart + size.x, sum.y.max(size.y)),
        })
        .unwrap_or_default()
}

fn slot(block: &Block, zoom: f32, around: &Around) -> Vec2 {
    let size = block.size(zoom);
    vec2(indices(block, around) + size.x.max(around.least), around.title + size.y)
}

fn indices(block: &Block, around: &Around) -> f32 {
    if block.rows > 1 { around.indices } else { 0.0 }
}
