//! The cases of conformance, run on the visitor's device: those that [`rasterscan::tools::conformance`] derives from the cards.

use rasterscan::tools::conformance::{self, Verdict};
use rasterscan::tools::record::plan_to_record;
use rasterscan::tools::task::Ready;
use rasterscan::trace::{Reads, Trace};
use rasterscan::{Error, Gpu, tools::Job};
use rasterscan_app::examples;
use rasterscan_app::job::{self, Resolved};
use rasterscan_kernels::Engine;
use serde_json::{Value, json};

thread_local! {
    /// One context for all calls, with its compiled programs.
    static GPU: std::cell::RefCell<Option<Gpu>> = const { std::cell::RefCell::new(None) };
}

fn gpu() -> Result<Gpu, Error> {
    GPU.with_borrow_mut(|gpu| match gpu {
        Some(gpu) => Ok(gpu.clone()),
        None => Gpu::headless().map(|made| gpu.insert(made).clone()),
    })
}

/// Runs `count` cases from number `first` on. The report has the number of cases in all, counts of the outcomes, and
/// each failure with its job as a link.
///
/// Errors: no WebGL 2.
pub fn run(first: usize, count: usize) -> Result<String, Error> {
    let gpu = gpu()?;
    let jobs = conformance::jobs();
    let (mut right, mut compared, mut refused) = (0, 0, 0);
    let mut wrong: Vec<Value> = Vec::new();
    let mut fails = |job: &Job, why: String| wrong.push(json!({ "job": job.link(), "error": why }));
    for job in jobs.iter().skip(first).take(count) {
        match conformance::check(&gpu, job) {
            Verdict::Right(verified) => {
                right += 1;
                compared += verified.compared;
            }
            Verdict::NotApplicable(_) => refused += 1,
            Verdict::Wrong(mismatch) => fails(job, mismatch.to_string()),
            Verdict::Failed(error) => fails(job, error.to_string()),
        }
    }
    let device = gpu.device();
    let report = json!({
        "device": device.to_string(), "cases": jobs.len(), "right": right, "numbers": compared,
        "notApplicable": refused, "wrong": wrong,
    });
    Ok(report.to_string())
}

/// The first pass in which OpenGL and the kernels, on the same plan and numbers, write other values or read elsewhere.
fn first_different(gl: &Trace, kernels: &Trace) -> Option<usize> {
    gl.steps.iter().zip(&kernels.steps).position(|(a, b)| {
        let values = a.writes.iter().zip(&b.writes).enumerate().all(|(target, (x, y))| {
            let written = a.recorded.written.get(target).and_then(Option::as_deref);
            let texel = 4 * x.layout.words_per_texel() as usize;
            let texels = x.bytes().chunks(texel).zip(y.bytes().chunks(texel));
            let counts = |texel: usize| written.is_none_or(|written| written.get(texel) == Some(&true));
            texels.enumerate().all(|(texel, (x, y))| x == y || !counts(texel))
        });
        let lists = |reads: &Reads| (0..reads.len()).map(|reader| reads.sorted(reader)).collect::<Vec<_>>();
        let (x, y) = (&a.recorded.reads, &b.recorded.reads);
        !values || x.len() != y.len() || x.iter().zip(y).any(|(x, y)| lists(x) != lists(y))
    })
}

/// Runs a job by OpenGL and by kernels, on one plan. Returns the first pass in which they differ.
fn compared(gpu: &Gpu, resolved: &Resolved) -> Result<Option<usize>, Error> {
    let task = &resolved.task;
    let plan = plan_to_record(&resolved.choice, task.request(), gpu.device())?;
    let Ready { mut prepared, streams: uploaded } = task.prepare(gpu, &plan)?;
    let gl = prepared.record(&uploaded.iter().map(|stream| &**stream).collect::<Vec<_>>())?;
    let kernels = Engine::new(&plan).and_then(|mut engine| {
        engine.upload(&task.inputs())?;
        engine.record()
    });
    match kernels {
        Ok(kernels) => Ok(first_different(&gl, &kernels)),
        Err(rasterscan_kernels::Error::Unsupported(reason)) => Err(reason.into()),
        Err(fault) => Err(Error::Gl { during: "kernels", what: fault.to_string() }),
    }
}

/// Records the app's examples that this device runs, and compares every texel and every recorded read with those of kernels
/// in Rust. The report names the jobs that differ.
///
/// Errors: no WebGL 2.
pub fn recordings() -> Result<String, Error> {
    let gpu = gpu()?;
    let (mut equal, mut refused) = (0, 0);
    let mut wrong: Vec<Value> = Vec::new();
    let mut load: job::Load = Box::new(|_, _, _| Err("there are no files".into()));
    for job in examples::jobs() {
        let resolved = job::resolve(&job, &mut load).map_err(|wrong| wrong.message);
        let outcome = resolved.map(|resolved| compared(&gpu, &resolved));
        match outcome {
            Ok(Ok(None)) => equal += 1,
            Ok(Ok(Some(pass))) => {
                wrong.push(json!({ "job": job.link(), "error": format!("it differs in pass {}", pass + 1) }));
            }
            Ok(Err(Error::Unsupported(_))) => refused += 1,
            Ok(Err(error)) => wrong.push(json!({ "job": job.link(), "error": error.to_string() })),
            Err(message) => wrong.push(json!({ "job": job.link(), "error": message })),
        }
    }
    Ok(json!({ "equal": equal, "notApplicable": refused, "wrong": wrong }).to_string())
}
