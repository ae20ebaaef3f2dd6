//! The cases of conformance, run on the visitor's device: those that [`rasterscan::conformance`] derives from the cards.

use rasterscan::conformance::{self, Verdict};
use rasterscan::trace::Recording;
use rasterscan::{Error, Gpu, Job};
use rasterscan_app::{job, saved};
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

/// A recording without what differs between devices: names, times, and the shaders' dialect.
fn bare(mut recording: Recording) -> Recording {
    recording.device.clear();
    recording.clock = None;
    recording.passes.iter_mut().for_each(|pass| pass.time = None);
    recording
}

/// Records the saved jobs that this device runs, and compares every texel and every recorded read with the saved runs,
/// which another driver made. The report names the jobs that differ.
///
/// Errors: no WebGL 2.
pub fn recordings() -> Result<String, Error> {
    let gpu = gpu()?;
    let (mut equal, mut refused) = (0, 0);
    let mut wrong: Vec<Value> = Vec::new();
    let traces = saved::traces().unwrap_or_default();
    let mut load: job::Load = Box::new(|_, _, _| Err("there are no files".into()));
    for (job, saved) in saved::jobs().iter().zip(&traces) {
        let saved = Recording::from_json(saved.as_bytes()).map(bare);
        let made = job::settle(job, &mut load).map_err(|wrong| wrong.message).and_then(|settled| {
            let streams: Vec<_> = settled.streams.iter().collect();
            match rasterscan::record(&gpu, &settled.choice, &settled.request, &streams) {
                Err(Error::Unsupported(_)) => Ok(None),
                other => other.map(|recording| Some(bare(recording))).map_err(|error| error.to_string()),
            }
        });
        match (made, saved) {
            (Ok(None), _) => refused += 1,
            (Ok(Some(made)), Ok(saved)) if made == saved => equal += 1,
            (Ok(Some(made)), Ok(saved)) => {
                let differs = |(number, (made, saved))| (made != saved).then_some(number);
                let passes = made.passes.iter().zip(&saved.passes).enumerate();
                let first: Option<usize> = passes.filter_map(differs).next();
                wrong.push(json!({ "job": job.link(), "error": format!("it differs in pass {first:?}") }));
            }
            (Err(error), _) => wrong.push(json!({ "job": job.link(), "error": error })),
            (_, Err(error)) => wrong.push(json!({ "job": job.link(), "error": error.to_string() })),
        }
    }
    Ok(json!({ "equal": equal, "notApplicable": refused, "wrong": wrong }).to_string())
}
