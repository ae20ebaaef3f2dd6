//! From a task to a recording: plan, prepare, upload, record.

use std::fmt;
use std::time::Duration;

use crate::algorithm::{Choice, Chosen, Request};
use crate::device::{Clock, Device};
use crate::error::Error;
use crate::gl::Gpu;
use crate::job::Job;
use crate::numbers::Numbers;
use crate::plan::{Command, Pass, Plan, Shader};
use crate::task::{Ready, Task, borrowed};
use crate::trace::{
    Content, MAX_RECORDED, ReadStream, RecordedPass, Recording, ShaderText, Step, StreamInfo, Trace, Work,
    Write,
};
use crate::unsupported::Unsupported;

/// Runs an algorithm on a task and records everything: the output of each pass, and all reads of its texels, vertices and
/// invocations. The shaders are the algorithm's own, compiled so that they also record their reads.
///
/// Errors: [`Error::Unsupported`] if the device or the request rules it out, if it runs on the CPU and so has no
/// passes, and beyond [`MAX_RECORDED`] items; and as [`Prepared::trace`](crate::Prepared::trace).
pub fn record(gpu: &Gpu, choice: &Choice, task: &Task<'_>) -> Result<Recording, Error> {
    Recorder::new(gpu, choice, task.clone())?.finish()
}

/// The plan of a run that is recorded.
///
/// Errors: [`Error::Unsupported`] if the device or the request rules it out, if it runs on the CPU and so has no passes, and
/// beyond [`MAX_RECORDED`] items.
pub fn plan_to_record(choice: &Choice, request: &Request, device: &Device) -> Result<Plan, Error> {
    check_length(request)?;
    recordable(choice.clone().chosen(request, device)?)
}

/// Errors: too many items for a recording.
fn check_length(request: &Request) -> Result<(), Error> {
    if request.len() <= MAX_RECORDED {
        return Ok(());
    }
    Err(Error::from(Unsupported::too_large(format!(
        "{} items are too many for a recording; use at most {MAX_RECORDED}",
        request.len()
    ))))
}

/// Errors: an algorithm without passes.
fn recordable(Chosen { choice, plan }: Chosen) -> Result<Plan, Error> {
    let no_passes = || format!("{choice} runs on the CPU and has no passes; choose another, such as packed");
    plan.ok_or_else(|| Unsupported::request(no_passes()).into())
}

/// A recording made in pieces, a shader or a pass in each, so that a page can draw frames in between. [`record`] makes it
/// at once.
pub struct Recorder<'a> {
    gpu: Gpu,
    task: Task<'a>,
    plan: Plan,
    /// The programs that are compiled.
    compiled: usize,
    /// The plan on the device with its streams, once all programs are compiled.
    ready: Option<Ready>,
    inputs: Vec<Write>,
    times: Vec<(Clock, Duration)>,
    steps: Vec<Step>,
}

impl<'a> Recorder<'a> {
    /// Plans the recording.
    ///
    /// Errors: as [`record`], except for those of the device.
    pub fn new(gpu: &Gpu, choice: &Choice, task: Task<'a>) -> Result<Recorder<'a>, Error> {
        let plan = plan_to_record(choice, task.request(), gpu.device())?;
        Ok(Recorder::of_plan(gpu, plan, task))
    }

    fn of_plan(gpu: &Gpu, plan: Plan, task: Task<'a>) -> Recorder<'a> {
        let (inputs, times, steps) = (Vec::new(), Vec::new(), Vec::new());
        Recorder { gpu: gpu.clone(), task, plan, compiled: 0, ready: None, inputs, times, steps }
    }

    /// Plans the recording of a job that generates its numbers.
    ///
    /// Errors: as [`record_job`], except for those of the device.
    pub fn of_job(gpu: &Gpu, job: &Job) -> Result<Recorder<'static>, Error> {
        let task = Task::of_job(job)?;
        check_length(task.request())?;
        let plan = recordable(job.choose(task.request(), gpu.device())?)?;
        Ok(Recorder::of_plan(gpu, plan, task))
    }

    /// The same recording of other shaders: `change` maps each stage of each pass, as [`Plan::with_shaders`] does. To be
    /// called before [`Self::step`].
    pub fn with_shaders(self, change: impl Fn(&Shader) -> Shader) -> Recorder<'a> {
        Recorder { plan: self.plan.with_shaders(change), ..self }
    }

    /// Does the rest of the work at once.
    ///
    /// Errors: as [`record`].
    pub fn finish(mut self) -> Result<Recording, Error> {
        loop {
            if let Some(recording) = self.step()? {
                return Ok(recording);
            }
        }
    }

