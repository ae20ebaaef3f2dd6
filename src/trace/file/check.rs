//! Checks that a recording is sound: everything that its numbers point to exists, and every size is sane.
//!
//! A reader can index by a recording's numbers and allocate by its sizes. So both are checked once, here.

use crate::element::ElementType;
use crate::operator::MOST_ELEMENTS;
use crate::plan::{Cost, Layout, Region, Storage};
use crate::trace::{Content, MAX_RECORDED, Place, Reader, Reads, RecordedPass, Recording, Work};

/// Far beyond the streams of a run of [`MAX_RECORDED`] items.
const MAX_STREAMS: usize = 1 << 12;
const MAX_PASSES: usize = 1 << 12;
const MAX_TEXELS: u64 = 1 << 20;
/// A limit with which any sum over all passes still fits.
const MAX_COST: u64 = 1 << 48;
const MAX_INVOCATIONS: u64 = 1 << 24;
/// The highest address in elements: shared memory has some 2^16 words.
const MAX_ADDRESS: u32 = 1 << 18;
const MAX_BARRIERS: u32 = 1 << 20;
/// Characters of a name, such as a phase; pictures lay out names.
const MAX_NAME: usize = 256;
/// Bytes of a shader's text.
const MAX_TEXT: usize = 1 << 20;
/// Named values, or shaders, of a pass.
const MAX_NAMED: usize = 1 << 8;

/// Errors with the reason.
type Checked = Result<(), String>;

fn demand(holds: bool, what: impl FnOnce() -> String) -> Checked {
    if holds { Ok(()) } else { Err(what()) }
}

impl Recording {
    /// Errors if the recording is not sound.
    pub(super) fn check(&self) -> Checked {
        self.request.check().map_err(|error| error.to_string())?;
        let len = self.request.len();
        demand(len <= MAX_RECORDED, || format!("it has {len} items; at most {MAX_RECORDED} are recorded"))?;
        demand(self.streams.len() <= MAX_STREAMS, || format!("it has {} streams", self.streams.len()))?;
        demand(self.passes.len() <= MAX_PASSES, || format!("it has {} passes", self.passes.len()))?;
        for (number, stream) in self.streams.iter().enumerate() {
            layout(&stream.layout).map_err(|error| format!("stream {number} {error}"))?;
        }
        name("algorithm", &self.algorithm)?;
        name("device", &self.device)?;
        for (number, stream) in self.streams.iter().enumerate() {
            name("name", &stream.name).map_err(|error| format!("stream {number}: {error}"))?;
        }
        self.check_inputs()?;
        self.check_outputs()?;
        for (number, pass) in self.passes.iter().enumerate() {
            self.check_pass(pass).map_err(|error| format!("pass {number} {error}"))?;
        }
        Ok(())
    }

    fn check_inputs(&self) -> Checked {
        let inputs = self.request.inputs();
        let expected: Vec<(ElementType, u64)> =
            inputs.iter().map(|input| (input.element, input.elements())).collect();
        let inputs = self.inputs.len();
        demand(inputs == expected.len(), || format!("it has {inputs} inputs; expected {}", expected.len()))?;
        for (number, (input, (element, elements))) in self.inputs.iter().zip(expected).enumerate() {
            self.check_content(input).map_err(|error| format!("input {number} {error}"))?;
            let (got, len) = (input.values.element(), input.values.len());
            demand(got == element && len as u64 == elements, || {
                format!("input {number} has {len} {got}; the request asks for {elements} {element}")
            })?;
        }
        Ok(())
    }

    fn check_outputs(&self) -> Checked {
        let expected = self.request.outputs().len();
        let outputs = self.outputs.len();
        demand(outputs == expected, || format!("it has {outputs} results; expected {expected}"))?;
        self.outputs.iter().try_for_each(|stream| self.check_stream(*stream))
    }

    fn check_stream(&self, stream: usize) -> Checked {
        let streams = self.streams.len();
        demand(stream < streams, || format!("names stream {stream}, but there are {streams}"))
    }

