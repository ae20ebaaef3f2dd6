//! A stream of results that is written piece by piece, and appears whole.

use std::io::{Seek, SeekFrom, Write};
use std::path::PathBuf;

use anyhow::bail;
use rasterscan::ElementType;
use rasterscan::tools::Numbers;
use rasterscan::tools::output::{self, Unfinished};
use rasterscan_files::{Format, npy_header, write};

use crate::exit::Usage;
use crate::output::{NumbersFile, numbers_to_stdout, to_stdout};

/// The destination of a stream.
pub struct Sink {
    to: To,
    format: Format,
    element: ElementType,
    /// Numbers written.
    written: u64,
    /// The numbers that a header promises.
    promised: Option<u64>,
}

enum To {
    File(Unfinished),
    Stdout,
    Nowhere,
}

impl Sink {
    /// Begins a file. `len` is the number of numbers, if known.
    ///
    /// Errors: the file cannot be begun.
    pub fn file(file: &NumbersFile, element: ElementType, len: Option<u64>) -> anyhow::Result<Sink> {
        if file.format == Format::Npy && len.is_none() && file.output.is_stream() {
            let path = file.output.path().display();
            bail!(Usage(format!("{path} takes no .npy of unknown length; name a regular file, or a .bin")));
        }
        Sink::begun(To::File(file.output.begin()?), file.format, element, len)
    }

    /// Goes on with a file of `written` numbers, or begins it with none.
    ///
    /// Errors: it cannot be written.
    pub fn part(
        file: &NumbersFile,
        path: PathBuf,
        part: std::fs::File,
        element: ElementType,
        len: Option<u64>,
        written: Option<[u64; 2]>,
    ) -> anyhow::Result<Sink> {
        let unfinished = file.output.begin_in(path, part);
        let Some([numbers, bytes]) = written else {
            unfinished.file().set_len(0).map_err(|error| unfinished.failed(error))?;
            return Sink::begun(To::File(unfinished), file.format, element, len);
        };
        let cut = unfinished.file().set_len(bytes);
        let end = cut.and_then(|()| unfinished.file().seek(SeekFrom::End(0)));
        end.map_err(|error| unfinished.failed(error))?;
        let to = To::File(unfinished);
        Ok(Sink { to, format: file.format, element, written: numbers, promised: len.or(Some(0)) })
    }

    /// Standard output.
    ///
    /// Errors: an `.npy` whose length is not known before it ends.
    pub fn stdout(format: Format, element: ElementType, len: Option<u64>) -> anyhow::Result<Sink> {
        if format == Format::Npy && len.is_none() {
            bail!(Usage(
                "the length of this .npy is known at its end: write it to a file, -o FILE.npy".into()
            ));
        }
        Sink::begun(To::Stdout, format, element, len)
    }

    /// A stream that is not wanted.
    pub fn nowhere(element: ElementType) -> Sink {
        Sink { to: To::Nowhere, format: Format::Binary, element, written: 0, promised: None }
    }

    fn begun(to: To, format: Format, element: ElementType, len: Option<u64>) -> anyhow::Result<Sink> {
        let mut sink = Sink { to, format, element, written: 0, promised: len.or(Some(0)) };
        if format == Format::Npy {
            sink.bytes(&npy_header(element, len.unwrap_or(0)))?;
        }
        Ok(sink)
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
                Ok(write(&mut file.file(), numbers, format).map_err(|error| file.failed(error))?)
            }
            To::Stdout => numbers_to_stdout(numbers, format),
            To::Nowhere => Ok(()),
        }
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
        for Sink { to, format, element, written, promised } in sinks {
            let To::File(file) = to else { continue };
            if format == Format::Npy && promised != Some(written) {
                let header = file.file().seek(SeekFrom::Start(0));
                let header = header.and_then(|_| file.file().write_all(&npy_header(element, written)));
                header.map_err(|error| file.failed(error))?;
            }
            files.push(file);
        }
        Ok(output::finish(files)?)
    }
}
