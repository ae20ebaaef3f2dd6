//! The origins of items: which reads the operator combined to each word that a pass wrote.
//!
//! An [`Item`] carries the number of its origin. Reads, loads of shared memory and uses of the operator make origins if the
//! machine's log asks for them, and writes note them; kernels just combine and move items. Numbers that a kernel computes
//! itself, such as counts and indices, have none.

use std::collections::HashMap;
use std::fmt;

use crate::Item;

/// The origin of an item that was made from bare words.
pub(crate) const UNKNOWN: u32 = 0;
/// The origin of the identity.
pub(crate) const IDENTITY: u32 = 1;
/// The most reads that are followed back: in sums of high order, the same ones come again and again.
const MOST_READS: usize = 1 << 17;

/// The writes of a pass, and what each was made of.
#[derive(Debug, Clone, Default)]
pub struct Operands {
    /// From number 2 on.
    origins: Vec<Origin>,
    /// All writes, in order.
    pub stores: Vec<Store>,
    /// The number of the last write of each place.
    last: HashMap<Word, usize>,
    /// The stages of a work group that scans a block, in order; empty for others.
    pub spans: Vec<Span>,
    /// The number of the stage at work.
    pub(crate) stage: usize,
}

#[derive(Debug, Clone, Copy)]
enum Origin {
    /// Past the end of a stream.
    Undefined,
    Read(Read),
    Moved(u32),
    Cell {
        address: u32,
        stage: usize,
        made: u32,
    },
    Combined(u32, u32),
}

/// A write of an item.
#[derive(Debug, Clone, Copy)]
pub struct Store {
    /// The texel or the invocation that wrote it.
    pub by: usize,
    /// The number of its stage.
    pub stage: usize,
    /// The place.
    pub word: Word,
    origin: u32,
}

/// A place that is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Word {
    /// An address of shared memory.
    Cell(u32),
    /// An item of a target.
    Item {
        /// The number of the target.
        of: u32,
        /// The item.
        item: u64,
    },
}

/// A read of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Read {
    /// The texel or the invocation that read it.
    pub by: usize,
    /// The number of the source.
    pub of: u32,
    /// The item.
    pub item: u64,
}

/// An operand, as the texel or invocation that combined it had it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Term {
    /// An item of a source.
    Read(Read),
    /// A load from shared memory.
    Cell {
        /// The address.
        address: u32,
        /// The number of the stage in which it was loaded.
        stage: usize,
    },
}

impl Operands {
    fn add(&mut self, origin: Origin) -> u32 {
        self.origins.push(origin);
        self.origins.len() as u32 + IDENTITY
    }

    /// A read of a stream of so many items, which is a target of the pass, too, if it has such a number.
    pub(crate) fn read(&mut self, read: Read, target: Option<u32>, len: u64) -> u32 {
        let written = target.and_then(|of| self.of(Word::Item { of, item: read.item }));
        self.add(match written {
            // The pass itself has written it.
            Some(store) => Origin::Moved(store.origin),
            None if read.item < len => Origin::Read(read),
            None => Origin::Undefined,
        })
    }

    pub(crate) fn loaded(&mut self, address: usize, made: u32) -> u32 {
        self.add(Origin::Cell { address: address as u32, stage: self.stage, made })
    }

    pub(crate) fn combined(&mut self, left: u32, right: u32) -> u32 {
        match (left, right) {
            (IDENTITY, other) | (other, IDENTITY) => other,
            _ => self.add(Origin::Combined(left, right)),
        }
    }

    pub(crate) fn stored(&mut self, by: usize, word: Word, item: &Item) {
        self.last.insert(word, self.stores.len());
        self.stores.push(Store { by, stage: self.stage, word, origin: item.origin });
    }

    /// Forgets all writes but the first.
    pub(crate) fn forget(&mut self, first: usize) {
        for store in self.stores.split_off(first) {
            match self.stores.iter().rposition(|other| other.word == store.word) {
                Some(number) => self.last.insert(store.word, number),
                None => self.last.remove(&store.word),
            };
        }
    }

    /// Begins stage `number` of a group.
    pub(crate) fn begin(&mut self, number: usize, stage: Stage, begin: Moment) {
        self.stage = number;
        if number == self.spans.len() {
            if let Some(last) = self.spans.last_mut() {
                last.end = begin;
            }
            self.spans.push(Span { stage, begin, end: Moment { epoch: u32::MAX, accesses: u32::MAX } });
        }
    }

