//! Vertices, what they form, and fragments: as much of rasterising as plans use.
//!
//! Full regions, points, rectangles with corners between texels, which hold the texels from the lower left corner up to
//! before the upper right one, and horizontal lines from the centre of a texel to that of another, which leave out the last.

use rasterscan::plan::Primitives;
use rasterscan::trace::Place;

use crate::call::{Call, no_twin};
use crate::item::MOST_WORDS;
use crate::machine::{Machine, is_a_machine};
use crate::operands::Word;
use crate::{Error, Item, Kernel, Operation, Terms, Texel};

/// A vertex stage, bound to a pass.
pub type VertexKernel = Box<dyn Fn(&mut Vertex<'_>)>;
/// A geometry stage, bound to a pass.
pub type GeometryKernel = Box<dyn Fn(&mut Geometry<'_>)>;
/// A fragment stage, bound to a pass.
pub type FragmentKernel = Box<dyn Fn(&mut Fragment<'_>)>;

/// The output of a stage for the next: a position in texels of the target, and values by name.
#[derive(Debug, Clone, Default)]
pub struct VertexOutput {
    /// Columns and rows from the target's origin; `None` outside of every target.
    place: Option<[f32; 2]>,
    values: Vec<(&'static str, [u32; 4])>,
}

impl VertexOutput {
    fn get(&self, name: &str) -> [u32; 4] {
        self.values.iter().find(|(given, _)| *given == name).map_or([0; 4], |(_, value)| *value)
    }

    fn give(&mut self, name: &'static str, value: [u32; 4]) {
        match self.values.iter_mut().find(|(given, _)| *given == name) {
            Some((_, given)) => *given = value,
            None => self.values.push((name, value)),
        }
    }
}

/// A vertex at work.
pub struct Vertex<'m> {
    machine: &'m mut Machine,
    /// Its number: `gl_VertexID`.
    pub number: i32,
    attributes: &'m [usize],
    given: VertexOutput,
}

impl Vertex<'_> {
    /// The words of an attribute.
    pub fn attribute(&self, location: usize) -> [u32; 4] {
        let words = self.machine.memory[self.attributes[location]].texel(self.number as usize);
        let mut channels = [0, 0, 0, 1];
        let words = words.unwrap_or_default();
        channels[..words.len().min(4)].copy_from_slice(&words[..words.len().min(4)]);
        channels
    }

    /// Places the vertex, in texels of the whole target: `position_at`. Until then it is nowhere.
    pub fn place(&mut self, x: f32, y: f32) {
        self.given.place = Some([x, y]);
    }

    /// Gives a value to the next stage, or to a capture, by the name of the output.
    pub fn give(&mut self, name: &'static str, value: [u32; 4]) {
        self.given.give(name, value);
    }
}

/// A geometry stage at work on one primitive.
pub struct Geometry<'m> {
    machine: &'m mut Machine,
    inputs: &'m [VertexOutput],
    strip: Vec<VertexOutput>,
    strips: Vec<Vec<VertexOutput>>,
}

impl Geometry<'_> {
    /// The value that an input vertex of the primitive gave.
    pub fn input(&self, vertex: usize, name: &str) -> [u32; 4] {
        self.inputs[vertex].get(name)
    }

    /// Emits a vertex at a place of the target, with values.
    pub fn emit(&mut self, place: Option<[f32; 2]>, values: &[(&'static str, [u32; 4])]) {
        self.strip.push(VertexOutput { place, values: values.to_vec() });
    }

    /// Ends the strip.
    pub fn end(&mut self) {
        self.strips.push(std::mem::take(&mut self.strip));
    }
}

/// A fragment at work.
pub struct Fragment<'m> {
    machine: &'m mut Machine,
    /// Its texel.
    pub here: Texel,
    flat: &'m VertexOutput,
    targets: &'m [usize],
    out: &'m mut [[u32; MOST_WORDS]],
    discarded: bool,
}

impl Fragment<'_> {
    /// A value from the vertex or the geometry stage.
    pub fn given(&self, name: &str) -> [u32; 4] {
        self.flat.get(name)
    }

    /// Writes words into the texel of a target, by its number; words that are not written are 0.
    pub fn write(&mut self, target: usize, words: &[u32]) {
        self.out[target][..words.len()].copy_from_slice(words);
    }

    /// Writes an item into place `number` of the texel of a target.
    pub fn write_item(&mut self, target: usize, number: usize, item: &Item, operation: &Operation) {
        self.write_words(target, number, item, operation.words);
    }

    /// The same for an item of so many words, which is none of the pass's operator.
    pub fn write_words(&mut self, target: usize, number: usize, item: &Item, words: usize) {
        self.machine.note_depth(item);
        let layout = &self.machine.memory[self.targets[target]].layout;
        let index = self.machine.log.reader as u64 * u64::from(layout.items_per_texel) + number as u64;
        let (by, word) = (self.machine.log.reader, Word::Item { of: target as u32, item: index });
        if let Some(operands) = &mut self.machine.log.operands {
            operands.stored(by, word, item);
        }
        self.out[target][number * words..(number + 1) * words].copy_from_slice(&item.words()[..words]);
    }

    /// Writes nothing.
    pub fn discard(&mut self) {
        self.discarded = true;
    }
}

