//! The positions of streams in a picture: sources above their targets, or beside them where that makes them much larger.
//!
//! A *lane* is a column of streams if targets are beside their sources, else a row of streams. The last lane has the
//! targets. The sources share a lane, or have one each.

use emath::{Pos2, Rect, Vec2, vec2};

use rasterscan_drawing::font;

use super::block::Block;
use super::texels::{LEAST_FOR_TEXT, NAME};

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

/// The room for a name without a line of indices.
const NAME_ALONE: f32 = 22.0;

impl Around {
    fn of(frames: &[&[Block]], room: Vec2) -> Around {
        let rows = frames.iter().all(|blocks| blocks.iter().all(|block| block.rows == 1));
        let between = match room.y {
            // Long arrows are easier to tell apart.
            360.0.. if rows => (room.y * 0.18).clamp(84.0, 180.0),
            ..220.0 => 24.0,
            _ => 48.0,
        };
        // Streams of one row have room for their indices in a low pane, too.
        let close = if rows { room.y < 150.0 } else { room.x < 420.0 || room.y < 320.0 };
        if close {
            return Around::close(room);
        }
        Around { title: 32.0, indices: 30.0, between, apart: 16.0, least: 104.0 }
    }

    /// As little room as there can be.
    fn close(room: Vec2) -> Around {
        let between = if room.y < 220.0 { 24.0 } else { 36.0 };
        Around { title: NAME_ALONE, indices: 22.0, between, apart: 8.0, least: 56.0 }
    }
}

/// Targets are beside their sources if that makes numbers this many times as wide, or wide enough to be read.
const MUCH: f32 = 1.4;
/// The largest width of a number, unless the user zooms in, and its share of a large room: of sources and targets, or of
/// an input alone.
const LARGEST: f32 = 64.0;
const SHARES: [f32; 2] = [0.16, 0.28];

/// The arrangement of sources and targets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Arrangement {
    /// Sources below each other, and targets at their right.
    SideBySide,
    /// Sources side by side, and targets below.
    Above,
    /// Sources below each other, and targets below them.
    Stacked,
}

impl Arrangement {
    /// The blocks of each lane, by index. The last lane is that of the targets, even if there are none.
    fn lanes(self, blocks: &[Block]) -> Vec<Vec<usize>> {
        let of = |source: bool| -> Vec<usize> {
            (0..blocks.len()).filter(|index| blocks[*index].source == source).collect()
        };
        // Levels of a tree stand in order; below each other the longest is next to the targets, and its many arrows are short.
        let mut sources = of(true);
        if self != Arrangement::Above {
            // The stream itself is on top, where the reads of what is searched do not cross it.
            sources.sort_by_key(|source| (blocks[*source].removed.is_none(), blocks[*source].texels));
        }
        let mut lanes: Vec<Vec<usize>> = match self {
            Arrangement::Stacked => sources.into_iter().map(|source| vec![source]).collect(),
            _ => vec![sources],
        };
        lanes.push(of(false));
        lanes
    }

    /// The axis along which lanes follow each other: 0 to the right, 1 down.
    fn axis(self) -> usize {
        usize::from(self != Arrangement::SideBySide)
    }
}

/// The arrangement of the blocks of a picture, or of all pictures of a run.
#[derive(Debug, Clone)]
pub struct Placing {
    /// The width of a number, in points.
    pub zoom: f32,
    way: Arrangement,
    around: Around,
    /// The room of each lane.
    lanes: Vec<Vec2>,
}

impl Placing {
    /// The arrangement with the largest zoom at which each of these frames fits into a room. A lane has the same room
    /// in all frames, so that it is always at the same position.
    pub fn fit(frames: &[&[Block]], room: Vec2) -> Placing {
        let usual = Placing::fit_around(frames, room, Around::of(frames, room));
        if usual.zoom >= LEAST_FOR_TEXT {
            return usual;
        }
        // Less room around numbers, if that makes them wide enough to be read.
        let close = Placing::fit_around(frames, room, Around::close(room));
        if close.zoom >= LEAST_FOR_TEXT { close } else { usual }
    }

