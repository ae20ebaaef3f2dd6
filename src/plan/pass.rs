//! One pass of a plan: what it draws or dispatches, reads, writes and costs.

use super::{Access, Dialect, Dispatch, Region, Shader, Slot, Storage};
use crate::device::Api;
use crate::element::ElementType;
use crate::operator::Operator;

/// The value of a uniform.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(
    feature = "recordings",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub enum Uniform {
    Int(i32),
    Int2([i32; 2]),
}

/// What `#include <element>` and `#include <operator>` stand for in a pass's shaders.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ItemType {
    pub element: ElementType,
    pub operator: Operator,
}

/// A pass: a step of the algorithm under the name that the paper gives it.
#[derive(Debug, Clone, PartialEq)]
pub struct Pass {
    /// The phase in the paper's words: "scan", "reduce", "down-sweep" ...
    pub phase: &'static str,
    pub command: Command,
    pub item: ItemType,
    /// The algorithm that added it, in [`super::Plan::scopes`].
    pub scope: usize,
    pub cost: Cost,
}

/// The kinds of pass.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Command {
    /// Vertices, and what becomes of them: texels of one or more textures, or a capture in buffers.
    Draw(Draw),
    /// Work groups of a compute shader, over buffers.
    Dispatch(Dispatch),
}

/// A draw. With a fragment stage it writes textures; without one it is a *capture*: transform feedback
/// writes what the vertex or the geometry stage puts out into buffers.
#[derive(Debug, Clone, PartialEq)]
pub struct Draw {
    pub primitives: Primitives,
    pub stages: Stages,
    /// `#define`s, in the order in which they were given.
    pub defines: Vec<(&'static str, i64)>,
    /// Sampler uniforms and the slots they read.
    pub reads: Vec<(&'static str, Slot)>,
    /// Buffers whose items are the vertices' attributes at location 0, 1, ..., as unsigned words.
    pub attributes: Vec<Slot>,
    pub uniforms: Vec<(&'static str, Uniform)>,
    /// Render targets 0, 1, ...; of a capture, its buffers.
    pub writes: Vec<Slot>,
    /// What a capture writes: the names of outputs of its last stage, one for each buffer.
    pub captured: Vec<&'static str>,
    /// The part of the targets that can be written.
    pub region: Region,
}

/// What a draw's vertices form. The numbers are vertices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(
    feature = "recordings",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub enum Primitives {
    /// One triangle over the whole region: a fragment for every texel of it.
    Screen,
    /// A strip of four vertices: a rectangle whose corners the vertex stage knows.
    Rectangle,
    Points(u64),
    Lines(u64),
    Triangles(u64),
}

impl Primitives {
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
    pub vertex: Shader,
    pub geometry: Option<Shader>,
    /// `None` in captures.
    pub fragment: Option<Shader>,
}

impl Stages {
    /// All that there are, in the order in which data flows.
    pub fn iter(&self) -> impl Iterator<Item = &Shader> {
        [Some(&self.vertex), self.geometry.as_ref(), self.fragment.as_ref()].into_iter().flatten()
    }

    /// The stage that the pass is about: the one that is not the engine's own, or the last of them.
    pub fn main(&self) -> &Shader {
        self.fragment.as_ref().or(self.geometry.as_ref()).unwrap_or(&self.vertex)
    }
}

/// What a pass does, counted from the algorithm and not measured. Where that depends on the data, as in a
/// compaction, counts are the most that it can be: everything is kept, and no search ends early.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "recordings", derive(serde::Serialize, serde::Deserialize))]
pub struct Cost {
    /// Texels that the shaders fetch for items, each counted as often as it is fetched; not those for padding.
    pub texels_read: u64,
    /// Texels that the pass writes, padding of the region included.
    pub texels_written: u64,
    /// 32-bit words in the texels read and in the vertices' attributes, or read from storage buffers.
    pub words_read: u64,
    /// 32-bit words in the texels written and in the buffers captured, or written to storage buffers.
    pub words_written: u64,
    /// Vertices that the vertex stage processes, apart from those of full-screen draws.
    pub vertices: u64,
    /// Uses of the operator.
    pub adds: u64,
    /// The longest chain of uses of the operator that ends in one result.
    pub depth: u64,
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
        drawn.chain(bindings.iter().filter(|b| b.access != Access::Write).map(|b| b.slot))
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

    pub fn touches(&self, slot: Slot) -> bool {
        self.writes().contains(&slot) || self.reads().any(|read| read == slot)
    }

    /// The shader that the pass is about.
    pub fn main_shader(&self) -> &Shader {
        match &self.command {
            Command::Draw(draw) => draw.stages.main(),
            Command::Dispatch(dispatch) => &dispatch.shader,
        }
    }

    /// All of the pass's shaders, in the order in which data flows.
    pub fn shaders(&self) -> Vec<&Shader> {
        match &self.command {
            Command::Draw(draw) => draw.stages.iter().collect(),
            Command::Dispatch(dispatch) => vec![&dispatch.shader],
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

    /// The version of the shading language that the pass's shaders are written in.
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
