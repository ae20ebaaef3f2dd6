//! Records a job, and checks its result against the reference.

use rasterscan::algorithm::results::{Mismatch, Verified};
use rasterscan::tools::job::Wanted;
use rasterscan::tools::registry::{Choice, Chosen, Era};
use rasterscan::trace::{MAX_RECORDED, Recording};
use rasterscan::{
    Unsupported,
    tools::{Job, Spec, Task},
};

use crate::console::Console;
use crate::device::DeviceOptions;
use crate::engine::{self, Engine};
use crate::exit::{Usage, WrongResult};
use crate::input::Inputs;
use crate::job;
use rasterscan_drawing::number::grouped;
use rasterscan_files::Format;

/// Runs and records a job, and checks its result against the reference if it is to be `verified`.
///
/// Errors: the library's, those of INPUT, and [`WrongResult`].
pub fn record(
    job: &Job,
    format: Option<Format>,
    verified: bool,
    device: &DeviceOptions,
    console: &Console,
) -> anyhow::Result<Recording> {
    match &job.algorithm {
        Wanted::All => {
            return Err(Usage(format!(
                "-a all: a trace shows one algorithm; expected auto or a name (`{} list` has those of {})",
                crate::console::called(),
                job.problem
            ))
            .into());
        }
        Wanted::Algorithm(choice) if choice.card.era == Era::Cpu => {
            let reason = format!("{choice} runs on the CPU: it has no passes to record");
            return Err(rasterscan::Error::from(Unsupported::request(reason)).into());
        }
        _ => {}
    }
    let inputs = Inputs::new(job, format)?;
    let (task, ()) = inputs.load(console, |request| Ok(check_len(request.spec())?))?;
    let request = task.request();
    let engine = Engine::open(device, console)?;
    console.note(format!("{request}, on {}", engine.place()));
    let Chosen { choice, plan } = job.choose(request, engine.device())?;
    if let Some(plan) = plan {
        tracing::info!("plan: {plan}");
    }
    let recording = match &engine {
        Engine::Gl(gpu) => rasterscan::tools::record::record(gpu, &choice, &task)?,
        Engine::Kernels(_) => rasterscan_kernels::record(&choice, &task).map_err(engine::error_of)?,
    };
    let verified =
        verified.then(|| verify(&recording, &task)).transpose().map_err(|mismatch| WrongResult {
            algorithm: choice.to_string(),
            mismatch: Box::new(mismatch),
            command: job::command(&job.clone().by(choice.clone()), device),
        })?;
    console.summary(summary(&recording, &choice, verified), verified);
    Ok(recording)
}

fn check_len(spec: &dyn Spec) -> Result<(), rasterscan::Error> {
    let len = spec.len();
    if len <= MAX_RECORDED {
        return Ok(());
    }
    let reason =
        format!("{} items are more than can be recorded: at most {}", grouped(len), grouped(MAX_RECORDED));
    Err(Unsupported::request(reason).into())
}

/// Checks the results of the recorded run against the reference.
fn verify(recording: &Recording, task: &Task<'_>) -> Result<Verified, Mismatch> {
    task.verify(Some(recording.cost_before(recording.passes.len()).depth), &recording.results())
}

fn summary(recording: &Recording, choice: &Choice, verified: Option<Verified>) -> String {
    let passes = match recording.passes.len() {
        1 => "1 pass".into(),
        passes => format!("{passes} passes"),
    };
    let verified = match verified {
        None => "not verified".into(),
        Some(verified) if verified.unbounded > 0 => format!(
            "{} {} cannot be checked (overflow or NaN)",
            if verified.holds() { "verified, but" } else { "not verified:" },
            grouped(verified.unbounded)
        ),
        Some(_) => "verified".into(),
    };
    format!("{choice}: {passes} recorded, {verified}")
}

#[cfg(test)]
mod tests {
    use rasterscan::plan::Layout;
    use rasterscan::trace::{Content, StreamInfo};
    use rasterscan::{
        CompactSpec, Moves, ScanSpec,
        tools::{Numbers, Request},
    };

    use super::*;

    /// A recording of no passes: these are inputs and results at once.
    fn recording(request: &Request, results: &[(&str, Numbers)]) -> Recording {
        let layout = |values: &Numbers| Layout::buffer(values.element(), 1, values.len() as u64);
        let stream = |(name, values): &(&str, Numbers)| StreamInfo {
            name: (*name).into(),
            layout: layout(values),
            bits: false,
        };
        let content =
            |(stream, (_, values)): (usize, &(&str, Numbers))| Content { stream, values: values.clone() };
        Recording {
            algorithm: "horn".into(),
            request: request.clone(),
            device: String::new(),
            clock: None,
            streams: results.iter().map(stream).collect(),
            inputs: results.iter().enumerate().map(content).collect(),
            outputs: (0..results.len()).collect(),
            passes: Vec::new(),
        }
    }

    #[test]
    fn a_recording_of_a_wrong_scan_is_found() {
        let request = Request::new(ScanSpec::new::<u32>(3));
        let input = Numbers::of(&[1u32, 2, 3]);
        let task = Task::new(&request, [&input]).unwrap();
        let of = |sums: Numbers| verify(&recording(&request, &[("scanned", sums)]), &task);
        assert_eq!(of(Numbers::of(&[1u32, 3, 6])).unwrap().compared, 3);
        assert_eq!(of(Numbers::of(&[1u32, 3, 7])).unwrap_err().index, 2);
        assert!(of(Numbers::of(&[1u32, 3])).is_err(), "one is missing");
        assert!(of(Numbers::of(&[1i32, 3, 6])).is_err(), "of another type");
    }

    #[test]
    fn a_recording_of_a_wrong_compaction_is_found() {
        let request = Request::new(CompactSpec::new::<u32>(4).moves(Moves::Both));
        let input = Numbers::of(&[0u32, 7, 0, 9]);
        let task = Task::new(&request, [&input]).unwrap();
        let of = |values: [u32; 4], indices: [u32; 4], count: u32| {
            let results = [
                ("values", Numbers::of(&values)),
                ("indices", Numbers::of(&indices)),
                ("count", Numbers::of(&[count])),
            ];
            verify(&recording(&request, &results), &task)
        };
        // Values past the count are undefined.
        assert!(of([7, 9, 5, 5], [1, 3, 5, 5], 2).is_ok());
        assert!(of([7, 8, 5, 5], [1, 3, 5, 5], 2).is_err());
        assert!(of([7, 9, 5, 5], [1, 2, 5, 5], 2).is_err());
        assert!(of([7, 9, 5, 5], [1, 3, 5, 5], 3).is_err());
        assert!(of([7, 9, 5, 5], [1, 3, 5, 5], u32::MAX).is_err());
        assert!(verify(&recording(&request, &[("values", Numbers::of(&[7u32, 9]))]), &task).is_err());
    }
}