is_a_machine!(Vertex);
is_a_machine!(Geometry);
is_a_machine!(Fragment);

/// The record of a draw, besides the content of its targets.
#[derive(Default)]
pub struct Drawn {
    /// By texel, or `None` for a capture.
    pub fragments: Option<Vec<Option<Vec<Place>>>>,
    /// By vertex; `None` if they only cover the screen.
    pub vertices: Option<Vec<Option<Vec<Place>>>>,
    /// The primitives, in texels.
    pub primitives: Vec<Vec<[f32; 2]>>,
}

/// A part of the region: columns and rows.
type Area = [std::ops::Range<i32>; 2];

/// Runs a draw.
pub fn draw(machine: &mut Machine, draw: &Call<'_>, run: u32) -> Result<Drawn, Error> {
    let operation = machine.operation();
    let mut drawn = Drawn::default();
    let mut strips: Vec<(Area, VertexOutput)> = Vec::new();
    let region = [draw.region.width as i32, draw.region.height as i32];
    if draw.primitives == Primitives::Screen {
        strips.push(([0..region[0], 0..region[1]], VertexOutput::default()));
    }
    let mut given: Vec<VertexOutput> = Vec::new();
    let mut made: Option<Vec<Vec<VertexOutput>>> = None;
    for (path, kernel) in &draw.stages {
        let terms = Terms::new(draw, path, &operation, run);
        match kernel {
            Kernel::Vertex(bind) => {
                given = vertices(machine, draw, &bind(&terms)?);
                drawn.vertices = Some(std::mem::take(&mut machine.log.reads));
            }
            Kernel::Geometry(bind) => made = Some(after_geometry(machine, draw, &given, &bind(&terms)?)),
            Kernel::Fragment(bind) => {
                if draw.primitives != Primitives::Screen {
                    strips = parts(machine, draw, &given, made.as_deref(), &mut drawn);
                }
                drawn.fragments = Some(fragments(machine, draw, &bind(&terms)?, &strips));
                return Ok(drawn);
            }
            Kernel::Group(_) => return Err(no_twin(path, "kernel of a draw")),
        }
    }
    let captured: Vec<&VertexOutput> = match &made {
        None => given.iter().collect(),
        Some(made) => made.iter().flatten().collect(),
    };
    capture(machine, draw, &captured);
    Ok(drawn)
}

/// The parts of the region that vertices draw, or those that a geometry stage made of them.
fn parts(
    machine: &mut Machine,
    draw: &Call<'_>,
    vertices: &[VertexOutput],
    made: Option<&[Vec<VertexOutput>]>,
    drawn: &mut Drawn,
) -> Vec<(Area, VertexOutput)> {
    if let Some(made) = made {
        if machine.log.lists {
            drawn.primitives = made.iter().flat_map(|strip| primitives_of(strip)).collect();
        }
        return made.iter().filter_map(|strip| part_of(strip, draw, machine)).collect();
    }
    let corners = match draw.primitives {
        Primitives::Rectangle => 4,
        Primitives::Lines(_) => 2,
        Primitives::Triangles(_) => 3,
        _ => 1,
    };
    if machine.log.lists {
        drawn.primitives = vertices.chunks_exact(corners).map(places).collect();
    }
    let together = if corners == 3 { 6 } else { corners };
    if !vertices.len().is_multiple_of(together) {
        machine.fail(|| format!("draws {} vertices, which make no rectangles", vertices.len()));
    }
    vertices.chunks_exact(together).filter_map(|primitive| part_of(primitive, draw, machine)).collect()
}

