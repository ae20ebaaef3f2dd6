//! The ways in which the invocations of a work group exchange values.
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

use crate::device::Device;
use crate::named::named;

/// The way in which the invocations of a work group exchange values. *Lanes* are invocations that can read each other's
/// registers; a group is made of warps of lanes. Each name is also that of the file in `glsl/common/lanes/`.
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

named!(Lanes, or "auto" { Serial: "serial", Shared: "shared", Subgroup: "subgroup", Warp: "warp" });

impl Lanes {
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
