//! The loops of a preprocessed text, and where their counters go.
//!
//! The body `S` of every loop becomes `if (over(turns)) break; else S`, which is one statement as `S` is, so nothing else
//! of the text moves: `for`, `while` and `do` alike, with braces or without.

use std::collections::HashMap;

use super::Wrong;
use super::bounds::{closing, statement_end};
use super::tokens::{At, Kind, Token};
use super::words::{Steps, is_type};

/// The deepest nesting of statements.
const DEEPEST: usize = 64;

/// The deepest nesting of loops, with calls inlined: the library's own nest 7 deep, and from 16 on a compiler takes seconds.
const DEEPEST_LOOPS: u32 = 10;

/// The most loops in the text itself, with calls inlined; the library's own have 21. LLVM's time grows by 1.8 for each one that
/// follows others and is not unrolled, from 0.5 s for 12: it compares their counters, which llvmpipe chains.
const MOST_LOOPS: u64 = 24;

/// Steps of a loop beyond its text: short ones are unrolled.
const STEPS_OF_A_LOOP: u64 = 128;

/// Steps of a branch, and of most functions of the language itself.
const STEPS_OF_A_BUILT_IN: u64 = 32;

/// Steps of functions that take many instructions.
const STEPS_OF_A_SERIES: u64 = 512;

const SERIES: &str =
    "acos acosh asin asinh atan atanh cos cosh determinant exp exp2 inverse log log2 pow sin sinh tan tanh";

/// Tokens of a loop, with its calls inlined, that make a turn more.
const TOKENS_IN_A_TURN: u64 = 128;

/// The most steps of a function with all its calls inlined, as drivers do. The library's own have at most 26,936.
const MOST_STEPS: u64 = 40_000;

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

/// A loop: its first token, the first of its body, and the one after its last.
struct Loop {
    from: usize,
    body: usize,
    to: usize,
}

/// The counters that a text needs, in the order of their places. `steps` are those of each token.
pub fn counters(tokens: &[Token], steps: &[Steps]) -> Result<Vec<Counter>, Wrong> {
    let bodies = bodies(tokens)?;
    let mut loops = Vec::new();
    for body in &bodies {
        Parser { tokens, loops: &mut loops, keywords: 0 }.function(body)?;
    }
    let parsed = |number: usize| bodies.iter().any(|body| (body.from..body.to).contains(&number));
    let outside = |(number, token): &(usize, &Token)| is_of_loop(token) && !parsed(*number);
    if let Some((_, token)) = tokens.iter().enumerate().find(outside) {
        return Err(Wrong::new(token.at, format!("{} outside of a function", token.text)));
    }
    let mut steps = steps.to_vec();
    loops.iter().for_each(|of| steps[of.from].compile += STEPS_OF_A_LOOP);
    let costs = Costs::of(tokens, &bodies, &loops, &steps)?;
    let counter =
        |of: &Loop| Counter { before: of.body, turns: 1 + costs.between(of.from, of.to) / TOKENS_IN_A_TURN };
    let mut counters: Vec<Counter> = loops.iter().map(counter).collect();
    counters.sort_by_key(|counter| counter.before);
    Ok(counters)
}

