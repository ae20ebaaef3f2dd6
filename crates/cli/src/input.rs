//! The inputs of a job: files of numbers, images, standard input, or generated numbers. They are checked before anything is
//! done, and read when an algorithm is known.

mod source;

use anyhow::{Context, anyhow, bail};

use rasterscan::tools::job::{Job, Source};
use rasterscan::tools::problem::InputInfo;
use rasterscan::tools::registry::{Parameter, SideInput};
use rasterscan::{
    ElementType,
    tools::{Numbers, Request, Task},
};
use rasterscan_files::{ByteSource, Data, Format, NpyError, ReadError, ReadOptions, read_mask};

use super::console::Console;
use super::exit::Usage;

/// The inputs of a job, checked and not yet read.
pub struct Inputs<'j> {
    job: &'j Job,
    main: Input<'j>,
    beside: Vec<(&'static Parameter, SideInput, Input<'j>)>,
}

impl<'j> Inputs<'j> {
    /// Checks the inputs before anything is done.
    ///
    /// Errors: two are standard input, or one cannot be read.
    pub fn new(job: &'j Job) -> anyhow::Result<Inputs<'j>> {
        let main = Input::new(&job.source)?;
        let checked = |(option, side_input, source): (&'static Parameter, _, &'j Source)| match source {
            Source::Stdin if job.source == Source::Stdin => {
                let name = option.name;
                Err(Usage(format!("INPUT and --{name} cannot both be standard input")).into())
            }
            source => Ok((option, side_input, Input::new(source)?)),
        };
        let beside = job.beside().map(checked).collect::<anyhow::Result<_>>()?;
        Ok(Inputs { job, main, beside })
    }

    /// Reads or generates all numbers. `prepare` is called with the request as soon as it is known: before numbers are
    /// generated, but after files are read.
    ///
    /// Errors name the file.
    pub fn load<T>(
        &self,
        console: &Console,
        prepare: impl Fn(&Request) -> anyhow::Result<T>,
    ) -> anyhow::Result<(Task<'static>, T)> {
        let Inputs { job, main, beside } = self;
        let is_known = |(.., input): &(_, _, Input<'_>)| input.source.len().is_some();
        let known = job.source.is_made() && beside.iter().all(is_known);
        let known = if known { job.known_request()? } else { None };
        let prepared = known.as_ref().map(&prepare).transpose()?;
        // Masks first: they are smaller, and their faults are found sooner.
        let is_mask = |side_input| matches!(side_input, SideInput::Flags | SideInput::Bits);
        let mask = |(option, side_input, input): &(&Parameter, _, Input<'_>)| {
            is_mask(*side_input).then(|| input.flags(option.name)).transpose()
        };
        let masks = beside.iter().map(mask).collect::<anyhow::Result<Vec<_>>>()?;
        let data =
            main.read(&ReadOptions { element: job.element, channels: job.options.flag("channels") })?;
        if let Some(note) = &data.note {
            console.note(format!("{}: {note}", main.name()));
        }
        let given = InputInfo { channels: data.channels, ..InputInfo::of(&data.numbers) };
        let request = job.request(given)?;
        let mut streams = vec![data.numbers];
        for ((option, side_input, input), mask) in beside.iter().zip(masks) {
            let options = ReadOptions { element: side_input.element(Some(given.element)), channels: false };
            let numbers = mask.map_or_else(|| anyhow::Ok(input.read(&options)?.numbers), Ok)?;
            let (name, len, expected) = (option.name, numbers.len(), request.len());
            if is_mask(*side_input) && len as u64 != expected {
                bail!("the {name} {} has {len} values, but the input has {expected}", input.source);
            }
            streams.push(job.stream(name, *side_input, numbers, expected, streams.first())?);
        }
        let task = Task::new(job.request_of(given, &streams)?, streams)?;
        let prepared = prepared.map_or_else(|| prepare(task.request()), Ok)?;
        Ok((task, prepared))
    }
}

/// A source that was checked.
pub struct Input<'j> {
    source: &'j Source,
    /// The format of the bytes; `None` if the numbers are generated or typed in.
    format: Option<Format>,
}

impl<'j> Input<'j> {
    /// Checks that a source can be read, as far as possible without reading it.
    pub fn new(source: &'j Source) -> anyhow::Result<Input<'j>> {
        let format = match source {
            Source::File(path) => {
                // A missing file is reported before an unknown format.
                let found = std::fs::metadata(path);
                let numbers = path.to_str().map(|text| Source::Values(text.into()));
                let numbers = numbers.filter(|numbers| found.is_err() && numbers.element().is_some());
                let hint = numbers.map_or_else(String::new, |numbers| format!(" ({numbers} are numbers)"));
                let found = found.with_context(|| format!("cannot read {}{hint}", path.display()))?;
                if found.is_dir() {
                    bail!("cannot read {}: it is a directory", path.display());
                }
                let known = Format::of_name(path).with_context(|| {
                    format!(
                        "{}: unknown format: expected .npy, .csv, .txt, .bin, .png, .jpg, - for standard input, \
                         values:3,1,7 or random:n=...",
                        path.display()
                    )
                });
                Some(known?)
            }
            Source::Stdin => Some(Format::Text),
            Source::Chosen => {
                bail!(Usage("file: stands for a file that you choose; give its name instead".into()))
            }
            Source::Random { .. } | Source::Pattern { .. } | Source::Values(_) => None,
        };
        Ok(Input { source, format })
    }

    /// Reads or generates all numbers.
    ///
    /// Errors name the file and the line or the index at fault.
    fn read(&self, options: &ReadOptions) -> anyhow::Result<Data> {
        if options.channels && !self.format.is_some_and(Format::is_picture) {
            bail!(Usage("--channels is for images (.png, .jpg)".into()));
        }
        let data = match self.format {
            Some(Format::Binary) if options.element.is_none() => Err(worded(ReadError::NoElement)),
            Some(_) => self.bytes(|bytes, format| rasterscan_files::read(bytes, format, options)),
            None => {
                let numbers = self.source.numbers(options.element).map_err(anyhow::Error::from);
                numbers.and_then(|numbers| Ok(numbers.context("there are no numbers")?.into()))
            }
        };
        data.with_context(|| self.name())
    }

    /// Reads a file as [`rasterscan_files::read_shrunk`] does.
    ///
    /// Errors name the file.
    #[cfg(feature = "window")]
    pub fn read_shrunk(&self, element: ElementType, most: u64) -> anyhow::Result<Data> {
        let data = self.bytes(|bytes, format| rasterscan_files::read_shrunk(bytes, format, element, most));
        data.with_context(|| self.name())
    }

    /// Reads a mask or other flags, `what`: an `.npy` of bool or u1, the luma of a `.png`, row by row, or generated numbers. Nonzero means kept.
    ///
    /// Errors name the file.
    fn flags(&self, what: &str) -> anyhow::Result<Numbers> {
        let options = ReadOptions { element: Some(ElementType::U32), channels: false };
        let flags = match self.source {
            Source::File(_) => self.bytes(read_mask),
            Source::Stdin => self.bytes(|bytes, format| match format {
                Format::Npy => read_mask(bytes, format),
                format => Ok(rasterscan_files::read(bytes, format, &options)?.numbers.words().to_vec()),
            }),
            _ => return Ok(self.read(&options)?.numbers),
        };
        Ok(flags.with_context(|| format!("the {what} {}", self.name()))?.into())
    }

    /// Reads the bytes of a file, or of standard input, in their format.
    fn bytes<T>(
        &self,
        read: impl FnOnce(&mut ByteSource<'_>, Format) -> Result<T, ReadError>,
    ) -> anyhow::Result<T> {
        let (mut bytes, format) = match self.source {
            Source::File(path) => (source::open(path)?, self.format),
            _ => (source::stdin()?, None),
        };
        let format = format.map_or_else(|| bytes.format(), Ok).map_err(worded)?;
        read(&mut bytes, format).map_err(worded)
    }

    /// The name in errors.
    fn name(&self) -> String {
        match self.source {
            Source::Stdin => "standard input".into(),
            source => source.to_string(),
        }
    }
}

/// A reader's error in the words of the command line, with its exit code.
fn worded(error: ReadError) -> anyhow::Error {
    match error {
        ReadError::NoElement => {
            Usage("a .bin file does not say its element type: give --dtype u32, i32, f32, u64 or i64".into())
                .into()
        }
        ReadError::Npy(NpyError::Doubles { descr, wanted: None }) => {
            anyhow!("it holds 64-bit floats ({descr}); --dtype f32 narrows them")
        }
        ReadError::Npy(NpyError::Doubles { descr, wanted: Some(other) }) => {
            anyhow!("it holds 64-bit floats ({descr}); --dtype f32 narrows them, --dtype {other} does not")
        }
        ReadError::Npy(NpyError::Bool(descr)) => {
            anyhow!("an array of bool ({descr}) can only be read as flags: --mask or --segments")
        }
        ReadError::Library(error) => error.into(),
        error => error.into(),
    }
}
