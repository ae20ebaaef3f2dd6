//! Constant expressions of whole numbers, as in `#if` and in the sizes of arrays.

use super::Wrong;
use super::tokens::{At, Kind, Token};

/// The deepest nesting of brackets.
const DEEPEST: usize = 64;

/// The value of an expression. Names are errors, unless `&&` or `||` leaves them out.
pub fn value(tokens: &[Token], at: At) -> Result<i64, Wrong> {
    let mut reader = Reader { tokens, next: 0, at };
    let value = reader.whole(true, 0)?;
    match tokens.get(reader.next) {
        None => Ok(value),
        Some(token) => Err(Wrong::new(at, format!("{} is not expected here", token.text))),
    }
}

/// A whole number as it is written, with or without a `u`.
pub fn whole(text: &str) -> Option<i64> {
    let digits = text.trim_end_matches(['u', 'U']);
    match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        Some(hex) => i64::from_str_radix(hex, 16).ok(),
        None if digits.len() > 1 && digits.starts_with('0') => i64::from_str_radix(digits, 8).ok(),
        None => digits.parse().ok(),
    }
}

struct Reader<'a, 'b> {
    tokens: &'b [Token<'a>],
    next: usize,
    at: At,
}

/// How tightly an operator binds; `None` if it is none.
pub fn strength(operator: &str) -> Option<u32> {
    Some(match operator {
        "||" => 1,
        "&&" => 2,
        "|" => 3,
        "^" => 4,
        "&" => 5,
        "==" | "!=" => 6,
        "<" | ">" | "<=" | ">=" => 7,
        "<<" | ">>" => 8,
        "+" | "-" => 9,
        "*" | "/" | "%" => 10,
        _ => return None,
    })
}

impl Reader<'_, '_> {
    fn peek(&self) -> &str {
        self.tokens.get(self.next).map_or("", |token| token.text)
    }

    fn expect(&mut self, text: &str) -> Result<(), Wrong> {
        self.next += 1;
        match self.tokens.get(self.next - 1).is_some_and(|token| token.text == text) {
            true => Ok(()),
            false => Err(Wrong::new(self.at, format!("expected {text}"))),
        }
    }

    fn check(&self, depth: usize) -> Result<(), Wrong> {
        match depth > DEEPEST {
            true => Err(Wrong::new(self.at, "the condition nests too deeply")),
            false => Ok(()),
        }
    }

    /// An expression with `?` and `:`, which sizes have.
    fn whole(&mut self, live: bool, depth: usize) -> Result<i64, Wrong> {
        self.check(depth)?;
        let chosen = self.binary(0, live, depth)?;
        if self.peek() != "?" {
            return Ok(chosen);
        }
        self.next += 1;
        let yes = self.whole(live && chosen != 0, depth + 1)?;
        self.expect(":")?;
        let no = self.whole(live && chosen == 0, depth + 1)?;
        Ok(if chosen != 0 { yes } else { no })
    }

    /// Operators that bind more tightly than `least`. An expression that is not `live` may have names without values.
    fn binary(&mut self, least: u32, live: bool, depth: usize) -> Result<i64, Wrong> {
        let mut left = self.unary(live, depth)?;
        while let Some(strength) = strength(self.peek()).filter(|strength| *strength > least) {
            let operator = self.peek().to_owned();
            self.next += 1;
            let skipped = operator == "&&" && left == 0 || operator == "||" && left != 0;
            let right = self.binary(strength, live && !skipped, depth)?;
            left = match &*operator {
                "||" => i64::from(left != 0 || right != 0),
                "&&" => i64::from(left != 0 && right != 0),
                "|" => left | right,
                "^" => left ^ right,
                "&" => left & right,
                "==" => i64::from(left == right),
                "!=" => i64::from(left != right),
                "<" => i64::from(left < right),
                ">" => i64::from(left > right),
                "<=" => i64::from(left <= right),
                ">=" => i64::from(left >= right),
                "<<" => left.wrapping_shl(right as u32),
                ">>" => left.wrapping_shr(right as u32),
                "+" => left.wrapping_add(right),
                "-" => left.wrapping_sub(right),
                "*" => left.wrapping_mul(right),
                _ if right == 0 && live => return Err(Wrong::new(self.at, "a division by zero")),
                "/" => left.checked_div(right).unwrap_or(0),
                _ => left.checked_rem(right).unwrap_or(0),
            };
        }
        Ok(left)
    }

    fn unary(&mut self, live: bool, depth: usize) -> Result<i64, Wrong> {
        self.check(depth)?;
        let Some(token) = self.tokens.get(self.next) else {
            return Err(Wrong::new(self.at, "the condition is not complete"));
        };
        self.next += 1;
        match (token.kind, token.text) {
            (_, "+") => self.unary(live, depth + 1),
            (_, "-") => self.unary(live, depth + 1).map(i64::wrapping_neg),
            (_, "~") => self.unary(live, depth + 1).map(|value| !value),
            (_, "!") => self.unary(live, depth + 1).map(|value| i64::from(value == 0)),
            (_, "(") => {
                let value = self.whole(live, depth + 1)?;
                self.expect(")").map(|()| value)
            }
            (Kind::Number, text) => {
                whole(text).ok_or_else(|| Wrong::new(self.at, format!("{text} is not a whole number")))
            }
            (Kind::Name, _) if !live => Ok(0),
            (Kind::Name, name) => Err(Wrong::new(self.at, format!("{name} is not defined"))),
            (_, text) => Err(Wrong::new(self.at, format!("{text} is not expected here"))),
        }
    }
}
