//! The lab as `compare` and `reproduce` use it: its device, its steps on the screen, and the command that shows a wrong
//! result.

use std::time::Duration;

use indicatif::ProgressBar;
use rasterscan::Gpu;
use rasterscan_lab::case::Case;
use rasterscan_lab::cell::{LabError, Wrong};
use rasterscan_lab::contender::Contender;
use rasterscan_lab::gpu::GpuLab;
use rasterscan_lab::host;
use rasterscan_lab::progress::Progress;

use super::console::Console;
use super::console::called;
use super::device::DeviceOptions;
use super::exit::WrongResult;
use super::job;

/// The longest time to measure: a day.
const MOST_SECONDS: f64 = 86_400.0;

/// Reads a time of the command line, in seconds.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.0..=MOST_SECONDS).contains(seconds));
    seconds
        .map(Duration::from_secs_f64)
        .ok_or_else(|| format!("expected a number of seconds from 0 to {MOST_SECONDS}, such as 30 or 0.5"))
}

/// The lab on a device of this machine.
pub fn lab(gpu: &Gpu) -> GpuLab<'_> {
    GpuLab::new(gpu).with_memory(host::free_memory)
}

/// Shows the steps of a run on its progress bar, and its notes.
pub fn listener<'a>(bar: &'a ProgressBar, console: &'a Console) -> impl FnMut(Progress<'_>) + 'a {
    |step| match step {
        Progress::Begins { number, cell, .. } => {
            bar.set_position(number as u64);
            bar.set_message(cell.to_string());
            bar.tick();
        }
        Progress::Measured { cell, took, share } => tracing::info!("{cell}: {took:.1?} of {share:.1?}"),
        Progress::Note(note) => bar.suspend(|| console.note(note)),
    }
}

/// Converts the error of a run; a wrong result gets the command that reproduces it alone.
pub fn reproducible(error: anyhow::Error, device: &DeviceOptions) -> anyhow::Error {
    match error.downcast::<LabError>() {
        Ok(LabError::Wrong(wrong)) => {
            let Wrong { contender, case, mismatch } = *wrong;
            let command = command(&contender, &case, device);
            WrongResult { algorithm: contender.name(), mismatch: Box::new(mismatch), command }.into()
        }
        Ok(LabError::Library(error)) => error.into(),
        Ok(error) => error.into(),
        Err(error) => error,
    }
}

/// The command that runs a contender on a case alone.
fn command(contender: &Contender, case: &Case, device: &DeviceOptions) -> String {
    match contender {
        Contender::Algorithm(choice) => job::command(&case.job().by(choice.clone()), device),
        _ => format!("{} compare {}{}", called(), case.problem(), device.arguments()),
    }
}

#[cfg(test)]
mod tests {
    use rasterscan::tools::problem::SCAN;

    use super::*;

    #[test]
    fn seconds_may_be_parts_and_not_more_than_a_day() {
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        assert_eq!(seconds("0"), Ok(Duration::ZERO));
        assert_eq!(seconds("86400"), Ok(Duration::from_secs(86400)));
        for text in ["", "-1", "nan", "inf", "86401", "1e300", "10s"] {
            assert!(seconds(text).unwrap_err().contains("as 30 or 0.5"), "{text}");
        }
    }

    #[test]
    fn the_command_of_a_case_says_all_of_it() {
        let contender = Contender::parse(SCAN, "packed").unwrap();
        let device = DeviceOptions {
            device: rasterscan::gl::DeviceChoice::Software,
            cpu: false,
            named: true,
            api: "gl".parse().unwrap(),
            or_es: true,
            chosen: true,
            tuning: true,
        };
        assert_eq!(
            command(&contender, &Case::scan(8).order(2), &device).trim_start_matches(&called()),
            " scan random:n=8,seed=7,max=255 -a packed --order 2 --dtype u32 --device software"
        );
    }
}
