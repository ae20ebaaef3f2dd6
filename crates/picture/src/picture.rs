//! The picture of a pass: its streams, its reads, and the values that it changed.
//!
//! Row 0 is at the top, so that indices grow in reading order.

use emath::{Pos2, Rect, Vec2};
use rasterscan::trace::{Place, RecordedPass};

use rasterscan_lesson::worked::Role;

use rasterscan_drawing::colour::Scale;
use rasterscan_drawing::shape::Drawing;

use crate::arrows::{self, LEAST_ZOOM, Lanes};
use crate::block::{self, Block, Rows};
use crate::marks;
use crate::placing::Placing;
use crate::style::{ColourRange, Spot, Style};
use crate::subject::{Arrow, Lit, Subject};
use crate::texels::{self, LEAST_FOR_TEXT};
use crate::travel::{Travel, length};
use crate::vertices;

/// The least width of a number, in points, at which it can be read.
pub const SMALL: f32 = 16.0;

/// The visible part of a picture.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Camera {
    /// The width of a number, in points; `None` fits the picture into its room.
    pub zoom: Option<f32>,
    /// The distance of the picture's centre from that of its room, in points.
    pub pan: Vec2,
}

/// The streams at a position in the run, placed in a room.
#[derive(Debug)]
pub struct Picture<'a> {
    subject: &'a Subject,
    position: usize,
    /// The streams, sources first.
    pub blocks: Vec<Block<'a>>,
    placing: Placing,
    centre: Pos2,
}

