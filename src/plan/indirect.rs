//! Plans over streams of which only the first items count, as many as a number on the GPU says.
//!
//! A plan is made for a capacity, and each of its passes covers a share of the stream with each row of its target, or
//! with each work group. So a pass needs as many rows or groups as the items that count do. In the texture era the vertex
//! stage reads their number and sizes a rectangle (`common/counted_rows.vert`). In the compute era a pass of one group
//! computes the groups of all dispatches (`common/groups.comp`), which are then indirect.
//!
//! Items past the last one that counts keep any content. Scans need no more than this: nothing flows from right to left.
//! Compactions and reductions leave out what does not count, by `common/length.glsl` and `common/bound_length.glsl`.

use std::sync::Arc;

use super::{Access, Binding, Command, Indirect, Layout, Plan, Primitives, Shader, Slot, Uniform, shader};
use crate::element::ElementType;

/// The items that the passes being added cover: it decides what a draw over the rows of its targets and a dispatch are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Cover {
    /// All items. A draw is one triangle over the whole region, and a dispatch has a fixed number of groups.
    All,
    /// Those that count. A draw is a rectangle, which the vertex stage sizes, and a dispatch is indirect.
    Counted(Counting),
}

impl Cover {
    /// The primitives of a draw over rows, and the vertex stage that places them.
    pub fn rows(self) -> (Primitives, Shader) {
        match self {
            Cover::All => (Primitives::Screen, shader!("common/fullscreen.vert")),
            Cover::Counted(_) => (Primitives::Rectangle, shader!("common/counted_rows.vert")),
        }
    }

    /// The items that count, unless all do.
    pub fn with_gpu_length(self) -> Option<Counting> {
        match self {
            Cover::All => None,
            Cover::Counted(counting) => Some(counting),
        }
    }
}

/// The number of items that count, while passes over them are added.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Counting {
    /// A stream of one u32.
    pub length: Slot,
    /// The most items.
    pub capacity: u64,
    /// Work groups that are needed together, if any of them is: those of the members of tuples.
    together: u64,
    /// The indirect dispatches, once there is one.
    dispatches: Option<Dispatches>,
}

/// The pass that computes the groups of the dispatches after it.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Dispatches {
    pass: usize,
    /// Constants of each dispatch.
    table: Slot,
    groups: Slot,
}

/// Groups that every device with compute shaders starts in one dimension.
const MOST_GROUPS: u32 = 65_535;

/// Words of the table for each dispatch.
const ENTRY: u64 = 4;

impl Plan {
    /// Adds passes over a stream of at most `capacity` items, of which as many count as `length` says, a stream of one
    /// u32; more than the capacity is the capacity. Full-screen draws and dispatches that are added by `add` cost what
    /// counts.
    pub fn indirect<R>(&mut self, length: Slot, capacity: u64, add: impl FnOnce(&mut Plan) -> R) -> R {
        self.indirect_tuples(length, capacity, 1, add)
    }

    /// The same for a stream in tuples, whose members may be in groups of their own.
    pub(crate) fn indirect_tuples<R>(
        &mut self,
        length: Slot,
        capacity: u64,
        tuple: u32,
        add: impl FnOnce(&mut Plan) -> R,
    ) -> R {
        let (length, together) = (self.own_or_noted(length), tuple.into());
        let counting = Counting { length, capacity: capacity.max(1), together, dispatches: None };
        let outer = std::mem::replace(&mut self.cover, Cover::Counted(counting));
        let first = self.passes.len();
        let added = add(self);
        if let Cover::Counted(counting) = self.cover {
            self.complete(counting, first);
        }
        self.cover = outer;
        added
    }

    /// Returns true if passes are being added over items that are counted.
    pub(crate) fn is_counting(&self) -> bool {
        self.cover.with_gpu_length().is_some()
    }

    /// The groups of the next dispatch, if it is over items that are counted; adds the pass that computes them.
    pub(super) fn next_indirect(&mut self) -> Option<Indirect> {
        let counting = self.cover.with_gpu_length()?;
        let dispatches = match counting.dispatches {
            Some(dispatches) => dispatches,
            None => {
                // The pass that counts groups is not counted itself.
                self.cover = Cover::All;
                let word = Layout::buffer(ElementType::U32, 1, 1);
                let [table, groups] = ["dispatches", "groups"].map(|name| self.slot(name, word));
                let pass = self.passes.len();
                self.dispatch("groups", shader!("common/groups.comp"), super::Lanes::Serial, 64, 1)
                    .define("MOST_GROUPS", MOST_GROUPS)
                    .bind("LENGTH", counting.length, Access::Read)
                    .bind("DISPATCHES", table, Access::Read)
                    .bind("GROUPS", groups, Access::Write);
                let dispatches = Dispatches { pass, table, groups };
                self.cover = Cover::Counted(Counting { dispatches: Some(dispatches), ..counting });
                dispatches
            }
        };
        let entries = self.layout(dispatches.groups).len / 4;
        self.slots[dispatches.groups.index()].layout = Layout::buffer(ElementType::U32, 1, 4 * (entries + 1));
        Some(Indirect { groups: dispatches.groups, entry: entries })
    }

    /// Fills in the constants of the dispatches from pass `first` on.
    fn complete(&mut self, counting: Counting, first: usize) {
        let Some(Dispatches { pass, table, groups }) = counting.dispatches else { return };
        let Counting { capacity, together, .. } = counting;
        let entries = self.layout(groups).len / 4;
        let mut words = [0u32, 1, 0, 1].repeat(entries as usize);
        for added in &self.passes[first..] {
            let Command::Dispatch(dispatch) = &added.command else { continue };
            let Some(Indirect { entry, .. }) = dispatch.indirect.filter(|indirect| indirect.groups == groups)
            else {
                continue;
            };
            let (from, items) = self.share(&dispatch.bindings, capacity);
            let each = (items * together / dispatch.groups.max(1)).max(1);
            let of = (ENTRY * entry) as usize;
            words[of..of + 4]
                .copy_from_slice(&[dispatch.groups, each, from, together].map(|word| word as u32));
        }
        let info = &mut self.slots[table.index()];
        info.layout = Layout::buffer(ElementType::U32, 1, words.len() as u64);
        info.content = Some(Arc::from(words));
        if let Command::Dispatch(dispatch) = &mut self.passes[pass].command {
            dispatch.uniforms.push(("u_dispatches", Uniform::Int(entries as i32)));
            for Binding { slot, items, .. } in &mut dispatch.bindings {
                *items = 0..self.slots[slot.index()].layout.len;
            }
        }
    }

    /// The first item of the stream, and how many, that a dispatch with these bindings covers: the share that it binds of
    /// its longest buffer.
    fn share(&self, bindings: &[Binding], capacity: u64) -> (u64, u64) {
        let longest = bindings.iter().max_by_key(|binding| self.layout(binding.slot).len);
        let Some(Binding { slot, items, .. }) = longest else { return (0, capacity) };
        let len = u128::from(self.layout(*slot).len.max(1));
        let at = |item: u64| (u128::from(item) * u128::from(capacity) / len) as u64;
        (at(items.start), at(items.end) - at(items.start))
    }
}
