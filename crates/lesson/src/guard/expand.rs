//! The preprocessor: directives are obeyed, macros are expanded, and a list of tokens is left.

use std::collections::HashMap;
use std::rc::Rc;

use super::condition;
use super::tokens::{At, Kind, Line, Token, lines};
use super::{RESERVED, Wrong};

/// The most tokens that the expansion may handle.
const MOST_TOKENS: usize = 1 << 18;

/// The deepest nesting of macros and of their arguments.
const DEEPEST: usize = 32;

/// A preprocessed text.
pub struct Expanded<'a> {
    /// `#version` and `#extension` lines.
    pub head: String,
    /// The tokens.
    pub tokens: Vec<Token<'a>>,
    /// True if `#line` named a file.
    pub has_files: bool,
}

struct Macro<'a> {
    /// The parameters of a macro with arguments.
    parameters: Option<Vec<&'a str>>,
    body: Vec<Token<'a>>,
}

/// The macros that a token comes from, which do not expand in it again.
type Hidden<'a> = Option<Rc<Hide<'a>>>;

struct Hide<'a> {
    name: &'a str,
    outer: Hidden<'a>,
}

fn hides(hidden: &Hidden, name: &str) -> bool {
    let mut next = hidden;
    while let Some(hide) = next {
        if hide.name == name {
            return true;
        }
        next = &hide.outer;
    }
    false
}

type PendingTokens<'a> = Vec<(Token<'a>, Hidden<'a>)>;

/// A branch of conditions.
struct Branch {
    /// True if its lines count.
    taken: bool,
    /// True if this branch or an earlier one of the same `#if` was taken, or the `#if` stands in one that is not.
    done: bool,
    /// True after `#else`.
    last: bool,
    at: At,
}

struct Expander<'a> {
    macros: HashMap<&'a str, Macro<'a>>,
    branches: Vec<Branch>,
    out: Expanded<'a>,
    /// Text since the last directive.
    pending: Vec<Token<'a>>,
    file: Option<u32>,
    /// The difference between lines as `#line` counts them and those of the text.
    shift: i64,
    handled: usize,
}

/// Preprocesses a text.
pub fn expand(text: &str) -> Result<Expanded<'_>, Wrong> {
    let mut expander = Expander {
        macros: HashMap::new(),
        branches: Vec::new(),
        out: Expanded { head: String::new(), tokens: Vec::new(), has_files: false },
        pending: Vec::new(),
        file: None,
        shift: 0,
        handled: 0,
    };
    let lines = lines(text).map_err(|wrong| expander.located_late(text, wrong))?;
    for line in lines {
        expander.line(line)?;
    }
    expander.flush()?;
    match expander.branches.pop() {
        Some(open) => Err(Wrong::new(open.at, "this #if has no #endif")),
        None => Ok(expander.out),
    }
}

impl<'a> Expander<'a> {
    /// The place of an error of the tokens, which are made before any `#line` is obeyed.
    fn located_late(&self, text: &str, wrong: Wrong) -> Wrong {
        let mut at = At::default();
        for (number, line) in text.lines().enumerate().take(wrong.at.line as usize) {
            at.line += 1;
            let words: Vec<&str> = line.split_whitespace().collect();
            if let ["#line", line, file] = words[..]
                && (number as u32) < wrong.at.line
            {
                at = At { file: file.parse().ok(), line: line.parse::<u32>().unwrap_or(1).saturating_sub(1) };
            }
        }
        Wrong { at, ..wrong }
    }

    fn at(&self, at: At) -> At {
        At { file: self.file, line: (i64::from(at.line) + self.shift).clamp(0, i64::from(u32::MAX)) as u32 }
    }

    fn taken(&self) -> bool {
        self.branches.last().is_none_or(|branch| branch.taken)
    }

    fn line(&mut self, mut line: Line<'a>) -> Result<(), Wrong> {
        for token in &mut line.tokens {
            token.at = self.at(token.at);
        }
        if line.directive {
            self.flush()?;
            return self.directive(&line.tokens);
        }
        if self.taken() {
            self.pending.append(&mut line.tokens);
        }
        Ok(())
    }

