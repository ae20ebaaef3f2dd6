//! Recording: a pass issued so that its shaders write down what they read, and that record as plain data.
//!
//! Fragments write into two more render targets, vertices are captured, and invocations append to a buffer. The GLSL
//! for it is in `glsl/common/record/` and `glsl/common/accesses.glsl`.

mod accesses;

use std::rc::Rc;

use super::buffer::Buffer;
use super::dispatch::PreparedDispatch;
use super::draw::{PreparedDraw, Recorded as Target};
use super::gpu::Gpu;
use super::pass::Slots;
use super::program::Value;
use super::stream::Memory;
use super::texture::Texture;
use crate::element::ElementType;
use crate::error::Error;
use crate::memory;
use crate::plan::{Command, Dispatch, Draw, Layout, Pass, Plan, Primitives, Storage};
use crate::trace::{Place, Reader, Reads, Recorded, STOPPED};
use crate::unsupported::Unsupported;

/// Reads that a fragment or a vertex can record in one round.
const ROOM: u32 = 7;

/// Reads of one fragment or vertex that are recorded at most: twice those of a loop over the longest stream that can be
/// shown.
const MOST_READS: u32 = 1 << 13;

/// Accesses that a dispatch can record, at first and at most: 128 MB.
const ACCESSES: u32 = 1 << 16;
const MOST_ACCESSES: u32 = 1 << 22;

/// Records the passes of a plan.
pub struct Recorder<'a> {
    /// The context that runs the plan.
    pub gpu: &'a Gpu,
    /// The plan that is recorded.
    pub plan: &'a Plan,
    /// The plan's own memory, by slot.
    pub own: &'a [Option<Rc<Memory>>],
    /// The memory of all slots in this run.
    pub slots: &'a Slots<'a>,
}

/// The purpose of the memory, in errors.
const RECORDED: &str = "a recording";

/// The reads of each reader so far.
type Lists = Vec<Option<Vec<Place>>>;

/// Takes the marks of stopped shaders from lists of reads. Returns true if there is one.
fn take_stopped(lists: &mut Lists) -> bool {
    let mut stopped = false;
    for list in lists.iter_mut().flatten() {
        let reads = list.len();
        list.retain(|place| place.of != STOPPED);
        stopped |= list.len() < reads;
    }
    stopped
}

/// The data recorded by a draw, four words per reader in each half.
type Halves = [Vec<u8>; 2];

