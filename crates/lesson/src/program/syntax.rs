//! A parser of the GLSL that the shaders are written in: functions, variables and structs, after the preprocessor.

use std::collections::HashMap;
use std::rc::Rc;

use crate::guard::bounds::closing;
use crate::guard::condition::{self, strength};
use crate::guard::tokens::{Kind, Token};
use crate::guard::words;

/// A type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Type {
    Void,
    Scalar(Scalar),
    Vector(Scalar, usize),
    /// A struct, by its name.
    Struct(Rc<str>),
    Array(Box<Type>, usize),
    /// A sampler by its dimensions, such as `2D`, whose texels have this type of number.
    Sampler(Scalar, Rc<str>),
}

/// The types of single numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scalar {
    Bool,
    Int,
    Uint,
    Float,
}

/// An expression.
#[derive(Debug, Clone)]
pub enum Expr {
    /// A number or a truth value, as it is written.
    Literal(Rc<str>),
    Name(Rc<str>),
    /// A function or a constructor.
    Call(Rc<str>, Vec<Expr>),
    /// The constructor of an array of a type.
    Array(Type, Vec<Expr>),
    Index(Box<Expr>, Box<Expr>),
    Field(Box<Expr>, Rc<str>),
    Unary(Rc<str>, Box<Expr>),
    Binary(Rc<str>, Box<Expr>, Box<Expr>),
    Choice(Box<[Expr; 3]>),
    /// `=`, or an operator before it.
    Assign(Rc<str>, Box<Expr>, Box<Expr>),
    /// `++` or `--`: how much is added, and whether the value is the one before.
    Step(i32, bool, Box<Expr>),
    Brackets(Box<Expr>),
}

/// A statement, and its place.
#[derive(Debug, Clone)]
pub struct Stmt {
    /// The line, as `#line` counts.
    pub line: u32,
    pub what: What,
}

/// The kinds of statements.
#[derive(Debug, Clone)]
pub enum What {
    Declare(Type, Rc<str>, Option<Expr>),
    Expr(Expr),
    If(Expr, Box<Stmt>, Option<Box<Stmt>>),
    /// The beginning, the condition, the end of each turn, and the body.
    For(Vec<Stmt>, Option<Expr>, Option<Expr>, Box<Stmt>),
    Do(Box<Stmt>, Expr),
    Switch(Expr, Vec<(Option<Expr>, Vec<Stmt>)>),
    Return(Option<Expr>),
    Break,
    Continue,
    Discard,
    Block(Vec<Stmt>),
}

/// The way of an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    In,
    Out,
    Both,
}

/// A function.
#[derive(Debug)]
pub struct Function {
    pub parameters: Vec<(Way, Type, Rc<str>)>,
    pub body: Vec<Stmt>,
}

/// The part of a global variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Uniform,
    In,
    Out,
    /// A constant, or a variable of the shader's own.
    Own,
}

/// A shader.
#[derive(Debug, Default)]
pub struct Unit {
    pub functions: HashMap<Rc<str>, Vec<Rc<Function>>>,
    /// In their order.
    pub globals: Vec<(Part, Type, Rc<str>, Option<Expr>)>,
    pub structs: HashMap<Rc<str>, Vec<(Type, Rc<str>)>>,
    /// The numbers of outputs, where they are given.
    pub locations: HashMap<Rc<str>, usize>,
}

/// A fault in words, with its line.
pub type Wrong = String;

/// Parses a preprocessed shader.
pub fn parse(tokens: &[Token]) -> Result<Unit, Wrong> {
    let mut parser = Parser { tokens, at: 0, unit: Unit::default() };
    while parser.at < tokens.len() {
        parser.global()?;
    }
    Ok(parser.unit)
}

struct Parser<'a> {
    tokens: &'a [Token<'a>],
    at: usize,
    unit: Unit,
}

const ASSIGN: [&str; 11] = ["=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^="];

