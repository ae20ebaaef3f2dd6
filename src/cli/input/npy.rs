//! NumPy's `.npy`: a magic, a header in Python's notation, and the array's bytes.
//!
//! Source: NumPy enhancement proposal 1, "A simple file format for NumPy arrays". Versions 1 to 3.
//!
//! The header is read here and not by a crate, since a header may be wrong in any way (an overflowing
//! shape, nesting without end), and nothing of that may panic or allocate.

use anyhow::{Context, bail, ensure};

use rasterscan::ElementType;

use crate::cli::numbers::Numbers;

const MAGIC: &[u8] = b"\x93NUMPY";

/// An array read flat.
#[derive(Debug)]
pub struct Array {
    /// The type as the file states it: `<f8`.
    pub descr: String,
    pub values: Values,
    /// The type that narrower integers were widened to, if they were.
    pub widened: Option<ElementType>,
}

/// Values of a file's types: what a stream holds, and 64-bit floats, which none does.
#[derive(Debug)]
pub enum Values {
    Numbers(Numbers),
    F64(Vec<f64>),
}

/// The magic and header of a one-dimensional little-endian array, padded to 64 bytes.
pub fn header(element: ElementType, len: usize) -> Vec<u8> {
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

pub fn read(bytes: &[u8]) -> anyhow::Result<Array> {
    let rest = bytes.strip_prefix(MAGIC).context("no .npy file: it does not begin with \\x93NUMPY")?;
    let (dictionary, data) = split_header(rest)?;
    let header = Header::parse(dictionary).context("malformed .npy header")?;
    ensure!(
        !header.fortran_order,
        "the array is in Fortran order; save it in C order (numpy.ascontiguousarray)"
    );

    let (order, kind) = header.descr.split_at_checked(1).unwrap_or(("", ""));
    let big = match order {
        "<" => false,
        ">" => true,
        "|" if kind.ends_with('1') => false,
        _ => bail!(unsupported(&header.descr)),
    };
    let size = match kind {
        "u1" | "i1" => 1,
        "u2" | "i2" => 2,
        "u4" | "i4" | "f4" => 4,
        "u8" | "i8" | "f8" => 8,
        _ => bail!(unsupported(&header.descr)),
    };
    let promised = header.shape.iter().try_fold(size, |bytes: u64, n| bytes.checked_mul(*n));
    ensure!(
        promised == Some(data.len() as u64),
        "the header promises {} of {size} bytes in shape {:?}, but {} bytes follow{}",
        header.descr,
        header.shape,
        data.len(),
        if promised.is_none_or(|promised| promised > data.len() as u64) { " (truncated?)" } else { "" },
    );

    macro_rules! values {
        ($file:ty, $element:ty) => {{
            let (values, _) = data.as_chunks::<{ size_of::<$file>() }>();
            let read = if big { <$file>::from_be_bytes } else { <$file>::from_le_bytes };
            values.iter().map(|bytes| <$element>::from(read(*bytes))).collect::<Vec<_>>()
        }};
    }
    let numbers: Numbers = match kind {
        "u1" => values!(u8, u32).into(),
        "u2" => values!(u16, u32).into(),
        "u4" => values!(u32, u32).into(),
        "u8" => values!(u64, u64).into(),
        "i1" => values!(i8, i32).into(),
        "i2" => values!(i16, i32).into(),
        "i4" => values!(i32, i32).into(),
        "i8" => values!(i64, i64).into(),
        "f4" => values!(f32, f32).into(),
        _ => {
            let values = Values::F64(values!(f64, f64));
            return Ok(Array { descr: header.descr, values, widened: None });
        }
    };
    Ok(Array {
        widened: (size < 4).then_some(numbers.element()),
        descr: header.descr,
        values: Values::Numbers(numbers),
    })
}

fn unsupported(descr: &str) -> String {
    format!(
        "the element type {descr:?} is none that can be read: expected u1, u2, u4, u8, i1, i2, i4, \
         i8, f4 or f8"
    )
}

/// The header's text and the data after it.
fn split_header(rest: &[u8]) -> anyhow::Result<(&str, &[u8])> {
    let truncated = "truncated .npy file: it ends within the header";
    let (version, rest) = rest.split_at_checked(2).context(truncated)?;
    let (len, rest) = match version[0] {
        1 => {
            let (len, rest) = rest.split_first_chunk().context(truncated)?;
            (u32::from(u16::from_le_bytes(*len)), rest)
        }
        2 | 3 => {
            let (len, rest) = rest.split_first_chunk().context(truncated)?;
            (u32::from_le_bytes(*len), rest)
        }
        other => bail!("version {other} of .npy is unknown: expected 1, 2 or 3"),
    };
    let (text, data) = rest.split_at_checked(len as usize).context(truncated)?;
    Ok((std::str::from_utf8(text).context("malformed .npy header")?, data))
}

#[derive(Debug, PartialEq)]
struct Header {
    descr: String,
    fortran_order: bool,
    shape: Vec<u64>,
}

impl Header {
    /// Reads `{'descr': '<u4', 'fortran_order': False, 'shape': (872, 1000), }`.
    fn parse(text: &str) -> anyhow::Result<Header> {
        let mut rest = Cursor(text.trim());
        let (mut descr, mut fortran_order, mut shape) = (None, None, None);
        rest.expect("{")?;
        while !rest.take("}") {
            let key = rest.string()?;
            rest.expect(":")?;
            match key {
                "descr" if rest.sees("[") => bail!("structured arrays cannot be read"),
                "descr" => descr = Some(rest.string()?.to_owned()),
                "fortran_order" if rest.take("True") => fortran_order = Some(true),
                "fortran_order" => {
                    rest.expect("False")?;
                    fortran_order = Some(false);
                }
                "shape" => shape = Some(rest.shape()?),
                other => bail!("unknown key '{other}'"),
            }
            if !rest.take(",") {
                rest.expect("}")?;
                break;
            }
        }
        Ok(Header {
            descr: descr.context("'descr' is missing")?,
            fortran_order: fortran_order.context("'fortran_order' is missing")?,
            shape: shape.context("'shape' is missing")?,
        })
    }
}

/// What is left of the header.
struct Cursor<'t>(&'t str);

