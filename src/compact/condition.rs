//! The condition of a compaction: a comparison of each element with a constant, and how it is written.

use std::cmp::Ordering;
use std::fmt;

use crate::element::{Element, ElementType};
use crate::limits::ConditionError;
use crate::plan::{Plan, Shader, Uniform};
use crate::shared::Text;
use crate::word::Word;

/// A comparison of an element with a constant. `glsl/compact/common/condition.glsl` numbers them in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "recordings",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub enum Comparison {
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
}

impl Comparison {
    /// All comparisons, longer signs first, so that `>=` is not read as `>`.
    pub const ALL: [Comparison; 6] = [
        Comparison::AtLeast,
        Comparison::AtMost,
        Comparison::Equal,
        Comparison::NotEqual,
        Comparison::Greater,
        Comparison::Less,
    ];

    /// The sign: `>`, `>=`, `<`, `<=`, `==`, `!=`.
    pub fn sign(self) -> &'static str {
        match self {
            Comparison::Greater => ">",
            Comparison::AtLeast => ">=",
            Comparison::Less => "<",
            Comparison::AtMost => "<=",
            Comparison::Equal => "==",
            Comparison::NotEqual => "!=",
        }
    }
}

/// A comparison with a constant: an element is kept if it holds.
///
/// As in IEEE arithmetic, a NaN is not equal to anything, and -0.0 is equal to 0.0.
///
/// ```
/// use rasterscan::{Condition, ElementType};
/// let bright = Condition::parse(ElementType::U32, ">= 200").unwrap();
/// assert!(bright.holds(200u32) && !bright.holds(199u32));
/// assert_eq!(bright.to_string(), ">=200");
/// assert_eq!(Condition::parse(ElementType::I64, "nonzero").unwrap(), Condition::nonzero(ElementType::I64));
/// assert!(Condition::parse(ElementType::U32, "< -1").is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "recordings", derive(serde::Serialize, serde::Deserialize))]
pub struct Condition {
    element: ElementType,
    comparison: Comparison,
    /// The constant's words, the lower one in the lower half.
    bits: u64,
    /// True if an element is kept where the comparison does not hold.
    #[cfg_attr(feature = "recordings", serde(default, skip_serializing_if = "std::ops::Not::not"))]
    negated: bool,
}

impl Condition {
    /// The condition `element comparison constant`.
    pub fn new<T: Element>(comparison: Comparison, constant: T) -> Condition {
        let mut words = [0u8; 8];
        let bytes = bytemuck::bytes_of(&constant);
        words[..bytes.len()].copy_from_slice(bytes);
        Condition { element: T::TYPE, comparison, bits: u64::from_ne_bytes(words), negated: false }
    }

    /// The condition `!= 0`.
    pub fn nonzero(element: ElementType) -> Condition {
        Condition { element, comparison: Comparison::NotEqual, bits: 0, negated: false }
    }

    /// Reads `nonzero`, or a comparison sign and a number of this element, with or without a space between.
    ///
    /// Errors: [`ConditionError`], with what was expected.
    pub fn parse(element: ElementType, text: &str) -> Result<Condition, ConditionError> {
        let trimmed = text.trim();
        if trimmed == "nonzero" {
            return Ok(Condition::nonzero(element));
        }
        let found = Comparison::ALL
            .into_iter()
            .find_map(|comparison| Some((comparison, trimmed.strip_prefix(comparison.sign())?)));
        let Some((comparison, number)) = found else {
            return Err(ConditionError::Syntax(text.into()));
        };
        let number = number.trim();
        let condition = match element {
            ElementType::U32 => number.parse().map(|x: u32| Condition::new(comparison, x)).ok(),
            ElementType::I32 => number.parse().map(|x: i32| Condition::new(comparison, x)).ok(),
            ElementType::U64 => number.parse().map(|x: u64| Condition::new(comparison, x)).ok(),
            ElementType::I64 => number.parse().map(|x: i64| Condition::new(comparison, x)).ok(),
            ElementType::F32 => finite(number).map(|x| Condition::new(comparison, x)),
        };
        condition.ok_or_else(|| ConditionError::Number {
            condition: text.into(),
            number: number.into(),
            element,
        })
    }

