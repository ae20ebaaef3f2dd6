//! The machine under every stage: it reads, combines, and is listened to.

use std::cell::OnceCell;
use std::rc::Rc;

use rasterscan::plan::Cost;
use rasterscan::trace::{Place, SharedAccess, StateAccess};

use crate::memory::Memory;
use crate::operands::{Operands, Read, UNKNOWN};
use crate::schedule::Watch;
use crate::{Item, Operation, Source, Texel};

/// The memory of all slots, and what is noted of the pass that runs.
#[derive(Debug)]
pub struct Machine {
    pub(crate) memory: Vec<Memory>,
    pub(crate) operation: Rc<Operation>,
    pub(crate) log: Log,
    /// The states that tiles have published for each other.
    pub(crate) watch: Watch,
    /// The first fault of the pass, and the number of the reader.
    pub(crate) fault: OnceCell<(usize, String)>,
    /// The number of the next read that is moved to a neighbour's place: [`super::Engine::move_read`].
    pub(crate) moves: Option<u64>,
}

/// The notes of a pass.
#[derive(Debug, Default)]
pub(crate) struct Log {
    /// Whether reads, writes and accesses are listed; the counts are always kept.
    pub lists: bool,
    /// Whether words that are read are counted.
    pub counts_reads: bool,
    /// The number of the phase of a group, from one barrier to the next, among all of them.
    pub phase: u32,
    /// For each slot, the phase in which each word was last read.
    pub last_read: Vec<Vec<u32>>,
    /// The texel, vertex or invocation that is at work.
    pub reader: usize,
    pub reads: Vec<Option<Vec<Place>>>,
    pub writes: Vec<Option<Vec<Place>>>,
    pub shared: Vec<SharedAccess>,
    pub states: Vec<StateAccess>,
    /// The writes and their origins, if they are asked for.
    pub operands: Option<Operands>,
    /// The cost of the pass, as its plan states it.
    pub counts: Cost,
}

impl Machine {
    /// The operation of the pass.
    pub fn operation(&self) -> Rc<Operation> {
        Rc::clone(&self.operation)
    }

    /// The identity of the pass's operator.
    pub fn identity(&self) -> Item {
        self.operation.identity()
    }

    /// An earlier item combined with a later one.
    pub fn combine(&mut self, left: &Item, right: &Item) -> Item {
        self.log.counts.adds += 1;
        let sum = self.operation.combine(left, right);
        // Where a segment begins, what comes before it is no part of the sum.
        let alone = self.operation.is_head(right);
        self.with_operands(sum, if alone { None } else { Some(left) }, right)
    }

    /// The same for values, of items with flags.
    pub fn combine_values(&mut self, left: &Item, right: &Item) -> Item {
        self.log.counts.adds += 1;
        let sum = self.operation.values().combine(left, right);
        self.with_operands(sum, Some(left), right)
    }

    fn with_operands(&mut self, mut sum: Item, left: Option<&Item>, right: &Item) -> Item {
        if let Some(operands) = &mut self.log.operands {
            sum.origin = left.map_or(right.origin, |left| operands.combined(left.origin, right.origin));
        }
        sum
    }

    /// The origin of the first of these items of a source, which are read; those of the others follow. `of` is the number of
    /// the source, and `target` its number as a target, if it has one.
    pub(crate) fn origin(
        &mut self,
        slot: usize,
        of: u32,
        target: Option<u32>,
        items: std::ops::Range<usize>,
    ) -> u32 {
        let (by, len) = (self.log.reader, self.memory[slot].layout.len);
        let Some(operands) = &mut self.log.operands else { return UNKNOWN };
        let all: Vec<u32> =
            items.map(|item| operands.read(Read { by, of, item: item as u64 }, target, len)).collect();
        all.first().copied().unwrap_or(UNKNOWN)
    }

    /// Fetches a texel; channels that the texture lacks read as 0, 0, 1. Only of textures with one plane.
    pub fn fetch(&mut self, source: Source, texel: Texel) -> [u32; 4] {
        let mut channels = [0, 0, 0, 1];
        if self.memory[source.slot].layout.element.is_float() {
            channels[3] = 1f32.to_bits();
        }
        if let Some(words) = self.texel(source, texel).and_then(|index| self.memory[source.slot].texel(index))
        {
            let used = words.len().min(4);
            channels[..used].copy_from_slice(&words[..used]);
        }
        channels
    }

    /// The same for a fetch that the shader does not record.
    pub(crate) fn fetch_unrecorded(&mut self, source: Source, texel: Texel) -> [u32; 4] {
        let lists = std::mem::take(&mut self.log.lists);
        let channels = self.fetch(source, texel);
        self.log.lists = lists;
        channels
    }

