//! Numbers as text: separated by white space or commas, with an optional header line.

use std::borrow::Cow;

use rasterscan::{ElementType, Numbers, memory};

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
/// In f32, decimals are rounded to the nearest. A first line with no number, and no word that begins like one, is a
/// header.
fn read(bytes: &[u8], element: Option<ElementType>) -> Result<Read, ReadError> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let body = without_header(bytes);
    let element = match element {
        Some(element) => element,
        None => infer(&body)?,
    };
    macro_rules! integers {
        ($rust:ty) => {
            collect(&body, |token| <$rust>::try_from(token.whole()?).map_err(|_| token.does_not_fit(element)))
        };
    }
    let numbers = match element {
        ElementType::U32 => integers!(u32),
        ElementType::I32 => integers!(i32),
        ElementType::U64 => integers!(u64),
        ElementType::I64 => integers!(i64),
        ElementType::F32 => collect(&body, |token| token.single()),
    }?;
    Ok(Read { numbers, header: (body.first > 1).then(|| body.first - 1) })
}

/// A text from its first data line, `first`, on.
struct Body<'t> {
    bytes: &'t [u8],
    first: usize,
}

/// Skips a header: the first line that is not blank, if none of its words is a number or begins like one (as `0x10` and
/// `1.2.3` do) and a number follows in a later line.
fn without_header(bytes: &[u8]) -> Body<'_> {
    let whole = Body { bytes, first: 1 };
    let mut rest = bytes;
    let mut line = 1;
    while let Some(end) = rest.iter().position(|&byte| byte == b'\n') {
        let (this, later) = (&rest[..end], &rest[end + 1..]);
        if !this.trim_ascii().is_empty() {
            let header = !words(this).any(|word| is_number(word) || begins_like_a_number(word));
            let data = words(later).any(is_number);
            return if header && data { Body { bytes: later, first: line + 1 } } else { whole };
        }
        rest = later;
        line += 1;
    }
    whole
}

fn words(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.split(|&byte| byte == b',' || byte.is_ascii_whitespace()).filter(|word| !word.is_empty())
}

fn is_number(word: &[u8]) -> bool {
    std::str::from_utf8(word).is_ok_and(|word| word.parse::<f64>().is_ok())
}

fn begins_like_a_number(word: &[u8]) -> bool {
    word.first().is_some_and(|first| first.is_ascii_digit() || b"+-.".contains(first))
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

fn infer(body: &Body<'_>) -> Result<ElementType, ReadError> {
    let (mut low, mut high, mut float) = (0, 0, false);
    body.visit(|token| {
        if token.is_integer() {
            let value = token.whole()?;
            low = low.min(value);
            high = high.max(value);
        } else {
            token.single()?;
            float = true;
        }
        Ok(())
    })?;
    let within = |least: i128, most: i128| low >= least && high <= most;
    Ok(if float {
        ElementType::F32
    } else if within(0, u32::MAX.into()) {
        ElementType::U32
    } else if within(i32::MIN.into(), i32::MAX.into()) {
        ElementType::I32
    } else if within(0, i128::MAX) {
        ElementType::U64
    } else {
        ElementType::I64
    })
}

impl Token<'_> {
    fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(self.bytes)
    }

    /// Returns true if the number is written as an integer: digits, with or without a sign.
    fn is_integer(&self) -> bool {
        let digits = self.bytes.strip_prefix(b"-").or(self.bytes.strip_prefix(b"+"));
        let digits = digits.unwrap_or(self.bytes);
        !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
    }

    /// The value as a whole number: `12`, and also `12.0` and `1.2e1`.
    fn whole(&self) -> Result<i128, ReadError> {
        let text = self.text();
        if self.is_integer() {
            return text.parse().map_err(|_| self.fault("fits no integer type"));
        }
        text.parse::<f64>().map_err(|_| self.fault("is not a number"))?;
        whole_decimal(&text).ok_or_else(|| self.fault("is not an integer of at most 64 bits"))
    }

    fn single(&self) -> Result<f32, ReadError> {
        let value: f32 = self.text().parse().map_err(|_| self.fault("is not a number"))?;
        let overflows = value.is_infinite() && self.bytes.iter().any(u8::is_ascii_digit);
        if overflows { Err(self.does_not_fit(ElementType::F32)) } else { Ok(value) }
    }

    fn does_not_fit(&self, element: ElementType) -> ReadError {
        self.fault(&format!("does not fit {element}"))
    }

    fn fault(&self, what: &str) -> ReadError {
        let text = self.text();
        let mut shown: String = text.chars().take(40).flat_map(char::escape_debug).collect();
        if text.chars().count() > 40 {
            shown.push_str("...");
        }
        TextError { line: self.line, what: format!("'{shown}' {what}") }.into()
    }
}

/// The exact value of a decimal, if it is a whole number in the range of i128.
///
/// Through f64, 9007199254740993.0 would become 9007199254740992.
fn whole_decimal(text: &str) -> Option<i128> {
    let (negative, text) = match text.strip_prefix('-') {
        Some(text) => (true, text),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (before, after) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{before}{after}");
    let significant = digits.trim_end_matches('0');
    if significant.is_empty() {
        return Some(0);
    }
    // Zeros after the last nonzero digit: those written, and those of the exponent.
    let written = (digits.len() - significant.len()) as i64 - after.len() as i64;
    let zeros = u32::try_from(exponent.parse::<i64>().ok()?.checked_add(written)?).ok()?;
    let value = significant.parse::<i128>().ok()?.checked_mul(10i128.checked_pow(zeros)?)?;
    Some(if negative { -value } else { value })
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
        assert_eq!(header("\n\nx, \"2020\"\n1"), Some(3));
        assert_eq!(header("O.5\n1\n2"), Some(1));
    }

    #[test]
    fn a_first_line_that_begins_like_a_number_is_no_header() {
        for (text, word) in
            [("0x10\n1", "0x10"), ("1.2.3\n4", "1.2.3"), ("a +b\n1", "a"), (".x\n1", ".x"), ("-\n1", "-")]
        {
            assert_eq!(error(text, None), format!("line 1: '{word}' is not a number"));
        }
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

    #[test]
    fn whole_decimals_keep_their_last_digit() {
        for (text, value) in [
            ("9007199254740993.0", Some(9007199254740993)),
            ("-9007199254740993.", Some(-9007199254740993)),
            ("+.5e1", Some(5)),
            ("1200e-2", Some(12)),
            ("1250e-2", None),
            ("0.0e-999999999999999999999", Some(0)),
            ("1e-9223372036854775808", None),
            ("1e9223372036854775807", None),
            ("1e38", Some(10i128.pow(38))),
            ("1e39", None),
            ("1.5", None),
            ("nan", None),
            ("-inf", None),
        ] {
            assert_eq!(whole_decimal(text), value, "{text}");
        }
    }
}
