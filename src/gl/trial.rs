//! The trial of compute shaders: whether this driver gets right what dispatches rely on.
//!
//! A driver can compile a shader and compute wrong numbers. virgl did for the padded shared memory of `harris` (it ran
//! nothing), and for `sam` in long streams (it ended its loops early). So a shader with a known answer is run for each
//! [`Construct`] of a plan before the first plan that has it is prepared: a context that only draws pays nothing. Plans with
//! a construct that fails are `Unsupported`. The answer is kept by the context, and in its cache ([`Gpu::set_program_cache`])
//! under the names of the driver, its version and the crate's.

use glow::HasContext;

use super::buffer::read_back;
use super::functions::GlFunctions;
use super::gpu::Gpu;
use super::program::{Program, ProgramKey, Value};
use super::state::Effects;
use super::texture;
use crate::device::{Api, Device};
use crate::error::Error;
use crate::plan::{Command, Construct, Dialect, Lanes, Plan, Shader, shader};
use crate::unsupported::Unsupported;

const DURING: &str = "testing compute shaders";

/// Invocations in a tested group: ES 3.1 promises 128.
const GROUP: u32 = 128;

/// Tiles of the chain, which take 500 iterations each.
const TILES: u32 = 100;

/// A dispatch with a known answer.
struct Known {
    shader: Shader,
    defines: Vec<(&'static str, i64)>,
    groups: u32,
    numbers: Vec<u32>,
    answer: Vec<u32>,
    /// Pairs of words of the states that groups publish.
    states: u32,
}

impl Known {
    /// Each has an answer of its own: where nothing is run, memory that is used again may hold the answer of one before.
    fn of(construct: Construct) -> Vec<Known> {
        let tree = |padding: i64, log_banks: i64, factor: u32| Known {
            shader: shader!("selftest/tree.comp", "scan/harris/conflict_free.glsl"),
            defines: vec![("PADDING", padding), ("LOG_NUM_BANKS", log_banks)],
            groups: 1,
            numbers: (0..2 * GROUP).map(|k| factor * (2 * k + 1)).collect(),
            answer: (0..2 * GROUP).map(|k| factor * k * k).collect(),
            states: 0,
        };
        let chain = |groups, factor: u32| Known {
            shader: shader!("selftest/chain.comp", "scan/common/states.glsl"),
            defines: vec![
                ("TILES", TILES.into()),
                ("FACTOR", factor.into()),
                ("TICKETS", 1),
                ("STATES", 1),
                ("SPINS", 20),
            ],
            groups,
            numbers: vec![0; TILES as usize],
            answer: (1..=TILES).map(|k| k * factor * (GROUP * (GROUP + 1) / 2)).collect(),
            states: TILES + 2,
        };
        match construct {
            Construct::SharedMemory => vec![tree(0, 5, 1)],
            // The usual banks, and so few that the second term of listing 3 is not 0. Not four: shifting an index by two, and back
            // for its byte, is no shift at all.
            Construct::PaddedSharedMemory => vec![tree(1, 5, 2), tree(2, 3, 3)],
            // Of several groups, and of one that does all, which takes the most iterations.
            Construct::Chain => vec![chain(4, 4), chain(1, 5)],
        }
    }

    fn key(&self, api: Api) -> ProgramKey {
        let mut defines = vec![("GROUP", GROUP.into()), ("SEEN", 0)];
        defines.extend(&self.defines);
        ProgramKey::compute(Dialect::of_compute(api, Lanes::Serial), self.shader.clone(), defines)
    }

