//! Shared memory of a work group, stage by stage: its content before and after, what every stored word was made of, and
//! the turns that its banks take.
//!
//! The shaders record their accesses in order, with values. Which of an invocation's loads a store combines follows from
//! the stage: it is stated here once for each kind of stage of `glsl/scan/harris/` and `glsl/scan/capannini/`. Followed
//! back from a result, the operations are the tree that computed it.

use std::collections::{BTreeMap, HashMap};

use rasterscan::Numbers;
use rasterscan::operator::Operator;
use rasterscan::trace::{Place, Recording, SharedAccess};

use super::Item;
use super::banks::{self, BankStep, SharedMemory};
use super::epochs::{self, Stage};
use super::scene::Scene;
use super::words::{capital, equation, expression};

/// The most words of a shared array that are followed.
const MOST_CELLS: u32 = 1 << 13;
/// The words of an item that a recording has room for.
const MOST_WORDS: u32 = 4;

/// Shared memory of one work group of a pass.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupMemory {
    /// The work group, from 0.
    pub group: u32,
    /// Items in the group's block.
    pub block: u32,
    /// Invocations in the group.
    pub invocations: u32,
    /// The number of banks.
    pub banks: u64,
    /// The addresses of the array: two buffers of a block each, if the scan has two.
    pub cells: u32,
    /// True if two buffers alternate: address `block + k` is item k of the second.
    pub two_buffers: bool,
    /// The operator of the pass.
    pub operator: Operator,
    /// The stages, in order.
    pub stages: Vec<MemoryStage>,
    /// The names of the pass's sources and targets, by their numbers.
    names: [Vec<String>; 2],
    item_words: u32,
}

/// The work of a group in one stage.
#[derive(Debug, Clone, PartialEq)]
pub struct MemoryStage {
    /// The part of the scan.
    pub stage: Stage,
    /// Its first epoch: the barriers that the group had passed.
    pub epoch: u32,
    /// The items at all addresses before the stage; `None` where nothing was written yet.
    pub before: Vec<Option<Item>>,
    /// The same after the stage.
    pub after: Vec<Option<Item>>,
    /// Everything written, in the order of invocations.
    pub operations: Vec<Operation>,
    /// The accesses, in order.
    pub accesses: Vec<AccessRow>,
    /// The turns that the accesses take.
    pub turns: u64,
    /// The turns that they would take without conflicts.
    pub least: u64,
}

/// A word that was written, and what it was made of.
#[derive(Debug, Clone, PartialEq)]
pub struct Operation {
    /// The invocation in its group.
    pub invocation: u32,
    /// The items combined, the first on the left. One is copied; none stands for the identity.
    pub operands: Vec<Operand>,
    /// The place that was written.
    pub target: Word,
    /// The item that was written.
    pub value: Item,
}

/// An item that an operation combined.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Operand {
    /// Its place.
    pub word: Word,
    /// Its value.
    pub value: Item,
    /// The stage before which the place had the value: an earlier one if the invocation kept it in a register.
    pub stage: usize,
}

/// A place that an operation reads or writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Word {
    /// An address of shared memory.
    Cell(u32),
    /// An item of a source of the pass, or of a target if it is written.
    Item(Place),
}

/// One access of the group's invocations, warp after warp.
#[derive(Debug, Clone, PartialEq)]
pub struct AccessRow {
    /// True if it is a store.
    pub written: bool,
    /// The addresses, each with the turn in which its bank serves it.
    pub served: Vec<Served>,
    /// The turns that it takes, of all warps.
    pub turns: u64,
    /// The turns that it would take without conflicts.
    pub least: u64,
}

/// An address that a bank serves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Served {
    /// The address.
    pub address: u32,
    /// The invocations that asked for it.
    pub invocations: Vec<u32>,
    /// The turn, from 1.
    pub turn: u64,
    /// True if its bank has several words to serve in this access of its warp, more than an even spread needs.
    pub conflict: bool,
}

