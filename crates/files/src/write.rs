//! Writing numbers as bytes.

use std::io::{self, ErrorKind, Write};

use rasterscan::tools::numbers::Written;
use rasterscan::tools::{Numbers, each};

use crate::{Format, npy};

/// The buffer in bytes, large enough that a million values take few system calls.
const BUFFER: usize = 1 << 16;

/// Writes numbers as `.npy`, text or raw numbers.
///
/// Errors: those of `out`, and [`ErrorKind::Unsupported`] for a picture.
pub fn write(out: &mut dyn Write, numbers: &Numbers, format: Format) -> io::Result<()> {
    match format {
        Format::Text => write_lines(out, numbers),
        Format::Binary => numbers.write_le_bytes(out),
        Format::Npy => {
            out.write_all(&npy::header(numbers.element(), numbers.len() as u64))?;
            numbers.write_le_bytes(out)
        }
        Format::Png | Format::Jpeg => {
            Err(io::Error::new(ErrorKind::Unsupported, "numbers cannot be written as a picture"))
        }
    }
}

/// Writes one value per line. A float is the shortest text that reads back as the same float; a NaN as one of its sign.
pub fn write_lines(out: &mut dyn Write, numbers: &Numbers) -> io::Result<()> {
    let mut lines = Vec::with_capacity(BUFFER + 64);
    each!(numbers, values => {
        for value in values {
            writeln!(lines, "{:?}", Written(*value))?;
            if lines.len() >= BUFFER {
                out.write_all(&lines)?;
                lines.clear();
            }
        }
    });
    out.write_all(&lines)
}
