//! An item of a stream whose element type is known only at run time: the operand of an operator, and a value in a
//! sentence.

use std::fmt;

use rasterscan::element::ElementType;
use rasterscan::operator::{Definition, Operator};
use rasterscan::tools::Numbers;
use rasterscan::tools::for_element;

/// Numbers that belong together: an element, the pair of an affine map, a texel of bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Item {
    element: ElementType,
    arity: u32,
    /// The words of the numbers, the low word of each first. Unused words are zero.
    words: [u32; MOST_WORDS],
}

/// The words of the widest item: those of a caller's operator, and a flag of two words.
const MOST_WORDS: usize = Definition::MOST_WORDS as usize + 2;

impl Item {
    /// Item `index` of a stream; `None` past its end.
    pub fn at(values: &Numbers, arity: u32, index: u64) -> Option<Item> {
        let size = (arity * values.element().words()) as usize;
        let first = usize::try_from(index).ok()?.checked_mul(size)?;
        let own = values.words().get(first..first.checked_add(size)?)?;
        let mut words = [0; MOST_WORDS];
        words.get_mut(..size)?.copy_from_slice(own);
        Some(Item { element: values.element(), arity, words })
    }

    /// A single u32.
    pub fn count(count: u32) -> Item {
        Item::of(1, [count])
    }

    /// The identity of an operator that accepts the element.
    pub fn identity(operator: &Operator, element: ElementType) -> Item {
        for_element!(element, T => Item::of(operator.arity(), operator.identity::<T, MOST_WORDS>()))
    }

    /// This item combined with a later one; `None` if the operator has no CPU twin.
    pub fn combine(self, operator: &Operator, later: Item) -> Option<Item> {
        for_element!(self.element, T => {
            Some(Item::of(self.arity, operator.combine::<T, MOST_WORDS>(self.all(), later.all())?))
        })
    }

    /// All items combined, the first on the left; `None` without items, or without a CPU twin.
    pub fn fold(operator: &Operator, items: &[Item]) -> Option<Item> {
        let (first, others) = items.split_first()?;
        others.iter().try_fold(*first, |left, right| left.combine(operator, *right))
    }

    /// Parses an item as displayed: a number, or two for a pair, with or without parentheses.
    pub fn parse(element: ElementType, arity: u32, text: &str) -> Option<Item> {
        let text = text.trim();
        let bare = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(text);
        let values = Numbers::parse(element, bare).ok()?;
        (values.len() == arity as usize).then(|| Item::at(&values, arity, 0)).flatten()
    }

    /// The type of its numbers.
    pub fn element(&self) -> ElementType {
        self.element
    }

    /// The count of its numbers.
    pub fn arity(&self) -> u32 {
        self.arity
    }

    /// One of its numbers as a count or an index; `None` unless it is a u32.
    pub fn index(&self, number: u32) -> Option<u64> {
        (self.element == ElementType::U32 && number < self.arity).then(|| self.words[number as usize].into())
    }

    /// The words of its numbers.
    pub fn words(&self) -> &[u32] {
        &self.words[..((self.arity * self.element.words()) as usize).min(MOST_WORDS)]
    }

    /// Returns whether two items are equal to a reader: bit by bit, or up to rounding for floats.
    pub fn is_about(&self, other: &Item) -> bool {
        let near = |number: u32| match (self.float(number), other.float(number)) {
            (Some(a), Some(b)) => {
                (a.is_nan() && b.is_nan()) || (a - b).abs() <= 1e-5 * a.abs().max(b.abs()) || a == b
            }
            _ => false,
        };
        self == other || (self.arity == other.arity && (0..self.arity).all(near))
    }

    /// One of its numbers, rounded to f64.
    pub fn to_f64(&self, number: u32) -> f64 {
        self.numbers().to_f64(number as usize).unwrap_or(0.0)
    }

    fn numbers(&self) -> Numbers {
        Numbers::of_bytes(self.element, bytemuck::cast_slice(self.words()))
    }

    fn float(&self, number: u32) -> Option<f64> {
        self.element.is_float().then(|| self.to_f64(number))
    }

    fn of<T: rasterscan::Element, const N: usize>(arity: u32, numbers: [T; N]) -> Item {
        let mut words = [0; MOST_WORDS];
        let numbers: &[u32] =
            bytemuck::cast_slice(&numbers[..(arity as usize).min(MOST_WORDS / T::TYPE.words() as usize)]);
        words[..numbers.len()].copy_from_slice(numbers);
        Item { element: T::TYPE, arity, words }
    }

    fn all<T: rasterscan::Element>(&self) -> [T; MOST_WORDS] {
        let numbers: Vec<T> = bytemuck::pod_collect_to_vec(self.words());
        std::array::from_fn(|number| numbers.get(number).copied().unwrap_or(T::ZERO))
    }
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values = self.numbers();
        let numbers: Vec<String> = (0..values.len()).map(|number| values.decimal(number)).collect();
        if self.arity == 1 { f.pad(&numbers.concat()) } else { write!(f, "({})", numbers.join(", ")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_combined_as_the_operators_do() {
        let values = Numbers::of(&[2u32, 3, 5, 7]);
        let pairs = [0, 1].map(|index| Item::at(&values, 2, index).unwrap());
        assert_eq!(pairs[0].combine(&Operator::AFFINE, pairs[1]).unwrap().to_string(), "(10, 22)");
        let alone = [0, 1, 2, 3].map(|index| Item::at(&values, 1, index).unwrap());
        assert_eq!(Item::fold(&Operator::ADD, &alone).unwrap().to_string(), "17");
        assert_eq!(Item::at(&values, 1, 4), None);
        assert_eq!(Item::at(&values, 2, u64::MAX), None);
        assert_eq!(Item::identity(&Operator::AFFINE, ElementType::I64).to_string(), "(1, 0)");
    }

    #[test]
    fn what_is_shown_is_read() {
        for element in ElementType::ALL {
            let item = Item::parse(element, 2, "(3, 0)").unwrap();
            assert_eq!(Item::parse(element, 2, &item.to_string()), Some(item));
            assert_eq!(Item::parse(element, 2, "3 0"), Some(item));
            assert_eq!(Item::parse(element, 1, "3 0"), None);
        }
        assert_eq!(Item::parse(ElementType::U32, 1, "three"), None);
    }

    #[test]
    fn floats_may_be_off_by_a_rounding() {
        let float = |x: f32| Item::at(&Numbers::of(&[x]), 1, 0).unwrap();
        assert!(float(0.1 + 0.2).is_about(&float(0.3)));
        assert!(!float(0.3).is_about(&float(0.31)));
        assert!(!Item::count(3).is_about(&Item::count(4)));
    }
}
