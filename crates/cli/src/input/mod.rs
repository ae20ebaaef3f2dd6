//! INPUT: a file of numbers or an image, standard input, or numbers made on the spot.

mod mask;
mod random;
mod source;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};

use image::DynamicImage;
use rasterscan::registry::Family;
use rasterscan_files::{Data, Format, NpyError, ReadError, ReadOptions, picture, read};

use super::exit::Usage;
use super::output::ending;

pub use mask::Mask;
pub use random::{Random, whole};

/// What INPUT says.
#[derive(Debug, PartialEq)]
pub enum Input {
    Stdin,
    Random(Random),
    File(PathBuf, Format),
}

impl Input {
    /// Reads INPUT of a command of this family, without reading the file.
    pub fn parse(text: &OsStr, family: Family) -> anyhow::Result<Input> {
        let as_str = text.to_str().unwrap_or_default();
        if as_str == "-" {
            return Ok(Input::Stdin);
        }
        if as_str == "random" || as_str.starts_with("random:") {
            let settings = as_str.split_once(':').map_or("", |(_, settings)| settings);
            return Ok(Input::Random(Random::parse(settings, family).map_err(Usage)?));
        }
        let path = PathBuf::from(text);
        // What does not exist has no format to complain about.
        let found = std::fs::metadata(&path);
        let found = found.with_context(|| format!("cannot read {}", path.display()))?;
        if found.is_dir() {
            bail!("cannot read {}: it is a directory", path.display());
        }
        let format = format_of(&path)?;
        Ok(Input::File(path, format))
    }

    /// Reads all numbers.
    ///
    /// Errors name the file and the line or the index at fault.
    pub fn read(&self, options: &ReadOptions) -> anyhow::Result<Data> {
        let is_image = matches!(self, Input::File(_, format) if format.is_picture());
        if options.channels && !is_image {
            bail!(Usage("--channels is for images (.png, .jpg)".into()));
        }
        self.read_as_it_is(options).with_context(|| self.name())
    }

    fn read_as_it_is(&self, options: &ReadOptions) -> anyhow::Result<Data> {
        match self {
            Input::Random(random) => {
                let numbers = random.numbers()?;
                let Some(element) = options.element else { return Ok(numbers.into()) };
                Ok(numbers.convert(element)?.into())
            }
            Input::Stdin => read(&mut source::stdin()?, Format::Text, options).map_err(worded),
            Input::File(_, Format::Binary) if options.element.is_none() => Err(worded(ReadError::NoElement)),
            Input::File(path, format) => read(&mut source::open(path)?, *format, options).map_err(worded),
        }
    }

    /// The input's name in errors and in commands.
    pub fn name(&self) -> String {
        match self {
            Input::Stdin => "standard input".into(),
            Input::Random(random) => random.to_string(),
            Input::File(path, _) => path.display().to_string(),
        }
    }

    /// The input as an argument of a command.
    pub fn argument(&self) -> String {
        match self {
            Input::Stdin => "-".into(),
            _ => self.name(),
        }
    }
}

/// The format of a file, from its ending.
fn format_of(path: &Path) -> anyhow::Result<Format> {
    Format::of_ending(&ending(path)).with_context(|| {
        format!(
            "{}: cannot tell its format: expected .npy, .csv, .txt, .bin, .png, .jpg, \
             - for standard input, or random:n=...",
            path.display()
        )
    })
}

/// The picture in a file, if that is one; `None` if it is something else by its ending.
///
/// Errors name the file.
pub fn picture(path: &Path) -> anyhow::Result<Option<DynamicImage>> {
    let Some(format) = Format::of_ending(&ending(path)).filter(|format| format.is_picture()) else {
        return Ok(None);
    };
    let picture = source::open(path)
        .and_then(|mut source| picture::read(&mut source, format, false).map_err(worded))
        .with_context(|| path.display().to_string())?;
    Ok(Some(picture))
}

/// An error of a reader in the words of the command line, and with its exit code.
fn worded(error: ReadError) -> anyhow::Error {
    match error {
        ReadError::NoElement => {
            Usage("a .bin has no type of its own: give --dtype u32, i32, f32, u64 or i64".into()).into()
        }
        ReadError::Npy(NpyError::Doubles { descr, wanted: None }) => {
            anyhow!("it holds 64-bit floats ({descr}); --dtype f32 narrows them")
        }
        ReadError::Npy(NpyError::Doubles { descr, wanted: Some(other) }) => {
            anyhow!("it holds 64-bit floats ({descr}), which only --dtype f32 narrows, not --dtype {other}")
        }
        ReadError::Npy(NpyError::Bool(descr)) => {
            anyhow!("an array of bool ({descr}) is read as a --mask alone")
        }
        ReadError::Library(error) => error.into(),
        error => error.into(),
    }
}
