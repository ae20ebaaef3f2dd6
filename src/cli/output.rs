//! OUT: values and documents, on stdout or in a file that appears whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde::Serialize;
use tempfile::NamedTempFile;

use super::input::npy_header;
use super::numbers::{Numbers, each};
use super::stop;

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
    place: Place,
    format: Format,
}

/// Where the values go.
#[derive(Debug, Clone)]
enum Place {
    /// A regular file, now or then, by the name that symbolic links lead to: replaced as a whole.
    File(PathBuf),
    /// What exists and is no regular file (a pipe, a device), or is open already (`/dev/stdout`): cannot be
    /// replaced, and is written into.
    Stream,
}

impl Place {
    fn of(path: &Path) -> io::Result<Place> {
        // What Linux allows.
        const MOST_LINKS: usize = 40;
        let mut path = path.to_owned();
        for _ in 0..=MOST_LINKS {
            // Here even a link to a regular file stands for an open file.
            if path.starts_with("/proc") || path.starts_with("/dev/fd") {
                return Ok(Place::Stream);
            }
            match fs::symlink_metadata(&path) {
                Ok(found) if found.is_symlink() => path = folder_of(&path).join(fs::read_link(&path)?),
                Ok(found) if !found.is_file() && !found.is_dir() => return Ok(Place::Stream),
                _ => return Ok(Place::File(path)),
            }
        }
        Err(io::Error::other("too many symbolic links"))
    }
}

impl OutputFile {
    /// Says before any work is done whether the output can be written.
    pub fn new(path: &Path) -> anyhow::Result<OutputFile> {
        let failed = || format!("cannot write {}", path.display());
        let place = Place::of(path).with_context(failed)?;
        let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        let format = match (ending.as_str(), &place) {
            ("npy", _) => Format::Npy,
            ("csv" | "txt", _) => Format::Text,
            ("bin", _) => Format::Binary,
            // As on stdout.
            (_, Place::Stream) => Format::Text,
            _ => bail!("{}: expected a name that ends in .npy, .csv, .txt or .bin", failed()),
        };
        if let Place::File(target) = &place {
            check_file(target).with_context(failed)?;
        }
        Ok(OutputFile { path: path.to_owned(), place, format })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether both are the same regular file, by whatever name.
    pub fn is_same_file(&self, other: &OutputFile) -> bool {
        match (&self.place, &other.place) {
            (Place::File(one), Place::File(other)) => shortest(one) == shortest(other),
            _ => false,
        }
    }

    fn failed(&self) -> String {
        format!("cannot write {}", self.path.display())
    }
}

/// Writes each file's values into a file beside it and then gives that file its name: all files appear, or
/// none. What cannot be replaced is written into, at last.
pub fn write_all(outputs: &[(&OutputFile, &Numbers)]) -> anyhow::Result<()> {
    let mut written = Vec::new();
    for (output, numbers) in outputs {
        if let Place::File(target) = &output.place {
            let write = |out: &mut dyn Write| write_numbers(out, numbers, output.format);
            let file = aside(target, write).with_context(|| output.failed())?;
            written.push((output, target, file));
        }
    }
    if !written.is_empty() {
        stop::undisturbed(|| {
            written.into_iter().try_for_each(|(output, target, file)| {
                let done = file.persist(target).map_err(|error| error.error);
                done.map(drop).with_context(|| output.failed())
            })
        })?;
    }
    for (output, numbers) in outputs {
        if let Place::Stream = output.place {
            into(&output.path, |out| write_numbers(out, numbers, output.format))
                .with_context(|| output.failed())?;
        }
    }
    Ok(())
}

/// A file's name by the shortest way to its folder, so that one file has one.
fn shortest(path: &Path) -> PathBuf {
    match (fs::canonicalize(folder_of(path)), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    }
}

/// Whether a file can be made or replaced. Its folder's permissions are all that replacing asks for, but
/// a file that is not to be written is not to be replaced either.
pub fn check_file(path: &Path) -> anyhow::Result<()> {
    if path.is_dir() {
        bail!("it is a directory");
    }
    let folder = folder_of(path);
    if !folder.is_dir() {
        bail!("there is no directory {}", folder.display());
    }
    if let Ok(found) = fs::metadata(path) {
        // Said on its own: the superuser may open it all the same.
        if found.permissions().readonly() {
            bail!("it is read-only");
        }
        File::options().write(true).open(path)?;
    }
    Ok(())
}

/// The directory that a file is in.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// Writes a file that is to take the place of `path`, in the same folder and with the same permissions.
fn aside(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".rasterscan-");
    // Temporary files are the owner's alone by default; this one becomes a file like any other.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let file: NamedTempFile = stop::unfinished(|| builder.tempfile_in(folder_of(path)))?;
    if let Ok(replaced) = fs::metadata(path) {
        file.as_file().set_permissions(replaced.permissions())?;
    }
    let mut out = BufWriter::with_capacity(BUFFER, file);
    write(&mut out)?;
    out.into_inner().map_err(|error| error.into_error())
}

/// Makes or replaces a file as a whole.
pub fn write_whole(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let write = || {
        let file = aside(path, |out| out.write_all(bytes))?;
        stop::undisturbed(|| file.persist(path).map(drop).map_err(|error| error.error))
    };
    write().with_context(|| format!("cannot write {}", path.display()))
}

/// Adds to what is there: to a log that a shell opened as stdout, too.
fn into(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(BUFFER, File::options().append(true).open(path)?);
    write(&mut out)?;
    out.flush()
}

pub fn write_numbers(out: &mut dyn Write, numbers: &Numbers, format: Format) -> io::Result<()> {
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
fn write_lines(out: &mut dyn Write, numbers: &Numbers) -> io::Result<()> {
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
    let mut stdout = io::stdout().lock();
    write_lines(&mut stdout, numbers).and_then(|()| stdout.flush()).context("cannot write to stdout")
}

/// Text or bytes on stdout.
pub fn to_stdout(bytes: &[u8]) -> anyhow::Result<()> {
    let mut stdout = io::stdout().lock();
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
