//! A prepared dispatch: its program and buffers, how it is issued, and the barrier after it.

use std::rc::Rc;

use glow::HasContext;

use super::gpu::{Gpu, RUN_BYTES};
use super::pass::Slots;
use super::program::{Program, ProgramKey, Records, Value};
use crate::device::Compute;
use crate::error::Error;
use crate::plan::{Binding, Dispatch, Indirect, Pass, Plan, Slot};
use crate::unsupported::Unsupported;

/// A dispatch with all its names looked up.
pub struct PreparedDispatch {
    program: Rc<Program>,
    bindings: Vec<Bound>,
    /// The buffers that the shader reads as textures.
    views: Vec<View>,
    /// By their number in the program.
    uniforms: Vec<(usize, Value)>,
    /// Work groups along x and y.
    groups: [u32; 2],
    /// If the groups take turns, the number of turns, and the uniform that counts them.
    turns: Option<(u64, Option<usize>)>,
    /// The numbers of runs, if the shader asks for its own.
    runs: Option<glow::Buffer>,
    /// The buffer that holds them instead, and the byte.
    indirect: Option<(Slot, i32)>,
    /// Memory that must become visible before the next pass.
    barriers: u32,
    /// The buffer into which invocations write their accesses, bound after the others.
    accesses: Option<glow::Buffer>,
}

/// A part of a buffer, in bytes; without a length it reaches to the end.
struct Bound {
    slot: Slot,
    offset: u64,
    bytes: Option<u64>,
}

/// A buffer that the shader reads as a texture.
struct View {
    unit: u32,
    slot: Slot,
    /// Words of a texel.
    words: u32,
}

/// Returns true if the loads of a dispatch go through textures: on a CPU, where texels are fetched many at a time.
pub(super) fn has_texel_loads(gpu: &Gpu, plan: &Plan, dispatch: &Dispatch) -> bool {
    let device = gpu.device();
    let fits = |binding: &Binding| {
        let words = plan.layout(binding.slot).bytes() / 4;
        binding.load.is_none_or(|load| words / u64::from(load) <= device.max_buffer_texels.into())
    };
    device.loads_through_textures()
        && dispatch.bindings.iter().any(|binding| binding.load.is_some())
        && dispatch.bindings.iter().all(fits)
}

impl PreparedDispatch {
    pub fn new(
        gpu: &Gpu,
        plan: &Plan,
        pass: &Pass,
        dispatch: &Dispatch,
        barriers: u32,
    ) -> Result<PreparedDispatch, Error> {
        PreparedDispatch::make(gpu, plan, pass, dispatch, barriers, None)
    }

    /// The same dispatch, whose invocations record all their accesses. `None` if no binding is left for that.
    pub fn recording(
        gpu: &Gpu,
        plan: &Plan,
        pass: &Pass,
        dispatch: &Dispatch,
        accesses: glow::Buffer,
    ) -> Result<Option<PreparedDispatch>, Error> {
        let compute = check(gpu, plan, dispatch)?;
        if dispatch.bindings.len() as u32 >= compute.bindings() {
            return Ok(None);
        }
        let barriers = glow::ALL_BARRIER_BITS;
        PreparedDispatch::make(gpu, plan, pass, dispatch, barriers, Some(accesses)).map(Some)
    }

