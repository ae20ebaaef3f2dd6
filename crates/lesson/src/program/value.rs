//! Values of GLSL, and its built-in functions, as far as the shaders use them.

use std::fmt::{self, Write as _};
use std::rc::Rc;

use super::syntax::{Scalar, Type, Unit};
use crate::guard::condition;

/// A number or a truth value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Number {
    Bool(bool),
    Int(i32),
    Uint(u32),
    Float(f32),
}

use Number::{Bool, Float, Int, Uint};

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Void,
    Number(Number),
    Vector(Vec<Number>),
    /// A struct by its name, and its fields.
    Struct(Rc<str>, Vec<Value>),
    Array(Vec<Value>),
    /// A sampler, by the name of its uniform.
    Sampler(Rc<str>),
}

impl Number {
    fn kind(self) -> Scalar {
        match self {
            Bool(_) => Scalar::Bool,
            Int(_) => Scalar::Int,
            Uint(_) => Scalar::Uint,
            Float(_) => Scalar::Float,
        }
    }

    /// The number as another type, by GLSL's constructors.
    fn as_kind(self, kind: Scalar) -> Number {
        match (kind, self) {
            (Scalar::Bool, of) => Bool(of != of.zero()),
            (Scalar::Int, Bool(of)) => Int(of.into()),
            (Scalar::Int, Uint(of)) => Int(of as i32),
            (Scalar::Int, Float(of)) => Int(of as i32),
            (Scalar::Uint, Bool(of)) => Uint(of.into()),
            (Scalar::Uint, Int(of)) => Uint(of as u32),
            (Scalar::Uint, Float(of)) => Uint(of as u32),
            (Scalar::Float, Bool(of)) => Float(u8::from(of).into()),
            (Scalar::Float, Int(of)) => Float(of as f32),
            (Scalar::Float, Uint(of)) => Float(of as f32),
            _ => self,
        }
    }

    fn zero(self) -> Number {
        Number::zero_of(self.kind())
    }

    fn zero_of(kind: Scalar) -> Number {
        match kind {
            Scalar::Bool => Bool(false),
            Scalar::Int => Int(0),
            Scalar::Uint => Uint(0),
            Scalar::Float => Float(0.0),
        }
    }

    /// A number of a texel's channel.
    pub fn of_word(kind: Scalar, word: u32) -> Number {
        match kind {
            Scalar::Float => Float(f32::from_bits(word)),
            Scalar::Int => Int(word as i32),
            _ => Uint(word),
        }
    }

    /// The word in a texel's channel.
    pub fn word(self) -> u32 {
        match self {
            Bool(of) => of.into(),
            Int(of) => of as u32,
            Uint(of) => of,
            Float(of) => of.to_bits(),
        }
    }

    /// A number as it is written.
    pub fn parse(text: &str) -> Option<Number> {
        match (text, condition::whole(text)) {
            ("true", _) => Some(Bool(true)),
            ("false", _) => Some(Bool(false)),
            (_, Some(whole)) if text.ends_with(['u', 'U']) => u32::try_from(whole).ok().map(Uint),
            (_, Some(whole)) => u32::try_from(whole).ok().map(|whole| Int(whole as i32)),
            _ => text.trim_end_matches(['f', 'F']).parse().ok().map(Float),
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Bool(of) => of.fmt(f),
            Int(of) => of.fmt(f),
            Uint(of) => of.fmt(f),
            Float(of) => of.fmt(f),
        }
    }
}

/// The most parts of a value that are shown.
const MOST_SHOWN: usize = 6;

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |parts: Vec<String>| {
            let mut text = parts[..parts.len().min(MOST_SHOWN)].join(", ");
            if parts.len() > MOST_SHOWN {
                let _ = write!(text, ", …");
            }
            text
        };
        match self {
            Value::Void => Ok(()),
            Value::Number(number) => number.fmt(f),
            Value::Vector(numbers) => {
                write!(f, "({})", list(numbers.iter().map(Number::to_string).collect()))
            }
            Value::Struct(_, fields) => {
                write!(f, "({})", list(fields.iter().map(Value::to_string).collect()))
            }
            Value::Array(of) if of.len() == 1 => of[0].fmt(f),
            Value::Array(of) => write!(f, "[{}]", list(of.iter().map(Value::to_string).collect())),
            Value::Sampler(name) => name.fmt(f),
        }
    }
}

