//! Numbers from and to bytes: NumPy's `.npy`, text, raw little-endian numbers, and pictures.
//!
//! Bytes come from any [`std::io::Read`] and go to any [`std::io::Write`]: paths, standard input and the terminal are
//! the caller's, so a web page can use this crate as it is. A reader returns the whole stream or an error, within
//! bounds; an error names the line, the index or the byte.
//!
//! ```
//! use rasterscan::tools::Numbers;
//! use rasterscan_files::{ByteSource, Format, ReadOptions, read, write};
//!
//! let data = read(&mut ByteSource::in_memory(b"3, 1, 4"), Format::Text, &ReadOptions::default())?;
//! assert_eq!(data.numbers, Numbers::U32(vec![3, 1, 4]));
//! let mut npy = Vec::new();
//! write(&mut npy, &data.numbers, Format::Npy)?;
//! assert!(npy.starts_with(b"\x93NUMPY"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![deny(unsafe_code, missing_docs)]

mod error;
mod jpeg;
mod mask;
mod npy;
pub mod picture;
mod pieces;
mod raw;
mod source;
mod text;
mod write;

use std::path::Path;

use rasterscan::tools::limits::MAX_LEN;
use rasterscan::{ElementType, tools::Numbers};

pub use error::ReadError;
pub use jpeg::JpegError;
pub use mask::read_mask;
pub use npy::{NpyError, header as npy_header};
pub use picture::PictureError;
pub use pieces::Pieces;
pub use source::{ByteSource, too_many};
pub use text::TextError;
pub use write::{write, write_lines};

/// The form of a file's bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// NumPy's `.npy`.
    Npy,
    /// Numbers separated by white space or commas; written one per line.
    Text,
    /// Little-endian numbers and nothing else.
    Binary,
    /// A picture.
    Png,
    /// A picture.
    Jpeg,
}

impl Format {
    /// The format of a file by the extension of its name, in any case; `None` for an unknown one.
    pub fn of_name(name: &Path) -> Option<Format> {
        Some(match name.extension()?.to_string_lossy().to_lowercase().as_str() {
            "npy" => Format::Npy,
            "csv" | "txt" => Format::Text,
            "bin" => Format::Binary,
            "png" => Format::Png,
            "jpg" | "jpeg" => Format::Jpeg,
            _ => return None,
        })
    }

    /// Returns true for a picture. Pictures are only read, not written.
    pub fn is_picture(self) -> bool {
        matches!(self, Format::Png | Format::Jpeg)
    }
}

/// The options of reading.
#[derive(Debug, Clone, Copy, Default)]
pub struct ReadOptions {
    /// The requested type; the input's own if `None`.
    pub element: Option<ElementType>,
    /// True to keep a picture's channels, interleaved, instead of its luma. Other formats have no channels.
    pub channels: bool,
}

/// Numbers that were read.
#[derive(Debug)]
pub struct Data {
    /// The numbers, flat.
    pub numbers: Numbers,
    /// Interleaved channels of a picture; 1 for everything else.
    pub channels: u32,
    /// A note on a conversion or an omission: `line 1 is a header: skipped`.
    pub note: Option<String>,
}

impl From<Numbers> for Data {
    fn from(numbers: Numbers) -> Data {
        Data { numbers, channels: 1, note: None }
    }
}

/// Reads all numbers of a source, at most [`MAX_LEN`]. A number that cannot be converted exactly is an error.
pub fn read(source: &mut ByteSource<'_>, format: Format, options: &ReadOptions) -> Result<Data, ReadError> {
    let data = match format {
        Format::Npy => npy::read_data(source, options.element)?,
        Format::Text => text::read_data(source, options.element)?,
        Format::Binary => raw::read(source, options.element.ok_or(ReadError::NoElement)?)?.into(),
        Format::Png | Format::Jpeg => {
            picture::numbers(&picture::read(source, format, options.channels)?, options.channels)?
        }
    };
    let len = data.numbers.len() as u64;
    if len > MAX_LEN {
        return Err(too_many(len).into());
    }
    let Some(element) = options.element else { return Ok(data) };
    Ok(Data { numbers: data.numbers.convert(element)?, ..data })
}

/// Reads all numbers as an element; of a picture of more than `most` pixels, those of a smaller copy.
pub fn read_shrunk(
    source: &mut ByteSource<'_>,
    format: Format,
    element: ElementType,
    most: u64,
) -> Result<Data, ReadError> {
    if !format.is_picture() {
        return read(source, format, &ReadOptions { element: Some(element), channels: false });
    }
    let picture = picture::read(source, format, false)?;
    let data = picture::shrunk(&picture, most)?.map_or_else(|| picture::numbers(&picture, false), Ok)?;
    Ok(Data { numbers: data.numbers.convert(element)?, ..data })
}
