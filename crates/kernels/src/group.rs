//! Work groups of compute shaders: phases between barriers, shared memory, lanes.

use std::any::Any;

use rasterscan::plan::Lanes;
use rasterscan::trace::{Place, SharedAccess};

use crate::machine::{Machine, is_a_machine};
use crate::operands::{Moment, Stage, Word};
use crate::{Binding, Item};

/// A compute stage, bound to a pass.
pub type GroupKernel = Box<dyn Fn(&mut Group<'_>)>;

/// The items of a block, or a tree over them: `ARRAY_ITEMS`.
pub const ARRAY_ITEMS: u32 = 0;
/// The totals of a tile's warps: `ARRAY_TOTALS`.
pub const ARRAY_TOTALS: u32 = 1;
/// Values that lanes exchange: `ARRAY_LANES`.
pub const ARRAY_LANES: u32 = 2;

/// A work group. A kernel says what its invocations do from one barrier to the next ([`Self::each`], [`Self::barrier`]).
pub struct Group<'m> {
    machine: &'m mut Machine,
    /// Its number: `group_index()`.
    pub index: i32,
    /// Invocations in it.
    pub size: usize,
    /// Barriers passed.
    epoch: u32,
    /// For each invocation, its accesses since the last barrier: to buffers, and to shared memory.
    numbers: Vec<[u32; 2]>,
    /// If groups take turns, the number of this one: `u_turn`.
    pub turn: usize,
    /// Stages begun.
    stages: usize,
    kept: Option<Kept>,
}

/// A group that pauses: its registers and shared memory, and the ticket of its next step.
struct Kept {
    ticket: i32,
    registers: Box<dyn Any>,
}

/// A group that pauses.
pub(crate) struct Paused {
    pub index: i32,
    epoch: u32,
    kept: Kept,
}

impl Paused {
    /// The ticket of what it does next.
    pub fn ticket(&self) -> i32 {
        self.kept.ticket
    }
}

impl<'m> Group<'m> {
    pub(crate) fn new(machine: &'m mut Machine, index: i32, size: usize) -> Group<'m> {
        machine.log.phase += 1;
        Group { machine, index, size, epoch: 0, numbers: vec![[0; 2]; size], turn: 0, stages: 0, kept: None }
    }

    pub(crate) fn resumed(machine: &'m mut Machine, paused: Paused, size: usize) -> Group<'m> {
        let Paused { index, epoch, kept } = paused;
        Group { epoch, kept: Some(kept), ..Group::new(machine, index, size) }
    }

    /// Its registers and shared memory, if it pauses.
    pub(crate) fn paused(self) -> Option<Paused> {
        let (index, epoch) = (self.index, self.epoch);
        self.kept.map(|kept| Paused { index, epoch, kept })
    }

    /// Lets other groups go on, right after a barrier: the kernel returns, and is called again with these registers when
    /// all lower tickets are done. Only groups that do not take turns.
    pub fn pause<T: 'static>(&mut self, ticket: i32, registers: T) {
        self.kept = Some(Kept { ticket, registers: Box::new(registers) });
    }

    /// The registers with which it paused; `None` when the group begins.
    pub fn resume<T: 'static>(&mut self) -> Option<T> {
        let kept = self.kept.take()?;
        kept.registers.downcast().ok().map(|registers| *registers)
    }

