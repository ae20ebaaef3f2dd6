//! Raw numbers: little-endian, one after the other, and nothing else.

use rasterscan::tools::limits::MAX_LEN;
use rasterscan::{ElementType, tools::Numbers};

use crate::{ByteSource, ReadError};

/// Reads numbers of a type to the end of the source.
pub fn read(source: &mut ByteSource<'_>, element: ElementType) -> Result<Numbers, ReadError> {
    // One more than allowed shows that there are too many.
    let (numbers, rest) = next(source, element, MAX_LEN + 1)?;
    match rest {
        0 => Ok(numbers),
        rest => {
            let bytes = numbers.len() * element.words() as usize * 4 + rest;
            Err(ReadError::Remainder { bytes, element })
        }
    }
}

/// The next numbers, at most `most`; and the number of bytes of an incomplete last one.
pub fn next(
    source: &mut ByteSource<'_>,
    element: ElementType,
    most: u64,
) -> Result<(Numbers, usize), ReadError> {
    macro_rules! read {
        ($rust:ty) => {{
            let (values, rest) = source.numbers(most, <$rust>::from_le_bytes)?;
            (Numbers::from(values), rest)
        }};
    }
    Ok(match element {
        ElementType::U32 => read!(u32),
        ElementType::I32 => read!(i32),
        ElementType::F32 => read!(f32),
        ElementType::U64 => read!(u64),
        ElementType::I64 => read!(i64),
    })
}
