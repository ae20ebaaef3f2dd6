//! OUT: values and documents, on stdout or in a file that appears whole or not at all.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde::Serialize;
use tempfile::NamedTempFile;

use super::input::npy_header;
use super::numbers::{Numbers, each};

/// Room between the numbers and the system: large enough that a million values take few calls.
const BUFFER: usize = 1 << 16;

/// How values are written, from the file's ending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Npy,
    /// `.csv` and `.txt`: one value a line.
    Text,
    Binary,
}

/// A file to be written.
#[derive(Debug, Clone)]
pub struct OutputFile {
    path: PathBuf,
    format: Format,
}

impl OutputFile {
    /// Says before any work is done whether the output can be written.
    pub fn new(path: &Path) -> anyhow::Result<OutputFile> {
        let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        let format = match ending.as_str() {
            "npy" => Format::Npy,
            "csv" | "txt" => Format::Text,
            "bin" => Format::Binary,
            _ => bail!(
                "cannot write {}: expected a name that ends in .npy, .csv, .txt or .bin",
                path.display()
            ),
        };
        if path.is_dir() {
            bail!("cannot write {}: it is a directory", path.display());
        }
        let folder = folder_of(path);
        if !folder.is_dir() {
            bail!("cannot write {}: there is no directory {}", path.display(), folder.display());
        }
        Ok(OutputFile { path: path.to_owned(), format })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the values into a file beside it and then gives that file its name.
    pub fn write(&self, numbers: &Numbers) -> anyhow::Result<()> {
        whole(&self.path, |out| write_numbers(out, numbers, self.format))
    }
}

/// The directory that a file is in.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

fn whole(path: &Path, write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> anyhow::Result<()> {
    let failed = || format!("cannot write {}", path.display());
    let mut builder = tempfile::Builder::new();
    builder.prefix(".rasterscan-");
    // Temporary files are the owner's alone by default; this one becomes a file like any other.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let file: NamedTempFile = builder.tempfile_in(folder_of(path)).with_context(failed)?;
    let mut out = BufWriter::with_capacity(BUFFER, file);
    write(&mut out).with_context(failed)?;
    let file = out.into_inner().map_err(|error| error.into_error()).with_context(failed)?;
    file.persist(path).with_context(failed)?;
    Ok(())
}

pub fn write_numbers(out: &mut dyn Write, numbers: &Numbers, format: Format) -> std::io::Result<()> {
    match format {
        Format::Text => write_lines(out, numbers),
        Format::Binary => out.write_all(&numbers.to_le_bytes()),
        Format::Npy => {
            out.write_all(&npy_header(numbers.element(), numbers.len()))?;
            out.write_all(&numbers.to_le_bytes())
        }
    }
}

/// One value a line. Floats are the shortest text that reads back as the same float, and as a float.
fn write_lines(out: &mut dyn Write, numbers: &Numbers) -> std::io::Result<()> {
    let mut lines = Vec::with_capacity(BUFFER + 64);
    each!(numbers, values => {
        for value in values {
            writeln!(lines, "{value:?}")?;
            if lines.len() >= BUFFER {
                out.write_all(&lines)?;
                lines.clear();
            }
        }
    });
    out.write_all(&lines)
}

/// Values, one a line, on stdout.
pub fn numbers_to_stdout(numbers: &Numbers) -> anyhow::Result<()> {
    let mut stdout = std::io::stdout().lock();
    write_lines(&mut stdout, numbers).and_then(|()| stdout.flush()).context("cannot write to stdout")
}

/// Text or bytes on stdout.
pub fn to_stdout(bytes: &[u8]) -> anyhow::Result<()> {
    let mut stdout = std::io::stdout().lock();
    stdout.write_all(bytes).and_then(|()| stdout.flush()).context("cannot write to stdout")
}

/// A document on stdout.
pub fn json_to_stdout(document: &impl Serialize) -> anyhow::Result<()> {
    to_stdout(&json(document)?)
}

/// A document as text, with a line end.
pub fn json(document: &impl Serialize) -> anyhow::Result<Vec<u8>> {
    let mut text = serde_json::to_vec_pretty(document)?;
    text.push(b'\n');
    Ok(text)
}
