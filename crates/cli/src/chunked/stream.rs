//! The input as pieces: a file, or generated numbers.

use std::fs::File;
use std::path::Path;
use std::time::SystemTime;

use anyhow::{Context, bail};
use rasterscan::ElementType;
use rasterscan::tools::job::{Job, Source};
use rasterscan::tools::{Numbers, problem::InputInfo};
use rasterscan_files::{ByteSource, Format, Pieces, ReadError};

use super::journal::{self, Entry};
use super::schedule::{Piece, Place, Schedule};
use crate::console::Console;
use crate::exit::Usage;
use crate::input::worded;

/// An input that is read piece by piece.
pub struct Stream {
    /// The name in errors.
    name: String,
    from: From,
    element: ElementType,
    len: u64,
    /// Numbers read so far.
    read: u64,
    /// The size in bytes and the time of the last change, of a file.
    pub state: Option<(u64, u128)>,
    note: Option<String>,
}

enum From {
    File(Box<Pieces<'static>>),
    Made(Box<dyn Iterator<Item = u64> + Send>),
}

impl Stream {
    /// Errors: an input that is read as a whole; a file that cannot be read.
    pub fn open(job: &Job) -> anyhow::Result<Stream> {
        let name = job.source.to_string();
        let made = job.source.whole_numbers();
        if let (Some(made), Some(len)) = (made, job.source.len()) {
            let element = job.element.or(job.source.element()).unwrap_or(ElementType::U32);
            let from = From::Made(made);
            return Ok(Stream { name, from, element, len, read: 0, state: None, note: None });
        }
        let Source::File(path) = &job.source else {
            bail!(Usage(format!(
                "{name} cannot be read piece by piece; name a .npy or .bin file, or random:n=..."
            )));
        };
        Self::of_file(path, name.clone(), job.element).context(name)
    }

    /// The numbers of a file, if they can be read piece by piece.
    ///
    /// Errors: they cannot, or what stands before them is wrong.
    pub fn of_file(path: &Path, name: String, element: Option<ElementType>) -> anyhow::Result<Stream> {
        let file = File::open(path).context("cannot read")?;
        let found = file.metadata().context("cannot read")?;
        let format = Format::of_name(path).map_or_else(|| Err(worded(ReadError::NoPieces)), Ok)?;
        let len = found.is_file().then_some(found.len());
        let modified =
            found.modified().ok().and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
        let state = len.zip(modified.map(|time| time.as_nanos()));
        let mut pieces = Pieces::open(ByteSource::new(file, len), format, element).map_err(worded)?;
        let len = pieces.len();
        // The type of the numbers is that of none of them.
        let none = pieces.next_piece(0).map_err(worded)?;
        let element = none.numbers.element();
        let from = From::File(Box::new(pieces));
        Ok(Stream { name, from, element, len, read: 0, state, note: none.note })
    }

    /// The type and the number of the numbers.
    pub fn info(&self) -> InputInfo {
        InputInfo::new(self.element, self.len)
    }

    /// Says what was widened.
    pub fn note(&self, console: &Console) {
        if let Some(note) = &self.note {
            console.note(format!("{}: {note}", self.name));
        }
    }

    /// Reads all pieces; those of an interrupted run, which are in this entry, only for their digest. `out` is where the run
    /// keeps its journal.
    ///
    /// Errors: the input, or numbers that are others than before.
    pub fn read_all(
        mut self,
        chunk: u64,
        out: Option<&Path>,
        entry: Option<Entry>,
        schedule: &Schedule<'_>,
    ) -> anyhow::Result<()> {
        let mut place = Place { digest: EMPTY, ..Place::default() };
        while let Some(numbers) = self.next(chunk)? {
            place.end += numbers.len() as u64;
            if out.is_some() {
                place.digest = self::digest(place.digest, &numbers);
            }
            let Place { index, digest, end, .. } = place;
            let done = entry.as_ref().filter(|entry| index < entry.pieces);
            if let (Some(entry), Some(out)) = (done, out) {
                if index + 1 == entry.pieces && digest != entry.digest {
                    return Err(journal::differs(out, "its input has other numbers now"));
                }
            } else if !schedule.offer(Piece { place, numbers }) {
                return Ok(());
            }
            place = Place { index: index + 1, begin: end, end, digest };
        }
        Ok(())
    }

    /// The next `count` numbers, or those that are left; `None` after the last.
    ///
    /// Errors name the input.
    fn next(&mut self, count: u64) -> anyhow::Result<Option<Numbers>> {
        let count = count.min(self.len - self.read);
        if count == 0 {
            return Ok(None);
        }
        let numbers = match &mut self.from {
            From::File(pieces) => pieces.next_piece(count).map(|data| data.numbers).map_err(worded),
            From::Made(made) => Numbers::of_whole(self.element, count as usize, made).map_err(Into::into),
        };
        self.read += count;
        numbers.map(Some).with_context(|| self.name.clone())
    }
}

/// The digest of no numbers.
const EMPTY: u64 = 0xCBF2_9CE4_8422_2325;

/// The digest of a stream, FNV-1a of its words, after more numbers.
fn digest(before: u64, numbers: &Numbers) -> u64 {
    let next = |digest: u64, word: &u32| (digest ^ u64::from(*word)).wrapping_mul(0x100_0000_01B3);
    numbers.words().iter().fold(before, next)
}