impl Value {
    /// The value of a type that nothing was given to.
    pub fn zero(of: &Type, unit: &Unit) -> Value {
        match of {
            Type::Void | Type::Sampler(..) => Value::Void,
            Type::Scalar(kind) => Value::Number(Number::zero_of(*kind)),
            Type::Vector(kind, size) => Value::Vector(vec![Number::zero_of(*kind); *size]),
            Type::Array(of, size) => Value::Array(vec![Value::zero(of, unit); *size]),
            Type::Struct(name) => {
                let fields = unit.structs.get(name).map_or(&[][..], |fields| fields);
                Value::Struct(name.clone(), fields.iter().map(|(of, _)| Value::zero(of, unit)).collect())
            }
        }
    }

    /// Returns true if it has a type. A sampler has every type of sampler that `sampler` says its name has.
    pub fn is(&self, of: &Type, sampler: &dyn Fn(&str) -> Option<Type>) -> bool {
        match (self, of) {
            (Value::Number(number), Type::Scalar(kind)) => number.kind() == *kind,
            (Value::Vector(numbers), Type::Vector(kind, size)) => {
                numbers.len() == *size && numbers[0].kind() == *kind
            }
            (Value::Struct(own, _), Type::Struct(name)) => own == name,
            (Value::Array(values), Type::Array(of, size)) => {
                values.len() == *size && values.iter().all(|value| value.is(of, sampler))
            }
            (Value::Sampler(name), of) => sampler(name).as_ref() == Some(of),
            _ => false,
        }
    }

    pub fn truth(&self) -> Option<bool> {
        match self {
            Value::Number(Bool(truth)) => Some(*truth),
            _ => None,
        }
    }

    /// A whole number, for an index.
    pub fn index(&self) -> Option<usize> {
        match self {
            Value::Number(Int(of)) => usize::try_from(*of).ok(),
            Value::Number(Uint(of)) => usize::try_from(*of).ok(),
            _ => None,
        }
    }

    /// Its numbers, of a number or a vector.
    pub fn numbers(&self) -> &[Number] {
        match self {
            Value::Number(number) => std::slice::from_ref(number),
            Value::Vector(numbers) => numbers,
            _ => &[],
        }
    }

    /// A number, or a vector of several.
    pub fn of_numbers(mut numbers: Vec<Number>) -> Value {
        match numbers.len() {
            1 => Value::Number(numbers.remove(0)),
            _ => Value::Vector(numbers),
        }
    }

    /// A part by its index; `None` outside.
    pub fn at(&self, index: usize) -> Option<Value> {
        match self {
            Value::Vector(numbers) => numbers.get(index).copied().map(Value::Number),
            Value::Array(values) => values.get(index).cloned(),
            _ => None,
        }
    }

    pub fn set_at(&mut self, index: usize, value: Value) -> Option<()> {
        match (self, value) {
            (Value::Vector(numbers), Value::Number(number)) => *numbers.get_mut(index)? = number,
            (Value::Array(values), value) => *values.get_mut(index)? = value,
            _ => return None,
        }
        Some(())
    }

    /// A field of a struct, or components of a vector.
    pub fn field(&self, name: &str, unit: &Unit) -> Option<Value> {
        match self {
            Value::Struct(own, values) => values.get(field_of(unit, own, name)?).cloned(),
            Value::Vector(numbers) => {
                let numbers: Option<Vec<Number>> =
                    components(name)?.into_iter().map(|at| numbers.get(at).copied()).collect();
                numbers.map(Value::of_numbers)
            }
            _ => None,
        }
    }

    pub fn set_field(&mut self, name: &str, unit: &Unit, value: Value) -> Option<()> {
        match self {
            Value::Struct(own, values) => *values.get_mut(field_of(unit, own, name)?)? = value,
            Value::Vector(numbers) => {
                for (at, number) in components(name)?.into_iter().zip(value.numbers()) {
                    *numbers.get_mut(at)? = *number;
                }
            }
            _ => return None,
        }
        Some(())
    }
}

