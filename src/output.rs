//! Output files: checked before the work begins, and written as a whole or not at all.
//!
//! ```text
//! check     the folder accepts new files, and a file to be replaced is writable              Output::new
//! aside     a new file in the same folder, locked and then synced                         aside.rs
//! commit    it takes the target's name; of several files all do, or all are put back      commit.rs
//! ```
//!
//! 1. *Links* are followed: their target is replaced, and they stay.
//! 2. *Anything but a regular file*, such as a device, a FIFO or an open file like `/dev/stdout`, is never replaced. It
//!    is written into.
//! 3. *A process ended by a signal* leaves nothing if it calls [`abandon`] before it ends. What `SIGKILL` or a power
//!    failure leaves is removed by the next [`FileOutput`] in that folder: it has one of our names, and no process
//!    holds its lock.

mod aside;
mod commit;
mod folder;

use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::printable::printable_path;
use aside::Aside;

pub use aside::{Abandoned, abandon};
pub use folder::OutputFolder;

/// The writer's buffer, in bytes: large enough that a million values take few calls.
const BUFFER: usize = 1 << 16;

/// A file that could not be written. Its previous content is intact.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {error}", printable_path(.path))]
pub struct OutputError {
    /// The file, as the user named it.
    pub path: PathBuf,
    /// The reason.
    #[source]
    pub error: io::Error,
}

/// A file that can be written, under the name that the user gave it.
#[derive(Debug, Clone)]
pub struct FileOutput {
    path: PathBuf,
    place: Place,
}

/// A function that writes a file's bytes.
pub type Content<'a> = &'a dyn Fn(&mut dyn Write) -> io::Result<()>;

/// The destination of the bytes.
#[derive(Debug, Clone)]
enum Place {
    /// A regular file, existing or new, by the name that symbolic links lead to; replaced as a whole.
    File(PathBuf),
    /// A destination that cannot be replaced.
    Stream,
}

impl FileOutput {
    /// Checks, before any work is done, that the file can be written: for a regular file, by creating one beside it.
    /// Removes unfinished files that earlier processes left in that folder.
    ///
    /// Errors: a directory, a read-only file, a folder that is missing or takes no files, a full device. A FIFO is not
    /// opened before it is written.
    pub fn new(path: impl Into<PathBuf>) -> Result<FileOutput, OutputError> {
        let output = FileOutput::find(path.into())?;
        match &output.place {
            Place::File(target) => check_file(target),
            Place::Stream => check_stream(&output.path),
        }
        .map_err(|error| output.failed(error))?;
        Ok(output)
    }

    /// The file of this name, without any check, to tell it from others.
    ///
    /// Errors: a directory, or a name that cannot be followed.
    pub fn of(path: &Path) -> Result<FileOutput, OutputError> {
        FileOutput::find(path.to_owned())
    }

    fn find(path: PathBuf) -> Result<FileOutput, OutputError> {
        match Place::of(&path) {
            Ok(place) => Ok(FileOutput { path, place }),
            Err(error) => Err(OutputError { path, error }),
        }
    }

    /// As [`Self::new`], without testing the folder.
    fn unprobed(path: PathBuf) -> Result<FileOutput, OutputError> {
        let output = FileOutput::find(path)?;
        if let Place::File(target) = &output.place {
            check_replaced(target).map_err(|error| output.failed(error))?;
        }
        Ok(output)
    }

    /// The name that the user gave.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns true if it is written into rather than replaced: a device, a FIFO, an open file.
    pub fn is_stream(&self) -> bool {
        matches!(self.place, Place::Stream)
    }

    /// Returns true if both are the same regular file, under any names.
    pub fn is_same_file(&self, other: &FileOutput) -> bool {
        match (&self.place, &other.place) {
            (Place::File(one), Place::File(other)) => shortest(one) == shortest(other),
            _ => false,
        }
    }

