//! Shared memory of one work group as a picture: a stage from the content before to the content after, the turns in
//! which the banks serve its accesses, and all stages as the levels of a tree.
//!
//! Columns are addresses, so that a padded address is an empty column. Arrows run only through the gaps between rows.

use emath::{Pos2, Rect, pos2, vec2};
use rasterscan::tools::printable::counted;
use rasterscan::trace::{Place, RecordedPass, Recording};
use rasterscan_lesson::Item;
use rasterscan_lesson::shared::{self, GroupMemory, MemoryStage, Operand, Operation, Stage, Tree, Word};

use rasterscan_drawing::colour::{Colour, text_on};
use rasterscan_drawing::font;
use rasterscan_drawing::shape::{Drawing, Stroke, Write};
use rasterscan_drawing::theme::{ACCENT, Theme};
use rasterscan_lesson::phrases::say;

use crate::texels::{at, corners, fill, frame, line};
use crate::travel::{Travel, length};

/// The most columns that are drawn, of blocks of up to 32 items: narrower ones have no room for digits.
pub const MOST_COLUMNS: usize = 48;

/// The size of the sentences, and of labels beside rows.
const TEXT: f64 = 14.0;
const LABEL: f64 = 11.5;
const NARROW_LABEL: f64 = 10.5;
/// The distance from one line of a sentence to the next.
const LINE: f32 = 18.0;
/// The room beside the columns for the names of rows, and for their turns. Where columns would be too narrow for two digits, all
/// of it is behind them.
const BESIDE: [f32; 2] = [52.0, 56.0];
const NARROW: [f32; 2] = [2.0, 48.0];
/// The part of it for names.
const NARROW_NAMES: f32 = 35.0;
/// The least width of a column with two digits in the usual room.
const TWO_DIGITS: f32 = 13.0;
/// The heights of addresses, banks and accesses.
const ADDRESS: f32 = 13.0;
const BANK: f32 = 13.0;
const ACCESS: f32 = 15.0;
/// The least and the greatest width of a column.
const WIDTHS: (f32, f32) = (5.0, 52.0);
/// The least and the greatest height of a cell of a stage.
const HEIGHTS: (f32, f32) = (18.0, 34.0);
/// The room for arrows between the rows of a stage.
const GAPS: (f32, f32) = (44.0, 110.0);
/// The least and the greatest height of a cell and of a gap of the tree.
const LEVEL_CELLS: (f32, f32) = (12.0, 22.0);
const LEVEL_GAPS: (f32, f32) = (9.0, 26.0);

/// The colours of banks; the number in them tells more banks apart.
const BANKS: [Colour; 8] = [
    Colour(0x77, 0xAA, 0xDD),
    Colour(0xEE, 0x88, 0x66),
    Colour(0xEE, 0xDD, 0x88),
    Colour(0xFF, 0xAA, 0xBB),
    Colour(0x99, 0xDD, 0xFF),
    Colour(0x44, 0xBB, 0x99),
    Colour(0xBB, 0xCC, 0x33),
    Colour(0xDD, 0xDD, 0xDD),
];

/// An operation of a group, by its stage and its number there.
pub type Chosen = (usize, usize);

/// Shared memory of a work group, placed in a room.
#[derive(Debug)]
pub struct MemoryPicture<'a> {
    memory: &'a GroupMemory,
    /// The stage shown; `None` for the whole pass.
    stage: Option<usize>,
    /// The operation that is lit: by default the one that the sentence is about.
    chosen: Option<Chosen>,
    theme: Theme,
    room: Rect,
    columns: Columns,
    /// The left edge of the first column, and the width of one.
    left: f32,
    width: f32,
    /// The room for the names of rows and for their turns.
    beside: [f32; 2],
    sentence: Vec<String>,
    /// The rows of a stage; `None` for the whole pass.
    rows: Option<Rows>,
    /// The tree, if there is room for it: the top of its first row, the height of a cell and that of a gap.
    levels: Option<(f32, f32, f32)>,
    /// The stage at work, if it is seen.
    travel: Option<Travel>,
}

/// The heights of a stage's parts.
#[derive(Debug, Clone, Copy)]
struct Rows {
    before: f32,
    after: f32,
    cell: f32,
    accesses: f32,
}

/// The columns: addresses, then one for what lies elsewhere.
#[derive(Debug)]
struct Columns {
    addresses: usize,
    /// The addresses of the block's items.
    leaves: Vec<usize>,
    /// The block in its source, and in its target: the number of the stream, and the indices of its items.
    streams: [(Option<u32>, Vec<u32>); 2],
    /// True if there is a column for what an invocation keeps in a register.
    kept: bool,
    /// True if there is one for a single item of a stream, such as the sum of the block.
    single: bool,
    used: Vec<bool>,
}

