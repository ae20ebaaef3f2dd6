//! The lab as `compare` and `reproduce` use it: on which device, what of its steps is seen, and the command that shows a wrong
//! result.

use indicatif::ProgressBar;
use rasterscan::{Gpu, Request};
use rasterscan_lab::case::Case;
use rasterscan_lab::cell::{LabError, Wrong};
use rasterscan_lab::contender::Contender;
use rasterscan_lab::gpu::GpuLab;
use rasterscan_lab::host;
use rasterscan_lab::progress::Progress;

use super::console::Console;
use super::device::DeviceOptions;
use super::exit::WrongResult;
use super::{called, scan};

/// The lab on a device of this machine.
pub fn lab(gpu: &Gpu) -> GpuLab<'_> {
    GpuLab::new(gpu).with_memory(host::free_memory)
}

/// Shows the steps of a run on its bar, and its notes.
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

/// An error of a run; a wrong result with the command that shows it alone.
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
    let (called, device, family) = (called(), device.arguments(), case.family.name());
    let Contender::Algorithm(choice) = contender else {
        return format!("{called} compare {family}{device}");
    };
    let options = match case.request() {
        Request::Scan(spec) => scan::arguments(&spec.operator, spec.kind, spec.order, spec.tuple),
        Request::Compact(_) => String::new(),
    };
    let (input, element) = (case.input(), case.element);
    format!("{called} {family} {input} --dtype {element} -a {choice}{options}{device}")
}

#[cfg(test)]
mod tests {
    use rasterscan::ElementType;
    use rasterscan::registry::Family;

    use super::*;
    use crate::input::{Input, Random};

    /// The stream of a case is the one that its command reads.
    #[test]
    fn the_command_of_a_case_has_its_numbers() {
        for case in [Case::scan(1000), Case::compact(1000, 0.3)] {
            let Input::Random(random) = Input::parse(case.input().as_ref(), case.family).unwrap() else {
                panic!("{} is not random", case.input())
            };
            let numbers = random.numbers().unwrap().convert(ElementType::I64).unwrap();
            assert_eq!(numbers, case.numbers::<i64>().unwrap().into());
            assert_eq!(Random::default().seed, random.seed);
        }
        let contender = Contender::parse(Family::Scan, "packed").unwrap();
        let device = DeviceOptions {
            device: rasterscan::DeviceChoice::Software,
            api: rasterscan::Api::Gl,
            chosen: true,
            tuning: true,
        };
        let case = Case { order: 2, ..Case::scan(8) };
        assert_eq!(
            command(&contender, &case, &device).trim_start_matches(&called()),
            " scan random:n=8,seed=7,max=255 --dtype u32 -a packed --order 2 --device software"
        );
    }
}
