//! Items and elements as words, and what combines and compares them: `glsl/common/element/` and `operator/`.

use rasterscan::operator::{Definition, MOST_ELEMENTS};
use rasterscan::plan::ItemType;
use rasterscan::{Element, ElementType, Operator, tools::for_element};

use crate::operands::{IDENTITY, UNKNOWN};

/// The most words in an item: those of an operator's, and a flag of two words.
pub const MOST_WORDS: usize = Definition::MOST_WORDS as usize + 2;

/// An item, or an element: its words, the lower ones of 64-bit elements first, and how it came about.
#[derive(Clone, Copy, Debug)]
pub struct Item {
    words: [u32; MOST_WORDS],
    /// The longest chain of uses of the operator that ends in it, within the pass.
    pub depth: u32,
    /// Its origin in the log's [`super::Operands`].
    pub(crate) origin: u32,
}

impl Item {
    /// An item of these words; zeros follow.
    ///
    /// # Panics
    ///
    /// If there are more than [`MOST_WORDS`].
    pub fn of(words: &[u32]) -> Item {
        let mut all = [0; MOST_WORDS];
        all[..words.len()].copy_from_slice(words);
        Item { words: all, depth: 0, origin: UNKNOWN }
    }

    /// The same with an origin.
    pub(crate) fn with_origin(words: &[u32], origin: u32) -> Item {
        Item { origin, ..Item::of(words) }
    }

    /// All words; those after the item's own are zero.
    pub fn words(&self) -> &[u32; MOST_WORDS] {
        &self.words
    }

    /// Sets a word.
    pub fn set(&mut self, word: usize, value: u32) {
        self.words[word] = value;
    }

    /// The first two words, as element functions take them.
    pub fn bits(&self) -> [u32; 2] {
        [self.words[0], self.words[1]]
    }

    /// Adjacent items of `to` words, made of those of `from`.
    pub(crate) fn regrouped(items: &[Item], from: usize, to: usize) -> Vec<Item> {
        let words: Vec<u32> = items.iter().flat_map(|item| &item.words[..from]).copied().collect();
        let depth = items.iter().map(|item| item.depth).max().unwrap_or(0);
        // A load of several items has an origin for each, one after the other.
        let origin = |first: usize| match items[first / from].origin {
            origin @ (UNKNOWN | IDENTITY) => origin,
            origin => origin + (first % from / to) as u32,
        };
        let grouped = (0..).step_by(to).zip(words.chunks_exact(to));
        grouped.map(|(first, words)| Item { depth, origin: origin(first), ..Item::of(words) }).collect()
    }

    /// The element of number `number`, as an item.
    pub fn element(&self, number: usize, words: usize) -> Item {
        Item { depth: self.depth, ..Item::of(&self.words[number * words..(number + 1) * words]) }
    }
}

/// An operator on items of one element: what `#include <operator>` stands for.
#[derive(Debug, Clone)]
pub struct Operation {
    /// The element.
    pub element: ElementType,
    /// Words in an element: `ELEMENT_WORDS`.
    pub element_words: usize,
    /// Words in an item: `ITEM_WORDS`.
    pub words: usize,
    operator: Operator,
    identity: Item,
    combine: fn(&Operator, &Item, &Item) -> Item,
    /// Of a segmented operator, the one on values.
    values: Option<Box<Operation>>,
}

impl Operation {
    /// The operation of a pass; `None` if its operator has no twin.
    pub fn new(item: &ItemType) -> Option<Operation> {
        Operation::of(item.element, &item.operator)
    }

    /// An operator on an element; `None` if it has no twin.
    pub fn of(element: ElementType, operator: &Operator) -> Option<Operation> {
        let of_type = for_element!(element, T => match operator.arity() {
            0..=2 => typed::<T, 2>(operator),
            _ => typed::<T, MOST_ELEMENTS>(operator),
        });
        let (identity, combine) = of_type?;
        let values = match operator.values() {
            Some(values) => Some(Box::new(Operation::of(element, values)?)),
            None => None,
        };
        let (element_words, words) = (element.words() as usize, operator.item_words(element) as usize);
        Some(Operation {
            element,
            element_words,
            words,
            operator: operator.clone(),
            identity: Item { origin: IDENTITY, ..identity },
            combine,
            values,
        })
    }

    /// The identity.
    pub fn identity(&self) -> Item {
        self.identity
    }

    /// An earlier item combined with a later one. Kernels call [`super::Machine::combine`], which also counts.
    pub fn combine(&self, left: &Item, right: &Item) -> Item {
        // The identity changes nothing, and rounds nothing.
        let is_identity = |item: &Item| item.words[..self.words] == self.identity.words[..self.words];
        let longer = !is_identity(left) && !is_identity(right);
        let depth = left.depth.max(right.depth) + u32::from(longer);
        Item { depth, ..(self.combine)(&self.operator, left, right) }
    }

