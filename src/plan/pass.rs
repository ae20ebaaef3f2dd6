//! One pass of a plan: what it draws or dispatches, reads, writes and costs.
//!
//! A pass is a *draw* or a *dispatch* ([`Command`]); there is no third kind. A draw has vertices, the stages that they
//! go through, the textures that it reads and those that it writes. Its vertices form one of these ([`Primitives`]):
//!
//! | draw | vertices | use |
//! | --- | --- | --- |
//! | full screen | one triangle over the region, from `glsl/common/fullscreen.vert` | a fragment for every texel: most passes |
//! | rectangle | a strip of four | the same over a part that the vertex stage computes: the rows that a result fills |
//! | points | one per element | scatter: a vertex moves an element to its position |
//! | lines | two per segment | a run of texels in a row, moved as one |
//! | triangles | six per rectangle | the same where lines are not exact |
//!
//! A draw reads up to sixteen textures and writes one or more, in a region that starts at the origin; a smaller result
//! is a smaller region. A geometry stage can stand between vertices and fragments, on devices that have one.
//!
//! A *capture* is a draw without a fragment stage: transform feedback writes the output of the vertex or geometry stage
//! to buffers, one item per vertex. `Plan::draw` adds a full-screen draw, `Plan::draw_vertices` the other draws, and
//! `Plan::capture` a capture.
//!
//! So streams lie in textures or in buffers; a `Layout` says which. Captures write buffers. A draw reads a buffer as
//! the attributes of its vertices, or as a texture on devices that allow it (`usamplerBuffer`, OpenGL 3.3 or ES 3.2).

use std::sync::Arc;

use super::{Access, Dialect, Dispatch, ItemType, Region, Shader, Slot, Storage, Uniform};
use crate::device::{Api, Device};
use crate::unsupported::Unsupported;

/// A pass: one step of the algorithm, under its name in the paper.
#[derive(Debug, Clone, PartialEq)]
pub struct Pass {
    /// The phase in the paper's words: "scan", "reduce", "down-sweep" ...
    pub phase: &'static str,
    /// The draw or the dispatch.
    pub command: Command,
    /// The element and the operator of its shaders.
    pub item: ItemType,
    /// The index in [`super::Plan::scopes`] of the algorithm that added it.
    pub scope: usize,
    /// Its stated cost.
    pub cost: Cost,
    /// The numbers of the cost that are maxima.
    pub at_most: AtMost,
    /// The map that is part of it.
    pub(super) fused: Option<Fused>,
}

/// A map that is part of a pass.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Fused {
    /// The sampler that a draw would read, and the slot that the map would write.
    pub sampler: Option<&'static str>,
    pub mapped: Slot,
    /// The map, and the pass that reads its result, each on its own.
    pub apart: Arc<[Pass; 2]>,
}

/// The kinds of pass.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Command {
    /// Vertices that become texels of one or more textures, or a capture in buffers.
    Draw(Draw),
    /// Work groups of a compute shader, over buffers.
    Dispatch(Dispatch),
}

