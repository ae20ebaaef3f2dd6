//! Bounds on what a compiler has to hold at a time: the nesting of brackets and the length of a statement.

use super::Wrong;
use super::tokens::Token;

/// The deepest nesting of brackets.
const DEEPEST: usize = 64;

/// The longest statement, in tokens.
const LONGEST: usize = 2048;

/// Checks the brackets and the lengths of statements.
pub fn check(tokens: &[Token]) -> Result<(), Wrong> {
    let mut open: Vec<&Token> = Vec::new();
    let mut length = 0;
    for token in tokens {
        length += 1;
        let opened = match token.text {
            "(" | "[" | "{" => {
                open.push(token);
                if open.len() > DEEPEST {
                    return Err(Wrong::new(token.at, format!("brackets nest more than {DEEPEST} deep")));
                }
                None
            }
            ")" => Some("("),
            "]" => Some("["),
            "}" => Some("{"),
            _ => None,
        };
        if let Some(opened) = opened {
            match open.pop() {
                Some(before) if before.text == opened => {}
                Some(before) => {
                    let message =
                        format!("{} closes the {} of line {}", token.text, before.text, before.at.line);
                    return Err(Wrong::new(token.at, message));
                }
                None => return Err(Wrong::new(token.at, format!("{} without {opened}", token.text))),
            }
        }
        if matches!(token.text, ";" | "{" | "}") {
            length = 0;
        }
        if length > LONGEST {
            return Err(Wrong::new(token.at, format!("a statement has more than {LONGEST} tokens")));
        }
    }
    match open.pop() {
        Some(token) => Err(Wrong::new(token.at, format!("this {} is never closed", token.text))),
        None => Ok(()),
    }
}

/// The number of the bracket that closes one.
pub fn closing(tokens: &[Token], opening: usize) -> Result<usize, Wrong> {
    let mut depth = 0;
    for (number, token) in tokens.iter().enumerate().skip(opening) {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Ok(number);
        }
    }
    Err(Wrong::new(tokens[opening].at, format!("this {} is never closed", tokens[opening].text)))
}

/// The number of the token after the semicolon that ends a statement.
pub fn statement_end(tokens: &[Token], from: usize) -> Result<usize, Wrong> {
    let mut next = from;
    loop {
        match tokens.get(next).map(|token| token.text) {
            Some(";") => return Ok(next + 1),
            Some("(" | "[" | "{") => next = closing(tokens, next)? + 1,
            Some(")" | "]" | "}") | None => {
                return Err(Wrong::new(tokens[next.min(tokens.len()) - 1].at, "expected ;"));
            }
            Some(_) => next += 1,
        }
    }
}
