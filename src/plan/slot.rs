//! The textures and buffers of a plan, by name: slots, ping-pong pairs, and the slots that can share memory.
//!
//! A plan names as many textures and buffers as it likes. `share_storage` finds the first and the last pass that
//! touches each, and gives two slots of the same shape one texture if their lives do not overlap. Horn's scan of order
//! 16 needs two textures, like that of order 1. The results' textures are never reused within a run.

use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{Layout, Plan, PlanError};

/// A texture or a buffer of a plan. The first slots are the caller's inputs and are only read.
///
/// A slot knows its plan: another plan refuses it ([`PlanError::OtherPlan`]), in the call or, where that has no error, when
/// the plan is prepared. So does a clone of its plan that was made before it. It is equal to the slot of the same position in any plan, so that equal plans are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Slot {
    index: usize,
    serial: Serial,
}

impl Slot {
    /// Position in [`Plan::slots`].
    pub fn index(self) -> usize {
        self.index
    }
}

/// A number that no other slot of the process has. It is no part of what a slot or a plan is: all are equal.
#[derive(Debug, Clone, Copy)]
pub(super) struct Serial(u64);

impl Serial {
    fn next() -> Serial {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Serial(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

impl PartialEq for Serial {
    fn eq(&self, _: &Serial) -> bool {
        true
    }
}

impl Eq for Serial {}

impl Hash for Serial {
    fn hash<H: Hasher>(&self, _: &mut H) {}
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
    /// True if its words are bits, which pictures show in hexadecimal.
    pub bits: bool,
    /// If it is an input of offsets, the items of the stream that they are in.
    pub(crate) offsets_into: Option<u64>,
    serial: Serial,
}

impl SlotInfo {
    pub(super) fn new(name: impl Into<String>, layout: Layout) -> SlotInfo {
        SlotInfo {
            name: name.into(),
            layout,
            zeroed: false,
            content: None,
            bits: false,
            offsets_into: None,
            serial: Serial::next(),
        }
    }

    /// The same for another plan.
    pub(super) fn again(&self) -> SlotInfo {
        SlotInfo { serial: Serial::next(), ..self.clone() }
    }
}

impl Plan {
    /// The slot of a position.
    pub(super) fn nth_slot(&self, index: usize) -> Slot {
        Slot { index, serial: self.slots[index].serial }
    }

    /// The same slot, if it is one of this plan.
    pub(super) fn own(&self, slot: Slot) -> Result<Slot, PlanError> {
        let known = self.slots.get(slot.index).is_some_and(|info| info.serial.0 == slot.serial.0);
        known.then_some(slot).ok_or(PlanError::OtherPlan)
    }

    /// Errors if one is a slot of another plan.
    pub(crate) fn all_own(&self, slots: &[Slot]) -> Result<(), PlanError> {
        slots.iter().try_for_each(|slot| self.own(*slot).map(drop))
    }

    /// Notes that a slot holds offsets in a stream of so many items: if it is an input, uploads to it are checked.
    pub(crate) fn note_offsets(&mut self, slot: Slot, items: u64) {
        if self.is_input(slot) {
            self.slots[slot.index()].offsets_into = Some(items);
        }
    }

    /// The same slot, for calls without errors: another plan's is noted, for [`Plan::check`] to refuse it, and the input
    /// takes its place until then.
    pub(super) fn own_or_noted(&mut self, slot: Slot) -> Slot {
        self.own(slot).unwrap_or_else(|_| {
            self.has_others_slot = true;
            self.input()
        })
    }
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