    /// One invocation, by its number in the group.
    pub fn invocation(&mut self, number: usize) -> Invocation<'_> {
        let id = self.index as usize * self.size + number;
        self.machine.log.reader = id;
        Invocation {
            machine: self.machine,
            number,
            id,
            group: self.index,
            epoch: self.epoch,
            accesses: &mut self.numbers[number],
        }
    }

    /// Runs the first invocations, so many of them, such as those of a warp.
    pub fn first<T>(&mut self, count: usize, mut act: impl FnMut(&mut Invocation<'_>) -> T) -> Vec<T> {
        (0..count).map(|number| act(&mut self.invocation(number))).collect()
    }

    /// Runs all invocations until the next barrier, one after the other: none may rely on another's writes.
    pub fn each(&mut self, mut act: impl FnMut(&mut Invocation<'_>)) {
        (0..self.size).for_each(|number| act(&mut self.invocation(number)));
    }

    /// The same with a value for each.
    pub fn map<T>(&mut self, mut act: impl FnMut(&mut Invocation<'_>) -> T) -> Vec<T> {
        (0..self.size).map(|number| act(&mut self.invocation(number))).collect()
    }

    /// Begins a part of the scan of a block: all that follows belongs to it, until the next one begins.
    pub fn stage(&mut self, stage: Stage) {
        let begin = Moment { epoch: self.epoch, accesses: self.numbers[0][1] };
        if let Some(operands) = &mut self.machine.log.operands {
            operands.begin(self.stages, stage, begin);
        }
        self.stages += 1;
    }

    /// `sync_group()`.
    pub fn barrier(&mut self) {
        self.epoch += 1;
        self.machine.log.phase += 1;
        self.numbers.fill([0; 2]);
    }
}

/// An invocation at work.
pub struct Invocation<'g> {
    machine: &'g mut Machine,
    /// Its number in the group: `gl_LocalInvocationIndex`.
    pub number: usize,
    /// Its number among all.
    pub id: usize,
    /// The number of its group.
    pub group: i32,
    pub(crate) epoch: u32,
    accesses: &'g mut [u32; 2],
}

is_a_machine!(Group);
is_a_machine!(Invocation);

impl Invocation<'_> {
    /// The number of this access among those since the last barrier: 0 for buffers, 1 for shared memory.
    pub(crate) fn next_access(&mut self, kind: usize) -> u32 {
        self.accesses[kind] += 1;
        self.accesses[kind] - 1
    }

    /// The index of the word, if all that is read or written lies in the bound part.
    fn word(&mut self, binding: Binding, place: usize, width: usize) -> Option<usize> {
        let first = binding.first * binding.item_words + place * width;
        let end = match binding.to_the_end {
            true => self.machine.memory[binding.slot].words().len(),
            false => (binding.first + binding.len) * binding.item_words,
        };
        if first + width > end {
            self.machine
                .fail(|| format!("accesses {width} words at place {place} of a buffer of {end} words"));
            return None;
        }
        Some(first)
    }

    /// Notes an access to the items that hold `width` words from `place` times `width` on.
    pub(crate) fn note(&mut self, binding: Binding, place: usize, width: usize, written: bool) {
        // The last vector of a stream can reach past its end.
        let end = self.machine.memory[binding.slot].layout.words() as usize;
        let first = binding.first * binding.item_words + place * width;
        let inside = first..end.min(first + width);
        match written {
            true => self.machine.log.counts.words_written += inside.len() as u64,
            false => self.machine.count_reads(binding.slot, inside),
        }
        self.list(binding, place, width, written);
    }

    /// The same, of words that do not count.
    pub(crate) fn list(&mut self, binding: Binding, place: usize, width: usize, written: bool) {
        self.next_access(0);
        if written && binding.target.is_none() {
            return self.machine.fail(|| "writes a buffer that is bound to be read".into());
        }
        let log = &mut self.machine.log;
        if !log.lists {
            return;
        }
        let (list, of) = match binding.target.filter(|_| written) {
            None => (&mut log.reads[self.id], binding.number),
            Some(target) => (&mut log.writes[self.id], target),
        };
        let list = list.get_or_insert_default();
        let (first, last) =
            (place * width / binding.item_words, (place * width + width - 1) / binding.item_words);
        let len = self.machine.memory[binding.slot].layout.len as usize;
        for item in (first..=last).map(|item| item + binding.first).filter(|item| *item < len) {
            let place = Place { of, index: item as u32 };
            // The words of an item may be read one by one.
            if list.last() != Some(&place) {
                list.push(place);
            }
        }
    }

    /// Reads `width` words as one access, from `place` times `width` on.
    pub fn read(&mut self, binding: Binding, place: usize, width: usize) -> Item {
        let place = self.machine.moved(place, binding.len * binding.item_words / width);
        self.note(binding, place, width, false);
        let Some(first) = self.word(binding, place, width) else { return Item::of(&[]) };
        let items = first / binding.item_words..(first + width).div_ceil(binding.item_words);
        let origin = self.machine.origin(binding.slot, binding.number, binding.target, items);
        Item::with_origin(&self.machine.memory[binding.slot].words()[first..first + width], origin)
    }

    /// Writes `width` words as one access, from `place` times `width` on.
    pub fn write(&mut self, binding: Binding, place: usize, item: &Item, width: usize) {
        if width == binding.item_words {
            self.note_store(binding, place, item);
        }
        self.put(binding, place, item, width);
    }

    fn put(&mut self, binding: Binding, place: usize, item: &Item, width: usize) {
        self.note(binding, place, width, true);
        self.machine.note_depth(item);
        if let Some(first) = self.word(binding, place, width) {
            let words = &mut self.machine.memory[binding.slot].words_mut()[first..first + width];
            words.copy_from_slice(&item.words()[..width]);
        }
    }

    /// Notes what a written item was made of. Writes of other widths than an item's do not.
    pub(crate) fn note_store(&mut self, binding: Binding, place: usize, item: &Item) {
        let item_of = binding.target.map(|of| Word::Item { of, item: (binding.first + place) as u64 });
        if let (Some(operands), Some(word)) = (&mut self.machine.log.operands, item_of) {
            operands.stored(self.id, word, item);
        }
    }

    /// A word that the shader reads without recording it.
    pub(crate) fn peek(&self, binding: Binding, word: usize) -> u32 {
        let at = binding.first * binding.item_words + word;
        let found = self.machine.memory[binding.slot].words().get(at).copied();
        found.unwrap_or_else(|| {
            self.machine.fail(|| format!("reads word {word} past the end of a buffer"));
            0
        })
    }

    /// Changes a word without recording it, and returns what it was: an atomic.
    pub(crate) fn exchange(&mut self, binding: Binding, word: usize, change: impl Fn(u32) -> u32) -> u32 {
        let at = binding.first * binding.item_words + word;
        match self.machine.memory[binding.slot].words_mut().get_mut(at) {
            Some(word) => {
                let before = *word;
                *word = change(before);
                before
            }
            None => {
                self.machine.fail(|| format!("changes word {word} past the end of a buffer"));
                0
            }
        }
    }

    /// Reads an item word by word, as most shaders do.
    pub fn read_item(&mut self, binding: Binding, place: usize, words: usize) -> Item {
        let mut item = self.read(binding, place * words, 1);
        for word in 1..words {
            item.set(word, self.read(binding, place * words + word, 1).words()[0]);
        }
        item
    }

    /// Writes an item word by word, as most shaders do.
    pub fn write_item(&mut self, binding: Binding, place: usize, item: &Item, words: usize) {
        self.machine.note_depth(item);
        if words == binding.item_words {
            self.note_store(binding, place, item);
        }
        for word in 0..words {
            self.put(binding, place * words + word, &Item::of(&item.words()[word..=word]), 1);
        }
    }
}