/// Returns true for a keyword of a loop.
fn is_of_loop(token: &Token) -> bool {
    matches!(token.text, "for" | "while" | "do")
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
        let mut all = self.tokens[body.from..body.to].iter().filter(|token| is_of_loop(token));
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
                self.keywords += 1;
                let to = self.statement(body, depth + 1)?;
                self.loops.push(Loop { from, body, to });
                Ok(to)
            }
            "do" => {
                let next = self.statement(from + 1, depth + 1)?;
                if self.text(next) != "while" {
                    return Err(Wrong::new(self.at(from), "this do has no while"));
                }
                self.keywords += 2;
                let to = self.bracket(next)?;
                self.loops.push(Loop { from, body: from + 1, to });
                match self.text(to) {
                    ";" => Ok(to + 1),
                    _ => Err(Wrong::new(self.at(to), "expected ; after do ... while (...)")),
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
}

/// The tokens up to each that a run takes, with all calls inlined.
struct Costs(Vec<u64>);

/// A function with all its calls inlined.
#[derive(Debug, Clone, Copy, Default)]
struct Inlined {
    /// To compile it.
    steps: u64,
    /// The tokens of a run.
    run: u64,
    /// The loops in the text itself, not in what it includes.
    loops: u64,
    /// The deepest nesting of all loops.
    depth: u32,
}

impl Inlined {
    /// Adds a part that stands in so many loops.
    fn add(&mut self, part: Inlined, around: u32) {
        self.steps = self.steps.saturating_add(part.steps);
        self.run = self.run.saturating_add(part.run);
        self.loops = self.loops.saturating_add(part.loops);
        self.depth = self.depth.max(around + part.depth);
    }

    /// Errors if a compiler would take too long.
    fn check(&self, name: &str) -> Result<(), String> {
        let Inlined { steps, loops, depth, .. } = *self;
        Err(match () {
            _ if steps > MOST_STEPS => too_long(&format!("{name}()"), steps),
            _ if depth > DEEPEST_LOOPS => {
                format!(
                    "the loops of {name}() nest {depth} deep with all calls inlined; at most {DEEPEST_LOOPS}"
                )
            }
            _ if loops > MOST_LOOPS => {
                format!("{name}() has {loops} loops with all calls inlined; at most {MOST_LOOPS}")
            }
            _ => return Ok(()),
        })
    }
}

impl Costs {
    fn of(tokens: &[Token], bodies: &[Body], loops: &[Loop], steps: &[Steps]) -> Result<Costs, Wrong> {
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
        // The loops around each token.
        let mut around = vec![0_i32; tokens.len() + 1];
        for Loop { from, to, .. } in loops {
            around[*from] += 1;
            around[*to] -= 1;
        }
        for number in 1..around.len() {
            around[number] += around[number - 1];
        }
        let mut known: Vec<Option<Inlined>> = vec![None; bodies.len()];
        let called = |known: &[Option<Inlined>], from: usize, name: &str| {
            let callees = callees(from, name);
            if callees.is_empty() && !is_type(name) && name != "return" {
                let steps = if SERIES.split(' ').any(|series| series == name) {
                    STEPS_OF_A_SERIES
                } else {
                    STEPS_OF_A_BUILT_IN
                };
                return Inlined { steps, ..Inlined::default() };
            }
            let all = callees.into_iter().filter_map(|callee| known[callee]);
            all.fold(Inlined::default(), |most, of| Inlined {
                steps: most.steps.max(of.steps),
                run: most.run.max(of.run),
                loops: most.loops.max(of.loops),
                depth: most.depth.max(of.depth),
            })
        };
        // Depth first, without recursion: a function is summed up when all that it calls are.
        for root in 0..bodies.len() {
            let mut stack = vec![(root, false)];
            let mut open = vec![false; bodies.len()];
            while let Some((number, is_called)) = stack.pop() {
                if known[number].is_some() || open[number] && !is_called {
                    continue;
                }
                open[number] = true;
                let body = &bodies[number];
                let calls = calls(tokens, body.from, body.to);
                if !is_called {
                    stack.push((number, true));
                    for (_, name) in calls {
                        stack.extend(callees(body.from, name).into_iter().map(|callee| (callee, false)));
                    }
                    continue;
                }
                let is_own = |of: &&Loop| {
                    (body.from..body.to).contains(&of.from)
                        && tokens[of.from].at.file.is_none_or(|file| file == 0)
                };
                let own = loops.iter().filter(is_own).count();
                let mut whole = Inlined { loops: own as u64, ..Inlined::default() };
                for place in body.from..body.to {
                    let Steps { compile: steps, run } = steps[place];
                    whole.add(Inlined { steps, run, ..Inlined::default() }, around[place] as u32);
                }
                for (place, name) in calls {
                    whole.add(called(&known, body.from, name), around[place] as u32);
                }
                whole.check(body.name).map_err(|message| Wrong::new(tokens[body.from].at, message))?;
                known[number] = Some(whole);
            }
        }
        let mut costs: Vec<u64> = [0].into_iter().chain(steps.iter().map(|steps| steps.run)).collect();
        let outside = |number: &usize| !bodies.iter().any(|body| (body.from..body.to).contains(number));
        let between: u64 = (0..tokens.len()).filter(outside).map(|number| steps[number].compile).sum();
        if between > MOST_STEPS {
            return Err(Wrong::new(At::default(), too_long("the text between functions", between)));
        }
        for body in bodies {
            for (number, name) in calls(tokens, body.from, body.to) {
                costs[number + 1] += called(&known, body.from, name).run;
            }
        }
        for number in 0..tokens.len() {
            costs[number + 1] = costs[number + 1].saturating_add(costs[number]);
        }
        Ok(Costs(costs))
    }

    fn between(&self, from: usize, to: usize) -> u64 {
        self.0[to] - self.0[from]
    }
}

fn too_long(what: &str, steps: u64) -> String {
    format!(
        "{what} takes a compiler {steps} steps, with all calls inlined and all arrays taken apart; at most {MOST_STEPS}"
    )
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
