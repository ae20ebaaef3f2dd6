//! Mutants of a shader's source: an index, a bound or a number off by one, another comparison, operands swapped.

use std::collections::HashMap;

/// A file with one change.
#[derive(Debug, Clone)]
pub struct Mutant {
    pub path: String,
    /// Counted from 1.
    pub line: usize,
    /// The original line, without its indentation.
    pub was: String,
    /// The part that was changed, before and after.
    pub change: (String, String),
    pub text: String,
}

/// A piece of a line: a name, a number, or a sign.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Token<'a> {
    text: &'a str,
    at: usize,
}

impl Token<'_> {
    fn end(&self) -> usize {
        self.at + self.text.len()
    }

    fn is_name(&self) -> bool {
        self.text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
    }

    /// An int; not an unsigned number, which is a bit mask here, nor a float.
    fn number(&self) -> Option<i64> {
        self.text.parse().ok()
    }
}

const SIGNS: [&str; 17] =
    ["<<=", ">>=", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "++", "--", "+=", "-=", "*=", "/=", "|="];

fn tokens(line: &str) -> Vec<Token<'_>> {
    let code = line.split("//").next().unwrap_or(line);
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = code[at..].chars().next() {
        let rest = &code[at..];
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
        let length = if first.is_ascii_digit() {
            rest.find(|c: char| !word(c)).unwrap_or(rest.len())
        } else if first.is_ascii_alphabetic() || first == '_' {
            rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len())
        } else {
            SIGNS.iter().find(|sign| rest.starts_with(**sign)).map_or(first.len_utf8(), |sign| sign.len())
        };
        if !first.is_whitespace() {
            tokens.push(Token { text: &rest[..length], at });
        }
        at += length;
    }
    tokens
}

/// The token that closes token `open`.
fn closing(tokens: &[Token<'_>], open: usize) -> Option<usize> {
    let mut depth = 0;
    tokens.iter().enumerate().skip(open).find_map(|(number, token)| {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        (depth == 0).then_some(number)
    })
}

/// The parameters of each function that are ints. For a name with several definitions, those that are ints in all.
pub type Functions = HashMap<String, Vec<bool>>;

/// The functions that the lines of a file define.
pub fn functions(text: &str, known: &mut Functions) {
    for line in text.lines().filter(|line| !line.starts_with([' ', '#', '/'])) {
        let tokens = tokens(line);
        let [_, name, open, ..] = tokens[..] else { continue };
        if open.text != "(" || !name.is_name() {
            continue;
        }
        let Some(close) = closing(&tokens, 2) else { continue };
        let parameters = tokens[3..close].split(|token| token.text == ",");
        let ints: Vec<bool> =
            parameters.map(|parameter| parameter.first().is_some_and(|token| token.text == "int")).collect();
        let same = known.entry(name.text.into()).or_insert_with(|| ints.clone());
        same.iter_mut().zip(&ints).for_each(|(same, int)| *same &= *int);
    }
}

/// All mutants of a file.
pub fn mutants(path: &str, text: &str, functions: &Functions) -> Vec<Mutant> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    // The return type of the function that a line is in.
    let mut returns = String::new();
    for (number, line) in lines.iter().enumerate() {
        let tokens = tokens(line);
        let Some(first) = tokens.first() else { continue };
        if first.text == "#" || first.text == "layout" || first.text == "uniform" {
            continue;
        }
        if !line.starts_with([' ', '}']) {
            returns = first.text.into();
        }
        for (range, new) in changes(&tokens, line, &returns, functions) {
            let mut changed = String::from(*line);
            changed.replace_range(range.clone(), &new);
            let mut text: Vec<&str> = lines.clone();
            text[number] = &changed;
            found.push(Mutant {
                path: path.into(),
                line: number + 1,
                was: line.trim().into(),
                change: (line[range].into(), new),
                text: text.join("\n") + "\n",
            });
        }
    }
    found
}

type Change = (std::ops::Range<usize>, String);