/// An array in shared memory.
#[derive(Debug, Clone)]
pub struct Shared {
    array: Option<u32>,
    words: usize,
    items: Vec<Item>,
    /// For each address the barrier after which it was last written, and by which invocation.
    writers: Vec<Option<(u32, usize)>>,
}

impl Shared {
    /// An array of items of so many words. `array` is its number in recordings.
    pub fn new(array: u32, len: usize, words: usize) -> Shared {
        Shared { array: Some(array), ..Shared::unrecorded(len, words) }
    }

    /// The same that is not recorded.
    pub fn unrecorded(len: usize, words: usize) -> Shared {
        Shared { array: None, words, items: vec![Item::of(&[]); len], writers: vec![None; len] }
    }

    /// Writes an item at an address.
    pub fn set(&mut self, by: &mut Invocation<'_>, address: usize, item: Item) {
        self.note(by, address, &item, true);
        if let Some(operands) = by.machine.log.operands.as_mut().filter(|_| self.array.is_some()) {
            operands.stored(by.id, Word::Cell(address as u32), &item);
        }
        match self.items.get_mut(address) {
            Some(place) => {
                *place = item;
                self.writers[address] = Some((by.epoch, by.id));
            }
            None => by.fail(|| format!("writes address {address} of shared memory")),
        }
    }

