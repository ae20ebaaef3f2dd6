//! The textures and buffers of a plan, by name: slots, ping-pong pairs, and which slots may share memory.

use super::{Layout, Plan};

/// A texture or a buffer of a plan. The first slots are the caller's inputs and are only read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Slot(pub(crate) usize);

impl Slot {
    /// Position in [`Plan::slots`].
    pub fn index(self) -> usize {
        self.0
    }
}

/// What a plan knows of one of its textures and buffers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlotInfo {
    pub name: String,
    pub layout: Layout,
    /// Whether it holds zeros before each run. The engine writes them once; the passes leave zeros behind.
    pub zeroed: bool,
}

/// Two textures that switch roles after each pass; the first source is a given slot.
#[derive(Debug)]
pub struct PingPong {
    source: Slot,
    target: Slot,
    spare: Slot,
}

impl PingPong {
    pub(super) fn new(first: Slot, a: Slot, b: Slot) -> Self {
        PingPong { source: first, target: a, spare: b }
    }

    /// What the next pass reads.
    pub fn source(&self) -> Slot {
        self.source
    }

    /// What the next pass writes.
    pub fn target(&self) -> Slot {
        self.target
    }

    /// The target becomes the source.
    pub fn swap(&mut self) {
        self.source = self.target;
        std::mem::swap(&mut self.target, &mut self.spare);
    }
}

/// Assigns each slot a piece of storage, so that slots of one shape which are never alive at the
/// same time share one texture or buffer. `None` for the inputs, and for slots that no pass touches and that
/// are no result.
///
/// The 2006 paper asks for this: "We have tried to minimize texture memory usage by reusing
/// textures wherever possible".
pub fn share_storage(plan: &Plan) -> Vec<Option<usize>> {
    let mut assigned = vec![None; plan.slots().len()];
    // For each piece of storage: its shape, and the last pass that uses it.
    let mut storage: Vec<(Layout, usize)> = Vec::new();
    let mut lives: Vec<(usize, usize, Slot)> = (plan.inputs().len()..plan.slots().len())
        .filter_map(|index| {
            let slot = Slot(index);
            let result = plan.outputs().contains(&slot);
            let mut touching = (0..plan.passes().len()).filter(|&p| plan.passes()[p].touches(slot));
            let first = touching.next().or(result.then_some(0))?;
            let last = touching.next_back().unwrap_or(first);
            Some((first, if result { usize::MAX } else { last }, slot))
        })
        .collect();
    lives.sort_by_key(|&(first, ..)| first);

    for (first, last, slot) in lives {
        let shape = plan.layout(slot);
        let same_shape = |kept: &Layout| {
            (kept.storage, kept.width, kept.height) == (shape.storage, shape.width, shape.height)
                && (kept.element.channel(), kept.words_per_texel())
                    == (shape.element.channel(), shape.words_per_texel())
        };
        // What is kept from run to run shares with nothing.
        let zeroed = plan.slots()[slot.index()].zeroed;
        let (first, last) = if zeroed { (0, usize::MAX) } else { (first, last) };
        let free = storage.iter().position(|(kept, end)| same_shape(kept) && *end < first);
        let index = free.unwrap_or(storage.len());
        if index == storage.len() {
            storage.push((*shape, last));
        } else {
            storage[index].1 = last;
        }
        assigned[slot.index()] = Some(index);
    }
    assigned
}
