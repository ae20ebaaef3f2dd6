//! Conditions: the six comparisons, on every element and at the ends of its range; and that moved values keep every
//! bit.

use rasterscan::compact;
use rasterscan::{CompactSpec, Comparison, Condition, Moves};
use rasterscan_runner::compaction::{CompactRunner, compactions};
use rasterscan_runner::data::{TestElement, mix};

/// One algorithm for each shader that evaluates the condition.
const DECIDING: [&str; 10] = [
    "sequential",
    "horn",
    "blocks",
    "blocks:inner=packed",
    "geometry",
    "bitonic",
    "points",
    "packed",
    "scatter",
    "select:vectors=3",
];

/// The result of a comparison in Rust, which is that of IEEE.
fn holds<T: PartialOrd>(comparison: Comparison, value: T, constant: T) -> bool {
    match comparison {
        Comparison::Greater => value > constant,
        Comparison::AtLeast => value >= constant,
        Comparison::Less => value < constant,
        Comparison::AtMost => value <= constant,
        Comparison::Equal => value == constant,
        Comparison::NotEqual => value != constant,
    }
}

/// Each extreme value several times, shuffled.
fn disorder<T: TestElement>(extremes: &[T]) -> Vec<T> {
    (0..150).map(|index| extremes[mix(3, index) as usize % extremes.len()]).collect()
}

/// Every comparison of every extreme value with every other.
fn comparisons<T: TestElement>(extremes: &[T]) {
    let mut runner = CompactRunner::new();
    let data = disorder(extremes);
    for comparison in Comparison::ALL {
        for &constant in extremes {
            let condition = Condition::new(comparison, constant);
            let spec = CompactSpec::new::<T>(data.len()).keep(condition).moves(Moves::Both);
            let kept: Vec<u32> =
                (0..150).filter(|index| holds(comparison, data[*index as usize], constant)).collect();
            assert_eq!(compact::sequential(&spec, &data, &[]).unwrap().indices, kept, "{condition}");
            for algorithm in DECIDING {
                runner.data::<T>(algorithm, &spec, &data, &[], "extreme data");
            }
        }
    }
    runner.finish(&format!("all comparisons of {}", T::TYPE));
}

/// Values picked by a mask: they are not inspected, and none of their bits change.
fn moved_to_the_bit<T: TestElement>(extremes: &[T]) {
    let mut runner = CompactRunner::new();
    let data = disorder(extremes);
    let mask: Vec<u32> = (0..150).map(|index| u32::from(index % 3 != 1)).collect();
    for moves in [Moves::Values, Moves::Both] {
        let spec = CompactSpec::new::<T>(data.len()).masked().moves(moves);
        for algorithm in compactions() {
            runner.data::<T>(algorithm, &spec, &data, &mask, "extreme data");
        }
    }
    runner.finish(&format!("extreme {} moved", T::TYPE));
}

fn both<T: TestElement>(extremes: &[T]) {
    comparisons(extremes);
    moved_to_the_bit(extremes);
}

fn extreme_u32() {
    both(&[0, 1, 2, 0x7FFF_FFFF, 0x8000_0000, 0x8000_0001, u32::MAX - 1, u32::MAX]);
}

fn extreme_i32() {
    both(&[i32::MIN, i32::MIN + 1, -2, -1, 0, 1, 2, i32::MAX - 1, i32::MAX]);
}

/// Values that differ only in the high word, only in the low word, or in both in opposite directions.
fn extreme_u64() {
    let words = |high: u64, low: u64| high << 32 | low;
    both(&[
        0,
        words(0, 7),
        words(0, 0x8000_0000),
        words(0, 0xFFFF_FFFF),
        words(1, 0),
        words(5, 7),
        words(5, 8),
        words(6, 7),
        words(6, 0xFFFF_FFFF),
        words(0x8000_0000, 7),
        words(0xFFFF_FFFF, 0),
        u64::MAX,
    ]);
}

fn extreme_i64() {
    let words = |high: i64, low: i64| high << 32 | low;
    both(&[
        i64::MIN,
        words(-1 << 31, 7),
        words(-6, 8),
        words(-6, 0x8000_0000),
        words(-5, 7),
        -1,
        0,
        7,
        words(0, 0x8000_0000),
        words(5, 7),
        words(6, 7),
        i64::MAX,
    ]);
}

/// NaN with payloads, quiet and signalling; infinities, both zeros, numbers below the normal range.
fn extreme_f32() {
    both(&[
        f32::from_bits(0x7FC0_0000),
        f32::from_bits(0xFFC1_2345),
        f32::from_bits(0x7F80_0001),
        f32::from_bits(0xFFBF_FFFF),
        f32::INFINITY,
        f32::NEG_INFINITY,
        0.0,
        -0.0,
        f32::from_bits(1),
        f32::from_bits(0x8000_0001),
        f32::from_bits(0x007F_FFFF),
        f32::MIN_POSITIVE,
        -f32::MIN_POSITIVE,
        1.0,
        -1.0,
        f32::MAX,
        f32::MIN,
    ]);
}

crate::tests![extreme_u32, extreme_i32, extreme_u64, extreme_i64, extreme_f32,];