    /// The item at an address. No other invocation may have written it since the last barrier.
    pub fn get(&self, by: &mut Invocation<'_>, address: usize) -> Item {
        let Some(item) = self.items.get(address) else {
            by.fail(|| format!("reads address {address} of shared memory"));
            return Item::of(&[]);
        };
        if self.writers[address].is_some_and(|(epoch, writer)| epoch == by.epoch && writer != by.id) {
            by.fail(|| format!("reads address {address} of shared memory, which another has just written"));
        }
        self.note(by, address, item, false);
        let mut item = *item;
        if let Some(operands) = by.machine.log.operands.as_mut().filter(|_| self.array.is_some()) {
            item.origin = operands.loaded(address, item.origin);
        }
        item
    }

    fn note(&self, by: &mut Invocation<'_>, address: usize, item: &Item, written: bool) {
        let Some(array) = self.array else { return };
        let number = by.next_access(1);
        if !by.log.lists {
            return;
        }
        let mut words = [0; 4];
        let used = self.words.min(4);
        words[..used].copy_from_slice(&item.words()[..used]);
        let (invocation, epoch) = (by.id as u32, by.epoch);
        by.log.shared.push(SharedAccess {
            invocation,
            epoch,
            number,
            array,
            address: address as u32,
            written,
            words,
        });
    }
}

/// The distances of steps that double, from `first` on and below `most`.
pub fn doubling(first: usize, most: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(first), |distance| Some(2 * distance))
        .take_while(move |distance| *distance < most)
}

/// How the lanes of a warp exchange values: `#include <lanes>`.
#[derive(Debug, Clone, Copy)]
pub struct Warps {
    kind: Lanes,
    /// Lanes in a warp.
    pub lanes: usize,
}

/// The steps in which lanes exchange items, at a distance that doubles.
#[derive(Debug, Clone, Copy)]
pub struct LaneSteps {
    /// Words of an item.
    pub words: usize,
    /// The distance of the first step.
    pub first: usize,
    /// The lanes of a warp that take part, from the first on.
    pub among: usize,
}

impl Warps {
    /// Warps of so many lanes.
    pub fn new(kind: Lanes, lanes: usize) -> Warps {
        Warps { kind, lanes }
    }

    /// The lane of an invocation: `lane_index()`.
    pub fn lane(self, invocation: usize) -> usize {
        invocation % self.lanes
    }

    /// The warp of an invocation: `warp_index()`.
    pub fn warp(self, invocation: usize) -> usize {
        invocation / self.lanes
    }

    /// For each invocation the value of the lane that `lane` names, or its own if there is none: `lane_at`. All of the
    /// group takes part.
    pub fn at(
        self,
        group: &mut Group<'_>,
        values: &[Item],
        words: usize,
        lane: impl Fn(usize) -> i32,
    ) -> Vec<Item> {
        let lanes = self.lanes;
        if self.kind == Lanes::Shared {
            let mut shared = Shared::new(ARRAY_LANES, group.size, words);
            group.each(|at| shared.set(at, at.number, values[at.number]));
            group.barrier();
            let there = group.map(|at| {
                let other = lane(at.number).clamp(0, lanes as i32 - 1);
                shared.get(at, other as usize)
            });
            group.barrier();
            return there;
        }
        (0..values.len())
            .map(|number| match usize::try_from(lane(number)) {
                Ok(other) if other < lanes => values[number / lanes * lanes + other],
                _ => values[number],
            })
            .collect()
    }

    /// The value of the lane `distance` before each: `lane_up`.
    pub fn up(self, group: &mut Group<'_>, values: &[Item], words: usize, distance: usize) -> Vec<Item> {
        self.at(group, values, words, |number| self.lane(number) as i32 - distance as i32)
    }

    /// The value of the lane `distance` after each: `lane_down`.
    pub fn down(self, group: &mut Group<'_>, values: &[Item], words: usize, distance: usize) -> Vec<Item> {
        self.at(group, values, words, |number| self.lane(number) as i32 + distance as i32)
    }

