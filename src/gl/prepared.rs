//! A prepared plan: programs compiled, textures, buffers and framebuffers allocated, passes ready to issue.

use std::cell::Cell;
use std::fmt;
use std::rc::Rc;

use glow::HasContext;

use super::dispatch;
use super::gpu::Gpu;
use super::outputs::Outputs;
use super::pass::{PreparedPass, Slots};
use super::program::ProgramKey;
use super::record::Recorder;
use super::state::{self, Effects};
use super::stream::{Memory, Stream};
use super::streams::Streams;
use super::texture::{check_error, check_unless_waiting};
use super::timer::{self, Timing};
use crate::element::Element;
use crate::error::Error;
use crate::limits::check_offsets;
use crate::plan::{Command, Layout, Pass, Plan, Slot, Uniform, share_storage};
use crate::trace::{Recorded, Step, Trace, Write};

/// A plan compiled and allocated on one context; it can run any number of times.
pub struct Prepared {
    pub(super) gpu: Gpu,
    plan: Plan,
    passes: Vec<PreparedPass>,
    /// The memory of each slot; `None` for inputs and for unused slots.
    memory: Vec<Option<Rc<Memory>>>,
    /// The results; `None` where a plan returns an input.
    outputs: Vec<Option<Stream>>,
    /// Runs since the passes that run every n-th time last ran.
    run: Cell<u32>,
    /// The runs after which they are due again.
    runs: u32,
}

impl Prepared {
    pub(super) fn new(gpu: &Gpu, plan: &Plan) -> Result<Prepared, Error> {
        gpu.0.gl.check_earlier()?;
        let storage = share_storage(plan);
        let mut allocated: Vec<Rc<Memory>> = Vec::new();
        // Storage is numbered in the order of first use, which may differ from the slots' order.
        let count = storage.iter().flatten().max().map_or(0, |last| last + 1);
        for number in 0..count {
            let slot = storage.iter().position(|&s| s == Some(number)).unwrap_or(0);
            let slot = &plan.slots()[slot];
            let memory = Memory::new(gpu, &slot.layout)?;
            if slot.zeroed {
                memory.clear(&slot.layout)?;
            }
            if let Some(words) = &slot.content {
                memory.upload(bytemuck::cast_slice(words))?;
            }
            allocated.push(Rc::new(memory));
        }
        let memory: Vec<_> =
            storage.iter().map(|number| number.map(|number| Rc::clone(&allocated[number]))).collect();
        let stream = |slot: &Slot| {
            let memory = Rc::clone(memory[slot.index()].as_ref()?);
            Some(Stream { gpu: gpu.clone(), memory, layout: *plan.layout(*slot) })
        };
        let outputs = plan.outputs().iter().map(stream).collect();
        let runs = plan.passes().iter().filter_map(Pass::first_of_runs).min().unwrap_or(1);
        let mut prepared = Prepared {
            gpu: gpu.clone(),
            plan: plan.clone(),
            passes: Vec::new(),
            memory,
            outputs,
            run: Cell::new(0),
            runs,
        };
        // Shaders may not compile on a device that lacks what they use.
        for pass in plan.passes() {
            if let Command::Dispatch(dispatch) = &pass.command {
                dispatch::check(gpu, plan, dispatch)?;
            }
        }
        gpu.check_constructs(plan)?;
        gpu.compile_all(plan.passes().iter().map(|pass| ProgramKey::of(gpu, plan, pass)))?;
        for (index, pass) in plan.passes().iter().enumerate() {
            let next = plan.passes().get(index + 1);
            prepared.passes.push(PreparedPass::new(gpu, plan, pass, next, &prepared.memory)?);
        }
        check_error(&gpu.0.gl, "preparing a plan")?;
        Ok(prepared)
    }

    /// The plan that this executes.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The layout that the plan's input `number` must have, counted from 0; `None` if it has no such input.
    pub fn input_layout(&self, number: usize) -> Option<&Layout> {
        self.plan.inputs().nth(number).map(|slot| self.plan.layout(slot))
    }

    /// Uploads numbers in the layout of the plan's first input.
    ///
    /// Errors: [`Error::Length`], [`Error::ElementMismatch`], [`Error::Gl`].
    pub fn upload<T: Element>(&self, data: &[T]) -> Result<Stream, Error> {
        self.upload_input(0, data)
    }

