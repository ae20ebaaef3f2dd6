//! Numbers as text: separated by white space or commas, with an optional header line.

use std::borrow::Cow;

use rasterscan::ElementType;

use crate::cli::numbers::Numbers;

/// What is wrong with a text, and where.
#[derive(Debug, PartialEq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct TextError {
    /// Counted from 1.
    pub line: usize,
    pub what: String,
}

/// Reads all numbers, as `element` or as the narrowest type that holds them: u32, i32, u64, i64, and
/// f32 where one has a decimal point or an exponent.
///
/// In f32, decimals are rounded to the nearest. A first line without any number is a header.
pub fn read(bytes: &[u8], element: Option<ElementType>) -> Result<Numbers, TextError> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let bytes = without_header(bytes);
    let element = match element {
        Some(element) => element,
        None => infer(&bytes)?,
    };
    macro_rules! integers {
        ($rust:ty) => {
            collect(&bytes, |token| {
                <$rust>::try_from(token.whole()?).map_err(|_| token.does_not_fit(element))
            })
        };
    }
    match element {
        ElementType::U32 => integers!(u32),
        ElementType::I32 => integers!(i32),
        ElementType::U64 => integers!(u64),
        ElementType::I64 => integers!(i64),
        ElementType::F32 => collect(&bytes, |token| token.single()),
    }
}

/// A text from its first data line on, which is line `first`.
struct Body<'t> {
    bytes: &'t [u8],
    first: usize,
}

/// Leaves out a header: the first line that is not blank, if none of its words is a number and a
/// number follows in a later line.
fn without_header(bytes: &[u8]) -> Body<'_> {
    let whole = Body { bytes, first: 1 };
    let mut rest = bytes;
    let mut line = 1;
    while let Some(end) = rest.iter().position(|&byte| byte == b'\n') {
        let (this, later) = (&rest[..end], &rest[end + 1..]);
        if !this.trim_ascii().is_empty() {
            let header = !words(this).any(is_number);
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

/// One number's text.
struct Token<'t> {
    line: usize,
    bytes: &'t [u8],
}

impl Body<'_> {
    /// Hands every token to `visit`, until it or the text is at fault.
    fn visit<'t>(
        &'t self,
        mut visit: impl FnMut(Token<'t>) -> Result<(), TextError>,
    ) -> Result<(), TextError> {
        for (line, text) in (self.first..).zip(self.bytes.split(|&byte| byte == b'\n')) {
            let mut fields = text.split(|&byte| byte == b',').peekable();
            while let Some(field) = fields.next() {
                // Nothing after the last comma is no field; nothing before a comma is one that lacks.
                if field.trim_ascii().is_empty() && fields.peek().is_some() {
                    return Err(TextError { line, what: "nothing stands before a comma".into() });
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
    read: impl Fn(&Token<'_>) -> Result<T, TextError>,
) -> Result<Numbers, TextError>
where
    Numbers: From<Vec<T>>,
{
    let mut values = Vec::new();
    body.visit(|token| {
        values.push(read(&token)?);
        Ok(())
    })?;
    Ok(values.into())
}

fn infer(body: &Body<'_>) -> Result<ElementType, TextError> {
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

    /// Whether it is written as an integer: digits with or without a sign.
    fn is_integer(&self) -> bool {
        let digits = self.bytes.strip_prefix(b"-").or(self.bytes.strip_prefix(b"+"));
        let digits = digits.unwrap_or(self.bytes);
        !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
    }

    /// The value as a whole number: `12`, and also `12.0` and `1.2e1`.
    fn whole(&self) -> Result<i128, TextError> {
        let text = self.text();
        if self.is_integer() {
            return text.parse().map_err(|_| self.fault("fits no integer type"));
        }
        let value: f64 = text.parse().map_err(|_| self.fault("is no number"))?;
        if value.fract() != 0.0 || value.abs() > 2f64.powi(64) {
            return Err(self.fault("is no integer of at most 64 bits"));
        }
        Ok(value as i128)
    }

    fn single(&self) -> Result<f32, TextError> {
        let value: f32 = self.text().parse().map_err(|_| self.fault("is no number"))?;
        let overflows = value.is_infinite() && self.bytes.iter().any(u8::is_ascii_digit);
        if overflows { Err(self.does_not_fit(ElementType::F32)) } else { Ok(value) }
    }

    fn does_not_fit(&self, element: ElementType) -> TextError {
        self.fault(&format!("does not fit {element}"))
    }

    fn fault(&self, what: &str) -> TextError {
        let text = self.text();
        let mut shown: String = text.chars().take(40).flat_map(char::escape_debug).collect();
        if text.chars().count() > 40 {
            shown.push_str("...");
        }
        TextError { line: self.line, what: format!("'{shown}' {what}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(text: &str) -> Numbers {
        read(text.as_bytes(), None).unwrap()
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
        assert_eq!(error("x 1\n2\n", None), "line 1: 'x' is no number");
        assert_eq!(error("hello\nworld\n", None), "line 1: 'hello' is no number");
        assert_eq!(error("x\ny\n1\n", None), "line 2: 'y' is no number");
    }

    #[test]
    fn faults_name_their_line() {
        assert_eq!(error("x\n1\n2 three", None), "line 3: 'three' is no number");
        assert_eq!(error("1\n-2", Some(ElementType::U32)), "line 2: '-2' does not fit u32");
        assert_eq!(error("1.5", Some(ElementType::I32)), "line 1: '1.5' is no integer of at most 64 bits");
        assert_eq!(error("1e39", None), "line 1: '1e39' does not fit f32");
        assert_eq!(error("1\n-9223372036854775809", None), "line 2: '-9223372036854775809' does not fit i64");
        assert_eq!(error("1,,2", None), "line 1: nothing stands before a comma");
        assert_eq!(
            error(&"9".repeat(60), None),
            format!("line 1: '{}...' fits no integer type", "9".repeat(40))
        );
        assert!(read(b"1 \xFF\x00", None).is_err());
    }

    #[test]
    fn whole_decimals_are_integers_where_asked_for() {
        assert_eq!(read(b"3.0 1e3,", Some(ElementType::U32)), Ok(Numbers::U32(vec![3, 1000])));
        assert_eq!(read(b"7", Some(ElementType::F32)), Ok(Numbers::F32(vec![7.0])));
    }
}