    /// Writes all bytes, or leaves the previous content.
    pub fn write(&self, bytes: &[u8]) -> Result<(), OutputError> {
        write_all(&[(self, &|out| out.write_all(bytes))])
    }

    /// Begins a file whose bytes come bit by bit. A destination that cannot be replaced takes them at once.
    ///
    /// Errors: it cannot be created or opened.
    pub fn begin(&self) -> Result<Unfinished, OutputError> {
        let begun = match &self.place {
            Place::File(target) => aside_file(target).map(|aside| (aside, Some(target.clone()))),
            Place::Stream => {
                let opened = File::options().append(true).open(&self.path);
                opened.map(|file| (Aside::kept(self.path.clone(), file), None))
            }
        };
        let (aside, target) = begun.map_err(|error| self.failed(error))?;
        Ok(Unfinished { output: self.clone(), target, aside })
    }

    /// The same in a file of this name and in the same folder, which stays if it is not finished.
    pub fn begin_in(&self, path: PathBuf, file: File) -> Unfinished {
        let target = match &self.place {
            Place::File(target) => Some(target.clone()),
            Place::Stream => None,
        };
        Unfinished { output: self.clone(), target, aside: Aside::kept(path, file) }
    }

    fn failed(&self, error: io::Error) -> OutputError {
        OutputError { path: self.path.clone(), error }
    }
}

/// A file that is written bit by bit, and has its name only when it is whole: [`FileOutput::begin`]. It is removed if it is
/// dropped before.
#[derive(Debug)]
pub struct Unfinished {
    output: FileOutput,
    /// The name to come; `None` if the bytes are where they belong.
    target: Option<PathBuf>,
    aside: Aside,
}

impl Unfinished {
    /// The open file.
    pub fn file(&self) -> &File {
        self.aside.handle()
    }

    /// An error of the file, with the name that the user gave.
    pub fn failed(&self, error: io::Error) -> OutputError {
        self.output.failed(error)
    }
}

/// Gives each file its name, once all bytes are stored: all files appear, or none.
///
/// Errors: a full device, or a file that cannot be renamed.
pub fn finish(files: Vec<Unfinished>) -> Result<(), OutputError> {
    for file in files.iter().filter(|file| file.target.is_some()) {
        sync(file.file()).map_err(|error| file.failed(error))?;
    }
    let named = files.into_iter().filter_map(|file| Some((file.output, file.target?, file.aside)));
    let (names, asides): (Vec<_>, Vec<_>) =
        named.map(|(output, target, aside)| ((output, target), aside)).unzip();
    commit::commit(
        names.iter().zip(asides).map(|((output, target), aside)| (output, target.as_path(), aside)).collect(),
    )
}

/// Writes a file that needs no check in advance.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), OutputError> {
    FileOutput::unprobed(path.to_owned())?.write(bytes)
}

/// Writes several files: all of them, or none. Destinations that cannot be replaced are written into last.
///
/// Only the end of the process or of the system between two renames leaves some without the others.
pub fn write_all(files: &[(&FileOutput, Content)]) -> Result<(), OutputError> {
    let mut written = Vec::new();
    for (output, content) in files {
        if let Place::File(target) = &output.place {
            let aside = aside_of(target, content).map_err(|error| output.failed(error))?;
            written.push((*output, target.as_path(), aside));
        }
    }
    commit::commit(written)?;
    for (output, content) in files {
        if output.is_stream() {
            write_into(&output.path, content).map_err(|error| output.failed(error))?;
        }
    }
    Ok(())
}

impl Place {
    fn of(path: &Path) -> io::Result<Place> {
        // As many links as Linux follows.
        const MOST_LINKS: usize = 40;
        let mut path = path.to_owned();
        for _ in 0..=MOST_LINKS {
            // Here even a link to a regular file stands for an open file.
            if path.starts_with("/proc") || path.starts_with("/dev/fd") {
                return Ok(Place::Stream);
            }
            match fs::symlink_metadata(&path) {
                Ok(found) if found.is_symlink() => path = folder_of(&path).join(fs::read_link(&path)?),
                Ok(found) if found.is_file() => return Ok(Place::File(path)),
                Ok(found) if found.is_dir() => return Err(io::Error::other("it is a directory")),
                Ok(_) => return Ok(Place::Stream),
                // The check names a missing folder.
                Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                    return Ok(Place::File(path));
                }
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::other("too many symbolic links"))
    }
}

