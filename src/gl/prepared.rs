//! A plan made ready: programs compiled, textures and framebuffers allocated, passes to issue.

use std::rc::Rc;

use glow::HasContext;

use super::gpu::Gpu;
use super::program::{Program, ProgramKey, Value};
use super::state;
use super::stream::Stream;
use super::texture::Texture;
use super::timer::{self, Timing};
use crate::element::Element;
use crate::error::{Error, Unsupported};
use crate::plan::{Command, Draw, Layout, Plan, Region, Slot, Uniform, share_storage};
use crate::trace::{Step, Trace, Write};

/// A plan ready to run on one context, again and again.
pub struct Prepared {
    gpu: Gpu,
    plan: Plan,
    passes: Vec<PreparedDraw>,
    /// The texture of each slot; `None` for the input and for slots that no pass touches.
    textures: Vec<Option<Rc<Texture>>>,
    /// The result; `None` where a plan with no passes gives its input back.
    output: Option<Stream>,
}

/// A draw with all its names looked up.
struct PreparedDraw {
    program: Rc<Program>,
    framebuffer: glow::Framebuffer,
    region: Region,
    samplers: Vec<PreparedSampler>,
    /// By their number in the program.
    uniforms: Vec<(usize, Value)>,
}

struct PreparedSampler {
    unit: u32,
    slot: Slot,
}

/// What shaders know of a texture: width, log2 of the width or -1, height, length in items.
fn shape_value(layout: &Layout) -> Value {
    Value::Int4([
        layout.width as i32,
        layout.width_log2().map_or(-1, |log2| log2 as i32),
        layout.height as i32,
        layout.len as i32,
    ])
}

impl Prepared {
    pub(super) fn new(gpu: &Gpu, plan: &Plan) -> Result<Prepared, Error> {
        let storage = share_storage(plan);
        let mut allocated: Vec<Rc<Texture>> = Vec::new();
        let mut textures = vec![None; plan.slots().len()];
        // Storage is numbered in the order of first use, which need not be the slots' order.
        let count = storage.iter().flatten().max().map_or(0, |last| last + 1);
        for number in 0..count {
            let slot = storage.iter().position(|&s| s == Some(number)).unwrap_or(0);
            allocated.push(Rc::new(Texture::new(gpu, &plan.slots()[slot].layout)?));
        }
        for (slot, number) in storage.iter().enumerate() {
            textures[slot] = number.map(|number| Rc::clone(&allocated[number]));
        }

        let output = textures[plan.output().index()].as_ref().map(|texture| Stream {
            gpu: gpu.clone(),
            texture: Rc::clone(texture),
            layout: *plan.layout(plan.output()),
        });
        let mut prepared =
            Prepared { gpu: gpu.clone(), plan: plan.clone(), passes: Vec::new(), textures, output };
        for pass in plan.passes() {
            let Command::Draw(draw) = &pass.command;
            let program = gpu.program(ProgramKey::of(gpu.device().api, draw, pass.item))?;
            let draw = prepared.prepare_draw(draw, program)?;
            prepared.passes.push(draw);
        }
        gpu.check_error("preparing a plan")?;
        Ok(prepared)
    }

    fn prepare_draw(&self, draw: &Draw, program: Rc<Program>) -> Result<PreparedDraw, Error> {
        let gl = &self.gpu.0.gl;
        if draw.reads.len() > state::UNITS as usize {
            return Err(Unsupported(format!("a pass reads more than {} textures", state::UNITS)).into());
        }
        let mut samplers = Vec::new();
        let mut named: Vec<(String, Value)> = Vec::new();
        for (unit, &(name, slot)) in (0..).zip(&draw.reads) {
            samplers.push(PreparedSampler { unit, slot });
            named.push((name.into(), Value::Int(unit as i32)));
            named.push((format!("{name}_shape"), shape_value(self.plan.layout(slot))));
        }
        if let Some(target) = draw.writes.first() {
            named.push(("u_target_shape".into(), shape_value(self.plan.layout(*target))));
        }
        named.extend(draw.uniforms.iter().map(|&(name, value)| {
            let value = match value {
                Uniform::Int(x) => Value::Int(x),
                Uniform::Int2(xy) => Value::Int2(xy),
            };
            (name.into(), value)
        }));
        let uniforms = named
            .into_iter()
            .filter_map(|(name, value)| Some((program.uniform(gl, &name)?, value)))
            .collect();
        let framebuffer = self.framebuffer(&draw.writes)?;
        Ok(PreparedDraw { program, framebuffer, region: draw.region, samplers, uniforms })
    }

    fn framebuffer(&self, targets: &[Slot]) -> Result<glow::Framebuffer, Error> {
        let gl = &self.gpu.0.gl;
        let failed = |what| Error::Gl { during: "making a framebuffer", what };
        // SAFETY: the context is current, and the textures are ours.
        unsafe {
            let framebuffer = gl.create_framebuffer().map_err(failed)?;
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
            let mut buffers = Vec::new();
            for (number, slot) in (0..).zip(targets) {
                let texture = self.textures[slot.index()].as_ref().map(|texture| texture.id);
                let attachment = glow::COLOR_ATTACHMENT0 + number;
                gl.framebuffer_texture_2d(glow::FRAMEBUFFER, attachment, glow::TEXTURE_2D, texture, 0);
                buffers.push(attachment);
            }
            gl.draw_buffers(&buffers);
            match gl.check_framebuffer_status(glow::FRAMEBUFFER) {
                glow::FRAMEBUFFER_COMPLETE => Ok(framebuffer),
                status => {
                    gl.delete_framebuffer(framebuffer);
                    Err(failed(format!("the framebuffer is incomplete ({status:#06x})")))
                }
            }
        }
    }

