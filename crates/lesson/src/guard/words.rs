//! The words that variables take, so that no driver gets an array that fills a stack, and the steps that a compiler takes
//! for each token: many for a whole array, which it takes apart.
//!
//! Sizes of arrays must be whole numbers, or constants of whole numbers; what they cannot be told from is refused.

use std::collections::HashMap;

use super::Wrong;
use super::bounds::closing;
use super::condition::value;
use super::tokens::{Kind, Token};

/// The most words of a variable.
const LARGEST: u64 = 1 << 14;

/// The most words of all variables, as often as they are declared.
const MOST_DECLARED: u64 = 1 << 15;

/// Words of a declared variable that take a step.
const WORDS_IN_A_STEP: u64 = 4;

/// Steps of an index known only at run time.
const STEPS_OF_AN_INDEX: u64 = 32;

/// Steps of a case of a switch.
const STEPS_OF_A_CASE: u64 = 96;

/// The steps of so many words that are taken apart: an array that is copied or compared, or a place in it that is known only
/// at run time, for which compilers choose among all. The time grows faster than the words: measured on llvmpipe, as the
/// others here.
fn steps_of(words: u64) -> u64 {
    if words > FEW { words.saturating_mul((words / 32).max(8)) } else { 0 }
}

/// The words of a vector.
const FEW: u64 = 4;

/// A variable that is an array or a structure, or a function that returns one.
#[derive(Debug, Clone, Copy)]
struct Variable {
    /// The number of the token that names it.
    name: usize,
    words: u64,
    /// The words of an element.
    element: u64,
    /// The indices to an element.
    indices: usize,
    /// True if it lies in memory that work items share, which is never taken apart.
    is_shared: bool,
}

/// The cost of a token.
#[derive(Debug, Clone, Copy)]
pub struct Steps {
    /// To compile it.
    pub compile: u64,
    /// To run it once, in tokens.
    pub run: u64,
}

/// The steps of each token.
///
/// Errors: variables take too many words.
pub fn steps(tokens: &[Token]) -> Result<Vec<Steps>, Wrong> {
    let mut reader =
        Reader { tokens, constants: HashMap::new(), structures: HashMap::new(), found: Vec::new() };
    let mut number = 0;
    while number < tokens.len() {
        number = match tokens[number].text {
            "const" => {
                reader.constant(number + 1);
                number + 1
            }
            "struct" => reader.structure(number)?,
            _ => reader.variables(number)?,
        };
    }
    let all = reader.found.iter().fold(0, |all: u64, variable| all.saturating_add(variable.words));
    if let Some(last) = reader.found.last().filter(|_| all > MOST_DECLARED) {
        let message = format!("the variables take {all} words; at most {MOST_DECLARED}");
        return Err(Wrong::new(tokens[last.name].at, message));
    }
    let mut declared = reader.found.iter().peekable();
    let mut scopes = Scopes::default();
    let steps = |number: usize| {
        scopes.pass(tokens[number].text);
        let Some(variable) = declared.next_if(|variable| variable.name == number) else {
            return Ok(Steps { compile: 1 + reader.more_steps(number, &scopes)?, run: 1 });
        };
        scopes.declare(tokens[number].text, *variable);
        let steps = 1 + if variable.is_shared { 0 } else { variable.words / WORDS_IN_A_STEP };
        Ok(Steps { compile: steps, run: steps })
    };
    (0..tokens.len()).map(steps).collect()
}

/// Returns true for the name of a built-in type, with which values are made.
pub fn is_type(name: &str) -> bool {
    words_of(name).is_some()
}

/// The variables that can be named at a place.
#[derive(Debug, Default)]
struct Scopes<'a> {
    /// Each with the nesting of braces in which it lives.
    live: Vec<(&'a str, Variable, u32)>,
    braces: u32,
    brackets: u32,
}

impl<'a> Scopes<'a> {
    fn pass(&mut self, text: &str) {
        match text {
            "(" => self.brackets += 1,
            ")" => self.brackets -= 1,
            "{" => self.braces += 1,
            "}" => {
                self.live.retain(|(_, _, braces)| *braces < self.braces);
                self.braces -= 1;
            }
            _ => {}
        }
    }

    /// Those in brackets, as parameters are, live in the braces that follow.
    fn declare(&mut self, name: &'a str, variable: Variable) {
        self.live.push((name, variable, self.braces + u32::from(self.brackets > 0)));
    }

    fn find(&self, name: &str) -> Option<Variable> {
        self.live.iter().rfind(|(known, ..)| *known == name).map(|(_, variable, _)| *variable)
    }
}

struct Reader<'a, 'b> {
    tokens: &'b [Token<'a>],
    /// The whole number of each constant; `None` for what is not known, or has several values.
    constants: HashMap<&'a str, Option<i64>>,
    /// The words of each structure.
    structures: HashMap<&'a str, u64>,
    found: Vec<Variable>,
}