fn vertices(machine: &mut Machine, draw: &Call<'_>, kernel: &VertexKernel) -> Vec<VertexOutput> {
    let count = draw.primitives.vertices() as usize;
    machine.log.reads = vec![None; if machine.log.lists { count } else { 0 }];
    let attributes = &draw.attributes;
    let words: usize =
        attributes.iter().map(|slot| machine.memory[*slot].layout.words_per_texel() as usize).sum();
    machine.log.counts.vertices = count as u64;
    machine.log.counts.words_read += (count * words) as u64;
    let mut run = |number: usize| {
        machine.log.reader = number;
        if machine.log.lists {
            // Attributes are read before the shader does anything.
            let places = draw.streams.len()..draw.streams.len() + attributes.len();
            let read = places.map(|of| Place { of: of as u32, index: number as u32 });
            machine.log.reads[number] = Some(read.collect());
        }
        let mut vertex =
            Vertex { machine, number: number as i32, attributes, given: VertexOutput::default() };
        kernel(&mut vertex);
        vertex.given
    };
    (0..count).map(&mut run).collect()
}

fn after_geometry(
    machine: &mut Machine,
    draw: &Call<'_>,
    vertices: &[VertexOutput],
    kernel: &GeometryKernel,
) -> Vec<Vec<VertexOutput>> {
    let corners = match draw.primitives {
        Primitives::Lines(_) => 2,
        Primitives::Triangles(_) => 3,
        _ => 1,
    };
    let mut made = Vec::new();
    for inputs in vertices.chunks_exact(corners) {
        let mut geometry = Geometry { machine, inputs, strip: Vec::new(), strips: Vec::new() };
        kernel(&mut geometry);
        made.append(&mut geometry.strips);
    }
    made
}

/// Writes what vertices gave into buffers, one after the other: items, or the elements of items.
fn capture(machine: &mut Machine, draw: &Call<'_>, vertices: &[&VertexOutput]) {
    for (slot, name) in draw.writes.iter().zip(&draw.captured) {
        let memory = &mut machine.memory[*slot];
        let (layout, all) = (memory.layout, vertices.len());
        let (len, words) = match all as u64 == layout.elements() {
            true => (all, layout.element.words()),
            false => (layout.len as usize, layout.words_per_texel()),
        };
        for (place, given) in memory.words_mut().chunks_mut(words as usize).take(len).zip(vertices) {
            place.copy_from_slice(&given.get(name)[..place.len()]);
            machine.log.counts.words_written += u64::from(words);
        }
        if all > len {
            machine.fail(|| format!("captures {all} items, and there is room for {len}"));
        }
    }
}

fn places(primitive: &[VertexOutput]) -> Vec<[f32; 2]> {
    let places: Option<Vec<[f32; 2]>> = primitive.iter().map(|vertex| vertex.place).collect();
    // A primitive that is nowhere draws nothing.
    places.unwrap_or_default()
}

/// The triangles of a strip, as OpenGL orders their vertices: every second one has its first two exchanged, so that all
/// have one orientation. A strip of fewer vertices is one primitive.
fn primitives_of(strip: &[VertexOutput]) -> Vec<Vec<[f32; 2]>> {
    let mut primitives: Vec<_> = strip.windows(strip.len().clamp(1, 3)).map(places).collect();
    primitives
        .iter_mut()
        .skip(1)
        .step_by(2)
        .filter(|triangle| triangle.len() == 3)
        .for_each(|t| t.swap(0, 1));
    primitives
}

