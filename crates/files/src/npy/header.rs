//! The header of an `.npy`, which describes the bytes after it.
//!
//! It is read here and not by a crate, because a header may be wrong in any way (an overflowing shape, endless
//! nesting), and none of that may panic or allocate.

use rasterscan::ElementType;
use rasterscan::tools::limits::MAX_LEN;

use super::NpyError;
use crate::ReadError;
use crate::source::{BLOCK, ByteSource, too_many};

/// The first bytes.
pub const MAGIC: &[u8] = b"\x93NUMPY";

/// The magic and header of a one-dimensional little-endian array: 128 bytes, whatever its length.
pub fn header(element: ElementType, len: u64) -> Vec<u8> {
    let kind = match element {
        ElementType::U32 => "u4",
        ElementType::I32 => "i4",
        ElementType::F32 => "f4",
        ElementType::U64 => "u8",
        ElementType::I64 => "i8",
    };
    let dictionary = format!("{{'descr': '<{kind}', 'fortran_order': False, 'shape': ({len},), }}");
    let before = MAGIC.len() + 4;
    let total = (before + dictionary.len() + 1).next_multiple_of(64);
    let mut bytes = MAGIC.to_vec();
    bytes.extend([1, 0]);
    // At most 128 bytes.
    bytes.extend(((total - before) as u16).to_le_bytes());
    bytes.extend(dictionary.as_bytes());
    bytes.resize(total - 1, b' ');
    bytes.push(b'\n');
    bytes
}

/// The longest accepted header, in bytes: an array of one type has some hundred bytes.
const MOST_HEADER: usize = 1 << 20;

/// The signs of the order of bytes: little-endian, big-endian, this machine's, and none.
const ORDERS: [char; 4] = ['<', '>', '=', '|'];

/// A file, read to the end of its header.
pub struct File {
    /// The type as the file states it: `<f8`.
    pub descr: String,
    /// True if numbers are big-endian.
    pub big: bool,
    /// The number of numbers by the shape.
    pub len: u64,
    /// The bytes before the array.
    pub begin: u64,
    shape: Vec<u64>,
    size: u64,
}

impl File {
    /// Reads the magic and the header.
    pub fn open(source: &mut ByteSource<'_>) -> Result<File, ReadError> {
        let text = header_text(source)?;
        let text = std::str::from_utf8(&text).map_err(|error| NpyError::Header(error.to_string()))?;
        let Header { descr, fortran_order, shape } = Header::parse(text).map_err(NpyError::Header)?;
        if fortran_order {
            return Err(NpyError::FortranOrder.into());
        }
        let kind = descr.strip_prefix(ORDERS).unwrap_or(&descr);
        // As numpy has it, every sign but these two, and none, stand for this machine's order.
        let big = match descr.chars().next() {
            Some('<') => false,
            Some('>') => true,
            _ => cfg!(target_endian = "big"),
        };
        let size = match kind {
            "b1" | "u1" | "i1" => 1,
            "u2" | "i2" => 2,
            "u4" | "i4" | "f4" => 4,
            "u8" | "i8" | "f8" => 8,
            _ => return Err(NpyError::Type(descr).into()),
        };
        let len = shape.iter().try_fold(1, |len: u64, n| len.checked_mul(*n));
        Ok(File { descr, big, len: len.unwrap_or(u64::MAX), begin: source.taken(), shape, size })
    }

    /// Errors if the array is longer than a stream.
    pub fn check_len(&self, source: &mut ByteSource<'_>) -> Result<(), ReadError> {
        if self.len <= MAX_LEN {
            return Ok(());
        }
        let left = source.left()?;
        // With less than a block left, the end is known, and so is the error.
        Err(match left {
            BLOCK => too_many(self.len).into(),
            left => self.other_length(left as u64, false).into(),
        })
    }

    /// Errors if a source of known length has other bytes after the header than the array's.
    pub fn check_bytes(&self, source: &ByteSource<'_>) -> Result<(), NpyError> {
        let bytes = source.len().map(|len| len.saturating_sub(self.begin));
        match bytes {
            Some(bytes) if self.len.checked_mul(self.size) != Some(bytes) => {
                Err(self.other_length(bytes, false))
            }
            _ => Ok(()),
        }
    }

    /// Errors if bytes follow the array, which was read to its end.
    pub fn check_end(&self, source: &mut ByteSource<'_>) -> Result<(), ReadError> {
        let left = source.left()?;
        let bytes = source.taken() - self.begin;
        if left == 0 { Ok(()) } else { Err(self.other_length(bytes, left == BLOCK).into()) }
    }

    /// The error of an array of another length than its header states; `more` if the rest was not counted.
    pub fn other_length(&self, bytes: u64, more: bool) -> NpyError {
        let File { descr, len, shape, size, .. } = self;
        let truncated = !more && len.checked_mul(*size).is_none_or(|promised| promised > bytes);
        NpyError::Length(format!(
            "the header promises {descr} of {size} bytes in shape {shape:?}, but {}{bytes} bytes follow{}",
            if more { "more than " } else { "" },
            if truncated { " (truncated?)" } else { "" },
        ))
    }

    /// The type without its byte order: `f8`.
    pub fn kind(&self) -> &str {
        self.descr.strip_prefix(ORDERS).unwrap_or(&self.descr)
    }
}