impl<'a> Reader<'a, '_> {
    fn text(&self, number: usize) -> &'a str {
        self.tokens.get(number).map_or("", |token| token.text)
    }

    /// Notes the constant that is declared after `const`, if it is a whole number.
    fn constant(&mut self, from: usize) {
        let mut name = from;
        while matches!(self.text(name), "highp" | "mediump" | "lowp" | "int" | "uint") {
            name += 1;
        }
        if name == from || self.text(name + 1) != "=" {
            return;
        }
        let ends = |token: &Token| matches!(token.text, ";" | ",");
        let length = self.tokens[name + 2..].iter().position(ends).unwrap_or(0);
        let known = self.value(name + 2, name + 2 + length).ok();
        let before = self.constants.insert(self.text(name), known);
        if before.is_some_and(|before| before != known) {
            self.constants.insert(self.text(name), None);
        }
    }

    /// The value of a constant expression of whole numbers.
    fn value(&self, from: usize, to: usize) -> Result<i64, Wrong> {
        let numbers: HashMap<&str, String> = self
            .constants
            .iter()
            .filter_map(|(name, value)| {
                value.filter(|value| *value >= 0).map(|value| (*name, value.to_string()))
            })
            .collect();
        let known = |token: &Token<'a>| numbers.get(token.text).filter(|_| token.kind == Kind::Name);
        // A conversion between whole numbers changes none that is an array's size.
        let tokens: Vec<Token> = self.tokens[from..to]
            .iter()
            .filter(|token| !matches!(token.text, "int" | "uint"))
            .map(|token| match known(token) {
                Some(text) => Token { text, kind: Kind::Number, ..*token },
                None => token.clone(),
            })
            .collect();
        value(&tokens, self.tokens[from.min(self.tokens.len() - 1)].at)
    }

    /// The steps of a token beyond the first.
    fn more_steps(&self, number: usize, scopes: &Scopes) -> Result<u64, Wrong> {
        let text = self.text(number);
        match text {
            "case" => return Ok(STEPS_OF_A_CASE),
            "[" if self.is_chosen(number)? => return Ok(STEPS_OF_AN_INDEX),
            _ => {}
        }
        let is_member = number > 0 && self.text(number - 1) == ".";
        let Some(variable) = scopes.find(text).filter(|_| !is_member) else {
            // A matrix or a structure is made, if this is a type.
            return Ok(self.kind(number).map_or(0, steps_of));
        };
        let (mut next, mut indices, mut is_chosen) = (number + 1, 0, false);
        loop {
            match self.text(next) {
                "[" => {
                    indices += 1;
                    is_chosen |= self.is_chosen(next)?;
                    next = closing(self.tokens, next)? + 1;
                }
                "." => next += 2,
                _ => break,
            }
        }
        Ok(match indices < variable.indices {
            true => steps_of(variable.words),
            false if is_chosen && !variable.is_shared => steps_of(variable.words),
            false => steps_of(variable.element),
        })
    }

    /// Returns true if what stands in a bracket is not constant.
    fn is_chosen(&self, opening: usize) -> Result<bool, Wrong> {
        let is_constant = |name: &str| self.constants.get(name).is_some_and(Option::is_some);
        let inner = &self.tokens[opening + 1..closing(self.tokens, opening)?];
        Ok(inner.iter().any(|token| token.kind == Kind::Name && !is_constant(token.text)))
    }

    /// The product of the sizes in brackets from a token on, and the token after them. An array without a size has the
    /// one of its initial value, which is as long as its text, or is a buffer's.
    fn sizes(&self, mut from: usize) -> Result<(u64, usize), Wrong> {
        let mut product: u64 = 1;
        while self.text(from) == "[" {
            let end = closing(self.tokens, from)?;
            if end > from + 1 {
                let at = self.tokens[from].at;
                let wrong = |_| {
                    let message =
                        "the size of an array must be a whole number, or constants of whole numbers";
                    Wrong::new(at, message)
                };
                let size = self.value(from + 1, end).map_err(wrong)?;
                let Some(size) = u64::try_from(size).ok().filter(|size| *size > 0) else {
                    return Err(Wrong::new(at, format!("an array of {size}; expected a size of at least 1")));
                };
                product = product.saturating_mul(size);
                if product > LARGEST {
                    let message = format!("an array of {product} is too large; at most {LARGEST} words");
                    return Err(Wrong::new(at, message));
                }
            }
            from = end + 1;
        }
        Ok((product, from))
    }

    /// The words of a type, if this is one.
    fn kind(&self, number: usize) -> Option<u64> {
        let token = self.tokens.get(number).filter(|token| token.kind == Kind::Name)?;
        self.structures.get(token.text).copied().or_else(|| words_of(token.text))
    }

    /// Reads a declaration, if one begins here: a type, and names up to the end of it. Returns the number of the token
    /// to go on with.
    fn variables(&mut self, from: usize) -> Result<usize, Wrong> {
        let Some(element) = self.kind(from) else { return Ok(from + 1) };
        let words = (0..from).rev().map(|number| self.text(number)).take_while(|text| qualifies(text));
        let is_shared = words.into_iter().any(|text| text == "shared");
        self.names(element, is_shared, from + 1)?;
        Ok(from + 1)
    }

    /// Reads the sizes after a type, then names with theirs, each of so many words without them.
    fn names(&mut self, element: u64, is_shared: bool, from: usize) -> Result<(), Wrong> {
        let (outer, mut name) = self.sizes(from)?;
        let tokens = self.tokens;
        let indices_in =
            |from: usize, to: usize| tokens[from..to].iter().filter(|token| token.text == "[").count();
        let outer_indices = indices_in(from, name);
        while self.tokens.get(name).is_some_and(|token| token.kind == Kind::Name) {
            let (sizes, mut next) = self.sizes(name + 1)?;
            let words = element.saturating_mul(outer).saturating_mul(sizes);
            let indices = outer_indices + indices_in(name + 1, next);
            if words > LARGEST {
                let message = format!("{} takes {words} words; at most {LARGEST}", self.text(name));
                return Err(Wrong::new(self.tokens[name].at, message));
            }
            if words > FEW {
                self.found.push(Variable { name, words, element, indices, is_shared });
            }
            // An initial value, up to the next name.
            while !matches!(self.text(next), "," | ";" | ")" | "]" | "}" | "") {
                next = match self.text(next) {
                    "(" | "[" | "{" => closing(self.tokens, next)? + 1,
                    _ => next + 1,
                };
            }
            // After the comma of a parameter stands a type.
            if self.text(next) != "," || self.kind(next + 1).is_some() || qualifies(self.text(next + 1)) {
                return Ok(());
            }
            name = next + 1;
        }
        Ok(())
    }

    /// Reads `struct NAME { members }`, and the names after it.
    fn structure(&mut self, keyword: usize) -> Result<usize, Wrong> {
        let named = self.text(keyword + 1) != "{";
        let open = keyword + 1 + usize::from(named);
        if self.text(open) != "{" {
            return Ok(keyword + 1);
        }
        let (close, before) = (closing(self.tokens, open)?, self.found.len());
        let mut words: u64 = 0;
        for number in open + 1..close {
            // What stands in brackets is no member.
            if self.text(number - 1) == "[" {
                continue;
            }
            let Some(kind) = self.kind(number) else { continue };
            let (outer, mut name) = self.sizes(number + 1)?;
            while self.tokens.get(name).is_some_and(|token| token.kind == Kind::Name) {
                let (sizes, next) = self.sizes(name + 1)?;
                words = words.saturating_add(kind.saturating_mul(outer).saturating_mul(sizes));
                name = if self.text(next) == "," { next + 1 } else { break };
            }
        }
        self.found.truncate(before);
        if named && self.structures.insert(self.text(keyword + 1), words).is_some_and(|known| known != words)
        {
            let message = format!("a second struct {}", self.text(keyword + 1));
            return Err(Wrong::new(self.tokens[keyword].at, message));
        }
        self.names(words, false, close + 1)?;
        Ok(close + 1)
    }
}