impl<'t> Cursor<'t> {
    fn sees(&self, token: &str) -> bool {
        self.0.trim_start().starts_with(token)
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

    fn expect(&mut self, token: &str) -> anyhow::Result<()> {
        let found: String = self.0.trim_start().chars().take(12).collect();
        ensure!(self.take(token), "expected {token:?}, found {found:?}");
        Ok(())
    }

    fn string(&mut self) -> anyhow::Result<&'t str> {
        let quote = if self.sees("\"") { "\"" } else { "'" };
        self.expect(quote)?;
        let (string, rest) = self.0.split_once(quote).context("a string does not end")?;
        self.0 = rest;
        Ok(string)
    }

    fn shape(&mut self) -> anyhow::Result<Vec<u64>> {
        self.expect("(")?;
        let mut shape = Vec::new();
        while !self.take(")") {
            let text = self.0.trim_start();
            let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
            let (digits, rest) = text.split_at(end);
            let found: String = text.chars().take(12).collect();
            shape.push(digits.parse().with_context(|| format!("expected a length, found {found:?}"))?);
            self.0 = rest;
            // Python 2 wrote long integers as 10L.
            self.take("L");
            if !self.take(",") {
                self.expect(")")?;
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
    fn what_is_written_can_be_read() {
        let mut file = header(ElementType::I64, 3);
        assert_eq!(file.len() % 64, 0);
        file.extend([1i64, -2, 3].iter().flat_map(|value| value.to_le_bytes()));
        let Values::Numbers(numbers) = read(&file).unwrap().values else { panic!("no numbers") };
        assert_eq!(numbers, Numbers::I64(vec![1, -2, 3]));
    }

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
            &"(".repeat(60_000),
        ] {
            assert!(Header::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn every_truncation_of_a_file_is_refused() {
        let mut file = header(ElementType::U32, 2);
        file.extend([0; 8]);
        for end in 0..file.len() {
            assert!(read(&file[..end]).is_err(), "{end} bytes");
        }
        assert!(read(&file).is_ok());
    }
}
