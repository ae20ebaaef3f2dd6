//! A stream in the picture: its values before or after the pass, and the rows in which its texels are drawn.

use emath::{Pos2, Rect, Vec2, pos2, vec2};
use rasterscan::plan::{Layout, Storage, Uniform};
use rasterscan::tools::Numbers;
use rasterscan::trace::{Place, RecordedPass, Recording};
use rasterscan::{ElementType, SortSpec};
use rasterscan_lesson::look_back;

use crate::subject::Subject;

/// Binary digits of keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyDigits {
    /// The bits that a sort compares: the lowest, and the one past the highest.
    pub bits: [u32; 2],
    /// The bit of this split.
    pub lit: u32,
}

/// Numbers in a row of a buffer, which has no rows of its own, beside textures that are drawn in theirs.
const BUFFER_ROW: u32 = 32;

/// A stream of a pass.
#[derive(Debug)]
pub struct Block<'a> {
    /// True if the pass reads it, false if the pass writes it.
    pub source: bool,
    /// Its numbers among the pass's sources or targets.
    pub of: Vec<u32>,
    /// Its name in the plan.
    pub name: String,
    /// Its size and format, as text.
    pub shape: String,
    /// Its values: of a source before the pass, of a target after it.
    pub values: &'a Numbers,
    /// True if its words are bits.
    pub bits: bool,
    /// What its numbers say, if they are words of state; else empty.
    pub states: Vec<String>,
    /// The binary digits of its keys that are shown, if the pass belongs to a split of them.
    pub digits: Option<KeyDigits>,
    /// The values that a target replaced: its own, or those of a source that is laid out alike.
    pub before: Option<&'a Numbers>,
    /// The texels of a target that the pass wrote, as flags, if that is known.
    pub written: Option<&'a [bool]>,
    /// The numbers that a compaction keeps, as flags; the others are crossed out.
    pub removed: Option<&'a [bool]>,
    /// True if lines frame what the pass wrote.
    pub lined: bool,
    /// Numbers from here on are undefined.
    pub end: Option<u64>,
    /// Numbers in a texel.
    pub numbers: u32,
    /// Numbers in an item of the stream: pairs have two.
    pub arity: u32,
    /// Texels in a row of the picture.
    pub columns: u32,
    /// Rows of the picture.
    pub rows: u32,
    /// Texels that hold items.
    pub texels: u32,
    /// Texels in a row of its texture; `None` for a buffer, which has no rows of its own.
    pub width: Option<u32>,
    /// True if there is room for the indices of its only row.
    pub numbered: bool,
    /// True if its name is below it, out of the way of arrows.
    pub name_below: bool,
    /// True if the indices of its rows are on its right, for the same reason.
    pub indices_behind: bool,
    /// The room for its name, in points.
    pub name_room: f32,
    /// Its rectangle in the picture, once it is placed.
    pub rect: Rect,
}