/// The operations that a result was computed by.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tree {
    /// The operations, by stage and number in it, the last first.
    pub operations: Vec<(usize, usize)>,
    /// The items of the pass's sources that they began with, the first on the left.
    pub items: Vec<Place>,
}

/// A stage's part of the recording: epochs, and of a shared epoch the accesses before or after the first sum's store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// The part of the scan.
    pub stage: Stage,
    epochs: std::ops::RangeInclusive<u32>,
    /// The second stage of an epoch begins after two loads and a store of the first.
    numbers: std::ops::RangeInclusive<u32>,
}

impl Span {
    /// Returns whether an access belongs to it: by the barriers that its group had passed, and its number since then.
    pub fn holds(&self, epoch: u32, number: u32) -> bool {
        self.epochs.contains(&epoch) && self.numbers.contains(&number)
    }
}

/// The stages of a pass in order: neighbouring epochs of the same stage are one, an epoch of two stages is two. Empty if
/// they are not known.
pub fn spans(recording: &Recording, pass: usize) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    for (epoch, of) in (0..).zip(epochs::stages(recording, pass)) {
        for (number, stage) in of.iter().enumerate() {
            match spans.last_mut().filter(|last| last.stage == *stage) {
                Some(last) => last.epochs = *last.epochs.start()..=epoch,
                None => {
                    let numbers = match (of.len(), number) {
                        (1, _) => 0..=u32::MAX,
                        (_, 0) => 0..=2,
                        _ => 3..=u32::MAX,
                    };
                    spans.push(Span { stage: *stage, epochs: epoch..=epoch, numbers });
                }
            }
        }
    }
    spans
}

/// Shared memory of a pass's work group; `None` if it was not recorded, or is not understood.
pub fn of(recording: &Recording, pass: usize, group: u32) -> Option<GroupMemory> {
    Reader::new(recording, pass, group)?.read()
}

/// The items of the pass's sources that an item of a target was made of, followed back through shared memory, the first
/// on the left; `None` if that is not known. The uniform add is followed, too.
pub fn origins(recording: &Recording, pass: usize, target: Place) -> Option<Vec<Place>> {
    let scene = Scene::new(recording, pass)?;
    let writer = *scene.pass.writes.as_ref()?.who_read(target).first()?;
    let (invocations, _) = scene.dispatch()?;
    let group = u32::try_from(u64::try_from(writer).ok()? / invocations.max(1)).ok()?;
    if scene.shader() == "scan/common/uniform_add.comp" {
        // The group's first invocation reads the sum for all.
        let first = scene.pass.sources.iter().find(|source| source.name == "INCREMENTS")?.first;
        let before = u32::try_from(first.checked_add(group.into())?).ok()?;
        let own = Place { of: stream_of(&scene, "TARGET")?, ..target };
        return Some(vec![Place { of: stream_of(&scene, "INCREMENTS")?, index: before }, own]);
    }
    of(recording, pass, group)?.tree(Word::Item(target)).map(|tree| tree.items)
}

/// The number of a stream among the sources, by its name in the shader.
fn stream_of(scene: &Scene, name: &str) -> Option<u32> {
    Some(scene.pass.sources.iter().position(|source| source.name == name)? as u32)
}

impl GroupMemory {
    /// The name of a place: `s[3]`; of two buffers `a[3]` and `b[3]`; of a stream its name.
    pub fn name(&self, word: Word, written: bool) -> String {
        match word {
            Word::Cell(address) if self.two_buffers => {
                let buffer = if address < self.block { "a" } else { "b" };
                format!("{buffer}[{}]", address % self.block)
            }
            Word::Cell(address) => format!("s[{address}]"),
            Word::Item(place) => {
                let name = self.names[usize::from(written)].get(place.of as usize);
                format!("{}[{}]", name.map_or("?", String::as_str), place.index)
            }
        }
    }

