//! Numbers as text: separated by white space or commas, with an optional header line.

use rasterscan::tools::numbers::{Narrowest, Word, WordError};
use rasterscan::{
    ElementType,
    tools::{Numbers, memory},
};

use crate::{ByteSource, Data, ReadError};

/// An error in a line of a text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct TextError {
    /// The line, counted from 1.
    pub line: usize,
    /// The error.
    pub what: String,
}

/// The numbers of a text.
#[derive(Debug, PartialEq)]
struct Read {
    numbers: Numbers,
    /// The line, counted from 1, that was skipped as a header.
    header: Option<usize>,
}

/// Reads a text as numbers.
pub fn read_data(source: &mut ByteSource<'_>, element: Option<ElementType>) -> Result<Data, ReadError> {
    let read = read(&source.text()?, element)?;
    let note = read.header.map(|line| format!("line {line} is a header: skipped"));
    Ok(Data { note, ..read.numbers.into() })
}

/// Reads all numbers, as `element` or as the narrowest type that holds them: u32, i32, u64, i64, and
/// f32 where one has a decimal point or an exponent.
///
/// In f32, decimals are rounded to the nearest, and integers beside them, too; where all numbers are integers, they must be
/// exact.
fn read(bytes: &[u8], element: Option<ElementType>) -> Result<Read, ReadError> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let body = without_header(bytes)?;
    // Integers between two f32 are rounded only beside decimals.
    let looks = if matches!(element, None | Some(ElementType::F32)) { Some(narrowest(&body)?) } else { None };
    let element = element.or(looks.map(Narrowest::element)).unwrap_or(ElementType::U32);
    let exact = looks.is_none_or(|looks| !looks.float);
    macro_rules! integers {
        ($rust:ty) => {
            collect(&body, |token| {
                <$rust>::try_from(token.whole()?).map_err(|_| token.fault(WordError::DoesNotFit(element)))
            })
        };
    }
    let numbers = match element {
        ElementType::U32 => integers!(u32),
        ElementType::I32 => integers!(i32),
        ElementType::U64 => integers!(u64),
        ElementType::I64 => integers!(i64),
        ElementType::F32 => {
            collect(&body, |token| token.word()?.single(exact).map_err(|fault| token.fault(fault)))
        }
    }?;
    Ok(Read { numbers, header: (body.first > 1).then(|| body.first - 1) })
}

/// A text from its first data line, `first`, on.
struct Body<'t> {
    bytes: &'t [u8],
    first: usize,
}

/// Skips a header: the first line that is not blank, if it cannot hold a value and a number follows in a later line. A
/// header is UTF-8, and none of its words is a number, has a digit or begins with a sign or a point.
///
/// Errors: a line that is neither a header nor numbers, or a header alone.
fn without_header(bytes: &[u8]) -> Result<Body<'_>, TextError> {
    let whole = Body { bytes, first: 1 };
    let mut rest = bytes;
    let mut line = 1;
    loop {
        let end = rest.iter().position(|&byte| byte == b'\n');
        let this = &rest[..end.unwrap_or(rest.len())];
        let later = end.map_or(&[][..], |end| &rest[end + 1..]);
        if !this.trim_ascii().is_empty() {
            if words(this).any(is_number) {
                return Ok(whole);
            }
            let fault = |what: String| Err(TextError { line, what });
            if words(later).any(is_number) {
                return match words(this).find(|word| may_be_a_value(word)) {
                    None => Ok(Body { bytes: later, first: line + 1 }),
                    Some(word) => fault(format!(
                        "'{}' is not a number; a header has no digits, no signs, and is UTF-8",
                        shown(word)
                    )),
                };
            }
            return match words(later).next().is_none() && !words(this).any(may_be_a_value) {
                true => fault("a header, and no numbers follow it".into()),
                false => Ok(whole),
            };
        }
        if end.is_none() {
            return Ok(whole);
        }
        rest = later;
        line += 1;
    }
}

fn words(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.split(|&byte| byte == b',' || byte.is_ascii_whitespace()).filter(|word| !word.is_empty())
}

fn is_number(word: &[u8]) -> bool {
    std::str::from_utf8(word).is_ok_and(|word| word.parse::<f64>().is_ok())
}

/// Returns true for a word that may be a damaged number: one with a digit or a sign of any script, or that is not UTF-8.
fn may_be_a_value(word: &[u8]) -> bool {
    const SIGNS: [char; 8] = ['+', '-', '.', '\u{2010}', '\u{2012}', '\u{2013}', '\u{2212}', '\u{FF0D}'];
    std::str::from_utf8(word).map_or(true, |word| word.starts_with(SIGNS) || word.contains(char::is_numeric))
}