fn field_of(unit: &Unit, of: &str, name: &str) -> Option<usize> {
    unit.structs.get(of)?.iter().position(|(_, field)| **field == *name)
}

/// The components that letters name.
fn components(letters: &str) -> Option<Vec<usize>> {
    let at = |letter| ["xyzw", "rgba", "stpq"].iter().find_map(|set| set.find(letter));
    letters.chars().map(at).collect()
}

/// Applies a function to numbers side by side; a single number stands for as many as the other has.
fn each(left: &Value, right: &Value, of: impl Fn(Number, Number) -> Option<Number>) -> Option<Value> {
    let (a, b) = (left.numbers(), right.numbers());
    let size = a.len().max(b.len());
    if a.is_empty() || b.is_empty() || ![1, size].contains(&a.len()) || ![1, size].contains(&b.len()) {
        return None;
    }
    let at = |numbers: &[Number], i: usize| numbers[if numbers.len() == 1 { 0 } else { i }];
    let numbers: Option<Vec<Number>> = (0..size).map(|i| of(at(a, i), at(b, i))).collect();
    numbers.map(Value::of_numbers)
}

/// A binary operator, but for those that may leave out their right side.
pub fn binary(sign: &str, left: &Value, right: &Value) -> Option<Value> {
    match sign {
        "==" => return Some(Value::Number(Bool(left == right))),
        "!=" => return Some(Value::Number(Bool(left != right))),
        _ => {}
    }
    each(left, right, |a, b| {
        Some(match (sign, a, b) {
            ("<<", Int(a), _) => Int(a.wrapping_shl(b.word())),
            ("<<", Uint(a), _) => Uint(a.wrapping_shl(b.word())),
            (">>", Int(a), _) => Int(a.wrapping_shr(b.word())),
            (">>", Uint(a), _) => Uint(a.wrapping_shr(b.word())),
            ("^^", Bool(a), Bool(b)) => Bool(a != b),
            (_, Int(a), Int(b)) => match (sign, whole(sign, a as u32, b as u32)) {
                (_, Some(bits)) => Int(bits as i32),
                ("/", _) => Int(a.checked_div(b).unwrap_or(0)),
                ("%", _) => Int(a.checked_rem(b).unwrap_or(0)),
                _ => Bool(compare(sign, a, b)?),
            },
            (_, Uint(a), Uint(b)) => match (sign, whole(sign, a, b)) {
                (_, Some(bits)) => Uint(bits),
                ("/", _) => Uint(a.checked_div(b).unwrap_or(0)),
                ("%", _) => Uint(a.checked_rem(b).unwrap_or(0)),
                _ => Bool(compare(sign, a, b)?),
            },
            (_, Float(a), Float(b)) => match sign {
                "+" => Float(a + b),
                "-" => Float(a - b),
                "*" => Float(a * b),
                "/" => Float(a / b),
                _ => Bool(compare(sign, a, b)?),
            },
            _ => return None,
        })
    })
}

/// The operators whose results have the same bits with a sign and without.
fn whole(sign: &str, a: u32, b: u32) -> Option<u32> {
    Some(match sign {
        "+" => a.wrapping_add(b),
        "-" => a.wrapping_sub(b),
        "*" => a.wrapping_mul(b),
        "&" => a & b,
        "|" => a | b,
        "^" => a ^ b,
        _ => return None,
    })
}

fn compare<T: PartialOrd>(sign: &str, a: T, b: T) -> Option<bool> {
    Some(match sign {
        "<" => a < b,
        ">" => a > b,
        "<=" => a <= b,
        ">=" => a >= b,
        _ => return None,
    })
}

/// A unary operator.
pub fn unary(sign: &str, of: &Value) -> Option<Value> {
    let one = |number: &Number| {
        Some(match (sign, *number) {
            ("!", Bool(of)) => Bool(!of),
            ("-", Int(of)) => Int(of.wrapping_neg()),
            ("-", Uint(of)) => Uint(of.wrapping_neg()),
            ("-", Float(of)) => Float(-of),
            ("~", Int(of)) => Int(!of),
            ("~", Uint(of)) => Uint(!of),
            ("+", of) => of,
            _ => return None,
        })
    };
    let numbers: Option<Vec<Number>> = of.numbers().iter().map(one).collect();
    numbers.filter(|numbers| !numbers.is_empty()).map(Value::of_numbers)
}