impl<'a> Picture<'a> {
    /// Places the streams of a position in a room.
    pub fn new(
        subject: &'a Subject,
        position: usize,
        style: &Style,
        camera: Camera,
        room: Rect,
    ) -> Picture<'a> {
        let (mut frames, mut placing, _) = frames(subject, position..=position, style, room.size());
        if let Some(zoom) = camera.zoom {
            placing = placing.zoomed(&slices(&frames), zoom);
        }
        let blocks = frames.pop().unwrap_or_default();
        Picture::placed(subject, position, blocks, placing, room.center() + camera.pan)
    }

    pub(crate) fn placed(
        subject: &'a Subject,
        position: usize,
        mut blocks: Vec<Block<'a>>,
        placing: Placing,
        centre: Pos2,
    ) -> Picture<'a> {
        placing.place(&mut blocks, centre);
        Picture { subject, position, blocks, placing, centre }
    }

    /// The width of a number, in points.
    pub fn zoom(&self) -> f32 {
        self.placing.zoom
    }

    /// Zooms about a point, which stays where it is.
    pub fn zoom_about(&mut self, at: Pos2, zoom: f32) {
        let distance = |index: &usize| self.blocks[*index].rect.distance_sq_to_pos(at);
        let near = (0..self.blocks.len()).min_by(|a, b| distance(a).total_cmp(&distance(b)));
        let Some(near) = near else { return };
        let rect = self.blocks[near].rect;
        let share = (at - rect.min) / rect.size().max(Vec2::splat(0.1));
        self.placing = self.placing.zoomed(&[&self.blocks], zoom);
        self.placing.place(&mut self.blocks, self.centre);
        let moved = self.blocks[near].rect.min + share * self.blocks[near].rect.size();
        self.centre += at - moved;
        self.placing.place(&mut self.blocks, self.centre);
    }

    /// The number of completed passes.
    pub fn position(&self) -> usize {
        self.position
    }

    /// The middle of all blocks.
    pub fn centre(&self) -> Pos2 {
        self.centre
    }

    /// The texel at a point, and the number in it.
    pub fn spot_at(&self, at: Pos2) -> Option<(Spot, u32)> {
        self.blocks.iter().find_map(|block| {
            let number = block.number_at(at)?;
            let place = Place { of: *block.of.first()?, index: number / block.numbers };
            Some((Spot { source: block.source, place }, number))
        })
    }

    /// The block that a texel is in.
    pub fn block_of(&self, spot: Spot) -> Option<&Block<'a>> {
        self.blocks.iter().find(|block| block.source == spot.source && block.holds(spot.place))
    }

    /// The rectangle of a texel.
    pub fn rect_of(&self, spot: Spot) -> Option<Rect> {
        self.block_of(spot).map(|block| block.texel(spot.place.index))
    }

    /// The last completed pass, with its number.
    fn pass(&self) -> Option<(usize, &'a RecordedPass)> {
        let number = self.position.checked_sub(1)?;
        Some((number, self.subject.recording.passes.get(number)?))
    }

    /// The lit arrows of a pass, and the rectangle of what they are about: a texel, or else the pass's worked example.
    fn lit(&self, pass: usize, spot: Option<Spot>) -> (Vec<Lit>, Option<Rect>) {
        match (spot, self.subject.example(pass)) {
            (Some(spot), _) => (self.subject.lit_at(pass, spot), self.rect_of(spot)),
            (None, Some(example)) => {
                let block = self.block_of(Spot { source: false, place: example.place });
                (self.subject.lit(pass, example), block.map(|block| block.item(example.item)))
            }
            (None, None) => (Vec::new(), None),
        }
    }

    /// The part at which numbers that are too small in the room can be read, with what the lit arrows are about in the
    /// middle; the whole if they can be read.
    pub fn legible(mut self, room: Rect, spot: Option<Spot>) -> Camera {
        if self.zoom() >= LEAST_FOR_TEXT {
            return Camera::default();
        }
        self.placing = self.placing.zoomed(&[&self.blocks], LEAST_FOR_TEXT);
        self.placing.place(&mut self.blocks, room.center());
        let (lit, rect) = self.pass().map_or_else(Default::default, |(pass, _)| self.lit(pass, spot));
        let sources = lit.iter().filter_map(|lit| self.rect_of(Spot { source: true, place: lit.arrow.from }));
        let seen = sources.chain(rect).reduce(Rect::union).unwrap_or(room);
        let beyond = ((self.placing.size() - room.size()) / 2.0).max(Vec2::ZERO);
        let pan = (room.center() - seen.center()).clamp(-beyond, beyond);
        Camera { zoom: Some(LEAST_FOR_TEXT), pan }
    }

    /// Draws the part that is visible in `clip`. The arrows of `spot` are lit, or else those of the pass's worked
    /// example, among faint ones for all other reads.
    pub fn draw(&self, style: &Style, clip: Rect, spot: Option<Spot>, drawing: &mut Drawing) {
        let (theme, blocks) = (&style.theme, &self.blocks);
        let seen: Vec<(&Block, Vec<u32>, Scale)> = blocks
            .iter()
            .map(|block| (block, texels::visible(block, clip), self.scale(style, block)))
            .collect();
        for (block, numbers, scale) in &seen {
            texels::squares(drawing, block, numbers, scale, theme);
            texels::frames(drawing, block, numbers, theme);
            marks::crosses(drawing, block, numbers, theme);
        }
        for (block, numbers, scale) in &seen {
            texels::texts(drawing, block, numbers, scale, style.format, theme);
            texels::titles(drawing, block, clip, theme);
        }
        for (block, numbers, scale) in &seen {
            let under = |number| texels::colour(block, number, scale, theme);
            marks::marks(drawing, block, numbers, under, theme);
            texels::seams(drawing, block, theme);
        }
        let Some((number, pass)) = self.pass() else { return };
        if let Some(target) = blocks.iter().find(|block| !block.source && block.of == [0]) {
            marks::drawn(drawing, pass, target, clip, theme);
            let elements = self.subject.recording.request.len();
            vertices::counted(drawing, (pass, elements), (target, blocks), clip, theme);
        }
        let (lit, rect) = self.lit(number, spot);
        let lanes = Lanes { blocks, axis: self.placing.axis() };
        // The probes of a search are enough to look at.
        let probed = lit.iter().any(|lit| matches!(lit.role, Role::Probe(_)));
        if spot.is_none() && style.arrows && !probed {
            arrows::all(drawing, self.subject, number, &lanes, theme);
        }
        if let Some(rect) = rect {
            arrows::outline(drawing, rect, theme);
        }
        if self.zoom() >= LEAST_ZOOM {
            let target = rect.filter(|_| spot.is_none_or(|spot| !spot.source));
            arrows::lit(drawing, &lit, target, &lanes, theme);
        }
    }

    /// Draws the pass at work: what it has read is on its way to what becomes of it. Returns the longest way, or draws nothing
    /// where nothing is known to move or there is no room to see it.
    pub fn draw_moving(
        &self,
        style: &Style,
        clip: Rect,
        travel: &Travel,
        drawing: &mut Drawing,
    ) -> Option<f32> {
        let (theme, blocks) = (&style.theme, &self.blocks);
        let (number, _) = self.pass()?;
        let moves = self.subject.moves(number);
        if moves.is_empty() || self.zoom() < LEAST_FOR_TEXT {
            return None;
        }
        let mut longest: f32 = 0.0;
        for block in blocks {
            let (numbers, scale) = (texels::visible(block, clip), self.scale(style, block));
            let still: Vec<u32> = match block.source {
                true => numbers,
                false => {
                    let empty = theme.paper.towards(theme.faint, 0.12);
                    for number in &numbers {
                        texels::fill(drawing, &texels::corners(block.number(*number).shrink(0.5)), empty);
                    }
                    let left = |number: &u32| block.left_alone(number / block.numbers);
                    numbers.into_iter().filter(left).collect()
                }
            };
            texels::squares(drawing, block, &still, &scale, theme);
            texels::texts(drawing, block, &still, &scale, style.format, theme);
            texels::titles(drawing, block, clip, theme);
        }
        for going in moves.iter() {
            let from = self.block_of(Spot { source: true, place: going.from.0 });
            let to = self.block_of(Spot { source: false, place: going.to.0 });
            let (Some(from), Some(to)) = (from, to) else { continue };
            let scale = self.scale(style, from);
            let first = |block: &Block, item: u64| u32::try_from(item).ok().map(|item| item * block.arity);
            let (Some(start), Some(end)) = (first(from, going.from.1), first(to, going.to.1)) else {
                continue;
            };
            for member in 0..from.arity.min(to.arity) {
                let [a, b] = [from.number(start + member), to.number(end + member)];
                longest = longest.max(length(a, b));
                let (rect, number) = (travel.between(a, b), (from, start + member));
                texels::number_in(drawing, rect.shrink(0.5), number, &scale, style.format, theme);
            }
        }
        Some(longest)
    }

    /// The colours of a block's numbers.
    pub fn scale(&self, style: &Style, block: &Block) -> Scale {
        match style.range {
            _ if block.bits => Scale { palette: style.palette, low: 0.0, high: 32.0, log: false },
            ColourRange::Run => self.subject.scale(block.values.element(), style.palette),
            ColourRange::Stream => {
                // A value keeps its colour on its way to another stream of the same shape. Undefined values set no end.
                let alike = self.blocks.iter().filter(|other| other.shape == block.shape && !other.bits);
                let numbers = alike.flat_map(|block| {
                    let len =
                        block.end.map_or(block.values.len(), |end| block.values.len().min(end as usize));
                    (0..len).filter_map(|index| block.values.to_f64(index))
                });
                Scale::of(style.palette, numbers)
            }
        }
    }
}

