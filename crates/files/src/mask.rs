//! A mask for a compaction: one flag for each element of the input.

use crate::{ByteSource, Format, ReadError, npy, picture};

/// Reads the flags of a mask, nonzero to keep: an `.npy` of bool or u1, or the luma of a `.png`, row by row.
pub fn read_mask(source: &mut ByteSource<'_>, format: Format) -> Result<Vec<u32>, ReadError> {
    match format {
        Format::Npy => npy::read_mask(source),
        Format::Png => Ok(picture::luma(&picture::read(source, format, false)?)?),
        _ => Err(ReadError::NoMask),
    }
}
