//! The loops of a preprocessed text, and where their counters go.
//!
//! The body `S` of every loop becomes `if (over(turns)) break; else S`, which is one statement as `S` is, so nothing else
//! of the text moves: `for`, `while` and `do` alike, with braces or without.

use std::collections::HashMap;

use super::Wrong;
use super::bounds::{closing, statement_end};
use super::tokens::{At, Kind, Token};

/// The deepest nesting of statements.
const DEEPEST: usize = 64;

/// Tokens of a body, with its calls inlined, that make a turn more.
const TOKENS_IN_A_TURN: u64 = 128;

/// The words of a variable that count as a token.
const WORDS_IN_A_TOKEN: u64 = 4;

/// The most tokens of a function with all its calls inlined, as drivers do.
const MOST_INLINED: u64 = 1 << 18;

/// A counter.
#[derive(Debug, PartialEq, Eq)]
pub struct Counter {
    /// The number of the token that it stands before.
    pub before: usize,
    /// The turns that one turn of its loop counts as.
    pub turns: u64,
}

/// A function's body.
struct Body<'a> {
    name: &'a str,
    from: usize,
    to: usize,
}

/// A loop's body: its first token and the one after its last.
struct Loop {
    from: usize,
    to: usize,
}

/// The counters that a text needs, in the order of their places.
///
/// `declared` are the words of variables, which cost as tokens do: a call has its own.
pub fn counters(tokens: &[Token], declared: &[(usize, u64)]) -> Result<Vec<Counter>, Wrong> {
    let bodies = bodies(tokens)?;
    let mut loops = Vec::new();
    for body in &bodies {
        Parser { tokens, loops: &mut loops, keywords: 0 }.function(body)?;
    }
    let keyword = |token: &&Token| matches!(token.text, "for" | "while" | "do");
    let parsed = |number: usize| bodies.iter().any(|body| (body.from..body.to).contains(&number));
    if let Some((_, token)) =
        tokens.iter().enumerate().find(|(number, token)| keyword(token) && !parsed(*number))
    {
        return Err(Wrong::new(token.at, format!("{} outside of a function", token.text)));
    }
    let costs = Costs::of(tokens, &bodies, declared)?;
    let counter =
        |of: &Loop| Counter { before: of.from, turns: 1 + costs.between(of.from, of.to) / TOKENS_IN_A_TURN };
    let mut counters: Vec<Counter> = loops.iter().map(counter).collect();
    counters.sort_by_key(|counter| counter.before);
    Ok(counters)
}

/// The bodies of functions.
fn bodies<'a>(tokens: &[Token<'a>]) -> Result<Vec<Body<'a>>, Wrong> {
    let (mut bodies, mut number) = (Vec::new(), 0);
    let mut name = None;
    while let Some(token) = tokens.get(number) {
        match token.text {
            "(" => {
                name = number.checked_sub(1).map(|before| tokens[before].text);
                number = closing(tokens, number)?;
            }
            "{" => {
                let end = closing(tokens, number)?;
                if number > 0 && tokens[number - 1].text == ")" {
                    bodies.push(Body { name: name.unwrap_or(""), from: number, to: end + 1 });
                }
                number = end;
            }
            _ => {}
        }
        number += 1;
    }
    Ok(bodies)
}

struct Parser<'a, 'b> {
    tokens: &'b [Token<'a>],
    loops: &'b mut Vec<Loop>,
    /// Keywords of loops that were understood.
    keywords: usize,
}

impl Parser<'_, '_> {
    fn function(&mut self, body: &Body) -> Result<(), Wrong> {
        self.statement(body.from, 0)?;
        let of_loops = |token: &&Token| matches!(token.text, "for" | "while" | "do");
        let mut all = self.tokens[body.from..body.to].iter().filter(of_loops);
        match all.clone().count() == self.keywords {
            true => Ok(()),
            false => {
                let at = all.next_back().map_or(At::default(), |token| token.at);
                Err(Wrong::new(at, "a loop stands where no statement can"))
            }
        }
    }

    fn text(&self, number: usize) -> &str {
        self.tokens.get(number).map_or("", |token| token.text)
    }

    fn at(&self, number: usize) -> At {
        self.tokens.get(number).or(self.tokens.last()).map_or(At::default(), |token| token.at)
    }

    /// What stands in brackets after a keyword; returns the number of the token after them.
    fn bracket(&self, keyword: usize) -> Result<usize, Wrong> {
        match self.text(keyword + 1) {
            "(" => Ok(closing(self.tokens, keyword + 1)? + 1),
            _ => Err(Wrong::new(self.at(keyword), format!("expected ( after {}", self.text(keyword)))),
        }
    }

