//! NumPy's `.npy`: a magic, a header in Python's notation, and the array's bytes.
//!
//! Source: NumPy enhancement proposal 1, "A simple file format for NumPy arrays". Versions 1 to 3.

mod header;

use rasterscan::{ElementType, tools::Numbers};

use crate::source::ByteSource;
use crate::{Data, ReadError};

pub(crate) use header::File;
pub(crate) use header::MAGIC;
pub use header::header;

/// A reason why an `.npy` cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NpyError {
    /// Another format.
    #[error("not a .npy file: it does not begin with \\x93NUMPY")]
    Magic,
    /// The file ends within its header.
    #[error("truncated .npy file: it ends within the header")]
    Truncated,
    /// A later version of the format.
    #[error("version {0} of .npy is unknown: expected 1, 2 or 3")]
    Version(u8),
    /// A header longer than any array of one type needs.
    #[error("a .npy header of {len} bytes is too long: at most {most}")]
    LongHeader {
        /// The stated length in bytes.
        len: usize,
        /// The greatest accepted length in bytes.
        most: usize,
    },
    /// A header that is not in Python's notation, or lacks a key.
    #[error("malformed .npy header: {0}")]
    Header(String),
    /// An array with columns first.
    #[error("the array is in Fortran order; save it in C order (numpy.ascontiguousarray)")]
    FortranOrder,
    /// An unsupported type, as the file states it.
    #[error("the element type {0:?} is not supported: expected u1, u2, u4, u8, i1, i2, i4, i8, f4 or f8")]
    Type(String),
    /// An array that is shorter or longer than its header states.
    #[error("{0}")]
    Length(String),
    /// 64-bit floats, which are read only as f32, rounded; the requested type, if any.
    #[error("it holds 64-bit floats ({descr}), which are read only as f32, on request")]
    Doubles {
        /// The type as the file states it.
        descr: String,
        /// The requested type.
        wanted: Option<ElementType>,
    },
    /// An array of bool where numbers are read.
    #[error("an array of bool ({0}) is read only as flags")]
    Bool(String),
    /// An array of numbers where flags are read.
    #[error("flags have type bool or u1; this has {0}")]
    NoMask(String),
}

/// An array, flattened.
#[derive(Debug)]
struct Array {
    /// The type as the file states it: `<f8`.
    descr: String,
    values: Values,
    /// The type that narrower integers were widened to, if they were.
    widened: Option<ElementType>,
}

/// Values of a file's types: those of a stream, and 64-bit floats.
#[derive(Debug)]
enum Values {
    Numbers(Numbers),
    F64(Vec<f64>),
}

/// Reads an array as numbers.
pub fn read_data(source: &mut ByteSource<'_>, element: Option<ElementType>) -> Result<Data, ReadError> {
    read(source)?.data(element)
}

impl Array {
    fn data(self, element: Option<ElementType>) -> Result<Data, ReadError> {
        let Array { descr, values, widened } = self;
        match values {
            Values::Numbers(numbers) => {
                let note = widened.map(|element| format!("its {descr} are widened to {element}"));
                Ok(Data { note, ..numbers.into() })
            }
            Values::F64(values) if element == Some(ElementType::F32) => {
                let note = Some(format!("its {descr} are narrowed to f32"));
                Ok(Data { note, ..Numbers::narrow(&values)?.into() })
            }
            Values::F64(_) => Err(NpyError::Doubles { descr, wanted: element }.into()),
        }
    }
}

/// The next `count` numbers after a header, as the file has them or as this element.
pub fn next_data(
    source: &mut ByteSource<'_>,
    file: &File,
    count: u64,
    element: Option<ElementType>,
) -> Result<Data, ReadError> {
    part(source, file, count)?.data(element)
}

fn read(source: &mut ByteSource<'_>) -> Result<Array, ReadError> {
    let file = File::open(source)?;
    file.check_len(source)?;
    let array = part(source, &file, file.len)?;
    file.check_end(source)?;
    Ok(array)
}

/// The next `count` numbers after a header.
fn part(source: &mut ByteSource<'_>, file: &File, count: u64) -> Result<Array, ReadError> {
    macro_rules! values {
        ($file:ty, $element:ty) => {{
            let read = if file.big { <$file>::from_be_bytes } else { <$file>::from_le_bytes };
            data(source, file, count, |bytes| <$element>::from(read(bytes)))?
        }};
    }
    let descr = file.descr.clone();
    let numbers: Numbers = match file.kind() {
        "u1" => values!(u8, u32).into(),
        "u2" => values!(u16, u32).into(),
        "u4" => values!(u32, u32).into(),
        "u8" => values!(u64, u64).into(),
        "i1" => values!(i8, i32).into(),
        "i2" => values!(i16, i32).into(),
        "i4" => values!(i32, i32).into(),
        "i8" => values!(i64, i64).into(),
        "f4" => values!(f32, f32).into(),
        "f8" => {
            let values = Values::F64(values!(f64, f64));
            return Ok(Array { descr, values, widened: None });
        }
        "b1" => return Err(NpyError::Bool(descr).into()),
        _ => return Err(NpyError::Type(descr).into()),
    };
    let narrow = matches!(file.kind(), "u1" | "u2" | "i1" | "i2");
    Ok(Array { widened: narrow.then_some(numbers.element()), descr, values: Values::Numbers(numbers) })
}

