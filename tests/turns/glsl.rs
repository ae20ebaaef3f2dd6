//! The most turns that an invocation makes in all loops of a shader, as its text states them.
//!
//! A loop whose ends are constants is counted. Any other one states the most turns that data can cause, in a comment on its
//! first line: `// at most ITEMS + 1 turns`, by constants, `#define`s and uniforms of the pass. `in all` says that these are
//! the turns of the whole invocation, however often the loop is begun. Loops in loops multiply, functions count where they
//! are called, and both branches of an `if` count as the longer one.

use std::collections::HashMap;

use rasterscan_runner::preprocessor::preprocessed;

/// The work groups that run at a time on a CPU, so that can be late: llvmpipe has at most 32 threads.
const IN_FLIGHT: i64 = 32;

/// A token, or what a loop states.
#[derive(Debug, Clone, PartialEq)]
enum Token {
    Name(String),
    Number(i64),
    Sign(String),
    States { turns: Vec<Token>, in_all: bool },
}

/// A preprocessed shader.
pub struct Shader {
    tokens: Vec<Token>,
    /// `#define`s without arguments, and constants.
    values: HashMap<String, Vec<Token>>,
    /// Where the bodies of functions are, by name.
    functions: HashMap<String, Vec<usize>>,
}

impl Shader {
    /// Preprocesses a text as a C compiler does.
    pub fn new(text: &str) -> Shader {
        let kept: String = text
            .lines()
            .filter(|line| !["#version", "#extension", "#line"].iter().any(|word| line.starts_with(word)))
            .flat_map(|line| [line, "\n"])
            .collect();
        let output = preprocessed(&kept, &["-dD", "-C"]).code;
        let mut values = HashMap::new();
        let mut code = String::new();
        for line in output.lines() {
            match line.strip_prefix("#define ") {
                Some(macro_) => {
                    let (name, value) = macro_.split_once(' ').unwrap_or((macro_, ""));
                    values.insert(name.to_owned(), tokens(value));
                }
                None => code.extend([line, "\n"]),
            }
        }
        let tokens = tokens(&code);
        for (at, _) in tokens.iter().enumerate() {
            if let [Token::Name(kind), Token::Name(int), Token::Name(name), Token::Sign(equals), rest @ ..] =
                &tokens[at..]
                && (kind.as_str(), int.as_str(), equals.as_str()) == ("const", "int", "=")
            {
                let end = rest.iter().position(|token| *token == sign(";")).unwrap();
                values.insert(name.clone(), rest[..end].to_vec());
            }
        }
        let functions = functions(&tokens);
        Shader { tokens, values, functions }
    }

    /// Returns true if a loop states its turns by this name.
    pub fn states(&self, name: &str) -> bool {
        self.tokens.iter().any(|token| match token {
            Token::States { turns, .. } => turns.contains(&Token::Name(name.into())),
            _ => false,
        })
    }

    /// The turns of an invocation, with these uniforms, by a driver that unrolls loops of up to so many turns. Errors: a loop that states nothing, by its first tokens.
    pub fn turns(&self, uniforms: &HashMap<&str, i64>, unrolled: i64) -> Result<u64, String> {
        let mut count = Count { shader: self, uniforms, unrolled, known: HashMap::new(), in_all: 0 };
        let turns = count.function("main")?;
        Ok(turns.saturating_add(count.in_all))
    }
}

fn sign(text: &str) -> Token {
    Token::Sign(text.into())
}