    /// Uploads numbers in the layout of the plan's input `number`, counted from 0: [`Self::upload`] for plans with
    /// several inputs.
    ///
    /// Errors: as [`Self::upload`]; [`Error::Inputs`] if the plan has no such input; [`Error::Spec`] for offsets of segments
    /// that do not ascend. (Offsets that reach the GPU in another way are not checked: out of order they give other segments.)
    pub fn upload_input<T: Element>(&self, number: usize, data: &[T]) -> Result<Stream, Error> {
        let slot = self.plan.inputs().nth(number).ok_or_else(|| self.wrong_inputs(number + 1))?;
        let stream = self.gpu.upload(self.plan.layout(slot), data)?;
        if let Some(items) = self.plan.slots()[slot.index()].offsets_into {
            check_offsets(bytemuck::cast_slice(data), items)?;
        }
        Ok(stream)
    }

    /// Runs all passes. Returns streams on the GPU that the next run overwrites: for one input, `run(&stream)`, the first
    /// result; for several, `run([&stream, &mask])`, all as [`Outputs`]. A plan without passes may return its input.
    ///
    /// Allocates nothing on the GPU, compiles nothing, reads nothing back, and only reads `inputs`.
    ///
    /// Errors: [`Error::LayoutMismatch`], [`Error::OtherContext`], [`Error::Inputs`] for another number of inputs than the
    /// plan's, [`Error::OwnResult`], [`Error::CallersState`]; in debug contexts [`Error::DebugOutput`].
    pub fn run<'a, S: Streams<'a>>(&'a mut self, inputs: S) -> Result<S::Results, Error> {
        let inputs = inputs.list();
        self.on_inputs("running a plan", Effects::Draws(self.units()), &inputs, |slots| {
            self.issue_all(slots);
            Ok(())
        })?;
        let slots = self.plan.outputs().iter();
        let streams = slots
            .zip(&self.outputs)
            .map(|(slot, stream)| {
                let stream = stream.as_ref().unwrap_or_else(|| inputs[slot.index()]);
                (self.plan.slots()[slot.index()].name.as_str(), stream)
            })
            .collect();
        Ok(S::pick(Outputs::new(streams)))
    }

    /// Empty streams for results of the caller's own, one for each of the plan's, in its order: for [`Self::run_into`].
    ///
    /// Errors: [`Error::Gl`] if memory runs out.
    pub fn new_outputs(&self) -> Result<Vec<Stream>, Error> {
        self.gpu.enter("allocating results", Effects::Transfers, || {
            let new = |slot: &Slot| {
                let layout = *self.plan.layout(*slot);
                let memory = Rc::new(Memory::new(&self.gpu, &layout)?);
                Ok(Stream { gpu: self.gpu.clone(), memory, layout })
            };
            self.plan.outputs().iter().map(new).collect()
        })
    }