/// The next `count` numbers of the array.
fn data<const N: usize, T>(
    source: &mut ByteSource<'_>,
    file: &File,
    count: u64,
    number: impl Fn([u8; N]) -> T,
) -> Result<Vec<T>, ReadError> {
    let (values, _) = source.numbers(count, number)?;
    match values.len() as u64 == count {
        true => Ok(values),
        false => Err(file.other_length(source.taken() - file.begin, false).into()),
    }
}

/// Reads a mask of bool or u1: nonzero keeps.
pub fn read_mask(source: &mut ByteSource<'_>) -> Result<Vec<u32>, ReadError> {
    let file = File::open(source)?;
    file.check_len(source)?;
    let ("b1" | "u1") = file.kind() else { return Err(NpyError::NoMask(file.descr).into()) };
    let mask = data(source, &file, file.len, |[byte]| u32::from(byte))?;
    file.check_end(source)?;
    Ok(mask)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rasterscan_fuzz::Fuzz;

    #[test]
    fn what_is_written_can_be_read() {
        let mut file = header(ElementType::I64, 3);
        assert_eq!(file.len() % 64, 0);
        file.extend([1i64, -2, 3].iter().flat_map(|value| value.to_le_bytes()));
        let Values::Numbers(numbers) = read(&mut ByteSource::in_memory(&file)).unwrap().values else {
            panic!("no numbers")
        };
        assert_eq!(numbers, Numbers::I64(vec![1, -2, 3]));
    }

    #[test]
    fn the_machines_own_order_is_read_as_numpy_reads_it() {
        let read = |descr: &str, bytes: &[u8]| {
            let text = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': (1,), }}\n");
            let head =
                [b"\x93NUMPY\x01\x00", &(text.len() as u16).to_le_bytes()[..], text.as_bytes()].concat();
            read_data(&mut ByteSource::in_memory(&[&head, bytes].concat()), None).map(|data| data.numbers)
        };
        for descr in ["=u4", "|u4", "u4"] {
            assert_eq!(read(descr, &7u32.to_ne_bytes()).unwrap(), Numbers::U32(vec![7]), "{descr}");
        }
        for descr in ["|u1", "=u1", "u1", "<u1", ">u1"] {
            assert_eq!(read(descr, &[7]).unwrap(), Numbers::U32(vec![7]), "{descr}");
        }
        assert_eq!(read("=f4", &0.5f32.to_ne_bytes()).unwrap(), Numbers::F32(vec![0.5]));
        assert_eq!(read(">u4", &7u32.to_be_bytes()).unwrap(), Numbers::U32(vec![7]));
        for descr in ["", "=", "==u4", "!u4", "=u3", "uint32"] {
            assert!(read(descr, &[0; 4]).is_err(), "{descr}");
        }
    }

    #[test]
    fn fuzz() {
        let words =
            ["'descr'", "'<u4'", "'>f8'", "'|b1'", "True", "False", "'shape'", "(3,)", "{", "}", "\x02\x00"];
        let file = |kind: &str, data: &[u8]| {
            let text = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': (2, 3), }}\n");
            [b"\x93NUMPY\x01\x00", &(text.len() as u16).to_le_bytes()[..], text.as_bytes(), data].concat()
        };
        let kinds = ["|b1", "|u1", "<u2", ">i4", "<f4", ">u8", "<f8"];
        let size = |kind: &str| kind.as_bytes()[2] as usize - 48;
        let corpus = kinds.iter().map(|kind| file(kind, &vec![1; 6 * size(kind)])).collect();
        Fuzz { name: "npy", corpus, words: &words, repair: |_| {}, cases: 5000 }.run(|bytes| {
            let array = read(&mut ByteSource::in_memory(bytes));
            let mask = read_mask(&mut ByteSource::in_memory(bytes));
            format!("{:?} {:?}", array.err(), mask.err())
        });
    }

    #[test]
    fn every_truncation_of_a_file_is_refused() {
        let mut file = header(ElementType::U32, 2);
        file.extend([0; 8]);
        for end in 0..file.len() {
            assert!(read(&mut ByteSource::in_memory(&file[..end])).is_err(), "{end} bytes");
        }
        assert!(read(&mut ByteSource::in_memory(&file)).is_ok());
    }
}