    fn make(
        gpu: &Gpu,
        plan: &Plan,
        pass: &Pass,
        dispatch: &Dispatch,
        barriers: u32,
        accesses: Option<glow::Buffer>,
    ) -> Result<PreparedDispatch, Error> {
        let gl = &gpu.0.gl;
        let compute = check(gpu, plan, dispatch)?;
        let key = ProgramKey::of(gpu, plan, pass);
        let binding = dispatch.bindings.len() as u32;
        let program = gpu.program(match accesses {
            Some(_) => key.recording(Records::Accesses { binding }),
            None => key,
        })?;
        let groups = grid(dispatch.groups, compute);
        let groups_wanted = ("u_groups", Value::Int(dispatch.groups as i32));
        let uniforms = dispatch.uniforms.iter().map(|&(name, value)| (name, value.into()));
        let mut uniforms: Vec<(usize, Value)> = uniforms
            .chain([groups_wanted])
            .filter_map(|(name, value)| Some((program.uniform(gl, name)?, value)))
            .collect();
        for binding in &dispatch.bindings {
            let name = format!("u_{}_shape", binding.name.to_lowercase());
            let len = (binding.items.end - binding.items.start) as i32;
            uniforms
                .extend(program.uniform(gl, &name).map(|uniform| (uniform, Value::Int4([len, -1, 1, len]))));
        }
        let mut views = Vec::new();
        if has_texel_loads(gpu, plan, dispatch) {
            let loads = dispatch.bindings.iter().filter_map(|binding| Some((binding, binding.load?)));
            for (unit, (binding, load)) in (0..).zip(loads) {
                let name = binding.name.to_lowercase();
                let words = u64::from(plan.layout(binding.slot).words_per_texel());
                let first = binding.items.start * words / u64::from(load);
                let of_view = [
                    (format!("u_{name}"), Value::Int(unit as i32)),
                    (format!("u_{name}_first"), Value::Int(first as i32)),
                ];
                uniforms.extend(
                    of_view
                        .into_iter()
                        .filter_map(|(name, value)| Some((program.uniform(gl, &name)?, value))),
                );
                views.push(View { unit, slot: binding.slot, words: load });
            }
        }
        let bindings = dispatch.bindings.iter().map(|binding| {
            let layout = plan.layout(binding.slot);
            let bytes = |items: u64| items * u64::from(layout.words_per_texel()) * 4;
            let to_the_end = binding.items.end == layout.len;
            let length = bytes(binding.items.end) - bytes(binding.items.start);
            Bound {
                slot: binding.slot,
                offset: bytes(binding.items.start),
                bytes: (!to_the_end).then_some(length),
            }
        });
        let bindings = bindings.collect();
        let indirect = dispatch.indirect.map(|Indirect { groups, entry }| (groups, 16 * entry as i32));
        let turns = dispatch.turns.map(|turns| (turns, program.uniform(gl, "u_turn")));
        // SAFETY: the context is current, and the program is one of it.
        let counts = unsafe { gl.get_uniform_block_index(program.id, "Run") }.is_some();
        let runs = counts.then(|| gpu.run_numbers()).transpose()?;
        Ok(PreparedDispatch {
            program,
            bindings,
            views,
            uniforms,
            groups,
            turns,
            runs,
            indirect,
            barriers,
            accesses,
        })
    }

    /// The texture units that it reads.
    pub fn units(&self) -> u32 {
        self.views.len() as u32
    }

    /// The program, and the uniforms that are set.
    pub fn uniforms(&self) -> (&Program, Vec<usize>) {
        let turn = self.turns.as_ref().and_then(|(_, uniform)| *uniform);
        let set = self.uniforms.iter().map(|(uniform, _)| *uniform);
        (&self.program, set.chain(turn).collect())
    }

    /// Changes a uniform from its prepared value, from the next issue on.
    pub fn set(&mut self, gpu: &Gpu, name: &str, value: Value) {
        let Some(uniform) = self.program.uniform(&gpu.0.gl, name) else { return };
        self.uniforms.retain(|(other, _)| *other != uniform);
        self.uniforms.push((uniform, value));
    }