impl Recorder<'_> {
    /// Records a pass. `set_state` sets the state that all passes share, which readbacks change. For a dispatch this is
    /// the run itself; `None` if it could not be recorded, and has not run.
    pub fn record(&self, pass: &Pass, set_state: &dyn Fn()) -> Result<Option<Recorded>, Error> {
        match &pass.command {
            Command::Draw(draw) => self.draw(pass, draw, set_state).map(Some),
            Command::Dispatch(dispatch) => self.dispatch(pass, dispatch, set_state),
        }
    }

    fn draw(&self, pass: &Pass, draw: &Draw, set_state: &dyn Fn()) -> Result<Recorded, Error> {
        let mut recorded = Recorded::default();
        if draw.stages.fragment.is_some() {
            let mut lists = self.fragments(pass, draw, set_state)?;
            recorded.stopped |= take_stopped(&mut lists);
            let reads = Reads::new(Reader::Texel, lists);
            let written = (0..reads.len()).map(|texel| reads.of(texel).is_some());
            recorded.written = vec![Some(written.collect()); draw.writes.len()];
            recorded.reads.push(reads);
        }
        if draw.primitives != Primitives::Screen {
            let (mut lists, positions) = self.vertices(pass, draw, set_state)?;
            recorded.stopped |= take_stopped(&mut lists);
            recorded.reads.push(Reads::new(Reader::Vertex, lists));
            if draw.stages.fragment.is_some() {
                recorded.drawn = match draw.stages.geometry {
                    Some(_) => self.after_geometry(pass, draw, set_state)?,
                    None => primitives(draw, &positions),
                };
            }
        }
        // A pass that reads nothing has no reads to show.
        recorded.reads.retain(|reads| reads.total() > 0);
        Ok(recorded)
    }

    /// The fragments' reads, by the texels of the first target.
    fn fragments(&self, pass: &Pass, draw: &Draw, set_state: &dyn Fn()) -> Result<Lists, Error> {
        let target = self.plan.layout(draw.writes[0]);
        let texels = u64::from(target.width) * u64::from(target.height);
        let layout = Layout {
            storage: Storage::Texture,
            element: ElementType::U32,
            arity: 1,
            items_per_texel: 4,
            len: texels * 4,
            ..*target
        };
        let textures = [Texture::new(self.gpu, &layout)?, Texture::new(self.gpu, &layout)?];
        let into = Target::Fragments([textures[0].id, textures[1].id]);
        let prepared = PreparedDraw::recording(self.gpu, self.plan, pass, draw, self.own, &into)?;
        self.rounds(prepared, texels as usize, set_state, |issue| {
            textures.iter().try_for_each(|texture| texture.upload(&[]))?;
            issue();
            let [low, high] = &textures;
            Ok([low.read(texels as usize * 16)?, high.read(texels as usize * 16)?])
        })
    }

    /// The vertices' reads, from textures and attributes, and their positions.
    fn vertices(
        &self,
        pass: &Pass,
        draw: &Draw,
        set_state: &dyn Fn(),
    ) -> Result<(Lists, Vec<[f32; 4]>), Error> {
        let vertices = draw.primitives.vertices() as usize;
        let buffer = || Buffer::new(self.gpu, &Layout::buffer(ElementType::U32, 1, vertices as u64 * 4));
        let buffers = [buffer()?, buffer()?, buffer()?];
        let ids: Vec<_> = buffers.iter().map(|buffer| buffer.id).collect();
        let into = Target::Vertices(&ids);
        let prepared = PreparedDraw::recording(self.gpu, self.plan, pass, draw, self.own, &into)?;
        let mut lists = self.rounds(prepared, vertices, set_state, |issue| {
            issue();
            Ok([buffers[1].read(vertices * 16)?, buffers[2].read(vertices * 16)?])
        })?;
        // Attributes are read before the shader does anything.
        for (vertex, list) in lists.iter_mut().enumerate() {
            let attributes = draw.reads.len()..draw.reads.len() + draw.attributes.len();
            let read = attributes.map(|of| Place { of: of as u32, index: vertex as u32 });
            list.get_or_insert_default().splice(0..0, read);
        }
        let positions = bytemuck::pod_collect_to_vec(&buffers[0].read(vertices * 16)?);
        Ok((lists, positions))
    }

    /// The primitives that a geometry stage emits.
    fn after_geometry(
        &self,
        pass: &Pass,
        draw: &Draw,
        set_state: &dyn Fn(),
    ) -> Result<Vec<Vec<[f32; 2]>>, Error> {
        // At most two rectangles per line, each of two triangles.
        let most = draw.primitives.vertices() / 2 * 12;
        let buffer = Buffer::new(self.gpu, &Layout::buffer(ElementType::U32, 1, most * 4))?;
        buffer.upload(&memory::filled(0, most as usize * 16, RECORDED)?)?;
        let into = [buffer.id];
        let into = Target::Positions(&into);
        let prepared = PreparedDraw::recording(self.gpu, self.plan, pass, draw, self.own, &into)?;
        set_state();
        prepared.issue(self.gpu, self.slots);
        let corners = prepared.captured_vertices();
        prepared.delete(&self.gpu.0.gl);
        let positions: Vec<[f32; 4]> = bytemuck::pod_collect_to_vec(&buffer.read(most as usize * 16)?);
        // An entry that was not captured has no w.
        let made = positions.chunks_exact(corners).take_while(|primitive| primitive[0][3] != 0.0);
        Ok(made.map(|primitive| primitive.iter().map(|place| in_texels(*place, draw)).collect()).collect())
    }

    /// Issues a draw until all reads are known. `round` issues it once and returns what it recorded.
    fn rounds(
        &self,
        mut prepared: PreparedDraw,
        readers: usize,
        set_state: &dyn Fn(),
        mut round: impl FnMut(&dyn Fn()) -> Result<Halves, Error>,
    ) -> Result<Lists, Error> {
        let mut lists: Lists = memory::filled(None, readers, RECORDED)?;
        let mut first = 0;
        let mut result = Ok(());
        loop {
            prepared.set(self.gpu, "u_record_first", Value::Int(first as i32));
            let halves = round(&|| {
                set_state();
                prepared.issue(self.gpu, self.slots);
            });
            let most = match halves {
                Ok(halves) => absorb(&mut lists, &halves, first),
                Err(error) => {
                    result = Err(error);
                    break;
                }
            };
            first += ROOM;
            if most <= first {
                break;
            }
            if most > MOST_READS {
                let message = format!(
                    "a fragment or vertex makes {most} reads, and at most {MOST_READS} can be recorded; does a loop end?"
                );
                result = Err(Unsupported::too_large(message).into());
                break;
            }
        }
        prepared.delete(&self.gpu.0.gl);
        result.map(|()| lists)
    }

    /// Runs a dispatch whose invocations record their accesses.
    fn dispatch(
        &self,
        pass: &Pass,
        dispatch: &Dispatch,
        set_state: &dyn Fn(),
    ) -> Result<Option<Recorded>, Error> {
        // A second run, needed if the first records more than fits, must start from the same memory.
        let targets = pass.writes().into_iter().filter_map(|slot| self.slots.memory(slot));
        let before = targets.map(|memory| Ok((memory, memory.read_all()?)));
        let before = before.collect::<Result<Vec<(&Memory, Vec<u8>)>, Error>>()?;
        let mut room = ACCESSES;
        loop {
            let words = 4 + u64::from(room) * 8;
            let buffer = Buffer::new(self.gpu, &Layout::buffer(ElementType::U32, 1, words))?;
            buffer.upload(bytemuck::cast_slice(&[0, room, 0, 0]))?;
            let Some(prepared) = PreparedDispatch::recording(self.gpu, self.plan, pass, dispatch, buffer.id)?
            else {
                return Ok(None);
            };
            set_state();
            prepared.issue(self.gpu, self.slots, 0);
            let head: Vec<u32> = bytemuck::pod_collect_to_vec(&buffer.read(16)?);
            let count = head[0];
            if count <= room {
                let bytes = buffer.read((4 + count as usize * 8) * 4)?;
                let words: Vec<u32> = bytemuck::pod_collect_to_vec(&bytes);
                return Ok(Some(accesses::decode(&words[4..], dispatch, self.plan)));
            }
            if count > MOST_ACCESSES {
                return Err(Unsupported::too_large(format!(
                    "a pass makes {count} accesses to buffers and shared memory, and at most {MOST_ACCESSES} \
                     can be recorded; record a shorter stream"
                ))
                .into());
            }
            room = count.saturating_add(count / 4).min(MOST_ACCESSES);
            before.iter().try_for_each(|(memory, bytes)| memory.upload(bytes))?;
        }
    }
}

