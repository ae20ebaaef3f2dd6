//! A recording: a run as plain data, with everything that its shaders read. Looking at it needs neither a GPU nor the
//! algorithm.

use std::time::Duration;

use super::{Place, Reader, Reads, SharedAccess, StateAccess};
use crate::algorithm::results::Results;
use crate::algorithm::{Output, Request};
use crate::device::Clock;
use crate::numbers::Numbers;
use crate::operator::Operator;
use crate::plan::{Cost, Layout, Primitives, Region, Uniform};

/// The most items that [`record`](crate::tools::record::record) takes: recordings grow with them.
pub const MAX_RECORDED: u64 = 1 << 16;

/// A recorded run, as plain data.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "recordings", derive(serde::Serialize, serde::Deserialize))]
pub struct Recording {
    /// The algorithm with the parameters that it used, as on the command line: `hybrid:reduce=2`.
    pub algorithm: String,
    /// The request that it served.
    pub request: Request,
    /// The device that ran it: its renderer and version.
    pub device: String,
    /// The clock of the passes' times; `None` if nothing was timed.
    pub clock: Option<Clock>,
    /// All textures and buffers. Everything else refers to them by index.
    pub streams: Vec<StreamInfo>,
    /// The content of the caller's streams.
    pub inputs: Vec<Content>,
    /// The streams that hold results.
    pub outputs: Vec<usize>,
    /// The passes, in the order in which they ran.
    pub passes: Vec<RecordedPass>,
}

/// A texture or a buffer.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "recordings", derive(serde::Serialize, serde::Deserialize))]
pub struct StreamInfo {
    /// The name in the plan.
    pub name: String,
    /// The layout of its items.
    pub layout: Layout,
    /// True if its words are bits.
    #[cfg_attr(feature = "recordings", serde(default, skip_serializing_if = "std::ops::Not::not"))]
    pub bits: bool,
}

/// The content of a texture or a buffer at some time.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "recordings", derive(serde::Serialize, serde::Deserialize))]
pub struct Content {
    /// The index in [`Recording::streams`].
    pub stream: usize,
    /// The elements of all items, in the order of the stream, without padding.
    pub values: Numbers,
}

/// A pass of a recorded run.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "recordings", derive(serde::Serialize, serde::Deserialize))]
pub struct RecordedPass {
    /// The phase in the paper's words.
    pub phase: String,
    /// The draw, capture or dispatch.
    pub work: Work,
    /// The operator of the pass's shaders, if they combine items.
    pub operator: Operator,
    /// All stages, in the order in which data flows; the main one is marked.
    pub shaders: Vec<ShaderText>,
    /// `#define`s by name, those of the engine included.
    pub defines: Vec<(String, i64)>,
    /// Uniforms by name.
    pub uniforms: Vec<(String, Uniform)>,
    /// The streams that it could read; [`super::Place::of`] of a read is an index here.
    pub sources: Vec<ReadStream>,
    /// The content of its targets after the pass; [`super::Place::of`] of a write is an index here.
    pub targets: Vec<Content>,
    /// For each target, which of its texels or items the pass wrote; `None` if that was not recorded.
    #[cfg_attr(feature = "recordings", serde(with = "super::file::columns::written"))]
    pub written: Vec<Option<Vec<bool>>>,
    /// The cost that the algorithm states.
    pub cost: Cost,
    /// The time of the pass alone, if it was timed.
    pub time: Option<Duration>,
    /// The reads of each texel, vertex or invocation. Empty if nothing was recorded.
    pub reads: Vec<Reads>,
    /// The writes of each invocation of a compute shader, as places in the targets.
    pub writes: Option<Reads>,
    /// The points, lines or triangles that were drawn, in texels of the first target from its origin: texel (x, y)
    /// reaches from (x, y) to (x + 1, y + 1). Parts outside of the target were not drawn.
    #[cfg_attr(feature = "recordings", serde(with = "super::file::columns::drawn"))]
    pub drawn: Vec<Vec<[f32; 2]>>,
    /// True if a rewrite of its shaders stopped one of them: it recorded a read of [`STOPPED`](super::STOPPED).
    #[cfg_attr(feature = "recordings", serde(default, skip_serializing_if = "std::ops::Not::not"))]
    pub stopped: bool,
    /// The accesses to shared memory, group by group, each invocation's in its order.
    #[cfg_attr(feature = "recordings", serde(with = "super::file::columns::shared"))]
    pub shared: Vec<SharedAccess>,
    /// The states that tiles published and found, tile by tile, each one's in its order.
    #[cfg_attr(feature = "recordings", serde(default, with = "super::file::columns::states"))]
    pub states: Vec<StateAccess>,
}