    /// The condition that holds for all other elements. It is no comparison if there are NaNs: those are not greater than
    /// a number, nor at most as great.
    pub fn opposite(self) -> Condition {
        Condition { negated: !self.negated, ..self }
    }

    /// The number of the comparison in shaders: from 6 on, of those that do not hold.
    pub(crate) fn code(&self) -> i64 {
        self.comparison as i64 + if self.negated { 6 } else { 0 }
    }

    /// The type of the constant, which must be the stream's.
    pub fn element(&self) -> ElementType {
        self.element
    }

    /// The comparison, without its constant.
    pub fn comparison(&self) -> Comparison {
        self.comparison
    }

    /// The constant's words: the lower (or only) one, then the higher.
    pub fn words(&self) -> [u32; 2] {
        [self.bits as u32, (self.bits >> 32) as u32]
    }

    /// The constant as a uniform of every compaction by this comparison, to change it between two runs:
    /// [`Prepared::set`](crate::Prepared::set).
    ///
    /// ```
    /// # #[cfg(feature = "headless")]
    /// # fn main() -> Result<(), rasterscan::Error> {
    /// use rasterscan::compact::texture::PackedCompaction;
    /// use rasterscan::{Algorithm, CompactSpec, Comparison, Condition, Gpu};
    ///
    /// let gpu = Gpu::headless()?;
    /// let above = |limit: u32| Condition::new(Comparison::Greater, limit);
    /// let spec = CompactSpec::new::<u32>(4).keep(above(2));
    /// let mut prepared = gpu.prepare(&PackedCompaction::default().plan(&spec, gpu.device())?)?;
    /// let input = prepared.upload(&[3u32, 1, 4, 2])?;
    /// assert_eq!(prepared.run([&input])?.get("count").unwrap().read::<u32>()?, [2]);
    /// let (name, value) = above(1).uniform();
    /// prepared.set(name, value)?;
    /// assert_eq!(prepared.run([&input])?.get("count").unwrap().read::<u32>()?, [3]);
    /// # Ok(())
    /// # }
    /// # #[cfg(not(feature = "headless"))]
    /// # fn main() {}
    /// ```
    pub fn uniform(&self) -> (&'static str, Uniform) {
        ("u_constant", Uniform::Int2(self.words().map(|word| word as i32)))
    }

    /// Returns true if an element is kept.
    ///
    /// # Panics
    ///
    /// If `T` is not the condition's element.
    pub fn holds<T: Element>(&self, value: T) -> bool {
        let order = value.partial_cmp(&self.constant());
        let holds = match self.comparison {
            Comparison::Greater => order == Some(Ordering::Greater),
            Comparison::AtLeast => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
            Comparison::Less => order == Some(Ordering::Less),
            Comparison::AtMost => matches!(order, Some(Ordering::Less | Ordering::Equal)),
            Comparison::Equal => order == Some(Ordering::Equal),
            Comparison::NotEqual => order != Some(Ordering::Equal),
        };
        holds != self.negated
    }

    fn constant<T: Element>(&self) -> T {
        assert_eq!(T::TYPE, self.element, "the condition is on another element");
        bytemuck::pod_read_unaligned(&self.bits.to_ne_bytes()[..size_of::<T>()])
    }
}

/// The f32 nearest to a number within its range, or an infinity by name. An integer must be exact, and a nonzero number
/// must not become zero.
fn finite(text: &str) -> Option<f32> {
    let value = Word(text).single(true).ok()?;
    let mantissa = text.split(['e', 'E']).next().unwrap_or_default();
    let vanishes = value == 0.0 && mantissa.contains(|digit: char| ('1'..='9').contains(&digit));
    (!value.is_nan() && !vanishes).then_some(value)
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Condition::nonzero(self.element) {
            return write!(f, "nonzero");
        }
        if self.negated {
            return write!(f, "not {}", self.opposite());
        }
        write!(f, "{}", self.comparison.sign())?;
        match self.element {
            ElementType::U32 => write!(f, "{}", self.constant::<u32>()),
            ElementType::I32 => write!(f, "{}", self.constant::<i32>()),
            ElementType::F32 => write!(f, "{}", self.constant::<f32>()),
            ElementType::U64 => write!(f, "{}", self.constant::<u64>()),
            ElementType::I64 => write!(f, "{}", self.constant::<i64>()),
        }
    }
}