    fn check_content(&self, content: &Content) -> Checked {
        let Content { stream, values } = content;
        self.check_stream(*stream)?;
        let layout = self.layout(*stream);
        let words = layout.elements() * u64::from(layout.element.words());
        demand(values.element() == layout.element && values.words().len() as u64 == words, || {
            let (got, element) = (values.words().len(), values.element());
            format!("has {got} words of {element}, but stream {stream} has {words} of {}", layout.element)
        })
    }

    fn check_pass(&self, pass: &RecordedPass) -> Checked {
        check_names(pass)?;
        for source in &pass.sources {
            self.check_stream(source.stream)?;
            let len = self.layout(source.stream).len;
            demand(source.first <= len, || format!("begins to read at {}, of {len} items", source.first))?;
        }
        pass.targets.iter().try_for_each(|target| self.check_content(target))?;
        let (targets, written) = (pass.targets.len(), pass.written.len());
        demand(written == targets, || format!("has write flags of {written} targets, not {targets}"))?;
        for (target, written) in pass.targets.iter().zip(&pass.written) {
            let layout = self.layout(target.stream);
            let Some(written) = written.as_ref().map(|flags| flags.len() as u64) else { continue };
            demand((layout.texels()..=texels(layout)).contains(&written), || {
                format!("has write flags of {written} texels, but there are {}", layout.texels())
            })?;
        }
        let Cost { texels_read, texels_written, words_read, words_written, vertices, adds, depth } =
            pass.cost;
        let costs = [texels_read, texels_written, words_read, words_written, vertices, adds, depth];
        demand(costs.iter().all(|cost| *cost <= MAX_COST), || "has an implausible cost".into())?;
        self.check_work(pass)?;
        self.check_accesses(pass)
    }

    fn check_work(&self, pass: &RecordedPass) -> Checked {
        match &pass.work {
            Work::Draw { primitives, region } => {
                demand(primitives.vertices() <= MAX_INVOCATIONS, || "has too many vertices".into())?;
                let target = pass.targets.first().ok_or("draws into nothing")?;
                let (layout, Region { width, height }) = (self.layout(target.stream), *region);
                demand(width <= layout.width && height <= layout.height, || {
                    let (columns, rows) = (layout.width, layout.height);
                    format!("draws into {width} x {height} texels of {columns} x {rows}")
                })
            }
            Work::Capture { primitives } => {
                demand(primitives.vertices() <= MAX_INVOCATIONS, || "has too many vertices".into())
            }
            Work::Dispatch { groups, invocations, .. } => {
                let all = groups.saturating_mul(u64::from(*invocations));
                demand(*invocations > 0 && all <= MAX_INVOCATIONS, || {
                    format!("starts {groups} groups of {invocations} invocations")
                })
            }
        }
    }

    /// Checks the reads, and the writes by invocation.
    fn check_accesses(&self, pass: &RecordedPass) -> Checked {
        let sources: Vec<u64> =
            pass.sources.iter().map(|source| texels(self.layout(source.stream))).collect();
        let targets: Vec<u64> =
            pass.targets.iter().map(|target| texels(self.layout(target.stream))).collect();
        for reads in &pass.reads {
            check_readers(pass, reads, &targets)?;
            check_places(reads, &sources).map_err(|error| format!("reads {error}"))?;
        }
        if let Some(writes) = &pass.writes {
            check_readers(pass, writes, &targets)?;
            check_places(writes, &targets).map_err(|error| format!("writes {error}"))?;
        }
        let invocations = invocations(pass);
        for access in &pass.shared {
            let known = u64::from(access.invocation) < invocations;
            demand(known, || format!("has {invocations} invocations, and one {}", access.invocation))?;
            let small = access.address <= MAX_ADDRESS;
            let few = access.epoch <= MAX_BARRIERS && access.number <= MAX_BARRIERS;
            demand(small && few, || "has an implausible access to shared memory".into())?;
        }
        for state in &pass.states {
            let known = u64::from(state.invocation) < invocations && u64::from(state.tile) < MAX_TEXELS;
            let few = state.epoch <= MAX_BARRIERS && state.number <= MAX_BARRIERS;
            let source = sources.get(state.source as usize);
            let there = source.is_some_and(|items| u64::from(state.index) < *items);
            demand(known && few && there, || "has an implausible use of a state".into())?;
        }
        Ok(())
    }
}

