//! The journal of an interrupted run: which pieces are checked and stored, and what goes on from there.
//!
//! `OUT.part` has the results so far, and `OUT.journal` a line for each piece, written once its results are stored. Both go
//! when OUT is whole.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, ensure};
use rasterscan::tools::printable::printable_path;
use serde::{Deserialize, Serialize};

use super::cut::State;

/// The run that a journal belongs to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Run {
    pub version: String,
    /// The job's words, and the results' endings.
    pub job: Vec<String>,
    /// The input's size in bytes and its time; `None` for generated numbers.
    pub input: Option<(u64, u128)>,
    pub n: u64,
    /// The length of its pieces, once it is known.
    pub chunk: Option<u64>,
}

/// The state after a piece.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Entry {
    pub pieces: u64,
    /// The numbers of these pieces, and a digest of them.
    pub numbers: u64,
    pub digest: u64,
    /// The numbers and bytes in each stream of results; of a sort, in each file of its runs.
    pub written: Vec<[u64; 2]>,
    pub state: State,
}

/// An open journal.
pub struct Journal {
    path: PathBuf,
    file: File,
}

/// The name of a file beside OUT.
pub fn beside(out: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(out);
    name.push(ending);
    name.into()
}

/// Opens a file that stays if the run is interrupted, with what an interrupted one has left there.
///
/// Errors: it cannot be written, or another process writes it.
pub fn open_kept(path: &Path) -> anyhow::Result<File> {
    let open = || {
        let file = File::options().create(true).truncate(false).read(true).write(true).open(path)?;
        file.try_lock().map_err(|_| io::Error::other("another process writes it"))?;
        Ok::<_, io::Error>(file)
    };
    open().with_context(|| format!("cannot write {}", printable_path(path)))
}

/// The interrupted run that left a journal, and its last state; `None` if there is none.
///
/// Errors: a file of this name that is no journal.
pub fn read(out: &Path) -> anyhow::Result<Option<(Run, Option<Entry>)>> {
    let path = beside(out, ".journal");
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
    };
    let mut lines = text.lines();
    let Some(run) = lines.next().and_then(|line| serde_json::from_str(line).ok()) else {
        // Ended before its first line was whole, or nothing of ours.
        ensure!(text.is_empty() || text.starts_with("{\"version\""), "{} is no journal", path.display());
        return Ok(None);
    };
    // The last line may be a torn one.
    let entry = lines.filter_map(|line| serde_json::from_str(line).ok()).next_back();
    Ok(Some((run, entry)))
}

impl Journal {
    /// Begins a journal, or goes on with one after this entry.
    ///
    /// Errors: it cannot be written, or another process writes it.
    pub fn open(out: &Path, run: &Run, entry: Option<&Entry>) -> anyhow::Result<Journal> {
        let path = beside(out, ".journal");
        let file = open_kept(&path)?;
        file.set_len(0).with_context(|| format!("cannot write {}", path.display()))?;
        let mut journal = Journal { path, file };
        journal.add(run)?;
        entry.map_or(Ok(()), |entry| journal.add(entry))?;
        Ok(journal)
    }

    /// Adds a line: the run, or an entry whose results are stored.
    ///
    /// Errors: it cannot be written.
    pub fn add(&mut self, of: &impl Serialize) -> anyhow::Result<()> {
        let mut line = serde_json::to_vec(of)?;
        line.push(b'\n');
        let written = self.file.write_all(&line).and_then(|()| self.file.sync_data());
        written.with_context(|| format!("cannot write {}", self.path.display()))
    }

    /// Removes the journal of a run that is complete.
    pub fn end(self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// Errors if an interrupted run was another one than this.
pub fn check(out: &Path, before: &Run, now: &Run) -> anyhow::Result<()> {
    let what = if before.input != now.input || before.n != now.n {
        "its input has changed since"
    } else if before.job != now.job {
        "it was another job"
    } else if before.chunk != now.chunk {
        "its pieces had another length"
    } else if before.version != now.version {
        "it was of another version of this program"
    } else {
        return Ok(());
    };
    Err(differs(out, what))
}

/// Why an interrupted run cannot go on.
pub fn differs(out: &Path, what: &str) -> anyhow::Error {
    let journal = beside(out, ".journal");
    anyhow!("cannot go on with the interrupted run: {what}; remove {} to begin anew", journal.display())
}