/// The reads that a target's texel was made from, or the reads of a source's texel.
pub fn arrows_of(pass: &RecordedPass, spot: Spot) -> Vec<Arrow> {
    match spot.source {
        true => pass.made_from(spot.place).into_iter().map(|to| Arrow { from: spot.place, to }).collect(),
        false => pass.read_for(spot.place).into_iter().map(|from| Arrow { from, to: spot.place }).collect(),
    }
}

/// Returns whether a pass has few enough reads to draw them all as arrows.
pub(crate) fn has_arrows(subject: &Subject, pass: usize, blocks: &[Block]) -> bool {
    arrows::are_few(blocks) && !subject.arrows(pass, arrows::MOST).is_empty()
}

/// The numbers in a row that are tried, beside all in one.
const ROWS: [u32; 7] = [256, 128, 64, 32, 16, 8, 4];
/// Those of buffers beside textures that keep their own rows.
const OF_BUFFERS: [u32; 7] = [32, 24, 16, 12, 9, 6, 4];
/// The least width of numbers, in points, that are read with ease.
const EASY: f32 = 22.0;
/// Longer rows are better than numbers this many times as wide.
const WORTH: f32 = 1.12;
/// Squares without digits in rows of their own are better than others less than this many times as wide.
const MUCH: f32 = 1.4;

/// The blocks at some positions, their placing in a room, and their rows: those that make numbers largest. Textures keep
/// their own, if the style asks for it, or if there is no room for digits.
pub(crate) fn frames<'a>(
    subject: &'a Subject,
    positions: impl Iterator<Item = usize> + Clone,
    style: &Style,
    room: Vec2,
) -> (Vec<Vec<Block<'a>>>, Placing, Rows) {
    let all = |row| {
        let rows = Rows { row, own: !style.fitted };
        let frames: Vec<Vec<Block>> =
            positions.clone().map(|position| block::blocks(subject, position, rows)).collect();
        let placing = Placing::fit(&slices(&frames), room);
        (frames, placing, rows)
    };
    let longest = subject.longest();
    let mut best = if style.fitted { all(Some(longest)) } else { all(None) };
    // Where numbers can be read with ease, longer rows are better than larger numbers.
    let ease = texels::width_for(subject.letters, texels::EASY_FONT).max(EASY);
    let rows = if style.fitted { &ROWS[..] } else { &OF_BUFFERS };
    for row in rows.iter().copied().filter(|row| *row < longest) {
        if best.1.zoom >= ease {
            break;
        }
        let next = all(Some(row));
        if next.1.zoom > WORTH * best.1.zoom {
            best = next;
        }
    }
    // Without digits, a texture is best seen as it is.
    let own = (style.fitted && best.1.zoom < LEAST_FOR_TEXT).then(|| all(None));
    own.filter(|own| own.1.zoom * MUCH > best.1.zoom).unwrap_or(best)
}

fn slices<'b, 'a>(frames: &'b [Vec<Block<'a>>]) -> Vec<&'b [Block<'a>]> {
    frames.iter().map(Vec::as_slice).collect()
}
