//! From what is asked for to a recording whose result is the reference's.

use rasterscan::reference::Verified;
use rasterscan::registry::{self, Choice, Era};
use rasterscan::trace::{MAX_RECORDED, Recording, Values};
use rasterscan::{Element, Request, Unsupported};

use crate::call::{Ask, Wanted};
use crate::console::Console;
use crate::device::DeviceOptions;
use crate::exit::{Usage, WrongResult};
use crate::input::Input;
use crate::runner::{Results, Task, holds};
use rasterscan_files::each;
use rasterscan_lab::number::grouped;

/// Runs and records what is asked for, and holds its result against the reference unless nobody wants that.
///
/// Errors: the library's, those of INPUT, and [`WrongResult`].
pub fn record(ask: &Ask, device: &DeviceOptions, console: &Console) -> anyhow::Result<Recording> {
    match ask.wanted {
        Wanted::All => {
            let family = ask.family.name();
            return Err(Usage(format!(
                "-a all: a trace is of one algorithm; expected auto or a name (`{} list` has those of \
                 {family})",
                crate::called()
            ))
            .into());
        }
        Wanted::One(choice) if choice.card.era == Era::Cpu => {
            let reason = format!("{choice} runs on the CPU: it has no passes that could be recorded");
            return Err(rasterscan::Error::from(Unsupported(reason)).into());
        }
        _ => {}
    }
    let input = ask.input()?;
    if let Input::Random(random) = &input {
        // What cannot be recorded need not be made.
        check_len(&ask.request_of_random(random)?)?;
    }
    let (data, request) = ask.read(&input, console)?;
    check_len(&request)?;
    let gpu = device.open()?;
    console.note(format!("{request}, on {}", gpu.device()));
    let choice = match ask.wanted {
        Wanted::One(choice) => choice.clone(),
        _ => registry::auto(&request, gpu.device()),
    };
    let mask = Values::of(ask.mask);
    each!(&data.numbers, values => {
        let task = Task::new(&request, values, ask.mask, !ask.given.no_verify)?;
        let numbers = Values::of(values);
        let streams: &[&Values] = if ask.mask.is_empty() { &[&numbers] } else { &[&numbers, &mask] };
        let recording = rasterscan::record(&gpu, &choice, &request, streams)?;
        let verified = verify(&recording, &task).map_err(|mismatch| WrongResult {
            algorithm: choice.to_string(),
            mismatch: Box::new(mismatch),
            command: ask.command(&input, &choice, device),
        })?;
        console.summary(summary(&recording, &choice, verified), verified);
        Ok(recording)
    })
}

fn check_len(request: &Request) -> Result<(), rasterscan::Error> {
    let len = request.len();
    if len <= MAX_RECORDED {
        return Ok(());
    }
    let reason =
        format!("{} items are more than can be recorded: at most {}", grouped(len), grouped(MAX_RECORDED));
    Err(Unsupported(reason).into())
}

/// Holds what the recorded run left in its results against the oracle.
fn verify<T: Element>(
    recording: &Recording,
    task: &Task<'_, T>,
) -> Result<Option<Verified>, rasterscan::reference::Mismatch> {
    let results = results(recording);
    task.verify(Some(recording.cost_before(recording.passes.len()).depth), &results)
}

/// What a recorded run gave.
fn results<T: Element>(recording: &Recording) -> Results<T> {
    // What is missing or of another type is no right result, and so is found.
    let end = recording.passes.len();
    let last = |stream: usize| recording.before(end, stream);
    let named = |name: &str| recording.outputs.iter().find(|stream| recording.name(**stream) == name);
    let numbers = |name: &str| Some(last(*named(name)?)?.get::<T>().unwrap_or_default());
    match recording.request {
        Request::Scan(_) => {
            let values = recording.outputs.first().and_then(|stream| last(*stream)?.get().ok());
            Results { values, indices: None, kept: None }
        }
        Request::Compact(spec) => {
            let words = |name: &str| Some(last(*named(name)?)?.words.clone());
            let kept = words("count").and_then(|words| words.first().copied()).unwrap_or(0);
            let first = |count: u32| count as usize;
            let values = numbers("values").filter(|_| spec.moves.values());
            let indices = words("indices").filter(|_| spec.moves.indices());
            Results {
                values: values.map(|mut values| {
                    values.truncate(first(kept));
                    values
                }),
                indices: indices.map(|mut indices| {
                    indices.truncate(first(kept));
                    indices
                }),
                kept: Some(u64::from(kept)),
            }
        }
    }
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
            if holds(verified) { "verified, but" } else { "not verified:" },
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
    use rasterscan::{CompactSpec, Moves, ScanSpec};

    use super::*;

    /// A recording of no passes: these are inputs and results at once.
    fn recording(request: &Request, results: &[(&str, Values)]) -> Recording {
        let layout = |values: &Values| Layout::buffer(values.element, 1, values.len() as u64);
        let stream =
            |(name, values): &(&str, Values)| StreamInfo { name: (*name).into(), layout: layout(values) };
        let content =
            |(stream, (_, values)): (usize, &(&str, Values))| Content { stream, values: values.clone() };
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
        let request = Request::Scan(ScanSpec::new::<u32>(3));
        let task = Task::new(&request, &[1u32, 2, 3], &[], true).unwrap();
        let of = |sums: Values| verify(&recording(&request, &[("scanned", sums)]), &task);
        assert_eq!(of(Values::of(&[1u32, 3, 6])).unwrap().unwrap().compared, 3);
        assert_eq!(of(Values::of(&[1u32, 3, 7])).unwrap_err().index, 2);
        assert!(of(Values::of(&[1u32, 3])).is_err(), "one is missing");
        assert!(of(Values::of(&[1i32, 3, 6])).is_err(), "of another type");
        let unwanted = Task::new(&request, &[1u32, 2, 3], &[], false).unwrap();
        assert_eq!(verify(&recording(&request, &[("scanned", Values::of(&[0u32]))]), &unwanted), Ok(None));
    }

    #[test]
    fn a_recording_of_a_wrong_compaction_is_found() {
        let request = Request::Compact(CompactSpec::new::<u32>(4).moves(Moves::Both));
        let task = Task::new(&request, &[0u32, 7, 0, 9], &[], true).unwrap();
        let of = |values: [u32; 4], indices: [u32; 4], count: u32| {
            let results = [
                ("values", Values::of(&values)),
                ("indices", Values::of(&indices)),
                ("count", Values::of(&[count])),
            ];
            verify(&recording(&request, &results), &task)
        };
        // What lies behind the count is of no account.
        assert!(of([7, 9, 5, 5], [1, 3, 5, 5], 2).unwrap().is_some());
        assert!(of([7, 8, 5, 5], [1, 3, 5, 5], 2).is_err());
        assert!(of([7, 9, 5, 5], [1, 2, 5, 5], 2).is_err());
        assert!(of([7, 9, 5, 5], [1, 3, 5, 5], 3).is_err());
        assert!(of([7, 9, 5, 5], [1, 3, 5, 5], u32::MAX).is_err());
        assert!(verify(&recording(&request, &[("values", Values::of(&[7u32, 9]))]), &task).is_err());
    }
}