fn tokens(code: &str) -> Vec<Token> {
    const SIGNS: [&str; 17] = [
        "<<=", ">>=", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=",
        "|=",
    ];
    let mut found = Vec::new();
    let mut rest = code.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = |part: &dyn Fn(char) -> bool| rest.find(|c| !part(c)).unwrap_or(rest.len());
        let word = length(&|c| c.is_alphanumeric() || c == '_');
        let taken = if let Some(comment) = rest.strip_prefix("//") {
            let comment = comment.split('\n').next().unwrap();
            if let Some((turns, more)) =
                comment.trim_start().strip_prefix("at most ").and_then(|text| text.split_once(" turns"))
            {
                let in_all = more.starts_with(" in all");
                found.push(Token::States { turns: tokens(turns), in_all });
            }
            2 + comment.len()
        } else if let Some(comment) = rest.strip_prefix("/*") {
            4 + comment.find("*/").unwrap()
        } else if first.is_ascii_digit() {
            let number = length(&|c| c.is_alphanumeric() || c == '.');
            let digits = rest[..number].trim_end_matches(['u', 'U']);
            let value = match digits.strip_prefix("0x") {
                Some(hex) => i64::from_str_radix(hex, 16).ok(),
                None => digits.parse().ok(),
            };
            found.push(value.map_or_else(|| sign("a float"), Token::Number));
            number
        } else if word > 0 {
            found.push(Token::Name(rest[..word].into()));
            word
        } else {
            let known = SIGNS.into_iter().find(|sign| rest.starts_with(sign));
            let taken = known.map_or(first.len_utf8(), str::len);
            found.push(sign(&rest[..taken]));
            taken
        };
        rest = rest[taken..].trim_start();
    }
    found
}

/// Where the bodies of functions begin, at the brace.
fn functions(tokens: &[Token]) -> HashMap<String, Vec<usize>> {
    let mut found: HashMap<String, Vec<usize>> = HashMap::new();
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate() {
        if *token == sign("{") {
            let is_body = depth == 0 && at > 0 && tokens[at - 1] == sign(")");
            if is_body {
                let mut open = 0;
                let begin = (0..at).rev().find(|&before| {
                    open += i32::from(tokens[before] == sign(")")) - i32::from(tokens[before] == sign("("));
                    open == 0
                });
                if let Some(Token::Name(name)) = begin.and_then(|begin| tokens.get(begin.checked_sub(1)?)) {
                    found.entry(name.clone()).or_default().push(at);
                }
            }
            depth += 1;
        } else if *token == sign("}") {
            depth -= 1;
        }
    }
    found
}

struct Count<'a> {
    shader: &'a Shader,
    uniforms: &'a HashMap<&'a str, i64>,
    unrolled: i64,
    /// The turns of functions.
    known: HashMap<String, u64>,
    /// The turns of loops that state those of the whole invocation.
    in_all: u64,
}