    /// The name of a source, or of a target.
    pub fn stream(&self, of: u32, written: bool) -> &str {
        self.names[usize::from(written)].get(of as usize).map_or("?", String::as_str)
    }

    /// The bank of an address's first word.
    pub fn bank(&self, address: u32) -> u64 {
        u64::from(address) * u64::from(self.item_words) % self.banks
    }

    /// The addresses that hold items at some time; the others are padding.
    pub fn used(&self) -> Vec<bool> {
        let mut used = vec![false; self.cells as usize];
        for (address, item) in self.stages.iter().flat_map(|stage| stage.after.iter().enumerate()) {
            used[address] |= item.is_some();
        }
        used
    }

    /// The operation that explains a stage: the first one that combines two items, else the first of all.
    pub fn worked(&self, stage: usize) -> Option<usize> {
        let operations = &self.stages.get(stage)?.operations;
        let combines = |operation: &Operation| operation.operands.len() > 1;
        operations.iter().position(combines).or((!operations.is_empty()).then_some(0))
    }

    /// The turns of all stages up to one, it included, and the turns without conflicts.
    pub fn turns_until(&self, stage: usize) -> (u64, u64) {
        let stages = self.stages.iter().take(stage.saturating_add(1));
        stages.fold((0, 0), |(turns, least), stage| (turns + stage.turns, least + stage.least))
    }

    /// Everything that a written place was computed by, up to the end of the pass; `None` if the pass did not write it.
    pub fn tree(&self, target: Word) -> Option<Tree> {
        let stage = self.stages.iter().rposition(|stage| stage.writes(target).is_some())?;
        Some(self.tree_of(stage, self.stages[stage].writes(target)?))
    }

    /// Everything that an operation was computed by, itself included.
    pub fn tree_of(&self, stage: usize, number: usize) -> Tree {
        let mut tree = Tree::default();
        self.follow(stage, number, &mut tree);
        tree
    }

    fn follow(&self, stage: usize, number: usize, tree: &mut Tree) {
        if tree.operations.contains(&(stage, number)) {
            return;
        }
        tree.operations.push((stage, number));
        for operand in &self.stages[stage].operations[number].operands {
            match operand.word {
                Word::Item(place) if !tree.items.contains(&place) => tree.items.push(place),
                Word::Item(_) => {}
                Word::Cell(_) => {
                    let earlier = &self.stages[..operand.stage.min(stage)];
                    let made = |(at, stage): (usize, &MemoryStage)| Some((at, stage.writes(operand.word)?));
                    if let Some((at, number)) = earlier.iter().enumerate().rev().find_map(made) {
                        self.follow(at, number, tree);
                    }
                }
            }
        }
    }

    /// An operation as an equation: `s[3] = s[1] + s[3] = 3 + 14 = 17`.
    pub fn equation(&self, operation: &Operation) -> String {
        let name = self.name(operation.target, true);
        if operation.operands.is_empty() {
            return format!("{name} = {}, the identity", operation.value);
        }
        let terms: Vec<String> =
            operation.operands.iter().map(|operand| self.name(operand.word, false)).collect();
        let items: Vec<Item> = operation.operands.iter().map(|operand| operand.value).collect();
        let value = equation(&self.operator, &items, operation.value);
        match terms.len() {
            1 => format!("{name} = {} = {value}", terms[0]),
            _ => format!("{name} = {} = {value}", expression(&self.operator, &terms)),
        }
    }