/// Returns true for a word that may stand before a type.
pub fn qualifies(name: &str) -> bool {
    let words = "const in out inout highp mediump lowp readonly writeonly shared coherent";
    words.split(' ').any(|word| word == name)
}

/// The words of a built-in type.
fn words_of(name: &str) -> Option<u64> {
    let one = |digit: &str| digit.parse::<u64>().ok().filter(|size| (2..=4).contains(size));
    match name {
        "void" | "float" | "int" | "uint" | "bool" => return Some(1),
        "double" => return Some(2),
        _ => {}
    }
    let after = |prefixes: &[(&str, u64)]| {
        prefixes.iter().find_map(|(prefix, each)| Some((name.strip_prefix(prefix)?, *each)))
    };
    if let Some((size, each)) = after(&[("vec", 1), ("ivec", 1), ("uvec", 1), ("bvec", 1), ("dvec", 2)]) {
        return one(size).map(|size| each * size);
    }
    if let Some((sizes, each)) = after(&[("mat", 1), ("dmat", 2)]) {
        let (columns, rows) = sizes.split_once('x').unwrap_or((sizes, sizes));
        return Some(each * one(columns)? * one(rows)?);
    }
    // Textures and images, which may stand in arrays, too.
    let opaque = ["sampler", "isampler", "usampler", "image", "iimage", "uimage", "atomic_uint"];
    opaque.iter().any(|kind| name.starts_with(kind)).then_some(1)
}