    /// Runs all passes, and leaves the results in streams of the caller's, one for each of the plan's, in its order. They
    /// are not overwritten by later runs into other streams, and do not borrow this.
    ///
    /// Makes a framebuffer for each draw of a result, 10 microseconds or so, and otherwise costs what [`Self::run`] does.
    ///
    /// Errors: as [`Self::run`]; [`Error::Inputs`], [`Error::LayoutMismatch`] or [`Error::OtherContext`] for outputs,
    /// too; [`Error::OwnResult`] if an output is an input or another output, or the plan returns an input.
    pub fn run_into<'a>(&mut self, inputs: impl Streams<'a>, outputs: impl Streams<'a>) -> Result<(), Error> {
        let (inputs, outputs) = (inputs.list(), outputs.list());
        let slots = self.plan.outputs();
        if outputs.len() != slots.len() {
            return Err(Error::Inputs { got: outputs.len(), expected: slots.len() });
        }
        for (slot, output) in slots.iter().zip(outputs.iter()) {
            output.check_suits(&self.gpu, self.plan.layout(*slot))?;
        }
        let shared = |index: usize, output: &&Stream| {
            let same = |other: &&Stream| other.memory.is(&output.memory);
            inputs.iter().any(same) || outputs[..index].iter().any(same)
        };
        let returned = slots.iter().any(|slot| self.plan.is_input(*slot));
        if returned || outputs.iter().enumerate().any(|(index, output)| shared(index, output)) {
            return Err(Error::OwnResult);
        }
        let replaced: Vec<(Slot, Rc<Memory>)> = slots
            .iter()
            .zip(outputs.iter())
            .map(|(slot, output)| (*slot, Rc::clone(&output.memory)))
            .collect();
        let zeroed = replaced.iter().any(|(slot, _)| self.plan.slots()[slot.index()].zeroed);
        let effects = if zeroed { Effects::Both } else { Effects::Draws(self.units()) };
        self.on_inputs("running a plan", effects, &inputs, |slots| {
            for (slot, memory) in &replaced {
                if self.plan.slots()[slot.index()].zeroed {
                    memory.clear(self.plan.layout(*slot))?;
                }
            }
            self.issue_all(&Slots { outputs: &replaced, ..*slots });
            check_unless_waiting(&self.gpu.0.gl, "running a plan")
        })
    }

    /// Sets a uniform of all passes that have one of this name and type, from the next run on: one plan then serves, for
    /// example, every digit of a sort, or every threshold. An `i32`, a `u32` and an `f32` are an `int`, a `uint` and a
    /// `float`.
    ///
    /// Errors: [`Error::NoUniform`] if no pass sets one of this name; [`Error::UniformType`] if it has another type.
    pub fn set(&mut self, name: &str, value: impl Into<Uniform>) -> Result<(), Error> {
        let (value, mut found, mut other) = (value.into(), false, None);
        for (pass, prepared) in self.plan.passes().iter().zip(&mut self.passes) {
            let Some((_, old)) = pass.uniforms().iter().find(|(known, _)| *known == name) else { continue };
            if old.glsl_type() == value.glsl_type() {
                found = true;
                prepared.set(&self.gpu, name, value);
            } else {
                other = Some(old.glsl_type());
            }
        }
        match (found, other) {
            (true, _) => Ok(()),
            (false, None) => Err(Error::NoUniform { name: name.into() }),
            (false, Some(expected)) => {
                Err(Error::UniformType { name: name.into(), got: value.glsl_type(), expected })
            }
        }
    }

    /// Runs all passes and reads back, after each one, what it wrote.
    ///
    /// Errors: as [`Self::run`], and [`Error::Gl`].
    pub fn trace<'a>(&mut self, inputs: impl Streams<'a>) -> Result<Trace, Error> {
        self.trace_each(&inputs.list(), |number, _, slots| {
            self.set_state();
            self.passes[number].issue_and_settle(&self.gpu, slots);
            Ok(Recorded::default())
        })
    }

    /// As [`Self::trace`], with shaders that also record what they read: [`Step::recorded`]. These are compiled
    /// separately, and draws are repeated as often as needed; so it is slow, and meant for short streams.
    ///
    /// Errors: as [`Self::trace`], [`Error::Shader`], and [`Error::Unsupported`] if there is too much to record.
    pub fn record<'a>(&mut self, inputs: impl Streams<'a>) -> Result<Trace, Error> {
        self.trace_each(&inputs.list(), |number, pass, slots| self.record_issued(number, pass, slots))
    }

    /// Records one pass, after those before it: a part of [`Self::record`]. Between two passes nothing else may run
    /// on this plan or change the inputs.
    pub(crate) fn record_pass(&mut self, inputs: &[&Stream], number: usize) -> Result<Step, Error> {
        self.on_inputs("tracing a plan", Effects::Both, inputs, |slots| {
            self.step(number, slots, |number, pass, slots| self.record_issued(number, pass, slots))
        })
    }

    /// Issues a pass and records what it reads.
    fn record_issued(&self, number: usize, pass: &Pass, slots: &Slots<'_>) -> Result<Recorded, Error> {
        self.set_state();
        let recorder = Recorder { gpu: &self.gpu, plan: &self.plan, own: &self.memory, slots };
        let recorded = recorder.record(pass, &|| self.set_state())?;
        // For a draw, recording repeats the draw; for a dispatch, which may update its buffers, it is the pass itself.
        if recorded.is_none() || matches!(pass.command, Command::Draw(_)) {
            self.set_state();
            self.passes[number].issue_and_settle(&self.gpu, slots);
        }
        Ok(recorded.unwrap_or_default())
    }

    /// Reads back what each pass wrote, once `run` has issued it.
    fn trace_each(
        &self,
        inputs: &[&Stream],
        run: impl Fn(usize, &Pass, &Slots<'_>) -> Result<Recorded, Error>,
    ) -> Result<Trace, Error> {
        self.on_inputs("tracing a plan", Effects::Both, inputs, |slots| {
            let inputs = self.input_writes(inputs)?;
            let steps = (0..self.passes.len()).map(|number| self.step(number, slots, &run));
            Ok(Trace { plan: self.plan.clone(), inputs, steps: steps.collect::<Result<_, Error>>()? })
        })
    }

    /// Issues a pass by `run`, and reads back what it wrote.
    fn step(
        &self,
        number: usize,
        slots: &Slots<'_>,
        run: impl Fn(usize, &Pass, &Slots<'_>) -> Result<Recorded, Error>,
    ) -> Result<Step, Error> {
        self.begin_again();
        let pass = &self.plan.passes()[number];
        let recorded = run(number, pass, slots)?;
        let mut writes = Vec::new();
        for slot in pass.writes() {
            let Some(memory) = &self.memory[slot.index()] else { continue };
            let layout = *self.plan.layout(slot);
            let stream = Stream { gpu: self.gpu.clone(), memory: Rc::clone(memory), layout };
            writes.push(Write { slot, layout, bytes: stream.read_bytes()? });
        }
        Ok(Step { pass: pass.clone(), writes, recorded })
    }

    /// The inputs, read back, for a trace.
    pub(crate) fn trace_inputs(&self, inputs: &[&Stream]) -> Result<Vec<Write>, Error> {
        self.on_inputs("tracing a plan", Effects::Both, inputs, |_| self.input_writes(inputs))
    }

    fn input_writes(&self, inputs: &[&Stream]) -> Result<Vec<Write>, Error> {
        let read = |(slot, stream): (Slot, &&Stream)| {
            Ok(Write { slot, layout: stream.layout, bytes: stream.read_bytes()? })
        };
        self.plan.inputs().zip(inputs).map(read).collect()
    }

    /// The time of one pass, after those before it, for a recording in pieces.
    pub(crate) fn time_pass(
        &mut self,
        inputs: &[&Stream],
        number: usize,
    ) -> Result<(crate::device::Clock, std::time::Duration), Error> {
        self.on_inputs("timing a plan", Effects::Both, inputs, |slots| {
            self.begin_again();
            self.set_state();
            timer::measure(&self.gpu, || self.passes[number].issue(&self.gpu, slots, 0))
        })
    }

    /// Runs all passes once and returns their time: on the GPU's clock if the device has a reliable one, else wall time
    /// until everything is done. Upload and readback are excluded.
    ///
    /// Errors: as [`Self::run`], and [`Error::Gl`].
    pub fn time<'a>(&mut self, inputs: impl Streams<'a>) -> Result<Timing, Error> {
        self.on_inputs("timing a plan", Effects::Both, &inputs.list(), |slots| {
            let (clock, total) = timer::measure(&self.gpu, || self.issue_all(slots))?;
            Ok(Timing { clock, total, passes: Vec::new() })
        })
    }

    /// As [`Self::time`], for `runs` runs in a row under one clock: the total is the mean of one run. This hides
    /// the cost of starting and reading the clock, which matters for short runs.
    ///
    /// Each run waits for the one before it, by the barrier that its last dispatch ends with. Of several
    /// runs, the clock starts behind one that does not count, so that the device has begun. Plans that draw are run
    /// once: draws of one run overlap those of the next (an H200 copies 256 texels in 0.2 microseconds that way, and in
    /// 4 alone), and a run of many passes is long enough. In a page they are repeated all the same, without barriers:
    /// its clock cannot tell a short run from none.
    pub fn time_runs<'a>(&mut self, inputs: impl Streams<'a>, runs: u32) -> Result<Timing, Error> {
        let passes = self.plan.passes();
        let draws = passes.iter().any(|pass| matches!(pass.command, Command::Draw(_)));
        let alone = draws && !cfg!(target_family = "wasm");
        let runs = if alone || passes.is_empty() { 1 } else { runs.max(1) };
        self.on_inputs("timing a plan", Effects::Both, &inputs.list(), |slots| {
            if runs > 1 {
                self.issue_all(slots);
            }
            let (clock, total) = timer::measure(&self.gpu, || {
                for _ in 0..runs {
                    self.issue_all(slots);
                }
            })?;
            Ok(Timing { clock, total: total / runs, passes: Vec::new() })
        })
    }

    /// As [`Self::time`], with a second run that times each pass alone.
    pub fn time_passes<'a>(&mut self, inputs: impl Streams<'a>) -> Result<Timing, Error> {
        let inputs = inputs.list();
        let timing = self.time(&*inputs)?;
        self.on_inputs("timing a plan", Effects::Both, &inputs, |slots| {
            self.begin_again();
            self.set_state();
            let passes = self
                .passes
                .iter()
                .map(|pass| Ok(timer::measure(&self.gpu, || pass.issue(&self.gpu, slots, 0))?.1))
                .collect::<Result<_, Error>>()?;
            Ok(Timing { passes, ..timing })
        })
    }

    /// Checks the inputs and runs `work` with the memory of all slots.
    fn on_inputs<R>(
        &self,
        during: &'static str,
        effects: Effects,
        inputs: &[&Stream],
        work: impl FnOnce(&Slots<'_>) -> Result<R, Error>,
    ) -> Result<R, Error> {
        if inputs.len() != self.plan.inputs().len() {
            return Err(self.wrong_inputs(inputs.len()));
        }
        for (slot, input) in self.plan.inputs().zip(inputs) {
            input.check_suits(&self.gpu, self.plan.layout(slot))?;
        }
        let memory: Vec<Rc<Memory>> = inputs.iter().map(|input| Rc::clone(&input.memory)).collect();
        if memory.iter().any(|input| self.memory.iter().flatten().any(|own| input.is(own))) {
            return Err(Error::OwnResult);
        }
        self.gpu.enter(during, effects, || {
            if self.passes.iter().any(PreparedPass::places_vertices) {
                state::check_clip_origin(&self.gpu.0.gl, self.gpu.device())?;
            }
            work(&Slots { own: &self.memory, inputs: &memory, outputs: &[] })
        })
    }

    fn wrong_inputs(&self, got: usize) -> Error {
        Error::Inputs { got, expected: self.plan.inputs().len() }
    }

    fn issue_all(&self, slots: &Slots<'_>) {
        let run = self.run.get();
        // Dispatches depend on nothing of it.
        if self.passes.iter().any(|pass| matches!(pass, PreparedPass::Draw(_))) {
            self.set_state();
        }
        for (pass, prepared) in self.plan.passes().iter().zip(&self.passes) {
            if run == 0 || pass.first_of_runs().is_none() {
                prepared.issue(&self.gpu, slots, run);
            }
        }
        self.run.set((run + 1) % self.runs);
    }

    /// Passes that are issued one by one are those of a first run, and so is the run after them.
    fn begin_again(&self) {
        self.run.set(0);
    }

    /// Sets the state that all passes share.
    fn set_state(&self) {
        let gl = &self.gpu.0.gl;
        if !self.gpu.is_callers() {
            state::set_for_drawing(gl, self.gpu.device().api);
        }
        for unit in 0..self.units() {
            // SAFETY: the context is current.
            unsafe { gl.bind_sampler(unit, Some(self.gpu.0.nearest)) };
        }
    }

    /// The texture units that passes read.
    fn units(&self) -> u32 {
        self.passes.iter().map(PreparedPass::units).max().unwrap_or(0)
    }
}

impl fmt::Debug for Prepared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Prepared({}, {} passes)", self.plan.name(), self.passes.len())
    }
}

impl Drop for Prepared {
    fn drop(&mut self) {
        if let Ok(_current) = self.gpu.make_current() {
            self.passes.iter().for_each(|pass| pass.delete(&self.gpu.0.gl));
        }
    }
}