/// A row of cells: the content before or after a stage, or items of streams in its place.
#[derive(Debug, Clone, Copy)]
struct Line {
    stage: usize,
    after: bool,
    /// True for the items that the stage reads from streams, or writes to streams.
    stream: bool,
}

impl Columns {
    fn of(memory: &GroupMemory) -> Columns {
        let block = memory.block as usize;
        let addresses = if memory.two_buffers { block } else { memory.cells as usize };
        let column = |address: u32| cell(memory, address);
        let operations = |stage: Stage| {
            let of = memory.stages.iter().find(move |of| of.stage == stage);
            of.map_or(&[][..], |of| of.operations.as_slice())
        };
        let loaded = operations(Stage::Load).iter().filter_map(|operation| address(operation.target));
        let mut leaves: Vec<usize> = loaded.map(column).collect();
        leaves.sort_unstable();
        let given = operations(Stage::Load).iter().flat_map(|of| &of.operands).map(|operand| operand.word);
        let written = operations(Stage::Store).iter().map(|operation| operation.target);
        let streams = [stream(given), stream(written)];
        let all = memory.stages.iter().flat_map(|stage| &stage.operations);
        let mut used = vec![false; addresses];
        for (address, own) in memory.used().into_iter().enumerate() {
            used[column(address as u32)] |= own;
        }
        let mut columns = Columns { addresses, leaves, streams, kept: false, single: false, used };
        let stages = memory.stages.iter().enumerate();
        let read = stages.flat_map(|(number, stage)| {
            stage.operations.iter().flat_map(|of| &of.operands).map(move |own| (number, own))
        });
        columns.kept = read.clone().any(|(stage, own)| is_kept(stage, own));
        let single = columns.addresses + usize::from(columns.kept);
        columns.single = read.clone().any(|(stage, own)| columns.from(memory, stage, own) == single)
            || all.clone().any(|of| columns.to(memory, of.target) == single);
        columns
    }

    fn count(&self) -> usize {
        self.addresses + usize::from(self.kept) + usize::from(self.single)
    }

    /// The column of an operand; the last one for registers and single items.
    fn from(&self, memory: &GroupMemory, stage: usize, operand: &Operand) -> usize {
        match operand.word {
            Word::Cell(_) if is_kept(stage, operand) => self.addresses,
            Word::Cell(address) => cell(memory, address),
            Word::Item(place) => self.item(&self.streams[0], place),
        }
    }

    fn to(&self, memory: &GroupMemory, target: Word) -> usize {
        match target {
            Word::Cell(address) => cell(memory, address),
            Word::Item(place) => self.item(&self.streams[1], place),
        }
    }

    fn item(&self, (of, indices): &(Option<u32>, Vec<u32>), place: Place) -> usize {
        let known = || {
            let number = indices.binary_search(&place.index).ok().filter(|_| *of == Some(place.of))?;
            self.leaves.get(number).copied()
        };
        known().unwrap_or(self.addresses + usize::from(self.kept))
    }
}

/// The column of an address: two buffers lie upon each other.
fn cell(memory: &GroupMemory, address: u32) -> usize {
    if memory.two_buffers { (address % memory.block) as usize } else { address as usize }
}

/// The address of a word of shared memory.
fn address(word: Word) -> Option<u32> {
    if let Word::Cell(address) = word { Some(address) } else { None }
}

/// Returns whether an invocation had kept an operand since an earlier stage.
fn is_kept(stage: usize, operand: &Operand) -> bool {
    matches!(operand.word, Word::Cell(_)) && operand.stage < stage
}

/// The stream that most places are in, and their indices in ascending order.
fn stream(words: impl Iterator<Item = Word> + Clone) -> (Option<u32>, Vec<u32>) {
    let places = words.filter_map(|word| match word {
        Word::Item(place) => Some(place),
        Word::Cell(_) => None,
    });
    let count = |of: u32| places.clone().filter(|place| place.of == of).count();
    let of = places.clone().map(|place| place.of).max_by_key(|of| count(*of));
    let mut indices: Vec<u32> =
        places.clone().filter(|place| Some(place.of) == of).map(|place| place.index).collect();
    indices.sort_unstable();
    indices.dedup();
    (of, indices)
}

/// The number of stages of a pass whose shared memory can be drawn; 0 for any other.
pub fn stages(recording: &Recording, pass: usize) -> usize {
    // Large blocks are not even looked at.
    let large = |pass: &RecordedPass| {
        pass.defines.iter().any(|(name, value)| name == "BLOCK" && *value > MOST_COLUMNS as i64)
    };
    if recording.passes.get(pass).is_none_or(large) {
        return 0;
    }
    shared::of(recording, pass, 0).filter(fits).map_or(0, |memory| memory.stages.len())
}

