//! Streams that are read piece by piece, of any length.

use rasterscan::{ElementType, Error, tools::Numbers};

use crate::npy::{File, next_data};
use crate::{ByteSource, Data, Format, ReadError, raw};

/// The numbers of an `.npy` or of raw bytes, piece by piece: no more than a piece is in memory.
///
/// ```
/// use rasterscan::ElementType;
/// use rasterscan::tools::Numbers;
/// use rasterscan_files::{ByteSource, Format, Pieces};
///
/// let bytes = [1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0];
/// let mut pieces = Pieces::open(ByteSource::in_memory(&bytes), Format::Binary, Some(ElementType::U32))?;
/// assert_eq!(pieces.len(), 3);
/// assert_eq!(pieces.next_piece(2)?.numbers, Numbers::U32(vec![1, 2]));
/// assert_eq!(pieces.next_piece(2)?.numbers, Numbers::U32(vec![3]));
/// # Ok::<(), rasterscan_files::ReadError>(())
/// ```
pub struct Pieces<'r> {
    source: ByteSource<'r>,
    /// The header; `None` for raw numbers.
    file: Option<File>,
    /// The requested type.
    element: Option<ElementType>,
    len: u64,
    /// Numbers read so far.
    read: u64,
}

impl<'r> Pieces<'r> {
    /// Reads what stands before the numbers.
    ///
    /// Errors: another format, raw numbers without a type or a length, a header that cannot be read.
    pub fn open(
        mut source: ByteSource<'r>,
        format: Format,
        element: Option<ElementType>,
    ) -> Result<Pieces<'r>, ReadError> {
        let (file, len) = match format {
            Format::Npy => {
                let file = File::open(&mut source)?;
                file.check_bytes(&source)?;
                let len = file.len;
                (Some(file), len)
            }
            Format::Binary => {
                let element = element.ok_or(ReadError::NoElement)?;
                let bytes = source.len().ok_or(ReadError::NoPieces)?;
                let size = u64::from(element.words()) * 4;
                if !bytes.is_multiple_of(size) {
                    return Err(ReadError::Remainder { bytes: bytes as usize, element });
                }
                (None, bytes / size)
            }
            Format::Text | Format::Png | Format::Jpeg => return Err(ReadError::NoPieces),
        };
        Ok(Pieces { source, file, element, len, read: 0 })
    }

    /// Numbers in all.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Returns true if there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The next `count` numbers, or those that are left.
    ///
    /// Errors: an input that is shorter or longer than it was said to be; a number that does not fit the requested type.
    pub fn next_piece(&mut self, count: u64) -> Result<Data, ReadError> {
        let count = count.min(self.len - self.read);
        let data = match (&self.file, self.element) {
            (Some(file), element) => next_data(&mut self.source, file, count, element)?,
            (None, Some(element)) => Data::from(self.raw(element, count)?),
            (None, None) => return Err(ReadError::NoElement),
        };
        let begin = self.read;
        self.read += count;
        if self.read == self.len {
            match &self.file {
                Some(file) => file.check_end(&mut self.source)?,
                None if self.source.left()? > 0 => return Err(self.changed()),
                None => {}
            }
        }
        let Some(element) = self.element else { return Ok(data) };
        let numbers = data.numbers.convert(element).map_err(|error| match error {
            Error::DoesNotFit(mut fault) => {
                fault.index += begin as usize;
                Error::from(fault)
            }
            other => other,
        })?;
        Ok(Data { numbers, ..data })
    }

    fn raw(&mut self, element: ElementType, count: u64) -> Result<Numbers, ReadError> {
        let numbers = raw::next(&mut self.source, element, count)?.0;
        if numbers.len() as u64 == count { Ok(numbers) } else { Err(self.changed()) }
    }

    /// The error of raw numbers that are more or fewer than when they were opened.
    fn changed(&self) -> ReadError {
        ReadError::Changed { bytes: self.source.len().unwrap_or(0), taken: self.source.taken() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::npy_header;

    #[test]
    fn an_array_of_another_length_than_its_header_says_is_refused_before_it_is_read() {
        let mut bytes = npy_header(ElementType::U32, 3);
        bytes.extend([7; 12]);
        fn open(bytes: &[u8], len: Option<u64>) -> Result<Pieces<'_>, ReadError> {
            Pieces::open(ByteSource::new(bytes, len), Format::Npy, None)
        }
        for end in [139, 141] {
            bytes.resize(end, 7);
            let told = open(&bytes, Some(end as u64)).map(drop).unwrap_err().to_string();
            assert!(
                told.ends_with(if end < 140 { "follow (truncated?)" } else { "13 bytes follow" }),
                "{told}"
            );
            // Of a pipe, that is known at its end.
            let mut pieces = open(&bytes, None).unwrap();
            assert_eq!(pieces.next_piece(2).unwrap().numbers.len(), 2);
            assert!(pieces.next_piece(2).is_err());
        }
    }

    #[test]
    fn a_number_that_does_not_fit_is_named_by_its_index_in_the_whole() {
        let bytes = [1u32, 2, 3, 1 << 31].map(u32::to_le_bytes).concat();
        let mut header = npy_header(ElementType::U32, 4);
        header.extend(bytes);
        let mut pieces =
            Pieces::open(ByteSource::in_memory(&header), Format::Npy, Some(ElementType::I32)).unwrap();
        assert_eq!(pieces.next_piece(3).unwrap().numbers, Numbers::I32(vec![1, 2, 3]));
        let told = pieces.next_piece(3).map(drop).unwrap_err().to_string();
        assert!(told.contains("2147483648") && told.contains('3'), "{told}");
    }
}
