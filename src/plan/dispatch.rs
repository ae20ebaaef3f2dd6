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
//! 2^20 words. So it is for the first of many runs (`first_of_runs`), and what is published tells its run.

use std::ops::Range;

use super::{Lanes, Shader, Slot, Uniform};
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
    /// the later ones, whose shaders find how many runs came before, since this, in
    /// `layout(std140, binding = 0) uniform Run { int u_run; };`. `None` is for every run, and [`Dispatch::MOST_RUNS`] is the most.
    pub first_of_runs: Option<u32>,
    /// Constructs that it relies on besides shared memory and barriers: [`DispatchRecorder::relies_on`](super::DispatchRecorder::relies_on).
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
    /// The runs that are told apart, so the most for which a dispatch is issued once.
    pub const MOST_RUNS: u32 = 1024;

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
    /// [`DispatchRecorder::bind_loads`](super::DispatchRecorder::bind_loads).
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

/// The groups of an indirect dispatch: four words in a buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Indirect {
    /// The buffer.
    pub groups: Slot,
    /// The index of the four words.
    pub entry: u64,
}