/// A word for an error, cut if it is long.
fn shown(word: &[u8]) -> String {
    let text = String::from_utf8_lossy(word);
    let mut shown: String = text.chars().take(40).flat_map(char::escape_debug).collect();
    if text.chars().count() > 40 {
        shown.push_str("...");
    }
    shown
}

/// The text of one number.
struct Token<'t> {
    line: usize,
    bytes: &'t [u8],
}

impl Body<'_> {
    /// Passes every token to `visit`, until the first error.
    fn visit<'t>(
        &'t self,
        mut visit: impl FnMut(Token<'t>) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        for (line, text) in (self.first..).zip(self.bytes.split(|&byte| byte == b'\n')) {
            let mut fields = text.split(|&byte| byte == b',').peekable();
            while let Some(field) = fields.next() {
                // An empty end after the last comma is no field; an empty field before a comma is an error.
                if field.trim_ascii().is_empty() && fields.peek().is_some() {
                    return Err(TextError { line, what: "a number is missing before a comma".into() }.into());
                }
                let tokens = field.split(|byte| byte.is_ascii_whitespace());
                for bytes in tokens.filter(|token| !token.is_empty()) {
                    visit(Token { line, bytes })?;
                }
            }
        }
        Ok(())
    }
}

fn collect<T>(
    body: &Body<'_>,
    read: impl Fn(&Token<'_>) -> Result<T, ReadError>,
) -> Result<Numbers, ReadError>
where
    Numbers: From<Vec<T>>,
{
    let mut values = Vec::new();
    body.visit(|token| Ok(memory::push(&mut values, read(&token)?, "the numbers of a text")?))?;
    Ok(values.into())
}

/// Looks at all numbers of a text.
fn narrowest(body: &Body<'_>) -> Result<Narrowest, ReadError> {
    let mut narrowest = Narrowest::default();
    body.visit(|token| narrowest.add(token.word()?).map_err(|fault| token.fault(fault)))?;
    Ok(narrowest)
}

impl<'t> Token<'t> {
    fn word(&self) -> Result<Word<'t>, ReadError> {
        std::str::from_utf8(self.bytes).map(Word).map_err(|_| self.fault(WordError::NotANumber))
    }

    fn whole(&self) -> Result<i128, ReadError> {
        self.word()?.whole().map_err(|fault| self.fault(fault))
    }

    fn fault(&self, what: WordError) -> ReadError {
        TextError { line: self.line, what: format!("'{}' {what}", shown(self.bytes)) }.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::write_lines;
    use rasterscan_fuzz::Fuzz;

    fn numbers(text: &str) -> Numbers {
        read(text.as_bytes(), None).unwrap().numbers
    }

    fn error(text: &str, element: Option<ElementType>) -> String {
        read(text.as_bytes(), element).unwrap_err().to_string()
    }

    #[test]
    fn the_type_is_the_narrowest_that_holds_all() {
        assert_eq!(numbers("1 2\t3\r\n4,5"), Numbers::U32(vec![1, 2, 3, 4, 5]));
        assert_eq!(numbers("4294967295"), Numbers::U32(vec![u32::MAX]));
        assert_eq!(numbers("4294967296"), Numbers::U64(vec![1 << 32]));
        assert_eq!(numbers("-1, +2"), Numbers::I32(vec![-1, 2]));
        assert_eq!(numbers("-1 4294967295"), Numbers::I64(vec![-1, 4294967295]));
        assert_eq!(numbers("18446744073709551615"), Numbers::U64(vec![u64::MAX]));
        assert_eq!(numbers("1 2.5 1e3 -inf"), Numbers::F32(vec![1.0, 2.5, 1000.0, f32::NEG_INFINITY]));
        assert_eq!(numbers(""), Numbers::U32(vec![]));
        assert_eq!(numbers(" \n\n"), Numbers::U32(vec![]));
    }

    #[test]
    fn a_header_is_a_first_line_without_numbers() {
        assert_eq!(numbers("\n\nluma, alpha\n1,2\n3,4\n"), Numbers::U32(vec![1, 2, 3, 4]));
        assert_eq!(numbers("\u{feff}x\n7"), Numbers::U32(vec![7]));
        assert_eq!(error("x 1\n2\n", None), "line 1: 'x' is not a number");
        assert_eq!(error("hello\nworld\n", None), "line 1: 'hello' is not a number");
        assert_eq!(error("x\ny\n1\n", None), "line 2: 'y' is not a number");
        let header = |text: &str| read(text.as_bytes(), None).unwrap().header;
        assert_eq!(header("1\n2"), None);
        assert_eq!(header("\n\nx, \"y-z\"\n1"), Some(3));
        assert_eq!(header("größe\n1\n2"), Some(1));
    }

    #[test]
    fn a_first_line_that_may_hold_a_value_is_no_header() {
        for (text, word) in [
            ("0x10\n1", "0x10"),
            ("1.2.3\n4", "1.2.3"),
            ("a +b\n1", "+b"),
            (".x\n1", ".x"),
            ("-\n1", "-"),
            ("x, \"2020\"\n1", "\\\"2020\\\""),
            ("O.5\n1\n2", "O.5"),
            ("\u{2212}5\n1", "\u{2212}5"),
            ("\u{2212}inf\n1", "\u{2212}inf"),
            ("5\u{a0}\n1", "5\\u{a0}"),
            ("\u{663}\n1", "\u{663}"),
        ] {
            let says =
                format!("line 1: '{word}' is not a number; a header has no digits, no signs, and is UTF-8");
            assert_eq!(error(text, None), says);
        }
        for bytes in [&b"\xFF87\n1\n"[..], b"Gr\xF6\xDFe\n1\n", b"\xFF\xFE1\x00\n\x001\n1\n"] {
            let error = read(bytes, None).unwrap_err().to_string();
            assert!(error.starts_with("line 1: '") && error.ends_with("and is UTF-8"), "{error}");
        }
    }

    #[test]
    fn a_header_alone_is_called_so() {
        for text in ["luma", "luma\n", "\n x, y \n\n"] {
            let error = error(text, None);
            assert!(error.ends_with(": a header, and no numbers follow it"), "{error}");
        }
    }

    #[test]
    fn integers_are_exact_in_f32_except_beside_decimals() {
        let as_f32 = |text: &str| read(text.as_bytes(), Some(ElementType::F32));
        let error = as_f32("1\n16777217\n").unwrap_err().to_string();
        assert!(error.starts_with("line 2: '16777217' is not exact in f32; write it"), "{error}");
        assert_eq!(as_f32("16777217 0.5").unwrap().numbers, Numbers::F32(vec![16777216.0, 0.5]));
        assert_eq!(as_f32("16777217.0").unwrap().numbers, Numbers::F32(vec![16777216.0]));
        assert_eq!(as_f32("100000000000000000000").unwrap().numbers, Numbers::F32(vec![1e20]));
    }

    #[test]
    fn faults_name_their_line() {
        assert_eq!(error("x\n1\n2 three", None), "line 3: 'three' is not a number");
        assert_eq!(error("1\n-2", Some(ElementType::U32)), "line 2: '-2' does not fit u32");
        assert_eq!(
            error("1.5", Some(ElementType::I32)),
            "line 1: '1.5' is not an integer of at most 64 bits"
        );
        assert_eq!(error("1e39", None), "line 1: '1e39' does not fit f32");
        assert_eq!(error("1\n-9223372036854775809", None), "line 2: '-9223372036854775809' does not fit i64");
        assert_eq!(error("1,,2", None), "line 1: a number is missing before a comma");
        assert_eq!(
            error(&"9".repeat(60), None),
            format!("line 1: '{}...' fits no integer type", "9".repeat(40))
        );
        assert!(read(b"1 \xFF\x00", None).is_err());
    }

    /// Numbers that were read and written are read as the same.
    #[test]
    fn fuzz() {
        let corpus = [
            "1 2\t3\r\n4,5\n",
            "x, y\n-1, 2\n3,",
            "1.5 -inf 1e3\nnan",
            "\u{feff}18446744073709551615\n0.50e1",
        ];
        let corpus = corpus.map(|text| text.as_bytes().to_vec()).to_vec();
        let words = ["e", ".", "-", "+", ",", "\n", "\u{feff}", "inf", "NaN", "0x", " "];
        Fuzz { name: "text", corpus, words: &words, repair: |_| {}, cases: 5000 }.run(|bytes| {
            let Ok(bytes) = ByteSource::in_memory(bytes).text() else { return "not text".into() };
            let all = ElementType::ALL
                .map(|element| read(&bytes, Some(element)).err().map(|error| error.to_string()));
            let Ok(found) = read(&bytes, None) else { return format!("{all:?}") };
            let mut written = Vec::new();
            write_lines(&mut written, &found.numbers).unwrap();
            let again = read(&written, Some(found.numbers.element())).unwrap();
            // A NaN differs from itself.
            assert_eq!(format!("{:?}", again.numbers), format!("{:?}", found.numbers));
            format!("{} {all:?}", found.numbers.element())
        });
    }

    #[test]
    fn whole_decimals_are_integers_where_asked_for() {
        let read = |text: &str, element| read(text.as_bytes(), Some(element)).unwrap().numbers;
        assert_eq!(read("3.0 1e3,", ElementType::U32), Numbers::U32(vec![3, 1000]));
        assert_eq!(read("7", ElementType::F32), Numbers::F32(vec![7.0]));
    }
}
