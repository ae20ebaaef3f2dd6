//! Shared memory of a work group, stage by stage: its content before and after, what every stored word was made of, and
//! the turns that its banks take.
//!
//! The shaders record their accesses in order, with values. The pass's kernel, run on the same content, says which stage an
//! access is in, and which loads a store combines. Followed back from a result, the operations are the tree that computed it.

use std::collections::BTreeMap;

use rasterscan::operator::Operator;
use rasterscan::tools::Numbers;
use rasterscan::tools::printable::counted;
use rasterscan::trace::{Place, RecordedPass, Recording, SharedAccess, Work};
use rasterscan_kernels::{self as kernels, Operands, Store, Term, replay};
pub use rasterscan_kernels::{Span, Stage};

use super::Item;
use super::banks::{self, BankStep, SharedMemory};
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
    /// The price of the access pattern, in words; empty where the K-model has none.
    pub price: String,
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

/// The stages of a pass's work groups in order; empty if they are not known.
pub fn spans(recording: &Recording, pass: usize) -> Vec<Span> {
    // Groups that look at each other's states scan no blocks, and those of a block do the same.
    let scans = |of: &&RecordedPass| matches!(of.work, Work::Dispatch { .. }) && of.states.is_empty();
    let known = recording.passes.get(pass).filter(scans).and_then(|_| replay(recording, pass, Some(0)));
    known.map_or_else(Vec::new, |operands| operands.spans)
}

/// The stages of a pass's groups in each epoch, the barriers that a group has passed: from 0; empty if they are not known.
/// Most epochs have one stage.
pub fn stages(recording: &Recording, pass: usize) -> Vec<Vec<Stage>> {
    let spans = spans(recording, pass);
    let epochs = spans.last().map_or(0, |last| last.begin.epoch + 1);
    let of = |epoch| spans.iter().filter(|span| span.touches(epoch)).map(|span| span.stage).collect();
    (0..epochs).map(of).collect()
}