/// Checks that a name is short enough.
fn name(what: &str, name: &str) -> Checked {
    let len = name.chars().count();
    demand(len <= MAX_NAME, || format!("the {what} has {len} characters; at most {MAX_NAME} are read"))
}

/// All texts of a pass.
fn check_names(pass: &RecordedPass) -> Checked {
    let RecordedPass { phase, shaders, defines, uniforms, sources, .. } = pass;
    name("phase", phase)?;
    let lists = [shaders.len(), defines.len(), uniforms.len(), sources.len()];
    demand(lists.iter().all(|len| *len <= MAX_NAMED), || {
        format!("has {lists:?} shaders, defines, uniforms and sources; at most {MAX_NAMED} of each are read")
    })?;
    for shader in shaders {
        name("path of a shader", &shader.path)?;
        let len = shader.text.len();
        demand(len <= MAX_TEXT, || format!("has a shader of {len} bytes; at most {MAX_TEXT} are read"))?;
    }
    defines.iter().try_for_each(|(define, _)| name("name of a define", define))?;
    uniforms.iter().try_for_each(|(uniform, _)| name("name of a uniform", uniform))?;
    sources.iter().try_for_each(|source| name("name of a source", &source.name))?;
    match &pass.work {
        Work::Dispatch { lanes, .. } => name("word for lanes", lanes),
        _ => Ok(()),
    }
}

/// Texels of a texture, padding included, or items of a buffer.
fn texels(layout: &Layout) -> u64 {
    u64::from(layout.width) * u64::from(layout.height)
}

fn layout(layout: &Layout) -> Checked {
    let Layout { storage, arity, items_per_texel, len, width, height, .. } = *layout;
    demand(width > 0 && height > 0 && texels(layout) <= MAX_TEXELS, || {
        format!("has {width} x {height} texels; at most {MAX_TEXELS} are recorded")
    })?;
    // Before any product of them.
    let arities = 1..=MOST_ELEMENTS as u32;
    demand(arities.contains(&arity) && (1..=4).contains(&items_per_texel), || {
        format!("has texels of {items_per_texel} items of {arity} elements")
    })?;
    let words = layout.words_per_texel();
    match storage {
        Storage::Texture => {
            // A single item may leave words of its texel unused, and take several planes.
            let fits = [1, 2, 4].contains(&words) || items_per_texel == 1;
            demand(fits, || format!("has texels of {words} words"))?;
            let room = texels(layout) * u64::from(items_per_texel);
            demand(len <= room, || format!("has {len} items but room for {room}"))
        }
        Storage::Buffer => {
            demand(items_per_texel == 1, || format!("has items of {words} words"))?;
            let row = u64::from(width) == len.max(1) && height == 1;
            demand(row, || format!("is a buffer of {len} items in {width} x {height}"))
        }
    }
}

/// Errors if there are more readers than the pass can have had.
fn check_readers(pass: &RecordedPass, reads: &Reads, targets: &[u64]) -> Checked {
    // Texels of a draw have the same index in all its targets, and so do the vertices of a capture.
    let common = targets.iter().copied().min().unwrap_or(0);
    let most = match reads.by {
        Reader::Texel => common,
        Reader::Vertex => match &pass.work {
            Work::Draw { primitives, .. } => primitives.vertices(),
            Work::Capture { primitives } => primitives.vertices().min(common),
            Work::Dispatch { .. } => 0,
        },
        Reader::Invocation => invocations(pass),
    };
    let readers = reads.len();
    demand(readers as u64 <= most, || format!("has {readers} readers, but there were {most}"))
}

/// Errors if a place lies outside of its stream.
fn check_places(reads: &Reads, texels: &[u64]) -> Checked {
    let there =
        |place: &Place| texels.get(place.of as usize).is_some_and(|texels| u64::from(place.index) < *texels);
    match reads.iter().flat_map(|(_, places)| places).find(|place| !there(place)) {
        None => Ok(()),
        Some(place) => Err(format!("item {} of its stream {}, which does not exist", place.index, place.of)),
    }
}

fn invocations(pass: &RecordedPass) -> u64 {
    match &pass.work {
        Work::Dispatch { groups, invocations, .. } => groups.saturating_mul(u64::from(*invocations)),
        _ => 0,
    }
}
