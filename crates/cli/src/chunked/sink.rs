//! A stream of results that is written piece by piece, and appears whole.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use anyhow::bail;
use rasterscan::ElementType;
use rasterscan::tools::Numbers;
use rasterscan::tools::output::{self, Unfinished};
use rasterscan_files::{Format, npy_header, write};

use super::journal;
use crate::exit::Usage;
use crate::output::{NumbersFile, numbers_to_stdout, to_stdout};

/// Bytes after which a file begins to be stored, while more is computed: at its end there is little left to wait for.
const SPAN: u64 = 32 << 20;

/// The destination of a stream.
pub struct Sink {
    to: To,
    format: Format,
    element: ElementType,
    /// Numbers written.
    written: u64,
    /// The numbers that a header promises.
    promised: u64,
    /// Stores what is written.
    storing: Option<Storing>,
    /// Bytes that it was not told of yet.
    unstored: u64,
}

/// A thread that stores a file, each time that it is told of more.
struct Storing {
    more: SyncSender<()>,
    stored: JoinHandle<io::Result<()>>,
}

impl Storing {
    fn begin(file: &File) -> io::Result<Storing> {
        let file = file.try_clone()?;
        let (more, wanted) = sync_channel(1);
        let store = move || wanted.into_iter().try_for_each(|()| output::sync(&file));
        Ok(Storing { more, stored: thread::Builder::new().spawn(store)? })
    }

    /// Errors: the first of the thread, since the system does not repeat it.
    fn end(self) -> io::Result<()> {
        drop(self.more);
        self.stored.join().unwrap_or_else(|_| Err(io::Error::other("it could not be stored")))
    }
}

enum To {
    File(Unfinished),
    Stdout,
    Nowhere,
}

impl Sink {
    /// Opens a file, or its part that an interrupted run may have left; without one standard output, or nothing. `len` is
    /// the number of numbers, if known.
    ///
    /// Errors: the file cannot be written; an `.npy` of unknown length to something that cannot be rewound.
    pub fn open(
        file: Option<&NumbersFile>,
        stdout: Option<Format>,
        resumes: bool,
        element: ElementType,
        len: Option<u64>,
    ) -> anyhow::Result<Sink> {
        let is_counted_npy = |format| format == Format::Npy && len.is_none();
        let (to, format) = match (file, stdout) {
            (Some(file), _) if is_counted_npy(file.format) && file.output.is_stream() => {
                let path = file.output.path().display();
                bail!(Usage(format!(
                    "{path} takes no .npy of unknown length; name a regular file, or a .bin"
                )));
            }
            (Some(file), _) if resumes => (To::File(part(file)?), file.format),
            (Some(file), _) => (To::File(file.output.begin()?), file.format),
            (None, Some(format)) if is_counted_npy(format) => bail!(Usage(
                "the length of this .npy is known at its end: write it to a file, -o FILE.npy".into()
            )),
            (None, Some(format)) => (To::Stdout, format),
            (None, None) => (To::Nowhere, Format::Binary),
        };
        let storing = match &to {
            // An interrupted run's part is stored after each piece.
            To::File(file) if !resumes && file.file().metadata().is_ok_and(|found| found.is_file()) => {
                Storing::begin(file.file()).ok()
            }
            _ => None,
        };
        Ok(Sink { to, format, element, written: 0, promised: len.unwrap_or(0), storing, unstored: 0 })
    }

    /// Returns true if so many bytes of an interrupted run are there.
    pub fn has(&self, bytes: u64) -> bool {
        match &self.to {
            To::File(file) => file.file().metadata().is_ok_and(|part| part.len() >= bytes),
            _ => true,
        }
    }

    /// Begins the stream; in the part of an interrupted run, after so many numbers and bytes.
    ///
    /// Errors name the file.
    pub fn begin(&mut self, part: Option<[u64; 2]>) -> anyhow::Result<()> {
        let [numbers, bytes] = part.unwrap_or_default();
        self.written = numbers;
        if let (To::File(file), Some(_)) = (&self.to, part) {
            let cut = file.file().set_len(bytes);
            let end = cut.and_then(|()| file.file().seek(SeekFrom::Start(bytes)));
            end.map_err(|error| file.failed(error))?;
        }
        if self.format == Format::Npy && bytes == 0 {
            self.bytes(&npy_header(self.element, self.promised))?;
        }
        Ok(())
    }

    fn bytes(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        match &self.to {
            To::File(file) => Ok(file.file().write_all(bytes).map_err(|error| file.failed(error))?),
            To::Stdout => to_stdout(bytes),
            To::Nowhere => Ok(()),
        }
    }

    /// Writes the next numbers.
    ///
    /// Errors name the file.
    pub fn write(&mut self, numbers: &Numbers) -> anyhow::Result<()> {
        // The header stands already.
        let format = if self.format == Format::Npy { Format::Binary } else { self.format };
        self.written += numbers.len() as u64;
        match &self.to {
            To::File(file) => {
                write(&mut file.file(), numbers, format).map_err(|error| file.failed(error))?;
            }
            To::Stdout => numbers_to_stdout(numbers, format)?,
            To::Nowhere => {}
        }
        self.unstored += 4 * numbers.words().len() as u64;
        if let Some(storing) = self.storing.as_ref().filter(|_| self.unstored >= SPAN) {
            // While it stores what was there before, or has failed, nothing is to tell.
            self.unstored = storing.more.try_send(()).map_or(self.unstored, |()| 0);
        }
        Ok(())
    }

    /// Numbers written.
    pub fn written(&self) -> u64 {
        self.written
    }

    /// Waits until all that was written is stored. Returns the numbers and the bytes of the file.
    ///
    /// Errors name the file.
    pub fn stored(&mut self) -> anyhow::Result<[u64; 2]> {
        let To::File(file) = &self.to else { return Ok([self.written, 0]) };
        let stored = file.file().sync_data().and_then(|()| file.file().stream_position());
        Ok([self.written, stored.map_err(|error| file.failed(error))?])
    }

    /// Ends all streams: files appear under their names, all of them or none.
    ///
    /// Errors name the file.
    pub fn finish(sinks: Vec<Sink>) -> anyhow::Result<()> {
        let mut files = Vec::new();
        for Sink { to, format, element, written, promised, storing, .. } in sinks {
            let To::File(file) = to else { continue };
            storing.map_or(Ok(()), Storing::end).map_err(|error| file.failed(error))?;
            if format == Format::Npy && promised != written {
                let header = file.file().seek(SeekFrom::Start(0));
                let header = header.and_then(|_| file.file().write_all(&npy_header(element, written)));
                header.map_err(|error| file.failed(error))?;
            }
            files.push(file);
        }
        Ok(output::finish(files)?)
    }
}

/// The part of a file that an interrupted run goes on with.
fn part(file: &NumbersFile) -> anyhow::Result<Unfinished> {
    let path = journal::beside(file.output.path(), ".part");
    let part = journal::open_kept(&path)?;
    Ok(file.output.begin_in(path, part))
}
