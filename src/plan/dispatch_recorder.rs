//! A dispatch being added to a plan.

use std::ops::Range;

use super::{
    Access, AtMost, Binding, Command, Construct, Cost, Dispatch, ItemType, Lanes, Pass, Plan, Shader, Slot,
    Uniform,
};
use crate::element::ElementType;

impl Plan {
    /// Adds a dispatch of `groups` work groups of `invocations` each. `phase` is the step's name in the paper.
    pub fn dispatch(
        &mut self,
        phase: &'static str,
        shader: Shader,
        lanes: Lanes,
        invocations: u32,
        groups: u64,
    ) -> DispatchRecorder<'_> {
        let indirect = self.next_indirect();
        let dispatch = Dispatch {
            indirect,
            shader,
            lanes,
            defines: Vec::new(),
            bindings: Vec::new(),
            uniforms: Vec::new(),
            groups,
            invocations,
            turns: None,
            first_of_runs: None,
            constructs: Vec::new(),
        };
        self.passes.push(Pass {
            phase,
            command: Command::Dispatch(dispatch),
            item: self.item.clone(),
            scope: self.scope,
            cost: Cost::default(),
            at_most: AtMost::default(),
            fused: None,
        });
        let index = self.passes.len() - 1;
        DispatchRecorder { plan: self, index }
    }
}

/// A dispatch being added. It is already in the plan; each method adds to it.
#[derive(Debug)]
pub struct DispatchRecorder<'p> {
    plan: &'p mut Plan,
    index: usize,
}

impl DispatchRecorder<'_> {
    fn change(self, change: impl FnOnce(&mut Dispatch, &mut Cost)) -> Self {
        let pass = &mut self.plan.passes[self.index];
        if let Command::Dispatch(dispatch) = &mut pass.command {
            change(dispatch, &mut pass.cost);
        }
        self
    }

    /// Binds a whole buffer under a name.
    pub fn bind(self, name: &'static str, slot: Slot, access: Access) -> Self {
        let slot = self.plan.own_or_noted(slot);
        let items = 0..self.plan.layout(slot).len;
        self.bind_part(name, slot, access, items)
    }

    /// The items of a slot.
    pub(super) fn items(&self, slot: Slot) -> u64 {
        self.plan.layout(slot).len
    }

    /// Binds the number of items that count, if it is on the GPU; `common/bound_length.glsl` says what is left of it from
    /// item `first` on.
    pub fn over_length(self, length: Option<Slot>, first: u64) -> Self {
        let Some(length) = length else { return self };
        self.bind("LENGTH", length, Access::Read)
            .define("COUNTED", 1)
            .set("u_begin", Uniform::Int(first as i32))
    }

    /// Binds some items of a buffer.
    pub fn bind_part(self, name: &'static str, slot: Slot, access: Access, items: Range<u64>) -> Self {
        let slot = self.plan.own_or_noted(slot);
        self.change(|dispatch, _| dispatch.bindings.push(Binding { name, slot, access, items, load: None }))
    }

    /// Binds some items of a buffer that are only read, `words` words at a time: 1, 2 or 4. On a CPU the engine binds them as
    /// a texture, and defines `TEXEL_LOADS`: then the shader fetches load number i of the binding `SOURCE` from the
    /// `usamplerBuffer` `u_source` at `u_source_first + i`, as `common/source.glsl` does. Everywhere else it is a storage buffer,
    /// as any binding.
    ///
    /// On llvmpipe (Mesa 22.3, 2^22 u32) adding up a stream takes 2.5 ms through a texture and 18 through a storage buffer,
    /// whose reads go lane by lane.
    pub fn bind_loads(self, name: &'static str, slot: Slot, items: Range<u64>, words: u32) -> Self {
        let (slot, load) = (self.plan.own_or_noted(slot), Some(words));
        self.change(|dispatch, _| {
            dispatch.bindings.push(Binding { name, slot, access: Access::Read, items, load });
        })
    }

    /// Sets a `#define`.
    pub fn define(self, name: &'static str, value: impl Into<i64>) -> Self {
        self.change(|dispatch, _| dispatch.defines.push((name, value.into())))
    }

    /// Makes the groups take turns: so many, each a dispatch of one group, so that the run is the same on every device.
    pub fn in_turns(self, turns: u64) -> Self {
        self.change(|dispatch, _| {
            dispatch.turns = Some(turns);
            dispatch.defines.push(("IN_TURNS", 1));
            dispatch.uniforms.push(("u_turn_groups", Uniform::Int(dispatch.groups as i32)));
        })
    }

    /// Makes it a dispatch for the first of so many runs, from 1 to [`Dispatch::MOST_RUNS`]: [`Dispatch::first_of_runs`].
    pub fn first_of_runs(self, runs: u32) -> Self {
        self.change(|dispatch, _| dispatch.first_of_runs = Some(runs.clamp(1, Dispatch::MOST_RUNS)))
    }

    /// States that the shader relies on a construct that a driver may get wrong, so that the driver is tried first.
    pub fn relies_on(self, construct: Construct) -> Self {
        self.change(|dispatch, _| dispatch.constructs.push(construct))
    }

    /// Sets a uniform. Lengths must not exceed [`i32::MAX`].
    pub fn set(self, name: &'static str, value: impl Into<Uniform>) -> Self {
        self.change(|dispatch, _| dispatch.uniforms.push((name, value.into())))
    }

    /// Sets the element of this pass, which `#include <element>` stands for, if it is not the plan's.
    pub fn element(self, element: ElementType) -> Self {
        self.plan.passes[self.index].item.element = element;
        self
    }

    /// Sets the element and the operator of this pass, if they are not the plan's.
    pub fn item(self, item: ItemType) -> Self {
        self.plan.passes[self.index].item = item;
        self
    }

    /// States how many 32-bit words of the buffers the pass reads and writes in all. Values exchanged within a group do
    /// not count, nor values found in registers or shared memory.
    pub fn moves(self, words_read: u64, words_written: u64) -> Self {
        self.change(|_, cost| {
            cost.words_read += words_read;
            cost.words_written += words_written;
        })
    }

    /// States that these numbers of the cost are maxima, in addition to earlier ones.
    pub fn at_most(self, numbers: AtMost) -> Self {
        let pass = &mut self.plan.passes[self.index];
        pass.at_most = pass.at_most | numbers;
        self
    }

    /// States how often the pass uses the operator in all, and the longest chain in one result.
    pub fn adds(self, adds: u64, depth: u64) -> Self {
        self.change(|_, cost| {
            cost.adds = adds;
            cost.depth = depth;
        })
    }
}