/// The command of a pass.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "recordings",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub enum Work {
    /// A draw into a part of its targets.
    Draw {
        /// The primitives that are drawn.
        primitives: Primitives,
        /// The part of the targets that can be written.
        region: Region,
    },
    /// Vertices captured into buffers.
    Capture {
        /// The primitives that are captured.
        primitives: Primitives,
    },
    /// Work groups of a compute shader.
    Dispatch {
        /// Work groups.
        groups: u64,
        /// Invocations in a work group.
        invocations: u32,
        /// The name of the lanes.
        lanes: String,
    },
}

/// A shader's text, as it stands in `glsl/`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "recordings", derive(serde::Serialize, serde::Deserialize))]
pub struct ShaderText {
    /// The path below `glsl/`.
    pub path: String,
    /// The GLSL text, with its includes not expanded.
    pub text: String,
    /// True if it is the main stage of the pass.
    pub main: bool,
    /// True if it ran in the place of the algorithm's own ([`Shader::rewritten`](crate::plan::Shader::rewritten)): what the
    /// plan states of the pass may not be what it did.
    #[cfg_attr(feature = "recordings", serde(default, skip_serializing_if = "std::ops::Not::not"))]
    pub edited: bool,
}

/// A stream that a pass reads.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "recordings", derive(serde::Serialize, serde::Deserialize))]
pub struct ReadStream {
    /// The name in the shader.
    pub name: String,
    /// The index in [`Recording::streams`].
    pub stream: usize,
    /// The item that the shader sees first: parts of a long buffer are bound separately.
    pub first: u64,
}

impl Recording {
    /// The content of a stream before a pass, counted from 0; `None` if nothing had written it. `passes.len()` stands
    /// for the end of the run.
    pub fn before(&self, pass: usize, stream: usize) -> Option<&Numbers> {
        let earlier = self.passes[..pass.min(self.passes.len())].iter().rev().flat_map(|pass| &pass.targets);
        let mut contents = earlier.chain(&self.inputs);
        contents.find(|content| content.stream == stream).map(|content| &content.values)
    }

    /// The content that shows what a pass changed in a target: the target's previous content, if the pass read it; else
    /// the content of another stream of the same layout that it read, as with two alternating textures; else the
    /// target's previous content. `None` if nothing had written it.
    pub fn stood_before(&self, pass: usize, stream: usize) -> Option<&Numbers> {
        let same = |other: usize| other != stream && self.layout(other) == self.layout(stream);
        let read = self.passes.get(pass).map_or(Vec::new(), |of| of.streams_read());
        let other = read.iter().copied().find(|other| same(*other)).filter(|_| !read.contains(&stream));
        self.before(pass, other.unwrap_or(stream))
    }

    /// The results of the run: the final content of its outputs; empty for outputs that were never written.
    pub fn results(&self) -> Results {
        let outputs = self.request.outputs().into_iter().zip(&self.outputs);
        let left = |(output, stream): (Output, &usize)| {
            let left = self.before(self.passes.len(), *stream).cloned();
            (output, left.unwrap_or_else(|| Numbers::of_bytes(output.element, &[])))
        };
        Results::new(outputs.map(left))
    }