/// Adds the reads of a round. Returns the most reads of one reader.
fn absorb(lists: &mut Lists, halves: &Halves, first: u32) -> u32 {
    let [low, high]: [Vec<[u32; 4]>; 2] = [0, 1].map(|half| bytemuck::pod_collect_to_vec(&halves[half]));
    let mut most = 0;
    for ((list, low), high) in lists.iter_mut().zip(low).zip(high) {
        // One more than all reads; none if there was no reader.
        let Some(reads) = low[0].checked_sub(1) else { continue };
        most = most.max(reads);
        let kept = low[1..].iter().chain(&high).take(reads.saturating_sub(first) as usize);
        let places = kept.map(|word| Place { of: word >> 27, index: word & 0x7FF_FFFF });
        list.get_or_insert_default().extend(places);
    }
    most
}

/// The primitives formed by vertices with these positions.
fn primitives(draw: &Draw, positions: &[[f32; 4]]) -> Vec<Vec<[f32; 2]>> {
    let vertices = match draw.primitives {
        Primitives::Screen => return Vec::new(),
        Primitives::Rectangle => 4,
        Primitives::Points(_) => 1,
        Primitives::Lines(_) => 2,
        Primitives::Triangles(_) => 3,
    };
    let primitive = |vertices: &[[f32; 4]]| match vertices.iter().any(|place| place[2].abs() > place[3]) {
        // Clipped: a vertex stage draws nothing that way.
        true => Vec::new(),
        false => vertices.iter().map(|place| in_texels(*place, draw)).collect(),
    };
    positions.chunks_exact(vertices).map(primitive).collect()
}

/// A clip-space position in texels of the target.
fn in_texels([x, y, _, w]: [f32; 4], draw: &Draw) -> [f32; 2] {
    let along = |place: f32, texels: u32| (place / w * 0.5 + 0.5) * texels as f32;
    // Positions are multiples of half a texel; the division adds some error.
    [along(x, draw.region.width), along(y, draw.region.height)].map(|place| (place * 64.0).round() / 64.0)
}
