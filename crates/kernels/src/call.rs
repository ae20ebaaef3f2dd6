//! A pass as the engine runs it: one of a plan, or one of a recording.

use std::ops::Range;

use rasterscan::Unsupported;
use rasterscan::plan::{Access, Command, Lanes, Layout, MapTwin, Plan, Primitives, Region, Slot, Uniform};
use rasterscan::trace::{RecordedPass, Recording, Work};

use crate::{CallersKernels, Error, Kernel, kernel, kernel_of};

/// A draw, a capture or a dispatch with the names that its plan or recording has.
pub struct Call<'p> {
    /// The number of the pass, from 0.
    pub number: usize,
    /// Paths and kernels, in the order in which data flows.
    pub stages: Vec<(&'p str, Kernel)>,
    pub defines: Vec<(&'p str, i64)>,
    pub uniforms: Vec<(&'p str, Uniform)>,
    /// The textures of a draw, or the buffers of a dispatch.
    pub streams: Vec<Bound<'p>>,
    /// The buffers of a draw's attributes.
    pub attributes: Vec<usize>,
    /// The slots of the targets.
    pub writes: Vec<usize>,
    /// The outputs that a capture writes.
    pub captured: Vec<&'p str>,
    /// The layout of the first target of a draw.
    pub target: Option<Layout>,
    pub primitives: Primitives,
    pub region: Region,
    pub groups: u64,
    /// Where a pass has computed the groups to start: the slot, and the entry.
    pub indirect: Option<(usize, usize)>,
    pub invocations: u32,
    pub lanes: Lanes,
    /// Turns of groups, if they take turns.
    pub turns: Option<u64>,
    /// The function of a map.
    pub twin: Option<&'p MapTwin>,
    /// The only texel or group that runs.
    pub only: Option<usize>,
}

/// A stream under its name in the shader.
pub struct Bound<'p> {
    pub name: &'p str,
    pub slot: usize,
    pub layout: Layout,
    pub items: Range<u64>,
    pub written: bool,
}

impl<'p> Call<'p> {
    /// A pass of a plan.
    ///
    /// Errors: [`Error::Unsupported`] if a shader has no kernel.
    pub fn of(plan: &'p Plan, number: usize, own: &CallersKernels) -> Result<Call<'p>, Error> {
        let pass = &plan.passes()[number];
        let bound = |name: &'p str, slot: Slot, items: Option<&Range<u64>>, written| {
            let layout = *plan.layout(slot);
            let items = items.map_or(0..layout.len, Range::clone);
            Bound { name, slot: slot.index(), layout, items, written }
        };
        let mut stages = Vec::new();
        for shader in pass.shaders() {
            match kernel_of(shader, own) {
                Some(kernel) => stages.push((shader.path(), kernel)),
                // The triangle over the whole region needs none.
                None if shader.path() == "common/fullscreen.vert" => {}
                None => return Err(no_kernel(shader.path(), number)),
            }
        }
        let writes = pass.writes().iter().map(|slot| slot.index()).collect();
        let call = Call { number, stages, writes, twin: pass.main_shader().twin(), ..Call::nothing() };
        Ok(match &pass.command {
            Command::Draw(draw) => Call {
                defines: draw.defines.clone(),
                uniforms: draw.uniforms.clone(),
                streams: draw.reads.iter().map(|(name, slot)| bound(name, *slot, None, false)).collect(),
                attributes: draw.attributes.iter().map(|slot| slot.index()).collect(),
                captured: draw.captured.clone(),
                target: draw.writes.first().map(|slot| *plan.layout(*slot)),
                primitives: draw.primitives,
                region: draw.region,
                ..call
            },
            Command::Dispatch(dispatch) => {
                let bindings = dispatch.bindings.iter();
                let written = |access| access != Access::Read;
                Call {
                    defines: dispatch.defines.clone(),
                    uniforms: dispatch.uniforms.clone(),
                    streams: bindings
                        .map(|b| bound(b.name, b.slot, Some(&b.items), written(b.access)))
                        .collect(),
                    groups: dispatch.groups,
                    indirect: dispatch.indirect.map(|of| (of.groups.index(), of.entry as usize)),
                    invocations: dispatch.invocations,
                    lanes: dispatch.lanes,
                    turns: dispatch.turns,
                    ..call
                }
            }
            _ => return Err(no_twin(&format!("pass {}", number + 1), "kernel")),
        })
    }

    /// A pass of a recording; `None` if a shader has no kernel, or if it captures, since it is not recorded what.
    pub fn recorded(recording: &'p Recording, number: usize) -> Option<Call<'p>> {
        let pass = recording.passes.get(number)?;
        let shaders = pass.shaders.iter().filter(|shader| shader.path != "common/fullscreen.vert");
        let stages: Option<Vec<_>> =
            shaders.map(|shader| Some((&*shader.path, kernel(&shader.path)?))).collect();
        let written = |stream| pass.targets.iter().any(|target| target.stream == stream);
        let dispatched = matches!(pass.work, Work::Dispatch { .. });
        let streams = pass.sources.iter().map(|source| {
            let layout = *recording.layout(source.stream);
            let written = dispatched && written(source.stream);
            Bound {
                name: &source.name,
                slot: source.stream,
                layout,
                items: source.first..layout.len,
                written,
            }
        });
        let (attributes, streams): (Vec<_>, Vec<_>) =
            streams.partition(|stream| !dispatched && stream.name == "attribute");
        let call = Call {
            number,
            stages: stages?,
            defines: pass.defines.iter().map(|(name, value)| (&**name, *value)).collect(),
            uniforms: pass.uniforms.iter().map(|(name, value)| (&**name, *value)).collect(),
            streams,
            attributes: attributes.iter().map(|stream| stream.slot).collect(),
            writes: pass.targets.iter().map(|target| target.stream).collect(),
            target: pass.targets.first().map(|target| *recording.layout(target.stream)),
            ..Call::nothing()
        };
        match &pass.work {
            Work::Draw { primitives, region } => {
                Some(Call { primitives: *primitives, region: *region, ..call })
            }
            Work::Capture { .. } => None,
            Work::Dispatch { groups, invocations, lanes } => Some(Call {
                groups: *groups,
                invocations: *invocations,
                lanes: Lanes::ALL.into_iter().find(|known| known.name() == lanes)?,
                turns: call.define("IN_TURNS").map(|_| turns(pass, call.int("u_first").unwrap_or(0) as u64)),
                target: None,
                ..call
            }),
        }
    }

    fn nothing() -> Call<'p> {
        Call {
            number: 0,
            stages: Vec::new(),
            defines: Vec::new(),
            uniforms: Vec::new(),
            streams: Vec::new(),
            attributes: Vec::new(),
            writes: Vec::new(),
            captured: Vec::new(),
            target: None,
            primitives: Primitives::Screen,
            region: Region { width: 0, height: 0 },
            groups: 0,
            indirect: None,
            invocations: 0,
            lanes: Lanes::Serial,
            turns: None,
            twin: None,
            only: None,
        }
    }

    /// The value of a `#define`. A later one takes the place of an earlier one of the same name.
    pub fn define(&self, name: &str) -> Option<i64> {
        self.defines.iter().rev().find(|(given, _)| *given == name).map(|(_, value)| *value)
    }

    /// The value of a uniform.
    pub fn uniform(&self, name: &str) -> Option<Uniform> {
        self.uniforms.iter().rev().find(|(given, _)| *given == name).map(|(_, value)| *value)
    }

    /// The value of an `int` uniform.
    pub fn int(&self, name: &str) -> Option<i32> {
        match self.uniform(name)? {
            Uniform::Int(value) => Some(value),
            _ => None,
        }
    }

    /// The path of the main shader.
    pub fn path(&self) -> &'p str {
        self.stages.last().map_or("", |(path, _)| path)
    }
}

/// The turns after which all tiles had theirs.
fn turns(pass: &RecordedPass, first: u64) -> u64 {
    let tiles = pass.states.iter().map(|state| u64::from(state.tile) + 1);
    tiles.max().unwrap_or(0).saturating_sub(first)
}

fn no_kernel(path: &str, number: usize) -> Error {
    let lacks = if path.starts_with("copy/map.") { "twin (`Map::twin`)" } else { "kernel" };
    no_twin(&format!("{path}, of pass {}", number + 1), lacks)
}

/// An error: a pass needs a `lacks`, a kernel or a twin, that is not there.
pub(crate) fn no_twin(what: &str, lacks: &str) -> Error {
    let reason = format!("{what} has no {lacks} in Rust; run it on a device with a driver");
    Unsupported::feature(reason).into()
}