/// Returns whether a group's memory is small enough to be drawn.
pub fn fits(memory: &GroupMemory) -> bool {
    Columns::of(memory).count() <= MOST_COLUMNS
}

impl<'a> MemoryPicture<'a> {
    /// Places a stage in a room, or the whole pass.
    pub fn new(
        memory: &'a GroupMemory,
        stage: Option<usize>,
        chosen: Option<Chosen>,
        theme: Theme,
        room: Rect,
    ) -> MemoryPicture<'a> {
        let stage = stage.map(|stage| stage.min(memory.stages.len().saturating_sub(1)));
        let columns = Columns::of(memory);
        let wide_in =
            |[names, turns]: [f32; 2]| (room.width() - names - turns) / columns.count().max(1) as f32;
        let beside = if wide_in(BESIDE) < TWO_DIGITS { NARROW } else { BESIDE };
        let wide = wide_in(beside);
        let width = wide.clamp(WIDTHS.0, WIDTHS.1);
        let left = room.left() + beside[0] + ((wide - width) * columns.count() as f32 / 2.0).max(0.0);
        let usual = || match stage {
            Some(stage) => memory.worked(stage).map(|number| (stage, number)),
            None => result(memory),
        };
        let chosen = chosen.filter(|(of, number)| {
            let shown = stage.is_none() || stage == Some(*of);
            shown && memory.stages.get(*of).is_some_and(|of| *number < of.operations.len())
        });
        let mut picture = MemoryPicture {
            memory,
            stage,
            chosen: chosen.or_else(usual),
            theme,
            room,
            columns,
            left,
            width,
            beside,
            sentence: Vec::new(),
            rows: None,
            levels: None,
            travel: None,
        };
        picture.sentence = picture.sentences();
        picture.place();
        picture
    }

    /// The same with its stage at work: what it has read is on its way to what becomes of it.
    pub fn at_work(self, travel: Option<Travel>) -> MemoryPicture<'a> {
        MemoryPicture { travel, ..self }
    }

    /// The longest way of a stage's operands, 0 if words only appear; `None` of the whole pass.
    pub fn reach(&self) -> Option<f32> {
        self.stage.map(|_| self.ways().map(|(from, to, _)| length(from, to)).fold(0.0, f32::max))
    }

    /// The ways of a stage's operands: from the cell of each to that of its operation's target.
    fn ways(&self) -> impl Iterator<Item = (Rect, Rect, &Operand)> {
        let shown = self.rows.zip(self.stage);
        shown.into_iter().flat_map(move |(rows, stage)| {
            self.memory.stages[stage].operations.iter().flat_map(move |of| {
                let to = self.rect(self.columns.to(self.memory, of.target), rows.after, rows.cell);
                of.operands.iter().map(move |own| {
                    let from = self.columns.from(self.memory, stage, own);
                    (self.rect(from, rows.before, rows.cell), to, own)
                })
            })
        })
    }

    /// The sentence: one operation, who else works, and conflicts.
    pub fn told(&self) -> String {
        if let Some(stage) = self.stage {
            return self.memory.describe(stage, self.chosen.map(|(_, number)| number));
        }
        let Some((stage, number)) = self.chosen else { return String::new() };
        let operation = &self.memory.stages[stage].operations[number];
        let tree = self.tree();
        let name = self.memory.name(operation.target, true);
        let named = |place: &Place| self.memory.name(Word::Item(*place), false);
        let from = match (tree.items.first(), tree.items.last()) {
            (Some(first), Some(last)) if first != last => format!("{} to {}", named(first), named(last)),
            (Some(first), _) => named(first),
            (None, _) => "the identity alone".into(),
        };
        let combines =
            |(stage, number): &&Chosen| self.memory.stages[*stage].operations[*number].operands.len() > 1;
        let applied = tree.operations.iter().filter(combines).count();
        format!(
            "{name} = {} comes from {from}: the operator is applied {applied} times on the lit paths.",
            operation.value
        )
    }

    /// The turns so far, or of the whole pass.
    pub fn turns(&self) -> String {
        let (turns, least) = self.memory.turns_until(self.stage.unwrap_or(usize::MAX));
        match self.stage {
            Some(_) => format!("So far {}; without conflicts, {least}.", counted(turns, "turn")),
            None => format!(
                "{} in {} stages; without conflicts, {least}.",
                counted(turns, "turn"),
                self.memory.stages.len()
            ),
        }
    }

    /// The sentences above the picture, in lines: those that leave the stage its room.
    fn sentences(&self) -> Vec<String> {
        let size = TEXT * self.theme.letters;
        let wrapped = |text: &str| font::wrap(text, size, self.room.width().into());
        let turns = wrapped(&say(self.turns()));
        let told = say(self.told());
        let accesses = self.stage.map_or(0.0, |stage| self.memory.stages[stage].accesses.len() as f32);
        let stage = 2.0 * (ADDRESS + BANK + HEIGHTS.0) + 28.0 + accesses * ACCESS + LINE;
        let lines = ((self.room.height() - stage) / LINE).max(1.0) as usize;
        let ends = told.match_indices(". ").map(|(at, _)| at + 1).chain([told.len()]);
        let fits = |end: &usize| wrapped(&told[..*end]).len() + turns.len() <= lines;
        let most = ends.filter(fits).last().unwrap_or(0);
        let told = if most > 0 { wrapped(&told[..most]) } else { Vec::new() };
        let price = wrapped(&say(&self.memory.price));
        let price = if told.len() + turns.len() + price.len() <= lines { price } else { Vec::new() };
        told.into_iter().chain(turns).chain(price).collect()
    }

    /// Everything that the lit operation was computed by.
    fn tree(&self) -> Tree {
        self.chosen.map_or_else(Tree::default, |(stage, number)| self.memory.tree_of(stage, number))
    }

    /// Chooses heights, from the top of the room.
    fn place(&mut self) {
        let mut top = self.room.top() + self.sentence.len() as f32 * LINE + 4.0;
        let levels = self.memory.stages.len() as f32;
        let least = levels * LEVEL_CELLS.0 + (levels - 1.0) * LEVEL_GAPS.0 + ADDRESS + BANK;
        if let Some(stage) = self.stage {
            let accesses = self.memory.stages[stage].accesses.len() as f32 * ACCESS;
            let cell = (self.width * 0.8).clamp(HEIGHTS.0, HEIGHTS.1);
            let fixed = ADDRESS + 2.0 * (cell + BANK) + ADDRESS + accesses + LINE;
            let free = self.room.bottom() - top - fixed;
            let with_tree = free - least - 20.0 >= GAPS.0;
            let most = if with_tree { (free - least - 20.0).min(GAPS.1 * 0.7) } else { free };
            let gap = most.clamp(GAPS.0.min(free.max(16.0)), GAPS.1);
            let before = top + ADDRESS;
            let after = before + cell + BANK + gap;
            let accesses_top = after + cell + BANK + ADDRESS;
            self.rows = Some(Rows { before, after, cell, accesses: accesses_top });
            if !with_tree {
                return;
            }
            top = accesses_top + accesses + LINE + 8.0;
        }
        let free = self.room.bottom() - top - ADDRESS - BANK;
        let ratio = LEVEL_GAPS.0 / LEVEL_CELLS.0;
        let cell = free / (levels + (levels - 1.0) * ratio);
        let cell = cell.clamp(8.0, LEVEL_CELLS.1);
        let gap = ((free - levels * cell) / (levels - 1.0).max(1.0)).clamp(6.0, LEVEL_GAPS.1);
        self.levels = Some((top + ADDRESS, cell, gap));
    }

    /// The cell of a column in a row.
    fn rect(&self, column: usize, top: f32, height: f32) -> Rect {
        let left = self.left + column as f32 * self.width;
        Rect::from_min_size(pos2(left, top), vec2(self.width, height))
    }

    fn middle(&self, column: usize) -> f32 {
        self.left + (column as f32 + 0.5) * self.width
    }

    /// The row before a stage or after it. What is loaded comes from streams, and what is stored goes to them.
    fn line(&self, stage: usize, after: bool) -> Line {
        let with_streams = if after { Stage::Store } else { Stage::Load };
        Line { stage, after, stream: self.memory.stages[stage].stage == with_streams }
    }

    /// The operation at a point: what wrote a cell, or what first reads it.
    pub fn operation_at(&self, point: Pos2) -> Option<Chosen> {
        let column = ((point.x - self.left) / self.width).floor();
        if column < 0.0 || column as usize >= self.columns.count() {
            return None;
        }
        let column = column as usize;
        let writes = |stage: usize| {
            let operations = &self.memory.stages[stage].operations;
            let number =
                operations.iter().rposition(|of| self.columns.to(self.memory, of.target) == column)?;
            Some((stage, number))
        };
        if let (Some(rows), Some(stage)) = (self.rows, self.stage) {
            let inside = |top: f32| (top..top + rows.cell + BANK).contains(&point.y);
            if inside(rows.after) {
                return writes(stage);
            }
            if inside(rows.before) {
                let operations = &self.memory.stages[stage].operations;
                let reads = |of: &Operation| {
                    of.operands.iter().any(|own| self.columns.from(self.memory, stage, own) == column)
                };
                return operations.iter().position(reads).map(|number| (stage, number));
            }
        }
        let (top, cell, gap) = self.levels?;
        let level = ((point.y - top) / (cell + gap)).floor();
        let stage = level as usize;
        let inside = level >= 0.0 && point.y - top - level * (cell + gap) < cell;
        if !inside || stage >= self.memory.stages.len() {
            return None;
        }
        // An item that a stage leaves alone was written earlier.
        (0..=stage).rev().find_map(writes)
    }

    /// Draws everything.
    pub fn draw(&self, drawing: &mut Drawing) {
        let write = Write { size: TEXT, ..Write::left(self.theme.ink) };
        for (number, text) in self.sentence.iter().enumerate() {
            let base = self.room.top() + (number as f32 + 0.75) * LINE;
            drawing.text((self.room.left().into(), base.into()), text, &write);
        }
        if let (Some(rows), Some(stage)) = (self.rows, self.stage) {
            self.draw_stage(drawing, stage, rows);
        }
        if let Some(levels) = self.levels {
            self.draw_tree(drawing, levels);
        }
    }

    fn draw_stage(&self, drawing: &mut Drawing, stage: usize, rows: Rows) {
        let of = &self.memory.stages[stage];
        let [before, after] = [false, true].map(|after| self.line(stage, after));
        self.addresses(drawing, before, rows.before - 3.0);
        for (line, top) in [(before, rows.before), (after, rows.after)] {
            self.name(drawing, top + rows.cell / 2.0, self.called(line), self.theme.ink);
            self.cells(drawing, line, top, rows.cell, true);
            self.banks(drawing, line, top + rows.cell);
        }
        self.addresses(drawing, after, rows.after + rows.cell + BANK + ADDRESS - 3.0);
        let gap = (rows.before + rows.cell + BANK + 2.0, rows.after - 2.0);
        let lit = self.chosen.filter(|(own, _)| *own == stage).map(|(_, number)| number);
        let faded = self.theme.ink.towards(self.theme.paper, 0.55);
        self.arrows(drawing, stage, gap, &|number| Some(number) != lit, (1.0, faded));
        self.arrows(drawing, stage, gap, &|number| Some(number) == lit, (2.0, ACCENT));
        self.accesses(drawing, of, rows.accesses);
        let Some(travel) = self.travel else { return };
        for (from, to, operand) in self.ways() {
            let rect = travel.between(from, to);
            fill(drawing, &corners(rect.shrink(1.0)), self.fresh());
            self.digits(drawing, rect, &operand.value.to_string(), self.theme.ink);
        }
        // Words without operands appear in their places.
        let appears = |colour: Colour| colour.towards(self.theme.paper, 1.0 - travel.share(0.0));
        for made in of.operations.iter().filter(|of| of.operands.is_empty()) {
            let rect = self.rect(self.columns.to(self.memory, made.target), rows.after, rows.cell);
            fill(drawing, &corners(rect.shrink(1.0)), appears(self.fresh()));
            self.digits(drawing, rect, &made.value.to_string(), appears(self.theme.ink));
        }
    }

    fn called(&self, line: Line) -> String {
        if line.stream {
            let (of, _) = &self.columns.streams[usize::from(line.after)];
            return of.map_or("", |of| self.memory.stream(of, line.after)).into();
        }
        let when = if line.after { "after" } else { "before" };
        let buffer = match self.memory.two_buffers {
            true if self.half(line) > 0 => "b",
            true => "a",
            false if self.beside == NARROW => return say(when),
            false => "s",
        };
        say(format!("{buffer}, {when}"))
    }

    /// The items of a row, by column.
    fn items(&self, line: Line) -> Vec<Option<Item>> {
        let mut items = vec![None; self.columns.count()];
        let of = &self.memory.stages[line.stage];
        if !line.stream {
            let content = if line.after { &of.after } else { &of.before };
            let (half, len) = match self.memory.two_buffers {
                true => (self.half(line), self.memory.block as usize),
                false => (0, usize::MAX),
            };
            content.iter().skip(half).take(len).zip(&mut items).for_each(|(item, cell)| *cell = *item);
        }
        for (column, _, item) in self.words(line, &of.operations) {
            if !line.after || line.stream || column >= self.columns.addresses {
                items[column] = Some(item);
            }
        }
        items
    }

    /// The words that operations of a row's stage read, or write: the column, the word and its item.
    fn words<'o>(
        &'o self,
        line: Line,
        operations: &'o [Operation],
    ) -> impl Iterator<Item = (usize, Word, Item)> + 'o {
        let (reading, writing) = if line.after { (&[][..], operations) } else { (operations, &[][..]) };
        let from =
            move |own: &Operand| (self.columns.from(self.memory, line.stage, own), own.word, own.value);
        let to = |of: &Operation| (self.columns.to(self.memory, of.target), of.target, of.value);
        reading.iter().flat_map(|of| &of.operands).map(from).chain(writing.iter().map(to))
    }

    /// The first address of the buffer that a stage reads or writes, of two.
    fn half(&self, line: Line) -> usize {
        let mut words = self.words(line, &self.memory.stages[line.stage].operations);
        let cell = words.find_map(|(_, word, _)| address(word));
        let block = self.memory.block;
        (cell.unwrap_or(0) / block.max(1) * block) as usize
    }

    /// The columns that the lit operation reads in a row, or writes.
    fn lit(&self, line: Line) -> Vec<usize> {
        let own = self.chosen.filter(|(own, _)| self.stage.is_some() && *own == line.stage);
        let Some((own, number)) = own else { return Vec::new() };
        let operation = &self.memory.stages[own].operations[number];
        self.words(line, std::slice::from_ref(operation)).map(|(column, ..)| column).collect()
    }

    fn cells(&self, drawing: &mut Drawing, line: Line, top: f32, height: f32, framed: bool) {
        let (items, lit) = (self.items(line), self.lit(line));
        let mut changed = vec![false; items.len()];
        for (column, ..) in self.words(line, &self.memory.stages[line.stage].operations) {
            changed[column] = line.after;
        }
        let Theme { paper, ink, faint, .. } = self.theme;
        let ground = ink.towards(paper, 0.9);
        let arriving = self.travel.is_some() && self.stage == Some(line.stage);
        for (column, item) in items.iter().enumerate() {
            let rect = self.rect(column, top, height);
            let square = rect.shrink(if self.width > 12.0 { 1.0 } else { 0.5 });
            let padding = self.columns.used.get(column) == Some(&false);
            if padding && !line.stream {
                // Left free, so that what follows is in another bank.
                let edge = ink.towards(paper, 0.7);
                drawing
                    .line(vec![at(square.left_bottom()), at(square.right_top())], Stroke::whole(edge, 1.0));
                if framed {
                    frame(drawing, square, 1.0, edge);
                }
                continue;
            }
            let Some(item) = item.filter(|_| !(arriving && changed[column])) else {
                if column < self.columns.addresses && !line.stream && framed {
                    frame(drawing, square, 1.0, ink.towards(paper, 0.7));
                }
                continue;
            };
            fill(drawing, &corners(square), if changed[column] { self.fresh() } else { ground });
            if lit.contains(&column) {
                frame(drawing, square.expand(0.5), 2.0, ACCENT);
            }
            let fresh = changed[column] || line.stream || !line.after;
            let colour = if fresh { ink } else { faint };
            self.digits(drawing, rect, &item.to_string(), colour);
        }
    }

    /// The ground of what a stage changes.
    fn fresh(&self) -> Colour {
        ACCENT.towards(self.theme.paper, if self.theme.is_light() { 0.75 } else { 0.6 })
    }

    /// Writes an item into its cell, as large as it can be; too long an item is left out.
    fn digits(&self, drawing: &mut Drawing, rect: Rect, text: &str, colour: Colour) {
        let wide = font::width(text, 1.0) * self.theme.letters.max(0.9);
        let edges = f64::from(rect.width() * 0.1).clamp(0.5, 3.0);
        let size = (f64::from(rect.width()) - edges) / wide.max(0.1);
        let size = size.min(f64::from(rect.height()) * 0.62).min(16.0);
        if size >= 6.0 {
            let write = Write { size, ..Write::centre(colour) };
            let base = f64::from(rect.center().y) + size * 0.36;
            drawing.text((rect.center().x.into(), base), text, &write);
        }
    }

    /// The right edge of the columns.
    fn right(&self) -> f64 {
        f64::from(self.left + self.columns.count() as f32 * self.width)
    }

    /// Writes the name of a row beside its columns.
    fn name(&self, drawing: &mut Drawing, middle: f32, name: impl AsRef<str>, colour: Colour) {
        let narrow = self.beside == NARROW;
        let room = if narrow { NARROW_NAMES } else { self.beside[0] - 4.0 };
        let size = self.label();
        let text = font::shortened(name.as_ref(), size * self.theme.letters, room.into());
        let (left, write) = match narrow {
            true => (self.right() + 3.0, Write::left(colour)),
            false => (f64::from(self.left) - 6.0, Write::right(colour)),
        };
        drawing.text((left, f64::from(middle) + size * 0.36), &text, &Write { size, ..write });
    }

    /// The size of labels beside rows.
    fn label(&self) -> f64 {
        if self.beside == NARROW { NARROW_LABEL } else { LABEL }
    }

    /// Writes the turns of a row behind its columns, in the accent if there are more than the least.
    fn after(&self, drawing: &mut Drawing, middle: f32, [turns, least]: [u64; 2], colour: Colour) {
        let warning = self.theme.accent_ink();
        let size = self.label();
        let write = Write { size, ..Write::left(if turns > least { warning } else { colour }) };
        let right = self.right() + if self.beside == NARROW { f64::from(NARROW_NAMES) + 3.0 } else { 6.0 };
        let text = if self.beside == NARROW { turns.to_string() } else { say(counted(turns, "turn")) };
        drawing.text((right, f64::from(middle) + size * 0.36), &text, &write);
    }

    /// Writes the addresses of a row, or the indices of its items.
    fn addresses(&self, drawing: &mut Drawing, line: Line, base: f32) {
        let every = if self.width < 14.0 { 4 } else { 1 };
        let size = f64::from(self.width * 0.42 * every as f32).clamp(6.0, 10.0);
        let write = Write { size, ..Write::centre(self.theme.faint) };
        let mut put = |column: usize, text: &str| {
            drawing.text((self.middle(column).into(), base.into()), text, &write);
        };
        if line.stream {
            let (_, indices) = &self.columns.streams[usize::from(line.after)];
            let leaves = self.columns.leaves.iter().zip(indices).step_by(every);
            leaves.for_each(|(column, index)| put(*column, &index.to_string()));
        } else {
            (0..self.columns.addresses).step_by(every).for_each(|column| put(column, &column.to_string()));
        }
        // What lies elsewhere has its name.
        for extra in self.columns.addresses..self.columns.count() {
            let mut words = self.words(line, &self.memory.stages[line.stage].operations);
            if let Some((_, word, _)) = words.find(|(column, ..)| *column == extra) {
                let name = match word {
                    Word::Cell(_) => say("kept"),
                    Word::Item(_) => self.memory.name(word, line.after),
                };
                let most = f64::from(self.width) * 1.1;
                put(extra, &font::shortened(&name, size * self.theme.letters, most));
            }
        }
    }

    /// Draws the banks of a row of shared memory: a colour and a number.
    fn banks(&self, drawing: &mut Drawing, line: Line, top: f32) {
        if line.stream {
            return;
        }
        for column in 0..self.columns.addresses {
            let bank = self.memory.bank(column as u32);
            let colour = BANKS[bank as usize % BANKS.len()];
            let rect = self.rect(column, top, BANK).shrink2(vec2(1.0, 1.0));
            fill(drawing, &corners(rect), colour);
            let text = bank.to_string();
            if font::width(&text, 9.0) < f64::from(self.width) - 1.0 {
                let ink = text_on([colour.0, colour.1, colour.2]).into();
                let base = f64::from(rect.center().y) + 3.3;
                drawing.text(
                    (rect.center().x.into(), base),
                    &text,
                    &Write { size: 9.0, ..Write::centre(ink) },
                );
            }
        }
        self.name(drawing, top + BANK / 2.0, say("bank"), self.theme.faint);
    }

    /// Draws the arrows of a stage's operations through a gap between rows.
    fn arrows(
        &self,
        drawing: &mut Drawing,
        stage: usize,
        (top, bottom): (f32, f32),
        wanted: &dyn Fn(usize) -> bool,
        (width, colour): (f32, Colour),
    ) {
        for (number, operation) in self.memory.stages[stage].operations.iter().enumerate() {
            if !wanted(number) {
                continue;
            }
            let to = self.middle(self.columns.to(self.memory, operation.target));
            for operand in &operation.operands {
                let from = self.middle(self.columns.from(self.memory, stage, operand));
                // Two arrows end side by side.
                let aside = (from - to).clamp(-1.0, 1.0) * (self.width * 0.12).min(4.0);
                arrow(drawing, pos2(from, top), pos2(to + aside, bottom), width, colour);
            }
        }
    }

    /// Draws the accesses of a stage: in each column the turn in which the word is served.
    fn accesses(&self, drawing: &mut Drawing, stage: &MemoryStage, top: f32) {
        let Theme { paper, ink, .. } = self.theme;
        let calm = ink.towards(paper, 0.8);
        for (number, row) in stage.accesses.iter().enumerate() {
            let top = top + number as f32 * ACCESS;
            let middle = top + ACCESS / 2.0;
            self.name(drawing, middle, say(if row.written { "store" } else { "load" }), ink);
            for served in &row.served {
                let column = cell(self.memory, served.address);
                let rect = self.rect(column, top, ACCESS).shrink2(vec2(1.0, 1.0));
                fill(drawing, &corners(rect), if served.conflict { ACCENT } else { calm });
                let colour = if served.conflict { Colour::grey(0) } else { ink };
                if served.conflict {
                    // Not by colour alone.
                    frame(drawing, rect, 1.5, ink);
                }
                self.digits(drawing, rect.expand2(vec2(0.0, 2.0)), &served.turn.to_string(), colour);
            }
            self.after(drawing, middle, [row.turns, row.least], ink);
        }
        if !stage.accesses.is_empty() {
            let base = top + stage.accesses.len() as f32 * ACCESS + LINE * 0.7;
            let write = Write { size: LABEL, ..Write::left(self.theme.faint) };
            let (text, left) = match self.beside == NARROW {
                true => ("number: turn, frame: conflict", self.room.left()),
                false => ("Number: the turn of its word. Frame: a conflict.", self.left),
            };
            let most = f64::from(self.room.right() - left);
            drawing.text(
                (left.into(), base.into()),
                &font::shortened(&say(text), LABEL * self.theme.letters, most),
                &write,
            );
        }
    }

    /// Draws all stages, a row after each.
    fn draw_tree(&self, drawing: &mut Drawing, (top, cell, gap): (f32, f32, f32)) {
        let tree = self.tree();
        let Theme { paper, ink, faint, .. } = self.theme;
        let stages = &self.memory.stages;
        let top_of = |stage: usize| top + stage as f32 * (cell + gap);
        for (stage, of) in stages.iter().enumerate() {
            let now = self.stage == Some(stage);
            let line = self.line(stage, true);
            let colour = if now || self.stage.is_none() { ink } else { faint };
            self.name(drawing, top_of(stage) + cell / 2.0, say(short(of.stage)), colour);
            self.after(drawing, top_of(stage) + cell / 2.0, [of.turns, of.least], faint);
            self.cells(drawing, line, top_of(stage), cell, false);
            // What an invocation keeps beside the array.
            let next = stages.get(stage + 1).map_or(&[][..], |next| next.operations.as_slice());
            for operand in next.iter().flat_map(|of| &of.operands) {
                let column = self.columns.from(self.memory, stage + 1, operand);
                if column >= self.columns.addresses {
                    let rect = self.rect(column, top_of(stage), cell);
                    frame(drawing, rect.shrink(1.0), 1.0, ink.towards(paper, 0.5));
                    self.digits(drawing, rect, &operand.value.to_string(), ink);
                }
            }
            if stage == 0 {
                continue;
            }
            let between = (top_of(stage) - gap + 1.0, top_of(stage) - 1.0);
            let lit = |number: usize| tree.operations.contains(&(stage, number));
            let share = if now { 0.2 } else { 0.65 };
            self.arrows(drawing, stage, between, &|number| !lit(number), (1.0, ink.towards(paper, share)));
        }
        for stage in 1..stages.len() {
            let between = (top_of(stage) - gap + 1.0, top_of(stage) - 1.0);
            let lit = |number: usize| tree.operations.contains(&(stage, number));
            self.arrows(drawing, stage, between, &lit, (1.8, ACCENT));
        }
        self.addresses(drawing, self.line(0, true), top - 3.0);
        self.banks(drawing, self.line(0, true), top_of(stages.len() - 1) + cell);
    }
}