impl Count<'_> {
    /// The turns of a call: of all functions of this name, since one may call another. None calls itself.
    fn function(&mut self, name: &str) -> Result<u64, String> {
        if let Some(turns) = self.known.get(name) {
            return Ok(*turns);
        }
        self.known.insert(name.to_owned(), 0);
        let mut turns = 0u64;
        for body in self.shader.functions.get(name).cloned().unwrap_or_default() {
            turns = turns.saturating_add(self.statement(&mut { body })?);
        }
        self.known.insert(name.to_owned(), turns);
        Ok(turns)
    }

    fn token(&self, at: usize) -> Option<&Token> {
        self.shader.tokens.get(at)
    }

    fn is(&self, at: usize, text: &str) -> bool {
        match self.token(at) {
            Some(Token::Name(word) | Token::Sign(word)) => word == text,
            _ => false,
        }
    }

    /// The statement at a token, which becomes that after it.
    fn statement(&mut self, at: &mut usize) -> Result<u64, String> {
        let mut turns = 0u64;
        if self.is(*at, "{") {
            *at += 1;
            while !self.is(*at, "}") {
                turns = turns.saturating_add(self.statement(at)?);
            }
            *at += 1;
        } else if self.is(*at, "if") {
            *at += 1;
            turns = self.parentheses(at)?.1;
            let mut longer = self.statement(at)?;
            if self.is(*at, "else") {
                *at += 1;
                longer = longer.max(self.statement(at)?);
            }
            turns = turns.saturating_add(longer);
        } else if self.is(*at, "for") || self.is(*at, "while") {
            let begin = *at;
            *at += 1;
            let (header, calls) = self.parentheses(at)?;
            turns = self.repeated(begin, &header, calls, at)?;
        } else if self.is(*at, "do") {
            let begin = *at;
            *at += 1;
            // The condition's calls belong to each turn; they are found once the body is passed.
            let mut past = *at;
            self.skip(&mut past);
            past += 1;
            let calls = self.parentheses(&mut past)?.1;
            turns = self.repeated(begin, &[], calls, at)?;
            *at = past + 1;
        } else {
            let begin = *at;
            while !self.is(*at, ";") {
                *at += 1;
                assert!(self.token(*at).is_some(), "no end of {:?}", self.token(begin));
            }
            turns = self.calls(begin, *at)?;
            *at += 1;
        }
        Ok(turns)
    }

    /// Passes over a block.
    fn skip(&self, at: &mut usize) {
        let mut depth = 0;
        loop {
            depth += i32::from(self.is(*at, "{")) - i32::from(self.is(*at, "}"));
            *at += 1;
            if depth == 0 {
                return;
            }
        }
    }

    /// The tokens between parentheses, and the turns of what they call.
    fn parentheses(&mut self, at: &mut usize) -> Result<(Vec<Token>, u64), String> {
        let begin = *at + 1;
        let mut depth = 0;
        loop {
            depth += i32::from(self.is(*at, "(")) - i32::from(self.is(*at, ")"));
            *at += 1;
            if depth == 0 {
                break;
            }
        }
        let calls = self.calls(begin, *at - 1)?;
        Ok((self.shader.tokens[begin..*at - 1].to_vec(), calls))
    }

    /// The turns of all functions that are called between two tokens.
    fn calls(&mut self, begin: usize, end: usize) -> Result<u64, String> {
        let mut turns = 0u64;
        for at in begin..end {
            if let Some(Token::Name(name)) = self.token(at).cloned()
                && self.is(at + 1, "(")
            {
                turns = turns.saturating_add(self.function(&name)?);
            }
        }
        Ok(turns)
    }

    /// The turns of a loop, whose body is at a token.
    fn repeated(
        &mut self,
        begin: usize,
        header: &[Token],
        calls: u64,
        at: &mut usize,
    ) -> Result<u64, String> {
        let stated = (*at..*at + 2).find_map(|at| match self.token(at) {
            Some(Token::States { turns, in_all }) => Some((turns.clone(), *in_all)),
            _ => None,
        });
        let at_body = self.is(*at, "{");
        if let (Some(Token::States { .. }), false) = (self.token(*at), at_body) {
            *at += 1;
        }
        let unknown = || {
            let text = &self.shader.tokens[begin..(begin + 16).min(self.shader.tokens.len())];
            format!("a loop of an unknown number of turns: {text:?}")
        };
        let turns = match &stated {
            Some((turns, _)) => self.value(turns).ok_or_else(unknown)?,
            None => self.counted(header).ok_or_else(unknown)?,
        };
        let own = u64::from(stated.is_some() || turns > self.unrolled);
        let body = self.statement(at)?.saturating_add(calls).saturating_add(own);
        let all = body.saturating_mul(turns.max(0) as u64);
        if stated.is_some_and(|(_, in_all)| in_all) {
            self.in_all = self.in_all.saturating_add(all);
            return Ok(0);
        }
        Ok(all)
    }

    /// The turns of a `for` whose ends and step are constants. A first value that is not is taken as 0.
    fn counted(&self, header: &[Token]) -> Option<i64> {
        let parts: Vec<&[Token]> = header.split(|token| *token == sign(";")).collect();
        let [init, condition, step] = parts[..] else { return None };
        let [Token::Name(int), Token::Name(name), Token::Sign(equals), first @ ..] = init else {
            return None;
        };
        if int != "int" || equals != "=" || first.contains(&sign(",")) {
            return None;
        }
        let first = self.value(first);
        let is_it = |token: &Token| *token == Token::Name(name.clone());
        let (comparison, end) =
            condition.split(|token| *token == sign("&&")).find_map(|clause| match clause {
                [it, Token::Sign(comparison), end @ ..] if is_it(it) => {
                    Some((comparison.clone(), self.value(end)?))
                }
                _ => None,
            })?;
        let (it, change) = step.split_first()?;
        if !is_it(it) {
            return None;
        }
        let Some((Token::Sign(change), by)) = change.split_first() else { return None };
        let by = if by.is_empty() { Some(1) } else { self.value(by) };
        let (mut at, by) = match change.as_str() {
            "++" | "+=" => (first.unwrap_or(0), by?),
            _ => (first?, by?),
        };
        let mut turns = 0;
        loop {
            let goes_on = match comparison.as_str() {
                "<" => at < end,
                "<=" => at <= end,
                ">" => at > end,
                ">=" => at >= end,
                _ => return None,
            };
            if !goes_on {
                return Some(turns);
            }
            turns += 1;
            at = match change.as_str() {
                "++" | "+=" => at + by,
                "--" | "-=" => at - by,
                "*=" => at * by,
                "/=" => at / by,
                _ => return None,
            };
            if turns > 1 << 20 {
                return None;
            }
        }
    }

    /// The value of an expression; `None` if it is no constant.
    fn value(&self, tokens: &[Token]) -> Option<i64> {
        let mut parser = Expression { count: self, tokens };
        let value = parser.binary(0)?;
        parser.tokens.is_empty().then_some(value)
    }
}

