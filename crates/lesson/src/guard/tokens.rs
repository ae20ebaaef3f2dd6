//! Tokens of GLSL, with the file and the line that `#line` gives them. Comments are dropped.

use super::Wrong;

/// A place in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct At {
    /// The number of the file; `None` before the first `#line`.
    pub file: Option<u32>,
    /// The line.
    pub line: u32,
}

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A name or a keyword.
    Name,
    /// A number.
    Number,
    /// An operator or a bracket.
    Sign,
}

/// A token.
#[derive(Debug, Clone)]
pub struct Token<'a> {
    /// The text.
    pub text: &'a str,
    /// The kind.
    pub kind: Kind,
    /// The place; for a token of a macro, that of its use.
    pub at: At,
    /// True if white space or a comment stands before it.
    pub spaced: bool,
}

/// A line of tokens; comments that span lines join them.
#[derive(Debug, Default)]
pub struct Line<'a> {
    /// True for a line that begins with `#`, which is left out.
    pub directive: bool,
    /// The tokens.
    pub tokens: Vec<Token<'a>>,
}

/// Operators of more than one character, the longest first.
const LONG: [&str; 22] = [
    "<<=", ">>=", "##", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "^^", "+=", "-=", "*=",
    "/=", "%=", "&=", "|=", "^=",
];

/// Splits a text into lines of tokens. Their lines are those of the text, counted from 1, without a file.
pub fn lines(text: &str) -> Result<Vec<Line<'_>>, Wrong> {
    let mut lines: Vec<Line> = vec![Line::default()];
    let (mut rest, mut number, mut spaced) = (text, 1, false);
    loop {
        let at = At { file: None, line: number };
        let Some(first) = rest.chars().next() else { return Ok(lines) };
        let current = lines.last_mut().expect("there is always a line");
        let length = match first {
            '\n' | '\r' => {
                lines.push(Line::default());
                number += 1;
                if rest.starts_with("\r\n") { 2 } else { 1 }
            }
            ' ' | '\t' | '\u{b}' | '\u{c}' => 1,
            '/' if rest.starts_with("//") => rest.find(['\n', '\r']).unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => {
                let end = rest[2..].find("*/").ok_or_else(|| Wrong::new(at, "a comment without an end"))?;
                let comment = &rest[..end + 4];
                number += comment.replace("\r\n", "\n").matches(['\n', '\r']).count() as u32;
                comment.len()
            }
            '#' if current.tokens.is_empty() && !current.directive && !rest.starts_with("##") => {
                current.directive = true;
                1
            }
            _ => {
                let (kind, length) = token(rest)
                    .ok_or_else(|| Wrong::new(at, format!("{:?} is not a character of GLSL", first)))?;
                current.tokens.push(Token { text: &rest[..length], kind, at, spaced });
                length
            }
        };
        spaced = first.is_ascii_whitespace()
            || rest[..length].starts_with("/*")
            || rest[..length].starts_with("//");
        rest = &rest[length..];
    }
}

/// The kind and the length of the token at the beginning of a text.
fn token(text: &str) -> Option<(Kind, usize)> {
    let bytes = text.as_bytes();
    let while_ = |from: usize, of: fn(&u8) -> bool| from + bytes[from..].iter().take_while(|b| of(b)).count();
    let of_name = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    let first = *bytes.first()?;
    let digit_next = bytes.get(1).is_some_and(u8::is_ascii_digit);
    if first.is_ascii_alphabetic() || first == b'_' {
        return Some((Kind::Name, while_(0, of_name)));
    }
    if first.is_ascii_digit() || first == b'.' && digit_next {
        if text.starts_with("0x") || text.starts_with("0X") {
            return Some((Kind::Number, while_(2, of_name)));
        }
        let mut end = while_(0, |b| b.is_ascii_digit() || *b == b'.');
        if matches!(bytes.get(end), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            end = while_(end + 1 + sign, u8::is_ascii_digit);
        }
        return Some((Kind::Number, while_(end, of_name)));
    }
    if let Some(long) = LONG.iter().find(|long| text.starts_with(**long)) {
        return Some((Kind::Sign, long.len()));
    }
    b"+-*/%<>=!&|^~?:;,.()[]{}".contains(&first).then_some((Kind::Sign, 1))
}