/// The result that explains a whole pass: one past the middle, which a tree combines from several sums.
fn result(memory: &GroupMemory) -> Option<Chosen> {
    let stage = memory.stages.len().checked_sub(1)?;
    let operations = &memory.stages[stage].operations;
    let mut numbers: Vec<usize> = (0..operations.len()).collect();
    numbers.sort_by_key(|number| operations[*number].target);
    numbers.get(numbers.len() * 2 / 3).map(|number| (stage, *number))
}

/// A stage in a word or two.
fn short(stage: Stage) -> String {
    match stage {
        Stage::Load => "load".into(),
        Stage::Up(d) => format!("up {d}"),
        Stage::Root => "root".into(),
        Stage::Down(d) => format!("down {d}"),
        Stage::Step(d) => format!("step {d}"),
        Stage::Store => "store".into(),
    }
}

fn arrow(drawing: &mut Drawing, from: Pos2, to: Pos2, width: f32, colour: Colour) {
    let along = to - from;
    let length = along.length();
    if length < 1.0 {
        return;
    }
    let along = along / length;
    let head = (4.0 + 1.5 * width).min(length * 0.6);
    let across = along.rot90() * (head * 0.42);
    let neck = to - along * head;
    line(drawing, from, neck, width, colour);
    fill(drawing, &[to, neck + across, neck - across], colour);
}