/// A draw. With a fragment stage it writes textures; without one it is a *capture*: transform feedback writes the
/// output of the vertex or the geometry stage into buffers.
#[derive(Debug, Clone, PartialEq)]
pub struct Draw {
    /// The primitives that are drawn.
    pub primitives: Primitives,
    /// The shaders.
    pub stages: Stages,
    /// `#define`s, in the order in which they were added.
    pub defines: Vec<(&'static str, i64)>,
    /// Sampler uniforms and the slots they read.
    pub reads: Vec<(&'static str, Slot)>,
    /// Buffers whose items are the vertices' attributes at location 0, 1, ..., as unsigned words.
    pub attributes: Vec<Slot>,
    /// Uniforms, in the order in which they were added.
    pub uniforms: Vec<(&'static str, Uniform)>,
    /// Render targets 0, 1, ...; of a capture, its buffers.
    pub writes: Vec<Slot>,
    /// The outputs of the last stage that a capture writes, one for each buffer.
    pub captured: Vec<&'static str>,
    /// The part of the targets that can be written.
    pub region: Region,
}

impl Draw {
    /// An error if the draw has more vertices than the device numbers correctly.
    pub(crate) fn check_vertices(&self, device: &Device) -> Result<(), Unsupported> {
        let (vertices, right) = (self.primitives.vertices(), device.exact_vertices);
        if right < u32::MAX && self.stages.geometry.is_some() {
            // Mesa's softpipe 22.3.6: after a draw of one vertex, the second vertex of a draw of two has number 0.
            return Err(Unsupported::feature(
                "a geometry stage relies on vertex numbers, which this device gets wrong from draw to draw; \
                 choose an algorithm without geometry shaders, such as packed",
            ));
        }
        if vertices <= u64::from(right) {
            return Ok(());
        }
        Err(Unsupported::feature(format!(
            "a draw of {vertices} vertices relies on their numbers, and this device restarts at 0 after \
             {right}; use a shorter stream, or an algorithm that draws no vertices, such as horn"
        )))
    }
}

/// The primitives that a draw's vertices form. Each number counts vertices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(
    feature = "recordings",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum Primitives {
    /// One triangle over the whole region: a fragment for every texel of it.
    Screen,
    /// A strip of four vertices: a rectangle whose corners the vertex stage knows.
    Rectangle,
    /// One vertex each.
    Points(u64),
    /// Two vertices each.
    Lines(u64),
    /// Three vertices each.
    Triangles(u64),
}

impl Primitives {
    /// Vertices in all.
    pub fn vertices(self) -> u64 {
        match self {
            Primitives::Screen => 3,
            Primitives::Rectangle => 4,
            Primitives::Points(vertices) | Primitives::Lines(vertices) | Primitives::Triangles(vertices) => {
                vertices
            }
        }
    }
}

/// The programmable stages of a draw.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Stages {
    /// The vertex stage.
    pub vertex: Shader,
    /// The geometry stage, if any.
    pub geometry: Option<Shader>,
    /// `None` in captures.
    pub fragment: Option<Shader>,
}

impl Stages {
    /// All stages, in the order in which data flows.
    pub fn iter(&self) -> impl Iterator<Item = &Shader> {
        [Some(&self.vertex), self.geometry.as_ref(), self.fragment.as_ref()].into_iter().flatten()
    }

    /// The main stage: the one that is not the engine's own, or the last of them.
    pub fn main(&self) -> &Shader {
        self.fragment.as_ref().or(self.geometry.as_ref()).unwrap_or(&self.vertex)
    }
}

/// The cost of a pass, counted from the algorithm and not measured. Where it depends on the data, as in a compaction,
/// it is the maximum: everything is kept, and no search ends early. [`Pass::at_most`] says which numbers are maxima. In a
/// single pass, each tile comes after all before it are done, and of the states that it looks at, those that it uses count.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "recordings", derive(serde::Serialize, serde::Deserialize))]
pub struct Cost {
    /// Texels that the shaders fetch for items, counted once per fetch; without those for padding.
    pub texels_read: u64,
    /// Texels that the pass writes, padding of the region included.
    pub texels_written: u64,
    /// 32-bit words in the texels read and in the vertices' attributes, or read from storage buffers: there, a word that
    /// several invocations of a group read between two barriers counts once, and neither padding nor tickets count.
    pub words_read: u64,
    /// 32-bit words in the texels written and in the buffers captured, or written to storage buffers, without padding.
    pub words_written: u64,
    /// Vertices that the vertex stage processes, apart from those of full-screen draws.
    pub vertices: u64,
    /// Uses of the operator.
    pub adds: u64,
    /// The longest chain of uses of the operator that ends in one result. Those that combine with the identity do not lengthen
    /// it.
    pub depth: u64,
}

/// The numbers of a pass's cost that are maxima, since they depend on the data, on timing, or on where an item lies. A run
/// of the plan never counts more, and some count less; of passes that share a maximum, such as the draws of the two parts
/// of a segment, the first one states it. The other numbers are those of every run, except the depth: it is a maximum
/// always.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AtMost {
    /// Texels and words read.
    pub read: bool,
    /// Texels and words written.
    pub written: bool,
    /// Uses of the operator.
    pub adds: bool,
}

impl AtMost {
    /// The numbers of texels and words that the pass reads.
    pub const READ: AtMost = AtMost { read: true, written: false, adds: false };
    /// The numbers of texels and words that it writes.
    pub const WRITTEN: AtMost = AtMost { read: false, written: true, adds: false };
    /// Its uses of the operator.
    pub const ADDS: AtMost = AtMost { read: false, written: false, adds: true };
}

impl std::ops::BitOr for AtMost {
    type Output = AtMost;

    /// The numbers of both.
    fn bitor(self, other: AtMost) -> AtMost {
        AtMost {
            read: self.read || other.read,
            written: self.written || other.written,
            adds: self.adds || other.adds,
        }
    }
}

impl std::ops::Add for Cost {
    type Output = Cost;