    /// A stage in words: one operation, who else works, the turns, and a conflict if there is one.
    pub fn tell(&self, stage: usize, operation: Option<usize>) -> String {
        let Some(of) = self.stages.get(stage) else { return String::new() };
        let operation = operation.or(self.worked(stage)).and_then(|number| of.operations.get(number));
        let mut told = match operation {
            Some(operation) => {
                let kept = operation.operands.iter().find(|operand| operand.stage < stage);
                let kept = kept.map_or(String::new(), |operand| {
                    format!(", with {} kept in a register since before it was overwritten", operand.value)
                });
                format!(
                    "{}: invocation {} writes {}{kept}.",
                    capital(&of.stage.to_string()),
                    operation.invocation,
                    self.equation(operation)
                )
            }
            None => format!("{}.", capital(&of.stage.to_string())),
        };
        let mut busy: Vec<u32> = of.operations.iter().map(|operation| operation.invocation).collect();
        busy.sort_unstable();
        busy.dedup();
        if busy.len() < self.invocations as usize {
            let works = if busy.len() == 1 { "works" } else { "work" };
            told += &format!(" {} of {} invocations {works}.", busy.len(), self.invocations);
        }
        told += &self.tell_turns(of);
        told
    }

    fn tell_turns(&self, of: &MemoryStage) -> String {
        let turns = |count: u64| if count == 1 { "1 turn".to_owned() } else { format!("{count} turns") };
        if of.accesses.is_empty() {
            return String::new();
        }
        let accesses = match of.accesses.len() {
            1 => "Its access takes".to_owned(),
            many => format!("Its {many} accesses take"),
        };
        let conflict = of.accesses.iter().find_map(|row| {
            let first = row.served.iter().find(|served| served.conflict)?;
            let bank = self.bank(first.address);
            let same = row.served.iter().filter(|served| served.conflict && self.bank(served.address) == bank);
            let names: Vec<String> =
                same.map(|served| self.name(Word::Cell(served.address), false)).take(2).collect();
            (names.len() == 2).then(|| {
                let act = if row.written { "written" } else { "read" };
                format!(
                    " {} and {} are {act} at a time, and both lie in bank {bank}, which serves one after the other.",
                    names[0], names[1]
                )
            })
        });
        match conflict {
            Some(conflict) => format!(
                "{conflict} {accesses} {}; without conflicts, {} would be enough.",
                turns(of.turns),
                of.least
            ),
            None if of.turns > of.least => {
                format!(" {accesses} {}; without conflicts, {} would be enough.", turns(of.turns), of.least)
            }
            None => format!(" {accesses} {}, without a conflict.", turns(of.turns)),
        }
    }
}

impl MemoryStage {
    /// The last operation that writes a place, by its number.
    pub fn writes(&self, target: Word) -> Option<usize> {
        self.operations.iter().rposition(|operation| operation.target == target)
    }
}

/// A pass's work group while its recording is read.
struct Reader<'a> {
    scene: Scene<'a>,
    group: u32,
    block: u32,
    invocations: u32,
    tuple: u64,
    /// The accesses of the group, in the order of time.
    accesses: Vec<SharedAccess>,
    element: rasterscan::ElementType,
    arity: u32,
    item_words: u32,
}

/// The accesses of one invocation in a stage.
struct Own<'a> {
    invocation: u32,
    accesses: Vec<&'a SharedAccess>,
}

impl Own<'_> {
    fn reads(&self) -> impl Iterator<Item = &SharedAccess> {
        self.accesses.iter().copied().filter(|access| !access.written)
    }

    fn writes(&self) -> impl Iterator<Item = &SharedAccess> {
        self.accesses.iter().copied().filter(|access| access.written)
    }
}