    /// The number of elements that a compaction kept, from its final count; `None` if nothing is counted.
    pub fn kept(&self) -> Option<u64> {
        let counted = self.request.outputs().iter().position(|output| *output == Output::COUNT)?;
        let count = self.before(self.passes.len(), *self.outputs.get(counted)?)?;
        count.words().first().copied().map(u64::from)
    }

    /// The cost of all passes before one, counted from 0.
    pub fn cost_before(&self, pass: usize) -> Cost {
        self.passes.iter().take(pass).fold(Cost::default(), |sum, pass| sum + pass.cost)
    }

    /// The round of a pass, counted from 1, and the number of rounds, if its phase returns after others: those of the digits of a
    /// radix sort.
    pub fn round(&self, pass: usize) -> Option<[usize; 2]> {
        let phase = &self.passes.get(pass)?.phase;
        let begins = |end: usize| {
            let begins = |pass: &usize| {
                self.passes[*pass].phase == *phase && (*pass == 0 || self.passes[*pass - 1].phase != *phase)
            };
            (0..end).filter(begins).count()
        };
        Some([begins(pass + 1), begins(self.passes.len())]).filter(|[_, rounds]| *rounds > 1)
    }

    /// The name of a stream.
    pub fn name(&self, stream: usize) -> &str {
        &self.streams[stream].name
    }

    /// The layout of a stream.
    pub fn layout(&self, stream: usize) -> &Layout {
        &self.streams[stream].layout
    }
}

impl RecordedPass {
    /// The streams that it read, each once. A buffer that is bound for writing counts if an invocation read it, where
    /// that was recorded.
    pub fn streams_read(&self) -> Vec<usize> {
        let known = self.reads.iter().any(|reads| !reads.is_empty());
        let mut streams = Vec::new();
        for (of, source) in (0..).zip(&self.sources) {
            let written = self.targets.iter().any(|target| target.stream == source.stream);
            let read = || {
                self.reads.iter().any(|reads| reads.iter().any(|(_, read)| read.iter().any(|p| p.of == of)))
            };
            if !streams.contains(&source.stream) && (!written || !known || read()) {
                streams.push(source.stream);
            }
        }
        streams
    }

    /// The main shader of the pass.
    pub fn main_shader(&self) -> Option<&ShaderText> {
        self.shaders.iter().find(|shader| shader.main)
    }
}

/// The origin of a texel or an item of a target.
impl RecordedPass {
    /// All places read for a place of a target, in the order of the reads, each once: by the texel itself, by the
    /// vertices that drew it, or by the invocations that wrote it.
    pub fn read_for(&self, target: Place) -> Vec<Place> {
        let mut found = Vec::new();
        for reads in &self.reads {
            for reader in self.readers(reads.by, target) {
                for place in reads.of(reader).unwrap_or_default() {
                    if !found.contains(place) {
                        found.push(*place);
                    }
                }
            }
        }
        found
    }