    pub fn issue(&self, gpu: &Gpu, slots: &Slots<'_>, run: u32) {
        let calls = gpu.calls();
        let gl = calls.gl;
        let [x, y] = self.groups;
        // SAFETY: the context is current; the program and the buffers are alive, and the parts lie within them.
        unsafe {
            gl.use_program(Some(self.program.id));
            for &(uniform, value) in &self.uniforms {
                self.program.set(gl, uniform, value);
            }
            if let Some(runs) = self.runs {
                let number = u64::from(run * RUN_BYTES);
                calls.bind_buffer_range(glow::UNIFORM_BUFFER, 0, runs, number..number + 16);
            }
            for (number, bound) in (0..).zip(&self.bindings) {
                let Some(buffer) = slots.buffer(bound.slot) else { continue };
                let end = bound.bytes.map_or(buffer.bytes as u64, |bytes| bound.offset + bytes);
                let bytes = bound.offset..end;
                calls.bind_buffer_range(glow::SHADER_STORAGE_BUFFER, number, buffer.id, bytes);
            }
            for view in &self.views {
                let Some(buffer) = slots.buffer(view.slot) else { continue };
                gl.active_texture(glow::TEXTURE0 + view.unit);
                gl.bind_texture(glow::TEXTURE_BUFFER, buffer.view_of(view.words));
            }
            if let Some(accesses) = self.accesses {
                let number = self.bindings.len() as u32;
                gl.bind_buffer_base(glow::SHADER_STORAGE_BUFFER, number, Some(accesses));
            }
            let indirect = self.indirect.and_then(|(slot, at)| Some((slots.buffer(slot)?.id, at)));
            match (indirect, self.turns) {
                (Some((groups, at)), _) => {
                    gl.bind_buffer(glow::DISPATCH_INDIRECT_BUFFER, Some(groups));
                    gl.dispatch_compute_indirect(at);
                    gl.bind_buffer(glow::DISPATCH_INDIRECT_BUFFER, None);
                }
                (None, Some((turns, uniform))) => {
                    for turn in 0..turns {
                        if let Some(uniform) = uniform {
                            self.program.set(gl, uniform, Value::Int(turn as i32));
                        }
                        gl.dispatch_compute(1, 1, 1);
                        gl.memory_barrier(glow::SHADER_STORAGE_BARRIER_BIT);
                    }
                }
                (None, None) => gl.dispatch_compute(x, y, 1),
            }
            gl.memory_barrier(self.barriers);
        }
    }
}

/// Work groups along x and y, at least `groups` in all.
fn grid(groups: u64, compute: &Compute) -> [u32; 2] {
    let rows = groups.div_ceil(u64::from(compute.max_groups)).max(1);
    [groups.div_ceil(rows) as u32, rows as u32]
}

/// Checks that the device has what the dispatch uses.
pub(super) fn check<'a>(gpu: &'a Gpu, plan: &Plan, dispatch: &Dispatch) -> Result<&'a Compute, Unsupported> {
    let device = gpu.device();
    let compute = Unsupported::unless_compute(device, "a pass")?;
    if dispatch.invocations > compute.max_invocations {
        return Err(Unsupported::too_large(format!(
            "a pass starts work groups of {} invocations, and this device allows {}; plan for this device, \
             or use smaller groups",
            dispatch.invocations, compute.max_invocations
        )));
    }
    let bindings = compute.bindings();
    if dispatch.bindings.len() > bindings as usize {
        return Err(Unsupported::too_large(format!(
            "a pass binds {} buffers, and at most {bindings} can be bound; bind fewer, or split the pass",
            dispatch.bindings.len()
        )));
    }
    if dispatch.lanes.count(device, dispatch.invocations).is_none() {
        let name = dispatch.lanes.name();
        return Err(Unsupported::feature(format!(
            "this device has no {name} lanes; use shared or serial lanes"
        )));
    }
    for binding in &dispatch.bindings {
        let layout = plan.layout(binding.slot);
        let item = u64::from(layout.words_per_texel()) * 4;
        let bytes = (binding.items.end - binding.items.start) * item;
        if bytes > compute.max_binding {
            return Err(Unsupported::too_large(format!(
                "a pass binds {bytes} bytes of a buffer, and this device allows {}; bind parts as \
                 Layout::parts returns",
                compute.max_binding
            )));
        }
        let offset = binding.items.start * item;
        if !offset.is_multiple_of(compute.binding_alignment.max(1).into()) {
            return Err(Unsupported::too_large(format!(
                "a pass binds a buffer from byte {offset}, and this device needs a multiple of {}; bind \
                 parts as Layout::parts returns",
                compute.binding_alignment
            )));
        }
    }
    Ok(compute)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::Device;

    #[test]
    fn a_grid_has_all_groups_and_less_than_a_row_more_than_it_needs() {
        let compute = Device::gl43().compute.unwrap();
        for groups in [0, 1, 65535, 65536, 131_070, 131_071, 1 << 24] {
            let [x, y] = grid(groups, &compute).map(u64::from);
            assert!(x * y >= groups && x * y < groups + y.max(2), "{groups}: {x} x {y}");
            assert!(x <= 65535 && y <= 65535);
        }
    }
}
