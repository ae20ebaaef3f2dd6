//! A caller's operator is tried on small numbers when it is made, if it has a twin: a wrong identity is refused.

use super::{MOST_ELEMENTS, Meaning, Operator, OperatorError};
use crate::element::{Element, ElementType};
use crate::for_element;

/// The numbers that sample items are made of.
const NUMBERS: [i64; 6] = [0, 1, 2, 3, 7, 100];

/// The relative error that the results of floats may have.
const FLOAT_ERROR: f64 = 1e-5;

type Item<T> = [T; MOST_ELEMENTS];

impl Operator {
    /// Three items for which the operator is not associative by its twin, with both results, in words: results of scans
    /// then depend on the algorithm. `None` if there are none among small numbers, or if there is no twin. Floats are
    /// compared with an error of 1e-5.
    ///
    /// ```
    /// use rasterscan::operator::Definition;
    /// use rasterscan::{ElementType, Operator};
    /// let minus = Definition::new("minus", "Item combine(Item left, Item right) { return left - right; }")
    ///     .identity(ElementType::I32, &[0])
    ///     .twin(|_, left, right, result| result[0] = left[0].wrapping_sub(right[0]));
    /// let refused = Operator::new(minus).unwrap_err().to_string();
    /// assert_eq!(refused, "the identity 0 of 'minus' is wrong: minus(0, 1) is -1, expected 1");
    /// assert_eq!(Operator::MAX.counterexample(), None);
    /// ```
    pub fn counterexample(&self) -> Option<String> {
        self.elements().find_map(|element| for_element!(element, T => self.not_associative::<T>()))
    }

    /// Refuses an identity that changes a sample.
    pub(super) fn check_identities(&self) -> Result<(), OperatorError> {
        self.elements().try_for_each(|element| for_element!(element, T => self.check_identity::<T>()))
    }

    fn elements(&self) -> impl Iterator<Item = ElementType> {
        ElementType::ALL.into_iter().filter(|element| self.accepts(*element))
    }

    /// The caller's samples of this element, or items of small numbers times each sign, which differ within an item.
    fn samples<T: Element>(&self, signs: &[i64]) -> Vec<Item<T>> {
        let own = match &self.0.meaning {
            Meaning::Custom { samples, .. } => &samples[..],
            _ => &[],
        };
        let own = own.iter().filter(|(element, _)| *element == T::TYPE).map(|(_, words)| {
            let mut item = [T::ZERO; MOST_ELEMENTS];
            let numbers: Vec<T> = bytemuck::pod_collect_to_vec(words);
            item.iter_mut().zip(numbers).for_each(|(own, number)| *own = number);
            item
        });
        let own: Vec<Item<T>> = own.collect();
        if !own.is_empty() {
            return own;
        }
        let number = |sign: i64, at: usize| T::wrapped(sign * NUMBERS[at % NUMBERS.len()]);
        let of_sign = |sign: &i64| {
            let sign = *sign;
            (0..NUMBERS.len()).map(move |first| std::array::from_fn(|place| number(sign, first + place)))
        };
        signs.iter().flat_map(of_sign).collect()
    }

    fn check_identity<T: Element>(&self) -> Result<(), OperatorError> {
        let Some(combine) = self.twin::<T, MOST_ELEMENTS>() else { return Ok(()) };
        let identity = self.identity::<T, MOST_ELEMENTS>();
        // Unsigned numbers have no signs; LOWEST is 0.
        let signs: &[i64] = if T::LOWEST < T::ZERO { &[1, -1] } else { &[1] };
        let samples = self.samples(signs);
        for item in [identity].into_iter().chain(samples) {
            for [left, right] in [[identity, item], [item, identity]] {
                let got = combine(left, right);
                if !self.alike(&got, &item) {
                    return Err(OperatorError::WrongIdentity {
                        name: self.name().into(),
                        identity: self.text(&identity),
                        example: format!(
                            "{} is {}, expected {}",
                            self.call(&left, &right),
                            self.text(&got),
                            self.text(&item)
                        ),
                    });
                }
            }
        }
        Ok(())
    }

    fn not_associative<T: Element>(&self) -> Option<String> {
        let combine = self.twin::<T, MOST_ELEMENTS>()?;
        let samples = self.samples::<T>(&[1]);
        for a in &samples {
            for b in &samples {
                for c in &samples {
                    let (first, last) = (combine(combine(*a, *b), *c), combine(*a, combine(*b, *c)));
                    if !self.alike(&first, &last) {
                        let name = self.name();
                        return Some(format!(
                            "{name}({}, {}) is {}, and {name}({}, {}) is {}",
                            self.call(a, b),
                            self.text(c),
                            self.text(&first),
                            self.text(a),
                            self.call(b, c),
                            self.text(&last)
                        ));
                    }
                }
            }
        }
        None
    }

    fn alike<T: Element>(&self, got: &Item<T>, expected: &Item<T>) -> bool {
        let arity = self.arity() as usize;
        got[..arity].iter().zip(&expected[..arity]).all(|(got, expected)| {
            let (x, y) = (got.to_f64(), expected.to_f64());
            got == expected || T::TYPE.is_float() && (x - y).abs() <= FLOAT_ERROR * x.abs().max(y.abs())
        })
    }

    fn call<T: Element>(&self, left: &Item<T>, right: &Item<T>) -> String {
        format!("{}({}, {})", self.name(), self.text(left), self.text(right))
    }

    fn text<T: Element>(&self, item: &Item<T>) -> String {
        match &item[..self.arity() as usize] {
            [one] => one.to_string(),
            several => {
                format!("({})", several.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::operator::Definition;
    use crate::{ElementType, Operator};

    /// Functions on four states, packed as bytes: not every number is one.
    #[test]
    fn a_twin_is_tried_on_the_callers_items() {
        let identity = 0x0302_0100u32;
        let composed = |_: ElementType, left: &[u32], right: &[u32], result: &mut [u32]| {
            let of = |table: u32, state: u32| table >> (8 * state) & 3;
            result[0] = (0..4).map(|state| of(right[0], of(left[0], state)) << (8 * state)).sum();
        };
        let definition = |identity: u32| {
            Definition::new("composed", "").identity(ElementType::U32, &[identity]).twin(composed)
        };
        assert!(Operator::new(definition(identity)).is_err(), "7 is no function");
        let sample = |definition: Definition| definition.sample(ElementType::U32, &[0x0001_0203]);
        assert!(Operator::new(sample(definition(identity))).is_ok());
        assert!(Operator::new(sample(definition(0x0303_0303))).is_err(), "a wrong identity");
    }
}
