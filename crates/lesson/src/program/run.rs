//! The machine: runs a shader for one fragment or vertex, and tells each step of its own file.

use std::collections::HashMap;
use std::rc::Rc;

use rasterscan::plan::Layout;
use rasterscan::trace::Place;

use super::Step;
use super::syntax::{Expr, Function, LINES, Scalar, Stmt, Type, Unit, Way, What, Wrong};
use super::value::{Number, Value, binary, built_in, constructed, stepped, unary};

/// The most statements and expressions of a run.
const MOST_TURNS: usize = 1 << 20;
/// The most steps that are told.
const MOST_STEPS: usize = 4096;
/// The deepest calls.
const DEEPEST: usize = 64;

/// A texture that is read.
pub struct Texture<'a> {
    /// The number of the source in its pass.
    pub of: u32,
    /// The name in the recording.
    pub name: &'a str,
    pub layout: &'a Layout,
    /// The words of its items.
    pub words: &'a [u32],
    pub kind: Type,
}

impl Texture<'_> {
    /// A texel, unless it is outside, and its four channels.
    fn fetch(&self, at: &[Number]) -> Result<(Option<u32>, Vec<Number>), Wrong> {
        let Type::Sampler(kind, _) = self.kind else { return Err("not a sampler".into()) };
        let at: Vec<i64> = at.iter().map(|of| i64::from(of.word() as i32)).collect();
        let (x, y) = (at[0], at.get(1).copied().unwrap_or(0));
        let plane = at.get(2).copied().unwrap_or(0);
        let (width, height) = (i64::from(self.layout.width), i64::from(self.layout.height));
        let inside = (0..width).contains(&x) && (0..height).contains(&y);
        let channels = self.layout.format().words as usize;
        let in_texel = self.layout.words_per_texel() as usize;
        let texel = if inside { (y * width + x) as usize } else { usize::MAX / 64 };
        let word = |channel: usize| {
            let in_item = plane as usize * 4 + channel;
            let word = self.words.get(texel * in_texel + in_item).filter(|_| in_item < in_texel);
            match channel {
                3 if channels < 4 => 1,
                _ if channel >= channels => 0,
                _ => word.copied().unwrap_or(0),
            }
        };
        let number = |channel| match (channel, kind) {
            (3, Scalar::Float) if channels < 4 => Number::Float(1.0),
            _ => Number::of_word(kind, word(channel)),
        };
        Ok((inside.then_some(texel as u32), (0..4).map(number).collect()))
    }
}

/// The machine.
pub struct Machine<'a> {
    pub unit: &'a Unit,
    pub textures: HashMap<Rc<str>, Texture<'a>>,
    pub globals: HashMap<Rc<str>, Value>,
    pub steps: Vec<Step>,
    /// True once it has read past the items of a stream, where a recording has nothing.
    pub reads_padding: bool,
    locals: Vec<(Rc<str>, Value)>,
    /// Where the locals of the function at work begin.
    base: usize,
    depth: usize,
    turns: usize,
    telling: bool,
    reads: Vec<Place>,
}

/// A value, and the words that tell how it came about.
struct Told {
    value: Value,
    text: String,
}

/// The way on from a statement.
#[derive(PartialEq)]
enum Flow {
    Next,
    Break,
    Continue,
    Return(Value),
    Discard,
}