impl<'a> Parser<'a> {
    fn text(&self, ahead: usize) -> &'a str {
        self.tokens.get(self.at + ahead).map_or("", |token| token.text)
    }

    fn line(&self) -> u32 {
        let last = self.tokens.len().saturating_sub(1);
        self.tokens.get(self.at.min(last)).map_or(0, |token| token.at.line)
    }

    fn next_is(&mut self, text: &str) -> bool {
        let is = self.text(0) == text;
        self.at += usize::from(is);
        is
    }

    fn expect(&mut self, text: &str) -> Result<(), Wrong> {
        if self.next_is(text) {
            return Ok(());
        }
        Err(format!("line {}: expected {text} before {:?}", self.line() % LINES, self.text(0)))
    }

    fn name(&mut self) -> Result<Rc<str>, Wrong> {
        match self.tokens.get(self.at) {
            Some(token) if token.kind == Kind::Name => {
                self.at += 1;
                Ok(token.text.into())
            }
            _ => Err(format!("line {}: expected a name before {:?}", self.line() % LINES, self.text(0))),
        }
    }

    /// A type with the sizes that stand behind it.
    fn whole_type(&mut self) -> Result<Type, Wrong> {
        let name = self.name()?;
        let of = self.unit.type_of(&name);
        let of = of.ok_or_else(|| format!("line {}: {name} is not a type", self.line() % LINES))?;
        self.sizes(of)
    }

    fn sizes(&mut self, mut of: Type) -> Result<Type, Wrong> {
        while self.text(0) == "[" {
            let close = closing(self.tokens, self.at).map_err(|wrong| wrong.to_string())?;
            self.at += 1;
            of = Type::Array(Box::new(of), self.constant(close)?);
            self.expect("]")?;
        }
        Ok(of)
    }

    /// A size or a location, which is computed of numbers, up to a token.
    fn constant(&mut self, end: usize) -> Result<usize, Wrong> {
        let tokens = &self.tokens[self.at..end];
        let at = self.tokens[self.at.min(self.tokens.len() - 1)].at;
        let value = condition::value(tokens, at).map_err(|wrong| wrong.to_string())?;
        self.at = end;
        let size = usize::try_from(value).ok().filter(|size| *size <= 1 << 16);
        size.ok_or_else(|| format!("line {}: {value} is not a size", at.line % LINES))
    }

    /// Returns true before a word that may stand before a type.
    fn qualifies(&self) -> bool {
        let word = self.text(0);
        words::qualifies(word) || ["flat", "smooth", "uniform"].contains(&word)
    }

    /// An expression in brackets.
    fn bracketed(&mut self) -> Result<Expr, Wrong> {
        self.expect("(")?;
        let inner = self.expr()?;
        self.expect(")")?;
        Ok(inner)
    }

    fn global(&mut self) -> Result<(), Wrong> {
        if self.next_is(";") {
            return Ok(());
        }
        if self.next_is("precision") {
            self.at += 3;
            return Ok(());
        }
        if self.next_is("struct") {
            let name = self.name()?;
            self.expect("{")?;
            let mut fields = Vec::new();
            while !self.next_is("}") {
                let of = self.whole_type()?;
                loop {
                    let field = self.name()?;
                    fields.push((self.sizes(of.clone())?, field));
                    if !self.next_is(",") {
                        break;
                    }
                }
                self.expect(";")?;
            }
            self.unit.structs.insert(name, fields);
            return self.expect(";");
        }
        let (mut part, mut location) = (Part::Own, None);
        loop {
            if self.next_is("layout") {
                while !self.next_is(")") {
                    if self.text(0) == "location" {
                        self.at += 2;
                        let ends = |token: &Token| matches!(token.text, "," | ")");
                        let length = self.tokens[self.at..].iter().position(ends).unwrap_or(0);
                        location = Some(self.constant(self.at + length)?);
                    } else {
                        self.at += 1;
                    }
                    if self.at >= self.tokens.len() {
                        return self.expect(")");
                    }
                }
                continue;
            }
            if !self.qualifies() {
                break;
            }
            part = match self.text(0) {
                "uniform" => Part::Uniform,
                "in" => Part::In,
                "out" => Part::Out,
                _ => part,
            };
            self.at += 1;
        }
        let of = self.whole_type()?;
        let name = self.name()?;
        if self.next_is("(") {
            return self.function(name);
        }
        let mut name = name;
        loop {
            let own = self.sizes(of.clone())?;
            let value = if self.next_is("=") { Some(self.assign()?) } else { None };
            if let Some(location) = location {
                self.unit.locations.insert(name.clone(), location);
            }
            self.unit.globals.push((part, own, name, value));
            if !self.next_is(",") {
                return self.expect(";");
            }
            name = self.name()?;
        }
    }

    fn function(&mut self, name: Rc<str>) -> Result<(), Wrong> {
        let mut parameters = Vec::new();
        if self.text(0) == "void" && self.text(1) == ")" {
            self.at += 1;
        }
        while !self.next_is(")") {
            let mut way = Way::In;
            while self.qualifies() {
                way = match self.text(0) {
                    "out" => Way::Out,
                    "inout" => Way::Both,
                    _ => way,
                };
                self.at += 1;
            }
            let of = self.whole_type()?;
            let parameter = self.name()?;
            parameters.push((way, self.sizes(of)?, parameter));
            if self.text(0) != ")" {
                self.expect(",")?;
            }
        }
        if self.next_is(";") {
            return Ok(());
        }
        self.expect("{")?;
        let body = self.block()?;
        self.unit.functions.entry(name).or_default().push(Rc::new(Function { parameters, body }));
        Ok(())
    }

    /// The statements up to the closing brace.
    fn block(&mut self) -> Result<Vec<Stmt>, Wrong> {
        let mut all = Vec::new();
        while !self.next_is("}") {
            self.statement(&mut all)?;
        }
        Ok(all)
    }

    fn one(&mut self) -> Result<Box<Stmt>, Wrong> {
        let line = self.line();
        let mut all = Vec::new();
        self.statement(&mut all)?;
        Ok(Box::new(match all.len() {
            1 => all.remove(0),
            _ => Stmt { line, what: What::Block(all) },
        }))
    }

    /// Adds a statement; a declaration of several variables is several.
    fn statement(&mut self, all: &mut Vec<Stmt>) -> Result<(), Wrong> {
        let line = self.line();
        if self.at >= self.tokens.len() {
            return Err("a block has no end".into());
        }
        let mut add = |what| all.push(Stmt { line, what });
        match self.text(0) {
            "{" => {
                self.at += 1;
                let inner = self.block()?;
                add(What::Block(inner));
            }
            ";" => self.at += 1,
            "if" => {
                self.at += 1;
                let condition = self.bracketed()?;
                let then = self.one()?;
                let or = if self.next_is("else") { Some(self.one()?) } else { None };
                add(What::If(condition, then, or));
            }
            "for" => {
                self.at += 1;
                self.expect("(")?;
                let mut first = Vec::new();
                self.statement(&mut first)?;
                let condition = if self.text(0) == ";" { None } else { Some(self.expr()?) };
                self.expect(";")?;
                let after = if self.text(0) == ")" { None } else { Some(self.expr()?) };
                self.expect(")")?;
                let body = self.one()?;
                add(What::For(first, condition, after, body));
            }
            "while" => {
                self.at += 1;
                let condition = self.bracketed()?;
                let body = self.one()?;
                add(What::For(Vec::new(), Some(condition), None, body));
            }
            "do" => {
                self.at += 1;
                let body = self.one()?;
                self.expect("while")?;
                let condition = self.bracketed()?;
                self.expect(";")?;
                add(What::Do(body, condition));
            }
            "switch" => {
                self.at += 1;
                let of = self.bracketed()?;
                self.expect("{")?;
                let mut cases: Vec<(Option<Expr>, Vec<Stmt>)> = Vec::new();
                while !self.next_is("}") {
                    if self.next_is("case") {
                        cases.push((Some(self.expr()?), Vec::new()));
                        self.expect(":")?;
                    } else if self.next_is("default") {
                        cases.push((None, Vec::new()));
                        self.expect(":")?;
                    } else {
                        let case = cases.last_mut();
                        let mut body = Vec::new();
                        self.statement(&mut body)?;
                        case.ok_or("a statement before the first case")?.1.append(&mut body);
                    }
                }
                add(What::Switch(of, cases));
            }
            "return" => {
                self.at += 1;
                let value = if self.text(0) == ";" { None } else { Some(self.expr()?) };
                self.expect(";")?;
                add(What::Return(value));
            }
            word @ ("break" | "continue" | "discard") => {
                self.at += 1;
                self.expect(";")?;
                add(match word {
                    "break" => What::Break,
                    "continue" => What::Continue,
                    _ => What::Discard,
                });
            }
            _ => {
                while self.qualifies() {
                    self.at += 1;
                }
                // A type that no bracket of a constructor follows.
                let declares = self.unit.type_of(self.text(0)).is_some()
                    && self.tokens.get(self.at + 1).is_some_and(|next| next.kind == Kind::Name);
                if !declares {
                    let expr = self.expr()?;
                    self.expect(";")?;
                    add(What::Expr(expr));
                    return Ok(());
                }
                let of = self.whole_type()?;
                loop {
                    let line = self.line();
                    let name = self.name()?;
                    let own = self.sizes(of.clone())?;
                    let value = if self.next_is("=") { Some(self.assign()?) } else { None };
                    all.push(Stmt { line, what: What::Declare(own, name, value) });
                    if !self.next_is(",") {
                        return self.expect(";");
                    }
                }
            }
        }
        Ok(())
    }

    fn expr(&mut self) -> Result<Expr, Wrong> {
        let first = self.assign()?;
        if self.text(0) == "," {
            return Err(format!("line {}: a comma in an expression", self.line() % LINES));
        }
        Ok(first)
    }

    fn assign(&mut self) -> Result<Expr, Wrong> {
        let left = self.binary(0)?;
        if self.next_is("?") {
            let then = self.assign()?;
            self.expect(":")?;
            let or = self.assign()?;
            return Ok(Expr::Choice(Box::new([left, then, or])));
        }
        let sign = self.text(0);
        if ASSIGN.contains(&sign) {
            self.at += 1;
            let right = self.assign()?;
            return Ok(Expr::Assign(sign.into(), Box::new(left), Box::new(right)));
        }
        Ok(left)
    }

    /// Operators that bind more tightly than `least`.
    fn binary(&mut self, least: u32) -> Result<Expr, Wrong> {
        // Between `||` and `&&`, the one that no constant has.
        let strength =
            |sign| if sign == "^^" { Some(3) } else { strength(sign).map(|strength| 2 * strength) };
        let mut left = self.unary()?;
        while let Some(strength) = strength(self.text(0)).filter(|strength| *strength > least) {
            let sign = self.text(0).into();
            self.at += 1;
            left = Expr::Binary(sign, Box::new(left), Box::new(self.binary(strength)?));
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Expr, Wrong> {
        let sign = self.text(0);
        match sign {
            "!" | "-" | "~" | "+" => {
                self.at += 1;
                let of = self.unary()?;
                Ok(Expr::Unary(sign.into(), Box::new(of)))
            }
            "++" | "--" => {
                self.at += 1;
                let of = self.unary()?;
                Ok(Expr::Step(if sign == "++" { 1 } else { -1 }, false, Box::new(of)))
            }
            _ => self.postfix(),
        }
    }

    fn postfix(&mut self) -> Result<Expr, Wrong> {
        let mut expr = self.primary()?;
        loop {
            if self.next_is("[") {
                let index = self.expr()?;
                self.expect("]")?;
                expr = Expr::Index(Box::new(expr), Box::new(index));
            } else if self.next_is(".") {
                expr = Expr::Field(Box::new(expr), self.name()?);
            } else if self.next_is("++") {
                expr = Expr::Step(1, true, Box::new(expr));
            } else if self.next_is("--") {
                expr = Expr::Step(-1, true, Box::new(expr));
            } else {
                return Ok(expr);
            }
        }
    }

    fn primary(&mut self) -> Result<Expr, Wrong> {
        if self.text(0) == "(" {
            return Ok(Expr::Brackets(Box::new(self.bracketed()?)));
        }
        let Some(token) = self.tokens.get(self.at) else { return Err("the text ends too early".into()) };
        let text: Rc<str> = token.text.into();
        if token.kind == Kind::Number || matches!(&*text, "true" | "false") {
            self.at += 1;
            return Ok(Expr::Literal(text));
        }
        let name = self.name()?;
        // The constructor of an array.
        if self.text(0) == "[" && self.unit.type_of(&name).is_some() {
            let of = self.unit.type_of(&name).ok_or("a type")?;
            let of = self.sizes(of)?;
            self.expect("(")?;
            return Ok(Expr::Array(of, self.arguments()?));
        }
        if self.next_is("(") {
            return Ok(Expr::Call(name, self.arguments()?));
        }
        Ok(Expr::Name(name))
    }

    fn arguments(&mut self) -> Result<Vec<Expr>, Wrong> {
        let mut arguments = Vec::new();
        while !self.next_is(")") {
            arguments.push(self.assign()?);
            if self.text(0) != ")" {
                self.expect(",")?;
            }
        }
        Ok(arguments)
    }
}

/// Lines are counted on from file to file: [`rasterscan::plan::Expanded`].
pub const LINES: u32 = 100_000;

impl Unit {
    /// The type that a name stands for, if it is one.
    pub fn type_of(&self, name: &str) -> Option<Type> {
        let scalar = |name: &str| match name {
            "bool" | "b" => Some(Scalar::Bool),
            "int" | "i" => Some(Scalar::Int),
            "uint" | "u" => Some(Scalar::Uint),
            "float" | "" => Some(Scalar::Float),
            _ => None,
        };
        if name == "void" {
            return Some(Type::Void);
        }
        if let Some((kind, size)) = name.split_once("vec") {
            let size = size.parse().ok().filter(|size| (2..=4).contains(size))?;
            return Some(Type::Vector(scalar(kind)?, size));
        }
        if let Some((kind, of)) = name.split_once("sampler") {
            return Some(Type::Sampler(scalar(kind)?, of.into()));
        }
        if self.structs.contains_key(name) {
            return Some(Type::Struct(name.into()));
        }
        if name.len() > 1 { scalar(name).map(Type::Scalar) } else { None }
    }
}