    /// The sums of those lanes of each warp that take part, added in order: in the first lanes. `sum_of_lanes`.
    pub fn sums(
        self,
        group: &mut Group<'_>,
        sums: Vec<Item>,
        steps: LaneSteps,
        add: impl Fn(&mut Invocation<'_>, &Item, &Item) -> Item,
    ) -> Vec<Item> {
        let reaches = |lane, distance| lane + distance < steps.among;
        self.joined(group, sums, steps, Warps::down, reaches, add)
    }

    /// The same of the lanes up to each: Kogge and Stone's scan.
    pub fn prefixes(
        self,
        group: &mut Group<'_>,
        sums: Vec<Item>,
        steps: LaneSteps,
        add: impl Fn(&mut Invocation<'_>, &Item, &Item) -> Item,
    ) -> Vec<Item> {
        let reaches = |lane, distance| lane >= distance;
        self.joined(group, sums, steps, Warps::up, reaches, |at, own, left| add(at, left, own))
    }

    /// Joins each lane's item with that of the lane which `other` finds at a distance that doubles, where one is in reach.
    fn joined(
        self,
        group: &mut Group<'_>,
        mut items: Vec<Item>,
        steps: LaneSteps,
        other: impl Fn(Warps, &mut Group<'_>, &[Item], usize, usize) -> Vec<Item>,
        reaches: impl Fn(usize, usize) -> bool,
        join: impl Fn(&mut Invocation<'_>, &Item, &Item) -> Item,
    ) -> Vec<Item> {
        for distance in doubling(steps.first, steps.among) {
            let others = other(self, group, &items, steps.words, distance);
            group.each(|at| {
                let n = at.number;
                if reaches(self.lane(n), distance) {
                    items[n] = join(at, &items[n], &others[n]);
                }
            });
        }
        items
    }

    /// As `word_at`, whose shared memory is not recorded.
    pub fn word_at(self, group: &mut Group<'_>, values: &[u32], lane: impl Fn(usize) -> i32) -> Vec<u32> {
        self.pass_barriers(group, 2);
        let lanes = self.lanes;
        let clamped = |number: usize| match usize::try_from(lane(number)) {
            Ok(other) if other < lanes => Some(other),
            _ if self.kind == Lanes::Shared => Some(lane(number).clamp(0, lanes as i32 - 1) as usize),
            _ => None,
        };
        let there = |number: usize| match clamped(number) {
            Some(other) if self.kind != Lanes::Serial => values[number / lanes * lanes + other],
            _ => values[number],
        };
        (0..values.len()).map(there).collect()
    }

    /// For each invocation the first lane of its warp where it holds, or the number of lanes: `first_lane`.
    pub fn first_where(self, group: &mut Group<'_>, holds: &[bool]) -> Vec<usize> {
        self.pass_barriers(group, 3);
        let of_warp =
            |warp: &[bool]| vec![warp.iter().position(|holds| *holds).unwrap_or(warp.len()); warp.len()];
        holds.chunks(self.lanes).flat_map(of_warp).collect()
    }

    /// For each invocation the last lane of its warp up to it where it holds, or -1: `last_lane`.
    pub fn last_where(self, group: &mut Group<'_>, holds: &[bool]) -> Vec<i32> {
        // Shared lanes take two barriers for each doubling.
        self.pass_barriers(group, 2 * self.lanes.next_power_of_two().ilog2());
        let of_warp = |warp: &[bool]| {
            let mut last = -1;
            let up_to = warp.iter().zip(0..).map(|(holds, lane)| {
                last = if *holds { lane } else { last };
                last
            });
            up_to.collect::<Vec<i32>>()
        };
        holds.chunks(self.lanes).flat_map(of_warp).collect()
    }

    /// For each invocation the lanes of its warp where it holds, and those of them before it.
    pub fn count_where(self, holds: &[bool]) -> Vec<(usize, usize)> {
        let of_warp = |warp: &[bool]| {
            let all = warp.iter().filter(|holds| **holds).count();
            let before = |lane: usize| warp[..lane].iter().filter(|holds| **holds).count();
            (0..warp.len()).map(|lane| (all, before(lane))).collect::<Vec<_>>()
        };
        holds.chunks(self.lanes).flat_map(of_warp).collect()
    }

    fn pass_barriers(self, group: &mut Group<'_>, barriers: u32) {
        if self.kind == Lanes::Shared {
            (0..barriers).for_each(|_| group.barrier());
        }
    }
}