    /// Does the next piece of work. Returns the recording after the last.
    ///
    /// Errors: as [`record`].
    pub fn step(&mut self) -> Result<Option<Recording>, Error> {
        let passes = self.plan.passes().len();
        if self.compiled < passes {
            self.gpu.compile_pass(&self.plan, self.compiled)?;
            self.compiled += 1;
            return Ok(None);
        }
        let Some(Ready { prepared, streams }) = &mut self.ready else {
            let ready = self.task.prepare(&self.gpu, &self.plan)?;
            self.inputs = ready.prepared.trace_inputs(&borrowed(&ready.streams))?;
            self.ready = Some(ready);
            return Ok(None);
        };
        let streams = borrowed(streams);
        if self.times.is_empty() {
            // Once without a clock: a first run is slower.
            prepared.run(&streams)?;
        }
        if self.times.len() < passes {
            self.times.push(prepared.time_pass(&streams, self.times.len())?);
            return Ok(None);
        }
        if self.steps.len() < passes {
            self.steps.push(prepared.record_pass(&streams, self.steps.len())?);
        }
        if self.steps.len() < passes {
            return Ok(None);
        }
        let (inputs, steps) = (std::mem::take(&mut self.inputs), std::mem::take(&mut self.steps));
        let device = self.gpu.device();
        let device = format!("{}, {}", device.renderer, device.driver);
        let trace = Trace { plan: self.plan.clone(), inputs, steps };
        let mut recording = Recording::of(&trace, self.task.request(), device);
        let clock = if self.gpu.device().timer_queries { Clock::Gpu } else { Clock::Wall };
        recording.clock = Some(self.times.first().map_or(clock, |(clock, _)| *clock));
        for (pass, (_, time)) in recording.passes.iter_mut().zip(&self.times) {
            pass.time = Some(*time);
        }
        Ok(Some(recording))
    }
}

impl fmt::Debug for Recorder<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (done, all) = (self.steps.len(), self.plan.passes().len());
        write!(f, "Recorder({}, {done} of {all} passes recorded)", self.plan.name())
    }
}

/// Runs and records a job that generates its numbers.
///
/// Errors: as [`record`], and [`Error::Unsupported`] for a job whose numbers must be read from somewhere, or of several
/// algorithms.
pub fn record_job(gpu: &Gpu, job: &Job) -> Result<Recording, Error> {
    Recorder::of_job(gpu, job)?.finish()
}

impl Recording {
    /// A trace of a request as plain data, without times. `device` says what ran it.
    pub fn of(trace: &Trace, request: &Request, device: String) -> Recording {
        let streams = trace.plan.slots().iter();
        Recording {
            algorithm: trace.plan.name(),
            request: request.clone(),
            device,
            clock: None,
            streams: streams
                .map(|s| StreamInfo { name: s.name.clone(), layout: s.layout, bits: s.bits })
                .collect(),
            inputs: trace.inputs.iter().map(Content::of).collect(),
            outputs: trace.plan.outputs().iter().map(|slot| slot.index()).collect(),
            passes: trace.steps.iter().map(RecordedPass::of).collect(),
        }
    }
}

impl Content {
    fn of(write: &Write) -> Content {
        Content { stream: write.slot.index(), values: Numbers::of_bytes(write.layout.element, &write.bytes) }
    }
}

impl RecordedPass {
    fn of(step: &Step) -> RecordedPass {
        let pass = &step.pass;
        let source = |name: &str, stream, first| ReadStream { name: name.into(), stream, first };
        let (work, uniforms, sources) = match &pass.command {
            Command::Draw(draw) => {
                let primitives = draw.primitives;
                let sources = draw.reads.iter().map(|(name, slot)| source(name, slot.index(), 0));
                let attributes = draw.attributes.iter().map(|slot| source("attribute", slot.index(), 0));
                let work = match draw.stages.fragment {
                    Some(_) => Work::Draw { primitives, region: draw.region },
                    None => Work::Capture { primitives },
                };
                (work, &draw.uniforms, sources.chain(attributes).collect())
            }
            Command::Dispatch(dispatch) => {
                let bindings = dispatch.bindings.iter();
                let sources = bindings.map(|b| source(b.name, b.slot.index(), b.items.start)).collect();
                let work = Work::Dispatch {
                    groups: dispatch.groups,
                    invocations: dispatch.invocations,
                    lanes: dispatch.lanes.name().into(),
                };
                (work, &dispatch.uniforms, sources)
            }
        };
        RecordedPass {
            phase: pass.phase.into(),
            work,
            operator: pass.item.operator.clone(),
            shaders: shaders(pass),
            defines: pass.defines().into_iter().map(|(name, value)| (name.into(), value)).collect(),
            uniforms: uniforms.iter().map(|&(name, value)| (name.into(), value)).collect(),
            sources,
            targets: step.writes.iter().map(Content::of).collect(),
            written: match &step.recorded.written[..] {
                [] => vec![None; step.writes.len()],
                written => written.to_vec(),
            },
            cost: pass.cost,
            time: None,
            reads: step.recorded.reads.clone(),
            writes: step.recorded.writes.clone(),
            drawn: step.recorded.drawn.clone(),
            stopped: step.recorded.stopped,
            shared: step.recorded.shared.clone(),
            states: step.recorded.states.clone(),
        }
    }
}

fn shaders(pass: &Pass) -> Vec<ShaderText> {
    let main = pass.main_shader();
    let text = |shader: &crate::plan::Shader| ShaderText {
        path: shader.path().into(),
        text: shader.source().into(),
        main: shader == main,
        edited: shader.rewrite().is_some(),
    };
    pass.shaders().into_iter().map(text).collect()
}
