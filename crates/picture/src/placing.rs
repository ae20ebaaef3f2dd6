//! The positions of streams in a picture: sources beside targets, above them, or around them, whichever makes them
//! larger.
//!
//! A *lane* is a column of streams if targets are beside their sources, else a row of streams. The first lane has the
//! sources and the second the targets. To put targets between their sources, the first lane has one source, and a third
//! lane has the others.

use emath::{Pos2, Rect, Vec2, vec2};

use super::block::Block;

/// The room around the numbers, in points.
#[derive(Debug, Clone, Copy)]
struct Around {
    /// The room for a stream's name, above it or below.
    title: f32,
    /// The room for the indices of its rows.
    indices: f32,
    /// The distance between lanes: room for arrows.
    between: f32,
    /// The distance between the streams of a lane.
    apart: f32,
    /// The least width of a name.
    least: f32,
}

impl Around {
    fn of(frames: &[&[Block]], room: Vec2) -> Around {
        let rows = frames.iter().all(|blocks| blocks.iter().all(|block| block.rows == 1));
        let between = match room.y {
            // Long arrows are easier to tell apart.
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

/// The largest width of a number, unless the user zooms in.
const LARGEST: f32 = 64.0;

/// The arrangement of sources and targets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Sources below each other, and targets at their right.
    Beside,
    /// Sources side by side, and targets below.
    Above,
    /// The first source, targets below it, and all other sources below these: arrows come from both sides.
    Around,
}

impl Way {
    const ALL: [Way; 3] = [Way::Beside, Way::Above, Way::Around];

    /// The blocks of each lane, by index. Empty lanes are left out.
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

    /// The axis along which lanes follow each other: 0 to the right, 1 down.
    fn axis(self) -> usize {
        usize::from(self != Way::Beside)
    }
}

/// The arrangement of the blocks of a picture, or of all pictures of a run.
#[derive(Debug, Clone)]
pub struct Placing {
    /// The width of a number, in points.
    pub zoom: f32,
    way: Way,
    around: Around,
    /// The room of each lane.
    lanes: Vec<Vec2>,
}

impl Placing {
    /// The arrangement with the largest zoom at which each of these frames fits into a room. A lane has the same room
    /// in all frames, so that it is always at the same position.
    pub fn fit(frames: &[&[Block]], room: Vec2) -> Placing {
        let around = Around::of(frames, room);
        let best = |way| {
            let (mut low, mut high) = (0.25, LARGEST);
            for _ in 0..14 {
                let middle = (low + high) / 2.0;
                let total = Placing::at(frames, middle, way, around).size();
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
        // Arrows between rows below each other cross the fewest numbers.
        let rows = frames.iter().all(|blocks| blocks.iter().all(|block| block.rows == 1));
        let sources = |blocks: &&[Block]| blocks.iter().filter(|block| block.source).count();
        let several = frames.iter().any(|blocks| sources(blocks) > 1);
        // If two rows that are read were side by side, their arrows would cross.
        let (zoom, way) =
            if on_both_sides > 1.2 * beside.max(above) || (rows && several && on_both_sides >= above) {
                (whole(on_both_sides), Way::Around)
            } else if beside >= above && !(rows && above > 12.0) {
                (whole(beside), Way::Beside)
            } else {
                (whole(above), Way::Above)
            };
        Placing::at(frames, zoom, way, around)
    }

    /// The same at another zoom.
    pub fn zoomed(&self, frames: &[&[Block]], zoom: f32) -> Placing {
        Placing::at(frames, zoom, self.way, self.around)
    }

    fn at(frames: &[&[Block]], zoom: f32, way: Way, around: Around) -> Placing {
        let mut lanes: Vec<Vec2> = Vec::new();
        for blocks in frames {
            for (number, lane) in way.lanes(blocks).iter().enumerate() {
                let size = lane_size(blocks, lane, zoom, way, &around);
                match lanes.get_mut(number) {
                    Some(known) => *known = known.max(size),
                    None => lanes.push(size),
                }
            }
        }
        Placing { zoom, way, around, lanes }
    }

    /// The room that the whole picture takes.
    pub fn size(&self) -> Vec2 {
        let axis = self.way.axis();
        let mut total = Vec2::ZERO;
        total[axis] = self.around.between * self.lanes.len().saturating_sub(1) as f32;
        for lane in &self.lanes {
            total[axis] += lane[axis];
            total[1 - axis] = total[1 - axis].max(lane[1 - axis]);
        }
        total
    }

    /// Places the blocks of a frame around a centre.
    pub fn place(&self, blocks: &mut [Block], centre: Pos2) {
        let Placing { zoom, way, around, .. } = self;
        let (axis, total) = (way.axis(), self.size());
        let mut corner = centre - total / 2.0;
        let lanes = way.lanes(blocks);
        for (number, (lane, taken)) in lanes.iter().zip(&self.lanes).enumerate() {
            let own = lane_size(blocks, lane, *zoom, *way, around);
            // Lanes are centred on each other.
            let mut at = corner;
            at[1 - axis] += (total[1 - axis] - own[1 - axis]) / 2.0;
            for index in lane {
                let block = &mut blocks[*index];
                let size = slot(block, *zoom, around);
                block.name_below = axis == 1 && number > 0;
                // A stream alone in its row has the rest of the row for its name.
                let rest = total.x - (at.x - (centre.x - total.x / 2.0));
                block.name_room = if axis == 1 && lane.len() == 1 { size.x.max(rest) } else { size.x };
                block.indices_behind = axis == 0 && number > 0;
                let left = if block.indices_behind { 0.0 } else { indices(block, around) };
                let corner = vec2(left, if block.name_below { 0.0 } else { around.title });
                block.rect = Rect::from_min_size(at + corner, block.size(*zoom));
                at[1 - axis] += size[1 - axis] + around.apart;
            }
            corner[axis] += taken[axis] + around.between;
        }
    }
}

/// The size of a lane.
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
