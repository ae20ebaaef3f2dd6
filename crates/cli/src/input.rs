//! Reads INPUT: a file of numbers, an image, standard input, or generated numbers.

mod source;

use std::path::Path;

use anyhow::{Context, anyhow, bail};

use rasterscan::job::Source;
use rasterscan::{ElementType, Numbers};
use rasterscan_files::{Data, Format, NpyError, ReadError, ReadOptions, read_mask};

use super::exit::Usage;
use super::output::ending;

/// Checks that INPUT can be read, as far as possible without reading it.
pub fn check(source: &Source) -> anyhow::Result<()> {
    match source {
        Source::File(path) => {
            // A missing file is reported before an unknown format.
            let found = std::fs::metadata(path);
            let found = found.with_context(|| format!("cannot read {}", path.display()))?;
            if found.is_dir() {
                bail!("cannot read {}: it is a directory", path.display());
            }
            format_of(path).map(drop)
        }
        Source::Chosen => {
            bail!(Usage("file: stands for a file that you choose; give its name instead".into()))
        }
        Source::Random { .. } | Source::Pattern { .. } | Source::Values(_) | Source::Stdin => Ok(()),
    }
}

/// Reads or generates all numbers.
///
/// Errors name the file and the line or the index at fault.
pub fn read(source: &Source, options: &ReadOptions) -> anyhow::Result<Data> {
    let is_image = matches!(source, Source::File(path) if format_of(path)?.is_picture());
    if options.channels && !is_image {
        bail!(Usage("--channels is for images (.png, .jpg)".into()));
    }
    read_as_it_is(source, options).with_context(|| name(source))
}

fn read_as_it_is(source: &Source, options: &ReadOptions) -> anyhow::Result<Data> {
    match source {
        Source::Stdin => rasterscan_files::read(&mut source::stdin()?, Format::Text, options).map_err(worded),
        Source::File(path) => match format_of(path)? {
            Format::Binary if options.element.is_none() => Err(worded(ReadError::NoElement)),
            format => rasterscan_files::read(&mut source::open(path)?, format, options).map_err(worded),
        },
        made => Ok(made.numbers(options.element)?.context("there are no numbers")?.into()),
    }
}

/// Reads a mask or other flags, `what`: an `.npy` of bool or u1, the luma of a `.png`, row by row, or generated numbers. Nonzero means kept.
///
/// Errors name the file.
pub fn flags(what: &str, source: &Source) -> anyhow::Result<Numbers> {
    let Source::File(path) = source else {
        let options = ReadOptions { element: Some(ElementType::U32), channels: false };
        return Ok(read(source, &options)?.numbers);
    };
    // Text holds no mask, nor does an unknown ending.
    let format = Format::of_ending(&ending(path)).unwrap_or(Format::Text);
    let flags = source::open(path).and_then(|mut source| read_mask(&mut source, format).map_err(worded));
    Ok(flags.with_context(|| format!("the {what} {}", path.display()))?.into())
}

/// The input's name in errors.
pub fn name(source: &Source) -> String {
    match source {
        Source::Stdin => "standard input".into(),
        source => source.to_string(),
    }
}

/// The format of a file, from its ending.
fn format_of(path: &Path) -> anyhow::Result<Format> {
    Format::of_ending(&ending(path)).with_context(|| {
        format!(
            "{}: unknown format: expected .npy, .csv, .txt, .bin, .png, .jpg, - for standard input, \
             values:3,1,7 or random:n=...",
            path.display()
        )
    })
}

/// Reads the picture in a file; `None` if its ending is not that of a picture.
///
/// Errors name the file.
#[cfg(feature = "window")]
pub fn picture(path: &Path) -> anyhow::Result<Option<image::DynamicImage>> {
    let Some(format) = Format::of_ending(&ending(path)).filter(|format| format.is_picture()) else {
        return Ok(None);
    };
    let picture = source::open(path)
        .and_then(|mut source| rasterscan_files::picture::read(&mut source, format, false).map_err(worded))
        .with_context(|| path.display().to_string())?;
    Ok(Some(picture))
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