    fn fit_around(frames: &[&[Block]], room: Vec2, around: Around) -> Placing {
        let fits = |zoom, way| {
            let size = Placing::at(frames, zoom, way, around).size();
            size.x <= room.x && size.y <= room.y
        };
        let alone = frames.iter().all(|blocks| blocks.iter().all(|block| block.source));
        let best = |way| {
            let (mut low, mut high) = (0.25, LARGEST.max(room.y * SHARES[usize::from(alone)]));
            for _ in 0..14 {
                let middle = (low + high) / 2.0;
                if fits(middle, way) { low = middle } else { high = middle }
            }
            low
        };
        let [beside, above, stacked] =
            [Arrangement::SideBySide, Arrangement::Above, Arrangement::Stacked].map(best);
        // Whole points are crisp.
        let whole = |zoom: f32| if zoom >= 12.0 { zoom.floor() } else { zoom };
        let (zoom, way) = match () {
            _ if beside >= LEAST_FOR_TEXT && above.max(stacked) < LEAST_FOR_TEXT => {
                (beside, Arrangement::SideBySide)
            }
            _ if beside > MUCH * above.max(stacked) => (beside, Arrangement::SideBySide),
            _ if stacked >= above => (stacked, Arrangement::Stacked),
            _ => (above, Arrangement::Above),
        };
        let zoom = whole(zoom);
        // Names take room at every zoom: where there is none, sources side by side need the least.
        let way = [way, Arrangement::SideBySide, Arrangement::Above]
            .into_iter()
            .find(|way| fits(zoom, *way))
            .unwrap_or(way);
        Placing::at(frames, zoom, way, around)
    }

    /// The same at another zoom.
    pub fn zoomed(&self, frames: &[&[Block]], zoom: f32) -> Placing {
        Placing::at(frames, zoom, self.way, self.around)
    }

    fn at(frames: &[&[Block]], zoom: f32, way: Arrangement, around: Around) -> Placing {
        let mut lanes: Vec<Vec2> = Vec::new();
        for blocks in frames {
            let own = way.lanes(blocks);
            // The last lane of every frame is that of its targets.
            while lanes.len() < own.len() {
                lanes.insert(0, Vec2::ZERO);
            }
            let first = lanes.len() - own.len();
            for (lane, known) in own.iter().zip(&mut lanes[first..]) {
                *known = known.max(lane_size(blocks, lane, zoom, way, &around));
            }
        }
        Placing { zoom, way, around, lanes }
    }

    /// The axis from sources to targets: 0 to the right, 1 down.
    pub fn axis(&self) -> usize {
        self.way.axis()
    }

    /// The room that the whole picture takes.
    pub fn size(&self) -> Vec2 {
        let axis = self.way.axis();
        let mut total = Vec2::ZERO;
        for (lane, taken) in self.lanes.iter().enumerate() {
            total[axis] += taken[axis] + if total[axis] > 0.0 { self.gap(lane) } else { 0.0 };
            total[1 - axis] = total[1 - axis].max(taken[1 - axis]);
        }
        total
    }

    /// The distance of a lane from the one before it: arrows need room above the targets.
    fn gap(&self, lane: usize) -> f32 {
        match self.lanes[lane] {
            Vec2::ZERO => 0.0,
            _ if lane + 1 == self.lanes.len() => self.around.between,
            _ => self.around.apart,
        }
    }

    /// Places the blocks of a frame around a centre.
    pub fn place(&self, blocks: &mut [Block], centre: Pos2) {
        let Placing { zoom, way, around, .. } = self;
        let (axis, total) = (way.axis(), self.size());
        let mut corner = centre - total / 2.0;
        let lanes = way.lanes(blocks);
        let missing = self.lanes.len() - lanes.len();
        let lanes = [vec![Vec::new(); missing], lanes].concat();
        for (number, (lane, taken)) in lanes.iter().zip(&self.lanes).enumerate() {
            if number > 0 && corner[axis] > (centre - total / 2.0)[axis] {
                corner[axis] += self.gap(number);
            }
            let own = lane_size(blocks, lane, *zoom, *way, around);
            // Lanes are centred on each other.
            let mut at = corner;
            at[1 - axis] += (total[1 - axis] - own[1 - axis]) / 2.0;
            for index in lane {
                let block = &mut blocks[*index];
                let size = slot(block, *zoom, around);
                block.name_below = axis == 1 && !block.source;
                // A stream alone in its row has the rest of the row for its name.
                let rest = total.x - (at.x - (centre.x - total.x / 2.0));
                block.name_room = if axis == 1 && lane.len() == 1 { size.x.max(rest) } else { size.x };
                block.numbered = around.title > NAME_ALONE;
                block.indices_behind = axis == 0 && number > 0;
                let left = if block.indices_behind { 0.0 } else { indices(block, around) };
                block.name_room -= left;
                let corner = vec2(left, if block.name_below { 0.0 } else { around.title });
                block.rect = Rect::from_min_size(at + corner, block.size(*zoom));
                at[1 - axis] += size[1 - axis] + around.apart;
            }
            corner[axis] += taken[axis];
        }
    }
}

/// The size of a lane.
fn lane_size(blocks: &[Block], lane: &[usize], zoom: f32, way: Arrangement, around: &Around) -> Vec2 {
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
    let name = font::width(&block.name, NAME) as f32;
    vec2(indices(block, around) + size.x.max(around.least).max(name), around.title + size.y)
}

fn indices(block: &Block, around: &Around) -> f32 {
    if block.rows > 1 { around.indices } else { 0.0 }
}
