//! A dispatch of a compute shader: the buffers that it binds, the number of work groups, and how the invocations of a
//! group exchange values.
//!
//! `Plan::dispatch` adds one. Buffers are bound by name, to be read, written or updated:
//!
//! ```text
//! plan.dispatch("scan", shader!("scan/look_back/scan.comp"), lanes, group, groups)
//!     .bind_part("SOURCE", source, Access::Read, part)   layout(std430, binding = SOURCE) readonly buffer ...
//!     .bind_part("TARGET", target, Access::Write, part)  layout(std430, binding = TARGET) writeonly buffer ...
//!     .bind("STATES", states, Access::Update)            layout(std430, binding = STATES) coherent volatile buffer ...
//! ```
//!
//! - *Names.* The engine defines each name as the number of its binding, and `GROUP` as the invocations of a group.
//! - *Parts.* A device binds a limited part of a buffer at a time (`Compute::max_binding`: 2^25 words on llvmpipe), at
//!   aligned offsets. `Layout::parts` splits a stream so that whole tiles or blocks fit, and the algorithm adds a
//!   dispatch for each part. What one part passes to the next stays on the GPU.
//! - *Loads.* A binding whose words are only read, one, two or four at a time, is bound by `bind_loads`: a CPU reads it as a
//!   texture (`TEXEL_LOADS`), which takes it a seventh of the time.
//! - *Groups.* More than `Compute::max_groups` of them are started in two dimensions. The excess groups return at once:
//!   `group_index() >= u_groups`.
//! - *Turns.* On request the groups run one after the other, so that every device does the same (`turns`). The engine
//!   defines `IN_TURNS`, and sets `u_turn` and `u_turn_groups`.
//! - *Barriers.* After each dispatch the engine issues a barrier for storage buffers, or for everything if no dispatch
//!   follows: a draw can read the result as vertices or as a texture, and so can the caller.
//! - *Ends.* The length of a buffer is a multiple of 16 bytes, so that a shader can load and store four words at a
//!   time. The last four can reach past the stream's end.
//! - *Cost.* `moves` states the words that a pass moves to and from buffers, the states of tiles included. What stays
//!   within a group is not counted.
//!
//! A clear, which begins a single pass, is a dispatch of `glsl/scan/common/clear.comp`: OpenGL ES 3.1 has no command
//! that clears a buffer, and `glow` lacks that of OpenGL 4.3. It takes 3 microseconds on an H200, a quarter of a scan of
//! 2^20 words. So it is for the first of many runs (`once_in`), and what is published tells its run (`u_run`).
//!
//! # Lanes
//!
//! *Lanes* are invocations that can read each other's values. A *warp* is a set of lanes that can, and a work group
//! consists of warps. Hardware differs, so a shader says `#include <lanes>`, as it says `#include <element>` and
//! `#include <operator>`, and gets one of four files of `glsl/common/lanes/`:
//!
//! | lanes | a warp is | `lane_up`, `lane_down`, `lane_at` | runs |
//! | --- | --- | --- | --- |
//! | `serial` | one invocation, which takes a piece of the stream item by item | return their argument | everywhere; fast on CPUs |
//! | `shared` | the whole group | write to shared memory, wait, read | everywhere |
//! | `subgroup` | a subgroup | are shuffles | with `GL_KHR_shader_subgroup` |
//! | `warp` | a warp of NVIDIA's | are shuffles | with `GL_NV_shader_thread_group` and `GL_NV_shader_thread_shuffle` |
//!
//! The three includes compose. `common/item.glsl` makes `Item` and `combine` from element and operator.
//! `common/sums/items.glsl` makes `Sum` from an item, `common/sums/counts.glsl` from an integer that counts. Lanes
//! exchange a `Sum`. `Lanes::best` picks the kind. Each context is tested once for whether its subgroups are as
//! reported (`src/gl/lanes.rs`).

use std::ops::Range;

use super::{AtMost, Command, Cost, Indirect, Pass, Plan, Shader, Slot, Uniform};
use crate::device::Device;
use crate::unsupported::Unsupported;