/// An expression of whole numbers that is being read.
struct Expression<'a> {
    count: &'a Count<'a>,
    tokens: &'a [Token],
}

impl Expression<'_> {
    fn next_is(&mut self, text: &str) -> bool {
        let is = self.tokens.first() == Some(&sign(text));
        if is {
            self.tokens = &self.tokens[1..];
        }
        is
    }

    fn binary(&mut self, level: usize) -> Option<i64> {
        const LEVELS: [&[&str]; 6] =
            [&["?"], &["==", "!="], &["<", ">", "<=", ">="], &["<<", ">>"], &["+", "-"], &["*", "/", "%"]];
        let Some(signs) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        while let Some(found) = signs.iter().find(|sign| self.next_is(sign)) {
            if *found == "?" {
                let yes = self.binary(0)?;
                let no = self.next_is(":").then(|| self.binary(0)).flatten()?;
                return Some(if left != 0 { yes } else { no });
            }
            let right = self.binary(level + 1)?;
            left = match *found {
                "==" => i64::from(left == right),
                "!=" => i64::from(left != right),
                "<" => i64::from(left < right),
                ">" => i64::from(left > right),
                "<=" => i64::from(left <= right),
                ">=" => i64::from(left >= right),
                "<<" => left << right,
                ">>" => left >> right,
                "+" => left + right,
                "-" => left - right,
                "*" => left.saturating_mul(right),
                "/" => left.checked_div(right)?,
                _ => left.checked_rem(right)?,
            };
        }
        Some(left)
    }

    fn unary(&mut self) -> Option<i64> {
        if self.next_is("-") {
            return Some(-self.unary()?);
        }
        if self.next_is("(") {
            let value = self.binary(0)?;
            return self.next_is(")").then_some(value);
        }
        let (first, rest) = self.tokens.split_first()?;
        self.tokens = rest;
        match first {
            Token::Number(number) => Some(*number),
            Token::Name(name) if self.next_is("(") => {
                let mut arguments = vec![self.binary(0)?];
                while self.next_is(",") {
                    arguments.push(self.binary(0)?);
                }
                if !self.next_is(")") {
                    return None;
                }
                match (name.as_str(), &arguments[..]) {
                    ("log2", [of]) => Some(i64::from((*of as u64).max(1).next_power_of_two().ilog2())),
                    ("min", [a, b]) => Some(*a.min(b)),
                    ("max", [a, b]) => Some(*a.max(b)),
                    ("int", [of]) => Some(*of),
                    _ => None,
                }
            }
            Token::Name(name) => {
                if name == "IN_FLIGHT" {
                    return Some(IN_FLIGHT);
                }
                match self.count.uniforms.get(name.as_str()) {
                    Some(value) => Some(*value),
                    None => self.count.value(self.count.shader.values.get(name)?),
                }
            }
            _ => None,
        }
    }
}