    /// The operation on values, if items have a flag (`SPLIT`); else this one.
    pub fn values(&self) -> &Operation {
        self.values.as_deref().unwrap_or(self)
    }

    /// Whether a segment begins at an item: its flag.
    pub fn is_head(&self, item: &Item) -> bool {
        self.values.as_ref().is_some_and(|values| item.words[values.words] != 0)
    }

    /// A value and its flag as an item.
    pub fn with_flag(&self, mut value: Item, head: bool) -> Item {
        if let Some(values) = &self.values {
            let one = element_one(self.element);
            for (word, one) in one.iter().enumerate().take(self.element_words) {
                value.words[values.words + word] = if head { *one } else { 0 };
            }
        }
        value
    }

    /// The value of an item, without its flag.
    pub fn value_of(&self, mut item: Item) -> Item {
        if let Some(values) = &self.values {
            item.words[values.words..].fill(0);
        }
        item
    }
}

type Typed = (Item, fn(&Operator, &Item, &Item) -> Item);

/// The identity and the function for items of at most `N` elements; `None` if the operator has no twin.
fn typed<T: Element, const N: usize>(operator: &Operator) -> Option<Typed> {
    fn elements<T: Element, const N: usize>(item: &Item) -> [T; N] {
        let mut elements = [T::ZERO; N];
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut elements);
        let words: &[u8] = bytemuck::cast_slice(&item.words);
        let size = bytes.len().min(words.len());
        bytes[..size].copy_from_slice(&words[..size]);
        elements
    }
    fn item<T: Element, const N: usize>(elements: &[T; N], words: usize) -> Item {
        let mut item = Item::of(&[]);
        let bytes: &[u8] = bytemuck::cast_slice(elements);
        bytemuck::cast_slice_mut(&mut item.words[..words]).copy_from_slice(&bytes[..4 * words]);
        item
    }
    fn combine<T: Element, const N: usize>(operator: &Operator, left: &Item, right: &Item) -> Item {
        let combined = operator.combine(elements::<T, N>(left), elements::<T, N>(right));
        // `typed` has seen that there is a twin.
        item(&combined.unwrap_or([T::ZERO; N]), operator.item_words(T::TYPE) as usize)
    }
    let _ = operator.twin::<T, N>()?;
    let identity = item(&operator.identity::<T, N>(), operator.item_words(T::TYPE) as usize);
    Some((identity, combine::<T, N>))
}

/// 1, as words.
fn element_one(element: ElementType) -> [u32; 2] {
    for_element!(element, T => {
        let one = T::ONE;
        let mut words = [0u32; 2];
        let bytes = bytemuck::bytes_of(&one);
        bytemuck::cast_slice_mut::<u32, u8>(&mut words)[..bytes.len()].copy_from_slice(bytes);
        words
    })
}

/// Whether an element is less than another: `element_less`. No number is less than NaN, nor NaN than a number.
pub fn less(element: ElementType, left: [u32; 2], right: [u32; 2]) -> bool {
    let wide = |bits: [u32; 2]| u64::from(bits[1]) << 32 | u64::from(bits[0]);
    match element {
        ElementType::U32 => left[0] < right[0],
        ElementType::I32 => (left[0] as i32) < right[0] as i32,
        ElementType::F32 => f32::from_bits(left[0]) < f32::from_bits(right[0]),
        ElementType::U64 => wide(left) < wide(right),
        ElementType::I64 => (wide(left) as i64) < wide(right) as i64,
    }
}

/// Whether two elements are equal: `element_equal`. NaN is equal to nothing, and both zeros are equal.
pub fn equal(element: ElementType, left: [u32; 2], right: [u32; 2]) -> bool {
    match element {
        ElementType::F32 => f32::from_bits(left[0]) == f32::from_bits(right[0]),
        ElementType::U64 | ElementType::I64 => left == right,
        ElementType::U32 | ElementType::I32 => left[0] == right[0],
    }
}

/// The product of two elements: `element_mul`.
pub fn product(element: ElementType, left: &Item, right: &Item) -> Item {
    for_element!(element, T => {
        let number = |item: &Item| -> T { bytemuck::pod_read_unaligned(&bytemuck::bytes_of(&item.bits())[..size_of::<T>()]) };
        let product = number(left).times(number(right));
        let mut item = Item { depth: left.depth.max(right.depth), ..Item::of(&[]) };
        let bytes = bytemuck::bytes_of(&product);
        bytemuck::cast_slice_mut::<u32, u8>(&mut item.words)[..bytes.len()].copy_from_slice(bytes);
        item
    })
}