/// Work groups of a compute shader over storage buffers.
///
/// The engine defines `GROUP`, the invocations in a work group, and for each binding its name as its number:
/// `layout(std430, binding = SOURCE) readonly buffer Source { ... }`. It sets `u_groups`, the number of work groups
/// asked for: if they do not fit into one dimension, more are started, and the extra ones must return at once
/// (`glsl/common/group.glsl`).
#[derive(Debug, Clone, PartialEq)]
pub struct Dispatch {
    /// The compute stage.
    pub shader: Shader,
    /// The lanes that `#include <lanes>` stands for.
    pub lanes: Lanes,
    /// `#define`s, in the order in which they were added.
    pub defines: Vec<(&'static str, i64)>,
    /// The buffers that it binds, each under a name.
    pub bindings: Vec<Binding>,
    /// Uniforms, in the order in which they were added.
    pub uniforms: Vec<(&'static str, Uniform)>,
    /// Work groups to start; the most of them if they are indirect.
    pub groups: u64,
    /// The groups to start, if a pass computes them.
    pub indirect: Option<Indirect>,
    /// Invocations in a work group.
    pub invocations: u32,
    /// If the groups take turns, the number of turns: each is a dispatch of its own, of one group, and the groups follow
    /// one another round and round. `None` starts all of them at once.
    pub turns: Option<u64>,
    /// If the dispatch is only for the first of so many runs of a prepared plan, their number. What it writes stays for
    /// the later ones, whose shaders find in `u_run` how many runs came before, since this. `None` is for every run.
    pub once_in: Option<u32>,
    /// Constructs that it relies on besides shared memory and barriers: [`DispatchRecorder::relies_on`].
    pub constructs: Vec<Construct>,
}

/// A construct of compute shaders that a driver has computed wrongly without an error. Each context is tried once, before
/// the first plan that relies on it is prepared (`src/gl/trial.rs`); if it fails, such plans are `Unsupported`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Construct {
    /// A tree in shared memory over items from two halves of a block, between barriers. Every dispatch is taken to rely on
    /// it.
    SharedMemory,
    /// Shared memory with unused addresses.
    PaddedSharedMemory,
    /// Groups that take tickets and publish sums for each other, in a long chain.
    Chain,
}

impl std::fmt::Display for Construct {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Construct::SharedMemory => "shared memory",
            Construct::PaddedSharedMemory => "padded shared memory",
            Construct::Chain => "chains of tiles",
        })
    }
}

impl Dispatch {
    /// An error if the dispatch binds more buffers than the device allows: OpenGL 4.3 promises eight, ES 3.1 four.
    pub(crate) fn check_bindings(&self, device: &Device) -> Result<(), Unsupported> {
        let (bound, most) = (self.bindings.len(), device.compute.as_ref().map_or(0, |c| c.max_bindings));
        if bound <= most as usize {
            return Ok(());
        }
        Err(Unsupported::too_large(format!(
            "a pass binds {bound} buffers, and this device allows {most}; ask for fewer streams, or choose an \
             algorithm over textures, such as packed"
        )))
    }
}

/// A part of a buffer that a dispatch binds under a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Binding {
    /// The name in the shader, defined as the binding's number.
    pub name: &'static str,
    /// The buffer.
    pub slot: Slot,
    /// Read, write, or both.
    pub access: Access,
    /// The items that are bound. If the first is not 0, its offset in bytes must be a multiple of the device's
    /// [`crate::device::Compute::binding_alignment`].
    pub items: Range<u64>,
    /// The words that the shader reads at a time, 1, 2 or 4, if it can read them through a texture, too:
    /// [`DispatchRecorder::bind_loads`].
    pub load: Option<u32>,
}

/// The use of a buffer in a dispatch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Only read.
    Read,
    /// Only written.
    Write,
    /// Both, without unsynchronised reads of what other invocations write: atomics, flags, or each invocation its own
    /// items.
    Update,
}