/// All possible changes in a line.
fn changes(tokens: &[Token<'_>], line: &str, returns: &str, functions: &Functions) -> Vec<Change> {
    let mut changes = Vec::new();
    for (number, token) in tokens.iter().enumerate() {
        let range = token.at..token.end();
        let before = number.checked_sub(1).map(|before| tokens[before]);
        let other = match token.text {
            "<" => "<=",
            "<=" => "<",
            ">" => ">=",
            ">=" => ">",
            "==" => "!=",
            "!=" => "==",
            _ => "",
        };
        if !other.is_empty() {
            changes.push((range.clone(), other.into()));
        }
        if let Some(value) = token.number() {
            // The size in a declaration is not an index.
            if !declares(tokens, number) {
                changes.push((range.clone(), (value + 1).to_string()));
                changes.push((range, format!("({})", value - 1)));
            }
            continue;
        }
        match token.text {
            "[" if before.is_some_and(|before| before.is_name()) && !declares(tokens, number) => {
                off_by_one(tokens, number + 1, closing(tokens, number), line, &mut changes);
            }
            "=" | "return" => {
                let int = match (token.text, number.checked_sub(2).map(|two| tokens[two].text)) {
                    ("return", _) => returns == "int",
                    (_, kind) => kind == Some("int"),
                };
                if int {
                    let end = tokens.iter().skip(number).position(|token| [";", ","].contains(&token.text));
                    off_by_one(tokens, number + 1, end.map(|end| number + end), line, &mut changes);
                }
            }
            name if tokens.get(number + 1).is_some_and(|next| next.text == "(") => {
                // Not at its definition.
                let called = before.is_none_or(|before| !before.is_name() || before.text == "return");
                if let Some((close, ints)) =
                    closing(tokens, number + 1).zip(functions.get(name)).filter(|_| called)
                {
                    arguments(tokens, (number + 2, close), name, ints, line, &mut changes);
                }
            }
            _ => {}
        }
    }
    changes
}

/// Returns true if a token is, or opens, the size of a declared array: `Item sums[ITEMS]`.
fn declares(tokens: &[Token<'_>], number: usize) -> bool {
    let open = (0..=number).rev().find(|&at| tokens[at].text == "[");
    let Some(open) = open.filter(|&open| closing(tokens, open).is_none_or(|close| close >= number)) else {
        return false;
    };
    let kind = open.checked_sub(2).map(|at| tokens[at]);
    open == 0
        || kind.is_some_and(|kind| kind.is_name() && !["return", "else", "in", "out"].contains(&kind.text))
        || tokens[open - 1].text == "int"
}

/// The expression from one token up to another, off by one in both directions; a single number is replaced.
fn off_by_one(tokens: &[Token<'_>], from: usize, to: Option<usize>, line: &str, changes: &mut Vec<Change>) {
    let Some(to) = to.filter(|to| *to > from) else { return };
    if to == from + 1 && tokens[from].number().is_some() {
        return;
    }
    let range = tokens[from].at..tokens[to - 1].end();
    let expression = &line[range.clone()];
    changes.push((range.clone(), format!("({expression}) + 1")));
    changes.push((range, format!("({expression}) - 1")));
}

/// Arguments of a call: ints off by one, operands swapped.
fn arguments(
    tokens: &[Token<'_>],
    (from, close): (usize, usize),
    name: &str,
    ints: &[bool],
    line: &str,
    changes: &mut Vec<Change>,
) {
    let mut ends = Vec::new();
    let mut depth = 0;
    for (number, token) in tokens.iter().enumerate().take(close).skip(from) {
        match token.text {
            "(" | "[" => depth += 1,
            ")" | "]" => depth -= 1,
            "," if depth == 0 => ends.push(number),
            _ => {}
        }
    }
    ends.push(close);
    let begins = std::iter::once(from).chain(ends.iter().map(|end| end + 1));
    let parts: Vec<(usize, usize)> = begins.zip(ends.iter().copied()).collect();
    for (&(begin, end), _) in parts.iter().zip(ints).filter(|(_, int)| **int) {
        off_by_one(tokens, begin, Some(end), line, changes);
    }
    if let ("combine", [left, right]) = (name, &parts[..]) {
        let text = |&(begin, end): &(usize, usize)| &line[tokens[begin].at..tokens[end - 1].end()];
        let range = tokens[left.0].at..tokens[right.1 - 1].end();
        changes.push((range, format!("{}, {}", text(right), text(left))));
    }
}
