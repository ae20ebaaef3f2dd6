//! The bytes of INPUT, read up to a bound: a device or a pipe may have no end.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use anyhow::{Context, bail, ensure};

use rasterscan::spec::MAX_LEN;
use rasterscan::{Error, Unsupported, memory};

/// What is read at a time.
pub const BLOCK: usize = 1 << 16;

/// The longest image file.
const MOST_IMAGE: u64 = 1 << 30;

/// The longest text: as many numbers as a stream holds, of 24 characters each, which is more than any needs.
const MOST_TEXT: u64 = 24 * MAX_LEN;

/// The longest word of a text; no number needs as many characters.
const MOST_WORD: usize = 4096;

/// White space before a first word.
const MOST_BLANK: u64 = 1 << 24;

/// A file or standard input, opened.
pub struct Source {
    reader: Box<dyn Read>,
    /// The length of a regular file.
    len: Option<u64>,
}

impl Source {
    pub fn open(path: &Path) -> anyhow::Result<Source> {
        Source::of(File::open(path).context("cannot read")?)
    }

    /// Standard input itself: the standard library's own reader takes one that cannot be read for an empty one.
    pub fn stdin() -> anyhow::Result<Source> {
        #[cfg(unix)]
        let handle = std::os::fd::AsFd::as_fd(&io::stdin()).try_clone_to_owned();
        #[cfg(windows)]
        let handle = std::os::windows::io::AsHandle::as_handle(&io::stdin()).try_clone_to_owned();
        let file = File::from(handle.context("cannot read")?);
        ensure!(!was_closed(&file), "cannot read: it is closed");
        Source::of(file)
    }

    fn of(file: File) -> anyhow::Result<Source> {
        let found = file.metadata().context("cannot read")?;
        ensure!(!found.is_dir(), "cannot read: it is a directory");
        let len = found.is_file().then_some(found.len());
        Ok(Source { reader: Box::new(file), len })
    }

    /// A source in memory.
    #[cfg(test)]
    pub fn in_memory(bytes: &[u8]) -> Source {
        Source { reader: Box::new(io::Cursor::new(bytes.to_vec())), len: Some(bytes.len() as u64) }
    }

    /// Reads until a block is full or the input ends.
    fn fill(&mut self, block: &mut [u8]) -> anyhow::Result<usize> {
        let mut filled = 0;
        while filled < block.len() {
            match self.reader.read(&mut block[filled..]) {
                Ok(0) => break,
                Ok(read) => filled += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error).context("cannot read"),
            }
        }
        Ok(filled)
    }

    /// The next bytes, at most so many.
    pub fn bytes(&mut self, most: usize) -> anyhow::Result<Vec<u8>> {
        let mut bytes = memory::filled(0, most, "the input")?;
        let filled = self.fill(&mut bytes)?;
        bytes.truncate(filled);
        Ok(bytes)
    }

    /// How many bytes are left, up to a block of them.
    pub fn left(&mut self) -> anyhow::Result<usize> {
        self.fill(&mut [0; BLOCK])
    }

    /// The rest of the bytes, each block of which is checked first.
    fn blocks(
        &mut self,
        most: u64,
        mut check: impl FnMut(&[u8]) -> anyhow::Result<()>,
    ) -> anyhow::Result<Vec<u8>> {
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
            ensure!(len as u64 <= most, "it is longer than {most} bytes, which no input needs");
            check(&block[..filled])?;
            memory::grow(&mut bytes, filled, WHAT)?;
            bytes.extend_from_slice(&block[..filled]);
        }
    }

    /// All bytes of an image, which begins with these.
    pub fn image(&mut self, magic: &[u8]) -> anyhow::Result<Vec<u8>> {
        let mut first = true;
        self.blocks(MOST_IMAGE, |block| {
            let known = !std::mem::take(&mut first) || block.starts_with(magic);
            ensure!(known, "it is no such image: expected it to begin with {magic:02X?}");
            Ok(())
        })
    }

    /// All bytes of a text of numbers.
    ///
    /// Errors: there is more than a stream holds, or a word that can be no number.
    pub fn text(&mut self) -> anyhow::Result<Vec<u8>> {
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
                    ensure!(
                        word <= MOST_WORD,
                        "line {line}: a word of more than {MOST_WORD} bytes is no number"
                    );
                }
            }
            ensure!(words > 0 || blank <= MOST_BLANK, "there is no number in the first {blank} bytes");
            // The words of a header are among them.
            if words > MAX_LEN + (1 << 20) {
                bail!(too_many(words));
            }
            Ok(())
        })
    }

    /// Numbers of `N` bytes each, at most `most`; and how many bytes are left over of an incomplete last one.
    pub fn numbers<const N: usize, T>(
        &mut self,
        most: u64,
        number: impl Fn([u8; N]) -> T,
    ) -> anyhow::Result<(Vec<T>, usize)> {
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
    Unsupported(format!("{len} values are more than any stream holds: at most {MAX_LEN}")).into()
}

/// Whether standard input was closed when the program began, which then has the null device in its place, open to be
/// written too.
#[cfg(unix)]
fn was_closed(stdin: &File) -> bool {
    use std::os::unix::fs::MetadataExt;
    let device = |found: io::Result<std::fs::Metadata>| found.map(|found| found.rdev()).unwrap_or_default();
    let null = device(std::fs::metadata("/dev/null"));
    let flags = rustix::fs::fcntl_getfl(stdin);
    null != 0
        && device(stdin.metadata()) == null
        && flags.is_ok_and(|flags| flags.contains(rustix::fs::OFlags::RDWR))
}

#[cfg(not(unix))]
fn was_closed(_: &File) -> bool {
    false
}
