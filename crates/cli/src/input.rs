//! The inputs of a job: files of numbers, images, standard input, or generated numbers. They are checked before anything is
//! done, and read when an algorithm is known.

mod source;

use anyhow::{Context, anyhow, bail};

use rasterscan::tools::job::{Job, Source};
use rasterscan::tools::limits::MAX_LEN;
use rasterscan::tools::problem::InputInfo;
use rasterscan::tools::registry::{Parameter, SideInput};
use rasterscan::{
    ElementType,
    tools::{Numbers, Request, Task},
};
use rasterscan_files::{ByteSource, Data, Format, NpyError, ReadError, ReadOptions, read_mask};

use super::chunked::Stream;
use super::console::Console;
use super::exit::Usage;

/// The endings of names of files that can be read.
pub const READ: [&str; 6] = ["npy", "csv", "txt", "bin", "png", "jpg"];

/// The inputs of a job, checked and not yet read.
pub struct Inputs<'j> {
    job: &'j Job,
    main: Input<'j>,
    beside: Vec<(&'static Parameter, SideInput, Input<'j>)>,
}

impl<'j> Inputs<'j> {
    /// Checks the inputs before anything is done. `format` is that of INPUT, in place of the one that its name tells.
    ///
    /// Errors: two are standard input, or one cannot be read.
    pub fn new(job: &'j Job, format: Option<Format>) -> anyhow::Result<Inputs<'j>> {
        let main = Input::new(&job.source, format)?;
        let checked = |(option, side_input, source): (&'static Parameter, _, &'j Source)| match source {
            Source::Stdin if job.source == Source::Stdin => {
                let name = option.name;
                Err(Usage(format!("INPUT and --{name} cannot both be standard input")).into())
            }
            source => Ok((option, side_input, Input::new(source, None)?)),
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
        let counted = self.counted().filter(|_| known.is_none());
        if let Some(len) = counted.map(|counted| counted.len).filter(|len| *len > MAX_LEN) {
            let told = format!("{}: --chunk and --memory take it piece by piece", main.name());
            return Err(anyhow::Error::from(rasterscan_files::too_many(len)).context(told));
        }
        let known = known.or_else(|| job.request(counted?).ok());
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

impl Inputs<'_> {
    /// The type and the number of the numbers of a file, if it says so before they are read. Its faults are found then.
    fn counted(&self) -> Option<InputInfo> {
        match &self.job.source {
            Source::File(path) if self.beside.is_empty() => {
                Some(Stream::of_file(path, String::new(), self.job.element).ok()?.info())
            }
            _ => None,
        }
    }

    /// The one stream beside a main one of which only this is known: a seed, or edges.
    ///
    /// Errors name the file.
    pub fn beside(&self, given: InputInfo) -> anyhow::Result<Option<Numbers>> {
        let of = |(option, side_input, input): &(&'static Parameter, SideInput, Input<'_>)| {
            let options = ReadOptions { element: side_input.element(Some(given.element)), channels: false };
            let numbers = input.read(&options)?.numbers;
            Ok(self.job.stream(option.name, *side_input, numbers, given.len, None)?)
        };
        self.beside.first().map(of).transpose()
    }
}

/// A source that was checked.
pub struct Input<'j> {
    source: &'j Source,
    /// The format of the bytes; `None` if they tell it themselves, and of numbers that are generated or typed in.
    format: Option<Format>,
}

impl<'j> Input<'j> {
    /// Checks that a source can be read, as far as possible without reading it. A given format is that of its bytes.
    pub fn new(source: &'j Source, given: Option<Format>) -> anyhow::Result<Input<'j>> {
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
                let known = given.or_else(|| Format::of_name(path)).with_context(|| {
                    format!(
                        "{}: unknown format: expected .npy, .csv, .txt, .bin, .png, .jpg, - for standard input, \
                         values:3,1,7 or random:n=... (--input-format names the format of another name)",
                        path.display()
                    )
                });
                Some(known?)
            }
            Source::Stdin => given,
            Source::Chosen => {
                bail!(Usage("file: stands for a file that you choose; give its name instead".into()))
            }
            Source::Random { .. } | Source::Pattern { .. } | Source::Values(_) if given.is_some() => {
                bail!(Usage(format!("--input-format is for files and standard input; {source} has no bytes")))
            }
            Source::Random { .. } | Source::Pattern { .. } | Source::Values(_) => None,
        };
        Ok(Input { source, format })
    }

    /// Reads or generates all numbers.
    ///
    /// Errors name the file and the line or the index at fault.
    fn read(&self, options: &ReadOptions) -> anyhow::Result<Data> {
        let pictures =
            |format: Option<Format>| match options.channels && !format.is_some_and(Format::is_picture) {
                true => Err(Usage("--channels is for images (.png, .jpg)".into())),
                false => Ok(()),
            };
        let read = || match self.source {
            Source::File(_) | Source::Stdin => {
                let (mut bytes, format) = self.open()?;
                pictures(Some(format))?;
                rasterscan_files::read(&mut bytes, format, options).map_err(worded)
            }
            _ => {
                pictures(None)?;
                Ok(self.source.numbers(options.element)?.context("there are no numbers")?.into())
            }
        };
        read().with_context(|| self.name())
    }

    /// Reads a file as [`rasterscan_files::read_shrunk`] does.
    ///
    /// Errors name the file.
    #[cfg(feature = "window")]
    pub fn read_shrunk(&self, element: ElementType, most: u64) -> anyhow::Result<Data> {
        let read = |(mut bytes, format)| {
            rasterscan_files::read_shrunk(&mut bytes, format, element, most).map_err(worded)
        };
        self.open().and_then(read).with_context(|| self.name())
    }

    /// Reads a mask or other flags, `what`: an `.npy` of bool or u1, the luma of a `.png`, row by row, or generated numbers. Nonzero means kept.
    ///
    /// Errors name the file.
    fn flags(&self, what: &str) -> anyhow::Result<Numbers> {
        let options = ReadOptions { element: Some(ElementType::U32), channels: false };
        let read = |(mut bytes, format)| match (self.source, format) {
            (Source::Stdin, Format::Text) => {
                let data = rasterscan_files::read(&mut bytes, format, &options).map_err(worded)?;
                Ok(data.numbers)
            }
            _ => Ok(read_mask(&mut bytes, format).map_err(worded)?.into()),
        };
        match self.source {
            Source::File(_) | Source::Stdin => self.open().and_then(read),
            _ => return Ok(self.read(&options)?.numbers),
        }
        .with_context(|| format!("the {what} {}", self.name()))
    }

    /// Opens a file, or standard input, and tells the format of its bytes.
    fn open(&self) -> anyhow::Result<(ByteSource<'static>, Format)> {
        let mut bytes = match self.source {
            Source::File(path) => source::open(path)?,
            _ => source::stdin()?,
        };
        let format = self.format.map_or_else(|| bytes.format(), Ok).map_err(worded)?;
        Ok((bytes, format))
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
pub fn worded(error: ReadError) -> anyhow::Error {
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