    /// The last write of a place.
    pub fn of(&self, word: Word) -> Option<&Store> {
        self.last.get(&word).map(|number| &self.stores[*number])
    }

    /// The items that were combined to a written one, the first on the left, followed back through shared memory and other
    /// invocations; none if it is the identity. `None` if that is not known.
    pub fn reads(&self, store: &Store) -> Option<Vec<Read>> {
        let mut reads = Vec::new();
        self.follow(store.origin, |origin| match origin {
            Origin::Cell { made, .. } => Some(made),
            Origin::Read(read) => {
                reads.push(read);
                None
            }
            _ => None,
        })?;
        Some(reads)
    }

    /// The same, followed back to what was loaded from shared memory.
    pub fn terms(&self, store: &Store) -> Option<Vec<Term>> {
        let mut terms = Vec::new();
        self.follow(store.origin, |origin| {
            match origin {
                Origin::Cell { address, stage, .. } => terms.push(Term::Cell { address, stage }),
                Origin::Read(read) => terms.push(Term::Read(read)),
                _ => {}
            }
            None
        })?;
        Some(terms)
    }

    /// Visits what an origin combines, from left to right. `behind` says where to go on.
    fn follow(&self, origin: u32, mut behind: impl FnMut(Origin) -> Option<u32>) -> Option<()> {
        let mut left = vec![origin];
        let mut visited = 0;
        while let Some(number) = left.pop() {
            if number == IDENTITY {
                continue;
            }
            visited += 1;
            match *self.origins.get((number as usize).checked_sub(2)?)? {
                Origin::Undefined => return None,
                Origin::Moved(made) => left.push(made),
                Origin::Combined(first, second) => left.extend([second, first]),
                origin => left.extend(behind(origin)),
            }
            if visited > 4 * MOST_READS {
                return None;
            }
        }
        Some(())
    }
}

/// A part of the scan of a block in shared memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// The items of the block, or its tree, are loaded into shared memory.
    Load,
    /// A level of the up-sweep, by the d of the pseudo-code: from 0, where neighbours are combined.
    Up(u32),
    /// The root is set to the total before the block.
    Root,
    /// A level of the down-sweep, by the d of the pseudo-code: down to 0.
    Down(u32),
    /// A step of a scan without a tree, by the d of the pseudo-code: from 1.
    Step(u32),
    /// The results are stored from shared memory.
    Store,
}

impl Stage {
    /// The name in the marks of the pseudo-code.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Load => "load",
            Stage::Up(_) => "up",
            Stage::Root => "root",
            Stage::Down(_) => "down",
            Stage::Step(_) => "step",
            Stage::Store => "store",
        }
    }

    /// Returns whether it belongs to the loops that combine items, the only ones that the K-model counts.
    pub fn is_counted(self) -> bool {
        matches!(self, Stage::Up(_) | Stage::Down(_) | Stage::Step(_))
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stage::Load => write!(f, "the block is loaded"),
            Stage::Up(d) => write!(f, "up-sweep, d = {d}"),
            Stage::Root => write!(f, "the root is set"),
            Stage::Down(d) => write!(f, "down-sweep, d = {d}"),
            Stage::Step(d) => write!(f, "the loop, d = {d}"),
            Stage::Store => write!(f, "the result is stored"),
        }
    }
}

/// A moment of a group, between two accesses to shared memory. Moments are in the order of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment {
    /// Barriers passed.
    pub epoch: u32,
    /// Accesses of the group's first invocation since.
    pub accesses: u32,
}

/// The time of a stage: from one moment to before another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// The part of the scan.
    pub stage: Stage,
    /// The moment at which it begins.
    pub begin: Moment,
    /// The moment at which the next stage begins.
    pub end: Moment,
}

impl Span {
    /// Returns whether an access belongs to it: by the barriers that its group had passed, and its number since then.
    pub fn holds(&self, epoch: u32, number: u32) -> bool {
        (self.begin..self.end).contains(&Moment { epoch, accesses: number })
    }

    /// Returns whether a group is in it at some time after so many barriers.
    pub fn touches(&self, epoch: u32) -> bool {
        self.begin.epoch <= epoch && Moment { epoch, accesses: 0 } < self.end
    }
}