    fn directive(&mut self, tokens: &[Token<'a>]) -> Result<(), Wrong> {
        let Some((name, rest)) = tokens.split_first() else { return Ok(()) };
        let at = name.at;
        match name.text {
            "if" | "ifdef" | "ifndef" => {
                let outer = self.taken();
                let taken = outer && self.condition(name, rest)?;
                self.branches.push(Branch { taken, done: taken || !outer, last: false, at });
                if self.branches.len() > DEEPEST {
                    return Err(Wrong::new(at, "conditions nest too deeply"));
                }
                return Ok(());
            }
            "elif" | "else" => {
                let done = match self.branches.last() {
                    Some(branch) if !branch.last => branch.done,
                    _ => return Err(Wrong::new(at, format!("#{} without an #if", name.text))),
                };
                let last = name.text == "else";
                let taken = !done && (last || self.condition(name, rest)?);
                if let Some(branch) = self.branches.last_mut() {
                    *branch = Branch { taken, done: done || taken, last, at: branch.at };
                }
                return Ok(());
            }
            "endif" => {
                let open = self.branches.pop();
                return open.map(drop).ok_or_else(|| Wrong::new(at, "#endif without an #if"));
            }
            _ if !self.taken() => return Ok(()),
            "define" => return self.define(at, rest),
            "undef" => {
                let [name] = rest else { return Err(Wrong::new(at, "expected a name after #undef")) };
                self.macros.remove(name.text);
            }
            "line" => self.set_line(at, rest)?,
            "version" | "extension" if self.file.is_none() => {
                if let ("version", [number, ..]) = (name.text, rest) {
                    self.constant("__VERSION__", number.clone());
                    if rest.last().is_some_and(|last| last.text == "es") {
                        self.constant("GL_ES", Token { text: "1", kind: Kind::Number, ..number.clone() });
                    }
                }
                let words: Vec<&str> = rest.iter().map(|token| token.text).collect();
                self.out.head.push_str(&format!("#{} {}\n", name.text, words.join(" ")));
            }
            "version" | "extension" => {
                let message =
                    format!("#{} cannot be set here; every shader of the pass has the same", name.text);
                return Err(Wrong::new(at, message));
            }
            "error" => {
                let words: Vec<&str> = rest.iter().map(|token| token.text).collect();
                return Err(Wrong::new(at, format!("#error {}", words.join(" "))));
            }
            "pragma" => {}
            other => return Err(Wrong::new(at, format!("#{other} is not a directive"))),
        }
        Ok(())
    }

    fn constant(&mut self, name: &'a str, value: Token<'a>) {
        self.macros.insert(name, Macro { parameters: None, body: vec![value] });
    }

    fn set_line(&mut self, at: At, rest: &[Token<'a>]) -> Result<(), Wrong> {
        let numbers: Vec<Option<u32>> = rest.iter().map(|token| token.text.parse().ok()).collect();
        let &[Some(line), Some(file)] = &numbers[..] else {
            return Err(Wrong::new(at, "expected two numbers after #line"));
        };
        // The directive's own line in the text.
        let own = i64::from(at.line) - self.shift;
        self.shift = i64::from(line) - own - 1;
        self.file = Some(file);
        self.out.has_files = true;
        Ok(())
    }

    fn define(&mut self, at: At, tokens: &[Token<'a>]) -> Result<(), Wrong> {
        let Some((name, mut body)) = tokens.split_first().filter(|(name, _)| name.kind == Kind::Name) else {
            return Err(Wrong::new(at, "expected a name after #define"));
        };
        if name.text == "defined" || name.text.starts_with(RESERVED) {
            return Err(Wrong::new(at, format!("{} is a reserved name", name.text)));
        }
        if let Some(sign) = body.iter().find(|token| token.text == "##") {
            return Err(Wrong::new(sign.at, "## does not exist in GLSL"));
        }
        let mut parameters = None;
        if let Some((_, rest)) = body.split_first().filter(|(next, _)| next.text == "(" && !next.spaced) {
            let end = rest.iter().position(|token| token.text == ")");
            let end = end.ok_or_else(|| Wrong::new(at, "the list of parameters has no end"))?;
            let names: Vec<&str> =
                rest[..end].iter().map(|token| token.text).filter(|text| *text != ",").collect();
            parameters = Some(names);
            body = &rest[end + 1..];
        }
        self.macros.insert(name.text, Macro { parameters, body: body.to_vec() });
        Ok(())
    }

    fn condition(&mut self, name: &Token<'a>, rest: &[Token<'a>]) -> Result<bool, Wrong> {
        if name.text.starts_with("ifn") || name.text == "ifdef" {
            let [of] = rest else {
                return Err(Wrong::new(name.at, format!("expected a name after #{}", name.text)));
            };
            return Ok(self.macros.contains_key(of.text) == (name.text == "ifdef"));
        }
        // `defined` is answered before macros are expanded.
        let (mut asked, mut number) = (PendingTokens::new(), 0);
        while let Some(token) = rest.get(number) {
            number += 1;
            if token.text != "defined" {
                asked.push((token.clone(), None));
                continue;
            }
            let texts: Vec<&str> = rest[number..].iter().take(3).map(|token| token.text).collect();
            let (of, length) = match texts[..] {
                ["(", of, ")"] => (of, 3),
                [of, ..] => (of, 1),
                [] => return Err(Wrong::new(name.at, "expected a name after defined")),
            };
            number += length;
            let text = if self.macros.contains_key(of) { "1" } else { "0" };
            asked.push((Token { text, kind: Kind::Number, ..token.clone() }, None));
        }
        let mut out = Vec::new();
        self.expanded(asked, &mut out, 0)?;
        let tokens: Vec<Token> = out.into_iter().map(|(token, _)| token).collect();
        condition::value(&tokens, name.at).map(|value| value != 0)
    }

    /// Expands the text since the last directive.
    fn flush(&mut self) -> Result<(), Wrong> {
        let work: PendingTokens = self.pending.drain(..).map(|token| (token, None)).collect();
        let mut out = Vec::new();
        self.expanded(work, &mut out, 0)?;
        for (token, _) in out {
            if token.text == "##" {
                return Err(Wrong::new(token.at, "## does not exist in GLSL"));
            }
            if token.kind == Kind::Name && token.text.starts_with(RESERVED) {
                return Err(Wrong::new(token.at, format!("names that begin with {RESERVED} are reserved")));
            }
            self.out.tokens.push(token);
        }
        Ok(())
    }

    fn count(&mut self, tokens: usize, at: At) -> Result<(), Wrong> {
        self.handled += tokens;
        match self.handled > MOST_TOKENS {
            true => Err(Wrong::new(at, format!("the macros expand to more than {MOST_TOKENS} tokens"))),
            false => Ok(()),
        }
    }

    /// Expands all macros in `work`, given in order.
    fn expanded(
        &mut self,
        mut work: PendingTokens<'a>,
        out: &mut PendingTokens<'a>,
        depth: usize,
    ) -> Result<(), Wrong> {
        work.reverse();
        while let Some((token, hidden)) = work.pop() {
            self.count(1, token.at)?;
            if depth > DEEPEST {
                return Err(Wrong::new(token.at, "the arguments of macros nest too deeply"));
            }
            let known = token.kind == Kind::Name && !hides(&hidden, token.text);
            let Some(of) = self.macros.get(token.text).filter(|_| known) else {
                out.push((token, hidden));
                continue;
            };
            let (body, parameters) = (of.body.clone(), of.parameters.clone());
            let arguments = match &parameters {
                None => Vec::new(),
                Some(_) if work.last().is_none_or(|(next, _)| next.text != "(") => {
                    out.push((token, hidden));
                    continue;
                }
                Some(parameters) => {
                    work.pop();
                    let arguments = arguments(&mut work, token.at)?;
                    let none = parameters.is_empty() && arguments.len() == 1 && arguments[0].is_empty();
                    let arguments = if none { Vec::new() } else { arguments };
                    if arguments.len() != parameters.len() {
                        let (name, got, of) = (token.text, arguments.len(), parameters.len());
                        return Err(Wrong::new(
                            token.at,
                            format!("{name} has {got} arguments; expected {of}"),
                        ));
                    }
                    let mut values = Vec::new();
                    for argument in arguments {
                        let mut value = Vec::new();
                        self.expanded(argument, &mut value, depth + 1)?;
                        values.push(value);
                    }
                    values
                }
            };
            let hide = Some(Rc::new(Hide { name: token.text, outer: hidden }));
            let at = token.at;
            let parameters = parameters.unwrap_or_default();
            for piece in body.iter().rev() {
                match parameters.iter().position(|name| *name == piece.text) {
                    Some(number) => {
                        self.count(arguments[number].len(), at)?;
                        work.extend(arguments[number].iter().rev().cloned());
                    }
                    None => work.push((Token { at, ..piece.clone() }, hide.clone())),
                }
            }
        }
        Ok(())
    }
}

/// Takes the arguments of a macro, whose opening bracket is taken already, from the end of `work`.
fn arguments<'a>(work: &mut PendingTokens<'a>, at: At) -> Result<Vec<PendingTokens<'a>>, Wrong> {
    let (mut arguments, mut depth) = (vec![PendingTokens::new()], 0);
    while let Some((token, hidden)) = work.pop() {
        match token.text {
            ")" if depth == 0 => return Ok(arguments),
            "," if depth == 0 => {
                arguments.push(PendingTokens::new());
                continue;
            }
            "(" => depth += 1,
            ")" => depth -= 1,
            _ => {}
        }
        if let Some(argument) = arguments.last_mut() {
            argument.push((token, hidden));
        }
    }
    Err(Wrong::new(at, "the arguments of this macro have no end"))
}