    /// The cost of two passes one after the other.
    fn add(self, other: Cost) -> Cost {
        Cost {
            texels_read: self.texels_read + other.texels_read,
            texels_written: self.texels_written + other.texels_written,
            words_read: self.words_read + other.words_read,
            words_written: self.words_written + other.words_written,
            vertices: self.vertices + other.vertices,
            adds: self.adds + other.adds,
            depth: self.depth + other.depth,
        }
    }
}

impl Cost {
    /// Words read and written.
    pub fn words_moved(&self) -> u64 {
        self.words_read + self.words_written
    }
}

impl Pass {
    /// Slots that the pass reads: through samplers, as attributes, or in storage buffers.
    pub fn reads(&self) -> impl Iterator<Item = Slot> + '_ {
        let (draw, bindings) = match &self.command {
            Command::Draw(draw) => (Some(draw), &[][..]),
            Command::Dispatch(dispatch) => (None, &dispatch.bindings[..]),
        };
        let drawn = draw
            .into_iter()
            .flat_map(|draw| draw.reads.iter().map(|&(_, slot)| slot).chain(draw.attributes.iter().copied()));
        let indirect = match &self.command {
            Command::Dispatch(dispatch) => dispatch.indirect.map(|indirect| indirect.groups),
            Command::Draw(_) => None,
        };
        drawn.chain(bindings.iter().filter(|b| b.access != Access::Write).map(|b| b.slot)).chain(indirect)
    }

    /// Slots that the pass writes: render targets, captures, or storage buffers.
    pub fn writes(&self) -> Vec<Slot> {
        match &self.command {
            Command::Draw(draw) => draw.writes.clone(),
            Command::Dispatch(dispatch) => {
                dispatch.bindings.iter().filter(|b| b.access != Access::Read).map(|b| b.slot).collect()
            }
        }
    }

    /// Returns true if the pass reads or writes a slot.
    pub fn touches(&self, slot: Slot) -> bool {
        self.writes().contains(&slot) || self.reads().any(|read| read == slot)
    }

    /// If the pass is only for the first of so many runs, their number, at most [`Dispatch::MOST_RUNS`]: [`Dispatch::first_of_runs`].
    pub fn first_of_runs(&self) -> Option<u32> {
        match &self.command {
            Command::Draw(_) => None,
            Command::Dispatch(dispatch) => dispatch.first_of_runs.map(|runs| runs.min(Dispatch::MOST_RUNS)),
        }
    }

    /// The main shader of the pass.
    pub fn main_shader(&self) -> &Shader {
        match &self.command {
            Command::Draw(draw) => draw.stages.main(),
            Command::Dispatch(dispatch) => &dispatch.shader,
        }
    }

    /// All shaders of the pass, in the order in which data flows.
    pub fn shaders(&self) -> Vec<&Shader> {
        match &self.command {
            Command::Draw(draw) => draw.stages.iter().collect(),
            Command::Dispatch(dispatch) => vec![&dispatch.shader],
        }
    }

    /// Puts other shaders in the place of all stages.
    pub(super) fn change_shaders(&mut self, change: &dyn Fn(&Shader) -> Shader) {
        match &mut self.command {
            Command::Draw(Draw { stages, .. }) => {
                stages.vertex = change(&stages.vertex);
                stages.geometry = stages.geometry.as_ref().map(change);
                stages.fragment = stages.fragment.as_ref().map(change);
            }
            Command::Dispatch(dispatch) => dispatch.shader = change(&dispatch.shader),
        }
        self.change_apart(|pass| pass.change_shaders(change));
    }

    /// Changes the map that is part of the pass, and the pass without it.
    pub(super) fn change_apart(&mut self, change: impl Fn(&mut Pass)) {
        if let Some(fused) = &mut self.fused {
            let mut apart = (*fused.apart).clone();
            apart.iter_mut().for_each(change);
            fused.apart = Arc::new(apart);
        }
    }

    /// All `#define`s of the pass's shaders, those of the engine included.
    pub fn defines(&self) -> Vec<(&'static str, i64)> {
        match &self.command {
            Command::Draw(draw) => draw.defines.clone(),
            Command::Dispatch(dispatch) => {
                let bindings = (0..).zip(&dispatch.bindings).map(|(number, binding)| (binding.name, number));
                let group = [("GROUP", i64::from(dispatch.invocations))];
                group.into_iter().chain(bindings).chain(dispatch.defines.iter().copied()).collect()
            }
        }
    }

    /// The uniforms of the pass's shaders, without those of the engine.
    pub fn uniforms(&self) -> &[(&'static str, Uniform)] {
        match &self.command {
            Command::Draw(draw) => &draw.uniforms,
            Command::Dispatch(dispatch) => &dispatch.uniforms,
        }
    }

    /// The version of the shading language for the pass's shaders.
    pub fn dialect(&self, api: Api, slots: &[super::SlotInfo]) -> Dialect {
        let draw = match &self.command {
            Command::Draw(draw) => draw,
            Command::Dispatch(dispatch) => return Dialect::of_compute(api, dispatch.lanes),
        };
        let buffer = |slot: &Slot| slots[slot.index()].layout.storage == Storage::Buffer;
        let newer = draw.stages.geometry.is_some() || draw.reads.iter().any(|(_, slot)| buffer(slot));
        Dialect::needed(api, newer)
    }
}