/// Shared memory of a pass's work group; `None` if it was not recorded, or is not understood.
pub fn of(recording: &Recording, pass: usize, group: u32) -> Option<GroupMemory> {
    Reader::new(recording, pass, group).map(Reader::read)
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
            Word::Item(place) => format!("{}[{}]", self.stream(place.of, written), place.index),
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
    pub fn describe(&self, stage: usize, operation: Option<usize>) -> String {
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
        let turns = counted(of.turns, "turn");
        match conflict.is_some() || of.turns > of.least {
            true => {
                let conflict = conflict.unwrap_or_default();
                format!("{conflict} {accesses} {turns}; without conflicts, {} would be enough.", of.least)
            }
            false => format!(" {accesses} {turns}, without a conflict."),
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
    operands: Operands,
    /// The accesses of the group, in the order of time.
    accesses: Vec<SharedAccess>,
    element: rasterscan::ElementType,
    arity: u32,
    /// The stages known so far: at first none.
    memory: GroupMemory,
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
        let operands = replay(recording, pass, Some(group as usize))?;
        if !known || operands.spans.is_empty() {
            return None;
        }
        let cells = accesses.iter().map(|access| access.address + 1).max()?;
        let steps = operands.spans.iter().any(|span| matches!(span.stage, Stage::Step(_)));
        let two_buffers = steps && cells > block;
        let name = |stream: usize| recording.name(stream).to_owned();
        let sources = scene.pass.sources.iter().map(|source| name(source.stream));
        let targets = scene.pass.targets.iter().map(|target| name(target.stream));
        let memory = GroupMemory {
            group,
            block,
            invocations,
            banks: banks::number(&scene),
            cells: if two_buffers { cells.max(2 * block) } else { cells },
            two_buffers,
            operator: scene.operator().clone(),
            stages: Vec::new(),
            price: banks::predicted(recording, pass).map_or_else(String::new, |model| model.told_price()),
            names: [sources.collect(), targets.collect()],
            item_words,
        };
        Some(Reader { scene, operands, accesses, element, arity, memory })
    }

    fn read(mut self) -> GroupMemory {
        let GroupMemory { invocations, banks, item_words, cells, .. } = self.memory;
        let memory = SharedMemory::new(&self.accesses, invocations, banks, item_words);
        let mut content: Vec<Option<Item>> = vec![None; cells as usize];
        for (number, span) in self.operands.spans.iter().enumerate() {
            let before = content.clone();
            let mut accesses: Vec<&SharedAccess> =
                self.accesses.iter().filter(|access| span.holds(access.epoch, access.number)).collect();
            // Nothing is written twice in a stage, except by one invocation.
            accesses.sort_by_key(|access| (access.invocation, access.epoch, access.number));
            for access in accesses.into_iter().filter(|access| access.written) {
                content[access.address as usize] = self.item(access);
            }
            let operations = self.operations(number, [&before, &content]);
            let steps: Vec<&BankStep> =
                memory.steps.iter().filter(|step| span.holds(step.epoch, step.number)).collect();
            self.memory.stages.push(MemoryStage {
                stage: span.stage,
                epoch: span.begin.epoch,
                before,
                after: content.clone(),
                operations,
                accesses: rows(&memory, &steps, invocations),
                turns: steps.iter().map(|step| step.degree).sum(),
                least: steps.iter().map(|step| step.least).sum(),
            });
        }
        self.memory
    }

    fn item(&self, access: &SharedAccess) -> Option<Item> {
        let words = &access.words[..self.memory.item_words as usize];
        Item::at(&Numbers::of_bytes(self.element, bytemuck::cast_slice(words)), self.arity, 0)
    }

    /// Everything written in a stage, streams first.
    fn operations(&self, stage: usize, content: [&[Option<Item>]; 2]) -> Vec<Operation> {
        let mut found: Vec<Operation> = Vec::new();
        for store in self.operands.stores.iter().filter(|store| store.stage == stage) {
            let Some(made) = self.operation(store, content) else { continue };
            // The identity may be stored first, and then the item.
            found.retain(|other| (other.invocation, other.target) != (made.invocation, made.target));
            found.push(made);
        }
        found.sort_by_key(|operation| match operation.target {
            Word::Item(place) => (place.of, 0),
            Word::Cell(_) => (u32::MAX, operation.invocation),
        });
        found
    }

    /// A store as an operation; `None` if the recording says otherwise.
    fn operation(&self, store: &Store, [before, after]: [&[Option<Item>]; 2]) -> Option<Operation> {
        let operand = |term: Term| match term {
            Term::Cell { address, stage } => {
                let content = self.memory.stages.get(stage).map_or(before, |stage| &stage.before);
                let value = (*content.get(address as usize)?)?;
                Some(Operand { word: Word::Cell(address), value, stage })
            }
            Term::Read(read) => {
                let stream = self.scene.pass.sources.get(read.of as usize)?.stream;
                let values = self.scene.recording.before(self.scene.number, stream)?;
                let value = Item::at(values, self.scene.recording.layout(stream).arity, read.item)?;
                let place = Place { of: read.of, index: u32::try_from(read.item).ok()? };
                Some(Operand { word: Word::Item(place), value, stage: store.stage })
            }
        };
        let operands: Vec<Operand> =
            self.operands.terms(store)?.into_iter().map(operand).collect::<Option<_>>()?;
        let (target, value) = match store.word {
            kernels::Word::Cell(address) => (Word::Cell(address), (*after.get(address as usize)?)?),
            kernels::Word::Item { of, item } => {
                let place = Place { of, index: u32::try_from(item).ok()? };
                (Word::Item(place), self.scene.target(of as usize)?.item(item)?)
            }
        };
        let values: Vec<Item> = operands.iter().map(|operand| operand.value).collect();
        let identity = Item::identity(self.scene.operator(), value.element());
        let sum = Item::fold(self.scene.operator(), &values).unwrap_or(identity);
        let invocation = store.by as u32 % self.memory.invocations;
        sum.is_about(&value).then_some(Operation { invocation, operands, target, value })
    }
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