/// The texels of a primitive: the vertices of a point, a line, a rectangle's strip, or its two triangles. Of the values,
/// those of the last vertex count, as OpenGL has it.
fn part_of(
    primitive: &[VertexOutput],
    draw: &Call<'_>,
    machine: &mut Machine,
) -> Option<(Area, VertexOutput)> {
    let corners = places(primitive);
    let last = primitive.last()?;
    if corners.is_empty() {
        return None;
    }
    let along = |axis: usize| {
        let of = corners.iter().map(|place| place[axis]);
        (of.clone().fold(f32::MAX, f32::min), of.fold(f32::MIN, f32::max))
    };
    let ((left, right), (bottom, top)) = (along(0), along(1));
    let at_edge =
        |place: f32, (low, high): (f32, f32)| place.fract() == 0.0 && (place == low || place == high);
    let centre = |place: f32| (place - 0.5).fract() == 0.0;
    let (columns, rows) = match corners.len() {
        1 => (left.floor() as i32..left.floor() as i32 + 1, bottom.floor() as i32..bottom.floor() as i32 + 1),
        2 if bottom == top && corners[0][0] == left && centre(left) && centre(right) && centre(bottom) => {
            (left.floor() as i32..right.floor() as i32, bottom.floor() as i32..bottom.floor() as i32 + 1)
        }
        4 | 6 if corners.iter().all(|[x, y]| at_edge(*x, (left, right)) && at_edge(*y, (bottom, top))) => {
            (left as i32..right as i32, bottom as i32..top as i32)
        }
        _ => {
            machine.fail(|| {
                format!("draws {corners:?}, which is neither a point, a line of texels nor a rectangle")
            });
            return None;
        }
    };
    let (width, height) = (draw.region.width as i32, draw.region.height as i32);
    let part = [columns.start.max(0)..columns.end.min(width), rows.start.max(0)..rows.end.min(height)];
    Some((part, last.clone()))
}

fn fragments(
    machine: &mut Machine,
    draw: &Call<'_>,
    kernel: &FragmentKernel,
    strips: &[(Area, VertexOutput)],
) -> Vec<Option<Vec<Place>>> {
    let target = machine.memory[draw.writes[0]].layout;
    let texels = target.width as usize * target.height as usize;
    machine.log.reads = vec![None; if machine.log.lists { texels } else { 0 }];
    let mut out = vec![[0; MOST_WORDS]; draw.writes.len()];
    for ([columns, rows], flat) in strips {
        for y in rows.clone() {
            for x in columns.clone() {
                let texel = y as usize * target.width as usize + x as usize;
                if draw.only.is_some_and(|only| only != texel) {
                    continue;
                }
                machine.log.reader = texel;
                // Work for padding is not counted.
                let padding = (texel as u64 >= target.texels()).then_some(machine.log.counts);
                let before = machine.log.lists.then(|| machine.log.reads[texel].replace(Vec::new()));
                let stored = machine.log.operands.as_ref().map_or(0, |operands| operands.stores.len());
                out.iter_mut().for_each(|out| *out = [0; MOST_WORDS]);
                let mut fragment = Fragment {
                    machine,
                    here: Texel { x, y },
                    flat,
                    targets: &draw.writes,
                    out: &mut out,
                    discarded: false,
                };
                kernel(&mut fragment);
                let discarded = fragment.discarded;
                if let Some(counts) = padding {
                    machine.log.counts = counts;
                }
                if discarded {
                    if let Some(operands) = &mut machine.log.operands {
                        operands.forget(stored);
                    }
                    if let Some(before) = before {
                        machine.log.reads[texel] = before;
                    }
                    continue;
                }
                for (slot, out) in draw.writes.iter().zip(&out) {
                    let memory = &mut machine.memory[*slot];
                    machine.log.counts.texels_written += 1;
                    machine.log.counts.words_written += u64::from(memory.layout.words_per_texel());
                    let at = y as usize * memory.layout.width as usize + x as usize;
                    match memory.texel_mut(at) {
                        Some(words) => {
                            // The last of several planes may have more words than any item.
                            let used = words.len().min(MOST_WORDS);
                            words[..used].copy_from_slice(&out[..used]);
                        }
                        None => machine.fail(|| format!("writes texel ({x}, {y}), past the end of a target")),
                    }
                }
            }
        }
    }
    std::mem::take(&mut machine.log.reads)
}