    /// Returns true if the driver's answer is the known one. Changes state that a guard restores.
    fn holds(&self, gl: &GlFunctions, api: Api) -> Result<bool, Error> {
        let failed = |what| Error::Gl { during: DURING, what };
        // A shader that does not compile does not work.
        let Ok(program) = Program::compile(gl, &self.key(api)) else { return Ok(false) };
        let new = |target: u32, binding: u32, words: &[u32]| -> Result<glow::Buffer, Error> {
            // SAFETY: the context is current.
            unsafe {
                let buffer = gl.create_buffer().map_err(failed)?;
                gl.bind_buffer(target, Some(buffer));
                let bytes = bytemuck::cast_slice(words);
                gl.buffer_data_u8_slice(target, bytes, glow::DYNAMIC_COPY);
                gl.bind_buffer_base(target, binding, Some(buffer));
                Ok(buffer)
            }
        };
        let seen = new(glow::SHADER_STORAGE_BUFFER, 0, &self.numbers)?;
        let states = vec![0; 2 * self.states.max(1) as usize];
        let states = new(glow::SHADER_STORAGE_BUFFER, 1, &states)?;
        let run = new(glow::UNIFORM_BUFFER, 0, &[0; 4])?;
        // SAFETY: the context is current.
        unsafe {
            gl.use_program(Some(program.id));
            for (name, value) in
                [("u_groups", self.groups), ("u_spare_tickets", self.states.saturating_sub(1))]
            {
                if let Some(uniform) = program.uniform(gl, name) {
                    program.set(gl, uniform, Value::Int(value as i32));
                }
            }
            gl.dispatch_compute(self.groups, 1, 1);
            gl.memory_barrier(glow::ALL_BARRIER_BITS);
            gl.use_program(None);
            gl.delete_program(program.id);
            gl.delete_buffer(states);
            gl.delete_buffer(run);
        }
        let got = read_back(gl, seen, 4 * self.answer.len())?;
        // SAFETY: the context is current, and the buffer is ours.
        unsafe { gl.delete_buffer(seen) };
        texture::check_error(gl, DURING)?;
        Ok(bytemuck::pod_collect_to_vec::<u8, u32>(&got) == self.answer)
    }
}

impl Gpu {
    /// Checks that the driver gets right what the dispatches of a plan rely on. The context must be current, and its state
    /// saved.
    ///
    /// Errors: [`Error::Unsupported`], [`Error::Gl`], [`Error::ContextLost`].
    pub(super) fn check_constructs(&self, plan: &Plan) -> Result<(), Error> {
        for pass in plan.passes() {
            let Command::Dispatch(dispatch) = &pass.command else { continue };
            for construct in [Construct::SharedMemory].iter().chain(&dispatch.constructs) {
                if !self.holds(*construct)? {
                    return Err(unsupported(*construct, self.device()).into());
                }
            }
        }
        Ok(())
    }

    fn holds(&self, construct: Construct) -> Result<bool, Error> {
        if let Some(holds) = self.0.tried.borrow().get(&construct) {
            return Ok(*holds);
        }
        let known = Known::of(construct);
        // Another text is another question.
        let texts = known.iter().map(|known| (known.shader.source(), &known.defines));
        let question = format!("{construct:?} {:?}", texts.collect::<Vec<_>>());
        let holds = self.answer(&question, || {
            for known in known {
                if !known.holds(&self.0.gl, self.device().api)? {
                    return Ok(false);
                }
            }
            Ok(true)
        })?;
        self.0.tried.borrow_mut().insert(construct, holds);
        Ok(holds)
    }

    /// Returns true if a plan can be relied on, as far as the trial shows; false if it is `Unsupported`.
    ///
    /// Errors: [`Error::Gl`], [`Error::NotCurrent`], [`Error::ContextLost`].
    pub(crate) fn has_constructs(&self, plan: &Plan) -> Result<bool, Error> {
        match self.enter(DURING, Effects::Both, || self.check_constructs(plan)) {
            Ok(()) => Ok(true),
            Err(Error::Unsupported(_)) => Ok(false),
            Err(error) => Err(error),
        }
    }
}

fn unsupported(construct: Construct, device: &Device) -> Unsupported {
    Unsupported::feature(format!(
        "this driver computes {construct} wrongly, as a test with a known answer shows ({device}, {}); choose an \
         algorithm without it, such as packed",
        device.driver
    ))
}