    /// All places of targets that depend on a place of a source, in ascending order.
    pub fn made_from(&self, source: Place) -> Vec<Place> {
        let mut found = Vec::new();
        for reads in &self.reads {
            for reader in reads.who_read(source) {
                found.extend(self.made_by(reads.by, reader));
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The readers of one kind that contributed to a place of a target.
    fn readers(&self, by: Reader, target: Place) -> Vec<usize> {
        match by {
            Reader::Texel => vec![target.index as usize],
            Reader::Vertex => match &self.work {
                Work::Capture { .. } => vec![target.index as usize],
                _ => self.drawers(target.index),
            },
            Reader::Invocation => {
                self.writes.as_ref().map_or_else(Vec::new, |writes| writes.who_read(target))
            }
        }
    }

    /// The places of targets that one reader contributed to.
    fn made_by(&self, by: Reader, reader: usize) -> Vec<Place> {
        let in_all = |index: u32| (0..self.targets.len() as u32).map(move |of| Place { of, index });
        match by {
            Reader::Texel => in_all(reader as u32).collect(),
            Reader::Vertex if matches!(self.work, Work::Capture { .. }) => in_all(reader as u32).collect(),
            Reader::Vertex => self.covered(reader).into_iter().flat_map(in_all).collect(),
            Reader::Invocation => {
                let written = self.writes.as_ref().and_then(|writes| writes.of(reader));
                written.unwrap_or_default().to_vec()
            }
        }
    }

    /// The vertices of the primitives that cover a texel; unknown after a geometry stage.
    pub fn drawers(&self, texel: u32) -> Vec<usize> {
        let Some((region, vertices)) = self.placed() else { return Vec::new() };
        let drawn = self.drawn.iter().enumerate();
        let covering = drawn.filter(|(_, primitive)| texels_of(primitive, region).contains(&texel));
        covering.flat_map(|(number, _)| number * vertices..(number + 1) * vertices).collect()
    }

    /// The texels that the primitive of a vertex covers.
    fn covered(&self, vertex: usize) -> Vec<u32> {
        let Some((region, vertices)) = self.placed() else { return Vec::new() };
        self.drawn.get(vertex / vertices).map_or_else(Vec::new, |primitive| texels_of(primitive, region))
    }

    /// For a draw that its vertices place: the region of the target that can be drawn, and the vertices per primitive.
    fn placed(&self) -> Option<(Region, usize)> {
        let Work::Draw { primitives, region } = &self.work else { return None };
        if self.shaders.iter().any(|shader| shader.path.ends_with(".geom")) {
            return None;
        }
        let vertices = match primitives {
            Primitives::Screen => return None,
            Primitives::Rectangle => 4,
            Primitives::Points(_) => 1,
            Primitives::Lines(_) => 2,
            Primitives::Triangles(_) => 3,
        };
        Some((*region, vertices))
    }
}

/// The texels that a point, a horizontal line, or a triangle of a rectangle covers, by their indices. A line covers all
/// from the texel in which it begins to the one before that in which it ends; a triangle covers its rectangle. Parts
/// outside of the region cover none.
pub(crate) fn texels_of(primitive: &[[f32; 2]], region: Region) -> Vec<u32> {
    let along = |axis: usize| {
        let places = primitive.iter().map(|place| place[axis]);
        (places.clone().fold(f32::MAX, f32::min).floor(), places.fold(f32::MIN, f32::max).floor())
    };
    let ((left, right), (bottom, top)) = (along(0), along(1));
    let point = primitive.len() == 1;
    let right = if point { left + 1.0 } else { right };
    let top = if primitive.len() <= 2 { bottom + 1.0 } else { top };
    let Region { width, height } = region;
    let inside = left >= 0.0 && bottom >= 0.0 && right <= width as f32 && top <= height as f32;
    if !inside {
        return Vec::new();
    }
    let (columns, rows) = (left as u32..right as u32, bottom as u32..top as u32);
    rows.flat_map(|row| columns.clone().map(move |column| row * width + column)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_lines_and_rectangles_cover_texels() {
        let texels_of = |primitive: &[[f32; 2]]| texels_of(primitive, Region { width: 4, height: 3 });
        assert_eq!(texels_of(&[[2.5, 1.5]]), [6]);
        assert_eq!(texels_of(&[[1.5, 2.5], [4.5, 2.5]]), [9, 10, 11], "up to the edge");
        assert_eq!(texels_of(&[[1.5, 2.5], [3.5, 2.5]]), [9, 10]);
        assert_eq!(texels_of(&[[1.5, 2.5], [1.5, 2.5]]), Vec::<u32>::new(), "an empty segment");
        assert_eq!(texels_of(&[[0.0, 1.0], [2.0, 1.0], [0.0, 2.0]]), [4, 5]);
        assert_eq!(texels_of(&[[6.0, 6.0]]), Vec::<u32>::new());
        for strange in [f32::NAN, f32::INFINITY, f32::MAX, -1.0] {
            assert_eq!(texels_of(&[[0.0, 0.0], [1.0, 0.0], [0.0, strange]]), Vec::<u32>::new(), "{strange}");
        }
    }
}