    /// The plan that this executes.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The layout that an input must have.
    pub fn input_layout(&self) -> &Layout {
        self.plan.layout(self.plan.input())
    }

    /// Makes a stream in the layout that the plan reads.
    ///
    /// Errors: [`Error::Length`], [`Error::ElementMismatch`], [`Error::Gl`].
    pub fn upload<T: Element>(&self, data: &[T]) -> Result<Stream, Error> {
        self.gpu.upload(self.input_layout(), data)
    }

    /// Runs all passes. The result stays on the GPU, in a stream that the next run overwrites;
    /// a plan with no passes gives its input back.
    ///
    /// Allocates nothing, compiles nothing, reads nothing back, and only reads `input`.
    ///
    /// Errors: [`Error::LayoutMismatch`], [`Error::OtherContext`]; in debug contexts
    /// [`Error::DebugOutput`].
    pub fn run<'a>(&'a mut self, input: &'a Stream) -> Result<&'a Stream, Error> {
        self.check_input(input)?;
        self.gpu.enter("running a plan", || {
            self.issue_all(input);
            Ok(())
        })?;
        Ok(self.output.as_ref().unwrap_or(input))
    }

    /// Runs all passes, reading back after each one what it wrote.
    ///
    /// Errors: as [`Self::run`], and [`Error::Gl`].
    pub fn trace(&mut self, input: &Stream) -> Result<Trace, Error> {
        self.check_input(input)?;
        self.gpu.enter("tracing a plan", || {
            let written = |slot: Slot, stream: &Stream| {
                Ok::<Write, Error>(Write { slot, layout: stream.layout, bytes: stream.read_bytes()? })
            };
            let mut trace = Trace {
                plan: self.plan.clone(),
                input: written(self.plan.input(), input)?,
                steps: Vec::new(),
            };
            for (index, pass) in self.plan.passes().iter().enumerate() {
                self.set_state();
                self.issue(&self.passes[index], input);
                let mut writes = Vec::new();
                for &slot in pass.writes() {
                    let Some(texture) = &self.textures[slot.index()] else { continue };
                    let stream = Stream {
                        gpu: self.gpu.clone(),
                        texture: Rc::clone(texture),
                        layout: *self.plan.layout(slot),
                    };
                    writes.push(written(slot, &stream)?);
                }
                trace.steps.push(Step { pass: pass.clone(), writes });
            }
            Ok(trace)
        })
    }

    /// Runs all passes once and says how long they took: on the GPU's clock where the device has one
    /// to be trusted, else wall time until everything is done. Upload and readback are outside.
    ///
    /// Errors: as [`Self::run`], and [`Error::Gl`].
    pub fn time(&mut self, input: &Stream) -> Result<Timing, Error> {
        self.check_input(input)?;
        self.gpu.enter("timing a plan", || {
            let (clock, total) = timer::measure(&self.gpu, || self.issue_all(input))?;
            Ok(Timing { clock, total, passes: Vec::new() })
        })
    }

    /// As [`Self::time`], with a second run in which each pass is timed alone.
    pub fn time_passes(&mut self, input: &Stream) -> Result<Timing, Error> {
        let timing = self.time(input)?;
        self.gpu.enter("timing a plan", || {
            self.set_state();
            let passes = self
                .passes
                .iter()
                .map(|pass| Ok(timer::measure(&self.gpu, || self.issue(pass, input))?.1))
                .collect::<Result<_, Error>>()?;
            Ok(Timing { passes, ..timing })
        })
    }

    fn check_input(&self, input: &Stream) -> Result<(), Error> {
        if !input.gpu.same_context(&self.gpu) {
            return Err(Error::OtherContext);
        }
        if input.layout != *self.input_layout() {
            return Err(Error::LayoutMismatch {
                got: Box::new(input.layout),
                expected: Box::new(*self.input_layout()),
            });
        }
        Ok(())
    }

    fn issue_all(&self, input: &Stream) {
        self.set_state();
        for pass in &self.passes {
            self.issue(pass, input);
        }
    }

    /// Sets what all passes share.
    fn set_state(&self) {
        let gl = &self.gpu.0.gl;
        state::set_for_drawing(gl, self.gpu.device().api);
        // SAFETY: the context is current.
        unsafe {
            gl.bind_vertex_array(Some(self.gpu.0.empty_vertex_array));
            for unit in 0..state::UNITS {
                gl.bind_sampler(unit, None);
            }
        }
    }

    fn issue(&self, pass: &PreparedDraw, input: &Stream) {
        let gl = &self.gpu.0.gl;
        // SAFETY: the context is current; program, framebuffer and textures are ours and alive.
        unsafe {
            gl.bind_framebuffer(glow::DRAW_FRAMEBUFFER, Some(pass.framebuffer));
            gl.viewport(0, 0, pass.region.width as i32, pass.region.height as i32);
            gl.use_program(Some(pass.program.id));
            for sampler in &pass.samplers {
                let texture = self.textures[sampler.slot.index()].as_ref().unwrap_or(&input.texture);
                gl.active_texture(glow::TEXTURE0 + sampler.unit);
                gl.bind_texture(glow::TEXTURE_2D, Some(texture.id));
            }
            for &(uniform, value) in &pass.uniforms {
                pass.program.set(gl, uniform, value);
            }
            gl.draw_arrays(glow::TRIANGLES, 0, 3);
        }
    }
}

impl Drop for Prepared {
    fn drop(&mut self) {
        if self.gpu.make_current().is_ok() {
            for pass in &self.passes {
                // SAFETY: the context is current, and the framebuffers are ours.
                unsafe { self.gpu.0.gl.delete_framebuffer(pass.framebuffer) };
            }
        }
    }
}