/// A number of the same type, for `++` and `--`.
pub fn stepped(of: &Value, by: i32) -> Option<Value> {
    let numbers = of.numbers().iter().map(|number| Int(by).as_kind(number.kind())).collect();
    binary("+", of, &Value::of_numbers(numbers))
}

/// The value of a constructor; `None` if its arguments are not those of the type.
pub fn constructed(of: &Type, arguments: &[Value], unit: &Unit) -> Option<Value> {
    let numbers = || arguments.iter().flat_map(Value::numbers).copied();
    match of {
        Type::Scalar(kind) => Some(Value::Number(numbers().next()?.as_kind(*kind))),
        Type::Vector(kind, size) => {
            let mut all: Vec<Number> = numbers().map(|number| number.as_kind(*kind)).collect();
            if all.len() == 1 {
                all = vec![all[0]; *size];
            }
            all.truncate(*size);
            (all.len() == *size).then_some(Value::Vector(all))
        }
        Type::Struct(name) => (arguments.len() == unit.structs.get(name)?.len())
            .then(|| Value::Struct(name.clone(), arguments.to_vec())),
        Type::Array(_, size) => (arguments.len() == *size).then(|| Value::Array(arguments.to_vec())),
        _ => None,
    }
}

/// A built-in function; `None` if it is not known, or takes other arguments.
pub fn built_in(name: &str, arguments: &[Value]) -> Option<Value> {
    let truth = |truth| Some(Value::Number(Bool(truth)));
    let sign = match name {
        "lessThan" => "<",
        "lessThanEqual" => "<=",
        "greaterThan" => ">",
        "greaterThanEqual" => ">=",
        _ => "",
    };
    match arguments {
        [of] => match name {
            "any" => truth(of.numbers().contains(&Bool(true))),
            "all" => truth(of.numbers().iter().all(|one| *one == Bool(true))),
            "not" => unary("!", of),
            _ => {
                let one = |number: &Number| {
                    Some(match (name, *number) {
                        ("floatBitsToUint", Float(of)) => Uint(of.to_bits()),
                        ("floatBitsToInt", Float(of)) => Int(of.to_bits() as i32),
                        ("uintBitsToFloat", Uint(of)) => Float(f32::from_bits(of)),
                        ("intBitsToFloat", Int(of)) => Float(f32::from_bits(of as u32)),
                        ("abs", Int(of)) => Int(of.wrapping_abs()),
                        ("abs", Float(of)) => Float(of.abs()),
                        ("floor", Float(of)) => Float(of.floor()),
                        ("ceil", Float(of)) => Float(of.ceil()),
                        ("isnan", Float(of)) => Bool(of.is_nan()),
                        ("isinf", Float(of)) => Bool(of.is_infinite()),
                        _ => return None,
                    })
                };
                let numbers: Option<Vec<Number>> = of.numbers().iter().map(one).collect();
                numbers.filter(|numbers| !numbers.is_empty()).map(Value::of_numbers)
            }
        },
        [left, right] if !sign.is_empty() => each(left, right, |a, b| {
            binary(sign, &Value::Number(a), &Value::Number(b))?.numbers().first().copied()
        }),
        [left, right] => match name {
            "min" => each(left, right, |a, b| Some(if less(b, a)? { b } else { a })),
            "max" => each(left, right, |a, b| Some(if less(a, b)? { b } else { a })),
            "equal" => each(left, right, |a, b| Some(Bool(a == b))),
            "notEqual" => each(left, right, |a, b| Some(Bool(a != b))),
            _ => None,
        },
        [of, least, most] if name == "clamp" => {
            built_in("min", &[built_in("max", &[of.clone(), least.clone()])?, most.clone()])
        }
        _ => None,
    }
}

fn less(a: Number, b: Number) -> Option<bool> {
    binary("<", &Value::Number(a), &Value::Number(b))?.truth()
}