/// Errors if a file cannot be created or replaced.
fn check_file(target: &Path) -> io::Result<()> {
    if target.file_name().is_none() {
        return Err(io::Error::other("expected the name of a file"));
    }
    let folder = folder_of(target);
    check_folder(folder)?;
    check_replaced(target)?;
    aside::probe(folder)
}

/// Errors if there is no such folder.
fn check_folder(folder: &Path) -> io::Result<()> {
    match folder.is_dir() {
        true => Ok(()),
        false => Err(io::Error::other(format!("there is no directory {}", printable_path(folder)))),
    }
}

/// Errors if an existing file is read-only. Replacing needs only the folder's permissions, but a file that must not be
/// written must not be replaced either.
fn check_replaced(target: &Path) -> io::Result<()> {
    let Ok(found) = fs::metadata(target) else { return Ok(()) };
    // Checked separately: the superuser may open it all the same.
    if found.permissions().readonly() {
        return Err(io::Error::other("it is read-only"));
    }
    File::options().write(true).open(target).map(drop)
}

/// Errors if a device takes no bytes. Nothing is written; a full device refuses even that. The other end of a FIFO need
/// not exist yet, and opening one would wait for it.
#[cfg(unix)]
fn check_stream(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::FileTypeExt;
    let kind = fs::metadata(path)?.file_type();
    if kind.is_char_device() || kind.is_block_device() {
        File::options().append(true).open(path)?.write(&[]).map(drop)?;
    }
    Ok(())
}

#[cfg(not(unix))]
fn check_stream(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Writes a file that will replace `target`, in the same folder and with the same permissions.
fn aside_of(target: &Path, content: &Content) -> io::Result<Aside> {
    let aside = aside_file(target)?;
    let mut out = BufWriter::with_capacity(BUFFER, aside.handle());
    content(&mut out)?;
    out.into_inner().map_err(io::IntoInnerError::into_error)?;
    sync(aside.handle())?;
    Ok(aside)
}

/// An empty file that will replace `target`.
fn aside_file(target: &Path) -> io::Result<Aside> {
    let aside = Aside::file(folder_of(target))?;
    if let Ok(replaced) = fs::metadata(target) {
        aside.take_after(&replaced)?;
    }
    Ok(aside)
}

/// Waits until a file's bytes are stored, if the file system can tell: a name must never lead to half of them.
///
/// Errors: a full or broken device. The system reports each only once.
pub fn sync(file: &File) -> io::Result<()> {
    match file.sync_all() {
        Err(error) if matches!(error.kind(), ErrorKind::Unsupported | ErrorKind::InvalidInput) => Ok(()),
        done => done,
    }
}

/// Appends to what is there, as to a log that a shell opened as stdout.
fn write_into(path: &Path, content: &Content) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(BUFFER, File::options().append(true).open(path)?);
    content(&mut out)?;
    out.flush()
}

/// The directory that a file is in.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// A file's name by the shortest way to its folder, so that each file has one name.
fn shortest(path: &Path) -> PathBuf {
    match (fs::canonicalize(folder_of(path)), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_as_long_as_a_file_system_takes_are_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("n".repeat(255));
        write(&path, b"1").unwrap();
        FileOutput::new(&path).unwrap().write(b"2").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"2");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn an_error_names_the_file_once_and_safely() {
        let error = FileOutput::new("none\u{1b}[2J/a.txt").unwrap_err().to_string();
        assert_eq!(error, "cannot write none\\u{1b}[2J/a.txt: there is no directory none\\u{1b}[2J");
    }
}
