//! OUT: values and documents, on stdout or in a file that appears whole or not at all.

use std::io::{self, StdoutLock, Write};
use std::path::Path;

use anyhow::{Context, anyhow, ensure};
use serde::Serialize;

use rasterscan::tools::output::Content;
use rasterscan::tools::printable::{printable_lines, printable_path};

use rasterscan::tools::Numbers;
use rasterscan::tools::problem::Output;
use rasterscan_files::{Format, write as write_numbers};

use super::closed::stdout_was_closed;

pub use rasterscan::tools::output::{FileOutput, OutputFolder, folder_of, write, write_all};

/// The endings of names of files of numbers.
pub const WRITTEN: [&str; 4] = ["npy", "csv", "txt", "bin"];

/// A file of numbers.
#[derive(Debug, Clone)]
pub struct NumbersFile {
    pub output: FileOutput,
    pub format: Format,
    /// True if the name, which is that of a device or a pipe, tells no format. Then it is text.
    pub is_text_by_default: bool,
}

impl NumbersFile {
    /// Checks, before any work is done, that the file can be written and that its name tells the format.
    pub fn new(path: &Path) -> anyhow::Result<NumbersFile> {
        let named = Format::of_name(path);
        let output = FileOutput::new(path)?;
        let format = match named.filter(|format| !format.is_picture()) {
            Some(format) => format,
            // As on stdout.
            None if output.is_stream() => Format::Text,
            None => return Err(wrong_ending(path, &WRITTEN)),
        };
        Ok(NumbersFile { output, format, is_text_by_default: named.is_none() })
    }
}

/// The destinations of results.
pub struct Destinations<'a> {
    /// OUT; without one, standard output.
    pub output: Option<&'a NumbersFile>,
    /// Files of the streams beside the first one, by their names.
    pub beside: &'a [(&'static str, NumbersFile)],
    /// The format of standard output; `None` if nothing but a document goes there.
    pub stdout: Option<Format>,
}

impl Destinations<'_> {
    /// The file of a stream, by its number and name.
    pub fn file(&self, number: usize, stream: &Output) -> Option<&NumbersFile> {
        match number {
            0 => self.output,
            _ => self.beside.iter().find(|(name, _)| *name == stream.name).map(|(_, file)| file),
        }
    }
}

/// Writes each file's numbers: all files appear, or none.
pub fn write_numbers_to(files: &[(&NumbersFile, &Numbers)]) -> anyhow::Result<()> {
    write_each(
        files,
        |(file, _)| &file.output,
        |(file, numbers), out| write_numbers(out, numbers, file.format),
    )
}

/// Writes each file's bytes: all files appear, or none.
pub fn write_bytes_to(files: &[(FileOutput, Vec<u8>)]) -> anyhow::Result<()> {
    write_each(files, |(output, _)| output, |(_, bytes), out| out.write_all(bytes))
}

fn write_each<T>(
    files: &[T],
    output: fn(&T) -> &FileOutput,
    write: fn(&T, &mut dyn Write) -> io::Result<()>,
) -> anyhow::Result<()> {
    let contents: Vec<_> = files.iter().map(|file| move |out: &mut dyn Write| write(file, out)).collect();
    let files: Vec<_> =
        files.iter().zip(&contents).map(|(file, content)| (output(file), content as Content)).collect();
    Ok(write_all(&files)?)
}

/// Checks that a file can be written and that its name has one of these endings.
pub fn with_ending(path: &Path, endings: &[&str]) -> anyhow::Result<FileOutput> {
    match endings.contains(&ending(path).as_str()) {
        true => Ok(FileOutput::new(path)?),
        false => Err(wrong_ending(path, endings)),
    }
}

fn wrong_ending(path: &Path, endings: &[&str]) -> anyhow::Error {
    let (last, others) = endings.split_last().unwrap_or((&"", &[]));
    let others = others.iter().map(|ending| format!(".{ending}")).collect::<Vec<_>>().join(", ");
    let or = if others.is_empty() { "" } else { " or " };
    anyhow!("cannot write {}: expected a name that ends in {others}{or}.{last}", printable_path(path))
}

/// The part after the last dot of a name, in lower case.
pub fn ending(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_lowercase()
}

/// Standard output, unless it was closed.
fn stdout() -> anyhow::Result<StdoutLock<'static>> {
    ensure!(!stdout_was_closed(), "cannot write to stdout: it is closed");
    Ok(io::stdout().lock())
}

/// Writes values to stdout.
pub fn numbers_to_stdout(numbers: &Numbers, format: Format) -> anyhow::Result<()> {
    let mut stdout = stdout()?;
    write_numbers(&mut stdout, numbers, format)
        .and_then(|()| stdout.flush())
        .context("cannot write to stdout")
}

/// Prints text or bytes to stdout.
pub fn to_stdout(bytes: &[u8]) -> anyhow::Result<()> {
    let mut stdout = stdout()?;
    stdout.write_all(bytes).and_then(|()| stdout.flush()).context("cannot write to stdout")
}

/// Prints a text for people to stdout. It may hold names from files and devices: what a terminal would act on is escaped.
pub fn text_to_stdout(text: &str) -> anyhow::Result<()> {
    to_stdout(printable_lines(text).as_bytes())
}

/// Prints a document to stdout.
pub fn json_to_stdout(document: &impl Serialize) -> anyhow::Result<()> {
    to_stdout(&json(document)?)
}

/// A document as JSON text, with a line end.
pub fn json(document: &impl Serialize) -> anyhow::Result<Vec<u8>> {
    let mut text = serde_json::to_vec_pretty(document)?;
    text.push(b'\n');
    Ok(text)
}
