//! The bytes of an input, read up to a bound, since a device or a pipe may have no end.

use std::fmt;
use std::io::{self, Read};
use std::mem;

use rasterscan::tools::limits::MAX_LEN;
use rasterscan::{Error, Unsupported, tools::memory};

use crate::{Format, PictureError, ReadError, TextError, jpeg, npy, picture};

/// The bytes read at a time.
pub const BLOCK: usize = 1 << 16;

/// The longest picture, in bytes.
const MOST_PICTURE: u64 = 1 << 30;

/// The longest text, in bytes: as many numbers as a stream holds, of 24 characters each, more than any number needs.
const MOST_TEXT: u64 = 24 * MAX_LEN;

/// The longest word of a text, in bytes; no number needs as many.
const MOST_WORD: usize = 4096;

/// The most white space before a first word, in bytes.
const MOST_BLANK: u64 = 1 << 24;

/// A source of bytes, read from start to end.
pub struct ByteSource<'r> {
    reader: Box<dyn Read + Send + 'r>,
    /// The length in bytes, if known.
    len: Option<u64>,
    /// The bytes read so far.
    taken: u64,
}

impl fmt::Debug for ByteSource<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Source").field("len", &self.len).finish_non_exhaustive()
    }
}

impl<'r> ByteSource<'r> {
    /// A source that reads from `reader`. `len` is the number of its bytes, if known: memory for them is allocated at
    /// once.
    pub fn new(reader: impl Read + Send + 'r, len: Option<u64>) -> ByteSource<'r> {
        ByteSource { reader: Box::new(reader), len, taken: 0 }
    }

    /// A source in memory.
    pub fn in_memory(bytes: &'r [u8]) -> ByteSource<'r> {
        ByteSource::new(bytes, Some(bytes.len() as u64))
    }

    /// The format of bytes that no name tells: `.npy` or a picture by its magic, or else text. They are all left to be read.
    ///
    /// Errors: the first bytes cannot be read.
    pub fn format(&mut self) -> Result<Format, ReadError> {
        let magics = [(npy::MAGIC, Format::Npy), (picture::MAGIC, Format::Png), (jpeg::MAGIC, Format::Jpeg)];
        let first = self.bytes(picture::MAGIC.len())?;
        let known = magics.into_iter().find(|(magic, _)| first.starts_with(magic));
        let format = known.map_or(Format::Text, |(_, format)| format);
        let rest = mem::replace(&mut self.reader, Box::new(io::empty()));
        self.taken = 0;
        self.reader = Box::new(io::Cursor::new(first).chain(rest));
        Ok(format)
    }

    /// Reads until a block is full or the input ends.
    fn fill(&mut self, block: &mut [u8]) -> Result<usize, ReadError> {
        let mut filled = 0;
        while filled < block.len() {
            match self.reader.read(&mut block[filled..]) {
                Ok(0) => break,
                Ok(read) => filled += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
        self.taken += filled as u64;
        Ok(filled)
    }

    /// The number of bytes read so far.
    pub(crate) fn taken(&self) -> u64 {
        self.taken
    }

    /// The length in bytes, if known.
    pub(crate) fn len(&self) -> Option<u64> {
        self.len
    }

    /// The next bytes, at most `most`.
    pub(crate) fn bytes(&mut self, most: usize) -> Result<Vec<u8>, ReadError> {
        let mut bytes = memory::filled(0, most, "the input")?;
        let filled = self.fill(&mut bytes)?;
        bytes.truncate(filled);
        Ok(bytes)
    }

    /// The number of bytes left, at most a block.
    pub(crate) fn left(&mut self) -> Result<usize, ReadError> {
        self.fill(&mut [0; BLOCK])
    }

    /// The rest of the bytes; each block is checked first.
    fn blocks(
        &mut self,
        most: u64,
        mut check: impl FnMut(&[u8]) -> Result<(), ReadError>,
    ) -> Result<Vec<u8>, ReadError> {
        const WHAT: &str = "the input";
        let expected = self.len.unwrap_or(0).min(most) as usize;
        let mut bytes: Vec<u8> = memory::room(expected, WHAT)?;
        let mut block = [0; BLOCK];
        loop {
            let filled = self.fill(&mut block)?;
            if filled == 0 {
                return Ok(bytes);
            }
            let len = bytes.len() + filled;
            if len as u64 > most {
                return Err(ReadError::Endless(most));
            }
            check(&block[..filled])?;
            memory::grow(&mut bytes, filled, WHAT)?;
            bytes.extend_from_slice(&block[..filled]);
        }
    }

    /// All bytes of a picture, which must begin with `magic`.
    pub(crate) fn picture(&mut self, magic: &'static [u8]) -> Result<Vec<u8>, ReadError> {
        let mut first = true;
        self.blocks(MOST_PICTURE, |block| {
            let known = !mem::take(&mut first) || block.starts_with(magic);
            if known { Ok(()) } else { Err(PictureError::Magic(magic).into()) }
        })
    }

    /// All bytes of a text of numbers.
    ///
    /// Errors: more numbers than a stream holds, or a word that is too long for a number.
    pub(crate) fn text(&mut self) -> Result<Vec<u8>, ReadError> {
        let (mut line, mut words, mut word, mut blank) = (1, 0, 0, 0);
        self.blocks(MOST_TEXT, |block| {
            for byte in block {
                if *byte == b',' || byte.is_ascii_whitespace() {
                    line += usize::from(*byte == b'\n');
                    blank += 1;
                    word = 0;
                } else {
                    words += u64::from(word == 0);
                    word += 1;
                    if word > MOST_WORD {
                        let what = format!("a word of more than {MOST_WORD} bytes is not a number");
                        return Err(TextError { line, what }.into());
                    }
                }
            }
            if words == 0 && blank > MOST_BLANK {
                return Err(ReadError::Blank(blank));
            }
            // The count includes the words of a header.
            if words > MAX_LEN + (1 << 20) {
                return Err(too_many(words).into());
            }
            Ok(())
        })
    }

    /// Numbers of `N` bytes each, at most `most`; and the number of bytes of an incomplete last one.
    pub(crate) fn numbers<const N: usize, T>(
        &mut self,
        most: u64,
        number: impl Fn([u8; N]) -> T,
    ) -> Result<(Vec<T>, usize), ReadError> {
        const WHAT: &str = "the numbers of the input";
        let expected = self.len.map_or(0, |len| len / N as u64).min(most);
        let mut numbers = memory::room(expected as usize, WHAT)?;
        let mut block = [0; BLOCK];
        loop {
            let wanted = ((most - numbers.len() as u64).saturating_mul(N as u64)).min(BLOCK as u64) as usize;
            let filled = self.fill(&mut block[..wanted])?;
            let (whole, rest) = block[..filled].as_chunks::<N>();
            memory::grow(&mut numbers, whole.len(), WHAT)?;
            numbers.extend(whole.iter().map(|bytes| number(*bytes)));
            if filled < wanted || wanted == 0 {
                return Ok((numbers, rest.len()));
            }
        }
    }
}

/// The error of a stream that is too long.
pub fn too_many(len: u64) -> Error {
    Unsupported::too_large(format!("too many values: {len} (limit {MAX_LEN})")).into()
}