    /// Parses a statement; returns the number of the token after it.
    fn statement(&mut self, from: usize, depth: usize) -> Result<usize, Wrong> {
        if depth > DEEPEST {
            return Err(Wrong::new(self.at(from), "statements nest too deeply"));
        }
        match self.text(from) {
            "" => Err(Wrong::new(self.at(from), "a statement is missing")),
            "{" => {
                let mut next = from + 1;
                while self.text(next) != "}" {
                    next = self.statement(next, depth + 1)?;
                }
                Ok(next + 1)
            }
            "if" => {
                let mut next = self.bracket(from)?;
                next = self.statement(next, depth + 1)?;
                match self.text(next) {
                    "else" => self.statement(next + 1, depth + 1),
                    _ => Ok(next),
                }
            }
            "switch" => {
                let next = self.bracket(from)?;
                self.statement(next, depth + 1)
            }
            "for" | "while" => {
                let body = self.bracket(from)?;
                self.body(body, 1, depth)
            }
            "do" => {
                let next = self.body(from + 1, 2, depth)?;
                if self.text(next) != "while" {
                    return Err(Wrong::new(self.at(from), "this do has no while"));
                }
                let next = self.bracket(next)?;
                match self.text(next) {
                    ";" => Ok(next + 1),
                    _ => Err(Wrong::new(self.at(next), "expected ; after do ... while (...)")),
                }
            }
            "case" | "default" => {
                let mut next = from;
                while !matches!(self.text(next), ":" | ";" | "}" | "") {
                    next = match self.text(next) {
                        "(" => closing(self.tokens, next)? + 1,
                        _ => next + 1,
                    };
                }
                Ok(next + 1)
            }
            _ => statement_end(self.tokens, from),
        }
    }

    /// Parses the body of a loop of so many keywords.
    fn body(&mut self, from: usize, keywords: usize, depth: usize) -> Result<usize, Wrong> {
        self.keywords += keywords;
        let to = self.statement(from, depth + 1)?;
        self.loops.push(Loop { from, to });
        Ok(to)
    }
}

/// The tokens up to each, with all calls inlined.
struct Costs(Vec<u64>);

impl Costs {
    fn of(tokens: &[Token], bodies: &[Body], declared: &[(usize, u64)]) -> Result<Costs, Wrong> {
        let mut named: HashMap<&str, Vec<usize>> = HashMap::new();
        for (number, body) in bodies.iter().enumerate() {
            named.entry(body.name).or_default().push(number);
        }
        // A call is of a function that stands before it; else of one that was declared.
        let callees = |from: usize, name: &str| -> Vec<usize> {
            let all = named.get(name).map_or(&[][..], |all| all);
            let before: Vec<usize> = all.iter().copied().filter(|of| bodies[*of].to <= from).collect();
            if before.is_empty() { all.to_vec() } else { before }
        };
        let variables = |body: &Body| -> u64 {
            let inside = declared.iter().filter(|(number, _)| (body.from..body.to).contains(number));
            inside.map(|(_, words)| words / WORDS_IN_A_TOKEN).sum()
        };
        let mut known: Vec<Option<u64>> = vec![None; bodies.len()];
        // Depth first, without recursion: a function is summed up when all that it calls are.
        for root in 0..bodies.len() {
            let mut stack = vec![(root, false)];
            let mut open = vec![false; bodies.len()];
            while let Some((number, called)) = stack.pop() {
                if known[number].is_some() || open[number] && !called {
                    continue;
                }
                open[number] = true;
                let body = &bodies[number];
                let calls = calls(tokens, body.from, body.to);
                if !called {
                    stack.push((number, true));
                    for (_, name) in calls {
                        stack.extend(callees(body.from, name).into_iter().map(|callee| (callee, false)));
                    }
                    continue;
                }
                let inlined = calls.map(|(_, name)| {
                    let most = callees(body.from, name).into_iter().filter_map(|callee| known[callee]).max();
                    most.unwrap_or(0)
                });
                let own = (body.to - body.from) as u64 + variables(body);
                let cost = inlined.fold(own, u64::saturating_add);
                if cost > MOST_INLINED {
                    let message = format!(
                        "{} has {cost} tokens with all its calls inlined; at most {MOST_INLINED}",
                        body.name
                    );
                    return Err(Wrong::new(tokens[body.from].at, message));
                }
                known[number] = Some(cost);
            }
        }
        let mut costs = vec![0; tokens.len() + 1];
        for number in 0..tokens.len() {
            costs[number + 1] = 1;
        }
        for body in bodies {
            for (number, name) in calls(tokens, body.from, body.to) {
                let most = callees(body.from, name).into_iter().filter_map(|callee| known[callee]).max();
                costs[number + 1] += most.unwrap_or(0);
            }
        }
        for number in 0..tokens.len() {
            costs[number + 1] += costs[number];
        }
        Ok(Costs(costs))
    }

    fn between(&self, from: usize, to: usize) -> u64 {
        self.0[to] - self.0[from]
    }
}

/// The calls between two tokens: the number of the name, and the name.
fn calls<'a, 'b>(
    tokens: &'b [Token<'a>],
    from: usize,
    to: usize,
) -> impl Iterator<Item = (usize, &'a str)> + 'b {
    let called = move |number: &usize| {
        tokens[*number].kind == Kind::Name && tokens.get(number + 1).is_some_and(|next| next.text == "(")
    };
    (from..to).filter(called).map(|number| (number, tokens[number].text))
}
