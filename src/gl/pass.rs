//! A prepared pass, of any kind, and the memory that passes work on.

use std::rc::Rc;

use glow::HasContext;

use super::buffer::Buffer;
use super::dispatch::PreparedDispatch;
use super::draw::PreparedDraw;
use super::gpu::Gpu;
use super::program::ProgramKey;
use super::stream::Memory;
use super::texture::Attachment;
use crate::error::Error;
use crate::plan::{Command, Pass, Plan, Slot, Uniform};

/// The memory of each slot: the plan's own, and the caller's inputs in a run.
pub struct Slots<'a> {
    /// The plan's own memory, by slot; `None` for inputs.
    pub own: &'a [Option<Rc<Memory>>],
    /// The caller's inputs, in the order of the plan's.
    pub inputs: &'a [Rc<Memory>],
    /// Memory of the caller's that takes the place of the plan's own, by slot.
    pub outputs: &'a [(Slot, Rc<Memory>)],
}

impl Slots<'_> {
    /// The memory behind a slot.
    pub fn memory(&self, slot: Slot) -> Option<&Memory> {
        let replaced =
            || self.outputs.iter().find(|(replaced, _)| *replaced == slot).map(|(_, memory)| memory);
        let memory = self.inputs.get(slot.index()).or_else(replaced);
        memory.or(self.own[slot.index()].as_ref()).map(|memory| &**memory)
    }

    /// The texture behind a slot, if it is one.
    pub fn texture(&self, slot: Slot) -> Option<glow::Texture> {
        match self.memory(slot)? {
            Memory::Texture(texture) => Some(texture.id),
            Memory::Buffer(buffer) => buffer.view(),
        }
    }

    /// The targets of a draw into a slot: a texture, or each plane of one.
    pub fn targets(&self, slot: Slot) -> Vec<Attachment> {
        match self.memory(slot) {
            Some(Memory::Texture(texture)) => texture.targets().collect(),
            _ => vec![Attachment::texture(None)],
        }
    }

    /// The buffer behind a slot, if it is one.
    pub fn buffer(&self, slot: Slot) -> Option<&Buffer> {
        match self.memory(slot)? {
            Memory::Texture(_) => None,
            Memory::Buffer(buffer) => Some(buffer),
        }
    }
}

/// A pass with all its names looked up.
pub enum PreparedPass {
    Draw(PreparedDraw),
    Dispatch(PreparedDispatch),
}

impl PreparedPass {
    /// Compiles the pass. `followed_by` is the pass after it.
    pub fn new(
        gpu: &Gpu,
        plan: &Plan,
        pass: &Pass,
        followed_by: Option<&Pass>,
        own: &[Option<Rc<Memory>>],
    ) -> Result<PreparedPass, Error> {
        let prepared = match &pass.command {
            Command::Draw(draw) => PreparedPass::Draw(PreparedDraw::new(gpu, plan, pass, draw, own)?),
            Command::Dispatch(dispatch) => {
                let dispatches = followed_by.is_some_and(|next| matches!(next.command, Command::Dispatch(_)));
                let indirect = plan.passes().iter().any(|pass| match &pass.command {
                    Command::Dispatch(next) => next.indirect.is_some_and(|next| {
                        dispatch.bindings.iter().any(|binding| binding.slot == next.groups)
                    }),
                    Command::Draw(_) => false,
                });
                // Work after the last pass may read the results in any way.
                // On a CPU dispatches read textures, too.
                let fetches = if gpu.device().software { glow::TEXTURE_FETCH_BARRIER_BIT } else { 0 };
                let barriers = if dispatches && !indirect {
                    glow::SHADER_STORAGE_BARRIER_BIT | fetches
                } else {
                    glow::ALL_BARRIER_BITS
                };
                PreparedPass::Dispatch(PreparedDispatch::new(gpu, plan, pass, dispatch, barriers)?)
            }
        };
        // Tests see this of the crate's own shaders; a caller's are checked here.
        if !pass.shaders().iter().all(|shader| shader.is_built_in()) {
            let (program, set) = match &prepared {
                PreparedPass::Draw(draw) => draw.uniforms(),
                PreparedPass::Dispatch(dispatch) => dispatch.uniforms(),
            };
            if let Err(error) = program.check_uniforms(&gpu.0.gl, pass.uniforms(), &set) {
                prepared.delete(&gpu.0.gl);
                return Err(error);
            }
        }
        Ok(prepared)
    }

    /// Compiles the program of a pass, which [`Self::new`] then finds.
    pub fn compile(gpu: &Gpu, plan: &Plan, pass: &Pass) -> Result<(), Error> {
        let key = ProgramKey::of(gpu, plan, pass);
        gpu.program(key).map(drop)
    }

    /// Issues the pass. The state that all passes share is already set ([`super::state::set_for_drawing`]).
    /// `run` counts the runs since the passes that are only for some.
    pub fn issue(&self, gpu: &Gpu, slots: &Slots<'_>, run: u32) {
        match self {
            PreparedPass::Draw(draw) => draw.issue(gpu, slots),
            PreparedPass::Dispatch(dispatch) => dispatch.issue(gpu, slots, run),
        }
    }

    /// As [`Self::issue`] in a first run, for results that are read before the next pass.
    pub fn issue_and_settle(&self, gpu: &Gpu, slots: &Slots<'_>) {
        self.issue(gpu, slots, 0);
        if let PreparedPass::Dispatch(_) = self {
            // SAFETY: the context is current, and knows barriers since it has run a compute shader.
            unsafe { gpu.0.gl.memory_barrier(glow::ALL_BARRIER_BITS) };
        }
    }

    /// Changes a uniform from its prepared value, from the next issue on.
    pub fn set(&mut self, gpu: &Gpu, name: &str, value: Uniform) {
        match self {
            PreparedPass::Draw(draw) => draw.set(gpu, name, value.into()),
            PreparedPass::Dispatch(dispatch) => dispatch.set(gpu, name, value.into()),
        }
    }

    /// The texture units that it reads.
    pub fn units(&self) -> u32 {
        match self {
            PreparedPass::Draw(draw) => draw.units(),
            PreparedPass::Dispatch(dispatch) => dispatch.units(),
        }
    }

    /// Returns true if the vertex stage places what is drawn, so that the clip origin matters.
    pub fn places_vertices(&self) -> bool {
        matches!(self, PreparedPass::Draw(draw) if draw.places_vertices())
    }

    /// Deletes the pass's objects. The context must be current.
    pub fn delete(&self, gl: &glow::Context) {
        if let PreparedPass::Draw(draw) = self {
            draw.delete(gl);
        }
    }
}
