//! A call of `scan` or `compact`, which go the same way: INPUT is read, one algorithm or all of them are run on
//! it, and what comes out is written where it should go.

mod ask;
mod options;
mod runs;

use std::path::Path;

use anyhow::Context;
use rasterscan::printable::printable_path;
use rasterscan::registry::{self, Era};
use rasterscan::spec::MAX_LEN;
use rasterscan::{Gpu, Request};

use super::console::Console;
use super::device::DeviceOptions;
use super::exit::Usage;
use super::input::Input;
use super::output::{self, NumbersFile};
use rasterscan_files::{Numbers, each};
use rasterscan_lab::number::grouped;

pub use ask::Ask;
pub use options::{CallOptions, GivenOptions, Wanted, forms, named, operator};
pub use rasterscan_app::quoted;
use runs::{Document, Runs};

/// What a family's command says of itself.
pub struct Call<'a> {
    pub ask: Ask<'a>,
    pub options: &'a CallOptions,
    /// Where indices go that are wanted beside the values.
    pub indices: Option<&'a Path>,
    pub device: &'a DeviceOptions,
    pub console: &'a Console,
}

/// What comes out.
struct Answer {
    /// What was moved or made: the first of it for OUT, the second for the file of indices.
    streams: Vec<Named>,
    document: Document,
}

/// A stream, and what to call it.
struct Named {
    name: &'static str,
    numbers: Numbers,
}

impl Call<'_> {
    pub fn run(&self) -> anyhow::Result<()> {
        let input = self.ask.input()?;
        let output = self.options.output.as_deref().map(NumbersFile::new).transpose()?;
        let beside = self.indices.map(NumbersFile::new).transpose()?;
        if let (Some(output), Some(beside)) = (&output, &beside)
            && output.output.is_same_file(&beside.output)
        {
            let path = printable_path(output.output.path());
            return Err(Usage(format!("values and indices cannot both go to {path}")).into());
        }
        let answer = self.answer(&input)?;
        let files = [output.as_ref(), beside.as_ref()];
        let files = answer.streams.iter().zip(files).filter_map(|(stream, file)| Some((file?, stream)));
        let files: Vec<_> = files.collect();
        // Before anything is printed: somebody who has read enough of that still gets the files.
        let numbers: Vec<_> = files.iter().map(|(file, stream)| (*file, &stream.numbers)).collect();
        output::write_numbers_to(&numbers)?;
        for (file, Named { name, numbers }) in files {
            let count = grouped(numbers.len() as u64);
            let path = printable_path(file.output.path());
            self.console.note(format!("{count} {name} written to {path}"));
        }
        match (self.options.json, &output, answer.streams.first()) {
            (true, ..) => output::json_to_stdout(&answer.document),
            (false, None, Some(stream)) => output::numbers_to_stdout(&stream.numbers),
            _ => Ok(()),
        }
    }

    fn answer(&self, input: &Input) -> anyhow::Result<Answer> {
        let gpu = match input {
            Input::Random(random) if random.n <= MAX_LEN => {
                // What no algorithm can take need not be made, which may take gigabytes.
                let request = self.ask.request_of_random(random)?;
                let gpu = self.open()?;
                self.check_plan(gpu.as_ref(), request)?;
                Some(gpu)
            }
            _ => None,
        };
        let (data, request) = self.ask.read(input, self.console)?;
        let gpu = gpu.map_or_else(|| self.open(), Ok)?;
        let place = match &gpu {
            Some(gpu) => gpu.device().to_string(),
            None => "the CPU".into(),
        };
        self.console.note(format!("{request}, on {place}"));
        let runs = Runs { call: self, input, request, gpu: gpu.as_ref() };
        Ok(each!(&data.numbers, values => runs.answer(values)?))
    }

    /// Whether the wanted algorithm has a plan for this; `all` leaves out what has none.
    fn check_plan(&self, gpu: Option<&Gpu>, request: Request) -> anyhow::Result<()> {
        let Some(device) = gpu.map(Gpu::device) else { return Ok(()) };
        match self.ask.wanted {
            Wanted::All => return Ok(()),
            Wanted::Auto => registry::auto(&request, device).plan(request, device)?,
            Wanted::One(choice) => choice.plan(request, device)?,
        };
        Ok(())
    }

    /// The device; `None` where none is needed. No driver is loaded then, which could fail in any way.
    fn open(&self) -> anyhow::Result<Option<Gpu>> {
        match self.ask.wanted {
            Wanted::One(choice) if choice.card.era == Era::Cpu => Ok(None),
            _ => {
                let gpu = self.device.open();
                Ok(Some(gpu.context("cannot open a device (`-a sequential` needs none)")?))
            }
        }
    }
}