impl<'a> Machine<'a> {
    pub fn new(unit: &'a Unit, textures: HashMap<Rc<str>, Texture<'a>>) -> Machine<'a> {
        Machine {
            unit,
            textures,
            globals: HashMap::new(),
            steps: Vec::new(),
            reads_padding: false,
            locals: Vec::new(),
            base: 0,
            depth: 0,
            turns: 0,
            telling: false,
            reads: Vec::new(),
        }
    }

    /// Evaluates the globals that have a value of their own, and runs `main`. Returns true unless it discards its texel.
    pub fn run(&mut self) -> Result<bool, Wrong> {
        for (_, of, name, value) in &self.unit.globals {
            if self.globals.contains_key(name) {
                continue;
            }
            let value = match value {
                Some(value) => self.eval(value)?.value,
                None => Value::zero(of, self.unit),
            };
            self.globals.insert(name.clone(), value);
        }
        let main = self.unit.functions.get("main").and_then(|all| all.first()).ok_or("no main function")?;
        Ok(self.block(&main.body)? != Flow::Discard)
    }

    fn count(&mut self) -> Result<(), Wrong> {
        self.turns += 1;
        if self.turns > MOST_TURNS { Err("it takes too many steps".into()) } else { Ok(()) }
    }

    fn tell(&mut self, line: u32, text: String) {
        if self.telling && self.steps.len() < MOST_STEPS {
            let reads = std::mem::take(&mut self.reads);
            self.steps.push(Step { line: line as usize, text, reads });
        }
    }

    fn block(&mut self, all: &[Stmt]) -> Result<Flow, Wrong> {
        let scope = self.locals.len();
        for statement in all {
            let flow = self.statement(statement)?;
            if flow != Flow::Next {
                self.locals.truncate(scope);
                return Ok(flow);
            }
        }
        self.locals.truncate(scope);
        Ok(Flow::Next)
    }

    fn statement(&mut self, Stmt { line, what }: &Stmt) -> Result<Flow, Wrong> {
        self.count()?;
        let line = *line;
        self.telling = line < LINES;
        match what {
            What::Block(all) => return self.block(all),
            What::Declare(of, name, None) => {
                self.locals.push((name.clone(), Value::zero(of, self.unit)));
            }
            What::Declare(_, name, Some(value)) => {
                let told = self.eval(value)?;
                self.telling = line < LINES;
                self.tell(line, assigned(name, &told));
                self.locals.push((name.clone(), told.value));
            }
            What::Expr(expr) => {
                let told = self.eval(expr)?;
                self.telling = line < LINES;
                self.tell(line, told.text);
            }
            What::If(condition, then, or) => {
                if self.condition(line, "if", condition)? {
                    return self.one(then);
                }
                return or.as_ref().map_or(Ok(Flow::Next), |or| self.one(or));
            }
            What::For(first, condition, after, body) => {
                let scope = self.locals.len();
                for statement in first {
                    self.statement(statement)?;
                }
                let flow = loop {
                    self.count()?;
                    if let Some(condition) = condition
                        && !self.condition(line, "loop while", condition)?
                    {
                        break Flow::Next;
                    }
                    match self.one(body)? {
                        Flow::Next | Flow::Continue => {}
                        Flow::Break => break Flow::Next,
                        other => break other,
                    }
                    if let Some(after) = after {
                        self.telling = line < LINES;
                        let told = self.eval(after)?;
                        self.telling = line < LINES;
                        self.tell(line, told.text);
                    }
                };
                self.locals.truncate(scope);
                return Ok(flow);
            }
            What::Do(body, condition) => loop {
                self.count()?;
                match self.one(body)? {
                    Flow::Next | Flow::Continue => {}
                    Flow::Break => break,
                    other => return Ok(other),
                }
                if !self.condition(line, "loop while", condition)? {
                    break;
                }
            },
            What::Switch(of, cases) => {
                let told = self.eval(of)?;
                self.telling = line < LINES;
                self.tell(line, format!("switch: {}", told.text));
                let mut chosen = cases.iter().position(|(case, _)| case.is_none());
                for (number, (case, _)) in cases.iter().enumerate() {
                    if let Some(case) = case
                        && self.eval(case)?.value == told.value
                    {
                        chosen = Some(number);
                        break;
                    }
                }
                for (_, body) in &cases[chosen.unwrap_or(cases.len())..] {
                    match self.block(body)? {
                        Flow::Next => {}
                        Flow::Break => return Ok(Flow::Next),
                        other => return Ok(other),
                    }
                }
            }
            What::Return(None) => {
                self.tell(line, "return".into());
                return Ok(Flow::Return(Value::Void));
            }
            What::Return(Some(value)) => {
                let told = self.eval(value)?;
                self.telling = line < LINES;
                self.tell(line, format!("return {}", equal(&told)));
                return Ok(Flow::Return(told.value));
            }
            What::Break => {
                self.tell(line, "break".into());
                return Ok(Flow::Break);
            }
            What::Continue => {
                self.tell(line, "continue".into());
                return Ok(Flow::Continue);
            }
            What::Discard => {
                self.tell(line, "discard: this texel is not written".into());
                return Ok(Flow::Discard);
            }
        }
        Ok(Flow::Next)
    }

    /// A statement in a scope of its own.
    fn one(&mut self, statement: &Stmt) -> Result<Flow, Wrong> {
        self.block(std::slice::from_ref(statement))
    }

    fn condition(&mut self, line: u32, word: &str, condition: &Expr) -> Result<bool, Wrong> {
        self.telling = line < LINES;
        let told = self.eval(condition)?;
        self.telling = line < LINES;
        let holds = told.value.truth().ok_or("a condition that is no truth value")?;
        let plain = told.text == told.value.to_string();
        let answer = match (plain, holds) {
            (true, _) => String::new(),
            (false, true) => ": true".into(),
            (false, false) => ": false".into(),
        };
        self.tell(line, format!("{word} {}{answer}", told.text));
        Ok(holds)
    }

    fn told(&self, value: Value, text: impl FnOnce(&Value) -> String) -> Told {
        let text = if self.telling { text(&value) } else { String::new() };
        Told { value, text }
    }

    fn find(&self, name: &str) -> Result<&Value, Wrong> {
        let own = self.locals[self.base..].iter().rev().find(|(known, _)| **known == *name);
        own.map(|(_, value)| value)
            .or_else(|| self.globals.get(name))
            .ok_or_else(|| format!("{name} is not known"))
    }

    /// A value as the reader knows it: textures by the names of their streams.
    fn shown(&self, value: &Value) -> String {
        match value {
            Value::Sampler(name) => self.textures.get(name).map_or("", |texture| texture.name).into(),
            value => value.to_string(),
        }
    }

    fn eval(&mut self, expr: &Expr) -> Result<Told, Wrong> {
        self.count()?;
        let none = |what: &str| format!("{what} does not fit its operands");
        match expr {
            Expr::Literal(text) => {
                let number = Number::parse(text).ok_or_else(|| format!("{text} is not a number"))?;
                Ok(self.told(Value::Number(number), Value::to_string))
            }
            Expr::Name(name) => {
                let value = self.find(name)?.clone();
                Ok(self.told(value, |value| self.shown(value)))
            }
            Expr::Brackets(inner) => {
                let told = self.eval(inner)?;
                let plain = told.text == told.value.to_string();
                Ok(if plain { told } else { self.told(told.value, |_| format!("({})", told.text)) })
            }
            Expr::Index(of, index) => {
                let (whole, index) = (self.eval(of)?, self.eval(index)?);
                let number = index.value.index().ok_or("an index that is no whole number")?;
                let value = whole.value.at(number).ok_or_else(|| format!("index {number} is outside"))?;
                Ok(self.told(value, Value::to_string))
            }
            Expr::Field(of, name) => {
                let whole = self.eval(of)?;
                let value = whole.value.field(name, self.unit).ok_or_else(|| format!("no field {name}"))?;
                // Of a call, its words; of a variable, its field.
                let is_call = matches!(**of, Expr::Call(..));
                Ok(self.told(value, |value| if is_call { whole.text } else { value.to_string() }))
            }
            Expr::Unary(sign, of) => {
                let told = self.eval(of)?;
                let value = unary(sign, &told.value).ok_or_else(|| none(sign))?;
                Ok(self.told(value, |_| format!("{sign}{}", told.text)))
            }
            Expr::Binary(sign, left, right) => {
                let left = self.eval(left)?;
                if let ("&&", Some(false)) | ("||", Some(true)) = (&**sign, left.value.truth()) {
                    return Ok(left);
                }
                let right = self.eval(right)?;
                let value = match &**sign {
                    "&&" | "||" => right.value,
                    _ => binary(sign, &left.value, &right.value).ok_or_else(|| none(sign))?,
                };
                Ok(self.told(value, |_| format!("{} {sign} {}", left.text, right.text)))
            }
            Expr::Choice(parts) => {
                let [condition, then, or] = &**parts;
                let holds = self.eval(condition)?.value.truth().ok_or_else(|| none("?"))?;
                self.eval(if holds { then } else { or })
            }
            Expr::Assign(sign, to, value) => {
                let mut told = self.eval(value)?;
                if let Some(operator) = sign.strip_suffix('=').filter(|operator| !operator.is_empty()) {
                    let before = self.eval(to)?;
                    let value = binary(operator, &before.value, &told.value).ok_or_else(|| none(operator))?;
                    told = self.told(value, |_| format!("{} {operator} {}", before.text, told.text));
                }
                let text = if self.telling { assigned(&source_of(to), &told) } else { String::new() };
                self.assign(to, told.value.clone())?;
                Ok(Told { value: told.value, text })
            }
            Expr::Step(by, before, of) => {
                let value = self.eval(of)?.value;
                let after = stepped(&value, *by).ok_or_else(|| none("++"))?;
                self.assign(of, after.clone())?;
                let text = |_: &Value| format!("{} = {after}", source_of(of));
                Ok(if *before { self.told(value, text) } else { self.told(after.clone(), text) })
            }
            Expr::Array(of, arguments) => {
                let values = self.all(arguments)?;
                let values: Vec<Value> = values.into_iter().map(|told| told.value).collect();
                let value = constructed(of, &values, self.unit).ok_or_else(|| none("an array"))?;
                Ok(self.told(value, Value::to_string))
            }
            Expr::Call(name, arguments) => self.call(name, arguments),
        }
    }

    fn all(&mut self, exprs: &[Expr]) -> Result<Vec<Told>, Wrong> {
        exprs.iter().map(|expr| self.eval(expr)).collect()
    }

    /// Gives a variable, or a part of it, a value.
    fn assign(&mut self, to: &Expr, value: Value) -> Result<(), Wrong> {
        match to {
            Expr::Name(name) => {
                let base = self.base;
                let own = self.locals[base..].iter_mut().rev().find(|(known, _)| known == name);
                match own.map(|(_, value)| value).or_else(|| self.globals.get_mut(name)) {
                    Some(place) => *place = value,
                    // An output for the next stage.
                    None if name.starts_with("gl_") => drop(self.globals.insert(name.clone(), value)),
                    None => return Err(format!("{name} is not known")),
                }
                Ok(())
            }
            Expr::Brackets(inner) => self.assign(inner, value),
            Expr::Index(of, index) => {
                let telling = std::mem::take(&mut self.telling);
                let index = self.eval(index)?.value.index().ok_or("an index that is no whole number")?;
                let mut whole = self.eval(of)?.value;
                self.telling = telling;
                whole.set_at(index, value).ok_or_else(|| format!("index {index} is outside"))?;
                self.assign(of, whole)
            }
            Expr::Field(of, name) => {
                let telling = std::mem::take(&mut self.telling);
                let mut whole = self.eval(of)?.value;
                self.telling = telling;
                whole.set_field(name, self.unit, value).ok_or_else(|| format!("no field {name}"))?;
                self.assign(of, whole)
            }
            _ => Err("this cannot be given a value".into()),
        }
    }

    fn call(&mut self, name: &Rc<str>, arguments: &[Expr]) -> Result<Told, Wrong> {
        let told = self.all(arguments)?;
        let values: Vec<Value> = told.iter().map(|told| told.value.clone()).collect();
        if let Some(of) = self.unit.type_of(name) {
            let value = constructed(&of, &values, self.unit);
            let value = value.ok_or_else(|| format!("{name} takes other arguments"))?;
            return Ok(self.told(value, |value| match (&told[..], &of) {
                // A conversion; not of several numbers to a vector, which stand there.
                ([one], Type::Scalar(_)) if one.text.contains('[') || one.text.contains('(') => {
                    one.text.clone()
                }
                _ => value.to_string(),
            }));
        }
        if &**name == "texelFetch" {
            let Some(Value::Sampler(sampler)) = values.first() else { return Err("no sampler".into()) };
            let texture = self.textures.get(sampler).ok_or_else(|| format!("{sampler} is not bound"))?;
            let at = values.get(1).map(Value::numbers).filter(|at| !at.is_empty());
            let (texel, numbers) = texture.fetch(at.ok_or("a fetch without a place")?)?;
            let of = texture.of;
            let end = |texel| (texel as usize + 1) * texture.layout.words_per_texel() as usize;
            self.reads_padding |= texel.is_none_or(|texel| end(texel) > texture.words.len());
            self.reads.extend(texel.map(|index| Place { of, index }));
            let value = Value::Vector(numbers);
            return Ok(self.told(value, |value| self.fetched(&values, value)));
        }
        let function = self.unit.functions.get(name).and_then(|all| {
            let sampler = |name: &str| self.textures.get(name).map(|texture| texture.kind.clone());
            let fits = |function: &&Rc<Function>| {
                let fit = |((_, of, _), value): (&(Way, Type, Rc<str>), &Value)| value.is(of, &sampler);
                function.parameters.len() == values.len() && function.parameters.iter().zip(&values).all(fit)
            };
            all.iter().find(fits).cloned()
        });
        let Some(function) = function else {
            let value = built_in(name, &values).ok_or_else(|| format!("{name} is not known for these"))?;
            return Ok(self.told(value, |_| called(name, &told)));
        };
        let telling = self.telling;
        let (value, after) = self.run_function(&function, values.clone())?;
        self.telling = telling;
        let mut texts = told;
        for (number, (way, ..)) in function.parameters.iter().enumerate() {
            if *way == Way::In {
                continue;
            }
            let now = &after[number];
            if self.telling && matches!(now, Value::Number(_)) {
                texts[number].text = format!("{} → {now}", texts[number].text);
            }
            self.assign(&arguments[number], now.clone())?;
        }
        let fetches = matches!(values.first(), Some(Value::Sampler(_)));
        Ok(self.told(value, |value| match fetches && value != &Value::Void {
            true => self.fetched(&values, value),
            false => called(name, &texts),
        }))
    }

    /// Runs a function. Returns its value, and its parameters at the end.
    fn run_function(
        &mut self,
        function: &Function,
        values: Vec<Value>,
    ) -> Result<(Value, Vec<Value>), Wrong> {
        if self.depth >= DEEPEST {
            return Err("functions call each other too deeply".into());
        }
        let base = std::mem::replace(&mut self.base, self.locals.len());
        self.depth += 1;
        let named = function.parameters.iter().map(|(_, _, name)| name.clone());
        self.locals.extend(named.zip(values));
        let flow = self.block(&function.body)?;
        let own = self.locals.split_off(self.base);
        self.base = base;
        self.depth -= 1;
        let after = own.into_iter().map(|(_, value)| value).collect();
        match flow {
            Flow::Return(value) => Ok((value, after)),
            Flow::Discard => Err("a function discards the texel".into()),
            _ => Ok((Value::Void, after)),
        }
    }

    /// A fetch in words: the items of the texel, and its value.
    fn fetched(&self, values: &[Value], value: &Value) -> String {
        let [Value::Sampler(sampler), at, ..] = values else { return value.to_string() };
        let Some(texture) = self.textures.get(sampler) else { return value.to_string() };
        let (layout, name) = (texture.layout, texture.name);
        let at: Vec<i64> = at.numbers().iter().map(|of| i64::from(of.word() as i32)).collect();
        let (x, y) = (at.first().copied().unwrap_or(0), at.get(1).copied().unwrap_or(0));
        let (texel, many) = (y * i64::from(layout.width) + x, i64::from(layout.items_per_texel));
        let value = match value {
            // Of a texel's four channels, those that it has.
            Value::Vector(numbers) => {
                let words = (layout.words_per_texel() as usize).min(numbers.len());
                Value::of_numbers(numbers[..words].to_vec())
            }
            value => value.clone(),
        };
        match many {
            1 => format!("{name}[{texel}] = {value}"),
            _ => format!("{name}[{}..{}] = {value}", texel * many, (texel + 1) * many),
        }
    }
}

/// An assignment in words.
fn assigned(name: &str, told: &Told) -> String {
    format!("{name} = {}", equal(told))
}

/// A value by how it came about, and what it is.
fn equal(Told { value, text }: &Told) -> String {
    let (shown, truth) = (value.to_string(), value.truth().is_some());
    match text.ends_with(&format!("= {shown}")) || *text == shown {
        true => text.clone(),
        false if truth => format!("{text}: {shown}"),
        false => format!("{text} = {shown}"),
    }
}

fn called(name: &str, arguments: &[Told]) -> String {
    let texts: Vec<&str> = arguments.iter().map(|told| &*told.text).collect();
    format!("{name}({})", texts.join(", "))
}

/// The name of what is given a value.
fn source_of(expr: &Expr) -> String {
    match expr {
        Expr::Name(name) => name.to_string(),
        Expr::Field(of, name) => format!("{}.{name}", source_of(of)),
        Expr::Index(of, index) => format!("{}[{}]", source_of(of), source_of(index)),
        Expr::Literal(text) => text.to_string(),
        Expr::Brackets(inner) => source_of(inner),
        _ => "…".into(),
    }
}