    /// Fetches the first word of a texel.
    pub fn fetch_word(&mut self, source: Source, texel: Texel) -> u32 {
        self.fetch(source, texel)[0]
    }

    /// Fetches an item of a buffer that is read as a texture.
    pub fn fetch_of_buffer(&mut self, source: Source, item: i32) -> [u32; 4] {
        // A buffer is a single row.
        self.fetch(source, Texel { x: item, y: 0 })
    }

    /// Fetches item `number` of a texel, of any number of words.
    pub fn fetch_item(&mut self, source: Source, texel: Texel, number: usize) -> Item {
        let Some(index) = self.texel(source, texel) else { return Item::of(&[]) };
        let words = source.texel_words / source.texel_items;
        let item = index * source.texel_items + number;
        let origin = self.origin(source.slot, source.number, None, item..item + 1);
        let words = self.memory[source.slot]
            .texel(index)
            .and_then(|texel| texel.get(number * words..(number + 1) * words));
        words.map_or(Item::of(&[]), |words| Item::with_origin(words, origin))
    }

    /// Fetches all items of a texel.
    pub fn fetch_items(&mut self, source: Source, texel: Texel) -> Vec<Item> {
        let mut all = Item::of(&[]);
        if let Some(index) = self.texel(source, texel) {
            let first = index * source.texel_items;
            let origin = self.origin(source.slot, source.number, None, first..first + source.texel_items);
            if let Some(words) = self.memory[source.slot].texel(index) {
                all = Item::with_origin(&words[..source.texel_words], origin);
            }
        }
        Item::regrouped(&[all], source.texel_words, source.texel_words / source.texel_items)
    }

    /// Fetches item `index` of a stream.
    pub fn fetch_item_at(&mut self, source: Source, index: i32) -> Item {
        let items = source.texel_items as i32;
        self.fetch_item(source, source.shape.texel(index / items), (index % items) as usize)
    }

    /// The index of a texel, and a note of the fetch.
    fn texel(&mut self, source: Source, texel: Texel) -> Option<usize> {
        let inside =
            (0..source.shape.width).contains(&texel.x) && (0..source.shape.height).contains(&texel.y);
        if !inside {
            let (x, y) = (texel.x, texel.y);
            self.fail(|| format!("fetches texel ({x}, {y}) of a texture of {:?}", source.shape));
            return None;
        }
        let texels = self.memory[source.slot].layout.texels() as usize;
        let index = self.moved(source.shape.index(texel) as usize, texels);
        if self.log.lists {
            let place = Place { of: source.number, index: index as u32 };
            self.log.reads[self.log.reader].get_or_insert_default().push(place);
        }
        if (index as u64) < self.memory[source.slot].layout.texels() {
            self.log.counts.texels_read += 1;
            self.log.counts.words_read += source.texel_words as u64;
        }
        Some(index)
    }

    /// The place of a read among so many: a neighbour, if it is the read that a test moves.
    pub(crate) fn moved(&mut self, place: usize, places: usize) -> usize {
        let Some(number) = self.moves else { return place };
        self.moves = number.checked_sub(1);
        match number {
            0 if place + 1 < places => place + 1,
            0 => place.saturating_sub(1),
            _ => place,
        }
    }

    /// Counts the words that a group reads of a buffer: those that several of its invocations read in one phase, once.
    pub(crate) fn count_reads(&mut self, slot: usize, words: std::ops::Range<usize>) {
        if !self.log.counts_reads {
            return;
        }
        let (log, memory) = (&mut self.log, &self.memory);
        if log.last_read.is_empty() {
            log.last_read = vec![Vec::new(); memory.len()];
        }
        let last = &mut log.last_read[slot];
        last.resize(memory[slot].words().len(), 0);
        for last in last.iter_mut().take(words.end).skip(words.start).filter(|last| **last != log.phase) {
            *last = log.phase;
            log.counts.words_read += 1;
        }
    }

    /// Notes a fault, if it is the first of the pass.
    pub(crate) fn fail(&self, fault: impl FnOnce() -> String) {
        self.fault.get_or_init(|| (self.log.reader, fault()));
    }

    pub(crate) fn note_depth(&mut self, item: &Item) {
        self.log.counts.depth = self.log.counts.depth.max(item.depth.into());
    }
}

/// Lets a stage do what the machine can.
macro_rules! is_a_machine {
    ($stage:ident) => {
        impl std::ops::Deref for $stage<'_> {
            type Target = Machine;
            fn deref(&self) -> &Machine {
                self.machine
            }
        }
        impl std::ops::DerefMut for $stage<'_> {
            fn deref_mut(&mut self) -> &mut Machine {
                self.machine
            }
        }
    };
}
pub(crate) use is_a_machine;
