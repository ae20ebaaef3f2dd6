//! Where streams stand in the picture: sources beside targets, above them, or around them, whichever lets them be larger.
//!
//! Streams stand in *lanes*, which follow each other to the right or down: what is read, what is written, and where targets
//! are between their sources, the rest of what is read.

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

/// How sources and targets stand to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// Sources below each other, and targets at their right.
    Beside,
    /// Sources side by side, and targets below.
    Above,
    /// The first source, targets below, and all other sources below these: arrows come from both sides.
    Around,
}

impl Way {
    const ALL: [Way; 3] = [Way::Beside, Way::Above, Way::Around];

    /// The blocks of each lane, as their numbers; a lane without any is none.
    fn lanes(self, blocks: &[Block]) -> Vec<Vec<usize>> {
        let of = |source: bool| -> Vec<usize> {
            (0..blocks.len()).filter(|index| blocks[*index].source == source).collect()
        };
        let mut lanes = match (self, &of(true)[..]) {
            (Way::Around, [first, others @ ..]) => vec![vec![*first], of(false), others.to_vec()],
            (_, sources) => vec![sources.to_vec(), of(false)],
        };
        lanes.retain(|lane| !lane.is_empty());
        lanes
    }

    /// Along which axis lanes follow each other: 0 to the right, 1 down.
    fn axis(self) -> usize {
        usize::from(self != Way::Beside)
    }
}

/// Places the blocks around a centre, at a zoom.
pub fn place(blocks: &mut [Block], zoom: f32, way: Way, room: Vec2, centre: egui::Pos2) {
    let around = &Around::of(blocks, room);
    let (axis, total) = (way.axis(), size(blocks, zoom, way, around));
    let mut corner = centre - total / 2.0;
    let lanes = way.lanes(blocks);
    for (number, lane) in lanes.iter().enumerate() {
        let taken = lane_size(blocks, lane, zoom, way, around);
        // Lanes stand in the middle of each other.
        let mut at = corner;
        at[1 - axis] += (total[1 - axis] - taken[1 - axis]) / 2.0;
        for index in lane {
            let block = &mut blocks[*index];
            let size = slot(block, zoom, around);
            block.name_below = axis == 1 && number > 0;
            block.name_room = size.x;
            block.indices_behind = axis == 0 && number > 0;
            let left = if block.indices_behind { 0.0 } else { indices(block, around) };
            let corner = vec2(left, if block.name_below { 0.0 } else { around.title });
            block.rect = Rect::from_min_size(at + corner, block.size(zoom));
            at[1 - axis] += size[1 - axis] + around.apart;
        }
        corner[axis] += taken[axis] + around.between;
    }
}

/// The largest zoom at which all fits into this room, and the way in which it does.
pub fn fit(blocks: &[Block], room: Vec2) -> (f32, Way) {
    let around = &Around::of(blocks, room);
    let best = |way| {
        let (mut low, mut high) = (0.25, LARGEST);
        for _ in 0..14 {
            let middle = (low + high) / 2.0;
            let total = size(blocks, middle, way, around);
            match total.x <= room.x && total.y <= room.y {
                true => low = middle,
                false => high = middle,
            }
        }
        low
    };
    let [beside, above, on_both_sides] = Way::ALL.map(best);
    // Whole points are crisp.
    let whole = |zoom: f32| if zoom >= 12.0 { zoom.floor() } else { zoom };
    // Arrows between rows that stand below each other cross the fewest numbers.
    let rows = blocks.iter().all(|block| block.rows == 1);
    let several = blocks.iter().filter(|block| block.source).count() > 1;
    // Of two rows that are read, arrows cross where they stand side by side.
    if on_both_sides > 1.2 * beside.max(above) || (rows && several && on_both_sides >= above) {
        (whole(on_both_sides), Way::Around)
    } else if beside >= above && !(rows && above > 12.0) {
        (whole(beside), Way::Beside)
    } else {
        (whole(above), Way::Above)
    }
}

fn size(blocks: &[Block], zoom: f32, way: Way, around: &Around) -> Vec2 {
    let axis = way.axis();
    let lanes = way.lanes(blocks);
    let mut total = Vec2::ZERO;
    total[axis] = around.between * lanes.len().saturating_sub(1) as f32;
    for lane in lanes {
        let size = lane_size(blocks, &lane, zoom, way, around);
        total[axis] += size[axis];
        total[1 - axis] = total[1 - axis].max(size[1 - axis]);
    }
    total
}

/// The room of a lane.
fn lane_size(blocks: &[Block], lane: &[usize], zoom: f32, way: Way, around: &Around) -> Vec2 {
    let axis = way.axis();
    let mut total = Vec2::ZERO;
    total[1 - axis] = around.apart * lane.len().saturating_sub(1) as f32;
    for size in lane.iter().map(|index| slot(&blocks[*index], zoom, around)) {
        total[axis] = total[axis].max(size[axis]);
        total[1 - axis] += size[1 - axis];
    }
    total
}

fn slot(block: &Block, zoom: f32, around: &Around) -> Vec2 {
    let size = block.size(zoom);
    vec2(indices(block, around) + size.x.max(around.least), around.title + size.y)
}

fn indices(block: &Block, around: &Around) -> f32 {
    if block.rows > 1 { around.indices } else { 0.0 }
}
