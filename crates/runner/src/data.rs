//! Test inputs, the same on every machine.

use rasterscan::operator::Definition;
use rasterscan::{Element, ElementType, Operator, ScanSpec};

/// The distribution of an input's numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TestData {
    /// The whole range of integers; floats for which the operator stays in range.
    Random,
    /// One value throughout.
    Constant,
    /// The ends of the range, zeros and ones; floats of very different magnitudes.
    Extreme,
    /// Numbers near each other: 64-bit ones share the high word, or differ only in its sign.
    Near,
}

pub const PATTERNS: [TestData; 4] = [TestData::Random, TestData::Constant, TestData::Extreme, TestData::Near];

/// splitmix64: a good 64-bit mix of a counter.
pub fn mix(seed: u64, index: u64) -> u64 {
    let mut x = seed.wrapping_add((index + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

/// A number that the Runner can make.
pub trait TestElement: Element {
    fn number(operator: &Operator, pattern: TestData, index: u64) -> Self;
}

macro_rules! integer_numbers {
    ($($integer:ty),*) => {$(
        impl TestElement for $integer {
            fn number(_: &Operator, pattern: TestData, index: u64) -> Self {
                let random = mix(7, index);
                match pattern {
                    TestData::Random => random as $integer,
                    TestData::Constant => <$integer>::MAX / 3,
                    TestData::Extreme => match random % 5 {
                        0 => <$integer>::MAX,
                        1 => <$integer>::MIN,
                        2 => 0,
                        3 => 1,
                        _ => !0,
                    },
                    TestData::Near => {
                        let near = <$integer>::MAX / 3 ^ (random as u32 >> 1) as $integer;
                        if random >> 62 == 0 { !near } else { near }
                    }
                }
            }
        }
    )*};
}
integer_numbers!(u32, i32, u64, i64);

impl TestElement for f32 {
    fn number(operator: &Operator, pattern: TestData, index: u64) -> Self {
        let unit = (mix(7, index) >> 40) as f32 / (1 << 24) as f32;
        let multiplies = [Operator::MUL, Operator::AFFINE].contains(operator);
        match pattern {
            TestData::Random if multiplies => 0.9 + 0.2 * unit,
            TestData::Random => 2000.0 * unit - 1000.0,
            TestData::Near => 1.0 + unit / 1024.0,
            TestData::Constant if multiplies => 0.999,
            TestData::Constant => 0.1,
            TestData::Extreme => match mix(7, index) % 7 {
                0 if !multiplies => 1e30,
                1 if !multiplies => -1e30,
                2 => 1e-40,
                3 => 0.0,
                4 => -0.0,
                5 => -1.5,
                _ => 1.0,
            },
        }
    }
}

/// An input for a spec.
pub fn input<T: TestElement>(spec: &ScanSpec, pattern: TestData) -> Vec<T> {
    (0..spec.elements()).map(|index| T::number(&spec.operator, pattern, index)).collect()
}

/// The product of `side` x `side` matrices, row by row.
pub fn matrices(side: usize) -> Operator {
    let glsl = format!(
        "Item combine(Item left, Item right) {{
            Item product;
            for (int i = 0; i < {side} * {side}; i++) {{
                int row = i / {side} * {side}, column = i % {side};
                Element sum = ELEMENT_ZERO;
                for (int k = 0; k < {side}; k++) {{
                    sum = element_add(sum, element_mul(left.e[row + k], right.e[column + k * {side}]));
                }}
                product.e[i] = sum;
            }}
            return product;
        }}"
    );
    let one = |word: usize, words: usize| {
        u32::from(word.is_multiple_of(words) && (word / words).is_multiple_of(side + 1))
    };
    let identity = |words: usize| (0..side * side * words).map(|word| one(word, words)).collect::<Vec<u32>>();
    let mut definition = Definition::new(format!("matrix{side}"), glsl)
        .identity(ElementType::U32, &identity(1))
        .twin(move |element, left, right, result| {
            let number = |words: &[u32], i: usize| match element {
                ElementType::U32 => u64::from(words[i]),
                _ => u64::from(words[2 * i]) | u64::from(words[2 * i + 1]) << 32,
            };
            for i in 0..side * side {
                let (row, column) = (i / side * side, i % side);
                let product = |k: usize| number(left, row + k).wrapping_mul(number(right, column + k * side));
                let sum = (0..side).map(product).fold(0u64, u64::wrapping_add);
                match element {
                    ElementType::U32 => result[i] = sum as u32,
                    _ => result[2 * i..2 * i + 2].copy_from_slice(&[sum as u32, (sum >> 32) as u32]),
                }
            }
        });
    if side < 3 {
        definition = definition.identity(ElementType::U64, &identity(2));
    }
    Operator::new(definition).unwrap()
}