impl Plan {
    /// The same plan of a compaction by a condition of the caller's (roger2007, figure 3): GLSL that defines `bool
    /// is_kept(Element value)`, with the functions of `glsl/common/element/`. It takes the place of the condition that the
    /// plan was made for, in every pass that decides. An error in the text is reported as `glsl/condition NAME:line`.
    ///
    /// ```
    /// use rasterscan::compact::texture::PackedCompaction;
    /// use rasterscan::{Algorithm, CompactSpec, Device};
    /// let plan = PackedCompaction::default().plan(&CompactSpec::new::<u32>(1000), &Device::gl33())?;
    /// let odd = plan.with_condition("odd", "bool is_kept(Element value) { return (value & 1u) == 1u; }");
    /// # let _ = odd;
    /// # Ok::<(), rasterscan::Error>(())
    /// ```
    pub fn with_condition(self, name: &str, glsl: impl Into<Text>) -> Plan {
        let (path, glsl) = (format!("condition {name}"), glsl.into());
        let include = format!("#include <element>\nuniform ivec2 u_constant;\n#include \"{path}\"\n");
        let own = |shader: &Shader| {
            shader
                .with_include("compact/common/condition.glsl", include.clone())
                .with_include(path.clone(), glsl.clone())
        };
        self.with_shaders_of(|pass| pass.defines().iter().any(|(name, _)| *name == "COMPARISON"), own)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_comparison_is_what_it_says() {
        let cases = [
            (">3", [false, false, true]),
            (">=3", [false, true, true]),
            ("<3", [true, false, false]),
            ("<= 3", [true, true, false]),
            ("==3", [false, true, false]),
            (" != 3 ", [true, false, true]),
        ];
        for (text, expected) in cases {
            let condition = Condition::parse(ElementType::I64, text).unwrap();
            assert_eq!([2i64, 3, 4].map(|x| condition.holds(x)), expected, "{text}");
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        for (element, text) in [
            (ElementType::U32, "< -1"),
            (ElementType::U32, ">4294967296"),
            (ElementType::I32, ">2147483648"),
            (ElementType::U64, "==1.5"),
            (ElementType::F32, ">1e40"),
            (ElementType::F32, ">=16777217"),
            (ElementType::F32, ">=1e-50"),
            (ElementType::F32, "==nan"),
            (ElementType::F32, ">"),
        ] {
            let error = Condition::parse(element, text).unwrap_err();
            assert!(matches!(error, ConditionError::Number { .. }), "{text}: {error}");
        }
        for text in ["", "bright", "=3", "3", "non zero"] {
            let error = Condition::parse(ElementType::U32, text).unwrap_err();
            assert!(matches!(error, ConditionError::Syntax(_)), "{text}: {error}");
        }
        for text in ["<-inf", ">=0e5", "==-0.0", ">1e-45"] {
            assert!(Condition::parse(ElementType::F32, text).is_ok(), "{text}");
        }
    }

    #[test]
    fn floats_compare_as_ieee_says() {
        let holds = |text: &str, x: f32| Condition::parse(ElementType::F32, text).unwrap().holds(x);
        assert!(holds("nonzero", f32::NAN) && !holds("nonzero", -0.0) && holds("nonzero", 1e-45));
        assert!(!holds("<1", f32::NAN) && !holds(">=1", f32::NAN) && holds("!=1", f32::NAN));
        let above = Condition::parse(ElementType::F32, ">1").unwrap();
        for x in [0.0f32, 1.0, 2.0, f32::NAN] {
            assert_eq!(above.opposite().holds(x), !above.holds(x), "{x}");
        }
        assert_eq!((above.opposite().to_string().as_str(), above.opposite().opposite()), ("not >1", above));
        assert!(holds("==0", -0.0) && !holds("<0", -0.0));
    }
}