/// The way in which the invocations of a work group exchange values. *Lanes* are invocations that can read each other's
/// registers; a group is made of warps of lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Lanes {
    /// Each invocation is a warp of its own, and takes a piece of the stream in series. For devices that run compute
    /// shaders on a CPU.
    Serial,
    /// The whole group is one warp: values go through shared memory, between barriers.
    Shared,
    /// Warps are subgroups: `GL_KHR_shader_subgroup`.
    Subgroup,
    /// The older form by NVIDIA: `GL_NV_shader_thread_group` and `GL_NV_shader_thread_shuffle`.
    Warp,
}

impl Lanes {
    /// All kinds, in the order of the program's help.
    pub const ALL: [Lanes; 4] = [Lanes::Serial, Lanes::Shared, Lanes::Subgroup, Lanes::Warp];

    /// The name on the command line, and of the file in `glsl/common/lanes/`.
    pub fn name(self) -> &'static str {
        match self {
            Lanes::Serial => "serial",
            Lanes::Shared => "shared",
            Lanes::Subgroup => "subgroup",
            Lanes::Warp => "warp",
        }
    }

    /// The fastest kind that a device has.
    pub fn best(device: &Device) -> Lanes {
        match &device.compute {
            _ if device.software => Lanes::Serial,
            Some(compute) if compute.subgroup > 0 => Lanes::Subgroup,
            Some(compute) if compute.warp > 0 => Lanes::Warp,
            _ => Lanes::Shared,
        }
    }

    /// Lanes in a warp of a group of `invocations`; `None` where the device has no such warps.
    pub fn count(self, device: &Device, invocations: u32) -> Option<u32> {
        let compute = device.compute.as_ref()?;
        match self {
            Lanes::Serial => Some(1),
            Lanes::Shared => Some(invocations),
            Lanes::Subgroup => Some(compute.subgroup).filter(|lanes| *lanes > 0),
            Lanes::Warp => Some(compute.warp).filter(|lanes| *lanes > 0),
        }
    }

    /// The extension lines that a shader needs below its `#version`.
    pub(super) fn extensions(self) -> &'static str {
        match self {
            Lanes::Serial | Lanes::Shared => "",
            Lanes::Subgroup => {
                "#extension GL_KHR_shader_subgroup_basic : require\n\
                 #extension GL_KHR_shader_subgroup_ballot : require\n\
                 #extension GL_KHR_shader_subgroup_shuffle : require\n\
                 #extension GL_KHR_shader_subgroup_shuffle_relative : require\n"
            }
            Lanes::Warp => {
                "#extension GL_NV_shader_thread_group : require\n\
                 #extension GL_NV_shader_thread_shuffle : require\n"
            }
        }
    }
}

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
            once_in: None,
            constructs: Vec::new(),
        };
        self.passes.push(Pass {
            phase,
            command: Command::Dispatch(dispatch),
            item: self.item.clone(),
            scope: self.scope,
            cost: Cost::default(),
            at_most: AtMost::default(),
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

    /// Makes it a dispatch for the first of so many runs, at least 1: [`Dispatch::once_in`].
    pub fn once_in(self, runs: u32) -> Self {
        self.change(|dispatch, _| dispatch.once_in = Some(runs.max(1)))
    }

    /// States that the shader relies on a construct that a driver may get wrong, so that the driver is tried first.
    pub fn relies_on(self, construct: Construct) -> Self {
        self.change(|dispatch, _| dispatch.constructs.push(construct))
    }

    /// Sets a uniform. Lengths must not exceed [`i32::MAX`].
    pub fn set(self, name: &'static str, value: Uniform) -> Self {
        self.change(|dispatch, _| dispatch.uniforms.push((name, value)))
    }

    /// Sets the element of this pass, which `#include <element>` stands for, if it is not the plan's.
    pub fn element(self, element: crate::element::ElementType) -> Self {
        self.plan.passes[self.index].item.element = element;
        self
    }

    /// Sets the element and the operator of this pass, if they are not the plan's.
    pub fn item(self, item: super::ItemType) -> Self {
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