impl<'a> Block<'a> {
    fn new(subject: &'a Subject, stream: usize, values: &'a Numbers, source: bool, of: u32) -> Block<'a> {
        let recording = &subject.recording;
        let layout = recording.layout(stream);
        let numbers = (layout.items_per_texel * layout.arity).max(1);
        let texels = u32::try_from(layout.texels()).unwrap_or(u32::MAX);
        let (columns, rows) = grid(layout, numbers, texels);
        let input = recording.inputs.first().is_some_and(|input| input.stream == stream);
        Block {
            source,
            of: vec![of],
            name: recording.name(stream).into(),
            shape: shape(layout),
            values,
            bits: recording.streams[stream].bits,
            states: states(recording, stream, values),
            digits: None,
            before: None,
            written: None,
            lined: false,
            removed: subject.kept.as_deref().filter(|_| input),
            end: end(subject, stream),
            numbers,
            arity: layout.arity.max(1),
            columns,
            rows,
            texels,
            width: (layout.storage == Storage::Texture).then_some(layout.width.max(1)),
            numbered: true,
            name_below: false,
            indices_behind: false,
            name_room: 0.0,
            rect: Rect::NOTHING,
        }
    }

    /// Its size if a number is `zoom` points wide.
    pub fn size(&self, zoom: f32) -> Vec2 {
        vec2((self.columns * self.numbers) as f32, self.rows as f32) * zoom
    }

    /// The width of a number, in points.
    pub fn zoom(&self) -> f32 {
        self.rect.height() / self.rows.max(1) as f32
    }

    /// The value of a number for colours; of bits, the number of ones.
    pub fn shade(&self, number: u32) -> f64 {
        match self.values.words().get(number as usize) {
            Some(word) if self.bits => word.count_ones().into(),
            _ => self.values.to_f64(number as usize).unwrap_or_default(),
        }
    }

    /// The rectangle of an item of the stream.
    pub fn item(&self, item: u64) -> Rect {
        let first = u32::try_from(item).unwrap_or(u32::MAX).saturating_mul(self.arity);
        self.number(first).union(self.number(first.saturating_add(self.arity - 1)))
    }

    /// The rectangle of a texel.
    pub fn texel(&self, index: u32) -> Rect {
        let (column, row) = (index % self.columns, index / self.columns);
        let zoom = self.zoom();
        let size = vec2(self.numbers as f32 * zoom, zoom);
        Rect::from_min_size(self.rect.min + vec2(column as f32 * size.x, row as f32 * size.y), size)
    }

    /// The square of a number.
    pub fn number(&self, index: u32) -> Rect {
        let texel = self.texel(index / self.numbers);
        let zoom = self.zoom();
        let left = texel.left() + (index % self.numbers) as f32 * zoom;
        Rect::from_min_size(pos2(left, texel.top()), vec2(zoom, zoom))
    }

    /// The texels in a row of its texture, if the picture has other rows.
    pub fn rewrapped(&self) -> Option<u32> {
        self.width.filter(|width| *width != self.columns && (*width < self.texels || *width < self.columns))
    }

    /// The first texels of the rows of a texture that do not begin a row of the picture.
    pub fn seams(&self) -> Vec<Rect> {
        let Some(width) = self.rewrapped() else { return Vec::new() };
        let firsts = (width..self.texels).step_by(width as usize);
        firsts.filter(|texel| !texel.is_multiple_of(self.columns)).map(|texel| self.texel(texel)).collect()
    }

    /// The position in the picture of a point of its texture, which is in texels.
    pub fn point(&self, [x, y]: [f32; 2]) -> Pos2 {
        let (x, y) = match self.rewrapped() {
            Some(width) => {
                let index = y.floor() * width as f32 + x;
                let row = (index / self.columns as f32).floor();
                (index - row * self.columns as f32, row + y - y.floor())
            }
            None => (x, y),
        };
        self.rect.min + vec2(x * self.numbers as f32, y) * self.zoom()
    }

    /// The parts of a horizontal line of its texture, one for each row of the picture: from a point to one to the right.
    pub fn line(&self, [left, y]: [f32; 2], right: f32) -> Vec<[Pos2; 2]> {
        let Some(width) = self.rewrapped() else {
            return vec![[self.point([left, y]), self.point([right, y])]];
        };
        let (columns, row) = (self.columns as f32, y.floor() * width as f32);
        let (mut from, end) = (row + left, row + right);
        let mut parts = Vec::new();
        loop {
            let line = (from / columns).floor();
            let to = end.min((line + 1.0) * columns);
            let at = |index: f32| {
                let place = vec2((index - line * columns) * self.numbers as f32, line + y - y.floor());
                self.rect.min + place * self.zoom()
            };
            parts.push([at(from), at(to)]);
            if to >= end || parts.len() as u32 > self.rows {
                return parts;
            }
            from = to;
        }
    }

    /// The number at a point of the picture: one of the stream's, or padding.
    pub fn number_at(&self, at: Pos2) -> Option<u32> {
        if !self.rect.contains(at) || !self.rect.is_positive() {
            return None;
        }
        let across = ((at - self.rect.min) / self.zoom()).floor();
        let (across, row) = (across.x as u32, across.y as u32);
        let texel = row * self.columns + across / self.numbers;
        (texel < self.texels).then_some(texel * self.numbers + across % self.numbers)
    }

    /// Returns whether a texel of the pass is in this block.
    pub fn holds(&self, place: Place) -> bool {
        self.of.contains(&place.of) && place.index < self.columns.saturating_mul(self.rows)
    }

    /// Returns whether the pass left a texel alone.
    pub fn left_alone(&self, texel: u32) -> bool {
        self.written.is_some_and(|written| written.get(texel as usize) == Some(&false))
    }

    /// Returns whether a number is undefined: it is past the last kept element.
    pub fn undefined(&self, number: u32) -> bool {
        self.end.is_some_and(|end| u64::from(number) >= end)
    }

    /// The numbers that the pass changed, as flags; `None` if it changed all of them, or none, or drew lines.
    pub fn outlined(&self) -> Option<Vec<bool>> {
        if self.lined {
            return None;
        }
        let changed: Vec<bool> = (0..self.values.len() as u32).map(|number| self.changed(number)).collect();
        (changed.contains(&true) && changed.contains(&false)).then_some(changed)
    }

    /// Returns whether the pass changed a number, or wrote it if there was no value before.
    pub fn changed(&self, number: u32) -> bool {
        if self.source || self.left_alone(number / self.numbers) {
            return false;
        }
        let words = self.values.element().words() as usize;
        let at = number as usize * words..(number as usize + 1) * words;
        match self.before {
            Some(before) => before.words().get(at.clone()) != self.values.words().get(at),
            None => true,
        }
    }
}

/// Rows of the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rows {
    /// The numbers in a row; `None` for the usual rows of each stream.
    pub row: Option<u32>,
    /// True if textures are drawn in their own rows nevertheless.
    pub own: bool,
}

