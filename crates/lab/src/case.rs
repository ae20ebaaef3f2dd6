//! A case: what is asked of every contender, and the stream that it is asked of.

use std::fmt;

use serde::{Deserialize, Serialize};

use rasterscan::random::Random;
use rasterscan::registry::Family;
use rasterscan::{
    CompactSpec, Element, ElementType, Error, Operator, Request, ScanKind, ScanSpec, SpecError, memory,
};

use crate::number::grouped;

/// A scan, or a compaction that keeps what is not zero, of numbers made on the spot. In documents by the names that
/// the command line has.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Case {
    #[serde(with = "named::family")]
    pub family: Family,
    /// Items: numbers, or for affine pairs of them.
    pub n: u64,
    #[serde(with = "named::element")]
    pub element: ElementType,
    #[serde(with = "named::operator")]
    pub op: Operator,
    #[serde(with = "named::kind")]
    pub kind: ScanKind,
    pub order: u32,
    pub tuple: u32,
    /// Of a compaction, how many of the elements are kept, from 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
}

impl Case {
    /// The sum of so many u32.
    pub fn scan(n: u64) -> Case {
        Case {
            family: Family::Scan,
            n,
            element: ElementType::U32,
            op: Operator::ADD,
            kind: ScanKind::Inclusive,
            order: 1,
            tuple: 1,
            share: None,
        }
    }

    /// Keeping this share of so many u32.
    pub fn compact(n: u64, share: f64) -> Case {
        Case { family: Family::Compact, share: Some(share), ..Case::scan(n) }
    }

    pub fn request(&self) -> Request {
        match self.family {
            Family::Scan => Request::Scan(self.scan_spec()),
            Family::Compact => Request::Compact(CompactSpec::of(self.element, self.n)),
        }
    }

    /// Also of a compaction: the stream that a copy of it copies.
    pub fn scan_spec(&self) -> ScanSpec {
        let spec = ScanSpec::of(self.element, self.n);
        match self.family {
            Family::Scan => spec.operator(&self.op).kind(self.kind).order(self.order).tuple(self.tuple),
            Family::Compact => spec,
        }
    }

    /// Errors as [`Request::check`].
    pub fn check(&self) -> Result<(), SpecError> {
        self.request().check()
    }

    /// All but the length, for people: `exclusive u64, order 8`; nothing where nothing is out of the ordinary.
    pub fn particulars(&self) -> String {
        let mut words = Vec::new();
        if let Some(share) = self.share {
            words.push(format!("{}% kept", percent(share)));
        }
        if self.element != ElementType::U32 {
            words.push(self.element.to_string());
        }
        if self.op != Operator::ADD {
            words.push(self.op.to_string());
        }
        if self.kind != ScanKind::Inclusive {
            words.push(self.kind.name().into());
        }
        if self.order > 1 {
            words.push(format!("order {}", self.order));
        }
        if self.tuple > 1 {
            words.push(format!("{}-tuples", self.tuple));
        }
        words.join(", ")
    }

    /// The numbers: up to 255, which suit all elements, equally distributed; of a compaction nonzero in this share.
    ///
    /// Errors: [`Error::Memory`].
    pub fn numbers<T: Element>(&self) -> Result<Vec<T>, Error> {
        let mut known = vec![T::ZERO];
        known.extend((0..MAX).scan(T::ZERO, |last, _| {
            *last = last.plus(T::ONE);
            Some(*last)
        }));
        let random = Random { seed: SEED, max: MAX, keep: self.share };
        let mut numbers = memory::room(self.elements() as usize, "the numbers of a case")?;
        numbers.extend(random.values().take(self.elements() as usize).map(|value| known[value as usize]));
        Ok(numbers)
    }

    /// INPUT of `scan` and `compact` that is the same stream.
    pub fn input(&self) -> String {
        let keep = self.share.map_or(String::new(), |share| format!(",keep={share}"));
        format!("random:n={},seed={SEED},max={MAX}{keep}", self.elements())
    }

