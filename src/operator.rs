//! The associative operators of a scan: values with everything that a shader and the CPU's reference need.

pub mod built_in;
mod definition;
mod first;
mod interval;
mod samples;

use std::fmt;

pub(crate) use built_in::FILES;
pub use built_in::Visitor;
pub(crate) use definition::Member;
pub use definition::{BuiltIn, Definition, Notation, OperatorError, Rounding};
pub(crate) use first::{first_index, first_word, index_of, numbered};
pub use interval::Interval;

use crate::element::{Element, ElementType};
use crate::shared::Shared;
use definition::Meaning;

/// The most elements in an item: those of a caller's operator, and a flag.
pub const MOST_ELEMENTS: usize = Definition::MOST_WORDS as usize + 1;

/// The beginning of the names of segmented operators.
const SEGMENTED: &str = "segmented_";

/// An associative operator, cheap to clone: one of the constants here, or one that the caller defined.
///
/// Two operators are equal if they have the same name, GLSL, identity and properties; twins are not compared.
///
/// ```
/// use rasterscan::operator::Definition;
/// use rasterscan::{ElementType, Operator};
/// assert_eq!(Operator::MAX.combine([3u32, 0], [5, 0]), Some([5, 0]));
/// let glsl = String::from("Item combine(Item left, Item right) { return ~(left ^ right); }\n");
/// let xnor = Definition::new("xnor", glsl)
///     .identity(ElementType::U32, &[u32::MAX])
///     .commutes(true)
///     .twin(|_, left, right, result| result[0] = !(left[0] ^ right[0]));
/// let xnor = Operator::new(xnor)?;
/// assert_eq!(xnor.combine([6u32, 0], [u32::MAX, 0]), Some([6, 0]));
/// # Ok::<(), rasterscan::operator::OperatorError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Operator(Shared<Definition>);

/// A loop over items: see [`Operator::running`].
pub(crate) type Running<'o, T> = Box<dyn Fn(&mut [T], bool, &mut [T]) + 'o>;

impl Operator {
    /// An operator from a caller's definition. If it has a twin, that is tried on small numbers: combined with the identity,
    /// on either side, they must stay as they are. [`Self::counterexample`] tells if it is not associative.
    ///
    /// Errors: a name that does not fit into file names and command lines or is a built-in operator's, and identities
    /// that are missing, inconsistent or wrong.
    pub fn new(definition: Definition) -> Result<Operator, OperatorError> {
        definition.check()?;
        let operator = Operator(Shared::Counted(definition.into()));
        operator.check_identities()?;
        Ok(operator)
    }

    /// The built-in operator of this name, including those of proofs and [segmented](Self::segmented) ones.
    pub fn named(name: &str) -> Option<Operator> {
        if let Some(inner) = name.strip_prefix(SEGMENTED) {
            return Operator::named(inner)
                .filter(|inner| inner.values().is_none())
                .map(|inner| inner.segmented());
        }
        let mut all = Operator::ALL.into_iter().chain(Operator::PROVING).chain(Operator::FIRSTS);
        all.find(|operator| operator.name() == name)
    }

    /// This operator on segments: its items have a further element, which is not zero where a segment begins, and nothing
    /// before such an item is combined with it. A scan by it is a segmented scan (sengupta2007, section 3).
    pub fn segmented(&self) -> Operator {
        let definition = Definition {
            name: format!("{SEGMENTED}{}", self.name()).into(),
            glsl: Shared::Constant(""),
            arity: self.arity() + 1,
            commutes: false,
            rounding: Rounding::Unknown,
            notation: Notation::Call,
            meaning: Meaning::Segmented(self.clone()),
        };
        Operator(Shared::Counted(definition.into()))
    }

    /// The operator on values of which this is the [segmented](Self::segmented) form, if it is one.
    pub fn values(&self) -> Option<&Operator> {
        match &self.0.meaning {
            Meaning::Segmented(values) => Some(values),
            _ => None,
        }
    }

    /// The name on the command line, in file names of shaders and in reports.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// Returns true if `a op b` equals `b op a` for all items.
    pub fn commutes(&self) -> bool {
        self.0.commutes
    }

    /// Elements in one item, the operand of the operator: 2 for affine and for pairs, 1 for the other built-in ones, and
    /// for a caller's operator as many as its identity has.
    pub fn arity(&self) -> u32 {
        self.0.arity
    }

    /// The rounding errors of its float results, which depend on the order of evaluation.
    pub fn rounding(&self) -> Rounding {
        self.0.rounding
    }

    /// The notation of combined items.
    pub fn notation(&self) -> Notation {
        self.0.notation
    }

    /// Returns true if the operator is defined on this element. A built-in one may exclude floats (`BuiltIn::FLOATS`).
    /// A caller's operator is defined on the elements that it has an identity for.
    pub fn accepts(&self, element: ElementType) -> bool {
        match &self.0.meaning {
            Meaning::BuiltIn { floats, .. } => *floats || !element.is_float(),
            Meaning::Custom { identities, .. } => identities.iter().any(|(accepted, _)| *accepted == element),
            Meaning::Segmented(values) => values.accepts(element),
        }
    }

    /// The elements that the operator is defined on, in words: `integers`, or `u32, i32`.
    pub(crate) fn domain(&self) -> String {
        match &self.0.meaning {
            Meaning::BuiltIn { floats: false, .. } => "integers".into(),
            Meaning::Segmented(values) => values.domain(),
            _ => {
                let accepted = ElementType::ALL.into_iter().filter(|element| self.accepts(*element));
                accepted.map(ElementType::name).collect::<Vec<_>>().join(", ")
            }
        }
    }

    /// 32-bit words in one item: 1 to [`Definition::MOST_WORDS`].
    pub fn item_words(&self, element: ElementType) -> u32 {
        self.arity() * element.words()
    }