/// The columns and rows of the picture: a texture's own, as far as they hold items; a buffer's are chosen here.
fn grid(layout: &Layout, numbers: u32, texels: u32) -> (u32, u32) {
    let columns = match layout.storage {
        Storage::Texture if texels >= layout.width => layout.width,
        Storage::Buffer => BUFFER_ROW / numbers.next_power_of_two(),
        _ => texels,
    };
    let columns = columns.clamp(1, texels.max(1));
    (columns, texels.div_ceil(columns).max(1))
}

fn shape(layout: &Layout) -> String {
    match layout.storage {
        Storage::Texture => format!("{} × {} {}", layout.width, layout.height, layout.format()),
        Storage::Buffer if layout.arity > 1 => {
            format!("{} × {} {} in a buffer", layout.len, layout.arity, layout.element)
        }
        Storage::Buffer => format!("{} {} in a buffer", layout.len, layout.element),
    }
}

/// The most words of state that are spelled out.
const MOST_STATES: usize = 1024;

fn states(recording: &Recording, stream: usize, values: &Numbers) -> Vec<String> {
    let all = 0..values.len().min(MOST_STATES) as u64;
    all.map_while(|index| look_back::decoded(recording, stream, values, index)).collect()
}

/// The number of values of a compaction's result that are defined.
fn end(subject: &Subject, stream: usize) -> Option<u64> {
    let recording = &subject.recording;
    let (count, results) = recording.outputs.split_last()?;
    (subject.kept.is_some() && stream != *count && results.contains(&stream)).then(|| subject.count())?
}

/// The streams that a pass read, and those that it wrote; before the first pass, the inputs.
pub fn blocks(subject: &Subject, position: usize, rows: Rows) -> Vec<Block<'_>> {
    let mut blocks = as_they_lie(subject, position);
    if let Some(row) = rows.row {
        for block in blocks.iter_mut().filter(|block| !rows.own || block.width.is_none()) {
            block.columns = (row / block.numbers).clamp(1, block.texels.max(1));
            block.rows = block.texels.div_ceil(block.columns).max(1);
            if block.rewrapped().is_some() && block.rows > 1 {
                block.shape += &format!(", in rows of {}", block.columns);
            }
        }
    }
    blocks
}

/// The most binary digits of a key that are shown.
const MOST_DIGITS: u32 = 8;

fn is_shader(pass: &RecordedPass, path: &str) -> bool {
    pass.main_shader().is_some_and(|shader| shader.path == path)
}

/// The keys that a pass helps to split, by their stream, and the digits to show of them.
fn split(recording: &Recording, number: usize) -> Option<(usize, KeyDigits)> {
    let bits = recording.request.get::<SortSpec>()?.bits;
    let flags = recording.passes[..=number].iter().rfind(|pass| is_shader(pass, "sort/split/flags.frag"))?;
    let keys = flags.sources.iter().find(|source| source.name == "u_keys")?.stream;
    let (_, bit) = flags.uniforms.iter().find(|(name, _)| name == "u_bit")?;
    let Uniform::Int(bit) = bit else { return None };
    let plain = recording.layout(keys).element == ElementType::U32 && bits[1] - bits[0] <= MOST_DIGITS;
    plain.then_some((keys, KeyDigits { bits, lit: u32::try_from(*bit).ok()? }))
}

fn as_they_lie(subject: &Subject, position: usize) -> Vec<Block<'_>> {
    let recording = &*subject.recording;
    let Some(number) = position.min(recording.passes.len()).checked_sub(1) else {
        let inputs = (0..).zip(&recording.inputs);
        return inputs
            .map(|(of, input)| Block::new(subject, input.stream, &input.values, true, of))
            .collect();
    };
    let pass = &recording.passes[number];
    let mut blocks: Vec<Block> = Vec::new();
    let split = split(recording, number);
    // The keys that are split are in sight also of the passes that do not read them.
    let keys = split.map(|(keys, _)| keys).filter(|keys| !pass.streams_read().contains(keys));
    for stream in keys.into_iter().chain(pass.streams_read()) {
        let Some(values) = recording.before(number, stream) else { continue };
        let of = (0..).zip(&pass.sources).filter(|(_, source)| source.stream == stream);
        let of: Vec<u32> = of.map(|(of, _)| of).collect();
        let digits = split.filter(|(keys, _)| *keys == stream).map(|(_, digits)| digits);
        blocks.push(Block { of, digits, ..Block::new(subject, stream, values, true, 0) });
    }
    blocks.extend((0..).zip(&pass.targets).map(|(of, target)| Block {
        before: recording.stood_before(number, target.stream),
        written: pass.written.get(of as usize).and_then(|written| written.as_deref()),
        digits:
            split.filter(|_| of == 0 && is_shader(pass, "sort/split/gather.frag")).map(|(_, digits)| digits),
        lined: pass.drawn.iter().any(|primitive| primitive.len() == 2),
        ..Block::new(subject, target.stream, &target.values, false, of)
    }));
    blocks
}