    /// Numbers of the stream.
    fn elements(&self) -> u64 {
        self.n * u64::from(self.scan_spec().operator.arity())
    }
}

/// The seed of all numbers.
const SEED: u64 = 7;

/// The greatest number.
const MAX: u64 = 255;

/// 0.6 as 60, 0.125 as 12.5.
fn percent(share: f64) -> f64 {
    (share * 1e6).round() / 1e4
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.family {
            Family::Scan => "scan",
            Family::Compact => "compaction",
        };
        write!(f, "{what} of {}", length(self.n))?;
        match self.particulars() {
            particulars if particulars.is_empty() => Ok(()),
            particulars => write!(f, ", {particulars}"),
        }
    }
}

/// A length for people: powers of two from 1024 on as such.
pub fn length(n: u64) -> String {
    if n >= 1024 && n.is_power_of_two() { format!("2^{}", n.trailing_zeros()) } else { grouped(n) }
}

/// How documents name what the library has types for.
mod named {
    use rasterscan::registry::Family;
    use rasterscan::{ElementType, Operator, ScanKind};
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    macro_rules! named {
        ($module:ident, $type:ty, $all:expr) => {
            pub mod $module {
                use super::*;

                pub fn serialize<S: Serializer>(value: &$type, serializer: S) -> Result<S::Ok, S::Error> {
                    serializer.serialize_str(value.name())
                }

                pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                    let name = String::deserialize(deserializer)?;
                    let known = $all.into_iter().find(|value: &$type| value.name() == name);
                    known.ok_or_else(|| {
                        D::Error::custom(format!("there is no {} {name}", stringify!($module)))
                    })
                }
            }
        };
    }
    named!(family, Family, Family::ALL);
    named!(element, ElementType, ElementType::ALL);
    named!(operator, Operator, Operator::ALL);
    named!(kind, ScanKind, [ScanKind::Inclusive, ScanKind::Exclusive]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_name_cases_as_the_command_line_does_and_read_them_again() {
        let case = Case { element: ElementType::I64, order: 2, ..Case::scan(1 << 20) };
        let text = serde_json::to_string(&case).unwrap();
        let expected = r#"{"family":"scan","n":1048576,"element":"i64","op":"add","kind":"inclusive","order":2,"tuple":1}"#;
        assert_eq!(text, expected);
        assert_eq!(serde_json::from_str::<Case>(&text).unwrap(), case);
        let wrong = text.replace("i64", "i65");
        assert!(serde_json::from_str::<Case>(&wrong).unwrap_err().to_string().contains("no element i65"));
    }

    #[test]
    fn cases_are_told_in_few_words() {
        assert_eq!(Case::scan(1 << 20).to_string(), "scan of 2^20");
        assert_eq!(Case::compact(1000, 0.125).to_string(), "compaction of 1,000, 12.5% kept");
        let case = Case { op: Operator::AFFINE, kind: ScanKind::Exclusive, tuple: 3, ..Case::scan(12_345) };
        assert_eq!(case.to_string(), "scan of 12,345, affine, exclusive, 3-tuples");
    }

    #[test]
    fn numbers_are_as_many_as_the_case_says_and_the_share_is_kept() {
        let affine = Case { op: Operator::AFFINE, ..Case::scan(500) };
        assert_eq!(affine.numbers::<u32>().unwrap().len(), 1000);
        let kept = Case::compact(10_000, 0.3).numbers::<i64>().unwrap();
        let kept = kept.iter().filter(|value| **value != 0).count();
        assert!((2_800..3_200).contains(&kept), "{kept}");
        let floats = Case { element: ElementType::F32, ..Case::scan(1000) }.numbers::<f32>().unwrap();
        assert!(floats.iter().all(|value| (0.0..=255.0).contains(value)));
    }
}
