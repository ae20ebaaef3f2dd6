//! Recordings as files: one JSON document, which is read back exactly and cannot harm its reader.
//!
//! ```text
//! {"schema": "rasterscan-trace", "form": 1, "algorithm": "horn", "request": {...}, "streams": [...], "passes": [...]}
//! ```
//!
//! Numbers of streams are stored as their 32-bit words, and so are the floats of drawn positions: JSON has no NaN. Long
//! lists are stored in columns. For the reads of a pass, the first column says how many each reader made, the next
//! which streams they are of, the last at which indices. A recording of 65536 items takes some 30 MB, one of 4096 about
//! 1 MB.

mod check;
pub(super) mod columns;

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::Recording;
use crate::error::Error;
use crate::memory;
use crate::output::{self, OutputError};
use crate::printable::printable_path;

/// The schema that the document names.
const SCHEMA: &str = "rasterscan-trace";

/// The version of the document that is written, and the newest that can be read.
pub const FORM: u32 = 1;

/// Longer files cannot be recordings of [`super::MAX_RECORDED`] items: 1 GiB.
const MAX_BYTES: u64 = 1 << 30;

const WHAT: &str = "a trace";

/// The reason why a recording could not be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// The file cannot be read.
    #[error("cannot read {}: {error}", printable_path(.path))]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
    },
    /// The file cannot be written.
    #[error("cannot write {}: {error}", printable_path(.path))]
    Write {
        /// The file.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
    },
    /// A file of this many bytes.
    #[error("not a trace file: {0} bytes, and no trace file is longer than {MAX_BYTES}")]
    TooLong(u64),
    /// A file that is not JSON; the parser's message.
    #[error("not a trace file: invalid JSON ({0})")]
    NotJson(String),
    /// Another kind of JSON document.
    #[error("not a trace file: expected a JSON document whose schema is \"{SCHEMA}\"")]
    NotATrace,
    /// A document of this newer form.
    #[error("made by a newer rasterscan: form {0}; this version reads {FORM}; update rasterscan")]
    Newer(u64),
    /// A document that contradicts itself; the reason.
    #[error("the trace file is damaged: {0}; record it again")]
    Damaged(String),
    /// Not enough memory to read it.
    #[error(transparent)]
    Memory(Error),
}

/// A recording with its schema and form.
#[derive(Serialize)]
struct RecordingDocument<'a> {
    schema: &'static str,
    form: u32,
    #[serde(flatten)]
    recording: &'a Recording,
}

/// The part that every form of the document has.
#[derive(Deserialize)]
struct Head {
    schema: Option<String>,
    form: Option<u64>,
}

impl Recording {
    /// The recording as a JSON document, with a line end. Two recordings are equal if their documents are.
    pub fn to_json(&self) -> Result<Vec<u8>, FileError> {
        let document = RecordingDocument { schema: SCHEMA, form: FORM, recording: self };
        // Fails only on a string that is not Unicode, which Rust does not have.
        let mut json =
            serde_json::to_vec(&document).map_err(|error| FileError::Damaged(error.to_string()))?;
        json.push(b'\n');
        Ok(json)
    }

    /// Reads a document of any origin: the returned recording is sound, so that everything its numbers refer to exists.
    /// Takes a few times the document's size in memory, whatever it contains.
    ///
    /// Errors: all of [`FileError`] except those of files.
    pub fn from_json(json: &[u8]) -> Result<Recording, FileError> {
        if json.len() as u64 > MAX_BYTES {
            return Err(FileError::TooLong(json.len() as u64));
        }
        let head: Head = match serde_json::from_slice(json) {
            Ok(head) => head,
            // Cut off or damaged, but still recognisable.
            Err(error) if begins_as_a_trace(json) => return Err(FileError::Damaged(error.to_string())),
            Err(error) if error.is_data() => return Err(FileError::NotATrace),
            Err(error) => return Err(FileError::NotJson(error.to_string())),
        };
        match head {
            Head { schema: Some(schema), form: Some(form) } if schema == SCHEMA => match form {
                0 => return Err(FileError::Damaged("there is no form 0".into())),
                form if form > u64::from(FORM) => return Err(FileError::Newer(form)),
                _ => {}
            },
            _ => return Err(FileError::NotATrace),
        }
        // The parser's own allocations cannot fail gracefully, so the memory is tried first: from two bytes, a zero and
        // its comma, the parser makes a four-byte number in a list that grows by doubling, and from that a list of
        // places.
        drop(memory::room::<u8>(json.len().saturating_mul(24), WHAT).map_err(FileError::Memory)?);
        let recording: Recording =
            serde_json::from_slice(json).map_err(|error| FileError::Damaged(error.to_string()))?;
        recording.check().map_err(FileError::Damaged)?;
        Ok(recording)
    }

    /// Writes the document into a file, which is created or replaced as a whole, or not at all.
    ///
    /// Errors: [`FileError::Write`].
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), FileError> {
        let path = path.as_ref();
        let json = self.to_json()?;
        output::write(path, &json).map_err(|OutputError { path, error }| FileError::Write { path, error })
    }

    /// Reads a document that [`Self::save`] wrote.
    ///
    /// Errors: all of [`FileError`] except [`FileError::Write`].
    pub fn load(path: impl AsRef<Path>) -> Result<Recording, FileError> {
        let path = path.as_ref();
        let failed = |error| FileError::Read { path: path.into(), error };
        let mut file = File::open(path).map_err(failed)?;
        let mut json = Vec::new();
        let mut block = vec![0; 1 << 16];
        // Not by its length, which a pipe does not have.
        while json.len() as u64 <= MAX_BYTES {
            let read = match file.read(&mut block) {
                Ok(0) => return Recording::from_json(&json),
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(failed(error)),
            };
            memory::grow(&mut json, read, WHAT).map_err(FileError::Memory)?;
            json.extend_from_slice(&block[..read]);
            // The beginning shows whether it is a document at all; if not, the rest is not read.
            if json.trim_ascii_start().first().is_some_and(|byte| *byte != b'{') {
                break;
            }
        }
        Recording::from_json(&json)
    }
}

fn begins_as_a_trace(json: &[u8]) -> bool {
    let begin: Vec<u8> = json.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).take(64).collect();
    begin.starts_with(format!("{{\"schema\":\"{SCHEMA}\"").as_bytes())
}