impl<'a> Reader<'a> {
    fn new(recording: &'a Recording, pass: usize, group: u32) -> Option<Reader<'a>> {
        let scene = Scene::new(recording, pass)?;
        let (invocations, _) = scene.dispatch()?;
        let invocations = u32::try_from(invocations).ok().filter(|count| *count > 0)?;
        let block = scene.positive("BLOCK").filter(|block| block.is_power_of_two())? as u32;
        let layout = scene.source("SOURCE")?.layout;
        let (element, arity) = (layout.element, layout.arity);
        let item_words = scene.operator().item_words(element);
        // Flags beside items, or more words than are recorded, are not followed.
        if item_words != arity * element.words() || item_words > MOST_WORDS || item_words == 0 {
            return None;
        }
        let own = |access: &&SharedAccess| access.invocation / invocations == group;
        let mut accesses: Vec<SharedAccess> = scene.pass.shared.iter().filter(own).copied().collect();
        accesses.sort_by_key(|access| (access.epoch, access.number, access.invocation));
        let known =
            accesses.iter().all(|access| access.address < MOST_CELLS && access.array == accesses[0].array);
        let tuple = scene.int("u_tuple").unwrap_or(1).max(1);
        (known && !accesses.is_empty()).then_some(Reader {
            scene,
            group,
            block,
            invocations,
            tuple,
            accesses,
            element,
            arity,
            item_words,
        })
    }

    fn read(&self) -> Option<GroupMemory> {
        let spans = spans(self.scene.recording, self.scene.number);
        if spans.is_empty() {
            return None;
        }
        let banks = banks::number(&self.scene);
        let memory = SharedMemory::new(&self.accesses, self.invocations, banks, self.item_words);
        let two_buffers = self.scene.shader() == "scan/harris/naive.comp";
        let cells = self.accesses.iter().map(|access| access.address + 1).max()?;
        let cells = if two_buffers { cells.max(2 * self.block) } else { cells };
        let mut content: Vec<Option<Item>> = vec![None; cells as usize];
        let mut stages: Vec<MemoryStage> = Vec::new();
        for span in &spans {
            let mut own: BTreeMap<u32, Own> = BTreeMap::new();
            for access in self.accesses.iter().filter(|access| span.holds(access.epoch, access.number)) {
                let invocation = access.invocation % self.invocations;
                let of = own.entry(invocation).or_insert_with(|| Own { invocation, accesses: Vec::new() });
                of.accesses.push(access);
            }
            let own: Vec<Own> = own.into_values().collect();
            let operations = self.operations(span.stage, &own, &stages);
            let before = content.clone();
            for access in own.iter().flat_map(Own::writes) {
                content[access.address as usize] = self.item(access);
            }
            let steps: Vec<&BankStep> =
                memory.steps.iter().filter(|step| span.holds(step.epoch, step.number)).collect();
            stages.push(MemoryStage {
                stage: span.stage,
                epoch: *span.epochs.start(),
                before,
                after: content.clone(),
                operations,
                accesses: rows(&memory, &steps, self.invocations),
                turns: steps.iter().map(|step| step.degree).sum(),
                least: steps.iter().map(|step| step.least).sum(),
            });
        }
        let recording = self.scene.recording;
        let sources = self.scene.pass.sources.iter().map(|source| recording.name(source.stream).to_owned());
        let targets = self.scene.pass.targets.iter().map(|target| recording.name(target.stream).to_owned());
        Some(GroupMemory {
            group: self.group,
            block: self.block,
            invocations: self.invocations,
            banks,
            cells,
            two_buffers,
            operator: self.scene.operator().clone(),
            stages,
            names: [sources.collect(), targets.collect()],
            item_words: self.item_words,
        })
    }

    fn item(&self, access: &SharedAccess) -> Option<Item> {
        let words = &access.words[..self.item_words as usize];
        Item::at(&Numbers::of_bytes(self.element, bytemuck::cast_slice(words)), self.arity, 0)
    }

    /// Everything written in a stage.
    fn operations(&self, stage: Stage, own: &[Own], earlier: &[MemoryStage]) -> Vec<Operation> {
        let number = earlier.len();
        match stage {
            Stage::Load => self.loaded(own),
            Stage::Step(d) => self.joined(own, number, |own, target| self.step(d, own, target)),
            Stage::Up(_) => self.joined(own, number, up),
            Stage::Down(_) => self.joined(own, number, down),
            Stage::Root => self.root(own, number),
            Stage::Store => self.stored(own, earlier),
        }
    }

    /// Each store of an invocation with the addresses that it combines.
    fn joined(
        &self,
        own: &[Own],
        stage: usize,
        operands: impl Fn(&Own, &SharedAccess) -> Vec<u32>,
    ) -> Vec<Operation> {
        let mut found = Vec::new();
        for own in own {
            for written in own.writes() {
                let operand = |address: u32| {
                    let read = own.reads().find(|read| read.address == address)?;
                    Some(Operand { word: Word::Cell(address), value: self.item(read)?, stage })
                };
                let operands: Option<Vec<Operand>> =
                    operands(own, written).into_iter().map(operand).collect();
                if let (Some(operands), Some(value)) = (operands, self.item(written)) {
                    let target = Word::Cell(written.address);
                    found.push(Operation { invocation: own.invocation, operands, target, value });
                }
            }
        }
        found
    }

    /// A step over all items: an item with the one at a distance of 2^(d-1), if there is one.
    fn step(&self, d: u32, _: &Own, target: &SharedAccess) -> Vec<u32> {
        let (block, offset) = (self.block, 1u32.checked_shl(d.saturating_sub(1)).unwrap_or(u32::MAX));
        let place = target.address % block;
        let source = match self.scene.shader() {
            // The other buffer.
            "scan/harris/naive.comp" => target.address ^ block,
            _ => target.address,
        };
        if place >= offset { vec![source - offset, source] } else { vec![source] }
    }

    /// The number of an item of the block in a stream that is bound from `first` on.
    fn place(&self, first: u64, item: u32) -> u64 {
        let group = u64::from(self.group);
        let of = group / self.tuple * u64::from(self.block) + u64::from(item);
        first.saturating_add(of.saturating_mul(self.tuple)).saturating_add(group % self.tuple)
    }

    /// An item of a source, by its name in the shader.
    fn source(&self, name: &str, index: u64, stage: usize) -> Option<Operand> {
        let of = stream_of(&self.scene, name)?;
        let stream = self.scene.source(name)?;
        let value = stream.item(index.checked_sub(stream.first)?)?;
        Some(Operand { word: Word::Item(Place { of, index: u32::try_from(index).ok()? }), value, stage })
    }

    /// Item number `item` of the block; `None` past the end of the stream, where the identity is loaded.
    fn given(&self, item: u32, stage: usize) -> Option<Operand> {
        let first = self.scene.source("SOURCE")?.first;
        let place = self.place(first, item);
        // Trees are stored in whole blocks.
        let end = match self.scene.shader() {
            "scan/capannini/down_sweep.comp" => u64::MAX,
            _ => first.saturating_add(self.scene.int("u_len")?),
        };
        if place < end { self.source("SOURCE", place, stage) } else { None }
    }

    /// The addresses that the block's items are loaded to, in their order.
    fn leaves(&self) -> Vec<u32> {
        let loads = self.accesses.iter().filter(|access| access.epoch == 0 && access.written);
        let mut addresses: Vec<u32> = loads.map(|access| access.address).collect();
        addresses.sort_unstable();
        addresses.dedup();
        addresses
    }

    fn loaded(&self, own: &[Own]) -> Vec<Operation> {
        let leaves: HashMap<u32, u32> = self.leaves().into_iter().zip(0..).collect();
        // The naive kernel shifts an exclusive scan while it loads.
        let shift = u32::from(self.scene.shader() == "scan/harris/naive.comp" && self.scene.is("EXCLUSIVE"));
        let mut found = Vec::new();
        for own in own {
            let written: Vec<&SharedAccess> = own.writes().collect();
            for (number, access) in written.iter().enumerate() {
                // The identity may be stored first, and then the item.
                if written[number + 1..].iter().any(|later| later.address == access.address) {
                    continue;
                }
                let Some(value) = self.item(access) else { continue };
                let item = leaves.get(&access.address).and_then(|rank| rank.checked_sub(shift));
                let operands = item.and_then(|item| self.given(item, 0)).into_iter().collect();
                let target = Word::Cell(access.address);
                found.push(Operation { invocation: own.invocation, operands, target, value });
            }
        }
        found
    }

    /// The root takes what comes before the block. Harris's tree also stores the block's sum, which it had.
    fn root(&self, own: &[Own], stage: usize) -> Vec<Operation> {
        let mut found = Vec::new();
        for own in own {
            for read in own.reads() {
                let Some(value) = self.item(read) else { continue };
                let operands = vec![Operand { word: Word::Cell(read.address), value, stage }];
                found.extend(self.written("SUMS", u64::from(self.group), own.invocation, operands));
            }
            for access in own.writes() {
                let Some(value) = self.item(access) else { continue };
                let before = || {
                    let first = self.scene.source("PARTIAL")?.first;
                    self.source("PARTIAL", first.saturating_add(self.group.into()), stage)
                };
                let operands = before().into_iter().collect();
                let target = Word::Cell(access.address);
                found.push(Operation { invocation: own.invocation, operands, target, value });
            }
        }
        found
    }

    /// An item of a target, by its name in the shader and its number from the first that is bound.
    fn written(&self, name: &str, number: u64, invocation: u32, operands: Vec<Operand>) -> Option<Operation> {
        let stream = self.scene.written(name)?;
        let value = stream.item(number)?;
        let of = self.scene.pass.targets.iter().position(|target| target.stream == stream.number)? as u32;
        let index = u32::try_from(stream.first.checked_add(number)?).ok()?;
        Some(Operation { invocation, operands, target: Word::Item(Place { of, index }), value })
    }

    /// The results, and the sums of blocks that are stored with them.
    fn stored(&self, own: &[Own], earlier: &[MemoryStage]) -> Vec<Operation> {
        let stage = earlier.len();
        let shader = self.scene.shader();
        let exclusive = self.scene.is("EXCLUSIVE");
        let leaves = self.leaves();
        let last = self.block - 1;
        let content = |address: u32, stage: usize| {
            let value = (*earlier.get(stage.checked_sub(1)?)?.after.get(address as usize)?)?;
            Some(Operand { word: Word::Cell(address), value, stage })
        };
        // The address of the total, and the stage before which it was there.
        let total = || {
            let root = earlier.iter().position(|stage| stage.stage == Stage::Root).unwrap_or(stage);
            let of = earlier.get(root.checked_sub(1)?)?.stage;
            let whole = match of {
                Stage::Up(_) => earlier[root - 1].operations.iter().find(|of| of.operands.len() > 1)?.target,
                _ => earlier.get(root)?.operations.iter().find_map(|of| match of.target {
                    Word::Cell(_) => Some(of.target),
                    Word::Item(_) => None,
                })?,
            };
            let Word::Cell(address) = whole else { return None };
            content(address, root)
        };
        let operands = |item: u32| -> Vec<Operand> {
            let at =
                |item: u32| leaves.get(item as usize).copied().and_then(|address| content(address, stage));
            let found = match shader {
                "scan/harris/naive.comp" => {
                    let buffer = self.block * (self.block.trailing_zeros() % 2);
                    content(buffer + item, stage)
                }
                "scan/capannini/cm.comp" if exclusive => item.checked_sub(1).and_then(at),
                "scan/capannini/cm.comp" | "scan/capannini/up_sweep.comp" => at(item),
                _ if exclusive => at(item),
                _ if item < last => at(item + 1),
                "scan/capannini/down_sweep.comp" => {
                    let first = self.scene.source("PARTIAL").map_or(0, |stream| stream.first);
                    let before = self.source("PARTIAL", first.saturating_add(self.group.into()), stage);
                    return before.into_iter().chain(total()).collect();
                }
                _ => total(),
            };
            found.into_iter().collect()
        };
        // Who writes which item is recorded.
        let mut found = Vec::new();
        let Some(target) = self.scene.written("TARGET") else { return found };
        let Some(of) = self.scene.pass.targets.iter().position(|own| own.stream == target.number) else {
            return found;
        };
        let numbers: HashMap<u64, u32> =
            (0..self.block).map(|item| (self.place(target.first, item), item)).collect();
        for invocation in 0..self.invocations {
            let reader = u64::from(self.group) * u64::from(self.invocations) + u64::from(invocation);
            let writes = self.scene.pass.writes.as_ref().and_then(|writes| writes.of(reader as usize));
            for place in writes.unwrap_or_default().iter().filter(|place| place.of as usize == of) {
                let Some(item) = numbers.get(&u64::from(place.index)) else { continue };
                let number = u64::from(place.index).saturating_sub(target.first);
                found.extend(self.written("TARGET", number, invocation, operands(*item)));
            }
        }
        let sum = |name: &str, operands: Vec<Operand>, invocation| {
            self.written(name, self.group.into(), invocation, operands)
        };
        let first = own.first().map_or(0, |own| own.invocation);
        match shader {
            "scan/harris/naive.comp" => {
                let more = if exclusive { self.given(last, stage) } else { None };
                found.extend(sum("SUMS", operands(last).into_iter().chain(more).collect(), last));
            }
            "scan/capannini/cm.comp" => {
                let whole = leaves.get(last as usize).and_then(|address| content(*address, stage));
                found.extend(sum("PARTIAL", whole.into_iter().collect(), first));
            }
            "scan/capannini/up_sweep.comp" => {
                found.extend(sum("PARTIAL", total().into_iter().collect(), first));
            }
            _ => {}
        }
        found
    }
}

/// A sum of two addresses, of which the lower one is the left operand; then the operand that the sum displaced.
fn up(own: &Own, target: &SharedAccess) -> Vec<u32> {
    let (low, high) = ends(own);
    match own.writes().next() {
        Some(first) if first.number != target.number => vec![first.address],
        _ => vec![low, high],
    }
}

/// The sum before a node goes to the left child; with the left child's sum, to the right one. It lies at the right
/// child's address if both are stored, else already at the left one's.
fn down(own: &Own, target: &SharedAccess) -> Vec<u32> {
    let (left, right) = ends(own);
    let both = own.writes().any(|written| written.address == left);
    match (target.address == left, both) {
        (true, _) => vec![right],
        (false, true) => vec![right, left],
        (false, false) => vec![left, right],
    }
}

/// The lowest and the highest address that an invocation reads.
fn ends(own: &Own) -> (u32, u32) {
    let addresses = || own.reads().map(|read| read.address);
    (addresses().min().unwrap_or(0), addresses().max().unwrap_or(0))
}

/// The accesses of a stage, those of all warps together.
fn rows(memory: &SharedMemory, steps: &[&BankStep], invocations: u32) -> Vec<AccessRow> {
    let mut rows: BTreeMap<(u32, u32, bool), AccessRow> = BTreeMap::new();
    for step in steps {
        let row = rows.entry((step.epoch, step.number, step.written)).or_insert_with(|| AccessRow {
            written: step.written,
            served: Vec::new(),
            turns: 0,
            least: 0,
        });
        let mut addresses: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for access in &step.accesses {
            addresses.entry(access.address).or_default().push(access.invocation % invocations);
        }
        let mut asked = vec![0u64; memory.banks as usize];
        let whole = memory.asked(step);
        for (address, invocations) in addresses {
            let mut turn = 0;
            for bank in memory.banks_of(address) {
                asked[bank as usize] += 1;
                turn = turn.max(asked[bank as usize]);
            }
            let most = memory.banks_of(address).map(|bank| whole[bank as usize]).max().unwrap_or(0);
            let conflict = most > step.least;
            row.served.push(Served { address, invocations, turn: row.turns + turn, conflict });
        }
        row.turns += step.degree;
        row.least += step.least;
    }
    rows.into_values().collect()
}
