//! The textures and buffers of a plan, by name: slots, ping-pong pairs, and the slots that can share memory.
//!
//! A plan names as many textures and buffers as it likes. `share_storage` finds the first and the last pass that
//! touches each, and gives two slots of the same shape one texture if their lives do not overlap. Horn's scan of order
//! 16 needs two textures, like that of order 1. The results' textures are never reused within a run.

use std::sync::Arc;

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

/// The description of a plan's texture or buffer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlotInfo {
    /// The name in listings, errors and recordings.
    pub name: String,
    /// The layout of its items.
    pub layout: Layout,
    /// True if it holds zeros before each run. The engine writes them once; the passes restore them.
    pub zeroed: bool,
    /// Constants that it holds, as words. The engine writes them once.
    pub content: Option<Arc<[u32]>>,
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

    /// The slot that the next pass reads.
    pub fn source(&self) -> Slot {
        self.source
    }

    /// The slot that the next pass writes.
    pub fn target(&self) -> Slot {
        self.target
    }

    /// Makes the target the source.
    pub fn swap(&mut self) {
        self.source = self.target;
        std::mem::swap(&mut self.target, &mut self.spare);
    }
}

/// Assigns each slot a piece of storage, so that slots of one shape whose lifetimes do not overlap share one texture or
/// buffer. `None` for the inputs, and for slots that no pass touches and that are not results.
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
        // Memory that persists from run to run is not shared.
        let info = &plan.slots()[slot.index()];
        let kept = |pass: &super::Pass| pass.once_in().is_some() && pass.touches(slot);
        let persists = info.zeroed || info.content.is_some() || plan.passes().iter().any(kept);
        let (first, last) = if persists { (0, usize::MAX) } else { (first, last) };
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