/// The text of the header.
fn header_text(source: &mut ByteSource<'_>) -> Result<Vec<u8>, ReadError> {
    let magic = source.bytes(MAGIC.len())?;
    if magic != MAGIC {
        return Err(NpyError::Magic.into());
    }
    let version = source.bytes(2)?;
    let len = match *version {
        [1, _] => {
            let len = source.bytes(2)?;
            usize::from(u16::from_le_bytes(*len.first_chunk().ok_or(NpyError::Truncated)?))
        }
        [2 | 3, _] => {
            let len = source.bytes(4)?;
            u32::from_le_bytes(*len.first_chunk().ok_or(NpyError::Truncated)?) as usize
        }
        [other, _] => return Err(NpyError::Version(other).into()),
        _ => return Err(NpyError::Truncated.into()),
    };
    let text = source.bytes(len.min(MOST_HEADER))?;
    match text.len() {
        MOST_HEADER if len > MOST_HEADER => Err(NpyError::LongHeader { len, most: MOST_HEADER }.into()),
        read if read == len => Ok(text),
        _ => Err(NpyError::Truncated.into()),
    }
}

#[derive(Debug, PartialEq)]
struct Header {
    descr: String,
    fortran_order: bool,
    shape: Vec<u64>,
}

impl Header {
    /// Reads `{'descr': '<u4', 'fortran_order': False, 'shape': (872, 1000), }`.
    fn parse(text: &str) -> Result<Header, String> {
        let mut rest = Cursor(text.trim());
        let (mut descr, mut fortran_order, mut shape) = (None, None, None);
        rest.expect("{")?;
        while !rest.take("}") {
            let key = rest.string()?;
            rest.expect(":")?;
            match key {
                "descr" if rest.sees("[") => return Err("structured arrays cannot be read".into()),
                "descr" => descr = Some(rest.string()?.to_owned()),
                "fortran_order" if rest.take("True") => fortran_order = Some(true),
                "fortran_order" => {
                    rest.expect("False")?;
                    fortran_order = Some(false);
                }
                "shape" => shape = Some(rest.shape()?),
                other => return Err(format!("unknown key '{other}'")),
            }
            if !rest.take(",") {
                rest.expect("}")?;
                break;
            }
        }
        if !rest.0.trim().is_empty() {
            return Err(format!("expected the end after '}}', found {:?}", rest.start()));
        }
        Ok(Header {
            descr: descr.ok_or("'descr' is missing")?,
            fortran_order: fortran_order.ok_or("'fortran_order' is missing")?,
            shape: shape.ok_or("'shape' is missing")?,
        })
    }
}

/// The unread rest of the header.
struct Cursor<'t>(&'t str);

impl<'t> Cursor<'t> {
    fn sees(&self, token: &str) -> bool {
        self.0.trim_start().starts_with(token)
    }

    /// The next characters, for errors.
    fn start(&self) -> String {
        self.0.trim_start().chars().take(12).collect()
    }

    fn take(&mut self, token: &str) -> bool {
        match self.0.trim_start().strip_prefix(token) {
            Some(rest) => {
                self.0 = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, token: &str) -> Result<(), String> {
        let found = self.start();
        if self.take(token) { Ok(()) } else { Err(format!("expected {token:?}, found {found:?}")) }
    }

    fn string(&mut self) -> Result<&'t str, String> {
        let quote = if self.sees("\"") { "\"" } else { "'" };
        self.expect(quote)?;
        let (string, rest) = self.0.split_once(quote).ok_or("a string does not end")?;
        self.0 = rest;
        Ok(string)
    }

    fn shape(&mut self) -> Result<Vec<u64>, String> {
        self.expect("(")?;
        let mut shape = Vec::new();
        while !self.take(")") {
            let text = self.0.trim_start();
            let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
            let (digits, rest) = text.split_at(end);
            let found = self.start();
            let wrong =
                |error: std::num::ParseIntError| format!("expected a length, found {found:?}: {error}");
            shape.push(digits.parse().map_err(wrong)?);
            self.0 = rest;
            // Python 2 wrote long integers as 10L.
            self.take("L");
            if !self.take(",") {
                self.expect(")")?;
                // To Python, (5) is a number.
                if let [length] = shape[..] {
                    return Err(format!("the shape ({length}) is no tuple; expected ({length},)"));
                }
                break;
            }
        }
        Ok(shape)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_read_in_every_notation() {
        let parse = |text| Header::parse(text).unwrap().shape;
        assert_eq!(parse("{'descr': '<u4', 'fortran_order': False, 'shape': (2, 3), }\n"), [2, 3]);
        assert_eq!(parse("{\"shape\":(10L,),\"fortran_order\":True,\"descr\":\">f8\"}"), [10]);
        assert_eq!(parse("{'descr': '|u1', 'fortran_order': False, 'shape': ()}"), [0u64; 0]);
    }

    #[test]
    fn malformed_headers_are_refused() {
        for text in [
            "",
            "{",
            "{}",
            "[]",
            "{'descr': '<u4'}",
            "{'descr': '<u4', 'fortran_order': 0, 'shape': (2,)}",
            "{'descr': '<u4', 'fortran_order': False, 'shape': (-2,)}",
            "{'descr': '<u4', 'fortran_order': False, 'shape': (2",
            "{'descr': '<u4', 'fortran_order': False, 'shape': (99999999999999999999999,)}",
            "{'descr': [('a', '<u4')], 'fortran_order': False, 'shape': (2,)}",
            "{'descr': '<u4",
            "{'descr': '<u4', 'fortran_order': False, 'shape': (6)}",
            "{'descr': '<u4', 'fortran_order': False, 'shape': (6,)} x",
            "{'descr': '<u4', 'fortran_order': False, 'shape': (6,)}}",
            "{'descr': '<u4', 'fortran_order': False, 'shape': (6,)},",
            "{'descr': '<u4', 'fortran_order': False, 'shape': (6,)}\0",
            &"(".repeat(60_000),
        ] {
            assert!(Header::parse(text).is_err(), "{text}");
        }
    }
}