    /// The identity, as an item with room for `N` elements; zeros where the operator does not accept the element.
    ///
    /// # Panics
    ///
    /// If `N` is less than [`Self::arity`].
    pub fn identity<T: Element, const N: usize>(&self) -> [T; N] {
        let mut item = [T::ZERO; N];
        let own = &mut item[..self.arity() as usize];
        match &self.0.meaning {
            Meaning::BuiltIn { functions, .. } => {
                own.copy_from_slice(&(functions.on::<T>().identity)()[..own.len()]);
            }
            Meaning::Custom { .. } => {
                if let Some(words) = self.identity_words(T::TYPE) {
                    bytemuck::cast_slice_mut(own).copy_from_slice(words);
                }
            }
            Meaning::Segmented(values) => return values.identity(),
        }
        item
    }

    /// The members of an item that have names and types of their own; none of other operators.
    pub(crate) fn members(&self) -> &[Member] {
        match &self.0.meaning {
            Meaning::Custom { members, .. } => members,
            _ => &[],
        }
    }

    /// Returns true if results on an element depend on the order of evaluation, or may: those of floats.
    pub(crate) fn has_floats(&self, element: ElementType) -> bool {
        let of_values = self.values().is_some_and(|values| values.has_floats(element));
        element.is_float() || of_values || self.members().iter().any(|member| member.element.is_float())
    }

    /// The identity of a caller's operator, in words.
    pub(crate) fn identity_words(&self, element: ElementType) -> Option<&[u32]> {
        let Meaning::Custom { identities, .. } = &self.0.meaning else { return None };
        let (_, words) = identities.iter().find(|(accepted, _)| *accepted == element)?;
        Some(words)
    }

    /// The function that combines an earlier item and a later one on the CPU: items with room for `N` elements, of which
    /// the first [`Self::arity`] count. The operator must accept the element. `None` if the caller's definition has no
    /// twin.
    ///
    /// # Panics
    ///
    /// The function panics if `N` is less than [`Self::arity`].
    pub fn twin<T: Element, const N: usize>(&self) -> Option<impl Fn([T; N], [T; N]) -> [T; N]> {
        // The operator on values. Flags of segments follow a value, the outermost last.
        let mut values = self;
        while let Meaning::Segmented(inner) = &values.0.meaning {
            values = inner;
        }
        let arity = values.arity() as usize;
        let flags = arity..self.arity() as usize;
        let own = match &values.0.meaning {
            Meaning::BuiltIn { functions, .. } => Err(functions.on::<T>().combine),
            Meaning::Custom { twin, .. } => Ok(twin.as_ref()?),
            Meaning::Segmented(_) => return None,
        };
        Some(move |left: [T; N], right: [T; N]| {
            let mut result = [T::ZERO; N];
            for flag in flags.clone().rev() {
                if right[flag] != T::ZERO {
                    result[..=flag].copy_from_slice(&right[..=flag]);
                    return result;
                }
                result[flag] = left[flag];
            }
            match own {
                Err(combine) => {
                    let pair = |item: [T; N]| [item[0], item.get(1).copied().unwrap_or(T::ZERO)];
                    let combined = combine(pair(left), pair(right));
                    result.iter_mut().zip(combined).take(arity).for_each(|(result, one)| *result = one);
                }
                Ok(twin) => {
                    let [left, right] = [&left, &right].map(|item| bytemuck::cast_slice(&item[..arity]));
                    (twin.0)(T::TYPE, left, right, bytemuck::cast_slice_mut(&mut result[..arity]));
                }
            }
            result
        })
    }

    /// `left` combined with `right` by the [twin](Self::twin), if there is one.
    pub fn combine<T: Element, const N: usize>(&self, left: [T; N], right: [T; N]) -> Option<[T; N]> {
        self.twin().map(|combine| combine(left, right))
    }

    /// The loop of a scan on the CPU, compiled for each built-in operator and element: [`definition::running`]. `None` as for
    /// [`Self::twin`].
    pub(crate) fn running<T: Element>(&self) -> Option<Running<'_, T>> {
        match &self.0.meaning {
            Meaning::BuiltIn { functions, .. } => Some(Box::new(functions.on::<T>().running)),
            _ if self.arity() <= 2 => self.running_twin::<T, 2>(),
            _ => self.running_twin::<T, MOST_ELEMENTS>(),
        }
    }

    fn running_twin<T: Element, const N: usize>(&self) -> Option<Running<'_, T>> {
        let (twin, arity) = (self.twin::<T, N>()?, self.arity() as usize);
        Some(Box::new(move |sums, exclusive, items| {
            definition::running(&twin, arity, sums, exclusive, items);
        }))
    }

    /// The text that `#include <operator>` stands for.
    pub(crate) fn glsl(&self) -> &str {
        &self.0.glsl
    }

    pub(crate) fn is_built_in(&self) -> bool {
        matches!(self.0.meaning, Meaning::BuiltIn { .. })
    }
}

impl From<&Operator> for Operator {
    fn from(operator: &Operator) -> Operator {
        operator.clone()
    }
}

impl fmt::Debug for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Operator").field(&self.name()).finish()
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Documents name operators. A caller's operator can be written but not read: documents do not hold its definition.
#[cfg(feature = "recordings")]
mod documents {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::Operator;

    impl Serialize for Operator {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_str(self.name())
        }
    }

    impl<'de> Deserialize<'de> for Operator {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Operator, D::Error> {
            let name = String::deserialize(deserializer)?;
            Operator::named(&name).ok_or_else(|| {
                D::Error::custom(format!(
                    "unknown operator `{name}`: only built-in operators can be read back"
                ))
            })
        }
    }
}

#[cfg(test)]
mod tests;
