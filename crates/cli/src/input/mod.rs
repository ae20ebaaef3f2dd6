//! INPUT: a file of numbers or an image, standard input, or numbers made on the spot.

mod jpeg;
mod mask;
mod npy;
pub mod picture;
mod random;
mod source;
mod text;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};

use image::{DynamicImage, ImageFormat};
use rasterscan::ElementType;
use rasterscan::registry::Family;
use rasterscan::spec::MAX_LEN;

use super::exit::Usage;
use super::numbers::{Numbers, narrow};
use source::{Source, too_many};

pub use mask::Mask;
pub use npy::header as npy_header;
pub use random::Random;

/// What INPUT says.
#[derive(Debug, PartialEq)]
pub enum Input {
    Stdin,
    Random(Random),
    File(PathBuf, Format),
}

/// How a file is read, from its ending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Npy,
    Text,
    Binary,
    Png,
    Jpeg,
}

/// How to read it.
#[derive(Debug, Clone, Copy, Default)]
pub struct ReadOptions {
    /// The wanted type; the input's own if `None`.
    pub element: Option<ElementType>,
    /// Keep an image's channels, interleaved, in place of its luma.
    pub channels: bool,
}

/// What was read.
#[derive(Debug)]
pub struct Data {
    pub numbers: Numbers,
    /// Interleaved channels of an image; 1 for everything else.
    pub channels: u32,
    /// What happened to the numbers on their way, where somebody may want to know.
    pub note: Option<String>,
}

impl From<Numbers> for Data {
    fn from(numbers: Numbers) -> Data {
        Data { numbers, channels: 1, note: None }
    }
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
        let format = Format::of(&path)?;
        Ok(Input::File(path, format))
    }

    /// Reads all numbers.
    ///
    /// Errors name the file and the line or the index at fault.
    pub fn read(&self, options: &ReadOptions) -> anyhow::Result<Data> {
        let is_image = matches!(self, Input::File(_, Format::Png | Format::Jpeg));
        if options.channels && !is_image {
            bail!(Usage("--channels is for images (.png, .jpg)".into()));
        }
        let data = self.read_as_it_is(options).with_context(|| self.name())?;
        let len = data.numbers.len() as u64;
        if len > MAX_LEN {
            return Err(too_many(len)).with_context(|| self.name());
        }
        let Some(element) = options.element else { return Ok(data) };
        let numbers = data.numbers.convert(element).with_context(|| self.name())?;
        Ok(Data { numbers, ..data })
    }

    fn read_as_it_is(&self, options: &ReadOptions) -> anyhow::Result<Data> {
        let (path, format) = match self {
            Input::Random(random) => return Ok(random.numbers()?.into()),
            Input::Stdin => return read_text(&Source::stdin()?.text()?, options.element),
            Input::File(path, format) => (path, format),
        };
        if *format == Format::Binary && options.element.is_none() {
            bail!(Usage("a .bin has no type of its own: give --dtype u32, i32, f32, u64 or i64".into()));
        }
        let mut source = Source::open(path)?;
        match format {
            Format::Npy => read_npy(&mut source, options.element),
            Format::Text => read_text(&source.text()?, options.element),
            Format::Binary => Ok(read_binary(&mut source, options.element)?.into()),
            Format::Png | Format::Jpeg => {
                picture::numbers(read_image(&mut source, *format, options.channels)?, options.channels)
            }
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

impl Format {
    fn of(path: &Path) -> anyhow::Result<Format> {
        let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        Ok(match ending.as_str() {
            "npy" => Format::Npy,
            "csv" | "txt" => Format::Text,
            "bin" => Format::Binary,
            "png" => Format::Png,
            "jpg" | "jpeg" => Format::Jpeg,
            _ => bail!(
                "{}: cannot tell its format: expected .npy, .csv, .txt, .bin, .png, .jpg, \
                 - for standard input, or random:n=...",
                path.display()
            ),
        })
    }
}

/// The image in a file, if that is one; `None` if it is something else by its ending.
///
/// Errors name the file.
pub fn image(path: &Path) -> anyhow::Result<Option<DynamicImage>> {
    match Format::of(path) {
        Ok(format @ (Format::Png | Format::Jpeg)) => {
            let image = Source::open(path).and_then(|mut source| read_image(&mut source, format, false));
            Ok(Some(image.with_context(|| path.display().to_string())?))
        }
        _ => Ok(None),
    }
}

fn read_image(source: &mut Source, format: Format, channels: bool) -> anyhow::Result<DynamicImage> {
    match format {
        Format::Jpeg => picture::decode(&source.image(b"\xFF\xD8")?, ImageFormat::Jpeg, channels),
        _ => picture::decode(&source.image(b"\x89PNG\r\n\x1A\n")?, ImageFormat::Png, channels),
    }
}

fn read_npy(source: &mut Source, element: Option<ElementType>) -> anyhow::Result<Data> {
    let array = npy::read(source)?;
    let note = array.widened.map(|element| format!("its {} are widened to {element}", array.descr));
    match array.values {
        npy::Values::Numbers(numbers) => Ok(Data { note, ..numbers.into() }),
        npy::Values::F64(values) => {
            let descr = array.descr;
            match element {
                Some(ElementType::F32) => {}
                None => bail!("it holds 64-bit floats ({descr}); --dtype f32 narrows them"),
                Some(other) => bail!(
                    "it holds 64-bit floats ({descr}), which only --dtype f32 narrows, not --dtype {other}"
                ),
            }
            let note = Some(format!("its {descr} are narrowed to f32"));
            Ok(Data { note, ..narrow(&values)?.into() })
        }
    }
}

fn read_text(bytes: &[u8], element: Option<ElementType>) -> anyhow::Result<Data> {
    let read = text::read(bytes, element)?;
    let note = read.header.map(|line| format!("line {line} is a header: left out"));
    Ok(Data { note, ..read.numbers.into() })
}

fn read_binary(source: &mut Source, element: Option<ElementType>) -> anyhow::Result<Numbers> {
    let element = element.unwrap_or(ElementType::U32);
    let size = element.words() as usize * 4;
    macro_rules! read {
        ($rust:ty) => {{
            // One more shows that there are too many.
            let (values, rest) = source.numbers(MAX_LEN + 1, <$rust>::from_le_bytes)?;
            (Numbers::from(values), rest)
        }};
    }
    let (numbers, rest) = match element {
        ElementType::U32 => read!(u32),
        ElementType::I32 => read!(i32),
        ElementType::F32 => read!(f32),
        ElementType::U64 => read!(u64),
        ElementType::I64 => read!(i64),
    };
    let bytes = numbers.len() * size + rest;
    ensure!(rest == 0, "{bytes} bytes are no whole number of {element} of {size} bytes");
    Ok(numbers)
}
