//! A dispatch of a compute shader: which buffers it binds, how many work groups it starts, and how the
//! invocations of a group exchange values.

use std::ops::Range;

use super::{Command, Cost, Pass, Plan, Shader, Slot, Uniform};
use crate::device::Device;

/// Work groups of a compute shader over storage buffers.
///
/// The engine defines `GROUP`, the invocations in a work group, and for each binding its name as its number:
/// `layout(std430, binding = SOURCE) readonly buffer Source { ... }`. It sets `u_groups`, the number of work
/// groups that were asked for: where they do not fit into one dimension, more are started, and these must
/// return at once (`glsl/common/group.glsl`).
#[derive(Debug, Clone, PartialEq)]
pub struct Dispatch {
    pub shader: Shader,
    /// What `#include <lanes>` stands for.
    pub lanes: Lanes,
    /// `#define`s, in the order in which they were given.
    pub defines: Vec<(&'static str, i64)>,
    pub bindings: Vec<Binding>,
    pub uniforms: Vec<(&'static str, Uniform)>,
    pub groups: u64,
    /// Invocations in a work group.
    pub invocations: u32,
}

/// A part of a buffer that a dispatch sees under a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Binding {
    pub name: &'static str,
    pub slot: Slot,
    pub access: Access,
    /// The items that are bound. Where the first is not 0, its place in bytes must be a multiple of the device's
    /// [`crate::device::Compute::binding_alignment`].
    pub items: Range<u64>,
}

/// What a dispatch does with a buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    Read,
    Write,
    /// Both, as far as no invocation reads what another writes without more ado: atomics, flags, or each its own.
    Update,
}

/// How the invocations of a work group exchange values. *Lanes* are invocations that can read each other's
/// registers; a group is made of warps of lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Lanes {
    /// Each invocation is a warp of its own, and takes a piece of the stream in series. For devices that run
    /// compute shaders on a CPU.
    Serial,
    /// The whole group is one warp: values go through shared memory, between barriers.
    Shared,
    /// Warps are subgroups: `GL_KHR_shader_subgroup`.
    Subgroup,
    /// The same as NVIDIA had it before: `GL_NV_shader_thread_group` and `GL_NV_shader_thread_shuffle`.
    Warp,
}

impl Lanes {
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

    /// The fastest that a device has.
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

    /// What a shader says to have them, below its `#version`.
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
    /// Records a dispatch of `groups` work groups of `invocations` each. `phase` is the step's name in the paper.
    pub fn dispatch(
        &mut self,
        phase: &'static str,
        shader: Shader,
        lanes: Lanes,
        invocations: u32,
        groups: u64,
    ) -> DispatchRecorder<'_> {
        let dispatch = Dispatch {
            shader,
            lanes,
            defines: Vec::new(),
            bindings: Vec::new(),
            uniforms: Vec::new(),
            groups,
            invocations,
        };
        self.passes.push(Pass {
            phase,
            command: Command::Dispatch(dispatch),
            item: self.item.clone(),
            scope: self.scope,
            cost: Cost::default(),
        });
        let index = self.passes.len() - 1;
        DispatchRecorder { plan: self, index }
    }
}

/// A dispatch being recorded. It is already in the plan; each method adds to it.
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
        let items = 0..self.plan.layout(slot).len;
        self.bind_part(name, slot, access, items)
    }

    /// Binds some items of a buffer.
    pub fn bind_part(self, name: &'static str, slot: Slot, access: Access, items: Range<u64>) -> Self {
        self.change(|dispatch, _| dispatch.bindings.push(Binding { name, slot, access, items }))
    }

    /// Sets a `#define`.
    pub fn define(self, name: &'static str, value: impl Into<i64>) -> Self {
        self.change(|dispatch, _| dispatch.defines.push((name, value.into())))
    }

    /// Sets a uniform. Numbers beyond [`i32::MAX`] are no numbers of items.
    pub fn set(self, name: &'static str, value: Uniform) -> Self {
        self.change(|dispatch, _| dispatch.uniforms.push((name, value)))
    }

    /// What `#include <element>` stands for in this pass, where it is not the plan's own.
    pub fn element(self, element: crate::element::ElementType) -> Self {
        self.plan.passes[self.index].item.element = element;
        self
    }

    /// States how many 32-bit words of the buffers the pass reads and writes in all. What invocations exchange
    /// within a group does not count, nor what they find in a register or in shared memory.
    pub fn moves(self, words_read: u64, words_written: u64) -> Self {
        self.change(|_, cost| {
            cost.words_read += words_read;
            cost.words_written += words_written;
        })
    }

    /// States how often the pass uses the operator in all, and the longest chain in one result.
    pub fn adds(self, adds: u64, depth: u64) -> Self {
        self.change(|_, cost| {
            cost.adds = adds;
            cost.depth = depth;
        })
    }
}
